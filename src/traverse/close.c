/* close.c - the coefficients at places of a path that lie close together.
 *
 * Of blocks of fifteen steps from place to place, or fewer up to a knot of the path, four places,
 * the nodes, are evaluated. Through them leads a polynomial of degree three in the parameter for
 * every coefficient, limit and speed. What the third degree adds is an upper estimate of its error:
 * where it may change a force, a limit or a share of a speed limit by more than 1e-9 of half a
 * range, every place is evaluated. So it is with redundant drives (the columns of V have no
 * continuous basis), beside stops and breaks of the path, and where the machine cannot be. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* A B C D min max, slopes of both, speeds: of every row; d1_low, 1 / d1_high, their windows. */
enum { STEPS = 15, FEWEST_STEPS = 6, NODES = 4, KINDS = 9, SINGLE = 4 };
static const double ALLOWED = 1e-9;
/* Largest share of the path in a block: what is narrower than a third of it may be missed. */
static const double CLOSE = 1e-3;
/* Knots this near to the end of a block, as a share of the path, are that end. */
static const double AT_END = 1e-9;

struct gdyn_close_rows {
    gdyn_arena *arena;
    gdyn_path_dynamics *dynamics;
    int k;                 /* rows */
    int from, to;          /* places of the block */
    bool smooth;           /* the block is interpolated */
    double p[NODES];       /* of the nodes */
    double *number[NODES]; /* of the nodes, then their divided differences */
    double *now, *unit, *speed;
    gdyn_coefficients q;
};

gdyn_close_rows *gdyn_close_rows_create(gdyn_path_dynamics *dynamics) {
    gdyn_arena *arena;
    gdyn_close_rows *c = gdyn_arena_begin(&arena, sizeof *c);
    if (!c)
        return NULL;
    size_t rows = (size_t)gdyn_path_dynamics_rows(dynamics), size = KINDS * rows + SINGLE;
    c->arena = arena;
    c->dynamics = dynamics;
    for (int i = 0; i < NODES; i++)
        c->number[i] = gdyn_arena_doubles(arena, size);
    c->now = gdyn_arena_doubles(arena, size);
    c->unit = gdyn_arena_doubles(arena, rows);
    int drives = dynamics->machine ? gdyn_model_drives(dynamics->machine->model) : 0;
    c->speed = gdyn_arena_doubles(arena, (size_t)drives);
    if (!gdyn_arena_failed(arena))
        return c;
    gdyn_close_rows_destroy(c);
    return NULL;
}

void gdyn_close_rows_destroy(gdyn_close_rows *c) {
    if (c)
        gdyn_arena_destroy(c->arena);
}

/* The numbers of node i; false where they cannot be interpolated. */
static bool take_node(gdyn_close_rows *c, int i, const gdyn_coefficients *q) {
    const double *from[] = {q->A, q->B, q->C, q->D, q->min, q->max, q->min_slope, q->max_slope};
    size_t k = (size_t)q->k;
    double *to = c->number[i], *single = to + KINDS * k;
    if (q->r > 0 || q->equalities > 0 || (i > 0 && q->k != c->k))
        return false;
    c->k = q->k;
    for (size_t j = 0; j < KINDS - 1; j++)
        if (from[j])
            memcpy(to + j * k, from[j], k * sizeof *to);
        else
            memset(to + j * k, 0, k * sizeof *to);
    gdyn_path_dynamics_row_speeds(c->dynamics, q->k, c->speed, to + (KINDS - 1) * k);
    single[0] = q->d1_low, single[1] = 1 / q->d1_high;
    single[2] = q->d1_low_window, single[3] = q->d1_high_window;
    gdyn_force_units(q, c->unit);
    return true;
}

/* Divided differences of every number; false where it is not finite, or a window, and changes. */
static bool difference(gdyn_close_rows *c) {
    int count = KINDS * c->k + SINGLE;
    for (int i = 0; i < count; i++) {
        double **n = c->number, first = n[0][i];
        bool same = true;
        for (int j = 1; j < NODES; j++)
            same &= n[j][i] == first || (isnan(n[j][i]) && isnan(first));
        for (int d = 1; d < NODES; d++)
            for (int j = NODES - 1; j >= d; j--)
                n[j][i] = same ? 0 : (n[j][i] - n[j - 1][i]) / (c->p[j] - c->p[j - d]);
        if (!same && (!isfinite(n[NODES - 1][i]) || i >= count - 2))
            return false;
    }
    return true;
}

/* What the third degree adds to any of the places is small. */
static bool accurate(const gdyn_close_rows *c, const gdyn_sample *sample) {
    double d1 = 0, d2 = 0, most = 0;
    for (int i = c->from; i <= c->to; i++) {
        double p = sample[i].p, product = (p - c->p[0]) * (p - c->p[1]) * (p - c->p[2]);
        d1 = fmax(d1, fabs(sample[i].d1));
        d2 = fmax(d2, fabs(sample[i].d2));
        most = fmax(most, fabs(product));
    }
    const double *e = c->number[NODES - 1], factor[] = {d1 * d1, d1, 1, d2, 1, 1, d1, d1, 0};
    for (int i = 0; i < c->k; i++) {
        double error = 0;
        for (int j = 0; j < KINDS; j++)
            error += factor[j] > 0 ? fabs(e[j * c->k + i]) * factor[j] : 0;
        if (!(error * most <= ALLOWED * c->unit[i]))
            return false;
    }
    const double *single = e + KINDS * c->k, low = c->number[0][KINDS * c->k];
    return fabs(single[0]) * most <= ALLOWED * low && fabs(single[1]) * d1 * most <= ALLOWED;
}

/* The block that begins with place i. */
static gdyn_status begin_block(gdyn_close_rows *c, int count, const gdyn_sample *sample, int i) {
    gdyn_status status = GDYN_OK;
    double way = gdyn_path_dynamics_last(c->dynamics) - gdyn_path_dynamics_first(c->dynamics);
    int steps = STEPS;
    c->from = i, c->to = i + STEPS;
    c->smooth =
        c->dynamics->machine && c->to < count && sample[c->to].p - sample[i].p <= CLOSE * way;
    /* up to the first knot; what jumps there shows in what the third degree adds */
    double near = AT_END * way, end = c->smooth ? sample[c->to].p : 0;
    if (c->smooth && !gdyn_path_dynamics_travels(c->dynamics))
        end = gdyn_path_next_break(c->dynamics->machine->path, sample[i].p, end);
    while (c->smooth && steps >= FEWEST_STEPS && sample[i + steps].p > end + near)
        steps--;
    c->to = i + steps;
    c->smooth = c->smooth && steps >= FEWEST_STEPS &&
                !gdyn_path_dynamics_bends(c->dynamics, sample[i].p, sample[c->to].p, -near);
    for (int j = 0; j < NODES && c->smooth; j++) {
        const gdyn_coefficients *q;
        gdyn_point_status found = GDYN_POINT_UNASSEMBLED;
        c->p[j] = sample[i + (j * steps + 1) / (NODES - 1)].p;
        if (j == 0 || c->p[j] > c->p[j - 1])
            status = gdyn_path_dynamics_at(c->dynamics, c->p[j], &q, &found);
        c->smooth = status == GDYN_OK && found == GDYN_POINT_OK && take_node(c, j, q);
    }
    c->smooth = c->smooth && difference(c) && accurate(c, sample);
    return status;
}

gdyn_status gdyn_close_rows_at(gdyn_close_rows *c, int count, const gdyn_sample *sample, int i,
                               const gdyn_coefficients **q, const double **speed,
                               gdyn_point_status *found) {
    double p = sample[i].p, *now = c->now, **n = c->number;
    gdyn_status status = i == 0 || i >= c->to ? begin_block(c, count, sample, i) : GDYN_OK;
    int k = c->k;
    if (!c->smooth) {
        status = status == GDYN_OK ? gdyn_path_dynamics_at(c->dynamics, p, q, found) : status;
        *speed = now;
        if (status == GDYN_OK && *found == GDYN_POINT_OK)
            gdyn_path_dynamics_row_speeds(c->dynamics, (*q)->k, c->speed, now);
        return status;
    }
    for (int j = 0; j < KINDS * k + SINGLE; j++)
        now[j] = n[0][j] +
                 (p - c->p[0]) * (n[1][j] + (p - c->p[1]) * (n[2][j] + (p - c->p[2]) * n[3][j]));
    const double *single = now + KINDS * k;
    c->q = (gdyn_coefficients){.k = k,
                               .A = now,
                               .B = now + k,
                               .C = now + 2 * k,
                               .D = now + 3 * k,
                               .min = now + 4 * k,
                               .max = now + 5 * k,
                               .min_slope = now + 6 * k,
                               .max_slope = now + 7 * k,
                               .d1_low = single[0],
                               .d1_high = 1 / single[1],
                               .d1_low_window = (int)single[2],
                               .d1_high_window = (int)single[3]};
    *q = &c->q;
    *speed = now + 8 * k;
    *found = GDYN_POINT_OK;
    return GDYN_OK;
}
