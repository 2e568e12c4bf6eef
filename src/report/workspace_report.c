/* workspace_report.c - workspaces as a document: every node with what is known of it. */
#include "report/workspace_report.h"

#include "report/json_writer.h"
#include "report/number.h"

/* Unbounded values as text, so that they differ from those that are not known. */
static json_t *node_values(const gdyn_workspace_field *field, int node) {
    json_t *values = gdyn_json_list();
    for (int v = 0; v < GDYN_FIELD_VALUES; v++)
        json_array_append_new(values, gdyn_json_number(field->value[v + GDYN_FIELD_VALUES * node]));
    return values;
}

static json_t *field_object(const gdyn_workspace_field *field) {
    json_t *nodes = gdyn_json_list(), *names = gdyn_json_list();
    for (int v = 0; v < GDYN_FIELD_VALUES; v++)
        json_array_append_new(names, json_string(gdyn_field_names[v]));
    for (int i = 0; i < field->nodes; i++) {
        double x[3];
        gdyn_field_at(field, i, x);
        json_array_append_new(nodes,
                              gdyn_json_object("at:o reached:b values:o", gdyn_json_numbers(3, x),
                                               field->reached[i], node_values(field, i)));
    }
    return gdyn_json_object("count:o dimensions:i cell:n reached:i size:n held:n values:o nodes:o",
                            json_pack("[iii]", field->count[0], field->count[1], field->count[2]),
                            field->dimensions, field->cell, field->reached_count,
                            gdyn_field_size(field, -1, 0),
                            gdyn_field_size(field, GDYN_FIELD_ACCEL, 0), names, nodes);
}

gdyn_status gdyn_report_workspaces_json(gdyn_text *out, const char *case_name, int count,
                                        const gdyn_workspace_field *field) {
    json_t *document = gdyn_json_document(case_name), *workspaces = gdyn_json_map();
    for (int i = 0; i < count; i++)
        json_object_set_new(workspaces, field[i].def->name, field_object(&field[i]));
    json_object_set_new(document, "workspaces", workspaces);
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}
