/* components.c - joint frames, and the rows of numbers that take a force or moment from the
 * multipliers of a joint; see reactions.h. */

#include "linalg/vec3.h"
#include "model/data.h"
#include "reactions/internal.h"

#include <string.h>

static const char letters[] = "XYZxyz";

/* Along the ground's axes, those of the space. */
static int ground_components(const gdyn_model *model, const char *carried, int count,
                             gdyn_component list[]) {
    static const char *const names[] = {"fx_ground", "fy_ground", "fz_ground",
                                        "mx_ground", "my_ground", "mz_ground"};
    bool planar = model->machine->space == GDYN_PLANAR, kinds[2] = {false, false};
    int out = 0;
    for (int i = 0; i < count; i++)
        kinds[strchr(letters, carried[i]) - letters >= 3] = true;
    for (int axis = 0; axis < 6; axis++)
        if (kinds[axis / 3] && (!planar || axis < 2 || axis == 5))
            list[out++] = (gdyn_component){names[axis], 6 + axis, -1};
    return out;
}

/* What the joint carries, by the letters of its type; -1: no frame, its multipliers. */
int gdyn_components_of(const gdyn_model *model, int joint, bool ground, gdyn_component list[]) {
    char carried[GDYN_CARRIED_MOST + 1];
    int count = gdyn_joint_carries(&model->machine->joint[joint], model->machine->space, carried);
    if (count < 0) {
        /* joints without a frame: each multiplier is a component */
        for (count = 0; count < model->joint_count[joint] && count < GDYN_COMPONENTS_MOST;
             count++) {
            int row = model->joint_first[joint] + count;
            list[count] = (gdyn_component){model->row_name[row], -1, row};
        }
        return count;
    }
    for (int i = 0; i < count; i++) {
        int axis = (int)(strchr(letters, carried[i]) - letters);
        list[i] = (gdyn_component){gdyn_carried_name(carried[i]), axis, -1};
    }
    if (ground)
        count += ground_components(model, carried, count, list + count);
    return count;
}

/* --- frames ------------------------------------------------------------------------------- */

/* A vector of the body in the ground's frame, of unit length. */
static void body_vector(const gdyn_state *state, int body, const double v[3], double out[3]) {
    double r[3], R[9];
    gdyn_state_body(state, body, r, R);
    m3_apply(out, R, v);
    gdyn_v3_normalize(out);
}

/* Axes with x given, planar: z out of the plane. */
static void around_x(const double x[3], bool planar, double E[9]) {
    static const double out_of_plane[3] = {0, 0, 1};
    v3_copy(E, x);
    if (planar) {
        v3_copy(E + 6, out_of_plane);
        v3_cross(E + 3, E + 6, E);
    } else
        gdyn_v3_triad(x, E + 3, E + 6);
}

/* Both axes of a universal joint need not be at right angles: x the one of b, z across both. */
static void universal_axes(const gdyn_state *state, const gdyn_joint_def *def, double E[9]) {
    body_vector(state, def->b.body, def->axis_b, E);
    body_vector(state, def->a.body, def->axis_a, E + 3);
    v3_cross(E + 6, E, E + 3);
    gdyn_v3_normalize(E + 6);
    v3_cross(E + 3, E + 6, E);
}

/* Axis fixed in b with its normals, turned with b: the triad of the rows (model/compile.c). */
static void around_axis(const gdyn_state *state, int body, const double own[3], bool planar,
                        double E[9]) {
    double axis[3], normal[2][3];
    /* in the plane the axis may be any direction of it */
    body_vector(state, body, own, axis);
    if (planar) {
        around_x(axis, planar, E);
        return;
    }
    /* the same normals as in the rows */
    gdyn_v3_triad(own, normal[0], normal[1]);
    body_vector(state, body, normal[0], E), body_vector(state, body, normal[1], E + 3);
    v3_copy(E + 6, axis);
}

/* Lowest point of a disc with centre c and axis u above a plane with normal e (all ground axes):
 * c - rho (e - (u . e) u) / |e - (u . e) u|; flat on the plane it has none, and c stays. */
static void contact_of(const double u[3], const double e[3], double radius, double c[3]) {
    double down[3];
    v3_axpy(down, e, -v3_dot(u, e), u);
    if (v3_norm(down) > 0.0) {
        gdyn_v3_normalize(down);
        v3_axpy(c, c, -radius, down);
    }
}

void gdyn_joint_frame_at(const gdyn_state *state, int joint, double point[3], double E[9]) {
    const gdyn_machine *machine = gdyn_state_model(state)->machine;
    const gdyn_joint_def *def = &machine->joint[joint];
    bool planar = machine->space == GDYN_PLANAR;
    double x[3], own[3];
    gdyn_state_point(state, &def->a, point);
    gdyn_joint_axis_of_b(def, machine->space, own);
    /* one case per kind of axes of the type's row */
    switch (gdyn_joint_form_of(def->type, machine->space)->axes) {
    case GDYN_AXES_NONE:
    case GDYN_AXES_BODY:
        if (planar) /* from the x of b */
            around_axis(state, def->b.body, (double[3]){1, 0, 0}, planar, E);
        else
            gdyn_state_body(state, def->b.body, x, E);
        break;
    case GDYN_AXES_AXIS:
    case GDYN_AXES_PLANE:
        around_axis(state, def->b.body, own, planar, E);
        break;
    /* at the contact, beside the axis of a */
    case GDYN_AXES_CONTACT:
        around_axis(state, def->b.body, own, planar, E);
        body_vector(state, def->a.body, def->axis_a, x);
        contact_of(x, E + 6, def->radius, point);
        break;
    case GDYN_AXES_CROSS:
        universal_axes(state, def, E);
        break;
    /* along the line of both points */
    case GDYN_AXES_LINE:
        gdyn_state_point(state, &def->b, x);
        v3_sub(x, point, x);
        gdyn_v3_normalize(x);
        around_x(x, planar, E);
        break;
    case GDYN_AXES_EDGE:
        body_vector(state, def->a.body, def->normal, x);
        around_x(x, planar, E);
        break;
    }
}

/* For tables: how the axes lie, in the plane and in space. */
const char *gdyn_joint_axes_words(gdyn_joint_axes axes, gdyn_space space) {
    static const char *const words[][2] = {
        [GDYN_AXES_NONE] = {"", ""},
        [GDYN_AXES_BODY] = {"axes of the second body", "axes of the second body"},
        [GDYN_AXES_AXIS] = {"x the axis, y across it", "z the axis, x and y its normals"},
        [GDYN_AXES_PLANE] = {"", "z the normal of the plane"},
        [GDYN_AXES_CONTACT] = {"", "z the normal of the plane; at the contact"},
        [GDYN_AXES_CROSS] = {"", "x the axis in the second body, z across both axes"},
        [GDYN_AXES_LINE] = {"x along the rod, from the second body to the first",
                            "x along the rod, from the second body to the first"},
        [GDYN_AXES_EDGE] = {"x the normal of the edge", "x the normal of the edge"},
    };
    return words[axes][space];
}

const char *gdyn_joint_frame_words(const gdyn_model *model, int joint) {
    gdyn_space space = model->machine->space;
    return gdyn_joint_axes_words(gdyn_joint_form_of(model->machine->joint[joint].type, space)->axes,
                                 space);
}

/* --- weights ------------------------------------------------------------------------------ */

/* Force and moment about `point` on body a that unit multiplier of a row exerts. */
static void row_wrench(const gdyn_state *state, const gdyn_joint_def *def, const double point[3],
                       const double *C, int rows, int row, double force[3], double moment[3]) {
    const gdyn_model *model = gdyn_state_model(state);
    bool planar = model->machine->space == GDYN_PLANAR;
    int body = def->a.body >= 0 ? def->a.body : def->b.body;
    double sign = def->a.body >= 0 ? 1.0 : -1.0, r[3], R[9], arm[3], turn[3];
    const double *column = C + row + (size_t)(body * model->per_body) * (size_t)rows;
    /* force and moment of the row on the body, about its centre of gravity */
    for (int i = 0; i < 3; i++) {
        force[i] = planar && i == 2 ? 0.0 : sign * column[i * rows];
        moment[i] = planar ? 0.0 : sign * column[(3 + i) * rows];
    }
    if (planar)
        moment[2] = sign * column[2 * rows];
    /* moved to the point of the joint */
    gdyn_state_body(state, body, r, R);
    v3_sub(arm, r, point);
    v3_cross(turn, arm, force);
    for (int i = 0; i < 3; i++)
        moment[i] += turn[i];
}

/* w with component = w^T lambda; multipliers have one entry. */
void gdyn_component_weights(const gdyn_state *state, int joint, const gdyn_component *component,
                            const double *C, double *w) {
    const gdyn_model *model = gdyn_state_model(state);
    int rows = model->m + model->h;
    memset(w, 0, (size_t)rows * sizeof *w);
    if (component->axis < 0) {
        w[component->row] = 1.0;
        return;
    }
    /* a row's force or moment along the component's axis */
    double point[3], E[9], force[3], moment[3];
    gdyn_joint_frame_at(state, joint, point, E);
    for (int row = 0; row < rows; row++) {
        if (model->row_joint[row] != joint)
            continue;
        row_wrench(state, &model->machine->joint[joint], point, C, rows, row, force, moment);
        const double *along = component->axis % 6 < 3 ? force : moment;
        w[row] = component->axis < 6 ? v3_dot(E + 3 * (component->axis % 3), along)
                                     : along[component->axis % 3];
    }
}
