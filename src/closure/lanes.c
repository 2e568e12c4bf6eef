/* lanes.c - several points of a path in one go.
 *
 * Where the machine's plan allows it (tree/points.h) the next point and those after it are
 * predicted from the marked pose and closed together, one per SIMD lane. The first is delivered at
 * once, the others wait: each, asked for from the one before it, is delivered without work.
 * Everything that judges a step sees each of them as a step of its own. The careful ways need the
 * factors of the marked pose: they are made when they are asked for. */
#include "closure/internal.h"

#include "base/memory.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* Rounding of finite moves adds up in the joints of the tree: it is taken away after so many groups
 * of points. */
enum { SETTLE_EVERY = 16 };
/* After a point ahead that did not close: so many groups of no more points than did. */
enum { REST = 8 };
/* Share by which steps of one length may differ. */
static const double SAME_STEP = 1e-9;

/* A pose delivered by the lanes. */
typedef struct arrival {
    gdyn_tree_arrival known;
    gdyn_row *row; /* targets: rows prescribed there */
    int count;     /* of them */
    double p;
} arrival;

_Static_assert((int)GDYN_AHEAD == (int)GDYN_AT_ONCE, "one lane per point");

struct gdyn_ahead {
    gdyn_tree_points *points;
    arrival at[1 + GDYN_AHEAD]; /* marked, next, those after it */
    arrival *marked, *lane[GDYN_AHEAD];
    gdyn_tree_goal *goal[GDYN_AHEAD];
    gdyn_target *target; /* of the point at hand */
    gdyn_state *settled;
    int *cut_guard, cut_guards; /* axes of joints that are cut */
    int groups;                 /* of points, so far */
    int most, rest;             /* points at once, as long as the rest lasts */
    int waiting;                /* the lane whose pose waits to be asked for, 0: none */
    int closed;                 /* lanes */
    int arrived;                /* lane of the present pose, -1: it came another way */
    bool is_marked;             /* the marked pose came from here */
    gdyn_arena *arena;
};

/* --- making ---------------------------------------------------------------------------------- */

static bool make_arrival(gdyn_arena *arena, const gdyn_closure *w, const gdyn_tree_points *points,
                         arrival *a) {
    int blocks = gdyn_tree_points_blocks(points);
    size_t legs = (size_t)gdyn_tree_points_leg_map_length(points);
    size_t n = (size_t)w->n + 1, q = (size_t)gdyn_tree_coordinates(w->tree) + 1;
    gdyn_tree_arrival *known = &a->known;
    known->state = gdyn_state_create(w->model);
    known->u_p = gdyn_arena_doubles(arena, n);
    known->u_pp = gdyn_arena_doubles(arena, n);
    known->rate = gdyn_arena_doubles(arena, q);
    known->acceleration = gdyn_arena_doubles(arena, q);
    known->leg_map = gdyn_arena_doubles(arena, legs + 1);
    known->sign = gdyn_arena_alloc(arena, (size_t)blocks + 1, sizeof *known->sign);
    a->row = gdyn_arena_alloc(arena, (size_t)w->max_targets + 1, sizeof *a->row);
    return known->state != NULL;
}

gdyn_ahead *gdyn_ahead_create(const gdyn_closure *w) {
    gdyn_arena *arena = NULL;
    gdyn_ahead *a = gdyn_arena_begin(&arena, sizeof *a);
    if (!a)
        return NULL;
    *a = (gdyn_ahead){.arena = arena, .arrived = -1};
    a->points = gdyn_tree_points_create(w->tree, w->max_targets);
    a->settled = gdyn_state_create(w->model);
    bool ok = a->points && a->settled;
    for (int i = 0; i <= GDYN_AHEAD && ok; i++)
        ok = make_arrival(arena, w, a->points, &a->at[i]);
    a->target = gdyn_arena_alloc(arena, (size_t)w->max_targets + 1, sizeof *a->target);
    for (int l = 0; l < GDYN_AHEAD; l++) {
        a->goal[l] = gdyn_arena_alloc(arena, (size_t)w->max_targets + 1, sizeof *a->goal[l]);
        a->lane[l] = &a->at[1 + l];
    }
    a->marked = &a->at[0];
    a->cut_guard = gdyn_arena_alloc(arena, (size_t)w->guards + 1, sizeof *a->cut_guard);
    if (ok && !gdyn_arena_failed(arena)) {
        /* guards of joints that the tree does not hold */
        for (int i = 0; i < w->guards; i++) {
            bool held = false;
            for (int b = 0; b < w->bodies && !held; b++)
                held = gdyn_tree_joint(w->tree, b) == w->guard[i].joint;
            if (!held)
                a->cut_guard[a->cut_guards++] = i;
        }
        return a;
    }
    gdyn_ahead_destroy(a);
    return NULL;
}

void gdyn_ahead_destroy(gdyn_ahead *a) {
    if (!a)
        return;
    gdyn_tree_points_destroy(a->points);
    gdyn_state_destroy(a->settled);
    for (int i = 0; i <= GDYN_AHEAD; i++)
        gdyn_state_destroy(a->at[i].known.state);
    gdyn_arena_destroy(a->arena);
}

/* --- marks ------------------------------------------------------------------------------------ */

void gdyn_ahead_leave(gdyn_closure *w) {
    w->ahead->arrived = -1, w->ahead->waiting = 0;
}

void gdyn_ahead_renew(gdyn_closure *w) {
    gdyn_ahead_leave(w);
    w->ahead->is_marked = false, w->ahead->groups = w->ahead->rest = 0;
}

bool gdyn_ahead_mark(gdyn_closure *w) {
    gdyn_ahead *a = w->ahead;
    a->is_marked = a->arrived >= 0;
    if (a->is_marked) {
        arrival *old = a->marked;
        a->marked = a->lane[a->arrived], a->lane[a->arrived] = old, a->arrived = -1;
    }
    return a->is_marked;
}

void gdyn_ahead_motion(const gdyn_closure *w, const double **rate, const double **acceleration) {
    const gdyn_ahead *a = w->ahead;
    if (!a->is_marked) {
        gdyn_tree_joint_motion(w->marked_joints, rate, acceleration);
        return;
    }
    *rate = a->marked->known.rate, *acceleration = a->marked->known.acceleration;
}

void gdyn_ahead_factor_mark(gdyn_closure *w) {
    gdyn_ahead *a = w->ahead;
    const arrival *mark = a->marked;
    gdyn_tree_rank rank;
    if (!a->is_marked)
        return;
    a->is_marked = false;
    for (int i = 0; i < mark->count; i++)
        w->target_row[i] = &mark->row[i];
    gdyn_tree_pose_set(w->marked_joints, mark->known.state);
    w->marked_by_tree =
        gdyn_tree_eliminate(w->marked_joints, mark->count, w->target_row, &rank) == GDYN_OK &&
        rank.freedom == 0;
    w->marked_clear = w->marked_by_tree && rank.clear;
    gdyn_tree_keep_motion(w->marked_joints, mark->known.rate, mark->known.acceleration);
}

bool gdyn_ahead_stride(const gdyn_closure *w, double h, double *length, double *most) {
    const gdyn_tree_stride *stride = &w->ahead->marked->known.stride;
    if (!w->ahead->is_marked || !(fabs(h - stride->h) <= SAME_STEP * fabs(h)))
        return false;
    *length = stride->length, *most = stride->most;
    return true;
}

bool gdyn_ahead_orientation(const gdyn_closure *w, int *orientation) {
    const gdyn_ahead *a = w->ahead;
    if (a->arrived < 0)
        return false;
    size_t blocks = (size_t)gdyn_tree_points_blocks(a->points);
    *orientation =
        memcmp(a->marked->known.sign, a->lane[a->arrived]->known.sign, blocks) == 0 ? 1 : -1;
    return true;
}

/* --- arrivals --------------------------------------------------------------------------------- */

/* The points as goals of the lanes: the next one, and those after it that may be closed with it.
 * Spare lanes repeat the first. Returns how many points are tried. */
static int aim_lanes(gdyn_ahead *a, const gdyn_closure_step *step, double h[GDYN_AHEAD]) {
    double p[GDYN_AHEAD] = {step->to};
    int tried = 1 + step->ahead(step->way, p + 1);
    tried = a->rest > 0 && a->most < tried ? a->most : tried;
    a->rest -= a->rest > 0;
    for (int l = 0; l < GDYN_AHEAD; l++) {
        int of = l < tried ? l : 0;
        if (of > 0)
            step->aim(step->way, p[of], a->target);
        const gdyn_target *target = of > 0 ? a->target : step->target;
        a->lane[l]->p = p[of], a->lane[l]->count = step->count;
        for (int i = 0; i < step->count; i++) {
            a->lane[l]->row[i] = target[i].row;
            a->goal[l][i].row = &a->lane[l]->row[i];
            memcpy(a->goal[l][i].value, target[i].target, sizeof a->goal[l][i].value);
        }
        h[l] = p[of] - step->from;
    }
    return tried;
}

/* Closes the points; the number of those that succeeded. */
static int close_points(gdyn_closure *w, const gdyn_state *now, const gdyn_closure_step *step) {
    gdyn_ahead *a = w->ahead;
    const gdyn_tree_goal *goal[GDYN_AHEAD];
    double h[GDYN_AHEAD];
    int tried = aim_lanes(a, step, h);
    for (int l = 0; l < GDYN_AHEAD; l++)
        goal[l] = a->goal[l];
    /* the pose from which the points are predicted, without the rounding of moves where it is
     * due */
    const gdyn_state *base = now;
    if (a->groups++ % SETTLE_EVERY == SETTLE_EVERY - 1) {
        gdyn_state_copy(a->settled, now);
        memset(w->dq, 0, (size_t)gdyn_tree_coordinates(w->tree) * sizeof *w->dq);
        gdyn_tree_move_bodies(w->joints, now, w->dq, true, a->settled);
        base = a->settled;
    }
    if (!gdyn_tree_points_base(a->points, base, step->count, goal[0]))
        return 0;
    if (!a->is_marked)
        gdyn_points_kernel_here()->base_signs(a->points, goal, a->marked->known.sign);
    gdyn_closure_settings settings = gdyn_closure_default();
    int closed =
        gdyn_points_kernel_here()->close(a->points, gdyn_closure_motion(w, h[tried - 1]), h, goal,
                                         settings.tolerance, settings.max_step * sqrt(w->bodies));
    if (closed < tried) {
        a->rest = REST;
        a->most = closed > 1 ? closed : 1;
    }
    if (closed > 0)
        gdyn_points_kernel_here()->derive(a->points, goal);
    return closed < tried ? closed : tried;
}

/* Whether all axes point the right way. Joints of the tree keep theirs as they move: they are
 * looked at where the marked pose came another way. */
static bool senses_hold(const gdyn_closure *w, const gdyn_state *state) {
    const gdyn_ahead *a = w->ahead;
    if (!a->is_marked)
        return gdyn_guards_mirrored(w, state) < 0;
    for (int i = 0; i < a->cut_guards; i++)
        if (gdyn_row_value(state, &w->guard[a->cut_guard[i]].row) < 0)
            return false;
    return true;
}

/* The lane's pose becomes the present one; false: it has to be reached with care. */
static bool deliver(gdyn_closure *w, const gdyn_state *now, int lane, gdyn_closed_pose *to,
                    gdyn_closure_info *info) {
    gdyn_ahead *a = w->ahead;
    const gdyn_tree_arrival *from = &a->lane[lane]->known;
    size_t bytes = (size_t)w->n * sizeof(double);
    gdyn_tree_rank rank = {
        .rank = gdyn_tree_coordinates(w->tree), .least = from->closed.least, .clear = true};
    gdyn_closure_rates rates = {.rank = gdyn_tree_rank_of(w->tree, &rank)};
    if (!gdyn_rates_clear(&rates) || !senses_hold(w, from->state))
        return false;
    to->rates = rates;
    *info = gdyn_closing_closed(w, from->closed.worst, from->closed.steps, from->closed.residual,
                                from->closed.moved, &rates.rank);
    gdyn_state_move_on(to->state, now, from->state, from->turned);
    memcpy(to->u_p, from->u_p, bytes), memcpy(to->u_pp, from->u_pp, bytes);
    if (to->known)
        memcpy(to->known, from->leg_map, (size_t)gdyn_closure_known_length(w) * sizeof(double));
    a->arrived = lane;
    w->at_mark = false, w->by_tree = w->complete = true;
    w->derived_by_tree++;
    return true;
}

int gdyn_closure_known_length(const gdyn_closure *w) {
    return gdyn_tree_points_leg_map_length(w->ahead->points);
}

/* The next point, predicted from the marked pose and closed with those after it. */
static bool close_ahead(gdyn_closure *w, const gdyn_state *now, const gdyn_closure_step *step,
                        gdyn_closed_pose *to, gdyn_closure_info *info) {
    gdyn_ahead *a = w->ahead;
    a->waiting = 0, a->arrived = -1;
    if (!w->marked || !w->marked_clear || !w->marked_by_tree ||
        !gdyn_tree_points_fit(a->points, step->count) ||
        !step->aim(step->way, step->to, step->target))
        return false;
    a->closed = close_points(w, now, step);
    if (a->closed == 0)
        return false;
    gdyn_tree_arrival *lane[GDYN_AHEAD];
    for (int l = 0; l < GDYN_AHEAD; l++)
        lane[l] = &a->lane[l]->known;
    gdyn_points_kernel_here()->hand_out(a->points, lane, to->known != NULL);
    if (!deliver(w, now, 0, to, info))
        return false;
    a->waiting = a->closed > 1;
    return true;
}

bool gdyn_lanes_step(gdyn_closure *w, const gdyn_closure_step *step, const gdyn_closed_pose *from,
                     gdyn_closed_pose *to, gdyn_closure_info *info) {
    if (step->du)
        return false;
    /* a point that waits and is the one asked for, from the marked one before it */
    gdyn_ahead *a = w->ahead;
    int lane = a->is_marked && a->marked->p == step->from ? a->waiting : 0;
    bool done = lane > 0 && a->lane[lane]->p == step->to;
    if (done) {
        a->waiting = 0;
        done = deliver(w, from->state, lane, to, info);
    }
    if (done)
        a->waiting = lane + 1 < a->closed ? lane + 1 : 0;
    else
        done = close_ahead(w, from->state, step, to, info);
    if (done && info->moved <= step->most)
        return true;
    if (to->known)
        to->known[0] = 0;
    return false;
}
