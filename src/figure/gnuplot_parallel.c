/* gnuplot_parallel.c - axes side by side with a line for every design (Inselberg 1985), in as
 * many rows as the page needs; see gnuplot.c. */
#include "figure/gnuplot.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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
                     "h = most(130,least(0.25*room,260)); pitch = h+120\n"
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

/* The scale of colours below the last row. */
static void write_scale(gdyn_text *out, const gdyn_figure_axis *c) {
    gdyn_text_printf(out,
                     "set cbrange [%.9g:%.9g]\n"
                     "set cbtics nomirror out scale 0.6 tics(%.9g,room-80,%.0f)\n"
                     "if (r == rows) {\nset colorbox horizontal user origin screen X(40),Y(y-40) "
                     "size screen X(room-80),9./tall\nset label 900 ",
                     c->low, c->high, c->high - c->low, gdyn_gnuplot_number(c) + 24);
    gdyn_gnuplot_quote(out, c->title ? c->title : "", false);
    gdyn_text_printf(out, " at screen X(40),Y(y-60)\n}\n");
}

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
    if (has_scale(f))
        write_scale(out, &p->colour);
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
