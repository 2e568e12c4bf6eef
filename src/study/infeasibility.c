/* infeasibility.c - constraints that were never kept, alone or together, in what a search has
 * tried. This says nothing about designs that were not tried. */
#include "study/choose.h"

#include "base/memory.h"
#include "study/internal.h"

/* The design comes nearer to constraint k, or is farther inside. */
static bool is_nearer(const gdyn_requirement *wanted, int k, const gdyn_design *d,
                      const gdyn_design *best) {
    return !best || gdyn_study_missing(&wanted[k], d->constraint[k]) <
                        gdyn_study_missing(&wanted[k], best->constraint[k]);
}

/* What the design says of each constraint; keeps: constraints. */
static void take_design(const gdyn_requirement *wanted, gdyn_infeasibility *s, bool *keeps,
                        const gdyn_design *d) {
    int broken = 0;
    for (int k = 0; k < s->constraints; k++) {
        gdyn_constraint_record *record = &s->constraint[k];
        keeps[k] = !gdyn_study_violates(&wanted[k], d->constraint[k]);
        record->kept += keeps[k];
        broken += !keeps[k];
        if (is_nearer(wanted, k, d, record->best))
            record->best = d;
    }
    /* The smallest relaxation of one constraint alone: all others are kept. */
    for (int k = 0; k < s->constraints; k++)
        if (d->failure == 0 && broken - !keeps[k] == 0 &&
            is_nearer(wanted, k, d, s->constraint[k].alone))
            s->constraint[k].alone = d;
    s->evaluated++;
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

/* A set counts when each of its constraints is kept by some design, but never all by one; keeps:
 * constraints x evaluated designs. */
static void try_set(gdyn_infeasibility *s, const bool *keeps, const gdyn_exclusion *set) {
    for (int k = 0; k < set->count; k++)
        if (s->constraint[set->constraint[k]].kept == 0)
            return;
    if (s->exclusions == GDYN_EXCLUSIONS_MOST || holds_known(s, set))
        return;
    for (int i = 0; i < s->evaluated; i++) {
        int kept = 0;
        for (int k = 0; k < set->count; k++)
            kept += keeps[i * s->constraints + set->constraint[k]];
        if (kept == set->count)
            return;
    }
    s->exclusion[s->exclusions++] = *set;
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
        const gdyn_design *d = archive->design[i], *nearest = s->nearest;
        /* First by the stage at which a design fails, then by its violation. */
        if (!nearest || d->failure < nearest->failure ||
            (d->failure == nearest->failure && d->violation < nearest->violation))
            s->nearest = d;
        if (d->evaluated)
            take_design(start->requirement, s, keeps + s->evaluated * s->constraints, d);
    }
    /* Pairs first: a triple that holds an excluded pair is not reported. */
    for (int a = 0; a < s->constraints; a++)
        for (int b = a + 1; b < s->constraints; b++)
            try_set(s, keeps, &(gdyn_exclusion){2, {a, b, 0}});
    for (int a = 0; a < s->constraints; a++)
        for (int b = a + 1; b < s->constraints; b++)
            for (int c = b + 1; c < s->constraints; c++)
                try_set(s, keeps, &(gdyn_exclusion){3, {a, b, c}});
    gdyn_free(keeps);
    return GDYN_OK;
}

void gdyn_infeasibility_clear(gdyn_infeasibility *s) {
    gdyn_free(s->constraint);
    *s = (gdyn_infeasibility){0};
}
