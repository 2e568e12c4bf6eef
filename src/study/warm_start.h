/* warm_start.h - designs to begin a search with. */
#ifndef GDYN_STUDY_WARM_START_H
#define GDYN_STUDY_WARM_START_H

#include "base/text.h"
#include "casefile/casefile.h"

/* Designs of a table (variables x count, in the order of the case), to be freed with gdyn_free; none after a failure. */
gdyn_status gdyn_warm_start_read(const char *filename, const gdyn_instance *start,
                                 const gdyn_sink *sink, int *count, double **x);
/* Lines that identify a study. */
void gdyn_warm_start_key(int count, int variables, const double *x, gdyn_text *key);

#endif
