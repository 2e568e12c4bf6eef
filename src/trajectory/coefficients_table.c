/* coefficients_table.c - a table of coefficients, row by row. */
#include "trajectory/coefficients.h"

#include "base/memory.h"
#include "path/path.h"
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FREE_MAX = GDYN_COEFFICIENT_FREE_MAX, NAMES = GDYN_COLUMNS + 1 + FREE_MAX };
static const char help[] = "columns are p,drive,A,B,C,D,min,max,V1,...,Vr and, if wanted, rate";

/* What a column of forces is: a force times these powers of p and of the time. */
static const struct {
    const char *name;
    int p, s;
} columns[GDYN_COLUMNS] = {
    [GDYN_COLUMN_P] = {"p", 0, 0},     [GDYN_COLUMN_A] = {"A", -2, 2},
    [GDYN_COLUMN_B] = {"B", -1, 1},    [GDYN_COLUMN_C] = {"C", 0, 0},
    [GDYN_COLUMN_D] = {"D", -1, 2},    [GDYN_COLUMN_MIN] = {"min", 0, 0},
    [GDYN_COLUMN_MAX] = {"max", 0, 0}, [GDYN_COLUMN_RATE] = {"rate", 0, -1},
};

typedef struct reader {
    gdyn_coefficient_rows *rows;
    gdyn_table table;
    int at[GDYN_COLUMNS], drive; /* columns; rate: -1 when there is none */
    int free[FREE_MAX];
} reader;

/* --- heads ------------------------------------------------------------------------------------ */

/* force p^a s^b: what a column of that sort is in, for forces of that dimension; the way back for sign -1. */
static gdyn_dimension scaled(const reader *r, gdyn_dimension force, int column, int sign) {
    /* A column with power p divides the force by [p]: A is force / ([p]/s)^2. */
    const gdyn_dimension p = r->rows->p_dimension;
    const int power = sign * columns[column].p;
    force.m = (signed char)(force.m + power * p.m);
    force.kg = (signed char)(force.kg + power * p.kg);
    force.s = (signed char)(force.s + power * p.s + sign * columns[column].s);
    return force;
}

/* Takes the unit of a column of forces; the first one that states a force decides whether it is N or N m. */
static void take_unit(reader *r, int column) {
    gdyn_dimension *known = &r->rows->force_dimension;
    int at = r->at[column];
    /* The stated unit, brought back to a force, tells N from N m. */
    gdyn_dimension stated = gdyn_table_dimension(&r->table, at);
    gdyn_dimension force = scaled(r, stated, column, -1);
    if (!known->known && stated.known &&
        (gdyn_dimension_fits(force, GDYN_DIM_FORCE) || gdyn_dimension_fits(force, GDYN_DIM_TORQUE)))
        *known = force;
    gdyn_table_unit(&r->table, at, scaled(r, known->known ? *known : GDYN_DIM_FORCE, column, 1),
                    "this coefficient");
}

/* p first: the units of the others depend on it; then plain forces. */
static void take_units(reader *r) {
    static const int order[] = {GDYN_COLUMN_MIN, GDYN_COLUMN_MAX, GDYN_COLUMN_C, GDYN_COLUMN_RATE,
                                GDYN_COLUMN_A,   GDYN_COLUMN_B,   GDYN_COLUMN_D};
    gdyn_table *t = &r->table;
    /* p without a unit is a pure number. */
    gdyn_dimension p = gdyn_table_dimension(t, r->at[GDYN_COLUMN_P]);
    r->rows->p_dimension = p.known ? p : GDYN_DIM_NONE;
    r->rows->force_dimension = GDYN_DIM_UNKNOWN;
    /* Lengths, times and angles can be path parameters, masses cannot. */
    if (!gdyn_path_dimension_allowed(r->rows->p_dimension))
        gdyn_table_refuse(t, r->at[GDYN_COLUMN_P],
                          "p is a length, an angle, a time or a pure number",
                          "the unit of column 'p' does not fit");
    gdyn_table_unit(t, r->at[GDYN_COLUMN_P], GDYN_DIM_UNKNOWN, "p");
    /* Forces alone decide first, products with p follow. */
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (r->at[order[i]] >= 0)
            take_unit(r, order[i]);
    for (int k = 0; k < r->rows->r; k++)
        gdyn_table_unit(t, r->free[k], GDYN_DIM_UNKNOWN, "V");
}

static int find(reader *r, const char *name, bool needed) {
    int at = gdyn_table_find(&r->table, name);
    if (at < 0 && needed)
        gdyn_table_refuse(&r->table, -1, help, "column '%s' is missing", name);
    return at;
}

static void read_heads(reader *r) {
    char text[FREE_MAX][8];
    const char *names[NAMES] = {"drive"};
    /* All names that may occur, V1 ... as far as there are. */
    for (int k = 0; k < GDYN_COLUMNS; k++)
        names[1 + k] = columns[k].name;
    for (int k = 0; k < FREE_MAX; k++) {
        snprintf(text[k], sizeof text[k], "V%d", k + 1);
        names[1 + GDYN_COLUMNS + k] = text[k];
        if (find(r, text[k], false) >= 0)
            r->rows->r = k + 1;
    }
    gdyn_table_only(&r->table, names, NAMES, help);
    /* drive and the six coefficients are required, rate is not. */
    r->drive = find(r, "drive", true);
    for (int k = 0; k < GDYN_COLUMNS; k++)
        r->at[k] = find(r, columns[k].name, k != GDYN_COLUMN_RATE);
    for (int k = 0; k < r->rows->r; k++)
        r->free[k] = find(r, text[k], true);
    r->rows->rated = r->at[GDYN_COLUMN_RATE] >= 0;
    if (r->table.status == GDYN_OK)
        take_units(r);
}

/* --- rows ------------------------------------------------------------------------------------- */

static void read_numbers(reader *r, gdyn_coefficient_row *now) {
    gdyn_table *t = &r->table;
    /* Coefficients are finite numbers, limits may be open. */
    for (int k = 0; k < GDYN_COLUMN_MIN; k++)
        now->number[k] = gdyn_table_number(t, r->at[k]);
    now->number[GDYN_COLUMN_MIN] = gdyn_table_limit(t, r->at[GDYN_COLUMN_MIN], -INFINITY);
    now->number[GDYN_COLUMN_MAX] = gdyn_table_limit(t, r->at[GDYN_COLUMN_MAX], INFINITY);
    now->number[GDYN_COLUMN_RATE] =
        r->rows->rated ? gdyn_table_limit(t, r->at[GDYN_COLUMN_RATE], INFINITY) : INFINITY;
    for (int k = 0; k < r->rows->r; k++)
        now->v[k] = gdyn_table_number(t, r->free[k]);
    now->p = now->number[GDYN_COLUMN_P];
}

static void check_row(reader *r, const gdyn_coefficient_row *now) {
    gdyn_table *t = &r->table;
    const gdyn_coefficient_rows *rows = r->rows;
    double min = now->number[GDYN_COLUMN_MIN], max = now->number[GDYN_COLUMN_MAX];
    /* Limits that leave no force. */
    if (min > max)
        gdyn_table_refuse(t, r->at[GDYN_COLUMN_MIN], NULL, "min is greater than max");
    if (min == INFINITY)
        gdyn_table_refuse(t, r->at[GDYN_COLUMN_MIN], NULL, "min cannot be infinite upwards");
    if (max == -INFINITY)
        gdyn_table_refuse(t, r->at[GDYN_COLUMN_MAX], NULL, "max cannot be infinite downwards");
    if (rows->rated && !(now->number[GDYN_COLUMN_RATE] > 0))
        gdyn_table_refuse(t, r->at[GDYN_COLUMN_RATE], NULL, "a rate must be positive");
    /* Rows of one point stand together. */
    if (rows->count > 0 && now->p < rows->row[rows->count - 1].p)
        gdyn_table_refuse(t, r->at[GDYN_COLUMN_P], "sort the rows by p",
                          "p = %s is less than in the row before",
                          t->cell[r->at[GDYN_COLUMN_P]].text);
    if (!*t->cell[r->drive].text)
        gdyn_table_refuse(t, r->drive, NULL, "the drive has no name");
}

static bool make_room(reader *r) {
    gdyn_coefficient_rows *rows = r->rows;
    return gdyn_reserve(&rows->row, &rows->capacity, rows->count + 1, sizeof *rows->row) ||
           gdyn_table_lack_memory(&r->table);
}

static void add_row(reader *r) {
    gdyn_coefficient_row now = {.line = r->table.line};
    const char *drive = r->table.cell[r->drive].text;
    read_numbers(r, &now);
    check_row(r, &now);
    if (r->table.status != GDYN_OK || !make_room(r))
        return;
    now.drive = gdyn_alloc(strlen(drive) + 1, 1);
    if (!now.drive) {
        /* The cell is overwritten by the next line: keep a copy of the name. */
        gdyn_table_lack_memory(&r->table);
        return;
    }
    memcpy(now.drive, drive, strlen(drive));
    r->rows->row[r->rows->count++] = now;
}

gdyn_status gdyn_coefficient_rows_read(gdyn_coefficient_rows *rows, const char *filename,
                                       const gdyn_sink *sink) {
    reader r = {.rows = rows};
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_status status =
        arena ? gdyn_table_open_file(&r.table, arena, filename, sink) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        read_heads(&r);
        while (gdyn_table_next(&r.table))
            add_row(&r);
        if (rows->count == 0)
            gdyn_table_refuse(&r.table, -1, NULL, "there are no rows below the header");
        status = r.table.status;
    }
    gdyn_arena_destroy(arena);
    return status;
}

void gdyn_coefficient_rows_free(gdyn_coefficient_rows *rows) {
    for (int i = 0; i < rows->count; i++)
        gdyn_free(rows->row[i].drive);
    gdyn_free(rows->row);
}
