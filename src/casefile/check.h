/* check.h - the tree against the schema (internal). */
#ifndef GDYN_CASEFILE_CHECK_H
#define GDYN_CASEFILE_CHECK_H

#include "casefile/reader.h"

/* Complains about unknown and missing keys and values of the wrong form; compiles quantities. */
void gdyn_check_case(gdyn_reader *r, gdyn_node *root);

/* An entry whose kind decides which keys it takes. */
typedef struct gdyn_kind_words {
    const char *entry;    /* "force" */
    const char *kind;     /* "spring" */
    const char *takes_no; /* "a spring force takes no" */
    const char *help;     /* for a key that it does not take */
} gdyn_kind_words;

/* Complains about a key that stands there and is not taken, or is missing and must be stated. Returns its value where
 * it is taken, else NULL. */
gdyn_node *gdyn_check_key(gdyn_reader *r, const gdyn_node *node, const char *key, bool takes,
                          bool must, const gdyn_kind_words *words);

#endif
