/* ranks.c - the ranks of an MPI run: how they begin and end, and rank 0, which hands out the
 * designs.
 *
 * Waiting is polling with short sleeps: MPI's own waiting would keep a core busy that another
 * rank's design could use. A rank that owes something and is not heard of is asked; one that does
 * not answer either, although its threads are only polling, is lost. */
#include "study/executor.h"

#ifdef GDYN_MPI

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "study/internal.h"
#include "study/ranks_messages.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct { int rank, count, lost; } me = {0, 1, 0};

bool gdyn_ranks_built(void) {
    return true;
}

/* --- beginning and ending, where every rank waits for every other in MPI itself
 * ------------------ */

enum { SECONDS_TO_BEGIN = 120, SECONDS_TO_END = 30, EXIT_LOST = 5 };

static void give_up(int number) {
    static const char text[] =
        "globdyn: error: a rank does not answer while MPI begins or ends (stopped, or its machine "
        "is gone); designs that exist are kept, the same command continues\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(EXIT_LOST);
    _exit(EXIT_LOST);
}

/* Ends this process, and with it mpirun's job, when a step takes longer; 0: it is over. */
static void guard(unsigned seconds) {
    alarm(0);
    signal(SIGALRM, seconds > 0 ? give_up : SIG_DFL);
    alarm(seconds);
}

int gdyn_ranks_begin(void) {
    guard(SECONDS_TO_BEGIN);
    /* MPI is called from the main thread alone; worker threads only evaluate. */
    int provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED)
        return -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &me.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &me.count);
    guard(0);
    return me.rank;
}

int gdyn_ranks_count(void) {
    return me.count;
}

int gdyn_ranks_lost(void) {
    return me.lost;
}

/* --- the ranks as an executor ---------------------------------------------------------------- */

typedef struct ranks {
    gdyn_arena *arena; /* owns it */
    const gdyn_study *study;
    gdyn_pool *pool;       /* rank 0's own threads */
    int *capacity, *load;  /* by rank; [0] is not used */
    double *silent;        /* by rank: seconds that rank 0 has polled since it heard of it */
    bool *asked;           /* since then */
    double limit, last;    /* of that silence; clock of the last poll */
    int abroad;            /* designs at other ranks */
    unsigned char *buffer; /* the greater of work and result */
} ranks;

static void free_ranks(void *self) {
    ranks *r = self;
    gdyn_pool_destroy(r->pool);
    gdyn_arena_destroy(r->arena);
}

/* --- ranks that are not heard of ------------------------------------------------------------ */

enum { STEPS_OF_SILENCE = 100 };

static void hear(ranks *r, int from) {
    r->silent[from] = 0;
    r->asked[from] = false;
}

/* Time passes for ranks that owe something. One step counts at most a hundredth of the limit: when
 * rank 0 itself was stopped, or its machine slept, nobody is to blame. */
static void watch(ranks *r) {
    double now = gdyn_clock(), step = now - r->last, most = r->limit / STEPS_OF_SILENCE;
    r->last = now;
    step = step < most ? step : most;
    for (int from = 1; from < me.count; from++) {
        if (r->load[from] == 0)
            continue;
        r->silent[from] += step;
        /* A design may take as long as it takes, the answer to a question may not. */
        if (!r->asked[from] && r->silent[from] > r->limit / 4) {
            r->asked[from] = true;
            gdyn_rank_send(from, GDYN_RANK_ASK, NULL, 0);
        }
        if (r->silent[from] > r->limit)
            me.lost = from;
    }
}

/* Sends what may be too long to be on its way before it is received; GDYN_ERROR_EXTERNAL when a
 * rank is lost. */
static gdyn_status deliver(ranks *r, int to, int tag, const void *bytes, size_t size) {
    MPI_Request request;
    gdyn_rank_patience p = {0};
    int sent = 0;
    r->load[to]++; /* it owes an answer from here on */
    MPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &sent, MPI_STATUS_IGNORE); !sent && !me.lost;
         MPI_Test(&request, &sent, MPI_STATUS_IGNORE)) {
        gdyn_rank_rest(&p);
        watch(r);
    }
    if (sent)
        return GDYN_OK;
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    return GDYN_ERROR_EXTERNAL;
}

/* --- a job ---------------------------------------------------------------------------------- */

/* A job in progress. */
typedef struct progress {
    ranks *r;
    const gdyn_job *job;
    int next;
    gdyn_status status;
    bool told; /* the others, that designs are to be left */
} progress;

static bool goes_on(const progress *c) {
    const gdyn_job *b = c->job;
    return c->next < b->count && c->status == GDYN_OK && !gdyn_flag(b->stop);
}

/* The first failure ends the job; designs that are still under way come back unused. */
static void fail(progress *c, gdyn_status status) {
    if (c->status == GDYN_OK)
        c->status = status;
}

/* One design goes to another rank. */
static void send_work(progress *c, int to) {
    ranks *r = c->r;
    const gdyn_design *d = c->job->design[c->next];
    gdyn_rank_head h = {c->next++, d->serial, c->job->extent, GDYN_OK, false};
    memcpy(r->buffer, &h, sizeof h);
    memcpy(r->buffer + sizeof h, d->x, gdyn_rank_work_size(r->study) - sizeof h);
    fail(c, deliver(r, to, GDYN_RANK_WORK, r->buffer, gdyn_rank_work_size(r->study)));
    r->abroad++;
}

/* Other ranks first, one design each in turn: their messages are on the way while rank 0 works. */
static bool hand_out(progress *c) {
    ranks *r = c->r;
    int before = c->next;
    /* Round by round, so that no rank waits while another is filled. */
    for (bool room = true; room && goes_on(c);) {
        room = false;
        for (int to = 1; to < me.count && goes_on(c); to++)
            if (r->load[to] < r->capacity[to]) {
                send_work(c, to);
                room = true;
            }
        /* The own threads take a design once the others have theirs. */
        if (goes_on(c) && gdyn_pool_load(r->pool) < gdyn_pool_threads(r->pool)) {
            gdyn_task task = {.study = r->study,
                              .design = c->job->design[c->next],
                              .extent = c->job->extent,
                              .tag = c->next,
                              .stop = c->job->stop};
            c->next++;
            gdyn_pool_submit(r->pool, &task);
            room = true;
        }
    }
    return c->next > before;
}

/* A design came back; one that was left is as if it had never been begun. */
static void finish(progress *c, long tag, gdyn_status status, bool evaluated) {
    if (evaluated && status == GDYN_OK && c->status == GDYN_OK && c->job->done)
        status = c->job->done(c->job->context, (int)tag);
    fail(c, status);
}

/* Once the caller stops: the others leave designs within their samples. */
static void tell_to_leave(progress *c) {
    if (c->told || !gdyn_flag(c->job->stop))
        return;
    c->told = true;
    for (int to = 1; to < me.count; to++)
        if (c->r->load[to] > 0)
            gdyn_rank_send(to, GDYN_RANK_LEAVE, NULL, 0);
}

/* Takes one result, or a sign of life, off another rank. */
static bool take_abroad(progress *c) {
    int from, tag, bytes;
    gdyn_rank_head h;
    if (!gdyn_rank_look(&from, &tag, &bytes))
        return false;
    hear(c->r, from);
    if (tag == GDYN_RANK_HERE) {
        gdyn_rank_receive(from, GDYN_RANK_HERE, NULL, 0);
        return true;
    }
    /* Tag and design say which of the job's designs it is. */
    gdyn_rank_receive(from, tag, c->r->buffer, bytes);
    memcpy(&h, c->r->buffer, sizeof h);
    c->r->load[from]--;
    c->r->abroad--;
    if (h.status == GDYN_OK)
        gdyn_design_assign(c->r->study, c->job->design[h.tag], c->r->buffer + sizeof h);
    finish(c, h.tag, h.status, h.evaluated);
    return true;
}

static bool take_home(progress *c) {
    gdyn_task task;
    if (!gdyn_pool_take(c->r->pool, &task))
        return false;
    finish(c, task.tag, task.status, task.evaluated);
    return true;
}

static gdyn_status evaluate(void *self, const gdyn_job *job) {
    ranks *r = self;
    progress c = {.r = r, .job = job};
    gdyn_rank_patience p = {0};
    for (;;) {
        bool busy = hand_out(&c);
        tell_to_leave(&c);
        busy |= take_abroad(&c);
        busy |= take_home(&c);
        watch(r);
        if (me.lost)
            fail(&c, GDYN_ERROR_EXTERNAL);
        if (!goes_on(&c) && gdyn_pool_load(r->pool) == 0 && (r->abroad == 0 || me.lost))
            return c.status;
        if (busy)
            p = (gdyn_rank_patience){0};
        else
            gdyn_rank_rest(&p);
    }
}

/* Takes the answers of the ranks that got the case. */
static gdyn_status take_answers(ranks *r) {
    gdyn_status status = GDYN_OK;
    gdyn_rank_patience p = {0};
    for (int left = me.count - 1; left > 0 && !me.lost;) {
        int from, tag, bytes;
        gdyn_rank_ready answer = {GDYN_OK, 0};
        if (!gdyn_rank_look(&from, &tag, &bytes)) {
            gdyn_rank_rest(&p);
            watch(r);
            continue;
        }
        hear(r, from);
        gdyn_rank_receive(from, tag, tag == GDYN_RANK_READY ? &answer : NULL,
                          tag == GDYN_RANK_READY ? (int)sizeof answer : 0);
        if (tag != GDYN_RANK_READY)
            continue;
        left--;
        r->load[from]--;
        r->capacity[from] = answer.capacity;
        status = answer.status != GDYN_OK ? answer.status : status;
    }
    return me.lost ? GDYN_ERROR_EXTERNAL : status;
}

/* Sends the case to all and hears how many designs each takes at a time. */
static gdyn_status introduce(ranks *r, const char *case_text, int threads) {
    size_t length = strlen(case_text);
    char *bytes = gdyn_alloc(sizeof threads + length, 1);
    if (!bytes)
        return GDYN_ERROR_MEMORY;
    memcpy(bytes, &threads, sizeof threads);
    memcpy(bytes + sizeof threads, case_text, length);
    /* Send to all before the first answer: they read the case at the same time. */
    gdyn_status status = GDYN_OK;
    for (int to = 1; to < me.count && status == GDYN_OK; to++)
        status = deliver(r, to, GDYN_RANK_STUDY, bytes, sizeof threads + length);
    gdyn_free(bytes);
    /* The job runs only when every rank is ready for it. */
    return status == GDYN_OK ? take_answers(r) : status;
}

gdyn_status gdyn_executor_ranks(const gdyn_study *study, const char *case_text, int threads,
                                double limit, gdyn_executor *executor) {
    if (me.rank != 0 || me.count < 2)
        return GDYN_ERROR_ARGUMENT;
    gdyn_arena *arena;
    ranks *r = gdyn_arena_begin(&arena, sizeof *r);
    if (!r)
        return GDYN_ERROR_MEMORY;
    size_t count = (size_t)me.count;
    r->arena = arena;
    /* One buffer serves both directions. */
    size_t work = gdyn_rank_work_size(study), result = gdyn_rank_result_size(study);
    threads = threads > 0 ? threads : 1;
    r->study = study;
    r->limit = limit, r->last = gdyn_clock();
    r->silent = gdyn_arena_doubles(arena, count);
    r->asked = gdyn_arena_alloc(arena, count, sizeof *r->asked);
    r->capacity = gdyn_arena_alloc(arena, count, sizeof *r->capacity);
    r->load = gdyn_arena_alloc(arena, count, sizeof *r->load);
    r->buffer = gdyn_arena_alloc(arena, work > result ? work : result, 1);
    r->pool = gdyn_pool_create(threads);
    bool made = !gdyn_arena_failed(arena) && r->pool;
    gdyn_status status = made ? introduce(r, case_text, threads) : GDYN_ERROR_MEMORY;
    if (status != GDYN_OK) {
        free_ranks(r);
        return status;
    }
    *executor = (gdyn_executor){r, evaluate, free_ranks};
    return GDYN_OK;
}

/* Passes over results that nobody waits for any more; true when all ranks have gone. */
static bool all_gone(double deadline) {
    gdyn_rank_patience p = {0};
    /* Every rank says GONE as its last message. */
    for (int left = me.count - 1; left > 0;) {
        int from, tag, bytes;
        if (!gdyn_rank_look(&from, &tag, &bytes)) {
            if (gdyn_clock() > deadline)
                return false;
            gdyn_rank_rest(&p);
            continue;
        }
        unsigned char *buffer = gdyn_alloc((size_t)bytes + 1, 1);
        if (!buffer)
            return false;
        gdyn_rank_receive(from, tag, buffer, bytes);
        gdyn_free(buffer);
        left -= tag == GDYN_RANK_GONE;
    }
    return true;
}

void gdyn_ranks_end(double seconds, int code) {
    /* Ranks that do not end in time are ended. */
    for (int to = 1; to < me.count; to++)
        gdyn_rank_send(to, GDYN_RANK_END, NULL, 0);
    guard((unsigned)seconds + SECONDS_TO_END);
    if (all_gone(gdyn_clock() + seconds))
        MPI_Finalize();
    else
        MPI_Abort(MPI_COMM_WORLD, code);
    guard(0);
}

#endif
