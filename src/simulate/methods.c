/* methods.c - the methods, holds and integrators by name; defaults. */
#include "simulate/solvers.h"

const char *const gdyn_sim_method_names[] = {
    "null_space", "minimum_norm", "elimination", "partition", "augmented_lagrangian",
    "projection", "compliance",   "minimal",     NULL};
const char *const gdyn_sim_hold_names[] = {"projection", "baumgarte", "none", NULL};
const char *const gdyn_sim_integrator_names[] = {
    "rkf45", "rk8pd", "rk4", "rk2", "implicit_gauss", "bulirsch_stoer", "semi_implicit_euler",
    NULL};

const char *const gdyn_sim_axes_names[] = {"joint", "ground", NULL};
const char *const gdyn_sim_limit_names[] = {"force", "speed", "curve", NULL};
const char *const gdyn_sim_closing_names[] = {"least_squares", "simplex", "newton", NULL};

/* Whether masses must be regular; the accelerations; the choice of rows or columns between
 * steps. */
static const gdyn_sim_solver solvers[GDYN_SIM_METHODS] = {
    [GDYN_SIM_NULL_SPACE] = {false, gdyn_solve_null_space, NULL},
    [GDYN_SIM_MINIMUM_NORM] = {false, gdyn_solve_minimum_norm, NULL},
    [GDYN_SIM_ELIMINATION] = {false, gdyn_solve_elimination, gdyn_choose_rows},
    [GDYN_SIM_PARTITION] = {false, gdyn_solve_partition, gdyn_choose_columns},
    [GDYN_SIM_AUGMENTED] = {false, gdyn_solve_augmented, NULL},
    [GDYN_SIM_PROJECTION] = {false, gdyn_solve_projection, NULL},
    [GDYN_SIM_COMPLIANCE] = {true, gdyn_solve_compliance, NULL},
    [GDYN_SIM_MINIMAL] = {false, gdyn_solve_minimal, NULL},
};

const gdyn_sim_solver *gdyn_sim_solver_of(gdyn_sim_method method) {
    return &solvers[method];
}

gdyn_simulation_def gdyn_simulation_default(void) {
    return (gdyn_simulation_def){.tolerance = 1e-8,
                                 .baumgarte = 10,
                                 .penalty = 1e6,
                                 .slip = 1e-3,
                                 .compliance = {1e-8, 1e-8},
                                 .relaxation = 1e-2};
}

const char *gdyn_sim_outcome_text(gdyn_sim_outcome outcome) {
    static const char *const texts[] = {
        [GDYN_SIM_RUNS] = "runs",
        [GDYN_SIM_OPEN] = "the machine cannot be assembled",
        [GDYN_SIM_RIGID] = "the constraints leave no motion: a structure",
        [GDYN_SIM_UNMOVABLE] = "the prescribed motions contradict the constraints",
        [GDYN_SIM_MASSLESS] = "a motion that the constraints leave has no mass",
        [GDYN_SIM_CHOICE] =
            "the choice of rows or coordinates leaves another motion than the constraints",
        [GDYN_SIM_STUCK] = "steps became too short: a singular pose, or a motion that breaks down",
        [GDYN_SIM_ADRIFT] = "the constraints cannot be met any more",
        [GDYN_SIM_DIVERGES] = "the integration diverges: compliant constraints open without bound",
    };
    return texts[outcome];
}
