/* screws.c - the geometry of a joint, and its motions written out, a letter each
 * (joint_kinds.c). */
#include "base/pi.h"
#include "linalg/vec3.h"
#include "model/data.h"

#include <math.h>

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
    /* an axis that is not given is the usual one */
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

/* --- free motions ---------------------------------------------------------------------------- */

typedef struct list {
    gdyn_screw *screw;
    int count;
} list;

static void add(list *to, bool turns, bool in_a, const double axis[3], double pitch) {
    gdyn_screw *screw = &to->screw[to->count++];
    *screw = (gdyn_screw){.turns = turns, .in_a = in_a, .pitch = pitch};
    v3_copy(screw->axis, axis);
}

static void add_unit(list *to, bool turns, bool in_a, int axis) {
    double e[3] = {axis == 0, axis == 1, axis == 2};
    add(to, turns, in_a, e, 0);
}

static void add_ball(list *to) {
    for (int i = 0; i < 3; i++)
        add_unit(to, true, false, i);
}

/* What the locks leave free. With one rotation locked the joint is a universal one between axis k
 * of a and axis j of b, with two the third axis stays parallel (compile.c, emit_generic). */
static void add_generic(list *to, const gdyn_joint_def *def) {
    int locked = def->locks[3] + def->locks[4] + def->locks[5];
    /* translations, then rotations by their number */
    for (int i = 0; i < 3; i++)
        if (!def->locks[i])
            add_unit(to, false, false, i);
    if (locked == 0)
        add_ball(to);
    for (int i = 0; i < 3; i++)
        if (locked == 2 && !def->locks[3 + i]) {
            add_unit(to, true, false, i);
        } else if (locked == 1 && def->locks[3 + i]) {
            add_unit(to, true, false, (i + 1) % 3);
            add_unit(to, true, true, (i + 2) % 3);
        }
}

/* One letter of the type's free motions. */
static void add_letter(list *to, char letter, bool planar, const gdyn_joint_geometry *f,
                       const gdyn_joint_def *def) {
    static const double z[3] = {0, 0, 1};
    switch (letter) {
    case 't':
        add(to, true, false, planar ? z : f->ub, 0);
        break;
    case 'T':
        add(to, true, true, f->ua, 0);
        break;
    case 'h':
        add(to, true, false, f->ub, def->pitch / (2 * GDYN_PI));
        break;
    case 's':
        add(to, false, false, f->ub, 0);
        break;
    case '1':
    case '2':
        add(to, false, false, f->nb[letter - '1'], 0);
        break;
    case 'o':
        add_ball(to);
        break;
    case 'G':
        add_generic(to, def);
        break;
    default:
        break;
    }
}

/* Free motions of a joint as screws; -1: couplings have none. */
int gdyn_joint_screws(const gdyn_model *model, int joint, gdyn_screw screws[GDYN_SCREWS_MOST]) {
    const gdyn_machine *machine = model->machine;
    const gdyn_joint_def *def = &machine->joint[joint];
    bool planar = machine->space == GDYN_PLANAR;
    const char *motions = gdyn_joint_form_of(def->type, machine->space)->motions;
    if (!motions)
        return -1;
    gdyn_joint_geometry f = gdyn_joint_geometry_of(machine, def);
    list to = {.screw = screws};
    for (const char *letter = motions; *letter; letter++)
        add_letter(&to, *letter, planar, &f, def);
    return to.count;
}

/* Those of a body without joint. */
int gdyn_floating_screws(const gdyn_model *model, gdyn_screw screws[GDYN_SCREWS_MOST]) {
    list to = {.screw = screws};
    bool planar = model->machine->space == GDYN_PLANAR;
    for (int i = 0; i < (planar ? 2 : 3); i++)
        add_unit(&to, false, false, i);
    if (planar)
        add_unit(&to, true, false, 2);
    else
        add_ball(&to);
    return to.count;
}
