/* curves.c - many quantities over one: those that matter most as lines of a panel; how much of a
 * curve is shown (beside singular places values grow without bound, and an axis that shows them
 * shows nothing else); criteria as titles of axes. */
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void gdyn_curves_draw(gdyn_figure *f, gdyn_figure_panel *panel, const gdyn_curve_table *c,
                      int column, bool absolute, int number, const char *title) {
    /* x and the column (its magnitude when `absolute`) with gaps where there is no value */
    for (int i = 0; i < c->points; i++) {
        double value = value_at(c, i, column);
        if (isnan(value))
            gdyn_figure_gap(f);
        else
            gdyn_figure_put(f, c->x[(size_t)i * (size_t)c->step],
                            absolute ? fmax(fabs(value), GDYN_CURVES_LEAST) : value);
    }
    gdyn_draw(f, panel, GDYN_LINE, gdyn_figure_block_end(f), .width = 2.2,
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
    axis->low = low - spare, axis->high = high + spare;
}

/* --- how much of a curve a picture shows ------------------------------------------------------ */

/* The size of a value and the length of the path that it stands for. */
typedef struct weighed {
    double size, weight;
} weighed;

double gdyn_usual_size(int points, const double *p, const double *value) {
    static const double SHARE = 0.9, TIMES = 3;
    weighed *list = gdyn_alloc((size_t)points + 1, sizeof *list);
    double whole = 0, below = 0, most = NAN;
    int count = 0;
    /* points that lie close to one another count for little */
    for (int i = 0; list && i < points; i++) {
        double weight = fabs(p[i + 1 < points ? i + 1 : i] - p[i > 0 ? i - 1 : i]);
        if (isfinite(value[i])) {
            list[count++] = (weighed){fabs(value[i]), weight};
            whole += weight;
        }
    }
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, gdyn_ascending); /* by size, the first member */
    for (int i = 0; i < count && isnan(most); i++) {
        below += list[i].weight;
        if (below >= SHARE * whole && list[i].size > 0)
            most = TIMES * list[i].size;
    }
    gdyn_free(list);
    return most;
}

/* --- titles of axes, from the vocabulary ------------------------------------------------------ */

/* How pictures write what tables write in plain letters: d1 and d2, powers. */
gdyn_words gdyn_picture_letters(const char *plain) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    gdyn_words out = {""};
    size_t length = 0;
    bool power = false;
    for (size_t bytes; *plain; plain += bytes) {
        /* What has a better form; else the character itself, whole ones of UTF-8. */
        bool digit = *plain >= '0' && *plain <= '9';
        power = *plain == '^' ? plain[1] >= '0' && plain[1] <= '9' : power && digit;
        bool speed = strncmp(plain, "d1", 2) == 0, acceleration = strncmp(plain, "d2", 2) == 0;
        const char *put = power          ? (digit ? raised[*plain - '0'] : "")
                          : speed        ? "d₁"
                          : acceleration ? "d₂"
                                         : NULL;
        for (bytes = speed || acceleration ? 2 : 1;
             !put && ((unsigned char)plain[bytes] & 0xC0) == 0x80;)
            bytes++;
        size_t size = put ? strlen(put) : bytes;
        if (length + size >= sizeof out.text)
            break;
        memcpy(out.text + length, put ? put : plain, size);
        length += size;
    }
    return out;
}

gdyn_words gdyn_axis_title(const char *words, gdyn_criterion criterion, const char *p_unit) {
    gdyn_words unit = gdyn_criterion_unit(criterion, p_unit, "");
    char title[120];
    /* "label [unit]", in the letters of pictures. */
    snprintf(title, sizeof title, "%s%s%s%s", words ? words : gdyn_criterion_table[criterion].label,
             *unit.text ? " [" : "", unit.text, *unit.text ? "]" : "");
    return gdyn_picture_letters(title);
}

const char *gdyn_figure_title(gdyn_figure *f, const char *words, gdyn_criterion criterion,
                              const char *p_unit) {
    return gdyn_figure_words(f, "%s", gdyn_axis_title(words, criterion, p_unit).text);
}

const char *gdyn_figure_title_of_p(gdyn_figure *f, const char *unit) {
    return gdyn_figure_words(f, *unit ? "p [%s]" : "p%s", unit);
}

gdyn_figure_panel *gdyn_region_panel(gdyn_figure *f, const gdyn_window *window, const char *unit,
                                     double ratio) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->ratio = ratio;
    panel->x = (gdyn_figure_axis){.title = gdyn_figure_title(f, "d1", GDYN_CRITERION_D1_MAX, unit),
                                  .high = window->d1_high};
    panel->y = (gdyn_figure_axis){.title = gdyn_figure_title(f, "d2", GDYN_CRITERION_D2_MAX, unit),
                                  .low = window->d2_low,
                                  .high = window->d2_high};
    return panel;
}
