/* test_traverse_share.c - distributions against enumerations, continuity against known jumps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "casefile/casefile.h"
#include "near.h"
#include "traverse/share.h"

#include <math.h>
#include <string.h>

enum { K = 5, R = 2, ROUNDS = 60 };

/* --- random problems n = f + V y, low <= n <= high, at one place of a table ---------------------- */

typedef struct problem {
    double A[K], B[K], C[K], D[K], V[K * R], min[K], max[K], half[K];
} problem;

static void make_problem(problem *w, gdyn_random *random) {
    double y[R] = {gdyn_random_between(random, -1, 1), gdyn_random_between(random, -1, 1)};
    for (int i = 0; i < K; i++) {
        double scale = pow(10, gdyn_random_between(random, -2, 2)), inside = 0;
        w->half[i] = scale;
        w->A[i] = w->B[i] = w->D[i] = 0;
        w->C[i] = scale * gdyn_random_between(random, -1, 1);
        for (int j = 0; j < R; j++) {
            w->V[j * K + i] = scale * gdyn_random_between(random, -1, 1);
            inside += w->V[j * K + i] * y[j];
        }
        double middle = w->C[i] + inside + 0.9 * scale * gdyn_random_between(random, -1, 1);
        w->min[i] = middle - scale;
        w->max[i] = middle + scale;
    }
}

static gdyn_path_dynamics *dynamics_of(problem *w) {
    static const double p[2] = {0, 1};
    gdyn_coefficients q = {.k = K,
                           .r = R,
                           .A = w->A,
                           .B = w->B,
                           .C = w->C,
                           .D = w->D,
                           .V = w->V,
                           .min = w->min,
                           .max = w->max,
                           .d1_high = INFINITY,
                           .d1_high_window = -1};
    gdyn_coefficients both[2] = {q, q};
    return gdyn_path_dynamics_table(2, p, both);
}

static double force(const problem *w, const double *y, int i) {
    return w->C[i] + w->V[i] * y[0] + w->V[K + i] * y[1];
}

/* Solves the n x n system with its right side in column n; false when singular. */
static bool solve(int n, double M[3][4]) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c + 1; i < n; i++)
            best = fabs(M[i][c]) > fabs(M[best][c]) ? i : best;
        if (fabs(M[best][c]) < 1e-12)
            return false;
        for (int j = 0; j <= n; j++) {
            double swap = M[c][j];
            M[c][j] = M[best][j];
            M[best][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            double f = i == c ? 0 : M[i][c] / M[c][c];
            for (int j = c; j <= n; j++)
                M[i][j] -= f * M[c][j];
        }
    }
    for (int i = 0; i < n; i++)
        M[i][n] /= M[i][i];
    return true;
}

static bool keeps(const problem *w, const double *y, const double *min, const double *max) {
    for (int i = 0; i < K; i++) {
        double n = force(w, y, i), slack = 1e-9 * w->half[i];
        if (n < min[i] - slack || n > max[i] + slack)
            return false;
    }
    return true;
}

static double norm_of(const problem *w, const double *y) {
    double sum = 0;
    for (int i = 0; i < K; i++) {
        double n = force(w, y, i) / w->half[i];
        sum += n * n;
    }
    return sum;
}

/* Least norm by trying every set of up to two limits in force. */
static double enumerate_norm(const problem *w, const double *min, const double *max) {
    double best = INFINITY;
    for (int code = 0; code < (2 * K + 1) * (2 * K + 1); code++) {
        int active[2] = {code % (2 * K + 1), code / (2 * K + 1)}, count = 0;
        double M[3][4] = {{0}}, rows[2][3], y[2] = {0, 0};
        for (int a = 0; a < 2; a++) {
            if (active[a] < 2 * K) {
                int i = active[a] / 2;
                rows[count][0] = w->V[i] / w->half[i];
                rows[count][1] = w->V[K + i] / w->half[i];
                rows[count++][2] = ((active[a] % 2 ? max : min)[i] - w->C[i]) / w->half[i];
            }
        }
        if (count == 2) {
            for (int a = 0; a < 2; a++)
                M[a][0] = rows[a][0], M[a][1] = rows[a][1], M[a][2] = rows[a][2];
            if (!solve(2, M))
                continue;
            y[0] = M[0][2], y[1] = M[1][2];
        } else { /* stationary, with one multiplier at most */
            for (int i = 0; i < K; i++) {
                double v[2] = {w->V[i] / w->half[i], w->V[K + i] / w->half[i]};
                for (int a = 0; a < 2; a++) {
                    M[a][0] += v[a] * v[0], M[a][1] += v[a] * v[1];
                    M[a][2 + count] -= v[a] * w->C[i] / w->half[i];
                }
            }
            if (count == 1) {
                M[0][2] = M[2][0] = rows[0][0], M[1][2] = M[2][1] = rows[0][1];
                M[2][3] = rows[0][2];
            }
            if (!solve(2 + count, M))
                continue;
            y[0] = M[0][2 + count], y[1] = M[1][2 + count];
        }
        best = keeps(w, y, min, max) ? fmin(best, norm_of(w, y)) : best;
    }
    return best;
}

/* Least (or greatest) t over y and t: limits as min - low t <= n <= max + high t, by trying every three of
 * them; with `row` >= 0 t is the force of that row, and two of them are enough. */
static double enumerate_vertices(const problem *w, double low, double high, bool greatest) {
    double best = greatest ? -INFINITY : INFINITY;
    for (int code = 0; code < 2 * K * 2 * K * 2 * K; code++) {
        int active[3] = {code % (2 * K), code / (2 * K) % (2 * K), code / (4 * K * K)};
        double M[3][4];
        for (int a = 0; a < 3; a++) {
            int i = active[a] / 2;
            bool top = active[a] % 2;
            M[a][0] = w->V[i] / w->half[i], M[a][1] = w->V[K + i] / w->half[i];
            M[a][2] = top ? -high : low;
            M[a][3] = ((top ? w->max : w->min)[i] - w->C[i]) / w->half[i];
        }
        if (!solve(3, M))
            continue;
        double y[2] = {M[0][3], M[1][3]}, t = M[2][3], min[K], max[K];
        for (int i = 0; i < K; i++) {
            min[i] = w->min[i] - low * t * w->half[i];
            max[i] = w->max[i] + high * t * w->half[i];
        }
        if (keeps(w, y, min, max))
            best = greatest ? fmax(best, t) : fmin(best, t);
    }
    return best;
}

static void check_ranges(const problem *w, const gdyn_shares *got) {
    double low[K], high[K];
    for (int i = 0; i < K; i++)
        low[i] = INFINITY, high[i] = -INFINITY;
    for (int code = 0; code < 4 * K * K; code++) {
        double M[3][4];
        for (int a = 0; a < 2; a++) {
            int limit = a ? code / (2 * K) : code % (2 * K), i = limit / 2;
            M[a][0] = w->V[i] / w->half[i], M[a][1] = w->V[K + i] / w->half[i];
            M[a][2] = ((limit % 2 ? w->max : w->min)[i] - w->C[i]) / w->half[i];
        }
        if (solve(2, M)) {
            double y[2] = {M[0][2], M[1][2]};
            for (int i = 0; keeps(w, y, w->min, w->max) && i < K; i++) {
                low[i] = fmin(low[i], force(w, y, i));
                high[i] = fmax(high[i], force(w, y, i));
            }
        }
    }
    for (int i = 0; i < K;
         i++) { /* limits give way by 1e-9, vertices by more where edges are steep */
        assert_near(got->low[i] / w->half[i], low[i] / w->half[i], 1e-6);
        assert_near(got->high[i] / w->half[i], high[i] / w->half[i], 1e-6);
    }
}

static double norm_found(const problem *w, const gdyn_shares *got) {
    double sum = 0;
    for (int i = 0; i < K; i++) {
        sum += got->n[i] / w->half[i] * (got->n[i] / w->half[i]);
        assert_true(got->n[i] >= w->min[i] - 1e-8 * w->half[i]);
        assert_true(got->n[i] <= w->max[i] + 1e-8 * w->half[i]);
    }
    return sum;
}

static gdyn_shares share(gdyn_sharer *s, gdyn_sharing how, double preload) {
    gdyn_shares got;
    assert_int_equal(gdyn_sharer_at(s, 0.5, 1, 0, how, preload, true, &got), GDYN_OK);
    return got;
}

static void distributions_agree_with_enumeration(void **state) {
    (void)state;
    int possible = 0;
    for (int round = 0; round < ROUNDS; round++) {
        gdyn_random random = gdyn_random_stream(11, (uint64_t)round, 0);
        problem w;
        make_problem(&w, &random);
        gdyn_path_dynamics *dynamics = dynamics_of(&w);
        gdyn_sharer *s = gdyn_sharer_create(dynamics);
        gdyn_shares got = share(s, GDYN_SHARE_PEAK, 0);
        double peak = enumerate_vertices(&w, 1, 1, false);
        assert_near(got.violation, peak, 1e-8);
        if (got.possible) {
            double min[K], max[K];
            possible++;
            check_ranges(&w, &got);
            for (int i = 0; i < K; i++) /* of all with this utilisation the least norm */
                min[i] = w.min[i] - peak * w.half[i], max[i] = w.max[i] + peak * w.half[i];
            assert_near(norm_found(&w, &got), enumerate_norm(&w, min, max), 1e-5);
            got = share(s, GDYN_SHARE_NORM, 0);
            assert_near(norm_found(&w, &got), enumerate_norm(&w, w.min, w.max), 1e-6);
        }
        gdyn_sharer_destroy(s);
        gdyn_path_dynamics_destroy(dynamics);
    }
    assert_true(possible > ROUNDS / 4);
}

/* All half ranges alike, so that the preload is a share of them: max t, min + t <= n. */
static void preload_agrees_with_enumeration(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        gdyn_random random = gdyn_random_stream(12, (uint64_t)round, 0);
        problem w;
        make_problem(&w, &random);
        for (int i = 0; i < K; i++) { /* everything in one unit */
            double one = 3 / w.half[i];
            w.C[i] *= one, w.V[i] *= one, w.V[K + i] *= one;
            w.min[i] *= one, w.max[i] *= one, w.half[i] = 3;
        }
        gdyn_path_dynamics *dynamics = dynamics_of(&w);
        gdyn_sharer *s = gdyn_sharer_create(dynamics);
        double most = -enumerate_vertices(&w, 1, 0, false); /* min + most <= n <= max */
        for (int half = 0; half < 2 && most > 1e-3; half++) {
            double preload = 3 * most * (half ? 0.5 : 1), min[K];
            gdyn_shares got = share(s, GDYN_SHARE_PRELOAD, half ? preload : 100);
            for (int i = 0; i < K; i++) {
                min[i] = w.min[i] + preload;
                assert_true(got.n[i] >= min[i] - 1e-6);
            }
            assert_near(norm_found(&w, &got), enumerate_norm(&w, min, w.max), 1e-5);
        }
        gdyn_sharer_destroy(s);
        gdyn_path_dynamics_destroy(dynamics);
    }
}

/* n1 - n2 = 4 with half ranges 10 and 6: (n1/10)^2 + (n2/6)^2 is least at n1 = 4 * 100 / 136, whatever
 * internal load the coefficients were given with. */
static void norm_knows_no_particular_solution(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        double load = 100.0 * (k - 1), zero[2] = {0, 0}, V[2] = {-2, -2};
        double C[2] = {4 + load, load}, min[2] = {-10, -6}, max[2] = {10, 6}, p[2] = {0, 1};
        gdyn_coefficients q = {.k = 2,
                               .r = 1,
                               .A = zero,
                               .B = zero,
                               .C = C,
                               .D = zero,
                               .V = V,
                               .min = min,
                               .max = max,
                               .d1_high = INFINITY,
                               .d1_high_window = -1};
        gdyn_coefficients both[2] = {q, q};
        gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(2, p, both);
        gdyn_sharer *s = gdyn_sharer_create(dynamics);
        gdyn_shares got = share(s, GDYN_SHARE_NORM, 0);
        assert_near(got.n[0], 400.0 / 136, 1e-7);
        assert_near(got.n[1], 400.0 / 136 - 4, 1e-7);
        gdyn_sharer_destroy(s);
        gdyn_path_dynamics_destroy(dynamics);
    }
}

/* --- along a motion -------------------------------------------------------------------------------- */

enum { SAMPLES = 101 };

/* Two like drives on one mass, n1 + n2 = load(p), shared evenly unless a limit forbids it. The load is 2
 * and grows by `step` at p = 0.5; drive 1 gives way from 3 to `top` there. */
static gdyn_path_dynamics *two_drives(double step, double top) {
    static double zero[2], V[2] = {1, -1}, C[4][2], min[2] = {-3, -3}, max[4][2];
    static const double p[4] = {0, 0.5, 0.5, 1};
    gdyn_coefficients q[4];
    for (int i = 0; i < 4; i++) {
        C[i][0] = 2 + (i < 2 ? 0 : step), C[i][1] = 0;
        max[i][0] = i < 2 ? 3 : top, max[i][1] = 9;
        q[i] = (gdyn_coefficients){.k = 2,
                                   .r = 1,
                                   .A = zero,
                                   .B = zero,
                                   .C = C[i],
                                   .D = zero,
                                   .V = V,
                                   .min = min,
                                   .max = max[i],
                                   .d1_high = INFINITY,
                                   .d1_high_window = -1};
    }
    return gdyn_path_dynamics_table(4, p, q);
}

/* d1 = 1, so that t = p; no sample lies on the jump. */
static void along(gdyn_path_dynamics *dynamics, double smooth, gdyn_shared *shared) {
    static gdyn_sample sample[SAMPLES];
    gdyn_share_settings settings = {GDYN_SHARE_NORM, 0, smooth, GDYN_BETWEEN_P, NULL};
    for (int i = 0; i < SAMPLES - 1; i++) {
        double p = (i + 0.5) / (SAMPLES - 1);
        sample[i] = (gdyn_sample){p, p, 1, 0};
    }
    assert_int_equal(
        gdyn_share_motion(shared, dynamics, 2, SAMPLES - 1, sample, NULL, &settings, NULL, NULL),
        GDYN_OK);
}

/* Drives 1 and 2 have the half ranges 3 and 6. */
static void a_jump_is_told_from_a_slope(void **state) {
    (void)state;
    gdyn_shared shared;
    gdyn_path_dynamics *dynamics =
        two_drives(0, -1); /* the limit of drive 1 falls: n1 = -1, n2 = 3 */
    along(dynamics, 0, &shared);
    double even = 2 * 9.0 / (9 + 36); /* (n1/3)^2 + (n2/6)^2 is least */
    assert_near(shared.n[0], even, 1e-7);
    assert_near(shared.change[0].jump, -1 - even, 1e-6);
    assert_near(shared.change[0].jump_p, 0.5, 1e-8);
    assert_near(shared.change[0].jump_needed, 0, 1e-6); /* n1 = -1 would do before, too */
    assert_false(shared.change[0].by_motion);
    assert_int_equal(shared.change[0].at, 49);
    gdyn_shared_clear(&shared);
    gdyn_path_dynamics_destroy(dynamics);

    dynamics = two_drives(10, 3); /* n1 + n2 = 12 leaves n1 = 3, n2 = 9 alone */
    along(dynamics, 0, &shared);
    assert_near(shared.change[1].jump, 9 - (2 - even), 1e-6);
    assert_near(shared.change[1].jump_needed, 4, 1e-6); /* n2 = 5 at most before: n1 >= -3 */
    gdyn_shared_clear(&shared);
    gdyn_path_dynamics_destroy(dynamics);

    static double zero[2], V[2] = {1, -1}, C[3][2] = {{0, 0}, {4, 0}, {0, 0}};
    static const double p[3] = {0, 0.5, 1};
    double min[2] = {-9, -9}, max[2] = {9, 9};
    gdyn_coefficients q[3];
    for (int i = 0; i < 3; i++) {
        q[i] = (gdyn_coefficients){.k = 2,
                                   .r = 1,
                                   .A = zero,
                                   .B = zero,
                                   .C = C[i],
                                   .D = zero,
                                   .V = V,
                                   .min = min,
                                   .max = max,
                                   .d1_high = INFINITY,
                                   .d1_high_window = -1};
    }
    dynamics = gdyn_path_dynamics_table(3, p, q); /* steep, with a corner, but continuous */
    along(dynamics, 0, &shared);
    assert_near(shared.change[0].jump, 0, 0);
    assert_near(fabs(shared.change[0].step), 0.5 * 8.0 / (SAMPLES - 1), 1e-7);
    gdyn_shared_clear(&shared);
    gdyn_path_dynamics_destroy(dynamics);
}

/* The same jump of a limit with the forces evened out: before it n1 falls to -1 as a cosh does, in the
 * time tau; the loads stay what the mass needs and the limits are kept. */
static void jumps_are_evened_out(void **state) {
    (void)state;
    const double tau = 0.1, even = 2 * 9.0 / (9 + 36);
    gdyn_shared shared;
    gdyn_path_dynamics *dynamics = two_drives(0, -1);
    along(dynamics, tau, &shared);
    assert_true(shared.smoothed);
    double h = 1.0 / (SAMPLES - 1), end = 0.5 + 0.5 * h; /* first place where n1 = -1 */
    for (int i = 0; i < SAMPLES - 1; i++) {
        double t = (i + 0.5) * h;
        double w =
            t < end ? even + (-1 - even) * cosh((t - 0.5 * h) / tau) / cosh((end - 0.5 * h) / tau)
                    : -1;
        assert_near(shared.n[2 * i] + shared.n[2 * i + 1], 2, 1e-9);
        assert_near(shared.n[2 * i], w, 0.01); /* (h/tau)^2 */
        assert_true(shared.n[2 * i] <= shared.max[2 * i] + 1e-9);
    }
    assert_true(fabs(shared.change[0].step) < 0.2);
    assert_true(isnan(shared.change[0].jump));
    gdyn_shared_clear(&shared);
    gdyn_path_dynamics_destroy(dynamics);
}

/* Between samples: d2 linear in p gives the parabola of d1^2; a quintic in t is met exactly. */
static void between_samples(void **state) {
    (void)state;
    gdyn_sample a = {0, 1, 2, 3}, b = {NAN, 1.5, sqrt(4 + 2 * 0.5 * (3 + 1) / 2), 1};
    gdyn_sample m = gdyn_motion_between(&a, &b, 1, GDYN_BETWEEN_P, 0.5);
    assert_near(m.p, 1.25, 1e-15);
    assert_near(m.d1, sqrt(4 + 2 * 0.25 * (3 + 2) / 2), 1e-14);
    assert_near(m.d2, 2, 1e-14);
    double t[3] = {0.4, 1.1, 0.75};
    gdyn_sample q[3];
    for (int i = 0; i < 3; i++) { /* p = 1 + t - t^2 + t^5 */
        double x = t[i];
        q[i] = (gdyn_sample){x, 1 + x - x * x + x * x * x * x * x, 1 - 2 * x + 5 * pow(x, 4),
                             -2 + 20 * x * x * x};
    }
    m = gdyn_motion_between(&q[0], &q[1], q[1].d2, GDYN_BETWEEN_T, 0.5);
    assert_near(m.t, t[2], 1e-15);
    assert_near(m.p, q[2].p, 1e-14);
    assert_near(m.d1, q[2].d1, 1e-13);
    assert_near(m.d2, q[2].d2, 1e-12);
}

/* --- a machine with four drives for three freedoms ------------------------------------------------ */

typedef struct star {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    gdyn_path_dynamics *dynamics;
} star;

static void open_star(star *m) {
    assert_int_equal(
        gdyn_case_read(GDYN_SOURCE_DIR "/cases/four_slider_star/case.yaml", NULL, &m->the_case),
        GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(m->the_case, 0, NULL, NULL, &m->instance), GDYN_OK);
    assert_int_equal(
        gdyn_path_create(m->instance->model, &m->instance->trajectory[0], NULL, &m->path), GDYN_OK);
    m->dynamics = gdyn_path_dynamics_machine(m->instance->model, m->path);
    assert_non_null(m->dynamics);
    assert_int_equal(gdyn_path_dynamics_follow(m->dynamics), GDYN_OK);
}

static void close_star(star *m) {
    gdyn_path_dynamics_destroy(m->dynamics);
    gdyn_path_destroy(m->path);
    gdyn_instance_destroy(m->instance);
    gdyn_case_destroy(m->the_case);
}

/* Sum of |n v| and of squares at n + V y. */
static void cost(const gdyn_shares *got, const double *V, const double *v, double y,
                 double out[2]) {
    out[0] = out[1] = 0;
    for (int i = 0; i < 4; i++) {
        double n = got->n[i] + V[i] * y, half = 0.5 * (got->max[i] - got->min[i]);
        out[0] += fabs(n * v[i]);
        out[1] += n / half * (n / half);
    }
}

/* The sum of |n v| is convex and piecewise linear in y: it is least where a force vanishes or meets a
 * limit; nowhere with as little power is the norm less. */
static void least_power_is_least(void **state) {
    (void)state;
    star m;
    open_star(&m);
    gdyn_sharer *s = gdyn_sharer_create(m.dynamics);
    for (int round = 0; round < 40; round++) {
        double p = 0.15 * round + 0.01, d2 = 10 * (round % 5 - 2), speed[4], least[2] = {INFINITY};
        gdyn_shares got;
        assert_int_equal(gdyn_sharer_at(s, p, 8, d2, GDYN_SHARE_POWER, 0, true, &got), GDYN_OK);
        const gdyn_coefficients *q = gdyn_sharer_coefficients(s);
        assert_int_equal(q->r, 1);
        assert_true(gdyn_path_dynamics_speeds(m.dynamics, speed));
        if (!got.possible)
            continue;
        for (int k = 0; k < 12; k++) {
            int i = k / 3;
            double to = k % 3 == 0 ? 0 : k % 3 == 1 ? got.min[i] : got.max[i];
            double y = (to - got.n[i]) / q->V[i], here[2];
            bool kept = true;
            for (int j = 0; j < 4; j++) {
                double n = got.n[j] + q->V[j] * y, slack = 1e-7 * (got.max[j] - got.min[j]);
                kept &= n >= got.min[j] - slack && n <= got.max[j] + slack;
            }
            cost(&got, q->V, speed, y, here);
            least[0] = kept ? fmin(least[0], here[0]) : least[0];
        }
        double found[2], other[2];
        cost(&got, q->V, speed, 0, found);
        assert_true(found[0] <= least[0] * (1 + 1e-6) + 1e-6);
        for (int k = -1; k <= 1; k += 2) { /* a step to either side costs power or norm */
            double y = 1e-3 * k * got.max[0] / fabs(q->V[0]);
            cost(&got, q->V, speed, y, other);
            bool inside = true;
            for (int j = 0; j < 4; j++) {
                double n = got.n[j] + q->V[j] * y;
                inside &= n >= got.min[j] && n <= got.max[j];
            }
            assert_true(!inside || other[0] > found[0] * (1 + 1e-9) || other[1] > found[1]);
        }
    }
    gdyn_sharer_destroy(s);
    close_star(&m);
}

/* Evened out, the forces of a machine remain forces of the same motion within the limits. */
static void evened_out_forces_drive_the_machine(void **state) {
    (void)state;
    enum { COUNT = 60 };
    static gdyn_sample sample[COUNT];
    star m;
    gdyn_shared rough, even;
    open_star(&m);
    for (int i = 0; i < COUNT; i++) /* 8/s all along, with an acceleration that alternates */
        sample[i] = (gdyn_sample){0.1 * i / 8.0, 0.1 * i, 8, i / 10 % 2 ? 60 : -60};
    gdyn_share_settings settings = {GDYN_SHARE_PEAK, 0, 0, GDYN_BETWEEN_P, NULL};
    assert_int_equal(
        gdyn_share_motion(&rough, m.dynamics, 4, COUNT, sample, NULL, &settings, NULL, NULL),
        GDYN_OK);
    settings.smooth = 0.1;
    assert_int_equal(
        gdyn_share_motion(&even, m.dynamics, 4, COUNT, sample, NULL, &settings, NULL, NULL),
        GDYN_OK);
    assert_true(even.smoothed);
    assert_true(even.after < even.before);
    for (int i = 0; i < COUNT; i++) {
        const gdyn_coefficients *q;
        gdyn_point_status found;
        double along = 0, length = 0;
        assert_int_equal(gdyn_path_dynamics_at(m.dynamics, sample[i].p, &q, &found), GDYN_OK);
        for (int k = 0; k < 4; k++) {
            along += q->V[k] * (even.n[4 * i + k] - rough.n[4 * i + k]);
            length += q->V[k] * q->V[k];
        }
        for (int k = 0; k < 4; k++) { /* the difference is a multiple of V */
            double n = even.n[4 * i + k];
            assert_near(n - rough.n[4 * i + k], along / length * q->V[k],
                        1e-8 * even.max[4 * i + k]);
            assert_true(n >= even.min[4 * i + k] * (1 + 1e-8));
            assert_true(n <= even.max[4 * i + k] * (1 + 1e-8));
        }
    }
    gdyn_shared_clear(&rough);
    gdyn_shared_clear(&even);
    close_star(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributions_agree_with_enumeration),
        cmocka_unit_test(preload_agrees_with_enumeration),
        cmocka_unit_test(norm_knows_no_particular_solution),
        cmocka_unit_test(a_jump_is_told_from_a_slope),
        cmocka_unit_test(jumps_are_evened_out),
        cmocka_unit_test(between_samples),
        cmocka_unit_test(least_power_is_least),
        cmocka_unit_test(evened_out_forces_drive_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
