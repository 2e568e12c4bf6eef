/* regular.h - a path parameter that keeps moving where p does not (internal to traverse).
 *
 * Where the path derivative vanishes (a cusp: joint angle p^3 at p = 0) a harmless motion needs an
 * infinite dp/dt. With s(p) = integral of g dp, g = |u_p| (body velocities, rotations times L), the
 * motion is regular in s, and the coefficients become
 *   D_s = D / g,   A_s = (A - D g'/g) / g^2,   B_s = B / g,   g' = u_p . u_pp / g.
 * s(p) is the integral of Chebyshev's interpolant of g on pieces that end at the cusps. Where the
 * direction of u_p turns at a cusp the machine must stop; so it must at a corner of a polyline.
 *
 * Where the machine stands although p moves on (a dwell: u_p = 0 over an interval of p) nothing bounds
 * dp/dt: the interval takes no time. Its s is one place, passed like a cusp. */
#ifndef GDYN_TRAVERSE_REGULAR_H
#define GDYN_TRAVERSE_REGULAR_H

#include "base/status.h"

#include <stdbool.h>

/* |u_p| at p and its derivative, and the direction u_p / |u_p| (n); false where the machine cannot
 * be. */
typedef struct gdyn_speed_source {
    void *context;
    int n;
    bool (*at)(void *context, double p, double *g, double *slope, double *direction);
} gdyn_speed_source;

typedef struct gdyn_regular gdyn_regular;

/* Looks for cusps between the points p (ascending); *regular stays NULL when there is none. Stops
 * (cusps where the direction turns) are listed by gdyn_regular_stop. */
gdyn_status gdyn_regular_find(const gdyn_speed_source *source, int points, const double *p,
                              gdyn_regular **regular);
void gdyn_regular_destroy(gdyn_regular *regular);
int gdyn_regular_stops(const gdyn_regular *regular);
double gdyn_regular_stop(const gdyn_regular *regular, int i); /* s */
/* s is a cusp's, to a millionth of the whole. */
bool gdyn_regular_is_cusp(const gdyn_regular *regular, double s);
/* Intervals of p in which the machine stands; their number, at most `most`. */
int gdyn_regular_dwells(const gdyn_regular *regular, int most, double (*dwell)[2]);
double gdyn_regular_s(const gdyn_regular *regular, double p);
/* p at s, never nearer to a cusp than where the coefficients can be distinguished from rounding; side < 0:
 * a cusp at s is seen from the left. */
double gdyn_regular_p(const gdyn_regular *regular, double s, int side);

#endif
