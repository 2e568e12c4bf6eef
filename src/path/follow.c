/* follow.c - one step along a path, and many of them with step control.
 *
 * Predictor: the displacement du = u_p h + u_pp h^2 / 2. Where the pose depends on the way
 * (Pfaffian rows, kinematic redundancy) u_p is integrated instead (integrate.c), in steps whose
 * estimated error stays below INTEGRATION_TOLERANCE times their length; their estimated sum,
 * carried on by the flow, is kept. Corrector: Newton with minimum-norm steps.
 *
 * A step is taken when
 *   - the corrector moves the pose by a fraction of the step only (else the predictor was on
 *     another branch, or the branch turns away: the step is shortened),
 *   - the rank is that of a regular pose (except at the end of the leg: a singular pose, reported),
 *   - no singular pose was crossed (gdyn_closure_orientation), unless the corrector hardly moved in
 *     a short step: then the branch passes smoothly through a singular pose where others meet it;
 *     that is recorded. Where branches only come near each other a long step can land on the other
 *     one with a small correction, a short one cannot.
 * So a leg cannot flip from one assembly mode to the other unnoticed. */
#include "linalg/linalg.h"
#include "mech/row.h"
#include "path/internal.h"
#include "base/memory.h"
#include "linalg/vec3.h"

#include "base/pi.h"

#include <math.h>
#include <string.h>

static const double MOVE_MOST = 0.3;       /* longest step of a joint, else of a body (L or rad) */
static const double CORRECTED_MOST = 0.25; /* corrector over predictor */
static const double CORRECTED_SMOOTH = 0.02; /* the same, when a singular pose was crossed */
/* Longest step of which that is believed, per body: branches 0.02 times as far apart can be
 * distinguished. What shortest_step() leaves is shorter. */
static const double LENGTH_SMOOTH = 1e-4;
static const double CORRECTED_FLOOR = 1e-4; /* per body: corrections below are never suspicious */
/* The joints of a body's way to the ground turn it by at most the root of their number times their
 * step's length: steps below turn no body so far that whole turns are missed. */
static const double LITTLE = 0.5;
static const double LONGER_AHEAD =
    1.5; /* next step over this one, where both are predicted from here */
static const double LEAST_STEP = 0x1p-46; /* shorter steps, as a share of p, are rounding */
static const double SHORTEN = 0.43, LENGTHEN = 2, SHORTEST = 1.0 / 4096;
/* Local error of the integration over the length of the step, both without unit. The errors of a
 * path add up to this share of its length (in L and rad), far below what any result shows. */
static const double INTEGRATION_TOLERANCE = 1e-10;
/* Rounding of u_p: a few units in the last place, over the smallest singular value. */
static const double ROUNDING = 1e-15;

/* --- making ---------------------------------------------------------------------------------- */

/* Follows one path with one model; the closure comes from the caller. */
gdyn_follower *gdyn_follower_create(const gdyn_model *model, const gdyn_path *path) {
    gdyn_arena *arena;
    gdyn_follower *f = gdyn_arena_begin(&arena, sizeof *f);
    if (!f)
        return NULL;
    size_t n = (size_t)gdyn_model_coordinates(model), targets = (size_t)gdyn_path_targets(path);
    *f = (gdyn_follower){.model = model,
                         .path = path,
                         .n = (int)n,
                         .bodies = gdyn_model_bodies(model),
                         .per_body = gdyn_model_space(model) == GDYN_PLANAR ? 3 : 6,
                         .targets = (int)targets,
                         .straight = {.straight = true, .path = path},
                         .arena = arena};
    double **vectors[] = {&f->unit,       &f->per_unit, &f->now.u_p, &f->now.u_pp, &f->trial.u_p,
                          &f->trial.u_pp, &f->du,       &f->error,   &f->growth,   &f->drift};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = gdyn_arena_doubles(arena, n);
    for (int s = 0; s < GDYN_STAGES; s++)
        f->k[s] = gdyn_arena_doubles(arena, n);
    f->target = gdyn_arena_alloc(arena, targets, sizeof *f->target);
    f->straight.goal = gdyn_arena_alloc(arena, targets, sizeof *f->target);
    f->straight.present = gdyn_arena_doubles(arena, targets);
    f->now.state = gdyn_state_create(model), f->trial.state = gdyn_state_create(model);
    f->stage = gdyn_state_create(model);
    if (!f->now.state || !f->trial.state || !f->stage || gdyn_arena_failed(arena)) {
        gdyn_follower_destroy(f);
        return NULL;
    }
    gdyn_mech_scales(model, NULL, f->unit);
    for (size_t j = 0; j < n; j++) {
        f->unit[j] *= gdyn_model_length(model);
        f->per_unit[j] = 1 / f->unit[j];
    }
    return f;
}

/* Safe on a partly made follower. */
void gdyn_follower_destroy(gdyn_follower *f) {
    if (!f)
        return;
    gdyn_state_destroy(f->now.state), gdyn_state_destroy(f->trial.state);
    gdyn_state_destroy(f->stage);
    gdyn_arena_destroy(f->arena);
}

bool gdyn_follower_keep_known(gdyn_follower *f) {
    size_t length = (size_t)gdyn_closure_known_length(f->closure);
    f->now.known = gdyn_arena_doubles(f->arena, length + 1);
    f->trial.known = gdyn_arena_doubles(f->arena, length + 1);
    return f->now.known && f->trial.known;
}

/* --- legs ------------------------------------------------------------------------------------ */

/* Linear between present values and goals. */
static void straight_targets(const gdyn_follower *f, const gdyn_leg *leg, double p,
                             gdyn_target *targets) {
    memcpy(targets, leg->goal, (size_t)f->targets * sizeof *targets);
    for (int i = 0; i < f->targets; i++) {
        targets[i].target[2] = 0;
        if (leg->goal[i].row.kind == GDYN_ROW_ORIENT) {
            /* target frame exp((1 - p) e) R_t, e = log(R_a R_t^T) at p = 0; velocity -e */
            double e[3], R[9];
            v3_scale(e, 1 - p, leg->present + i - leg->goal[i].row.axis);
            gdyn_rotation_exp(R, e);
            gdyn_m3_multiply(targets[i].row.frame, R, leg->goal[i].row.frame);
            targets[i].target[0] = 0, targets[i].target[1] = -leg->present[i];
            continue;
        }
        /* at the end exactly the goal */
        double way = leg->goal[i].target[0] - leg->present[i];
        targets[i].target[0] = p < 1 ? leg->present[i] + p * way : leg->goal[i].target[0];
        targets[i].target[1] = way;
    }
}

/* The leg's targets at p; false where a formula has a pole between the path's points. */
static bool aim_at(const gdyn_follower *f, const gdyn_leg *leg, double p, gdyn_target *target) {
    if (leg->straight)
        straight_targets(f, leg, p, target);
    else
        gdyn_path_evaluate(leg->path, p, target);
    for (int i = 0; i < f->targets; i++)
        if (!isfinite(target[i].target[0]) || !isfinite(target[i].target[1]) ||
            !isfinite(target[i].target[2]))
            return false;
    return true;
}

static bool aim(gdyn_follower *f, const gdyn_leg *leg, double p) {
    return aim_at(f, leg, p, f->target);
}

/* --- closing and derivatives ----------------------------------------------------------------- */

/* Keeps the first error that ends the run; true without any. */
static bool note(gdyn_follower *f, gdyn_status status) {
    if (status != GDYN_OK && status != GDYN_ERROR_NUMERIC && f->status == GDYN_OK)
        f->status = status;
    return status == GDYN_OK;
}

/* A pose by least squares and restarts, without p by the machine alone. */
bool gdyn_follower_close(gdyn_follower *f, const gdyn_state *state, const double *p, int restarts) {
    gdyn_closure_settings settings = gdyn_closure_default();
    settings.weights = gdyn_path_definition(f->path)->weights;
    settings.restarts = restarts, settings.rough = f->rough;
    gdyn_state_copy(f->trial.state, state);
    if (p)
        gdyn_path_evaluate(f->path, *p, f->target);
    return note(f, gdyn_closure_solve(f->closure, f->trial.state, p ? f->targets : 0, f->target,
                                      &settings, &f->info)) &&
           f->info.outcome == GDYN_CLOSED;
}

/* u_p and u_pp at a state for the targets in f->target; false when they cannot be had. */
static bool derive(gdyn_follower *f, const gdyn_state *state, double *u, double *u_pp,
                   gdyn_closure_rates *rates) {
    const double *weights = gdyn_path_definition(f->path)->weights;
    return note(f, gdyn_closure_derivatives_fast(f->closure, state, f->targets, f->target, weights,
                                                 u, u_pp, rates));
}

/* Starts at a known pose: velocities, rank, and whether the pose depends on the way. */
bool gdyn_follower_place(gdyn_follower *f, const gdyn_leg *leg, const gdyn_state *state, double p) {
    gdyn_state_copy(f->now.state, state);
    if (f->now.known)
        f->now.known[0] = 0;
    if (!aim(f, leg, p) || !derive(f, f->now.state, f->now.u_p, f->now.u_pp, &f->now.rates))
        return false;
    gdyn_closure_mark(f->closure);
    if (f->now.rates.rank.rank > f->rank)
        f->rank = f->now.rates.rank.rank;
    f->integrate = gdyn_model_pfaffian(f->model) > 0 || f->now.rates.freedom > 0;
    return true;
}

/* --- the predictor --------------------------------------------------------------------------- */

double gdyn_follower_size(const gdyn_follower *f, const double *du, double *most) {
    double sum = 0;
    double greatest = 0;
    for (int i = 0; i < f->bodies; i++) {
        double own = 0;
        for (int j = f->per_body * i; j < f->per_body * (i + 1); j++)
            own += pow(du[j] * f->per_unit[j], 2);
        sum += own;
        greatest = own > greatest ? own : greatest;
    }
    *most = sqrt(greatest);
    return sqrt(sum);
}

/* The pose displaced from another, closed and with its velocities. */
bool gdyn_follower_displaced(gdyn_follower *f, const gdyn_leg *leg, double p,
                             const gdyn_state *from, const double *du, double *u) {
    gdyn_closure_rates *rates = &f->stage_rates;
    bool closed;
    gdyn_state_copy(f->stage, from);
    gdyn_state_move(f->stage, du);
    return aim(f, leg, p) &&
           note(f, gdyn_closure_correct(f->closure, f->stage, f->targets, f->target,
                                        gdyn_path_definition(f->path)->weights, INFINITY, &f->info,
                                        &closed)) &&
           closed && derive(f, f->stage, u, f->trial.u_pp, rates) &&
           rates->misfit <= GDYN_MISFIT_REGULAR;
}

/* u of the displaced pose, as a rate of the displacement. */
bool gdyn_follower_rate(gdyn_follower *f, const gdyn_leg *leg, double p, const double *du,
                        double *k) {
    if (!gdyn_follower_displaced(f, leg, p, f->now.state, du, k))
        return false;
    gdyn_follower_pull_back(f, du, k);
    return true;
}

/* du and its length (of the joints' motion where known); false: too long to be trusted. */
static bool predict(gdyn_follower *f, const gdyn_leg *leg, double p, double h, double *length) {
    double most = 0;
    bool known = !f->integrate && gdyn_closure_stride(f->closure, h, length, &f->most);
    f->turns_little = known && *length * sqrt(f->bodies) <= LITTLE;
    if (f->turns_little)
        return f->most <= MOVE_MOST;
    /* A nonholonomic machine is not led along a straight way by its rolling: it is only placed. */
    bool still = leg->straight && gdyn_model_pfaffian(f->model) > 0;
    for (int j = 0; j < f->n; j++)
        f->du[j] = still ? 0 : h * f->now.u_p[j] + 0.5 * h * h * f->now.u_pp[j];
    if (known)
        return f->most <= MOVE_MOST;
    *length = gdyn_follower_size(f, f->du, &most);
    f->most = most;
    if (still)
        *length = 4 * MOVE_MOST;
    if (!(most <= MOVE_MOST) || !f->integrate || leg->straight)
        return most <= MOVE_MOST;
    if (!gdyn_follower_integrate(f, leg, p, h))
        return false;
    *length = gdyn_follower_size(f, f->du, &most);
    return true;
}

/* --- the step -------------------------------------------------------------------------------- */

/* Smallest singular value that counts, relative. */
double gdyn_rates_least(const gdyn_closure_rates *rates) {
    if (rates->rank.rank == 0)
        return 1;
    return rates->rank.above / rates->rank.greatest;
}

bool gdyn_follower_sound(const gdyn_follower *f, const gdyn_closure_rates *rates) {
    return rates->rank.rank >= f->rank && rates->misfit <= GDYN_MISFIT_REGULAR &&
           rates->misfit2 <= GDYN_MISFIT2_REGULAR && gdyn_rates_least(rates) >= GDYN_LEAST_REGULAR;
}

bool gdyn_follower_regular(const gdyn_follower *f) {
    return gdyn_follower_sound(f, &f->now.rates);
}

/* Judges the corrected trial pose by its rank and the side of singular poses it lies on. */
static gdyn_step judge(gdyn_follower *f, double length, const gdyn_closure_rates *rates,
                       bool last) {
    /* rank lost, or nearly lost */
    if (rates->rank.rank < f->rank || rates->misfit > GDYN_MISFIT_REGULAR ||
        gdyn_rates_least(rates) < GDYN_LEAST_REGULAR)
        return last ? GDYN_STEP_SINGULAR : GDYN_STEP_FAILED;
    /* the start was singular: from here on the rank is this one */
    if (rates->rank.rank > f->rank) {
        f->rank = rates->rank.rank;
        return GDYN_STEP_OK;
    }
    /* another side: a singular pose was crossed, unless the step was too long to tell */
    if (gdyn_closure_orientation(f->closure) < 0) {
        if (f->info.moved > CORRECTED_SMOOTH * length || length > LENGTH_SMOOTH * sqrt(f->bodies))
            return GDYN_STEP_FAILED;
        f->crossed = true;
    }
    return GDYN_STEP_OK;
}

/* Judges the step by its estimated error (pair 5(4): as h^5) and chooses the next one's length. */
static bool accurate(gdyn_follower *f, double h, double length, const gdyn_closure_rates *rates) {
    double allowed = length * (INTEGRATION_TOLERANCE + ROUNDING / gdyn_rates_least(rates));
    double error = gdyn_follower_local_error(f, h, f->trial.u_p);
    double factor = error > 0 ? 0.9 * pow(allowed / error, 0.2) : 4;
    f->shorten = fmax(0.1, fmin(factor, 0.8)), f->lengthen = fmax(0.5, fmin(factor, 4));
    return error <= allowed;
}

/* A step at hand, as the closure asks for it. */
typedef struct step_way {
    const gdyn_follower *f;
    const gdyn_leg *leg;
    double from, to;
    bool last; /* the step ends where it was to lead */
} step_way;

static bool aim_way(void *at, double p, gdyn_target *target) {
    const step_way *w = at;
    return aim_at(w->f, w->leg, p, target);
}

/* The points that may be closed with this one: those to which the path is smooth, in steps that are
 * hardly longer and together not too long. */
static int points_ahead(void *at, double *p) {
    const step_way *w = at;
    const gdyn_follower *f = w->f;
    double step = w->to - w->from, before = w->to;
    int count = 0;
    if (w->leg->straight || !w->last)
        return 0;
    for (int i = 0; i < f->nexts; i++) {
        double next = f->next[i], share = (next - before) / step;
        if (!(share > 0 && share <= LONGER_AHEAD) || !(f->most * (count + 2) <= 2 * MOVE_MOST) ||
            gdyn_path_next_break(w->leg->path, w->from, next) != next)
            break;
        p[count++] = before = next;
    }
    return count;
}

/* Closes the trial pose, at most that far from its prediction, and takes its derivatives. */
static bool arrive(gdyn_follower *f, const gdyn_leg *leg, double p, double to, bool last,
                   double most) {
    step_way at = {f, leg, p, to, last};
    bool closed;
    gdyn_closure_step step = {.from = p,
                              .to = to,
                              .du = f->integrate ? f->du : NULL,
                              .most = most,
                              .weights = gdyn_path_definition(f->path)->weights,
                              .count = f->targets,
                              .target = f->target,
                              .aim = aim_way,
                              .ahead = points_ahead,
                              .way = &at};
    return note(f,
                gdyn_closure_advance(f->closure, &step, &f->now, &f->trial, &f->info, &closed)) &&
           closed;
}

/* One step: predict, close, judge, and keep or give back. */
static gdyn_step attempt(gdyn_follower *f, const gdyn_leg *leg, double p, double to, bool last) {
    double length, floor = CORRECTED_FLOOR * sqrt(f->bodies);
    const gdyn_closure_rates *rates = &f->trial.rates;
    f->steps++;
    f->shorten = SHORTEN, f->lengthen = LENGTHEN;
    if (!predict(f, leg, p, to - p, &length))
        return GDYN_STEP_FAILED;
    /* closed near the prediction, with the next point where possible */
    double most = fmax(CORRECTED_MOST * length, floor);
    if (!arrive(f, leg, p, to, last, most))
        return GDYN_STEP_FAILED;
    gdyn_step step = judge(f, length, rates, last);
    if (step == GDYN_STEP_FAILED)
        return step;
    /* local error of the integration */
    if (step == GDYN_STEP_OK && f->integrate && !leg->straight &&
        !accurate(f, to - p, length, rates))
        return GDYN_STEP_FAILED;
    if (f->integrate && !leg->straight) {
        /* the step's error adds to the drift, which is carried on */
        f->drifted = true;
        for (int j = 0; j < f->n; j++)
            f->drift[j] += (to - p) * f->growth[j] + f->error[j];
    }
    /* accepted */
    if (!f->turns_little && !gdyn_state_count_turns(f->trial.state, f->now.state, f->du))
        return GDYN_STEP_FAILED;
    gdyn_closed_pose now = f->now;
    f->now = f->trial, f->trial = now;
    gdyn_state_accept(f->now.state);
    f->reached = to;
    if (step == GDYN_STEP_OK)
        gdyn_closure_mark_step(f->closure, to - p);
    return step;
}

/* Part of the way of which no smaller one is tried: of ways longer than the longest step, of it. */
static double shortest_step(const gdyn_follower *f, double from, double to) {
    double most, *du = f->du, way = to - from;
    for (int j = 0; j < f->n; j++)
        du[j] = way * f->now.u_p[j];
    gdyn_follower_size(f, du, &most);
    return fmax(SHORTEST * fabs(way) / fmax(1, most / MOVE_MOST),
                LEAST_STEP * fmax(fabs(from), fabs(to)));
}

/* Steps in one piece: thousands of times what any machine's path needs between two points. A path
 * that turns back and forth more often than that is given up where it is, instead of being followed
 * for hours; from then on a piece gets fewer. */
enum { MOST_STEPS = 20000, MOST_STEPS_LATER = 20 };

/* One piece of the leg between two breaks of the path. */
static gdyn_step advance_smoothly(gdyn_follower *f, const gdyn_leg *leg, double from, double to) {
    double p = from, h = to - from;
    /* where the pose is integrated, as long as the last step that was kept */
    if (f->integrate && !leg->straight && f->step > 0 && f->step < fabs(h))
        h = copysign(f->step, h);
    /* the shortest step is not asked for where one step is enough, as a rule */
    double shortest = h != to - from ? shortest_step(f, from, to) : NAN;
    gdyn_step step = GDYN_STEP_OK;
    /* from step to step, the last one to the end exactly */
    for (int steps = 0; p != to && f->status == GDYN_OK; steps++) {
        if (steps >= (f->given_up ? MOST_STEPS_LATER : MOST_STEPS)) {
            f->given_up = true;
            return GDYN_STEP_FAILED;
        }
        bool last = fabs(to - p) <= fabs(h) * (1 + 1e-9);
        double next = last ? to : p + h;
        step = attempt(f, leg, p, next, last);
        /* shorter, down to the smallest */
        if (step == GDYN_STEP_FAILED) {
            gdyn_closure_forget_step(f->closure);
            shortest = isnan(shortest) ? shortest_step(f, from, to) : shortest;
            h = f->shorten * (next - p);
            if (fabs(h) < shortest)
                return GDYN_STEP_FAILED;
            continue;
        }
        /* An estimated error that is rounding does not fall with the step, which would go on
         * shrinking without ever arriving. */
        double longer = copysign(fmax(fabs(f->lengthen * (next - p)), shortest), to - from);
        h = last && fabs(longer) < fabs(h) ? h
                                           : longer; /* cut off by the end: no reason to shrink */
        f->step = fabs(h);
        p = next;
    }
    return f->status == GDYN_OK ? step : GDYN_STEP_FAILED;
}

/* Backward from a break u_p is that of the piece before it. */
static bool turn_back(gdyn_follower *f, const gdyn_leg *leg, double p, double to) {
    double before = gdyn_path_before(leg->path, to, p);
    if (before == p)
        return true;
    if (!aim(f, leg, before) || !derive(f, f->now.state, f->now.u_p, f->now.u_pp, &f->now.rates))
        return false;
    gdyn_closure_mark(f->closure);
    return true;
}

/* Piece by piece between breaks of the path. */
gdyn_step gdyn_follower_advance(gdyn_follower *f, const gdyn_leg *leg, double from, double to) {
    gdyn_step step = GDYN_STEP_OK;
    f->reached = from;
    if (leg->straight) {
        f->crossed = false;
        return advance_smoothly(f, leg, from, to);
    }
    /* forward, or back where the path was entered from behind */
    for (double p = from, next; p != to && step == GDYN_STEP_OK; p = next) {
        next = gdyn_path_next_break(leg->path, p, to);
        if (to < from && !turn_back(f, leg, p, next))
            return GDYN_STEP_FAILED;
        step = advance_smoothly(f, leg, p, next);
        if (next != to && step == GDYN_STEP_SINGULAR)
            return GDYN_STEP_FAILED; /* a singular pose before the end */
    }
    return step;
}

/* From any pose straight to the path at p. */
bool gdyn_follower_enter(gdyn_follower *f, const gdyn_state *from, double p) {
    gdyn_leg path = {.path = f->path};
    /* a leg from the present pose straight to the targets at p: q runs from 0 to 1 */
    gdyn_leg *leg = &f->straight;
    gdyn_path_evaluate(f->path, p, leg->goal);
    for (int i = 0; i < f->targets; i++) {
        double value = gdyn_row_value(from, &leg->goal[i].row);
        if (leg->goal[i].row.kind == GDYN_ROW_TURN) /* the nearer way round */
            value = leg->goal[i].target[0] + remainder(value - leg->goal[i].target[0], 2 * GDYN_PI);
        leg->present[i] = value;
    }
    if (!gdyn_follower_place(f, leg, from, 0) ||
        gdyn_follower_advance(f, leg, 0, 1) == GDYN_STEP_FAILED)
        return false;
    gdyn_state_copy(f->trial.state, f->now.state);
    return gdyn_follower_place(f, &path, f->trial.state, p);
}
