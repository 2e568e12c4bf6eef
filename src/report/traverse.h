/* traverse.h - tables, documents and pictures of motions: the fastest ones, given ones. */
#ifndef GDYN_REPORT_TRAVERSE_H
#define GDYN_REPORT_TRAVERSE_H

#include "report/report.h"

/* t,p,d1,d2,... of the fastest motions of all trajectories; their audits. */
void gdyn_report_traverse_csv(gdyn_text *out, int count, const gdyn_trajectory *t);
void gdyn_report_audit_csv(gdyn_text *out, int count, const gdyn_trajectory *t);
gdyn_status gdyn_report_traverse_json(gdyn_text *out, const char *case_name, int count,
                                      const gdyn_trajectory *t);

/* The verdict on a given motion. */
void gdyn_report_feasible_csv(gdyn_text *out, const gdyn_trajectory *t);
gdyn_status gdyn_report_feasible_json(gdyn_text *out, const char *case_name,
                                      const gdyn_trajectory *t);

/* Unit of p, as headers of tables state it; NULL where the trajectories differ. */
const char *gdyn_csv_unit_of_p(int count, const gdyn_trajectory *t);

/* --- poses_csv.c: where the machine is at the points of motions ------------------------------- */

typedef struct gdyn_pose_table gdyn_pose_table;
/* A table for trajectories of one machine, with a header: t, p (with its unit when it is the
 * same for all), every body's pose as in a case file, position and speed of every drive. NULL
 * when memory is out. */
gdyn_pose_table *gdyn_pose_table_create(int count, const gdyn_trajectory *t);
void gdyn_pose_table_destroy(gdyn_pose_table *table);
/* A new trajectory begins: its angles need not continue those of the row before. */
void gdyn_pose_table_begin(gdyn_pose_table *table);
/* The machine at that sample of the motion, the dynamics being there; nothing where its speeds
 * are not known. */
void gdyn_pose_table_add(gdyn_pose_table *table, const gdyn_trajectory *t, int sample,
                         const gdyn_path_dynamics *dynamics);
gdyn_text *gdyn_pose_table_text(gdyn_pose_table *table);

/* --- force_range.c ---------------------------------------------------------------------------- */

/* The range of a row's forces along the motion, and of its limits unless they are so far away (4
 * times the span of the forces) that nothing else would be seen: then *far is true. A force that
 * is level but for rounding has nothing else to be seen: its limits are shown wherever they are.
 * Without finite values range[0] > range[1]. */
void gdyn_force_range(const gdyn_trajectory *t, int row, double range[2], bool *far);

/* --- picture_traverse.c ----------------------------------------------------------------------- */

/* NAME_phase: phase plane with the greatest accessible speed, the controllable set and the
 * motion, limiting drives as a strip. NAME_forces: drive forces against time. Of a given motion
 * NAME_motion and NAME_motion_forces. What was written is added to `pictures`. */
gdyn_status gdyn_pictures_of_motion(const char *folder, const gdyn_trajectory *t,
                                    gdyn_pictures *pictures, const gdyn_sink *sink);

#endif
