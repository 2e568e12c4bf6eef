/* place.h - the machine at any p of a followed path, also between the points of its track. */
#pragma once

#include "path/path.h"

typedef struct gdyn_follower gdyn_follower;

/* Where the machine stands, and how. Read only. */
typedef struct gdyn_path_place {
    double p;
    /* as of a track's points; the rest holds where it is OK or SINGULAR */
    gdyn_point_status status;
    gdyn_state *state;    /* the pose; the best one found where UNASSEMBLED */
    double *u_p, *u_pp;   /* n: derivatives along the path */
    gdyn_target *targets; /* of the path at p, gdyn_path_targets of them */
    gdyn_closure_rates rates;
    double residual; /* greatest scaled residual of the constraints */
    int worst_joint; /* where it is, -1: the path itself */
    double *drift;   /* n: estimated error of the pose where it depends on the way, as in
                                 a track; else 0 */
    double error;    /* its size without unit (shares of L, rad) */
    /* --- internal --- */
    const gdyn_path *path;
    const gdyn_track *track;
    gdyn_closure *closure;
    bool lent; /* the closure */
    gdyn_follower *follower;
    bool stands; /* the follower is at `at`, at a regular pose of the path */
    double at;
    bool integrate; /* poses depend on the way */
    int node; /* the follower's factors are those of this point of the track; -1: of another pose */
    int coarse; /* the points from this one to the next are too far apart for interpolation; -1 */
    int rank;   /* of regular poses, 0: not determined yet */
    struct gdyn_arena *arena;
} gdyn_path_place;

/* A place on a path; the track may be followed later, but before gdyn_path_place_at. Both are
 * borrowed. NULL on lack of memory. */
gdyn_path_place *gdyn_path_place_create(const gdyn_path *path, const gdyn_track *track);
/* The same in a closure that is lent to it, and renewed. */
gdyn_path_place *gdyn_path_place_borrow(const gdyn_path *path, const gdyn_track *track,
                                        gdyn_closure *closure);
void gdyn_path_place_destroy(gdyn_path_place *place);
/* Forgets what is known of the track: after it was followed anew. */
void gdyn_path_place_reset(gdyn_path_place *place);

/* Goes to p, which lies in the path's range (up to rounding; GDYN_ERROR_ARGUMENT elsewhere). The
 * machine is led there by the same steps, with the same guards against leaving its branch, as along
 * the track: from where it stands, or from the nearest regular point of the track. Where the pose
 * depends on the way it is interpolated between neighbouring points of the track or else led
 * forward, from the last such point before p; backward only before the first one and behind a
 * stretch that cannot be passed. At a point of the track that is regular the answer is that point.
 * Queries with ascending p are cheap. Allocates nothing. Status: OK; SINGULAR where u_p cannot be
 * had (misfit above GDYN_MISFIT_REGULAR, lower rank than elsewhere, or least singular value below
 * GDYN_LEAST_REGULAR; see internal.h); BRANCH where the machine can be closed but not led;
 * UNASSEMBLED where it cannot. */
gdyn_status gdyn_path_place_at(gdyn_path_place *place, double p);
/* Places that will be asked for after the next one, ascending (of more than GDYN_AHEAD - 1 the
 * first ones): where the way is smooth they are closed together. Count 0: none is known. */
void gdyn_path_place_ahead(gdyn_path_place *place, int count, const double *p);

/* After gdyn_path_place_at, where the error is not zero: displaces the machine along its drift by
 * that much (without unit) and closes it again; state, u_p, u_pp are those of the displaced pose.
 * False when it cannot be closed. For the effect of the error on a result. */
bool gdyn_path_place_displace(gdyn_path_place *place, double distance);

/* The machine's pose becomes a point of the place's track; returns its index, -1: no memory. Points
 * behind it are renumbered; other places on the track have to be reset. */
int gdyn_track_insert(gdyn_track *track, gdyn_path_place *place);

/* --- reversal.c ------------------------------------------------------------------------------- */

/* Places of a path where dry friction or a process force changes at once (a joint turns, begins to
 * move or comes to rest), and where the path's own bounds of the speed do. */
typedef struct gdyn_reversals {
    int count, capacity;
    /* count, ascending: the first p (to 1e-12 of the path) where the new heading holds */
    double *p;
    double near; /* this far before it the old one does */
} gdyn_reversals;

/* Looks between the regular points of the place's track: where a heading differs from one to the
 * next, and where a rate falls and rises again in between, so that it may have turned twice. Empty
 * for a machine without dry forces on a path without such bounds. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_reversals_find(gdyn_path_place *place, gdyn_reversals *reversals);
void gdyn_reversals_free(gdyn_reversals *reversals);
