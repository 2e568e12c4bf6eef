/* points_data.h - the compiled plans of a machine, for poses and for free motions, and what stands
 * in the lanes (internal to tree). */
#pragma once

#define GDYN_LANES 4
#include "base/memory.h"
#include "linalg/lanes.h"
#include "mech/row.h"
#include "mech/state.h"
#include "tree/internal.h"
#include "tree/points.h"

_Static_assert(GDYN_LANES == GDYN_AT_ONCE, "one lane per pose");

/* Poses with smaller pivots are left to the careful way. */
static const double GDYN_POINTS_CLEAR = 1e-3;

/* A group of rows in the lanes. */
typedef struct gdyn_row_group {
    gdyn_row_shape s;
    double arm_a[3], arm_b[3], m0[3], e0[3]; /* at the base, ground axes */
    double value0;                           /* TURN: angle at the base */
    gdyn_wide3 xa, xb, d, mw, ew;            /* points, a's less b's; directions */
} gdyn_row_group;

/* Conditions of one leg, or of all hubs, in the lanes. */
typedef struct gdyn_point_block {
    int rows, width, first_group, groups; /* as in the plan */
    const int *coordinate;
    gdyn_lanes *A;                                   /* rows x width */
    gdyn_lanes X[GDYN_BLOCK_MOST * GDYN_BLOCK_MOST]; /* inverse of the own part */
    gdyn_lanes sign; /* of its determinant: the determinant itself */
    gdyn_lanes b[GDYN_BLOCK_MOST];
} gdyn_point_block;

struct gdyn_tree_points {
    const gdyn_tree *tree;
    const gdyn_state *base;
    bool fits, planar;
    int max_goals, goals;
    gdyn_leg_plan plan; /* the machine's, with the goals at the end of lists of its own */
    gdyn_row_group *group;
    const gdyn_point_term *term;
    gdyn_point_block *block; /* legs, then the hubs */
    int blocks;
    const double *scale, *per_joint; /* coordinates: L or 1; 1 over it */
    double *axis, *arm,
        *reach; /* at the base: axes with their signs; body's joint point to its centre; inboard
                                   centre to the joint's point */
    /* lanes */
    gdyn_lanes *dq, *x; /* coordinates: from the base; a step, or rates */
    gdyn_lanes *rate, *acceleration;
    gdyn_lanes *turn;      /* bodies, in the plane: angle from the base */
    gdyn_wide3 *E, *r, *p; /* bodies: 3 columns of the turn from the base; centre; joint's point */
    gdyn_wide3 *e;         /* coordinates: axis with its sign */
    gdyn_wide3 *v, *w;     /* bodies: velocities */
    gdyn_wide3 *bv, *bw;   /* bodies: accelerations */
    gdyn_wide3 *u_v, *u_w; /* bodies: u_p */
    gdyn_wide3 *frame;     /* goals: columns of R F^T at the base */
    gdyn_lanes h;          /* from the base */
    gdyn_lanes residual, moved, least; /* smallest: of all blocks that were inverted, */
    gdyn_lanes least_of_legs;          /* and without that of the hubs */
    gdyn_lane_bits worst;              /* closing row, or closing rows + goal, of the residual */
    double *map;                       /* how the legs follow at one pose */
    int steps;
    gdyn_arena *arena;
};

/* Element i of each lane's list. */
static inline void gdyn_points_give(double *const list[GDYN_AT_ONCE], int i, gdyn_lanes x) {
    list[0][i] = x[0];
    list[1][i] = x[1];
    list[2][i] = x[2];
    list[3][i] = x[3];
}

/* Of goal `at`: value, first or second derivative. */
static inline gdyn_lanes gdyn_points_goals(const gdyn_tree_goal *const goal[GDYN_AT_ONCE], int at,
                                           int order) {
    return (gdyn_lanes){goal[0][at].value[order], goal[1][at].value[order],
                        goal[2][at].value[order], goal[3][at].value[order]};
}

/* Names of what the files of the second translation share. */
#ifdef GDYN_AVX
#define gdyn_points_derive     gdyn_points_derive_avx
#define gdyn_points_hand_out   gdyn_points_hand_out_avx
#define gdyn_points_legs       gdyn_points_legs_avx
#define gdyn_points_conditions gdyn_points_conditions_avx
#define gdyn_points_invert     gdyn_points_invert_avx
#define gdyn_points_solve      gdyn_points_solve_avx
#define gdyn_points_velocities gdyn_points_velocities_avx
#define gdyn_points_bias       gdyn_points_bias_avx
#define gdyn_points_curvature  gdyn_points_curvature_avx
#endif
void gdyn_points_derive(gdyn_tree_points *p, const gdyn_tree_goal *const goal[GDYN_AT_ONCE]);
void gdyn_points_hand_out(gdyn_tree_points *p, gdyn_tree_arrival *const to[GDYN_AT_ONCE],
                          bool legs);
/* How the legs follow at a pose, NULL where a pivot is not clear. */
const double *gdyn_points_legs(gdyn_tree_points *p, const gdyn_state *state);
/* points_plan.c: takes the geometry of bodies and of that many groups at a base. */
void gdyn_points_take(gdyn_tree_points *p, const gdyn_state *base, const gdyn_tree_goal *goal,
                      int groups);
/* The block's derivatives A; those of all blocks with the residuals of their rows. */
void gdyn_points_conditions(gdyn_tree_points *p, gdyn_point_block *block);
/* Inverses of the first blocks, and p->least of them. */
void gdyn_points_invert(gdyn_tree_points *p, int blocks);
/* x := solution of the conditions for the blocks' right-hand sides b, in the user's units. */
void gdyn_points_solve(gdyn_tree_points *p, gdyn_lanes *x);
/* points_rates.c: velocities v, w of the bodies for joint rates; their accelerations bv, bw with
 * constant rates; b of all blocks := factor times the rows' second derivatives in that motion. */
void gdyn_points_velocities(gdyn_tree_points *p, const gdyn_lanes *rate);
void gdyn_points_bias(gdyn_tree_points *p, const gdyn_lanes *rate);
void gdyn_points_curvature(gdyn_tree_points *p, double factor);

/* --- free motions ----------------------------------------------------------------------------- */

/* Coordinates of a leg and the hubs at most. */
enum { GDYN_MOTION_ROWS = 12 };
/* A coordinate on the way from a body to the ground. */
typedef struct gdyn_motion_part {
    int coordinate, body; /* body: outboard of its joint */
    int row;              /* in its block */
} gdyn_motion_part;

/* Coordinates of a leg, and of the hubs when a body of the leg hangs on one; or those of the
 * hubs. */
typedef struct gdyn_motion_block {
    int own, rows; /* own: of the leg, the first ones */
    int first;     /* row of G */
    int body, bodies;
} gdyn_motion_block;

struct gdyn_tree_motions {
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
