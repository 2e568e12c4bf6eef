/* study_columns.c - variables, objectives, constraints and criteria of designs as columns; see
 * study_parts.h. */
#include "page/study_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers of criteria that a page holds: some two megabytes. */
static const double ROOM = 4e5;

static gdyn_status add(gdyn_study_columns *c, gdyn_column_kind kind, int index, const char *name,
                       const char *unit) {
    if (!gdyn_reserve(&c->column, &c->capacity, c->count + 1, sizeof *c->column))
        return GDYN_ERROR_MEMORY;
    gdyn_study_column *column = &c->column[c->count++];
    *column = (gdyn_study_column){.kind = kind, .index = index, .name = name};
    snprintf(column->unit, sizeof column->unit, "%s", unit);
    return GDYN_OK;
}

/* Choices and dimensionless variables have no unit. */
static gdyn_status add_variable(gdyn_study_columns *c, int index, const gdyn_design_variable *v) {
    char unit[40] = "";
    if (v->choices == 0 && v->dimension.known && !gdyn_dimension_fits(v->dimension, GDYN_DIM_NONE))
        gdyn_dimension_text(v->dimension, unit, sizeof unit);
    return add(c, GDYN_COLUMN_VARIABLE, index, v->name, unit);
}

/* The criterion is what an objective is. */
static bool is_objective(const gdyn_instance *start, const char *name) {
    bool found = false;
    for (int k = 0; k < start->objective_count; k++)
        found = found || !strcmp(start->objective[k].text, name);
    return found;
}

/* Some design has it, and it is not the same in all. */
static bool varies(const gdyn_archive *archive, int response) {
    double first = NAN;
    for (int i = 0; i < archive->count; i++) {
        double value = gdyn_design_response(archive->design[i], response);
        if (isnan(value))
            continue;
        if (!isnan(first) && value != first)
            return true;
        first = value;
    }
    return false;
}

static gdyn_status add_criteria(gdyn_study_columns *c, const gdyn_stored *stored) {
    const gdyn_study *study = stored->study;
    const gdyn_archive *archive = &stored->result.archive;
    int room = archive->count > 0 ? (int)fmin(ROOM / archive->count, 400) : 0;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < gdyn_study_responses(study) && status == GDYN_OK; i++) {
        const char *name = gdyn_study_response_name(study, i);
        if (gdyn_study_response_kind(study, i) == GDYN_RESPONSE_PARAMETER ||
            is_objective(gdyn_study_start(study), name) || !varies(archive, i))
            continue;
        if (room-- > 0)
            status = add(c, GDYN_COLUMN_CRITERION, i, name, gdyn_study_response_unit(study, i));
        else
            c->left_out++;
    }
    return status;
}

gdyn_status gdyn_study_columns_make(const gdyn_stored *stored, gdyn_study_columns *c) {
    const gdyn_study *study = stored->study;
    const gdyn_instance *start = gdyn_study_start(study);
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < start->objective_count && status == GDYN_OK; i++)
        status = add(c, GDYN_COLUMN_OBJECTIVE, i, start->objective[i].name,
                     gdyn_study_objective_unit(study, i));
    for (int i = 0; i < start->design_count && status == GDYN_OK; i++)
        status = add_variable(c, i, &start->design[i]);
    for (int i = 0; i < start->requirement_count && status == GDYN_OK; i++)
        status = add(c, GDYN_COLUMN_CONSTRAINT, i, start->requirement[i].name,
                     gdyn_study_constraint_unit(study, i));
    return status == GDYN_OK ? add_criteria(c, stored) : status;
}

void gdyn_study_columns_free(gdyn_study_columns *c) {
    gdyn_free(c->column);
    *c = (gdyn_study_columns){0};
}

double gdyn_column_value(const gdyn_study_column *column, const gdyn_design *d) {
    int i = column->index;
    switch (column->kind) {
    case GDYN_COLUMN_VARIABLE:
        return d->x[i];
    case GDYN_COLUMN_OBJECTIVE:
        return d->evaluated ? d->objective[i] : NAN;
    case GDYN_COLUMN_CONSTRAINT:
        return d->evaluated ? d->constraint[i] : NAN;
    case GDYN_COLUMN_CRITERION:
        return gdyn_design_response(d, i);
    }
    return NAN;
}
