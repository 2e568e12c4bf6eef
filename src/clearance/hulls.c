/* hulls.c - distances of segments and of convex hulls; depths of overlaps.
 *
 * Segments: the squared distance of a0 + s u and b0 + t v is a convex quadratic on the unit square;
 * its minimum lies inside, or on an edge (V. J. Lumelsky 1985; C. Ericson, Real-Time Collision
 * Detection, 5.1.9).
 *
 * Hulls: the distance of A and B is that of the origin from the hull of A - B (E. G. Gilbert, D. W.
 * Johnson, S. S. Keerthi 1988). A simplex of at most four points a_i - b_j is carried on; in every
 * round the point x of it that is nearest to the origin is found, and the point of A - B that lies
 * farthest against x is added. When that gains nothing, x is the answer. The nearest point of a
 * simplex is the best of those of all its faces whose weights are positive: fifteen small systems,
 * and no case to forget.
 *
 * Depth: segments and boxes are sums of segments, and so is A - B, with its middle at c and the
 * half edges h_i of both. The origin's distance from a facet with the unit normal n is sum |h_i n|
 * - |c n|; normals are cross products of two edges (in the plane perpendicular to one), and the
 * smallest of all is the depth (the separating axes of S. Gottschalk et al. 1996). */
#include "clearance/clearance.h"

#include "linalg/vec3.h"

#include <math.h>
#include <stdbool.h>

enum { ROUNDS = 64 };

/* What a round must gain, relative to the largest square of the coordinates. */
static const double GAIN = 1e-15;
/* Determinants of a face below this share of the product of its squared edges: it is degenerate. */
static const double FLAT = 1e-14;
/* Sines of edges, and their shares of the longest one, below which they count as parallel, as
 * none. */
static const double EDGE = 1e-9;

/* --- segments --------------------------------------------------------------------------------- */

static double clamp(double x) {
    return fmin(fmax(x, 0), 1);
}

double gdyn_segment_distance(const double a[2][3], const double b[2][3]) {
    double u[3], v[3], w[3], gap[3];
    v3_sub(u, a[1], a[0]), v3_sub(v, b[1], b[0]), v3_sub(w, a[0], b[0]);
    double uu = v3_dot(u, u), vv = v3_dot(v, v), uv = v3_dot(u, v);
    double uw = v3_dot(u, w), vw = v3_dot(v, w), det = uu * vv - uv * uv;
    /* the nearest place of the first line, then that of the second, then back where it was clamped
     * */
    double s = det > FLAT * uu * vv ? clamp((uv * vw - vv * uw) / det) : 0;
    double t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
    s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
    v3_axpy(gap, w, s, u);
    v3_axpy(gap, gap, -t, v);
    return v3_norm(gap);
}

/* --- the nearest point of a simplex ----------------------------------------------------------- */

typedef struct simplex {
    int count;
    double at[4][3];
} simplex;

static double det2(double a, double b, double c, double d) {
    return a * d - b * c;
}

/* Weights of the point of a face nearest to the origin, in the face's plane; false where they are
 * not all positive or the face is degenerate. */
static bool weights_of(int count, const double (*at)[3], double weight[4]) {
    double edge[3][3], G[3][3], g[3];
    for (int i = 1; i < count; i++)
        v3_sub(edge[i - 1], at[i], at[0]);
    /* normal equations of at[0] + sum w_i edge_i */
    for (int i = 0; i < count - 1; i++) {
        g[i] = -v3_dot(edge[i], at[0]);
        for (int j = 0; j < count - 1; j++)
            G[i][j] = v3_dot(edge[i], edge[j]);
    }
    weight[0] = 1;
    if (count == 2) {
        if (!(G[0][0] > 0))
            return false;
        weight[1] = g[0] / G[0][0];
    } else if (count == 3) {
        double det = det2(G[0][0], G[0][1], G[1][0], G[1][1]);
        if (!(det > FLAT * G[0][0] * G[1][1]))
            return false;
        weight[1] = det2(g[0], G[0][1], g[1], G[1][1]) / det;
        weight[2] = det2(G[0][0], g[0], G[1][0], g[1]) / det;
    } else if (count == 4) {
        double c[3], d[3], e[3], volume;
        v3_cross(c, edge[1], edge[2]), v3_cross(d, edge[2], edge[0]);
        v3_cross(e, edge[0], edge[1]);
        volume = v3_dot(edge[0], c);
        if (!(volume * volume > FLAT * G[0][0] * G[1][1] * G[2][2]))
            return false;
        weight[1] = -v3_dot(at[0], c) / volume;
        weight[2] = -v3_dot(at[0], d) / volume;
        weight[3] = -v3_dot(at[0], e) / volume;
    }
    for (int i = 1; i < count; i++)
        weight[0] -= weight[i];
    for (int i = 0; i < count; i++)
        if (!(weight[i] > 0))
            return false;
    return true;
}

/* x := the point of the simplex nearest to the origin; the simplex becomes the face that holds
 * it. */
static void reduce(simplex *s, double x[3]) {
    simplex best = {0};
    double least = INFINITY;
    for (int mask = 1; mask < 1 << s->count; mask++) {
        simplex face = {0};
        double weight[4], point[3] = {0, 0, 0};
        for (int i = 0; i < s->count; i++)
            if (mask >> i & 1)
                v3_copy(face.at[face.count++], s->at[i]);
        if (!weights_of(face.count, (const double(*)[3])face.at, weight))
            continue;
        for (int i = 0; i < face.count; i++)
            v3_axpy(point, point, weight[i], face.at[i]);
        double square = v3_dot(point, point);
        if (square < least) {
            least = square, best = face;
            v3_copy(x, point);
        }
    }
    *s = best;
}

/* --- hulls ------------------------------------------------------------------------------------ */

double gdyn_hull_distance(int as, const double (*a)[3], int bs, const double (*b)[3]) {
    double x[3], next[3], size = 0;
    simplex s = {.count = 1};
    v3_sub(x, a[0], b[0]);
    v3_copy(s.at[0], x);
    for (int i = 0; i < as; i++)
        for (int j = 0; j < bs; j++) {
            v3_sub(next, a[i], b[j]);
            size = fmax(size, v3_dot(next, next));
        }
    for (int round = 0; round < ROUNDS; round++) {
        double square = v3_dot(x, x);
        if (square <= GAIN * size || s.count == 4)
            return s.count == 4 ? 0 : sqrt(square);
        /* The point of A - B farthest against x. */
        int i = 0, j = 0;
        for (int k = 1; k < as; k++)
            i = v3_dot(a[k], x) < v3_dot(a[i], x) ? k : i;
        for (int k = 1; k < bs; k++)
            j = v3_dot(b[k], x) > v3_dot(b[j], x) ? k : j;
        v3_sub(next, a[i], b[j]);
        if (square - v3_dot(next, x) <= GAIN * size + 1e-14 * square)
            return sqrt(square);
        v3_copy(s.at[s.count++], next);
        reduce(&s, x);
        if (!(v3_dot(x, x) < square)) /* rounding: nothing is gained any more */
            return sqrt(fmin(square, v3_dot(x, x)));
    }
    return v3_norm(x);
}

/* --- depth ------------------------------------------------------------------------------------ */

/* Distance of the origin from the facet with that normal of any length; INFINITY: there is none. */
static double facet_distance(const double n[3], const double between[3], int edges,
                             const double (*half)[3], double least_norm) {
    double length = v3_norm(n), reach = 0;
    if (!(length > least_norm))
        return INFINITY;
    for (int i = 0; i < edges; i++)
        reach += fabs(v3_dot(half[i], n));
    return (reach - fabs(v3_dot(between, n))) / length;
}

double gdyn_sum_depth(int axes, const double between[3], int edges, const double (*half)[3]) {
    double depth = INFINITY, size = 0, n[3];
    for (int i = 0; i < edges; i++)
        size = fmax(size, v3_norm(half[i]));
    for (int i = 0; i < edges; i++) {
        if (axes == 2) {
            v3_set(n, -half[i][1], half[i][0], 0);
            depth = fmin(depth, facet_distance(n, between, edges, half, EDGE * size));
        }
        for (int j = i + 1; j < edges && axes == 3; j++) {
            v3_cross(n, half[i], half[j]);
            depth = fmin(depth, facet_distance(n, between, edges, half,
                                               EDGE * v3_norm(half[i]) * v3_norm(half[j])));
        }
    }
    return isfinite(depth) && depth > 0 ? depth : 0;
}
