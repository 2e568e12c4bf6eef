/* status.c - status codes in words. */
#include "base/status.h"

const char *gdyn_status_text(gdyn_status status) {
    switch (status) {
    case GDYN_OK:
        return "ok";
    case GDYN_ERROR_INPUT:
        return "invalid input";
    case GDYN_ERROR_ARGUMENT:
        return "invalid argument";
    case GDYN_ERROR_MEMORY:
        return "out of memory";
    case GDYN_ERROR_FILE:
        return "file error";
    case GDYN_ERROR_EXTERNAL:
        return "external program failed";
    case GDYN_ERROR_NUMERIC:
        return "a number overflows or a numerical library failed";
    case GDYN_ERROR_STUDY:
        return "study in use or of another case";
    case GDYN_ERROR_INTERRUPTED:
        return "interrupted";
    }
    return "unknown status";
}
