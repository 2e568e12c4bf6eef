/* column.c - the header of a table: names and units. A unit is converted or refused, never
 * ignored. */
#include "table/table.h"

#include <stdio.h>
#include <string.h>

int gdyn_table_find(gdyn_table *t, const char *name) {
    /* A name that occurs twice is refused, wherever it is first needed. */
    int found = -1;
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->column[i].name, name) == 0) {
            if (found >= 0)
                gdyn_table_refuse(t, i, NULL, "column '%.60s' occurs twice", name);
            found = i;
        }
    return found;
}

static bool is_one_of(const char *name, const char *const *names, int count) {
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

void gdyn_table_only(gdyn_table *t, const char *const *names, int count, const char *help) {
    for (int i = 0; i < t->columns && t->status == GDYN_OK; i++)
        if (!is_one_of(t->column[i].name, names, count))
            gdyn_table_refuse(t, i, help, "unknown column '%.60s'", t->column[i].name);
}

/* Factor and dimension of a head; false after a complaint. */
static bool read_unit(gdyn_table *t, int i, double *factor, gdyn_dimension *dimension) {
    const gdyn_column *c = &t->column[i];
    char help[120];
    *factor = 1;
    *dimension = GDYN_DIM_UNKNOWN;
    if (!c->unit)
        return true;
    /* The bracket must close at the end of the head. */
    snprintf(help, sizeof help, "write %.60s [mm]", c->name);
    const char *close = strpbrk(t->cell[i].text, "])");
    if (!close)
        return gdyn_table_refuse(t, i, help, "the bracket after '%.60s' does not close", c->name);
    if (close[1])
        return gdyn_table_refuse(t, i, help,
                                 "expected the end of the header after '%.60s', got '%.40s'",
                                 c->unit, close + 1);
    /* "[-]", "[1]" and "[]" are pure numbers. */
    *dimension = GDYN_DIM_NONE;
    if (strcmp(c->unit, "-") == 0 || strcmp(c->unit, "1") == 0 || !*c->unit)
        return true;
    return gdyn_unit_parse(c->unit, factor, dimension) ||
           gdyn_table_refuse(t, i, help, "column '%.60s': '%.40s' is not a unit", c->name, c->unit);
}

gdyn_dimension gdyn_table_dimension(gdyn_table *t, int column) {
    double factor;
    gdyn_dimension found;
    return read_unit(t, column, &factor, &found) ? found : GDYN_DIM_UNKNOWN;
}

void gdyn_table_unit(gdyn_table *t, int column, gdyn_dimension wanted, const char *what) {
    gdyn_column *c = &t->column[column];
    gdyn_dimension found;
    /* No unit means SI. */
    char want[64], have[64], help[120] = "";
    if (!read_unit(t, column, &c->factor, &found) || !c->unit || gdyn_dimension_fits(found, wanted))
        return;
    /* A pure number was expected. */
    bool bare = wanted.known && gdyn_dimension_fits(wanted, GDYN_DIM_NONE);
    if (bare)
        snprintf(help, sizeof help, "omit the unit: %.60s", c->name);
    gdyn_table_refuse(t, column, help,
                      "the unit of column '%.60s' does not fit: %s is %s%s, not %s", c->name, what,
                      bare ? "" : "in ", gdyn_dimension_text(wanted, want, sizeof want),
                      gdyn_dimension_text(found, have, sizeof have));
}
