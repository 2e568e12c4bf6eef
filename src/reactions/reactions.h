/* reactions.h - every reaction of a machine at a pose: can it be known, with whom does it trade
 * load, and how much is it?
 *
 *   C^T lambda + T n = b      N: basis of null([C^T T]),   L: basis of null(C^T)
 *
 * A linear function G lambda is unique when G N = 0, drive-dependent when only G L = 0,
 * indeterminate otherwise. Such functions are, per joint, its generalized force C_X^T lambda_X; per
 * component, a force or moment in the joint's own frame; and each multiplier. Four tests decide:
 *   rank   rank C_X + rank C_Y = rank C (joint); rank [C^T; g^T] = rank C^T (component)
 *   svd    null space from the SVD of C^T
 *   qr     null space from the last columns of Q in C E = Q R: B_X = C_X^T Q_X
 *   tree   null space from the closing conditions in joint coordinates (tree/tree.h);
 *          left out where a pivot is doubtful
 * each with its own factorization (complete-pivoting LU, SVD, pivoted QR, elimination leg by leg).
 * Sources: Wojtyra and Fraczek 2013, section 3; docs/reactions.md. */
#pragma once

#include "base/api.h"
#include "mech/mech.h"
#include "reactions/solvability.h"

GDYN_API_BEGIN

typedef enum gdyn_reaction_method {
    GDYN_REACTIONS_BY_RANK,
    GDYN_REACTIONS_BY_SVD,
    GDYN_REACTIONS_BY_QR,
    GDYN_REACTIONS_BY_TREE,
    GDYN_REACTION_METHODS
} gdyn_reaction_method;
/* "rank", "svd", "qr", "tree", then "all", NULL. */
extern const char *const gdyn_reaction_method_names[];

/* What is judged: first the groups (joints, then motions), then components, then multipliers. */
typedef struct gdyn_reaction_item {
    int group;        /* joint, or joints + motion */
    int row;          /* of a multiplier; else -1 */
    const char *name; /* component: "fx" ... "mz"; multiplier: name of the row; group: its name */
    bool moment;      /* component or multiplier: [N m], else [N] */
    gdyn_verdict verdict; /* of the most reliable method run: svd, qr, tree, rank */
    gdyn_verdict by[GDYN_REACTION_METHODS]; /* of the methods run */
    double amount;                          /* |G L|, and |G N| when G L = 0; 0 when unique */
    int block; /* components: items of one block share load; -1: unique */
} gdyn_reaction_item;

/* A set of constraints that are redundant together: a block of null(C^T). */
typedef struct gdyn_subsystem {
    int redundancy;
    int rows; /* constraints it contains */
} gdyn_subsystem;

/* Where the components of a joint act at the pose of the last analysis, in ground axes. */
typedef struct gdyn_joint_frame {
    double point[3]; /* forces act here on the first body, moments are about it */
    double E[9];     /* columns: x, y, z of the components */
} gdyn_joint_frame;

typedef struct gdyn_reactions {
    const gdyn_model *model;
    int rows, n, drives; /* m + h, n, k */
    int efforts,
        efforts_most;      /* unknown forces of the last analysis: drives, then the static friction
                                  that acts; most of them */
    int *effort;           /* efforts: drive, or drives + a stiction of the model */
    int joints, groups;    /* joints, joints + motions */
    int components, items; /* items = groups + components + rows */
    gdyn_reaction_item *item;
    unsigned methods;  /* bit 1 << method: the ones of the last analysis */
    int disagreements; /* items on which the methods differ */
    int redundancy;    /* m + h - rank C */
    int drive_redundancy;
    gdyn_rank rank_c, rank_ct; /* of scaled C and [C^T T], by SVD */
    double gap;                /* smallest of all rank gaps and of the gaps between amounts */
    double *sigma;             /* min(rows, n): singular values of scaled C */
    /* groups: |B_X| (Frobenius), B_X = C_X^T Q_X, Q an orthonormal basis of null(C^T) of the
     * rows as they are (m, rad); it does not depend on which basis. 0: not indeterminate */
    double *norm;
    int *subsystem_of; /* rows: its subsystem or -1 */
    int subsystems;
    gdyn_subsystem *subsystem; /* rows: room */
    gdyn_joint_frame *frame;   /* joints */
    int *drive_block;          /* efforts: block of components they share load with, or -1 */
    bool regular;              /* both rank decisions and the gap are clear: not near singular */
    /* values, filled by gdyn_reactions_values */
    double misfit; /* largest share of the loads' power in a free motion that is not balanced */
    /* components: of the particular solution [N, N m]; what is within its error of zero is zero,
     * here and below */
    double *value;
    double *value_error;  /* components: bound from rounding and the closed pose's residual */
    double *drive_error;  /* efforts */
    double *motion_error; /* n: bound of the error of u' of the last release, scaled */
    double *lambda;       /* rows: the same, multipliers of the rows as they are */
    double *drive;        /* efforts: drive forces and static friction of the particular solution */
    int directions;       /* columns of the next ones: dim null([C^T T]) */
    double *component_direction; /* components x directions */
    double *lambda_direction;    /* rows x directions */
    double *drive_direction;     /* efforts x directions */
    struct gdyn_reactions_work *work;
} gdyn_reactions;

gdyn_reactions *gdyn_reactions_create(const gdyn_model *model);
void gdyn_reactions_destroy(gdyn_reactions *reactions);

/* Verdicts at a pose by the methods whose bits are set (0: all). Static friction of what stands
 * still in the motion is an unknown force like a drive's: reactions that it changes are
 * drive-dependent. motion: the path's rates, or u_p: body velocities; NULL: the machine is at rest,
 * all static friction acts. Allocates nothing. */
gdyn_status gdyn_reactions_at(gdyn_reactions *reactions, const gdyn_state *state,
                              const gdyn_path_rates *motion, unsigned methods);
/* An unknown force of the last analysis: its name, and whether it is a moment. */
const char *gdyn_reactions_effort_name(const gdyn_reactions *reactions, int effort);

/* Loads whose misfit exceeds this are not balanced: no values. */
#define GDYN_UNBALANCED_SHARE 1e-8

/* The family of reactions at the pose of the last gdyn_reactions_at and the same motion, for body
 * velocities u and accelerations udot (n; both NULL: none). Dry friction and process forces act
 * along `motion`, at u = 0 too: as in the limit of slow motion. Particular solution of least norm
 * in multipliers scaled to unit rows, and the directions that may be added. */
gdyn_status gdyn_reactions_values(gdyn_reactions *reactions, const gdyn_state *state,
                                  const gdyn_path_rates *motion, const double *u,
                                  const double *udot);
/* Body accelerations of the released machine with velocities u (n) and no drive forces; motions
 * follow their formulas. */
gdyn_status gdyn_reactions_release(gdyn_reactions *reactions, const gdyn_state *state,
                                   const gdyn_path_rates *motion, const double *u, double *udot);
/* Values at the pose of the last gdyn_reactions_at for a motion; may_fall: where no drive and no
 * static friction is, the machine may be released when it is not balanced, and udot becomes what it
 * does then. */
typedef enum gdyn_reaction_balance {
    GDYN_HELD,
    GDYN_DRIVEN,
    GDYN_LET_GO,
    GDYN_UNBALANCED
} gdyn_reaction_balance;
gdyn_status gdyn_reactions_in_motion(gdyn_reactions *reactions, const gdyn_state *state,
                                     const gdyn_path_rates *motion, bool moving, bool may_fall,
                                     const double *u, double *udot, gdyn_reaction_balance *balance);

/* Items of a kind, in the order of `item`. */
static inline gdyn_reaction_item *gdyn_reactions_component(const gdyn_reactions *r, int i) {
    return &r->item[r->groups + i];
}
static inline gdyn_reaction_item *gdyn_reactions_multiplier(const gdyn_reactions *r, int row) {
    return &r->item[r->groups + r->components + row];
}
/* "W4.fx", into out, which it returns. */
const char *gdyn_reactions_label(const gdyn_reactions *r, int component, char *out, size_t size);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* ground: with components along the axes of the ground, "fx_ground" ... "mz_ground", behind those
 * of each joint. */
gdyn_reactions *gdyn_reactions_create_along(const gdyn_model *model, bool ground);
bool gdyn_reactions_effort_is_moment(const gdyn_reactions *reactions, int effort);
const char *gdyn_reaction_balance_name(gdyn_reaction_balance balance);
/* Verdicts (methods as in gdyn_reactions_at) and values at an assembled pose that no path leads: u
 * (n) is what the machine's own motions ask for, udot (n) likewise or what it does when it is
 * released; *moves: u is not zero. */
gdyn_status gdyn_reactions_without_path(gdyn_reactions *reactions, const gdyn_state *state,
                                        unsigned methods, double *u, double *udot, bool *moves,
                                        gdyn_reaction_balance *balance);
/* First unknown force of the last values that is static friction, unique and beyond its limit, so
 * that the machine cannot be held so; -1: none. */
int gdyn_reactions_slipping(const gdyn_reactions *reactions);
/* Axis of a component: 0..2 force along x, y, z of its joint's frame, 3..5 moment, 6..11 the same
 * along the ground's, -1 a multiplier. */
int gdyn_reactions_axis(const gdyn_reactions *r, int component);
/* What the axes of a joint's components are, in words; "" for a gear, which has no frame. */
const char *gdyn_joint_frame_words(const gdyn_model *model, int joint);
/* Friction acts in the joint although its reaction is not unique: friction that depends on the
 * reaction is then unknown, or known only once the drive forces are known. */
bool gdyn_reactions_friction_unknown(const gdyn_reactions *r, int joint);

/* Verdicts and values of one component along a path, in stretches of one verdict.
 *
 * A pose whose rank is lower than that of the rest (constraints or drives singular there) belongs
 * to no stretch: what is indeterminate in it alone says nothing about the path. */

typedef struct gdyn_stretch {
    double from, to; /* p of its first and last point */
    int points;
    gdyn_verdict verdict;
    double least, greatest; /* of the values known; smallest > largest: none */
} gdyn_stretch;

/* rank (points): of the pose, constraints and drives together, -1 where there is none; verdict,
 * value: of the component at point i in element i * stride, value NAN where it is not known. Writes
 * list (points: room); returns the number of stretches. */
int gdyn_reaction_stretches(int points, const double *p, const int *rank, int stride,
                            const gdyn_verdict *verdict, const double *value, gdyn_stretch *list);
/* Largest rank of the points: poses of less are left out of the stretches. */
int gdyn_reaction_generic(int points, const int *rank);

/* Forces and moments of a joint in its own frame (internal to reactions).
 *
 * The reaction is what b exerts on a, as a force at the joint's point on a and a moment. Its
 * generalized force on a is C_X^T lambda_X restricted to the velocities of a, so a component is
 * w^T lambda_X with one number per row of the joint. Axes (right-handed, at the pose):
 *   most joints   z along the axis fixed in b, x and y its normals (fixed in b)
 *   planar        x along the axis fixed in b (revolute: b's own x), z out of the plane
 *   universal     x along the axis in b, y along the axis in a, z across: the one locked rotation
 *   rod           x along the rod;  knife edge: x along its normal
 *   rolling, point_on_plane, planar joint: z along the plane's normal; rolling: at the contact
 *   generic, spherical  the axes of b
 * Gears and motions have no frame: their component is the multiplier. */

enum { GDYN_COMPONENTS_MOST = 12 };

typedef struct gdyn_component {
    const char *name; /* "fx" ... "mz", or a row's name */
    /* 0..2 force along x, y, z; 3..5 moment; 6..11: the same along the ground's axes; -1: a
     * multiplier */
    int axis;
    int row; /* axis -1: which row of C */
} gdyn_component;

/* The components of a joint, the same at every pose; returns their number. ground: those along the
 * ground's axes follow, all of them where the joint carries a force, where it carries a moment. */
int gdyn_components_of(const gdyn_model *model, int joint, bool ground, gdyn_component list[]);
/* Weights w (rows, zero elsewhere) of a component at a pose: value = w^T lambda. C (rows x n). */
void gdyn_component_weights(const gdyn_state *state, int joint, const gdyn_component *component,
                            const double *C, double *w);
/* Point and axes (columns of E, column-major) of the joint's frame at a pose, in ground axes. */
void gdyn_joint_frame_at(const gdyn_state *state, int joint, double point[3], double E[9]);
