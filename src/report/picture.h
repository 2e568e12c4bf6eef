/* picture.h - what the pictures share (internal to report): scripts and data in the making, the
 * colours of sets of saturated limits, the window in the d1-d2 plane, sampling of regions. */
#ifndef GDYN_REPORT_PICTURE_H
#define GDYN_REPORT_PICTURE_H

#include "report/column.h"
#include "report/report.h"

/* --- script.c: a gnuplot script and its data file --------------------------------------------- */

enum { GDYN_LAYOUTS = 7 }; /* the ordinary one, and columns */

/* Size of letters [pt]: of pictures as they are laid out, 13 pixels of 1/96 inch; at least, where a width is stated. */
#define GDYN_LETTERS      9.75
#define GDYN_LETTERS_READ 7.5

typedef struct gdyn_script {
    gdyn_text gp, data; /* gp: of the layout in the making */
    char stem[160];     /* file name without extension */
    int blocks;         /* data blocks finished so far: gnuplot's index of the next one */
    int layers;         /* of the plot in the making */
    size_t plot;        /* where it begins */
    bool space;         /* it is a view in space */
    /* layouts */
    bool moving;
    int layout;         /* the one in the making; 0: the ordinary one */
    int ordinary, high; /* width and height of the ordinary page [px of letters of 13] */
    double wide, tall;  /* of the page in the making [the same] */
    gdyn_text pages;    /* the layouts that are complete */
    double page[GDYN_LAYOUTS], height[GDYN_LAYOUTS]; /* their sizes; 0: none */
    size_t *block; /* blocks + 1: where each begins in the data, the next one at last */
    int block_capacity;
    gdyn_column_page column;
} gdyn_script;

/* Begins NAME_KIND.gp (KIND.gp when the name is empty): a loop over formats, PNG and SVG of that size in pixels where
 * nothing else is asked for. What follows is the ordinary layout. */
void gdyn_script_begin(gdyn_script *script, const char *name, const char *kind, int width,
                       int height);
/* Begins the next layout of the same picture, for a narrower page; false when there are no more:
 *     do { ... } while (gdyn_script_again(&script));
 * gnuplot takes the widest one in which letters of the size asked for have room. */
bool gdyn_script_again(gdyn_script *script);
/* The layout in the making is that of a column: page.c places headings, notes, keys and panels one below the other. */
bool gdyn_script_narrow(const gdyn_script *script);
/* The same of a script that also draws a GIF: it sets terminal and output of the format 'gif' itself. */
void gdyn_script_begin_moving(gdyn_script *script, const char *name, const char *kind, int width,
                              int height);
void gdyn_script_line(gdyn_script *script, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ends a data block and returns its index; that of an equal one that an earlier layout has written. */
int gdyn_script_end_block(gdyn_script *script);
/* Text for a double-quoted gnuplot string, in `out`, which it returns. */
const char *gdyn_script_quote(const char *text, char *out, size_t size);
/* The same for the text of a tic, which gnuplot takes for a format of numbers. */
const char *gdyn_script_tic(const char *text, char *out, size_t size);
/* At most `most` characters of the text, the last of them an ellipsis when it was cut. */
const char *gdyn_shorten(const char *text, int most, char *out, size_t size);
/* A name as part of a heading: shortened where it would run off the page, and quoted. */
const char *gdyn_script_heading(const char *name, char *out, size_t size);
/* A step of 1, 2 or 5 times a power of ten that divides the length into about so many parts. */
double gdyn_round_step(double length, int parts);
/* Closes the loop, writes both files, frees. */
gdyn_status gdyn_script_finish(gdyn_script *script, const char *folder, const gdyn_sink *sink);

/* --- page.c: the look of a page. Places are shares of its width and height, x from the left, y from below; on a page
 * for a column they do not count, texts and panels follow each other. ----- */

/* A large text, left at (x, y); a note of any look: "left font ',11'". Both quoted by the caller. */
void gdyn_page_heading(gdyn_script *script, double x, double y, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void gdyn_page_note(gdyn_script *script, double x, double y, const char *look, const char *format,
                    ...) __attribute__((format(printf, 5, 6)));
/* The next plot is without the labels, arrows and rectangles so far. */
void gdyn_page_clear(gdyn_script *script);

/* Where the next plots stand; in a column the height alone counts, in proportion. */
void gdyn_page_columns(gdyn_script *script, double left, double right);
void gdyn_page_rows(gdyn_script *script, double top, double bottom);
/* A grey border, tics outside, a pale grid. */
void gdyn_page_axes(gdyn_script *script);
/* The key with its upper left corner at (x, y); more: further settings. Any other key; none in the next plots. */
void gdyn_page_key(gdyn_script *script, double x, double y, const char *more);
void gdyn_page_any_key(gdyn_script *script, const char *settings);
void gdyn_page_no_key(gdyn_script *script);
/* A text that belongs to a key, as its first line. */
void gdyn_page_key_title(gdyn_script *script, const char *text, const char *more);
/* A sample of a line or of an area, for keys that gnuplot does not make; a note follows. */
void gdyn_page_line(gdyn_script *script, double x, double to, double y, const char *look);
void gdyn_page_patch(gdyn_script *script, double x, double to, double bottom, double top,
                     const char *colour);
/* A band behind the next plot, from one value on its x axis to another. */
void gdyn_page_band(gdyn_script *script, double from, double to, const char *colour);

/* Titles of the axis 'x' or 'y' and of a plot; a text above a plot at its left side, with a number. All quoted; more, look:
 * further settings. */
void gdyn_page_label(gdyn_script *script, char axis, const char *text, const char *more);
void gdyn_page_title(gdyn_script *script, const char *text, const char *more);
void gdyn_page_caption(gdyn_script *script, int number, double y, const char *look,
                       const char *text);
/* Range of an axis; tics follow it in a column, unless the picture has its own. */
void gdyn_page_range(gdyn_script *script, char axis, double low, double high);
void gdyn_page_tics(gdyn_script *script, char axis, double low,
                    double high); /* gnuplot's own range */
void gdyn_page_own_tics(gdyn_script *script, char axis);
void gdyn_page_logarithmic(gdyn_script *script, char axis, double low, double high);
/* A quoted name of a lane, shortened to that width in a column; in `out`, or itself. */
const char *gdyn_page_name(const gdyn_script *script, const char *name, double width,
                           char out[300]);
/* Whether the axis has numbers. */
void gdyn_page_numbers(gdyn_script *script, char axis, bool numbers);

/* In a column alone. All panels have room for names of lanes at the left, the longest of which is that wide; the width that
 * names may have. The next panel has lanes of which each has a name; a height over its width; pixels above and
 * below it for more than texts and numbers; its axis has whole numbers; the sample that the next note belongs to, as a look
 * behind "with". */
double gdyn_page_names(gdyn_script *script, double longest);
void gdyn_page_margin(gdyn_script *script, double width); /* in place of that for numbers */
void gdyn_page_lanes(gdyn_script *script, int lanes);
void gdyn_page_ratio(gdyn_script *script, double ratio);
/* The scale of colours below the next panels (NAN: none), across the page or as wide as they are; lines for the titles of all panels of a row. */
void gdyn_page_scale(gdyn_script *script, double low, double high, bool across);
void gdyn_page_reserve(gdyn_script *script, int lines);
void gdyn_page_spare(gdyn_script *script, double above, double below);
void gdyn_page_whole(gdyn_script *script, char axis, bool whole);
void gdyn_page_sample(gdyn_script *script, const char *look);
/* The next panel is this cell of a row of so many of that height (alone: each with numbers of its own); cells: as many as
 * leave each `least` pixels. */
void gdyn_page_cell(gdyn_script *script, int cell, int cells, bool alone, double height);
int gdyn_column_cells(const gdyn_script *script, int most, double least, bool alone);
double gdyn_column_room(const gdyn_script *script, int cells, bool alone);
/* Notes and keys that follow stand below all panels. */
void gdyn_column_below(gdyn_script *script, bool below);

/* column.c, for script.c and page.c: begins and ends a page; a note, that of a sample when there is one; places the plot
 * that begins there in the script. */
void gdyn_column_begin(gdyn_script *script);
void gdyn_column_end(gdyn_script *script);
void gdyn_column_note(gdyn_script *script, const char *look, const char *text);
void gdyn_column_plot(gdyn_script *script, size_t from);

/* A plot is written layer by layer: columns and look of a block of the data (of none when it is negative), or
 * anything else that gnuplot draws; then it ends, as an empty one when it has no layers. */
void gdyn_plot(gdyn_script *script, int block, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gdyn_plot_more(gdyn_script *script, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gdyn_plot_end(gdyn_script *script);
/* The next plot is a view in space. */
void gdyn_plot_space(gdyn_script *script);
/* A text in place of a plot. */
void gdyn_plot_nothing(gdyn_script *script, const char *why);

/* Colours of Okabe and Ito (2008), which colour-blind readers can tell apart; then lighter ones of them, darker and pale
 * ones, and so on over and over. */
enum { GDYN_COLOURS = 8 };
unsigned gdyn_page_colour(int i);

/* --- axis_titles.c: titles of axes from the vocabulary of criteria ------------------------------------ */

/* What tables write in plain letters as pictures write it: "m^2/s^3" is "m²/s³". */
gdyn_words gdyn_picture_letters(const char *plain);
/* "p [m]"; unit: "" or that of p. */
gdyn_words gdyn_axis_title_of_p(const char *unit);
/* Unit of a criterion as pictures write it: "m²/s³". p_unit: "" or the unit of p. */
gdyn_words gdyn_picture_unit(gdyn_criterion criterion, const char *p_unit);
/* "greatest d₁ [m/s]"; words: in place of the criterion's label, or NULL. */
gdyn_words gdyn_axis_title(const char *words, gdyn_criterion criterion, const char *p_unit);

/* --- curves.c: many quantities over one --------------------------------------------------------- */

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
/* The columns that are wanted and measure most, in `list`; their number, *more: how many are left out. */
int gdyn_curves_largest(const gdyn_curve_table *c, double (*measure)(const gdyn_curve_table *, int),
                        bool (*wanted)(const void *context, int column), const void *context,
                        int list[GDYN_CURVES_MOST], int *more);
/* A block of x and a column (its magnitude when `absolute`) with gaps where there is no value; its index. */
int gdyn_curves_write(gdyn_script *script, const gdyn_curve_table *c, int column, bool absolute);
/* The range of y: gnuplot's own, but around level lines, for which it has none. Differences below `rounding` are level. */
void gdyn_curves_window(gdyn_script *script, const gdyn_curve_table *c, int count, const int *list,
                        double rounding);

/* --- usual.c ---------------------------------------------------------------------------------- */

/* The size beyond which values over p are cut off: three times what nine tenths of the path stay below. Values that are not
 * finite do not count; NAN where none is, or all are 0. */
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
    char (*row)
        [GDYN_SHORT_NAME]; /* rows of the trajectory: names of the limits, short enough for a legend */
} gdyn_legend;

/* Collects the sets of all boundaries at these points, the heaviest first: pictures of the same points agree
 * in colours and letters. False when memory is out. */
bool gdyn_legend_create(gdyn_legend *legend, const gdyn_trajectory *t,
                        const gdyn_region_points *at);
void gdyn_legend_destroy(gdyn_legend *legend);
/* Letters for the sets that this picture shows; where there are more sets than letters, for those it shows most. */
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
/* Script lines that draw the used part of the legend between the screen heights, left edge at screen x. */
void gdyn_legend_draw(const gdyn_legend *legend, gdyn_script *script, double x, double top,
                      double bottom, const char *title);

/* --- short_names.c ---------------------------------------------------------------------------- */

/* Names of the limit rows for a legend: what all long names have in common is left out; further
 * rows of a drive are its torque-speed curve. Different limits have different names. */
void gdyn_short_names(const gdyn_trajectory *t, char (*out)[GDYN_SHORT_NAME]);

/* --- sample.c: regions within a finite window ------------------------------------------------- */

typedef struct gdyn_window {
    double d1_high, d2_low, d2_high;
} gdyn_window;

enum { GDYN_SAMPLES = 48 };

/* A window that shows all finite parts of the given regions. */
gdyn_window gdyn_window_of(const gdyn_region_points *at, int count, const int *points);
/* The same as far as that d1. */
gdyn_window gdyn_window_within(const gdyn_region_points *at, int count, const int *points,
                               double d1_most);
/* d2 of the upper or lower envelope at d1 in the island, cut at the window where unbounded. */
double gdyn_sample_envelope(const gdyn_region *region, double d1, bool upper,
                            const gdyn_window *window);
/* Outlines of the region's islands as closed polygons; the index of the block, -1 when there is
 * nothing (or region is NULL). */
int gdyn_sample_outline(const gdyn_region *region, const gdyn_window *window, gdyn_script *script);
/* Arrow heads where the window cuts what is unbounded (x, y, arrow); the index of the block,
 * -1 when all is bounded. */
int gdyn_sample_open(const gdyn_region *region, const gdyn_window *window, gdyn_script *script);
/* GDYN_SAMPLES + 1 values of d1 over the island that hit no breakpoint by much but follow its
 * curves: denser towards both ends, where envelopes meet. */
void gdyn_sample_d1(const gdyn_island *island, const gdyn_window *window,
                    double d1[GDYN_SAMPLES + 1]);

/* --- picture_limits.c, picture_traverse.c: what pictures and pages show alike -------------------- */

/* Strips over p of the limits that are saturated. */
typedef enum gdyn_limit_strip {
    GDYN_STRIP_SPEED,    /* at the greatest d1 */
    GDYN_STRIP_FORWARD,  /* at the greatest d2 at rest */
    GDYN_STRIP_BACKWARD, /* at the least d2 at rest */
    GDYN_STRIPS
} gdyn_limit_strip;
/* Limits that a strip shows at a point (GDYN_ACTIVE_MAX at most); their number, 0 when nothing holds back there. */
int gdyn_strip_limits(const gdyn_region *region, gdyn_limit_strip kind, gdyn_limit *out);
/* The greatest d1 that a phase plane shows: above the motion and the controllable set, and above the greatest speeds where
 * they are near. given: the motion is not the fastest one. */
double gdyn_phase_top(const gdyn_traverse *t, bool given);
/* What a phase plane shows at one place: controllable speeds, the greatest accessible one, that of the motion. */
typedef struct gdyn_phase_place {
    double p, k_low, k_high, d1_max, d1;
} gdyn_phase_place;
enum { GDYN_PHASE_PIECES = 16 };
/* The places at which curves `top` high are drawn from point i to the next one, that one excluded; their number, 1 where
 * the curves are straight. */
int gdyn_phase_places(const gdyn_trajectory *d, int i, double top,
                      gdyn_phase_place out[GDYN_PHASE_PIECES]);

/* --- figure.c -------------------------------------------------------------------------------- */

/* A leg that grows, drawn as a line: a sliding joint between two moving bodies. */
bool gdyn_picture_telescopic(const gdyn_joint_def *joint);

#endif
