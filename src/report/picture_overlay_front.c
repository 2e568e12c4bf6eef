/* picture_overlay_front.c - fronts of several studies over each other: one objective over another, or all pairs of them. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Marks that are told apart without colour: filled and open circles, squares, triangles, ... */
static const int mark_type[GDYN_OVERLAY_MOST] = {7, 4, 8, 2, 12, 5, 6, 9};

static int find_objective(const gdyn_overlay_front *of, const char *name) {
    for (int k = 0; k < of->objectives; k++)
        if (strcmp(of->name[k], name) == 0)
            return k;
    return -1;
}

/* The objectives of a front as columns, in the order of `objective`. */
static int front_data(gdyn_script *script, const gdyn_overlay_front *of, int objectives,
                      const char *const *objective) {
    for (int i = 0; i < of->designs; i++) {
        for (int m = 0; m < objectives; m++)
            gdyn_text_printf(&script->data, "%s%.9g", m ? " " : "",
                             of->value[i * of->objectives + find_objective(of, objective[m])]);
        gdyn_text_printf(&script->data, "\n");
    }
    return of->designs ? gdyn_script_end_block(script) : -1;
}

/* "area [m^2/s^3], maximized"; quoted. */
static const char *label(const gdyn_overlay_front *of, const char *objective, const char *between,
                         char out[300]) {
    char name[200], cut[120];
    int k = find_objective(of, objective);
    bool plain = !*of->unit[k];
    gdyn_script_quote(gdyn_shorten(objective, 30, cut, sizeof cut), name, sizeof name);
    snprintf(out, 300, "%s%s%s%s%s%s", name, plain ? "" : " [",
             gdyn_picture_letters(of->unit[k]).text, plain ? "" : "]", between,
             of->maximized[k] ? "maximized" : "minimized");
    return out;
}

static void plot_pair(gdyn_script *script, const gdyn_overlay *o, const int *block, int x, int y) {
    for (int k = 0; k < o->count; k++)
        gdyn_plot(script, block[k], "%d:%d with points pt %d ps 1.1 lw 1.6 lc rgb '#%06X' notitle",
                  x + 1, y + 1, mark_type[k], gdyn_page_colour(k));
    gdyn_plot_end(script);
}

/* Range and tics of the axis that shows an objective: all fronts, and some room. */
static void set_axis(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_front *of,
                     const char *objective, char axis, int tics) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < o->count; k++)
        for (int i = 0; i < of[k].designs; i++) {
            double value = of[k].value[i * of[k].objectives + find_objective(&of[k], objective)];
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
    if (!(low <= high))
        low = high = 0;
    double room = high > low ? 0.06 * (high - low) : fmax(1, 0.1 * fabs(high));
    gdyn_page_range(script, axis, low - room, high + room);
    gdyn_script_line(script, "set %ctics %.9g", axis, gdyn_round_step(high - low + 2 * room, tics));
}

/* An empty plot with nothing but the key; how large each front is, is said there. */
static void plot_key(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_front *of) {
    char title[200], more[80];
    bool narrow = gdyn_script_narrow(script);
    if (!narrow)
        gdyn_script_line(script, "unset border\nunset tics\nunset grid\nunset xlabel\nunset "
                                 "ylabel\nset xrange [0:1]\nset yrange [0:1]");
    for (int k = 0; k < o->count; k++) {
        snprintf(more, sizeof more, "%d design%s", of[k].designs, gdyn_plural(of[k].designs));
        if (narrow) { /* an entry of the lines above the plots */
            snprintf(title, sizeof title, "points pt %d ps 1.4 lw 1.6 lc rgb '#%06X'", mark_type[k],
                     gdyn_page_colour(k));
            gdyn_page_sample(script, title);
            gdyn_page_note(script, 0, 1, "left", "%s", gdyn_overlay_title(o, k, more, title));
            continue;
        }
        gdyn_plot_more(script, "NaN with points pt %d ps 1.4 lw 1.6 lc rgb '#%06X' title \"%s\"",
                       mark_type[k], gdyn_page_colour(k), gdyn_overlay_title(o, k, more, title));
    }
    if (!narrow)
        gdyn_plot_end(script);
}

/* One objective alone: its best value in every study. */
static void plot_alone(gdyn_script *script, const gdyn_overlay *o, const int *block) {
    gdyn_script_line(script, "set xrange [-0.5:%d.5]\nset xtics scale 0 () font ',11'",
                     o->count - 1);
    gdyn_page_own_tics(script, 'x');
    for (int k = 0; k < o->count; k++)
        gdyn_script_line(script, "set xtics add (\"%d\" %d)", k + 1, k);
    for (int k = 0; k < o->count; k++)
        gdyn_plot(script, block[k], "(%d):1 with points pt %d ps 1.6 lw 1.6 lc rgb '#%06X' notitle",
                  k, mark_type[k], gdyn_page_colour(k));
    gdyn_plot_end(script);
}

/* The lower triangle of all pairs; labels at the left and below only. */
static void plot_cell(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_front *of,
                      const char *const *objective, const int *block, int cells, int x, int y) {
    char text[300];
    double each = 0.78 / cells, left = 0.16 + x * each, top = 0.92 - (y - 1) * each;
    bool lowest = y == cells, first = x == 0, narrow = gdyn_script_narrow(script);
    gdyn_page_columns(script, left, left + 0.94 * each);
    gdyn_page_rows(script, top, top - 0.94 * each);
    if (narrow)
        gdyn_page_cell(script, x, cells, false, 0.9 * gdyn_column_room(script, cells, false));
    gdyn_page_numbers(script, 'x', lowest);
    gdyn_page_numbers(script, 'y', first);
    gdyn_page_label(script, 'x', lowest ? label(of, objective[x], "\\n", text) : "", "");
    gdyn_page_label(script, 'y', first ? label(of, objective[y], narrow ? ", " : "\\n", text) : "",
                    "offset -0.8,0");
    set_axis(script, o, of, objective[x], 'x', 3);
    set_axis(script, o, of, objective[y], 'y', 5);
    plot_pair(script, o, block, x, y);
}

/* A pair as a panel of its own in a column of text. */
static void plot_lone(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_front *of,
                      const char *const *objective, const int *block, int x, int y) {
    static const double LEAST = 100;
    char text[300];
    int cells = gdyn_column_cells(script, 3, LEAST, true), done = y * (y - 1) / 2 + x;
    gdyn_page_cell(script, done % cells, cells, true, 0.9 * gdyn_column_room(script, cells, true));
    gdyn_page_label(script, 'x', label(of, objective[x], "\\n", text), "");
    gdyn_page_label(script, 'y', "", "");
    gdyn_page_caption(script, 71, 1, "left", label(of, objective[y], "\\n", text));
    set_axis(script, o, of, objective[x], 'x', 3);
    set_axis(script, o, of, objective[y], 'y', 5);
    plot_pair(script, o, block, x, y);
}

/* All pairs; in a column of text those of a row below each other where cells would be too small. */
static void plot_pairs(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_front *of,
                       const char *const *objective, const int *block, int cells) {
    static const double LEAST = 72;
    bool small = gdyn_script_narrow(script) && gdyn_column_room(script, cells, false) < LEAST;
    for (int y = 1; y <= cells; y++)
        for (int x = 0; x < y; x++) {
            if (small)
                plot_lone(script, o, of, objective, block, x, y);
            else
                plot_cell(script, o, of, objective, block, cells, x, y);
            gdyn_page_clear(script);
        }
}

static void draw(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_front *of,
                 int objectives, const char *const *objective, const int *block) {
    int cells = objectives > 1 ? objectives - 1 : 1;
    char text[300];
    bool narrow = gdyn_script_narrow(script);
    gdyn_script_line(script, "set multiplot");
    gdyn_page_heading(script, cells == 1 ? 0.11 : 0.16, 0.955, "Fronts of %d studies", o->count);
    gdyn_page_axes(script);
    if (narrow)
        plot_key(script, o, of);
    if (cells == 1) {
        gdyn_page_columns(script, 0.11, 0.66);
        gdyn_page_rows(script, 0.91, 0.12);
        gdyn_page_label(script, 'y', label(of, objective[objectives - 1], ", ", text), "");
        set_axis(script, o, of, objective[objectives - 1], 'y', 6);
    }
    if (objectives == 1) {
        plot_alone(script, o, block);
    } else if (cells == 1) {
        gdyn_page_label(script, 'x', label(of, objective[0], ", ", text), "");
        set_axis(script, o, of, objective[0], 'x', 6);
        plot_pair(script, o, block, 0, 1);
    } else {
        plot_pairs(script, o, of, objective, block, cells);
    }
    gdyn_page_clear(script);
    if (!narrow) {
        gdyn_page_key(script, cells == 1 ? 0.675 : 0.16 + 0.78 / cells + 0.04, 0.90,
                      "samplen 1 spacing 2.4");
        plot_key(script, o, of);
    }
    gdyn_script_line(script, "unset multiplot");
}

gdyn_status gdyn_picture_overlay_front(const gdyn_overlay *o, const gdyn_overlay_front *of,
                                       int objectives, const char *const *objective) {
    int block[GDYN_OVERLAY_MOST], cells = objectives > 1 ? objectives - 1 : 1;
    gdyn_script script;
    int side = cells == 1 ? 760 : 300 + 240 * cells;
    gdyn_script_begin(&script, "", "overlay_front", cells == 1 ? 1160 : side, side);
    for (int k = 0; k < o->count; k++)
        block[k] = front_data(&script, &of[k], objectives, objective);
    do {
        draw(&script, o, of, objectives, objective, block);
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, o->folder, o->sink);
}
