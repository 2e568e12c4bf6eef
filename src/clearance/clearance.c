/* clearance.c - clearances of all pairs of shapes; see clearance.h. */
#include "clearance/clearance.h"

#include "base/memory.h"
#include "linalg/minimum.h"
#include "linalg/vec3.h"
#include "model/kinds.h"
#include "path/place.h"

#include <math.h>
#include <stdlib.h>

enum { CORNERS = 8 };

/* Approaches between the points are looked for where the clearance may fall by this many times what
 * it rises to the neighbours: a parabola falls by an eighth of the sum of both at most. */
static const double FALL = 0.5;

/* Hulls nearer than this share of their size overlap: the error of their distance there. */
static const double TOUCHING = 1e-7;

/* Points of a shape in the ground's frame, and a ball around it. */
typedef struct hull {
    int count;
    double at[CORNERS][3], middle[3], reach; /* reach: radius of the ball */
} hull;

struct gdyn_clearance {
    const gdyn_model *model;
    int shapes, pairs;
    int (*pair)[2];
    hull *hull;
    gdyn_path_place *place; /* during gdyn_clearance_along */
    gdyn_near *near;
    gdyn_status status;
};

/* --- pairs ------------------------------------------------------------------------------------ */

static bool joined(const gdyn_model *model, int a, int b) {
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, j);
        bool points = gdyn_joint_type_has_points(joint->type);
        if (points && ((joint->a.body == a && joint->b.body == b) ||
                       (joint->a.body == b && joint->b.body == a)))
            return true;
    }
    return false;
}

static bool same_point(const gdyn_model *model, const gdyn_anchor *a, const gdyn_anchor *b) {
    double d[3];
    v3_sub(d, a->at, b->at);
    return a->body == b->body && v3_norm(d) < 1e-9 * gdyn_model_length(model);
}

/* The end of a joint that keeps its points together on the other body than this one; NULL: it is
 * none of this body. */
static const gdyn_anchor *far_end(const gdyn_joint_def *joint, int body) {
    bool held = gdyn_joint_holds_point(joint);
    return held && joint->a.body == body   ? &joint->b
           : held && joint->b.body == body ? &joint->a
                                           : NULL;
}

/* Whether both are hinged to one point of a third body: the rods of a five-bar at its tip. */
static bool share_a_hinge(const gdyn_model *model, int a, int b) {
    int joints = gdyn_model_joints(model);
    for (int i = 0; i < joints; i++) {
        const gdyn_anchor *end = far_end(gdyn_model_joint(model, i), a);
        for (int j = 0; end && j < joints; j++) {
            const gdyn_anchor *other = far_end(gdyn_model_joint(model, j), b);
            if (other && same_point(model, end, other))
                return true;
        }
    }
    return false;
}

static bool is_line(const gdyn_shape_def *shape) {
    return shape->drive >= 0;
}

/* Without any rule about the pair. */
static bool compared(const gdyn_model *model, const gdyn_shape_def *s, const gdyn_shape_def *t) {
    if (is_line(s) && is_line(t))
        return !same_point(model, &s->a, &t->a) && !same_point(model, &s->a, &t->b) &&
               !same_point(model, &s->b, &t->a) && !same_point(model, &s->b, &t->b);
    if (is_line(s) || is_line(t)) {
        const gdyn_shape_def *line = is_line(s) ? s : t;
        int body = is_line(s) ? t->a.body : s->a.body;
        return line->a.body != body && line->b.body != body;
    }
    return s->a.body != t->a.body && !joined(model, s->a.body, t->a.body) &&
           !share_a_hinge(model, s->a.body, t->a.body);
}

/* The pairs that are compared; false: memory is out. */
static bool list_pairs(gdyn_clearance *c) {
    enum { ONLY = 1 << GDYN_PAIR_ONLY, IN = 1 << GDYN_PAIR_INCLUDE, OUT = 1 << GDYN_PAIR_EXCLUDE };
    unsigned stated = 0;
    /* the rules about each pair i < j as bits */
    int rules = gdyn_model_pairs(c->model), shapes = gdyn_model_shapes(c->model);
    unsigned char *mark =
        rules > 0 ? gdyn_alloc((size_t)shapes * (size_t)shapes, sizeof *mark) : NULL;
    for (int k = 0; k < rules; k++) {
        const gdyn_pair_def *def = gdyn_model_pair(c->model, k);
        size_t i = (size_t)(def->first < def->second ? def->first : def->second);
        size_t j = (size_t)(def->first < def->second ? def->second : def->first);
        stated |= 1U << def->rule;
        if (mark)
            mark[i * (size_t)shapes + j] |= (unsigned char)(1U << def->rule);
    }
    if (stated && !mark)
        return false;
    for (int i = 0; i < c->shapes; i++)
        for (int j = i + 1; j < c->shapes; j++) {
            unsigned here = mark ? mark[(size_t)i * (size_t)c->shapes + (size_t)j] : 0;
            bool usual = !(stated & ONLY) || (here & ONLY);
            if ((here & OUT) ||
                (!(here & IN) && !(usual && compared(c->model, gdyn_model_shape(c->model, i),
                                                     gdyn_model_shape(c->model, j)))))
                continue;
            c->pair[c->pairs][0] = i;
            c->pair[c->pairs++][1] = j;
        }
    gdyn_free(mark);
    return true;
}

gdyn_clearance *gdyn_clearance_create(const gdyn_model *model) {
    gdyn_clearance *c = gdyn_alloc(1, sizeof *c);
    if (!c)
        return NULL;
    size_t shapes = (size_t)gdyn_model_shapes(model);
    c->model = model;
    c->shapes = (int)shapes;
    c->hull = gdyn_alloc(shapes + 1, sizeof *c->hull);
    c->pair = gdyn_alloc(shapes * shapes / 2 + 1, sizeof *c->pair);
    if (c->hull && c->pair && list_pairs(c))
        return c;
    gdyn_clearance_destroy(c);
    return NULL;
}

void gdyn_clearance_destroy(gdyn_clearance *c) {
    if (!c)
        return;
    gdyn_free(c->hull), gdyn_free(c->pair), gdyn_free(c);
}

int gdyn_clearance_pairs(const gdyn_clearance *c) {
    return c->pairs;
}

const char *gdyn_shape_owner(const gdyn_model *model, int shape) {
    const gdyn_shape_def *def = gdyn_model_shape(model, shape);
    return is_line(def)                 ? gdyn_model_drive(model, def->drive)->name
           : def->a.body == GDYN_GROUND ? "ground"
                                        : gdyn_model_body(model, def->a.body)->name;
}

/* --- a pose ----------------------------------------------------------------------------------- */

/* Corners of a shape; of a flat box in the plane four of them. */
static void place_hull(const gdyn_state *state, const gdyn_shape_def *shape, hull *h) {
    h->count = 0;
    if (shape->kind == GDYN_SHAPE_BOX) {
        int corners = shape->size[2] > 0 ? 8 : 4;
        for (int k = 0; k < corners; k++) {
            double out[3] = {(k & 1 ? 0.5 : -0.5) * shape->size[0],
                             (k & 2 ? 0.5 : -0.5) * shape->size[1],
                             (k & 4 ? 0.5 : -0.5) * shape->size[2]};
            gdyn_anchor corner = shape->a;
            if (corners == 4)
                out[2] = 0;
            m3_apply(out, shape->R, out);
            v3_add(corner.at, corner.at, out);
            gdyn_state_point(state, &corner, h->at[h->count++]);
        }
    } else {
        gdyn_state_point(state, &shape->a, h->at[h->count++]);
        if (shape->kind != GDYN_SHAPE_SPHERE)
            gdyn_state_point(state, &shape->b, h->at[h->count++]);
    }
    /* the ball around the mean of the corners */
    v3_set(h->middle, 0, 0, 0);
    for (int k = 0; k < h->count; k++)
        v3_axpy(h->middle, h->middle, 1.0 / h->count, h->at[k]);
    h->reach = 0;
    for (int k = 0; k < h->count; k++) {
        double d[3];
        v3_sub(d, h->at[k], h->middle);
        h->reach = fmax(h->reach, v3_norm(d));
    }
}

static double distance_of(const hull *a, const hull *b) {
    if (a->count > 2 || b->count > 2)
        return gdyn_hull_distance(a->count, a->at, b->count, b->at);
    double s[2][3], t[2][3];
    for (int k = 0; k < 2; k++) {
        v3_copy(s[k], a->at[k < a->count ? k : 0]);
        v3_copy(t[k], b->at[k < b->count ? k : 0]);
    }
    return gdyn_segment_distance((const double(*)[3])s, (const double(*)[3])t);
}

/* Half edges of a shape in the ground's frame: of a box three or two, of a segment one. */
static int half_edges(const hull *h, double (*half)[3]) {
    int count = h->count == 8 ? 3 : h->count == 4 ? 2 : h->count - 1;
    for (int k = 0; k < count; k++) {
        v3_sub(half[k], h->at[1 << k], h->at[0]);
        v3_scale(half[k], 0.5, half[k]);
    }
    return count;
}

gdyn_near gdyn_near_none(void) {
    return (gdyn_near){.distance = INFINITY, .first = -1, .second = -1, .p = NAN};
}

gdyn_near gdyn_clearance_at(gdyn_clearance *c, const gdyn_state *state) {
    gdyn_near near = gdyn_near_none();
    for (int i = 0; i < c->shapes; i++)
        place_hull(state, gdyn_model_shape(c->model, i), &c->hull[i]);
    for (int k = 0; k < c->pairs; k++) {
        int i = c->pair[k][0], j = c->pair[k][1];
        const hull *a = &c->hull[i], *b = &c->hull[j];
        double radii =
            gdyn_model_shape(c->model, i)->radius + gdyn_model_shape(c->model, j)->radius;
        double between[3];
        v3_sub(between, a->middle, b->middle);
        if (v3_norm(between) - a->reach - b->reach - radii >= near.distance)
            continue; /* the balls alone are farther apart */
        double apart = distance_of(a, b), distance = apart - radii;
        if (apart <= TOUCHING * (a->reach + b->reach)) {
            /* how far hulls that touch reach into each other */
            double half[6][3];
            int edges = half_edges(a, half);
            edges += half_edges(b, half + edges);
            int axes = gdyn_model_space(c->model) == GDYN_PLANAR ? 2 : 3;
            distance = -radii - gdyn_sum_depth(axes, between, edges, (const double(*)[3])half);
        }
        if (distance < near.distance)
            near = (gdyn_near){distance, i, j, NAN};
    }
    return near;
}

/* --- a path ----------------------------------------------------------------------------------- */

static bool stands(gdyn_point_status status) {
    return status == GDYN_POINT_OK || status == GDYN_POINT_RANGE;
}

/* Clearance at p, INFINITY where the path is not followed; the smallest is kept. */
static double clearance_at(void *context, double p) {
    gdyn_clearance *c = context;
    if (c->status == GDYN_OK)
        c->status = gdyn_path_place_at(c->place, p);
    if (c->status != GDYN_OK || !stands(c->place->status))
        return INFINITY;
    gdyn_near near = gdyn_clearance_at(c, c->place->state);
    if (near.distance < c->near->distance) {
        *c->near = near;
        c->near->p = p;
    }
    return near.distance;
}

/* d: clearances at the points; looks around those that have no more than their neighbours. */
static void look_between(gdyn_clearance *c, const gdyn_track *track, const double *d) {
    int last = track->points - 1;
    for (int i = 0; i <= last && c->status == GDYN_OK; i++) {
        double left = i > 0 ? d[i - 1] : d[i], right = i < last ? d[i + 1] : d[i];
        bool lowest = isfinite(d[i]) && d[i] <= left && d[i] <= right;
        double rise = fmax(isfinite(left) ? left - d[i] : 0, isfinite(right) ? right - d[i] : 0);
        if (!lowest || d[i] - FALL * rise >= c->near->distance)
            continue;
        int a = i > 0 && isfinite(left) ? i - 1 : i, b = i < last && isfinite(right) ? i + 1 : i;
        if (a < b)
            gdyn_smooth_minimum(clearance_at, c, fmin(track->p[a], track->p[b]),
                                fmax(track->p[a], track->p[b]));
    }
}

gdyn_status gdyn_clearance_along(gdyn_clearance *c, const gdyn_path *path, const gdyn_track *track,
                                 gdyn_near *near) {
    double *d = gdyn_alloc((size_t)track->points, sizeof *d);
    *near = gdyn_near_none();
    c->place = c->pairs > 0 ? gdyn_path_place_create(path, track) : NULL;
    c->near = near;
    c->status = d && (c->place || c->pairs == 0) ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < track->points && c->status == GDYN_OK && c->pairs > 0; i++) {
        d[i] = INFINITY;
        if (!stands(track->status[i]))
            continue;
        gdyn_near here = gdyn_clearance_at(c, track->state[i]);
        d[i] = here.distance;
        if (here.distance < near->distance) {
            *near = here;
            near->p = track->p[i];
        }
    }
    if (c->pairs > 0 && c->status == GDYN_OK)
        look_between(c, track, d);
    gdyn_path_place_destroy(c->place);
    c->place = NULL;
    gdyn_free(d);
    return c->status;
}
