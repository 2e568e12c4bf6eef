/* unbounded.h - limits that no load comes near: the one place that decides it.
 *
 * In units in which every limit is near 1, the loads of all rows are G x with x = (t^2, t, z, y) and
 * G = [a, b, d, V]. Let l_i be the norm of row i of an orthonormal basis of the range of G (the
 * leverage of the row). Then |G_i x| <= l_i |G x|: where all rows keep limits of size one, the load
 * of row i is at most about l_i sqrt(k), whatever the motion and the internal forces. A limit above
 * 10^10 (l_i + |c_i|) can therefore not be reached while the others hold, and is taken as infinite.
 * Where all other rows are limited on both sides this changes nothing at all; where they leave
 * something unbounded, what ended only 10^10 times beyond their scale becomes unbounded. The number
 * leaves two digits of the other limits above GDYN_ACCESS_NOISE in an inequality with such a limit. */
#ifndef GDYN_ACCESS_UNBOUNDED_H
#define GDYN_ACCESS_UNBOUNDED_H

#include "access/problem.h"

/* Greatest coefficient of a row: its load where t, z, y are of size one. */
double gdyn_row_load(const gdyn_row *row);
/* The loads are less than 2^-13 of the limits. */
bool gdyn_row_wide(const gdyn_row *row);
bool gdyn_any_wide(const gdyn_problem *problem);

/* Makes limits that no load comes near infinite in problem->limit; true when there was one. The rows
 * are divided by half their range. */
bool gdyn_unbound(gdyn_problem *problem);

#endif
