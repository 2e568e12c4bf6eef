/* picture_front.c - all evaluated designs in the plane of two objectives, or in those of all
 * pairs of three and more.
 *
 * The window follows the better part of the feasible designs: a few bad ones far away must not
 * press the front into a corner. */
#include "report/picture_study.h"

enum { PLOT_MOST = 6 }; /* objectives shown */

/* Column y over column x of the data; titled by the axes. */
static void add_panel(gdyn_figure *f, const gdyn_figure_axis *axes, int x, int y,
                      const int block[GDYN_MARKS]) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->ratio = 0.75;
    panel->x = axes[x];
    panel->y = axes[y];
    gdyn_marks_draw(f, panel, x + 1, y + 1, block);
}

void gdyn_front_figure(gdyn_figure *f, const gdyn_outcome *outcome) {
    gdyn_view view;
    int all = gdyn_study_start(outcome->study)->objective_count;
    gdyn_figure_begin(f, "", "front", all < 3 ? 800 : 1100);
    if (!gdyn_view_create(&view, outcome)) {
        f->failed = true;
        return;
    }
    /* More than six objectives do not fit on a page. */
    int m = all < PLOT_MOST ? all : PLOT_MOST;
    int block[GDYN_MARKS], last = view.archive->count - 1;
    gdyn_axis axes[PLOT_MOST];
    gdyn_figure_axis shown[PLOT_MOST + 1];
    for (int k = 0; k < m; k++) {
        axes[k] = gdyn_axis_make(&view, GDYN_AXIS_OBJECTIVE, k);
        shown[k] = gdyn_axis_of_figure(&view, &axes[k], f);
    }
    /* Points are thinned by what one page can hold. */
    gdyn_marks_thin(&view, m * (m - 1) / 2);
    gdyn_marks_write(f, &view, m, axes, m == 1, block);
    gdyn_marks_title(f, &view);
    if (all > m)
        gdyn_figure_text(f, GDYN_REMARK, "the first %d of %d objectives", m, all);
    gdyn_marks_key(f, block);
    /* One objective over its number, two in a plane, all pairs of more. */
    shown[m] = (gdyn_figure_axis){
        .title = "number of the design", .high = last > 0 ? last : 1, .whole = true};
    if (m == 1)
        add_panel(f, shown, 1, 0, block);
    if (m > 2)
        gdyn_figure_side_by_side(f, 3, 120, false);
    for (int y = 1; y < m; y++)
        for (int x = 0; x < y; x++)
            add_panel(f, shown, x, y, block);
    gdyn_view_destroy(&view);
}
