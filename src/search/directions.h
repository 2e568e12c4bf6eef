/* directions.h - evenly spread directions of the positive orthant (Das and Dennis 1998). */
#ifndef GDYN_SEARCH_DIRECTIONS_H
#define GDYN_SEARCH_DIRECTIONS_H

/* All points of the unit simplex in m coordinates whose coordinates are multiples of 1/divisions;
 * with fewer divisions than coordinates they all lie on the rim, and an inner layer of one division
 * less, shrunk by half towards the centre, is added (Deb and Jain 2014). */

/* Number of such points, or 0 when it exceeds `most`. */
int gdyn_directions_count(int m, int divisions, int most);
/* Greatest number of divisions, at least 1, whose points are no more than `most`. */
int gdyn_directions_divisions(int m, int most);
/* Writes the points as columns of Z (m x gdyn_directions_count). */
void gdyn_directions(double *Z, int m, int divisions);

#endif
