/* document.c - text files in memory and their lines. */
#include "base/document.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_LINE = 4096 }; /* worth showing */

/* --- lines ------------------------------------------------------------------------------------ */

/* Bytes of the line break at text, 0 when there is none. YAML knows CR, LF, CRLF, NEL, LS and
 * PS. */
static size_t line_break(const char *text, size_t left) {
    /* one byte, two, then the Unicode ones */
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

/* The next byte from i on that a line break may begin with; behind the text there is a NUL, and
 * there may be some in it. */
static size_t next_candidate(const char *text, size_t i, size_t length) {
    i += strcspn(text + i, "\n\r\xC2\xE2");
    while (i < length && !text[i]) {
        i++;
        i += strcspn(text + i, "\n\r\xC2\xE2");
    }
    return i;
}

/* Counts lines, and notes where they start. */
static int count_lines(const char *text, size_t length, size_t *start) {
    int lines = 1;
    if (start)
        start[0] = 0;
    for (size_t i = 0; (i = next_candidate(text, i, length)) < length;) {
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

/* A byte order mark is no text. */
gdyn_document *gdyn_document_from_text(gdyn_arena *arena, const char *name, const char *text,
                                       size_t length) {
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3, length -= 3;
    gdyn_document *document = gdyn_arena_alloc(arena, 1, sizeof *document);
    if (!document)
        return NULL;
    /* copies, and the start of every line */
    document->name = gdyn_arena_strdup(arena, name);
    document->text = gdyn_arena_strndup(arena, text, length);
    document->length = length;
    if (!document->name || !document->text)
        return NULL;
    document->lines = count_lines(document->text, length, NULL);
    size_t *start = gdyn_arena_alloc(arena, (size_t)document->lines, sizeof *start);
    if (!start)
        return NULL;
    count_lines(document->text, length, start);
    document->line_start = start;
    return document;
}

/* Without its line break. */
size_t gdyn_document_line_length(const gdyn_document *document, int line) {
    size_t start = document->line_start[line - 1];
    if (line == document->lines)
        return document->length - start;
    /* the break, which ends with the last byte before the next line, has 1 to 3 bytes */
    size_t next = document->line_start[line], size = 3;
    while (size > 1 &&
           (next < start + size || line_break(document->text + next - size, size) != size))
        size--;
    return next - size - start;
}

/* NULL: no such line, or too long to be shown. */
const char *gdyn_document_line(const gdyn_document *document, int line, gdyn_arena *arena) {
    if (!document || line < 1 || line > document->lines)
        return NULL;
    size_t length = gdyn_document_line_length(document, line);
    return length > LONGEST_LINE
               ? NULL
               : gdyn_arena_strndup(arena, document->text + document->line_start[line - 1], length);
}

/* --- files ------------------------------------------------------------------------------------ */

int gdyn_document_open_own(const char *name, bool kept, bool streams) {
    /* what it is shows first, and only then is it emptied */
    struct stat about;
    int file =
        open(name, (kept ? O_RDWR : O_WRONLY) | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
    if (file < 0) {
        errno = errno == ELOOP ? EMLINK : errno;
        return -1;
    }
    int error = fstat(file, &about) != 0 ? errno : 0;
    if (error == 0 && S_ISREG(about.st_mode))
        error = about.st_nlink > 1 ? EMLINK : 0;
    else if (error == 0)
        error = streams ? 0 : EINVAL;
    if (error == 0 && !kept && S_ISREG(about.st_mode) && ftruncate(file, 0) != 0)
        error = errno;
    if (error == 0)
        return file;
    close(file);
    errno = error;
    return -1;
}

enum { SECONDS_FOR_PIPE = 30 };

/* A pipe is waited for until something comes through it; false when nothing does. */
static bool comes(int file) {
    struct pollfd pipe = {.fd = file, .events = POLLIN};
    return poll(&pipe, 1, SECONDS_FOR_PIPE * 1000) > 0 &&
           fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) == 0;
}

/* Opens a regular file, and a pipe where streams are welcome. NULL with a message. */
static FILE *open_text(const char *name, bool streams, char *message, size_t size) {
    struct stat about;
    int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        snprintf(message, size, "cannot open: %s", gdyn_errno_text(errno));
        return NULL;
    }
    /* folders can be opened but not read; pipes block, devices do not end */
    bool known = fstat(file, &about) == 0, folder = known && S_ISDIR(about.st_mode);
    bool flows = known && streams && S_ISFIFO(about.st_mode);
    bool odd = known && !folder && !flows && !S_ISREG(about.st_mode);
    bool silent = flows && !comes(file);
    FILE *stream = known && !folder && !odd && !silent ? fdopen(file, "rb") : NULL;
    if (stream)
        return stream;
    if (odd)
        snprintf(message, size, "is %s: only regular files are read",
                 streams ? "a device" : "a pipe or a device");
    else if (silent)
        snprintf(message, size, "is a pipe that delivered no data for %d s", SECONDS_FOR_PIPE);
    else
        snprintf(message, size, "cannot read: %s", gdyn_errno_text(folder ? EISDIR : errno));
    close(file);
    return NULL;
}

/* Reads at most one byte more than allowed: a file may grow meanwhile. */
static char *read_bytes(FILE *file, size_t most, size_t *length) {
    size_t capacity = 65536;
    char *data = gdyn_alloc(capacity, 1);
    *length = 0;
    while (data) {
        *length += fread(data + *length, 1, capacity - *length, file);
        if (*length < capacity || *length > most)
            break;
        capacity *= 2;
        char *more = gdyn_realloc(data, capacity, 1);
        if (!more)
            gdyn_free(data);
        data = more;
    }
    return data;
}

/* Reads a whole file, at most that many bytes; *out NULL: the message says why. */
gdyn_status gdyn_document_from_file(gdyn_arena *arena, const char *name, size_t most, bool streams,
                                    gdyn_document **out, char *message, size_t size) {
    size_t length;
    *out = NULL;
    FILE *file = open_text(name, streams, message, size);
    if (!file)
        return GDYN_ERROR_FILE;
    gdyn_status status = GDYN_ERROR_MEMORY;
    char *text = read_bytes(file, most, &length);
    /* what failed, in the order of what happens */
    if (text && ferror(file)) {
        snprintf(message, size, "cannot read: %s", gdyn_errno_text(errno));
        status = GDYN_ERROR_FILE;
    } else if (text && length > most) {
        snprintf(message, size, "is larger than %zu MiB", most >> 20);
        status = GDYN_ERROR_INPUT;
    } else if (text && (*out = gdyn_document_from_text(arena, name, text, length))) {
        status = GDYN_OK;
    } else {
        snprintf(message, size, "out of memory");
    }
    gdyn_free(text);
    fclose(file);
    return status;
}

/* Relative names are relative to the file that mentions them. */
const char *gdyn_document_beside(gdyn_arena *arena, const char *from, const char *file) {
    const char *slash = strrchr(from, '/');
    if (file[0] == '/' || !slash)
        return gdyn_arena_strdup(arena, file);
    return gdyn_arena_printf(arena, "%.*s/%s", (int)(slash - from), from, file);
}
