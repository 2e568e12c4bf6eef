/* limit_kinds.h - what the limits of a machine are at a pose (internal to the library). */
#ifndef GDYN_MECH_LIMIT_KINDS_H
#define GDYN_MECH_LIMIT_KINDS_H

#include "mech/limits.h"
#include "mech/standstill.h"

/* Where limits are asked for. */
typedef struct gdyn_limit_pose {
    const gdyn_model *model;
    const gdyn_pace *pace;
    const double *drive_rate; /* drives: dq/dp, exact zero where the drive stands still */
} gdyn_limit_pose;

gdyn_limit_terms gdyn_limit_terms_of(const gdyn_limit_item *item, const gdyn_limit_pose *pose);

#endif
