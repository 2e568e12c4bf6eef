/* picture_history.c - how a search went: hypervolume of its front and the feasible share of its
 * population against evaluations and generations; designs by status of each generation. */
#include "report/picture_study.h"
#include "study/choose.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

enum { BARS_MOST = 60 };

/* --- hypervolume ------------------------------------------------------------------------------ */

/* What the upper panel shows. */
typedef struct volumes {
    int count, moves;
    gdyn_volume_point *point; /* count */
    bool of_population;
    gdyn_axis axis;
    const char *title; /* of the axis, without unit */
} volumes;

static const char volume[] = "hypervolume";

static void set_axis(volumes *v) {
    /* From 0 or the least positive volume to the greatest. */
    double high = 0, low = INFINITY;
    v->title = volume;
    for (int i = 0; i < v->count; i++) {
        low = v->point[i].volume > 0 ? fmin(low, v->point[i].volume) : low;
        high = fmax(high, v->point[i].volume);
    }
    v->axis = (gdyn_axis){.kind = GDYN_AXIS_OBJECTIVE, .name = "hypervolume"};
    gdyn_axis_window(&v->axis, low, high, 0.06);
    v->axis.low = low <= high ? fmax(v->axis.low, 0) : 0;
}

/* One objective: its best value. */
static bool make_values(const gdyn_outcome *outcome, volumes *v) {
    const gdyn_goal *objective = gdyn_study_start(outcome->study)->objective;
    double low = INFINITY, high = -INFINITY;
    v->count = gdyn_best_curve(outcome->study, outcome->result, &v->point);
    for (int i = 0; i < v->count; i++) {
        low = fmin(low, v->point[i].volume);
        high = fmax(high, v->point[i].volume);
    }
    v->axis = (gdyn_axis){.kind = GDYN_AXIS_OBJECTIVE};
    snprintf(v->axis.unit, sizeof v->axis.unit, "%s", gdyn_study_objective_unit(outcome->study, 0));
    gdyn_axis_window(&v->axis, low, high, 0.06);
    v->title = objective->name;
    return v->count >= 0;
}

static bool make_volumes(const gdyn_outcome *outcome, volumes *v) {
    *v = (volumes){0};
    if (gdyn_study_start(outcome->study)->objective_count == 1)
        return make_values(outcome, v);
    v->count = gdyn_volume_curve(outcome->study, outcome->result, &v->point, &v->of_population);
    for (int i = 0; i < v->count; i++)
        v->moves += v->point[i].moved;
    set_axis(v);
    return v->count >= 0;
}

/* A block of evaluations and hypervolume, with gaps where volumes do not compare; one of evaluations
 * and feasible share in percent; and one of the places behind the gaps. */
static void write_history(gdyn_script *script, const gdyn_study_result *result, const volumes *v) {
    /* A blank line makes a gap in the curve. */
    for (int i = 0; i < v->count; i++)
        gdyn_text_printf(&script->data, "%s%ld %.9g\n", v->point[i].moved ? "\n" : "",
                         v->point[i].evaluations, gdyn_axis_shown(&v->axis, v->point[i].volume));
    if (v->count == 0) /* gnuplot counts a block only when it holds something */
        gdyn_text_printf(&script->data, "NaN NaN\n");
    gdyn_script_end_block(script);
    for (int i = 0; i < result->history_count; i++) {
        const gdyn_generation *g = &result->history[i];
        gdyn_text_printf(&script->data, "%ld %.6g\n", g->evaluations,
                         g->population > 0 ? 100.0 * g->feasible / g->population : 0);
    }
    gdyn_script_end_block(script);
    for (int i = 0; i < v->count && v->moves > 0; i++)
        if (v->point[i].moved)
            gdyn_text_printf(&script->data, "%ld %.9g\n", v->point[i].evaluations,
                             gdyn_axis_shown(&v->axis, v->point[i].volume));
    if (v->moves > 0)
        gdyn_script_end_block(script);
}

enum { NUMBER = 45 }; /* room for one in a column */

/* Tics of the upper axis at round numbers of generations, where these end. */
static void generation_tics(gdyn_script *script, const gdyn_study_result *result) {
    int count = result->history_count, step = 1, most = 10;
    if (gdyn_script_narrow(script))
        most = (int)fmin(most, gdyn_column_room(script, 1, false) / NUMBER);
    static const int lead[] = {1, 2, 5};
    /* 1, 2, 5, 10, 20, ...: at most ten tics, fewer in a column. */
    for (int i = 0, power = 1; count > most * step; i++) {
        power = i > 0 && i % 3 == 0 ? 10 * power : power;
        step = lead[i % 3] * power;
    }
    gdyn_text tics = {0};
    for (int i = 0; i < count; i++)
        if (result->history[i].number % step == 0)
            gdyn_text_printf(&tics, "%s'%ld' %ld", tics.length ? ", " : "",
                             result->history[i].number, result->history[i].evaluations);
    gdyn_script_line(script, "set x2tics nomirror out (%s)", tics.data ? tics.data : "");
    gdyn_text_free(&tics);
}

static void plot_volume(gdyn_script *script, const volumes *v) {
    enum { ABOVE = 42 }; /* the generations in a column */
    char unit[60], name[120], cut[80], label[240];
    gdyn_axis_unit(&v->axis, unit, sizeof unit);
    gdyn_script_quote(gdyn_shorten(v->title, 30, cut, sizeof cut), name, sizeof name);
    snprintf(label, sizeof label, "%s%s%s", name, *unit ? " " : "", unit);
    /* The upper panel has the scale of evaluations only as tics. */
    gdyn_page_rows(script, 0.82, 0.43);
    gdyn_page_spare(script, ABOVE, 0);
    gdyn_page_range(script, 'y', gdyn_axis_shown(&v->axis, v->axis.low),
                    gdyn_axis_shown(&v->axis, v->axis.high));
    gdyn_script_line(script, "set ytics %.9g", v->axis.step);
    gdyn_page_numbers(script, 'x', false);
    gdyn_page_label(script, 'y', label, "");
    gdyn_plot(script, 0, "1:2 with linespoints lw 2 pt 7 ps %s lc rgb '#0072B2' title '%s'",
              v->count > BARS_MOST ? "0.2" : "0.5",
              v->title != volume ? "best value so far"
              : v->of_population ? "hypervolume of the population"
                                 : "hypervolume of all designs so far");
    gdyn_plot(script, v->moves > 0 ? 2 : -1,
              "1:2 with points pt 8 ps 1.8 lw 1.6 lc rgb '#D55E00' title "
              "'reference point moved: no comparison across'");
    gdyn_plot_end(script);
}

static void plot_share(gdyn_script *script) {
    /* The lower panel: evaluations below, per cent at the left. */
    gdyn_page_rows(script, 0.36, 0.11);
    gdyn_page_no_key(script);
    gdyn_script_line(script, "unset x2tics\nunset x2label\nset border 3\nset ytics 25");
    gdyn_page_numbers(script, 'x', true);
    gdyn_page_label(script, 'x', "evaluations", "");
    gdyn_page_label(script, 'y', "feasible share [%]", "");
    gdyn_page_range(script, 'y', 0, 105);
    gdyn_page_own_tics(script, 'y');
    gdyn_plot(script, 1, "1:2 with lines lw 2.5 lc rgb '#009E73' notitle");
    gdyn_plot_end(script);
}

static void heading(gdyn_script *script, const gdyn_outcome *outcome, const char *what) {
    char name[200];
    gdyn_page_heading(script, 0.10, 0.955, "%s: %s",
                      gdyn_script_heading(outcome->case_name, name, sizeof name), what);
}

/* In place of a picture of a search that has no history. */
static void draw_empty(gdyn_script *script) {
    gdyn_page_range(script, 'x', 0, 1);
    gdyn_page_range(script, 'y', 0, 1);
    gdyn_plot_nothing(script, "no generation was completed");
}

static void draw_history(gdyn_script *script, const gdyn_study_result *result, const volumes *v) {
    long last = result->history[result->history_count - 1].evaluations;
    gdyn_script_line(script, "set multiplot");
    gdyn_page_range(script, 'x', 0, (double)last);
    /* Generations above, evaluations below. */
    gdyn_script_line(
        script, "set x2range [0:%ld]\nset border 7\nset x2label 'generation' offset 0,-0.4", last);
    gdyn_page_any_key(script, "set key bottom right Left reverse opaque box lc rgb '#E4E4E4' "
                              "samplen 2");
    generation_tics(script, result);
    plot_volume(script, v);
    gdyn_script_line(script, "unset label");
    plot_share(script);
    gdyn_script_line(script, "unset multiplot");
}

gdyn_status gdyn_picture_history(const char *folder, const gdyn_outcome *outcome,
                                 const gdyn_sink *sink) {
    const gdyn_study_result *result = outcome->result;
    gdyn_script script;
    gdyn_script_begin(&script, "", "history", 1000, 720);
    volumes v = {0};
    bool ready = result->history_count == 0 || make_volumes(outcome, &v);
    if (result->history_count > 0 && ready)
        write_history(&script, result, &v);
    do {
        heading(&script, outcome,
                result->front.count > 0 ? "the search" : "the search found no feasible design");
        gdyn_marks_frame(&script);
        gdyn_page_columns(&script, 0.12, 0.97);
        if (result->history_count == 0)
            draw_empty(&script);
        else if (ready)
            draw_history(&script, result, &v);
    } while (gdyn_script_again(&script));
    gdyn_free(v.point);
    gdyn_status status = gdyn_script_finish(&script, folder, sink);
    return ready ? status : GDYN_ERROR_MEMORY;
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

/* One row per bar: middle, width, counts by status. Bars hold `step` generations. */
static void write_bars(gdyn_script *script, const gdyn_study_result *result, int step) {
    for (int i = 0; i < result->history_count; i += step) {
        int end = i + step < result->history_count ? i + step : result->history_count;
        /* Counts of the generations of one bar. */
        long count[GDYN_DESIGN_STATUSES] = {0}, total = 0;
        for (int j = i; j < end; j++)
            for (int k = 0; k < GDYN_DESIGN_STATUSES; k++) {
                count[k] += result->history[j].status[k];
                total += result->history[j].status[k];
            }
        double first = (double)result->history[i].number;
        double last = (double)result->history[end - 1].number;
        gdyn_text_printf(&script->data, "%.9g %.9g", 0.5 * (first + last),
                         0.86 * (last - first + 1));
        /* Heights are sums of shares. */
        double sum = 0;
        for (int k = 0; k < GDYN_DESIGN_STATUSES; k++) {
            sum += total > 0 ? 100.0 * (double)count[k] / (double)total : 0;
            gdyn_text_printf(&script->data, " %.9g", sum);
        }
        gdyn_text_append(&script->data, "\n", 1);
    }
    gdyn_script_end_block(script);
}

/* Heights are sums, so the last status is drawn first and covered by those below it. */
static void plot_bars(gdyn_script *script, const gdyn_study_result *result) {
    for (int k = GDYN_DESIGN_STATUSES - 1; k >= 0; k--)
        gdyn_plot(script, result->final.status[k] > 0 ? 0 : -1,
                  "1:%d:2 with boxes fs solid 1 border lc rgb '#FFFFFF' fc rgb '#%06X' title "
                  "'%s (%d)'",
                  k + 3, colour_of[k], gdyn_design_status_name(k), result->final.status[k]);
    gdyn_plot_end(script);
}

static void draw_failures(gdyn_script *script, const gdyn_outcome *outcome, int step) {
    const gdyn_study_result *result = outcome->result;
    char title[60] = "generation";
    heading(script, outcome, "designs by status");
    gdyn_marks_frame(script);
    gdyn_page_columns(script, 0.10, 0.73);
    gdyn_page_rows(script, 0.90, 0.11);
    gdyn_page_key(script, 0.75, 0.90, "samplen 1.5 spacing 1.3");
    gdyn_script_line(script, "set ytics 25");
    gdyn_page_label(script, 'y', "share of the designs evaluated [%]", "");
    if (result->history_count == 0) {
        draw_empty(script);
        return;
    }
    gdyn_script_line(script, "set yrange [0:100]");
    if (step > 1)
        snprintf(title, sizeof title, "generation (bars of %d)", step);
    gdyn_page_label(script, 'x', title, "");
    gdyn_page_whole(script, 'x', true);
    gdyn_page_range(script, 'x', 0.4,
                    (double)result->history[result->history_count - 1].number + 0.6);
    if (result->history_count <= 10)
        gdyn_script_line(script, "set xtics 1");
    write_bars(script, result, step);
    plot_bars(script, result);
}

gdyn_status gdyn_picture_failures(const char *folder, const gdyn_outcome *outcome,
                                  const gdyn_sink *sink) {
    /* So many generations in a bar that there are at most sixty. */
    int step = 1 + (outcome->result->history_count - 1) / BARS_MOST;
    gdyn_script script;
    gdyn_script_begin(&script, "", "failures", 1000, 640);
    do {
        draw_failures(&script, outcome, step);
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, folder, sink);
}
