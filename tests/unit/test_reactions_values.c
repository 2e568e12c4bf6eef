/* Values, their error bounds and balance at mass ratios of 1e-12 to 1e12, against closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "reactions/combinations.h"
#include "reactions/reactions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

typedef struct bench {
    gdyn_machine *machine;
    gdyn_model *model;
    gdyn_state *state;
    gdyn_reactions *r;
    gdyn_reaction_balance balance;
    double udot[64];
} bench;

static void begin_in(bench *t, double gravity) {
    memset(t, 0, sizeof *t);
    t->machine = gdyn_machine_create(GDYN_PLANAR, (double[3]){0, -gravity, 0});
    assert_non_null(t->machine);
}

static void begin(bench *t) {
    begin_in(t, g);
}

/* A uniform rod of length 1 from (x, y), turned by angle. */
static int add_rod(bench *t, const char *name, double mass, double x, double y, double angle) {
    gdyn_body_def def = gdyn_body_default();
    def.name = name;
    def.mass = mass;
    def.inertia[2] = mass / 12;
    def.com[0] = 0.5;
    def.position[0] = x, def.position[1] = y;
    def.cardan[2] = angle;
    return gdyn_machine_add_body(t->machine, &def);
}

static void add_joint(bench *t, gdyn_joint_type type, const char *name, int a, double ax, int b,
                      double bx, double by) {
    gdyn_joint_def def = gdyn_joint_default();
    def.name = name;
    def.type = type;
    def.axis_a[0] = def.axis_b[0] = type == GDYN_SLOT;
    def.a = (gdyn_anchor){a, {ax, 0, 0}};
    def.b = (gdyn_anchor){b, {bx, by, 0}};
    assert_true(gdyn_machine_add_joint(t->machine, &def) >= 0);
}

static void place(bench *t) {
    assert_int_equal(gdyn_model_create(t->machine, NULL, &t->model), GDYN_OK);
    t->state = gdyn_state_create(t->model);
    t->r = gdyn_reactions_create(t->model);
    assert_true(t->state && t->r);
}

/* Analysed where it stands, with velocities u and accelerations t->udot; released if need be. */
static void move(bench *t, bool moving, const double *u) {
    assert_int_equal(gdyn_reactions_at(t->r, t->state, NULL, 0), GDYN_OK);
    assert_int_equal(
        gdyn_reactions_in_motion(t->r, t->state, NULL, moving, !moving, u, t->udot, &t->balance),
        GDYN_OK);
}

static void analyse(bench *t) {
    double rest[64] = {0};
    place(t);
    move(t, false, rest);
}

static void end(bench *t) {
    gdyn_reactions_destroy(t->r);
    gdyn_state_destroy(t->state);
    gdyn_model_destroy(t->model);
    gdyn_machine_destroy(t->machine);
}

/* The component's value agrees within its own bound, and the bound is small beside it. */
static void value_is(const bench *t, const char *name, double right, double relative) {
    char label[120];
    for (int c = 0; c < t->r->components; c++) {
        if (strcmp(gdyn_reactions_label(t->r, c, label, sizeof label), name) != 0)
            continue;
        double value = t->r->value[c], bound = t->r->value_error[c];
        if (!(fabs(value - right) <= bound) || !(bound <= relative * fabs(right)))
            fail_msg("%s = %.17g +- %.1e instead of %.17g", name, value, bound, right);
        return;
    }
    fail_msg("no component %s", name);
}

/* What is zero by symmetry is printed as zero. */
static void zero_is(const bench *t, const char *name) {
    char label[120];
    for (int c = 0; c < t->r->components; c++)
        if (!strcmp(gdyn_reactions_label(t->r, c, label, sizeof label), name))
            assert_true(t->r->value[c] == 0);
}

/* Two rods released side by side: each hinge carries a quarter of its rod's weight. */
static void separate_rods(void **state) {
    (void)state;
    for (int e = -12; e <= 12; e++) {
        bench t;
        double mass = pow(10, e);
        begin(&t);
        add_rod(&t, "one", 1, 0, 0, 0);
        add_rod(&t, "other", mass, 3, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "A", 0, 0, GDYN_GROUND, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "B", 1, 0, GDYN_GROUND, 3, 0);
        analyse(&t);
        assert_int_equal(t.balance, GDYN_LET_GO);
        value_is(&t, "A.fy", g / 4, 1e-10);
        value_is(&t, "B.fy", mass * g / 4, 1e-10);
        zero_is(&t, "A.fx");
        zero_is(&t, "B.fx");
        end(&t);
    }
}

/* A rod (mass m) hinged to the tip of another (mass M), both level, released: with the moments about the
 * outer rod's centre and its force balance, the hinge carries R = -M m g / (8 M + 6 m): the inner
 * rod's tip falls faster than g. */
static void rod_on_rod(void **state) {
    (void)state;
    for (int e = -12; e <= 12; e++) {
        bench t;
        double m = pow(10, e), M = 1;
        begin(&t);
        add_rod(&t, "inner", M, 0, 0, 0);
        add_rod(&t, "outer", m, 1, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "A", 0, 0, GDYN_GROUND, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "B", 1, 0, 0, 1, 0);
        analyse(&t);
        assert_int_equal(t.balance, GDYN_LET_GO);
        double R = -M * m * g / (8 * M + 6 * m), alpha = -(M * g / 2 + R) / (M / 3);
        value_is(&t, "B.fy", R, 1e-10);
        value_is(&t, "A.fy", M * (g + alpha / 2) + R, 1e-9);
        end(&t);
    }
}

/* The great rod lies on two supports, the small flap is free to fall: it is not held, whatever the
 * ratio; hanging straight down it is. */
static void light_flap_beside_heavy_frame(void **state) {
    (void)state;
    for (int e = 0; e <= 12; e++)
        for (int hangs = 0; hangs < 2; hangs++) {
            bench t;
            double m = pow(10, -e);
            begin(&t);
            add_rod(&t, "frame", 1, 0, 0, 0);
            add_rod(&t, "flap", m, 3, 0, hangs ? -acos(0) : 0);
            add_joint(&t, GDYN_REVOLUTE, "A", 0, 0, GDYN_GROUND, 0, 0);
            add_joint(&t, GDYN_SLOT, "A2", 0, 1, GDYN_GROUND, 1, 0);
            add_joint(&t, GDYN_REVOLUTE, "B", 1, 0, GDYN_GROUND, 3, 0);
            analyse(&t);
            assert_int_equal(t.balance, hangs ? GDYN_HELD : GDYN_LET_GO);
            value_is(&t, "A.fy", g / 2, 1e-10);
            value_is(&t, "A2.fy", g / 2, 1e-10);
            value_is(&t, "B.fy", hangs ? m * g : m * g / 4, 1e-10);
            zero_is(&t, "B.fx");
            end(&t);
        }
}

/* The flap on the heavy frame itself. */
static void light_flap_on_heavy_frame(void **state) {
    (void)state;
    for (int e = 0; e <= 12; e++) {
        bench t;
        double m = pow(10, -e);
        begin(&t);
        add_rod(&t, "frame", 1, 0, 0, 0);
        add_rod(&t, "flap", m, 0.5, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "A", 0, 0, GDYN_GROUND, 0, 0);
        add_joint(&t, GDYN_SLOT, "A2", 0, 1, GDYN_GROUND, 1, 0);
        add_joint(&t, GDYN_REVOLUTE, "B", 1, 0, 0, 0.5, 0);
        analyse(&t);
        assert_int_equal(t.balance, GDYN_LET_GO);
        value_is(&t, "B.fy", m * g / 4, 1e-10);
        value_is(&t, "A.fy", g / 2 + m * g / 8, 1e-10);
        end(&t);
    }
}

/* --- rounding ---------------------------------------------------------------------------------- */

/* Without gravity a driven rod turns as it is told, and a free one stands. What rounding has left of the
 * free one's acceleration is no load; a true acceleration of it is not balanced. */
static void rounding_of_what_stands(void **state) {
    (void)state;
    static const double spin[] = {0, 1e-17, 2e-16, 1e-6};
    for (size_t i = 0; i < sizeof spin / sizeof *spin; i++) {
        bench t;
        double rest[6] = {0};
        begin_in(&t, 0);
        add_rod(&t, "driven", 1, 0, 0, 0);
        add_rod(&t, "free", 1, 3, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "A", 0, 0, GDYN_GROUND, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "B", 1, 0, GDYN_GROUND, 3, 0);
        gdyn_drive_def drive = gdyn_drive_default();
        drive.name = "motor";
        drive.kind = GDYN_DRIVE_JOINT;
        drive.joint = 0;
        drive.min = -10, drive.max = 10;
        assert_true(gdyn_machine_add_drive(t.machine, &drive) >= 0);
        place(&t);
        memcpy(t.udot, (double[6]){0, 0.5, 1, 0, spin[i] / 2, spin[i]}, 6 * sizeof *t.udot);
        move(&t, true, rest);
        assert_int_equal(t.balance, spin[i] < 1e-10 ? GDYN_DRIVEN : GDYN_UNBALANCED);
        value_is(&t, "A.fy", 0.5, 1e-10);
        end(&t);
    }
}

/* A spring carries the whole rod: the hinge carries nothing, whatever the numbers. */
static void spring_against_gravity(void **state) {
    (void)state;
    for (int i = 1; i <= 40; i++) {
        bench t;
        double mass = 0.1 * i, stiffness = 7.7 * i;
        begin(&t);
        add_rod(&t, "rod", mass, 0, 0, 0);
        add_joint(&t, GDYN_REVOLUTE, "A", 0, 0, GDYN_GROUND, 0, 0);
        gdyn_force_def spring = gdyn_force_default();
        spring.name = "spring";
        spring.kind = GDYN_FORCE_SPRING;
        spring.a = (gdyn_anchor){0, {0.5, 0, 0}};
        spring.b = (gdyn_anchor){GDYN_GROUND, {0.5, 1.3, 0}};
        spring.stiffness = stiffness;
        spring.rest = 1.3 - mass * g / stiffness;
        assert_true(gdyn_machine_add_force(t.machine, &spring) >= 0);
        analyse(&t);
        assert_int_equal(t.balance, GDYN_HELD);
        zero_is(&t, "A.fx");
        zero_is(&t, "A.fy");
        end(&t);
    }
}

/* --- unique sums ------------------------------------------------------------------------------- */

/* A level rod on three supports: neither is known, but their sum and its moment are. */
static void supports_of_a_beam(void **state) {
    (void)state;
    bench t;
    begin(&t);
    add_rod(&t, "beam", 12, 0, 0, 0);
    add_joint(&t, GDYN_REVOLUTE, "A", 0, 0, GDYN_GROUND, 0, 0);
    add_joint(&t, GDYN_SLOT, "B", 0, 0.25, GDYN_GROUND, 0.25, 0);
    add_joint(&t, GDYN_SLOT, "C", 0, 1, GDYN_GROUND, 1, 0);
    analyse(&t);
    assert_int_equal(t.balance, GDYN_HELD);
    gdyn_combinations found;
    assert_int_equal(gdyn_combinations_find(t.r, &found), GDYN_OK);
    assert_int_equal(found.count, 2); /* three forces, one direction */
    /* Fulfilled by every solution: A 1, B -4/3, C 1/3 is what the supports trade; A = C = 6 g is one. */
    static const double trade[4] = {0, 1, -4.0 / 3, 1.0 / 3};
    const double one[4] = {0, 6 * g, 0, 6 * g};
    for (int i = 0; i < found.count; i++) {
        double change = 0, value = 0;
        for (int k = 0; k < found.list[i].terms; k++) {
            change += found.list[i].term[k].coefficient * trade[found.list[i].term[k].component];
            value += found.list[i].term[k].coefficient * one[found.list[i].term[k].component];
        }
        assert_true(fabs(change) < 1e-12);
        assert_true(fabs(value - found.list[i].value) < 1e-10);
    }
    gdyn_combinations_free(&found);
    end(&t);
}

/* --- along a path ------------------------------------------------------------------------------ */

/* One pose of lower rank does not split a stretch, nor does it count; a point that is not assembled
 * ends it. */
static void stretches_leave_singular_poses_out(void **state) {
    (void)state;
    const double p[] = {0, 1, 2, 3, 4, 5, 6}, value[] = {5, 7, 999, 6, NAN, NAN, 1};
    const int rank[] = {8, 8, 7, 8, 8, -1, 8};
    const gdyn_verdict verdict[] = {GDYN_UNIQUE, GDYN_UNIQUE,        GDYN_INDETERMINATE,
                                    GDYN_UNIQUE, GDYN_INDETERMINATE, GDYN_UNIQUE,
                                    GDYN_UNIQUE};
    gdyn_stretch list[7];
    assert_int_equal(gdyn_reaction_stretches(7, p, rank, 1, verdict, value, list), 3);
    assert_true(list[0].verdict == GDYN_UNIQUE && list[0].from == 0 && list[0].to == 3);
    assert_true(list[0].least == 5 && list[0].greatest == 7 && list[0].points == 3);
    assert_true(list[1].verdict == GDYN_INDETERMINATE && list[1].from == 4 && list[1].to == 4);
    assert_true(list[2].verdict == GDYN_UNIQUE && list[2].from == 6 && list[2].least == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_rods),
        cmocka_unit_test(rod_on_rod),
        cmocka_unit_test(light_flap_beside_heavy_frame),
        cmocka_unit_test(light_flap_on_heavy_frame),
        cmocka_unit_test(rounding_of_what_stands),
        cmocka_unit_test(spring_against_gravity),
        cmocka_unit_test(supports_of_a_beam),
        cmocka_unit_test(stretches_leave_singular_poses_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
