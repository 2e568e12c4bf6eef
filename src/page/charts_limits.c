/* charts_limits.c - what the machine can do at each point of the path and which limits hold it back; regions. */
#include "page/charts.h"

#include "page/html.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

static double first_p(const gdyn_trajectory *t) {
    return t->along.p[0];
}

static double last_p(const gdyn_trajectory *t) {
    return t->along.p[t->along.points - 1];
}

/* Where the box of point i begins: half way to its neighbour. */
static double box_edge(const gdyn_trajectory *t, int i) {
    if (i <= 0 || i >= t->along.points)
        return i <= 0 ? first_p(t) : last_p(t);
    return 0.5 * (t->along.p[i - 1] + t->along.p[i]);
}

/* --- limits over p ----------------------------------------------------------------------------- */

/* Bands behind a curve where nothing is accessible, or the machine does not come. */
static void mark_gaps(gdyn_plot_area *area, const gdyn_trajectory *t) {
    for (int i = 0, end; i < t->along.points; i = end) {
        const gdyn_region *region = t->along.region[i];
        for (end = i + 1; end < t->along.points &&
                          t->along.region[end]->island_count == region->island_count &&
                          t->along.region[end]->status == region->status;)
            end++;
        if (region->island_count == 0)
            gdyn_chart_band(area, box_edge(t, i), box_edge(t, end),
                            region->status == GDYN_REGION_UNKNOWN ? "unreached" : "empty");
    }
    /* Places that nothing leads across. */
    for (int i = 0; t->singular && i < t->singular->count; i++)
        if (t->singular->at[i].blocks)
            gdyn_chart_band(area, t->singular->at[i].from, t->singular->at[i].to, "singular");
}

/* The greatest d1, or an end of the range of d2 at rest. */
static double value_of(const gdyn_region *region, gdyn_limit_strip kind) {
    if (kind == GDYN_STRIP_SPEED)
        return region->island_count > 0 ? region->d1_max : NAN;
    return !region->rest ? NAN : kind == GDYN_STRIP_FORWARD ? region->rest_max : region->rest_min;
}

/* What stays in view of a curve (gdyn_usual_size); NAN where nothing is finite. */
static double usual(const gdyn_trajectory *t, gdyn_limit_strip kind) {
    double *value = gdyn_alloc((size_t)t->along.points, sizeof *value);
    for (int i = 0; i < t->along.points && value; i++)
        value[i] = value_of(t->along.region[i], kind);
    double most = value ? gdyn_usual_size(t->along.points, t->along.p, value) : NAN;
    gdyn_free(value);
    return most;
}

/* Widens the range by the finite values as far as they stay in view; true where some do not. */
static bool widen(const gdyn_trajectory *t, gdyn_limit_strip kind, double most, double range[2]) {
    bool cut = false;
    for (int i = 0; i < t->along.points; i++) {
        double value = value_of(t->along.region[i], kind);
        if (isfinite(value)) {
            range[0] = fmin(range[0], fmax(value, -most));
            range[1] = fmax(range[1], fmin(value, most));
            cut = cut || fabs(value) > most;
        }
    }
    return cut;
}

static void draw_curve(gdyn_plot_area *area, const gdyn_trajectory *t, gdyn_limit_strip kind) {
    gdyn_chart_line_begin(area, "curve");
    for (int i = 0; i < t->along.points; i++) {
        double value = value_of(t->along.region[i], kind);
        bool seen = value >= area->y0 && value <= area->y1;
        gdyn_chart_point(area, t->along.p[i], seen ? value : NAN);
    }
    gdyn_chart_line_end(area, false);
}

/* A panel with one curve (speed) or two (acceleration at rest). */
static void panel(gdyn_plot_area *area, const gdyn_trajectory *t, gdyn_limit_strip from,
                  gdyn_limit_strip to, const char *title) {
    /* the greater of both; a curve without finite values has no say */
    double range[2] = {INFINITY, -INFINITY}, most = fmax(usual(t, from), usual(t, to));
    most = isnan(most) ? INFINITY : most;
    bool cut = false;
    char words[160];
    if (from == GDYN_STRIP_SPEED)
        range[0] = 0;
    for (gdyn_limit_strip kind = from; kind <= to; kind++)
        cut = widen(t, kind, most, range) || cut;
    gdyn_chart_range(area, range[0], range[1]);
    mark_gaps(area, t);
    snprintf(words, sizeof words, "%s%s", title, cut ? ", cut off where it grows" : "");
    gdyn_chart_axes(area, words, NULL);
    for (gdyn_limit_strip kind = from; kind <= to; kind++)
        draw_curve(area, t, kind);
    if (!(range[0] <= range[1]))
        gdyn_chart_text(area, area->left + area->width / 2, area->top + area->height / 2 + 4,
                        "middle", "nothing", "no finite value");
}

/* Slot of the set that a strip shows at a point; -2: nothing holds back there. */
static int slot_at(const gdyn_trajectory *t, const gdyn_legend *legend, gdyn_limit_strip kind,
                   int i) {
    gdyn_limit active[GDYN_ACTIVE_MAX];
    int count = gdyn_strip_limits(t->along.region[i], kind, active);
    return count > 0 ? gdyn_legend_find(legend, active, count) : -2;
}

/* Boxes in the colours of the sets, with letters where they are wide enough. */
static void draw_strip(gdyn_plot_area *area, const gdyn_trajectory *t, const gdyn_legend *legend,
                       gdyn_limit_strip kind, double y) {
    for (int i = 0, end; i < t->along.points; i = end) {
        int slot = slot_at(t, legend, kind, i);
        for (end = i + 1; end < t->along.points && slot_at(t, legend, kind, end) == slot;)
            end++;
        if (slot == -2)
            continue;
        double x = gdyn_chart_x(area, box_edge(t, i)),
               wide = gdyn_chart_x(area, box_edge(t, end)) - x;
        gdyn_text_printf(area->out,
                         "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"15\" "
                         "fill=\"#%06X\"/>\n",
                         x, y, fmax(wide, 0.5), gdyn_legend_colour(slot));
        char letter[2] = {gdyn_legend_letter(slot), '\0'};
        if (wide > 10 && letter[0] != ' ')
            gdyn_chart_text(area, x + wide / 2, y + 12, "middle",
                            gdyn_legend_dark(slot) ? "light" : "dark", letter);
    }
}

void gdyn_chart_limits(gdyn_text *out, const gdyn_trajectory *t, const gdyn_legend *legend) {
    static const char *const name[GDYN_STRIPS] = {"d₁", "d₂ ↑", "d₂ ↓"};
    if (t->along.points == 0)
        return;
    gdyn_plot_area area = gdyn_chart_begin(out, 425, 'p', first_p(t), last_p(t),
                                           "Greatest path speed and range of path acceleration "
                                           "at rest over p, with the limits that hold it back");
    /* Two panels, then the strips and the axis of p. */
    area.top = 26, area.height = 125;
    panel(&area, t, GDYN_STRIP_SPEED, GDYN_STRIP_SPEED,
          gdyn_axis_title(NULL, GDYN_CRITERION_D1_MAX, t->unit).text);
    area.top = 184, area.height = 125;
    panel(&area, t, GDYN_STRIP_FORWARD, GDYN_STRIP_BACKWARD,
          gdyn_axis_title("d2 at rest", GDYN_CRITERION_REST_MAX, t->unit).text);
    for (gdyn_limit_strip kind = 0; kind < GDYN_STRIPS; kind++) {
        gdyn_chart_text(&area, area.left - 6, 333 + 18.0 * kind, "end", "tic", name[kind]);
        draw_strip(&area, t, legend, kind, 321 + 18.0 * kind);
    }
    area.top = 318, area.height = 57, area.y0 = 0, area.y1 = 1e30;
    gdyn_text_printf(out,
                     "<rect class=\"frame\" x=\"%.1f\" y=\"318\" width=\"%.1f\" height=\"57\"/>",
                     area.left, area.width);
    gdyn_chart_axes_of_x(&area, gdyn_axis_title_of_p(t->unit).text);
    gdyn_chart_end(&area);
}

void gdyn_chart_legend(gdyn_text *out, const gdyn_legend *legend) {
    bool any = false;
    for (int slot = 0; slot < GDYN_LEGEND_SHOWN; slot++) {
        for (int i = 0; i < legend->count; i++) {
            const gdyn_limit_set *set = &legend->set[i];
            if (!set->used || set->slot != slot)
                continue;
            if (!any)
                gdyn_text_printf(out, "<ul class=\"legend\">\n");
            any = true;
            gdyn_text_printf(out, "<li><b style=\"background:#%06X;color:%s\">%c</b> ",
                             gdyn_legend_colour(slot), gdyn_legend_dark(slot) ? "#fff" : "#000",
                             gdyn_legend_letter(slot));
            gdyn_html_text(out, set->label);
            gdyn_text_printf(out, "</li>\n");
        }
    }
    if (any)
        gdyn_text_printf(out, "</ul>\n<p class=\"note\">Limits that are reached together: + at its "
                              "greatest, − at its least force.</p>\n");
}

/* --- regions ----------------------------------------------------------------------------------- */

/* The outline of an island: the lower envelope forwards, the upper one back. */
static void fill_island(gdyn_plot_area *area, const gdyn_region *region, const gdyn_island *island,
                        const gdyn_window *window) {
    double d1[GDYN_SAMPLES + 1];
    gdyn_sample_d1(island, window, d1);
    gdyn_chart_line_begin(area, "region");
    for (int i = 0; i <= 2 * GDYN_SAMPLES + 1; i++) {
        bool upper = i > GDYN_SAMPLES;
        double x = d1[upper ? 2 * GDYN_SAMPLES + 1 - i : i];
        gdyn_chart_point(area, x, gdyn_sample_envelope(region, x, upper, window));
    }
    gdyn_chart_line_end(area, true);
}

/* Arcs in the colours of their sets. */
static void draw_arcs(gdyn_plot_area *area, const gdyn_legend *legend, const gdyn_arc *arc,
                      int count, const gdyn_window *window) {
    enum { PIECES = 12 };
    for (int i = 0; i < count; i++) {
        int slot = gdyn_legend_find(legend, arc[i].active, arc[i].active_count);
        double to = fmin(arc[i].to, window->d1_high);
        gdyn_text_printf(area->out, "<g style=\"stroke:#%06X\">", gdyn_legend_colour(slot));
        gdyn_chart_line_begin(area, "arc");
        for (int k = 0; k <= PIECES && to > arc[i].from; k++) {
            double x = arc[i].from + (to - arc[i].from) * k / PIECES;
            gdyn_chart_point(area, x, (arc[i].a * x + arc[i].b) * x + arc[i].c);
        }
        gdyn_chart_line_end(area, false);
        gdyn_text_printf(area->out, "</g>");
    }
}

/* The end of an island where limits close it, at d1. */
static void draw_end(gdyn_plot_area *area, const gdyn_region *region, const gdyn_legend *legend,
                     const gdyn_limit *limit, int count, double d1, const gdyn_window *window) {
    if (count == 0 || !(d1 <= window->d1_high))
        return;
    int slot = gdyn_legend_find(legend, limit, count);
    gdyn_text_printf(area->out, "<g style=\"stroke:#%06X\">", gdyn_legend_colour(slot));
    gdyn_chart_line_begin(area, "arc");
    gdyn_chart_point(area, d1, gdyn_sample_envelope(region, d1, false, window));
    gdyn_chart_point(area, d1, gdyn_sample_envelope(region, d1, true, window));
    gdyn_chart_line_end(area, false);
    gdyn_text_printf(area->out, "</g>");
}

static void draw_region(gdyn_plot_area *area, const gdyn_trajectory *t, int point,
                        const gdyn_legend *legend, const gdyn_window *window) {
    const gdyn_region *region = t->along.region[point];
    char title[80];
    snprintf(title, sizeof title, "p = %s", gdyn_amount(t->along.p[point], t->unit).text);
    area->y0 = window->d2_low, area->y1 = window->d2_high;
    area->x0 = 0, area->x1 = window->d1_high;
    gdyn_chart_axes(area, title, NULL);
    for (int k = 0; k < region->island_count; k++) {
        const gdyn_island *island = &region->island[k];
        fill_island(area, region, island, window);
        draw_end(area, region, legend, island->left, island->left_count, island->from, window);
        draw_end(area, region, legend, island->right, island->right_count, island->to, window);
    }
    draw_arcs(area, legend, region->upper, region->upper_count, window);
    draw_arcs(area, legend, region->lower, region->lower_count, window);
}

void gdyn_chart_regions(gdyn_text *out, const gdyn_trajectory *t, const gdyn_legend *legend) {
    enum { PANELS = 4 };
    int point[PANELS], count = gdyn_report_spread(&t->along, PANELS, point);
    if (count == 0) {
        gdyn_html_element(out, "p", " class=\"nothing\"", "At no point is anything accessible.");
        return;
    }
    gdyn_window window = gdyn_window_of(&t->along, count, point);
    gdyn_plot_area area =
        gdyn_chart_begin(out, 22 + 190 * ((count + 1) / 2), ' ', 0, window.d1_high,
                         "Accessible path speeds and accelerations at some points of the path");
    double left = area.left;
    for (int i = 0; i < count; i++) {
        area.left = left + (i % 2) * 212, area.width = 170;
        area.top = 24 + 190.0 * (i / 2), area.height = 130;
        draw_region(&area, t, point[i], legend, &window);
        gdyn_chart_axes_of_x(&area, gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, t->unit).text);
    }
    gdyn_chart_end(&area);
    char note[120];
    snprintf(note, sizeof note, "Upright: %s.",
             gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, t->unit).text);
    gdyn_html_element(out, "p", " class=\"note\"", note);
}
