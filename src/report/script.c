/* script.c - a gnuplot script and the data it reads, built side by side.
 *
 * A script draws the same picture in a loop over formats; it names its files relative to its own folder, so that it
 * can be run there again by hand. Whoever defines one of these before gets another look: `formats` ('png svg'), `into`
 * (a folder, with a slash), `partial` (a further ending), `wide` and `high` (of the page, in 1/96 inch), `letters` (size
 * of text that is not marked otherwise, in points), `dots` (of a PNG for 1/96 inch), `tilt` and `turn` (of machines in
 * space, in degrees).
 *
 * It has several layouts of the picture: the ordinary one, and columns for pages on which letters of the size asked for are
 * too large for that one. `page` is the width of the one that is drawn, in pixels of which a letter has 13, `tall` its height. */
#include "report/picture.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters of a name in a heading: the longest heading fits on the narrowest page. */
enum { HEADING_MOST = 40 };

/* Lengths are in 1/96 inch, text in points of 1/72 inch; the terminals take pixels, or inches. Letters of a PNG as it is
 * laid out are a third larger. pdfcairo's fontscale of 0.75 writes the letters of a font in its points, of which those of the layout
 * are three quarters. */
static void write_terminals(const gdyn_script *script, gdyn_text *out) {
    static const char look[] = "font 'DejaVu Sans,13' noenhanced linewidth";
    gdyn_text_printf(out,
                     "if (format eq 'png') {\n"
                     "set terminal pngcairo size wide*dots,high*dots fontscale png*text*dots "
                     "pointscale lines*dots %s lines*dots\n}\n",
                     look);
    gdyn_text_printf(out,
                     "if (format eq 'svg') {\n"
                     "set terminal svg size wide,high fontscale text background rgb 'white' "
                     "%s lines\n}\n",
                     look);
    gdyn_text_printf(out,
                     "if (format eq 'pdf') {\n"
                     "set terminal pdfcairo size wide/96.,high/96. fontscale 0.5625*text "
                     "pointscale lines %s lines\n}\n",
                     look);
    gdyn_text_printf(out, "if (format ne 'gif') {\nset output into.'%s.'.format.partial\n}\n",
                     script->stem);
}

/* Widths of the pages for columns; the ordinary layout is the first. */
static const int column_wide[GDYN_LAYOUTS] = {0, 880, 680, 530, 416, 310, 240};

/* Letters have room on an ordinary page that is so much narrower than it was laid out. */
static const double DENSE = 0.8;

static void begin(gdyn_script *script, const char *name, const char *kind, int width, int height,
                  bool moving) {
    char stem[120];
    gdyn_report_file_name(name, stem, sizeof stem);
    *script = (gdyn_script){
        .moving = moving, .ordinary = width, .high = height, .wide = width, .tall = height};
    snprintf(script->stem, sizeof script->stem, "%s%s%s", stem, *stem ? "_" : "", kind);
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

/* --- layouts ------------------------------------------------------------------------------------ */

/* In a column letters have one size, headings a little more. */
static void raise_letters(gdyn_text *gp) {
    static const char FONT[] = "font '";
    gdyn_text out = {0};
    const char *from = gp->failed || !gp->data ? "" : gp->data, *at;
    while ((at = strstr(from, FONT)) != NULL) {
        const char *size = at + strcspn(at, ",");
        char *end;
        double points = *size ? strtod(size + 1, &end) : 0;
        if (points == 0)
            break;
        gdyn_text_append(&out, from, (size_t)(size + 1 - from));
        gdyn_text_printf(&out, "%d", points > 13 ? 14 : 13);
        from = end;
    }
    gdyn_text_append(&out, from, strlen(from));
    out.failed |= gp->failed;
    gdyn_text_free(gp);
    *gp = out;
}

/* The layout in the making is complete. */
static void end_layout(gdyn_script *script) {
    if (gdyn_script_narrow(script)) {
        gdyn_column_end(script);
        raise_letters(&script->gp);
    }
    script->page[script->layout] = script->wide;
    script->height[script->layout] = script->tall;
    gdyn_text_printf(&script->pages, "if (page == %g) {\n%s}\n", script->wide,
                     script->gp.data ? script->gp.data : "");
    script->pages.failed |= script->gp.failed;
    gdyn_text_free(&script->gp);
    script->gp = (gdyn_text){0};
}

bool gdyn_script_again(gdyn_script *script) {
    int next = script->layout + 1;
    while (next < GDYN_LAYOUTS && column_wide[next] >= DENSE * script->ordinary)
        next++;
    if (next >= GDYN_LAYOUTS)
        return false;
    end_layout(script);
    script->layout = next;
    script->wide = column_wide[next];
    gdyn_column_begin(script);
    return true;
}

/* The layout for the room that letters have; its height. */
static void write_choice(const gdyn_script *script, gdyn_text *out) {
    int last = script->layout;
    gdyn_text_printf(out, "page = ");
    for (int k = 0; k < last; k++)
        if (script->page[k] > 0)
            gdyn_text_printf(out,
                             "room >= %g ? %g : ", k ? script->page[k] : DENSE * script->page[0],
                             script->page[k]);
    gdyn_text_printf(out, "%g\ntall = ", script->page[last]);
    for (int k = 0; k < last; k++)
        if (script->page[k] > 0)
            gdyn_text_printf(out, "page == %g ? %.1f : ", script->page[k], script->height[k]);
    gdyn_text_printf(out, "%.1f\n", script->height[last]);
}

/* The first lines: what can be defined before, and what follows from it. */
static void write_head(const gdyn_script *script, gdyn_text *out) {
    gdyn_text_printf(out,
                     "# Made by globdyn; run it again with: gnuplot %s.gp\n"
                     "data = '%s.dat'\n"
                     "if (!exists('partial')) partial = ''\n"
                     "if (!exists('into')) into = ''\n"
                     "if (!exists('formats')) formats = 'png svg%s'\n"
                     "png = exists('wide') || exists('letters') ? 0.75 : 1\n",
                     script->stem, script->stem, script->moving ? " gif" : "");
    /* letters of a stated width are as large as they are on the ordinary page, or can be read */
    gdyn_text_printf(out,
                     "stated = exists('wide')\n"
                     "if (!exists('wide')) wide = exists('high') ? high*%d/%d. : %d\n"
                     "if (!exists('letters')) letters = stated && wide < %.0f ? %g : %g*wide/%d\n",
                     script->ordinary, script->high, script->ordinary,
                     GDYN_LETTERS_READ / GDYN_LETTERS * script->ordinary, GDYN_LETTERS_READ,
                     GDYN_LETTERS, script->ordinary);
    gdyn_text_printf(out, "text = letters/%g\nroom = 1.001*wide/text\n", GDYN_LETTERS);
    write_choice(script, out);
    gdyn_text_printf(out,
                     "if (!exists('high')) high = wide*tall/page\n"
                     "if (!exists('dots')) dots = 1\n"
                     "lines = page == %d ? wide/%d. : text\n"
                     "do for [format in formats] {\nreset\n",
                     script->ordinary, script->ordinary);
}

/* --- text ---------------------------------------------------------------------------------------- */

void gdyn_script_line(gdyn_script *script, const char *format, ...) {
    va_list args;
    va_start(args, format);
    gdyn_text_vprintf(&script->gp, format, args);
    va_end(args);
    gdyn_text_append(&script->gp, "\n", 1);
}

int gdyn_script_end_block(gdyn_script *script) {
    gdyn_text *data = &script->data;
    gdyn_text_append(data, "\n\n", 2);
    if (data->failed || !gdyn_reserve(&script->block, &script->block_capacity, script->blocks + 2,
                                      sizeof *script->block)) {
        data->failed = true;
        return script->blocks++;
    }
    size_t *begins = script->block, from = script->blocks ? begins[script->blocks] : 0;
    begins[script->blocks + 1] = data->length;
    /* a column draws the same values again */
    for (int k = 0; k < script->blocks && gdyn_script_narrow(script); k++) {
        size_t length = begins[k + 1] - begins[k];
        if (length == data->length - from &&
            memcmp(data->data + begins[k], data->data + from, length) == 0) {
            data->length = from;
            return k;
        }
    }
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
    gdyn_text gp = {0};
    assert(script->layers == 0); /* the last plot has ended */
    end_layout(script);
    write_head(script, &gp);
    write_terminals(script, &gp);
    gdyn_text_append(&gp, script->pages.data ? script->pages.data : "", script->pages.length);
    gdyn_text_printf(&gp, "unset output\n}\n");
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (!gp.failed && !script->pages.failed && !script->data.failed) {
        snprintf(name, sizeof name, "%s.dat", script->stem);
        status = gdyn_report_write(folder, name, script->data.data, script->data.length, sink);
    }
    if (status == GDYN_OK) {
        snprintf(name, sizeof name, "%s.gp", script->stem);
        status = gdyn_report_write(folder, name, gp.data, gp.length, sink);
    }
    gdyn_text_free(&gp);
    gdyn_text_free(&script->pages);
    gdyn_free(script->block);
    gdyn_text_free(&script->data);
    return status;
}
