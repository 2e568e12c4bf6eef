/* simulation_run.h - a case that is simulated, for tests. */
#ifndef GDYN_TEST_SIMULATION_RUN_H
#define GDYN_TEST_SIMULATION_RUN_H

#include "globdyn.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A case that is simulated to its end. */
typedef struct run {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_simulation_def def;
    gdyn_simulation *simulation;
    gdyn_record *record;
    gdyn_sim_start start;
    gdyn_sim_outcome outcome;
} run;

static inline void open_text(run *r, const char *text) {
    *r = (run){0};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "test.yaml", NULL, &r->the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(r->the_case, 0, NULL, NULL, &r->instance), GDYN_OK);
    r->def = r->instance->simulation;
}

static inline void open_case(run *r, const char *name) {
    char path[400];
    snprintf(path, sizeof path, "%s/cases/%s/case.yaml", GDYN_SOURCE_DIR, name);
    *r = (run){0};
    assert_int_equal(gdyn_case_read(path, NULL, &r->the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(r->the_case, 0, NULL, NULL, &r->instance), GDYN_OK);
    r->def = r->instance->simulation;
}

/* Simulates with the definition of the run, recorded at the start and at `count` times. */
static inline void simulate(run *r, int count) {
    gdyn_record_destroy(r->record);
    gdyn_simulation_destroy(r->simulation);
    assert_int_equal(gdyn_simulation_create(r->instance->model, &r->def, NULL, &r->simulation),
                     GDYN_OK);
    r->record = gdyn_record_create_for(r->instance->model, &r->def, true);
    assert_non_null(r->record);
    assert_int_equal(gdyn_simulation_start(r->simulation, &r->start, &r->outcome), GDYN_OK);
    if (r->outcome != GDYN_SIM_RUNS)
        return;
    assert_int_equal(gdyn_record_take(r->record, r->simulation), GDYN_OK);
    for (int i = 1; i <= count && r->outcome == GDYN_SIM_RUNS; i++) {
        double t = r->def.duration * i / count;
        assert_int_equal(gdyn_simulation_advance(r->simulation, t, &r->outcome), GDYN_OK);
        assert_int_equal(gdyn_record_take(r->record, r->simulation), GDYN_OK);
    }
}

static inline void close_run(run *r) {
    gdyn_record_destroy(r->record);
    gdyn_simulation_destroy(r->simulation);
    gdyn_instance_destroy(r->instance);
    gdyn_case_destroy(r->the_case);
}

static inline double at(const run *r, int frame, const char *name) {
    int column = gdyn_record_find(r->record, name);
    if (column < 0)
        fail_msg("there is no column %s", name);
    return r->record->value[frame * r->record->columns + column];
}

static inline double last(const run *r, const char *name) {
    return at(r, r->record->frames - 1, name);
}

static inline void check(const run *r, const char *name, double value, double tolerance) {
    double got = last(r, name);
    if (!(fabs(got - value) <= tolerance))
        fail_msg("%s: %.17g instead of %.17g (%g)", name, got, value, got - value);
}

/* The loop of three bars of Paul 2020, section 5.4.1. */
static const char three_bars[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {A: [0, 0], B: [1, 0]}}\n  bodies:\n"
    "    left: {mass: 1, inertia: 0, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [0.18, -0.18, "
    "-0.7]}\n"
    "    right: {mass: 1, inertia: 0, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [1.1, -0.2, "
    "-0.5]}\n"
    "    bar: {mass: 1, inertia: 0, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [0.9, -0.3, 0.2]}\n"
    "  joints:\n    a: {type: revolute, of: [left.P, ground.A]}\n"
    "    b: {type: revolute, of: [right.P, ground.B]}\n"
    "    c: {type: revolute, of: [bar.P, left.Q]}\n    d: {type: revolute, of: [bar.Q, right.Q]}\n"
    "simulate: {duration: 1 s}\n";

#endif
