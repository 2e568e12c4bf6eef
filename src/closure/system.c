/* system.c - residual and Jacobian of the scaled closing equations (see internal.h). */
#include "closure/internal.h"

#include "base/pi.h"

#include <math.h>
#include <string.h>

/* Weighted displacements; false: a weight that is not positive. */
bool gdyn_closure_weigh(gdyn_closure *w, const double *weights) {
    for (int j = 0; j < w->n; j++) {
        if (weights && !(weights[j] > 0 && isfinite(weights[j])))
            return false;
        w->column[j] = weights ? w->unit[j] / sqrt(weights[j]) : w->unit[j];
    }
    return true;
}

bool gdyn_closing_arguments_fit(gdyn_closure *w, int count, const gdyn_target *targets,
                                const double *weights, bool rates) {
    bool fit = count >= 0 && count <= w->max_targets;
    for (int i = 0; fit && i < count; i++)
        fit = rates ? isfinite(targets[i].target[1]) && isfinite(targets[i].target[2])
                    : isfinite(targets[i].target[0]);
    return fit && gdyn_closure_weigh(w, weights);
}

double gdyn_closure_target_scale(const gdyn_closure *w, const gdyn_target *target) {
    return target->row.length ? 1 / w->L : 1;
}

int gdyn_closing_rows(const gdyn_closing_system *q) {
    return q->w->m + q->count + (q->guarded ? q->w->guards : 0);
}

/* An angle is met when it is met up to whole turns: which turn was counted is not a matter of the
 * pose. */
double gdyn_closure_target_residual(const gdyn_state *state, const gdyn_target *target) {
    double r = gdyn_row_value(state, &target->row) - target->target[0];
    return target->row.kind == GDYN_ROW_TURN ? remainder(r, 2 * GDYN_PI) : r;
}

double gdyn_closing_residual(gdyn_closing_system *q, const gdyn_state *state, double *r,
                             double *greatest) {
    gdyn_closure *w = q->w;
    double sum = 0, most = 0;
    /* rows of the joints, then of the path, each in its unit */
    gdyn_mech_constraints(state, w->phi);
    for (int i = 0; i < w->m; i++)
        r[i] = w->phi[i] * w->row_scale[i];
    for (int i = 0; i < q->count; i++)
        r[w->m + i] = gdyn_closure_target_residual(state, &q->targets[i]) *
                      gdyn_closure_target_scale(w, &q->targets[i]);
    for (int i = 0; i < w->m + q->count; i++)
        most = fabs(r[i]) <= most ? most : fabs(r[i]);
    /* guards are one where the axes agree */
    for (int i = 0; q->guarded && i < w->guards; i++)
        r[w->m + q->count + i] = gdyn_row_value(state, &w->guard[i].row) - 1;
    for (int i = 0; i < gdyn_closing_rows(q); i++)
        sum += r[i] * r[i];
    if (greatest)
        *greatest = isfinite(sum) ? most : INFINITY;
    q->info->evaluations++;
    return isfinite(sum) ? sum : INFINITY;
}

static void scatter(const gdyn_closure *w, const gdyn_state *state, const gdyn_row *row,
                    double scale, int rows, int index) {
    gdyn_row_jacobian jacobian;
    gdyn_row_derivative(state, row, &jacobian);
    gdyn_row_scatter(state, &jacobian, scale, w->J, rows, index);
}

void gdyn_closing_assemble(gdyn_closure *w, const gdyn_state *state, int own, int count,
                           const gdyn_target *targets, int guards) {
    int rows = own + count + guards, all = w->m + w->h;
    gdyn_mech_jacobian(state, w->C);
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < rows; i++)
            w->J[i + (size_t)rows * j] = i < own ? w->C[i + (size_t)all * j] * w->row_scale[i] : 0;
    for (int i = 0; i < count; i++)
        scatter(w, state, &targets[i].row, gdyn_closure_target_scale(w, &targets[i]), rows,
                own + i);
    for (int i = 0; i < guards; i++)
        scatter(w, state, &w->guard[i].row, 1, rows, own + count + i);
    /* scaled displacements */
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < rows; i++)
            w->J[i + (size_t)rows * j] *= w->column[j];
}

/* Pfaffian rows restrict no displacement. */
void gdyn_closing_jacobian(gdyn_closing_system *q) {
    gdyn_closing_assemble(q->w, q->state, q->w->m, q->count, q->targets,
                          q->guarded ? q->w->guards : 0);
}

/* The trial pose: the present one displaced by factor x. */
void gdyn_closing_try(gdyn_closing_system *q, const double *x, double factor) {
    gdyn_closure *w = q->w;
    for (int j = 0; j < w->n; j++)
        w->du[j] = factor * w->column[j] * x[j];
    gdyn_state_copy(w->trial, q->state);
    gdyn_state_move(w->trial, w->du);
}

/* The trial pose becomes the present one. */
void gdyn_closing_accept(gdyn_closing_system *q, const double *x, double factor) {
    double sum = 0;
    for (int j = 0; j < q->w->n; j++)
        sum += pow(x[j] * q->w->column[j] / q->w->unit[j], 2);
    q->moved += fabs(factor) * sqrt(sum);
    gdyn_state_copy(q->state, q->w->trial);
}

void gdyn_closing_follow(const gdyn_closing_system *q, gdyn_closure_method at_work,
                         double residual) {
    if (q->settings->follow)
        q->settings->follow(q->settings->follow_context, at_work, q->info->evaluations, residual);
}

double gdyn_closing_radius(const gdyn_closing_system *q) {
    return q->settings->max_step * sqrt(q->w->bodies > 0 ? q->w->bodies : 1);
}

/* QR of J^T: the last columns of Q span the free motions. */
gdyn_status gdyn_closure_factor(gdyn_closure *w, gdyn_qr *qr, int rows, double cut) {
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < rows; i++)
            w->Jt[j + (size_t)w->n * i] = w->J[i + (size_t)rows * j];
    return gdyn_qr_factor(qr, w->n, rows, w->Jt, w->n > 0 ? w->n : 1, cut);
}
