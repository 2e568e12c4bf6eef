/* unbounded.c - see unbounded.h. Gram-Schmidt without pivoting, done twice: V is orthonormal already. A
 * column whose rest is rounding of the others adds no direction. */
#include "access/unbounded.h"

#include <string.h>

/* Limits beyond this many loads are unbounded. */
#define FAR 1e10
/* Up to here half ranges serve as units as well as loads do. */
#define WIDE 0x1p-13
/* Rest of a unit column that is rounding. */
#define REST 1e-15

double gdyn_row_load(const gdyn_row *row) {
    double quadratic = fmax(fabs(row->a), fmax(fabs(row->c), fabs(row->d)));
    double linear = fmax(fabs(row->b), fmax(fabs(row->low1), fabs(row->high1)));
    return fmax(row->norm, fmax(quadratic, linear));
}

bool gdyn_row_wide(const gdyn_row *row) {
    return row->source >= 0 && gdyn_row_load(row) < WIDE * row->half;
}

bool gdyn_any_wide(const gdyn_problem *p) {
    for (int i = 0; i < p->k; i++)
        if (gdyn_row_wide(&p->row[i]))
            return true;
    return false;
}

/* Adds column j of G (k x columns, row-major) to the orthonormal ones before it; false when it adds
 * nothing. */
static bool add_direction(double *G, int k, int columns, int j) {
    for (int pass = 0; pass < 3; pass++) {
        for (int m = 0; m < j && pass > 0; m++) {
            double dot = 0;
            for (int i = 0; i < k; i++)
                dot += G[i * columns + m] * G[i * columns + j];
            for (int i = 0; i < k; i++)
                G[i * columns + j] -= dot * G[i * columns + m];
        }
        double sum = 0;
        for (int i = 0; i < k; i++)
            sum += G[i * columns + j] * G[i * columns + j];
        if (!(sqrt(sum) > (pass ? REST : 0)))
            return false;
        for (int i = 0; i < k; i++)
            G[i * columns + j] /= sqrt(sum);
    }
    return true;
}

/* Orthonormal basis of the range of all loads in p->reach; returns its columns, `width` apart. */
static int load_directions(gdyn_problem *p, int width) {
    int count = p->r;
    for (int i = 0; i < p->k; i++)
        memcpy(p->reach + i * width, p->V + i * p->r, (size_t)p->r * sizeof(double));
    for (int n = 0; n < 5; n++) {
        for (int i = 0; i < p->k; i++) {
            const gdyn_row *row = &p->row[i];
            const double number[] = {row->d, row->a, row->b, row->low1, row->high1};
            p->reach[i * width + count] = number[n];
        }
        count += add_direction(p->reach, p->k, width, count);
    }
    return count;
}

bool gdyn_unbound(gdyn_problem *p) {
    int width = p->r + GDYN_REACH_EXTRA, count = load_directions(p, width);
    bool found = false;
    for (int i = 0; i < p->k; i++) {
        const gdyn_row *row = &p->row[i];
        double sum = 0;
        for (int j = 0; j < count; j++)
            sum += p->reach[i * width + j] * p->reach[i * width + j];
        double load = sqrt(sum) + fabs(row->c);
        bool low = row->source >= 0 && isfinite(row->low) && row->low < -FAR * load;
        bool high = row->source >= 0 && isfinite(row->high) && row->high > FAR * load;
        if (low)
            p->limit[2 * row->source] = -INFINITY;
        if (high)
            p->limit[2 * row->source + 1] = INFINITY;
        found = found || low || high;
    }
    return found;
}
