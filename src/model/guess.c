/* guess.c - first guess of the poses: given by position and angles, or by two points of the body
 * that are put on and towards points of other bodies (in the order of their dependence), a third
 * one about their line. */
#include "linalg/vec3.h"
#include "model/data.h"

#include <stdio.h>

typedef enum mark { OPEN, VISITING, DONE } mark;

typedef struct guesser {
    const gdyn_machine *machine;
    const gdyn_sink *sink;
    double *origin, *R; /* body frames: 3 and 9 per body */
    mark *mark;
    bool ok;
} guesser;

static void place(guesser *g, int body);

/* Ground coordinates of an anchor whose body is placed first. */
static void anchor_point(guesser *g, const gdyn_anchor *anchor, double x[3]) {
    if (anchor->body == GDYN_GROUND) {
        v3_copy(x, anchor->at);
        return;
    }
    place(g, anchor->body);
    m3_apply(x, g->R + 9 * anchor->body, anchor->at);
    v3_add(x, x, g->origin + 3 * anchor->body);
}

/* Turns the body about a line of that direction through its first point, so that the third one lies
 * on the side of its reference; on the line itself neither has a side. */
static void roll(guesser *g, int body, double on[3][3], const double line[3]) {
    const gdyn_body_def *def = &g->machine->body[body];
    double *R = g->R + 9 * body, a[3], own[3], is[3], wanted[3], across[3], turn[9];
    v3_copy(a, line);
    gdyn_v3_normalize(a);
    v3_sub(own, def->pose_own[2], def->pose_own[0]);
    m3_apply(is, R, own);
    v3_sub(wanted, on[2], on[0]);
    double lengths[2] = {v3_norm(is), v3_norm(wanted)};
    v3_axpy(is, is, -v3_dot(a, is), a), v3_axpy(wanted, wanted, -v3_dot(a, wanted), a);
    if (v3_norm(is) <= 1e-9 * lengths[0] || v3_norm(wanted) <= 1e-9 * lengths[1])
        return;
    v3_cross(across, is, wanted);
    v3_scale(a, atan2(v3_dot(a, across), v3_dot(is, wanted)), a);
    gdyn_rotation_exp(turn, a);
    gdyn_m3_multiply(R, turn, R);
}

/* One point onto its place, the line to the second one in its direction. */
static void place_by_points(guesser *g, int body) {
    const gdyn_body_def *def = &g->machine->body[body];
    double on[3][3], own[3], wanted[3];
    for (int i = 0; i < def->pose_points; i++)
        anchor_point(g, &def->pose_on[i], on[i]);
    v3_sub(own, def->pose_own[1], def->pose_own[0]), v3_sub(wanted, on[1], on[0]);
    /* without a direction the body keeps that of the ground */
    if (v3_norm(own) == 0.0 || v3_norm(wanted) == 0.0)
        gdyn_m3_identity(g->R + 9 * body);
    else if (g->machine->space == GDYN_PLANAR) {
        double turn[3] = {0, 0, atan2(wanted[1], wanted[0]) - atan2(own[1], own[0])};
        gdyn_rotation_exp(g->R + 9 * body, turn);
    } else
        gdyn_rotation_between(g->R + 9 * body, own, wanted);
    if (def->pose_points == 3 && v3_norm(wanted) > 0)
        roll(g, body, on, wanted);
    /* the first point exactly */
    double offset[3];
    m3_apply(offset, g->R + 9 * body, def->pose_own[0]);
    v3_sub(g->origin + 3 * body, on[0], offset);
}

/* Poses that depend on other bodies wait for these; a circle is an error. */
static void place(guesser *g, int body) {
    if (g->mark[body] == DONE)
        return;
    const gdyn_body_def *def = &g->machine->body[body];
    if (g->mark[body] == VISITING) {
        if (g->ok) {
            char path[256];
            snprintf(path, sizeof path, "machine.bodies.%s.pose", def->name);
            gdyn_diag_emit(g->sink, GDYN_ERROR, path, "give one of the bodies a plain pose",
                           GDYN_CODE_CIRCLE "the pose of body '%s' depends on itself", def->name);
        }
        g->ok = false;
        return;
    }
    g->mark[body] = VISITING;
    /* on points of others, or as given */
    if (def->pose_points >= 2)
        place_by_points(g, body);
    else {
        v3_copy(g->origin + 3 * body, def->position);
        gdyn_rotation_from_cardan(g->R + 9 * body, def->cardan);
    }
    g->mark[body] = DONE;
}

/* First guess of all bodies; false: a circle, reported, or memory. */
bool gdyn_model_guess(const gdyn_machine *machine, const gdyn_sink *sink, double *r, double *R) {
    guesser g = {machine, sink, r, R, gdyn_alloc((size_t)machine->bodies, sizeof(mark)), true};
    if (!g.mark)
        return false;
    for (int i = 0; i < machine->bodies; i++) {
        v3_set(r + 3 * i, 0, 0, 0);
        gdyn_m3_identity(R + 9 * i);
    }
    for (int i = 0; i < machine->bodies; i++)
        place(&g, i);
    gdyn_free(g.mark);
    /* From body frames to centres of gravity. */
    for (int i = 0; i < machine->bodies; i++) {
        double offset[3];
        m3_apply(offset, R + 9 * i, machine->body[i].com);
        v3_add(r + 3 * i, r + 3 * i, offset);
    }
    return g.ok;
}
