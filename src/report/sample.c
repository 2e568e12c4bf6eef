/* sample.c - regions within a finite window, for pictures only (numbers come from the arcs). */
#include "report/picture.h"

#include "base/pi.h"

#include <math.h>

bool gdyn_region_is_open(const gdyn_region *region) {
    return region->island_count > 0 &&
           (region->d2_unbounded || isinf(region->island[region->island_count - 1].to));
}

static double arc_value(const gdyn_arc *arc, double d1) {
    return (arc->a * d1 + arc->b) * d1 + arc->c;
}

/* Widens [low, high] by the arcs' values at their ends and middles, as far as d1_high. */
static void widen(const gdyn_arc *arc, int count, double d1_high, double *low, double *high) {
    for (int i = 0; i < count; i++) {
        double to = fmin(arc[i].to, d1_high);
        for (int j = 0; j <= 8 && arc[i].from <= to; j++) {
            double value = arc_value(&arc[i], arc[i].from + (to - arc[i].from) * j / 8);
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    }
}

/* How far the window goes to the right: beyond the last finite place, with more room where a
 * region does not end. */
static double last_d1(const gdyn_region_points *at, int count, const int *points) {
    double d1_high = 0;
    bool open = false;
    for (int i = 0; i < count; i++) {
        const gdyn_region *region = at->region[points[i]];
        /* last finite place of the region on the d1 axis: an end of an island or of an arc */
        double last = 0;
        for (int j = 0; j < region->island_count; j++) {
            last = fmax(last, region->island[j].from);
            if (isfinite(region->island[j].to))
                last = fmax(last, region->island[j].to);
        }
        for (int j = 0; j < region->upper_count; j++)
            last = fmax(last, region->upper[j].from);
        for (int j = 0; j < region->lower_count; j++)
            last = fmax(last, region->lower[j].from);
        d1_high = fmax(d1_high, last);
        open |= region->island_count > 0 && isinf(region->island[region->island_count - 1].to);
    }
    return d1_high > 0 ? d1_high * (open ? 1.5 : 1.08) : 1;
}

gdyn_window gdyn_window_within(const gdyn_region_points *at, int count, const int *points,
                               double d1_most) {
    double d1_high = fmin(last_d1(at, count, points), d1_most), low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        const gdyn_region *region = at->region[points[i]];
        widen(region->upper, region->upper_count, d1_high, &low, &high);
        widen(region->lower, region->lower_count, d1_high, &low, &high);
    }
    /* Nothing finite: a window around zero. */
    if (!(low <= high))
        low = high = 0;
    double margin = high > low ? 0.11 * (high - low) : 1 + 0.1 * fabs(high);
    return (gdyn_window){d1_high, low - margin, high + margin};
}

gdyn_window gdyn_window_of(const gdyn_region_points *at, int count, const int *points) {
    return gdyn_window_within(at, count, points, INFINITY);
}

double gdyn_sample_envelope(const gdyn_region *region, double d1, bool upper,
                            const gdyn_window *window) {
    const gdyn_arc *arc = gdyn_region_arc(region, d1, upper);
    double value = arc ? arc_value(arc, d1) : upper ? window->d2_high : window->d2_low;
    return fmin(fmax(value, window->d2_low), window->d2_high);
}

int gdyn_sample_outline(const gdyn_region *region, const gdyn_window *window, gdyn_figure *f) {
    if (!region || region->island_count == 0)
        return -1;
    double d1[GDYN_SAMPLES + 1];
    /* Each island on its own: the lower envelope forwards, the upper one back. */
    for (int i = 0; i < region->island_count; i++) {
        /* d1 hits no breakpoint by much but follows its curves: denser towards both ends, where
         * envelopes meet */
        double from = region->island[i].from, to = fmin(region->island[i].to, window->d1_high);
        for (int j = 0; j <= GDYN_SAMPLES; j++) {
            double share = (double)j / GDYN_SAMPLES;
            share = 0.5 * (share + 0.5 - 0.5 * cos(GDYN_PI * share));
            d1[j] = j == GDYN_SAMPLES ? to : from + (to - from) * share;
        }
        for (int j = 0; j <= GDYN_SAMPLES; j++)
            gdyn_figure_put(f, d1[j], gdyn_sample_envelope(region, d1[j], false, window));
        for (int j = GDYN_SAMPLES; j >= 0; j--)
            gdyn_figure_put(f, d1[j], gdyn_sample_envelope(region, d1[j], true, window));
        /* Back to the first point, for those who draw lines. */
        gdyn_figure_put(f, d1[0], gdyn_sample_envelope(region, d1[0], false, window));
        gdyn_figure_gap(f);
    }
    return gdyn_figure_block_end(f);
}

int gdyn_sample_open(const gdyn_region *region, const gdyn_window *window, gdyn_figure *f) {
    double height = window->d2_high - window->d2_low;
    /* A mark in the middle of each open side. */
    for (int i = 0; region && i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        double to = fmin(island->to, window->d1_high), middle = 0.5 * (island->from + to);
        if (island->upper_count == 0)
            gdyn_figure_put_name(f, "▲", middle, window->d2_high - 0.03 * height);
        if (island->lower_count == 0)
            gdyn_figure_put_name(f, "▼", middle, window->d2_low + 0.03 * height);
        if (isinf(island->to)) {
            double low = gdyn_sample_envelope(region, to, false, window);
            double high = gdyn_sample_envelope(region, to, true, window);
            gdyn_figure_put_name(f, "▶", 0.98 * to, 0.5 * (low + high));
        }
    }
    return gdyn_figure_block_end(f);
}

/* Points worth a panel: regions with some area, or any where none has. A region much smaller than
 * the others would be a speck in a common window. */
static bool worth(const gdyn_region_points *at, int i, double least) {
    const gdyn_region *region = at->region[i];
    return region->island_count > 0 && !(region->area < least);
}

int gdyn_report_spread(const gdyn_region_points *at, int count, int *points) {
    const gdyn_region *first = at->region[0], *last = at->region[at->points - 1];
    /* the last region repeats the first on a closed path */
    bool closed = first->island_count == last->island_count &&
                  fabs(first->area - last->area) <= 1e-6 * fabs(first->area);
    int usable = 0, chosen = 0, steps = closed ? count : count - 1;
    double greatest = 0;
    for (int i = 0; i < at->points; i++) {
        const gdyn_region *region = at->region[i];
        if (region->island_count > 0 && isfinite(region->area))
            greatest = fmax(greatest, region->area);
    }
    double least = 1e-3 * greatest;
    /* Points that are worth a panel. */
    for (int i = 0; i < at->points; i++)
        usable += worth(at, i, least);
    /* Evenly among these. */
    for (int i = 0, seen = 0; i < at->points && chosen < count; i++) {
        if (worth(at, i, least)) {
            long wanted = steps > 0 ? (long)chosen * (usable - 1) / steps : 0;
            if (seen == wanted || usable <= count)
                points[chosen++] = i;
            seen++;
        }
    }
    return chosen;
}
