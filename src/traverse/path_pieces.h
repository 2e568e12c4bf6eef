/* path_pieces.h - path dynamics in a parameter that keeps moving, and piece by piece (internal to traverse; see
 * regular.h). */
#ifndef GDYN_TRAVERSE_PATH_PIECES_H
#define GDYN_TRAVERSE_PATH_PIECES_H

#include "traverse/path_dynamics.h"

/* Where the path derivative vanishes (cusps), p is replaced by a parameter s that keeps moving: path_dynamics.h then
 * speaks of s. Nothing happens on a path without cusps, and for a table. */
gdyn_status gdyn_path_dynamics_regularize(gdyn_path_dynamics *dynamics);
/* Back to p, and to the whole path. */
void gdyn_path_dynamics_restore(gdyn_path_dynamics *dynamics);
/* Places (in the present parameter, between the ends) where every motion must stop: cusps at which
 * the direction turns, corners of polylines. */
int gdyn_path_dynamics_stops(const gdyn_path_dynamics *dynamics);
double gdyn_path_dynamics_stop(const gdyn_path_dynamics *dynamics, int i);
/* Makes the machine stop, too, where dry forces change and a force with a limit on its rate (of each row)
 * would have to jump: no choice of the internal forces before and behind leaves it as it is. After
 * gdyn_path_dynamics_regularize, until gdyn_path_dynamics_restore. The first `most` such places (p) into place, their
 * number into *count. */
gdyn_status gdyn_path_dynamics_stop_at_jumps(gdyn_path_dynamics *dynamics, const double *rate,
                                             int most, double *place, int *count);
/* Intervals of p in which the machine stands still; their number, at most `most`. After
 * gdyn_path_dynamics_regularize. */
int gdyn_path_dynamics_dwells(const gdyn_path_dynamics *dynamics, int most, double (*dwell)[2]);
/* Only the part from..to of the path is there until gdyn_path_dynamics_restore; both ends are seen from
 * inside. */
void gdyn_path_dynamics_window(gdyn_path_dynamics *dynamics, double from, double to);
/* p and d1, d2 that belong to s and ds/dt, d2s/dt2. GDYN_ERROR_NUMERIC where the machine cannot be. */
gdyn_status gdyn_path_dynamics_original(gdyn_path_dynamics *dynamics, double s, double *p,
                                        int count, double *d1, double *d2);

#endif
