/* frame.c - see frame.h. */
#include "model/frame.h"

#include "linalg/vec3.h"

void gdyn_anchor_offset(const gdyn_machine *machine, const gdyn_anchor *anchor, double s[3]) {
    v3_copy(s, anchor->at);
    if (anchor->body >= 0)
        v3_sub(s, s, machine->body[anchor->body].com);
}

static bool given(const double v[3]) {
    return v3_norm(v) > 0.0;
}

gdyn_joint_frame gdyn_joint_frame_of(const gdyn_machine *machine, const gdyn_joint_def *def) {
    gdyn_joint_frame f = {.a = def->a.body, .b = def->b.body};
    bool planar = machine->space == GDYN_PLANAR;
    gdyn_anchor_offset(machine, &def->a, f.sa);
    gdyn_anchor_offset(machine, &def->b, f.sb);
    double standard[3] = {planar, 0, !planar};
    v3_copy(f.ua, def->axis_a);
    v3_copy(f.ub, def->axis_b);
    if (planar)
        f.ua[2] = f.ub[2] =
            0.0; /* directions lie in the plane; z as the axis of turning is implied */
    if (!given(f.ua))
        v3_copy(f.ua, standard);
    if (!given(f.ub))
        v3_copy(f.ub, standard);
    if (def->type == GDYN_POINT_ON_PLANE)
        v3_copy(f.ub, def->normal);
    gdyn_v3_normalize(f.ua);
    gdyn_v3_normalize(f.ub);
    if (planar) {
        v3_set(f.nb[0], -f.ub[1], f.ub[0], 0);
        v3_set(f.na[0], -f.ua[1], f.ua[0], 0);
        return f;
    }
    double R[9];
    gdyn_v3_triad(f.ub, f.nb[0], f.nb[1]);
    gdyn_rotation_between(R, f.ub, f.ua);
    m3_apply(f.na[0], R, f.nb[0]);
    m3_apply(f.na[1], R, f.nb[1]);
    return f;
}
