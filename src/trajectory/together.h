/* together.h - work on several trajectories at the same time. */
#ifndef GDYN_TRAJECTORY_TOGETHER_H
#define GDYN_TRAJECTORY_TOGETHER_H

#include "base/api.h"

GDYN_API_BEGIN

/* Calls work for every i from 0 to count - 1, each once, on up to that many threads, this one among them; returns when all
 * are done. Fewer threads where no more can be had. */
void gdyn_work_together(int threads, int count, void (*work)(void *context, int i), void *context);

GDYN_API_END

#endif
