/* banded.h - singular values of sparse matrices with a narrow band (internal to linalg). */
#ifndef GDYN_LINALG_BANDED_H
#define GDYN_LINALG_BANDED_H

#include <stdbool.h>

/* Singular values s (min(m, n), descending) of A (m x n), which is finite. False: the matrix is small, its rows and columns
 * cannot be ordered into a narrow band, or there is no memory; s is undefined then. */
bool gdyn_banded_values(int m, int n, const double *A, int lda, double *s);

#endif
