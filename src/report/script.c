/* script.c - a gnuplot script and the data it reads, built side by side.
 *
 * A script draws the same picture in a loop over formats; it names its files relative to its own folder, so that it
 * can be run there again by hand. Whoever defines one of these before gets another look: `formats` ('png svg'), `into`
 * (a folder, with a slash), `partial` (a further ending), `wide` and `high` (of the page, in 1/96 inch), `letters` (size
 * of text that is not marked otherwise, in points), `dots` (of a PNG for 1/96 inch), `tilt` and `turn` (of machines in
 * space, in degrees). */
#include "report/picture.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Characters of a name in a heading: the longest heading fits on the narrowest page. */
enum { HEADING_MOST = 40 };

/* Size of text in points: 13 pixels of 1/96 inch. */
static const double LETTERS = 9.75;

/* Lengths are in 1/96 inch, text in points of 1/72 inch; the terminals take pixels, or inches. */
static void set_terminals(gdyn_script *script) {
    static const char look[] = "font 'DejaVu Sans,13' noenhanced linewidth";
    gdyn_script_line(script,
                     "if (format eq 'png') {\n"
                     "set terminal pngcairo size wide*dots,high*dots fontscale text*dots "
                     "pointscale lines*dots %s lines*dots\n}",
                     look);
    gdyn_script_line(script,
                     "if (format eq 'svg') {\n"
                     "set terminal svg size wide,high fontscale text background rgb 'white' "
                     "%s lines\n}",
                     look);
    gdyn_script_line(script,
                     "if (format eq 'pdf') {\n"
                     "set terminal pdfcairo size wide/96.,high/96. fontscale 0.75*text "
                     "pointscale lines %s lines\n}",
                     look);
    gdyn_script_line(script, "if (format ne 'gif') {\nset output into.'%s.'.format.partial\n}",
                     script->stem);
}

static void begin(gdyn_script *script, const char *name, const char *kind, int width, int height,
                  bool moving) {
    char stem[120];
    gdyn_report_file_name(name, stem, sizeof stem);
    *script = (gdyn_script){0};
    snprintf(script->stem, sizeof script->stem, "%s%s%s", stem, *stem ? "_" : "", kind);
    gdyn_text_printf(&script->gp,
                     "# Made by globdyn; run it again with: gnuplot %s.gp\n"
                     "data = '%s.dat'\n"
                     "if (!exists('partial')) partial = ''\n"
                     "if (!exists('into')) into = ''\n"
                     "if (!exists('formats')) formats = 'png svg%s'\n"
                     "if (!exists('wide')) wide = %d\n"
                     "if (!exists('high')) high = wide*%d/%d.\n"
                     "if (!exists('dots')) dots = 1\n"
                     "lines = wide/%d.\n"
                     "text = exists('letters') ? letters/%g : lines\n"
                     "do for [format in formats] {\n"
                     "reset\n",
                     script->stem, script->stem, moving ? " gif" : "", width, height, width, width,
                     LETTERS);
    set_terminals(script);
    gdyn_text_printf(&script->data, "# Data of %s.gp\n", script->stem);
}

void gdyn_script_begin(gdyn_script *script, const char *name, const char *kind, int width,
                       int height) {
    begin(script, name, kind, width, height, false);
}

void gdyn_script_begin_moving(gdyn_script *script, const char *name, const char *kind, int width,
                              int height) {
    begin(script, name, kind, width, height, true);
}

void gdyn_script_line(gdyn_script *script, const char *format, ...) {
    va_list args;
    va_start(args, format);
    gdyn_text_vprintf(&script->gp, format, args);
    va_end(args);
    gdyn_text_append(&script->gp, "\n", 1);
}

int gdyn_script_end_block(gdyn_script *script) {
    gdyn_text_append(&script->data, "\n\n", 2);
    return script->blocks++;
}

/* What gnuplot or its pictures would take for more than text, as text; a NUL stays as it is. */
static const char *harmless(const char *text, const char *before, bool format, char as_it_is[2]) {
    as_it_is[0] = *text, as_it_is[1] = '\0';
    switch (*text) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '`': /* gnuplot would run what stands between grave accents as a command of the shell */
        return "'";
    case '%':
        return format ? "%%" : as_it_is;
    case '>': /* "]]>" may not stand in an XML text, and gnuplot does not see to that */
        return text - before >= 2 && text[-1] == ']' && text[-2] == ']' ? " >" : as_it_is;
    default:
        return (unsigned char)*text < ' ' ? " " : as_it_is;
    }
}

static const char *quote(const char *text, bool format, char *out, size_t size) {
    size_t at = 0;
    char one[2];
    for (const char *c = text; *c && at + 3 < size; c++)
        for (const char *piece = harmless(c, text, format, one); *piece; piece++)
            out[at++] = *piece;
    out[at] = '\0';
    return out;
}

const char *gdyn_script_quote(const char *text, char *out, size_t size) {
    return quote(text, false, out, size);
}

const char *gdyn_script_tic(const char *text, char *out, size_t size) {
    return quote(text, true, out, size);
}

const char *gdyn_shorten(const char *text, int most, char *out, size_t size) {
    size_t at = 0, last = 0;
    int characters = 0;
    for (; text[at] && at + 4 < size; at++) {
        bool begins = ((unsigned char)text[at] & 0xC0) != 0x80;
        if (begins && ++characters == most)
            last = at;
        if (characters > most)
            break;
        out[at] = text[at];
    }
    out[at] = '\0';
    if (text[at]) {
        at = characters > most ? last : at;
        memcpy(out + at, "…", sizeof "…");
    }
    return out;
}

const char *gdyn_script_heading(const char *name, char *out, size_t size) {
    char cut[200];
    return gdyn_script_quote(gdyn_shorten(name, HEADING_MOST, cut, sizeof cut), out, size);
}

double gdyn_round_step(double length, int parts) {
    double power = pow(10, floor(log10(length / parts))), lead = length / parts / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

gdyn_status gdyn_script_finish(gdyn_script *script, const char *folder, const gdyn_sink *sink) {
    char name[200];
    assert(script->layers == 0); /* the last plot has ended */
    gdyn_script_line(script, "unset output\n}");
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (!script->gp.failed && !script->data.failed) {
        snprintf(name, sizeof name, "%s.dat", script->stem);
        status = gdyn_report_write(folder, name, script->data.data, script->data.length, sink);
    }
    if (status == GDYN_OK) {
        snprintf(name, sizeof name, "%s.gp", script->stem);
        status = gdyn_report_write(folder, name, script->gp.data, script->gp.length, sink);
    }
    gdyn_text_free(&script->gp);
    gdyn_text_free(&script->data);
    return status;
}
