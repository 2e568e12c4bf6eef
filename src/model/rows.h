/* rows.h - the scalar rows a model is made of (internal to the library). */
#pragma once

#include "model/model.h"

/* Letters: x_a, x_b points; d = x_a - x_b; e, k vectors fixed in b; m, f vectors fixed in a. */
typedef enum gdyn_row_kind {
    GDYN_ROW_POINT,    /* ground-axis component `axis` of d */
    GDYN_ROW_ALONG,    /* e . d */
    GDYN_ROW_DISTANCE, /* |d| */
    GDYN_ROW_DOT,      /* m . e */
    GDYN_ROW_TURN,     /* angle about e from k to m, (-pi, pi], turns counted by the state */
    GDYN_ROW_ORIENT,   /* ground-axis component `axis` of log(R_a R_t^T), target R_t = frame */
    GDYN_ROW_SUM,      /* first + weight * second, two other rows */
    GDYN_ROW_DISC,     /* disc touches plane: e . d - radius sqrt(1 - (m . e)^2) */
    GDYN_ROW_KNIFE,    /* velocity form: m . (velocity of a's point relative to b) */
    GDYN_ROW_ROLL,     /* velocity form: k . (velocity of the disc's contact point relative to b) */
    GDYN_ROW_WRENCH    /* velocity form: force . v_P + torque . omega (weights in m, f) */
} gdyn_row_kind;

typedef struct gdyn_row {
    gdyn_row_kind kind;
    int a, b;              /* bodies; GDYN_GROUND allowed */
    double sa[3], sb[3];   /* points relative to the centres of gravity, body axes [m] */
    double m[3], f[3];     /* vectors in a's axes (WRENCH without in_body: ground axes) */
    double e[3], k[3];     /* vectors in b's axes */
    int axis;              /* POINT, ORIENT: 0..2 */
    bool in_body;          /* WRENCH */
    double radius, weight; /* DISC, ROLL: radius; SUM: weight */
    double frame[9]; /* ORIENT: target rotation; rotation of body a relative to its own frame */
    const struct gdyn_row *first, *second; /* SUM */
    double target;                         /* constraint rows: value wanted */
    bool length;                           /* value is a length (else an angle or ratio) */
    int turn; /* TURN: index of the state's turn counter, -1: not counted */
} gdyn_row;

/* In space an axis condition is m . e = 0 for two normals m of the other axis, which the mirrored
 * axis fulfils too. A guard is a DOT row of two directions whose value is 1 when they agree and -1
 * when one is mirrored. */
typedef struct gdyn_guard {
    gdyn_row row;
    int joint;
} gdyn_guard;

/* Makes path and drive rows from anchors (anchors are relative to body frames, rows to centres of
 * gravity). They work for GDYN_GROUND as well. */
gdyn_row gdyn_row_point(const gdyn_model *model, gdyn_anchor a, int axis);
gdyn_row gdyn_row_orientation(const gdyn_model *model, int body, int axis);
/* Planar angle of a body against the ground. */
gdyn_row gdyn_row_angle(const gdyn_model *model, int body);
/* Coordinate of a joint's freedom; *ok = false when the joint has no such freedom. */
gdyn_row gdyn_row_joint(const gdyn_model *model, int joint, gdyn_freedom freedom, bool *ok);
