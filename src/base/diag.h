/* diag.h - diagnostics: cause, place and suggestion.
 *
 * The library never prints. Whoever calls it passes a sink; every problem found is emitted to it
 * (all in one run, not only the first). `path` names the entity as the case file does, for example
 * "machine.bodies.rod1.mass"; the case reader adds file, line and column to it. */
#pragma once

#include "base/api.h"
#include "base/codes.h"
#include "base/text.h"

#include <stdbool.h>

GDYN_API_BEGIN

typedef enum gdyn_severity { GDYN_NOTE, GDYN_WARNING, GDYN_ERROR } gdyn_severity;

typedef struct gdyn_diag {
    gdyn_severity severity;
    gdyn_code_text code; /* of its kind: globdyn explain CODE tells about it; "" when it has none */
    const char *path;    /* dotted path of the entity, "" when there is none */
    const char *message; /* one line, lower case, no full stop */
    const char *help;    /* suggestion, or NULL */
    const char *file;    /* NULL when there is no file behind it */
    int line, column;    /* 1-based; 0 when unknown */
    int width;           /* characters to underline, at least 1 when line > 0 */
    const char *source;  /* the text of that line without its newline, or NULL */
} gdyn_diag;

/* A receiver of diagnostics. `emit` may be NULL: then they are dropped. Pointers inside the diag
 * are valid only during the call. */
typedef struct gdyn_sink {
    void (*emit)(void *context, const gdyn_diag *diag);
    void *context;
} gdyn_sink;

/* Takes a message that begins with the mark of its kind (base/codes.h): the code and the text
 * behind it. */
void gdyn_diag_say(gdyn_diag *diag, const char *marked);

/* Formats and emits a diagnostic without a file place; the format begins with the mark of a kind.
 * `sink` and `help` may be NULL. */
void gdyn_diag_emit(const gdyn_sink *sink, gdyn_severity severity, const char *path,
                    const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Appends the diagnostic as a compiler prints it: place, severity, message, [code], source line
 * with caret, help. Long source lines are cut around the caret; `colour` adds escape sequences. */
void gdyn_diag_print(const gdyn_diag *diag, gdyn_text *out, bool colour);

/* A sink that only counts; context points to an int[3] indexed by severity. */
void gdyn_diag_count(void *context, const gdyn_diag *diag);

GDYN_API_END
