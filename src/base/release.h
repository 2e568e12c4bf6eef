/* release.h - releases memory that the library returned. */
#ifndef GDYN_BASE_RELEASE_H
#define GDYN_BASE_RELEASE_H

#include "base/api.h"

GDYN_API_BEGIN

/* Frees a text or an array whose declaration names gdyn_free. Objects have a destroy or free of their own. */
void gdyn_free(void *block);

GDYN_API_END

#endif
