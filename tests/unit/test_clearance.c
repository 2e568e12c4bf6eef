/* test_clearance.c - clearances of shapes against closed forms and sampled distances; masses of shapes against closed forms
 * and sums over small cubes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/pi.h"
#include "base/random.h"
#include "clearance/clearance.h"
#include "linalg/vec3.h"
#include "near.h"
#include "traverse_machines.h"

/* --- hulls ------------------------------------------------------------------------------------ */

static void random_point(gdyn_random *random, double scale, double x[3]) {
    for (int k = 0; k < 3; k++)
        x[k] = scale * gdyn_random_between(random, -1, 1);
}

/* Least distance of two hulls by alternating projections onto them, each by Frank-Wolfe steps with line search: slow, from
 * above, and of another kind than the search by simplices. */
static double sampled_distance(int as, double (*a)[3], int bs, double (*b)[3]) {
    double x[3], y[3], gap[3], step[3];
    v3_copy(x, a[0]);
    v3_copy(y, b[0]);
    for (int round = 0; round < 20000; round++) {
        bool first = round % 2 == 0;
        double *p = first ? x : y, (*hull)[3] = first ? a : b;
        int count = first ? as : bs, best = 0;
        v3_sub(gap, p, first ? y : x);
        for (int k = 1; k < count; k++)
            best = v3_dot(hull[k], gap) < v3_dot(hull[best], gap) ? k : best;
        v3_sub(step, hull[best], p);
        double square = v3_dot(step, step), share = square > 0 ? -v3_dot(gap, step) / square : 0;
        v3_axpy(p, p, fmin(fmax(share, 0), 1), step);
    }
    v3_sub(gap, x, y);
    return v3_norm(gap);
}

/* Segments: parallel, crossing, end to end; and random ones by hulls. */
static void segments(void **unused) {
    (void)unused;
    static const double a[2][3] = {{0, 0, 0}, {1, 0, 0}};
    static const struct {
        double b[2][3], distance;
    } known[] = {{{{0, 1, 0}, {1, 1, 0}}, 1},     {{{0.5, -1, 0.3}, {0.5, 1, 0.3}}, 0.3},
                 {{{2, 0, 0}, {3, 0, 0}}, 1},     {{{2, 1, 0}, {2, 3, 0}}, 1.4142135623730951},
                 {{{0.2, 0, 0}, {0.7, 0, 0}}, 0}, {{{0.5, 0, 2}, {0.5, 0, 2}}, 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_near(gdyn_segment_distance(a, known[i].b), known[i].distance, 1e-15);
        assert_near(gdyn_hull_distance(2, a, 2, known[i].b), known[i].distance, 1e-7);
    }
    for (uint64_t seed = 0; seed < 5000; seed++) {
        gdyn_random random = gdyn_random_stream(3, seed, 0);
        double s[2][3], t[2][3];
        for (int k = 0; k < 2; k++) {
            random_point(&random, 1, s[k]);
            random_point(&random, 1, t[k]);
        }
        double d = gdyn_segment_distance((const double(*)[3])s, (const double(*)[3])t);
        assert_near(gdyn_hull_distance(2, (const double(*)[3])s, 2, (const double(*)[3])t), d,
                    1e-7);
    }
}

/* Boxes with axes of the same directions: the distance of intervals. Turned ones, and hulls of random points, against
 * the slow method. */
static void hulls(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        gdyn_random random = gdyn_random_stream(5, seed, 0);
        double centre[3], half[2][3], box[2][8][3], square = 0;
        random_point(&random, 3, centre);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                half[i][k] = gdyn_random_between(&random, 0.1, 1);
        for (int k = 0; k < 3; k++)
            square += pow(fmax(fabs(centre[k]) - half[0][k] - half[1][k], 0), 2);
        for (int i = 0; i < 2; i++)
            for (int c = 0; c < 8; c++)
                for (int k = 0; k < 3; k++)
                    box[i][c][k] = (i ? centre[k] : 0) + (c >> k & 1 ? half[i][k] : -half[i][k]);
        double found =
            gdyn_hull_distance(8, (const double(*)[3])box[0], 8, (const double(*)[3])box[1]);
        assert_near(found, sqrt(square), 1e-7);
    }
    for (uint64_t seed = 0; seed < 60; seed++) {
        gdyn_random random = gdyn_random_stream(7, seed, 0);
        double a[8][3], b[8][3], away[3];
        random_point(&random, 3, away);
        for (int c = 0; c < 8; c++) {
            random_point(&random, 1, a[c]);
            random_point(&random, 1, b[c]);
            v3_add(b[c], b[c], away);
        }
        double found = gdyn_hull_distance(8, (const double(*)[3])a, 8, (const double(*)[3])b);
        double above = sampled_distance(8, a, 8, b);
        assert_true(found <= above + 1e-9 && above - found < 2e-2);
    }
}

/* --- machines --------------------------------------------------------------------------------- */

/* A cart on a rail passes a post: capsules of radii 0.05 and 0.02 whose axes are at right angles, 0.3 apart in z; a ball
 * and a box beside. Clearances follow from the coordinates. */
static const char *const cart =
    "format: 1\nname: cart\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n"
    "  ground: {points: {O: [0, 0, 0]}, shape: [%s]}\n  bodies:\n"
    "    cart: {mass: 1, inertia: [1, 1, 1], points: {P: [0, 0, 0], L: [0, -0.2, 0.3], R: [0, 0.2, "
    "0.3]}, pose: "
    "[0, 0, 0], shape: {capsule: [L, R], radius: 0.05}}\n"
    "  joints:\n    rail: {type: prismatic, of: [cart.P, slide.S], axis: [1, 0, 0]}\n"
    "    base: {type: fixed, of: [slide.S, ground.O]}\n"
    "  drives: {m: {at: rail, force: {limit: 10}}}\n"
    "trajectories:\n  t: {joints: {rail: p}, p: [-0.713, 1], points: 8}\n";

static gdyn_near along(const char *obstacle, int points) {
    char text[3000], full[3000];
    gdyn_near near;
    moving_machine m;
    snprintf(text, sizeof text, cart, obstacle);
    /* the slide between cart and ground keeps the two comparable */
    const char *bodies = strstr(text, "  bodies:\n") + strlen("  bodies:\n");
    snprintf(full, sizeof full,
             "%.*s    slide: {mass: 1, inertia: [1, 1, 1], points: {S: [0, 0, 0]}}\n%s",
             (int)(bodies - text), text, bodies);
    machine_of_text(&m, full, points);
    gdyn_track *track = gdyn_track_create(m.instance->model, m.path);
    gdyn_closure *closure = gdyn_closure_create(m.instance->model, gdyn_path_targets(m.path));
    gdyn_clearance *c = gdyn_clearance_create(m.instance->model);
    assert_non_null(c);
    assert_int_equal(gdyn_track_follow(track, m.path, closure, NULL), GDYN_OK);
    assert_int_equal(gdyn_clearance_along(c, m.path, track, &near), GDYN_OK);
    assert_string_equal(near.first < 0 ? "" : gdyn_shape_owner(m.instance->model, near.first),
                        "ground");
    gdyn_clearance_destroy(c);
    gdyn_closure_destroy(closure);
    gdyn_track_destroy(track);
    machine_close(&m);
    return near;
}

static void obstacles(void **unused) {
    (void)unused;
    for (int points = 5; points < 40; points += 11) {
        /* a post up to z = 0.1 at x = 0.25: 0.2 below the cart's capsule when it is above */
        gdyn_near near = along("{capsule: [[0.25, 0, -1], [0.25, 0, 0.1]], radius: 0.02}", points);
        assert_near(near.distance, 0.2 - 0.07, 1e-4);
        assert_near(near.p, 0.25, 1e-2);
        /* one that is hit: the axes cross where the cart passes, so that the overlap is the sum of the radii */
        near = along("{tube: [[0.25, 0, -1], [0.25, 0, 0.5]], radius: 0.02, wall: 0.01}", points);
        assert_near(near.distance, -0.07, 2e-3);
        /* a ball beside the end of the capsule: 0.5 - 0.2 away in y */
        near = along("{sphere: [0.1, 0.5, 0.3], radius: 0.1}", points);
        assert_near(near.distance, 0.3 - 0.15, 1e-4);
        /* a box turned by 45 deg about y: its edge is up at z = 0.1 + 0.05 sqrt(2) */
        near = along("{box: [0.1, 0.4, 0.1], at: [0.6, 0, 0.1], cardan: [0, 45 deg, 0]}", points);
        assert_near(near.distance, 0.2 - 0.05 * sqrt(2) - 0.05, 1e-4);
    }
}

/* --- masses ----------------------------------------------------------------------------------- */

/* Whether a point lies in the shape. */
static bool inside(const gdyn_shape_def *s, const double x[3]) {
    double u[3], w[3], own[3];
    v3_sub(w, x, s->a.at);
    if (s->kind == GDYN_SHAPE_BOX) {
        m3_apply_t(own, s->R, w);
        return fabs(own[0]) < s->size[0] / 2 && fabs(own[1]) < s->size[1] / 2 &&
               fabs(own[2]) < s->size[2] / 2;
    }
    v3_sub(u, s->b.at, s->a.at);
    if (s->kind == GDYN_SHAPE_SPHERE)
        v3_set(u, 0, 0, 0);
    double uu = v3_dot(u, u), t = uu > 0 ? v3_dot(u, w) / uu : 0;
    bool beyond = t < 0 || t > 1;
    double held = s->kind == GDYN_SHAPE_TUBE ? t : fmin(fmax(t, 0), 1);
    v3_axpy(w, w, -held, u);
    double r = v3_norm(w);
    if (s->kind == GDYN_SHAPE_TUBE)
        return !beyond && r < s->radius && r > s->radius - s->wall;
    return r < s->radius;
}

/* Mass, centre and tensor by summing small cubes: error of the surface, about the size of a cube. */
static void sum_cubes(const gdyn_shape_def *s, double density, gdyn_body_def *def) {
    enum { CUBES = 120 };
    const double low = -0.6, edge = 1.2 / CUBES;
    double first[3] = {0, 0, 0}, second[6] = {0}, mass = 0, dm = density * edge * edge * edge;
    for (int i = 0; i < CUBES; i++)
        for (int j = 0; j < CUBES; j++)
            for (int k = 0; k < CUBES; k++) {
                double x[3] = {low + edge * (i + 0.5), low + edge * (j + 0.5),
                               low + edge * (k + 0.5)};
                if (!inside(s, x))
                    continue;
                mass += dm;
                v3_axpy(first, first, dm, x);
                second[0] += dm * x[0] * x[0], second[1] += dm * x[1] * x[1],
                    second[2] += dm * x[2] * x[2];
                second[3] += dm * x[0] * x[1], second[4] += dm * x[0] * x[2],
                    second[5] += dm * x[1] * x[2];
            }
    def->mass = mass;
    v3_scale(def->com, 1 / mass, first);
    double *c = def->com, xx = second[0] - mass * c[0] * c[0], yy = second[1] - mass * c[1] * c[1],
           zz = second[2] - mass * c[2] * c[2];
    def->inertia[0] = yy + zz, def->inertia[1] = xx + zz, def->inertia[2] = xx + yy;
    def->inertia[3] = mass * c[0] * c[1] - second[3];
    def->inertia[4] = mass * c[0] * c[2] - second[4];
    def->inertia[5] = mass * c[1] * c[2] - second[5];
}

static void masses(void **unused) {
    (void)unused;
    gdyn_shape_def shape[4] = {gdyn_shape_default(), gdyn_shape_default(), gdyn_shape_default(),
                               gdyn_shape_default()};
    const double a[3] = {-0.2, 0.1, 0.05}, b[3] = {0.25, 0.2, -0.15}, cardan[3] = {0.3, -0.5, 0.8};
    for (int i = 0; i < 4; i++) {
        shape[i].kind = (gdyn_shape_kind)i;
        v3_copy(shape[i].a.at, a);
        v3_copy(shape[i].b.at, b);
        shape[i].radius = 0.2;
        shape[i].wall = 0.08;
        v3_set(shape[i].size, 0.5, 0.3, 0.2);
        gdyn_rotation_from_cardan(shape[i].R, cardan);
        gdyn_body_def found = gdyn_body_default(), wanted = gdyn_body_default();
        gdyn_body_of_shapes(1, &shape[i], 1000, &found);
        sum_cubes(&shape[i], 1000, &wanted);
        assert_near(found.mass, wanted.mass, 5e-3 * wanted.mass);
        double size = wanted.inertia[0] + wanted.inertia[1] + wanted.inertia[2];
        for (int k = 0; k < 3; k++)
            assert_near(found.com[k], wanted.com[k], 2e-3);
        for (int k = 0; k < 6; k++)
            assert_near(found.inertia[k], wanted.inertia[k], 5e-3 * size);
    }
    /* a thin tube along x: m r^2 about its axis, m (r^2 / 2 + l^2 / 12) across, and two of them side by side */
    gdyn_shape_def tube[2] = {gdyn_shape_default(), gdyn_shape_default()};
    gdyn_body_def body = gdyn_body_default();
    for (int i = 0; i < 2; i++) {
        tube[i].kind = GDYN_SHAPE_TUBE;
        v3_set(tube[i].a.at, -0.5, i ? 0.4 : -0.4, 0);
        v3_set(tube[i].b.at, 0.5, i ? 0.4 : -0.4, 0);
        tube[i].radius = 0.1;
        tube[i].wall = 1e-7;
    }
    gdyn_body_of_shapes(2, tube, 1e6, &body);
    double m = 2 * GDYN_PI * 0.1 * 1e-7 * 1e6;
    assert_near(body.mass, 2 * m, 1e-5 * m);
    assert_near(body.inertia[0], 2 * m * (0.01 + 0.16), 1e-5 * m);
    assert_near(body.inertia[1], 2 * m * (0.005 + 1.0 / 12), 1e-5 * m);
    assert_near(body.inertia[2], 2 * m * (0.005 + 1.0 / 12 + 0.16), 1e-5 * m);
    assert_near(body.com[1], 0, 1e-12);
}

/* Eight corners, or two: middle and half edges. */
static int corners_of(const double middle[3], int edges, const double (*half)[3],
                      double out[8][3]) {
    for (int k = 0; k < 1 << edges; k++) {
        v3_copy(out[k], middle);
        for (int e = 0; e < edges; e++)
            v3_axpy(out[k], out[k], k >> e & 1 ? 1 : -1, half[e]);
    }
    return 1 << edges;
}

/* Depths of overlap: closed forms, then random boxes and segments. No shorter translation in any of many directions
 * separates them (by the distance of hulls), and one that is little longer does. */
static void depths(void **unused) {
    (void)unused;
    const double none[3] = {0, 0, 0}, aside[3] = {0.25, 0, 0};
    const double crossed[2][3] = {{1, 0, 0}, {0, 2, 0}};
    assert_near(gdyn_sum_depth(3, none, 2, crossed), 0, 0); /* they separate upwards */
    assert_near(gdyn_sum_depth(2, none, 2, crossed), 1, 1e-15);
    assert_near(gdyn_sum_depth(2, aside, 2, crossed), 0.75, 1e-15);
    const double cubes[6][3] = {{1, 0, 0},   {0, 1, 0},   {0, 0, 1},
                                {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
    assert_near(gdyn_sum_depth(3, aside, 6, cubes), 1.25, 1e-15);
    gdyn_random random = gdyn_random_stream(8, 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        double half[6][3], c[3], a[8][3], b[8][3], least = INFINITY;
        int own = trial % 3 ? 3 : 1; /* a box and a box, or a segment */
        for (int e = 0; e < own + 3; e++)
            random_point(&random, 1, half[e]);
        random_point(&random, 0.3, c);
        double depth = gdyn_sum_depth(3, c, own + 3, (const double(*)[3])half);
        int bs = corners_of(none, 3, (const double(*)[3])half + own, b);
        for (int k = 0; k < 2000; k++) {
            double n[3], middle[3], reach = 0;
            random_point(&random, 1, n);
            v3_scale(n, 1 / v3_norm(n), n);
            for (int e = 0; e < own + 3; e++)
                reach += fabs(v3_dot(half[e], n));
            least = fmin(least, reach - v3_dot(c, n));
            if (k % 40 || depth == 0)
                continue;
            v3_axpy(middle, c, 0.999 * depth, n);
            int as = corners_of(middle, own, (const double(*)[3])half, a);
            double apart = gdyn_hull_distance(as, (const double(*)[3])a, bs, (const double(*)[3])b);
            assert_near(apart, 0, 1e-6);
        }
        /* 2,000 directions come within some 5 degrees of the best one */
        if (depth > 0)
            assert_true(least >= depth * (1 - 1e-12) && least <= depth + 0.2);
    }
}

/* --- references ------------------------------------------------------------------------------- */

/* Two balls on a body and the ground, and one rule: made only where all that they refer to is there. */
static void references(void **unused) {
    (void)unused;
    static const struct {
        int body, drive;
        gdyn_pair_def rule;
        gdyn_status status;
    } known[] = {
        {0, GDYN_NONE, {GDYN_PAIR_EXCLUDE, 0, 1}, GDYN_OK},
        {1, GDYN_NONE, {GDYN_PAIR_EXCLUDE, 0, 1}, GDYN_ERROR_INPUT},
        {GDYN_NONE, GDYN_NONE, {GDYN_PAIR_EXCLUDE, 0, 1}, GDYN_ERROR_INPUT},
        {0, 0, {GDYN_PAIR_EXCLUDE, 0, 1}, GDYN_ERROR_INPUT},
        {0, GDYN_NONE, {GDYN_PAIR_EXCLUDE, 0, 2}, GDYN_ERROR_INPUT},
        {0, GDYN_NONE, {GDYN_PAIR_ONLY, -1, 1}, GDYN_ERROR_INPUT},
        {0, GDYN_NONE, {GDYN_PAIR_RULES, 0, 1}, GDYN_ERROR_INPUT},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        static const double gravity[3] = {0, -9.81, 0};
        gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, gravity);
        gdyn_body_def body = gdyn_body_default();
        gdyn_shape_def shape = gdyn_shape_default();
        gdyn_model *model = NULL;
        body.name = "block";
        body.mass = body.inertia[2] = 1;
        shape.kind = GDYN_SHAPE_SPHERE;
        shape.radius = 0.1;
        assert_int_equal(gdyn_machine_add_body(machine, &body), 0);
        shape.a.body = shape.b.body = GDYN_GROUND;
        assert_int_equal(gdyn_machine_add_shape(machine, &shape), 0);
        shape.a.body = shape.b.body = known[i].body;
        shape.drive = known[i].drive;
        assert_int_equal(gdyn_machine_add_shape(machine, &shape), 1);
        assert_int_equal(gdyn_machine_add_pair(machine, &known[i].rule), 0);
        assert_int_equal(gdyn_model_create(machine, NULL, &model), known[i].status);
        gdyn_model_destroy(model);
        gdyn_machine_destroy(machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments),  cmocka_unit_test(hulls),  cmocka_unit_test(depths),
        cmocka_unit_test(obstacles), cmocka_unit_test(masses), cmocka_unit_test(references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
