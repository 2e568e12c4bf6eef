/* close.c - the coefficients at places of a path that lie close together.
 *
 * In blocks of ten steps from place to place the first, the middle and the last place are
 * evaluated. Through them, and the middle of the block before, lead polynomials of degree three in
 * the parameter, one for every coefficient, limit and speed. What the third degree adds is an upper
 * estimate of their error: where it may change a force, a limit or a share of a speed limit by more
 * than 1e-9 of half a range, every place of the block is evaluated. So it is with redundant drives
 * (the columns of V have no continuous basis), beside stops, breaks and knots of the path, and where
 * the machine cannot be. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

enum { HALF = 5, KINDS = 9, NODES = 4 };
static const double ALLOWED = 1e-9;

typedef struct node {
    double p;
    bool known;     /* numbers are those of p, and may be interpolated */
    int window[2];  /* of d1_low, d1_high */
    double *number; /* KINDS k + 2: A B C D min max, slopes of both, speeds; d1_low, 1 / d1_high */
} node;

struct gdyn_close_rows {
    gdyn_path_dynamics *dynamics;
    int k, drives;
    node node[NODES];     /* first, middle, last place of the block, middle of the one before */
    int from, to;         /* places of the block; to 0: none */
    bool smooth;          /* the block is interpolated */
    double *slope[NODES]; /* divided differences of the numbers */
    double *number, *unit, *speed; /* those of the present place; of drives */
    gdyn_coefficients now;
    double *store;
};

gdyn_close_rows *gdyn_close_rows_create(gdyn_path_dynamics *dynamics) {
    gdyn_close_rows *c = gdyn_alloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->dynamics = dynamics;
    c->k = gdyn_path_dynamics_rows(dynamics);
    c->drives = dynamics->machine ? gdyn_model_drives(dynamics->machine->model) : 0;
    size_t size = (size_t)(KINDS * c->k + 2), rest = (size_t)(c->k + c->drives) + 1;
    c->store = gdyn_alloc((2 * NODES + 1) * size + rest, sizeof *c->store);
    for (int i = 0; c->store && i < NODES; i++) {
        c->node[i].number = c->store + (size_t)i * size;
        c->slope[i] = c->store + (size_t)(NODES + i) * size;
    }
    c->number = c->store + 2 * NODES * size;
    c->unit = c->number + size;
    c->speed = c->unit + c->k;
    if (c->store)
        return c;
    gdyn_close_rows_destroy(c);
    return NULL;
}

void gdyn_close_rows_destroy(gdyn_close_rows *c) {
    if (!c)
        return;
    gdyn_free(c->store);
    gdyn_free(c);
}

static gdyn_status evaluate(gdyn_close_rows *c, double p, node *to) {
    const gdyn_coefficients *q;
    gdyn_point_status found;
    gdyn_status status = gdyn_path_dynamics_at(c->dynamics, p, &q, &found);
    to->p = p;
    to->known = status == GDYN_OK && found == GDYN_POINT_OK && q->r == 0 && q->equalities == 0 &&
                q->k <= c->k;
    if (!to->known)
        return status;
    const double *from[] = {q->A, q->B, q->C, q->D, q->min, q->max, q->min_slope, q->max_slope};
    size_t k = (size_t)q->k;
    for (int i = 0; i < KINDS - 1; i++)
        if (from[i])
            memcpy(to->number + (size_t)i * k, from[i], k * sizeof *to->number);
        else
            memset(to->number + (size_t)i * k, 0, k * sizeof *to->number);
    gdyn_path_dynamics_row_speeds(c->dynamics, q->k, c->speed, to->number + (KINDS - 1) * k);
    to->number[KINDS * k] = q->d1_low;
    to->number[KINDS * k + 1] = 1 / q->d1_high;
    to->window[0] = q->d1_low_window;
    to->window[1] = q->d1_high_window;
    c->now = *q;
    return status;
}

/* Divided differences of every number over the nodes; false where a number is not finite and not
 * the same at all. */
static bool difference(gdyn_close_rows *c, int count) {
    const node *n = c->node;
    for (int i = 0; i < count; i++) {
        double value[NODES];
        bool same = true;
        for (int j = 0; j < NODES; j++) {
            value[j] = n[j].number[i];
            same &= value[j] == value[0] || (isnan(value[j]) && isnan(value[0]));
        }
        for (int d = 1; d < NODES; d++)
            for (int j = NODES - 1; j >= d; j--)
                value[j] = same ? 0 : (value[j] - value[j - 1]) / (n[j].p - n[j - d].p);
        for (int j = 0; j < NODES; j++) {
            c->slope[j][i] = value[j];
            if (!same && !isfinite(value[j]))
                return false;
        }
    }
    return true;
}

/* A place where the coefficients may bend lies in from..to. */
static bool bends(const gdyn_path_dynamics *d, double from, double to) {
    bool any = false;
    for (int i = 0; i < d->stops; i++)
        any |= d->stop[i] >= from && d->stop[i] <= to;
    for (int i = 0; i < gdyn_path_dynamics_breaks(d); i++)
        any |= gdyn_path_dynamics_break(d, i) >= from && gdyn_path_dynamics_break(d, i) <= to;
    for (int i = 0; i < gdyn_path_dynamics_knots(d) && !any; i++)
        any |= gdyn_path_dynamics_knot(d, i) >= from && gdyn_path_dynamics_knot(d, i) <= to;
    return any;
}

/* What the third degree adds to any of the places is small. */
static bool accurate(gdyn_close_rows *c, const gdyn_sample *sample) {
    int k = c->now.k;
    double d1 = 0, d2 = 0, most = 0;
    for (int i = c->from; i <= c->to; i++) {
        double p = sample[i].p;
        d1 = fmax(d1, fabs(sample[i].d1));
        d2 = fmax(d2, fabs(sample[i].d2));
        most = fmax(most, fabs((p - c->node[0].p) * (p - c->node[1].p) * (p - c->node[2].p)));
    }
    const double *e = c->slope[NODES - 1], factor[] = {d1 * d1, d1, 1, d2, 1, 1, d1, d1, 0};
    gdyn_force_units(&c->now, c->unit);
    for (int i = 0; i < k; i++) {
        double error = 0;
        for (int j = 0; j < KINDS; j++)
            error += factor[j] > 0 ? fabs(e[j * k + i]) * factor[j] : 0;
        if (!(error * most <= ALLOWED * c->unit[i]))
            return false;
    }
    double low = fabs(e[KINDS * k]), high = fabs(e[KINDS * k + 1]) * d1;
    return low * most <= ALLOWED * c->node[0].number[KINDS * k] && high * most <= ALLOWED;
}

/* The block that begins with place i. */
static gdyn_status begin_block(gdyn_close_rows *c, int count, const gdyn_sample *sample, int i) {
    node *n = c->node, spare = n[3];
    bool goes_on = c->to == i && c->to > 0 && n[2].p == sample[i].p;
    c->from = i;
    c->to = i + 2 * HALF;
    c->smooth = false;
    if (!c->dynamics->machine || c->to >= count)
        return GDYN_OK;
    /* the middle and the end of the block before are known */
    n[3] = n[1], n[1] = spare;
    spare = n[0], n[0] = n[2], n[2] = spare;
    n[3].known &= goes_on;
    double p[] = {sample[i].p, sample[i + HALF].p, sample[i + 2 * HALF].p};
    bool apart = p[0] < p[1] && p[1] < p[2];
    gdyn_status status = GDYN_OK;
    for (int j = goes_on ? 1 : 0; j < 3 && status == GDYN_OK; j++) {
        n[j].known = false;
        if (apart && (j == 0 || n[j - 1].known))
            status = evaluate(c, p[j], &n[j]);
    }
    bool all = apart && status == GDYN_OK;
    for (int j = 0; j < NODES; j++)
        all = all && n[j].known && n[j].window[0] == n[0].window[0] &&
              n[j].window[1] == n[0].window[1];
    c->smooth = all && !bends(c->dynamics, n[3].p, n[2].p) && difference(c, KINDS * c->now.k + 2) &&
                accurate(c, sample);
    return status;
}

gdyn_status gdyn_close_rows_at(gdyn_close_rows *c, int count, const gdyn_sample *sample, int i,
                               const gdyn_coefficients **q, const double **speed,
                               gdyn_point_status *found) {
    gdyn_status status = GDYN_OK;
    if (i == 0 || i >= c->to)
        status = begin_block(c, count, sample, i);
    double p = sample[i].p, *number = c->number;
    int k = c->now.k;
    if (status != GDYN_OK || !c->smooth) {
        status = status == GDYN_OK ? gdyn_path_dynamics_at(c->dynamics, p, q, found) : status;
        *speed = number;
        if (status == GDYN_OK && *found == GDYN_POINT_OK)
            gdyn_path_dynamics_row_speeds(c->dynamics, (*q)->k, c->speed, number);
        return status;
    }
    double a = p - c->node[0].p, b = p - c->node[1].p, d = p - c->node[2].p;
    for (int j = 0; j < KINDS * k + 2; j++)
        number[j] =
            c->slope[0][j] + a * (c->slope[1][j] + b * (c->slope[2][j] + d * c->slope[3][j]));
    gdyn_coefficients *now = &c->now;
    *now = (gdyn_coefficients){.k = k,
                               .A = number,
                               .B = number + k,
                               .C = number + 2 * k,
                               .D = number + 3 * k,
                               .min = number + 4 * k,
                               .max = number + 5 * k,
                               .min_slope = number + 6 * k,
                               .max_slope = number + 7 * k,
                               .d1_low = number[KINDS * k],
                               .d1_high = 1 / number[KINDS * k + 1],
                               .d1_low_window = c->node[0].window[0],
                               .d1_high_window = c->node[0].window[1]};
    *q = now;
    *speed = number + 8 * k;
    *found = GDYN_POINT_OK;
    return GDYN_OK;
}
