/* traverse_columns.h - columns that tables of motions share (internal to report). */
#ifndef GDYN_REPORT_TRAVERSE_COLUMNS_H
#define GDYN_REPORT_TRAVERSE_COLUMNS_H

#include "report/traverse.h"

/* ",m1 max + m3 min" */
void gdyn_traverse_csv_limits(gdyn_text *out, const gdyn_driven *driven,
                              const gdyn_motion_point *point);
/* ",m1.force,...,m1.least,...,m1.greatest,..." and the numbers of point i. */
void gdyn_traverse_csv_force_names(gdyn_text *out, const gdyn_driven *driven);
void gdyn_traverse_csv_forces(gdyn_text *out, const gdyn_driven *driven, int i);

#endif
