/* column.c - heads of tables with units. */
#include "casefile/column.h"

#include <stdio.h>
#include <string.h>

static const char blanks[] = " \t\r\n\"";

/* Copies without blanks around it; cut where there is no room. */
static void trim(const char *text, size_t length, char *out, size_t size) {
    while (length > 0 && strchr(blanks, *text))
        text++, length--;
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    if (length >= size)
        length = size - 1;
    memcpy(out, text, length);
    out[length] = '\0';
}

static bool pure_number(const char *unit) {
    return strcmp(unit, "-") == 0 || strcmp(unit, "1") == 0 || *unit == '\0';
}

bool gdyn_column_read(const char *text, size_t length, gdyn_column *out,
                      gdyn_column_trouble *trouble) {
    size_t open = 0, close;
    char unit[48];
    *out = (gdyn_column){.factor = 1, .dimension = GDYN_DIM_UNKNOWN};
    *trouble = (gdyn_column_trouble){0};
    while (open < length && text[open] != '[' && text[open] != '(')
        open++;
    trim(text, open, out->name, sizeof out->name);
    if (open == length)
        return true;
    for (close = open + 1; close < length && text[close] != (text[open] == '[' ? ']' : ')');)
        close++;
    snprintf(trouble->help, sizeof trouble->help, "write %.60s [mm]", out->name);
    if (close == length) {
        snprintf(trouble->message, sizeof trouble->message,
                 "the bracket behind '%s' does not close", out->name);
        return false;
    }
    trim(text + open + 1, close - open - 1, unit, sizeof unit);
    out->stated = true;
    if (pure_number(unit))
        out->dimension = GDYN_DIM_NONE;
    else if (!gdyn_unit_parse(unit, &out->factor, &out->dimension)) {
        snprintf(trouble->message, sizeof trouble->message, "column '%s': '%s' is no unit",
                 out->name, unit);
        return false;
    }
    return true;
}

bool gdyn_column_fits(const gdyn_column *column, gdyn_dimension wanted, const char *what,
                      gdyn_column_trouble *trouble) {
    char want[64], have[64];
    *trouble = (gdyn_column_trouble){0};
    if (!column->stated || gdyn_dimension_fits(column->dimension, wanted))
        return true;
    gdyn_dimension_text(wanted, want, sizeof want);
    bool bare = wanted.known && gdyn_dimension_fits(wanted, GDYN_DIM_NONE);
    snprintf(trouble->message, sizeof trouble->message,
             bare ? "the unit of column '%s' does not fit: %s is %s, not %s"
                  : "the unit of column '%s' does not fit: %s is in %s, not %s",
             column->name, what, want, gdyn_dimension_text(column->dimension, have, sizeof have));
    if (bare)
        snprintf(trouble->help, sizeof trouble->help, "leave the unit out: %.60s", column->name);
    return false;
}
