/* frame.c - see frame.h. */
#include "model/frame.h"

#include "linalg/vec3.h"

/* From the body's frame to its centre of gravity. */
void gdyn_anchor_offset(const gdyn_machine *machine, const gdyn_anchor *anchor, double s[3]) {
    v3_copy(s, anchor->at);
    if (anchor->body >= 0)
        v3_sub(s, s, machine->body[anchor->body].com);
}

/* Points, axes and normals of both bodies, of unit length. */
gdyn_joint_geometry gdyn_joint_geometry_of(const gdyn_machine *machine, const gdyn_joint_def *def) {
    gdyn_joint_geometry f = {.a = def->a.body, .b = def->b.body};
    bool planar = machine->space == GDYN_PLANAR;
    gdyn_anchor_offset(machine, &def->a, f.sa);
    gdyn_anchor_offset(machine, &def->b, f.sb);
    gdyn_joint_axis_of_b(def, machine->space, f.ub);
    /* an axis that is not stated is the usual one */
    v3_copy(f.ua, def->axis_a);
    if (planar)
        f.ua[2] = 0.0;
    if (!(v3_norm(f.ua) > 0.0))
        v3_set(f.ua, planar, 0, !planar);
    gdyn_v3_normalize(f.ua);
    /* in the plane the normal is turned by 90 degrees */
    if (planar) {
        v3_set(f.nb[0], -f.ub[1], f.ub[0], 0);
        v3_set(f.na[0], -f.ua[1], f.ua[0], 0);
        return f;
    }
    /* normals of a as b's would be when the axes coincide */
    double R[9];
    gdyn_v3_triad(f.ub, f.nb[0], f.nb[1]);
    gdyn_rotation_between(R, f.ub, f.ua);
    m3_apply(f.na[0], R, f.nb[0]);
    m3_apply(f.na[1], R, f.nb[1]);
    return f;
}
