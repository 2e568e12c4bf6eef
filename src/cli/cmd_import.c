/* cmd_import.c - a robot of another format becomes a case file, a program or a drawing the table of
 * a path. */
#include "cli/cli.h"

/* What was written is read again: it must be a case. */
static int read_back(const gdyn_text *text, const char *name) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_case *the_case = NULL;
    gdyn_instance *instance = NULL;
    gdyn_status status = gdyn_case_read_text(text->data, text->length, name, &console, &the_case);
    if (status == GDYN_OK) {
        gdyn_sink placed = gdyn_case_sink(the_case, &console);
        status = gdyn_case_instantiate(the_case, 0, NULL, &placed, &instance);
    }
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    return gdyn_exit_code(status);
}

int gdyn_cmd_import(gdyn_session *s) {
    const gdyn_options *options = s->options;
    gdyn_text text = {0}, remarks = {0}, name = {0};
    bool path = gdyn_import_is_path(options->operand[0]);
    if (options->output)
        gdyn_text_printf(&name, "%s", options->output);
    else {
        /* "arm.yaml" of "robots/arm.urdf". */
        const char *filename = options->operand[0], *slash = strrchr(filename, '/');
        const char *stem = slash ? slash + 1 : filename;
        const char *dot = strrchr(stem, '.');
        gdyn_text_printf(&name, "%.*s.%s",
                         dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem), stem,
                         path ? "csv" : "yaml");
    }
    gdyn_sink console = gdyn_console_sink();
    const char *file = options->operand[0];
    double blend = options->blend.value > 0 ? options->blend.value : 1e-3;
    gdyn_import_options robot = {
        .free_base = options->base == 1, .loops = options->loops, .balance = options->balance};
    gdyn_import_path_options way = {blend, options->planar, options->contour};
    gdyn_status status = path ? gdyn_import_path(file, &way, &console, &text, &remarks)
                              : gdyn_import(file, &robot, &console, &text, &remarks);
    if (status == GDYN_OK && name.failed)
        status = GDYN_ERROR_MEMORY;
    int code = gdyn_exit_code(status);
    if (code == GDYN_EXIT_YES) {
        for (const char *line = remarks.data; line && *line;) {
            size_t length = strcspn(line, "\n");
            gdyn_cli_note(options, "%.*s", (int)length, line);
            line += length + (line[length] == '\n');
        }
        code = path ? GDYN_EXIT_YES : read_back(&text, name.data);
        /* a machine that the model refuses is written all the same, for its owner to mend */
        int written = gdyn_cli_write_new(name.data, &text);
        if (written == GDYN_EXIT_YES && strcmp(name.data, "-") != 0)
            gdyn_cli_note(options,
                          path ? "Next: a trajectory {of: BODY.POINT, kind: file, file: %s}"
                               : "Next: globdyn check %s",
                          name.data);
        code = code == GDYN_EXIT_YES ? written : code;
    }
    gdyn_text_free(&text), gdyn_text_free(&remarks), gdyn_text_free(&name);
    return code;
}
