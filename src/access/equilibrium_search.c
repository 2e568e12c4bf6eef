/* equilibrium_search.c - the equilibrium that a machine comes to from a first guess.
 *
 * Where the motions U that move no drive leave the path's targets as they are, the machine is let
 * go with its drives held: the applied forces do work along U until the potential has a minimum.
 * Each step is Newton's for the potential, (K + s) y = U^T g with the least shift s that makes it
 * positive, halved until the forces do work on it, by the trapezoidal rule from the forces at both
 * ends. Then, and everywhere else, Newton's method for balance follows (equilibrium.c). */
#include "access/equilibrium_work.h"
#include "access/freedoms.h"
#include "linalg/dot.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* Steps of a search between its starts (shares of L, rad), and how many: half a turn and more. */
static const double AWAY = 0.4;
enum { STARTS_EACH_WAY = 8 };
/* Letting go: most steps, and where Newton's method for balance takes over. */
enum { MOST_FALLS = 200, MOST_SHORTER = 12 };
static const double NEAR = 1e-7;
/* U moves no target of the path: what is left of it outside the path's freedoms. */
static const double OUTSIDE = 1e-6;
/* Least stiffness of a step as a share of the greatest, and the work on a step as a share of what
 * its force promises. */
static const double SOFT = 0.1, WORK = 1e-4;

/* --- letting go ------------------------------------------------------------------------------- */

/* Whether U lies within the freedoms F of the path, both of this pose. */
static gdyn_status drives_may_stay(gdyn_equilibrium *w, double p, const gdyn_state *state, int q,
                                   int *left, bool *may) {
    size_t n = (size_t)w->n;
    gdyn_status status = gdyn_path_free_basis(w->path, state, p, w->F, left);
    *may = status == GDYN_OK && q > 0 && q <= *left;
    for (int j = 0; *may && j < q; j++) {
        double inside = 0;
        for (int k = 0; k < *left; k++) {
            double part = 0;
            for (size_t i = 0; i < n; i++)
                part +=
                    w->F[i + n * (size_t)k] * w->U[i + n * (size_t)j] / (w->unit[i] * w->unit[i]);
            inside += part * part;
        }
        *may = inside > 1 - OUTSIDE;
    }
    return status;
}

/* y := a step along U on which the forces right = U^T g do work; false: nothing moves the
 * machine. */
static bool aim_down(gdyn_equilibrium *w, int q, double *even, const double *right, bool *minimum) {
    double value[GDYN_EQUILIBRIUM_MOST], copy[GDYN_EQUILIBRIUM_MOST * GDYN_EQUILIBRIUM_MOST];
    memcpy(copy, even, (size_t)(q * q) * sizeof *copy);
    if (!gdyn_symmetric_values(q, copy, value))
        return false;
    double top = fmax(fabs(value[0]), fabs(value[q - 1]));
    double soft = top > 0 ? SOFT * top : 1, shift = value[0] < soft ? soft - value[0] : 0;
    *minimum = value[0] > 0;
    /* soft but stable: the step of Newton */
    if (*minimum && value[0] > NEAR * top)
        shift = 0;
    for (int j = 0; j < q; j++) {
        even[j + q * j] += shift;
        w->y[j] = right[j];
    }
    if (gdyn_cholesky_factor(q, even) != GDYN_OK)
        return false;
    gdyn_cholesky_solve(q, even, 1, w->y);
    double length = gdyn_norm(q, w->y);
    double longest = GDYN_EQUILIBRIUM_LONGEST * gdyn_model_length(w->model);
    for (int j = 0; j < q && length > longest; j++)
        w->y[j] *= longest / length;
    return length > 0;
}

/* Work of the applied forces, U and g of the pose after it, on the motion du before it. */
static double power_after(const gdyn_equilibrium *w, int q) {
    double work = 0;
    for (int j = 0; j < q; j++) {
        const double *u = w->U + (size_t)w->n * (size_t)j;
        double along = 0;
        for (int i = 0; i < w->n; i++)
            along += u[i] * w->du[i] / (w->unit[i] * w->unit[i]);
        work += along * gdyn_dot(w->n, u, w->g);
    }
    return work;
}

/* The longest of halved steps on which the forces do work; U and the forces are then those of that
 * pose. */
static gdyn_status fall(gdyn_equilibrium *w, gdyn_state *state, const double *right,
                        gdyn_equilibrium_info *info, double *size, bool *fell) {
    int q = info->undriven;
    double promised = 0, step = 1;
    gdyn_status status = GDYN_OK;
    memcpy(w->F, w->U, (size_t)w->n * (size_t)q * sizeof *w->F);
    for (int j = 0; j < q; j++)
        promised += right[j] * w->y[j];
    *fell = false;
    for (int i = 0; status == GDYN_OK && !*fell && i < MOST_SHORTER; i++, step *= 0.5) {
        bool closed;
        status = gdyn_equilibrium_displace(w, state, q, step, &closed);
        if (status != GDYN_OK || !closed)
            continue;
        status = gdyn_equilibrium_balance(w, w->trial, info, size);
        if (status == GDYN_OK && info->undriven == q)
            *fell = 0.5 * (step * promised + power_after(w, q)) >= WORK * step * promised;
    }
    if (*fell)
        gdyn_state_copy(state, w->trial);
    return status;
}

/* Lets the machine go with its drives held, until it is near an equilibrium. Where the drives
 * cannot be held it stays; *held. */
static gdyn_status let_go(gdyn_equilibrium *w, double p, gdyn_state *state, bool *held) {
    double right[GDYN_EQUILIBRIUM_MOST], even[GDYN_EQUILIBRIUM_MOST * GDYN_EQUILIBRIUM_MOST], size;
    gdyn_equilibrium_info info = {0};
    bool falls;
    *held = false;
    gdyn_path_evaluate(w->path, p, w->target);
    gdyn_status status = gdyn_equilibrium_balance(w, state, &info, &size);
    if (status != GDYN_OK || info.undriven > GDYN_EQUILIBRIUM_MOST)
        return status;
    status = drives_may_stay(w, p, state, info.undriven, &info.left, held);
    falls = *held;
    for (int i = 0; status == GDYN_OK && falls && i < MOST_FALLS; i++) {
        int q = info.undriven;
        bool minimum;
        for (int j = 0; j < q; j++)
            right[j] = gdyn_dot(w->n, w->U + (size_t)w->n * (size_t)j, w->g);
        status = gdyn_equilibrium_stiffness(w, state, q, even);
        if (status != GDYN_OK || !aim_down(w, q, even, right, &minimum) ||
            (minimum && info.unbalanced < NEAR))
            break;
        /* the forces of this pose were displaced for the stiffness */
        status = fall(w, state, right, &info, &size, &falls);
    }
    return status;
}

/* --- a search --------------------------------------------------------------------------------- */

/* The best equilibrium so far. */
typedef struct quest {
    gdyn_equilibrium *w;
    double p;
    const gdyn_state *start;
    gdyn_state *best, *other;
    gdyn_equilibrium_info *info; /* of the best */
    double distance;             /* of it from the start */
    /* the machine fell into it with its drives held, or it is one of a continuum, the next one */
    bool settled;
} quest;

static bool is_stable(const gdyn_equilibrium_info *info) {
    return info->found && info->stiffness >= GDYN_EQUILIBRIUM_UNSTABLE;
}

/* Distance of two poses: displacements, and turns times L, of all bodies. */
static double distance_of(const gdyn_equilibrium *w, const gdyn_state *a, const gdyn_state *b) {
    double sum = 0;
    for (int i = 0; i < gdyn_model_bodies(w->model); i++) {
        double ra[3], Ra[9], rb[3], Rb[9], trace = 0;
        gdyn_state_body(a, i, ra, Ra);
        gdyn_state_body(b, i, rb, Rb);
        v3_sub(ra, ra, rb);
        for (int k = 0; k < 9; k++)
            trace += Ra[k] * Rb[k];
        double turn = acos(fmax(-1, fmin(1, 0.5 * (trace - 1))));
        sum = hypot(sum, hypot(v3_norm(ra), turn * gdyn_model_length(w->model)));
    }
    return sum;
}

/* The equilibrium from one start. Where something is not finite none is found: other starts may
 * lead elsewhere. */
static gdyn_status try_start(quest *q, const gdyn_state *start) {
    gdyn_equilibrium *w = q->w;
    gdyn_equilibrium_info tried = {0};
    bool held = false;
    gdyn_state_copy(q->other, start);
    gdyn_status status = let_go(w, q->p, q->other, &held);
    if (status == GDYN_OK)
        status = gdyn_equilibrium_solve(w, q->p, q->other, &tried);
    if (status == GDYN_ERROR_NUMERIC) {
        tried.found = false;
        status = gdyn_path_free_basis(w->path, start, q->p, w->F, &tried.left);
    }
    if (status != GDYN_OK)
        return status;
    /* a stable one before others, the nearest of stable ones */
    double distance = distance_of(w, q->other, q->start);
    bool first = start == q->start, stable = is_stable(&tried), known = is_stable(q->info);
    bool take = stable ? !known || distance < q->distance : tried.found && !q->info->found;
    if (first || take) {
        gdyn_state_copy(q->best, q->other);
        *q->info = tried;
        q->distance = distance;
        q->settled = stable && (held || tried.determined < tried.left);
    }
    return GDYN_OK;
}

/* Whether no equilibrium beyond that distance from the start is better than the best. */
static bool is_settled(const quest *q, double beyond) {
    return is_stable(q->info) && (q->settled || q->distance <= beyond);
}

/* y := of length AWAY L along the freedom that is nearest to the motion du before (NULL: the first
 * freedom), or along the k-th of them. */
static gdyn_status aim(gdyn_equilibrium *w, double p, const gdyn_state *state, const double *before,
                       int k, double sign, int *left) {
    double size = 0;
    gdyn_status status = gdyn_path_free_basis(w->path, state, p, w->F, left);
    for (int j = 0; status == GDYN_OK && j < *left; j++) {
        w->y[j] = before ? 0 : j == k ? sign : 0;
        for (int i = 0; before && i < w->n; i++)
            w->y[j] += w->F[i + (size_t)w->n * (size_t)j] * before[i] / (w->unit[i] * w->unit[i]);
        size = hypot(size, w->y[j]);
    }
    for (int j = 0; status == GDYN_OK && j < *left && size > 0; j++)
        w->y[j] *= AWAY * gdyn_model_length(w->model) / size;
    return status;
}

/* Poses on the way from the start along one freedom; the equilibrium next to each is taken where it
 * is better. */
static gdyn_status search_along(quest *q, int k, double sign) {
    gdyn_equilibrium *w = q->w;
    gdyn_state *here = gdyn_state_clone(q->start);
    gdyn_status status = here ? GDYN_OK : GDYN_ERROR_MEMORY;
    bool closed = true;
    for (int i = 0; status == GDYN_OK && closed && i < STARTS_EACH_WAY; i++) {
        int left;
        if (is_settled(q, (i + 1) * AWAY * gdyn_model_length(w->model)))
            break;
        status = aim(w, q->p, here, i > 0 ? w->stage[0] : NULL, k, sign, &left);
        if (status == GDYN_OK)
            status = gdyn_equilibrium_displace(w, here, left, 1, &closed);
        if (status != GDYN_OK || !closed)
            break;
        memcpy(w->stage[0], w->du, (size_t)w->n * sizeof *w->du);
        gdyn_state_copy(here, w->trial);
        status = try_start(q, here);
    }
    gdyn_state_destroy(here);
    /* a way that cannot be followed ends there */
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_equilibrium_search(gdyn_equilibrium *w, double p, gdyn_state *state,
                                    gdyn_equilibrium_info *info) {
    gdyn_state *start = gdyn_state_clone(state), *other = gdyn_state_clone(state);
    quest q = {.w = w, .p = p, .start = start, .best = state, .other = other, .info = info};
    gdyn_status status = start && other ? GDYN_OK : GDYN_ERROR_MEMORY;
    *info = (gdyn_equilibrium_info){0};
    if (status == GDYN_OK)
        status = try_start(&q, start);
    int ways = 2 * info->left;
    for (int k = 0; status == GDYN_OK && k < ways; k++)
        status = search_along(&q, k / 2, k % 2 ? -1 : 1);
    gdyn_state_destroy(start);
    gdyn_state_destroy(other);
    return status;
}
