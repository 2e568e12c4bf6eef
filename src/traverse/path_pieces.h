/* path_pieces.h - path dynamics in a parameter that keeps moving, and piece by piece (internal to
 * traverse; see path/regular.h). */
#ifndef GDYN_TRAVERSE_PATH_PIECES_H
#define GDYN_TRAVERSE_PATH_PIECES_H

#include "traverse/path_dynamics.h"

/* Back to p, and to the whole path. */
gdyn_status gdyn_path_dynamics_restore(gdyn_path_dynamics *dynamics);
/* Places (in the present parameter, between the ends) where every motion must stop: rests at which
 * the direction turns, or the curvature is unbounded, and corners. */
int gdyn_path_dynamics_stops(const gdyn_path_dynamics *dynamics);
double gdyn_path_dynamics_stop(const gdyn_path_dynamics *dynamics, int i);
/* Makes the machine stop, too, where dry forces change and a force with a limit on its rate (of
 * each row) would have to jump: no choice of the internal forces before and behind leaves it as it
 * is. After gdyn_path_dynamics_regularize, until gdyn_path_dynamics_restore. The first `most` such
 * places (p) into place, their number into *count. */
gdyn_status gdyn_path_dynamics_stop_at_jumps(gdyn_path_dynamics *dynamics, const double *rate,
                                             int most, double *place, int *count);
/* Intervals of p in which the machine stands still; their number, at most `most`. */
int gdyn_path_dynamics_dwells(const gdyn_path_dynamics *dynamics, int most, double (*dwell)[2]);
/* Only the part from..to of the path is there until gdyn_path_dynamics_whole; both ends are seen
 * from inside. */
void gdyn_path_dynamics_window(gdyn_path_dynamics *dynamics, double from, double to);
void gdyn_path_dynamics_whole(gdyn_path_dynamics *dynamics);
/* True when the present parameter is the travel, which differs from p. */
bool gdyn_path_dynamics_travels(const gdyn_path_dynamics *dynamics);
/* The value of d1 = 1 at p in the present parameter. */
double gdyn_path_dynamics_unit(gdyn_path_dynamics *dynamics, double p);
/* p and d1, d2 that belong to s and ds/dt, d2s/dt2. At a rest d1 and d2 do not exist: NAN. */
void gdyn_path_dynamics_original(gdyn_path_dynamics *dynamics, double s, double *p, int count,
                                 double *d1, double *d2);

#endif
