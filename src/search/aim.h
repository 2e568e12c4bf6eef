/* aim.h - a region of the front that is preferred, by a reference point (internal to search).
 *
 * The achievement of a design (Wierzbicki 1980), with the objectives scaled to 0 at the least value of each and 1 at the
 * greatest one of the ends of the front,
 *
 *   t(f) = max_i (F_i - A_i) + rho sum_i F_i,   A: the aim, reachable or not
 *
 * is least on the front where the ray from the aim along the diagonal of the scale meets it. The region is what is worse
 * by no more than `width`: all designs below the point  A_i + t_least + width. It follows the best design. The corner
 * bound_i is cut at the ends of the front, 1 + width: there is nothing beyond, and an aim may be worse than any design.
 *
 * Survivors are told apart by domination first; of a front that does not fit designs outside of the region go first, the
 * farthest ones before the others. The ends of the front stay, as they give the scale. */
#ifndef GDYN_SEARCH_AIM_H
#define GDYN_SEARCH_AIM_H

#include "search/fronts.h"
#include "search/scalar.h"

#include <stdbool.h>

typedef struct gdyn_search gdyn_search;

typedef struct gdyn_aim {
    int m;
    double width;
    double *z;     /* m: the aim */
    double *bound; /* m: corner of the region */
    int *end;      /* m: slots of the ends of the front: the greatest of each objective */
    double least;  /* achievement of the best design known */
    int best;      /* its slot */
    bool known;    /* a feasible design is: ideal, range, bound, end, least and best are set */
    gdyn_scalar scalar;
} gdyn_aim;

/* `width` as a share of the scale. NULL: out of memory. */
gdyn_aim *gdyn_aim_create(int m, const double *z, double width);
void gdyn_aim_destroy(gdyn_aim *aim);

/* Whether the search has an aim and a feasible design. */
bool gdyn_aim_known(const gdyn_search *s);
/* Scale, best design and region from the feasible designs of pool[0 .. count). */
void gdyn_aim_learn(gdyn_search *s, int count);
/* The achievement of f (m). Only where `known`. */
double gdyn_aim_value(const gdyn_aim *aim, const double *f);
bool gdyn_aim_inside(const gdyn_aim *aim, const double *f);

typedef void gdyn_thinning(gdyn_fronts *fronts, const double *F, int count, int *member, int keep,
                           double *crowding);
/* Thins a front of feasible designs: the best design stands first, the ends behind it, the region thinned by `thin` follows,
 * then what is outside, the nearest first. crowding[]: INFINITY for the first ones, less than zero outside. */
void gdyn_aim_thin(gdyn_search *s, gdyn_thinning *thin, int count, int *member, int keep);
/* Parents at the beginning of the list that are of the first front and either in the region or an end. */
int gdyn_aim_parents(const gdyn_search *s);

#endif
