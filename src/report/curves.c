/* curves.c - many quantities over one: those that matter most as lines of a panel. */
#include "report/picture.h"

#include <math.h>

/* Share of their size by which values differ when that is no more than rounding. */
static const double LEVEL = 1e-9;

static double value_at(const gdyn_curve_table *c, int point, int column) {
    return c->value[(size_t)point * (size_t)c->columns + (size_t)column];
}

double gdyn_curves_greatest(const gdyn_curve_table *c, int column) {
    double most = NAN;
    for (int i = 0; i < c->points; i++)
        most = fmax(most, fabs(value_at(c, i, column)));
    return most;
}

double gdyn_curves_range(const gdyn_curve_table *c, int column) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < c->points; i++) {
        low = fmin(low, value_at(c, i, column));
        high = fmax(high, value_at(c, i, column));
    }
    return high >= low ? high - low : NAN;
}

int gdyn_curves_largest(const gdyn_curve_table *c, double (*measure)(const gdyn_curve_table *, int),
                        bool (*wanted)(const void *context, int column), const void *context,
                        int list[GDYN_CURVES_MOST], int *more) {
    int count = 0, all = 0;
    /* Insertion into a list of the largest, as long as the list is. */
    for (int column = 0; column < c->columns; column++) {
        double size = wanted(context, column) ? measure(c, column) : NAN;
        if (isnan(size))
            continue;
        all++;
        /* Behind all that are larger. */
        int at = count < GDYN_CURVES_MOST ? count++ : GDYN_CURVES_MOST;
        while (at > 0 && measure(c, list[at - 1]) < size) {
            if (at < GDYN_CURVES_MOST)
                list[at] = list[at - 1];
            at--;
        }
        if (at < GDYN_CURVES_MOST)
            list[at] = column;
    }
    *more = all - count;
    return count;
}

int gdyn_curves_write(gdyn_figure *f, const gdyn_curve_table *c, int column, bool absolute) {
    for (int i = 0; i < c->points; i++) {
        double value = value_at(c, i, column);
        if (isnan(value))
            gdyn_figure_gap(f);
        else
            gdyn_figure_put(f, c->x[(size_t)i * (size_t)c->step],
                            absolute ? fmax(fabs(value), GDYN_CURVES_LEAST) : value);
    }
    return gdyn_figure_block_end(f);
}

void gdyn_curves_draw(gdyn_figure *f, gdyn_figure_panel *panel, const gdyn_curve_table *c,
                      int column, bool absolute, int number, const char *title) {
    gdyn_draw(f, panel, GDYN_LINE, gdyn_curves_write(f, c, column, absolute), .width = 2.2,
              .dash = gdyn_page_dash(number), .colour = gdyn_page_colour(number), .title = title);
}

void gdyn_curves_window(gdyn_figure_axis *axis, const gdyn_curve_table *c, int count,
                        const int *list, double rounding) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < c->points; i++) {
            low = fmin(low, value_at(c, i, list[k]));
            high = fmax(high, value_at(c, i, list[k]));
        }
    /* A constant curve gets a window around it. */
    double size = fmax(fabs(low), fabs(high));
    double spare = size > rounding ? 0.1 * size : rounding > 0 ? rounding / LEVEL : 1;
    bool level = !(high - low > fmax(LEVEL * size, rounding));
    spare = level ? spare : 0.05 * (high - low);
    axis->low = low - spare;
    axis->high = high + spare;
}
