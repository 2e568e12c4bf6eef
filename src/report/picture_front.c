/* picture_front.c - all evaluated designs in the plane of two objectives, or in a matrix of all pairs
 * of three and more.
 *
 * The window follows the better part of the feasible designs: a few bad ones far away must not press
 * the front into a corner. */
#include "report/picture_study.h"

#include <stdio.h>

enum { PLOT_MOST = 6 }; /* objectives shown */

/* Height of a plot over the width of a column. */
static const double HIGH = 0.6;

/* A page with one plot and its key beside it. */
static void begin_single(gdyn_script *script, const gdyn_view *view) {
    char text[300];
    gdyn_marks_title(view, text, sizeof text);
    gdyn_marks_frame(script);
    gdyn_page_any_key(script, "set key outside right center vertical Left reverse samplen 1");
    if (!gdyn_script_narrow(script)) {
        gdyn_page_title(script, text, "");
        return;
    }
    gdyn_page_heading(script, 0, 1, "%s", text);
    gdyn_page_cell(script, 0, 1, false, HIGH * script->wide);
}

static void single(gdyn_script *script, const gdyn_view *view, const gdyn_axis *axes,
                   const bool present[GDYN_MARKS]) {
    char text[300];
    begin_single(script, view);
    gdyn_axis_set(view, &axes[0], 'x', true, script);
    gdyn_axis_set(view, &axes[1], 'y', true, script);
    gdyn_page_label(script, 'x', gdyn_axis_label(view, &axes[0], ", ", text, sizeof text), "");
    gdyn_page_label(script, 'y', gdyn_axis_label(view, &axes[1], ", ", text, sizeof text), "");
    gdyn_marks_plot(script, 1, 2, present, true);
}

/* One objective alone: its values in the order of evaluation. */
static void alone(gdyn_script *script, const gdyn_view *view, const gdyn_axis *axis,
                  const bool present[GDYN_MARKS]) {
    char text[300];
    begin_single(script, view);
    gdyn_page_label(script, 'x', "number of the design", "");
    gdyn_page_range(script, 'x', 0, view->archive->count > 1 ? view->archive->count - 1 : 1);
    gdyn_axis_set(view, axis, 'y', true, script);
    gdyn_page_label(script, 'y', gdyn_axis_label(view, axis, ", ", text, sizeof text), "");
    gdyn_marks_plot(script, 2, 1, present, true);
}

/* One cell of the matrix; labels at the left and below only. */
static void cell(gdyn_script *script, const gdyn_view *view, const gdyn_axis *axes, int x, int y,
                 int m, const bool present[GDYN_MARKS]) {
    char text[200];
    /* Labels stand at the outer cells only. */
    bool bottom = y == m - 1, left = x == 0, narrow = gdyn_script_narrow(script);
    gdyn_axis_set(view, &axes[x], 'x', bottom, script);
    gdyn_axis_set(view, &axes[y], 'y', left, script);
    gdyn_page_label(script, 'x',
                    bottom ? gdyn_axis_label(view, &axes[x], "\\n", text, sizeof text) : "", "");
    gdyn_page_no_key(script);
    gdyn_page_label(script, 'y',
                    left ? gdyn_axis_label(view, &axes[y], narrow ? ", " : "\\n", text, sizeof text)
                         : "",
                    "offset -0.6,0");
    gdyn_marks_plot(script, x + 1, y + 1, present, false);
}

/* A pair of objectives as a panel of its own. */
static void pair(gdyn_script *script, const gdyn_view *view, const gdyn_axis *axes, int x, int y,
                 const bool present[GDYN_MARKS]) {
    char text[300];
    gdyn_axis_set(view, &axes[x], 'x', true, script);
    gdyn_axis_set(view, &axes[y], 'y', true, script);
    gdyn_page_label(script, 'x', gdyn_axis_label(view, &axes[x], "\\n", text, sizeof text), "");
    gdyn_page_label(script, 'y', "", "");
    gdyn_page_caption(script, 71, 1, "left",
                      gdyn_axis_label(view, &axes[y], "\\n", text, sizeof text));
    gdyn_marks_plot(script, x + 1, y + 1, present, false);
}

/* The same in a column; where cells would be too small, all pairs one after the other. */
static void narrow_matrix(gdyn_script *script, const gdyn_view *view, int m, const gdyn_axis *axes,
                          const bool present[GDYN_MARKS]) {
    static const double LEAST = 72, LEAST_ALONE = 100;
    char text[300];
    int cells = m - 1, done = 0;
    bool small = gdyn_column_room(script, cells, false) < LEAST;
    if (small)
        cells = gdyn_column_cells(script, 3, LEAST_ALONE, true);
    gdyn_marks_title(view, text, sizeof text);
    gdyn_script_line(script, "set multiplot");
    gdyn_page_heading(script, 0, 1, "%s", text);
    if (view->start->objective_count > m)
        gdyn_page_note(script, 0, 1, "left", "the first %d of %d objectives", m,
                       view->start->objective_count);
    gdyn_marks_frame(script);
    gdyn_marks_key(script, present);
    for (int y = 1; y < m; y++)
        for (int x = 0; x < y; x++, done++) {
            gdyn_page_cell(script, small ? done % cells : x, cells, small,
                           0.9 * gdyn_column_room(script, cells, small));
            if (small)
                pair(script, view, axes, x, y, present);
            else
                cell(script, view, axes, x, y, m, present);
        }
    gdyn_script_line(script, "unset multiplot");
}

/* Lower triangle: row y = 1 .. m-1, column x = 0 .. y-1; the free corner carries the legend. */
static void matrix(gdyn_script *script, const gdyn_view *view, int m, int side,
                   const gdyn_axis *axes, const bool present[GDYN_MARKS]) {
    char text[300];
    gdyn_marks_title(view, text, sizeof text);
    /* One cell for each pair of objectives. */
    gdyn_script_line(script,
                     "set multiplot layout %d,%d columnsfirst margins "
                     "%.3f,0.98,%.3f,%.3f spacing 0.03,0.03",
                     m - 1, m - 1, 125.0 / side, 90.0 / side, 1 - 84.0 / side);
    gdyn_page_note(script, 0.5, 1 - 22.0 / side, "center", "%s", text);
    if (view->start->objective_count > m)
        gdyn_page_note(script, 0.5, 1 - 64.0 / side, "center", "the first %d of %d objectives", m,
                       view->start->objective_count);
    gdyn_marks_frame(script);
    /* Columns first, as gnuplot fills the layout. */
    for (int x = 0; x + 1 < m; x++) {
        for (int y = 1; y < m; y++) {
            if (y > x)
                cell(script, view, axes, x, y, m, present);
            else if (x == 1 && y == 1)
                gdyn_marks_key(script, present);
            else
                gdyn_script_line(script, "set multiplot next");
            gdyn_script_line(script, "unset label");
        }
    }
    gdyn_script_line(script, "unset multiplot");
}

/* Number of the design as an axis' place: one objective is drawn against it. */
static void write_numbers(gdyn_script *script, gdyn_view *view, const gdyn_axis *axis,
                          bool present[GDYN_MARKS]) {
    int seen = 0;
    /* The same blocks as in other pictures, so that keys agree. */
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++) {
        present[mark] = false;
        for (int i = 0; i < view->archive->count; i++) {
            const gdyn_design *d = view->archive->design[i];
            bool wanted = mark == GDYN_MARK_START ? d->serial == 0 : view->mark[i] == mark;
            if (!d->evaluated || !wanted)
                continue;
            double value = gdyn_axis_value(axis, d);
            view->clipped[i] = value < axis->low || value > axis->high;
            if (mark < GDYN_MARK_FRONT && seen++ % view->stride != 0)
                continue;
            gdyn_text_printf(&script->data, "%.9g %ld\n", gdyn_axis_shown(axis, value), d->serial);
            present[mark] = true;
        }
        if (!present[mark])
            gdyn_text_printf(&script->data, "NaN NaN\n");
        gdyn_script_end_block(script);
    }
}

gdyn_status gdyn_picture_front(const char *folder, const gdyn_outcome *outcome,
                               const gdyn_sink *sink) {
    gdyn_view view;
    if (!gdyn_view_create(&view, outcome))
        return GDYN_ERROR_MEMORY;
    /* More than six objectives do not fit on a page. */
    int m = view.start->objective_count < PLOT_MOST ? view.start->objective_count : PLOT_MOST;
    gdyn_axis axes[PLOT_MOST];
    for (int k = 0; k < m; k++)
        axes[k] = gdyn_axis_make(&view, GDYN_AXIS_OBJECTIVE, k);
    gdyn_script script;
    bool present[GDYN_MARKS];
    /* Points are thinned by what one page can hold. */
    gdyn_marks_thin(&view, m * (m - 1) / 2);
    int side = m < 3 ? 0 : 240 + 260 * (m - 1);
    gdyn_script_begin(&script, "", "front", side ? side : 900, side ? side : 640);
    if (m == 1)
        write_numbers(&script, &view, &axes[0], present);
    else
        gdyn_marks_write(&script, &view, m, axes, present);
    /* One objective over its number, two in a plane, more in a matrix. */
    do {
        if (m == 1)
            alone(&script, &view, &axes[0], present);
        else if (m == 2)
            single(&script, &view, axes, present);
        else if (gdyn_script_narrow(&script))
            narrow_matrix(&script, &view, m, axes, present);
        else
            matrix(&script, &view, m, side, axes, present);
    } while (gdyn_script_again(&script));
    gdyn_view_destroy(&view);
    return gdyn_script_finish(&script, folder, sink);
}
