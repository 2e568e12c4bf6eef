/* smooth.c - forces of redundant drives that change little along a motion: what is left free of
 * them at its places, as a problem of convex.c.
 *
 * The start is inside all limits and so is the result. Rows without room (a limit that the motion
 * needs in full) are equations; they are removed by choosing y in their null space. */
#include "traverse/internal.h"

#include "base/memory.h"
#include "linalg/dot.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* Cut of the rank of the locked rows, which are of unit length. */
static const double LOCKED_RANK = 1e-9;
/* Distance from the optimum, as a share of the objective at the start. */
static const double GAP = 1e-12;
/* Rows with less room than this share of their unit are equations. */
static const double NO_ROOM = 1e-8;

/* The forces n / scale of a place as C + V y: y in columns of length one that leave the rows
 * without room alone, the others zero. */
static gdyn_status open_place(gdyn_arena *arena, const gdyn_smooth_place *at, const double *scale,
                              const gdyn_convex *q, gdyn_convex_node *node) {
    size_t r = (size_t)at->r, k = (size_t)q->k, columns = (size_t)q->r;
    double *zero = gdyn_arena_doubles(arena, k), *C = gdyn_arena_doubles(arena, k);
    double *V = gdyn_arena_doubles(arena, k * columns), *low = gdyn_arena_doubles(arena, k);
    double *high = gdyn_arena_doubles(arena, k), *locked = gdyn_arena_doubles(arena, r * k);
    double *N = gdyn_arena_doubles(arena, r * r);
    gdyn_qr *qr = gdyn_qr_create(at->r, q->k);
    node->y = gdyn_arena_doubles(arena, columns);
    node->F = gdyn_arena_doubles(arena, k);
    node->unit = gdyn_arena_doubles(arena, k);
    node->wanted = gdyn_arena_doubles(arena, k);
    gdyn_status status = qr && !gdyn_arena_failed(arena) ? GDYN_OK : GDYN_ERROR_MEMORY;
    int locks = 0, free = at->r;
    /* both limits of every row, in its scale; rows without room are locked */
    for (int i = 0; i < q->k && status == GDYN_OK; i++) {
        bool known = i < at->k && at->r > 0;
        double room = known ? fmin(at->high[i] - at->n[i], at->n[i] - at->low[i]) : 0;
        bool lock = known && room / scale[i] < NO_ROOM;
        for (int j = 0; j < at->r && lock; j++)
            locked[locks * at->r + j] = at->V[j * at->k + i] / scale[i];
        locks += lock;
        low[i] = known && !lock ? at->low[i] / scale[i] : -INFINITY;
        high[i] = known && !lock ? at->high[i] / scale[i] : INFINITY;
        C[i] = i < at->k ? at->n[i] / scale[i] : 0;
        node->wanted[i] = i < at->k ? at->wanted[i] / scale[i] : 0;
        node->unit[i] = 1;
    }
    /* the null space of the locked rows */
    for (int j = 0; j < at->r && status == GDYN_OK; j++)
        N[j * at->r + j] = 1;
    if (status == GDYN_OK && locks > 0) {
        status = gdyn_qr_factor(qr, at->r, locks, locked, at->r, LOCKED_RANK);
        free = status == GDYN_OK ? gdyn_qr_null_transposed(qr, N, at->r) : 0;
    }
    gdyn_qr_destroy(qr);
    for (int c = 0; status == GDYN_OK && c < free && at->k > 0; c++) {
        double *column = V + (size_t)c * k;
        for (int i = 0; i < at->k; i++)
            for (int j = 0; j < at->r; j++)
                column[i] += at->V[j * at->k + i] * N[c * at->r + j] / scale[i];
        double length = gdyn_norm(q->k, column);
        for (int i = 0; i < at->k && length > 0; i++)
            column[i] /= length;
    }
    node->copy.coefficients = (gdyn_coefficients){.k = q->k,
                                                  .r = q->r,
                                                  .A = zero,
                                                  .B = zero,
                                                  .C = C,
                                                  .D = zero,
                                                  .V = V,
                                                  .min = low,
                                                  .max = high,
                                                  .d1_high = INFINITY};
    return status;
}

/* Rows measured in their units; those that are not counted in the largest half range they have. */
static void make_scales(int count, const gdyn_smooth_place *place, int rows, const double *unit,
                        double *scale) {
    for (int i = 0; i < rows; i++) {
        scale[i] = unit[i];
        for (int p = 0; p < count && !(unit[i] > 0); p++) {
            double half = i < place[p].k ? 0.5 * (place[p].high[i] - place[p].low[i]) : 0;
            scale[i] = isfinite(half) ? fmax(scale[i], half) : scale[i];
        }
        scale[i] = scale[i] > 0 ? scale[i] : 1;
    }
}

/* Weights of the objective: trapezoidal ones of |n - w|^2, and tau^2 / dt; places whose forces can
 * be compared are coupled. The sum of |dn|^2 / dt of the forces wanted. */
static double make_weights(gdyn_convex *q, const gdyn_smooth_place *place, double tau) {
    double span = place[q->count - 1].t - place[0].t, before = 0, sum = 0;
    for (int p = 0; p < q->count; p++) {
        gdyn_convex_node *node = &q->node[p];
        bool coupled = p + 1 < q->count && place[p].k > 0 && place[p].k == place[p + 1].k;
        /* not less than rounding allows */
        double dt = coupled ? fmax(place[p + 1].t - place[p].t, 1e-9 * span) : 0;
        node->near = place[p].k == 0 ? 0 : before + dt > 0 ? 0.5 * (before + dt) : 1;
        node->link = dt > 0 ? tau * tau / dt : 0;
        before = dt;
        for (int i = 0; i < q->k && dt > 0; i++) {
            double d = node[1].wanted[i] - node->wanted[i];
            sum += q->counted[i] > 0 ? d * d / dt : 0;
        }
    }
    return sum;
}

gdyn_status gdyn_smooth(int count, gdyn_smooth_place *place, int rows, const double *unit,
                        double tau, gdyn_smooth_info *info) {
    *info = (gdyn_smooth_info){0};
    if (count < 1 || !(tau >= 0) || !isfinite(tau))
        return GDYN_ERROR_ARGUMENT;
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_convex q = {.count = count, .k = rows, .even = true, .counted = unit, .X = 1, .U = 1};
    gdyn_convex_outcome outcome;
    double *scale = gdyn_arena_doubles(arena, (size_t)rows);
    q.node = gdyn_arena_alloc(arena, (size_t)count, sizeof *q.node);
    gdyn_status status = gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
    for (int p = 0; p < count; p++)
        q.r = place[p].r > q.r ? place[p].r : q.r;
    if (status == GDYN_OK)
        make_scales(count, place, rows, unit, scale);
    for (int p = 0; p < count && status == GDYN_OK; p++)
        status = open_place(arena, &place[p], scale, &q, &q.node[p]);
    if (status == GDYN_OK) {
        info->before = make_weights(&q, place, tau);
        gdyn_status solved = gdyn_convex_solve(&q, GAP, &outcome);
        info->converged = solved == GDYN_OK && outcome.possible;
        status = solved == GDYN_ERROR_MEMORY ? solved : GDYN_OK;
    }
    /* the forces found, or those wanted, and how they change */
    for (int p = 0; p < count && status == GDYN_OK; p++)
        for (int i = 0; i < place[p].k; i++) {
            const gdyn_convex_node *node = &q.node[p];
            double link = tau > 0 && unit[i] > 0 ? node->link / (tau * tau) : 0;
            double d = link > 0 ? node[1].F[i] - node->F[i] : 0;
            info->after += link * d * d;
            place[p].n[i] = info->converged ? node->F[i] * scale[i] : place[p].wanted[i];
        }
    if (!info->converged)
        info->after = info->before;
    gdyn_arena_destroy(arena);
    return status;
}
