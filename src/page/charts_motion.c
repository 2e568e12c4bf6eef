/* charts_motion.c - the fastest motion: phase plane, the drives that limit it, their forces over time. */
#include "page/charts.h"

#include "page/html.h"
#include "report/traverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS_MOST = 260 }; /* of a curve */

/* Every how many-th point is drawn. */
static int step_of(const gdyn_traverse *plan) {
    return (plan->points + POINTS_MOST - 1) / POINTS_MOST;
}

/* The next point to draw behind i: step by step, switching points and the last one never left out; count: the end. */
static int next_point(const gdyn_traverse *plan, int i) {
    int step = step_of(plan);
    for (int k = i + 1; k < plan->points; k++)
        if (k >= i + step || plan->point[k].switching || k == plan->points - 1)
            return k;
    return plan->points;
}

/* --- phase plane --------------------------------------------------------------------------------- */

typedef double phase_value(const gdyn_phase_place *at);
static double value_high(const gdyn_phase_place *at) {
    return at->k_high;
}
static double value_low(const gdyn_phase_place *at) {
    return at->k_low;
}
static double value_greatest(const gdyn_phase_place *at) {
    return at->d1_max;
}
static double value_motion(const gdyn_phase_place *at) {
    return at->d1;
}

/* One of the values over the path, back: from its end. Values above most are left out as those that are none are: in a
 * side of an area the line passes over them, elsewhere it ends there. */
static void draw_values(gdyn_plot_area *area, const gdyn_trajectory *t, phase_value *value,
                        double most, bool back, bool side) {
    gdyn_phase_place at[GDYN_PHASE_PIECES];
    int points = t->traverse->points;
    for (int i = 0; i < points; i++) {
        int count = gdyn_phase_places(t, back ? points - 1 - i : i, area->y1, at);
        for (int k = 0; k < count; k++) {
            const gdyn_phase_place *here = &at[back ? count - 1 - k : k];
            double y = value(here);
            if (!side || isfinite(y))
                gdyn_chart_point(area, here->p, y > most ? NAN : y);
        }
    }
}

/* The set of speeds from which the end can be reached: its upper side forwards, its lower one back. */
static void fill_controllable(gdyn_plot_area *area, const gdyn_trajectory *t) {
    gdyn_chart_line_begin(area, "controllable");
    draw_values(area, t, value_high, INFINITY, false, true);
    draw_values(area, t, value_low, INFINITY, true, true);
    gdyn_chart_line_end(area, true);
}

/* The greatest accessible speed, and the motion. */
static void draw_curves(gdyn_plot_area *area, const gdyn_trajectory *t) {
    gdyn_chart_line_begin(area, "greatest");
    draw_values(area, t, value_greatest, area->y1, false, false);
    gdyn_chart_line_end(area, false);
    if (t->traverse->status != GDYN_TRAVERSE_OK)
        return;
    gdyn_chart_line_begin(area, "motion");
    draw_values(area, t, value_motion, INFINITY, false, false);
    gdyn_chart_line_end(area, false);
}

static void draw_switches(gdyn_plot_area *area, const gdyn_traverse *plan) {
    enum { SWITCHES_MOST = 60 };
    int count = 0;
    for (int i = 0; i < plan->points; i++)
        count += plan->point[i].switching;
    for (int i = 0; i < plan->points && count <= SWITCHES_MOST; i++)
        if (plan->point[i].switching && isfinite(plan->point[i].d1))
            gdyn_text_printf(
                area->out, "<circle class=\"switch\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                gdyn_chart_x(area, plan->point[i].p), gdyn_chart_y(area, plan->point[i].d1));
}

/* Where no motion passes. */
static void mark_refusal(gdyn_plot_area *area, const gdyn_traverse *plan) {
    double thin = 0.006 * (area->x1 - area->x0);
    if (plan->status != GDYN_TRAVERSE_OK && isfinite(plan->place))
        gdyn_chart_band(area, fmax(plan->place - thin, area->x0),
                        fmin(fmax(plan->place, plan->place_end) + thin, area->x1), "singular");
}

void gdyn_chart_phase(gdyn_text *out, const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    if (plan->points < 2) {
        gdyn_html_element(out, "p", " class=\"nothing\"", "There is no phase plane to show.");
        return;
    }
    gdyn_plot_area area =
        gdyn_chart_begin(out, 315, 'p', plan->point[0].p, plan->point[plan->points - 1].p,
                         "Phase plane: path speed of the fastest motion over p");
    area.top = 26, area.height = 240, area.y0 = 0, area.y1 = gdyn_phase_top(plan, false);
    fill_controllable(&area, t);
    mark_refusal(&area, plan);
    gdyn_chart_axes(&area, gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, t->unit).text,
                    gdyn_axis_title_of_p(t->unit).text);
    draw_curves(&area, t);
    draw_switches(&area, plan);
    gdyn_chart_end(&area);
    bool moving = plan->status == GDYN_TRAVERSE_OK;
    gdyn_text_printf(
        out,
        "<p class=\"note key\">%s<span><i class=\"k-greatest\"></i>greatest accessible</span> "
        "<span><i class=\"k-controllable\"></i>speeds from which the end can be "
        "reached</span>%s</p>\n",
        moving ? "<span><i class=\"k-motion\"></i>motion</span> " : "",
        moving ? " <span><i class=\"k-switch\"></i>switching point</span>"
               : " <span><i class=\"k-refused\"></i>no motion passes here</span>");
}

/* --- lanes ----------------------------------------------------------------------------------------- */

/* A curve's lines repeat the drive. */
static bool repeats(const gdyn_trajectory *t, int row) {
    for (int before = 0; before < row; before++)
        if (strcmp(t->row[before].name, t->row[row].name) == 0)
            return true;
    return false;
}

/* How a row limits the segment behind a point: class of its bar, NULL: not. */
static const char *limiting(const gdyn_trajectory *t, const gdyn_motion_point *point, int row) {
    for (int k = 0; k < point->limit_count; k++) {
        const gdyn_limit *limit = &point->limit[k];
        if (gdyn_limit_lane(t->row, t->rows, *limit) == row)
            return limit->shape == GDYN_LIMIT_WINDOW        ? "lane-speed"
                   : limit->shape == GDYN_LIMIT_THIRD_ORDER ? "lane-rate"
                   : limit->side > 0                        ? "lane-max"
                                                            : "lane-min";
    }
    return NULL;
}

/* Bars where the row limits the motion: max in the upper half of the lane, min in the lower one. */
static void draw_lane(gdyn_plot_area *area, const gdyn_trajectory *t, int row, double y) {
    const gdyn_traverse *plan = t->traverse;
    for (int i = 0, end; i + 1 < plan->points; i = end) {
        const char *how = limiting(t, &plan->point[i], row);
        for (end = i + 1; end + 1 < plan->points && limiting(t, &plan->point[end], row) == how;)
            end++;
        if (!how)
            continue;
        bool upper = strcmp(how, "lane-min") != 0, lower = strcmp(how, "lane-max") != 0;
        double from = gdyn_chart_x(area, plan->point[i].p),
               to = gdyn_chart_x(area, plan->point[end].p);
        gdyn_text_printf(
            area->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
            how, from, y + (upper ? 0 : 7), fmax(to - from, 0.6), upper && lower ? 14 : 7);
    }
}

void gdyn_chart_lanes(gdyn_text *out, const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    int lanes = 0;
    for (int row = 0; row < t->lanes; row++)
        lanes += !repeats(t, row);
    if (plan->status != GDYN_TRAVERSE_OK || lanes == 0)
        return;
    gdyn_plot_area area = gdyn_chart_begin(out, 66 + 18 * lanes, 'p', plan->point[0].p,
                                           plan->point[plan->points - 1].p,
                                           "Which drives limit the fastest motion, over p");
    area.top = 22, area.height = 18.0 * lanes;
    gdyn_chart_text(&area, area.left, 14, "start", "title", "limited by");
    gdyn_text_printf(
        out, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
        area.left, area.top, area.width, area.height);
    for (int row = 0, lane = 0; row < t->lanes; row++) {
        char name[80];
        if (!repeats(t, row)) {
            gdyn_chart_text(&area, area.left - 5, area.top + 18.0 * lane + 13, "end", "tic",
                            gdyn_shorten(t->row[row].name, 8, name, sizeof name));
            lane++;
        }
        draw_lane(&area, t, row, area.top + 18.0 * (lane - 1) + 2);
    }
    gdyn_chart_axes_of_x(&area, gdyn_axis_title_of_p(t->unit).text);
    gdyn_chart_end(&area);
    gdyn_text_printf(
        out,
        "<p class=\"note key\"><span><i class=\"k-max\"></i>at its max (upper half)</span> "
        "<span><i class=\"k-min\"></i>at its min (lower half)</span> "
        "<span><i class=\"k-speed\"></i>speed</span>%s</p>\n",
        plan->force ? " <span><i class=\"k-rate\"></i>rate of its force</span>" : "");
}

/* --- forces ---------------------------------------------------------------------------------------- */

/* A line of a column of forces; values before a jump are drawn, too. */
static void draw_force(gdyn_plot_area *area, const gdyn_trajectory *t, int row, const double *value,
                       const double *before, const char *look) {
    gdyn_chart_line_begin(area, look);
    for (int i = 0; i < t->traverse->points; i = next_point(t->traverse, i)) {
        int at = i * t->rows + row;
        bool shown = value[at] >= area->y0 && value[at] <= area->y1;
        if (before && isfinite(before[at]))
            gdyn_chart_point(area, t->traverse->point[i].t, before[at]);
        gdyn_chart_point(area, t->traverse->point[i].t, shown ? value[at] : NAN);
    }
    gdyn_chart_line_end(area, false);
}

/* What the force may be: its range over all distributions. */
static void fill_possible(gdyn_plot_area *area, const gdyn_trajectory *t, int row) {
    const gdyn_shared *s = &t->shared;
    int step = step_of(t->traverse), last = (t->traverse->points - 1) / step * step;
    gdyn_chart_line_begin(area, "possible");
    for (int i = 0; i <= last; i += step)
        gdyn_chart_point(area, t->traverse->point[i].t, s->high[i * t->rows + row]);
    for (int i = last; i >= 0; i -= step)
        gdyn_chart_point(area, t->traverse->point[i].t, s->low[i * t->rows + row]);
    gdyn_chart_line_end(area, true);
}

static void plot_force(gdyn_text *out, const gdyn_trajectory *t, int row) {
    const gdyn_shared *s = &t->shared;
    double range[2];
    bool far;
    char title[200], label[220], name[120];
    const gdyn_motion_point *first = &t->traverse->point[0];
    gdyn_force_range(t, row, range, &far);
    snprintf(title, sizeof title, *t->row[row].unit ? "%s [%s]%s" : "%s%s%s",
             gdyn_shorten(t->row[row].name, 24, name, sizeof name), t->row[row].unit,
             far ? ", a limit is out of view" : "");
    snprintf(label, sizeof label, "Force of %s over time", t->row[row].name);
    gdyn_plot_area area =
        gdyn_chart_begin(out, 168, 't', first->t, first[t->traverse->points - 1].t, label);
    area.top = 26, area.height = 95;
    gdyn_chart_range(&area, range[0], range[1]);
    fill_possible(&area, t, row);
    gdyn_chart_axes(&area, title, "t [s]");
    draw_force(&area, t, row, s->min, NULL, "limit");
    draw_force(&area, t, row, s->max, NULL, "limit");
    draw_force(&area, t, row, s->n, s->n_before, "force");
    gdyn_chart_end(&area);
}

void gdyn_chart_forces(gdyn_text *out, const gdyn_trajectory *t) {
    if (t->traverse->status != GDYN_TRAVERSE_OK || t->shared.points == 0)
        return;
    gdyn_text_printf(out, "<h3>Drive forces of the fastest motion</h3>\n<div class=\"grid\">\n");
    for (int row = 0; row < t->rows; row++) {
        if (repeats(t, row))
            continue;
        gdyn_text_printf(out, "<figure>");
        plot_force(out, t, row);
        gdyn_text_printf(out, "</figure>\n");
    }
    gdyn_text_printf(out,
                     "</div>\n<p class=\"note key\"><span><i class=\"k-force\"></i>force</span> "
                     "<span><i class=\"k-limit\"></i>limits</span> "
                     "<span><i class=\"k-possible\"></i>possible over all distributions among "
                     "redundant drives</span></p>\n");
}
