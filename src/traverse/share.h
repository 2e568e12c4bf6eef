/* share.h - the forces of all drives along a whole motion: shared place by place, smoothed over
 * time if requested, and how continuous they are. */
#pragma once

#include "base/api.h"
#include "traverse/motion.h"
#include "traverse/traverse.h"

GDYN_API_BEGIN

typedef struct gdyn_share_settings {
    gdyn_sharing sharing;
    double preload;       /* GDYN_SHARE_PRELOAD */
    double smooth;        /* forces are evened out over this time [s], see smooth.h; 0: not */
    gdyn_between between; /* how the motion runs between its samples */
    /* count x rows: these forces, known at the samples only, are used instead of shared ones; NULL:
     * none */
    const double *planned;
} gdyn_share_settings;

/* How the force of one row changes. Forces may jump where the motion does not; halving the step
 * until the change shrinks or stays distinguishes jumps from steep changes. */
typedef struct gdyn_change {
    int at;        /* the largest change lies between samples at and at + 1; -1: none */
    double step;   /* that change, with its sign */
    double needed; /* what no distribution avoids of it: distance of the possible forces */
    /* largest jump found between samples, with its sign; 0: continuous; NAN: forces were evened
     * out, so that they are known at the samples only */
    double jump;
    double jump_needed;    /* what no distribution avoids of it */
    double jump_p, jump_t; /* where */
    bool by_motion;        /* there d2 of the motion itself jumps */
} gdyn_change;

typedef struct gdyn_shared {
    int points, rows;
    /* points x rows, row-major; NAN where the machine cannot be */
    double *n, *low, *high; /* forces and their ranges over all distributions */
    double *min, *max;      /* limits at the motion's speed */
    double *n_before, *low_before, *high_before; /* just before a sample where d2 jumps, else NAN */
    /* rows, the largest of the motion: gdyn_problem_unit (0: a further limit of the drive of
     * another row), half the range (INFINITY: one-sided) */
    double *unit, *half_range;
    /* rows, the largest gdyn_force_unit of the motion, of all rows; points x rows, speed of the
     * row's drive (NAN: not known) */
    double *force_unit, *speed;
    gdyn_change *change;  /* rows */
    bool smoothed;        /* as wished */
    double before, after; /* of the evening out: integral |dn/dt|^2 dt in half ranges [1/s] */
} gdyn_shared;

/* Called once for every sample where the machine can be, the dynamics being there. */
typedef void gdyn_share_visitor(void *context, int sample, const gdyn_path_dynamics *dynamics);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* before: count values of d2 just before each sample; NULL: the motion's d2 does not jump. rows:
 * limit rows of the dynamics, as many as at most of its places. visit: or NULL. */
gdyn_status gdyn_share_motion(gdyn_shared *shared, gdyn_path_dynamics *dynamics, int rows,
                              int count, const gdyn_sample *sample, const double *before,
                              const gdyn_share_settings *settings, gdyn_share_visitor *visit,
                              void *context);
/* The loads of the drives (open), with the forces of the samples. */
void gdyn_shared_loads(const gdyn_shared *shared, const gdyn_path_dynamics *dynamics,
                       const gdyn_sample *sample, gdyn_loads *loads);
/* The row with the largest step between samples, or jump, as a share of its unit; -1: none. */
int gdyn_shared_greatest(const gdyn_shared *shared, bool jump);
void gdyn_shared_clear(gdyn_shared *shared);
/* The fastest motion as samples (traverse->points of them), d2 before each. */
void gdyn_share_samples(const gdyn_traverse *traverse, gdyn_sample *sample, double *before);
