/* nodes.c - axes of nodes, equally spaced but for the ends of a prescribed box, and neighbours
 * along them; what the nodes come to: sizes, coverage of the box, worst values. */
#include "workspace/internal.h"

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

bool gdyn_field_open(gdyn_workspace_field *field) {
    field->nodes = 1;
    field->orientations = field->def->orientations > 0 ? field->def->orientations : 1;
    for (int a = 0; a < 3; a++) {
        /* coordinates along one axis, and the part of its length that is nearer to each than to
         * the others */
        const gdyn_workspace_def *def = field->def;
        int count = def->count[a];
        double *axis = field->axis[a] = gdyn_arena_doubles(field->arena, (size_t)count + 2);
        double *part = field->part[a] = gdyn_arena_doubles(field->arena, (size_t)count + 2);
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
        field->nodes *= field->count[a], field->dimensions += field->count[a] > 1;
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

/* --- what the nodes come to ------------------------------------------------------------------- */

const gdyn_criterion_row *gdyn_field_row(int value) {
    return &gdyn_criterion_table[GDYN_WORKSPACE_DEXTERITY + value];
}

void gdyn_field_at(const gdyn_workspace_field *field, int node, double x[3]) {
    for (int a = 0; a < 3; a++) {
        x[a] = field->axis[a][node % field->count[a]];
        node /= field->count[a];
    }
}

static double cell_of(const gdyn_workspace_field *field, int node) {
    double cell = 1;
    for (int a = 0; a < 3; a++) {
        cell *= field->part[a][node % field->count[a]];
        node /= field->count[a];
    }
    return cell;
}

const char *gdyn_field_unit(const gdyn_workspace_field *field) {
    static const char *const unit[] = {"", "m", "m^2", "m^3"};
    return unit[field->dimensions];
}

double gdyn_field_value(const gdyn_workspace_field *field, int node, int value) {
    return field->value[value + GDYN_FIELD_VALUES * (size_t)node];
}

bool gdyn_node_has(const gdyn_workspace_field *field, int node, int value, double least) {
    if (field->status[node] != GDYN_NODE_REACHED || value < 0)
        return field->status[node] == GDYN_NODE_REACHED;
    double v = gdyn_field_value(field, node, value);
    return gdyn_field_row(value)->better < 0 ? v <= least : v >= least;
}

bool gdyn_node_serves(const gdyn_workspace_field *field, int node) {
    bool serves = field->status[node] == GDYN_NODE_REACHED;
    for (int v = 0; v < GDYN_FIELD_VALUES && serves; v++)
        serves =
            isnan(field->def->require[v]) || gdyn_node_has(field, node, v, field->def->require[v]);
    return serves;
}

bool gdyn_node_prescribed(const gdyn_workspace_field *field, int node) {
    double x[3];
    bool within = true;
    gdyn_field_at(field, node, x);
    /* ends of the box are nodes: a little beyond them is none */
    for (int a = 0; a < 3 && field->def->boxed; a++) {
        double slack = 1e-9 * (field->def->to[a] - field->def->from[a]);
        within = within && x[a] >= field->def->box_from[a] - slack &&
                 x[a] <= field->def->box_to[a] + slack;
    }
    return within;
}

int gdyn_field_count(const gdyn_workspace_field *field, int value, double least) {
    int count = 0;
    for (int i = 0; i < field->nodes; i++)
        count += gdyn_node_has(field, i, value, least);
    return count;
}

double gdyn_field_size(const gdyn_workspace_field *field, int value, double least) {
    double size = 0;
    for (int i = 0; i < field->nodes; i++)
        if (gdyn_node_has(field, i, value, least))
            size += cell_of(field, i);
    return size;
}

int gdyn_field_uncovered(const gdyn_workspace_field *field, int *prescribed, int *uncovered) {
    int first = -1;
    *prescribed = *uncovered = 0;
    for (int i = field->nodes - 1; i >= 0; i--)
        if (gdyn_node_prescribed(field, i)) {
            ++*prescribed;
            if (!gdyn_node_serves(field, i))
                ++*uncovered, first = i;
        }
    return first;
}

/* The worst value of the prescribed nodes, and where; NAN with the place where a node of the box is
 * not reached. */
static double worst(const gdyn_workspace_field *field, int value, int *node) {
    double found = NAN;
    int better = gdyn_field_row(value)->better;
    for (int i = 0; i < field->nodes; i++) {
        if (!gdyn_node_prescribed(field, i))
            continue;
        bool reached = field->status[i] == GDYN_NODE_REACHED;
        if (!reached && !field->def->boxed)
            continue;
        double v = gdyn_field_value(field, i, value);
        if (!reached || isnan(v)) {
            *node = i;
            return NAN;
        }
        if (isnan(found) || (better < 0 ? v > found : v < found))
            found = v, *node = i;
    }
    return found;
}

double gdyn_field_criterion(const gdyn_workspace_field *field, int row, int *node) {
    double all = 0, serving = 0;
    int place, prescribed, uncovered, *at = node ? node : &place;
    *at = -1;
    switch (row) {
    case GDYN_WORKSPACE_SIZE:
    case GDYN_WORKSPACE_SHARE:
        for (int i = 0; i < field->nodes; i++) {
            all += cell_of(field, i);
            serving += gdyn_node_serves(field, i) ? cell_of(field, i) : 0;
        }
        return row == GDYN_WORKSPACE_SHARE ? serving / all : serving;
    case GDYN_WORKSPACE_HELD:
        return gdyn_field_size(field, GDYN_FIELD_ACCEL, 0);
    case GDYN_WORKSPACE_COVERED:
        *at = gdyn_field_uncovered(field, &prescribed, &uncovered);
        return prescribed > 0 ? 1 - (double)uncovered / prescribed : NAN;
    default:
        return worst(field, row - GDYN_WORKSPACE_DEXTERITY, at);
    }
}
