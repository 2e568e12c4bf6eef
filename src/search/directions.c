/* directions.c - Das and Dennis: compositions of p into m parts, divided by p.
 *
 * The compositions are taken in lexicographic order: parts k_1 .. k_m >= 0 with sum p; there are
 * C(p + m - 1, m - 1) of them. The next one moves one unit to the left over the last part. */
#include "search/method.h"

#include <math.h>
#include <limits.h>
#include <string.h>

/* C(divisions + m - 1, m - 1), INFINITY when beyond `most`. */
static double layer_count(int m, int divisions, int most) {
    double count = 1;
    for (int i = 1; i < m; i++) {
        count = count * (divisions + i) / i; /* whole after each step */
        if (count > most)
            return INFINITY;
    }
    return count;
}

/* Few divisions leave the inside empty: a second layer fills it. */
static int inner_divisions(int m, int divisions) {
    return divisions < m ? divisions - 1 : 0;
}

int gdyn_directions_count(int m, int divisions, int most) {
    int inner = inner_divisions(m, divisions);
    double count = layer_count(m, divisions, most);
    if (inner > 0)
        count += layer_count(m, inner, most);
    return count <= most ? (int)count : 0;
}

int gdyn_directions_divisions(int m, int most) {
    int divisions = 1;
    while (m > 1 && gdyn_directions_count(m, divisions + 1, most) > 0)
        divisions++;
    return divisions;
}

int gdyn_compositions(double *Z, int m, int divisions) {
    /* The first composition has all units in its last part. */
    for (int i = 0; i < m; i++)
        Z[i] = i == m - 1 ? divisions : 0;
    for (int count = 1;; count++, Z += m) {
        int last = m - 1; /* last part that is not 0 */
        while (last > 0 && Z[last] == 0)
            last--;
        if (last == 0)
            return count;
        /* One unit moves to the left over the last part that has any. */
        double *next = Z + m, units = Z[last];
        memcpy(next, Z, (size_t)m * sizeof *next);
        next[last] = 0;
        next[last - 1] += 1;
        next[m - 1] = units - 1;
    }
}

/* Points of one layer, moved towards the centre by the share `shrink`; returns how many. */
static size_t write_layer(double *Z, int m, int divisions, double shrink) {
    size_t count = (size_t)gdyn_compositions(Z, m, divisions);
    double centre = 1.0 / m;
    for (size_t i = 0; i < count * (size_t)m; i++)
        Z[i] = (1 - shrink) * Z[i] / divisions + shrink * centre;
    return count;
}

void gdyn_directions(double *Z, int m, int divisions) {
    int inner = inner_divisions(m, divisions);
    size_t outer = write_layer(Z, m, divisions, 0);
    if (inner > 0)
        write_layer(Z + outer * (size_t)m, m, inner, 0.5);
}

int gdyn_weights_divisions(int m, int count, int *weights) {
    int divisions = 1;
    while (m > 1 && layer_count(m, divisions + 1, count) <= count)
        divisions++;
    *weights = (int)layer_count(m, divisions, INT_MAX);
    return divisions;
}
