/* test_workspace.c - workspaces against closed forms: the area of a two-link arm with joint ranges, the capability of a
 * point mass on two slides; capability of random redundant drives against linear programs along sampled directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/pi.h"
#include "base/random.h"
#include "linalg/dot.h"
#include "lp/lp.h"
#include "near.h"
#include "workspace/internal.h"
#include "workspace/field.h"

#include <math.h>
#include <string.h>

static void find(const char *text, gdyn_case **the_case, gdyn_instance **instance,
                 gdyn_workspace_field *field) {
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "field.yaml", NULL, the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(*the_case, 0, NULL, NULL, instance), GDYN_OK);
    assert_int_equal((*instance)->workspace_count, 1);
    assert_int_equal(gdyn_field_find(*instance, 0, NULL, field), GDYN_OK);
}

/* Shoulder from -30 to 100 deg, elbow from 40 to 130 deg: the area is the shoulder's angle times l1 l2 (cos 40 - cos 130),
 * the integral of |det J| = l1 l2 |sin elbow|. Nodes along the edge count or not: half a cell of the edge. The other elbow reaches
 * no node: it is another mode. */
static void two_link_arm(void **unused) {
    (void)unused;
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_workspace_field field;
    find("format: 1\nname: arm\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
         "    l1: {mass: 1, inertia: 0.01, points: {A: [0, 0], B: [0.5, 0]}, pose: [0, 0, 0.3]}\n"
         "    l2: {mass: 1, inertia: 0.01, points: {A: [0, 0], B: [0.4, 0]}, pose: [0.48, 0.15, "
         "1.7]}\n"
         "  joints:\n    j1: {type: revolute, of: [l1.A, ground], range: {min: -30 deg, max: 100 "
         "deg}}\n"
         "    j2: {type: revolute, of: [l2.A, l1.B], range: {min: 40 deg, max: 130 deg}}\n"
         "  drives: {d1: {at: j1, torque: {limit: 5}}, d2: {at: j2, torque: {limit: 5}}}\n"
         "workspaces: {w: {of: l2.B, x: [-0.95, 0.95], y: [-0.95, 0.95], points: 61}}\n",
         &the_case, &instance, &field);
    double wanted =
        130 * GDYN_PI / 180 * 0.2 * (cos(40 * GDYN_PI / 180) - cos(130 * GDYN_PI / 180));
    double found = gdyn_field_size(&field, -1, 0);
    assert_near(found, wanted, 0.02 * wanted);
    /* every node by itself: elbow up, both angles within */
    int differ = 0;
    for (int i = 0; i < field.nodes; i++) {
        double x[3];
        gdyn_field_at(&field, i, x);
        double c = (x[0] * x[0] + x[1] * x[1] - 0.41) / 0.4, elbow = fabs(c) <= 1 ? acos(c) : NAN;
        double shoulder = atan2(x[1], x[0]) - atan2(0.4 * sin(elbow), 0.5 + 0.4 * cos(elbow));
        shoulder = remainder(shoulder, 2 * GDYN_PI);
        bool inside = elbow >= 40 * GDYN_PI / 180 && elbow <= 130 * GDYN_PI / 180 &&
                      shoulder >= -GDYN_PI / 6 && shoulder <= 100 * GDYN_PI / 180;
        differ += inside != (field.status[i] == GDYN_NODE_REACHED);
    }
    /* a node that only ways through what is out of range lead to: at most a few along the edge */
    assert_true(differ <= 6);
    gdyn_field_free(&field);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
}

/* Beam of 2 kg and cart of 3 kg, forces of 10 and 12 N, weight along x and y: (10 - 5 g_x) / 5 against
 * (12 - 3 g_y) / 3. */
static void two_slides(void **unused) {
    (void)unused;
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_workspace_field field;
    find("format: 1\nname: table\nmachine:\n  space: planar\n  gravity: [0.3, -1]\n"
         "  ground: {points: {O: [0, 0]}}\n  bodies:\n"
         "    beam: {mass: 2, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
         "    cart: {mass: 3, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
         "  joints:\n    x: {type: prismatic, of: [beam.P, ground.O], axis: [1, 0], range: {min: "
         "-0.2, max: 0.3}}\n"
         "    y: {type: prismatic, of: [cart.P, beam.P], axis: [0, 1]}\n"
         "  drives: {X: {at: x, force: {limit: 10 N}, stiffness: 1000}, Y: {at: y, force: {limit: "
         "12 N}, stiffness: 4000}}\n"
         "workspaces: {w: {of: cart.P, x: [-0.5, 0.5], y: [-0.1, 0.1], points: [21, 5]}}\n",
         &the_case, &instance, &field);
    assert_int_equal(field.reached_count, 11 * 5);
    double wanted = fmin((10 - 5 * 0.3) / 5, (12 - 3 * 1) / 3.0);
    for (int i = 0; i < field.nodes; i++) {
        const double *value = field.value + GDYN_FIELD_VALUES * i;
        if (field.status[i] != GDYN_NODE_REACHED) {
            assert_true(isnan(value[GDYN_FIELD_ACCEL]));
            continue;
        }
        assert_near(value[GDYN_FIELD_ACCEL], wanted, 1e-12);
        /* forces: 10 - 5 g_x against 12 - 3 g_y, by the drive that is nearer to its limit */
        assert_near(value[GDYN_FIELD_FORCE], fmin(10 - 5 * 0.3, 12 - 3 * 1), 1e-12);
        assert_int_equal(field.force[i].count, 1);
        assert_int_equal(field.force[i].limit[0].row, 0);
        assert_int_equal(field.accel[i].limit[0].row, 0);
        assert_int_equal(field.accel[i].limit[0].side, -1);
        /* k = 1,000 and 4,000 N/m along the slides */
        assert_near(value[GDYN_FIELD_STIFFNESS], 1000, 1e-9);
        assert_near(value[GDYN_FIELD_STIFFEST], 4000, 4e-9);
        assert_near(value[GDYN_FIELD_LOAD], fmax(1.5 / 10, 3.0 / 12), 1e-9);
    }
    gdyn_field_free(&field);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
}

/* --- orientations ------------------------------------------------------------------------------- */

/* A wrist on three slides, those of x and y with strokes of +-A; a tool L below it, whose axis leans by LEAN in eight
 * directions. The wrist stands at x - L sin(LEAN) cos(phi), y - L sin(LEAN) sin(phi): strokes and the wrist's cone alone say
 * which orientations a node has, and with what margin. */
#define STROKE 0.2
#define TOOL   0.4
#define LEAN   (20 * GDYN_PI / 180)
enum { RIM = 8 };

/* Least share of a margin with the axis upright (direction RIM) or leaning; negative: out of range. */
static double wrist_margin(const double x[3], int k, double cone) {
    double lean = k < RIM ? LEAN : 0, phi = 2 * GDYN_PI * k / RIM;
    double dx = fabs(x[0] - TOOL * sin(lean) * cos(phi)),
           dy = fabs(x[1] - TOOL * sin(lean) * sin(phi));
    return fmin(1 - lean / cone, 1 - fmax(dx, dy) / STROKE);
}

/* Every node of the grid, of all or any orientations, with the wrist's cone of so many degrees. */
static int compare_wrist(bool any, int degrees) {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_workspace_field field;
    char text[1500];
    int reached = 0;
    snprintf(
        text, sizeof text,
        "format: 1\nname: wrist\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n  bodies:\n"
        "    a: {mass: 1, inertia: [0, 0, 0]}\n    b: {mass: 1, inertia: [0, 0, 0]}\n"
        "    c: {mass: 1, inertia: [0, 0, 0]}\n"
        "    d: {mass: 1, inertia: [1, 1, 1], points: {tip: [0, 0, 0.4]}}\n  joints:\n"
        "    x: {type: prismatic, of: [a, ground], axis: [1, 0, 0], range: {min: -0.2, max: 0.2}}\n"
        "    y: {type: prismatic, of: [b, a], axis: [0, 1, 0], range: {min: -0.2, max: 0.2}}\n"
        "    z: {type: prismatic, of: [c, b], axis: [0, 0, 1]}\n"
        "    w: {type: spherical, of: [d, c], cone: {angle: %d deg, axis: [0, 0, 1]}}\n"
        "workspaces: {w: {of: d.tip, x: [-0.4, 0.4], y: [-0.37, 0.37], z: 0.3, points: [13, 12], "
        "cardan: [0, 0, 0], cone: {angle: 20 deg, directions: 8}, counts: %s}}\n",
        degrees, any ? "any" : "all");
    find(text, &the_case, &instance, &field);
    assert_int_equal(field.orientations, 1 + RIM);
    for (int i = 0; i < field.nodes; i++) {
        double x[3], cone = degrees * GDYN_PI / 180;
        gdyn_field_at(&field, i, x);
        double best = wrist_margin(x, RIM, cone), worst = best;
        for (int k = 0; k < RIM; k++) {
            best = fmax(best, wrist_margin(x, k, cone));
            worst = fmin(worst, wrist_margin(x, k, cone));
        }
        double wanted = any ? best : worst;
        assert_int_equal(field.status[i] == GDYN_NODE_REACHED, wanted >= 0);
        if (wanted >= 0)
            assert_near(gdyn_field_value(&field, i, GDYN_FIELD_MARGIN), wanted, 1e-9);
        reached += wanted >= 0;
    }
    gdyn_field_free(&field);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    return reached;
}

static void wrist_leans(void **unused) {
    (void)unused;
    int all = compare_wrist(false, 25), any = compare_wrist(true, 25);
    assert_true(all > 0 && any > all);
    /* the wrist leans less than is asked for: upright alone */
    int upright = compare_wrist(true, 15);
    assert_true(upright > all && upright < any);
    assert_int_equal(compare_wrist(false, 15), 0);
}

/* --- a second algorithm: linear programs on directions ------------------------------------------ */

enum { K = 6, R_MOST = 3 };

/* Drives with random limits, loads and internal forces. */
typedef struct drives {
    double C[K], D[3 * K], V[R_MOST * K], low[K], high[K];
    int r, axes;
} drives;

static drives random_drives(uint64_t seed) {
    gdyn_random random = gdyn_random_stream(11, seed, 0);
    drives d = {.r = 1 + (int)(seed % R_MOST), .axes = 2 + (int)(seed / R_MOST % 2)};
    for (int i = 0; i < K; i++) {
        d.C[i] = 0.3 * gdyn_random_between(&random, -1, 1);
        d.low[i] = seed % 4 ? -gdyn_random_between(&random, 0.5, 2) : d.C[i] - 0.1;
        d.high[i] = gdyn_random_between(&random, 0.5, 2);
        for (int j = 0; j < d.r; j++)
            d.V[i + K * j] = gdyn_random_between(&random, -1, 1);
        for (int a = 0; a < d.axes; a++)
            d.D[i + K * a] = gdyn_random_between(&random, -1, 1);
    }
    return d;
}

/* Greatest t with low <= C + t D e + V y <= high. */
static double reach_along(gdyn_lp *lp, const drives *d, const double *e) {
    double A[K * (1 + R_MOST)] = {0};
    gdyn_lp_status outcome;
    for (int i = 0; i < K; i++) {
        for (int a = 0; a < d->axes; a++)
            A[i] += d->D[i + K * a] * e[a];
        for (int j = 0; j < d->r; j++)
            A[i + K * (1 + j)] = d->V[i + K * j];
    }
    assert_int_equal(gdyn_lp_load(lp, K, 1 + d->r, A, K), GDYN_OK);
    for (int i = 0; i < K; i++)
        gdyn_lp_row(lp, i, d->low[i] - d->C[i], d->high[i] - d->C[i]);
    gdyn_lp_objective(lp, 0, 1);
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    assert_int_equal(outcome, GDYN_LP_OPTIMAL);
    return gdyn_lp_value(lp);
}

/* The same by saturated r-tuples of drives with all combinations of their limits: the range of d2 at rest where D e takes the
 * place of D. */
static double reach_by_tuples(gdyn_access *access, gdyn_region *region, const drives *d,
                              const double *e) {
    double D[K] = {0}, none[K] = {0};
    for (int i = 0; i < K; i++)
        for (int a = 0; a < d->axes; a++)
            D[i] += d->D[i + K * a] * e[a];
    gdyn_coefficients q = {.k = K,
                           .r = d->r,
                           .A = none,
                           .B = none,
                           .C = d->C,
                           .D = D,
                           .V = d->V,
                           .min = d->low,
                           .max = d->high,
                           .d1_high = INFINITY,
                           .d1_high_window = -1};
    assert_int_equal(gdyn_access_region(access, &q, GDYN_BY_TUPLES, region), GDYN_OK);
    return region->rest_max;
}

/* Direction n of `count`, evenly around (by Fibonacci's spiral in space). */
static void direction(int axes, int n, int count, double e[3]) {
    double turn = axes == 2 ? 2 * GDYN_PI * n / count : GDYN_PI * (1 + sqrt(5)) * n;
    double z = axes == 2 ? 0 : 1 - (2 * n + 1.0) / count, rho = sqrt(1 - z * z);
    e[0] = rho * cos(turn), e[1] = rho * sin(turn), e[2] = z;
}

/* The radius is the least reach of all directions, and the limits that are named bound it without the others. */
static void radius_by_directions(void **unused) {
    (void)unused;
    gdyn_lp *lp = gdyn_lp_create(K, 1 + R_MOST);
    assert_non_null(lp);
    for (uint64_t seed = 0; seed < 48; seed++) {
        drives d = random_drives(seed);
        int count = d.axes == 2 ? 300 : 1500;
        double least = INFINITY, e[3];
        for (int n = 0; n < count; n++) {
            direction(d.axes, n, count, e);
            least = fmin(least, reach_along(lp, &d, e));
        }
        gdyn_coefficients q = {.k = K, .r = d.r, .C = d.C, .V = d.V, .min = d.low, .max = d.high};
        gdyn_capability c = {.count = d.axes, .D = d.D};
        assert_true(gdyn_capability_find(&q, 1, &c));
        assert_true(c.radius > 0 && c.bounds > 0 && c.bounds <= d.r + 1);
        /* no direction reaches less; the nearest point of a facet is missed by pi/300, or by some 0.06 in space: 1/cos of that */
        assert_true(c.radius <= least * (1 + 1e-9));
        assert_true(least <= c.radius * (d.axes == 2 ? 1 + 1e-4 : 1 + 5e-3));
        /* the named limits alone bound it: the others let go, and the least reach stays */
        for (int i = 0; i < K; i++) {
            bool named = false;
            for (int b = 0; b < c.bounds; b++)
                named = named || c.bound[b].row == i;
            if (!named)
                d.low[i] = -INFINITY, d.high[i] = INFINITY;
        }
        gdyn_capability alone = {.count = d.axes, .D = d.D};
        assert_true(gdyn_capability_find(&q, 1, &alone));
        assert_near(alone.radius, c.radius, 1e-9 * c.radius);
    }
    gdyn_lp_destroy(lp);
}

/* Two algorithms that share nothing with elementary vectors agree on the reach of every direction, of accelerations that are
 * held at rest; none is below the radius. */
static void directions_by_tuples(void **unused) {
    (void)unused;
    gdyn_lp *lp = gdyn_lp_create(K, 1 + R_MOST);
    gdyn_access *access = gdyn_access_create(K, R_MOST, 0);
    gdyn_region *region = gdyn_region_create();
    assert_true(lp && access && region);
    for (uint64_t seed = 0; seed < 48; seed++) {
        drives d = random_drives(seed);
        gdyn_coefficients q = {.k = K, .r = d.r, .C = d.C, .V = d.V, .min = d.low, .max = d.high};
        gdyn_capability c = {.count = d.axes, .D = d.D};
        assert_true(gdyn_capability_find(&q, 1, &c));
        for (int n = 0; n < 40; n++) {
            double e[3];
            direction(d.axes, n, 40, e);
            double tuples = reach_by_tuples(access, region, &d, e);
            assert_near(tuples, reach_along(lp, &d, e), 1e-9 * tuples);
            assert_true(tuples >= c.radius * (1 - 1e-9));
        }
    }
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
    gdyn_lp_destroy(lp);
}

/* What no motion changes: held or not, as a linear program says. */
static void held_or_not(void **unused) {
    (void)unused;
    gdyn_lp *lp = gdyn_lp_create(K, 1 + R_MOST);
    assert_non_null(lp);
    int held = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        drives d = random_drives(seed);
        d.C[seed % K] += seed % 2 ? 1.6 : -1.6;
        gdyn_coefficients q = {.k = K, .r = d.r, .C = d.C, .V = d.V, .min = d.low, .max = d.high};
        gdyn_capability c = {.count = 0, .D = d.D};
        assert_true(gdyn_capability_find(&q, 1, &c));
        gdyn_lp_status outcome;
        assert_int_equal(gdyn_lp_load(lp, K, d.r, d.V, K), GDYN_OK);
        for (int i = 0; i < K; i++)
            gdyn_lp_row(lp, i, d.low[i] - d.C[i], d.high[i] - d.C[i]);
        assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
        assert_true((c.radius > 0) == (outcome != GDYN_LP_INFEASIBLE));
        held += c.radius > 0;
    }
    /* both happen */
    assert_true(held > 5 && held < 55);
    gdyn_lp_destroy(lp);
}

/* Least e a over all possible a, which becomes `at`; false: no a is possible. */
static bool least_along(gdyn_lp *lp, const drives *d, const double *e, double *at, double *least) {
    double A[K * (3 + R_MOST)];
    gdyn_lp_status outcome;
    memcpy(A, d->D, sizeof *A * K * (size_t)d->axes);
    memcpy(A + K * d->axes, d->V, sizeof *A * K * (size_t)d->r);
    assert_int_equal(gdyn_lp_load(lp, K, d->axes + d->r, A, K), GDYN_OK);
    for (int i = 0; i < K; i++)
        gdyn_lp_row(lp, i, d->low[i] - d->C[i], d->high[i] - d->C[i]);
    for (int a = 0; a < d->axes; a++)
        gdyn_lp_objective(lp, a, e[a]);
    assert_int_equal(gdyn_lp_solve(lp, false, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    *least = outcome == GDYN_LP_OPTIMAL ? gdyn_lp_value(lp) : NAN;
    for (int a = 0; a < d->axes && outcome == GDYN_LP_OPTIMAL; a++)
        at[a] = gdyn_lp_x(lp, a);
    return outcome != GDYN_LP_INFEASIBLE;
}

/* Where rest is impossible, the smallest a that is possible: Frank and Wolfe's method by linear programs in a and y brackets it
 * between |a| and least e a of its direction e. */
static void shortfall_by_programs(void **unused) {
    (void)unused;
    gdyn_lp *lp = gdyn_lp_create(K, 3 + R_MOST);
    assert_non_null(lp);
    int close = 0, never = 0, meeting = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        drives d = random_drives(seed);
        for (int i = 0; i < K; i++)
            d.C[i] *= 6;
        gdyn_coefficients q = {.k = K, .r = d.r, .C = d.C, .V = d.V, .min = d.low, .max = d.high};
        gdyn_capability c = {.count = d.axes, .D = d.D};
        assert_true(gdyn_capability_find(&q, 1, &c));
        if (c.radius > 0)
            continue;
        double a[3], to[3], least, most = 0, size = INFINITY;
        bool possible = least_along(lp, &d, (double[3]){1, 1, 1}, a, &least);
        assert_true(possible == (bool)isfinite(c.radius));
        never += !possible;
        for (int step = 0; possible && step < 300 && most < 0.9999 * size; step++) {
            double along = 0, square = 0;
            size = sqrt(gdyn_dot(d.axes, a, a));
            least_along(lp, &d, a, to, &least);
            most = fmax(most, least / size);
            for (int k = 0; k < d.axes; k++)
                along += a[k] * (a[k] - to[k]), square += (a[k] - to[k]) * (a[k] - to[k]);
            for (int k = 0; k < d.axes && square > 0; k++)
                a[k] += fmin(along / square, 1) * (to[k] - a[k]);
        }
        if (!possible)
            continue;
        assert_true(most <= -c.radius * (1 + 1e-9) && -c.radius <= size * (1 + 1e-9));
        close += most > 0.99 * size;
        meeting += c.bounds > d.r + 1;
    }
    assert_true(close > 10 && never > 0 && meeting > 3);
    gdyn_lp_destroy(lp);
}

/* Ends of a box that lie beside nodes, nearer than a millionth of their distance: these nodes are its ends. */
static void box_beside_nodes(void **unused) {
    (void)unused;
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_workspace_field field;
    find("format: 1\nname: table\nmachine:\n  space: planar\n  gravity: [0, 0]\n"
         "  ground: {points: {O: [0, 0]}}\n  bodies:\n"
         "    beam: {mass: 2, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
         "    cart: {mass: 3, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
         "  joints:\n    x: {type: prismatic, of: [beam.P, ground.O], axis: [1, 0]}\n"
         "    y: {type: prismatic, of: [cart.P, beam.P], axis: [0, 1]}\n"
         "  drives: {X: {at: x, force: {limit: 10 N}}, Y: {at: y, force: {limit: 10 N}}}\n"
         "workspaces: {w: {of: cart.P, x: [0, 1], y: [0, 1], points: 11,\n"
         "    box: {x: [0.30000001, 0.69999999], y: [0.25, 0.5]}}}\n",
         &the_case, &instance, &field);
    int prescribed, uncovered;
    gdyn_field_uncovered(&field, &prescribed, &uncovered);
    /* x: 0.3 to 0.7 in tenths; y: 0.25, 0.3, 0.4, 0.5 */
    assert_int_equal(field.nodes, 11 * 12);
    assert_int_equal(prescribed, 5 * 4);
    assert_int_equal(uncovered, 0);
    gdyn_field_free(&field);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_link_arm),          cmocka_unit_test(two_slides),
        cmocka_unit_test(wrist_leans),           cmocka_unit_test(radius_by_directions),
        cmocka_unit_test(directions_by_tuples),  cmocka_unit_test(held_or_not),
        cmocka_unit_test(shortfall_by_programs), cmocka_unit_test(box_beside_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
