/* kinds.h - what the library knows about each kind of joint, drive and force: one row of a constant
 * table (internal to the library).
 *
 * A joint is a word of letters, one per constraint row. The letters say what the rows are
 * (compile.c), what the joint carries and which senses of axes must be watched; the other columns
 * say what the letters cannot. Every module reads columns; none compares kinds. */
#pragma once

#include "model/model.h"

/* --- joints ---------------------------------------------------------------------------------- */

/* What a joint stands between. */
typedef enum gdyn_joint_ends {
    GDYN_ENDS_POINTS, /* a point of each of two bodies */
    GDYN_ENDS_POINT,  /* the same; the second point may be left out: the ground */
    GDYN_ENDS_JOINTS  /* the coordinates of two joints: it stands nowhere itself */
} gdyn_joint_ends;

/* Axes at the joint, right-handed; planar ones have z out of the plane. The reaction is given in
 * them, and a change of the joint turns them. */
typedef enum gdyn_joint_axes {
    GDYN_AXES_NONE,    /* of a joint that stands nowhere */
    GDYN_AXES_BODY,    /* those of b */
    GDYN_AXES_AXIS,    /* the axis fixed in b (planar: x, spatial: z), and its normals */
    GDYN_AXES_PLANE,   /* z the normal of a plane fixed in b */
    GDYN_AXES_CONTACT, /* the same, at the lowest point of a disc */
    GDYN_AXES_CROSS,   /* x the axis in b, z across it and the axis in a */
    GDYN_AXES_LINE,    /* x from b's point to a's */
    GDYN_AXES_EDGE     /* x the normal fixed in a */
} gdyn_joint_axes;

/* Parts of a gdyn_joint_def that a kind reads. */
enum {
    GDYN_READS_AXIS = 1, /* axis_a, or one direction for axis_a and axis_b */
    GDYN_READS_AXES = 2, /* axis_a and axis_b */
    GDYN_READS_NORMAL = 4,
    GDYN_READS_LENGTH = 8,
    GDYN_READS_PITCH = 16,
    GDYN_READS_RADIUS = 32,
    GDYN_READS_RATIO = 64,
    GDYN_READS_OFFSET = 128, /* of two coordinates */
    GDYN_READS_ANGLE = 1024, /* the same, of the bodies' angles */
    GDYN_READS_LOCKS = 256,
    GDYN_READS_FRICTION = 512,
    GDYN_READS_DIRECTION = GDYN_READS_AXIS | GDYN_READS_AXES
};

/* How pictures show a joint. */
typedef enum gdyn_joint_glyph {
    GDYN_GLYPH_NONE,
    GDYN_GLYPH_POINT,
    GDYN_GLYPH_PIN,   /* a bearing: a's point stays at b's */
    GDYN_GLYPH_LOCKS, /* a bearing when the locks hold the point */
    GDYN_GLYPH_RAIL,  /* slides along a line: a guide on the ground, a leg between moving bodies */
    GDYN_GLYPH_BAR,
    GDYN_GLYPH_EDGE
} gdyn_joint_glyph;

enum { GDYN_FREEDOMS_MOST = 3, GDYN_EASED_MOST = 6 };

/* A kind with less constraints that may replace a joint, and where its axis, or the normal
 * of its plane, may point: a letter each, 'k' as the old one; '1', '2' along its normals; 'x', 'y',
 * 'z' of the second body. */
typedef struct gdyn_joint_eased {
    gdyn_joint_type type;
    const char *axis; /* NULL ends the list */
} gdyn_joint_eased;

/* What a kind is in one space. */
typedef struct gdyn_joint_form {
    const char *rows;    /* a letter each; NULL: not in that space */
    const char *motions; /* free screws (screws.h), a letter each; NULL: no edge of a tree */
    gdyn_freedom freedom[GDYN_FREEDOMS_MOST]; /* coordinates with a name; DEFAULT: no more */
    gdyn_joint_axes axes;                     /* in which the reaction is given */
    unsigned may, must;                       /* GDYN_READS_...: may be given, must be */
    gdyn_joint_eased eased[GDYN_EASED_MOST];  /* in its place, the gentlest first */
} gdyn_joint_form;

typedef struct gdyn_joint_kind {
    const char *about; /* in a phrase, for the manual */
    gdyn_joint_ends ends;
    gdyn_joint_glyph glyph;
    gdyn_joint_form form[2]; /* by gdyn_space */
} gdyn_joint_kind;

/* NULL for a number that is no type. */
const gdyn_joint_kind *gdyn_joint_kind_of(gdyn_joint_type type);
/* Whether a's point stays at b's: a pin, or a generic joint whose locks hold the point. */
bool gdyn_joint_holds_point(const gdyn_joint_def *joint);
/* The form in that space; without rows when the type does not exist there. */
const gdyn_joint_form *gdyn_joint_form_of(gdyn_joint_type type, gdyn_space space);
/* True when the form reads one of these parts of the definition. */
bool gdyn_joint_reads(const gdyn_joint_form *form, unsigned parts);

enum { GDYN_CARRIED_MOST = 6 };
/* What the joint carries in its axes: letters XYZ of forces, xyz of moments, in this order; their
 * number. -1: only the multipliers of its rows have a meaning. */
int gdyn_joint_carries(const gdyn_joint_def *def, gdyn_space space,
                       char carried[GDYN_CARRIED_MOST + 1]);
/* "fx" ... "mz" of such a letter. */
const char *gdyn_carried_name(char letter);
/* Direction fixed in b that the joint is about (unit vector): axis_b, or `normal` of a plane where
 * no axes are given; planar x, spatial z when it is zero. */
void gdyn_joint_axis_of_b(const gdyn_joint_def *def, gdyn_space space, double u[3]);

/* --- drives and other forces ----------------------------------------------------------------- */

/* Where a drive or force acts. */
typedef enum gdyn_acting {
    GDYN_ACTS_AT_JOINT, /* along a joint's freedom */
    GDYN_ACTS_BETWEEN,  /* along the line of the points a and b */
    GDYN_ACTS_ON_POINT  /* on a body at the point a */
} gdyn_acting;

typedef struct gdyn_drive_traits {
    const char *key; /* of the place in the case file */
    gdyn_acting acts;
    double sign;     /* of the generalized force along the coordinate */
    bool pulls_only; /* its force is a tension */
} gdyn_drive_traits;

/* Parts of a gdyn_force_def that a kind takes. */
enum {
    GDYN_TAKES_AT = 1,
    GDYN_TAKES_BETWEEN = 2,
    GDYN_TAKES_OF = 4,
    GDYN_TAKES_STIFFNESS = 8,
    GDYN_TAKES_REST = 16,
    GDYN_TAKES_VISCOUS = 32,
    GDYN_TAKES_COULOMB = 64,
    GDYN_TAKES_STICTION = 128,
    GDYN_TAKES_FORCE = 256,
    GDYN_TAKES_TORQUE = 512,
    GDYN_TAKES_AXES = 1024, /* in_body */
    GDYN_TAKES_MAGNITUDE = 2048
};

/* What a force does follows from what it takes: a stiffness pulls towards the rest, coulomb and
 * stiction rub, force and torque load, a magnitude acts against the motion along the path. */
typedef struct gdyn_force_traits {
    unsigned place; /* one of them says where it acts */
    unsigned may, must;
} gdyn_force_traits;

/* NULL for a number that is no kind. */
const gdyn_drive_traits *gdyn_drive_traits_of(gdyn_drive_kind kind);
const gdyn_force_traits *gdyn_force_traits_of(gdyn_force_kind kind);
/* True when the kind takes one of these parts, its place included. */
bool gdyn_force_takes(gdyn_force_kind kind, unsigned parts);
