/* picture_limits.c - what the machine can do at each point of the path, and which limits hold it
 * back: greatest d1; range of d2 at rest; below them, strips in the colours of the limits that are
 * saturated there. */
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double LEFT = 0.165; /* of the plots */

static const char *const strip_name[GDYN_STRIPS] = {"greatest d₁", "greatest d₂ at rest",
                                                    "least d₂ at rest"};
static const char *const strip_word[GDYN_STRIPS] = {"max d₁", "max d₂", "min d₂"}; /* in a column */

typedef struct picture {
    const gdyn_trajectory *t;
    gdyn_script script;
    gdyn_legend legend;
    bool has_d1, has_rest, has_region, rest_seen; /* somewhere */
    double d1_high, rest_low, rest_high;          /* of the finite values that are shown */
    bool d1_cut, rest_cut;                        /* others are not */
} picture;

/* Joins two lists of active limits without repeats; returns the count. */
static int join(gdyn_limit *out, int count, const gdyn_limit *more, int more_count) {
    for (int i = 0; i < more_count; i++)
        gdyn_limit_add(out, &count, GDYN_ACTIVE_MAX, more[i]);
    return count;
}

/* Limits that meet at the greatest d1 of a region. */
static int limits_of_speed(const gdyn_region *region, gdyn_limit *out) {
    /* No region, or none that ends: nothing holds d1 back. */
    if (region->island_count == 0 || !isfinite(region->d1_max))
        return 0;
    /* A vertical edge at the right end, */
    const gdyn_island *last = &region->island[region->island_count - 1];
    if (last->right_count > 0)
        return join(out, 0, last->right, last->right_count);
    int count = 0;
    /* or both envelopes where they meet. */
    if (last->upper_count > 0) {
        const gdyn_arc *arc = &region->upper[last->upper_first + last->upper_count - 1];
        count = join(out, count, arc->active, arc->active_count);
    }
    if (last->lower_count > 0) {
        const gdyn_arc *arc = &region->lower[last->lower_first + last->lower_count - 1];
        count = join(out, count, arc->active, arc->active_count);
    }
    return count;
}

int gdyn_strip_limits(const gdyn_region *region, gdyn_limit_strip kind, gdyn_limit *out) {
    if (kind == GDYN_STRIP_SPEED)
        return limits_of_speed(region, out);
    const gdyn_arc *arc =
        region->rest ? gdyn_region_arc(region, 0, kind == GDYN_STRIP_FORWARD) : NULL;
    return arc ? join(out, 0, arc->active, arc->active_count) : 0;
}

static void collect(picture *pic) {
    gdyn_limit active[GDYN_ACTIVE_MAX];
    /* Which sets occur, and the windows of the curves. */
    for (int i = 0; i < pic->t->along.points; i++) {
        const gdyn_region *region = pic->t->along.region[i];
        for (gdyn_limit_strip kind = 0; kind < GDYN_STRIPS; kind++) {
            int count = gdyn_strip_limits(region, kind, active);
            gdyn_legend_use(&pic->legend, active, count);
        }
        pic->has_region |= region->island_count > 0;
        if (region->island_count > 0 && isfinite(region->d1_max)) {
            pic->has_d1 = true;
            pic->d1_high = fmax(pic->d1_high, region->d1_max);
        }
        pic->rest_seen |= region->rest;
        const double rest[] = {region->rest_min, region->rest_max};
        /* Greatest and least finite d2 at rest. */
        for (int side = 0; side < 2; side++) {
            if (region->rest && isfinite(rest[side])) {
                pic->has_rest = true;
                pic->rest_low = fmin(pic->rest_low, rest[side]);
                pic->rest_high = fmax(pic->rest_high, rest[side]);
            }
        }
    }
}

enum { CURVES = 3 }; /* d1_max, least and greatest d2 at rest */

/* Values of the curves at a point; NAN where there is none, infinite where there is no bound. */
static void values_at(const gdyn_trajectory *t, int i, double value[CURVES]) {
    /* A point without region has no values. */
    const gdyn_region *region = t->along.region[i];
    value[0] = region->island_count ? region->d1_max : NAN;
    value[1] = region->rest ? region->rest_min : NAN;
    value[2] = region->rest ? region->rest_max : NAN;
}

/* Beside singular places values grow without bound: curves leave the frame there (gdyn_usual_size). */
static void cut_off(picture *pic) {
    const gdyn_region_points *at = &pic->t->along;
    double usual[CURVES], *value = gdyn_alloc((size_t)at->points, sizeof *value);
    for (int j = 0; j < CURVES && value; j++) {
        for (int i = 0; i < at->points; i++) {
            double values[CURVES];
            values_at(pic->t, i, values);
            value[i] = values[j];
        }
        usual[j] = gdyn_usual_size(at->points, at->p, value);
    }
    double rest = value ? fmax(usual[1], usual[2]) : NAN;
    pic->d1_cut = value && pic->d1_high > usual[0];
    pic->rest_cut = pic->rest_high > rest || pic->rest_low < -rest;
    if (pic->d1_cut)
        pic->d1_high = usual[0];
    if (pic->rest_cut) {
        pic->rest_high = fmin(pic->rest_high, rest);
        pic->rest_low = fmax(pic->rest_low, -rest);
    }
    gdyn_free(value);
}

/* In the corner of a plot. */
static void note_cut(picture *pic, bool cut) {
    if (cut)
        gdyn_script_line(&pic->script,
                         "set label 'cut off where it grows' at graph 0.995,0.94 right "
                         "font ',11' tc rgb '#555555' front");
}

/* The next singular place that blocks the path behind point i and before point i + 1; NULL: none. */
static const gdyn_singularity *block_behind(const gdyn_trajectory *t, int i) {
    if (!t->singular || i + 1 >= t->along.points)
        return NULL;
    double a = t->along.p[i], b = t->along.p[i + 1];
    const gdyn_singularity *block = gdyn_singularities_block(t->singular, fmin(a, b), fmax(a, b));
    return block && block->from != a && block->from != b ? block : NULL;
}

/* A value between points that have none: a line through it would not be seen. */
static bool stands_alone(const gdyn_trajectory *t, int i, int curve) {
    for (int side = -1; side <= 1; side += 2) {
        /* Its neighbours have none, or lie beyond a singular place. */
        double value[CURVES];
        if (i + side >= 0 && i + side < t->along.points) {
            values_at(t, i + side, value);
            if (isfinite(value[curve]) && !block_behind(t, side < 0 ? i - 1 : i))
                return false;
        }
    }
    return true;
}

static void write_value(picture *pic, double value) {
    gdyn_text_printf(&pic->script.data, isfinite(value) ? " %.9g" : " NaN", value);
}

/* p and the curves, each again where it stands alone, then the range of d2 at rest as it is filled, up to
 * far outside of the frame where it has no bound. NaN where there is nothing. */
static int write_curves(picture *pic) {
    const gdyn_trajectory *t = pic->t;
    double far = 10 * (pic->rest_high - pic->rest_low) + 10;
    for (int i = 0; i < t->along.points; i++) {
        double value[CURVES];
        /* p, three curves, the same where they stand alone, and the filled range. */
        values_at(t, i, value);
        gdyn_text_printf(&pic->script.data, "%.9g", t->along.p[i]);
        for (int j = 0; j < CURVES; j++)
            write_value(pic, value[j]);
        for (int j = 0; j < CURVES; j++)
            write_value(pic, stands_alone(t, i, j) ? value[j] : NAN);
        for (int j = 1; j < CURVES; j++)
            write_value(pic, isinf(value[j]) ? copysign(far, value[j]) : value[j]);
        gdyn_text_append(&pic->script.data, "\n", 1);
        const gdyn_singularity *block = block_behind(t, i);
        if (block) { /* the curves do not go on across it */
            gdyn_text_printf(&pic->script.data, "%.9g NaN NaN NaN NaN NaN NaN NaN NaN\n",
                             block->from);
        }
    }
    return gdyn_script_end_block(&pic->script);
}

/* Where the box of point i begins: half way to its neighbour. */
static double box_edge(const gdyn_trajectory *t, int i) {
    if (i <= 0 || i >= t->along.points)
        return t->along.p[i <= 0 ? 0 : t->along.points - 1];
    return 0.5 * (t->along.p[i - 1] + t->along.p[i]);
}

typedef enum gap_kind { GAP_NONE, GAP_EMPTY, GAP_UNKNOWN, GAP_ENDLESS, GAPS } gap_kind;

/* Why there is no greatest d1 at a point. */
static gap_kind gap_at(const gdyn_trajectory *t, int i) {
    const gdyn_region *region = t->along.region[i];
    if (region->island_count == 0)
        return region->status == GDYN_REGION_UNKNOWN ? GAP_UNKNOWN : GAP_EMPTY;
    return isfinite(region->d1_max) ? GAP_NONE : GAP_ENDLESS;
}

/* Bands behind a curve where there is nothing to draw; behind that of d1 also where it has no bound,
 * and what the bands mean. */
static void draw_gaps(picture *pic, bool endless) {
    static const struct {
        const char *colour, *meaning;
    } band[GAPS] = {[GAP_EMPTY] = {"#F6D5C0", "nothing accessible"},
                    [GAP_UNKNOWN] = {"#DADADA", "not reached"},
                    [GAP_ENDLESS] = {"#E4F1E9", "d₁ without bound"}};
    const gdyn_trajectory *t = pic->t;
    bool used[GAPS] = {false};
    int shown = 0;
    /* Runs of points with the same gap are one band. */
    for (int i = 0, end; i < t->along.points; i = end) {
        gap_kind kind = gap_at(t, i);
        for (end = i + 1; end < t->along.points && gap_at(t, end) == kind;)
            end++;
        if (kind != GAP_NONE && (kind != GAP_ENDLESS || endless)) {
            used[kind] = true;
            gdyn_page_band(&pic->script, box_edge(t, i), box_edge(t, end), band[kind].colour);
        }
    }
    /* What the bands mean, once, above the first plot. */
    for (gap_kind kind = GAP_EMPTY; kind < GAPS; kind++) {
        if (used[kind] && endless) {
            double x = LEFT + 0.2 * shown++;
            gdyn_page_patch(&pic->script, x, x + 0.018, 0.919, 0.935, band[kind].colour);
            gdyn_page_note(&pic->script, x + 0.024, 0.927, "left font ',11'", "%s",
                           band[kind].meaning);
        }
    }
}

/* Lines where the drives lose control of a freedom and nothing leads across, and, with `explain`, what they mean. */
static void draw_singular(picture *pic, bool explain) {
    static const char LINE[] = "lw 2 dt (6,4) lc rgb '#B00020'";
    const gdyn_singularities *singular = pic->t->singular;
    int drawn = 0;
    for (int i = 0; singular && i < singular->count; i++) {
        const gdyn_singularity *at = &singular->at[i];
        if (!at->blocks)
            continue;
        drawn++;
        /* A dashed line, and a band where the place is a stretch. */
        gdyn_script_line(&pic->script,
                         "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead %s back",
                         at->from, at->from, LINE);
        gdyn_page_band(&pic->script, at->from, at->to, "#F3B8C0");
    }
    if (drawn > 0 && explain) {
        gdyn_page_line(&pic->script, 0.565, 0.583, 0.927, LINE);
        gdyn_page_note(&pic->script, 0.589, 0.927, "left font ',11'",
                       "singular: nothing leads across");
    }
}

/* Boxes of one strip (runs of the same set are one box) and, in `letters`, their letters. */
static void write_strip(picture *pic, gdyn_limit_strip kind, gdyn_text *letters) {
    const gdyn_trajectory *t = pic->t;
    bool narrow = gdyn_script_narrow(&pic->script);
    double letter = narrow ? 15 / gdyn_column_room(&pic->script, 1, false) : 0.018;
    double y = GDYN_STRIPS - 1 - (int)kind, span = t->along.p[t->along.points - 1] - t->along.p[0];
    /* Points with the same set are one box. */
    for (int i = 0, end; i < t->along.points; i = end) {
        gdyn_limit active[GDYN_ACTIVE_MAX];
        int count = gdyn_strip_limits(t->along.region[i], kind, active);
        int place = count ? gdyn_legend_find(&pic->legend, active, count) : -1;
        for (end = i + 1; end < t->along.points; end++) {
            int more = gdyn_strip_limits(t->along.region[end], kind, active);
            int other = more ? gdyn_legend_find(&pic->legend, active, more) : -1;
            if (other != place || (more > 0) != (count > 0))
                break;
        }
        double from = box_edge(t, i), to = box_edge(t, end);
        if (count == 0)
            continue;
        gdyn_text_printf(&pic->script.data, "%.9g %.9g %.9g %.9g %.9g %.9g %u\n", 0.5 * (from + to),
                         y, from, to, y - 0.36, y + 0.36, gdyn_legend_colour(place));
        /* A letter where the box is wide enough for it. */
        if (to - from > letter * span && gdyn_legend_letter(place) != ' ') {
            gdyn_text_printf(letters, "%.9g %.9g %c %u\n", 0.5 * (from + to), y,
                             gdyn_legend_letter(place), gdyn_legend_dark(place) ? 0xFFFFFFu : 0u);
        }
    }
}

/* Where one of the three plots stands, and the axis of p below the last one. */
static void place_plot(picture *pic, double top, double bottom, bool last) {
    gdyn_page_columns(&pic->script, LEFT, 0.77);
    gdyn_page_rows(&pic->script, top, bottom);
    gdyn_page_numbers(&pic->script, 'x', last);
    gdyn_page_label(&pic->script, 'x', last ? gdyn_axis_title_of_p(pic->t->unit).text : "", "");
}

/* Column y of the curves as a line, and at points on their own as dots; colours belong to the limits in the strips. */
static void plot_curve(picture *pic, int block, int y) {
    gdyn_plot(&pic->script, block, "1:%d with lines lw 2.5 lc rgb '#222222' notitle", y);
    gdyn_plot(&pic->script, block, "1:%d with points pt 7 ps 1 lc rgb '#222222' notitle",
              y + CURVES);
}

static const char *nothing_here(const picture *pic) {
    for (int i = 0; i < pic->t->along.points; i++)
        if (pic->t->along.region[i]->status != GDYN_REGION_UNKNOWN)
            return "nothing is accessible";
    return "no point of the path is reached";
}

static void plot_speed(picture *pic, int block) {
    place_plot(pic, 0.91, 0.63, false);
    gdyn_page_label(&pic->script, 'y',
                    gdyn_axis_title(NULL, GDYN_CRITERION_D1_MAX, pic->t->unit).text, "");
    gdyn_page_range(&pic->script, 'y', 0, pic->d1_high > 0 ? 1.1 * pic->d1_high : 1);
    note_cut(pic, pic->d1_cut);
    if (pic->has_d1) {
        plot_curve(pic, block, 2);
        gdyn_plot_end(&pic->script);
    } else {
        gdyn_plot_nothing(&pic->script, pic->has_region ? "no finite bound" : nothing_here(pic));
    }
    gdyn_page_clear(&pic->script);
}

static void plot_rest(picture *pic, int block) {
    double span = pic->rest_high - pic->rest_low, spare = span > 0 ? 0.08 * span : 1;
    draw_gaps(pic, false);
    draw_singular(pic, false);
    place_plot(pic, 0.60, 0.32, false);
    gdyn_page_label(&pic->script, 'y',
                    gdyn_axis_title("d2 at rest", GDYN_CRITERION_REST_MAX, pic->t->unit).text, "");
    gdyn_page_range(&pic->script, 'y', pic->rest_low - spare, pic->rest_high + spare);
    note_cut(pic, pic->rest_cut);
    /* What is between the bounds at rest, then the bounds, then zero. */
    if (pic->has_rest) {
        gdyn_plot(&pic->script, block, "1:8:9 with filledcurves lc rgb '#E4EEF5' notitle");
        plot_curve(pic, block, 4);
        plot_curve(pic, block, 3);
        gdyn_plot_more(&pic->script, "0 with lines lw 1 dt 2 lc rgb '#666666' notitle");
        gdyn_plot_end(&pic->script);
    } else {
        gdyn_plot_nothing(&pic->script, !pic->has_region ? nothing_here(pic)
                                        : pic->rest_seen ? "no finite bound"
                                                         : "rest is not accessible");
    }
    gdyn_page_clear(&pic->script);
}

static void plot_strips(picture *pic) {
    gdyn_text letters = {0};
    size_t before = pic->script.data.length;
    place_plot(pic, 0.29, 0.09, true);
    gdyn_page_lanes(&pic->script, GDYN_STRIPS);
    gdyn_page_label(&pic->script, 'y', "", "");
    gdyn_script_line(&pic->script, "unset grid\nset yrange [-0.5:2.5]\nset ytics scale 0");
    for (gdyn_limit_strip kind = 0; kind < GDYN_STRIPS; kind++) {
        gdyn_script_line(&pic->script, "set ytics %s('%s' %d)", kind ? "add " : "",
                         gdyn_script_narrow(&pic->script) ? strip_word[kind] : strip_name[kind],
                         GDYN_STRIPS - 1 - (int)kind);
        write_strip(pic, kind, &letters);
    }
    /* Boxes first, letters above them. */
    if (pic->script.data.length > before)
        gdyn_plot(&pic->script, gdyn_script_end_block(&pic->script),
                  "1:2:3:4:5:6:7 with boxxyerror fs solid 1.0 noborder lc rgb variable notitle");
    if (letters.length > 0) {
        gdyn_text_append(&pic->script.data, letters.data, letters.length);
        gdyn_plot(&pic->script, gdyn_script_end_block(&pic->script),
                  "1:2:3:4 with labels tc rgb variable font 'DejaVu Sans Bold,12' notitle");
    }
    gdyn_plot_end(&pic->script);
    pic->script.data.failed |= letters.failed;
    gdyn_text_free(&letters);
}

/* The page, with the block of the curves. */
static void draw(picture *pic, int curves) {
    const gdyn_trajectory *t = pic->t;
    double first = t->along.p[0], last = t->along.p[t->along.points - 1];
    char name[200];
    gdyn_script_line(&pic->script, "set multiplot");
    gdyn_page_heading(&pic->script, LEFT, 0.955, "Speed and acceleration along '%s'",
                      gdyn_script_heading(t->name, name, sizeof name));
    gdyn_legend_draw(&pic->legend, &pic->script, 0.795, 0.90, 0.1, "Saturated there:");
    gdyn_page_names(&pic->script, gdyn_column_width(strip_word[0]));
    gdyn_page_range(&pic->script, 'x', first, last > first ? last : first + 1);
    gdyn_page_axes(&pic->script);
    draw_gaps(pic, true);
    draw_singular(pic, true);
    plot_speed(pic, curves);
    plot_rest(pic, curves);
    plot_strips(pic);
    gdyn_script_line(&pic->script, "unset multiplot");
}

gdyn_status gdyn_picture_limits(const char *folder, const gdyn_trajectory *t,
                                const gdyn_sink *sink) {
    picture pic = {.t = t};
    if (!gdyn_legend_create(&pic.legend, t, &t->along))
        return GDYN_ERROR_MEMORY;
    /* The key before the page: it needs to know what occurs. */
    collect(&pic);
    cut_off(&pic);
    gdyn_legend_settle(&pic.legend);
    gdyn_script_begin(&pic.script, t->name, "limits", 1300, 1000);
    /* One block of data serves both plots. */
    int curves = write_curves(&pic);
    do {
        draw(&pic, curves);
    } while (gdyn_script_again(&pic.script));
    gdyn_legend_destroy(&pic.legend);
    return gdyn_script_finish(&pic.script, folder, sink);
}
