/* traverse_csv.c - fastest motions and their audits as tables. */
#include "report/traverse_columns.h"

#include "report/number.h"

#include <math.h>

/* "m1 max+m3 min" */
void gdyn_traverse_csv_limits(gdyn_text *out, const gdyn_driven *driven,
                              const gdyn_motion_point *point) {
    gdyn_text list = {0};
    for (int i = 0; i < point->limit_count; i++) {
        gdyn_text_printf(&list, "%s%s %s", i ? " + " : "",
                         gdyn_limit_name(driven->row, driven->rows, point->limit[i]),
                         gdyn_limit_side(point->limit[i]));
    }
    gdyn_text_append(out, ",", 1);
    if (list.data) {
        gdyn_report_csv_field(out, list.data);
    }
    out->failed |= list.failed;
    gdyn_text_free(&list);
}

void gdyn_traverse_csv_force_names(gdyn_text *out, const gdyn_driven *driven) {
    static const char *const kinds[] = {"force", "least", "greatest"};
    for (int kind = 0; kind < 3; kind++) {
        for (int row = 0; row < driven->rows; row++) {
            gdyn_text name = {0};
            gdyn_text_printf(&name, "%s.%s", driven->row[row].name, kinds[kind]);
            gdyn_text_append(out, ",", 1);
            gdyn_report_csv_field(out, name.data ? name.data : "");
            gdyn_text_free(&name);
        }
    }
}

void gdyn_traverse_csv_forces(gdyn_text *out, const gdyn_driven *d, int i) {
    const gdyn_shared *shared = d->shared;
    const double *tables[] = {shared->n, shared->low, shared->high};
    for (int table = 0; table < 3; table++) {
        for (int row = 0; row < d->rows; row++) {
            gdyn_csv_number(out, tables[table] ? tables[table][i * d->rows + row] : NAN);
        }
    }
}

double gdyn_driven_rate(const gdyn_driven *d, int row, int i) {
    const gdyn_traverse *t = d->traverse;
    if (!d->rate || !t->force || t->points < 2 || row >= t->rows) {
        return NAN;
    }
    int a = i + 1 < t->points ? i : t->points - 2;
    double dt = t->point[a + 1].t - t->point[a].t;
    double change = t->force[(a + 1) * t->rows + row] - t->force[a * t->rows + row];
    return dt > 0 ? change / dt : NAN;
}

int gdyn_driven_fastest(const gdyn_driven *d, int row) {
    int at = -1;
    for (int i = 0; i + 1 < d->traverse->points; i++) {
        double now = fabs(gdyn_driven_rate(d, row, i));
        if (isfinite(now) && (at < 0 || now > fabs(gdyn_driven_rate(d, row, at)))) {
            at = i;
        }
    }
    return at;
}

static void rate_names(gdyn_text *out, const gdyn_driven *d) {
    for (int row = 0; d->rate && row < d->rows; row++) {
        gdyn_text name = {0};
        gdyn_text_printf(&name, "%s.rate", d->row[row].name);
        gdyn_text_append(out, ",", 1);
        gdyn_report_csv_field(out, name.data ? name.data : "");
        gdyn_text_free(&name);
    }
}

static void header(gdyn_text *out, const gdyn_driven *driven) {
    gdyn_text_printf(out, "trajectory,t,p,d1,d2,d2_before,controllable_min,controllable_max,d1_max,"
                          "switch,limit");
    gdyn_traverse_csv_force_names(out, driven);
    rate_names(out, driven);
    gdyn_text_append(out, "\n", 1);
}

void gdyn_report_traverse_csv(gdyn_text *out, int count, const gdyn_driven *driven) {
    for (int k = 0; k < count; k++) {
        const gdyn_driven *d = &driven[k];
        if (k == 0) {
            header(out, d);
        }
        for (int i = 0; i < d->traverse->points; i++) {
            const gdyn_motion_point *point = &d->traverse->point[i];
            gdyn_report_csv_field(out, d->name);
            gdyn_csv_number(out, point->t);
            gdyn_csv_number(out, point->p);
            gdyn_csv_number(out, point->d1);
            gdyn_csv_number(out, point->d2);
            gdyn_csv_number(out, point->d2_before);
            gdyn_csv_number(out, point->k_low);
            gdyn_csv_number(out, point->k_high);
            gdyn_csv_number(out, point->d1_max);
            gdyn_text_printf(out, ",%d", point->switching);
            gdyn_traverse_csv_limits(out, d, point);
            gdyn_traverse_csv_forces(out, d, i);
            for (int row = 0; driven[0].rate && row < d->rows; row++) {
                gdyn_csv_number(out, gdyn_driven_rate(d, row, i));
            }
            gdyn_text_append(out, "\n", 1);
        }
    }
}

void gdyn_report_audit_csv(gdyn_text *out, int count, const gdyn_driven *driven) {
    gdyn_text_printf(out, "trajectory,p,d1,d2,violation\n");
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < driven[k].traverse->audits; i++) {
            const gdyn_audit_point *point = &driven[k].traverse->audit[i];
            gdyn_report_csv_field(out, driven[k].name);
            gdyn_csv_number(out, point->p);
            gdyn_csv_number(out, point->d1);
            gdyn_csv_number(out, point->d2);
            gdyn_csv_number(out, point->violation);
            gdyn_text_append(out, "\n", 1);
        }
    }
}
