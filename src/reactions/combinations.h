/* combinations.h - what is known of reactions that are not: sums of them that the rigid model
 * determines, as the sum of the vertical forces of a door's hinges.
 *
 * With D the changes of the components (and drives) that are not unique in the directions of the
 * family, v^T c is unique exactly when v^T D = 0. Such v are equations of equilibrium. Of the many
 * bases of this space one of few terms is chosen. */
#pragma once

#include "reactions/reactions.h"

typedef struct gdyn_term {
    int component;      /* or r->components + drive */
    double coefficient; /* a number; of forces in a sum of moments [m] */
} gdyn_term;

typedef struct gdyn_combination {
    int terms;
    gdyn_term *term;     /* terms: owned by the list */
    bool moment;         /* the sum is a moment [N m], else a force [N] */
    double value, error; /* of the sum, as gdyn_reactions.value */
} gdyn_combination;

typedef struct gdyn_combinations {
    int count;
    gdyn_combination *list; /* simplest first; none follows from the others */
    gdyn_term *store;
} gdyn_combinations;

/* At the pose of the last gdyn_reactions_values (whose values may be meaningless). Allocates. */
gdyn_status gdyn_combinations_find(const gdyn_reactions *r, gdyn_combinations *out);
void gdyn_combinations_free(gdyn_combinations *combinations);
/* "hinge1.fz", or a drive's name, into out, which it returns. */
const char *gdyn_term_label(const gdyn_reactions *r, const gdyn_term *term, char *out, size_t size);
/* The term is a moment [N m] (a force: [N]). */
bool gdyn_term_is_moment(const gdyn_reactions *r, const gdyn_term *term);
