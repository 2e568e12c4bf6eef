/* design.h - readers of what is minimized or maximized and what is known (internal). */
#ifndef GDYN_CASEFILE_DESIGN_H
#define GDYN_CASEFILE_DESIGN_H

#include "casefile/reader.h"

/* robustness.c: before the design. */
void gdyn_read_robustness(gdyn_reader *r, const gdyn_node *root);
/* robustness.c: after all that may take up tolerances. */
void gdyn_judge_ends(gdyn_reader *r, const gdyn_node *root);
void gdyn_read_design(gdyn_reader *r, const gdyn_node *root);
void gdyn_read_optimize(gdyn_reader *r, const gdyn_node *root);
/* Algorithm and stop of `optimize` (NULL: defaults). */
void gdyn_read_search(gdyn_reader *r, const gdyn_node *optimize);
/* The aims of the objectives, and the levels of one of them, once the objectives are known. */
void gdyn_read_aim(gdyn_reader *r, const gdyn_node *optimize);
void gdyn_read_levels(gdyn_reader *r, const gdyn_node *optimize);
void gdyn_read_expect(gdyn_reader *r, const gdyn_node *root);

/* Dimension of a criterion (row of the vocabulary) along a trajectory, at one of its points, or of the
 * machine (NULL); unknown where it is not fixed. */
gdyn_dimension gdyn_case_criterion_dimension(const gdyn_instance *instance,
                                             const gdyn_path_def *trajectory, int criterion);
/* True for forces that a machine with sliding and turning drives cannot compare. */
bool gdyn_case_criterion_mixed(const gdyn_instance *instance, int criterion);

#endif
