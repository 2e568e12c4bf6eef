/* picture_verdicts.c - the machine at a pose with its joints coloured by verdict.
 *
 * Bodies are those of skeleton.h, seen from above (planar) or in a parallel projection
 * (spatial). Knife edges are short bars along their edge, rods lines with their verdict in the
 * middle.
 *
 * Names stand beside their points, so that they cover neither each other nor what is drawn, by
 * trial: every name has eight places on each of four rings around its point, and takes the one that
 * costs least. A place costs what it covers and what it lies off. */
#include "report/drawing.h"
#include "report/report.h"

#include "base/memory.h"
#include "linalg/vec3.h"
#include "model/kinds.h"
#include "reactions/reactions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- places of names, all lengths in pixels --------------------------------------------------- */

enum { INK_MOST = 4000 };

typedef struct point_name {
    double point[2]; /* what is named */
    double size[2];  /* of the name */
    double at[2];    /* out: its middle */
    bool far;        /* out: so far off that a line must lead to it */
} point_name;

/* What names should not cover: single points, and lines as points along them. */
typedef struct point_ink {
    int count;
    double at[INK_MOST][2];
} point_ink;

enum { DIRECTIONS = 8, RINGS = 4, FAR_RING = 2, PASSES = 2 };

/* Where a name stands by preference: right above, left above, right below, ... */
static const double direction[DIRECTIONS][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1},
                                                {1, 0}, {-1, 0}, {0, 1},  {0, -1}};
static const double ring[RINGS] = {8, 16, 34, 60};

/* Costs: a pixel of overlap with another name or beyond the page, a point of ink, a pixel off. */
static const double OVER_NAME = 1, OVER_INK = 15, OFF = 0.5, TURNED = 0.5;

/* Length that [a - s, a + s] and [b - t, b + t] have in common. */
static double common(double a, double s, double b, double t) {
    return fmax(0, fmin(a + s, b + t) - fmax(a - s, b - t));
}

static double over_names(int count, const point_name *name, int own, const double at[2]) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double width = common(at[0], name[own].size[0] / 2, name[i].at[0], name[i].size[0] / 2);
        double height = common(at[1], name[own].size[1] / 2, name[i].at[1], name[i].size[1] / 2);
        sum += i != own && isfinite(name[i].at[0]) ? width * height : 0;
    }
    return sum;
}

static int over_ink(const point_ink *ink, const double at[2], const double size[2]) {
    int points = 0;
    for (int i = 0; i < ink->count; i++)
        points += fabs(ink->at[i][0] - at[0]) < size[0] / 2 + 3 &&
                  fabs(ink->at[i][1] - at[1]) < size[1] / 2;
    return points;
}

static double beyond(const double at[2], const double size[2], const double low[2],
                     const double high[2]) {
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double out = fmax(low[k] - at[k] + size[k] / 2, at[k] + size[k] / 2 - high[k]);
        sum += fmax(0, out) * size[1 - k];
    }
    return sum;
}

/* The cheapest place of one name, given those of the others. */
static void place_one(int count, point_name *name, int own, const point_ink *ink,
                      const double low[2], const double high[2]) {
    point_name *n = &name[own];
    double best = INFINITY, chosen[2] = {n->point[0], n->point[1]};
    for (int r = 0; r < RINGS; r++)
        for (int k = 0; k < DIRECTIONS; k++) {
            double at[2];
            for (int i = 0; i < 2; i++)
                at[i] = n->point[i] + direction[k][i] * (ring[r] + n->size[i] / 2);
            double cost = OVER_NAME * over_names(count, name, own, at) +
                          OVER_INK * over_ink(ink, at, n->size) +
                          OVER_NAME * beyond(at, n->size, low, high) + OFF * ring[r] + TURNED * k;
            if (cost < best) {
                best = cost;
                chosen[0] = at[0], chosen[1] = at[1];
                n->far = r >= FAR_RING;
            }
        }
    n->at[0] = chosen[0], n->at[1] = chosen[1];
}

/* Places the names within [low, high], in the order given, and then once more with all others
 * known. */
static void place_names(int count, point_name *name, const point_ink *ink, const double low[2],
                        const double high[2]) {
    for (int i = 0; i < count; i++)
        name[i].at[0] = name[i].at[1] = NAN; /* not placed yet */
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < count; i++)
            place_one(count, name, i, ink, low, high);
}

/* --- the machine ------------------------------------------------------------------------------ */

enum { VERDICTS = 3, STROKES_MOST = 400 };

/* Widths of the panel for which names find their places: on a page as it is laid out, in a
 * column; its greatest height over its width. Size of a letter of a name. */
static const double WIDE = 800, NARROW = 330, HIGH = 0.9;
static const double LETTER[2] = {8, 17};

static const struct {
    unsigned colour;
    const char *title;
    int shape;
    double size;
} marks[VERDICTS] = {{0x0072B2, "unique", GDYN_DOT, 2.0},
                     {0xE69F00, "drive-dependent", GDYN_SQUARE, 2.0},
                     {0xCC3311, "indeterminate", GDYN_TRIANGLE, 2.4}};

typedef struct picture {
    const gdyn_reactions *r;
    const gdyn_state *state;
    bool planar;
    double page[2][3]; /* to the right and upwards */
    double low[2], high[2];
    double scale; /* pixels per unit of length of the panel that names find places in */
    int strokes;
    double stroke[STROKES_MOST][2][2]; /* lines from, to */
    gdyn_figure *figure;
} picture;

static void project(const picture *pic, const double x[3], double out[2]) {
    out[0] = v3_dot(pic->page[0], x), out[1] = v3_dot(pic->page[1], x);
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
    gdyn_figure_row(pic->figure, 2, at);
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

/* Outlines of bodies, rods and legs as one block of lines: what is drawn of the machine
 * elsewhere. */
static int write_bodies(picture *pic) {
    gdyn_skeleton skeleton;
    pic->figure->failed |= !gdyn_skeleton_begin(&skeleton, pic->r->model, 0, NULL);
    for (int i = 0; i < skeleton.parts; i++) {
        const gdyn_skeleton_part *part = &skeleton.part[i];
        int sides = part->layer == GDYN_LAYER_FACE ? part->count : part->count - 1;
        for (int k = 0; k < sides && gdyn_skeleton_is_solid(part); k++) {
            double a[3], b[3];
            gdyn_state_point(pic->state, &part->at[k], a);
            gdyn_state_point(pic->state, &part->at[(k + 1) % part->count], b);
            /* A line on its own, kept as well for finding places for names. */
            if (pic->strokes < STROKES_MOST) {
                project(pic, a, pic->stroke[pic->strokes][0]);
                project(pic, b, pic->stroke[pic->strokes++][1]);
            }
            vertex(pic, a), vertex(pic, b);
            gdyn_figure_gap(pic->figure);
        }
    }
    gdyn_skeleton_end(&skeleton);
    return gdyn_figure_block_end(pic->figure);
}

static int write_edges(picture *pic, gdyn_verdict verdict) {
    double length = 0.05 * gdyn_model_length(pic->r->model), point[3], E[9], x[3];
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
        widen(pic, from), widen(pic, to);
        gdyn_figure_put(pic->figure, from[0], from[1], to[0] - from[0], to[1] - from[1]);
    }
    return gdyn_figure_block_end(pic->figure);
}

static int write_marks(picture *pic, gdyn_verdict verdict) {
    double x[3];
    /* Joints with a mark of their own. */
    for (int g = 0; g < pic->r->joints; g++) {
        gdyn_joint_glyph glyph = glyph_of(pic, g);
        if (glyph == GDYN_GLYPH_NONE || glyph == GDYN_GLYPH_EDGE ||
            pic->r->item[g].verdict != verdict)
            continue;
        place_of(pic, g, x);
        vertex(pic, x);
    }
    return gdyn_figure_block_end(pic->figure);
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
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", used ? ", " : "", pic->r->item[k].name);
    }
}

/* A line that names shall not cover, as dots. */
static void add_ink(const picture *pic, point_ink *ink, const double from[2], const double to[2]) {
    enum { STEP = 8 }; /* pixels */
    int steps = 1 + (int)fmin(hypot(to[0] - from[0], to[1] - from[1]) * pic->scale / STEP, 500);
    for (int i = 0; i <= steps && ink->count < INK_MOST; i++, ink->count++)
        for (int k = 0; k < 2; k++)
            ink->at[ink->count][k] = pic->scale * (from[k] + (to[k] - from[k]) * i / steps);
}

/* The blocks of the names and of the lines that lead to names far off, 0 where there are none. */
static void write_names_placed(picture *pic, int count, const point_name *name, char (*text)[200],
                               int *names, int *lines) {
    for (int i = 0; i < count; i++)
        gdyn_figure_put_name(pic->figure, text[i], name[i].at[0] / pic->scale,
                             name[i].at[1] / pic->scale);
    *names = gdyn_figure_block_end(pic->figure);
    for (int i = 0; i < count; i++) {
        /* from the point to the nearest place on the edge of the name */
        const double *at = name[i].at, *point = name[i].point;
        double end = fmin(fmax(point[0], at[0] - name[i].size[0] / 2), at[0] + name[i].size[0] / 2);
        double edge = at[1] + (point[1] > at[1] ? 0.5 : -0.5) * name[i].size[1];
        if (name[i].far) {
            gdyn_figure_put(pic->figure, point[0] / pic->scale, point[1] / pic->scale);
            gdyn_figure_put(pic->figure, end / pic->scale, edge / pic->scale);
            gdyn_figure_gap(pic->figure);
        }
    }
    *lines = gdyn_figure_block_end(pic->figure);
}

/* One name per place, beside its mark, and lines that lead to names: their blocks. False when
 * memory is out. */
static bool write_names(picture *pic, int *names, int *lines) {
    size_t most = (size_t)pic->r->joints + 1;
    point_name *name = gdyn_alloc(most, sizeof *name);
    char(*text)[200] = gdyn_alloc(most, sizeof *text);
    point_ink *ink = gdyn_alloc(1, sizeof *ink);
    bool good = name && text && ink;
    int count = 0;
    if (good)
        ink->count = 0;
    for (int g = 0; g < pic->r->joints && good; g++) {
        /* marks are ink: names may not cover them */
        double x[3], at[2];
        place_of(pic, g, x);
        project(pic, x, at);
        if (glyph_of(pic, g) != GDYN_GLYPH_NONE) {
            /* A mark, as a cross. */
            static const double HALF = 8; /* pixels */
            for (int k = 0; k < 2; k++) {
                double from[2] = {at[0], at[1]}, to[2] = {at[0], at[1]};
                from[k] -= HALF / pic->scale;
                to[k] += HALF / pic->scale;
                add_ink(pic, ink, from, to);
            }
        }
        shared_name(pic, g, text[count], sizeof *text);
        if (*text[count]) {
            double length = (double)strlen(text[count]);
            name[count++] = (point_name){.point = {pic->scale * at[0], pic->scale * at[1]},
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
        place_names(count, name, ink, low, high);
        write_names_placed(pic, count, name, text, names, lines);
    }
    gdyn_free(ink), gdyn_free(text), gdyn_free(name);
    return good;
}

/* --- the panel -------------------------------------------------------------------------------- */

/* Names with the lines that lead to them, as they have room on a wide page and in a column. */
static void draw_names(picture *pic, gdyn_figure_panel *panel) {
    int names[2] = {0, 0}, lines[2] = {0, 0};
    for (int narrow = 0; narrow < 2; narrow++) {
        double wide = narrow ? NARROW : WIDE;
        pic->scale = fmin(wide / (pic->high[0] - pic->low[0]),
                          panel->ratio * wide / (pic->high[1] - pic->low[1]));
        pic->figure->failed |= !write_names(pic, &names[narrow], &lines[narrow]);
        for (int k = 0; k < 2 && lines[narrow] == 0;
             k++) /* a line that is not seen: each page has a block */
            gdyn_figure_put(pic->figure, pic->low[0], pic->low[1]);
        lines[narrow] = lines[narrow] == 0 ? gdyn_figure_block_end(pic->figure) : lines[narrow];
    }
    gdyn_draw(pic->figure, panel, GDYN_LINE, lines[0], .narrow = lines[1], .width = 1,
              .colour = 0x777777);
    gdyn_draw(pic->figure, panel, GDYN_NAMES, names[0], .narrow = names[1]);
}

void gdyn_verdicts_figure(gdyn_figure *f, const char *name, const gdyn_reactions *r,
                          const gdyn_state *state) {
    picture pic = {.r = r,
                   .state = state,
                   .planar = gdyn_model_space(r->model) == GDYN_PLANAR,
                   .low = {INFINITY, INFINITY},
                   .high = {-INFINITY, -INFINITY},
                   .figure = f};
    double eye[3];
    gdyn_figure_view(pic.planar ? 0 : 68, pic.planar ? 0 : 30, pic.page[0], pic.page[1], eye);
    gdyn_picture_begin(f, name, "verdicts", 900, "Which reactions can be known");
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    gdyn_draw(f, panel, GDYN_LINE, write_bodies(&pic), .width = 3, .colour = 0x9AAEBD);
    for (int v = 0; v < VERDICTS; v++) {
        int edges = write_edges(&pic, (gdyn_verdict)v), points = write_marks(&pic, (gdyn_verdict)v);
        gdyn_draw(f, panel, GDYN_EDGES, edges, .width = 7, .colour = marks[v].colour,
                  .title = points == 0 ? marks[v].title : NULL);
        gdyn_draw(f, panel, GDYN_POINTS, points, .point = marks[v].shape, .size = marks[v].size,
                  .colour = marks[v].colour, .title = marks[v].title);
    }
    /* what is drawn with a margin, in one scale for both axes */
    double least = 0.2 * gdyn_model_length(pic.r->model);
    gdyn_figure_axis *const axis[] = {&panel->x, &panel->y};
    for (int i = 0; i < 2; i++) {
        double margin = 0.1 * (pic.high[i] - pic.low[i]) + least;
        pic.low[i] -= margin, pic.high[i] += margin;
        *axis[i] = (gdyn_figure_axis){.title = !pic.planar ? NULL
                                               : i         ? "y [m]"
                                                           : "x [m]",
                                      .low = pic.low[i],
                                      .high = pic.high[i],
                                      .bare = !pic.planar};
    }
    panel->equal = true, panel->frameless = panel->gridless = !pic.planar;
    panel->ratio = fmin((pic.high[1] - pic.low[1]) / (pic.high[0] - pic.low[0]), HIGH);
    draw_names(&pic, panel);
}

void gdyn_picture_verdicts(gdyn_pictures *pictures, const char *name, const gdyn_reactions *r,
                           const gdyn_state *state) {
    gdyn_figure figure;
    gdyn_verdicts_figure(&figure, name, r, state);
    gdyn_picture_write(&figure, pictures);
}
