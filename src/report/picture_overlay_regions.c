/* picture_overlay_regions.c - regions of several designs over each other, at points of the path
 * and over p. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS = 6, COLUMNS = 3 };

/* --- places that all sources have ------------------------------------------------------------- */

/* The point of a source at that p, -1 where it has none. */
static int point_at(const gdyn_region_points *at, double p) {
    double span = fabs(at->p[at->points - 1] - at->p[0]);
    for (int i = 0; i < at->points; i++)
        if (fabs(at->p[i] - p) <= 1e-9 * span)
            return i;
    return -1;
}

/* Places that all sources share, each with the greatest region that one of them has there. */
static gdyn_region_points shared_places(const gdyn_overlay *o, const gdyn_overlay_regions *of) {
    const gdyn_region_points *first = &of[0].along;
    double *p = gdyn_arena_doubles(o->arena, (size_t)first->points + 1);
    const gdyn_region **region =
        gdyn_arena_alloc(o->arena, (size_t)first->points + 1, sizeof *region);
    gdyn_region_points out = {.p = p, .region = region};
    for (int i = 0; i < first->points && p && region; i++) {
        const gdyn_region *greatest = NULL;
        bool shared = true;
        for (int k = 0; k < o->count && shared; k++) {
            int at = point_at(&of[k].along, first->p[i]);
            shared = at >= 0;
            const gdyn_region *here = shared ? of[k].along.region[at] : NULL;
            if (here && (!greatest || !(here->area <= greatest->area)))
                greatest = here;
        }
        if (shared) {
            p[out.points] = first->p[i];
            region[out.points++] = greatest;
        }
    }
    return out;
}

/* --- panels ----------------------------------------------------------------------------------- */

/* The regions of all sources at one place; those without one are NULL. */
typedef struct panel {
    double p;
    int point[GDYN_OVERLAY_MOST];
    gdyn_window window;
} panel;

static panel make_panel(const gdyn_overlay *o, const gdyn_overlay_regions *of, double p) {
    panel out = {.p = p};
    const gdyn_region *region[GDYN_OVERLAY_MOST];
    int points[GDYN_OVERLAY_MOST], count = 0;
    for (int k = 0; k < o->count; k++) {
        out.point[k] = point_at(&of[k].along, p);
        if (out.point[k] >= 0 && of[k].along.region[out.point[k]]->island_count > 0) {
            region[count] = of[k].along.region[out.point[k]];
            points[count] = count;
            count++;
        }
    }
    out.window =
        gdyn_window_of(&(gdyn_region_points){.points = count, .region = region}, count, points);
    return out;
}

/* Which sources have no region at a place; NULL: all have one. */
static const char *absent(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                          const panel *at) {
    char names[600] = "", name[120];
    for (int k = 0; k < o->count; k++) {
        size_t used = strlen(names);
        if (of[k].along.region[at->point[k]]->island_count == 0)
            snprintf(names + used, sizeof names - used, "%s%s",
                     used ? ", " : "nothing: ", gdyn_overlay_name(o, k, name));
    }
    return *names ? gdyn_figure_words(f, "%s", names) : NULL;
}

/* Outlines above each other, that of the first one filled; who has none is said above the panel. */
static void draw_panel(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                       const panel *at) {
    const char *unit = of[0].unit;
    gdyn_figure_panel *own = gdyn_region_panel(f, &at->window, unit, 0.8);
    own->caption[0] = gdyn_figure_words(f, "p = %.4g%s%s", at->p, *unit ? " " : "", unit);
    own->caption[1] = absent(f, o, of, at);
    for (int k = 0; k < o->count; k++) {
        const gdyn_region *region = of[k].along.region[at->point[k]];
        int block = gdyn_sample_outline(region, &at->window, f);
        if (k == 0) {
            gdyn_figure_draw(f, own, (gdyn_figure_layer){GDYN_SHAPE, block, .colour = 0xE8EEF3});
            gdyn_figure_level(f, own, 0);
        }
        if (block >= 0)
            gdyn_figure_draw(f, own, gdyn_overlay_line(o, f, k, block, 1, NULL));
        gdyn_figure_draw(f, own,
                         (gdyn_figure_layer){.kind = GDYN_NAMES,
                                             .block = gdyn_sample_open(region, &at->window, f)});
    }
}

gdyn_status gdyn_picture_overlay_regions(const gdyn_overlay *o, const char *name,
                                         const gdyn_overlay_regions *of) {
    int points[PANELS];
    char heading[200];
    gdyn_figure f;
    gdyn_region_points shared = shared_places(o, of);
    if (gdyn_arena_failed(o->arena))
        return GDYN_ERROR_MEMORY;
    int count = shared.points ? gdyn_report_spread(&shared, PANELS, points) : 0;
    gdyn_figure_begin(&f, name, "overlay_regions", 1200);
    gdyn_figure_text(&f, GDYN_HEADING, "Accessible regions along '%s'",
                     gdyn_picture_name(name, heading));
    for (int k = 0; k < o->count; k++)
        gdyn_figure_entry(&f, gdyn_overlay_line(o, &f, k, -1, 1, ""));
    if (count == 0)
        gdyn_figure_text(&f, GDYN_PARAGRAPH, "no point of the path has a region");
    else
        gdyn_figure_side_by_side(&f, COLUMNS, 110, false);
    for (int i = 0; i < count; i++) {
        panel at = make_panel(o, of, shared.p[points[i]]);
        draw_panel(&f, o, of, &at);
    }
    return gdyn_picture_write(&f, o->folder, o->sink);
}

/* --- over p ----------------------------------------------------------------------------------- */

/* d1_max, least or greatest d2 at rest; NAN where there is none, infinite without a bound. */
static double value_at(const gdyn_region *region, int curve) {
    return curve == 0 ? region->d1_max : curve == 1 ? region->rest_min : region->rest_max;
}

/* p and the curves; a gap where there is no finite value. */
static int curve_data(gdyn_figure *f, const gdyn_region_points *at) {
    for (int i = 0; i < at->points; i++)
        gdyn_figure_put(f, at->p[i], value_at(at->region[i], 0), value_at(at->region[i], 1),
                        value_at(at->region[i], 2));
    return gdyn_figure_block_end(f);
}

/* What keeps a source from having a greatest d1 everywhere; "" for nothing. */
static const char *gaps_of(const gdyn_region_points *at, char out[80]) {
    int empty = 0, unknown = 0, endless = 0;
    for (int i = 0; i < at->points; i++) {
        empty += at->region[i]->status == GDYN_REGION_EMPTY;
        unknown += at->region[i]->status == GDYN_REGION_UNKNOWN;
        endless += isinf(at->region[i]->d1_max);
    }
    int most = empty ? empty : unknown ? unknown : endless;
    const char *what = empty ? "nothing accessible" : unknown ? "not reached" : "no bound";
    *out = '\0';
    if (most > 0)
        snprintf(out, 80, "%s at %d of %d", what, most, at->points);
    return out;
}

/* Widens the range by a curve of one source, and the size that stays in view. */
static void widen(const gdyn_region_points *at, int curve, double *value, double range[2],
                  double *usual) {
    for (int i = 0; i < at->points; i++) {
        value[i] = value_at(at->region[i], curve);
        if (isfinite(value[i])) {
            range[0] = fmin(range[0], value[i]);
            range[1] = fmax(range[1], value[i]);
        }
    }
    *usual = fmax(*usual, gdyn_usual_size(at->points, at->p, value));
}

/* The window of the curves `from` to `to` of all sources; true where some is cut off. */
static bool set_window(gdyn_figure_axis *axis, const gdyn_overlay *o,
                       const gdyn_overlay_regions *of, int from, int to) {
    double range[2] = {0, 0}, usual = NAN;
    for (int k = 0; k < o->count; k++) {
        double *value = gdyn_arena_doubles(o->arena, (size_t)of[k].along.points + 1);
        for (int c = from; c <= to && value; c++)
            widen(&of[k].along, c, value, range, &usual);
    }
    double low = fmax(range[0], isnan(usual) ? -INFINITY : -usual);
    double high = fmin(range[1], isnan(usual) ? INFINITY : usual);
    double spare = high > low ? 0.08 * (high - low) : 1;
    axis->low = from ? low - spare : 0;
    axis->high = high + spare;
    return low > range[0] || high < range[1];
}

/* The panel of the greatest d1, or of d2 at rest. */
static void draw_over_p(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                        const int *block, bool speed) {
    const gdyn_region_points *first = &of[0].along;
    double from = first->p[0], to = first->p[first->points - 1];
    gdyn_words words = speed ? gdyn_axis_title(NULL, GDYN_CRITERION_D1_MAX, of[0].unit)
                             : gdyn_axis_title("d2 at rest", GDYN_CRITERION_REST_MAX, of[0].unit);
    char gaps[80];
    gdyn_figure_panel *own = gdyn_figure_add(f);
    own->x =
        (gdyn_figure_axis){.low = from, .high = to != from ? to : from + 1, .unlabelled = speed};
    if (!speed)
        own->x.title = gdyn_figure_title_of_p(f, of[0].unit);
    own->y.title = gdyn_figure_words(f, "%s", words.text);
    if (set_window(&own->y, o, of, speed ? 0 : 1, speed ? 0 : 2))
        own->caption[1] = "cut off where it grows";
    for (int k = 0; k < o->count; k++)
        for (int curve = speed ? 2 : 3; curve <= (speed ? 2 : 4); curve++) {
            gdyn_figure_layer line =
                gdyn_overlay_line(o, f, k, block[k], 1, speed ? gaps_of(&of[k].along, gaps) : NULL);
            line.column[0] = 1, line.column[1] = curve;
            gdyn_figure_draw(f, own, line);
        }
    if (!speed)
        gdyn_figure_level(f, own, 0);
}

gdyn_status gdyn_picture_overlay_limits(const gdyn_overlay *o, const char *name,
                                        const gdyn_overlay_regions *of) {
    char heading[200];
    int block[GDYN_OVERLAY_MOST];
    gdyn_figure f;
    gdyn_figure_begin(&f, name, "overlay_limits", 1000);
    gdyn_figure_text(&f, GDYN_HEADING, "Speed and acceleration along '%s'",
                     gdyn_picture_name(name, heading));
    for (int k = 0; k < o->count; k++)
        block[k] = curve_data(&f, &of[k].along);
    draw_over_p(&f, o, of, block, true);
    draw_over_p(&f, o, of, block, false);
    return gdyn_picture_write(&f, o->folder, o->sink);
}
