/* freedoms.h - motions with and without drives, and demands of a path that the machine cannot
 * meet. */
#ifndef GDYN_ACCESS_FREEDOMS_H
#define GDYN_ACCESS_FREEDOMS_H

#include "path/path.h"

/* A motion, described by the body that takes the greatest part in it. */
typedef struct gdyn_free_motion {
    int body;
    bool turns;          /* about `direction`, else it moves along it */
    double direction[3]; /* unit vector in ground axes */
    int others;          /* number of other bodies that move with it */
} gdyn_free_motion;

/* Motions that the constraints leave and no drive acts on, null(T^T N) with N = null(C), at a
 * closed pose: as many as are independent, at most `most` of them are written. Each has a
 * coordinate of its own in which the others do not move. Returns GDYN_OK, or why there is none:
 * memory, LAPACK. */
gdyn_status gdyn_undriven_motions(const gdyn_state *state, int most, gdyn_free_motion *motion,
                                  int *count);

/* An orthonormal basis of them in coordinates scaled by gdyn_mech_scales, as body velocities: U (n
 * x count; room for n x n). */
gdyn_status gdyn_undriven_basis(const gdyn_state *state, double *U, int *count);
/* The same of the motions that neither the constraints nor the path prescribe, null([C; E]), at a
 * pose closed there. */
gdyn_status gdyn_path_free_basis(const gdyn_path *path, const gdyn_state *state, double p,
                                 double *F, int *count);

/* Drives against mobility at a closed pose: the number of freedoms they control, rank[C^T T] - rank
 * C, and the drive redundancy r. */
gdyn_status gdyn_count_drives(const gdyn_state *state, int *controlled, int *redundancy);

/* What a path prescribes against what the machine can do. */
typedef struct gdyn_path_demand {
    int prescribed;   /* coordinates the path prescribes */
    int mobility;     /* n - rank C */
    int independent;  /* rank of E N: those of them the machine can move by themselves */
    bool blocked;     /* a point of the path cannot move in some direction that is prescribed */
    int tool;         /* blocked: that point, in the path's definition */
    double along[3];  /* blocked: that direction, a unit vector in ground axes */
    bool by_velocity; /* blocked: by rolling contacts or knife edges, not by the pose */
    int joint;        /* by_velocity: the first of these joints */
} gdyn_path_demand;

/* At a closed pose (of the path or near it). */
gdyn_status gdyn_path_demand_at(const gdyn_path *path, const gdyn_state *state, double p,
                                gdyn_path_demand *demand);
/* Where the track was not followed first: at the pose before, or where the machine closes without
 * the path. */
gdyn_status gdyn_path_demand_of(const gdyn_path *path, const gdyn_track *track,
                                gdyn_path_demand *demand);

#endif
