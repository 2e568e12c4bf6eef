/* share.c - the files of <prefix>/share that the program writes when it is built. */
#include "cli/cli.h"

#include <errno.h>
#include <unistd.h>

#define SCHEMA "case.schema.json"

/* Appends what stands in SOURCE/NAME; false after a message. */
static bool read_document(const char *source, const char *name, gdyn_text *out) {
    char path[4096], block[4096];
    snprintf(path, sizeof path, "%s/%s", source, name);
    FILE *file = fopen(path, "r");
    for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
        gdyn_text_append(out, block, got);
    bool read = file && !ferror(file) && out->length > 0;
    if (!read)
        gdyn_cli_error(GDYN_CODE_FILE "cannot read '%s': %s", path,
                       file ? "it is empty" : strerror(errno));
    if (file)
        fclose(file);
    return read;
}

/* Makes FOLDER/BELOW and writes the file there; the text is freed. */
static gdyn_status put_file(const char *folder, const char *below, const char *name,
                            gdyn_text *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, below);
    gdyn_sink console = gdyn_console_sink();
    gdyn_status status = gdyn_report_folder(path, &console);
    if (status == GDYN_OK)
        return gdyn_cli_write(path, name, text);
    gdyn_text_free(text);
    return status;
}

static gdyn_status put_all(const char *folder, const char *readme, const char *cli,
                           const char *format) {
    /* globdyn(1): its purpose is the first paragraph of the README, the rest docs/cli.md behind the
     * tables of commands and options. */
    const char *about = strstr(readme, "\n\n"), *more = strstr(cli, "\n## Exit codes");
    const char *end = about ? strstr(about + 2, "\n\n") : NULL;
    if (!end || !more) {
        gdyn_cli_error(GDYN_CODE_FILE "README.md or docs/cli.md is not as this program expects it");
        return GDYN_ERROR_FILE;
    }
    gdyn_text page = {0}, format_page = {0}, bash = {0}, zsh = {0}, schema = {0};
    char *keys = gdyn_case_schema();
    gdyn_manual_program(&page, about + 2, (size_t)(end - about - 2), more);
    gdyn_manual_case(&format_page, format);
    gdyn_completion_bash(&bash);
    gdyn_completion_zsh(&zsh);
    gdyn_status status = keys ? GDYN_OK : GDYN_ERROR_MEMORY;
    gdyn_text_printf(&schema, "%s\n", keys ? keys : "");
    gdyn_free(keys);
    const struct {
        const char *below, *name;
        gdyn_text *text;
    } file[] = {{"man/man1", "globdyn.1", &page},
                {"man/man5", "globdyn-case.5", &format_page},
                {"bash-completion/completions", "globdyn", &bash},
                {"zsh/site-functions", "_globdyn", &zsh},
                {"globdyn", SCHEMA, &schema}};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        if (status == GDYN_OK)
            status = put_file(folder, file[i].below, file[i].name, file[i].text);
        gdyn_text_free(file[i].text);
    }
    for (int i = 0; i < gdyn_command_count && status == GDYN_OK; i++) {
        gdyn_text command = {0};
        gdyn_words name;
        snprintf(name.text, sizeof name.text, "globdyn-%s.1", gdyn_command_table[i].name);
        gdyn_manual_command(&command, &gdyn_command_table[i]);
        status = put_file(folder, "man/man1", name.text, &command);
    }
    return status;
}

bool gdyn_schema_place(char *out, size_t size) {
    char folder[4096];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    /* FOLDER/globdyn: FOLDER/share where it was built, FOLDER/../share where it is installed. */
    for (int above = 0; above < 2; above++) {
        char *end = strrchr(folder, '/');
        if (!end)
            return false;
        *end = '\0';
        int written = snprintf(out, size, "%s/share/globdyn/" SCHEMA, folder);
        if (written > 0 && (size_t)written < size && access(out, R_OK) == 0)
            return true;
    }
    return false;
}

int gdyn_write_share(int count, char **operand) {
    if (count != 2)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE "globdyn --write-share needs FOLDER SOURCE");
    gdyn_text readme = {0}, cli = {0}, format = {0};
    int code = GDYN_EXIT_FILE;
    if (read_document(operand[1], "README.md", &readme) &&
        read_document(operand[1], "docs/cli.md", &cli) &&
        read_document(operand[1], "docs/case-format.md", &format)) {
        bool failed = readme.failed || cli.failed || format.failed;
        code = gdyn_exit_code(failed ? GDYN_ERROR_MEMORY
                                     : put_all(operand[0], readme.data, cli.data, format.data));
    }
    gdyn_text_free(&readme), gdyn_text_free(&cli), gdyn_text_free(&format);
    return code;
}
