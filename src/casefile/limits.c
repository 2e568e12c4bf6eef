/* limits.c - limits of motions that belong to no drive: machine.limits, and the speed of a
 * trajectory. */
#include "casefile/reader.h"
#include "mech/limits.h"
#include "base/pi.h"

#include <math.h>
#include <string.h>

/* --- machine.limits --------------------------------------------------------------------------- */

/* The bound of one kind; false after a complaint. */
static bool read_bound(gdyn_reader *r, gdyn_node *value, const gdyn_limit_kind *kind,
                       gdyn_coordinate along, gdyn_limit_def *def) {
    double factor, *bound = &def->bound[kind->derivative - 1];
    gdyn_dimension dimension;
    gdyn_unit_parse(kind->unit[along == GDYN_COORDINATE_SLIDES], &factor, &dimension);
    if (!gdyn_read_limit(r, value, dimension, bound))
        return false;
    return *bound > 0 ||
           gdyn_read_error(r, value, NULL, GDYN_CODE_RANGE "the %s of limit '%s' must be positive",
                           kind->quantity, def->name);
}

static void read_limit(gdyn_reader *r, const gdyn_node *node) {
    gdyn_limit_def def = gdyn_limit_default();
    const char *name = node->name->text;
    gdyn_node *joint = gdyn_node_get(node, "joint");
    gdyn_coordinate along;
    int count = 0;
    bool good = true;
    def.name = name;
    def.stated = gdyn_place_text(r, node);
    if (!joint || !gdyn_read_joint(r, joint, &def.joint, &def.freedom, &along))
        return;
    for (int kind = 0; kind < GDYN_LIMIT_KINDS; kind++) {
        const char *key = gdyn_limit_kinds[kind].key;
        gdyn_node *value = key ? gdyn_node_get(node, key) : NULL;
        count += value != NULL;
        good = (!value || read_bound(r, value, &gdyn_limit_kinds[kind], along, &def)) && good;
    }
    if (count == 0)
        gdyn_log_node(r->log, GDYN_ERROR, node,
                      "for example {joint: elbow, acceleration: 20 rad/s^2}",
                      GDYN_CODE_MISSING "limit '%s' has no speed, acceleration or jerk", name);
    else if (good && (!def.stated || gdyn_machine_add_limit(r->machine, &def) < 0))
        gdyn_out_of_memory(r);
}

void gdyn_read_limits(gdyn_reader *r, const gdyn_node *machine) {
    gdyn_read_each(r, machine, "limits", read_limit);
}

/* --- trajectories.NAME.speed ------------------------------------------------------------------ */

/* {from, to, min, max}; false after a complaint. */
static bool read_stretch(gdyn_reader *r, gdyn_node *node, gdyn_dimension p, gdyn_path_speed *own) {
    gdyn_dimension speed = gdyn_dimension_product(p, GDYN_DIM_TIME, -1);
    *own = (gdyn_path_speed){.from = -INFINITY, .to = INFINITY, .stated = gdyn_place_text(r, node)};
    if (node->kind != GDYN_NODE_MAPPING)
        return gdyn_read_error(r, node, "write speed: {max: 0.5 m/s}",
                               GDYN_CODE_SHAPE "expected bounds of the speed");
    static const char *const keys[] = {"from", "to", "min", "max"};
    double *const value[] = {&own->from, &own->to, &own->min, &own->max};
    for (int k = 0; k < 4; k++) {
        gdyn_node *item = gdyn_node_find(node, keys[k]);
        if (item && !gdyn_read_value(r, item, k < 2 ? p : speed, value[k]))
            return false;
    }
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
    int count;
    gdyn_node *const *item = gdyn_node_items(&node, &count);
    gdyn_path_speed *speed = gdyn_reader_alloc(r, (size_t)count + 1, sizeof *speed);
    gdyn_dimension p = gdyn_path_dimension_of_p(def);
    for (int i = 0; speed && i < count; i++)
        if (read_stretch(r, item[i], p, &speed[def->speeds]))
            def->speeds++;
    def->speed = speed;
}

/* --- ranges of joints and drives, cones of joints --------------------------------------------- */

/* Adds a definition that stands at the node to the machine, and its name to those that formulas
 * may use. */
static void add(gdyn_reader *r, const gdyn_node *node, gdyn_range_def *def, gdyn_coordinate along) {
    gdyn_range_entry *entry = &r->range[r->ranges++];
    *entry = (gdyn_range_entry){def->name, along};
    def->stated = gdyn_place_text(r, node);
    if (!def->name || !def->stated || gdyn_machine_add_range(r->machine, def) < 0)
        gdyn_out_of_memory(r);
}

/* min and max of a mapping, at least one of them; false after a complaint. */
static bool read_ends(gdyn_reader *r, gdyn_node *node, gdyn_coordinate along, gdyn_range_def *def) {
    /* A range without ends says nothing. */
    if (!gdyn_node_get(node, "min") && !gdyn_node_get(node, "max"))
        return gdyn_read_error(
            r, node, "write range: {min: ..., max: ...}; one of them may be left out",
            GDYN_CODE_RANGE "the range of '%s' has neither min nor max", def->name);
    bool good = gdyn_read_fields(r, node, &gdyn_schema_range, along, def);
    if (good && !(def->min < def->max))
        return gdyn_read_error(
            r, node, NULL, GDYN_CODE_RANGE "the range of '%s' is empty: min is not less than max",
            def->name);
    return good;
}

/* --- joints ----------------------------------------------------------------------------------- */

static void read_freedom(gdyn_reader *r, gdyn_node *node, const gdyn_joint_entry *joint, int index,
                         gdyn_freedom freedom) {
    gdyn_range_def def = gdyn_range_default();
    gdyn_coordinate along = gdyn_coordinate_of(gdyn_freedom_slides(freedom));
    /* A joint with one coordinate gives its name, others JOINT.FREEDOM. */
    def.kind = GDYN_RANGE_JOINT;
    def.name = joint->freedoms == 1
                   ? joint->name
                   : gdyn_arena_printf(r->arena, "%s.%s", joint->name, gdyn_freedom_name(freedom));
    def.joint = index;
    def.freedom = freedom;
    if (def.name && read_ends(r, node, along, &def))
        add(r, node, &def, along);
}

/* {min, max} where the joint has one freedom; else {FREEDOM: {min, max}, ...}. */
/* Whether it is clear which coordinates of the joint the range is of; else a complaint. */
static bool range_is_clear(gdyn_reader *r, gdyn_node *node, const gdyn_joint_entry *joint,
                           int ends) {
    if (joint->freedoms == 0)
        gdyn_read_error(r, node, "drives, cables and joints with an angle or slide have ranges",
                        GDYN_CODE_FREEDOM "joint '%s' has no coordinate that could have a range",
                        joint->name);
    else if (ends > 0 && joint->freedoms > 1)
        gdyn_read_error(r, node,
                        gdyn_log_help(r->log, "write range: {%s: {min: ..., max: ...}}",
                                      gdyn_freedom_name(joint->freedom[0])),
                        GDYN_CODE_FREEDOM "joint '%s' has several coordinates: say which",
                        joint->name);
    else if (ends > 0 && ends < node->count)
        gdyn_read_error(r, node, "write range: {min: ..., max: ...}",
                        GDYN_CODE_CONFLICT "the range of joint '%s' mixes ends and coordinates",
                        joint->name);
    else
        return true;
    return false;
}

static void read_joint_range(gdyn_reader *r, gdyn_node *node, const gdyn_joint_entry *joint,
                             int index) {
    /* {min, max} is the range of the only coordinate. */
    int ends = (gdyn_node_find(node, "min") != NULL) + (gdyn_node_find(node, "max") != NULL);
    if (!range_is_clear(r, node, joint, ends))
        return;
    if (joint->freedoms == 1 && (ends > 0 || node->count == 0)) {
        read_freedom(r, node, joint, index, joint->freedom[0]);
        return;
    }
    /* Each key is the name of a coordinate. */
    for (int i = 0; i < node->count; i++) {
        int f = 0;
        while (f < joint->freedoms &&
               strcmp(gdyn_freedom_name(joint->freedom[f]), node->key[i]->text) != 0)
            f++;
        if (f < joint->freedoms && node->item[i]->kind == GDYN_NODE_MAPPING)
            read_freedom(r, node->item[i], joint, index, joint->freedom[f]);
        else if (f == joint->freedoms)
            gdyn_read_error(r, node->item[i], NULL,
                            GDYN_CODE_FREEDOM "joint '%s' has no coordinate '%s'", joint->name,
                            node->key[i]->text);
    }
}

/* {angle: 35 deg, axis: [0, 0, 1]}, or axes: one in the frame of each body. */
static void read_cone(gdyn_reader *r, gdyn_node *node, const gdyn_joint_entry *joint, int index) {
    gdyn_range_def def = gdyn_range_default();
    gdyn_node *angle = gdyn_node_get(node, "angle"), *axis = gdyn_node_get(node, "axis");
    gdyn_node *axes = gdyn_node_get(node, "axes");
    /* A cone is a range of an angle that begins at 0. */
    def.kind = GDYN_RANGE_CONE;
    def.min = 0;
    def.name = gdyn_arena_printf(r->arena, "%s.cone", joint->name);
    def.joint = index;
    /* One direction for both bodies, or one for each. */
    bool pair = axes && axes->kind == GDYN_NODE_SEQUENCE && axes->count == 2;
    if (!angle || (axis != NULL) == pair) {
        gdyn_read_error(r, node,
                        "write cone: {angle: 35 deg, axis: [0, 0, 1]}; axes: [[...], [...]] gives "
                        "the direction in the frame of each body",
                        GDYN_CODE_RANGE "the cone of joint '%s' needs an angle and a direction",
                        joint->name);
        return;
    }
    bool good = gdyn_read_value(r, angle, GDYN_DIM_NONE, &def.max) &&
                gdyn_read_vector(r, pair ? axes->item[0] : axis, GDYN_DIM_UNKNOWN, def.axis_a) &&
                gdyn_read_vector(r, pair ? axes->item[1] : axis, GDYN_DIM_UNKNOWN, def.axis_b);
    /* Up to half a turn. */
    if (good && !(def.max > 0 && def.max <= GDYN_PI))
        gdyn_read_error(r, angle, "the angle between the directions, up to 180 deg",
                        GDYN_CODE_RANGE "the angle of a cone is above 0 and at most 180 deg");
    else if (good && def.name)
        add(r, node, &def, GDYN_COORDINATE_TURNS);
}

void gdyn_read_joint_ranges(gdyn_reader *r, const gdyn_node *node, int index) {
    const gdyn_joint_entry *joint = &r->joint[index];
    gdyn_node *range = gdyn_node_map(node, "range"), *cone = gdyn_node_map(node, "cone");
    if (joint->known && range)
        read_joint_range(r, range, joint, index);
    if (joint->known && cone)
        read_cone(r, cone, joint, index);
}

/* --- drives ----------------------------------------------------------------------------------- */

void gdyn_read_drive_range(gdyn_reader *r, const gdyn_node *node, int index, const char *name,
                           gdyn_coordinate along) {
    gdyn_node *range = gdyn_node_map(node, "range");
    gdyn_range_def def = gdyn_range_default();
    def.kind = GDYN_RANGE_DRIVE;
    def.name = name;
    def.drive = index;
    /* Joints and drives share the names of ranges in formulas. */
    if (range && gdyn_find_range(r, name) >= 0) {
        gdyn_read_error(r, range, "set it once, or rename the joint or the drive",
                        GDYN_CODE_TWICE
                        "joint and drive '%s' both have a range: formulas could not distinguish "
                        "them",
                        name);
        return;
    }
    if (range && read_ends(r, range, along, &def))
        add(r, range, &def, along);
}

/* --- names ------------------------------------------------------------------------------------ */

bool gdyn_reserve_ranges(gdyn_reader *r, const gdyn_node *machine) {
    const gdyn_node *joints = gdyn_node_get(machine, "joints");
    const gdyn_node *drives = gdyn_node_get(machine, "drives");
    /* A planar joint has three coordinates and a cone, others fewer. */
    size_t most = (joints ? 4 * (size_t)joints->count : 0) + (drives ? (size_t)drives->count : 0);
    r->range = gdyn_reader_alloc(r, most + 1, sizeof *r->range);
    return r->range != NULL;
}

int gdyn_find_range(const gdyn_reader *r, const char *name) {
    return gdyn_find_span(name, strlen(name), r->range, sizeof *r->range, r->ranges);
}
