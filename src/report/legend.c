/* legend.c - which limits are saturated together, and the colour and letter of each set: since a
 * picture can hold more sets than colours, every set also has a letter, written at its arcs. */
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The set in canonical order, without repeats. */
static gdyn_limit_set canonical(const gdyn_legend *legend, const gdyn_limit *active, int count) {
    /* Sorted limits make sets comparable; the label follows the same order. */
    gdyn_limit_set set = {.count = count < GDYN_ACTIVE_MAX ? count : GDYN_ACTIVE_MAX};
    memcpy(set.active, active, (size_t)set.count * sizeof *active);
    qsort(set.active, (size_t)set.count, sizeof *set.active, gdyn_limit_compare);
    size_t at = 0;
    for (int i = 0; i < set.count && at + 1 < sizeof set.label; i++) {
        /* "m1 +" at its maximum force, "m1 −" at its minimum; short where it is that of a row */
        gdyn_limit limit = set.active[i];
        const gdyn_trajectory *t = legend->of;
        const char *name = gdyn_limit_name(t->row, t->rows, limit);
        int row = 0;
        while (row < t->rows && strcmp(t->row[row].name, name) != 0)
            row++;
        const char *mark = limit.shape == GDYN_LIMIT_WINDOW ? " speed"
                           : limit.shape != GDYN_LIMIT_ROW  ? ""
                           : limit.side < 0                 ? " −"
                                                            : " +";
        int written = snprintf(set.label + at, sizeof set.label - at, "%s%s%s", i ? "  " : "",
                               row < t->rows ? legend->row[row] : name, mark);
        at += written > 0 ? (size_t)written : 0;
    }
    return set;
}

static int find_set(const gdyn_legend *legend, const gdyn_limit_set *wanted) {
    for (int i = 0; i < legend->count; i++) {
        const gdyn_limit_set *set = &legend->set[i];
        /* Sorted sets are equal when their members are. */
        bool same = set->count == wanted->count;
        for (int j = 0; same && j < set->count; j++)
            same = gdyn_limit_same(set->active[j], wanted->active[j]);
        if (same)
            return i;
    }
    return -1;
}

/* Counts a set for the picture, or (weight > 0) adds to its weight. */
static void note_set(gdyn_legend *legend, const gdyn_limit *active, int count, double weight) {
    if (count <= 0)
        return;
    gdyn_limit_set set = canonical(legend, active, count);
    int place = find_set(legend, &set);
    if (place < 0 && legend->count < GDYN_LEGEND_MAX) {
        place = legend->count++;
        legend->set[place] = set;
        legend->set[place].slot = -1;
    }
    if (place >= 0 && weight >= 0)
        legend->set[place].weight += weight;
    else if (place >= 0)
        legend->set[place].used++;
}

/* The sets on the boundary of a region. Arcs weigh by their share of the region's range of d1, ends
 * of islands by a fixed one; range NAN: all are counted. */
static void note_region(gdyn_legend *legend, const gdyn_region *region, double range) {
    for (int side = 0; side < 2; side++) {
        const gdyn_arc *arc = side ? region->lower : region->upper;
        for (int i = 0; i < (side ? region->lower_count : region->upper_count); i++) {
            double to = fmin(arc[i].to, range);
            note_set(legend, arc[i].active, arc[i].active_count,
                     isnan(range)       ? -1
                     : to > arc[i].from ? (to - arc[i].from) / range
                                        : 0);
        }
    }
    for (int k = 0; k < region->island_count; k++) {
        const gdyn_island *island = &region->island[k];
        note_set(legend, island->left, island->left_count, isnan(range) ? -1 : 0.1);
        note_set(legend, island->right, island->right_count, isnan(range) ? -1 : 0.1);
    }
}

static int compare_weight(const void *left, const void *right) {
    const gdyn_limit_set *a = left, *b = right;
    return a->weight != b->weight ? (a->weight < b->weight) - (a->weight > b->weight)
                                  : strcmp(a->label, b->label);
}

bool gdyn_legend_create(gdyn_legend *legend, const gdyn_trajectory *t,
                        const gdyn_region_points *at) {
    legend->count = 0;
    legend->set = gdyn_alloc(GDYN_LEGEND_MAX, sizeof *legend->set);
    legend->of = t;
    legend->row = gdyn_alloc((size_t)t->rows + 1, sizeof *legend->row);
    if (!legend->set || !legend->row) {
        gdyn_legend_destroy(legend);
        return false;
    }
    /* Short names: the drive without what all names have in common. */
    gdyn_short_names(t, legend->row);
    /* Sets are weighted over all points, so that the important ones get the first colours. */
    for (int point = 0; point < at->points; point++)
        note_region(legend, at->region[point], gdyn_window_of(at, 1, &point).d1_high);
    /* The heaviest sets keep their slot in all pictures of the trajectory. */
    qsort(legend->set, (size_t)legend->count, sizeof *legend->set, compare_weight);
    for (int i = 0; i < legend->count && i < GDYN_LEGEND_SHOWN; i++)
        legend->set[i].slot = i;
    return true;
}

void gdyn_legend_destroy(gdyn_legend *legend) {
    gdyn_free(legend->set), gdyn_free(legend->row);
    legend->set = NULL, legend->row = NULL;
}

void gdyn_legend_use(gdyn_legend *legend, const gdyn_limit *active, int count) {
    note_set(legend, active, count, -1);
}

void gdyn_legend_use_region(gdyn_legend *legend, const gdyn_region *region) {
    note_region(legend, region, NAN);
}

/* One of those that the picture shows most often: only these get letters where there are too
 * many. */
static bool among_most_used(const gdyn_legend *legend, int i) {
    int before = 0;
    /* How many sets are shown more often than this one. */
    for (int k = 0; k < legend->count; k++) {
        int more = legend->set[k].used - legend->set[i].used;
        before += more > 0 || (more == 0 && k < i);
    }
    return before < GDYN_LEGEND_SHOWN;
}

void gdyn_legend_settle(gdyn_legend *legend) {
    /* Slots of sets that do not occur in this picture are free, */
    bool taken[GDYN_LEGEND_SHOWN] = {false};
    for (int i = 0; i < legend->count; i++) {
        gdyn_limit_set *set = &legend->set[i];
        if (!set->used || !among_most_used(legend, i))
            set->slot = -1;
        else if (set->slot >= 0)
            taken[set->slot] = true;
    }
    /* for those that occur but had none. */
    for (int i = 0, slot = 0; i < legend->count; i++) {
        gdyn_limit_set *set = &legend->set[i];
        if (!set->used || set->slot >= 0 || !among_most_used(legend, i))
            continue;
        while (slot < GDYN_LEGEND_SHOWN && taken[slot])
            slot++;
        set->slot = slot < GDYN_LEGEND_SHOWN ? slot++ : -1;
    }
}

int gdyn_legend_find(const gdyn_legend *legend, const gdyn_limit *active, int count) {
    gdyn_limit_set set = canonical(legend, active, count);
    int place = find_set(legend, &set);
    return place < 0 ? -1 : legend->set[place].slot;
}

bool gdyn_legend_dark(int slot) {
    unsigned colour = gdyn_legend_colour(slot);
    /* Luma of ITU-R BT.601. */
    return 299 * (colour >> 16) + 587 * ((colour >> 8) & 255u) + 114 * (colour & 255u) < 130000;
}

unsigned gdyn_legend_colour(int slot) {
    return slot < 0 || slot >= GDYN_LEGEND_SHOWN ? 0x999999u : gdyn_page_colour(slot);
}

char gdyn_legend_letter(int slot) {
    return slot < 0 || slot >= GDYN_LEGEND_SHOWN ? ' ' : (char)('a' + slot);
}

void gdyn_legend_draw(const gdyn_legend *legend, gdyn_figure *f, const char *title) {
    const gdyn_limit_set *in_slot[GDYN_LEGEND_SHOWN] = {NULL};
    int shown = 0, left_out = 0;
    for (int i = 0; i < legend->count; i++) {
        const gdyn_limit_set *set = &legend->set[i];
        if (set->used && set->slot >= 0) {
            in_slot[set->slot] = set;
            shown++;
        }
        left_out += set->used && set->slot < 0;
    }
    if (shown + left_out == 0)
        return;
    gdyn_figure_text(f, GDYN_PARAGRAPH, "%s", title);
    gdyn_figure_text(f, GDYN_REMARK, "+ at its maximum, − at its minimum force");
    for (int slot = 0; slot < GDYN_LEGEND_SHOWN; slot++)
        if (in_slot[slot])
            gdyn_entry(f,

                       GDYN_SAMPLE, .width = 4, .colour = gdyn_legend_colour(slot),
                       .title = gdyn_figure_words(f, "%c  %s", gdyn_legend_letter(slot),
                                                  in_slot[slot]->label));
    if (left_out > 0)
        gdyn_figure_text(f, GDYN_PARAGRAPH, "and %d more, in grey", left_out);
}

/* --- names of drives that fit in a legend and still tell the drives apart --------------------- */

enum { LONG = 14, KEEP = 16 }; /* longer names are shortened; bytes kept of them */

/* Row with the same name before this one, counted: 0 for the drive itself, 1 for the first line
 * of its torque-speed curve, ... */
static int repeats_before(const gdyn_trajectory *t, int row) {
    int count = 0;
    for (int i = 0; i < row; i++)
        count += strcmp(t->row[i].name, t->row[row].name) == 0;
    return count;
}

static bool continues(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Bytes, whole characters, that all names begin with, or (behind these) end with. */
static size_t common(const gdyn_trajectory *t, bool ends, size_t begin) {
    const char *first = t->row[0].name;
    size_t length = strlen(first), same = length - begin;
    for (int i = 1; i < t->rows; i++) {
        const char *name = t->row[i].name;
        size_t other = strlen(name), k = 0;
        while (k < same && k < other - begin &&
               name[ends ? other - 1 - k : k] == first[ends ? length - 1 - k : k])
            k++;
        same = k;
    }
    while (same > 0 && continues(first[ends ? length - same : same]))
        same--;
    return same;
}

/* "…left_shoulder…": the part that differs, its middle left out when it is long itself. */
static void shorten(const char *name, size_t begin, size_t end, char *out, size_t size) {
    size_t length = strlen(name) - begin - end;
    const char *part = name + begin, *front = begin ? "…" : "", *back = end ? "…" : "";
    if (length == 0) { /* it is what the others have in common */
        snprintf(out, size, "%.*s…", LONG, name);
        return;
    }
    if (length <= KEEP) {
        snprintf(out, size, "%s%.*s%s", front, (int)length, part, back);
        return;
    }
    size_t head = KEEP / 2, tail = length - KEEP / 2;
    while (head > 0 && continues(part[head]))
        head--;
    while (tail < length && continues(part[tail]))
        tail++;
    snprintf(out, size, "%s%.*s…%.*s%s", front, (int)head, part, (int)(length - tail), part + tail,
             back);
}

void gdyn_short_names(const gdyn_trajectory *t, char (*out)[GDYN_SHORT_NAME]) {
    size_t longest = 0, begin = 0, end = 0;
    for (int i = 0; i < t->rows; i++) {
        size_t length = strlen(t->row[i].name);
        longest = length > longest ? length : longest;
    }
    if (longest > LONG) {
        begin = common(t, false, 0);
        end = common(t, true, begin);
    }
    begin = begin > 2 ? begin : 0;
    end = end > 2 ? end : 0;
    for (int i = 0; i < t->rows; i++)
        shorten(t->row[i].name, begin, end, out[i], GDYN_SHORT_NAME);
    /* distinct drives that got the same short name are numbered */
    for (int i = 0; i < t->rows; i++) {
        char shared[GDYN_SHORT_NAME];
        bool clash = false;
        memcpy(shared, out[i], sizeof shared);
        for (int j = 0; j < t->rows && !clash; j++)
            clash = strcmp(out[j], shared) == 0 && strcmp(t->row[i].name, t->row[j].name) != 0;
        for (int j = 0; clash && j < t->rows; j++) {
            int first = 0;
            while (strcmp(t->row[first].name, t->row[j].name) != 0)
                first++;
            if (strcmp(out[j], shared) == 0)
                snprintf(out[j], GDYN_SHORT_NAME, "drive %d", first + 1);
        }
    }
    for (int i = 0; i < t->rows; i++) {
        int line = repeats_before(t, i);
        size_t used = strlen(out[i]);
        if (line == 0)
            continue;
        bool only = true;
        for (int j = 0; j < t->rows; j++)
            only &= strcmp(t->row[i].name, t->row[j].name) != 0 || repeats_before(t, j) <= 1;
        if (only)
            snprintf(out[i] + used, GDYN_SHORT_NAME - used, " curve");
        else
            snprintf(out[i] + used, GDYN_SHORT_NAME - used, " curve %d", line);
    }
}
