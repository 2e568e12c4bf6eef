/* machine.h - criteria of a machine. The same numbers come from two computations: the fast one of
 * searches, and the reference that `verify` takes. */
#ifndef GDYN_STUDY_MACHINE_H
#define GDYN_STUDY_MACHINE_H

#include "closure/closure.h"
#include "criteria/criteria.h"
#include "path/path.h"
#include "reactions/reactions.h"
#include "reactions/solvability.h"

/* Adds what the model alone tells (pass TRACK). */
void gdyn_machine_count(const gdyn_model *model, gdyn_criteria *criteria);
/* Adds the criteria of the pass REACTIONS that formulas may name, from ranks by QR. */
void gdyn_machine_judge(const gdyn_solvability *solvability, gdyn_criteria *criteria);
/* Takes the verdicts of a further pose into those of the joints (in the order of the model) and the
 * criteria: of each the worst, redundancies at their greatest. */
void gdyn_machine_raise(const gdyn_solvability *solvability, gdyn_verdict *joint,
                        gdyn_criteria *criteria);
/* The same at four points of a followed path, without symmetry, since the pose at the start may be
 * a special one; at fewer where nothing is redundant. Poses between the points where the
 * constraints lose rank are not among them (`singular_poses` counts these). */
gdyn_status gdyn_machine_along(gdyn_solvability *solvability, const gdyn_track *track,
                               gdyn_verdict *joint, gdyn_criteria *criteria);
/* The same at five times of the machine's own motions, from its closed pose at time zero on, as far
 * as it can be led. */
gdyn_status gdyn_machine_in_motion(gdyn_solvability *solvability, gdyn_closure *closure,
                                   const gdyn_state *start, double duration, gdyn_verdict *joint,
                                   gdyn_criteria *criteria);
/* Adds all criteria of the pass REACTIONS, from ranks by SVD and the full analysis of reactions. */
void gdyn_machine_analyse(const gdyn_mobility *mobility, int drive_redundancy,
                          const gdyn_reactions *reactions, gdyn_criteria *criteria);

#endif
