/* workers.h - independent pieces of work, shared among threads (internal to workspace). */
#ifndef GDYN_WORKSPACE_WORKERS_H
#define GDYN_WORKSPACE_WORKERS_H

/* Calls work(context, worker, i) for every i below count, in no order, from `threads` threads (fewer where the system
 * gives no more); worker: 0 .. threads - 1, one at a time. Returns when all are done. */
void gdyn_workers_share(int threads, int count, void (*work)(void *context, int worker, int i),
                        void *context);

#endif
