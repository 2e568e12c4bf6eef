/* picture_tube.c - the accessible regions over p as a body in space, its surface in the colours of
 * the limits that are saturated there; the region of the first point closes it in front. */
#include "report/picture.h"

#include "base/memory.h"
#include "report/tube.h"

#include <math.h>

/* Letters on the faces, since colours come again after eight sets. */
static void write_letters(gdyn_tube *tube) {
    double wide =
        gdyn_script_narrow(&tube->script) ? 0.75 * tube->script.ordinary / tube->script.wide : 1;
    for (int slot = 0; slot < GDYN_LEGEND_SHOWN; slot++) {
        double at[3];
        if (gdyn_tube_view_place(tube, slot, wide * GDYN_TUBE_LETTER, at))
            gdyn_script_line(&tube->script,
                             "set label \"%c\" at first %.9g,%.9g,%.9g center front "
                             "font 'DejaVu Sans Bold,12' tc rgb '#%s'",
                             gdyn_legend_letter(slot), at[0], at[1], at[2],
                             gdyn_legend_dark(slot) ? "FFFFFF" : "000000");
    }
}

/* --- script ----------------------------------------------------------------------------------- */

/* Height of the view over its width in a column. */
static const double HIGH = 0.82;
/* Its numbers have more room there. */
static const double NARROW = 0.9;

/* In a column the numbers of an axis have little room. */
static void set_tics(gdyn_tube *tube) {
    enum { PARTS = 3 };
    const gdyn_trajectory *t = tube->t;
    double path = fabs(t->along.p[t->along.points - 1] - t->along.p[0]);
    const double size[3] = {tube->window.d1_high, path > 0 ? path : 1,
                            tube->window.d2_high - tube->window.d2_low};
    for (int i = 0; i < 3 && gdyn_script_narrow(&tube->script); i++)
        gdyn_script_line(&tube->script, "set %ctics %.9g", "xyz"[i],
                         gdyn_round_step(size[i], PARTS));
}

static void begin_page(gdyn_tube *tube) {
    const gdyn_trajectory *t = tube->t;
    double first = t->along.p[0], last = t->along.p[t->along.points - 1];
    char name[200];
    gdyn_page_heading(&tube->script, 0.04, 0.968, "Accessible regions over the path '%s'",
                      gdyn_script_heading(t->name, name, sizeof name));
    gdyn_legend_draw(&tube->legend, &tube->script, 0.80, 0.88, 0.1, "Saturated there:");
    gdyn_script_line(&tube->script, "set ylabel \"%s\" offset %d,-0.5",
                     gdyn_axis_title_of_p(t->unit).text,
                     gdyn_script_narrow(&tube->script) ? -3 : 1);
    gdyn_script_line(&tube->script, "set xlabel \"%s\" offset 0,-0.5",
                     gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, t->unit).text);
    gdyn_words d2 = gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, t->unit);
    if (gdyn_script_narrow(&tube->script)) /* above the view */
        gdyn_page_label(&tube->script, 'y', d2.text, "");
    else
        gdyn_script_line(&tube->script, "set zlabel \"%s\" rotate offset -1,0", d2.text);
    gdyn_script_line(&tube->script,
                     "set xrange [0:%.9g]\nset yrange [%.9g:%.9g]\nset zrange [%.9g:%.9g]",
                     tube->window.d1_high, first, last > first ? last : first + 1,
                     tube->window.d2_low, tube->window.d2_high);
    set_tics(tube);
    if (gdyn_script_narrow(&tube->script))
        gdyn_page_cell(&tube->script, 0, 1, false, HIGH * tube->script.wide);
    else
        gdyn_script_line(&tube->script, "set origin 0,-0.06\nset size 0.80,1.04");
    gdyn_script_line(
        &tube->script,
        "set view %d,%d,%g,%g\nset xyplane 0\nset border 895 lc rgb '#555555'\n"
        "set grid x y z vertical lc rgb '#D8D8D8' lt 1 lw 0.5\nset tics out scale 0.5\n"
        "unset colorbox\nset pm3d depthorder corners2color c1",
        GDYN_TUBE_TILT, GDYN_TUBE_TURN, gdyn_script_narrow(&tube->script) ? NARROW : 1.0,
        GDYN_TUBE_HEIGHT);
}

/* Up to GDYN_TUBE_SCANS points of the path, its first and last among them. */
static int choose_scans(const gdyn_trajectory *t, int *scan) {
    int count = t->along.points < GDYN_TUBE_SCANS ? t->along.points : GDYN_TUBE_SCANS;
    for (int i = 0; i < count; i++)
        scan[i] = count > 1 ? (int)((long)i * (t->along.points - 1) / (count - 1)) : 0;
    return count;
}

/* The key has the sets that occur; returns the greatest number of islands at a point. */
static int use_regions(gdyn_tube *tube) {
    int islands = 0;
    for (int i = 0; i < tube->scans; i++) {
        const gdyn_region *region = tube->t->along.region[tube->scan[i]];
        gdyn_legend_use_region(&tube->legend, region);
        islands = region->island_count > islands ? region->island_count : islands;
    }
    gdyn_legend_settle(&tube->legend);
    return islands;
}

/* Whether a region is unbounded, so that the window cuts it; *followed: whether the path is followed anywhere. */
static bool is_cut(const gdyn_tube *tube, bool *followed) {
    bool cut = false;
    *followed = false;
    for (int i = 0; i < tube->scans; i++) {
        const gdyn_region *region = tube->t->along.region[tube->scan[i]];
        *followed |= region->status != GDYN_REGION_UNKNOWN;
        cut |= region->island_count > 0 &&
               (region->d2_unbounded || isinf(region->island[region->island_count - 1].to));
    }
    return cut;
}

/* The window goes as far as the greatest d1 is usual (gdyn_usual_size); beside singular places it grows without bound. True
 * where regions are cut there. */
static bool set_window(gdyn_tube *tube) {
    const gdyn_region_points *at = &tube->t->along;
    double most = 0, *d1 = gdyn_alloc((size_t)at->points + 1, sizeof *d1);
    for (int i = 0; i < at->points && d1; i++) {
        d1[i] = at->region[i]->d1_max;
        most = isfinite(d1[i]) ? fmax(most, d1[i]) : most;
    }
    double usual = d1 ? gdyn_usual_size(at->points, at->p, d1) : NAN;
    gdyn_free(d1);
    bool grows = most > usual;
    tube->window = gdyn_window_within(at, tube->scans, tube->scan, grows ? usual : INFINITY);
    return grows;
}

static void plot(gdyn_tube *tube, bool grows) {
    bool followed, unbounded = is_cut(tube, &followed);
    if (grows)
        gdyn_page_note(&tube->script, 0.04, 0.935, "left font ',11' tc rgb '#555555'",
                       "cut off where it grows");
    else if (unbounded)
        gdyn_page_note(&tube->script, 0.04, 0.935, "left font ',11' tc rgb '#555555'",
                       "cut where it is unbounded");
    write_letters(tube);
    gdyn_plot_space(&tube->script);
    if (tube->script.blocks > 0) {
        gdyn_plot_more(&tube->script,
                       "data index 0:%d using 1:2:3:4 with pm3d fc rgb variable notitle",
                       tube->script.blocks - 1);
    } else {
        gdyn_page_note(&tube->script, 0.4, 0.5, "center", "%s",
                       followed ? "nothing is accessible" : "no point of the path is reached");
        gdyn_script_line(&tube->script, "unset border\nunset tics\nunset grid\nunset xlabel\n"
                                        "unset ylabel\nunset zlabel");
        gdyn_plot_more(&tube->script, "[0:1][0:1][0:1] 2 notitle");
    }
    gdyn_plot_end(&tube->script);
}

gdyn_status gdyn_picture_tube(const char *folder, const gdyn_trajectory *t, const gdyn_sink *sink) {
    int scan[GDYN_TUBE_SCANS];
    gdyn_tube tube = {.t = t, .scans = choose_scans(t, scan), .scan = scan};
    if (!gdyn_legend_create(&tube.legend, t, &t->along))
        return GDYN_ERROR_MEMORY;
    if (!gdyn_tube_view_begin(&tube)) {
        gdyn_legend_destroy(&tube.legend);
        return GDYN_ERROR_MEMORY;
    }
    int islands = use_regions(&tube);
    bool grows = set_window(&tube);
    gdyn_script_begin(&tube.script, t->name, "tube", 1400, 950);
    for (int k = 0; k < islands; k++)
        gdyn_tube_write(&tube, k, tube.scans, scan);
    do {
        begin_page(&tube);
        plot(&tube, grows);
    } while (gdyn_script_again(&tube.script));
    gdyn_tube_view_end(&tube);
    gdyn_legend_destroy(&tube.legend);
    return gdyn_script_finish(&tube.script, folder, sink);
}
