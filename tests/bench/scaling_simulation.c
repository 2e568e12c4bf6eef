/* scaling_simulation.c - the scheduler of src/study/ranks.c and pool.c, event by event.
 *
 * Every rank has a main thread that looks for messages and finished designs and sleeps between,
 * longer the longer nothing happens (10 microseconds, growing by 5/4, up to a millisecond), and
 * threads that evaluate. Rank 0's main thread hands designs out, takes one result of another rank
 * and one of its own per turn, and commits each. Times at which a sleeper looks again are worked out,
 * not stepped through. */
#include "scaling.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* --- costs of designs --------------------------------------------------------------------- */

/* Uniform in (0, 1), by the 64-bit finalizer of splitmix. */
static double uniform(unsigned long long n) {
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    n ^= n >> 31;
    return ((double)(n >> 11) + 0.5) * 0x1p-53;
}

double scaling_design_cost(const scaling_search *s, long serial) {
    unsigned long long n = 2 * (unsigned long long)serial;
    double z = sqrt(-2 * log(uniform(n))) * cos(2 * acos(-1.0) * uniform(n + 1));
    double sigma = sqrt(log1p(s->spread * s->spread));
    return s->mean * exp(sigma * z - sigma * sigma / 2);
}

double scaling_work(const scaling_search *s) {
    double sum = 0;
    for (long i = 0; i < (long)s->population * s->generations; i++)
        sum += scaling_design_cost(s, i);
    return sum;
}

/* --- what is to come, soonest first ------------------------------------------------------- */

typedef struct event {
    double time;
    long tag, version;
} event;

typedef struct agenda {
    event *at; /* a binary heap */
    int count, room;
    bool failed;
} agenda;

static void add(agenda *a, double time, long tag, long version) {
    if (a->count == a->room) {
        int room = a->room ? 2 * a->room : 8;
        event *grown = realloc(a->at, (size_t)room * sizeof *grown);
        if (!grown) {
            a->failed = true;
            return;
        }
        a->at = grown;
        a->room = room;
    }
    int i = a->count++;
    for (; i > 0 && a->at[(i - 1) / 2].time > time; i = (i - 1) / 2)
        a->at[i] = a->at[(i - 1) / 2];
    a->at[i] = (event){time, tag, version};
}

static event take(agenda *a) {
    event first = a->at[0], last = a->at[--a->count];
    int i = 0;
    for (int k = 1; k < a->count; k = 2 * i + 1) {
        if (k + 1 < a->count && a->at[k + 1].time < a->at[k].time)
            k++;
        if (a->at[k].time >= last.time)
            break;
        a->at[i] = a->at[k];
        i = k;
    }
    a->at[i] = last;
    return first;
}

static bool due(const agenda *a, double time) {
    return a->count > 0 && a->at[0].time <= time;
}

/* --- ranks -------------------------------------------------------------------------------- */

typedef struct rank {
    agenda mail, finished;
    double *free_at; /* threads: when each has nothing more to do */
    double since;    /* the main thread has had nothing to do since then */
    long version;    /* of the event at which it looks again */
    int load;        /* designs it has, as rank 0 knows */
} rank;

typedef struct world {
    const scaling_search *search;
    const scaling_costs *cost;
    rank *rank;
    agenda agenda;  /* who looks again when: tag is the rank */
    int next, back; /* of this generation: designs handed out and come back */
    long first;     /* serial number of this generation's first design */
    bool failed;
} world;

/* First look at or after the time of a main thread that has been idle since then. */
static double next_look(double since, double time, double slack) {
    double sleep = 0;
    while (since < time && sleep < 1e-3) {
        sleep = sleep < 1e-5 ? 1e-5 : fmin(sleep * 1.25, 1e-3);
        since += sleep + slack;
    }
    if (since < time)
        since += (1e-3 + slack) * ceil((time - since) / (1e-3 + slack));
    return since;
}

static void plan(world *w, int who) {
    rank *r = &w->rank[who];
    double time = INFINITY;
    if (r->mail.count > 0)
        time = r->mail.at[0].time;
    if (r->finished.count > 0)
        time = fmin(time, r->finished.at[0].time);
    r->version++;
    if (time < INFINITY)
        add(&w->agenda, next_look(r->since, time, w->cost->slack), who, r->version);
}

static void begin(world *w, rank *r, double time, long serial) {
    int thread = 0;
    for (int i = 1; i < w->search->threads; i++)
        if (r->free_at[i] < r->free_at[thread])
            thread = i;
    double *end = &r->free_at[thread];
    *end = fmax(time + w->cost->start, *end) + scaling_design_cost(w->search, serial);
    add(&r->finished, *end, serial, 0);
}

/* --- rank 0 ------------------------------------------------------------------------------- */

static void hand_out(world *w, double *time) {
    const scaling_search *s = w->search;
    for (bool found = true; found && w->next < s->population;) {
        found = false;
        for (int who = 1; who <= s->ranks && w->next < s->population; who++) {
            int to = who % s->ranks; /* rank 0's own threads come last */
            rank *r = &w->rank[to];
            if (r->load >= s->threads)
                continue;
            found = true;
            r->load++;
            if (to == 0) {
                begin(w, r, *time, w->first + w->next++);
                continue;
            }
            *time += w->cost->send;
            add(&r->mail, *time + w->cost->flight, w->first + w->next++, 0);
            plan(w, to);
        }
    }
}

static void end_generation(world *w, double *time) {
    const scaling_search *s = w->search;
    *time += w->cost->generation + s->population * w->cost->member;
    w->first += s->population;
    w->next = w->back = 0;
}

/* One turn of rank 0's loop, and as many more as find something to do at once. */
static void coordinate(world *w, double time) {
    rank *self = &w->rank[0];
    for (bool busy = true; busy;) {
        busy = false;
        if (due(&self->mail, time)) {
            w->rank[take(&self->mail).tag].load--;
            time += w->cost->receive + w->cost->commit;
            w->back++;
            busy = true;
        }
        if (due(&self->finished, time)) {
            take(&self->finished);
            self->load--;
            time += w->cost->commit;
            w->back++;
            busy = true;
        }
        if (w->back == w->search->population)
            end_generation(w, &time);
        if (busy && w->first < (long)w->search->population * w->search->generations)
            hand_out(w, &time);
        self->since = time;
        /* What others do meanwhile comes first. */
        if (busy && w->agenda.count > 0 && w->agenda.at[0].time <= time) {
            add(&w->agenda, time, 0, ++self->version);
            return;
        }
    }
    plan(w, 0);
}

/* --- other ranks -------------------------------------------------------------------------- */

static void work(world *w, int who, double time) {
    rank *r = &w->rank[who];
    if (due(&r->mail, time)) {
        time += w->cost->receive;
        begin(w, r, time, take(&r->mail).tag);
    }
    while (due(&r->finished, time)) {
        take(&r->finished);
        time += w->cost->send;
        add(&w->rank[0].mail, time + w->cost->flight, who, 0);
    }
    r->since = time;
    plan(w, who);
    /* Rank 0 may be asleep: when it looks again may have changed. */
    if (w->rank[0].mail.count > 0)
        plan(w, 0);
}

/* --- a search ----------------------------------------------------------------------------- */

static bool make_ranks(world *w) {
    w->rank = calloc((size_t)w->search->ranks, sizeof *w->rank);
    for (int i = 0; w->rank && i < w->search->ranks; i++) {
        w->rank[i].free_at = calloc((size_t)w->search->threads, sizeof(double));
        w->failed |= !w->rank[i].free_at;
    }
    return w->rank && !w->failed;
}

static void free_ranks(world *w) {
    for (int i = 0; w->rank && i < w->search->ranks; i++) {
        w->failed |= w->rank[i].mail.failed || w->rank[i].finished.failed;
        free(w->rank[i].mail.at);
        free(w->rank[i].finished.at);
        free(w->rank[i].free_at);
    }
    w->failed |= w->agenda.failed;
    free(w->rank);
    free(w->agenda.at);
}

double scaling_simulate(const scaling_search *search, const scaling_costs *costs) {
    world w = {.search = search, .cost = costs};
    double time = 0;
    if (make_ranks(&w)) {
        hand_out(&w, &time);
        w.rank[0].since = time;
        plan(&w, 0);
    }
    while (w.agenda.count > 0) {
        event e = take(&w.agenda);
        if (e.version != w.rank[e.tag].version)
            continue;
        time = e.time;
        if (e.tag == 0)
            coordinate(&w, time);
        else
            work(&w, (int)e.tag, time);
    }
    if (w.rank)
        time = w.rank[0].since;
    free_ranks(&w);
    return w.failed ? -1 : time;
}
