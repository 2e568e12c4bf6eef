/* traverse.h - tables, document and pictures of fastest motions. */
#ifndef GDYN_REPORT_TRAVERSE_H
#define GDYN_REPORT_TRAVERSE_H

#include "base/api.h"
#include "report/report.h"
#include "traverse/motion.h"
#include "traverse/share.h"
#include "traverse/traverse.h"

GDYN_API_BEGIN

/* One trajectory with its motion and drive forces. Everything is borrowed. */
typedef struct gdyn_driven {
    const char *name;
    const char *unit; /* of p */
    const gdyn_traverse *traverse;
    int rows;
    const gdyn_limited_row *row; /* rows: drive of each limit row, units of forces */
    const gdyn_shared *shared;   /* forces; without points where there is no motion */
    /* A motion that was given (else it is the fastest one): traverse holds its samples as points, limits
     * that are violated, time NAN when its clock is not known. */
    const char *verdict; /* "feasible, ...", "not feasible; ..."; NULL: the fastest motion */
    const double
        *violation;       /* traverse->points: the greatest at a point and on the way behind it */
    gdyn_between between; /* how it runs from point to point */
    double smooth;        /* time over which forces were to be evened out [s]; 0: not */
    const double *rate;   /* rows: limits on the rate of forces, INFINITY: none; or NULL */
} gdyn_driven;

/* Rate of a row's force behind point i of a motion that keeps limits on rates (the last point: before it);
 * NAN: not such a motion. */
double gdyn_driven_rate(const gdyn_driven *driven, int row, int i);
/* The point behind which the row's force changes fastest, in either direction; -1: none. */
int gdyn_driven_fastest(const gdyn_driven *driven, int row);

/* t,p,d1,d2,... of all trajectories; the audit. */
void gdyn_report_traverse_csv(gdyn_text *out, int count, const gdyn_driven *driven);
void gdyn_report_audit_csv(gdyn_text *out, int count, const gdyn_driven *driven);
gdyn_status gdyn_report_traverse_json(gdyn_text *out, const char *case_name, int count,
                                      const gdyn_driven *driven);

/* A verdict on a given motion. Everything is borrowed. */
typedef struct gdyn_judged {
    const gdyn_driven *driven;
    const gdyn_feasibility *result; /* its samples are places */
    int places;
    const gdyn_sample *place;      /* places: what was looked at */
    const double *place_violation; /* places */
} gdyn_judged;

/* feasible_csv.c, feasible_json.c */
void gdyn_report_feasible_csv(gdyn_text *out, const gdyn_judged *judged);
gdyn_status gdyn_report_feasible_json(gdyn_text *out, const char *case_name,
                                      const gdyn_judged *judged);

/* --- poses_csv.c: where the machine is at the points of motions ------------------------------- */

typedef struct gdyn_pose_table gdyn_pose_table;
/* A table with a header: t, p, every body's pose as a case file tells it, position and speed of every
 * drive. unit: of each drive's coordinate ("m", "rad" or ""). NULL when memory is out. */
gdyn_pose_table *gdyn_pose_table_create(const gdyn_model *model, const char *unit_of_p,
                                        const char *const *unit);
void gdyn_pose_table_destroy(gdyn_pose_table *table);
/* A new trajectory begins: its angles need not continue those of the row before. */
void gdyn_pose_table_begin(gdyn_pose_table *table);
/* speed: of each drive for d1 = 1. */
void gdyn_pose_table_add(gdyn_pose_table *table, const char *trajectory, double t, double p,
                         const gdyn_state *state, const double *speed, double d1);
gdyn_text *gdyn_pose_table_text(gdyn_pose_table *table);

/* --- picture_traverse.c ------------------------------------------------------------------------ */

/* NAME_phase: phase plane with the greatest accessible speed, the controllable set and the motion,
 * limiting drives as a strip. NAME_forces: drive forces against time. Of a given motion NAME_motion and
 * NAME_motion_forces. */
gdyn_status gdyn_picture_phase(const char *folder, const gdyn_driven *driven,
                               const gdyn_sink *sink);
gdyn_status gdyn_picture_forces(const char *folder, const gdyn_driven *driven,
                                const gdyn_sink *sink);
/* Both; what was written is added to `pictures`. */
gdyn_status gdyn_pictures_of_motion(const char *folder, const gdyn_driven *driven,
                                    gdyn_pictures *pictures, const gdyn_sink *sink);

GDYN_API_END

#endif
