/* lanes.h - numbers of several poses side by side, one pose per lane of a SIMD register (internal to the library).
 *
 * The same operations run on all lanes; no lane looks at another one. Vectors of GCC and Clang: where a
 * processor has no such registers the compiler writes scalar code. */
#ifndef GDYN_LINALG_LANES_H
#define GDYN_LINALG_LANES_H

enum { GDYN_LANES = 2 };

typedef double gdyn_lanes __attribute__((vector_size(16)));
typedef long long gdyn_lane_bits __attribute__((vector_size(16)));

/* A vector in space. */
typedef struct gdyn_wide3 {
    gdyn_lanes x, y, z;
} gdyn_wide3;

static inline gdyn_lanes l_all(double a) {
    return (gdyn_lanes){a, a};
}
/* Two neighbours in memory, wherever they lie. */
static inline gdyn_lanes l_pair(const double *x) {
    gdyn_lanes pair;
    __builtin_memcpy(&pair, x, sizeof pair);
    return pair;
}
static inline void l_put(double *x, gdyn_lanes pair) {
    __builtin_memcpy(x, &pair, sizeof pair);
}
static inline gdyn_lanes l_abs(gdyn_lanes a) {
    const gdyn_lane_bits magnitude = {0x7fffffffffffffffLL, 0x7fffffffffffffffLL};
    return (gdyn_lanes)((gdyn_lane_bits)a & magnitude);
}
/* The lesser and the greater one; where a comparison with a NaN is made, b. */
static inline gdyn_lanes l_lesser(gdyn_lanes a, gdyn_lanes b) {
#ifdef __SSE2__
    return __builtin_ia32_minpd(a, b);
#else
    return (gdyn_lanes){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
#endif
}
static inline gdyn_lanes l_greater(gdyn_lanes a, gdyn_lanes b) {
#ifdef __SSE2__
    return __builtin_ia32_maxpd(a, b);
#else
    return (gdyn_lanes){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}

/* What a comparison says of the lanes: bit 0 of the first one. */
static inline int l_mask(gdyn_lane_bits of) {
#ifdef __SSE2__
    return __builtin_ia32_movmskpd((gdyn_lanes)of);
#else
    return (of[0] != 0) | (of[1] != 0) << 1;
#endif
}
enum { GDYN_ALL_LANES = 3 };

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

enum { GDYN_INVERSE_MOST = 6 };

/* X (n x n) := inverse of A (n x n, rows `width` apart, n <= 6), row-major; returns the determinant, whose sign is
 * certain where no entry of X is large. Up to n = 3 by cofactors, else by Gauss-Jordan steps with
 * pivots chosen in the first lane. Singular: X is not finite. A stays as it is. */
gdyn_lanes gdyn_lanes_inverse(int n, const gdyn_lanes *A, int width, gdyn_lanes *X);

#endif
