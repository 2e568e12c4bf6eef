/* together.h - pieces of work that do not depend on each other, shared among threads. */
#ifndef GDYN_TRAJECTORY_TOGETHER_H
#define GDYN_TRAJECTORY_TOGETHER_H

/* Calls work(context, worker, i) for every i from 0 to count - 1, each once, in no order, on up to that many threads (256 at
 * most), this one among them; returns when all are done. worker: 0 .. threads - 1, each in one call at a time. Fewer threads
 * where no more can be had. */
void gdyn_work_together(int threads, int count, void (*work)(void *context, int worker, int i),
                        void *context);

#endif
