/* solver.c - hands a Pascoletti-Serafini problem to NLopt (Johnson) and its designs to the search.
 *
 * Rows r_i(u) of the problem (scalar.h) and constraints g_j(u) <= 0, u in the unit box:
 *   epigraph   minimize t,  r_i(u) - t <= 0,  g_j(u) + margin <= 0    smooth where r and g are
 *   rows       minimize max r_i(u),  g_j(u) + margin <= 0
 *   penalty    minimize max r_i(u) + p sum max(g_j(u) + margin, 0)    p grows tenfold and the run
 *                                                                     is repeated while its best
 *                                                                     point keeps not all g
 * Equalities h_j(u) = 0 are passed on as such where the algorithm takes them, else as |h_j(u)| less than their
 * tolerance. A problem with one row needs no t. Rows are bent above `ceiling` (L): r -> L (2 - L/r), smooth
 * and less than 2 L, so that a failed design, which counts as L (2 + failure/(1 + failure)) >= 2 L,
 * is worse than all others and still has a slope. Derivatives are one-sided differences. */
#include "search/solver.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

enum { REMEMBERED = 16 };
static const double DIFFERENCE = 1e-6; /* share of a variable's range */
static const double MARGIN = 1e-7;     /* constraints end on the right side in spite of rounding */
static const double HALF = 0.5;        /* of an equality's tolerance: what a run is content with */
static const double FIRST_PENALTY = 10;
static const double SUSPECT = 0.01;  /* slack of a row at a solution */
static const double HOP = 0.05;      /* greatest step of a hop, share of the range */
static const double PROGRESS = 1e-3; /* of a run worth another one */
static const double LEAP = 1e-2;     /* of a hop worth another one */
static const double CEILING = 100;   /* in ranges of the objectives */

struct gdyn_solver {
    gdyn_solver_space space;
    int n, most;
    gdyn_coroutine *coroutine;
    gdyn_answers answers;
    int asked;
    gdyn_solver_task task;
    gdyn_scalar problem;
    long used;
    bool over;     /* budget used or coroutines ending */
    int *free;     /* n: free variables */
    int variables; /* how many; t is u[variables] */
    double *start; /* n */
    double *u;     /* n + 1: NLopt's point, with t */
    double *best;  /* n: best point of the task */
    double best_value, best_excess;
    double best_slack; /* of the row that is farthest from being active */
    double ceiling, penalty;
    double gain;     /* factor of the goals as NLopt sees them */
    int rows, goals; /* rows: goals (with t) first, then constraints */
    int *order;      /* rows: inequalities as NLopt is given them, then `equalities` equalities */
    int equalities;
    double *tolerance; /* rows: of an equality, 0: none */
    int *goal;         /* m: objective of each goal row */
    int *limit;        /* m: objectives with d = 0 */
    int limits;
    double *settled;           /* n: design of the present point */
    double *seen_x, *seen_row; /* n x REMEMBERED, rows x REMEMBERED */
    int seen, latest;
    double *slope_u, *slope; /* point (n) and derivatives (n x rows, by rows) at it */
    bool sloped;
    int *again;     /* n: variables whose neighbour was useless */
    double *change; /* rows: scratch */
    nlopt_opt opt;
};

/* --- create, destroy ------------------------------------------------------------------------- */

int gdyn_solver_most(const gdyn_solver_space *space) {
    return space->nlopt->gradient ? space->variation->n + 1 : 1;
}

static bool allocate_answers(gdyn_solver *v) {
    size_t most = (size_t)v->most;
    gdyn_answers *a = &v->answers;
    a->x = gdyn_alloc((size_t)v->n * most, sizeof *a->x);
    a->f = gdyn_alloc((size_t)v->space.m * most, sizeof *a->f);
    a->g = gdyn_alloc((size_t)v->space.constraints * most + 1, sizeof *a->g);
    a->violation = gdyn_alloc(2 * most, sizeof *a->violation);
    a->detailed = gdyn_alloc(most, sizeof *a->detailed);
    if (a->violation)
        a->failure = a->violation + most;
    return a->x && a->f && a->g && a->violation && a->detailed;
}

static bool allocate_problem(gdyn_solver *v) {
    size_t m = (size_t)v->space.m;
    gdyn_scalar *p = &v->problem;
    p->m = v->space.m;
    p->ideal = gdyn_alloc(4 * m, sizeof *p->ideal);
    if (p->ideal)
        p->range = p->ideal + m, p->a = p->range + m, p->d = p->a + m;
    v->goal = gdyn_alloc(2 * m, sizeof *v->goal);
    v->limit = v->goal ? v->goal + m : NULL;
    return p->ideal && v->goal;
}

static bool allocate_points(gdyn_solver *v) {
    size_t n = (size_t)v->n;
    size_t rows = (size_t)v->space.m + (size_t)v->space.constraints + 1;
    v->free = gdyn_alloc(n, sizeof *v->free);
    v->start = gdyn_alloc(n, sizeof *v->start);
    v->u = gdyn_alloc(n + 1, sizeof *v->u);
    v->best = gdyn_alloc(n, sizeof *v->best);
    v->again = gdyn_alloc(n, sizeof *v->again);
    v->settled = gdyn_alloc(n, sizeof *v->settled);
    v->seen_x = gdyn_alloc(n * REMEMBERED, sizeof *v->seen_x);
    v->seen_row = gdyn_alloc(rows * REMEMBERED, sizeof *v->seen_row);
    v->slope_u = gdyn_alloc(n, sizeof *v->slope_u);
    v->slope = gdyn_alloc(v->space.nlopt->gradient ? n * rows : 1, sizeof *v->slope);
    v->change = gdyn_alloc(rows, sizeof *v->change);
    v->order = gdyn_alloc(rows, sizeof *v->order);
    v->tolerance = gdyn_alloc(rows, sizeof *v->tolerance);
    return v->order && v->tolerance && v->free && v->start && v->u && v->best && v->again &&
           v->settled && v->seen_x && v->seen_row && v->slope_u && v->slope && v->change;
}

gdyn_solver *gdyn_solver_create(const gdyn_solver_space *space) {
    gdyn_solver *v = gdyn_alloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->space = *space;
    v->n = space->variation->n;
    v->most = gdyn_solver_most(space);
    bool ok = allocate_answers(v);
    ok = allocate_problem(v) && ok;
    ok = allocate_points(v) && ok;
    if (ok)
        return v;
    gdyn_solver_destroy(v);
    return NULL;
}

void gdyn_solver_destroy(gdyn_solver *v) {
    if (!v)
        return;
    void *owned[] = {v->answers.x, v->answers.f, v->answers.g,     v->answers.violation,
                     v->free,      v->start,     v->best,          v->answers.detailed,
                     v->settled,   v->seen_x,    v->seen_row,      v->slope_u,
                     v->slope,     v->change,    v->problem.ideal, v->goal,
                     v->u,         v->again,     v->order,         v->tolerance};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        gdyn_free(owned[i]);
    gdyn_free(v);
}

gdyn_scalar *gdyn_solver_problem(gdyn_solver *v) {
    return &v->problem;
}

int gdyn_solver_asked(const gdyn_solver *v) {
    return v->asked;
}

gdyn_answers *gdyn_solver_answers(gdyn_solver *v) {
    return &v->answers;
}

/* --- points, designs, rows ------------------------------------------------------------------- */

typedef struct interval {
    double low, width;
} interval;

/* Whole variables are drawn from a range widened by a half on both sides. */
static interval range_of(const gdyn_solver *v, int j) {
    const gdyn_variation *b = v->space.variation;
    double widen = b->integer[j] ? 0.5 : 0;
    return (interval){b->lower[j] - widen, b->upper[j] - b->lower[j] + 2 * widen};
}

static void design_of(const gdyn_solver *v, const double *u, double *x) {
    /* Free variables from u, the others from the start. */
    memcpy(x, v->start, (size_t)v->n * sizeof *x);
    for (int i = 0; i < v->variables; i++) {
        int j = v->free[i];
        interval range = range_of(v, j);
        x[j] = gdyn_variation_settle(v->space.variation, j, range.low + u[i] * range.width);
    }
}

static double bent(const gdyn_solver *v, double r) {
    return r > v->ceiling ? v->ceiling * (2 - v->ceiling / r) : r;
}

/* 0 .. 1, growing with the amount. */
static double share(double amount) {
    return isinf(amount) ? 1 : amount / (1 + amount);
}

/* Constraint g as row r: an equality keeps its sign where the algorithm takes it as one. */
static double single_row(const gdyn_solver *v, int r, double g) {
    double tolerance = v->tolerance[r];
    if (tolerance == 0)
        return g + MARGIN;
    return v->space.nlopt->equalities ? g : fabs(g) - HALF * tolerance;
}

/* All rows of answer k. */
static void rows_of(const gdyn_solver *v, int k, double *row) {
    const gdyn_answers *a = &v->answers;
    const double *f = a->f + (size_t)k * (size_t)v->space.m;
    double failure = a->failure[k];
    int r = 0;
    /* goals, bounds of objectives, constraints; failures rank behind all of them */
    for (int i = 0; i < v->goals; i++, r++)
        row[r] = failure > 0 ? v->ceiling * (2 + share(failure))
                             : bent(v, gdyn_scalar_row(&v->problem, f, v->goal[i]));
    for (int i = 0; i < v->limits; i++, r++)
        row[r] = failure > 0 ? 1 + share(failure) : gdyn_scalar_row(&v->problem, f, v->limit[i]);
    /* Constraints one by one, or their sum as one row. */
    bool single = a->detailed[k] && v->space.constraints > 0;
    for (int j = 0; r < v->rows; j++, r++)
        if (failure > 0)
            row[r] = 1 + share(failure);
        else if (single)
            row[r] = single_row(v, r, a->g[(size_t)k * (size_t)v->space.constraints + (size_t)j]);
        else
            row[r] = j == 0 ? a->violation[k] : 0;
}

static double greatest_goal(const gdyn_solver *v, const double *row) {
    double t = row[0];
    for (int i = 1; i < v->goals; i++)
        t = fmax(t, row[i]);
    return t;
}

static double excess_of(const gdyn_solver *v, const double *row) {
    double sum = 0;
    bool equalities = v->space.nlopt->equalities;
    for (int i = v->goals; i < v->rows; i++) {
        double tolerance = equalities ? v->tolerance[i] : 0;
        sum += fmax(tolerance > 0 ? fabs(row[i]) - HALF * tolerance : row[i], 0);
    }
    return sum;
}

/* --- asking ---------------------------------------------------------------------------------- */

static void stop(gdyn_solver *v) {
    v->over = true;
    if (v->opt)
        nlopt_force_stop(v->opt);
}

/* Waits for answers to the first `count` designs; false: it is over. */
static bool ask(gdyn_solver *v, int count) {
    if (v->over || v->used + count > v->task.budget) {
        stop(v);
        return false;
    }
    v->asked = count;
    v->used += count;
    /* Sleeps while the search evaluates the designs. */
    bool received = gdyn_coroutine_wait(v->coroutine);
    v->asked = 0;
    if (!received)
        stop(v);
    return received;
}

static double *remembered_row(const gdyn_solver *v, int k) {
    return v->seen_row + (size_t)k * (size_t)v->rows;
}

static double *find(const gdyn_solver *v, const double *x) {
    size_t n = (size_t)v->n;
    for (int k = 0; k < v->seen; k++)
        if (memcmp(v->seen_x + (size_t)k * n, x, n * sizeof *x) == 0)
            return remembered_row(v, k);
    return NULL;
}

static const double *remember(gdyn_solver *v, const double *x, int k) {
    /* A ring of the last points: line searches come back to them. */
    int place = v->latest++ % REMEMBERED;
    v->seen = v->seen < REMEMBERED ? v->seen + 1 : v->seen;
    memcpy(v->seen_x + (size_t)place * (size_t)v->n, x, (size_t)v->n * sizeof *x);
    rows_of(v, k, remembered_row(v, place));
    return remembered_row(v, place);
}

static void note_best(gdyn_solver *v, const double *u, const double *row) {
    /* Less excess first, then less value. */
    double value = greatest_goal(v, row), excess = excess_of(v, row);
    if (excess > v->best_excess || (excess == v->best_excess && value >= v->best_value))
        return;
    memcpy(v->best, u, (size_t)v->variables * sizeof *u);
    v->best_value = value, v->best_excess = excess;
    /* Slack tells whether the rows meet at the point, as they do at a solution. */
    v->best_slack = 0;
    for (int r = 0; r < v->goals + v->limits; r++)
        v->best_slack = fmax(v->best_slack, (r < v->goals ? value : 0) - row[r]);
}

/* Writes the neighbour of x in direction i (+1 or -1, inwards at a bound) as design k. */
static void place_neighbour(gdyn_solver *v, const double *u, int i, double sign, int k) {
    int j = v->free[i];
    double *x = v->answers.x + (size_t)k * (size_t)v->n;
    interval range = range_of(v, j);
    memcpy(x, v->settled, (size_t)v->n * sizeof *x);
    double at = fmin(fmax(u[i] + sign * DIFFERENCE, 0), 1);
    x[j] = gdyn_variation_settle(v->space.variation, j, range.low + at * range.width);
}

static double inward(double u) {
    return u + DIFFERENCE > 1 ? -1 : 1;
}

/* Derivatives along variable i from answer k. */
static void take_slope(gdyn_solver *v, const double *row, int i, int k) {
    int j = v->free[i];
    /* Settling may shorten the step: the true one counts. */
    double step = v->answers.x[(size_t)k * (size_t)v->n + (size_t)j] - v->settled[j];
    double h = step / range_of(v, j).width;
    rows_of(v, k, v->change);
    for (int r = 0; r < v->rows; r++)
        v->slope[r * v->variables + i] = h != 0 ? (v->change[r] - row[r]) / h : 0;
}

/* A neighbour that fails, of a point that does not, tells nothing of the slope. */
static bool useless(const gdyn_solver *v, const double *row, int k) {
    bool failed = row[0] >= 2 * v->ceiling;
    return failed != (v->answers.failure[k] > 0);
}

/* Neighbours 0 .. variables-1 are answers from..; those that are useless are tried on the other
 * side, and count as level when that is useless too. */
static bool take_slopes(gdyn_solver *v, const double *u, const double *row, int from) {
    /* Slopes from the useful neighbours; the others are asked again on the other side. */
    int again = 0;
    for (int i = 0; i < v->variables; i++) {
        if (!useless(v, row, from + i)) {
            take_slope(v, row, i, from + i);
            continue;
        }
        for (int r = 0; r < v->rows; r++)
            v->slope[r * v->variables + i] = 0;
        v->again[again++] = i;
    }
    if (again == 0)
        return true;
    /* Neighbours on the other side. */
    for (int k = 0; k < again; k++)
        place_neighbour(v, u, v->again[k], -inward(u[v->again[k]]), k);
    if (!ask(v, again))
        return false;
    for (int k = 0; k < again; k++)
        if (!useless(v, row, k))
            take_slope(v, row, v->again[k], k);
    return true;
}

/* Rows at u; with their derivatives in v->slope when wanted. NULL: it is over. */
static const double *look(gdyn_solver *v, const double *u, bool slopes) {
    /* The point may be known, and its derivatives too. */
    if (v->over)
        return NULL;
    design_of(v, u, v->settled);
    const double *row = find(v, v->settled);
    size_t bytes = (size_t)v->variables * sizeof *u;
    slopes = slopes && !(row && v->sloped && memcmp(u, v->slope_u, bytes) == 0);
    int base = row ? 0 : 1, count = base + (slopes ? v->variables : 0);
    if (count == 0)
        return row;
    /* Point and neighbours are asked for together. */
    if (!row)
        memcpy(v->answers.x, v->settled, (size_t)v->n * sizeof *u);
    for (int i = 0; slopes && i < v->variables; i++)
        place_neighbour(v, u, i, inward(u[i]), base + i);
    if (!ask(v, count))
        return NULL;
    /* A new point competes for the best. */
    if (!row) {
        row = remember(v, v->settled, 0);
        note_best(v, u, row);
    }
    if (slopes) {
        v->sloped = false;
        if (!take_slopes(v, u, row, base))
            return NULL;
        memcpy(v->slope_u, u, bytes);
        v->sloped = true;
    }
    return row;
}

/* --- NLopt's side ---------------------------------------------------------------------------- */

static bool with_t(const gdyn_solver *v) {
    return v->space.nlopt->form == GDYN_FORM_EPIGRAPH && v->goals > 1;
}

static double t_objective(unsigned n, const double *u, double *gradient, void *context) {
    (void)context;
    if (gradient) {
        memset(gradient, 0, n * sizeof *gradient);
        gradient[n - 1] = 1;
    }
    return u[n - 1];
}

static double objective(unsigned n, const double *u, double *gradient, void *context) {
    gdyn_solver *v = context;
    const double *row = look(v, u, gradient != NULL);
    if (gradient)
        memset(gradient, 0, n * sizeof *gradient);
    /* Over: a value worse than any. */
    if (!row)
        return 4 * v->gain * v->ceiling;
    for (unsigned j = 0; gradient && j < n; j++) /* one goal only */
        gradient[j] = v->gain * v->slope[j];
    double value = greatest_goal(v, row);
    if (v->space.nlopt->form == GDYN_FORM_PENALTY && value < 2 * v->ceiling)
        /* Excess counts with the penalty, but never as much as a failure. */
        value = bent(v, value + v->penalty * excess_of(v, row));
    return v->gain * value;
}

/* Rows that are inequalities to NLopt; goals are among them where there is t. */
static int inequality_count(const gdyn_solver *v) {
    return v->rows - (with_t(v) ? 0 : v->goals) - v->equalities;
}

/* The rows that `order` names. */
static void constraints(gdyn_solver *v, const int *order, unsigned count, double *result,
                        unsigned n, const double *u, double *gradient) {
    const double *row = look(v, u, gradient != NULL);
    if (gradient)
        memset(gradient, 0, (size_t)count * n * sizeof *gradient);
    /* goals minus t, or the rows themselves, with their gradients */
    for (unsigned k = 0; k < count; k++) {
        int r = order[k];
        bool goal = r < v->goals;
        result[k] = !row ? 1 : goal ? v->gain * row[r] - u[n - 1] : row[r];
        if (!gradient || !row)
            continue;
        for (int i = 0; i < v->variables; i++)
            gradient[(size_t)k * n + (size_t)i] =
                (goal ? v->gain : 1) * v->slope[r * v->variables + i];
        if (goal)
            gradient[(size_t)k * n + n - 1] = -1;
    }
}

static void inequalities(unsigned count, double *result, unsigned n, const double *u,
                         double *gradient, void *context) {
    gdyn_solver *v = context;
    constraints(v, v->order, count, result, n, u, gradient);
}

static void equalities(unsigned count, double *result, unsigned n, const double *u,
                       double *gradient, void *context) {
    gdyn_solver *v = context;
    constraints(v, v->order + inequality_count(v), count, result, n, u, gradient);
}

/* An optimizer over the unit box; t, when there is one, lies between the bounds of the rows. */
static nlopt_opt make(const gdyn_solver *v, int algorithm) {
    unsigned n = (unsigned)(v->variables + with_t(v));
    nlopt_opt opt = nlopt_create((nlopt_algorithm)algorithm, n);
    if (!opt)
        return NULL;
    /* The unit box, with the task's first step. */
    nlopt_set_lower_bounds1(opt, 0);
    nlopt_set_upper_bounds1(opt, 1);
    nlopt_set_initial_step1(opt, v->task.step);
    /* The bounds of t lie beyond all values of the rows. */
    if (with_t(v)) {
        nlopt_set_lower_bound(opt, (int)n - 1, -3 * v->gain * v->ceiling);
        nlopt_set_upper_bound(opt, (int)n - 1, 4 * v->gain * v->ceiling);
    }
    bool divides = algorithm == NLOPT_GN_DIRECT_L; /* its best point may rest for long */
    /* Tolerances where they mean something to the algorithm. */
    if (!divides)
        nlopt_set_xtol_abs1(opt, v->task.tolerance);
    if (!divides && !with_t(v)) /* t may be fixed while the constraints are restored */
        nlopt_set_ftol_abs(opt, v->gain * v->task.tolerance);
    nlopt_set_maxeval(opt, 4 * (int)fmin((double)v->task.budget, 1e6) + 1000);
    nlopt_set_param(opt, "dual_algorithm",
                    NLOPT_LD_SLSQP); /* mma, ccsaq: the own way may take hours */
    nlopt_set_param(opt, "dual_maxeval", 1000);
    return opt;
}

static bool add_local(gdyn_solver *v, nlopt_opt opt) {
    if (v->space.nlopt->local < 0)
        return true;
    nlopt_opt local = make(v, v->space.nlopt->local);
    bool ok = local && nlopt_set_local_optimizer(opt, local) > 0;
    nlopt_destroy(local);
    return ok;
}

/* Algorithms that begin with the unit matrix as curvature take a first step as long as the gradient:
 * makes the longest gradient of a goal worth a step of the wanted size in every variable. */
static double gain_of(const gdyn_solver *v) {
    double longest = 0;
    for (int r = 0; r < v->goals; r++) {
        double square = 0;
        for (int i = 0; i < v->variables; i++)
            square += v->slope[r * v->variables + i] * v->slope[r * v->variables + i];
        longest = fmax(longest, sqrt(square));
    }
    double gain = v->task.step * sqrt(v->variables) / longest;
    return longest > 0 && isfinite(gain) ? fmin(gain, 1e6) : 1;
}

/* Inequalities and equalities, with the tolerances of the latter (v->change: scratch). */
static bool add_constraints(gdyn_solver *v) {
    int first = with_t(v) ? 0 : v->goals, unequal = 0, equal = inequality_count(v), count = equal;
    for (int r = first; r < v->rows; r++) {
        bool equality = v->equalities > 0 && v->tolerance[r] > 0;
        if (equality)
            v->change[equal - count] = HALF * v->tolerance[r];
        v->order[equality ? equal++ : unequal++] = r;
    }
    bool ok = true;
    if (count > 0)
        ok = nlopt_add_inequality_mconstraint(v->opt, (unsigned)count, inequalities, v, NULL) > 0;
    if (ok && v->equalities > 0)
        ok = nlopt_add_equality_mconstraint(v->opt, (unsigned)v->equalities, equalities, v,
                                            v->change) > 0;
    return ok;
}

/* One run of NLopt from v->u. */
static void run(gdyn_solver *v) {
    double *u = v->u;
    bool gradient = v->space.nlopt->gradient;
    /* Values, and slopes, at the start; none when the budget is used up or the search ends. */
    const double *row = look(v, u, gradient);
    if (!row)
        return;
    if (gradient)
        v->gain = gain_of(v);
    v->opt = make(v, v->space.nlopt->algorithm);
    bool t = with_t(v), ok = v->opt && add_local(v, v->opt);
    ok = ok && nlopt_set_min_objective(v->opt, t ? t_objective : objective, v) > 0;
    if (ok && v->space.nlopt->form != GDYN_FORM_PENALTY)
        ok = add_constraints(v);
    if (ok) {
        double least;
        if (t)
            u[v->variables] = v->gain * greatest_goal(v, row);
        nlopt_srand((unsigned long)(v->task.seed & 0xffffffffu));
        nlopt_optimize(v->opt, u, &least);
    }
    nlopt_destroy(v->opt);
    v->opt = NULL;
}

/* A point near the best one, for a run that begins where the last one did not get on; inside the
 * bounds where the best one is on them. */
static void move_off(gdyn_solver *v, gdyn_random *random) {
    for (int i = 0; i < v->variables; i++) {
        double u = fabs(v->best[i] + HOP * (2 * gdyn_random_uniform(random) - 1));
        v->u[i] = u > 1 ? 2 - u : u;
    }
}

/* Another run is worth while: penalties must grow, a run on kinks or a hop got on, or none has been
 * tried from a point that is suspect, being no better than the start or not where the rows meet. */
static bool go_on(const gdyn_solver *v, bool better, bool hop) {
    bool penalty = v->space.nlopt->form == GDYN_FORM_PENALTY;
    if (v->over || (penalty && v->best_excess > 0))
        /* Constraints that are not kept: larger penalties. */
        return !v->over;
    return better ? penalty || hop || v->best_slack > SUSPECT : !hop;
}

/* The work of a coroutine: runs from the best point. Those that see kinks are repeated as long as they
 * get on. One that did not get on is followed by one that begins nearby (basin hopping; Wales, Doye
 * 1997). Penalties grow while constraints are not kept. */
static void solve(void *context, gdyn_coroutine *coroutine) {
    gdyn_solver *v = context;
    gdyn_random random = gdyn_random_stream(v->task.seed, 0, 0);
    v->coroutine = coroutine;
    memcpy(v->u, v->best, (size_t)v->variables * sizeof *v->u);
    bool stuck = false, more = look(v, v->u, v->space.nlopt->gradient) != NULL;
    for (int round = 0; round < v->task.runs && more; round++) {
        double value = v->best_value, excess = v->best_excess;
        memcpy(v->u, v->best, (size_t)v->variables * sizeof *v->u);
        if (stuck)
            move_off(v, &random);
        run(v);
        bool better = v->best_excess < excess || value - v->best_value > (stuck ? LEAP : PROGRESS);
        if (v->best_excess > 0)
            v->penalty *= 10;
        more = go_on(v, better, stuck);
        stuck = !better;
    }
}

/* --- tasks ----------------------------------------------------------------------------------- */

static void choose_free(gdyn_solver *v) {
    const gdyn_variation *b = v->space.variation;
    v->variables = 0;
    for (int j = 0; j < v->n; j++)
        if (b->upper[j] > b->lower[j] && !(v->task.hold_whole && b->integer[j]))
            v->free[v->variables++] = j;
}

static void choose_rows(gdyn_solver *v) {
    const gdyn_scalar *p = &v->problem;
    v->goals = v->limits = 0;
    /* Objectives with a row: goals (d > 0) and limits (d = 0). */
    for (int i = 0; i < p->m; i++) {
        if (isinf(p->a[i]))
            continue;
        if (p->d[i] > 0)
            v->goal[v->goals++] = i;
        else
            v->limit[v->limits++] = i;
    }
    /* Constraints one by one where the search knows them, else their sum. */
    int single = v->space.constraints > 0 ? v->space.constraints : v->task.constrained;
    v->rows = v->goals + v->limits + single;
    v->equalities = 0;
    for (int r = 0, first = v->goals + v->limits; r < v->rows; r++) {
        v->tolerance[r] = r >= first && v->space.constraints > 0 ? v->space.equality[r - first] : 0;
        v->equalities += v->space.nlopt->equalities && v->tolerance[r] > 0;
    }
}

bool gdyn_solver_begin(gdyn_solver *v, gdyn_coroutines *coroutines, int k,
                       const gdyn_solver_task *task) {
    v->task = *task;
    choose_free(v);
    choose_rows(v);
    if (v->variables == 0)
        return false;
    memcpy(v->start, task->start, (size_t)v->n * sizeof *v->start);
    v->task.start = v->start;
    for (int i = 0; i < v->variables; i++) {
        interval range = range_of(v, v->free[i]);
        v->best[i] = fmin(fmax((v->start[v->free[i]] - range.low) / range.width, 0), 1);
    }
    v->best_value = v->best_excess = INFINITY;
    v->penalty = FIRST_PENALTY;
    v->gain = 1;
    v->ceiling = CEILING;
    v->used = 0;
    v->seen = v->latest = v->asked = 0;
    v->over = v->sloped = false;
    gdyn_coroutines_begin(coroutines, k, solve, v);
    return true;
}
