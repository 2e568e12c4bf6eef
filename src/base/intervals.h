/* intervals.h - sets of numbers as intervals: speeds and squares of speeds that are accessible. */
#pragma once

#include <stdbool.h>

enum { GDYN_INTERVALS_MAX = 64 };

/* Disjoint, ascending. An interval of one number is allowed. */
typedef struct gdyn_intervals {
    int count;
    double low[GDYN_INTERVALS_MAX], high[GDYN_INTERVALS_MAX];
    bool lost; /* an interval was dropped: there are further members */
} gdyn_intervals;

gdyn_intervals gdyn_intervals_of(double low, double high);
/* Adds low..high, nothing when low > high. Intervals that touch within rounding become one. When
 * there are too many the set becomes larger (`outer`: the smallest gap is filled) or smaller (the
 * smallest interval is dropped, and `lost` set). */
void gdyn_intervals_add(gdyn_intervals *set, double low, double high, bool outer);
/* The same with what `from` contains of low..high. */
void gdyn_intervals_add_part(gdyn_intervals *set, const gdyn_intervals *from, double low,
                             double high, bool outer);
/* a := a and b, as an inner set; lost where one of them is. */
void gdyn_intervals_intersect(gdyn_intervals *a, const gdyn_intervals *b);
/* Removes what lies above x. */
void gdyn_intervals_limit(gdyn_intervals *set, double x);
/* The largest member, NAN when empty. */
double gdyn_intervals_top(const gdyn_intervals *set);
/* The largest member up to x, or the interval's end that lies above x by at most `near`; NAN: there
 * is none. */
double gdyn_intervals_below(const gdyn_intervals *set, double x, double near);
