/* ranks.h - evaluation on many machines by MPI: `mpirun -n N globdyn optimize ...`.
 *
 * Rank 0 is the coordinator: it alone reads files, searches, keeps the archive and prints, and its
 * threads evaluate designs like those of the other ranks. The other ranks get the case as a text and
 * then one design per thread at a time, the next one with each result: whoever is free works,
 * however unequal the designs are. A program built without MPI has the same functions. */
#ifndef GDYN_STUDY_RANKS_H
#define GDYN_STUDY_RANKS_H

#include "study/executor.h"

#include <stdbool.h>

/* True when the process was started by mpirun or a batch system as one of several. */
bool gdyn_ranks_launched(void);
/* False when this program was built without MPI. */
bool gdyn_ranks_built(void);
/* Begins; returns this process's rank, -1 on failure. Only when launched. A rank that is stopped while all wait for
 * all, here or in gdyn_ranks_end, ends the process with a message and exit code 5 (SIGALRM, after 120 and 30 s). */
int gdyn_ranks_begin(void);
/* Number of processes; 1 when not begun. */
int gdyn_ranks_count(void);
/* The rank that did not answer in time and so ended a job; 0: none. */
int gdyn_ranks_lost(void);
/* What a rank > 0 does until rank 0 ends. */
gdyn_status gdyn_ranks_serve(void);
/* Ends on rank 0: the others are informed. When some are still at work after an interruption they are
 * given `seconds`, then the whole run is aborted with this exit code. */
void gdyn_ranks_end(double seconds, int code);

/* Rank 0's executor of all ranks, each with that number of threads (0: one). The others make the study
 * from the text of its case. A rank at work that does not answer for `limit` seconds is lost, and ends the job with
 * GDYN_ERROR_EXTERNAL: it was stopped, or its machine is gone. GDYN_ERROR_ARGUMENT when not begun; other errors are
 * those of any rank. */
gdyn_status gdyn_executor_ranks(const gdyn_study *study, const char *case_text, int threads,
                                double limit, gdyn_executor *executor);

#endif
