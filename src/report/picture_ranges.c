/* picture_ranges.c - coordinates with a stated range along a path: small multiples with the range as a band, what
 * lies outside of it in another colour; of a machine with many, those with the least margin, and the margins of
 * all. Between the points of the path curves follow the derivatives there (cubic Hermite). */
#include "report/picture.h"

#include "base/memory.h"
#include "trajectory/advice.h"

#include <math.h>
#include <stdio.h>

/* Panels of a page; pieces of a curve between two points, and points from which on it needs none. */
enum { COLUMNS = 3, PANELS = 12, PIECES = 8, DENSE = 400 };

/* Layout in pixels. */
enum { WIDTH = 1300, ROW = 235, HEAD = 108, FOOT = 60 };
static const double LEFT = 0.075, STEP = 0.318, PANEL = 0.245;
/* Height of a panel over its width in a column. */
static const double HIGH = 0.6;

#define RANGE_BAND "#DDEEDD"
#define OUTSIDE    "#D55E00"
#define INSIDE     "#0072B2"

typedef struct picture {
    const char *name;
    const gdyn_model *model;
    const gdyn_track *track;
    const char *unit; /* of p */
    int *order;       /* of the ranges on the page */
    int panels, rows; /* panels: of single ranges */
    gdyn_script script;
} picture;

/* --- values ----------------------------------------------------------------------------------- */

static bool stands(const gdyn_track *track, int i) {
    gdyn_point_status status = track->status[i];
    return status == GDYN_POINT_OK || status == GDYN_POINT_RANGE;
}

/* The coordinate at point i, and its derivative by p. */
static double value_at(const gdyn_track *track, int range, int i, double *slope) {
    *slope =
        gdyn_mech_range_speed(track->state[i], range, track->u_p + (size_t)track->n * (size_t)i);
    return gdyn_mech_range_coordinate(track->state[i], range) + track->travel[range].turns;
}

/* The cubic with these values and slopes at both ends of a step h, at the share s of it. */
static double hermite(const double v[2], const double m[2], double h, double s) {
    double r = 1 - s;
    return v[0] * r * r * (1 + 2 * s) + v[1] * s * s * (1 + 2 * r) +
           h * s * r * (m[0] * r - m[1] * s);
}

/* Calls put(p, value) along the curve; NAN where the path is not followed. */
static void walk(const picture *pic, int range, void (*put)(void *context, double p, double value),
                 void *context) {
    const gdyn_track *track = pic->track;
    int pieces = track->points < DENSE ? PIECES : 1;
    double v[2] = {NAN, NAN}, m[2] = {NAN, NAN};
    for (int i = 0; i < track->points; i++) {
        /* From the point before, where both stand. */
        v[0] = v[1], m[0] = m[1];
        v[1] = stands(track, i) ? value_at(track, range, i, &m[1]) : NAN;
        double h = i > 0 ? track->p[i] - track->p[i - 1] : 0;
        for (int k = 1; k < pieces && isfinite(v[0]) && isfinite(v[1]); k++) {
            double s = (double)k / pieces;
            put(context, track->p[i - 1] + s * h, hermite(v, m, h, s));
        }
        put(context, track->p[i], v[1]);
    }
}

/* --- data ------------------------------------------------------------------------------------- */

typedef struct curve {
    gdyn_text *out;
    const gdyn_range_def *def;
    double factor;
    double low, high; /* of what is written */
} curve;

/* p, the value, and again where it is outside. */
static void put_value(void *context, double p, double value) {
    curve *c = context;
    if (isnan(value)) {
        gdyn_text_printf(c->out, "%.9g NaN NaN\n", p);
        return;
    }
    double shown = c->factor * value;
    bool outside = value < c->def->min || value > c->def->max;
    c->low = fmin(c->low, shown);
    c->high = fmax(c->high, shown);
    gdyn_text_printf(c->out, outside ? "%.9g %.9g %.9g\n" : "%.9g %.9g NaN\n", p, shown, shown);
}

typedef struct share_curve {
    gdyn_text *out;
    const gdyn_model *model;
    int range;
    double *shown; /* least and greatest share */
} share_curve;

static void put_share(void *context, double p, double value) {
    share_curve *c = context;
    double share = isnan(value) ? NAN : 100 * gdyn_range_share(c->model, c->range, value);
    if (isnan(value))
        gdyn_text_printf(c->out, "%.9g NaN\n", p);
    else
        gdyn_text_printf(c->out, "%.9g %.9g\n", p, share);
    c->shown[0] = fmin(c->shown[0], share);
    c->shown[1] = fmax(c->shown[1], share);
}

/* --- panels ----------------------------------------------------------------------------------- */

/* Panels side by side. */
static int columns_of(const picture *pic) {
    static const double LEAST = 125; /* width of a panel in a column */
    return gdyn_script_narrow(&pic->script) ? gdyn_column_cells(&pic->script, COLUMNS, LEAST, true)
                                            : COLUMNS;
}

/* Where panel number k stands, and titles of axes at the page's edges alone. */
static void place_panel(picture *pic, int k, int panels) {
    double height = HEAD + FOOT + ROW * pic->rows;
    int columns = columns_of(pic), row = k / columns, column = k % columns;
    double top = 1 - (HEAD + ROW * row) / height;
    bool lowest = k + columns >= panels;
    gdyn_page_columns(&pic->script, LEFT + STEP * column, LEFT + STEP * column + PANEL);
    gdyn_page_rows(&pic->script, top, top - (ROW - 70) / height);
    if (gdyn_script_narrow(&pic->script))
        gdyn_page_cell(&pic->script, column, columns, true,
                       HIGH * gdyn_column_room(&pic->script, columns, true));
    gdyn_page_label(&pic->script, 'x', lowest ? gdyn_axis_title_of_p(pic->unit).text : "",
                    "offset 0,0.4");
}

/* Whether some point of the path is reached. */
static bool followed(const picture *pic) {
    for (int i = 0; i < pic->track->points; i++)
        if (stands(pic->track, i))
            return true;
    return false;
}

/* Grey where the path is not followed. */
static void shade_gaps(picture *pic) {
    const gdyn_track *track = pic->track;
    for (int i = 0; i < track->points; i++) {
        int end = i;
        while (end < track->points && !stands(track, end))
            end++;
        if (end > i)
            gdyn_page_band(&pic->script, track->p[i > 0 ? i - 1 : 0],
                           track->p[end < track->points ? end : end - 1], "#EEEEEE");
        i = end;
    }
}

/* The range as a band, its ends as lines. */
static void draw_band(picture *pic, const curve *c) {
    double low = c->low, high = c->high, min = c->factor * c->def->min,
           max = c->factor * c->def->max,
           spare = fmax(0.12 * (high - low), 1e-9 + 1e-6 * fabs(high));
    /* the window holds the curve, and the ends of the range */
    low = isfinite(min) ? fmin(low, min) : low;
    high = isfinite(max) ? fmax(high, max) : high;
    spare = fmax(spare, 0.08 * (high - low));
    low -= spare;
    high += spare;
    gdyn_page_range(&pic->script, 'y', low, high);
    gdyn_script_line(&pic->script,
                     "set object rectangle from graph 0, first %.9g to "
                     "graph 1, first %.9g fc rgb '" RANGE_BAND "' fs solid noborder behind",
                     fmax(low, min), fmin(high, max));
    for (int side = 0; side < 2; side++) {
        double end = side ? max : min;
        bool stated = isfinite(end) && (side || c->def->kind != GDYN_RANGE_CONE);
        if (stated)
            gdyn_script_line(&pic->script,
                             "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead "
                             "lw 1.5 dt (6,4) lc rgb '#444444'",
                             end, end);
    }
}

/* "leg1 [mm]   margin 109 (62 %)" above the panel. */
static void head_panel(picture *pic, int range, const char *unit, double factor) {
    const gdyn_travel *travel = &pic->track->travel[range];
    char name[90], margin[90] = "not followed", title[120], look[80];
    gdyn_script_heading(gdyn_model_range(pic->model, range)->name, name, sizeof name);
    if (isfinite(travel->margin))
        snprintf(margin, sizeof margin, "%s %.3g (%.3g %%)",
                 travel->margin < 0 ? "outside by" : "margin", factor * fabs(travel->margin),
                 100 * fabs(travel->share));
    else if (travel->margin > 0)
        snprintf(margin, sizeof margin, "no end stated");
    snprintf(title, sizeof title, "%s [%s]", name, unit);
    snprintf(look, sizeof look, "right font ',11' tc rgb '%s'",
             travel->margin < 0 ? OUTSIDE : "#444444");
    gdyn_page_caption(&pic->script, 71, 1.09, "left font ',12'", title);
    gdyn_page_caption(&pic->script, 72, 1.09, look, margin);
}

/* An empty panel; gnuplot takes nothing where it has to find the scale. */
static void draw_nothing(picture *pic) {
    gdyn_page_range(&pic->script, 'y', 0, 1);
    gdyn_page_numbers(&pic->script, 'y', false);
    gdyn_plot_nothing(&pic->script, "the path is not followed");
    gdyn_page_numbers(&pic->script, 'y', true);
}

/* A range along the path, with a ring where the margin is least. */
static void draw_range(picture *pic, int range) {
    const gdyn_travel *travel = &pic->track->travel[range];
    const gdyn_range_def *def = gdyn_model_range(pic->model, range);
    const char *unit;
    double factor = gdyn_shown(1, gdyn_model_range_slides(pic->model, range), &unit);
    curve c = {&pic->script.data, def, factor, INFINITY, -INFINITY};
    walk(pic, range, put_value, &c);
    int block = gdyn_script_end_block(&pic->script);
    head_panel(pic, range, unit, factor);
    if (!(c.low <= c.high)) {
        draw_nothing(pic);
        return;
    }
    shade_gaps(pic);
    draw_band(pic, &c);
    gdyn_plot(&pic->script, block, "1:2 with lines lw 2.2 lc rgb '" INSIDE "' notitle");
    gdyn_plot(&pic->script, block, "1:3 with lines lw 4 lc rgb '" OUTSIDE "' notitle");
    if (isfinite(travel->margin)) {
        gdyn_text_printf(&pic->script.data, "%.9g %.9g\n", travel->margin_p,
                         factor * (travel->at_max ? travel->greatest : travel->least));
        gdyn_plot(&pic->script, gdyn_script_end_block(&pic->script),
                  "1:2 with points pt 6 ps 1.4 lw 2 lc rgb '%s' notitle",
                  travel->margin < 0 ? OUTSIDE : "#000000");
    }
    gdyn_plot_end(&pic->script);
}

/* The margins of all ranges in one panel. */
static void draw_shares(picture *pic) {
    int ranges = gdyn_model_ranges(pic->model);
    char title[80];
    double range[2] = {0, 0};
    snprintf(title, sizeof title, "margins of all %d ranges [%%]", ranges);
    gdyn_page_caption(&pic->script, 71, 1.09, "left font ',12'", title);
    gdyn_script_line(&pic->script,
                     "set autoscale y\nset arrow from graph 0, first 0 to graph 1, first 0 nohead "
                     "lw 1.5 dt (6,4) lc rgb '#444444'");
    if (!followed(pic)) {
        draw_nothing(pic);
        return;
    }
    shade_gaps(pic);
    for (int k = 0; k < ranges; k++) {
        share_curve c = {&pic->script.data, pic->model, k, range};
        walk(pic, k, put_share, &c);
        gdyn_plot(&pic->script, gdyn_script_end_block(&pic->script),
                  "1:2 with lines lw 0.8 lc rgb '#5C93BD' notitle");
    }
    gdyn_page_tics(&pic->script, 'y', range[0], range[1]);
    gdyn_plot_end(&pic->script);
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

/* In the order of the case where all have a panel, else those with the least margin first. */
static void sort(picture *pic, int ranges) {
    for (int i = 0; i < ranges; i++) {
        int at = i;
        for (; at > 0 && ranges > PANELS && nearer(pic->track->travel, i, pic->order[at - 1]); at--)
            pic->order[at] = pic->order[at - 1];
        pic->order[at] = i;
    }
}

static void draw_key(picture *pic) {
    double height = HEAD + FOOT + ROW * pic->rows, y = 1 - 54 / height, half = 6 / height;
    gdyn_script *s = &pic->script;
    gdyn_page_patch(s, LEFT, LEFT + 0.022, y - half, y + half, RANGE_BAND);
    gdyn_page_note(s, LEFT + 0.028, y, "left font ',11'", "stated range");
    gdyn_page_line(s, LEFT + 0.13, LEFT + 0.152, y, "lw 2.2 lc rgb '" INSIDE "'");
    gdyn_page_note(s, LEFT + 0.158, y, "left font ',11'", "along the path");
    gdyn_page_line(s, LEFT + 0.275, LEFT + 0.297, y, "lw 4 lc rgb '" OUTSIDE "'");
    gdyn_page_note(s, LEFT + 0.303, y, "left font ',11'", "outside of the range");
    gdyn_page_note(s, LEFT + 0.455, y, "left font ',11'",
                   "○ least margin: its amount, and its share of half the range");
}

static void draw_panels(picture *pic, int panels, const char *more) {
    char name[120];
    double height = HEAD + FOOT + ROW * pic->rows;
    for (int k = 0; k < panels; k++) {
        /* heading and key are labels of the first panel */
        if (k == 0) {
            gdyn_page_heading(&pic->script, LEFT, 1 - 24 / height, "Ranges along '%s'%s",
                              gdyn_script_heading(pic->name, name, sizeof name), more);
            draw_key(pic);
        }
        place_panel(pic, k, panels);
        if (k < pic->panels)
            draw_range(pic, pic->order[k]);
        else
            draw_shares(pic);
        gdyn_page_clear(&pic->script);
    }
}

static void draw_page(picture *pic) {
    char more[80] = "";
    int ranges = gdyn_model_ranges(pic->model), panels = pic->panels + (ranges > pic->panels);
    double height = HEAD + FOOT + ROW * pic->rows;
    if (ranges > pic->panels)
        snprintf(more, sizeof more, ": the %d of %d with the least margin", pic->panels, ranges);
    gdyn_script_begin(&pic->script, pic->name, "ranges", WIDTH, (int)height);
    do {
        gdyn_script_line(&pic->script, "set multiplot");
        gdyn_page_axes(&pic->script);
        gdyn_page_range(&pic->script, 'x', pic->track->p[0], pic->track->p[pic->track->points - 1]);
        gdyn_script_line(&pic->script, "set tics font ',10'");
        if (!gdyn_script_narrow(&pic->script))
            gdyn_script_line(&pic->script, "set xtics offset 0,0.3");
        draw_panels(pic, panels, more);
        gdyn_script_line(&pic->script, "unset multiplot");
    } while (gdyn_script_again(&pic->script));
}

gdyn_status gdyn_picture_ranges(const char *folder, const char *name, const gdyn_path *path,
                                const gdyn_track *track, const gdyn_sink *sink) {
    picture pic = {.name = name, .model = gdyn_state_model(track->state[0]), .track = track};
    int ranges = gdyn_model_ranges(pic.model);
    pic.unit = gdyn_path_unit_of_p(gdyn_path_definition(path));
    pic.order = gdyn_alloc((size_t)ranges + 1, sizeof *pic.order);
    if (!pic.order)
        return GDYN_ERROR_MEMORY;
    sort(&pic, ranges);
    /* what finds no panel of its own shares the last one */
    pic.panels = ranges <= PANELS ? ranges : PANELS - 1;
    pic.rows = (pic.panels + (ranges > pic.panels) + COLUMNS - 1) / COLUMNS;
    draw_page(&pic);
    gdyn_free(pic.order);
    return gdyn_script_finish(&pic.script, folder, sink);
}
