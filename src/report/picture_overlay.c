/* picture_overlay.c - results of several designs over each other: regions at points of the path and
 * over p, fastest motions, columns over time, fronts. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static gdyn_shortened name_of(const gdyn_overlay *o, int source) {
    enum { MOST = 40 };
    return gdyn_shorten(o->source[source].label, MOST);
}

/* The line of a source (of the key alone where no data wait to be drawn), weight: 1 for the main
 * curve; its entry in the key: its name, and what is said of it behind a comma ("" for nothing;
 * NULL: no entry). */
static gdyn_figure_layer line_of(const gdyn_overlay *o, gdyn_figure *f, int source, int block,
                                 double weight, const char *more) {
    /* distinguished without colour, in print, and where one lies on another: dashes above a wider
     * solid line */
    static const char *const dashes[GDYN_OVERLAY_MOST] = {
        NULL, "(7,3)", "(2,4)", "(9,2.5,1.5,2.5)", "(14,4)", "(4,4)", "(9,2,1.5,2,1.5,2)", "(1,4)"};
    return (gdyn_figure_layer){
        block > 0 ? GDYN_LINE : GDYN_SAMPLE,
        block,
        .width = weight * (source ? 2.6 : 3.6),
        .dash = dashes[source % GDYN_OVERLAY_MOST],
        .colour = gdyn_page_colour(source),
        .title =
            more ? gdyn_figure_words(f, "%s%s%s", name_of(o, source).text, *more ? ", " : "", more)
                 : NULL};
}

/* --- regions at places that all sources have -------------------------------------------------- */

enum { PANELS = 6, COLUMNS = 3 };

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

/* Outlines above each other, that of the first one filled; who has none is said above the panel. */
static void draw_place(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                       double p) {
    const gdyn_region *here[GDYN_OVERLAY_MOST], *shown[GDYN_OVERLAY_MOST];
    int points[GDYN_OVERLAY_MOST], count = 0;
    for (int k = 0; k < o->count; k++) {
        here[k] = of[k].along.region[point_at(&of[k].along, p)];
        if (here[k]->island_count > 0) {
            points[count] = count;
            shown[count++] = here[k];
        }
    }
    gdyn_window window =
        gdyn_window_of(&(gdyn_region_points){.points = count, .region = shown}, count, points);
    const char *unit = of[0].unit;
    gdyn_figure_panel *panel = gdyn_region_panel(f, &window, unit, 0.8);
    panel->caption[0] = gdyn_figure_words(f, "p = %.4g%s%s", p, *unit ? " " : "", unit);
    /* sources without a region here */
    char names[600] = "";
    for (int k = 0; k < o->count; k++) {
        size_t used = strlen(names);
        if (here[k]->island_count == 0)
            snprintf(names + used, sizeof names - used, "%s%s",
                     used ? ", " : "nothing: ", name_of(o, k).text);
    }
    panel->caption[1] = *names ? gdyn_figure_words(f, "%s", names) : NULL;
    for (int k = 0; k < o->count; k++) {
        int block = gdyn_sample_outline(here[k], &window, f);
        if (k == 0) {
            gdyn_draw(f, panel, GDYN_SHAPE, block, .colour = 0xE8EEF3);
            gdyn_figure_level(f, panel, 0);
        }
        if (block > 0)
            gdyn_figure_draw(f, panel, line_of(o, f, k, block, 1, NULL));
        gdyn_draw(f, panel, GDYN_NAMES, .block = gdyn_sample_open(here[k], &window, f));
    }
}

void gdyn_overlay_regions_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                                 const gdyn_overlay_regions *of) {
    int points[PANELS];
    gdyn_region_points shared = shared_places(o, of);
    gdyn_picture_begin(f, name, "overlay_regions", 1200, "Accessible regions along '%s'",
                       gdyn_picture_name(name).text);
    int count = shared.points ? gdyn_report_spread(&shared, PANELS, points) : 0;
    for (int k = 0; k < o->count; k++)
        gdyn_figure_entry(f, line_of(o, f, k, 0, 1, ""));
    if (count == 0)
        gdyn_figure_text(f, GDYN_PARAGRAPH, "no point of the path has a region");
    else
        gdyn_figure_side_by_side(f, COLUMNS, 110, false);
    for (int i = 0; i < count; i++)
        draw_place(f, o, of, shared.p[points[i]]);
}

/* --- over p ----------------------------------------------------------------------------------- */

/* What keeps a source from having a greatest d1 everywhere; "" for nothing. */
static const char *gaps_of(gdyn_figure *f, const gdyn_region_points *at) {
    int empty = 0, unknown = 0, endless = 0;
    for (int i = 0; i < at->points; i++) {
        empty += at->region[i]->status == GDYN_REGION_EMPTY;
        unknown += at->region[i]->status == GDYN_REGION_UNKNOWN;
        endless += isinf(at->region[i]->d1_max);
    }
    int most = empty ? empty : unknown ? unknown : endless;
    const char *what = empty ? "nothing accessible" : unknown ? "not reached" : "no bound";
    return most > 0 ? gdyn_figure_words(f, "%s at %d of %d", what, most, at->points) : "";
}

/* The panel of the greatest d1, or of d2 at rest. */
static void draw_over_p(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_regions *of,
                        const int *block, bool speed) {
    const gdyn_region_points *first = &of[0].along;
    double from = first->p[0], to = first->p[first->points - 1];
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->x =
        (gdyn_figure_axis){.low = from, .high = to != from ? to : from + 1, .unlabelled = speed};
    if (!speed)
        panel->x.title = gdyn_figure_title_of_p(f, of[0].unit);
    panel->y.title =
        gdyn_figure_title(f, speed ? NULL : "d2 at rest",
                          speed ? GDYN_CRITERION_D1_MAX : GDYN_CRITERION_REST_MAX, of[0].unit);
    /* the window of the panel over all sources */
    const gdyn_region_points *at[GDYN_OVERLAY_MOST];
    double range[2];
    bool cut;
    for (int k = 0; k < o->count; k++)
        at[k] = &of[k].along;
    gdyn_limits_range(o->count, at, !speed, range, &cut);
    double spare = range[1] > range[0] ? 0.08 * (range[1] - range[0]) : 1;
    panel->y.low = !speed ? range[0] - spare : 0;
    panel->y.high = range[1] + spare;
    if (cut)
        panel->caption[1] = "cut off where it grows";
    for (int k = 0; k < o->count; k++)
        for (int curve = speed ? 2 : 3; curve <= (speed ? 2 : 4); curve++) {
            gdyn_figure_layer line =
                line_of(o, f, k, block[k], 1, speed ? gaps_of(f, &of[k].along) : NULL);
            line.column[0] = 1, line.column[1] = curve;
            gdyn_figure_draw(f, panel, line);
        }
    if (!speed)
        gdyn_figure_level(f, panel, 0);
}

void gdyn_overlay_limits_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                                const gdyn_overlay_regions *of) {
    int block[GDYN_OVERLAY_MOST];
    gdyn_picture_begin(f, name, "overlay_limits", 1000, "Speed and acceleration along '%s'",
                       gdyn_picture_name(name).text);
    for (int k = 0; k < o->count; k++) {
        const gdyn_region_points *at = &of[k].along;
        for (int i = 0; i < at->points; i++)
            gdyn_figure_put(f, at->p[i], gdyn_limit_value(at->region[i], 0),
                            gdyn_limit_value(at->region[i], 1), gdyn_limit_value(at->region[i], 2));
        block[k] = gdyn_figure_block_end(f);
    }
    draw_over_p(f, o, of, block, true), draw_over_p(f, o, of, block, false);
}

/* --- fastest motions -------------------------------------------------------------------------- */

/* What a key says of a motion; "" of anything else. */
static const char *describe(gdyn_figure *f, const gdyn_overlay_table *of) {
    if (of->status && of->rows == 0)
        return gdyn_figure_words(f, "no motion: %s", of->status);
    return of->status && isfinite(of->time) ? gdyn_figure_words(f, "T = %.4g s", of->time) : "";
}

/* Between two points d2 is as good as constant: d1^2 is linear in p, and d1 steep where it is
 * small: more places lie there. */
static int phase_data(gdyn_figure *f, const gdyn_overlay_table *of) {
    enum { PIECES = 8 };
    for (int i = 0; i < of->rows; i++) {
        const double *row = &of->value[(size_t)i * (size_t)of->columns], *next = row + of->columns;
        double p = row[GDYN_OVERLAY_P], a = row[GDYN_OVERLAY_D1];
        gdyn_figure_put(f, p, a);
        bool joined = i + 1 < of->rows && next[GDYN_OVERLAY_P] != p;
        for (int k = 1; k < PIECES && joined; k++) {
            double b = next[GDYN_OVERLAY_D1], part = (double)k / PIECES;
            double s = a <= b ? part * part : 1 - (1 - part) * (1 - part);
            gdyn_figure_put(f, (1 - s) * p + s * next[GDYN_OVERLAY_P],
                            sqrt((1 - s) * a * a + s * b * b));
        }
    }
    return gdyn_figure_block_end(f);
}

void gdyn_overlay_phase_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                               const gdyn_overlay_table *of) {
    const char *unit = of[0].unit[GDYN_OVERLAY_P];
    double most = 0;
    gdyn_picture_begin(f, name, "overlay_phase", 1000, "Fastest motions along '%s'",
                       gdyn_picture_name(name).text);
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->height = 420;
    for (int k = 0; k < o->count; k++) {
        int block = phase_data(f, &of[k]);
        for (int i = 0; i < of[k].rows; i++)
            most = fmax(most, gdyn_overlay_value(&of[k], i, GDYN_OVERLAY_D1));
        gdyn_figure_draw(f, panel, line_of(o, f, k, block, 1, describe(f, &of[k])));
    }
    panel->x.title = gdyn_figure_title_of_p(f, unit);
    panel->y = (gdyn_figure_axis){.title = gdyn_figure_title(f, "d1", GDYN_CRITERION_D1_MAX, unit),
                                  .high = most > 0 ? 1.05 * most : 1};
}

/* --- columns over time ------------------------------------------------------------------------ */

/* What is smaller is zero on a logarithmic axis. */
static const double ZERO = 1e-18;

/* A column over the time, which is the first one; 0: it has no numbers. */
static int column_data(gdyn_figure *f, const gdyn_overlay_table *of, int column, bool absolute) {
    for (int i = 0; i < of->rows && column >= 0; i++) {
        double t = gdyn_overlay_value(of, i, 0), value = gdyn_overlay_value(of, i, column);
        if (isfinite(value) && isfinite(t))
            gdyn_figure_put(f, t, absolute ? fmax(fabs(value), ZERO) : value);
        else /* not determined there */
            gdyn_figure_gap(f);
    }
    return gdyn_figure_block_end(f);
}

void gdyn_overlay_columns_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                                 const gdyn_overlay_table *of, int count,
                                 const char *const *column) {
    bool forces = of[0].status != NULL;
    int from = forces ? GDYN_OVERLAY_FORCES : 0;
    double last = 0;
    for (int k = 0; k < o->count; k++)
        last = fmax(last, of[k].rows ? gdyn_overlay_value(&of[k], of[k].rows - 1, 0) : 0);
    if (forces)
        gdyn_picture_begin(f, name, "overlay_forces", 1000,
                           "Drive forces of the fastest motions along '%s'",
                           gdyn_picture_name(name).text);
    else
        gdyn_picture_begin(f, "", "overlay_simulation", 1000, "Simulations");
    for (int i = 0; i < count; i++) {
        int first = gdyn_overlay_find(&of[0], from, column[i]);
        const char *unit = of[0].unit[first];
        gdyn_figure_panel *panel = gdyn_figure_add(f);
        panel->height = 155;
        panel->x = (gdyn_figure_axis){.title = i == count - 1 ? "t [s]" : NULL,
                                      .high = last > 0 ? last : 1,
                                      .unlabelled = i < count - 1};
        panel->y = (gdyn_figure_axis){.title = gdyn_figure_words(f, "%s%s%s%s", column[i],
                                                                 *unit ? " [" : "", unit,
                                                                 *unit ? "]" : ""),
                                      .logarithmic = strcmp(of[0].kind[first], "residual") == 0};
        for (int k = 0; k < o->count; k++) {
            int block = column_data(f, &of[k], gdyn_overlay_find(&of[k], from, column[i]),
                                    panel->y.logarithmic);
            const char *said = block == 0 && !forces ? "no numbers"
                               : i == 0              ? describe(f, &of[k])
                                                     : NULL;
            gdyn_figure_draw(f, panel, line_of(o, f, k, block, 0.8, said));
        }
        if (forces)
            gdyn_figure_level(f, panel, 0);
    }
}

/* --- fronts ----------------------------------------------------------------------------------- */

/* Marks that are distinguished without colour: filled and open circles, squares, triangles, ... */
static gdyn_figure_layer marks_of(int source, int block) {
    static const int mark_type[GDYN_OVERLAY_MOST] = {7, 4, 8, 2, 12, 5, 6, 9};
    return (gdyn_figure_layer){GDYN_POINTS, block,        .point = mark_type[source],
                               .size = 1.1, .width = 1.6, .colour = gdyn_page_colour(source)};
}

/* The objectives of a front as columns, in the order of `objective`; alone: the place of the
 * front first. */
static int front_data(gdyn_figure *f, const gdyn_overlay_table *of, int objectives,
                      const char *const *objective, int place) {
    double row[8];
    for (int i = 0; i < of->rows; i++) {
        int columns = 0;
        if (objectives == 1)
            row[columns++] = place;
        for (int m = 0; m < objectives; m++)
            row[columns++] = gdyn_overlay_value(of, i, gdyn_overlay_find(of, 0, objective[m]));
        gdyn_figure_row(f, columns, row);
    }
    return gdyn_figure_block_end(f);
}

/* The axis of an objective: "area [m^2/s^3], maximized"; all fronts and some room. */
static gdyn_figure_axis axis_of(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_table *of,
                                const char *objective) {
    gdyn_figure_axis axis = {.title = NULL};
    int own = gdyn_overlay_find(of, 0, objective);
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < o->count; k++)
        for (int i = 0; i < of[k].rows; i++) {
            double value = gdyn_overlay_value(&of[k], i, gdyn_overlay_find(&of[k], 0, objective));
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
    gdyn_axis_around(&axis, low, high, 0.06);
    bool plain = !*of->unit[own], maximized = strcmp(of->kind[own], "maximize") == 0;
    axis.title = gdyn_figure_words(f, "%s%s%s%s, %s", gdyn_shorten(objective, 30).text,
                                   plain ? "" : " [", gdyn_picture_letters(of->unit[own]).text,
                                   plain ? "" : "]", maximized ? "maximized" : "minimized");
    return axis;
}

void gdyn_overlay_front_figure(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_table *of,
                               int objectives, const char *const *objective) {
    int block[GDYN_OVERLAY_MOST];
    gdyn_picture_begin(f, "", "overlay_front", objectives > 2 ? 1100 : 800, "Fronts of %d studies",
                       o->count);
    for (int k = 0; k < o->count; k++) {
        block[k] = front_data(f, &of[k], objectives, objective, k);
        gdyn_figure_layer marks = marks_of(k, 0);
        marks.title = gdyn_figure_words(f, "%s, %d design%s", name_of(o, k).text, of[k].rows,
                                        gdyn_plural(of[k].rows));
        gdyn_figure_entry(f, marks);
    }
    if (objectives > 2)
        gdyn_figure_side_by_side(f, 3, 110, false);
    for (int y = objectives > 1 ? 1 : 0; y < objectives; y++)
        for (int x = objectives > 1 ? 0 : -1; x < y; x++) {
            /* a pair of objectives; x < 0: one alone, its best value in every study */
            gdyn_figure_panel *panel = gdyn_figure_add(f);
            char number[20];
            panel->ratio = 0.75;
            panel->y = axis_of(f, o, of, objective[y]);
            if (x >= 0)
                panel->x = axis_of(f, o, of, objective[x]);
            else
                panel->x = (gdyn_figure_axis){.low = -0.5, .high = o->count - 0.5, .lanes = true};
            for (int k = 0; k < o->count && x < 0; k++) {
                snprintf(number, sizeof number, "%d", k + 1);
                gdyn_figure_tic_at(f, &panel->x, k, number);
            }
            for (int k = 0; k < o->count; k++) {
                gdyn_figure_layer marks = marks_of(k, block[k]);
                marks.column[0] = x >= 0 ? x + 1 : 1;
                marks.column[1] = x >= 0 ? y + 1 : 2;
                gdyn_figure_draw(f, panel, marks);
            }
        }
}
