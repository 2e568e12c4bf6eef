/* simulation.h - reader of `simulate:` (internal). */
#ifndef GDYN_CASEFILE_SIMULATION_H
#define GDYN_CASEFILE_SIMULATION_H

#include "casefile/reader.h"

/* A formula in t, or a table [[t, value], ...]: linear between its rows, or (smooth) the natural cubic spline. NULL after a
 * complaint. */
const gdyn_expr *gdyn_read_signal(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension,
                                  bool smooth);
void gdyn_read_simulation(gdyn_reader *r, const gdyn_node *root);

#endif
