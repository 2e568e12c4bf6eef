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

/* Makes one array, which is written before it is read; clears *ok when there is no memory. */
static double *doubles(size_t count, bool *ok) {
    double *block = gdyn_room(count, sizeof(double));
    *ok = *ok && block;
    return block;
}

/* Scales, Jacobians, residuals: room for all rows that a solve may have; false: memory. */
static bool allocate_arrays(gdyn_closure *w) {
    bool ok = true;
    size_t n = (size_t)w->n, rows = (size_t)w->max_rows, c = (size_t)(w->m + w->h);
    w->row_scale = doubles(c, &ok);
    w->unit = doubles(n, &ok);
    w->column = doubles(n, &ok);
    w->C = doubles(c * n, &ok);
    w->J = doubles(rows * n, &ok);
    w->Jt = doubles(rows * n, &ok);
    w->phi = doubles(c, &ok);
    w->rate = doubles(rows, &ok);
    w->r = doubles(rows, &ok);
    w->r_trial = doubles(rows, &ok);
    w->b = doubles(rows, &ok);
    w->coefficient = doubles(rows > n ? rows : n, &ok);
    w->x = doubles(n, &ok);
    w->du = doubles(n, &ok);
    w->v = doubles(n, &ok);
    w->N = doubles(n * n, &ok);
    w->M = doubles(rows * n, &ok);
    w->pivot = gdyn_alloc(n, sizeof *w->pivot);
    return ok && w->pivot;
}

/* Joint coordinates, with room for targets; false: memory. */
static bool allocate_joints(gdyn_closure *w) {
    bool ok = true;
    size_t closing = (size_t)gdyn_tree_closing(w->tree), targets = (size_t)w->max_targets;
    size_t coordinates = (size_t)gdyn_tree_coordinates(w->tree);
    w->joints = gdyn_tree_pose_create(w->tree, w->max_targets);
    w->marked_joints = gdyn_tree_pose_create(w->tree, w->max_targets);
    w->ahead = gdyn_ahead_create(w);
    w->target_row = gdyn_alloc(targets, sizeof *w->target_row);
    w->dq = doubles(coordinates, &ok);
    w->per_joint = doubles(coordinates, &ok);
    for (int c = 0; ok && c < gdyn_tree_coordinates(w->tree); c++)
        w->per_joint[c] = gdyn_tree_coordinate_turns(w->tree, c) ? 1 : 1 / w->L;
    for (int i = 0; i < 2; i++) {
        w->past[i].rate = doubles(coordinates, &ok);
        w->past[i].acceleration = doubles(coordinates, &ok);
    }
    for (int i = 0; i < GDYN_MOTION_MOST; i++)
        w->motion.c[i] = doubles(coordinates, &ok);
    w->known = doubles(closing + targets, &ok);
    w->first = doubles(targets, &ok);
    w->second = doubles(targets, &ok);
    return ok && w->joints && w->marked_joints && w->ahead && w->target_row;
}

/* Arrays, states, decompositions; false: memory. */
static bool allocate(gdyn_closure *w) {
    bool ok = allocate_arrays(w);
    w->trial = gdyn_state_create(w->model);
    w->best = gdyn_state_create(w->model);
    w->entry = gdyn_state_create(w->model);
    w->svd = gdyn_svd_create(w->max_rows, w->n);
    w->damped = w->svd ? gdyn_damped_create(w->svd) : NULL;
    w->qr = gdyn_qr_create(w->n, w->max_rows);
    w->mark = gdyn_qr_create(w->n, w->max_rows);
    w->tree = gdyn_model_tree(w->model);
    ok = w->trial && gdyn_sparse_closing_create(w) && ok;
    return allocate_joints(w) && ok && w->mark && w->trial && w->best && w->entry && w->damped &&
           w->qr;
}

/* Rows as fractions of L or angles, unknowns as fractions of L or angles: the same machine in other
 * units of length gives the same numbers. */
static void set_scales(gdyn_closure *w) {
    gdyn_mech_scales(w->model, w->row_scale, w->unit);
    for (int i = 0; i < w->m + w->h; i++)
        w->row_scale[i] = gdyn_mech_row_is_length(w->model, i) ? 1 / w->L : 1;
    for (int j = 0; j < w->n; j++)
        w->column[j] = w->unit[j] *= w->L;
}

/* Workspace for one model, with room for a number of targets. */
gdyn_closure *gdyn_closure_create(const gdyn_model *model, int max_targets) {
    gdyn_linalg_single_thread();
    gdyn_closure *w = gdyn_alloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->model = model;
    w->n = gdyn_model_coordinates(model);
    w->m = gdyn_model_holonomic(model);
    w->h = gdyn_model_pfaffian(model);
    w->bodies = gdyn_model_bodies(model);
    w->per_body = gdyn_model_space(model) == GDYN_PLANAR ? 3 : 6;
    w->L = gdyn_model_length(model);
    /* a machine of one point has no length of its own */
    if (!(w->L > 0) || !isfinite(w->L))
        w->L = 1;
    w->max_targets = max_targets > 0 ? max_targets : 0;
    w->guards = model->guards;
    w->guard = model->guard;
    w->max_rows = w->m + w->h + w->max_targets + w->guards;
    if (!allocate(w)) {
        gdyn_closure_destroy(w);
        return NULL;
    }
    set_scales(w);
    return w;
}

static void free_numbers(gdyn_closure *w) {
    double *blocks[] = {w->row_scale,
                        w->unit,
                        w->column,
                        w->C,
                        w->J,
                        w->Jt,
                        w->phi,
                        w->rate,
                        w->r,
                        w->r_trial,
                        w->b,
                        w->x,
                        w->du,
                        w->v,
                        w->N,
                        w->coefficient,
                        w->M,
                        w->dq,
                        w->past[0].rate,
                        w->past[1].rate,
                        w->per_joint,
                        w->known,
                        w->first,
                        w->second,
                        w->past[0].acceleration,
                        w->past[1].acceleration};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        gdyn_free(blocks[i]);
    for (int i = 0; i < GDYN_MOTION_MOST; i++)
        gdyn_free(w->motion.c[i]);
    gdyn_free(w->pivot);
    gdyn_free(w->target_row);
}

/* Safe on a partly made workspace. */
void gdyn_closure_destroy(gdyn_closure *w) {
    if (!w)
        return;
    free_numbers(w);
    gdyn_state_destroy(w->trial);
    gdyn_state_destroy(w->best);
    gdyn_state_destroy(w->entry);
    gdyn_damped_destroy(w->damped);
    gdyn_svd_destroy(w->svd);
    gdyn_qr_destroy(w->qr);
    gdyn_qr_destroy(w->mark);
    gdyn_ahead_destroy(w->ahead);
    gdyn_sparse_closing_destroy(w->sparse);
    gdyn_tree_pose_destroy(w->joints);
    gdyn_tree_pose_destroy(w->marked_joints);
    gdyn_free(w);
}

void gdyn_closure_renew(gdyn_closure *closure) {
    gdyn_closure *w = closure;
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
    *by_tree = closure->derived_by_tree;
    *dense = closure->derived_densely;
}
