/* inertia.c - zero-inertia points: places p0 where delta of an elementary inequality
 *
 *   f(p, x) + delta(p) u <= 0,   f = alpha x + beta sqrt(x) + gamma,   x' = 2 u
 *
 * passes through zero. There it bounds x alone, f(p0, x) <= 0, and beside it u = -f / delta runs to
 * infinity, but for motions on which f vanishes with delta. Differentiated along the path,
 *
 *   u0 = -f_p / (2 f_x + delta')                                                            (1)
 *
 * is the slope with which the inequality stays an equality through (p0, x0), f(p0, x0) = 0. With s = p
 * - p0 and y = x - x0 its other solutions are y = 2 u0 s + c |s|^-kappa, kappa = 2 f_x / delta'. Let f_x
 * be positive. Where delta' > 0 they leave (p0, x0) aside: a motion above x* = x0 + 2 u0 s + ... before
 * p0 is driven over x0, and none gets above x* behind p0. On both sides x <= x*(p) for every motion, as
 * far as delta keeps its sign, and x* is found by integrating away from p0, where it attracts, by the
 * trapezoidal rule: the rule of the plan's segments, so that it is a motion of the grid. Where
 * delta' < 0 they all pass through (p0, x0), and x <= x0 is all there is to know.
 *
 * p0 becomes a node of the grid. In the segment p0 .. p0 + h the inequality along the motion is, to
 * first order in s, f + s (f_p + (2 f_x + delta') u): it is asked for in the middle of the segment, with
 * x and u of the motion at p0,
 *
 *   f(p0, x) + h/2 (f_p + (2 f_x + delta') u) <= 0,                                          (2)
 *
 * which is a line in (x, u), and gives (1) where x = x0. With u linear in the segment, the inequality is
 * a polynomial of degree three in s up to terms of second order; if it holds at both ends and (2) holds,
 * all its Bernstein coefficients have the right sign. Several inequalities at one place are as many
 * lines, and other limits of u at p0 stay: where they do not allow u0, x stays below x0.
 * Source: Shiller, Lu 1992; Pham 2014 (there delta' without beta, one motion at a time). */
#include "traverse/grid.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { COMBINATIONS = 96, FOUND = 32, STEPS = 60, NEWTON = 30 };
/* Distances of graded nodes, and the least of them as a share of the path: a motion may grow with the
 * distance to a small power. */
static const double GRADE = 4, FINEST = 1e-6;
/* Second differences of u between places count this often (bound.c). */
static const double CURVATURE = 0.5;

/* --- finding them ----------------------------------------------------------------------------- */

static bool inequality_at(const gdyn_place *place, const gdyn_combination *of,
                          gdyn_inequality *out) {
    return place->found == GDYN_POINT_OK && place->copy.numbers &&
           gdyn_inequality_of(&place->copy.coefficients, of, place->made, out);
}

static gdyn_status note(gdyn_place *place, const gdyn_combination *of) {
    for (int i = 0; i < place->zeros; i++) {
        if (gdyn_combination_same(&place->zero[i], of)) {
            return GDYN_OK;
        }
    }
    gdyn_combination *grown =
        gdyn_realloc(place->zero, (size_t)place->zeros + 1, sizeof *place->zero);
    if (!grown) {
        return GDYN_ERROR_MEMORY;
    }
    place->zero = grown;
    place->zero[place->zeros++] = *of;
    return GDYN_OK;
}

/* Between a and b, where delta has different signs: regula falsi (Illinois), delta linear in p in a
 * single step; NAN when the inequality does not exist on the way. */
static gdyn_status locate(gdyn_grid *grid, const gdyn_combination *of, double a, double fa,
                          double b, double fb, double *p) {
    double width = fabs(b - a);
    int side = 0;
    *p = NAN;
    for (int i = 0; i < STEPS; i++) {
        const gdyn_coefficients *q;
        gdyn_point_status found;
        gdyn_inequality at;
        double c = (a * fb - b * fa) / (fb - fa);
        c = c > fmin(a, b) && c < fmax(a, b) ? c : 0.5 * (a + b);
        gdyn_status status = gdyn_supply_at(grid->supply, c, &q, &found);
        if (status != GDYN_OK || found != GDYN_POINT_OK || !gdyn_inequality_of(q, of, 0, &at)) {
            return status;
        }
        if (fabs(at.delta) <= 1e-15 * at.size || fabs(b - a) <= 1e-13 * width) {
            *p = c;
            return GDYN_OK;
        }
        if ((at.delta > 0) == (fb > 0)) {
            b = c, fb = at.delta;
            fa *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            a = c, fa = at.delta;
            fb *= side == -1 ? 0.5 : 1;
            side = -1;
        }
        *p = c;
    }
    return GDYN_OK;
}

/* What was found between places. */
typedef struct findings {
    int count;
    double p[FOUND];
    gdyn_combination of[FOUND];
} findings;

/* One inequality between place i and the next. */
static gdyn_status watch_one(gdyn_grid *grid, int i, const gdyn_combination *of, findings *out) {
    gdyn_place *here = &grid->place[i], *next = here + 1;
    gdyn_inequality a, b;
    if (!inequality_at(here, of, &a) || !inequality_at(next, of, &b)) {
        return GDYN_OK;
    }
    bool here_zero = gdyn_inequality_vanishes(&a), next_zero = gdyn_inequality_vanishes(&b);
    if (here_zero || next_zero) {
        return here_zero == next_zero ? GDYN_OK : note(here_zero ? here : next, of);
    }
    if ((a.delta > 0) == (b.delta > 0) || out->count == FOUND) {
        return GDYN_OK;
    }
    double p;
    gdyn_status status = locate(grid, of, here->p, a.delta, next->p, b.delta, &p);
    if (status == GDYN_OK && !isnan(p)) {
        out->of[out->count] = *of;
        out->p[out->count++] = p;
    }
    return status;
}

static gdyn_status watch(gdyn_grid *grid, int i, findings *out) {
    gdyn_combination list[2 * COMBINATIONS];
    gdyn_place *here = &grid->place[i], *next = here + 1;
    int count = gdyn_combinations_of(here->region, list, COMBINATIONS);
    count += gdyn_combinations_of(next->region, list + count, COMBINATIONS);
    gdyn_status status = GDYN_OK;
    for (int k = 0; k < count && status == GDYN_OK; k++) {
        status = watch_one(grid, i, &list[k], out);
    }
    here->watched = true;
    return status;
}

/* Where nothing else bounds u, motions change like powers of the distance from the place: nodes at
 * distances that shrink by the same factor, on both sides. */
static gdyn_status grade(gdyn_grid *grid, int *inserted) {
    double p[FOUND], beside[FOUND][2];
    int count = 0;
    for (int i = 0; i < grid->count && count < FOUND; i++) {
        gdyn_place *place = &grid->place[i];
        if (place->zeros == 0 || place->graded || !place->region->d2_unbounded) {
            continue;
        }
        place->graded = true;
        p[count] = place->p;
        beside[count][0] = i > 0 ? place[-1].p : place->p;
        beside[count++][1] = i + 1 < grid->count ? place[1].p : place->p;
    }
    gdyn_status status = GDYN_OK;
    double length = grid->place[grid->count - 1].p - grid->place[0].p;
    int before = grid->count;
    for (int i = 0; i < 2 * count; i++) {
        double from = p[i / 2], h = (beside[i / 2][i % 2] - from) / GRADE;
        for (int at; status == GDYN_OK && fabs(h) > FINEST * length; h /= GRADE) {
            status = gdyn_grid_node(grid, from + h, &at);
        }
    }
    *inserted += grid->count - before;
    return status;
}

gdyn_status gdyn_inertia_find(gdyn_grid *grid, int *inserted) {
    findings found = {0};
    gdyn_status status = GDYN_OK;
    *inserted = 0;
    for (int i = 0; i + 1 < grid->count && status == GDYN_OK && found.count < FOUND; i++) {
        if (!grid->place[i].watched) {
            status = watch(grid, i, &found);
        }
    }
    for (int i = 0; i < found.count && status == GDYN_OK; i++) {
        int before = grid->count, at;
        status = gdyn_grid_node(grid, found.p[i], &at);
        if (status == GDYN_OK) {
            status = note(&grid->place[at], &found.of[i]);
        }
        *inserted += grid->count - before;
    }
    return status == GDYN_OK ? grade(grid, inserted) : status;
}

/* --- the segments beside them ----------------------------------------------------------------- */

/* Inequality (2) of a segment of length h (negative: the segment that ends at the place), `other` that
 * at its other end, as a line on one cell. */
static void add_line(gdyn_strip *cell, const gdyn_inequality *here, const gdyn_inequality *other,
                     double h) {
    double low = fmax(cell->x_low, 0), high = fmax(cell->x_high, 0), x = 0.5 * (low + high);
    double alpha = 0.5 * (here->alpha + other->alpha), beta = 0.5 * (here->beta + other->beta);
    double gamma = 0.5 * (here->gamma + other->gamma), root = sqrt(x), slope = 0;
    double at = x;
    if (beta > 0 && root > 0) { /* tangent: above the root */
        slope = 0.5 / root;
    } else if (beta < 0 && high > 0) { /* chord */
        slope = 1 / (sqrt(low) + sqrt(high));
        at = low;
    }
    double f_x = alpha + (root > 0 ? beta / (2 * root) : 0);
    gdyn_strip_add(cell, alpha + beta * slope, h * f_x + 0.5 * (here->delta + other->delta),
                   gamma + beta * (sqrt(at) - slope * at));
}

static void add_lines(const gdyn_place *place, const gdyn_place *other, gdyn_cells *cells) {
    for (int k = 0; k < place->zeros; k++) {
        gdyn_inequality a, b;
        if (!inequality_at(place, &place->zero[k], &a) ||
            !inequality_at(other, &place->zero[k], &b)) {
            continue;
        }
        for (int c = 0; c < cells->count; c++) {
            add_line(&cells->cell[c], &a, &b, other->p - place->p);
        }
    }
}

gdyn_status gdyn_inertia_cells(gdyn_grid *grid, int i) {
    gdyn_place *place = &grid->place[i];
    if (place->zeros == 0 || place->found != GDYN_POINT_OK) {
        return GDYN_OK;
    }
    gdyn_status status =
        gdyn_cells_make(&place->into, place->region, &grid->scope, false, 1 + place->zeros);
    if (status == GDYN_OK && i > 0) {
        add_lines(place, place - 1, &place->into);
    }
    if (status == GDYN_OK && i + 1 < grid->count) {
        add_lines(place, place + 1, &place->cells);
    }
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
    if (!(q->alpha > 0) && !(q->alpha == 0 && q->beta > 0)) {
        return NAN;
    }
    double a = q->alpha, b = q->beta, c = q->gamma, root = b * b - 4 * a * c;
    if (!(root >= 0)) {
        return NAN;
    }
    double t = a == 0 ? -c / b : b > 0 ? -2 * c / (b + sqrt(root)) : (sqrt(root) - b) / (2 * a);
    return t > 0 ? t * t : NAN;
}

/* Slope (1) at the place; step: which side of it is meant. One-sided differences of second order where
 * two places lie before the next node, where tables have their kinks. */
static double crossing(const gdyn_grid *grid, int i, int step, const gdyn_combination *of,
                       double x) {
    const gdyn_place *place = &grid->place[i];
    gdyn_inequality q[3];
    int far = i + 2 * step;
    bool two = far >= 0 && far < grid->count && place[step].kind != GDYN_NODE &&
               inequality_at(&grid->place[far], of, &q[2]);
    if (!inequality_at(place, of, &q[0]) || !inequality_at(place + step, of, &q[1])) {
        return NAN;
    }
    double h = place[step].p - place->p, f = value(&q[0], x);
    double f_p = (value(&q[1], x) - f) / h, d_p = (q[1].delta - q[0].delta) / h;
    if (two) {
        double H = place[2 * step].p - place->p;
        f_p = (f_p * H - (value(&q[2], x) - f) / H * h) / (H - h);
        d_p = (d_p * H - (q[2].delta - q[0].delta) / H * h) / (H - h);
    }
    return -f_p / (2 * slope(&q[0], x) + d_p);
}

/* x at the end of a step of length h (with its sign) by the trapezoidal rule: y + h u(y) = given;
 * NAN when there is none. */
static double arrive(const gdyn_inequality *q, double h, double given, double guess) {
    double x = fmax(guess, 0);
    for (int i = 0; i < NEWTON; i++) {
        double r = x + h * value(q, x) / q->delta - given;
        double r_x = 1 + h * slope(q, x) / q->delta;
        if (!(r_x > 0)) {
            return NAN;
        }
        double next = fmax(x - r / r_x, 0.25 * x);
        if (fabs(next - x) <= 1e-14 * fabs(next)) {
            return next;
        }
        x = next;
    }
    return x;
}

/* Integrates x* from place i in one sense, as far as it stays above rest. What the trapezoidal rule may
 * be wrong by is added, as second differences of u tell it, and carried on. */
static void limit_from(gdyn_grid *grid, int i, int step, const gdyn_combination *of) {
    gdyn_place *place = &grid->place[i];
    gdyn_inequality q, next;
    if (i + step < 0 || i + step >= grid->count || !inequality_at(place, of, &q)) {
        return;
    }
    double x = greatest(&q), u = crossing(grid, i, step, of, x), doubt = 0, grows = 0;
    double before_u = NAN, before_h = NAN;
    for (int k = i + step; k >= 0 && k < grid->count; k += step) {
        gdyn_place *to = &grid->place[k];
        double h = to->p - to[-step].p;
        if (!inequality_at(to, of, &next) || !(next.delta * step > 0) ||
            gdyn_inequality_vanishes(&next)) {
            return;
        }
        double y = arrive(&next, h, x + h * u, x + 2 * h * u);
        double v = -value(&next, y) / next.delta;
        if (!(y > 0) || !isfinite(v)) {
            return;
        }
        double bend = isnan(before_u) ? fabs(v - u)
                                      : fabs((v - u) - (u - before_u) * h / before_h) * 2 *
                                            fabs(h) / (fabs(h) + fabs(before_h));
        double stays = -h * slope(&next, y) / next.delta;
        doubt = doubt * fabs(1 + grows) / (1 - stays) + fabs(h) * CURVATURE * bend;
        to->x_most = fmin(to->x_most, y + doubt);
        to->x_star = fmin(to->x_star, y);
        gdyn_place *segment = step > 0 ? to - 1 : to;
        segment->m_star = fmin(segment->m_star, x + h * u);
        grows = -h * slope(&next, y) / next.delta;
        before_u = u, before_h = h;
        x = y, u = v;
    }
}

void gdyn_inertia_limit(gdyn_grid *grid) {
    for (int i = 0; i < grid->count; i++) {
        gdyn_place *place = &grid->place[i];
        place->x_most = place->x_star = place->m_star = INFINITY;
    }
    for (int i = 0; i < grid->count; i++) {
        for (int k = 0; k < grid->place[i].zeros; k++) {
            gdyn_combination of = grid->place[i].zero[k];
            limit_from(grid, i, -1, &of);
            limit_from(grid, i, 1, &of);
        }
    }
}
