/* guards.c - axes that must agree in sense, and how a mirrored one is turned back.
 *
 * In space an axis condition is written m . e = 0 for two normals m of the other axis, which the
 * mirrored axis fulfils too. A guard is the pair (axis in a, axis in b) with e_a . e_b = 1; joints
 * without freedom to turn have a second one, of their first normals. */
#include "closure/internal.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

typedef struct list {
    gdyn_guard *guard; /* NULL: count only */
    int count;
} list;

static void add(list *l, int joint, const gdyn_joint_def *def, const double m[3],
                const double e[3]) {
    if (l->guard) {
        gdyn_guard *g = &l->guard[l->count];
        *g = (gdyn_guard){.joint = joint,
                          .row = {.kind = GDYN_ROW_DOT, .a = def->a.body, .b = def->b.body}};
        g->row.turn = -1;
        v3_copy(g->row.m, m);
        v3_copy(g->row.e, e);
    }
    l->count++;
}

static void unit_axis(double u[3], const double given[3]) {
    static const double z[3] = {0, 0, 1};
    v3_copy(u, v3_norm(given) > 0 ? given : z);
    gdyn_v3_normalize(u);
}

/* The axes of a joint whose axes are to be parallel; its normals when it may not roll either. */
static void add_axis(list *l, int joint, const gdyn_joint_def *def, bool no_roll) {
    double ua[3], ub[3], m[3], k[3], R[9];
    unit_axis(ua, def->axis_a);
    unit_axis(ub, def->axis_b);
    add(l, joint, def, ua, ub);
    if (!no_roll)
        return;
    gdyn_v3_triad(ub, m, k);
    gdyn_rotation_between(R, ub, ua);
    m3_apply(k, R, m);
    add(l, joint, def, k, m);
}

static void add_generic(list *l, int joint, const gdyn_joint_def *def) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int locked = def->locks[3] + def->locks[4] + def->locks[5];
    for (int i = 0; i < 3; i++)
        if ((locked == 2 && !def->locks[3 + i]) || (locked == 3 && i > 0))
            add(l, joint, def, axes[i], axes[i]);
}

int gdyn_guards_collect(const gdyn_model *model, gdyn_guard *guard) {
    list l = {guard, 0};
    if (gdyn_model_space(model) == GDYN_PLANAR)
        return 0;
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        const gdyn_joint_def *def = gdyn_model_joint(model, i);
        switch (def->type) {
        case GDYN_REVOLUTE:
        case GDYN_CYLINDRICAL:
        case GDYN_PLANAR_JOINT:
        case GDYN_SCREW:
        case GDYN_PARALLEL:
            add_axis(&l, i, def, false);
            break;
        case GDYN_PRISMATIC:
        case GDYN_FIXED:
            add_axis(&l, i, def, true);
            break;
        case GDYN_GENERIC:
            add_generic(&l, i, def);
            break;
        default:
            break;
        }
    }
    return l.count;
}

int gdyn_guards_mirrored(const gdyn_closure *w, const gdyn_state *state) {
    for (int i = 0; i < w->guards; i++)
        if (gdyn_row_value(state, &w->guard[i].row) < 0)
            return i;
    return -1;
}

/* Rotation vector of length pi or less that takes the direction of `from` to that of `to`. */
static void turning(double w[3], const double from[3], const double to[3]) {
    double k[3];
    v3_cross(w, from, to);
    double sine = gdyn_v3_normalize(w);
    if (sine < 1e-6)
        gdyn_v3_triad(from, w, k);
    v3_scale(w, atan2(sine, v3_dot(from, to)), w);
}

bool gdyn_guards_turn(gdyn_closure *w, gdyn_state *state, int guard, bool second) {
    const gdyn_guard *g = &w->guard[guard];
    const gdyn_joint_def *def = gdyn_model_joint(w->model, g->joint);
    int body = second ? g->row.b : g->row.a;
    if (body == GDYN_GROUND)
        return false;
    double ra[3], Ra[9], rb[3], Rb[9], ea[3], eb[3], turn[3], R[9], pivot[3], arm[3];
    gdyn_state_body(state, g->row.a, ra, Ra);
    gdyn_state_body(state, g->row.b, rb, Rb);
    m3_apply(ea, Ra, g->row.m);
    m3_apply(eb, Rb, g->row.e);
    turning(turn, second ? eb : ea, second ? ea : eb);
    gdyn_rotation_exp(R, turn);
    /* The joint's point stays where it is. */
    gdyn_state_point(state, second ? &def->b : &def->a, pivot);
    v3_sub(arm, second ? rb : ra, pivot);
    memset(w->du, 0, (size_t)w->n * sizeof *w->du);
    double *du = w->du + 6 * body;
    m3_apply(du, R, arm);
    v3_sub(du, du, arm);
    v3_copy(du + 3, turn);
    gdyn_state_move(state, w->du);
    return true;
}
