/* components.c - joint frames, and the rows of numbers that take a force or moment from the
 * multipliers of a joint; see components.h. */
#include "reactions/components.h"

#include "linalg/vec3.h"
#include "model/data.h"

#include <string.h>

/* Which of fx fy fz mx my mz a joint type can carry, by space; "*" the multiplier of its row, "G" by
 * its locks. */
static const struct {
    const char *planar, *spatial;
} carries[] = {
    [GDYN_REVOLUTE] = {"XY", "XYZxy"}, [GDYN_PRISMATIC] = {"Yz", "XYxyz"},
    [GDYN_FIXED] = {"XYz", "XYZxyz"},  [GDYN_ROD] = {"X", "X"},
    [GDYN_SLOT] = {"Y", ""},           [GDYN_ANGLE] = {"z", ""},
    [GDYN_GEAR] = {"*", "*"},          [GDYN_KNIFE_EDGE] = {"X", "X"},
    [GDYN_CYLINDRICAL] = {"", "XYxy"}, [GDYN_UNIVERSAL] = {"", "XYZz"},
    [GDYN_SPHERICAL] = {"", "XYZ"},    [GDYN_PLANAR_JOINT] = {"", "Zxy"},
    [GDYN_SCREW] = {"", "XYZxyz"},     [GDYN_POINT_ON_LINE] = {"", "XY"},
    [GDYN_POINT_ON_PLANE] = {"", "Z"}, [GDYN_PARALLEL] = {"", "xy"},
    [GDYN_ROLLING] = {"", "XYZ"},      [GDYN_GENERIC] = {"", "G"},
};

static const char letters[] = "XYZxyz";
static const char *const names[] = {"fx", "fy", "fz", "mx", "my", "mz"};

static int multipliers_of(const gdyn_model *model, int joint, gdyn_component list[]) {
    int count = 0;
    for (int i = 0; i < model->joint_count[joint] && count < GDYN_COMPONENTS_MOST; i++) {
        int row = model->joint_first[joint] + i;
        list[count++] = (gdyn_component){model->row_name[row], -1, row};
    }
    return count;
}

/* A generic joint: the forces and moments of its locks. One locked turn alone, about i, is a_k . b_j = 0
 * (i, j, k cyclic): its moment acts along a_k x b_j, across b's axis j, so it has a part along b's axis k
 * too as soon as the bodies are turned against each other. */
static const char *locked_letters(const gdyn_joint_def *def, char set[GDYN_COMPONENTS_MOST + 1]) {
    int turns = def->locks[3] + def->locks[4] + def->locks[5], count = 0;
    for (int i = 0; i < 6; i++) {
        bool beside = turns == 1 && i >= 3 && def->locks[3 + (i - 3 + 1) % 3];
        if (def->locks[i] || beside)
            set[count++] = letters[i];
    }
    set[count] = '\0';
    return set;
}

int gdyn_components_of(const gdyn_model *model, int joint, gdyn_component list[]) {
    gdyn_joint_type type = model->machine->joint[joint].type;
    const char *set =
        model->machine->space == GDYN_PLANAR ? carries[type].planar : carries[type].spatial;
    char locked[GDYN_COMPONENTS_MOST + 1];
    if (*set == '*')
        return multipliers_of(model, joint, list);
    if (*set == 'G')
        set = locked_letters(&model->machine->joint[joint], locked);
    int count = 0;
    for (; *set; set++) {
        int axis = (int)(strchr(letters, *set) - letters);
        list[count++] = (gdyn_component){names[axis], axis, -1};
    }
    return count;
}

/* --- frames ------------------------------------------------------------------------------- */

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

static void universal_axes(const gdyn_state *state, const gdyn_joint_def *def, double E[9]) {
    body_vector(state, def->b.body, def->axis_b, E);
    body_vector(state, def->a.body, def->axis_a, E + 3);
    v3_cross(E + 6, E, E + 3);
    gdyn_v3_normalize(E + 6);
    v3_cross(E + 3, E + 6, E);
}

static bool given(const double v[3]) {
    return v3_norm(v) > 0.0;
}

/* Axis fixed in b with its normals, turned with b: the triad of the rows (model/compile.c). */
static void axis_of_b(const gdyn_state *state, const gdyn_joint_def *def, bool planar,
                      double E[9]) {
    double standard[3] = {planar, 0, !planar}, own[3], axis[3];
    bool slides = def->type == GDYN_PRISMATIC || def->type == GDYN_SLOT;
    v3_copy(own, given(def->axis_b) && (slides || !planar) ? def->axis_b : standard);
    if (def->type == GDYN_POINT_ON_PLANE || def->type == GDYN_ROLLING)
        v3_copy(own, def->normal);
    gdyn_v3_normalize(own);
    if (planar) {
        body_vector(state, def->b.body, own, axis);
        around_x(axis, true, E);
        return;
    }
    double normal[2][3];
    gdyn_v3_triad(own, normal[0], normal[1]);
    body_vector(state, def->b.body, normal[0], E);
    body_vector(state, def->b.body, normal[1], E + 3);
    body_vector(state, def->b.body, own, E + 6);
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
    const gdyn_model *model = gdyn_state_model(state);
    const gdyn_joint_def *def = &model->machine->joint[joint];
    bool planar = model->machine->space == GDYN_PLANAR;
    double other[3], x[3];
    gdyn_state_point(state, &def->a, point);
    if (def->type == GDYN_ROD) {
        gdyn_state_point(state, &def->b, other);
        v3_sub(x, point, other);
        gdyn_v3_normalize(x);
        around_x(x, planar, E);
    } else if (def->type == GDYN_KNIFE_EDGE) {
        body_vector(state, def->a.body, def->normal, x);
        around_x(x, planar, E);
    } else if (def->type == GDYN_UNIVERSAL)
        universal_axes(state, def, E);
    else if (def->type == GDYN_GENERIC || def->type == GDYN_SPHERICAL) {
        double r[3];
        gdyn_state_body(state, def->b.body, r, E);
    } else
        axis_of_b(state, def, planar, E);
    if (def->type == GDYN_ROLLING) {
        body_vector(state, def->a.body, def->axis_a, x);
        contact_of(x, E + 6, def->radius, point);
    }
}

const char *gdyn_joint_frame_words(const gdyn_model *model, int joint) {
    bool planar = model->machine->space == GDYN_PLANAR;
    switch (model->machine->joint[joint].type) {
    case GDYN_GEAR:
        return "";
    case GDYN_ROD:
        return "x along the rod, from the second body to the first";
    case GDYN_KNIFE_EDGE:
        return "x the normal of the edge";
    case GDYN_UNIVERSAL:
        return "x the axis in the second body, z across both axes";
    case GDYN_ROLLING:
        return "z the normal of the plane; at the contact";
    case GDYN_POINT_ON_PLANE:
    case GDYN_PLANAR_JOINT:
        return "z the normal of the plane";
    case GDYN_SPHERICAL:
    case GDYN_GENERIC:
        return "axes of the second body";
    case GDYN_PRISMATIC:
    case GDYN_SLOT:
        return planar ? "x the axis, y across it" : "z the axis, x and y its normals";
    default:
        return planar ? "axes of the second body" : "z the axis, x and y its normals";
    }
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
    for (int i = 0; i < 3; i++) {
        force[i] = planar && i == 2 ? 0.0 : sign * column[i * rows];
        moment[i] = planar ? 0.0 : sign * column[(3 + i) * rows];
    }
    if (planar)
        moment[2] = sign * column[2 * rows];
    gdyn_state_body(state, body, r, R);
    v3_sub(arm, r, point);
    v3_cross(turn, arm, force);
    for (int i = 0; i < 3; i++)
        moment[i] += turn[i];
}

void gdyn_component_weights(const gdyn_state *state, int joint, const gdyn_component *component,
                            const double *C, double *w) {
    const gdyn_model *model = gdyn_state_model(state);
    int rows = model->m + model->h;
    memset(w, 0, (size_t)rows * sizeof *w);
    if (component->axis < 0) {
        w[component->row] = 1.0;
        return;
    }
    double point[3], E[9], force[3], moment[3];
    gdyn_joint_frame_at(state, joint, point, E);
    for (int row = 0; row < rows; row++) {
        if (model->row_joint[row] != joint)
            continue;
        row_wrench(state, &model->machine->joint[joint], point, C, rows, row, force, moment);
        const double *along = component->axis < 3 ? force : moment;
        w[row] = v3_dot(E + 3 * (component->axis % 3), along);
    }
}
