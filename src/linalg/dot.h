/* dot.h - scalar product and Euclidean norm of short vectors, summed in order. */
#pragma once

#include <math.h>

static inline double gdyn_dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static inline double gdyn_norm(int n, const double *x) {
    return sqrt(gdyn_dot(n, x, x));
}
