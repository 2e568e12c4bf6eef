/* column_text.c - how wide texts of pages for columns are, and how they are broken into lines or shortened. */
#include "report/column.h"

#include <math.h>
#include <stdio.h>

/* Advance of the letters from ' ' to '~' in DejaVu Sans, hundredths of their size. */
static const unsigned char advance[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

/* Bytes of the letter at c, and its width: an escape of gnuplot and a letter of several bytes are one. */
static int letter(const char *c, double *width) {
    static const double SIZE = 13, OTHER = 75;
    int bytes = *c == '\\' && c[1] ? 2 : 1;
    unsigned char code = (unsigned char)c[bytes - 1];
    bool plain = code >= ' ' && code <= '~';
    while (!plain && ((unsigned char)c[bytes] & 0xC0) == 0x80)
        bytes++;
    *width = SIZE / 100 * (plain ? advance[code - ' '] : OTHER);
    return bytes;
}

bool gdyn_column_is_break(const char *c) {
    return c[0] == '\\' && c[1] == 'n';
}

double gdyn_column_width(const char *text) {
    double longest = 0, sum = 0, width;
    for (int bytes; *text; text += bytes) {
        bool ends = gdyn_column_is_break(text);
        bytes = letter(text, &width);
        sum = ends ? 0 : sum + width;
        longest = fmax(longest, sum);
    }
    return longest;
}

/* Bytes of the text that a line holds, up to a blank where there is one; *next: where the rest begins. */
static size_t line_of(const char *text, double room, size_t *next) {
    double sum = 0, width;
    size_t at = 0, blank = 0;
    for (int bytes; text[at] && !gdyn_column_is_break(text + at); at += (size_t)bytes) {
        bytes = letter(text + at, &width);
        sum += width;
        if (text[at] == ' ' && at > 0)
            blank = at;
        if (sum > room && text[at] != ' ') {
            at = blank ? blank : at ? at : (size_t)bytes;
            break;
        }
    }
    *next = at + (gdyn_column_is_break(text + at) ? 2 : 0);
    while (text[*next] == ' ')
        ++*next;
    return at;
}

/* Cuts what is beyond the room, with an ellipsis. */
static void cut_line(char line[300], double room) {
    double sum = 0, width, dots = 13;
    size_t at = 0, last = 0;
    for (int bytes; line[at]; at += (size_t)bytes) {
        bytes = letter(line + at, &width);
        sum += width;
        if (sum <= room - dots)
            last = at + (size_t)bytes;
    }
    snprintf(line + last, 300 - last, "…");
}

int gdyn_column_wrap(const char *text, double room, int most, char (*line)[300]) {
    int count = 0;
    while (*text && count < most) {
        size_t next, length = line_of(text, room, &next);
        snprintf(line[count], 300, "%.*s", (int)length, text);
        if (count + 1 == most && text[next]) { /* no line is left for the rest */
            snprintf(line[count], 300, "%s", text);
            cut_line(line[count], room);
        }
        count++;
        text += next;
    }
    return count;
}

void gdyn_column_shorten(const char *text, double room, char out[300]) {
    static const double DOTS = 13;
    double whole = gdyn_column_width(text), sum = 0, width;
    size_t length = 0;
    bool dropped = false;
    for (int bytes; *text && length + 8 < 300; text += bytes) {
        bytes = letter(text, &width);
        sum += width;
        /* what begins beyond the first half, as far as the end has no room */
        bool drop = whole > room && sum > 0.5 * (room - DOTS) && whole - sum > 0.5 * (room - DOTS);
        if (!drop || !dropped)
            length += (size_t)snprintf(out + length, 300 - length, "%.*s", drop ? 3 : bytes,
                                       drop ? "…" : text);
        dropped |= drop;
    }
    out[length] = '\0';
}
