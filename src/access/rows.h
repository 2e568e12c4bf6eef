/* rows.h - what a row of coefficients says at one point (d1, d2): its load without internal forces, its limits,
 * what an equality lacks (access.h). */
#ifndef GDYN_ACCESS_ROWS_H
#define GDYN_ACCESS_ROWS_H

#include "access/access.h"

static inline double gdyn_load_at(const gdyn_coefficients *q, int i, double d1, double d2) {
    return (q->A[i] * d1 + q->B[i]) * d1 + q->C[i] + q->D[i] * d2;
}

static inline double gdyn_limit_at(const gdyn_coefficients *q, int i, bool upper, double d1) {
    const double *limit = upper ? q->max : q->min, *slope = upper ? q->max_slope : q->min_slope;
    return limit[i] + (slope ? slope[i] * d1 : 0);
}

static inline double gdyn_equality_at(const gdyn_coefficients *q, int i, double d1, double d2) {
    return (q->eq_a[i] * d1 + q->eq_b[i]) * d1 + q->eq_c[i] + q->eq_d[i] * d2;
}

#endif
