/* picture_history.c - how a search went: hypervolume of its front and the feasible share of its
 * population against evaluations and generations; what became of the designs of each generation. */
#include "report/picture_study.h"

#include <math.h>
#include <stdio.h>

enum { BARS_MOST = 60 };

/* --- hypervolume ------------------------------------------------------------------------------ */

/* A block of evaluations and hypervolume with a gap where the reference point moved, since volumes before
 * and behind it do not compare; then one of evaluations and feasible share in percent. */
static int write_history(gdyn_script *script, const gdyn_study_result *result,
                         const gdyn_axis *axis) {
    for (int i = 0; i < result->history_count; i++) {
        const gdyn_generation *g = &result->history[i];
        if (g->moved && i > 0)
            gdyn_text_append(&script->data, "\n", 1);
        gdyn_text_printf(&script->data, "%ld %.9g\n", g->evaluations,
                         gdyn_axis_shown(axis, g->hypervolume));
    }
    int block = gdyn_script_end_block(script);
    for (int i = 0; i < result->history_count; i++) {
        const gdyn_generation *g = &result->history[i];
        gdyn_text_printf(&script->data, "%ld %.6g\n", g->evaluations,
                         g->population > 0 ? 100.0 * g->feasible / g->population : 0);
    }
    gdyn_script_end_block(script);
    return block;
}

/* Generations in which the reference point moved: evaluations, hypervolume; their number. */
static int write_moves(gdyn_script *script, const gdyn_study_result *result,
                       const gdyn_axis *axis) {
    int count = 0;
    for (int i = 0; i < result->history_count; i++)
        if (result->history[i].moved && i > 0) {
            gdyn_text_printf(&script->data, "%ld %.9g\n", result->history[i].evaluations,
                             gdyn_axis_shown(axis, result->history[i].hypervolume));
            count++;
        }
    if (count > 0)
        gdyn_script_end_block(script);
    return count;
}

static gdyn_axis volume_axis(const gdyn_study_result *result) {
    gdyn_axis axis = {.kind = GDYN_AXIS_OBJECTIVE, .name = "hypervolume"};
    double high = 0, low = INFINITY;
    for (int i = 0; i < result->history_count; i++)
        if (result->history[i].feasible > 0) {
            low = fmin(low, result->history[i].hypervolume);
            high = fmax(high, result->history[i].hypervolume);
        }
    gdyn_axis_window(&axis, low, high, 0.06);
    axis.low = low <= high ? fmax(axis.low, 0) : 0;
    return axis;
}

/* Tics of the upper axis at round numbers of generations, where these end. */
static void generation_tics(gdyn_script *script, const gdyn_study_result *result) {
    int count = result->history_count, step = 1;
    static const int lead[] = {1, 2, 5};
    for (int i = 0, power = 1; count > 10 * step; i++) {
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

static void margins(gdyn_script *script, double top, double bottom) {
    gdyn_script_line(script,
                     "set lmargin at screen 0.10\nset rmargin at screen 0.97\n"
                     "set tmargin at screen %.3f\nset bmargin at screen %.3f",
                     top, bottom);
}

static void plot_volume(gdyn_script *script, const gdyn_axis *axis, int block, int moves,
                        bool crowded) {
    char unit[60];
    gdyn_axis_unit(axis, unit, sizeof unit);
    margins(script, 0.82, 0.43);
    gdyn_script_line(script,
                     "set yrange [%.9g:%.9g]\nset ytics nomirror out %.9g\n"
                     "set format x ''\nset ylabel \"hypervolume%s%s\"",
                     gdyn_axis_shown(axis, axis->low), gdyn_axis_shown(axis, axis->high),
                     axis->step, *unit ? " " : "", unit);
    gdyn_text_printf(&script->gp,
                     "plot data index %d using 1:2 with linespoints lw 2 pt 7 ps %s "
                     "lc rgb '#0072B2' title 'hypervolume of the front'",
                     block, crowded ? "0.2" : "0.5");
    if (moves > 0)
        gdyn_text_printf(&script->gp,
                         ", data index %d using 1:2 with points pt 8 ps 1.8 lw 1.6 "
                         "lc rgb '#D55E00' title 'reference point moved: no comparison across'",
                         block + 2);
    gdyn_text_append(&script->gp, "\n", 1);
}

static void plot_share(gdyn_script *script, int block) {
    margins(script, 0.36, 0.11);
    gdyn_script_line(script,
                     "unset key\nunset x2tics\nunset x2label\nset border 3\nset format x '%%g'\n"
                     "set xlabel 'evaluations'\n"
                     "set ylabel 'feasible share [%%]'\nset yrange [0:105]\n"
                     "set ytics 25");
    gdyn_script_line(script,
                     "plot data index %d using 1:2 with lines lw 2.5 "
                     "lc rgb '#009E73' notitle",
                     block + 1);
}

static void heading(gdyn_script *script, const gdyn_outcome *outcome, const char *what) {
    char cut[80], name[160];
    gdyn_shorten(outcome->case_name, 40, cut, sizeof cut);
    gdyn_script_line(script, "set label 1 \"%s: %s\" at screen 0.10,0.955 left font ',15'",
                     gdyn_script_quote(cut, name, sizeof name), what);
}

gdyn_status gdyn_picture_history(const char *folder, const gdyn_outcome *outcome,
                                 const gdyn_sink *sink) {
    const gdyn_study_result *result = outcome->result;
    gdyn_script script;
    gdyn_script_begin(&script, "", "history", 1000, 720);
    gdyn_script_line(&script, "set multiplot");
    heading(&script, outcome, "the search");
    gdyn_marks_frame(&script);
    int count = result->history_count;
    if (count == 0) {
        gdyn_script_line(&script, "set label 2 'no generation was completed' at screen 0.5,0.5 "
                                  "center\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle\n"
                                  "unset multiplot");
        return gdyn_script_finish(&script, folder, sink);
    }
    gdyn_axis axis = volume_axis(result);
    int block = write_history(&script, result, &axis);
    int moves = write_moves(&script, result, &axis);
    long last = result->history[count - 1].evaluations;
    gdyn_script_line(&script, "set xrange [0:%ld]\nset x2range [0:%ld]\nset xtics nomirror out",
                     last, last);
    gdyn_script_line(&script, "set border 7\nset x2label 'generation' offset 0,-0.4\n"
                              "set key bottom right Left reverse opaque box lc rgb '#E4E4E4' "
                              "samplen 2");
    generation_tics(&script, result);
    plot_volume(&script, &axis, block, moves, count > BARS_MOST);
    gdyn_script_line(&script, "unset label");
    plot_share(&script, block);
    gdyn_script_line(&script, "unset multiplot");
    return gdyn_script_finish(&script, folder, sink);
}

/* --- what became of the designs --------------------------------------------------------------- */

/* Colours of Okabe and Ito; the legend lists them in the order of the stack. */
static const unsigned colour_of[GDYN_DESIGN_STATUSES] = {
    [GDYN_DESIGN_OK] = 0x0072B2,
    [GDYN_DESIGN_INFEASIBLE] = 0x999999,
    [GDYN_DESIGN_CLOSED_REGION] = 0xF0E442,
    [GDYN_DESIGN_SINGULAR] = 0xCC79A7,
    [GDYN_DESIGN_UNASSEMBLED] = 0xD55E00,
    [GDYN_DESIGN_FAILED] = 0x000000,
};

/* One row per bar: middle, width, counts by status. Bars hold `step` generations. */
static void write_bars(gdyn_script *script, const gdyn_study_result *result, int step) {
    for (int i = 0; i < result->history_count; i += step) {
        int end = i + step < result->history_count ? i + step : result->history_count;
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
    gdyn_text line = {0};
    for (int k = GDYN_DESIGN_STATUSES - 1; k >= 0; k--) {
        if (result->final.status[k] == 0)
            continue;
        gdyn_text_printf(&line,
                         "%sdata index 0 using 1:%d:2 with boxes fs solid 1 border lc rgb "
                         "'#FFFFFF' fc rgb '#%06X' title '%s (%d)'",
                         line.length ? ", " : "plot ", k + 3, colour_of[k],
                         gdyn_design_status_name(k), result->final.status[k]);
    }
    gdyn_script_line(script, "%s", line.data ? line.data : "plot NaN notitle");
    gdyn_text_free(&line);
}

gdyn_status gdyn_picture_failures(const char *folder, const gdyn_outcome *outcome,
                                  const gdyn_sink *sink) {
    const gdyn_study_result *result = outcome->result;
    int step = 1 + (result->history_count - 1) / BARS_MOST;
    gdyn_script script;
    gdyn_script_begin(&script, "", "failures", 1000, 640);
    heading(&script, outcome, "what became of the designs");
    gdyn_script_line(&script, "set border 3 lw 1 lc rgb '#444444'\nset tics nomirror out\n"
                              "set lmargin at screen 0.10\nset rmargin at screen 0.76\n"
                              "set tmargin at screen 0.90\nset bmargin at screen 0.11\n"
                              "set key at screen 0.78,0.90 left top Left reverse samplen 1.5 "
                              "spacing 1.3");
    gdyn_script_line(&script, "set yrange [0:100]\nset ytics 25\n"
                              "set ylabel 'share of the designs evaluated [%%]'");
    if (result->history_count == 0) {
        gdyn_script_line(&script, "set label 2 'no generation was completed' at screen 0.5,0.5 "
                                  "center\nset xrange [0:1]\nplot NaN notitle");
        return gdyn_script_finish(&script, folder, sink);
    }
    if (step > 1)
        gdyn_script_line(&script, "set xlabel 'generation (bars of %d)'", step);
    else
        gdyn_script_line(&script, "set xlabel 'generation'");
    gdyn_script_line(&script, "set xrange [0.4:%.9g]",
                     (double)result->history[result->history_count - 1].number + 0.6);
    write_bars(&script, result, step);
    plot_bars(&script, result);
    return gdyn_script_finish(&script, folder, sink);
}
