/* solvers.h - the methods, one file each (internal to simulate). */
#ifndef GDYN_SIMULATE_SOLVERS_H
#define GDYN_SIMULATE_SOLVERS_H

#include "simulate/internal.h"

gdyn_status gdyn_solve_null_space(gdyn_dynamics *d);
gdyn_status gdyn_solve_minimum_norm(gdyn_dynamics *d);
gdyn_status gdyn_solve_projection(gdyn_dynamics *d);
gdyn_status gdyn_solve_elimination(gdyn_dynamics *d);
gdyn_status gdyn_choose_rows(gdyn_dynamics *d);
gdyn_status gdyn_solve_partition(gdyn_dynamics *d);
gdyn_status gdyn_choose_columns(gdyn_dynamics *d);
gdyn_status gdyn_solve_augmented(gdyn_dynamics *d);
gdyn_status gdyn_solve_minimal(gdyn_dynamics *d);
gdyn_status gdyn_solve_compliance(gdyn_dynamics *d);
/* Compliance of a row, scaled: mu epsilon is the scaled violation. */
double gdyn_compliance_of(const gdyn_dynamics *d, int row);

#endif
