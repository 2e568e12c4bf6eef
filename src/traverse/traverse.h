/* traverse.h - the fastest motion p(t) along a path on the exact accessible regions.
 *
 * With x = d1^2 as a function of p, dx/dp = 2 d2. The path is cut into segments in which d2 is
 * linear in p; it may jump between them. Three results belong together:
 *   the motion: both ends of every segment lie in their accessible regions, whose limits have been
 *     tightened by what an audit on a finer grid found missing, until nothing is missing;
 *   the upper bound of the traverse time: the time of that motion;
 *   the lower bound: a relaxed problem that no motion can beat (bound.c).
 * The grid is refined until the bounds agree. Theory: docs/traverse.md. */
#pragma once

#include "base/api.h"
#include "traverse/path_dynamics.h"

GDYN_API_BEGIN

typedef struct gdyn_traverse_settings {
    double start_speed, end_speed; /* d1 at the ends; NAN: free; default 0 */
    bool periodic;                 /* d1 at the end equals that at the start, both free */
    double tolerance;              /* of the bounds, relative to the time; default 1e-3 */
    int max_points;                /* of the grid; default 2001 */
    bool bounds, audit;            /* work out bounds; audit and tighten; default true; with neither
                                      the dynamics's own points are the grid */
    bool certificate;              /* find the smallest relaxation; default true */
    double relax;                  /* all limits are relaxed by this share of half their range
                                      (negative: tightened); default 0 */
    /* bound of the rate of each limit row, per second, INFINITY: none; NULL: none is limited */
    const double *rate;
} gdyn_traverse_settings;

gdyn_traverse_settings gdyn_traverse_default(void);

typedef enum gdyn_traverse_status {
    GDYN_TRAVERSE_OK,
    GDYN_TRAVERSE_UNFOLLOWED, /* the machine cannot be assembled or followed at `place` */
    GDYN_TRAVERSE_EMPTY,      /* nothing is accessible at `place` */
    GDYN_TRAVERSE_CURVE, /* drives do not control every motion: d2 is given by d1, and none with the
                                 wanted ends keeps the limits beyond `place` */
    GDYN_TRAVERSE_BLOCKED, /* regions are open, but no motion leads through `place` to the end */
    GDYN_TRAVERSE_START,   /* the speed at the start leads into a dead end */
    GDYN_TRAVERSE_REST,    /* the drives cannot leave (or come to) rest at `place` */
    /* the drives lose control of a freedom, or the constraints rank, at `place` (to `place_end`) */
    GDYN_TRAVERSE_SINGULAR,
    GDYN_TRAVERSE_RATE /* without rate limits there is a motion, with them none was found */
} gdyn_traverse_status;

const char *gdyn_traverse_status_name(gdyn_traverse_status status);

/* One point of the motion. */
typedef struct gdyn_motion_point {
    double p, t, d1,
        d2; /* d2 where the segment behind p begins (last point: ends); NAN at a rest of the path */
    double d2_before; /* d2 where the segment before p ends */
    /* the same in the coordinate in which the motion is known: the travel s, ds/dt, d2s/dt2 where p
     * does not keep moving (path/regular.h), else p, d1, d2. Between two points d2s/dt2 is linear
     * in s. */
    double s, s1, s2, s2_before;
    double s1_low, s1_high, s1_max; /* of the next three */
    double k_low, k_high; /* controllable speeds: from here the end can be reached; NAN: none */
    double d1_max;        /* largest accessible d1 (maximum-velocity curve), INFINITY possible */
    gdyn_limit limit[GDYN_ACTIVE_MAX]; /* what bounds the segment that begins here */
    int limit_count;                   /* 0: nothing */
    bool switching;                    /* another side bounds the segment before */
} gdyn_motion_point;

typedef struct gdyn_audit_point {
    double p, d1, d2, violation; /* share of half the range of the worst limit; <= 0: none */
} gdyn_audit_point;

#define GDYN_DWELLS_MOST 16
#define GDYN_LEAPS_MOST  8

/* Beside p, where nothing bounds d2, d1 changes within an arbitrarily short distance, but not at
 * once; or from p to p_end nothing bounds d1. */
typedef struct gdyn_leap {
    double p, p_end;       /* p_end > p: a stretch without bounds */
    double d1_from, d1_to; /* INFINITY in a stretch */
    int limit_count;
    gdyn_limit limit[GDYN_ACTIVE_MAX]; /* limits whose inequality loses its influence on d2 there */
} gdyn_leap;

typedef struct gdyn_traverse {
    gdyn_traverse_status status;
    bool travels; /* the coordinate s of the points is the travel; else it is p */
    int points, capacity;
    gdyn_motion_point *point;  /* also where no motion exists: p, controllable speeds, d1_max */
    double time, lower, upper; /* NAN: not known */
    bool converged;            /* bounds agree within the tolerance, limits are kept */
    int audits;
    gdyn_audit_point *audit;       /* ten per segment */
    double violation, violation_p; /* largest of them */
    /* what the error of poses that depend on the way there may do to a limit, in half ranges (it is
     * in the bounds); 0: nothing */
    double drift;
    int dwells;
    double dwell[GDYN_DWELLS_MOST]
                [2]; /* p from and to: the machine stands still there although p moves on;
                                          nothing bounds d1, so it takes no time */
    int jumps;
    double jump
        [GDYN_DWELLS_MOST]; /* p: the motion stops where rows with limits on their rate would have
                               to jump, as dry forces or the path's second derivative do */
    /* Bounds of the time. Where no motion is the fastest, since it would have to leap (leaps > 0),
     * times of motions come as near as wished to one between them, but do not reach it. */
    double infimum[2];
    int leaps;
    gdyn_leap leap[GDYN_LEAPS_MOST];
    /* When there is no motion: */
    double place, place_end;      /* where: an interval of p */
    gdyn_certificate certificate; /* limits that exclude each other there */
    double relaxation;            /* all limits giving way by this share of half their range open
                                     the path; INFINITY: does not help; NAN: not looked for */
    double start_low, start_high; /* speeds the start can be left with (status START) */
    /* With limits on rates (NAN, NULL without): */
    double free_time;  /* of the fastest motion without them */
    double rate_error; /* change of the time by the last refinement of the grid, relative */
    /* all limits and rates giving way by this share allow a motion (status RATE) */
    double rate_excess;
    double *force; /* points x rows: the forces are part of the plan */
    int rows;
} gdyn_traverse;

gdyn_traverse *gdyn_traverse_create(void);
void gdyn_traverse_destroy(gdyn_traverse *traverse);
/* settings NULL: default. Afterwards the dynamics use the points' s (path_dynamics.h). */
gdyn_status gdyn_traverse_run(gdyn_traverse *traverse, gdyn_path_dynamics *dynamics,
                              const gdyn_traverse_settings *settings);

GDYN_API_END
