/* guess.c - the machine at its assembled first guess: mobility, drives, reactions. */
#include "trajectory/guess.h"

#include "access/freedoms.h"
#include "base/memory.h"

gdyn_status gdyn_guess_assemble(const gdyn_model *model, gdyn_guess *guess) {
    /* Without a path: the machine closes by itself. */
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    *guess = (gdyn_guess){.state = gdyn_state_create(model)};
    gdyn_status status = closure && guess->state ? gdyn_closure_solve(closure, guess->state, 0,
                                                                      NULL, &settings, &guess->info)
                                                 : GDYN_ERROR_MEMORY;
    gdyn_closure_destroy(closure);
    return status;
}

gdyn_status gdyn_guess_examine(gdyn_guess *guess) {
    gdyn_closure *closure = gdyn_closure_create(gdyn_state_model(guess->state), 0);
    gdyn_status status = closure ? gdyn_closure_mobility(closure, guess->state, &guess->mobility)
                                 : GDYN_ERROR_MEMORY;
    gdyn_closure_destroy(closure);
    return status == GDYN_OK ? gdyn_count_drives(guess->state, &guess->served, &guess->redundancy)
                             : status;
}

gdyn_status gdyn_guess_reactions(const gdyn_guess *guess, gdyn_reactions *r, unsigned methods,
                                 bool *moves, gdyn_reaction_frame *frame) {
    size_t n = (size_t)r->n;
    double *u = gdyn_alloc(2 * n + 1, sizeof *u);
    gdyn_reaction_balance balance = GDYN_UNBALANCED;
    /* Falls freely, or is held where drives and friction can hold it. */
    gdyn_status status =
        u ? gdyn_reactions_without_path(r, guess->state, methods, u, u + n, moves, &balance)
          : GDYN_ERROR_MEMORY;
    frame->r = r;
    frame->values = status == GDYN_OK && balance != GDYN_UNBALANCED;
    frame->motion = gdyn_reaction_balance_name(balance);
    gdyn_free(u);
    return status;
}

void gdyn_guess_free(gdyn_guess *guess) {
    gdyn_state_destroy(guess->state);
    *guess = (gdyn_guess){0};
}
