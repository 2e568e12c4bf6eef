/* supply.h - coefficients A, B, C, D, V and limits at any place of a path: from a machine that
 * follows a trajectory, or from a table, linear between its rows. */
#ifndef GDYN_TRAVERSE_SUPPLY_H
#define GDYN_TRAVERSE_SUPPLY_H

#include "base/api.h"
#include "access/evaluate.h"

GDYN_API_BEGIN

typedef struct gdyn_supply gdyn_supply;

/* A machine on a trajectory; NULL when there is no memory. gdyn_supply_follow comes next. */
gdyn_supply *gdyn_supply_machine(const gdyn_model *model, const gdyn_path *path);
/* Assembles the machine along the path (a table needs nothing). */
gdyn_status gdyn_supply_follow(gdyn_supply *supply);

/* A table of points with p ascending; every point has the same k and r. Everything is copied.
 * Points with equal p leave a jump: the first one ends the piece before, the last one begins the
 * next. */
gdyn_supply *gdyn_supply_table(int points, const double *p, const gdyn_coefficients *coefficients);
/* Places that are known already, nothing between them: the nearest one answers. Borrowed; k and r may
 * differ from place to place. */
gdyn_supply *gdyn_supply_places(int points, const double *p,
                                const gdyn_coefficients *const *coefficients);
void gdyn_supply_destroy(gdyn_supply *supply);

/* The first place between p = from and p = to where the drives lose a freedom so that nothing leads across
 * it; NULL: none (always for a table). After gdyn_supply_follow. */
const gdyn_singularity *gdyn_supply_block(const gdyn_supply *supply, double from, double to);

double gdyn_supply_first(const gdyn_supply *supply);
double gdyn_supply_last(const gdyn_supply *supply);
int gdyn_supply_points(const gdyn_supply *supply);
double gdyn_supply_p(const gdyn_supply *supply, int i);
bool gdyn_supply_jumps(const gdyn_supply *supply, int i); /* a table has other coefficients just
                                                             before and at point i */
/* Places (in the present parameter) where a machine's coefficients jump: dry forces change their sign
 * there, come or go (path/reversal.h). The new ones hold from there on. */
int gdyn_supply_breaks(const gdyn_supply *supply);
double gdyn_supply_break(const gdyn_supply *supply, int i);
int gdyn_supply_rows(const gdyn_supply *supply);       /* most limit rows at a place */
int gdyn_supply_redundancy(const gdyn_supply *supply); /* most columns of V */
bool gdyn_supply_closed(const gdyn_supply *supply); /* the machine comes back to where it began */

/* Coefficients at p, valid until the next call; *found says whether the machine can be there. */
gdyn_status gdyn_supply_at(gdyn_supply *supply, double p, const gdyn_coefficients **coefficients,
                           gdyn_point_status *found);
/* Is told at every place how many were asked for so far: for a display of progress. NULL: nobody is. */
void gdyn_supply_watch(gdyn_supply *supply, void (*watch)(void *context, long places),
                       void *context);
/* The machine at the path's own points, NULL for a table. */
const gdyn_track *gdyn_supply_track(const gdyn_supply *supply);
/* After gdyn_supply_at at a place that was found: the same with the pose displaced along its estimated
 * error by `distance` (without unit); *error is the size of that error, 0 where the pose does not
 * depend on the way there (then nothing is displaced) or cannot be displaced. */
gdyn_status gdyn_supply_displaced(gdyn_supply *supply, double distance,
                                  const gdyn_coefficients **coefficients, double *error);
/* --- another parameter, pieces (traverse alone uses these; see regular.h) ---------------------- */

/* Where the path derivative vanishes (cusps), p is replaced by a parameter s that keeps moving: all
 * of the above then speaks of s. Nothing happens on a path without cusps, and for a table. */
gdyn_status gdyn_supply_regularize(gdyn_supply *supply);
/* Back to p, and to the whole path. */
void gdyn_supply_restore(gdyn_supply *supply);
/* Places (in the present parameter, between the ends) where every motion must stop: cusps at which
 * the direction turns, corners of polylines. */
int gdyn_supply_stops(const gdyn_supply *supply);
double gdyn_supply_stop(const gdyn_supply *supply, int i);
/* Makes the machine stop, too, where dry forces change and a force with a limit on its rate (of each row)
 * would have to jump: no choice of the internal forces before and behind leaves it as it is. After
 * gdyn_supply_regularize, until gdyn_supply_restore. The first `most` such places (p) into place, their
 * number into *count. */
gdyn_status gdyn_supply_stop_at_jumps(gdyn_supply *supply, const double *rate, int most,
                                      double *place, int *count);
/* Intervals of p in which the machine stands still; their number, at most `most`. After
 * gdyn_supply_regularize. */
int gdyn_supply_dwells(const gdyn_supply *supply, int most, double (*dwell)[2]);
/* Only the part from..to of the path is there until gdyn_supply_restore; both ends are seen from
 * inside. */
void gdyn_supply_window(gdyn_supply *supply, double from, double to);
/* p and d1, d2 that belong to s and ds/dt, d2s/dt2. GDYN_ERROR_NUMERIC where the machine cannot be. */
gdyn_status gdyn_supply_original(gdyn_supply *supply, double s, double *p, int count, double *d1,
                                 double *d2);

/* Limits on the rate of the force of each limit row's drive (rows behind a drive's first one: INFINITY);
 * *rate NULL when none is limited. Of a table they are set (rows entries, copied). */
gdyn_status gdyn_supply_rates(gdyn_supply *supply, const double **rate);
gdyn_status gdyn_supply_set_rates(gdyn_supply *supply, const double *rate);

/* Drive of a limit row (a table: the row itself; static friction: drives + its number). */
int gdyn_supply_drive(const gdyn_supply *supply, int row);
/* The row is static friction, not a drive's. */
bool gdyn_supply_friction(const gdyn_supply *supply, int row);
/* After gdyn_supply_at: speed of each drive for d1 = 1 (k of the machine); false for a table. */
bool gdyn_supply_speeds(const gdyn_supply *supply, double *speed);
/* After gdyn_supply_at: the machine there, NULL for a table. */
const gdyn_state *gdyn_supply_state(const gdyn_supply *supply);

GDYN_API_END

#endif
