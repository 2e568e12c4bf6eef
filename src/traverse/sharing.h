/* sharing.h - internals of the sharer (internal to traverse). */
#ifndef GDYN_TRAVERSE_SHARING_H
#define GDYN_TRAVERSE_SHARING_H

#include "lp/lp.h"
#include "traverse/motion.h"

struct gdyn_sharer {
    struct gdyn_arena *arena;
    gdyn_path_dynamics *dynamics;
    gdyn_lp *lp;
    const gdyn_coefficients *q; /* of the last place, NULL: none */
    int rows, r;
    double *n, *low, *high, *min, *max; /* rows: as in gdyn_shares */
    double *f, *unit, *counted, *speed; /* rows: see gdyn_share_problem; drives' speeds */
    double *own_low, *own_high, *own_min, *own_max; /* rows: of a problem with other limits */
    double *inner, *zero;                           /* rows */
    double *own_V;                                  /* rows x r */
    double *y;                                      /* r, then workspace of r (r + 1) */
    double *table;                                  /* 4 rows x (r + rows + 1) */
};

/* n = f + V y, min <= n <= max. */
typedef struct gdyn_share_problem {
    int k, r;
    const double *V, *f, *min, *max;
    const double *unit;    /* k: half ranges */
    const double *counted; /* k: the same, 0: a further limit of the drive of another row */
} gdyn_share_problem;

gdyn_share_problem gdyn_share_problem_of(const gdyn_sharer *sharer);

/* --- sharing_kinds.c --------------------------------------------------------------------------- */

/* Least and greatest value of every row; n: forces that keep the limits. */
gdyn_status gdyn_share_ranges(gdyn_sharer *s, const gdyn_share_problem *w, const double *n,
                              double *low, double *high);
/* Forces n that keep the greatest margin inside low..high of every row that has room, as far as all together
 * allow; not inside: those with the smallest uniform relaxation of low and high, in half ranges.
 * Inside: GDYN_ERROR_NUMERIC when there are none. */
gdyn_status gdyn_share_margin(gdyn_sharer *s, const gdyn_share_problem *w, const double *low,
                              const double *high, bool inside, double *n);
/* s->n as requested; it keeps the limits on entry. violation: the least there is, in half ranges (<= 0). */
gdyn_status gdyn_share_choose(gdyn_sharer *s, gdyn_sharing sharing, double preload,
                              double violation);

#endif
