/* goals.c - objectives and constraints: what a case without machine consists of; their values at the
 * start design, or at one stated beside it. */
#include "cli/session.h"

#include "base/memory.h"
#include "study/study.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static double start_value(const gdyn_opened *opened, const gdyn_design_variable *v) {
    for (int k = 0; k < opened->setting_count; k++)
        if (!strcmp(opened->setting[k].name, v->name))
            return gdyn_case_choice_index(v, opened->setting[k].value);
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
    if (status != GDYN_OK)
        return status;
    const gdyn_instance *start = gdyn_study_start(*study);
    gdyn_design *design = gdyn_design_create(*study);
    double *x = gdyn_alloc((size_t)start->design_count, sizeof *x);
    status = design && x ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; status == GDYN_OK && i < start->design_count; i++) {
        x[i] = start_value(opened, &start->design[i]);
        for (int k = 0; k < e->setting_count; k++)
            if (!strcmp(e->setting[k].name, start->design[i].name))
                x[i] = gdyn_case_choice_index(&start->design[i], e->setting[k].value);
    }
    if (status == GDYN_OK)
        status = gdyn_study_evaluate(*study, x, GDYN_EXTENT_NEEDED, design);
    if (status == GDYN_OK && design->evaluated) {
        *known = true;
        *value = e->kind == GDYN_EXPECT_OBJECTIVE ? design->objective[e->goal]
                                                  : design->constraint[e->goal];
    }
    gdyn_free(x);
    gdyn_design_destroy(design);
    return status;
}

/* --- a case without machine --------------------------------------------------------------------- */

static void print_goals(const gdyn_instance *in) {
    printf("%s: no machine, formulas over design variables\n\nProblem\n", in->name);
    printf("  design variables       %4d   ", in->design_count);
    for (int i = 0; i < in->design_count && i < 3; i++)
        printf("%s%s", i > 0 ? ", " : "", in->design[i].name);
    printf("%s\n  objectives             %4d   ", in->design_count > 3 ? ", ..." : "",
           in->objective_count);
    for (int i = 0; i < in->objective_count; i++) {
        printf("%s%s %s", i > 0 ? ", " : "", in->objective[i].maximize ? "maximize" : "minimize",
               in->objective[i].name);
    }
    printf("\n  constraints            %4d\n", in->requirement_count);
}

static int print_goals_json(const gdyn_instance *in) {
    json_t *document = json_object(), *variables = json_array(), *objectives = json_array();
    json_t *constraints = json_array();
    for (int i = 0; i < in->design_count; i++)
        json_array_append_new(variables, json_string(in->design[i].name));
    for (int i = 0; i < in->objective_count; i++)
        json_array_append_new(objectives, json_string(in->objective[i].name));
    for (int i = 0; i < in->requirement_count; i++)
        json_array_append_new(constraints, json_string(in->requirement[i].name));
    json_object_set_new(document, "format", json_integer(1));
    json_object_set_new(document, "tool", json_string("globdyn"));
    json_object_set_new(document, "case", json_string(in->name));
    json_object_set_new(document, "design", variables);
    json_object_set_new(document, "objectives", objectives);
    json_object_set_new(document, "constraints", constraints);
    char *text = json_dumps(document, JSON_INDENT(1));
    json_decref(document);
    if (!text)
        return GDYN_EXIT_INTERNAL;
    printf("%s\n", text);
    free(text);
    return GDYN_EXIT_YES;
}

int gdyn_check_goals(const gdyn_options *options, const gdyn_opened *opened) {
    if (options->json)
        return print_goals_json(opened->instance);
    print_goals(opened->instance);
    gdyn_cli_note(options, "Next: globdyn optimize %s", opened->filename);
    return GDYN_EXIT_YES;
}
