/* shapes.c - outlines of the stated shapes: of round ones in the plane of the picture, in space
 * in two planes through their axis; of boxes their edges. */
#include "report/drawing.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>

typedef struct plotter {
    gdyn_pen *draw;
    void *context;
    bool planar;
} plotter;

enum { ARC = 12 };

/* Half a circle about x from direction m over k to -m, of that radius, into the layer. */
static void draw_arc(const plotter *pen, const double x[3], const double m[3], const double k[3],
                     double radius) {
    for (int i = 0; i <= ARC; i++) {
        double at[3], angle = GDYN_PI * i / ARC;
        v3_axpy(at, x, radius * cos(angle), m);
        v3_axpy(at, at, radius * sin(angle), k);
        pen->draw(pen->context, at);
    }
}

/* Its outline in the plane spanned by the axis e and m; a ball has no axis. */
static void draw_outline(const plotter *pen, const double a[3], const double b[3],
                         const double e[3], const double m[3], double radius) {
    double back[3], beside[3];
    v3_scale(back, -1, e);
    v3_scale(beside, -1, m);
    draw_arc(pen, b, m, e, radius);
    draw_arc(pen, a, beside, back, radius);
    v3_axpy(back, b, radius, m);
    pen->draw(pen->context, back);
    pen->draw(pen->context, NULL);
}

static void draw_round(const plotter *pen, const gdyn_state *state, const gdyn_shape_def *shape) {
    double a[3], b[3], e[3], m[3], k[3];
    gdyn_state_point(state, &shape->a, a);
    gdyn_state_point(state, shape->kind == GDYN_SHAPE_SPHERE ? &shape->a : &shape->b, b);
    v3_sub(e, b, a);
    if (gdyn_v3_normalize(e) == 0)
        v3_set(e, 1, 0, 0);
    if (pen->planar) {
        v3_set(m, e[1], -e[0], 0);
        draw_outline(pen, a, b, e, m, shape->radius);
        return;
    }
    gdyn_v3_triad(e, m, k);
    draw_outline(pen, a, b, e, m, shape->radius);
    draw_outline(pen, a, b, e, k, shape->radius);
}

static void draw_box(const plotter *pen, const gdyn_state *state, const gdyn_shape_def *shape) {
    static const int walk[] = {0, 1, 3, 2, 0, 4, 5, 7, 6, 4, -1, 1, 5, -1, 3, 7, -1, 2, 6};
    int steps = pen->planar ? 5 : (int)(sizeof walk / sizeof *walk);
    for (int i = 0; i < steps; i++) {
        if (walk[i] < 0) {
            pen->draw(pen->context, NULL);
            continue;
        }
        double x[3] = {(walk[i] & 1 ? 0.5 : -0.5) * shape->size[0],
                       (walk[i] & 2 ? 0.5 : -0.5) * shape->size[1],
                       (walk[i] & 4 ? 0.5 : -0.5) * shape->size[2]};
        gdyn_anchor corner = shape->a;
        m3_apply(x, shape->R, x);
        v3_add(corner.at, corner.at, x);
        gdyn_state_point(state, &corner, x);
        pen->draw(pen->context, x);
    }
    pen->draw(pen->context, NULL);
}

void gdyn_shapes_outline(const gdyn_state *state, gdyn_pen *draw, void *context) {
    const gdyn_model *model = gdyn_state_model(state);
    plotter pen = {draw, context, gdyn_model_space(model) == GDYN_PLANAR};
    for (int i = 0; i < gdyn_model_shapes(model); i++) {
        const gdyn_shape_def *shape = gdyn_model_shape(model, i);
        if (shape->kind == GDYN_SHAPE_BOX)
            draw_box(&pen, state, shape);
        else
            draw_round(&pen, state, shape);
    }
}
