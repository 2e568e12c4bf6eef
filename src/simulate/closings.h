/* closings.h - how a machine is closed along its motion: Newton's method, least squares and simplex
 * from the pose of the output before, as many joint coordinates held as the machine has freedoms
 * (Paul 2020, section 5.4, Figs. 16, 17, 20, 21). */
#pragma once

#include "simulate/record.h"

typedef struct gdyn_closings gdyn_closings;

/* Adds the columns closing.METHOD.residual (unit-free), .evaluations (of the constraints),
 * .difference (largest, of a joint coordinate from that of Newton's method [m or rad]) to a record
 * without frames. NULL: memory is out. */
gdyn_closings *gdyn_closings_create(gdyn_record *record);
void gdyn_closings_destroy(gdyn_closings *closings);
/* Closes the machine by each method and fills the columns of the last frame, which is of this
 * state; empty at the first frame, and where a method does not close it. */
gdyn_status gdyn_closings_take(gdyn_closings *closings, const gdyn_state *state);
