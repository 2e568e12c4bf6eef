/* machine.h - criteria of a machine. The same numbers come from two computations: the fast one of searches,
 * and the reference that `verify` takes. */
#ifndef GDYN_STUDY_MACHINE_H
#define GDYN_STUDY_MACHINE_H

#include "base/api.h"
#include "closure/closure.h"
#include "criteria/criteria.h"
#include "reactions/reactions.h"
#include "reactions/solvability.h"

GDYN_API_BEGIN

/* Adds what the model alone tells (pass TRACK). */
void gdyn_machine_count(const gdyn_model *model, gdyn_criteria *criteria);
/* Adds the criteria of the pass REACTIONS that formulas may name, from ranks by QR. */
void gdyn_machine_judge(const gdyn_solvability *solvability, gdyn_criteria *criteria);
/* Adds all criteria of the pass REACTIONS, from ranks by SVD and the full analysis of reactions. */
void gdyn_machine_analyse(const gdyn_mobility *mobility, int drive_redundancy,
                          const gdyn_reactions *reactions, gdyn_criteria *criteria);

GDYN_API_END

#endif
