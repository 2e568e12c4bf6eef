/* internal.h - what the files of traverse share: strips, inequalities, the grid of places, pieces,
 * limits on rates, the sharer, and where coefficients come from. */
#pragma once

#include "access/access.h"
#include "access/rows.h"
#include "access/analysis.h"
#include "base/interrupt.h"
#include "base/intervals.h"
#include "base/memory.h"
#include "base/status.h"
#include "lp/lp.h"
#include "path/place.h"
#include "path/regular.h"
#include "traverse/motion.h"
#include "traverse/share.h"
#include "traverse/traverse.h"

#include <stdbool.h>

/* --- a segment as a convex set (strip.c) ------------------------------------------------------ */

/* one segment of the path as a convex set in (x, u), x = d1^2 at its beginning, u = d2:
 *
 *   low_a x + low_c <= u <= up_a x + up_c   (every line),   x_low <= x <= x_high
 *
 * and the question every pass asks of it: which x can reach a given set of x' = x + 2 h u? */

/* Lines of one side, as columns. */
typedef struct gdyn_lines {
    int count;
    double *a, *c;
} gdyn_lines;

typedef struct gdyn_strip {
    gdyn_lines up, low;
    double x_low, x_high; /* finite */
} gdyn_strip;

/* Range of u at x that leads into [k_low, k_high] in a step of length h; false: none. */
bool gdyn_strip_slice(const gdyn_strip *strip, double h, double x, double k_low, double k_high,
                      double *u_low, double *u_high);
/* All x that can be led into [k_low, k_high]; false when there are none. */
bool gdyn_strip_reach(const gdyn_strip *strip, double h, double k_low, double k_high, double *x_low,
                      double *x_high);
/* How far the nearest x is from that: greatest u_high - u_low over x (negative), and that x. */
double gdyn_strip_deficit(const gdyn_strip *strip, double h, double k_low, double k_high,
                          double *x);

/* Adds the half-plane a x + b u + c <= 0 (room is needed); false when it excludes everything. */
bool gdyn_strip_add(gdyn_strip *strip, double a, double b, double c);

/* --- elementary inequalities (inequality.c) --------------------------------------------------- */

/* elementary inequalities by the limits they name.
 *
 * Where w^T V = 0, no internal force helps, and the rows leave
 *
 *   alpha x + beta sqrt(x) + gamma + delta u <= 0,   x = d1^2,  u = d2,
 *
 * w unique up to its length when the limits belong together. w is smooth along the path, so the
 * same limits can be followed, where an arc of a region (divided by delta) cannot. */

/* An elementary inequality, named by the limits that are reached together. */
typedef struct gdyn_inequality_sum {
    int count;
    gdyn_limit limit[GDYN_ACTIVE_MAX];
} gdyn_inequality_sum;

/* alpha x + beta sqrt(x) + gamma + delta u <= 0, in half ranges: its weights are scaled so that all
 * limits giving way by the same share of their half ranges add that share to the right side. */
typedef struct gdyn_inequality {
    double alpha, beta, gamma, delta;
    double size; /* of the terms that delta is the sum of */
} gdyn_inequality;

/* The inequality of a combination at a place, limits tightened by that share of half their range;
 * false where these limits do not belong together. */
bool gdyn_inequality_of(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double tighten,
                        gdyn_inequality *inequality);
/* delta is zero within rounding. */
bool gdyn_inequality_vanishes(const gdyn_inequality *inequality);
bool gdyn_combination_same(const gdyn_inequality_sum *a, const gdyn_inequality_sum *b);

/* The combinations that bound a region: those of its arcs and of its islands' ends, each once; at
 * most `room` of them. Returns their number. */
int gdyn_combinations_of(const gdyn_region *region, gdyn_inequality_sum *list, int room);

/* --- places of the path (grid.c, cells.c) ----------------------------------------------------- */

/* One place's coefficients: a copy of them, or borrowed (numbers NULL). */
typedef struct gdyn_copy {
    gdyn_coefficients coefficients;
    double *numbers;
    size_t size; /* of numbers: arrays that exist, in the order of gdyn_coefficients */
} gdyn_copy;

gdyn_status gdyn_copy_take(gdyn_copy *copy, const gdyn_coefficients *from);
void gdyn_copy_free(gdyn_copy *copy);

/* A region as convex sets in (x, u), ascending; upper and lower arcs become lines that lie inside
 * (or outside) of them; every cell has room for `spare` more lines on each side. */
typedef struct gdyn_cells {
    int count, capacity;
    gdyn_strip *cell;
    double *numbers;
    int room;    /* numbers */
    bool scoped; /* d1_top and pieces matter */
} gdyn_cells;

/* The part of the plane considered. */
typedef struct gdyn_cell_extent {
    double x_cap;  /* no motion is faster */
    double d1_top; /* cells are fine up to here */
    int pieces;    /* cells up to d1_top where arcs are curved in (x, u) */
} gdyn_cell_extent;

/* Pieces up to d1_top that the curved arcs of a region ask for, scope->pieces at most. */
int gdyn_cells_pieces(const gdyn_region *region, const gdyn_cell_extent *scope);
/* The arena has room for them; made again, the same cells use it again as far as it suffices. */
gdyn_status gdyn_cells_make(gdyn_cells *cells, gdyn_arena *arena, const gdyn_region *region,
                            const gdyn_cell_extent *scope, bool outer, int spare);

typedef enum gdyn_place_kind { GDYN_NODE, GDYN_MIDDLE, GDYN_EXTRA } gdyn_place_kind;

/* What zero-inertia points do to a place. */
typedef struct gdyn_place_inertia {
    bool watched; /* searched for them up to the next place */
    bool graded;  /* nodes are dense around it where they should */
    /* zeros + dips: inequalities whose delta vanishes here, then those whose delta is least in size
     * here and small; or NULL */
    gdyn_inequality_sum *zero;
    int zeros, dips;
    gdyn_cells into;       /* zeros > 0: cells of the segment that ends here */
    double x_most;         /* no motion is faster here; INFINITY: none */
    double x_star, m_star; /* that motion, here and in the middle of the segment behind */
    double u_met, u_most;  /* greatest |u| of the cells, and what is let through */
} gdyn_place_inertia;

/* The audit of the segment behind a place. */
typedef struct gdyn_place_audit {
    gdyn_copy *part; /* GDYN_AUDIT_PARTS - 1 places in it; NULL: not taken, or not kept */
    int dense;       /* they stand closer towards the place (1), towards the next one (2) */
    bool split;      /* it is too long */
} gdyn_place_audit;

typedef struct gdyn_place {
    double p;
    gdyn_place_kind kind;
    gdyn_point_status found;
    bool fresh;  /* not yet in its order */
    bool refine; /* a node: the segment up to the next node shall be halved */
    /* what is accessible */
    gdyn_copy copy;
    const gdyn_region *region; /* of the tightened limits */
    gdyn_region *own;          /* that region, unless it was known; or NULL */
    double tighten;            /* share of half a range */
    double made;               /* tightening that the region was made with; NAN: not made */
    double d1_max;             /* greatest accessible d1, limits not tightened; NAN: none */
    gdyn_cells cells;
    gdyn_place_inertia inertia;
    gdyn_place_audit audit;
    /* the plan */
    gdyn_intervals k, middle; /* controllable sets here and in the middle of the segment behind */
    double x, u, u_end;       /* the motion: u at both ends of the segment that begins here */
    int leap;                 /* that segment leaps up (1), down (-1): leap.c; 0: it is ordinary */
    bool timeless;            /* with leaps: nothing bounds d1 on the way to the next place */
} gdyn_place;

/* Workspace of a run. */
typedef struct gdyn_grid {
    gdyn_path_dynamics *dynamics;
    gdyn_traverse_settings settings;
    gdyn_arena *arena; /* cells */
    gdyn_access *access;
    gdyn_region *region; /* scratch */
    double *min, *max;   /* scratch limits */
    gdyn_cell_extent scope;
    /* d2 is held back beside zero-inertia points instead of following their slope */
    bool held_back;
    bool leaps;     /* d1 may leap at zero-inertia points where nothing bounds d2 (leap.c) */
    double gap;     /* between both bounds of the time in the last round; 0: none */
    bool strict;    /* how the causes of the gap were searched for then (bound.c) */
    double ahead;   /* greatest share of d1^2 by which the motion was faster than the bound */
    bool overtaken; /* somewhere the motion was faster than the bound: the bound cannot hold */
    int count, capacity;
    gdyn_place *place;
    double *lines; /* scratch of a strip */
    int lines_room;
} gdyn_grid;

enum { GDYN_AUDIT_PARTS = 10 };

gdyn_status gdyn_grid_open(gdyn_grid *grid, gdyn_path_dynamics *dynamics,
                           const gdyn_traverse_settings *settings);
void gdyn_grid_close(gdyn_grid *grid);
/* Whether the segment behind place i is only a jump of the coefficients: d2 jumps there, too. */
bool gdyn_grid_jumps(const gdyn_grid *grid, int i);
/* Puts a place at p, in ascending order, with its coefficients. */
gdyn_status gdyn_grid_insert(gdyn_grid *grid, double p, gdyn_place_kind kind);
/* Makes p a node; *at is its place. A place that coincides with p within rounding becomes it. */
gdyn_status gdyn_grid_node(gdyn_grid *grid, double p, int *at);
/* The first grid: the dynamics's points as nodes and the middles between them. */
gdyn_status gdyn_grid_begin(gdyn_grid *grid);
/* In every marked segment between nodes the middle becomes a node, with new middles on both sides,
 * as far as the settings' max_points allow. Marks are taken off. */
gdyn_status gdyn_grid_refine(gdyn_grid *grid, int *refined);
/* Most places that splitting may lead to. */
int gdyn_grid_capacity(const gdyn_grid *grid);
/* Adds a place in the middle of marked segments, as far as settings allow; marks are removed. */
gdyn_status gdyn_grid_split(gdyn_grid *grid, int *inserted);
/* Region of the coefficients with limits tightened by that share of half their range. */
gdyn_status gdyn_grid_region(gdyn_grid *grid, const gdyn_coefficients *q, double tighten,
                             gdyn_region *region);
/* Regions of all places with their own tightening and the settings' relaxation. */
gdyn_status gdyn_grid_regions(gdyn_grid *grid);
/* What part of the plane matters: sets grid->scope from the regions. */
void gdyn_grid_scope(gdyn_grid *grid);
/* accelerations.c: limits u of all cells as lines of their own, beside places without bound. */
gdyn_status gdyn_grid_bound_accelerations(gdyn_grid *grid);
/* Cells of all places. */
gdyn_status gdyn_grid_cells(gdyn_grid *grid);
/* The arcs that bound d2 at a place and speed; NULL: none. */
typedef struct gdyn_sides {
    const gdyn_arc *upper, *lower;
} gdyn_sides;
gdyn_sides gdyn_grid_sides(const gdyn_place *place, double d1);
/* True when the drives' influence on d2 passes through zero between the places: what bounds d2 from
 * above at the one bounds it from below at the other. d2 is unbounded in between. */
bool gdyn_sides_turn(gdyn_sides here, gdyn_sides next);
/* Cells of the segment that ends at a place (place->cells: of the one that begins there). */
const gdyn_cells *gdyn_grid_into(const gdyn_place *place);
/* Zero-inertia points are searched for: there is something between the dynamics's points. */
bool gdyn_grid_follows(const gdyn_grid *grid);
/* An empty strip with room for that many lines on each side. */
gdyn_status gdyn_grid_strip(gdyn_grid *grid, int lines, gdyn_strip *strip);
/* Violation of limits at (d1, d2) in half ranges, limits relaxed by the settings. */
gdyn_status gdyn_grid_violation(gdyn_grid *grid, const gdyn_coefficients *q, double d1, double d2,
                                double *violation);

/* --- plan.c ----------------------------------------------------------------------------------- */

typedef struct gdyn_plan {
    gdyn_traverse_status status;
    int at; /* place or first place of the segment where it fails */
    double time;
    bool given;   /* the drives cannot choose the motion: it has no other bounds */
    double doubt; /* of its time then */
} gdyn_plan;

/* Controllable sets backward, greedy forward. */
gdyn_status gdyn_plan_make(gdyn_grid *grid, gdyn_plan *plan);
/* The same with all limits relaxed by a further share of half their range; `scoped`: the part of
 * the plane is chosen anew. The motion of the places is lost. */
gdyn_status gdyn_plan_relaxed(gdyn_grid *grid, double relax, bool scoped, gdyn_plan *plan);

/* --- segment.c: the segment behind place i ---------------------------------------------------- */

double gdyn_segment_length(const gdyn_grid *grid, int i);
/* Range of its middle ordinate m: islands' ends there, and what a zero-inertia point lets pass. */
gdyn_intervals gdyn_segment_middle(const gdyn_grid *grid, int i);
/* Its second half as a strip in (m, u1); e: cell of the next place. */
gdyn_status gdyn_segment_arrive(gdyn_grid *grid, int i, const gdyn_strip *e, gdyn_strip *strip);
/* Controllable sets of the middle and of place i from that of place i + 1. */
gdyn_status gdyn_segment_back(gdyn_grid *grid, int i);
/* Greatest x at the next place, with the greatest m to it; found false: closed by rounding. */
gdyn_status gdyn_segment_forward(gdyn_grid *grid, int i, bool *found);
/* Time of a segment of length h over which x is the Bezier curve with these ordinates. */
double gdyn_segment_bezier_time(double h, const double x[3]);
/* Time of a segment of length h whose motion is known. */
double gdyn_segment_time(double h, const gdyn_place *here, const gdyn_place *next);

/* --- inertia_find.c --------------------------------------------------------------------------- */

/* The inequality at a place, limits as its region has them; false where there is none. */
bool gdyn_place_inequality(const gdyn_place *place, const gdyn_inequality_sum *of,
                           gdyn_inequality *out);
/* Makes zero-inertia points nodes, as far as regions tell of them; *inserted: new nodes, whose
 * regions are to be made. */
gdyn_status gdyn_inertia_find(gdyn_grid *grid, int *inserted);

/* --- inertia.c -------------------------------------------------------------------------------- */

/* Adds the inequalities of the segments beside place i (zero-inertia points) to its cells. */
gdyn_status gdyn_inertia_cells(gdyn_grid *grid, int i);
/* Sets every place's x_most. */
void gdyn_inertia_limit(gdyn_grid *grid);

/* --- leap.c ----------------------------------------------------------------------------------- */

/* With grid->leaps, adds to the controllable set of place i what a leap leads into the next one. */
void gdyn_leap_back(gdyn_grid *grid, int i);
/* Lets place i leap where that beats its ordinary segment (found: there is one); false: neither. */
bool gdyn_leap_forward(gdyn_grid *grid, int i, bool found);
/* Whether there is a stretch without any bound of d1; with grid->leaps, marks the places that are
 * `timeless`. Regions are made. */
bool gdyn_leap_stretches(gdyn_grid *grid);
/* Whether nothing bounds d1 at any place. */
bool gdyn_leap_unbounded(const gdyn_grid *grid);
/* The leaps of the plan and the stretches that take no time, into `out`. */
void gdyn_leap_take(const gdyn_grid *grid, gdyn_traverse *out);

/* --- bound.c ---------------------------------------------------------------------------------- */

/* A time that no motion can beat; 0 when there is no bound, INFINITY when there is no motion. */
gdyn_status gdyn_bound_time(gdyn_grid *grid, const gdyn_plan *plan, double *lower);

/* Moves the bounds of the run apart by what the error of integrated poses may do to the time, and
 * keeps its effect on the limits. The motion of the places is lost. */
gdyn_status gdyn_bound_widen(gdyn_grid *grid, const gdyn_plan *plan, gdyn_traverse *out);

/* --- explain.c -------------------------------------------------------------------------------- */

/* Place, certificate and relaxation of a plan that failed. */
gdyn_status gdyn_explain(gdyn_grid *grid, const gdyn_plan *plan, gdyn_traverse *out);

/* --- audit.c ---------------------------------------------------------------------------------- */

/* Looks at the motion between the places; adds to their tightening and marks segments to split. */
gdyn_status gdyn_audit_motion(gdyn_grid *grid, gdyn_traverse *traverse, bool tighten);

/* --- piece by piece (pieces.c) ---------------------------------------------------------------- */

/* traverse.c: nothing is known yet; room for points and audits stays. */
void gdyn_traverse_clear(gdyn_traverse *traverse);

typedef gdyn_status gdyn_piece_runner(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                                      const gdyn_traverse_settings *settings);

/* Runs every piece between the dynamics's stops from rest to rest (the ends of the path with the
 * settings' speeds; a periodic motion starts and ends at rest then), joins them, and goes back from
 * the dynamics's parameter to p. Ends with the first piece on which there is no motion. */
gdyn_status gdyn_pieces_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                            const gdyn_traverse_settings *settings, gdyn_piece_runner *run);

/* --- limits on rates (rate.c) ----------------------------------------------------------------- */

/* limits on the rate of the drive forces, |dF/dt| <= rate; of a joint's jerk, F its acceleration.
 *
 * Such a motion has a continuous d2. Nodes p_i with x = d1^2, u = d2 and the forces of all drives;
 * in every segment d2 and the forces run linearly in time, d2 with a bow 6 w f (1 - f) at the share
 * f of its time, which evens out what is limited there (w is 0 or set by the audit):
 *   x' - x = h_e (u + u' + 2 w),   dt = 2 h_e / (d1 + d1'),   h_e = h + (u' - u) dt^2 / 12,
 *   F_i = A x + B d1 + C + D u + V y,   min <= F_i <= max,   |F_{i+1} - F_i| <= rate dt.
 * y chooses the internal forces, which are part of the plan here: redundant drives can take over
 * from each other. A rest is a hold: d1 = d2 = 0 there, any allowed forces. */

typedef struct gdyn_convex_node {
    double p, x, u;
    gdyn_copy copy;
    double tighten; /* of the limits, share of half a range */
    double missed;  /* violation in the segment behind before any tightening; NAN: not known */
    double limits, rates, mean; /* of the segment behind, by the last audit: by how much limits and
                                   rates are exceeded; of the worst rate's row over the whole */
    double *y;                  /* r */
    double *F;                  /* k, of the solution */
    double *unit;               /* k: half ranges */
    /* of forces along a given motion: weights of |F - wanted|^2 and of |F' - F|^2, F' of the
     * next */
    double near, link, *wanted; /* k */
} gdyn_convex_node;

/* The fastest motion; with `even` a given one, p, x and u held, whose forces are to be even. */
typedef struct gdyn_convex {
    int count, k, r; /* nodes, rows, columns of V */
    gdyn_convex_node *node;
    bool even;
    const double *counted;       /* even: k; 0: the row's force does not count */
    const double *rate;          /* k; INFINITY: none */
    double *slow;                /* count - 1: factor <= 1 on the rates of a segment */
    double *h;                   /* count - 1: h_e */
    double *bow;                 /* count - 1: w */
    double *cap;                 /* count - 1: largest |u' - u| / dt; INFINITY: none */
    double X, U;                 /* sizes of x and u */
    double evenness;             /* weight of even rates beside the time, set by the solver */
    bool fixed_x[2], fixed_u[2]; /* at both ends */
} gdyn_convex;

typedef struct gdyn_convex_outcome {
    bool possible;
    double time;
    double excess; /* not possible: all limits giving way by this share (of half a range, of the
                      rate) would just allow a motion near by */
} gdyn_convex_outcome;

/* The fastest motion near the one in the nodes, which need not keep any limit; within `gap` of its
 * time, and strictly inside all limits. Even forces alike. */
gdyn_status gdyn_convex_solve(gdyn_convex *problem, double gap, gdyn_convex_outcome *outcome);
/* The share by which all limits have to be relaxed for the motion as it is. */
double gdyn_convex_excess(gdyn_convex *problem);
/* Time of segment i. */
double gdyn_convex_time(const gdyn_convex *problem, int i);

/* A problem with where it comes from. */
typedef struct gdyn_rate_plan {
    gdyn_arena *arena;
    gdyn_convex q;
    gdyn_path_dynamics *dynamics;
    double *work; /* k (r + 4 + GDYN_AUDIT_PARTS) */
    gdyn_traverse *out;
    gdyn_audit_point *audit;
    int audits;
    gdyn_copy *part; /* GDYN_AUDIT_PARTS - 1 places in every segment */
    double violation, violation_p;
} gdyn_rate_plan;

/* Looks between the nodes; bends d2 and tightens where something is violated there (bow,
 * node.tighten, slow), the more the later the round. */
gdyn_status gdyn_rate_audit(gdyn_rate_plan *plan, int round);

/* The motion after the time t in segment i, or at a share of its length; t counts
 * from its beginning. */
gdyn_sample gdyn_rate_motion(const gdyn_convex *problem, int i, double t);
gdyn_sample gdyn_rate_along(const gdyn_convex *problem, int i, double share);

/* Replaces the fastest motion without rate limits, in out, by the fastest one with them. The part
 * of the path is the dynamics's present one. Not possible: status RATE. */
gdyn_status gdyn_rate_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                          const gdyn_traverse_settings *settings);

/* --- forces of least norm (least_forces.c) ---------------------------------------------------- */

typedef struct gdyn_least_forces gdyn_least_forces;

/* Workspace for poses with up to so many rows and redundant drives. NULL: no memory. */
gdyn_least_forces *gdyn_least_forces_create(int rows, int redundancy);
void gdyn_least_forces_destroy(gdyn_least_forces *forces);
/* Forces (k of the pose's coefficients), owned by the workspace; NULL when (d1, d2) is not
 * accessible. They do not depend on the particular solution or the basis V of the coefficients. */
const double *gdyn_least_forces_at(gdyn_least_forces *forces, const gdyn_pose *pose, double d1,
                                   double d2);

/* gdyn_force_unit of all rows. unit: k. */
void gdyn_force_units(const gdyn_coefficients *q, double *unit);

/* V (k x r, column-major) and the units of its rows; 0: the row does not count. */
typedef struct gdyn_force_norm {
    int k, r;
    const double *V, *unit;
    double *gram, *y, *step; /* r x r, r, r: workspace */
} gdyn_force_norm;

/* False when V has no full rank in the rows that count. */
bool gdyn_force_norm_factor(const gdyn_force_norm *norm);
/* part = c + V y of least sum (part_i / unit_i)^2: k each. */
void gdyn_force_norm_least(const gdyn_force_norm *norm, const double *c, double *part);

/* --- forces that change little (smooth.c) ----------------------------------------------------- */

/* Given are forces w_i at the places i of a motion, at times t_i. Wanted are forces n_i = c_i + V_i
 * y_i (c_i: any forces of the same motion) within low_i <= n_i <= high_i of least
 *     sum_i dt_i |n_i - w_i|^2 + tau^2 sum_i |n_{i+1} - n_i|^2 / (t_{i+1} - t_i),
 * every drive counted in its own unit: integral |n - w|^2 + tau^2 |dn/dt|^2 dt. Without limits this
 * is the filter w -> n with the kernel exp(-|t|/tau) / (2 tau), evening out over the time tau. */

typedef struct gdyn_smooth_place {
    double t;                 /* never before that of the place before */
    int k, r;                 /* k = 0: forces are not known here, neighbours are not coupled */
    const double *V;          /* k x r, column-major; r = 0: nothing to choose */
    const double *low, *high; /* k; infinite: no limit */
    const double *wanted;     /* k: forces w */
    double *n;                /* k: c, inside its limits where they leave room; then the result */
} gdyn_smooth_place;

typedef struct gdyn_smooth_info {
    bool converged;
    double before, after; /* sum over t of |dn|^2 / dt of the forces w and of the result */
} gdyn_smooth_info;

/* unit: of each row; 0: the row is a further limit of another row's drive and not counted. GDYN_OK
 * also without convergence (n is then w). */
gdyn_status gdyn_smooth(int count, gdyn_smooth_place *place, int rows, const double *unit,
                        double tau, gdyn_smooth_info *info);

/* --- sources of coefficients (machine_dynamics.c, table_dynamics.c, path_dynamics.c) ---------- */

/* --- machine_dynamics.c ----------------------------------------------------------------------- */

typedef struct gdyn_machine_dynamics {
    const gdyn_model *model;
    const gdyn_path *path;
    gdyn_evaluator *evaluator;
    const gdyn_track *track; /* followed by others, or `own` */
    gdyn_track *own;
    gdyn_path_place *place;
    gdyn_pose *pose;
    double evaluated;         /* p to which the pose belongs; NAN: none */
    gdyn_reversals reversals; /* where dry forces change at once */
    double *rest;             /* 2 n: u_p, u_pp without rounding where the machine stands still */
    double *along;            /* 2 n: du/ds, d2u/ds2 */
    const gdyn_singularities *singular; /* known to others, or `found` */
    gdyn_singularities found;
    gdyn_regular *regular;          /* rests, corners and the travel s */
    double *numbers;                /* 8 rows, 3 n: A, B, D, slopes of the limits and errors in s */
    gdyn_coefficients coefficients; /* in s */
    double g, slope;                /* ds/dp and its derivative at the last place measured */
} gdyn_machine_dynamics;

/* track, singular: as of gdyn_path_dynamics_followed, or NULL. */
gdyn_machine_dynamics *gdyn_machine_dynamics_create(const gdyn_model *model, const gdyn_path *path,
                                                    const gdyn_track *track,
                                                    const gdyn_singularities *singular);
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

/* --- table_dynamics.c ------------------------------------------------------------------------- */

typedef struct gdyn_table_dynamics {
    int points, k, r, width; /* width: numbers of one point */
    double *p;               /* points */
    /* points x width: A, B, C, D, min, max, slopes of min, max (k each), V (k x r), d1_low,
     * d1_high, equalities (4 each) */
    double *numbers;
    int *speed_row; /* points: d1_high_window */
    int equalities; /* of every point */
    double *now;    /* width */
    int last;       /* the piece that was asked for last */
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

/* --- path_dynamics.c -------------------------------------------------------------------------- */

/* A stop, break or knot lies between two places, or at most `near` outside. */
bool gdyn_path_dynamics_bends(const gdyn_path_dynamics *dynamics, double from, double to,
                              double near);

struct gdyn_path_dynamics {
    gdyn_machine_dynamics *machine; /* one of these two is NULL */
    gdyn_table_dynamics *table;
    int points;
    double *rate;     /* rows, or NULL */
    bool in_s;        /* the parameter is the travel, not p */
    int stops;        /* places where every motion has to stop, */
    double *stop;     /* ascending, in the present parameter */
    int breaks;       /* places where coefficients jump, */
    double *break_at; /* likewise */
    bool windowed;    /* a part of the path */
    double from, to;
    void (*watch)(void *context, long places);
    void *watch_context;
    const volatile sig_atomic_t *halt; /* not zero: no further place is evaluated */
    long asked;
};

/* --- between.c -------------------------------------------------------------------------------- */

/* Coefficients at the parts p (GDYN_AUDIT_PARTS + 1, both ends included) of the segment behind
 * place i, into `part` (of all but the ends; zero before): of the middle from the dynamics, of the
 * others by interpolation as far as that is accurate, else they stay as they are. */
gdyn_status gdyn_between_places(gdyn_grid *grid, int i, const double *p, gdyn_copy *part);

/* --- close.c ---------------------------------------------------------------------------------- */

/* The rows at places that follow each other along a path. */
typedef struct gdyn_close_rows gdyn_close_rows;

gdyn_close_rows *gdyn_close_rows_create(gdyn_path_dynamics *dynamics);
void gdyn_close_rows_destroy(gdyn_close_rows *rows);
/* Coefficients at place i of `count`, and the speeds of the rows' drives for d1 = 1 (NAN: not
 * known), until the next call. i = 0, 1, 2, ... */
gdyn_status gdyn_close_rows_at(gdyn_close_rows *rows, int count, const gdyn_sample *sample, int i,
                               const gdyn_coefficients **coefficients, const double **speed,
                               gdyn_point_status *found);
