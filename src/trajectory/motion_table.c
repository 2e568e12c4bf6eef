/* motion_table.c - reads t,p or p,d1,d2 in any units. */
#include "trajectory/motion_table.h"

#include "base/memory.h"
#include "base/text.h"
#include "path/path.h"
#include "path/regular.h"
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    COLUMN_T,
    COLUMN_P,
    COLUMN_D1,
    COLUMN_D2,
    COLUMN_BEFORE,
    COLUMN_S,
    COLUMN_S1,
    COLUMN_S2,
    COLUMN_S2_BEFORE,
    COLUMNS
};
static const char *const column_name[COLUMNS] = {"t", "p",  "d1", "d2",       "d2_before",
                                                 "s", "s1", "s2", "s2_before"};

/* Of the range of p: what rounded numbers may miss; how far polynomials may pass its ends (cut). */
static const double NEAR = 1e-5, SWING = 0.01;
/* Distance of samples beside a jump. */
static const double BESIDE = 1e-7;

typedef struct reader {
    gdyn_motion_table *m;
    gdyn_table table;
    int at[COLUMNS]; /* columns; -1: not there */
    int name;        /* column of the trajectory's name, -1 */
    const gdyn_motion_range *range;
    gdyn_regular *regular; /* NULL: the motion is read in p */
    double reached;        /* p of the row before */
    bool given;            /* d1 and d2 stand there */
    bool ordered;          /* p must not fall */
    int *line, lines;      /* of the samples */
} reader;

/* --- heads ------------------------------------------------------------------------------------ */

/* t is a time, p what the path says, d1 and d2 its changes in time. */
static gdyn_dimension dimension_of(const reader *r, int column) {
    /* [d1] = [p]/s, [d2] = [p]/s^2. */
    static const signed char per_time[COLUMNS] = {
        [COLUMN_D1] = 1, [COLUMN_D2] = 2, [COLUMN_BEFORE] = 2,
        [COLUMN_S1] = 1, [COLUMN_S2] = 2, [COLUMN_S2_BEFORE] = 2};
    gdyn_dimension wanted = column == COLUMN_T   ? GDYN_DIM_TIME
                            : column >= COLUMN_S ? GDYN_DIM_LENGTH
                                                 : r->range->p;
    wanted.s = (signed char)(wanted.s - per_time[column]);
    return wanted;
}

/* Columns and their units. */
static void read_heads(reader *r) {
    gdyn_table *t = &r->table;
    char what[160];
    /* The column of names is there when a file holds several motions. */
    r->name = gdyn_table_find(t, "trajectory");
    for (int c = 0; c < COLUMNS; c++)
        r->at[c] = gdyn_table_find(t, column_name[c]);
    /* The travel where p is no coordinate, and it is known. */
    bool there =
        r->range->along && r->at[COLUMN_S] >= 0 && r->at[COLUMN_S1] >= 0 && r->at[COLUMN_S2] >= 0;
    if (there && gdyn_regular_create(r->range->along, &r->regular) != GDYN_OK)
        gdyn_table_lack_memory(t);
    r->m->travels = r->regular && r->regular->needed;
    for (int c = 0; c < COLUMNS; c++)
        if (r->m->travels ? c >= COLUMN_D1 && c <= COLUMN_BEFORE : c >= COLUMN_S)
            r->at[c] = -1;
        else if (r->at[c] >= 0) {
            snprintf(what, sizeof what, "%s of '%.100s'", column_name[c], r->range->path);
            gdyn_table_unit(t, r->at[c], dimension_of(r, c), what);
        }
    /* p with t, or with d1 and d2. */
    bool p = r->at[COLUMN_P] >= 0, d1 = r->at[COLUMN_D1] >= 0, d2 = r->at[COLUMN_D2] >= 0;
    const char *missing = !p ? "p" : d1 == d2 ? "t" : d1 ? "d2" : "d1";
    if (!r->m->travels && !(p && ((d1 && d2) || r->at[COLUMN_T] >= 0)))
        gdyn_table_refuse(t, -1, "the columns must be t,p or p,d1,d2", "column '%s' is missing",
                          missing);
    /* Between samples: polynomials in p where d1 and d2 are given, else in t. */
    r->given = r->m->travels || (r->at[COLUMN_D1] >= 0 && r->at[COLUMN_D2] >= 0);
    r->ordered |= !r->given;
    r->m->timed = r->at[COLUMN_T] >= 0;
    r->m->between = r->given ? GDYN_BETWEEN_P : GDYN_BETWEEN_T;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Numbers in files are rounded: p is within first..last and does not fall, t grows, d1 >= 0. */
static void check_sample(reader *r, const gdyn_sample *s) {
    gdyn_table *t = &r->table;
    double span = r->range->last - r->range->first, near = NEAR * span;
    const gdyn_sample *before = r->m->count > 0 ? s - 1 : NULL;
    const char *unit = gdyn_path_unit_of_dimension(r->range->p), *space = *unit ? " " : "";
    if (s->p < r->range->first - near || s->p > r->range->last + near)
        gdyn_table_refuse(t, r->at[COLUMN_P], NULL,
                          "p = %.9g lies outside '%s' (p from %.9g to %.9g%s%s)", s->p,
                          r->range->path, r->range->first, r->range->last, space, unit);
    /* Times must grow where the motion runs in time. */
    if (before && r->ordered && !(isnan(s->t) || s->t > before->t))
        gdyn_table_refuse(t, r->at[COLUMN_T], NULL,
                          "t = %.9g s does not increase: the row before has %.9g s", s->t,
                          before->t);
    /* The path is traversed forward. */
    if (before && r->ordered && s->p < r->reached - near)
        gdyn_table_refuse(t, r->at[COLUMN_P], NULL,
                          "the motion runs backwards: p = %.9g, the row before has %.9g%s%s", s->p,
                          r->reached, space, unit);
    if (r->given && s->d1 < -1e-9 * span)
        gdyn_table_refuse(t, r->at[COLUMN_D1], NULL, "the motion runs backwards: d1 = %s at p = %s",
                          gdyn_amount_per_time(s->d1, unit, 1).text, gdyn_amount(s->p, unit).text);
}

/* The travel must be that of p along this very path. */
static void take_travel(reader *r, gdyn_sample *s, const double *value) {
    const gdyn_regular *regular = r->regular;
    double first = gdyn_regular_s(regular, r->range->first);
    double last = gdyn_regular_s(regular, r->range->last), at = gdyn_regular_s(regular, s->p);
    if (fabs(at - value[COLUMN_S]) > 1e-5 * (last - first))
        gdyn_table_refuse(&r->table, r->at[COLUMN_S],
                          "without the columns s, s1, s2 the motion is read from p",
                          "s = %.9g m does not belong to p = %.9g of '%s', where it is %.9g m: the "
                          "motion runs along another path",
                          value[COLUMN_S], s->p, r->range->path, at);
    s->p = fmin(fmax(value[COLUMN_S], first), last);
    s->d1 = value[COLUMN_S1], s->d2 = value[COLUMN_S2];
}

/* Adds the sample of the present row, if it belongs to this trajectory. */
static void add_sample(reader *r) {
    gdyn_table *t = &r->table;
    gdyn_motion_table *m = r->m;
    double value[COLUMNS];
    /* Rows of other trajectories are passed over. */
    if (r->name >= 0 && strcmp(t->cell[r->name].text, r->range->path) != 0)
        return; /* the motion of another trajectory */
    for (int c = 0; c < COLUMNS; c++)
        value[c] = r->at[c] >= 0 ? gdyn_table_number(t, r->at[c]) : NAN;
    if (t->status != GDYN_OK)
        return;
    int samples = m->capacity;
    bool room = gdyn_reserve(&m->sample, &samples, m->count + 1, sizeof *m->sample) &&
                gdyn_reserve(&r->line, &r->lines, m->count + 1, sizeof *r->line) &&
                gdyn_reserve(&m->before, &m->capacity, m->count + 1, sizeof *m->before);
    if (!room) {
        gdyn_table_lack_memory(t);
        return;
    }
    r->line[m->count] = t->line;
    /* Clipped to the path after the check. */
    gdyn_sample *s = &m->sample[m->count];
    *s = (gdyn_sample){value[COLUMN_T], value[COLUMN_P], value[COLUMN_D1], value[COLUMN_D2]};
    check_sample(r, s);
    r->reached = s->p = fmin(fmax(s->p, r->range->first), r->range->last);
    if (m->travels)
        take_travel(r, s, value);
    double before = value[m->travels ? COLUMN_S2_BEFORE : COLUMN_BEFORE];
    m->before[m->count++] = isnan(before) ? s->d2 : before;
}

/* Derivatives of t,p; d1 never below zero. */
static void differentiate(reader *r) {
    gdyn_motion_table *m = r->m;
    /* Positions in time: derivatives by the spline through them. */
    if (!r->given && !gdyn_motion_differentiate(m->count, m->sample)) {
        gdyn_table_refuse(&r->table, -1, "one is enough for p,d1,d2",
                          "%d row%s: columns t,p need at least three", m->count,
                          gdyn_plural(m->count));
        return;
    }
    m->derived = !r->given;
    /* splines have the same d2 on both sides of a sample */
    for (int i = 0; i < m->count; i++) {
        gdyn_sample *s = &m->sample[i];
        s->d1 = fmax(s->d1, 0);
        m->before[i] = r->given ? m->before[i] : s->d2;
    }
}

/* Between rows that are far from any smooth motion the polynomial in t leaves the path. */
static void check_between(reader *r) {
    enum { EACH = 32 };
    gdyn_motion_table *m = r->m;
    double first = r->range->first, last = r->range->last, worst = SWING * (last - first), p = 0;
    int row = -1;
    for (int i = 0; i + 1 < m->count && m->between == GDYN_BETWEEN_T; i++)
        for (int k = 1; k < EACH; k++) {
            gdyn_sample s = gdyn_motion_between(&m->sample[i], &m->sample[i + 1], m->before[i + 1],
                                                m->between, (double)k / EACH);
            double beyond = fmax(first - s.p, s.p - last);
            if (beyond > worst)
                worst = beyond, p = s.p, row = i;
        }
    if (row < 0)
        return;
    const char *unit = gdyn_path_unit_of_dimension(r->range->p), *space = *unit ? " " : "";
    r->table.line = r->line[row];
    gdyn_table_refuse(&r->table, -1,
                      "give more rows, at steps that change little, or columns p,d1,d2",
                      "after this row the polynomial through the rows reaches p = %.6g, %.3g%s%s "
                      "beyond '%s' (p from "
                      "%.9g to %.9g%s%s)",
                      p, worst, space, unit, r->range->path, first, last, space, unit);
}

static gdyn_status read_file(reader *r, const char *filename, const gdyn_sink *sink) {
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_status status =
        arena ? gdyn_table_open_file(&r->table, arena, filename, sink) : GDYN_ERROR_MEMORY;
    *r->m = (gdyn_motion_table){.file = filename};
    if (status == GDYN_OK) {
        gdyn_table *t = &r->table;
        read_heads(r);
        while (gdyn_table_next(t))
            add_sample(r);
        /* Then what follows from all rows; a file may have rows of other trajectories only. */
        if (r->m->count > 0) {
            differentiate(r);
            if (t->status == GDYN_OK)
                check_between(r);
        } else if (r->name >= 0)
            gdyn_table_refuse(t, -1, NULL, "there are no rows of trajectory '%s'", r->range->path);
        else
            gdyn_table_refuse(t, -1, NULL, "there are no rows below the header");
        status = t->status;
    }
    gdyn_regular_destroy(r->regular);
    gdyn_free(r->line);
    gdyn_arena_destroy(arena);
    return status;
}

gdyn_status gdyn_motion_table_read(gdyn_motion_table *m, const char *filename,
                                   const gdyn_motion_range *range, const gdyn_sink *sink) {
    reader r = {.m = m, .range = range, .ordered = true};
    return read_file(&r, filename, sink);
}

gdyn_status gdyn_motion_table_places(gdyn_motion_table *m, const char *filename,
                                     const gdyn_motion_range *range, const gdyn_sink *sink) {
    reader r = {.m = m, .range = range};
    return read_file(&r, filename, sink);
}

gdyn_status gdyn_motion_table_holds(const char *filename, const char *trajectory,
                                    const gdyn_sink *sink, int *holds) {
    gdyn_table t;
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_status status =
        arena ? gdyn_table_open_file(&t, arena, filename, sink) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        int name = gdyn_table_find(&t, "trajectory");
        *holds = name < 0 ? -1 : 0;
        while (*holds == 0 && gdyn_table_next(&t))
            *holds = strcmp(t.cell[name].text, trajectory) == 0;
        status = t.status;
    }
    gdyn_arena_destroy(arena);
    return status;
}

gdyn_status gdyn_motion_table_of_time(gdyn_motion_table *m, const gdyn_path *path,
                                      const gdyn_path_dynamics *dynamics) {
    const gdyn_path_def *def = gdyn_path_definition(path);
    int point = 0, capacity = 0, count = gdyn_path_points(path), passed = 0;
    *m = (gdyn_motion_table){.timed = true, .between = GDYN_BETWEEN_P};
    for (double p = def->p_start;;) {
        if (!gdyn_reserve(&m->sample, &capacity, m->count + 1, sizeof *m->sample) ||
            !gdyn_reserve(&m->before, &m->capacity, m->count + 1, sizeof *m->before))
            return GDYN_ERROR_MEMORY;
        m->before[m->count] = 0;
        m->sample[m->count++] = (gdyn_sample){p - def->p_start, p, 1, 0};
        if (!(p < def->p_end))
            return GDYN_OK;
        while (point + 1 < count && gdyn_path_p(path, point) <= p)
            point++;
        double from = p, near = BESIDE * (def->p_end - def->p_start);
        p = gdyn_path_next_break(path, p, gdyn_path_p(path, point));
        /* both sides of what jumps: dry friction at reversals, curvature */
        int breaks = gdyn_path_dynamics_breaks(dynamics);
        while (passed < breaks && gdyn_path_dynamics_break(dynamics, passed) + near <= from)
            passed++;
        for (int i = passed; i < breaks; i++) {
            double at = gdyn_path_dynamics_break(dynamics, i);
            if (at - near >= p)
                break;
            p = at - near > from ? at - near : at + near > from ? fmin(p, at + near) : p;
        }
    }
}

void gdyn_motion_table_close(gdyn_motion_table *m) {
    gdyn_free(m->sample), gdyn_free(m->before);
    *m = (gdyn_motion_table){0};
}
