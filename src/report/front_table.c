/* front_table.c - designs as tables. Columns carry the sort of their quantity ("design.leg",
 * "objective.area"), because an objective may be called like a parameter or a criterion. */
#include "report/front.h"
#include "report/number.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>

/* --- quantities ------------------------------------------------------------------------------- */

int gdyn_traits(const gdyn_study *study, gdyn_trait_kind kind) {
    const gdyn_instance *start = gdyn_study_start(study);
    const int count[] = {start->design_count, start->objective_count, start->requirement_count,
                         gdyn_study_responses(study)};
    return count[kind];
}

const char *gdyn_trait_name(const gdyn_study *study, gdyn_trait_kind kind, int i) {
    const gdyn_instance *start = gdyn_study_start(study);
    return kind == GDYN_TRAIT_VARIABLE     ? start->design[i].name
           : kind == GDYN_TRAIT_OBJECTIVE  ? start->objective[i].name
           : kind == GDYN_TRAIT_CONSTRAINT ? start->requirement[i].name
                                           : gdyn_study_response_name(study, i);
}

gdyn_trait gdyn_trait_of(const gdyn_study *study, gdyn_trait_kind kind, int i) {
    gdyn_trait q = {kind, i, gdyn_trait_name(study, kind, i), ""};
    if (kind != GDYN_TRAIT_VARIABLE) {
        snprintf(q.unit, sizeof q.unit, "%s",
                 kind == GDYN_TRAIT_OBJECTIVE    ? gdyn_study_objective_unit(study, i)
                 : kind == GDYN_TRAIT_CONSTRAINT ? gdyn_study_constraint_unit(study, i)
                                                 : gdyn_study_response_unit(study, i));
        return q;
    }
    const gdyn_design_variable *v = &gdyn_study_start(study)->design[i];
    if (v->choices == 0 && v->dimension.known && !gdyn_dimension_fits(v->dimension, GDYN_DIM_NONE))
        gdyn_dimension_text(v->dimension, q.unit, sizeof q.unit);
    return q;
}

double gdyn_trait_value(gdyn_trait_kind kind, int i, const gdyn_design *d) {
    if (kind == GDYN_TRAIT_CRITERION)
        return gdyn_design_response(d, i);
    const double *values[] = {d->x, d->objective, d->constraint};
    return kind == GDYN_TRAIT_VARIABLE || d->evaluated ? values[kind][i] : NAN;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Names, or (d) values of variables, objectives and constraints; each column says which it is. */
static void add_goals(gdyn_text *out, const gdyn_study *study, const gdyn_design *d) {
    static const char *const sort[] = {"design", "objective", "constraint"};
    for (gdyn_trait_kind k = 0; k < GDYN_TRAIT_CRITERION; k++)
        for (int i = 0; i < gdyn_traits(study, k); i++)
            if (d)
                gdyn_csv_number(out, gdyn_trait_value(k, i, d));
            else
                gdyn_csv_text(out, "%s.%s", sort[k], gdyn_trait_name(study, k, i));
}

/* Parameters are columns of their own only as design variables. */
static bool reported(const gdyn_study *study, int response) {
    return gdyn_study_response_kind(study, response) != GDYN_RESPONSE_PARAMETER;
}

static void joint_names(gdyn_text *out, const gdyn_study *study, const gdyn_design *d,
                        gdyn_verdict verdict) {
    const gdyn_model *model = gdyn_study_start(study)->model;
    gdyn_text names = {0};
    for (int x = 0; d->judged && x < gdyn_study_joints(study); x++)
        if (d->joint[x] == verdict)
            gdyn_text_printf(&names, "%s%s", names.length ? " " : "",
                             gdyn_model_joint(model, x)->name);
    gdyn_csv_take(out, &names);
}

static void detail_columns(gdyn_text *out, const gdyn_study *study) {
    for (int r = 0; r < gdyn_study_responses(study); r++)
        if (reported(study, r))
            gdyn_csv_word(out, gdyn_study_response_name(study, r));
    if (gdyn_study_start(study)->model)
        gdyn_text_printf(out, ",indeterminate_joints,drive_dependent_joints");
}

static void detail_cells(gdyn_text *out, const gdyn_study *study, const gdyn_design *d) {
    for (int r = 0; r < gdyn_study_responses(study); r++)
        if (reported(study, r))
            gdyn_csv_number(out, gdyn_design_response(d, r));
    if (gdyn_study_start(study)->model) {
        joint_names(out, study, d, GDYN_INDETERMINATE);
        joint_names(out, study, d, GDYN_DRIVE_DEPENDENT);
    }
}

gdyn_status gdyn_report_front_csv(gdyn_text *out, const gdyn_outcome *outcome) {
    const gdyn_study *study = outcome->study;
    gdyn_text_printf(out, "id");
    add_goals(out, study, NULL);
    detail_columns(out, study);
    gdyn_csv_end(out);
    for (int i = 0; i < outcome->result->front.count; i++) {
        const gdyn_design *d = outcome->result->front.design[i];
        gdyn_text_printf(out, "%ld", d->serial);
        add_goals(out, study, d);
        detail_cells(out, study, d);
        gdyn_csv_end(out);
    }
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* Designs of the archive; with `details` all that is known about them. */
static gdyn_status all_designs(gdyn_text *out, const gdyn_outcome *outcome, bool details) {
    const gdyn_study_result *result = outcome->result;
    gdyn_text_printf(out, "id,status,violation,failure,nondominated");
    add_goals(out, outcome->study, NULL);
    if (details)
        detail_columns(out, outcome->study);
    gdyn_text_printf(out, ",reason\n");
    /* Every design, evaluated or not, with the reason of its status. */
    for (int i = 0; i < result->archive.count; i++) {
        const gdyn_design *d = result->archive.design[i];
        gdyn_text_printf(out, "%ld,%s,%s,%s,%d", d->serial, gdyn_design_status_name(d->status),
                         gdyn_digits(d->violation).text, gdyn_digits(d->failure).text,
                         result->nondominated[i]);
        add_goals(out, outcome->study, d);
        if (details)
            detail_cells(out, outcome->study, d);
        gdyn_csv_word(out, d->reason);
        gdyn_csv_end(out);
    }
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_report_designs_csv(gdyn_text *out, const gdyn_outcome *outcome) {
    return all_designs(out, outcome, false);
}

gdyn_status gdyn_report_export_csv(gdyn_text *out, const gdyn_outcome *outcome) {
    return all_designs(out, outcome, true);
}

/* --- the generations of a search as a table. */

gdyn_status gdyn_report_history_csv(gdyn_text *out, const gdyn_outcome *outcome) {
    const gdyn_study_result *result = outcome->result;
    gdyn_text_printf(out, "generation,evaluations,population,feasible,front,hypervolume,moved");
    for (gdyn_design_status k = 0; k < GDYN_DESIGN_STATUSES; k++)
        gdyn_text_printf(out, ",status.%s", gdyn_design_status_name(k));
    gdyn_text_append(out, "\n", 1);
    for (int i = 0; i < result->history_count; i++) {
        const gdyn_generation *g = &result->history[i];
        gdyn_text_printf(out, "%ld,%ld,%d,%d,%d,%s,%d", g->number, g->evaluations, g->population,
                         g->feasible, g->front, gdyn_digits(g->hypervolume).text, g->moved);
        for (int k = 0; k < GDYN_DESIGN_STATUSES; k++)
            gdyn_text_printf(out, ",%d", g->status[k]);
        gdyn_text_append(out, "\n", 1);
    }
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
