/* ranks_launch.c - whether this process is a rank, and what stands for ranks in a build without
 * MPI. */
#include "study/executor.h"

#include <stdlib.h>

/* Set by Open MPI, MPICH and Slurm for each process. */
bool gdyn_ranks_launched(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *size = getenv(names[i]);
        if (size && atoi(size) > 1)
            return true;
    }
    return false;
}

#ifndef GDYN_MPI

bool gdyn_ranks_built(void) {
    return false;
}

int gdyn_ranks_begin(void) {
    return -1;
}

int gdyn_ranks_count(void) {
    return 1;
}

int gdyn_ranks_lost(void) {
    return 0;
}

gdyn_status gdyn_ranks_serve(void) {
    return GDYN_ERROR_ARGUMENT;
}

void gdyn_ranks_end(double seconds, int code) {
    (void)seconds, (void)code;
}

gdyn_status gdyn_executor_ranks(const gdyn_study *study, const char *case_text, int threads,
                                double limit, gdyn_executor *executor) {
    (void)study, (void)case_text, (void)threads, (void)limit, (void)executor;
    return GDYN_ERROR_ARGUMENT;
}

#endif
