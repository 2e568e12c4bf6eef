/* picture_simulation.c - a simulation over time: coordinates of joints, residuals of the constraints, energies,
 * reactions with hatched strips for those that a rigid machine does not determine. */
#include "report/picture.h"
#include "report/simulation.h"

#include <math.h>
#include <string.h>

enum { LINES_MOST = 8, STRIPS_MOST = 24, WIDTH = 1300, PANEL = 330, HEAD = 70, FOOT = 70 };

static const char *const colours[LINES_MOST] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                "#E69F00", "#56B4E9", "#222222", "#8C6D31"};

typedef struct picture {
    const gdyn_record *record;
    gdyn_script script;
    int height, panel; /* pixels; the panel that comes next */
    int panels;
} picture;

static double value_at(const gdyn_record *r, int frame, int column) {
    return r->value[(size_t)frame * (size_t)r->columns + (size_t)column];
}

static double greatest(const gdyn_record *r, int column) {
    double most = NAN;
    for (int i = 0; i < r->frames; i++)
        most = fmax(most, fabs(value_at(r, i, column)));
    return most;
}

/* Greatest minus least value. */
static double range(const gdyn_record *r, int column) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < r->frames; i++) {
        low = fmin(low, value_at(r, i, column));
        high = fmax(high, value_at(r, i, column));
    }
    return high >= low ? high - low : NAN;
}

/* Columns of a kind and a unit ("": any) with the greatest measure; their number, *more: the rest. */
static int largest(const gdyn_record *r, gdyn_record_kind kind, const char *unit,
                   double (*measure)(const gdyn_record *, int), int list[LINES_MOST], int *more) {
    int count = 0, all = 0;
    for (int c = 0; c < r->columns; c++) {
        double size = measure(r, c);
        if (r->column[c].kind != kind || (*unit && strcmp(r->column[c].unit, unit) != 0) ||
            isnan(size))
            continue;
        all++;
        int at = count < LINES_MOST ? count++ : LINES_MOST;
        while (at > 0 && measure(r, list[at - 1]) < size) {
            if (at < LINES_MOST)
                list[at] = list[at - 1];
            at--;
        }
        if (at < LINES_MOST)
            list[at] = c;
    }
    *more = all - count;
    return count;
}

/* --- pages and panels ------------------------------------------------------------------------------------ */

static void begin(picture *pic, const gdyn_simulated *run, const char *kind, const char *title,
                  int panels) {
    char name[200];
    *pic = (picture){.record = run->record, .panels = panels};
    pic->height = HEAD + FOOT + panels * PANEL;
    gdyn_script_begin(&pic->script, "", kind, WIDTH, pic->height);
    gdyn_script_line(
        &pic->script, "set multiplot\nset label \"%s '%s'\" at screen 0.09,%.4f left font ',16'",
        title, gdyn_script_heading(run->name, name, sizeof name), 1 - 35.0 / pic->height);
    gdyn_script_line(&pic->script, "set border lc rgb '#444444'\nset tics nomirror out scale 0.6\n"
                                   "set grid lc rgb '#E4E4E4' lt 1 lw 0.6 back\n"
                                   "set lmargin at screen 0.09\nset rmargin at screen 0.79");
    double last = value_at(run->record, run->record->frames - 1, 0);
    gdyn_script_line(&pic->script, "set xrange [0:%.9g]", last > 0 ? last : 1);
}

/* Space of the next panel; its axes. */
static void place_panel(picture *pic, const char *ylabel) {
    double top = 1 - (double)(HEAD + pic->panel * PANEL) / pic->height;
    double bottom = top - (double)(PANEL - 45) / pic->height;
    bool last = ++pic->panel == pic->panels;
    gdyn_script_line(&pic->script,
                     "set tmargin at screen %.4f\nset bmargin at screen %.4f\nset ylabel \"%s\"\n"
                     "set key at screen 0.80,%.4f left top Left reverse samplen 2 font ',11'",
                     top, bottom, ylabel, top);
    gdyn_script_line(&pic->script, last ? "set xlabel \"time [s]\"" : "unset xlabel");
}

static int write_curve(picture *pic, int column, bool absolute) {
    const gdyn_record *r = pic->record;
    for (int i = 0; i < r->frames; i++) {
        double value = value_at(r, i, column);
        if (isnan(value))
            gdyn_text_printf(&pic->script.data, "\n");
        else
            gdyn_text_printf(&pic->script.data, "%.9g %.9g\n", value_at(r, i, 0),
                             absolute ? fmax(fabs(value), 1e-300) : value);
    }
    return gdyn_script_end_block(&pic->script);
}

/* Lines that are level have a window of their own: gnuplot takes none from them without complaint. */
static void set_window(picture *pic, int count, const int *list) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < pic->record->frames; i++) {
            low = fmin(low, value_at(pic->record, i, list[k]));
            high = fmax(high, value_at(pic->record, i, list[k]));
        }
    double size = fmax(fabs(low), fabs(high)), spare = size > 0 ? 0.1 * size : 1;
    if (high - low > 1e-9 * size)
        gdyn_script_line(&pic->script, "set autoscale y");
    else
        gdyn_script_line(&pic->script, "set yrange [%.9g:%.9g]", low - spare, high + spare);
}

static void plot(picture *pic, int count, const int *list, bool absolute) {
    int block[LINES_MOST];
    char quoted[240];
    for (int i = 0; i < count; i++)
        block[i] = write_curve(pic, list[i], absolute);
    if (absolute)
        gdyn_script_line(&pic->script, "set logscale y\nset format y \"%%.0e\"\nset autoscale y");
    else
        set_window(pic, count, list);
    gdyn_text_printf(&pic->script.gp, "plot ");
    for (int i = 0; i < count; i++)
        gdyn_text_printf(
            &pic->script.gp,
            "%sdata index %d using 1:2 with lines lw 2.2 dt %d lc rgb '%s' title "
            "\"%s\"",
            i ? ", \\\n  " : "", block[i], i % 4 + 1, colours[i],
            gdyn_script_quote(pic->record->column[list[i]].name, quoted, sizeof quoted));
    gdyn_script_line(&pic->script, "\nunset label");
}

static gdyn_status finish(picture *pic, const char *folder, const char *kind,
                          gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_script_line(&pic->script, "unset multiplot");
    gdyn_status status = gdyn_script_finish(&pic->script, folder, sink);
    if (status == GDYN_OK && !gdyn_pictures_add(pictures, "", kind))
        return GDYN_ERROR_MEMORY;
    return status;
}

/* --- the pictures -------------------------------------------------------------------------------------------- */

/* Coordinates of joints; without any, velocities of bodies. */
static gdyn_status draw_motion(const char *folder, const gdyn_simulated *run,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    int list[2][LINES_MOST], count[2], more[2];
    gdyn_record_kind kind = GDYN_RECORD_JOINT;
    const char *const units[2][2] = {{"rad", "m"}, {"rad/s", "m/s"}};
    const char *const titles[2][2] = {{"angle of joints [rad]", "slide of joints [m]"},
                                      {"angular velocity [rad/s]", "velocity [m/s]"}};
    int set = 0;
    for (int k = 0; k < 2; k++)
        count[k] = largest(run->record, kind, units[0][k], range, list[k], &more[k]);
    if (count[0] + count[1] == 0) {
        set = 1;
        for (int k = 0; k < 2; k++)
            count[k] =
                largest(run->record, GDYN_RECORD_VELOCITY, units[1][k], range, list[k], &more[k]);
    }
    begin(&pic, run, "simulate_motion", "Motion of", (count[0] > 0) + (count[1] > 0));
    for (int k = 0; k < 2; k++)
        if (count[k] > 0) {
            place_panel(&pic, titles[set][k]);
            gdyn_script_line(&pic.script, "set key title \"%s\" left",
                             more[k] > 0 ? "those that move most" : "");
            plot(&pic, count[k], list[k], false);
        }
    return finish(&pic, folder, "simulate_motion", pictures, sink);
}

static gdyn_status draw_residuals(const char *folder, const gdyn_simulated *run,
                                  gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    int list[LINES_MOST], more;
    int count = largest(run->record, GDYN_RECORD_RESIDUAL, "", greatest, list, &more);
    begin(&pic, run, "simulate_residuals", "Violation of the constraints of", 1);
    place_panel(&pic, "greatest residual [m, m/s, m/s^2]");
    plot(&pic, count, list, true);
    return finish(&pic, folder, "simulate_residuals", pictures, sink);
}

static gdyn_status draw_energy(const char *folder, const gdyn_simulated *run,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    const gdyn_record *r = run->record;
    int list[LINES_MOST], count = 0, balance = gdyn_record_find(r, "energy.balance");
    for (int c = 0; c < r->columns; c++)
        if (r->column[c].kind == GDYN_RECORD_ENERGY && c != balance && greatest(r, c) > 0 &&
            count < LINES_MOST)
            list[count++] = c;
    begin(&pic, run, "simulate_energy", "Energies and works of", 1 + (count > 0));
    if (count > 0) {
        place_panel(&pic, "energy [J]");
        plot(&pic, count, list, false);
    }
    place_panel(&pic, "balance [J]");
    plot(&pic, 1, &balance, false);
    return finish(&pic, folder, "simulate_energy", pictures, sink);
}

/* Strips over the time for components that are indeterminate at some frame. */
static void draw_strips(picture *pic) {
    const gdyn_record *r = pic->record;
    char quoted[240];
    int shown = 0, more = 0;
    for (int c = 0; c < r->columns; c++) {
        int component = r->column[c].component;
        if (component < 0 || r->worst[component] == GDYN_UNIQUE)
            continue;
        if (shown == STRIPS_MOST) {
            more++;
            continue;
        }
        for (int i = 0; i < r->frames; i++) {
            size_t at = (size_t)i * (size_t)r->components + (size_t)component;
            if (r->verdict[at] == GDYN_UNIQUE)
                continue;
            int from = i;
            while (i + 1 < r->frames && r->verdict[at + (size_t)r->components] != GDYN_UNIQUE) {
                at += (size_t)r->components;
                i++;
            }
            double a = value_at(r, from, 0), b = value_at(r, i, 0);
            gdyn_text_printf(&pic->script.data, "%.9g %d %.9g %.9g %.9g %.9g\n", 0.5 * (a + b),
                             -shown, a, b, -shown - 0.4, -shown + 0.4);
        }
        gdyn_script_line(&pic->script, "set ytics add (\"%s\" %d)",
                         gdyn_script_quote(r->column[c].name, quoted, sizeof quoted), -shown);
        shown++;
    }
    int block = gdyn_script_end_block(&pic->script);
    gdyn_script_line(&pic->script,
                     "set yrange [%.9g:0.6]\nunset grid\nplot data index %d using 1:2:3:4:5:6 with "
                     "boxxyerror fs pattern 4 fc rgb '#555555' title \"indeterminate%s\"",
                     -shown + 0.4, block, more > 0 ? " (and more)" : "");
}

static gdyn_status draw_reactions(const char *folder, const gdyn_simulated *run,
                                  gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    const gdyn_record *r = run->record;
    const char *const units[2] = {"N", "N m"}, *const titles[2] = {"force [N]", "moment [N m]"};
    int list[2][LINES_MOST], count[2], more[2], open = 0;
    for (int k = 0; k < 2; k++)
        count[k] = largest(r, GDYN_RECORD_REACTION, units[k], greatest, list[k], &more[k]);
    for (int c = 0; c < r->components; c++)
        open += r->worst[c] != GDYN_UNIQUE;
    if (count[0] + count[1] + open == 0)
        return GDYN_OK;
    begin(&pic, run, "simulate_reactions", "Joint reactions of",
          (count[0] > 0) + (count[1] > 0) + (open > 0));
    for (int k = 0; k < 2; k++)
        if (count[k] > 0) {
            place_panel(&pic, titles[k]);
            gdyn_script_line(&pic.script, "set key title \"%s\" left",
                             r->all        ? "as the method has them"
                             : more[k] > 0 ? "largest of the unique"
                                           : "unique");
            plot(&pic, count[k], list[k], false);
        }
    if (open > 0) {
        place_panel(&pic, "");
        gdyn_script_line(&pic.script, "unset ytics\nset ytics out nomirror ()\nset key title \"\"");
        draw_strips(&pic);
    }
    return finish(&pic, folder, "simulate_reactions", pictures, sink);
}

gdyn_status gdyn_pictures_of_simulation(const char *folder, const gdyn_simulated *run,
                                        gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status (*const draw[])(const char *, const gdyn_simulated *, gdyn_pictures *,
                                const gdyn_sink *) = {draw_motion, draw_residuals, draw_energy,
                                                      draw_reactions};
    gdyn_status status = GDYN_OK;
    for (size_t i = 0; i < sizeof draw / sizeof *draw && status == GDYN_OK; i++)
        status = draw[i](folder, run, pictures, sink);
    return status;
}
