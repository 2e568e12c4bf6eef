/* chart.h - charts as SVG (internal to page). A chart stands for print and for readers without scripts; with scripts a
 * cursor moves over it, which finds the plot's place and range in its data attributes. */
#ifndef GDYN_PAGE_CHART_H
#define GDYN_PAGE_CHART_H

#include "base/text.h"

#include <stdbool.h>

enum { GDYN_CHART_WIDTH = 460 };

/* A plot within a chart: its place in pixels, its ranges. */
typedef struct gdyn_plot_area {
    gdyn_text *out;
    double left, top, width, height;
    double x0, x1, y0, y1;
    bool down; /* a line continues */
    /* Of its last point written: where it is [pixels]; whether another one waits, where that is, and the directions from
     * the first to a next one (angles to `ahead`) in which all points between them are left out. */
    double from[2];
    bool waits;
    double waiting[2], ahead[2], low, high;
} gdyn_plot_area;

/* <svg ...>: axis 'p' or 't' with a cursor over x from x0 to x1, ' ' without one. The plot area gets left, width, x0, x1. */
gdyn_plot_area gdyn_chart_begin(gdyn_text *out, double height, char axis, double x0, double x1,
                                const char *label);
void gdyn_chart_end(gdyn_plot_area *area);
/* Frame, tics of y and their grid; a title above on the left. tics of x with a title below where x_title is not NULL. */
void gdyn_chart_axes(gdyn_plot_area *area, const char *title, const char *x_title);
/* The tics of x below the frame, and their title. */
void gdyn_chart_axes_of_x(gdyn_plot_area *area, const char *title);
/* The range of y around values: widened by a margin; level values get some room. */
void gdyn_chart_range(gdyn_plot_area *area, double low, double high);

double gdyn_chart_x(const gdyn_plot_area *area, double x);
double gdyn_chart_y(const gdyn_plot_area *area, double y); /* kept within the frame */
/* A line of that class, point by point; values that are not finite break it. */
void gdyn_chart_line_begin(gdyn_plot_area *area, const char *look);
void gdyn_chart_point(gdyn_plot_area *area, double x, double y);
void gdyn_chart_line_end(gdyn_plot_area *area, bool closed);
/* A rectangle of the plot's height from x to x. */
void gdyn_chart_band(gdyn_plot_area *area, double from, double to, const char *look);
/* A text at pixels, anchored "start", "middle" or "end". */
void gdyn_chart_text(gdyn_plot_area *area, double x, double y, const char *anchor, const char *look,
                     const char *text);

#endif
