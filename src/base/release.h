/* release.h - memory that the library returned, and what is left of it. */
#pragma once

#include "base/api.h"

#include <stdbool.h>
#include <stddef.h>

GDYN_API_BEGIN

/* Frees a text or an array whose declaration names gdyn_free. Objects have a destroy or free of
 * their own. */
void gdyn_free(void *block);

/* True once any allocation of the library failed, in any thread: results of this process may
 * be incomplete. */
bool gdyn_memory_refused(void);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Bytes that a memory limit of the process (RLIMIT_AS) still allows; SIZE_MAX without one. */
size_t gdyn_memory_room(void);
