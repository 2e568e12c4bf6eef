/* boxes.h - the space that no point of a front dominates, divided into boxes; expected gain of hypervolume
 * (internal to search).
 *
 * Objectives are minimized. The space below the reference that no point dominates is the union of disjoint boxes, one
 * for each local upper bound u with its defining points z^1 .. z^m (u_j = z^j_j):
 *   (-inf, u_1) x [max_{k<2} z^k_2, u_2) x .. x [max_{k<m} z^k_m, u_m)
 * (Klamroth, Lacour, Vanderpooten 2015; Lacour, Klamroth, Fonseca 2017). A new point y gains the sum over the boxes of
 * prod_j (u_j - max(l_j, y_j))^+; where its objectives are normal and independent, the expected gain is the sum of
 * products of closed forms (Yang, Emmerich, Deutz, Back 2019). */
#ifndef GDYN_SEARCH_BOXES_H
#define GDYN_SEARCH_BOXES_H

#include <stdbool.h>

typedef struct gdyn_boxes gdyn_boxes;

/* Room for `points` points with m objectives and `most` boxes. NULL: out of memory. */
gdyn_boxes *gdyn_boxes_create(int m, int points, int most);
void gdyn_boxes_destroy(gdyn_boxes *boxes);
/* No point yet: all below the reference (m). */
void gdyn_boxes_clear(gdyn_boxes *boxes, const double *reference);
/* Adds a point (m). One that is dominated, or not below the reference, changes nothing. False: there is no room, and
 * nothing is changed. */
bool gdyn_boxes_add(gdyn_boxes *boxes, const double *z);
int gdyn_boxes_count(const gdyn_boxes *boxes);
/* Expected gain of a point with these means and deviations (m; a deviation of 0: known). */
double gdyn_boxes_gain(gdyn_boxes *boxes, const double *mean, const double *deviation);

#endif
