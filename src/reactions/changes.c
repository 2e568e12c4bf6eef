/* changes.c - what a joint may become, and the model with joints changed; see proposals.h. */
#include "reactions/proposals.h"

#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Components of a direction that are rounding. */
static const double NO_COMPONENT = 1e-12;

/* --- one change ----------------------------------------------------------------------------- */

/* The joint as `type` still has the freedom by which something refers to it. */
static bool keeps(const gdyn_machine *machine, int joint, gdyn_freedom used, gdyn_joint_type type) {
    gdyn_freedom list[3], wanted = gdyn_joint_resolve(machine, joint, used);
    int count = gdyn_joint_freedoms(type, machine->space, list);
    for (int i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

/* Drives, motions, gears and springs at the joint find their freedom in the new one. A joint that
 * is left out (`type` the one it has) must carry none of them. */
static bool is_allowed(const gdyn_machine *machine, int joint, gdyn_joint_type type) {
    bool out = type == machine->joint[joint].type;
    /* joints without points (gears) are not changed */
    if (!gdyn_joint_type_has_points(type) ||
        !gdyn_joint_type_has_points(machine->joint[joint].type))
        return false;
    for (int i = 0; i < machine->drives; i++)
        if (gdyn_drive_traits_of(machine->drive[i].kind)->acts == GDYN_ACTS_AT_JOINT &&
            machine->drive[i].joint == joint &&
            (out || !keeps(machine, joint, machine->drive[i].freedom, type)))
            return false;
    for (int i = 0; i < machine->motions; i++)
        if (machine->motion[i].joint == joint &&
            (out || !keeps(machine, joint, machine->motion[i].freedom, type)))
            return false;
    /* springs, dampers, friction */
    for (int i = 0; i < machine->forces; i++)
        if (machine->force[i].joint == joint &&
            (out || !keeps(machine, joint, machine->force[i].freedom, type)))
            return false;
    for (int i = 0; i < machine->joints; i++) {
        const gdyn_joint_def *gear = &machine->joint[i];
        bool couples = !gdyn_joint_type_has_points(gear->type);
        bool at_a = couples && gear->joint_a == joint, at_b = couples && gear->joint_b == joint;
        if ((at_a && (out || !keeps(machine, joint, gear->freedom_a, type))) ||
            (at_b && (out || !keeps(machine, joint, gear->freedom_b, type))))
            return false;
    }
    return true;
}

/* Points the axes of the changed joint, or the normal of its plane. */
static void direct(const gdyn_state *state, const gdyn_joint_def *old, char axis,
                   gdyn_joint_def *def) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const gdyn_joint_form *form =
        gdyn_joint_form_of(def->type, gdyn_state_model(state)->machine->space);
    /* the joint's own axis in b, and two normals */
    double r[3], R[9], own[3], normal[2][3], ground[3];
    gdyn_state_body(state, def->b.body, r, R);
    v3_copy(own, v3_norm(old->axis_b) > 0 ? old->axis_b : axes[2]);
    gdyn_v3_normalize(own);
    gdyn_v3_triad(own, normal[0], normal[1]);
    /* in b: one of its frame's axes, the joint's axis or a normal of that */
    const double *d = axis >= 'x' ? axes[axis - 'x'] : axis == 'k' ? own : normal[axis - '1'];
    m3_apply(ground, R, d);
    if (gdyn_joint_reads(form, GDYN_READS_NORMAL))
        v3_copy(def->normal, d);
    if (axis == 'k')
        return;
    /* the new axis in both bodies; of two that cross, b keeps the joint's own */
    gdyn_state_body(state, def->a.body, r, R);
    m3_apply_t(def->axis_a, R, ground);
    v3_copy(def->axis_b, form->axes == GDYN_AXES_CROSS ? own : d);
}

/* Every joint that carries less in the same place, and leaving it out. */
int gdyn_joint_changes(const gdyn_state *state, int joint,
                       gdyn_joint_change list[GDYN_OPTIONS_MOST]) {
    const gdyn_machine *machine = gdyn_state_model(state)->machine;
    const gdyn_joint_def *old = &machine->joint[joint];
    const gdyn_joint_eased *eased = gdyn_joint_form_of(old->type, machine->space)->eased;
    int count = 0, sort = 0;
    for (int i = 0; i < GDYN_EASED_MOST && eased[i].axis; i++)
        for (const char *axis = eased[i].axis; *axis; axis++, sort++) {
            if (!is_allowed(machine, joint, eased[i].type))
                continue;
            gdyn_joint_change change = {.joint = joint, .def = *old, .sort = sort};
            change.def.type = eased[i].type;
            /* friction of the old joint says nothing of the new one */
            change.def.viscous = change.def.coulomb = change.def.stiction = 0;
            direct(state, old, *axis, &change.def);
            list[count++] = change;
        }
    if (is_allowed(machine, joint, old->type))
        list[count++] =
            (gdyn_joint_change){.joint = joint, .def = *old, .removed = true, .sort = sort};
    return count;
}

const double *gdyn_joint_change_direction(const gdyn_model *model, const gdyn_joint_change *change,
                                          const char **what, int *body) {
    const gdyn_joint_def *def = &change->def;
    gdyn_joint_axes axes = change->removed
                               ? GDYN_AXES_NONE
                               : gdyn_joint_form_of(def->type, model->machine->space)->axes;
    *what = NULL, *body = def->b.body;
    if (axes == GDYN_AXES_PLANE) {
        *what = "normal";
        return def->normal;
    }
    if (axes == GDYN_AXES_AXIS) {
        *what = "axis";
        return v3_norm(def->axis_b) > 0 ? def->axis_b : NULL;
    }
    if (axes == GDYN_AXES_CROSS) {
        *what = "axis of the first body";
        *body = def->a.body;
        return def->axis_a;
    }
    return NULL;
}

/* --- rebuilding ----------------------------------------------------------------------------- */

/* Joint indices after some joints were left out. */
static int moved_index(int index, int count, const gdyn_joint_change *changes) {
    int less = 0;
    for (int i = 0; i < count; i++)
        less += changes[i].removed && changes[i].joint < index;
    return index - less;
}

/* The freedom by name: a changed joint may have others beside it. */
static gdyn_freedom freedom_of(const gdyn_machine *in, int joint, gdyn_freedom freedom) {
    return joint >= 0 && joint < in->joints ? gdyn_joint_resolve(in, joint, freedom) : freedom;
}

/* NULL: the joint stays. */
static const gdyn_joint_change *change_of(int joint, int count, const gdyn_joint_change *changes) {
    for (int i = 0; i < count; i++)
        if (changes[i].joint == joint)
            return &changes[i];
    return NULL;
}

/* Joints in their order, changed or left out; gears keep their freedoms and joints by new
 * numbers. */
static bool add_joints(gdyn_machine *out, const gdyn_machine *in, int count,
                       const gdyn_joint_change *changes) {
    for (int i = 0; i < in->joints; i++) {
        const gdyn_joint_change *change = change_of(i, count, changes);
        if (change && change->removed)
            continue;
        gdyn_joint_def def = change ? change->def : in->joint[i];
        def.freedom_a = freedom_of(in, def.joint_a, def.freedom_a);
        def.freedom_b = freedom_of(in, def.joint_b, def.freedom_b);
        def.joint_a = moved_index(def.joint_a, count, changes);
        def.joint_b = moved_index(def.joint_b, count, changes);
        if (gdyn_machine_add_joint(out, &def) < 0)
            return false;
    }
    return true;
}

/* Drives, forces and motions at joints that have other numbers now. */
static bool add_rest(gdyn_machine *out, const gdyn_machine *in, int count,
                     const gdyn_joint_change *changes) {
    bool ok = true;
    for (int i = 0; i < in->drives && ok; i++) {
        gdyn_drive_def def = in->drive[i];
        def.freedom = freedom_of(in, def.joint, def.freedom);
        def.joint = moved_index(def.joint, count, changes);
        ok = gdyn_machine_add_drive(out, &def) >= 0;
    }
    for (int i = 0; i < in->forces && ok; i++) {
        gdyn_force_def def = in->force[i];
        def.freedom = freedom_of(in, def.joint, def.freedom);
        def.joint = def.joint >= 0 ? moved_index(def.joint, count, changes) : def.joint;
        ok = gdyn_machine_add_force(out, &def) >= 0;
    }
    for (int i = 0; i < in->motions && ok; i++) {
        gdyn_motion_def def = in->motion[i];
        def.freedom = freedom_of(in, def.joint, def.freedom);
        def.joint = moved_index(def.joint, count, changes);
        ok = gdyn_machine_add_motion(out, &def) >= 0;
    }
    return ok;
}

/* The machine written again with the changes, and compiled. */
gdyn_model *gdyn_proposal_model(const gdyn_model *model, int count,
                                const gdyn_joint_change *changes) {
    const gdyn_machine *in = model->machine;
    gdyn_machine *out = gdyn_machine_create(in->space, in->gravity);
    gdyn_model *rebuilt = NULL;
    bool ok = out != NULL;
    for (int i = 0; i < in->bodies && ok; i++)
        ok = gdyn_machine_add_body(out, &in->body[i]) >= 0;
    ok = ok && add_joints(out, in, count, changes) && add_rest(out, in, count, changes);
    if (ok && gdyn_model_create(out, NULL, &rebuilt) != GDYN_OK)
        rebuilt = NULL;
    gdyn_machine_destroy(out);
    return rebuilt;
}

int gdyn_proposal_joint(int joint, int count, const gdyn_joint_change *changes) {
    const gdyn_joint_change *change = change_of(joint, count, changes);
    return change && change->removed ? -1 : moved_index(joint, count, changes);
}

/* --- words ---------------------------------------------------------------------------------- */

/* In words, for people: the joint, the old and the new type, its direction. */
const char *gdyn_proposal_text(const gdyn_model *model, const gdyn_joint_change *change, char *out,
                               size_t size) {
    const gdyn_joint_def *old = gdyn_model_joint(model, change->joint);
    const char *what, *type = gdyn_joint_type_name(old->type);
    int body;
    const double *d = gdyn_joint_change_direction(model, change, &what, &body);
    if (change->removed) {
        snprintf(out, size, "%s: leave out the %s", old->name, type);
        return out;
    }
    int at = snprintf(out, size, "%s: %s -> %s", old->name, type,
                      gdyn_joint_type_name(change->def.type));
    /* directions within rounding of an axis are written as that axis */
    double e[3];
    for (int i = 0; d && i < 3; i++)
        e[i] = fabs(d[i]) < NO_COMPONENT ? 0 : d[i];
    if (d && at > 0 && (size_t)at < size)
        snprintf(out + at, size - (size_t)at, ", %s [%.4g, %.4g, %.4g] of %s",
                 body == change->def.a.body ? "new axis" : what, e[0], e[1], e[2],
                 body == GDYN_GROUND ? "ground" : gdyn_model_body(model, body)->name);
    return out;
}
