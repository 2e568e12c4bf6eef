/* elementary.c - the region from elementary vectors: spans of d1, two envelopes, stretches. */
#include "access/projection.h"

#include <string.h>

/* Rows of an elementary vector with the sides that the inequality takes. */
static void circuit_limits(const gdyn_access *access, int index, int sign, gdyn_closing *closing) {
    const gdyn_circuit *circuit = &access->projected.circuit[index];
    for (int i = 0; i < circuit->count; i++) {
        int row = access->problem.row[circuit->row[i]].source;
        gdyn_limit_add(closing->limit, &closing->count, GDYN_ACTIVE_MAX,
                       gdyn_limit_of_source(row, circuit->w[i] * sign > 0));
    }
}

/* Both sides of a row; of an equality too. */
static void add_sides(gdyn_closing *closing, int source) {
    gdyn_limit limit = gdyn_limit_of_source(source, false);
    for (limit.side = -1; limit.side <= 1; limit.side += 2)
        closing->limit[closing->count++] = limit;
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
        add_sides(closing, p->row[source.index].source);
        break;
    /* the ends of the range of d1 */
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

/* Parabola j of a family (sign -1: lower, negated) as a bound with its limits. */
static gdyn_bound bound_of(const gdyn_access *access, const gdyn_curves *curves, int j,
                           double sign) {
    gdyn_bound bound = {.size = curves->size[j], .error = gdyn_curve_error(curves, j)};
    gdyn_closing closing;
    gdyn_source_limits(access, curves->source[first_alike(curves, j)], &closing);
    bound.q = (gdyn_quadratic){sign * curves->a[j], sign * curves->b[j], sign * curves->c[j]};
    bound.active_count = closing.count;
    memcpy(bound.active, closing.limit, sizeof(gdyn_limit) * (size_t)closing.count);
    return bound;
}

/* The arcs of a chain with their limits. */
static void take_chain(const gdyn_access *access, const gdyn_chain *chain,
                       const gdyn_curves *curves, double sign, gdyn_stretches *out) {
    out->count = 0;
    for (int i = 0; i < chain->count; i++)
        gdyn_stretches_add(
            out, (gdyn_envelope_stretch){.from = chain->from[i],
                                         .bound = bound_of(access, curves, chain->curve[i], sign)});
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
        gdyn_spans_restrict(&access->spans, &condition);
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
        gdyn_spans_restrict(&access->spans, &condition);
        condition.q = gdyn_quadratic_times(-1, d);
        gdyn_spans_restrict(&access->spans, &condition);
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
    gdyn_envelope(&p->upper, access->problem.even, from, to, &access->chain);
    take_chain(access, &access->chain, &p->upper, 1, &access->upper);
    gdyn_envelope(&p->lower, access->problem.even, from, to, &access->chain);
    take_chain(access, &access->chain, &p->lower, -1, &access->lower);
    /* and each span between the limits that close it */
    for (int i = 0; i < spans->count; i++) {
        gdyn_closing left, right;
        gdyn_source_limits(access, spans->list[i].left, &left);
        gdyn_source_limits(access, spans->list[i].right, &right);
        gdyn_stretches_build(builder, spans->list[i].from, spans->list[i].to, &left, &right,
                             &access->upper, &access->lower);
    }
}

/* Projection by elementary vectors (circuits.c), then envelopes. */
gdyn_status gdyn_region_elementary(gdyn_access *access, gdyn_region *region) {
    gdyn_builder builder;
    gdyn_projected *projected = &access->projected;
    gdyn_builder_of_problem(&builder, &access->problem, region);
    /* inequalities without y; those without d2 cut the range of d1 */
    gdyn_project(&access->problem, projected);
    access->circuits = projected->circuits;
    gdyn_spans_start(&access->spans, &access->problem);
    for (int i = 0; i < projected->conditions && access->spans.count; i++)
        gdyn_spans_restrict(&access->spans, &projected->condition[i]);
    /* a curve where d2 is given by d1, else the area between both envelopes */
    if (projected->equal_curves) {
        restrict_to_curve(access, &projected->equal[0]);
        add_curve_spans(access, &builder);
    } else {
        add_area_spans(access, &builder);
    }
    /* lack of memory in either envelope */
    bool failed = access->upper.failed || access->lower.failed;
    access->upper.failed = access->lower.failed = false;
    return gdyn_builder_end(&builder, failed ? GDYN_ERROR_MEMORY : GDYN_OK);
}
