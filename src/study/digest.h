/* digest.h - what lists say of a study: written into its file when a run ends, so that lists need not read all designs. */
#ifndef GDYN_STUDY_DIGEST_H
#define GDYN_STUDY_DIGEST_H

#include "base/text.h"
#include "study/study.h"

typedef struct gdyn_digest {
    long owner;  /* process that is writing now, 0: none */
    char *state; /* as of gdyn_stored */
    char *goals; /* gdyn_study_goals */
    int designs, feasible;
    int m, front; /* objectives; designs of the front */
    double *F;    /* m x front, as gdyn_front_objectives */
} gdyn_digest;

/* The value of `digest` in the table meta: "designs feasible objectives front", the numbers of F, the goals. */
void gdyn_digest_write(const gdyn_study *study, const gdyn_study_result *result, gdyn_text *out);
/* From the table meta of a study whose last run ended (its checksum holds and the file has as many designs as were there),
 * else from all designs. Errors as of gdyn_stored_open, without messages. */
gdyn_status gdyn_digest_read(const char *filename, gdyn_digest *digest);
void gdyn_digest_free(gdyn_digest *digest);

#endif
