/* adopt.h - evaluated designs of one study taken over by another one of the same machine.
 *
 * Bounds, objectives and constraints may differ. A design still applies when the machine that it describes, and all
 * that was computed of it, are what an evaluation in the new study would give, bit by bit:
 *   - the texts of both cases agree but for `name`, `about`, `expect`, `optimize`, the bounds of design variables, and
 *     the values of parameters that are a variable in either case;
 *   - every parameter has the same value in both, the variables of the design in force;
 *   - its variables lie within the new bounds (on the new choices);
 *   - trajectories without stated points were evaluated for the same criteria, which decide where points are inserted;
 *   - every value that a new formula names is known. A design that failed applies if the new formulas name the same
 *     values as the old ones; one whose definition failed never does: its distance refers to the bounds. */
#ifndef GDYN_STUDY_ADOPT_H
#define GDYN_STUDY_ADOPT_H

#include "study/study.h"

/* What became of a design. */
typedef enum gdyn_adoption {
    GDYN_ADOPTED,
    GDYN_ADOPT_OUTSIDE,   /* beyond the new bounds */
    GDYN_ADOPT_PARAMETER, /* a parameter would have another value */
    GDYN_ADOPT_POINTS,    /* points of a trajectory were chosen for other criteria */
    GDYN_ADOPT_VALUE,     /* a formula names a value that was not computed */
    GDYN_ADOPT_FAILED,    /* it failed, and other values are named now */
    GDYN_ADOPTIONS
} gdyn_adoption;

/* "beyond the bounds", ... */
const char *gdyn_adoption_text(gdyn_adoption adoption);

typedef struct gdyn_adopted {
    gdyn_archive archive;      /* designs of the new study, serial numbers of the old one */
    int count[GDYN_ADOPTIONS]; /* what became of the designs of the old archive */
} gdyn_adopted;

/* Whether the cases of both studies describe one machine. *difference: "" or what differs in the first lines that do,
 * "'... x: 2 ...' and '... x: 3 ...'"; to be freed. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_adopt_compare(const gdyn_study *from, const gdyn_study *study,
                               gdyn_text *difference);
/* Takes over what applies, after gdyn_adopt_compare found no difference. To be cleared also on failure. */
gdyn_status gdyn_adopt(const gdyn_study *from, const gdyn_archive *archive, const gdyn_study *study,
                       gdyn_adopted *adopted);
void gdyn_adopted_clear(gdyn_adopted *adopted);

#endif
