/* path_dynamics_internal.h - sources of path dynamics (path_dynamics.h): a machine at any place of
 * its track, or a table (internal to traverse). */
#ifndef GDYN_TRAVERSE_PATH_DYNAMICS_INTERNAL_H
#define GDYN_TRAVERSE_PATH_DYNAMICS_INTERNAL_H

#include "traverse/path_pieces.h"

#include "access/singularity.h"
#include "path/place.h"
#include "path/regular.h"
#include "path/reversal.h"

/* --- machine_dynamics.c --------------------------------------------------------------------------- */

typedef struct gdyn_machine_dynamics {
    const gdyn_model *model;
    const gdyn_path *path;
    gdyn_closure *closure;
    gdyn_evaluator *evaluator;
    gdyn_track *track;
    gdyn_path_place *place;
    gdyn_pose *pose;
    gdyn_reversals reversals; /* where dry forces change at once */
    double *rest;             /* 2 n: u_p, u_pp without rounding where the machine stands still */
    double *along;            /* 2 n: du/ds, d2u/ds2 */
    gdyn_singularities singular;
    gdyn_regular *regular;          /* rests, corners and the travel s */
    double *numbers;                /* 8 rows, 3 n: A, B, D, slopes of the limits and errors in s */
    gdyn_coefficients coefficients; /* in s */
    double g, slope;                /* ds/dp and its derivative at the last place measured */
} gdyn_machine_dynamics;

gdyn_machine_dynamics *gdyn_machine_dynamics_create(const gdyn_model *model, const gdyn_path *path);
void gdyn_machine_dynamics_destroy(gdyn_machine_dynamics *machine);
gdyn_status gdyn_machine_dynamics_follow(gdyn_machine_dynamics *machine);
/* Stands at p; coefficients of p in machine->pose. */
gdyn_status gdyn_machine_dynamics_at(gdyn_machine_dynamics *machine, double p,
                                     gdyn_point_status *found);
/* The same at the pose as it is now. */
gdyn_status gdyn_machine_dynamics_evaluate(gdyn_machine_dynamics *machine);
/* g and its slope at p; then machine->coefficients, those of s, of machine->pose. */
void gdyn_machine_dynamics_measure(gdyn_machine_dynamics *machine, double p);
void gdyn_machine_dynamics_transform(gdyn_machine_dynamics *machine);

/* --- table_dynamics.c ----------------------------------------------------------------------------- */

typedef struct gdyn_table_dynamics {
    int points, k, r, width; /* width: numbers of one point */
    double *p;               /* points */
    /* points x width: A, B, C, D, min, max, slopes of min, max (k each), V (k x r), d1_low, d1_high, equalities (4 each) */
    double *numbers;
    int *speed_row; /* points: d1_high_window */
    int equalities; /* of every point */
    double *now;    /* width */
    int (*varying)
        [2]; /* stretches of a point's numbers that are not the same at all points: from, to */
    int stretches, last; /* number of them; last: the piece that was asked for last */
    gdyn_coefficients coefficients;
    const gdyn_coefficients *const *places; /* points, borrowed, or NULL: numbers */
    gdyn_region *const *region;             /* of the places, borrowed, or NULL */
} gdyn_table_dynamics;

gdyn_table_dynamics *gdyn_table_dynamics_create(int points, const double *p,
                                                const gdyn_coefficients *coefficients);
gdyn_table_dynamics *gdyn_table_dynamics_of_places(int points, const double *p,
                                                   const gdyn_coefficients *const *coefficients,
                                                   gdyn_region *const *region);
void gdyn_table_dynamics_destroy(gdyn_table_dynamics *rows);
/* Valid until the next call. */
const gdyn_coefficients *gdyn_table_dynamics_at(gdyn_table_dynamics *rows, double p);
/* NULL: not known. */
const gdyn_region *gdyn_table_dynamics_region(gdyn_table_dynamics *rows, double p);
/* Other coefficients just before and at point i. */
bool gdyn_table_dynamics_jump(const gdyn_table_dynamics *rows, int i);

/* --- path_dynamics.c ----------------------------------------------------------------------------------- */

struct gdyn_path_dynamics {
    gdyn_machine_dynamics *machine; /* one of these two is NULL */
    gdyn_table_dynamics *table;
    int points;
    double *rate;  /* rows, or NULL */
    bool in_s;     /* the parameter is the travel, not p */
    int stops;     /* places where every motion has to stop, */
    double *stop;  /* ascending, in the present parameter */
    bool windowed; /* a part of the path */
    double from, to;
    void (*watch)(void *context, long places);
    void *watch_context;
    long asked;
};

/* Room is there for as many as the machine has reversals. */
void gdyn_path_dynamics_add_stop(gdyn_path_dynamics *dynamics, double p);

#endif
