/* motion.h - a given motion: its forces, their sharing among redundant drives, its limits. */
#pragma once

#include "base/api.h"
#include "traverse/path_dynamics.h"

GDYN_API_BEGIN

/* Each has one answer: where the first wish leaves a choice, the norm decides. */
typedef enum gdyn_sharing {
    GDYN_SHARE_NORM, /* smallest sum of squares, every drive in half its range */
    GDYN_SHARE_PEAK, /* smallest maximum utilisation: distance from the middle of the range */
    /* every drive as far above its min as requested, or as far as all together can be */
    GDYN_SHARE_PRELOAD,
    GDYN_SHARE_POWER /* smallest sum of |force x speed|; machines only (else norm) */
} gdyn_sharing;

/* "norm", "peak", "preload", "power", NULL. */
extern const char *const gdyn_sharing_names[];

/* Workspace. */
typedef struct gdyn_sharer gdyn_sharer;

/* Forces at a place of a motion. Arrays (gdyn_path_dynamics_rows) belong to the sharer. */
typedef struct gdyn_shares {
    gdyn_point_status found;
    int rows;
    bool possible;    /* the limits allow (d1, d2) */
    double violation; /* of the worst limit with the best distribution, in half ranges; <= 0:
                               none. For two-sided limits 1 + violation is the utilisation */
    gdyn_limit worst; /* a limit that decides it */
    const double *n;  /* forces (not possible: those of the minimum violation) */
    const double *low, *high; /* range of each force over all distributions that keep the limits */
    const double *min, *max;  /* limits at this speed */
} gdyn_shares;

/* A motion given at sampled places, in the parameter that its dynamics have: p, or the travel. */
typedef struct gdyn_sample {
    double t, p, d1, d2; /* t: NAN when not given */
} gdyn_sample;

/* How a motion runs between two samples. */
typedef enum gdyn_between {
    /* d1^2 is the cubic in p with the samples' d1^2 and slopes 2 d2 (d2 linear in p: exactly) */
    GDYN_BETWEEN_P,
    GDYN_BETWEEN_T /* p is the polynomial of degree five in t with the samples' p, d1, d2 */
} gdyn_between;

/* The motion at time t between two samples: with d2 linear in p where the samples agree with that
 * (so do those of the fastest motion), else p is the polynomial of degree five in t with their p,
 * d1, d2. Position, speed and acceleration belong to each other. */
gdyn_sample gdyn_motion_at(const gdyn_sample *a, const gdyn_sample *b, double end_d2, double t);

/* Times of places that have none, zero at the first; false (and none) where the motion rests. */
bool gdyn_motion_times(int count, gdyn_sample *place);

/* A sample at which a limit is violated. */
typedef struct gdyn_violation {
    int at;             /* the sample; -1: none */
    gdyn_shares shares; /* without arrays */
    double amount;      /* in the unit of the force (of d1 for its limit); NAN: not known */
    double half_range;  /* half the range of the limit's row; INFINITY: it has none */
} gdyn_violation;

typedef struct gdyn_feasibility {
    bool feasible;
    gdyn_violation first, worst;
    double slowdown; /* smallest factor >= 1 on time that makes it feasible; INFINITY: none does */
    double margin;   /* largest factor on speed that keeps it feasible, when it is */
    int margin_at;   /* the sample that allows no more, -1: none */
    gdyn_limit margin_limit; /* a limit there that does not */
    double slowest;          /* smallest factor on speed of those that reach to these */
    /* p where the drives lose control of a freedom, also between samples; NAN: nowhere */
    double singular;
    int unfollowed; /* samples where the machine cannot be */
    int unchecked;  /* rows whose limits on rates are not checked */
} gdyn_feasibility;

/* An extreme value along a motion, and where; NAN: none. */
typedef struct gdyn_peak {
    double value, p, t;
} gdyn_peak;

/* What a drive does in a motion. */
typedef struct gdyn_drive_load {
    bool known;                    /* by the first row of a drive's force; other rows: false */
    gdyn_peak force, speed, power; /* largest amounts [N or N m, m/s or rad/s, W] */
    gdyn_peak reserve; /* smallest distance to a limit of force or speed, in half ranges of that
                          limit; < 0: violated; INFINITY: there is no limit */
    bool by_speed;     /* that limit is one of the speed */
    double rms;        /* of the force, over the time; NAN without times */
} gdyn_drive_load;

/* tolerance: violation that is forgiven, in half ranges. violation: count entries, or NULL. Where
 * places lie close together and nothing is redundant, the coefficients of most of them are
 * interpolated, with errors below 1e-9 of half a range (close.c). */
gdyn_status gdyn_motion_check(gdyn_path_dynamics *dynamics, int count, const gdyn_sample *sample,
                              double tolerance, double *violation, gdyn_feasibility *result);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Rates of the limit rows from sample to sample, which are the mean ones of every motion between
 * them, added to a result of gdyn_motion_check for the same motion with `stride` places per sample.
 * A motion that begins or ends at rest stands still before or afterwards. Rows that the internal
 * forces change are left out, and counted. derived: d1 and d2 come from t and p. rate: rows. limit:
 * of each sample, the rate that is violated most up to the next one (row -1: none), with its
 * `violation`, the excess as a share of the limit, unless that is larger. */
gdyn_status gdyn_motion_check_rates(gdyn_path_dynamics *dynamics, int count,
                                    const gdyn_sample *sample, bool derived, int stride,
                                    const double *rate, double tolerance, double *violation,
                                    gdyn_limit *limit, gdyn_feasibility *result);
/* The forces of which the loads are, and the loads: one for each limit row. */
typedef struct gdyn_loads {
    gdyn_sharing sharing;
    double preload;
    int rows;
    gdyn_drive_load *load; /* rows */
    /* --- internal --- */
    double *square, *before; /* rows: integral of n^2, n at the place before */
    gdyn_sample last;
    double time;
    bool begun;
} gdyn_loads;

/* gdyn_motion_check with the loads (open, or NULL). */
gdyn_status gdyn_motion_examine(gdyn_path_dynamics *dynamics, int count, const gdyn_sample *sample,
                                double tolerance, double *violation, gdyn_loads *loads,
                                gdyn_feasibility *result);
/* Loads of no motion yet, into `load` (rows); false: no memory. Close them in any case. */
bool gdyn_loads_open(gdyn_loads *loads, int rows, gdyn_drive_load *load);
/* The next place of the motion: forces, limits, units of all rows and the speeds of their drives
 * for d1 = 1 (NAN: not known). The dynamics were at a place with these rows. */
void gdyn_loads_add(gdyn_loads *loads, const gdyn_path_dynamics *dynamics, const gdyn_sample *at,
                    int rows, const double *n, const double *min, const double *max,
                    const double *unit, const double *speed);
/* Root mean squares, and places in p. */
void gdyn_loads_close(gdyn_loads *loads, gdyn_path_dynamics *dynamics);

gdyn_sharer *gdyn_sharer_create(gdyn_path_dynamics *dynamics);
void gdyn_sharer_destroy(gdyn_sharer *sharer);
/* preload: for GDYN_SHARE_PRELOAD, in the unit of force. ranges: work out low and high (without
 * them, GDYN_SHARE_PEAK gives any forces of smallest maximum utilisation: the quickest verdict). */
gdyn_status gdyn_sharer_at(gdyn_sharer *sharer, double p, double d1, double d2,
                           gdyn_sharing sharing, double preload, bool ranges, gdyn_shares *shares);
/* The same at a place whose coefficients are known; they have to stay as long as the shares. */
gdyn_status gdyn_sharer_with(gdyn_sharer *sharer, const gdyn_coefficients *coefficients, double d1,
                             double d2, gdyn_sharing sharing, double preload, bool ranges,
                             gdyn_shares *shares);
/* Units of the last rows (gdyn_force_unit); speeds of drives for d1 = 1 (not after _with). */
const double *gdyn_sharer_units(const gdyn_sharer *sharer);
void gdyn_sharer_speeds(gdyn_sharer *sharer, double *speed);
/* Coefficients of the last gdyn_sharer_at, NULL where the machine cannot be. */
const gdyn_coefficients *gdyn_sharer_coefficients(const gdyn_sharer *sharer);
/* Forces of the last gdyn_sharer_at (possible, with ranges) as far inside the range of every row as
 * all rows allow together; false when there are none. */
bool gdyn_sharer_centre(gdyn_sharer *sharer, double *n);
/* The sample at the share f (0..1) of the way, in p or in t; a d1 below zero becomes zero. end_d2:
 * d2 at the end of the way, which that of b need not be. */
gdyn_sample gdyn_motion_between(const gdyn_sample *a, const gdyn_sample *b, double end_d2,
                                gdyn_between how, double f);
/* The places at which a motion is looked at: every way from sample to sample in `each` steps, both
 * its ends included (at its end d2 is before[i], which NULL says is that of the sample), then the
 * last sample: (count - 1) (each + 1) + 1 of them, their number. */
int gdyn_motion_places(int count, const gdyn_sample *sample, const double *before, gdyn_between how,
                       int each, gdyn_sample *place);
/* p as it is seen from the way from..p: a corner of the path at p belongs to the way behind it. */
double gdyn_motion_end(const gdyn_path_dynamics *dynamics, double from, double p);
/* Largest accessible d1 at every sample (NAN: none), its limit by windows, which one (-1: none). */
gdyn_status gdyn_motion_reach(gdyn_path_dynamics *dynamics, int count, const gdyn_sample *sample,
                              double *d1_max, double *d1_limit, int *window);
/* d1 and d2 of samples given by t and p: derivatives of the polynomial through up to five
 * neighbours. False when t does not grow or there are fewer than three. */
bool gdyn_motion_differentiate(int count, gdyn_sample *sample);

/* Units in which forces of different drives are compared: half ranges (gdyn_problem_unit), none
 * more than 2^20 times the smallest one. Forces of least norm do not change by more than 2^-40 of
 * themselves, and keep their digits. */
double gdyn_force_unit(const gdyn_coefficients *q, int row);
