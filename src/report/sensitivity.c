/* sensitivity.c - what each design variable does to each result: as a table, and as curves over the
 * variables' ranges. */
#include "report/sensitivity.h"

#include "report/number.h"
#include "report/picture_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS_MOST = 6, CURVES_MOST = 8, NAME = 80, PANEL = 140 /* height of one in a column */ };

void gdyn_report_effects_csv(gdyn_text *out, const gdyn_sweep *sweep, int count,
                             const gdyn_effect *effect) {
    gdyn_text_printf(out, "result,unit,variable,least,greatest,range,share_of_start,"
                          "slope_per_range,levels,missing\n");
    for (int i = 0; i < count; i++) {
        const gdyn_effect *e = &effect[i];
        const char *unit, *name = gdyn_watched_name(sweep->study, e->watched, &unit);
        const double values[] = {e->least, e->greatest, e->greatest - e->least, e->share, e->slope};
        gdyn_csv_word(out, name);
        gdyn_csv_word(out, unit);
        gdyn_csv_word(out, gdyn_study_start(sweep->study)->design[e->variable].name);
        gdyn_csv_numbers(out, 5, values);
        gdyn_text_printf(out, ",%d,%d\n", e->known + e->missing, e->missing);
    }
}

void gdyn_report_indices_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_indices *s) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    gdyn_text_printf(out, "result,unit,variable,rows,missing,%s,droppable\n",
                     s->effects
                         ? "mean,mean_amount,standard_error,deviation,range"
                         : "first,first_low,first_high,total,total_low,total_high,deviation");
    for (int i = 0; i < s->watched * s->variables; i++) {
        int watched = i / s->variables, variable = i % s->variables;
        const gdyn_sensitivity_index *x = &s->index[i];
        const char *unit, *name = gdyn_watched_name(sweep->study, watched, &unit);
        const double effects[] = {x->mean, x->amount, x->amount_error, x->deviation,
                                  s->range[watched]};
        const double shares[] = {x->first,     x->first_low,  x->first_high,        x->total,
                                 x->total_low, x->total_high, s->deviation[watched]};
        if (!x->moves)
            continue;
        gdyn_csv_word(out, name);
        gdyn_csv_word(out, unit);
        gdyn_csv_word(out, start->design[variable].name);
        gdyn_text_printf(out, ",%d,%d", s->rows[watched], s->missing[watched]);
        gdyn_csv_numbers(out, s->effects ? 5 : 7, s->effects ? effects : shares);
        gdyn_text_printf(out, ",%d\n", s->drop[variable]);
    }
}

void gdyn_report_shares_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_spread *spread,
                            const double *share) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    int n = start->design_count;
    gdyn_text_printf(out, "result,unit,machines,missing,least,greatest,mean,deviation,explained");
    for (int j = 0; j < n; j++)
        gdyn_csv_text(out, "share_%s", start->design[j].name);
    gdyn_text_printf(out, "\n");
    for (int i = 0; i < gdyn_watched_count(sweep->study); i++) {
        const gdyn_spread *s = &spread[i];
        const char *unit, *name = gdyn_watched_name(sweep->study, i, &unit);
        const double values[] = {s->least, s->greatest, s->mean, s->deviation, s->explained};
        if (s->known == 0)
            continue;
        gdyn_csv_text(out, "%s", name);
        gdyn_csv_text(out, "%s", unit);
        gdyn_text_printf(out, ",%d,%d", s->known + s->missing, s->missing);
        gdyn_csv_numbers(out, 5, values);
        gdyn_csv_numbers(out, n, share + i * n);
        gdyn_text_printf(out, "\n");
    }
}

/* --- curves ------------------------------------------------------------------------------- */

/* Result of design i over the share of the variable's range; false: it has no value. */
static bool write_point(gdyn_script *script, const gdyn_sweep *sweep, const gdyn_effect *e,
                        const gdyn_axis *axis, int i) {
    const gdyn_design_variable *v = &gdyn_study_start(sweep->study)->design[e->variable];
    const gdyn_design *d = gdyn_archive_find(sweep->archive, i);
    double value;
    if (!d || !gdyn_watched(sweep->study, e->watched, d, &value))
        return false;
    gdyn_text_printf(&script->data, "%.6g %.9g\n",
                     100 * (d->x[e->variable] - v->min) / (v->max - v->min),
                     gdyn_axis_shown(axis, value));
    return true;
}

/* All levels of the variable; a gap where there is no value. Its block. */
static int write_curve(gdyn_script *script, const gdyn_sweep *sweep, const gdyn_effect *e,
                       const gdyn_axis *axis) {
    for (int i = sweep->first[e->variable]; i < sweep->first[e->variable + 1]; i++)
        if (!write_point(script, sweep, e, axis, i))
            gdyn_text_append(&script->data, "\n", 1);
    return gdyn_script_end_block(script);
}

/* Where the start design lies on the curve; -1 when it has no value. */
static int write_start(gdyn_script *script, const gdyn_sweep *sweep, const gdyn_effect *e,
                       const gdyn_axis *axis) {
    return write_point(script, sweep, e, axis, 0) ? gdyn_script_end_block(script) : -1;
}

/* The axis of a result over all its curves. */
static gdyn_axis axis_of(const gdyn_sweep *sweep, int count, const gdyn_effect *effect) {
    const char *unit, *name = gdyn_watched_name(sweep->study, effect->watched, &unit);
    gdyn_axis axis = {.kind = GDYN_AXIS_OBJECTIVE, .name = name};
    snprintf(axis.unit, sizeof axis.unit, "%s", unit);
    /* what the curves span; a constant gets room around it */
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++)
        low = fmin(low, effect[i].least), high = fmax(high, effect[i].greatest);
    if (high - low <= 1e-12 * fmax(fabs(low), fabs(high)))
        low -= fmax(1e-3 * fabs(low), 1e-9), high += fmax(1e-3 * fabs(high), 1e-9);
    gdyn_axis_window(&axis, low, high, 0.06);
    return axis;
}

/* The curve and the ring of a variable in its colour. */
static void plot_curve(gdyn_script *script, const gdyn_instance *start, int variable, int curve,
                       int dot) {
    char quoted[80], cut[40];
    unsigned colour = gdyn_page_colour(variable);
    gdyn_shorten(start->design[variable].name, 20, cut, sizeof cut);
    gdyn_plot(script, curve, "1:2 with linespoints lw 2 pt %d ps 1.0 lc rgb '#%06X' title \"%s\"",
              4 + variable % CURVES_MOST, colour, gdyn_script_quote(cut, quoted, sizeof quoted));
    gdyn_plot(script, dot, "1:2 with points pt 6 lw 2 ps 1.8 lc rgb '#%06X' notitle", colour);
}

/* One result: its curves, the strongest first, with the start design as rings. */
static void panel(gdyn_script *script, const gdyn_sweep *sweep, int count,
                  const gdyn_effect *effect) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    gdyn_axis axis = axis_of(sweep, count, effect);
    char unit[60], name[NAME], quoted[2 * NAME], label[2 * NAME + 62];
    gdyn_axis_unit(&axis, unit, sizeof unit);
    gdyn_shorten(axis.name, 32, name, sizeof name);
    int shown = count < CURVES_MOST ? count : CURVES_MOST, curve[CURVES_MOST], dot[CURVES_MOST];
    for (int i = 0; i < shown; i++) {
        curve[i] = write_curve(script, sweep, &effect[i], &axis);
        dot[i] = write_start(script, sweep, &effect[i], &axis);
    }
    gdyn_page_range(script, 'y', gdyn_axis_shown(&axis, axis.low),
                    gdyn_axis_shown(&axis, axis.high));
    gdyn_script_line(script, "set ytics %.9g", axis.step);
    snprintf(label, sizeof label, "%s%s%s", gdyn_script_quote(name, quoted, sizeof quoted),
             *unit ? " " : "", unit);
    gdyn_page_label(script, 'y', label, "");
    for (int i = 0; i < shown; i++)
        plot_curve(script, start, effect[i].variable, curve[i], dot[i]);
    gdyn_plot_end(script);
}

/* Places of the results that get a panel: begin[k] .. end[k] - 1; their number, all that move in
 * *moving and those that nothing moves in *still. Where nothing moves any, the first is shown. */
static int choose_panels(int count, const gdyn_effect *effect, int *begin, int *end, int *moving,
                         int *still) {
    int panels = 0;
    *moving = *still = 0;
    for (int i = 0, n; i < count; i += n) {
        bool moved;
        n = gdyn_effects_together(count - i, effect + i, &moved);
        *moving += moved, *still += !moved;
        if (moved && panels < PANELS_MOST)
            begin[panels] = i, end[panels++] = i + n;
    }
    /* no variable moves any result: the first result has the only panel */
    if (panels == 0 && count > 0) {
        bool moved;
        begin[0] = 0, end[panels++] = gdyn_effects_together(count, effect, &moved);
    }
    return panels;
}

/* The heading, with what is left out. */
static void write_heading(gdyn_text *out, const gdyn_sweep *sweep, int panels, int moving,
                          int still) {
    char name[200];
    gdyn_script_heading(gdyn_study_start(sweep->study)->name, name, sizeof name);
    gdyn_text_printf(out, "%s: one variable at a time, rings: the start design", name);
    if (moving > panels)
        gdyn_text_printf(out, "\\nthe first %d of %d results", panels, moving);
    if (still > 0 && moving > 0)
        gdyn_text_printf(out, "%s%d more that no variable affects", moving > panels ? ", " : "\\n",
                         still);
}

/* The page: two columns of panels, on a narrow page one; a common axis of shares. */
static void begin_panels(gdyn_script *script, int panels, const char *heading) {
    int rows = panels > 1 ? (panels + 1) / 2 : 1, columns = panels > 1 ? 2 : 1;
    gdyn_marks_frame(script);
    if (gdyn_script_narrow(script)) {
        gdyn_script_line(script, "set multiplot");
        gdyn_page_heading(script, 0, 1, "%s", heading);
    } else {
        gdyn_script_line(script, "set multiplot layout %d,%d title \"%s\" font ',16'", rows,
                         columns, heading);
    }
    gdyn_page_range(script, 'x', -2, 102);
    gdyn_script_line(script, "set xtics 25");
    gdyn_page_label(script, 'x', "share of the variable's range [%]", "");
    gdyn_page_any_key(script, "set key outside right top Left reverse samplen 2");
}

gdyn_status gdyn_picture_effects(const char *folder, const gdyn_sweep *sweep, int count,
                                 const gdyn_effect *effect, const gdyn_sink *sink) {
    int begin[PANELS_MOST], end[PANELS_MOST], moving, still;
    int panels = choose_panels(count, effect, begin, end, &moving, &still);
    int rows = panels > 1 ? (panels + 1) / 2 : 1, columns = panels > 1 ? 2 : 1;
    gdyn_text heading = {0};
    gdyn_script script;
    write_heading(&heading, sweep, panels, moving, still);
    const char *text = heading.data ? heading.data : "";
    gdyn_script_begin(&script, "", "sensitivity", 640 * columns,
                      380 * rows + (strstr(text, "\\n") ? 80 : 50));
    do { /* one panel after the other */
        begin_panels(&script, panels, text);
        for (int k = 0; k < panels; k++) {
            if (gdyn_script_narrow(&script))
                gdyn_page_cell(&script, 0, 1, false, PANEL);
            panel(&script, sweep, end[k] - begin[k], effect + begin[k]);
        }
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    script.gp.failed |= heading.failed;
    gdyn_text_free(&heading);
    return gdyn_script_finish(&script, folder, sink);
}
