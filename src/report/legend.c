/* legend.c - which limits are saturated together, and the colour and letter that stand for them.
 *
 * Colours are those of Okabe and Ito (2008), told apart by colour-blind readers; since a picture
 * can hold more sets than colours, every set also has a letter, written at its arcs. */
#include "report/picture.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned okabe_ito[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                     0xE69F00, 0x56B4E9, 0x000000, 0x8B6D00};
enum { COLOURS = sizeof okabe_ito / sizeof *okabe_ito };

bool gdyn_legend_create(gdyn_legend *legend) {
    legend->count = 0;
    legend->set = gdyn_alloc(GDYN_LEGEND_MAX, sizeof *legend->set);
    return legend->set != NULL;
}

void gdyn_legend_destroy(gdyn_legend *legend) {
    gdyn_free(legend->set);
    legend->set = NULL;
}

static int compare_active(const void *left, const void *right) {
    const gdyn_active *a = left, *b = right;
    return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                            : (a->side > b->side) - (a->side < b->side);
}

/* "m1 +" at its greatest force, "m1 −" at its least. */
static const char *side_mark(gdyn_active active) {
    if (active.row == -2) {
        return " speed";
    }
    return active.row < 0 ? "" : active.side < 0 ? " −" : " +";
}

/* The set in canonical order, without repeats. Speed limits of different drives are kept apart by
 * taking the drive's row, shifted out of the way of its force limits. */
static gdyn_limit_set canonical(const gdyn_series *series, int point, const gdyn_active *active,
                                int count) {
    gdyn_limit_set set = {.count = count < GDYN_ACTIVE_MAX ? count : GDYN_ACTIVE_MAX};
    memcpy(set.active, active, (size_t)set.count * sizeof *active);
    qsort(set.active, (size_t)set.count, sizeof *set.active, compare_active);
    size_t at = 0;
    for (int i = 0; i < set.count && at + 1 < sizeof set.label; i++) {
        int written =
            snprintf(set.label + at, sizeof set.label - at, "%s%s%s", i ? "  " : "",
                     gdyn_active_name(series, point, set.active[i]), side_mark(set.active[i]));
        at += written > 0 ? (size_t)written : 0;
    }
    for (int i = 0; i < set.count; i++) {
        if (set.active[i].row == -2 && series->speed_row && point >= 0) {
            set.active[i].row = 1000000 + series->speed_row[point];
        }
    }
    return set;
}

static int find_set(const gdyn_legend *legend, const gdyn_limit_set *wanted) {
    for (int i = 0; i < legend->count; i++) {
        const gdyn_limit_set *set = &legend->set[i];
        bool same = set->count == wanted->count;
        for (int j = 0; same && j < set->count; j++) {
            same = compare_active(&set->active[j], &wanted->active[j]) == 0;
        }
        if (same) {
            return i;
        }
    }
    return -1;
}

void gdyn_legend_add(gdyn_legend *legend, const gdyn_series *series, int point,
                     const gdyn_active *active, int count, double weight) {
    gdyn_limit_set set = canonical(series, point, active, count);
    int place = find_set(legend, &set);
    if (place < 0 && legend->count < GDYN_LEGEND_MAX) {
        place = legend->count++;
        legend->set[place] = set;
    }
    if (place >= 0) {
        legend->set[place].weight += weight;
    }
}

static int compare_weight(const void *left, const void *right) {
    const gdyn_limit_set *a = left, *b = right;
    return a->weight != b->weight ? (a->weight < b->weight) - (a->weight > b->weight)
                                  : strcmp(a->label, b->label);
}

void gdyn_legend_sort(gdyn_legend *legend) {
    qsort(legend->set, (size_t)legend->count, sizeof *legend->set, compare_weight);
}

int gdyn_legend_find(const gdyn_legend *legend, const gdyn_series *series, int point,
                     const gdyn_active *active, int count) {
    gdyn_limit_set set = canonical(series, point, active, count);
    return find_set(legend, &set);
}

bool gdyn_legend_dark(int place) {
    unsigned colour = gdyn_legend_colour(place);
    /* Luma of ITU-R BT.601. */
    return 299 * (colour >> 16) + 587 * ((colour >> 8) & 255u) + 114 * (colour & 255u) < 130000;
}

unsigned gdyn_legend_colour(int place) {
    return place < 0 || place >= GDYN_LEGEND_SHOWN ? 0x999999u : okabe_ito[place % COLOURS];
}

char gdyn_legend_letter(int place) {
    return place < 0 || place >= GDYN_LEGEND_SHOWN ? ' ' : (char)('a' + place);
}

void gdyn_legend_draw(const gdyn_legend *legend, gdyn_script *script, double x, double top,
                      double bottom, const char *title) {
    int shown = legend->count < GDYN_LEGEND_SHOWN ? legend->count : GDYN_LEGEND_SHOWN;
    double step = (top - bottom) / (shown + 2.2);
    step = step < 0.032 ? step : 0.032;
    gdyn_script_line(script, "set label \"%s\" at screen %.4f,%.4f left", title, x, top);
    top -= 0.024;
    gdyn_script_line(script,
                     "set label \"+ at its greatest, − at its least force\" at screen %.4f,%.4f "
                     "left font ',10' tc rgb '#555555'",
                     x, top);
    for (int i = 0; i < shown; i++) {
        char text[260];
        double y = top - (i + 1.3) * step;
        gdyn_script_line(script,
                         "set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead lw 4 "
                         "lc rgb '#%06X'",
                         x, y, x + 0.022, y, gdyn_legend_colour(i));
        gdyn_script_line(script, "set label \"%c   %s\" at screen %.4f,%.4f left font ',11'",
                         gdyn_legend_letter(i),
                         gdyn_script_quote(legend->set[i].label, text, sizeof text), x + 0.028, y);
    }
    if (legend->count > shown) {
        gdyn_script_line(script,
                         "set label \"... and %d more, in grey\" at screen %.4f,%.4f left "
                         "font ',11'",
                         legend->count - shown, x, top - (shown + 1.3) * step);
    }
}
