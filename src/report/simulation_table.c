/* simulation_table.c - simulations as CSV and JSON. */
#include "report/simulation.h"

#include "report/number.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void gdyn_report_simulation_csv(gdyn_text *out, const gdyn_simulated *run) {
    const gdyn_record *r = run->record;
    for (int c = 0; c < r->columns; c++) {
        const gdyn_record_column *column = &r->column[c];
        gdyn_text head = {0};
        gdyn_text_printf(&head, "%s%s%s%s", column->name, *column->unit ? " [" : "", column->unit,
                         *column->unit ? "]" : "");
        gdyn_text_append(out, ",", c > 0);
        gdyn_report_csv_field(out, head.data ? head.data : "");
        out->failed |= head.failed;
        gdyn_text_free(&head);
    }
    gdyn_text_append(out, "\n", 1);
    for (int i = 0; i < r->frames; i++) {
        const double *row = r->value + (size_t)i * (size_t)r->columns;
        gdyn_text_printf(out, "%.17g", row[0] + 0.0);
        for (int c = 1; c < r->columns; c++)
            gdyn_csv_number(out, row[c]);
        gdyn_text_append(out, "\n", 1);
    }
}

/* --- document ------------------------------------------------------------------------------------------- */

static const char *kind_name(gdyn_record_kind kind) {
    static const char *const names[] = {
        [GDYN_RECORD_TIME] = "time",         [GDYN_RECORD_PLACE] = "place",
        [GDYN_RECORD_VELOCITY] = "velocity", [GDYN_RECORD_ACCELERATION] = "acceleration",
        [GDYN_RECORD_JOINT] = "joint",       [GDYN_RECORD_DRIVE] = "drive",
        [GDYN_RECORD_RESIDUAL] = "residual", [GDYN_RECORD_ENERGY] = "energy",
        [GDYN_RECORD_REACTION] = "reaction",
    };
    return names[kind];
}

static json_t *columns_of(const gdyn_record *r) {
    json_t *list = json_array();
    for (int c = 0; c < r->columns; c++) {
        const gdyn_record_column *column = &r->column[c];
        json_t *one = json_object();
        json_object_set_new(one, "name", json_string(column->name));
        json_object_set_new(one, "unit", json_string(column->unit));
        json_object_set_new(one, "kind", json_string(kind_name(column->kind)));
        if (column->component >= 0)
            json_object_set_new(one, "verdict",
                                json_string(gdyn_verdict_text(r->worst[column->component])));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *rows_of(const gdyn_record *r) {
    json_t *list = json_array();
    for (int i = 0; i < r->frames; i++) {
        json_t *row = json_array();
        for (int c = 0; c < r->columns; c++)
            json_array_append_new(row,
                                  gdyn_json_number(r->value[(size_t)i * (size_t)r->columns + c]));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *start_of(const gdyn_simulated *run) {
    const gdyn_sim_start *start = run->start;
    json_t *o = json_object();
    json_object_set_new(o, "rank", json_integer(start->rank));
    json_object_set_new(o, "redundant_constraints", json_integer(start->redundant));
    json_object_set_new(o, "mobility", json_integer(start->mobility));
    json_object_set_new(o, "closing_residual", gdyn_json_number(start->closure.residual));
    json_object_set_new(o, "closing_displacement", gdyn_json_number(start->moved));
    json_object_set_new(o, "missed_wish", gdyn_json_number(start->missed));
    return o;
}

gdyn_status gdyn_report_simulation_json(gdyn_text *out, const gdyn_simulated *run) {
    const gdyn_record *r = run->record;
    json_t *o = json_object();
    json_object_set_new(o, "format", json_integer(1));
    json_object_set_new(o, "tool", json_string("globdyn"));
    json_object_set_new(o, "case", json_string(run->name));
    json_object_set_new(o, "method", json_string(gdyn_sim_method_names[run->def->method]));
    json_object_set_new(o, "stabilization", json_string(gdyn_sim_hold_names[run->def->hold]));
    json_object_set_new(o, "integrator",
                        json_string(gdyn_sim_integrator_names[run->def->integrator]));
    json_object_set_new(o, "outcome", json_string(gdyn_sim_outcome_text(run->outcome)));
    json_object_set_new(o, "structure", json_boolean(r->structure));
    json_object_set_new(o, "start", start_of(run));
    json_object_set_new(o, "steps", json_integer(run->steps));
    json_object_set_new(o, "evaluations", json_integer(run->evaluations));
    json_object_set_new(o, "columns", columns_of(r));
    json_object_set_new(o, "rows", rows_of(r));
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(o);
    if (!text)
        return GDYN_ERROR_MEMORY;
    gdyn_text_printf(out, "%s\n", text);
    free(text);
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
