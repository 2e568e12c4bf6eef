/* motion.h - a given motion: the forces that drive it, how they may be shared among redundant drives,
 * and whether the limits allow it. */
#ifndef GDYN_TRAVERSE_MOTION_H
#define GDYN_TRAVERSE_MOTION_H

#include "traverse/supply.h"

typedef enum gdyn_sharing {
    GDYN_SHARE_NORM,    /* least norm in half ranges that keeps all limits */
    GDYN_SHARE_PEAK,    /* least greatest utilisation (linear program) */
    GDYN_SHARE_PRELOAD, /* least norm with every drive as far above its min as wished, or as far as
                           all together can be */
    GDYN_SHARE_POWER    /* least sum of |force x speed| (linear program); machines only */
} gdyn_sharing;

/* Names: "norm", "peak", "preload", "power". */
bool gdyn_sharing_named(const char *name, gdyn_sharing *sharing);

/* Workspace. */
typedef struct gdyn_sharer gdyn_sharer;
gdyn_sharer *gdyn_sharer_create(gdyn_supply *supply);
void gdyn_sharer_destroy(gdyn_sharer *sharer);

/* Forces at one place of a motion. Arrays have gdyn_supply_rows entries and belong to the sharer. */
typedef struct gdyn_shares {
    gdyn_point_status found;
    int rows;
    bool possible;     /* the limits allow (d1, d2) */
    double violation;  /* of the worst limit with the best distribution, in half ranges; <= 0:
                               none. For two-sided limits 1 + violation is the utilisation */
    gdyn_active worst; /* a limit that decides it; row -2: the speed limit */
    const double *n;   /* forces (not possible: those of the least violation) */
    const double *low, *high; /* range of each force over all distributions that keep the limits */
    const double *min, *max;  /* limits at this speed */
} gdyn_shares;
/* preload: for GDYN_SHARE_PRELOAD, in the unit of force. ranges: work out low and high. */
gdyn_status gdyn_sharer_at(gdyn_sharer *sharer, double p, double d1, double d2,
                           gdyn_sharing sharing, double preload, bool ranges, gdyn_shares *shares);

/* A motion given at sampled places. */
typedef struct gdyn_sample {
    double t, p, d1, d2; /* t: NAN when not given */
} gdyn_sample;

typedef struct gdyn_feasibility {
    bool feasible;
    int first, worst;                       /* samples; -1: none */
    gdyn_shares first_shares, worst_shares; /* without arrays */
    double slowdown; /* least factor >= 1 on time that makes it feasible; INFINITY: none does */
    double margin;   /* greatest factor on speed that keeps it feasible, when it is */
    int unfollowed;  /* samples where the machine cannot be */
} gdyn_feasibility;

/* tolerance: violation that is forgiven, in half ranges. violation: count entries, or NULL. */
gdyn_status gdyn_motion_check(gdyn_supply *supply, int count, const gdyn_sample *sample,
                              double tolerance, double *violation, gdyn_feasibility *result);

/* d1 and d2 of samples given by t and p: derivatives of the polynomial through up to five
 * neighbours. False when t does not grow or there are fewer than three. */
bool gdyn_motion_differentiate(int count, gdyn_sample *sample);

#endif
