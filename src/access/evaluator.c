/* evaluator.c - workspaces of an evaluator, and poses with their rows. */
#include "access/dynamics.h"

#include "base/memory.h"
#include "linalg/dot.h"
#include "linalg/vec3.h"
#include "mech/state.h"
#include "model/data.h"

#include <string.h>

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
static double *doubles(gdyn_evaluator *e, int rows, int columns) {
    return gdyn_arena_room(e->arena, (size_t)rows * (size_t)columns + 1, sizeof(double));
}

/* Arrays of numbers, for the largest system of this model. */
static void allocate_numbers(gdyn_evaluator *e, int wide) {
    int n = e->n, k = e->efforts;
    const struct {
        double **of;
        int rows, columns;
    } list[] = {{&e->row_scale, e->rows, 1},
                {&e->column_scale, n, 1},
                {&e->velocity_scale, n, 1},
                {&e->drive_scale, k, 1},
                {&e->held, n, k - e->k},
                /* right-hand sides, solutions, and what no drive controls */
                {&e->solution, wide, RHS},
                {&e->null, wide, wide},
                {&e->part, k, e->rows + k},
                {&e->reduced, n, greater(k, n)},
                {&e->reduced_rhs, n, RHS},
                {&e->residual, wide, RHS},
                {&e->gain, k, 1},
                {&e->speed, k, 1},
                {&e->load, n, RHS},
                {&e->share, n, 1},
                /* criteria of a pose */
                {&e->tasks, n, n},
                {&e->map, n, n},
                {&e->K, n, n},
                {&e->M, n, n},
                {&e->MN, n, n},
                {&e->drives, k, n},
                {&e->eigen, gdyn_eigen_work(n), 1},
                {&e->few, n, 8},
                {&e->table, 2 * k, k + 1}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        *list[i].of = doubles(e, list[i].rows, list[i].columns);
    e->cut = gdyn_arena_doubles(e->arena, (size_t)(k + 1) * RHS);
}

/* Poses whose free motions are known: several of machines whose legs follow hubs. */
static void allocate_lanes(gdyn_evaluator *e) {
    int n = e->n, k = e->k, f = GDYN_MOTIONS_MOST, columns = e->efforts + 1;
    for (int l = 0; l < (e->motions ? e->motions->at_once : 0); l++) {
        gdyn_lane_equations *own = &e->lane[l];
        own->map = doubles(e, f, k), own->drive_scale = doubles(e, k, 1);
        own->reduced_rhs = doubles(e, f, RHS);
        own->solution.x = doubles(e, columns, RHS);
        own->solution.gain = doubles(e, columns, 1);
        own->solution.V = doubles(e, columns, columns), own->rhs = doubles(e, n, RHS);
        own->drive = gdyn_arena_alloc(e->arena, (size_t)k + 1, sizeof *own->drive);
    }
    gdyn_evaluator_use_lane(e, 0);
}

void gdyn_evaluator_use_lane(gdyn_evaluator *e, int lane) {
    e->rhs = e->lane[lane].rhs, e->drive = e->lane[lane].drive;
}

static void list_limits(gdyn_evaluator *e) {
    e->limited_rows = gdyn_limit_items(e->model, GDYN_LIMIT_ROW, NULL);
    e->windows = gdyn_limit_items(e->model, GDYN_LIMIT_WINDOW, NULL);
    size_t count = (size_t)(e->limited_rows + e->windows);
    e->limited = gdyn_arena_alloc(e->arena, count + 1, sizeof *e->limited);
    if (!e->limited)
        return;
    gdyn_limit_items(e->model, GDYN_LIMIT_ROW, e->limited);
    gdyn_limit_items(e->model, GDYN_LIMIT_WINDOW, e->limited + e->limited_rows);
}

/* All arrays, and decompositions for each shape of matrix, for the largest system of this model. */
static bool allocate(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts, all = e->rows + k, wide = greater(greater(n, all), RHS);
    allocate_numbers(e, wide);
    e->effort = gdyn_arena_alloc(e->arena, (size_t)k + 1, sizeof *e->effort);
    e->jacobian = gdyn_arena_alloc(e->arena, (size_t)e->k + 1, sizeof *e->jacobian);
    e->drive_row = gdyn_arena_alloc(e->arena, (size_t)e->k + 1, sizeof *e->drive_row);
    e->motions = gdyn_free_motions_create(e->model, k);
    e->system = e->motions ? e->motions->system : NULL;
    bool system = e->motions;
    if (gdyn_evaluator_wants_joints(e)) {
        const gdyn_tree *tree = gdyn_model_tree(e->model);
        e->joints = gdyn_tree_pose_create(tree, 0);
        e->driven = gdyn_tree_pose_create(tree, e->k);
        system = system && e->joints && e->driven;
    }
    allocate_lanes(e);
    list_limits(e);
    e->svd = gdyn_svd_create(n, greater(all, 1));
    e->small = gdyn_svd_create(greater(n, k), wide);
    e->wide = gdyn_wide_create(n, k);
    e->graded = gdyn_qr_create(greater(n, all), n);
    e->lp = gdyn_lp_create(greater(2 * gdyn_pose_capacity(e->model), 1), k + 1);
    return system && !gdyn_arena_failed(e->arena) && e->svd && e->small && e->wide && e->graded &&
           e->lp;
}

/* NULL: memory. */
gdyn_evaluator *gdyn_evaluator_create(const gdyn_model *model) {
    gdyn_arena *arena;
    gdyn_evaluator *e = gdyn_arena_begin(&arena, sizeof *e);
    if (!e)
        return NULL;
    e->arena = arena, e->model = model;
    e->n = gdyn_model_coordinates(model);
    e->rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    e->k = gdyn_model_drives(model);
    e->efforts = gdyn_pose_efforts(model);
    /* what right-hand sides have besides the bodies' inertia and constant forces */
    for (int i = 0; i < e->k; i++)
        e->rotors |= gdyn_mech_rotor(model, i) != 0;
    for (int i = 0; i < model->frictions; i++)
        e->viscous |= model->friction[i].viscous != 0;
    for (int i = 0; i < model->machine->forces; i++)
        e->viscous |= model->machine->force[i].viscous != 0;
    if (!allocate(e)) {
        gdyn_evaluator_destroy(e);
        return NULL;
    }
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
    gdyn_wide_destroy(e->wide);
    gdyn_svd_destroy(e->svd), gdyn_svd_destroy(e->small);
    gdyn_qr_destroy(e->graded);
    gdyn_tree_pose_destroy(e->joints), gdyn_tree_pose_destroy(e->driven);
    gdyn_free_motions_destroy(e->motions);
    gdyn_lp_destroy(e->lp);
    gdyn_arena_destroy(e->arena);
}

/* The object, its numbers (twelve vectors of the rows and the columns of V), its drives: one block,
 * of which a study takes hundreds per design. */
gdyn_pose *gdyn_pose_create(const gdyn_model *model) {
    enum { VECTORS = 2 * RHS + 4 };
    size_t rows = (size_t)gdyn_pose_capacity(model), k = (size_t)gdyn_pose_efforts(model);
    size_t numbers = rows * (VECTORS + k) + 1;
    gdyn_pose_storage *s = gdyn_alloc(1, sizeof *s + numbers * sizeof(double) + rows * sizeof(int));
    if (!s)
        return NULL;
    double *block = (double *)(s + 1);
    s->capacity = (int)rows;
    s->row_effort = (int *)(block + numbers);
    for (int x = 0; x < RHS; x++) {
        s->of[x] = block + (size_t)x * rows;
        s->error[x] = block + (size_t)(RHS + x) * rows;
    }
    double **limits[] = {&s->min, &s->max, &s->min_slope, &s->max_slope};
    for (size_t i = 0; i < 4; i++)
        *limits[i] = block + (2 * RHS + i) * rows;
    s->V = block + VECTORS * rows;
    s->pose.coefficients = (gdyn_coefficients){.A = s->of[RHS_A],
                                               .B = s->of[RHS_B],
                                               .C = s->of[RHS_C],
                                               .D = s->of[RHS_D],
                                               .A_error = s->error[RHS_A],
                                               .B_error = s->error[RHS_B],
                                               .D_error = s->error[RHS_D],
                                               .V = s->V,
                                               .min = s->min,
                                               .max = s->max,
                                               .min_slope = s->min_slope,
                                               .max_slope = s->max_slope,
                                               .eq_a = s->eq[0],
                                               .eq_b = s->eq[1],
                                               .eq_c = s->eq[2],
                                               .eq_d = s->eq[3]};
    s->pose.drives = gdyn_model_drives(model);
    s->pose.efforts = (int)k;
    s->pose.row_effort = s->row_effort;
    return &s->pose;
}

/* NULL is allowed. */
void gdyn_pose_destroy(gdyn_pose *pose) {
    gdyn_free(pose);
}

/* --- free motions and how drives act on them ------------------------------------------------- */

/* The free motions at a pose, N = null(C), and how the drives act on them, H = N^T
 * T. */

/* Singular values of a map with columns of unit length that count as zero. */
static const double ZERO = 1e-9;
/* Forces of unit size along unit motions below which they are rounding of the pose. */
static const double ROUNDING = 1e-11;

/* --- free motions ---------------------------------------------------------------------------- */

gdyn_status gdyn_evaluator_find_motions(gdyn_evaluator *e, const gdyn_state *state,
                                        const double *known) {
    gdyn_status status = gdyn_free_motions_find(e->motions, state, known);
    gdyn_evaluator_forget_maps(e);
    return status;
}

void gdyn_evaluator_forget_maps(gdyn_evaluator *e) {
    if (e->found == e->motions->found)
        return;
    e->found = e->motions->found, e->mapped = -1;
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++)
        e->lane[l].mapped = false;
}

void gdyn_evaluator_take_basis(gdyn_evaluator *e, double *N, int *f) {
    const double *basis = gdyn_free_motions_basis(e->motions);
    *f = e->motions->f;
    memcpy(N, basis, (size_t)e->n * (size_t)*f * sizeof *N);
}

gdyn_status gdyn_evaluator_null(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f) {
    gdyn_status status = gdyn_evaluator_find_motions(e, state, NULL);
    if (!status)
        gdyn_evaluator_take_basis(e, N, f);
    return status;
}

/* --- drives ---------------------------------------------------------------------------------- */

/* Force of unit column i of T_s along a motion, body by body. */
static inline double force_along(const gdyn_evaluator *e, int i, const double *motion) {
    const gdyn_drive_column *column = &e->drive[i];
    bool planar = e->model->per_body == 3;
    double sum = 0.0;
    /* held friction has full columns */
    if (i >= e->k)
        return gdyn_dot(e->n, e->held + (size_t)e->n * (size_t)(i - e->k), motion);
    for (int b = 0; b < column->parts; b++) {
        const double *entry = column->entry[b], *own = motion + column->first[b];
        sum += v3_dot(entry, own);
        sum += planar ? 0 : v3_dot(entry + 3, own + 3);
    }
    return sum;
}

/* T_s and N have unit columns: what is left of a force that the joints carry alone is rounding, and
 * so would be all that is solved with it. */
void gdyn_evaluator_clean_column(int f, double *column) {
    if (gdyn_norm(f, column) <= ROUNDING)
        memset(column, 0, (size_t)f * sizeof *column);
}

void gdyn_evaluator_map_columns(gdyn_evaluator *e, const double *N, int f, int columns) {
    e->mapped = e->motions->pose;
    for (int i = 0; i < columns; i++) {
        double *column = e->reduced + (size_t)f * (size_t)i;
        for (int j = 0; j < f; j++)
            column[j] = force_along(e, i, N + (size_t)e->n * (size_t)j);
        gdyn_evaluator_clean_column(f, column);
    }
}

/* A matrix whose largest singular value is rounding is zero: no drive moves anything. */
static void decide_zero(gdyn_evaluator *e) {
    if (e->small->rank.greatest < ZERO)
        e->small->rank.rank = 0;
}

gdyn_status gdyn_evaluator_map_drives(gdyn_evaluator *e, const double *N, int f, int columns) {
    gdyn_evaluator_map_columns(e, N, f, columns);
    gdyn_status status = gdyn_svd_factor(e->small, f, columns, e->reduced, f, 0.0);
    if (!status)
        decide_zero(e);
    return status;
}

/* Friction that holds depends on rates: it is left out where the map is made here. */
gdyn_status gdyn_evaluator_map(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f) {
    gdyn_status status = gdyn_evaluator_null(e, state, N, f);
    int pose = e->motions->pose;
    if (status || e->mapped == pose)
        return status;
    if (e->lane[pose].mapped) {
        /* the drives' map of a lane becomes that of the pose at hand */
        const gdyn_lane_equations *own = &e->lane[pose];
        size_t k = (size_t)e->k;
        memcpy(e->reduced, own->map, (size_t)e->motions->f * k * sizeof *own->map);
        memcpy(e->drive_scale, own->drive_scale, k * sizeof *own->drive_scale);
        e->mapped = pose;
    } else {
        gdyn_equations_drives(e, state, NULL);
        gdyn_evaluator_map_columns(e, N, *f, e->k);
    }
    return status;
}

gdyn_status gdyn_evaluator_drive_map(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f,
                                     bool values) {
    gdyn_status status = gdyn_evaluator_map(e, state, N, f);
    if (!status)
        status =
            (values ? gdyn_svd_values : gdyn_svd_factor)(e->small, *f, e->k, e->reduced, *f, 0.0);
    if (!status)
        decide_zero(e);
    return status;
}
