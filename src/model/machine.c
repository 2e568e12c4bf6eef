/* machine.c - the list of definitions; every add copies. */
#include "model/data.h"

#include <math.h>
#include <string.h>

/* An empty machine. */
gdyn_machine *gdyn_machine_create(gdyn_space space, const double gravity[3]) {
    gdyn_machine *machine = gdyn_alloc(1, sizeof *machine);
    if (!machine)
        return NULL;
    machine->arena = gdyn_arena_create();
    if (!machine->arena) {
        gdyn_free(machine);
        return NULL;
    }
    machine->space = space;
    machine->length = NAN;
    memcpy(machine->gravity, gravity, sizeof machine->gravity);
    return machine;
}

void gdyn_machine_set_length(gdyn_machine *machine, double length) {
    machine->length = length;
}

/* NULL is allowed. */
void gdyn_machine_destroy(gdyn_machine *machine) {
    if (!machine)
        return;
    gdyn_free(machine->body);
    gdyn_free(machine->joint);
    gdyn_free(machine->drive);
    gdyn_free(machine->force);
    gdyn_free(machine->motion);
    gdyn_free(machine->range);
    gdyn_free(machine->limit);
    gdyn_free(machine->shape);
    gdyn_free(machine->pair);
    gdyn_arena_destroy(machine->arena);
    gdyn_free(machine);
}

/* Appends an item of the given size to a list; its index or -1. */
static int append(void **list, int *count, int *capacity, size_t size, const void *item) {
    if (!gdyn_reserve(list, capacity, *count + 1, size))
        return -1;
    memcpy((char *)*list + (size_t)*count * size, item, size);
    return (*count)++;
}

/* Copies a name into the arena; NULL stays NULL. False when memory is out. */
static bool own(gdyn_machine *machine, const char **name) {
    if (!*name)
        return true;
    *name = gdyn_arena_strdup(machine->arena, *name);
    return *name != NULL;
}

/* Copies of definitions, with names of their own; -1: memory. */
int gdyn_machine_add_body(gdyn_machine *machine, const gdyn_body_def *def) {
    gdyn_body_def copy = *def;
    if (!own(machine, &copy.name))
        return -1;
    return append((void **)&machine->body, &machine->bodies, &machine->capacity[0], sizeof copy,
                  &copy);
}

int gdyn_machine_add_joint(gdyn_machine *machine, const gdyn_joint_def *def) {
    gdyn_joint_def copy = *def;
    if (!own(machine, &copy.name))
        return -1;
    return append((void **)&machine->joint, &machine->joints, &machine->capacity[1], sizeof copy,
                  &copy);
}

int gdyn_machine_add_drive(gdyn_machine *machine, const gdyn_drive_def *def) {
    gdyn_drive_def copy = *def;
    if (!own(machine, &copy.name))
        return -1;
    /* the torque-speed line, too */
    if (copy.curve_points > 0) {
        size_t count = 2 * (size_t)copy.curve_points;
        double(*curve)[2] = gdyn_arena_alloc(machine->arena, count, sizeof(double));
        if (!curve)
            return -1;
        memcpy(curve, def->curve, count * sizeof(double));
        copy.curve = (const double(*)[2])curve;
    }
    return append((void **)&machine->drive, &machine->drives, &machine->capacity[2], sizeof copy,
                  &copy);
}

int gdyn_machine_add_force(gdyn_machine *machine, const gdyn_force_def *def) {
    gdyn_force_def copy = *def;
    if (!own(machine, &copy.name))
        return -1;
    return append((void **)&machine->force, &machine->forces, &machine->capacity[3], sizeof copy,
                  &copy);
}

int gdyn_machine_add_motion(gdyn_machine *machine, const gdyn_motion_def *def) {
    gdyn_motion_def copy = *def;
    if (!own(machine, &copy.name))
        return -1;
    return append((void **)&machine->motion, &machine->motions, &machine->capacity[4], sizeof copy,
                  &copy);
}

int gdyn_machine_add_range(gdyn_machine *machine, const gdyn_range_def *def) {
    gdyn_range_def copy = *def;
    if (!own(machine, &copy.name) || !own(machine, &copy.stated))
        return -1;
    return append((void **)&machine->range, &machine->ranges, &machine->capacity[5], sizeof copy,
                  &copy);
}

int gdyn_machine_add_limit(gdyn_machine *machine, const gdyn_limit_def *def) {
    gdyn_limit_def copy = *def;
    if (!own(machine, &copy.name) || !own(machine, &copy.stated))
        return -1;
    return append((void **)&machine->limit, &machine->limits, &machine->capacity[6], sizeof copy,
                  &copy);
}

int gdyn_machine_add_shape(gdyn_machine *machine, const gdyn_shape_def *def) {
    return append((void **)&machine->shape, &machine->shapes, &machine->capacity[7], sizeof *def,
                  def);
}

int gdyn_machine_add_pair(gdyn_machine *machine, const gdyn_pair_def *def) {
    return append((void **)&machine->pair, &machine->pairs, &machine->capacity[8], sizeof *def,
                  def);
}

int gdyn_machine_shapes(const gdyn_machine *machine) {
    return machine->shapes;
}

const gdyn_shape_def *gdyn_machine_shape(const gdyn_machine *machine, int shape) {
    return &machine->shape[shape];
}

/* Definition by definition; NULL: memory. */
gdyn_machine *gdyn_machine_clone(const gdyn_machine *machine) {
    gdyn_machine *copy = gdyn_machine_create(machine->space, machine->gravity);
    if (!copy)
        return NULL;
    copy->length = machine->length;
    bool ok = true;
    for (int i = 0; ok && i < machine->bodies; i++)
        ok = gdyn_machine_add_body(copy, &machine->body[i]) >= 0;
    for (int i = 0; ok && i < machine->joints; i++)
        ok = gdyn_machine_add_joint(copy, &machine->joint[i]) >= 0;
    for (int i = 0; ok && i < machine->drives; i++)
        ok = gdyn_machine_add_drive(copy, &machine->drive[i]) >= 0;
    for (int i = 0; ok && i < machine->forces; i++)
        ok = gdyn_machine_add_force(copy, &machine->force[i]) >= 0;
    for (int i = 0; ok && i < machine->motions; i++)
        ok = gdyn_machine_add_motion(copy, &machine->motion[i]) >= 0;
    for (int i = 0; ok && i < machine->ranges; i++)
        ok = gdyn_machine_add_range(copy, &machine->range[i]) >= 0;
    for (int i = 0; ok && i < machine->limits; i++)
        ok = gdyn_machine_add_limit(copy, &machine->limit[i]) >= 0;
    for (int i = 0; ok && i < machine->shapes; i++)
        ok = gdyn_machine_add_shape(copy, &machine->shape[i]) >= 0;
    for (int i = 0; ok && i < machine->pairs; i++)
        ok = gdyn_machine_add_pair(copy, &machine->pair[i]) >= 0;
    if (!ok) {
        gdyn_machine_destroy(copy);
        return NULL;
    }
    return copy;
}
