/* machine.c - space, gravity, ground and the moving bodies. */
#include "base/pi.h"
#include "casefile/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- points ----------------------------------------------------------------------------------- */

static bool read_point(gdyn_reader *r, gdyn_node *node, double at[3], double turn[3]) {
    /* A list, or {at: list, cardan: list}. */
    if (node->kind != GDYN_NODE_MAPPING)
        return gdyn_read_vector(r, node, GDYN_DIM_LENGTH, at);
    gdyn_node *inner = gdyn_node_find(node, "at"), *cardan = gdyn_node_find(node, "cardan");
    cardan = r->space == GDYN_PLANAR ? NULL : cardan;
    if (cardan && !gdyn_read_turn(r, cardan, GDYN_DIM_NONE, turn))
        return false;
    if (!inner || node->count != 1 + (cardan != NULL))
        return gdyn_read_error(r, node, "write NAME: [x, y] or NAME: {at: [x, y]}",
                               GDYN_CODE_SHAPE "a point is a list of coordinates");
    return gdyn_read_vector(r, inner, GDYN_DIM_LENGTH, at);
}

/* Names and coordinates of the points of a body or of the ground. */
static void read_points(gdyn_reader *r, gdyn_node *points, gdyn_body_entry *entry) {
    /* No points, or an empty entry. */
    if (!points || (points->kind == GDYN_NODE_SCALAR && !points->text[0]))
        return;
    if (!gdyn_expect(r, points, GDYN_NODE_MAPPING, "write points: {P: [0, 0]}", "named points"))
        return;
    entry->point_name = gdyn_reader_alloc(r, (size_t)points->count, sizeof *entry->point_name);
    entry->point = gdyn_reader_alloc(r, (size_t)points->count, sizeof *entry->point);
    entry->turn = gdyn_reader_alloc(r, (size_t)points->count, sizeof *entry->turn);
    if (!entry->point_name || !entry->point || !entry->turn)
        return;
    /* Points that cannot be read keep their name: references to them are not to blame. */
    for (int i = 0; i < points->count; i++) {
        gdyn_node *key = points->key[i], *item = points->item[i];
        if (r->checking && !key->bad && !gdyn_name_allowed(key->text, false))
            gdyn_read_error(r, key, "letters, digits, '_' and '-'",
                            GDYN_CODE_NAME "'%.60s' cannot name a point", key->text);
        entry->point_name[entry->points] = key->text;
        if (!item->bad)
            read_point(r, item, entry->point[entry->points], entry->turn[entry->points]);
        entry->points++;
    }
}

/* --- inertia ---------------------------------------------------------------------------------- */

static void read_inertia(gdyn_reader *r, gdyn_node *node, double inertia[6]) {
    /* Without the space its form is unknown. */
    if (!node || (r->checking && !r->space_known))
        return;
    /* A number in the plane; in space three or six. */
    if (r->space == GDYN_PLANAR) {
        if (gdyn_expect(r, node, GDYN_NODE_SCALAR, "in the plane inertia is one number, about com",
                        "a number"))
            gdyn_read_value(r, node, GDYN_DIM_INERTIA, &inertia[2]);
    } else if (node->kind == GDYN_NODE_SEQUENCE)
        gdyn_read_list(r, node, 3, GDYN_DIM_INERTIA, inertia);
    else if (node->kind == GDYN_NODE_MAPPING) {
        static const char *const keys[] = {"diagonal", "products", NULL};
        gdyn_expect_keys(r, node, keys, "inertia", NULL);
        /* The diagonal is required, products are zero unless stated. */
        gdyn_node *diagonal = gdyn_node_find(node, "diagonal");
        gdyn_node *products = gdyn_node_find(node, "products");
        if (diagonal)
            gdyn_read_list(r, diagonal, 3, GDYN_DIM_INERTIA, inertia);
        else
            gdyn_read_error(r, node, "write diagonal: [Ixx, Iyy, Izz]",
                            GDYN_CODE_MISSING "inertia lacks its diagonal");
        if (products)
            gdyn_read_list(r, products, 3, GDYN_DIM_INERTIA, inertia + 3);
    } else
        gdyn_read_error(r, node,
                        "write [Ixx, Iyy, Izz] or {diagonal: [...], products: [Ixy, Ixz, Iyz]}",
                        GDYN_CODE_SHAPE "in space inertia has at least three numbers");
}

/* --- pose ------------------------------------------------------------------------------------- */

static void read_pose_list(gdyn_reader *r, gdyn_node *node, gdyn_body_def *def) {
    bool planar = r->space == GDYN_PLANAR;
    /* In space three numbers are a position. */
    if (!planar && node->count == 3) {
        gdyn_read_list(r, node, 3, GDYN_DIM_LENGTH, def->position);
        return;
    }
    if (!planar || node->count != 3) {
        gdyn_read_error(r, node,
                        planar ? "in the plane a pose is [x, y, angle]"
                               : "write [x, y, z] or {at: [x, y, z], cardan: [a, b, c]}",
                        GDYN_CODE_SHAPE "a pose of %d numbers", node->count);
        return;
    }
    /* In the plane position and angle. */
    gdyn_read_value(r, node->item[0], GDYN_DIM_LENGTH, &def->position[0]);
    gdyn_read_value(r, node->item[1], GDYN_DIM_LENGTH, &def->position[1]);
    gdyn_read_value(r, node->item[2], GDYN_DIM_NONE, &def->cardan[2]);
}

/* {P: other.Q, R: third.S}: two of the body's own points and where they should lie; in space a
 * third one turns the body about their line. */
static void read_pose_points(gdyn_reader *r, gdyn_node *node, int body, gdyn_body_def *def) {
    const int most = r->space == GDYN_PLANAR ? 2 : 3;
    if (node->count < 2 || node->count > most) {
        gdyn_read_error(r, node, "write {P: other.Q, R: third.S}, or {at: [...], ...}",
                        GDYN_CODE_POSE "a pose by points names two%s of the body's points",
                        most == 3 ? " or three" : "");
        return;
    }
    for (int i = 0; i < node->count; i++) {
        gdyn_node *key = node->key[i];
        const gdyn_body_entry *entry = &r->body[body];
        /* The key is one of the body's own points. */
        int k = gdyn_find_span(key->text, strlen(key->text), entry->point_name,
                               sizeof *entry->point_name, entry->points);
        if (k < 0) {
            const char *help =
                gdyn_log_suggest(r->log, key->text, entry->point_name, entry->points);
            gdyn_read_error(
                r, key,
                help ? help
                     : "a pose is {at: [...], ...}, or some of the body's own points and "
                       "where they lie",
                GDYN_CODE_UNKNOWN "body '%s' has no point '%.60s'", entry->name, key->text);
            continue;
        }
        memcpy(def->pose_own[i], entry->point[k], sizeof def->pose_own[i]);
        if (gdyn_read_anchor(r, node->item[i], &def->pose_on[i]))
            def->pose_points++;
    }
    /* Half a pose is none. */
    if (def->pose_points != node->count)
        def->pose_points = 0;
}

static void read_pose(gdyn_reader *r, gdyn_node *node, int body, gdyn_body_def *def) {
    if (!node || (r->checking && !r->space_known))
        return;
    /* The form tells which of the three it is. */
    if (node->kind == GDYN_NODE_SEQUENCE)
        read_pose_list(r, node, def);
    else if (node->kind == GDYN_NODE_SCALAR)
        gdyn_expect(r, node, GDYN_NODE_MAPPING, NULL, "a pose");
    else if (gdyn_node_find(node, "at") || gdyn_node_find(node, "cardan") ||
             gdyn_node_find(node, "angle")) {
        bool planar = r->space == GDYN_PLANAR;
        const char *const keys[] = {"at", planar ? "angle" : "cardan", NULL};
        gdyn_node *at = gdyn_node_find(node, "at"), *turn = gdyn_node_find(node, keys[1]);
        gdyn_expect_keys(r, node, keys, "pose",
                         planar ? "write {at: [x, y], angle: a}"
                                : "write {at: [x, y, z], cardan: [a, b, c]}");
        if (at)
            gdyn_read_vector(r, at, GDYN_DIM_LENGTH, def->position);
        if (turn)
            gdyn_read_turn(r, turn, GDYN_DIM_NONE, def->cardan);
    } else
        read_pose_points(r, node, body, def);
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* `start:` chooses one of `poses:`, a mapping from bodies to poses; NULL: none, or after a
 * complaint. */
static const gdyn_node *chosen_poses(gdyn_reader *r, const gdyn_node *machine) {
    const gdyn_node *poses = gdyn_node_map(machine, "poses");
    gdyn_node *start = gdyn_node_get(machine, "start");
    for (int i = 0; poses && i < poses->count; i++) {
        const gdyn_node *pose = poses->item[i];
        for (int k = 0; pose->kind == GDYN_NODE_MAPPING && k < pose->count; k++) {
            if (gdyn_find_body(r, pose->key[k]->text) < 0)
                gdyn_read_error(r, pose->key[k], NULL, GDYN_CODE_UNKNOWN "there is no body '%.60s'",
                                pose->key[k]->text);
        }
    }
    if (!start || start->kind != GDYN_NODE_SCALAR)
        return NULL;
    const gdyn_node *chosen = gdyn_node_find(poses, start->text);
    if (!chosen)
        gdyn_read_error(
            r, start,
            "poses: {NAME: {BODY: pose, ...}} defines it; globdyn modes writes such poses",
            GDYN_CODE_UNKNOWN "there is no pose '%.60s'", start->text);
    return chosen && chosen->kind == GDYN_NODE_MAPPING ? chosen : NULL;
}

/* Poses that are not chosen, too, are to be valid. */
static void check_poses(gdyn_reader *r, const gdyn_node *machine, const gdyn_node *chosen) {
    const gdyn_node *poses = gdyn_node_map(machine, "poses");
    for (int i = 0; poses && i < poses->count; i++)
        for (int k = 0; poses->item[i] != chosen && k < r->bodies; k++) {
            gdyn_node *of_body = gdyn_node_find(poses->item[i], r->body[k].name);
            gdyn_body_def scratch = gdyn_body_default();
            if (of_body)
                read_pose(r, of_body, k, &scratch);
        }
}

static void read_bodies(gdyn_reader *r, const gdyn_node *machine) {
    /* Ground and names first: everything refers to them. */
    r->ground.name = "ground";
    read_points(r, gdyn_node_get(gdyn_node_get(machine, "ground"), "points"), &r->ground);
    gdyn_shape_def *shapes;
    gdyn_read_shapes(r, gdyn_node_get(gdyn_node_get(machine, "ground"), "shape"), GDYN_GROUND,
                     &shapes);
    const gdyn_node *bodies = gdyn_node_map(machine, "bodies");
    if (bodies) {
        /* Names and points of all bodies first: poses and joints refer to them in any order. */
        r->body = gdyn_reader_alloc(r, (size_t)bodies->count, sizeof *r->body);
        for (int i = 0; i < bodies->count && r->body; i++) {
            r->body[i].name = bodies->key[i]->text;
            r->bodies = i + 1;
            if (strcmp(r->body[i].name, "ground") == 0)
                gdyn_read_error(r, bodies->key[i], "its points are given under machine: ground:",
                                GDYN_CODE_TWICE "'ground' is the fixed frame, not a body");
            read_points(r, gdyn_node_get(bodies->item[i], "points"), &r->body[i]);
        }
    }
    const gdyn_node *poses = chosen_poses(r, machine);
    for (int i = 0; i < r->bodies; i++) {
        const gdyn_node *node = bodies->item[i];
        gdyn_node *pose = gdyn_node_find(poses, r->body[i].name);
        gdyn_body_def def = gdyn_body_default();
        def.name = r->body[i].name;
        def.mass = 1; /* what lacks one was reported */
        gdyn_read_fields(r, node, &gdyn_schema_body, GDYN_COORDINATE_UNKNOWN, &def);
        read_inertia(r, gdyn_node_get(node, "inertia"), def.inertia);
        gdyn_read_body_solid(r, node, i, &def);
        read_pose(r, pose ? pose : gdyn_node_get(node, "pose"), i, &def);
        r->weighs = r->weighs || def.mass > 0;
        if (gdyn_machine_add_body(r->machine, &def) < 0)
            gdyn_out_of_memory(r);
    }
    if (r->checking)
        check_poses(r, machine, poses);
}

/* --- home ------------------------------------------------------------------------------------- */

/* The values with which the loops close, one at a time, the others as they are: "d: 12 deg, or b: 3
 * deg"; NULL: none does. */
static const char *closing_values(gdyn_reader *r, const gdyn_node *joints) {
    const gdyn_model *model = r->instance->model;
    char text[200] = "";
    gdyn_joint_value *others = gdyn_reader_alloc(r, (size_t)r->home_joints, sizeof *others);
    for (int k = 0; others && k < r->home_joints; k++) {
        const gdyn_joint_value *v = &r->home[k];
        gdyn_closure_info info = {.outcome = GDYN_CLOSURE_STALLED};
        gdyn_state *state = gdyn_state_create(model);
        memcpy(others, r->home, (size_t)k * sizeof *others);
        memcpy(others + k, v + 1, (size_t)(r->home_joints - 1 - k) * sizeof *others);
        if (state)
            gdyn_closure_home(r->home_joints - 1, others, state, &info);
        if (state && info.outcome == GDYN_CLOSED) {
            bool slides = gdyn_freedom_slides(v->freedom);
            double found = gdyn_mech_joint_coordinate(state, v->joint, v->freedom);
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s: %.7g %s", used ? ", or " : "",
                     joints->key[k]->text, slides ? found : found * 180 / GDYN_PI,
                     slides ? "m" : "deg");
        }
        gdyn_state_destroy(state);
    }
    return text[0] ? gdyn_log_help(r->log, "the loops close with %s", text) : NULL;
}

/* Values that loops do not allow: which joint stays open, and which values would close it. */
static void report_home(gdyn_reader *r, gdyn_state *state) {
    const gdyn_model *model = r->instance->model;
    const gdyn_node *machine = gdyn_node_get(r->the_case->root, "machine");
    const gdyn_node *joints = gdyn_node_get(gdyn_node_get(machine, "home"), "joints");
    const char *help = closing_values(r, joints);
    gdyn_gap gap = {0};
    int gaps;
    gdyn_gaps_find(state, 1, &gap, &gaps);
    help = help ? help
                : "give fewer joints: loops move the others; or correct the lengths, or the poses "
                  "of the bodies, near that joint";
    if (gap.amount > 1e-9)
        gdyn_read_error(r, joints->key[0], help,
                        GDYN_CODE_ASSEMBLY "these values of joints contradict the loop through "
                                           "joint '%s', which stays open by %.3g %s",
                        gdyn_model_joint(model, gap.joint)->name,
                        gap.length ? gap.amount : gap.amount * 180 / GDYN_PI,
                        gap.length ? "m" : "deg");
    else
        gdyn_read_error(r, joints->key[0], help,
                        GDYN_CODE_ASSEMBLY
                        "these values of joints contradict each other or a prescribed motion");
}

gdyn_status gdyn_take_home(gdyn_reader *r) {
    gdyn_state *state = gdyn_state_create(r->instance->model);
    gdyn_closure_info info;
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (state)
        status = gdyn_closure_home(r->home_joints, r->home, state, &info);
    if (status == GDYN_OK && info.outcome == GDYN_CLOSED) {
        gdyn_state_become_guess(state, r->instance->model);
    } else if (status == GDYN_OK) {
        report_home(r, state);
        status = GDYN_ERROR_INPUT;
    }
    gdyn_state_destroy(state);
    return status;
}

void gdyn_read_machine(gdyn_reader *r, const gdyn_node *machine) {
    /* Gravity is a part of the machine's definition. */
    double gravity[3] = {0};
    gdyn_node *node = gdyn_node_get(machine, "gravity");
    if (node)
        gdyn_read_vector(r, node, GDYN_DIM_ACCELERATION, gravity);
    r->machine = gdyn_machine_create(r->space, gravity);
    if (!r->machine) {
        gdyn_out_of_memory(r);
        return;
    }
    gdyn_machine_set_length(r->machine,
                            gdyn_read_number(r, machine, "length", GDYN_DIM_LENGTH, NAN));
    /* Bodies, joints, drives, forces: each refers to what stands before. */
    read_bodies(r, machine);
    if (!gdyn_reserve_ranges(r, machine))
        return;
    gdyn_read_joints(r, machine);
    r->home = gdyn_read_joint_values(r, gdyn_node_get(gdyn_node_get(machine, "home"), "joints"),
                                     GDYN_D_COORDINATE, "write home: {joints: {JOINT: 30 deg}}",
                                     &r->home_joints);
    gdyn_read_drives(r, machine);
    gdyn_read_limits(r, machine);
    gdyn_read_pairs(r, machine);
    gdyn_read_forces(r, machine);
    const gdyn_node *bodies = gdyn_node_get(machine, "bodies");
    if (r->checking && r->bodies > 0 && !r->weighs)
        gdyn_log_node(r->log, GDYN_WARNING, bodies->name ? bodies->name : bodies,
                      "give the bodies their mass and inertia",
                      GDYN_CODE_UNUSUAL
                      "no body has a mass: all results neglect inertia and weight");
}
