/* cmd_workspace.c - globdyn workspace CASE: which poses of its grids the machine reaches, and what it can do there. */
#include "cli/interrupt.h"
#include "cli/session.h"

#include "report/workspace_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 120 };

/* Least and greatest value of the reached nodes; false: none is known. */
static bool extremes(const gdyn_workspace_field *field, int value, double *least,
                     double *greatest) {
    *least = INFINITY;
    *greatest = -INFINITY;
    bool known = false;
    for (int i = 0; i < field->nodes; i++) {
        /* NaN: the machine does not have this value */
        double v = field->value[value + GDYN_FIELD_VALUES * i];
        if (!field->reached[i] || isnan(v))
            continue;
        known = true;
        *least = fmin(*least, v);
        *greatest = fmax(*greatest, v);
    }
    return known;
}

/* A map of letters, the first axis to the right, the second one upward: '#' reached, '.' not. */
static void print_map(const gdyn_workspace_field *field) {
    int right = field->count[0] > 1 ? 0 : 1, up = field->count[2] > 1 ? 2 : 1;
    if (field->dimensions != 2 || field->count[right] > COLUMNS_MOST)
        return;
    printf("\n");
    /* The axis that is left has one node: those of the others count on without it. */
    for (int row = field->count[up] - 1; row >= 0; row--) {
        printf("  ");
        for (int column = 0; column < field->count[right]; column++)
            putchar(field->reached[column + field->count[right] * row] ? '#' : '.');
        printf("\n");
    }
}

/* How much is reached, and the ranges of what holds there. */
static void print_field(const gdyn_model *model, const gdyn_workspace_field *field) {
    static const char *const size[] = {"", "m", "m^2", "m^3"};
    printf("%s: %d of %d nodes reached, %.6g %s\n", field->def->name, field->reached_count,
           field->nodes, gdyn_field_size(field, -1, 0), size[field->dimensions]);
    /* Where drives with limits hold the machine still: no acceleration is lacking. */
    if (gdyn_model_drives(model) > 0)
        printf("  held at rest %d nodes, %.6g %s\n", gdyn_field_count(field, GDYN_FIELD_ACCEL, 0),
               gdyn_field_size(field, GDYN_FIELD_ACCEL, 0), size[field->dimensions]);
    for (int v = 0; v < GDYN_FIELD_VALUES; v++) {
        double least, greatest;
        if (extremes(field, v, &least, &greatest))
            printf("  %-12s %-6s %12.6g .. %.6g\n", gdyn_field_names[v], gdyn_field_units[v], least,
                   greatest);
    }
    if (field->reached_count > 0)
        print_map(field);
    else
        printf("  no straight way leads from the assembled first guess to the nodes nearest to it: "
               "within the ranges,\n  in its mode, with what else the grid states (%s)\n",
               field->def->oriented ? "the orientation, coordinates with one value"
                                    : "coordinates with one value");
}

/* Text or JSON; no when a workspace is not reached at all. */
static int answer(const gdyn_options *options, const gdyn_instance *instance,
                  const gdyn_workspace_field *field) {
    bool reached = true;
    gdyn_text text = {0};
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < instance->workspace_count; i++)
        reached &= field[i].reached_count > 0;
    if (options->json) {
        status =
            gdyn_report_workspaces_json(&text, instance->name, instance->workspace_count, field);
        if (status == GDYN_OK)
            fwrite(text.data, 1, text.length, stdout);
        gdyn_text_free(&text);
    }
    for (int i = 0; i < instance->workspace_count && !options->json; i++)
        print_field(instance->model, &field[i]);
    return status != GDYN_OK ? gdyn_exit_code(status) : reached ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

/* All workspaces of the case. */
static int find(const gdyn_options *options, const gdyn_opened *opened) {
    const gdyn_instance *instance = opened->instance;
    gdyn_workspace_field *field = calloc((size_t)instance->workspace_count + 1, sizeof *field);
    gdyn_status status = field ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (instance->workspace_count == 0) {
        gdyn_cli_error("the case states no workspaces");
        free(field);
        return GDYN_EXIT_CASE;
    }
    for (int i = 0; i < instance->workspace_count && status == GDYN_OK; i++) {
        gdyn_stage("workspace '%s'", instance->workspace[i].name);
        status = gdyn_field_find(instance, i, &opened->sink, &field[i]);
    }
    if (status == GDYN_ERROR_MEMORY || status == GDYN_ERROR_NUMERIC)
        gdyn_cli_error("%s", gdyn_status_text(status));
    /* what is found is printed, and freed in any case */
    int code = status == GDYN_OK ? answer(options, instance, field) : gdyn_exit_code(status);
    for (int i = 0; field && i < instance->workspace_count; i++)
        gdyn_field_free(&field[i]);
    free(field);
    return code;
}

int gdyn_cmd_workspace(const gdyn_options *options) {
    return gdyn_run_on_machine(options, find);
}
