/* guess.h - the machine at its assembled first guess. */
#pragma once

#include "closure/closure.h"
#include "reactions/proposals.h"
#include "simulate/simulate.h"
#include "trajectory/path_reactions.h"

typedef struct gdyn_guess {
    gdyn_closure_info info;
    gdyn_state *state; /* assembled, else the best pose found */
    /* gdyn_guess_examine, of an assembled machine: */
    gdyn_mobility mobility;
    int controlled, redundancy; /* freedoms that the drives control; redundant drives */
} gdyn_guess;

/* At that time of its motions [s]: assembled at 0, from there followed in short steps, everything
 * moving as little as possible. To be freed in any case. */
gdyn_status gdyn_guess_assemble(const gdyn_model *model, double time, gdyn_guess *guess);
gdyn_status gdyn_guess_examine(gdyn_guess *guess);
/* Reactions by the methods of these bits (0: all), held, released or in own motions (*moves). */
gdyn_status gdyn_guess_reactions(const gdyn_guess *guess, gdyn_reactions *r, unsigned methods,
                                 bool *moves, gdyn_reaction_frame *frame);
/* Reactions in a motion with velocities that start as the definition says (made consistent, see
 * simulate.h) and the accelerations of the machine under its drive forces; the frame holds when the
 * outcome is GDYN_SIM_RUNS. */
gdyn_status gdyn_guess_reactions_moving(const gdyn_guess *guess, const gdyn_simulation_def *def,
                                        gdyn_reactions *r, unsigned methods,
                                        gdyn_reaction_frame *frame, gdyn_sim_start *start,
                                        gdyn_sim_outcome *outcome);
void gdyn_guess_free(gdyn_guess *guess);

/* --- proposal_paths.c: whether machines with changed joints follow the trajectories of the case */

/* Follows every trajectory with every proposal, from the closed pose where they were found, and
 * fills their outcomes: a proposal passes when it is followed as far as the machine itself and its
 * constraints lose rank nowhere else, also between points. Those that pass come first, in order. */
gdyn_status gdyn_proposals_follow(const gdyn_instance *instance, const gdyn_state *pose,
                                  gdyn_proposals *proposals);
