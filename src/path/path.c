/* path.c - a path as target rows with R(p), R'(p), R''(p).
 *
 * Every prescribed coordinate is a row (model/rows.h): ground components of a point, the planar
 * angle of a body, a joint's coordinate. A prescribed orientation Rx(a) Ry(b) Rz(c) is three ORIENT
 * rows: the rows measure log(R_a R_t^T), and their targets are the angular velocity G theta' and
 * acceleration G theta'' + G' theta' of the target frame per p. */
#include "linalg/linalg.h"
#include "mech/row.h"
#include "path/internal.h"
#include "base/memory.h"
#include "linalg/vec3.h"

#include "base/pi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rad, or share of the length of the machine, within which a path returns to its start. */
static const double RETURNS = 1e-9;
/* Sine below which a polyline does not turn at a point. */
static const double STRAIGHT_ON = 1e-9;

gdyn_path_def gdyn_path_default(void) {
    return (gdyn_path_def){
        .name = "", .p_start = 0, .p_end = 1, .points = 101, .normal = {0, 0, 1}};
}

/* p is the arc length of curves without a stated range or knots. */
gdyn_dimension gdyn_path_dimension_of_p(const gdyn_path_def *def) {
    bool formula = gdyn_path_reads(def->kind, GDYN_PATH_READS_PATH);
    if (!formula && !def->p_given && !def->through_p)
        return GDYN_DIM_LENGTH;
    return def->p_dimension.known ? def->p_dimension : GDYN_DIM_NONE;
}

/* Units of p that tables state. */
const char *gdyn_path_unit_of_dimension(gdyn_dimension p) {
    return !p.known                                  ? ""
           : gdyn_dimension_fits(p, GDYN_DIM_LENGTH) ? "m"
           : gdyn_dimension_fits(p, GDYN_DIM_TIME)   ? "s"
                                                     : "";
}

bool gdyn_path_dimension_allowed(gdyn_dimension p) {
    return gdyn_dimension_fits(p, GDYN_DIM_NONE) || *gdyn_path_unit_of_dimension(p);
}

const char *gdyn_path_unit_of_p(const gdyn_path_def *def) {
    return gdyn_path_unit_of_dimension(gdyn_path_dimension_of_p(def));
}

/* --- making ---------------------------------------------------------------------------------- */

/* A copy in the path's arena; NULL for nothing. */
static void *copy_of(gdyn_path *path, const void *from, size_t count, size_t size) {
    if (!from || count == 0)
        return NULL;
    void *to = gdyn_arena_alloc(path->arena, count, size);
    if (to)
        memcpy(to, from, count * size);
    return to;
}

/* The definition with arrays of its own; false: no memory. Formulas stay with the caller. */
static bool copy_definition(gdyn_path *path, const gdyn_path_def *def) {
    gdyn_path_def *own = &path->def;
    /* every array the definition names */
    size_t count = def->count > 0 ? (size_t)def->count : 0;
    *own = *def;
    own->name = gdyn_arena_strdup(path->arena, def->name ? def->name : "");
    own->tool = copy_of(path, def->tool, (size_t)def->tools, sizeof *def->tool);
    own->joint = copy_of(path, def->joint, (size_t)def->joints, sizeof *def->joint);
    own->through = copy_of(path, def->through, count, sizeof *def->through);
    own->through_p = copy_of(path, def->through_p, count, sizeof *def->through_p);
    own->table = copy_of(path, def->table, count, GDYN_PATH_COORDINATES * sizeof *def->table);
    own->scalar = copy_of(path, def->scalar, count, sizeof *def->scalar);
    own->speed = copy_of(path, def->speed, (size_t)def->speeds, sizeof *def->speed);
    own->weights = copy_of(path, def->weights, (size_t)gdyn_model_coordinates(path->model),
                           sizeof *def->weights);
    /* the splines of the table hold the columns */
    for (int i = 0; own->joint && i < def->joints; i++)
        ((gdyn_path_joint *)own->joint)[i].column = ((gdyn_path_joint *)own->joint)[i].rate =
            ((gdyn_path_joint *)own->joint)[i].bend = NULL;
    return own->name && (own->tool || def->tools == 0) && (own->joint || def->joints == 0) &&
           (own->scalar || !def->scalar || count == 0) &&
           (own->through || !def->through || count == 0) &&
           (own->through_p || !def->through_p || count == 0) &&
           (own->table || !def->table || count == 0) && (own->weights || !def->weights) &&
           (own->speed || def->speeds == 0);
}

static gdyn_path_source *new_source(gdyn_path *path, gdyn_source_kind kind) {
    gdyn_path_source *source = &path->source[path->sources++];
    *source = (gdyn_path_source){.kind = kind, .first = path->targets};
    return source;
}

/* One more row of the last source. */
static void add_row(gdyn_path *path, gdyn_row row) {
    path->target[path->targets++].row = row;
    path->source[path->sources - 1].rows++;
}

double gdyn_path_mean_axis(const gdyn_path_def *def, double mean[3]) {
    double least = INFINITY;
    v3_set(mean, 0, 0, 0);
    for (int i = 0; i < def->count; i++)
        v3_add(mean, mean, def->table + i * GDYN_PATH_COORDINATES + GDYN_PATH_A);
    gdyn_v3_normalize(mean);
    for (int i = 0; i < def->count; i++)
        least = fmin(least, v3_dot(mean, def->table + i * GDYN_PATH_COORDINATES + GDYN_PATH_A));
    return least;
}

/* Components of the tool's z axis across the mean direction: its roll is free. */
static void add_axis(gdyn_path *path, const gdyn_path_tool *tool) {
    gdyn_path_source *source = new_source(path, GDYN_SOURCE_AXIS);
    double mean[3], across[2][3], frame[9];
    gdyn_path_mean_axis(&path->def, mean);
    gdyn_rotation_from_cardan(frame, tool->cardan);
    v3_set(across[0], fabs(mean[0]) < 0.6, fabs(mean[0]) >= 0.6, 0);
    v3_cross(across[0], mean, across[0]);
    gdyn_v3_normalize(across[0]);
    v3_cross(across[1], mean, across[0]);
    for (int j = 0; j < 3; j++)
        source->column[j] = GDYN_PATH_A + j;
    for (int j = 0; j < 2; j++) {
        gdyn_row row = {.kind = GDYN_ROW_DOT, .a = tool->of.body, .b = GDYN_GROUND, .turn = -1};
        v3_copy(row.m, frame + 6);
        v3_copy(row.e, across[j]);
        add_row(path, row);
    }
}

/* Rows and sources of one tool: what is asked, or what is chosen beside it. */
static void add_tool(gdyn_path *path, int t, bool chosen) {
    const gdyn_path_tool *tool = &path->def.tool[t];
    bool planar = gdyn_model_space(path->model) == GDYN_PLANAR;
    bool curve = t == 0 && path->curve.method;
    /* curves prescribe the point */
    if (curve && !chosen) {
        new_source(path, GDYN_SOURCE_CURVE);
        for (int i = 0; i < (planar ? 2 : 3); i++)
            add_row(path, gdyn_row_point(path->model, tool->of, i));
    }
    /* then coordinates by formula or column; rotations are three rows together */
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++) {
        const double *table = t == 0 && path->table ? path->def.table : NULL;
        bool column = table && isfinite(table[i]);
        if ((!column && !tool->coordinate[i]) || tool->chosen[i] != chosen)
            continue;
        if (column && i >= GDYN_PATH_A && path->def.points_along) {
            add_axis(path, tool);
            break;
        }
        if (!planar && i >= GDYN_PATH_A) {
            gdyn_path_source *source = new_source(path, GDYN_SOURCE_ROTATION);
            source->tool = t;
            for (int j = 0; j < 3; j++) {
                source->formula[j] = tool->coordinate[GDYN_PATH_A + j];
                source->column[j] = GDYN_PATH_A + j;
                add_row(path, gdyn_row_orientation(path->model, tool->of.body, j));
            }
            break;
        }
        gdyn_path_source *source =
            new_source(path, column ? GDYN_SOURCE_COLUMN : GDYN_SOURCE_FORMULA);
        source->formula[0] = tool->coordinate[i], source->column[0] = i;
        add_row(path, i < GDYN_PATH_A ? gdyn_row_point(path->model, tool->of, i)
                                      : gdyn_row_angle(path->model, tool->of.body));
    }
}

/* Columns of joints follow those of the tool. */
static int joint_columns(const gdyn_path_def *def) {
    int count = 0;
    for (int i = 0; i < def->joints; i++)
        count += def->joint[i].column != NULL;
    return count;
}

/* Without p: rows that repeat the one before are left out, and the table stops there; knots are
 * lengths of the chords of x, y, z or, where none is prescribed, of the joints. */
static void measure_chords(const gdyn_path *path, gdyn_table_def *table, double *knots,
                           double *values, bool *stop) {
    int columns = table->columns, kept = 0;
    bool tool = path->def.table && (isfinite(path->def.table[0]) || isfinite(path->def.table[1]) ||
                                    isfinite(path->def.table[2]));
    double L = gdyn_model_length(path->model);
    size_t bytes = (size_t)columns * sizeof *values;
    for (int i = 1; i < table->count; i++) {
        const double *from = values + (size_t)kept * (size_t)columns;
        const double *to = values + (size_t)i * (size_t)columns;
        double sum = 0;
        int last = columns - (path->def.scalar != NULL);
        for (int c = tool ? 0 : GDYN_PATH_COORDINATES; c < (tool ? 3 : last); c++) {
            double d = (table->angle[c] ? L : 1) * (to[c] - from[c]);
            sum += d * d;
        }
        stop[kept] = stop[kept] || memcmp(from, to, bytes) == 0;
        if (memcmp(from, to, bytes) == 0)
            continue;
        knots[kept + 1] = knots[kept] + sqrt(sum);
        kept++;
        memmove(values + (size_t)kept * (size_t)columns, to, bytes);
    }
    table->count = kept + 1;
}

/* Noise of rows that dominates the accelerations is reported. */
static gdyn_status report_noise(const gdyn_path *path, const gdyn_path_def *given,
                                const gdyn_table_def *table, const gdyn_sink *sink) {
    static const char *const names[] = {"x", "y", "z", "a", "b", "c", "orientation"};
    const double DOMINATES = 0.3;
    gdyn_table_noise noise;
    gdyn_status status = gdyn_table_noise_find(table, &noise);
    if (status != GDYN_OK || noise.share < DOMINATES)
        return status;
    int column = GDYN_PATH_COORDINATES;
    const char *name = names[noise.column < column ? noise.column : column];
    for (int j = 0; j < given->joints; j++)
        if (given->joint[j].column && column++ == noise.column)
            name = gdyn_model_joint(path->model, given->joint[j].joint)->name;
    char place[200];
    const char *unit = table->angle[noise.column] ? "rad" : "m";
    bool time = gdyn_dimension_fits(gdyn_path_dimension_of_p(given), GDYN_DIM_TIME);
    snprintf(place, sizeof place, "trajectories.%s.file", path->def.name);
    gdyn_diag_emit(sink, GDYN_WARNING, place, "smooth the rows, or give more digits or fewer rows",
                   GDYN_CODE_PATH
                   "noise or rounding of single rows of '%s', about %.2g %s, makes "
                   "accelerations of %.2g %s%s (rms), %.0f %% of the largest: forces "
                   "and verdicts follow it",
                   name, noise.sigma, unit, noise.acceleration, unit, time ? "/s^2" : " per p^2",
                   100 * noise.share);
    return GDYN_OK;
}

/* Columns that are not prescribed are zero. Those of joints follow, and the scalar parts. */
static gdyn_status make_table(gdyn_path *path, const gdyn_path_def *given, const gdyn_sink *sink) {
    const gdyn_path_def *def = &path->def;
    enum { K = GDYN_PATH_COORDINATES };
    size_t rows = (size_t)def->count, columns = K + (size_t)joint_columns(given);
    columns += def->scalar != NULL;
    double *values = gdyn_arena_alloc(path->arena, rows * columns, sizeof *values);
    double *rates = gdyn_arena_alloc(path->arena, rows * columns, sizeof *rates);
    double *bends = gdyn_arena_alloc(path->arena, rows * columns, sizeof *bends);
    double *knots = gdyn_arena_alloc(path->arena, rows, sizeof *knots);
    bool *angle = gdyn_arena_alloc(path->arena, columns, sizeof *angle);
    bool *stop = gdyn_arena_alloc(path->arena, rows, sizeof *stop);
    if (!values || !rates || !bends || !knots || !angle || !stop)
        return GDYN_ERROR_MEMORY;
    gdyn_table_def table = {.count = def->count,
                            .columns = (int)columns,
                            .knots = knots,
                            .values = values,
                            .angle = angle,
                            .given = def->through_p != NULL,
                            .stop = stop,
                            .blend = def->blend};
    for (size_t c = 0; c < K; c++) {
        angle[c] = c >= GDYN_PATH_A;
        for (size_t i = 0; i < rows; i++)
            values[i * columns + c] =
                def->table && isfinite(def->table[i * K + c]) ? def->table[i * K + c] : 0;
    }
    size_t c = K;
    for (int j = 0; j < given->joints; j++) {
        const gdyn_path_joint *joint = &given->joint[j];
        bool ok;
        if (!joint->column)
            continue;
        angle[c] = !gdyn_row_joint(path->model, joint->joint, joint->freedom, &ok).length;
        for (size_t i = 0; i < rows; i++) {
            values[i * columns + c] = joint->column[i];
            rates[i * columns + c] = joint->rate ? joint->rate[i] : 0;
            bends[i * columns + c] = joint->bend ? joint->bend[i] : 0;
        }
        table.rates = joint->rate ? rates : table.rates;
        table.bends = joint->bend ? bends : table.bends;
        c++;
    }
    if (def->scalar)
        angle[c] = true;
    for (size_t i = 0; def->scalar && i < rows; i++)
        values[i * columns + c] = def->scalar[i];
    if (def->through_p)
        memcpy(knots, def->through_p, rows * sizeof *knots);
    else
        measure_chords(path, &table, knots, values, stop);
    path->scalar = (int)columns - 1;
    path->table = gdyn_table_create(&table);
    if (!path->def.p_given)
        path->def.p_start = knots[0], path->def.p_end = knots[table.count - 1];
    return path->table ? report_noise(path, given, &table, sink) : GDYN_ERROR_MEMORY;
}

/* Table or curve, and the range of p that it implies. */
static gdyn_status make_curve(gdyn_path *path, const gdyn_path_def *given, const gdyn_sink *sink) {
    gdyn_path_def *def = &path->def;
    if (gdyn_path_reads(def->kind, GDYN_PATH_READS_TABLE))
        return make_table(path, given, sink);
    path->curve.method = gdyn_path_kind_of(def->kind)->curve;
    if (!path->curve.method)
        return GDYN_OK;
    gdyn_status status = path->curve.method->create(def, &path->curve);
    if (status != GDYN_OK || def->p_given)
        return status;
    /* p of the knots, or arc length from zero */
    def->p_start = path->curve.knots_given ? def->through_p[0] : 0;
    def->p_end = path->curve.knots_given ? def->through_p[def->count - 1] : path->curve.length;
    return GDYN_OK;
}

/* A path that returns to its start: every target, rotations included. */
static bool is_closed(const gdyn_path *path, gdyn_target *start, gdyn_target *end) {
    double small = RETURNS * gdyn_model_length(path->model);
    gdyn_path_evaluate(path, path->def.p_start, start);
    gdyn_path_evaluate(path, path->def.p_end, end);
    for (int i = 0; i < path->targets; i++) {
        double d = end[i].target[0] - start[i].target[0];
        if (start[i].row.kind == GDYN_ROW_TURN)
            d = remainder(d, 2 * GDYN_PI);
        double R[9], turn[3] = {0, 0, 0};
        if (start[i].row.kind == GDYN_ROW_ORIENT) {
            gdyn_m3_multiply_tn(R, start[i].row.frame, end[i].row.frame);
            gdyn_rotation_log(R, turn);
        }
        if (fabs(d) > (start[i].row.length ? small : 1e-9) || !(v3_norm(turn) <= RETURNS))
            return false;
    }
    return true;
}

/* --- values ---------------------------------------------------------------------------------- */

/* The curve at p: arc length is a linear function of p. */
static void curve_jets(const gdyn_path *path, double p, double jet[3][3]) {
    const gdyn_path_def *def = &path->def;
    double rate = 1, s = p;
    /* s = (p - p_start) rate */
    if (!path->curve.knots_given) {
        rate = path->curve.length / (def->p_end - def->p_start);
        s = (p - def->p_start) * rate;
    }
    path->curve.method->jet(&path->curve, s, jet);
    for (int i = 0; i < 3; i++) {
        jet[i][1] *= rate;
        jet[i][2] *= rate * rate;
    }
}

/* Components along the rows' directions of k = w / |w|, w the columns:
 *   n = |w|, n' = k w', k' = (w' - n' k) / n, k'' = (w'' - 2 n' k' - n'' k) / n, k k'' = -k'^2 */
static void axis_jets(const gdyn_path *path, const gdyn_path_source *source, double p,
                      double jet[3][3]) {
    double w[3][3], k[3][3];
    for (int i = 0; i < 3; i++) {
        gdyn_table_jet(path->table, source->column[i], p, jet[i]);
        for (int order = 0; order < 3; order++)
            w[order][i] = jet[i][order];
    }
    double n = v3_norm(w[0]), rate;
    v3_scale(k[0], 1 / n, w[0]);
    rate = v3_dot(k[0], w[1]);
    v3_axpy(k[1], w[1], -rate, k[0]);
    v3_scale(k[1], 1 / n, k[1]);
    v3_axpy(k[2], w[2], -2 * rate, k[1]);
    v3_axpy(k[2], k[2], -v3_dot(k[0], k[2]) - n * v3_dot(k[1], k[1]), k[0]);
    v3_scale(k[2], 1 / n, k[2]);
    for (int j = 0; j < 2; j++)
        for (int order = 0; order < 3; order++)
            jet[j][order] = v3_dot(path->target[source->first + j].row.e, k[order]);
}

/* Of the coordinates of a source, Cardan angles for a rotation; returns their number. */
int gdyn_path_source_jets(const gdyn_path *path, const gdyn_path_source *source, double p,
                          double jet[3][3]) {
    if (source->kind == GDYN_SOURCE_CURVE)
        curve_jets(path, p, jet);
    if (source->kind == GDYN_SOURCE_AXIS)
        axis_jets(path, source, p, jet);
    for (int j = 0;
         j < source->rows && source->kind != GDYN_SOURCE_CURVE && source->kind != GDYN_SOURCE_AXIS;
         j++)
        if (source->formula[j])
            gdyn_expr_jet(source->formula[j], &p, 0, jet[j]);
        else
            gdyn_table_jet(path->table, source->column[j], p, jet[j]);
    return source->rows;
}

/* The same from a quaternion (s, v) of any size, n = s^2 + v v:
 *   w = 2 (s v' - s' v + v x v') / n,   e = 2 (s v'' - s'' v + v x v'') / n - w n' / n */
static void quaternion_motion(double jet[3][3], const double s[3], double R[9], double w[3],
                              double e[3]) {
    double v[3][3], cross[2][3], n = s[0] * s[0], rate = 2 * s[0] * s[1];
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            v[k][j] = jet[j][k];
    n += v3_dot(v[0], v[0]);
    rate += 2 * v3_dot(v[0], v[1]);
    v3_cross(cross[0], v[0], v[1]);
    v3_cross(cross[1], v[0], v[2]);
    for (int j = 0; j < 3; j++) {
        w[j] = 2 * (s[0] * v[1][j] - s[1] * v[0][j] + cross[0][j]) / n;
        e[j] = 2 * (s[0] * v[2][j] - s[2] * v[0][j] + cross[1][j]) / n - w[j] * rate / n;
    }
    double half = v3_norm(v[0]), angle = 2 * atan2(half, s[0]);
    v3_scale(v[0], half > 0 ? angle / half : 0, v[0]);
    gdyn_rotation_exp(R, v[0]);
}

static void rotation_targets(const gdyn_path *path, const gdyn_path_source *source, double p,
                             double jet[3][3], gdyn_target *target) {
    double R[9], w[3], e[3], scalar[3];
    bool columns = !source->formula[0] && path->def.scalar;
    /* scalar parts are the table's last column */
    if (columns)
        gdyn_table_jet(path->table, path->scalar, p, scalar);
    if (columns)
        quaternion_motion(jet, scalar, R, w, e);
    else {
        /* rotation, angular velocity and acceleration from three Cardan angles over p */
        double a[3], rate[3], acceleration[3], G[9], Gdot[9], f[3];
        for (int j = 0; j < 3; j++) {
            a[j] = jet[j][0];
            rate[j] = jet[j][1];
            acceleration[j] = jet[j][2];
        }
        /* w = G a', e = G a'' + G' a' */
        gdyn_rotation_from_cardan(R, a);
        gdyn_cardan_rates(a, G);
        gdyn_cardan_rates_dot(a, rate, Gdot);
        m3_apply(w, G, rate), m3_apply(e, G, acceleration), m3_apply(f, Gdot, rate);
        v3_add(e, e, f);
    }
    /* the body's: R of the tool's frame, turned back by that frame in the body */
    double tool[9], body[9];
    gdyn_rotation_from_cardan(tool, path->def.tool[source->tool].cardan);
    for (int j = 0; j < 9; j++)
        body[j] = R[j % 3] * tool[j / 3] + R[j % 3 + 3] * tool[j / 3 + 3] +
                  R[j % 3 + 6] * tool[j / 3 + 6];
    bool turned = v3_norm(path->def.tool[source->tool].cardan) > 0;
    for (int j = 0; j < 3; j++) {
        memcpy(target[j].row.frame, turned ? body : R, sizeof R);
        target[j].target[0] = 0, target[j].target[1] = w[j], target[j].target[2] = e[j];
    }
}

/* Numbers that are kept of a target at a point; of so many targets at most, in 8 MiB. */
enum { KNOWN = 12, KNOWN_MOST = (1 << 20) / KNOWN };

/* Targets with their derivatives over p, source by source. */
void gdyn_path_evaluate(const gdyn_path *path, double p, gdyn_target *targets) {
    /* what is kept of the point of the path at exactly p; NULL: there is none */
    const gdyn_path_def *def = &path->def;
    const double *known = NULL;
    double at = (p - def->p_start) / (def->p_end - def->p_start) * (def->points - 1);
    if (path->known && at >= 0 && at <= def->points - 1) {
        int i = (int)(at + 0.5);
        if (gdyn_path_p(path, i) == p)
            known = path->known + (size_t)(KNOWN * path->targets) * (size_t)i;
    }
    memcpy(targets, path->target, (size_t)path->targets * sizeof *targets);
    for (int k = 0; known && k < path->targets; k++) {
        memcpy(targets[k].target, known + KNOWN * k, sizeof targets[k].target);
        memcpy(targets[k].row.frame, known + KNOWN * k + 3, sizeof targets[k].row.frame);
    }
    for (int i = 0; !known && i < path->sources; i++) {
        const gdyn_path_source *source = &path->source[i];
        gdyn_target *target = targets + source->first;
        double jet[3][3];
        int rows = gdyn_path_source_jets(path, source, p, jet);
        if (source->kind == GDYN_SOURCE_ROTATION)
            rotation_targets(path, source, p, jet, target);
        for (int j = 0; j < rows && source->kind != GDYN_SOURCE_ROTATION; j++)
            memcpy(target[j].target, jet[j], sizeof jet[j]);
    }
}

/* Reports where R, R' or R'' is not a number (formulas beside a curve: only once its length is
 * known), or where nothing prescribed changes with p. Keeps what it evaluates. */
static gdyn_status check_values(gdyn_path *path, gdyn_target *targets, const gdyn_sink *sink) {
    char place[200];
    bool moves = false;
    size_t all = (size_t)path->points * (size_t)path->targets;
    double *known = NULL;
    if (!path->at && all <= KNOWN_MOST &&
        !(known = gdyn_arena_room(path->arena, KNOWN * all, sizeof *known)))
        return GDYN_ERROR_MEMORY;
    snprintf(place, sizeof place, "trajectories.%s", path->def.name);
    for (int i = 0; i < path->points; i++) {
        double p = gdyn_path_p(path, i);
        gdyn_path_evaluate(path, p, targets);
        for (int k = 0; k < path->targets; k++) {
            const double *value = targets[k].target;
            if (!isfinite(value[0]) || !isfinite(value[1]) || !isfinite(value[2]) ||
                !gdyn_all_finite(9, 1, targets[k].row.frame, 9)) {
                gdyn_diag_emit(sink, GDYN_ERROR, place, NULL,
                               GDYN_CODE_VALUE
                               "a coordinate or one of its derivatives is not finite at p = %.6g",
                               p);
                return GDYN_ERROR_INPUT;
            }
            moves = moves || value[1] != 0 || value[2] != 0;
            if (known) {
                double *to = known + KNOWN * ((size_t)i * (size_t)path->targets + (size_t)k);
                memcpy(to, value, sizeof targets[k].target);
                memcpy(to + 3, targets[k].row.frame, sizeof targets[k].row.frame);
            }
        }
    }
    path->known = known;
    if (moves)
        return GDYN_OK;
    gdyn_diag_emit(sink, GDYN_ERROR, place,
                   path->table ? "all rows of the table are equal; give rows that differ"
                               : "write at least one coordinate as a formula in p",
                   GDYN_CODE_PATH "the path does not move: nothing it prescribes changes with p");
    return GDYN_ERROR_INPUT;
}

/* Sources and targets of the path; errors that only values show. */
static gdyn_status build(gdyn_path *path, const gdyn_path_def *def, const gdyn_sink *sink) {
    size_t most = (size_t)(GDYN_PATH_COORDINATES * def->tools + def->joints);
    most += def->hold ? (size_t)gdyn_model_drives(path->model) : 0;
    if (!copy_definition(path, def))
        return GDYN_ERROR_MEMORY;
    path->source = gdyn_arena_alloc(path->arena, most, sizeof *path->source);
    path->target = gdyn_arena_alloc(path->arena, most, sizeof *path->target);
    gdyn_target *start = gdyn_arena_alloc(path->arena, most, sizeof *start);
    gdyn_target *end = gdyn_arena_alloc(path->arena, most, sizeof *end);
    if (def->at)
        path->at = gdyn_arena_doubles(path->arena, (size_t)def->points);
    if (!path->source || !path->target || !start || !end || (def->at && !path->at))
        return GDYN_ERROR_MEMORY;
    /* the curve first: it gives the range of p */
    gdyn_status status = make_curve(path, def, sink);
    if (status != GDYN_OK)
        return status;
    /* what is asked comes first */
    int column = GDYN_PATH_COORDINATES;
    for (int chosen = 0; chosen < 2; chosen++) {
        for (int t = 0; t < def->tools; t++)
            add_tool(path, t, chosen);
        for (int i = 0; i < def->joints; i++)
            if (def->joint[i].chosen == chosen) {
                const gdyn_path_joint *joint = &def->joint[i];
                bool ok, table = joint->column != NULL;
                gdyn_path_source *source =
                    new_source(path, table ? GDYN_SOURCE_COLUMN : GDYN_SOURCE_FORMULA);
                source->formula[0] = joint->value;
                source->column[0] = table ? column++ : 0;
                source->joint = table ? joint : NULL;
                add_row(path, gdyn_row_joint(path->model, joint->joint, joint->freedom, &ok));
            }
        path->asked = chosen ? path->asked : path->targets;
    }
    if ((status = gdyn_path_settle(path, sink)) != GDYN_OK)
        return status;
    path->points = path->def.points;
    if (path->def.at && path->at)
        memcpy(path->at, path->def.at, (size_t)path->points * sizeof *path->at);
    else if (path->def.tolerance > 0)
        status = gdyn_path_show_bends(path);
    /* closed paths may be run periodically */
    if (status == GDYN_OK)
        status = check_values(path, start, sink);
    if (status == GDYN_OK)
        path->closed = is_closed(path, start, end);
    return status;
}

/* Checked, then built. */
gdyn_status gdyn_path_create(const gdyn_model *model, const gdyn_path_def *def,
                             const gdyn_sink *sink, gdyn_path **out) {
    *out = NULL;
    if (gdyn_path_check(model, def, sink) > 0)
        return GDYN_ERROR_INPUT;
    gdyn_path *path = gdyn_alloc(1, sizeof *path);
    if (!path)
        return GDYN_ERROR_MEMORY;
    path->model = model;
    path->arena = gdyn_arena_create();
    gdyn_status status = path->arena ? build(path, def, sink) : GDYN_ERROR_MEMORY;
    if (status != GDYN_OK) {
        gdyn_path_destroy(path);
        return status;
    }
    *out = path;
    return GDYN_OK;
}

/* Safe on a partly made path. */
void gdyn_path_destroy(gdyn_path *path) {
    if (!path)
        return;
    for (int i = 0; i < path->sources; i++)
        if (path->source[i].held)
            gdyn_expr_destroy((gdyn_expr *)path->source[i].formula[0]);
    gdyn_table_destroy(path->curve.table), gdyn_free(path->curve.at);
    gdyn_table_destroy(path->table);
    gdyn_arena_destroy(path->arena);
    gdyn_free(path);
}

/* --- asking ---------------------------------------------------------------------------------- */

/* Stretches end just before `to`, so that what begins there holds from there on. */
void gdyn_path_speed_at(const gdyn_path *path, double p, double *min, double *max) {
    const gdyn_path_def *def = &path->def;
    *min = *max = 0;
    for (int i = 0; i < def->speeds; i++) {
        const gdyn_path_speed *own = &def->speed[i];
        bool inside = p >= own->from && (p < own->to || own->to >= def->p_end);
        if (inside && own->min > *min)
            *min = own->min;
        if (inside && own->max > 0 && (*max == 0 || own->max < *max))
            *max = own->max;
    }
}

const gdyn_path_def *gdyn_path_definition(const gdyn_path *path) {
    return &path->def;
}

int gdyn_path_points(const gdyn_path *path) {
    return path->points;
}

bool gdyn_path_hides(const gdyn_path *path) {
    return path->hides;
}

/* Equidistant, or in the list; the ends exact. */
double gdyn_path_p(const gdyn_path *path, int i) {
    const gdyn_path_def *def = &path->def;
    if (i >= path->points - 1)
        return def->p_end;
    if (path->at)
        return path->at[i];
    return def->p_start + (def->p_end - def->p_start) * i / (def->points - 1);
}

bool gdyn_path_closed(const gdyn_path *path) {
    return path->closed;
}

int gdyn_path_targets(const gdyn_path *path) {
    return path->targets;
}

int gdyn_path_asked(const gdyn_path *path) {
    return path->asked;
}

/* The direction changes at point i. */
bool gdyn_path_turns(const gdyn_path_def *def, int i) {
    double a[3], b[3], cross[3];
    v3_sub(a, def->through[i], def->through[i - 1]);
    v3_sub(b, def->through[i + 1], def->through[i]);
    v3_cross(cross, a, b);
    return v3_norm(cross) > STRAIGHT_ON * v3_norm(a) * v3_norm(b) || v3_dot(a, b) < 0;
}

/* Corners of polylines only. */
int gdyn_path_corners(const gdyn_path *path) {
    int corners = 0;
    bool kept = gdyn_path_kind_of(path->def.kind)->corners;
    for (int i = 1; kept && i + 1 < path->def.count; i++)
        corners += gdyn_path_turns(&path->def, i);
    return corners;
}

/* p of a corner, in their order. */
double gdyn_path_corner(const gdyn_path *path, int number) {
    const gdyn_path_def *def = &path->def;
    const gdyn_curve *curve = &path->curve;
    for (int i = 1; i + 1 < def->count; i++)
        if (gdyn_path_turns(def, i) && number-- == 0) {
            if (curve->knots_given)
                return curve->at[i];
            return def->p_start + curve->at[i] * (def->p_end - def->p_start) / curve->length;
        }
    return NAN;
}

/* p of the i-th point of the path's table or curve, at which R(p) is not smooth. */
static double break_at(const gdyn_path *path, int i) {
    const gdyn_path_def *def = &path->def;
    const gdyn_curve *curve = &path->curve;
    /* knots of the table, of the curve, or by arc length */
    if (path->table)
        return gdyn_table_knot(path->table, i, false);
    if (curve->table && curve->knots_given)
        return gdyn_table_knot(curve->table, i, false);
    if (curve->knots_given)
        return curve->at[i];
    double s = curve->table ? gdyn_table_knot(curve->table, i, true) : curve->at[i];
    return def->p_start + s * (def->p_end - def->p_start) / curve->length;
}

/* Number of places at which R(p) is not smooth, ends included; 0: formulas and arcs. */
static int path_breaks(const gdyn_path *path) {
    const gdyn_table *table = path->table ? path->table : path->curve.table;
    return table ? gdyn_table_knots(table) : path->curve.at ? path->def.count : 0;
}

/* Places nearer to each other than this are one. */
static double break_slack(const gdyn_path *path) {
    return 1e-11 * (path->def.p_end - path->def.p_start);
}

/* First break whose p is not below the given one. */
static int first_break(const gdyn_path *path, double p) {
    int low = 0, high = path_breaks(path);
    /* bisection: breaks ascend */
    while (low < high) {
        int middle = (low + high) / 2;
        if (break_at(path, middle) < p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The next place at which a derivative of R jumps, or `to`. */
double gdyn_path_next_break(const gdyn_path *path, double p, double to) {
    double slack = break_slack(path);
    int i = to > p ? first_break(path, p + slack) : first_break(path, p - slack) - 1;
    if (i < 0 || i >= path_breaks(path))
        return to;
    double at = break_at(path, i);
    bool between = to > p ? at < to - slack : at > to + slack;
    return between ? at : to;
}

/* Just before a break, where `to` is one. */
double gdyn_path_before(const gdyn_path *path, double from, double to) {
    double slack = break_slack(path);
    int i = first_break(path, to - slack);
    bool there = to > from && i < path_breaks(path) && break_at(path, i) <= to + slack;
    return there ? to - 2 * slack : to;
}

/* Greatest misses of lengths and angles at a pose. */
gdyn_status gdyn_path_deviations(const gdyn_path *path, double p, const gdyn_state *state,
                                 double miss[2]) {
    int count = gdyn_path_targets(path);
    gdyn_target *target = gdyn_alloc((size_t)count + 1, sizeof *target);
    miss[0] = miss[1] = NAN;
    if (!target)
        return GDYN_ERROR_MEMORY;
    gdyn_path_evaluate(path, p, target);
    for (int i = 0; i < count; i++) {
        double *worst = &miss[target[i].row.length ? 0 : 1];
        *worst = fmax(*worst, fabs(gdyn_row_value(state, &target[i].row) - target[i].target[0]));
    }
    gdyn_free(target);
    return GDYN_OK;
}
