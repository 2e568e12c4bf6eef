/* rank_loss.h - where along a path the constraints lose rank.
 *
 * Generic rank r: the greatest met. sigma_r(p), the r-th singular value of scaled C over the
 * greatest, vanishes at constraint-singular poses. It is minimized between the path's points, so
 * such poses are found where no point lies. */
#pragma once

#include "path/path.h"

typedef struct gdyn_singular_pose {
    double p, within; /* within: half width of the bracket that is left */
    double sigma;     /* sigma_r there, relative */
    int rank;         /* there */
} gdyn_singular_pose;

typedef struct gdyn_rank_run { /* points of the path of one rank, in a row */
    double from, to;
    int rank;
} gdyn_rank_run;

typedef struct gdyn_ranks {
    int generic; /* -1: no point was assembled */
    int runs, poses;
    gdyn_rank_run *run;       /* runs */
    gdyn_singular_pose *pose; /* poses, in the order of p */
    double least, least_p;    /* least sigma_r met, and where */
} gdyn_ranks;

/* Whether the pivots that following left behind, or a point that is singular or on another branch,
 * tell that a search may find a pose; cheap. */
bool gdyn_ranks_suspect(const gdyn_track *track);
/* Smallest relative pivot of constraints and path at a point; INFINITY where not followed. */
double gdyn_track_pivot(const gdyn_track *track, int point);
/* Where singular values are taken. All but POINTS, for searches: only at minima of the pivots that
 * following left and at some points in between; `run` then has these points alone. */
typedef enum gdyn_ranks_look {
    GDYN_RANKS_POINTS,  /* at every point */
    GDYN_RANKS_CLOSEST, /* the closest approach is asked for, too */
    GDYN_RANKS_LOST     /* only what is lost: `least` is that of the places looked at */
} gdyn_ranks_look;
gdyn_status gdyn_ranks_find(const gdyn_path *path, const gdyn_track *track, gdyn_ranks_look look,
                            gdyn_ranks *out);
/* Poses, and runs of lower rank that hold none of them. */
int gdyn_ranks_losses(const gdyn_ranks *ranks);
void gdyn_ranks_free(gdyn_ranks *ranks);
