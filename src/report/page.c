/* page.c - the look of a gnuplot page: heading, notes, axes, places of plots and keys, colours; plots that are made of
 * several layers. */
#include "report/picture.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    if (gdyn_script_narrow(script))
        gdyn_column_note(script, "", text);
    else
        label(script, text, "screen", x, y, "left font ',16'");
}

void gdyn_page_note(gdyn_script *script, double x, double y, const char *look, const char *format,
                    ...) {
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (gdyn_script_narrow(script))
        gdyn_column_note(script, look, text);
    else
        label(script, text, "screen", x, y, look);
}

/* Labels, arrows and rectangles of one plot must not appear in the next. */
void gdyn_page_clear(gdyn_script *script) {
    gdyn_script_line(script, "unset label\nunset arrow\nunset object");
}

/* --- places ----------------------------------------------------------------------------------- */

void gdyn_page_columns(gdyn_script *script, double left, double right) {
    if (!gdyn_script_narrow(script))
        gdyn_script_line(script, "set lmargin at screen %.4f\nset rmargin at screen %.4f", left,
                         right);
}

void gdyn_page_rows(gdyn_script *script, double top, double bottom) {
    static const double LEAST = 80, MOST = 0.62; /* pixels; of the width */
    if (!gdyn_script_narrow(script)) {
        gdyn_script_line(script, "set tmargin at screen %.4f\nset bmargin at screen %.4f", top,
                         bottom);
        return;
    }
    double height = (top - bottom) * script->high * sqrt(script->wide / script->ordinary);
    gdyn_page_cell(script, 0, 1, false, fmin(fmax(height, LEAST), MOST * script->wide));
}

void gdyn_page_cell(gdyn_script *script, int cell, int cells, bool alone, double height) {
    gdyn_column_page *c = &script->column;
    c->cell = cell;
    c->cells = cells;
    c->alone = alone;
    c->height = height;
    c->ratio = c->above = c->under = 0;
}

void gdyn_page_ratio(gdyn_script *script, double ratio) {
    script->column.ratio = ratio;
}

double gdyn_page_names(gdyn_script *script, double longest) {
    static const double SHARE = 0.4, BESIDE = 28;
    gdyn_column_page *c = &script->column;
    double name = fmin(longest, SHARE * script->wide - BESIDE);
    c->margin = fmax(c->margin, name + BESIDE);
    return name;
}

void gdyn_page_margin(gdyn_script *script, double width) {
    script->column.margin = width;
}

void gdyn_page_lanes(gdyn_script *script, int lanes) {
    if (gdyn_script_narrow(script))
        gdyn_page_cell(script, 0, 1, false, lanes * (GDYN_COLUMN_LINE + 1.0));
    gdyn_page_own_tics(script, 'y');
}

const char *gdyn_page_name(const gdyn_script *script, const char *name, double width,
                           char out[300]) {
    char line[300];
    if (!gdyn_script_narrow(script))
        return name;
    gdyn_column_shorten(name, width, line);
    memcpy(out, line, sizeof line);
    return out;
}

void gdyn_page_scale(gdyn_script *script, double low, double high, bool across) {
    script->column.across = across;
    script->column.scale[0] = low;
    script->column.scale[1] = high;
}

void gdyn_page_reserve(gdyn_script *script, int lines) {
    script->column.reserve = lines;
}

void gdyn_page_spare(gdyn_script *script, double above, double below) {
    script->column.above = above;
    script->column.under = below;
}

void gdyn_page_sample(gdyn_script *script, const char *look) {
    snprintf(script->column.sample, sizeof script->column.sample, "%s", look);
}

void gdyn_page_whole(gdyn_script *script, char axis, bool whole) {
    script->column.whole[axis == 'y'] = whole;
}

void gdyn_page_axes(gdyn_script *script) {
    gdyn_script_line(script, "set border lc rgb '#444444'\nset tics nomirror out scale 0.6\n"
                             "set grid lc rgb '#E4E4E4' lt 1 lw 0.6 back");
}

void gdyn_page_key(gdyn_script *script, double x, double y, const char *more) {
    char settings[200];
    snprintf(settings, sizeof settings, "set key at screen %.4f,%.4f left top Left reverse %s", x,
             y, more);
    gdyn_page_any_key(script, settings);
}

void gdyn_page_any_key(gdyn_script *script, const char *settings) {
    script->column.keyed = true;
    if (!gdyn_script_narrow(script))
        gdyn_script_line(script, "%s", settings);
}

void gdyn_page_no_key(gdyn_script *script) {
    script->column.keyed = false;
    gdyn_script_line(script, "unset key");
}

void gdyn_page_key_title(gdyn_script *script, const char *text, const char *more) {
    if (gdyn_script_narrow(script))
        gdyn_column_note(script, "", text);
    else
        gdyn_script_line(script, "set key title \"%s\" %s", text, more);
}

void gdyn_page_line(gdyn_script *script, double x, double to, double y, const char *look) {
    if (gdyn_script_narrow(script))
        snprintf(script->column.sample, sizeof script->column.sample, "lines %s", look);
    else
        gdyn_script_line(script, "set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead %s", x,
                         y, to, y, look);
}

void gdyn_page_patch(gdyn_script *script, double x, double to, double bottom, double top,
                     const char *colour) {
    if (gdyn_script_narrow(script))
        snprintf(script->column.sample, sizeof script->column.sample, "boxes fc rgb '%s'", colour);
    else
        gdyn_script_line(script,
                         "set object rectangle from screen %.4f,%.4f to screen %.4f,%.4f fc rgb "
                         "'%s' fs solid noborder",
                         x, bottom, to, top, colour);
}

void gdyn_page_band(gdyn_script *script, double from, double to, const char *colour) {
    gdyn_script_line(script,
                     "set object rectangle from first %.9g, graph 0 to first %.9g, graph 1 fc rgb "
                     "'%s' fs solid noborder behind",
                     from, to, colour);
}

/* --- axes and titles -------------------------------------------------------------------------- */

void gdyn_page_label(gdyn_script *script, char axis, const char *text, const char *more) {
    char *own = script->column.label[axis == 'y'];
    if (gdyn_script_narrow(script))
        snprintf(own, sizeof script->column.label[0], "%s", text);
    else if (*text)
        gdyn_script_line(script, "set %clabel \"%s\" %s", axis, text, more);
    else
        gdyn_script_line(script, "unset %clabel", axis);
}

/* One more text above the next panel. */
static void caption(gdyn_script *script, bool middle, const char *look, const char *text) {
    gdyn_column_page *c = &script->column;
    if (c->captions == GDYN_CAPTIONS || !*text)
        return;
    gdyn_caption *own = &c->caption[c->captions++];
    own->middle = middle;
    snprintf(own->text, sizeof own->text, "%s", text);
    snprintf(own->look, sizeof own->look, "%s", look);
}

void gdyn_page_title(gdyn_script *script, const char *text, const char *more) {
    if (gdyn_script_narrow(script))
        caption(script, true, "", text);
    else
        gdyn_script_line(script, "set title \"%s\" %s", text, more);
}

void gdyn_page_caption(gdyn_script *script, int number, double y, const char *look,
                       const char *text) {
    if (gdyn_script_narrow(script))
        caption(script, false, look, text);
    else
        gdyn_script_line(script, "set label %d \"%s\" at graph %d,%.2f %s", number, text,
                         strncmp(look, "right", 5) == 0, y, look);
}

void gdyn_page_range(gdyn_script *script, char axis, double low, double high) {
    gdyn_script_line(script, "set %crange [%.9g:%.9g]", axis, low, high);
    gdyn_page_tics(script, axis, low, high);
}

void gdyn_page_tics(gdyn_script *script, char axis, double low, double high) {
    script->column.range[axis == 'y'][0] = low;
    script->column.range[axis == 'y'][1] = high;
    script->column.logarithmic[axis == 'y'] = false;
}

void gdyn_page_own_tics(gdyn_script *script, char axis) {
    script->column.range[axis == 'y'][0] = script->column.range[axis == 'y'][1] = NAN;
}

void gdyn_page_logarithmic(gdyn_script *script, char axis, double low, double high) {
    script->column.range[axis == 'y'][0] = low;
    script->column.range[axis == 'y'][1] = high;
    script->column.logarithmic[axis == 'y'] = true;
}

void gdyn_page_numbers(gdyn_script *script, char axis, bool numbers) {
    gdyn_script_line(script, "set format %c '%s'", axis, numbers ? "%g" : "");
    script->column.unnumbered[axis == 'y'] = !numbers;
}

/* --- plots ------------------------------------------------------------------------------------ */

/* Between the layers of a plot. */
static void next_layer(gdyn_script *script) {
    /* "plot a, b, c" in the order in which layers cover each other. */
    if (script->layers == 0)
        script->plot = script->gp.length;
    gdyn_text_printf(&script->gp, "%s",
                     script->layers++ ? ", \\\n    "
                     : script->space  ? "splot "
                                      : "plot ");
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
    if (script->layers == 0)
        gdyn_plot_more(script, "NaN notitle");
    gdyn_text_append(&script->gp, "\n", 1);
    script->layers = 0;
    if (gdyn_script_narrow(script))
        gdyn_column_plot(script, script->plot);
    script->space = false;
}

void gdyn_plot_space(gdyn_script *script) {
    script->space = true;
}

void gdyn_plot_nothing(gdyn_script *script, const char *why) {
    assert(script->layers == 0);
    /* A plot without data: an empty frame with a word in it. */
    gdyn_script_line(script, "set label 9999 \"%s\" at graph 0.5,0.5 center", why);
    gdyn_plot_end(script);
    gdyn_script_line(script, "unset label 9999");
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
