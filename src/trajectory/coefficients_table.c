/* coefficients_table.c - a table of coefficients, row by row. */
#include "trajectory/coefficients.h"

#include "base/memory.h"
#include "path/path.h"
#include "table/table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXTS = 4, FREE_MAX = GDYN_COEFFICIENT_FREE_MAX, NAMES = GDYN_COLUMNS + TEXTS + FREE_MAX };
static const char help[] = "columns are p,drive,A,B,C,D,min,max,V1,...,Vr and, if wanted, rate";
/* Words of the columns kind and unit. */
static const char *const kinds[] = {"limit", "equality"}, *const force_units[] = {"N", "N m"};

/* What a column of forces is: a force times these powers of p and of the time. */
static const struct {
    const char *name;
    int p, s;
} columns[GDYN_COLUMNS] = {
    [GDYN_COLUMN_P] = {"p", 0, 0},
    [GDYN_COLUMN_A] = {"A", -2, 2},
    [GDYN_COLUMN_B] = {"B", -1, 1},
    [GDYN_COLUMN_C] = {"C", 0, 0},
    [GDYN_COLUMN_D] = {"D", -1, 2},
    [GDYN_COLUMN_MIN] = {"min", 0, 0},
    [GDYN_COLUMN_MAX] = {"max", 0, 0},
    [GDYN_COLUMN_RATE] = {"rate", 0, -1},
    [GDYN_COLUMN_MIN_SLOPE] = {"min_slope", -1, 1},
    [GDYN_COLUMN_MAX_SLOPE] = {"max_slope", -1, 1},
    [GDYN_COLUMN_D1_MIN] = {"d1_min", 0, 0},
    [GDYN_COLUMN_D1_MAX] = {"d1_max", 0, 0},
    [GDYN_COLUMN_A_ERROR] = {"A_error", -2, 2},
    [GDYN_COLUMN_B_ERROR] = {"B_error", -1, 1},
    [GDYN_COLUMN_D_ERROR] = {"D_error", -1, 2},
};

typedef struct reader {
    gdyn_coefficient_rows *rows;
    gdyn_table table;
    int at[GDYN_COLUMNS]; /* columns; -1 when there is none */
    int drive, trajectory, kind, unit;
    int free[FREE_MAX];
    int number; /* of the trajectory that is wanted */
    char *last; /* name of the trajectory of the row before */
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
    static const int order[] = {GDYN_COLUMN_MIN,     GDYN_COLUMN_MAX,       GDYN_COLUMN_C,
                                GDYN_COLUMN_RATE,    GDYN_COLUMN_A,         GDYN_COLUMN_B,
                                GDYN_COLUMN_D,       GDYN_COLUMN_MIN_SLOPE, GDYN_COLUMN_MAX_SLOPE,
                                GDYN_COLUMN_A_ERROR, GDYN_COLUMN_B_ERROR,   GDYN_COLUMN_D_ERROR};
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
    /* p per second */
    gdyn_dimension speed = r->rows->p_dimension;
    speed.s--;
    for (int k = GDYN_COLUMN_D1_MIN; k <= GDYN_COLUMN_D1_MAX; k++)
        if (r->at[k] >= 0)
            gdyn_table_unit(t, r->at[k], speed, "d1");
}

static int find(reader *r, const char *name, bool needed) {
    int at = gdyn_table_find(&r->table, name);
    if (at < 0 && needed)
        gdyn_table_refuse(&r->table, -1, help, "column '%s' is missing", name);
    return at;
}

static void read_heads(reader *r) {
    char text[FREE_MAX][8];
    const char *names[NAMES] = {"drive", "trajectory", "kind", "unit"};
    /* All names that may occur, V1 ... as far as there are. */
    for (int k = 0; k < GDYN_COLUMNS; k++)
        names[TEXTS + k] = columns[k].name;
    for (int k = 0; k < FREE_MAX; k++) {
        snprintf(text[k], sizeof text[k], "V%d", k + 1);
        names[TEXTS + GDYN_COLUMNS + k] = text[k];
        if (find(r, text[k], false) >= 0)
            r->rows->r = k + 1;
    }
    gdyn_table_only(&r->table, names, NAMES, help);
    /* drive, p and the six coefficients are required, the others are not. */
    r->drive = find(r, "drive", true);
    r->trajectory = find(r, "trajectory", false);
    r->kind = find(r, "kind", false);
    r->unit = find(r, "unit", false);
    r->rows->units = r->unit >= 0;
    for (int k = 0; k < GDYN_COLUMNS; k++)
        r->at[k] = find(r, columns[k].name, k < GDYN_COLUMNS_NEEDED);
    for (int k = 0; k < r->rows->r; k++)
        r->free[k] = find(r, text[k], true);
    r->rows->rated = r->at[GDYN_COLUMN_RATE] >= 0;
    if (r->table.status == GDYN_OK)
        take_units(r);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Which of two words stands in the cell; the first one without such a column. */
static bool second_word(reader *r, int column, const char *const *words) {
    const char *text = column >= 0 ? r->table.cell[column].text : words[0];
    bool second = strcmp(text, words[1]) == 0;
    if (!second && *text && strcmp(text, words[0]) != 0)
        gdyn_table_refuse(&r->table, column, NULL, "expected '%s' or '%s'", words[0], words[1]);
    return second;
}

/* A number of a column that may be absent, and in it the field. */
static double optional(reader *r, int column, double absent) {
    return r->at[column] >= 0 ? gdyn_table_limit(&r->table, r->at[column], absent) : absent;
}

static void read_numbers(reader *r, gdyn_coefficient_row *now) {
    gdyn_table *t = &r->table;
    /* Coefficients are finite numbers, limits may be open. */
    for (int k = 0; k < GDYN_COLUMN_MIN; k++)
        now->number[k] = gdyn_table_number(t, r->at[k]);
    now->number[GDYN_COLUMN_MIN] = gdyn_table_limit(t, r->at[GDYN_COLUMN_MIN], -INFINITY);
    now->number[GDYN_COLUMN_MAX] = gdyn_table_limit(t, r->at[GDYN_COLUMN_MAX], INFINITY);
    now->number[GDYN_COLUMN_RATE] = optional(r, GDYN_COLUMN_RATE, INFINITY);
    now->number[GDYN_COLUMN_D1_MAX] = optional(r, GDYN_COLUMN_D1_MAX, INFINITY);
    for (int k = GDYN_COLUMN_MIN_SLOPE; k < GDYN_COLUMNS; k++)
        if (k != GDYN_COLUMN_D1_MAX)
            now->number[k] = optional(r, k, 0);
    now->equality = second_word(r, r->kind, kinds);
    now->torque = second_word(r, r->unit, force_units);
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
    for (int k = GDYN_COLUMN_MIN_SLOPE; k < GDYN_COLUMNS; k++)
        if (k != GDYN_COLUMN_D1_MAX && !isfinite(now->number[k]))
            gdyn_table_refuse(t, r->at[k], NULL, "expected a finite number");
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

static char *copy_of(reader *r, const char *text) {
    char *copy = gdyn_alloc(strlen(text) + 1, 1);
    if (copy)
        memcpy(copy, text, strlen(text));
    else
        gdyn_table_lack_memory(&r->table);
    return copy;
}

/* A name that can be part of a file's name. */
static bool is_name(const char *text) {
    size_t i = 0;
    while (isalnum((unsigned char)text[i]) || text[i] == '_')
        i++;
    return i > 0 && !text[i];
}

/* Whether the row belongs to the trajectory that is wanted; counts trajectories. */
static bool wanted(reader *r) {
    gdyn_coefficient_rows *rows = r->rows;
    const char *text = r->trajectory >= 0 ? r->table.cell[r->trajectory].text : "";
    if (!r->last || strcmp(r->last, text) != 0) {
        gdyn_free(r->last);
        r->last = copy_of(r, text);
        if (r->trajectory >= 0 && !is_name(text))
            gdyn_table_refuse(&r->table, r->trajectory, NULL,
                              "a trajectory's name consists of letters, digits and _");
        if (rows->trajectory && strcmp(rows->trajectory, text) == 0)
            gdyn_table_refuse(&r->table, r->trajectory, NULL,
                              "the rows of '%s' do not stand together", text);
        if (rows->trajectories == r->number && r->trajectory >= 0)
            rows->trajectory = copy_of(r, text);
        rows->trajectories++;
    }
    return r->table.status == GDYN_OK && rows->trajectories == r->number + 1;
}

static void add_row(reader *r) {
    gdyn_coefficient_row now = {.line = r->table.line};
    const char *drive = r->table.cell[r->drive].text;
    if (!wanted(r))
        return;
    read_numbers(r, &now);
    check_row(r, &now);
    if (r->table.status != GDYN_OK || !make_room(r))
        return;
    /* The cell is overwritten by the next line: keep a copy of the name. */
    now.drive = copy_of(r, drive);
    if (now.drive)
        r->rows->row[r->rows->count++] = now;
}

gdyn_status gdyn_coefficient_rows_read(gdyn_coefficient_rows *rows, const char *filename,
                                       int number, const gdyn_sink *sink) {
    reader r = {.rows = rows, .number = number};
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
    gdyn_free(r.last);
    gdyn_arena_destroy(arena);
    return status;
}

void gdyn_coefficient_rows_free(gdyn_coefficient_rows *rows) {
    for (int i = 0; i < rows->count; i++)
        gdyn_free(rows->row[i].drive);
    gdyn_free(rows->row);
    gdyn_free(rows->trajectory);
}
