/* trajectory.c - trajectories: paths and the points or joints that follow them. */
#include "casefile/reader.h"

#include <math.h>
#include <string.h>

typedef struct trajectory {
    gdyn_reader *r;
    const gdyn_node *node;
    const char *name;
    gdyn_path_def def;
    gdyn_path_tool *tool;
    const char **tool_name;
    gdyn_dimension p; /* dimension of the path parameter */
} trajectory;

static bool takes(const trajectory *t, unsigned parts) {
    return gdyn_path_reads(t->def.kind, parts);
}

/* --- which keys go with the kind -------------------------------------------------------------- */

/* What follows the path, and which path. */
static void check_followers(const trajectory *t) {
    gdyn_reader *r = t->r;
    const gdyn_node *of = gdyn_node_find(t->node, "of"),
                    *joints = gdyn_node_find(t->node, "joints");
    const gdyn_node *path = gdyn_node_find(t->node, "path");
    bool rotates = gdyn_node_find(t->node, "angle") || gdyn_node_find(t->node, "cardan");
    /* A table may prescribe joints alone. */
    if (!of && !path && !rotates && takes(t, GDYN_PATH_READS_TABLE))
        return;
    /* A point or joints must follow, and something must be followed. */
    if (!of && !joints)
        gdyn_log_node(
            r->log, GDYN_ERROR, t->node->name, "write of: body.P, or joints: {joint: formula}",
            GDYN_CODE_MISSING "trajectory '%s' does not say which point or joint follows it",
            t->name);
    else if (of && !path && !joints && takes(t, GDYN_PATH_READS_PATH))
        gdyn_log_node(r->log, GDYN_ERROR, t->node->name,
                      "write path: {x: ..., y: ...}, or kind: circle and the like",
                      GDYN_CODE_MISSING "trajectory '%s' has no path", t->name);
    else if (!of && (path || !takes(t, GDYN_PATH_READS_PATH)))
        gdyn_log_node(r->log, GDYN_ERROR, t->node->name, "write of: body.P",
                      GDYN_CODE_MISSING "trajectory '%s' does not say which point follows the path",
                      t->name);
}

/* A table may be stated by either of its keys, which check_keys sees to. */
static void check_keys(const trajectory *t) {
    gdyn_reader *r = t->r;
    const char *word = gdyn_path_kind_names[t->def.kind];
    const gdyn_path_kind_row *row = gdyn_path_kind_of(t->def.kind);
    gdyn_kind_words words = {word, gdyn_log_help(r->log, "a path of kind '%s'", word),
                             "leave it out, or change the kind"};
    if (takes(t, GDYN_PATH_READS_PATH)) {
        /* formulas do not take the key: any of the other kinds */
        const char *names[GDYN_PATH_KINDS];
        int count = 0;
        for (gdyn_path_kind kind = 0; kind < GDYN_PATH_KINDS; kind++)
            if (!gdyn_path_reads(kind, GDYN_PATH_READS_PATH))
                names[count++] = gdyn_path_kind_names[kind];
        words.help = gdyn_log_list(r->log, "set the kind: ", names, count, " or ");
    }
    gdyn_check_parts(r, t->node, &gdyn_schema_trajectory, row->must | row->may,
                     row->must & ~(unsigned)GDYN_PATH_READS_TABLE, &words);
    /* a table is a file or stands in the case */
    bool stated = gdyn_node_find(t->node, "file") || gdyn_node_find(t->node, "data");
    if (takes(t, GDYN_PATH_READS_TABLE) && !stated)
        gdyn_log_node(t->r->log, GDYN_ERROR, t->node->name,
                      "name a CSV file, or set data: to its text",
                      GDYN_CODE_MISSING "trajectory '%s' (%s) lacks 'file'", t->name, word);
    check_followers(t);
}

/* --- tools ------------------------------------------------------------------------------------ */

/* The points that follow the path. */
static void read_tools(trajectory *t) {
    gdyn_reader *r = t->r;
    gdyn_node *of = gdyn_node_get(t->node, "of");
    if (!of)
        return;
    int count;
    gdyn_node *const *items = gdyn_node_items(&of, &count);
    if ((of->kind == GDYN_NODE_MAPPING || count == 0) &&
        !gdyn_expect(r, of, GDYN_NODE_SCALAR, "write of: body.P", "a point"))
        return;
    t->tool = gdyn_reader_alloc(r, (size_t)count, sizeof *t->tool);
    t->tool_name = gdyn_reader_alloc(r, (size_t)count, sizeof *t->tool_name);
    if (!t->tool || !t->tool_name)
        return;
    /* References to points; the ground does not move. */
    for (int i = 0; i < count; i++) {
        gdyn_node *item = items[i];
        gdyn_read_anchor(r, item, &t->tool[i].of);
        gdyn_read_frame(r, item, &t->tool[i].of, t->tool[i].cardan);
        t->tool_name[i] = item->kind == GDYN_NODE_SCALAR ? item->text : "";
        if (r->checking && item->kind == GDYN_NODE_SCALAR && t->tool[i].of.body == GDYN_GROUND &&
            !item->bad)
            gdyn_read_error(r, item, NULL, GDYN_CODE_PATH "the ground cannot follow a path");
    }
    t->def.tools = count, t->def.tool = t->tool;
    /* Only formulas lead several points. */
    if (count > 1 && !takes(t, GDYN_PATH_READS_PATH))
        gdyn_read_error(r, of, "several points take path: {body.P: {...}, body.Q: {...}}",
                        GDYN_CODE_CONFLICT "a path of kind '%s' has a single point",
                        gdyn_path_kind_names[t->def.kind]);
}

/* --- formulas --------------------------------------------------------------------------------- */

/* A formula in p. */
static const gdyn_expr *formula(trajectory *t, gdyn_node *node, gdyn_dimension dimension) {
    return gdyn_read_formula(t->r, node, "p", t->p, dimension);
}

static void read_cardan(trajectory *t, gdyn_node *node, gdyn_path_tool *tool) {
    if (!gdyn_expect_items(t->r, node, 3, "write cardan: [a, b, c]", "expected three angles"))
        return;
    /* Three angles, each a formula. */
    for (int i = 0; i < 3; i++)
        tool->coordinate[GDYN_PATH_A + i] = formula(t, node->item[i], GDYN_DIM_NONE);
}

/* One of x, y, z, angle, cardan; complains about others. */
static void read_coordinate(trajectory *t, gdyn_node *key, gdyn_node *node, gdyn_path_tool *tool) {
    static const char *const planar[] = {"x", "y", "angle", NULL};
    static const char *const spatial[] = {"x", "y", "z", "cardan", NULL};
    const char *const *words = t->r->space == GDYN_PLANAR ? planar : spatial;
    if (node->bad)
        return;
    /* Coordinates of the space, by name. */
    if (gdyn_word_number(words, key->text) < 0) {
        const char *help = gdyn_log_suggest(t->r->log, key->text, words, gdyn_word_count(words));
        if (!help || strlen(key->text) < 2)
            help = words == planar ? "a planar path has x, y, angle"
                                   : "a spatial path has x, y, z, cardan: [a, b, c]";
        gdyn_read_error(t->r, key, help,
                        GDYN_CODE_WORD "unknown coordinate '%.60s' in the path of '%s'", key->text,
                        t->name);
    } else if (strcmp(key->text, "cardan") == 0)
        read_cardan(t, node, tool);
    else if (strcmp(key->text, "angle") == 0)
        tool->coordinate[GDYN_PATH_C] = formula(t, node, GDYN_DIM_NONE);
    else
        tool->coordinate[GDYN_PATH_X + key->text[0] - 'x'] = formula(t, node, GDYN_DIM_LENGTH);
}

static void read_coordinates(trajectory *t, gdyn_node *node, gdyn_path_tool *tool) {
    bool good = gdyn_expect_map(t->r, node, "write {x: ..., y: ...}", "coordinates");
    for (int i = 0; good && i < node->count; i++)
        read_coordinate(t, node->key[i], node->item[i], tool);
}

/* The point by its text; -1: none. */
static int find_tool(const trajectory *t, const char *name) {
    return gdyn_find_span(name, strlen(name), t->tool_name, sizeof *t->tool_name, t->def.tools);
}

/* Several points: a list in the order of `of`, or a mapping by their names. */
static void read_paths(trajectory *t, gdyn_node *path) {
    gdyn_reader *r = t->r;
    /* As many paths as points. */
    if (path->kind == GDYN_NODE_SCALAR || path->count != t->def.tools) {
        gdyn_read_error(r, path, "write {body.P: {x: ..., y: ...}, body.Q: {...}}",
                        GDYN_CODE_SHAPE "expected a path for each of the %d points", t->def.tools);
        return;
    }
    /* In the order of the points, or by their names. */
    for (int i = 0; i < path->count; i++) {
        bool list = path->kind == GDYN_NODE_SEQUENCE;
        int tool = list ? i : find_tool(t, path->key[i]->text);
        if (tool < 0)
            gdyn_read_error(
                r, path->key[i],
                gdyn_log_suggest(r->log, path->key[i]->text, t->tool_name, t->def.tools),
                GDYN_CODE_UNKNOWN "'%.60s' is not one of the points of '%s'", path->key[i]->text,
                t->name);
        else
            read_coordinates(t, path->item[i], &t->tool[tool]);
    }
}

/* Formulas of the path, and rotations beside ready-made ones. */
static void read_path(trajectory *t) {
    gdyn_node *path = gdyn_node_get(t->node, "path");
    gdyn_node *angle = gdyn_node_get(t->node, "angle"), *cardan = gdyn_node_get(t->node, "cardan");
    if (t->def.tools == 0 || (t->r->checking && !t->r->space_known))
        return;
    /* With one point its name may be left out. */
    bool named = path && path->count == 1 &&
                 (path->kind == GDYN_NODE_SEQUENCE || find_tool(t, path->key[0]->text) == 0);
    if (path && t->def.tools == 1 && !named)
        read_coordinates(t, path, t->tool);
    else if (path)
        read_paths(t, path);
    /* Rotations of ready-made paths stand beside them. */
    if (angle)
        t->tool[0].coordinate[GDYN_PATH_C] = formula(t, angle, GDYN_DIM_NONE);
    if (cardan)
        read_cardan(t, cardan, t->tool);
}

/* Joints that follow formulas. */
static void read_joint_path(trajectory *t) {
    gdyn_reader *r = t->r;
    gdyn_node *joints = gdyn_node_get(t->node, "joints");
    if (!joints ||
        !gdyn_expect_map(r, joints, "write joints: {joint: formula in p}", "joints with formulas"))
        return;
    gdyn_path_joint *list = gdyn_reader_alloc(r, (size_t)joints->count, sizeof *list);
    if (!list)
        return;
    /* Each joint's coordinate is a formula in p. */
    for (int i = 0; i < joints->count; i++) {
        gdyn_coordinate along;
        if (!gdyn_read_joint(r, joints->key[i], &list[i].joint, &list[i].freedom, &along))
            continue;
        list[i].value = formula(t, joints->item[i], gdyn_dimension_along(GDYN_D_COORDINATE, along));
    }
    t->def.joints = joints->count, t->def.joint = list;
}

/* --- ready-made geometry ---------------------------------------------------------------------- */

/* A straight line between the points `from` and `to`. */
static void read_line(trajectory *t) {
    double(*ends)[3] = gdyn_reader_alloc(t->r, 2, sizeof *ends);
    if (!ends)
        return;
    for (int k = 0; k < 2; k++) {
        gdyn_node *end = gdyn_node_get(t->node, k ? "to" : "from");
        if (end)
            gdyn_read_vector(t->r, end, GDYN_DIM_LENGTH, ends[k]);
    }
    t->def.count = 2;
    t->def.through = (const double(*)[3])ends;
}

static void check_dimension_of_p(trajectory *t, gdyn_node *where) {
    if (!gdyn_path_dimension_allowed(t->def.p_dimension))
        gdyn_read_error(t->r, where, NULL,
                        GDYN_CODE_UNIT "p is a length, an angle, a time or a pure number");
}

/* Knots give p its values and its dimension. */
static void read_knots(trajectory *t, gdyn_node *knots, int n, double *at) {
    if (!gdyn_read_list(t->r, knots, n, GDYN_DIM_UNKNOWN, at))
        return;
    for (int i = 1; i < n; i++)
        if (at[i] <= at[i - 1])
            gdyn_read_error(t->r, knots->item[i], NULL, GDYN_CODE_PATH "knots must increase");
    t->def.through_p = at, t->def.p_given = true;
    for (int i = 0; i < n && !t->def.p_dimension.known; i++)
        t->def.p_dimension = gdyn_read_dimension(knots->item[i]);
    check_dimension_of_p(t, knots);
    t->def.p_start = at[0], t->def.p_end = at[n - 1];
}

/* A closed path ends where it began: the first point is added at the end when it is not there. */
static void read_through(trajectory *t) {
    gdyn_reader *r = t->r;
    gdyn_node *list = gdyn_node_get(t->node, "through"), *knots = gdyn_node_get(t->node, "knots");
    bool closed = gdyn_read_flag(t->node, "closed", false);
    if (!list)
        return;
    /* At least two points. */
    if (list->kind != GDYN_NODE_SEQUENCE || list->count < 2) {
        gdyn_read_error(r, list, "write through: [[x, y], [x, y]]",
                        GDYN_CODE_SHAPE "expected at least two points");
        return;
    }
    int n = list->count;
    double(*points)[3] = gdyn_reader_alloc(r, (size_t)n + 1, sizeof *points);
    double *at = knots ? gdyn_reader_alloc(r, (size_t)n + 1, sizeof *at) : NULL;
    if (!points)
        return;
    for (int i = 0; i < n; i++)
        gdyn_read_vector(r, list->item[i], GDYN_DIM_LENGTH, points[i]);
    /* A closed path returns to its first point. */
    if (closed && memcmp(points[0], points[n - 1], sizeof *points) != 0)
        memcpy(points[n++], points[0], sizeof *points);
    if (at)
        read_knots(t, knots, n, at);
    t->def.count = n;
    t->def.through = (const double(*)[3])points;
}

/* NULL for nothing. */
static double *copy_of(gdyn_reader *r, const double *from, size_t count) {
    double *to = from ? gdyn_reader_alloc(r, count, sizeof *to) : NULL;
    return to ? memcpy(to, from, count * sizeof *to) : NULL;
}

/* Keys that say something else than the table. */
static void check_table(trajectory *t, const gdyn_csv *csv) {
    gdyn_reader *r = t->r;
    gdyn_node *p = gdyn_node_get(t->node, "p"), *blend = gdyn_node_get(t->node, "blend");
    gdyn_node *joints = gdyn_node_get(t->node, "joints");
    if (p && csv->p)
        gdyn_read_error(r, p, "leave p: out, or the column",
                        GDYN_CODE_CONFLICT "the table has p in a column, from %g to %g", csv->p[0],
                        csv->p[csv->rows - 1]);
    if (blend && csv->joints > 0 && csv->joint[0].rate)
        gdyn_read_error(r, blend, "leave out blend:, or the columns of speeds",
                        GDYN_CODE_CONFLICT "blends of straight lines do not have the speeds of the "
                                           "table");
    double shortest = INFINITY;
    for (int i = 1; csv->p && i < csv->rows; i++)
        shortest = fmin(shortest, csv->p[i] - csv->p[i - 1]);
    if (blend && r->checking && t->def.blend > shortest)
        gdyn_log_node(r->log, GDYN_WARNING, blend, NULL,
                      GDYN_CODE_PATH "blends are shorter where rows are closer: the shortest step "
                                     "of the table is %g",
                      shortest);
    for (int i = 0; i < t->def.joints; i++)
        for (int j = 0; j < csv->joints; j++)
            if (t->def.joint[i].joint == csv->joint[j].joint &&
                t->def.joint[i].freedom == csv->joint[j].freedom)
                gdyn_read_error(r, joints, "leave it out, or the column",
                                GDYN_CODE_CONFLICT "'%s' has a column in the table, too",
                                r->joint[csv->joint[j].joint].name);
}

/* The table is copied: the instance must not depend on the case. */
static void read_table(trajectory *t) {
    gdyn_reader *r = t->r;
    gdyn_node *file = gdyn_node_get(t->node, "file"), *data = gdyn_node_get(t->node, "data");
    const gdyn_csv *csv = file   ? gdyn_read_csv(r, file, true)
                          : data ? gdyn_read_csv(r, data, false)
                                 : NULL;
    if (!csv)
        return;
    check_table(t, csv);
    /* Everything is copied into the instance. */
    size_t rows = (size_t)csv->rows, cells = csv->table ? rows * GDYN_PATH_COORDINATES : 0;
    size_t joints = (size_t)(t->def.joints + csv->joints);
    gdyn_path_joint *joint = gdyn_reader_alloc(r, joints + 1, sizeof *joint);
    if (!joint)
        return;
    if (t->def.joints > 0)
        memcpy(joint, t->def.joint, (size_t)t->def.joints * sizeof *joint);
    for (int j = 0; j < csv->joints; j++) {
        gdyn_path_joint *own = &joint[t->def.joints++];
        *own = csv->joint[j];
        own->column = copy_of(r, own->column, rows);
        own->rate = copy_of(r, own->rate, rows);
        own->bend = copy_of(r, own->bend, rows);
    }
    t->def.joint = joint;
    t->def.hold = t->def.tools == 0 && !gdyn_node_find(t->node, "weights") &&
                  !gdyn_node_find(t->node, "null_motion") && !gdyn_node_find(t->node, "undriven");
    t->def.scalar = copy_of(r, csv->scalar, rows);
    t->def.points_along = csv->points_along;
    const double *p = copy_of(r, csv->p, rows);
    double *table = copy_of(r, csv->table, cells);
    t->def.count = csv->rows, t->def.table = table;
    if (p) {
        t->def.through_p = p, t->def.p_given = true;
        if (csv->p_dimension.known)
            t->def.p_dimension = csv->p_dimension;
        t->def.p_start = p[0], t->def.p_end = p[rows - 1];
    }
    gdyn_node *blend = gdyn_node_get(t->node, "blend");
    if (blend &&
        !gdyn_dimension_fits(gdyn_read_dimension(blend), gdyn_path_dimension_of_p(&t->def)))
        gdyn_read_error(r, blend, NULL,
                        GDYN_CODE_UNIT "the width of blends is in the unit of p, %s",
                        *gdyn_path_unit_of_p(&t->def) ? gdyn_path_unit_of_p(&t->def) : "none");
}

/* --- range of p, weights ---------------------------------------------------------------------- */

/* Range of p, number of points, tolerance. */
static void read_range(trajectory *t) {
    gdyn_reader *r = t->r;
    gdyn_node *p = gdyn_node_get(t->node, "p");
    double range[2];
    t->p = GDYN_DIM_UNKNOWN;
    gdyn_node *tolerance = gdyn_node_get(t->node, "tolerance");
    if (tolerance && t->def.tolerance == 0)
        gdyn_read_error(r, tolerance, "set points: N for a fixed grid",
                        GDYN_CODE_PATH "a tolerance of 0 cannot be met");
    /* Points that are stated are fixed, unless a tolerance is stated, too. */
    if (!tolerance && gdyn_node_get(t->node, "points"))
        t->def.tolerance = 0;
    /* Two ends of one dimension, not equal. */
    if (p && gdyn_read_list(r, p, 2, GDYN_DIM_UNKNOWN, range)) {
        t->def.p_given = true, t->def.p_start = range[0], t->def.p_end = range[1];
        gdyn_dimension from = gdyn_read_dimension(p->item[0]), to = gdyn_read_dimension(p->item[1]);
        t->p = from.known && to.known ? from : GDYN_DIM_UNKNOWN;
        t->def.p_dimension = from.known ? from : to;
        check_dimension_of_p(t, p);
        if (!gdyn_dimension_fits(from, to))
            gdyn_read_error(r, p, NULL, GDYN_CODE_UNIT "the ends of p have different units");
        else if (range[0] == range[1])
            gdyn_read_error(r, p, NULL, GDYN_CODE_PATH "the range of p is empty");
    } else if (!p && !gdyn_node_find(t->node, "p") && takes(t, GDYN_PATH_READS_PATH) && r->checking)
        gdyn_log_node(r->log, GDYN_ERROR, t->node->name, "set p: [0, 1]",
                      GDYN_CODE_MISSING "trajectory '%s' has no range of p", t->name);
}

/* {body: w} or {body: [w, ...]}; bodies left out weigh 1. */
static void read_weights(trajectory *t) {
    gdyn_reader *r = t->r;
    gdyn_node *node = gdyn_node_get(t->node, "weights");
    int each = r->space == GDYN_PLANAR ? 3 : 6;
    if (!node || (r->checking && !r->space_known))
        return;
    double *w = gdyn_reader_alloc(r, (size_t)(r->bodies * each) + 1, sizeof *w);
    if (!w)
        return;
    /* Bodies that are not named weigh 1. */
    for (int i = 0; i < r->bodies * each; i++)
        w[i] = 1.0;
    if (node->kind == GDYN_NODE_SEQUENCE)
        gdyn_read_list(r, node, r->bodies * each, GDYN_DIM_UNKNOWN, w);
    else if (node->kind == GDYN_NODE_SCALAR)
        gdyn_read_error(r, node, "write weights: {body: 2}",
                        GDYN_CODE_SHAPE "expected weights of bodies");
    /* A number for the whole body, or one for each of its coordinates. */
    for (int i = 0; node->kind == GDYN_NODE_MAPPING && i < node->count; i++) {
        gdyn_node *item = node->item[i];
        gdyn_anchor anchor;
        if (!gdyn_anchor_from_text(r, node->key[i], node->key[i]->text, &anchor) || anchor.body < 0)
            continue;
        double *at = w + anchor.body * each, value;
        if (item->kind == GDYN_NODE_SEQUENCE)
            gdyn_read_list(r, item, each, GDYN_DIM_UNKNOWN, at);
        else if (gdyn_read_value(r, item, GDYN_DIM_UNKNOWN, &value))
            for (int k = 0; k < each; k++)
                at[k] = value;
    }
    t->def.weights = w;
}

/* --- coordinates that the path leaves free: null_motion, undriven ----------------------------- */

/* joints: [j3, wrist.first] */
static void read_free_joints(gdyn_reader *r, gdyn_node *list, gdyn_freedom_def *out) {
    if (list->kind != GDYN_NODE_SEQUENCE || list->count == 0 || list->count > GDYN_FREE_MOST) {
        gdyn_read_error(r, list, "write joints: [j3]",
                        GDYN_CODE_SHAPE "expected a list of 1 to %d joints", GDYN_FREE_MOST);
        return;
    }
    for (int i = 0; i < list->count; i++) {
        gdyn_coordinate along;
        if (gdyn_read_joint(r, list->item[i], &out->joint[out->joints], &out->freedom[out->joints],
                            &along))
            out->joints++;
    }
}

static void read_freedoms(gdyn_reader *r, const gdyn_node *node, gdyn_freedom_def *out) {
    gdyn_node *best = gdyn_node_map(node, "null_motion");
    *out = (gdyn_freedom_def){.rule = gdyn_node_get(node, "undriven") ? GDYN_FREE_EQUILIBRIUM
                                                                      : GDYN_FREE_NORM};
    if (best && out->rule == GDYN_FREE_EQUILIBRIUM)
        gdyn_read_error(
            r, best,
            "leave null_motion out: coordinates that equilibrium leaves free take the minimum "
            "motion in the norm of weights; or leave undriven out if every freedom has a drive",
            GDYN_CODE_CONFLICT "with undriven: equilibrium a null motion would leave the "
                               "equilibrium of the freedoms without drives");
    if (!best)
        return;
    int word = gdyn_read_word(best, "best", gdyn_null_motion_criteria, -1);
    if (word < 0)
        return;
    gdyn_schema_null_motion.fills->initial(out);
    gdyn_read_fields(r, best, &gdyn_schema_null_motion, GDYN_COORDINATE_UNKNOWN, out);
    out->rule = GDYN_FREE_BEST;
    out->criterion = gdyn_criterion_find(gdyn_null_motion_criteria[word], GDYN_OF_TRAJECTORY, true);
    gdyn_node *joints = gdyn_node_get(best, "joints");
    if (joints)
        read_free_joints(r, joints, out);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The geometry that goes with any of these parts. */
static const struct {
    unsigned parts;
    void (*read)(trajectory *t);
} geometries[] = {
    {GDYN_PATH_READS_FROM | GDYN_PATH_READS_TO, read_line},
    {GDYN_PATH_READS_THROUGH, read_through},
    {GDYN_PATH_READS_TABLE, read_table},
};

/* One trajectory; its source is kept for messages. */
static void read_trajectory(gdyn_reader *r, const gdyn_node *node, gdyn_path_def *def,
                            gdyn_trajectory_source *source) {
    trajectory t = {.r = r, .node = node, .name = node->name->text};
    gdyn_schema_trajectory.fills->initial(&t.def);
    /* The kind decides which keys are read. */
    int kind = gdyn_read_word(node, "kind", gdyn_path_kind_names, t.def.kind);
    if (gdyn_node_find(node, "kind") && !gdyn_node_get(node, "kind"))
        return;
    t.def.name = t.name;
    t.def.kind = (gdyn_path_kind)kind;
    if (r->checking)
        check_keys(&t);
    gdyn_read_fields(r, node, &gdyn_schema_trajectory, GDYN_COORDINATE_UNKNOWN, &t.def);
    if (!gdyn_node_get(node, "end"))
        t.def.end = t.def.start;
    /* Range of p first: formulas need its dimension. */
    read_range(&t);
    read_tools(&t);
    read_path(&t);
    read_joint_path(&t);
    for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++)
        if (takes(&t, geometries[i].parts))
            geometries[i].read(&t);
    read_weights(&t);
    gdyn_read_path_speed(r, node, &t.def);
    *def = t.def;
    *source =
        (gdyn_trajectory_source){t.def.tools, t.tool_name, node->source->name, node->name->line};
}

void gdyn_read_trajectories(gdyn_reader *r, const gdyn_node *root) {
    gdyn_node *list = gdyn_node_map(root, "trajectories");
    if (!list || list->count == 0 || !gdyn_expect_machine(r, root, list, "trajectories need"))
        return;
    gdyn_path_def *def = gdyn_reader_alloc(r, (size_t)list->count, sizeof *def);
    gdyn_trajectory_source *source = gdyn_reader_alloc(r, (size_t)list->count, sizeof *source);
    gdyn_freedom_def *freedom = gdyn_reader_alloc(r, (size_t)list->count, sizeof *freedom);
    if (!def || !source || !freedom)
        return;
    /* Every trajectory has a name, even if the rest cannot be read. */
    for (int i = 0; i < list->count; i++) {
        gdyn_schema_trajectory.fills->initial(&def[i]);
        def[i].name = list->key[i]->text;
        if (list->item[i]->kind != GDYN_NODE_MAPPING)
            continue;
        read_trajectory(r, list->item[i], &def[i], &source[i]);
        read_freedoms(r, list->item[i], &freedom[i]);
    }
    r->instance->trajectory_count = list->count, r->instance->trajectory = def;
    r->instance->trajectory_source = source, r->instance->trajectory_freedom = freedom;
}
