/* picture_study.h - what the pictures of a study share (internal to report): quantities of
 * designs as axes, and the marks that tell designs apart. */
#ifndef GDYN_REPORT_PICTURE_STUDY_H
#define GDYN_REPORT_PICTURE_STUDY_H

#include "report/front.h"
#include "report/picture.h"

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
    gdyn_mark *mark; /* archive.count: the mark of each design; the start has one besides */
    int stride;      /* every so many-th design off the front is shown, set by gdyn_marks_thin */
    bool *clipped;   /* archive.count: outside the window of a picture, set by gdyn_marks_write */
    double *work;    /* archive.count */
} gdyn_view;

bool gdyn_view_create(gdyn_view *view, const gdyn_outcome *outcome);
void gdyn_view_destroy(gdyn_view *view);
/* The start design, NULL when it has no values. */
const gdyn_design *gdyn_view_start(const gdyn_view *view);

/* --- axes.c: a variable, objective or constraint as an axis ----------------------------------- */

typedef enum gdyn_axis_kind {
    GDYN_AXIS_VARIABLE,
    GDYN_AXIS_OBJECTIVE,
    GDYN_AXIS_CONSTRAINT
} gdyn_axis_kind;

typedef struct gdyn_axis {
    gdyn_axis_kind kind;
    int index;
    const char *name;
    char unit[40];
    double low, high; /* SI; what is shown */
    int exponent;     /* numbers are shown in units of 10^exponent */
    double step;      /* between tics, in those units */
} gdyn_axis;

/* The axis of a quantity; its window holds the front, the better four fifths of the other feasible
 * designs, and the start (a variable: its bounds). */
gdyn_axis gdyn_axis_make(gdyn_view *view, gdyn_axis_kind kind, int index);
/* Sets the window with `margin` times its width on both sides, the exponent and the tics. */
void gdyn_axis_window(gdyn_axis *axis, double low, double high, double margin);
double gdyn_axis_value(const gdyn_axis *axis, const gdyn_design *design);
/* The value as it is shown: in units of 10^exponent. */
double gdyn_axis_shown(const gdyn_axis *axis, double value);
/* "area [10³ 1/s²]" and, for an objective with a separator (", "), "maximized" behind that; in
 * `out`, which it returns. */
const char *gdyn_axis_label(const gdyn_view *view, const gdyn_axis *axis, const char *separator,
                            char *out, size_t size);
/* The value as it is shown, rounded to the resolution of the axis; in `out`. */
const char *gdyn_axis_number(const gdyn_axis *axis, double value, char *out, size_t size);
/* "[10³ 1/s²]", or "" when there is nothing to say; in `out`, which it returns. */
const char *gdyn_axis_unit(const gdyn_axis *axis, char *out, size_t size);
/* The axis of a panel: title, range, whole numbers or the names of choices. */
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
gdyn_status gdyn_picture_designs(const char *folder, const gdyn_outcome *outcome,
                                 gdyn_pictures *pictures, const gdyn_sink *sink);

#endif
