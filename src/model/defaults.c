/* defaults.c - default definitions. */
#include "model/model.h"

#include <math.h>
#include <string.h>

/* At the origin, without mass. */
gdyn_body_def gdyn_body_default(void) {
    gdyn_body_def def;
    memset(&def, 0, sizeof def);
    return def;
}

/* Of the ground with itself, to be filled in. */
gdyn_joint_def gdyn_joint_default(void) {
    gdyn_joint_def def;
    memset(&def, 0, sizeof def);
    def.a.body = def.b.body = GDYN_GROUND;
    def.ratio = 1.0;
    def.joint_a = def.joint_b = GDYN_NONE;
    return def;
}

/* Limits have to be stated: NaN is none. */
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

/* On the ground, to be filled in. */
gdyn_force_def gdyn_force_default(void) {
    gdyn_force_def def;
    memset(&def, 0, sizeof def);
    def.joint = GDYN_NONE;
    def.a.body = def.b.body = GDYN_GROUND;
    return def;
}

/* Of no joint. */
gdyn_motion_def gdyn_motion_default(void) {
    gdyn_motion_def def;
    memset(&def, 0, sizeof def);
    def.joint = GDYN_NONE;
    return def;
}

/* Without bounds. */
gdyn_range_def gdyn_range_default(void) {
    gdyn_range_def def;
    memset(&def, 0, sizeof def);
    def.joint = def.drive = GDYN_NONE;
    def.min = -INFINITY;
    def.max = INFINITY;
    return def;
}

/* Of no joint, without bounds. */
gdyn_limit_def gdyn_limit_default(void) {
    return (gdyn_limit_def){.joint = GDYN_NONE, .min = -INFINITY, .max = INFINITY};
}

/* A point without size. */
gdyn_shape_def gdyn_shape_default(void) {
    gdyn_shape_def def;
    memset(&def, 0, sizeof def);
    def.drive = GDYN_NONE;
    def.R[0] = def.R[4] = def.R[8] = 1;
    return def;
}
