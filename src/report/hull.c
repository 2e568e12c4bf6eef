/* hull.c - convex hulls of a handful of points by brute force.
 *
 * Every three points that are not on a line span a plane; it carries a face when no point lies
 * before it. The face's corners are the hull, within the plane, of all points in it (Andrew's
 * monotone chain). Cost is count^4, for at most 16 points. */
#include "report/drawing.h"

#include "linalg/vec3.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct corner {
    double u, v;
    int index;
} corner;

static int compare_corners(const void *left, const void *right) {
    const corner *a = left, *b = right;
    return a->u != b->u ? (a->u > b->u) - (a->u < b->u) : (a->v > b->v) - (a->v < b->v);
}

/* Twice the signed area of the triangle. */
static double turn(const corner *a, const corner *b, const corner *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

/* Monotone chain over sorted points; writes the indices in order and returns their number. */
static int chain(int count, corner *sorted, double tolerance, int *out) {
    corner stack[2 * GDYN_HULL_POINTS + 1];
    int top = 0, base = 0;
    qsort(sorted, (size_t)count, sizeof *sorted, compare_corners);
    /* The lower chain, then the upper one back. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            const corner *next = &sorted[pass ? count - 1 - i : i];
            while (top - base >= 2 && turn(&stack[top - 2], &stack[top - 1], next) <= tolerance)
                top--;
            stack[top++] = *next;
        }
        /* The last point of a pass is the first of the other. */
        top--;
        base = top;
    }
    for (int i = 0; i < top; i++)
        out[i] = stack[i].index;
    return top;
}

/* Adds the polygon of the chosen points in the plane with unit normal n. */
static void add_polygon(gdyn_hull *hull, int count, const int *chosen, const double (*at)[3],
                        const double n[3], double length) {
    corner corners[GDYN_HULL_POINTS];
    double e[3], f[3];
    /* Coordinates within the plane. */
    gdyn_v3_triad(n, e, f);
    for (int i = 0; i < count; i++) {
        const double *x = at[chosen[i]];
        corners[i] = (corner){v3_dot(e, x), v3_dot(f, x), chosen[i]};
    }
    if (hull->polygons < GDYN_HULL_POLYGONS) {
        int size = chain(count, corners, 1e-6 * length * length, hull->corner[hull->polygons]);
        hull->size[hull->polygons] = size, hull->polygons += size >= 2;
    }
}

/* Points on the plane through i, j, k; -1 when points lie on both sides, or the three are
 * collinear, or a smaller triple gives the same plane. */
static int face(int count, const double (*at)[3], const int triple[3], double length, double n[3],
                int *chosen) {
    double a[3], b[3], tolerance = 1e-6 * length;
    bool before = false, behind = false;
    int size = 0;
    /* Normal of the plane; three points on a line have none. */
    v3_sub(a, at[triple[1]], at[triple[0]]), v3_sub(b, at[triple[2]], at[triple[0]]);
    v3_cross(n, a, b);
    if (v3_norm(n) <= tolerance * length)
        return -1;
    gdyn_v3_normalize(n);
    /* Which points lie in the plane, and on which sides the others. */
    for (int i = 0; i < count; i++) {
        double d[3];
        v3_sub(d, at[i], at[triple[0]]);
        double height = v3_dot(d, n);
        if (fabs(height) <= tolerance)
            chosen[size++] = i;
        before |= height > tolerance;
        behind |= height < -tolerance;
    }
    return before && behind ? -1 : size;
}

/* True when the polygon's points are those of one that is there already. */
static bool known(int planes, int seen[][GDYN_HULL_POINTS], const int *sizes, int size,
                  const int *chosen) {
    for (int i = 0; i < planes; i++) {
        /* The points of a plane are listed in order: compare them one by one. */
        bool same = sizes[i] == size;
        for (int j = 0; same && j < size; j++)
            same = seen[i][j] == chosen[j];
        if (same)
            return true;
    }
    return false;
}

/* The two points of a set on one line that are farthest apart. */
static void add_segment(gdyn_hull *hull, int count, const double (*at)[3]) {
    double longest = -1;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            double d[3];
            v3_sub(d, at[j], at[i]);
            if (v3_norm(d) > longest) {
                longest = v3_norm(d);
                hull->corner[0][0] = i, hull->corner[0][1] = j;
            }
        }
    }
    hull->size[0] = 2, hull->polygons = 1;
}

void gdyn_hull_make(gdyn_hull *hull, int count, const double (*at)[3], double length) {
    int seen[GDYN_HULL_POLYGONS][GDYN_HULL_POINTS], sizes[GDYN_HULL_POLYGONS], planes = 0;
    hull->polygons = 0;
    /* Every three points; planes that were seen before are passed over. */
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            for (int k = j + 1; k < count && planes < GDYN_HULL_POLYGONS; k++) {
                int chosen[GDYN_HULL_POINTS];
                double n[3];
                int size = face(count, at, (int[3]){i, j, k}, length, n, chosen);
                if (size < 3 || known(planes, seen, sizes, size, chosen))
                    continue;
                memcpy(seen[planes], chosen, (size_t)size * sizeof *chosen);
                sizes[planes++] = size;
                add_polygon(hull, size, chosen, at, n, length);
            }
        }
    }
    /* All points on one line. */
    if (hull->polygons == 0 && count >= 2)
        add_segment(hull, count, at);
}
