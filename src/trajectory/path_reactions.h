/* path_reactions.h - joint reactions along a trajectory: at rest or in a given motion. */
#pragma once

#include "path/rank_loss.h"
#include "reactions/combinations.h"
#include "reactions/reactions.h"
#include "trajectory/trajectory.h"

/* One pose: an analysis with values (or without), and where it was made. */
typedef struct gdyn_reaction_frame {
    const char *trajectory;  /* NULL: the assembled first guess */
    double p, d1, d2;        /* on a trajectory */
    const char *motion;      /* "held", "driven", "released", "unbalanced", "unassembled", ... */
    bool values;             /* value, lambda, ... of `r` are those of this pose */
    const gdyn_reactions *r; /* NULL: not assembled */
    const gdyn_combinations *combinations; /* NULL: not searched for */
} gdyn_reaction_frame;

/* What is known of every pose, point-major, and of the trajectory as a whole. */
typedef struct gdyn_path_reactions {
    const char *name, *unit; /* of the trajectory; unit: of p */
    const gdyn_reactions *r; /* names and units */
    int points, components;
    double *p;             /* points */
    double *value;         /* points x components; NAN: not unique or not known */
    gdyn_verdict *verdict; /* points x components */
    int *rank;    /* points: of constraints and drives without static friction, -1: not assembled */
    int analysed; /* points so far */
    int assembled, balanced, doubtful; /* points: of them, with values, near singular */
    const gdyn_track *track;
    gdyn_ranks ranks;
    gdyn_stretch *stretch; /* points: room */
    /* inside */
    gdyn_reactions *analysis;        /* r */
    const gdyn_motion_table *motion; /* NULL: at rest */
    struct gdyn_arena *arena;
    struct gdyn_path_place *place;
    struct gdyn_regular *regular;  /* of motions in the travel */
    double *u, *udot, *u_p, *u_pp; /* n */
} gdyn_path_reactions;

/* The path is followed, unless it was; motion: NULL or without rows: at rest at its points. All is
 * borrowed, r for the analyses. To be closed in any case. */
gdyn_status gdyn_path_reactions_open(gdyn_path_reactions *along, gdyn_trajectory *t,
                                     gdyn_reactions *r, const gdyn_motion_table *motion);
/* Analyses the next point, along->analysed, by the methods whose bits are set (0: all). The frame
 * holds until the next call; the combinations, empty before, are the caller's to free. */
gdyn_status gdyn_path_reactions_next(gdyn_path_reactions *along, unsigned methods,
                                     gdyn_reaction_frame *frame, gdyn_combinations *combinations);
/* The first point from i on whose rank is below the generic one (own verdicts); -1: none. */
int gdyn_path_reactions_lower(const gdyn_path_reactions *along, int i);
void gdyn_path_reactions_close(gdyn_path_reactions *along);
/* Stretches of one verdict of a component into along->stretch; their number. */
int gdyn_path_reactions_stretches(const gdyn_path_reactions *along, int component);
/* The component is unique at every point. */
bool gdyn_path_reactions_unique(const gdyn_path_reactions *along, int component);
