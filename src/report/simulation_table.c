/* simulation_table.c - simulations as CSV and JSON. */
#include "report/report.h"

#include "report/number.h"

#include <math.h>

void gdyn_report_simulation_csv(gdyn_text *out, const gdyn_simulated *run) {
    const gdyn_record *r = run->record;
    for (int c = 0; c < r->columns; c++) {
        const char *unit = r->column[c].unit;
        gdyn_csv_text(out, "%s%s%s%s", r->column[c].name, *unit ? " [" : "", unit,
                      *unit ? "]" : "");
    }
    gdyn_csv_end(out);
    for (int i = 0; i < r->frames; i++) {
        gdyn_csv_numbers(out, r->columns, r->value + (size_t)i * (size_t)r->columns);
        gdyn_csv_end(out);
    }
}

void gdyn_report_assembly_csv(gdyn_text *out, const gdyn_simulated *run) {
    gdyn_csv_text(out, "method");
    gdyn_csv_text(out, "iteration");
    gdyn_csv_text(out, "at_work");
    gdyn_csv_text(out, "evaluations");
    gdyn_csv_text(out, "residual");
    gdyn_csv_end(out);
    for (int m = 0; m < run->assemblies; m++)
        for (int i = 0; i < run->assembly[m].steps; i++) {
            const gdyn_assembly_step *step = &run->assembly[m].step[i];
            gdyn_csv_text(out, "%s", gdyn_sim_closing_names[run->assembly[m].method]);
            gdyn_csv_text(out, "%d", i);
            gdyn_csv_text(out, "%s", gdyn_sim_closing_names[step->at_work]);
            gdyn_csv_text(out, "%d", step->evaluations);
            gdyn_csv_number(out, step->residual);
            gdyn_csv_end(out);
        }
}

/* --- document --------------------------------------------------------------------------------- */

static const char *kind_name(gdyn_record_kind kind) {
    static const char *const names[] = {
        [GDYN_RECORD_TIME] = "time",         [GDYN_RECORD_PLACE] = "place",
        [GDYN_RECORD_VELOCITY] = "velocity", [GDYN_RECORD_ACCELERATION] = "acceleration",
        [GDYN_RECORD_JOINT] = "joint",       [GDYN_RECORD_POINT] = "point",
        [GDYN_RECORD_DRIVE] = "drive",       [GDYN_RECORD_RESIDUAL] = "residual",
        [GDYN_RECORD_ENERGY] = "energy",     [GDYN_RECORD_REACTION] = "reaction",
        [GDYN_RECORD_TRACKING] = "tracking", [GDYN_RECORD_CLOSING] = "closing",
    };
    return names[kind];
}

static json_t *events_of(const gdyn_simulation *simulation) {
    static const char *const kinds[] = {"leaves range", "sticks", "slips"};
    json_t *list = gdyn_json_list();
    int count;
    const gdyn_sim_event *event = gdyn_simulation_events(simulation, &count);
    for (int i = 0; i < count; i++) {
        const gdyn_sim_event *e = &event[i];
        json_t *one = gdyn_json_object("kind:s of:s t:n", kinds[e->kind],
                                       gdyn_simulation_event_name(simulation, e), e->t);
        if (e->kind == GDYN_SIM_LEAVES)
            gdyn_json_add(one, "limit:s until:n by:n", e->upper ? "max" : "min", e->until, e->by);
        json_array_append_new(list, one);
    }
    return list;
}

/* How the machine was assembled: a method each, with its way. */
static json_t *assembly_of(const gdyn_simulated *run) {
    json_t *list = gdyn_json_list();
    for (int m = 0; m < run->assemblies; m++) {
        const gdyn_assembly *a = &run->assembly[m];
        json_t *way = gdyn_json_list();
        for (int i = 0; i < a->steps; i++)
            gdyn_json_append(way, "at_work:s evaluations:i residual:n",
                             gdyn_sim_closing_names[a->step[i].at_work], a->step[i].evaluations,
                             a->step[i].residual);
        gdyn_json_append(list, "method:s closed:b iterations:i evaluations:i residual:n way:o",
                         gdyn_sim_closing_names[a->method], a->closure.outcome == GDYN_CLOSED,
                         a->closure.iterations, a->closure.evaluations, a->closure.residual, way);
    }
    return list;
}

/* Limits that were exceeded; sides as in the events. */
static json_t *limits_of(const gdyn_simulated *run) {
    json_t *list = gdyn_json_list();
    const gdyn_model *model = run->record->model;
    int count;
    const gdyn_sim_limit *limit = gdyn_simulation_limits(run->simulation, &count);
    for (int i = 0; i < count; i++) {
        const gdyn_sim_limit *l = &limit[i];
        gdyn_json_append(list, "name:s kind:s limit:s t:n amount:n unit:s time:n",
                         gdyn_limit_item_name(model, &l->item), gdyn_limit_kind_word(l->item.kind),
                         l->upper ? "max" : "min", l->t, l->amount,
                         gdyn_record_limit_unit(model, l), l->time);
    }
    return list;
}

/* Greatest and rms value over time of a column, which may be without numbers. */
static json_t *size_of_column(const gdyn_record *r, const char *name) {
    int c = gdyn_record_find(r, name);
    double peak = NAN, sum = 0, span = 0;
    for (int i = 0; c >= 0 && i < r->frames; i++) {
        const double *row = r->value + (size_t)i * (size_t)r->columns;
        peak = fmax(peak, fabs(row[c]));
        if (i == 0)
            continue;
        /* linear between outputs; the first column is the time */
        double a = row[c - r->columns], b = row[c], h = row[0] - row[-r->columns];
        sum += h * (a * a + a * b + b * b) / 3;
        span += h;
    }
    return gdyn_json_object("peak:n rms:n", peak, span > 0 ? sqrt(sum / span) : peak);
}

/* How far the machine is from the path of a motion that is played: peak and rms in m, angle: the
 * same in rad. */
static json_t *tracking_of(const gdyn_simulated *run) {
    if (!run->trajectory)
        return json_null();
    json_t *tracking = size_of_column(run->record, "tracking.length");
    gdyn_json_add(tracking, "angle:o", size_of_column(run->record, "tracking.angle"));
    return tracking;
}

/* Whether the motion's file has the forces that this machine needs, and where it has others. */
static json_t *planned_of(const gdyn_simulated *run) {
    const gdyn_planned *p = &run->planned;
    if (!run->trajectory || p->rows == 0)
        return json_null();
    json_t *object = gdyn_json_object("same:b", p->row < 0);
    if (p->row >= 0)
        gdyn_json_add(object, "drive:s t:n p:n planned:n needed:n",
                      run->trajectory->row[p->row].name, p->t, p->p, p->force, p->needed);
    return object;
}

gdyn_status gdyn_report_simulation_json(gdyn_text *out, const gdyn_simulated *run) {
    const gdyn_record *r = run->record;
    json_t *document = gdyn_json_document(run->name);
    json_t *columns = gdyn_json_list();
    for (int c = 0; c < r->columns; c++) {
        const gdyn_record_column *column = &r->column[c];
        json_t *one = gdyn_json_object("name:s unit:s kind:s", column->name, column->unit,
                                       kind_name(column->kind));
        if (column->component >= 0)
            gdyn_json_add(one, "verdict:s", gdyn_verdict_text(r->worst[column->component]));
        json_array_append_new(columns, one);
    }
    /* seconds for which the force of each drive was beyond its limits */
    json_t *saturation = gdyn_json_map();
    const gdyn_model *model = run->record->model;
    for (int i = 0; i < gdyn_model_drives(model); i++)
        json_object_set_new(saturation, gdyn_model_drive(model, i)->name,
                            json_real(gdyn_simulation_saturated(run->simulation, i)));
    const gdyn_sim_start *s = run->start;
    json_t *start =
        gdyn_json_object("rank:i redundant_constraints:i mobility:i closing_residual:n "
                         "closing_displacement:n missed_wish:n held:i ranks_gained:i shaken:n "
                         "guess_shaken:n",
                         s->rank, s->redundant, s->mobility, s->closure.residual, s->moved,
                         s->missed, s->held, s->gained, s->shaken, s->guess_shaken);
    json_t *rows = gdyn_json_list();
    for (int i = 0; i < r->frames; i++)
        json_array_append_new(
            rows, gdyn_json_numbers(r->columns, r->value + (size_t)i * (size_t)r->columns));
    gdyn_json_add(
        document,
        "method:s stabilization:s integrator:s outcome:s structure:b held:n start:o "
        "assembly:o steps:l "
        "evaluations:l events:o limits:o saturation:o tracking:o planned:o axes:s columns:o rows:o",
        gdyn_sim_method_names[run->def->method], gdyn_sim_hold_names[run->def->hold],
        gdyn_sim_integrator_names[run->def->integrator], gdyn_sim_outcome_text(run->outcome),
        r->structure, r->held, start, assembly_of(run), (long)run->steps, (long)run->evaluations,
        events_of(run->simulation), limits_of(run), saturation, tracking_of(run), planned_of(run),
        gdyn_sim_axes_names[run->def->axes], columns, rows);
    return gdyn_json_print(document, GDYN_JSON_COMPACT, out);
}
