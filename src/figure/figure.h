/* figure.h - a picture as data: texts, entries of a key and panels, one below the other, with what
 * is drawn in the panels. Nothing here says where things stand: the writers lay a figure out for
 * the width at hand (gnuplot.c as a script for any width, svg.c panel by panel for pages).
 *
 * Lengths are pixels of a page on which letters are 13 high. Texts are plain UTF-8: the writers
 * quote them. Layers cover each other in their order. What needs memory marks the figure as failed;
 * the writers report that. */
#pragma once

#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>

/* --- layers ----------------------------------------------------------------------------------- */

typedef enum gdyn_figure_kind {
    GDYN_LINE,     /* x, y [, z] [, colour]: a line; gaps interrupt it */
    GDYN_AREA,     /* x, y0, y1: between two curves */
    GDYN_SHAPE,    /* x, y: closed polygons, filled */
    GDYN_POINTS,   /* x, y [, z] */
    GDYN_TRAIL,    /* x, y [, z] [, colour]: points and the line through them */
    GDYN_BOXES,    /* x0, x1, y0, y1 [, colour] */
    GDYN_BANDS,    /* x0, x1: from the lower to the upper end of the panel */
    GDYN_RULES,    /* x: upright lines from end to end */
    GDYN_NAMES,    /* x, y [, z], colour [, right, up, share]: texts; see `away` and `room` */
    GDYN_EDGES,    /* x, y [, z], dx, dy [, dz]: single lines */
    GDYN_SURFACE,  /* x, y, z, colour: faces between rows of equal length, blocks to `last` */
    GDYN_CONTOURS, /* x, y, value, row by row: lines of equal value, `from` and every `step` */
    GDYN_SAMPLE    /* nothing but an entry of the key */
} gdyn_figure_kind;

typedef enum gdyn_figure_colouring {
    GDYN_PLAIN,   /* the layer's colour */
    GDYN_OWN,     /* 0xRRGGBB in the last column */
    GDYN_PALETTE, /* the value in the last column on the panel's scale of colours */
} gdyn_figure_colouring;

/* Points as gnuplot numbers them: shapes that are distinguished without colour. */
enum {
    GDYN_PLUS = 1,
    GDYN_CROSS = 2,
    GDYN_OPEN_SQUARE = 4,
    GDYN_SQUARE = 5,
    GDYN_RING = 6,
    GDYN_DOT = 7,
    GDYN_OPEN_TRIANGLE = 8,
    GDYN_TRIANGLE = 9,
    GDYN_OPEN_DIAMOND = 12
};

typedef struct gdyn_figure_layer {
    gdyn_figure_kind kind;
    int block;          /* of the data, from 1 on; 0: the one in the making, which ends here */
    int last;           /* of a surface: its last block */
    int narrow;         /* the block on pages less than 600 wide; 0: the same */
    int column[3];      /* x, y, z or y1, from 1 on; all 0: in their order */
    const char *title;  /* in the key; NULL: none */
    unsigned colour;    /* 0xRRGGBB, of lines, points and fills */
    unsigned border;    /* of shapes and boxes, where `width` is not 0 */
    double width, size; /* of lines and borders, of points (0: 1) */
    const char *dash;   /* "2", "(8,5)"; NULL: solid */
    int point;
    int hatch;  /* boxes and bands: 0 solid, else a pattern of gnuplot */
    bool clear; /* shapes: three quarters transparent */
    gdyn_figure_colouring colouring;
    double away; /* letters: pixels from their place, in the direction of their row */
    double room; /* letters: pixels that their share of the panel must have */
    double from, step, to;
} gdyn_figure_layer;

/* --- axes and panels -------------------------------------------------------------------------- */

typedef struct gdyn_figure_tic {
    double at;
    const char *name;
} gdyn_figure_tic;

typedef struct gdyn_figure_axis {
    const char *title; /* with its unit; NULL: none */
    double low, high;  /* equal: the range of the panel's layers */
    double step;       /* between tics; 0: as many as have room */
    bool logarithmic, whole;
    bool bare;       /* neither tics nor numbers */
    bool unlabelled; /* no numbers: those of another panel hold for it */
    int tics;        /* names in place of numbers */
    gdyn_figure_tic *tic;
    bool lanes; /* each name has a lane of its own, which takes a line */
} gdyn_figure_axis;

typedef struct gdyn_figure_panel {
    gdyn_figure_axis x, y, z, colour;
    gdyn_figure_axis top;   /* of x, where it has tics: a second axis above */
    const char *caption[2]; /* texts above it, NULL: none; the second one is said in grey */
    const char *note;       /* in its middle */
    bool ground;            /* grey, for a map of colours */
    double height;          /* on a page 1000 wide; narrower ones have lower panels */
    double ratio;           /* height over width in place of it */
    bool equal;             /* one scale for x and y */
    bool frameless;
    bool gridless;
    bool unscaled;                    /* the scale of colours is shown with another panel */
    bool space;                       /* a view of x, y and z */
    double tilt, turn, zoom, upright; /* degrees, degrees, magnification, height of its box */
    bool fixed;                       /* the view cannot be turned */
    int layers, capacity;
    gdyn_figure_layer *layer;
} gdyn_figure_panel;

/* Panels that follow each other: as many side by side as leave each `least` pixels, at most `most`.
 * Panels that share axes have titles and numbers at the left and below alone. */
typedef struct gdyn_figure_grid {
    int first, panels; /* of the figure */
    int most;
    double least;
    bool share;
    bool full; /* rows of equal length alone */
} gdyn_figure_grid;

/* --- the figure ------------------------------------------------------------------------------- */

typedef enum gdyn_figure_rank {
    GDYN_HEADING,
    GDYN_PARAGRAPH,
    GDYN_REMARK, /* in grey */
    GDYN_ALARM   /* in red */
} gdyn_figure_rank;

/* Axes side by side with a line for every design, in as many rows as they need. */
typedef struct gdyn_figure_bar {
    const char *name, *low, *high, *unit, *sense;
    double limit; /* a mark, as a share of the axis; NAN: none */
} gdyn_figure_bar;

typedef enum gdyn_figure_element_kind { GDYN_TEXT, GDYN_KEY, GDYN_PANELS } gdyn_figure_element_kind;

/* What stands on the page, from above. */
typedef struct gdyn_figure_element {
    gdyn_figure_element_kind kind;
    gdyn_figure_rank rank; /* of a text */
    const char *text;
    int layers, capacity; /* of a key: their titles */
    gdyn_figure_layer *layer;
    gdyn_figure_grid grid;
} gdyn_figure_element;

typedef struct gdyn_figure_block {
    int first, rows, columns; /* first: of the numbers */
    int labels;               /* first of the names of its rows; -1: none */
} gdyn_figure_block;

typedef struct gdyn_figure {
    char stem[160]; /* of its files */
    double width;   /* of the page as it is laid out where no other is asked for */
    int blocks, block_capacity;
    gdyn_figure_block *block; /* of data; behind them the one in the making */
    bool open;                /* there is one */
    int numbers, number_capacity;
    double *number;
    int labels, label_capacity;
    const char **label;
    int elements, element_capacity;
    gdyn_figure_element *element;
    int panels, panel_capacity;
    gdyn_figure_panel **panel;
    int bars, bar_capacity; /* the panels are one of parallel axes, in rows */
    gdyn_figure_bar *bar;
    int frames;  /* it moves: the panel's first layer stands for so many blocks, all in a GIF */
    double pace; /* seconds between them */
    gdyn_arena *arena;
    bool failed;
} gdyn_figure;

/* NAME_KIND (KIND when the name is empty), a name for files. End it in any case. */
void gdyn_figure_begin(gdyn_figure *figure, const char *name, const char *kind, double width);
void gdyn_figure_end(gdyn_figure *figure);
/* A text that lives as long as the figure; "" when memory is out. */
const char *gdyn_figure_words(gdyn_figure *figure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Rows of the block of data in the making; a gap between lines; the end of the block and its
 * number, 0 when it has no rows. */
void gdyn_figure_row(gdyn_figure *figure, int columns, const double *row);
#define gdyn_figure_put(figure, ...)                                                               \
    gdyn_figure_row(figure, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)),               \
                    (double[]){__VA_ARGS__})
/* The same with a name. */
void gdyn_figure_name(gdyn_figure *figure, const char *name, int columns, const double *row);
#define gdyn_figure_put_name(figure, name, ...)                                                    \
    gdyn_figure_name(figure, name, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)),        \
                     (double[]){__VA_ARGS__})
void gdyn_figure_gap(gdyn_figure *figure);
int gdyn_figure_block_end(gdyn_figure *figure);

/* A paragraph; an entry of a key that belongs to no panel. */
void gdyn_figure_text(gdyn_figure *figure, gdyn_figure_rank rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gdyn_figure_entry(gdyn_figure *figure, gdyn_figure_layer sample);
#define gdyn_entry(figure, ...) gdyn_figure_entry(figure, (gdyn_figure_layer){__VA_ARGS__})
/* The panels that follow stand side by side; without it each has the whole width. */
gdyn_figure_grid *gdyn_figure_side_by_side(gdyn_figure *figure, int most, double least, bool share);
/* The next panel, to be filled; never NULL. It stays where it is. */
gdyn_figure_panel *gdyn_figure_add(gdyn_figure *figure);
/* A layer of the panel: its kind, its block (left out: the data put since the last block), its
 * look. Without data nothing is drawn. */
void gdyn_figure_draw(gdyn_figure *figure, gdyn_figure_panel *panel, gdyn_figure_layer layer);
#define gdyn_draw(figure, panel, ...)                                                              \
    gdyn_figure_draw(figure, panel, (gdyn_figure_layer){__VA_ARGS__})
/* A name at a place of an axis, copied. */
void gdyn_figure_tic_at(gdyn_figure *figure, gdyn_figure_axis *axis, double at, const char *name);
/* An axis of parallel ones; its texts are copied. */
void gdyn_figure_parallel(gdyn_figure *figure, const gdyn_figure_bar *bar);
/* Level lines across the panel, for zero: dashed and grey. */
void gdyn_figure_level(gdyn_figure *figure, gdyn_figure_panel *panel, double y);

/* A range with a margin, a share of it; level values stand in the middle. */
void gdyn_axis_around(gdyn_figure_axis *axis, double low, double high, double margin);
/* Unit vectors of the page in a view of space, turned about z and then tilted about x [deg]: to the
 * right, upwards, towards the eye. */
void gdyn_figure_view(double tilt, double turn, double right[3], double up[3], double eye[3]);
/* Ranges of axes that have none, from the values of the layers; writers begin with it. */
void gdyn_figure_settle(gdyn_figure *figure);

/* --- widths and shapes of texts --------------------------------------------------------------- */

/* Width of a text of letters 13 high. */
double gdyn_letters_width(const char *text);
/* At most `most` characters of the text (not more than 60), the last of them an ellipsis when it
 * was cut. */
typedef struct gdyn_shortened {
    char text[250];
} gdyn_shortened;
gdyn_shortened gdyn_shorten(const char *text, int most);
/* A step of 1, 2 or 5 times a power of ten that divides the length into about so many parts. */
double gdyn_round_step(double length, int parts);
/* Colours of Okabe and Ito (2008), which colour-blind readers can tell apart; then lighter ones of
 * them, darker and pale ones, and so on over and over. */
enum { GDYN_COLOURS = 8 };
unsigned gdyn_page_colour(int i);
/* A curve's dashes, so that lines are distinguished without colour. */
const char *gdyn_page_dash(int i);

/* --- gnuplot.c: the writer of scripts --------------------------------------------------------- */

/* Size of letters [pt]: of pictures as they are laid out, 13 pixels of 1/96 inch; at least, where a
 * width is stated. */
#define GDYN_LETTERS      9.75
#define GDYN_LETTERS_READ 7.5
/* Narrowest page that a script is laid out for. */
enum { GDYN_PAGE_LEAST = 240 };

/* The script and its data, of a figure that is complete. False when memory is out. */
bool gdyn_figure_script(gdyn_figure *figure, gdyn_text *script, gdyn_text *data);

/* --- svg.c: the writer for pages -------------------------------------------------------------- */

/* Texts but the heading and keys as paragraphs, panels as drawings; the figure ends. cursor: 'p' or
 * 't', what moves over them along x; ' ': nothing. label: what they show, for those who do not see
 * them. */
void gdyn_figure_html(gdyn_figure *figure, gdyn_text *out, char cursor, const char *label);
