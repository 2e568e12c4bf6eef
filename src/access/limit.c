/* limit.c - limits compared, collected and named. */
#include "access/limit.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The numbers fit: no machine and no table has that many rows at a place. */
static gdyn_limit limit_of(gdyn_limit_shape shape, int row, int side) {
    assert(row >= -1 && row <= SHRT_MAX);
    return (gdyn_limit){.shape = (signed char)shape, .side = (signed char)side, .row = (short)row};
}

gdyn_limit gdyn_limit_force(int row, int side) {
    assert(row >= 0 && (side == -1 || side == 1));
    return limit_of(GDYN_LIMIT_ROW, row, side);
}

gdyn_limit gdyn_limit_rate(int row, int side) {
    assert(row >= 0 && (side == -1 || side == 1));
    return limit_of(GDYN_LIMIT_THIRD_ORDER, row, side);
}

gdyn_limit gdyn_limit_window(int window, int side) {
    return limit_of(GDYN_LIMIT_WINDOW, window, side);
}

gdyn_limit gdyn_limit_path(void) {
    return limit_of(GDYN_LIMIT_EQUALITY, -1, 1);
}

gdyn_limit gdyn_limit_of_source(int source, bool high) {
    return source < 0 ? gdyn_limit_path() : gdyn_limit_force(source, high ? 1 : -1);
}

static int order(int a, int b) {
    return (a > b) - (a < b);
}

/* By shape, then row, then side. */
int gdyn_limit_compare(const void *left, const void *right) {
    gdyn_limit a = *(const gdyn_limit *)left, b = *(const gdyn_limit *)right;
    return a.shape != b.shape ? order((int)a.shape, (int)b.shape)
           : a.row != b.row   ? order(a.row, b.row)
                              : order(a.side, b.side);
}

bool gdyn_limit_same(gdyn_limit a, gdyn_limit b) {
    return a.shape == b.shape && a.row == b.row && a.side == b.side;
}

bool gdyn_limit_in(const gdyn_limit *list, int count, gdyn_limit limit) {
    for (int i = 0; i < count; i++)
        if (gdyn_limit_same(list[i], limit))
            return true;
    return false;
}

void gdyn_limit_add(gdyn_limit *list, int *count, int capacity, gdyn_limit limit) {
    if (*count < capacity && !gdyn_limit_in(list, *count, limit))
        list[(*count)++] = limit;
}

bool gdyn_limit_is_forward(gdyn_limit limit) {
    return limit.shape == GDYN_LIMIT_WINDOW && limit.side < 0 && limit.row < 0;
}

const gdyn_limited *gdyn_limit_owner(const gdyn_limited *limited, int rows, gdyn_limit limit) {
    if (!limited || limit.row < 0 || limit.shape == GDYN_LIMIT_EQUALITY)
        return NULL;
    return &limited[limit.shape == GDYN_LIMIT_WINDOW ? rows + limit.row : limit.row];
}

const char *gdyn_limited_word(const gdyn_limited *limited) {
    const char *own = limited->kind->quantity;
    return own && *own ? own : "force";
}

const char *gdyn_limited_rate_word(const gdyn_limited *limited, const char **unit) {
    const char *word = "rate";
    *unit = "";
    for (const gdyn_limit_kind *kind = gdyn_limit_kinds; kind < gdyn_limit_kinds + GDYN_LIMIT_KINDS;
         kind++) {
        const gdyn_limit_kind *row = &gdyn_limit_kinds[kind->rate_of];
        bool rate = kind->shape == GDYN_LIMIT_THIRD_ORDER;
        word = rate && row == limited->kind && kind->quantity ? kind->quantity : word;
        for (int slides = 0; rate && slides < 2; slides++)
            *unit = strcmp(limited->unit, row->unit[slides]) ? *unit : kind->unit[slides];
    }
    return word;
}

int gdyn_limit_lane(const gdyn_limited *limited, int rows, gdyn_limit limit) {
    const gdyn_limited *owner = gdyn_limit_owner(limited, rows, limit);
    if (!owner || limit.shape != GDYN_LIMIT_WINDOW)
        return owner ? limit.row : -1;
    for (int i = 0; i < rows; i++)
        if (strcmp(limited[i].name, owner->name) == 0)
            return i;
    return rows + limit.row;
}

const char *gdyn_limit_name(const gdyn_limited *limited, int rows, gdyn_limit limit) {
    const gdyn_limited *owner = gdyn_limit_owner(limited, rows, limit);
    return owner ? owner->name : limit.shape == GDYN_LIMIT_EQUALITY ? "path" : "d1";
}

const char *gdyn_limit_side(gdyn_limit limit) {
    bool low = limit.side < 0;
    switch (limit.shape) {
    case GDYN_LIMIT_EQUALITY:
        return "equality";
    case GDYN_LIMIT_WINDOW:
        return low ? "min" : "speed";
    case GDYN_LIMIT_THIRD_ORDER:
        return low ? "rate down" : "rate up";
    default:
        return low ? "min" : "max";
    }
}

void gdyn_limit_text(const gdyn_limited *limited, int rows, gdyn_limit limit, char *out,
                     size_t size) {
    const gdyn_limited *owner = gdyn_limit_owner(limited, rows, limit);
    const char *quantity = owner ? owner->quantity : "";
    snprintf(out, size, "%.120s%s%s at its %s", gdyn_limit_name(limited, rows, limit),
             *quantity ? "." : "", quantity,
             owner && owner->kind->at ? owner->kind->at
             : limit.side > 0         ? "max"
                                      : "min");
}
