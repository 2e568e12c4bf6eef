/* console.c - messages on standard error, laid out like a compiler's:
 *
 *   file:line:column: error: message [code]
 *      21 |     the line itself
 *         |     ^~~~
 *         = help: suggestion
 *
 * Colour is used on a terminal unless NO_COLOR is set (no-color.org). Both standard streams pass
 * through one filter, behind which no control character of a name or text that others wrote is
 * left. */
#define _GNU_SOURCE /* fopencookie, strdup */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

/* --- the streams ------------------------------------------------------------------------------ */

typedef struct outlet {
    int descriptor;
    size_t written; /* bytes */
    size_t waiting; /* bytes of a character whose end is still to come */
    char begun[4];
} outlet;

bool gdyn_write_all(int descriptor, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* The stream's own write: controls but ends of lines and tabs become visible. No memory is asked
 * for: the last message may be that there is none. */
static ssize_t write_harmless(void *cookie, const char *bytes, size_t length) {
    enum { SLICE = 1024, LONGEST = 6 }; /* "\u001b" */
    outlet *o = cookie;
    for (size_t from = 0; from < length;) {
        char in[sizeof o->begun + SLICE], out[LONGEST * sizeof in + 1];
        gdyn_text text = {.data = out, .capacity = sizeof out};
        size_t n = length - from < SLICE ? length - from : SLICE, all = o->waiting + n;
        memcpy(in, o->begun, o->waiting), memcpy(in + o->waiting, bytes + from, n);
        size_t taken = gdyn_text_harmless(&text, in, all, "\n\t", true);
        o->waiting = all - taken;
        memcpy(o->begun, in + taken, o->waiting);
        if (!gdyn_write_all(o->descriptor, out, text.length))
            return 0;
        o->written += text.length;
        from += n;
    }
    return (ssize_t)length;
}

/* A stream in place of a standard one; without memory that stays. */
static void replace_stream(FILE **stream, outlet *o, int mode) {
    FILE *filtered = fopencookie(o, "w", (cookie_io_functions_t){.write = write_harmless});
    if (!filtered)
        return;
    setvbuf(filtered, NULL, mode, BUFSIZ);
    *stream = filtered;
}

static outlet out = {.descriptor = STDOUT_FILENO}, err = {.descriptor = STDERR_FILENO};

void gdyn_console_begin(void) {
    replace_stream(&stdout, &out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    replace_stream(&stderr, &err, _IONBF);
}

const gdyn_capture *gdyn_captured;

void gdyn_capture_set(const gdyn_capture *capture) {
    gdyn_captured = capture;
    gdyn_output_divert(capture ? capture->take : NULL, capture ? capture->context : NULL);
}

void gdyn_cli_out(const char *bytes, size_t length) {
    if (gdyn_captured)
        gdyn_captured->take(gdyn_captured->context, "", bytes, length);
    else
        fwrite(bytes, 1, length, stdout);
}

void gdyn_console_control(const char *sequence) {
    if (gdyn_captured)
        return;
    fflush(stderr);
    gdyn_write_all(STDERR_FILENO, sequence, strlen(sequence));
}

/* --- messages --------------------------------------------------------------------------------- */

static bool waiting; /* the cursor stands behind a line of gdyn_wait_begin */

static void begin_message(void) {
    if (waiting)
        gdyn_console_control("\r\033[K");
    waiting = false;
}

static bool coloured(void) {
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(no_color && *no_color) && !(term && !strcmp(term, "dumb"));
}

/* Once memory ran out what follows is a consequence of that, which gdyn_cli_conclude
 * reports alone. */
static bool complained;
static gdyn_status last_failure;

/* With --json, errors are kept for a document. */
static bool collecting;
static gdyn_diag *kept;
static int kept_count;

void gdyn_console_collect(void) {
    collecting = true;
}

static void keep_error(const gdyn_diag *diag) {
    gdyn_diag *longer = collecting ? realloc(kept, (size_t)(kept_count + 1) * sizeof *kept) : NULL;
    if (!longer)
        return;
    kept = longer;
    gdyn_diag *k = &kept[kept_count++];
    *k = *diag;
    k->message = strdup(diag->message);
    k->file = diag->file ? strdup(diag->file) : NULL;
    k->help = diag->help ? strdup(diag->help) : NULL;
    k->source = diag->source ? strdup(diag->source) : NULL;
    k->path = "";
}

void gdyn_console_release(void) {
    for (int i = 0; i < kept_count; i++) {
        gdyn_captured->sink.emit(gdyn_captured->sink.context, &kept[i]);
        free((char *)kept[i].message);
        free((char *)kept[i].file);
        free((char *)kept[i].help);
        free((char *)kept[i].source);
    }
    free(kept);
    kept = NULL;
    kept_count = 0;
    collecting = complained = false;
    last_failure = GDYN_OK;
}

static void print_message(const char *format, va_list args) {
    gdyn_text text = {0}, line = {0};
    if (gdyn_memory_refused())
        return;
    complained = true;
    begin_message();
    gdyn_text_vprintf(&text, gdyn_code_skip(format), args);
    /* One line, whatever names it quotes. */
    gdyn_text_harmless(&line, text.data ? text.data : "", text.length, "", false);
    if (!gdyn_captured) {
        fputs("globdyn: ", stderr);
        bool colour = coloured();
        gdyn_console_control(colour ? "\033[1;31m" : "");
        fputs("error:", stderr);
        gdyn_console_control(colour ? "\033[0m" : "");
        fprintf(stderr, " %s [%s]\n", line.data ? line.data : "", gdyn_code_of(format).text);
    }
    keep_error(&(gdyn_diag){.severity = GDYN_ERROR,
                            .code = gdyn_code_of(format),
                            .message = line.data ? line.data : ""});
    gdyn_text_free(&text);
    gdyn_text_free(&line);
}

void gdyn_cli_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
}

int gdyn_cli_fail(int code, const char *help, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
    gdyn_cli_help("%s", help ? help : "");
    return code;
}

int gdyn_cli_judge(gdyn_status status) {
    if (status != GDYN_OK)
        gdyn_cli_error(GDYN_CODE_NUMERICS "%s", gdyn_status_text(status));
    return gdyn_exit_code(status);
}

void gdyn_cli_help(const char *format, ...) {
    va_list args;
    gdyn_text text = {0};
    va_start(args, format);
    gdyn_text_vprintf(&text, format, args);
    va_end(args);
    if (text.length > 0 && !gdyn_memory_refused() && !gdyn_captured)
        fprintf(stderr, "      = help: %s\n", text.data);
    if (text.length > 0 && kept_count > 0 && !kept[kept_count - 1].help)
        kept[kept_count - 1].help = strdup(text.data);
    gdyn_text_free(&text);
}

void gdyn_cli_suggest(const char *name, const char *const *names, int count,
                      const char *otherwise) {
    const char *near = gdyn_text_nearest(name, names, count);
    gdyn_cli_help(near ? "did you mean '%s'?" : "%s", near ? near : otherwise);
}

/* A line that is no error; of a captured one only warnings are kept. */
static void print_line(const char *head, const char *format, va_list args) {
    static const char warning[] = "warning: ";
    gdyn_text text = {0};
    gdyn_text_vprintf(&text, format, args);
    const char *line = text.data ? text.data : "";
    bool warns = *head || strncmp(line, warning, strlen(warning)) == 0;
    if (gdyn_captured && warns)
        gdyn_captured->sink.emit(gdyn_captured->sink.context,
                                 &(gdyn_diag){.severity = GDYN_WARNING,
                                              .message = line + (*head ? 0 : strlen(warning))});
    begin_message();
    if (!gdyn_captured)
        fprintf(stderr, "%s%s\n", head, line);
    gdyn_text_free(&text);
}

void gdyn_cli_note(const gdyn_options *options, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (options->verbosity >= 0)
        print_line("", format, args);
    va_end(args);
}

void gdyn_cli_warn(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_line("globdyn: warning: ", format, args);
    va_end(args);
}

void gdyn_wait_begin(const gdyn_options *options, const char *format, ...) {
    va_list args;
    bool json = options->progress == GDYN_PROGRESS_JSON;
    if (options->verbosity < 0 || json || gdyn_captured || !isatty(STDERR_FILENO))
        return;
    fflush(stdout);
    begin_message();
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs(" ...", stderr);
    fflush(stderr);
    waiting = true;
}

void gdyn_wait_end(void) {
    begin_message();
    fflush(stderr);
}

static void print_diag(void *context, const gdyn_diag *diag) {
    (void)context;
    if (gdyn_memory_refused())
        return;
    complained |= diag->severity == GDYN_ERROR;
    if (diag->severity == GDYN_ERROR)
        keep_error(diag);
    else if (gdyn_captured)
        gdyn_captured->sink.emit(gdyn_captured->sink.context, diag);
    gdyn_text text = {0};
    if (gdyn_captured)
        return;
    /* As a compiler prints it, with the line and a marker. */
    gdyn_diag_print(diag, &text, coloured());
    begin_message();
    bool nameless = !diag->file && !(diag->path && *diag->path);
    fputs(nameless ? "globdyn: " : "", stderr);
    /* it is harmless, and has colours */
    gdyn_console_control(text.failed ? "out of memory\n" : text.data);
    gdyn_text_free(&text);
}

gdyn_sink gdyn_console_sink(void) {
    return (gdyn_sink){print_diag, NULL};
}

static void print_error(void *context, const gdyn_diag *diag) {
    if (diag->severity == GDYN_ERROR)
        print_diag(context, diag);
}

gdyn_sink gdyn_console_errors(void) {
    return (gdyn_sink){print_error, NULL};
}

int gdyn_cli_conclude(int code) {
    bool failed = code != GDYN_EXIT_YES && code != GDYN_EXIT_NO && code < GDYN_EXIT_SIGNAL;
    /* Lack of memory outweighs every other complaint. */
    if (gdyn_memory_refused() && code < GDYN_EXIT_SIGNAL) {
        if (!gdyn_captured)
            fprintf(stderr, "globdyn: error: out of memory [%s]\n",
                    gdyn_code_of(GDYN_CODE_MEMORY).text);
        return GDYN_EXIT_MEMORY;
    }
    /* No failure without a message. */
    if (failed && !complained)
        gdyn_cli_error(GDYN_CODE_NUMERICS "%s", last_failure == GDYN_OK
                                                    ? "the command failed without a reason"
                                                    : gdyn_status_text(last_failure));
    gdyn_text text = {0};
    if (failed && collecting && out.written == 0 && !gdyn_captured)
        gdyn_cli_print(gdyn_report_errors(&text, code, kept_count, kept), &text, NULL);
    return code;
}

int gdyn_exit_code(gdyn_status status) {
    last_failure = status == GDYN_OK ? last_failure : status;
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
        return GDYN_EXIT_MEMORY;
    case GDYN_ERROR_STUDY:
        return GDYN_EXIT_STUDY;
    case GDYN_ERROR_INTERRUPTED:
        return 130;
    }
    return GDYN_EXIT_INTERNAL;
}
