/* problem.c - scaling and the rank decision. See projection.h. */
#include "access/projection.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Share of the unit below which a limit is zero and has no magnitude of its own. */
static const double ZERO_LIMIT = 1e-9;
/* Entries of equalities, as shares of a full limit, that are rounding of their source. */
static const double EQUALITY_ROUNDING = 1e-9;

/* Room for the largest problem; gdyn_arena_failed: memory. */
void gdyn_problem_create(gdyn_problem *p, gdyn_arena *arena, int max_k, int max_r) {
    size_t k = (size_t)max_k, r = (size_t)max_r;
    *p = (gdyn_problem){.max_k = max_k, .max_r = max_r};
    p->row = gdyn_arena_alloc(arena, k, sizeof *p->row);
    p->order = gdyn_arena_alloc(arena, r, sizeof *p->order);
    p->V = gdyn_arena_doubles(arena, k * r);
    p->unit_V = gdyn_arena_doubles(arena, k * r);
    p->column = gdyn_arena_doubles(arena, r);
    p->rest = gdyn_arena_doubles(arena, 4 * k);
    p->limit = gdyn_arena_doubles(arena, 2 * k);
    p->reach = gdyn_arena_doubles(arena, k * (r + GDYN_REACH_EXTRA));
}

/* The power of two next to x > 0, within 2^-most .. 2^most. */
static double power_of_two(double x, int most) {
    if (!(x > 0) || !isfinite(x))
        return 1;
    /* the exponent as it is stored; that of subnormal numbers is below -most anyway */
    enum { BIAS = 1023, MANTISSA_BITS = 52 };
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> MANTISSA_BITS) - BIAS;
    exponent = exponent < -most ? -most : exponent > most ? most : exponent;
    bits = (uint64_t)(exponent + BIAS) << MANTISSA_BITS;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Exponents of units: rows up to 10^120, d1 up to 10^75, d2 up to 10^150, so that d2 / d1^2 and
 * the quotients of rows are finite. */
enum { ROW_UNIT = 400, D1_UNIT = 250, D2_UNIT = 500 };

static double slope(const double *slopes, int i) {
    return slopes ? slopes[i] : 0;
}

static double load_size(const gdyn_coefficients *q, int i) {
    return gdyn_greater(gdyn_greater(fabs(q->A[i]), fabs(q->B[i])),
                        gdyn_greater(fabs(q->C[i]), fabs(q->D[i])));
}

/* The limit that counts: none where it is huge. */
static double counted(double limit) {
    return fabs(limit) < GDYN_ACCESS_NO_LIMIT ? limit : copysign(INFINITY, limit);
}

/* A load at rest below this share of the limits is rounding. */
#define ROUNDED_LOAD 0x1p-47

/* A row's limits: the greater size, and what the row itself says about the side of the other
 * one. */
typedef struct extent {
    bool two; /* two limits with a range between them */
    double half, size, near;
} extent;

/* Both limits of a row as a scale: half range, largest limit, and what lies near zero. */
static extent extent_of(const gdyn_coefficients *q, int i, double low, double high) {
    /* half range, and the limit nearer to zero */
    double down = fabs(low), up = fabs(high);
    extent e = {.half = 0.5 * (high - low), .near = down < up ? down : up};
    e.size = gdyn_greater(isfinite(low) ? down : 0, isfinite(high) ? up : 0);
    /* two finite sides whose distance is not rounding */
    e.two = isfinite(e.half) && e.half > GDYN_COINCIDE * e.size && e.half > 1 / GDYN_ACCESS_HUGE;
    /* a load beyond rounding keeps the near side from being smaller than it */
    if (fabs(q->C[i]) > ROUNDED_LOAD * e.size)
        e.near = gdyn_greater(e.near, fabs(q->C[i]));
    return e;
}

static bool far_side(const extent *e) {
    return e->two && e->size > GDYN_ONE_SIDED * e->near;
}

/* Scale of the near side of a row with a far one: no less than its own near limit and load, which
 * may be next to zero, and what other rows with a far side have there; no more than the narrowest
 * row. */
static double near_scale(const gdyn_coefficients *q, const extent *row) {
    /* the largest near side of far rows, the narrowest of all rows */
    double most = 0, least = INFINITY;
    for (int i = 0; i < q->k; i++) {
        extent e = extent_of(q, i, counted(q->min[i]), counted(q->max[i]));
        double own = e.two ? e.half : e.size;
        if (own > 0)
            least = gdyn_lesser(least, own);
        if (far_side(&e))
            most = gdyn_greater(most, e.near);
    }
    return gdyn_greater(row->near, most > 0 ? gdyn_lesser(most, least) : least);
}

/* Half range; a range that is no wider than rounding does not count, nor does a far side. 0 when
 * the row itself does not say: then the others decide. */
static double own_unit(const gdyn_coefficients *q, int i, double low, double high) {
    extent e = extent_of(q, i, low, high);
    if (!e.two)
        return e.size > 1 / GDYN_ACCESS_HUGE ? e.size : fabs(q->C[i]);
    double near = far_side(&e) ? near_scale(q, &e) : e.half;
    return e.size > GDYN_ONE_SIDED * near ? near : e.half;
}

/* Half range of the row, else that of any other row, else its load. */
double gdyn_problem_unit(const gdyn_coefficients *q, int i) {
    double unit = own_unit(q, i, counted(q->min[i]), counted(q->max[i]));
    for (int j = 0; unit == 0 && j < q->k; j++)
        unit = own_unit(q, j, counted(q->min[j]), counted(q->max[j]));
    if (unit > 0)
        return unit;
    double load = load_size(q, i);
    return load > 0 ? load : 1;
}

double gdyn_problem_half_range(const gdyn_coefficients *q, int i) {
    return 0.5 * (counted(q->max[i]) - counted(q->min[i]));
}

/* A range under this share of the limits themselves and of the load at rest does not choose the
 * unit: their rounding is more than a billionth of it. */
#define NARROW 0x1p-10

/* The same with the limits that count in this problem. */
static double unit_of(const gdyn_problem *p, const gdyn_coefficients *q, int i) {
    double low = p->limit[2 * i], high = p->limit[2 * i + 1], unit = own_unit(q, i, low, high);
    double size = gdyn_greater(fabs(q->C[i]), gdyn_lesser(fabs(low), fabs(high)));
    if (unit < NARROW * size)
        return NARROW * size;
    for (int j = 0; unit == 0 && j < q->k; j++)
        unit = own_unit(q, j, p->limit[2 * j], p->limit[2 * j + 1]);
    return unit > 0 ? unit : load_size(q, i) > 0 ? load_size(q, i) : 1;
}

/* What rounding of a limit is measured against, in the caller's units. */
double gdyn_problem_magnitude(const gdyn_limit_row *row, int side) {
    double limit = fabs(side > 0 ? row->high : row->low);
    if (isinf(limit))
        return 0;
    double size = row->half < 2 ? row->half : 1; /* wide rows: their load */
    return (limit > ZERO_LIMIT ? limit : size) * row->unit;
}

/* Sizes fit, and every number means something. */
static bool valid(const gdyn_problem *p, const gdyn_coefficients *q) {
    /* counts within the workspace, and a range of d1 */
    if (q->k < 0 || q->r < 0 || q->r > p->max_r || q->equalities < 0 ||
        q->k + q->equalities > p->max_k || isnan(q->d1_low) || isnan(q->d1_high) ||
        isinf(q->d1_low) || q->d1_high == -INFINITY)
        return false;
    for (int i = 0; i < q->k; i++) {
        /* loads are finite; a side may be infinite, on its own side only */
        bool loads =
            isfinite(q->A[i]) && isfinite(q->B[i]) && isfinite(q->C[i]) && isfinite(q->D[i]);
        bool limits =
            !isnan(q->min[i]) && !isnan(q->max[i]) && q->min[i] < INFINITY && q->max[i] > -INFINITY;
        if (!loads || !limits || !isfinite(slope(q->min_slope, i)) ||
            !isfinite(slope(q->max_slope, i)))
            return false;
    }
    for (int i = 0; i < q->k * q->r; i++)
        if (!isfinite(q->V[i]))
            return false;
    for (int i = 0; i < q->equalities; i++)
        if (!isfinite(q->eq_a[i]) || !isfinite(q->eq_b[i]) || !isfinite(q->eq_c[i]) ||
            !isfinite(q->eq_d[i]))
            return false;
    return true;
}

/* Rounding in a sum of a few numbers, relative to them. */
#define SUM_ROUNDING 1e-13

static double error_of(const double *error, double number, int i) {
    return (error ? error[i] : 0) + SUM_ROUNDING * fabs(number);
}

/* Row i divided by its unit: limits become numbers near one; the unit is a power of two and adds no
 * rounding. */
static gdyn_limit_row scaled_row(const gdyn_problem *p, const gdyn_coefficients *q, int i) {
    double half = unit_of(p, q, i), unit = power_of_two(half, ROW_UNIT), s = 1 / unit;
    /* loads and their error bounds */
    gdyn_limit_row row = {.a = q->A[i] * s, .b = q->B[i] * s, .c = q->C[i] * s, .d = q->D[i] * s};
    row.a_error = error_of(q->A_error, q->A[i], i) * s;
    row.b_error = error_of(q->B_error, q->B[i], i) * s;
    row.d_error = error_of(q->D_error, q->D[i], i) * s;
    /* limits; infinite ones do not move with d1 */
    row.low = p->limit[2 * i] * s, row.high = p->limit[2 * i + 1] * s;
    row.low1 = isfinite(row.low) ? slope(q->min_slope, i) * s : 0;
    row.high1 = isfinite(row.high) ? slope(q->max_slope, i) * s : 0;
    row.unit = unit, row.half = half * s, row.source = i;
    return row;
}

/* Scaled rows with at least one limit, then the equalities as rows with the limits 0, 0. */
static void load_rows(gdyn_problem *p, const gdyn_coefficients *q) {
    p->k = 0;
    for (int i = 0; i < q->k; i++)
        if (!gdyn_problem_unlimited(p, i))
            p->row[p->k++] = scaled_row(p, q, i);
    for (int i = 0; i < q->equalities; i++) {
        /* Equalities come scaled: one is a full limit. */
        gdyn_limit_row row = {.a = q->eq_a[i], .b = q->eq_b[i], .c = q->eq_c[i], .d = q->eq_d[i]};
        row.a_error = error_of(&q->eq_a_error, row.a, 0);
        row.b_error = error_of(&q->eq_b_error, row.b, 0);
        row.d_error = error_of(&q->eq_d_error, row.d, 0);
        row.unit = row.half = 1, row.source = -1;
        p->row[p->k++] = row;
    }
}

/* Units of d1 and d2 from the largest coefficients of the limit rows (of the equalities when there
 * are no others); the bounds of d1 where nothing depends on it. */
static void choose_units(gdyn_problem *p, const gdyn_coefficients *q) {
    double a = 0, b = 0, d = 0;
    int limits = p->k - q->equalities;
    /* largest coefficients over the limits */
    for (int i = 0; i < (limits > 0 ? limits : p->k); i++) {
        const gdyn_limit_row *row = &p->row[i];
        a = gdyn_greater(a, fabs(row->a));
        b = gdyn_greater(
            b, gdyn_greater(fabs(row->b), gdyn_greater(fabs(row->low1), fabs(row->high1))));
        d = gdyn_greater(d, fabs(row->d));
    }
    /* d1 in units in which d1^2 and d1 weigh about one limit, d2 likewise */
    double rate = gdyn_greater(sqrt(a), b);
    double length = rate > 0 ? 1 / rate : fabs(q->d1_low);
    if (isfinite(q->d1_high) && q->d1_high > 0 && (rate == 0 || length > q->d1_high))
        length = q->d1_high;
    p->d1_unit = power_of_two(length, D1_UNIT);
    p->d2_unit = power_of_two(d > 0 ? 1 / d : 1, D2_UNIT);
}

static void scale_motion(gdyn_limit_row *row, double s1, double s2) {
    row->a *= s1 * s1, row->b *= s1, row->d *= s2;
    row->a_error *= s1 * s1, row->b_error *= s1, row->d_error *= s2, row->low1 *= s1;
    row->high1 *= s1;
}

/* The units of d1 and d2 in all rows; `even`: nothing depends on the sign of d1. */
static void apply_units(gdyn_problem *p, const gdyn_coefficients *q) {
    double s1 = p->d1_unit, s2 = p->d2_unit;
    bool even = q->d1_low >= 0;
    p->slopes = false;
    for (int i = 0; i < p->k; i++) {
        gdyn_limit_row *row = &p->row[i];
        /* numbers in the new units; shares of an equality that are rounding vanish */
        scale_motion(row, s1, s2);
        if (row->source < 0) {
            /* a share of a full limit under 1e-9 in an equality is rounding of the caller */
            double *number[] = {&row->a, &row->b, &row->c, &row->d};
            for (int j = 0; j < 4; j++)
                if (fabs(*number[j]) < EQUALITY_ROUNDING)
                    *number[j] = 0;
        }
        p->slopes = p->slopes || row->low1 != 0 || row->high1 != 0;
        even = even && row->b == 0;
    }
    p->even = even && !p->slopes;
    /* the range of d1 in its unit */
    p->t_low = q->d1_low / s1, p->t_high = q->d1_high / s1;
    p->d1_low_window = q->d1_low_window, p->d1_high_window = q->d1_high_window;
}

/* Numbers whose squares and quotients stay far from overflow. */
static bool moderate(double x) {
    return fabs(x) < GDYN_ACCESS_HUGE;
}

/* A row's share of V under this loses its digits beside the others; one above GIVEN in the caller's
 * units is no rounding. */
#define THIN  1e-8
#define GIVEN 1e-4

/* Divides a row by one more power of two. */
static void divide_row(gdyn_limit_row *row, double unit) {
    double s = 1 / unit, *number[] = {&row->a,    &row->b,       &row->c,       &row->d,
                                      &row->low,  &row->high,    &row->low1,    &row->high1,
                                      &row->half, &row->a_error, &row->b_error, &row->d_error};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        *number[i] *= s;
    row->unit *= unit;
}

/* Largest entry of row i in columns of V whose largest one is 1, in the caller's units. */
static double given_share(const gdyn_coefficients *q, int i) {
    double share = 0;
    /* columns in units of their largest entry */
    for (int j = 0; j < q->r; j++) {
        double most = 0;
        for (int n = 0; n < q->k; n++)
            most = gdyn_greater(most, fabs(q->V[j * q->k + n]));
        if (most > 0)
            share = gdyn_greater(share, fabs(q->V[j * q->k + i]) / most);
    }
    return share;
}

/* Would the row's share of V pass for rounding, because its range is so wide beside those of
 * others? Not where the other numbers would get out of proportion. */
static bool thin(const gdyn_limit_row *row, const gdyn_coefficients *q) {
    double size = gdyn_greater(gdyn_row_load(row), fabs(row->c));
    size = isfinite(row->low) ? gdyn_greater(size, fabs(row->low)) : size;
    size = isfinite(row->high) ? gdyn_greater(size, fabs(row->high)) : size;
    return row->source >= 0 && row->share < THIN && row->share > size / (THIN * GDYN_ACCESS_HUGE) &&
           given_share(q, row->source) > GIVEN;
}

/* Rows with thin shares of V, which carry only motions that others do not feel, in units of these
 * shares; the units of d1 and d2 follow. */
static bool fit_thin(gdyn_problem *p, const gdyn_coefficients *q) {
    bool found = false;
    /* thin rows in units of their share */
    for (int i = 0; i < p->k; i++) {
        if (!thin(&p->row[i], q))
            continue;
        divide_row(&p->row[i], power_of_two(p->row[i].share, ROW_UNIT));
        found = true;
    }
    if (!found)
        return false;
    /* the units of motion were chosen for the old rows */
    for (int i = 0; i < p->k; i++)
        scale_motion(&p->row[i], 1 / p->d1_unit, 1 / p->d2_unit);
    choose_units(p, q);
    apply_units(p, q);
    return true;
}

/* Rows that move less than this, as a share of the largest motion, lose their part in d1 and d2 to
 * rounding; those under NOTHING are rounding themselves. */
#define STILL   1e-8
#define NOTHING 1e-14

static double beyond(double number, double error) {
    return fabs(number) > error ? fabs(number) : 0;
}

/* Largest load of a row but the one at rest and V, 0 where it is rounding. */
static double moving_load(const gdyn_limit_row *row) {
    double slopes = gdyn_greater(fabs(row->low1), fabs(row->high1)),
           a = beyond(row->a, row->a_error);
    return gdyn_greater(gdyn_greater(a, beyond(row->d, row->d_error)),
                        gdyn_greater(beyond(row->b, row->b_error), slopes));
}

static bool has_force(const gdyn_problem *p, const gdyn_coefficients *q, int i, int j) {
    return p->row[i].source >= 0 && q->V[j * q->k + p->row[i].source] != 0;
}

/* Marks the rows that internal forces join with row `first`. */
static void mark_block(const gdyn_problem *p, const gdyn_coefficients *q, int first, double *mark) {
    mark[first] = first + 1;
    /* rows that share a column of V with a marked one, until none is new */
    for (bool grown = true; grown;) {
        grown = false;
        for (int j = 0; j < q->r; j++) {
            bool own = false;
            for (int i = 0; i < p->k; i++)
                own = own || (mark[i] == first + 1 && has_force(p, q, i, j));
            for (int i = 0; own && i < p->k; i++)
                if (mark[i] == 0 && has_force(p, q, i, j)) {
                    mark[i] = first + 1;
                    grown = true;
                }
        }
    }
}

/* Blocks of rows that share internal forces with no other rows, all with limits far beyond their
 * motion, in units of their motion. */
static bool fit_blocks(gdyn_problem *p, const gdyn_coefficients *q) {
    double *mark = p->rest;
    bool found = false, still = false;
    for (int i = 0; i < p->k; i++)
        still |= p->row[i].source >= 0 && moving_load(&p->row[i]) < STILL;
    if (!still)
        return false;
    /* every block is found from its first row */
    memset(mark, 0, (size_t)p->k * sizeof *mark);
    for (int first = 0; first < p->k; first++) {
        if (mark[first] != 0 || p->row[first].source < 0)
            continue;
        mark_block(p, q, first, mark);
        /* the largest part of the block's loads that moves with d1 or d2 */
        double load = 0;
        for (int i = 0; i < p->k; i++)
            load = mark[i] == first + 1 ? gdyn_greater(load, moving_load(&p->row[i])) : load;
        if (!(load > NOTHING && load < STILL))
            continue;
        /* all rows of the block alike */
        for (int i = 0; i < p->k; i++)
            if (mark[i] == first + 1)
                divide_row(&p->row[i], power_of_two(load, ROW_UNIT));
        found = true;
    }
    return found;
}

/* For norms of forces: rows in half ranges whatever their loads are. */
void gdyn_problem_by_range(gdyn_problem *p, const gdyn_coefficients *q) {
    if (!p->wide)
        return;
    for (int i = 0; i < p->k; i++)
        if (p->row[i].source >= 0)
            divide_row(&p->row[i], power_of_two(p->row[i].half, 2 * ROW_UNIT));
    gdyn_problem_basis(p, q);
}

bool gdyn_problem_load(gdyn_problem *p, const gdyn_coefficients *q) {
    if (!valid(p, q))
        return false;
    p->shift = p->shift_error = (gdyn_quadratic){0, 0, 0};
    /* limits first as they are; those that no load comes near are dropped, and all is scaled
     * again */
    /* Limits as they count: beyond GDYN_ACCESS_HUGE there are none. */
    for (int i = 0; i < q->k; i++) {
        p->limit[2 * i] = counted(q->min[i]);
        p->limit[2 * i + 1] = counted(q->max[i]);
    }
    do {
        load_rows(p, q);
        choose_units(p, q);
        apply_units(p, q);
        /* products of three numbers may neither overflow nor vanish */
        for (int i = 0; i < p->k; i++) {
            const gdyn_limit_row *row = &p->row[i];
            if (!moderate(row->a) || !moderate(row->b) || !moderate(row->c) || !moderate(row->d) ||
                (isfinite(row->low) && !moderate(row->low)) ||
                (isfinite(row->high) && !moderate(row->high)) || !moderate(row->low1) ||
                !moderate(row->high1))
                return false;
        }
        gdyn_problem_basis(p, q);
    } while (gdyn_drop_far_limits(p, q));
    /* rows much wider than their loads in units of their loads */
    p->wide = gdyn_any_wide(p);
    if (p->wide) {
        /* wide rows in units of their loads: rank decisions and linear programs see rows of like
         * size */
        for (int i = 0; i < p->k; i++)
            if (gdyn_row_wide(&p->row[i]) && gdyn_row_load(&p->row[i]) > 0)
                divide_row(&p->row[i], power_of_two(gdyn_row_load(&p->row[i]), ROW_UNIT));
        gdyn_problem_basis(p, q);
    }
    /* rows and blocks whose motion would be lost to rounding in units of their own */
    bool fitted = fit_thin(p, q);
    if (fit_blocks(p, q) || fitted) {
        p->wide = true;
        gdyn_problem_basis(p, q);
    }
    return true;
}
