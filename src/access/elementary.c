/* elementary.c - the region from elementary vectors: spans of d1, two envelopes, stretches. */
#include "access/projection.h"

#include <assert.h>
#include <string.h>

/* --- spans of d1 ----------------------------------------------------------------------------- */

/* Intersection of the sets where quadratics are not negative. */

void gdyn_spans_create(gdyn_spans *spans, gdyn_arena *arena, int max_conditions) {
    *spans = (gdyn_spans){.capacity = max_conditions + 8};
    spans->list = gdyn_arena_room(arena, (size_t)spans->capacity, sizeof *spans->list);
    spans->other = gdyn_arena_room(arena, (size_t)spans->capacity, sizeof *spans->other);
}

/* Cuts every interval by a condition; what is cut off is named as the reason of the new end. */
static void restrict_spans(gdyn_spans *spans, const gdyn_condition *condition) {
    int count = 0;
    for (int i = 0; i < spans->count; i++) {
        gdyn_reach reach = spans->list[i];
        gdyn_span part[GDYN_SPANS_MAX];
        /* where the condition holds within the interval */
        int parts = gdyn_quadratic_spans(condition->q, reach.from, reach.to, GDYN_ACCESS_NOISE,
                                         condition->size, part);
        /* an end that moved belongs to the condition */
        for (int j = 0; j < parts && count < spans->capacity; j++)
            spans->other[count++] =
                (gdyn_reach){part[j].from, part[j].to,
                             part[j].from > reach.from ? condition->source : reach.left,
                             part[j].to < reach.to ? condition->source : reach.right};
    }
    /* both lists take turns */
    gdyn_reach *swap = spans->list;
    spans->list = spans->other, spans->other = swap, spans->count = count;
}

/* --- envelopes ------------------------------------------------------------------------------- */

/* Lower envelope of parabolas by walking along it.
 *
 * Two parabolas cross at most twice, and u_j - u_i = da t^2 + db t + dc passes from plus to minus
 * at one place only, (-db - sqrt(db^2 - 4 da dc)) / (2 da), for all signs. From the parabola
 * that is smallest just after t, the next arc begins at the first such crossing with any other one.
 * With n curves and h arcs this costs O(n h); regions of machines have few arcs. At each corner the
 * next curve is chosen among all that are smallest there within rounding: by slope, then by
 * curvature, so that corners where many curves meet are passed at once.
 *
 * When only t^2 occurs the curves are lines in x = t^2: slopes can only fall along their envelope
 * (the dual hull), and each step looks among the curves of smaller slope. */

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

/* Crossings up to this t are decided by the constants of both curves, regardless of rounding in a
 * and b; beyond it curves that differ by rounding alone do not cross. */
#define NEAR 16

/* The difference of two curves without rounding. */
static gdyn_quadratic apart(const gdyn_curves *u, int j, int i) {
    gdyn_quadratic p = {u->a[j], u->b[j], u->c[j]}, q = {u->a[i], u->b[i], u->c[i]};
    gdyn_quadratic error = gdyn_quadratic_plus(gdyn_curve_error(u, j), gdyn_curve_error(u, i));
    return gdyn_quadratic_difference(p, q, error);
}

/* --- lines in x = t^2 ------------------------------------------------------------------------ */

/* Smallest line just after x. */
static int least_line(const gdyn_curves *u, double x) {
    int best = 0;
    double value = u->a[0] * x + u->c[0];
    /* clearly less, or equal within rounding with less slope */
    for (int j = 1; j < u->count; j++) {
        double v = u->a[j] * x + u->c[j];
        double tie = TIE * (fabs(u->a[j]) * x + u->size[j]);
        if (v < value - tie || (v <= value + tie && u->a[j] < u->a[best]))
            best = j, value = v;
    }
    return best;
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
        /* Lines of less slope than line i, out of those listed: they alone can follow it. Slopes
         * equal within rounding never cross. Both sides of the comparison are as likely: no branch.
         * */
        double slope = u->a[i] - TIE * fabs(u->a[i]);
        int kept = 0;
        for (int n = 0; n < count; n++) {
            int j = live[n];
            live[kept] = j;
            kept += u->a[j] < slope;
        }
        count = kept;
        i = next_line(u, i, live, count, &next);
        if (i < 0)
            return;
        /* it is the smallest one from there on */
        x = fmax(x, next);
        append(chain, sqrt(x), i);
    }
}

/* --- parabolas ------------------------------------------------------------------------------- */

/* Bounds of all coefficients: what a tie may amount to at most. */
typedef struct extent {
    double a, b, c;
} extent;

static double tie_at(const gdyn_curves *u, int j, double t) {
    return TIE * ((fabs(u->a[j]) * t + fabs(u->b[j])) * t + fabs(u->c[j]) + u->size[j]);
}

/* Smallest parabola just after t: value, then slope, then curvature. */
static int least_parabola(const gdyn_curves *u, const int *live, int count, const extent *most,
                          double t) {
    /* the smallest value at t */
    double least = INFINITY, r = fabs(t), slope = 0;
    int first = live[0], best = -1;
    for (int n = 0; n < count; n++) {
        int j = live[n];
        double v = (u->a[j] * t + u->b[j]) * t + u->c[j];
        if (v < least)
            least = v, first = j;
    }
    double slack = tie_at(u, first, r),
           reach = least + slack + TIE * ((most->a * r + most->b) * r + most->c);
    /* of all that agree with it within rounding, the smallest just behind t: by slope, then by
     * curvature */
    for (int n = 0; n < count; n++) {
        int j = live[n];
        double v = (u->a[j] * t + u->b[j]) * t + u->c[j];
        if (v > reach || v > least + slack + tie_at(u, j, r))
            continue;
        double s = 2 * u->a[j] * t + u->b[j], close = TIE * (fabs(2 * u->a[j] * t) + fabs(u->b[j]));
        if (best < 0 || s < slope - close || (s <= slope + close && u->a[j] < u->a[best]))
            best = j, slope = s;
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

/* Next crossing with the curve i that is smallest just after t, before *next. Curves that rise no
 * less than i from here on, by slope and curvature, never come below it again and leave the
 * list. */
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
    /* Largest coefficients of the family, which bound ties. */
    extent e = {0, 0, 0};
    for (int j = 0; j < u->count; j++) {
        double c = fabs(u->c[j]) + u->size[j];
        e.a = fabs(u->a[j]) > e.a ? fabs(u->a[j]) : e.a;
        e.b = fabs(u->b[j]) > e.b ? fabs(u->b[j]) : e.b;
        e.c = c > e.c ? c : e.c;
    }
    extent most = e;
    int *live = chain->live, count = u->count;
    /* all curves at first; next_crossing drops those that are never smallest again */
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
        /* a crossing that does not change the smallest curve is rounding: a step beyond it */
        if (best == i)
            t = nextafter(t * (1 + 1e-14), INFINITY);
        else
            append(chain, t, best);
        i = best;
    }
}

/* Smallest of the curves on [from, to] (to may be infinite); even: only a and c matter and from >=
 * 0: lines over t^2. */
static void find_envelope(const gdyn_curves *curves, bool even, double from, double to,
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

/* --- the region ------------------------------------------------------------------------------- */

/* Rows of an elementary vector with the sides that the inequality takes. */
static void circuit_limits(const gdyn_access *access, int index, int sign, gdyn_closing *closing) {
    const gdyn_circuit *circuit = &access->projected.circuit[index];
    for (int i = 0; i < circuit->count; i++) {
        int row = access->problem.row[circuit->row[i]].source;
        gdyn_limit_add(closing->limit, &closing->count, GDYN_ACTIVE_MAX,
                       gdyn_limit_of_source(row, circuit->w[i] * sign > 0));
    }
}

gdyn_closing gdyn_problem_end(const gdyn_problem *p, double t, bool left) {
    gdyn_closing closing = {0};
    if (left && t == p->t_low && t != 0)
        closing.limit[closing.count++] = gdyn_limit_window(p->d1_low_window, -1);
    if (!left && t == p->t_high && isfinite(t))
        closing.limit[closing.count++] = gdyn_limit_window(p->d1_high_window, 1);
    return closing;
}

/* What an inequality came from, in terms of the user's limits. */
void gdyn_source_limits(const gdyn_access *access, gdyn_source source, gdyn_closing *closing) {
    const gdyn_problem *p = &access->problem;
    gdyn_limit limit;
    closing->count = 0;
    /* a circuit's rows are active on the sides that their weights select */
    switch (source.origin) {
    case GDYN_FROM_CIRCUIT_HIGH:
        circuit_limits(access, source.index, 1, closing);
        break;
    case GDYN_FROM_CIRCUIT_LOW:
        circuit_limits(access, source.index, -1, closing);
        break;
    /* low <= high of one row: both of its limits */
    case GDYN_FROM_ROW:
        limit = gdyn_limit_of_source(p->row[source.index].source, false);
        for (limit.side = -1; limit.side <= 1; limit.side += 2) /* of an equality, too */
            closing->limit[closing->count++] = limit;
        break;
    case GDYN_FROM_D1_LOW:
        *closing = gdyn_problem_end(p, p->t_low, true);
        break;
    case GDYN_FROM_D1_HIGH:
        *closing = gdyn_problem_end(p, p->t_high, false);
        break;
    case GDYN_FROM_NOTHING:
        break;
    }
}

/* Mirror-symmetrical machines have pairs of equal parabolas, apart from the rounding of their
 * poses: the first of them gives the name, so that an arc is not named by chance. */
#define SAME 1e-11
/* The first curve equal to curve j within rounding: the first one names the limit. */
static int first_alike(const gdyn_curves *u, int j) {
    for (int i = 0; i < j; i++)
        if (fabs(u->a[i] - u->a[j]) <= SAME * fabs(u->a[j]) &&
            fabs(u->b[i] - u->b[j]) <= SAME * fabs(u->b[j]) &&
            fabs(u->c[i] - u->c[j]) <= SAME * u->size[j])
            return i;
    return j;
}

/* The arcs of a chain with their limits. */
static void take_chain(const gdyn_access *access, const gdyn_chain *chain,
                       const gdyn_curves *curves, double sign, gdyn_stretches *out) {
    out->count = 0;
    for (int i = 0; i < chain->count; i++) {
        /* parabola j of a family (sign -1: lower, negated) as a bound with its limits */
        int j = chain->curve[i];
        gdyn_bound bound = {.size = curves->size[j], .error = gdyn_curve_error(curves, j)};
        gdyn_closing closing;
        gdyn_source_limits(access, curves->source[first_alike(curves, j)], &closing);
        bound.q = (gdyn_quadratic){sign * curves->a[j], sign * curves->b[j], sign * curves->c[j]};
        bound.active_count = closing.count;
        memcpy(bound.active, closing.limit, sizeof(gdyn_limit) * (size_t)closing.count);
        gdyn_stretches_add(out, (gdyn_envelope_stretch){.from = chain->from[i], .bound = bound});
    }
}

/* Keeps the d1 at which a bound of a family (sign -1: lower, negated) leaves room for z = given. */
static void restrict_family(gdyn_access *access, const gdyn_curves *curves, double sign,
                            const gdyn_condition *given) {
    /* z of the equality, in the sign of the family */
    gdyn_quadratic z = gdyn_quadratic_times(sign, given->q);
    gdyn_quadratic of_given = gdyn_source_error(&access->projected, given->source);
    /* bound - z >= 0, with the errors of both */
    for (int j = 0; j < curves->count && access->spans.count; j++) {
        gdyn_quadratic bound = {curves->a[j], curves->b[j], curves->c[j]};
        gdyn_quadratic error = gdyn_quadratic_plus(gdyn_curve_error(curves, j), of_given);
        gdyn_condition condition = {gdyn_quadratic_difference(bound, z, error),
                                    curves->size[j] + given->size, curves->source[j]};
        restrict_spans(&access->spans, &condition);
    }
}

/* An equality gives d2: every inequality becomes a condition on d1. */
static void restrict_to_curve(gdyn_access *access, const gdyn_condition *given) {
    const gdyn_projected *p = &access->projected;
    restrict_family(access, &p->upper, 1, given);
    restrict_family(access, &p->lower, -1, given);
    /* two equalities: their difference is zero, from both sides */
    for (int i = 1; i < p->equal_curves; i++) {
        gdyn_quadratic error = gdyn_quadratic_plus(gdyn_source_error(p, p->equal[i].source),
                                                   gdyn_source_error(p, given->source));
        gdyn_quadratic d = gdyn_quadratic_difference(p->equal[i].q, given->q, error);
        double size = p->equal[i].size + given->size;
        gdyn_condition condition = {d, size, p->equal[i].source};
        /* d >= 0 and -d >= 0 */
        restrict_spans(&access->spans, &condition);
        condition.q = gdyn_quadratic_times(-1, d);
        restrict_spans(&access->spans, &condition);
    }
}

/* The region is a curve: both bounds are the given parabola. */
static void add_curve_spans(gdyn_access *access, gdyn_builder *builder) {
    const gdyn_condition *given = &access->projected.equal[0];
    gdyn_closing limits = {0}, left = {0}, right = {0};
    /* the limits behind the equality are active everywhere */
    gdyn_source_limits(access, given->source, &limits);
    gdyn_bound bound = {.q = given->q, .size = given->size, .active_count = limits.count};
    bound.error = gdyn_source_error(&access->projected, given->source);
    memcpy(bound.active, limits.limit, sizeof limits.limit);
    /* every interval of d1 that is left */
    for (int i = 0; i < access->spans.count; i++) {
        const gdyn_reach *reach = &access->spans.list[i];
        gdyn_source_limits(access, reach->left, &left);
        gdyn_source_limits(access, reach->right, &right);
        gdyn_builder_span(builder, reach->from, reach->to, &left, &right);
        gdyn_builder_add(builder, reach->from, reach->to, &bound, &bound);
    }
}

/* Both envelopes over all spans, cut into these. */
static void add_area_spans(gdyn_access *access, gdyn_builder *builder) {
    const gdyn_spans *spans = &access->spans;
    const gdyn_projected *p = &access->projected;
    if (spans->count == 0)
        return;
    /* both envelopes over the whole range at once */
    double from = spans->list[0].from, to = spans->list[spans->count - 1].to;
    find_envelope(&p->upper, access->problem.even, from, to, &access->chain);
    take_chain(access, &access->chain, &p->upper, 1, &access->upper);
    find_envelope(&p->lower, access->problem.even, from, to, &access->chain);
    take_chain(access, &access->chain, &p->lower, -1, &access->lower);
    for (int i = 0; i < spans->count; i++) {
        gdyn_closing left, right;
        gdyn_source_limits(access, spans->list[i].left, &left);
        gdyn_source_limits(access, spans->list[i].right, &right);
        gdyn_stretches_build(builder, spans->list[i].from, spans->list[i].to, &left, &right,
                             &access->upper, &access->lower);
    }
}

/* Projection by elementary vectors (circuits.c), then envelopes. */
gdyn_status gdyn_region_elementary(gdyn_access *access, gdyn_builder *builder) {
    gdyn_projected *projected = &access->projected;
    /* inequalities without y; those without d2 cut the range of d1 */
    gdyn_project(&access->problem, projected);
    access->circuits = projected->circuits;
    /* the whole range of d1 */
    access->spans.count = access->problem.t_low <= access->problem.t_high;
    access->spans.list[0] = (gdyn_reach){access->problem.t_low,
                                         access->problem.t_high,
                                         {GDYN_FROM_D1_LOW, 0},
                                         {GDYN_FROM_D1_HIGH, 0}};
    for (int i = 0; i < projected->conditions && access->spans.count; i++)
        restrict_spans(&access->spans, &projected->condition[i]);
    /* a curve where d2 is given by d1, else the area between both envelopes */
    if (projected->equal_curves) {
        restrict_to_curve(access, &projected->equal[0]);
        add_curve_spans(access, builder);
    } else {
        add_area_spans(access, builder);
    }
    /* lack of memory in either envelope */
    bool failed = access->upper.failed || access->lower.failed;
    access->upper.failed = access->lower.failed = false;
    return failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
