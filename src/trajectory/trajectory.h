/* trajectory.h - all that is known of one trajectory: of a case, or of a table of coefficients. It
 * is opened, then asked to take passes (passes.c): the machine at the points of its path, regions
 * there, singular places, clearance, the fastest motion, the forces that drive it, ... Each pass
 * runs at most once, after those that it needs; commands, pages, studies and `expect` all ask here.
 * report/ writes tables, documents and pictures from it.
 *
 * All that it points to lives until it is closed, and is to be read only. */
#pragma once

#include "base/api.h"
#include "access/evaluate.h"
#include "base/diag.h"
#include "casefile/casefile.h"
#include "clearance/clearance.h"
#include "trajectory/advice.h"
#include "trajectory/motion_table.h"
#include "traverse/criteria.h"
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

/* How the path is followed (pass FAILURE). */
typedef struct gdyn_followed {
    double worst_residual; /* of all points */
    /* estimated, shares of L and rad, where the pose depends on the way; else 0 */
    double pose_error;
    char entry_text[GDYN_ADVICE];   /* where such a pose begins anew */
    double failure_p;               /* NAN: none */
    char failure_text[GDYN_ADVICE]; /* "joint 'low2' stays open by 4.2 mm" */
    gdyn_path_advice advice;
    long by_tree, dense; /* derivatives in joint coordinates, by dense factorizations */
} gdyn_followed;

typedef struct gdyn_trajectory {
    const char *name, *unit;  /* unit: of p, "" for a pure number */
    gdyn_dimension dimension; /* of p */
    int tables;               /* trajectories in the table of coefficients; 0: of a machine */
    int rows, windows;
    /* what limits of motions are shown for: rows, and the first window where the path sets it */
    int lanes;
    const gdyn_limited *row; /* rows + windows: what each limit row and each window of d1 limits */
    /* Of a machine; NULL of a table of coefficients: */
    const gdyn_instance *instance; /* NULL of a path by itself, too */
    const gdyn_model *model;
    const gdyn_path *path;

    /* What the passes take; to be changed before the first of them. */
    /* of the points; what is worked out there follows from the passes */
    gdyn_evaluation_settings settings;
    gdyn_traverse_settings planning; /* rate: borrowed; by default those of the drives */
    bool any_rate;                   /* limits on rates are ignored */
    gdyn_share_settings sharing;
    double tolerated;          /* violation by a given motion, in half ranges; 0: 1e-6 */
    gdyn_share_visitor *visit; /* of the samples of the motion, by pass FORCES; or NULL */
    void *visitor;

    unsigned known; /* sum of the passes that were taken */

    /* FOLLOW, FAILURE, APPROACH (also REGIONS), CLEARANCE: */
    const gdyn_track *track;
    gdyn_followed followed;
    const gdyn_singularities *singular; /* places where the drives lose a freedom, or NULL */
    gdyn_near near; /* the minimum clearance of shapes; first -1: none are compared */

    /* The points: TRACK, LOCAL, REGIONS, APPROACH, of a table REGIONS;
     * gdyn_trajectory_regions_at. */
    const gdyn_evaluation *evaluation; /* NULL of a table */
    gdyn_region_points along, at; /* at the points of the path; at others that were asked for */
    double entered_p;             /* with errors: where the pose begins anew, NAN: nowhere */
    const gdyn_region *common;    /* of all points, or NULL */
    const gdyn_criteria *error;   /* of the criteria, where points were inserted, or NULL */
    gdyn_criteria criteria;       /* of the whole trajectory, of all passes taken */
    gdyn_fastest fastest;         /* MOTION: whether that motion exists */

    /* The motion: DYNAMICS, PLAN, FORCES, gdyn_trajectory_judge. */
    gdyn_path_dynamics *dynamics; /* coefficients at any p */
    /* A given motion: its samples as points, violated limits, time NAN if its clock is unknown. */
    const gdyn_traverse *traverse;
    const double *rate;          /* rows: limits on their rates, INFINITY: none; or NULL */
    const gdyn_sample *sample;   /* traverse->points */
    gdyn_shared shared;          /* forces; without points where there is no motion */
    const gdyn_drive_load *load; /* rows: of the drives in the motion; NULL: there is none */
    bool given;                  /* not the fastest motion, but one from a table */
    const char *file;            /* that table */
    gdyn_feasibility verdict;    /* of a given one; its samples are `place` */
    /* traverse->points: the greatest at a point and on the way behind it */
    const double *violation;
    int places;
    /* places: GDYN_GIVEN_STEPS + 1 of them for each sample, one for the last */
    const gdyn_sample *place;
    struct gdyn_trajectory_store *store; /* owns all of the above */
} gdyn_trajectory;

/* Each is to be closed in any case. A path that is none is reported to the sink, which is kept.
 * `number`: of the instance's trajectories; the instance is borrowed. */
gdyn_status gdyn_trajectory_open(gdyn_trajectory *t, const gdyn_instance *instance, int number,
                                 const gdyn_sink *sink);
/* A path by itself; the model is borrowed. Its limit rows have no names. */
gdyn_status gdyn_trajectory_open_path(gdyn_trajectory *t, const gdyn_model *model,
                                      const gdyn_path_def *def, const gdyn_sink *sink);
/* A table p,drive,A,B,C,D,min,max,V1,...,Vr (coefficients.c): the trajectory of that number, of
 * t->tables. */
gdyn_status gdyn_trajectory_open_table(gdyn_trajectory *t, const char *filename, int number,
                                       const gdyn_sink *sink);
void gdyn_trajectory_close(gdyn_trajectory *t);

/* --- passes.c --------------------------------------------------------------------------------- */

/* Takes the passes (sum of gdyn_pass) and those that they need, unless they were taken before. A
 * table has REGIONS, DYNAMICS, PLAN and FORCES; of one point no DYNAMICS (GDYN_ERROR_INPUT,
 * reported to the sink). */
gdyn_status gdyn_trajectory_take(gdyn_trajectory *t, unsigned passes);
/* The machine at the points of the path, with those that the sweep inserted. */
const gdyn_track *gdyn_trajectory_points(const gdyn_trajectory *t);
/* After regions: region and criteria at any p of a machine's path; valid until the next call. */
gdyn_status gdyn_trajectory_probe(gdyn_trajectory *t, double p, gdyn_probed *found);
/* The first place that no motion crosses it, NAN: none. */
double gdyn_trajectory_blocked(const gdyn_trajectory *t);
/* After FAILURE, APPROACH, CLEARANCE: followed to its end, no singular pose, no interference. */
bool gdyn_trajectory_passable(const gdyn_trajectory *t);

/* --- regions.c -------------------------------------------------------------------------------- */

/* After the pass REGIONS, of a machine: regions at `count` values of p. */
gdyn_status gdyn_trajectory_regions_at(gdyn_trajectory *t, int count, const double *p);

/* --- motion.c, given.c ------------------------------------------------------------------------ */

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

/* What passes report goes there from now on. */
void gdyn_trajectory_report(gdyn_trajectory *t, const gdyn_sink *sink);
/* Shapes overlap there. */
bool gdyn_near_interferes(const gdyn_near *near);
/* Then, if only tables and documents are wanted: frees the poses, unless a point failed. */
void gdyn_trajectory_drop_poses(gdyn_trajectory *t);
/* Every point (of `at` if there are any) has a region, and the drives lose no freedom. */
bool gdyn_trajectory_accessible(const gdyn_trajectory *t);
/* A sample of the motion (t->sample, t->place) in p: d1 and d2 are NAN at a rest of the path. */
gdyn_sample gdyn_trajectory_original(const gdyn_trajectory *t, const gdyn_sample *sample);
/* Why there is none, said of the place traverse->place; in lines, "" where there is one. */
const char *gdyn_trajectory_refusal(const gdyn_trajectory *t);
/* After DYNAMICS: verdict on a motion and its forces; it is borrowed and gets missing times. */
gdyn_status gdyn_trajectory_judge(gdyn_trajectory *t, gdyn_motion_table *motion);
gdyn_extremes gdyn_trajectory_extremes(const gdyn_trajectory *t);
/* Rate of a row's force behind point i (last: before) of a motion with limited rates, else NAN. */
double gdyn_trajectory_rate(const gdyn_trajectory *t, int row, int i);
/* The point behind which the row's force changes fastest, in either direction; -1: none. */
int gdyn_trajectory_steepest(const gdyn_trajectory *t, int row);

/* --- equal_steps.c: a motion at equal time steps, as controllers take it ---------------------- */

enum { GDYN_EQUAL_STEPS_MOST = 1000000 };

/* The motion at one time. */
typedef struct gdyn_step {
    gdyn_sample at;                     /* in the parameter of the dynamics */
    gdyn_sample original;               /* p, d1, d2 */
    const double *force;                /* rows of the trajectory; NAN where it is not known */
    const gdyn_path_dynamics *dynamics; /* there */
} gdyn_step;

/* What the steps leave out. */
typedef struct gdyn_equal_steps {
    int steps; /* visited, both ends included */
    /* largest distance in p (travel) from the motion to the cubic through p and d1 of steps */
    double position;
    double jump,
        jump_t; /* greatest change of d2 from one step to the next, and before which time */
    double violation, violation_t; /* of the worst limit at a step, in half ranges; <= 0: none */
    double late;                   /* the last step is that much behind the end, at rest [s] */
    /* between the steps, d1^2 is the cubic in p with d1 and d2 of both (GDYN_BETWEEN_P) */
    double between, between_t;
    gdyn_limit worst; /* the limit */
} gdyn_equal_steps;

/* After gdyn_trajectory_share: visits t = 0, step, 2 step, ... of the fastest motion
 * (gdyn_motion_at). Forces are shared as at the samples; planned or smoothed ones are interpolated.
 * A motion that ends at rest is held for the rest of the last step; else that step is shorter. */
gdyn_status gdyn_equal_steps_visit(gdyn_trajectory *t, double step,
                                   void (*visit)(void *context, const gdyn_step *step),
                                   void *context, gdyn_equal_steps *result);

/* --- together.c: pieces of work that do not depend on each other, shared among threads -------- */

/* Calls work(context, worker, i) for every i from 0 to count - 1, each once, in no order, on up to
 * that many threads (256 at most), this one among them; returns when all are done. worker: 0 ..
 * threads - 1, each in one call at a time. Fewer threads where no more can be had. */
void gdyn_work_together(int threads, int count, void (*work)(void *context, int worker, int i),
                        void *context);
