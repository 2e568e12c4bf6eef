/* console.c - messages on standard error, laid out like a compiler's:
 *
 *   file:line:column: error: message
 *      21 |     the line itself
 *         |     ^~~~
 *         = help: suggestion
 *
 * Colour is used on a terminal unless NO_COLOR is set (no-color.org). */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool coloured(void) {
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(no_color && *no_color) && !(term && !strcmp(term, "dumb"));
}

static const char *severity_name(gdyn_severity severity) {
    return severity == GDYN_ERROR ? "error" : severity == GDYN_WARNING ? "warning" : "note";
}

static const char *severity_colour(gdyn_severity severity) {
    return severity == GDYN_ERROR     ? "\033[1;31m"
           : severity == GDYN_WARNING ? "\033[1;35m"
                                      : "\033[1;36m";
}

static void print_severity(gdyn_severity severity) {
    if (coloured()) {
        fprintf(stderr, "%s%s:\033[0m ", severity_colour(severity), severity_name(severity));
    } else {
        fprintf(stderr, "%s: ", severity_name(severity));
    }
}

void gdyn_cli_error(const char *format, ...) {
    va_list args;
    fputs("globdyn: ", stderr);
    print_severity(GDYN_ERROR);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

void gdyn_cli_note(const gdyn_options *options, const char *format, ...) {
    va_list args;
    if (options->verbosity < 0) {
        return;
    }
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* The source line with a caret below; tabs are kept so that the caret stays in its place. */
static void print_source(const gdyn_diag *diag) {
    int width = diag->width > 0 ? diag->width : 1;
    fprintf(stderr, "%5d | %s\n      | ", diag->line, diag->source);
    for (int i = 0; i + 1 < diag->column && diag->source[i]; i++) {
        /* Continuation bytes of UTF-8 take no place of their own. */
        if (((unsigned char)diag->source[i] & 0xC0u) != 0x80u) {
            fputc(diag->source[i] == '\t' ? '\t' : ' ', stderr);
        }
    }
    if (coloured()) {
        fputs("\033[1;32m", stderr);
    }
    fputc('^', stderr);
    for (int i = 1; i < width && i < 80; i++) {
        fputc('~', stderr);
    }
    fputs(coloured() ? "\033[0m\n" : "\n", stderr);
}

static void print_diag(void *context, const gdyn_diag *diag) {
    (void)context;
    if (!diag->file) {
        fputs("globdyn: ", stderr);
    } else if (diag->line > 0) {
        fprintf(stderr, "%s:%d:%d: ", diag->file, diag->line, diag->column);
    } else {
        fprintf(stderr, "%s: ", diag->file);
    }
    print_severity(diag->severity);
    if (diag->path && *diag->path && diag->line <= 0) {
        fprintf(stderr, "%s: ", diag->path);
    }
    fprintf(stderr, "%s\n", diag->message);
    if (diag->file && diag->line > 0 && diag->source) {
        print_source(diag);
    }
    if (diag->help && *diag->help) {
        fprintf(stderr, "      = help: %s\n", diag->help);
    }
}

gdyn_sink gdyn_console_sink(void) {
    return (gdyn_sink){print_diag, NULL};
}

int gdyn_exit_code(gdyn_status status) {
    switch (status) {
    case GDYN_OK:
        return GDYN_EXIT_YES;
    case GDYN_ERROR_INPUT:
        return GDYN_EXIT_CASE;
    case GDYN_ERROR_ARGUMENT:
        return GDYN_EXIT_USAGE;
    case GDYN_ERROR_FILE:
    case GDYN_ERROR_EXTERNAL:
        return GDYN_EXIT_FILE;
    case GDYN_ERROR_NUMERIC:
        return GDYN_EXIT_NUMERIC;
    case GDYN_ERROR_MEMORY:
        return GDYN_EXIT_INTERNAL;
    case GDYN_ERROR_STUDY:
        return GDYN_EXIT_STUDY;
    case GDYN_ERROR_INTERRUPTED:
        return 130;
    }
    return GDYN_EXIT_INTERNAL;
}
