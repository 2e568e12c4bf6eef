/* coefficients.c - anybody's dynamics: a table with one row per path point and drive,
 *
 *   p,drive,A,B,C,D,min,max,V1,...,Vr        n = A d1^2 + B d1 + C + D d2 + V y,  min <= n <= max
 *
 * in any order of the columns; rows of one point stand together. Empty limits, inf and -inf mean
 * that there is none. Rows of the kind `equality` follow the limits of their point. */
#include "trajectory/internal.h"

#include "path/path.h"
#include "table/table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINT_ROWS_MAX = 256, FREE_MAX = 16 };
enum {
    COLUMN_P,
    COLUMN_A,
    COLUMN_B,
    COLUMN_C,
    COLUMN_D,
    COLUMN_MIN,
    COLUMN_MAX,
    COLUMN_RATE, /* INFINITY: not limited */
    /* what else a written table has */
    COLUMN_MIN_SLOPE,
    COLUMN_MAX_SLOPE,
    COLUMN_D1_MIN,
    COLUMN_D1_MAX,
    COLUMN_A_ERROR,
    COLUMN_B_ERROR,
    COLUMN_D_ERROR,
    COLUMNS,
    COLUMNS_NEEDED = COLUMN_RATE
};

enum { TEXTS = 4, NAMES = COLUMNS + TEXTS + FREE_MAX };
static const char help[] = "columns are p,drive,A,B,C,D,min,max,V1,...,Vr and optionally rate";
/* Words of the columns kind and unit. */
static const char *const kinds[] = {"limit", "equality"}, *const force_units[] = {"N", "N m"};

/* What a column of forces is: a force times these powers of p and of the time. */
static const struct {
    const char *name;
    int p, s;
} columns[COLUMNS] = {
    [COLUMN_P] = {"p", 0, 0},
    [COLUMN_A] = {"A", -2, 2},
    [COLUMN_B] = {"B", -1, 1},
    [COLUMN_C] = {"C", 0, 0},
    [COLUMN_D] = {"D", -1, 2},
    [COLUMN_MIN] = {"min", 0, 0},
    [COLUMN_MAX] = {"max", 0, 0},
    [COLUMN_RATE] = {"rate", 0, -1},
    [COLUMN_MIN_SLOPE] = {"min_slope", -1, 1},
    [COLUMN_MAX_SLOPE] = {"max_slope", -1, 1},
    [COLUMN_D1_MIN] = {"d1_min", 0, 0},
    [COLUMN_D1_MAX] = {"d1_max", 0, 0},
    [COLUMN_A_ERROR] = {"A_error", -2, 2},
    [COLUMN_B_ERROR] = {"B_error", -1, 1},
    [COLUMN_D_ERROR] = {"D_error", -1, 2},
};

/* A row of the file, in SI. */
typedef struct row {
    double p, number[COLUMNS], v[FREE_MAX];
    const char *drive;
    int line;
    int behind;            /* of an equality: number of limit rows before it */
    bool equality, torque; /* no limits: A d1^2 + B d1 + C + D d2 = 0; the unit is N m */
} row;

typedef struct rows {
    row *row;
    int count, capacity;
} rows;

typedef struct reader {
    gdyn_coefficient_points *points;
    gdyn_table table;
    gdyn_arena *arena; /* of the points */
    int at[COLUMNS];   /* columns; -1 when there is none */
    int drive, trajectory, kind, unit;
    int free[FREE_MAX], r; /* columns V1..Vr */
    int number;            /* of the trajectory that is wanted */
    const char *last;      /* name of the trajectory of the row before */
    rows limits, equalities;
    double reached; /* p of the row before */
} reader;

/* --- heads ------------------------------------------------------------------------------------ */

/* force p^a s^b: unit of a column of that sort, for forces of that dimension; sign -1: inverse. */
static gdyn_dimension scaled(const reader *r, gdyn_dimension force, int column, int sign) {
    /* A column with power p divides the force by [p]: A is force / ([p]/s)^2. */
    const gdyn_dimension p = r->points->p_dimension;
    const int power = sign * columns[column].p;
    force.m = (signed char)(force.m + power * p.m);
    force.kg = (signed char)(force.kg + power * p.kg);
    force.s = (signed char)(force.s + power * p.s + sign * columns[column].s);
    return force;
}

/* p first: the units of the others depend on it; then plain forces. */
static void take_units(reader *r) {
    static const int order[] = {COLUMN_MIN,       COLUMN_MAX,     COLUMN_C,       COLUMN_RATE,
                                COLUMN_A,         COLUMN_B,       COLUMN_D,       COLUMN_MIN_SLOPE,
                                COLUMN_MAX_SLOPE, COLUMN_A_ERROR, COLUMN_B_ERROR, COLUMN_D_ERROR};
    gdyn_table *t = &r->table;
    /* p without a unit is a pure number. */
    gdyn_dimension p = gdyn_table_dimension(t, r->at[COLUMN_P]);
    r->points->p_dimension = p.known ? p : GDYN_DIM_NONE;
    r->points->force_dimension = GDYN_DIM_UNKNOWN;
    /* Lengths, times and angles can be path parameters, masses cannot. */
    if (!gdyn_path_dimension_allowed(r->points->p_dimension))
        gdyn_table_refuse(t, r->at[COLUMN_P], "p is a length, an angle, a time or a pure number",
                          "the unit of column 'p' does not fit");
    gdyn_table_unit(t, r->at[COLUMN_P], GDYN_DIM_UNKNOWN, "p");
    /* Forces alone decide first, products with p follow. */
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (r->at[order[i]] >= 0) {
            /* The first unit of a force, brought back to one, decides: N or N m. */
            int at = r->at[order[i]];
            gdyn_dimension *known = &r->points->force_dimension;
            gdyn_dimension given = gdyn_table_dimension(t, at);
            gdyn_dimension force = scaled(r, given, order[i], -1);
            if (!known->known && given.known &&
                (gdyn_dimension_fits(force, GDYN_DIM_FORCE) ||
                 gdyn_dimension_fits(force, GDYN_DIM_TORQUE)))
                *known = force;
            force = scaled(r, known->known ? *known : GDYN_DIM_FORCE, order[i], 1);
            gdyn_table_unit(t, at, force, "this coefficient");
        }
    for (int k = 0; k < r->r; k++)
        gdyn_table_unit(t, r->free[k], GDYN_DIM_UNKNOWN, "V");
    /* p per second */
    gdyn_dimension speed = r->points->p_dimension;
    speed.s--;
    for (int k = COLUMN_D1_MIN; k <= COLUMN_D1_MAX; k++)
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
    for (int k = 0; k < COLUMNS; k++)
        names[TEXTS + k] = columns[k].name;
    for (int k = 0; k < FREE_MAX; k++) {
        snprintf(text[k], sizeof text[k], "V%d", k + 1);
        names[TEXTS + COLUMNS + k] = text[k];
        if (find(r, text[k], false) >= 0)
            r->r = k + 1;
    }
    gdyn_table_only(&r->table, names, NAMES, help);
    /* drive, p and the six coefficients are required, the others are not. */
    r->drive = find(r, "drive", true);
    r->trajectory = find(r, "trajectory", false);
    r->kind = find(r, "kind", false);
    r->unit = find(r, "unit", false);
    for (int k = 0; k < COLUMNS; k++)
        r->at[k] = find(r, columns[k].name, k < COLUMNS_NEEDED);
    for (int k = 0; k < r->r; k++)
        r->free[k] = find(r, text[k], true);
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

static void check_row(reader *r, const row *now) {
    gdyn_table *t = &r->table;
    double min = now->number[COLUMN_MIN], max = now->number[COLUMN_MAX];
    /* Limits that leave no force. */
    if (min > max)
        gdyn_table_refuse(t, r->at[COLUMN_MIN], NULL, "min is greater than max");
    if (min == INFINITY)
        gdyn_table_refuse(t, r->at[COLUMN_MIN], NULL, "min cannot be +inf");
    if (max == -INFINITY)
        gdyn_table_refuse(t, r->at[COLUMN_MAX], NULL, "max cannot be -inf");
    for (int k = COLUMN_MIN_SLOPE; k < COLUMNS; k++)
        if (k != COLUMN_D1_MAX && !isfinite(now->number[k]))
            gdyn_table_refuse(t, r->at[k], NULL, "expected a finite number");
    if (r->at[COLUMN_RATE] >= 0 && !(now->number[COLUMN_RATE] > 0))
        gdyn_table_refuse(t, r->at[COLUMN_RATE], NULL, "a rate must be positive");
    /* Rows of one point stand together. */
    if (now->p < r->reached)
        gdyn_table_refuse(t, r->at[COLUMN_P], "sort the rows by p",
                          "p = %s is less than in the row before", t->cell[r->at[COLUMN_P]].text);
    if (!*t->cell[r->drive].text)
        gdyn_table_refuse(t, r->drive, NULL, "the drive has no name");
}

/* Whether the row belongs to the trajectory that is wanted; counts trajectories. */
static bool is_wanted(reader *r) {
    gdyn_coefficient_points *points = r->points;
    const char *text = r->trajectory >= 0 ? r->table.cell[r->trajectory].text : "";
    if (!r->last || strcmp(r->last, text) != 0) {
        /* the name can be part of a file's name */
        bool good = *text;
        for (const char *c = text; *c; c++)
            good &= isalnum((unsigned char)*c) || *c == '_';
        if (!(r->last = gdyn_arena_strdup(r->table.arena, text)))
            return gdyn_table_lack_memory(&r->table);
        if (r->trajectory >= 0 && !good)
            gdyn_table_refuse(&r->table, r->trajectory, NULL,
                              "a trajectory's name consists of letters, digits and _");
        if (points->trajectory && strcmp(points->trajectory, text) == 0)
            gdyn_table_refuse(&r->table, r->trajectory, NULL, "the rows of '%s' are not contiguous",
                              text);
        if (points->trajectories == r->number && r->trajectory >= 0 &&
            !(points->trajectory = gdyn_arena_strdup(r->arena, text)))
            return gdyn_table_lack_memory(&r->table);
        points->trajectories++;
    }
    return r->table.status == GDYN_OK && points->trajectories == r->number + 1;
}

static void add_row(reader *r) {
    row now = {.line = r->table.line, .behind = r->limits.count};
    if (!is_wanted(r))
        return;
    gdyn_table *t = &r->table;
    /* Coefficients are finite numbers, limits may be open. */
    for (int k = 0; k < COLUMN_MIN; k++)
        now.number[k] = gdyn_table_number(t, r->at[k]);
    now.number[COLUMN_MIN] = gdyn_table_limit(t, r->at[COLUMN_MIN], -INFINITY);
    now.number[COLUMN_MAX] = gdyn_table_limit(t, r->at[COLUMN_MAX], INFINITY);
    now.number[COLUMN_RATE] = optional(r, COLUMN_RATE, INFINITY);
    now.number[COLUMN_D1_MAX] = optional(r, COLUMN_D1_MAX, INFINITY);
    for (int k = COLUMN_MIN_SLOPE; k < COLUMNS; k++)
        if (k != COLUMN_D1_MAX)
            now.number[k] = optional(r, k, 0);
    now.equality = second_word(r, r->kind, kinds);
    now.torque = second_word(r, r->unit, force_units);
    for (int k = 0; k < r->r; k++)
        now.v[k] = gdyn_table_number(t, r->free[k]);
    now.p = now.number[COLUMN_P];
    check_row(r, &now);
    rows *list = now.equality ? &r->equalities : &r->limits;
    if (r->table.status != GDYN_OK)
        return;
    /* The cell is overwritten by the next line: the name of a limit row is kept. */
    now.drive = now.equality ? "" : gdyn_arena_strdup(r->table.arena, r->table.cell[r->drive].text);
    if (now.drive && gdyn_reserve(&list->row, &list->capacity, list->count + 1, sizeof now))
        list->row[list->count++] = now;
    else
        gdyn_table_lack_memory(&r->table);
    r->reached = now.p;
}

/* --- points ----------------------------------------------------------------------------------- */

/* Row behind the last one with the same p as `first`. */
static int end_of_p(const rows *t, int first) {
    int end = first + 1;
    while (end < t->count && t->row[end].p == t->row[first].p)
        end++;
    return end;
}

/* Rows of a point: the fewest that stand together with the same p, where two points may lie (limits
 * that jump), as long as the first ones can be read like that. */
static int rows_of_point(const rows *t) {
    /* The fewest rows of one p: two points with the same p double them. */
    int least = t->count, begin = end_of_p(t, 0);
    for (int first = 0; first < t->count; first = end_of_p(t, first)) {
        int together = end_of_p(t, first) - first;
        least = together < least ? together : least;
    }
    /* The first rows repeat the same drives, or they are one point. */
    for (int i = least; i < begin; i++)
        if (begin % least != 0 || strcmp(t->row[i].drive, t->row[i - least].drive) != 0)
            return begin;
    return least;
}

/* Every point has the same drives in the same order; number of points, 0 after a message. */
static int count_points(reader *r, int k) {
    const rows *t = &r->limits;
    int points = 0;
    /* Compare every block of k rows with the first one. */
    for (int first = 0; first < t->count; first += k, points++)
        for (int i = 0; i < k; i++) {
            const row *now = &t->row[first + i];
            bool same = first + i < t->count && now->p == t->row[first].p &&
                        !strcmp(now->drive, t->row[i].drive);
            if (!same || k > POINT_ROWS_MAX) {
                r->table.line = t->row[first].line;
                return gdyn_table_refuse(&r->table, -1, NULL,
                                         "p = %g does not have the same %d drives in the same "
                                         "order as the first point",
                                         t->row[first].p, k);
            }
        }
    return points;
}

enum { NUMBERS = 11, EQUALITY_NUMBERS = 4 };

/* The equalities behind the rows first .. first + k - 1, into number (4 each). */
static void take_equalities(const rows *e, int first, int k, gdyn_coefficients *q, double *number) {
    int begin = 0, count = 0;
    while (begin < e->count && e->row[begin].behind <= first)
        begin++;
    while (begin + count < e->count && e->row[begin + count].behind <= first + k)
        count++;
    q->equalities = count;
    q->eq_a = number, q->eq_b = number + count;
    q->eq_c = number + 2 * count, q->eq_d = number + 3 * count;
    for (int i = 0; i < count; i++) {
        const double *own = e->row[begin + i].number;
        number[i] = own[COLUMN_A], number[count + i] = own[COLUMN_B];
        number[2 * count + i] = own[COLUMN_C], number[3 * count + i] = own[COLUMN_D];
        q->eq_a_error = fmax(q->eq_a_error, own[COLUMN_A_ERROR]);
        q->eq_b_error = fmax(q->eq_b_error, own[COLUMN_B_ERROR]);
        q->eq_d_error = fmax(q->eq_d_error, own[COLUMN_D_ERROR]);
    }
}

/* Coefficients of the point whose rows begin at `first`; number: k x (11 + r), column-major. */
static gdyn_coefficients point_of(const reader *r, int first, int k, double *number) {
    static const int order[NUMBERS] = {COLUMN_A,         COLUMN_B,         COLUMN_C,
                                       COLUMN_D,         COLUMN_MIN,       COLUMN_MAX,
                                       COLUMN_MIN_SLOPE, COLUMN_MAX_SLOPE, COLUMN_A_ERROR,
                                       COLUMN_B_ERROR,   COLUMN_D_ERROR};
    const row *own = &r->limits.row[first];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < NUMBERS + r->r; j++)
            number[j * k + i] = j < NUMBERS ? own[i].number[order[j]] : own[i].v[j - NUMBERS];
    gdyn_coefficients q = {.k = k,
                           .r = r->r,
                           .A = number,
                           .B = number + k,
                           .C = number + 2 * k,
                           .D = number + 3 * k,
                           .min = number + 4 * k,
                           .max = number + 5 * k,
                           .min_slope = number + 6 * k,
                           .max_slope = number + 7 * k,
                           .A_error = number + 8 * k,
                           .B_error = number + 9 * k,
                           .D_error = number + 10 * k,
                           .V = number + NUMBERS * k,
                           .d1_high = INFINITY,
                           .d1_low_window = -1,
                           .d1_high_window = -1};
    /* Bounds of d1: the narrowest of the point's rows. */
    for (int i = 0; i < k; i++) {
        q.d1_low = fmax(q.d1_low, own[i].number[COLUMN_D1_MIN]);
        if (own[i].number[COLUMN_D1_MAX] < q.d1_high) {
            q.d1_high = own[i].number[COLUMN_D1_MAX];
            q.d1_high_window = i;
        }
    }
    return q;
}

static gdyn_status make_points(reader *r) {
    gdyn_coefficient_points *c = r->points;
    const rows *t = &r->limits, *e = &r->equalities;
    /* Numbers of all points in one block: k x (11 + r) each. */
    size_t n = (size_t)c->points, k = (size_t)c->k, width = k * (size_t)(NUMBERS + r->r);
    double *number = gdyn_arena_doubles(r->arena, n * width + 1);
    double *equal = gdyn_arena_doubles(r->arena, EQUALITY_NUMBERS * (size_t)e->count + 1);
    c->unit = gdyn_arena_alloc(r->arena, k, sizeof *c->unit);
    c->p = gdyn_arena_doubles(r->arena, n);
    c->q = gdyn_arena_alloc(r->arena, n, sizeof *c->q);
    c->drive = gdyn_arena_alloc(r->arena, k, sizeof *c->drive);
    c->rate = r->at[COLUMN_RATE] >= 0 ? gdyn_arena_doubles(r->arena, k) : NULL;
    if (gdyn_arena_failed(r->arena))
        return GDYN_ERROR_MEMORY;
    /* Points in the order of the file. */
    for (int i = 0; i < c->points; i++) {
        c->p[i] = t->row[i * c->k].p;
        c->q[i] = point_of(r, i * c->k, c->k, number + (size_t)i * width);
        take_equalities(e, i * c->k, c->k, &c->q[i], equal);
        equal += EQUALITY_NUMBERS * c->q[i].equalities;
        c->equalities = c->q[i].equalities > c->equalities ? c->q[i].equalities : c->equalities;
    }
    /* Names of the drives, and the limits of their rates, the smallest of all points. */
    for (int i = 0; i < c->k; i++) {
        c->drive[i] = gdyn_arena_strdup(r->arena, t->row[i].drive);
        c->unit[i] = r->unit < 0 ? "" : t->row[i].torque ? "N m" : "N";
        if (c->rate)
            c->rate[i] = INFINITY;
        for (int j = i; c->rate && j < t->count; j += c->k)
            c->rate[i] = fmin(c->rate[i], t->row[j].number[COLUMN_RATE]);
    }
    return gdyn_arena_failed(r->arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_coefficient_points_read(gdyn_coefficient_points *points, gdyn_arena *arena,
                                         const char *filename, int number, const gdyn_sink *sink) {
    reader r = {.points = points, .arena = arena, .number = number, .reached = -INFINITY};
    gdyn_arena *own = gdyn_arena_create();
    *points = (gdyn_coefficient_points){0};
    gdyn_status status =
        own ? gdyn_table_open_file(&r.table, own, filename, sink) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        read_heads(&r);
        while (gdyn_table_next(&r.table))
            add_row(&r);
        if (r.limits.count + r.equalities.count == 0)
            gdyn_table_refuse(&r.table, -1, NULL, "there are no rows below the header");
        status = r.table.status;
    }
    if (status == GDYN_OK && r.limits.count == 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, filename, NULL,
                       GDYN_CODE_TABLE "a trajectory needs rows that are not equalities");
        status = GDYN_ERROR_INPUT;
    }
    if (status == GDYN_OK) {
        points->k = rows_of_point(&r.limits);
        points->points = count_points(&r, points->k);
        status = points->points > 0 ? make_points(&r) : r.table.status;
    }
    gdyn_free(r.limits.row), gdyn_free(r.equalities.row);
    gdyn_arena_destroy(own);
    return status;
}
