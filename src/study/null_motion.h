/* null_motion.h - the free coordinates of a kinematically redundant machine, chosen along the path for a
 * criterion. */
#ifndef GDYN_STUDY_NULL_MOTION_H
#define GDYN_STUDY_NULL_MOTION_H

#include "base/diag.h"
#include "study/free_path.h"

#include <signal.h>

/* Who looks on while paths are tried. */
typedef struct gdyn_free_watch {
    volatile const sig_atomic_t *interrupt; /* not zero: stop with what is best so far; or NULL */
    /* After each path that was tried; best: so far, NAN while there is none. Or NULL. */
    void (*progress)(void *context, const char *trajectory, int tried, double best);
    void *context;
} gdyn_free_watch;

typedef struct gdyn_null_motion {
    double norm, best; /* the criterion with the weighted norm and with the path below; NAN: none */
    int tried;         /* paths that were evaluated */
    bool
        settled; /* the last search found no better neighbour; false: the evaluations ended it, or no path has a value */
    bool better; /* the path below is better than the weighted norm; else there is none */
    gdyn_free_rows rows;
    gdyn_free_path path; /* to be freed in any case */
} gdyn_null_motion;

/* Free coordinates as natural splines over p whose values at equally spaced knots are optimized (minimax.h where the criterion is the
 * worst of many values, else search.h, NLopt's COBYLA), 3 knots first, then twice as many intervals up to wish->knots. A spline of few knots is one of more knots, too, so that
 * each stage begins with the best path of the stage before and the criterion never gets worse; each ends where its local search finds
 * no better neighbour. The first begins at the weighted norm and at constant offsets from it, so that separate valleys are seen. The
 * result is compared with the weighted norm itself on the same points: it is never worse. Deterministic.
 * Complaints go to the sink ("trajectories.NAME.null_motion"): nothing is left free, no such joints. */
gdyn_status gdyn_null_motion_find(const gdyn_model *model, const gdyn_path_def *def,
                                  const gdyn_freedom_def *wish, const gdyn_free_watch *watch,
                                  const gdyn_sink *sink, gdyn_null_motion *found);

/* Gives every trajectory of the instance that asks for it its free coordinates: best for a criterion, or in equilibrium
 * (rest_path.h). The instance's definitions are replaced. Where none is found they stay as they are. */
gdyn_status gdyn_instance_settle(gdyn_instance *instance, const gdyn_free_watch *watch,
                                 const gdyn_sink *sink);

#endif
