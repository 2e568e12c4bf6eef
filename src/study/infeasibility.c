/* infeasibility.c - constraints that were never kept, alone or together, in what a search has
 * tried. This says nothing about designs that were not tried. */
#include "study/choose.h"

#include "base/memory.h"
#include "study/internal.h"

/* First by the stage at which a design fails, then by its violation. */
static bool nearer(const gdyn_design *a, const gdyn_design *b) {
    return a->failure < b->failure || (a->failure == b->failure && a->violation < b->violation);
}

/* How many designs keep the constraint, and which comes nearest to it. */
static void take_constraint(const gdyn_requirement *wanted, int k, const gdyn_design *d,
                            gdyn_constraint_record *record) {
    record->kept += !gdyn_study_violates(wanted, d->constraint[k]);
    if (!record->best || gdyn_study_missing(wanted, d->constraint[k]) <
                             gdyn_study_missing(wanted, record->best->constraint[k]))
        record->best = d;
}

/* The design keeps all constraints but perhaps that one. */
static bool keeps_others(const gdyn_infeasibility *s, const bool *keeps, int but) {
    for (int k = 0; k < s->constraints; k++)
        if (k != but && !keeps[k])
            return false;
    return true;
}

/* The least relaxation of one constraint alone. */
static void take_alone(const gdyn_requirement *wanted, gdyn_infeasibility *s, const bool *keeps,
                       const gdyn_design *d) {
    for (int k = 0; k < s->constraints; k++) {
        const gdyn_design **alone = &s->constraint[k].alone;
        if (d->failure == 0 && keeps_others(s, keeps, k) &&
            (!*alone || gdyn_study_missing(&wanted[k], d->constraint[k]) <
                            gdyn_study_missing(&wanted[k], (*alone)->constraint[k])))
            *alone = d;
    }
}

/* keeps: constraints x evaluated designs. True when no design keeps all of them. */
static bool exclude(const gdyn_infeasibility *s, const bool *keeps, const gdyn_exclusion *set) {
    for (int i = 0; i < s->evaluated; i++) {
        bool all = true;
        for (int k = 0; k < set->count && all; k++)
            all = keeps[i * s->constraints + set->constraint[k]];
        if (all)
            return false;
    }
    return true;
}

/* A triple that holds a pair found before says nothing new. */
static bool holds_known(const gdyn_infeasibility *s, const gdyn_exclusion *set) {
    for (int i = 0; i < s->exclusions; i++) {
        int common = 0;
        for (int a = 0; a < s->exclusion[i].count; a++)
            for (int b = 0; b < set->count; b++)
                common += s->exclusion[i].constraint[a] == set->constraint[b];
        if (common == s->exclusion[i].count)
            return true;
    }
    return false;
}

/* A set counts when each of its constraints is kept by some design, but never all by one. */
static void try_set(gdyn_infeasibility *s, const bool *keeps, const gdyn_exclusion *set) {
    bool each = true;
    for (int k = 0; k < set->count; k++)
        each &= s->constraint[set->constraint[k]].kept > 0;
    if (each && s->exclusions < GDYN_EXCLUSIONS_MOST && !holds_known(s, set) &&
        exclude(s, keeps, set))
        s->exclusion[s->exclusions++] = *set;
}

static void find_exclusions(gdyn_infeasibility *s, const bool *keeps) {
    /* Pairs first: a triple that holds an excluded pair is not reported. */
    for (int a = 0; a < s->constraints; a++)
        for (int b = a + 1; b < s->constraints; b++)
            try_set(s, keeps, &(gdyn_exclusion){2, {a, b, 0}});
    for (int a = 0; a < s->constraints; a++)
        for (int b = a + 1; b < s->constraints; b++)
            for (int c = b + 1; c < s->constraints; c++)
                try_set(s, keeps, &(gdyn_exclusion){3, {a, b, c}});
}

gdyn_status gdyn_infeasibility_find(const gdyn_study *study, const gdyn_archive *archive,
                                    gdyn_infeasibility *s) {
    const gdyn_instance *start = gdyn_study_start(study);
    *s = (gdyn_infeasibility){.constraints = start->requirement_count};
    size_t room = (size_t)s->constraints + 1;
    s->constraint = gdyn_alloc(room, sizeof *s->constraint);
    bool *keeps = gdyn_alloc(room * ((size_t)archive->count + 1), sizeof *keeps);
    if (!s->constraint || !keeps) {
        gdyn_free(keeps);
        return GDYN_ERROR_MEMORY;
    }
    for (int i = 0; i < archive->count; i++) {
        const gdyn_design *d = archive->design[i];
        if (!s->nearest || nearer(d, s->nearest))
            s->nearest = d;
        if (!d->evaluated)
            continue;
        for (int k = 0; k < s->constraints; k++) {
            take_constraint(&start->requirement[k], k, d, &s->constraint[k]);
            keeps[s->evaluated * s->constraints + k] =
                !gdyn_study_violates(&start->requirement[k], d->constraint[k]);
        }
        take_alone(start->requirement, s, keeps + s->evaluated * s->constraints, d);
        s->evaluated++;
    }
    find_exclusions(s, keeps);
    gdyn_free(keeps);
    return GDYN_OK;
}

void gdyn_infeasibility_clear(gdyn_infeasibility *s) {
    gdyn_free(s->constraint);
    *s = (gdyn_infeasibility){0};
}
