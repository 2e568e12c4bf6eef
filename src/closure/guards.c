/* guards.c - axes that must agree in sense (gdyn_guard in model/rows.h), and how a mirrored one is
 * turned back. */
#include "closure/internal.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* Sine below which two directions give no axis of rotation. */
static const double OPPOSITE = 1e-6;

/* The first axis that points the wrong way; -1: none. */
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
    if (sine < OPPOSITE)
        gdyn_v3_triad(from, w, k);
    v3_scale(w, atan2(sine, v3_dot(from, to)), w);
}

/* Turns one body about the joint's point until both axes point the same way. */
bool gdyn_guards_turn(gdyn_closure *w, gdyn_state *state, int guard, bool second) {
    const gdyn_guard *g = &w->guard[guard];
    const gdyn_joint_def *def = gdyn_model_joint(w->model, g->joint);
    int body = second ? g->row.b : g->row.a;
    if (body == GDYN_GROUND)
        return false;
    double ra[3], Ra[9], rb[3], Rb[9], ea[3], eb[3], turn[3], R[9], pivot[3], arm[3];
    /* both axes in the ground's frame */
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
    /* displacement of the centre, and the turn */
    v3_copy(du + 3, turn);
    gdyn_state_move(state, w->du);
    return true;
}
