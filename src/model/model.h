/* model.h - what a user says about a machine, and the constant model made from it.
 *
 * Take a default definition, set fields, add it to a machine; gdyn_model_create checks everything
 * and returns a model that never changes and may be shared by threads without locks. Units are SI
 * and radians throughout. Names must be unique among entities of the same sort. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "base/status.h"
#include "expr/expr.h"

#include <stdbool.h>

GDYN_API_BEGIN

enum { GDYN_GROUND = -1, GDYN_NONE = -2 };

typedef enum gdyn_space { GDYN_PLANAR, GDYN_SPATIAL } gdyn_space;

/* A point fixed in a body (or in the ground frame when body is GDYN_GROUND). Planar: at[2] = 0. */
typedef struct gdyn_anchor {
    int body;
    double at[3]; /* in the body's own frame [m] */
} gdyn_anchor;

typedef struct gdyn_named_point {
    const char *name; /* "rod2.b" */
    gdyn_anchor at;
} gdyn_named_point;

/* --- bodies ---------------------------------------------------------------------------------- */

/* Whether a body is a hub of the spanning tree: it floats on coordinates of its own, all its joints
 * are cut. */
typedef enum gdyn_hub {
    GDYN_HUB_AUTOMATIC, /* where three or more separate branches to the ground meet */
    GDYN_HUB_ALWAYS,
    GDYN_HUB_NEVER
} gdyn_hub;
extern const char *const gdyn_hub_names[]; /* "automatic", "always", "never", NULL */

typedef struct gdyn_body_def {
    const char *name;
    /* > 0 [kg]; 0 only together with zero inertia on a body held by joints. Inertia may be zero:
     * a point mass */
    double mass;
    /* Ixx Iyy Izz Ixy Ixz Iyz: tensor about com, body axes [kg m2]; planar: [2] */
    double inertia[6];
    double com[3];      /* centre of gravity in the body's own frame [m] */
    double position[3]; /* first guess: origin of the body's own frame [m] */
    double cardan[3];   /* first guess: Rx Ry Rz angles [rad]; planar: the angle is cardan[2] */
    /* 2: the guess puts pose_own[0] onto pose_on[0] and points pose_own[1] towards pose_on[1] (of
     * all such rotations the smallest one); 3 (spatial): then turns pose_own[2] about that line
     * towards pose_on[2]; position and cardan are ignored; 0: they hold */
    int pose_points;
    double pose_own[3][3];
    gdyn_anchor pose_on[3];
    gdyn_hub hub; /* default automatic; results do not depend on it */
} gdyn_body_def;

/* --- joints ---------------------------------------------------------------------------------- */

typedef enum gdyn_joint_type {
    GDYN_REVOLUTE,     /* planar, spatial; freedom: angle */
    GDYN_PRISMATIC,    /* planar, spatial; freedom: slide */
    GDYN_FIXED,        /* planar, spatial */
    GDYN_ROD,          /* planar, spatial: points at constant distance `length` */
    GDYN_SLOT,         /* planar: a's point on the line through b's point; freedoms: slide, angle */
    GDYN_ANGLE,        /* planar: relative angle of a in b is constant (`offset`) */
    GDYN_GEAR,         /* coordinate(joint_a) = ratio * coordinate(joint_b) + offset */
    GDYN_KNIFE_EDGE,   /* no velocity of a's point relative to b along normal (fixed in a) */
    GDYN_CYLINDRICAL,  /* spatial; freedoms: slide, angle */
    GDYN_UNIVERSAL,    /* spatial; axis_a in a, axis_b in b stay perpendicular; first, second */
    GDYN_SPHERICAL,    /* spatial; no scalar freedom to drive */
    GDYN_PLANAR_JOINT, /* spatial: a's point in the plane of b, axes parallel; x, y, angle */
    GDYN_SCREW,        /* spatial: slide = pitch * angle / (2 pi); freedom: angle, slide */
    GDYN_POINT_ON_LINE,  /* spatial; freedom: slide */
    GDYN_POINT_ON_PLANE, /* spatial */
    GDYN_PARALLEL,       /* spatial: axes stay parallel */
    GDYN_ROLLING,        /* spatial: disc of `radius` about axis_a rolls on b's plane */
    GDYN_GENERIC,        /* spatial: locks[] of x y z rx ry rz in b's frame */
    GDYN_JOINT_TYPES     /* their number */
} gdyn_joint_type;

/* The scalar freedoms of a joint that drives, frictions, gears and paths can refer to. */
typedef enum gdyn_freedom {
    GDYN_FREEDOM_DEFAULT, /* the only one the joint has; an error when it has several */
    GDYN_FREEDOM_ANGLE,   /* rotation of a relative to b about the axis [rad] */
    GDYN_FREEDOM_SLIDE,   /* displacement of a's point from b's point along the axis of b [m] */
    GDYN_FREEDOM_FIRST,   /* universal: rotation about axis_b [rad] */
    GDYN_FREEDOM_SECOND,  /* universal: rotation about axis_a [rad] */
    GDYN_FREEDOM_X,       /* planar joint: displacement along the first normal of b's axis [m] */
    GDYN_FREEDOM_Y        /* planar joint: displacement along the second normal of b's axis [m] */
} gdyn_freedom;

typedef struct gdyn_joint_def {
    const char *name;
    gdyn_joint_type type;
    gdyn_anchor a, b; /* a's motion is counted relative to b; b may be the ground */
    /* joint axis in a's frame, any length; default z (planar prismatic/slot: x) */
    double axis_a[3];
    double axis_b[3]; /* the same axis in b's frame */
    double normal[3]; /* knife_edge: in a's frame; rolling, point_on_plane, planar: plane normal in
                         b */
    double length;    /* rod [m] */
    double pitch;     /* screw [m per turn] */
    double radius;    /* rolling [m] */
    double ratio;     /* gear; default 1 */
    double offset;    /* gear, angle, planar fixed: constant [rad or m] */
    bool locks[6];    /* generic */
    /* no joint of the spanning tree: its rows close the machine; default: chosen with the tree.
     * Results do not depend on it */
    bool cut;
    int joint_a, joint_b;              /* gear: joint indices */
    gdyn_freedom freedom_a, freedom_b; /* gear */
    double viscous, coulomb; /* friction in every freedom of the joint [N s/m, N] or [N m s, N m] */
    /* what friction carries at most while a freedom stands still along a path [N] or [N m];
     * default 0: nothing. Else at least coulomb */
    double stiction;
} gdyn_joint_def;

/* --- drives ---------------------------------------------------------------------------------- */

typedef enum gdyn_drive_kind {
    GDYN_DRIVE_JOINT,   /* at a joint's freedom; positive moves a relative to b along the axis */
    GDYN_DRIVE_BETWEEN, /* along the line of two points; positive pushes them apart */
    GDYN_DRIVE_CABLE,   /* the same, tension positive, min >= 0 */
    GDYN_DRIVE_WRENCH,  /* force and torque per unit of the drive's value on body a */
    GDYN_DRIVE_KINDS    /* their number */
} gdyn_drive_kind;

typedef struct gdyn_drive_def {
    const char *name;
    gdyn_drive_kind kind;
    int joint;            /* GDYN_DRIVE_JOINT */
    gdyn_freedom freedom; /* GDYN_DRIVE_JOINT */
    gdyn_anchor a, b;     /* BETWEEN, CABLE: ends; WRENCH: a is the point of application */
    double force[3];      /* WRENCH: force per unit [-] */
    double torque[3];     /* WRENCH: torque per unit [m] */
    bool in_body;         /* WRENCH: components in body axes, else ground axes */
    double min, max;  /* limits [N or N m]; -INFINITY, INFINITY allowed; NAN (default): missing */
    double speed_max; /* largest |speed| of the coordinate [m/s or rad/s]; default INFINITY */
    double rate;      /* largest change of the force in time [N/s or N m/s]; default INFINITY */
    double stiffness; /* of the drive train at the coordinate [N/m or N m/rad]; 0: not given */
    double rotor_inertia; /* of the rotor at its own speed [kg m2 or kg]; default 0 */
    double ratio;         /* rotor speed / coordinate speed; default 1 */
    int curve_points;     /* torque-speed line through (speed, force), 0 or >= 2 points, concave */
    const double (*curve)[2]; /* n <= f(v) and n >= -f(-v), f continued by its end pieces */
} gdyn_drive_def;

/* --- other forces and prescribed motions ----------------------------------------------------- */

typedef enum gdyn_force_kind {
    GDYN_FORCE_SPRING,   /* at a joint freedom or between two points: -stiffness (q - rest) */
    GDYN_FORCE_DAMPER,   /* the same: -viscous q' */
    GDYN_FORCE_CONSTANT, /* force and torque on a body at a point */
    GDYN_FORCE_FRICTION, /* at a joint freedom: -viscous q' - coulomb sign(q') */
    GDYN_FORCE_PROCESS, /* at a's point, against its motion along the path: magnitude + viscous v */
    GDYN_FORCE_KINDS    /* their number */
} gdyn_force_kind;

typedef struct gdyn_force_def {
    const char *name;
    gdyn_force_kind kind;
    int joint; /* GDYN_NONE: between the points a and b */
    gdyn_freedom freedom;
    gdyn_anchor a, b;
    double stiffness, rest; /* SPRING [N/m, m] or [N m/rad, rad]; may also carry viscous */
    double viscous, coulomb;
    double stiction;            /* FRICTION: as of a joint [N] or [N m] */
    double force[3], torque[3]; /* CONSTANT [N, N m] */
    bool in_body;               /* CONSTANT: components in body axes */
    double magnitude;           /* PROCESS [N] */
} gdyn_force_def;

/* A prescribed (rheonomic) joint motion; it is a constraint like those of the joints. */
typedef struct gdyn_motion_def {
    const char *name;
    int joint;
    gdyn_freedom freedom;
    /* of one variable t [s]; NULL: held at zero; must outlive model */
    const gdyn_expr *displacement;
} gdyn_motion_def;

/* --- ranges ---------------------------------------------------------------------------------- */

typedef enum gdyn_range_kind {
    GDYN_RANGE_JOINT, /* coordinate of a joint's freedom */
    GDYN_RANGE_DRIVE, /* coordinate of a drive: of its joint, or the distance of its points */
    GDYN_RANGE_CONE,  /* angle from a direction of a joint's second body to one of its first */
    GDYN_RANGE_KINDS  /* their number */
} gdyn_range_kind;

/* What a coordinate of the machine may be: a stroke, a stop, the cone of a ball joint. It holds
 * nothing: a pose beyond it closes, but counts as out of range where paths are followed
 * (path.h). */
typedef struct gdyn_range_def {
    const char *name; /* "elbow", "elbow.slide", "winch", "ball.cone" */
    gdyn_range_kind kind;
    int joint;                   /* JOINT, CONE */
    gdyn_freedom freedom;        /* JOINT */
    int drive;                   /* DRIVE; no wrench */
    double axis_a[3], axis_b[3]; /* CONE: the directions in a's and in b's frame, any length */
    /* [m or rad]; -INFINITY, INFINITY (defaults): no end. CONE: 0 and the largest angle */
    double min, max;
    const char *stated; /* where, for messages: "case.yaml:38"; default NULL: not known */
} gdyn_range_def;

/* --- limits ---------------------------------------------------------------------------------- */

/* Limits of a motion that belong to no drive: of the speed, acceleration and jerk of a joint's
 * coordinate. */
typedef struct gdyn_limit_def {
    const char *name; /* drives have other names: lists of limits name both */
    int joint;
    gdyn_freedom freedom;
    double bound[3];    /* of |q'|, |q''|, |q'''|; default INFINITY */
    const char *stated; /* where, for messages: "case.yaml:38"; default NULL: not known */
} gdyn_limit_def;

/* --- shapes ---------------------------------------------------------------------------------- */

typedef enum gdyn_shape_kind {
    GDYN_SHAPE_CAPSULE, /* points within `radius` of the line from a to b */
    GDYN_SHAPE_SPHERE,  /* points within `radius` of a */
    GDYN_SHAPE_TUBE,    /* hollow cylinder from a to b; takes part in clearances as a capsule */
    GDYN_SHAPE_BOX,     /* edges `size` along the axes R, about a */
    GDYN_SHAPE_KINDS
} gdyn_shape_kind;

/* What a body, the ground or the line of a drive occupies: for clearances (clearance/clearance.h)
 * and masses. It exerts no force. */
typedef struct gdyn_shape_def {
    gdyn_shape_kind kind;
    int drive; /* the drive whose line it is, its ends a and b; default GDYN_NONE: of a's body */
    gdyn_anchor a, b; /* of one body, but for drives */
    double radius;    /* [m]; box: 0 */
    double wall;      /* TUBE: thickness [m]; 0: solid */
    double size[3];   /* BOX [m]; planar: the third one counts for the mass alone */
    double R[9];      /* BOX: its axes as columns in the body's frame; default identity */
} gdyn_shape_def;

gdyn_shape_def gdyn_shape_default(void);

/* What is given of a pair of shapes. Without any rule the pairs of clearance/clearance.h are
 * compared. */
typedef enum gdyn_pair_rule {
    GDYN_PAIR_ONLY,    /* of those pairs only the ones with this rule are compared */
    GDYN_PAIR_INCLUDE, /* the pair is compared in any case */
    GDYN_PAIR_EXCLUDE, /* it is not, regardless of what else is given */
    GDYN_PAIR_RULES
} gdyn_pair_rule;
typedef struct gdyn_pair_def {
    gdyn_pair_rule rule;
    int first, second; /* shapes in the order in which they were added */
} gdyn_pair_def;

/* Mass, centre of gravity and inertia of a body from its shapes and one density [kg/m^3], into def.
 * Where shapes overlap the material counts twice. Planar: the shapes as solids, their inertia about
 * z in inertia[2]. */
void gdyn_body_of_shapes(int count, const gdyn_shape_def *shape, double density,
                         gdyn_body_def *def);

gdyn_body_def gdyn_body_default(void);
gdyn_joint_def gdyn_joint_default(void);
gdyn_drive_def gdyn_drive_default(void);
gdyn_force_def gdyn_force_default(void);
gdyn_motion_def gdyn_motion_default(void);
gdyn_range_def gdyn_range_default(void);
gdyn_limit_def gdyn_limit_default(void);

/* --- the machine: a list of definitions ------------------------------------------------------ */

typedef struct gdyn_machine gdyn_machine;

gdyn_machine *gdyn_machine_create(gdyn_space space, const double gravity[3]);
void gdyn_machine_destroy(gdyn_machine *machine);
/* The characteristic length L [m] that brings rotations and lengths to one unit, in place of the
 * largest extent of a moving body, from which it may differ by up to 1000 times. Designs that are
 * compared by dexterity or distances to singular poses need the same one. */
void gdyn_machine_set_length(gdyn_machine *machine, double length);
/* Each copies its definition (names, curves included) and returns its index, or -1 when memory is
 * out. References to entities not added yet are allowed; they are checked by gdyn_model_create. */
int gdyn_machine_add_body(gdyn_machine *machine, const gdyn_body_def *def);
int gdyn_machine_add_joint(gdyn_machine *machine, const gdyn_joint_def *def);
int gdyn_machine_add_drive(gdyn_machine *machine, const gdyn_drive_def *def);
int gdyn_machine_add_force(gdyn_machine *machine, const gdyn_force_def *def);
int gdyn_machine_add_motion(gdyn_machine *machine, const gdyn_motion_def *def);
int gdyn_machine_add_range(gdyn_machine *machine, const gdyn_range_def *def);
int gdyn_machine_add_limit(gdyn_machine *machine, const gdyn_limit_def *def);
int gdyn_machine_add_shape(gdyn_machine *machine, const gdyn_shape_def *def);
int gdyn_machine_add_pair(gdyn_machine *machine, const gdyn_pair_def *def);

/* --- the model ------------------------------------------------------------------------------- */

typedef struct gdyn_model gdyn_model;

/* Checks the machine and makes the model (the machine may be destroyed afterwards). Every problem
 * is emitted to the sink with a path such as "machine.joints.low1"; GDYN_ERROR_INPUT when there was
 * an error. */
gdyn_status gdyn_model_create(const gdyn_machine *machine, const gdyn_sink *sink,
                              gdyn_model **model);
/* In which coordinates velocities, reactions and what follows from them are found. */
typedef enum gdyn_formalism {
    /* joint coordinates on a spanning tree; dense where a pivot is doubtful (default) */
    GDYN_FORMALISM_TREE,
    /* physical coordinates of all bodies, dense factorizations: the reference */
    GDYN_FORMALISM_DENSE
} gdyn_formalism;
extern const char *const gdyn_formalism_names[]; /* "tree", "dense", NULL */
/* To be called before the model is shared. */
void gdyn_model_set_formalism(gdyn_model *model, gdyn_formalism formalism);
gdyn_formalism gdyn_model_formalism(const gdyn_model *model);
void gdyn_model_destroy(gdyn_model *model);

gdyn_space gdyn_model_space(const gdyn_model *model);
int gdyn_model_bodies(const gdyn_model *model);
int gdyn_model_joints(const gdyn_model *model);
int gdyn_model_drives(const gdyn_model *model);
int gdyn_model_forces(const gdyn_model *model);
int gdyn_model_motions(const gdyn_model *model);
int gdyn_model_ranges(const gdyn_model *model);
int gdyn_model_limits(const gdyn_model *model);
int gdyn_model_coordinates(const gdyn_model *model);       /* n = 3 or 6 per body */
int gdyn_model_holonomic(const gdyn_model *model);         /* m: rows of Phi, motions included */
int gdyn_model_pfaffian(const gdyn_model *model);          /* h: rows of Psi */
double gdyn_model_length(const gdyn_model *model);         /* characteristic length [m] */
double gdyn_model_mass(const gdyn_model *model);           /* sum over bodies [kg] */
const double *gdyn_model_gravity(const gdyn_model *model); /* x, y, z [m/s^2] */
/* Independent closed loops of the graph of bodies, ground and joints. Gears couple joints
 * and close none, nor do wheels, which hold velocities only. */
gdyn_status gdyn_model_loops(const gdyn_model *model, int *loops);

const gdyn_body_def *gdyn_model_body(const gdyn_model *model, int body);
const gdyn_joint_def *gdyn_model_joint(const gdyn_model *model, int joint);
const gdyn_drive_def *gdyn_model_drive(const gdyn_model *model, int drive);
const gdyn_force_def *gdyn_model_force(const gdyn_model *model, int force);
const gdyn_motion_def *gdyn_model_motion(const gdyn_model *model, int motion);
const gdyn_range_def *gdyn_model_range(const gdyn_model *model, int range);
const gdyn_limit_def *gdyn_model_limit(const gdyn_model *model, int limit);
bool gdyn_model_limit_slides(const gdyn_model *model, int limit); /* its coordinate is a length */
/* Index of the named entity or -1. */
int gdyn_model_find_range(const gdyn_model *model, const char *name);
int gdyn_model_find_body(const gdyn_model *model, const char *name);
int gdyn_model_find_joint(const gdyn_model *model, const char *name);
int gdyn_model_find_drive(const gdyn_model *model, const char *name);

/* Names as the case file writes them: "revolute", "knife_edge", ...; "angle", "slide", ... */
const char *gdyn_joint_type_name(gdyn_joint_type type);
extern const char *const gdyn_joint_type_names[GDYN_JOINT_TYPES + 1]; /* NULL at the end */
extern const char *const gdyn_force_kind_names[GDYN_FORCE_KINDS + 1]; /* NULL at the end */
const char *gdyn_freedom_name(gdyn_freedom freedom);
/* The freedoms of a joint type in a space; returns their number (at most 3). */
int gdyn_joint_freedoms(gdyn_joint_type type, gdyn_space space, gdyn_freedom freedoms[3]);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* What was added. */
int gdyn_machine_shapes(const gdyn_machine *machine);
const gdyn_shape_def *gdyn_machine_shape(const gdyn_machine *machine, int shape);
/* Freedoms with static friction: each is one more bounded force while it stands still along a
 * path. */
int gdyn_model_stictions(const gdyn_model *model);
double gdyn_model_stiction_limit(const gdyn_model *model, int stiction); /* [N] or [N m] */
bool gdyn_model_stiction_slides(const gdyn_model *model, int stiction);  /* the unit is N */
/* Name of a bounded force: a drive, or behind the drives "friction of JOINT". */
const char *gdyn_model_effort_name(const gdyn_model *model, int effort);
int gdyn_model_shapes(const gdyn_model *model);
const gdyn_shape_def *gdyn_model_shape(const gdyn_model *model, int i);
int gdyn_model_pairs(const gdyn_model *model); /* rules about pairs of shapes */
const gdyn_pair_def *gdyn_model_pair(const gdyn_model *model, int i);
bool gdyn_model_range_slides(const gdyn_model *model, int range); /* its unit is m, else rad */
/* Rows of C = [Phi; Psi] that joint owns: first and count among the holonomic rows (Phi) and among
 * the Pfaffian rows (Psi, counted from row m). */
void gdyn_model_joint_rows(const gdyn_model *model, int joint, int *first, int *count,
                           int *pfaffian_first, int *pfaffian_count);
/* Joint that owns row i of C, or -1 for a motion; and a short name of the row such as "x", "rz". */
int gdyn_model_row_joint(const gdyn_model *model, int row);
int gdyn_model_row_motion(const gdyn_model *model, int row); /* the motion that owns it, or -1 */
const char *gdyn_model_row_name(const gdyn_model *model, int row);
bool gdyn_force_has_dry_friction(gdyn_force_kind kind); /* it has dry friction */
bool gdyn_freedom_slides(gdyn_freedom freedom); /* its coordinate is a length, else an angle */
/* True when the joint type exists in that space. */
bool gdyn_joint_type_in(gdyn_joint_type type, gdyn_space space);
/* True when the joint is located at its points a and b; a gear couples joints and has no
 * location. */
bool gdyn_joint_type_has_points(gdyn_joint_type type);
/* True when the definition of such a joint gives its axis. */
bool gdyn_joint_type_has_axis(gdyn_joint_type type, gdyn_space space);
