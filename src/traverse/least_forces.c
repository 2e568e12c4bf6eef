/* least_forces.c - the drive forces of least norm that keep their limits at one point of a motion.
 *
 * Forces count in half ranges, and further lines of a drive's torque-speed curve not at all, as for
 * GDYN_SHARE_NORM of traverse/motion.h, but at the cost of microseconds: in closed form with one
 * redundant drive; with more by the dual method of gdyn_access_forces, whose unit of a row is the
 * half range rounded to a power of two (exact where no limit is reached or drives are alike). */
#include "traverse/internal.h"

#include "linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-6; /* what a point on the boundary may miss, in half ranges */
static const double TINY = 1e-9;     /* a share in the internal load that does not count */
static const double SPREAD = 0x1p20; /* of units */
enum { REFINED = 3 };

struct gdyn_least_forces {
    gdyn_arena *arena;
    gdyn_access *access;
    double *n;        /* rows */
    double *part[4];  /* rows each: A, B, C, D without their part in the span of V */
    double *gram;     /* redundancy squared */
    double *y, *step; /* redundancy */
    double *unit;     /* rows */
};

/* Room for the largest pose; NULL: memory. */
gdyn_least_forces *gdyn_least_forces_create(int rows, int redundancy) {
    gdyn_arena *arena;
    gdyn_least_forces *s = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return NULL;
    size_t k = (size_t)rows, d = (size_t)redundancy;
    s->arena = arena;
    /* up to one redundant drive has a closed form */
    s->access = redundancy > 1 ? gdyn_access_create(rows, redundancy, 4) : NULL;
    s->n = gdyn_arena_doubles(arena, k);
    s->gram = gdyn_arena_doubles(arena, d * d);
    s->y = gdyn_arena_doubles(arena, d);
    s->step = gdyn_arena_doubles(arena, d);
    s->unit = gdyn_arena_doubles(arena, k);
    for (int c = 0; c < 4; c++)
        s->part[c] = gdyn_arena_doubles(arena, k);
    if ((s->access || redundancy <= 1) && !gdyn_arena_failed(arena))
        return s;
    gdyn_least_forces_destroy(s);
    return NULL;
}

/* Safe on a partly made object. */
void gdyn_least_forces_destroy(gdyn_least_forces *s) {
    if (!s)
        return;
    gdyn_access_destroy(s->access);
    gdyn_arena_destroy(s->arena);
}

/* With at most one redundant drive the smallest sum of squares has a closed form: y is that of the
 * free minimum, brought into the interval that the limits leave. False when they leave none. */
static bool simple_forces(gdyn_least_forces *s, const gdyn_pose *pose, double d1, double d2) {
    const gdyn_coefficients *q = &pose->coefficients;
    double low = -INFINITY, high = INFINITY, product = 0, square = 0, most = 0;
    gdyn_force_units(q, s->unit);
    /* rows in which V is rounding do not count */
    for (int i = 0; i < q->k && q->r > 0; i++)
        most = gdyn_greater(most, fabs(q->V[i]) / gdyn_greater(s->unit[i], DBL_MIN));
    for (int i = 0; i < q->k; i++) {
        /* the force without internal load */
        double f = gdyn_load_at(q, i, d1, d2), unit = s->unit[i];
        s->n[i] = f;
        if (q->r == 0 || unit == 0 || fabs(q->V[i]) <= TINY * most * unit)
            continue;
        /* limits of the row narrow y; drives add to the least squares */
        /* The y of row i at its limits joins the interval that all limits leave. */
        double v = q->V[i];
        double a = (gdyn_limit_at(q, i, false, d1) - f) / v;
        double b = (gdyn_limit_at(q, i, true, d1) - f) / v;
        low = gdyn_greater(low, gdyn_lesser(a, b));
        high = gdyn_lesser(high, gdyn_greater(a, b));
        if (i < pose->efforts) { /* further rows are lines of the same drive's curve */
            product += q->V[i] / unit * (f / unit);
            square += q->V[i] / unit * (q->V[i] / unit);
        }
    }
    /* no row feels y */
    if (square == 0)
        return true;
    /* the free minimum, brought into the interval */
    double y =
        low <= high ? gdyn_lesser(gdyn_greater(-product / square, low), high) : 0.5 * (low + high);
    for (int i = 0; i < q->k; i++)
        s->n[i] += q->V[i] * y;
    return low <= high + ROUNDING / sqrt(square);
}

/* --- least norm ------------------------------------------------------------------------------- */

/* Of both units that count. */
static double narrower(double unit, double least) {
    return unit > 0 && unit < least ? unit : least;
}

/* Half ranges, up to that bound. */
void gdyn_force_units(const gdyn_coefficients *q, double *unit) {
    double least = INFINITY;
    for (int i = 0; i < q->k; i++) {
        unit[i] = gdyn_unit_at(q, i);
        least = narrower(unit[i], least);
    }
    for (int i = 0; i < q->k; i++)
        unit[i] = unit[i] < SPREAD * least ? unit[i] : SPREAD * least;
}

double gdyn_force_unit(const gdyn_coefficients *q, int row) {
    /* the narrowest unit bounds all others: rows of no consequence may not decide */
    double least = INFINITY;
    for (int i = 0; i < q->k; i++)
        least = narrower(gdyn_unit_at(q, i), least);
    return gdyn_lesser(gdyn_unit_at(q, row), SPREAD * least);
}

/* V_i / unit_i of a row that counts, else 0. */
static double weighted(const gdyn_force_norm *s, int row, int column) {
    return s->unit[row] > 0 ? s->V[column * s->k + row] / s->unit[row] : 0;
}

/* Cholesky factor of V^T W V, W the counted rows' 1 / unit^2. */
bool gdyn_force_norm_factor(const gdyn_force_norm *s) {
    int r = s->r;
    for (int i = 0; i < r; i++)
        for (int j = 0; j <= i; j++) {
            double g = 0;
            for (int m = 0; m < s->k; m++)
                g += weighted(s, m, i) * weighted(s, m, j);
            s->gram[i + r * j] = s->gram[j + r * i] = g;
        }
    return gdyn_cholesky_factor(r, s->gram) == GDYN_OK;
}

/* Refined by steps of the same factor: the normal equations square the condition. */
void gdyn_force_norm_least(const gdyn_force_norm *s, const double *c, double *part) {
    memcpy(part, c, (size_t)s->k * sizeof *part);
    memset(s->y, 0, (size_t)s->r * sizeof *s->y);
    /* refinement: the residual shows what the normal equations lost */
    for (int pass = 0; pass < REFINED; pass++) {
        /* step = -(V^T W V)^-1 V^T W part. */
        for (int i = 0; i < s->r; i++) {
            double sum = 0;
            for (int m = 0; m < s->k; m++)
                sum -= s->unit[m] > 0 ? weighted(s, m, i) * (part[m] / s->unit[m]) : 0;
            s->step[i] = sum;
        }
        gdyn_cholesky_solve(s->r, s->gram, 1, s->step);
        for (int i = 0; i < s->r; i++)
            s->y[i] += s->step[i];
        for (int m = 0; m < s->k; m++) {
            part[m] = c[m];
            for (int i = 0; i < s->r; i++)
                part[m] += s->V[i * s->k + m] * s->y[i];
        }
    }
}

/* With more redundant drives: coefficients whose forces without y are those of least norm, then the
 * smallest y that keeps the limits. So the forces do not depend on the particular solution. */
static bool general_forces(gdyn_least_forces *s, const gdyn_pose *pose, double d1, double d2) {
    gdyn_coefficients q = pose->coefficients;
    gdyn_force_units(&q, s->unit);
    for (int i = pose->efforts; i < q.k; i++)
        s->unit[i] = 0; /* lines of a drive's curve */
    gdyn_force_norm norm = {q.k, q.r, q.V, s->unit, s->gram, s->y, s->step};
    if (gdyn_force_norm_factor(&norm)) {
        const double *const whole[] = {q.A, q.B, q.C, q.D};
        for (int c = 0; c < 4; c++)
            gdyn_force_norm_least(&norm, whole[c], s->part[c]);
        q.A = s->part[0], q.B = s->part[1], q.C = s->part[2], q.D = s->part[3];
    }
    return gdyn_access_forces(s->access, &q, d1, d2, s->y, s->n);
}

/* NULL: no forces keep all limits. */
const double *gdyn_least_forces_at(gdyn_least_forces *s, const gdyn_pose *pose, double d1,
                                   double d2) {
    bool found = pose->coefficients.r <= 1 ? simple_forces(s, pose, d1, d2)
                                           : general_forces(s, pose, d1, d2);
    return found ? s->n : NULL;
}
