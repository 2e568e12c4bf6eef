/* warm_start.c - designs to begin a search with, from a table such as the front of another study: a
 * row per design; columns NAME or design.NAME for every variable, in SI units or in the unit that
 * the head states ("leg [mm]"). Other columns are passed over. */
#include "study/store.h"

#include "base/memory.h"
#include "table/table.h"

#include <stdio.h>

enum { MOST_DESIGNS = 1 << 20 };

typedef struct reader {
    const gdyn_instance *start;
    gdyn_table table;
    int *at; /* design_count: column of each variable */
    double *x;
    int count, capacity;
    int outside, variable; /* designs outside of the bounds; the first of them and its variable */
    int first;
} reader;

/* Column of a variable, whose choices are given by their number, which has no unit. */
static int find_variable(gdyn_table *t, const gdyn_design_variable *v) {
    /* NAME or design.NAME, but not both. */
    char name[120], what[128];
    snprintf(name, sizeof name, "design.%.100s", v->name);
    int bare = gdyn_table_find(t, v->name), full = gdyn_table_find(t, name);
    int at = bare >= 0 ? bare : full;
    if (at < 0 || (bare >= 0 && full >= 0)) {
        gdyn_table_refuse(t, at < 0 ? -1 : full, NULL, "%s for the design variable %.60s",
                          at < 0 ? "no column" : "two columns", v->name);
        return -1;
    }
    /* Choices are numbers without unit; others may state their unit in the head. */
    snprintf(what, sizeof what, "the design variable %.60s%s", v->name,
             v->choices > 0 ? ", the number of a choice," : "");
    gdyn_table_unit(t, at, v->choices > 0 ? GDYN_DIM_NONE : v->dimension, what);
    return at;
}

static bool make_room(reader *r) {
    if (r->count == MOST_DESIGNS)
        return gdyn_table_refuse(&r->table, -1, NULL, "there are more than %d designs",
                                 MOST_DESIGNS);
    size_t each = (size_t)r->start->design_count * sizeof *r->x;
    return gdyn_reserve(&r->x, &r->capacity, r->count + 1, each) ||
           gdyn_table_lack_memory(&r->table);
}

/* Whether the last design lies within the bounds. */
static void check_bounds(reader *r) {
    const double *x = r->x + (size_t)(r->count - 1) * (size_t)r->start->design_count;
    for (int i = 0; i < r->start->design_count; i++) {
        const gdyn_design_variable *v = &r->start->design[i];
        if (x[i] >= v->min && x[i] <= v->max)
            continue;
        if (r->outside++ == 0)
            r->first = r->count - 1, r->variable = i;
        return;
    }
}

static void read_designs(reader *r) {
    gdyn_table *t = &r->table;
    int n = r->start->design_count;
    for (int i = 0; i < n; i++)
        r->at[i] = find_variable(t, &r->start->design[i]);
    while (gdyn_table_next(t) && make_room(r)) {
        double *x = r->x + (size_t)r->count++ * (size_t)n;
        for (int i = 0; i < n; i++)
            x[i] = gdyn_table_number(t, r->at[i]);
        check_bounds(r);
    }
    if (r->count == 0)
        gdyn_table_refuse(t, -1, NULL, "there is no design below the header");
}

gdyn_status gdyn_warm_start_read(const char *filename, const gdyn_instance *start,
                                 const gdyn_sink *sink, int *count, double **x) {
    reader r = {.start = start};
    gdyn_arena *arena = gdyn_arena_create();
    /* The arena holds the table; the designs outlive it. */
    gdyn_status status = GDYN_ERROR_MEMORY;
    r.at = arena ? gdyn_arena_alloc(arena, (size_t)start->design_count + 1, sizeof *r.at) : NULL;
    if (r.at && (status = gdyn_table_open_file(&r.table, arena, filename, sink)) == GDYN_OK) {
        read_designs(&r);
        status = r.table.status;
        if (status == GDYN_OK && r.outside > 0) {
            /* the search moves them to the nearest bound */
            const gdyn_design_variable *v = &r.start->design[r.variable];
            double value = r.x[r.first * r.start->design_count + r.variable];
            gdyn_diag_emit(
                sink, GDYN_WARNING, filename, "check the units of the table",
                GDYN_CODE_DESIGN
                "%d of %d designs lie outside of the bounds and are moved to them; design %d: "
                "%s = %g, bounds %g and %g",
                r.outside, r.count, r.first + 1, v->name, value, v->min, v->max);
        }
    }
    gdyn_arena_destroy(arena);
    *count = status == GDYN_OK ? r.count : 0;
    *x = status == GDYN_OK ? r.x : NULL;
    if (status != GDYN_OK)
        gdyn_free(r.x);
    return status;
}

/* Every number of every design: another warm start is another search. */
void gdyn_warm_start_key(int count, int variables, const double *x, gdyn_text *key) {
    for (int i = 0; i < count; i++) {
        gdyn_text_printf(key, "warm start:");
        for (int k = 0; k < variables; k++)
            gdyn_text_printf(key, " %s", gdyn_digits(x[i * variables + k]).text);
        gdyn_text_printf(key, "\n");
    }
}
