/* path.h - trajectories R(p) and the machine's motion z(p), z_p, z_pp along them. */
#pragma once

#include "base/api.h"
#include "closure/closure.h"
#include "expr/expr.h"

GDYN_API_BEGIN

typedef enum gdyn_path_kind {
    GDYN_PATH_FORMULA,  /* formulas in p for each prescribed coordinate */
    GDYN_PATH_LINE,     /* from -> to */
    GDYN_PATH_ARC,      /* centre, radius, angles start..end in the plane with `normal` */
    GDYN_PATH_CIRCLE,   /* the same, one full turn from `start` */
    GDYN_PATH_POLYLINE, /* through points, corners kept */
    GDYN_PATH_SPLINE,   /* cubic spline through points (periodic when closed) */
    GDYN_PATH_FILE,     /* table of coordinates and joints against p; through its rows */
    GDYN_PATH_KINDS
} gdyn_path_kind;

/* Coordinates a path may prescribe, in the order of the tables below. */
enum {
    GDYN_PATH_X,
    GDYN_PATH_Y,
    GDYN_PATH_Z,
    GDYN_PATH_A,
    GDYN_PATH_B,
    GDYN_PATH_C,
    GDYN_PATH_COORDINATES
}; /* planar angle is GDYN_PATH_C; cardan = A, B, C */

/* joint paths: a coordinate follows a formula in p, or a column of the table (FILE) */
typedef struct gdyn_path_joint {
    int joint;
    gdyn_freedom freedom;
    const gdyn_expr *value; /* NULL: a column */
    /* chosen for a coordinate that the path leaves free: not what is asked of the machine */
    bool chosen;
    const double *column; /* its value in each row [m or rad] */
    const double *rate;   /* and its derivative by p, or NULL */
    const double *bend;   /* and the second one, or NULL */
} gdyn_path_joint;

/* One tool point and what the path prescribes of it. */
typedef struct gdyn_path_tool {
    gdyn_anchor of;
    double cardan[3]; /* orientation of the tool's frame in its body; default 0: the body's */
    const gdyn_expr *coordinate[GDYN_PATH_COORDINATES]; /* of p; NULL: left free */
    bool chosen[GDYN_PATH_COORDINATES];                 /* as of joints */
} gdyn_path_tool;

/* Bounds of d1 over a stretch of the path. */
typedef struct gdyn_path_speed {
    double from, to;    /* p; -INFINITY, INFINITY: the whole path */
    double min, max;    /* [unit of p per s]; default 0: none */
    const char *stated; /* where, for messages: "case.yaml:38"; NULL: not known */
} gdyn_path_speed;

typedef struct gdyn_path_def {
    const char *name;
    gdyn_path_kind kind;
    int tools;                  /* >= 1, or 0 for a joint path */
    const gdyn_path_tool *tool; /* ready-made kinds: tool[0].of, and its angle/cardan formulas */
    int joints;
    const gdyn_path_joint *joint; /* may stand beside tools: further prescribed coordinates */
    double p_start, p_end;        /* range of p; arc-length kinds default to 0..length */
    bool p_given;                 /* false: ready-made kinds use arc length [m] as p */
    gdyn_dimension p_dimension;   /* of a given p, when it is given; unknown: a pure number */
    int points;                   /* N >= 2, equally spaced in p, both ends included; default 101 */
    /* evaluations insert points until criteria are known to this share; default 0: fixed */
    double tolerance;
    double centre[3], normal[3], radius, start, end; /* ARC, CIRCLE; normal default z */
    int count;                                       /* LINE: 2; POLYLINE, SPLINE, FILE */
    const double (*through)[3];                      /* the points [m] */
    const double *through_p; /* POLYLINE, SPLINE, FILE: p of each point, growing; NULL: arc length
                                     (FILE: the length of the chords) */
    const double *table; /* FILE: count x GDYN_PATH_COORDINATES, row-major; NaN: free; NULL: all */
    /* FILE: scalar parts of quaternions of the body, of which the columns a, b, c are the vector
     * parts, neighbours with the same sign (count); NULL: a, b, c are Cardan angles */
    const double *scalar;
    /* FILE: columns a, b, c are the direction of the body's z axis; its roll is free */
    bool points_along;
    /* FILE: straight lines with parabolic blends of that width in p at rows; 0: splines */
    double blend;
    /* FILE: driven joints without a column stand still; default false: minimum motion */
    bool hold;
    int speeds;
    const gdyn_path_speed *speed; /* speeds: what is asked of d1; the tightest counts */
    const double *weights;        /* n weights for kinematic redundancy, or NULL */
    /* points: where they are, ascending, both ends included; NULL: equally spaced */
    const double *at;
    /* at: poses near those of the machine there (gdyn_state_save), which is led to each point from
     * its own; borrowed; NULL (default): the path is followed from its start */
    const double *pose;
} gdyn_path_def;

gdyn_path_def gdyn_path_default(void);
/* Of paths whose points are not given: where insertion begins, and what it aims at. */
enum { GDYN_PATH_FIRST_POINTS = 49 };
#define GDYN_PATH_TOLERANCE 1e-3

/* What p is: a length by arcs or chords, what the range or the table gives, else a pure number. */
gdyn_dimension gdyn_path_dimension_of_p(const gdyn_path_def *def);
/* "m", "s", or "" for a pure number and for angles; d1 is in this per second. */
const char *gdyn_path_unit_of_p(const gdyn_path_def *def);

typedef struct gdyn_path gdyn_path;

/* Checks and compiles; problems go to the sink with path "trajectories.NAME...." */
gdyn_status gdyn_path_create(const gdyn_model *model, const gdyn_path_def *def,
                             const gdyn_sink *sink, gdyn_path **path);
void gdyn_path_destroy(gdyn_path *path);
const gdyn_path_def *gdyn_path_definition(const gdyn_path *path);
/* With a tolerance more than defined: also those needed to show how the path bends. */
int gdyn_path_points(const gdyn_path *path);
double gdyn_path_p(const gdyn_path *path, int i);
/* Bounds of d1 that the path itself sets from p on, 0: none. */
void gdyn_path_speed_at(const gdyn_path *path, double p, double *min, double *max);
bool gdyn_path_closed(const gdyn_path *path); /* R(p_end) = R(p_start) */
int gdyn_path_targets(const gdyn_path *path); /* number of target rows */
/* Target rows with R, R', R'' at p. targets: gdyn_path_targets of them. */
void gdyn_path_evaluate(const gdyn_path *path, double p, gdyn_target *targets);

typedef enum gdyn_point_status {
    GDYN_POINT_OK,
    GDYN_POINT_UNASSEMBLED, /* the machine cannot be closed here */
    GDYN_POINT_SINGULAR,    /* closed, but the path cannot be followed (misfits) or branches meet */
    GDYN_POINT_BRANCH,      /* closed, but only on another branch than before */
    GDYN_POINT_RANGE        /* closed and followed, but a given range is left here or beside it */
} gdyn_point_status;
/* "ok", "unassembled", "singular", "branch", "out-of-range". */
const char *gdyn_point_status_name(gdyn_point_status status);

/* A coordinate with a given range (gdyn_range_def) along a path, at the points and between them.
 * Angles are counted without jumps along the path; of the full turns those are chosen that put the
 * middle of the travel nearest to the middle of the range. */
typedef struct gdyn_travel {
    double least, greatest;     /* [m or rad]; NAN: no point is followed */
    double least_p, greatest_p; /* where */
    double turns;               /* added to the coordinate of the poses [rad] */
    double margin, margin_p;    /* minimum distance to an end, and where; negative: beyond it */
    bool at_max;                /* to max, else to min */
    double share; /* margin over half the range; with one end over L or 1 rad; INFINITY: no end */
    int outside;  /* points where the range is left there or beside them */
} gdyn_travel;

/* The machine at the N points of a path. */
typedef struct gdyn_track {
    const gdyn_path *path; /* borrowed: the one that was followed last */
    int points, n;
    int capacity;              /* points for which there is room, once one was inserted */
    double *p;                 /* N, ascending */
    gdyn_point_status *status; /* N */
    gdyn_state **state;        /* N poses (best pose found where not assembled) */
    double *u_p, *u_pp;        /* n x N */
    double *residual;          /* N, largest scaled residual */
    int *worst_joint;          /* N, -1: the path itself */
    gdyn_closure_rates *rates; /* N */
    double *drift; /* n x N: where the pose depends on the way, estimated error of what was
                                   integrated from the path's start on, a displacement; else 0 */
    /* where the pose depends on the way: first point behind the start that no way along the path
     * reaches, so that the pose starts again before it; -1: none */
    int entered;
    /* the place from which on the guess can be led onto the path, where the pose starts again
     * (behind it by 1e-6 of the path); that point's p where it was not found */
    double entered_p;
    /* from here on the path turns back and forth too often to be followed; NAN: nowhere */
    double given_up_p;
    double *error; /* N, size of the drift without unit (shares of L, rad) */
    long steps;    /* tried from the last gdyn_track_follow's start on; N - 1 are needed */
    double rate_most, bend_most; /* largest |u_p|, |u_pp| of the path, rotations times L */
    int followed;                /* points with status OK */
    double reach;                /* their share */
    int first_failure;           /* index or -1 */
    /* set by the caller: the path is left at the first point that cannot be assembled */
    bool brief;
    bool strict;  /* the same, at the first point whose status is not OK */
    bool left;    /* it was: nothing is known of the points behind, nor of the path as a whole */
    int left_at;  /* that point */
    bool closed;  /* path closed */
    bool returns; /* closed, and the pose at the end equals that at the start */
    gdyn_travel *travel; /* of each range of the model */
    bool judged;         /* travel is known, and poses are judged by it */
    double *known;       /* known_length x N: what closing left at the points; NULL: not kept */
    int known_length;
} gdyn_track;

gdyn_track *gdyn_track_create(const gdyn_model *model, const gdyn_path *path);
/* A track of its own with the same points; NULL: memory is out. */
gdyn_track *gdyn_track_copy(const gdyn_track *track);
void gdyn_track_destroy(gdyn_track *track);
/* Follows the path from `start`, a pose without the path; NULL: the model's first guess, closed. */
gdyn_status gdyn_track_follow(gdyn_track *track, const gdyn_path *path, gdyn_closure *closure,
                              const gdyn_state *start);
/* Paths followed by this process so far, by any of its threads: for tests. */
long gdyn_tracks_followed(void);
/* The last of these alone. */
const double *gdyn_track_known(const gdyn_track *track, int point);
/* The same between the points, with those derivatives. */
gdyn_path_rates gdyn_track_rates_at(const gdyn_track *track, double p, const double *u_p,
                                    const double *u_pp);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The same of a straight way between two points (borrowed), both ends its only points. */
gdyn_path_def gdyn_path_straight(const double (*through)[3]);
/* True for a length, a time, a pure number (angles too) and what is not given. */
bool gdyn_path_dimension_allowed(gdyn_dimension p);
/* The unit for any p. */
const char *gdyn_path_unit_of_dimension(gdyn_dimension p);
/* The path bends at more places than its points can show: their error is unknown. */
bool gdyn_path_hides(const gdyn_path *path);
int gdyn_path_asked(const gdyn_path *path); /* the first ones of them, which are not chosen */
/* Corners of a polyline, where its direction turns and a machine must stop. p of the i-th one. */
int gdyn_path_corners(const gdyn_path *path);
double gdyn_path_corner(const gdyn_path *path, int i);
/* True when the polyline turns at that inner point of its definition. */
bool gdyn_path_turns(const gdyn_path_def *def, int point);
/* Corners and knots, between which R(p) is smooth: the first one from p to `to`, or `to`. */
double gdyn_path_next_break(const gdyn_path *path, double p, double to);
/* `to`, or just before it at a corner or knot, whose derivatives are those of the next piece. */
double gdyn_path_before(const gdyn_path *path, double from, double to);
/* Distances of the worst prescribed length [m] and angle [rad] from the path; NAN: none. */
gdyn_status gdyn_path_deviations(const gdyn_path *path, double p, const gdyn_state *state,
                                 double miss[2]);
/* The same for some of the points of the path that `known` followed until it was left: what is
 * known is taken over, and how far further poses are from closed is found roughly (by some 1 %). */
gdyn_status gdyn_track_follow_on(gdyn_track *track, const gdyn_path *path, gdyn_closure *closure,
                                 const gdyn_state *start, const gdyn_track *known);
/* The range that the pose is farthest beyond, in shares as of gdyn_travel, -1 when it is within
 * all; *beyond: by how much [m or rad]. After the track was followed; NULL: not asked for. */
int gdyn_track_range_left(const gdyn_track *track, const gdyn_state *state, double *beyond);
/* Smallest share of a range's margin in that pose, or (state NULL) of the path; NAN: no ranges. */
double gdyn_track_margin(const gdyn_track *track, const gdyn_state *state);
/* Distance of a range's coordinate to its nearer end, share as gdyn_travel; negative: beyond. */
double gdyn_range_share(const gdyn_model *model, int range, double value);
/* Reports how far columns of joints that follow from the rest of the table are from the machine, at
 * the table's rows before the first failure; GDYN_ERROR_INPUT where they are another motion. */
gdyn_status gdyn_path_compare(const gdyn_path *path, const gdyn_track *track,
                              const gdyn_sink *sink);
/* Derivatives at a point, its side at the end of the path, and what closing left there. */
gdyn_path_rates gdyn_track_rates(const gdyn_track *track, int point);
/* True at the end of the path, where joints that turn are seen from before p. */
bool gdyn_track_ends(const gdyn_track *track, double p);
/* Where the machine stands still although p moves on (a cusp of the path, a dwell), u_p (n) is what
 * rounding left of zero: it becomes zero, and so does u_pp (n) in a dwell. To be called before
 * forces are taken; track and place keep both as they are. */
void gdyn_track_rest(const gdyn_track *track, double *u_p, double *u_pp);
/* Gives back the memory of all poses but the first one, of their rates and drifts, when a followed
 * track will not be asked for them any more; p, status, residuals and errors stay. */
void gdyn_track_drop_poses(gdyn_track *track);
