/* folding.h - what the regions of a path have in common, and criteria over its points (internal to
 * access and what builds on it). */
#ifndef GDYN_ACCESS_FOLDING_H
#define GDYN_ACCESS_FOLDING_H

#include "access/access.h"
#include "access/evaluate.h"
#include "criteria/criteria.h"

/* --- common.c ---------------------------------------------------------------------------------- */

typedef struct gdyn_common gdyn_common;

gdyn_common *gdyn_common_create(void);
void gdyn_common_destroy(gdyn_common *common);
/* One more region. It is borrowed: it has to stay as it is until the last gdyn_common_region. */
gdyn_status gdyn_common_add(gdyn_common *common, const gdyn_region *region);
/* What all regions so far have in common, into `out`, which is none of them; UNKNOWN when one of
 * them is, or there is none. */
gdyn_status gdyn_common_region(gdyn_common *common, gdyn_region *out);

/* --- speeds.c ---------------------------------------------------------------------------------- */

/* Sets of d1 as sorted disjoint intervals: where a region is reachable, where it
 * contains d2 = 0; intersections over the points of a path (internal to access). */

enum { GDYN_SPEEDS_MAX = 64 };

typedef struct gdyn_speeds {
    int count;
    double from[GDYN_SPEEDS_MAX], to[GDYN_SPEEDS_MAX];
} gdyn_speeds;

/* [0, infinity) */
gdyn_speeds gdyn_speeds_all(void);
/* All d1 of the islands. */
gdyn_speeds gdyn_speeds_reachable(const gdyn_region *region);
/* All d1 at which d2 = 0 is accessible. */
gdyn_speeds gdyn_speeds_steady(const gdyn_region *region);
/* a := a and b; intervals that only touch within rounding are kept. */
void gdyn_speeds_intersect(gdyn_speeds *a, const gdyn_speeds *b);
/* Greatest member, NaN when empty. */
double gdyn_speeds_greatest(const gdyn_speeds *spans);

/* --- fold.c ------------------------------------------------------------------------------------ */

/* Criteria of a point, and their combination over a path.
 */

/* Sets what a pose gives: freedoms and drives. */
void gdyn_pose_criteria(const gdyn_pose *pose, gdyn_criteria *point);
/* Sets what a region gives at its point: area, d1, rest, islands. */
void gdyn_region_criteria(const gdyn_region *region, gdyn_criteria *point);

/* Regions folded one after the other into the criteria of the pass REGIONS. */
typedef struct gdyn_region_fold {
    gdyn_region *common;        /* of all regions, made at the end; borrowed */
    struct gdyn_common *merged; /* of the regions so far (common.h) */
    gdyn_region **between;      /* copies of the regions between the points */
    int betweens, capacity;     /* of them */
    gdyn_speeds reachable, steady;
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

#endif
