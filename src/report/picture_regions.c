/* picture_regions.c - the accessible regions at several points of the path, side by side in the
 * d1-d2 plane as in Fig. 1 of Horacek, Sika, Valasek 2013: every arc in the colour and with the
 * letter of the limits that are saturated on it; the region common to the whole path darker. */
#include "report/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS_MAX = 12 };
/* Height of a panel over its width in a column. */
static const double HIGH = 0.75;

/* Everything one picture needs. */
typedef struct picture {
    const gdyn_trajectory *t;
    const gdyn_region_points *panels;
    gdyn_script script;
    gdyn_legend legend;
    gdyn_window window; /* of the panel in the making */
    bool own_scales;    /* every panel has its own */
    int columns, rows;
    double off[2],
        telling; /* shares of a panel: a letter beside its arc, the shortest arc that has one */
} picture;

/* --- data ------------------------------------------------------------------------------------- */

/* A letter beside (x, y), away from the edge with direction (dx, dy), on the side `away`. */
static void write_letter(const picture *pic, gdyn_text *letters, int place, double x, double y,
                         double dx, double dy, double away) {
    double width = pic->window.d1_high, height = pic->window.d2_high - pic->window.d2_low;
    /* The normal of the edge, in shares of the window. */
    double nx = -dy / height, ny = dx / width, norm = hypot(nx, ny);
    char letter = gdyn_legend_letter(place);
    if (letter != ' ' && norm > 0) {
        gdyn_text_printf(letters, "%.9g %.9g %c %u\n", x + away * pic->off[0] * width * nx / norm,
                         y + away * pic->off[1] * height * ny / norm, letter,
                         gdyn_legend_colour(place));
    }
}

static void write_arc(picture *pic, gdyn_text *letters, const gdyn_arc *arc, bool upper) {
    enum { PIECES = 24 };
    const gdyn_window *window = &pic->window;
    int place = gdyn_legend_find(&pic->legend, arc->active, arc->active_count);
    double to = fmin(arc->to, window->d1_high), middle = 0.5 * (arc->from + to);
    if (!(to > arc->from))
        return;
    /* The arc within the window, in the colour of its limits. */
    for (int i = 0; i <= PIECES; i++) {
        double d1 = arc->from + (to - arc->from) * i / PIECES;
        gdyn_text_printf(&pic->script.data, "%.9g %.9g %u\n", d1,
                         (arc->a * d1 + arc->b) * d1 + arc->c, gdyn_legend_colour(place));
    }
    gdyn_text_append(&pic->script.data, "\n", 1);
    /* Arcs too short for a letter have none. */
    double slope = 2 * arc->a * middle + arc->b;
    double across = hypot((to - arc->from) / window->d1_high,
                          slope * (to - arc->from) / (window->d2_high - window->d2_low));
    if (across > pic->telling) {
        write_letter(pic, letters, place, middle, (arc->a * middle + arc->b) * middle + arc->c,
                     to - arc->from, slope * (to - arc->from), upper ? 1 : -1);
    }
}

/* The vertical edge that closes an island where its envelopes do not meet. */
static void write_side(picture *pic, gdyn_text *letters, const gdyn_region *region, double d1,
                       const gdyn_limit *active, int count, double away) {
    if (count == 0 || !(d1 <= pic->window.d1_high))
        return;
    /* In the colour of the limits that end the island. */
    int place = gdyn_legend_find(&pic->legend, active, count);
    double low = gdyn_sample_envelope(region, d1, false, &pic->window);
    double high = gdyn_sample_envelope(region, d1, true, &pic->window);
    gdyn_text_printf(&pic->script.data, "%.9g %.9g %u\n%.9g %.9g %u\n\n", d1, low,
                     gdyn_legend_colour(place), d1, high, gdyn_legend_colour(place));
    if (high - low > 0.05 * (pic->window.d2_high - pic->window.d2_low))
        write_letter(pic, letters, place, d1, 0.5 * (low + high), 0, high - low, away);
}

/* All edges of a region and, in a block of their own, their letters. Returns the indices of the blocks, -1 where there is
 * none. */
static int write_edges(picture *pic, int point, int *block_of_letters) {
    const gdyn_region *region = pic->panels->region[point];
    gdyn_text letters = {0};
    *block_of_letters = -1;
    if (region->island_count == 0)
        return -1;
    size_t before = pic->script.data.length;
    /* Both envelopes, then the ends of the islands. */
    for (int i = 0; i < region->upper_count; i++)
        write_arc(pic, &letters, &region->upper[i], true);
    for (int i = 0; i < region->lower_count; i++)
        write_arc(pic, &letters, &region->lower[i], false);
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        write_side(pic, &letters, region, island->from, island->left, island->left_count, 1);
        write_side(pic, &letters, region, island->to, island->right, island->right_count, -1);
    }
    /* Letters in a block of their own: gnuplot draws them as labels. */
    int block = pic->script.data.length > before ? gdyn_script_end_block(&pic->script) : -1;
    if (block >= 0 && letters.length > 0) {
        gdyn_text_append(&pic->script.data, letters.data, letters.length);
        *block_of_letters = gdyn_script_end_block(&pic->script);
    }
    pic->script.data.failed |= letters.failed;
    gdyn_text_free(&letters);
    return block;
}

/* --- script ----------------------------------------------------------------------------------- */

static void choose_grid(picture *pic, int count) {
    static const double LEAST = 110; /* width of a panel in a column */
    pic->columns = count == 0 ? 0 : count == 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4;
    if (gdyn_script_narrow(&pic->script) && pic->columns > 0)
        pic->columns = gdyn_column_cells(&pic->script, pic->columns > 2 ? pic->columns : 2, LEAST,
                                         pic->own_scales);
    double panel =
        gdyn_column_room(&pic->script, pic->columns > 0 ? pic->columns : 1, pic->own_scales);
    bool narrow = gdyn_script_narrow(&pic->script);
    pic->off[0] = narrow ? 9 / panel : 0.035;
    pic->off[1] = narrow ? 10 / (HIGH * panel) : 0.055;
    pic->telling = narrow ? 22 / panel : 0.07;
    pic->rows = count > 0 ? (count + pic->columns - 1) / pic->columns : 0;
}

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

/* p of a point, without the rounding errors of equal steps around zero. */
static double place_of(const gdyn_region_points *panels, int point) {
    double span = fabs(panels->p[panels->points - 1] - panels->p[0]);
    return fabs(panels->p[point]) <= 1e-12 * span ? 0 : panels->p[point];
}

/* Axes of panel i: numbers only along the left and the lower border of the grid, unless every panel has
 * its own scales; titles there only. */
static void place_panel(picture *pic, int i, int count) {
    /* The grid of panels leaves room for the legend at the right. */
    int column = i % pic->columns, row = i / pic->columns;
    double width = 0.70 / pic->columns, height = 0.82 / pic->rows;
    double room_left = pic->own_scales ? 0.035 : 0, room_below = pic->own_scales ? 0.025 : 0;
    bool left = column == 0, bottom = i + pic->columns >= count;
    bool narrow = gdyn_script_narrow(&pic->script), numbered = bottom || pic->own_scales;
    gdyn_words d1 = gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, pic->t->unit);
    gdyn_words d2 = gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, pic->t->unit);
    gdyn_page_columns(&pic->script, 0.07 + column * width + (left ? 0 : room_left),
                      0.07 + (column + 0.95) * width);
    gdyn_page_rows(&pic->script, 0.90 - (row + 0.09) * height,
                   0.90 - (row + 0.97) * height + (bottom ? 0 : room_below));
    /* Numbers and titles only at the borders. */
    gdyn_page_numbers(&pic->script, 'x', numbered);
    gdyn_page_numbers(&pic->script, 'y', left || pic->own_scales);
    gdyn_page_label(&pic->script, 'x', bottom ? d1.text : "", "offset 0,0.3");
    gdyn_page_label(&pic->script, 'y', left && (row == 0 || !narrow) ? d2.text : "",
                    "offset 0.8,0");
    if (narrow)
        gdyn_page_cell(&pic->script, column, pic->columns, pic->own_scales,
                       HIGH * gdyn_column_room(&pic->script, pic->columns, pic->own_scales));
}

static void set_ranges(picture *pic) {
    int tics = pic->columns > 0 ? 15 / pic->columns : 5;
    gdyn_page_range(&pic->script, 'x', 0, pic->window.d1_high);
    gdyn_page_range(&pic->script, 'y', pic->window.d2_low, pic->window.d2_high);
    /* a number at the very end would touch the 0 of the panel beside it */
    gdyn_script_line(&pic->script, "set xtics 0,%.9g,%.9g",
                     gdyn_round_step(pic->window.d1_high, tics), 0.96 * pic->window.d1_high);
}

static void plot_panel(picture *pic, int point, int common_block) {
    int letters;
    char title[80];
    const gdyn_region_points *panels = pic->panels;
    /* Filled region, edges with letters, marks of what is unbounded. */
    int outline = gdyn_sample_outline(panels->region[point], &pic->window, &pic->script);
    int edges = write_edges(pic, point, &letters);
    int open = gdyn_sample_open(panels->region[point], &pic->window, &pic->script);
    snprintf(title, sizeof title, "p = %.4g%s%s", place_of(panels, point), *pic->t->unit ? " " : "",
             pic->t->unit);
    gdyn_page_title(&pic->script, title, "offset 0,-0.7");
    if (outline < 0) {
        gdyn_plot_nothing(&pic->script, panels->status[point]);
        return;
    }
    /* The common region above each point's own. */
    gdyn_plot(&pic->script, outline, "1:2 with filledcurves closed lc rgb '#EAEAEA' notitle");
    gdyn_plot(&pic->script, common_block, "1:2 with filledcurves closed lc rgb '#C4C4C4' notitle");
    gdyn_plot_more(&pic->script, "0 with lines lw 1 dt 2 lc rgb '#666666' notitle");
    gdyn_plot(&pic->script, edges, "1:2:3 with lines lw 3 lc rgb variable notitle");
    gdyn_plot(&pic->script, letters, "1:2:3:4 with labels tc rgb variable font ',12' notitle");
    gdyn_plot(&pic->script, open, "1:2:3 with labels tc rgb '#555555' notitle");
    gdyn_plot_end(&pic->script);
}

/* How many points of the path have no region, and why. */
static void note_gaps(picture *pic) {
    const gdyn_region_points *panels = pic->panels;
    int empty = 0, unknown = 0;
    /* Points without a region, of two kinds. */
    for (int i = 0; i < panels->points; i++) {
        empty += panels->region[i]->status == GDYN_REGION_EMPTY;
        unknown += panels->region[i]->status == GDYN_REGION_UNKNOWN;
    }
    gdyn_text text = {0};
    if (empty > 0)
        gdyn_text_printf(&text, "nothing is accessible at %d of %d points", empty, panels->points);
    if (unknown > 0) {
        gdyn_text_printf(&text, "%s%d of %d points are not reached", empty ? "; " : "", unknown,
                         panels->points);
    }
    /* In the heading, in the colour of warnings. */
    if (text.length > 0)
        gdyn_page_note(&pic->script, 0.07, 0.925, "left tc rgb '#D55E00'", "%s", text.data);
    gdyn_text_free(&text);
}

static bool reached(const gdyn_region_points *panels) {
    for (int i = 0; i < panels->points; i++)
        if (panels->region[i]->status == GDYN_REGION_UNKNOWN)
            return false;
    return true;
}

static bool cut(const gdyn_region *region) {
    bool is_cut = region && region->island_count > 0 && region->d2_unbounded;
    return is_cut || (region && region->island_count > 0 &&
                      isinf(region->island[region->island_count - 1].to));
}

static void begin_page(picture *pic) {
    char title[200];
    /* Heading, gaps, legend. */
    gdyn_script_line(&pic->script, "set multiplot");
    gdyn_page_heading(&pic->script, 0.07, 0.955, "Accessible regions along '%s'",
                      gdyn_script_heading(pic->t->name, title, sizeof title));
    note_gaps(pic);
    if (pic->columns > 0)
        gdyn_legend_draw(&pic->legend, &pic->script, 0.79, 0.88, 0.14, "Saturated on the edges:");
    set_ranges(pic);
    gdyn_page_axes(&pic->script);
}

/* What holds for all panels, below the legend and above the panels. */
static void note_common(picture *pic, int count, const int *points, bool common) {
    bool any_cut = false;
    for (int i = 0; i < count; i++)
        any_cut |= cut(pic->panels->region[points[i]]);
    /* The common region is one of the points reached. */
    if (common) {
        gdyn_page_patch(&pic->script, 0.79, 0.812, 0.085, 0.105, "#C4C4C4");
        gdyn_page_note(&pic->script, 0.818, 0.095, "left font ',11'", "common to the %s",
                       reached(pic->panels) ? "whole path" : "points reached");
    }
    if (any_cut)
        gdyn_page_note(&pic->script, 0.79, 0.055, "left font ',11'", "▲ ▼ ▶  unbounded");
    if (pic->own_scales)
        gdyn_page_note(&pic->script, 0.768, 0.925, "right tc rgb '#555555'",
                       "every panel has its own scales");
    if (count == 0) { /* labels appear with a plot only */
        gdyn_page_note(&pic->script, 0.4, 0.5, "center font ',14' tc rgb '#555555'",
                       "no point of the path has a region");
        gdyn_script_line(&pic->script, "unset border\nunset tics\nunset grid\n"
                                       "plot [0:1][0:1] 2 notitle");
    }
}

/* One panel after another, in the common window or in its own. */
static void draw(picture *pic, int count, const int *points) {
    begin_page(pic);
    int common = gdyn_sample_outline(pic->t->common, &pic->window, &pic->script);
    note_common(pic, count, points, common >= 0);
    for (int i = 0; i < count; i++) {
        place_panel(pic, i, count);
        if (pic->own_scales) {
            pic->window = gdyn_window_of(pic->panels, 1, &points[i]);
            common = gdyn_sample_outline(pic->t->common, &pic->window, &pic->script);
            set_ranges(pic);
        }
        plot_panel(pic, points[i], common);
        if (i == 0)
            gdyn_page_clear(&pic->script);
    }
    gdyn_script_line(&pic->script, "unset multiplot");
}

gdyn_status gdyn_picture_regions(const char *folder, const gdyn_trajectory *t,
                                 const gdyn_region_points *panels, int count, const int *points,
                                 const gdyn_sink *sink) {
    picture pic = {.t = t, .panels = panels};
    count = count < PANELS_MAX ? count : PANELS_MAX;
    /* Limits that occur in the panels get colours and letters. */
    if (!gdyn_legend_create(&pic.legend, t, panels))
        return GDYN_ERROR_MEMORY;
    pic.window = gdyn_window_of(panels, count, points);
    pic.own_scales = scales_differ(&pic, count, points);
    for (int i = 0; i < count; i++)
        gdyn_legend_use_region(&pic.legend, panels->region[points[i]]);
    gdyn_legend_settle(&pic.legend);
    gdyn_script_begin(&pic.script, t->name, "regions", 1500, 1000);
    do {
        pic.window = gdyn_window_of(panels, count, points);
        choose_grid(&pic, count);
        draw(&pic, count, points);
    } while (gdyn_script_again(&pic.script));
    gdyn_legend_destroy(&pic.legend);
    return gdyn_script_finish(&pic.script, folder, sink);
}
