/* machine.h - readers of the machine's sections (internal). */
#ifndef GDYN_CASEFILE_MACHINE_H
#define GDYN_CASEFILE_MACHINE_H

#include "casefile/reader.h"

/* Each section may refer to those before it: bodies, joints, drives, forces. */
void gdyn_read_machine(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_joints(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_drives(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_forces(gdyn_reader *r, const gdyn_node *machine);

#endif
