/* quadratic.c - roots without cancellation and sign spans.
 *
 * Roots: q = -(b + sign(b) sqrt(b^2 - 4 a c)) / 2, t1 = q / a, t2 = c / q (Press et al., Numerical
 * Recipes, 5.6); the discriminant is formed with fma so that nearly double roots keep their digits
 * (Kahan's b^2 - 4ac). */
#include "access/rows.h"

/* Relative rounding of a coefficient that came from a few operations. */
#define ROUNDED 1e-14

/* p - q; a coefficient within its error is zero: at great t it would decide alone. */
gdyn_quadratic gdyn_quadratic_difference(gdyn_quadratic p, gdyn_quadratic q, gdyn_quadratic error) {
    gdyn_quadratic d = gdyn_quadratic_minus(p, q);
    if (fabs(d.a) <= error.a + ROUNDED * (fabs(p.a) + fabs(q.a)))
        d.a = 0;
    if (fabs(d.b) <= error.b + ROUNDED * (fabs(p.b) + fabs(q.b)))
        d.b = 0;
    return d;
}

/* b^2 - 4 a c to nearly full precision (Kahan): where both products cancel, with their rounding
 * errors. */
static double discriminant(double a, double b, double c) {
    double p = b * b, q = 4 * a * c;
    double d = p - q;
    /* no cancellation */
    if (3 * fabs(d) >= p + fabs(q))
        return d;
    /* errors of both products by fused multiply-add */
    double dp = fma(b, b, -p), dq = fma(4 * a, c, -q);
    return d + (dp - dq);
}

/* Roots in ascending order; without the cancellation of -b + sqrt(d). */
int gdyn_quadratic_roots(gdyn_quadratic q, double root[2]) {
    /* a line, or a constant */
    if (q.a == 0) {
        if (q.b == 0)
            return 0;
        root[0] = -q.c / q.b;
        return isfinite(root[0]) ? 1 : 0;
    }
    double d = discriminant(q.a, q.b, q.c);
    if (!(d >= 0))
        return 0;
    /* h has the sign that adds up; the other root follows from r0 r1 = c / a */
    double h = -0.5 * (q.b + copysign(sqrt(d), q.b));
    double r0 = h / q.a, r1 = h != 0 ? q.c / h : r0;
    if (!isfinite(r0)) { /* the leading term is negligible */
        root[0] = r1;
        return isfinite(r1) ? 1 : 0;
    }
    root[0] = gdyn_lesser(r0, r1);
    root[1] = gdyn_greater(r0, r1);
    return 2;
}

/* Value at t, or the sign with which the highest power goes to infinity. */
double gdyn_quadratic_limit(gdyn_quadratic q, double t) {
    if (isfinite(t))
        return gdyn_quadratic_at(q, t);
    double lead = q.a != 0 ? q.a : t > 0 ? q.b : -q.b;
    return lead != 0 ? copysign(INFINITY, lead) : q.c;
}

/* Where q is largest on [from, to] (to may be infinite): an end, or the vertex. */
static double peak_of(gdyn_quadratic q, double from, double to) {
    double best = from, value = gdyn_quadratic_limit(q, from);
    double end = gdyn_quadratic_limit(q, to);
    if (end > value)
        best = to, value = end;
    /* downward parabolas may have it inside */
    if (q.a < 0) {
        double vertex = -q.b / (2 * q.a);
        if (vertex > from && vertex < to && gdyn_quadratic_at(q, vertex) >= value)
            best = vertex;
    }
    return best;
}

/* A quadratic with what counts as zero of it. */
typedef struct noisy {
    gdyn_quadratic q;
    double noise, floor;
} noisy;

static double tolerance(const noisy *n, double t) {
    return n->noise * ((isfinite(t) ? gdyn_quadratic_size(n->q, t) : fabs(n->q.c)) + n->floor);
}

static bool below(const noisy *n, double t) {
    return gdyn_quadratic_at(n->q, t) < -tolerance(n, t);
}

static bool above(const noisy *n, double from, double to) {
    double peak = peak_of(n->q, from, to);
    return gdyn_quadratic_limit(n->q, peak) > tolerance(n, peak);
}

/* A valley inside the stretch that lies below zero. */
static bool sinks(const noisy *n, double from, double to) {
    double valley = -n->q.b / (2 * n->q.a);
    return n->q.a > 0 && valley > from && valley < to && below(n, valley);
}

/* An end of the stretch where q is zero within the noise, with a valley between it and the rest. */
static bool lone_end(const noisy *n, double end, double from, double to) {
    return isfinite(end) && !below(n, end) && sinks(n, from, to);
}

/* Where q does not rise above the noise: the whole stretch, a point, both ends, or nothing. */
static int touch(const noisy *n, double from, double to, gdyn_span span[GDYN_SPANS_MAX]) {
    /* not even the peak reaches zero */
    double peak = peak_of(n->q, from, to);
    if (!isfinite(peak)) /* constant up to infinity */
        peak = from;
    if (gdyn_quadratic_limit(n->q, peak) < -tolerance(n, peak))
        return 0;
    /* flat: at the noise everywhere, so the whole stretch counts */
    double end = isfinite(to) ? to : 1e3 * (1 + fabs(from));
    bool flat = !below(n, from) && !below(n, 0.5 * (from + end)) && !below(n, end);
    span[0] = flat ? (gdyn_span){from, to, from == to, true} : (gdyn_span){peak, peak, true, true};
    /* convex q may touch zero at both ends */
    if (flat || !lone_end(n, peak == from ? to : from, from, to))
        return 1;
    span[0].from = span[0].to = from;
    span[1] = (gdyn_span){to, to, true, true};
    return 2;
}

/* True when q stays at zero within the noise all along the stretch. Beside a piece that rises it
 * belongs to it: where q = a (t^2 - e) with e rounding, the root sqrt(e) is far from 0 and q is
 * not. */
static bool level(const noisy *n, double from, double to) {
    return isfinite(to) && !below(n, from) && !below(n, to) && !sinks(n, from, to);
}

/* Where q >= 0 within rounding; spans in ascending order. */
int gdyn_quadratic_spans(gdyn_quadratic q, double from, double to, double noise, double floor,
                         gdyn_span span[GDYN_SPANS_MAX]) {
    const noisy n = {q, noise, floor};
    if (from > to)
        return 0;
    /* nowhere clearly above: what touches zero */
    if (!above(&n, from, to))
        return touch(&n, from, to, span);
    /* Cut at the roots inside; keep the pieces that rise above the noise, and an end by itself. */
    double cut[4] = {from}, root[2];
    int cuts = 1, roots = gdyn_quadratic_roots(q, root), count = 0;
    for (int i = 0; i < roots; i++)
        if (root[i] > from && root[i] < to)
            cut[cuts++] = root[i];
    cut[cuts++] = to;
    for (int i = 1; i + 1 < cuts; i++) /* a root is where q leaves zero, not where it begins to */
        if (above(&n, cut[i], cut[i + 1]) && level(&n, cut[i - 1], cut[i]))
            cut[i] = cut[i - 1];
    for (int i = cuts - 2; i > 0; i--)
        if (above(&n, cut[i - 1], cut[i]) && level(&n, cut[i], cut[i + 1]))
            cut[i] = cut[i + 1];
    /* adjacent pieces join */
    for (int i = 0; i + 1 < cuts; i++) {
        if (i > 0 && i + 2 < cuts && cut[i] == cut[i + 1])
            continue;
        if (above(&n, cut[i], cut[i + 1]))
            if (count && span[count - 1].to == cut[i])
                span[count - 1].to = cut[i + 1];
            else
                span[count++] = (gdyn_span){cut[i], cut[i + 1], cut[i] == cut[i + 1], false};
        else if (i == 0 && lone_end(&n, from, from, cut[1]))
            span[count++] = (gdyn_span){from, from, true, true};
        else if (i + 2 == cuts && lone_end(&n, to, cut[i], to))
            span[count++] = (gdyn_span){to, to, true, true};
    }
    return count;
}
