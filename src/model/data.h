/* data.h - the layout of machine and model (internal to model and mech). */
#pragma once

#include "base/memory.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "model/screws.h"
#include "model/span.h"

struct gdyn_machine {
    gdyn_space space;
    double gravity[3];
    double length; /* L [m]; NAN: from the bodies */
    int bodies, joints, drives, forces, motions, ranges, limits, shapes, pairs;
    int capacity[9]; /* of the lists, in the order above */
    gdyn_body_def *body;
    gdyn_joint_def *joint;
    gdyn_drive_def *drive;
    gdyn_force_def *force;
    gdyn_motion_def *motion;
    gdyn_range_def *range;
    gdyn_limit_def *limit;
    gdyn_shape_def *shape;
    gdyn_pair_def *pair;
    gdyn_arena *arena; /* names, curves */
};

/* Viscous and Coulomb friction along a row. */
typedef struct gdyn_friction {
    gdyn_row row;
    double viscous, coulomb, stiction;
    const char *name; /* with a dry part: "friction of JOINT" */
} gdyn_friction;

struct gdyn_model {
    gdyn_machine *machine; /* private, checked copy of the definitions */
    int per_body;          /* velocity coordinates per body: 3 or 6 */
    int n, m, h;           /* coordinates, holonomic rows, Pfaffian rows */
    double length;         /* characteristic length L [m] */
    gdyn_formalism formalism;
    double (*inertia)[9]; /* bodies: tensor about com, body axes, column-major */
    gdyn_row *row;        /* m + h constraint rows, Pfaffian last */
    int guards;
    gdyn_guard *guard;                    /* what mirrored axes would fulfil too */
    int *row_joint;                       /* m + h: joint, or -1 - motion for a motion */
    const char **row_name;                /* m + h */
    int *joint_first, *joint_count;       /* joints: holonomic rows */
    int *pfaffian_first, *pfaffian_count; /* joints: Pfaffian rows, counted in row[] */
    gdyn_row *drive_row;                  /* drives: coordinate (or wrench) */
    double *drive_sign;  /* drives: +1, cables -1; generalized force = sign J^T n */
    gdyn_row *force_row; /* forces: coordinate or wrench direction */
    gdyn_row *range_row; /* ranges: the coordinate; of a cone the cosine of the angle */
    gdyn_row *limit_row; /* limits: the coordinate */
    int *limit_drive;    /* limits: a drive of the same coordinate, GDYN_NONE: none */
    int frictions;
    gdyn_friction *friction;
    int stictions; /* those of them with static friction */
    int *stiction; /* their places in friction[] */
    int turns;     /* turn counters: 2 per joint, then 1 per body */
    int turn_rows; /* joint coordinates whose turns are counted, and their rows */
    gdyn_row *turn_row;
    double *upright;           /* 9 per body: identities */
    double *guess_r, *guess_R; /* 3 and 9 per body: centre of gravity and rotation of the guess */
    double *guess_turn;        /* turns: angles near those of the guess */
    const gdyn_tree *tree, *pose_tree; /* span.h */
    gdyn_arena *arena;
};

/* --- the spanning tree (span.c) -------------------------------------------------------------- */

/* Column groups: the hubs' coordinates are GDYN_TREE_HUBS, others belong to a leg 0, 1, ... */
enum { GDYN_TREE_HUBS = -1 };

/* A closing row: of the model's rows, and the leg whose coordinates it holds beside the hubs';
 * GDYN_TREE_HUBS: hubs only; GDYN_TREE_SEVERAL: it couples legs. */
enum { GDYN_TREE_SEVERAL = -2 };

typedef struct gdyn_tree_body {
    int inboard, joint; /* body it hangs on; joint, -1: floats */
    bool reversed;      /* the body is b of the joint */
    bool hub;
    int first, count; /* coordinates */
    int leg;          /* or GDYN_TREE_HUBS */
    int a, b;         /* bodies in which the axes of its joint's screws are fixed */
    int point_body;   /* the joint's point, a's: fixed in this body, */
    double point[3];  /* relative to its centre of gravity, body axes */
} gdyn_tree_body;

typedef struct gdyn_tree_leg {
    int columns, rows; /* numbers of them */
    int *column;       /* coordinates of the leg */
    int *row;          /* closing rows (numbers among the closing rows) */
} gdyn_tree_leg;

struct gdyn_tree {
    const gdyn_model *model;
    int bodies, n, coordinates, closing, legs;
    int rows; /* of the model: m + h, or the m holonomic ones */
    gdyn_tree_body *body;
    int *order;        /* bodies, inboard ones first */
    int *position;     /* bodies: place in that order */
    int *every;        /* coordinates: their numbers */
    gdyn_screw *screw; /* coordinates */
    int *screw_body;   /* coordinates: outboard body */
    int *row;          /* closing rows: index in model->row */
    int *row_leg;      /* closing rows */
    gdyn_tree_leg *leg;
    bool settles;    /* the tree's joints have no other rows than those that move.c settles */
    int hub_columns; /* coordinates of hubs, and which */
    int *hub_column;
    const struct gdyn_leg_plan *plan;
};

/* The leg of whose coordinates a row holds some, GDYN_TREE_HUBS or GDYN_TREE_SEVERAL. */
int gdyn_tree_leg_of(const gdyn_tree *tree, const gdyn_row *row);

/* Makes both spanning trees; false when memory is out. */
bool gdyn_model_span(gdyn_model *model);

/* --- the plan of legs that follow hubs (legs.c) ---------------------------------------------- */

/* Coordinates of a leg or of all hubs at most; rows of a group at most. */
enum { GDYN_BLOCK_MOST = 6, GDYN_GROUP_MOST = 3 };

/* A coordinate on the way from a row's body to the ground. */
typedef struct gdyn_point_term {
    int coordinate, body; /* body: outboard of its joint */
    int column;           /* of the block: own coordinates, then those of the hubs */
    bool turns, on_b;     /* on_b: moves the row's body b */
    double factor, pitch; /* sign and scales */
} gdyn_point_term;

/* Rows of one kind between the same points of the same bodies. */
typedef struct gdyn_row_shape {
    gdyn_row_kind kind;
    int a, b;
    int rows, row[GDYN_GROUP_MOST]; /* in the block */
    int source[GDYN_GROUP_MOST];    /* closing row, or closing rows + goal */
    int axis[GDYN_GROUP_MOST];      /* POINT, ORIENT */
    double target[GDYN_GROUP_MOST]; /* closing rows: value wanted */
    double sa[3], sb[3], m[3], e[3];
    double scale; /* of the rows: 1/L for lengths */
    int first_term, terms;
} gdyn_row_shape;

/* Conditions of one leg, or of all hubs: [L P] (own; hubs). */
typedef struct gdyn_leg_block {
    int rows, width; /* square in the own columns */
    int first_group, groups;
    int coordinate[GDYN_BLOCK_MOST];
} gdyn_leg_block;

/* The closing conditions of a machine leg by leg, for poses that are closed in lanes
 * (tree/points.h). */
typedef struct gdyn_leg_plan {
    bool fits; /* the machine is of that kind; without it the machine is closed in other ways */
    bool planar;
    int *column_of; /* coordinates: column among the own ones of its leg, or of the hubs */
    double *scale, *per_joint; /* coordinates: L or 1; 1 over it */
    gdyn_leg_block *block;     /* legs, then the hubs, whose rows are those of a path */
    int blocks;
    gdyn_row_shape *group;
    gdyn_point_term *term;
    int groups, terms, group_room, term_room;
    int hub_terms; /* of a row on a hub, at most */
} gdyn_leg_plan;

/* Makes the plan of a tree; NULL: memory. */
const gdyn_leg_plan *gdyn_leg_plan_make(const gdyn_tree *tree);
/* Adds a row to the block of a leg (GDYN_TREE_HUBS: the hubs), whose own columns are that many;
 * false: it is of another kind. */
bool gdyn_leg_plan_add(gdyn_leg_plan *plan, const gdyn_tree *tree, gdyn_leg_block *block, int leg,
                       int own, int index, int source, const gdyn_row *row);

/* --- joints as their rows and motions need them (screws.c) ------------------------------------ */

typedef struct gdyn_joint_geometry {
    int a, b;
    double sa[3], sb[3];       /* points relative to centres of gravity */
    double ua[3], ub[3];       /* axis in a, in b */
    double na[2][3], nb[2][3]; /* normals that complete the axes; equal components in both frames
                     when the axes are, so that coordinates are zero when frames align */
} gdyn_joint_geometry;

gdyn_joint_geometry gdyn_joint_geometry_of(const gdyn_machine *machine, const gdyn_joint_def *def);
/* An anchor relative to the centre of gravity of its body (the ground: to its origin), body
 * axes. */
void gdyn_anchor_offset(const gdyn_machine *machine, const gdyn_anchor *anchor, double s[3]);

/* --- making ---------------------------------------------------------------------------------- */

/* Makes the pose guesses (two-point form included): r, R per body. False on cyclic references,
 * which are emitted. */
bool gdyn_model_guess(const gdyn_machine *machine, const gdyn_sink *sink, double *r, double *R);
/* Emits everything wrong with the definitions; returns the number of errors. */
int gdyn_machine_check(const gdyn_machine *machine, const gdyn_sink *sink);
/* Makes all rows; false when memory is out. */
bool gdyn_model_compile(gdyn_model *model);
/* A copy of the machine that owns everything. */
gdyn_machine *gdyn_machine_clone(const gdyn_machine *machine);
/* The freedom that DEFAULT means, or DEFAULT when there is none or more than one. */
gdyn_freedom gdyn_joint_resolve(const gdyn_machine *machine, int joint, gdyn_freedom freedom);
