/* findings.h - all that a page says of a case, computed by the modules below (internal to page). */
#ifndef GDYN_PAGE_FINDINGS_H
#define GDYN_PAGE_FINDINGS_H

#include "page/page.h"
#include "trajectory/examination.h"
#include "trajectory/path_reactions.h"
#include "trajectory/trajectory.h"

/* Poses along a trajectory, p ascending. */
typedef struct gdyn_frames {
    int count, capacity;
    double *p;
    gdyn_state **state;
    bool *gap; /* the machine does not get from here to the next pose */
} gdyn_frames;

enum { GDYN_FRAMES_MOST = 160 };

/* One trajectory. */
typedef struct gdyn_finding {
    gdyn_trajectory *t; /* of the examination */
    bool driven;        /* the machine has drives: regions and motion are known */
    gdyn_frames frames; /* of the motion where there is one, else at points of the path */
    /* no point is reached: the one with the best pose, which is the only frame; else -1 */
    int nearest;
} gdyn_finding;

struct gdyn_findings {
    const gdyn_instance *instance;
    gdyn_examination examination;
    int count;
    gdyn_finding *finding; /* count */
    /* At the assembled first guess: */
    bool reacted;
    gdyn_reactions *reactions;
    gdyn_reaction_frame frame;
};

/* frames.c: takes the forces of the fastest motion and keeps poses of it. */
gdyn_status gdyn_frames_of_motion(gdyn_frames *frames, gdyn_trajectory *t);
/* Poses at the points of a track that are followed; none: the nearest one, its index in
 * *nearest, else -1. */
gdyn_status gdyn_frames_of_track(gdyn_frames *frames, const gdyn_track *track, int *nearest);
void gdyn_frames_free(gdyn_frames *frames);

/* verdict.c: the finding is good; why not, or what it gives, in one line. */
bool gdyn_finding_good(const gdyn_finding *f);
void gdyn_finding_verdict(const gdyn_finding *f, gdyn_text *out);

#endif
