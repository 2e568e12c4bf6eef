/* fold.h - criteria of a point, and their combination over a path. */
#ifndef GDYN_ACCESS_FOLD_H
#define GDYN_ACCESS_FOLD_H

#include "access/evaluate.h"
#include "access/speeds.h"
#include "criteria/criteria.h"

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
/* The region of a place between two points: it is neither counted nor part of the mean. At least one
 * point comes before. It is copied. */
gdyn_status gdyn_region_fold_between(gdyn_region_fold *fold, const gdyn_region *region);
/* Makes the common region of what was folded; nothing changes it when there was no point. */
gdyn_status gdyn_region_fold_end(gdyn_region_fold *fold);
/* What the regions come to, once their common one is made. blocked: the path cannot be passed, and nothing holds
 * across it. */
void gdyn_region_fold_values(const gdyn_region_fold *fold, bool blocked, gdyn_criteria *path);

/* Mean over p of the areas of points at ascending p, by the trapezoidal rule. */
double gdyn_regions_mean(int points, const double *p, const gdyn_region *const *region);
/* Criteria of pass REGIONS and the common region of regions by themselves. common: made before. */
gdyn_status gdyn_regions_criteria(int points, const gdyn_region *const *region, gdyn_region *common,
                                  gdyn_criteria *path);

/* Folds what the pass LOCAL gives at a point into the worst of the path. */
void gdyn_local_fold(const gdyn_criteria *point, gdyn_criteria *path);

#endif
