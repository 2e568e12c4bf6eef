/* picture_verdicts.c - the machine at a pose with its joints coloured by verdict.
 *
 * Bodies are those of figure.h, seen from above (planar) or in a parallel projection (spatial). Knife edges are short bars along their edge, rods lines with their verdict in the
 * middle. */
#include "model/kinds.h"
#include "reactions/components.h"
#include "report/drawing.h"
#include "report/point_names.h"
#include "report/figure.h"
#include "report/picture.h"
#include "report/reactions_report.h"

#include "base/memory.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERDICTS = 3, WIDTH = 1200, HEIGHT = 850, STROKES_MOST = 400 };

/* The plot between left, right, bottom and top, shares of the page; beside it the key. */
static const double EDGE[4] = {0.08, 0.71, 0.09, 0.92};
/* Height of the plot over its width in a column. */
static const double HIGH = 1;
/* Size of a letter of a name, pixels. */
static const double LETTER[2] = {7.6, 17};

static const struct {
    const char *colour, *title;
    int shape;
    double size;
} marks[VERDICTS] = {{"#0072B2", "unique", 7, 2.0},
                     {"#E69F00", "drive-dependent", 5, 2.0},
                     {"#CC3311", "indeterminate", 9, 2.4}};

typedef struct picture {
    const gdyn_reactions *r;
    const gdyn_state *state;
    bool planar;
    double low[2], high[2];
    double scale; /* pixels per unit of length, known when all is drawn */
    int strokes;
    double stroke[STROKES_MOST][2][2]; /* lines from, to */
    gdyn_script script;
} picture;

/* Screen coordinates of a point: x, y in the plane; in space turned by 30 and tilted by 22 deg. */
static void project(const picture *pic, const double x[3], double out[2]) {
    const double turn = 0.5235987755982988, tilt = 0.3839724354387525;
    double c = cos(turn), s = sin(turn);
    out[0] = pic->planar ? x[0] : c * x[0] + s * x[1];
    out[1] = pic->planar ? x[1] : x[2] * cos(tilt) + (c * x[1] - s * x[0]) * sin(tilt);
}

/* The point is part of what is shown. */
static void widen(picture *pic, const double at[2]) {
    for (int i = 0; i < 2; i++) {
        pic->low[i] = fmin(pic->low[i], at[i]);
        pic->high[i] = fmax(pic->high[i], at[i]);
    }
}

/* A point of the data at hand. */
static void vertex(picture *pic, const double x[3]) {
    double at[2];
    project(pic, x, at);
    widen(pic, at);
    gdyn_text_printf(&pic->script.data, "%.7g %.7g\n", at[0], at[1]);
}

/* A line on its own. */
static void stroke(picture *pic, const double from[3], const double to[3]) {
    /* Kept as well for finding places for names. */
    if (pic->strokes < STROKES_MOST) {
        project(pic, from, pic->stroke[pic->strokes][0]);
        project(pic, to, pic->stroke[pic->strokes++][1]);
    }
    vertex(pic, from);
    vertex(pic, to);
    gdyn_text_printf(&pic->script.data, "\n");
}

/* How a joint is drawn. */
static gdyn_joint_glyph glyph_of(const picture *pic, int joint) {
    return gdyn_joint_kind_of(gdyn_model_joint(pic->r->model, joint)->type)->glyph;
}

/* Where the mark of a joint stands. */
static void place_of(const picture *pic, int joint, double x[3]) {
    const gdyn_joint_def *def = gdyn_model_joint(pic->r->model, joint);
    double b[3];
    gdyn_state_point(pic->state, &def->a, x);
    if (glyph_of(pic, joint) == GDYN_GLYPH_BAR) {
        gdyn_state_point(pic->state, &def->b, b);
        v3_add(x, x, b);
        v3_scale(x, 0.5, x);
    }
}

/* Outlines of bodies, rods and legs as one block of lines: what is drawn of the machine elsewhere. */
static int write_bodies(picture *pic) {
    gdyn_figure figure;
    bool any = false;
    pic->script.data.failed |= !gdyn_figure_begin(&figure, pic->r->model, 0, NULL);
    gdyn_text_printf(&pic->script.data, "\n");
    for (int i = 0; i < figure.parts; i++) {
        const gdyn_figure_part *part = &figure.part[i];
        int sides = part->layer == GDYN_LAYER_FACE ? part->count : part->count - 1;
        for (int k = 0; k < sides && gdyn_figure_is_solid(part); k++) {
            double a[3], b[3];
            gdyn_state_point(pic->state, &part->at[k], a);
            gdyn_state_point(pic->state, &part->at[(k + 1) % part->count], b);
            stroke(pic, a, b);
            any = true;
        }
    }
    gdyn_figure_end(&figure);
    if (!any) { /* gnuplot warns of a block without points */
        double x[3];
        gdyn_state_point(pic->state, &gdyn_model_joint(pic->r->model, 0)->a, x);
        vertex(pic, x);
    }
    return gdyn_script_end_block(&pic->script);
}

/* Edges of the wheels with that verdict. */
static int write_edges(picture *pic, gdyn_verdict verdict, int *count) {
    double length = 0.05 * gdyn_model_length(pic->r->model), point[3], E[9], x[3];
    *count = 0;
    for (int g = 0; g < pic->r->joints; g++) {
        if (glyph_of(pic, g) != GDYN_GLYPH_EDGE || pic->r->item[g].verdict != verdict)
            continue;
        /* A short bar along the edge, on both sides of the contact. */
        gdyn_joint_frame_at(pic->state, g, point, E);
        double from[2], to[2];
        v3_axpy(x, point, -length, E + 3);
        project(pic, x, from);
        v3_axpy(x, point, length, E + 3);
        project(pic, x, to);
        widen(pic, from);
        widen(pic, to);
        gdyn_text_printf(&pic->script.data, "%.7g %.7g %.7g %.7g\n", from[0], from[1],
                         to[0] - from[0], to[1] - from[1]);
        ++*count;
    }
    return *count ? gdyn_script_end_block(&pic->script) : -1;
}

/* Marks of the joints with that verdict. */
static int write_marks(picture *pic, gdyn_verdict verdict, int *count) {
    double x[3];
    *count = 0;
    /* Joints with a mark of their own. */
    for (int g = 0; g < pic->r->joints; g++) {
        gdyn_joint_glyph glyph = glyph_of(pic, g);
        if (glyph == GDYN_GLYPH_NONE || glyph == GDYN_GLYPH_EDGE ||
            pic->r->item[g].verdict != verdict)
            continue;
        place_of(pic, g, x);
        vertex(pic, x);
        ++*count;
    }
    return *count ? gdyn_script_end_block(&pic->script) : -1;
}

/* --- names ------------------------------------------------------------------------------------ */

/* The names of the joints that share a place with joint g, when it is the first of them. */
static void shared_name(const picture *pic, int g, char *text, size_t size) {
    double near = 1e-3 * gdyn_model_length(pic->r->model), x[3], other[3], d[3];
    *text = '\0';
    place_of(pic, g, x);
    for (int k = 0; k < pic->r->joints; k++) {
        place_of(pic, k, other);
        /* joints with a mark at this place */
        v3_sub(d, other, x);
        if (v3_norm(d) > near || glyph_of(pic, k) == GDYN_GLYPH_NONE)
            continue;
        if (k < g) {
            *text = '\0';
            return;
        }
        /* a list of their names */
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", used ? ", " : "", pic->r->item[k].name);
    }
}

/* A line that names shall not cover, as dots. */
static void add_ink(const picture *pic, gdyn_ink *ink, const double from[2], const double to[2]) {
    enum { STEP = 8 }; /* pixels */
    int steps = 1 + (int)fmin(hypot(to[0] - from[0], to[1] - from[1]) * pic->scale / STEP, 500);
    for (int i = 0; i <= steps && ink->count < GDYN_POINT_NAMES_INK; i++, ink->count++)
        for (int k = 0; k < 2; k++)
            ink->at[ink->count][k] = pic->scale * (from[k] + (to[k] - from[k]) * i / steps);
}

/* A mark, as a cross. */
static void add_mark(const picture *pic, gdyn_ink *ink, const double at[2]) {
    static const double HALF = 8; /* pixels */
    for (int k = 0; k < 2; k++) {
        double from[2] = {at[0], at[1]}, to[2] = {at[0], at[1]};
        from[k] -= HALF / pic->scale;
        to[k] += HALF / pic->scale;
        add_ink(pic, ink, from, to);
    }
}

/* The blocks of the names and of the lines that lead to names far off, -1 where there are none. */
static void write_names_placed(picture *pic, int count, const gdyn_point_name *name,
                               char (*text)[200], int *names, int *lines) {
    int far = 0;
    for (int i = 0; i < count; i++) {
        char quoted[220];
        gdyn_text_printf(&pic->script.data, "%.7g %.7g \"%s\"\n", name[i].at[0] / pic->scale,
                         name[i].at[1] / pic->scale,
                         gdyn_script_quote(text[i], quoted, sizeof quoted));
    }
    *names = gdyn_script_end_block(&pic->script);
    for (int i = 0; i < count; i++) {
        /* from the point to the nearest place on the edge of the name */
        const double *at = name[i].at, *point = name[i].point;
        double end = fmin(fmax(point[0], at[0] - name[i].size[0] / 2), at[0] + name[i].size[0] / 2);
        double edge = at[1] + (point[1] > at[1] ? 0.5 : -0.5) * name[i].size[1];
        if (name[i].far)
            gdyn_text_printf(&pic->script.data, "%.7g %.7g\n%.7g %.7g\n\n", point[0] / pic->scale,
                             point[1] / pic->scale, end / pic->scale, edge / pic->scale);
        far += name[i].far;
    }
    if (far > 0)
        *lines = gdyn_script_end_block(&pic->script);
}

/* One name per place, beside its mark, and lines that lead to names: their blocks. False when memory is out. */
static bool write_names(picture *pic, int *names, int *lines) {
    size_t most = (size_t)pic->r->joints + 1;
    gdyn_point_name *name = gdyn_alloc(most, sizeof *name);
    char(*text)[200] = gdyn_alloc(most, sizeof *text);
    gdyn_ink *ink = gdyn_alloc(1, sizeof *ink);
    bool good = name && text && ink;
    int count = 0;
    if (good)
        ink->count = 0;
    for (int g = 0; g < pic->r->joints && good; g++) {
        /* marks are ink: names may not cover them */
        double x[3], at[2];
        place_of(pic, g, x);
        project(pic, x, at);
        if (glyph_of(pic, g) != GDYN_GLYPH_NONE)
            add_mark(pic, ink, at);
        shared_name(pic, g, text[count], sizeof *text);
        if (*text[count]) {
            double length = (double)strlen(text[count]);
            name[count++] = (gdyn_point_name){.point = {pic->scale * at[0], pic->scale * at[1]},
                                              .size = {LETTER[0] * length, LETTER[1]}};
        }
    }
    /* lines of bodies are ink, too */
    for (int i = 0; i < pic->strokes && good; i++)
        add_ink(pic, ink, pic->stroke[i][0], pic->stroke[i][1]);
    if (good) {
        /* within what is drawn */
        double low[2] = {pic->scale * pic->low[0], pic->scale * pic->low[1]};
        double high[2] = {pic->scale * pic->high[0], pic->scale * pic->high[1]};
        gdyn_point_names_place(count, name, ink, low, high);
        write_names_placed(pic, count, name, text, names, lines);
    }
    gdyn_free(ink);
    gdyn_free(text);
    gdyn_free(name);
    return good;
}

/* --- script ----------------------------------------------------------------------------------- */

/* The ranges: what is drawn with a margin, as wide and high as the page allows. */
static void frame(picture *pic) {
    bool narrow = gdyn_script_narrow(&pic->script);
    double wide = gdyn_column_room(&pic->script, 1, false);
    const double place[2] = {narrow ? wide : WIDTH * (EDGE[1] - EDGE[0]),
                             narrow ? HIGH * wide : HEIGHT * (EDGE[3] - EDGE[2])};
    double least = 0.2 * gdyn_model_length(pic->r->model), scale[2];
    double most = fmax(pic->high[0] - pic->low[0], pic->high[1] - pic->low[1]);
    if (pic->planar) { /* equal steps: a narrow machine has no room for many tics */
        double step = gdyn_round_step(1.2 * fmax(most, 0) + 2 * least, 6);
        gdyn_script_line(&pic->script, "set xtics %.7g\nset ytics %.7g", step, step);
    }
    for (int i = 0; i < 2; i++) {
        double margin = 0.1 * (pic->high[i] - pic->low[i]) + least;
        pic->low[i] -= margin;
        pic->high[i] += margin;
        scale[i] = place[i] / (pic->high[i] - pic->low[i]);
        gdyn_script_line(&pic->script, "set %crange [%.7g:%.7g]", "xy"[i], pic -> low[i],
                         pic -> high[i]);
        if (pic->planar)
            gdyn_page_tics(&pic->script, "xy"[i], pic -> low[i], pic -> high[i]);
    }
    pic->scale = fmin(scale[0], scale[1]);
    gdyn_page_ratio(&pic->script,
                    fmin((pic->high[1] - pic->low[1]) / (pic->high[0] - pic->low[0]), HIGH));
}

/* Wheels and marks of one verdict, and its line of the key. */
static void plot_verdict(picture *pic, gdyn_verdict v) {
    int edges, points;
    int edge_block = write_edges(pic, v, &edges), mark_block = write_marks(pic, v, &points);
    gdyn_plot(&pic->script, edge_block, "1:2:3:4 with vectors nohead lw 7 lc rgb '%s' notitle",
              marks[v].colour);
    gdyn_plot(&pic->script, mark_block, "1:2 with points pt %d ps %.1f lc rgb '%s' title '%s'",
              marks[v].shape, marks[v].size, marks[v].colour, marks[v].title);
    if (edges > 0 && points == 0)
        gdyn_plot_more(&pic->script, "keyentry with points pt 5 ps 1.6 lc rgb '%s' title '%s'",
                       marks[v].colour, marks[v].title);
}

/* The ranges are known when all is drawn: they go before the plot command, which is written aside. */
static void plot(picture *pic) {
    gdyn_text before = pic->script.gp;
    pic->script.gp = (gdyn_text){0};
    gdyn_plot(&pic->script, write_bodies(pic), "1:2 with lines lw 3 lc rgb '#9AAEBD' notitle");
    for (int v = 0; v < VERDICTS; v++)
        plot_verdict(pic, (gdyn_verdict)v);
    /* the ranges, then the layers that were written aside */
    gdyn_text layers = pic->script.gp;
    pic->script.gp = before;
    frame(pic);
    pic->script.plot = pic->script.gp.length;
    gdyn_text_append(&pic->script.gp, layers.data ? layers.data : "", layers.length);
    pic->script.gp.failed |= layers.failed;
    gdyn_text_free(&layers);
    /* names come last, with the lines that lead to them */
    int names = -1, lines = -1;
    pic->script.data.failed |= !write_names(pic, &names, &lines);
    gdyn_plot(&pic->script, lines, "1:2 with lines lw 1 lc rgb '#777777' notitle");
    gdyn_plot(&pic->script, names, "1:2:3 with labels center tc rgb '#222222' font ',12' notitle");
    gdyn_plot_end(&pic->script);
}

/* Plot and key side by side. */
static void draw(picture *pic) {
    gdyn_script *script = &pic->script;
    for (int i = 0; i < 2; i++)
        pic->low[i] = INFINITY, pic->high[i] = -INFINITY;
    pic->strokes = 0;
    gdyn_page_axes(script);
    gdyn_page_columns(script, EDGE[0], EDGE[1]);
    gdyn_page_rows(script, EDGE[3], EDGE[2]);
    gdyn_page_ratio(script, HIGH);
    gdyn_page_key(script, EDGE[1] + 0.01, EDGE[3], "samplen 1 font ',12'");
    gdyn_drawing_heading(script, "Which reactions can be known");
    gdyn_script_line(script, "set size ratio -1");
    if (pic->planar) {
        gdyn_page_label(script, 'x', "x [m]", "");
        gdyn_page_label(script, 'y', "y [m]", "");
    } else {
        gdyn_script_line(script, "unset tics\nunset grid\nunset border");
    }
    plot(pic);
}

gdyn_status gdyn_picture_verdicts(const char *folder, const char *name, const gdyn_reactions *r,
                                  const gdyn_state *state, const gdyn_sink *sink) {
    picture pic = {.r = r, .state = state, .planar = gdyn_model_space(r->model) == GDYN_PLANAR};
    gdyn_script_begin(&pic.script, name, "verdicts", WIDTH, HEIGHT);
    do {
        draw(&pic);
    } while (gdyn_script_again(&pic.script));
    return gdyn_script_finish(&pic.script, folder, sink);
}
