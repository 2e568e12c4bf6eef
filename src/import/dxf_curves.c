/* dxf_curves.c - SPLINE and ELLIPSE: B-splines, polynomial or rational, and elliptic arcs as
 * curves without error.
 *
 * Both stand in coordinates of the drawing, in space. A spline of degree k with the points d_0
 * .. d_n-1 has the knots t_0 <= .. <= t_n+k; it runs from t_k to t_n. */
#include "import/contour.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MOST = 100000 };
static const double WHOLE =
    1e-6; /* what angles of a whole ellipse, written with six digits, lack [rad] */

/* --- splines ---------------------------------------------------------------------------------- */

typedef struct list {
    int count, capacity;
    double *value;
} list;

typedef struct spline {
    int degree, fits;         /* fits: points that it passes through */
    list knot, weight, point; /* points: x y z each */
} spline;

static void append(gdyn_dxf_reader *r, list *values, double value) {
    if (values->count >= VALUES_MOST) {
        if (values->count++ == VALUES_MOST)
            gdyn_robot_error(r->c->log, gdyn_contour_place(r->c, r->line, ""), NULL,
                             "more than %d numbers of a spline", VALUES_MOST);
    } else if (gdyn_reserve(&values->value, &values->capacity, values->count + 3,
                            sizeof *values->value)) {
        values->value[values->count++] = value;
    } else {
        r->c->log->failed = true;
    }
}

static void take_spline(gdyn_dxf_reader *r, spline *s) {
    int n = s->point.count;
    if (r->code == 71) {
        s->degree = (int)fmin(fmax(gdyn_dxf_number(r), 0), 1e6);
    } else if (r->code == 40 || r->code == 41) {
        append(r, r->code == 40 ? &s->knot : &s->weight, gdyn_dxf_number(r));
    } else if (r->code == 10) {
        append(r, &s->point, gdyn_dxf_number(r) * r->unit);
        append(r, &s->point, 0);
        append(r, &s->point, 0);
    } else if ((r->code == 20 || r->code == 30) && n >= 3 && n <= VALUES_MOST) {
        s->point.value[n - 3 + (r->code / 10 - 1)] = gdyn_dxf_number(r) * r->unit;
    }
    s->fits += r->code == 11;
}

/* What is wrong with the numbers; NULL: nothing. */
static const char *fault_of(const spline *s) {
    int points = s->point.count / 3;
    if (points == 0 && s->fits > 0)
        return "a spline by the points that it passes through; save it with control points";
    if (s->degree < 1 || s->degree > GDYN_BEZIER_DEGREE_MOST)
        return "the degree of a spline must be from 1 to 15";
    if (points < s->degree + 1)
        return "a spline needs more control points than its degree";
    if (s->knot.count != points + s->degree + 1)
        return "the number of knots must be that of the control points plus the degree plus one";
    if (s->weight.count != 0 && s->weight.count != points)
        return "a spline has a weight for each control point, or none";
    for (int i = 1; i < s->knot.count; i++)
        if (s->knot.value[i] < s->knot.value[i - 1])
            return "the knots of a spline must not fall";
    if (!(s->knot.value[s->degree] < s->knot.value[points]))
        return "the knots of a spline are all the same";
    for (int i = 0; i < s->weight.count; i++)
        if (!(s->weight.value[i] > 0))
            return "the weights of a spline must be positive";
    return NULL;
}

static void add_spans(gdyn_dxf_reader *r, const gdyn_xml *at, const spline *s) {
    int points = s->point.count / 3;
    const double *knot = s->knot.value;
    double(*point)[4] = gdyn_alloc((size_t)points, sizeof *point), greatest = 0;
    if (!point) {
        r->c->log->failed = true;
        return;
    }
    /* a common factor of all weights changes nothing */
    for (int i = 0; i < s->weight.count; i++)
        greatest = fmax(greatest, s->weight.value[i]);
    for (int i = 0; i < points; i++) {
        point[i][3] = s->weight.count ? s->weight.value[i] / greatest : 1;
        for (int k = 0; k < 3; k++)
            point[i][k] = point[i][3] * s->point.value[3 * i + k];
    }
    for (int span = s->degree; span < points && r->c->log->errors == 0; span++) {
        gdyn_bezier curve = {0};
        if (!(knot[span] < knot[span + 1]))
            continue;
        gdyn_bezier_of_span(&curve, s->degree, knot, span, (const double(*)[4])point);
        gdyn_contour_curve(r->c, at, &curve, 0);
    }
    gdyn_free(point);
}

void gdyn_dxf_spline(gdyn_dxf_reader *r, const gdyn_xml *at) {
    spline s = {0};
    for (gdyn_dxf_next(r); r->code > 0 && !r->c->log->failed; gdyn_dxf_next(r))
        take_spline(r, &s);
    if (r->c->log->errors == 0 && !r->c->log->failed) {
        const char *fault = fault_of(&s);
        if (fault)
            gdyn_robot_error(r->c->log, at, NULL, "%s", fault);
        else
            add_spans(r, at, &s);
    }
    gdyn_free(s.knot.value);
    gdyn_free(s.weight.value);
    gdyn_free(s.point.value);
}

/* --- ellipses --------------------------------------------------------------------------------- */

typedef struct ellipse {
    double centre[3], major[3], normal[3], ratio, from, to;
} ellipse;

void gdyn_dxf_ellipse(gdyn_dxf_reader *r, const gdyn_xml *at) {
    ellipse e = {.normal = {0, 0, 1}};
    for (gdyn_dxf_next(r); r->code > 0 && !r->c->log->failed; gdyn_dxf_next(r)) {
        int axis = r->code % 100 / 10 - 1;
        if (r->code >= 10 && r->code <= 31 && r->code % 10 <= 1)
            (r->code % 10 ? e.major : e.centre)[axis] = gdyn_dxf_number(r) * r->unit;
        else if (r->code == 210 || r->code == 220 || r->code == 230)
            e.normal[axis] = gdyn_dxf_number(r);
        else if (r->code == 40)
            e.ratio = gdyn_dxf_number(r);
        else if (r->code == 41)
            e.from = fmod(gdyn_dxf_number(r), 2 * GDYN_PI);
        else if (r->code == 42)
            e.to = fmod(gdyn_dxf_number(r), 2 * GDYN_PI);
    }
    if (r->c->log->errors > 0 || r->c->log->failed)
        return;
    double across = v3_norm(e.normal) * v3_norm(e.major);
    if (!(e.ratio > 0 && e.ratio <= 1e3 && v3_norm(e.major) > 0 && v3_norm(e.normal) > 0) ||
        fabs(v3_dot(e.normal, e.major)) > 1e-6 * across)
        gdyn_robot_error(
            r->c->log, at, NULL,
            "an ellipse needs a major axis, across its normal, and a ratio above zero");
    else {
        /* From e.from to e.to about the normal, in equal parts of a quarter at most. */
        double minor[3], sweep = fmod(e.to - e.from + 4 * GDYN_PI, 2 * GDYN_PI);
        if (fmod(sweep + WHOLE, 2 * GDYN_PI) < 2 * WHOLE)
            sweep = 2 * GDYN_PI;
        v3_cross(minor, e.normal, e.major);
        v3_scale(minor, e.ratio / v3_norm(e.normal), minor);
        int parts = (int)ceil(sweep / (0.5 * GDYN_PI) - 1e-9);
        for (int i = 0; i < parts && r->c->log->errors == 0; i++) {
            gdyn_bezier curve = {0};
            gdyn_bezier_of_ellipse(&curve, e.centre, e.major, minor, e.from + sweep * i / parts,
                                   sweep / parts);
            gdyn_contour_curve(r->c, at, &curve, 0);
        }
    }
}
