/* gnuplot_panel.c - a panel of a figure as commands of gnuplot: its axes, what stands around it,
 * its layers; axes side by side with a line for every design (Inselberg 1985), in as many rows as
 * the page needs. See gnuplot.c for its place, gnuplot_layers.c for its layers. In the script i is
 * the number of the panel, from 1 on. */
#include "figure/gnuplot.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- axes ------------------------------------------------------------------------------------- */

double gdyn_gnuplot_number(const gdyn_figure_axis *axis) {
    enum { PARTS = 5, MOST = 40 };
    double span = fabs(axis->high - axis->low), low = fmin(axis->low, axis->high), widest = 8;
    if (axis->logarithmic)
        return 47; /* "1e-15" */
    double step = span > 0 ? gdyn_round_step(span, PARTS) : 1, k = ceil(low / step);
    for (int i = 0; i < MOST && k * step <= low + span; i++, k++) {
        char text[40];
        snprintf(text, sizeof text, "%g", k * step + 0.0);
        widest = fmax(widest, gdyn_letters_width(text));
    }
    return widest;
}

/* Names at places; in lanes shortened to the room before the panel. every: that many-th. */
static void write_names(gdyn_text *out, const char *name, const gdyn_figure_axis *axis, int every) {
    gdyn_text_printf(out, "set %stics nomirror out scale %s (", name, axis->lanes ? "0" : "0.6");
    for (int k = 0; k < axis->tics; k += every) {
        gdyn_text_append(out, k ? ", " : "", k ? 2 : 0);
        gdyn_text_append(out, "clip(", axis->lanes ? 5 : 0);
        gdyn_gnuplot_quote(out, axis->tic[k].name, true);
        gdyn_text_printf(out, "%s %.9g", axis->lanes ? ", letters_of(left-24,6.5))" : "",
                         axis->tic[k].at);
    }
    gdyn_text_printf(out, ")%s\n", *name == 'x' && !name[1] ? " rotate by 35 right" : "");
}

/* Range and tics; length: pixels of the panel along the axis, in the script. */
static void write_axis(gdyn_text *out, const char *name, const gdyn_figure_axis *axis,
                       const char *length) {
    double each = *name == 'y' ? 34 : fmax(gdyn_gnuplot_number(axis) + 20, 62);
    double span = axis->logarithmic ? log10(axis->high / axis->low) : fabs(axis->high - axis->low);
    gdyn_text_printf(out, "set %srange [%.9g:%.9g]; ", name, axis->low, axis->high);
    if (axis->bare)
        gdyn_text_printf(out, "unset %stics\n", name);
    else if (axis->tics > 0)
        write_names(out, name, axis, 1);
    else if (axis->step > 0)
        gdyn_text_printf(out, "set %stics %.9g\n", name, axis->step);
    else
        gdyn_text_printf(out, "set %stics %s%s(%.9g,%s,%.0f)%s\n", name,
                         axis->whole ? "max(1," : "", axis->logarithmic ? "decades" : "tics", span,
                         length, each, axis->whole ? ")" : "");
}

/* The scale of colours below the panel, beside the one that ends the grid. */
static void write_scale(gdyn_text *out, const gdyn_figure_panel *p, const gdyn_figure_panel *before,
                        int i, int last) {
    const gdyn_figure_axis *c = &p->colour;
    bool same = before && before->colour.low == c->low && before->colour.high == c->high;
    if (!(c->high > c->low) || (same && before->unscaled && p->unscaled))
        return;
    gdyn_text_printf(out, "set cbrange [%.9g:%.9g]; ", c->low, c->high);
    if (p->unscaled)
        gdyn_text_printf(out, "unset colorbox\n");
    else
        gdyn_text_printf(out,
                         "set cbtics nomirror out scale 0.6 tics(%.9g,R[%s]-L[i],%.0f); "
                         "eval bar(i,%d)\n",
                         c->high - c->low, last > i + 1 ? "i+C[i]-1" : "i",
                         gdyn_gnuplot_number(c) + 24, last);
}

/* --- what stands around it -------------------------------------------------------------------- */

/* The text in lines as wide as the panel from there on. */
static void write_fold(gdyn_text *out, const char *text, const char *from) {
    gdyn_text_printf(out, "fold(");
    gdyn_gnuplot_quote(out, text, false);
    gdyn_text_printf(out, ", letters_of(R[i]-%s,%.2f))", from, gdyn_gnuplot_letter(text));
}

/* A text that falls into lines as wide as the panel with its numbers, above the last one, which
 * begins at v in the script. */
static void write_label(gdyn_text *out, const char *text, bool grey) {
    if (!text || !*text)
        return;
    gdyn_text_printf(out, "t = ");
    write_fold(out, text, "x");
    gdyn_text_printf(out, "; v = v-17*lines(t); %seval put%s\n", grey ? "tint = '#555555'; " : "",
                     grey ? "; tint = '#000000'" : "");
}

static void write_texts(gdyn_text *out, const gdyn_figure *f, int number,
                        const gdyn_figure_grid *g) {
    const gdyn_figure_panel *p = f->panel[number];
    const char *ytitle = p->space ? p->z.title : p->y.title;
    if (p->space)
        gdyn_text_printf(out, "unset label; tag = 0; x = W[i]; v = U[i]-6\n");
    if (p->top.tics > 0)
        gdyn_text_printf(out, "v = U[i]-52\n");
    if (!g->share)
        write_label(out, ytitle, false);
    write_label(out, p->caption[1], true), write_label(out, p->caption[0], false);
    if (g->share && number == g->first) {
        gdyn_text_printf(out, "v = O[i]; x = 8\n");
        write_label(out, ytitle, false);
    }
    if (p->note) {
        gdyn_text_printf(out, "t = ");
        write_fold(out, p->note, "L[i]");
        gdyn_text_printf(out, "; x = 0.5*(L[i]+R[i]); v = 0.5*(U[i]+D[i]-17*lines(t)); "
                              "eval middle\n");
    }
    if (p->x.title && !p->space) {
        /* pixels below the panel for its numbers, names at a slant */
        enum { NUMBERS = 29, SLANT = 50, FREE = 8 };
        int below = NUMBERS + (p->x.tics > 0 && !p->x.lanes ? SLANT : 0);
        gdyn_text_printf(out, "t = E[i] ? ");
        write_fold(out, p->x.title, "L[i]");
        gdyn_text_printf(out, " : ''; x = 0.5*(L[i]+R[i]); v = D[i]+%d; eval middle\n",
                         p->x.bare || p->x.unlabelled ? FREE : below);
    }
}

/* Some of the poses as a picture, all of them as a GIF. */
static void write_frames(gdyn_text *out, const gdyn_figure *f, const gdyn_figure_panel *p) {
    enum { POSES = 9 };
    const char *plot = p->space ? "splot" : "plot", *columns = p->space ? "1:2:3" : "1:2";
    gdyn_text_printf(
        out,
        "if (format ne 'gif') {\n%s for [k=0:%d:%d] data index k using %s with "
        "linespoints pt 7 ps 0.4*marks lw 1.5 lc rgb (k == 0 ? '#000000' : '#88AACC')\n}\n",
        plot, f->frames - 1, (f->frames + POSES - 1) / POSES, columns);
    gdyn_text_printf(out,
                     "if (format eq 'gif' && strstrt(GPVAL_TERMINALS, ' gif ') > 0) {\n"
                     "unset multiplot\nset terminal gif animate delay %d size wide,high fontscale "
                     "text\nset output into.'%s.gif'.partial\ndo for [k=0:%d] {\nset title "
                     "sprintf('t = %%.3f s', k*%.9g)\n%s data index k using %s with linespoints "
                     "pt 7 ps 0.6 lw 2 lc rgb '#0072B2' notitle\n}\n}\n",
                     (int)fmin(fmax(100 * f->pace, 3), 20), f->stem, f->frames - 1, f->pace, plot,
                     columns);
}

/* --- panels ----------------------------------------------------------------------------------- */

/* The place and the look of a view in space; gnuplot leaves a tenth of the height free below it. */
static void write_view(gdyn_text *out, const gdyn_figure_panel *p) {
    static const char axis[] = "xyz";
    const gdyn_figure_axis *axes[] = {&p->x, &p->y, &p->z};
    gdyn_text_printf(out,
                     "set origin (C[i] > 1 ? X(L[i]-left) : 0),Y(D[i]+0.1*(D[i]-U[i]))\n"
                     "set size 1./C[i],1.16*(D[i]-U[i])/tall\n"
                     "set view %g,%g,%g*(room < 600 ? %g : 1),%g; set xyplane 0\n",
                     p->tilt, p->turn, p->zoom, p->equal ? 1 : 0.9, p->upright);
    if (p->equal)
        gdyn_text_printf(out, "set view equal xyz\n");
    else
        gdyn_text_printf(out,
                         "set ztics offset screen 1.5*near/room,0\n"
                         "if (format eq 'svg') { set ylabel offset screen -0.05,0 }\n"
                         "set border 895; set grid x y z vertical lc rgb '#D8D8D8' lt 1 lw 0.5\n"
                         "set pm3d depthorder corners2color c1; unset colorbox\n");
    /* an SVG has titles far from their axes; those beyond the page would be left out */
    if (!p->fixed)
        gdyn_text_printf(out, "if (exists('tilt')) { set view tilt,turn }\n"
                              "if (format eq 'svg' && !exists('tilt')) { \\\n"
                              "    set xlabel offset screen 0.05,0.05*room/tall; \\\n"
                              "    set ylabel offset screen -0.08-45./room,0 }\n");
    for (int k = 0; k < 3; k++) {
        gdyn_text_printf(out,
                         "set %crange [%.9g:%.9g]; set format %c '%%g'; "
                         "set %ctics tics(%.9g,0.45*(D[i]-U[i]),%.0f)\n",
                         axis[k], axes[k]->low, axes[k]->high, axis[k], axis[k],
                         axes[k]->high - axes[k]->low,
                         k < 2 ? gdyn_gnuplot_number(axes[k]) + 24 : 30);
        if (k < 2 && axes[k]->title) {
            gdyn_text_printf(out, "set %clabel ", axis[k]);
            gdyn_gnuplot_quote(out, axes[k]->title, false);
            gdyn_text_append(out, "\n", 1);
        }
    }
}

static const gdyn_figure_grid *grid_of(const gdyn_figure *f, int number) {
    for (int k = 0; k < f->elements; k++) {
        const gdyn_figure_grid *g = &f->element[k].grid;
        if (number >= g->first && number < g->first + g->panels)
            return g;
    }
    return NULL;
}

static bool same_axis(const gdyn_figure_axis *a, const gdyn_figure_axis *b) {
    return a->low == b->low && a->high == b->high && a->step == b->step &&
           a->logarithmic == b->logarithmic && a->bare == b->bare && a->whole == b->whole &&
           a->tics == 0 && b->tics == 0;
}

/* before: a panel of the same grid, whose axes hold as long as they are the same; NULL: none. */
static void write_frame(gdyn_text *out, const gdyn_figure_panel *p, const gdyn_figure_panel *before,
                        int i, int last) {
    if (p->space) {
        write_view(out, p);
        return;
    }
    gdyn_text_printf(out, "eval place(i)%s%s%s%s\n", p->ground ? "; eval ground" : "",
                     p->equal ? "; set size ratio -1" : "", p->frameless ? "; unset border" : "",
                     p->gridless ? "; unset grid" : "");
    if (!before || !same_axis(&p->x, &before->x))
        write_axis(out, "x", &p->x, "R[i]-L[i]");
    if (!before || !same_axis(&p->y, &before->y))
        write_axis(out, "y", &p->y, "D[i]-U[i]");
    /* numbers that differ from those that place(i) has set; what follows has to take it back */
    const gdyn_figure_axis *const axis[] = {&p->x, &p->y};
    for (int k = 0; k < 2; k++) {
        if (axis[k]->logarithmic)
            gdyn_text_printf(out, "set logscale %c; set format %c '%%.0e'\n", "xy"[k], "xy"[k]);
        if (axis[k]->unlabelled)
            gdyn_text_printf(out, "set format %c ''\n", "xy"[k]);
    }
    /* a second axis of x above, with names: all, or every third where they have no room */
    if (p->top.tics != 0) {
        gdyn_text_printf(out, "set x2range [%.9g:%.9g]; set x2label \"%s\" offset 0,-0.4\n",
                         p->x.low, p->x.high, p->top.title ? p->top.title : "");
        write_names(out, "x2", &p->top, 1);
        gdyn_text_printf(out, "if (R[i]-L[i] < %d) {\n", 45 * p->top.tics);
        write_names(out, "x2", &p->top, 3);
        gdyn_text_printf(out, "}\n");
    }
    write_scale(out, p, before, i, last);
}

void gdyn_gnuplot_panel(gdyn_text *out, gdyn_figure *f, int number, const gdyn_gnuplot_look *look) {
    const gdyn_figure_panel *p = f->panel[number];
    const gdyn_figure_grid *g = grid_of(f, number);
    const gdyn_figure_panel *next = number + 1 < f->panels ? f->panel[number + 1] : NULL;
    gdyn_text_printf(out, "%si = %d; ", number == 0 ? "# Panels\n" : "", number + 1);
    for (int k = 0; k < p->layers; k++)
        if (p->layer[k].kind == GDYN_CONTOURS)
            gdyn_text_printf(out, "eval contours(%d,%.9g,%.9g,%.9g); ", p->layer[k].block - 1,
                             p->layer[k].from, p->layer[k].step, p->layer[k].to);
    write_frame(out, p, g && number > g->first ? f->panel[number - 1] : NULL, number,
                g && g->share ? g->first + g->panels : number + 1);
    if (g)
        write_texts(out, f, number, g);
    for (int k = 0; k < p->layers && p->space; k++)
        if (p->layer[k].kind == GDYN_NAMES) {
            /* Letters in space stand before all surfaces. */
            const gdyn_figure_layer *layer = &p->layer[k];
            const gdyn_figure_block *block = &f->block[layer->block - 1];
            for (int r = 0; r < block->rows; r++) {
                const double *row = f->number + block->first + r * block->columns;
                if (layer->room > 0)
                    gdyn_text_printf(out, "if (%.4g*(D[i]-U[i]) > %g) { ", row[4], layer->room);
                gdyn_text_printf(out, "set label %d ", 100 + r);
                gdyn_gnuplot_quote(out, f->label[block->labels + r], false);
                gdyn_text_printf(out, " at first %.9g,%.9g,%.9g center front tc rgb '#%06X'%s\n",
                                 row[0], row[1], row[2], (unsigned)row[3],
                                 layer->room > 0 ? " }" : "");
            }
        }
    if (f->frames > 0)
        write_frames(out, f, p);
    else
        gdyn_gnuplot_layers(out, f, p, look);
    if (next && ((p->frameless && !next->frameless) || (p->gridless && !next->gridless)))
        gdyn_text_printf(out, "set border 31 lc rgb '#444444'\n"
                              "set grid lc rgb '#E4E4E4' lt 1 lw 0.6 back\n");
    if (p->x.logarithmic || p->y.logarithmic)
        gdyn_text_printf(out, "unset logscale\n");
    if (p->y.lanes || p->x.tics > 0)
        gdyn_text_printf(out, "set xtics scale 0.6 norotate; set ytics scale 0.6\n");
    if (p->top.tics > 0)
        gdyn_text_printf(out, "unset x2tics; unset x2label\n");
}

/* --- parallel axes ---------------------------------------------------------------------------- */

/* An array of one of the texts of all axes. */
static void write_strings(gdyn_text *out, const gdyn_figure *f, const char *name, size_t offset) {
    gdyn_text_printf(out, "array %s[%d] = [", name, f->bars);
    for (int i = 0; i < f->bars; i++) {
        const char *text;
        memcpy(&text, (const char *)&f->bar[i] + offset, sizeof text);
        gdyn_text_append(out, ", ", i ? 2 : 0);
        gdyn_gnuplot_quote(out, text, false);
    }
    gdyn_text_printf(out, "]\n");
}

static bool has_scale(const gdyn_figure *f) {
    return f->panel[0]->colour.high > f->panel[0]->colour.low;
}

void gdyn_gnuplot_bars(gdyn_text *out, const gdyn_figure *f) {
    enum { SLOT = 72, NAME_MOST = 170, SCALE = 70 };
    double widest = SLOT;
    for (int i = 0; i < f->bars; i++)
        widest = fmax(widest, fmin(gdyn_letters_width(f->bar[i].name), NAME_MOST) + 12);
    write_strings(out, f, "name", offsetof(gdyn_figure_bar, name));
    write_strings(out, f, "lower", offsetof(gdyn_figure_bar, low));
    write_strings(out, f, "upper", offsetof(gdyn_figure_bar, high));
    write_strings(out, f, "unit", offsetof(gdyn_figure_bar, unit));
    write_strings(out, f, "sense", offsetof(gdyn_figure_bar, sense));
    gdyn_text_printf(out, "array limit[%d] = [", f->bars);
    for (int i = 0; i < f->bars; i++) /* -1: none */
        gdyn_text_printf(out, "%s%.6g", i ? ", " : "",
                         isnan(f->bar[i].limit) ? -1 : f->bar[i].limit);
    gdyn_text_printf(out,
                     "]\nslot = room < 800 ? %d : %.0f; bars = %d\n"
                     "rows = int(ceil(1.*bars/int((room-34)/slot)))\n"
                     "each = int(ceil(1.*bars/rows)); slot = (room-34.)/each\n"
                     "h = max(130,min(0.25*room,260)); pitch = h+120\n"
                     "first = y + 26; y = y + rows*pitch + %d\n",
                     SLOT, widest, f->bars, has_scale(f) ? SCALE : 0);
}

/* Axis j as the k-th of its row. */
static const char axis_of_row[] =
    "set arrow 2*k from first k,0 to first k,1 nohead lw 1.4 lc rgb '#333333' front\n"
    "if (limit[j] >= 0) {\n"
    "set arrow 2*k+1 from first k-0.06,limit[j] to first k+0.06,limit[j] nohead \\\n"
    "    lw 4 lc rgb '#D55E00' front\n}\n"
    "n = letters_of(slot-6,8)\n"
    "set label 5*k upper[j] at first k,1+14*pixel center\n"
    "set label 5*k+1 lower[j] at first k,-14*pixel center\n"
    "set label 5*k+2 clip(name[j],n) at first k,-31*pixel center\n"
    "set label 5*k+3 unit[j] at first k,-48*pixel center\n"
    "set label 5*k+4 clip(sense[j],n) at first k,-65*pixel center tc rgb '#555555'\n";

void gdyn_gnuplot_rows(gdyn_text *out, const gdyn_figure *f) {
    const gdyn_figure_panel *p = f->panel[0];
    gdyn_text_printf(out,
                     "unset border; unset tics; unset grid; unset colorbox\n"
                     "set xrange [0.5:each+0.5]; set yrange [-0.05:1.05]; pixel = 1.1/h\n"
                     "do for [r=1:rows] {\nup = first+(r-1)*pitch\n"
                     "set lmargin at screen X(12); set rmargin at screen X(room-22)\n"
                     "set tmargin at screen Y(up); set bmargin at screen Y(up+h)\n"
                     "do for [k=1:each] {\nj = (r-1)*each+k\nif (j <= bars) {\n%s}\n}\n",
                     axis_of_row);
    if (has_scale(f)) {
        /* The scale of colours below the last row. */
        const gdyn_figure_axis *c = &p->colour;
        gdyn_text_printf(
            out,
            "set cbrange [%.9g:%.9g]\n"
            "set cbtics nomirror out scale 0.6 tics(%.9g,room-80,%.0f)\n"
            "if (r == rows) {\nset colorbox horizontal user origin screen X(40),Y(y-40) "
            "size screen X(room-80),9./tall\nset label 900 ",
            c->low, c->high, c->high - c->low, gdyn_gnuplot_number(c) + 24);
        gdyn_gnuplot_quote(out, c->title ? c->title : "", false);
        gdyn_text_printf(out, " at screen X(40),Y(y-60)\n}\n");
    }
    for (int k = 0; k < p->layers; k++) {
        const gdyn_figure_layer *layer = &p->layer[k];
        gdyn_text_printf(out,
                         "%sdata index %d using \\\n    ($1 > (r-1)*each && $1 <= r*each ? "
                         "$1-(r-1)*each : NaN):2%s with linespoints pt %d ps %g*marks",
                         k ? ", \\\n    " : "plot ", layer->block - 1,
                         layer->colouring == GDYN_PALETTE ? ":3" : "", layer->point, layer->size);
        gdyn_gnuplot_line(out, layer);
    }
    gdyn_text_printf(out, "%s\nunset label; unset arrow\n}\n", p->layers ? "" : "plot NaN");
}
