/* forces.c - springs, dampers, constant loads, friction, process forces; prescribed motions. */
#include "casefile/reader.h"

#include <stdio.h>
#include <string.h>

static void check_keys(gdyn_reader *r, const gdyn_node *node, gdyn_force_kind kind) {
    const gdyn_force_traits *traits = gdyn_force_traits_of(kind);
    const char *type = gdyn_force_kind_names[kind], *place = NULL;
    char takes_no[60];
    gdyn_kind_words words = {type, takes_no, "leave it out"};
    snprintf(takes_no, sizeof takes_no, "a %s force takes no", type);
    gdyn_check_parts(r, node, &gdyn_schema_force, traits->place | traits->may | traits->must,
                     traits->must, &words);
    /* Keys of places exclude each other. */
    for (const gdyn_field *f = gdyn_schema_force.field; f->key; f++) {
        gdyn_node *value = traits->place & f->part ? gdyn_node_find(node, f->key) : NULL;
        if (value && place)
            gdyn_read_error(r, value, NULL, GDYN_CODE_CONFLICT "'%s' and '%s' exclude each other",
                            place, f->key);
        if (value)
            place = f->key;
    }
    if (!place)
        gdyn_log_node(r->log, GDYN_ERROR, node->name,
                      traits->place == GDYN_TAKES_OF   ? "state of: body.P"
                      : traits->place == GDYN_TAKES_AT ? "state at: joint"
                                                       : "state at: joint or between: [a.P, b.Q]",
                      GDYN_CODE_MISSING "force '%s' (%s) does not say where it acts",
                      node->name->text, type);
}

/* `force` is the vector of a constant force, and another word for the magnitude of a process
 * force. */
static void read_load(gdyn_reader *r, const gdyn_node *node, gdyn_force_def *def) {
    gdyn_node *force = gdyn_node_get(node, "force"), *torque = gdyn_node_get(node, "torque");
    bool process = gdyn_force_takes(def->kind, GDYN_TAKES_MAGNITUDE);
    gdyn_node *other = process && force ? gdyn_node_find(node, "magnitude") : NULL;
    if (other)
        gdyn_read_error(r, other, NULL,
                        GDYN_CODE_CONFLICT "'magnitude' and 'force' are the same thing");
    if (force && process)
        gdyn_read_value(r, force, GDYN_DIM_FORCE, &def->magnitude);
    else if (force)
        gdyn_read_vector(r, force, GDYN_DIM_FORCE, def->force);
    /* planar: a number about z; spatial: a vector */
    if (torque && !process && r->space == GDYN_PLANAR && torque->kind == GDYN_NODE_SCALAR)
        gdyn_read_value(r, torque, GDYN_DIM_TORQUE, &def->torque[2]);
    else if (torque && !process)
        gdyn_read_list(r, torque, 3, GDYN_DIM_TORQUE, def->torque);
}

static void read_force(gdyn_reader *r, const gdyn_node *node) {
    /* The kind decides what may stand there. */
    gdyn_force_def def = gdyn_force_default();
    int kind = gdyn_read_word(node, "type", gdyn_force_kind_names, -1);
    if (kind < 0)
        return;
    if (r->checking)
        check_keys(r, node, (gdyn_force_kind)kind);
    def.name = node->name->text;
    def.kind = (gdyn_force_kind)kind;
    /* Where it acts: at a joint, or between points, whose distance is a length; a point is a
     * field. */
    gdyn_node *at = gdyn_node_get(node, "at"), *between = gdyn_node_get(node, "between");
    gdyn_coordinate along = GDYN_COORDINATE_SLIDES;
    if (at)
        gdyn_read_joint(r, at, &def.joint, &def.freedom, &along);
    if (between)
        gdyn_read_anchors(r, between, &def.a, &def.b);
    gdyn_read_fields(r, node, &gdyn_schema_force, along, &def);
    def.stiction =
        gdyn_read_stiction(r, node, gdyn_dimension_along(GDYN_D_EFFORT, along), def.coulomb);
    if (gdyn_force_takes(def.kind, GDYN_TAKES_FORCE))
        read_load(r, node, &def);
    if (gdyn_machine_add_force(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}

static void read_motion(gdyn_reader *r, const gdyn_node *node) {
    gdyn_motion_def def = gdyn_motion_default();
    gdyn_node *at = gdyn_node_get(node, "at"), *formula = gdyn_node_get(node, "displacement");
    gdyn_coordinate along = GDYN_COORDINATE_UNKNOWN;
    def.name = node->name->text;
    if (at)
        gdyn_read_joint(r, at, &def.joint, &def.freedom, &along);
    /* The formula has the unit of the coordinate. */
    if (formula)
        def.displacement =
            gdyn_read_signal(r, formula, gdyn_dimension_along(GDYN_D_COORDINATE, along), true);
    if (gdyn_machine_add_motion(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}

static void read_each(gdyn_reader *r, const gdyn_node *map,
                      void (*read)(gdyn_reader *, const gdyn_node *)) {
    for (int i = 0; map && map->kind == GDYN_NODE_MAPPING && i < map->count; i++)
        if (map->item[i]->kind == GDYN_NODE_MAPPING)
            read(r, map->item[i]);
}

void gdyn_read_forces(gdyn_reader *r, const gdyn_node *machine) {
    read_each(r, gdyn_node_get(machine, "forces"), read_force);
    read_each(r, gdyn_node_get(machine, "motions"), read_motion);
}
