/* picture_verdicts.c - the machine at a pose with its joints coloured by verdict.
 *
 * Bodies are the convex hulls of their joint points, seen from above (planar) or in a parallel
 * projection (spatial). Knife edges are short bars along their edge. */
#include "report/hull.h"
#include "report/picture.h"
#include "report/reactions_report.h"

#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERDICTS = 3, WIDTH = 1200 };

static const struct {
    const char *colour, *title;
    int shape;
    double size;
} marks[VERDICTS] = {{"#0072B2", "unique", 7, 2.0},
                     {"#E69F00", "known once the drive forces are", 5, 2.0},
                     {"#CC3311", "indeterminate", 9, 2.4}};

typedef struct picture {
    const gdyn_reactions *r;
    const gdyn_state *state;
    bool planar;
    double low[2], high[2];
    gdyn_text plot; /* the plot command: ranges are known when it is complete */
    gdyn_script script;
} picture;

/* Screen coordinates of a point: x, y in the plane; in space turned by 30 and tilted by 22 deg. */
static void project(const picture *pic, const double x[3], double out[2]) {
    const double turn = 0.5235987755982988, tilt = 0.3839724354387525;
    double c = cos(turn), s = sin(turn);
    out[0] = pic->planar ? x[0] : c * x[0] + s * x[1];
    out[1] = pic->planar ? x[1] : x[2] * cos(tilt) + (c * x[1] - s * x[0]) * sin(tilt);
}

static void widen(picture *pic, const double at[2]) {
    for (int i = 0; i < 2; i++) {
        pic->low[i] = fmin(pic->low[i], at[i]);
        pic->high[i] = fmax(pic->high[i], at[i]);
    }
}

static void vertex(picture *pic, const double x[3]) {
    double at[2];
    project(pic, x, at);
    widen(pic, at);
    gdyn_text_printf(&pic->script.data, "%.7g %.7g\n", at[0], at[1]);
}

typedef struct corners {
    int count;
    double at[GDYN_HULL_POINTS][3];
} corners;

static corners points_of(const picture *pic, int body) {
    corners out = {0};
    for (int x = 0; x < pic->r->joints; x++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->r->model, x);
        const gdyn_anchor *end[] = {&joint->a, &joint->b};
        for (int e = 0; e < 2 && gdyn_joint_type_stands(joint->type); e++) {
            if (end[e]->body == body && out.count < GDYN_HULL_POINTS) {
                gdyn_state_point(pic->state, end[e], out.at[out.count++]);
            }
        }
    }
    return out;
}

static int write_bodies(picture *pic) {
    gdyn_hull hull;
    bool any = false;
    gdyn_text_printf(&pic->script.data, "\n");
    for (int b = 0; b < gdyn_model_bodies(pic->r->model); b++) {
        const corners own = points_of(pic, b);
        if (own.count < 2) {
            continue;
        }
        any = true;
        gdyn_hull_make(&hull, own.count, own.at, gdyn_model_length(pic->r->model));
        for (int i = 0; i < hull.polygons; i++) {
            for (int k = 0; k <= hull.size[i]; k++) {
                vertex(pic, own.at[hull.corner[i][k % hull.size[i]]]);
            }
            gdyn_text_printf(&pic->script.data, "\n");
        }
    }
    if (!any) { /* gnuplot warns of a block without points */
        double x[3];
        gdyn_state_point(pic->state, &gdyn_model_joint(pic->r->model, 0)->a, x);
        vertex(pic, x);
    }
    return gdyn_script_end_block(&pic->script);
}

static gdyn_joint_glyph glyph_of(const picture *pic, int joint) {
    return gdyn_joint_kind_of(gdyn_model_joint(pic->r->model, joint)->type)->glyph;
}

/* Edges of the wheels with that verdict. */
static int write_edges(picture *pic, gdyn_verdict verdict, int *count) {
    double length = 0.05 * gdyn_model_length(pic->r->model), point[3], E[9], x[3];
    *count = 0;
    for (int g = 0; g < pic->r->joints; g++) {
        if (glyph_of(pic, g) != GDYN_GLYPH_EDGE || pic->r->item[g].verdict != verdict) {
            continue;
        }
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

static int write_marks(picture *pic, gdyn_verdict verdict, int *count) {
    double x[3];
    *count = 0;
    for (int g = 0; g < pic->r->joints; g++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->r->model, g);
        gdyn_joint_glyph glyph = glyph_of(pic, g);
        if (glyph == GDYN_GLYPH_NONE || glyph == GDYN_GLYPH_EDGE ||
            pic->r->item[g].verdict != verdict) {
            continue;
        }
        gdyn_state_point(pic->state, &joint->a, x);
        vertex(pic, x);
        ++*count;
    }
    return *count ? gdyn_script_end_block(&pic->script) : -1;
}

/* One name per place: joints that share it stand together. */
static int write_names(picture *pic) {
    double near = 1e-3 * gdyn_model_length(pic->r->model), x[3], other[3], d[3], at[2];
    for (int g = 0; g < pic->r->joints; g++) {
        char text[200] = "";
        bool first = true;
        gdyn_state_point(pic->state, &gdyn_model_joint(pic->r->model, g)->a, x);
        for (int k = 0; k < pic->r->joints; k++) {
            gdyn_state_point(pic->state, &gdyn_model_joint(pic->r->model, k)->a, other);
            v3_sub(d, other, x);
            if (v3_norm(d) > near || glyph_of(pic, k) == GDYN_GLYPH_NONE) {
                continue;
            }
            first &= k >= g;
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                     pic->r->item[k].name);
        }
        char quoted[220];
        project(pic, x, at);
        if (first && *text) {
            gdyn_text_printf(&pic->script.data, "%.7g %.7g \"%s\"\n", at[0], at[1],
                             gdyn_script_quote(text, quoted, sizeof quoted));
        }
    }
    return gdyn_script_end_block(&pic->script);
}

static void plot(picture *pic, int bodies) {
    gdyn_text *gp = &pic->plot;
    gdyn_text_printf(gp, "plot data index %d using 1:2 with lines lw 3 lc rgb '#9AAEBD' notitle",
                     bodies);
    for (int v = 0; v < VERDICTS; v++) {
        int edges, points;
        int block = write_edges(pic, (gdyn_verdict)v, &edges);
        if (edges > 0) {
            gdyn_text_printf(
                gp,
                ", \\\n  data index %d using 1:2:3:4 with vectors nohead lw 7 lc rgb '%s' notitle",
                block, marks[v].colour);
        }
        block = write_marks(pic, (gdyn_verdict)v, &points);
        if (points > 0) {
            gdyn_text_printf(
                gp,
                ", \\\n  data index %d using 1:2 with points pt %d ps %.1f lc rgb '%s' "
                "title '%s'",
                block, marks[v].shape, marks[v].size, marks[v].colour, marks[v].title);
        } else if (edges > 0) {
            gdyn_text_printf(gp, ", \\\n  keyentry with points pt 5 ps 1.6 lc rgb '%s' title '%s'",
                             marks[v].colour, marks[v].title);
        }
    }
    gdyn_text_printf(gp,
                     ", \\\n  data index %d using 1:2:3 with labels left offset 0.9,0.7 "
                     "tc rgb '#222222' font ',12' notitle\n",
                     write_names(pic));
}

gdyn_status gdyn_picture_verdicts(const char *folder, const char *name, const gdyn_reactions *r,
                                  const gdyn_state *state, const gdyn_sink *sink) {
    picture pic = {.r = r,
                   .state = state,
                   .planar = gdyn_model_space(r->model) == GDYN_PLANAR,
                   .low = {INFINITY, INFINITY},
                   .high = {-INFINITY, -INFINITY}};
    gdyn_script_begin(&pic.script, name, "verdicts", WIDTH, 850);
    gdyn_script_line(&pic.script,
                     "set title \"Which reactions can be known\" font ',16'\n"
                     "set size ratio -1\nset border lc rgb '#444444'\nset tics nomirror out scale "
                     "0.5\nset key outside right top Left reverse samplen 1 font ',12'\n"
                     "set grid lc rgb '#EEEEEE' lt 1 lw 0.6 back\n%s",
                     pic.planar ? "set xlabel 'x [m]'\nset ylabel 'y [m]'"
                                : "unset tics\nunset grid\nunset border");
    plot(&pic, write_bodies(&pic));
    double least = 0.2 * gdyn_model_length(r->model);
    double most = fmax(pic.high[0] - pic.low[0], pic.high[1] - pic.low[1]);
    if (pic.planar) { /* equal steps: a narrow machine has no room for many tics */
        double step = gdyn_round_step(1.2 * fmax(most, 0) + 2 * least, 6);
        gdyn_script_line(&pic.script, "set xtics %.7g\nset ytics %.7g", step, step);
    }
    for (int i = 0; i < 2 && pic.low[i] <= pic.high[i]; i++) {
        double margin = 0.1 * (pic.high[i] - pic.low[i]) + least;
        gdyn_script_line(&pic.script, "set %crange [%.7g:%.7g]", "xy"[i], pic.low[i] - margin,
                         pic.high[i] + margin);
    }
    gdyn_text_append(&pic.script.gp, pic.plot.data, pic.plot.length);
    pic.script.gp.failed |= pic.plot.failed;
    gdyn_text_free(&pic.plot);
    return gdyn_script_finish(&pic.script, folder, sink);
}
