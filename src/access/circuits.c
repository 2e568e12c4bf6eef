/* circuits.c - elementary vectors by minors.
 *
 * For a subset J of r + 1 rows of V with rank r, w_j = (-1)^j det V(J without j) spans the vectors
 * on J with w^T V = 0 (Cramer's rule); its support is a circuit of the rows. Every circuit is found
 * from some J. All r x r minors are built up column by column by Laplace expansion over shared
 * tables:
 *
 *   det(S; columns 0..l-1) = sum_i (-1)^(i+l-1) V[s_i][l-1] det(S without s_i; columns 0..l-2)
 *
 * which costs r + 1 multiplications per subset and no division. Rows have unit length and columns
 * are orthonormal, so that a minor measures an angle, independent of the units. Where the largest
 * minor of a subset is small, w is taken from an elimination with complete pivoting, whose residual
 * w^T V stays at rounding level. Supports are unique up to a factor: equal supports are the same
 * circuit.
 *
 * With r > m / 2 the other side is smaller: with W (m x d, d = m - r) spanning the w with w^T V =
 * 0, a circuit vanishes on d - 1 rows of rank d - 1 of W, w = W y with those rows of W y zero. */
#include "access/projection.h"

#include "linalg/lanes.h"
#include "linalg/linalg.h"

#include <assert.h>
#include <string.h>

/* Minors below this lose digits in their ratios: the vector comes from an elimination instead. */
static const double SMALL_MINORS = 1e-2;

/* Slots of the set of supports: a power of two, more than half of them free. */
enum { SLOTS_LEAST = 64 };

static long long greater(long long a, long long b) {
    return a > b ? a : b;
}

/* n over k, cut at 10^8: more is never feasible. */
static long long binomial(int n, int k) {
    if (k < 0 || k > n)
        return 0;
    long long value = 1;
    /* exact in integers: the product of i successive numbers is divisible by i! */
    for (int i = 1; i <= k; i++) {
        value = value * (n - k + i) / i;
        if (value > 100000000)
            return 100000000;
    }
    return value;
}

/* Number of subsets for m rows and rank r, capped well above GDYN_CIRCUIT_BOUND. */
static int subsets_of(int m, int r) {
    return (int)binomial(m, r + 1);
}

bool gdyn_circuit_feasible(const gdyn_problem *p) {
    int m = 0; /* rows with a part in the range of V; zero rows are circuits by themselves */
    for (int i = 0; i < p->k; i++)
        m += p->row[i].norm > 0;
    return p->r == 0 || (p->r < GDYN_CIRCUIT_ROWS && subsets_of(m, p->r) <= GDYN_CIRCUIT_BOUND);
}

/* --- storage --------------------------------------------------------------------------------- */

typedef struct sizes {
    long long children, minor, circuits;
} sizes;

/* The circuits are found from what they leave out: that is less than what they hold. */
static bool by_complement(int m, int r) {
    return 2 * r > m;
}

/* Table sizes over all problems that fit: m <= max_k rows, rank r <= max_r, subsets within the
 * bound. */
static sizes greatest_sizes(int max_k, int max_r) {
    sizes most = {0, 1, max_k};
    /* every shape (m, r) that is enumerated */
    for (int r = 1; r <= max_r && r < GDYN_CIRCUIT_ROWS; r++)
        for (int m = r; m <= max_k && subsets_of(m, r) <= GDYN_CIRCUIT_BOUND; m++) {
            most.circuits = greater(most.circuits, binomial(m, r + 1) + max_k);
            /* few rows beyond the rank need no table of minors */
            if (by_complement(m, r))
                continue;
            /* Laplace expansion: minors of all orders, each with its children */
            long long children = 0;
            for (int l = 1; l <= r + 1; l++) {
                children += binomial(m, l) * l;
                most.minor = greater(most.minor, binomial(m, l));
            }
            most.children = greater(most.children, children);
        }
    return most;
}

/* One array per coefficient: the envelopes read them column by column. */
static void create_curves(gdyn_curves *curves, gdyn_arena *arena, size_t n) {
    curves->a = gdyn_arena_room(arena, n, sizeof *curves->a);
    curves->b = gdyn_arena_room(arena, n, sizeof *curves->b);
    curves->c = gdyn_arena_room(arena, n, sizeof *curves->c);
    curves->size = gdyn_arena_room(arena, n, sizeof *curves->size);
    curves->source = gdyn_arena_room(arena, n, sizeof *curves->source);
}

void gdyn_projected_create(gdyn_projected *p, gdyn_arena *arena, int max_k, int max_r) {
    sizes most = greatest_sizes(max_k, max_r);
    /* every circuit gives one bound of each family, or two conditions */
    size_t n = (size_t)most.circuits;
    *p = (gdyn_projected){.max_circuits = (int)n};
    p->circuit = gdyn_arena_room(arena, n, sizeof *p->circuit);
    p->condition = gdyn_arena_room(arena, 2 * n + (size_t)max_k, sizeof *p->condition);
    p->equal = gdyn_arena_room(arena, (size_t)max_k, sizeof *p->equal);
    /* tables of the expansion, and the set of supports met */
    p->children = gdyn_arena_room(arena, (size_t)most.children, sizeof *p->children);
    p->members = gdyn_arena_room(arena, (size_t)most.children, 1);
    p->row = gdyn_arena_room(arena, (size_t)max_k, sizeof *p->row);
    p->inverse = gdyn_arena_room(arena, (size_t)max_k, sizeof *p->inverse);
    p->slots = SLOTS_LEAST;
    while (p->slots < 2 * n)
        p->slots *= 2;
    p->seen = gdyn_arena_alloc(arena, p->slots, sizeof *p->seen);
    p->stamp = gdyn_arena_alloc(arena, p->slots, sizeof *p->stamp);
    create_curves(&p->upper, arena, n), create_curves(&p->lower, arena, n);
    for (int i = 0; i < 2; i++)
        p->minor[i] = gdyn_arena_room(arena, (size_t)most.minor, sizeof *p->minor[i]);
}

/* --- subset tables, kept from one pose to the next ------------------------------------------- */

/* Rank of s (ascending, n members, `skip` left out) in colexicographic order. */
static int colex(const int *s, int n, int skip) {
    long long rank = 0;
    int place = 1;
    for (int i = 0; i < n; i++)
        if (i != skip)
            rank += binomial(s[i], place++);
    return (int)rank;
}

/* Next subset in colexicographic order. */
static void advance(int *s, int n) {
    int i = 0;
    while (i + 1 < n && s[i] + 1 == s[i + 1]) {
        s[i] = i;
        i++;
    }
    s[i]++;
}

/* Indices of the Laplace expansion for all subsets of m rows; kept while m and r stay the same. */
static void build_tables(gdyn_projected *p, int m, int r) {
    if (p->table_m == m && p->table_r == r)
        return;
    int *next = p->children;
    unsigned char *member = p->members;
    /* which subset of order l - 1 remains without row i, in colexicographic order */
    for (int l = 1; l <= r + 1; l++) {
        int s[GDYN_CIRCUIT_ROWS], count = (int)binomial(m, l);
        for (int i = 0; i < l; i++)
            s[i] = i;
        p->child[l] = next, p->member[l] = member;
        for (int n = 0; n < count; n++) {
            for (int i = 0; i < l; i++) {
                *next++ = colex(s, l, i);
                *member++ = (unsigned char)s[i];
            }
            advance(s, l);
        }
    }
    p->table_m = m, p->table_r = r;
}

/* --- sums over rows -------------------------------------------------------------------------- */

/* W^T (a, b, c, d) and bounds of it, for weights of both signs.
 *
 *   max of w^T load = sum |w_i| (w_i > 0 ? high_i : -low_i)
 *
 * and likewise for the rest: every row is stored twice, as it is and with its sign turned, so that
 * all sums are sums of |w_i| times stored numbers, without a branch on the sign. */

enum { PAIRS = sizeof(gdyn_sums) / sizeof(gdyn_lanes), PAIRS_EVEN = 5 };

/* Limits near 1 are rounded like 1. */
static double at_least_one(double limit) {
    return fabs(limit) > 1 ? fabs(limit) : 1;
}

static gdyn_sums signed_row(const gdyn_limit_row *row, double sign) {
    bool up = sign > 0;
    double above = up ? row->high : row->low, below = up ? row->low : row->high;
    return (gdyn_sums){.a = sign * row->a,
                       .b = sign * row->b,
                       .c = sign * row->c,
                       .d = sign * row->d,
                       .weight = 1,
                       .high = sign * above,
                       .low = sign * below,
                       .high_size = at_least_one(above) + fabs(row->c),
                       .low_size = at_least_one(below) + fabs(row->c),
                       .a_error = row->a_error,
                       .b_error = row->b_error,
                       .d_error = row->d_error,
                       .high1 = sign * (up ? row->high1 : row->low1),
                       .low1 = sign * (up ? row->low1 : row->high1)};
}

/* The first `pairs` pairs of the sum. */
static inline void add_pairs(int pairs, int count, const int *row, const double *w,
                             const gdyn_signed_row *of, gdyn_lanes *sum) {
    for (int i = 0; i < count; i++) {
        const double *term = &of[row[i]].side[w[i] > 0].a;
        gdyn_lanes weight = l_all(fabs(w[i]));
        for (int j = 0; j < pairs; j++)
            sum[j] += weight * l_pair(term + GDYN_LANES * j);
    }
}

/* Sum over `count` rows of the problem with weights w (not zero); of: all rows of the problem. */
static gdyn_sums sums_over(int count, const int *row, const double *w, const gdyn_signed_row *of,
                           bool even) {
    gdyn_lanes sum[PAIRS] = {{0, 0}};
    gdyn_sums s;
    static_assert(sizeof sum == sizeof s, "the sums are pairs of numbers");
    if (even)
        add_pairs(PAIRS_EVEN, count, row, w, of, sum);
    else
        add_pairs(PAIRS, count, row, w, of, sum);
    memcpy(&s, sum, sizeof s);
    /* What is left of a sum that cancels would bend the curve at great t. */
    if (fabs(s.a) <= s.a_error)
        s.a = 0;
    if (fabs(s.b) <= s.b_error)
        s.b = 0;
    return s;
}

/* --- one inequality pair per elementary vector ----------------------------------------------- */

/* One parabola of a family; unbounded sides give none. */
static inline void add_curve(gdyn_curves *curves, double sign, gdyn_quadratic q, double size,
                             gdyn_source source) {
    /* an infinite limit gives an infinite sum, or none */
    if (!isfinite(q.a + q.b + q.c))
        return;
    int n = curves->count++;
    /* lower bounds are stored negated, so that both families are minimized */
    curves->a[n] = sign * q.a, curves->b[n] = sign * q.b, curves->c[n] = sign * q.c;
    curves->size[n] = size, curves->source[n] = source;
}

static void add_condition(gdyn_projected *p, gdyn_quadratic q, double size, gdyn_source source) {
    if (isfinite(q.c))
        p->condition[p->conditions++] = (gdyn_condition){q, size, source};
}

/* An equality of the load alone: z is given, or t must be a root. */
static bool add_equal(const gdyn_problem *p, gdyn_projected *out, const gdyn_circuit *circuit) {
    const gdyn_limit_row *row = &p->row[circuit->row[0]];
    /* both bounds coincide within the noise of the row */
    bool equality = circuit->count == 1 && isfinite(row->high) && row->low1 == row->high1 &&
                    row->high - row->low <= GDYN_ACCESS_NOISE * (fabs(row->high) + fabs(row->c));
    /* a row that hardly depends on d2 gives a condition on t instead */
    double most =
        gdyn_greater(gdyn_greater(fabs(row->a), fabs(row->b)), gdyn_greater(fabs(row->c), 1));
    if (!equality || fabs(row->d) <= gdyn_greater(GDYN_ACCESS_ZERO * most, row->d_error))
        return false;
    /* solved for z */
    double s = 1 / row->d;
    gdyn_quadratic q = {-row->a * s, (row->high1 - row->b) * s, (row->high - row->c) * s};
    out->equal[out->equal_curves++] =
        (gdyn_condition){q,
                         (fabs(row->high) + fabs(row->c) + 1) * fabs(s),
                         {GDYN_FROM_CIRCUIT_HIGH, (int)(circuit - out->circuit)}};
    return true;
}

/* All sums of a circuit over its rows: w^T (a, b, c, D), with bounds and error bounds. */
static gdyn_sums sum_rows(const gdyn_projected *of, const gdyn_circuit *circuit) {
    return sums_over(circuit->count, circuit->row, circuit->w, of->row, of->problem->even);
}

/* Error of the parabola -(a t^2 + b t) / delta by the errors of a, b and delta. */
gdyn_quadratic gdyn_source_error(const gdyn_projected *of, gdyn_source source) {
    gdyn_sums s = sum_rows(of, &of->circuit[source.index]);
    double f = fabs(1 / s.d);
    return (gdyn_quadratic){f * (s.a_error + fabs(s.a * f) * s.d_error),
                            f * (s.b_error + fabs(s.b * f) * s.d_error), 0};
}

gdyn_quadratic gdyn_curve_error(const gdyn_curves *curves, int j) {
    return curves->of ? gdyn_source_error(curves->of, curves->source[j])
                      : (gdyn_quadratic){0, 0, 0};
}

/* low <= a t^2 + b t + c + d z <= high: two parabolas, or two conditions on t alone. */
static void add_inequalities(const gdyn_problem *p, gdyn_projected *out, int index) {
    const gdyn_circuit *circuit = &out->circuit[index];
    gdyn_source above = {GDYN_FROM_CIRCUIT_HIGH, index}, below = {GDYN_FROM_CIRCUIT_LOW, index};
    if (add_equal(p, out, circuit))
        return;
    gdyn_sums s = sum_rows(out, circuit);
    /* both sides of the inequality as conditions on d2, or on d1 alone where delta is zero */
    gdyn_quadratic high = {-s.a, s.high1 - s.b, s.high - s.c};
    gdyn_quadratic low = {-s.a, s.low1 - s.b, s.low - s.c};
    if (fabs(s.d) <= gdyn_greater(GDYN_ACCESS_ZERO * s.weight, s.d_error)) {
        add_condition(out, high, s.high_size, above);
        add_condition(out, gdyn_quadratic_times(-1, low), s.low_size, below);
        return;
    }
    /* solved for d2: the sign of delta decides which side bounds from above */
    double f = 1 / s.d, high_size = s.high_size * fabs(f), low_size = s.low_size * fabs(f);
    high = gdyn_quadratic_times(f, high), low = gdyn_quadratic_times(f, low);
    add_curve(s.d > 0 ? &out->upper : &out->lower, s.d > 0 ? 1 : -1, high, high_size, above);
    add_curve(s.d > 0 ? &out->lower : &out->upper, s.d > 0 ? -1 : 1, low, low_size, below);
}

/* --- elementary vectors ---------------------------------------------------------------------- */

/* Null vector of the n = r + 1 rows of unit_V by elimination with complete pivoting; false when
 * their rank is below r. */
static bool null_vector(const gdyn_problem *p, const int *rows, const unsigned char *member,
                        double *w) {
    enum { N = GDYN_CIRCUIT_ROWS };
    const double zero = 10 * GDYN_ACCESS_ZERO;
    int r = p->r, n = r + 1, row[N], column[N];
    double M[N * N];
    /* M w = 0: the r columns of V on the subset's rows, transposed */
    for (int j = 0; j < n; j++)
        memcpy(M + r * j, p->unit_V + rows[member[j]] * r, (size_t)r * sizeof *M);
    gdyn_rank rank = gdyn_lu_complete(r, n, M, r, row, column, zero);
    /* rank below r: the circuit lies in another subset */
    if (rank.rank < r || !(rank.above > zero))
        return false;
    gdyn_lu_null_vector(n, M, r, r, r, column, w);
    return true;
}

/* Largest |w|. */
static double largest(const double *w, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = gdyn_greater(most, fabs(w[i]));
    return most;
}

/* True when the support of w, as a set of members, was met before. */
static bool known(gdyn_projected *p, int n, const unsigned char *member, const double *w,
                  double zero) {
    uint64_t mask[2] = {0, 0};
    for (int i = 0; i < n; i++)
        if (fabs(w[i]) > zero)
            mask[member[i] >> 6 & 1] |= (uint64_t)1 << (member[i] & 63);
    /* whether this support was met before: multiplicative hashing, open addressing; stamps empty
     * the table without clearing it */
    uint64_t hash = (mask[0] ^ (mask[1] << 1)) * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(hash >> 32) & (p->slots - 1);
    while (p->stamp[slot] == p->now) {
        if (p->seen[slot][0] == mask[0] && p->seen[slot][1] == mask[1])
            return true;
        slot = (slot + 1) & (p->slots - 1);
    }
    /* a new support: remembered */
    p->stamp[slot] = p->now, p->seen[slot][0] = mask[0], p->seen[slot][1] = mask[1];
    return false;
}

/* Stores the elementary vector w (for rows of unit length), its largest entry `most`, unless it is
 * a known one. */
static void keep(const gdyn_problem *p, gdyn_projected *out, const int *rows,
                 const unsigned char *member, const double *w, double most) {
    gdyn_circuit *circuit = &out->circuit[out->circuits];
    int n = p->r + 1, count = 0;
    double zero = 10 * GDYN_ACCESS_ZERO * most;
    /* the support: entries that are not zero within rounding, the norm of unit rows taken out
     * again */
    for (int i = 0; i < n; i++) {
        int row = rows[member[i]];
        circuit->row[count] = row, circuit->w[count] = w[i] * out->inverse[row];
        count += fabs(w[i]) > zero;
    }
    circuit->count = count;
    /* a smaller support is met by several subsets */
    if (count < n && known(out, n, member, w, zero))
        return;
    add_inequalities(p, out, out->circuits++);
}

/* r x r minors of the rows listed (unit rows), for all subsets of r of them. */
static const double *minors(const gdyn_problem *p, gdyn_projected *out, const int *rows, int m) {
    double *from = out->minor[0], *to = out->minor[1];
    /* minors of order one are the entries of the first column */
    for (int i = 0; i < m; i++)
        to[i] = p->unit_V[rows[i] * p->r];
    for (int l = 2; l <= p->r; l++) {
        /* order l from order l - 1 */
        double *swap = from;
        from = to, to = swap;
        const int *child = out->child[l];
        const unsigned char *member = out->member[l];
        double column[2 * 64];
        int count = (int)binomial(m, l);
        for (int i = 0; i < m; i++)
            column[i] = p->unit_V[rows[i] * p->r + l - 1];
        /* Laplace expansion of all minors of order l along the last of their columns, signs
         * alternating */
        for (int n = 0; n < count; n++, child += l, member += l) {
            double sum = column[member[0]] * from[child[0]];
            for (int i = 1; i < l; i++)
                sum = column[member[i]] * from[child[i]] - sum;
            to[n] = sum;
        }
    }
    return to;
}

/* w = W y on the rows beside the d - 1 of s, where it vanishes; false when their rank is lower: the
 * circuit lies in another subset. */
static bool vanishing_vector(const double *W, int m, int d, const int *s, unsigned char *member,
                             double *w) {
    enum { N = GDYN_CIRCUIT_ROWS };
    const double zero = 10 * GDYN_ACCESS_ZERO;
    double M[N * N], y[N];
    int row[N], column[N], n = 0;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d - 1; i++)
            M[i + (d - 1) * j] = W[s[i] + m * j];
    /* y: null vector of the d - 1 rows that shall vanish */
    gdyn_rank rank = gdyn_lu_complete(d - 1, d, M, d - 1, row, column, zero);
    if (rank.rank < d - 1 || (d > 1 && !(rank.above > zero)))
        return false;
    /* with d = 1 the only column is the vector */
    y[0] = 1;
    if (d > 1)
        gdyn_lu_null_vector(d, M, d - 1, d - 1, d - 1, column, y);
    /* w = W y on all other rows */
    for (int i = 0, skip = 0; i < m; i++) {
        if (skip < d - 1 && s[skip] == i) {
            skip++;
            continue;
        }
        member[n] = (unsigned char)i;
        w[n] = 0;
        for (int j = 0; j < d; j++)
            w[n] += W[i + m * j] * y[j];
        n++;
    }
    return true;
}

/* All circuits by the subsets of d - 1 rows that they leave out. */
static void add_by_complement(const gdyn_problem *p, gdyn_projected *out, const int *rows, int m) {
    enum { N = GDYN_CIRCUIT_ROWS };
    double A[N * 2 * N], W[2 * N * 2 * N], w[N];
    int row[N], column[2 * N], s[N], r = p->r, d = m - r;
    unsigned char member[N];
    /* W: an orthonormal basis of all w with w^T V = 0 */
    for (int j = 0; j < m; j++)
        memcpy(A + r * j, p->unit_V + rows[j] * r, (size_t)r * sizeof *A);
    if (gdyn_lu_null(r, m, A, r, row, column, W) != d || !gdyn_orthonormalize(m, d, W))
        return;
    /* subsets in colexicographic order */
    for (int i = 0; i < d - 1; i++)
        s[i] = i;
    for (int left = (int)binomial(m, d - 1); left > 0; left--) {
        if (vanishing_vector(W, m, d, s, member, w))
            keep(p, out, rows, member, w, largest(w, p->r + 1));
        if (left > 1)
            advance(s, d - 1);
    }
}

static void add_subsets(const gdyn_problem *p, gdyn_projected *out) {
    /* rows of V that are not zero; the others are circuits by themselves */
    int rows[2 * 64], m = 0, r = p->r, n = r + 1;
    for (int i = 0; i < p->k; i++)
        if (p->row[i].norm > 0)
            rows[m++] = i;
    /* r rows that are independent have no circuit */
    if (m <= r)
        return;
    if (by_complement(m, r)) {
        add_by_complement(p, out, rows, m);
        return;
    }
    /* all r x r minors, then one vector from each subset of r + 1 rows */
    build_tables(out, m, r);
    const double *minor = minors(p, out, rows, m);
    const int *child = out->child[n];
    const unsigned char *member = out->member[n];
    int count = (int)binomial(m, n);
    for (int s = 0; s < count; s++, child += n, member += n) {
        double w[GDYN_CIRCUIT_ROWS], most = 0, sign = 1;
        /* Cramer's rule: w_j = (-1)^j det V(J without j) */
        for (int i = 0; i < n; i++, sign = -sign) {
            w[i] = sign * minor[child[i]];
            most = gdyn_greater(most, fabs(w[i]));
        }
        if (most < SMALL_MINORS) {
            if (!null_vector(p, rows, member, w))
                continue;
            most = largest(w, n);
        }
        keep(p, out, rows, member, w, most);
    }
}

/* All circuits of the loaded problem, each as bounds or conditions. */
void gdyn_project(const gdyn_problem *p, gdyn_projected *out) {
    assert(gdyn_circuit_feasible(p));
    out->problem = p;
    out->upper.of = out->lower.of = out;
    out->circuits = out->conditions = out->equal_curves = 0;
    out->upper.count = out->lower.count = 0;
    /* a new stamp empties the set of supports; after an overflow all are cleared */
    if (++out->now == 0) {
        memset(out->stamp, 0, out->slots * sizeof *out->stamp);
        out->now = 1;
    }
    /* Rows as the sums over circuits take them. */
    for (int i = 0; i < p->k; i++) {
        out->row[i] = (gdyn_signed_row){{signed_row(&p->row[i], -1), signed_row(&p->row[i], 1)}};
        out->inverse[i] = p->row[i].norm > 0 ? 1 / p->row[i].norm : 0;
    }
    /* limits that may cross, rows without y, then combinations of rows */
    /* low <= high for every row: limits with slopes can cross. */
    for (int i = 0; i < p->k; i++) {
        const gdyn_limit_row *row = &p->row[i];
        gdyn_quadratic q = {0, row->high1 - row->low1, row->high - row->low};
        if (q.b != 0 || q.c < 0)
            add_condition(out, q, fabs(row->high) + fabs(row->low),
                          (gdyn_source){GDYN_FROM_ROW, i});
    }
    /* Rows without y are circuits by themselves. */
    for (int i = 0; i < p->k; i++)
        if (p->row[i].norm == 0) {
            out->circuit[out->circuits] = (gdyn_circuit){1, {i}, {1}};
            add_inequalities(p, out, out->circuits++);
        }
    if (p->r > 0)
        add_subsets(p, out);
}
