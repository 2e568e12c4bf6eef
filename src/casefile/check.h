/* check.h - the tree against the schema (internal). */
#ifndef GDYN_CASEFILE_CHECK_H
#define GDYN_CASEFILE_CHECK_H

#include "casefile/reader.h"

/* Complains about unknown and missing keys and values of the wrong form; compiles quantities. */
void gdyn_check_case(gdyn_reader *r, gdyn_node *root);

/* An entry whose kind decides which keys it takes. */
typedef struct gdyn_kind_words {
    const char *kind;     /* "spring" */
    const char *takes_no; /* "a spring force takes no" */
    const char *help;     /* for a key that it does not take */
} gdyn_kind_words;

/* Complains about keys that belong to parts that the kind does not take, and about missing ones
 * that it must have. */
void gdyn_check_parts(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                      unsigned takes, unsigned must, const gdyn_kind_words *words);

#endif
