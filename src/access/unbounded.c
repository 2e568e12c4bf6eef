/* unbounded.c - see unbounded.h. Gram-Schmidt on the other rows, done twice; the row itself undergoes the
 * same column operations. A column whose rest is rounding in the other rows is a direction that they
 * leave free. */
#include "access/unbounded.h"

#include <string.h>

/* Limits beyond this many loads are unbounded. */
#define FAR 1e10
/* Up to here half ranges serve as units as well as loads do. */
#define WIDE 0x1p-13
/* A row of orthonormal columns is shorter than this below one when others have a share in it. */
#define ALONE 1e-6
/* Rest of a unit column that is rounding. */
#define REST 1e-13

/* Greatest coefficient of a row without internal forces. */
static double motion_load(const gdyn_limit_row *row) {
    double quadratic = fmax(fabs(row->a), fmax(fabs(row->c), fabs(row->d)));
    double linear = fmax(fabs(row->b), fmax(fabs(row->low1), fabs(row->high1)));
    return fmax(quadratic, linear);
}

double gdyn_row_load(const gdyn_limit_row *row) {
    return fmax(row->share, motion_load(row));
}

bool gdyn_row_wide(const gdyn_limit_row *row) {
    double limit = fmax(isfinite(row->low) ? -row->low : 0, isfinite(row->high) ? row->high : 0);
    return row->source >= 0 && gdyn_row_load(row) < WIDE * fmax(row->half, limit);
}

bool gdyn_any_wide(const gdyn_problem *p) {
    for (int i = 0; i < p->k; i++)
        if (gdyn_row_wide(&p->row[i]))
            return true;
    return false;
}

/* Does row j say how much may be carried? Not where zero is its only limit. */
static bool has_scale(const gdyn_limit_row *row) {
    bool one_sided = isinf(row->low) || isinf(row->high);
    return !one_sided || (isfinite(row->low) && row->low != 0) ||
           (isfinite(row->high) && row->high != 0);
}

/* The loads of all rows, one column after the other, as the rows other than `self` see them. */
typedef struct directions {
    gdyn_problem *p;
    double *G; /* k x width, row-major; `count` unit columns at right angles */
    int self, width, count;
    bool all; /* rows without a scale, too */
} directions;

static double dot(const directions *d, int m, int j) {
    double sum = 0;
    for (int i = 0; i < d->p->k; i++)
        if (i != d->self && (d->all || has_scale(&d->p->row[i])))
            sum += d->G[i * d->width + m] * d->G[i * d->width + j];
    return sum;
}

/* Adds the column after the last one; false when the other rows leave it free: no longer than `least` there. Its entries are those of a
 * column of unit length, as far as they are not rounding. */
static bool add_direction(directions *d, double least) {
    int j = d->count, k = d->p->k;
    for (int pass = 0; pass < 3; pass++) {
        for (int m = 0; m < j && pass > 0; m++) {
            double part = dot(d, m, j);
            for (int i = 0; i < k; i++)
                d->G[i * d->width + j] -= part * d->G[i * d->width + m];
        }
        double size = sqrt(dot(d, j, j));
        if (!(size > (pass ? REST : least)))
            return false;
        for (int i = 0; i < k; i++)
            d->G[i * d->width + j] /= size;
    }
    d->count++;
    return true;
}

/* Entry n of a row's loads V, d, a, b, low1, high1. */
static double load_entry(const gdyn_problem *p, int i, int n) {
    const gdyn_limit_row *row = &p->row[i];
    const double number[] = {row->d, row->a, row->b, row->low1, row->high1};
    return n < p->r ? p->V[i * p->r + n] : number[n - p->r];
}

/* Some internal force moves row i and no other one: it keeps the row's limits whatever the rest does. */
static bool served_alone(gdyn_problem *p, int self) {
    int width = p->r + GDYN_REACH_EXTRA;
    directions d = {.p = p, .G = p->reach, .self = self, .width = width};
    d.all = true;
    for (int n = 0; n < p->r; n++) {
        for (int i = 0; i < p->k; i++)
            d.G[i * width + d.count] = load_entry(p, i, n);
        double own = fabs(d.G[self * width + d.count]);
        if (!add_direction(&d, REST) && fabs(d.G[self * width + d.count]) > GDYN_ACCESS_ZERO * own)
            return own > 0;
    }
    return false;
}

/* Greatest load of row `self` where those of the others have norm one; infinite where they leave it
 * free. */
static double reach(gdyn_problem *p, int self) {
    int width = p->r + GDYN_REACH_EXTRA;
    directions d = {.p = p, .G = p->reach, .self = self, .width = width};
    double sum = 0;
    for (int n = 0; n < p->r + 5; n++) {
        for (int i = 0; i < p->k; i++)
            d.G[i * width + d.count] = load_entry(p, i, n);
        double *own = &d.G[self * width + d.count], size = fabs(*own) * GDYN_ACCESS_ZERO;
        if (add_direction(&d, n < p->r ? REST : 0)) /* the columns of V have unit length */
            sum = hypot(sum, *own);
        else if (fabs(*own) > fmax(size, GDYN_ACCESS_ZERO * sum))
            return INFINITY;
    }
    return sum;
}

/* What the others carry together while they keep limits of their units' size. */
static double carried(const gdyn_problem *p, int self) {
    double sum = 0;
    for (int i = 0; i < p->k; i++)
        if (i != self && has_scale(&p->row[i]))
            sum = hypot(sum, 1 + fabs(p->row[i].c));
    return sum;
}

static bool unbound_row(gdyn_problem *p, int i) {
    const gdyn_limit_row *row = &p->row[i];
    double load = reach(p, i) * carried(p, i) + fabs(row->c);
    if (served_alone(p, i))
        load = motion_load(row);
    bool low = isfinite(row->low) && row->low < -FAR * load;
    bool high = isfinite(row->high) && row->high > FAR * load;
    if (low)
        p->limit[2 * row->source] = -INFINITY;
    if (high)
        p->limit[2 * row->source + 1] = INFINITY;
    return low || high;
}

/* Is the range of row i so wide beside its loads that it may be without end? The range chose the unit where
 * internal forces move no other row; and where there are equalities, which do not take part in the
 * choice, the units of d1 and d2. */
static bool suspect(const gdyn_problem *p, int i) {
    const gdyn_limit_row *row = &p->row[i];
    bool from_zero = row->low == 0 || row->high == 0;
    bool alone = row->norm > 1 - ALONE && motion_load(row) < WIDE * row->half;
    return row->source >= 0 &&
           (gdyn_row_wide(row) || alone || (from_zero && p->row[p->k - 1].source < 0));
}

bool gdyn_unbound(gdyn_problem *p) {
    bool found = false;
    for (int i = 0; i < p->k; i++)
        if (suspect(p, i))
            found = unbound_row(p, i) || found;
    return found;
}
