/* forces.c - springs, dampers, constant loads, friction, process forces; prescribed motions. */
#include "casefile/check.h"
#include "casefile/machine.h"
#include "casefile/values.h"

#include <stdio.h>
#include <string.h>

static const struct {
    unsigned part;
    const char *key;
} keys[] = {
    {GDYN_TAKES_AT, "at"},           {GDYN_TAKES_BETWEEN, "between"},
    {GDYN_TAKES_OF, "of"},           {GDYN_TAKES_STIFFNESS, "stiffness"},
    {GDYN_TAKES_REST, "rest"},       {GDYN_TAKES_VISCOUS, "viscous"},
    {GDYN_TAKES_COULOMB, "coulomb"}, {GDYN_TAKES_STICTION, "stiction"},
    {GDYN_TAKES_FORCE, "force"},     {GDYN_TAKES_TORQUE, "torque"},
    {GDYN_TAKES_AXES, "in"},         {GDYN_TAKES_MAGNITUDE, "magnitude"},
};

static void check_keys(gdyn_reader *r, const gdyn_node *node, gdyn_force_kind kind) {
    const gdyn_force_traits *traits = gdyn_force_traits_of(kind);
    const char *type = gdyn_force_kind_names[kind], *place = NULL;
    char takes_no[60];
    gdyn_kind_words words = {"force", type, takes_no, "leave it out"};
    snprintf(takes_no, sizeof takes_no, "a %s force takes no", type);
    /* Each key: whether the kind takes it, whether it must. */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        gdyn_node *value =
            gdyn_check_key(r, node, keys[i].key, gdyn_force_takes(kind, keys[i].part),
                           traits->must & keys[i].part, &words);
        /* Keys of places exclude each other. */
        if (!value || !(traits->place & keys[i].part))
            continue;
        if (place)
            gdyn_read_error(r, value, NULL, GDYN_CODE_CONFLICT "'%s' and '%s' exclude each other",
                            place, keys[i].key);
        place = keys[i].key;
    }
    if (!place)
        gdyn_log_node(r->log, GDYN_ERROR, node->name,
                      traits->place == GDYN_TAKES_OF   ? "state of: body.P"
                      : traits->place == GDYN_TAKES_AT ? "state at: joint"
                                                       : "state at: joint or between: [a.P, b.Q]",
                      GDYN_CODE_MISSING "force '%s' (%s) does not say where it acts",
                      node->name->text, type);
}

/* Planar: a number about z; spatial: a vector. */
static void read_torque(gdyn_reader *r, gdyn_node *node, double out[3]) {
    if (r->space == GDYN_PLANAR && node->kind == GDYN_NODE_SCALAR)
        gdyn_read_value(r, node, GDYN_DIM_TORQUE, &out[2]);
    else
        gdyn_read_list(r, node, 3, GDYN_DIM_TORQUE, out);
}

static void read_load(gdyn_reader *r, const gdyn_node *node, gdyn_force_def *def) {
    gdyn_node *force = gdyn_node_get(node, "force"), *torque = gdyn_node_get(node, "torque");
    /* Process forces have a magnitude only. */
    if (gdyn_force_takes(def->kind, GDYN_TAKES_MAGNITUDE)) {
        gdyn_node *other = gdyn_node_find(node, "magnitude");
        if (force && other)
            gdyn_read_error(r, other, NULL,
                            GDYN_CODE_CONFLICT "'magnitude' and 'force' are the same thing");
        def->magnitude =
            gdyn_read_number(r, node, force ? "force" : "magnitude", GDYN_DIM_FORCE, 0.0);
        return;
    }
    if (force)
        gdyn_read_vector(r, force, GDYN_DIM_FORCE, def->force);
    if (torque)
        read_torque(r, torque, def->torque);
    def->in_body = gdyn_node_is(gdyn_node_get(node, "in"), "body");
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
    def.joint = GDYN_NONE;
    /* Where it acts: at a joint, between points, on a point. */
    gdyn_node *at = gdyn_node_get(node, "at"), *between = gdyn_node_get(node, "between");
    gdyn_node *of = gdyn_node_get(node, "of");
    bool slides = true, sure = true;
    if (at)
        sure = gdyn_read_joint(r, at, &def.joint, &def.freedom, &slides);
    if (between)
        gdyn_read_anchors(r, between, &def.a, &def.b);
    if (of)
        gdyn_read_anchor(r, of, &def.a);
    /* Coefficients need to know whether the coordinate slides. */
    if (sure) {
        def.stiffness = gdyn_read_number(r, node, "stiffness", gdyn_dim_stiffness(slides), 0.0);
        def.rest = gdyn_read_number(r, node, "rest", gdyn_dim_coordinate(slides), 0.0);
        def.viscous = gdyn_read_number(r, node, "viscous", gdyn_dim_viscous(slides), 0.0);
        def.coulomb = gdyn_read_number(r, node, "coulomb", gdyn_dim_effort(slides), 0.0);
        def.stiction = gdyn_read_stiction(r, node, gdyn_dim_effort(slides), def.coulomb);
    }
    if (gdyn_force_takes(def.kind, GDYN_TAKES_FORCE))
        read_load(r, node, &def);
    if (gdyn_machine_add_force(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}

static void read_motion(gdyn_reader *r, const gdyn_node *node) {
    gdyn_motion_def def = gdyn_motion_default();
    gdyn_node *at = gdyn_node_get(node, "at"), *formula = gdyn_node_get(node, "displacement");
    bool slides = false, sure = false;
    def.name = node->name->text;
    if (at)
        sure = gdyn_read_joint(r, at, &def.joint, &def.freedom, &slides);
    /* The formula has the unit of the coordinate. */
    if (formula)
        def.displacement = gdyn_read_signal(
            r, formula, sure ? gdyn_dim_coordinate(slides) : GDYN_DIM_UNKNOWN, true);
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
