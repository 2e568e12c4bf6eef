/* rest.c - the drive forces for accelerations of a tool from rest, and for external forces on it;
 * see analysis.h.
 *
 * With N (n x f) the free motions, H = N^T T: H n = N^T M N v - N^T g - N^T P^T f, where the motion
 * v of least size gives the tool's acceleration, E N v = (a, 0). The SVD of H solves all right-hand
 * sides at once. Where the drives cannot give that v it is the least of those that obey the
 * equations of the motions U without a drive, too: U^T M N v = 0. */

#include "access/dynamics.h"
#include "access/analysis.h"
#include "base/memory.h"
#include "closure/target.h"
#include "linalg/dot.h"
#include "mech/row.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, SIDES = 1 + 2 * AXES };

/* Share of a right-hand side that counts as beyond what the drives reach; entries of V that are
 * rounding. */
static const double BEYOND = 1e-9, ROUNDING = 1e-13;

typedef struct storage {
    gdyn_rest rest; /* first: a gdyn_rest * is a pointer to this */
    gdyn_arena *arena;
    double *zero, *g, *viscous; /* n each */
    double *motion;             /* n x axes: v */
    double *side, *answer;      /* n x SIDES; greater of n and k x SIDES */
    double *C, *accel, *force, *V, *min, *max;
    double *push; /* n x (1 + AXES): minus applied forces; M times the motions; of uneven masses */
    double *U;    /* n x n: scaled motions without a drive; n: M times a motion */
} storage;

gdyn_rest *gdyn_rest_create(const gdyn_model *model) {
    gdyn_arena *arena;
    storage *s = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return NULL;
    size_t n = (size_t)gdyn_model_coordinates(model), k = (size_t)gdyn_model_drives(model);
    s->arena = arena;
    const struct {
        double **of;
        size_t count;
    } list[] = {{&s->zero, n},
                {&s->g, n},
                {&s->viscous, n},
                {&s->motion, AXES * n},
                {&s->side, SIDES * n},
                {&s->answer, SIDES * (n > k ? n : k)},
                {&s->C, k},
                {&s->min, k},
                {&s->max, k},
                {&s->accel, AXES * k},
                {&s->force, AXES * k},
                {&s->V, k * k},
                {&s->U, n * (n + 1)},
                {&s->push, (1 + AXES) * n}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        *list[i].of = gdyn_arena_doubles(arena, list[i].count);
    s->rest.q =
        (gdyn_coefficients){.k = (int)k, .C = s->C, .V = s->V, .min = s->min, .max = s->max};
    s->rest.axes = gdyn_model_space(model) == GDYN_PLANAR ? 2 : 3;
    s->rest.accel = s->accel, s->rest.force = s->force;
    if (!gdyn_arena_failed(arena))
        return &s->rest;
    gdyn_arena_destroy(arena);
    return NULL;
}

void gdyn_rest_destroy(gdyn_rest *rest) {
    if (rest)
        gdyn_arena_destroy(((storage *)rest)->arena);
}

static void take_limits(const gdyn_evaluator *e, storage *s) {
    const gdyn_limit_pose rest = {.model = e->model, .drive_rate = e->speed};
    for (int i = 0; i < e->k; i++) {
        s->min[i] = -INFINITY, s->max[i] = INFINITY;
        e->speed[i] = 0;
    }
    for (int i = 0; i < e->limited_rows; i++) {
        if (e->limited[i].kind->of != GDYN_LIMIT_OF_DRIVE)
            continue;
        gdyn_limit_terms t = gdyn_limit_terms_of(&e->limited[i], &rest);
        s->min[t.effort] = fmax(s->min[t.effort], t.min);
        s->max[t.effort] = fmin(s->max[t.effort], t.max);
    }
}

/* e->tasks := the prescribed motions E N and, below, `undriven` rows of U^T M N, each of unit size.
 * N: unscaled. */
static void map_motions(gdyn_evaluator *e, const gdyn_state *state, int count,
                        const gdyn_target *targets, int f, int undriven, storage *s) {
    size_t n = (size_t)e->n, rows = (size_t)(count + undriven);
    double *Mu = s->U + n * n;
    gdyn_evaluator_task_map(e, state, count, targets, e->null, f, e->map);
    for (size_t j = 0; j < (size_t)f; j++)
        for (size_t i = 0; i < (size_t)count; i++)
            e->tasks[i + rows * j] = e->map[i + (size_t)count * j];
    for (size_t i = 0; i < (size_t)undriven; i++) {
        gdyn_mech_mass_apply(state, s->U + n * i, Mu);
        double size = 0;
        for (size_t j = 0; j < (size_t)f; j++) {
            double part = gdyn_dot(e->n, Mu, e->null + n * j);
            e->tasks[(size_t)count + i + rows * j] = part;
            size = hypot(size, part);
        }
        for (size_t j = 0; j < (size_t)f && size > 0; j++)
            e->tasks[(size_t)count + i + rows * j] /= size;
    }
}

/* v (f) of least size for a unit acceleration of the tool along each axis; `undriven` motions of U
 * move by themselves. */
static gdyn_status find_motions(gdyn_evaluator *e, const gdyn_state *state, int count,
                                const gdyn_target *targets, int f, int undriven, storage *s) {
    gdyn_rest *rest = &s->rest;
    rest->moved = count >= rest->axes && count + undriven <= e->n;
    if (!rest->moved)
        return GDYN_OK;
    map_motions(e, state, count, targets, f, undriven, s);
    count += undriven;
    gdyn_status status = gdyn_svd_factor(e->small, count, f, e->tasks, count, 0);
    for (int a = 0; a < rest->axes && !status; a++) {
        double *unit = e->few, *left = e->few + e->n;
        memset(unit, 0, (size_t)count * sizeof *unit);
        unit[a] = 1;
        gdyn_svd_solve(e->small, 1, unit, count, s->motion + (size_t)f * (size_t)a, f);
        /* a direction in which the machine cannot move does not count; other coordinates must keep
         * still */
        gdyn_svd_residual(e->small, unit, left);
        for (int i = rest->axes; i < count; i++)
            rest->moved = rest->moved && fabs(left[i]) <= BEYOND;
    }
    return status;
}

/* Right-hand sides (f each): the load, then accelerations, then forces along the axes. N:
 * unscaled. */
static void fill_sides(gdyn_evaluator *e, const gdyn_state *state, const gdyn_anchor *tool,
                       const double *N, int f, storage *s) {
    /* at rest neither speeds nor dry friction count */
    gdyn_path_rates rates = {.u_p = s->zero};
    gdyn_mech_path_forces(state, &rates, s->g, s->viscous);
    gdyn_gemm(1, 0, f, 1, e->n, -1, N, e->n, s->g, e->n, 0, s->side, f);
    gdyn_mech_mass_reduce(state, f, N, e->MN, e->M);
    gdyn_gemm(0, 0, f, s->rest.axes, f, 1, e->M, f, s->motion, f, 0, s->side + f, f);
    for (int i = 0; i < e->n; i++)
        s->push[i] = -s->g[i];
    for (int a = 0; a < s->rest.axes && e->uneven_masses; a++) {
        gdyn_gemm(0, 0, e->n, 1, f, 1, N, e->n, s->motion + (size_t)f * (size_t)a, f, 0, e->few,
                  e->n);
        gdyn_mech_mass_apply(state, e->few, s->push + e->n * (1 + a));
    }
    /* a force on the tool works along its motion */
    for (int a = 0; a < s->rest.axes; a++) {
        gdyn_row row = gdyn_row_point(e->model, *tool, a);
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &row, &jacobian);
        double *out = s->side + (size_t)f * (size_t)(1 + s->rest.axes + a);
        for (int j = 0; j < f; j++)
            out[j] = -gdyn_row_speed(state, &jacobian, N + (size_t)e->n * j);
    }
}

/* Whether the drives reach this right-hand side. */
static bool reached(gdyn_evaluator *e, int f, const double *side) {
    return gdyn_svd_residual(e->small, side, e->few) <= BEYOND * gdyn_norm(f, side);
}

/* Forces of the drives from the scaled solutions, and V from null(H). */
static void take_answers(gdyn_evaluator *e, int f, storage *s) {
    int k = e->k, axes = s->rest.axes, sides = 1 + 2 * axes;
    gdyn_svd_solve(e->small, sides, s->side, f, s->answer, k);
    for (int i = 0; i < k; i++) {
        s->C[i] = e->drive_scale[i] * s->answer[i];
        for (int a = 0; a < axes; a++) {
            s->accel[i + k * a] = e->drive_scale[i] * s->answer[i + k * (1 + a)];
            s->force[i + k * a] = e->drive_scale[i] * s->answer[i + k * (1 + axes + a)];
        }
    }
    s->rest.q.r = gdyn_svd_null(e->small, s->V, k);
    for (int j = 0; j < s->rest.q.r; j++)
        for (int i = 0; i < k; i++)
            s->V[i + k * j] =
                fabs(s->V[i + k * j]) > ROUNDING ? e->drive_scale[i] * s->V[i + k * j] : 0;
    /* what the drives cannot do whatever their limits */
    s->rest.held = reached(e, f, s->side);
    s->rest.carried = true;
    for (int a = 0; a < axes; a++) {
        s->rest.moved = s->rest.moved && reached(e, f, s->side + (size_t)f * (size_t)(1 + a));
        s->rest.carried =
            s->rest.carried && reached(e, f, s->side + (size_t)f * (size_t)(1 + axes + a));
    }
}

/* Load and accelerations anew, body by body. */
static gdyn_status grade_answers(gdyn_evaluator *e, int f, int rank, storage *s) {
    gdyn_status status = gdyn_graded_motions(e, f, e->null);
    if (!status)
        status = gdyn_graded_answer(e, f, rank, s->push, s->C);
    for (int a = 0; a < s->rest.axes && s->rest.moved && !status; a++)
        status = gdyn_graded_answer(e, f, rank, s->push + e->n * (1 + a), s->accel + e->k * a);
    return status;
}

/* All answers, with motions that are free (n x f, unscaled, in e->null) and `undriven` of U. */
static gdyn_status answer(gdyn_evaluator *e, const gdyn_state *state, int count,
                          const gdyn_target *targets, const gdyn_anchor *tool, int f, int undriven,
                          storage *s) {
    gdyn_status status = find_motions(e, state, count, targets, f, undriven, s);
    if (status)
        return status;
    fill_sides(e, state, tool, e->null, f, s);
    /* H and its singular values */
    status = gdyn_evaluator_drive_map(e, state, e->null, &f, false);
    if (status)
        return status;
    s->rest.distance = gdyn_drive_map_distance(e, f);
    take_answers(e, f, s);
    return e->uneven_masses ? grade_answers(e, f, e->small->rank.rank, s) : GDYN_OK;
}

/* e->null := the free motions, unscaled. */
static gdyn_status find_free(gdyn_evaluator *e, const gdyn_state *state, int *f) {
    gdyn_status status = gdyn_evaluator_null(e, state, e->null, f);
    for (int j = 0; j < *f && !status; j++)
        for (int i = 0; i < e->n; i++)
            e->null[i + (size_t)e->n * (size_t)j] *= e->column_scale[i];
    return status;
}

gdyn_status gdyn_evaluator_rest(gdyn_evaluator *e, const gdyn_state *state, int count,
                                const gdyn_target *targets, const gdyn_anchor *tool,
                                gdyn_rest *rest) {
    storage *s = (storage *)rest;
    int f, undriven = 0;
    gdyn_status status = find_free(e, state, &f);
    take_limits(e, s);
    if (status == GDYN_OK)
        status = answer(e, state, count, targets, tool, f, 0, s);
    if (status != GDYN_OK || rest->moved || !rest->held)
        return status;
    /* what no drive moves may follow */
    status = gdyn_undriven_basis(state, s->U, &undriven);
    if (status != GDYN_OK || undriven == 0 || count + undriven > e->n)
        return status;
    status = find_free(e, state, &f);
    return status == GDYN_OK ? answer(e, state, count, targets, tool, f, undriven, s) : status;
}
