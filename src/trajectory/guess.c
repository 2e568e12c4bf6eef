/* guess.c - the machine at its assembled first guess: mobility, drives, reactions. */
#include "trajectory/guess.h"

#include "access/analysis.h"
#include "base/memory.h"

#include <string.h>

gdyn_status gdyn_guess_assemble(const gdyn_model *model, double time, gdyn_guess *guess) {
    enum { STEPS = 64 };
    /* Without a path: the machine closes by itself. */
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    *guess = (gdyn_guess){.state = gdyn_state_create(model)};
    gdyn_status status = closure && guess->state ? gdyn_closure_solve(closure, guess->state, 0,
                                                                      NULL, &settings, &guess->info)
                                                 : GDYN_ERROR_MEMORY;
    /* in steps from time zero, so that the mode is kept */
    settings.method = GDYN_CLOSURE_NEWTON;
    for (int k = 1;
         k <= STEPS && time != 0 && status == GDYN_OK && guess->info.outcome == GDYN_CLOSED; k++) {
        gdyn_state_accept(guess->state);
        gdyn_state_set_time(guess->state, time * k / STEPS);
        status = gdyn_closure_solve(closure, guess->state, 0, NULL, &settings, &guess->info);
    }
    gdyn_closure_destroy(closure);
    return status;
}

gdyn_status gdyn_guess_examine(gdyn_guess *guess) {
    gdyn_closure *closure = gdyn_closure_create(gdyn_state_model(guess->state), 0);
    gdyn_status status = closure ? gdyn_closure_mobility(closure, guess->state, &guess->mobility)
                                 : GDYN_ERROR_MEMORY;
    gdyn_closure_destroy(closure);
    /* mobility first, then what the drives control */
    return status == GDYN_OK
               ? gdyn_count_drives(guess->state, &guess->controlled, &guess->redundancy)
               : status;
}

/* What the analysis says, with values where the loads are balanced. */
static void set_frame(gdyn_reaction_frame *frame, const gdyn_reactions *r, gdyn_status status,
                      gdyn_reaction_balance balance) {
    frame->r = r, frame->values = status == GDYN_OK && balance != GDYN_UNBALANCED;
    frame->motion = gdyn_reaction_balance_name(balance);
}

gdyn_status gdyn_guess_reactions(const gdyn_guess *guess, gdyn_reactions *r, unsigned methods,
                                 bool *moves, gdyn_reaction_frame *frame) {
    double *u = gdyn_alloc(2 * (size_t)r->n + 1, sizeof *u);
    gdyn_reaction_balance balance = GDYN_UNBALANCED;
    if (!u)
        return GDYN_ERROR_MEMORY;
    /* Falls freely, or is held where drives and friction can hold it. */
    gdyn_status status =
        gdyn_reactions_without_path(r, guess->state, methods, u, u + r->n, moves, &balance);
    set_frame(frame, r, status, balance);
    gdyn_free(u);
    return status;
}

/* Reactions to velocities u and accelerations udot at the guess. */
static gdyn_status react(const gdyn_guess *guess, const gdyn_sim_now *now, gdyn_reactions *r,
                         unsigned methods, gdyn_reaction_frame *frame) {
    const gdyn_path_rates motion = {.u_p = now->u, .u_pp = now->udot};
    gdyn_reaction_balance balance = GDYN_UNBALANCED;
    double *udot = gdyn_alloc((size_t)r->n + 1, sizeof *udot);
    if (!udot)
        return GDYN_ERROR_MEMORY;
    memcpy(udot, now->udot, (size_t)r->n * sizeof *udot);
    /* verdicts, then values in this motion */
    gdyn_status status = gdyn_reactions_at(r, guess->state, &motion, methods);
    if (status == GDYN_OK)
        status =
            gdyn_reactions_in_motion(r, guess->state, &motion, true, false, now->u, udot, &balance);
    set_frame(frame, r, status, balance);
    gdyn_free(udot);
    return status;
}

gdyn_status gdyn_guess_reactions_moving(const gdyn_guess *guess, const gdyn_simulation_def *def,
                                        gdyn_reactions *r, unsigned methods,
                                        gdyn_reaction_frame *frame, gdyn_sim_start *start,
                                        gdyn_sim_outcome *outcome) {
    gdyn_simulation_def own = *def;
    gdyn_simulation *simulation;
    gdyn_sim_now now;
    /* a simulation of which only the start is wanted */
    own.begin = gdyn_state_time(guess->state);
    own.duration = own.duration > 0 ? own.duration : 1;
    own.method = GDYN_SIM_NULL_SPACE;
    gdyn_status status =
        gdyn_simulation_create(gdyn_state_model(guess->state), &own, NULL, &simulation);
    if (status != GDYN_OK)
        return status;
    /* start velocities and accelerations, then their reactions */
    gdyn_simulation_place(simulation, guess->state);
    status = gdyn_simulation_start(simulation, start, outcome);
    if (status == GDYN_OK && *outcome == GDYN_SIM_RUNS)
        status = gdyn_simulation_now(simulation, &now);
    if (status == GDYN_OK && *outcome == GDYN_SIM_RUNS)
        status = react(guess, &now, r, methods, frame);
    gdyn_simulation_destroy(simulation);
    return status;
}

void gdyn_guess_free(gdyn_guess *guess) {
    gdyn_state_destroy(guess->state);
    *guess = (gdyn_guess){0};
}
