/* indices.c - global sensitivities: variance-based indices and elementary effects. */
#include "study/sweep.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLINGS = 500 };

/* --- values ----------------------------------------------------------------------------------- */

/* Values of one result, row by row; rows that are not whole are left out. */
typedef struct rows {
    int width, count, missing;
    double *value;    /* width x count */
    const double **x; /* width x count: the designs */
    double least, greatest;
} rows;

/* Designs behind the start design, in rows of that width. */
static gdyn_status collect(const gdyn_sweep *sweep, int watched, long designs, rows *r) {
    long count = designs / r->width;
    r->value = gdyn_alloc((size_t)designs + 1, sizeof *r->value);
    r->x = gdyn_alloc((size_t)designs + 1, sizeof *r->x);
    r->least = INFINITY, r->greatest = -INFINITY;
    if (!r->value || !r->x)
        return GDYN_ERROR_MEMORY;
    for (long i = 0; i < count; i++) {
        bool whole = true;
        for (int c = 0; c < r->width && whole; c++) {
            const gdyn_design *d = gdyn_archive_find(sweep->archive, 1 + i * r->width + c);
            long place = (long)r->count * r->width + c;
            whole = d && gdyn_watched(sweep->study, watched, d, &r->value[place]);
            r->x[place] = d ? d->x : NULL;
        }
        r->count += whole, r->missing += !whole;
    }
    for (long i = 0; i < (long)r->count * r->width; i++) {
        r->least = fmin(r->least, r->value[i]);
        r->greatest = fmax(r->greatest, r->value[i]);
    }
    return GDYN_OK;
}

/* Rounding does not count as variance: what differences of such results are not known to. */
static double rounding(const rows *r) {
    return 1e-12 * fmax(fabs(r->least), fabs(r->greatest));
}

static bool varies(const rows *r) {
    return r->count > 1 && r->greatest - r->least > rounding(r);
}

static double unless_rounding(const rows *r, double x) {
    return fabs(x) > rounding(r) ? x : 0;
}

/* --- variances -------------------------------------------------------------------------------- */

/* Indices of the column behind A and B, over the rows of `pick` (NULL: all). */
static void estimate(const rows *r, int column, const int *pick, double *first, double *total) {
    double mean = 0, square = 0, product = 0, jump = 0;
    for (int i = 0; i < r->count; i++) {
        const double *f = r->value + (long)(pick ? pick[i] : i) * r->width;
        mean += (f[0] + f[1]) / (2.0 * r->count);
    }
    /* About the mean: the products would cancel otherwise. */
    for (int i = 0; i < r->count; i++) {
        const double *f = r->value + (long)(pick ? pick[i] : i) * r->width;
        double a = f[0] - mean, b = f[1] - mean, c = f[column] - mean;
        square += (a * a + b * b) / (2.0 * r->count);
        product += b * (c - a) / r->count;
        jump += (a - c) * (a - c) / (2.0 * r->count);
    }
    *first = square > 0 ? product / square : NAN;
    *total = square > 0 ? jump / square : NAN;
}

static void interval(double *value, double *low, double *high) {
    qsort(value, RESAMPLINGS, sizeof *value, gdyn_ascending);
    *low = value[(int)(0.025 * RESAMPLINGS)];
    *high = value[RESAMPLINGS - 1 - (int)(0.025 * RESAMPLINGS)];
}

static gdyn_status of_column(const rows *r, int column, int *pick, gdyn_sensitivity_index *x) {
    double first[RESAMPLINGS], total[RESAMPLINGS];
    estimate(r, column, NULL, &x->first, &x->total);
    /* The same rows for every variable and result. */
    for (int k = 0; k < RESAMPLINGS; k++) {
        gdyn_random random = gdyn_random_stream(1, 2, (uint64_t)k);
        for (int i = 0; i < r->count; i++)
            pick[i] = gdyn_random_below(&random, r->count);
        estimate(r, column, pick, &first[k], &total[k]);
        if (isnan(first[k])) /* all rows alike */
            first[k] = x->first, total[k] = x->total;
    }
    interval(first, &x->first_low, &x->first_high);
    interval(total, &x->total_low, &x->total_high);
    x->small = x->total_high <= GDYN_DROP_TOTAL;
    return GDYN_OK;
}

static gdyn_status of_variances(const rows *r, gdyn_indices *s, int watched) {
    int *pick = gdyn_alloc((size_t)r->count + 1, sizeof *pick);
    double mean = 0, square = 0;
    if (!pick)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < r->count; i++)
        mean +=
            (r->value[(long)i * r->width] + r->value[(long)i * r->width + 1]) / (2.0 * r->count);
    for (int i = 0; i < r->count; i++)
        for (int c = 0; c < 2; c++)
            square += pow(r->value[(long)i * r->width + c] - mean, 2) / (2.0 * r->count);
    s->deviation[watched] = r->count > 0 ? sqrt(square) : NAN;
    for (int j = 0, column = 2; j < s->variables; j++) {
        gdyn_sensitivity_index *x = &s->index[watched * s->variables + j];
        if (x->moves && varies(r))
            of_column(r, column, pick, x);
        column += x->moves;
    }
    gdyn_free(pick);
    return GDYN_OK;
}

/* --- elementary effects ----------------------------------------------------------------------- */

/* The effect of the variable along one trajectory; NAN: it did not move. */
static double effect_of(const rows *r, int trajectory, int variable, double range) {
    const double *f = r->value + (long)trajectory * r->width;
    const double **x = r->x + (long)trajectory * r->width;
    for (int c = 0; c + 1 < r->width; c++) {
        double step = x[c + 1][variable] - x[c][variable];
        if (step != 0)
            return (f[c + 1] - f[c]) * range / step;
    }
    return NAN;
}

static void of_variable(const rows *r, int variable, double range, gdyn_sensitivity_index *x) {
    double sum = 0, amounts = 0, squares = 0, spread = 0;
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        double e = effect_of(r, i, variable, range);
        if (!isnan(e))
            sum += e, amounts += fabs(e), count++;
    }
    if (count == 0)
        return;
    x->mean = unless_rounding(r, sum / count);
    x->amount = unless_rounding(r, amounts / count);
    if (count < 2)
        return;
    /* About the means: the squares would cancel otherwise. */
    for (int i = 0; i < r->count; i++) {
        double e = effect_of(r, i, variable, range);
        if (!isnan(e))
            squares += pow(e - x->mean, 2), spread += pow(fabs(e) - x->amount, 2);
    }
    x->deviation = unless_rounding(r, sqrt(squares / (count - 1)));
    x->amount_error = unless_rounding(r, sqrt(spread / (count - 1) / count));
    x->small = x->amount + 1.96 * x->amount_error <= GDYN_DROP_EFFECT * (r->greatest - r->least);
}

/* --- all of them ------------------------------------------------------------------------------ */

static gdyn_status of_result(gdyn_indices *s, const gdyn_sweep *sweep, const gdyn_sweep_plan *plan,
                             int watched) {
    const gdyn_sample_space *space = &plan->space;
    rows r = {.width = s->effects ? 1 : 2};
    gdyn_sensitivity_index *index = s->index + watched * s->variables;
    for (int j = 0; j < s->variables; j++) {
        index[j] = (gdyn_sensitivity_index){
            gdyn_sample_moves(space, j), NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false};
        r.width += index[j].moves;
    }
    gdyn_status status = collect(sweep, watched, plan->count - 1, &r);
    s->rows[watched] = r.count, s->missing[watched] = r.missing;
    s->range[watched] = r.count > 0 ? r.greatest - r.least : NAN;
    s->deviation[watched] = NAN;
    if (status == GDYN_OK && !s->effects)
        status = of_variances(&r, s, watched);
    for (int j = 0; j < s->variables && status == GDYN_OK && s->effects; j++)
        if (index[j].moves)
            of_variable(&r, j, space->upper[j] - space->lower[j], &index[j]);
    /* A result that does not vary, or that no design has, lets every variable go. */
    for (int j = 0; j < s->variables; j++)
        s->drop[j] &=
            index[j].moves && (index[j].small || r.count == 0 || (r.count > 1 && !varies(&r)));
    gdyn_free(r.value), gdyn_free(r.x);
    return status;
}

gdyn_status gdyn_indices_find(gdyn_indices *s, const gdyn_sweep *sweep,
                              const gdyn_sweep_plan *plan) {
    *s = (gdyn_indices){.watched = gdyn_watched_count(sweep->study),
                        .variables = plan->space.variables,
                        .effects = plan->space.method == GDYN_SAMPLE_MORRIS};
    size_t w = (size_t)s->watched, n = (size_t)s->variables;
    gdyn_arena *a = s->arena = gdyn_arena_create();
    s->index = gdyn_arena_alloc(a, w * n, sizeof *s->index);
    s->rows = gdyn_arena_alloc(a, w, sizeof *s->rows);
    s->missing = gdyn_arena_alloc(a, w, sizeof *s->missing);
    s->range = gdyn_arena_doubles(a, w), s->deviation = gdyn_arena_doubles(a, w);
    s->drop = gdyn_arena_alloc(a, n, sizeof *s->drop);
    if (gdyn_arena_failed(a))
        return GDYN_ERROR_MEMORY;
    for (int j = 0; j < s->variables; j++)
        s->drop[j] = true;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < s->watched && status == GDYN_OK; i++)
        status = of_result(s, sweep, plan, i);
    return status;
}

void gdyn_indices_clear(gdyn_indices *s) {
    gdyn_arena_destroy(s->arena);
    *s = (gdyn_indices){0};
}
