/* picture_ranges.c - coordinates with a given range along a path: small multiples with the
 * range as a band, what lies outside of it in another colour; of a machine with many, those with
 * the smallest margin, and the margins of all. Between the points of the path curves follow the
 * derivatives there (cubic Hermite). */
#include "report/picture.h"

#include "base/memory.h"
#include "trajectory/advice.h"

#include <math.h>
#include <stdio.h>

/* Panels of a page; pieces of a curve between two points, and points from which on it needs
 * none. */
enum { COLUMNS = 3, PANELS = 12, PIECES = 8, DENSE = 400 };

enum { BAND = 0xDDEEDD, OUTSIDE = 0xD55E00, INSIDE = 0x0072B2, DARK = 0x444444 };

typedef struct picture {
    const gdyn_model *model;
    const gdyn_track *track;
    const char *unit; /* of p */
    int *order;       /* of the ranges on the page */
    int panels;       /* of single ranges */
    gdyn_figure *figure;
} picture;

/* --- values ----------------------------------------------------------------------------------- */

static bool stands(const gdyn_track *track, int i) {
    gdyn_point_status status = track->status[i];
    return status == GDYN_POINT_OK || status == GDYN_POINT_RANGE;
}

/* The cubic with these values and slopes at both ends of a step h, at the share s of it. */
static double hermite(const double v[2], const double m[2], double h, double s) {
    double r = 1 - s;
    return v[0] * r * r * (1 + 2 * s) + v[1] * s * s * (1 + 2 * r) +
           h * s * r * (m[0] * r - m[1] * s);
}

/* p and the coordinate along the path in *out, NAN where it is not followed; the number of
 * places. */
static int curve_of(const picture *pic, int range, double (**out)[2]) {
    const gdyn_track *track = pic->track;
    int pieces = track->points < DENSE ? PIECES : 1, count = 0;
    double v[2] = {NAN, NAN}, m[2] = {NAN, NAN};
    *out = gdyn_arena_alloc(pic->figure->arena, (size_t)(track->points * pieces) + 1, sizeof **out);
    pic->figure->failed |= !*out;
    for (int i = 0; i < track->points && *out; i++) {
        /* From the point before, where both stand. */
        v[0] = v[1], m[0] = m[1], v[1] = NAN;
        if (stands(track, i)) {
            const double *u = track->u_p + (size_t)track->n * (size_t)i;
            m[1] = gdyn_mech_range_speed(track->state[i], range, u);
            v[1] = gdyn_mech_range_coordinate(track->state[i], range) + track->travel[range].turns;
        }
        double h = i > 0 ? track->p[i] - track->p[i - 1] : 0;
        for (int k = 1; k < pieces && isfinite(v[0]) && isfinite(v[1]); k++, count++) {
            double s = (double)k / pieces;
            (*out)[count][0] = track->p[i - 1] + s * h;
            (*out)[count][1] = hermite(v, m, h, s);
        }
        (*out)[count][0] = track->p[i];
        (*out)[count++][1] = v[1];
    }
    return count;
}

/* --- panels ----------------------------------------------------------------------------------- */

static gdyn_figure_panel *add_panel(picture *pic) {
    gdyn_figure_panel *panel = gdyn_figure_add(pic->figure);
    panel->ratio = 0.6;
    panel->x = (gdyn_figure_axis){.title = gdyn_figure_title_of_p(pic->figure, pic->unit),
                                  .low = pic->track->p[0],
                                  .high = pic->track->p[pic->track->points - 1]};
    return panel;
}

/* Whether some point of the path is reached. */
static bool followed(const picture *pic) {
    for (int i = 0; i < pic->track->points; i++)
        if (stands(pic->track, i))
            return true;
    return false;
}

/* Grey where the path is not followed. */
static void shade_gaps(picture *pic, gdyn_figure_panel *panel) {
    const gdyn_track *track = pic->track;
    for (int i = 0; i < track->points; i++) {
        int end = i;
        while (end < track->points && !stands(track, end))
            end++;
        if (end > i)
            gdyn_figure_put(pic->figure, track->p[i > 0 ? i - 1 : 0],
                            track->p[end < track->points ? end : end - 1]);
        i = end;
    }
    gdyn_draw(pic->figure, panel, GDYN_BANDS, .colour = 0xEEEEEE);
}

/* The range as a band, its ends as lines. */
static void draw_band(picture *pic, gdyn_figure_panel *panel, const gdyn_range_def *def,
                      double factor, double low, double high) {
    double min = factor * def->min, max = factor * def->max,
           spare = fmax(0.12 * (high - low), 1e-9 + 1e-6 * fabs(high));
    /* the window holds the curve, and the ends of the range */
    low = isfinite(min) ? fmin(low, min) : low;
    high = isfinite(max) ? fmax(high, max) : high;
    spare = fmax(spare, 0.08 * (high - low));
    panel->y.low = low -= spare, panel->y.high = high += spare;
    gdyn_figure_put(pic->figure, panel->x.low, panel->x.high, fmax(low, min), fmin(high, max));
    gdyn_draw(pic->figure, panel, GDYN_BOXES, .colour = BAND);
    for (int side = 0; side < 2; side++) {
        double end = side ? max : min;
        if (isfinite(end) && (side || def->kind != GDYN_RANGE_CONE)) {
            gdyn_figure_put(pic->figure, panel->x.low, end);
            gdyn_figure_put(pic->figure, panel->x.high, end);
            gdyn_figure_gap(pic->figure);
        }
    }
    gdyn_draw(pic->figure, panel, GDYN_LINE, .width = 1.5, .dash = "(6,4)", .colour = DARK);
}

/* A range along the path, with a ring where the margin is smallest. */
static void draw_range(picture *pic, int range) {
    const gdyn_travel *travel = &pic->track->travel[range];
    const gdyn_range_def *def = gdyn_model_range(pic->model, range);
    const char *unit;
    double factor = gdyn_shown(1, gdyn_model_range_slides(pic->model, range), &unit);
    gdyn_figure *f = pic->figure;
    gdyn_figure_panel *panel = add_panel(pic);
    double(*at)[2], low = INFINITY, high = -INFINITY;
    bool any_outside = false;
    /* p, the value, and again where it is outside */
    for (int i = 0, count = curve_of(pic, range, &at); i < count; i++) {
        double value = at[i][1], shown = factor * value;
        bool outside = value < def->min || value > def->max;
        any_outside |= outside;
        low = fmin(low, shown);
        high = fmax(high, shown);
        gdyn_figure_put(f, at[i][0], shown, outside ? shown : NAN);
    }
    int block = gdyn_figure_block_end(f);
    panel->y.title = gdyn_figure_words(f, "%s [%s]", gdyn_picture_name(def->name).text, unit);
    panel->caption[1] = travel->margin > 0 ? "no end given" : "not followed";
    if (isfinite(travel->margin)) /* "margin 109 (62 %)" */
        panel->caption[1] =
            gdyn_figure_words(f, "%s %.3g (%.3g %%)", travel->margin < 0 ? "outside by" : "margin",
                              factor * fabs(travel->margin), 100 * fabs(travel->share));
    if (!(low <= high)) {
        panel->y.high = panel->y.bare = 1;
        panel->note = "the path is not followed";
        return;
    }
    draw_band(pic, panel, def, factor, low, high);
    shade_gaps(pic, panel);
    gdyn_draw(f, panel, GDYN_LINE, block, .width = 2.2, .colour = INSIDE);
    if (any_outside)
        gdyn_draw(f, panel, GDYN_LINE, block, .column = {1, 3}, .width = 4, .colour = OUTSIDE);
    if (isfinite(travel->margin))
        gdyn_figure_put(f, travel->margin_p,
                        factor * (travel->at_max ? travel->greatest : travel->least));
    gdyn_draw(f, panel, GDYN_POINTS, .point = GDYN_RING, .size = 1.4, .width = 2,
              .colour = travel->margin < 0 ? OUTSIDE : 0);
}

/* The margins of all ranges in one panel. */
static void draw_shares(picture *pic) {
    int ranges = gdyn_model_ranges(pic->model);
    gdyn_figure_panel *panel = add_panel(pic);
    panel->y.title = gdyn_figure_words(pic->figure, "margins of all %d ranges [%%]", ranges);
    if (!followed(pic)) {
        panel->y.high = panel->y.bare = 1;
        panel->note = "the path is not followed";
        return;
    }
    shade_gaps(pic, panel);
    for (int k = 0; k < ranges; k++) {
        double(*at)[2];
        for (int i = 0, count = curve_of(pic, k, &at); i < count; i++)
            gdyn_figure_put(pic->figure, at[i][0], 100 * gdyn_range_share(pic->model, k, at[i][1]));
        gdyn_figure_gap(pic->figure);
    }
    gdyn_draw(pic->figure, panel, GDYN_LINE, .width = 0.8, .colour = 0x5C93BD);
    gdyn_figure_level(pic->figure, panel, 0);
}

/* --- the page --------------------------------------------------------------------------------- */

/* Margins that differ by less than rounding are one. */
static const double ALIKE = 1e-9;

/* Whether range a has clearly less margin than b; a range without a value has most. */
static bool nearer(const gdyn_travel *travel, int a, int b) {
    double x = isnan(travel[a].share) ? INFINITY : travel[a].share;
    double y = isnan(travel[b].share) ? INFINITY : travel[b].share;
    return x < y - ALIKE;
}

void gdyn_ranges_figure(gdyn_figure *f, const gdyn_trajectory *t, const gdyn_track *track) {
    /* a table of coefficients has no machine */
    if (!t->path || gdyn_model_ranges(t->instance->model) == 0)
        return;
    picture pic = {.model = t->instance->model, .track = track, .unit = t->unit, .figure = f};
    int ranges = gdyn_model_ranges(pic.model);
    char more[80] = "";
    /* what finds no panel of its own shares the last one */
    pic.panels = ranges <= PANELS ? ranges : PANELS - 1;
    if (ranges > pic.panels)
        snprintf(more, sizeof more, ": the %d of %d with the smallest margin", pic.panels, ranges);
    gdyn_picture_begin(f, t->name, "ranges", 1000, "Ranges along '%s'%s",
                       gdyn_picture_name(t->name).text, more);
    pic.order = gdyn_arena_alloc(f->arena, (size_t)ranges + 1, sizeof *pic.order);
    if (!pic.order) {
        f->failed = true;
        return;
    }
    /* in the order of the case where all have a panel, else those with the smallest margin first */
    for (int i = 0; i < ranges; i++) {
        int at = i;
        for (; at > 0 && ranges > PANELS && nearer(pic.track->travel, i, pic.order[at - 1]); at--)
            pic.order[at] = pic.order[at - 1];
        pic.order[at] = i;
    }
    const gdyn_figure_layer sample[] = {
        {GDYN_BOXES, .colour = BAND, .title = "range"},
        {GDYN_SAMPLE, .width = 2.2, .colour = INSIDE, .title = "along the path"},
        {GDYN_SAMPLE, .width = 4, .colour = OUTSIDE, .title = "outside of the range"},
        {GDYN_POINTS, .point = GDYN_RING, .size = 1.4, .width = 2,
         .title = "minimum margin: its amount, and its share of half the range"}};
    for (int k = 0; k < 4; k++)
        gdyn_figure_entry(f, sample[k]);
    gdyn_figure_side_by_side(f, COLUMNS, 125, false);
    for (int k = 0; k < pic.panels; k++)
        draw_range(&pic, pic.order[k]);
    if (ranges > pic.panels)
        draw_shares(&pic);
}
