/* limit_search.h - globdyn study limit --search: further designs for the front as a function of one
 * limit. */
#ifndef GDYN_CLI_LIMIT_SEARCH_H
#define GDYN_CLI_LIMIT_SEARCH_H

#include "cli/cli.h"
#include "study/choose.h"
#include "study/store.h"

typedef struct gdyn_limit_wish {
    int constraint;
    int wanted;          /* number of levels asked for */
    int levels;          /* and those there are, with the stated one */
    const double *level; /* the strictest first */
} gdyn_limit_wish;

/* For each objective: the best value at each of the levels of the limit, from the designs of the
 * study of which none is better in both; --search N designs in all. Each search is kept in a study
 * of its own next to that of the study, whose name has `wanted`, the number of levels asked for.
 * Its designs are added to the archive of `variant` (all objectives, the left side last).
 * part[objectives];
 * *parts: those filled in; to be freed with gdyn_limit_parts_free also on failure. An exit code. */
int gdyn_limit_search(const gdyn_options *options, const gdyn_stored *stored,
                      const gdyn_limit_wish *wish, gdyn_variant *variant, gdyn_limit_part *part,
                      int *parts);
void gdyn_limit_parts_free(gdyn_limit_part *part, int parts);

#endif
