/* solver_nlopt.c - hands a Pascoletti-Serafini problem to NLopt (Johnson).
 *
 * Rows r_i(u) of the problem (scalar.h) and constraints g_j(u) <= 0, u in the unit box:
 *   epigraph   minimize t,  r_i(u) - t <= 0,  g_j(u) + margin <= 0    smooth where r and g are
 *   rows       minimize max r_i(u),  g_j(u) + margin <= 0
 *   penalty    minimize max r_i(u) + p sum max(g_j(u) + margin, 0)
 * Equalities h_j(u) = 0 are passed on as such where the algorithm takes them, else as |h_j(u)| less
 * than their tolerance. A problem with one row needs no t. */
#include "search/method.h"

#include <math.h>
#include <string.h>

static bool with_t(const gdyn_solver *v) {
    return v->nlopt->form == GDYN_FORM_EPIGRAPH && v->goals > 1;
}

static double objective(unsigned n, const double *u, double *gradient, void *context) {
    gdyn_solver *v = context;
    if (gradient)
        memset(gradient, 0, n * sizeof *gradient);
    if (with_t(v)) {
        if (gradient)
            gradient[n - 1] = 1;
        return u[n - 1];
    }
    const double *row = gdyn_solver_look(v, u, gradient != NULL);
    if (!row)
        return 4 * v->gain * v->ceiling;
    for (unsigned j = 0; gradient && j < n; j++) /* one goal only */
        gradient[j] = v->gain * v->slope[j];
    double value = gdyn_solver_greatest(v, row);
    if (v->nlopt->form == GDYN_FORM_PENALTY && value < 2 * v->ceiling)
        /* Excess counts with the penalty, but never as much as a failure. */
        value = gdyn_solver_bend(v, value + v->penalty * gdyn_solver_excess(v, row));
    return v->gain * value;
}

/* Rows that are inequalities to NLopt; goals are among them where there is t. */
static int inequality_count(const gdyn_solver *v) {
    return v->rows - (with_t(v) ? 0 : v->goals) - v->equalities + v->pairs;
}

/* The rows that `order` names. */
static void constraints(gdyn_solver *v, const int *order, unsigned count, double *result,
                        unsigned n, const double *u, double *gradient) {
    const double *row = gdyn_solver_look(v, u, gradient != NULL);
    if (gradient)
        memset(gradient, 0, (size_t)count * n * sizeof *gradient);
    /* goals minus t, or the rows themselves, with their gradients */
    for (unsigned k = 0; k < count; k++) {
        int r = order[k] < 0 ? ~order[k] : order[k];
        bool goal = r<v->goals, pair = v->pairs> 0 && v->tolerance[r] > 0;
        double sign = order[k] < 0 ? -1 : 1;
        result[k] = !row   ? 1
                    : goal ? v->gain * row[r] - u[n - 1]
                    : pair ? sign * row[r] - v->part * v->tolerance[r]
                           : row[r] + gdyn_solver_margin(v, r);
        if (!gradient || !row)
            continue;
        for (int i = 0; i < v->variables; i++)
            gradient[(size_t)k * n + (size_t)i] =
                (goal ? v->gain : sign) * v->slope[r * v->variables + i];
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
    for (int i = 0; i < v->variables; i++) {
        nlopt_set_lower_bound(opt, i, v->lower[i]);
        nlopt_set_upper_bound(opt, i, v->upper[i]);
    }
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
    if (v->nlopt->local < 0)
        return true;
    nlopt_opt local = make(v, v->nlopt->local);
    bool ok = local && nlopt_set_local_optimizer(opt, local) > 0;
    nlopt_destroy(local);
    return ok;
}

/* Inequalities and equalities, with the tolerances of the latter (v->change: scratch). */
static bool add_constraints(gdyn_solver *v) {
    int first = with_t(v) ? 0 : v->goals, unequal = 0, equal = inequality_count(v), count = equal;
    for (int r = first; r < v->rows; r++) {
        bool equality = v->equalities > 0 && v->tolerance[r] > 0;
        if (equality)
            v->change[equal - count] = v->part * v->tolerance[r];
        v->order[equality ? equal++ : unequal++] = r;
        if (v->pairs > 0 && v->tolerance[r] > 0)
            v->order[unequal++] = ~r;
    }
    bool ok = true;
    if (count > 0)
        ok = nlopt_add_inequality_mconstraint(v->opt, (unsigned)count, inequalities, v, NULL) > 0;
    if (ok && v->equalities > 0)
        ok = nlopt_add_equality_mconstraint(v->opt, (unsigned)v->equalities, equalities, v,
                                            v->change) > 0;
    return ok;
}

static void run(gdyn_solver *v) {
    double *u = v->u;
    bool gradient = v->nlopt->gradient;
    /* Values, and slopes, at the start; none when the budget is used up or the search ends. */
    const double *row = gdyn_solver_look(v, u, gradient);
    if (!row)
        return;
    if (gradient) {
        /* Algorithms that begin with the unit matrix as curvature take a first step as long as the
         * gradient: the longest gradient of a goal becomes worth a step of the wanted size in every
         * variable. */
        double longest = 0;
        for (int r = 0; r < v->goals; r++) {
            double square = 0;
            for (int i = 0; i < v->variables; i++)
                square += v->slope[r * v->variables + i] * v->slope[r * v->variables + i];
            longest = fmax(longest, sqrt(square));
        }
        double gain = v->task.step * sqrt(v->variables) / longest;
        v->gain = longest > 0 && isfinite(gain) ? fmin(gain, 1e6) : 1;
    }
    v->opt = make(v, v->nlopt->algorithm);
    bool t = with_t(v), ok = v->opt && add_local(v, v->opt);
    ok = ok && nlopt_set_min_objective(v->opt, objective, v) > 0;
    if (ok && v->nlopt->form != GDYN_FORM_PENALTY)
        ok = add_constraints(v);
    if (ok) {
        double least;
        if (t)
            u[v->variables] = v->gain * gdyn_solver_greatest(v, row);
        nlopt_srand((unsigned long)(v->task.seed & 0xffffffffu));
        nlopt_optimize(v->opt, u, &least);
    }
    nlopt_destroy(v->opt);
    v->opt = NULL;
}

void gdyn_solver_run(gdyn_solver *v) {
    do
        run(v);
    while (gdyn_solver_pass_jump(v));
}
