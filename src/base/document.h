/* document.h - a text in memory that knows its lines: the way in which all text files are read, up
 * to a size that the caller states, so that no device can fill the memory. */
#pragma once

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct gdyn_document {
    const char *name;
    const char *text; /* NUL-terminated, without byte order mark */
    size_t length;
    const size_t *line_start; /* lines: offset of each line's first byte */
    int lines;                /* at least 1 */
} gdyn_document;

/* Copies the text; NULL without memory. */
gdyn_document *gdyn_document_from_text(gdyn_arena *arena, const char *name, const char *text,
                                       size_t length);
/* Reads a file of at most `most` bytes, a pipe only with `streams`, a device never. On failure one
 * line about why goes to message[size]: GDYN_ERROR_FILE (missing, no regular file),
 * GDYN_ERROR_INPUT (too large), GDYN_ERROR_MEMORY. */
gdyn_status gdyn_document_from_file(gdyn_arena *arena, const char *name, size_t most, bool streams,
                                    gdyn_document **out, char *message, size_t size);

/* Opens a file for writing, made where there is none, emptied unless `kept`: never by a link, never
 * one that has other names, too (errno: EMLINK); what is no regular file only with `streams`. -1 on
 * failure. */
int gdyn_document_open_own(const char *name, bool kept, bool streams);

/* Text of a line (from 1) without its newline, copied to the arena; NULL when there is none or it
 * is too long to be shown. */
const char *gdyn_document_line(const gdyn_document *document, int line, gdyn_arena *arena);
/* Bytes of a line without its newline. */
size_t gdyn_document_line_length(const gdyn_document *document, int line);

/* `file` as seen from the folder of `from`. */
const char *gdyn_document_beside(gdyn_arena *arena, const char *from, const char *file);
