/* limit_search.h - globdyn study limit --search: further designs for the front as a function of one limit. */
#ifndef GDYN_CLI_LIMIT_SEARCH_H
#define GDYN_CLI_LIMIT_SEARCH_H

#include "cli/cli.h"
#include "study/limit_cost.h"
#include "study/store.h"
#include "study/variant.h"

/* For each objective: the least (greatest) value as a function of the limit, by epsilon constraints, from the designs of the
 * study of which none is better in both, and at the stated limit; --search N designs in all. Each search is kept in a study of
 * its own beside that of the study. Its designs are added to the archive of `variant` (all objectives, the left side last).
 * part[2 objectives]; *parts: those filled in; to be freed with gdyn_limit_parts_free also on failure. An exit code. */
int gdyn_limit_search(const gdyn_options *options, const gdyn_stored *stored, int constraint,
                      int levels, gdyn_variant *variant, gdyn_limit_part *part, int *parts);
void gdyn_limit_parts_free(gdyn_limit_part *part, int parts);

#endif
