/* dynamics.c - the workspace of dynamics in joint coordinates; taking a pose, speeds. */
#include "tree/internal.h"

#include "mech/state.h"

#include <math.h>
#include <string.h>

/* --- memory ---------------------------------------------------------------------------------- */

/* All arrays. */
static void make_lists(gdyn_tree_dynamics *d) {
    size_t nq = (size_t)d->nq + 1, n = (size_t)d->n + 1, dim = (size_t)d->dim;
    size_t r = (size_t)d->rotors + 1, joints = (size_t)d->tree->model->machine->joints + 1;
    size_t bodies = (size_t)d->tree->bodies + 1, closing = (size_t)d->closing + 1;
    size_t rows = (size_t)(d->tree->model->m + d->tree->model->h) + 1;
    struct {
        double **list;
        size_t count;
    } doubles[] = {{&d->S, nq * dim},
                   {&d->inertia, 9 * bodies},
                   {&d->IA, dim * dim * bodies},
                   {&d->U, nq * dim},
                   {&d->D, 36 * bodies},
                   {&d->composite, 2 * bodies},
                   {&d->W, nq * r},
                   {&d->Y, nq * r},
                   {&d->small, r * r},
                   {&d->qdot, nq},
                   {&d->shift, nq},
                   {&d->u, n},
                   {&d->bias, n},
                   {&d->h, n},
                   {&d->xi, nq},
                   {&d->block, GDYN_TREE_BLOCK * n},
                   {&d->wrench, GDYN_TREE_BLOCK * n},
                   {&d->tau, nq},
                   {&d->work, nq},
                   {&d->extra, nq + r},
                   {&d->rate, rows},
                   {&d->acceleration, rows},
                   {&d->known, closing},
                   {&d->dq, nq},
                   {&d->here.K, nq * nq},
                   {&d->here.F, nq * nq},
                   {&d->near.K, nq * nq},
                   {&d->near.F, nq * nq},
                   {&d->columns, nq * nq},
                   {&d->square, nq * nq},
                   {&d->table.at, 2 * nq * nq}};
    int **numbers[] = {&d->z,           &d->y,         &d->chosen,
                       &d->here.free,   &d->near.free, &d->table.column_of,
                       &d->table.row_of};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        *doubles[i].list = gdyn_arena_doubles(d->arena, doubles[i].count);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = gdyn_arena_alloc(d->arena, nq, sizeof(int));
    d->settled = gdyn_arena_alloc(d->arena, nq, sizeof *d->settled);
    d->loop = gdyn_arena_alloc(d->arena, joints, sizeof *d->loop);
}

gdyn_tree_dynamics *gdyn_tree_dynamics_create(const gdyn_tree *tree) {
    gdyn_arena *arena;
    gdyn_tree_dynamics *d = gdyn_arena_begin(&arena, sizeof *d);
    if (!d)
        return NULL;
    *d = (gdyn_tree_dynamics){.tree = tree,
                              .dim = tree->model->per_body,
                              .nq = tree->coordinates,
                              .n = tree->n,
                              .closing = tree->closing,
                              .arena = arena};
    /* a pose for the machine at hand and one for its neighbours */
    d->pose = d->here.pose = gdyn_tree_pose_create(tree, 0);
    d->near.pose = gdyn_tree_pose_create(tree, 0);
    d->trial = gdyn_state_create(tree->model);
    /* drives whose rotor has inertia, coupling ones first */
    const gdyn_machine *machine = tree->model->machine;
    d->rotor = gdyn_arena_alloc(arena, (size_t)machine->drives + 1, sizeof *d->rotor);
    for (int pass = 0; d->rotor && pass < 2; pass++)
        for (int i = 0; i < machine->drives; i++) {
            double inertia = gdyn_mech_rotor(tree->model, i);
            /* the body whose joint the drive turns; -1: it acts otherwise */
            const gdyn_drive_def *def = &machine->drive[i];
            bool at_joint = gdyn_drive_traits_of(def->kind)->acts == GDYN_ACTS_AT_JOINT;
            int body = at_joint ? tree->bodies - 1 : -1;
            while (body >= 0 && tree->body[body].joint != def->joint)
                body--;
            if (inertia == 0 || (pass == 0) != (body < 0))
                continue;
            d->coupling += pass == 0;
            d->rotor[d->rotors++] = (gdyn_tree_rotor){.drive = i, .inertia = inertia, .body = body};
        }
    make_lists(d);
    if (d->pose && d->near.pose && d->trial && !gdyn_arena_failed(arena))
        return d;
    gdyn_tree_dynamics_destroy(d);
    return NULL;
}

void gdyn_tree_dynamics_destroy(gdyn_tree_dynamics *d) {
    if (!d)
        return;
    gdyn_tree_pose_destroy(d->pose), gdyn_tree_pose_destroy(d->near.pose);
    gdyn_state_destroy(d->trial);
    gdyn_arena_destroy(d->arena);
}

/* --- a pose, its speeds ----------------------------------------------------------------------- */

/* Right-hand sides of the closing rows from those of all rows. */
static void pick_closing(const gdyn_tree_dynamics *d, const double *all, double *out) {
    for (int i = 0; i < d->closing; i++)
        out[i] = all[d->tree->row[i]];
}

gdyn_status gdyn_tree_dynamics_set(gdyn_tree_dynamics *d, const gdyn_state *state,
                                   gdyn_tree_condition *condition) {
    d->state = state;
    d->condition = (gdyn_tree_condition){.massless = -1};
    gdyn_tree_pose_set(d->pose, state);
    gdyn_status status = gdyn_tree_choose(d);
    if (status == GDYN_OK) {
        gdyn_tree_take_inertia(d);
        gdyn_mech_motion_rates(state, d->rate, d->acceleration);
        pick_closing(d, d->rate, d->known);
        gdyn_tree_solve_dependent(d, &d->here, d->known, d->shift);
    }
    if (condition)
        *condition = d->condition;
    return status;
}

void gdyn_tree_speeds(gdyn_tree_dynamics *d, const double *zdot, double *qdot, double *u) {
    int f = d->condition.freedom;
    /* q' = s + K z', velocities, their bias and gyroscopic terms */
    for (int c = 0; c < d->nq; c++)
        d->qdot[c] = d->shift[c];
    for (int j = 0; j < f; j++)
        for (int c = 0; c < d->nq; c++)
            d->qdot[c] += d->here.K[(size_t)d->nq * (size_t)j + (size_t)c] * zdot[j];
    gdyn_tree_velocities(d->pose, d->qdot, d->u);
    gdyn_tree_bias(d->pose, d->qdot, d->u, d->bias);
    gdyn_mech_bias(d->state, d->u, d->h);
    /* J_c xi = acceleration - gamma - C_c bias */
    pick_closing(d, d->acceleration, d->known);
    for (int i = 0; i < d->closing; i++)
        d->known[i] -= gdyn_row_curvature(d->state, d->pose->row[i], d->u) +
                       gdyn_row_speed(d->state, &d->pose->jacobian[i], d->bias);
    gdyn_tree_solve_dependent(d, &d->here, d->known, d->xi);
    /* copies for those who want them */
    if (qdot)
        memcpy(qdot, d->qdot, (size_t)d->nq * sizeof *qdot);
    if (u)
        memcpy(u, d->u, (size_t)d->n * sizeof *u);
}

void gdyn_tree_independent_rates(const gdyn_tree_dynamics *d, const double *u, double *zdot) {
    gdyn_tree_joint_rates(d->pose, u, d->tau);
    for (int j = 0; j < d->condition.freedom; j++)
        zdot[j] = d->tau[d->z[j]];
}

const int *gdyn_tree_independent(const gdyn_tree_dynamics *d) {
    return d->z;
}
