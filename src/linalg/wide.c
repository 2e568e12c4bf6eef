/* wide.c - workspaces of small QR factors, and which translation of their lanes this processor runs. */
#include "linalg/wide_data.h"

#include "base/memory.h"

/* Room for the largest map; NULL: memory. */
gdyn_wide *gdyn_wide_create(int max_rows, int max_columns) {
    gdyn_wide *w = gdyn_alloc(1, sizeof *w);
    if (!w)
        return NULL;
    size_t f = (size_t)max_rows + 1, k = (size_t)max_columns + 1;
    w->kernel = GDYN_TRANSLATION(gdyn_wide_kernel_plain, gdyn_wide_kernel_avx);
    w->max_rows = max_rows;
    w->max_columns = max_columns;
    w->A = gdyn_room(k * f, sizeof *w->A);
    w->tau = gdyn_room(f, sizeof *w->tau);
    w->Q = gdyn_room(k * k, sizeof *w->Q);
    w->y = gdyn_room(f, sizeof *w->y);
    w->pivot = gdyn_room(f, sizeof *w->pivot);
    if (w->A && w->tau && w->Q && w->y && w->pivot)
        return w;
    gdyn_wide_destroy(w);
    return NULL;
}

/* Safe on a partly made object. */
void gdyn_wide_destroy(gdyn_wide *w) {
    if (!w)
        return;
    gdyn_free(w->A);
    gdyn_free(w->tau);
    gdyn_free(w->Q);
    gdyn_free(w->y);
    gdyn_free(w->pivot);
    gdyn_free(w);
}

bool gdyn_wide_factor(gdyn_wide *w, int f, int k, const double *const H[GDYN_WIDE_AT_ONCE],
                      double least) {
    return w->kernel->factor(w, f, k, H, least);
}

void gdyn_wide_solve(gdyn_wide *w, int count, const double *const B[GDYN_WIDE_AT_ONCE],
                     double *const X[GDYN_WIDE_AT_ONCE]) {
    w->kernel->solve(w, count, B, X);
}

void gdyn_wide_gain(gdyn_wide *w, double *const gain[GDYN_WIDE_AT_ONCE]) {
    w->kernel->gain(w, gain);
}

void gdyn_wide_null(const gdyn_wide *w, double *const V[GDYN_WIDE_AT_ONCE]) {
    w->kernel->null(w, V);
}
