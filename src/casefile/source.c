/* source.c - files in memory and their lines. */
#include "casefile/tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_LINE = 4096 }; /* worth showing */

/* Bytes of the line break at text, 0 when there is none. YAML knows CR, LF, CRLF, NEL, LS and PS. */
static size_t line_break(const char *text, size_t left) {
    const unsigned char *c = (const unsigned char *)text;
    if (left == 0)
        return 0;
    if (c[0] == '\n')
        return 1;
    if (c[0] == '\r')
        return left > 1 && c[1] == '\n' ? 2 : 1;
    if (left > 1 && c[0] == 0xC2 && c[1] == 0x85)
        return 2;
    if (left > 2 && c[0] == 0xE2 && c[1] == 0x80 && (c[2] == 0xA8 || c[2] == 0xA9))
        return 3;
    return 0;
}

static int count_lines(const char *text, size_t length, size_t *start) {
    int lines = 1;
    if (start)
        start[0] = 0;
    for (size_t i = 0; i < length;) {
        size_t skip = line_break(text + i, length - i);
        i += skip ? skip : 1;
        if (skip) {
            if (start)
                start[lines] = i;
            lines++;
        }
    }
    return lines;
}

gdyn_source *gdyn_source_from_text(gdyn_arena *arena, const char *name, const char *text,
                                   size_t length) {
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    gdyn_source *source = gdyn_arena_alloc(arena, 1, sizeof *source);
    if (!source)
        return NULL;
    source->name = gdyn_arena_strdup(arena, name);
    source->text = gdyn_arena_strndup(arena, text, length);
    source->length = length;
    source->lines = count_lines(text, length, NULL);
    size_t *start = gdyn_arena_alloc(arena, (size_t)source->lines, sizeof *start);
    if (!source->name || !source->text || !start)
        return NULL;
    count_lines(text, length, start);
    source->line_start = start;
    return source;
}

/* Reads at most one byte more than the limit, so that a device or a pipe cannot fill the memory. */
static gdyn_status read_all(FILE *file, char **text, size_t *length) {
    size_t capacity = 65536;
    char *data = gdyn_alloc(capacity, 1);
    *length = 0;
    while (data) {
        *length += fread(data + *length, 1, capacity - *length, file);
        if (*length < capacity || *length > GDYN_LIMIT_BYTES)
            break;
        capacity *= 2;
        char *more = gdyn_realloc(data, capacity, 1);
        if (!more) {
            gdyn_free(data);
            data = NULL;
        } else
            data = more;
    }
    *text = data;
    return data ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_source_from_file(gdyn_arena *arena, const char *name, gdyn_source **out,
                                  char *message, size_t size) {
    *out = NULL;
    FILE *file = fopen(name, "rb");
    if (!file) {
        snprintf(message, size, "cannot open: %s", strerror(errno));
        return GDYN_ERROR_FILE;
    }
    char *text = NULL;
    size_t length = 0;
    gdyn_status status = read_all(file, &text, &length);
    if (status != GDYN_OK) {
        snprintf(message, size, "out of memory");
    } else if (ferror(file)) {
        snprintf(message, size, "cannot read: %s", strerror(errno));
        status = GDYN_ERROR_FILE;
    } else if (length > GDYN_LIMIT_BYTES) {
        snprintf(message, size, "is larger than %d MiB", GDYN_LIMIT_BYTES >> 20);
        status = GDYN_ERROR_INPUT;
    } else {
        *out = gdyn_source_from_text(arena, name, text, length);
        status = *out ? GDYN_OK : GDYN_ERROR_MEMORY;
    }
    gdyn_free(text);
    fclose(file);
    return status;
}

const char *gdyn_source_beside(gdyn_arena *arena, const char *from, const char *file) {
    const char *slash = strrchr(from, '/');
    if (file[0] == '/' || !slash)
        return gdyn_arena_strdup(arena, file);
    return gdyn_arena_printf(arena, "%.*s/%s", (int)(slash - from), from, file);
}

const char *gdyn_source_line(const gdyn_source *source, int line, gdyn_arena *arena) {
    if (!source || line < 1 || line > source->lines)
        return NULL;
    size_t start = source->line_start[line - 1], end = start;
    while (end < source->length && !line_break(source->text + end, source->length - end))
        end++;
    if (end - start > LONGEST_LINE)
        return NULL;
    return gdyn_arena_strndup(arena, source->text + start, end - start);
}
