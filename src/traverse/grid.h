/* grid.h - places of the path with their coefficients, regions and convex cells (internal to
 * traverse). */
#ifndef GDYN_TRAVERSE_GRID_H
#define GDYN_TRAVERSE_GRID_H

#include "traverse/inequality.h"
#include "traverse/strip.h"
#include "traverse/traverse.h"

enum { GDYN_SPANS_OF_X = 8 };

/* A set of x as disjoint ascending intervals. */
typedef struct gdyn_x_set {
    int count;
    double low[GDYN_SPANS_OF_X], high[GDYN_SPANS_OF_X];
} gdyn_x_set;

/* Adds an interval; the nearest ones are joined when there are too many (selected by
 * `outer`: else the smallest is dropped). */
void gdyn_x_set_add(gdyn_x_set *set, double low, double high, bool outer);
/* Takes off the set what lies above x. */
void gdyn_x_set_limit(gdyn_x_set *set, double x);

/* One place's coefficients: a copy of them, or borrowed (numbers NULL). */
typedef struct gdyn_copy {
    gdyn_coefficients coefficients;
    double *numbers;
} gdyn_copy;

gdyn_status gdyn_copy_take(gdyn_copy *copy, const gdyn_coefficients *from);
void gdyn_copy_free(gdyn_copy *copy);

/* Cells of one line above and one below, low x + low_at <= u <= up x + up_at, from <= x <= to, as columns: two of them are
 * looked at at once. */
typedef struct gdyn_cell_columns {
    double *from, *to, *up, *up_at, *low, *low_at;
} gdyn_cell_columns;

/* A region as convex sets in (x, u), ascending; upper and lower arcs become lines that lie inside (or outside)
 * of them; every cell has room for `spare` more lines on each side once they are opened. */
typedef struct gdyn_cells {
    int count, capacity;
    gdyn_strip *cell;         /* NULL or without meaning where they are narrow */
    bool narrow;              /* they are in the columns, */
    gdyn_cell_columns column; /* the last one twice where their number is odd */
    double *numbers;
    int room; /* numbers */
    int spare;
    bool scoped; /* d1_top and pieces matter */
} gdyn_cells;

/* A cell, to be looked at. */
static inline gdyn_strip gdyn_cells_at(const gdyn_cells *cells, int c) {
    const gdyn_cell_columns *k = &cells->column;
    if (!cells->narrow)
        return cells->cell[c];
    return (gdyn_strip){.up = {1, k->up + c, k->up_at + c},
                        .low = {1, k->low + c, k->low_at + c},
                        .x_low = k->from[c],
                        .x_high = k->to[c]};
}
/* The cells as strips of their own, to which lines may be added. */
gdyn_status gdyn_cells_open(gdyn_cells *cells);

/* The part of the plane considered. */
typedef struct gdyn_cell_extent {
    double x_cap;  /* no motion is faster */
    double d1_top; /* cells are fine up to here */
    int pieces;    /* cells up to d1_top where arcs are curved in (x, u) */
} gdyn_cell_extent;

/* Pieces up to d1_top that the curved arcs of a region ask for, scope->pieces at most. */
int gdyn_cells_pieces(const gdyn_region *region, const gdyn_cell_extent *scope);
gdyn_status gdyn_cells_make(gdyn_cells *cells, const gdyn_region *region,
                            const gdyn_cell_extent *scope, bool outer, int spare);
void gdyn_cells_free(gdyn_cells *cells);

typedef enum gdyn_place_kind { GDYN_NODE, GDYN_MIDDLE, GDYN_EXTRA } gdyn_place_kind;

typedef struct gdyn_place {
    double p;
    gdyn_place_kind kind;
    gdyn_point_status found;
    gdyn_copy copy;
    const gdyn_region *region; /* of the tightened limits */
    gdyn_region *own;          /* that region, unless it was known; or NULL */
    double tighten;            /* share of half a range */
    double d1_max;             /* greatest accessible d1, limits not tightened; NAN: none */
    double made;               /* tightening that the region was made with; NAN: not made */
    bool fresh;                /* not yet in its order */
    bool split;                /* the segment behind it is too long */
    bool refine;               /* a node: the segment up to the next node shall be halved */
    gdyn_copy *
        audit; /* GDYN_AUDIT_PARTS - 1 places in the segment behind it; NULL: not taken, or not kept */
    int dense; /* they stand closer towards it (1), towards the next place (2) */
    gdyn_cells cells;
    bool watched; /* searched for zero-inertia points up to the next place */
    /* zeros + dips: inequalities whose delta vanishes here, then those whose delta is least in size
     * here and small; or NULL */
    gdyn_inequality_sum *zero;
    int zeros, dips;
    bool graded;     /* nodes are dense around it where they should */
    gdyn_cells into; /* zeros > 0: cells of the segment that ends here */
    double x_most;   /* no motion is faster here because of a zero-inertia point; INFINITY: none */
    double x_star, m_star; /* that motion itself, here and in the middle of the segment behind */
    double u_met, u_most;  /* greatest |u| of the cells, and what is let through */
    gdyn_x_set k, middle;  /* controllable sets here and in the middle of the segment behind */
    double x, u, u_end;    /* the motion: u at both ends of the segment that begins here */
    int leap;              /* that segment leaps up (1), down (-1): leap.c; 0: it is ordinary */
    bool timeless;         /* with leaps: nothing bounds d1 on the way to the next place */
} gdyn_place;

/* Workspace of a run. */
typedef struct gdyn_grid {
    gdyn_path_dynamics *dynamics;
    gdyn_traverse_settings settings;
    gdyn_access *access;
    gdyn_region *region; /* scratch */
    double *min, *max;   /* scratch limits */
    gdyn_cell_extent scope;
    bool
        held_back; /* d2 is held back beside zero-inertia points instead of following their slope */
    bool leaps;    /* d1 may leap at zero-inertia points where nothing bounds d2 (leap.c) */
    double gap;    /* between both bounds of the time in the last round; 0: none */
    bool strict;   /* how the causes of the gap were searched for then (bound.c) */
    double ahead;  /* greatest share of d1^2 by which the motion was faster than the bound */
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
/* Puts an extra place in the middle of every marked segment, as far as the settings allow; marks are
 * taken off. */
gdyn_status gdyn_grid_split(gdyn_grid *grid, int *inserted);
/* Region of the coefficients with limits tightened by that share of half their range. */
gdyn_status gdyn_grid_region(gdyn_grid *grid, const gdyn_coefficients *q, double tighten,
                             gdyn_region *region);
/* Regions of all places with their own tightening and the settings' relaxation. */
gdyn_status gdyn_grid_regions(gdyn_grid *grid);
/* What part of the plane matters: sets grid->scope from the regions. */
void gdyn_grid_scope(gdyn_grid *grid);
/* accelerations.c: limits u of all cells as lines of their own, beside places where it is unbounded. */
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
/* The same with all limits relaxed by a further share of half their range; `scoped`: the part of the plane is chosen
 * anew. The motion of the places is lost. */
gdyn_status gdyn_plan_relaxed(gdyn_grid *grid, double relax, bool scoped, gdyn_plan *plan);

/* --- segment.c: the segment behind place i ----------------------------------------------------- */

double gdyn_segment_length(const gdyn_grid *grid, int i);
/* Where its middle ordinate m may lie: islands' ends in the middle, and what a zero-inertia point lets pass. */
gdyn_x_set gdyn_segment_middle(const gdyn_grid *grid, int i);
/* Its second half as a strip in (m, u1); e: cell of the next place. */
gdyn_status gdyn_segment_arrive(gdyn_grid *grid, int i, const gdyn_strip *e, gdyn_strip *strip);
/* Controllable sets of the middle and of place i from that of place i + 1. hint: where the last step found its ends. */
gdyn_status gdyn_segment_back(gdyn_grid *grid, int i, gdyn_strip_hint hint[4]);
/* Greatest x at the next place, with the greatest m that leads there; found is false when rounding has
 * closed what the backward pass left open. */
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

/* Adds the inequalities of the segments beside place i, one of them a zero-inertia point, to its cells. */
gdyn_status gdyn_inertia_cells(gdyn_grid *grid, int i);
/* Sets every place's x_most. */
void gdyn_inertia_limit(gdyn_grid *grid);

/* --- leap.c ----------------------------------------------------------------------------------- */

/* With grid->leaps, adds to the controllable set of place i what a leap over the segment behind it leads
 * into the next one. */
void gdyn_leap_back(gdyn_grid *grid, int i);
/* Lets place i leap where that leads to a faster next place than its ordinary segment (found: there is one);
 * false when neither leads on. */
bool gdyn_leap_forward(gdyn_grid *grid, int i, bool found);
/* Whether there is a stretch without any bound of d1; with grid->leaps, marks the places that are `timeless`.
 * Regions are made. */
bool gdyn_leap_stretches(gdyn_grid *grid);
/* Whether nothing bounds d1 at any place. */
bool gdyn_leap_unbounded(const gdyn_grid *grid);
/* The leaps of the plan and the stretches that take no time, into `out`. */
void gdyn_leap_take(const gdyn_grid *grid, gdyn_traverse *out);

/* --- curve.c ---------------------------------------------------------------------------------- */

/* The motion where d2 is given by d1 at all places; status CURVE when no start leads to the end. */
gdyn_status gdyn_curve_make(gdyn_grid *grid, gdyn_plan *plan);

/* --- bound.c ---------------------------------------------------------------------------------- */

/* A time that no motion can beat; 0 when there is no bound, INFINITY when there is no motion. */
gdyn_status gdyn_bound_time(gdyn_grid *grid, const gdyn_plan *plan, double *lower);

/* --- widen.c ---------------------------------------------------------------------------------- */

/* Moves the bounds of the run apart by what the error of integrated poses may do to the time, and
 * keeps its effect on the limits. The motion of the places is lost. */
gdyn_status gdyn_bound_widen(gdyn_grid *grid, const gdyn_plan *plan, gdyn_traverse *out);

/* --- explain.c -------------------------------------------------------------------------------- */

/* Place, certificate and relaxation of a plan that failed. */
gdyn_status gdyn_explain(gdyn_grid *grid, const gdyn_plan *plan, gdyn_traverse *out);

/* --- audit.c ---------------------------------------------------------------------------------- */

/* Looks at the motion between the places; adds to their tightening and marks segments to split. */
gdyn_status gdyn_audit_motion(gdyn_grid *grid, gdyn_traverse *traverse, bool tighten);

#endif
