/* The library for other languages: a handle, texts, arrays; what goes wrong is told and harms nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "embed/embed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* accel = F/M in closed form */
static const char slider[] =
    "format: 1\nname: slider\nparameters: {M: 10 kg, F: 50 N}\nmachine:\n"
    "  space: planar\n  gravity: [0, 0]\n  ground: {points: {O: [0, 0]}}\n"
    "  bodies: {s: {mass: M, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}}\n"
    "  joints: {rail: {type: prismatic, of: [s.P, ground.O], axis: [1, 0]}}\n"
    "  drives: {push: {at: rail, force: {limit: F}}}\n"
    "trajectories: {line: {of: s.P, p: [0, 1], path: {x: p}, points: 5}}\n"
    "design: {M: {min: 2 kg, max: 40 kg}}\n"
    "optimize: {objectives: {accel: {maximize: line.accel}}, constraints: {light: mass <= 20 "
    "kg}}\n";

static void designs_by_closed_form(void **context) {
    (void)context;
    gdyn_embed *e = gdyn_embed_open(slider, 1);
    assert_string_equal(gdyn_embed_message(e), "");
    assert_int_equal(gdyn_embed_count(e, "variables"), 1);
    assert_string_equal(gdyn_embed_name(e, "objectives", 0), "accel");
    assert_string_equal(gdyn_embed_unit(e, "objectives", 0), "1/s^2");
    assert_string_equal(gdyn_embed_unit(e, "variables", 0), "kg");
    double min, max, start, step, sense, relation, right;
    assert_int_equal(gdyn_embed_bounds(e, &min, &max, &start, &step), 1);
    assert_true(min == 2 && max == 40 && start == 10 && step == 0);
    assert_int_equal(gdyn_embed_goals(e, &sense, &relation, &right), 1);
    assert_true(sense == 1 && relation == -1 && right == 20);
    double x[3] = {5, 10, 40}, accel[3], mass[3], status[3], violation[3];
    assert_int_equal(gdyn_embed_evaluate(e, 3, x, 2, 0, accel, mass, NULL, status, violation, NULL),
                     1);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(accel[i] - 50 / x[i]) <= 1e-12 * accel[i]);
        assert_true(mass[i] == x[i]);
    }
    assert_string_equal(gdyn_embed_status((int)status[0]), "ok");
    assert_string_equal(gdyn_embed_status((int)status[2]), "infeasible");
    assert_true(fabs(violation[2] - 1) <= 1e-12);
    assert_int_equal(gdyn_embed_set(e, "F=100 N"), 1);
    assert_int_equal(gdyn_embed_set(e, "F=25 N"), 1); /* the last one counts */
    assert_int_equal(gdyn_embed_evaluate(e, 1, x, 1, 1, accel, NULL, NULL, NULL, NULL, NULL), 1);
    assert_true(fabs(accel[0] - 5) <= 1e-12);
    gdyn_embed_close(e);
}

static void documents(void **context) {
    (void)context;
    gdyn_embed *e = gdyn_embed_open(slider, 1);
    const char *const what[] = {"check", "regions", "traverse"};
    for (int i = 0; i < 3; i++) {
        const char *text = gdyn_embed_document(e, what[i], NULL);
        assert_non_null(text);
        assert_non_null(strstr(text, "\"slider\""));
    }
    assert_non_null(gdyn_embed_document(e, "regions", "line"));
    gdyn_embed_close(e);
}

/* The fastest motion over 1 m with F/M = 5: T = 2 sqrt(1/5). */
static void commands_with_files(void **context) {
    (void)context;
    gdyn_embed *e = gdyn_embed_open(slider, 1);
    assert_non_null(gdyn_embed_run(e, "traverse", "--trajectory=line\n--steps=4\n\n"));
    const char *table = gdyn_embed_file(e, "motion.csv"), *last = NULL;
    assert_non_null(table);
    assert_non_null(gdyn_embed_file_name(e, 0));
    assert_null(gdyn_embed_file_name(e, 99));
    assert_null(gdyn_embed_file(e, "regions.csv"));
    int rows = 0;
    for (const char *row = strchr(table, '\n'); row && row[1]; row = strchr(row + 1, '\n'), rows++)
        last = row + 1;
    assert_int_equal(rows, 5);
    double t, p;
    assert_int_equal(sscanf(last, "line,%lf,%lf", &t, &p), 2);
    assert_true(fabs(t - 2 * sqrt(1.0 / 5)) < 1e-6 && p == 1);
    gdyn_embed_interrupt(e); /* nothing runs */
    assert_non_null(gdyn_embed_run(e, "check", NULL));
    assert_null(gdyn_embed_file(e, "motion.csv"));
    gdyn_embed_close(e);
}

typedef struct visited {
    double x, accel, mass, status;
    int count, most;
} visited;

static int see(void *context, int number, const char *reason) {
    visited *v = context;
    assert_in_range(number, 0, 999);
    assert_true(fabs(v->accel - 50 / v->x) <= 1e-12 * v->accel && v->mass == v->x);
    assert_int_equal(v->status != 0, *reason != '\0');
    return ++v->count < v->most;
}

static void searches_show_designs(void **context) {
    (void)context;
    gdyn_embed *e = gdyn_embed_open(slider, 1);
    visited v = {.most = 1000};
    double *const arrays[] = {&v.x, &v.accel, &v.mass, NULL, &v.status, NULL, NULL};
    assert_int_equal(gdyn_embed_search(e, 30, 7, 1, arrays, see, &v), 1);
    assert_in_range(v.count, 15, 30);
    v = (visited){.most = 5};
    assert_int_equal(gdyn_embed_search(e, 1000, -1, 1, arrays, see, &v), 1);
    assert_int_equal(v.count, 5);
    gdyn_embed_close(e);
}

static void errors_are_told(void **context) {
    (void)context;
    gdyn_embed *e = gdyn_embed_open("nowhere.yaml", 0);
    assert_non_null(strstr(gdyn_embed_message(e), "nowhere.yaml"));
    assert_null(gdyn_embed_document(e, "check", NULL));
    assert_int_equal(gdyn_embed_count(e, "variables"), -1);
    assert_int_equal(gdyn_embed_set(e, "M=1"), 0);
    assert_non_null(strstr(gdyn_embed_message(e), "nowhere.yaml"));
    gdyn_embed_close(e);
    e = gdyn_embed_open(slider, 1);
    assert_null(gdyn_embed_document(e, "picture", NULL));
    assert_non_null(strstr(gdyn_embed_message(e), "no document 'picture'"));
    assert_non_null(strstr(gdyn_embed_errors(e), "\"code\":\"GD070\""));
    assert_null(gdyn_embed_run(e, "optimize", NULL));
    assert_null(gdyn_embed_run(e, "traverse", "--set=M=3"));
    assert_non_null(strstr(gdyn_embed_message(e), "the case is open"));
    assert_null(gdyn_embed_run(e, "traverse", "--step=3 m"));
    assert_null(gdyn_embed_file(e, "motion.csv"));
    assert_null(gdyn_embed_document(e, "regions", "nothing"));
    assert_int_equal(gdyn_embed_set(e, "M=3 s"), 0);
    assert_int_equal(gdyn_embed_set(e, "nothing=3"), 0);
    assert_non_null(strstr(gdyn_embed_message(e), "no parameter 'nothing'"));
    assert_int_equal(gdyn_embed_set(e, "noequals"), 0);
    assert_non_null(strstr(gdyn_embed_message(e), "'noequals' is not a setting"));
    assert_int_equal(gdyn_embed_set(e, "=3"), 0);
    assert_non_null(strstr(gdyn_embed_message(e), "'=3' is not a setting"));
    assert_int_equal(gdyn_embed_count(e, "wishes"), -1);
    assert_null(gdyn_embed_name(e, "variables", 1));
    assert_null(gdyn_embed_name(e, "variables", -1));
    assert_null(gdyn_embed_reason(e, 0));
    assert_null(gdyn_embed_status(-1));
    assert_null(gdyn_embed_status(99));
    double x = 10;
    assert_int_equal(gdyn_embed_evaluate(e, -1, &x, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL), 0);
    assert_int_equal(gdyn_embed_evaluate(e, 1, &x, -1, 0, NULL, NULL, NULL, NULL, NULL, NULL), 0);
    assert_non_null(strstr(gdyn_embed_message(e), "a negative number of threads"));
    assert_int_equal(gdyn_embed_evaluate(e, 1, &x, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL), 1);
    assert_string_equal(gdyn_embed_reason(e, 0), "");
    assert_string_equal(gdyn_embed_message(e), "");
    gdyn_embed_close(e);
    gdyn_embed_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(designs_by_closed_form), cmocka_unit_test(documents),
        cmocka_unit_test(commands_with_files),    cmocka_unit_test(searches_show_designs),
        cmocka_unit_test(errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
