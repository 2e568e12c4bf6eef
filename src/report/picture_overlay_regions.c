/* picture_overlay_regions.c - regions of several designs over each other, at points of the path and over p. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>

enum { PANELS = 6, COLUMNS = 3 };

/* Where the keys stand. */
static const double KEY = 0.80;

/* --- places that all sources have ----------------------------------------------------------------- */

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

/* --- panels ------------------------------------------------------------------------------------- */

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

static void place(gdyn_script *script, const panel *at, int i, int count, const char *unit) {
    static const double LEAST = 110, HIGH = 0.8; /* in a column */
    bool narrow = gdyn_script_narrow(script);
    int columns = narrow ? gdyn_column_cells(script, COLUMNS, LEAST, true) : COLUMNS;
    int rows = (count + COLUMNS - 1) / COLUMNS, column = i % columns, row = i / columns;
    double width = 0.72 / COLUMNS, height = 0.83 / rows;
    gdyn_page_columns(script, 0.075 + column * width, 0.075 + (column + 0.78) * width);
    gdyn_page_rows(script, 0.91 - (row + 0.06) * height, 0.91 - (row + 0.84) * height);
    if (narrow)
        gdyn_page_cell(script, column, columns, true,
                       HIGH * gdyn_column_room(script, columns, true));
    bool titled[2] = {!narrow || i + columns >= count, narrow ? i == 0 : column == 0};
    gdyn_page_label(script, 'x',
                    titled[0] ? gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, unit).text : "",
                    "offset 0,0.3");
    gdyn_page_label(script, 'y',
                    titled[1] ? gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, unit).text : "",
                    "offset 0.8,0");
    gdyn_page_range(script, 'x', 0, at->window.d1_high);
    gdyn_page_range(script, 'y', at->window.d2_low, at->window.d2_high);
    gdyn_script_line(script, "set xtics %.9g", gdyn_round_step(at->window.d1_high, 4));
    char title[80];
    snprintf(title, sizeof title, "p = %.4g%s%s", at->p, *unit ? " " : "", unit);
    gdyn_page_title(script, title, "offset 0,-0.7");
}

/* Outlines above each other, that of the first one filled; who has none is said in the panel's key. */
static void plot_panel(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                       const panel *at, bool keyed) {
    int block[GDYN_OVERLAY_MOST], open[GDYN_OVERLAY_MOST];
    char look[80], title[200];
    for (int k = 0; k < o->count; k++) {
        const gdyn_region *region = of[k].along.region[at->point[k]];
        block[k] = gdyn_sample_outline(region, &at->window, script);
        open[k] = gdyn_sample_open(region, &at->window, script);
    }
    gdyn_plot(script, block[0], "1:2 with filledcurves closed lc rgb '#E8EEF3' notitle");
    gdyn_plot_more(script, "0 with lines lw 1 dt 2 lc rgb '#888888' notitle");
    for (int k = 0; k < o->count; k++) {
        gdyn_plot(script, block[k], "1:2 with lines %s notitle", gdyn_overlay_line(k, 1, look));
        gdyn_plot(script, open[k], "1:2:3 with labels tc rgb '#555555' notitle");
    }
    for (int k = 0; k < o->count && keyed; k++)
        gdyn_plot_more(script, "NaN with lines %s title \"%s\"", gdyn_overlay_line(k, 1, look),
                       gdyn_overlay_title(o, k, "", title));
    gdyn_plot_end(script);
}

/* Which sources have no region at a place, below its title. */
static void note_absent(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                        const panel *at) {
    gdyn_text names = {0};
    char title[200];
    for (int k = 0; k < o->count; k++)
        if (of[k].along.region[at->point[k]]->island_count == 0)
            gdyn_text_printf(&names, "%s%s", names.length ? ", " : "nothing: ",
                             gdyn_overlay_title(o, k, "", title));
    gdyn_script_line(script, "unset label 70");
    if (names.length > 0)
        gdyn_script_line(script,
                         "set label 70 \"%s\" at graph 0.97,0.94 right font ',11' tc rgb '#B00020'",
                         names.data);
    gdyn_text_free(&names);
}

gdyn_status gdyn_picture_overlay_regions(const gdyn_overlay *o, const char *name,
                                         const gdyn_overlay_regions *of) {
    int points[PANELS];
    char heading[200];
    gdyn_script script;
    gdyn_region_points shared = shared_places(o, of);
    if (gdyn_arena_failed(o->arena))
        return GDYN_ERROR_MEMORY;
    int count = shared.points ? gdyn_report_spread(&shared, PANELS, points) : 0;
    gdyn_script_begin(&script, name, "overlay_regions", 1500, count > COLUMNS ? 1000 : 620);
    do {
        gdyn_script_line(&script, "set multiplot");
        gdyn_page_heading(&script, 0.075, 0.955, "Accessible regions along '%s'",
                          gdyn_script_heading(name, heading, sizeof heading));
        gdyn_page_axes(&script);
        gdyn_page_key(&script, KEY, 0.88, "samplen 4 spacing 1.3");
        if (count == 0)
            gdyn_plot_nothing(&script, "no point of the path has a region");
        for (int i = 0; i < count; i++) {
            panel at = make_panel(o, of, shared.p[points[i]]);
            place(&script, &at, i, count, of[0].unit);
            note_absent(&script, o, of, &at);
            plot_panel(&script, o, of, &at, i == 0);
            if (i == 0)
                gdyn_page_clear(&script);
        }
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, o->folder, o->sink);
}

/* --- over p --------------------------------------------------------------------------------------- */

enum { CURVES = 3 }; /* d1_max, least and greatest d2 at rest */

/* Values at a point; NAN where there is none, infinite without a bound. */
static double value_at(const gdyn_region *region, int curve) {
    return curve == 0 ? region->d1_max : curve == 1 ? region->rest_min : region->rest_max;
}

/* p and the curves; a gap where there is no finite value. */
static int curve_data(gdyn_script *script, const gdyn_region_points *at) {
    for (int i = 0; i < at->points; i++) {
        gdyn_text_printf(&script->data, "%.9g", at->p[i]);
        for (int k = 0; k < CURVES; k++) {
            double value = value_at(at->region[i], k);
            gdyn_text_printf(&script->data, isfinite(value) ? " %.9g" : " NaN", value);
        }
        gdyn_text_printf(&script->data, "\n");
    }
    return gdyn_script_end_block(script);
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

static void plot_curves(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                        const int *block, bool speed) {
    char look[80], title[200], gaps[80];
    for (int k = 0; k < o->count; k++) {
        gdyn_overlay_line(k, 1, look);
        if (speed)
            gdyn_plot(script, block[k], "1:2 with lines %s title \"%s\"", look,
                      gdyn_overlay_title(o, k, gaps_of(&of[k].along, gaps), title));
        else
            gdyn_plot(script, block[k], "1:3 with lines %s notitle", look);
        if (!speed)
            gdyn_plot(script, block[k], "1:4 with lines %s notitle", look);
    }
    if (!speed)
        gdyn_plot_more(script, "0 with lines lw 1 dt 2 lc rgb '#888888' notitle");
    gdyn_plot_end(script);
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
static bool set_window(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                       int from, int to) {
    double range[2] = {0, 0}, usual = NAN;
    for (int k = 0; k < o->count; k++) {
        double *value = gdyn_arena_doubles(o->arena, (size_t)of[k].along.points + 1);
        for (int c = from; c <= to && value; c++)
            widen(&of[k].along, c, value, range, &usual);
    }
    double low = fmax(range[0], isnan(usual) ? -INFINITY : -usual);
    double high = fmin(range[1], isnan(usual) ? INFINITY : usual);
    double spare = high > low ? 0.08 * (high - low) : 1;
    gdyn_page_range(script, 'y', from ? low - spare : 0, high + spare);
    return low > range[0] || high < range[1];
}

static void panel_over_p(gdyn_script *script, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                         const int *block, bool speed) {
    bool cut = set_window(script, o, of, speed ? 0 : 1, speed ? 0 : 2);
    gdyn_words words = speed ? gdyn_axis_title(NULL, GDYN_CRITERION_D1_MAX, of[0].unit)
                             : gdyn_axis_title("d2 at rest", GDYN_CRITERION_REST_MAX, of[0].unit);
    gdyn_page_label(script, 'y', words.text, "");
    gdyn_page_numbers(script, 'x', !speed);
    gdyn_page_label(script, 'x', speed ? "" : gdyn_axis_title_of_p(of[0].unit).text, "");
    if (cut)
        gdyn_script_line(script, "set label 71 'cut off where it grows' at graph 0.995,0.95 right "
                                 "font ',11' tc rgb '#555555' front");
    plot_curves(script, o, of, block, speed);
    gdyn_page_clear(script);
}

gdyn_status gdyn_picture_overlay_limits(const gdyn_overlay *o, const char *name,
                                        const gdyn_overlay_regions *of) {
    char heading[200];
    int block[GDYN_OVERLAY_MOST];
    gdyn_script script;
    const gdyn_region_points *first = &of[0].along;
    double from = first->p[0], to = first->p[first->points - 1];
    gdyn_script_begin(&script, name, "overlay_limits", 1300, 800);
    for (int k = 0; k < o->count; k++)
        block[k] = curve_data(&script, &of[k].along);
    do {
        gdyn_script_line(&script, "set multiplot");
        gdyn_page_heading(&script, 0.09, 0.955, "Speed and acceleration along '%s'",
                          gdyn_script_heading(name, heading, sizeof heading));
        gdyn_page_axes(&script);
        gdyn_page_range(&script, 'x', from, to != from ? to : from + 1);
        gdyn_page_columns(&script, 0.09, 0.70);
        gdyn_page_rows(&script, 0.91, 0.53);
        gdyn_page_key(&script, 0.715, 0.90, "samplen 4 spacing 2.4");
        panel_over_p(&script, o, of, block, true);
        gdyn_page_rows(&script, 0.48, 0.10);
        panel_over_p(&script, o, of, block, false);
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, o->folder, o->sink);
}
