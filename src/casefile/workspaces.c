/* workspaces.c - the section workspaces: grids of tool poses. */
#include "casefile/reader.h"
#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

enum { NODES_MOST = 1000000, POINTS_DEFAULT = 21, ORIENTATIONS_MOST = 1000 };

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
    if (*wide && !(ends[0] < ends[1]))
        return gdyn_read_error(r, value, "write [min, max], or one value",
                               GDYN_CODE_WORKSPACE "the range of %s is empty", key);
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
            gdyn_read_error(r, points, NULL,
                            GDYN_CODE_WORKSPACE "points of a workspace: whole numbers from 2 on");
            return;
        }
        product *= count;
        if (product > NODES_MOST) {
            gdyn_read_error(r, points, NULL, GDYN_CODE_LIMIT "a workspace has at most %d nodes",
                            NODES_MOST);
            return;
        }
        def->count[a] = (int)count;
    }
}

/* --- orientations ----------------------------------------------------------------------------- */

/* cone: {angle, axis, directions} behind the first orientation. */
static void read_cone_of_orientations(gdyn_reader *r, gdyn_node *node, gdyn_orientation_cone *cone,
                                      const double first[3], double (*out)[3]) {
    gdyn_node *axis = gdyn_node_get(node, "axis");
    if (gdyn_node_find(node, "axis") && !axis)
        return;
    if (gdyn_v3_normalize(cone->axis) == 0)
        gdyn_read_error(r, axis, "write axis: [0, 0, 1]",
                        GDYN_CODE_WORKSPACE "the axis has no direction");
    else if (!(cone->angle > 0 && cone->angle <= GDYN_PI))
        gdyn_read_error(r, node, NULL,
                        GDYN_CODE_WORKSPACE "the angle of a cone is above 0 and at most 180 deg");
    else {
        /* the first orientation turned so that an axis of the body leans by an angle, in
         * `count` directions around */
        double A[9], m[3], k[3];
        gdyn_rotation_from_cardan(A, first);
        gdyn_v3_triad(cone->axis, m, k);
        for (int i = 0; i < cone->directions; i++) {
            /* about a line across the axis, in the body's frame */
            double way = 2 * GDYN_PI * i / cone->directions, w[3], B[9], R[9];
            v3_scale(w, -cone->angle * sin(way), m);
            v3_axpy(w, w, cone->angle * cos(way), k);
            gdyn_rotation_exp(B, w);
            gdyn_m3_multiply(R, A, B);
            gdyn_rotation_to_cardan(R, out[i]);
        }
    }
}

/* The stated orientation and those of `orientations` and `cone` behind it. */
static void read_orientations(gdyn_reader *r, const gdyn_node *node, bool planar,
                              gdyn_workspace_def *def) {
    gdyn_node *turn = gdyn_node_get(node, planar ? "angle" : "cardan");
    gdyn_node *list = gdyn_node_get(node, "orientations"), *cone = gdyn_node_get(node, "cone");
    int listed = list && list->kind == GDYN_NODE_SEQUENCE ? list->count : 0, directions = 0;
    gdyn_orientation_cone shape;
    gdyn_schema_workspace_cone.fills->initial(&shape);
    if (cone && cone->kind == GDYN_NODE_MAPPING) {
        gdyn_read_fields(r, cone, &gdyn_schema_workspace_cone, GDYN_COORDINATE_UNKNOWN, &shape);
        directions = shape.directions;
    }
    if (!turn && !list && !cone)
        return;
    /* errors of form */
    if (list && list->kind != GDYN_NODE_SEQUENCE)
        gdyn_read_error(
            r, list, planar ? "write [-10 deg, 10 deg]" : "write [[10 deg, 0, 0], [0, 10 deg, 0]]",
            GDYN_CODE_WORKSPACE "the orientations of a workspace are a list");
    else if (!turn && (cone || list))
        gdyn_read_error(r, cone ? cone : list, planar ? "angle: 0" : "cardan: [0, 0, 0]",
                        GDYN_CODE_MISSING "the first orientation is missing");
    else if (listed + directions >= ORIENTATIONS_MOST)
        gdyn_read_error(r, cone ? cone : list, NULL,
                        GDYN_CODE_LIMIT "a workspace has at most %d orientations",
                        ORIENTATIONS_MOST);
    else {
        double(*all)[3] = gdyn_reader_alloc(r, (size_t)(1 + listed + directions), sizeof *all);
        if (!all)
            return;
        gdyn_read_turn(r, turn, GDYN_DIM_NONE, all[0]);
        for (int i = 0; i < listed; i++)
            gdyn_read_turn(r, list->item[i], GDYN_DIM_NONE, all[1 + i]);
        if (directions)
            read_cone_of_orientations(r, cone, &shape, all[0], all + 1 + listed);
        def->orientations = 1 + listed + directions;
        def->orientation = (const double(*)[3])all;
    }
}

/* --- what is asked of the nodes --------------------------------------------------------------- */

/* box: {x: [from, to], ...} within the grid; an axis that is not stated is that of the grid. */
static void read_box(gdyn_reader *r, gdyn_node *box, gdyn_workspace_def *def) {
    static const char *const axis[] = {"x", "y", "z"};
    memcpy(def->box_from, def->from, sizeof def->box_from);
    memcpy(def->box_to, def->to, sizeof def->box_to);
    def->boxed = true;
    for (int a = 0; a < 3; a++) {
        gdyn_node *value = gdyn_node_get(box, axis[a]);
        double ends[2], slack = 1e-9 * (def->to[a] - def->from[a]);
        if (!value || !gdyn_read_list(r, value, 2, GDYN_DIM_LENGTH, ends))
            continue;
        if (!(ends[0] <= ends[1]))
            gdyn_read_error(r, value, "write [min, max]",
                            GDYN_CODE_WORKSPACE "the range of %s is empty", axis[a]);
        else if (ends[0] < def->from[a] - slack || ends[1] > def->to[a] + slack)
            gdyn_read_error(r, value, "widen the grid, or narrow the box",
                            GDYN_CODE_WORKSPACE "the box reaches beyond the grid along %s",
                            axis[a]);
        else
            def->box_from[a] = ends[0], def->box_to[a] = ends[1];
    }
}

/* One grid of tool poses. */
static void read_workspace(gdyn_reader *r, const gdyn_node *node, gdyn_workspace_def *def) {
    static const char *const axis[] = {"x", "y", "z"};
    bool wide[3] = {false, false, false}, planar = r->space == GDYN_PLANAR, good = true;
    gdyn_node *of = gdyn_node_get(node, "of");
    /* the tool */
    gdyn_read_fields(r, node, &gdyn_schema_workspace, GDYN_COORDINATE_UNKNOWN, def);
    if (of)
        gdyn_read_frame(r, of, &def->of, def->cardan);
    if (of && def->of.body == GDYN_GROUND)
        gdyn_read_error(r, of, NULL, GDYN_CODE_WORKSPACE "the ground does not move");
    /* axes with their numbers of nodes */
    for (int a = 0; a < (planar ? 2 : 3); a++)
        good &= read_axis(r, node, axis[a], a, def, &wide[a]);
    if (good && !wide[0] && !wide[1] && !wide[2])
        gdyn_read_error(r, node->name ? (gdyn_node *)node->name : NULL,
                        "write x: [-200 mm, 200 mm]",
                        GDYN_CODE_MISSING "the workspace has no extent");
    else if (good)
        read_points(r, node, wide, def);
    /* its orientations, where any is stated */
    read_orientations(r, node, planar, def);
    gdyn_node *box = gdyn_node_map(node, "box");
    if (box && good)
        read_box(r, box, def);
}

void gdyn_read_workspaces(gdyn_reader *r, const gdyn_node *root) {
    gdyn_node *list = gdyn_node_map(root, "workspaces");
    if (!list || list->count == 0 || !gdyn_expect_machine(r, root, list, "workspaces need"))
        return;
    /* every grid has its name, even if the rest cannot be read */
    gdyn_workspace_def *def = gdyn_reader_alloc(r, (size_t)list->count, sizeof *def);
    for (int i = 0; i < list->count && def; i++) {
        gdyn_schema_workspace.fills->initial(&def[i]);
        def[i].name = list->key[i]->text;
        for (int t = 0; t < r->instance->trajectory_count; t++)
            if (strcmp(def[i].name, r->instance->trajectory[t].name) == 0)
                gdyn_read_error(r, list->item[i], "give it another name",
                                GDYN_CODE_TWICE "a trajectory is named '%s', too", def[i].name);
        if (list->item[i]->kind == GDYN_NODE_MAPPING && (!r->checking || r->space_known))
            read_workspace(r, list->item[i], &def[i]);
    }
    r->instance->workspace_count = def ? list->count : 0;
    r->instance->workspace = def;
}
