/* machine.h - readers of the machine's sections (internal). */
#ifndef GDYN_CASEFILE_MACHINE_H
#define GDYN_CASEFILE_MACHINE_H

#include "casefile/reader.h"
#include "model/kinds.h"

/* Each section may refer to those before it: bodies, joints, drives, forces. */
void gdyn_read_machine(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_joints(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_drives(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_forces(gdyn_reader *r, const gdyn_node *machine);
/* machine.limits; joints are known (limits.c). */
void gdyn_read_limits(gdyn_reader *r, const gdyn_node *machine);
/* `speed` of a trajectory whose range of p is known. */
void gdyn_read_path_speed(gdyn_reader *r, const gdyn_node *trajectory, gdyn_path_def *def);
/* Which pairs of shapes are compared (pairs.c); all shapes are known. */
void gdyn_read_pairs(gdyn_reader *r, const gdyn_node *machine);

/* Ranges and cones, after the joint or drive was added with that index (ranges.c). */
bool gdyn_reserve_ranges(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_joint_ranges(gdyn_reader *r, const gdyn_node *node, int index);
void gdyn_read_drive_range(gdyn_reader *r, const gdyn_node *node, int index, const char *name,
                           gdyn_coordinate along);
/* The range of that name: "elbow", "elbow.slide", "winch", "ball.cone"; -1: there is none. */
int gdyn_find_range(const gdyn_reader *r, const char *name);

/* Unit of a drive's limits, "" where it could not be read. */
const char *gdyn_drive_unit(const gdyn_drive_source *source);

/* shapes.c: shapes of a body or of the ground (one or a list), added to the machine; their
 * number, *shapes: the definitions. */
int gdyn_read_shapes(gdyn_reader *r, gdyn_node *node, int body, gdyn_shape_def **shapes);
/* Shapes of a body and, where it states a density or material, its mass, centre and inertia. */
void gdyn_read_body_solid(gdyn_reader *r, const gdyn_node *node, int body, gdyn_body_def *def);
/* The line of a drive that states a radius. */
void gdyn_read_drive_shape(gdyn_reader *r, const gdyn_node *node, int index,
                           const gdyn_drive_def *drive);

#endif
