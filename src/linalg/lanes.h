/* lanes.h - numbers of several poses side by side, one pose per lane of a SIMD register (internal
 * to the library).
 *
 * The same operations run on all lanes; no lane looks at another one. A file that wants four lanes
 * says so by defining GDYN_LANES in front. Vectors of GCC and Clang: where a processor has no such
 * registers the compiler writes several shorter operations, or scalar code, and every lane gets the
 * same bits. */
#pragma once

#ifndef GDYN_LANES
#define GDYN_LANES 2
#endif

#include <stddef.h>

/* Aligned as memory comes from the allocator. */
typedef double gdyn_lanes __attribute__((vector_size(8 * GDYN_LANES), aligned(16)));
typedef long long gdyn_lane_bits __attribute__((vector_size(8 * GDYN_LANES), aligned(16)));

/* A vector in space. */
typedef struct gdyn_wide3 {
    gdyn_lanes x, y, z;
} gdyn_wide3;

static inline gdyn_lanes l_all(double a) {
#if GDYN_LANES == 4
    return (gdyn_lanes){a, a, a, a};
#else
    return (gdyn_lanes){a, a};
#endif
}
/* Neighbours in memory, wherever they lie. */
static inline gdyn_lanes l_pair(const double *x) {
    gdyn_lanes pair;
    __builtin_memcpy(&pair, x, sizeof pair);
    return pair;
}
static inline void l_put(double *x, gdyn_lanes pair) {
    __builtin_memcpy(x, &pair, sizeof pair);
}
static inline gdyn_lanes l_abs(gdyn_lanes a) {
    gdyn_lane_bits magnitude = (gdyn_lane_bits)a & 0x7fffffffffffffffLL;
    return (gdyn_lanes)magnitude;
}
/* a where the lane of a comparison is true, else b. */
static inline gdyn_lanes l_choose(gdyn_lane_bits of, gdyn_lanes a, gdyn_lanes b) {
    return (gdyn_lanes)((of & (gdyn_lane_bits)a) | (~of & (gdyn_lane_bits)b));
}
/* The lesser and the greater one; where a comparison with a NaN is made, b. */
static inline gdyn_lanes l_lesser(gdyn_lanes a, gdyn_lanes b) {
#if GDYN_LANES == 2 && defined __SSE2__
    return __builtin_ia32_minpd(a, b);
#elif GDYN_LANES == 4 && defined __AVX__
    return __builtin_ia32_minpd256(a, b);
#else
    return l_choose((gdyn_lane_bits)(a < b), a, b);
#endif
}
static inline gdyn_lanes l_greater(gdyn_lanes a, gdyn_lanes b) {
#if GDYN_LANES == 2 && defined __SSE2__
    return __builtin_ia32_maxpd(a, b);
#elif GDYN_LANES == 4 && defined __AVX__
    return __builtin_ia32_maxpd256(a, b);
#else
    return l_choose((gdyn_lane_bits)(a > b), a, b);
#endif
}

static inline gdyn_lanes l_root(gdyn_lanes a) {
    for (int l = 0; l < GDYN_LANES; l++)
        a[l] = __builtin_sqrt(a[l]);
    return a;
}

/* What a comparison says of the lanes: bit 0 of the first one. */
static inline int l_mask(gdyn_lane_bits of) {
#if GDYN_LANES == 2 && defined __SSE2__
    return __builtin_ia32_movmskpd((gdyn_lanes)of);
#elif GDYN_LANES == 4 && defined __AVX__
    return __builtin_ia32_movmskpd256((gdyn_lanes)of);
#else
    int mask = 0;
    for (int l = 0; l < GDYN_LANES; l++)
        mask |= (of[l] != 0) << l;
    return mask;
#endif
}
enum { GDYN_ALL_LANES = (1 << GDYN_LANES) - 1 };
/* A comparison that holds in all lanes. */
static inline int l_holds(gdyn_lane_bits of) {
    return l_mask(of) == GDYN_ALL_LANES;
}

#if GDYN_LANES == 2
/* x^T y by four sums side by side, two in a register, whose additions need not wait for each
 * other. */
static inline double l_product(int n, const double *x, const double *y) {
    gdyn_lanes a = l_all(0), b = l_all(0);
    int i = 0;
    for (; i + 3 < n; i += 4) {
        a += l_pair(x + i) * l_pair(y + i);
        b += l_pair(x + i + 2) * l_pair(y + i + 2);
    }
    for (; i < n; i++)
        a[0] += x[i] * y[i];
    return (a[0] + a[1]) + (b[0] + b[1]);
}
#endif
#if GDYN_LANES == 4
/* One number of every lane's list, and three. */
static inline gdyn_lanes l_entry(const double *const x[4], size_t i) {
    return (gdyn_lanes){x[0][i], x[1][i], x[2][i], x[3][i]};
}
static inline gdyn_wide3 w3_entries(const double *const x[4], size_t i) {
    return (gdyn_wide3){l_entry(x, i), l_entry(x, i + 1), l_entry(x, i + 2)};
}
#endif
static inline gdyn_wide3 w3_zero(void) {
    return (gdyn_wide3){l_all(0), l_all(0), l_all(0)};
}
static inline gdyn_wide3 w3_all(const double a[3]) {
    return (gdyn_wide3){l_all(a[0]), l_all(a[1]), l_all(a[2])};
}
static inline gdyn_wide3 w3_add(gdyn_wide3 a, gdyn_wide3 b) {
    return (gdyn_wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline gdyn_wide3 w3_sub(gdyn_wide3 a, gdyn_wide3 b) {
    return (gdyn_wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline gdyn_wide3 w3_scale(gdyn_lanes s, gdyn_wide3 a) {
    return (gdyn_wide3){s * a.x, s * a.y, s * a.z};
}
/* a + s b */
static inline gdyn_wide3 w3_axpy(gdyn_wide3 a, gdyn_lanes s, gdyn_wide3 b) {
    return (gdyn_wide3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline gdyn_lanes w3_dot(gdyn_wide3 a, gdyn_wide3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline gdyn_wide3 w3_cross(gdyn_wide3 a, gdyn_wide3 b) {
    return (gdyn_wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* In the plane: (0, 0, w) x a. */
static inline gdyn_wide3 w3_turn(gdyn_lanes w, gdyn_wide3 a) {
    return (gdyn_wide3){-w * a.y, w * a.x, l_all(0)};
}
static inline gdyn_lanes w3_part(gdyn_wide3 a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
/* E a, E by its columns. */
static inline gdyn_wide3 w3_apply(const gdyn_wide3 E[3], gdyn_wide3 a) {
    return (gdyn_wide3){E[0].x * a.x + E[1].x * a.y + E[2].x * a.z,
                        E[0].y * a.x + E[1].y * a.y + E[2].y * a.z,
                        E[0].z * a.x + E[1].z * a.y + E[2].z * a.z};
}

/* The same for a turn in the plane. */
static inline gdyn_wide3 w3_apply_planar(const gdyn_wide3 E[3], gdyn_wide3 a) {
    return (gdyn_wide3){E[0].x * a.x - E[0].y * a.y, E[0].y * a.x + E[0].x * a.y, a.z};
}

/* Of two translations of a file, for any processor and for those with registers of four numbers,
 * the one that this processor runs. */
#ifdef GDYN_WITH_AVX
#define GDYN_TRANSLATION(plain, avx) (__builtin_cpu_supports("avx") ? &(avx) : &(plain))
#else
#define GDYN_TRANSLATION(plain, avx) (&(plain))
#endif
/* Its name in the translation at hand. */
#ifdef GDYN_AVX
#define GDYN_TRANSLATED(name) name##_avx
#else
#define GDYN_TRANSLATED(name) name##_plain
#endif

#if GDYN_LANES == 4
enum { GDYN_INVERSE_MOST = 6 };
/* Translated a second time for processors with registers of that length. */
#ifdef GDYN_AVX
#define gdyn_lanes_inverse gdyn_lanes_inverse_avx
#endif

/* X (n x n) := inverse of A (n x n, rows `width` apart, n <= 6), row-major; *det: its determinant,
 * whose sign is certain where no entry of X is large. Up to n = 3 by cofactors, n = 6 with nothing
 * in the lower left quarter by those of its blocks, else by Gauss-Jordan steps with pivots chosen
 * in the first lane: *det is not a number in lanes where these are small beside other entries, and
 * X is of no use there. Singular: X is not finite. A stays as it is. */
void gdyn_lanes_inverse(int n, const gdyn_lanes *A, int width, gdyn_lanes *X, gdyn_lanes *det);
#endif
