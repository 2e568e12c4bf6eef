/* trajectory.h - the report of one trajectory: of a case, or of a table of coefficients. It is opened, then filled with
 * what is asked for: regions at the points of its path and at others, the fastest motion or the verdict on a given
 * one, the forces that drive it. report/ writes tables, documents and pictures from it.
 *
 * All that a report points to lives until it is closed, and is to be read only. */
#ifndef GDYN_TRAJECTORY_TRAJECTORY_H
#define GDYN_TRAJECTORY_TRAJECTORY_H

#include "base/api.h"
#include "access/evaluate.h"
#include "base/diag.h"
#include "casefile/casefile.h"
#include "trajectory/motion_table.h"
#include "traverse/share.h"
#include "traverse/traverse.h"

GDYN_API_BEGIN

/* Regions at points of a trajectory. */
typedef struct gdyn_region_points {
    int points;
    const double *p;                  /* points */
    const gdyn_region *const *region; /* points */
    const char *const *status;        /* points: "ok", "empty", "unassembled", ... */
    const double *error; /* points: estimated error of the pose (shares of L, rad), or NULL */
} gdyn_region_points;

/* A given motion is looked at in so many steps from sample to sample. */
enum { GDYN_GIVEN_STEPS = 10 };

typedef struct gdyn_trajectory {
    const char *name, *unit;  /* unit: of p, "" for a pure number */
    gdyn_dimension dimension; /* of p */
    int tables;               /* trajectories in the table of coefficients; 0: of a machine */
    int rows, windows;
    int lanes; /* what limits of motions are shown for: rows, and the first window where the path sets it */
    const gdyn_limited *row; /* rows + windows: what each limit row and each window of d1 limits */
    /* Of a machine; NULL of a table of coefficients: */
    const gdyn_instance *instance;
    const gdyn_path *path;
    const gdyn_track *track;

    /* Regions (gdyn_trajectory_regions, gdyn_trajectory_regions_at): */
    const gdyn_evaluation *evaluation; /* NULL of a table */
    gdyn_region_points along, at; /* at the points of the path; at others that were asked for */
    double entered_p;             /* with errors: where the pose begins anew, NAN: nowhere */
    const gdyn_region *common;    /* of all points, or NULL */
    const gdyn_criteria
        *error; /* of the criteria, where points were inserted (gdyn_evaluation), or NULL */
    const gdyn_singularities *singular; /* places where the drives lose a freedom, or NULL */
    gdyn_criteria criteria;             /* of the whole trajectory */

    /* The motion (gdyn_trajectory_fastest, gdyn_trajectory_judge): */
    gdyn_path_dynamics *dynamics; /* coefficients at any p */
    const gdyn_traverse
        *traverse;      /* a given motion: its samples as points, limits that are violated, time NAN
                                      when its clock is not known */
    const double *rate; /* rows: limits on the rate of forces, INFINITY: none; or NULL */
    const gdyn_sample *sample; /* traverse->points */
    gdyn_shared shared;        /* forces; without points where there is no motion */
    gdyn_share_settings sharing;
    bool given;               /* not the fastest motion, but one from a table */
    gdyn_feasibility verdict; /* of a given one; its samples are `place` */
    const double
        *violation; /* traverse->points: the greatest at a point and on the way behind it */
    int places;
    const gdyn_sample
        *place; /* places: GDYN_GIVEN_STEPS + 1 of them for each sample, one for the last */
    struct gdyn_trajectory_store *store; /* owns all of the above */
} gdyn_trajectory;

/* Each is to be closed in any case. A path that is none is reported to the sink.
 * `number`: of the instance's trajectories; the instance is borrowed. */
gdyn_status gdyn_trajectory_open(gdyn_trajectory *t, const gdyn_instance *instance, int number,
                                 const gdyn_sink *sink);
/* A table p,drive,A,B,C,D,min,max,V1,...,Vr (coefficients.c): the trajectory of that number, of t->tables. */
gdyn_status gdyn_trajectory_open_table(gdyn_trajectory *t, const char *filename, int number,
                                       const gdyn_sink *sink);
void gdyn_trajectory_close(gdyn_trajectory *t);

/* --- regions.c -------------------------------------------------------------------------------- */

/* Regions at the points of the path, what they have in common, criteria. */
gdyn_status gdyn_trajectory_regions(gdyn_trajectory *t, const gdyn_evaluation_settings *settings);
/* After it, of a machine: regions at `count` values of p. */
gdyn_status gdyn_trajectory_regions_at(gdyn_trajectory *t, int count, const double *p,
                                       const gdyn_evaluation_settings *settings);

/* --- motion.c, given.c ------------------------------------------------------------------------ */

/* Makes ready for motions: the path is followed, rows have their names. A table of one point is refused. */
gdyn_status gdyn_trajectory_drive(gdyn_trajectory *t, const gdyn_sink *sink);
/* The fastest motion; its settings' rates are borrowed. */
gdyn_status gdyn_trajectory_fastest(gdyn_trajectory *t, const gdyn_traverse_settings *settings);
/* Forces of the fastest motion, where there is one. visit: or NULL. */
gdyn_status gdyn_trajectory_share(gdyn_trajectory *t, const gdyn_share_settings *settings,
                                  gdyn_share_visitor *visit, void *context);

/* What is greatest along the fastest motion. */
typedef struct gdyn_extremes {
    double d1, d1_p; /* greatest path speed, and where */
    int switches;    /* switching points */
    int rate_row;    /* the force that comes nearest to its limit of the rate, -1: no such limit */
    double rate, share; /* that rate [unit of the force per s], as a share of its limit */
    double rate_p;
} gdyn_extremes;

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* After it, when tables and documents are all that is wanted: gives back the memory of the poses, unless a point failed and
 * is to be explained. */
void gdyn_trajectory_drop_poses(gdyn_trajectory *t);
/* Every point (those of `at` when there are any) has a region, and the drives lose no freedom on the way. */
bool gdyn_trajectory_accessible(const gdyn_trajectory *t);
/* A sample of the motion (t->sample, t->place) in p: d1 and d2 are NAN at a rest of the path. */
gdyn_sample gdyn_trajectory_original(const gdyn_trajectory *t, const gdyn_sample *sample);
/* Why there is none, said of the place traverse->place; in lines, "" where there is one. */
const char *gdyn_trajectory_refusal(const gdyn_trajectory *t);
/* Verdict on a motion, which gets times where it has none and is borrowed, and its forces. */
gdyn_status gdyn_trajectory_judge(gdyn_trajectory *t, gdyn_motion_table *motion,
                                  const gdyn_share_settings *settings);
gdyn_extremes gdyn_trajectory_extremes(const gdyn_trajectory *t);
/* Rate of a row's force behind point i of a motion that keeps limits on rates (the last point: before it); NAN: not
 * such a motion. */
double gdyn_trajectory_rate(const gdyn_trajectory *t, int row, int i);
/* The point behind which the row's force changes fastest, in either direction; -1: none. */
int gdyn_trajectory_steepest(const gdyn_trajectory *t, int row);

#endif
