/* guess.h - the machine at its assembled first guess. */
#ifndef GDYN_TRAJECTORY_GUESS_H
#define GDYN_TRAJECTORY_GUESS_H

#include "closure/closure.h"
#include "simulate/simulate.h"
#include "trajectory/path_reactions.h"

typedef struct gdyn_guess {
    gdyn_closure_info info;
    gdyn_state *state; /* assembled, else the best pose found */
    /* gdyn_guess_examine, of an assembled machine: */
    gdyn_mobility mobility;
    int controlled, redundancy; /* freedoms that the drives control; redundant drives */
} gdyn_guess;

/* To be freed in any case. */
gdyn_status gdyn_guess_assemble(const gdyn_model *model, gdyn_guess *guess);
/* The same at another time of the motions [s]: from there it is followed to that time in short steps, everything moving as
 * little as possible. */
gdyn_status gdyn_guess_assemble_at(const gdyn_model *model, double time, gdyn_guess *guess);
gdyn_status gdyn_guess_examine(gdyn_guess *guess);
/* Reactions by the methods whose bits are set (0: all), held, released or in the machine's own motions (*moves). */
gdyn_status gdyn_guess_reactions(const gdyn_guess *guess, gdyn_reactions *r, unsigned methods,
                                 bool *moves, gdyn_reaction_frame *frame);
/* Reactions in a motion with velocities that start as the definition says (made consistent, see simulate.h) and the
 * accelerations of the machine under its drive forces; the frame holds when the outcome is GDYN_SIM_RUNS. */
gdyn_status gdyn_guess_reactions_moving(const gdyn_guess *guess, const gdyn_simulation_def *def,
                                        gdyn_reactions *r, unsigned methods,
                                        gdyn_reaction_frame *frame, gdyn_sim_start *start,
                                        gdyn_sim_outcome *outcome);
void gdyn_guess_free(gdyn_guess *guess);

#endif
