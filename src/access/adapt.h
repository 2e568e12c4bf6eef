/* adapt.h - errors of a path's criteria that come from its points, and where further points lower them (internal
 * to access).
 *
 * dexterity, stiffness, frequency, load, d1_max, speed and accel are least (or greatest) values over p: gdyn_dip
 * bounds how far they fall between the points. The area of the common region is the integral over d1 of the least
 * upper minus the greatest lower bound of d2: at each of a few d1 the same. area_mean is an integral over p. */
#ifndef GDYN_ACCESS_ADAPT_H
#define GDYN_ACCESS_ADAPT_H

#include "access/evaluate.h"

typedef struct gdyn_adapt gdyn_adapt;
/* wanted: GDYN_CRITERIA, whose errors are to become less than their share `tolerance`; NULL: all. alone: the errors of others are
 * not estimated. */
gdyn_adapt *gdyn_adapt_create(const bool *wanted, bool alone, double tolerance);
void gdyn_adapt_destroy(gdyn_adapt *adapt);

/* Estimates e->error from the points at hand and their common region, and chooses places where points are
 * missing. To be called again after each of them became a point. */
gdyn_status gdyn_adapt_look(gdyn_adapt *adapt, gdyn_evaluation *e);
/* The places, ascending; none is a point of the track. */
int gdyn_adapt_places(const gdyn_adapt *adapt, const double **p);
/* What is stated for an estimated error of a criterion of that size. */
double gdyn_adapt_stated(double tolerance, double error, double size);

#endif
