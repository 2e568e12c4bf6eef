/* assemble.c - the first pose (Paul 2020, section 5.6, steps 2 to 7).
 *
 * The machine is closed from its first guess with the coordinates that the user keeps independent
 * held (step 4); a guess that is singular and cannot be closed, or every one if the user wants it,
 * is shaken before (step 3). Ranks are decided at the closed pose. At a singular pose the rank is
 * lower than beside it, and a motion that exists in no other pose would count as a freedom: so the
 * pose is shaken a little, closed again, and where the rank is higher the simulation starts from
 * there. */
#include "simulate/internal.h"

#include "base/random.h"
#include "closure/target.h"
#include "mech/row.h"

#include <math.h>
#include <string.h>

/* Largest displacement of a shaken pose, of the machine's length: singular values are about as
 * large, six digits above the rank tolerance; no drawing shows it. */
static const double SHAKE = 1e-3;
enum { SEED = 2020 };

/* An assembly: the machine, what stays, what is found. */
typedef struct assembly {
    gdyn_dynamics *d;
    gdyn_closure *closure;
    gdyn_sim_start *start;
    gdyn_assemblies *kept;     /* ways of the methods */
    gdyn_target *target;       /* start->held */
    gdyn_state *guess, *trial; /* before closing; what is tried beside */
} assembly;

/* --- coordinates that are held ---------------------------------------------------------------- */

/* The coordinate of velocity `axis` of a body: a place, an angle, a component of the turn. */
static gdyn_row coordinate(const gdyn_model *model, const gdyn_state *state, int body, int axis) {
    gdyn_anchor centre = {.body = body};
    double r[3];
    if (axis >= (gdyn_model_space(model) == GDYN_PLANAR ? 2 : 3)) {
        gdyn_row turn = gdyn_row_angle(model, body);
        if (gdyn_model_space(model) == GDYN_PLANAR)
            return turn;
        turn = gdyn_row_orientation(model, body, axis - 3);
        gdyn_state_body(state, body, r, turn.frame);
        return turn;
    }
    memcpy(centre.at, gdyn_model_body(model, body)->com, sizeof centre.at);
    return gdyn_row_point(model, centre, axis);
}

/* Rows of the velocities that stay independent and of bodies that keep their pose, as they are. */
static gdyn_status hold_independent(assembly *a, const gdyn_state *state) {
    const gdyn_dynamics *d = a->d;
    int per = gdyn_model_space(d->model) == GDYN_PLANAR ? 3 : 6;
    /* at most every coordinate is held; only the partition has independent ones of the user */
    a->target = gdyn_alloc((size_t)d->n + 1, sizeof *a->target);
    bool *marked = gdyn_alloc((size_t)d->n + 1, sizeof *marked);
    bool named = a->target && marked;
    if (named && d->def->method == GDYN_SIM_PARTITION)
        /* the names were checked when the simulation was made */
        gdyn_sim_named_columns(d->model, d->def, NULL, marked);
    for (int k = 0; named && k < per * d->def->kept_count; k++)
        marked[per * d->def->kept[k / per] + k % per] = true;
    for (int j = 0; named && j < d->n; j++) {
        if (!marked[j])
            continue;
        gdyn_target *t = &a->target[a->start->held++];
        t->row = coordinate(d->model, state, j / per, j % per);
        t->target[0] = gdyn_row_value(state, &t->row);
    }
    gdyn_free(marked);
    return a->target && marked ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* --- closing ---------------------------------------------------------------------------------- */

/* Closes the loops; the way goes to `way` unless that is NULL. */
static gdyn_status close_loops(const assembly *a, gdyn_state *state, gdyn_closure_method method,
                               gdyn_assembly_list *way, gdyn_closure_info *info) {
    gdyn_closure_settings settings = gdyn_closure_default();
    settings.method = method;
    settings.follow = way ? gdyn_assembly_follow : NULL;
    settings.follow_context = way;
    gdyn_status status =
        gdyn_closure_solve(a->closure, state, a->start->held, a->target, &settings, info);
    return way && way->lost ? GDYN_ERROR_MEMORY : status;
}

/* A random displacement of all bodies, the same in every run. */
static void displace(gdyn_dynamics *d, gdyn_state *state, double share) {
    gdyn_random random = gdyn_random_stream(SEED, 0, 0);
    for (int j = 0; j < d->n; j++)
        d->v[j] = share * d->L * d->column[j] * gdyn_random_between(&random, -1, 1);
    gdyn_state_move(state, d->v);
}

/* --- ranks ------------------------------------------------------------------------------------ */

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
    d->rank = start->decision.rank, d->position_rank = position.rank;
    start->rank = d->rank, start->redundant = d->rows - d->rank;
    start->mobility = d->n - d->rank;
    return status;
}

/* --- singular starts -------------------------------------------------------------------------- */

/* The body that moved farthest between two states, and how far [m]. */
static void compare(const gdyn_state *from, const gdyn_state *to, gdyn_sim_start *start) {
    for (int i = 0; i < gdyn_model_bodies(gdyn_state_model(from)); i++) {
        double a[3], b[3], R[9], Q[9], square = 0, L = gdyn_model_length(gdyn_state_model(from));
        gdyn_state_body(from, i, a, R), gdyn_state_body(to, i, b, Q);
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
static gdyn_status shake(assembly *a, gdyn_state *state) {
    gdyn_dynamics *d = a->d;
    gdyn_sim_start *start = a->start, other = {.held = 0};
    gdyn_closure_info info;
    gdyn_rank rank = {0};
    gdyn_state_copy(a->trial, state);
    displace(d, a->trial, SHAKE);
    /* nothing is held: what stays there may be what makes the pose singular */
    a->start = &other;
    gdyn_status status = close_loops(a, a->trial, GDYN_CLOSURE_NEWTON, NULL, &info);
    a->start = start;
    if (status == GDYN_OK && info.outcome == GDYN_CLOSED)
        status = rank_at(d, a->trial, d->rows, 0, &rank);
    /* the first pose was singular: begin beside it */
    if (status == GDYN_OK && rank.rank > start->rank) {
        start->gained = rank.rank - start->rank;
        compare(state, a->trial, start);
        gdyn_state_copy(state, a->trial);
        gdyn_state_accept(state);
        status = decide_ranks(d, state, start);
    }
    return status;
}

/* A guess not closed, with lower rank than beside it: closed again from there (step 3). */
static gdyn_status close_shaken(assembly *a, gdyn_state *state) {
    gdyn_dynamics *d = a->d;
    gdyn_closure_info info;
    gdyn_rank here = {0}, there = {0};
    gdyn_state_copy(a->trial, a->guess);
    displace(d, a->trial, SHAKE);
    gdyn_status status = rank_at(d, a->guess, d->m, 0, &here);
    if (status == GDYN_OK)
        status = rank_at(d, a->trial, d->m, 0, &there);
    if (status == GDYN_OK && there.rank > here.rank) {
        gdyn_assembly_list *way = gdyn_assembly_begin(a->kept, d->def->closing);
        status = close_loops(a, a->trial, d->def->closing, way, &info);
        way->closure = info;
        /* only an assembled pose replaces the nearest one */
        if (status == GDYN_OK && info.outcome == GDYN_CLOSED) {
            gdyn_state_copy(state, a->trial);
            a->start->closure = info, a->start->guess_shaken = SHAKE;
        }
    }
    return status;
}

/* The first guess, shaken where that is asked for, closed by the method of the simulation. */
static gdyn_status close_guess(assembly *a, gdyn_state *state, bool placed) {
    static const gdyn_closure_method others[] = {GDYN_CLOSURE_NEWTON, GDYN_CLOSURE_LEAST_SQUARES,
                                                 GDYN_CLOSURE_SIMPLEX};
    const gdyn_simulation_def *def = a->d->def;
    gdyn_sim_start *start = a->start;
    gdyn_status status = hold_independent(a, state);
    if (status != GDYN_OK)
        return status;
    if (def->shake > 0 && !placed) {
        displace(a->d, state, def->shake);
        start->guess_shaken = def->shake;
    }
    gdyn_state_copy(a->guess, state);
    gdyn_assembly_list *way = gdyn_assembly_begin(a->kept, def->closing);
    status = close_loops(a, state, def->closing, way, &start->closure);
    way->closure = start->closure;
    /* the same by all methods from the guess, for comparison */
    for (int m = 0; def->compare_closings && m < GDYN_SIM_CLOSINGS && status == GDYN_OK; m++) {
        way = gdyn_assembly_begin(a->kept, (gdyn_closure_method)m);
        gdyn_state_copy(a->trial, a->guess);
        status = close_loops(a, a->trial, (gdyn_closure_method)m, way, &way->closure);
    }
    /* a guess from which no direction leads to a closed pose */
    if (status == GDYN_OK && start->closure.outcome != GDYN_CLOSED && def->shake == 0 && !placed)
        status = close_shaken(a, state);
    /* left open: which other method closes the guess, the quickest first */
    bool open = start->closure.outcome != GDYN_CLOSED;
    for (int i = 0; open && i < 3 && status == GDYN_OK && start->serves < 0; i++) {
        gdyn_closure_info info;
        if (others[i] == def->closing)
            continue;
        gdyn_state_copy(a->trial, a->guess);
        status = close_loops(a, a->trial, others[i], NULL, &info);
        if (status == GDYN_OK && info.outcome == GDYN_CLOSED)
            start->serves = (int)others[i];
    }
    return status;
}

gdyn_status gdyn_sim_assemble(gdyn_dynamics *d, gdyn_closure *closure, gdyn_state *state,
                              bool placed, gdyn_sim_start *start, gdyn_assemblies *kept) {
    assembly a = {.d = d, .closure = closure, .start = start, .kept = kept};
    a.guess = gdyn_state_create(d->model), a.trial = gdyn_state_create(d->model);
    gdyn_status status = a.guess && a.trial ? close_guess(&a, state, placed) : GDYN_ERROR_MEMORY;
    start->moved = start->closure.moved;
    /* what contradicts what, when it cannot be closed; ranks where it is closed */
    bool closed = status == GDYN_OK && start->closure.outcome == GDYN_CLOSED;
    if (closed) {
        gdyn_state_accept(state);
        status = decide_ranks(d, state, start);
    } else if (status == GDYN_OK) {
        /* redundant constraints at the nearest pose: off by e they look independent by order e */
        gdyn_rank rank;
        double near = 100 * start->closure.residual;
        status = rank_at(d, state, d->m, fmax(near, GDYN_RANK_TOLERANCE), &rank);
        start->redundant = near < 0.1 && d->n > rank.rank ? d->m - rank.rank : 0;
    }
    /* only dependent constraints can become independent beside the pose */
    if (closed && status == GDYN_OK && !placed && d->rank < d->rows)
        status = shake(&a, state);
    gdyn_state_destroy(a.guess), gdyn_state_destroy(a.trial);
    gdyn_free(a.target);
    return status;
}

/* --- ways of the closing methods -------------------------------------------------------------- */

/* Ways of the closing methods from the first guess to an assembled machine. */

gdyn_assembly_list *gdyn_assembly_begin(gdyn_assemblies *assemblies, gdyn_closure_method method) {
    gdyn_assembly_list *list = &assemblies->list[method];
    list->method = method, list->steps = 0, list->lost = false;
    assemblies->taken[method] = true;
    return list;
}

void gdyn_assembly_follow(void *context, gdyn_closure_method at_work, int evaluations,
                          double residual) {
    gdyn_assembly_list *list = context;
    if (!gdyn_reserve(&list->step, &list->capacity, list->steps + 1, sizeof *list->step)) {
        list->lost = true;
        return;
    }
    list->step[list->steps++] = (gdyn_assembly_step){at_work, evaluations, residual};
}
