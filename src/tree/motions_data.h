/* motions_data.h - the plan of a machine's motions and the poses in its lanes (internal to tree). */
#ifndef GDYN_TREE_MOTIONS_DATA_H
#define GDYN_TREE_MOTIONS_DATA_H

#define GDYN_LANES 4

#include "base/memory.h"
#include "linalg/lanes.h"
#include "mech/state.h"
#include "tree/internal.h"
#include "tree/motions.h"

/* Coordinates of a leg and the hubs at most. */
enum { GDYN_MOTION_ROWS = 12 };
/* A coordinate on the way from a body to the ground. */
typedef struct gdyn_motion_part {
    int coordinate, body; /* body: outboard of its joint */
    int row;              /* in its block */
} gdyn_motion_part;

/* Coordinates of a leg, and of the hubs when a body of the leg hangs on one; or those of the hubs. */
typedef struct gdyn_motion_block {
    int own, rows; /* own: of the leg, the first ones */
    int first;     /* row of G */
    int body, bodies;
} gdyn_motion_block;

/* What works in the lanes, in one of its translations. */
typedef struct gdyn_motions_kernel {
    bool (*take)(gdyn_tree_motions *m, const gdyn_state *const state[GDYN_MOTIONS_AT_ONCE],
                 const double *const map[GDYN_MOTIONS_AT_ONCE]);
    void (*add_force)(const gdyn_tree_motions *m, int body,
                      const double *const force[GDYN_MOTIONS_AT_ONCE],
                      double *const along[GDYN_MOTIONS_AT_ONCE]);
    void (*loads)(const gdyn_tree_motions *m, gdyn_motion_load *const load[GDYN_MOTIONS_AT_ONCE]);
    void (*mass)(gdyn_tree_motions *m, double *const M[GDYN_MOTIONS_AT_ONCE]);
    void (*basis)(const gdyn_tree_motions *m, double *const N[GDYN_MOTIONS_AT_ONCE]);
} gdyn_motions_kernel;
extern const gdyn_motions_kernel gdyn_motions_kernel_plain, gdyn_motions_kernel_avx;

struct gdyn_tree_motions {
    const gdyn_motions_kernel *kernel;
    const gdyn_tree *tree;
    int f, comps; /* motions; velocities of a body */
    int blocks;   /* legs, then the hubs */
    gdyn_motion_block *block;
    int *of;     /* bodies: their block */
    int *listed; /* bodies, block by block */
    int *first;  /* bodies + 1: parts of each */
    gdyn_motion_part *part;
    double *unit; /* hubs' coordinates: L of slides, 1 of turns */
    /* the poses */
    gdyn_wide3 *r, *p, *R; /* bodies: centre, joint's point, columns of the rotation */
    gdyn_wide3 *e;         /* coordinates: axis with the joint's sign */
    gdyn_lanes *J;         /* parts x comps: the body's velocity per rate of the coordinate */
    gdyn_lanes *MJ;        /* parts x comps: mass of the body times that */
    gdyn_lanes *G;         /* rows of all blocks x f: rates of the coordinates per motion */
    gdyn_arena *arena;
};

#endif
