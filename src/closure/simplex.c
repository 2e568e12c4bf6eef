/* simplex.c - the derivative-free descent: Nelder and Mead's simplex on the sum of squares.
 *
 * Paul 2020, sections 5.2-5.4, closes loops with it (fminsearch) beside least squares. NLopt's
 * LN_NELDERMEAD does the search; it works on displacements from the entry pose. The simplex is
 * started anew a few times because it tends to collapse in many dimensions. NLopt allocates. */
#include "closure/internal.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

/* Sum of squares and step at which the simplex ends. */
static const double COST_ENOUGH = 1e-10, STEP_LEAST = 1e-9;
/* Residual that needs no further round; that Newton can take over. */
static const double RESIDUAL_ENOUGH = 1e-4, RESIDUAL_NEAR = 1e-2;

enum { ROUNDS = 4 };

/* Sum of squares at a displacement; infinite values must not enter the simplex. */
static double cost(unsigned n, const double *x, double *gradient, void *context) {
    (void)n;
    (void)gradient; /* never asked for by this method */
    gdyn_closing_system *q = context;
    gdyn_closing_try(q, x, 1);
    double sum = gdyn_closing_residual(q, q->w->trial, q->w->r_trial, NULL);
    return isfinite(sum) ? sum : 1e300;
}

/* One simplex from the present pose; false when it did not improve it. */
static bool round_of(gdyn_closing_system *q, double size, int evaluations) {
    gdyn_closure *w = q->w;
    double before = gdyn_closing_residual(q, q->state, w->r, NULL), after = before;
    nlopt_opt opt = nlopt_create(NLOPT_LN_NELDERMEAD, (unsigned)w->n);
    if (!opt)
        return false;
    /* x: the displacement from the present pose */
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    nlopt_set_min_objective(opt, cost, q);
    nlopt_set_initial_step1(opt, size);
    nlopt_set_maxeval(opt, evaluations);
    nlopt_set_stopval(opt, COST_ENOUGH);
    nlopt_set_xtol_abs1(opt, STEP_LEAST);
    nlopt_result result = nlopt_optimize(opt, w->x, &after);
    nlopt_destroy(opt);
    /* a round that rounding ends is good, too */
    if (result < 0 && result != NLOPT_ROUNDOFF_LIMITED)
        return false;
    if (!(after < before))
        return false;
    gdyn_closing_try(q, w->x, 1);
    gdyn_closing_accept(q, w->x, 1);
    return true;
}

/* Rounds from smaller and smaller simplices. */
gdyn_closure_outcome gdyn_closing_simplex(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    double size = 0.2 * q->settings->max_step, greatest;
    int share = q->settings->max_iterations * w->n / ROUNDS;
    for (int i = 0; i < ROUNDS; i++) {
        gdyn_closing_residual(q, q->state, w->r, &greatest);
        if (greatest < RESIDUAL_ENOUGH)
            break;
        q->info->iterations++;
        if (!round_of(q, size, share))
            size *= 0.1;
    }
    gdyn_closing_residual(q, q->state, w->r, &greatest);
    return greatest < RESIDUAL_NEAR ? GDYN_CLOSED : GDYN_CLOSURE_STALLED;
}
