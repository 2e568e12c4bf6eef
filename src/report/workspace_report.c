/* workspace_report.c - workspaces as document and table: every node with what is known of it. */
#include "report/report.h"

#include "report/number.h"

#include <math.h>
#include <stdio.h>

/* "reached", "elsewhere", "left"; of a field that was interrupted "unknown" in place of "left". */
static const char *node_status_name(const gdyn_workspace_field *field, int node) {
    static const char *const name[] = {"left", "elsewhere", "reached"};
    gdyn_node_status status = field->status[node];
    return field->interrupted && status == GDYN_NODE_LEFT ? "unknown" : name[status];
}

/* "c1 min, c4 max": limits of drives; the length is that of snprintf. */
static int node_bound_text(const gdyn_model *model, const gdyn_node_bound *bound, char *out,
                           size_t size) {
    int used = 0;
    out[0] = '\0';
    for (int i = 0; i < bound->count; i++) {
        size_t at = (size_t)used < size ? (size_t)used : size;
        used += snprintf(out + at, size - at, "%s%s %s", i ? ", " : "",
                         gdyn_model_drive(model, bound->limit[i].row)->name,
                         gdyn_limit_side(bound->limit[i]));
    }
    return used;
}

/* The drives' limits that bound a value together. */
static json_t *bound_list(const gdyn_model *model, const gdyn_node_bound *bound) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < bound->count; i++) {
        const char *text[2] = {gdyn_model_drive(model, bound->limit[i].row)->name,
                               gdyn_limit_side(bound->limit[i])};
        json_array_append_new(list, gdyn_json_texts(2, text));
    }
    return list;
}

static json_t *node_object(const gdyn_model *model, const gdyn_workspace_field *field, int i) {
    double x[3];
    gdyn_field_at(field, i, x);
    bool prescribed = field->def->boxed && gdyn_node_prescribed(field, i);
    json_t *values = gdyn_json_list();
    for (int v = 0; v < GDYN_FIELD_VALUES; v++)
        json_array_append_new(values, gdyn_json_number(gdyn_field_value(field, i, v)));
    return gdyn_json_object(
        "at:o reached:b status:s serves:b held:b prescribed:b values:o accel_bound:o force_bound:o",
        gdyn_json_numbers(3, x), field->status[i] == GDYN_NODE_REACHED, node_status_name(field, i),
        gdyn_node_serves(field, i), gdyn_node_has(field, i, GDYN_FIELD_ACCEL, 0), prescribed,
        values, bound_list(model, &field->accel[i]), bound_list(model, &field->force[i]));
}

static json_t *field_object(const gdyn_model *model, const gdyn_workspace_field *field) {
    json_t *nodes = gdyn_json_list(), *names = gdyn_json_list();
    for (int v = 0; v < GDYN_FIELD_VALUES; v++)
        json_array_append_new(names, json_string(gdyn_field_row(v)->name));
    for (int i = 0; i < field->nodes; i++)
        json_array_append_new(nodes, node_object(model, field, i));
    /* the criteria of studies */
    json_t *criteria = gdyn_json_map();
    for (int row = -1; (row = gdyn_criterion_next(row, GDYN_OF_WORKSPACE, true)) >= 0;)
        json_object_set_new(criteria, gdyn_criterion_table[row].name,
                            gdyn_json_number(gdyn_field_criterion(field, row, NULL)));
    return gdyn_json_object("count:o dimensions:i orientations:i counts:s complete:b reached:i "
                            "reached_size:n islands:i criteria:o values:o nodes:o",
                            json_pack("[iii]", field->count[0], field->count[1], field->count[2]),
                            field->dimensions, field->orientations, field->def->any ? "any" : "all",
                            !field->interrupted, field->reached_count,
                            gdyn_field_size(field, -1, 0), field->islands, criteria, names, nodes);
}

gdyn_status gdyn_report_workspaces_json(gdyn_text *out, const gdyn_instance *instance, int count,
                                        const gdyn_workspace_field *field) {
    json_t *document = gdyn_json_document(instance->name), *workspaces = gdyn_json_map();
    for (int i = 0; i < count; i++)
        json_object_set_new(workspaces, field[i].def->name,
                            field_object(instance->model, &field[i]));
    json_object_set_new(document, "workspaces", workspaces);
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}

void gdyn_report_workspaces_csv(gdyn_text *out, const gdyn_instance *instance, int count,
                                const gdyn_workspace_field *field) {
    char text[400];
    gdyn_text_printf(out, "workspace,x [m],y [m],z [m],status,serves,held,prescribed");
    for (int v = 0; v < GDYN_FIELD_VALUES; v++) {
        const gdyn_criterion_row *row = gdyn_field_row(v);
        gdyn_text_printf(out, *row->unit ? ",%s [%s]" : ",%s", row->name, row->unit);
    }
    gdyn_text_printf(out, ",accel bound,force bound\n");
    for (int f = 0; f < count; f++)
        for (int i = 0; i < field[f].nodes; i++) {
            double x[3];
            gdyn_field_at(&field[f], i, x);
            gdyn_csv_text(out, "%s", field[f].def->name);
            for (int a = 0; a < 3; a++)
                gdyn_csv_number(out, x[a]);
            gdyn_csv_text(out, "%s", node_status_name(&field[f], i));
            gdyn_csv_number(out, gdyn_node_serves(&field[f], i));
            gdyn_csv_number(out, gdyn_node_has(&field[f], i, GDYN_FIELD_ACCEL, 0));
            gdyn_csv_number(out, field[f].def->boxed && gdyn_node_prescribed(&field[f], i));
            for (int v = 0; v < GDYN_FIELD_VALUES; v++) {
                /* Empty where there is no number: not reached, not held, unlimited. */
                double value = gdyn_field_value(&field[f], i, v);
                gdyn_csv_number(out, isfinite(value) ? value : NAN);
            }
            node_bound_text(instance->model, &field[f].accel[i], text, sizeof text);
            gdyn_csv_text(out, "%s", text);
            node_bound_text(instance->model, &field[f].force[i], text, sizeof text);
            gdyn_csv_text(out, "%s", text);
            gdyn_csv_end(out);
        }
}
