/* picture_history.c - how a search went: hypervolume of its front and the feasible share of its
 * population against evaluations and generations; designs by status of each generation. */
#include "report/picture.h"
#include "study/choose.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

enum { BARS_MOST = 60 };

/* --- hypervolume ------------------------------------------------------------------------------ */

/* What the upper panel shows: the hypervolume, of one objective its best value. */
typedef struct volumes {
    int count;
    gdyn_volume_point *point; /* count */
    bool single, of_population;
    gdyn_axis axis;
} volumes;

static bool make_volumes(const gdyn_outcome *outcome, volumes *v) {
    const gdyn_instance *start = gdyn_study_start(outcome->study);
    *v = (volumes){.single = start->objective_count == 1};
    v->axis = (gdyn_axis){.of.kind = GDYN_TRAIT_OBJECTIVE,
                          .of.name = v->single ? start->objective->name : "hypervolume"};
    v->count = v->single ? gdyn_best_curve(outcome->study, outcome->result, &v->point)
                         : gdyn_volume_curve(outcome->study, outcome->result, &v->point,
                                             &v->of_population);
    /* Volumes from 0 or the smallest positive one to the largest. */
    double low = INFINITY, high = v->single ? -INFINITY : 0;
    for (int i = 0; i < v->count; i++) {
        double value = v->point[i].volume;
        low = v->single || value > 0 ? fmin(low, value) : low;
        high = fmax(high, value);
    }
    if (v->single)
        snprintf(v->axis.of.unit, sizeof v->axis.of.unit, "%s",
                 gdyn_study_objective_unit(outcome->study, 0));
    gdyn_axis_window(&v->axis, low, high, 0.06);
    if (!v->single)
        v->axis.low = low <= high ? fmax(v->axis.low, 0) : 0;
    return v->count >= 0;
}

/* Names at round numbers of generations, where these end: at most ten. */
static void name_generations(gdyn_figure *f, gdyn_figure_axis *axis,
                             const gdyn_study_result *result) {
    enum { MOST = 10 };
    static const int lead[] = {1, 2, 5};
    int count = result->history_count, step = 1;
    for (int i = 0, power = 1; count > MOST * step; i++) {
        power = i > 0 && i % 3 == 0 ? 10 * power : power;
        step = lead[i % 3] * power;
    }
    axis->title = "generation";
    for (int i = 0; i < count; i++) {
        char name[24];
        snprintf(name, sizeof name, "%ld", (long)result->history[i].number);
        if (result->history[i].number % step == 0)
            gdyn_figure_tic_at(f, axis, (double)result->history[i].evaluations, name);
    }
}

/* Volumes over evaluations with gaps where they do not compare, generations above. */
static void draw_volume(gdyn_figure *f, const gdyn_study_result *result, const volumes *v) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->height = 290;
    panel->x = (gdyn_figure_axis){
        .high = (double)result->history[result->history_count - 1].evaluations, .unlabelled = true};
    panel->y = gdyn_axis_of_result(&v->axis, 30, f);
    name_generations(f, &panel->top, result);
    for (int moved = 0; moved < 2; moved++) {
        for (int i = 0; i < v->count; i++) {
            if (v->point[i].moved && !moved)
                gdyn_figure_gap(f);
            if (v->point[i].moved || !moved)
                gdyn_figure_put(f, (double)v->point[i].evaluations,
                                gdyn_axis_shown(&v->axis, v->point[i].volume));
        }
        int block = gdyn_figure_block_end(f);
        if (moved)
            gdyn_draw(f, panel, GDYN_POINTS, block, .point = GDYN_OPEN_TRIANGLE, .size = 1.8,
                      .width = 1.6, .colour = 0xD55E00,
                      .title = "reference point moved: no comparison across");
        else
            gdyn_draw(f, panel, GDYN_TRAIL, block, .width = 2, .point = GDYN_DOT,
                      .size = v->count > BARS_MOST ? 0.2 : 0.5, .colour = 0x0072B2,
                      .title = v->single          ? "best value so far"
                               : v->of_population ? "hypervolume of the population"
                                                  : "hypervolume of all designs so far");
    }
}

/* In place of a picture of a search that has no history. */
static void draw_empty(gdyn_figure *f) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->x.high = panel->y.high = 1;
    panel->note = "no generation was completed";
}

void gdyn_history_figure(gdyn_figure *f, const gdyn_outcome *outcome) {
    const gdyn_study_result *result = outcome->result;
    volumes v = {0};
    gdyn_picture_begin(f, "", "history", 900, "%s: %s", gdyn_picture_name(outcome->case_name).text,
                       result->front.count > 0 ? "the search"
                                               : "the search found no feasible design");
    if (result->history_count == 0) {
        draw_empty(f);
    } else if (make_volumes(outcome, &v)) {
        draw_volume(f, result, &v);
        /* the feasible share of the population */
        gdyn_figure_panel *panel = gdyn_figure_add(f);
        panel->height = 190;
        panel->x = (gdyn_figure_axis){
            .title = "evaluations",
            .high = (double)result->history[result->history_count - 1].evaluations};
        panel->y = (gdyn_figure_axis){.title = "feasible share [%]", .high = 105, .step = 25};
        for (int i = 0; i < result->history_count; i++) {
            const gdyn_generation *g = &result->history[i];
            gdyn_figure_put(f, (double)g->evaluations,
                            g->population > 0 ? 100.0 * g->feasible / g->population : 0);
        }
        gdyn_draw(f, panel, GDYN_LINE, .width = 2.5, .colour = 0x009E73);
    } else {
        f->failed = true;
    }
    gdyn_free(v.point);
}

/* --- designs by status --------------------------------------------------------------- */

/* Colours of Okabe and Ito; the legend lists them in the order of the stack. */
static const unsigned colour_of[GDYN_DESIGN_STATUSES] = {
    [GDYN_DESIGN_OK] = 0x0072B2,
    [GDYN_DESIGN_INFEASIBLE] = 0x999999,
    [GDYN_DESIGN_CLOSED_REGION] = 0xF0E442,
    [GDYN_DESIGN_OUT_OF_RANGE] = 0x56B4E9,
    [GDYN_DESIGN_SINGULAR] = 0xCC79A7,
    [GDYN_DESIGN_UNASSEMBLED] = 0xD55E00,
    [GDYN_DESIGN_FAILED] = 0x000000,
};

/* Boxes of a status from the share of those before it on; each holds `step` generations. */
static int write_bars(gdyn_figure *f, const gdyn_study_result *result, int status, int step) {
    for (int i = 0; i < result->history_count; i += step) {
        int end = i + step < result->history_count ? i + step : result->history_count;
        long below = 0, own = 0, total = 0;
        for (int j = i; j < end; j++)
            for (int k = 0; k < GDYN_DESIGN_STATUSES; k++) {
                below += k < status ? result->history[j].status[k] : 0;
                own += k == status ? result->history[j].status[k] : 0;
                total += result->history[j].status[k];
            }
        double first = (double)result->history[i].number - 0.43;
        double last = (double)result->history[end - 1].number + 0.43;
        if (own > 0)
            gdyn_figure_put(f, first, last, 100.0 * (double)below / (double)total,
                            100.0 * (double)(below + own) / (double)total);
    }
    return gdyn_figure_block_end(f);
}

static void draw_failures(gdyn_figure *f, const gdyn_study_result *result, int step) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->height = 420;
    panel->x = (gdyn_figure_axis){
        .title = step > 1 ? gdyn_figure_words(f, "generation (bars of %d)", step) : "generation",
        .low = 0.4,
        .high = (double)result->history[result->history_count - 1].number + 0.6,
        .whole = true};
    panel->y =
        (gdyn_figure_axis){.title = "share of the designs evaluated [%]", .high = 100, .step = 25};
    for (int k = 0; k < GDYN_DESIGN_STATUSES; k++) {
        char title[80];
        snprintf(title, sizeof title, "%s (%d)", gdyn_design_status_name(k),
                 result->final.status[k]);
        gdyn_draw(f, panel, GDYN_BOXES, write_bars(f, result, k, step), .colour = colour_of[k],
                  .border = 0xFFFFFF, .width = 1, .title = title);
    }
}

void gdyn_failures_figure(gdyn_figure *f, const gdyn_outcome *outcome) {
    /* So many generations in a bar that there are at most sixty. */
    int step = 1 + (outcome->result->history_count - 1) / BARS_MOST;
    gdyn_picture_begin(f, "", "failures", 900, "%s: designs by status",
                       gdyn_picture_name(outcome->case_name).text);
    if (outcome->result->history_count == 0)
        draw_empty(f);
    else
        draw_failures(f, outcome->result, step);
}
