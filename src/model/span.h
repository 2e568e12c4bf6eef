/* span.h - the spanning tree of a machine: which joints carry coordinates, which are cut.
 *
 * Ground and bodies are nodes, joints edges. The joints of the tree carry coordinates q, a slide
 * [m] or a turn [rad] each (turns of a ball are rates about ground axes, no angles); all other rows
 * (cut joints, gears, knife edges, rolling, motions) become closing conditions. Hubs, bodies where
 * three or more branches to the ground meet, float on coordinates of their own and have all their
 * joints cut. docs/theory.md, "Joint coordinates". A tree is constant and may be shared. */
#pragma once

#include "base/api.h"
#include "model/model.h"

GDYN_API_BEGIN

typedef struct gdyn_tree gdyn_tree;

/* The spanning tree of a model, made with it. */
const gdyn_tree *gdyn_model_tree(const gdyn_model *model);

int gdyn_tree_coordinates(const gdyn_tree *tree); /* n_q */
int gdyn_tree_legs(const gdyn_tree *tree);        /* branches that are eliminated by themselves */
/* The body on which a body hangs (GDYN_GROUND), the joint between them (-1: the body floats), and
 * whether the body is cut off from all its joints as a hub. */
int gdyn_tree_inboard(const gdyn_tree *tree, int body);
int gdyn_tree_joint(const gdyn_tree *tree, int body);
bool gdyn_tree_is_hub(const gdyn_tree *tree, int body);
/* First coordinate of a body and their number. */
int gdyn_tree_first(const gdyn_tree *tree, int body, int *count);
/* The body that a coordinate moves beside the one inboard, and whether it turns (else slides). */
int gdyn_tree_coordinate_body(const gdyn_tree *tree, int coordinate);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The same without knife edges and rolling: what it leaves free is that of poses, not of
 * velocities. The same tree where there are none. */
const gdyn_tree *gdyn_model_pose_tree(const gdyn_model *model);
bool gdyn_tree_takes(const gdyn_tree *tree, int joint); /* whether the joint is an edge */
int gdyn_tree_closing(const gdyn_tree *tree);           /* closing rows, without targets */
/* Closing row i as a row of the model: 0 .. m + h - 1. */
int gdyn_tree_closing_row(const gdyn_tree *tree, int i);
/* Whether moves of the joints (tree.h) hold every constraint of the tree's joints to rounding. */
bool gdyn_tree_settles(const gdyn_tree *tree);
bool gdyn_tree_coordinate_turns(const gdyn_tree *tree, int coordinate);
