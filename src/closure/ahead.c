/* ahead.c - two points of a path in one go.
 *
 * Where the machine's plan allows it (tree/points.h) the next point and the one after it are predicted from the marked pose
 * and closed together, one per SIMD lane. The first is delivered at once, the second waits: asked for from the
 * first one, it is delivered without work. Everything that judges a step sees each of them as a step of its own. The
 * careful ways need the factors of the marked pose: they are made when they are asked for. */
#include "closure/internal.h"

#include "base/memory.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* Rounding of finite moves adds up in the joints of the tree: it is taken away after so many pairs. */
enum { SETTLE_EVERY = 16 };
/* After a second point that did not close: so many points singly. */
enum { REST = 8 };

/* A pose delivered by the lanes. */
typedef struct arrival {
    gdyn_state *state;
    double *u_p, *u_pp;          /* n */
    double *rate, *acceleration; /* joint coordinates */
    double *leg_map;             /* how the legs follow; 0 in front: not known */
    signed char *sign;           /* blocks */
    gdyn_row *row;               /* targets: rows prescribed there */
    int count;                   /* of them */
    gdyn_tree_closed closed;
} arrival;

struct gdyn_ahead {
    gdyn_tree_points *points;
    arrival at[3]; /* marked, next, the one after it */
    arrival *marked, *lane[GDYN_LANES];
    gdyn_tree_goal *goal[GDYN_LANES];
    gdyn_state *settled;
    double *dq[GDYN_LANES];
    int pairs, rest;
    int waiting;    /* the second lane's pose waits to be asked for */
    int arrived;    /* lane of the present pose, -1: it came another way */
    bool is_marked; /* the marked pose came from here */
    gdyn_arena *arena;
};

/* --- making ---------------------------------------------------------------------------------- */

static bool make_arrival(gdyn_arena *arena, const gdyn_closure *w, const gdyn_tree_points *points,
                         arrival *a) {
    int blocks = gdyn_tree_points_blocks(points);
    size_t legs = (size_t)gdyn_tree_points_leg_map_length(points);
    size_t n = (size_t)w->n + 1, q = (size_t)gdyn_tree_coordinates(w->tree) + 1;
    a->state = gdyn_state_create(w->model);
    a->u_p = gdyn_arena_doubles(arena, n);
    a->u_pp = gdyn_arena_doubles(arena, n);
    a->rate = gdyn_arena_doubles(arena, q);
    a->acceleration = gdyn_arena_doubles(arena, q);
    a->leg_map = gdyn_arena_doubles(arena, legs + 1);
    a->sign = gdyn_arena_alloc(arena, (size_t)blocks + 1, sizeof *a->sign);
    a->row = gdyn_arena_alloc(arena, (size_t)w->max_targets + 1, sizeof *a->row);
    return a->state != NULL;
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
    for (int i = 0; i < 3 && ok; i++)
        ok = make_arrival(arena, w, a->points, &a->at[i]);
    for (int l = 0; l < GDYN_LANES; l++) {
        a->dq[l] = gdyn_arena_doubles(arena, (size_t)gdyn_tree_coordinates(w->tree) + 1);
        a->goal[l] = gdyn_arena_alloc(arena, (size_t)w->max_targets + 1, sizeof *a->goal[l]);
        a->lane[l] = &a->at[1 + l];
    }
    a->marked = &a->at[0];
    if (ok && !gdyn_arena_failed(arena))
        return a;
    gdyn_ahead_destroy(a);
    return NULL;
}

void gdyn_ahead_destroy(gdyn_ahead *a) {
    if (!a)
        return;
    gdyn_tree_points_destroy(a->points);
    gdyn_state_destroy(a->settled);
    for (int i = 0; i < 3; i++)
        gdyn_state_destroy(a->at[i].state);
    gdyn_arena_destroy(a->arena);
}

/* --- marks ------------------------------------------------------------------------------------ */

void gdyn_ahead_leave(gdyn_closure *w) {
    w->ahead->arrived = -1;
    w->ahead->waiting = 0;
}

void gdyn_ahead_renew(gdyn_closure *w) {
    gdyn_ahead_leave(w);
    w->ahead->is_marked = false;
    w->ahead->pairs = w->ahead->rest = 0;
}

bool gdyn_ahead_mark(gdyn_closure *w) {
    gdyn_ahead *a = w->ahead;
    a->is_marked = a->arrived >= 0;
    if (a->is_marked) {
        arrival *old = a->marked;
        a->marked = a->lane[a->arrived];
        a->lane[a->arrived] = old;
        a->arrived = -1;
    }
    return a->is_marked;
}

void gdyn_ahead_motion(const gdyn_closure *w, const double **rate, const double **acceleration) {
    const gdyn_ahead *a = w->ahead;
    if (!a->is_marked) {
        gdyn_tree_joint_motion(w->marked_joints, rate, acceleration);
        return;
    }
    *rate = a->marked->rate;
    *acceleration = a->marked->acceleration;
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
    gdyn_tree_pose_set(w->marked_joints, mark->state);
    w->marked_by_tree =
        gdyn_tree_eliminate(w->marked_joints, mark->count, w->target_row, &rank) == GDYN_OK &&
        rank.freedom == 0;
    w->marked_clear = w->marked_by_tree && rank.clear;
    gdyn_tree_keep_motion(w->marked_joints, mark->rate, mark->acceleration);
}

bool gdyn_ahead_orientation(const gdyn_closure *w, int *orientation) {
    const gdyn_ahead *a = w->ahead;
    if (a->arrived < 0)
        return false;
    size_t blocks = (size_t)gdyn_tree_points_blocks(a->points);
    *orientation = memcmp(a->marked->sign, a->lane[a->arrived]->sign, blocks) == 0 ? 1 : -1;
    return true;
}

/* --- arrivals ----------------------------------------------------------------------------------- */

static void take_goals(gdyn_ahead *a, int lane, int count, const gdyn_target *targets) {
    a->lane[lane]->count = count;
    for (int i = 0; i < count; i++) {
        a->lane[lane]->row[i] = targets[i].row;
        a->goal[lane][i].row = &a->lane[lane]->row[i];
        memcpy(a->goal[lane][i].value, targets[i].target, sizeof a->goal[lane][i].value);
    }
}

static void take_arrival(gdyn_ahead *a, int lane, bool legs) {
    arrival *to = a->lane[lane];
    to->leg_map[0] = 0;
    if (legs)
        gdyn_tree_points_leg_map(a->points, lane, to->leg_map);
    gdyn_tree_points_state(a->points, lane, to->state);
    gdyn_tree_points_rates(a->points, lane, to->u_p, to->u_pp, to->rate, to->acceleration);
    gdyn_tree_points_signs(a->points, lane, to->sign);
    gdyn_tree_points_closed(a->points, lane, &to->closed);
}

/* The pose from which both points are predicted, without the rounding of moves where it is due. */
static const gdyn_state *base_of(gdyn_closure *w, const gdyn_state *now) {
    gdyn_ahead *a = w->ahead;
    if (a->pairs++ % SETTLE_EVERY != SETTLE_EVERY - 1)
        return now;
    gdyn_state_copy(a->settled, now);
    memset(w->dq, 0, (size_t)gdyn_tree_coordinates(w->tree) * sizeof *w->dq);
    gdyn_tree_move_bodies(w->joints, now, w->dq, true, a->settled);
    return a->settled;
}

/* Closes both points; the number of those that succeeded. */
static int close_pair(gdyn_closure *w, const gdyn_state *now, const gdyn_steps_ahead *steps) {
    gdyn_ahead *a = w->ahead;
    const gdyn_tree_goal *goal[GDYN_LANES] = {a->goal[0], a->goal[1]};
    const double *dq[GDYN_LANES] = {a->dq[0], a->dq[1]};
    bool two = steps->second && a->rest == 0;
    size_t bytes = (size_t)gdyn_tree_coordinates(w->tree) * sizeof(double);
    a->rest -= a->rest > 0;
    take_goals(a, 0, steps->count, steps->first);
    take_goals(a, 1, steps->count, two ? steps->second : steps->first);
    if (!gdyn_tree_points_base(a->points, base_of(w, now), steps->count, goal[0]))
        return 0;
    if (!a->is_marked)
        gdyn_tree_points_base_signs(a->points, goal, a->marked->sign);
    for (int l = 0; l < GDYN_LANES; l++) {
        gdyn_closure_extrapolate(w, l == 1 && two ? steps->h_second : steps->h_first);
        memcpy(a->dq[l], w->dq, bytes);
    }
    gdyn_closure_settings settings = gdyn_closure_default();
    int closed = gdyn_tree_points_close(a->points, dq, goal, settings.tolerance,
                                        settings.max_step * sqrt(w->bodies));
    if (closed > 0)
        gdyn_tree_points_derive(a->points, goal);
    if (two && closed == 1)
        a->rest = REST;
    return two || closed == 0 ? closed : 1;
}

/* The lane's pose becomes the present one; false: it has to be reached with care. */
static bool deliver(gdyn_closure *w, int lane, gdyn_arrived *to) {
    gdyn_ahead *a = w->ahead;
    const arrival *from = a->lane[lane];
    size_t bytes = (size_t)w->n * sizeof(double);
    int closing = gdyn_tree_closing(w->tree), worst = from->closed.worst;
    gdyn_tree_rank rank = {
        .rank = gdyn_tree_coordinates(w->tree), .least = from->closed.least, .clear = true};
    gdyn_closure_rates rates = {.rank = gdyn_tree_rank_of(w->tree, &rank)};
    if (!gdyn_rates_clear(&rates) || gdyn_guards_mirrored(w, from->state) >= 0)
        return false;
    bool of_machine = worst < closing;
    int row = of_machine ? gdyn_tree_closing_row(w->tree, worst) : w->m + worst - closing;
    *to->rates = rates;
    *to->info =
        (gdyn_closure_info){.outcome = GDYN_CLOSED,
                            .iterations = from->closed.steps,
                            .evaluations = from->closed.steps + 1,
                            .residual = from->closed.residual,
                            .worst_row = row,
                            .worst_joint = of_machine ? gdyn_model_row_joint(w->model, row) : -1,
                            .moved = from->closed.moved,
                            .rank = rates.rank};
    gdyn_state_take_places(to->state, from->state);
    memcpy(to->u_p, from->u_p, bytes);
    memcpy(to->u_pp, from->u_pp, bytes);
    if (to->leg_map)
        memcpy(to->leg_map, from->leg_map, (size_t)gdyn_closure_leg_map(w) * sizeof(double));
    a->arrived = lane;
    w->at_mark = false;
    w->by_tree = w->complete = true;
    w->derived_by_tree++;
    return true;
}

int gdyn_closure_leg_map(const gdyn_closure *w) {
    return gdyn_tree_points_leg_map_length(w->ahead->points);
}

bool gdyn_closure_arrive_ahead(gdyn_closure *w, const gdyn_state *now,
                               const gdyn_steps_ahead *steps, gdyn_arrived *to) {
    gdyn_ahead *a = w->ahead;
    a->waiting = 0;
    a->arrived = -1;
    if (!w->marked || !w->marked_clear || !w->marked_by_tree)
        return false;
    int closed = close_pair(w, now, steps);
    if (closed == 0)
        return false;
    if (to->leg_map)
        gdyn_tree_points_take_leg_map(a->points);
    take_arrival(a, 0, to->leg_map);
    gdyn_state_copy(to->state, now);
    if (!deliver(w, 0, to))
        return false;
    if (closed == 2)
        take_arrival(a, 1, to->leg_map);
    a->waiting = closed == 2;
    return true;
}

bool gdyn_closure_arrive_waiting(gdyn_closure *w, const gdyn_state *now, gdyn_arrived *to) {
    bool waits = w->ahead->waiting && w->ahead->is_marked;
    w->ahead->waiting = 0;
    if (!waits)
        return false;
    gdyn_state_copy(to->state, now);
    return deliver(w, 1, to);
}
