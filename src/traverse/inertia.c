/* inertia.c - zero-inertia points: places p0 where delta of an elementary inequality
 *
 *   f(p, x) + delta(p) u <= 0,   f = alpha x + beta sqrt(x) + gamma,   x' = 2 u
 *
 * passes through zero. There it bounds x alone, f(p0, x) <= 0, and beside it u = -f / delta runs to
 * infinity, but for motions on which f vanishes with delta. Differentiated along the path,
 *
 *   u0 = -f_p / (2 f_x + delta')                                                            (1)
 *
 * is the slope with which the inequality stays an equality through (p0, x0), f(p0, x0) = 0. With s
 * = p - p0 and y = x - x0 its other solutions are y = 2 u0 s + c |s|^-kappa, kappa = 2 f_x /
 * delta'. Let f_x be positive. Where delta' > 0 they leave (p0, x0) aside: a motion above x* = x0 +
 * 2 u0 s + ... before p0 is driven over x0, and none gets above x* behind p0. On both sides x <=
 * x*(p) for every motion, as far as delta keeps its sign, and x* is found by integrating away from
 * p0, where it attracts, by the trapezoidal rule: the rule of the plan's segments, so that it is a
 * motion of the grid. Where delta' < 0 they all pass through (p0, x0), and x <= x0 is all there is
 * to know.
 *
 * p0 becomes a node of the grid. In the segment p0 .. p0 + h the inequality along the motion is, to
 * first order in s, f + s (f_p + (2 f_x + delta') u): it is asked for in the middle of the segment,
 * with x and u of the motion at p0,
 *
 *   f(p0, x) + h/2 (f_p + (2 f_x + delta') u) <= 0,                                          (2)
 *
 * which is a line in (x, u), and gives (1) where x = x0. With u linear in the segment, the
 * inequality is a polynomial of degree three in s up to terms of second order; if it holds at both
 * ends and (2) holds, all its Bernstein coefficients have the right sign. Several inequalities at
 * one place are as many lines, and other limits of u at p0 stay: where they do not allow u0, x
 * stays below x0. Source: Shiller, Lu 1992; Pham 2014 (there delta' without beta, one motion at a
 * time). */
#include "traverse/internal.h"
#include "linalg/linalg.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Relative accuracy of x: rounding of one step. */
static const double NEWTON_ERROR = 1e-14;

enum { NEWTON = 30 };
/* Second differences of u between places count this often (bound.c). */
static const double CURVATURE = 0.5;

/* --- the segments beside them ----------------------------------------------------------------- */

/* Every zero-inertia inequality that both places have. */
static void add_lines(const gdyn_place *place, const gdyn_place *other, gdyn_cells *cells) {
    for (int k = 0; k < place->inertia.zeros; k++) {
        gdyn_inequality a, b;
        if (!gdyn_place_inequality(place, &place->inertia.zero[k], &a) ||
            !gdyn_place_inequality(other, &place->inertia.zero[k], &b))
            continue;
        for (int c = 0; c < cells->count; c++) {
            /* Inequality (2) of a segment of length h (negative: the segment that ends at the
             * place), `other` that at its other end, as a line on one cell. */
            gdyn_strip *cell = &cells->cell[c];
            double h = other->p - place->p;
            /* the mean of both ends; sqrt(x) is replaced by a line on the safe side */
            double low = fmax(cell->x_low, 0), high = fmax(cell->x_high, 0), x = 0.5 * (low + high);
            double alpha = 0.5 * (a.alpha + b.alpha), beta = 0.5 * (a.beta + b.beta);
            double gamma = 0.5 * (a.gamma + b.gamma), root = sqrt(x), slope = 0;
            double at = x;
            if (beta > 0 && root > 0) { /* tangent: above the root */
                slope = 0.5 / root;
            } else if (beta < 0 && high > 0) { /* chord */
                slope = 1 / (sqrt(low) + sqrt(high));
                at = low;
            }
            /* df/dx at the middle: what the segment's own change of x contributes */
            double f_x = alpha + (root > 0 ? beta / (2 * root) : 0);
            gdyn_strip_add(cell, alpha + beta * slope, h * f_x + 0.5 * (a.delta + b.delta),
                           gamma + beta * (sqrt(at) - slope * at));
        }
    }
}

/* One set of cells for each side: the lines depend on the length of the segment. */
gdyn_status gdyn_inertia_cells(gdyn_grid *grid, int i) {
    assert(i >= 0 && i < grid->count);
    gdyn_place *place = &grid->place[i];
    if (place->inertia.zeros == 0 || place->found != GDYN_POINT_OK)
        return GDYN_OK;
    gdyn_status status = gdyn_cells_make(&place->inertia.into, grid->arena, place->region,
                                         &grid->scope, false, 1 + place->inertia.zeros);
    if (status == GDYN_OK && i > 0)
        add_lines(place, place - 1, &place->inertia.into);
    if (status == GDYN_OK && i + 1 < grid->count)
        add_lines(place, place + 1, &place->cells);
    return status;
}

/* --- how fast they let pass ------------------------------------------------------------------- */

static double value(const gdyn_inequality *q, double x) {
    return q->alpha * x + q->beta * sqrt(fmax(x, 0)) + q->gamma;
}

static double slope(const gdyn_inequality *q, double x) {
    return q->alpha + (q->beta != 0 ? q->beta / (2 * sqrt(fmax(x, 1e-300))) : 0);
}

/* The x beyond which f > 0 for all greater x; NAN when there is none, or f allows x again later. */
static double greatest(const gdyn_inequality *q) {
    if (!(q->alpha > 0) && !(q->alpha == 0 && q->beta > 0))
        return NAN;
    double a = q->alpha, b = q->beta, c = q->gamma, root = b * b - 4 * a * c;
    if (!(root >= 0))
        return NAN;
    double t = a == 0 ? -c / b : b > 0 ? -2 * c / (b + sqrt(root)) : (sqrt(root) - b) / (2 * a);
    return t > 0 ? t * t : NAN;
}

/* Slope (1) at the place; step: which side of it is meant. One-sided differences of second order
 * where two places lie before the next node, where tables have their kinks. */
static double crossing(const gdyn_grid *grid, int i, int step, const gdyn_inequality_sum *of,
                       double x) {
    const gdyn_place *place = &grid->place[i];
    /* values at the place, its neighbour, and one beyond */
    gdyn_inequality q[3];
    int far = i + 2 * step;
    bool two = far >= 0 && far < grid->count && place[step].kind != GDYN_NODE &&
               gdyn_place_inequality(&grid->place[far], of, &q[2]);
    if (!gdyn_place_inequality(place, of, &q[0]) || !gdyn_place_inequality(place + step, of, &q[1]))
        return NAN;
    /* one-sided differences, of second order where there are three */
    double h = place[step].p - place->p, f = value(&q[0], x);
    double f_p = (value(&q[1], x) - f) / h, d_p = (q[1].delta - q[0].delta) / h;
    if (two) {
        double H = place[2 * step].p - place->p;
        f_p = (f_p * H - (value(&q[2], x) - f) / H * h) / (H - h);
        d_p = (d_p * H - (q[2].delta - q[0].delta) / H * h) / (H - h);
    }
    return -f_p / (2 * slope(&q[0], x) + d_p);
}

/* x after a step of signed length h by the trapezoidal rule: y + h u(y) = given; NAN: none. */
static double arrive(const gdyn_inequality *q, double h, double given, double guess) {
    double x = fmax(guess, 0);
    /* Newton's method; a step at most divides x by four */
    for (int i = 0; i < NEWTON; i++) {
        double r = x + h * value(q, x) / q->delta - given;
        double r_x = 1 + h * slope(q, x) / q->delta;
        if (!(r_x > 0))
            return NAN;
        double next = fmax(x - r / r_x, 0.25 * x);
        if (fabs(next - x) <= NEWTON_ERROR * fabs(next))
            return next;
        x = next;
    }
    return x;
}

/* Integrates x* from place i in one sense, as far as it stays above rest. What the trapezoidal rule
 * may be wrong by is added, as second differences of u tell it, and carried on. */
static void limit_from(gdyn_grid *grid, int i, int step, const gdyn_inequality_sum *of) {
    gdyn_place *place = &grid->place[i];
    gdyn_inequality q, next;
    if (i + step < 0 || i + step >= grid->count || !gdyn_place_inequality(place, of, &q))
        return;
    /* from (p0, x0) with the slope of the motion through it */
    double x = greatest(&q), u = crossing(grid, i, step, of, x), doubt = 0, grows = 0;
    double before_u = NAN, before_h = NAN;
    for (int k = i + step; k >= 0 && k < grid->count; k += step) {
        gdyn_place *to = &grid->place[k];
        double h = to->p - to[-step].p;
        if (!gdyn_place_inequality(to, of, &next) || !(next.delta * step > 0) ||
            gdyn_inequality_vanishes(&next))
            return;
        /* x at the next node: the Bezier segment whose end lies on the inequality */
        double y = arrive(&next, h, x + h * u, x + 2 * h * u);
        double v = -value(&next, y) / next.delta;
        if (!(y > 0) || !isfinite(v))
            return;
        /* second difference of u, also with unequal lengths: the error of the segment */
        double bend = isnan(before_u) ? fabs(v - u)
                                      : fabs((v - u) - (u - before_u) * h / before_h) * 2 *
                                            fabs(h) / (fabs(h) + fabs(before_h));
        /* errors grow or shrink as neighbouring solutions do */
        double stays = -h * slope(&next, y) / next.delta;
        doubt = doubt * fabs(1 + grows) / (1 - stays) + fabs(h) * CURVATURE * bend;
        to->inertia.x_most = fmin(to->inertia.x_most, y + doubt);
        to->inertia.x_star = fmin(to->inertia.x_star, y);
        /* the ordinate in the middle may not pass this solution either */
        gdyn_place *segment = step > 0 ? to - 1 : to;
        segment->inertia.m_star = fmin(segment->inertia.m_star, x + h * u);
        grows = -h * slope(&next, y) / next.delta;
        before_u = u, before_h = h;
        x = y, u = v;
    }
}

/* Motions that leave every zero-inertia point as fast as they can bound all others. */
void gdyn_inertia_limit(gdyn_grid *grid) {
    for (int i = 0; i < grid->count; i++) {
        gdyn_place *place = &grid->place[i];
        place->inertia.x_most = place->inertia.x_star = place->inertia.m_star = INFINITY;
    }
    for (int i = 0; i < grid->count; i++) {
        for (int k = 0; k < grid->place[i].inertia.zeros; k++) {
            gdyn_inequality_sum of = grid->place[i].inertia.zero[k];
            limit_from(grid, i, -1, &of);
            limit_from(grid, i, 1, &of);
        }
    }
}

/* --- elementary inequalities ------------------------------------------------------------------ */

/* With the rows S of V that belong to the named limits, w is the null vector of
 * V_S^T, the sign of w_i that of the limit's side. */

/* A pivot below this share of the largest entry is zero: an arc's limits are dependent to 1e-11. */
static const double RANK_ZERO = 1e-9;
/* delta as a share of its terms: beyond the rounding of coefficients from a machine's closure. */
static const double DELTA_ZERO = 1e-9;

/* --- weights ---------------------------------------------------------------------------------- */

/* Rows of V in half ranges as columns of M (r x n); false where the sum names none or too many. */
static bool load(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double *M) {
    if (of->count < 1 || q->r >= GDYN_ACTIVE_MAX)
        return false;
    /* every limit is one of a force row, in its unit */
    for (int j = 0; j < of->count; j++) {
        int row = of->limit[j].row;
        if (row < 0 || row >= q->k)
            return false;
        double unit = gdyn_unit_at(q, row);
        for (int i = 0; i < q->r; i++)
            M[i + q->r * j] = q->V[(size_t)i * (size_t)q->k + (size_t)row] / unit;
    }
    return true;
}

/* Weights in units of the rows' half ranges, their sum of sizes 1; false when they are not unique
 * or their signs are not those of the limits' sides. */
static bool weights(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double *w) {
    int n = of->count, row[GDYN_ACTIVE_MAX], column[GDYN_ACTIVE_MAX];
    double M[GDYN_ACTIVE_MAX * GDYN_ACTIVE_MAX], sum = 0;
    /* without internal forces every row stands alone */
    if (q->r == 0 && n == 1 && of->limit[0].row >= 0 && of->limit[0].row < q->k) {
        w[0] = of->limit[0].side > 0 ? 1 : -1;
        return true;
    }
    /* w spans the named rows' left null space: one dimension, or no such inequality */
    if (!load(q, of, M) || gdyn_lu_complete(q->r, n, M, q->r, row, column, RANK_ZERO).rank != n - 1)
        return false;
    gdyn_lu_null_vector(n, M, q->r, n - 1, n - 1, column, w);
    for (int i = 0; i < n; i++)
        sum += fabs(w[i]);
    /* sum |w| = 1, signs of the limits' sides; else these limits do not bound together */
    double sign = w[0] * of->limit[0].side > 0 ? 1 : -1;
    for (int i = 0; i < n; i++) {
        w[i] *= sign / sum;
        if (!(w[i] * of->limit[i].side > 0))
            return false;
    }
    return true;
}

/* --- inequalities ----------------------------------------------------------------------------- */

/* Sum of the named limits with their weights: alpha x + beta sqrt(x) + gamma + delta u <= 0. */
bool gdyn_inequality_of(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double tighten,
                        gdyn_inequality *out) {
    double w[GDYN_ACTIVE_MAX];
    *out = (gdyn_inequality){0};
    if (q->equalities > 0 || !weights(q, of, w))
        return false;
    for (int i = 0; i < of->count; i++) {
        /* the row's load minus its limit, in its unit */
        int row = of->limit[i].row, side = of->limit[i].side;
        double unit = gdyn_unit_at(q, row), f = w[i] / unit;
        const double *slopes = side > 0 ? q->max_slope : q->min_slope;
        double limit = (side > 0 ? q->max[row] : q->min[row]) - side * tighten * unit;
        out->alpha += f * q->A[row];
        out->beta += f * (q->B[row] - (slopes ? slopes[row] : 0));
        out->gamma += f * (q->C[row] - limit);
        out->delta += f * q->D[row];
        out->size += fabs(f * q->D[row]);
    }
    return isfinite(out->alpha) && isfinite(out->beta) && isfinite(out->gamma) &&
           isfinite(out->delta);
}

bool gdyn_inequality_vanishes(const gdyn_inequality *inequality) {
    return fabs(inequality->delta) <= DELTA_ZERO * inequality->size;
}

/* --- combinations ----------------------------------------------------------------------------- */

/* Same limits, in any order. */
bool gdyn_combination_same(const gdyn_inequality_sum *a, const gdyn_inequality_sum *b) {
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = gdyn_limit_in(b->limit, b->count, a->limit[i]);
    return same;
}

/* Limits of forces alone; each combination once. */
static int add(gdyn_inequality_sum *list, int count, int room, const gdyn_limit *limit,
               int limits) {
    gdyn_inequality_sum one = {.count = limits};
    if (limits < 1 || limits > GDYN_ACTIVE_MAX || count == room)
        return count;
    memcpy(one.limit, limit, (size_t)limits * sizeof *limit);
    for (int i = 0; i < limits; i++)
        if (limit[i].shape != GDYN_LIMIT_ROW)
            return count;
    for (int i = 0; i < count; i++)
        if (gdyn_combination_same(&list[i], &one))
            return count;
    list[count] = one;
    return count + 1;
}

/* Combinations that bound the region somewhere: arcs of both envelopes, and what closes islands. */
int gdyn_combinations_of(const gdyn_region *region, gdyn_inequality_sum *list, int room) {
    int count = 0;
    for (int i = 0; i < region->upper_count; i++)
        count = add(list, count, room, region->upper[i].active, region->upper[i].active_count);
    for (int i = 0; i < region->lower_count; i++)
        count = add(list, count, room, region->lower[i].active, region->lower[i].active_count);
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        count = add(list, count, room, island->left, island->left_count);
        count = add(list, count, room, island->right, island->right_count);
    }
    return count;
}
