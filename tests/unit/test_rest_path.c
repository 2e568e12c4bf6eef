/* Paths in static equilibrium of freedoms without a drive against closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "linalg/linalg.h"
#include "linalg/vec3.h"
#include "near.h"
#include "study/free_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A bar on two cables; points at which these hold it. */
static const char bar[] =
    "format: 1\n"
    "name: bar\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {L: [-2, 0], R: [2, 0]}}\n"
    "  bodies:\n"
    "    bar: {mass: 12 kg, inertia: 0.3, points: {C: [0, 0], L: %s, R: %s}, pose: %s}\n"
    "  drives:\n"
    "    left: {cable: [ground.L, bar.L], tension: {min: 0 N, max: 200 N}}\n"
    "    right: {cable: [ground.R, bar.R], tension: {min: 0 N, max: 200 N}}\n"
    "trajectories:\n"
    "  way: {of: bar.C, p: [0, 1], path: %s, points: 11, undriven: equilibrium}\n";

/* Two slides on each other, the outer one without a drive, on a slope or level. */
static const char slides[] =
    "format: 1\n"
    "name: slides\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [%s, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    one: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "    two: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    a: {type: prismatic, of: [one.P, ground.O], axis: [1, 0]}\n"
    "    b: {type: prismatic, of: [two.P, one.P], axis: [1, 0]}\n"
    "  drives:\n"
    "    m: {at: a, force: {limit: 10 N}}\n"
    "%s"
    "trajectories:\n"
    "  way: {of: one.P, p: [0, 1], path: {x: p}, points: 11, undriven: equilibrium}\n";

/* Two driven slides hold a third one by springs from P to P, all in one direction. */
static const char springs[] =
    "format: 1\n"
    "name: springs\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    one: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0.3, 0, 0]}\n"
    "    two: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "    three: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    a: {type: prismatic, of: [one.P, ground.O], axis: [1, 0]}\n"
    "    b: {type: prismatic, of: [two.P, ground.O], axis: [1, 0]}\n"
    "    c: {type: prismatic, of: [three.P, ground.O], axis: [1, 0]}\n"
    "    d: {type: prismatic, of: [three.P, one.P], axis: [1, 0]}\n"
    "    e: {type: prismatic, of: [three.P, two.P], axis: [1, 0]}\n"
    "  forces:\n"
    "    s: {type: spring, at: d, stiffness: 300 N/m}\n"
    "    t: {type: spring, at: e, stiffness: 100 N/m}\n"
    "  drives:\n"
    "    m: {at: a, force: {limit: 100 N}}\n"
    "    n: {at: b, force: {limit: 100 N}}\n"
    "trajectories:\n"
    "  way: {of: three.P, p: [0, 1], path: {x: p^2}, points: 11, undriven: equilibrium%s}\n";

/* A load of 10 kg on four cables; its orientation is left free, two freedoms have no drive. */
static const char suspended[] =
    "format: 1\n"
    "name: suspended\n"
    "machine:\n"
    "  space: spatial\n"
    "  gravity: [0, 0, -9.81]\n"
    "  ground:\n"
    "    points: {A1: [-2, -1.5, 2.5], A2: [2, -1.5, 2.5], A3: [2, 1.5, 2.5], A4: [-2, 1.5, 2.5]}\n"
    "  bodies:\n"
    "    load:\n"
    "      mass: 10 kg\n"
    "      inertia: [0.2, 0.2, 0.2]\n"
    "      points: {C: [0, 0, 0], B1: [-0.2, -0.1, 0.1], B2: [0.1, -0.1, 0.1], B3: [0.1, 0.1, "
    "0.1], "
    "B4: [-0.1, 0.1, 0.1]}\n"
    "      pose: [0.4, 0, 0.8]\n"
    "  drives:\n"
    "    c$i: {repeat: {i: 1..4}, cable: [ground.A$i, load.B$i], tension: {min: 0 N, max: 200 N}}\n"
    "trajectories:\n"
    "  way: {of: load.C, p: [0, 1], path: {x: 0.4*cos(2*p), y: 0.4*sin(2*p), z: 0.8}, points: 9, "
    "undriven: equilibrium%s}\n";

typedef struct opened {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_rest_path found;
    char message[400];
    gdyn_status status;
} opened;

static void keep(void *context, const gdyn_diag *diag) {
    opened *o = context;
    if (!o->message[0])
        snprintf(o->message, sizeof o->message, "%s", diag->message);
}

static void find(opened *o, const char *text) {
    *o = (opened){0};
    gdyn_sink sink = {keep, o};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "t.yaml", &sink, &o->the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(o->the_case, 0, NULL, &sink, &o->instance), GDYN_OK);
    o->status =
        gdyn_rest_path_find(o->instance->model, &o->instance->trajectory[0], &sink, &o->found);
}

static void find_bar(opened *o, const char *left, const char *right, const char *pose,
                     const char *path) {
    char text[4000];
    snprintf(text, sizeof text, bar, left, right, pose, path);
    find(o, text);
}

static void find_slides(opened *o, const char *slope, const char *drive) {
    char text[4000];
    snprintf(text, sizeof text, slides, slope, drive);
    find(o, text);
}

static void find_more(opened *o, const char *machine, const char *more) {
    char text[4000];
    snprintf(text, sizeof text, machine, more);
    find(o, text);
}

static void close_all(opened *o) {
    gdyn_free_path_clear(&o->found.path);
    gdyn_instance_destroy(o->instance);
    gdyn_case_destroy(o->the_case);
}

/* Held at its middle line, +-0.5 from C, with C at (0.5, -h) the bar is inclined by s where both cables meet above C:
 * h = (tan s (1.5 - cos s / 2) (2.5 - cos s / 2) + sin s / 2 (2 - cos s / 2)) / 0.5. */
#define S "(0.25+0.12*sin(3*p))"
static void angles_are_those_of_concurrent_cables(void **state) {
    (void)state;
    opened o;
    find_bar(&o, "[-0.5, 0]", "[0.5, 0]", "[0.5, -1.4, 0.2]",
             "{x: 0.5, y: -(tan" S "*(1.5-0.5*cos" S ")*(2.5-0.5*cos" S ")+0.5*sin" S
             "*(2-0.5*cos" S "))/0.5}");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.found && o.found.rows.count == 1 && o.found.least > 0);
    assert_string_equal(o.message, "");
    assert_true(o.found.error < 1e-9);
    /* at the knots and between them */
    const gdyn_expr *angle = o.found.path.formula[0];
    for (int i = 0; i <= 1000; i++) {
        double p = i / 1000.0;
        assert_near(gdyn_expr_value(angle, &p), 0.25 + 0.12 * sin(3 * p), 2e-10);
    }
    /* second derivatives at the ends, by differences of values known to 1e-11 */
    for (int end = 0; end < 2; end++) {
        double h = 1e-3, p[3] = {end, end + (end ? -h : h), end + 2 * (end ? -h : h)}, c[3];
        for (int k = 0; k < 3; k++)
            c[k] = gdyn_expr_value(angle, &p[k]);
        double exact = (sin(3 * p[0]) - 2 * sin(3 * p[1]) + sin(3 * p[2])) * 0.12 / (h * h);
        assert_near((c[0] - 2 * c[1] + c[2]) / (h * h), exact, 1e-4);
    }
    close_all(&o);
}

/* Held at one point below its centre of gravity the bar stands or hangs; it is to hang, although it starts near the other.
 * Stiffness: m g d on a turn about that point, normalized with L and m g. */
static void hanging_is_preferred(void **state) {
    (void)state;
    opened o;
    find_bar(&o, "[0, -0.3]", "[0, -0.3]", "[0.1, -1.5, 0.1]", "{x: 0.1+0.2*p, y: -1.5}");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.found);
    double p = 0.317, L = gdyn_model_length(o.instance->model), d = 0.3;
    assert_near(fabs(gdyn_expr_value(o.found.path.formula[0], &p)), 3.14159265358979, 1e-10);
    assert_near(o.found.least, d * L / (d * d + L * L), 1e-8);
    assert_string_equal(o.message, "");
    close_all(&o);
}

/* Balance: 300 (x1 - x3) + 100 (x2 - x3) = 0. From the nearest such pose to the first guess the slides move by
 * dx_i = dx_3 (k1 + k2) (k_i / w_i) / (k1^2 / w1 + k2^2 / w2): least w1 dx1^2 + w2 dx2^2. */
static void more_is_free_than_undriven(void **state) {
    (void)state;
    const double weight[] = {1, 9};
    for (int k = 0; k < 2; k++) {
        opened o;
        double w = weight[k], sum = 300 * 300 / w + 100 * 100, start[2], more[2];
        find_more(&o, springs, k == 0 ? "" : ", weights: {one: 9}");
        assert_int_equal(o.status, GDYN_OK);
        assert_string_equal(o.message, "");
        assert_true(o.found.found && o.found.led && o.found.rows.count == 2);
        /* residual 90 N at x1 = 0.3, x2 = 0 */
        start[0] = 0.3 - 90 * 300 / w / sum;
        start[1] = -90 * 100 / sum;
        more[0] = 400 * 300 / w / sum;
        more[1] = 400 * 100 / sum;
        for (int j = 0; j < 2; j++)
            for (int i = 0; i <= 40; i++) {
                const gdyn_free_row *row = &o.found.rows.row[j];
                double p = i / 40.0, x[] = {start[0] + more[0] * p * p, start[1] + more[1] * p * p};
                const double at[] = {x[0], x[1], p * p, p * p - x[0], p * p - x[1]};
                assert_near(gdyn_expr_value(o.found.path.formula[j], &p), at[row->joint], 1e-9);
            }
        close_all(&o);
    }
}

/* W (6 x 4) := forces and moments about C of unit tensions, moments over `length`. */
static void cable_wrenches(const double r[3], const double R[9], double length, double *W) {
    static const double anchor[4][3] = {
        {-2, -1.5, 2.5}, {2, -1.5, 2.5}, {2, 1.5, 2.5}, {-2, 1.5, 2.5}};
    static const double point[4][3] = {
        {-0.2, -0.1, 0.1}, {0.1, -0.1, 0.1}, {0.1, 0.1, 0.1}, {-0.1, 0.1, 0.1}};
    for (int i = 0; i < 4; i++) {
        double arm[3], line[3], moment[3];
        m3_apply(arm, R, point[i]);
        v3_sub(line, anchor[i], r);
        v3_sub(line, line, arm);
        gdyn_v3_normalize(line);
        v3_cross(moment, arm, line);
        memcpy(W + 6 * i, line, sizeof line);
        v3_scale(W + 6 * i + 3, 1 / length, moment);
    }
}

/* Unbalanced force of given tensions over m g = 98.1 N in the pose turned by `turn` (rad) from R. */
static void unbalanced(const double r[3], const double R[9], double length, const double turn[3],
                       const double tension[4], double f[6]) {
    double Q[9], W[24];
    gdyn_rotation_exp(Q, turn);
    gdyn_m3_multiply(Q, Q, R);
    cable_wrenches(r, Q, length, W);
    for (int i = 0; i < 6; i++) {
        f[i] = i == 2 ? -1 : 0;
        for (int j = 0; j < 4; j++)
            f[i] += W[i + 6 * j] * tension[j] / 98.1;
    }
}

/* The pose is balanced; of all motions that keep it so, w (scaled turning) is the least: it has no part along the turn
 * that keeps the balance with C at rest. The wrenches are those of the test, the turn is found by differences. */
static void check_least(const gdyn_state *pose, const double w[3], const double weight[3]) {
    double r[3], R[9], W[24], J[42], N[49], tension[4], f[6], left[6] = {0, 0, 98.1};
    double length = gdyn_model_length(gdyn_state_model(pose)), still[3] = {0}, along = 0, size = 0;
    gdyn_svd *svd = gdyn_svd_create(6, 7);
    assert_non_null(svd);
    gdyn_state_body(pose, 0, r, R);
    cable_wrenches(r, R, length, W);
    assert_int_equal(gdyn_svd_factor(svd, 6, 4, W, 6, 0), GDYN_OK);
    gdyn_svd_solve(svd, 1, left, 6, tension, 4);
    unbalanced(r, R, length, still, tension, f);
    for (int i = 0; i < 6; i++)
        assert_near(f[i], 0, 1e-9);
    /* J: derivatives with respect to turns and tensions over m g; one motion is left */
    for (int k = 0; k < 3; k++) {
        double turn[3] = {0}, more[6], less[6];
        turn[k] = 1e-5;
        unbalanced(r, R, length, turn, tension, more);
        turn[k] = -1e-5;
        unbalanced(r, R, length, turn, tension, less);
        for (int i = 0; i < 6; i++)
            J[i + 6 * k] = (more[i] - less[i]) / 2e-5;
    }
    memcpy(J + 18, W, sizeof W);
    assert_int_equal(gdyn_svd_factor(svd, 6, 7, J, 6, 0), GDYN_OK);
    assert_int_equal(gdyn_svd_null(svd, N, 7), 1);
    for (int k = 0; k < 3; k++) {
        along += weight[k] * N[k] * w[k];
        size = hypot(size, weight[k] * N[k]);
    }
    assert_true(size > 1e-3);
    /* differences of splines: 1e-9 over h, and h^2 */
    assert_near(along / size, 0, 1e-5);
    gdyn_svd_destroy(svd);
}

/* Angular velocity along the path, by differences of the poses of the track. */
static void four_cables_take_the_least_way(void **state) {
    (void)state;
    static const double weights[2][3] = {{1, 1, 1}, {1, 5, 0.5}};
    for (int k = 0; k < 2; k++) {
        opened o;
        gdyn_path *path;
        find_more(&o, suspended, k == 0 ? "" : ", weights: {load: [1, 1, 1, 1, 5, 0.5]}");
        assert_int_equal(o.status, GDYN_OK);
        assert_string_equal(o.message, "");
        assert_true(o.found.found && o.found.led && o.found.error < 1e-9);
        assert_int_equal(gdyn_path_create(o.instance->model, &o.found.path.def, NULL, &path),
                         GDYN_OK);
        gdyn_track *track = gdyn_track_create(o.instance->model, path);
        gdyn_closure *closure = gdyn_closure_create(o.instance->model, gdyn_path_targets(path));
        assert_int_equal(gdyn_track_follow(track, path, closure, NULL), GDYN_OK);
        double turned = 0;
        for (int i = 0; i < track->points; i++) {
            assert_int_equal(track->status[i], GDYN_POINT_OK);
            check_least(track->state[i], track->u_p + 6 * i + 3, weights[k]);
            turned = fmax(turned, v3_norm(track->u_p + 6 * i + 3));
        }
        assert_true(turned > 0.1);
        gdyn_track_destroy(track);
        gdyn_closure_destroy(closure);
        gdyn_path_destroy(path);
        close_all(&o);
    }
}

/* Inclination of the bar whose cables meet above its middle at (x, y), by bisection. */
static double inclination(double x, double y) {
    double low = -0.8, high = 0.8;
    for (int i = 0; i < 60; i++) {
        double s = 0.5 * (low + high), c = 0.5 * cos(s), d = 0.5 * sin(s);
        double off = 2 * tan(s) - (-y - d) / (2 - x - c) + (-y + d) / (2 + x - c);
        *(off < 0 ? &low : &high) = s;
    }
    return 0.5 * (low + high);
}

/* Straight lines with a corner that is no point of the path: the angle has a kink there. */
static void corners_are_kinks(void **state) {
    (void)state;
    opened o;
    char text[4000];
    snprintf(text, sizeof text, bar, "[-0.5, 0]", "[0.5, 0]", "[0.2, -1.4, 0.1]", "{x: 0}");
    char *way = strstr(text, "  way:");
    snprintf(way, sizeof text - (size_t)(way - text),
             "  way: {of: bar.C, kind: polyline, through: [[0.2, -1.4], [0.5, -1.3], [0.3, -1.7]], "
             "points: 11, undriven: equilibrium}\n");
    find(&o, text);
    assert_int_equal(o.status, GDYN_OK);
    assert_string_equal(o.message, "");
    assert_true(o.found.found && o.found.error < 1e-9);
    double first = hypot(0.3, 0.1), second = hypot(0.2, 0.4);
    for (int i = 0; i <= 1000; i++) {
        double p = (first + second) * i / 1000, s = p / first, t = (p - first) / second;
        double x = p < first ? 0.2 + 0.3 * s : 0.5 - 0.2 * t;
        double y = p < first ? -1.4 + 0.1 * s : -1.3 - 0.4 * t;
        assert_near(gdyn_expr_value(o.found.path.formula[0], &p), inclination(x, y), 1e-9);
    }
    close_all(&o);
}

static void faults_are_told(void **state) {
    (void)state;
    opened o;
    find_bar(&o, "[-0.5, 0]", "[0.5, 0]", "[0.5, -1.4, 0.2]",
             "{x: 0.5 + 0.1*p, y: -1.5, angle: 0}");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(strstr(o.message, "1 freedom has no drive, but the path leaves 0 coordinates"));
    close_all(&o);
    /* gravity along the slide: nothing holds it */
    find_slides(&o, "1", "");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(
        strstr(o.message, "no equilibrium of the freedoms without drives was found at p = 0"));
    close_all(&o);
    find_slides(&o, "1", "    n: {at: b, force: {limit: 10 N}}\n");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(strstr(o.message, "every freedom has a drive"));
    close_all(&o);
    /* level: at rest anywhere */
    find_slides(&o, "0", "");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.found && fabs(o.found.least) < 1e-9);
    close_all(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_are_those_of_concurrent_cables),
        cmocka_unit_test(hanging_is_preferred),
        cmocka_unit_test(more_is_free_than_undriven),
        cmocka_unit_test(four_cables_take_the_least_way),
        cmocka_unit_test(corners_are_kinks),
        cmocka_unit_test(faults_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
