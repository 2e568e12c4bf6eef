/* nodes.c - criteria of workspaces as responses of a design. */
#include "study/internal.h"

#include "workspace/field.h"

#include <math.h>
#include <stdio.h>

/* Share of the prescribed nodes that are not reached, or at which the value is not finite; *node:
 * the first of them. */
static double share_without(const gdyn_workspace_field *field, int value, int *node) {
    int prescribed = 0, without = 0;
    *node = -1;
    for (int i = 0; i < field->nodes; i++) {
        if (!gdyn_node_prescribed(field, i))
            continue;
        bool reached = field->status[i] == GDYN_NODE_REACHED;
        bool lacks = value < 0 ? !reached : reached && !isfinite(gdyn_field_value(field, i, value));
        prescribed++;
        without += lacks;
        *node = lacks && *node < 0 ? i : *node;
    }
    return prescribed > 0 ? (double)without / prescribed : 1;
}

/* Why the criterion has no value: nodes that are not reached, else those without a finite value. */
static gdyn_failure failure_of(const gdyn_workspace_field *field, int row) {
    const char *name = field->def->name;
    int node;
    double x[3] = {0}, share = share_without(field, -1, &node);
    if (field->reached_count == 0)
        return gdyn_failure_make(GDYN_STAGE_UNASSEMBLED, 1, GDYN_DESIGN_UNASSEMBLED,
                                 "%s: no node is reached", name);
    if (field->def->boxed && node >= 0) {
        gdyn_field_at(field, node, x);
        return gdyn_failure_make(
            GDYN_STAGE_UNASSEMBLED, share, GDYN_DESIGN_UNASSEMBLED,
            "%s: %.3g %% of the box are not reached, such as (%.4g, %.4g, %.4g)", name, 100 * share,
            x[0], x[1], x[2]);
    }
    share = share_without(field, row - GDYN_WORKSPACE_DEXTERITY, &node);
    if (node >= 0)
        gdyn_field_at(field, node, x);
    return gdyn_failure_make(
        GDYN_STAGE_CLOSED, share, GDYN_DESIGN_CLOSED_REGION,
        "%s: no finite '%s' at %.3g %% of the nodes, such as (%.4g, %.4g, %.4g)", name,
        gdyn_criterion_table[row].name, 100 * share, x[0], x[1], x[2]);
}

gdyn_status gdyn_study_visit_nodes(const gdyn_study *s, const gdyn_instance *instance,
                                   int workspace, gdyn_design *design, gdyn_failure *found) {
    gdyn_workspace_field field;
    gdyn_status status = gdyn_field_find(instance, workspace, NULL, &field);
    int first = gdyn_study_first_of_workspaces(s) + workspace * s->values;
    for (int r = first; r < first + s->values && status == GDYN_OK; r++) {
        double value = gdyn_field_criterion(&field, s->row[r], NULL);
        if (!gdyn_study_never_evaluated(s, r))
            gdyn_design_set(design, r, value);
        if (!design->known[r] && gdyn_study_formulas_use(s, r)) {
            gdyn_failure failure = failure_of(&field, s->row[r]);
            if (failure.stage > found->stage)
                *found = failure;
        }
    }
    gdyn_field_free(&field);
    return status;
}
