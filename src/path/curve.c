/* curve.c - the table of path kinds, and the ready-made curves x(s) with exact x', x'',
 * parametrized by arc length.
 *
 *   line, polyline  x = P_i + (s - s_i) t_i. A corner is kept: derivatives there are those of the
 *                   piece that begins, x'' = 0 (a machine cannot pass a corner with d1 > 0)
 *   arc, circle     x = c + r (m cos a + k sin a), a = start + sense s / r
 *   spline          x(u(s)): u' = 1 / |x_u|, u'' = -(x_u . x_uu) / |x_u|^4
 * Polylines and splines over given p are left in p. */
#include "path/internal.h"
#include "base/memory.h"
#include "linalg/vec3.h"

#include "base/pi.h"

#include <math.h>
#include <string.h>

/* Share of the length: s computed from p meets corners up to rounding. */
static const double AT_CORNER = 1e-12;

/* Centre, radius and a triad of the plane; angles count about its normal. */
static gdyn_status create_arc(const gdyn_path_def *def, gdyn_curve *curve) {
    bool whole = !gdyn_path_reads(def->kind, GDYN_PATH_READS_END);
    double normal[3], end = whole ? def->start + 2 * GDYN_PI : def->end;
    v3_copy(normal, def->normal);
    gdyn_v3_normalize(normal);
    gdyn_v3_triad(normal, curve->m, curve->k);
    v3_copy(curve->centre, def->centre);
    curve->radius = def->radius, curve->start = def->start;
    curve->sense = end < def->start ? -1 : 1;
    curve->length = fabs(end - def->start) * def->radius;
    return GDYN_OK;
}

/* The parameter at the points: the given p, or the length of the chords so far. */
static gdyn_status create_polyline(const gdyn_path_def *def, gdyn_curve *curve) {
    curve->count = def->count, curve->point = def->through;
    curve->knots_given = def->through_p != NULL;
    curve->at = gdyn_alloc((size_t)def->count, sizeof *curve->at);
    if (!curve->at)
        return GDYN_ERROR_MEMORY;
    for (int i = 1; i < def->count; i++) {
        double d[3];
        v3_sub(d, def->through[i], def->through[i - 1]);
        curve->at[i] = curve->at[i - 1] + v3_norm(d);
    }
    if (def->through_p)
        memcpy(curve->at, def->through_p, (size_t)def->count * sizeof *curve->at);
    curve->length = curve->at[def->count - 1] - curve->at[0];
    return GDYN_OK;
}

/* Knots are the chord lengths, which keeps the spline from looping between uneven points. */
static gdyn_status create_spline(const gdyn_path_def *def, gdyn_curve *curve) {
    gdyn_status status = create_polyline(def, curve);
    if (status != GDYN_OK)
        return status;
    curve->table = gdyn_table_create(&(gdyn_table_def){.count = def->count,
                                                       .columns = 3,
                                                       .knots = curve->at,
                                                       .values = def->through[0],
                                                       .angle = (const bool[3]){false},
                                                       .given = curve->knots_given});
    if (!curve->table)
        return GDYN_ERROR_MEMORY;
    curve->length = gdyn_table_length(curve->table);
    return GDYN_OK;
}

/* x = c + r (m cos a + k sin a), a = a0 + s / r. */
static void arc_jet(const gdyn_curve *curve, double s, double jet[3][3]) {
    double w = curve->sense / curve->radius, a = curve->start + w * s;
    double c = curve->radius * cos(a), n = curve->radius * sin(a);
    for (int i = 0; i < 3; i++) {
        double x = curve->m[i] * c + curve->k[i] * n, y = curve->k[i] * c - curve->m[i] * n;
        jet[i][0] = curve->centre[i] + x;
        jet[i][1] = w * y;
        jet[i][2] = -w * w * x;
    }
}

/* The piece of the polyline, of constant direction. */
static void polyline_jet(const gdyn_curve *curve, double s, double jet[3][3]) {
    int i = 0;
    double slack = AT_CORNER * curve->length; /* s computed from p hits corners up to rounding */
    while (i < curve->count - 2 && s >= curve->at[i + 1] - slack)
        i++;
    double length = curve->at[i + 1] - curve->at[i];
    for (int j = 0; j < 3; j++) {
        double t = (curve->point[i + 1][j] - curve->point[i][j]) / length;
        jet[j][0] = curve->point[i][j] + t * (s - curve->at[i]);
        jet[j][1] = t;
        jet[j][2] = 0;
    }
}

/* The spline over its knots, or by arc length. */
static void spline_jet(const gdyn_curve *curve, double s, double jet[3][3]) {
    double u = curve->knots_given ? s : gdyn_table_at_length(curve->table, s);
    double square = 0, mixed = 0;
    /* the jet over the knots */
    for (int j = 0; j < 3; j++) {
        gdyn_table_jet(curve->table, j, u, jet[j]);
        square += jet[j][1] * jet[j][1], mixed += jet[j][1] * jet[j][2];
    }
    if (curve->knots_given)
        return;
    /* chain rule to the arc length */
    double u1 = 1 / sqrt(square), u2 = -mixed / (square * square);
    for (int j = 0; j < 3; j++) {
        jet[j][2] = jet[j][2] * u1 * u1 + jet[j][1] * u2;
        jet[j][1] *= u1;
    }
}

static const gdyn_curve_method arc = {create_arc, arc_jet};
static const gdyn_curve_method polyline = {create_polyline, polyline_jet};
static const gdyn_curve_method spline = {create_spline, spline_jet};

/* --- the table of path kinds: one row per kind ------------------------------------------------ */

const char *const gdyn_path_kind_names[GDYN_PATH_KINDS + 1] = {
    [GDYN_PATH_FORMULA] = "formula",   [GDYN_PATH_LINE] = "line",
    [GDYN_PATH_ARC] = "arc",           [GDYN_PATH_CIRCLE] = "circle",
    [GDYN_PATH_POLYLINE] = "polyline", [GDYN_PATH_SPLINE] = "spline",
    [GDYN_PATH_FILE] = "file",
};

/* clang-format off */
#define PATH     GDYN_PATH_READS_PATH
#define FROM     GDYN_PATH_READS_FROM
#define TO       GDYN_PATH_READS_TO
#define CENTRE   GDYN_PATH_READS_CENTRE
#define RADIUS   GDYN_PATH_READS_RADIUS
#define START    GDYN_PATH_READS_START
#define END      GDYN_PATH_READS_END
#define NORMAL   GDYN_PATH_READS_NORMAL
#define THROUGH  GDYN_PATH_READS_THROUGH
#define KNOTS    GDYN_PATH_READS_KNOTS
#define CLOSED   GDYN_PATH_READS_CLOSED
#define TABLE    GDYN_PATH_READS_TABLE
#define ROTATION GDYN_PATH_READS_ROTATION
#define BLEND    GDYN_PATH_READS_BLEND

static const gdyn_path_kind_row rows[GDYN_PATH_KINDS] = {
    /*                     what it is, parts that must and may be given, curve, corners */
    [GDYN_PATH_FORMULA]  = {"formulas in p for each prescribed coordinate",
                            0, PATH, NULL, false},
    [GDYN_PATH_LINE]     = {"a straight line",
                            FROM | TO, ROTATION, &polyline, false},
    [GDYN_PATH_ARC]      = {"an arc of a circle",
                            CENTRE | RADIUS | START | END, NORMAL | ROTATION, &arc, false},
    [GDYN_PATH_CIRCLE]   = {"a circle, one turn",
                            CENTRE | RADIUS, START | NORMAL | ROTATION, &arc, false},
    [GDYN_PATH_POLYLINE] = {"straight lines through points; corners are kept",
                            THROUGH, KNOTS | CLOSED | ROTATION, &polyline, true},
    [GDYN_PATH_SPLINE]   = {"a cubic spline through points",
                            THROUGH, KNOTS | CLOSED | ROTATION, &spline, false},
    [GDYN_PATH_FILE]     = {"a table of coordinates and joints, a cubic spline through each column",
                            TABLE, BLEND | ROTATION, NULL, false},
};
/* clang-format on */

const gdyn_path_kind_row *gdyn_path_kind_of(gdyn_path_kind kind) {
    return (unsigned)kind < GDYN_PATH_KINDS ? &rows[kind] : NULL;
}

bool gdyn_path_reads(gdyn_path_kind kind, unsigned parts) {
    return (rows[kind].must | rows[kind].may) & parts;
}

gdyn_path_def gdyn_path_straight(const double (*through)[3]) {
    gdyn_path_def def = gdyn_path_default();
    def.kind = GDYN_PATH_LINE, def.count = def.points = 2, def.through = through;
    return def;
}
