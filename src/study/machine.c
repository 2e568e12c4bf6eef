/* machine.c - criteria of a machine at its assembled pose. */
#include "study/machine.h"

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
