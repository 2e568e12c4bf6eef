/* csv.c - regions as a table, sampled: at the ends of the arcs and evenly between them. */
#include "report/report.h"

#include "report/number.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 24 }; /* evenly spaced values of d1 per island, besides the ends of its arcs */

const char *gdyn_csv_unit_of_p(int count, const gdyn_trajectory *t) {
    for (int i = 1; i < count; i++)
        if (strcmp(t[0].unit, t[i].unit) != 0)
            return NULL;
    return t[0].unit;
}

/* "m1:max m3:min" for the arc; nothing when there is none. */
static void append_active(gdyn_text *out, const gdyn_trajectory *t, const gdyn_arc *arc) {
    gdyn_csv_limits(out, t->row, t->rows, arc ? arc->active : NULL, arc ? arc->active_count : 0,
                    " ", ':');
}

/* A row: place, range of d2 there, and what bounds it. */
static void append_row(gdyn_text *out, const gdyn_trajectory *t, int point, double d1) {
    const gdyn_region *region = t->along.region[point];
    double d2_min = NAN, d2_max = NAN;
    gdyn_region_slice(region, d1, &d2_min, &d2_max);
    const double values[] = {t->along.p[point], d1, d2_min, d2_max};
    gdyn_csv_word(out, t->name);
    gdyn_csv_numbers(out, 4, values);
    append_active(out, t, gdyn_region_arc(region, d1, false));
    append_active(out, t, gdyn_region_arc(region, d1, true));
    gdyn_csv_word(out, t->along.status[point]);
    gdyn_csv_end(out);
}

/* The least value above `from` at which an arc of the island begins, or `to`. */
static double next_break(const gdyn_region *region, const gdyn_island *island, double from,
                         double to) {
    /* Arcs of both envelopes; each begins where the limits change. */
    for (int side = 0; side < 2; side++) {
        const gdyn_arc *arc =
            side ? region->upper + island->upper_first : region->lower + island->lower_first;
        int count = side ? island->upper_count : island->lower_count;
        for (int i = 0; i < count; i++)
            if (arc[i].from > from && arc[i].from < to)
                to = arc[i].from;
    }
    return to;
}

/* An unbounded island is sampled up to twice its last breakpoint (at least to its begin + 1). */
static double last_sample(const gdyn_region *region, const gdyn_island *island) {
    if (isfinite(island->to))
        return island->to;
    double last = island->from + 1;
    for (double at = island->from, next;; at = next) {
        next = next_break(region, island, at, INFINITY);
        if (isinf(next))
            return fmax(last, 2 * at);
    }
}

static void append_island(gdyn_text *out, const gdyn_trajectory *t, int point,
                          const gdyn_island *island) {
    const gdyn_region *region = t->along.region[point];
    double from = island->from, to = last_sample(region, island), at = from;
    append_row(out, t, point, from);
    /* Even steps, and in between every end of an arc. */
    for (int i = 1; at < to && i <= SAMPLES; i++) {
        double target = i == SAMPLES ? to : from + (to - from) * i / SAMPLES;
        while (at < target) {
            at = next_break(region, island, at, target);
            append_row(out, t, point, at);
        }
    }
}

void gdyn_report_regions_csv(gdyn_text *out, int count, const gdyn_trajectory *t) {
    gdyn_text_printf(out, "trajectory");
    gdyn_csv_path_heads(out, gdyn_csv_unit_of_p(count, t), "p d1 d2_min d2_max");
    gdyn_text_printf(out, ",active_min,active_max,status\n");
    for (int s = 0; s < count; s++) {
        for (int i = 0; i < t[s].along.points; i++) {
            const gdyn_region *region = t[s].along.region[i];
            for (int k = 0; k < region->island_count; k++)
                append_island(out, &t[s], i, &region->island[k]);
            /* Points without a region have a row as well. */
            if (region->island_count == 0) {
                gdyn_csv_word(out, t[s].name);
                gdyn_csv_number(out, t[s].along.p[i]);
                gdyn_text_printf(out, ",,,,,,%s\n", t[s].along.status[i]);
            }
        }
    }
}
