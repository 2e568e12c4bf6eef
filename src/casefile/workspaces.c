/* workspaces.c - the section workspaces: grids of tool poses. */
#include "casefile/trajectory.h"
#include "casefile/values.h"

#include <string.h>

enum { NODES_MOST = 1000000, POINTS_DEFAULT = 21 };

/* x: [from, to], or one value. False after a complaint. */
static bool read_axis(gdyn_reader *r, const gdyn_node *node, const char *key, int axis,
                      gdyn_workspace_def *def, bool *wide) {
    gdyn_node *value = gdyn_node_get(node, key);
    double ends[2] = {0, 0};
    *wide = value && value->kind == GDYN_NODE_SEQUENCE;
    if (!value)
        return true;
    /* two ends, or one value */
    if (*wide ? !gdyn_read_list(r, value, 2, GDYN_DIM_LENGTH, ends)
              : !gdyn_read_value(r, value, GDYN_DIM_LENGTH, &ends[0]))
        return false;
    def->from[axis] = ends[0];
    def->to[axis] = *wide ? ends[1] : ends[0];
    if (*wide && !(ends[0] < ends[1])) {
        gdyn_read_error(r, value, "write [least, greatest], or one value",
                        "the range of %s is empty", key);
        return false;
    }
    return true;
}

/* points: one number for all wide axes, or one for each of them. */
static void read_points(gdyn_reader *r, const gdyn_node *node, const bool wide[3],
                        gdyn_workspace_def *def) {
    gdyn_node *points = gdyn_node_get(node, "points");
    double number[3] = {POINTS_DEFAULT, POINTS_DEFAULT, POINTS_DEFAULT}, product = 1;
    int axes = wide[0] + wide[1] + wide[2], next = 0;
    /* one number for each wide axis, or one for all */
    if (points && points->kind == GDYN_NODE_SEQUENCE) {
        if (!gdyn_read_list(r, points, axes, GDYN_DIM_NONE, number))
            return;
    } else if (points) {
        if (!gdyn_read_value(r, points, GDYN_DIM_NONE, &number[0]))
            return;
        number[1] = number[2] = number[0];
    }
    for (int a = 0; a < 3; a++) {
        /* whole numbers, and not too many nodes */
        double count = wide[a] ? number[next++] : 1;
        if (wide[a] && !(count >= 2 && count == (int)count)) {
            gdyn_read_error(r, points, NULL, "points of a workspace: whole numbers from 2 on");
            return;
        }
        product *= count;
        if (product > NODES_MOST) {
            gdyn_read_error(r, points, NULL, "a workspace has at most %d nodes", NODES_MOST);
            return;
        }
        def->count[a] = (int)count;
    }
}

/* One grid of tool poses. */
static void read_workspace(gdyn_reader *r, const gdyn_node *node, gdyn_workspace_def *def) {
    static const char *const axis[] = {"x", "y", "z"};
    bool wide[3] = {false, false, false}, planar = r->space == GDYN_PLANAR, good = true;
    gdyn_node *of = gdyn_node_get(node, "of"), *z = gdyn_node_get(node, "z");
    gdyn_node *turn = gdyn_node_get(node, planar ? "angle" : "cardan");
    gdyn_node *other = gdyn_node_get(node, planar ? "cardan" : "angle");
    /* the tool */
    if (of)
        gdyn_read_anchor(r, of, &def->of);
    if (of && def->of.body == GDYN_GROUND)
        gdyn_read_error(r, of, NULL, "the ground does not move");
    if ((planar && z) || other)
        gdyn_read_error(r, planar && z ? z : other,
                        planar ? "planar: x, y and angle" : "spatial: x, y, z and cardan",
                        "the machine has no such coordinate");
    /* axes with their numbers of nodes */
    for (int a = 0; a < (planar ? 2 : 3); a++)
        good &= read_axis(r, node, axis[a], a, def, &wide[a]);
    if (good && !wide[0] && !wide[1] && !wide[2])
        gdyn_read_error(r, node->name ? (gdyn_node *)node->name : NULL,
                        "write x: [-200 mm, 200 mm]", "the workspace has no extent");
    else if (good)
        read_points(r, node, wide, def);
    /* its orientation, where it is stated */
    def->oriented = turn != NULL;
    if (turn && planar)
        gdyn_read_value(r, turn, GDYN_DIM_NONE, &def->cardan[2]);
    else if (turn)
        gdyn_read_list(r, turn, 3, GDYN_DIM_NONE, def->cardan);
}

void gdyn_read_workspaces(gdyn_reader *r, const gdyn_node *root) {
    gdyn_node *list = gdyn_node_get(root, "workspaces");
    if (!list || list->kind != GDYN_NODE_MAPPING || list->count == 0)
        return;
    if (!r->machine) {
        if (r->checking && !gdyn_node_find(root, "machine"))
            gdyn_read_error(r, list, NULL, "workspaces need a machine");
        return;
    }
    /* every grid has its name, even if the rest cannot be read */
    gdyn_workspace_def *def = gdyn_reader_alloc(r, (size_t)list->count, sizeof *def);
    for (int i = 0; i < list->count && def; i++) {
        def[i] = (gdyn_workspace_def){.name = list->key[i]->text, .count = {1, 1, 1}};
        def[i].of.body = GDYN_GROUND;
        if (list->item[i]->kind == GDYN_NODE_MAPPING && (!r->checking || r->space_known))
            read_workspace(r, list->item[i], &def[i]);
    }
    r->instance->workspace_count = def ? list->count : 0;
    r->instance->workspace = def;
}
