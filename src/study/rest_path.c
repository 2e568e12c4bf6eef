/* rest_path.c - the free coordinates of a path along which the applied forces hold what no drive moves.
 *
 * Splines through equilibria at equally spaced knots of distance h. The second derivatives at the ends come from one-sided
 * differences of order h^4; a further knot beyond each end turns the natural spline of the tables into that one. */
#include "study/rest_path.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The error at the knots between: below the first it is enough, above the second there is no smooth motion. */
static const double FINE = 1e-9, COARSE = 1e-2;
enum { FIRST_INTERVALS = 64, MOST_INTERVALS = 4096 };

typedef struct quest {
    const gdyn_model *model;
    gdyn_path_def def; /* its points fixed */
    const gdyn_sink *sink;
    gdyn_path *path;
    gdyn_equilibrium *work;
    gdyn_state *first; /* the equilibrium at the start */
    gdyn_state *state; /* the one solved for last */
    gdyn_rest_path *found;
    double *p, *value; /* knots; knots x rows */
} quest;

static gdyn_status complain(const quest *q, gdyn_severity severity, const char *help,
                            const char *format, ...) {
    char place[200], what[300];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(place, sizeof place, "trajectories.%s.undriven", q->def.name);
    gdyn_diag_emit(q->sink, severity, place, help, "trajectory '%s': %s", q->def.name, what);
    return GDYN_ERROR_INPUT;
}

/* --- splines ------------------------------------------------------------------------------------ */

/* Second derivative at the first of equally spaced values, `step` apart in the array, times h^2; order h^4. */
static double bend_at_end(const double *c, int step) {
    static const double weight[] = {45. / 12,   -154. / 12, 214. / 12,
                                    -156. / 12, 61. / 12,   -10. / 12};
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += weight[i] * c[i * step];
    return sum;
}

/* out (count + 2) := the values with one more beyond each end, so that the natural spline through all has the second
 * derivatives of one-sided differences at the ends. work: 2 count. */
static void extend(int count, const double *c, double *work, double *out) {
    double *bend = work, *ratio = work + count; /* second derivatives times h^2 */
    int last = count - 1;
    bend[0] = bend_at_end(c, 1);
    bend[last] = bend_at_end(c + last, -1);
    /* bend[i-1] + 4 bend[i] + bend[i+1] = 6 (c[i-1] - 2 c[i] + c[i+1]) between the ends */
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
    /* the same condition at each end, the bend beyond it zero */
    memcpy(out + 1, c, (size_t)count * sizeof *out);
    out[0] = 2 * c[0] - c[1] + (4 * bend[0] + bend[1]) / 6;
    out[count + 1] = 2 * c[last] - c[last - 1] + (4 * bend[last] + bend[last - 1]) / 6;
}

/* Knots and values with those beyond the ends. To be freed. */
static gdyn_status extend_all(const quest *q, double **p, double **value) {
    int count = q->found->knots, rows = q->found->rows.count;
    size_t room = (size_t)count + 2;
    double *work = gdyn_alloc(2 * room, sizeof *work);
    *p = gdyn_alloc(room, sizeof **p);
    *value = gdyn_alloc(room * (size_t)(rows + 1), sizeof **value);
    if (!work || !*p || !*value) {
        gdyn_free(work);
        return GDYN_ERROR_MEMORY;
    }
    memcpy(*p + 1, q->p, (size_t)count * sizeof **p);
    (*p)[0] = 2 * q->p[0] - q->p[1];
    (*p)[count + 1] = 2 * q->p[count - 1] - q->p[count - 2];
    for (int j = 0; j < rows; j++)
        extend(count, q->value + (size_t)j * (size_t)count, work, *value + (size_t)j * room);
    gdyn_free(work);
    return GDYN_OK;
}

/* --- knots --------------------------------------------------------------------------------------- */

/* The equilibrium at p from the one before; coordinates nearest to `near`. */
static gdyn_status solve_knot(quest *q, double p, const double *near, double *coordinate) {
    gdyn_equilibrium_info info;
    gdyn_status status = gdyn_equilibrium_solve(q->work, p, q->state, &info);
    if (status != GDYN_OK)
        return status;
    if (!info.found)
        return complain(q, GDYN_ERROR, "end the path before it, or change its start",
                        "the equilibrium of what no drive moves ends at p = %.6g", p);
    if (info.stiffness < q->found->least) {
        q->found->least = info.stiffness;
        q->found->least_p = p;
    }
    gdyn_free_values(q->state, &q->def, &q->found->rows, near, coordinate);
    return GDYN_OK;
}

/* The knots that all points of the path are among. */
static gdyn_status first_knots(quest *q) {
    int intervals = q->def.points - 1, rows = q->found->rows.count;
    while (intervals < FIRST_INTERVALS)
        intervals *= 2;
    int count = q->found->knots = intervals + 1;
    double now[GDYN_FREE_MOST], from = gdyn_path_p(q->path, 0);
    double to = gdyn_path_p(q->path, q->def.points - 1);
    q->p = gdyn_alloc((size_t)count, sizeof *q->p);
    q->value = gdyn_alloc((size_t)(count * rows), sizeof *q->value);
    gdyn_status status = q->p && q->value ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; status == GDYN_OK && i < count; i++) {
        q->p[i] = i == count - 1 ? to : from + (to - from) * i / (count - 1);
        status = solve_knot(q, q->p[i], i > 0 ? now : NULL, now);
        for (int j = 0; j < rows; j++)
            q->value[j * count + i] = now[j];
    }
    return status;
}

/* Distance of the splines from a solved knot (rad, share of L). */
static double miss(const quest *q, gdyn_expr *const *spline, double p, const double *now) {
    double most = 0;
    for (int j = 0; j < q->found->rows.count; j++) {
        const gdyn_free_row *row = &q->found->rows.row[j];
        bool slides = row->joint >= 0 && gdyn_freedom_slides(row->freedom);
        double unit = slides ? gdyn_model_length(q->model) : 1;
        most = fmax(most, fabs(gdyn_expr_value(spline[j], &p) - now[j]) / unit);
    }
    return most;
}

/* Solves between the knots, compares with the splines through these, and adds them. */
static gdyn_status fill(quest *q, gdyn_expr *const *spline, double *p, double *value) {
    int old = q->found->knots, count = 2 * old - 1, rows = q->found->rows.count;
    double now[GDYN_FREE_MOST];
    gdyn_status status = GDYN_OK;
    gdyn_state_copy(q->state, q->first);
    for (int i = 0; status == GDYN_OK && i < count; i++) {
        p[i] = i % 2 == 0 ? q->p[i / 2] : 0.5 * (q->p[i / 2] + q->p[i / 2 + 1]);
        for (int j = 0; j < rows && i % 2 == 0; j++)
            value[j * count + i] = now[j] = q->value[j * old + i / 2];
        if (i % 2 == 0)
            continue;
        status = solve_knot(q, p[i], now, now);
        double error = miss(q, spline, p[i], now);
        for (int j = 0; j < rows; j++)
            value[j * count + i] = now[j];
        if (error > q->found->error) {
            q->found->error = error;
            q->found->error_p = p[i];
        }
    }
    return status;
}

/* Twice as many intervals. */
static gdyn_status refine(quest *q) {
    int count = 2 * q->found->knots - 1, rows = q->found->rows.count;
    double *p = gdyn_alloc((size_t)count, sizeof *p), *pe = NULL, *ve = NULL;
    double *value = gdyn_alloc((size_t)(count * rows), sizeof *value);
    gdyn_expr *spline[GDYN_FREE_MOST] = {NULL};
    gdyn_status status = p && value ? extend_all(q, &pe, &ve) : GDYN_ERROR_MEMORY;
    int room = q->found->knots + 2;
    for (int j = 0; status == GDYN_OK && j < rows; j++) {
        spline[j] = gdyn_expr_table(room, pe, ve + j * room, true);
        status = spline[j] ? GDYN_OK : GDYN_ERROR_MEMORY;
    }
    q->found->error = 0;
    if (status == GDYN_OK)
        status = fill(q, spline, p, value);
    for (int j = 0; j < rows; j++)
        gdyn_expr_destroy(spline[j]);
    gdyn_free(pe);
    gdyn_free(ve);
    if (status != GDYN_OK) {
        gdyn_free(p);
        gdyn_free(value);
        return status;
    }
    gdyn_free(q->p);
    gdyn_free(q->value);
    q->p = p;
    q->value = value;
    q->found->knots = count;
    return GDYN_OK;
}

/* --- the whole path ------------------------------------------------------------------------------ */

/* The first equilibrium, from the pose of least weighted motion. */
static gdyn_status begin(quest *q, const gdyn_track *track) {
    gdyn_equilibrium_info info;
    q->first = gdyn_state_clone(track->state[0]);
    q->state = gdyn_state_clone(track->state[0]);
    q->work = gdyn_equilibrium_create(q->model, q->path);
    if (!q->first || !q->state || !q->work)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = gdyn_equilibrium_search(q->work, track->p[0], q->first, &info);
    if (status != GDYN_OK)
        return status;
    if (info.undriven == 0)
        return complain(q, GDYN_ERROR, "leave undriven out", "every freedom has a drive");
    if (info.left != info.undriven)
        return complain(q, GDYN_ERROR,
                        info.left > info.undriven ? "prescribe more, or remove drives"
                                                  : "prescribe less, or add drives",
                        "%d freedom%s no drive, but the path leaves %d coordinates free",
                        info.undriven, info.undriven == 1 ? " has" : "s have", info.left);
    if (!info.found)
        return complain(q, GDYN_ERROR, "move the path or the first guess, or add a drive",
                        "no pose at p = %.6g was found in which the applied forces hold what no "
                        "drive moves",
                        track->p[0]);
    gdyn_state_copy(q->state, q->first);
    return GDYN_OK;
}

static gdyn_status choose_rows(quest *q, const gdyn_track *track) {
    gdyn_status status = gdyn_free_rows_choose(q->model, &q->def, track, &q->found->rows);
    if (status == GDYN_OK && q->found->rows.count < track->rates[0].freedom)
        return complain(q, GDYN_ERROR, "prescribe more, or add joints",
                        "no coordinates were found that hold what is left free along the path");
    return status;
}

/* Knots until the splines are good enough, and what is to be told of them. */
static gdyn_status find_knots(quest *q) {
    gdyn_rest_path *f = q->found;
    gdyn_status status = first_knots(q);
    do {
        if (status == GDYN_OK)
            status = refine(q);
    } while (status == GDYN_OK && f->error > FINE && f->knots <= MOST_INTERVALS);
    if (status != GDYN_OK)
        return status;
    if (f->error > COARSE)
        return complain(q, GDYN_ERROR, "divide the path there",
                        "the equilibrium of what no drive moves jumps near p = %.6g", f->error_p);
    if (f->error > FINE)
        complain(q, GDYN_WARNING, "a corner of the path or a pose near a singular one may be there",
                 "between %d knots the equilibrium is met to %.2g (rad, share of the length), "
                 "worst near "
                 "p = %.6g",
                 f->knots, f->error, f->error_p);
    if (f->least < GDYN_EQUILIBRIUM_UNSTABLE)
        complain(q, GDYN_WARNING, "the machine leaves it when it is disturbed",
                 "the equilibrium of what no drive moves is unstable, most at p = %.6g",
                 f->least_p);
    return GDYN_OK;
}

static gdyn_status make_path(const quest *q, const gdyn_path_def *def) {
    double *p = NULL, *value = NULL;
    gdyn_status status = extend_all(q, &p, &value);
    if (status == GDYN_OK)
        status = gdyn_free_path_make(def, &q->found->rows, q->found->knots + 2, p, value,
                                     &q->found->path);
    gdyn_free(p);
    gdyn_free(value);
    q->found->found = status == GDYN_OK;
    return status;
}

gdyn_status gdyn_rest_path_find(const gdyn_model *model, const gdyn_path_def *def,
                                const gdyn_sink *sink, gdyn_rest_path *found) {
    quest q = {.model = model, .def = *def, .sink = sink, .found = found};
    gdyn_track *track = NULL;
    gdyn_closure *closure = NULL;
    *found = (gdyn_rest_path){.least = INFINITY};
    q.def.tolerance = 0;
    /* Faults of the path itself are told where it is used. */
    if (gdyn_path_create(model, &q.def, NULL, &q.path) != GDYN_OK)
        return GDYN_OK;
    /* The path of least weighted motion first. */
    track = gdyn_track_create(model, q.path);
    closure = gdyn_closure_create(model, gdyn_path_targets(q.path));
    gdyn_status status =
        track && closure ? gdyn_track_follow(track, q.path, closure, NULL) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && track->status[0] != GDYN_POINT_UNASSEMBLED) {
        status = begin(&q, track);
        if (status == GDYN_OK)
            status = choose_rows(&q, track);
        if (status == GDYN_OK)
            status = find_knots(&q);
        if (status == GDYN_OK)
            status = make_path(&q, def);
    }
    gdyn_track_destroy(track);
    gdyn_closure_destroy(closure);
    gdyn_equilibrium_destroy(q.work);
    gdyn_state_destroy(q.first);
    gdyn_state_destroy(q.state);
    gdyn_path_destroy(q.path);
    gdyn_free(q.p);
    gdyn_free(q.value);
    return status;
}
