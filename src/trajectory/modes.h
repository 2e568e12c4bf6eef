/* modes.h - the poses in which a machine can be assembled while its tools, or its drives, stand
 * where they are.
 *
 * With the tools held these are the working modes (elbow up, elbow down: solutions of the inverse
 * kinematics), with the drives held the assembly modes (of the direct kinematics). */
#pragma once

#include "casefile/casefile.h"
#include "closure/closure.h"

/* What stands still while modes are looked for. */
typedef enum gdyn_mode_held {
    GDYN_HOLD_TOOL,  /* what the trajectory prescribes at its start */
    GDYN_HOLD_DRIVES /* the coordinates of all drives, at the assembled first guess */
} gdyn_mode_held;
extern const char *const gdyn_mode_held_names[]; /* "tool", "drives", NULL */

typedef enum gdyn_mode_start {
    GDYN_MODE_GUESS,
    GDYN_MODE_MIRRORED,
    GDYN_MODE_SAMPLED
} gdyn_mode_start;

typedef struct gdyn_mode {
    gdyn_state *state; /* closed; of the variants the first one, or one that keeps more ranges */
    gdyn_mode_start start; /* what led to it first */
    int variants; /* poses that differ only in how legs are turned about the line of their joints */
    int met;      /* starts that led to it */
    double residual;
    int outside; /* given ranges and cones that the pose is beyond */
    /* motions that are left although tools or drives are held; 0: the pose is isolated */
    int freedom;
    /* trajectories of the case, from this pose on: share of the points that are followed; p of the
     * first singular pose that no motion crosses it, NAN: none */
    double *reach, *blocked;
} gdyn_mode;

typedef struct gdyn_modes_settings {
    gdyn_mode_held held; /* default GDYN_HOLD_TOOL */
    int trajectory;      /* whose start holds the tools; default 0 */
    int samples;         /* starts at random; default 0: as many as it takes, see gdyn_modes_find */
    uint64_t seed;       /* default 1 */
} gdyn_modes_settings;
gdyn_modes_settings gdyn_modes_default(void);

typedef struct gdyn_modes {
    const gdyn_instance *instance; /* borrowed */
    gdyn_mode_held held;
    int trajectory;
    int legs; /* that were mirrored, each by itself and all combinations of the first ten */
    int mirrored, sampled; /* starts tried of these kinds */
    int once;              /* modes that a single random start led to: there may be more of them */
    int tool_poses; /* different poses of the tools of all trajectories; 0: there is no tool */
    int count, capacity;
    gdyn_mode *mode;
    char reason[200]; /* without a mode: what stays open from the first guess, and by how much */
} gdyn_modes;

/* Modes of the machine of an instance, the one of the first guess first where it closes. Starts:
 * the first guess; the first guess with legs mirrored, the first ten legs in all combinations,
 * further ones singly; joint coordinates at random, floating bodies anywhere within reach of their
 * legs and held drives (reach.c). Every start is closed with the tools or drives held; poses that
 * differ by less than 1e-6 (L or rad) are one. Those whose joints are all in the same places, and
 * whose tools are in the same poses, are variants of one mode: a leg between two joints has turned
 * about itself. Random starts (samples = 0) end when there are 200, and five times as many as it
 * took to meet every mode twice; at 20,000, or at 256 modes. A mode that no start leads to is
 * missed. A random start that leads to a pose with a motion left gives a sample of a continuum: it
 * is kept only when there is no mode yet. GDYN_ERROR_ARGUMENT: there is no trajectory (no drive)
 * that could be held. To be freed in any case. */
gdyn_status gdyn_modes_find(const gdyn_instance *instance, const gdyn_modes_settings *settings,
                            const gdyn_sink *sink, gdyn_modes *modes);
void gdyn_modes_free(gdyn_modes *modes);

/* Location of a body as in `pose:`: origin (3) and Cardan angles (3; planar: the angle last). */
void gdyn_state_pose_of(const gdyn_state *state, int body, double origin[3], double cardan[3]);
