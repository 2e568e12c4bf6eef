/* share.h - how many random cases a test takes. `count` is the long campaign, for which one sets the
 * environment variable GDYN_LONG (GDYN_LONG=1 build/tests/test_access_methods). Otherwise a sixth of
 * it is taken, and a sixth of that with the sanitizers, which look for wrong accesses only. */
#ifndef GDYN_TESTS_SHARE_H
#define GDYN_TESTS_SHARE_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
enum { GDYN_SANITIZED = 1 };
#else
enum { GDYN_SANITIZED = 0 };
#endif

static inline bool gdyn_long(void) {
    return getenv("GDYN_LONG") != NULL;
}

static inline int gdyn_share(int count) {
    int part = gdyn_long() ? 1 : GDYN_SANITIZED ? 36 : 6;
    return (count + part - 1) / part;
}

/* Where tests let one allocation fail after the other: from one to the next. The sanitizers try each
 * fifth one. */
static inline long gdyn_next_failure(void) {
    return GDYN_SANITIZED && !gdyn_long() ? 5 : 1;
}

#endif
