/* folding.h - what the regions of a path have in common, and criteria over its points (internal to
 * access and what builds on it). */
#pragma once

#include "access/access.h"
#include "access/evaluate.h"
#include "base/intervals.h"
#include "criteria/criteria.h"

#include <stdbool.h>

/* --- common.c --------------------------------------------------------------------------------- */

typedef struct gdyn_common gdyn_common;

gdyn_common *gdyn_common_create(void);
void gdyn_common_destroy(gdyn_common *common);
/* One more region. It is borrowed: it has to stay as it is until the last gdyn_common_region. */
gdyn_status gdyn_common_add(gdyn_common *common, const gdyn_region *region);
/* What all regions so far have in common, into `out`, which is none of them; UNKNOWN when one of
 * them is, or there is none. */
gdyn_status gdyn_common_region(gdyn_common *common, gdyn_region *out);

/* --- fold.c ----------------------------------------------------------------------------------- */

/* All d1 of the islands. */
gdyn_intervals gdyn_speeds_reachable(const gdyn_region *region);
/* All d1 at which d2 = 0 is accessible. */
gdyn_intervals gdyn_speeds_steady(const gdyn_region *region);

/* Criteria of a point, and their combination over a path.
 */

/* Sets what a pose gives: freedoms and drives. */
void gdyn_pose_criteria(const gdyn_pose *pose, gdyn_criteria *point);
/* Sets what a region gives at its point: area, d1, rest, islands. */
void gdyn_region_criteria(const gdyn_region *region, gdyn_criteria *point);

/* Regions folded one after the other into the criteria of the pass REGIONS. */
typedef struct gdyn_region_fold {
    gdyn_region *common;        /* of all regions, made at the end; borrowed */
    struct gdyn_common *merged; /* of the regions so far (common.c) */
    gdyn_region **between;      /* copies of the regions between the points */
    int betweens, capacity;     /* of them */
    gdyn_intervals reachable, steady;
    int points, empty;
    double areas, accel;
} gdyn_region_fold;
/* False when memory is out. Close it in any case. */
bool gdyn_region_fold_open(gdyn_region_fold *fold, gdyn_region *common);
void gdyn_region_fold_close(gdyn_region_fold *fold);
/* The region of a point, which has to stay as it is until the end. */
gdyn_status gdyn_region_fold_point(gdyn_region_fold *fold, const gdyn_region *region);
/* The region of a place between two points: it is neither counted nor part of the mean. At least
 * one point comes before. It is copied. */
gdyn_status gdyn_region_fold_between(gdyn_region_fold *fold, const gdyn_region *region);
/* Makes the common region of what was folded; nothing changes it when there was no point. */
gdyn_status gdyn_region_fold_end(gdyn_region_fold *fold);
/* What the regions come to, once their common one is made. blocked: the path cannot be passed, and
 * nothing holds across it. */
void gdyn_region_fold_values(const gdyn_region_fold *fold, bool blocked, gdyn_criteria *path);

/* Mean over p of the areas of points at ascending p, by the trapezoidal rule. */
double gdyn_regions_mean(int points, const double *p, const gdyn_region *const *region);
/* Criteria of pass REGIONS and the common region of regions by themselves. common: made before. */
gdyn_status gdyn_regions_criteria(int points, const gdyn_region *const *region, gdyn_region *common,
                                  gdyn_criteria *path);

/* Folds what the pass LOCAL gives at a point into the worst of the path. */
void gdyn_local_fold(const gdyn_criteria *point, gdyn_criteria *path);

/* What the points of a path do not show (internal to access and what builds on it). */

/* --- dip.c ------------------------------------------------------------------------------------ */

/* How far a function may fall between its samples (internal to access).
 *
 * Criteria of a path are least values over p of functions that are known at points. The least
 * sample is too great by what the function falls between the points. Where it is smooth, its second
 * divided differences tell how far; where it has a kink (another drive, another mode), the chords
 * beside the interval go on below it, as long as it is convex there. A dip too narrow to bend the
 * function at its neighbours stays hidden. */

/* Sampled arguments. */
typedef struct gdyn_samples {
    int count;
    const double *p; /* ascending */
    int stride;      /* from one sample of a function to the next */
    bool closed;     /* the last sample is the first one again: neighbours go round */
} gdyn_samples;

/* What the samples around an interval weigh in lower bounds of any function there
 * (gdyn_samples_weigh). */
typedef struct gdyn_interval {
    int sample[6]; /* two before it, its ends, two behind it; the first one -1: some are missing */
    double left[3], right[3]; /* of the two differences beside it: the chord goes on, and bends */
    double below[2]; /* of the difference before it and its own: how far a parabola falls */
} gdyn_interval;

/* Fills the weights of the intervals (count - 1). */
void gdyn_samples_weigh(const gdyn_samples *s, gdyn_interval *interval);

enum { GDYN_MARKED_MOST = 32 };
/* Of up to GDYN_MARKED_MOST functions side by side (stride): bit i of mark[k] tells that the i-th
 * one may fall below least[i] in interval k; where it does not, gdyn_dips_below finds nothing. */
void gdyn_dips_mark(const gdyn_samples *s, const gdyn_interval *interval, int functions,
                    const double *f, const double *least, unsigned *mark);

typedef struct gdyn_dip {
    int interval; /* between the samples `interval` and interval + 1 */
    double p;     /* where the function may be least there */
    double bound; /* its lower bound there */
} gdyn_dip;

/* Intervals between two neighbouring samples in which f may fall below both of them and below
 * `least`, at most `most` of them, the lowest ones; returns their number. f is NAN nowhere. Only
 * intervals with this bit in their mark are looked at; mark NULL: all. */
int gdyn_dips_below(const gdyn_samples *s, const double *f, double least, const unsigned *mark,
                    int bit, int most, gdyn_dip *dip);
/* Estimated errors of the trapezoidal rule in each interval (count - 1): K h^3 / 6 with K the
 * second divided difference; returns a bound of their sum. */
double gdyn_trapezoid_errors(const gdyn_samples *s, const double *f, double *error);

/* --- adapt.c ---------------------------------------------------------------------------------- */

/* Errors of a path's criteria that come from its points, and where further points lower
 * them (internal to access).
 *
 * dexterity, stiffness, frequency, load, d1_max, speed and accel are least (or greatest) values
 * over p: gdyn_dip bounds how far they fall between the points. The area of the common region is
 * the integral over d1 of the least upper minus the greatest lower bound of d2: at each of a few d1
 * the same. area_mean is an integral over p. */

typedef struct gdyn_adapt gdyn_adapt;
/* wanted: GDYN_CRITERIA, whose errors are to become less than their share `tolerance`; NULL: all.
 * alone: the errors of others are not estimated. points: of the track as it is. */
gdyn_adapt *gdyn_adapt_create(const bool *wanted, bool alone, double tolerance, int points);
void gdyn_adapt_destroy(gdyn_adapt *adapt);

/* Estimates e->error from the points at hand and their common region. Returns the number of places
 * where points are missing, *p, ascending. To be called again after each of them became a point. */
int gdyn_adapt_look(gdyn_adapt *adapt, gdyn_evaluation *e, const double **p);
/* What is stated for an estimated error of a criterion of that size. */
double gdyn_adapt_stated(double tolerance, double error, double size);
