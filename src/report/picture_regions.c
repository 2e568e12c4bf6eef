/* picture_regions.c - the accessible regions at several points of the path, side by side in the
 * d1-d2 plane as in Fig. 1 of Horacek, Sika, Valasek 2013: every arc in the colour and with the
 * letter of the limits that are saturated on it; the region common to the whole path darker. */
#include "report/picture.h"

#include <math.h>
#include <stdio.h>

enum { PANELS_MAX = 12 };

/* Pixels: a letter beside its arc, the shortest arc that has one. */
static const double BESIDE = 9, TELLING = 22;

/* Everything one picture needs. */
typedef struct picture {
    const gdyn_trajectory *t;
    const gdyn_region_points *panels;
    gdyn_figure *figure;
    gdyn_legend legend;
    gdyn_window window; /* of the panel in the making */
    bool own_scales;    /* every panel has its own */
} picture;

/* An edge of a region: what is written of it. */
typedef enum part { PART_LINE, PART_LETTER } part;

/* --- data ------------------------------------------------------------------------------------- */

/* A letter beside (x, y), away from the edge with direction (dx, dy), on the side `away`; share:
 * extent of the edge as a share of the panel. */
static void write_letter(picture *pic, int place, double x, double y, double dx, double dy,
                         double away, double share) {
    double width = pic->window.d1_high, height = pic->window.d2_high - pic->window.d2_low;
    /* The normal of the edge, in shares of the window. */
    double nx = -dy / height, ny = dx / width, norm = hypot(nx, ny);
    const char letter[] = {gdyn_legend_letter(place), '\0'};
    if (*letter != ' ' && norm > 0)
        gdyn_figure_put_name(pic->figure, letter, x, y, gdyn_legend_colour(place), away * nx / norm,
                             away * ny / norm, share);
}

static void write_arc(picture *pic, const gdyn_arc *arc, bool upper, part what) {
    enum { PIECES = 24 };
    const gdyn_window *window = &pic->window;
    int place = gdyn_legend_find(&pic->legend, arc->active, arc->active_count);
    double to = fmin(arc->to, window->d1_high), middle = 0.5 * (arc->from + to);
    if (!(to > arc->from))
        return;
    /* The arc within the window, in the colour of its limits. */
    for (int i = 0; i <= PIECES && what == PART_LINE; i++) {
        double d1 = arc->from + (to - arc->from) * i / PIECES;
        gdyn_figure_put(pic->figure, d1, (arc->a * d1 + arc->b) * d1 + arc->c,
                        gdyn_legend_colour(place));
    }
    if (what == PART_LINE) {
        gdyn_figure_gap(pic->figure);
        return;
    }
    double slope = 2 * arc->a * middle + arc->b;
    double across = hypot((to - arc->from) / window->d1_high,
                          slope * (to - arc->from) / (window->d2_high - window->d2_low));
    write_letter(pic, place, middle, (arc->a * middle + arc->b) * middle + arc->c, to - arc->from,
                 slope * (to - arc->from), upper ? 1 : -1, across);
}

/* The vertical edge that closes an island where its envelopes do not meet. */
static void write_side(picture *pic, const gdyn_region *region, double d1, const gdyn_limit *active,
                       int count, double away, part what) {
    if (count == 0 || !(d1 <= pic->window.d1_high))
        return;
    /* In the colour of the limits that end the island. */
    int place = gdyn_legend_find(&pic->legend, active, count);
    double low = gdyn_sample_envelope(region, d1, false, &pic->window);
    double high = gdyn_sample_envelope(region, d1, true, &pic->window);
    if (what == PART_LETTER) {
        write_letter(pic, place, d1, 0.5 * (low + high), 0, high - low, away,
                     (high - low) / (pic->window.d2_high - pic->window.d2_low));
        return;
    }
    gdyn_figure_put(pic->figure, d1, low, gdyn_legend_colour(place));
    gdyn_figure_put(pic->figure, d1, high, gdyn_legend_colour(place));
    gdyn_figure_gap(pic->figure);
}

/* All edges of a region, or their letters: their block. */
static int write_edges(picture *pic, const gdyn_region *region, part what) {
    /* Both envelopes, then the ends of the islands. */
    for (int i = 0; i < region->upper_count; i++)
        write_arc(pic, &region->upper[i], true, what);
    for (int i = 0; i < region->lower_count; i++)
        write_arc(pic, &region->lower[i], false, what);
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        write_side(pic, region, island->from, island->left, island->left_count, 1, what);
        write_side(pic, region, island->to, island->right, island->right_count, -1, what);
    }
    return gdyn_figure_block_end(pic->figure);
}

/* --- panels ----------------------------------------------------------------------------------- */

/* True where half of the panels would be specks in the window of all of them. */
static bool scales_differ(const picture *pic, int count, const int *points) {
    static const double SPECK = 0.2; /* of the width or height */
    int specks = 0;
    for (int i = 0; i < count; i++) {
        gdyn_window own = gdyn_window_of(pic->panels, 1, &points[i]);
        double width = own.d1_high / pic->window.d1_high;
        double height = (own.d2_high - own.d2_low) / (pic->window.d2_high - pic->window.d2_low);
        specks += width < SPECK || height < SPECK;
    }
    return 2 * specks >= count && count > 1;
}

static void draw_panel(picture *pic, int point) {
    gdyn_figure *f = pic->figure;
    const gdyn_region *region = pic->panels->region[point];
    gdyn_figure_panel *panel = gdyn_region_panel(f, &pic->window, pic->t->unit, 0.75);
    /* p without the rounding errors of equal steps around zero */
    const double *p = pic->panels->p;
    bool zero = fabs(p[point]) <= 1e-12 * fabs(p[pic->panels->points - 1] - p[0]);
    panel->caption[0] = gdyn_figure_words(f, "p = %.4g%s%s", zero ? 0 : p[point],
                                          *pic->t->unit ? " " : "", pic->t->unit);
    /* Filled region, edges with letters, marks of what is unbounded. */
    int outline = gdyn_sample_outline(region, &pic->window, f);
    if (outline == 0) {
        panel->note = pic->panels->status[point];
        return;
    }
    /* The common region above each point's own. */
    gdyn_draw(f, panel, GDYN_SHAPE, outline, .colour = 0xEAEAEA);
    gdyn_draw(f, panel, GDYN_SHAPE, gdyn_sample_outline(pic->t->common, &pic->window, f),
              .colour = 0xC4C4C4);
    gdyn_figure_level(f, panel, 0);
    gdyn_draw(f, panel, GDYN_LINE, write_edges(pic, region, PART_LINE), .width = 3,
              .colouring = GDYN_OWN);
    gdyn_draw(f, panel, GDYN_NAMES, write_edges(pic, region, PART_LETTER), .colouring = GDYN_OWN,
              .away = BESIDE, .room = TELLING);
    gdyn_draw(f, panel, GDYN_NAMES, .block = gdyn_sample_open(region, &pic->window, f));
}

/* What holds for all panels. */
static void note_common(picture *pic, int count, const int *points) {
    bool any_cut = false, common = pic->t->common && pic->t->common->island_count > 0;
    for (int i = 0; i < count; i++)
        any_cut |= gdyn_region_is_open(pic->panels->region[points[i]]);
    /* how many points of the path have no region, and why */
    const gdyn_region_points *panels = pic->panels;
    int empty = 0, unknown = 0;
    /* Points without a region, of two kinds. */
    for (int i = 0; i < panels->points; i++) {
        empty += panels->region[i]->status == GDYN_REGION_EMPTY;
        unknown += panels->region[i]->status == GDYN_REGION_UNKNOWN;
    }
    if (empty > 0)
        gdyn_figure_text(pic->figure, GDYN_ALARM, "nothing is accessible at %d of %d points", empty,
                         panels->points);
    if (unknown > 0)
        gdyn_figure_text(pic->figure, GDYN_ALARM, "%d of %d points are not reached", unknown,
                         panels->points);
    if (pic->own_scales)
        gdyn_figure_text(pic->figure, GDYN_REMARK, "every panel has its own scales");
    if (any_cut)
        gdyn_figure_text(pic->figure, GDYN_REMARK, "▲ ▼ ▶  unbounded");
    if (count == 0)
        gdyn_figure_text(pic->figure, GDYN_PARAGRAPH, "no point of the path has a region");
    /* The common region is one of the points reached. */
    if (common && count > 0)
        gdyn_entry(pic->figure, GDYN_SHAPE, .colour = 0xC4C4C4,
                   .title =
                       unknown == 0 ? "common to the whole path" : "common to the points reached");
}

void gdyn_regions_figure(gdyn_figure *f, const gdyn_trajectory *t, const gdyn_region_points *panels,
                         int count, const int *points, const gdyn_legend *legend) {
    picture pic = {.t = t, .panels = panels, .figure = f};
    gdyn_picture_begin(f, t->name, "regions", 1200, "Accessible regions along '%s'",
                       gdyn_picture_name(t->name).text);
    count = count < PANELS_MAX ? count : PANELS_MAX;
    /* Limits that occur in the panels get colours and letters. */
    if (legend) {
        pic.legend = *legend;
    } else if (!gdyn_legend_create(&pic.legend, t, panels)) {
        f->failed = true;
        return;
    }
    pic.window = gdyn_window_of(panels, count, points);
    pic.own_scales = scales_differ(&pic, count, points);
    for (int i = 0; i < count && !legend; i++)
        gdyn_legend_use_region(&pic.legend, panels->region[points[i]]);
    if (!legend)
        gdyn_legend_settle(&pic.legend);
    note_common(&pic, count, points);
    if (count > 0)
        gdyn_figure_side_by_side(f, count == 4 ? 2 : count > 9 ? 4 : 3, 110, !pic.own_scales);
    for (int i = 0; i < count; i++) {
        if (pic.own_scales)
            pic.window = gdyn_window_of(panels, 1, &points[i]);
        draw_panel(&pic, points[i]);
    }
    if (legend)
        return;
    if (count > 0)
        gdyn_legend_draw(&pic.legend, f, "Saturated on the edges:");
    gdyn_legend_destroy(&pic.legend);
}
