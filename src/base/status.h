/* status.h - the list of status codes.
 *
 * Errors are bad input, bad files, lack of memory, a numerical library that failed, an
 * interruption. Outcomes of mathematics (closure not reached, empty region, singular pose) are not
 * errors: they are fields of the result or info structures. */
#pragma once

#include "base/api.h"

GDYN_API_BEGIN

typedef enum gdyn_status {
    GDYN_OK = 0,
    GDYN_ERROR_INPUT,      /* a definition or case file is invalid; the sink has the reasons */
    GDYN_ERROR_ARGUMENT,   /* a call that cannot be answered (unknown name, wrong size) */
    GDYN_ERROR_MEMORY,     /* out of memory */
    GDYN_ERROR_FILE,       /* a file could not be read or written */
    GDYN_ERROR_EXTERNAL,   /* an external program failed or is missing */
    GDYN_ERROR_NUMERIC,    /* LAPACK, GLPK, ... failed; never a mathematical outcome */
    GDYN_ERROR_STUDY,      /* a study file is in use, or belongs to another case */
    GDYN_ERROR_INTERRUPTED /* stopped by the caller; what was done is kept */
} gdyn_status;

/* One line in English for each code. */
const char *gdyn_status_text(gdyn_status status);

GDYN_API_END
