/* effects.c - what each design variable does to each result, from a sweep of one variable at a
 * time. */
#include "study/sweep.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- what is watched ---------------------------------------------------------------------- */

/* Objectives and constraints; all criteria where the case has neither. */
int gdyn_watched_count(const gdyn_study *study) {
    const gdyn_instance *start = gdyn_study_start(study);
    int goals = start->objective_count + start->requirement_count;
    return goals > 0 ? goals : gdyn_study_responses(study);
}

const char *gdyn_watched_name(const gdyn_study *study, int i, const char **unit) {
    const gdyn_instance *start = gdyn_study_start(study);
    int objectives = start->objective_count, goals = objectives + start->requirement_count;
    *unit = goals == 0       ? gdyn_study_response_unit(study, i)
            : i < objectives ? gdyn_study_objective_unit(study, i)
                             : gdyn_study_constraint_unit(study, i - objectives);
    return goals == 0       ? gdyn_study_response_name(study, i)
           : i < objectives ? start->objective[i].name
                            : start->requirement[i - objectives].name;
}

bool gdyn_watched(const gdyn_study *study, int i, const gdyn_design *d, double *value) {
    const gdyn_instance *start = gdyn_study_start(study);
    int objectives = start->objective_count, goals = objectives + start->requirement_count;
    if (goals == 0) {
        *value = d->response[i];
        return d->known[i] && gdyn_study_response_kind(study, i) != GDYN_RESPONSE_PARAMETER;
    }
    *value = i < objectives ? d->objective[i] : d->constraint[i - objectives];
    return d->evaluated;
}

/* --- effects ------------------------------------------------------------------------------ */

/* Level of variable j nearest to the start on one side of it, among those with a value. */
typedef struct neighbour {
    bool found;
    double x, value;
} neighbour;

static void look_at(neighbour *n, double start, double x, double value) {
    if (!n->found || fabs(x - start) < fabs(n->x - start))
        *n = (neighbour){true, x, value};
}

/* Central difference at the start, scaled to the whole range of the variable. At a bound the start
 * design stands in for the missing neighbour. */
static double slope_of(const gdyn_design_variable *v, neighbour below, neighbour above,
                       neighbour start) {
    below = below.found ? below : start;
    above = above.found ? above : start;
    bool known = below.found && above.found && above.x > below.x && v->max > v->min;
    return known ? (above.value - below.value) / (above.x - below.x) * (v->max - v->min) : NAN;
}

static gdyn_effect effect_of(const gdyn_sweep *sweep, int watched, int variable) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    const gdyn_design_variable *v = &start->design[variable];
    double x0 = gdyn_study_start_value(sweep->study, variable);
    gdyn_effect e = {watched, variable, INFINITY, -INFINITY, NAN, NAN, 0, 0};
    neighbour below = {0}, above = {0};
    /* Go through the levels of this variable; its neighbours of the start on both sides give the
     * slope. */
    for (int i = sweep->first[variable]; i < sweep->first[variable + 1]; i++) {
        double value;
        const gdyn_design *d = gdyn_archive_find(sweep->archive, i);
        if (!d || !gdyn_watched(sweep->study, watched, d, &value)) {
            e.missing++;
            continue;
        }
        double x = d->x[variable];
        e.known++;
        e.least = fmin(e.least, value), e.greatest = fmax(e.greatest, value);
        if (x < x0)
            look_at(&below, x0, x, value);
        else if (x > x0)
            look_at(&above, x0, x, value);
    }
    const gdyn_design *origin = gdyn_archive_find(sweep->archive, 0);
    double at_start;
    bool has = origin && gdyn_watched(sweep->study, watched, origin, &at_start);
    e.slope = slope_of(v, below, above, (neighbour){has, x0, has ? at_start : NAN});
    /* one level has no effect to speak of */
    if (e.known > 1 && has && at_start != 0)
        e.share = (e.greatest - e.least) / fabs(at_start);
    return e;
}

/* The strongest first within each result; what is not known last. */
static int by_strength(const void *a, const void *b) {
    const gdyn_effect *x = a, *y = b;
    double s = x->known ? x->greatest - x->least : -1, t = y->known ? y->greatest - y->least : -1;
    if (x->watched != y->watched)
        return x->watched - y->watched;
    return s != t ? (s < t) - (s > t) : x->variable - y->variable;
}

gdyn_effect *gdyn_effects(const gdyn_sweep *sweep, int *count) {
    int variables = gdyn_study_start(sweep->study)->design_count;
    int watched = gdyn_watched_count(sweep->study);
    gdyn_effect *list = gdyn_alloc((size_t)(watched * variables), sizeof *list);
    *count = 0;
    for (int i = 0; i < watched && list; i++)
        for (int j = 0; j < variables; j++) {
            gdyn_effect e = effect_of(sweep, i, j);
            if (e.known > 0)
                list[(*count)++] = e;
        }
    if (list)
        qsort(list, (size_t)*count, sizeof *list, by_strength);
    return list;
}

int gdyn_effects_together(int count, const gdyn_effect *effect, bool *moved) {
    /* Effects of one result follow each other; rounding does not count as movement. */
    int n = 0;
    *moved = false;
    for (; n < count && effect[n].watched == effect[0].watched; n++) {
        double size = fmax(fabs(effect[n].least), fabs(effect[n].greatest));
        *moved |= effect[n].greatest - effect[n].least > 1e-12 * size;
    }
    return n;
}
