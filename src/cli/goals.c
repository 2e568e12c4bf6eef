/* goals.c - objectives and constraints of the start design, or of one stated beside it. */
#include "cli/analysis.h"

#include "base/memory.h"
#include "study/study.h"

#include <string.h>

static double start_value(const gdyn_opened *opened, const gdyn_design_variable *v) {
    for (int k = 0; k < opened->setting_count; k++) {
        if (!strcmp(opened->setting[k].name, v->name)) {
            return gdyn_case_choice_index(v, opened->setting[k].value);
        }
    }
    return v->start;
}

gdyn_status gdyn_goal_value(const gdyn_opened *opened, gdyn_study **study,
                            const gdyn_expectation *e, bool *known, double *value) {
    gdyn_status status = GDYN_OK;
    *known = false;
    if (!*study) {
        status = gdyn_study_create(opened->the_case, opened->setting_count, opened->setting,
                                   &opened->sink, study);
    }
    if (status != GDYN_OK) {
        return status;
    }
    const gdyn_instance *start = gdyn_study_start(*study);
    gdyn_design *design = gdyn_design_create(*study);
    double *x = gdyn_alloc((size_t)start->design_count, sizeof *x);
    status = design && x ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; status == GDYN_OK && i < start->design_count; i++) {
        x[i] = start_value(opened, &start->design[i]);
        for (int k = 0; k < e->setting_count; k++) {
            if (!strcmp(e->setting[k].name, start->design[i].name)) {
                x[i] = gdyn_case_choice_index(&start->design[i], e->setting[k].value);
            }
        }
    }
    if (status == GDYN_OK) {
        status = gdyn_study_evaluate(*study, x, GDYN_EXTENT_NEEDED, design);
    }
    if (status == GDYN_OK && design->evaluated) {
        bool objective = !strcmp(e->criterion, "objective");
        *known = true;
        *value = objective ? design->objective[e->goal] : design->constraint[e->goal];
    }
    gdyn_free(x);
    gdyn_design_destroy(design);
    return status;
}
