/* traverse_csv.c - motions as tables: the fastest with its audit, a given one with its violations. */
#include "report/traverse.h"

#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_word(gdyn_text *out, const char *word) {
    gdyn_text_append(out, word, strlen(word));
}

/* ",m1 max + m3 min" */
static void add_limits(gdyn_text *out, const gdyn_trajectory *t, const gdyn_motion_point *point) {
    gdyn_text list = {0};
    for (int i = 0; i < point->limit_count; i++) {
        if (i > 0)
            add_word(&list, " + ");
        add_word(&list, gdyn_limit_name(t->row, t->rows, point->limit[i]));
        gdyn_text_put(&list, ' ');
        add_word(&list, gdyn_limit_side(point->limit[i]));
    }
    gdyn_csv_take(out, &list);
}

/* ",m1.force [N],m2.force [N m],..."; kind NULL: what the rows limit; per: "/s" of rates. */
static void add_names(gdyn_text *out, const gdyn_trajectory *t, const char *kind, const char *per) {
    for (int row = 0; row < t->rows; row++) {
        char unit[80] = "";
        if (*t->row[row].unit)
            snprintf(unit, sizeof unit, "%s%s", t->row[row].unit, per);
        gdyn_csv_head(out, t->row[row].name, kind ? kind : gdyn_limited_word(&t->row[row]), unit);
    }
}

/* The drives' columns of the motions' tables, then those of the travel. */
static void add_heads(gdyn_text *out, const gdyn_trajectory *t) {
    add_names(out, t, NULL, "");
    add_names(out, t, "least", "");
    add_names(out, t, "greatest", "");
    if (t->rate)
        add_names(out, t, "rate", "/s");
    gdyn_text_printf(out, ",s [m],s1 [m/s],s2 [m/s^2],s2_before [m/s^2]");
    gdyn_csv_end(out);
}

/* Forces and the travel at point i; rates where the table has their columns. Without internal forces the least and the greatest ones are
 * the same numbers: their text is copied. */
static void add_forces(gdyn_text *out, const gdyn_trajectory *t, int i, bool rated) {
    const double *tables[] = {t->shared.n, t->shared.low, t->shared.high}, *first = NULL;
    size_t from = out->length, bytes = (size_t)t->rows * sizeof **tables, length = 0;
    for (int table = 0; table < 3; table++) {
        const double *now = tables[table] ? tables[table] + (size_t)i * (size_t)t->rows : NULL;
        if (first && now && memcmp(first, now, bytes) == 0 && gdyn_text_reserve(out, length)) {
            gdyn_text_append(out, out->data + from, length);
            continue;
        }
        for (int row = 0; row < t->rows; row++)
            gdyn_csv_number(out, now ? now[row] : NAN);
        first = table == 0 ? now : first;
        length = table == 0 ? out->length - from : length;
    }
    for (int row = 0; rated && row < t->rows; row++)
        gdyn_csv_number(out, gdyn_trajectory_rate(t, row, i));
    /* the motion in the travel, empty where p is its coordinate */
    const gdyn_motion_point *point = &t->traverse->point[i];
    const double values[] = {point->s, point->s1, point->s2, point->s2_before};
    for (int k = 0; k < 4; k++)
        gdyn_csv_number(out, t->traverse->travels ? values[k] : NAN);
    gdyn_csv_end(out);
}

void gdyn_report_traverse_csv(gdyn_text *out, int count, const gdyn_trajectory *t) {
    const char *p = gdyn_csv_unit_of_p(count, t);
    gdyn_text_printf(out, "trajectory,t [s]");
    gdyn_csv_path_heads(out, p, "p d1 d2 d2_before controllable_min controllable_max d1_max");
    gdyn_text_printf(out, ",switch,limit");
    add_heads(out, t);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t[k].traverse->points; i++) {
            const gdyn_motion_point *point = &t[k].traverse->point[i];
            const double values[] = {point->t,         point->p,     point->d1,     point->d2,
                                     point->d2_before, point->k_low, point->k_high, point->d1_max};
            gdyn_csv_word(out, t[k].name);
            gdyn_csv_numbers(out, 8, values);
            gdyn_csv_number(out, point->switching);
            add_limits(out, &t[k], point);
            add_forces(out, &t[k], i, t[0].rate);
        }
}

void gdyn_report_feasible_csv(gdyn_text *out, const gdyn_trajectory *t) {
    gdyn_text_printf(out, "trajectory,t [s]");
    gdyn_csv_path_heads(out, t->unit, "p d1 d2 d2_before d1_max");
    gdyn_text_printf(out, ",violation,violated");
    add_heads(out, t);
    for (int i = 0; i < t->traverse->points; i++) {
        const gdyn_motion_point *point = &t->traverse->point[i];
        const double values[] = {point->t,         point->p,      point->d1,      point->d2,
                                 point->d2_before, point->d1_max, t->violation[i]};
        gdyn_csv_word(out, t->name);
        gdyn_csv_numbers(out, 7, values);
        add_limits(out, t, point);
        add_forces(out, t, i, false);
    }
}

void gdyn_report_audit_csv(gdyn_text *out, int count, const gdyn_trajectory *t) {
    gdyn_text_printf(out, "trajectory");
    gdyn_csv_path_heads(out, gdyn_csv_unit_of_p(count, t), "p d1 d2");
    gdyn_text_printf(out, ",violation\n");
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t[k].traverse->audits; i++) {
            const gdyn_audit_point *point = &t[k].traverse->audit[i];
            const double values[] = {point->p, point->d1, point->d2, point->violation};
            gdyn_csv_word(out, t[k].name);
            gdyn_csv_numbers(out, 4, values);
            gdyn_csv_end(out);
        }
}
