/* simulation.h - reader of `simulate:` (internal). */
#ifndef GDYN_CASEFILE_SIMULATION_H
#define GDYN_CASEFILE_SIMULATION_H

#include "casefile/reader.h"

void gdyn_read_simulation(gdyn_reader *r, const gdyn_node *root);

#endif
