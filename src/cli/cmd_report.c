/* cmd_report.c - what the machine can do as one HTML file that needs nothing else. */
#include "cli/files.h"
#include "cli/interrupt.h"

#include "page/page.h"

#include <stdio.h>
#include <string.h>

/* A word of the command line as a shell reads it. */
static void append_word(gdyn_text *line, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
    bool quoted = !*word || word[strspn(word, plain)] != '\0';
    gdyn_text_printf(line, quoted ? " '" : " ");
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            gdyn_text_printf(line, "'\\''");
        else
            gdyn_text_append(line, c, 1);
    if (quoted)
        gdyn_text_append(line, "'", 1);
}

/* Writes the page; its name is said. */
static gdyn_status write_page(const gdyn_options *options, const gdyn_findings *findings,
                              const gdyn_page_origin *origin, const char *folder) {
    gdyn_text page = {0};
    gdyn_status status = gdyn_page_of_case(findings, origin, &page);
    if (status == GDYN_OK)
        status = gdyn_cli_write(folder, "report.html", &page);
    else
        gdyn_text_free(&page);
    if (status == GDYN_OK)
        gdyn_cli_note(options, "Report: %s/report.html", folder);
    return status;
}

/* The verdict, and the file. */
static int answer(const gdyn_options *options, const gdyn_opened *opened,
                  const gdyn_findings *findings) {
    gdyn_text command = {0}, verdict = {0};
    gdyn_page_origin origin = {0};
    gdyn_text_printf(&command, "globdyn");
    for (int i = 0; i < options->word_count; i++)
        append_word(&command, options->word[i]);
    origin.command = command.data;
    gdyn_status status =
        gdyn_page_hash(opened->the_case, opened->setting_count, opened->setting, origin.hash);
    gdyn_findings_verdict(findings, &verdict);
    if (command.failed || verdict.failed)
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        printf("%s: %s\n", opened->instance->name, verdict.data);
    char *folder = status == GDYN_OK ? gdyn_results_folder(options, opened->filename) : NULL;
    int code = status == GDYN_OK && !folder ? GDYN_EXIT_FILE : gdyn_exit_code(status);
    if (folder)
        code = gdyn_exit_code(write_page(options, findings, &origin, folder));
    gdyn_free(folder);
    gdyn_text_free(&command);
    gdyn_text_free(&verdict);
    return code != GDYN_EXIT_YES          ? code
           : gdyn_findings_good(findings) ? GDYN_EXIT_YES
                                          : GDYN_EXIT_NO;
}

static int report(const gdyn_options *options, const gdyn_opened *opened) {
    gdyn_findings *findings = NULL;
    int first, count, code = gdyn_choose_trajectories(options, opened->instance, &first, &count);
    if (code != GDYN_EXIT_YES)
        return code;
    gdyn_stage("the report of %s", opened->filename);
    gdyn_wait_begin(options, "computing the report");
    gdyn_status status =
        gdyn_findings_create(opened->instance, first, count, &opened->sink, &findings);
    gdyn_wait_end();
    if (status == GDYN_OK)
        code = answer(options, opened, findings);
    else
        code = gdyn_exit_code(status);
    gdyn_findings_destroy(findings);
    return code;
}

int gdyn_cmd_report(const gdyn_options *options) {
    return gdyn_run_on_machine(options, report);
}
