/* table.c - Gauss-Jordan reduction with complete pivoting of a table of conditions. */
#include "tree/internal.h"

#include <math.h>

/* Row := row / pivot; its multiples are subtracted from all other rows. */
static void eliminate(gdyn_tree_table *t, int row, int column) {
    double *pivot = t->at + (size_t)t->width * (size_t)row, factor = 1 / pivot[column];
    t->sign = factor < 0 ? -t->sign : t->sign;
    for (int j = 0; j < t->width; j++)
        pivot[j] *= factor;
    pivot[column] = 1;
    for (int i = 0; i < t->rows; i++) {
        double *other = t->at + (size_t)t->width * (size_t)i, times = other[column];
        if (i == row || times == 0)
            continue;
        for (int j = 0; j < t->width; j++)
            other[j] -= times * pivot[j];
        other[column] = 0;
    }
    t->column_of[row] = column, t->row_of[column] = row;
    t->rank++;
}

double gdyn_tree_reduce(gdyn_tree_table *t, double share, double floor, double *greatest,
                        double *smallest) {
    double first = 0;
    t->rank = 0, t->sign = 1;
    for (int i = 0; i < t->rows; i++)
        t->column_of[i] = -1;
    for (int j = 0; j < t->own; j++)
        t->row_of[j] = -1;
    for (;;) {
        int row = 0, column = 0;
        double size = 0;
        /* the largest entry among rows without a pivot and own columns without one */
        for (int i = 0; i < t->rows; i++) {
            const double *entry = t->at + (size_t)t->width * (size_t)i;
            for (int j = 0; t->column_of[i] < 0 && j < t->own; j++)
                if (fabs(entry[j]) > size && t->row_of[j] < 0)
                    size = fabs(entry[j]), row = i, column = j;
        }
        first = t->rank == 0 ? size : first;
        *greatest = fmax(*greatest, size);
        if (!(size > share * first) || !(size > floor * *greatest))
            return size;
        *smallest = fmin(*smallest, size);
        eliminate(t, row, column);
    }
}
