/* basis.c - an orthonormal basis of the internal forces V, in the units of the rows.
 *
 * Gram and Schmidt with column pivoting, every column twice: what a second pass leaves is
 * orthogonal to rounding. The rank is the number of columns that keep more than rounding. */
#include "access/projection.h"

#include "linalg/dot.h"

#include <math.h>
#include <string.h>

/* Removes from column j of V (k x r, row-major) its part along the columns listed in order[0..n).
 */
static void deflate(gdyn_problem *p, int r, int j, int n) {
    for (int m = 0; m < n; m++) {
        double dot = 0;
        for (int i = 0; i < p->k; i++)
            dot += p->V[i * r + p->order[m]] * p->V[i * r + j];
        for (int i = 0; i < p->k; i++)
            p->V[i * r + j] -= dot * p->V[i * r + p->order[m]];
    }
}

/* |V_j|, over all rows. */
static double column_norm(const gdyn_problem *p, int r, int j) {
    double sum = 0;
    for (int i = 0; i < p->k; i++)
        sum += p->V[i * r + j] * p->V[i * r + j];
    return sqrt(sum);
}

static void scale_column(gdyn_problem *p, int r, int j, double s) {
    for (int i = 0; i < p->k; i++)
        p->V[i * r + j] *= s;
}

/* Columns of V to unit length, listed in p->order; those that scaling has left at rounding level
 * are none. Their number. */
static int unit_columns(gdyn_problem *p, int r) {
    int count = 0;
    /* scaling left nothing of a column under GDYN_ACCESS_ZERO */
    for (int j = 0; j < r; j++) {
        double norm = column_norm(p, r, j);
        if (norm > GDYN_ACCESS_ZERO * sqrt(p->column[j])) {
            scale_column(p, r, j, 1 / norm);
            p->order[count++] = j;
        }
    }
    return count;
}

/* Orthonormal basis of the range of V by Gram-Schmidt with column pivoting, done twice. Columns are
 * brought to unit length first: the answer does not depend on the units of y. */
static void orthonormalize(gdyn_problem *p, int r) {
    int kept = 0, count = unit_columns(p, r);
    /* Largest entry of each row in unit columns: its share in the internal forces. */
    for (int i = 0; i < p->k; i++) {
        p->row[i].share = 0;
        for (int m = 0; m < count; m++)
            p->row[i].share = gdyn_greater(p->row[i].share, fabs(p->V[i * r + p->order[m]]));
    }
    /* the longest of the columns that are left, without its part in those kept */
    while (kept < count) {
        int best = kept;
        double most = -1;
        for (int m = kept; m < count; m++) {
            deflate(p, r, p->order[m], kept);
            double norm = column_norm(p, r, p->order[m]);
            if (norm > most)
                most = norm, best = m;
        }
        /* what is left is rounding: the rank is found */
        if (!(most > GDYN_ACCESS_ZERO * 10))
            break;
        /* the second pass removes what rounding left of the first */
        int j = p->order[best];
        p->order[best] = p->order[kept];
        scale_column(p, r, j, 1 / most);
        deflate(p, r, j, kept);
        scale_column(p, r, j, 1 / column_norm(p, r, j));
        p->order[kept++] = j;
    }
    p->r = kept;
}

/* Compacts the kept columns to k x rank and forms the rows of unit length. */
static void compact(gdyn_problem *p, int r) {
    /* the columns kept, in their order; rows of V and their directions */
    for (int i = 0; i < p->k; i++) {
        for (int j = 0; j < p->r; j++)
            p->column[j] = p->V[i * r + p->order[j]];
        memcpy(p->V + i * p->r, p->column, (size_t)p->r * sizeof(double));
        /* rows without influence of V are exact zeros */
        double sum = 0;
        for (int j = 0; j < p->r; j++)
            sum += p->column[j] * p->column[j];
        double norm = sqrt(sum);
        if (norm <= GDYN_ACCESS_ZERO)
            norm = 0;
        p->row[i].norm = norm;
        for (int j = 0; j < p->r; j++) {
            if (norm == 0)
                p->V[i * p->r + j] = 0;
            p->unit_V[i * p->r + j] = norm > 0 ? p->column[j] / norm : 0;
        }
    }
}

void gdyn_problem_basis(gdyn_problem *p, const gdyn_coefficients *q) {
    for (int i = 0; i < p->k; i++)
        for (int j = 0; j < q->r; j++)
            p->V[i * q->r + j] =
                p->row[i].source < 0 ? 0 : q->V[j * q->k + p->row[i].source] / p->row[i].unit;
    /* Into p->column the squares of V's columns in the rows that were left out, in the largest
     * unit of the others. What is 1e-11 of them in the other rows is rounding, not a direction. */
    double unit = 0;
    for (int i = 0; i < p->k; i++)
        unit = gdyn_greater(unit, p->row[i].unit);
    memset(p->column, 0, (size_t)q->r * sizeof *p->column);
    for (int i = 0; unit > 0 && i < q->k; i++)
        for (int j = 0; gdyn_problem_unlimited(p, i) && j < q->r; j++)
            p->column[j] += pow(q->V[j * q->k + i] / unit, 2);
    orthonormalize(p, q->r);
    compact(p, q->r);
}

/* --- the parabola that all rows share --------------------------------------------------------- */

/* Largest alpha and beta, in units in which the largest a, b and d are near 1. Where d lies
 * nearly along V they are greater: z' would be large numbers of opposite signs. */
#define STEEP 16

/* x without its part along the columns of V. */
static void remove_basis(const gdyn_problem *p, double *x) {
    for (int j = 0; j < p->r; j++) {
        double dot = 0;
        for (int i = 0; i < p->k; i++)
            dot += p->V[i * p->r + j] * x[i];
        for (int i = 0; i < p->k; i++)
            x[i] -= dot * p->V[i * p->r + j];
    }
}

/* alpha of the load a (linear: b), and in `rest` what is left of it without its parts along V and
 * along d, whose part at right angles to V is length * unit. Twice: what is left is small. */
static double split(const gdyn_problem *p, const double *unit, double length, bool linear,
                    double *rest) {
    double alpha = 0;
    for (int i = 0; i < p->k; i++)
        rest[i] = linear ? p->row[i].b : p->row[i].a;
    for (int pass = 0; pass < 2; pass++) {
        remove_basis(p, rest);
        double part = gdyn_dot(p->k, unit, rest);
        for (int i = 0; i < p->k; i++)
            rest[i] -= part * unit[i];
        alpha += length > 0 ? part / length : 0;
    }
    return alpha;
}

/* Takes the load out when nothing but rounding is left of it. */
static void take_out(gdyn_problem *p, const double *unit, double length, bool linear, double *shift,
                     double *shift_error) {
    double *rest = p->rest + p->k, *error = rest + p->k, *before = error + p->k;
    double alpha = split(p, unit, length, linear, rest), along = 0;
    if (fabs(alpha) > STEEP)
        return;
    /* errors of the load and of d, and what of them lies along d */
    for (int i = 0; i < p->k; i++) {
        const gdyn_limit_row *row = &p->row[i];
        error[i] = (linear ? row->b_error : row->a_error) + fabs(alpha) * row->d_error;
        along += fabs(unit[i]) * error[i];
    }
    /* they spread over every projection: the columns of V, then the direction itself */
    memcpy(before, error, (size_t)p->k * sizeof *before);
    for (int j = 0; j <= p->r; j++) {
        double sum = 0;
        for (int i = 0; i < p->k; i++)
            sum += fabs(j < p->r ? p->V[i * p->r + j] : unit[i]) * before[i];
        for (int i = 0; i < p->k; i++)
            error[i] += sum * fabs(j < p->r ? p->V[i * p->r + j] : unit[i]);
    }
    /* the load lies along d and V within its errors: nothing of it remains */
    for (int i = 0; i < p->k; i++)
        if (fabs(rest[i]) > error[i])
            return;
    for (int i = 0; i < p->k; i++)
        *(linear ? &p->row[i].b : &p->row[i].a) = 0;
    *shift = alpha;
    *shift_error = length > 0 ? along / length : 0;
}

/* Takes a common parabola alpha d1^2 + beta d1 out of d2: the rest of the loads is smallest. */
void gdyn_problem_shift(gdyn_problem *p) {
    double *unit = p->rest, error = 0, whole = 0;
    for (int i = 0; i < p->k; i++) {
        unit[i] = p->row[i].d;
        error += p->row[i].d_error * p->row[i].d_error, whole += unit[i] * unit[i];
    }
    /* d without its part along V, in which d2 moves the rows freely; none within its error */
    remove_basis(p, unit), remove_basis(p, unit);
    double length = gdyn_norm(p->k, unit);
    bool none = !(length > fmax(sqrt(error), GDYN_ACCESS_ZERO * sqrt(whole)));
    for (int i = 0; i < p->k; i++)
        unit[i] = none ? 0 : unit[i] / length;
    length = none ? 0 : length;
    take_out(p, unit, length, false, &p->shift.a, &p->shift_error.a);
    if (!p->even)
        take_out(p, unit, length, true, &p->shift.b, &p->shift_error.b);
}

/* --- limits far beyond all loads ------------------------------------------------------------- */

/* See projection.h. Gram-Schmidt on the other rows, done twice; the row itself
 * undergoes the same column operations. A column whose rest is rounding in the other rows is a
 * direction that they leave free. */

/* Limits beyond this many loads are unbounded. */
#define FAR 1e10
/* While loads are no smaller share of half ranges, half ranges are as good a unit. */
#define WIDE 0x1p-13
/* A row of orthonormal columns is shorter than this below one when others have a share in it. */
#define ALONE 1e-6
/* Rest of a unit column that is rounding. */
#define REST 1e-13

/* Largest coefficient of a row without internal forces. */
static double motion_load(const gdyn_limit_row *row) {
    double quadratic = gdyn_greater(fabs(row->a), gdyn_greater(fabs(row->c), fabs(row->d)));
    double linear = gdyn_greater(fabs(row->b), gdyn_greater(fabs(row->low1), fabs(row->high1)));
    return gdyn_greater(quadratic, linear);
}

double gdyn_row_load(const gdyn_limit_row *row) {
    return gdyn_greater(row->share, motion_load(row));
}

bool gdyn_row_wide(const gdyn_limit_row *row) {
    double limit =
        gdyn_greater(isfinite(row->low) ? -row->low : 0, isfinite(row->high) ? row->high : 0);
    return row->source >= 0 && gdyn_row_load(row) < WIDE * gdyn_greater(row->half, limit);
}

/* Is there a row whose limits are far beyond its load? */
bool gdyn_any_wide(const gdyn_problem *p) {
    for (int i = 0; i < p->k; i++)
        if (gdyn_row_wide(&p->row[i]))
            return true;
    return false;
}

/* Largest load of row j, without c, within its limits, no less than its unit; one where it has no
 * limits. */
static double room(const gdyn_limit_row *row) {
    double low = isfinite(row->low) ? fabs(row->low) : 0;
    double high = isfinite(row->high) ? fabs(row->high) : 0;
    return gdyn_greater(1, gdyn_greater(low, high)) + fabs(row->c);
}

/* The loads of all rows, one column after the other, as the rows other than `self` see them: as
 * shares of their room; with rows that have one limit only, as shares of their entries of V. */
typedef struct directions {
    gdyn_problem *p;
    const gdyn_coefficients *q;
    double *G; /* k x width, row-major; `count` unit columns at right angles */
    int self, width, count;
    bool all; /* rows that are limited on one side only, too */
} directions;

static directions directions_of(gdyn_problem *p, const gdyn_coefficients *q, int self, bool all) {
    return (directions){
        .p = p, .q = q, .G = p->reach, .self = self, .width = q->r + GDYN_REACH_EXTRA, .all = all};
}

/* Products over the other rows; `all` counts those with one limit, too. */
static double dot(const directions *d, int m, int j) {
    double sum = 0;
    for (int i = 0; i < d->p->k; i++)
        /* limited on both sides: while it keeps its limits, its load is no greater than they are */
        if (i != d->self && (d->all || (isfinite(d->p->row[i].low) && isfinite(d->p->row[i].high))))
            sum += d->G[i * d->width + m] * d->G[i * d->width + j];
    return sum;
}

/* Entry n of a row's loads V, d, a, b, low1, high1; those of V in the caller's units. */
static double load_entry(const directions *d, int i, int n) {
    const gdyn_limit_row *row = &d->p->row[i];
    const double number[] = {row->d, row->a, row->b, row->low1, row->high1};
    if (n >= d->q->r)
        return number[n - d->q->r];
    return row->source < 0 ? 0 : d->q->V[n * d->q->k + row->source];
}

/* Writes column n behind the last one; of V's columns without what is rounding beside their length.
 * The own entry. */
static double write_column(directions *d, int n) {
    double length = 0;
    /* rounding beside the length of the whole column of V is zero */
    for (int i = 0; i < d->p->k && n < d->q->r; i++)
        length = hypot(length, load_entry(d, i, n));
    for (int i = 0; i < d->p->k; i++) {
        double x = load_entry(d, i, n), unit = n < d->q->r ? d->p->row[i].unit : 1;
        bool kept = i == d->self || fabs(x) > REST * length;
        /* divisor of the row: its room, or so that no unit hides what moves it */
        const gdyn_limit_row *row = &d->p->row[i];
        double size = !d->all ? room(row) : row->share > 0 ? row->share : 1;
        d->G[i * d->width + d->count] = kept ? x / unit / size : 0;
    }
    return fabs(d->G[d->self * d->width + d->count]);
}

/* Adds the column that was written; false when the other rows leave it free. Its entries are those
 * of a column of unit length, as far as they are not rounding. */
static bool add_direction(directions *d) {
    int j = d->count, k = d->p->k;
    /* first unit length, then twice what lies outside of the directions before */
    for (int pass = 0; pass < 3; pass++) {
        for (int m = 0; m < j && pass > 0; m++) {
            double part = dot(d, m, j);
            for (int i = 0; i < k; i++)
                d->G[i * d->width + j] -= part * d->G[i * d->width + m];
        }
        double size = sqrt(dot(d, j, j));
        if (!(size > (pass ? REST : 0)))
            return false;
        for (int i = 0; i < k; i++)
            d->G[i * d->width + j] /= size;
    }
    d->count++;
    return true;
}

/* Some internal force moves row i and no other one: it keeps the row's limits regardless of the
 * rest does. */
static bool moves_alone(directions d) {
    for (int n = 0; n < d.q->r; n++) {
        double own = write_column(&d, n);
        if (!add_direction(&d) && fabs(d.G[d.self * d.width + d.count]) > GDYN_ACCESS_ZERO * own)
            return own > 0;
    }
    return false;
}

/* Largest load of row `self`, as a share of its room, where those of the others have norm one;
 * infinite where they leave it free. */
static double reach(directions d) {
    double sum = 0;
    /* one load at a time: columns of V, d2, then those of d1 */
    for (int n = 0; n < d.q->r + 5; n++) {
        double zero = write_column(&d, n) * GDYN_ACCESS_ZERO;
        double *own = &d.G[d.self * d.width + d.count];
        /* the part along a new direction adds up; none left, the row must not feel it either */
        if (add_direction(&d))
            sum = hypot(sum, *own);
        else if (fabs(*own) > gdyn_greater(zero, GDYN_ACCESS_ZERO * sum))
            return INFINITY;
    }
    return sum;
}

/* Limits of row i that no load can reach, by a safe factor. */
static bool unbound_row(gdyn_problem *p, const gdyn_coefficients *q, int i) {
    const gdyn_limit_row *row = &p->row[i];
    /* in rooms of the other rows, which together have norm sqrt(k) at most */
    double share = reach(directions_of(p, q, i, false)) * sqrt(p->k);
    double load = share * room(row) + fabs(row->c);
    /* no other row needs to be considered: its own motion is the load */
    if (moves_alone(directions_of(p, q, i, true)))
        load = motion_load(row);
    bool low = isfinite(row->low) && row->low < -FAR * load;
    bool high = isfinite(row->high) && row->high > FAR * load;
    if (low)
        p->limit[2 * row->source] = -INFINITY;
    if (high)
        p->limit[2 * row->source + 1] = INFINITY;
    return low || high;
}

/* Is the range of row i so wide beside its loads that it may be without end? The range chose the
 * unit where internal forces move no other row; and where there are equalities, which do not take
 * part in the choice, the units of d1 and d2. */
static bool suspect(const gdyn_problem *p, int i) {
    const gdyn_limit_row *row = &p->row[i];
    bool from_zero = row->low == 0 || row->high == 0;
    bool alone = row->norm > 1 - ALONE && motion_load(row) < WIDE * row->half;
    return row->source >= 0 &&
           (gdyn_row_wide(row) || alone || (from_zero && p->row[p->k - 1].source < 0));
}

/* Every suspect row; true: the problem has to be loaded again. */
bool gdyn_drop_far_limits(gdyn_problem *p, const gdyn_coefficients *q) {
    bool found = false;
    for (int i = 0; i < p->k; i++)
        if (suspect(p, i))
            found = unbound_row(p, q, i) || found;
    return found;
}
