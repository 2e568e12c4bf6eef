/* wide_data.h - small QR factors in their lanes (internal to linalg). */
#ifndef GDYN_LINALG_WIDE_DATA_H
#define GDYN_LINALG_WIDE_DATA_H

#define GDYN_LANES 4

#include "linalg/lanes.h"
#include "linalg/linalg.h"

/* What works in the lanes, in one of its translations. */
typedef struct gdyn_wide_kernel {
    bool (*factor)(gdyn_wide *w, int f, int k, const double *const H[GDYN_WIDE_AT_ONCE],
                   double least);
    void (*solve)(gdyn_wide *w, int count, const double *const B[GDYN_WIDE_AT_ONCE],
                  double *const X[GDYN_WIDE_AT_ONCE]);
    void (*gain)(gdyn_wide *w, double *const gain[GDYN_WIDE_AT_ONCE]);
    void (*null)(const gdyn_wide *w, double *const V[GDYN_WIDE_AT_ONCE]);
} gdyn_wide_kernel;
extern const gdyn_wide_kernel gdyn_wide_kernel_plain, gdyn_wide_kernel_avx;

struct gdyn_wide {
    const gdyn_wide_kernel *kernel;
    int max_rows, max_columns;
    int rows, columns; /* f, k of the last factorization */
    gdyn_lanes *A;     /* k x f: R above the reflectors */
    gdyn_lanes *tau;   /* f */
    gdyn_lanes *Q;     /* k x k */
    gdyn_lanes *y;     /* f */
    int *pivot;        /* f: row of H */
};

#endif
