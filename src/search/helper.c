/* helper.c - a second population that crosses infeasible regions.
 *
 * Where good regions lie behind infeasible ones, a population that ranks feasible designs first
 * stays in front of them. The helper ranks without regard to constraints (push), until its front
 * has come to rest or has taken its part of the designs; then it ranks as the population does
 * (pull), so that what it has found on the other side becomes feasible there, until it is at rest
 * again (Fan, Li, Cai, Li, Wei, Zhang, Deb, Goodman 2019). All designs compete in both populations
 * from the beginning, which costs no evaluations (CCMO: Tian, Zhang, Xiao, Zhang, Jin 2021). Its
 * children, made as those of de, come late, as short searches have no designs to spare, and only
 * while members violate constraints; a pull that gains nothing for the population ends early, and
 * the next push waits until the search is twice as long. */
#include "search/method.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LEAST = 8 };
/* In populations: designs before the first push, the most children of a push and a pull, and the
 * children over which a front at rest is judged. */
static const double BEGIN = 40, PUSH = 60, PULL = 25, WINDOW = 12;
static const double SHARE = 0.6; /* of the children */
static const double REST = 0.01; /* change of the ends of the front, share of its range */

struct gdyn_helper {
    int *member; /* N: slots, best fronts first */
    int count, best;
    bool active, pulls;
    int phase_made, window_made; /* children of the phase and of the window */
    int gained;                  /* children that improve the population's front, in the window */
    long next;                   /* evaluations at which the next push begins */
    double *ends, *now; /* 2 m: ideal and nadir of the front, at the beginning of the window */
    int *pushed;        /* capacity: slots of the pool during a push, */
    double *violation;  /* and their violations, set to zero meanwhile */
};

gdyn_status gdyn_helper_create(gdyn_search *s) {
    gdyn_helper *h = gdyn_arena_alloc(s->arena, 1, sizeof *h);
    if (!h)
        return GDYN_ERROR_MEMORY;
    h->member = gdyn_arena_alloc(s->arena, (size_t)s->N, sizeof *h->member);
    h->ends = gdyn_arena_doubles(s->arena, 2 * (size_t)s->m);
    h->now = gdyn_arena_doubles(s->arena, 2 * (size_t)s->m);
    h->pushed = gdyn_arena_alloc(s->arena, (size_t)s->capacity, sizeof *h->pushed);
    h->violation = gdyn_arena_doubles(s->arena, (size_t)s->capacity);
    h->next = (long)(BEGIN * s->N);
    s->helper = h;
    return gdyn_arena_failed(s->arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

int gdyn_helper_members(const gdyn_search *s, const int **member) {
    *member = s->helper ? s->helper->member : NULL;
    return s->helper ? s->helper->count : 0;
}

/* The helper's members are the parents, and the parents the helper's. */
static void change_places(gdyn_search *s) {
    gdyn_helper *h = s->helper;
    int *member = s->parent, count = s->parents;
    s->parent = h->member, s->parents = h->count;
    h->member = member, h->count = count;
}

/* --- phases ----------------------------------------------------------------------------------- */

static void measure_ends(const gdyn_search *s, const gdyn_helper *h, double *ends) {
    for (int i = 0; i < s->m; i++) {
        double least = INFINITY, greatest = -INFINITY;
        for (int k = 0; k < h->best; k++) {
            double f = gdyn_slot_f(s, h->member[k])[i];
            least = fmin(least, f), greatest = fmax(greatest, f);
        }
        ends[2 * i] = least, ends[2 * i + 1] = greatest;
    }
}

/* Whether the ends of the front have stayed where they were over a window. */
static bool rests(const gdyn_search *s, gdyn_helper *h) {
    double change = 0;
    measure_ends(s, h, h->now);
    for (int i = 0; i < 2 * s->m; i++) {
        double range = h->now[i | 1] - h->now[i & ~1];
        double moved = fabs(h->now[i] - h->ends[i]);
        change = fmax(change, range > 0 ? moved / range : moved > 0);
    }
    memcpy(h->ends, h->now, 2 * (size_t)s->m * sizeof *h->ends);
    return change < REST;
}

static void begin_phase(const gdyn_search *s, gdyn_helper *h, bool pulls) {
    h->pulls = pulls, h->phase_made = h->window_made = h->gained = 0;
    measure_ends(s, h, h->ends);
}

static void change_phase(const gdyn_search *s, gdyn_helper *h) {
    if (!h->active) {
        bool violated = false;
        for (int k = 0; k < h->best; k++)
            violated |= s->violation[h->member[k]] > 0;
        h->active = s->info.evaluations >= h->next && h->count >= LEAST && violated;
        if (h->active)
            begin_phase(s, h, false);
        return;
    }
    bool window = h->window_made >= WINDOW * s->N;
    bool rest = window && (rests(s, h) || (h->pulls && h->gained == 0));
    if (window)
        h->window_made = h->gained = 0;
    if (!rest && h->phase_made < (h->pulls ? PULL : PUSH) * s->N)
        return;
    if (!h->pulls) {
        begin_phase(s, h, true);
        return;
    }
    h->active = h->pulls = false, h->next = 2 * s->info.evaluations;
}

/* --- survivors and children ------------------------------------------------------------------- */

void gdyn_helper_select(gdyn_search *s, int made, int gained) {
    gdyn_helper *h = s->helper;
    int count = 0;
    h->phase_made += made, h->window_made += made, h->gained += gained;
    for (int k = 0; k < h->count; k++)
        s->pool[count++] = h->member[k];
    for (int k = 0; k < s->children; k++)
        if (s->failure[s->child[k]] == 0)
            s->pool[count++] = s->child[k];
    if (count > 0) {
        /* During a push violations count as zero. */
        for (int k = 0; k < count && !h->pulls; k++) {
            h->violation[k] = s->violation[s->pool[k]];
            s->violation[s->pool[k]] = 0;
        }
        memcpy(h->pushed, s->pool, (size_t)count * sizeof *h->pushed);
        change_places(s);
        gdyn_pool_select_apart(s, count);
        change_places(s);
        for (int k = 0; k < count && !h->pulls; k++)
            s->violation[h->pushed[k]] = h->violation[k];
        for (h->best = 0; h->best < h->count && s->front[h->member[h->best]] == 0;)
            h->best++;
    }
    change_phase(s, h);
}

int gdyn_helper_share(const gdyn_search *s, int count) {
    const gdyn_helper *h = s->helper;
    return h && h->active && h->count >= LEAST ? (int)(SHARE * count) : 0;
}

int gdyn_helper_begin(gdyn_search *s) {
    int best = s->helper->best;
    change_places(s);
    return best;
}

void gdyn_helper_end(gdyn_search *s) {
    change_places(s);
}
