/* machine.c - the definitions: their defaults, and the lists of a machine; every add copies. */
#include "model/data.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* --- defaults -------------------------------------------------------------------------------- */

/* At the origin, without mass. */
gdyn_body_def gdyn_body_default(void) {
    return (gdyn_body_def){.mass = 0};
}

/* Of the ground with itself, to be filled in. */
gdyn_joint_def gdyn_joint_default(void) {
    return (gdyn_joint_def){.a.body = GDYN_GROUND,
                            .b.body = GDYN_GROUND,
                            .ratio = 1,
                            .joint_a = GDYN_NONE,
                            .joint_b = GDYN_NONE};
}

/* Limits have to be given: NaN is none. */
gdyn_drive_def gdyn_drive_default(void) {
    return (gdyn_drive_def){.joint = GDYN_NONE,
                            .a.body = GDYN_GROUND,
                            .b.body = GDYN_GROUND,
                            .min = NAN,
                            .max = NAN,
                            .speed_max = INFINITY,
                            .rate = INFINITY,
                            .ratio = 1};
}

/* On the ground, to be filled in. */
gdyn_force_def gdyn_force_default(void) {
    return (gdyn_force_def){.joint = GDYN_NONE, .a.body = GDYN_GROUND, .b.body = GDYN_GROUND};
}

gdyn_motion_def gdyn_motion_default(void) {
    return (gdyn_motion_def){.joint = GDYN_NONE};
}

/* Without bounds. */
gdyn_range_def gdyn_range_default(void) {
    return (gdyn_range_def){
        .joint = GDYN_NONE, .drive = GDYN_NONE, .min = -INFINITY, .max = INFINITY};
}

/* Of no joint, without bounds. */
gdyn_limit_def gdyn_limit_default(void) {
    return (gdyn_limit_def){.joint = GDYN_NONE, .bound = {INFINITY, INFINITY, INFINITY}};
}

/* A point without size. */
gdyn_shape_def gdyn_shape_default(void) {
    return (gdyn_shape_def){.drive = GDYN_NONE, .R = {[0] = 1, [4] = 1, [8] = 1}};
}

/* --- lists ----------------------------------------------------------------------------------- */

/* A list of the machine, where it stands; texts of a definition that are copied: none, its name,
 * which stands first, or another one, too. */
typedef struct sort {
    size_t list, count, size, text[2];
    int texts;
} sort;

enum { BODIES, JOINTS, DRIVES, FORCES, MOTIONS, RANGES, LIMITS, SHAPES, PAIRS, SORTS };
#define PLACE(list, count, type)                                                                   \
    offsetof(gdyn_machine, list), offsetof(gdyn_machine, count), sizeof(type)

static const sort sorts[SORTS] = {
    [BODIES] = {PLACE(body, bodies, gdyn_body_def), {0}, 1},
    [JOINTS] = {PLACE(joint, joints, gdyn_joint_def), {0}, 1},
    [DRIVES] = {PLACE(drive, drives, gdyn_drive_def), {0}, 1},
    [FORCES] = {PLACE(force, forces, gdyn_force_def), {0}, 1},
    [MOTIONS] = {PLACE(motion, motions, gdyn_motion_def), {0}, 1},
    [RANGES] = {PLACE(range, ranges, gdyn_range_def), {0, offsetof(gdyn_range_def, stated)}, 2},
    [LIMITS] = {PLACE(limit, limits, gdyn_limit_def), {0, offsetof(gdyn_limit_def, stated)}, 2},
    [SHAPES] = {PLACE(shape, shapes, gdyn_shape_def), {0}, 0},
    [PAIRS] = {PLACE(pair, pairs, gdyn_pair_def), {0}, 0},
};

/* Definition i of a list. */
static char *item_of(const gdyn_machine *machine, int which, int i) {
    char *list;
    memcpy(&list, (const char *)machine + sorts[which].list, sizeof list);
    return list ? list + (size_t)i * sorts[which].size : NULL;
}

static int *count_of(const gdyn_machine *machine, int which) {
    return (int *)((char *)machine + sorts[which].count);
}

gdyn_machine *gdyn_machine_create(gdyn_space space, const double gravity[3]) {
    gdyn_arena *arena;
    gdyn_machine *machine = gdyn_arena_begin(&arena, sizeof *machine);
    if (!machine)
        return NULL;
    *machine = (gdyn_machine){.space = space, .length = NAN, .arena = arena};
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
    for (int which = 0; which < SORTS; which++)
        gdyn_free(item_of(machine, which, 0));
    gdyn_arena_destroy(machine->arena);
}

/* A copy of the definition at the end of its list, with texts of its own; its index, -1: memory. */
static int add(gdyn_machine *machine, int which, const void *def) {
    const sort *s = &sorts[which];
    int *count = count_of(machine, which);
    if (!gdyn_reserve((char *)machine + s->list, &machine->capacity[which], *count + 1, s->size))
        return -1;
    char *copy = memcpy(item_of(machine, which, *count), def, s->size);
    for (int i = 0; i < s->texts; i++) {
        const char **text = (const char **)(copy + s->text[i]);
        if (*text && !(*text = gdyn_arena_strdup(machine->arena, *text)))
            return -1;
    }
    return (*count)++;
}

int gdyn_machine_add_body(gdyn_machine *machine, const gdyn_body_def *def) {
    return add(machine, BODIES, def);
}

int gdyn_machine_add_joint(gdyn_machine *machine, const gdyn_joint_def *def) {
    return add(machine, JOINTS, def);
}

int gdyn_machine_add_drive(gdyn_machine *machine, const gdyn_drive_def *def) {
    gdyn_drive_def copy = *def;
    /* the torque-speed line, too */
    if (copy.curve_points > 0) {
        size_t count = 2 * (size_t)copy.curve_points;
        double(*curve)[2] = gdyn_arena_alloc(machine->arena, count, sizeof(double));
        if (!curve)
            return -1;
        memcpy(curve, def->curve, count * sizeof(double));
        copy.curve = (const double(*)[2])curve;
    }
    return add(machine, DRIVES, &copy);
}

int gdyn_machine_add_force(gdyn_machine *machine, const gdyn_force_def *def) {
    return add(machine, FORCES, def);
}

int gdyn_machine_add_motion(gdyn_machine *machine, const gdyn_motion_def *def) {
    return add(machine, MOTIONS, def);
}

int gdyn_machine_add_range(gdyn_machine *machine, const gdyn_range_def *def) {
    return add(machine, RANGES, def);
}

int gdyn_machine_add_limit(gdyn_machine *machine, const gdyn_limit_def *def) {
    return add(machine, LIMITS, def);
}

int gdyn_machine_add_shape(gdyn_machine *machine, const gdyn_shape_def *def) {
    return add(machine, SHAPES, def);
}

int gdyn_machine_add_pair(gdyn_machine *machine, const gdyn_pair_def *def) {
    return add(machine, PAIRS, def);
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
    for (int which = 0; which < SORTS; which++)
        for (int i = 0; ok && i < *count_of(machine, which); i++) {
            const void *def = item_of(machine, which, i);
            ok = (which == DRIVES ? gdyn_machine_add_drive(copy, def) : add(copy, which, def)) >= 0;
        }
    if (ok)
        return copy;
    gdyn_machine_destroy(copy);
    return NULL;
}
