/* limit.c - limits compared, collected and named. */
#include "access/limit.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The numbers fit: no machine and no table has that many rows at a place. */
static gdyn_limit limit_of(gdyn_limit_kind kind, int row, int side) {
    assert(row >= -1 && row <= SHRT_MAX);
    return (gdyn_limit){.kind = (signed char)kind, .side = (signed char)side, .row = (short)row};
}

gdyn_limit gdyn_limit_force(int row, int side) {
    assert(row >= 0 && (side == -1 || side == 1));
    return limit_of(GDYN_LIMIT_FORCE, row, side);
}

gdyn_limit gdyn_limit_rate(int row, int side) {
    assert(row >= 0 && (side == -1 || side == 1));
    return limit_of(GDYN_LIMIT_RATE, row, side);
}

gdyn_limit gdyn_limit_speed(int row) {
    return limit_of(GDYN_LIMIT_SPEED, row, 1);
}

gdyn_limit gdyn_limit_path(void) {
    return limit_of(GDYN_LIMIT_PATH, -1, 1);
}

gdyn_limit gdyn_limit_forward(void) {
    return limit_of(GDYN_LIMIT_FORWARD, -1, -1);
}

gdyn_limit gdyn_limit_of_source(int source, bool high) {
    return source < 0 ? gdyn_limit_path() : gdyn_limit_force(source, high ? 1 : -1);
}

static int order(int a, int b) {
    return (a > b) - (a < b);
}

/* By kind, then row, then side. */
int gdyn_limit_compare(gdyn_limit a, gdyn_limit b) {
    return a.kind != b.kind ? order((int)a.kind, (int)b.kind)
           : a.row != b.row ? order(a.row, b.row)
                            : order(a.side, b.side);
}

bool gdyn_limit_same(gdyn_limit a, gdyn_limit b) {
    return a.kind == b.kind && a.row == b.row && a.side == b.side;
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

const gdyn_limited_row *gdyn_limit_owner(const gdyn_limited_row *row, int rows, gdyn_limit limit) {
    return limit.row >= 0 && limit.row < rows ? &row[limit.row] : NULL;
}

const char *gdyn_limit_name(const gdyn_limited_row *row, int rows, gdyn_limit limit) {
    const gdyn_limited_row *owner = gdyn_limit_owner(row, rows, limit);
    return owner ? owner->name : limit.kind == GDYN_LIMIT_PATH ? "path" : "d1";
}

const char *gdyn_limit_side(gdyn_limit limit) {
    switch (limit.kind) {
    case GDYN_LIMIT_PATH:
        return "equality";
    case GDYN_LIMIT_SPEED:
        return "speed";
    case GDYN_LIMIT_RATE:
        return limit.side < 0 ? "rate down" : "rate up";
    case GDYN_LIMIT_FORWARD:
    case GDYN_LIMIT_FORCE:
        break;
    }
    return limit.side < 0 ? "min" : "max";
}

const char *gdyn_limit_quantity(const gdyn_limited_row *owner, gdyn_limit limit) {
    return limit.kind == GDYN_LIMIT_SPEED ? "speed" : owner ? owner->quantity : "";
}

void gdyn_limit_text(const gdyn_limited_row *row, int rows, gdyn_limit limit, char *out,
                     size_t size) {
    const gdyn_limited_row *owner = gdyn_limit_owner(row, rows, limit);
    const char *quantity = gdyn_limit_quantity(owner, limit);
    snprintf(out, size, "%.120s%s%s at its %s", gdyn_limit_name(row, rows, limit),
             *quantity ? "." : "", quantity,
             owner && owner->curve ? "curve"
             : limit.side > 0      ? "max"
                                   : "min");
}

/* Unit of the speed of a drive by that of its force. */
static const char *speed_unit(const char *force_unit) {
    return !strcmp(force_unit, "N") ? "m/s" : !strcmp(force_unit, "N m") ? "rad/s" : "";
}

const char *gdyn_limit_unit(const gdyn_limited_row *owner, gdyn_limit limit) {
    const char *force = owner ? owner->unit : "";
    return limit.kind == GDYN_LIMIT_SPEED ? speed_unit(force) : force;
}
