/* reactions_text.h - what the reactions command prints about one pose. */
#ifndef GDYN_CLI_REACTIONS_TEXT_H
#define GDYN_CLI_REACTIONS_TEXT_H

#include "report/report.h"

/* Redundancy, subsystems, doubts and the table of verdicts and values. name: of the machine;
 * convention: of values that are not unique, NULL: they are not shown; all: every combination. */
void gdyn_print_reactions(const gdyn_reactions *r, const gdyn_reaction_frame *frame,
                          const char *name, const char *convention, bool all);
/* Changes that make the machine exactly constrained, all or the first few, then those of them that jam along its trajectories;
 * nothing when it is. */
void gdyn_print_proposals(const gdyn_instance *instance, const gdyn_proposals *found, bool all);

#endif
