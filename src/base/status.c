/* status.c - status codes in words. */
#include "base/status.h"

#include <stdbool.h>

const char *gdyn_status_text(gdyn_status status) {
    static const char *const texts[] = {[GDYN_OK] = "ok",
                                        [GDYN_ERROR_INPUT] = "invalid input",
                                        [GDYN_ERROR_ARGUMENT] = "invalid argument",
                                        [GDYN_ERROR_MEMORY] = "out of memory",
                                        [GDYN_ERROR_FILE] = "file error",
                                        [GDYN_ERROR_EXTERNAL] = "external program failed",
                                        [GDYN_ERROR_NUMERIC] =
                                            "a number overflows or a numerical library failed",
                                        [GDYN_ERROR_STUDY] = "study in use or of another case",
                                        [GDYN_ERROR_INTERRUPTED] = "interrupted"};
    bool known = (unsigned)status < sizeof texts / sizeof *texts && texts[status];
    return known ? texts[status] : "unknown status";
}
