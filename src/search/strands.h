/* strands.h - work that waits in its own thread for values from outside (internal to search).
 *
 * An optimizer that calls its objective and expects the value at once becomes a partner in an
 * ask-tell search: it runs in a strand, and its objective waits there until the value has been
 * told. Strands run only between gdyn_strands_go and gdyn_strands_await and share nothing, so what
 * they do does not depend on time. */
#ifndef GDYN_SEARCH_STRANDS_H
#define GDYN_SEARCH_STRANDS_H

#include "base/status.h"

#include <stdbool.h>

typedef struct gdyn_strands gdyn_strands;
typedef struct gdyn_strand gdyn_strand;

/* Work of one strand; may call gdyn_strand_wait. */
typedef void gdyn_strand_work(void *context, gdyn_strand *strand);

/* Makes `count` idle strands. Memory is short: GDYN_ERROR_MEMORY. */
gdyn_status gdyn_strands_create(int count, gdyn_strands **strands);
/* Ends all of them: every wait returns false, works that have begun are run to their ends. */
void gdyn_strands_destroy(gdyn_strands *strands);

/* Gives work to idle strand k; it begins with the next go. */
void gdyn_strands_begin(gdyn_strands *strands, int k, gdyn_strand_work *work, void *context);
/* Lets strand k run on. Every go is followed by an await, before anything else about k. */
void gdyn_strands_go(gdyn_strands *strands, int k);
/* Returns when strand k waits (true) or its work is done (false: it is idle). */
bool gdyn_strands_await(gdyn_strands *strands, int k);
bool gdyn_strands_busy(const gdyn_strands *strands, int k);

/* Called by the work: sleeps until the next go. false: the strands are being destroyed, the
 * work shall return soon and cannot wait any more. */
bool gdyn_strand_wait(gdyn_strand *strand);

#endif
