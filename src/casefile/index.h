/* index.h - the indices of `repeat` in formulas (internal). */
#ifndef GDYN_CASEFILE_INDEX_H
#define GDYN_CASEFILE_INDEX_H

#include "casefile/tree.h"
#include "base/text.h"

/* True for what may name an index. */
bool gdyn_index_name(const char *text);

/* Appends a formula with the values of indices in place of their names. They are written with a decimal
 * point: as the index itself, and unlike a bare whole number, they then have no say in units. */
void gdyn_index_replace(const gdyn_index *index, const char *text, gdyn_text *out);

/* Answers index names for formulas; context is a const gdyn_index *. */
bool gdyn_index_constant(void *context, const char *name, gdyn_quantity *quantity);

#endif
