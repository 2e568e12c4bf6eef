/* picture.h - what the pictures share (internal to report): titles of axes, curves, the
 * colours of sets of saturated limits, the window in the d1-d2 plane, sampling of regions. */
#pragma once

#include "figure/figure.h"
#include "report/front.h"
#include "report/report.h"

#include <sys/types.h>

/* --- pictures.c ------------------------------------------------------------------------------- */

/* A figure NAME_KIND with its heading. */
void gdyn_picture_begin(gdyn_figure *figure, const char *name, const char *kind, double width,
                        const char *heading, ...) __attribute__((format(printf, 5, 6)));
/* Writes the figure's script and data, adds it to the pictures and ends it; nothing where it was
 * not begun, because there is nothing to show. */
void gdyn_picture_write(gdyn_figure *figure, gdyn_pictures *pictures);
/* A name of the case as part of a heading: not too long for a page. */
gdyn_shortened gdyn_picture_name(const char *name);

/* --- file.c: what a signal handler takes away ------------------------------------------------- */

/* A file that is written, a picture as PNG, SVG, PDF and GIF: one of each at a time. */
typedef enum gdyn_unfinished_kind {
    GDYN_UNFINISHED_FILE,
    GDYN_UNFINISHED_PNG,
    GDYN_UNFINISHED_SVG,
    GDYN_UNFINISHED_PDF,
    GDYN_UNFINISHED_GIF,
    GDYN_UNFINISHED_KINDS
} gdyn_unfinished_kind;

/* The temporary file `name` is about to appear; it has got its own name, or is removed. */
void gdyn_unfinished_begin(gdyn_unfinished_kind kind, const char *name);
void gdyn_unfinished_end(gdyn_unfinished_kind kind);
/* The process that draws pictures, the first of its group; 0: none. */
void gdyn_unfinished_child(pid_t child);

/* --- curves.c: titles of axes from the vocabulary of criteria --------------------------------- */

/* What tables write in plain letters as pictures write it: "m^2/s^3" is "m²/s³". */
gdyn_words gdyn_picture_letters(const char *plain);
/* "maximum d₁ [m/s]"; words: in place of the criterion's label, or NULL. */
gdyn_words gdyn_axis_title(const char *words, gdyn_criterion criterion, const char *p_unit);
/* The same as a text of a figure; "p [m]", unit: "" or that of p. */
const char *gdyn_figure_title(gdyn_figure *f, const char *words, gdyn_criterion criterion,
                              const char *p_unit);
const char *gdyn_figure_title_of_p(gdyn_figure *f, const char *unit);

enum { GDYN_CURVES_MOST = 8 }; /* lines of a panel */
/* Logarithms of less are not drawn: it is rounding, and 0 has none. */
#define GDYN_CURVES_LEAST 1e-18

typedef struct gdyn_curve_table {
    int points, columns, step;
    const double *x;     /* every step-th of them belongs to a point */
    const double *value; /* columns x points; NaN: none */
} gdyn_curve_table;

/* Greatest magnitude, and greatest minus least value; NaN where there is no value. */
double gdyn_curves_greatest(const gdyn_curve_table *c, int column);
double gdyn_curves_range(const gdyn_curve_table *c, int column);
/* The columns that are wanted and measure most, in `list`; their number, *more: how many are
 * left out. */
int gdyn_curves_largest(const gdyn_curve_table *c, double (*measure)(const gdyn_curve_table *, int),
                        bool (*wanted)(const void *context, int column), const void *context,
                        int list[GDYN_CURVES_MOST], int *more);
/* The same as a line in the look of curve `number`. */
void gdyn_curves_draw(gdyn_figure *f, gdyn_figure_panel *panel, const gdyn_curve_table *c,
                      int column, bool absolute, int number, const char *title);
/* The range of y with a margin, also around level lines. Differences below `rounding` are level. */
void gdyn_curves_window(gdyn_figure_axis *axis, const gdyn_curve_table *c, int count,
                        const int *list, double rounding);

/* The size beyond which values over p are cut off: three times what nine tenths of the path stay
 * below. Values that are not finite do not count; NAN where none is, or all are 0. */
double gdyn_usual_size(int points, const double *p, const double *value);

/* --- legend.c: sets of saturated limits and their colours ------------------------------------- */

enum { GDYN_LEGEND_MAX = 400, GDYN_LEGEND_SHOWN = 26, GDYN_SHORT_NAME = 40 };

typedef struct gdyn_limit_set {
    int count;
    gdyn_limit active[GDYN_ACTIVE_MAX];
    char label[320]; /* "m1 +  m3 −" */
    double weight;   /* how much of the boundaries it forms */
    int used;        /* how often the picture shows it; 0: it is not in its legend */
    int slot;        /* its letter and colour, -1: none left */
} gdyn_limit_set;

typedef struct gdyn_legend {
    int count;
    gdyn_limit_set *set; /* GDYN_LEGEND_MAX */
    const gdyn_trajectory *of;
    char(*row)
        /* rows of the trajectory: names of the limits, short enough for a legend */
        [GDYN_SHORT_NAME];
} gdyn_legend;

/* Collects the sets of all boundaries at these points, the heaviest first: pictures of the same
 * points agree in colours and letters. False when memory is out. */
bool gdyn_legend_create(gdyn_legend *legend, const gdyn_trajectory *t,
                        const gdyn_region_points *at);
void gdyn_legend_destroy(gdyn_legend *legend);
/* Letters for the sets that this picture shows; where there are more sets than letters, for
 * those it shows most. */
void gdyn_legend_settle(gdyn_legend *legend);
/* Slot of the set, or -1. */
int gdyn_legend_find(const gdyn_legend *legend, const gdyn_limit *active, int count);
/* The set (put behind the others when it is new) is in this picture's legend. */
void gdyn_legend_use(gdyn_legend *legend, const gdyn_limit *active, int count);
/* Uses all sets on the boundary of the region. */
void gdyn_legend_use_region(gdyn_legend *legend, const gdyn_region *region);
/* Colour 0xRRGGBB of a slot (grey for -1). */
unsigned gdyn_legend_colour(int slot);
/* True when white text reads better on that colour than black. */
bool gdyn_legend_dark(int slot);
/* Its letter: 'a', 'b', ..., or ' '. */
char gdyn_legend_letter(int slot);
/* The used part of the legend as entries of a key. */
void gdyn_legend_draw(const gdyn_legend *legend, gdyn_figure *figure, const char *title);

/* Names of the limit rows for a legend: what all long names have in common is left out; further
 * rows of a drive are its torque-speed curve. Different limits have different names. */
void gdyn_short_names(const gdyn_trajectory *t, char (*out)[GDYN_SHORT_NAME]);

/* --- sample.c: regions within a finite window ------------------------------------------------- */

typedef struct gdyn_window {
    double d1_high, d2_low, d2_high;
} gdyn_window;

enum { GDYN_SAMPLES = 48 };

/* Nothing bounds d1 or d2 somewhere. */
bool gdyn_region_is_open(const gdyn_region *region);

/* A window that shows all finite parts of the given regions. */
gdyn_window gdyn_window_of(const gdyn_region_points *at, int count, const int *points);
/* The same as far as that d1. */
gdyn_window gdyn_window_within(const gdyn_region_points *at, int count, const int *points,
                               double d1_most);
/* d2 of the upper or lower envelope at d1 in the island, cut at the window where unbounded. */
double gdyn_sample_envelope(const gdyn_region *region, double d1, bool upper,
                            const gdyn_window *window);
/* The next panel, of the d1-d2 plane in that window. */
gdyn_figure_panel *gdyn_region_panel(gdyn_figure *f, const gdyn_window *window, const char *unit,
                                     double ratio);
/* Outlines of the region's islands as closed polygons; the index of the block, -1 when there is
 * nothing (or region is NULL). */
int gdyn_sample_outline(const gdyn_region *region, const gdyn_window *window, gdyn_figure *f);
/* Arrow heads where the window cuts what is unbounded (x, y, arrow); the index of the block,
 * -1 when all is bounded. */
int gdyn_sample_open(const gdyn_region *region, const gdyn_window *window, gdyn_figure *f);

/* --- figures that pictures and pages share ---------------------------------------------------- */

/* Filled from their beginning on, to be ended by the caller. legend: of the page, which has it
 * below the limits; NULL: one of the figure's own. */
void gdyn_limits_use(gdyn_legend *legend, const gdyn_trajectory *t); /* the sets that are shown */
/* d1_max, least and greatest d2 at rest of a region; NAN where there is none. */
double gdyn_limit_value(const gdyn_region *region, int curve);
/* The range of the greatest d1, or of d2 at rest, of all these, with 0; what grows without bound
 * beside singular places is cut off (gdyn_usual_size). False: no value is finite. */
bool gdyn_limits_range(int count, const gdyn_region_points *const *at, bool rest, double range[2],
                       bool *cut);
void gdyn_limits_figure(gdyn_figure *f, const gdyn_trajectory *t, const gdyn_legend *legend);
/* Small multiples of the regions at `count` points of `panels` (t->along or t->at), as in Fig. 1 of
 * the paper. */
void gdyn_regions_figure(gdyn_figure *f, const gdyn_trajectory *t, const gdyn_region_points *panels,
                         int count, const int *points, const gdyn_legend *legend);
void gdyn_phase_figure(gdyn_figure *f, const gdyn_trajectory *t);
/* Nothing where no forces are known. */
void gdyn_forces_figure(gdyn_figure *f, const gdyn_trajectory *t);

/* --- other figures ---------------------------------------------------------------------------- */

/* The regions over p as a body in space. */
void gdyn_tube_figure(gdyn_figure *f, const gdyn_trajectory *t);
/* The machine at several points of the path, not of a table of coefficients. */
void gdyn_machine_figure(gdyn_figure *f, const gdyn_trajectory *t);
/* The coordinates with a stated range along a followed path, those with the least margin first;
 * nothing where there is none. */
void gdyn_ranges_figure(gdyn_figure *f, const gdyn_trajectory *t, const gdyn_track *track);
/* The machine of `check`: assembled at its first guess with the paths that it follows, or the best
 * attempt with its open joints marked. */
void gdyn_pose_figure(gdyn_figure *f, const gdyn_examination *e);

/* The machine in a pose with its joints coloured by verdict. */
void gdyn_verdicts_figure(gdyn_figure *f, const char *name, const gdyn_reactions *r,
                          const gdyn_state *state);

/* --- skeleton.c ------------------------------------------------------------------------------- */

/* --- pictures of a study ---------------------------------------------------------------------- */

/* --- marks.c: a study arranged for its pictures ----------------------------------------------- */

/* Marks, in the order in which they cover each other. */
typedef enum gdyn_mark {
    GDYN_MARK_INFEASIBLE, /* has values, but is not ok */
    GDYN_MARK_DOMINATED,  /* feasible */
    GDYN_MARK_FRONT,      /* nondominated */
    GDYN_MARK_START,
    GDYN_MARKS
} gdyn_mark;

typedef struct gdyn_view {
    const gdyn_outcome *outcome;
    const gdyn_instance *start;
    const gdyn_archive *archive;
    int stride;  /* every so many-th design off the front is shown, set by gdyn_marks_thin */
    int clipped; /* designs outside the window of a picture, set by gdyn_marks_write */
} gdyn_view;

gdyn_view gdyn_view_of(const gdyn_outcome *outcome);
/* The start design, NULL when it has no values. */
const gdyn_design *gdyn_view_start(const gdyn_view *view);

/* --- axes.c: a variable, objective or constraint as an axis ----------------------------------- */

typedef struct gdyn_axis {
    gdyn_trait of;
    double low, high; /* SI; what is shown */
    int exponent;     /* numbers are shown in units of 10^exponent */
} gdyn_axis;

/* The axis of a quantity; its window holds the front, the better four fifths of the other feasible
 * designs, and the start (a variable: its bounds). */
gdyn_axis gdyn_axis_make(const gdyn_view *view, gdyn_trait_kind kind, int index, gdyn_figure *f);
/* Sets the window with `margin` times its width on both sides, the exponent and the tics. */
void gdyn_axis_window(gdyn_axis *axis, double low, double high, double margin);
double gdyn_axis_value(const gdyn_axis *axis, const gdyn_design *design);
/* The value as it is shown: in units of 10^exponent. */
double gdyn_axis_shown(const gdyn_axis *axis, double value);
/* "[10³ 1/s²]", or "" when there is nothing to say; "area [10³ 1/s²]", with at most so many letters
 * of the name. */
const char *gdyn_axis_unit(const gdyn_axis *axis, gdyn_figure *f);
/* The value as it is shown, rounded to the resolution of the axis. */
gdyn_words gdyn_axis_number(const gdyn_axis *axis, double value);
/* The axis of a panel: its label and range. */
gdyn_figure_axis gdyn_axis_of_result(const gdyn_axis *axis, int most, gdyn_figure *f);
/* The same of a variable, objective or constraint: whether it is maximized, whole numbers or the
 * names of choices. */
gdyn_figure_axis gdyn_axis_of_figure(const gdyn_view *view, const gdyn_axis *axis, gdyn_figure *f);

/* --- marks.c, continued ----------------------------------------------------------------------- */

/* So many designs off the front that `cells` pictures of them stay small: a page holds some ten
 * thousand points. */
void gdyn_marks_thin(gdyn_view *view, int cells);
/* A data block per mark with a column per axis, 0 where no design has that mark; numbered: the
 * number of the design in one more column. */
void gdyn_marks_write(gdyn_figure *f, gdyn_view *view, int count, const gdyn_axis *axes,
                      bool numbered, int block[GDYN_MARKS]);
/* The layers of column y over column x. */
void gdyn_marks_draw(gdyn_figure *f, gdyn_figure_panel *panel, int x, int y,
                     const int block[GDYN_MARKS]);
/* The key of the marks that there are. */
void gdyn_marks_key(gdyn_figure *f, const int block[GDYN_MARKS]);
/* The heading "star: 400 designs, 390 feasible" and "4 without values and 3 outside the axes are
 * not shown". */
void gdyn_marks_title(gdyn_figure *f, const gdyn_view *view);

/* --- pictures --------------------------------------------------------------------------------- */

/* To be ended by the caller. */
void gdyn_front_figure(gdyn_figure *f, const gdyn_outcome *outcome);
void gdyn_history_figure(gdyn_figure *f, const gdyn_outcome *outcome);
void gdyn_failures_figure(gdyn_figure *f, const gdyn_outcome *outcome);
void gdyn_parallel_figure(gdyn_figure *f, const gdyn_outcome *outcome);
void gdyn_variables_figure(gdyn_figure *f, const gdyn_outcome *outcome);

/* A picture for each trajectory of a machine with drives; none while nothing is feasible. */
void gdyn_picture_designs(gdyn_pictures *pictures, const gdyn_outcome *outcome);
