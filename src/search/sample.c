/* sample.c - grids, Latin hypercubes, Sobol's sequence, one variable at a time, rows for indices of
 * sensitivity. */
#include "search/sample.h"

#include "base/memory.h"
#include "search/method.h"

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <string.h>

const char *const gdyn_sample_names[] = {"grid", "lhs", "sobol", "oat", "saltelli", "morris", NULL};
const char *const gdyn_sample_plain_names[] = {"grid", "lhs", "sobol", "oat", NULL};

/* --- the space ---------------------------------------------------------------------------- */

static bool is_integer(const gdyn_sample_space *s, int j) {
    return s->integer && s->integer[j];
}

static double low_of(const gdyn_sample_space *s, int j) {
    return is_integer(s, j) ? ceil(s->lower[j]) : s->lower[j];
}

static double high_of(const gdyn_sample_space *s, int j) {
    return is_integer(s, j) ? floor(s->upper[j]) : s->upper[j];
}

bool gdyn_sample_moves(const gdyn_sample_space *s, int j) {
    return (!s->varies || s->varies[j]) && low_of(s, j) < high_of(s, j);
}

/* Number of variables that vary. */
static int moving_of(const gdyn_sample_space *s) {
    int moving = 0;
    for (int j = 0; j < s->variables; j++)
        moving += gdyn_sample_moves(s, j);
    return moving;
}

static bool valid(const gdyn_sample_space *s) {
    /* A grid needs both bounds; other methods may have one design. */
    if (s->variables < 1 || s->size < (s->method == GDYN_SAMPLE_GRID ? 2 : 1) ||
        s->size > GDYN_SAMPLE_MOST)
        return false;
    /* Bounds must be finite and hold a whole number where one is wanted. */
    for (int j = 0; j < s->variables; j++)
        if (!isfinite(s->lower[j]) || !isfinite(s->upper[j]) || low_of(s, j) > high_of(s, j))
            return false;
    int moving = moving_of(s);
    if (s->method == GDYN_SAMPLE_SALTELLI || s->method == GDYN_SAMPLE_MORRIS)
        return moving >= 1;
    return s->method != GDYN_SAMPLE_SOBOL || (moving >= 1 && moving <= GDYN_SOBOL_MOST);
}

int gdyn_sample_levels(const gdyn_sample_space *s, int j) {
    if (!gdyn_sample_moves(s, j))
        return 1;
    /* No more levels than there are whole numbers. */
    double whole = high_of(s, j) - low_of(s, j) + 1;
    return is_integer(s, j) && whole < s->size ? (int)whole : s->size;
}

long gdyn_sample_count(const gdyn_sample_space *s) {
    if (!valid(s))
        return 0;
    /* A product for grids, a sum for one at a time. */
    long count = s->method == GDYN_SAMPLE_GRID ? 1 : 0;
    for (int j = 0; j < s->variables && count <= GDYN_SAMPLE_MOST; j++) {
        int levels = gdyn_sample_levels(s, j);
        if (s->method == GDYN_SAMPLE_GRID)
            count *= levels;
        else if (s->method == GDYN_SAMPLE_OAT && gdyn_sample_moves(s, j))
            count += levels;
    }
    /* The caller's number for the others. */
    if (s->method == GDYN_SAMPLE_LHS || s->method == GDYN_SAMPLE_SOBOL)
        count = s->size;
    /* Rows: both samples and a column of each variable; a trajectory and its beginning. */
    if (s->method == GDYN_SAMPLE_SALTELLI)
        count = (long)s->size * (moving_of(s) + 2);
    if (s->method == GDYN_SAMPLE_MORRIS)
        count = (long)s->size * (moving_of(s) + 1);
    return count > GDYN_SAMPLE_MOST ? -1 : count;
}

/* Value at one of so many levels: both bounds are levels; whole numbers stand where they are
 * nearest. */
static double at_level(const gdyn_sample_space *s, int j, int level, int levels) {
    double low = low_of(s, j), high = high_of(s, j);
    /* The last level is the upper bound itself, without rounding. */
    double value = levels > 1 ? low + (high - low) * level / (levels - 1) : 0.5 * (low + high);
    if (level == levels - 1 && levels > 1)
        value = high;
    return is_integer(s, j) ? fmin(fmax(floor(value + 0.5), low), high) : value;
}

/* Value at a share 0 <= u < 1 of the range. */
static double at_share(const gdyn_sample_space *s, int j, double u) {
    return gdyn_at_share(low_of(s, j), high_of(s, j), is_integer(s, j), u);
}

static void hold(const gdyn_sample_space *s, long count, double *x) {
    /* Variables that do not vary stay at the start; the others are set afterwards. */
    for (long i = 0; i < count; i++)
        for (int j = 0; j < s->variables; j++)
            x[i * s->variables + j] =
                gdyn_sample_moves(s, j) || !s->start ? low_of(s, j) : s->start[j];
}

/* --- the methods -------------------------------------------------------------------------- */

/* The last variable runs fastest. */
static void grid(const gdyn_sample_space *s, long count, double *x) {
    for (long i = 0; i < count; i++) {
        long rest = i;
        for (int j = s->variables - 1; j >= 0; j--) {
            if (!gdyn_sample_moves(s, j))
                continue;
            int levels = gdyn_sample_levels(s, j);
            x[i * s->variables + j] = at_level(s, j, (int)(rest % levels), levels);
            rest /= levels;
        }
    }
}

static void one_at_a_time(const gdyn_sample_space *s, long count, double *x) {
    /* All others stay at the start (or in the middle). */
    for (long i = 0; i < count; i++)
        for (int j = 0; j < s->variables; j++)
            x[i * s->variables + j] = s->start ? s->start[j] : 0.5 * (low_of(s, j) + high_of(s, j));
    long i = 0;
    for (int j = 0; j < s->variables; j++) {
        int levels = gdyn_sample_moves(s, j) ? gdyn_sample_levels(s, j) : 0;
        for (int level = 0; level < levels; level++, i++)
            x[i * s->variables + j] = at_level(s, j, level, levels);
    }
}

static gdyn_status latin_hypercube(const gdyn_sample_space *s, long count, double *x) {
    int *place = gdyn_alloc((size_t)count, sizeof *place);
    if (!place)
        return GDYN_ERROR_MEMORY;
    /* A permutation of the cells for each variable, one point in each cell. */
    for (int j = 0; j < s->variables; j++) {
        gdyn_random random = gdyn_random_stream(s->seed, 1, (uint64_t)j);
        for (int i = 0; i < count; i++)
            place[i] = i;
        gdyn_shuffle(place, (int)count, &random);
        for (int i = 0; i < count && gdyn_sample_moves(s, j); i++) {
            double u = (place[i] + gdyn_random_uniform(&random)) / (double)count;
            x[(long)i * s->variables + j] = at_share(s, j, u);
        }
    }
    gdyn_free(place);
    return GDYN_OK;
}

/* One row: A, B, and A with each variable in turn from B. u: the variables that vary of A, then of
 * B. */
static void write_row(const gdyn_sample_space *s, const double *u, int moving, double *x) {
    for (int c = 0; c < moving + 2; c++)
        for (int j = 0, k = 0; j < s->variables; j++)
            if (gdyn_sample_moves(s, j)) {
                bool from_b = c == 1 || c == k + 2;
                x[(long)c * s->variables + j] = at_share(s, j, u[k + (from_b ? moving : 0)]);
                k++;
            }
}

/* Points of Sobol's sequence, of which only variables that move take a dimension: a design each, or
 * a row in twice as many dimensions; rows are random beyond those that the sequence has. */
static gdyn_status sequence(const gdyn_sample_space *s, bool rows, double *x) {
    int moving = moving_of(s), dimensions = rows ? 2 * moving : moving;
    bool random = dimensions > GDYN_SOBOL_MOST;
    double *u = gdyn_alloc((size_t)dimensions, sizeof *u);
    gsl_qrng *points = random ? NULL : gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)dimensions);
    bool ok = u && (random || points);
    for (int i = 0; ok && i < s->size; i++) {
        gdyn_random own = gdyn_random_stream(s->seed, 3, (uint64_t)i);
        if (points)
            gsl_qrng_get(points, u);
        for (int k = 0; k < dimensions && random; k++)
            u[k] = gdyn_random_uniform(&own);
        if (rows)
            write_row(s, u, moving, x + (long)i * (moving + 2) * s->variables);
        for (int j = 0, k = 0; j < s->variables && !rows; j++)
            if (gdyn_sample_moves(s, j))
                x[(long)i * s->variables + j] = at_share(s, j, u[k++]);
    }
    if (points)
        gsl_qrng_free(points);
    gdyn_free(u);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* One trajectory: a random beginning, then every variable in random order goes two levels up or
 * down. */
static void write_trajectory(const gdyn_sample_space *s, gdyn_random *random, int *order,
                             double *x) {
    int moving = 0;
    for (int j = 0; j < s->variables; j++)
        if (gdyn_sample_moves(s, j))
            order[moving++] = j;
    gdyn_shuffle(order, moving, random);
    for (int k = 0; k < moving; k++) {
        /* Of four levels 0 and 1 go up, 2 and 3 down. */
        int level = gdyn_random_below(random, 4), other = level < 2 ? level + 2 : level - 2;
        for (int c = 0; c <= moving; c++)
            x[(long)c * s->variables + order[k]] = at_level(s, order[k], c <= k ? level : other, 4);
    }
}

static gdyn_status morris(const gdyn_sample_space *s, double *x) {
    int *order = gdyn_alloc((size_t)s->variables, sizeof *order);
    if (!order)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < s->size; i++) {
        gdyn_random random = gdyn_random_stream(s->seed, 4, (uint64_t)i);
        write_trajectory(s, &random, order, x + (long)i * (moving_of(s) + 1) * s->variables);
    }
    gdyn_free(order);
    return GDYN_OK;
}

gdyn_status gdyn_sample_make(const gdyn_sample_space *s, double *x) {
    long count = gdyn_sample_count(s);
    if (count <= 0)
        return GDYN_ERROR_ARGUMENT;
    hold(s, count, x);
    switch (s->method) {
    case GDYN_SAMPLE_GRID:
        grid(s, count, x);
        return GDYN_OK;
    case GDYN_SAMPLE_LHS:
        return latin_hypercube(s, count, x);
    case GDYN_SAMPLE_SOBOL:
        return sequence(s, false, x);
    case GDYN_SAMPLE_SALTELLI:
        return sequence(s, true, x);
    case GDYN_SAMPLE_MORRIS:
        return morris(s, x);
    default:
        one_at_a_time(s, count, x);
        return GDYN_OK;
    }
}
