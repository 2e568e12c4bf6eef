/* joint_kinds.c - the table of joint types: one row per type.
 *
 * The word of a joint lists its constraint rows, a letter each. What the letters carry is in the
 * table of letters; which row each of them is, in compile.c:
 *   x y z  component of d = x_a - x_b along a ground axis       d  |d| = length
 *   1 2    d along the first, second normal of the axis of b    3  d along the axis (normal) of b
 *   p q    axis of a perpendicular to first, second normal of b (axes parallel)
 *   r      first normal of a perpendicular to second normal of b (no roll)
 *   u      axis of a perpendicular to axis of b                 t  angle of a in b = offset
 *   s      slide - pitch/(2 pi) angle = 0                       g  gear
 *   c      disc touches plane                                   G  generic: rows by locks[]
 *   K      Pfaffian: knife edge                                 R  Pfaffian: rolling, two rows
 *
 * A second word lists the motions of a relative to b that these rows leave free, as unit screws
 * through a's point (screws.h); NULL: the joint is no edge of a spanning tree.
 *   t T    turn about the axis of b, of a                 h  turn about the axis of b with pitch
 *   s 1 2  slide along the axis of b, along its normals   o  turns about the three axes of b
 *   G      generic: what locks[] leaves */
#include "linalg/vec3.h"
#include "model/kinds.h"

#include <string.h>

const char *const gdyn_joint_type_names[GDYN_JOINT_TYPES + 1] = {
    [GDYN_REVOLUTE] = "revolute",
    [GDYN_PRISMATIC] = "prismatic",
    [GDYN_FIXED] = "fixed",
    [GDYN_ROD] = "rod",
    [GDYN_SLOT] = "slot",
    [GDYN_ANGLE] = "angle",
    [GDYN_GEAR] = "gear",
    [GDYN_KNIFE_EDGE] = "knife_edge",
    [GDYN_CYLINDRICAL] = "cylindrical",
    [GDYN_UNIVERSAL] = "universal",
    [GDYN_SPHERICAL] = "spherical",
    [GDYN_PLANAR_JOINT] = "planar",
    [GDYN_SCREW] = "screw",
    [GDYN_POINT_ON_LINE] = "point_on_line",
    [GDYN_POINT_ON_PLANE] = "point_on_plane",
    [GDYN_PARALLEL] = "parallel",
    [GDYN_ROLLING] = "rolling",
    [GDYN_GENERIC] = "generic",
};

/* --- letters --------------------------------------------------------------------------------- */

/* Forces and moments along the joint's axes that the row of a letter is part of. */
static const struct {
    char letter;
    const char *planar, *spatial;
} letters[] = {
    {'x', "X", "X"}, {'y', "Y", "Y"}, {'z', "", "Z"},  {'d', "X", "X"},
    {'1', "Y", "X"}, {'2', "", "Y"},  {'3', "", "Z"},  {'p', "", "y"},
    {'q', "", "x"},  {'r', "", "z"},  {'u', "", "z"},  {'t', "z", ""},
    {'s', "", "Zz"}, {'c', "", "Z"},  {'K', "X", "X"}, {'R', "", "XY"},
};

/* --- the table ------------------------------------------------------------------------------- */

/* clang-format off */
#define ABSENT    {NULL, NULL, {0}, GDYN_AXES_NONE, 0, 0, {{0}}}
#define NO        {GDYN_FREEDOM_DEFAULT}
#define NOTHING   {{0}}
#define ANGLE     GDYN_FREEDOM_ANGLE
#define SLIDE     GDYN_FREEDOM_SLIDE
#define FIRST     GDYN_FREEDOM_FIRST
#define SECOND    GDYN_FREEDOM_SECOND
#define AXIS      GDYN_READS_AXIS
#define AXES      GDYN_READS_AXES
#define DIRECTION GDYN_READS_DIRECTION
#define NORMAL    GDYN_READS_NORMAL
#define LENGTH    GDYN_READS_LENGTH
#define PITCH     GDYN_READS_PITCH
#define RADIUS    GDYN_READS_RADIUS
#define RATIO     GDYN_READS_RATIO
#define OFFSET    GDYN_READS_OFFSET
#define TURN      GDYN_READS_ANGLE
#define LOCKS     GDYN_READS_LOCKS
#define FRICTION  GDYN_READS_FRICTION

/* Each row: what it is, ends, glyph; then in the plane and in space
 *   word, motions, freedoms, axes of the reaction, may be given, must be given,
 *   {what may replace it} */
static const gdyn_joint_kind kinds[] = {
    [GDYN_REVOLUTE] = {"turns about one axis", GDYN_ENDS_POINTS, GDYN_GLYPH_PIN, {
        {"xy", "t", {ANGLE}, GDYN_AXES_BODY, FRICTION, 0,
            {{GDYN_SLOT, "xy"}}},
        {"xyzpq", "t", {ANGLE}, GDYN_AXES_AXIS, DIRECTION | FRICTION, 0,
            {{GDYN_CYLINDRICAL, "k"}, {GDYN_UNIVERSAL, "12"}, {GDYN_SPHERICAL, "k"},
             {GDYN_POINT_ON_LINE, "k12"}, {GDYN_POINT_ON_PLANE, "k12"}}}}},
    [GDYN_PRISMATIC] = {"slides along one axis", GDYN_ENDS_POINTS, GDYN_GLYPH_RAIL, {
        {"t1", "s", {SLIDE}, GDYN_AXES_AXIS, DIRECTION | FRICTION, 0,
            {{GDYN_SLOT, "k"}, {GDYN_ANGLE, "k"}}},
        {"12pqr", "s", {SLIDE}, GDYN_AXES_AXIS, DIRECTION | FRICTION, 0,
            {{GDYN_CYLINDRICAL, "k"}, {GDYN_PLANAR_JOINT, "12"}, {GDYN_POINT_ON_LINE, "k"},
             {GDYN_POINT_ON_PLANE, "12"}}}}},
    [GDYN_FIXED] = {"holds the bodies together", GDYN_ENDS_POINTS, GDYN_GLYPH_PIN, {
        {"xyt", "", NO, GDYN_AXES_BODY, TURN, 0,
            {{GDYN_REVOLUTE, "k"}, {GDYN_PRISMATIC, "xy"}, {GDYN_SLOT, "xy"}, {GDYN_ANGLE, "k"}}},
        {"xyzpqr", "", NO, GDYN_AXES_AXIS, 0, 0,
            {{GDYN_REVOLUTE, "zxy"}, {GDYN_SPHERICAL, "k"}}}}},
    [GDYN_ROD] = {"keeps two points at the distance `length`", GDYN_ENDS_POINTS, GDYN_GLYPH_BAR, {
        {"d", NULL, NO, GDYN_AXES_LINE, 0, LENGTH, NOTHING},
        {"d", NULL, NO, GDYN_AXES_LINE, 0, LENGTH, NOTHING}}},
    [GDYN_SLOT] = {"keeps the first point on a line of the second body", GDYN_ENDS_POINTS,
                   GDYN_GLYPH_RAIL, {
        {"1", "st", {SLIDE, ANGLE}, GDYN_AXES_AXIS, DIRECTION | FRICTION, 0, NOTHING},
        ABSENT}},
    [GDYN_ANGLE] = {"keeps the angle between the bodies", GDYN_ENDS_POINTS, GDYN_GLYPH_POINT, {
        {"t", "s1", NO, GDYN_AXES_BODY, TURN, 0, NOTHING},
        ABSENT}},
    [GDYN_GEAR] = {"couples the coordinates of two joints: first = `ratio` * second + `offset`",
                   GDYN_ENDS_JOINTS, GDYN_GLYPH_NONE, {
        {"g", NULL, NO, GDYN_AXES_NONE, RATIO | OFFSET, 0, NOTHING},
        {"g", NULL, NO, GDYN_AXES_NONE, RATIO | OFFSET, 0, NOTHING}}},
    [GDYN_KNIFE_EDGE] = {"the first point has no velocity along a normal of its body (a wheel)",
                         GDYN_ENDS_POINT, GDYN_GLYPH_EDGE, {
        {"K", NULL, NO, GDYN_AXES_EDGE, 0, NORMAL, NOTHING},
        {"K", NULL, NO, GDYN_AXES_EDGE, 0, NORMAL, NOTHING}}},
    [GDYN_CYLINDRICAL] = {"slides along one axis and turns about it", GDYN_ENDS_POINTS,
                          GDYN_GLYPH_RAIL, {
        ABSENT,
        {"12pq", "st", {SLIDE, ANGLE}, GDYN_AXES_AXIS, DIRECTION | FRICTION, 0,
            {{GDYN_POINT_ON_LINE, "k"}, {GDYN_POINT_ON_PLANE, "12"}}}}},
    [GDYN_UNIVERSAL] = {"turns about an axis of each body, which stay perpendicular",
                        GDYN_ENDS_POINTS, GDYN_GLYPH_PIN, {
        ABSENT,
        {"xyzu", "tT", {FIRST, SECOND}, GDYN_AXES_CROSS, FRICTION, AXES,
            {{GDYN_SPHERICAL, "k"}, {GDYN_POINT_ON_LINE, "xyz"}}}}},
    [GDYN_SPHERICAL] = {"turns about a point", GDYN_ENDS_POINTS, GDYN_GLYPH_PIN, {
        ABSENT,
        {"xyz", "o", NO, GDYN_AXES_BODY, 0, 0,
            {{GDYN_POINT_ON_LINE, "zxy"}, {GDYN_POINT_ON_PLANE, "zxy"}}}}},
    [GDYN_PLANAR_JOINT] = {"moves in a plane of the second body", GDYN_ENDS_POINTS,
                           GDYN_GLYPH_POINT, {
        ABSENT,
        {"3pq", "12t", {GDYN_FREEDOM_X, GDYN_FREEDOM_Y, ANGLE}, GDYN_AXES_PLANE,
            DIRECTION | NORMAL | FRICTION, 0,
            {{GDYN_POINT_ON_PLANE, "k"}}}}},
    [GDYN_SCREW] = {"advances by `pitch` per turn", GDYN_ENDS_POINTS, GDYN_GLYPH_POINT, {
        ABSENT,
        {"12pqs", "h", {ANGLE, SLIDE}, GDYN_AXES_AXIS, DIRECTION | FRICTION, PITCH, NOTHING}}},
    [GDYN_POINT_ON_LINE] = {"keeps the first point on a line of the second body", GDYN_ENDS_POINTS,
                            GDYN_GLYPH_RAIL, {
        ABSENT,
        {"12", "so", {SLIDE}, GDYN_AXES_AXIS, DIRECTION | FRICTION, 0,
            {{GDYN_POINT_ON_PLANE, "12"}}}}},
    [GDYN_POINT_ON_PLANE] = {"keeps the first point in a plane of the second body",
                             GDYN_ENDS_POINTS, GDYN_GLYPH_POINT, {
        ABSENT,
        {"3", "12o", NO, GDYN_AXES_PLANE, 0, NORMAL, NOTHING}}},
    [GDYN_PARALLEL] = {"keeps an axis of each body parallel", GDYN_ENDS_POINTS, GDYN_GLYPH_POINT, {
        ABSENT,
        {"pq", "12st", {ANGLE}, GDYN_AXES_AXIS, DIRECTION, 0, NOTHING}}},
    [GDYN_ROLLING] = {"a disc of the first body rolls on a plane of the second", GDYN_ENDS_POINTS,
                      GDYN_GLYPH_POINT, {
        ABSENT,
        {"cR", NULL, NO, GDYN_AXES_CONTACT, 0, AXIS | NORMAL | RADIUS, NOTHING}}},
    [GDYN_GENERIC] = {"locks any of x, y, z, rx, ry, rz of the second body's frame",
                      GDYN_ENDS_POINTS, GDYN_GLYPH_LOCKS, {
        ABSENT,
        {"G", "G", NO, GDYN_AXES_BODY, 0, LOCKS, NOTHING}}},
};
/* clang-format on */
_Static_assert(sizeof kinds / sizeof *kinds == GDYN_JOINT_TYPES, "a row for each type");

/* --- asking it ------------------------------------------------------------------------------- */

const gdyn_joint_kind *gdyn_joint_kind_of(gdyn_joint_type type) {
    return (unsigned)type < GDYN_JOINT_TYPES ? &kinds[type] : NULL;
}

bool gdyn_joint_holds_point(const gdyn_joint_def *joint) {
    gdyn_joint_glyph glyph = gdyn_joint_kind_of(joint->type)->glyph;
    bool locked = joint->locks[0] && joint->locks[1] && joint->locks[2];
    return glyph == GDYN_GLYPH_PIN || (glyph == GDYN_GLYPH_LOCKS && locked);
}

/* A row without forms stands for types that do not exist in this space. */
const gdyn_joint_form *gdyn_joint_form_of(gdyn_joint_type type, gdyn_space space) {
    static const gdyn_joint_form none = ABSENT;
    const gdyn_joint_kind *kind = gdyn_joint_kind_of(type);
    return kind ? &kind->form[space] : &none;
}

bool gdyn_joint_reads(const gdyn_joint_form *form, unsigned parts) {
    return (form->may | form->must) & parts;
}

const char *gdyn_joint_type_name(gdyn_joint_type type) {
    return gdyn_joint_kind_of(type) ? gdyn_joint_type_names[type] : "unknown";
}

bool gdyn_joint_type_in(gdyn_joint_type type, gdyn_space space) {
    return gdyn_joint_form_of(type, space)->rows != NULL;
}

bool gdyn_joint_type_has_points(gdyn_joint_type type) {
    const gdyn_joint_kind *kind = gdyn_joint_kind_of(type);
    return kind && kind->ends != GDYN_ENDS_JOINTS;
}

bool gdyn_joint_type_has_axis(gdyn_joint_type type, gdyn_space space) {
    return gdyn_joint_reads(gdyn_joint_form_of(type, space), GDYN_READS_DIRECTION);
}

/* In the order of the table. */
int gdyn_joint_freedoms(gdyn_joint_type type, gdyn_space space, gdyn_freedom freedoms[3]) {
    const gdyn_freedom *list = gdyn_joint_form_of(type, space)->freedom;
    int count = 0;
    while (count < GDYN_FREEDOMS_MOST && list[count] != GDYN_FREEDOM_DEFAULT) {
        freedoms[count] = list[count];
        count++;
    }
    return count;
}

/* The axis of the joint in b: of planes their normal. */
void gdyn_joint_axis_of_b(const gdyn_joint_def *def, gdyn_space space, double u[3]) {
    const gdyn_joint_form *form = gdyn_joint_form_of(def->type, space);
    bool plane = form->axes == GDYN_AXES_PLANE || form->axes == GDYN_AXES_CONTACT;
    bool planar = space == GDYN_PLANAR;
    v3_copy(u, plane && !gdyn_joint_reads(form, GDYN_READS_AXES) ? def->normal : def->axis_b);
    /* Directions lie in the plane; z as the axis of turning is implied. */
    if (planar)
        u[2] = 0.0;
    if (!(v3_norm(u) > 0.0))
        v3_set(u, planar, 0, !planar);
    gdyn_v3_normalize(u);
}

/* --- what it carries ------------------------------------------------------------------------- */

static const char components[] = "XYZxyz";

/* A set of components as bits. */
static unsigned carried_by(const char *set) {
    unsigned mask = 0;
    for (; *set; set++)
        mask |= 1u << (strchr(components, *set) - components);
    return mask;
}

const char *gdyn_carried_name(char letter) {
    static const char *const names[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    return names[strchr(components, letter) - components];
}

/* What the joint transmits, as letters; -1: couplings have no frame. */
int gdyn_joint_carries(const gdyn_joint_def *def, gdyn_space space,
                       char carried[GDYN_CARRIED_MOST + 1]) {
    const gdyn_joint_form *form = gdyn_joint_form_of(def->type, space);
    const bool *locks = def->locks;
    unsigned mask = 0;
    int count = 0, turns = locks[3] + locks[4] + locks[5];
    /* One locked turn alone, about i, is a_k . b_j = 0 (i, j, k cyclic): its moment acts along
     * a_k x b_j, across b's axis j, so it has a part along b's axis k too as soon as the bodies
     * are turned against each other. */
    for (int i = 0; i < 6 && gdyn_joint_reads(form, GDYN_READS_LOCKS); i++) {
        bool beside = turns == 1 && i >= 3 && locks[3 + (i - 3 + 1) % 3];
        mask |= (unsigned)(locks[i] || beside) << i;
    }
    carried[0] = '\0';
    if (form->axes == GDYN_AXES_NONE)
        return -1;
    /* the union over its rows */
    for (const char *row = form->rows; *row; row++)
        for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
            if (letters[i].letter == *row)
                mask |= carried_by(space == GDYN_PLANAR ? letters[i].planar : letters[i].spatial);
    for (int i = 0; i < GDYN_CARRIED_MOST; i++)
        if (mask >> i & 1)
            carried[count++] = components[i];
    carried[count] = '\0';
    return count;
}
