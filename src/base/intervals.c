/* intervals.c - sets of numbers as ascending disjoint intervals: union, intersection, ends. */
#include "base/intervals.h"

#include <math.h>
#include <string.h>

/* Ends that differ by this share agree to rounding only. */
static const double TOUCHING = 1e-12;

/* Calls of fmin and fmax cost more than the rest. */
static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

gdyn_intervals gdyn_intervals_of(double low, double high) {
    return (gdyn_intervals){.count = 1, .low = {low}, .high = {high}};
}

/* The intervals after it move up. */
static void remove_interval(gdyn_intervals *set, int at) {
    set->count--;
    memmove(set->low + at, set->low + at + 1, (size_t)(set->count - at) * sizeof *set->low);
    memmove(set->high + at, set->high + at + 1, (size_t)(set->count - at) * sizeof *set->high);
}

static void make_room(gdyn_intervals *set, bool outer) {
    int best = 0;
    double smallest = INFINITY;
    for (int i = 0; i < set->count - (outer ? 1 : 0); i++) {
        double size = outer ? set->low[i + 1] - set->high[i] : set->high[i] - set->low[i];
        best = size < smallest ? i : best;
        smallest = lesser(size, smallest);
    }
    if (outer)
        set->low[best + 1] = set->low[best];
    else
        set->lost = true;
    remove_interval(set, best);
}

void gdyn_intervals_add(gdyn_intervals *set, double low, double high, bool outer) {
    /* mostly the last one is lengthened */
    int last = set->count - 1;
    if (last >= 0 && set->low[last] <= low && low <= set->high[last]) {
        set->high[last] = greater(set->high[last], high);
        return;
    }
    if (low > high)
        return;
    double near = TOUCHING * greater(fabs(low), fabs(high));
    near = isinf(near) ? TOUCHING * fabs(low) : near;
    /* everything that touches the new interval becomes part of it */
    for (int i = set->count - 1; i >= 0; i--) {
        if (set->low[i] <= high + near && set->high[i] >= low - near) {
            low = lesser(low, set->low[i]);
            high = greater(high, set->high[i]);
            remove_interval(set, i);
        }
    }
    if (set->count == GDYN_INTERVALS_MAX)
        make_room(set, outer);
    int at = set->count++;
    for (; at > 0 && set->low[at - 1] > low; at--)
        set->low[at] = set->low[at - 1], set->high[at] = set->high[at - 1];
    set->low[at] = low, set->high[at] = high;
}

void gdyn_intervals_add_part(gdyn_intervals *set, const gdyn_intervals *from, double low,
                             double high, bool outer) {
    for (int i = 0; i < from->count; i++)
        gdyn_intervals_add(set, greater(low, from->low[i]), lesser(high, from->high[i]), outer);
}

void gdyn_intervals_intersect(gdyn_intervals *a, const gdyn_intervals *b) {
    gdyn_intervals both = {.lost = a->lost || b->lost};
    for (int i = 0; i < b->count; i++)
        gdyn_intervals_add_part(&both, a, b->low[i], b->high[i], false);
    *a = both;
}

void gdyn_intervals_limit(gdyn_intervals *set, double x) {
    while (set->count > 0 && set->low[set->count - 1] > x)
        set->count--;
    if (set->count > 0)
        set->high[set->count - 1] = fmin(set->high[set->count - 1], x);
}

double gdyn_intervals_top(const gdyn_intervals *set) {
    return set->count > 0 ? set->high[set->count - 1] : NAN;
}

double gdyn_intervals_below(const gdyn_intervals *set, double x, double near) {
    double best = NAN;
    for (int i = 0; i < set->count; i++)
        if (set->low[i] <= x + near)
            best = fmax(fmin(set->high[i], x), set->low[i]);
    return best;
}
