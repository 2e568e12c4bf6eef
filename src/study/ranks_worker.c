/* ranks_worker.c - what a rank > 0 does: designs come, their results go back. */
#include "study/executor.h"

#ifdef GDYN_MPI

#include "base/interrupt.h"
#include "base/memory.h"
#include "study/internal.h"
#include "study/ranks_messages.h"

#include <mpi.h>
#include <signal.h>
#include <string.h>

typedef struct worker {
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_pool *pool;
    unsigned char *work, *result; /* one message each */
    volatile sig_atomic_t stop;   /* designs within a sample are left; until there is work again */
} worker;

/* Forgets the case of an earlier job. */
static void drop(worker *w) {
    gdyn_pool_destroy(w->pool);
    gdyn_study_destroy(w->study);
    gdyn_case_destroy(w->the_case);
    gdyn_free(w->work);
    gdyn_free(w->result);
    *w = (worker){0};
}

/* Prepares a rank for the case in a message. */
static gdyn_status make(worker *w, const char *bytes, size_t size) {
    int threads;
    gdyn_sink silent = {0}; /* rank 0 has read the same text */
    drop(w);
    /* The number of threads of each rank, then the text of the case. */
    memcpy(&threads, bytes, sizeof threads);
    bytes += sizeof threads, size -= sizeof threads;
    gdyn_status status = gdyn_case_read_text(bytes, size, "case", &silent, &w->the_case);
    if (status == GDYN_OK)
        status = gdyn_study_create_any(w->the_case, 0, NULL, &silent, &w->study);
    if (status != GDYN_OK)
        return status;
    /* Buffers for the largest messages. */
    w->work = gdyn_alloc(gdyn_rank_work_size(w->study), 1);
    w->result = gdyn_alloc(gdyn_rank_result_size(w->study), 1);
    w->pool = gdyn_pool_create(threads);
    return w->work && w->result && w->pool ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Answers with how many designs this rank takes at a time, or why none. */
static gdyn_status take_study(worker *w, int from, int bytes) {
    char *text = gdyn_alloc((size_t)bytes + 1, 1);
    gdyn_rank_ready answer = {GDYN_ERROR_MEMORY, 0};
    if (text) {
        gdyn_rank_receive(from, GDYN_RANK_STUDY, text, bytes);
        answer.status = make(w, text, (size_t)bytes);
    }
    if (answer.status == GDYN_OK)
        answer.capacity = gdyn_pool_threads(w->pool);
    gdyn_free(text);
    gdyn_rank_send(0, GDYN_RANK_READY, &answer, sizeof answer);
    return answer.status;
}

static void take_work(worker *w, int from, int bytes);

/* Rank 0 asks whether this rank still runs. */
static void be_here(int from) {
    gdyn_rank_receive(from, GDYN_RANK_ASK, NULL, 0);
    gdyn_rank_send(from, GDYN_RANK_HERE, NULL, 0);
}

/* Rank 0 was interrupted. */
static void leave(worker *w, int from) {
    gdyn_rank_receive(from, GDYN_RANK_LEAVE, NULL, 0);
    gdyn_flag_set(&w->stop, 1);
}

/* Rank 0 may be sending at the same time: what it sends is taken while the result is on its way. */
static void send_result(worker *w) {
    MPI_Request request;
    int sent = 0, from, tag, bytes;
    gdyn_rank_patience p = {0};
    /* Without blocking: two ranks that both send would wait for each other. */
    MPI_Isend(w->result, (int)gdyn_rank_result_size(w->study), MPI_BYTE, 0, GDYN_RANK_RESULT,
              MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
        if (sent)
            return;
        if (!gdyn_rank_look(&from, &tag, &bytes) ||
            (tag != GDYN_RANK_WORK && tag != GDYN_RANK_ASK && tag != GDYN_RANK_LEAVE))
            gdyn_rank_rest(&p);
        else if (tag == GDYN_RANK_WORK)
            take_work(w, from, bytes);
        else if (tag == GDYN_RANK_LEAVE)
            leave(w, from);
        else
            be_here(from);
    }
}

/* Packs a result behind its head. */
static void answer(worker *w, const gdyn_task *task) {
    gdyn_rank_head h = {task->tag, task->design->serial, task->extent, task->status,
                        task->evaluated};
    memcpy(w->result, &h, sizeof h);
    memcpy(w->result + sizeof h, task->design, gdyn_design_bytes(w->study));
    gdyn_design_destroy(task->design);
    send_result(w);
}

static void take_work(worker *w, int from, int bytes) {
    gdyn_rank_head h;
    gdyn_rank_receive(from, GDYN_RANK_WORK, w->work, bytes);
    memcpy(&h, w->work, sizeof h);
    gdyn_task task = {.study = w->study,
                      .design = gdyn_design_create(w->study),
                      .extent = h.extent,
                      .tag = h.tag,
                      .stop = &w->stop};
    gdyn_flag_set(&w->stop, 0);
    if (!task.design) { /* there is none to send back: all ranks end */
        MPI_Abort(MPI_COMM_WORLD, 70);
        return;
    }
    task.design->serial = h.serial;
    memcpy(task.design->x, w->work + sizeof h, (size_t)bytes - sizeof h);
    gdyn_pool_submit(w->pool, &task);
}

/* Interruptions are rank 0's to answer; it tells when to end. */
static void leave_signals(void) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
}

gdyn_status gdyn_ranks_serve(void) {
    worker w = {0};
    gdyn_status status = GDYN_OK;
    gdyn_rank_patience p = {0};
    leave_signals();
    for (bool ends = false; !ends;) {
        int from, tag, bytes;
        gdyn_task task;
        bool busy = false;
        if (gdyn_rank_look(&from, &tag, &bytes)) {
            busy = true;
            ends = tag == GDYN_RANK_END;
            if (tag == GDYN_RANK_STUDY)
                status = take_study(&w, from, bytes);
            else if (tag == GDYN_RANK_WORK)
                take_work(&w, from, bytes);
            else if (tag == GDYN_RANK_ASK)
                be_here(from);
            else if (tag == GDYN_RANK_LEAVE)
                leave(&w, from);
            else
                gdyn_rank_receive(from, tag, NULL, 0);
        }
        /* What is evaluated goes back at once. */
        while (w.pool && gdyn_pool_take(w.pool, &task)) {
            busy = true;
            answer(&w, &task);
        }
        /* Sleep only when nothing happened. */
        if (busy)
            p = (gdyn_rank_patience){0};
        else
            gdyn_rank_rest(&p);
    }
    drop(&w);
    gdyn_rank_send(0, GDYN_RANK_GONE, NULL, 0);
    MPI_Finalize();
    return status;
}

#endif
