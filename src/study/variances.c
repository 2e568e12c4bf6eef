/* variances.c - shares of variance, by linear regression over a sample or from curves of one
 * variable at a time. */
#include "study/sweep.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* --- a sample: linear regression ------------------------------------------------------------ */

typedef struct fit {
    gdyn_arena *arena;
    int n;              /* variables */
    double *y;          /* s->known: values, and the designs that have them */
    const double **x;   /* s->known */
    double *mean;       /* n */
    double *covariance; /* n x n of the variables */
    double *mixed;      /* n: of the variables with the result */
    double *factor;     /* n x n */
    bool *varies;       /* n */
} fit;

/* Designs with a value, their means and sums of products about these; returns that of the result
 * itself. Design 0 is the start, no member of the sample. */
static double find_moments(const gdyn_sweep *sweep, gdyn_spread *s, fit *f) {
    size_t n = (size_t)f->n;
    double sum = 0;
    memset(f->mean, 0, n * sizeof *f->mean);
    memset(f->covariance, 0, n * n * sizeof *f->covariance);
    memset(f->mixed, 0, n * sizeof *f->mixed);
    for (int i = 0; i < sweep->archive->count; i++) {
        const gdyn_design *d = sweep->archive->design[i];
        double *value = &f->y[s->known];
        if (d->serial == 0)
            continue;
        if (!gdyn_watched(sweep->study, s->watched, d, value)) {
            s->missing++;
            continue;
        }
        f->x[s->known++] = d->x;
        s->mean += *value;
        s->least = fmin(s->least, *value), s->greatest = fmax(s->greatest, *value);
        for (size_t j = 0; j < n; j++)
            f->mean[j] += d->x[j];
    }
    s->mean = s->known > 0 ? s->mean / s->known : NAN;
    for (size_t j = 0; j < n; j++)
        f->mean[j] /= s->known > 0 ? s->known : 1;
    for (int i = 0; i < s->known; i++) {
        double y = f->y[i] - s->mean;
        sum += y * y;
        for (size_t j = 0; j < n; j++) {
            double x = f->x[i][j] - f->mean[j];
            f->mixed[j] += x * y;
            for (size_t k = 0; k < n; k++)
                f->covariance[j * n + k] += x * (f->x[i][k] - f->mean[k]);
        }
    }
    return sum;
}

/* Coefficients of the fit in units of the variables' deviations, over f->mixed; false: they are not
 * unique. */
static bool regress(fit *f) {
    size_t n = (size_t)f->n;
    /* Correlations; a variable that does not vary has a row of its own, and the coefficient
     * zero. */
    for (size_t j = 0; j < n; j++)
        f->varies[j] = f->covariance[j * n + j] > 0;
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            f->factor[j * n + k] = j == k ? 1
                                   : f->varies[j] && f->varies[k]
                                       ? f->covariance[j * n + k] / sqrt(f->covariance[j * n + j] *
                                                                         f->covariance[k * n + k])
                                       : 0;
    for (size_t j = 0; j < n; j++)
        f->mixed[j] = f->varies[j] ? f->mixed[j] / sqrt(f->covariance[j * n + j]) : 0;
    if (gdyn_cholesky_factor(f->n, f->factor) != GDYN_OK)
        return false;
    gdyn_cholesky_solve(f->n, f->factor, 1, f->mixed);
    return true;
}

static void of_sample(const gdyn_sweep *sweep, gdyn_spread *s, fit *f, double *share) {
    size_t n = (size_t)f->n;
    double sum = find_moments(sweep, s, f), rest = 0;
    double size = fmax(fabs(s->least), fabs(s->greatest));
    s->deviation = s->known > 1 ? sqrt(sum / (s->known - 1)) : NAN;
    /* Rounding does not count as variance; a fit needs more designs than coefficients. */
    bool varies = s->known > f->n + 1 && s->greatest - s->least > 1e-12 * size;
    if (!varies || !regress(f))
        return;
    for (size_t j = 0; j < n; j++)
        share[j] = f->mixed[j] * f->mixed[j] / sum;
    /* What the fit leaves of the variance. */
    for (int i = 0; i < s->known; i++) {
        double left = f->y[i] - s->mean;
        for (size_t j = 0; j < n; j++)
            if (f->varies[j])
                left -= f->mixed[j] * (f->x[i][j] - f->mean[j]) / sqrt(f->covariance[j * n + j]);
        rest += left * left;
    }
    s->explained = 1 - rest / sum;
}

/* --- one variable at a time ----------------------------------------------------------------- */

/* Mean and variance of a curve, linear between its levels; false when a level has no value. */
static bool curve_moments(const gdyn_sweep *sweep, gdyn_spread *s, int variable, double *mean,
                          double *variance) {
    double before = 0, x_before = 0, first = 0, square = 0, width = 0;
    bool whole = true;
    *mean = 0;
    for (int i = sweep->first[variable]; i < sweep->first[variable + 1]; i++) {
        const gdyn_design *d = gdyn_archive_find(sweep->archive, i);
        double value;
        if (!d || !gdyn_watched(sweep->study, s->watched, d, &value)) {
            whole = false, s->missing++;
            continue;
        }
        s->known++;
        s->least = fmin(s->least, value), s->greatest = fmax(s->greatest, value);
        /* Measured from the first level, against cancellation. */
        double h = d->x[variable] - x_before;
        if (i == sweep->first[variable])
            first = value, h = 0;
        value -= first;
        *mean += h * (before + value) / 2;
        square += h * (before * before + before * value + value * value) / 3;
        width += h, before = value, x_before = d->x[variable];
    }
    *mean /= width > 0 ? width : 1;
    *variance = width > 0 ? fmax(square / width - *mean * *mean, 0) : 0;
    *mean += first;
    return whole;
}

static void of_curves(const gdyn_sweep *sweep, gdyn_spread *s, int variables, double *share) {
    const gdyn_design *origin = gdyn_archive_find(sweep->archive, 0);
    double start, mean, sum = 0;
    bool whole = origin && gdyn_watched(sweep->study, s->watched, origin, &start);
    s->mean = whole ? start : NAN;
    /* The effects add up about the start. */
    for (int j = 0; j < variables; j++) {
        if (sweep->first[j] == sweep->first[j + 1]) {
            share[j] = 0;
            continue;
        }
        whole &= curve_moments(sweep, s, j, &mean, &share[j]);
        sum += share[j];
        s->mean += whole ? mean - start : 0;
    }
    double size = fmax(fabs(s->least), fabs(s->greatest));
    bool varies = whole && s->greatest - s->least > 1e-12 * size;
    s->mean = whole ? s->mean : NAN;
    s->deviation = whole ? sqrt(sum) : NAN;
    s->explained = varies ? 1 : NAN;
    for (int j = 0; j < variables; j++)
        share[j] = varies ? share[j] / sum : NAN;
}

gdyn_status gdyn_variances(const gdyn_sweep *sweep, bool one_at_a_time, gdyn_spread *spread,
                           double *share) {
    int n = gdyn_study_start(sweep->study)->design_count;
    size_t designs = (size_t)sweep->archive->count + 1;
    fit f = {.arena = gdyn_arena_create(), .n = n};
    f.y = gdyn_arena_doubles(f.arena, designs);
    f.x = gdyn_arena_alloc(f.arena, designs, sizeof *f.x);
    f.mean = gdyn_arena_doubles(f.arena, (size_t)n);
    f.covariance = gdyn_arena_doubles(f.arena, (size_t)n * (size_t)n);
    f.mixed = gdyn_arena_doubles(f.arena, (size_t)n);
    f.factor = gdyn_arena_doubles(f.arena, (size_t)n * (size_t)n);
    f.varies = gdyn_arena_alloc(f.arena, (size_t)n, sizeof *f.varies);
    gdyn_status status = gdyn_arena_failed(f.arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
    /* Every result by itself: designs without its value are left out. */
    for (int i = 0; i < gdyn_watched_count(sweep->study) && status == GDYN_OK; i++) {
        spread[i] = (gdyn_spread){i, 0, 0, 0, NAN, INFINITY, -INFINITY, NAN};
        for (int j = 0; j < n; j++)
            share[i * n + j] = NAN;
        if (one_at_a_time)
            of_curves(sweep, &spread[i], n, share + i * n);
        else
            of_sample(sweep, &spread[i], &f, share + i * n);
    }
    gdyn_arena_destroy(f.arena);
    return status;
}
