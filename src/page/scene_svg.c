/* scene_svg.c - a machine in a pose as SVG: planar machines in their plane, others in a parallel
 * projection, what is farther away drawn first (painter's algorithm). */
#include "page/internal.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdlib.h>

enum { CORNERS_MOST = 24, WIDTH = 560, HEIGHT = 420, MARGIN = 26 };

/* A face (3 corners and more), a line (2) or a disc on the page (1). */
typedef struct item {
    char look[24]; /* class */
    int layer;     /* drawn in this order in the plane, and where depths are equal */
    double depth;  /* towards the eye */
    int count;
    double at[CORNERS_MOST][2];
    double radius; /* in lengths of the machine; 0: as the class has it */
    bool open;     /* a line of many points, not a face */
} item;

typedef struct painter {
    const gdyn_scene *scene;
    bool planar, failed;
    int items, capacity;
    item *item;
    double low[2], high[2];
} painter;

/* --- projection ------------------------------------------------------------------------------- */

/* From the side and above: turned by 30, tilted by 22 deg; out: right, up, towards the eye. */
static void project(const painter *p, const double x[3], double out[3]) {
    const double turn = GDYN_PI / 6, tilt = 22 * GDYN_PI / 180;
    double c = cos(turn), s = sin(turn), ahead = c * x[1] - s * x[0];
    if (p->planar)
        v3_set(out, x[0], x[1], x[2]);
    else
        v3_set(out, c * x[0] + s * x[1], x[2] * cos(tilt) + ahead * sin(tilt),
               x[2] * sin(tilt) - ahead * cos(tilt));
}

static item *add(painter *p, const char *look, int layer) {
    if (p->failed || !gdyn_reserve(&p->item, &p->capacity, p->items + 1, sizeof *p->item)) {
        p->failed = true;
        return NULL;
    }
    item *it = &p->item[p->items++];
    *it = (item){.layer = layer};
    for (int i = 0; look[i] && i + 1 < (int)sizeof it->look; i++)
        it->look[i] = look[i];
    return it;
}

/* One more corner; the depth of an item is the mean of its corners. */
static void corner(painter *p, item *it, const double x[3]) {
    double at[3];
    if (!it || it->count >= CORNERS_MOST)
        return;
    project(p, x, at);
    it->depth = (it->depth * it->count + at[2]) / (it->count + 1);
    for (int i = 0; i < 2; i++) {
        it->at[it->count][i] = at[i];
        p->low[i] = fmin(p->low[i], at[i] - it->radius);
        p->high[i] = fmax(p->high[i], at[i] + it->radius);
    }
    it->count++;
}

static void corner_of(painter *p, item *it, const gdyn_state *state, const gdyn_anchor *anchor) {
    double x[3];
    gdyn_state_point(state, anchor, x);
    corner(p, it, x);
}

/* --- parts ------------------------------------------------------------------------------------ */

const char *const gdyn_scene_looks[GDYN_LAYERS] = {
    [GDYN_LAYER_FACE] = "face",   [GDYN_LAYER_LINK] = "bar",      [GDYN_LAYER_CABLE] = "cable",
    [GDYN_LAYER_JOINT] = "joint", [GDYN_LAYER_DRIVEN] = "driven", [GDYN_LAYER_BASE] = "base"};

/* Class of a joint by its verdict. */
static const char *verdict_look(const gdyn_reactions *r, int joint) {
    static const char *const look[] = {"v0", "v1", "v2"};
    return look[r->item[joint].verdict];
}

static void draw_solids(painter *p, const gdyn_state *state, bool ghost) {
    for (int i = 0; i < p->scene->figure.parts; i++) {
        const gdyn_skeleton_part *part = &p->scene->figure.part[i];
        if (!gdyn_skeleton_is_solid(part) || gdyn_scene_hides(p->scene, part))
            continue;
        item *it = add(p, ghost ? "ghost" : gdyn_scene_looks[part->layer], ghost ? 0 : 2);
        for (int k = 0; k < part->count; k++)
            corner_of(p, it, state, &part->at[k]);
        if (it && ghost)
            it->depth = -INFINITY;
    }
}

/* Joints, drives between points; with verdicts all joints in their colours. */
static void draw_marks(painter *p, const gdyn_state *state, const gdyn_reactions *r) {
    for (int i = 0; i < p->scene->figure.parts; i++) {
        const gdyn_skeleton_part *part = &p->scene->figure.part[i];
        bool judged = r && part->joint >= 0 && part->layer != GDYN_LAYER_LINK;
        if (gdyn_skeleton_is_solid(part))
            continue;
        item *it = add(p, judged ? verdict_look(r, part->joint) : gdyn_scene_looks[part->layer],
                       part->layer == GDYN_LAYER_CABLE ? 4 : 6);
        if (part->layer == GDYN_LAYER_CABLE) {
            corner_of(p, it, state, &part->at[0]);
            corner_of(p, it, state, &part->at[1]);
        } else {
            double x[3];
            gdyn_skeleton_place(part, state, x);
            corner(p, it, x);
        }
    }
}

/* A disc about its axis. */
static void draw_wheel(painter *p, const gdyn_state *state, const gdyn_wheel *wheel,
                       const gdyn_reactions *r) {
    double m[3], k[3];
    item *it = add(p, r ? verdict_look(r, wheel->joint) : "wheel", 5);
    gdyn_v3_triad(wheel->axis, m, k);
    for (int i = 0; i < CORNERS_MOST; i++) {
        double angle = 2 * GDYN_PI * i / CORNERS_MOST;
        gdyn_anchor at = wheel->at;
        v3_axpy(at.at, at.at, wheel->radius * cos(angle), m);
        v3_axpy(at.at, at.at, wheel->radius * sin(angle), k);
        corner_of(p, it, state, &at);
    }
}

/* A box by its six faces. */
static void draw_box(painter *p, const gdyn_state *state, const gdyn_shape_def *shape) {
    static const int face[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    for (int f = 0; f < (p->planar ? 1 : 6); f++) {
        item *it = add(p, "shape", 3);
        for (int i = 0; i < 4; i++) {
            gdyn_anchor at = gdyn_shape_corner(shape, face[f][i]);
            corner_of(p, it, state, &at);
        }
    }
}

static void draw_shapes(painter *p, const gdyn_state *state) {
    for (int i = 0; i < gdyn_model_shapes(p->scene->model); i++) {
        const gdyn_shape_def *shape = gdyn_model_shape(p->scene->model, i);
        if (shape->kind == GDYN_SHAPE_BOX) {
            draw_box(p, state, shape);
            continue;
        }
        item *it = add(p, "shape", 3);
        if (it)
            it->radius = shape->radius;
        corner_of(p, it, state, &shape->a);
        if (shape->kind != GDYN_SHAPE_SPHERE)
            corner_of(p, it, state, &shape->b);
    }
}

/* Lines of many points, in space piece by piece so that the machine covers them where it is
 * nearer. */
static void draw_lines(painter *p, int lines, const gdyn_scene_line *line) {
    enum { PIECE = 8 };
    for (int i = 0; i < lines; i++)
        for (int k = 0; k + 1 < line[i].count; k += PIECE) {
            item *it = add(p, line[i].look, line[i].look[0] == 'g' ? 1 : 5);
            for (int j = k; j <= k + PIECE && j < line[i].count; j++)
                corner(p, it, line[i].at[j]);
            if (it)
                it->open = true;
        }
}

/* --- writing ---------------------------------------------------------------------------------- */

static int compare_depths(const void *left, const void *right) {
    const item *a = left, *b = right;
    return a->depth != b->depth ? (a->depth > b->depth) - (a->depth < b->depth)
                                : a->layer - b->layer;
}

static int compare_layers(const void *left, const void *right) {
    const item *a = left, *b = right;
    return a->layer != b->layer ? a->layer - b->layer : compare_depths(left, right);
}

/* From lengths of the machine to places of the SVG. */
typedef struct scale {
    double factor, x, y, height;
} scale;

static scale scale_of(const painter *p) {
    double wide = fmax(p->high[0] - p->low[0], 1e-9), high = fmax(p->high[1] - p->low[1], 1e-9);
    scale s = {.factor = fmin((WIDTH - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN) / high)};
    s.height = high * s.factor + 2 * MARGIN;
    s.x = 0.5 * WIDTH - 0.5 * s.factor * (p->low[0] + p->high[0]);
    s.y = 0.5 * s.height + 0.5 * s.factor * (p->low[1] + p->high[1]);
    return s;
}

static void write_item(const item *it, const scale *s, gdyn_text *out) {
    if (it->count == 1) {
        gdyn_text_printf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\"", it->look,
                         s->x + s->factor * it->at[0][0], s->y - s->factor * it->at[0][1]);
        if (it->radius > 0)
            gdyn_text_printf(out, " r=\"%.1f\"", s->factor * it->radius);
        gdyn_text_printf(out, it->radius > 0 ? "/>\n" : " r=\"4\"/>\n");
        return;
    }
    gdyn_text_printf(out, "<path class=\"%s\" d=\"", it->look);
    for (int i = 0; i < it->count; i++)
        gdyn_text_printf(out, "%c%.1f %.1f", i ? 'L' : 'M', s->x + s->factor * it->at[i][0],
                         s->y - s->factor * it->at[i][1]);
    gdyn_text_printf(out, it->count > 2 && !it->open ? "Z\"" : "\"");
    /* a capsule is a thick line with round ends */
    if (it->radius > 0)
        gdyn_text_printf(out, " style=\"stroke-width:%.1f\"", 2 * s->factor * it->radius);
    gdyn_text_printf(out, "/>\n");
}

bool gdyn_scene_svg(const gdyn_scene *scene, const gdyn_state *state, int ghosts,
                    gdyn_state *const *ghost, int lines, const gdyn_scene_line *line,
                    const gdyn_reactions *r, const char *label, gdyn_text *out) {
    painter p = {.scene = scene,
                 .planar = gdyn_model_space(scene->model) == GDYN_PLANAR,
                 .low = {INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY}};
    for (int i = 0; i < ghosts; i++)
        draw_solids(&p, ghost[i], true);
    draw_lines(&p, lines, line);
    draw_solids(&p, state, false);
    draw_shapes(&p, state);
    for (int i = 0; i < scene->wheels; i++)
        draw_wheel(&p, state, &scene->wheel[i], r);
    draw_marks(&p, state, r);
    if (p.items > 0 && !p.failed) {
        scale s = scale_of(&p);
        if (p.items > 0)
            qsort(p.item, (size_t)p.items, sizeof *p.item,
                  p.planar ? compare_layers : compare_depths);
        gdyn_text_printf(out,
                         "<svg class=\"scene\" viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"",
                         WIDTH, s.height);
        gdyn_html_text(out, label);
        gdyn_text_printf(out, "\">\n");
        for (int i = 0; i < p.items; i++)
            write_item(&p.item[i], &s, out);
        gdyn_text_printf(out, "</svg>\n");
    }
    gdyn_free(p.item);
    return !p.failed;
}
