/* cmd_new.c - writes a commented starting case. */
#include "cli/cli.h"

#include <unistd.h>

static int list_templates(void) {
    int count;
    const char *const *names = gdyn_case_template_names(&count);
    printf("Templates (globdyn new TEMPLATE [-o FILE]):\n");
    for (int i = 0; i < count; i++) {
        /* A template's first line is a comment that says what it is. */
        const char *about = gdyn_case_template(names[i]);
        about += strspn(about, "# ");
        printf("  %-10s %.*s\n", names[i], (int)strcspn(about, ".:\n"), about);
    }
    return GDYN_EXIT_YES;
}

static int unknown_template(const char *name) {
    int count;
    const char *const *names = gdyn_case_template_names(&count);
    const char *near = gdyn_text_nearest(name, names, count);
    gdyn_cli_error(GDYN_CODE_ABSENT "there is no template '%s'", name);
    if (near)
        fprintf(stderr, "      = help: did you mean '%s'?\n", near);
    else
        fprintf(stderr, "      = help: globdyn new lists the templates\n");
    return GDYN_EXIT_USAGE;
}

/* The template behind a line that tells editors of the schema, which completes and checks keys (docs/case-format.md). */
static bool begin_case(gdyn_text *out, const char *text) {
    char schema[4096];
    if (gdyn_schema_place(schema, sizeof schema))
        gdyn_text_printf(out, "# yaml-language-server: $schema=%s\n", schema);
    gdyn_text_printf(out, "%s", text);
    return !out->failed;
}

/* Writes the case into the file, which must not exist. */
static int write_case(const gdyn_options *options, const char *file, const gdyn_text *text) {
    if (!strcmp(file, "-")) {
        fputs(text->data, stdout);
        return GDYN_EXIT_YES;
    }
    /* A file that exists is never overwritten. */
    if (access(file, F_OK) == 0)
        return gdyn_cli_fail(GDYN_EXIT_FILE, "choose another name with -o FILE",
                             GDYN_CODE_FILE "'%s' already exists and was not changed", file);
    gdyn_sink console = gdyn_console_sink();
    gdyn_status status = gdyn_report_write(NULL, file, text->data, text->length, &console);
    if (status == GDYN_OK) {
        printf("%s\n", file);
        gdyn_cli_note(options, "Next: globdyn check %s", file);
    }
    return gdyn_exit_code(status);
}

int gdyn_cmd_new(const gdyn_options *options) {
    if (options->count == 0)
        return list_templates();
    const char *name = options->operand[0];
    const char *text = gdyn_case_template(name);
    if (!text)
        return unknown_template(name);
    /* -o FILE, or the name of the template. */
    char default_file[200], plain[160];
    gdyn_report_file_name(name, plain, sizeof plain);
    snprintf(default_file, sizeof default_file, "%s.yaml", plain);
    const char *file = options->output ? options->output : default_file;
    gdyn_text whole = {0};
    int code = begin_case(&whole, text) ? write_case(options, file, &whole) : GDYN_EXIT_MEMORY;
    gdyn_text_free(&whole);
    return code;
}
