/* picture_overlay_simulation.c - simulations over each other: a panel for each column, over time. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the keys stand. */
static const double LEFT = 0.10, RIGHT = 0.74, KEY = 0.755;
/* What is smaller is zero on a logarithmic axis. */
static const double ZERO = 1e-18;

/* A column over time, its range widened to `range`; -1: the run has no number in it. */
static int column_data(gdyn_script *script, const gdyn_overlay_simulation *of, int column,
                       bool absolute, double range[2]) {
    bool any = false;
    for (int i = 0; i < of->frames; i++) {
        const double *row = of->value + (size_t)i * (size_t)of->columns;
        double value = absolute ? fmax(fabs(row[column]), ZERO) : row[column];
        if (!isfinite(value)) { /* not determined there */
            gdyn_text_printf(&script->data, "\n");
            continue;
        }
        any = true;
        gdyn_text_printf(&script->data, "%.9g %.9g\n", row[0], value);
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
    return any ? gdyn_script_end_block(script) : -1;
}

static void plot_column(gdyn_script *script, const gdyn_overlay *o,
                        const gdyn_overlay_simulation *of, const char *name, bool keyed) {
    char look[80], title[200], quoted[200], cut[120], caption[280];
    double range[2] = {INFINITY, -INFINITY};
    int block[GDYN_OVERLAY_MOST], first = gdyn_overlay_column(&of[0], name);
    bool absolute = strcmp(of[0].kind[first], "residual") == 0;
    for (int k = 0; k < o->count; k++)
        block[k] = column_data(script, &of[k], gdyn_overlay_column(&of[k], name), absolute, range);
    gdyn_script_quote(gdyn_shorten(name, 60, cut, sizeof cut), quoted, sizeof quoted);
    snprintf(caption, sizeof caption, "%s [%s]", quoted, of[0].unit[first]);
    gdyn_page_caption(script, 50, 1.1, "left font ',12'", caption);
    gdyn_script_line(script, "unset logscale y\nset format y \"%%g\"\nset autoscale y\nset offsets "
                             "0,0,graph 0.06,graph 0.06");
    if (absolute && range[0] < range[1]) {
        gdyn_script_line(
            script,
            "set offsets 0,0,0,0\nset logscale y\nset format y \"%%.0e\"\nset ytics autofreq");
        gdyn_page_logarithmic(script, 'y', range[0], range[1]);
    } else {
        gdyn_script_line(script, "set ytics %.9g",
                         range[1] > range[0] ? gdyn_round_step(range[1] - range[0], 4) : 1);
        if (range[1] > range[0])
            gdyn_page_tics(script, 'y', range[0], range[1]);
    }
    if (!keyed)
        gdyn_page_no_key(script);
    for (int k = 0; k < o->count; k++) {
        gdyn_overlay_line(k, 0.8, look);
        gdyn_overlay_title(o, k, block[k] < 0 ? "no numbers" : "", title);
        if (block[k] >= 0)
            gdyn_plot(script, block[k], "1:2 with lines %s title \"%s\"", look, title);
        else
            gdyn_plot_more(script, "NaN with lines %s title \"%s\"", look, title);
    }
    gdyn_plot_end(script);
    gdyn_script_line(script, "unset label");
}

gdyn_status gdyn_picture_overlay_simulation(const gdyn_overlay *o,
                                            const gdyn_overlay_simulation *of, int count,
                                            const char *const *column) {
    gdyn_script script;
    int height = 220 + 190 * count;
    double top = 1 - 90.0 / height, bottom = 80.0 / height, each = (top - bottom) / count;
    double last = 0;
    for (int k = 0; k < o->count; k++)
        if (of[k].frames > 0)
            last = fmax(last, of[k].value[(size_t)(of[k].frames - 1) * (size_t)of[k].columns]);
    gdyn_script_begin(&script, "", "overlay_simulation", 1300, height);
    do {
        gdyn_script_line(&script, "set multiplot");
        gdyn_page_heading(&script, LEFT, 1 - 40.0 / script.high, "Simulations");
        gdyn_page_axes(&script);
        gdyn_page_columns(&script, LEFT, RIGHT);
        gdyn_page_range(&script, 'x', 0, last > 0 ? last : 1);
        gdyn_page_key(&script, KEY, 0.90, "samplen 4 spacing 2.4");
        for (int i = 0; i < count; i++) {
            bool lowest = i == count - 1;
            gdyn_page_rows(&script, top - i * each, top - (i + 1) * each + 0.18 * each);
            gdyn_page_numbers(&script, 'x', lowest);
            gdyn_page_label(&script, 'x', lowest ? "t [s]" : "", "");
            plot_column(&script, o, of, column[i], i == 0);
        }
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, o->folder, o->sink);
}
