/* test_workspace.c - workspaces against closed forms: the area of a two-link arm with joint ranges, the capability of a
 * point mass on two slides; capability of random redundant drives against the reach along sampled directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/pi.h"
#include "base/random.h"
#include "near.h"
#include "workspace/capability.h"
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
        differ += inside != field.reached[i];
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
         "  drives: {X: {at: x, force: {limit: 10 N}}, Y: {at: y, force: {limit: 12 N}}}\n"
         "workspaces: {w: {of: cart.P, x: [-0.5, 0.5], y: [-0.1, 0.1], points: [21, 5]}}\n",
         &the_case, &instance, &field);
    assert_int_equal(field.reached_count, 11 * 5);
    double wanted = fmin((10 - 5 * 0.3) / 5, (12 - 3 * 1) / 3.0);
    for (int i = 0; i < field.nodes; i++) {
        const double *value = field.value + GDYN_FIELD_VALUES * i;
        if (!field.reached[i]) {
            assert_true(isnan(value[GDYN_FIELD_ACCEL]));
            continue;
        }
        assert_near(value[GDYN_FIELD_ACCEL], wanted, 1e-12);
        assert_near(value[GDYN_FIELD_LOAD], fmax(1.5 / 10, 3.0 / 12), 1e-9);
    }
    gdyn_field_free(&field);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
}

/* Greatest t such that min <= C + D e t + V y <= max, e a direction: by bisection over feasibility of V y alone with r = 1. */
static double reach_along(int k, const double *C, const double *D, const double *V,
                          const double *low, const double *high, const double e[2]) {
    double a = 0, b = 1e3;
    for (int step = 0; step < 60; step++) {
        double t = 0.5 * (a + b), from = -INFINITY, to = INFINITY;
        for (int i = 0; i < k; i++) {
            double load = C[i] + t * (D[i] * e[0] + D[i + k] * e[1]);
            double x = (low[i] - load) / V[i], y = (high[i] - load) / V[i];
            from = fmax(from, fmin(x, y));
            to = fmin(to, fmax(x, y));
        }
        if (from <= to)
            a = t;
        else
            b = t;
    }
    return a;
}

/* Random drives, one more than two freedoms and their like: the radius is the least reach of all directions. */
static void capability_by_directions(void **unused) {
    (void)unused;
    enum { K = 5, DIRECTIONS = 4000 };
    for (uint64_t seed = 0; seed < 40; seed++) {
        gdyn_random random = gdyn_random_stream(11, seed, 0);
        double C[K], D[2 * K], V[K], low[K], high[K], least = INFINITY;
        for (int i = 0; i < K; i++) {
            C[i] = 0.3 * gdyn_random_between(&random, -1, 1);
            V[i] = gdyn_random_between(&random, 0.2, 1) * (i % 2 ? 1 : -1);
            low[i] = -gdyn_random_between(&random, 0.5, 2);
            high[i] = gdyn_random_between(&random, 0.5, 2);
            D[i] = gdyn_random_between(&random, -1, 1);
            D[i + K] = gdyn_random_between(&random, -1, 1);
        }
        for (int n = 0; n < DIRECTIONS; n++) {
            double angle = 2 * GDYN_PI * n / DIRECTIONS, e[2] = {cos(angle), sin(angle)};
            least = fmin(least, reach_along(K, C, D, V, low, high, e));
        }
        gdyn_coefficients q = {.k = K, .r = 1, .C = C, .V = V, .min = low, .max = high};
        double radius = gdyn_capability(&q, K, 2, D);
        /* sampled directions miss the nearest point of a facet by an angle of at most pi / DIRECTIONS */
        assert_true(radius <= least * (1 + 1e-9) && least < radius * (1 + 1e-5) + 1e-12);
        /* what no motion changes */
        C[0] = 5;
        if (gdyn_capability(&q, K, 0, D) > 0)
            assert_true(reach_along(K, C, (double[2 * K]){0}, V, low, high, (double[2]){1, 0}) > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_link_arm),
        cmocka_unit_test(two_slides),
        cmocka_unit_test(capability_by_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
