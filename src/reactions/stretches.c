/* stretches.c - runs of points with one verdict; see stretches.h. */
#include "reactions/stretches.h"

#include <math.h>

/* The generic rank of the path: the greatest one. */
int gdyn_reaction_generic(int points, const int *rank) {
    int generic = -1;
    for (int i = 0; i < points; i++)
        generic = rank[i] > generic ? rank[i] : generic;
    return generic;
}

/* Stretches of equal verdict between points of generic rank. */
int gdyn_reaction_stretches(int points, const double *p, const int *rank, int stride,
                            const gdyn_verdict *verdict, const double *value, gdyn_stretch *list) {
    int generic = gdyn_reaction_generic(points, rank), count = 0;
    bool broken = true; /* by a point that was not assembled */
    for (int i = 0; i < points; i++) {
        if (rank[i] < 0)
            broken = true;
        /* singular and unassembled points belong to no stretch */
        if (rank[i] < generic || rank[i] < 0)
            continue;
        /* another verdict, or a gap, begins a new stretch */
        if (broken || list[count - 1].verdict != verdict[i * stride])
            list[count++] = (gdyn_stretch){.from = p[i],
                                           .verdict = verdict[i * stride],
                                           .least = INFINITY,
                                           .greatest = -INFINITY};
        gdyn_stretch *s = &list[count - 1];
        /* values of the stretch */
        s->to = p[i];
        s->points++;
        s->least = fmin(s->least, value[i * stride]); /* fmin leaves NAN out */
        s->greatest = fmax(s->greatest, value[i * stride]);
        broken = false;
    }
    return count;
}
