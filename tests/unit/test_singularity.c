/* Places where the drives lose control of a freedom, against closed forms: a five-bar's rods in one line, a
 * symmetric six-legged platform turned by a quarter (Fichter), and what may lie between any two points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "access/evaluate.h"
#include "base/random.h"
#include "base/text.h"
#include "near.h"
#include "traverse_machines.h"

/* --- five-bars -------------------------------------------------------------------------------- */

typedef struct five_bar {
    double gap, crank[2], rod[2]; /* cranks turn about (-+gap/2, 0) */
    double x[2], y[2];            /* the tip goes from one to the other, straight */
    int side[2];                  /* of each elbow, seen from its crank's joint to the tip */
} five_bar;

/* Elbow of a leg for the tip at (x, y); false out of reach. */
static bool elbow(const five_bar *m, int leg, double x, double y, double e[2]) {
    double base = leg ? 0.5 * m->gap : -0.5 * m->gap, dx = x - base, r = hypot(dx, y);
    double a = m->crank[leg], b = m->rod[leg], along = (r * r + a * a - b * b) / (2 * r);
    double high = a * a - along * along;
    if (!(high > 1e-4 * a * a))
        return false;
    double h = m->side[leg] * sqrt(high);
    e[0] = base + (along * dx - h * y) / r;
    e[1] = (along * y + h * dx) / r;
    return true;
}

/* The rods' cross product at the share s of the way: zero where they are in line. */
static bool cross(const five_bar *m, double s, double *value) {
    double x = m->x[0] + s * (m->x[1] - m->x[0]), y = m->y[0] + s * (m->y[1] - m->y[0]);
    double a[2], b[2];
    if (!elbow(m, 0, x, y, a) || !elbow(m, 1, x, y, b))
        return false;
    *value = ((x - a[0]) * (y - b[1]) - (y - a[1]) * (x - b[0])) / (m->rod[0] * m->rod[1]);
    return true;
}

/* Shares of the way with the rods in line, by 4,000 steps and bisection; -1 when the tip is out of reach
 * somewhere, or a place is too close to an end, to a neighbour or to a dead centre to be told apart. */
static int places_in_line(const five_bar *m, double place[8]) {
    enum { STEPS = 4000 };
    int count = 0;
    double before = 0;
    for (int i = 0; i <= STEPS; i++) {
        double value;
        if (!cross(m, (double)i / STEPS, &value) || (i % STEPS == 0 && fabs(value) < 1e-3))
            return -1;
        if (i > 0 && (value < 0) != (before < 0)) {
            double a = (i - 1.0) / STEPS, b = (double)i / STEPS, middle = 0;
            for (int k = 0; k < 60; k++) {
                double here;
                middle = 0.5 * (a + b);
                cross(m, middle, &here);
                if ((here < 0) == (before < 0))
                    a = middle;
                else
                    b = middle;
            }
            if (count == 8)
                return -1;
            place[count++] = middle;
        }
        before = value;
    }
    return count;
}

static void write_case(const five_bar *m, const char *more, gdyn_text *out) {
    double e[2][2];
    for (int leg = 0; leg < 2; leg++)
        elbow(m, leg, m->x[0], m->y[0], e[leg]);
    gdyn_text_printf(out,
                     "format: 1\nname: five-bar\nmachine:\n  space: planar\n"
                     "  gravity: [0, -9.81]\n  ground:\n    points: {L: [%.17g, 0], R: [%.17g, "
                     "0], EL: [%.17g, %.17g], ER: [%.17g, %.17g], T: [%.17g, %.17g]}\n",
                     -0.5 * m->gap, 0.5 * m->gap, e[0][0], e[0][1], e[1][0], e[1][1], m->x[0],
                     m->y[0]);
    gdyn_text_printf(out, "  bodies:\n");
    for (int leg = 0; leg < 2; leg++) {
        char c = leg ? 'R' : 'L';
        gdyn_text_printf(out,
                         "    crank%c: {mass: 0.6, inertia: 0.003, com: [%.17g, 0], points: {B: "
                         "[0, 0], E: [%.17g, 0]}, pose: {B: ground.%c, E: ground.E%c}}\n",
                         c, 0.5 * m->crank[leg], m->crank[leg], c, c);
        gdyn_text_printf(out,
                         "    rod%c: {mass: 0.4, inertia: 0.004, com: [%.17g, 0], points: {E: "
                         "[0, 0], T: [%.17g, 0]}, pose: {E: ground.E%c, T: ground.T}}\n",
                         c, 0.5 * m->rod[leg], m->rod[leg], c);
    }
    gdyn_text_printf(out,
                     "  joints:\n"
                     "    baseL: {type: revolute, of: [crankL.B, ground.L]}\n"
                     "    baseR: {type: revolute, of: [crankR.B, ground.R]}\n"
                     "    elbowL: {type: revolute, of: [rodL.E, crankL.E]}\n"
                     "    elbowR: {type: revolute, of: [rodR.E, crankR.E]}\n"
                     "    tip: {type: revolute, of: [rodL.T, rodR.T]}\n"
                     "  drives:\n"
                     "    left: {at: baseL, torque: {min: -20, max: 20}}\n"
                     "    right: {at: baseR, torque: {min: -20, max: 20}}\n%s",
                     more);
    gdyn_text_printf(out,
                     "trajectories:\n  t: {of: rodL.T, p: [0, 1], path: {x: %.17g + %.17g*p, y: "
                     "%.17g + %.17g*p}, points: 41}\n",
                     m->x[0], m->x[1] - m->x[0], m->y[0], m->y[1] - m->y[0]);
}

static void random_five_bar(gdyn_random *random, five_bar *m) {
    m->gap = 0.1 + 0.3 * gdyn_random_uniform(random);
    for (int i = 0; i < 2; i++) {
        m->crank[i] = 0.15 + 0.2 * gdyn_random_uniform(random);
        m->rod[i] = 0.2 + 0.3 * gdyn_random_uniform(random);
        m->x[i] = -0.4 + 0.8 * gdyn_random_uniform(random);
        m->y[i] = -0.4 + 0.8 * gdyn_random_uniform(random);
        m->side[i] = gdyn_random_uniform(random) < 0.5 ? 1 : -1;
    }
}

static gdyn_evaluation *evaluate(const moving_machine *m) {
    gdyn_evaluation *e = gdyn_evaluation_create(m->instance->model, m->path);
    assert_non_null(e);
    assert_int_equal(gdyn_evaluation_run(e, m->path, NULL), GDYN_OK);
    return e;
}

/* Nothing that has to lead across a blocking place has a value. */
static void assert_blocked(const gdyn_evaluation *e, bool blocked) {
    assert_int_equal(gdyn_singularities_block(&e->singular, -INFINITY, INFINITY) != NULL, blocked);
    if (blocked)
        assert_true(isnan(e->criteria.value[GDYN_CRITERION_AREA]) &&
                    isnan(e->criteria.value[GDYN_CRITERION_D1_MAX]) &&
                    isnan(e->criteria.value[GDYN_CRITERION_SPEED]) &&
                    isnan(e->criteria.value[GDYN_CRITERION_ACCEL]));
    else
        assert_false(isnan(e->criteria.value[GDYN_CRITERION_AREA]) ||
                     isnan(e->criteria.value[GDYN_CRITERION_D1_MAX]));
}

/* The place is found to 1e-6 of the path at every number of points; the bisection of both sides leaves
 * rounding over the slope of the cross product, which is 1e-3 of its size at least. */
static void test_random_five_bars(void **unused) {
    (void)unused;
    static const int points[] = {5, 12, 41, 200};
    int singular = 0, regular = 0;
    for (uint64_t seed = 0; singular < 60 || regular < 30; seed++) {
        gdyn_random random = gdyn_random_stream(17, seed, 0);
        five_bar m;
        double wanted[8];
        random_five_bar(&random, &m);
        int count = places_in_line(&m, wanted);
        if (count < 0 || (count == 0 && regular >= 30))
            continue;
        singular += count > 0;
        regular += count == 0;
        gdyn_text text = {0};
        write_case(&m, "", &text);
        moving_machine machine;
        machine_of_text(&machine, text.data, points[seed % 4]);
        gdyn_evaluation *e = evaluate(&machine);
        if (e->criteria.value[GDYN_CRITERION_REACH] == 1) {
            if (e->singular.count != count)
                print_error("seed %d: %d places, wanted %d\n", (int)seed, e->singular.count, count);
            assert_int_equal(e->singular.count, count);
            for (int i = 0; i < count; i++)
                assert_near(e->singular.at[i].from, wanted[i], 1e-6);
            assert_blocked(e, count > 0);
            gdyn_traverse *t = fastest_motion(machine.dynamics, NULL);
            assert_int_equal(t->status == GDYN_TRAVERSE_SINGULAR, count > 0);
            if (count > 0)
                assert_near(t->place, wanted[0], 1e-6);
            gdyn_traverse_destroy(t);
        }
        gdyn_evaluation_destroy(e);
        machine_close(&machine);
        gdyn_text_free(&text);
    }
}

/* A drive at an elbow serves the freedom that the cranks lose: nothing is singular. */
static void test_redundant_drive(void **unused) {
    (void)unused;
    five_bar m = {.gap = 0.3, {0.25, 0.25}, {0.35, 0.35}, {0.02, 0.02}, {0.4, -0.3}, {1, -1}};
    for (int third = 0; third < 2; third++) {
        gdyn_text text = {0};
        write_case(&m, third ? "    elbow: {at: elbowL, torque: {min: -6, max: 6}}\n" : "", &text);
        moving_machine machine;
        machine_of_text(&machine, text.data, 23);
        gdyn_evaluation *e = evaluate(&machine);
        assert_near(e->criteria.value[GDYN_CRITERION_REACH], 1, 0);
        assert_blocked(e, !third);
        assert_int_equal(e->criteria.value[GDYN_CRITERION_REDUNDANCY], third);
        gdyn_evaluation_destroy(e);
        machine_close(&machine);
        gdyn_text_free(&text);
    }
}

/* Straight up the middle the tip is lost upwards where the elbows' height is reached from below (gravity
 * and inertia act there: blocked), and sideways where the rods point the same way: of that the symmetric
 * motion knows nothing. Closed form: with the elbows at (-+c, h), c and h from the circles, rods in line at
 * y = h; the same direction never, for c > 0. The elbows' other meeting is a path turned back in itself. */
static void test_harmless_place(void **unused) {
    (void)unused;
    /* gap 0.3, crank 0.25, rod 0.35: rods level at y = +-0.15 (elbow 0.35 from the middle, 0.2^2 +
     * 0.15^2 = 0.25^2); at y = -0.15 the machine stands in its mirrored mode with the rods crossing */
    five_bar m = {.gap = 0.3, {0.25, 0.25}, {0.35, 0.35}, {0, 0}, {0.4, -0.4}, {1, -1}};
    gdyn_text text = {0};
    write_case(&m, "", &text);
    for (int points = 5; points <= 1000; points += points / 2) {
        moving_machine machine;
        machine_of_text(&machine, text.data, points);
        gdyn_evaluation *e = evaluate(&machine);
        assert_int_equal(e->singular.count, 2);
        assert_near(e->singular.at[0].from, 0.25 / 0.8, 1e-9);
        assert_true(e->singular.at[0].blocks);
        assert_near(e->singular.at[1].from, 0.55 / 0.8, 1e-9);
        assert_false(e->singular.at[1].blocks);
        assert_blocked(e, true);
        assert_near(e->criteria.value[GDYN_CRITERION_DEXTERITY], 0, 1e-9);
        assert_int_equal(e->criteria.value[GDYN_CRITERION_REDUNDANCY], 0);
        gdyn_evaluation_destroy(e);
        machine_close(&machine);
    }
    m.y[0] = 0.1; /* only the second one is left */
    gdyn_text below = {0};
    write_case(&m, "", &below);
    moving_machine machine;
    machine_of_text(&machine, below.data, 30);
    gdyn_evaluation *e = evaluate(&machine);
    assert_int_equal(e->singular.count, 1);
    assert_blocked(e, false);
    gdyn_evaluation_destroy(e);
    machine_close(&machine);
    gdyn_text_free(&below);
    gdyn_text_free(&text);
}

/* --- two places between the same points, and one that is only touched --------------------------- */

static const char *const beam =
    "format: 1\nname: rod on a slide\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n  bodies:\n"
    "    slide: {mass: 1, inertia: 0.1, points: {S: [0, 0]}, pose: [0, 0, 0]}\n"
    "    rod: {mass: 1, inertia: 0.1, points: {S: [0, 0], T: [0.5, 0]}, pose: [0, 0, %s]}\n"
    "  joints:\n"
    "    rail: {type: prismatic, of: [slide.S, ground.O], axis: [1, 0]}\n"
    "    hinge: {type: revolute, of: [rod.S, slide.S]}\n"
    "  drives:\n"
    "    push: {at: rail, force: {min: -100, max: 100}}\n"
    "    pull: {between: [rod.T, ground.O], force: {min: -100, max: 100}}\n"
    "trajectories:\n  t: {p: [-1, 1], joints: {rail: 0.3, hinge: %s}, points: 9}\n";

/* The drive from O to T has the moment x |T| sin(hinge) / |OT| about the hinge: it is lost where the rod
 * lies along the rail. */
static void touch(const char *pose, const char *hinge, int count, const double *wanted,
                  double tolerance) {
    char text[2000];
    snprintf(text, sizeof text, beam, pose, hinge);
    for (int points = 3; points < 60; points += 7) {
        moving_machine machine;
        machine_of_text(&machine, text, points);
        gdyn_evaluation *e = evaluate(&machine);
        assert_near(e->criteria.value[GDYN_CRITERION_REACH], 1, 0);
        if (e->singular.count != count)
            print_error("%s, %d points: %d places\n", hinge, points, e->singular.count);
        assert_int_equal(e->singular.count, count);
        for (int i = 0; i < count; i++)
            assert_near(e->singular.at[i].from, wanted[i], tolerance);
        assert_blocked(e, count > 0);
        gdyn_evaluation_destroy(e);
        machine_close(&machine);
    }
}

static void test_close_places(void **unused) {
    (void)unused;
    const double two[] = {-0.1, 0.1}, touched = 0.013;
    touch("0.891", "0.9*(p^2 - 0.01)", 2, two, 1e-9);
    /* sigma is a parabola there: rounding of 1e-16 leaves its tip within 1e-8 */
    touch("0.92", "0.9*(p - 0.013)^2", 1, &touched, 1e-6);
    touch("0.92", "0.9*(p - 0.013)^2 + 0.01", 0, NULL, 0);
}

/* --- distance ------------------------------------------------------------------------------------ */

/* A mass that cannot turn between two drives from (-+1, 0), on the line y = 0.5: with unit columns the singular
 * values of H are sqrt(1 +- cos theta), theta the acute angle between the lines, and their ratio is
 * tan(theta / 2). At x = 0 the drives meet at an acute angle of 2 atan(0.5), which is the least beside it: 0.5.
 * `unit` stretches the whole, `turn` turns it. */
static double distance_of_drives(double unit, double turn, int points) {
    char text[2000];
    double c = unit * cos(turn), s = unit * sin(turn);
    snprintf(
        text, sizeof text,
        "format: 1\nname: mass\nmachine:\n  space: planar\n  gravity: [0, 0]\n  ground: {points: "
        "{A: [%.17g, %.17g], B: [%.17g, %.17g]}}\n  bodies:\n"
        "    mass: {mass: 1, inertia: 0.1, points: {P: [0, 0], Q: [%.17g, 0]}, pose: [%.17g, "
        "%.17g, 0]}\n"
        "  joints:\n    upright: {type: angle, of: [mass, ground]}\n"
        "  drives:\n    a: {between: [mass.P, ground.A], force: {min: -100, max: 100}}\n"
        "    b: {between: [mass.P, ground.B], force: {min: -100, max: 100}}\n"
        "trajectories:\n  t: {of: mass.P, p: [0, 1], path: {x: %.17g*(0.9*p - 0.37) - "
        "%.17g, y: %.17g*(0.9*p - 0.37) + %.17g}, points: 9}\n",
        -c, -s, c, s, unit, -0.5 * s, 0.5 * c, c, 0.5 * s, s, 0.5 * c);
    moving_machine machine;
    machine_of_text(&machine, text, points);
    gdyn_evaluation *e = gdyn_evaluation_create(machine.instance->model, machine.path);
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.closest = true;
    settings.regions = settings.local = false;
    assert_non_null(e);
    assert_int_equal(gdyn_evaluation_run(e, machine.path, &settings), GDYN_OK);
    double least = e->criteria.value[GDYN_CRITERION_SINGULARITY];
    assert_near(e->singular.least_p, 0.37 / 0.9, 1e-2);
    gdyn_evaluation_destroy(e);
    machine_close(&machine);
    return least;
}

static void test_distance(void **unused) {
    (void)unused;
    for (int points = 4; points < 60; points += 11)
        assert_near(distance_of_drives(1, 0, points), 0.5, 1e-5);
    assert_near(distance_of_drives(1e3, 0, 12), 0.5, 1e-5);
    assert_near(distance_of_drives(1, 0.7, 12), 0.5, 1e-5);
}

/* --- one freedom ---------------------------------------------------------------------------------- */

/* Crank 0.3, rod 0.5, the crank's angle led through 0. The force on the piston has the moment F s' about the
 * shaft, s' = 0 at the dead centre, where I d2 = 0 (I: the crank's inertia) is left. A second drive on the
 * same piston makes H a row of two that vanish together; a fly wheel's motor serves the place. */
static void dead_centre(const char *drives, const char *range, bool blocked) {
    char text[2000];
    snprintf(text, sizeof text,
             "format: 1\nname: piston\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
             "    crank: {mass: 1, inertia: 0.01, points: {A: [0.3, 0]}}\n"
             "    rod: {mass: 0, inertia: 0, points: {A: [0, 0], B: [0.5, 0]}, pose: {A: crank.A, "
             "B: piston.B}}\n"
             "    piston: {mass: 1, inertia: 0.01, points: {B: [0, 0]}, pose: [0.8, 0, 0]}\n"
             "  joints:\n"
             "    shaft: {type: revolute, of: [crank, ground]}\n"
             "    pin: {type: revolute, of: [rod.A, crank.A]}\n"
             "    wrist: {type: revolute, of: [rod.B, piston.B]}\n"
             "    bore: {type: prismatic, of: [piston, ground], axis: [1, 0]}\n"
             "  drives:\n%s"
             "trajectories:\n  t: {p: %s, joints: {shaft: p}, points: 4}\n",
             drives, range);
    for (int points = 4; points < 40; points += 5) {
        moving_machine machine;
        machine_of_text(&machine, text, points);
        gdyn_evaluation *e = evaluate(&machine);
        assert_near(e->criteria.value[GDYN_CRITERION_REACH], 1, 0);
        assert_blocked(e, blocked);
        assert_int_equal(e->singular.count, blocked);
        if (blocked) {
            assert_near(e->singular.at[0].from, 0, 1e-9);
            assert_int_equal(e->singular.at[0].rank, 0);
            assert_near(e->criteria.value[GDYN_CRITERION_DEXTERITY], 0, 1e-9);
        }
        gdyn_evaluation_destroy(e);
        machine_close(&machine);
    }
}

static void test_dead_centre(void **unused) {
    (void)unused;
    static const char *const one = "    gas: {at: bore, force: {limit: 2}}\n",
                             *const two = "    gas: {at: bore, force: {limit: 2}}\n"
                                          "    coil: {at: bore, force: {limit: 3}}\n",
                             *const motor = "    gas: {at: bore, force: {limit: 2}}\n"
                                            "    motor: {at: shaft, torque: {limit: 1}}\n";
    static const char *const range[] = {"[-1, 1]", "[-1, 1.1]", "[-1.2, 0.9]"};
    for (int i = 0; i < 3; i++) {
        dead_centre(one, range[i], true);
        dead_centre(two, range[i], true);
        dead_centre(motor, range[i], false);
    }
}

/* --- space --------------------------------------------------------------------------------------- */

/* Legs between regular triangles of pairs: the platform turned by a quarter about its axis is singular at
 * every height (Fichter 1986; its feet and heads are similar hexagons). The turn ends beyond it. */
static void test_platform_turned(void **unused) {
    (void)unused;
    char file[1000];
    snprintf(file, sizeof file, "%s/cases/ups6/case.yaml", GDYN_SOURCE_DIR);
    gdyn_text text = {0};
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    char line[1000];
    bool before = true;
    while (before && fgets(line, sizeof line, in)) {
        before = strncmp(line, "trajectories:", 13) != 0;
        gdyn_text_printf(&text, "%s", line);
    }
    fclose(in);
    gdyn_text_printf(&text, "  turn: {of: platform.tool, p: [0, 1], points: 14, path: {x: 0, y: 0, "
                            "z: height, cardan: [0, 0, 110 deg*p]}}\n");
    moving_machine machine;
    machine_of_text(&machine, text.data, 14);
    gdyn_evaluation *e = evaluate(&machine);
    assert_near(e->criteria.value[GDYN_CRITERION_REACH], 1, 0);
    assert_int_equal(e->singular.count, 1);
    assert_near(e->singular.at[0].from, 90.0 / 110, 1e-9);
    gdyn_evaluation_destroy(e);
    machine_close(&machine);
    gdyn_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance),        cmocka_unit_test(test_random_five_bars),
        cmocka_unit_test(test_redundant_drive), cmocka_unit_test(test_harmless_place),
        cmocka_unit_test(test_close_places),    cmocka_unit_test(test_dead_centre),
        cmocka_unit_test(test_platform_turned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
