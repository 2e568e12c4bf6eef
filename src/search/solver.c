/* solver.c - runs of NLopt for one scalar problem, in a thread of its own, whose designs the search
 * evaluates.
 *
 * A task is a sequence of runs (solver_nlopt.c) from the best point so far. Where constraints are
 * handed over as a penalty p, it grows tenfold while the best point keeps not all of them. */
#include "search/method.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

static const double FIRST_PENALTY = 10;
static const double SUSPECT = 0.01;           /* slack of a row at a solution */
static const double HOP = 0.05;               /* greatest step of a hop, share of the range */
static const double PROGRESS = 1e-3;          /* of a run worth another one */
static const double LEAP = 1e-2;              /* of a hop worth another one */
static const double NEARER = 0.5;             /* what is left of the excess of a run on the way */
static const double CEILING = 100;            /* in ranges of the objectives */
static const double HALF = 0.5, WHOLE = 0.99; /* of an equality's tolerance */
enum { RESUMED = 8 }; /* runs that are taken up again on the way to the constraints */

/* --- create, destroy ------------------------------------------------------------------------- */

int gdyn_solver_most(const gdyn_search *s, const gdyn_nlopt *nlopt) {
    return nlopt->gradient ? s->n + 1 : 1;
}

gdyn_solver *gdyn_solver_create(const gdyn_search *s, const gdyn_nlopt *nlopt) {
    gdyn_arena *arena = s->arena;
    gdyn_solver *v = gdyn_arena_alloc(arena, 1, sizeof *v);
    if (!v)
        return NULL;
    v->search = s, v->nlopt = nlopt, v->n = s->n;
    size_t n = (size_t)s->n, m = (size_t)s->m, most = (size_t)gdyn_solver_most(s, nlopt);
    size_t constraints = (size_t)s->constraints, rows = m + constraints + 1;
    gdyn_answers *a = &v->answers;
    a->x = gdyn_arena_doubles(arena, n * most);
    a->f = gdyn_arena_doubles(arena, m * most);
    a->g = gdyn_arena_doubles(arena, constraints * most + 1);
    a->violation = gdyn_arena_doubles(arena, most);
    a->failure = gdyn_arena_doubles(arena, most);
    a->detailed = gdyn_arena_alloc(arena, most, sizeof *a->detailed);
    a->serial = gdyn_arena_alloc(arena, most, sizeof *a->serial);
    gdyn_scalar_create(arena, s->m, &v->problem);
    v->goal = gdyn_arena_alloc(arena, m, sizeof *v->goal);
    v->limit = gdyn_arena_alloc(arena, m, sizeof *v->limit);
    v->free = gdyn_arena_alloc(arena, n, sizeof *v->free);
    v->again = gdyn_arena_alloc(arena, n, sizeof *v->again);
    v->order = gdyn_arena_alloc(arena, 2 * rows, sizeof *v->order);
    v->u = gdyn_arena_doubles(arena, n + 1);
    double **points[] = {&v->start, &v->best,  &v->settled,    &v->slope_u,   &v->restored,
                         &v->lower, &v->upper, &v->jumps.base, &v->jumps.last};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        *points[i] = gdyn_arena_doubles(arena, n);
    double **by_row[] = {&v->change, &v->tolerance, &v->size};
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++)
        *by_row[i] = gdyn_arena_doubles(arena, rows);
    v->seen_x = gdyn_arena_doubles(arena, n * GDYN_SOLVER_REMEMBERED);
    v->seen_row = gdyn_arena_doubles(arena, rows * GDYN_SOLVER_REMEMBERED);
    v->slope = gdyn_arena_doubles(arena, nlopt->gradient ? n * rows : 1);
    return gdyn_arena_failed(arena) ? NULL : v;
}

/* --- the work of a thread --------------------------------------------------------------------- */

/* Another run is worth while: penalties must grow, a run on kinks or a hop got on, or none has been
 * tried from a point that is suspect, being no better than the start or not where the rows meet. */
static bool go_on(const gdyn_solver *v, bool better, bool hop) {
    bool penalty = v->nlopt->form == GDYN_FORM_PENALTY;
    if (v->over || (penalty && v->best_excess > 0))
        /* Constraints that are not kept: larger penalties. */
        return !v->over;
    return better ? penalty || hop || v->best_slack > SUSPECT : !hop;
}

/* Runs from the best point. Those that see kinks are repeated as long as
 * they get on. One that did not get on is followed by one that begins nearby (basin hopping; Wales,
 * Doye 1997). Penalties grow while constraints are not kept. */
void gdyn_solver_solve(gdyn_solver *v) {
    gdyn_random random = gdyn_random_stream(v->task.seed, 0, 0);
    memcpy(v->u, v->best, (size_t)v->variables * sizeof *v->u);
    bool stuck = false, more = gdyn_solver_look(v, v->u, v->nlopt->gradient) != NULL;
    if (more && v->nlopt->gradient)
        gdyn_solver_scale(v);
    for (int round = 0, resumed = 0; round < v->task.runs && more;) {
        double value = v->best_value, excess = v->best_excess;
        /* From the best point, or near it where the last run did not get on; inside the bounds
         * where the best one is on them. */
        for (int i = 0; i < v->variables; i++) {
            double hop = stuck ? HOP * (2 * gdyn_random_uniform(&random) - 1) : 0;
            double u = fabs(v->best[i] + hop);
            v->u[i] = fmin(fmax(u > 1 ? 2 - u : u, v->lower[i]), v->upper[i]);
        }
        gdyn_solver_run(v);
        bool better = v->best_excess < excess || value - v->best_value > (stuck ? LEAP : PROGRESS);
        if (v->best_excess > 0)
            v->penalty *= 10;
        /* ended by its tolerances on the way to the constraints: the next run takes it up again */
        bool again = resumed < RESUMED && !v->over && v->nlopt->gradient && v->best_excess > 0 &&
                     v->best_excess < NEARER * excess;
        resumed += again;
        more = again || go_on(v, better, stuck);
        stuck = !better;
        round += !again;
    }
}

/* --- tasks ----------------------------------------------------------------------------------- */

static void choose_rows(gdyn_solver *v) {
    const gdyn_scalar *p = &v->problem;
    v->goals = v->limits = 0;
    for (int i = 0; i < p->m; i++) {
        if (isinf(p->a[i]))
            continue;
        if (p->d[i] > 0)
            v->goal[v->goals++] = i;
        else
            v->limit[v->limits++] = i;
    }
    /* Constraints one by one where the search knows them, else their sum. */
    int single = v->search->constraints > 0 ? v->search->constraints : v->task.constrained;
    v->rows = v->goals + v->limits + single, v->equalities = v->pairs = 0;
    v->part = v->task.polish ? WHOLE : HALF;
    for (int r = 0, first = v->goals + v->limits; r < v->rows; r++) {
        bool known = r >= first && v->search->constraints > 0;
        v->size[r] = known && v->search->size[r - first] > 0 ? v->search->size[r - first] : 1;
        v->tolerance[r] = known ? v->search->equality[r - first] / v->size[r] : 0;
        *(v->task.polish ? &v->pairs : &v->equalities) +=
            v->nlopt->equalities && v->tolerance[r] > 0;
    }
}

bool gdyn_solver_begin(gdyn_solver *v, const gdyn_solver_task *task) {
    const gdyn_variation *b = &v->search->variation;
    v->task = *task, v->variables = 0;
    for (int j = 0; j < v->n; j++)
        if (b->upper[j] > b->lower[j] && !(task->hold_whole && b->integer[j]))
            v->free[v->variables++] = j;
    choose_rows(v);
    if (v->variables == 0)
        return false;
    memcpy(v->start, task->start, (size_t)v->n * sizeof *v->start);
    v->task.start = v->start;
    for (int i = 0; i < v->variables; i++) {
        gdyn_range range = gdyn_variation_range(b, v->free[i]);
        double u = (v->start[v->free[i]] - range.low) / (range.high - range.low);
        v->best[i] = fmin(fmax(u, 0), 1);
    }
    v->best_value = v->best_excess = INFINITY, v->penalty = FIRST_PENALTY, v->gain = 1;
    v->ceiling = CEILING, v->used = 0;
    v->seen = v->latest = v->asked = v->sloped_points = 0, v->over = v->sloped = false;
    gdyn_solver_forget_jumps(v);
    return v->busy = true;
}
