/* diag.c - diagnostics: what is wrong, where, why, and what may help. */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gdyn_diag_say(gdyn_diag *diag, const char *marked) {
    diag->code = gdyn_code_of(marked);
    diag->message = gdyn_code_skip(marked);
}

/* Nowhere without a sink. */
void gdyn_diag_emit(const gdyn_sink *sink, gdyn_severity severity, const char *path,
                    const char *help, const char *format, ...) {
    if (!sink || !sink->emit)
        return;
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    /* the text lives until the sink returns */
    gdyn_diag diag = {.severity = severity, .path = path ? path : "", .help = help};
    gdyn_diag_say(&diag, message);
    sink->emit(sink->context, &diag);
}

void gdyn_diag_count(void *context, const gdyn_diag *diag) {
    int *counts = context;
    counts[diag->severity]++;
}

/* --- as a compiler prints it ------------------------------------------------------------------ */

enum { SHOWN = 160, BEFORE = 60 }; /* characters of a long line, and before the caret */

static const char *paint(bool colour, const char *code) {
    return colour ? code : "";
}

/* First byte of the character that comes `count` characters after text. */
static const char *skip(const char *text, int count) {
    while (count > 0 && *text) {
        text++;
        while (((unsigned char)*text & 0xC0) == 0x80)
            text++;
        count--;
    }
    return text;
}

static void append_harmless(gdyn_text *out, const char *text) {
    gdyn_text_harmless(out, text, strlen(text), "", false);
}

/* The piece of the source line around the caret, then the caret in its place (tabs kept). */
static void print_source(const gdyn_diag *diag, gdyn_text *out, bool colour) {
    /* a window of the line around the column */
    int column = diag->column > 0 ? diag->column : 1;
    int first = column > SHOWN - BEFORE ? column - BEFORE : 1;
    const char *start = skip(diag->source, first - 1), *end = skip(start, SHOWN);
    gdyn_text_printf(out, "%5d | %s", diag->line, first > 1 ? "..." : "");
    /* a question mark for each control, so that the caret stands below its place */
    const char *text = start;
    while (text < end) {
        unsigned code;
        int n = gdyn_text_character(text, (size_t)(end - text), &code);
        bool plain = n > 0 && code != GDYN_NO_CHARACTER && code != 0x7F &&
                     (code >= 0xA0 || (code >= 0x20 && code < 0x7F) || code == '\t');
        gdyn_text_append(out, plain ? text : "?", plain ? (size_t)n : 1);
        text = skip(text, 1);
    }
    gdyn_text_printf(out, "%s\n      | %s", *end ? "..." : "", first > 1 ? "   " : "");
    /* tabs stay tabs, so that the caret stands below its place */
    const char *at = start;
    for (int i = first; i < column && *at; i++) {
        gdyn_text_append(out, *at == '\t' ? "\t" : " ", 1);
        at = skip(at, 1);
    }
    gdyn_text_printf(out, "%s^", paint(colour, "\033[1;32m"));
    for (int i = 1; i < diag->width && i < SHOWN - (column - first) && *(at = skip(at, 1)); i++)
        gdyn_text_append(out, "~", 1);
    gdyn_text_printf(out, "%s\n", paint(colour, "\033[0m"));
}

/* place, severity, message; then source and help. */
void gdyn_diag_print(const gdyn_diag *diag, gdyn_text *out, bool colour) {
    static const char *const word[] = {"note", "warning", "error"};
    static const char *const code[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
    const char *place = diag->file ? diag->file : diag->path ? diag->path : "";
    append_harmless(out, place);
    if (diag->file && diag->line > 0)
        gdyn_text_printf(out, ":%d:%d", diag->line, diag->column);
    gdyn_text_printf(out, *place ? ": " : "");
    gdyn_text_printf(out, "%s%s:%s ", paint(colour, code[diag->severity]), word[diag->severity],
                     paint(colour, "\033[0m"));
    append_harmless(out, diag->message);
    gdyn_text_printf(out, *diag->code.text ? " [%s]\n" : "%s\n", diag->code.text);
    if (diag->file && diag->line > 0 && diag->source)
        print_source(diag, out, colour);
    if (diag->help && *diag->help) {
        gdyn_text_printf(out, "      = help: ");
        append_harmless(out, diag->help);
        gdyn_text_put(out, '\n');
    }
}
