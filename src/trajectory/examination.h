/* examination.h - structure, mobility and drives of a machine; its assembly along trajectories. */
#pragma once

#include "trajectory/guess.h"
#include "trajectory/trajectory.h"

typedef struct gdyn_examination {
    const gdyn_instance *instance; /* borrowed */
    const gdyn_model *model;
    int loops;
    gdyn_guess guess;
    bool assembled;                  /* the guess closed: mobility and drives are known */
    char assembly_text[GDYN_ADVICE]; /* why it did not */
    char axes_text[GDYN_ADVICE]; /* joints whose axes are far from parallel at the first guess */
    /* minimum clearance of shapes at the assembled guess; first -1: none are compared */
    gdyn_near near;
    int opened;
    gdyn_trajectory *trajectory; /* opened */
} gdyn_examination;

/* The machine at its first guess. To be freed in any case. */
gdyn_status gdyn_examine(gdyn_examination *e, const gdyn_instance *instance);
/* What `check` says of a trajectory: how it is followed, its singular places, its clearance. */
enum { GDYN_PASSES_OF_CHECK = GDYN_PASS_FAILURE | GDYN_PASS_APPROACH | GDYN_PASS_CLEARANCE };
/* The next trajectory of the instance, which takes these passes (sum of gdyn_pass). */
gdyn_status gdyn_examine_next(gdyn_examination *e, unsigned passes, const gdyn_sink *sink);
void gdyn_examination_free(gdyn_examination *e);
/* The machine is assembled and follows all trajectories, without singular pose or interference. */
bool gdyn_examination_good(const gdyn_examination *e);
