/* self_motion.c - poses along the motions that a standing tool leaves free; see internal.h. */
#include "workspace/internal.h"

#include "access/analysis.h"
#include "base/memory.h"
#include "base/pi.h"
#include "closure/target.h"
#include "mech/row.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

/* The body that moves most does so by this much in a step, of L or rad; the closing moves no body
 * by more than that. */
static const double STRIDE = 0.3;
/* A way: a turn of that body and a little more. */
enum { STEPS_MOST = 24, NEWTON_MOST = 12 };

struct gdyn_self_motion {
    const gdyn_model *model;
    const gdyn_path *path;
    double p;
    int n, drives, left, steps;
    gdyn_state *start, *state, *trial;
    gdyn_closure *closure, *driven; /* for the path's targets; for those of the drives */
    gdyn_target *target, *drive;
    double *scale, *F, *first; /* n; n x n: null([C; E]) at the state, at the start */
    double *d, *du, *u, *u_pp; /* n: direction, step; rates */
    bool marked;               /* the drives' range at the state is known */
    bool placed;               /* so is that of the path */
};

gdyn_self_motion *gdyn_self_motion_create(const gdyn_model *model, int most_targets) {
    gdyn_self_motion *m = gdyn_alloc(1, sizeof *m);
    if (!m)
        return NULL;
    size_t n = (size_t)gdyn_model_coordinates(model),
           rows = (size_t)(gdyn_model_holonomic(model) + gdyn_model_pfaffian(model));
    m->model = model;
    m->n = (int)n;
    m->drives = gdyn_model_drives(model);
    m->start = gdyn_state_create(model), m->state = gdyn_state_create(model);
    m->trial = gdyn_state_create(model);
    m->closure = gdyn_closure_create(model, most_targets);
    m->driven = gdyn_closure_create(model, m->drives);
    m->target = gdyn_alloc((size_t)most_targets + 1, sizeof *m->target);
    m->drive = gdyn_alloc((size_t)m->drives + 1, sizeof *m->drive);
    m->scale = gdyn_alloc(5 * n + 2 * n * n + rows + 1, sizeof *m->scale);
    if (!m->start || !m->state || !m->trial || !m->closure || !m->driven || !m->target ||
        !m->drive || !m->scale) {
        gdyn_self_motion_destroy(m);
        return NULL;
    }
    m->d = m->scale + n, m->du = m->d + n, m->u = m->du + n, m->u_pp = m->u + n;
    m->F = m->u_pp + n, m->first = m->F + n * n;
    gdyn_mech_scales(model, m->first + n * n, m->scale);
    for (int i = 0; i < m->drives; i++)
        m->drive[i].row = model->drive_row[i];
    return m;
}

void gdyn_self_motion_destroy(gdyn_self_motion *m) {
    if (!m)
        return;
    gdyn_state_destroy(m->start), gdyn_state_destroy(m->state);
    gdyn_state_destroy(m->trial);
    gdyn_closure_destroy(m->closure), gdyn_closure_destroy(m->driven);
    gdyn_free(m->target), gdyn_free(m->drive), gdyn_free(m->scale), gdyn_free(m);
}

const gdyn_state *gdyn_self_motion_state(const gdyn_self_motion *m) {
    return m->state;
}

/* --- what a step must keep -------------------------------------------------------------------- */

/* Whole turns between an angle and the middle of its range: the window that it is in. */
static double window(const gdyn_state *state, int range) {
    const gdyn_range_def *def = gdyn_model_range(gdyn_state_model(state), range);
    double middle = isfinite(def->min) && isfinite(def->max) ? 0.5 * (def->min + def->max) : 0;
    return round((gdyn_mech_range_coordinate(state, range) - middle) / (2 * GDYN_PI));
}

/* The trial pose is within all ranges, with angles in the windows of the state. */
static bool within_ranges(const gdyn_self_motion *m) {
    for (int r = 0; r < gdyn_model_ranges(m->model); r++) {
        const gdyn_range_def *def = gdyn_model_range(m->model, r);
        bool turns = !gdyn_model_range_slides(m->model, r) && isfinite(def->min) &&
                     isfinite(def->max) && def->kind != GDYN_RANGE_CONE;
        if (gdyn_mech_range_beyond(m->trial, r) > 0 ||
            (turns && window(m->trial, r) != window(m->state, r)))
            return false;
    }
    return true;
}

/* The range of [C; T^T] of the drives, or of [C; E] of the path at p, at a pose, to be compared or
 * marked. */
static gdyn_status look(gdyn_self_motion *m, bool path, double p, const gdyn_state *state) {
    gdyn_closure_rates rates;
    if (path)
        gdyn_path_evaluate(m->path, p, m->target);
    for (int i = 0; i < m->drives && !path; i++)
        m->drive[i].target[0] = gdyn_row_value(state, &m->drive[i].row);
    return gdyn_closure_derivatives(path ? m->closure : m->driven, state,
                                    path ? gdyn_path_targets(m->path) : m->drives,
                                    path ? m->target : m->drive, NULL, m->u, m->u_pp, &rates);
}

/* Whether no pose at which the drives lose a freedom, or the path's coordinates lose rank, needs to
 * lie between the state at m->p and the trial pose at p, which is marked. */
static gdyn_status keeps_rank(gdyn_self_motion *m, bool path, double p, bool *keeps) {
    gdyn_closure *closure = path ? m->closure : m->driven;
    bool *marked = path ? &m->placed : &m->marked;
    gdyn_status status = GDYN_OK;
    *keeps = true;
    if (!path && m->drives == 0)
        return GDYN_OK;
    if (!*marked) {
        status = look(m, path, m->p, m->state);
        gdyn_closure_mark(closure);
    }
    if (status == GDYN_OK)
        status = look(m, path, p, m->trial);
    *keeps = status == GDYN_OK && gdyn_closure_orientation(closure) > 0;
    gdyn_closure_mark(closure);
    *marked = true;
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* Closes the trial pose for the path at p, without going far. */
static gdyn_status close_trial(gdyn_self_motion *m, double p, bool *closed) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    settings.method = GDYN_CLOSURE_NEWTON, settings.max_iterations = NEWTON_MOST;
    gdyn_path_evaluate(m->path, p, m->target);
    gdyn_status status = gdyn_closure_solve(m->closure, m->trial, gdyn_path_targets(m->path),
                                            m->target, &settings, &info);
    *closed = status == GDYN_OK && info.outcome == GDYN_CLOSED;
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* --- ways ------------------------------------------------------------------------------------- */

gdyn_status gdyn_self_motion_begin(gdyn_self_motion *m, const gdyn_path *path, double p,
                                   const gdyn_state *start, int *ways) {
    m->path = path, m->p = p;
    gdyn_state_copy(m->start, start), gdyn_state_copy(m->state, start);
    gdyn_closure_renew(m->closure), gdyn_closure_renew(m->driven);
    m->marked = m->placed = false;
    gdyn_status status = gdyn_path_free_basis(path, start, p, m->first, &m->left);
    *ways = status == GDYN_OK ? 2 * m->left : 0;
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

void gdyn_self_motion_choose(gdyn_self_motion *m, int way) {
    size_t n = (size_t)m->n;
    gdyn_state_copy(m->state, m->start);
    for (size_t i = 0; i < n; i++)
        m->d[i] = (way % 2 ? -1 : 1) * m->first[i + n * (size_t)(way / 2)];
    m->steps = 0, m->marked = false;
}

/* d := its projection onto the null space at the state, the coordinate that moves most by STRIDE;
 * false: nothing is left. */
static gdyn_status project(gdyn_self_motion *m, bool *left) {
    size_t n = (size_t)m->n;
    int count;
    double most = 0;
    gdyn_status status = gdyn_path_free_basis(m->path, m->state, m->p, m->F, &count);
    /* the basis is orthonormal in scaled coordinates: weights are the inner products there */
    memset(m->du, 0, n * sizeof *m->du);
    for (int k = 0; k < count && status == GDYN_OK; k++) {
        const double *f = m->F + n * (size_t)k;
        double weight = 0;
        for (size_t i = 0; i < n; i++)
            weight += f[i] * m->d[i] / (m->scale[i] * m->scale[i]);
        for (size_t i = 0; i < n; i++)
            m->du[i] += weight * f[i];
    }
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(m->du[i] / m->scale[i]));
    *left = status == GDYN_OK && most > 0;
    for (size_t i = 0; i < n && *left; i++)
        m->d[i] = m->du[i] *= STRIDE * gdyn_model_length(m->model) / most;
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_self_motion_follow(gdyn_self_motion *m, double p, const gdyn_state *next,
                                    bool *follows) {
    gdyn_state_copy(m->trial, next);
    gdyn_state_accept(m->trial);
    *follows = within_ranges(m);
    gdyn_status status = *follows ? keeps_rank(m, false, p, follows) : GDYN_OK;
    if (status == GDYN_OK && *follows)
        status = keeps_rank(m, true, p, follows);
    if (status != GDYN_OK || !*follows)
        return status;
    gdyn_state_copy(m->state, m->trial);
    m->p = p;
    return GDYN_OK;
}

gdyn_status gdyn_self_motion_step(gdyn_self_motion *m, bool *stepped) {
    *stepped = false;
    if (m->steps++ >= STEPS_MOST)
        return GDYN_OK;
    bool good;
    gdyn_status status = project(m, &good);
    if (status != GDYN_OK || !good)
        return status;
    gdyn_state_copy(m->trial, m->state);
    gdyn_state_move(m->trial, m->du);
    status = close_trial(m, m->p, &good);
    if (status != GDYN_OK || !good || !within_ranges(m))
        return status;
    gdyn_state_accept(m->trial);
    status = keeps_rank(m, false, m->p, &good);
    if (status != GDYN_OK || !good)
        return status;
    gdyn_state_copy(m->state, m->trial);
    *stepped = true;
    return GDYN_OK;
}

gdyn_status gdyn_self_motion_reaches(gdyn_self_motion *m, double p, bool *reaches) {
    gdyn_state_copy(m->trial, m->state);
    gdyn_status status = close_trial(m, p, reaches);
    *reaches = *reaches && within_ranges(m);
    return status;
}
