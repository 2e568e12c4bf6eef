/* coroutines.h - work that waits in its own thread for values from outside (internal to search).
 *
 * An optimizer that calls its objective and expects the value at once becomes a partner in an
 * ask-tell search: it runs in a coroutine, and its objective waits there until the value has been
 * told. Coroutines run only between gdyn_coroutines_go and gdyn_coroutines_await and share nothing, so what
 * they do does not depend on time. */
#ifndef GDYN_SEARCH_COROUTINES_H
#define GDYN_SEARCH_COROUTINES_H

#include "base/status.h"

#include <stdbool.h>

typedef struct gdyn_coroutines gdyn_coroutines;
typedef struct gdyn_coroutine gdyn_coroutine;

/* Work of one coroutine; may call gdyn_coroutine_wait. */
typedef void gdyn_coroutine_work(void *context, gdyn_coroutine *coroutine);

/* Makes `count` idle coroutines. Memory is short: GDYN_ERROR_MEMORY. */
gdyn_status gdyn_coroutines_create(int count, gdyn_coroutines **coroutines);
/* Ends all of them: every wait returns false, works that have begun are run to their ends. */
void gdyn_coroutines_destroy(gdyn_coroutines *coroutines);

/* Gives work to idle coroutine k; it begins with the next go. */
void gdyn_coroutines_begin(gdyn_coroutines *coroutines, int k, gdyn_coroutine_work *work,
                           void *context);
/* Lets coroutine k run on. Every go is followed by an await, before anything else about k. */
void gdyn_coroutines_go(gdyn_coroutines *coroutines, int k);
/* Returns when coroutine k waits (true) or its work is done (false: it is idle). */
bool gdyn_coroutines_await(gdyn_coroutines *coroutines, int k);
bool gdyn_coroutines_busy(const gdyn_coroutines *coroutines, int k);

/* Called by the work: sleeps until the next go. false: the coroutines are being destroyed, the
 * work shall return soon and cannot wait any more. */
bool gdyn_coroutine_wait(gdyn_coroutine *coroutine);

#endif
