/* shift.c - see projection.h. Projections are done twice, because what is left is small. */
#include "access/projection.h"

#include "linalg/dot.h"

#include <stddef.h>
#include <string.h>

/* Greatest alpha and beta, in units in which the greatest a, b and d are near 1. Where d lies
 * nearly along V they are greater: z' would be large numbers of opposite signs. */
#define STEEP 16

/* A load of one power of d1 and the bounds of its errors, as members of a row. */
typedef struct load {
    size_t number, error;
} load;

static const load quadratic = {offsetof(gdyn_limit_row, a), offsetof(gdyn_limit_row, a_error)};
static const load linear = {offsetof(gdyn_limit_row, b), offsetof(gdyn_limit_row, b_error)};

static double *member(gdyn_problem *p, int i, size_t offset) {
    return (double *)(void *)((char *)&p->row[i] + offset);
}

/* x without its part along the columns of V. */
static void remove_basis(const gdyn_problem *p, double *x) {
    for (int j = 0; j < p->r; j++) {
        double dot = 0;
        for (int i = 0; i < p->k; i++)
            dot += p->V[i * p->r + j] * x[i];
        for (int i = 0; i < p->k; i++)
            x[i] -= dot * p->V[i * p->r + j];
    }
}

/* The part of d at right angles to V: a unit vector (k) and its length; zero where it is
 * rounding. */
typedef struct direction {
    double *unit;
    double length;
} direction;

/* d without its part along V: the direction in which d2 moves the rows freely. */
static void find_direction(gdyn_problem *p, direction *to) {
    double error = 0, whole = 0;
    for (int i = 0; i < p->k; i++) {
        to->unit[i] = p->row[i].d;
        error += p->row[i].d_error * p->row[i].d_error;
        whole += to->unit[i] * to->unit[i];
    }
    /* twice: what is left may be small */
    remove_basis(p, to->unit);
    remove_basis(p, to->unit);
    to->length = gdyn_norm(p->k, to->unit);
    /* within its error there is no such direction */
    bool none = !(to->length > fmax(sqrt(error), GDYN_ACCESS_ZERO * sqrt(whole)));
    for (int i = 0; i < p->k; i++)
        to->unit[i] = none ? 0 : to->unit[i] / to->length;
    to->length = none ? 0 : to->length;
}

/* Bounds of the errors of the rows (k) after the projection. */
static void spread_errors(const gdyn_problem *p, const direction *d, double *error) {
    double *before = p->rest + 3 * p->k;
    memcpy(before, error, (size_t)p->k * sizeof *before);
    /* |error| spreads over every projection: the columns of V, then the direction itself */
    for (int j = 0; j <= p->r; j++) {
        double sum = 0;
        for (int i = 0; i < p->k; i++)
            sum += fabs(j < p->r ? p->V[i * p->r + j] : d->unit[i]) * before[i];
        for (int i = 0; i < p->k; i++)
            error[i] += sum * fabs(j < p->r ? p->V[i * p->r + j] : d->unit[i]);
    }
}

/* alpha of a load, with the rest in p->rest + k. */
static double split(gdyn_problem *p, const direction *d, load of) {
    double *rest = p->rest + p->k, alpha = 0;
    /* the load without its part along V and along the direction */
    for (int i = 0; i < p->k; i++)
        rest[i] = *member(p, i, of.number);
    for (int pass = 0; pass < 2; pass++) {
        remove_basis(p, rest);
        /* alpha = its part along the direction, per d2 */
        double part = gdyn_dot(p->k, d->unit, rest);
        for (int i = 0; i < p->k; i++)
            rest[i] -= part * d->unit[i];
        alpha += d->length > 0 ? part / d->length : 0;
    }
    return alpha;
}

/* Takes the load out when nothing but rounding is left of it. */
static void take_out(gdyn_problem *p, const direction *d, load of, double *shift,
                     double *shift_error) {
    double alpha = split(p, d, of), along = 0;
    const double *rest = p->rest + p->k;
    double *error = p->rest + 2 * p->k;
    if (fabs(alpha) > STEEP)
        return;
    /* errors of the load and of d, and what of them lies along d */
    for (int i = 0; i < p->k; i++)
        error[i] = *member(p, i, of.error) + fabs(alpha) * p->row[i].d_error;
    for (int i = 0; i < p->k; i++)
        along += fabs(d->unit[i]) * error[i];
    spread_errors(p, d, error);
    /* the load lies along d and V within its errors: nothing of it remains */
    for (int i = 0; i < p->k; i++)
        if (fabs(rest[i]) > error[i])
            return;
    for (int i = 0; i < p->k; i++)
        *member(p, i, of.number) = 0;
    *shift = alpha;
    *shift_error = d->length > 0 ? along / d->length : 0;
}

/* Takes a common parabola alpha d1^2 + beta d1 out of d2: the rest of the loads is least. */
void gdyn_problem_shift(gdyn_problem *p) {
    direction d = {p->rest, 0};
    find_direction(p, &d);
    take_out(p, &d, quadratic, &p->shift.a, &p->shift_error.a);
    if (!p->even)
        take_out(p, &d, linear, &p->shift.b, &p->shift_error.b);
}
