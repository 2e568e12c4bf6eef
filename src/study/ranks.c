/* ranks.c - the ranks of an MPI run: how they begin and end, rank 0, which hands out the designs,
 * and the others, which evaluate them.
 *
 * Waiting is polling with short sleeps: MPI's own waiting would keep a core busy that another
 * rank's design could use. A rank that owes something and is not heard of is asked; one that does
 * not answer either, although its threads are only polling, is lost. */
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

#ifdef GDYN_MPI

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "study/internal.h"

#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    int rank, count, lost;
    unsigned char *buffer; /* of the message received last, or to be sent */
    int room;
} me = {.count = 1};

/* --- messages ------------------------------------------------------------------------------- */

enum {
    STUDY,  /* threads, text of the case: to every rank */
    READY,  /* struct ready: back */
    WORK,   /* struct head and design, whose x and serial are set */
    RESULT, /* the same, evaluated */
    ASK,
    HERE,  /* the answer to ASK */
    LEAVE, /* designs within a sample are left */
    END,
    GONE /* the last message of a rank */
};

typedef struct head {
    long tag;
    gdyn_status status;
    bool evaluated; /* RESULT: false where the design was left */
} head;

typedef struct ready {
    gdyn_status status;
    int capacity;
} ready;

typedef struct message {
    int from, tag, bytes;
} message;

/* True when a message waits. */
static bool look(message *m) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    m->from = status.MPI_SOURCE, m->tag = status.MPI_TAG;
    MPI_Get_count(&status, MPI_BYTE, &m->bytes);
    return true;
}

/* Room for a message; without it all ranks end, since others wait for this one. */
static unsigned char *reserve(size_t bytes) {
    if (!gdyn_reserve(&me.buffer, &me.room, (int)bytes + 1, 1))
        MPI_Abort(MPI_COMM_WORLD, 70);
    return me.buffer;
}

static const unsigned char *receive(const message *m) {
    MPI_Recv(reserve((size_t)m->bytes), m->bytes, MPI_BYTE, m->from, m->tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return me.buffer;
}

static void send_to(int to, int tag, const void *bytes, size_t size) {
    MPI_Send(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/* Bytes of a WORK or a RESULT. */
static size_t size_of_design(const gdyn_study *s) {
    return sizeof(head) + gdyn_design_bytes(s);
}

static void pack(const gdyn_study *s, const head *h, const gdyn_design *design, void *bytes) {
    memcpy(bytes, h, sizeof *h);
    memcpy((unsigned char *)bytes + sizeof *h, design, gdyn_design_bytes(s));
}

/* Sleeps longer the longer nothing happens: 10 microseconds to a millisecond; 0: begin again. */
static void rest(long *nanoseconds) {
    *nanoseconds = *nanoseconds < 10000 ? 10000 : *nanoseconds * 5 / 4;
    if (*nanoseconds > 1000000)
        *nanoseconds = 1000000;
    nanosleep(&(struct timespec){0, *nanoseconds}, NULL);
}

/* --- beginning and ending, where every rank waits for every other in MPI itself -------------- */

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

bool gdyn_ranks_built(void) {
    return true;
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
    gdyn_pool *pool;      /* rank 0's own threads */
    int *capacity, *load; /* by rank; [0] is not used */
    double *silent;       /* by rank: seconds that rank 0 has polled since it heard of it */
    bool *asked;          /* since then */
    double limit, last;   /* of that silence; clock of the last poll */
    int abroad;           /* designs at other ranks */
} ranks;

static void free_ranks(void *self) {
    ranks *r = self;
    gdyn_pool_destroy(r->pool);
    gdyn_arena_destroy(r->arena);
}

/* --- ranks that are not heard of ------------------------------------------------------------ */

enum { STEPS_OF_SILENCE = 100 };

/* A message from any rank; false: there is none. */
static bool hear(ranks *r, message *m) {
    if (!look(m))
        return false;
    r->silent[m->from] = 0, r->asked[m->from] = false;
    return true;
}

/* Time passes for ranks that owe something, or for that one alone (0: all): while rank 0 waits for
 * one it hears no other. One step counts at most a hundredth of the limit: when rank 0 itself was
 * stopped, or its machine slept, nobody is to blame. */
static void watch(ranks *r, int alone) {
    double now = gdyn_clock(), step = now - r->last, most = r->limit / STEPS_OF_SILENCE;
    r->last = now;
    step = step < most ? step : most;
    for (int from = 1; from < me.count; from++) {
        if (r->load[from] == 0 || (alone > 0 && from != alone))
            continue;
        r->silent[from] += step;
        /* A design may take as long as it takes, the answer to a question may not. */
        if (!r->asked[from] && r->silent[from] > r->limit / 4) {
            r->asked[from] = true;
            send_to(from, ASK, NULL, 0);
        }
        if (r->silent[from] > r->limit)
            me.lost = from;
    }
}

/* Sends what may be too long to be on its way before it is received; GDYN_ERROR_EXTERNAL when a
 * rank is lost. */
static gdyn_status deliver(ranks *r, int to, int tag, const void *bytes, size_t size) {
    MPI_Request request;
    long patience = 0;
    int sent = 0;
    r->load[to]++; /* it owes an answer from here on */
    MPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &sent, MPI_STATUS_IGNORE); !sent && !me.lost;
         MPI_Test(&request, &sent, MPI_STATUS_IGNORE)) {
        rest(&patience);
        watch(r, to);
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
    gdyn_status status; /* the first failure ends the job; designs under way come back unused */
    bool leaving;       /* the other ranks know that designs are to be left */
} progress;

static bool goes_on(const progress *c) {
    return c->next < c->job->count && c->status == GDYN_OK && !gdyn_flag(c->job->stop);
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
                head h = {.tag = c->next};
                size_t size = size_of_design(r->study);
                pack(r->study, &h, c->job->design[c->next++], reserve(size));
                c->status = deliver(r, to, WORK, me.buffer, size);
                r->abroad++;
                room = true;
            }
        /* The own threads take a design once the others have theirs. */
        if (goes_on(c) && r->pool->load < r->pool->threads) {
            gdyn_pool_submit(r->pool, c->job, c->job->design[c->next], c->next);
            c->next++;
            room = true;
        }
    }
    return c->next > before;
}

/* A design came back; one that was left is as if it had never been begun. */
static void finish(progress *c, long tag, gdyn_status status, bool evaluated) {
    if (evaluated && status == GDYN_OK && c->status == GDYN_OK && c->job->done)
        status = c->job->done(c->job->context, (int)tag);
    if (c->status == GDYN_OK)
        c->status = status;
}

/* One result, or a sign of life, of another rank. */
static bool take_abroad(progress *c) {
    message m;
    head h;
    if (!hear(c->r, &m))
        return false;
    const unsigned char *bytes = receive(&m);
    if (m.tag == HERE)
        return true;
    memcpy(&h, bytes, sizeof h);
    c->r->load[m.from]--;
    c->r->abroad--;
    if (h.status == GDYN_OK)
        gdyn_design_assign(c->r->study, c->job->design[h.tag], bytes + sizeof h);
    finish(c, h.tag, h.status, h.evaluated);
    return true;
}

static gdyn_status evaluate(void *self, const gdyn_job *job) {
    ranks *r = self;
    progress c = {.r = r, .job = job};
    for (long patience = 0;;) {
        gdyn_task task;
        bool busy = hand_out(&c);
        /* once the caller stops: the others leave designs within their samples */
        if (!c.leaving && gdyn_flag(c.job->stop)) {
            c.leaving = true;
            for (int to = 1; to < me.count; to++)
                if (c.r->load[to] > 0)
                    send_to(to, LEAVE, NULL, 0);
        }
        busy |= take_abroad(&c);
        if (gdyn_pool_take(r->pool, false, &task)) {
            finish(&c, task.tag, task.status, task.evaluated);
            busy = true;
        }
        watch(r, 0);
        if (me.lost && c.status == GDYN_OK)
            c.status = GDYN_ERROR_EXTERNAL;
        if (!goes_on(&c) && r->pool->load == 0 && (r->abroad == 0 || me.lost))
            return c.status;
        if (busy)
            patience = 0;
        else
            rest(&patience);
    }
}

/* Sends the case to all and hears how many designs each takes at a time. */
static gdyn_status introduce(ranks *r, const char *case_text, int threads) {
    size_t length = strlen(case_text);
    gdyn_status status = GDYN_OK;
    unsigned char *bytes = reserve(sizeof threads + length);
    memcpy(bytes, &threads, sizeof threads);
    memcpy(bytes + sizeof threads, case_text, length);
    /* Send to all before the first answer: they read the case at the same time. */
    for (int to = 1; to < me.count && status == GDYN_OK; to++)
        status = deliver(r, to, STUDY, bytes, sizeof threads + length);
    if (status != GDYN_OK)
        return status;
    /* The job runs only when every rank is ready for it. */
    long patience = 0;
    for (int left = me.count - 1; left > 0 && !me.lost;) {
        message m;
        ready answer;
        if (!hear(r, &m)) {
            rest(&patience);
            watch(r, 0);
            continue;
        }
        memcpy(&answer, receive(&m), sizeof answer);
        if (m.tag != READY)
            continue;
        left--;
        r->load[m.from]--;
        r->capacity[m.from] = answer.capacity;
        status = answer.status != GDYN_OK ? answer.status : status;
    }
    return me.lost ? GDYN_ERROR_EXTERNAL : status;
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
    threads = threads > 0 ? threads : 1;
    r->study = study;
    r->limit = limit, r->last = gdyn_clock();
    r->silent = gdyn_arena_doubles(arena, count);
    r->asked = gdyn_arena_alloc(arena, count, sizeof *r->asked);
    r->capacity = gdyn_arena_alloc(arena, count, sizeof *r->capacity);
    r->load = gdyn_arena_alloc(arena, count, sizeof *r->load);
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

void gdyn_ranks_end(double seconds, int code) {
    double deadline = gdyn_clock() + seconds;
    int left = me.count - 1;
    /* Ranks that do not end in time are ended; results that nobody waits for are passed over. */
    for (int to = 1; to < me.count; to++)
        send_to(to, END, NULL, 0);
    guard((unsigned)seconds + SECONDS_TO_END);
    for (long patience = 0; left > 0;) {
        message m;
        if (look(&m)) {
            receive(&m);
            left -= m.tag == GONE;
        } else if (gdyn_clock() > deadline) {
            break;
        } else {
            rest(&patience);
        }
    }
    if (left == 0)
        MPI_Finalize();
    else
        MPI_Abort(MPI_COMM_WORLD, code);
    guard(0);
    gdyn_free(me.buffer);
}

/* --- what a rank > 0 does: designs come, their results go back ------------------------------ */

typedef struct worker {
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_pool *pool;
    gdyn_job job;               /* what all designs have in common */
    unsigned char *result;      /* a message */
    volatile sig_atomic_t stop; /* designs within a sample are left; until there is work again */
} worker;

/* Forgets the case of an earlier job. */
static void drop(worker *w) {
    gdyn_pool_destroy(w->pool);
    gdyn_study_destroy(w->study);
    gdyn_case_destroy(w->the_case);
    gdyn_free(w->result);
    *w = (worker){0};
}

/* Prepares a rank for the case in a message: the number of threads of each rank, the text. */
static gdyn_status make(worker *w, const unsigned char *bytes, size_t size) {
    int threads;
    gdyn_sink silent = {0}; /* rank 0 has read the same text */
    drop(w);
    memcpy(&threads, bytes, sizeof threads);
    gdyn_status status = gdyn_case_read_text((const char *)bytes + sizeof threads,
                                             size - sizeof threads, "case", &silent, &w->the_case);
    if (status == GDYN_OK)
        status = gdyn_study_create_any(w->the_case, 0, NULL, &silent, &w->study);
    if (status != GDYN_OK)
        return status;
    w->job = (gdyn_job){.study = w->study, .extent = GDYN_EXTENT_SOUND, .stop = &w->stop};
    w->result = gdyn_alloc(size_of_design(w->study), 1);
    w->pool = gdyn_pool_create(threads);
    return w->result && w->pool ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static gdyn_status take_message(worker *w, const message *m) {
    const unsigned char *bytes = receive(m);
    gdyn_status status = GDYN_OK;
    head h;
    if (m->tag == STUDY) {
        /* Answers with how many designs this rank takes at a time, or why none. */
        status = make(w, bytes, (size_t)m->bytes);
        ready answer = {status, status == GDYN_OK ? w->pool->threads : 0};
        send_to(0, READY, &answer, sizeof answer);
    } else if (m->tag == WORK) {
        gdyn_design *design = gdyn_design_create(w->study);
        if (!design) /* there is none to send back: all ranks end */
            MPI_Abort(MPI_COMM_WORLD, 70);
        memcpy(&h, bytes, sizeof h);
        gdyn_design_assign(w->study, design, bytes + sizeof h);
        gdyn_flag_set(&w->stop, 0);
        gdyn_pool_submit(w->pool, &w->job, design, h.tag);
    } else if (m->tag == ASK) {
        send_to(0, HERE, NULL, 0);
    } else if (m->tag == LEAVE) {
        gdyn_flag_set(&w->stop, 1);
    }
    return status;
}

/* Rank 0 may be sending at the same time: what it sends is taken while the result is on its way. */
static void send_result(worker *w, const gdyn_task *task) {
    MPI_Request request;
    int sent = 0;
    long patience = 0;
    head h = {.tag = task->tag, .status = task->status, .evaluated = task->evaluated};
    pack(w->study, &h, task->design, w->result);
    gdyn_design_destroy(task->design);
    /* Without blocking: two ranks that both send would wait for each other. */
    MPI_Isend(w->result, (int)size_of_design(w->study), MPI_BYTE, 0, RESULT, MPI_COMM_WORLD,
              &request);
    for (MPI_Test(&request, &sent, MPI_STATUS_IGNORE); !sent;
         MPI_Test(&request, &sent, MPI_STATUS_IGNORE)) {
        message m;
        if (look(&m) && (m.tag == WORK || m.tag == ASK || m.tag == LEAVE))
            take_message(w, &m);
        else
            rest(&patience);
    }
}

gdyn_status gdyn_ranks_serve(void) {
    worker w = {0};
    gdyn_status status = GDYN_OK;
    long patience = 0;
    /* Interruptions are rank 0's to answer; it tells when to end. */
    signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN);
    for (bool ends = false; !ends;) {
        message m;
        gdyn_task task;
        bool busy = look(&m);
        if (busy) {
            gdyn_status found = take_message(&w, &m);
            status = m.tag == STUDY ? found : status;
            ends = m.tag == END;
        }
        /* What is evaluated goes back at once. */
        for (; w.pool && gdyn_pool_take(w.pool, false, &task); busy = true)
            send_result(&w, &task);
        if (busy)
            patience = 0;
        else
            rest(&patience);
    }
    drop(&w);
    send_to(0, GONE, NULL, 0);
    gdyn_free(me.buffer);
    MPI_Finalize();
    return status;
}

#else /* what stands for ranks in a build without MPI */

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
