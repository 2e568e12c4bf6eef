/* jacobi.h - singular value decomposition of small matrices (internal to linalg). */
#ifndef GDYN_LINALG_JACOBI_H
#define GDYN_LINALG_JACOBI_H

#include <stdbool.h>

/* The shorter and the longer side up to which it is the quicker way (measured against dgesdd). */
enum { GDYN_JACOBI_SHORT = 8, GDYN_JACOBI_LONG = 16 };

/* A (m x n) = U (m x m) diag(s) Vt (n x n), s descending, full bases; A is finite. False: too large,
 * entries too great or all too small, or not converged; then U, s, Vt are unchanged or undefined. */
bool gdyn_jacobi_svd(int m, int n, const double *A, int lda, double *U, double *s, double *Vt);

#endif
