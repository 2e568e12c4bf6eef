/* cmd_new.c - writes a commented starting case. */
#include "cli/cli.h"

int gdyn_cmd_new(gdyn_session *s) {
    const gdyn_options *options = s->options;
    if (options->count == 0) {
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
    const char *name = options->operand[0];
    const char *text = gdyn_case_template(name);
    if (!text) {
        int count;
        const char *const *names = gdyn_case_template_names(&count);
        gdyn_cli_error(GDYN_CODE_ABSENT "there is no template '%s'", name);
        gdyn_cli_suggest(name, names, count, "globdyn new lists the templates");
        return GDYN_EXIT_USAGE;
    }
    /* -o FILE, or the name of the template. */
    char default_file[200], plain[160];
    gdyn_report_file_name(name, plain, sizeof plain);
    snprintf(default_file, sizeof default_file, "%s.yaml", plain);
    const char *file = options->output ? options->output : default_file;
    /* The template behind a line that tells editors of the schema, which completes and checks keys
     * (docs/case-format.md). */
    char schema[4096];
    gdyn_text whole = {0};
    if (gdyn_schema_place(schema, sizeof schema))
        gdyn_text_printf(&whole, "# yaml-language-server: $schema=%s\n", schema);
    gdyn_text_printf(&whole, "%s", text);
    int code = whole.failed ? GDYN_EXIT_MEMORY : gdyn_cli_write_new(file, &whole);
    if (code == GDYN_EXIT_YES && strcmp(file, "-") != 0)
        gdyn_cli_note(options, "Next: globdyn check %s", file);
    gdyn_text_free(&whole);
    return code;
}
