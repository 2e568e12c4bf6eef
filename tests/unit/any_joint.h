/* any_joint.h - a joint of any kind with arbitrary points, axes and constants, for tests over all kinds. */
#ifndef GDYN_TESTS_ANY_JOINT_H
#define GDYN_TESTS_ANY_JOINT_H

#include <stdbool.h>

#include "base/random.h"
#include "globdyn.h"

static inline void any_vector(gdyn_random *dice, double v[3], double size, bool planar) {
    for (int i = 0; i < 3; i++)
        v[i] = gdyn_random_between(dice, -size, size);
    if (planar)
        v[2] = 0;
}

/* locks: bit i locks direction i of a generic joint. */
static inline gdyn_joint_def any_joint(gdyn_random *dice, gdyn_joint_type type, bool planar, int a,
                                       int b, int locks) {
    gdyn_joint_def def = gdyn_joint_default();
    def.name = "joint";
    def.type = type;
    def.a.body = a;
    def.b.body = b;
    any_vector(dice, def.a.at, 0.7, planar);
    any_vector(dice, def.b.at, 0.7, planar);
    any_vector(dice, def.axis_a, 1, planar);
    any_vector(dice, def.axis_b, 1, planar);
    any_vector(dice, def.normal, 1, planar);
    def.length = 0.7;
    def.pitch = 0.4;
    def.radius = 0.3;
    for (int i = 0; i < 6; i++)
        def.locks[i] = locks >> i & 1;
    return def;
}

#endif
