/* ranks.c - the ranks of an MPI run.
 *
 * Messages: STUDY (threads, text) to every rank; READY (status, capacity) back; WORK (tag, extent,
 * serial, x) and RESULT (tag, status, design); ASK and HERE; LEAVE; END and GONE. Waiting is polling with short sleeps:
 * MPI's own waiting would keep a core busy that another rank's design could use. A rank that owes something and is
 * not heard of is asked; one that does not answer either, although its threads are only polling, is lost. */
#include "study/ranks.h"

#ifdef GDYN_MPI

#include "base/clock.h"
#include "base/memory.h"
#include "study/pack.h"
#include "study/pool.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STUDY, READY, WORK, RESULT, ASK, HERE, LEAVE, END, GONE };

static struct { int rank, count, lost; } me = {0, 1, 0};

bool gdyn_ranks_built(void) {
    return true;
}

/* --- beginning and ending, where every rank waits for every other in MPI itself ------------------ */

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

/* --- waiting ------------------------------------------------------------------------------ */

/* Sleeps longer the longer nothing happens: 10 microseconds to a millisecond. */
typedef struct patience {
    long nanoseconds;
} patience;

static void rest(patience *p) {
    p->nanoseconds = p->nanoseconds < 10000 ? 10000 : p->nanoseconds * 5 / 4;
    if (p->nanoseconds > 1000000)
        p->nanoseconds = 1000000;
    nanosleep(&(struct timespec){0, p->nanoseconds}, NULL);
}

/* True when a message waits; *from, *tag, *bytes tell about it. */
static bool look(int *from, int *tag, int *bytes) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    *from = status.MPI_SOURCE, *tag = status.MPI_TAG;
    MPI_Get_count(&status, MPI_BYTE, bytes);
    return true;
}

static void receive(int from, int tag, void *bytes, int size) {
    MPI_Recv(bytes, size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int to, int tag, const void *bytes, size_t size) {
    MPI_Send(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/* --- what is sent ------------------------------------------------------------------------- */

/* Head of WORK and RESULT; variables or a packed design follow. */
typedef struct head {
    long tag, serial;
    gdyn_extent extent;
    gdyn_status status;
    bool evaluated; /* RESULT: false where the design was left */
} head;

typedef struct ready {
    gdyn_status status;
    int capacity;
} ready;

static size_t work_size(const gdyn_study *s) {
    return sizeof(head) + (size_t)gdyn_study_start(s)->design_count * sizeof(double);
}

static size_t result_size(const gdyn_study *s) {
    return sizeof(head) + gdyn_pack_size(s);
}

/* --- ranks > 0 ---------------------------------------------------------------------------- */

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
    w->work = gdyn_alloc(work_size(w->study), 1);
    w->result = gdyn_alloc(result_size(w->study), 1);
    w->pool = gdyn_pool_create(threads);
    return w->work && w->result && w->pool ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Answers with how many designs this rank takes at a time, or why none. */
static gdyn_status take_study(worker *w, int from, int bytes) {
    char *text = gdyn_alloc((size_t)bytes + 1, 1);
    ready answer = {GDYN_ERROR_MEMORY, 0};
    if (text) {
        receive(from, STUDY, text, bytes);
        answer.status = make(w, text, (size_t)bytes);
    }
    if (answer.status == GDYN_OK)
        answer.capacity = gdyn_pool_threads(w->pool);
    gdyn_free(text);
    send(0, READY, &answer, sizeof answer);
    return answer.status;
}

static void take_work(worker *w, int from, int bytes);

/* Rank 0 asks whether this rank still runs. */
static void be_here(int from) {
    receive(from, ASK, NULL, 0);
    send(from, HERE, NULL, 0);
}

/* Rank 0 was interrupted. */
static void leave(worker *w, int from) {
    receive(from, LEAVE, NULL, 0);
    w->stop = 1;
}

/* Rank 0 may be sending at the same time: what it sends is taken while the result is on its way. */
static void send_result(worker *w) {
    MPI_Request request;
    int sent = 0, from, tag, bytes;
    patience p = {0};
    /* Without blocking: two ranks that both send would wait for each other. */
    MPI_Isend(w->result, (int)result_size(w->study), MPI_BYTE, 0, RESULT, MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
        if (sent)
            return;
        if (!look(&from, &tag, &bytes) || (tag != WORK && tag != ASK && tag != LEAVE))
            rest(&p);
        else if (tag == WORK)
            take_work(w, from, bytes);
        else if (tag == LEAVE)
            leave(w, from);
        else
            be_here(from);
    }
}

/* Packs a result behind its head. */
static void answer(worker *w, const gdyn_task *task) {
    head h = {task->tag, task->design->serial, task->extent, task->status, task->evaluated};
    memcpy(w->result, &h, sizeof h);
    gdyn_pack(w->study, task->design, w->result + sizeof h);
    gdyn_design_destroy(task->design);
    send_result(w);
}

static void take_work(worker *w, int from, int bytes) {
    head h;
    receive(from, WORK, w->work, bytes);
    memcpy(&h, w->work, sizeof h);
    gdyn_task task = {.study = w->study,
                      .design = gdyn_design_create(w->study),
                      .extent = h.extent,
                      .tag = h.tag,
                      .stop = &w->stop};
    w->stop = 0;
    if (!task.design) { /* there is none to send back: all ranks end */
        MPI_Abort(MPI_COMM_WORLD, 70);
        return;
    }
    /* The variables follow the head. */
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
    patience p = {0};
    leave_signals();
    for (bool ends = false; !ends;) {
        int from, tag, bytes;
        gdyn_task task;
        bool busy = false;
        /* What has come: a case, work, or the end. */
        if (look(&from, &tag, &bytes)) {
            busy = true;
            ends = tag == END;
            if (tag == STUDY)
                status = take_study(&w, from, bytes);
            else if (tag == WORK)
                take_work(&w, from, bytes);
            else if (tag == ASK)
                be_here(from);
            else if (tag == LEAVE)
                leave(&w, from);
            else
                receive(from, tag, NULL, 0);
        }
        /* What is evaluated goes back at once. */
        while (w.pool && gdyn_pool_take(w.pool, &task)) {
            busy = true;
            answer(&w, &task);
        }
        /* Sleep only when nothing happened. */
        if (busy)
            p = (patience){0};
        else
            rest(&p);
    }
    drop(&w);
    send(0, GONE, NULL, 0);
    MPI_Finalize();
    return status;
}

/* --- rank 0 ------------------------------------------------------------------------------- */

typedef struct ranks {
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
    gdyn_free(r->capacity);
    gdyn_free(r->load);
    gdyn_free(r->silent);
    gdyn_free(r->asked);
    gdyn_free(r->buffer);
    gdyn_free(r);
}

/* --- ranks that are not heard of ------------------------------------------------------------ */

enum { STEPS_OF_SILENCE = 100 };

static void hear(ranks *r, int from) {
    r->silent[from] = 0;
    r->asked[from] = false;
}

/* Time passes for ranks that owe something. One step counts at most a hundredth of the limit: when rank 0 itself was
 * stopped, or its machine slept, nobody is to blame. */
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
            send(from, ASK, NULL, 0);
        }
        if (r->silent[from] > r->limit)
            me.lost = from;
    }
}

/* Sends what may be too long to be on its way before it is received; GDYN_ERROR_EXTERNAL when a rank is lost. */
static gdyn_status deliver(ranks *r, int to, int tag, const void *bytes, size_t size) {
    MPI_Request request;
    patience p = {0};
    int sent = 0;
    r->load[to]++; /* it owes an answer from here on */
    MPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &sent, MPI_STATUS_IGNORE); !sent && !me.lost;
         MPI_Test(&request, &sent, MPI_STATUS_IGNORE)) {
        rest(&p);
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
    return c->next < b->count && c->status == GDYN_OK && !(b->stop && *b->stop);
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
    head h = {c->next++, d->serial, c->job->extent, GDYN_OK, false};
    memcpy(r->buffer, &h, sizeof h);
    memcpy(r->buffer + sizeof h, d->x, work_size(r->study) - sizeof h);
    fail(c, deliver(r, to, WORK, r->buffer, work_size(r->study)));
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
    if (c->told || !c->job->stop || !*c->job->stop)
        return;
    c->told = true;
    for (int to = 1; to < me.count; to++)
        if (c->r->load[to] > 0)
            send(to, LEAVE, NULL, 0);
}

/* Takes one result, or a sign of life, off another rank. */
static bool take_abroad(progress *c) {
    int from, tag, bytes;
    head h;
    if (!look(&from, &tag, &bytes))
        return false;
    hear(c->r, from);
    if (tag == HERE) {
        receive(from, HERE, NULL, 0);
        return true;
    }
    /* Tag and design say which of the job's designs it is. */
    receive(from, tag, c->r->buffer, bytes);
    memcpy(&h, c->r->buffer, sizeof h);
    c->r->load[from]--;
    c->r->abroad--;
    if (h.status == GDYN_OK)
        gdyn_unpack(c->r->study, c->r->buffer + sizeof h, c->job->design[h.tag]);
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
    patience p = {0};
    /* Hand out, collect, until nothing is under way. */
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
            p = (patience){0};
        else
            rest(&p);
    }
}

/* Takes the answers of the ranks that got the case. */
static gdyn_status take_answers(ranks *r) {
    gdyn_status status = GDYN_OK;
    patience p = {0};
    for (int left = me.count - 1; left > 0 && !me.lost;) {
        int from, tag, bytes;
        ready answer = {GDYN_OK, 0};
        if (!look(&from, &tag, &bytes)) {
            rest(&p);
            watch(r);
            continue;
        }
        hear(r, from);
        receive(from, tag, tag == READY ? &answer : NULL, tag == READY ? (int)sizeof answer : 0);
        if (tag != READY)
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
        status = deliver(r, to, STUDY, bytes, sizeof threads + length);
    gdyn_free(bytes);
    /* The job runs only when every rank is ready for it. */
    return status == GDYN_OK ? take_answers(r) : status;
}

gdyn_status gdyn_executor_ranks(const gdyn_study *study, const char *case_text, int threads,
                                double limit, gdyn_executor *executor) {
    if (me.rank != 0 || me.count < 2)
        return GDYN_ERROR_ARGUMENT;
    ranks *r = gdyn_alloc(1, sizeof *r);
    if (!r)
        return GDYN_ERROR_MEMORY;
    /* One buffer serves both directions. */
    size_t work = work_size(study), result = result_size(study);
    threads = threads > 0 ? threads : 1;
    r->study = study;
    r->limit = limit, r->last = gdyn_clock();
    r->silent = gdyn_alloc((size_t)me.count, sizeof *r->silent);
    r->asked = gdyn_alloc((size_t)me.count, sizeof *r->asked);
    r->capacity = gdyn_alloc((size_t)me.count, sizeof *r->capacity);
    r->load = gdyn_alloc((size_t)me.count, sizeof *r->load);
    r->buffer = gdyn_alloc(work > result ? work : result, 1);
    r->pool = gdyn_pool_create(threads);
    bool made = r->silent && r->asked && r->capacity && r->load && r->buffer && r->pool;
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
    patience p = {0};
    /* Every rank says GONE as its last message. */
    for (int left = me.count - 1; left > 0;) {
        int from, tag, bytes;
        if (!look(&from, &tag, &bytes)) {
            if (gdyn_clock() > deadline)
                return false;
            rest(&p);
            continue;
        }
        unsigned char *buffer = gdyn_alloc((size_t)bytes + 1, 1);
        if (!buffer)
            return false;
        receive(from, tag, buffer, bytes);
        gdyn_free(buffer);
        left -= tag == GONE;
    }
    return true;
}

void gdyn_ranks_end(double seconds, int code) {
    /* Ranks that do not end in time are ended. */
    for (int to = 1; to < me.count; to++)
        send(to, END, NULL, 0);
    guard((unsigned)seconds + SECONDS_TO_END);
    if (all_gone(gdyn_clock() + seconds))
        MPI_Finalize();
    else
        MPI_Abort(MPI_COMM_WORLD, code);
    guard(0);
}

#endif
