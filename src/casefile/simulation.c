/* simulation.c - settings of a simulation. */
#include "casefile/reader.h"

#include <math.h>
#include <string.h>

/* A key that only one method (stabilization, integrator: `what`) looks at. */
static void check_key(gdyn_reader *r, const gdyn_node *map, const char *what, const char *key,
                      bool used, const char *owner) {
    const gdyn_node *node = gdyn_node_find(map, key);
    if (node && !used && r->checking)
        gdyn_log_node(r->log, GDYN_WARNING, node->name,
                      gdyn_log_help(r->log, "it belongs to %s", owner),
                      GDYN_CODE_CONFLICT "this %s does not use '%s'", what, key);
}

/* --- start ------------------------------------------------------------------------------------ */

static bool read_velocity_list(gdyn_reader *r, gdyn_node *node, double *u) {
    /* Planar: two speeds and a rate; spatial: three and three. */
    int count = r->space == GDYN_PLANAR ? 3 : 6;
    if (r->checking && !r->space_known)
        return false;
    if (node->kind != GDYN_NODE_SEQUENCE || node->count != count)
        return gdyn_read_error(r, node,
                               count == 3 ? "write [vx, vy, w]" : "write [vx, vy, vz, wx, wy, wz]",
                               GDYN_CODE_SHAPE "a velocity has %d numbers", count);
    bool good = true;
    for (int i = 0; i < count; i++)
        good = gdyn_read_value(
                   r, node->item[i],
                   i < count / 2 + (count == 3) ? GDYN_DIM_SPEED : GDYN_DIM_ANGULAR_SPEED, &u[i]) &&
               good;
    return good;
}

/* Bodies that keep their pose, and the trajectory on which it starts. */
static void read_begin(gdyn_reader *r, const gdyn_node *start, gdyn_simulation_def *def) {
    gdyn_node *hold = gdyn_node_get(start, "hold"), *name = gdyn_node_get(start, "trajectory");
    const gdyn_instance *in = r->instance;
    const char *help = NULL;
    int *list = gdyn_reader_entries(r, hold, GDYN_NODE_SEQUENCE, "write hold: [BODY, ...]",
                                    "a list of bodies", sizeof *list);
    for (int i = 0; list && i < hold->count; i++) {
        const char *text = hold->item[i]->text ? hold->item[i]->text : "";
        int body = gdyn_find_name(r, text, r->body, sizeof *r->body, r->bodies, &help);
        if (body < 0)
            gdyn_read_error(r, hold->item[i], help, GDYN_CODE_UNKNOWN "unknown body '%.60s'", text);
        else
            list[def->kept_count++] = body;
    }
    def->kept = list;
    gdyn_node *p_of = gdyn_node_get(start, "p"),
              *lone = p_of ? p_of : gdyn_node_get(start, "speed");
    if (!name && lone)
        gdyn_read_error(r, lone, "write start: {trajectory: NAME, p: 0.2}",
                        GDYN_CODE_MISSING "the start lacks its trajectory");
    if (!name)
        return;
    def->along = gdyn_find_name(r, name->text, in->trajectory, sizeof *in->trajectory,
                                in->trajectory_count, &help);
    if (def->along < 0) {
        gdyn_read_error(r, name, help, GDYN_CODE_UNKNOWN "unknown trajectory '%.60s'", name->text);
        return;
    }
    const gdyn_path_def *path = &in->trajectory[def->along];
    gdyn_dimension p = gdyn_path_dimension_of_p(path);
    /* a table over time has its own speed */
    bool timed = path->through_p && p.known && gdyn_dimension_fits(p, GDYN_DIM_TIME);
    def->along_p = gdyn_read_number(r, start, "p", p, NAN);
    def->along_speed = gdyn_read_number(
        r, start, "speed", gdyn_dimension_product(p, GDYN_DIM_TIME, -1), timed ? 1 : 0);
}

/* --- outputs ---------------------------------------------------------------------------------- */

static void read_record(gdyn_reader *r, gdyn_node *node, gdyn_simulation_def *def) {
    const char *write = "write record: [BODY.POINT, ...]";
    gdyn_named_point *list =
        gdyn_reader_entries(r, node, GDYN_NODE_SEQUENCE, write, "a list of points", sizeof *list);
    for (int i = 0; list && i < node->count; i++) {
        gdyn_node *item = node->item[i];
        gdyn_named_point *point = &list[def->record_count];
        if (!gdyn_read_anchor(r, item, &point->at))
            continue;
        point->name = item->text;
        /* a body alone has columns of its own */
        if (!strchr(item->text, '.'))
            gdyn_read_error(r, item, write, GDYN_CODE_SHAPE "'%.60s' is a body, not a point",
                            item->text);
        else
            def->record_count++;
    }
    def->record = list;
}

/* --- drives ----------------------------------------------------------------------------------- */

static void read_signals(gdyn_reader *r, gdyn_node *node, gdyn_simulation_def *def) {
    gdyn_drive_signal *list = gdyn_reader_entries(
        r, node, GDYN_NODE_MAPPING, "write {DRIVE: formula in t} or {DRIVE: [[t, force], ...]}",
        "a mapping", sizeof *list);
    /* A formula or a table for each drive. */
    for (int i = 0; list && i < node->count; i++) {
        gdyn_drive_signal *signal = &list[def->signal_count];
        const char *help, *name = node->key[i]->text;
        int drive = gdyn_find_name(r, name, r->drive, sizeof *r->drive, r->drives, &help);
        if (drive < 0) {
            gdyn_read_error(r, node->key[i], help, GDYN_CODE_UNKNOWN "unknown drive '%.60s'", name);
            continue;
        }
        /* Its unit is that of the drive's effort. */
        const gdyn_drive_source *source = r->instance->drive_source;
        const char *unit = source ? gdyn_drive_unit(&source[drive]) : "";
        gdyn_dimension effort = !strcmp(unit, "N")     ? GDYN_DIM_FORCE
                                : !strcmp(unit, "N m") ? GDYN_DIM_TORQUE
                                                       : GDYN_DIM_UNKNOWN;
        signal->drive = drive;
        signal->formula = gdyn_read_signal(r, node->item[i], effort, false);
        if (signal->formula)
            def->signal_count++;
    }
    def->signal = list;
}

void gdyn_read_simulation(gdyn_reader *r, const gdyn_node *root) {
    gdyn_node *simulate = gdyn_node_map(root, "simulate");
    gdyn_simulation_def *def = &r->instance->simulation;
    *def = gdyn_simulation_default();
    if (!simulate || !gdyn_expect_machine(r, root, simulate, "a simulation needs"))
        return;
    gdyn_read_fields(r, simulate, &gdyn_schema_simulate, GDYN_COORDINATE_UNKNOWN, def);
    const gdyn_node *method = gdyn_node_get(simulate, "method");
    check_key(r, method, "method", "drop", def->method == GDYN_SIM_ELIMINATION, "elimination");
    check_key(r, method, "method", "independent", def->method == GDYN_SIM_PARTITION, "partition");
    check_key(r, method, "method", "penalty", def->method == GDYN_SIM_AUGMENTED,
              "augmented_lagrangian");
    check_key(r, method, "method", "compliance", def->method == GDYN_SIM_COMPLIANCE, "compliance");
    /* Constraints that give way are not projected unless that is asked for. */
    const gdyn_node *stabilization = gdyn_node_get(simulate, "stabilization");
    int hold = gdyn_read_word(stabilization, "name", gdyn_sim_hold_names, -1);
    def->hold = hold >= 0                            ? (gdyn_sim_hold)hold
                : def->method == GDYN_SIM_COMPLIANCE ? GDYN_SIM_DRIFT
                                                     : GDYN_SIM_PROJECT;
    check_key(r, stabilization, "stabilization", "rate", def->hold == GDYN_SIM_BAUMGARTE,
              "baumgarte");
    const gdyn_node *start = gdyn_node_get(simulate, "start");
    gdyn_node *node = gdyn_node_get(start, "velocity");
    gdyn_start_velocity *list =
        gdyn_reader_entries(r, node, GDYN_NODE_MAPPING, "write {all: [vx, vy, w]} or {BODY: [...]}",
                            "a mapping", sizeof *list);
    /* `all` gives every body the same velocity. */
    for (int i = 0; list && i < node->count; i++) {
        gdyn_start_velocity *v = &list[def->velocity_count];
        const char *name = node->key[i]->text, *help = NULL;
        bool all = strcmp(name, "all") == 0;
        v->body =
            all ? GDYN_NONE : gdyn_find_name(r, name, r->body, sizeof *r->body, r->bodies, &help);
        if (!all && v->body < 0)
            gdyn_read_error(r, node->key[i], help, GDYN_CODE_UNKNOWN "unknown body '%.60s'", name);
        else if (read_velocity_list(r, node->item[i], v->u))
            def->velocity_count++;
    }
    def->velocity = list;
    def->rate = gdyn_read_joint_values(r, gdyn_node_get(start, "rates"), GDYN_D_RATE,
                                       "write {JOINT: 1 rad/s}", &def->rate_count);
    read_begin(r, start, def);
    read_signals(r, gdyn_node_get(simulate, "drives"), def);
    read_record(r, gdyn_node_get(simulate, "record"), def);
}
