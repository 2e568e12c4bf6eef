/* Paths whose derivative vanishes, and corners: a cart on a cross table, whose times are known. With
 * |a| <= limit / mass = 100 m/s^2 on each axis a straight way of length l takes 2 sqrt(l / 100). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/pi.h"
#include "casefile/casefile.h"
#include "near.h"
#include "traverse_machines.h"
#include "traverse/traverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct answer {
    gdyn_traverse_status status;
    double time, lower, upper, violation, last_t;
    int points, rests; /* inner points of the motion at rest */
    bool ordered;      /* p and t grow, everything is finite */
} answer;

static answer traverse(const char *way, int points) {
    char text[30000];
    gdyn_sink silent = {0};
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    snprintf(text, sizeof text, cross_table, 0.0, way, points);
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "way", &silent, &the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, &silent, &instance), GDYN_OK);
    assert_int_equal(gdyn_path_create(instance->model, instance->trajectory, &silent, &path),
                     GDYN_OK);
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_machine(instance->model, path);
    gdyn_traverse *t = gdyn_traverse_create();
    assert_non_null(dynamics);
    assert_non_null(t);
    assert_int_equal(gdyn_path_dynamics_follow(dynamics), GDYN_OK);
    assert_int_equal(gdyn_traverse_run(t, dynamics, NULL), GDYN_OK);
    answer a = {t->status, t->time, t->lower, t->upper, t->violation, NAN, t->points, 0, true};
    for (int i = 0; i < t->points; i++) {
        const gdyn_motion_point *m = &t->point[i];
        a.ordered &= isfinite(m->s1) && isfinite(m->s2) && isfinite(m->t) &&
                     (i == 0 || (m->p > m[-1].p && m->t > m[-1].t));
        a.rests += i > 0 && i + 1 < t->points && m->s1 == 0;
    }
    a.last_t = t->points > 0 ? t->point[t->points - 1].t : NAN;
    assert_int_equal(gdyn_path_dynamics_points(dynamics), points); /* the whole path again */
    assert_near(gdyn_path_dynamics_last(dynamics),
                gdyn_path_dynamics_present(dynamics, gdyn_path_p(path, points - 1)), 0);
    gdyn_traverse_destroy(t);
    gdyn_path_dynamics_destroy(dynamics);
    gdyn_path_destroy(path);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    return a;
}

/* The time is within its own bounds, which agree to 1e-3, and within `share` of the known one. */
static void takes(const char *way, int points, double time, int rests, double share) {
    answer a = traverse(way, points);
    assert_int_equal(a.status, GDYN_TRAVERSE_OK);
    assert_true(a.ordered);
    assert_true(a.lower <= time * (1 + 1e-9) && a.upper >= time * (1 - 1e-9));
    assert_true(a.upper - a.lower <= 1e-3 * a.upper);
    assert_near(a.time, time, share * time);
    assert_near(a.last_t, a.time, 1e-12 * time);
    assert_true(a.violation <= 1e-9);
    assert_int_equal(a.rests, rests);
}

/* x = p^3 from -1 to 1 is a straight way of length 2, whatever the derivative does at 0. */
static void a_cusp_that_goes_on_is_passed(void **state) {
    (void)state;
    static const int points[] = {50, 51, 200, 1000};
    for (int i = 0; i < 4; i++) {
        takes("joints: {x: p^3, y: 0}, p: [-1, 1]", points[i], 2 * sqrt(0.02), 0, 1e-7);
        takes("joints: {x: p^3 + 0.2, y: 0}, p: [-0.5, 1]", points[i], 2 * sqrt(1.125 / 100), 0,
              1e-7);
    }
    takes("joints: {x: p^5, y: 0}, p: [-1, 1]", 101, 2 * sqrt(0.02), 0, 1e-7);
    takes("joints: {x: p^3, y: p^3}, p: [-1, 1]", 101, 2 * sqrt(0.02), 0, 1e-7);
}

static void a_path_may_begin_and_end_with_a_cusp(void **state) {
    (void)state;
    takes("joints: {x: p^3, y: 0}, p: [0, 1]", 50, 0.2, 0, 1e-7);
    takes("joints: {x: p^3, y: 0}, p: [-1, 0]", 50, 0.2, 0, 1e-7);
    takes("joints: {x: p^2*(3 - 2*p), y: 0}, p: [0, 1]", 50, 0.2, 0, 1e-7);
}

/* x = p^2 comes back at p = 0; so do both axes of the cuspidal cubic. */
static void a_cusp_that_turns_is_a_stop(void **state) {
    (void)state;
    static const int points[] = {50, 51, 400};
    for (int i = 0; i < 3; i++)
        takes("joints: {x: p^2, y: 0}, p: [-1, 1]", points[i], 0.4, 1, 1e-7);
    answer coarse = traverse("of: cart.P, p: [-1, 1], path: {x: p^2, y: p^3}", 51);
    answer fine = traverse("of: cart.P, p: [-1, 1], path: {x: p^2, y: p^3}", 400);
    assert_int_equal(coarse.status, GDYN_TRAVERSE_OK);
    assert_int_equal(coarse.rests, 1);
    assert_true(coarse.time >= 0.4 && coarse.lower <= fine.upper && fine.lower <= coarse.upper);
}

/* Corners of a polyline are stops; points in one line are none; a corner that comes back is one. */
static void corners_are_stops(void **state) {
    (void)state;
    takes("of: cart.P, kind: polyline, through: [[0, 0], [1, 0], [1, 1]]", 50, 0.4, 1, 1e-7);
    takes("of: cart.P, kind: polyline, through: [[0, 0], [0.5, 0], [1, 0], [1, 1], [0, 1]]", 77,
          0.6, 2, 1e-7);
    takes("of: cart.P, kind: polyline, through: [[0, 0], [1, 0], [0, 0]]", 50, 0.4, 1, 1e-7);
    takes("of: cart.P, kind: polyline, through: [[0, 0], [0.25, 0], [1, 0]]", 50, 0.2, 0, 1e-7);
}

/* {x: p^3, y: p^4} keeps its direction at p = 0, but its curvature is not bounded there: a stop. Each half takes
 * 2.1652 s at 1 m/s^2 on each axis (a dynamic program in the arc length). {p^3, p^6} is a parabola. */
static void unbounded_curvature_is_a_stop(void **state) {
    (void)state;
    takes("of: cart.P, p: [-1, 1], path: {x: p^3, y: p^4}", 101, 0.43303, 1, 1e-3);
    takes("of: cart.P, p: [-1, 1], path: {x: p^3, y: p^5}", 101, 0.45695, 1, 1e-3);
    answer parabola = traverse("of: cart.P, p: [-1, 1], path: {x: p^3, y: p^6}", 101);
    answer same = traverse("of: cart.P, p: [-1, 1], path: {x: p, y: p^2}", 101);
    assert_int_equal(parabola.rests, 0);
    assert_true(parabola.lower <= same.upper && same.lower <= parabola.upper);
}

/* Where the derivative jumps to another direction the machine stops; where it jumps in size it does not. */
static void kinks_of_formulas(void **state) {
    (void)state;
    takes("joints: {x: abs(p), y: 0}, p: [-1, 1]", 50, 0.4, 1, 1e-7);
    takes("joints: {x: p - 0.3, y: 0}, p: [0, 1]", 50, 0.2, 0, 1e-7);
    takes("joints: {x: 2*p + abs(p), y: 0}, p: [-0.25, 0.25]", 50, 0.2, 0, 1e-6);
}

static double law(int which, double s) {
    switch (which) {
    case 0:
        return s < 0.5 ? 2 * s * s : 1 - 2 * (1 - s) * (1 - s);
    case 1:
        return s - sin(2 * GDYN_PI * s) / (2 * GDYN_PI);
    case 2:
        return s * s * s * (10 - 15 * s + 6 * s * s);
    default:
        return s * s * s * s * (35 - 84 * s + 70 * s * s - 20 * s * s * s);
    }
}

/* Rows of a straight way from `from` to `to` in that law; the first one at time t. */
static void add_rows(char *text, int which, int rows, double t, double from, double to,
                     double slope, int decimals) {
    for (int i = 0; i < rows; i++) {
        double x = from + (to - from) * law(which, (double)i / (rows - 1));
        sprintf(text + strlen(text), "%.6f,%.*f,%.*f\\n", t + 0.004 * i, decimals, x, decimals,
                slope * x);
    }
}

/* A straight way takes 2 sqrt(l / 100) whatever the time law of its table is (rests of fewer than
 * 20 rows are equal ones). */
static void tables_of_smooth_laws(void **state) {
    (void)state;
    static const int rows[] = {20, 40, 150};
    for (int which = 0; which < 4; which++)
        for (int k = 0; k < 3; k++) {
            char way[9000] = "of: cart.P, kind: file, data: \"p,x,y\\n";
            add_rows(way, which, rows[k], 0, 0.1, 0.6, 0.5, 9);
            strcat(way, "\"");
            answer a = traverse(way, 50);
            assert_int_equal(a.status, GDYN_TRAVERSE_OK);
            assert_true(a.violation <= 1e-9);
            assert_int_equal(a.rests, 0);
            assert_near(a.time, 2 * sqrt(0.5 / 100), 1e-5);
        }
}

/* There, a pause, and back is two ways; there, a pause, and on in the same direction is one. */
static void tables_that_pause(void **state) {
    (void)state;
    for (int back = 0; back < 2; back++)
        for (int pause = 0; pause < 3; pause++) {
            char way[9000] = "of: cart.P, kind: file, data: \"p,x,y\\n";
            add_rows(way, 2, 40, 0, 0, 0.5, 0, 7);
            add_rows(way, 3, 40, 0.16 + 0.04 * pause, 0.5, back ? 0 : 1, 0, 7);
            strcat(way, "\"");
            takes(way, 50, back ? 4 * sqrt(0.5 / 100) : 0.2, back, 1e-6);
        }
}

/* A pause whose rows differ by rounding alone, no two neighbours alike, is a pause. */
static void tables_that_tremble(void **state) {
    (void)state;
    for (int decimals = 4; decimals < 9; decimals += 2) {
        char way[9000] = "of: cart.P, kind: file, data: \"p,x,y\\n";
        double tick = pow(10, -decimals);
        for (int i = 0; i < 7; i++)
            sprintf(way + strlen(way), "%.6f,%.*f,0\\n", 0.004 * i - 0.028, decimals,
                    0.1 + (i % 2 ? 1 : -1) * tick);
        add_rows(way, 2, 40, 0, 0.1, 0.6, 0, decimals);
        strcat(way, "\"");
        answer a = traverse(way, 50);
        assert_int_equal(a.status, GDYN_TRAVERSE_OK);
        assert_true(a.violation <= 1e-9);
        assert_int_equal(a.rests, 0);
        /* the way is as long as it is rounded */
        assert_near(a.time, 2 * sqrt(0.5 / 100), 2 * tick);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cusp_that_goes_on_is_passed),
        cmocka_unit_test(a_path_may_begin_and_end_with_a_cusp),
        cmocka_unit_test(a_cusp_that_turns_is_a_stop),
        cmocka_unit_test(corners_are_stops),
        cmocka_unit_test(unbounded_curvature_is_a_stop),
        cmocka_unit_test(kinks_of_formulas),
        cmocka_unit_test(tables_of_smooth_laws),
        cmocka_unit_test(tables_that_pause),
        cmocka_unit_test(tables_that_tremble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
