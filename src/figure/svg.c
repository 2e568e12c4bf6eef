/* svg.c - a figure as a part of an HTML page: its texts and keys as paragraphs, its panels as
 * SVG.
 *
 * Panels that follow each other stand in one drawing, so that a cursor can move over all of
 * them: it finds their place and range in the data attributes. What leaves a panel is clipped by
 * the drawing within the drawing. */
#include "figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDE = 460, LEFT = 58, RIGHT = 12, ABOVE = 24, NUMBERS = 24, TITLE = 16, LINE = 18 };

/* A panel in its place [pixels], and a line in the making. */
typedef struct plot {
    gdyn_text *out;
    const gdyn_figure *figure;
    const gdyn_figure_panel *panel;
    const gdyn_figure_block *block; /* of the layer that is drawn */
    double left, top, width, height;
    bool down; /* the line continues */
    /* Of its last point written: where it is; whether another one waits, where that is, and the
     * directions from the first to a next one (angles to `ahead`) in which all points between them
     * are left out. */
    double from[2];
    bool waits;
    double waiting[2], ahead[2], low, high;
} plot;

static void escape(gdyn_text *out, const char *text) {
    for (; *text; text++)
        if (*text == '<' || *text == '&' || *text == '"')
            gdyn_text_printf(out, *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : "&quot;");
        else
            gdyn_text_put(out, *text);
}

/* --- places ----------------------------------------------------------------------------------- */

static double share_of(const gdyn_figure_axis *axis, double value) {
    if (axis->logarithmic)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

/* Within the panel, from its left and from above. */
static double x_of(const plot *p, double x) {
    return p->width * share_of(&p->panel->x, x);
}

static double y_of(const plot *p, double y) {
    return p->height * (1 - share_of(&p->panel->y, y));
}

static double number_at(const plot *p, int row, int column) {
    return p->figure->number[p->block->first + row * p->block->columns + column];
}

static double value_at(const plot *p, const gdyn_figure_layer *layer, int row, int axis) {
    return number_at(p, row, layer->column[axis] ? layer->column[axis] - 1 : axis);
}

/* A view of space becomes a plane without axes: points and vectors of its layers in place. */
static void flatten(gdyn_figure *f, gdyn_figure_panel *panel) {
    double page[2][3], eye[3], range[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    gdyn_figure_view(panel->tilt, panel->turn, page[0], page[1], eye);
    for (int k = 0; k < panel->layers; k++) {
        const gdyn_figure_block *block = &f->block[panel->layer[k].block - 1];
        for (int i = 0; i < block->rows; i++) {
            double *row = f->number + block->first + i * block->columns, shown[2][2] = {{0}};
            int vectors = panel->layer[k].kind == GDYN_EDGES ? 2 : 1;
            for (int v = 0; v < vectors; v++)
                for (int j = 0; j < 2; j++) {
                    for (int n = 0; n < 3; n++)
                        shown[v][j] += page[j][n] * row[3 * v + n];
                    range[j][0] = fmin(range[j][0], shown[0][j] + v * shown[v][j]);
                    range[j][1] = fmax(range[j][1], shown[0][j] + v * shown[v][j]);
                }
            memcpy(row, shown, (size_t)vectors * sizeof *shown);
        }
    }
    gdyn_figure_axis *const axis[] = {&panel->x, &panel->y};
    for (int j = 0; j < 2; j++) {
        *axis[j] = (gdyn_figure_axis){.bare = true};
        gdyn_axis_around(axis[j], range[j][0], range[j][1], 0.05);
    }
    panel->frameless = panel->equal = true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void write_point(plot *p, char letter, double x, double y) {
    gdyn_text_printf(p->out, "%c%.1f %.1f", letter, x, y);
    p->from[0] = x, p->from[1] = y;
    p->waits = false;
}

/* A point waits until the line leaves the direction in which all points since the last one
 * written are seen within a fifth of a pixel (a cone that each of them narrows); false: it has
 * left it. */
static bool wait_for(plot *p, double x, double y) {
    static const double SEEN = 0.2;
    double d[2] = {x - p->from[0], y - p->from[1]}, size = hypot(d[0], d[1]);
    double spread = size > SEEN ? atan(SEEN / size) : 1;
    if (!p->waits) {
        p->ahead[0] = d[0], p->ahead[1] = d[1];
        p->low = -spread, p->high = spread;
    } else {
        double angle =
            atan2(p->ahead[0] * d[1] - p->ahead[1] * d[0], p->ahead[0] * d[0] + p->ahead[1] * d[1]);
        bool back = size < hypot(p->waiting[0] - p->from[0], p->waiting[1] - p->from[1]);
        if (back || angle < p->low || angle > p->high)
            return false;
        p->low = fmax(p->low, angle - spread);
        p->high = fmin(p->high, angle + spread);
    }
    p->waits = true;
    p->waiting[0] = x, p->waiting[1] = y;
    return true;
}

/* The next point of the line; one that is not finite interrupts it. */
static void add_point(plot *p, double x, double y) {
    bool drawn = isfinite(x) && isfinite(y);
    double at[2] = {drawn ? x_of(p, x) : 0, drawn ? y_of(p, y) : 0};
    if (drawn && !p->down) {
        write_point(p, 'M', at[0], at[1]);
    } else if (!drawn || !wait_for(p, at[0], at[1])) {
        if (p->waits)
            write_point(p, 'L', p->waiting[0], p->waiting[1]);
        if (drawn)
            wait_for(p, at[0], at[1]);
    }
    p->down = drawn;
}

static void end_line(plot *p) {
    if (p->waits)
        write_point(p, 'L', p->waiting[0], p->waiting[1]);
    p->down = p->waits = false;
}

static void begin_path(plot *p, const gdyn_figure_layer *layer, unsigned colour) {
    gdyn_text_printf(p->out, "<path");
    if (layer->title) {
        gdyn_text_printf(p->out, " data-name=\"");
        escape(p->out, layer->title);
        gdyn_text_printf(p->out, "\"");
    }
    /* " stroke="#0072B2" stroke-width="2" stroke-dasharray="6 4"" */
    static const char *const usual[] = {"6 4", "2 3", "8 3 2 3"}; /* dashes 2 to 4 */
    gdyn_text_printf(p->out, " fill=\"none\" stroke=\"#%06X\" stroke-width=\"%g\"", colour,
                     layer->width > 0 ? 0.9 * layer->width : 1);
    if (layer->dash && *layer->dash != '(' && *layer->dash >= '2' && *layer->dash <= '4')
        gdyn_text_printf(p->out, " stroke-dasharray=\"%s\"", usual[*layer->dash - '2']);
    else if (layer->dash)
        gdyn_text_printf(p->out, " stroke-dasharray=\"%.*s\"", (int)strlen(layer->dash) - 2,
                         layer->dash + 1);
    gdyn_text_printf(p->out, " d=\"");
}

/* Lines; where rows have colours of their own, a path for each of these. */
static void draw_line(plot *p, const gdyn_figure_layer *layer) {
    bool own = layer->colouring == GDYN_OWN, open = false;
    unsigned colour = layer->colour;
    for (int i = 0; i < p->block->rows; i++) {
        double wanted = own ? number_at(p, i, p->block->columns - 1) : layer->colour;
        bool other = own && isfinite(wanted) && (unsigned)wanted != colour;
        if (open && other) {
            end_line(p);
            gdyn_text_printf(p->out, "\"/>\n");
        }
        colour = other ? (unsigned)wanted : colour;
        if (!open || other)
            begin_path(p, layer, colour);
        open = true;
        add_point(p, value_at(p, layer, i, 0), value_at(p, layer, i, 1));
    }
    end_line(p);
    gdyn_text_printf(p->out, "\"/>\n");
}

/* --- fills ------------------------------------------------------------------------------------ */

/* Rows from `from` on as long as they have values between two curves: forwards along the second
 * one, back along the first. */
static int draw_run(plot *p, const gdyn_figure_layer *layer, int from) {
    int end = from;
    while (end < p->block->rows && isfinite(value_at(p, layer, end, 1)) &&
           isfinite(value_at(p, layer, end, 2)))
        end++;
    if (end == from)
        return from + 1;
    gdyn_text_printf(p->out, "<path fill=\"#%06X\" d=\"", layer->colour);
    for (int i = from; i < end; i++)
        add_point(p, value_at(p, layer, i, 0), value_at(p, layer, i, 2));
    for (int i = end - 1; i >= from; i--)
        add_point(p, value_at(p, layer, i, 0), value_at(p, layer, i, 1));
    end_line(p);
    gdyn_text_printf(p->out, "Z\"/>\n");
    return end;
}

static void draw_area(plot *p, const gdyn_figure_layer *layer) {
    for (int i = 0; i < p->block->rows;)
        i = draw_run(p, layer, i);
}

static void draw_shape(plot *p, const gdyn_figure_layer *layer) {
    gdyn_text_printf(p->out, "<path fill=\"#%06X\"", layer->colour);
    if (layer->clear)
        gdyn_text_printf(p->out, " fill-opacity=\"0.25\"");
    if (layer->width > 0)
        gdyn_text_printf(p->out, " stroke=\"#%06X\" stroke-width=\"%g\"", layer->border,
                         0.9 * layer->width);
    gdyn_text_printf(p->out, " d=\"");
    for (int i = 0; i < p->block->rows; i++)
        add_point(p, number_at(p, i, 0), number_at(p, i, 1));
    end_line(p);
    gdyn_text_printf(p->out, "Z\"/>\n");
}

/* Single lines, from a point along a vector. */
static void draw_edges(plot *p, const gdyn_figure_layer *layer) {
    begin_path(p, layer, layer->colour);
    for (int i = 0; i < p->block->rows; i++) {
        double x = number_at(p, i, 0), y = number_at(p, i, 1);
        gdyn_text_printf(p->out, "M%.1f %.1fL%.1f %.1f", x_of(p, x), y_of(p, y),
                         x_of(p, x + number_at(p, i, 2)), y_of(p, y + number_at(p, i, 3)));
    }
    gdyn_text_printf(p->out, "\"/>\n");
}

/* Boxes, and bands from end to end; hatched ones are pale. */
static void draw_boxes(plot *p, const gdyn_figure_layer *layer) {
    static const double LEAST = 0.6;
    bool band = layer->kind == GDYN_BANDS;
    for (int i = 0; i < p->block->rows; i++) {
        double x0 = x_of(p, number_at(p, i, 0)), x1 = x_of(p, number_at(p, i, 1));
        double y0 = band ? 0 : y_of(p, number_at(p, i, 2));
        double y1 = band ? p->height : y_of(p, number_at(p, i, 3));
        unsigned colour = layer->colouring == GDYN_OWN
                              ? (unsigned)number_at(p, i, p->block->columns - 1)
                              : layer->colour;
        if (isfinite(x0))
            gdyn_text_printf(p->out,
                             "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                             "fill=\"#%06X\"%s/>\n",
                             fmin(x0, x1), fmin(y0, y1), fmax(fabs(x1 - x0), LEAST), fabs(y1 - y0),
                             colour, layer->hatch ? " fill-opacity=\"0.4\"" : "");
    }
}

/* --- marks ------------------------------------------------------------------------------------ */

/* A point at pixels; its shape tells it apart without colour. */
static void draw_mark(gdyn_text *out, const gdyn_figure_layer *layer, double x, double y) {
    double r = 3 * (layer->size > 0 ? layer->size : 1);
    switch (layer->point) {
    case GDYN_PLUS:
        gdyn_text_printf(
            out, "<path fill=\"none\" stroke=\"#%06X\" d=\"M%.1f %.1fh%.1fM%.1f %.1fv%.1f\"/>",
            layer->colour, x - r, y, 2 * r, x, y - r, 2 * r);
        return;
    case GDYN_CROSS:
        gdyn_text_printf(
            out,
            "<path fill=\"none\" stroke=\"#%06X\" d=\"M%.1f %.1fl%.1f %.1fm0 %.1fl%.1f %.1f\"/>",
            layer->colour, x - r, y - r, 2 * r, 2 * r, -2 * r, -2 * r, 2 * r);
        return;
    case GDYN_SQUARE:
        gdyn_text_printf(out,
                         "<rect fill=\"#%06X\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                         "height=\"%.1f\"/>",
                         layer->colour, x - r, y - r, 2 * r, 2 * r);
        return;
    case GDYN_TRIANGLE:
    case GDYN_OPEN_TRIANGLE:
        gdyn_text_printf(out, "<path %s=\"#%06X\" d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"/>",
                         layer->point == GDYN_TRIANGLE ? "fill" : "fill=\"none\" stroke",
                         layer->colour, x, y - r, r, 1.7 * r, -2 * r);
        return;
    default:
        gdyn_text_printf(out, "<circle %s=\"#%06X\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
                         layer->point == GDYN_RING ? "fill=\"none\" stroke" : "fill", layer->colour,
                         x, y, r);
    }
}

static void draw_points(plot *p, const gdyn_figure_layer *layer) {
    for (int i = 0; i < p->block->rows; i++) {
        double a = value_at(p, layer, i, 0), b = value_at(p, layer, i, 1);
        if (isfinite(a) && isfinite(b))
            draw_mark(p->out, layer, x_of(p, a), y_of(p, b));
    }
    gdyn_text_printf(p->out, "\n");
}

static void write_text(gdyn_text *out, double x, double y, const char *anchor, const char *look,
                       const char *text) {
    gdyn_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, look);
    escape(out, text);
    gdyn_text_printf(out, "</text>\n");
}

/* Letters beside their places, where their share of the panel has room for them. */
static void draw_names(plot *p, const gdyn_figure_layer *layer) {
    for (int i = 0; i < p->block->rows; i++) {
        char look[40] = "class=\"tic\"";
        double x = x_of(p, number_at(p, i, 0)), y = y_of(p, number_at(p, i, 1));
        if (layer->room > 0 && number_at(p, i, 5) * p->width < layer->room)
            continue;
        if (layer->away > 0) {
            x += layer->away * number_at(p, i, 3);
            y -= layer->away * number_at(p, i, 4);
        }
        if (layer->colouring == GDYN_OWN)
            snprintf(look, sizeof look, "fill=\"#%06X\"", (unsigned)number_at(p, i, 2));
        write_text(p->out, x, y + 4, "middle", look, p->figure->label[p->block->labels + i]);
    }
}

static void draw_rules(plot *p, const gdyn_figure_layer *layer) {
    begin_path(p, layer, layer->colour);
    for (int i = 0; i < p->block->rows; i++)
        gdyn_text_printf(p->out, "M%.1f 0V%.1f", x_of(p, number_at(p, i, 0)), p->height);
    gdyn_text_printf(p->out, "\"/>\n");
}

/* Pages have nothing else. */
static void (*const draw_layer[GDYN_SAMPLE + 1])(plot *p, const gdyn_figure_layer *layer) = {
    [GDYN_LINE] = draw_line,   [GDYN_TRAIL] = draw_line,    [GDYN_AREA] = draw_area,
    [GDYN_SHAPE] = draw_shape, [GDYN_BOXES] = draw_boxes,   [GDYN_BANDS] = draw_boxes,
    [GDYN_NAMES] = draw_names, [GDYN_POINTS] = draw_points, [GDYN_RULES] = draw_rules,
    [GDYN_EDGES] = draw_edges};

/* --- axes ------------------------------------------------------------------------------------- */

/* First multiple of the step from `low` on; what rounding leaves of zero is zero. */
static double tic_at(double low, double step, int i) {
    double value = (ceil(low / step - 1e-9) + i) * step;
    return fabs(value) < 1e-9 * step ? 0 : value;
}

static void write_number(const plot *p, bool upright, double value, const char *name) {
    char number[40];
    snprintf(number, sizeof number, "%.6g", value);
    if (!name)
        name = number;
    if (upright) {
        write_text(p->out, p->left - 5, p->top + y_of(p, value) + 4, "end", "class=\"tic\"", name);
        return;
    }
    double x = p->left + x_of(p, value);
    bool cut = x + 0.5 * gdyn_letters_width(name) > WIDE; /* the drawing would cut it */
    write_text(p->out, cut ? WIDE : x, p->top + p->height + 17, cut ? "end" : "middle",
               "class=\"tic\"", name);
}

/* Tics of x or y with their numbers or names. */
static void draw_tics(const plot *p, const gdyn_figure_axis *axis, bool upright) {
    enum { MOST = 20 };
    int parts = upright ? (p->height > 150 ? 5 : 3) : (p->width > 200 ? 5 : 3);
    double low = fmin(axis->low, axis->high), high = fmax(axis->low, axis->high);
    double step = axis->step > 0 ? axis->step : gdyn_round_step(high - low, parts);
    for (int k = 0; k < axis->tics; k++)
        write_number(p, upright, axis->tic[k].at, gdyn_shorten(axis->tic[k].name, 8).text);
    if (axis->bare || axis->unlabelled || axis->tics > 0)
        return;
    step = axis->whole ? fmax(1, step) : step;
    for (int i = 0; i < MOST && tic_at(low, step, i) <= high + 1e-9 * step; i++) {
        double value = tic_at(low, step, i);
        if (upright)
            gdyn_text_printf(p->out, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>", p->left,
                             p->top + y_of(p, value), p->width);
        else
            gdyn_text_printf(p->out, "<path class=\"frame\" d=\"M%.1f %.1fv4\"/>",
                             p->left + x_of(p, value), p->top + p->height);
        write_number(p, upright, value, NULL);
    }
}

/* --- panels ----------------------------------------------------------------------------------- */

static void draw_panel(plot *p) {
    const gdyn_figure_panel *panel = p->panel;
    const char *title[] = {panel->caption[0], panel->y.title, panel->caption[1]};
    char text[300] = "";
    for (int k = 0; k < 3; k++) {
        size_t used = strlen(text);
        if (title[k])
            snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", title[k]);
    }
    draw_tics(p, &panel->y, true), draw_tics(p, &panel->x, false);
    gdyn_text_printf(p->out, "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">\n",
                     p->left, p->top, p->width, p->height);
    for (int k = 0; k < panel->layers; k++) {
        const gdyn_figure_layer *layer = &panel->layer[k];
        if (!draw_layer[layer->kind])
            continue;
        /* pages are narrow */
        p->block = &p->figure->block[(layer->narrow > 0 ? layer->narrow : layer->block) - 1];
        draw_layer[layer->kind](p, layer);
    }
    gdyn_text_printf(p->out, "</svg>\n");
    if (!panel->frameless)
        gdyn_text_printf(p->out,
                         "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                         "height=\"%.1f\"/>\n",
                         p->left, p->top, p->width, p->height);
    if (*text)
        write_text(p->out, p->left, p->top - 7, "start", "class=\"title\"", text);
    if (panel->x.title)
        write_text(p->out, p->left + p->width / 2, p->top + p->height + NUMBERS + 9, "middle",
                   "class=\"title\"", panel->x.title);
    if (panel->note)
        write_text(p->out, p->left + p->width / 2, p->top + p->height / 2 + 4, "middle",
                   "class=\"nothing\"", panel->note);
}

/* Places and draws panels first to last - 1 of a grid, or counts how high they are when p has no
 * text; from and to that height. */
static double draw_grid(plot *p, const gdyn_figure *f, const gdyn_figure_grid *g, double y) {
    static const double SHARE = 0.5, LEAST = 90; /* heights */
    int columns = g->most > 1 ? 2 : 1;
    double pitch = (WIDE - RIGHT) / (double)columns, row = 0;
    for (int k = 0; k < g->panels; k++) {
        gdyn_figure_panel *panel = f->panel[g->first + k];
        int left = panel->y.bare ? RIGHT : LEFT;
        p->panel = panel, p->left = left + k % columns * pitch;
        p->width = pitch - left - (columns > 1 ? RIGHT : 0);
        p->height = panel->y.lanes     ? LINE * fabs(panel->y.high - panel->y.low)
                    : panel->ratio > 0 ? panel->ratio * p->width
                                       : fmax(SHARE * panel->height, LEAST);
        if (panel->equal) {
            /* one scale for both axes: the shorter one is widened */
            double across = (panel->x.high - panel->x.low) / p->width;
            double up = (panel->y.high - panel->y.low) / p->height;
            gdyn_figure_axis *axis = across < up ? &panel->x : &panel->y;
            double spare = 0.5 * fabs(across - up) * (across < up ? p->width : p->height);
            axis->low -= spare, axis->high += spare;
        }
        p->top = y + ABOVE;
        if (p->out)
            draw_panel(p);
        row = fmax(row, ABOVE + p->height + (panel->x.unlabelled ? 6 : NUMBERS) +
                            (panel->x.title ? TITLE : 0));
        if (k % columns == columns - 1 || k + 1 == g->panels)
            y += row, row = 0;
    }
    return y;
}

/* --- texts and keys --------------------------------------------------------------------------- */

/* Entries of a key. */
static void write_entries(gdyn_text *out, int layers, const gdyn_figure_layer *layer) {
    for (int k = 0; k < layers; k++) {
        bool fill = layer[k].kind == GDYN_AREA || layer[k].kind == GDYN_BANDS ||
                    layer[k].kind == GDYN_BOXES || layer[k].kind == GDYN_SHAPE;
        if (!layer[k].title)
            continue;
        gdyn_text_printf(out, "<span>");
        if (layer[k].kind == GDYN_POINTS) {
            gdyn_text_printf(out, "<svg class=\"mark\" viewBox=\"0 0 14 14\">");
            draw_mark(out, &layer[k], 7, 7);
            gdyn_text_printf(out, "</svg>");
        } else
            gdyn_text_printf(out, "<i style=\"border-top:%.0fpx %s #%06X\"></i>",
                             fill ? 10 : fmin(fmax(layer[k].width, 2), 8),
                             layer[k].dash ? "dashed" : "solid", layer[k].colour);
        escape(out, layer[k].title);
        gdyn_text_printf(out, "</span> ");
    }
}

/* A key of a list of its own, or of all panels of a run of elements. */
static void write_key(gdyn_text *out, const gdyn_figure *f, int first, int last) {
    gdyn_text entries = {0};
    for (int e = first; e < last; e++) {
        const gdyn_figure_element *own = &f->element[e];
        write_entries(&entries, own->layers, own->layer);
        for (int k = own->grid.first; k < own->grid.first + own->grid.panels; k++)
            write_entries(&entries, f->panel[k]->layers, f->panel[k]->layer);
    }
    if (entries.length > 0)
        gdyn_text_printf(out, "<p class=\"note key\">%s</p>\n", entries.data);
    out->failed |= entries.failed;
    gdyn_text_free(&entries);
}

/* One drawing of the elements first to last - 1, all of them panels. */
static void write_drawing(gdyn_text *out, const gdyn_figure *f, int first, int last, char cursor,
                          const char *label) {
    plot p = {.figure = f};
    double y = 0;
    for (int e = first; e < last; e++) /* how high it is */
        y = draw_grid(&p, f, &f->element[e].grid, y);
    const gdyn_figure_panel *panel = f->panel[f->element[first].grid.first];
    gdyn_text_printf(out, "<svg class=\"chart\" viewBox=\"0 0 %d %.0f\" role=\"img\"", WIDE, y + 4);
    if (cursor != ' ')
        gdyn_text_printf(out,
                         " data-axis=\"%c\" data-x0=\"%.9g\" data-x1=\"%.9g\" data-left=\"%d\" "
                         "data-width=\"%d\"",
                         cursor, panel->x.low, panel->x.high, LEFT, WIDE - LEFT - RIGHT);
    gdyn_text_printf(out, " aria-label=\"");
    escape(out, label);
    gdyn_text_printf(out, "\">\n");
    p.out = out;
    y = 0;
    for (int e = first; e < last; e++)
        y = draw_grid(&p, f, &f->element[e].grid, y);
    gdyn_text_printf(out, "</svg>\n");
}

void gdyn_figure_html(gdyn_figure *f, gdyn_text *out, char cursor, const char *label) {
    gdyn_figure_settle(f);
    out->failed |= f->failed;
    for (int i = 0; i < f->panels && !f->failed; i++)
        if (f->panel[i]->space)
            flatten(f, f->panel[i]);
    for (int e = 0, end; e < f->elements && !f->failed; e = end) {
        const gdyn_figure_element *own = &f->element[e];
        for (end = e + 1;
             end < f->elements && own->kind == GDYN_PANELS && f->element[end].kind == GDYN_PANELS;)
            end++;
        if (own->kind == GDYN_PANELS)
            write_drawing(out, f, e, end, cursor, label);
        write_key(out, f, e, end);
        if (own->kind == GDYN_TEXT && own->rank != GDYN_HEADING) {
            gdyn_text_printf(out, "<p class=\"note\">");
            escape(out, own->text);
            gdyn_text_printf(out, "</p>\n");
        }
    }
    gdyn_figure_end(f);
}
