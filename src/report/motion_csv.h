/* motion_csv.h - motions at equal time steps as a table for controllers. */
#ifndef GDYN_REPORT_MOTION_CSV_H
#define GDYN_REPORT_MOTION_CSV_H

#include "trajectory/trajectory.h"

/* trajectory, t, p, d1, d2; position, speed and acceleration of every coordinate of a joint; forces of the drives. */
void gdyn_report_motion_heads(gdyn_text *out, int count, const gdyn_trajectory *t);
/* The rows of one trajectory that has a motion (gdyn_equal_steps_visit). */
gdyn_status gdyn_report_motion_rows(gdyn_text *out, gdyn_trajectory *t, double step,
                                    gdyn_equal_steps *result);

#endif
