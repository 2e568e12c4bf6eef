/* Standing at any p of a path (path/place.h): closed forms, and the same answer from grids of 5 to
 * 1000 points for random machines of every class (branches, rolling, kinematic redundancy). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "path_run.h"
#include "share.h"

#include "base/random.h"
#include "path/place.h"

enum { PLACES = 12 };

/* --- machines ------------------------------------------------------------------------------- */

static void add_edge(gdyn_machine *machine, const char *name, int body) {
    gdyn_joint_def def = gdyn_joint_default();
    def.name = name;
    def.type = GDYN_KNIFE_EDGE;
    def.a.body = body;
    def.b.body = GDYN_GROUND;
    v3_set(def.normal, 0, 1, 0);
    gdyn_machine_add_joint(machine, &def);
}

/* A sled with a knife edge at its origin and a nose l ahead, at the angle a; its nose at the origin. */
static gdyn_model *sled(double l, double a) {
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    add_edge(machine, "edge", add_body(machine, "sled", -l * cos(a), -l * sin(a), 0, 0, 0, a));
    return finish(machine);
}

/* A train of sleds, each hung on the tail of the one before; *nose: length of the first. */
static gdyn_model *train(gdyn_random *random, double *nose) {
    static const char *const names[4][3] = {
        {"s0", "e0", "h0"}, {"s1", "e1", "h1"}, {"s2", "e2", "h2"}, {"s3", "e3", "h3"}};
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int count = 1 + gdyn_random_below(random, 4), before = -1;
    double x = 0, y = 0;
    for (int i = 0; i < count; i++) {
        double l = gdyn_random_between(random, 0.5, 1.5), a = gdyn_random_between(random, -1, 1);
        x -= l * cos(a), y -= l * sin(a);
        int body = add_body(machine, names[i][0], x, y, 0, 0, 0, a);
        add_edge(machine, names[i][1], body);
        if (i == 0)
            *nose = l;
        else
            add_joint(machine, names[i][2], GDYN_REVOLUTE, body, P3(l, 0, 0), before, P3(0, 0, 0),
                      NULL, NULL);
        before = body;
    }
    return finish(machine);
}

/* A planar arm of 2 to 6 links from the origin; the last one's length and pose tell its tip. */
static gdyn_model *planar_arm(gdyn_random *random, int *last, double tip[3], double *length) {
    static const char *const names[6][2] = {{"l0", "j0"}, {"l1", "j1"}, {"l2", "j2"},
                                            {"l3", "j3"}, {"l4", "j4"}, {"l5", "j5"}};
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int count = 2 + gdyn_random_below(random, 5), before = GDYN_GROUND;
    double a = gdyn_random_between(random, 0, 1), arm = 0;
    v3_set(tip, 0, 0, 0);
    for (int i = 0; i < count; i++) {
        double l = gdyn_random_between(random, 0.5, 1);
        int body = add_body(machine, names[i][0], tip[0], tip[1], 0, 0, 0, a);
        add_joint(machine, names[i][1], GDYN_REVOLUTE, body, P3(0, 0, 0), before, P3(arm, 0, 0),
                  NULL, NULL);
        tip[0] += l * cos(a), tip[1] += l * sin(a);
        a += (gdyn_random_below(random, 2) ? 1 : -1) * gdyn_random_between(random, 0.5, 1.2);
        before = body;
        arm = l;
    }
    *last = before;
    *length = arm;
    return finish(machine);
}

/* The same in space: hinges about the axes x, y, z of the links in turn, from a random one on. */
static gdyn_model *spatial_arm(gdyn_random *random, int *last, double tip[3], double *length) {
    static const char *const names[7][2] = {{"l0", "j0"}, {"l1", "j1"}, {"l2", "j2"}, {"l3", "j3"},
                                            {"l4", "j4"}, {"l5", "j5"}, {"l6", "j6"}};
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, 0, -9.81));
    int count = 4 + gdyn_random_below(random, 4), before = GDYN_GROUND;
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, arm = 0;
    v3_set(tip, 0, 0, 0);
    for (int i = 0; i < count; i++) {
        double l = gdyn_random_between(random, 0.4, 0.8), turn[3] = {0, 0, 0}, S[9], c[3];
        double before_turn[9];
        double axis[3] = {0, i % 2 == 0, i % 2};
        turn[i % 2 ? 2 : 1] = gdyn_random_between(random, 0.4, 1) * (i % 3 == 0 ? -1 : 1);
        gdyn_rotation_exp(S, turn);
        memcpy(before_turn, R, sizeof R);
        gdyn_m3_multiply(R, before_turn, S);
        gdyn_rotation_to_cardan(R, c);
        int body = add_body(machine, names[i][0], tip[0], tip[1], tip[2], c[0], c[1], c[2]);
        add_joint(machine, names[i][1], GDYN_REVOLUTE, body, P3(0, 0, 0), before, P3(arm, 0, 0),
                  axis, axis);
        for (int k = 0; k < 3; k++)
            tip[k] += l * R[k];
        before = body;
        arm = l;
    }
    *last = before;
    *length = arm;
    return finish(machine);
}

/* --- the same answer from every grid ---------------------------------------------------------- */

/* The same path with another number of points. */
static void grid(run *r, int points) {
    gdyn_path_destroy(r->path);
    gdyn_track_destroy(r->track);
    gdyn_closure_destroy(r->closure);
    r->path = NULL, r->track = NULL;
    r->def.points = points;
    go(r, NULL);
}

typedef struct answer {
    gdyn_state *state;
    double *u_p, *u_pp, error;
    gdyn_point_status status;
} answer;

static void keep_answer(answer *a, const run *r, const gdyn_path_place *place) {
    size_t n = (size_t)r->track->n;
    if (!a->state) {
        a->state = gdyn_state_create(r->model);
        a->u_p = gdyn_alloc(n, sizeof(double));
        a->u_pp = gdyn_alloc(n, sizeof(double));
    }
    gdyn_state_copy(a->state, place->state);
    memcpy(a->u_p, place->u_p, n * sizeof(double));
    memcpy(a->u_pp, place->u_pp, n * sizeof(double));
    a->error = place->error;
    a->status = place->status;
}

static double greatest(int n, const double *a, const double *b) {
    double most = 0;
    for (int j = 0; j < n; j++)
        most = fmax(most, fabs(a[j] - (b ? b[j] : 0)));
    return most;
}

/* Poses agree to the estimated errors, where there is nothing to integrate to the rounding of
 * closing (1e-12 of the residual, over a smallest singular value of 1e-2 and better here); derivatives to
 * that times how fast they change with the pose, which is told. */
static void compare(const run *r, const answer *a, const gdyn_path_place *b, double steep) {
    double du[100];
    int n = r->track->n;
    double tolerance = 10 * (a->error + b->error) + 3e-10;
    assert_int_equal(a->status, b->status);
    difference(r->model, a->state, b->state, du);
    double moved = greatest(n, du, NULL);
    if (moved > tolerance)
        print_error("%d points, p = %.17g: poses differ by %g, tolerance %g\n", r->def.points, b->p,
                    moved, tolerance);
    assert_true(moved <= tolerance);
    double size = 1 + greatest(n, a->u_p, NULL), size2 = size * size + greatest(n, a->u_pp, NULL);
    assert_near(greatest(n, a->u_p, b->u_p), 0, steep * size * tolerance);
    assert_near(greatest(n, a->u_pp, b->u_pp), 0, steep * steep * size2 * tolerance);
}

static void same_everywhere(run *r, uint64_t seed, double steep) {
    static const int grids[] = {5, 33, 1000};
    gdyn_random random = gdyn_random_stream(77, seed, 0);
    answer answers[PLACES] = {{0}};
    double p[PLACES];
    for (int i = 0; i < PLACES; i++)
        p[i] = gdyn_random_between(&random, r->def.p_start, r->def.p_end);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        grid(r, grids[g]);
        assert_true(r->track->reach == 1);
        gdyn_path_place *place = gdyn_path_place_create(r->path, r->track);
        for (int i = 0; i < PLACES; i++) { /* in no order */
            assert_int_equal(gdyn_path_place_at(place, p[i]), GDYN_OK);
            assert_int_equal(place->status, GDYN_POINT_OK);
            if (g == 0)
                keep_answer(&answers[i], r, place);
            else
                compare(r, &answers[i], place, steep);
        }
        gdyn_path_place_destroy(place);
    }
    for (int i = 0; i < PLACES; i++) {
        gdyn_state_destroy(answers[i].state);
        gdyn_free(answers[i].u_p);
        gdyn_free(answers[i].u_pp);
    }
    end(r);
}

static void holonomic_machines(void **context) {
    (void)context;
    static const char *const circle[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL, NULL, NULL, "0"};
    run *r = begin(star(1, false));
    move_tool(r, 0, 0, 0, 0, circle);
    range(r, 0, 2 * PI, 5);
    same_everywhere(r, 1, 100);
    r = begin(slider_crank(0.3, 0.8, 0.7));
    move_joint(r, "drive", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0.7, 0.7 + 4 * PI, 5);
    same_everywhere(r, 2, 100);
    r = begin(bricard());
    move_joint(r, "R0", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0, 3, 5);
    same_everywhere(r, 3, 100);
}

/* Tip on an ellipse through where it is: two links leave nothing free, more of them do. */
static void arms(void **context) {
    (void)context;
    for (int k = 0; k < gdyn_share(42); k++) {
        gdyn_random random = gdyn_random_stream(78, (uint64_t)k, 0);
        double tip[3], length;
        int last;
        gdyn_model *model = k % 2 ? spatial_arm(&random, &last, tip, &length)
                                  : planar_arm(&random, &last, tip, &length);
        char x[64], y[64], z[64];
        snprintf(x, sizeof x, "%.6f-0.15*sin(p)", tip[0] * 0.9);
        snprintf(y, sizeof y, "%.6f-0.2*(1-cos(p))", tip[1] * 0.9);
        snprintf(z, sizeof z, "%.6f+0.1*sin(2*p)", tip[2] * 0.9);
        const char *const texts[6] = {x, y, k % 2 ? z : NULL};
        run *r = begin(model);
        move_tool(r, last, length, 0, 0, texts);
        range(r, 0, 5, 5);
        go(r, NULL);
        if (r->track->reach == 1)
            same_everywhere(r, (uint64_t)k, 1000);
        else
            end(r);
    }
}

static void trains(void **context) {
    (void)context;
    static const char *const texts[6] = {"p+0.2*sin(2*p)", "0.7*sin(p)"};
    for (int k = 0; k < gdyn_share(24); k++) {
        gdyn_random random = gdyn_random_stream(79, (uint64_t)k, 0);
        double nose;
        run *r = begin(train(&random, &nose));
        move_tool(r, 0, nose, 0, 0, texts);
        range(r, 0, 6, 5);
        same_everywhere(r, (uint64_t)k, 100);
    }
}

/* A path that leaves a rolling machine a freedom: only x of the nose, or only the heading. u_pp is the
 * derivative of u_p along the motion, Pfaffian rows or not. */
static void rolling_with_a_freedom(void **context) {
    (void)context;
    static const char *const ways[2][6] = {{"p+0.3*sin(p)"}, {[5] = "0.4+0.8*sin(p)"}};
    for (int k = 0; k < 2; k++) {
        run *r = begin(sled(0.7, 0.4));
        move_tool(r, 0, 0.7, 0.1, 0, ways[k]);
        range(r, 0, 2, 801);
        const gdyn_track *t = go(r, NULL);
        assert_all_ok(t);
        assert_int_equal(t->rates[0].freedom, 1);
        check_differences(r, 30);
        same_everywhere(r, (uint64_t)k, 100);
    }
}

/* --- closed forms ------------------------------------------------------------------------------ */

/* A sled drawn (pushed) at its nose along x: tan(a/2) = tan(a0/2) exp(-+p / l). Pushed, every error
 * grows like exp(p / l); the estimate has to say so. */
static void tractrix(void **context) {
    (void)context;
    const double l = 0.7;
    for (int pushed = 0; pushed < 2; pushed++) {
        const char *const texts[6] = {pushed ? "-p" : "p", "0"};
        double a0 = pushed ? 1e-3 : 2.5, worst = 0;
        run *r = begin(sled(l, a0));
        move_tool(r, 0, l, 0, 0, texts);
        range(r, 0, 5, 5);
        go(r, NULL);
        gdyn_path_place *place = gdyn_path_place_create(r->path, r->track);
        gdyn_random random = gdyn_random_stream(80, (uint64_t)pushed, 0);
        for (int i = 0; i < 200; i++) {
            double p = gdyn_random_between(&random, 0, 5), z[3];
            double growth = pushed ? exp(p / l) : 1;
            double a = 2 * atan(tan(a0 / 2) * exp((pushed ? p : -p) / l));
            assert_int_equal(gdyn_path_place_at(place, p), GDYN_OK);
            assert_int_equal(place->status, GDYN_POINT_OK);
            gdyn_state_z(place->state, z);
            worst = fmax(worst, place->error);
            /* the guess itself is known to 1e-15, and closing leaves as much */
            assert_near(z[2], a, place->error + 3e-15 * growth + 1e-13);
            assert_true(fabs(z[2] - a) <= 1e-9 * growth);
        }
        assert_true(worst > 0 && worst < (pushed ? 1e-6 : 1e-9));
        gdyn_path_place_destroy(place);
        end(r);
    }
}

/* Round the corner of a polyline: heading from the tractrix of each piece in turn. */
static void corner(void **context) {
    (void)context;
    static const double through[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1.5, 0}};
    const double l = 0.7, a0 = 0.6;
    run *r = begin(sled(l, a0));
    r->def.kind = GDYN_PATH_POLYLINE;
    r->def.through = through;
    r->def.count = 3;
    r->def.tools = 1;
    r->def.tool = &r->tool;
    r->tool.of.body = 0;
    v3_set(r->tool.of.at, l, 0, 0);
    for (int points = 4; points <= 12; points += 4) {
        grid(r, points);
        gdyn_path_place *place = gdyn_path_place_create(r->path, r->track);
        for (int i = 0; i <= 50; i++) {
            double p = 2.5 * i / 50, z[3];
            double at = 2 * atan(tan(a0 / 2) * exp(-fmin(p, 1) / l));
            if (p > 1) /* the direction of pulling has turned by a right angle */
                at = PI / 2 + 2 * atan(tan((at - PI / 2) / 2) * exp(-(p - 1) / l));
            assert_int_equal(gdyn_path_place_at(place, p), GDYN_OK);
            gdyn_state_z(place->state, z);
            assert_int_equal(place->status, GDYN_POINT_OK);
            assert_near(z[2], at, 1e-9);
        }
        gdyn_path_place_destroy(place);
    }
    end(r);
}

/* --- where nothing is -------------------------------------------------------------------------- */

/* A two-link arm on a line of which its reach, |x| <= 1.1, has only the middle, looked at from both
 * sides and beyond; the places do not depend on which points of the grid can be reached. */
static void stretches(void **context) {
    (void)context;
    static const char *const texts[6] = {"p", "0.3"};
    for (int points = 6; points < 60; points += 13) {
        gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
        int upper = add_body(machine, "upper", 0, 0, 0, 0, 0, -0.3);
        int lower = add_body(machine, "lower", 0.57, -0.17, 0, 0, 0, 0.9);
        add_joint(machine, "shoulder", GDYN_REVOLUTE, upper, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0),
                  NULL, NULL);
        add_joint(machine, "elbow", GDYN_REVOLUTE, lower, P3(0, 0, 0), upper, P3(0.6, 0, 0), NULL,
                  NULL);
        run *r = begin(finish(machine));
        move_tool(r, lower, 0.5, 0, 0, texts);
        range(r, -1.4, 1.7, points);
        go(r, NULL);
        gdyn_path_place *place = gdyn_path_place_create(r->path, r->track);
        double edge = sqrt(1.1 * 1.1 - 0.09);
        for (int i = 0; i <= 62; i++) {
            double p = -1.4 + 3.1 * i / 62;
            assert_int_equal(gdyn_path_place_at(place, p), GDYN_OK);
            assert_int_equal(place->status,
                             fabs(p) < edge ? GDYN_POINT_OK : GDYN_POINT_UNASSEMBLED);
            if (place->status != GDYN_POINT_OK)
                continue;
            double c = (p * p + 0.09 - 0.36 - 0.25) / (2 * 0.6 * 0.5);
            double elbow = gdyn_mech_joint_coordinate(place->state, 1, GDYN_FREEDOM_DEFAULT);
            assert_near(elbow, acos(c), 1e-11);
        }
        assert_int_equal(gdyn_path_place_at(place, -1.5), GDYN_ERROR_ARGUMENT);
        assert_int_equal(gdyn_path_place_at(place, 1.8), GDYN_ERROR_ARGUMENT);
        assert_int_equal(gdyn_path_place_at(place, NAN), GDYN_ERROR_ARGUMENT);
        assert_int_equal(gdyn_path_place_at(place, 1.7 + 1e-12), GDYN_OK);
        gdyn_path_place_destroy(place);
        end(r);
    }
}

/* A point of the track is that point; asking again, or for another in between, changes nothing. */
static void points_themselves(void **context) {
    (void)context;
    run *r = begin(sled(0.7, 0.4));
    static const char *const texts[6] = {"p", "sin(p)"};
    move_tool(r, 0, 0.7, 0, 0, texts);
    range(r, 0, 3, 31);
    const gdyn_track *t = go(r, NULL);
    gdyn_path_place *place = gdyn_path_place_create(r->path, r->track);
    double middle[3], again[3];
    assert_int_equal(gdyn_path_place_at(place, 1.234), GDYN_OK);
    gdyn_state_z(place->state, middle);
    for (int i = 0; i < t->points; i++) {
        assert_int_equal(gdyn_path_place_at(place, t->p[i]), GDYN_OK);
        gdyn_state_z(place->state, again);
        double z[3];
        gdyn_state_z(t->state[i], z);
        assert_memory_equal(z, again, sizeof z);
        assert_memory_equal(place->u_p, t->u_p + 3 * i, sizeof z);
        assert_memory_equal(place->u_pp, t->u_pp + 3 * i, sizeof z);
        assert_int_equal(gdyn_path_place_at(place, 1.234), GDYN_OK);
        gdyn_state_z(place->state, again);
        assert_near(greatest(3, middle, again), 0, 1e-11);
    }
    gdyn_path_place_destroy(place);
    end(r);
}

/* A place asked for many times allocates nothing. */
static void no_allocation(void **context) {
    (void)context;
    run *r = begin(sled(0.7, 0.4));
    static const char *const texts[6] = {"p", "sin(p)"};
    move_tool(r, 0, 0.7, 0, 0, texts);
    range(r, 0, 3, 7);
    go(r, NULL);
    gdyn_path_place *place = gdyn_path_place_create(r->path, r->track);
    unsigned long before = gdyn_alloc_count();
    for (int i = 0; i <= 100; i++)
        assert_int_equal(gdyn_path_place_at(place, 0.03 * i), GDYN_OK);
    assert_int_equal(gdyn_alloc_count(), before);
    gdyn_path_place_destroy(place);
    end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holonomic_machines),
        cmocka_unit_test(arms),
        cmocka_unit_test(trains),
        cmocka_unit_test(rolling_with_a_freedom),
        cmocka_unit_test(tractrix),
        cmocka_unit_test(corner),
        cmocka_unit_test(stretches),
        cmocka_unit_test(points_themselves),
        cmocka_unit_test(no_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
