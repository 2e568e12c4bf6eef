/* path_dynamics.h - coefficients A, B, C, D, V and limits at any place of a path: from a machine
 * that follows a trajectory, or from a table, linear between its rows. */
#pragma once

#include "base/api.h"
#include "access/evaluate.h"

#include <signal.h>

GDYN_API_BEGIN

typedef struct gdyn_path_dynamics gdyn_path_dynamics;

/* A machine on a trajectory; NULL when there is no memory. gdyn_path_dynamics_follow comes next. */
gdyn_path_dynamics *gdyn_path_dynamics_machine(const gdyn_model *model, const gdyn_path *path);
/* The same for a path already followed with its singular places known; both are borrowed. */
gdyn_path_dynamics *gdyn_path_dynamics_followed(const gdyn_path *path, const gdyn_track *track,
                                                const gdyn_singularities *singular);
/* Assembles the machine along the path (not for a table), and finds jumps of its coefficients. */
gdyn_status gdyn_path_dynamics_follow(gdyn_path_dynamics *dynamics);

/* A table of points with p ascending; every point has the same k and r. Everything is copied.
 * Points with equal p leave a jump: the first one ends the piece before, the last one begins the
 * next. */
gdyn_path_dynamics *gdyn_path_dynamics_table(int points, const double *p,
                                             const gdyn_coefficients *coefficients);
/* Places that are known already with their regions (NULL: not made), nothing between them: the
 * nearest one answers. Borrowed; k and r may differ from place to place. */
gdyn_path_dynamics *gdyn_path_dynamics_places(int points, const double *p,
                                              const gdyn_coefficients *const *coefficients,
                                              gdyn_region *const *region);
void gdyn_path_dynamics_destroy(gdyn_path_dynamics *dynamics);

double gdyn_path_dynamics_first(const gdyn_path_dynamics *dynamics);
double gdyn_path_dynamics_last(const gdyn_path_dynamics *dynamics);
int gdyn_path_dynamics_points(const gdyn_path_dynamics *dynamics);
double gdyn_path_dynamics_p(const gdyn_path_dynamics *dynamics, int i);
int gdyn_path_dynamics_rows(const gdyn_path_dynamics *dynamics); /* most limit rows at a place */
int gdyn_path_dynamics_redundancy(const gdyn_path_dynamics *dynamics); /* most columns of V */

/* Coefficients at p, valid until the next call; *found says whether the machine can be there. */
gdyn_status gdyn_path_dynamics_at(gdyn_path_dynamics *dynamics, double p,
                                  const gdyn_coefficients **coefficients, gdyn_point_status *found);
/* Places requested after the next one, in this order, to be computed together. Count 0: unknown. */
void gdyn_path_dynamics_ahead(gdyn_path_dynamics *dynamics, int count, const double *p);
/* The region of p where it is known already; it stays, as do its coefficients. NULL: unknown. */
const gdyn_region *gdyn_path_dynamics_region(const gdyn_path_dynamics *dynamics, double p);
/* The machine at the path's own points, NULL for a table. */
const gdyn_track *gdyn_path_dynamics_track(const gdyn_path_dynamics *dynamics);

/* The force that a row limits: a drive; drives + a static friction; -1: none. Tables: the row. */
int gdyn_path_dynamics_effort(const gdyn_path_dynamics *dynamics, int row);
/* The row limits a drive's force. */
bool gdyn_path_dynamics_driven(const gdyn_path_dynamics *dynamics, int row);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The first place between p = from and p = to where the drives lose control of a freedom so that
 * nothing leads across it; NULL: none (always for a table). After gdyn_path_dynamics_follow. */
const gdyn_singularity *gdyn_path_dynamics_block(const gdyn_path_dynamics *dynamics, double from,
                                                 double to);
/* Places (in the present parameter) where a machine's coefficients jump: dry forces change their
 * sign there, come or go (path/reversal.c), or the path's second derivative jumps (path/regular.h).
 * The new ones hold from there on. */
int gdyn_path_dynamics_breaks(const gdyn_path_dynamics *dynamics);
double gdyn_path_dynamics_break(const gdyn_path_dynamics *dynamics, int i);
/* Knots of a path (in the present parameter, ascending) that motions are to be looked at. */
int gdyn_path_dynamics_knots(const gdyn_path_dynamics *dynamics);
double gdyn_path_dynamics_knot(const gdyn_path_dynamics *dynamics, int i);
bool gdyn_path_dynamics_closed(
    const gdyn_path_dynamics *dynamics); /* the machine comes back to where it began */
/* Called with the number of places evaluated so far, to display progress; NULL: none. */
void gdyn_path_dynamics_watch(gdyn_path_dynamics *dynamics,
                              void (*watch)(void *context, long places), void *context);
/* While the flag is not zero gdyn_path_dynamics_at is GDYN_ERROR_INTERRUPTED; NULL: none. */
void gdyn_path_dynamics_halt(gdyn_path_dynamics *dynamics, const volatile sig_atomic_t *flag);
/* p is replaced by the travel where it does not keep moving along the path: places, speeds and
 * coefficients are in it from then on. A given motion in p needs p, which is the parameter at
 * first. */
gdyn_status gdyn_path_dynamics_regularize(gdyn_path_dynamics *dynamics);
/* The present parameter at p. */
double gdyn_path_dynamics_present(const gdyn_path_dynamics *dynamics, double p);
/* After gdyn_path_dynamics_at at a place that was found: the same with the pose displaced along its
 * estimated error by `distance` (without unit); *error is the size of that error, 0 where the pose
 * does not depend on the way there (then nothing is displaced) or cannot be displaced. */
gdyn_status gdyn_path_dynamics_displaced(gdyn_path_dynamics *dynamics, double distance,
                                         const gdyn_coefficients **coefficients, double *error);
/* Limits on the rate of each limit row (of a drive's force its first row; of a joint's
 * acceleration: jerk), INFINITY: none; *rate NULL when none is limited. Of a table they are set
 * (rows entries, copied). */
gdyn_status gdyn_path_dynamics_rates(gdyn_path_dynamics *dynamics, const double **rate);
gdyn_status gdyn_path_dynamics_set_rates(gdyn_path_dynamics *dynamics, const double *rate);
/* After gdyn_path_dynamics_at: speed of each drive for d1 = 1 (k of the machine); false: table. */
bool gdyn_path_dynamics_speeds(const gdyn_path_dynamics *dynamics, double *speed);
/* The same of the drive of each row, NAN: not known; drives: room for the speeds of all drives. */
void gdyn_path_dynamics_row_speeds(const gdyn_path_dynamics *dynamics, int rows, double *drives,
                                   double *speed);
/* The same: how the machine moves along the path there; false for a table. */
bool gdyn_path_dynamics_motion(const gdyn_path_dynamics *dynamics, gdyn_path_rates *rates);
/* After gdyn_path_dynamics_at: the machine there, NULL for a table. */
const gdyn_state *gdyn_path_dynamics_state(const gdyn_path_dynamics *dynamics);

/* --- in a parameter that keeps moving, and piece by piece (path/regular.h) -------------------- */

/* Whether the path rests there: p goes on, the machine does not. */
bool gdyn_path_dynamics_rests(const gdyn_path_dynamics *dynamics, double p);
/* Makes the machine stop, too, where dry forces change or the path's second derivative jumps and a
 * row with a limit on its rate would have to jump with a continuous d2: no choice of the internal
 * forces before and behind leaves it as it is. After gdyn_path_dynamics_regularize, until
 * gdyn_path_dynamics_follow. The first `most` such places (p) into place, their number into *count.
 * avoidable: at some, a jump of d2 would do. */
gdyn_status gdyn_path_dynamics_stop_at_jumps(gdyn_path_dynamics *dynamics, const double *rate,
                                             int most, double *place, int *count, bool *avoidable);
/* Intervals of p in which the machine stands still; their number, at most `most`. */
int gdyn_path_dynamics_dwells(const gdyn_path_dynamics *dynamics, int most, double (*dwell)[2]);
/* Restricts the path to from..to until gdyn_path_dynamics_whole; ends are seen from inside. */
void gdyn_path_dynamics_window(gdyn_path_dynamics *dynamics, double from, double to);
void gdyn_path_dynamics_whole(gdyn_path_dynamics *dynamics);
/* True when the present parameter is the travel, which differs from p. */
bool gdyn_path_dynamics_travels(const gdyn_path_dynamics *dynamics);
/* The value of d1 = 1 at p in the present parameter. */
double gdyn_path_dynamics_unit(gdyn_path_dynamics *dynamics, double p);
/* p and d1, d2 that belong to s and ds/dt, d2s/dt2. At a rest d1 and d2 do not exist: NAN. */
void gdyn_path_dynamics_original(gdyn_path_dynamics *dynamics, double s, double *p, int count,
                                 double *d1, double *d2);
