/* chart.c - charts as SVG: frame, tics, lines; see chart.h. */
#include "page/chart.h"

#include "page/html.h"
#include "report/picture.h"

#include <math.h>
#include <string.h>

static const double LEFT = 58, RIGHT = 12;

gdyn_plot_area gdyn_chart_begin(gdyn_text *out, double height, char axis, double x0, double x1,
                                const char *label) {
    if (!(x1 > x0))
        x1 = x0 + 1;
    gdyn_plot_area area = {
        .out = out, .left = LEFT, .width = GDYN_CHART_WIDTH - LEFT - RIGHT, .x0 = x0, .x1 = x1};
    gdyn_text_printf(out, "<svg class=\"chart\" viewBox=\"0 0 %d %.0f\" role=\"img\"",
                     GDYN_CHART_WIDTH, height);
    if (axis != ' ')
        gdyn_text_printf(out,
                         " data-axis=\"%c\" data-x0=\"%.9g\" data-x1=\"%.9g\" data-left=\"%g\" "
                         "data-width=\"%g\"",
                         axis, x0, x1, area.left, area.width);
    gdyn_text_printf(out, " aria-label=\"");
    gdyn_html_text(out, label);
    gdyn_text_printf(out, "\">\n");
    return area;
}

void gdyn_chart_end(gdyn_plot_area *area) {
    gdyn_text_printf(area->out, "</svg>\n");
}

double gdyn_chart_x(const gdyn_plot_area *a, double x) {
    return a->left + a->width * (x - a->x0) / (a->x1 - a->x0);
}

double gdyn_chart_y(const gdyn_plot_area *a, double y) {
    double share = (y - a->y0) / (a->y1 - a->y0);
    return a->top + a->height * (1 - fmin(fmax(share, 0), 1));
}

void gdyn_chart_range(gdyn_plot_area *a, double low, double high) {
    if (!(low <= high))
        low = 0, high = 1;
    /* level lines stand in the middle */
    double margin = high > low ? 0.07 * (high - low) : high != 0 ? 0.1 * fabs(high) : 1;
    a->y0 = low == 0 && high > 0 ? 0 : low - margin;
    a->y1 = high + margin;
}

void gdyn_chart_text(gdyn_plot_area *a, double x, double y, const char *anchor, const char *look,
                     const char *text) {
    gdyn_text_printf(a->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y,
                     anchor, look);
    gdyn_html_text(a->out, text);
    gdyn_text_printf(a->out, "</text>\n");
}

/* First multiple of the step from `low` on; what rounding leaves of zero is zero. */
static double tic(double low, double step, int i) {
    double value = (ceil(low / step - 1e-9) + i) * step;
    return fabs(value) < 1e-9 * step ? 0 : value;
}

static void tics_of_y(gdyn_plot_area *a) {
    double step = gdyn_round_step(a->y1 - a->y0, a->height > 150 ? 5 : 3);
    for (int i = 0; i < 20; i++) {
        double value = tic(a->y0, step, i), y = gdyn_chart_y(a, value);
        if (value > a->y1 + 1e-9 * step)
            break;
        gdyn_text_printf(a->out, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>", a->left, y,
                         a->width);
        gdyn_chart_text(a, a->left - 5, y + 4, "end", "tic", gdyn_amount(value, "").text);
    }
}

/* A number below x, further left where the chart would cut it. */
static void tic_of_x(gdyn_plot_area *a, double x, double y, const char *text) {
    static const double LETTER = 7; /* pixels, about */
    bool cut = x + 0.5 * LETTER * (double)strlen(text) > GDYN_CHART_WIDTH;
    gdyn_chart_text(a, cut ? GDYN_CHART_WIDTH : x, y, cut ? "end" : "middle", "tic", text);
}

void gdyn_chart_axes_of_x(gdyn_plot_area *a, const char *title) {
    double step = gdyn_round_step(a->x1 - a->x0, a->width > 200 ? 5 : 3),
           bottom = a->top + a->height;
    for (int i = 0; i < 20; i++) {
        double value = tic(a->x0, step, i), x = gdyn_chart_x(a, value);
        if (value > a->x1 + 1e-9 * step)
            break;
        gdyn_text_printf(a->out, "<path class=\"frame\" d=\"M%.1f %.1fv4\"/>", x, bottom);
        tic_of_x(a, x, bottom + 17, gdyn_amount(value, "").text);
    }
    gdyn_chart_text(a, a->left + a->width / 2, bottom + 33, "middle", "title", title);
}

void gdyn_chart_axes(gdyn_plot_area *a, const char *title, const char *x_title) {
    tics_of_y(a);
    gdyn_text_printf(
        a->out, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
        a->left, a->top, a->width, a->height);
    if (title)
        gdyn_chart_text(a, a->left, a->top - 7, "start", "title", title);
    if (x_title)
        gdyn_chart_axes_of_x(a, x_title);
}

void gdyn_chart_line_begin(gdyn_plot_area *a, const char *look) {
    a->down = a->waits = false;
    gdyn_text_printf(a->out, "<path class=\"%s\" d=\"", look);
}

static void write_point(gdyn_plot_area *a, char letter, double x, double y) {
    gdyn_text_printf(a->out, "%c%.1f %.1f", letter, x, y);
    a->from[0] = x, a->from[1] = y;
    a->waits = false;
}

/* A point waits until the line leaves the direction in which all points since the last one written are seen within a tenth
 * of a pixel (a cone that each of them narrows); false: it has left it. */
static bool wait_for(gdyn_plot_area *a, double x, double y) {
    static const double SEEN = 0.1;
    double d[2] = {x - a->from[0], y - a->from[1]}, size = hypot(d[0], d[1]);
    double spread = size > SEEN ? atan(SEEN / size) : 1;
    if (!a->waits) {
        a->ahead[0] = d[0], a->ahead[1] = d[1];
        a->low = -spread, a->high = spread;
    } else {
        double angle =
            atan2(a->ahead[0] * d[1] - a->ahead[1] * d[0], a->ahead[0] * d[0] + a->ahead[1] * d[1]);
        bool back = size < hypot(a->waiting[0] - a->from[0], a->waiting[1] - a->from[1]);
        if (back || angle < a->low || angle > a->high)
            return false;
        a->low = fmax(a->low, angle - spread);
        a->high = fmin(a->high, angle + spread);
    }
    a->waits = true;
    a->waiting[0] = x, a->waiting[1] = y;
    return true;
}

void gdyn_chart_point(gdyn_plot_area *a, double x, double y) {
    bool drawn = isfinite(x) && isfinite(y);
    double at[2] = {drawn ? gdyn_chart_x(a, x) : 0, drawn ? gdyn_chart_y(a, y) : 0};
    if (drawn && !a->down) {
        write_point(a, 'M', at[0], at[1]);
    } else if (!drawn || !wait_for(a, at[0], at[1])) {
        if (a->waits)
            write_point(a, 'L', a->waiting[0], a->waiting[1]);
        if (drawn)
            wait_for(a, at[0], at[1]);
    }
    a->down = drawn;
}

void gdyn_chart_line_end(gdyn_plot_area *a, bool closed) {
    if (a->waits)
        write_point(a, 'L', a->waiting[0], a->waiting[1]);
    gdyn_text_printf(a->out, closed && a->down ? "Z\"/>\n" : "\"/>\n");
    a->down = false;
}

void gdyn_chart_band(gdyn_plot_area *a, double from, double to, const char *look) {
    double x = gdyn_chart_x(a, from);
    gdyn_text_printf(a->out,
                     "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                     look, x, a->top, fmax(gdyn_chart_x(a, to) - x, 1), a->height);
}
