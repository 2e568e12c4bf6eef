/* guess.h - the machine at its assembled first guess. */
#ifndef GDYN_TRAJECTORY_GUESS_H
#define GDYN_TRAJECTORY_GUESS_H

#include "base/api.h"
#include "closure/closure.h"
#include "trajectory/path_reactions.h"

GDYN_API_BEGIN

typedef struct gdyn_guess {
    gdyn_closure_info info;
    gdyn_state *state; /* assembled, else the best pose found */
    /* gdyn_guess_examine, of an assembled machine: */
    gdyn_mobility mobility;
    int served, redundancy; /* freedoms that the drives control; redundant drives */
} gdyn_guess;

/* To be freed in any case. */
gdyn_status gdyn_guess_assemble(const gdyn_model *model, gdyn_guess *guess);
gdyn_status gdyn_guess_examine(gdyn_guess *guess);
/* Reactions by the methods whose bits are set (0: all), held, released or in the machine's own motions (*moves). */
gdyn_status gdyn_guess_reactions(const gdyn_guess *guess, gdyn_reactions *r, unsigned methods,
                                 bool *moves, gdyn_reaction_frame *frame);
void gdyn_guess_free(gdyn_guess *guess);

GDYN_API_END

#endif
