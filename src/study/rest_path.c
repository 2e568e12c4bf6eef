/* rest_path.c - the free coordinates of a path along which the applied forces hold what no drive
 * moves.
 *
 * From corner to corner of the path: splines through equilibria at equally spaced knots of distance
 * h. The second derivatives at the ends come from one-sided differences of order h^4, the others
 * from continuous first derivatives. */
#include "study/free_path.h"

#include "base/memory.h"
#include "trajectory/trajectory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The error at the knots between: below the first it is enough, above the second there is no smooth
 * motion. */
static const double FINE = 1e-9, COARSE = 1e-2;
/* One-sided differences at both ends take six knots. */
enum { FIRST_INTERVALS = 64, LEAST_INTERVALS = 8, MOST_INTERVALS = 4096 };

typedef struct quest {
    const gdyn_model *model;
    gdyn_path_def def; /* its points fixed */
    const gdyn_sink *sink;
    gdyn_arena *arena; /* owns the arrays */
    gdyn_trajectory t; /* of minimum weighted motion */
    gdyn_equilibrium *work;
    gdyn_state *first_pose; /* the equilibrium at the start */
    gdyn_state *state;      /* the one solved for last */
    gdyn_rest_path *found;
    int pieces;    /* between corners */
    int intervals; /* of the present knots, in each piece */
    /* pieces + 1: first knot of each; a corner is the last knot of one and the first one of the
     * next */
    int *first;
    double *end;       /* pieces + 1: p of the ends */
    double *p, *value; /* knots; knots x rows */
    double *bend;      /* knots x rows: second derivatives */
} quest;

static gdyn_status complain(const quest *q, gdyn_severity severity, const char *help,
                            const char *format, ...) {
    char place[200], what[300];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(place, sizeof place, "trajectories.%s.undriven", q->def.name);
    gdyn_diag_emit(q->sink, severity, place, help, GDYN_CODE_FREE "trajectory '%s': %s",
                   q->def.name, what);
    return GDYN_ERROR_INPUT;
}

/* --- splines -------------------------------------------------------------------------------- */

/* Second derivative at the first of equally spaced values, `step` apart in the array, times h^2;
 * order h^4. */
static double bend_at_end(const double *c, int step) {
    static const double weight[] = {45. / 12,   -154. / 12, 214. / 12,
                                    -156. / 12, 61. / 12,   -10. / 12};
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += weight[i] * c[i * step];
    return sum;
}

/* bend := second derivatives at `count` equally spaced values, h apart. ratio: count, workspace. */
static void bend_piece(int count, double h, const double *c, double *ratio, double *bend) {
    int last = count - 1;
    bend[0] = bend_at_end(c, 1), bend[last] = bend_at_end(c + last, -1);
    /* bend[i-1] + 4 bend[i] + bend[i+1] = 6 (c[i-1] - 2 c[i] + c[i+1]) between the ends, times
     * h^2 */
    ratio[0] = 0;
    for (int i = 1; i < last; i++) {
        double right = 6 * (c[i - 1] - 2 * c[i] + c[i + 1]) - bend[i - 1];
        double pivot = 4 - ratio[i - 1];
        if (i == last - 1)
            right -= bend[last];
        ratio[i] = 1 / pivot;
        bend[i] = right / pivot;
    }
    for (int i = last - 2; i > 0; i--)
        bend[i] -= ratio[i] * bend[i + 1];
    for (int i = 0; i < count; i++)
        bend[i] /= h * h;
}

/* Second derivatives of all splines. */
static gdyn_status bend_all(quest *q) {
    size_t knots = (size_t)q->found->knots, rows = (size_t)q->found->rows.count;
    double *ratio = gdyn_arena_doubles(q->arena, knots);
    q->bend = gdyn_arena_doubles(q->arena, knots * rows);
    for (size_t j = 0; ratio && q->bend && j < rows; j++)
        for (int k = 0; k < q->pieces; k++) {
            size_t at = knots * j + (size_t)q->first[k];
            int count = q->first[k + 1] - q->first[k];
            double h = (q->end[k + 1] - q->end[k]) / (count - 1);
            bend_piece(count, h, q->value + at, ratio, q->bend + at);
        }
    return ratio && q->bend ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* --- knots ---------------------------------------------------------------------------------- */

/* The ends of the pieces, and the intervals of the first knots: all points of a path without
 * corners are among these. */
static gdyn_status divide(quest *q) {
    double from = gdyn_path_p(q->t.path, 0), to = gdyn_path_p(q->t.path, q->def.points - 1);
    int corners = gdyn_path_corners(q->t.path);
    q->end = gdyn_arena_doubles(q->arena, (size_t)corners + 2);
    q->first = gdyn_arena_alloc(q->arena, (size_t)corners + 2, sizeof *q->first);
    if (!q->end || !q->first)
        return GDYN_ERROR_MEMORY;
    q->end[0] = from;
    for (int i = 0; i < corners; i++) {
        double p = gdyn_path_corner(q->t.path, i);
        if (p > q->end[q->pieces] && p < to)
            q->end[++q->pieces] = p;
    }
    q->end[++q->pieces] = to;
    q->intervals = q->pieces > 1 ? FIRST_INTERVALS / q->pieces + 1 : q->def.points - 1;
    while (q->intervals < (q->pieces > 1 ? LEAST_INTERVALS : FIRST_INTERVALS))
        q->intervals *= 2;
    return GDYN_OK;
}

/* Places the knots of that many intervals in each piece; room for values. */
static gdyn_status place_knots(quest *q) {
    int n = q->intervals + 1, count = q->pieces * n;
    q->found->knots = count;
    q->p = gdyn_arena_doubles(q->arena, (size_t)count);
    q->value = gdyn_arena_doubles(q->arena, (size_t)(count * q->found->rows.count));
    if (!q->p || !q->value)
        return GDYN_ERROR_MEMORY;
    for (int k = 0; k < q->pieces; k++) {
        double from = q->end[k], to = q->end[k + 1];
        q->first[k] = k * n;
        for (int i = 0; i < n; i++)
            q->p[k * n + i] = i == n - 1 ? to : from + (to - from) * i / (n - 1);
    }
    q->first[q->pieces] = count;
    return GDYN_OK;
}

/* The equilibrium at p from the one at `from`; coordinates nearest to those there. */
static gdyn_status solve_knot(quest *q, double from, double p, double *coordinate) {
    gdyn_equilibrium_info info;
    gdyn_status status = q->found->led && p > from
                             ? gdyn_equilibrium_advance(q->work, from, p, q->state, &info)
                             : gdyn_equilibrium_solve(q->work, p, q->state, &info);
    if (status != GDYN_OK)
        return status;
    if (!info.found)
        return complain(q, GDYN_ERROR, "end the path before it, or change its start",
                        "the equilibrium of the freedoms without drives ends at p = %.6g", p);
    if (info.stiffness < q->found->least) {
        q->found->least = info.stiffness;
        q->found->least_p = p;
    }
    q->found->led |= info.determined < info.left;
    gdyn_free_values(q->state, &q->def, &q->found->rows, coordinate, coordinate);
    return GDYN_OK;
}

/* Equilibria at the knots, from the first one on. */
static gdyn_status walk(quest *q) {
    gdyn_status status = GDYN_OK;
    int count = q->found->knots, rows = q->found->rows.count;
    double now[GDYN_FREE_MOST] = {0};
    gdyn_state_copy(q->state, q->first_pose);
    gdyn_free_values(q->state, &q->def, &q->found->rows, NULL, now);
    for (int i = 0; status == GDYN_OK && i < count; i++) {
        /* The same pose on both sides of a corner. */
        if (i == 0 || q->p[i] > q->p[i - 1])
            status = solve_knot(q, q->p[i > 0 ? i - 1 : 0], q->p[i], now);
        for (int j = 0; j < rows; j++)
            q->value[j * count + i] = now[j];
    }
    return status;
}

/* Knots and splines. Where balance no more determines the pose than at the start, the way is led
 * from there on. */
static gdyn_status solve_knots(quest *q) {
    gdyn_status status = place_knots(q);
    bool led = q->found->led;
    if (status == GDYN_OK)
        status = walk(q);
    if (status == GDYN_OK && !led && q->found->led)
        status = walk(q);
    return status == GDYN_OK ? bend_all(q) : status;
}

/* Distance of a spline's values from those of a row (rad, share of L). */
static double miss(const quest *q, int row, const gdyn_expr *spline, double *p) {
    const gdyn_free_row *r = &q->found->rows.row[row];
    double unit = gdyn_free_row_slides(r) ? gdyn_model_length(q->model) : 1, most = 0;
    for (int i = 0; i < q->found->knots; i++) {
        double value = q->value[row * q->found->knots + i];
        double error = fabs(gdyn_expr_value(spline, &q->p[i]) - value) / unit;
        if (error > most) {
            most = error;
            *p = q->p[i];
        }
    }
    return most;
}

/* Twice as many intervals, and how far the splines through half of them were from the others. */
static gdyn_status refine(quest *q) {
    int rows = q->found->rows.count, old = q->found->knots;
    double *p = q->p, *value = q->value, at = 0;
    gdyn_expr *spline[GDYN_FREE_MOST] = {NULL};
    gdyn_status status = GDYN_OK;
    for (int j = 0; status == GDYN_OK && j < rows; j++) {
        spline[j] = gdyn_expr_cubic(old, p, value + j * old, q->bend + j * old);
        status = spline[j] ? GDYN_OK : GDYN_ERROR_MEMORY;
    }
    q->intervals *= 2;
    q->found->error = 0;
    if (status == GDYN_OK)
        status = solve_knots(q);
    for (int j = 0; j < rows; j++) {
        double error = status == GDYN_OK ? miss(q, j, spline[j], &at) : 0;
        if (error > q->found->error) {
            q->found->error = error;
            q->found->error_p = at;
        }
        gdyn_expr_destroy(spline[j]);
    }
    return status;
}

/* --- the whole path ------------------------------------------------------------------------- */

/* The first equilibrium, from the pose of minimum weighted motion; the rows. */
static gdyn_status begin(quest *q) {
    const gdyn_track *track = q->t.track;
    gdyn_equilibrium_info info;
    q->first_pose = gdyn_state_clone(track->state[0]);
    q->state = gdyn_state_clone(track->state[0]);
    q->work = gdyn_equilibrium_create(q->model, q->t.path);
    if (!q->first_pose || !q->state || !q->work)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = gdyn_equilibrium_search(q->work, track->p[0], q->first_pose, &info);
    if (status != GDYN_OK)
        return status;
    if (info.undriven == 0)
        return complain(q, GDYN_ERROR, "leave undriven out", "every freedom has a drive");
    if (info.left < info.undriven)
        return complain(q, GDYN_ERROR, "prescribe less, or add drives",
                        "%d freedom%s no drive, but the path leaves %d coordinates free",
                        info.undriven, info.undriven == 1 ? " has" : "s have", info.left);
    if (!info.found)
        return complain(q, GDYN_ERROR, "move the path or the first guess, or add a drive",
                        "no equilibrium of the freedoms without drives was found at p = %.6g",
                        track->p[0]);
    q->found->led = info.determined < info.left;
    status = gdyn_free_rows_choose(q->model, &q->def, track, &q->found->rows);
    if (status == GDYN_OK && q->found->rows.count < track->rates[0].freedom)
        return complain(
            q, GDYN_ERROR, "prescribe more, or add joints",
            "no coordinates were found that determine what is left free along the path");
    return status;
}

/* Knots until the splines are good enough, and what is to be told of them. */
static gdyn_status find_knots(quest *q) {
    gdyn_rest_path *f = q->found;
    gdyn_status status = divide(q);
    if (status == GDYN_OK)
        status = solve_knots(q);
    do {
        if (status == GDYN_OK)
            status = refine(q);
    } while (status == GDYN_OK && f->error > FINE && f->knots <= MOST_INTERVALS);
    if (status != GDYN_OK)
        return status;
    if (f->error > COARSE)
        return complain(q, GDYN_ERROR, "divide the path there",
                        "the equilibrium of the freedoms without drives jumps near p = %.6g",
                        f->error_p);
    if (f->error > FINE)
        complain(
            q, GDYN_WARNING, "a corner of the path or a pose near a singular one may be there",
            "between %d knots the equilibrium is satisfied to %.2g (rad, share of the length), "
            "worst near "
            "p = %.6g",
            f->knots, f->error, f->error_p);
    if (f->least < GDYN_EQUILIBRIUM_UNSTABLE)
        complain(q, GDYN_WARNING, "the machine leaves it when it is disturbed",
                 "the equilibrium of the freedoms without drives is unstable, most at p = %.6g",
                 f->least_p);
    return GDYN_OK;
}

gdyn_status gdyn_rest_path_find(const gdyn_model *model, const gdyn_path_def *def,
                                const gdyn_sink *sink, gdyn_rest_path *found) {
    quest q = {.model = model, .def = *def, .sink = sink, .found = found};
    *found = (gdyn_rest_path){.least = INFINITY};
    q.def.tolerance = 0;
    q.arena = gdyn_arena_create();
    gdyn_status status = gdyn_trajectory_open_path(&q.t, model, &q.def, NULL);
    bool path = status == GDYN_OK;
    if (path)
        status = gdyn_trajectory_take(&q.t, GDYN_PASS_FOLLOW);
    if (path && status == GDYN_OK && q.t.track->status[0] != GDYN_POINT_UNASSEMBLED) {
        status = begin(&q);
        if (status == GDYN_OK)
            status = find_knots(&q);
        if (status == GDYN_OK)
            status = gdyn_free_path_make(def, &found->rows, found->knots, q.p, q.value, q.bend,
                                         &found->path);
        found->found = status == GDYN_OK;
    }
    gdyn_equilibrium_destroy(q.work);
    gdyn_state_destroy(q.first_pose), gdyn_state_destroy(q.state);
    gdyn_trajectory_close(&q.t);
    gdyn_arena_destroy(q.arena);
    /* Faults of the path itself are reported where it is used. */
    return path ? status : GDYN_OK;
}
