/* script.c - a gnuplot script and the data it reads, built side by side.
 *
 * A script draws the same picture twice, as PNG and as SVG, in a loop over two terminals; it names
 * its files relative to its own folder, so that it can be run there again by hand. Whoever defines
 * `partial` gets files with that ending. */
#include "report/picture.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Characters of a name in a heading: the longest heading fits on the narrowest page. */
enum { HEADING_MOST = 40 };

void gdyn_script_begin(gdyn_script *script, const char *name, const char *kind, int width,
                       int height) {
    char stem[120];
    gdyn_report_file_name(name, stem, sizeof stem);
    *script = (gdyn_script){0};
    snprintf(script->stem, sizeof script->stem, "%s%s%s", stem, *stem ? "_" : "", kind);
    gdyn_text_printf(&script->gp,
                     "# Made by globdyn; run it again with: gnuplot %s.gp\n"
                     "data = '%s.dat'\n"
                     "if (!exists('partial')) partial = ''\n"
                     "do for [picture = 1:2] {\n"
                     "reset\n"
                     "if (picture == 1) {\n"
                     "set terminal pngcairo size %d,%d font 'DejaVu Sans,13' noenhanced\n"
                     "set output '%s.png'.partial\n"
                     "} else {\n"
                     "set terminal svg size %d,%d font 'DejaVu Sans,13' noenhanced "
                     "background rgb 'white'\n"
                     "set output '%s.svg'.partial\n"
                     "}\n",
                     script->stem, script->stem, width, height, script->stem, width, height,
                     script->stem);
    gdyn_text_printf(&script->data, "# Data of %s.gp\n", script->stem);
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
