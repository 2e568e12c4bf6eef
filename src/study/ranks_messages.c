/* ranks_messages.c - see ranks_messages.h. */
#include "study/ranks_messages.h"

#ifdef GDYN_MPI

#include <mpi.h>
#include <time.h>

void gdyn_rank_rest(gdyn_rank_patience *p) {
    p->nanoseconds = p->nanoseconds < 10000 ? 10000 : p->nanoseconds * 5 / 4;
    if (p->nanoseconds > 1000000)
        p->nanoseconds = 1000000;
    nanosleep(&(struct timespec){0, p->nanoseconds}, NULL);
}

bool gdyn_rank_look(int *from, int *tag, int *bytes) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    *from = status.MPI_SOURCE, *tag = status.MPI_TAG;
    MPI_Get_count(&status, MPI_BYTE, bytes);
    return true;
}

void gdyn_rank_receive(int from, int tag, void *bytes, int size) {
    MPI_Recv(bytes, size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void gdyn_rank_send(int to, int tag, const void *bytes, size_t size) {
    MPI_Send(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

size_t gdyn_rank_work_size(const gdyn_study *s) {
    return sizeof(gdyn_rank_head) + (size_t)gdyn_study_start(s)->design_count * sizeof(double);
}

size_t gdyn_rank_result_size(const gdyn_study *s) {
    return sizeof(gdyn_rank_head) + gdyn_design_bytes(s);
}

#endif
