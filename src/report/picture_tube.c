/* picture_tube.c - the accessible regions over p as a body in space, its surface in the colours of
 * the limits that are saturated there; the region of the first point closes it in front. */
#include "report/picture.h"

#include "base/memory.h"
#include "report/tube.h"

#include <math.h>

/* Letters on the faces, since colours come again after eight sets: their block. */
static int write_letters(gdyn_tube *tube) {
    for (int slot = 0; slot < GDYN_LEGEND_SHOWN; slot++) {
        double at[3], size = gdyn_tube_view_place(tube, slot, at);
        const char letter[] = {gdyn_legend_letter(slot), '\0'};
        if (size > 0)
            gdyn_figure_put_name(tube->figure, letter, at[0], at[1], at[2],
                                 gdyn_legend_dark(slot) ? 0xFFFFFF : 0, size);
    }
    return gdyn_figure_block_end(tube->figure);
}

static void set_axes(gdyn_tube *tube, gdyn_figure_panel *panel) {
    const gdyn_trajectory *t = tube->t;
    double first = t->along.p[0], last = t->along.p[t->along.points - 1];
    gdyn_figure *f = tube->figure;
    panel->x =
        (gdyn_figure_axis){.title = gdyn_figure_title(f, "d1", GDYN_CRITERION_D1_MAX, t->unit),
                           .high = tube->window.d1_high};
    panel->y = (gdyn_figure_axis){.title = gdyn_figure_title_of_p(f, t->unit),
                                  .low = first,
                                  .high = last > first ? last : first + 1};
    panel->z =
        (gdyn_figure_axis){.title = gdyn_figure_title(f, "d2", GDYN_CRITERION_D2_MAX, t->unit),
                           .low = tube->window.d2_low,
                           .high = tube->window.d2_high};
    panel->ratio = 0.76;
    panel->space = panel->fixed = true;
    panel->zoom = 0.92;
    panel->tilt = GDYN_TUBE_TILT, panel->turn = GDYN_TUBE_TURN, panel->upright = GDYN_TUBE_HEIGHT;
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

/* Whether a region is unbounded, so that the window cuts it; *followed: whether the path is
 * followed anywhere. */
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

/* The window goes as far as the greatest d1 is usual (gdyn_usual_size); beside singular places
 * it grows without bound. True where regions are cut there. */
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

/* The body and what is said of it. */
static void draw(gdyn_tube *tube, bool grows) {
    static const double LETTER = 15; /* pixels */
    gdyn_figure *f = tube->figure;
    bool followed, unbounded = is_cut(tube, &followed);
    int last = f->blocks, letters = write_letters(tube);
    if (grows || unbounded)
        gdyn_figure_text(f, GDYN_REMARK, "%s",
                         grows ? "cut off where it grows" : "cut where it is unbounded");
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    set_axes(tube, panel);
    if (last == 0)
        panel->note = followed ? "nothing is accessible" : "no point of the path is reached";
    else
        gdyn_draw(f, panel, GDYN_SURFACE, 1, .last = last);
    gdyn_draw(f, panel, GDYN_NAMES, letters, .room = LETTER);
    gdyn_legend_draw(&tube->legend, f, "Saturated there:");
}

void gdyn_tube_figure(gdyn_figure *f, const gdyn_trajectory *t) {
    int scan[GDYN_TUBE_SCANS];
    gdyn_tube tube = {.t = t, .figure = f, .scans = choose_scans(t, scan), .scan = scan};
    gdyn_picture_begin(f, t->name, "tube", 1000, "Accessible regions over the path '%s'",
                       gdyn_picture_name(t->name).text);
    f->failed |= !gdyn_legend_create(&tube.legend, t, &t->along) || !gdyn_tube_view_begin(&tube);
    if (!f->failed) {
        int islands = use_regions(&tube);
        bool grows = set_window(&tube);
        for (int k = 0; k < islands; k++)
            gdyn_tube_write(&tube, k, tube.scans, scan);
        draw(&tube, grows);
    }
    gdyn_tube_view_end(&tube);
    gdyn_legend_destroy(&tube.legend);
}
