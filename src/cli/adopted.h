/* adopted.h - designs of another study as the first ones of a search. */
#ifndef GDYN_CLI_ADOPTED_H
#define GDYN_CLI_ADOPTED_H

#include "cli/archive.h"
#include "study/choose.h"

/* Designs that are taken over are the first ones of the search, behind the start design, which may
 * be one of them. They get their numbers; *starts (to be freed with free) has their variables. The
 * budget becomes that of new designs. An exit code. */
int gdyn_number_adopted(const gdyn_study *study, gdyn_adopted *adopted, gdyn_study_options *wanted,
                        double **starts);
/* Rows of the designs that are taken over, which the search then finds. An exit code. */
int gdyn_store_adopted(const gdyn_kept *kept, const gdyn_adopted *adopted);

#endif
