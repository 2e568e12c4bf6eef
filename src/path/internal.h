/* internal.h - what the files of path share: curves with exact derivatives, and the path itself. */
#pragma once

#include "closure/target.h"
#include "path/kinds.h"
#include "path/place.h"

/* --- tables of numbers through which cubic splines run (rests.c, spline.c) ------------------- */

/* Rows first..last at which a table stands still, or comes to rest (first == last), at the place of
 * row `value`. Rows from..to hold nothing else. Before and after it the distance grows like that
 * power of time; 0: it ends at once. */
typedef struct gdyn_table_rest {
    int first, last, from, to, value;
    int order[2];
} gdyn_table_rest;

typedef struct gdyn_table gdyn_table;

/* So many rows over given knots are the samples of a motion, fewer are waypoints. */
enum { GDYN_TABLE_DENSE = 20 };

/* Rows at ascending knots with splines, periodic when the first row equals the last; two: lines. */
typedef struct gdyn_table_def {
    int count, columns;
    const double *knots;  /* count */
    const double *values; /* count x columns, row-major */
    const bool *angle;    /* columns: an angle, else a length */
    const double *rates; /* as values: derivatives at the rows, NULL: they follow from the spline */
    const double *bends; /* with rates: second derivatives, NULL: they follow from both */
    /* knots are values of p, and the table may come to rest, where it is split (rests.c); else they
     * are lengths, */
    bool given;
    const bool *stop; /* and there it is split at these rows; NULL: at none */
    double blend;     /* straight lines with blends of that width; 0: splines */
} gdyn_table_def;

/* Rests in ascending order; *rest is to be freed. */
gdyn_status gdyn_table_rests(const gdyn_table_def *def, gdyn_table_rest **rest, int *rests);

/* Errors of single rows: column where they are the largest share (0: none) of the acceleration. */
typedef struct gdyn_table_noise {
    int column;
    double sigma, acceleration; /* of the rows; what it makes of the spline, rms */
    double share;
} gdyn_table_noise;
gdyn_status gdyn_table_noise_find(const gdyn_table_def *def, gdyn_table_noise *worst);

/* NULL on lack of memory. */
gdyn_table *gdyn_table_create(const gdyn_table_def *def);
void gdyn_table_destroy(gdyn_table *table);
int gdyn_table_knots(
    const gdyn_table *table); /* number of knots, without those that rests leave out */
/* Value, first and second derivative of a column; u outside the knots: at the nearest end. */
void gdyn_table_jet(const gdyn_table *table, int column, double u, double jet[3]);
/* Arc length of the first three columns as a curve: whole, and the parameter u at length s. */
double gdyn_table_length(const gdyn_table *table);
double gdyn_table_knot(const gdyn_table *table, int i, bool length); /* u, or s, of knot i */
double gdyn_table_at_length(const gdyn_table *table, double s);

/* --- curves in space, parametrized by arc length (curve.c) ----------------------------------- */

typedef struct gdyn_curve {
    const struct gdyn_curve_method *method;
    double length;                        /* [m] */
    double centre[3], m[3], k[3], radius; /* arc: centre + radius (m cos + k sin) */
    double start, sense;                  /* angle = start + sense s / radius */
    int count;                            /* polyline */
    const double (*point)[3];
    double *at;        /* count: arc length, or the given p, at the points; spline: knots */
    gdyn_table *table; /* spline */
    bool knots_given;  /* points over given p: the parameter is p itself */
} gdyn_curve;

/* Curve of a definition; jet[axis] = {value, first, second derivative} by the curve's parameter. */
typedef struct gdyn_curve_method {
    gdyn_status (*create)(const gdyn_path_def *def, gdyn_curve *curve);
    void (*jet)(const gdyn_curve *curve, double s, double jet[3][3]);
} gdyn_curve_method;

/* --- the path -------------------------------------------------------------------------------- */

/* Where the target rows of one group get their values. */
typedef enum gdyn_source_kind {
    GDYN_SOURCE_FORMULA,  /* one row */
    GDYN_SOURCE_CURVE,    /* two or three rows: the curve's components */
    GDYN_SOURCE_COLUMN,   /* one row: a column of the table */
    GDYN_SOURCE_ROTATION, /* three rows: Rx(a) Ry(b) Rz(c) */
    GDYN_SOURCE_AXIS      /* two rows: components of the body's z axis */
} gdyn_source_kind;

typedef struct gdyn_path_source {
    gdyn_source_kind kind;
    int first, rows;              /* target rows */
    int tool;                     /* ROTATION */
    const gdyn_expr *formula[3];  /* FORMULA: [0]; ROTATION: a, b, c or all NULL: columns */
    int column[3];                /* COLUMN: [0]; ROTATION by columns */
    bool held;                    /* the formula is a constant of the path's own (hold.c) */
    const gdyn_path_joint *joint; /* whose column it is, or NULL */
} gdyn_path_source;

/* A column of a joint that follows from the rest of the table: it is compared with the machine. */
typedef struct gdyn_path_beside {
    int joint, column;
    gdyn_row row;
} gdyn_path_beside;

struct gdyn_path {
    const gdyn_model *model;
    gdyn_path_def def; /* with its own copies of the arrays */
    gdyn_curve curve;
    gdyn_table *table; /* FILE */
    int scalar;        /* its column of scalar parts */
    int sources, targets, asked;
    int points; /* those of the definition, and those that its bends need */
    double *at; /* points: p; NULL: equally spaced */
    bool hides; /* more are needed than there may be */
    gdyn_path_source *source;
    gdyn_target *target; /* the rows; values are filled by gdyn_path_evaluate */
    int besides;
    gdyn_path_beside *beside;
    /* points x targets x 12: values at equally spaced points, frames of rows; NULL: not kept */
    double *known;
    bool closed;
    struct gdyn_arena *arena;
};

/* The mean direction of the columns i, j, k; the smallest cosine between it and a row. */
double gdyn_path_mean_axis(const gdyn_path_def *def, double mean[3]);
/* Takes columns of joints that follow from the other rows out of these, to be compared, and adds
 * rows that hold driven joints without a column; the path's arrays have room for them. */
gdyn_status gdyn_path_settle(gdyn_path *path, const gdyn_sink *sink);

/* --- following (follow.c: single steps; track.c: the whole path) ----------------------------- */

/* What the machine is led along: the path itself, or a straight way in target space from the
 * present values (p = 0) to those of the path at one point (p = 1). */
typedef struct gdyn_leg {
    bool straight;
    const gdyn_path *path;
    gdyn_target *goal; /* straight: targets at p = 1 */
    double *present;   /* straight: values at p = 0 (ORIENT: components of the error) */
} gdyn_leg;

typedef enum gdyn_step { GDYN_STEP_OK, GDYN_STEP_SINGULAR, GDYN_STEP_FAILED } gdyn_step;

enum { GDYN_STAGES = 7 }; /* of the integration */

/* The machine on its way: a pose with its derivatives, and workspace. */
struct gdyn_follower {
    const gdyn_model *model;
    const gdyn_path *path;
    gdyn_closure *closure;
    int n, bodies, per_body, targets;
    double *unit, *per_unit;        /* n: displacements divided by it have no unit; 1 / unit */
    gdyn_closed_pose now;           /* the pose reached, along the leg */
    gdyn_closed_pose trial;         /* that of the step at hand */
    gdyn_closure_rates stage_rates; /* of the stage pose */
    gdyn_closure_info info;         /* of the last closing step */
    int rank;                       /* of a regular pose: the greatest rank met */
    bool integrate;                 /* z(p) depends on the way: integrate u_p */
    bool at_break;                  /* the step at hand ends at a break of the path */
    bool crossed;                   /* a singular pose was crossed since this was last cleared */
    gdyn_state *stage;              /* workspace */
    gdyn_target *target;            /* at the point at hand */
    double next[GDYN_AHEAD - 1];    /* p of the points after the one that is led to */
    int nexts;                      /* of them */
    double most;                    /* motion of a joint in the step at hand [L or rad] */
    bool turns_little;              /* no body turns far in it; du is not made */
    bool drifted;                   /* drift was not always zero */
    gdyn_leg straight;              /* owned storage of straight legs */
    double *du, *k[GDYN_STAGES];
    double *error, *growth;   /* n: estimated error of the step at hand; rate of the drift there */
    double *drift;            /* n: estimated error of the present pose, a displacement */
    double step;              /* along the path: length in p of the next step to try, 0: unknown */
    double reached;           /* p of the present pose on the leg that was advanced last */
    double shorten, lengthen; /* of the step at hand */
    long steps;               /* tried so far */
    bool rough;               /* how far poses are from closed need be known roughly only */
    bool given_up;            /* a piece took too many steps; so may the next ones */
    gdyn_status status;       /* first error of a call below */
    struct gdyn_arena *arena;
};

/* Least kept singular value (or pivot) over the greatest. Closing to 1e-12 leaves an uncertainty of
 * 1e-6 where two assembly modes meet (a double root): below that a pose counts as singular. */
double gdyn_rates_least(const gdyn_closure_rates *rates);
#define GDYN_LEAST_REGULAR 1e-6
/* Misfit of u_p above which the path cannot be followed at a closed pose: rounding leaves 1e-15
 * over the least singular value, which is 1e-9 at most where a pose counts as regular. */
#define GDYN_MISFIT_REGULAR 1e-8
/* The same of u_pp: above it no motion passes the pose, though it may begin (a shaky structure).
 * u_pp takes the rounding of u_p twice; regular poses stay below 1e-9. */
#define GDYN_MISFIT2_REGULAR 1e-6

gdyn_follower *gdyn_follower_create(const gdyn_model *model, const gdyn_path *path);
void gdyn_follower_destroy(gdyn_follower *f);
/* Takes a closed pose as the present one and computes its derivatives along the leg at p. */
bool gdyn_follower_place(gdyn_follower *f, const gdyn_leg *leg, const gdyn_state *state, double p);
/* From now on, what is known of the present pose is kept with it; false: memory. */
bool gdyn_follower_keep_known(gdyn_follower *f);
/* Moves the present pose along the leg; it stays where it failed. */
gdyn_step gdyn_follower_advance(gdyn_follower *f, const gdyn_leg *leg, double from, double to);
/* Rank, misfits and least singular value of a regular pose; the same of the present one. */
bool gdyn_follower_sound(const gdyn_follower *f, const gdyn_closure_rates *rates);
bool gdyn_follower_regular(const gdyn_follower *f);
/* Straight from a closed pose onto the path at p; the derivatives end up as those of the path. */
bool gdyn_follower_enter(gdyn_follower *f, const gdyn_state *from, double p);
/* Closes the trial pose, copied from `state`, by least squares on the targets at p (NULL: the
 * machine alone), with as many restarts from shaken poses. True when closed. */
bool gdyn_follower_close(gdyn_follower *f, const gdyn_state *state, const double *p, int restarts);

/* Length of a displacement without unit; *most: of the body that moves farthest. */
double gdyn_follower_size(const gdyn_follower *f, const double *du, double *most);
/* The stage pose := `from` displaced by du, closed at p along the leg; u, v_pp: derivatives. */
bool gdyn_follower_displaced(gdyn_follower *f, const gdyn_leg *leg, double p,
                             const gdyn_state *from, const double *du, double *u);
/* k := rate of the displacement du from the present pose, taken at p along the leg. */
bool gdyn_follower_rate(gdyn_follower *f, const gdyn_leg *leg, double p, const double *du,
                        double *k);

/* --- integration (integrate.c) --------------------------------------------------------------- */

/* du := the displacement of one step h from p; false when a stage cannot be closed. */
bool gdyn_follower_integrate(gdyn_follower *f, const gdyn_leg *leg, double p, double h);
/* Estimate of the error of that step, without unit; u_end: u_p at its end. */
double gdyn_follower_local_error(gdyn_follower *f, double h, const double *u_end);
/* k := theta' for the angular velocities in k at the displacement du. */
void gdyn_follower_pull_back(const gdyn_follower *f, const double *du, double *k);

/* --- between two points of an integrated way (dense.c) --------------------------------------- */

/* Two neighbouring points without a break between: poses, derivatives along the path, drifts. */
typedef struct gdyn_path_stretch {
    double p[2];
    const gdyn_state *state[2];
    const double *u[2], *u_pp[2], *drift[2]; /* n each */
} gdyn_path_stretch;

/* The present pose := that at p between the two, with its derivatives and drift, by interpolation
 * that is closed; false (the present pose stays) where its error would not be that of an
 * integration. The closure is marked at the first pose. */
bool gdyn_follower_dense(gdyn_follower *f, const gdyn_leg *leg, const gdyn_path_stretch *s,
                         double p);

/* Value, first and second derivative of the coordinates of a source; returns their number. */
int gdyn_path_source_jets(const gdyn_path *path, const gdyn_path_source *source, double p,
                          double jet[3][3]);
/* Adds the points without which the others do not show how the path bends (bends.c). */
gdyn_status gdyn_path_show_bends(gdyn_path *path);

/* Emits everything wrong with the definition; returns the number of errors. */
int gdyn_path_check(const gdyn_model *model, const gdyn_path_def *def, const gdyn_sink *sink);

/* --- points of a track (points.c) ------------------------------------------------------------- */

/* Point i := point k of another track, but what closing left there. */
void gdyn_track_copy_point(gdyn_track *track, int i, const gdyn_track *from, int k);
/* Reach and first failure from the points' status. */
void gdyn_track_count(gdyn_track *track);
/* What rates and accelerations are measured against. */
void gdyn_track_measure(gdyn_track *track);
/* Travel of the stated ranges, and the points where one is left (ranges.c). */
gdyn_status gdyn_track_judge(gdyn_track *track, const gdyn_path *path, gdyn_closure *closure);
/* Regular pose of the path, within the ranges or not. */
static inline bool gdyn_point_regular(gdyn_point_status status) {
    return status == GDYN_POINT_OK || status == GDYN_POINT_RANGE;
}

/* The first point of the track behind p; its number of points when there is none. */
int gdyn_track_behind(const gdyn_track *track, double p);
