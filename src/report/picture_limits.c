/* picture_limits.c - what the machine can do at each point of the path, and which limits hold it
 * back: greatest d1; range of d2 at rest; below them, strips in the colours of the limits that are
 * saturated there. */
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Strips over p of the limits that are saturated. */
typedef enum limit_strip {
    STRIP_SPEED,    /* at the greatest d1 */
    STRIP_FORWARD,  /* at the greatest d2 at rest */
    STRIP_BACKWARD, /* at the least d2 at rest */
    STRIPS
} limit_strip;
static const char *const strip_word[STRIPS] = {"max d₁", "max d₂", "min d₂"};

typedef struct picture {
    const gdyn_trajectory *t;
    gdyn_figure *figure;
    gdyn_legend legend;
    bool has_region, rest_seen; /* somewhere */
    /* of the finite values that are shown, and whether others are not; of d1, of d2 at rest */
    double range[2][2];
    bool finite[2], cut[2];
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

/* Limits that a strip shows at a point (GDYN_ACTIVE_MAX at most); their number, 0 when nothing
 * holds back there. */
static int strip_limits(const gdyn_region *region, limit_strip kind, gdyn_limit *out) {
    if (kind == STRIP_SPEED)
        return limits_of_speed(region, out);
    const gdyn_arc *arc = region->rest ? gdyn_region_arc(region, 0, kind == STRIP_FORWARD) : NULL;
    return arc ? join(out, 0, arc->active, arc->active_count) : 0;
}

void gdyn_limits_use(gdyn_legend *legend, const gdyn_trajectory *t) {
    gdyn_limit active[GDYN_ACTIVE_MAX];
    for (int i = 0; i < t->along.points; i++)
        for (limit_strip kind = 0; kind < STRIPS; kind++)
            gdyn_legend_use(legend, active, strip_limits(t->along.region[i], kind, active));
}

enum { CURVES = 3 }; /* d1_max, least and greatest d2 at rest */

double gdyn_limit_value(const gdyn_region *region, int curve) {
    if (curve == 0)
        return region->island_count ? region->d1_max : NAN;
    return !region->rest ? NAN : curve == 1 ? region->rest_min : region->rest_max;
}

bool gdyn_limits_range(int count, const gdyn_region_points *const *at, bool rest, double range[2],
                       bool *cut) {
    double low = 0, high = 0, usual = NAN;
    bool finite = false;
    for (int k = 0; k < count; k++) {
        double *value = gdyn_alloc((size_t)at[k]->points + 1, sizeof *value);
        for (int curve = rest ? 1 : 0; curve <= (rest ? 2 : 0) && value; curve++) {
            for (int i = 0; i < at[k]->points; i++) {
                double v = value[i] = gdyn_limit_value(at[k]->region[i], curve);
                finite |= isfinite(v);
                low = isfinite(v) ? fmin(low, v) : low;
                high = isfinite(v) ? fmax(high, v) : high;
            }
            usual = fmax(usual, gdyn_usual_size(at[k]->points, at[k]->p, value));
        }
        gdyn_free(value);
    }
    range[0] = fmax(low, -usual); /* NAN: nothing is usual */
    range[1] = fmin(high, usual);
    *cut = range[0] > low || range[1] < high;
    return finite;
}

/* The next singular place that blocks the path behind point i and before point i + 1; NULL:
 * none. */
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
        if (i + side >= 0 && i + side < t->along.points &&
            isfinite(gdyn_limit_value(t->along.region[i + side], curve)) &&
            !block_behind(t, side < 0 ? i - 1 : i))
            return false;
    }
    return true;
}

/* p and the curves, each again where it stands alone, then the range of d2 at rest as it is
 * filled, up to far outside of the frame where it has no bound. NaN where there is nothing. */
static int write_curves(picture *pic) {
    const gdyn_trajectory *t = pic->t;
    double far = 10 * (pic->range[1][1] - pic->range[1][0]) + 10;
    for (int i = 0; i < t->along.points; i++) {
        double row[3 * CURVES] = {t->along.p[i]};
        for (int j = 0; j < CURVES; j++) {
            double value = row[1 + j] = gdyn_limit_value(t->along.region[i], j);
            row[1 + CURVES + j] = stands_alone(t, i, j) ? value : NAN;
            if (j > 0)
                row[2 * CURVES + j] = isinf(value) ? copysign(far, value) : value;
        }
        gdyn_figure_row(pic->figure, 3 * CURVES, row);
        const gdyn_singularity *block = block_behind(t, i);
        if (block) /* the curves do not go on across it */
            gdyn_figure_put(pic->figure, block->from, NAN);
    }
    return gdyn_figure_block_end(pic->figure);
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

/* Bands behind a curve where there is nothing to draw; behind that of d1 also where it has no
 * bound. */
static void draw_gaps(picture *pic, gdyn_figure_panel *panel, bool of_speed) {
    static const struct {
        unsigned colour;
        const char *meaning;
    } band[GAPS] = {[GAP_EMPTY] = {0xF6D5C0, "nothing accessible"},
                    [GAP_UNKNOWN] = {0xDADADA, "not reached"},
                    [GAP_ENDLESS] = {0xE4F1E9, "d₁ without bound"}};
    const gdyn_trajectory *t = pic->t;
    for (gap_kind kind = GAP_EMPTY; kind < (of_speed ? GAPS : GAP_ENDLESS); kind++) {
        /* Runs of points with the same gap are one band. */
        for (int i = 0, end; i < t->along.points; i = end) {
            gap_kind own = gap_at(t, i);
            for (end = i + 1; end < t->along.points && gap_at(t, end) == own;)
                end++;
            if (own == kind)
                gdyn_figure_put(pic->figure, box_edge(t, i), box_edge(t, end));
        }
        gdyn_draw(pic->figure, panel, GDYN_BANDS, .colour = band[kind].colour,
                  .title = of_speed ? band[kind].meaning : NULL);
    }
}

/* Lines where the drives lose control of a freedom and nothing leads across, bands where such a
 * place is a stretch. */
static void draw_singular(picture *pic, gdyn_figure_panel *panel, bool explain) {
    const gdyn_singularities *singular = pic->t->singular;
    for (int stretch = 1; stretch >= 0 && singular; stretch--) {
        for (int i = 0; i < singular->count; i++)
            if (singular->at[i].blocks && (!stretch || singular->at[i].to > singular->at[i].from))
                gdyn_figure_put(pic->figure, singular->at[i].from, singular->at[i].to);
        int block = gdyn_figure_block_end(pic->figure);
        if (stretch)
            gdyn_draw(pic->figure, panel, GDYN_BANDS, block, .colour = 0xF3B8C0);
        else
            gdyn_draw(pic->figure, panel, GDYN_RULES, block, .width = 2, .dash = "(6,4)",
                      .colour = 0xB00020,
                      .title = explain ? "singular: no motion crosses it" : NULL);
    }
}

/* Boxes of one strip, of runs of points with the same set; letters: their letters instead. */
static void write_strip(picture *pic, limit_strip kind, bool letters) {
    const gdyn_trajectory *t = pic->t;
    double y = STRIPS - 1 - (int)kind, span = t->along.p[t->along.points - 1] - t->along.p[0];
    for (int i = 0, end; i < t->along.points; i = end) {
        gdyn_limit active[GDYN_ACTIVE_MAX];
        int count = strip_limits(t->along.region[i], kind, active);
        int place = count ? gdyn_legend_find(&pic->legend, active, count) : -1;
        for (end = i + 1; end < t->along.points; end++) {
            int more = strip_limits(t->along.region[end], kind, active);
            int other = more ? gdyn_legend_find(&pic->legend, active, more) : -1;
            if (other != place || (more > 0) != (count > 0))
                break;
        }
        double from = box_edge(t, i), to = box_edge(t, end);
        if (count == 0)
            continue;
        const char letter[] = {gdyn_legend_letter(place), '\0'};
        if (!letters)
            gdyn_figure_put(pic->figure, from, to, y - 0.36, y + 0.36, gdyn_legend_colour(place));
        else if (*letter != ' ')
            gdyn_figure_put_name(pic->figure, letter, 0.5 * (from + to), y,
                                 gdyn_legend_dark(place) ? 0xFFFFFFu : 0u, 0, 0,
                                 (to - from) / span);
    }
}

/* Column y of the curves as a line, and at points on their own as dots; colours belong to the
 * limits in the strips. */
static void draw_curve(picture *pic, gdyn_figure_panel *panel, int block, int y) {
    gdyn_draw(pic->figure, panel, GDYN_LINE, block, .column = {1, y}, .width = 2.5,
              .colour = 0x222222);
    gdyn_draw(pic->figure, panel, GDYN_POINTS, block, .column = {1, y + CURVES}, .point = GDYN_DOT,
              .colour = 0x222222);
}

static const char *nothing_here(const picture *pic) {
    for (int i = 0; i < pic->t->along.points; i++)
        if (pic->t->along.region[i]->status != GDYN_REGION_UNKNOWN)
            return "nothing is accessible";
    return "no point of the path is reached";
}

/* One of the three panels over p. */
static gdyn_figure_panel *add_panel(picture *pic, double height, bool last) {
    const gdyn_region_points *at = &pic->t->along;
    double first = at->p[0], end = at->p[at->points - 1];
    gdyn_figure_panel *panel = gdyn_figure_add(pic->figure);
    panel->height = height;
    panel->x = (gdyn_figure_axis){
        .low = first, .high = end > first ? end : first + 1, .unlabelled = !last};
    if (last)
        panel->x.title = gdyn_figure_title_of_p(pic->figure, pic->t->unit);
    return panel;
}

static void draw_rest(picture *pic, int block) {
    const double *range = pic->range[1];
    double span = range[1] - range[0], spare = span > 0 ? 0.08 * span : 1;
    gdyn_figure_panel *panel = add_panel(pic, 260, false);
    panel->y = (gdyn_figure_axis){.title = gdyn_figure_title(pic->figure, "d2 at rest",
                                                             GDYN_CRITERION_REST_MAX, pic->t->unit),
                                  .low = range[0] - spare,
                                  .high = range[1] + spare};
    panel->caption[1] = pic->cut[1] ? "cut off where it grows" : NULL;
    draw_gaps(pic, panel, false);
    draw_singular(pic, panel, false);
    if (!pic->finite[1]) {
        panel->note = !pic->has_region ? nothing_here(pic)
                      : pic->rest_seen ? "no finite bound"
                                       : "rest is not accessible";
        return;
    }
    /* What is between the bounds at rest, then the bounds, then zero. */
    gdyn_draw(pic->figure, panel, GDYN_AREA, block, .column = {1, 8, 9}, .colour = 0xE4EEF5);
    draw_curve(pic, panel, block, 4), draw_curve(pic, panel, block, 3);
    gdyn_figure_level(pic->figure, panel, 0);
}

static void draw_strips(picture *pic) {
    gdyn_figure_panel *panel = add_panel(pic, 0, true);
    panel->y = (gdyn_figure_axis){.low = -0.5, .high = STRIPS - 0.5, .lanes = true};
    panel->gridless = true;
    for (limit_strip kind = 0; kind < STRIPS; kind++)
        gdyn_figure_tic_at(pic->figure, &panel->y, STRIPS - 1 - (int)kind, strip_word[kind]);
    /* Boxes first, letters above them. */
    for (int letters = 0; letters < 2; letters++) {
        for (limit_strip kind = 0; kind < STRIPS; kind++)
            write_strip(pic, kind, letters);
        gdyn_draw(pic->figure, panel, letters ? GDYN_NAMES : GDYN_BOXES, .colouring = GDYN_OWN,
                  .room = 15);
    }
}

void gdyn_limits_figure(gdyn_figure *f, const gdyn_trajectory *t, const gdyn_legend *legend) {
    picture pic = {.t = t, .figure = f};
    gdyn_picture_begin(f, t->name, "limits", 1000, "Speed and acceleration along '%s'",
                       gdyn_picture_name(t->name).text);
    if (legend) {
        pic.legend = *legend;
    } else if (!gdyn_legend_create(&pic.legend, t, &t->along)) {
        f->failed = true;
        return;
    }
    /* The key before the page: it needs to know what occurs. */
    if (!legend) {
        gdyn_limits_use(&pic.legend, t);
        gdyn_legend_settle(&pic.legend);
    }
    const gdyn_region_points *at = &pic.t->along;
    for (int rest = 0; rest < 2; rest++)
        pic.finite[rest] = gdyn_limits_range(1, &at, rest, pic.range[rest], &pic.cut[rest]);
    for (int i = 0; i < at->points; i++) {
        pic.has_region |= at->region[i]->island_count > 0;
        pic.rest_seen |= at->region[i]->rest;
    }
    /* One block of data serves both plots. */
    int curves = write_curves(&pic);
    gdyn_figure_panel *panel = add_panel(&pic, 260, false);
    panel->y = (gdyn_figure_axis){
        .title = gdyn_figure_title(pic.figure, NULL, GDYN_CRITERION_D1_MAX, pic.t->unit),
        .high = pic.range[0][1] > 0 ? 1.1 * pic.range[0][1] : 1};
    panel->caption[1] = pic.cut[0] ? "cut off where it grows" : NULL;
    draw_gaps(&pic, panel, true);
    draw_singular(&pic, panel, true);
    if (pic.finite[0])
        draw_curve(&pic, panel, curves, 2);
    else
        panel->note = pic.has_region ? "no finite bound" : nothing_here(&pic);
    draw_rest(&pic, curves);
    draw_strips(&pic);
    gdyn_legend_draw(&pic.legend, f, "Saturated there:");
    if (!legend)
        gdyn_legend_destroy(&pic.legend);
}
