/* picture_overlay_motion.c - fastest motions of several designs over each other: phase plane, drive forces. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the keys stand. */
static const double RIGHT = 0.70, KEY = 0.715;

static void page(gdyn_script *script, const char *name, const char *title) {
    char heading[200];
    gdyn_script_line(script, "set multiplot");
    gdyn_page_heading(script, 0.09, 1 - 40.0 / script->high, "%s '%s'", title,
                      gdyn_script_heading(name, heading, sizeof heading));
    gdyn_page_axes(script);
    gdyn_page_columns(script, 0.09, RIGHT);
}

/* What a key says of a motion. */
static const char *describe(const gdyn_overlay_motion *of, char out[80]) {
    if (of->points == 0)
        snprintf(out, 80, "no motion: %s", of->status);
    else if (isfinite(of->time))
        snprintf(out, 80, "T = %.4g s", of->time);
    else
        *out = '\0';
    return out;
}

/* --- phase plane -------------------------------------------------------------------------------------- */

/* Between two points d2 is as good as constant: d1^2 is linear in p, and d1 steep where it is small: more places lie there. */
static int phase_data(gdyn_script *script, const gdyn_overlay_motion *of) {
    enum { PIECES = 8 };
    for (int i = 0; i < of->points; i++) {
        gdyn_text_printf(&script->data, "%.9g %.9g\n", of->p[i], of->d1[i]);
        bool joined = i + 1 < of->points && of->p[i + 1] != of->p[i];
        for (int k = 1; k < PIECES && joined; k++) {
            double a = of->d1[i], b = of->d1[i + 1], part = (double)k / PIECES;
            double f = a <= b ? part * part : 1 - (1 - part) * (1 - part);
            gdyn_text_printf(&script->data, "%.9g %.9g\n", (1 - f) * of->p[i] + f * of->p[i + 1],
                             sqrt((1 - f) * a * a + f * b * b));
        }
    }
    return of->points ? gdyn_script_end_block(script) : -1;
}

/* The axis of p: the motions of all sources have the same. */
static void set_places(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_motion *of) {
    for (int k = 0; k < o->count; k++) {
        double from = of[k].points ? of[k].p[0] : 0;
        double to = of[k].points ? of[k].p[of[k].points - 1] : 0;
        if (from != to) {
            gdyn_page_range(script, 'x', from, to);
            return;
        }
    }
}

static double greatest_speed(const gdyn_overlay *o, const gdyn_overlay_motion *of) {
    double most = 0;
    for (int k = 0; k < o->count; k++)
        for (int i = 0; i < of[k].points; i++)
            most = fmax(most, of[k].d1[i]);
    return most;
}

static void plot_phase(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_motion *of) {
    char look[80], title[200], more[80];
    for (int k = 0; k < o->count; k++) {
        int block = phase_data(script, &of[k]);
        gdyn_overlay_line(k, 1, look);
        gdyn_overlay_title(o, k, describe(&of[k], more), title);
        if (block >= 0)
            gdyn_plot(script, block, "1:2 with lines %s title \"%s\"", look, title);
        else
            gdyn_plot_more(script, "NaN with lines %s title \"%s\"", look, title);
    }
    gdyn_plot_end(script);
}

gdyn_status gdyn_picture_overlay_phase(const gdyn_overlay *o, const char *name,
                                       const gdyn_overlay_motion *of) {
    gdyn_script script;
    gdyn_script_begin(&script, name, "overlay_phase", 1300, 700);
    do {
        page(&script, name, "Fastest motions along");
        gdyn_page_rows(&script, 0.90, 0.12);
        gdyn_page_key(&script, KEY, 0.89, "samplen 4 spacing 2.4");
        set_places(&script, o, of);
        gdyn_script_line(&script, "set yrange [0:*]");
        gdyn_page_label(&script, 'x', gdyn_axis_title_of_p(of[0].unit).text, "");
        gdyn_page_label(&script, 'y', gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, of[0].unit).text,
                        "");
        gdyn_page_tics(&script, 'y', 0, greatest_speed(o, of));
        plot_phase(&script, o, of);
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, o->folder, o->sink);
}

/* --- forces ------------------------------------------------------------------------------------------- */

/* Place of a drive in a motion, -1: it has none of that name. */
static int find_drive(const gdyn_overlay_motion *of, const char *name) {
    for (int k = 0; k < of->drives; k++)
        if (strcmp(of->drive[k], name) == 0)
            return k;
    return -1;
}

/* Force over time, its range widened to `range`. */
static int force_data(gdyn_script *script, const gdyn_overlay_motion *of, const char *drive,
                      double range[2]) {
    int column = find_drive(of, drive);
    for (int i = 0; i < of->points && column >= 0; i++) {
        double force = of->force[i * of->drives + column];
        if (!isfinite(force) || !isfinite(of->t[i])) {
            gdyn_text_printf(&script->data, "\n");
            continue;
        }
        gdyn_text_printf(&script->data, "%.9g %.9g\n", of->t[i], force);
        range[0] = fmin(range[0], force);
        range[1] = fmax(range[1], force);
    }
    return of->points && column >= 0 ? gdyn_script_end_block(script) : -1;
}

static void plot_force(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_motion *of,
                       const char *drive, bool keyed) {
    char look[80], title[200], name[200], cut[120], more[80], unit[60], caption[280];
    double range[2] = {0, 0};
    int block[GDYN_OVERLAY_MOST];
    const char *newton = of[0].newton[find_drive(&of[0], drive)];
    for (int k = 0; k < o->count; k++)
        block[k] = force_data(script, &of[k], drive, range);
    bool narrow = gdyn_script_narrow(script);
    snprintf(unit, sizeof unit, "%s%s%s", *newton ? "[" : "", newton, *newton ? "]" : "");
    gdyn_script_quote(gdyn_shorten(drive, 60, cut, sizeof cut), name, sizeof name);
    snprintf(caption, sizeof caption, "%s%s%s", name, narrow ? " " : "", narrow ? unit : "");
    gdyn_page_caption(script, 50, 1.1, "left font ',12'", caption);
    gdyn_page_label(script, 'y', narrow ? "" : unit, "");
    gdyn_script_line(script, "set offsets 0,0,graph 0.06,graph 0.06\nset ytics %.9g",
                     range[1] > range[0] ? gdyn_round_step(range[1] - range[0], 4) : 1);
    if (range[1] > range[0])
        gdyn_page_tics(script, 'y', range[0], range[1]);
    if (!keyed)
        gdyn_page_no_key(script);
    gdyn_plot_more(script, "0 with lines lw 1 dt 2 lc rgb '#888888' notitle");
    for (int k = 0; k < o->count; k++)
        gdyn_plot(script, block[k], "1:2 with lines %s title \"%s\"",
                  gdyn_overlay_line(k, 0.8, look),
                  gdyn_overlay_title(o, k, describe(&of[k], more), title));
    gdyn_plot_end(script);
    gdyn_script_line(script, "unset label");
}

gdyn_status gdyn_picture_overlay_forces(const gdyn_overlay *o, const char *name,
                                        const gdyn_overlay_motion *of, int drives,
                                        const char *const *drive) {
    gdyn_script script;
    int height = 220 + 190 * drives;
    double top = 1 - 90.0 / height, bottom = 80.0 / height, each = (top - bottom) / drives;
    double last = 0;
    for (int k = 0; k < o->count; k++)
        last = fmax(last, of[k].points ? of[k].t[of[k].points - 1] : 0);
    gdyn_script_begin(&script, name, "overlay_forces", 1300, height);
    do {
        page(&script, name, "Drive forces of the fastest motions along");
        gdyn_page_range(&script, 'x', 0, last > 0 ? last : 1);
        gdyn_page_key(&script, KEY, 0.90, "samplen 4 spacing 2.4");
        for (int i = 0; i < drives; i++) {
            bool lowest = i == drives - 1;
            gdyn_page_rows(&script, top - i * each, top - (i + 1) * each + 0.18 * each);
            gdyn_page_numbers(&script, 'x', lowest);
            gdyn_page_label(&script, 'x', lowest ? "t [s]" : "", "");
            plot_force(&script, o, of, drive[i], i == 0);
        }
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, o->folder, o->sink);
}
