/* loops.c - the file of joints that close loops, which a tree of links cannot state:
 *
 *   loops:
 *     tip: {type: revolute, of: [left_rod, right_rod], at: [[0.3, 0, 0], [0.3, 0, 0]],
 *           axes: [[0, 0, 1], [0, 0, 1]]}
 *
 * `at` (default: the origins) and `axes` stand in the frames of the two links. */
#include "import/robot.h"

#include "expr/code.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

typedef struct loop_type {
    const char *name;
    bool axis, length;
} loop_type;

static const loop_type types[] = {
    {"revolute", true, false},  {"spherical", false, false}, {"cylindrical", true, false},
    {"prismatic", true, false}, {"fixed", false, false},     {"rod", false, true},
};

static bool read_number(gdyn_log *log, const gdyn_node *node, double *value) {
    const char *text = node->kind == GDYN_NODE_SCALAR ? node->text : "";
    int n = gdyn_scan_signed(text, value);
    return (n > 0 && !text[n]) ||
           gdyn_log_node(log, GDYN_ERROR, node, "lengths in metres, without a unit",
                         GDYN_CODE_IMPORT "expected a number");
}

/* [[x, y, z], [x, y, z]] */
static bool read_pair(gdyn_log *log, const gdyn_node *node, double pair[2][3]) {
    bool good = node->kind == GDYN_NODE_SEQUENCE && node->count == 2;
    for (int i = 0; good && i < 2; i++)
        good = node->item[i]->kind == GDYN_NODE_SEQUENCE && node->item[i]->count == 3;
    if (!good)
        gdyn_log_node(log, GDYN_ERROR, node, NULL,
                      GDYN_CODE_IMPORT
                      "expected [[x, y, z], [x, y, z]], in the frame of each link");
    for (int i = 0; good && i < 6; i++)
        good = read_number(log, node->item[i / 3]->item[i % 3], &pair[i / 3][i % 3]);
    return good;
}

static bool read_links(gdyn_robot *robot, gdyn_log *log, const gdyn_node *node, int link[2]) {
    for (int i = 0; i < 2; i++) {
        const gdyn_node *name = node->item[i];
        link[i] = name->kind == GDYN_NODE_SCALAR ? gdyn_robot_find_link(robot, name->text) : -1;
        if (link[i] < 0)
            gdyn_log_node(log, GDYN_ERROR, name, NULL, GDYN_CODE_IMPORT "there is no such link");
    }
    return link[0] >= 0 && link[1] >= 0;
}

static const loop_type *read_type(gdyn_log *log, const gdyn_node *entry, const gdyn_node *name) {
    const gdyn_node *type = gdyn_node_find(entry, "type");
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (gdyn_node_is(type, types[i].name))
            return &types[i];
    gdyn_log_node(
        log, GDYN_ERROR, type ? type : name, NULL,
        GDYN_CODE_IMPORT
        "the type of a loop is revolute, spherical, cylindrical, prismatic, fixed or rod");
    return NULL;
}

/* Keys that no loop has. */
static void check_keys(gdyn_log *log, const gdyn_node *entry) {
    static const char *const keys[] = {"type", "of", "at", "axes", "length", NULL};
    for (int k = 0; k < entry->count; k++)
        if (gdyn_word_number(keys, entry->key[k]->text) < 0)
            gdyn_log_node(log, GDYN_ERROR, entry->key[k],
                          gdyn_log_suggest(log, entry->key[k]->text, keys, gdyn_word_count(keys)),
                          GDYN_CODE_IMPORT "unknown key of a loop");
}

static void read_loop(gdyn_robot *robot, gdyn_log *log, const gdyn_node *name,
                      const gdyn_node *entry) {
    if (entry->kind != GDYN_NODE_MAPPING) {
        gdyn_log_node(log, GDYN_ERROR, entry, NULL,
                      GDYN_CODE_IMPORT "a loop is a mapping: {type: ..., of: [a, b]}");
        return;
    }
    check_keys(log, entry);
    const loop_type *type = read_type(log, entry, name);
    const gdyn_node *at = gdyn_node_find(entry, "at"), *axes = gdyn_node_find(entry, "axes"),
                    *length = gdyn_node_find(entry, "length"), *of = gdyn_node_find(entry, "of");
    int link[2];
    bool joins = of && of->kind == GDYN_NODE_SEQUENCE && of->count == 2;
    if (!joins)
        gdyn_log_node(log, GDYN_ERROR, of ? of : name, NULL,
                      GDYN_CODE_IMPORT "a loop needs of: [link, link]");
    if (!joins || !type || !read_links(robot, log, of, link))
        return;
    if (type->axis != (axes != NULL) || type->length != (length != NULL))
        gdyn_log_node(log, GDYN_ERROR, name, NULL, GDYN_CODE_IMPORT "a loop of type %s needs %s",
                      type->name,
                      type->axis     ? "axes: [[x, y, z], [x, y, z]]"
                      : type->length ? "its length"
                                     : "neither axes nor a length");
    const char *own = gdyn_arena_strdup(robot->arena, name->text);
    gdyn_robot_closure *c =
        own ? gdyn_robot_add_closure(robot, own, type->name, link[0], link[1]) : NULL;
    if (!c) {
        robot->failed = true;
        return;
    }
    c->has_axis = axes && read_pair(log, axes, c->axis);
    if (at)
        read_pair(log, at, c->point);
    if (length && read_number(log, length, &c->length) && !(c->length > 0))
        gdyn_log_node(log, GDYN_ERROR, length, NULL,
                      GDYN_CODE_IMPORT "the length of a rod must be positive");
    if (c->has_axis &&
        (gdyn_v3_normalize(c->axis[0]) < 1e-12 || gdyn_v3_normalize(c->axis[1]) < 1e-12))
        gdyn_log_node(log, GDYN_ERROR, axes, NULL, GDYN_CODE_IMPORT "an axis has no direction");
}

gdyn_status gdyn_robot_read_loops(gdyn_robot *robot, const char *filename) {
    gdyn_document *source;
    gdyn_status status = gdyn_robot_open(robot, filename, GDYN_LIMIT_BYTES, &source);
    if (status != GDYN_OK)
        return status;
    gdyn_log *log = gdyn_log_create();
    if (!log)
        return GDYN_ERROR_MEMORY;
    int nodes = 0;
    const gdyn_node *root = gdyn_tree_parse(robot->arena, source, log, &nodes);
    const gdyn_node *loops = root ? gdyn_node_find(root, "loops") : NULL;
    if (root && (!loops || loops->kind != GDYN_NODE_MAPPING || root->count != 1))
        gdyn_log_place(log, source, 1, 1, 1, NULL,
                       GDYN_CODE_IMPORT
                       "a file of loops has one key: loops: {NAME: {type: ..., of: [a, b]}}");
    else if (root)
        for (int i = 0; i < loops->count; i++)
            read_loop(robot, log, loops->key[i], loops->item[i]);
    robot->errors += gdyn_log_errors(log);
    if (gdyn_log_out_of_memory(log))
        robot->failed = true;
    gdyn_log_flush(log, robot->sink);
    gdyn_log_destroy(log);
    return robot->failed ? GDYN_ERROR_MEMORY : robot->errors ? GDYN_ERROR_INPUT : GDYN_OK;
}
