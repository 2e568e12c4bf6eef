/* judge.c - what the nodes of a field come to: sizes, coverage of a prescribed box, worst values. */
#include "workspace/field.h"

#include <math.h>

const gdyn_criterion_row *gdyn_field_row(int value) {
    return &gdyn_criterion_table[GDYN_WORKSPACE_DEXTERITY + value];
}

void gdyn_field_at(const gdyn_workspace_field *field, int node, double x[3]) {
    for (int a = 0; a < 3; a++) {
        x[a] = field->axis[a][node % field->count[a]];
        node /= field->count[a];
    }
}

double gdyn_field_cell(const gdyn_workspace_field *field, int node) {
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
            size += gdyn_field_cell(field, i);
    return size;
}

void gdyn_field_uncovered(const gdyn_workspace_field *field, int *prescribed, int *uncovered) {
    *prescribed = *uncovered = 0;
    for (int i = 0; i < field->nodes; i++)
        if (gdyn_node_prescribed(field, i)) {
            ++*prescribed;
            *uncovered += !gdyn_node_serves(field, i);
        }
}

/* Size of the nodes that serve, or their share of all. */
static double size_of_serving(const gdyn_workspace_field *field, bool share) {
    double serving = 0, all = 0;
    for (int i = 0; i < field->nodes; i++) {
        double cell = gdyn_field_cell(field, i);
        all += cell;
        serving += gdyn_node_serves(field, i) ? cell : 0;
    }
    return share ? serving / all : serving;
}

/* Share of the prescribed nodes that serve; *node: the first that does not. */
static double covered(const gdyn_workspace_field *field, int *node) {
    int prescribed, uncovered;
    gdyn_field_uncovered(field, &prescribed, &uncovered);
    for (int i = 0; i < field->nodes && *node < 0 && uncovered > 0; i++)
        if (gdyn_node_prescribed(field, i) && !gdyn_node_serves(field, i))
            *node = i;
    return prescribed > 0 ? 1 - (double)uncovered / prescribed : NAN;
}

/* The worst value of the prescribed nodes, and where; NAN with the place where a node of the box is not reached. */
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
    int place, *at = node ? node : &place;
    *at = -1;
    switch (row) {
    case GDYN_WORKSPACE_SIZE:
        return size_of_serving(field, false);
    case GDYN_WORKSPACE_SHARE:
        return size_of_serving(field, true);
    case GDYN_WORKSPACE_HELD:
        return gdyn_field_size(field, GDYN_FIELD_ACCEL, 0);
    case GDYN_WORKSPACE_COVERED:
        return covered(field, at);
    default:
        return worst(field, row - GDYN_WORKSPACE_DEXTERITY, at);
    }
}
