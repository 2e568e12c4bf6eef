/* tables.c - names, defaults, and the table of joint types: one line per type.
 *
 * A recipe lists the rows of a joint, one letter each:
 *   x y z  component of d = x_a - x_b along a ground axis       d  |d| = length
 *   1 2    d along the first, second normal of the axis of b    3  d along the axis (normal) of b
 *   p q    axis of a perpendicular to first, second normal of b (axes parallel)
 *   r      first normal of a perpendicular to second normal of b (no roll)
 *   u      axis of a perpendicular to axis of b                 t  angle of a in b = offset
 *   s      slide - pitch/(2 pi) angle = 0                       g  gear
 *   c      disc touches plane                                   G  generic: rows by locks[]
 *   K      Pfaffian: knife edge                                 R  Pfaffian: rolling, two rows
 *
 * A second recipe lists the motions of a relative to b that these rows leave free, as unit screws
 * through a's point (screws.h); NULL: the joint is no edge of a spanning tree.
 *   t T    turn about the axis of b, of a                       h  turn about the axis of b with pitch
 *   s 1 2  slide along the axis of b, along its normals         o  turns about three ground axes
 *   x y z  slide along a ground axis                            G  generic: what locks[] leaves */
#include "model/data.h"

#include <math.h>
#include <string.h>

#define NO    GDYN_FREEDOM_DEFAULT
#define ANGLE GDYN_FREEDOM_ANGLE
#define SLIDE GDYN_FREEDOM_SLIDE

static const gdyn_joint_kind joint_kinds[] = {
    {GDYN_REVOLUTE, "revolute", "xy", "xyzpq", {ANGLE}, {ANGLE}, "t", "t"},
    {GDYN_PRISMATIC, "prismatic", "t1", "12pqr", {SLIDE}, {SLIDE}, "s", "s"},
    {GDYN_FIXED, "fixed", "xyt", "xyzpqr", {NO}, {NO}, "", ""},
    {GDYN_ROD, "rod", "d", "d", {NO}, {NO}, NULL, NULL},
    {GDYN_SLOT, "slot", "1", NULL, {SLIDE, ANGLE}, {NO}, "st", NULL},
    {GDYN_ANGLE, "angle", "t", NULL, {NO}, {NO}, "xy", NULL},
    {GDYN_GEAR, "gear", "g", "g", {NO}, {NO}, NULL, NULL},
    {GDYN_KNIFE_EDGE, "knife_edge", "K", "K", {NO}, {NO}, NULL, NULL},
    {GDYN_CYLINDRICAL, "cylindrical", NULL, "12pq", {NO}, {SLIDE, ANGLE}, NULL, "st"},
    {GDYN_UNIVERSAL,
     "universal",
     NULL,
     "xyzu",
     {NO},
     {GDYN_FREEDOM_FIRST, GDYN_FREEDOM_SECOND},
     NULL,
     "tT"},
    {GDYN_SPHERICAL, "spherical", NULL, "xyz", {NO}, {NO}, NULL, "o"},
    {GDYN_PLANAR_JOINT,
     "planar",
     NULL,
     "3pq",
     {NO},
     {GDYN_FREEDOM_X, GDYN_FREEDOM_Y, ANGLE},
     NULL,
     "12t"},
    {GDYN_SCREW, "screw", NULL, "12pqs", {NO}, {ANGLE, SLIDE}, NULL, "h"},
    {GDYN_POINT_ON_LINE, "point_on_line", NULL, "12", {NO}, {SLIDE}, NULL, "so"},
    {GDYN_POINT_ON_PLANE, "point_on_plane", NULL, "3", {NO}, {NO}, NULL, "12o"},
    {GDYN_PARALLEL, "parallel", NULL, "pq", {NO}, {ANGLE}, NULL, "xyzt"},
    {GDYN_ROLLING, "rolling", NULL, "cR", {NO}, {NO}, NULL, NULL},
    {GDYN_GENERIC, "generic", NULL, "G", {NO}, {NO}, NULL, "G"},
};
enum { JOINT_KINDS = sizeof joint_kinds / sizeof *joint_kinds };

const gdyn_joint_kind *gdyn_joint_kind_of(gdyn_joint_type type) {
    for (int i = 0; i < JOINT_KINDS; i++)
        if (joint_kinds[i].type == type)
            return &joint_kinds[i];
    return NULL;
}

const char *gdyn_joint_type_name(gdyn_joint_type type) {
    const gdyn_joint_kind *kind = gdyn_joint_kind_of(type);
    return kind ? kind->name : "unknown";
}

bool gdyn_joint_type_in(gdyn_joint_type type, gdyn_space space) {
    const gdyn_joint_kind *kind = gdyn_joint_kind_of(type);
    return kind && (space == GDYN_PLANAR ? kind->planar : kind->spatial);
}

int gdyn_joint_freedoms(gdyn_joint_type type, gdyn_space space, gdyn_freedom freedoms[3]) {
    const gdyn_joint_kind *kind = gdyn_joint_kind_of(type);
    if (!kind)
        return 0;
    const gdyn_freedom *list = space == GDYN_PLANAR ? kind->planar_freedom : kind->spatial_freedom;
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (list[i] != GDYN_FREEDOM_DEFAULT)
            freedoms[count++] = list[i];
    return count;
}

gdyn_freedom gdyn_joint_resolve(const gdyn_machine *machine, int joint, gdyn_freedom freedom) {
    gdyn_freedom list[3];
    int count = gdyn_joint_freedoms(machine->joint[joint].type, machine->space, list);
    if (freedom == GDYN_FREEDOM_DEFAULT)
        return count == 1 ? list[0] : GDYN_FREEDOM_DEFAULT;
    for (int i = 0; i < count; i++)
        if (list[i] == freedom)
            return freedom;
    return GDYN_FREEDOM_DEFAULT;
}

const char *gdyn_freedom_name(gdyn_freedom freedom) {
    static const char *const names[] = {"default", "angle", "slide", "first", "second", "x", "y"};
    return names[freedom];
}

gdyn_body_def gdyn_body_default(void) {
    gdyn_body_def def;
    memset(&def, 0, sizeof def);
    return def;
}

gdyn_joint_def gdyn_joint_default(void) {
    gdyn_joint_def def;
    memset(&def, 0, sizeof def);
    def.a.body = def.b.body = GDYN_GROUND;
    def.ratio = 1.0;
    def.joint_a = def.joint_b = GDYN_NONE;
    return def;
}

gdyn_drive_def gdyn_drive_default(void) {
    gdyn_drive_def def;
    memset(&def, 0, sizeof def);
    def.joint = GDYN_NONE;
    def.a.body = def.b.body = GDYN_GROUND;
    def.min = def.max = NAN;
    def.speed_max = INFINITY;
    def.rate = INFINITY;
    def.ratio = 1.0;
    return def;
}

gdyn_force_def gdyn_force_default(void) {
    gdyn_force_def def;
    memset(&def, 0, sizeof def);
    def.joint = GDYN_NONE;
    def.a.body = def.b.body = GDYN_GROUND;
    return def;
}

gdyn_motion_def gdyn_motion_default(void) {
    gdyn_motion_def def;
    memset(&def, 0, sizeof def);
    def.joint = GDYN_NONE;
    return def;
}
