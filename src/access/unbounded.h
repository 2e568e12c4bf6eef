/* unbounded.h - limits far beyond all loads.
 *
 * The loads of all rows are G x with x = (t^2, t, z, y) and G = [a, b, d, V]. Row o, limited on both sides, carries at
 * most L_o = max(|low_o|, |high_o|) + |c_o| while it keeps its limits: with its row of G divided by that, |G_o x| <= 1,
 * and |G x| <= sqrt(k) over all such rows. Row i then carries at most r_i sqrt(k) + |c_i|, where r_i is the
 * greatest |G_i x| over |G_o x| <= 1: its norm after the columns of G have been made orthonormal in the other
 * rows, infinite where these leave a direction free that moves row i. A limit above 10^10 of that is not reached
 * while the others hold, and is taken as infinite: this changes nothing at all. A row that some internal force
 * moves alone never excludes a motion: its limits go when they are that far beyond its own loads. Only rows that
 * look wide are asked. */
#ifndef GDYN_ACCESS_UNBOUNDED_H
#define GDYN_ACCESS_UNBOUNDED_H

#include "access/problem.h"

/* Greatest coefficient of a row: its load where t, z, y are of size one. */
double gdyn_row_load(const gdyn_limit_row *row);
/* The loads are less than 2^-13 of the limits. */
bool gdyn_row_wide(const gdyn_limit_row *row);
bool gdyn_any_wide(const gdyn_problem *problem);

/* Makes limits far beyond all loads infinite in problem->limit; true when there was one. */
bool gdyn_drop_far_limits(gdyn_problem *problem, const gdyn_coefficients *coefficients);

#endif
