/* contour.c - pieces, corners, the table. */
#include "import/contour.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MOST = 100000, FIRST_ROWS = 65, MOST_ROWS = 65537, HALVINGS_MOST = 12 };
static const double FARTHEST = 1e5;         /* of any point, and of centres and radii [m] */
static const double SHORTEST = 1e-6;        /* of a path [m] */
static const double SMOOTH = 1e-9;          /* jump of the direction [rad] that is none */
static const double CORNER = GDYN_PI / 180; /* what turns by no more is a smooth joint [rad] */
static const double SPLINE_OFF = 1e-7;      /* of the spline from the path that is aimed at [m] */
static const double LENGTH_OFF = 1e-11;     /* of the length of a curve, over the length */
static const double STANDSTILL = 1e-6;      /* of a curve: its speed over its length */

/* --- pieces ----------------------------------------------------------------------------------- */

const gdyn_xml *gdyn_contour_place(gdyn_contour *c, int line, const char *word) {
    gdyn_xml *at = gdyn_arena_alloc(c->log->arena, 1, sizeof *at);
    if (!at)
        c->log->failed = true;
    else
        *at = (gdyn_xml){.name = word, .source = c->source, .line = line, .column = 1};
    return at;
}

static void add_piece(gdyn_contour *c, const gdyn_contour_piece *piece) {
    if (piece->length < 1e-12 || !piece->at)
        return;
    double farthest = piece->length +
                      (piece->curve ? v3_norm(piece->curve->point[0])
                                    : v3_norm(piece->centre) +
                                          piece->radius * (v3_norm(piece->u) + v3_norm(piece->v)));
    /* NaN of a direction, too */
    if (!(farthest < FARTHEST)) {
        gdyn_robot_error(c->log, piece->at, NULL, "the path leaves a ball of %g m", FARTHEST);
        return;
    }
    if (c->count >= PIECES_MOST) {
        if (c->count++ == PIECES_MOST)
            gdyn_robot_error(c->log, piece->at, NULL, "more than %d pieces", PIECES_MOST);
        return;
    }
    if (!gdyn_reserve(&c->piece, &c->capacity, c->count + 1, sizeof *c->piece)) {
        c->log->failed = true;
        return;
    }
    c->piece[c->count++] = *piece;
}

void gdyn_contour_line(gdyn_contour *c, const gdyn_xml *at, const double from[3],
                       const double to[3]) {
    gdyn_contour_piece piece = {.at = at};
    v3_copy(piece.centre, from);
    v3_sub(piece.rise, to, from);
    piece.length = v3_norm(piece.rise);
    add_piece(c, &piece);
}

void gdyn_contour_arc(gdyn_contour *c, const gdyn_contour_piece *arc) {
    gdyn_contour_piece piece = *arc;
    piece.length = hypot(piece.radius * piece.sweep, v3_norm(piece.rise));
    add_piece(c, &piece);
}

void gdyn_contour_curve(gdyn_contour *c, const gdyn_xml *at, const gdyn_bezier *curve,
                        int halvings) {
    gdyn_bezier *copy = gdyn_arena_alloc(c->log->arena, 1, sizeof *copy), first, second;
    double error, slowest;
    if (!copy || !at) {
        c->log->failed = true;
        return;
    }
    *copy = *curve;
    gdyn_bezier_measure(copy, &error, &slowest);
    gdyn_contour_piece piece = {.at = at, .curve = copy, .length = copy->at[GDYN_BEZIER_STEPS]};
    if (piece.length >= 1e-12 && slowest < STANDSTILL) {
        gdyn_robot_error(c->log, at, "draw it with other points",
                         "the curve has a cusp, or points that coincide");
    } else if (error > LENGTH_OFF * piece.length && halvings < HALVINGS_MOST) {
        gdyn_bezier_split(copy, &first, &second);
        gdyn_contour_curve(c, at, &first, halvings + 1);
        if (c->log->errors == 0)
            gdyn_contour_curve(c, at, &second, halvings + 1);
    } else {
        add_piece(c, &piece);
    }
}

void gdyn_piece_jet(const gdyn_contour_piece *p, double s, double x[3], double t[3], double k[3]) {
    if (p->curve) {
        gdyn_bezier_jet(p->curve, p->backwards ? p->length - s : s, x, t, k);
        if (p->backwards)
            v3_scale(t, -1, t);
        return;
    }
    double w = p->sweep / p->length, a = w * s, c = p->radius * cos(a), n = p->radius * sin(a);
    for (int i = 0; i < 3; i++) {
        double out = p->u[i] * c + p->v[i] * n;
        x[i] = p->centre[i] + out + p->rise[i] * s / p->length;
        t[i] = w * (p->v[i] * c - p->u[i] * n) + p->rise[i] / p->length;
        k[i] = -w * w * out;
    }
}

void gdyn_piece_reverse(gdyn_contour_piece *p) {
    p->backwards = !p->backwards;
    if (p->curve)
        return;
    double c = cos(p->sweep), n = sin(p->sweep);
    for (int i = 0; i < 3; i++) {
        double u = p->u[i], v = p->v[i];
        p->centre[i] += p->rise[i];
        p->rise[i] = -p->rise[i];
        /* the end's direction, and the one that turns the other way */
        p->u[i] = u * c + v * n;
        p->v[i] = v * c - u * n;
    }
    p->sweep = -p->sweep;
}

/* --- corners ---------------------------------------------------------------------------------- */

/* A part of the path: of a piece from s0 on. */
typedef struct part {
    const gdyn_contour_piece *piece;
    double s0, length;
} part;

typedef struct smooth_path {
    int count;
    part *part;
    double *start; /* of each part, and the end */
    bool closed, smooth;
} smooth_path;

/* How the direction and the curvature jump between two pieces; the turn in rad. */
static double jump_between(const gdyn_contour_piece *a, const gdyn_contour_piece *b, double *bend) {
    double x[3], t[3], k[3], y[3], r[3], q[3], cross[3], dk[3];
    gdyn_piece_jet(a, a->length, x, t, k);
    gdyn_piece_jet(b, 0, y, r, q);
    v3_cross(cross, t, r);
    v3_sub(dk, k, q);
    *bend = v3_norm(dk);
    return atan2(v3_norm(cross), v3_dot(t, r));
}

typedef struct rounding {
    int corners, joints; /* that turn by more than CORNER; that do not, where the curvature jumps */
    double most, least;  /* largest distance of a corner from the path; smallest blend [m] */
    const gdyn_xml *at;
} rounding;

/* The piece that rounds the corner between two pieces of the path, taking `cut` from both: Hermite's
 * quintic between the two jets by length, its parameter running with the speed v at both ends.
 * NULL: memory is out. */
static const gdyn_contour_piece *round_corner(gdyn_contour *c, const gdyn_contour_piece *a,
                                              const gdyn_contour_piece *b, double cut,
                                              rounding *r) {
    double from[3][3], to[3][3], corner[3], t[3], k[3], x[3], d[3], v = 2 * cut, error, slowest;
    gdyn_contour_piece *blend = gdyn_arena_alloc(c->log->arena, 1, sizeof *blend);
    gdyn_bezier *curve = gdyn_arena_alloc(c->log->arena, 1, sizeof *curve);
    if (!blend || !curve)
        return NULL;
    gdyn_piece_jet(a, a->length - cut, from[0], from[1], from[2]);
    gdyn_piece_jet(b, cut, to[0], to[1], to[2]);
    for (int i = 1; i < 3; i++) {
        v3_scale(from[i], i == 1 ? v : v * v, from[i]);
        v3_scale(to[i], i == 1 ? v : v * v, to[i]);
    }
    gdyn_bezier_of_jets(curve, from, to);
    gdyn_bezier_measure(curve, &error, &slowest);
    *blend = (gdyn_contour_piece){.curve = curve, .length = curve->at[GDYN_BEZIER_STEPS]};
    double bend, turn = jump_between(a, b, &bend);
    r->least = r->corners + r->joints == 0 ? cut : fmin(r->least, cut);
    *(turn > CORNER ? &r->corners : &r->joints) += 1;
    gdyn_piece_jet(b, 0, corner, t, k);
    gdyn_bezier_derivatives(curve, 0.5, x, t, k);
    v3_sub(d, x, corner);
    if (v3_norm(d) > r->most) {
        r->most = v3_norm(d);
        r->at = b->at;
    }
    return blend;
}

/* The distance that a corner takes from both pieces; 0: there is none. */
static double cut_of(gdyn_contour *c, const gdyn_contour_piece *a, const gdyn_contour_piece *b,
                     double blend) {
    double bend, turn = jump_between(a, b, &bend);
    double cut = fmin(blend, 0.45 * fmin(a->length, b->length));
    if (turn < SMOOTH && bend * cut < SMOOTH)
        return 0;
    if (turn > 3.13)
        gdyn_robot_error(c->log, b->at, "end one path here and begin another",
                         "the path turns back: it cannot be rounded");
    return cut;
}

static gdyn_status make_path(gdyn_contour *c, double blend, smooth_path *out, rounding *r) {
    double taken = 0;
    out->part = gdyn_alloc(2 * (size_t)c->count, sizeof *out->part);
    out->start = gdyn_alloc(2 * (size_t)c->count + 1, sizeof *out->start);
    if (!out->part || !out->start)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < c->count; i++) {
        const gdyn_contour_piece *a = &c->piece[i], *b = i + 1 < c->count ? a + 1 : NULL;
        double cut = b ? cut_of(c, a, b, blend) : 0;
        part *p = &out->part[out->count++];
        *p = (part){.piece = a, .s0 = taken, .length = a->length - taken - cut};
        if (cut > 0) {
            const gdyn_contour_piece *round = round_corner(c, a, b, cut, r);
            if (!round)
                return GDYN_ERROR_MEMORY;
            out->part[out->count++] = (part){.piece = round, .length = round->length};
        }
        taken = cut;
    }
    for (int i = 0; i < out->count; i++)
        out->start[i + 1] = out->start[i] + out->part[i].length;
    return c->log->errors ? GDYN_ERROR_INPUT : GDYN_OK;
}

/* --- the table -------------------------------------------------------------------------------- */

/* *from: the part found last; s does not fall. */
static void point_at(const smooth_path *path, double s, int *from, double x[3]) {
    double t[3], k[3];
    while (*from + 1 < path->count && s > path->start[*from + 1])
        (*from)++;
    const part *p = &path->part[*from];
    double inside = fmin(fmax(s - path->start[*from], 0), p->length);
    gdyn_piece_jet(p->piece, p->s0 + inside, x, t, k);
}

/* Second derivatives (times h^2) of the natural spline through n values at equal steps. */
static void natural_spline(int n, const double *x, double *m, double *work) {
    m[0] = m[n - 1] = work[0] = 0;
    double before = 0;
    for (int i = 1; i < n - 1; i++) {
        double pivot = 4 - work[i - 1];
        work[i] = 1 / pivot;
        before = (6 * (x[3 * (i + 1)] - 2 * x[3 * i] + x[3 * (i - 1)]) - before) / pivot;
        m[i] = before;
    }
    for (int i = n - 2; i > 0; i--)
        m[i] -= work[i] * m[i + 1];
}

/* Largest distance of the spline through the rows from the path, in the middles between them; <
 * 0: memory is out. */
static double spline_off(const smooth_path *path, int n, const double *x) {
    double *m = gdyn_alloc(3 * (size_t)n, sizeof *m), *work = gdyn_alloc((size_t)n, sizeof *work);
    double most = m && work ? 0 : -1, length = path->start[path->count];
    int from = 0;
    for (int k = 0; most >= 0 && k < 3; k++)
        natural_spline(n, x + k, m + k * n, work);
    for (int i = 0; most >= 0 && i + 1 < n; i++) {
        double y[3], off = 0;
        point_at(path, length * (i + 0.5) / (n - 1), &from, y);
        for (int k = 0; k < 3; k++) {
            double middle =
                0.5 * (x[3 * i + k] + x[3 * i + 3 + k]) - (m[k * n + i] + m[k * n + i + 1]) / 16;
            off = hypot(off, middle - y[k]);
        }
        most = fmax(most, off);
    }
    gdyn_free(m);
    gdyn_free(work);
    return most;
}

/* More and more rows until a spline through them is the path. */
static double *take_rows(const smooth_path *path, int *rows, double *off) {
    for (int n = FIRST_ROWS;; n = 2 * n - 1) {
        double *x = gdyn_alloc(3 * (size_t)n, sizeof *x);
        int from = 0;
        if (!x)
            return NULL;
        for (int i = 0; i < n; i++)
            point_at(path, path->start[path->count] * i / (n - 1), &from, x + 3 * i);
        *off = spline_off(path, n, x);
        *rows = n;
        if (*off < SPLINE_OFF || n >= MOST_ROWS)
            return x;
        gdyn_free(x);
    }
}

/* A closed path is a periodic spline where it passes its start smoothly; where it does not, it
 * must not look closed. */
static void close_seam(const gdyn_contour *c, smooth_path *path) {
    const gdyn_contour_piece *first = &c->piece[0], *last = &c->piece[c->count - 1];
    double x[3], y[3], t[3], k[3], bend;
    gdyn_piece_jet(first, 0, x, t, k);
    gdyn_piece_jet(last, last->length, y, t, k);
    v3_sub(y, y, x);
    path->closed = v3_norm(y) < 1e-9;
    path->smooth =
        path->closed && jump_between(last, first, &bend) < SMOOTH && bend < SMOOTH / last->length;
    if (path->closed && !path->smooth) {
        path->part[path->count - 1].length -= 1e-8;
        path->start[path->count] -= 1e-8;
    }
}

/* Corners, and apart from them where pieces join smoothly but for their curvature. */
static void remark_rounded(gdyn_contour *c, const rounding *r) {
    char corners[80] = "", joints[120] = "";
    if (r->corners > 0)
        snprintf(corners, sizeof corners, "%d corner%s%s", r->corners, gdyn_plural(r->corners),
                 r->joints > 0 ? " and " : "");
    if (r->joints > 0)
        snprintf(joints, sizeof joints, "%d smooth joint%s (turning by at most %g deg)", r->joints,
                 gdyn_plural(r->joints), CORNER * 180 / GDYN_PI);
    if (r->corners + r->joints > 0)
        gdyn_robot_remark_at(c->log, "rounded", r->at,
                             "%s%s, from %.4g mm or more before them on (--blend); the path "
                             "passes one by %.3g mm at most",
                             corners, joints, 1e3 * r->least, 1e3 * r->most);
}

static gdyn_status write_path(gdyn_contour *c, smooth_path *path, const rounding *r, bool planar,
                              gdyn_text *out) {
    int rows;
    if (path->start[path->count] < SHORTEST) {
        gdyn_robot_error(c->log, c->piece[0].at, NULL, "the path is shorter than %g m", SHORTEST);
        return GDYN_ERROR_INPUT;
    }
    close_seam(c, path);
    double off, *x = take_rows(path, &rows, &off);
    if (!x || off < 0) {
        gdyn_free(x);
        return GDYN_ERROR_MEMORY;
    }
    remark_rounded(c, r);
    gdyn_robot_remark_at(c->log, "length", NULL,
                         "%.6g mm; a spline through the %d rows misses the path by %.2g mm at most",
                         1e3 * path->start[path->count], rows, 1e3 * off);
    if (path->smooth)
        memcpy(x + 3 * (rows - 1), x, 3 * sizeof *x);
    else if (path->closed)
        gdyn_robot_remark_at(
            c->log, "assumed", NULL,
            "the path ends where it begins, with a corner: it is run from rest to rest");
    const char *slash = strrchr(c->source->name, '/');
    gdyn_text_printf(out, "# Made by globdyn import from %s (%s): a path of kind `file`.\n",
                     gdyn_robot_shown(c->log, slash ? slash + 1 : c->source->name), c->format);
    gdyn_robot_write_remarks(c->log, "# ", out);
    gdyn_text_printf(out, planar ? "p [mm],x [mm],y [mm]\n" : "p [mm],x [mm],y [mm],z [mm]\n");
    for (int i = 0; i < rows; i++) {
        double p = path->start[path->count] * i / (rows - 1);
        gdyn_text_printf(out, "%s", gdyn_rounded_digits(1e3 * p, 12).text);
        for (int k = 0; k < (planar ? 2 : 3); k++)
            gdyn_text_printf(
                out, ",%s",
                gdyn_rounded_digits(fabs(x[3 * i + k]) < 1e-15 ? 0 : 1e3 * x[3 * i + k], 12).text);
        gdyn_text_printf(out, "\n");
    }
    gdyn_free(x);
    return out->failed || c->log->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_contour_write(gdyn_contour *c, double blend, bool planar, gdyn_text *out) {
    smooth_path path = {0};
    rounding r = {0};
    gdyn_xml file = {.name = "", .source = c->source, .line = 1, .column = 1};
    if (c->log->errors == 0 && c->count == 0)
        gdyn_robot_error(c->log, &file, NULL, "there is no motion");
    if (c->log->errors)
        return GDYN_ERROR_INPUT;
    if (planar) {
        /* Whether all of the path lies in a plane of constant z, which is left out. */
        double low = INFINITY, high = -INFINITY, x[3], t[3], k[3];
        for (int i = 0; i < c->count; i++)
            for (int place = 0; place <= 8; place++) {
                gdyn_piece_jet(&c->piece[i], place / 8.0 * c->piece[i].length, x, t, k);
                low = fmin(low, x[2]);
                high = fmax(high, x[2]);
            }
        if (low != 0 || high != 0)
            gdyn_robot_remark_at(c->log, "dropped", NULL, "z, from %.6g to %.6g mm", 1e3 * low,
                                 1e3 * high);
    }
    gdyn_status status = make_path(c, blend, &path, &r);
    if (status == GDYN_OK)
        status = write_path(c, &path, &r, planar, out);
    gdyn_free(path.part);
    gdyn_free(path.start);
    return status;
}
