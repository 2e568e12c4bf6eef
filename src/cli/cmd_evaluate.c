/* cmd_evaluate.c - globdyn evaluate CASE: one design, the case's own or that of --set, with
 * everything that objectives and constraints could name. */
#include "cli/cli.h"

/* The fastest motions of the design and their forces, on the points of the trajectories, for the
 * document; an exit code. */
static int find_motions(gdyn_session *s) {
    const gdyn_instance *instance = s->opened.instance;
    bool drives = instance->model && gdyn_model_drives(instance->model) > 0;
    int count = drives ? instance->trajectory_count : 0;
    s->trajectory = calloc((size_t)count + 1, sizeof *s->trajectory);
    gdyn_status status = s->trajectory ? GDYN_OK : GDYN_ERROR_MEMORY;
    while (s->count < count && status == GDYN_OK) {
        gdyn_trajectory *t = &s->trajectory[s->count];
        status = gdyn_trajectory_open(t, instance, s->count++, &s->opened.sink);
        t->planning.bounds = t->planning.audit = t->planning.certificate = false;
        if (status == GDYN_OK)
            status = gdyn_trajectory_take(t, GDYN_PASS_FORCES);
    }
    return gdyn_cli_judge(status);
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
    if (code != GDYN_EXIT_YES) {
        gdyn_study_destroy(study);
        return code;
    }
    /* The design of the case, or that of --set. */
    int variables = gdyn_study_start(study)->design_count;
    gdyn_design *design = gdyn_design_create(study);
    double *x = calloc((size_t)variables + 1, sizeof *x);
    for (int i = 0; i < variables && x; i++)
        x[i] = gdyn_study_start_value(study, i);
    code = gdyn_cli_judge(design && x ? gdyn_study_evaluate(study, x, GDYN_EXTENT_ALL, design)
                                      : GDYN_ERROR_MEMORY);
    gdyn_text text = {0};
    const char *name = opened->instance->name;
    if (code == GDYN_EXIT_YES && s->options->json)
        code = find_motions(s);
    if (code == GDYN_EXIT_YES && s->options->json) {
        gdyn_status status = gdyn_report_design_json(&text, name, opened->instance, study, design,
                                                     s->count, s->trajectory);
        code = gdyn_cli_print(status, &text, NULL);
    } else if (code == GDYN_EXIT_YES) {
        printf("%s\n", name);
        gdyn_print_design(study, design);
    }
    if (code == GDYN_EXIT_YES && design->status != GDYN_DESIGN_OK)
        code = GDYN_EXIT_NO;
    free(x);
    gdyn_design_destroy(design);
    gdyn_study_destroy(study);
    return code;
}
