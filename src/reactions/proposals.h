/* proposals.h - joint changes that make a machine exactly constrained.
 *
 * A change replaces a joint by one that holds less (a hinge by a ball, a wheel left off). It is
 * proposed when the model rebuilt with it has no redundant constraint left and the same mobility:
 * the rows given up were exactly the redundant ones. Fewest changes first; a joint is left out
 * only when no replacements do (a wheel may always be). */
#pragma once

#include "reactions/reactions.h"

enum { GDYN_CHANGES_MOST = 4, GDYN_CHANGED_MOST = 24, GDYN_PROPOSALS_MOST = 200 };

typedef struct gdyn_joint_change {
    int joint;
    gdyn_joint_def def; /* what it becomes; names borrowed from the model */
    bool removed;
    int released; /* rows given up */
    int sort;     /* joints of one type with the same sort are changed alike */
} gdyn_joint_change;

/* How the changed machine follows the trajectories of the case (trajectory/guess.h). */
typedef enum gdyn_proposal_outcome {
    GDYN_PROPOSAL_UNCHECKED, /* default; there are none */
    GDYN_PROPOSAL_PASSES,    /* all of them, as far as the machine itself */
    /* one prescribes a coordinate that the changed machine has not; no other jams */
    GDYN_PROPOSAL_NO_PATH,
    GDYN_PROPOSAL_STOPS, /* on one it does not come so far: it jams */
    /* on one its constraints lose rank where those of the machine itself do not */
    GDYN_PROPOSAL_LOSES_RANK,
    GDYN_PROPOSAL_OUTCOMES /* their number */
} gdyn_proposal_outcome;

typedef struct gdyn_proposal {
    int count;
    gdyn_joint_change change[GDYN_CHANGED_MOST];
    bool alike; /* several joints are changed in the same way */
    gdyn_proposal_outcome outcome;
    int trajectory; /* on which it jams, or that cannot be followed */
    double jam_p;   /* p of the first such place */
} gdyn_proposal;

static inline bool gdyn_proposal_jams(const gdyn_proposal *proposal) {
    return proposal->outcome >= GDYN_PROPOSAL_STOPS;
}

typedef struct gdyn_proposals {
    int count;
    /* count: fewest changes first, changes alike behind them; those that jam last */
    gdyn_proposal *proposal;
    int fewest;         /* changes of the first one that is not alike, or of the first */
    int rank, mobility; /* of the machine, and of every proposal's */
    int redundancy;     /* of the machine as it is */
    int tried;          /* combinations judged */
    /* every combination of up to GDYN_CHANGES_MOST changes was judged, up to one more than the
     * fewest that do, and none was left out of the list */
    bool complete;
} gdyn_proposals;

/* At a closed pose that should be regular: what is redundant there only by chance is redundant here
 * too. */
gdyn_status gdyn_proposals_find(const gdyn_state *state, gdyn_proposals *out);
void gdyn_proposals_free(gdyn_proposals *proposals);
/* Direction of the new joint, what it is ("axis", "normal") and the body in whose frame; NULL when
 * it has none. */
const double *gdyn_joint_change_direction(const gdyn_model *model, const gdyn_joint_change *change,
                                          const char **what, int *body);
/* "hinge2: revolute -> point_on_line, axis [0, 0, 1] of frame", into out, which it returns. */
const char *gdyn_proposal_text(const gdyn_model *model, const gdyn_joint_change *change, char *out,
                               size_t size);
/* The model with the changes made; NULL when a definition is rejected or memory is out. */
gdyn_model *gdyn_proposal_model(const gdyn_model *model, int count,
                                const gdyn_joint_change *changes);
/* The changed model with its bodies in the places of `pose`; NULL: memory is out. */
gdyn_state *gdyn_proposal_state(const gdyn_model *changed, const gdyn_state *pose);
/* Number of a joint in the changed model; -1: it is left out. */
int gdyn_proposal_joint(int joint, int count, const gdyn_joint_change *changes);

/* What a joint may become (internal to reactions). */

enum { GDYN_OPTIONS_MOST = 16 };

/* Changes of a joint at a pose that release it, gentlest first, leaving it out last; their number.
 * What drives, springs, gears and motions refer to stays. */
int gdyn_joint_changes(const gdyn_state *state, int joint,
                       gdyn_joint_change list[GDYN_OPTIONS_MOST]);
