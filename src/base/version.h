/* version.h - the release of the library. The only place of its number; CMake reads it here. */
#pragma once

#include "base/api.h"

GDYN_API_BEGIN

/* Of the headers that a program was compiled with. */
#define GDYN_VERSION "2.0.0"
/* The day of this number. */
#define GDYN_RELEASED "2026-11-28"

/* Of the library that is running. A program compiled with headers of the same first two numbers
 * works with it (docs/CHANGELOG.md). */
const char *gdyn_version(void);

GDYN_API_END
