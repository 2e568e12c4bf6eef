/* files.c - what commands write into a results folder. */
#include "cli/cli.h"

#include <unistd.h>

gdyn_status gdyn_cli_write(const char *folder, const char *name, gdyn_text *text) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (!text->failed && text->data)
        status = gdyn_report_write(folder, name, text->data, text->length, &console);
    gdyn_text_free(text);
    return status;
}

gdyn_status gdyn_cli_document(const gdyn_options *options, const char *folder, const char *name,
                              gdyn_status status, gdyn_text *text) {
    if (status == GDYN_OK && options->json && !text->failed)
        gdyn_cli_out(text->data, text->length);
    if (status == GDYN_OK && folder)
        return gdyn_cli_write(folder, name, text);
    gdyn_text_free(text);
    return status;
}

gdyn_status gdyn_cli_stream(const char *folder, const char *name, FILE *copy,
                            gdyn_outcome_writer *write, const gdyn_outcome *outcome) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_output output;
    gdyn_status status = gdyn_output_open(&output, folder, name, &console);
    output.copy = copy;
    if (status == GDYN_OK)
        status = write(&output.text, outcome);
    return gdyn_output_close(&output, status);
}

int gdyn_cli_print(gdyn_status status, gdyn_text *text, const char *file) {
    gdyn_sink console = gdyn_console_sink();
    if (status == GDYN_OK && (text->failed || !text->data))
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && file && strcmp(file, "-") != 0)
        status = gdyn_report_write(NULL, file, text->data, text->length, &console);
    else if (status == GDYN_OK)
        gdyn_cli_out(text->data, text->length);
    gdyn_text_free(text);
    return gdyn_exit_code(status);
}

int gdyn_cli_write_new(const char *file, const gdyn_text *text) {
    gdyn_sink console = gdyn_console_sink();
    if (strcmp(file, "-") == 0) {
        fwrite(text->data, 1, text->length, stdout);
        return GDYN_EXIT_YES;
    }
    if (access(file, F_OK) == 0)
        return gdyn_cli_fail(GDYN_EXIT_FILE, "choose another name with -o FILE",
                             GDYN_CODE_FILE "'%s' already exists and was not changed", file);
    gdyn_status status = gdyn_report_write(NULL, file, text->data, text->length, &console);
    if (status == GDYN_OK)
        printf("%s\n", file);
    return gdyn_exit_code(status);
}

gdyn_pictures gdyn_cli_pictures(const char *folder) {
    return (gdyn_pictures){.folder = folder, .sink = gdyn_console_sink()};
}

gdyn_status gdyn_cli_draw(const gdyn_options *options, const char *command,
                          const gdyn_pictures *pictures) {
    gdyn_status status = gdyn_captured ? GDYN_OK : gdyn_pictures_settle(pictures, command);
    if (status != GDYN_OK || pictures->count == 0)
        return status;
    gdyn_stage("the pictures in %s", pictures->folder);
    if (gdyn_gnuplot_present()) {
        gdyn_wait_begin(options, "drawing %d picture%s", pictures->count,
                        gdyn_plural(pictures->count));
        gdyn_pictures_draw(pictures); /* failures are reported, the rest remains */
        gdyn_wait_end();
    } else {
        gdyn_cli_note(options, "gnuplot is not installed: only its scripts were written (*.gp)");
    }
    return GDYN_OK;
}

int gdyn_cli_picture(const gdyn_options *options, const char *filename, const char *command,
                     void (*draw)(gdyn_pictures *pictures, const void *of), const void *of) {
    /* programs that read the document want pictures only when they say where */
    if (options->no_pictures || (options->json && !options->output))
        return GDYN_EXIT_YES;
    char *folder = gdyn_results_folder(options, filename);
    gdyn_pictures pictures = gdyn_cli_pictures(folder);
    if (!folder)
        return GDYN_EXIT_FILE;
    draw(&pictures, of);
    gdyn_status status = gdyn_cli_draw(options, command, &pictures);
    for (int i = 0; i < pictures.count && status == GDYN_OK; i++) {
        /* Names the file that is to be seen: the picture, or its script where gnuplot did not draw
         * it. */
        const char *head = i ? "        " : "Picture:";
        const char *stem = pictures.stem[i];
        gdyn_text name = {0};
        gdyn_text_printf(&name, "%s/%s.png", folder, stem);
        bool drawn = !name.failed && access(name.data, F_OK) == 0;
        gdyn_cli_note(options, "%s %s/%s.%s", head, folder, stem, drawn ? "png" : "gp");
        gdyn_text_free(&name);
    }
    gdyn_pictures_free(&pictures);
    gdyn_free(folder);
    return gdyn_exit_code(status);
}

void gdyn_cli_print_pictures(const gdyn_pictures *pictures) {
    if (pictures->count == 0)
        return;
    printf("pictures in %s (%s):", pictures->folder, gdyn_gnuplot_present() ? ".png, .svg" : ".gp");
    for (int i = 0; i < pictures->count; i++)
        printf("%s %s", i ? "," : "", pictures->stem[i]);
    printf("\n");
}

int gdyn_cli_split(const char *list, char ***names, int *count) {
    size_t size = list ? strlen(list) + 1 : 1, most = 2;
    /* One name more than commas, and NULL; their text stands behind them. */
    for (const char *c = list; c && *c; c++)
        most += *c == ',';
    *count = 0;
    if (!(*names = calloc(1, most * sizeof **names + size)))
        return GDYN_EXIT_MEMORY;
    char *at = memcpy(*names + most, list ? list : "", size);
    for (char *save, *name = strtok_r(at, ",", &save); name; name = strtok_r(NULL, ",", &save))
        (*names)[(*count)++] = name;
    return GDYN_EXIT_YES;
}

void gdyn_cli_append_word(gdyn_text *line, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
    bool quoted = !*word || word[strspn(word, plain)] != '\0';
    gdyn_text_printf(line, quoted ? " '" : " ");
    /* A quote inside ends, escapes and begins again. */
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            gdyn_text_printf(line, "'\\''");
        else
            gdyn_text_append(line, c, 1);
    if (quoted)
        gdyn_text_append(line, "'", 1);
}

void gdyn_cli_command_line(const gdyn_options *options, gdyn_text *line) {
    gdyn_text_printf(line, "globdyn");
    for (int i = 0; i < options->word_count; i++)
        gdyn_cli_append_word(line, options->word[i]);
}
