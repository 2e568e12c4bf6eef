/* write.h - from a tree back to text (internal). */
#ifndef GDYN_CASEFILE_WRITE_H
#define GDYN_CASEFILE_WRITE_H

#include "casefile/tree.h"
#include "base/text.h"

/* Appends the tree as YAML: block style, short collections in flow style, the order of the tree,
 * scalars plain where nothing in them could be taken for YAML, tables as literal blocks. Reading
 * the text gives a tree with the same texts. Of nodes only kind, text, count, item and key are used. */
void gdyn_tree_print(const gdyn_node *root, gdyn_text *out);

#endif
