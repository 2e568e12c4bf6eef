/* column.c - pages as narrow as a column of text: filled from above, with letters of one size.
 *
 * Headings, notes and keys are lines of text across the page, panels stand below each other or in rows of cells. The
 * titles of a plot's layers become its key: entries side by side in the lines above the panel. Everything but the numbers
 * of axes is placed here, so that all terminals agree; the height of the page follows. */
#include "report/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE = GDYN_COLUMN_LINE,
    EDGE = 8,     /* of the page at both sides */
    LEFT = 58,    /* before a panel: its numbers */
    RIGHT = 22,   /* behind it: half a number */
    NUMBERS = 29, /* below it */
    SAMPLE = 30,
    GAP = 14, /* between entries of a key, between cells */
    TAG = 9000
};

/* --- lines of text -------------------------------------------------------------------------------- */

static gdyn_column_text *texts(gdyn_script *script) {
    return script->column.below ? &script->column.foot : &script->column.head;
}

/* "1-(foot+34)/tall": a height from above. */
static const char *height_of(const gdyn_script *script, double y, char out[60]) {
    snprintf(out, 60, script->column.below ? "1-(foot+%.1f)/tall" : "1-%.1f/tall", y);
    return out;
}

/* Number of the next label, arrow or rectangle. */
static int next_tag(gdyn_script *script) {
    enum { FOOT = 500 };
    return TAG + texts(script)->tags++ + (script->column.below ? FOOT : 0);
}

/* A line of text in the colour of a look: "tc rgb '#555555'" in it, or black. */
static void put_label(gdyn_script *script, double x, double y, const char *side, const char *look,
                      const char *text) {
    enum { COLOUR = 16 }; /* its letters */
    char height[60];
    const char *colour = strstr(look, "tc rgb '");
    gdyn_text_printf(&texts(script)->gp, "set label %d \"%s\" at screen %.1f/page,%s %s %.*s\n",
                     next_tag(script), text, x, height_of(script, y, height), side,
                     colour ? COLOUR : 0, colour ? colour : "");
}

/* Ends a line of entries. */
static void end_line(gdyn_script *script) {
    gdyn_column_text *out = texts(script);
    if (out->x > 0)
        out->y += LINE;
    out->x = 0;
}

enum { LINES_MOST = 12 };

static void put_paragraph(gdyn_script *script, const char *look, const char *text) {
    char line[LINES_MOST][300];
    gdyn_column_text *out = texts(script);
    end_line(script);
    int count = gdyn_column_wrap(text, script->wide - 2 * EDGE, LINES_MOST, line);
    for (int i = 0; i < count; i++) {
        if (!*line[i])
            continue;
        put_label(script, EDGE, out->y + 0.5 * LINE, "left", look, line[i]);
        out->y += LINE;
    }
}

/* The value of a setting in the look of a layer, as it stands there; "" where it has none. */
static const char *setting(const char *look, const char *name, char out[80]) {
    char wanted[24];
    *out = '\0';
    snprintf(wanted, sizeof wanted, " %s ", name);
    const char *at = strstr(look, wanted);
    if (!at)
        return out;
    const char *from = at + 1, *end = at + strlen(wanted);
    if (strncmp(end, "rgb ", 4) == 0)
        end += 4;
    snprintf(out, 80, "%.*s", (int)(end - from + (long)strcspn(end, " ")), from);
    return out;
}

/* What shows a layer in a key: a line, a point, a patch; look: as it stands behind "with". */
static void put_sample(gdyn_script *script, const char *look, double x, double y) {
    gdyn_column_text *out = texts(script);
    char low[60], high[60], a[80], b[80], c[80], d[80], own[320];
    int tag = next_tag(script);
    snprintf(own, sizeof own, " %s ", look);
    bool patch = strstr(own, "filledcurves") || strstr(own, "box"), points = strstr(own, "points");
    if (patch) {
        setting(own, "fc", a);
        setting(own, "lc", b);
        if (!*a && *b) /* the colour of the filling */
            snprintf(a, sizeof a, "f%s", b + 1);
        gdyn_text_printf(&out->gp,
                         "set object %d rectangle from screen %.1f/page,%s to screen "
                         "%.1f/page,%s %s fs %s noborder\n",
                         tag, x, height_of(script, y + 5, low), x + SAMPLE,
                         height_of(script, y - 5, high), a,
                         strstr(own, "pattern 4")   ? "pattern 4"
                         : strstr(own, "pattern 5") ? "pattern 5"
                                                    : "solid");
        return;
    }
    height_of(script, y, low);
    if (!points || strstr(own, "linespoints"))
        gdyn_text_printf(&out->gp,
                         "set arrow %d from screen %.1f/page,%s to screen %.1f/page,%s nohead %s "
                         "%s %s\n",
                         tag, x, low, x + SAMPLE, low, setting(own, "lw", a), setting(own, "dt", b),
                         setting(own, "lc", c));
    if (!points)
        return;
    setting(own, "pt", a), setting(own, "ps", b), setting(own, "lc", c), setting(own, "lw", d);
    gdyn_text_printf(&out->gp, "set label %d \"\" at screen %.1f/page,%s point %s %s%s %s %s\n",
                     tag, x + SAMPLE / 2, low, a, b, *b ? "*marks" : "", c, d);
}

/* Lines as one, with commas between them. */
static void one_line(const char *lines, char text[400]) {
    size_t length = 0;
    for (; *lines && length + 4 < 400; lines++) {
        bool ends = gdyn_column_is_break(lines);
        length += (size_t)snprintf(text + length, 400 - length, ends ? ", " : "%c", *lines);
        if (!ends && *lines == '\\' && lines[1]) /* an escape is not the beginning of another one */
            text[length++] = *++lines;
        lines += ends;
    }
    text[length] = '\0';
}

/* An entry of a key behind the last one, or in a new line; long ones have several lines. */
static void put_entry(gdyn_script *script, const char *sample, const char *lines) {
    char line[LINES_MOST][300], text[400];
    one_line(lines, text);
    gdyn_column_text *out = texts(script);
    double room = script->wide - 2 * EDGE, before = *sample ? SAMPLE + 5 : 0;
    double wide = before + fmin(gdyn_column_width(text), room - before);
    int count = gdyn_column_wrap(text, room - before, LINES_MOST, line);
    if (out->x > 0 && (out->x + GAP + wide > EDGE + room || count > 1))
        end_line(script);
    double x = out->x > 0 ? out->x + GAP : EDGE;
    if (*sample)
        put_sample(script, sample, x, out->y + 0.5 * LINE);
    for (int i = 0; i < count; i++)
        put_label(script, x + before, out->y + (i + 0.5) * LINE, "left", "", line[i]);
    out->x = x + wide;
    if (count > 1) {
        out->y += (count - 1) * LINE;
        end_line(script);
    }
}

/* --- what page.c hands over ----------------------------------------------------------------------- */

bool gdyn_script_narrow(const gdyn_script *script) {
    return script->layout > 0;
}

void gdyn_column_begin(gdyn_script *script) {
    gdyn_column_page *c = &script->column;
    gdyn_text_free(&c->head.gp);
    gdyn_text_free(&c->foot.gp);
    *c = (gdyn_column_page){
        .head.y = EDGE, .height = 0.5 * script->wide, .cells = 1, .margin = LEFT};
    for (int k = 0; k < 2; k++)
        c->range[k][0] = c->range[k][1] = c->scale[k] = NAN;
    /* numbers stand farther from their axis in SVG and PDF than in other formats, points of an SVG are larger */
    gdyn_script_line(script, "marks = format eq 'svg' ? 0.7*text : 1\n"
                             "if (format eq 'svg' || format eq 'pdf') {\n"
                             "near = format eq 'svg' ? 9. : 4.\n"
                             "set ytics offset screen near/page,0\n"
                             "set xtics offset screen 0,near/tall\n"
                             "set cbtics offset screen 0,near/tall\n}");
}

void gdyn_column_note(gdyn_script *script, const char *look, const char *text) {
    gdyn_column_page *c = &script->column;
    if (*c->sample)
        put_entry(script, c->sample, text);
    else if (*text)
        put_paragraph(script, look, text);
    *c->sample = '\0';
}

void gdyn_column_below(gdyn_script *script, bool below) {
    if (!gdyn_script_narrow(script))
        return;
    end_line(script);
    script->column.below = below;
}

/* Both sides of a cell in a row of so many; alone: each has numbers of its own. */
static void sides(const gdyn_script *script, int cell, int cells, bool alone, double *left,
                  double *right) {
    double margin = script->column.margin, first = alone ? 0 : margin;
    double pitch = (script->wide - first - RIGHT + GAP) / cells;
    *left = margin + cell * pitch;
    *right = first + (cell + 1) * pitch - GAP;
}

double gdyn_column_room(const gdyn_script *script, int cells, bool alone) {
    double left, right;
    sides(script, 0, cells, alone, &left, &right);
    return right - left;
}

int gdyn_column_cells(const gdyn_script *script, int most, double least, bool alone) {
    int cells = most > 1 ? most : 1;
    while (cells > 1 && gdyn_column_room(script, cells, alone) < least)
        cells--;
    return cells;
}

/* --- panels --------------------------------------------------------------------------------------- */

/* The quoted text at *at behind a title, which is left out there; the place behind it. */
static const char *take_quoted(const char *at, char out[300]) {
    char quote = *at++;
    size_t length = 0;
    for (; *at && *at != quote; at++) {
        if (quote == '"' && *at == '\\' && length + 3 < 300)
            out[length++] = *at++;
        if (length + 2 < 300)
            out[length++] = *at;
    }
    out[length] = '\0';
    return *at ? at + 1 : at;
}

/* The look of a layer that ends at `end`: what stands behind its last "with". */
static void look_of(const char *layer, const char *end, char out[300]) {
    const char *with = layer;
    for (const char *c = layer; c + 6 < end; c++)
        if (strncmp(c, " with ", 6) == 0)
            with = c + 6;
    snprintf(out, 300, "%.*s", (int)(end - with), with);
}

/* The size of points at " ps 1.6", in proportion to the letters of all formats; the place behind it, or `at` where no number
 * is stated. */
static const char *take_size(const char *at, gdyn_text *out) {
    char *end;
    if (strncmp(at, " ps ", 4) != 0)
        return at;
    double size = strtod(at + 4, &end);
    if (end == at + 4)
        return at;
    gdyn_text_printf(out, " ps %g*marks", size);
    return end;
}

/* The plot command without its titles, which become entries of the key. */
static void take_titles(gdyn_script *script, gdyn_text *plot, const char *command) {
    char title[300], look[300], quote = '\0';
    const char *layer = command;
    for (const char *c = command; *c;) {
        bool titled = !quote && (strncmp(c, " title \"", 8) == 0 || strncmp(c, " title '", 8) == 0);
        if (titled) {
            const char *end = take_quoted(c + 7, title);
            look_of(layer, c, look);
            if (script->column.keyed && *title)
                put_entry(script, look, title);
            gdyn_text_printf(plot, " notitle");
            c = end;
            continue;
        }
        if (!quote && strncmp(c, ", \\\n", 4) == 0)
            layer = c + 4;
        if (quote ? *c == quote : *c == '"' || *c == '\'')
            quote = quote ? '\0' : *c;
        if (strncmp(c, "keyentry ", 9) == 0) { /* the key is drawn here */
            gdyn_text_printf(plot, "NaN ");
            c += 9;
            continue;
        }
        const char *behind = quote ? c : take_size(c, plot);
        if (behind == c)
            gdyn_text_append(plot, c++, 1);
        c = behind > c ? behind : c;
    }
}

/* Widest number of the tics of an axis. */
static double widest_number(const double range[2], double step) {
    enum { MOST = 40 };
    double low = fmin(range[0], range[1]), high = fmax(range[0], range[1]), widest = 0;
    double k = ceil(low / step - 1e-9);
    for (int i = 0; i < MOST && k * step <= high + 1e-9 * step; i++, k++) {
        char text[40];
        snprintf(text, sizeof text, "%g", k * step + 0.0);
        widest = fmax(widest, gdyn_column_width(text));
    }
    return widest;
}

/* Step between tics whose numbers have room along an axis of that length; *widest: of these numbers. */
static double tics_of(const double range[2], bool upright, double length, double *widest) {
    double step = NAN, span = fabs(range[1] - range[0]);
    *widest = 0;
    for (int parts = 8; parts > 0 && span > 0; parts--) {
        step = gdyn_round_step(span, parts);
        *widest = widest_number(range, step);
        if (step / span * length >= (upright ? 1.2 * LINE : *widest + 10))
            break;
    }
    return step;
}

/* Texts above a panel between both sides, in so many lines; a place and a text more than the room has are cut. */
static void put_captions(gdyn_script *script, double left, double right) {
    const gdyn_column_page *c = &script->column;
    char line[LINES_MOST][300];
    int total = 0;
    for (int i = 0; i < c->captions; i++) {
        const gdyn_caption *one = &c->caption[i];
        int room = c->lines - total - (c->captions - 1 - i);
        int count = gdyn_column_wrap(one->text, right - left, room < 1 ? 1 : room, line);
        for (int k = 0; k < count; k++, total++)
            put_label(script, one->middle ? 0.5 * (left + right) : left,
                      c->top - 5 - LINE * (c->lines - total - 0.5), one->middle ? "center" : "left",
                      one->look, line[k]);
    }
}

/* Lines of the captions between both sides. */
static int caption_lines(const gdyn_column_page *c, double width) {
    char line[LINES_MOST][300];
    int total = 0;
    for (int i = 0; i < c->captions; i++)
        total += gdyn_column_wrap(c->caption[i].text, width, LINES_MOST, line);
    return total < LINES_MOST ? total : LINES_MOST;
}

/* Tics with that step; over a width (0: any) beside that of a neighbour only those whose numbers do not reach there. */
static void put_steps(gdyn_script *script, const char *axis, const double range[2], double step,
                      double width) {
    double low = fmin(range[0], range[1]), high = fmax(range[0], range[1]);
    double from = ceil(low / step - 1e-9), to = floor(high / step + 1e-9);
    char first[40], last[40];
    gdyn_text *gp = &script->column.head.gp;
    for (; width > 0 && from < to; from++) {
        snprintf(first, sizeof first, "%g", from * step + 0.0);
        if ((from * step - low) / (high - low) * width + 0.4 * GAP > 0.5 * gdyn_column_width(first))
            break;
    }
    for (; width > 0 && to > from; to--) {
        snprintf(last, sizeof last, "%g", to * step + 0.0);
        if ((high - to * step) / (high - low) * width + 0.4 * GAP > 0.5 * gdyn_column_width(last))
            break;
    }
    if (width > 0)
        gdyn_text_printf(gp, "set %stics %.9g,%.9g,%.9g norotate\n", axis, from * step, step,
                         to * step + 0.1 * step);
    else
        gdyn_text_printf(gp, "set %stics %.9g norotate\n", axis, step);
}

/* The scale of colours below a panel; its lower end. */
static double put_scale(gdyn_script *script, double left, double right, double y) {
    enum { HIGH = 9, SPARE = 10 };
    gdyn_column_page *c = &script->column;
    double widest;
    gdyn_text_printf(&c->head.gp,
                     "set colorbox horizontal user origin screen %.1f/page,1-%.1f/tall size screen "
                     "%.1f/page,%.1f/tall\n",
                     left, y + HIGH + 2, right - left, (double)HIGH);
    put_steps(script, "cb", c->scale, tics_of(c->scale, false, right - left, &widest),
              right - left);
    return y + HIGH + NUMBERS + SPARE;
}

/* Distance of the tics of both axes; *widest: numbers at the left. */
static void put_tics(gdyn_script *script, double width, double height, double *widest) {
    static const double NUMBER = 47; /* "1e-15" */
    gdyn_column_page *c = &script->column;
    for (int axis = 0; axis < 2; axis++) {
        double most = 0, step = NAN;
        if (isfinite(c->range[axis][0]) && isfinite(c->range[axis][1]) && !c->logarithmic[axis])
            step = tics_of(c->range[axis], axis, axis ? height : width, &most);
        step = c->whole[axis] && isfinite(step) ? fmax(1, round(step)) : step;
        if (isfinite(step))
            put_steps(script, axis ? "y" : "x", c->range[axis], step,
                      axis || c->cells == 1 || c->alone ? 0 : width);
        if (c->logarithmic[axis] && isfinite(c->range[axis][0])) {
            most = NUMBER;
            double decades = log10(c->range[axis][1] / c->range[axis][0]);
            double room = axis ? height / (1.4 * LINE) : width / 55;
            gdyn_text_printf(&c->head.gp, "set %ctics 1e%d\n", "xy"[axis],
                             (int)fmax(1, ceil(decades / room)));
        }
        if (axis)
            *widest = c->unnumbered[1] ? 0 : most;
    }
}

/* The title of x below the numbers; its lines. */
static int put_title_of_x(gdyn_script *script, double left, double right, double y) {
    char line[4][300];
    int count = gdyn_column_wrap(script->column.label[0], fmax(right - left, 40), 4, line);
    for (int i = 0; i < count; i++)
        put_label(script, 0.5 * (left + right), y + (i + 0.5) * LINE, "center", "", line[i]);
    return count;
}

/* The title of y as a line above a row of panels, right above a panel that has captions. */
static void put_title_of_y(gdyn_script *script) {
    gdyn_column_page *c = &script->column;
    bool last = c->cells == 1 && c->captions > 0 && c->captions < GDYN_CAPTIONS;
    if (!*c->label[1])
        return;
    if (!last || c->caption[0].middle) {
        put_paragraph(script, "", c->label[1]);
        return;
    }
    gdyn_caption *own = &c->caption[c->captions++];
    *own = (gdyn_caption){{0}, {0}, false};
    snprintf(own->text, sizeof own->text, "%s", c->label[1]);
}

/* gnuplot leaves so much of the height free below and above a view in space. */
static const double BELOW = 0.1, ABOVE = 0.06;

/* Places the panel, its texts and its axes. */
static void put_panel(gdyn_script *script) {
    gdyn_column_page *c = &script->column;
    double left, right, widest = 0;
    sides(script, c->cell, c->cells, c->alone, &left, &right);
    double height = c->ratio > 0 ? c->ratio * (right - left) : c->height;
    put_tics(script, right - left, height, &widest);
    if (c->cells == 1) /* long numbers */
        left = fmax(left, widest + 24);
    double from = c->cell ? left - (c->alone ? c->margin - GAP : 0) : EDGE;
    end_line(script);
    if (c->cell == 0) { /* a new row */
        put_title_of_y(script);
        int lines = caption_lines(c, right - from);
        c->lines = lines > c->reserve ? lines : c->reserve;
        c->top = c->head.y + c->lines * LINE + c->above + 6;
        c->bottom = c->top;
    }
    put_captions(script, from, right);
    double bottom = c->top + height,
           below = bottom + (c->unnumbered[0] || script->space ? 6 : NUMBERS);
    below += c->under;
    below += LINE * put_title_of_x(script, left, right, below) + 5;
    if (isfinite(c->scale[0]))
        below = put_scale(script, c->across ? c->margin : left, right, below);
    c->bottom = fmax(c->bottom, below + (script->space ? LINE : 0));
    if (script->space) /* the box of a view takes all of the width */
        gdyn_text_printf(&c->head.gp,
                         "unset key\nset origin %.1f/page,1-%.1f/tall\n"
                         "set size %.1f/page,%.1f/tall\n",
                         c->cell * script->wide / c->cells, bottom + BELOW * height,
                         script->wide / c->cells, (1 + BELOW + ABOVE) * height);
    else
        gdyn_text_printf(
            &c->head.gp,
            "unset key\nset lmargin at screen %.1f/page\nset rmargin at screen %.1f/page\n"
            "set tmargin at screen 1-%.1f/tall\nset bmargin at screen 1-%.1f/tall\n",
            left, right, c->top, bottom);
    c->head.y = c->bottom;
    c->captions = 0;
}

void gdyn_column_plot(gdyn_script *script, size_t from) {
    gdyn_column_page *c = &script->column;
    gdyn_text plot = {0};
    bool below = c->below;
    gdyn_column_below(script, false);
    /* what is placed before the plot stands before its command */
    if (!script->gp.failed && script->gp.data)
        take_titles(script, &plot, script->gp.data + from);
    put_panel(script);
    script->gp.length = from;
    c->plot = from;
    gdyn_text_append(&script->gp, c->head.gp.data ? c->head.gp.data : "", c->head.gp.length);
    gdyn_text_append(&script->gp, plot.data ? plot.data : "", plot.length);
    script->gp.failed |= plot.failed || c->head.gp.failed;
    if (c->head.tags > 0) /* they belong to this plot alone */
        gdyn_script_line(script,
                         "do for [i=%d:%d] {\nunset label i\nunset arrow i\nunset object i\n}", TAG,
                         TAG + c->head.tags - 1);
    gdyn_text_free(&plot);
    c->head.gp.length = 0;
    c->head.tags = 0;
    gdyn_column_below(script, below);
}

/* What stands below all panels appears with the last of them. */
void gdyn_column_end(gdyn_script *script) {
    gdyn_column_page *c = &script->column;
    gdyn_text rest = {0};
    c->below = true;
    end_line(script);
    script->tall = c->head.y + c->foot.y + EDGE;
    if (c->foot.gp.length > 0 && !script->gp.failed) {
        gdyn_text_append(&rest, script->gp.data + c->plot, script->gp.length - c->plot);
        script->gp.length = c->plot;
        gdyn_script_line(script, "foot = %.1f", c->head.y);
        gdyn_text_append(&script->gp, c->foot.gp.data, c->foot.gp.length);
        gdyn_text_append(&script->gp, rest.data ? rest.data : "", rest.length);
        script->gp.failed |= rest.failed || c->foot.gp.failed;
    }
    gdyn_text_free(&rest);
    gdyn_text_free(&c->head.gp);
    gdyn_text_free(&c->foot.gp);
}
