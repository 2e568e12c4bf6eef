/* machine.c - criteria of a machine at its assembled pose. */
#include "study/internal.h"

#include <math.h>

/* What needs no pose. */
void gdyn_machine_count(const gdyn_model *model, gdyn_criteria *criteria) {
    double *value = criteria->value;
    value[GDYN_MACHINE_MASS] = gdyn_model_mass(model);
    value[GDYN_MACHINE_DRIVES] = gdyn_model_drives(model);
    value[GDYN_MACHINE_BODIES] = gdyn_model_bodies(model);
    value[GDYN_MACHINE_JOINTS] = gdyn_model_joints(model);
    criteria->passes |= GDYN_PASS_TRACK;
}

/* Verdicts alone, without reactions: what a search needs. */
void gdyn_machine_judge(const gdyn_solvability *s, gdyn_criteria *criteria) {
    double *value = criteria->value;
    value[GDYN_MACHINE_MOBILITY] = s->coordinates - s->rank_c.rank;
    value[GDYN_MACHINE_REDUNDANCY] = s->redundancy;
    value[GDYN_MACHINE_REDUNDANT_CONSTRAINTS] = s->redundancy;
    value[GDYN_MACHINE_DRIVE_REDUNDANCY] = s->drive_redundancy;
    value[GDYN_MACHINE_INDETERMINATE] = s->indeterminate_joints;
    value[GDYN_MACHINE_DRIVE_DEPENDENT] = s->dependent_joints;
    criteria->passes |= GDYN_PASS_REACTIONS;
}

/* Takes the verdicts of a further pose into those of the joints (in the order of the model) and the
 * criteria: of each the worst, redundancies at their largest. */
static void machine_raise(const gdyn_solvability *s, gdyn_verdict *joint, gdyn_criteria *criteria) {
    static const int redundancies[] = {GDYN_MACHINE_REDUNDANCY, GDYN_MACHINE_REDUNDANT_CONSTRAINTS};
    double *value = criteria->value, *drives = &value[GDYN_MACHINE_DRIVE_REDUNDANCY];
    for (size_t i = 0; i < sizeof redundancies / sizeof *redundancies; i++)
        value[redundancies[i]] = fmax(value[redundancies[i]], s->redundancy);
    *drives = fmax(*drives, s->drive_redundancy);
    value[GDYN_MACHINE_INDETERMINATE] = value[GDYN_MACHINE_DRIVE_DEPENDENT] = 0;
    for (int x = 0; x < s->joints; x++) {
        joint[x] = joint[x] > s->joint[x] ? joint[x] : s->joint[x];
        value[GDYN_MACHINE_INDETERMINATE] += joint[x] == GDYN_INDETERMINATE;
        value[GDYN_MACHINE_DRIVE_DEPENDENT] += joint[x] == GDYN_DRIVE_DEPENDENT;
    }
}

/* Points of a path that are looked at, as shares of it: without symmetry. */
static const double PLACES[] = {0.236, 0.472, 0.618, 0.854};

gdyn_status gdyn_machine_along(gdyn_solvability *s, const gdyn_track *track, gdyn_verdict *joint,
                               gdyn_criteria *criteria) {
    bool done = false;
    for (size_t k = 0; k < sizeof PLACES / sizeof *PLACES && !done; k++) {
        int i = (int)(PLACES[k] * (track->points - 1) + 0.5);
        if (track->status[i] != GDYN_POINT_OK && track->status[i] != GDYN_POINT_RANGE)
            continue;
        gdyn_status status = gdyn_solvability_of_state(s, track->state[i]);
        if (status != GDYN_OK)
            return status;
        /* nothing is redundant at the pose, so that it can be at singular poses alone */
        done = s->rank_ct.rank == s->constraints + s->drives;
        machine_raise(s, joint, criteria);
    }
    return GDYN_OK;
}

gdyn_status gdyn_machine_in_motion(gdyn_solvability *s, gdyn_closure *closure,
                                   const gdyn_state *start, double duration, gdyn_verdict *joint,
                                   gdyn_criteria *criteria) {
    enum { STEPS = 24, EVERY = 5 };
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info = {.outcome = GDYN_CLOSED};
    gdyn_state *state = gdyn_state_create(gdyn_state_model(start));
    gdyn_status status = state ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (state)
        gdyn_state_copy(state, start);
    /* in steps, so that the mode is kept */
    settings.method = GDYN_CLOSURE_NEWTON;
    for (int k = 1; k <= STEPS && status == GDYN_OK && info.outcome == GDYN_CLOSED; k++) {
        gdyn_state_accept(state);
        gdyn_state_set_time(state, duration * k / STEPS);
        status = gdyn_closure_solve(closure, state, 0, NULL, &settings, &info);
        if (status == GDYN_OK && info.outcome == GDYN_CLOSED && k % EVERY == 1) {
            status = gdyn_solvability_of_state(s, state);
            machine_raise(s, joint, criteria);
        }
    }
    gdyn_state_destroy(state);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* Number of joints with the verdict. */
static int count_joints(const gdyn_reactions *reactions, gdyn_verdict verdict) {
    int count = 0;
    for (int i = 0; i < reactions->joints; i++)
        count += reactions->item[i].verdict == verdict;
    return count;
}

void gdyn_machine_analyse(const gdyn_mobility *mobility, int drive_redundancy,
                          const gdyn_reactions *reactions, gdyn_criteria *criteria) {
    double *value = criteria->value;
    value[GDYN_MACHINE_MOBILITY] = mobility->mobility;
    value[GDYN_MACHINE_GRUEBLER] = mobility->gruebler;
    value[GDYN_MACHINE_COORDINATES] = mobility->coordinates;
    value[GDYN_MACHINE_CONSTRAINTS] = mobility->constraints;
    value[GDYN_MACHINE_RANK] = mobility->rank.rank;
    value[GDYN_MACHINE_GAP] = mobility->rank.gap;
    value[GDYN_MACHINE_REDUNDANCY] = mobility->redundant;
    value[GDYN_MACHINE_REDUNDANT_CONSTRAINTS] = mobility->redundant;
    value[GDYN_MACHINE_DRIVE_REDUNDANCY] = drive_redundancy;
    value[GDYN_MACHINE_INDETERMINATE] = count_joints(reactions, GDYN_INDETERMINATE);
    value[GDYN_MACHINE_DRIVE_DEPENDENT] = count_joints(reactions, GDYN_DRIVE_DEPENDENT);
    value[GDYN_MACHINE_NEAR_SINGULAR] = !reactions->regular;
    criteria->passes |= GDYN_PASS_REACTIONS;
}
