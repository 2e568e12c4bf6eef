/* feasible_csv.c - a given motion with its violations and forces as a table. */
#include "report/traverse_columns.h"

#include "report/number.h"

void gdyn_report_feasible_csv(gdyn_text *out, const gdyn_judged *judged) {
    const gdyn_driven *d = judged->driven;
    gdyn_text_printf(out, "trajectory,t,p,d1,d2,d2_before,d1_max,violation,violated");
    gdyn_traverse_csv_force_names(out, d);
    gdyn_text_append(out, "\n", 1);
    for (int i = 0; i < d->traverse->points; i++) {
        const gdyn_motion_point *point = &d->traverse->point[i];
        const double values[] = {point->t,         point->p,      point->d1,      point->d2,
                                 point->d2_before, point->d1_max, d->violation[i]};
        gdyn_report_csv_field(out, d->name);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            gdyn_csv_number(out, values[k]);
        }
        gdyn_traverse_csv_limits(out, d, point);
        gdyn_traverse_csv_forces(out, d, i);
        gdyn_text_append(out, "\n", 1);
    }
}
