/* minimax.c - a local minimum of the greatest of many functions.
 *
 * Linear programs in a trust region (Madsen 1975): at x the functions are linearized by
 * differences, and
 *
 *   minimize t   subject to   f_i + g_i^T d <= t,   |d_j| <= r s_j,   lower <= x + d <= upper,    s
 *   = upper - lower.
 *
 * The kinks of the greatest are rows of the program, so that the steps run along them. A step is
 * taken where the greatest falls by a tenth of what the program promises; r follows from that
 * ratio. The interior-point method of traverse/convex.c does not apply: the functions here are
 * values of whole evaluations, whose curvature is not known and which couple all variables, and
 * every weight of a barrier would cost evaluations. */
#include "study/internal.h"

#include "base/memory.h"
#include "lp/lp.h"

#include <math.h>
#include <string.h>

/* Shares of the bounds' distance: steps of the differences, first radius. */
static const double DIFFERENCE = 1e-5, FIRST_RADIUS = 0.5;
/* Of the functions' size: less is not worth a step, since slopes by differences are known to
 * that. */
static const double WORTH = 1e-6;
/* Of the promise: a step is taken; the region grows; it shrinks. */
static const double TAKEN = 0.1, GOOD = 0.75, POOR = 0.25;

typedef struct quest {
    const gdyn_minimax *problem;
    int left;          /* evaluations */
    double *f, *trial; /* functions: at x, at the point tried */
    double *slope;     /* functions x (variables + 1): of the program, the last column that of t */
    double *point;     /* variables */
    bool *held;        /* variables along which there is no value beside x */
    gdyn_lp *lp;
    double radius;
} quest;

static double greatest(int count, const double *f) {
    double most = -INFINITY;
    for (int i = 0; i < count; i++)
        most = fmax(most, f[i]);
    return most;
}

/* f at x; *known also false when no evaluation is left. */
static gdyn_status evaluate(quest *q, const double *x, double *f, bool *known) {
    const gdyn_minimax *m = q->problem;
    *known = false;
    if (q->left <= 0 || (m->go_on && !m->go_on(m->context))) {
        q->left = 0;
        return GDYN_OK;
    }
    q->left--;
    return m->evaluate(m->context, x, f, known);
}

/* Column j of the slopes, by a difference to the side that has values. */
static gdyn_status differentiate(quest *q, const double *x, int j) {
    const gdyn_minimax *m = q->problem;
    double span = m->upper[j] - m->lower[j], *column = q->slope + (size_t)m->functions * (size_t)j;
    bool known = false;
    gdyn_status status = GDYN_OK;
    memset(column, 0, (size_t)m->functions * sizeof *column);
    memcpy(q->point, x, (size_t)m->variables * sizeof *x);
    for (int side = 0; side < 2 && !known && status == GDYN_OK && span > 0; side++) {
        double h = side == 0 ? DIFFERENCE * span : -DIFFERENCE * span;
        q->point[j] = x[j] + h;
        if (q->point[j] < m->lower[j] || q->point[j] > m->upper[j])
            continue;
        status = evaluate(q, q->point, q->trial, &known);
        for (int i = 0; known && i < m->functions; i++)
            column[i] = (q->trial[i] - q->f[i]) / h;
    }
    q->held[j] = !known;
    return status;
}

/* point := x + d of the program, *promise: by how much the greatest falls there. */
static gdyn_status step(quest *q, const double *x, double *promise) {
    const gdyn_minimax *m = q->problem;
    int n = m->variables;
    gdyn_lp_status outcome;
    gdyn_status status = gdyn_lp_load(q->lp, m->functions, n + 1, q->slope, m->functions);
    *promise = 0;
    if (status != GDYN_OK)
        return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
    for (int i = 0; i < m->functions; i++)
        gdyn_lp_row(q->lp, i, -INFINITY, -q->f[i]);
    for (int j = 0; j < n; j++) {
        double reach = q->held[j] ? 0 : q->radius * (m->upper[j] - m->lower[j]);
        gdyn_lp_column(q->lp, j, fmin(0, fmax(-reach, m->lower[j] - x[j])),
                       fmax(0, fmin(reach, m->upper[j] - x[j])));
    }
    gdyn_lp_objective(q->lp, n, 1);
    status = gdyn_lp_solve(q->lp, false, GDYN_LP_PRIMAL, &outcome);
    if (status != GDYN_OK || outcome != GDYN_LP_OPTIMAL)
        return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
    for (int j = 0; j < n; j++)
        q->point[j] = fmin(fmax(x[j] + gdyn_lp_x(q->lp, j), m->lower[j]), m->upper[j]);
    *promise = greatest(m->functions, q->f) - gdyn_lp_value(q->lp);
    return GDYN_OK;
}

/* Steps with the slopes at x until one is taken; *taken false: the region has become too small. */
static gdyn_status advance(quest *q, double *x, bool *taken) {
    const gdyn_minimax *m = q->problem;
    gdyn_status status = GDYN_OK;
    *taken = false;
    while (status == GDYN_OK && !*taken && q->radius > m->fine && q->left > 0) {
        double promise, ratio = -INFINITY, size = 0, now = greatest(m->functions, q->f);
        bool known = false;
        for (int i = 0; i < m->functions; i++)
            size = fmax(size, fabs(q->f[i]));
        status = step(q, x, &promise);
        if (status != GDYN_OK || !(promise > WORTH * size))
            break;
        status = evaluate(q, q->point, q->trial, &known);
        if (known)
            ratio = (now - greatest(m->functions, q->trial)) / promise;
        *taken = ratio > TAKEN;
        if (*taken) {
            memcpy(x, q->point, (size_t)m->variables * sizeof *x);
            memcpy(q->f, q->trial, (size_t)m->functions * sizeof *q->f);
        }
        q->radius *= ratio > GOOD ? 2 : ratio < POOR ? 0.4 : 1;
    }
    return status;
}

static gdyn_status search(quest *q, double *x) {
    const gdyn_minimax *m = q->problem;
    bool taken = false;
    gdyn_status status = evaluate(q, x, q->f, &taken);
    /* the column of t */
    for (int i = 0; i < m->functions; i++)
        q->slope[i + m->functions * m->variables] = -1;
    while (status == GDYN_OK && taken && q->left > 0) {
        for (int j = 0; status == GDYN_OK && j < m->variables; j++)
            status = differentiate(q, x, j);
        if (status == GDYN_OK)
            status = advance(q, x, &taken);
    }
    return status;
}

gdyn_status gdyn_minimax_search(const gdyn_minimax *problem, double *x) {
    size_t n = (size_t)problem->variables, m = (size_t)problem->functions;
    quest q = {.problem = problem,
               .left = problem->evaluations,
               .f = gdyn_alloc(2 * m, sizeof(double)),
               .slope = gdyn_alloc(m * (n + 1), sizeof(double)),
               .point = gdyn_alloc(n, sizeof(double)),
               .held = gdyn_alloc(n, sizeof(bool)),
               .lp = gdyn_lp_create(problem->functions, problem->variables + 1),
               .radius = FIRST_RADIUS};
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (q.f && q.slope && q.point && q.held && q.lp) {
        q.trial = q.f + m;
        status = search(&q, x);
    }
    gdyn_free(q.f), gdyn_free(q.slope), gdyn_free(q.point), gdyn_free(q.held);
    gdyn_lp_destroy(q.lp);
    return status;
}
