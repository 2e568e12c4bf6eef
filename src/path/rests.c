/* rests.c - rows of a table at which it comes to rest.
 *
 * A table over time that stands still has equal rows, and one that stops and starts smoothly has steps that grow from
 * the rest like the powers of time: 1, 3, 5 (constant acceleration) or faster. A spline with a continuous second
 * derivative would ring there and turn back and forth by a little, so the table is split: it is constant between equal
 * rows, and begins and ends there with the derivative zero. Rows that differ from the rest by no more than a few units
 * of the last digit hold rounding alone and are left out. */
#include "path/internal.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Rows that differ from a rest by at most as many of a column's smallest steps belong to it. */
static const double DIGITS = 3.5;
/* Speeds grow from a rest by this share of what constant acceleration gives, at least. */
static const double GROWTH = 0.7;
/* Greater powers of time are constant acceleration no longer. */
static const double STEEP = 2.5;
/* From a t^3 + b t^4 a greater power would turn back. */
static const double STEEPEST = 4;

typedef struct table {
    int count, columns;
    const double *at, *value; /* values row by row */
    double near[GDYN_PATH_COORDINATES], weight[GDYN_PATH_COORDINATES];
} table;

/* Lengths, the first three columns, and angles are compared with the largest range among them. */
static void measure(table *t) {
    double range[2] = {0, 0};
    for (int c = 0; c < t->columns; c++) {
        double low = INFINITY, high = -INFINITY, least = INFINITY;
        for (int i = 0; i < t->count; i++) {
            double y = t->value[i * t->columns + c];
            double step = i > 0 ? fabs(y - t->value[(i - 1) * t->columns + c]) : 0;
            low = fmin(low, y), high = fmax(high, y);
            least = step > 0 ? fmin(least, step) : least;
        }
        t->near[c] = isfinite(least) ? DIGITS * least : 0;
        range[c >= 3] = fmax(range[c >= 3], high - low);
    }
    for (int c = 0; c < t->columns; c++)
        t->weight[c] = range[c >= 3] > 0 ? 1 / range[c >= 3] : 0;
}

static double distance(const table *t, int i, int j) {
    double sum = 0;
    for (int c = 0; c < t->columns; c++) {
        double d = t->weight[c] * (t->value[i * t->columns + c] - t->value[j * t->columns + c]);
        sum += d * d;
    }
    return sqrt(sum);
}

static bool near(const table *t, int i, int j) {
    bool same = true;
    for (int c = 0; c < t->columns; c++)
        same =
            same && fabs(t->value[i * t->columns + c] - t->value[j * t->columns + c]) <= t->near[c];
    return same;
}

/* The last row, in that direction, that is near row i without a gap. */
static int reach(const table *t, int i, int direction) {
    int j = i;
    while (j + direction >= 0 && j + direction < t->count && near(t, i, j + direction))
        j += direction;
    return j;
}

/* The longest run of equal rows within from..to becomes *first..*last. */
static void find_equal(const table *t, int from, int to, int *first, int *last) {
    for (int a = from; a < to;) {
        int b = a;
        while (b < to && distance(t, a, b + 1) == 0)
            b++;
        if (b - a > *last - *first)
            *first = a, *last = b;
        a = b + 1;
    }
}

/* A row behind `next`, in that direction, at half as much time again from row `rest`; -1: there is none. */
static int farther(const table *t, int rest, int next, int direction) {
    int after = next + direction, end = direction > 0 ? t->count - 1 : 0;
    if (after < 0 || after >= t->count)
        return -1;
    while (after != end && fabs(t->at[after] - t->at[rest]) < 1.5 * fabs(t->at[next] - t->at[rest]))
        after += direction;
    return after;
}

/* The power with which the distance from row `rest` grows; the first row that counts is `next`, in that direction. */
static double power_of(const table *t, int rest, int next, int direction) {
    int after = farther(t, rest, next, direction);
    if (after < 0)
        return 0;
    double h = fabs(t->at[next] - t->at[rest]), k = fabs(t->at[after] - t->at[next]);
    double first = distance(t, rest, next), second = distance(t, next, after);
    if (second / k < GROWTH * (2 + k / h) * first / h)
        return 0;
    return log((first + second) / first) / log((h + k) / h);
}

static int order_of(const table *t, int rest, int next, int direction) {
    double power = power_of(t, rest, next, direction);
    return power > STEEP ? 3 : power > 0 ? 2 : 0;
}

/* Rows near to a rest belong to it up to the one from which the distance grows like a power that a spline follows. */
static int leave(const table *t, int rest, int to, int direction) {
    while (rest != to && power_of(t, rest, to + direction, direction) > STEEPEST)
        rest += direction;
    return rest;
}

/* The rest around row i; false when there is none. */
static bool find_at(const table *t, int i, gdyn_table_rest *rest) {
    int from = reach(t, i, -1), to = reach(t, i, 1), first = i, last = i;
    find_equal(t, from, to, &first, &last);
    if (last > first)
        from = reach(t, first, -1), to = reach(t, last, 1);
    else if (from > 0 && to + 1 < t->count)
        first = last = (from + to) / 2;
    else
        first = last = from == 0 ? 0 : t->count - 1;
    *rest = (gdyn_table_rest){.first = first, .last = last, .from = from, .to = to};
    /* nothing comes before the first row, nothing after the last */
    bool begins = from == 0, ends = to == t->count - 1;
    if (begins && ends)
        return false;
    rest->first = first = begins ? first : leave(t, first, from, -1);
    rest->last = last = ends ? last : leave(t, last, to, 1);
    rest->order[0] = begins ? 0 : order_of(t, first, from - 1, -1);
    rest->order[1] = ends ? 0 : order_of(t, last, to + 1, 1);
    /* standing, and moving at once */
    bool stands = last - first > 1;
    return (begins || rest->order[0] || (stands && from == first)) &&
           (ends || rest->order[1] || (stands && to == last));
}

gdyn_status gdyn_table_rests(int count, int columns, const double *at, const double *value,
                             gdyn_table_rest **rest, int *rests) {
    table t = {.count = count, .columns = columns, .at = at, .value = value};
    int room = 0;
    *rest = NULL;
    *rests = 0;
    measure(&t);
    for (int i = 0; count > 2 && i < count;) {
        gdyn_table_rest found;
        if (!find_at(&t, i, &found)) {
            i++;
            continue;
        }
        if (!gdyn_reserve(rest, &room, *rests + 1, sizeof **rest))
            return GDYN_ERROR_MEMORY;
        i = found.to + 1;
        (*rest)[(*rests)++] = found;
    }
    return GDYN_OK;
}
