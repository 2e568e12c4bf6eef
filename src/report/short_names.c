/* short_names.c - names of drives that fit in a legend and still tell the drives apart. */
#include "report/picture.h"

#include <stdio.h>
#include <string.h>

enum { LONG = 14, KEEP = 16 }; /* longer names are shortened; bytes kept of them */

/* Row with the same name before this one, counted: 0 for the drive itself, 1 for the first line
 * of its torque-speed curve, ... */
static int repeats_before(const gdyn_trajectory *t, int row) {
    int count = 0;
    for (int i = 0; i < row; i++)
        count += strcmp(t->row[i].name, t->row[row].name) == 0;
    return count;
}

static bool continues(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Bytes that all names begin with, or end with; whole characters. */
static size_t common_begin(const gdyn_trajectory *t) {
    size_t same = strlen(t->row[0].name);
    for (int i = 1; i < t->rows; i++) {
        size_t k = 0;
        while (k < same && t->row[i].name[k] == t->row[0].name[k])
            k++;
        same = k;
    }
    while (same > 0 && continues(t->row[0].name[same]))
        same--;
    return same;
}

static size_t common_end(const gdyn_trajectory *t, size_t begin) {
    const char *first = t->row[0].name;
    size_t length = strlen(first), same = length - begin;
    for (int i = 1; i < t->rows; i++) {
        const char *name = t->row[i].name;
        size_t other = strlen(name), k = 0;
        while (k < same && k < other - begin && name[other - 1 - k] == first[length - 1 - k])
            k++;
        same = k;
    }
    while (same > 0 && continues(first[length - same]))
        same--;
    return same;
}

/* "…left_shoulder…": the part that differs, its middle left out when it is long itself. */
static void shorten(const char *name, size_t begin, size_t end, char *out, size_t size) {
    size_t length = strlen(name) - begin - end;
    const char *part = name + begin, *front = begin ? "…" : "", *back = end ? "…" : "";
    if (length == 0) { /* it is what the others have in common */
        snprintf(out, size, "%.*s…", LONG, name);
        return;
    }
    if (length <= KEEP) {
        snprintf(out, size, "%s%.*s%s", front, (int)length, part, back);
        return;
    }
    size_t head = KEEP / 2, tail = length - KEEP / 2;
    while (head > 0 && continues(part[head]))
        head--;
    while (tail < length && continues(part[tail]))
        tail++;
    snprintf(out, size, "%s%.*s…%.*s%s", front, (int)head, part, (int)(length - tail), part + tail,
             back);
}

static int first_row_of(const gdyn_trajectory *t, int row) {
    int first = 0;
    while (strcmp(t->row[first].name, t->row[row].name) != 0)
        first++;
    return first;
}

/* Distinct drives that got the same short name are numbered. */
static void set_apart(const gdyn_trajectory *t, char (*out)[GDYN_SHORT_NAME]) {
    for (int i = 0; i < t->rows; i++) {
        char shared[GDYN_SHORT_NAME];
        bool clash = false;
        memcpy(shared, out[i], sizeof shared);
        for (int j = 0; j < t->rows && !clash; j++)
            clash = strcmp(out[j], shared) == 0 && strcmp(t->row[i].name, t->row[j].name) != 0;
        for (int j = 0; clash && j < t->rows; j++)
            if (strcmp(out[j], shared) == 0)
                snprintf(out[j], GDYN_SHORT_NAME, "drive %d", first_row_of(t, j) + 1);
    }
}

static void name_curves(const gdyn_trajectory *t, char (*out)[GDYN_SHORT_NAME]) {
    for (int i = 0; i < t->rows; i++) {
        int line = repeats_before(t, i);
        size_t used = strlen(out[i]);
        if (line == 0)
            continue;
        bool only = true;
        for (int j = 0; j < t->rows; j++)
            only &= strcmp(t->row[i].name, t->row[j].name) != 0 || repeats_before(t, j) <= 1;
        if (only)
            snprintf(out[i] + used, GDYN_SHORT_NAME - used, " curve");
        else
            snprintf(out[i] + used, GDYN_SHORT_NAME - used, " curve %d", line);
    }
}

void gdyn_short_names(const gdyn_trajectory *t, char (*out)[GDYN_SHORT_NAME]) {
    size_t longest = 0, begin = 0, end = 0;
    for (int i = 0; i < t->rows; i++) {
        size_t length = strlen(t->row[i].name);
        longest = length > longest ? length : longest;
    }
    if (longest > LONG) {
        begin = common_begin(t);
        end = common_end(t, begin);
    }
    begin = begin > 2 ? begin : 0;
    end = end > 2 ? end : 0;
    for (int i = 0; i < t->rows; i++)
        shorten(t->row[i].name, begin, end, out[i], GDYN_SHORT_NAME);
    set_apart(t, out);
    name_curves(t, out);
}
