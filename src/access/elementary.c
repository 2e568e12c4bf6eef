/* elementary.c - the region from elementary vectors: spans of d1, two envelopes, stretches. */
#include "access/workspace.h"

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

void gdyn_source_limits(const gdyn_access *access, gdyn_source source, gdyn_closing *closing) {
    const gdyn_problem *p = &access->problem;
    closing->count = 0;
    switch (source.origin) {
    case GDYN_FROM_CIRCUIT_HIGH:
        circuit_limits(access, source.index, 1, closing);
        break;
    case GDYN_FROM_CIRCUIT_LOW:
        circuit_limits(access, source.index, -1, closing);
        break;
    case GDYN_FROM_ROW:
        add_sides(closing, p->row[source.index].source);
        break;
    case GDYN_FROM_D1_LOW:
        if (p->t_low != 0)
            closing->limit[closing->count++] = gdyn_limit_forward();
        break;
    case GDYN_FROM_D1_HIGH:
        if (isfinite(p->t_high))
            closing->limit[closing->count++] = gdyn_limit_speed(p->d1_high_drive);
        break;
    case GDYN_FROM_NOTHING:
        break;
    }
}

/* Mirror-symmetrical machines have pairs of equal parabolas, apart from the rounding of their poses:
 * the first of them gives the name, so that an arc is not named by chance. */
#define SAME 1e-11
static int first_alike(const gdyn_curves *u, int j) {
    for (int i = 0; i < j; i++)
        if (fabs(u->a[i] - u->a[j]) <= SAME * fabs(u->a[j]) &&
            fabs(u->b[i] - u->b[j]) <= SAME * fabs(u->b[j]) &&
            fabs(u->c[i] - u->c[j]) <= SAME * u->size[j])
            return i;
    return j;
}

/* Parabola j of a family as a bound with its limits. */
static void fetch(const gdyn_access *access, const gdyn_curves *curves, int j, double sign,
                  gdyn_bound *bound) {
    gdyn_closing closing = {0};
    gdyn_source_limits(access, curves->source[first_alike(curves, j)], &closing);
    bound->q = (gdyn_quadratic){sign * curves->a[j], sign * curves->b[j], sign * curves->c[j]};
    bound->error = gdyn_curve_error(curves, j);
    bound->size = curves->size[j];
    bound->active_count = closing.count;
    memcpy(bound->active, closing.limit, sizeof(gdyn_limit) * (size_t)closing.count);
}

/* Index of the arc that holds just after t. */
static int seek(const gdyn_chain *chain, double t) {
    int i = 0;
    while (i + 1 < chain->count && chain->from[i + 1] <= t)
        i++;
    return i;
}

/* Hands the stretches of one span to the builder. */
static void add_span(gdyn_access *access, gdyn_builder *builder, const gdyn_reach *reach) {
    const gdyn_chain *up = &access->upper, *low = &access->lower;
    gdyn_closing left = {0}, right = {0};
    gdyn_source_limits(access, reach->left, &left);
    gdyn_source_limits(access, reach->right, &right);
    gdyn_builder_span(builder, reach->from, reach->to, &left, &right);
    int i = seek(up, reach->from), j = seek(low, reach->from);
    bool new_upper = true, new_lower = true;
    gdyn_bound upper = {0}, lower = {0};
    for (double at = reach->from;;) {
        if (up->count && new_upper)
            fetch(access, &access->projected.upper, up->curve[i], 1, &upper);
        if (low->count && new_lower)
            fetch(access, &access->projected.lower, low->curve[j], -1, &lower);
        double next_upper = i + 1 < up->count ? up->from[i + 1] : INFINITY;
        double next_lower = j + 1 < low->count ? low->from[j + 1] : INFINITY;
        double to = fmin(reach->to, fmin(next_upper, next_lower));
        gdyn_builder_add(builder, at, to, up->count ? &upper : NULL, low->count ? &lower : NULL);
        if (to >= reach->to)
            return;
        new_upper = next_upper <= to;
        new_lower = next_lower <= to;
        i += new_upper;
        j += new_lower;
        at = to;
    }
}

/* Keeps the d1 at which a bound of a family (sign -1: lower, negated) leaves room for z = given. */
static void restrict_family(gdyn_access *access, const gdyn_curves *curves, double sign,
                            const gdyn_condition *given) {
    gdyn_quadratic z = {sign * given->q.a, sign * given->q.b, sign * given->q.c};
    gdyn_quadratic of_given = gdyn_source_error(&access->projected, given->source);
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
    for (int i = 1; i < p->equal_curves; i++) {
        gdyn_quadratic error = gdyn_quadratic_plus(gdyn_source_error(p, p->equal[i].source),
                                                   gdyn_source_error(p, given->source));
        gdyn_quadratic d = gdyn_quadratic_difference(p->equal[i].q, given->q, error);
        double size = p->equal[i].size + given->size;
        gdyn_condition condition = {d, size, p->equal[i].source};
        gdyn_spans_restrict(&access->spans, &condition);
        condition.q = (gdyn_quadratic){-d.a, -d.b, -d.c};
        gdyn_spans_restrict(&access->spans, &condition);
    }
}

static void add_curve_spans(gdyn_access *access, gdyn_builder *builder) {
    const gdyn_condition *given = &access->projected.equal[0];
    gdyn_closing limits = {0}, left = {0}, right = {0};
    gdyn_source_limits(access, given->source, &limits);
    gdyn_bound bound = {.q = given->q, .size = given->size, .active_count = limits.count};
    bound.error = gdyn_source_error(&access->projected, given->source);
    memcpy(bound.active, limits.limit, sizeof limits.limit);
    for (int i = 0; i < access->spans.count; i++) {
        const gdyn_reach *reach = &access->spans.list[i];
        gdyn_source_limits(access, reach->left, &left);
        gdyn_source_limits(access, reach->right, &right);
        gdyn_builder_span(builder, reach->from, reach->to, &left, &right);
        gdyn_builder_add(builder, reach->from, reach->to, &bound, &bound);
    }
}

static void add_area_spans(gdyn_access *access, gdyn_builder *builder) {
    const gdyn_spans *spans = &access->spans;
    if (spans->count == 0)
        return;
    double from = spans->list[0].from, to = spans->list[spans->count - 1].to;
    gdyn_envelope(&access->projected.upper, access->problem.even, from, to, &access->upper);
    gdyn_envelope(&access->projected.lower, access->problem.even, from, to, &access->lower);
    for (int i = 0; i < spans->count; i++)
        add_span(access, builder, &spans->list[i]);
}

gdyn_status gdyn_region_elementary(gdyn_access *access, gdyn_region *region) {
    gdyn_builder builder;
    gdyn_projected *projected = &access->projected;
    gdyn_builder_of_problem(&builder, &access->problem, region);
    gdyn_project(&access->problem, projected);
    access->circuits = projected->circuits;
    gdyn_spans_start(&access->spans, &access->problem);
    for (int i = 0; i < projected->conditions && access->spans.count; i++)
        gdyn_spans_restrict(&access->spans, &projected->condition[i]);
    if (projected->equal_curves) {
        restrict_to_curve(access, &projected->equal[0]);
        add_curve_spans(access, &builder);
    } else {
        add_area_spans(access, &builder);
    }
    return gdyn_builder_finish(&builder);
}
