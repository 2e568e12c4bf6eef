/* study_charts.c - the front, the hypervolume and the statuses of a study as SVG; see study_parts.h. */
#include "page/chart.h"
#include "page/study_parts.h"

#include "study/choose.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the front ----------------------------------------------------------------------------------------- */

enum { MARKS_MOST = 1500 }; /* of designs off the front */

/* A place of the chart's plane: the first objective (or the number) over the last of two. */
typedef struct plane {
    int x, y; /* objectives; x -1: the number of the design */
} plane;

static void place(const plane *p, const gdyn_design *d, double at[2]) {
    at[0] = p->x < 0 ? (double)d->serial : d->objective[p->x];
    at[1] = d->objective[p->y];
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Range of one coordinate over the feasible designs (none: all), the worst fifth left out, but with all of the front. */
static void range(const plane *p, const gdyn_study_result *r, int k, double *work,
                  double low_high[2]) {
    bool feasible = r->front.count > 0;
    int count = 0;
    double at[2];
    for (int i = 0; i < r->archive.count; i++) {
        const gdyn_design *d = r->archive.design[i];
        if (!d->evaluated || (feasible && d->status != GDYN_DESIGN_OK))
            continue;
        place(p, d, at);
        work[count++] = at[k];
    }
    qsort(work, (size_t)count, sizeof *work, ascending);
    low_high[0] = count > 0 ? work[count / 10] : 0;
    low_high[1] = count > 0 ? work[count - 1 - count / 10] : 1;
    for (int i = 0; i < r->front.count; i++) {
        place(p, r->front.design[i], at);
        low_high[0] = fmin(low_high[0], at[k]);
        low_high[1] = fmax(low_high[1], at[k]);
    }
}

static void mark(gdyn_plot_area *a, const plane *p, const gdyn_design *d, const char *look,
                 double radius) {
    double at[2];
    place(p, d, at);
    if (at[0] >= a->x0 && at[0] <= a->x1 && at[1] >= a->y0 && at[1] <= a->y1)
        gdyn_text_printf(a->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"/>", look,
                         gdyn_chart_x(a, at[0]), gdyn_chart_y(a, at[1]), radius);
}

static void marks(gdyn_plot_area *a, const plane *p, const gdyn_study_result *r) {
    int step = 1 + r->archive.count / MARKS_MOST;
    for (int i = 0; i < r->archive.count; i += step) {
        const gdyn_design *d = r->archive.design[i];
        if (d->evaluated)
            mark(a, p, d, d->status == GDYN_DESIGN_OK ? "dominated" : "infeasible", 1.8);
    }
    for (int i = 0; i < r->front.count; i++)
        mark(a, p, r->front.design[i], "front", 3);
    const gdyn_design *start = gdyn_archive_find(&r->archive, 0);
    if (start && start->evaluated)
        mark(a, p, start, "start", 4.5);
}

/* "area [m^2], maximized" */
static void title(const gdyn_study *study, int k, gdyn_text *out) {
    const char *unit = gdyn_study_objective_unit(study, k);
    const gdyn_goal *goal = &gdyn_study_start(study)->objective[k];
    gdyn_text_printf(out, "%s%s%s%s, %s", goal->name, *unit ? " [" : "", unit, *unit ? "]" : "",
                     goal->maximize ? "maximized" : "minimized");
}

static void draw_front(gdyn_text *out, const gdyn_stored *stored, const plane *p, double *work) {
    const gdyn_study_result *r = &stored->result;
    gdyn_text x = {0}, y = {0};
    double wide[2], high[2];
    range(p, r, 0, work, wide);
    range(p, r, 1, work, high);
    double margin = 0.04 * (wide[1] - wide[0]);
    gdyn_plot_area a = gdyn_chart_begin(out, 340, ' ', wide[0] - margin, wide[1] + margin,
                                        "Designs in the plane of objectives");
    a.top = 26, a.height = 264;
    gdyn_chart_range(&a, high[0], high[1]);
    title(stored->study, p->y, &y);
    if (p->x >= 0)
        title(stored->study, p->x, &x);
    else
        gdyn_text_printf(&x, "number of the design");
    gdyn_chart_axes(&a, y.data ? y.data : "", x.data ? x.data : "");
    marks(&a, p, r);
    gdyn_chart_end(&a);
    out->failed |= x.failed || y.failed;
    gdyn_text_free(&x);
    gdyn_text_free(&y);
}

void gdyn_chart_front(gdyn_text *out, const gdyn_stored *stored) {
    int objectives = gdyn_study_start(stored->study)->objective_count;
    plane p = {objectives > 1 ? 0 : -1, objectives > 1 ? 1 : 0};
    double *work = gdyn_alloc((size_t)stored->result.archive.count + 1, sizeof *work);
    if (!work)
        out->failed = true;
    else if (objectives > 0)
        draw_front(out, stored, &p, work);
    gdyn_free(work);
}

/* --- the history ----------------------------------------------------------------------------------------- */

/* What a search gained: hypervolume, with one objective its best value. */
typedef struct gains {
    gdyn_volume_point *point; /* count; -1: no memory */
    int count;
    double low, high; /* of the axis */
    gdyn_text title;
} gains;

static void of_volume(const gdyn_stored *stored, gains *g) {
    bool of_population;
    g->count = gdyn_volume_curve(stored->study, &stored->result, &g->point, &of_population);
    g->low = 0;
    for (int i = 0; i < g->count; i++)
        g->high = fmax(g->high, g->point[i].volume);
    g->high = g->high > 0 ? g->high : 1;
    gdyn_text_printf(&g->title, of_population ? "hypervolume of the population"
                                              : "hypervolume of all designs so far");
}

static void of_objective(const gdyn_stored *stored, gains *g) {
    g->count = gdyn_best_curve(stored->study, &stored->result, &g->point);
    g->low = INFINITY;
    g->high = -INFINITY;
    for (int i = 0; i < g->count; i++) {
        g->low = fmin(g->low, g->point[i].volume);
        g->high = fmax(g->high, g->point[i].volume);
    }
    gdyn_text_printf(&g->title, "best ");
    title(stored->study, 0, &g->title);
}

/* True when the curve has gaps, where volumes do not compare. */
static bool draw_gains(gdyn_plot_area *a, const gains *g) {
    bool gaps = false;
    gdyn_chart_line_begin(a, "curve");
    for (int i = 0; i < g->count; i++) {
        if (g->point[i].moved)
            gdyn_chart_point(a, NAN, NAN);
        gaps |= g->point[i].moved;
        gdyn_chart_point(a, (double)g->point[i].evaluations, g->point[i].volume);
    }
    gdyn_chart_line_end(a, false);
    return gaps;
}

bool gdyn_chart_gains(gdyn_text *out, const gdyn_stored *stored) {
    const gdyn_study_result *r = &stored->result;
    bool one = gdyn_study_start(stored->study)->objective_count == 1;
    gains g = {0};
    (one ? of_objective : of_volume)(stored, &g);
    out->failed |= g.count < 0 || g.title.failed;
    gdyn_plot_area a = gdyn_chart_begin(
        out, 250, ' ', 0, (double)r->history[r->history_count - 1].evaluations,
        one ? "Best value over the evaluations" : "Hypervolume over the evaluations");
    a.top = 26, a.height = 174;
    gdyn_chart_range(&a, g.low, g.high);
    gdyn_chart_axes(&a, g.title.data ? g.title.data : "", "designs evaluated");
    bool gaps = draw_gains(&a, &g);
    gdyn_chart_end(&a);
    gdyn_free(g.point);
    gdyn_text_free(&g.title);
    return gaps;
}

/* Generations side by side as one column: a chart has at most so many. */
enum { STACKS_MOST = 120 };

/* A column from generation `from` to before `to`: shares of its designs by status. */
static void stack(gdyn_plot_area *a, const gdyn_study_result *r, int from, int to) {
    double count[GDYN_DESIGN_STATUSES] = {0}, all = 0, below = 0;
    for (int i = from; i < to; i++)
        for (int s = 0; s < GDYN_DESIGN_STATUSES; s++) {
            count[s] += r->history[i].status[s];
            all += r->history[i].status[s];
        }
    double left = gdyn_chart_x(a, from), right = gdyn_chart_x(a, to);
    for (int s = 0; s < GDYN_DESIGN_STATUSES; s++) {
        if (count[s] == 0)
            continue;
        double top = gdyn_chart_y(a, 100 * (below + count[s]) / all);
        gdyn_text_printf(a->out,
                         "<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                         "height=\"%.1f\"/>",
                         s, left, top, right - left, gdyn_chart_y(a, 100 * below / all) - top);
        below += count[s];
    }
}

void gdyn_chart_statuses(gdyn_text *out, const gdyn_stored *stored) {
    const gdyn_study_result *r = &stored->result;
    if (r->history_count < 2)
        return;
    int step = (r->history_count + STACKS_MOST - 1) / STACKS_MOST;
    gdyn_plot_area a = gdyn_chart_begin(out, 250, ' ', 0, r->history_count,
                                        "Designs of each generation by status");
    a.top = 26, a.height = 174;
    a.y0 = 0, a.y1 = 100;
    for (int i = 0; i < r->history_count; i += step)
        stack(&a, r, i, i + step < r->history_count ? i + step : r->history_count);
    gdyn_chart_axes(&a, "designs by status [%]", "generation");
    gdyn_chart_end(&a);
}
