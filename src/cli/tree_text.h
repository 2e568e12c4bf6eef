/* tree_text.h - the spanning tree of a machine in words. */
#ifndef GDYN_CLI_TREE_TEXT_H
#define GDYN_CLI_TREE_TEXT_H

#include "globdyn.h"

/* Prints which body hangs on which by which joint, with its coordinates; the cut joints; and, at a closed pose (NULL:
 * none), the independent coordinates. False: memory is out. */
bool gdyn_print_tree(const gdyn_model *model, const gdyn_state *closed);

#endif
