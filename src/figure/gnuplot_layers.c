/* gnuplot_layers.c - what is drawn in the panels of a figure, as layers of gnuplot's plot
 * command. A look that many layers share is written once, as a macro of gnuplot. */
#include "figure/gnuplot.h"

#include <stdio.h>
#include <string.h>

/* --- looks ------------------------------------------------------------------------------------ */

static void write_colour(gdyn_text *out, const char *what, const gdyn_figure_layer *layer) {
    if (layer->colouring == GDYN_PLAIN)
        gdyn_text_printf(out, " %s rgb '#%06X'", what, layer->colour);
    else
        gdyn_text_printf(out, " %s %s", what,
                         layer->colouring == GDYN_OWN ? "rgb variable" : "palette");
}

void gdyn_gnuplot_line(gdyn_text *out, const gdyn_figure_layer *layer) {
    gdyn_text_printf(out, " lw %g", layer->width > 0 ? layer->width : 1);
    if (layer->dash)
        gdyn_text_printf(out, " dt %s", layer->dash);
    write_colour(out, "lc", layer);
}

void gdyn_gnuplot_point(gdyn_text *out, const gdyn_figure_layer *layer) {
    gdyn_text_printf(out, " pt %d ps %g*marks", layer->point, layer->size > 0 ? layer->size : 1);
    if (layer->width > 0 && layer->kind != GDYN_TRAIL)
        gdyn_text_printf(out, " lw %g", layer->width);
    write_colour(out, "lc", layer);
}

void gdyn_gnuplot_fill(gdyn_text *out, const gdyn_figure_layer *layer) {
    if (layer->colouring == GDYN_PLAIN)
        gdyn_text_printf(out, " fc rgb '#%s%06X'", layer->clear ? "B8" : "", layer->colour);
    if (layer->hatch)
        gdyn_text_printf(out, " fs pattern %d", layer->hatch);
    else
        gdyn_text_printf(out, " fs solid");
    gdyn_text_append(out, layer->width > 0 ? " border" : " noborder", layer->width > 0 ? 7 : 9);
}

/* --- layers ----------------------------------------------------------------------------------- */

/* Where letters stand: beside their places, where their share of the panel has room for them. */
static void write_places(gdyn_text *out, const gdyn_figure_panel *p,
                         const gdyn_figure_layer *layer) {
    gdyn_text_printf(out, "(");
    if (layer->room > 0)
        gdyn_text_printf(out, "$7*(R[i]-L[i]) > %g ? ", layer->room);
    gdyn_text_printf(out, "$1");
    if (layer->away > 0)
        gdyn_text_printf(out, "+$5*%.9g/(R[i]-L[i])", layer->away * (p->x.high - p->x.low));
    gdyn_text_printf(out, layer->room > 0 ? " : NaN):" : "):");
    if (layer->away > 0)
        gdyn_text_printf(out, "($2+$6*%.9g/(D[i]-U[i]))", layer->away * (p->y.high - p->y.low));
    else
        gdyn_text_append(out, "2", 1);
    gdyn_text_printf(out, ":3%s", layer->colouring == GDYN_OWN ? ":4" : "");
}

/* "data index 3 using 1:4". */
static void write_source(gdyn_text *out, const gdyn_figure_panel *p,
                         const gdyn_figure_layer *layer) {
    int places = p->space ? 3 : 2;
    if (layer->kind == GDYN_CONTOURS) {
        gdyn_text_printf(out, "$contours using 1:2");
        return;
    }
    if (layer->narrow > 0)
        gdyn_text_printf(out, "data index (room < 600 ? %d : %d)", layer->narrow - 1,
                         layer->block - 1);
    else
        gdyn_text_printf(out, layer->kind == GDYN_SURFACE ? "data index %d:%d" : "data index %d",
                         layer->block - 1, layer->last - 1);
    gdyn_text_printf(out, " using ");
    if (layer->kind == GDYN_NAMES)
        write_places(out, p, layer);
    else if (layer->kind == GDYN_BANDS)
        gdyn_text_printf(out, "(0.5*($1+$2)):(%.9g):1:2:(%.9g):(%.9g)", p->y.low, p->y.low,
                         p->y.high);
    else if (layer->kind == GDYN_BOXES)
        gdyn_text_printf(out, "(0.5*($1+$2)):(0.5*($3+$4)):1:2:3:4%s",
                         layer->colouring == GDYN_PLAIN ? "" : ":5");
    else if (layer->kind == GDYN_RULES)
        gdyn_text_printf(out, "1:(%.9g):(0):(%.9g)", p->y.low, p->y.high - p->y.low);
    else if (layer->kind == GDYN_SURFACE)
        gdyn_text_printf(out, "1:2:3:4");
    else {
        /* Columns in their order, those that the layer names in place of the first ones; the
         * colour's. */
        int columns = layer->kind == GDYN_AREA    ? 3
                      : layer->kind == GDYN_EDGES ? 2 * places
                                                  : places;
        for (int k = 0; k < columns; k++)
            gdyn_text_printf(out, "%s%d", k ? ":" : "",
                             k < 3 && layer->column[k] ? layer->column[k] : k + 1);
        if (layer->colouring != GDYN_PLAIN)
            gdyn_text_printf(out, ":%d", columns + 1);
    }
}

/* "with lines lw 2 lc rgb '#0072B2'". */
static void write_look(gdyn_text *out, const gdyn_figure_layer *layer) {
    static const char *const with[] = {
        [GDYN_LINE] = "lines",        [GDYN_AREA] = "filledcurves",
        [GDYN_POINTS] = "points",     [GDYN_SHAPE] = "filledcurves closed",
        [GDYN_TRAIL] = "linespoints", [GDYN_BOXES] = "boxxyerror",
        [GDYN_BANDS] = "boxxyerror",  [GDYN_RULES] = "vectors nohead",
        [GDYN_NAMES] = "labels",      [GDYN_EDGES] = "vectors nohead",
        [GDYN_CONTOURS] = "lines",    [GDYN_SURFACE] = "pm3d fc rgb variable",
        [GDYN_SAMPLE] = "lines",
    };
    gdyn_text_printf(out, "with %s", with[layer->kind]);
    switch (layer->kind) {
    case GDYN_SURFACE:
        break;
    case GDYN_NAMES:
        gdyn_text_printf(out,
                         layer->colouring == GDYN_OWN ? " tc rgb variable" : " tc rgb '#222222'");
        break;
    case GDYN_AREA:
    case GDYN_SHAPE:
    case GDYN_BOXES:
    case GDYN_BANDS:
        gdyn_gnuplot_fill(out, layer);
        if (layer->colouring != GDYN_PLAIN)
            gdyn_text_printf(out, layer->colouring == GDYN_OWN ? " lc rgb variable"
                                                               : " lw 0.4 lc palette");
        else if (layer->width > 0)
            gdyn_text_printf(out, " lc rgb '#%06X' lw %g", layer->border, layer->width);
        break;
    case GDYN_POINTS:
        gdyn_gnuplot_point(out, layer);
        break;
    case GDYN_TRAIL:
        gdyn_text_printf(out, " pt %d ps %g*marks", layer->point,
                         layer->size > 0 ? layer->size : 1);
        gdyn_gnuplot_line(out, layer);
        break;
    default:
        gdyn_gnuplot_line(out, layer);
    }
}

/* The layer is part of the plot command. */
static bool is_plotted(const gdyn_figure_panel *p, const gdyn_figure_layer *layer) {
    return layer->kind != GDYN_SAMPLE && !(p->space && layer->kind == GDYN_NAMES);
}

/* The look's text, which lives as long as the figure. */
static const char *look_of(gdyn_figure *f, const gdyn_figure_layer *layer) {
    gdyn_text text = {0};
    write_look(&text, layer);
    const char *kept = gdyn_figure_words(f, "%s", text.data ? text.data : "");
    gdyn_text_free(&text);
    return kept;
}

void gdyn_gnuplot_looks(gdyn_text *out, gdyn_figure *f, gdyn_gnuplot_look *look) {
    for (int i = 0; i < f->panels; i++)
        for (int k = 0; k < f->panel[i]->layers; k++) {
            const char *text = look_of(f, &f->panel[i]->layer[k]);
            int at = 0;
            while (at < GDYN_LOOKS_MOST && look[at].text && strcmp(look[at].text, text) != 0)
                at++;
            if (at == GDYN_LOOKS_MOST || !is_plotted(f->panel[i], &f->panel[i]->layer[k]))
                continue;
            look[at].text = text;
            look[at].uses++;
        }
    bool any = false;
    for (int k = 0; k < GDYN_LOOKS_MOST && look[k].text; k++) {
        if (look[k].uses < GDYN_LOOK_SHARED)
            continue;
        gdyn_text_printf(out, "%slook%d = \"%s\"\n", any ? "" : "# Looks that many layers share\n",
                         k + 1, look[k].text);
        any = true;
    }
}

/* One layer: its data and its look, or the macro that stands for it. */
static void write_layer(gdyn_text *out, gdyn_figure *f, const gdyn_figure_panel *p,
                        const gdyn_figure_layer *layer, const gdyn_gnuplot_look *look) {
    const char *text = look_of(f, layer);
    write_source(out, p, layer);
    for (int k = 0; k < GDYN_LOOKS_MOST && look[k].text; k++)
        if (look[k].uses >= GDYN_LOOK_SHARED && strcmp(look[k].text, text) == 0) {
            gdyn_text_printf(out, " @look%d", k + 1);
            return;
        }
    gdyn_text_printf(out, " %s", text);
}

void gdyn_gnuplot_layers(gdyn_text *out, gdyn_figure *f, const gdyn_figure_panel *p,
                         const gdyn_gnuplot_look *look) {
    enum { LINE = 100 };
    size_t line = out->length;
    int drawn = 0;
    for (int k = 0; k < p->layers; k++) {
        gdyn_text layer = {0};
        if (!is_plotted(p, &p->layer[k]))
            continue;
        write_layer(&layer, f, p, &p->layer[k], look);
        if (drawn == 0)
            gdyn_text_printf(out, p->space ? "splot " : "plot ");
        else if (out->length - line + layer.length < LINE)
            gdyn_text_printf(out, ", ");
        else {
            gdyn_text_printf(out, ", \\\n");
            line = out->length;
            gdyn_text_printf(out, "    ");
        }
        gdyn_text_append(out, layer.data ? layer.data : "", layer.length);
        gdyn_text_free(&layer);
        drawn++;
    }
    /* nothing: in space a plane above the axes, which keep their ranges */
    if (drawn == 0 && p->space)
        gdyn_text_printf(out, "splot %.9g", 2 * p->z.high - p->z.low + 1);
    else if (drawn == 0)
        gdyn_text_printf(out, "plot NaN");
    gdyn_text_append(out, "\n", 1);
}
