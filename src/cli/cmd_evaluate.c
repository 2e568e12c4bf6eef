/* cmd_evaluate.c - globdyn evaluate CASE: one design, the case's own or that of --set, with everything
 * that objectives and constraints could name. */
#include "cli/cli.h"

static int answer(const gdyn_options *options, const gdyn_opened *opened, const gdyn_study *study,
                  const gdyn_design *design) {
    gdyn_text text = {0};
    int code = GDYN_EXIT_YES;
    if (options->json) {
        code = gdyn_cli_print(
            gdyn_report_design_json(&text, opened->instance->name, opened->instance, study, design),
            &text, NULL);
    } else {
        printf("%s\n", opened->instance->name);
        gdyn_print_design(study, design);
    }
    if (code != GDYN_EXIT_YES)
        return code;
    return design->status == GDYN_DESIGN_OK ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

static int evaluate(const gdyn_options *options, const gdyn_opened *opened,
                    const gdyn_study *study) {
    const gdyn_instance *start = gdyn_study_start(study);
    gdyn_design *design = gdyn_design_create(study);
    double *x = calloc((size_t)start->design_count + 1, sizeof *x);
    gdyn_status status = design && x ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* The design of the case, or that of --set. */
    for (int i = 0; i < start->design_count && x; i++)
        x[i] = gdyn_study_start_value(study, i);
    status = status == GDYN_OK ? gdyn_study_evaluate(study, x, GDYN_EXTENT_ALL, design) : status;
    int code = status == GDYN_OK ? answer(options, opened, study, design) : gdyn_cli_judge(status);
    free(x);
    gdyn_design_destroy(design);
    return code;
}

int gdyn_cmd_evaluate(gdyn_session *s) {
    const gdyn_opened *opened = &s->opened;
    gdyn_study *study = NULL;
    gdyn_stage("the design of %s", s->options->operand[0]);
    int code = gdyn_session_begin(s->options, GDYN_NEEDS_CASE, s);
    /* Objectives are optional here. */
    if (code == GDYN_EXIT_YES)
        code = gdyn_exit_code(gdyn_study_create_any(opened->the_case, opened->setting_count,
                                                    opened->setting, &opened->sink, &study));
    code = code == GDYN_EXIT_YES ? gdyn_check_paths(opened) : code;
    code = code == GDYN_EXIT_YES ? evaluate(s->options, opened, study) : code;
    gdyn_study_destroy(study);
    return code;
}
