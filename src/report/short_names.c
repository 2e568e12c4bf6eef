/* short_names.c - names of drives that fit in a legend and still tell the drives apart. */
#include "report/picture.h"

#include <stdio.h>
#include <string.h>

enum { LONG = 14, KEEP = 16 }; /* longer names are shortened; bytes kept of them */

/* Row with the same name before this one, counted: 0 for the drive itself, 1 for the first line of its
 * torque-speed curve, ... */
static int repeats_before(const gdyn_series *series, int row) {
    int count = 0;
    for (int i = 0; i < row; i++)
        count += strcmp(series->row[i].name, series->row[row].name) == 0;
    return count;
}

static bool continues(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Bytes that all names begin with, or end with; whole characters. */
static size_t common_begin(const gdyn_series *series) {
    size_t same = strlen(series->row[0].name);
    for (int i = 1; i < series->rows; i++) {
        size_t k = 0;
        while (k < same && series->row[i].name[k] == series->row[0].name[k])
            k++;
        same = k;
    }
    while (same > 0 && continues(series->row[0].name[same]))
        same--;
    return same;
}

static size_t common_end(const gdyn_series *series, size_t begin) {
    const char *first = series->row[0].name;
    size_t length = strlen(first), same = length - begin;
    for (int i = 1; i < series->rows; i++) {
        const char *name = series->row[i].name;
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

static int first_row_of(const gdyn_series *series, int row) {
    int first = 0;
    while (strcmp(series->row[first].name, series->row[row].name) != 0)
        first++;
    return first;
}

/* Distinct drives that got the same short name are numbered. */
static void tell_apart(const gdyn_series *series, char (*out)[GDYN_SHORT_NAME]) {
    for (int i = 0; i < series->rows; i++) {
        char shared[GDYN_SHORT_NAME];
        bool clash = false;
        memcpy(shared, out[i], sizeof shared);
        for (int j = 0; j < series->rows && !clash; j++)
            clash = strcmp(out[j], shared) == 0 &&
                    strcmp(series->row[i].name, series->row[j].name) != 0;
        for (int j = 0; clash && j < series->rows; j++)
            if (strcmp(out[j], shared) == 0)
                snprintf(out[j], GDYN_SHORT_NAME, "drive %d", first_row_of(series, j) + 1);
    }
}

static void name_curves(const gdyn_series *series, char (*out)[GDYN_SHORT_NAME]) {
    for (int i = 0; i < series->rows; i++) {
        int line = repeats_before(series, i);
        size_t used = strlen(out[i]);
        if (line == 0)
            continue;
        bool only = true;
        for (int j = 0; j < series->rows; j++)
            only &= strcmp(series->row[i].name, series->row[j].name) != 0 ||
                    repeats_before(series, j) <= 1;
        if (only)
            snprintf(out[i] + used, GDYN_SHORT_NAME - used, " curve");
        else
            snprintf(out[i] + used, GDYN_SHORT_NAME - used, " curve %d", line);
    }
}

void gdyn_short_names(const gdyn_series *series, char (*out)[GDYN_SHORT_NAME]) {
    size_t longest = 0, begin = 0, end = 0;
    for (int i = 0; i < series->rows; i++) {
        size_t length = strlen(series->row[i].name);
        longest = length > longest ? length : longest;
    }
    if (longest > LONG) {
        begin = common_begin(series);
        end = common_end(series, begin);
    }
    begin = begin > 2 ? begin : 0;
    end = end > 2 ? end : 0;
    for (int i = 0; i < series->rows; i++)
        shorten(series->row[i].name, begin, end, out[i], GDYN_SHORT_NAME);
    tell_apart(series, out);
    name_curves(series, out);
}
