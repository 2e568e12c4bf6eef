/* envelope.c - lower envelope of parabolas by walking along it.
 *
 * Two parabolas cross at most twice, and u_j - u_i = da t^2 + db t + dc passes from plus to minus
 * at one place only, (-db - sqrt(db^2 - 4 da dc)) / (2 da), whatever the signs. From the parabola
 * that is least just after t, the next arc begins at the first such crossing with any other one.
 * With n curves and h arcs this costs O(n h); regions of machines have few arcs. At each corner the
 * next curve is chosen among all that are least there within rounding: by slope, then by curvature,
 * so that corners where many curves meet are passed at once.
 *
 * When only t^2 occurs the curves are lines in x = t^2: slopes can only fall along their envelope
 * (the dual hull), and each step looks among the curves of smaller slope. */
#include "access/projection.h"

#include <assert.h>

/* Rounding in the comparison of two values, relative to their terms. */
#define TIE 1e-14

void gdyn_chain_create(gdyn_chain *chain, gdyn_arena *arena, int max_curves) {
    *chain = (gdyn_chain){.capacity = 2 * max_curves + 16};
    chain->from = gdyn_arena_room(arena, (size_t)chain->capacity, sizeof *chain->from);
    chain->curve = gdyn_arena_room(arena, (size_t)chain->capacity, sizeof *chain->curve);
    chain->live = gdyn_arena_room(arena, (size_t)chain->capacity, sizeof *chain->live);
}

/* The next arc of the chain, or the last one replaced. */
static void append(gdyn_chain *chain, double from, int curve) {
    if (chain->count && chain->from[chain->count - 1] >= from) {
        chain->curve[chain->count - 1] = curve; /* the last arc has no length */
        return;
    }
    if (chain->count < chain->capacity) {
        chain->from[chain->count] = from;
        chain->curve[chain->count++] = curve;
    }
}

/* Crossings up to this t are decided by the constants of both curves, whatever rounding is in a and
 * b; beyond it curves that differ by rounding alone do not cross. */
#define NEAR 16

/* The difference of two curves without rounding. */
static gdyn_quadratic apart(const gdyn_curves *u, int j, int i) {
    gdyn_quadratic p = {u->a[j], u->b[j], u->c[j]}, q = {u->a[i], u->b[i], u->c[i]};
    gdyn_quadratic error = gdyn_quadratic_plus(gdyn_curve_error(u, j), gdyn_curve_error(u, i));
    return gdyn_quadratic_difference(p, q, error);
}

/* --- lines in x = t^2 ------------------------------------------------------------------------ */

/* Least line just after x. */
static int least_line(const gdyn_curves *u, double x) {
    int best = 0;
    double value = u->a[0] * x + u->c[0];
    /* clearly less, or equal within rounding with less slope */
    for (int j = 1; j < u->count; j++) {
        double v = u->a[j] * x + u->c[j];
        double tie = TIE * (fabs(u->a[j]) * x + u->size[j]);
        if (v < value - tie || (v <= value + tie && u->a[j] < u->a[best])) {
            best = j;
            value = v;
        }
    }
    return best;
}

/* Lines of less slope than line i, out of those listed: they alone can follow it. Slopes equal
 * within rounding never cross. Both sides of the comparison are as likely: no branch. */
static int steeper(const gdyn_curves *u, int i, int *live, int count) {
    double slope = u->a[i] - TIE * fabs(u->a[i]);
    int kept = 0;
    for (int n = 0; n < count; n++) {
        int j = live[n];
        live[kept] = j;
        kept += u->a[j] < slope;
    }
    return kept;
}

/* The line listed that crosses line i first, before *next; -1: none. */
static int next_line(const gdyn_curves *u, int i, const int *live, int count, double *next) {
    const double *a = u->a, *c = u->c;
    int best = -1;
    for (int n = 0; n < count; n++) {
        int j = live[n];
        double rise = c[j] - c[i], fall = a[i] - a[j];
        /* rise / fall < next, or equal and steeper */
        if (rise > *next * fall || (rise == *next * fall && !(best >= 0 && a[j] < a[best])))
            continue;
        /* a crossing away from zero counts only where coefficients differ beyond their errors */
        if (rise > NEAR * NEAR * fall && !(apart(u, j, i).a < 0))
            continue;
        *next = rise / fall;
        best = j;
    }
    return best;
}

/* Lower envelope of lines over x = t^2: from line to line of less slope. */
static void walk_lines(const gdyn_curves *u, double from, double to, gdyn_chain *chain) {
    double x = from * from, end = to * to;
    int i = least_line(u, x), *live = chain->live, count = u->count;
    append(chain, from, i);
    for (int j = 0; j < count; j++)
        live[j] = j;
    /* the next line is the one whose crossing with the present one comes first */
    while (true) {
        double next = end;
        count = steeper(u, i, live, count);
        i = next_line(u, i, live, count, &next);
        if (i < 0)
            return;
        /* it is the least one from there on */
        x = fmax(x, next);
        append(chain, sqrt(x), i);
    }
}

/* --- parabolas ------------------------------------------------------------------------------- */

/* Bounds of all coefficients: what a tie may amount to at most. */
typedef struct extent {
    double a, b, c;
} extent;

/* Greatest coefficients of the family, which bound ties. */
static extent extent_of(const gdyn_curves *u) {
    extent e = {0, 0, 0};
    for (int j = 0; j < u->count; j++) {
        double c = fabs(u->c[j]) + u->size[j];
        e.a = fabs(u->a[j]) > e.a ? fabs(u->a[j]) : e.a;
        e.b = fabs(u->b[j]) > e.b ? fabs(u->b[j]) : e.b;
        e.c = c > e.c ? c : e.c;
    }
    return e;
}

static double tie_at(const gdyn_curves *u, int j, double t) {
    return TIE * ((fabs(u->a[j]) * t + fabs(u->b[j])) * t + fabs(u->c[j]) + u->size[j]);
}

/* Least parabola just after t: value, then slope, then curvature. */
static int least_parabola(const gdyn_curves *u, const int *live, int count, const extent *most,
                          double t) {
    /* the least value at t */
    double least = INFINITY, r = fabs(t), slope = 0;
    int first = live[0], best = -1;
    for (int n = 0; n < count; n++) {
        int j = live[n];
        double v = (u->a[j] * t + u->b[j]) * t + u->c[j];
        if (v < least) {
            least = v;
            first = j;
        }
    }
    double slack = tie_at(u, first, r),
           reach = least + slack + TIE * ((most->a * r + most->b) * r + most->c);
    /* of all that agree with it within rounding, the least just behind t: by slope, then by
     * curvature */
    for (int n = 0; n < count; n++) {
        int j = live[n];
        double v = (u->a[j] * t + u->b[j]) * t + u->c[j];
        if (v > reach || v > least + slack + tie_at(u, j, r))
            continue;
        double s = 2 * u->a[j] * t + u->b[j], close = TIE * (fabs(2 * u->a[j] * t) + fabs(u->b[j]));
        if (best < 0 || s < slope - close || (s <= slope + close && u->a[j] < u->a[best])) {
            best = j;
            slope = s;
        }
    }
    return best < 0 ? first : best;
}

/* Can d, which is not negative at t, be negative somewhere in (t, next)? Cheap: no root is
 * taken. */
static bool may_fall(gdyn_quadratic d, double t, double next) {
    if (isinf(next) ? d.a < 0 || (d.a == 0 && d.b < 0) : gdyn_quadratic_at(d, next) < 0)
        return true;
    return d.a > 0 && -d.b > 2 * d.a * t && -d.b < 2 * d.a * next && d.b * d.b > 4 * d.a * d.c;
}

/* Where d = u_j - u_i passes from plus to minus after t; INFINITY when it does not. */
static double falls_below(gdyn_quadratic d, double t) {
    double root[2], at = INFINITY;
    int roots = gdyn_quadratic_roots(d, root);
    if (roots == 2)
        at = d.a > 0 ? root[0] : root[1];
    else if (roots == 1 && d.b < 0) /* a line, or as good as one */
        at = root[0];
    return at > t ? at : INFINITY;
}

/* Next crossing with the curve i that is least just after t, before *next. Curves that rise no less
 * than i from here on, by slope and curvature, never come below it again and leave the list. */
static int next_crossing(const gdyn_curves *u, int i, double t, int *live, int *count,
                         double *next) {
    int best = -1, kept = 0;
    for (int n = 0; n < *count; n++) {
        int j = live[n];
        gdyn_quadratic d = {u->a[j] - u->a[i], u->b[j] - u->b[i], u->c[j] - u->c[i]};
        if (j != i && d.a >= 0 && 2 * d.a * t + d.b >= 0)
            continue;
        live[kept++] = j;
        if (j == i || !may_fall(d, t, *next))
            continue;
        double at = falls_below(d, t);
        if (at > NEAR && at < *next)
            at = falls_below(apart(u, j, i), t);
        if (at < *next) {
            *next = at;
            best = j;
        }
    }
    *count = kept;
    return best;
}

/* Lower envelope of parabolas: from crossing to crossing. */
static void walk_parabolas(const gdyn_curves *u, double from, double to, gdyn_chain *chain) {
    double t = from;
    extent most = extent_of(u);
    int *live = chain->live, count = u->count;
    /* all curves at first; next_crossing drops those that are never least again */
    for (int j = 0; j < count; j++)
        live[j] = j;
    int i = least_parabola(u, live, count, &most, t);
    append(chain, from, i);
    /* Twice the number of arcs that n parabolas can have: rounding cannot keep the walk from
     * ending. */
    for (int step = 0; step < 4 * u->count + 16; step++) {
        double next = to;
        if (next_crossing(u, i, t, live, &count, &next) < 0)
            return;
        t = next;
        int best = least_parabola(u, live, count, &most, t);
        /* a crossing that does not change the least curve is rounding: a step beyond it */
        if (best == i)
            t = nextafter(t * (1 + 1e-14), INFINITY);
        else
            append(chain, t, best);
        i = best;
    }
}

/* Even families are lines over t^2. */
void gdyn_envelope(const gdyn_curves *curves, bool even, double from, double to,
                   gdyn_chain *chain) {
    assert(from <= to && (!even || from >= 0));
    chain->count = 0;
    if (curves->count == 0)
        return;
    if (even)
        walk_lines(curves, from, to, chain);
    else
        walk_parabolas(curves, from, to, chain);
}
