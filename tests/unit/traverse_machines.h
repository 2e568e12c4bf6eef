/* traverse_machines.h - a machine on one of its trajectories, with any number of points, and its
 * fastest motion. */
#ifndef GDYN_TESTS_TRAVERSE_MACHINES_H
#define GDYN_TESTS_TRAVERSE_MACHINES_H

#include "casefile/casefile.h"
#include "traverse/traverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cart on a beam on a rail, for printf: gravity in y, a trajectory, its number of points. */
static const char cross_table[] =
    "format: 1\n"
    "name: cross table\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, %g]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    beam: {mass: 1 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "    cart: {mass: 1 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    x: {type: prismatic, of: [beam.P, ground.O], axis: [1, 0]}\n"
    "    y: {type: prismatic, of: [cart.P, beam.P], axis: [0, 1]}\n"
    "  drives: {X: {at: x, force: {limit: 200 N}}, Y: {at: y, force: {limit: 100 N}}}\n"
    "trajectories:\n"
    "  way: {%s, points: %d}\n";

/* Coefficients that stand row by row in numbers: A, B, C, D, min, max and V, `rows` apart. */
static inline gdyn_coefficients coefficients_in(const double *numbers, int rows, int k, int r) {
    gdyn_coefficients q = {.k = k, .r = r, .d1_high = INFINITY, .d1_high_window = -1};
    const double **part[] = {&q.A, &q.B, &q.C, &q.D, &q.min, &q.max, &q.V};
    for (int i = 0; i < 7; i++)
        *part[i] = numbers + i * rows;
    return q;
}

typedef struct moving_machine {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    gdyn_path_dynamics *dynamics;
} moving_machine;

/* Trajectory of that name (NULL: the first one) with that many points (0: its own). */
static inline void machine_move(moving_machine *m, const char *name, int points) {
    int t = 0;
    assert_int_equal(gdyn_case_instantiate(m->the_case, 0, NULL, NULL, &m->instance), GDYN_OK);
    while (name && strcmp(m->instance->trajectory[t].name, name) != 0)
        assert_in_range(++t, 0, m->instance->trajectory_count - 1);
    gdyn_path_def def = m->instance->trajectory[t];
    def.points = points > 0 ? points : def.points;
    assert_int_equal(gdyn_path_create(m->instance->model, &def, NULL, &m->path), GDYN_OK);
    m->dynamics = gdyn_path_dynamics_machine(m->instance->model, m->path);
    assert_non_null(m->dynamics);
    assert_int_equal(gdyn_path_dynamics_follow(m->dynamics), GDYN_OK);
}

static inline void machine_of_text(moving_machine *m, const char *text, int points) {
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "text", NULL, &m->the_case), GDYN_OK);
    machine_move(m, NULL, points);
}

/* One of the project's cases. */
static inline void machine_of_case(moving_machine *m, const char *name, const char *trajectory,
                                   int points) {
    char file[1000];
    snprintf(file, sizeof file, "%s/cases/%s/case.yaml", GDYN_SOURCE_DIR, name);
    assert_int_equal(gdyn_case_read(file, NULL, &m->the_case), GDYN_OK);
    machine_move(m, trajectory, points);
}

static inline void machine_close(moving_machine *m) {
    gdyn_path_dynamics_destroy(m->dynamics);
    gdyn_path_destroy(m->path);
    gdyn_instance_destroy(m->instance);
    gdyn_case_destroy(m->the_case);
}

static inline gdyn_traverse *fastest_motion(gdyn_path_dynamics *dynamics,
                                            const gdyn_traverse_settings *settings) {
    gdyn_traverse *traverse = gdyn_traverse_create();
    assert_non_null(traverse);
    assert_int_equal(gdyn_traverse_run(traverse, dynamics, settings), GDYN_OK);
    return traverse;
}

#endif
