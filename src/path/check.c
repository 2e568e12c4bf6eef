/* check.c - what can be wrong with a path's definition, said in the user's terms. */
#include "path/internal.h"
#include "linalg/vec3.h"
#include "model/rows.h"

#include <math.h>
#include <stdio.h>

enum { POINTS_MOST = 1000000 };
/* Rounding of closed poses leaves less than this share of most criteria. */
static const double LEAST_TOLERANCE = 1e-7;

/* Ranges of p, of tables, between numbers that are more than so many times as large: the smallest
 * steps, 1e-12 of the range, would vanish in them. */
static const double FARTHEST = 4e3;

/* Cosine of the angle from its mean within which an axis is given by two components. */
static const double WITHIN_MEAN = 0.2588;

static const char *const coordinate_name[GDYN_PATH_COORDINATES] = {"x", "y", "z", "a", "b", "c"};

typedef struct checker {
    const gdyn_model *model;
    const gdyn_path_def *def;
    const gdyn_sink *sink;
    bool planar;
    int errors;
} checker;

/* Emits an error at "trajectories.NAME.key". */
#define COMPLAIN(c, key, help, ...)                                                                \
    do {                                                                                           \
        char path_text[200];                                                                       \
        gdyn_diag_emit((c)->sink, GDYN_ERROR, place(c, key, path_text, sizeof path_text), help,    \
                       __VA_ARGS__);                                                               \
        (c)->errors++;                                                                             \
    } while (0)

/* Where in the case, for messages. */
static const char *place(const checker *c, const char *key, char *text, size_t size) {
    snprintf(text, size, "trajectories.%s%s%s", c->def->name ? c->def->name : "", *key ? "." : "",
             key);
    return text;
}

static bool reads(const checker *c, unsigned parts) {
    return gdyn_path_reads(c->def->kind, parts);
}

static bool finite3(const double x[3]) {
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* Points, range of p, weights. */
static void check_range(checker *c) {
    const gdyn_path_def *def = c->def;
    if (def->points < 2)
        COMPLAIN(c, "points", NULL, GDYN_CODE_PATH "a path needs at least 2 points, not %d",
                 def->points);
    if (def->points > POINTS_MOST)
        COMPLAIN(c, "points", "a few hundred show every detail of a region",
                 GDYN_CODE_LIMIT "%d points are more than the %d a path may have", def->points,
                 POINTS_MOST);
    if (!(def->tolerance >= 0 && def->tolerance < 1) ||
        (def->tolerance > 0 && def->tolerance < LEAST_TOLERANCE))
        COMPLAIN(c, "tolerance", "1e-3 is a thousandth of each criterion",
                 GDYN_CODE_PATH "a tolerance lies between %g and 1, not at %g", LEAST_TOLERANCE,
                 def->tolerance);
    bool used = def->p_given || reads(c, GDYN_PATH_READS_PATH);
    if (used && !(isfinite(def->p_start) && isfinite(def->p_end) && def->p_end > def->p_start))
        COMPLAIN(c, "p", "give the start, then a larger end", GDYN_CODE_PATH "p runs from %g to %g",
                 def->p_start, def->p_end);
    else if (used && def->count > 0 &&
             fmax(fabs(def->p_start), fabs(def->p_end)) > FARTHEST * (def->p_end - def->p_start))
        COMPLAIN(c, "p", "count p from the start of the path",
                 GDYN_CODE_PATH "p runs from %.12g to %.12g: so far from zero the steps of the "
                                "computation are lost to rounding",
                 def->p_start, def->p_end);
    int n = gdyn_model_coordinates(c->model);
    for (int i = 0; def->weights && i < n; i++)
        if (!(def->weights[i] > 0 && isfinite(def->weights[i]))) {
            COMPLAIN(c, "weights", NULL, GDYN_CODE_PATH "weights must be positive and finite");
            break;
        }
}

/* First p of the path at which the formula is not a number; false when there is none. */
static bool undefined_somewhere(const checker *c, const gdyn_expr *formula, double *where) {
    const gdyn_path_def *def = c->def;
    if (!(def->p_end > def->p_start) || def->points < 2)
        return false;
    /* value and both derivatives at every point */
    for (int i = 0; i < def->points && i < POINTS_MOST; i++) {
        double jet[3];
        *where = def->p_start + (def->p_end - def->p_start) * i / (def->points - 1);
        gdyn_expr_jet(formula, where, 0, jet);
        if (!finite3(jet))
            return true;
    }
    return false;
}

/* A formula that fails within the range is reported with its place. */
static void check_formula(checker *c, const char *key, const gdyn_expr *formula) {
    double where;
    if (undefined_somewhere(c, formula, &where))
        COMPLAIN(c, key, NULL,
                 GDYN_CODE_VALUE "the formula or one of its derivatives is not finite at p = %.6g",
                 where);
}

/* The coordinates of one tool: allowed in this space, and complete. */
static void check_coordinates(checker *c, int t) {
    const gdyn_path_tool *tool = &c->def->tool[t];
    bool curve = t == 0 && !reads(c, GDYN_PATH_READS_PATH);
    int angles = 0, count = 0;
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++) {
        if (!tool->coordinate[i])
            continue;
        char key[32];
        snprintf(key, sizeof key,
                 i < GDYN_PATH_A ? "path.%s"
                 : c->planar     ? "path.angle"
                                 : "path.cardan",
                 coordinate_name[i]);
        count++;
        angles += i >= GDYN_PATH_A;
        /* what the space has, what the curve prescribes, what the formula yields */
        if (c->planar && i >= GDYN_PATH_Z && i <= GDYN_PATH_B)
            COMPLAIN(c, key, NULL, GDYN_CODE_PATH "a planar machine moves in x, y and angle only");
        else if (curve && i <= GDYN_PATH_Z)
            COMPLAIN(c, key, "leave the coordinate out, or give formulas for all",
                     GDYN_CODE_PATH "the curve prescribes %s already", coordinate_name[i]);
        else
            check_formula(c, key, tool->coordinate[i]);
    }
    if (!c->planar && angles != 0 && angles != 3)
        COMPLAIN(c, "path.cardan", NULL,
                 GDYN_CODE_PATH "an orientation needs all three angles, not %d", angles);
    if (!curve && count == 0)
        COMPLAIN(c, "path", "give a formula for x, y, z or an angle",
                 GDYN_CODE_PATH "nothing is prescribed for this tool");
}

/* Something has to move, and each tool has to belong to a body. */
static void check_tools(checker *c) {
    const gdyn_path_def *def = c->def;
    bool table = reads(c, GDYN_PATH_READS_TABLE) && def->joints > 0;
    if (!reads(c, GDYN_PATH_READS_PATH) && !table && def->tools < 1)
        COMPLAIN(c, "of", "name the point that moves, as body.point",
                 GDYN_CODE_PATH "the curve moves no point");
    if (def->tools <= 0 && def->joints <= 0)
        COMPLAIN(c, "", "give 'of' with 'path' or 'kind', or 'joints'",
                 GDYN_CODE_PATH "the path moves nothing");
    for (int t = 0; t < def->tools; t++) {
        int body = def->tool[t].of.body;
        if (body == GDYN_GROUND)
            COMPLAIN(c, "of", NULL, GDYN_CODE_PATH "a point of the ground cannot follow a path");
        else if (body < 0 || body >= gdyn_model_bodies(c->model) || !finite3(def->tool[t].of.at))
            COMPLAIN(c, "of", NULL,
                     GDYN_CODE_PATH "the path's point belongs to no body of the machine");
        else
            check_coordinates(c, t);
    }
}

static void check_joints(checker *c) {
    const gdyn_path_def *def = c->def;
    for (int i = 0; i < def->joints; i++) {
        const gdyn_path_joint *joint = &def->joint[i];
        if (joint->joint < 0 || joint->joint >= gdyn_model_joints(c->model) ||
            (!joint->value && !joint->column)) {
            COMPLAIN(c, "joints", NULL,
                     GDYN_CODE_PATH
                     "there is no joint number %d, or it has neither formula nor column",
                     joint->joint);
            continue;
        }
        bool ok;
        char key[100];
        const char *name = gdyn_model_joint(c->model, joint->joint)->name;
        snprintf(key, sizeof key, "joints.%s", name);
        /* the freedom must be one of the joint's */
        gdyn_row_joint(c->model, joint->joint, joint->freedom, &ok);
        if (!ok)
            COMPLAIN(c, key, "name the freedom when the joint has several",
                     GDYN_CODE_FREEDOM "joint '%s' has no such freedom to prescribe", name);
        else if (joint->value)
            check_formula(c, key, joint->value);
        else {
            /* a column of numbers, in a table */
            bool finite = reads(c, GDYN_PATH_READS_TABLE);
            for (int j = 0; finite && j < c->def->count; j++)
                finite = isfinite(joint->column[j]) && (!joint->rate || isfinite(joint->rate[j])) &&
                         (!joint->bend || isfinite(joint->bend[j]));
            if (!finite)
                COMPLAIN(c, key, NULL,
                         GDYN_CODE_PATH "a column of a table has a number in every row");
        }
    }
}

/* Circles and arcs: centre, radius, plane, angles. */
static void check_arc(checker *c) {
    const gdyn_path_def *def = c->def;
    if (!finite3(def->centre) || (c->planar && def->centre[2] != 0))
        COMPLAIN(c, "centre", NULL, GDYN_CODE_PATH "the centre must be %s",
                 c->planar ? "[x, y]" : "finite");
    if (!(def->radius > 0) || !isfinite(def->radius))
        COMPLAIN(c, "radius", NULL, GDYN_CODE_PATH "the radius must be positive, not %g",
                 def->radius);
    if (!finite3(def->normal) || !(v3_norm(def->normal) > 0))
        COMPLAIN(c, "normal", NULL,
                 GDYN_CODE_PATH "the normal of the circle's plane has no direction");
    else if (c->planar && (def->normal[0] != 0 || def->normal[1] != 0))
        COMPLAIN(c, "normal", NULL, GDYN_CODE_PATH "a planar machine's circles lie in its plane");
    bool ends = reads(c, GDYN_PATH_READS_END);
    if (!isfinite(def->start) || (ends && !isfinite(def->end)))
        COMPLAIN(c, "start", NULL, GDYN_CODE_PATH "the angles of the arc must be finite");
    else if (ends && def->start == def->end)
        COMPLAIN(c, "end", NULL, GDYN_CODE_PATH "the arc has no length: it ends where it starts");
}

/* p of the points has to increase, and cover the range. */
static void check_knots(checker *c) {
    const gdyn_path_def *def = c->def;
    for (int i = 0; def->through_p && i < def->count; i++)
        if (!isfinite(def->through_p[i]) ||
            (i > 0 && !(def->through_p[i] > def->through_p[i - 1]))) {
            COMPLAIN(c, "p", NULL,
                     GDYN_CODE_PATH "p must increase from point to point; at point %d it does not",
                     i + 1);
            return;
        }
    if (def->through_p && def->p_given &&
        (def->p_start < def->through_p[0] || def->p_end > def->through_p[def->count - 1]))
        COMPLAIN(c, "p", NULL, GDYN_CODE_PATH "p runs outside the table, %g to %g",
                 def->through_p[0], def->through_p[def->count - 1]);
}

/* Points of lines, polylines and splines. */
static void check_through(checker *c) {
    const gdyn_path_def *def = c->def;
    bool pair = reads(c, GDYN_PATH_READS_FROM);
    if (def->count < 2 || !def->through || (pair && def->count != 2)) {
        COMPLAIN(c, "through", NULL, GDYN_CODE_PATH "%s, not %d",
                 pair ? "a line needs 2 points" : "at least 2 points", def->count);
        return;
    }
    /* finite, in the plane, apart from each other */
    for (int i = 0; i < def->count; i++) {
        double d[3] = {1, 0, 0};
        if (i > 0)
            v3_sub(d, def->through[i], def->through[i - 1]);
        if (!finite3(def->through[i]) || (c->planar && def->through[i][2] != 0))
            COMPLAIN(c, "through", NULL, GDYN_CODE_PATH "point %d must be %s", i + 1,
                     c->planar ? "[x, y]" : "finite");
        else if (finite3(d) && !(v3_norm(d) > 0) && !def->through_p)
            COMPLAIN(c, "through", "remove one of them", GDYN_CODE_PATH "points %d and %d coincide",
                     i, i + 1);
    }
    check_knots(c);
}

/* A column is prescribed (all numbers) or free (all NaN). Returns true when it is prescribed. */
static bool check_column(checker *c, int column) {
    const gdyn_path_def *def = c->def;
    int numbers = 0;
    for (int i = 0; def->table && i < def->count; i++)
        numbers += isfinite(def->table[column + GDYN_PATH_COORDINATES * i]);
    if (numbers != 0 && numbers != def->count)
        COMPLAIN(c, "file", "fill the column or leave it out",
                 GDYN_CODE_PATH "column '%s' has numbers in %d of %d rows", coordinate_name[column],
                 numbers, def->count);
    else if (numbers && c->planar && column >= GDYN_PATH_Z && column <= GDYN_PATH_B)
        COMPLAIN(c, "file", NULL, GDYN_CODE_PATH "column '%s' has no meaning for a planar machine",
                 coordinate_name[column]);
    return numbers == def->count;
}

/* Without a column p, rows that differ need a distance. */
static void check_chords(checker *c, const int given[GDYN_PATH_COORDINATES], int joints) {
    const gdyn_path_def *def = c->def;
    bool tool = given[GDYN_PATH_X] || given[GDYN_PATH_Y] || given[GDYN_PATH_Z], moved = false;
    for (int i = 1; !def->through_p && i < def->count; i++) {
        bool moves = false, differs = false;
        for (int j = 0; j < GDYN_PATH_COORDINATES; j++) {
            const double *y = given[j] ? def->table + j + GDYN_PATH_COORDINATES * i : NULL;
            bool changes = y && y[0] != y[-GDYN_PATH_COORDINATES];
            moves |= changes && j <= GDYN_PATH_Z;
            differs |= changes;
        }
        for (int j = 0; joints > 0 && j < def->joints; j++) {
            const double *y = def->joint[j].column;
            bool changes = y && y[i] != y[i - 1];
            moves |= changes && !tool;
            differs |= changes;
        }
        moved |= moves;
        if ((differs && !moves) || (i + 1 == def->count && !moved)) {
            COMPLAIN(c, "file", "give a column p",
                     GDYN_CODE_PATH "rows %d and %d are the same place", i, i + 1);
            break;
        }
    }
}

/* Columns of a table: complete, allowed, and enough. */
static void check_table(checker *c) {
    const gdyn_path_def *def = c->def;
    int given[GDYN_PATH_COORDINATES], all = 0, joints = 0;
    for (int j = 0; j < def->joints; j++)
        joints += def->joint[j].column != NULL;
    if (def->count < 2 || (!def->table && joints == 0)) {
        COMPLAIN(c, "file", NULL, GDYN_CODE_PATH "the table needs at least 2 rows, not %d",
                 def->count);
        return;
    }
    /* what the table prescribes */
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++)
        all += given[i] = check_column(c, i);
    int angles = given[GDYN_PATH_A] + given[GDYN_PATH_B] + given[GDYN_PATH_C];
    if (all + joints == 0)
        COMPLAIN(c, "file", NULL, GDYN_CODE_PATH "the table prescribes nothing");
    if (all > 0 && def->tools < 1)
        COMPLAIN(c, "of", "name the point that moves, as body.point",
                 GDYN_CODE_PATH "the columns of the tool move no point");
    if (!(def->blend >= 0 && isfinite(def->blend)))
        COMPLAIN(c, "blend", NULL, GDYN_CODE_PATH "the width of blends is negative");
    if (!c->planar && angles != 0 && angles != 3)
        COMPLAIN(c, "file", NULL, GDYN_CODE_PATH "an orientation needs all three angles, not %d",
                 angles);
    double mean[3];
    if (def->points_along && !(gdyn_path_mean_axis(def, mean) > WITHIN_MEAN))
        COMPLAIN(c, "file", "give the roll, too: a column c, or quaternions",
                 GDYN_CODE_PATH "the axis turns by more than 75 degrees from its mean direction");
    for (int i = 0; i < GDYN_PATH_COORDINATES && def->tools > 0; i++)
        if (def->tool[0].coordinate[i] && (given[i] || i <= GDYN_PATH_Z))
            COMPLAIN(c, "path", NULL, GDYN_CODE_PATH "the table prescribes '%s' already",
                     coordinate_name[i]);
    check_chords(c, given, joints);
    check_knots(c);
}

/* Where the path turns sharply the machine must stop: the region of a corner is that of the piece
 * that begins there, and no region says that d1 = 0 at the corner itself. */
static void warn_of_corners(const checker *c) {
    const gdyn_path_def *def = c->def;
    int corners = 0;
    for (int i = 1; i + 1 < def->count; i++)
        corners += gdyn_path_turns(def, i);
    char text[200];
    if (corners > 0)
        gdyn_diag_emit(
            c->sink, GDYN_WARNING, place(c, "through", text, sizeof text),
            "a spline has no corners; or analyse the pieces one by one",
            GDYN_CODE_CORNER
            "the machine must stop at %d corner%s of this polyline (traverse does); regions do not "
            "show it",
            corners, corners > 1 ? "s" : "");
}

/* A path is a curve of poses; a prescribed motion that runs with time would move them. */
static void warn_of_motions(const checker *c) {
    for (int i = 0; i < gdyn_model_motions(c->model); i++) {
        const gdyn_motion_def *def = gdyn_model_motion(c->model, i);
        /* constant displacements are poses */
        if (!def->displacement || gdyn_expr_is_constant(def->displacement))
            continue;
        char text[200];
        snprintf(text, sizeof text, "machine.motions.%s", def->name);
        gdyn_diag_emit(c->sink, GDYN_WARNING, text, NULL,
                       GDYN_CODE_CORNER
                       "along trajectory '%s' the motion '%s' is held at its displacement at t = 0",
                       c->def->name ? c->def->name : "", def->name);
    }
}

/* All complaints of a definition; their number. */
int gdyn_path_check(const gdyn_model *model, const gdyn_path_def *def, const gdyn_sink *sink) {
    checker c = {model, def, sink, gdyn_model_space(model) == GDYN_PLANAR, 0};
    if (!gdyn_path_kind_of(def->kind)) {
        COMPLAIN(&c, "kind", NULL, GDYN_CODE_PATH "there is no path kind number %d",
                 (int)def->kind);
        return c.errors;
    }
    check_range(&c);
    check_tools(&c);
    check_joints(&c);
    /* what the kind reads, and only that */
    if (reads(&c, GDYN_PATH_READS_RADIUS))
        check_arc(&c);
    if (reads(&c, GDYN_PATH_READS_FROM | GDYN_PATH_READS_THROUGH))
        check_through(&c);
    if (reads(&c, GDYN_PATH_READS_TABLE))
        check_table(&c);
    if (c.errors == 0 && gdyn_path_kind_of(def->kind)->corners)
        warn_of_corners(&c);
    warn_of_motions(&c);
    return c.errors;
}
