/* page.c - the look of a gnuplot page: heading, notes, axes, places of plots and keys, colours; plots that are made of
 * several layers. */
#include "report/picture.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* --- text ------------------------------------------------------------------------------------- */

/* A label of which every part but the text is a setting of gnuplot. */
static void label(gdyn_script *script, const char *text, const char *place, double x, double y,
                  const char *look) {
    gdyn_script_line(script, "set label \"%s\" at %s %.4f,%.4f %s", text, place, x, y, look);
}

void gdyn_page_heading(gdyn_script *script, double x, double y, const char *format, ...) {
    char text[400];
    /* The caller has quoted names for gnuplot. */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    label(script, text, "screen", x, y, "left font ',16'");
}

void gdyn_page_note(gdyn_script *script, double x, double y, const char *look, const char *format,
                    ...) {
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    label(script, text, "screen", x, y, look);
}

/* Labels, arrows and rectangles of one plot must not appear in the next. */
void gdyn_page_clear(gdyn_script *script) {
    gdyn_script_line(script, "unset label\nunset arrow\nunset object");
}

/* --- places ----------------------------------------------------------------------------------- */

void gdyn_page_columns(gdyn_script *script, double left, double right) {
    gdyn_script_line(script, "set lmargin at screen %.4f\nset rmargin at screen %.4f", left, right);
}

void gdyn_page_rows(gdyn_script *script, double top, double bottom) {
    gdyn_script_line(script, "set tmargin at screen %.4f\nset bmargin at screen %.4f", top, bottom);
}

void gdyn_page_axes(gdyn_script *script) {
    gdyn_script_line(script, "set border lc rgb '#444444'\nset tics nomirror out scale 0.6\n"
                             "set grid lc rgb '#E4E4E4' lt 1 lw 0.6 back");
}

void gdyn_page_key(gdyn_script *script, double x, double y, const char *more) {
    gdyn_script_line(script, "set key at screen %.4f,%.4f left top Left reverse %s", x, y, more);
}

void gdyn_page_line(gdyn_script *script, double x, double to, double y, const char *look) {
    gdyn_script_line(script, "set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead %s", x, y,
                     to, y, look);
}

void gdyn_page_patch(gdyn_script *script, double x, double to, double bottom, double top,
                     const char *colour) {
    gdyn_script_line(script,
                     "set object rectangle from screen %.4f,%.4f to screen %.4f,%.4f fc rgb '%s' "
                     "fs solid noborder",
                     x, bottom, to, top, colour);
}

void gdyn_page_band(gdyn_script *script, double from, double to, const char *colour) {
    gdyn_script_line(script,
                     "set object rectangle from first %.9g, graph 0 to first %.9g, graph 1 fc rgb "
                     "'%s' fs solid noborder behind",
                     from, to, colour);
}

/* --- plots ------------------------------------------------------------------------------------ */

/* Between the layers of a plot. */
static void next_layer(gdyn_script *script) {
    /* "plot a, b, c" in the order in which layers cover each other. */
    gdyn_text_printf(&script->gp, "%s", script->layers++ ? ", \\\n    " : "plot ");
}

void gdyn_plot(gdyn_script *script, int block, const char *format, ...) {
    va_list args;
    assert(block < script->blocks); /* its data have ended */
    if (block < 0)
        return;
    next_layer(script);
    gdyn_text_printf(&script->gp, "data index %d using ", block);
    va_start(args, format);
    gdyn_text_vprintf(&script->gp, format, args);
    va_end(args);
}

void gdyn_plot_more(gdyn_script *script, const char *format, ...) {
    va_list args;
    next_layer(script);
    va_start(args, format);
    gdyn_text_vprintf(&script->gp, format, args);
    va_end(args);
}

void gdyn_plot_end(gdyn_script *script) {
    gdyn_script_line(script, script->layers ? "" : "plot NaN notitle");
    script->layers = 0;
}

void gdyn_plot_nothing(gdyn_script *script, const char *why) {
    assert(script->layers == 0);
    /* A plot without data: an empty frame with a word in it. */
    gdyn_script_line(script,
                     "set label 9999 \"%s\" at graph 0.5,0.5 center\nplot NaN notitle\n"
                     "unset label 9999",
                     why);
}

/* --- colours ---------------------------------------------------------------------------------- */

/* A colour moved towards grey level `to` by that share. */
static unsigned mixed(unsigned colour, double to, double share) {
    unsigned out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double part = (double)(colour >> shift & 255u);
        out = out << 8 | (unsigned)lround(part + (to - part) * share);
    }
    return out;
}

unsigned gdyn_page_colour(int i) {
    assert(i >= 0);
    /* Shares for which the least distance of any two of the first 26 in RGB is greatest. */
    static const struct { double to, share; } shade[] = {{0, 0}, {255, 0.45}, {0, 0.5}, {255, 0.8}};
    int round = i / GDYN_COLOURS % (int)(sizeof shade / sizeof *shade);
    static const unsigned okabe_ito[GDYN_COLOURS] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                     0xE69F00, 0x56B4E9, 0x000000, 0x8B6D00};
    unsigned colour = okabe_ito[i % GDYN_COLOURS];
    /* Black has no darker one. */
    return round == 2 && colour == 0 ? 0x404040
                                     : mixed(colour, shade[round].to, shade[round].share);
}
