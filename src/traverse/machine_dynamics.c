/* machine_dynamics.c - coefficients of a machine at any place, in p or in the travel s. */
#include "traverse/internal.h"

#include "mech/mech.h"

#include <math.h>
#include <string.h>

/* Workspaces; nothing is followed yet. */
gdyn_machine_dynamics *gdyn_machine_dynamics_create(const gdyn_model *model, const gdyn_path *path,
                                                    const gdyn_track *track,
                                                    const gdyn_singularities *singular) {
    gdyn_machine_dynamics *s = gdyn_alloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->model = model;
    s->path = path;
    s->evaluator = gdyn_evaluator_create(model);
    s->own = track ? NULL : gdyn_track_create(model, path);
    s->track = track ? track : s->own;
    s->singular = track ? singular : &s->found;
    s->place = s->track ? gdyn_path_place_create(path, s->track) : NULL;
    s->pose = gdyn_pose_create(model);
    size_t n = (size_t)gdyn_model_coordinates(model), rows = (size_t)gdyn_pose_capacity(model);
    s->rest = gdyn_alloc(4 * n + 1, sizeof *s->rest);
    s->along = s->rest ? s->rest + 2 * n : NULL;
    s->numbers = gdyn_alloc(8 * rows + 3 * n + 3, sizeof *s->numbers);
    s->evaluated = NAN;
    if (!s->evaluator || !s->track || !s->place || !s->pose || !s->rest || !s->numbers) {
        gdyn_machine_dynamics_destroy(s);
        return NULL;
    }
    return s;
}

/* Safe on a partly made object. */
void gdyn_machine_dynamics_destroy(gdyn_machine_dynamics *s) {
    if (!s)
        return;
    gdyn_evaluator_destroy(s->evaluator);
    gdyn_track_destroy(s->own);
    gdyn_path_place_destroy(s->place);
    gdyn_singularities_free(&s->found);
    gdyn_pose_destroy(s->pose);
    gdyn_free(s->rest);
    gdyn_reversals_free(&s->reversals);
    gdyn_regular_destroy(s->regular);
    gdyn_free(s->numbers);
    gdyn_free(s);
}

/* The machine along the whole path. */
static gdyn_status follow(gdyn_machine_dynamics *s) {
    gdyn_closure *closure = gdyn_closure_create(s->model, gdyn_path_targets(s->path));
    gdyn_status status =
        closure ? gdyn_track_follow(s->own, s->path, closure, NULL) : GDYN_ERROR_MEMORY;
    gdyn_closure_destroy(closure);
    return status;
}

/* The path is followed, unless it was, with its reversals and singular poses. */
gdyn_status gdyn_machine_dynamics_follow(gdyn_machine_dynamics *s) {
    gdyn_path_place_reset(s->place);
    s->evaluated = NAN;
    gdyn_status status = s->own ? follow(s) : GDYN_OK;
    gdyn_reversals_free(&s->reversals);
    if (status == GDYN_OK)
        status = gdyn_reversals_find(s->place, &s->reversals);
    if (status == GDYN_OK && !s->regular)
        status = gdyn_regular_create(s->path, &s->regular);
    return status == GDYN_OK && s->own
               ? gdyn_singularities_find(s->path, s->track, s->evaluator, &s->found)
               : status;
}

/* --- a place ---------------------------------------------------------------------------------- */

/* Coefficients at the present pose. The search for cusps needs u_p as it is, however small. */
gdyn_status gdyn_machine_dynamics_evaluate(gdyn_machine_dynamics *s) {
    size_t n = (size_t)gdyn_model_coordinates(s->model);
    double *u_p = s->rest, *u_pp = s->rest + n;
    s->evaluated = NAN;
    memcpy(u_p, s->place->u_p, n * sizeof *u_p);
    memcpy(u_pp, s->place->u_pp, n * sizeof *u_pp);
    gdyn_track_rest(s->track, u_p, u_pp);
    const gdyn_path_rates rates = gdyn_track_rates_at(s->track, s->place->p, u_p, u_pp);
    return gdyn_evaluator_pose(s->evaluator, s->place->state, &rates, GDYN_REDUCE_NULL, s->pose);
}

gdyn_status gdyn_machine_dynamics_at(gdyn_machine_dynamics *s, double p, gdyn_point_status *found) {
    *found = GDYN_POINT_OK;
    if (p == s->evaluated) /* asked again at the same place */
        return GDYN_OK;
    s->evaluated = NAN;
    gdyn_status status = gdyn_path_place_at(s->place, p);
    *found = s->place->status;
    if (status == GDYN_OK && *found == GDYN_POINT_OK)
        status = gdyn_machine_dynamics_evaluate(s);
    s->evaluated = status == GDYN_OK && *found == GDYN_POINT_OK ? p : NAN;
    return status;
}

/* --- another parameter ------------------------------------------------------------------------ */

void gdyn_machine_dynamics_measure(gdyn_machine_dynamics *s, double p) {
    gdyn_regular_speed(s->regular, p, &s->g, &s->slope);
}

/* Bounds of their rounding, to (3 k). */
static void transform_errors(const gdyn_machine_dynamics *s, const gdyn_coefficients *q,
                             gdyn_coefficients *c, double *to) {
    double g = s->g, bend = fabs(s->slope / g);
    double *A = to, *B = A + q->k, *D = B + q->k;
    for (int i = 0; i < q->k; i++) {
        A[i] = (q->A_error[i] + bend * q->D_error[i]) / (g * g);
        B[i] = q->B_error[i] / g;
        D[i] = q->D_error[i] / g;
    }
    c->A_error = A, c->B_error = B, c->D_error = D;
    c->eq_a_error = (q->eq_a_error + bend * q->eq_d_error) / (g * g);
    c->eq_b_error = q->eq_b_error / g;
    c->eq_d_error = q->eq_d_error / g;
}

/* The coefficients of p become those of s. */
void gdyn_machine_dynamics_transform(gdyn_machine_dynamics *s) {
    const gdyn_coefficients *q = &s->pose->coefficients;
    gdyn_coefficients *c = &s->coefficients;
    size_t k = (size_t)q->k, e = (size_t)q->equalities;
    /* d1 = ds/dt / g and d2 = (d2s/dt2 - (g'/g^2) (ds/dt)^2) / g, put into the rows */
    double *to = s->numbers, g = s->g, bend = s->slope / g;
    double *A = to, *B = to + k, *D = to + 2 * k, *low = to + 3 * k, *high = to + 4 * k;
    double *a = to + 5 * k, *b = a + e, *d = b + e;
    *c = *q;
    for (int i = 0, n = s->track->n; i < n; i++) {
        s->along[i] = s->place->u_p[i] / g;
        s->along[i + n] = (s->place->u_pp[i] - s->place->u_p[i] * bend) / (g * g);
    }
    for (size_t i = 0; i < k; i++) {
        A[i] = (q->A[i] - q->D[i] * bend) / (g * g);
        B[i] = q->B[i] / g;
        D[i] = q->D[i] / g;
        low[i] = q->min_slope ? q->min_slope[i] / g : 0;
        high[i] = q->max_slope ? q->max_slope[i] / g : 0;
    }
    for (size_t i = 0; i < e; i++) {
        a[i] = (q->eq_a[i] - q->eq_d[i] * bend) / (g * g);
        b[i] = q->eq_b[i] / g;
        d[i] = q->eq_d[i] / g;
    }
    c->A = A, c->B = B, c->D = D;
    c->min_slope = q->min_slope ? low : NULL, c->max_slope = q->max_slope ? high : NULL;
    if (e > 0)
        c->eq_a = a, c->eq_b = b, c->eq_d = d;
    c->d1_low = q->d1_low * g, c->d1_high = q->d1_high * g;
    transform_errors(s, q, c, d + e);
}
