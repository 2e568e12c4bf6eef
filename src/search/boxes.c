/* boxes.c - boxes of the nondominated space by local upper bounds; expected gain of hypervolume. */
#include "search/method.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* The first m points are the reference's: -inf but for one coordinate each. */
struct gdyn_boxes {
    int m, room, most;
    int points, count;
    double *z;        /* m x (room + m): the points */
    double *below;    /* m x (room + m): expected length below each coordinate, of one gain */
    int *upper, *low; /* m x most: points that give a box its upper and lower ends; low -1: none */
};

gdyn_boxes *gdyn_boxes_create(gdyn_arena *arena, int m, int points, int most) {
    gdyn_boxes *b = gdyn_arena_alloc(arena, 1, sizeof *b);
    if (!b)
        return NULL;
    size_t size = (size_t)m, room = (size_t)(points + m);
    b->m = m, b->room = points + m, b->most = most;
    b->z = gdyn_arena_doubles(arena, size * room);
    b->below = gdyn_arena_doubles(arena, size * room);
    b->upper = gdyn_arena_alloc(arena, size * (size_t)most, sizeof *b->upper);
    b->low = gdyn_arena_alloc(arena, size * (size_t)most, sizeof *b->low);
    return gdyn_arena_failed(arena) ? NULL : b;
}

void gdyn_boxes_clear(gdyn_boxes *b, const double *reference) {
    for (int k = 0; k < b->m; k++) {
        for (int j = 0; j < b->m; j++)
            b->z[k * b->m + j] = k == j ? reference[j] : -INFINITY;
        b->upper[k] = k, b->low[k] = -1;
    }
    b->points = b->m, b->count = 1;
}

static double coordinate(const gdyn_boxes *b, int point, int j) {
    return b->z[(size_t)point * (size_t)b->m + (size_t)j];
}

/* Whether z lies below the local upper bound of a box in every objective. */
static bool inside(const gdyn_boxes *b, int box, const double *z) {
    for (int j = 0; j < b->m; j++)
        if (!(z[j] < coordinate(b, b->upper[(size_t)box * (size_t)b->m + (size_t)j], j)))
            return false;
    return true;
}

/* Whether z may define coordinate j of a bound beside the other defining points: none of them lies
 * beyond it. */
static bool defines(const gdyn_boxes *b, const int *upper, const double *z, int j) {
    for (int k = 0; k < b->m; k++)
        if (k != j && coordinate(b, upper[k], j) > z[j])
            return false;
    return true;
}

/* Replaces a bound that z lies below by the bounds with z in place of one defining point each. The
 * new ones go behind all others. */
static void split(gdyn_boxes *b, int box, const double *z, int point) {
    size_t m = (size_t)b->m;
    const int *upper = b->upper + (size_t)box * m;
    for (int j = 0; j < b->m; j++) {
        if (!defines(b, upper, z, j))
            continue;
        int *next = b->upper + (size_t)b->count * m;
        memcpy(next, upper, m * sizeof *next);
        next[j] = point;
        /* lower ends: of the defining points before i the one that reaches furthest */
        int *low = b->low + (size_t)b->count * m;
        for (int i = 0; i < b->m; i++) {
            low[i] = -1;
            for (int k = 0; k < i; k++) {
                double end = coordinate(b, next[k], i);
                if (end > -INFINITY && (low[i] < 0 || end > coordinate(b, low[i], i)))
                    low[i] = next[k];
            }
        }
        b->count++;
    }
}

bool gdyn_boxes_add(gdyn_boxes *b, const double *z) {
    size_t m = (size_t)b->m;
    int before = b->count, hit = 0, kept = 0;
    for (int i = 0; i < before; i++)
        hit += inside(b, i, z);
    if (hit == 0)
        return true;
    if (b->points == b->room || before + hit * b->m > b->most)
        return false;
    memcpy(b->z + (size_t)b->points * m, z, m * sizeof *z);
    /* Split the boxes that z lies in, then close the gaps that these leave. */
    for (int i = 0; i < before; i++)
        if (inside(b, i, z))
            split(b, i, z, b->points);
    for (int i = 0; i < b->count; i++) {
        if (i < before && inside(b, i, z))
            continue;
        memmove(b->upper + (size_t)kept * m, b->upper + (size_t)i * m, m * sizeof *b->upper);
        memmove(b->low + (size_t)kept * m, b->low + (size_t)i * m, m * sizeof *b->low);
        kept++;
    }
    b->count = kept;
    b->points++;
    return true;
}

int gdyn_boxes_count(const gdyn_boxes *b) {
    return b->count;
}

/* E max(u - Y, 0) of a normal Y. */
static double expected_below(double u, double mean, double deviation) {
    if (u == -INFINITY)
        return 0;
    if (!(deviation > 0))
        return fmax(u - mean, 0);
    double t = (u - mean) / deviation;
    double density = exp(-0.5 * t * t) / sqrt(2 * GDYN_PI);
    return fmax(deviation * (t * 0.5 * erfc(-t / sqrt(2)) + density), 0);
}

double gdyn_boxes_gain(gdyn_boxes *b, const double *mean, const double *deviation) {
    size_t m = (size_t)b->m;
    /* Every end of a box is a coordinate of a point: their expectations once each. */
    for (int p = 0; p < b->points; p++)
        for (int j = 0; j < b->m; j++)
            b->below[(size_t)p * m + (size_t)j] =
                expected_below(coordinate(b, p, j), mean[j], deviation[j]);
    double sum = 0;
    for (int i = 0; i < b->count; i++) {
        const int *upper = b->upper + (size_t)i * m, *low = b->low + (size_t)i * m;
        double product = 1;
        for (size_t j = 0; j < m; j++) {
            double length = b->below[(size_t)upper[j] * m + j];
            product *= low[j] < 0 ? length : length - b->below[(size_t)low[j] * m + j];
        }
        sum += product;
    }
    return sum;
}
