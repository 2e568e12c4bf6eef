/* grid.c - axes of nodes, equally spaced but for the ends of a prescribed box, and neighbours along them. */
#include "workspace/grid.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Share of the distance of nodes within which an end of the box is one of them. */
static const double SAME_NODE = 1e-6;

/* Puts a further coordinate in its place unless a node is there already. */
static void insert(double *axis, int *count, double x, double step) {
    int at = 0;
    while (at < *count && axis[at] < x - SAME_NODE * step)
        at++;
    /* the node at an end of the box becomes that end */
    if (at < *count && fabs(axis[at] - x) <= SAME_NODE * step) {
        axis[at] = x;
        return;
    }
    memmove(axis + at + 1, axis + at, (size_t)(*count - at) * sizeof *axis);
    axis[at] = x;
    (*count)++;
}

/* Coordinates along one axis, and the part of its length that is nearer to each than to the others. */
static bool open_axis(gdyn_workspace_field *field, int a) {
    const gdyn_workspace_def *def = field->def;
    int count = def->count[a];
    double *axis = field->axis[a] = gdyn_alloc((size_t)count + 2, sizeof *axis);
    double *part = field->part[a] = gdyn_alloc((size_t)count + 2, sizeof *part);
    if (!axis || !part)
        return false;
    double step = count > 1 ? (def->to[a] - def->from[a]) / (count - 1) : 0;
    for (int i = 0; i < count; i++)
        axis[i] = i + 1 < count || count == 1 ? def->from[a] + step * i : def->to[a];
    /* the prescribed box is judged up to its ends */
    if (def->boxed && count > 1) {
        insert(axis, &count, def->box_from[a], step);
        insert(axis, &count, def->box_to[a], step);
    }
    for (int i = 0; i < count; i++)
        part[i] =
            count == 1 ? 1 : 0.5 * (axis[i + 1 < count ? i + 1 : i] - axis[i > 0 ? i - 1 : i]);
    field->count[a] = count;
    return true;
}

bool gdyn_field_open(gdyn_workspace_field *field) {
    field->nodes = 1;
    field->orientations = field->def->orientations > 0 ? field->def->orientations : 1;
    for (int a = 0; a < 3; a++) {
        if (!open_axis(field, a))
            return false;
        field->nodes *= field->count[a];
        field->dimensions += field->count[a] > 1;
    }
    return true;
}

int gdyn_node_neighbour(const gdyn_workspace_field *field, int node, int direction) {
    int axis = direction / 2, step = 1, at = node;
    /* nodes along the axis are this far apart in the list */
    for (int a = 0; a < axis; a++) {
        step *= field->count[a];
        at /= field->count[a];
    }
    at = at % field->count[axis] + (direction % 2 ? 1 : -1);
    return at < 0 || at >= field->count[axis] ? -1 : node + (direction % 2 ? step : -step);
}

int gdyn_pose_directions(const gdyn_workspace_field *field) {
    return 6 + field->orientations - 1;
}

int gdyn_pose_neighbour(const gdyn_workspace_field *field, int pose, int direction) {
    int node = pose / field->orientations, turn = pose % field->orientations;
    if (direction < 6) {
        int next = gdyn_node_neighbour(field, node, direction);
        return next < 0 ? -1 : next * field->orientations + turn;
    }
    /* the first orientation leads to every other one, and each of those back */
    if (turn == 0)
        return pose + direction - 5;
    return direction == 6 ? pose - turn : -1;
}
