/* dxf.c - LINE, ARC, CIRCLE, LWPOLYLINE and the curves of dxf_curves.c of the section ENTITIES
 * of a DXF file (text), joined end to end to contours.
 *
 * What a viewer does not show of the model is left out: entities of paper space, invisible ones,
 * and those of layers that are off or frozen. A file is a list of pairs, a number that tells
 * what the next line is. Lengths are in the unit of $INSUNITS. The bulge b of a vertex is the
 * tangent of a quarter of the angle of the arc to the next one, positive counterclockwise. */
#include "import/contour.h"

#include "base/pi.h"
#include "expr/code.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const double NEAR = 1e-6; /* ends that are joined [m] */

static const gdyn_xml *here(gdyn_dxf_reader *r) {
    return gdyn_contour_place(r->c, r->line < r->c->source->lines ? r->line : r->c->source->lines,
                              "");
}

/* A line without blanks around it; "" when there is none. */
static const char *line_of(gdyn_dxf_reader *r, int number) {
    const char *line = gdyn_document_line(r->c->source, number, r->c->log->arena);
    if (!line)
        return "";
    while (*line == ' ' || *line == '\t')
        line++;
    size_t n = strlen(line);
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t' || line[n - 1] == '\r'))
        n--;
    const char *text = gdyn_arena_strndup(r->c->log->arena, line, n);
    return text ? text : "";
}

void gdyn_dxf_next(gdyn_dxf_reader *r) {
    double code;
    if (r->code < 0 || r->line + 2 > r->c->source->lines) {
        r->code = -1;
        return;
    }
    const char *text = line_of(r, r->line + 1);
    int n = gdyn_scan_number(text, &code);
    r->line += 2;
    if (n == 0 || text[n] || code != floor(code) || code > 2000) {
        if (*text)
            gdyn_robot_error(r->c->log, gdyn_contour_place(r->c, r->line - 1, ""), NULL,
                             "expected the number of a group, got '%s'",
                             gdyn_robot_shown(r->c->log, text));
        r->code = -1;
        return;
    }
    r->code = (int)code;
    r->text = line_of(r, r->line);
}

double gdyn_dxf_number(gdyn_dxf_reader *r) {
    double value;
    int n = gdyn_scan_signed(r->text, &value);
    if (n > 0 && !r->text[n])
        return value;
    return gdyn_robot_error(r->c->log, here(r), NULL, "expected a number, got '%s'",
                            gdyn_robot_shown(r->c->log, r->text));
}

static bool is(const gdyn_dxf_reader *r, int code, const char *text) {
    return r->code == code && !strcmp(r->text, text);
}

/* --- entities --------------------------------------------------------------------------------- */

typedef struct entity {
    double p[3], q[3]; /* groups 10 20 30, 11 21 31 [m] */
    double radius, from, to, normal, height;
    bool closed;
} entity;

static void take_pair(gdyn_dxf_reader *r, entity *e) {
    int axis = r->code / 10 - 1;
    if (r->code % 10 <= 1 && axis >= 0 && axis < 3 && r->code >= 10)
        (r->code % 10 ? e->q : e->p)[axis] = gdyn_dxf_number(r) * r->unit;
    else if (r->code == 40)
        e->radius = gdyn_dxf_number(r) * r->unit;
    else if (r->code == 50)
        e->from = fmod(gdyn_dxf_number(r), 360) * GDYN_PI / 180;
    else if (r->code == 51)
        e->to = fmod(gdyn_dxf_number(r), 360) * GDYN_PI / 180;
    else if (r->code == 70)
        e->closed = ((int)fmin(fmax(gdyn_dxf_number(r), 0), 1e6) & 1) != 0;
    else if (r->code == 38)
        e->height = gdyn_dxf_number(r) * r->unit;
    else if (r->code == 230)
        e->normal = gdyn_dxf_number(r);
}

static void add_round(gdyn_contour *c, const gdyn_xml *at, const double centre[3], double radius,
                      double from, double sweep) {
    gdyn_contour_piece piece = {.at = at, .radius = radius, .sweep = sweep};
    v3_copy(piece.centre, centre);
    v3_set(piece.u, cos(from), sin(from), 0);
    v3_set(piece.v, -sin(from), cos(from), 0);
    gdyn_contour_arc(c, &piece);
}

/* From one vertex to the next. */
static void add_bulge(gdyn_contour *c, const gdyn_xml *at, const double from[3], const double to[3],
                      double bulge) {
    double d[3], centre[3];
    v3_sub(d, to, from);
    double chord = v3_norm(d), angle = 4 * atan(bulge);
    if (fabs(bulge) < 1e-12 || chord < 1e-12) {
        gdyn_contour_line(c, at, from, to);
        return;
    }
    /* the centre lies left of the chord by chord / 2 * cot(angle / 2) */
    double left = 0.5 * (1 - bulge * bulge) / (2 * bulge);
    v3_set(centre, 0.5 * (from[0] + to[0]) - left * d[1], 0.5 * (from[1] + to[1]) + left * d[0],
           from[2]);
    double radius = hypot(from[0] - centre[0], from[1] - centre[1]);
    add_round(c, at, centre, radius, atan2(from[1] - centre[1], from[0] - centre[0]), angle);
}

static bool check_normal(gdyn_dxf_reader *r, const gdyn_xml *at, double normal) {
    return normal >= 0.999999 ||
           gdyn_robot_error(r->c->log, at, NULL,
                            "only entities in the x-y plane, seen from z, are read");
}

/* Vertices come as pairs 10, 20 with a 42 behind them. */
static void read_polyline(gdyn_dxf_reader *r, const gdyn_xml *at) {
    entity e = {.normal = 1};
    double first[3] = {0, 0, 0}, last[3] = {0, 0, 0}, now[3] = {0, 0, 0}, bulge = 0;
    int count = 0;
    for (gdyn_dxf_next(r); r->code > 0; gdyn_dxf_next(r)) {
        if (r->code == 10) {
            now[0] = gdyn_dxf_number(r) * r->unit;
        } else if (r->code == 20) {
            now[1] = gdyn_dxf_number(r) * r->unit;
            now[2] = e.height;
            if (count++ > 0)
                add_bulge(r->c, at, last, now, bulge);
            else
                v3_copy(first, now);
            v3_copy(last, now);
            bulge = 0;
        } else if (r->code == 42) {
            bulge = gdyn_dxf_number(r);
        } else {
            take_pair(r, &e);
        }
    }
    if (e.closed && count > 1)
        add_bulge(r->c, at, last, first, bulge);
    check_normal(r, at, e.normal);
}

static void read_simple(gdyn_dxf_reader *r, const gdyn_xml *at, const char *type) {
    entity e = {.normal = 1};
    for (gdyn_dxf_next(r); r->code > 0; gdyn_dxf_next(r))
        take_pair(r, &e);
    if (!strcmp(type, "LINE")) {
        gdyn_contour_line(r->c, at, e.p, e.q);
        return;
    }
    if (!(e.radius > 0))
        gdyn_robot_error(r->c->log, at, NULL, "the radius must be positive");
    if (!(e.radius > 0) || !check_normal(r, at, e.normal))
        return;
    if (!strcmp(type, "CIRCLE"))
        e.from = e.to = 0;
    double sweep = fmod(e.to - e.from + 4 * GDYN_PI, 2 * GDYN_PI);
    add_round(r->c, at, e.p, e.radius, e.from, sweep > 0 ? sweep : 2 * GDYN_PI);
}

/* --- what is seen ----------------------------------------------------------------------------- */

/* The reader stands at the name of the table's entry, and afterwards at the next one: bit 1 of
 * group 70 means frozen, a negative colour (62) off. */
static void read_layer(gdyn_dxf_reader *r) {
    gdyn_dxf_layer *layer = gdyn_arena_alloc(r->c->log->arena, 1, sizeof *layer);
    bool hidden = false;
    for (gdyn_dxf_next(r); r->code > 0; gdyn_dxf_next(r))
        if (r->code == 2 && layer)
            layer->name = r->text;
        else if (r->code == 70)
            hidden = hidden || ((int)fmin(fmax(gdyn_dxf_number(r), 0), 1e6) & 1) != 0;
        else if (r->code == 62)
            hidden = hidden || gdyn_dxf_number(r) < 0;
    if (layer && layer->name && hidden) {
        layer->next = r->hidden;
        r->hidden = layer;
    }
}

/* The layer among those that are hidden; NULL: it is not. Case does not count. */
static const gdyn_dxf_layer *find_hidden(const gdyn_dxf_reader *r, const char *name) {
    const gdyn_dxf_layer *layer = r->hidden;
    while (layer && strcasecmp(layer->name, name) != 0)
        layer = layer->next;
    return layer;
}

/* Whether the entity that begins here is part of the drawing's model, and visible. Its groups
 * are looked through and read again. */
static bool is_seen(gdyn_dxf_reader *r, const gdyn_xml *at) {
    gdyn_dxf_reader ahead = *r;
    gdyn_robot *log = r->c->log;
    const char *layer = "0", *why = NULL;
    int errors = log->errors;
    for (gdyn_dxf_next(&ahead); ahead.code > 0; gdyn_dxf_next(&ahead))
        if (ahead.code == 8)
            layer = ahead.text;
        else if (ahead.code == 67 && gdyn_dxf_number(&ahead) == 1)
            why = "an entity of paper space";
        else if (ahead.code == 60 && gdyn_dxf_number(&ahead) == 1)
            why = "an invisible entity";
    if (log->errors > errors)
        ahead.code = -1; /* once is enough */
    else if (why)
        gdyn_robot_remark_at(log, "dropped", at, "%s", why);
    else if (find_hidden(r, layer))
        gdyn_robot_remark_at(log, "dropped", at,
                             "an entity of the layer %s, which is off or frozen",
                             gdyn_robot_shown(log, layer));
    else
        return true;
    *r = ahead;
    return false;
}

/* The reader stands at the name of an entity, and afterwards at the next one. */
static void read_entity(gdyn_dxf_reader *r) {
    const char *type = r->text;
    const gdyn_xml *at = here(r);
    if (!at)
        r->code = -1;
    if (!at || !is_seen(r, at))
        return;
    if (!strcmp(type, "LWPOLYLINE")) {
        read_polyline(r, at);
    } else if (!strcmp(type, "LINE") || !strcmp(type, "ARC") || !strcmp(type, "CIRCLE")) {
        read_simple(r, at, type);
    } else if (!strcmp(type, "SPLINE")) {
        gdyn_dxf_spline(r, at);
    } else if (!strcmp(type, "ELLIPSE")) {
        gdyn_dxf_ellipse(r, at);
    } else {
        gdyn_robot_remark_at(r->c->log, "dropped", at, "entity %s",
                             gdyn_robot_shown(r->c->log, type));
        for (gdyn_dxf_next(r); r->code > 0;)
            gdyn_dxf_next(r);
    }
}

static void read_unit(gdyn_dxf_reader *r) {
    /* none, inch, foot, mile, mm, cm, m, km, microinch, mil, yard, angstrom, nm, um, dm, dam, hm */
    static const double units[] = {0.001, 0.0254, 0.3048,  1609.344, 0.001,  0.01,
                                   1,     1000,   2.54e-8, 2.54e-5,  0.9144, 1e-10,
                                   1e-9,  1e-6,   0.1,     10,       100};
    gdyn_dxf_next(r);
    double code = r->code == 70 ? gdyn_dxf_number(r) : 0;
    if (code == 0)
        gdyn_robot_remark_at(r->c->log, "assumed", here(r),
                             "lengths are millimetres: $INSUNITS gives no unit");
    else if (code >= 1 && code < (double)(sizeof units / sizeof *units) && code == floor(code))
        r->unit = units[(int)code];
    else
        gdyn_robot_error(r->c->log, here(r), "save it in millimetres (4) or another unit up to 16",
                         "$INSUNITS is %g, which is no known unit", code);
}

static void read_sections(gdyn_dxf_reader *r) {
    bool stated = false, entities = false, section = false;
    for (gdyn_dxf_next(r); r->code >= 0 && !r->c->log->failed;) {
        if (is(r, 9, "$INSUNITS")) {
            stated = true;
            read_unit(r);
        } else if (is(r, 0, "LAYER")) {
            read_layer(r);
            continue;
        } else if (section && is(r, 2, "ENTITIES")) {
            entities = true;
            if (!stated)
                gdyn_robot_remark_at(r->c->log, "assumed", NULL,
                                     "lengths are millimetres: there is no $INSUNITS");
            for (gdyn_dxf_next(r); r->code >= 0 && !is(r, 0, "ENDSEC");)
                if (r->code == 0)
                    read_entity(r);
                else
                    gdyn_dxf_next(r);
            if (r->code < 0 && r->c->log->errors == 0)
                gdyn_robot_error(r->c->log, here(r), "save it again",
                                 "the file ends within its section ENTITIES");
        }
        section = is(r, 0, "SECTION");
        gdyn_dxf_next(r);
    }
    if (!entities)
        gdyn_robot_error(r->c->log, gdyn_contour_place(r->c, 1, ""), "save it as text (ASCII)",
                         "this is not a DXF file with a section ENTITIES");
}

/* --- contours --------------------------------------------------------------------------------- */

static double gap(const gdyn_contour_piece *a, bool end_of_a, const gdyn_contour_piece *b,
                  bool end_of_b) {
    double x[3], y[3], t[3], k[3];
    gdyn_piece_jet(a, end_of_a ? a->length : 0, x, t, k);
    gdyn_piece_jet(b, end_of_b ? b->length : 0, y, t, k);
    v3_sub(x, x, y);
    return v3_norm(x);
}

/* Brings a piece that touches the end of piece `last` behind it, or one that touches the start of
 * piece `first` before it: the pieces between move up. False: there is none. */
static bool bring(gdyn_contour *c, int first, int last, bool behind) {
    for (int i = last + 1; i < c->count; i++) {
        const gdyn_contour_piece *at = &c->piece[behind ? last : first];
        bool as_drawn = gap(at, behind, &c->piece[i], !behind) < NEAR;
        if (!as_drawn && gap(at, behind, &c->piece[i], behind) >= NEAR)
            continue;
        gdyn_contour_piece found = c->piece[i], *to = &c->piece[behind ? last + 1 : first];
        if (!as_drawn)
            gdyn_piece_reverse(&found);
        if (behind)
            c->piece[i] = *to;
        else
            memmove(to + 1, to, (size_t)(i - first) * sizeof found);
        *to = found;
        return true;
    }
    return false;
}

/* Orders the pieces into contours and keeps the one of that number, from 1. */
static void choose(gdyn_contour *c, int wanted) {
    enum { JOINED_MOST = 5000 };
    int contours = 0, kept = 0, kept_count = 0;
    if (c->count > JOINED_MOST) {
        gdyn_robot_error(c->log, c->piece[0].at, NULL,
                         "more than %d lines, arcs and pieces of curves", JOINED_MOST);
        return;
    }
    for (int first = 0; first < c->count;) {
        int last = first;
        for (int behind = 1; behind >= 0; behind--)
            while (gap(&c->piece[first], false, &c->piece[last], true) >= NEAR &&
                   bring(c, first, last, behind))
                last++;
        if (++contours == wanted) {
            kept = first;
            kept_count = last - first + 1;
        }
        first = last + 1;
    }
    if (kept_count == 0 && c->count > 0)
        gdyn_robot_error(c->log, c->piece[0].at, NULL, "there %s only %d contour%s",
                         contours == 1 ? "is" : "are", contours, gdyn_plural(contours));
    else if (contours > 1)
        gdyn_robot_remark_at(c->log, "dropped", NULL,
                             "all of %d contours but number %d (--contour)", contours, wanted);
    if (kept > 0)
        memmove(c->piece, c->piece + kept, (size_t)kept_count * sizeof *c->piece);
    c->count = kept_count;
}

void gdyn_dxf_read(gdyn_contour *c, int wanted) {
    gdyn_dxf_reader r = {.c = c, .unit = 0.001};
    c->format = "DXF";
    read_sections(&r);
    if (c->log->errors == 0 && !c->log->failed)
        choose(c, wanted);
}
