/* integrity.h - whether a study file is intact: its structure, the numbering of its designs, and whether evaluating
 * some of them again reproduces every bit. */
#ifndef GDYN_STUDY_INTEGRITY_H
#define GDYN_STUDY_INTEGRITY_H

#include "study/store.h"

/* SQLite's own check of the whole file; false with the first complaint in text. */
bool gdyn_stored_integrity(const gdyn_stored *stored, char *text, size_t size);

/* Whether the designs are those that the search asks for: it runs again on what is known. Opening a file tells the same, but
 * for `surrogate`, whose models take long. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_stored_asked(const gdyn_stored *stored, bool *asked);

/* Designs are numbered 0, 1, ... without a gap, but for what an interrupted generation has not evaluated yet. Reading
 * the file replays the search, which ends with the first generation that is not complete: further rows, or a search that
 * is noted as finished, mean that designs are missing. */
typedef struct gdyn_numbering {
    int designs, rows; /* that the search knows; in the file */
    int gaps;          /* between successive designs that the search knows */
    long last;         /* number of the last of these, -1: none */
    bool lost;         /* designs behind it are missing */
    bool good;
} gdyn_numbering;
gdyn_numbering gdyn_stored_numbering(const gdyn_stored *stored);

/* Design k of `samples` spread evenly over all designs, the first and the last included. */
const gdyn_design *gdyn_stored_sample(const gdyn_stored *stored, int samples, int k);
/* Evaluates the design again into `again` (gdyn_design_create of the same study); *same: status, failure and all
 * values agree to the last bit, and the same ones are known. */
gdyn_status gdyn_stored_reproduce(const gdyn_stored *stored, const gdyn_design *design,
                                  gdyn_design *again, bool *same);

#endif
