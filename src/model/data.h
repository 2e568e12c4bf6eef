/* data.h - the layout of machine and model (internal to model and mech). */
#ifndef GDYN_MODEL_DATA_H
#define GDYN_MODEL_DATA_H

#include "base/memory.h"
#include "model/kinds.h"
#include "model/rows.h"

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
    int frictions;
    gdyn_friction *friction;
    int stictions; /* those of them with static friction */
    int *stiction; /* their places in friction[] */
    int turns;     /* turn counters: 2 per joint, then 1 per body */
    int turn_rows; /* joint coordinates whose turns are counted, and their rows */
    gdyn_row *turn_row;
    double *upright;           /* 9 per body: identities */
    double *guess_r, *guess_R; /* 3 and 9 per body: centre of gravity and rotation of the guess */
    gdyn_arena *arena;
};

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

#endif
