/* solver_jumps.c - jumps of the goals in one variable, at which line searches get stuck.
 *
 * A line search shortens its step until the goals get better. Where they jump on the way, the
 * difference quotient between its base and its trials grows as the step shrinks; where they are
 * smooth it tends to a slope. When it has grown several times in a row, the run is stopped and the
 * jump is located by bisection in the variable that makes it. The jump bounds this variable for the
 * rest of the task, on the side where the goals are better. Problems without jumps cost no
 * evaluations. */
#include "search/method.h"

#include <math.h>
#include <string.h>

static const double SHORTER = 0.3; /* largest share of the last step that is a shorter one */
static const double GREATER = 2;   /* smallest share of the last quotient that is a greater one */
static const double HEIGHT = 10;   /* smallest jump, in tolerances of the task */
static const double PLACE = 1e-7;  /* width of the interval that a jump is located in */
static const double AWAY = 2e-6;   /* of the bound from the jump: differences do not see it */
static const double SHARE = 0.5;   /* of a change that a jump makes alone */
enum { TIMES = 2, MOST = 3 };      /* greater quotients in a row; jumps of a task */

void gdyn_solver_forget_jumps(gdyn_solver *v) {
    gdyn_solver_jumps *w = &v->jumps;
    for (int i = 0; i < v->variables; i++)
        v->lower[i] = 0, v->upper[i] = 1;
    w->watched = v->nlopt->gradient;
    w->base_value = w->last_value = w->step = w->quotient = NAN;
    w->growing = w->found = 0, w->jammed = false;
}

void gdyn_solver_watch(gdyn_solver *v, const double *u, const double *row, bool slopes) {
    gdyn_solver_jumps *w = &v->jumps;
    size_t bytes = (size_t)v->variables * sizeof *u;
    double value = gdyn_solver_greatest(v, row), square = 0;
    if (!w->watched)
        return;
    /* The first trial may be asked for with slopes, too: its base is the point with slopes before
     * it, that of trials without slopes as well. */
    if (slopes) {
        memcpy(w->base, w->last, bytes);
        w->base_value = w->last_value, w->last_value = value;
        memcpy(w->last, u, bytes);
    }
    for (int i = 0; i < v->variables; i++)
        square += (u[i] - w->base[i]) * (u[i] - w->base[i]);
    double step = sqrt(square), change = fabs(value - w->base_value), quotient = change / step;
    bool grown = !slopes && step < SHORTER * w->step && quotient > GREATER * w->quotient;
    w->growing = grown ? w->growing + 1 : 0;
    w->step = step, w->quotient = quotient;
    /* What is bent, above all failures, is no jump. */
    w->jammed = w->growing >= TIMES && change > HEIGHT * v->task.tolerance &&
                fmax(value, w->base_value) < v->ceiling && w->found < MOST;
    if (!w->jammed)
        return;
    memcpy(w->last, u, bytes);
    w->last_value = value;
    if (v->opt)
        nlopt_force_stop(v->opt);
}

/* The goals at the base, but for u_i; NAN: the task is over. */
static double value_at(gdyn_solver *v, int i, double u_i) {
    memcpy(v->u, v->jumps.base, (size_t)v->variables * sizeof *v->u);
    v->u[i] = u_i;
    const double *row = gdyn_solver_look(v, v->u, false);
    return row ? gdyn_solver_greatest(v, row) : NAN;
}

/* The only variable whose change from the base to the last trial makes the jump alone; -1: none. */
static int jumping_variable(gdyn_solver *v, double *value) {
    const gdyn_solver_jumps *w = &v->jumps;
    int found = -1;
    for (int i = 0; i < v->variables; i++) {
        double there = w->last[i] == w->base[i] ? w->base_value : value_at(v, i, w->last[i]);
        if (!(fabs(there - w->base_value) > SHARE * fabs(w->last_value - w->base_value)))
            continue;
        if (found >= 0)
            return -1;
        found = i, *value = there;
    }
    return found;
}

/* Makes the jump a bound of its variable; v->u: the point of the base's line there. false: it is no
 * jump, or not one of a single variable. */
static bool bound_by_jump(gdyn_solver *v) {
    const gdyn_solver_jumps *w = &v->jumps;
    double here = w->base_value, there = 0;
    int i = jumping_variable(v, &there);
    if (i < 0)
        return false;
    double a = w->base[i], b = w->last[i], least = SHARE * fabs(there - here);
    while (fabs(b - a) > PLACE) {
        double middle = a + (b - a) / 2, value = value_at(v, i, middle);
        if (fabs(value - here) > fabs(there - value))
            b = middle, there = value;
        else
            a = middle, here = value;
        if (!(fabs(there - here) > least))
            return false;
    }
    bool from_below = (here <= there) == (a < b);
    if (from_below)
        v->u[i] = v->upper[i] = fmax(fmin(a, b) - AWAY, v->lower[i]);
    else
        v->u[i] = v->lower[i] = fmin(fmax(a, b) + AWAY, v->upper[i]);
    return true;
}

bool gdyn_solver_pass_jump(gdyn_solver *v) {
    gdyn_solver_jumps *w = &v->jumps;
    if (!w->jammed || v->over)
        return false;
    /* From a jump the task goes on with its whole budget. */
    long used = v->used;
    v->used = 0;
    w->jammed = w->watched = false;
    w->watched = bound_by_jump(v);
    if (!w->watched) {
        v->used += used;
        memcpy(v->u, w->base, (size_t)v->variables * sizeof *v->u);
    }
    w->found++;
    w->growing = 0, w->step = NAN;
    return !v->over;
}
