/* usual.c - how much of a curve a picture shows. Beside singular places values grow without
 * bound, and an axis that shows them shows nothing else. */
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The size of a value and the length of the path that it stands for. */
typedef struct weighed {
    double size, weight;
} weighed;

static int ascending(const void *a, const void *b) {
    double x = ((const weighed *)a)->size, y = ((const weighed *)b)->size;
    return (x > y) - (x < y);
}

double gdyn_usual_size(int points, const double *p, const double *value) {
    static const double SHARE = 0.9, TIMES = 3;
    weighed *list = gdyn_alloc((size_t)points + 1, sizeof *list);
    double whole = 0, below = 0, most = NAN;
    int count = 0;
    /* points that lie close to one another count for little */
    for (int i = 0; list && i < points; i++) {
        double weight = fabs(p[i + 1 < points ? i + 1 : i] - p[i > 0 ? i - 1 : i]);
        if (isfinite(value[i])) {
            list[count++] = (weighed){fabs(value[i]), weight};
            whole += weight;
        }
    }
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, ascending);
    for (int i = 0; i < count && isnan(most); i++) {
        below += list[i].weight;
        if (below >= SHARE * whole && list[i].size > 0)
            most = TIMES * list[i].size;
    }
    gdyn_free(list);
    return most;
}
