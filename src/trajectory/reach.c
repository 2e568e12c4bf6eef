/* reach.c - where floating bodies can be; the boxes of gdyn_reach_boxes.
 *
 * Ends of joints and drives are nodes. Two ends on one body are as far apart as they are on it; the
 * two ends of a joint as far as its slide lets them, those of a held drive as far as it is long.
 * The shortest way from an end on the ground to a body's centre bounds their distance in every
 * closed pose, so the centre lies in a cube about that end; the box is what all cubes have in
 * common. */
#include "trajectory/internal.h"

#include "base/memory.h"
#include "linalg/vec3.h"
#include "model/data.h"
#include "model/kinds.h"
#include "model/screws.h"

#include <math.h>

/* What bodies without a chain may move by, in L. */
static const double FLOATING = 0.5;

typedef struct web {
    const gdyn_state *state;
    const gdyn_model *model;
    const bool *fixed;
    bool held;
    int nodes; /* 2i and 2i + 1: the ends of one joint or drive */
    gdyn_anchor *end;
    double *slack, *way; /* nodes / 2; nodes */
    bool *done;          /* nodes */
} web;

static bool stands(const web *w, int body) {
    return body == GDYN_GROUND || w->fixed[body];
}

static void add_link(web *w, const gdyn_anchor *a, const gdyn_anchor *b, double slack) {
    w->slack[w->nodes / 2] = slack;
    w->end[w->nodes++] = *a;
    w->end[w->nodes++] = *b;
}

/* --- how far ends may be apart ---------------------------------------------------------------- */

static double distance_now(const gdyn_state *state, const gdyn_anchor *a, const gdyn_anchor *b) {
    double x[3], y[3];
    gdyn_state_point(state, a, x), gdyn_state_point(state, b, y);
    v3_sub(x, x, y);
    return v3_norm(x);
}

/* A slide: held by a drive, within its range, or L more than now. */
static double slide_of(const web *w, int joint) {
    const gdyn_machine *machine = w->model->machine;
    const gdyn_joint_def *def = &machine->joint[joint];
    for (int i = 0; i < machine->drives && w->held; i++)
        if (gdyn_drive_traits_of(machine->drive[i].kind)->acts == GDYN_ACTS_AT_JOINT &&
            machine->drive[i].joint == joint &&
            gdyn_freedom_slides(gdyn_joint_resolve(machine, joint, machine->drive[i].freedom)))
            return fabs(gdyn_mech_drive_coordinate(w->state, i));
    for (int i = 0; i < machine->ranges; i++) {
        const gdyn_range_def *range = &machine->range[i];
        if (range->kind == GDYN_RANGE_JOINT && range->joint == joint &&
            gdyn_model_range_slides(w->model, i) && isfinite(range->min) && isfinite(range->max))
            return fmax(fabs(range->min), fabs(range->max));
    }
    return distance_now(w->state, &def->a, &def->b) + gdyn_model_length(w->model);
}

/* How far the points of a joint may be apart, from its free motions; negative: any distance. */
static double slack_of(const web *w, int joint) {
    const gdyn_machine *machine = w->model->machine;
    const gdyn_joint_def *def = &machine->joint[joint];
    gdyn_screw screw[GDYN_SCREWS_MOST];
    int count = gdyn_joint_screws(w->model, joint, screw), slides = 0;
    if (count < 0)
        return gdyn_joint_reads(gdyn_joint_form_of(def->type, machine->space), GDYN_READS_LENGTH)
                   ? def->length
                   : -1;
    for (int i = 0; i < count; i++)
        slides += !screw[i].turns || screw[i].pitch != 0;
    if (slides == 0)
        return 0;
    if (slides >= (machine->space == GDYN_PLANAR ? 2 : 3))
        return -1;
    return slides == 1 ? slide_of(w, joint)
                       : distance_now(w->state, &def->a, &def->b) + gdyn_model_length(w->model);
}

static void add_links(web *w) {
    const gdyn_machine *machine = w->model->machine;
    for (int i = 0; i < machine->joints; i++) {
        double slack = slack_of(w, i);
        if (slack >= 0)
            add_link(w, &machine->joint[i].a, &machine->joint[i].b, slack);
    }
    for (int i = 0; i < machine->drives && w->held; i++) {
        const gdyn_drive_def *def = &machine->drive[i];
        if (gdyn_drive_traits_of(def->kind)->acts == GDYN_ACTS_BETWEEN)
            add_link(w, &def->a, &def->b, gdyn_mech_drive_coordinate(w->state, i));
    }
}

/* --- shortest ways ---------------------------------------------------------------------------- */

static double step_of(const web *w, int from, int to) {
    const gdyn_anchor *a = &w->end[from], *b = &w->end[to];
    double step = INFINITY, d[3];
    if (a->body == b->body) {
        v3_sub(d, a->at, b->at);
        step = v3_norm(d);
    } else if (stands(w, a->body) && stands(w, b->body)) {
        step = distance_now(w->state, a, b);
    }
    return from / 2 == to / 2 ? fmin(step, w->slack[from / 2]) : step;
}

/* Dijkstra from one end. */
static void find_ways(web *w, int source) {
    for (int i = 0; i < w->nodes; i++) {
        w->way[i] = i == source ? 0 : INFINITY;
        w->done[i] = false;
    }
    for (int next = source; next >= 0;) {
        w->done[next] = true;
        for (int i = 0; i < w->nodes; i++)
            w->way[i] = fmin(w->way[i], w->way[next] + step_of(w, next, i));
        next = -1;
        for (int i = 0; i < w->nodes; i++)
            if (!w->done[i] && isfinite(w->way[i]) && (next < 0 || w->way[i] < w->way[next]))
                next = i;
    }
}

/* Boxes become no greater than the cubes about that end. */
static void cut_boxes(const web *w, int source, double *low, double *high) {
    double x[3];
    gdyn_state_point(w->state, &w->end[source], x);
    for (int i = 0; i < w->nodes; i++) {
        int body = w->end[i].body;
        double arm[3];
        if (stands(w, body) || isinf(w->way[i]))
            continue;
        v3_sub(arm, w->end[i].at, gdyn_model_body(w->model, body)->com);
        for (int k = 0; k < 3; k++) {
            low[3 * body + k] = fmax(low[3 * body + k], x[k] - w->way[i] - v3_norm(arm));
            high[3 * body + k] = fmin(high[3 * body + k], x[k] + w->way[i] + v3_norm(arm));
        }
    }
}

gdyn_status gdyn_reach_boxes(const gdyn_state *state, const bool *fixed, bool held, double *low,
                             double *high) {
    const gdyn_model *model = gdyn_state_model(state);
    const gdyn_machine *machine = model->machine;
    size_t links = (size_t)(machine->joints + machine->drives) + 1;
    double L = gdyn_model_length(model);
    gdyn_arena *arena = gdyn_arena_create();
    web w = {.state = state, .model = model, .fixed = fixed, .held = held};
    w.end = gdyn_arena_alloc(arena, 2 * links, sizeof *w.end);
    w.slack = gdyn_arena_doubles(arena, links);
    w.way = gdyn_arena_doubles(arena, 2 * links);
    w.done = gdyn_arena_alloc(arena, 2 * links, sizeof *w.done);
    gdyn_status status = gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
    for (int i = 0; i < 3 * machine->bodies; i++)
        low[i] = -INFINITY, high[i] = INFINITY;
    if (status == GDYN_OK)
        add_links(&w);
    for (int i = 0; i < w.nodes && status == GDYN_OK; i++)
        if (stands(&w, w.end[i].body)) {
            find_ways(&w, i);
            cut_boxes(&w, i, low, high);
        }
    /* the body's place belongs to it, also with an open guess; planar machines stay planar */
    for (int i = 0; i < machine->bodies; i++)
        for (int k = 0; k < 3; k++) {
            double *from = &low[3 * i + k], *to = &high[3 * i + k];
            double r[3], R[9];
            gdyn_state_body(state, i, r, R);
            *from = fmin(isfinite(*from) ? *from : r[k] - FLOATING * L, r[k]);
            *to = fmax(isfinite(*to) ? *to : r[k] + FLOATING * L, r[k]);
        }
    gdyn_arena_destroy(arena);
    return status;
}
