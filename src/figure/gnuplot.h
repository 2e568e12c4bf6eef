/* gnuplot.h - both parts of the writer of scripts (internal to figure). */
#pragma once

#include "figure/figure.h"

/* Text for a double-quoted string of gnuplot; `format`: for one that gnuplot takes for a format of
 * numbers, as tics are. */
void gdyn_gnuplot_quote(gdyn_text *out, const char *text, bool format);
/* " lw 2 dt 2 lc rgb '#0072B2'" of a line, " pt 7 ps 1*marks lc ..." of points. */
void gdyn_gnuplot_line(gdyn_text *out, const gdyn_figure_layer *layer);
void gdyn_gnuplot_point(gdyn_text *out, const gdyn_figure_layer *layer);
/* How the inside of boxes and shapes is filled. */
void gdyn_gnuplot_fill(gdyn_text *out, const gdyn_figure_layer *layer);

/* Pixels of a letter of the text on average, with a little to spare. */
double gdyn_gnuplot_letter(const char *text);
/* Pixels of the widest number of an axis, about. */
double gdyn_gnuplot_number(const gdyn_figure_axis *axis);
/* Looks of layers, each once; those that occur so often are macros of the script. */
enum { GDYN_LOOKS_MOST = 64, GDYN_LOOK_SHARED = 3 };
typedef struct gdyn_gnuplot_look {
    const char *text; /* NULL behind the last one */
    int uses;
} gdyn_gnuplot_look;
void gdyn_gnuplot_looks(gdyn_text *out, gdyn_figure *figure, gdyn_gnuplot_look *look);
/* The plot command of a panel. */
void gdyn_gnuplot_layers(gdyn_text *out, gdyn_figure *figure, const gdyn_figure_panel *panel,
                         const gdyn_gnuplot_look *look);

/* Commands that draw panel i (from 0 on) in its place. */
void gdyn_gnuplot_panel(gdyn_text *out, gdyn_figure *figure, int i, const gdyn_gnuplot_look *look);
/* Parallel axes: their place in the layout; all rows of them. */
void gdyn_gnuplot_bars(gdyn_text *out, const gdyn_figure *figure);
void gdyn_gnuplot_rows(gdyn_text *out, const gdyn_figure *figure);
