/* cmd_report.c - what the machine of a case can do, or what a study has found, as one HTML file
 * that needs nothing else. */
#include "cli/cli.h"

/* The verdict, and the file. */
static int answer(const gdyn_options *options, const gdyn_opened *opened,
                  const gdyn_findings *findings) {
    gdyn_text command = {0}, verdict = {0}, page = {0};
    gdyn_page_origin origin = {0};
    gdyn_cli_command_line(options, &command);
    origin.command = command.data;
    gdyn_status status =
        gdyn_page_hash(opened->the_case, opened->setting_count, opened->setting, origin.hash);
    gdyn_findings_verdict(findings, &verdict);
    if (command.failed || verdict.failed)
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        printf("%s: %s\n", opened->instance->name, verdict.data);
    char *folder = status == GDYN_OK ? gdyn_results_folder(options, opened->filename) : NULL;
    if (status == GDYN_OK)
        status = folder ? gdyn_page_of_case(findings, &origin, &page) : GDYN_ERROR_FILE;
    if (status == GDYN_OK)
        status = gdyn_cli_write(folder, "report.html", &page);
    else
        gdyn_text_free(&page);
    if (status == GDYN_OK)
        gdyn_cli_note(options, "Report: %s/report.html", folder);
    gdyn_free(folder);
    gdyn_text_free(&command), gdyn_text_free(&verdict);
    return status != GDYN_OK              ? gdyn_exit_code(status)
           : gdyn_findings_good(findings) ? GDYN_EXIT_YES
                                          : GDYN_EXIT_NO;
}

int gdyn_cmd_report(gdyn_session *s) {
    const gdyn_options *options = s->options;
    bool study = gdyn_is_study(options->operand[0]);
    /* Options that make sense for one of both only. */
    const char *wrong = study && options->set.count > 0       ? "--set"
                        : study && options->without.count > 0 ? "--without"
                        : study && options->trajectory        ? "--trajectory"
                        : !study && options->watch            ? "--watch"
                                                              : NULL;
    if (wrong)
        return gdyn_cli_fail(
            GDYN_EXIT_USAGE,
            study ? "globdyn study case STUDY N -o FILE writes a case file of one of its designs"
                  : "it writes the page of a study again while this runs",
            GDYN_CODE_USAGE "globdyn report does not accept %s for a %s", wrong,
            study ? "study" : "case");
    if (study)
        return gdyn_report_study(options);
    int first, count, code = gdyn_session_begin(options, GDYN_NEEDS_MACHINE, s);
    const gdyn_opened *opened = &s->opened;
    if (code == GDYN_EXIT_YES)
        code = gdyn_choose_trajectories(options, opened->instance, &first, &count);
    if (code != GDYN_EXIT_YES)
        return code;
    gdyn_findings *findings = NULL;
    gdyn_stage("the report of %s", opened->filename);
    gdyn_wait_begin(options, "computing the report");
    gdyn_status status =
        gdyn_findings_create(opened->instance, first, count, &opened->sink, &findings);
    gdyn_wait_end();
    code = status == GDYN_OK ? answer(options, opened, findings) : gdyn_exit_code(status);
    gdyn_findings_destroy(findings);
    return code;
}
