/* statistics.h - what formulas may ask of a criterion over a sample of machines:
 * "worst.circle.time". */
#ifndef GDYN_CRITERIA_STATISTICS_H
#define GDYN_CRITERIA_STATISTICS_H

#include "criteria/criteria.h"

typedef enum gdyn_statistic_kind {
    GDYN_STATISTIC_WORST, /* the least where greater is better, the greatest where less is */
    GDYN_STATISTIC_LEAST,
    GDYN_STATISTIC_GREATEST,
    GDYN_STATISTIC_MEAN,
    GDYN_STATISTIC_DEVIATION, /* standard deviation, of n - 1 degrees of freedom */
    GDYN_STATISTIC_QUANTILE
} gdyn_statistic_kind;

typedef struct gdyn_statistic {
    gdyn_statistic_kind kind;
    double share; /* QUANTILE: of the values that are not greater, 0 < share < 1 */
} gdyn_statistic;

/* The words of formulas, NULL-terminated; "quantile" is followed by the decimals of its share:
 * quantile95. */
extern const char *const gdyn_statistic_names[];

/* "worst.NAME" or "quantile95.NAME": returns where NAME begins; NULL when the text begins with
 * no such word. */
const char *gdyn_statistic_parse(const char *text, gdyn_statistic *statistic);

/* The statistic of n >= 1 finite values, which are put in order. `better`: of the criterion;
 * WORST of one that has no better side is NAN, DEVIATION of a single value is 0. Quantiles lie
 * between neighbouring values linearly (Hyndman and Fan 1996, definition 7). */
double gdyn_statistic_value(const gdyn_statistic *statistic, int better, int n, double *value);

#endif
