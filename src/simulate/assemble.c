/* assemble.c - the first pose (Paul 2020, section 5.6, steps 2 to 7).
 *
 * The machine is closed from its first guess with the coordinates that the user keeps independent held. Ranks are
 * decided there. At a singular pose the rank is lower than beside it, and a motion that exists in no other pose would
 * count as a freedom: so the pose is shaken a little, closed again, and where the rank is higher the simulation starts
 * from there. */
#include "simulate/internal.h"

#include "base/memory.h"
#include "base/random.h"
#include "closure/target.h"
#include "mech/row.h"

#include <math.h>
#include <string.h>

/* Greatest displacement of a shaken pose, of the machine's length: singular values then are about as large, clear of
 * the rank tolerance by six digits, and the machine is where it was to any drawing. */
static const double SHAKE = 1e-3;
enum { SEED = 2020 };

/* --- coordinates that are held ------------------------------------------------------------------------ */

/* Rows of the velocities that stay independent, at the values that they have: places, and the angle of plane bodies. */
static int hold_independent(gdyn_dynamics *d, const gdyn_state *state, bool *marked,
                            gdyn_target *target) {
    int per = gdyn_model_space(d->model) == GDYN_PLANAR ? 3 : 6, count = 0;
    /* the names were checked when the simulation was made */
    gdyn_sim_named_columns(d->model, d->def, NULL, marked);
    for (int j = 0; j < d->n; j++) {
        int body = j / per, axis = j % per;
        /* a turn in space has no scalar coordinate to hold */
        if (!marked[j] || (per == 6 && axis >= 3))
            continue;
        gdyn_anchor centre = {.body = body};
        memcpy(centre.at, gdyn_model_body(d->model, body)->com, sizeof centre.at);
        gdyn_target *t = &target[count++];
        *t = (gdyn_target){0};
        t->row = per == 3 && axis == 2 ? gdyn_row_angle(d->model, body)
                                       : gdyn_row_point(d->model, centre, axis);
        t->target[0] = gdyn_row_value(state, &t->row);
    }
    return count;
}

static gdyn_status close_loops(gdyn_dynamics *d, gdyn_closure *closure, gdyn_state *state,
                               gdyn_closure_method method, gdyn_sim_start *start) {
    gdyn_closure_settings settings = gdyn_closure_default();
    settings.method = method;
    size_t n = (size_t)d->n;
    /* at most every coordinate is held */
    gdyn_target *target = gdyn_alloc(n + 1, sizeof *target);
    bool *marked = gdyn_alloc(n + 1, sizeof *marked);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (target && marked) {
        /* only the partition has independent coordinates of the user */
        bool keeps = d->def->method == GDYN_SIM_PARTITION && d->def->independent_count > 0;
        start->held = keeps ? hold_independent(d, state, marked, target) : 0;
        status =
            gdyn_closure_solve(closure, state, start->held, target, &settings, &start->closure);
    }
    gdyn_free(target);
    gdyn_free(marked);
    return status;
}

/* --- ranks ----------------------------------------------------------------------------------------------- */

/* Rank of the first `rows` rows of C at a state. */
static gdyn_status rank_at(gdyn_dynamics *d, const gdyn_state *state, int rows, double tolerance,
                           gdyn_rank *rank) {
    memset(d->v, 0, (size_t)d->n * sizeof *d->v);
    gdyn_dynamics_constraints(d, state, d->v);
    gdyn_status status = gdyn_svd_factor(d->svd, rows, d->n, d->C, d->rows, tolerance);
    *rank = d->svd->rank;
    return status;
}

static gdyn_status decide_ranks(gdyn_dynamics *d, const gdyn_state *state, gdyn_sim_start *start) {
    gdyn_rank position;
    gdyn_status status = rank_at(d, state, d->rows, 0, &start->decision);
    if (status == GDYN_OK)
        status = rank_at(d, state, d->m, 0, &position);
    /* they hold for the whole simulation */
    d->rank = start->decision.rank;
    d->position_rank = position.rank;
    start->rank = d->rank;
    start->redundant = d->rows - d->rank;
    start->mobility = d->n - d->rank;
    return status;
}

/* Redundant constraints at the pose that is nearest to closed. Off a solution by e they look independent by order e. */
static gdyn_status find_contradiction(gdyn_dynamics *d, const gdyn_state *state,
                                      gdyn_sim_start *start) {
    gdyn_rank rank;
    double near = 100 * start->closure.residual;
    gdyn_status status = rank_at(d, state, d->m, fmax(near, GDYN_RANK_TOLERANCE), &rank);
    bool small = near < 0.1 && d->n > rank.rank;
    start->redundant = small ? d->m - rank.rank : 0;
    return status;
}

/* --- singular starts ------------------------------------------------------------------------------------- */

/* The body that moved farthest between two states, and how far [m]. */
static void compare(const gdyn_state *from, const gdyn_state *to, gdyn_sim_start *start) {
    for (int i = 0; i < gdyn_model_bodies(gdyn_state_model(from)); i++) {
        double a[3], b[3], R[9], Q[9], square = 0, L = gdyn_model_length(gdyn_state_model(from));
        gdyn_state_body(from, i, a, R);
        gdyn_state_body(to, i, b, Q);
        /* the way of the centre of gravity, and the turn times L */
        for (int j = 0; j < 3; j++)
            square += (a[j] - b[j]) * (a[j] - b[j]);
        for (int j = 0; j < 9; j++) /* |R - Q| = sqrt(2) angle */
            square += 0.5 * (R[j] - Q[j]) * (R[j] - Q[j]) * L * L;
        if (sqrt(square) > start->shaken) {
            start->shaken = sqrt(square);
            start->shaken_body = i;
        }
    }
}

/* Beside a singular pose: the rank is higher there. */
static gdyn_status shake(gdyn_dynamics *d, gdyn_closure *closure, gdyn_state *state,
                         gdyn_sim_start *start) {
    gdyn_state *beside = gdyn_state_create(d->model);
    gdyn_sim_start other = *start;
    gdyn_random random = gdyn_random_stream(SEED, 0, 0);
    gdyn_rank rank = {0};
    if (!beside)
        return GDYN_ERROR_MEMORY;
    /* a random displacement of all bodies, the same in every run */
    gdyn_state_copy(beside, state);
    for (int j = 0; j < d->n; j++)
        d->v[j] = SHAKE * d->L * d->column[j] * gdyn_random_between(&random, -1, 1);
    gdyn_state_move(beside, d->v);
    gdyn_status status = close_loops(d, closure, beside, GDYN_CLOSURE_NEWTON, &other);
    if (status == GDYN_OK && other.closure.outcome == GDYN_CLOSED)
        status = rank_at(d, beside, d->rows, 0, &rank);
    /* the first pose was singular: begin beside it */
    if (status == GDYN_OK && rank.rank > start->rank) {
        start->gained = rank.rank - start->rank;
        compare(state, beside, start);
        gdyn_state_copy(state, beside);
        gdyn_state_accept(state);
        status = decide_ranks(d, state, start);
    }
    gdyn_state_destroy(beside);
    return status;
}

gdyn_status gdyn_sim_assemble(gdyn_dynamics *d, gdyn_closure *closure, gdyn_state *state,
                              bool placed, gdyn_sim_start *start) {
    gdyn_status status = close_loops(d, closure, state, d->def->closing, start);
    start->moved = start->closure.moved;
    if (status != GDYN_OK)
        return status;
    /* what contradicts what, when it cannot be closed */
    if (start->closure.outcome != GDYN_CLOSED)
        return find_contradiction(d, state, start);
    /* only dependent constraints can become independent beside the pose */
    gdyn_state_accept(state);
    status = decide_ranks(d, state, start);
    return status == GDYN_OK && !placed && d->rank < d->rows ? shake(d, closure, state, start)
                                                             : status;
}
