/* limits.c - limits of motions that belong to no drive: machine.limits, and the speed of a trajectory. */
#include "casefile/reader.h"
#include "mech/limits.h"

#include <math.h>
#include <string.h>

/* --- machine.limits ------------------------------------------------------------------------------ */

/* The kind whose key the limit has; -1 after a complaint. */
static int kind_of(gdyn_reader *r, gdyn_node *node, const char *name) {
    int found = -1, count = 0;
    for (int kind = 0; kind < GDYN_LIMIT_KINDS; kind++)
        if (gdyn_limit_kinds[kind].key && gdyn_node_find(node, gdyn_limit_kinds[kind].key))
            found = kind, count++;
    if (count == 1)
        return found;
    gdyn_read_error(r, node, "for example {joint: elbow, acceleration: 20 rad/s^2}",
                    GDYN_CODE_MISSING "limit '%s' has %s", name,
                    count ? "more than one quantity" : "no quantity");
    return -1;
}

static void read_limit(gdyn_reader *r, gdyn_node *node, const char *name) {
    gdyn_limit_def def = gdyn_limit_default();
    gdyn_node *joint = gdyn_node_get(node, "joint");
    double factor, bound;
    gdyn_dimension dimension;
    gdyn_coordinate along;
    def.name = name;
    def.kind = kind_of(r, node, name);
    def.stated = gdyn_place_text(r, node);
    if (def.kind < 0 || !joint || !gdyn_read_joint(r, joint, &def.joint, &def.freedom, &along))
        return;
    const gdyn_limit_kind *kind = &gdyn_limit_kinds[def.kind];
    gdyn_node *value = gdyn_node_get(node, kind->key);
    gdyn_unit_parse(kind->unit[along == GDYN_COORDINATE_SLIDES], &factor, &dimension);
    if (!value || !gdyn_read_limit(r, value, dimension, &bound))
        return;
    def.min = -bound;
    def.max = bound;
    if (!(bound > 0))
        gdyn_read_error(r, value, NULL, GDYN_CODE_RANGE "the %s of limit '%s' must be positive",
                        kind->quantity, name);
    else if (!def.stated || gdyn_machine_add_limit(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}

void gdyn_read_limits(gdyn_reader *r, const gdyn_node *machine) {
    const gdyn_node *limits = gdyn_node_get(machine, "limits");
    for (int i = 0; limits && limits->kind == GDYN_NODE_MAPPING && i < limits->count; i++)
        if (limits->item[i]->kind == GDYN_NODE_MAPPING)
            read_limit(r, limits->item[i], limits->key[i]->text);
}

/* --- trajectories.NAME.speed ----------------------------------------------------------------------- */

/* A number of the mapping, if it is there; false after a complaint. */
static bool read_part(gdyn_reader *r, gdyn_node *node, const char *key, gdyn_dimension dimension,
                      double *value) {
    gdyn_node *item = gdyn_node_get(node, key);
    return item ? gdyn_read_value(r, item, dimension, value) : !gdyn_node_find(node, key);
}

/* {from, to, min, max}; false after a complaint. */
static bool read_stretch(gdyn_reader *r, gdyn_node *node, gdyn_dimension p, gdyn_path_speed *own) {
    gdyn_dimension speed = gdyn_dimension_product(p, GDYN_DIM_TIME, -1);
    *own = (gdyn_path_speed){.from = -INFINITY, .to = INFINITY, .stated = gdyn_place_text(r, node)};
    if (node->kind != GDYN_NODE_MAPPING) {
        gdyn_read_error(r, node, "write speed: {max: 0.5 m/s}",
                        GDYN_CODE_SHAPE "expected bounds of the speed");
        return false;
    }
    if (!read_part(r, node, "from", p, &own->from) || !read_part(r, node, "to", p, &own->to) ||
        !read_part(r, node, "min", speed, &own->min) ||
        !read_part(r, node, "max", speed, &own->max))
        return false;
    const char *wrong =
        own->min < 0 || own->max < 0 || (gdyn_node_find(node, "max") && own->max == 0)
            ? "is not positive"
        : own->min == 0 && own->max == 0      ? "has neither min nor max"
        : own->max > 0 && own->min > own->max ? "has a min above its max"
        : !(own->from < own->to)              ? "has an empty stretch: from must be below to"
                                              : NULL;
    if (wrong)
        gdyn_read_error(
            r, node,
            "write speed: {max: 0.5 m/s} or speed: [{from: 0.1 m, to: 0.3 m, max: 0.2 m/s}]",
            GDYN_CODE_RANGE "the bound of the speed %s", wrong);
    return !wrong;
}

void gdyn_read_path_speed(gdyn_reader *r, const gdyn_node *trajectory, gdyn_path_def *def) {
    gdyn_node *node = gdyn_node_get(trajectory, "speed");
    if (!node)
        return;
    bool list = node->kind == GDYN_NODE_SEQUENCE;
    int count = list ? node->count : 1;
    gdyn_path_speed *speed = gdyn_reader_alloc(r, (size_t)count + 1, sizeof *speed);
    gdyn_dimension p = gdyn_path_dimension_of_p(def);
    for (int i = 0; speed && i < count; i++)
        if (read_stretch(r, list ? node->item[i] : node, p, &speed[def->speeds]))
            def->speeds++;
    def->speed = speed;
}
