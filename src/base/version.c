/* version.c - the release of the library. */
#include "base/version.h"

const char *gdyn_version(void) {
    return GDYN_VERSION;
}
