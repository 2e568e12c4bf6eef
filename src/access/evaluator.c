/* evaluator.c - workspaces of an evaluator, and poses with their rows. */
#include "access/dynamics.h"

#include "base/memory.h"
#include "mech/state.h"
#include "model/data.h"

static int greater(int a, int b) {
    return a > b ? a : b;
}

int gdyn_pose_efforts(const gdyn_model *model) {
    return gdyn_model_drives(model) + gdyn_model_stictions(model);
}

int gdyn_pose_capacity(const gdyn_model *model) {
    return gdyn_limit_items(model, GDYN_LIMIT_ROW, NULL);
}

/* Written before they are read. */
static double *doubles(int rows, int columns) {
    return gdyn_room((size_t)rows * (size_t)columns, sizeof(double));
}

/* Scaling, the columns of T, the full system and its null space by joints. */
static bool allocate_system(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts;
    e->row_scale = doubles(greater(e->rows, 1), 1);
    e->column_scale = doubles(n, 1);
    e->velocity_scale = doubles(n, 1);
    e->effort = gdyn_alloc((size_t)k + 1, sizeof *e->effort);
    e->drive_scale = doubles(greater(k, 1), 1);
    e->jacobian = gdyn_alloc((size_t)e->k + 1, sizeof *e->jacobian);
    e->held = doubles(n, greater(k - e->k, 1));
    e->motions = gdyn_free_motions_create(e->model, k);
    e->system = e->motions ? e->motions->system : NULL;
    e->drive_row = gdyn_alloc((size_t)e->k + 1, sizeof *e->drive_row);
    bool joints = gdyn_evaluator_wants_joints(e);
    const gdyn_tree *tree = gdyn_model_tree(e->model);
    e->joints = joints ? gdyn_tree_pose_create(tree, 0) : NULL;
    e->driven = joints ? gdyn_tree_pose_create(tree, e->k) : NULL;
    return e->row_scale && e->column_scale && e->velocity_scale && e->effort && e->drive_scale &&
           e->jacobian && e->held && e->motions && e->drive_row &&
           ((e->joints && e->driven) || !joints);
}

/* Poses whose free motions are known: several of machines whose legs follow hubs. */
static bool allocate_lanes(gdyn_evaluator *e) {
    int n = e->n, k = e->k, f = GDYN_MOTIONS_MOST, columns = e->efforts + 1;
    bool ok = true;
    for (int l = 0; l < (e->motions ? e->motions->at_once : 0); l++) {
        gdyn_lane_equations *own = &e->lane[l];
        own->map = doubles(f, k + 1);
        own->drive_scale = doubles(k + 1, 1);
        own->reduced_rhs = doubles(f, RHS);
        own->solution.x = doubles(columns, RHS);
        own->solution.gain = doubles(columns, 1);
        own->solution.V = doubles(columns, columns);
        own->rhs = doubles(n, RHS);
        own->drive = gdyn_alloc((size_t)k + 1, sizeof *own->drive);
        ok = ok && own->map && own->drive_scale && own->reduced_rhs && own->rhs && own->drive &&
             own->solution.x && own->solution.gain && own->solution.V;
    }
    gdyn_evaluator_use_lane(e, 0);
    return ok;
}

static void free_lanes(gdyn_evaluator *e) {
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++) {
        gdyn_free(e->lane[l].map);
        gdyn_free(e->lane[l].drive_scale);
        gdyn_free(e->lane[l].reduced_rhs);
        gdyn_free(e->lane[l].rhs);
        gdyn_free(e->lane[l].drive);
        gdyn_free(e->lane[l].solution.x);
        gdyn_free(e->lane[l].solution.gain);
        gdyn_free(e->lane[l].solution.V);
    }
}

void gdyn_evaluator_use_lane(gdyn_evaluator *e, int lane) {
    e->rhs = e->lane[lane].rhs;
    e->drive = e->lane[lane].drive;
}

/* Right-hand sides, solutions, and what no drive controls. */
static bool allocate_solutions(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts, all = e->rows + k, wide = greater(greater(n, all), RHS);
    e->solution = doubles(wide, RHS);
    e->null = doubles(wide, wide);
    e->part = doubles(k, all);
    e->reduced = doubles(n, greater(k, n));
    e->reduced_rhs = doubles(n, RHS);
    e->residual = doubles(wide, RHS);
    e->gain = doubles(greater(k, 1), 1);
    e->speed = doubles(greater(k, 1), 1);
    e->load = doubles(n, RHS);
    e->share = doubles(n, 1);
    e->cut = gdyn_alloc((size_t)(k + 1) * RHS, sizeof *e->cut);
    return e->load && e->share && e->cut && e->solution && e->null && e->part && e->reduced &&
           e->reduced_rhs && e->residual && e->gain && e->speed;
}

/* Criteria of a pose. */
static bool allocate_criteria(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts;
    e->tasks = doubles(n, n);
    e->map = doubles(n, n);
    e->drives = doubles(k, n);
    e->K = doubles(n, n);
    e->M = doubles(n, n);
    e->MN = doubles(n, n);
    e->eigen = doubles(gdyn_eigen_work(n), 1);
    e->few = doubles(n, 8);
    e->table = doubles(2 * k, k + 1);
    return e->tasks && e->map && e->drives && e->K && e->M && e->MN && e->eigen && e->few &&
           e->table;
}

/* All arrays, and decompositions for each shape of matrix, for the largest system of this model. */
static bool allocate(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts, all = e->rows + k, wide = greater(greater(n, all), RHS);
    bool arrays =
        allocate_system(e) && allocate_lanes(e) && allocate_solutions(e) && allocate_criteria(e);
    e->svd = gdyn_svd_create(n, greater(all, 1));
    e->small = gdyn_svd_create(greater(n, k), wide);
    e->wide = gdyn_wide_create(n, k);
    e->graded = gdyn_qr_create(greater(n, all), n);
    e->lp = gdyn_lp_create(greater(2 * gdyn_pose_capacity(e->model), 1), k + 1);
    return arrays && e->svd && e->small && e->wide && e->graded && e->lp;
}

/* What is limited: rows and windows. */
static bool list_limits(gdyn_evaluator *e) {
    e->limited_rows = gdyn_limit_items(e->model, GDYN_LIMIT_ROW, NULL);
    e->windows = gdyn_limit_items(e->model, GDYN_LIMIT_WINDOW, NULL);
    e->limited = gdyn_alloc((size_t)(e->limited_rows + e->windows) + 1, sizeof *e->limited);
    if (!e->limited)
        return false;
    gdyn_limit_items(e->model, GDYN_LIMIT_ROW, e->limited);
    gdyn_limit_items(e->model, GDYN_LIMIT_WINDOW, e->limited + e->limited_rows);
    return true;
}

/* What right-hand sides have beside the bodies' inertia and constant forces. */
static void note_parts(gdyn_evaluator *e) {
    const gdyn_model *model = e->model;
    for (int i = 0; i < e->k; i++)
        e->rotors = e->rotors || gdyn_mech_rotor(model, i) != 0;
    for (int i = 0; i < model->frictions; i++)
        e->viscous = e->viscous || model->friction[i].viscous != 0;
    for (int i = 0; i < model->machine->forces; i++)
        e->viscous = e->viscous || model->machine->force[i].viscous != 0;
}

/* NULL: memory. */
gdyn_evaluator *gdyn_evaluator_create(const gdyn_model *model) {
    gdyn_evaluator *e = gdyn_alloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->model = model;
    e->n = gdyn_model_coordinates(model);
    e->rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    e->k = gdyn_model_drives(model);
    e->efforts = gdyn_pose_efforts(model);
    note_parts(e);
    if (!list_limits(e) || !allocate(e)) {
        gdyn_evaluator_destroy(e);
        return NULL;
    }
    /* scales are constants of the model */
    gdyn_mech_scales(model, e->row_scale, e->column_scale);
    for (int j = 0; j < e->n; j++)
        e->velocity_scale[j] = 1 / e->column_scale[j];
    e->uneven_masses = gdyn_mech_uneven_masses(model);
    return e;
}

/* Safe on a partly made object. */
void gdyn_evaluator_destroy(gdyn_evaluator *e) {
    if (!e)
        return;
    double *arrays[] = {e->row_scale,   e->column_scale,   e->drive_scale, e->held,
                        e->solution,    e->null,           e->part,        e->reduced,
                        e->reduced_rhs, e->residual,       e->speed,       e->tasks,
                        e->map,         e->drives,         e->K,           e->M,
                        e->MN,          e->eigen,          e->few,         e->table,
                        e->gain,        e->velocity_scale, e->load,        e->share,
                        e->cut};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        gdyn_free(arrays[i]);
    gdyn_free(e->effort);
    gdyn_free(e->limited);
    gdyn_free(e->jacobian);
    gdyn_wide_destroy(e->wide);
    gdyn_svd_destroy(e->svd);
    gdyn_svd_destroy(e->small);
    gdyn_qr_destroy(e->graded);
    gdyn_tree_pose_destroy(e->joints);
    gdyn_tree_pose_destroy(e->driven);
    gdyn_free(e->drive_row);
    gdyn_free_motions_destroy(e->motions);
    free_lanes(e);
    gdyn_lp_destroy(e->lp);
    gdyn_free(e);
}

/* One block for all rows: eleven vectors and the columns of V. */
gdyn_pose *gdyn_pose_create(const gdyn_model *model) {
    size_t rows = (size_t)gdyn_pose_capacity(model), k = (size_t)gdyn_pose_efforts(model);
    size_t numbers = rows * (11 + k) + 1;
    /* the object, its numbers, its drives: one block, of which a study takes hundreds per design */
    gdyn_pose_storage *s = gdyn_alloc(1, sizeof *s + numbers * sizeof(double) + rows * sizeof(int));
    if (!s)
        return NULL;
    double *block = (double *)(s + 1);
    s->capacity = (int)rows;
    s->row_effort = (int *)(block + numbers);
    /* the block is divided in the order of the list */
    double **arrays[] = {&s->A,       &s->B,       &s->C,         &s->D,
                         &s->min,     &s->max,     &s->min_slope, &s->max_slope,
                         &s->A_error, &s->B_error, &s->D_error};
    for (size_t i = 0; i < 11; i++)
        *arrays[i] = block + i * rows;
    s->V = block + 11 * rows;
    s->pose.drives = gdyn_model_drives(model);
    s->pose.efforts = (int)k;
    s->pose.row_effort = s->row_effort;
    return &s->pose;
}

/* NULL is allowed. */
void gdyn_pose_destroy(gdyn_pose *pose) {
    gdyn_free(pose);
}
