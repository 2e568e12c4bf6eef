/* simulation.c - a machine that is advanced in time. */
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

/* What a step changes. */
typedef struct moment {
    gdyn_state *state;
    double *u; /* n */
    double t, work[GDYN_SIM_WORKS], projection;
    bool passing;
} moment;

struct gdyn_simulation {
    gdyn_arena *arena;
    const gdyn_model *model;
    gdyn_simulation_def def;
    gdyn_dynamics *d;
    gdyn_stepper *stepper;
    gdyn_closure *closure;
    gdyn_state *state;
    double t, energy; /* at the start */
    double *u, *udot, *lambda;
    double work[GDYN_SIM_WORKS], projection;
    long steps, passed, evaluations;
    bool drifted, structure, placed;
    /* greatest acceleration so far that a freedom has without help of the constraints [m/s^2] */
    double pace;
    gdyn_sink sink; /* for what shows on the way */
    bool slow;      /* it was said that steps are short beside the run */
    gdyn_sim_events events;
    gdyn_sim_limits limits;
    gdyn_stops stops;
    gdyn_assemblies assemblies;
    moment before; /* the last step began there */
    gdyn_sim_outcome outcome;
};

/* --- definitions ------------------------------------------------------------------------------ */

/* Times, tolerances, parameters of the stabilization and of single methods. */
static bool check_numbers(const gdyn_simulation_def *def, const gdyn_sink *sink) {
    const double MOST_OUTPUTS = 1e7;
    bool good = true, euler = def->integrator == GDYN_SIM_EULER;
    bool gives_way = def->method == GDYN_SIM_COMPLIANCE, minimal = def->method == GDYN_SIM_MINIMAL;
    bool baumgarte = def->hold == GDYN_SIM_BAUMGARTE;
    bool outside = !(def->every >= 0) || !isfinite(def->every) || def->every > def->duration;
    const struct {
        bool wrong;
        const char *path, *help, *text;
    } rules[] = {
        {!(def->duration > 0) || !isfinite(def->duration), "simulate.duration", NULL,
         GDYN_CODE_SIMULATE "the duration must be above zero"},
        {!(def->shake >= 0) || !(def->shake < 1), "simulate.shake", "1e-3 is usual",
         GDYN_CODE_SIMULATE
         "the guess is displaced by a share of the machine's length: 0 or more, below 1"},
        {!isfinite(def->begin), "simulate", NULL,
         GDYN_CODE_SIMULATE "the time at the start must be finite"},
        {outside, "simulate.every", NULL,
         GDYN_CODE_SIMULATE "the time between outputs must lie between zero and the duration"},
        {!outside && def->every > 0 && def->duration / def->every > MOST_OUTPUTS, "simulate.every",
         "a longer time between outputs",
         GDYN_CODE_LIMIT "these would be more than ten million outputs"},
        {!(def->tolerance > 0) || !(def->tolerance < 1), "simulate.integrator.tolerance",
         "1e-8 is usual", GDYN_CODE_SIMULATE "the tolerance is a share: above 0, below 1"},
        {!(def->step >= 0) || !isfinite(def->step) || (euler && def->step == 0),
         "simulate.integrator.step", "step: 0.01 s",
         euler ? GDYN_CODE_SIMULATE "semi_implicit_euler needs a step above zero"
               : GDYN_CODE_SIMULATE "the step must be above zero"},
        {!(def->baumgarte > 0) || !isfinite(def->baumgarte), "simulate.stabilization.rate",
         "rate: 10 1/s", GDYN_CODE_SIMULATE "the rate must be above zero"},
        {!(def->penalty > 0) || !isfinite(def->penalty), "simulate.method.penalty", "1e6 is usual",
         GDYN_CODE_SIMULATE "the penalty must be above zero"},
        {!(def->slip > 0) || !isfinite(def->slip), "simulate.slip", "slip: 1 mm/s",
         GDYN_CODE_SIMULATE "the slip must be above zero"},
        {gives_way &&
             (!(def->compliance[0] > 0) || !(def->compliance[1] > 0) || !(def->relaxation >= 0)),
         "simulate.method", NULL,
         GDYN_CODE_SIMULATE "compliances must be above zero, the relaxation must not be below it"},
        {gives_way && baumgarte, "simulate.stabilization", "use relaxation, or projection",
         GDYN_CODE_SIMULATE "compliant constraints are not stabilized by Baumgarte's method"},
        {minimal && baumgarte, "simulate.stabilization", "use projection or none",
         GDYN_CODE_SIMULATE "minimal equations have no drift for Baumgarte's method to hold"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong)
            gdyn_diag_emit(sink, GDYN_ERROR, rules[i].path, rules[i].help, "%s", rules[i].text);
        good = good && !rules[i].wrong;
    }
    return good;
}

static bool check_names(const gdyn_model *model, const gdyn_simulation_def *def,
                        const gdyn_sink *sink) {
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    int n = gdyn_model_coordinates(model);
    bool *marked = gdyn_alloc((size_t)(rows + n) + 1, sizeof *marked), good = marked;
    if (marked) {
        good = gdyn_sim_named_rows(model, def, sink, marked) >= 0;
        good = gdyn_sim_named_columns(model, def, sink, marked) >= 0 && good;
    }
    gdyn_free(marked);
    return good;
}

/* The method needs masses and inertias everywhere. */
static bool check_masses(const gdyn_model *model, const gdyn_simulation_def *def,
                         const gdyn_sink *sink) {
    if (!gdyn_sim_solver_of(def->method)->massive)
        return true;
    /* The first body without mass or inertia. */
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        const gdyn_body_def *body = gdyn_model_body(model, i);
        bool planar = gdyn_model_space(model) == GDYN_PLANAR;
        bool turns = planar ? body->inertia[2] > 0
                            : body->inertia[0] > 0 && body->inertia[1] > 0 && body->inertia[2] > 0;
        if (body->mass > 0 && turns)
            continue;
        gdyn_diag_emit(
            sink, GDYN_ERROR, "simulate.method", "use null_space, or give it a mass and an inertia",
            GDYN_CODE_SIMULATE
            "%s needs the inverse of the mass matrix, but body '%s' lacks mass or inertia",
            gdyn_sim_method_names[def->method], body->name);
        return false;
    }
    return true;
}

/* --- making one ------------------------------------------------------------------------------- */

gdyn_status gdyn_simulation_create(const gdyn_model *model, const gdyn_simulation_def *def,
                                   const gdyn_sink *sink, gdyn_simulation **out) {
    *out = NULL;
    /* All complaints at once, before anything is made. */
    bool good = check_numbers(def, sink);
    good = check_names(model, def, sink) && good;
    if (!good || !check_masses(model, def, sink))
        return GDYN_ERROR_INPUT;
    gdyn_arena *arena;
    gdyn_simulation *s = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return GDYN_ERROR_MEMORY;
    s->arena = arena;
    size_t n = (size_t)gdyn_model_coordinates(model);
    s->model = model, s->def = *def;
    s->sink = sink ? *sink : (gdyn_sink){0};
    s->d = gdyn_dynamics_create(model, &s->def);
    s->stepper = s->d ? gdyn_stepper_create(s->d) : NULL;
    s->closure = gdyn_closure_create(model, (int)n);
    s->before.state = gdyn_state_create(model), s->state = gdyn_state_create(model);
    /* velocities now and before the step, accelerations, multipliers */
    s->u = gdyn_arena_doubles(arena, n), s->before.u = gdyn_arena_doubles(arena, n);
    s->udot = gdyn_arena_doubles(arena, n);
    s->lambda = s->d ? gdyn_arena_doubles(arena, (size_t)s->d->rows) : NULL;
    if (!s->stepper || !s->closure || !s->state || !s->before.state ||
        !gdyn_sim_events_create(arena, model, &s->events) ||
        !gdyn_sim_limits_create(arena, model, &s->limits) ||
        !gdyn_stops_create(arena, model, def, &s->stops)) {
        gdyn_simulation_destroy(s);
        return GDYN_ERROR_MEMORY;
    }
    gdyn_state_set_time(s->state, def->begin);
    s->t = def->begin;
    *out = s;
    return GDYN_OK;
}

void gdyn_simulation_destroy(gdyn_simulation *s) {
    if (!s)
        return;
    gdyn_stepper_destroy(s->stepper);
    gdyn_dynamics_destroy(s->d);
    gdyn_closure_destroy(s->closure);
    gdyn_state_destroy(s->state), gdyn_state_destroy(s->before.state);
    gdyn_free(s->events.event);
    for (int m = 0; m < GDYN_SIM_CLOSINGS; m++)
        gdyn_free(s->assemblies.list[m].step);
    gdyn_arena_destroy(s->arena);
}

void gdyn_simulation_place(gdyn_simulation *s, const gdyn_state *state) {
    s->placed = true;
    gdyn_state_copy(s->state, state);
    gdyn_state_set_time(s->state, s->def.begin);
}

/* --- dry friction that sticks ----------------------------------------------------------------- */

/* New modes; those that changed are events. */
static gdyn_status change_modes(gdyn_simulation *s, bool first) {
    gdyn_sticking *sticking = s->d->sticking;
    int count = sticking->count;
    int *old = gdyn_alloc((size_t)count + 1, sizeof *old);
    if (!old)
        return GDYN_ERROR_MEMORY;
    for (int k = 0; k < count; k++)
        old[k] = sticking->mode[k];
    gdyn_status status = gdyn_sticking_decide(s->d, s->state, s->u, first);
    for (int k = 0; k < count && status == GDYN_OK; k++) {
        int mode = sticking->mode[k];
        if (mode == old[k] && !(first && mode == 0))
            continue;
        /* what slips from the start on is no event */
        gdyn_sim_event event = {.kind = mode == 0 ? GDYN_SIM_STICKS : GDYN_SIM_SLIPS,
                                .t = s->t,
                                .until = NAN,
                                .index = sticking->friction[k],
                                .upper = mode > 0};
        if (!first || mode == 0)
            status = gdyn_sim_events_add(&s->events, event);
    }
    gdyn_free(old);
    return status;
}

/* --- start ------------------------------------------------------------------------------------ */

static double energy_at(const gdyn_state *state, const double *u) {
    return gdyn_mech_kinetic(state, u) + gdyn_mech_potential(state);
}

static double energy_of(const gdyn_simulation *s) {
    return energy_at(s->state, s->u);
}

/* The greatest residual of velocities, relative to the machine's speed. */
static bool velocities_met(gdyn_simulation *s) {
    /* Compared with a length in the whole duration, or with the fastest coordinate. */
    gdyn_dynamics *d = s->d;
    gdyn_dynamics_constraints(d, s->state, s->u);
    double speed = fmax(d->L / s->def.duration, gdyn_dynamics_greatest(d->n, d->u));
    return gdyn_dynamics_greatest(d->rows, d->rate) <= 1e-6 * speed;
}

/* Accelerations of the present state into s->udot. */
static gdyn_status accelerate(gdyn_simulation *s) {
    gdyn_dynamics *d = s->d;
    /* Springs that a step does not resolve have no momentary forces: this step's count. */
    gdyn_status status = d->stepping > 0 ? gdyn_dynamics_step(d, s->state, s->u, d->def->step)
                                         : gdyn_dynamics_solve(d, s->state, s->u);
    for (int j = 0; j < d->n && status == GDYN_OK; j++)
        s->udot[j] = d->x[j] * d->column[j];
    return status;
}

/* Limits over the last step, which ended here; first: there was none yet. */
static gdyn_status take_limits(gdyn_simulation *s, bool first) {
    double from = first ? s->t : s->before.t;
    gdyn_status status = s->limits.of_motion ? accelerate(s) : GDYN_OK;
    /* where there are no accelerations, a singular pose, the last ones count */
    gdyn_sim_limits_step(&s->limits, s->d, from, s->t, s->state, s->u,
                         s->limits.of_motion ? s->udot : NULL, first);
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

/* Modes of the frictions, and what is out of its range from the start on. */
static gdyn_status begin_events(gdyn_simulation *s) {
    gdyn_status status = GDYN_OK;
    if (s->d->sticking && s->d->stepping == 0)
        status = change_modes(s, true);
    if (take_limits(s, true) != GDYN_OK)
        status = GDYN_ERROR_MEMORY;
    return status == GDYN_OK ? gdyn_sim_events_step(&s->events, s->t, s->t, s->state, s->u, true)
                             : status;
}

gdyn_status gdyn_simulation_start(gdyn_simulation *s, gdyn_sim_start *start,
                                  gdyn_sim_outcome *outcome) {
    *start = (gdyn_sim_start){
        .serves = -1, .missed_body = -1, .missed_joint = -1, .massless = GDYN_NONE};
    gdyn_status status =
        gdyn_sim_assemble(s->d, s->closure, s->state, s->placed, start, &s->assemblies);
    *outcome = s->outcome = start->closure.outcome == GDYN_CLOSED ? GDYN_SIM_RUNS : GDYN_SIM_OPEN;
    if (status != GDYN_OK || s->outcome == GDYN_SIM_OPEN)
        return status;
    if (status == GDYN_OK && start->mobility == 0 && gdyn_model_motions(s->model) == 0) {
        *outcome = s->outcome = GDYN_SIM_RIGID;
        return GDYN_OK;
    }
    /* A free motion without mass has no acceleration. */
    if (status == GDYN_OK) {
        gdyn_dynamics_equations(s->d, s->state, s->u);
        status = gdyn_dynamics_massless(s->d, &start->massless);
    }
    /* Start velocities that the constraints allow. */
    if (status == GDYN_OK && start->massless == GDYN_NONE)
        status = gdyn_sim_start_velocity(s->d, s->state, s->u, start);
    if (status == GDYN_ERROR_NUMERIC || start->massless != GDYN_NONE) {
        *outcome = s->outcome = GDYN_SIM_MASSLESS;
        return GDYN_OK;
    }
    if (status != GDYN_OK)
        return status;
    if (!velocities_met(s))
        *outcome = s->outcome = GDYN_SIM_UNMOVABLE;
    s->energy = energy_of(s);
    /* The first choice of rows or coordinates. */
    if ((status = gdyn_dynamics_near(s->d, s->state)) != GDYN_OK)
        return status;
    gdyn_dynamics_equations(s->d, s->state, s->u);
    const gdyn_sim_solver *solver = gdyn_sim_solver_of(s->def.method);
    if (solver->choose && (status = solver->choose(s->d)) == GDYN_ERROR_NUMERIC)
        *outcome = s->outcome = GDYN_SIM_CHOICE;
    if (s->outcome == GDYN_SIM_RUNS && status == GDYN_OK)
        status = begin_events(s);
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

const gdyn_assembly *gdyn_simulation_assemblies(gdyn_simulation *s, int *count) {
    gdyn_assemblies *all = &s->assemblies;
    *count = 0;
    for (int m = 0; m < GDYN_SIM_CLOSINGS; m++) {
        const gdyn_assembly_list *list = &all->list[m];
        if (all->taken[m])
            all->shown[(*count)++] =
                (gdyn_assembly){list->method, list->closure, list->steps, list->step};
    }
    return all->shown;
}

/* --- advancing -------------------------------------------------------------------------------- */

/* Back onto the constraints; false: it cannot be done. */
static bool hold(gdyn_simulation *s, bool passing) {
    /* Off by e a machine cannot pass a singular pose: its two motions part by sqrt(e). */
    if (s->def.hold != GDYN_SIM_PROJECT && !passing && !s->d->passing)
        return true;
    /* The work of the projection belongs to the balance of energy. */
    double before = energy_of(s);
    bool met =
        gdyn_sim_project_pose(s->d, s->state) && gdyn_sim_project_velocity(s->d, s->state, s->u);
    s->projection += energy_of(s) - before;
    return met;
}

static gdyn_status choose_again(gdyn_simulation *s) {
    const gdyn_sim_solver *solver = gdyn_sim_solver_of(s->def.method);
    if (!solver->choose || s->d->passing)
        return GDYN_OK;
    gdyn_dynamics_equations(s->d, s->state, s->u);
    return solver->choose(s->d);
}

static void restore(gdyn_simulation *s) {
    const moment *m = &s->before;
    gdyn_state_copy(s->state, m->state);
    memcpy(s->u, m->u, (size_t)s->d->n * sizeof *m->u);
    memcpy(s->work, m->work, sizeof m->work);
    s->t = m->t, s->projection = m->projection;
    s->d->passing = m->passing;
}

/* Explicit steps too long for stiff constraints grow without bound. */
static bool diverges(gdyn_simulation *s) {
    gdyn_dynamics *d = s->d;
    /* constraints open by the machine's length, or numbers that overflowed */
    gdyn_dynamics_constraints(d, s->state, s->u);
    return !gdyn_all_finite(d->rows, 1, d->rate, d->rows) ||
           !gdyn_all_finite(d->m, 1, d->phi, d->m) || gdyn_dynamics_greatest(d->m, d->phi) > d->L;
}

/* One step of at most to - t, back on the constraints. */
static gdyn_status take_step(gdyn_simulation *s, double to) {
    bool good = gdyn_stepper_step(s->stepper, &s->t, to, s->state, s->u, s->work, &s->evaluations);
    bool gives_way = s->def.method == GDYN_SIM_COMPLIANCE;
    bool lost = gives_way && ((!good && s->def.step > 0) || diverges(s));
    if (!good || lost) {
        /* the last state is one that the machine can have */
        restore(s);
        s->outcome = lost ? GDYN_SIM_DIVERGES : GDYN_SIM_STUCK;
        return GDYN_OK;
    }
    /* near a singular pose, and back onto the constraints */
    bool passing = s->d->passing;
    s->passed += passing;
    gdyn_status status = gdyn_dynamics_near(s->d, s->state);
    if (!hold(s, passing))
        s->outcome = GDYN_SIM_ADRIFT;
    gdyn_state_accept(s->state);
    return status == GDYN_OK ? choose_again(s) : status;
}

/* Whether the energy changed over the step by more than works explain. Errors within the tolerance
 * change it far less: a step that ends beyond a singular pose on another branch of the motion, or
 * off the constraints, does not. */
static bool jumps(const gdyn_simulation *s) {
    const double SHARE = 1e-4, ERRORS = 1e3;
    const moment *m = &s->before;
    double speed = s->d->L / s->def.duration, before = energy_at(m->state, m->u);
    double off = energy_of(s) - before, most = gdyn_model_mass(s->model) * speed * speed;
    for (int k = 0; k < GDYN_SIM_WORKS; k++) {
        off -= s->work[k] - m->work[k];
        most = fmax(most, fabs(s->work[k] - m->work[k]));
    }
    /* beside the energies that move, and rounding of a great potential energy */
    most = fmax(most, fmax(gdyn_mech_kinetic(s->state, s->u), gdyn_mech_kinetic(m->state, m->u)));
    most = fmax(most, fabs(gdyn_mech_potential(s->state) - gdyn_mech_potential(m->state)));
    return !(fabs(off) <= fmax(SHARE, ERRORS * s->def.tolerance) * most + 1e-10 * fabs(before));
}

/* A step as take_step, of half the length again and again where it jumps a singular pose: in short
 * steps the machine comes near enough to the pose that it is known (gdyn_dynamics_near). A jump
 * that stays is taken, and the balance shows it. */
static gdyn_status take_good_step(gdyn_simulation *s, double to) {
    enum { HALVINGS = 20 };
    bool controlled = s->def.step == 0 && s->def.method != GDYN_SIM_COMPLIANCE;
    moment *m = &s->before;
    gdyn_state_copy(m->state, s->state);
    memcpy(m->u, s->u, (size_t)s->d->n * sizeof *m->u);
    memcpy(m->work, s->work, sizeof m->work);
    m->t = s->t, m->projection = s->projection, m->passing = s->d->passing;
    gdyn_status status = take_step(s, to);
    for (int i = 0; controlled && i < HALVINGS && status == GDYN_OK; i++) {
        bool runs = s->outcome == GDYN_SIM_RUNS || s->outcome == GDYN_SIM_ADRIFT;
        if (!runs || (s->outcome == GDYN_SIM_RUNS && !jumps(s)))
            break;
        to = s->before.t + 0.5 * (s->t - s->before.t);
        restore(s);
        s->outcome = GDYN_SIM_RUNS;
        if ((status = choose_again(s)) == GDYN_OK)
            status = take_step(s, to);
    }
    return status;
}

/* From where the last step began to time t. */
static gdyn_status repeat(gdyn_simulation *s, double t) {
    gdyn_status status = GDYN_OK;
    /* more than one step where the error asks for it */
    restore(s);
    while (s->t < t && s->outcome == GDYN_SIM_RUNS && status == GDYN_OK)
        status = take_step(s, t);
    return status;
}

/* A step beyond the end of a friction's mode is shortened to it by bisection, and modes change. */
static gdyn_status find_change(gdyn_simulation *s) {
    const double SHORT = 1e-10;
    /* the mode lasts at low, not at high */
    double low = s->before.t, high = s->t, near = SHORT * (high - low);
    gdyn_status status = GDYN_OK;
    while (high - low > near && status == GDYN_OK && s->outcome == GDYN_SIM_RUNS) {
        /* the step to the middle, anew from its beginning */
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        status = repeat(s, middle);
        *(gdyn_sticking_lasts(s->d, s->state, s->u) ? &low : &high) = middle;
    }
    if (status == GDYN_OK && s->outcome == GDYN_SIM_RUNS)
        status = repeat(s, high);
    return status == GDYN_OK && s->outcome == GDYN_SIM_RUNS ? change_modes(s, false) : status;
}

/* Explicit steps follow the fastest motion to the end, even if long at rest: warns, once. */
static void look_for_stiffness(gdyn_simulation *s) {
    const double MANY = 2e4, FAST = 1e-4;
    enum { EVERY = 500 };
    const gdyn_simulation_def *def = &s->def;
    bool implicit = def->integrator == GDYN_SIM_IMPLICIT_GAUSS ||
                    def->integrator == GDYN_SIM_BULIRSCH_STOER || def->integrator == GDYN_SIM_EULER;
    if (s->slow || implicit || def->step > 0 || s->steps % EVERY != 0)
        return;
    /* steps to the end, by their length so far */
    double gone = s->t - def->begin, left = (def->duration - gone) * (double)s->steps / gone;
    if (!(left > MANY))
        return;
    /* a run of many outputs is long, not stiff */
    double span = def->every > 0 ? fmin(def->duration, 100 * def->every) : def->duration;
    double fastest = gdyn_stepper_fastest(s->stepper, s->t, s->state, s->u);
    if (fastest > FAST * span)
        return;
    s->slow = true;
    gdyn_diag_emit(&s->sink, GDYN_WARNING, "simulate.integrator",
                   def->method == GDYN_SIM_COMPLIANCE
                       ? "use bulirsch_stoer or implicit_gauss, or semi_implicit_euler with a step"
                       : "use implicit_gauss or bulirsch_stoer",
                   GDYN_CODE_SIMULATE
                   "the equations are stiff: their fastest motion takes %.2g s, so that %s needs "
                   "about %.1g more steps to %g s",
                   fastest, gdyn_sim_integrator_names[def->integrator], left,
                   def->begin + def->duration);
}

gdyn_status gdyn_simulation_advance(gdyn_simulation *s, double t, gdyn_sim_outcome *outcome) {
    while (s->outcome == GDYN_SIM_RUNS && s->t < t) {
        gdyn_status status = take_good_step(s, gdyn_stops_next(&s->stops, s->t, t));
        if (s->outcome == GDYN_SIM_STUCK || s->outcome == GDYN_SIM_DIVERGES)
            break;
        s->steps++;
        look_for_stiffness(s);
        /* a friction that ends its mode within the step shortens it */
        bool runs = status == GDYN_OK && s->outcome == GDYN_SIM_RUNS;
        if (runs && s->d->sticking && s->d->stepping == 0 &&
            !gdyn_sticking_lasts(s->d, s->state, s->u))
            status = find_change(s);
        if (status == GDYN_OK)
            status = gdyn_sim_events_step(&s->events, s->before.t, s->t, s->state, s->u, false);
        if (take_limits(s, false) != GDYN_OK)
            status = GDYN_ERROR_MEMORY;
        if (status == GDYN_ERROR_MEMORY)
            return status;
        /* Not even a new choice serves. */
        if (status != GDYN_OK)
            s->outcome = GDYN_SIM_STUCK;
        if (s->def.goes_on && !s->def.goes_on(s->def.goes_on_context, s->t))
            break;
    }
    *outcome = s->outcome;
    return GDYN_OK;
}

const gdyn_sim_event *gdyn_simulation_events(const gdyn_simulation *s, int *count) {
    *count = s->events.count;
    return s->events.event;
}

const gdyn_sim_limit *gdyn_simulation_limits(const gdyn_simulation *s, int *count) {
    *count = gdyn_sim_limits_list(&s->limits);
    return s->limits.shown;
}

double gdyn_simulation_saturated(const gdyn_simulation *s, int drive) {
    return s->limits.saturated[drive];
}

const char *gdyn_simulation_event_name(const gdyn_simulation *s, const gdyn_sim_event *event) {
    return event->kind == GDYN_SIM_LEAVES ? gdyn_model_range(s->model, event->index)->name
                                          : gdyn_mech_friction_name(s->model, event->index);
}

/* --- where it is ------------------------------------------------------------------------------ */

static void find_energy(const gdyn_simulation *s, gdyn_sim_energy *e) {
    *e = (gdyn_sim_energy){.kinetic = gdyn_mech_kinetic(s->state, s->u),
                           .potential = gdyn_mech_potential(s->state),
                           .drives = s->work[0],
                           .motions = s->work[1],
                           .constraints = s->work[2],
                           .loads = s->work[3],
                           .friction = s->work[4],
                           .projection = s->projection};
    e->balance = e->kinetic + e->potential - s->energy - e->drives - e->motions - e->constraints -
                 e->loads - e->friction - e->projection;
}

/* How far the constraints hold freedoms: the acceleration that they give them, beside the greatest
 * so far by loads, by the speeds over L, or by the length L in the duration. */
static gdyn_status find_hold(gdyn_simulation *s, double *held) {
    gdyn_dynamics *d = s->d;
    double constraints, loads,
        speed = fmax(gdyn_dynamics_greatest(d->n, d->u), d->L / s->def.duration);
    gdyn_status status = gdyn_dynamics_along_freedoms(d, &constraints, &loads);
    s->pace = fmax(s->pace, fmax(loads, speed * speed / d->L));
    *held = constraints / s->pace;
    return status;
}

gdyn_status gdyn_simulation_now(gdyn_simulation *s, gdyn_sim_now *now) {
    gdyn_dynamics *d = s->d;
    gdyn_status status = accelerate(s);
    /* These methods have multipliers of their own; the others get those of least norm. */
    bool own = s->def.method == GDYN_SIM_MINIMUM_NORM || s->def.method == GDYN_SIM_ELIMINATION ||
               s->def.method == GDYN_SIM_AUGMENTED || s->def.method == GDYN_SIM_COMPLIANCE;
    *now = (gdyn_sim_now){.t = s->t, .state = s->state, .u = s->u, .udot = s->udot};
    if (status != GDYN_OK)
        return status;
    now->residual[0] = gdyn_dynamics_greatest(d->m, d->phi);
    now->residual[1] = gdyn_dynamics_greatest(d->rows, d->rate);
    /* greatest C u' - what is prescribed; without Baumgarte's part */
    double most = 0, rate = d->def->hold == GDYN_SIM_BAUMGARTE ? d->def->baumgarte : 0;
    for (int i = 0; i < d->rows; i++) {
        double sum = -d->b[i] - 2 * rate * d->rate[i] - rate * rate * d->phi[i];
        for (int j = 0; j < d->n; j++)
            sum += d->C[i + (size_t)d->rows * j] * d->x[j];
        most = fmax(most, fabs(sum));
    }
    now->residual[2] = most;
    if (!own)
        status = gdyn_dynamics_multipliers(d);
    for (int i = 0; i < d->rows; i++)
        s->lambda[i] = d->mu[i] * d->row_scale[i];
    now->lambda = s->lambda, now->force = d->n_drive;
    find_energy(s, &now->energy);
    /* The rank here: more than at the start means drift. */
    if (status == GDYN_OK)
        status = gdyn_svd_factor(d->svd, d->rows, d->n, d->C, d->rows, 0);
    now->redundant = d->rows - d->svd->rank.rank;
    s->drifted = s->drifted || (d->svd->rank.rank > d->rank);
    now->drifted = s->drifted;
    if (status == GDYN_OK && !d->passing)
        status = find_hold(s, &now->held);
    now->structure = s->structure = s->structure || now->held > GDYN_SIM_STRUCTURE;
    now->steps = s->steps, now->passed = s->passed, now->evaluations = s->evaluations;
    now->choices = d->choices, now->condition = d->condition;
    return status;
}
