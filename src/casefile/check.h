/* check.h - the tree against the schema (internal). */
#ifndef GDYN_CASEFILE_CHECK_H
#define GDYN_CASEFILE_CHECK_H

#include "casefile/reader.h"

/* Complains about unknown and missing keys and values of the wrong form; compiles quantities. */
void gdyn_check_case(gdyn_reader *r, gdyn_node *root);

#endif
