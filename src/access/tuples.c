/* tuples.c - the region by saturated r-tuples of drives, as in Horacek, Sika and Valasek 2013.
 *
 * For every r-tuple j of drives with a regular V_j and every combination of its limits, Eq. (5)
 *
 *   y_j = V_j^-1 (n_j^lim - A_j d1^2 - B_j d1 - C_j - D_j d2)
 *
 * is put into the other inequalities (4); at fixed d1 each leaves an interval of d2. The polyhedron
 * of y at an accessible point has a vertex, so the union of the intervals is the slice of the
 * region. Its ends are limit curves on which r + 1 drives are saturated. One curve replaces
 * another, and an island ends, only where one more limit is reached: at the places where r + 2
 * limits hold at once (candidates, kept when the point is accessible), or where two limits of one
 * drive meet. Between two neighbouring places one curve bounds the region above and one below; the
 * slice in the middle decides which. */
#include "access/rows.h"
#include "access/projection.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <stdlib.h>
#include <string.h>

/* Rounding in the columns of V, which have unit length. */
static const double COLUMN_ROUNDING = 2e-15;
/* Value at the vertex, relative to its terms, that makes a double root. */
static const double DOUBLE_ROOT = 1e-9;
/* Relative difference of places that are one. */
static const double SAME_PLACE = 1e-13;

/* More limit combinations than this are rejected. */
#define COMBINATIONS 4e7
/* An accessible corner within this counts; false corners only cut a stretch in two. */
#define CORNER 1e-6

typedef struct tuples {
    const gdyn_problem *p;
    int rank; /* of [d V] */
    gdyn_arena *arena;
    double *M, *x, *w;       /* (r + 2) x (r + 3), r + 2, r + 2 */
    double *share;           /* k x r: V V_j^-1 of the present tuple */
    int *subset;             /* r + 2 */
    int *best_up, *best_low; /* r + 1 each: 2 row + (1 at the high side), -1: nothing */
    double *place;           /* candidate t */
    int places, capacity;
    gdyn_stretches upper, lower;
    bool failed;
} tuples;

static double side_limit(const gdyn_limit_row *row, bool high) {
    return high ? row->high : row->low;
}

/* Entry of [d V]. */
static double entry(const gdyn_problem *p, int row, int col) {
    return col == 0 ? p->row[row].d : p->V[row * p->r + col - 1];
}

/* Brings the first n numbers of each row to a size near 1: pivots then measure angles, not units.
 * Returns the smallest size of a row. */
static double equilibrate(double *M, int n, int m) {
    double least = 1;
    for (int i = 0; i < n; i++) {
        double most = 0;
        /* of the matrix alone, not of what stands beside it */
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(M[i * m + j]));
        for (int j = 0; j < m && most > 0; j++)
            M[i * m + j] /= most;
        least = most > 0 ? fmin(least, most) : least;
    }
    return least;
}

/* The first n columns of M (n x m, row-major) are eliminated: the rest becomes M^-1 rest. Columns
 * are of unit length, so that in a row far smaller than others angles are known as well as its
 * rounding lets them. */
static bool eliminate(double *M, int n, int m) {
    double least = equilibrate(M, n, m);
    return gdyn_gauss_jordan(M, n, m, fmax(10 * GDYN_ACCESS_ZERO, COLUMN_ROUNDING / least));
}

/* --- corners: candidates for the ends of arcs ------------------------------------------------- */

/* Only within the range of d1. */
static void add_place(tuples *s, double t) {
    if (!(t >= s->p->t_low && t <= s->p->t_high))
        return;
    if (gdyn_reserve(&s->place, &s->capacity, s->places + 1, sizeof *s->place))
        s->place[s->places++] = t;
    else
        s->failed = true;
}

/* All rows hold at (t, x) with x = (z, y) or, when z is free, x = y. */
static bool accessible(const tuples *s, double t) {
    const gdyn_problem *p = s->p;
    int first = p->r + 1 - s->rank;
    /* every row at the corner, with its own rounding */
    for (int i = 0; i < p->k; i++) {
        const gdyn_limit_row *row = &p->row[i];
        double n = gdyn_quadratic_at(gdyn_row_motion(row), t);
        double size = 1 + gdyn_quadratic_size(gdyn_row_motion(row), t);
        /* with its terms: their sizes bound the rounding */
        for (int j = 0; j < s->rank; j++) {
            double term = entry(p, i, first + j) * s->x[j];
            n += term;
            size += fabs(term);
        }
        if (n < row->low + row->low1 * t - CORNER * size ||
            n > row->high + row->high1 * t + CORNER * size)
            return false;
    }
    return true;
}

/* Rows of the subset as columns of a homogeneous system: w with w^T [d V]_J = 0. Leaves in M the
 * inverse of the first `rank` rows' matrix beside it. Rows are tried in turn as the one left
 * out. */
static bool corner_system(tuples *s) {
    int n = s->rank, m = 2 * n, first = s->p->r + 1 - n;
    /* any rank-many of the rows that are independent will do */
    for (int out = n; out >= 0; out--) {
        int swap = s->subset[out];
        s->subset[out] = s->subset[n], s->subset[n] = swap;
        /* the matrix of the first rows beside the unit matrix */
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                s->M[i * m + j] = entry(s->p, s->subset[i], first + j);
                s->M[i * m + n + j] = i == j;
            }
        if (eliminate(s->M, n, m))
            return true;
        s->subset[n] = s->subset[out], s->subset[out] = swap;
    }
    return false;
}

/* Sum of the subset's gaps weighted by w: zero where all its rows hold with these sides. False when
 * a side is infinite, or only repeats the other one. */
static bool corner_equation(const tuples *s, unsigned sides, gdyn_quadratic *sum) {
    gdyn_quadratic error = {0, 0, 0};
    *sum = error;
    for (int i = 0; i <= s->rank; i++) {
        const gdyn_limit_row *row = &s->p->row[s->subset[i]];
        bool high = sides >> i & 1;
        if (isinf(side_limit(row, high)) ||
            (high && row->high == row->low && row->high1 == row->low1))
            return false;
        *sum = gdyn_quadratic_add(*sum, s->w[i], gdyn_row_gap(row, high));
        error.a += fabs(s->w[i]) * row->a_error;
        error.b += fabs(s->w[i]) * row->b_error;
    }
    /* What is left of a sum that cancels would have a root at great t. */
    *sum = gdyn_quadratic_difference(*sum, (gdyn_quadratic){0, 0, 0}, error);
    return true;
}

/* Places where all rows of the subset hold with these sides. */
static void add_corner(tuples *s, unsigned sides) {
    int n = s->rank, m = 2 * n;
    gdyn_quadratic sum;
    /* w^T gaps(t) = 0, a quadratic in t */
    if (!corner_equation(s, sides, &sum))
        return;
    double root[2];
    int roots = gdyn_quadratic_roots(sum, root);
    if (roots == 0 && sum.a != 0) { /* a double root that rounding lost */
        root[0] = -sum.b / (2 * sum.a);
        roots =
            fabs(gdyn_quadratic_at(sum, root[0])) < DOUBLE_ROOT * gdyn_quadratic_size(sum, root[0]);
    }
    /* x at each root, from the rows' equations */
    for (int r = 0; r < roots; r++) {
        for (int i = 0; i < n; i++) {
            s->x[i] = 0;
            for (int j = 0; j < n; j++) {
                gdyn_quadratic gap = gdyn_row_gap(&s->p->row[s->subset[j]], sides >> j & 1);
                s->x[i] += s->M[i * m + n + j] * gdyn_quadratic_at(gap, root[r]);
            }
        }
        if (accessible(s, root[r]))
            add_place(s, root[r]);
    }
}

/* w: the last row of the subset is a combination of the others. */
static void corner_weights(tuples *s) {
    int n = s->rank, m = 2 * n, first = s->p->r + 1 - n;
    s->w[n] = -1;
    /* w_j = last row times the inverse; rounding beside its terms is zero */
    for (int j = 0; j < n; j++) {
        double sum = 0, size = 0;
        for (int i = 0; i < n; i++) {
            double term = entry(s->p, s->subset[n], first + i) * s->M[i * m + n + j];
            sum += term;
            size += fabs(term);
        }
        s->w[j] = fabs(sum) <= GDYN_ACCESS_ZERO * (1 + size) ? 0 : sum;
    }
}

/* Corners: r + 2 rows at their limits determine (d1, d2, y). */
static void find_corners(tuples *s) {
    int n = s->rank + 1, sorted[GDYN_CIRCUIT_ROWS + 1];
    if (n > s->p->k)
        return;
    /* every r + 2 rows that belong together, at all combinations of their sides */
    gdyn_subset_first(sorted, n);
    do {
        memcpy(s->subset, sorted, sizeof(int) * (size_t)n);
        if (!corner_system(s))
            continue;
        corner_weights(s);
        for (unsigned sides = 0; sides < 1u << n; sides++)
            add_corner(s, sides);
    } while (gdyn_subset_next(sorted, n, s->p->k));
}

/* --- the slice at one t ----------------------------------------------------------------------- */

typedef struct slice {
    bool open;
    double low, high; /* of z */
} slice;

/* Interval of z, the rounding of its ends, and the limits that end it (2 row + side, -1: none). */
typedef struct interval {
    double low, high, low_error, high_error;
    int down, up;
} interval;

/* A row's load without z, n0, and per z, n1, with the sizes of their terms. */
typedef struct line {
    double n0, n1, size, size1;
} line;

/* What one more row leaves of the interval, n = n0 + n1 z; false when it forbids everything. */
static bool cut_interval(const gdyn_limit_row *row, int index, double t, const line *n,
                         interval *z) {
    double low_limit = row->low + row->low1 * t, high_limit = row->high + row->high1 * t;
    /* distance of both limits from the part without z, and their rounding */
    double under = low_limit - n->n0, over = high_limit - n->n0;
    double under_error = GDYN_ACCESS_NOISE * (n->size + (isfinite(under) ? fabs(low_limit) : 0));
    double over_error = GDYN_ACCESS_NOISE * (n->size + (isfinite(over) ? fabs(high_limit) : 0));
    /* z does not act on this row: the slice is kept whole or lost */
    if (fabs(n->n1) <= n->size1)
        return under <= under_error && over >= -over_error;
    /* its limits in z; each end remembers its limit */
    bool rising = n->n1 > 0;
    double low = (rising ? under : over) / n->n1, high = (rising ? over : under) / n->n1;
    if (low > z->low) {
        z->low = low;
        z->low_error = (rising ? under_error : over_error) / fabs(n->n1);
        z->down = 2 * index + !rising;
    }
    if (high < z->high) {
        z->high = high;
        z->high_error = (rising ? over_error : under_error) / fabs(n->n1);
        z->up = 2 * index + rising;
    }
    return true;
}

/* Load of row i where the tuple's rows are at their limits, y = V_j^-1 (limit - load) by Eq.
 * (5). */
static line line_of(const tuples *s, int i, unsigned sides, double t) {
    const gdyn_limit_row *row = &s->p->row[i];
    gdyn_quadratic load = gdyn_row_motion(row);
    line n = {gdyn_quadratic_at(load, t), row->d, 1 + gdyn_quadratic_size(load, t), fabs(row->d)};
    double error = row->d_error;
    /* y of the tuple, put into row i */
    for (int j = 0; j < s->p->r; j++) {
        const gdyn_limit_row *tight = &s->p->row[s->subset[j]];
        double share = s->share[i * s->p->r + j];
        gdyn_quadratic limit = gdyn_row_gap(tight, sides >> j & 1);
        n.n0 += share * gdyn_quadratic_at(limit, t);
        n.n1 -= share * tight->d;
        n.size += fabs(share) *
                  (gdyn_quadratic_size(limit, t) + gdyn_quadratic_size(gdyn_row_motion(tight), t));
        n.size1 += fabs(share * tight->d);
        error += fabs(share) * tight->d_error;
    }
    n.size1 = fmax(GDYN_ACCESS_ZERO * n.size1, error);
    return n;
}

static bool tuple_interval(const tuples *s, unsigned sides, double t, interval *z) {
    const gdyn_problem *p = s->p;
    *z = (interval){.low = -INFINITY, .high = INFINITY, .down = -1, .up = -1};
    /* every row that is not in the tuple cuts the interval */
    for (int i = 0, at = 0; i < p->k; i++) {
        const gdyn_limit_row *row = &p->row[i];
        if (at < p->r && s->subset[at] == i) { /* its own limits must not have crossed */
            at++;
            if (row->low + row->low1 * t > row->high + row->high1 * t + GDYN_ACCESS_NOISE)
                return false;
            continue;
        }
        line n = line_of(s, i, sides, t);
        if (!cut_interval(row, i, t, &n, z))
            return false;
    }
    /* crossed by no more than the errors of both ends */
    return !(z->low > z->high) || z->low - z->high <= z->low_error + z->high_error;
}

/* The tuple's rows and the limiting one: r + 1 rows that give the arc. */
static void remember(const tuples *s, unsigned sides, int limiting, int *best) {
    for (int j = 0; j < s->p->r; j++)
        best[j] = 2 * s->subset[j] + (int)(sides >> j & 1);
    best[s->p->r] = limiting;
}

/* One choice of sides; it may raise or lower the slice. */
static void try_tuple(tuples *s, unsigned sides, double t, slice *out) {
    interval z;
    /* an infinite side cannot be active */
    for (int j = 0; j < s->p->r; j++)
        if (isinf(side_limit(&s->p->row[s->subset[j]], sides >> j & 1)))
            return;
    if (!tuple_interval(s, sides, t, &z))
        return;
    /* the slice grows where the tuple reaches farther */
    if (!out->open || z.high > out->high) {
        out->high = z.high;
        remember(s, sides, z.up, s->best_up);
    }
    if (!out->open || z.low < out->low) {
        out->low = z.low;
        remember(s, sides, z.down, s->best_low);
    }
    out->open = true;
}

/* V V_j^-1 from the inverse in M, without rounding of what should be zero. */
static void share_loads(tuples *s) {
    int r = s->p->r;
    for (int i = 0; i < s->p->k; i++)
        for (int j = 0; j < r; j++) {
            double sum = 0, size = 0;
            /* row i of V times column j of the inverse */
            for (int n = 0; n < r; n++) {
                double inverse = s->M[n * 2 * r + r + j];
                sum += s->p->V[i * r + n] * inverse;
                size = hypot(size, inverse);
            }
            double zero = GDYN_ACCESS_ZERO * s->p->row[i].norm * size;
            s->share[i * r + j] = fabs(sum) > zero ? sum : 0;
        }
}

/* Maximum and minimum z at t over all tuples and limits. */
static slice slice_at(tuples *s, double t) {
    slice out = {false, 0, 0};
    const gdyn_problem *p = s->p;
    int r = p->r, m = 2 * r;
    /* every tuple with a regular V_j, at every combination of its limits */
    gdyn_subset_first(s->subset, r);
    do {
        for (int i = 0; i < r; i++)
            for (int j = 0; j < r; j++) {
                s->M[i * m + j] = p->V[s->subset[i] * r + j];
                s->M[i * m + r + j] = i == j;
            }
        /* dependent rows: another tuple has the same corner */
        if (!eliminate(s->M, r, m))
            continue;
        share_loads(s);
        for (unsigned sides = 0; sides < 1u << r; sides++)
            try_tuple(s, sides, t, &out);
    } while (gdyn_subset_next(s->subset, r, p->k));
    return out;
}

static int ascending_tight(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* Length of a row of [d V]. */
static double row_size(const gdyn_problem *p, int row) {
    return hypot(p->row[row].d, p->row[row].norm);
}

/* w (r + 1) with w^T [d V] = (1, 0) over the tight rows, sought among rows of unit length: no unit
 * makes a row look dependent, and what is rounding among the weights is zero. False when there is
 * none. */
static bool curve_weights(tuples *s, const int *tight) {
    int n = s->p->r + 1, m = n + 1;
    double most = 0;
    /* w^T V = 0 with w^T d = 1, rows by their size */
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double size = row_size(s->p, tight[i] / 2);
            s->M[j * m + i] = size > 0 ? entry(s->p, tight[i] / 2, j) / size : 0;
        }
        s->M[j * m + n] = j == 0;
    }
    if (!eliminate(s->M, n, m))
        return false;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(s->M[i * m + n]));
    /* zero weights leave no rounding behind */
    for (int i = 0; i < n; i++) {
        double w = s->M[i * m + n];
        s->w[i] = fabs(w) > GDYN_ACCESS_ZERO * most ? w / row_size(s->p, tight[i] / 2) : 0;
    }
    return true;
}

/* The curve on which r + 1 rows are tight: z = w^T gaps. */
static gdyn_envelope_stretch curve_of(tuples *s, int *tight, double from, double to) {
    gdyn_envelope_stretch stretch = {.from = from, .to = to};
    gdyn_bound *bound = &stretch.bound;
    int n = s->p->r + 1;
    /* weights that eliminate y from the r + 1 saturated rows */
    double a = 0, b = 0, d = 0;
    stretch.unbounded = tight[n - 1] < 0;
    if (stretch.unbounded)
        return stretch;
    /* in ascending order: sums do not depend on the tuple that was found first */
    qsort(tight, (size_t)n, sizeof *tight, ascending_tight);
    stretch.unbounded = !curve_weights(s, tight);
    /* the curve is their weighted sum, its errors add up */
    for (int i = 0; i < n && !stretch.unbounded; i++) {
        double w = s->w[i];
        const gdyn_limit_row *row = &s->p->row[tight[i] / 2];
        gdyn_quadratic q = gdyn_row_gap(row, tight[i] % 2);
        if (w == 0)
            continue;
        bound->q = gdyn_quadratic_add(bound->q, w, q);
        a += fabs(w) * row->a_error;
        b += fabs(w) * row->b_error;
        d += fabs(w) * row->d_error;
        bound->size += fabs(w) * (1 + fabs(q.c));
        gdyn_limit_add(bound->active, &bound->active_count, GDYN_ACTIVE_MAX,
                       gdyn_limit_of_source(row->source, tight[i] % 2));
    }
    /* coefficients below their errors are zero */
    bound->error = (gdyn_quadratic){a + d * fabs(bound->q.a), b + d * fabs(bound->q.b), 0};
    bound->q.a = fabs(bound->q.a) > bound->error.a ? bound->q.a : 0;
    bound->q.b = fabs(bound->q.b) > bound->error.b ? bound->q.b : 0;
    return stretch;
}

/* --- islands ---------------------------------------------------------------------------------- */

/* Sorts the candidates and drops repetitions. */
static void order_places(tuples *s) {
    int count = 0;
    if (s->places == 0)
        return;
    /* ascending; places that differ by rounding are one */
    qsort(s->place, (size_t)s->places, sizeof *s->place, gdyn_ascending);
    for (int i = 0; i < s->places; i++)
        if (count == 0 ||
            s->place[i] - s->place[count - 1] > SAME_PLACE * fmax(1, fabs(s->place[i])))
            s->place[count++] = s->place[i];
    s->places = count;
}

/* The slice at t as the envelopes of [from, to]; false when t is not accessible. */
static bool bound_stretch(tuples *s, double t, double from, double to) {
    if (!slice_at(s, t).open)
        return false;
    gdyn_stretches_add(&s->upper, curve_of(s, s->best_up, from, to));
    gdyn_stretches_add(&s->lower, curve_of(s, s->best_low, from, to));
    return true;
}

/* Speed bounds at the ends; elsewhere the arcs of both envelopes meet or a limit of d1 alone is
 * left to the other methods to name. */
static void build_island(tuples *s, gdyn_builder *builder, double from, double to) {
    gdyn_closing left = gdyn_problem_end(s->p, from, true);
    gdyn_closing right = gdyn_problem_end(s->p, to, false);
    if (s->upper.count && s->lower.count)
        gdyn_stretches_build(builder, from, to, &left, &right, &s->upper, &s->lower);
    s->failed = s->failed || s->upper.failed || s->lower.failed;
    s->upper.count = s->lower.count = 0;
}

/* Between neighbouring places the arcs do not change: the slice in the middle yields them. */
static void build(tuples *s, gdyn_builder *builder) {
    double start = NAN;
    bool open = false;
    for (int i = 0; i < s->places; i++) {
        double from = s->place[i], to = i + 1 < s->places ? s->place[i + 1] : s->p->t_high;
        /* open stretches grow until one is closed */
        bool next = to > from &&
                    bound_stretch(s, isinf(to) ? from + 2 * fmax(1, fabs(from)) : 0.5 * (from + to),
                                  from, to);
        if (next && !open)
            start = from;
        if (!next && open)
            build_island(s, builder, start, from);
        /* single points at a closed stretch */
        if (!next && !open && bound_stretch(s, from, from, from))
            build_island(s, builder, from, from);
        open = next;
    }
    if (open)
        build_island(s, builder, start, s->p->t_high);
}

/* --- set-up ----------------------------------------------------------------------------------- */

/* Rank of [d V]: V has full rank, so the question is whether d lies in its range. */
static int joint_rank(const gdyn_problem *p) {
    /* d counts when a part of it lies outside of V */
    double total = 0, rest = 0;
    for (int i = 0; i < p->k; i++)
        total += p->row[i].d * p->row[i].d;
    for (int i = 0; i < p->k; i++) {
        /* d without its part along the orthonormal columns */
        double residual = p->row[i].d;
        for (int j = 0; j < p->r; j++) {
            double dot = 0;
            for (int m = 0; m < p->k; m++)
                dot += p->V[m * p->r + j] * p->row[m].d;
            residual -= dot * p->V[i * p->r + j];
        }
        rest += residual * residual;
    }
    return p->r + (sqrt(rest) > GDYN_ACCESS_ZERO * fmax(1, sqrt(total)));
}

/* Refuses what would take too long. */
static gdyn_status prepare(tuples *s, const gdyn_problem *p) {
    size_t n = (size_t)p->r + 2;
    s->p = p;
    s->rank = joint_rank(p);
    double combinations = 1; /* subsets times choices of sides */
    for (int i = 0; i <= s->rank; i++)
        combinations *= 2.0 * (p->k - i) / (i + 1);
    if (p->r >= GDYN_CIRCUIT_ROWS || combinations > COMBINATIONS)
        return GDYN_ERROR_ARGUMENT;
    s->arena = gdyn_arena_create();
    s->M = gdyn_arena_doubles(s->arena, 2 * n * n);
    s->x = gdyn_arena_doubles(s->arena, n), s->w = gdyn_arena_doubles(s->arena, n);
    s->share = gdyn_arena_doubles(s->arena, (size_t)p->k * n);
    s->subset = gdyn_arena_alloc(s->arena, n, sizeof *s->subset);
    s->best_up = gdyn_arena_alloc(s->arena, n, sizeof *s->best_up);
    s->best_low = gdyn_arena_alloc(s->arena, n, sizeof *s->best_low);
    return gdyn_arena_failed(s->arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* Places where arcs may end, then a slice between each pair of neighbours. */
gdyn_status gdyn_region_tuples(gdyn_access *access, gdyn_builder *builder) {
    const gdyn_problem *p = &access->problem;
    tuples s = {0};
    gdyn_status status = prepare(&s, p);
    if (status == GDYN_OK && p->t_low <= p->t_high) {
        /* candidates: ends of the range, corners, places where both limits of a row meet */
        add_place(&s, p->t_low), add_place(&s, p->t_high);
        find_corners(&s);
        /* Places where the two limits of one row meet. */
        for (int i = 0; i < s.p->k; i++) {
            const gdyn_limit_row *row = &s.p->row[i];
            if (row->low1 != row->high1)
                add_place(&s, (row->low - row->high) / (row->high1 - row->low1));
        }
        order_places(&s);
        build(&s, builder);
        status = s.failed ? GDYN_ERROR_MEMORY : GDYN_OK;
    }
    gdyn_arena_destroy(s.arena);
    gdyn_free(s.place);
    gdyn_stretches_free(&s.upper), gdyn_stretches_free(&s.lower);
    return status;
}
