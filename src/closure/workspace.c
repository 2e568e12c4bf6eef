/* workspace.c - storage of the closing step, sized once. */
#include "closure/internal.h"
#include "model/data.h"
#include "base/memory.h"

#include <math.h>

/* Poses closed to 1e-12 of the machine's length. */
gdyn_closure_settings gdyn_closure_default(void) {
    return (gdyn_closure_settings){.method = GDYN_CLOSURE_LEAST_SQUARES,
                                   .tolerance = 1e-12,
                                   .max_iterations = 200,
                                   .max_step = 0.5,
                                   .restarts = 1,
                                   .moved_most = INFINITY};
}

/* Lists that are written before they are read: room for all rows that a solve may have. */
static void make_lists(gdyn_closure *w) {
    size_t n = (size_t)w->n, rows = (size_t)w->max_rows, c = (size_t)(w->m + w->h);
    size_t targets = (size_t)w->max_targets, q = (size_t)gdyn_tree_coordinates(w->tree);
    size_t conditions = (size_t)gdyn_tree_closing(w->tree) + targets;
    struct {
        double **list;
        size_t count;
    } doubles[] = {{&w->row_scale, c},
                   {&w->unit, n},
                   {&w->column, n},
                   {&w->C, c * n},
                   {&w->J, rows * n},
                   {&w->Jt, rows * n},
                   {&w->phi, c},
                   {&w->rate, rows},
                   {&w->r, rows},
                   {&w->r_trial, rows},
                   {&w->b, rows},
                   {&w->coefficient, rows > n ? rows : n},
                   {&w->x, n},
                   {&w->du, n},
                   {&w->v, n},
                   {&w->N, n * n},
                   {&w->M, rows * n},
                   {&w->dq, q},
                   {&w->per_joint, q},
                   {&w->past[0].rate, q},
                   {&w->past[0].acceleration, q},
                   {&w->past[1].rate, q},
                   {&w->past[1].acceleration, q},
                   {&w->known, conditions},
                   {&w->first, targets},
                   {&w->second, targets}};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        *doubles[i].list = gdyn_arena_room(w->arena, doubles[i].count, sizeof(double));
    for (int i = 0; i < GDYN_MOTION_MOST; i++)
        w->motion.c[i] = gdyn_arena_room(w->arena, q, sizeof(double));
    w->pivot = gdyn_arena_alloc(w->arena, n, sizeof *w->pivot);
    w->target_row = gdyn_arena_alloc(w->arena, targets, sizeof *w->target_row);
}

/* States and decompositions; false: memory. */
static bool make_parts(gdyn_closure *w) {
    w->trial = gdyn_state_create(w->model), w->best = gdyn_state_create(w->model);
    w->entry = gdyn_state_create(w->model);
    w->svd = gdyn_svd_create(w->max_rows, w->n);
    w->damped = w->svd ? gdyn_damped_create(w->svd) : NULL;
    w->qr = gdyn_qr_create(w->n, w->max_rows);
    w->mark = gdyn_qr_create(w->n, w->max_rows);
    w->joints = gdyn_tree_pose_create(w->tree, w->max_targets);
    w->marked_joints = gdyn_tree_pose_create(w->tree, w->max_targets);
    w->ahead = gdyn_ahead_create(w);
    return w->trial && w->best && w->entry && w->damped && w->qr && w->mark && w->joints &&
           w->marked_joints && w->ahead && gdyn_sparse_closing_create(w) &&
           !gdyn_arena_failed(w->arena);
}

/* Workspace for one model, with room for a number of targets. */
gdyn_closure *gdyn_closure_create(const gdyn_model *model, int max_targets) {
    gdyn_arena *arena;
    gdyn_closure *w = gdyn_arena_begin(&arena, sizeof *w);
    gdyn_linalg_single_thread();
    if (!w)
        return NULL;
    *w = (gdyn_closure){.model = model,
                        .n = gdyn_model_coordinates(model),
                        .m = gdyn_model_holonomic(model),
                        .h = gdyn_model_pfaffian(model),
                        .bodies = gdyn_model_bodies(model),
                        .per_body = model->per_body,
                        .L = gdyn_model_length(model),
                        .max_targets = max_targets > 0 ? max_targets : 0,
                        .guards = model->guards,
                        .guard = model->guard,
                        .tree = gdyn_model_tree(model),
                        .arena = arena};
    /* a machine of one point has no length of its own */
    if (!(w->L > 0) || !isfinite(w->L))
        w->L = 1;
    w->max_rows = w->m + w->h + w->max_targets + w->guards;
    make_lists(w);
    if (!make_parts(w)) {
        gdyn_closure_destroy(w);
        return NULL;
    }
    /* rows and unknowns as fractions of L or angles: the same machine in other units of length
     * gives the same numbers */
    gdyn_mech_scales(model, NULL, w->unit);
    for (int i = 0; i < w->m + w->h; i++)
        w->row_scale[i] = gdyn_mech_row_is_length(model, i) ? 1 / w->L : 1;
    for (int j = 0; j < w->n; j++)
        w->column[j] = w->unit[j] *= w->L;
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++)
        w->per_joint[c] = gdyn_tree_coordinate_turns(w->tree, c) ? 1 : 1 / w->L;
    return w;
}

/* Safe on a partly made workspace. */
void gdyn_closure_destroy(gdyn_closure *w) {
    if (!w)
        return;
    gdyn_state_destroy(w->trial), gdyn_state_destroy(w->best);
    gdyn_state_destroy(w->entry);
    gdyn_damped_destroy(w->damped);
    gdyn_svd_destroy(w->svd);
    gdyn_qr_destroy(w->qr), gdyn_qr_destroy(w->mark);
    gdyn_ahead_destroy(w->ahead);
    gdyn_sparse_closing_destroy(w->sparse);
    gdyn_tree_pose_destroy(w->joints), gdyn_tree_pose_destroy(w->marked_joints);
    gdyn_arena_destroy(w->arena);
}

void gdyn_closure_renew(gdyn_closure *w) {
    w->marked = w->at_mark = w->marked_by_tree = w->marked_clear = false;
    w->complete = w->by_tree = w->by_qr = false;
    w->past[0].step = w->past[1].step = 0;
    w->rows = 0;
    w->rank = (gdyn_rank){0};
    gdyn_closure_weigh(w, NULL);
    gdyn_damped_renew(w->damped);
    gdyn_ahead_renew(w);
}

int gdyn_closure_room(const gdyn_closure *closure) {
    return closure->max_targets;
}

void gdyn_closure_counts(const gdyn_closure *closure, long *by_tree, long *dense) {
    *by_tree = closure->derived_by_tree, *dense = closure->derived_densely;
}
