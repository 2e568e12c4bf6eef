/* examination.h - what a machine is: structure, mobility, drives; whether it can be assembled, at its first guess and
 * along every trajectory. */
#ifndef GDYN_TRAJECTORY_EXAMINATION_H
#define GDYN_TRAJECTORY_EXAMINATION_H

#include "access/evaluate.h"
#include "clearance/clearance.h"
#include "trajectory/advice.h"
#include "trajectory/guess.h"

/* What is known of one trajectory. */
typedef struct gdyn_followed {
    const char *name, *unit; /* unit: of p */
    int points, reached;     /* reached: followed */
    double reach, worst_residual;
    double
        pose_error; /* estimated, shares of L and rad, where the pose depends on the way; else 0 */
    double entered_p; /* where such a pose begins anew, NAN: nowhere */
    char entry_text[GDYN_ADVICE];
    bool returns;
    double failure_p;               /* NAN: none */
    char failure_text[GDYN_ADVICE]; /* "joint 'low2' stays open by 4.2 mm" */
    gdyn_path_advice advice;
    gdyn_travel *travel; /* of each range of the model */
    gdyn_singularities
        singular;   /* where drives or constraints are singular, and the closest approach */
    gdyn_near near; /* the least clearance of shapes; first -1: none are compared */
    gdyn_path *path;
    gdyn_track *track;
    long by_tree, dense; /* derivatives in joint coordinates, by dense factorizations */
} gdyn_followed;

typedef struct gdyn_examination {
    const gdyn_instance *instance; /* borrowed */
    const gdyn_model *model;
    int loops;
    gdyn_guess guess;
    bool assembled;                  /* the guess closed: mobility and drives are known */
    char assembly_text[GDYN_ADVICE]; /* why it did not */
    char axes_text[GDYN_ADVICE]; /* joints whose axes are far from parallel at the first guess */
    gdyn_near
        near; /* least clearance of shapes at the assembled guess; first -1: none are compared */
    int followed;
    gdyn_followed *follow; /* followed */
} gdyn_examination;

/* The machine at its first guess. To be freed in any case. */
gdyn_status gdyn_examine(gdyn_examination *e, const gdyn_instance *instance);
/* The next trajectory of the instance. */
gdyn_status gdyn_examine_next(gdyn_examination *e, const gdyn_sink *sink);
void gdyn_examination_free(gdyn_examination *e);
/* The first place that no motion leads across, NAN: none. */
double gdyn_followed_blocked(const gdyn_followed *followed);
/* Shapes overlap there. */
bool gdyn_near_interferes(const gdyn_near *near);
/* The machine can be assembled, and follows all trajectories so far, across no singular pose and without interference. */
bool gdyn_examination_good(const gdyn_examination *e);

#endif
