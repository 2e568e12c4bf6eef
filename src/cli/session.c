/* session.c - trajectories opened for a command, and its results written. */
#include "cli/cli.h"

void gdyn_session_stage(const gdyn_session *s, const gdyn_trajectory *t) {
    gdyn_stage(t->path ? "trajectory '%s'" : "%s", t->path ? t->name : s->case_name);
}

int gdyn_session_judge(const gdyn_trajectory *t, gdyn_status status) {
    if (status != GDYN_OK)
        gdyn_cli_error(GDYN_CODE_NUMERICS "trajectory '%s': %s", t->name, gdyn_status_text(status));
    return gdyn_exit_code(status);
}

/* A table of coefficients in place of a case. */
static int open_table(gdyn_session *s) {
    const gdyn_options *options = s->options;
    gdyn_sink console = gdyn_console_sink();
    s->case_name = options->coefficients;
    if (options->count > 0 || options->at || options->set.count > 0)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE "--coefficients excludes a case, --set and --at");
    gdyn_stage("%s", s->case_name);
    /* the first trajectory knows how many there are; --trajectory chooses one by its name */
    gdyn_status status = GDYN_OK;
    int tables = 1;
    for (int i = 0; i < tables && status == GDYN_OK; i++) {
        gdyn_trajectory *longer =
            realloc(s->trajectory, (size_t)(s->count + 1) * sizeof *s->trajectory);
        if (!longer)
            return GDYN_EXIT_MEMORY;
        s->trajectory = longer;
        gdyn_trajectory *t = &s->trajectory[s->count++];
        status = gdyn_trajectory_open_table(t, s->case_name, i, &console);
        tables = t->tables;
        if (status == GDYN_OK && options->trajectory && strcmp(options->trajectory, t->name) != 0) {
            gdyn_trajectory_close(t);
            s->count--;
        }
    }
    if (status == GDYN_OK && s->count == 0)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_ABSENT "the table has no trajectory '%s'",
                             options->trajectory);
    return gdyn_exit_code(status);
}

/* The trajectories of the case that are meant. */
static int open_trajectories(gdyn_session *s) {
    const gdyn_opened *opened = &s->opened;
    int first, count, code = gdyn_choose_trajectories(s->options, opened->instance, &first, &count);
    if (code != GDYN_EXIT_YES)
        return code;
    if (count == 0 || gdyn_model_drives(opened->instance->model) == 0)
        return gdyn_cli_fail(GDYN_EXIT_CASE, NULL, GDYN_CODE_NEEDS "%s has no %s", opened->filename,
                             count == 0 ? "trajectories" : "drives");
    s->case_name = opened->instance->name;
    s->trajectory = calloc((size_t)count, sizeof *s->trajectory);
    if (!s->trajectory)
        return GDYN_EXIT_MEMORY;
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        s->count = i + 1;
        code = gdyn_exit_code(
            gdyn_trajectory_open(&s->trajectory[i], opened->instance, first + i, &opened->sink));
    }
    return code;
}

int gdyn_session_begin(const gdyn_options *options, gdyn_session *s) {
    *s = (gdyn_session){.options = options};
    if (options->coefficients)
        return open_table(s);
    int code = gdyn_open_case(options, options->operand[0], &s->opened);
    if (code == GDYN_EXIT_YES)
        code = gdyn_need_machine(&s->opened);
    return code == GDYN_EXIT_YES ? open_trajectories(s) : code;
}

void gdyn_session_end(gdyn_session *s) {
    for (int i = 0; i < s->count; i++)
        gdyn_trajectory_close(&s->trajectory[i]);
    free(s->trajectory);
    gdyn_close_case(&s->opened);
}

/* Tables and documents; the document goes to standard output as well with --json. */
static gdyn_status write_files(const gdyn_session *s, const gdyn_results *r, const char *folder) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_status status = GDYN_OK;
    for (size_t i = 0; i < sizeof r->file / sizeof *r->file; i++) {
        if (!r->file[i].name)
            continue;
        gdyn_output output;
        gdyn_status opened = gdyn_output_open(&output, folder, r->file[i].name, &console);
        output.copy = r->file[i].document && s->options->json ? stdout : NULL;
        gdyn_status written = GDYN_OK;
        if (!output.copy)
            gdyn_wait_begin(s->options, "writing %s/%s", folder, r->file[i].name);
        /* every file is tried, the first failure is reported */
        if (r->file[i].table)
            r->file[i].table(&output.text, s->count, s->trajectory);
        else
            written = r->file[i].document
                          ? r->file[i].document(&output.text, s->case_name, s->count, s->trajectory)
                          : r->file[i].other(r->of, &output.text);
        written = gdyn_output_close(&output, opened == GDYN_OK ? written : opened);
        gdyn_wait_end();
        status = status == GDYN_OK ? written : status;
    }
    return status;
}

/* Pictures of every trajectory. */
static gdyn_status write_pictures(const gdyn_session *s, const gdyn_results *r,
                                  const char *folder) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_pictures pictures = {.partial = r->partial};
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < s->count && status == GDYN_OK; i++)
        status = r->draw(folder, &s->trajectory[i], &pictures, &console);
    if (status == GDYN_OK)
        status = gdyn_cli_draw(s->options, folder, r->command, &pictures);
    gdyn_pictures_free(&pictures);
    return status;
}

int gdyn_session_write(const gdyn_session *s, const gdyn_results *results) {
    const gdyn_options *options = s->options;
    char *folder = gdyn_results_folder(options, options->coefficients ? options->coefficients
                                                                      : s->opened.filename);
    if (!folder)
        return GDYN_EXIT_FILE;
    /* files first: they hold what pictures show */
    gdyn_status status = write_files(s, results, folder);
    if (status == GDYN_OK && !options->no_pictures)
        status = write_pictures(s, results, folder);
    if (status == GDYN_OK)
        gdyn_cli_note(options, "Results are in %s/", folder);
    gdyn_free(folder);
    return gdyn_exit_code(status);
}
