/* csv.c - the table of a path: columns t or p, the coordinates of the tool, joints. It is CSV, or
 * a JointTrajectory of ROS (trajectory_msgs) as JSON or YAML. */
#include "casefile/reader.h"
#include "linalg/vec3.h"
#include "table/table.h"

#include "base/pi.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What columns hold. Joints follow: value and derivatives of each. */
enum {
    IGNORED = -2,
    NO_SLOT = -1,
    SLOT_P = GDYN_PATH_COORDINATES,
    SLOT_T,
    SLOT_QUATERNION,                 /* w, x, y, z */
    SLOT_TURN = 4 + SLOT_QUATERNION, /* rotation vector */
    SLOT_AXIS = 3 + SLOT_TURN,       /* where the body's z axis points */
    SLOT_JOINT = 3 + SLOT_AXIS,
    ORDERS = 3 /* of the derivatives of joints, position first */
};

/* Names of the columns. A joint's name comes after the first, before the others. */
static const struct {
    const char *name;
    int slot;
    bool planar, first;
} words[] = {
    {"p", SLOT_P, true, true},
    {"t", SLOT_T, true, true},
    {"x", GDYN_PATH_X, true, true},
    {"y", GDYN_PATH_Y, true, true},
    {"z", GDYN_PATH_Z, false, true},
    {"a", GDYN_PATH_A, false, true},
    {"b", GDYN_PATH_B, false, true},
    {"c", GDYN_PATH_C, true, true},
    {"angle", GDYN_PATH_C, true, true},
    {"qw", SLOT_QUATERNION, false, false},
    {"qx", SLOT_QUATERNION + 1, false, false},
    {"qy", SLOT_QUATERNION + 2, false, false},
    {"qz", SLOT_QUATERNION + 3, false, false},
    {"rx", SLOT_TURN, false, false},
    {"ry", SLOT_TURN + 1, false, false},
    {"rz", SLOT_TURN + 2, false, false},
    {"i", SLOT_AXIS, false, false},
    {"j", SLOT_AXIS + 1, false, false},
    {"k", SLOT_AXIS + 2, false, false},
};

/* Endings of the names of a joint's columns, by the order of the derivative. */
static const char *const order_names[ORDERS] = {".position", ".speed", ".acceleration"};

/* Cosine of the second Cardan angle below which the others cannot be interpolated. */
static const double CARDAN_LEAST = 0.1;

/* Times that are so many durations away from zero are counted from the first row: in sums with them
 * the steps of the computation would be lost. */
static const double FAR = 1e3;

/* Quaternions whose size is off by more than this share are normalized, */
static const double UNIT = 1e-3;
/* and those of successive rows are nearer than 160 degrees: cosine of the half. */
static const double NEAR = 0.1736;

/* --- complaints of the table go to the case's log --------------------------------------------- */

typedef struct relay {
    gdyn_reader *r;
    gdyn_node *where; /* the file's name or the text in the case */
    const gdyn_document *document;
    const char *name; /* for messages */
} relay;

static void into_log(void *context, const gdyn_diag *diag) {
    const relay *to = context;
    /* Complaints without a place are about the file as a whole. */
    if (diag->line == 0) {
        gdyn_read_error(to->r, to->where, diag->help, GDYN_CODE_TABLE "'%.200s': %s", to->name,
                        diag->message);
        return;
    }
    gdyn_log_place(to->r->log, to->document, diag->line, diag->column, diag->width, diag->help,
                   GDYN_CODE_TABLE "%s", diag->message);
    to->where->bad |= to->r->checking;
}

/* The table for messages. */
static const char *table_name(const gdyn_node *where) {
    return strchr(where->text, '\n') ? "data" : where->text;
}

/* --- columns ---------------------------------------------------------------------------------- */

/* The N-th joint that a drive moves, NULL: there is none. */
static const char *driven_joint(const gdyn_reader *r, int number) {
    const gdyn_node *drives = gdyn_node_map(gdyn_node_find(r->the_case->root, "machine"), "drives");
    for (int i = 0; drives && i < drives->count; i++) {
        const gdyn_node *at = gdyn_node_find(drives->item[i], "at");
        if (at && at->kind == GDYN_NODE_SCALAR && --number == 0)
            return at->text;
    }
    return NULL;
}

/* The joint's name at the beginning of the text. */
static bool names_joint(const gdyn_reader *r, const char *text) {
    return gdyn_find_span(text, strcspn(text, "."), r->joint, sizeof *r->joint, r->joints) >= 0;
}

/* Slot of the joint that the text names: JOINT or JOINT.FREEDOM, with an ending of order_names,
 * with characters that names of cases do not have; q1, q2, ... are the driven joints. -1: none. */
static int joint_slot(gdyn_reader *r, gdyn_node *where, const char *text, gdyn_csv *csv) {
    char name[160];
    snprintf(name, sizeof name, "%s", text);
    char *end = strrchr(name, '.');
    int order = 0;
    while (end && order < ORDERS && strcmp(end, order_names[order]) != 0)
        order++;
    order = end && order < ORDERS ? (*end = '\0', order) : 0;
    if (!names_joint(r, name))
        for (char *c = name; *c; c++)
            *c = isalnum((unsigned char)*c) ? *c : '_';
    int number = 0, length = 0;
    const char *driven = NULL;
    if (!names_joint(r, name) && sscanf(name, "q%d%n", &number, &length) == 1 && !name[length])
        driven = driven_joint(r, number);
    if (driven)
        snprintf(name, sizeof name, "%s", driven);
    gdyn_path_joint joint = {0};
    gdyn_coordinate along;
    if (!names_joint(r, name) ||
        !gdyn_joint_from_text(r, where, name, &joint.joint, &joint.freedom, &along))
        return -1;
    int j = 0;
    while (j < csv->joints &&
           (csv->joint[j].joint != joint.joint || csv->joint[j].freedom != joint.freedom))
        j++;
    csv->slides[j] = along == GDYN_COORDINATE_SLIDES, csv->joint[j] = joint;
    csv->joints += j == csv->joints;
    return SLOT_JOINT + ORDERS * j + order;
}

static int word_slot(const char *text, bool planar, bool first) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].first == first && (words[i].planar || !planar) &&
            strcmp(words[i].name, text) == 0)
            return words[i].slot;
    return -1;
}

/* Slot of the column of that name, -1: none. */
static int slot_of(gdyn_reader *r, gdyn_node *where, const char *text, gdyn_csv *csv) {
    bool planar = r->space == GDYN_PLANAR;
    int slot = word_slot(text, planar, true);
    slot = slot < 0 ? joint_slot(r, where, text, csv) : slot;
    return slot < 0 ? word_slot(text, planar, false) : slot;
}

/* Column of the table with that slot, -1: none. */
static int column_of(const gdyn_csv *csv, int slot) {
    for (int c = 0; c < csv->columns; c++)
        if (csv->slot[c] == slot)
            return c;
    return -1;
}

static gdyn_dimension dimension_of(const gdyn_csv *csv, int slot) {
    if (slot == SLOT_T)
        return GDYN_DIM_TIME;
    if (slot < SLOT_JOINT)
        return slot <= GDYN_PATH_Z ? GDYN_DIM_LENGTH : GDYN_DIM_NONE;
    int j = (slot - SLOT_JOINT) / ORDERS;
    gdyn_dimension along = csv->slides[j] ? GDYN_DIM_LENGTH : GDYN_DIM_NONE;
    return gdyn_dimension_product(along, GDYN_DIM_TIME, -((slot - SLOT_JOINT) % ORDERS));
}

static bool make_room(gdyn_arena *arena, gdyn_csv *csv, int columns, size_t rows) {
    size_t each = (size_t)columns;
    csv->slot = gdyn_arena_alloc(arena, each, sizeof *csv->slot);
    csv->head = gdyn_arena_alloc(arena, each, sizeof *csv->head);
    csv->joint = gdyn_arena_alloc(arena, each, sizeof *csv->joint);
    csv->slides = gdyn_arena_alloc(arena, each, sizeof *csv->slides);
    csv->raw = gdyn_arena_alloc(arena, each * rows, sizeof *csv->raw);
    csv->since = gdyn_arena_alloc(arena, rows, sizeof *csv->since);
    return csv->slot && csv->head && csv->joint && csv->slides && csv->raw && csv->since;
}

/* A motion that `traverse --step` wrote: its joints over t, or else its tool, are read, and the
 * other columns are ignored. */
static bool is_motion(gdyn_table *t) {
    return gdyn_table_find(t, "t") >= 0 && gdyn_table_find(t, "d1") >= 0;
}

/* Slot of a column of such a motion. */
static int motion_slot(gdyn_reader *r, gdyn_node *where, const char *name, gdyn_csv *csv) {
    if (strcmp(name, "t") == 0)
        return SLOT_T;
    if (strncmp(name, "tool.", 5) == 0)
        return csv->joints > 0 ? IGNORED : word_slot(name + 5, r->space == GDYN_PLANAR, true);
    const char *end = strrchr(name, '.');
    for (int order = 0; end && order < ORDERS; order++)
        if (strcmp(end, order_names[order]) == 0) {
            int slot = joint_slot(r, where, name, csv);
            return slot < 0 || column_of(csv, slot) >= 0 ? IGNORED : slot;
        }
    return IGNORED;
}

/* Names the columns that are ignored. */
static void name_ignored(gdyn_reader *r, gdyn_node *where, const gdyn_table *t,
                         const gdyn_csv *csv) {
    char names[400] = "";
    for (int c = 0; c < csv->columns; c++)
        if (csv->slot[c] == IGNORED) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                     t->column[c].name);
        }
    gdyn_log_node(r->log, GDYN_NOTE, where, NULL,
                  GDYN_CODE_TABLE "a motion over t; these columns are ignored: %s", names);
}

/* Slots, units and heads in SI units of the columns. */
static void read_heads(gdyn_reader *r, gdyn_node *where, gdyn_table *t, gdyn_csv *csv) {
    bool motion = is_motion(t);
    const char *help = r->space == GDYN_PLANAR
                           ? "columns: t [s] or p; x, y, angle; names of joints, or q1, q2, ..."
                           : "columns: t [s] or p; x, y, z; a, b, c; names of joints, or q1, q2, "
                             "...; qw, qx, qy, qz; rx, ry, rz; i, j, k";
    for (int c = 0; c < t->columns && t->status == GDYN_OK; c++) {
        const char *name = t->column[c].name, *unit = "", *near = NULL;
        int slot = motion ? motion_slot(r, where, name, csv) : slot_of(r, where, name, csv);
        int other = slot < 0 ? -1 : column_of(csv, slot);
        if (slot == NO_SLOT && !where->bad)
            gdyn_table_refuse(
                t, c,
                strcasecmp(name, "time") == 0 ? "did you mean 't'?"
                : gdyn_find_name(r, name, r->joint, sizeof *r->joint, r->joints, &near) < 0 && near
                    ? near
                    : help,
                "unknown column '%.60s'", name);
        else if (other >= 0 && strcmp(t->column[other].name, name) != 0)
            gdyn_table_refuse(t, c, NULL, "columns '%.60s' and '%.60s' are the same",
                              t->column[other].name, name);
        else if (other >= 0)
            gdyn_table_refuse(t, c, NULL, "column '%.60s' occurs twice", name);
        else if (slot == SLOT_P) {
            csv->p_dimension = gdyn_table_dimension(t, c);
            if (!gdyn_path_dimension_allowed(csv->p_dimension))
                gdyn_table_refuse(t, c, "p is a length, an angle, a time or a pure number",
                                  "the unit of column 'p' does not fit");
            gdyn_table_unit(t, c, GDYN_DIM_UNKNOWN, "p");
            unit = gdyn_path_unit_of_dimension(csv->p_dimension);
        } else if (slot >= 0)
            gdyn_table_unit(t, c, dimension_of(csv, slot),
                            slot == SLOT_T ? "t" : "this coordinate");
        csv->slot[c] = slot;
        csv->head[c] = gdyn_arena_printf(t->arena, *unit ? "%s [%s]" : "%s", name, unit);
        csv->columns++;
    }
    int p = column_of(csv, SLOT_P), time = column_of(csv, SLOT_T);
    if (p >= 0 && time >= 0)
        gdyn_table_refuse(t, time,
                          "leave one of them out; a motion t,p along a path is for "
                          "feasible --motion",
                          "t and p are both the parameter of this path");
    if (motion && csv->joints == 0 && column_of(csv, GDYN_PATH_X) < 0)
        gdyn_table_refuse(t, -1, "a motion t,p along a path is for feasible --motion",
                          "the motion has no columns of joints or of a tool");
    else if (motion && t->status == GDYN_OK)
        name_ignored(r, where, t, csv);
}

/* --- orientations ----------------------------------------------------------------------------- */

/* Unit quaternion q (w, x, y, z) of a row with a quaternion or a rotation vector; false: it has no
 * direction. Digits of a unit quaternion stay as they are. */
static bool quaternion_of(const gdyn_csv *csv, const double *row, int slot, double q[4]) {
    bool turn = slot == SLOT_TURN;
    q[0] = 0;
    for (int k = 0; k < (turn ? 3 : 4); k++)
        q[turn + k] = row[column_of(csv, slot + k)];
    double size = v3_norm(q + 1), norm = hypot(size, q[0]), factor = 1;
    if (turn) {
        q[0] = cos(0.5 * size);
        factor = size > 0 ? sin(0.5 * size) / size : 0.5;
    } else if (fabs(norm - 1) > UNIT) {
        factor = 1 / norm;
        q[0] *= factor;
    }
    v3_scale(q + 1, factor, q + 1);
    return turn || norm > 0;
}

/* Cardan angles a, b of the axis that a row points along; without a column c the axis itself. */
static bool point_along(gdyn_csv *csv, const double *row, double *out) {
    double e[3];
    for (int k = 0; k < 3; k++)
        e[k] = row[column_of(csv, SLOT_AXIS + k)];
    csv->points_along = column_of(csv, GDYN_PATH_C) < 0;
    if (csv->points_along) {
        v3_scale(out + GDYN_PATH_A, 1 / v3_norm(e), e);
        return v3_norm(e) > 0;
    }
    double across = hypot(e[1], e[2]), tilt = atan2(-e[1], e[2]);
    /* a goes on from the row before without a jump */
    double before =
        csv->table && out > csv->table ? out[GDYN_PATH_A - GDYN_PATH_COORDINATES] : tilt;
    out[GDYN_PATH_A] = before + remainder(tilt - before, 2 * GDYN_PI);
    out[GDYN_PATH_B] = atan2(e[0], across);
    return across > CARDAN_LEAST * fabs(e[0]);
}

/* Columns a, b, c and scalar parts from quaternions and the like, which go on from row to row; or
 * a, b, c from axes. */
static bool orient(gdyn_reader *r, gdyn_node *where, gdyn_csv *csv) {
    static const struct {
        int slot, size;
        const char *what;
    } kinds[] = {{GDYN_PATH_A, 3, "Cardan angles a, b, c"},
                 {SLOT_QUATERNION, 4, "quaternion qw, qx, qy, qz"},
                 {SLOT_TURN, 3, "rotation vector rx, ry, rz"},
                 {SLOT_AXIS, 3, "axis i, j, k"}};
    int slot = -1, given = 0;
    for (int k = 0; k < 4 && r->space == GDYN_SPATIAL; k++) {
        int count = 0;
        for (int i = 0; i < kinds[k].size; i++)
            count += column_of(csv, kinds[k].slot + i) >= 0;
        bool roll = k == 0 && count == 1 && column_of(csv, GDYN_PATH_C) >= 0 &&
                    column_of(csv, SLOT_AXIS) >= 0;
        if (k > 0 && count > 0 && count < kinds[k].size)
            return gdyn_read_error(r, where, NULL,
                                   GDYN_CODE_TABLE "the table has only %d of the columns of the %s",
                                   count, kinds[k].what);
        given += count > 0 && !roll;
        slot = count > 0 && !roll ? kinds[k].slot : slot;
    }
    if (given > 1)
        return gdyn_read_error(r, where, NULL,
                               GDYN_CODE_TABLE "the table has two kinds of orientation");
    if (slot <= GDYN_PATH_C)
        return true;
    bool axis = slot == SLOT_AXIS;
    csv->scalar = axis ? NULL : gdyn_arena_doubles(r->the_case->arena, (size_t)csv->rows);
    double last[4] = {0};
    for (int i = 0; i < csv->rows && (axis || csv->scalar); i++) {
        const double *row = csv->raw + (size_t)i * (size_t)csv->columns;
        double *out = csv->table + (size_t)i * GDYN_PATH_COORDINATES, q[4], dot = 0;
        if (axis && !point_along(csv, row, out))
            return gdyn_read_error(r, where, "the axis is the body's z axis; give quaternions",
                                   GDYN_CODE_TABLE "'%.100s', row %d: the axis is zero, or points "
                                                   "along x, where its roll is not defined",
                                   table_name(where), i + 1);
        if (axis)
            continue;
        bool good = quaternion_of(csv, row, slot, q);
        for (int k = 0; k < 4; k++)
            dot += q[k] * last[k];
        if (!good || (i > 0 && fabs(dot) < NEAR))
            return gdyn_read_error(
                r, where, good ? "give rows between them" : NULL,
                good ? GDYN_CODE_TABLE "'%.100s', row %d: the orientation is turned by more than "
                                       "160 degrees from that of the row before"
                     : GDYN_CODE_TABLE "'%.100s', row %d: the quaternion is zero",
                table_name(where), i + 1);
        for (int k = 0; k < 4; k++)
            last[k] = dot < 0 ? -q[k] : q[k];
        csv->scalar[i] = last[0];
        v3_copy(out + GDYN_PATH_A, last + 1);
    }
    return axis || csv->scalar;
}

/* --- the table -------------------------------------------------------------------------------- */

/* A column of its own. */
static double *take_column(gdyn_arena *arena, const gdyn_csv *csv, int slot) {
    int column = column_of(csv, slot);
    double *out = column < 0 ? NULL : gdyn_arena_alloc(arena, (size_t)csv->rows, sizeof *out);
    for (int i = 0; out && i < csv->rows; i++)
        out[i] = csv->raw[(size_t)i * (size_t)csv->columns + (size_t)column];
    return out;
}

/* Times of a clock that runs since long, such as UNIX time. */
static void count_from_first(gdyn_reader *r, const gdyn_node *where, gdyn_csv *csv) {
    int time = column_of(csv, SLOT_T);
    double first = csv->p[0];
    if (fabs(first) <= FAR * (csv->p[csv->rows - 1] - first))
        return;
    for (int i = 0; i < csv->rows; i++)
        csv->raw[i * csv->columns + time] = csv->p[i] = csv->since[i];
    gdyn_log_node(r->log, GDYN_NOTE, where, NULL,
                  GDYN_CODE_TABLE "times are counted from that of the first row, %.15g s", first);
}

/* From the rows as they stand to what a path reads; false after a complaint. */
static bool finish(gdyn_reader *r, gdyn_node *where, gdyn_csv *csv) {
    gdyn_arena *arena = r->the_case->arena;
    bool tool = false, rates = true, bends = true, any = false;
    for (int c = 0; c < csv->columns; c++)
        tool |= csv->slot[c] >= 0 && csv->slot[c] < SLOT_JOINT && csv->slot[c] != SLOT_P &&
                csv->slot[c] != SLOT_T;
    if (csv->rows < 2)
        return gdyn_read_error(r, where, NULL, GDYN_CODE_TABLE "'%.200s' has fewer than two rows",
                               table_name(where));
    bool timed = column_of(csv, SLOT_T) >= 0;
    csv->p = take_column(arena, csv, timed ? SLOT_T : SLOT_P);
    if (timed)
        csv->p_dimension = GDYN_DIM_TIME;
    if (timed && csv->p)
        count_from_first(r, where, csv);
    for (int j = 0; j < csv->joints; j++) {
        csv->joint[j].column = take_column(arena, csv, SLOT_JOINT + ORDERS * j);
        csv->joint[j].rate = take_column(arena, csv, SLOT_JOINT + ORDERS * j + 1);
        csv->joint[j].bend = take_column(arena, csv, SLOT_JOINT + ORDERS * j + 2);
        if (!csv->joint[j].column)
            return gdyn_read_error(r, where, NULL,
                                   GDYN_CODE_TABLE "there is a derivative of '%s', but no position",
                                   r->joint[csv->joint[j].joint].name);
        rates = rates && csv->joint[j].rate;
        bends = bends && csv->joint[j].bend;
        any = any || csv->joint[j].rate;
    }
    if (any && (!rates || !timed || tool))
        gdyn_log_node(r->log, GDYN_WARNING, where, NULL, GDYN_CODE_TABLE "speeds are ignored: %s",
                      !rates   ? "not every joint of the table has them"
                      : !timed ? "the table has no times"
                               : "the table has coordinates of the tool, too");
    /* derivatives count if all have them */
    rates = rates && timed && !tool;
    for (int j = 0; j < csv->joints && !(rates && bends); j++) {
        csv->joint[j].bend = NULL;
        csv->joint[j].rate = rates ? csv->joint[j].rate : NULL;
    }
    if (!tool)
        return true;
    size_t cells = (size_t)csv->rows * GDYN_PATH_COORDINATES;
    csv->table = gdyn_arena_alloc(arena, cells, sizeof *csv->table);
    for (size_t i = 0; csv->table && i < cells; i++) {
        int column = column_of(csv, (int)(i % GDYN_PATH_COORDINATES));
        size_t row = i / GDYN_PATH_COORDINATES;
        csv->table[i] = column < 0 ? NAN : csv->raw[row * (size_t)csv->columns + (size_t)column];
    }
    return csv->table && orient(r, where, csv);
}

/* The whole part of a number, and what follows its point, which beside a large whole part has lost
 * digits. */
static double split(const char *text, double *fraction) {
    const char *point = strpbrk(text, "eE-") ? NULL : strchr(text, '.'), *end;
    double value = gdyn_decimal_read(text, &end);
    *fraction = point && point[1] ? gdyn_decimal_read(point, &end) : 0;
    return point ? nearbyint(value - *fraction) : value;
}

/* Reads a document of comma-separated values; false after a complaint. */
static bool read_csv(gdyn_reader *r, gdyn_node *where, const gdyn_document *document, gdyn_csv *csv,
                     const char *name) {
    gdyn_arena *arena = r->the_case->arena;
    relay context = {r, where, document, name};
    gdyn_sink sink = {into_log, &context};
    gdyn_table t;
    /* The table must be readable before its heads are. */
    if (gdyn_table_open(&t, arena, document, &sink) != GDYN_OK)
        return false;
    if (!make_room(arena, csv, t.columns, (size_t)(document->lines - t.line + 1)))
        return gdyn_table_lack_memory(&t);
    read_heads(r, where, &t, csv);
    double first = 0, after = 0;
    while (t.status == GDYN_OK && !where->bad && gdyn_table_next(&t)) {
        double *row = csv->raw + (size_t)csv->rows * (size_t)csv->columns;
        for (int c = 0; c < csv->columns; c++) {
            if (csv->slot[c] == IGNORED)
                continue;
            row[c] = gdyn_table_number(&t, c);
            /* p grows strictly, so that splines exist. */
            if ((csv->slot[c] == SLOT_P || csv->slot[c] == SLOT_T) && csv->rows > 0 &&
                row[c] <= row[c - csv->columns])
                gdyn_table_refuse(&t, c, NULL, "%s must increase from row to row",
                                  csv->slot[c] == SLOT_P ? "p" : "t");
            if (csv->slot[c] == SLOT_T && t.status == GDYN_OK) {
                double part, whole = split(t.cell[c].text, &part);
                first = csv->rows > 0 ? first : whole, after = csv->rows > 0 ? after : part;
                csv->since[csv->rows] = (whole - first + (part - after)) * t.column[c].factor;
            }
        }
        csv->rows++;
    }
    return t.status == GDYN_OK && !where->bad;
}

/* --- JointTrajectory -------------------------------------------------------------------------- */

/* JSON or YAML: by the file's name, or the first character of the text. */
static bool is_tree(const char *text, bool file) {
    const char *dot = strrchr(text, '.');
    if (!file)
        return text[strspn(text, " \t\n")] == '{';
    return dot &&
           (strcmp(dot, ".json") == 0 || strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* A number of the message; false after a complaint. */
static bool message_number(gdyn_reader *r, gdyn_node *where, const gdyn_node *node, double *value) {
    const char *end = "-";
    *value = node && node->kind == GDYN_NODE_SCALAR ? gdyn_decimal_read(node->text, &end) : NAN;
    if (isfinite(*value) && !*end)
        return true;
    where->bad = true;
    return gdyn_log_node(r->log, GDYN_ERROR, node ? node : where, NULL,
                         GDYN_CODE_TABLE "expected a number");
}

/* time_from_start: seconds, {sec, nanosec} or {secs, nsecs}. */
static bool message_time(gdyn_reader *r, gdyn_node *where, const gdyn_node *node, double *value) {
    double part[2] = {0, 0};
    static const char *const keys[2][2] = {{"sec", "secs"}, {"nanosec", "nsecs"}};
    if (node->kind == GDYN_NODE_SCALAR)
        return message_number(r, where, node, value);
    for (int k = 0; k < 2; k++) {
        const gdyn_node *item = gdyn_node_find(node, keys[k][0]);
        item = item ? item : gdyn_node_find(node, keys[k][1]);
        if (item && !message_number(r, where, item, &part[k]))
            return false;
    }
    *value = part[0] + 1e-9 * part[1];
    return true;
}

/* What a point has of every joint, by the order of the derivative. */
static const char *const lists[ORDERS] = {"positions", "velocities", "accelerations"};

/* One point: its time, positions, and as many derivatives as count. */
static bool read_point(gdyn_reader *r, gdyn_node *where, const gdyn_node *point, int joints,
                       bool timed, int orders, double *row) {
    const gdyn_node *time = gdyn_node_find(point, "time_from_start");
    double unused;
    if (timed && !time) {
        where->bad = true;
        return gdyn_log_node(r->log, GDYN_ERROR, point, "every point has one, or none",
                             GDYN_CODE_TABLE "a point of the trajectory has no time_from_start");
    }
    if (timed && !message_time(r, where, time, row))
        return false;
    row += timed;
    for (int list = 0; list < ORDERS; list++) {
        const gdyn_node *values = gdyn_node_find(point, lists[list]);
        int count = values ? values->count : 0;
        if (list > 0 && count == 0)
            break;
        if (count != joints) {
            where->bad = true;
            return gdyn_log_node(r->log, GDYN_ERROR, values ? values : point, NULL,
                                 GDYN_CODE_TABLE "%d %s for %d joints", count, lists[list], joints);
        }
        for (int j = 0; j < joints; j++)
            if (!message_number(r, where, values->item[j], list < orders ? row++ : &unused))
                return false;
    }
    return true;
}

static bool read_joint_trajectory(gdyn_reader *r, gdyn_node *where, const gdyn_document *document,
                                  gdyn_csv *csv) {
    gdyn_arena *arena = r->the_case->arena;
    int nodes = 0;
    gdyn_node *root = gdyn_tree_parse(arena, document, r->log, &nodes);
    where->bad |= !root;
    const gdyn_node *message = gdyn_node_with(root, "joint_names", 0);
    gdyn_node *names = gdyn_node_find(message, "joint_names");
    gdyn_node *points = gdyn_node_find(message, "points");
    if (!names || !points || names->count == 0 || points->count == 0)
        return where->bad ||
               gdyn_read_error(r, where, "a CSV file ends in .csv",
                               GDYN_CODE_TABLE "'%.200s' is no JointTrajectory: it has no "
                                               "joint_names with points",
                               where->text);
    /* times and derivatives count if all points may have them */
    bool timed = gdyn_node_find(points->item[0], "time_from_start");
    int orders = timed ? ORDERS : 1, with = 0;
    for (int i = 0; i < points->count; i++) {
        const gdyn_node *list = gdyn_node_find(points->item[i], lists[1]);
        with += list && list->count > 0;
        for (int order = 1; order < orders; order++) {
            list = gdyn_node_find(points->item[i], lists[order]);
            orders = list && list->count > 0 ? orders : order;
        }
    }
    if (with > 0 && orders == 1)
        gdyn_log_node(r->log, GDYN_WARNING, where, NULL,
                      GDYN_CODE_TABLE "velocities are ignored: %d of %d points have them%s", with,
                      points->count, timed ? "" : ", and no times");
    int joints = names->count, columns = timed + orders * joints;
    double *row = gdyn_arena_alloc(arena, (size_t)columns, sizeof *row);
    if (!make_room(arena, csv, columns, (size_t)points->count) || !row) {
        gdyn_out_of_memory(r);
        return false;
    }
    if (timed) {
        csv->head[0] = "t";
        csv->slot[csv->columns++] = SLOT_T;
    }
    for (int list = 0; list < orders; list++)
        for (int j = 0; j < joints; j++) {
            const char *name = names->item[j]->text ? names->item[j]->text : "";
            int slot = joint_slot(r, where, name, csv);
            if (slot < 0 || column_of(csv, slot + list) >= 0) {
                const char *near = NULL;
                gdyn_find_name(r, name, r->joint, sizeof *r->joint, r->joints, &near);
                where->bad = true;
                return gdyn_log_node(r->log, GDYN_ERROR, names->item[j], near,
                                     GDYN_CODE_TABLE "the joint '%.60s' of the trajectory is %s",
                                     name, slot < 0 ? "none of the machine" : "given twice");
            }
            csv->head[csv->columns] =
                gdyn_arena_printf(arena, list ? "%s%s" : "%s", name, order_names[list]);
            csv->slot[csv->columns++] = slot + list;
        }
    for (int i = 0; i < points->count; i++) {
        double *to = csv->raw + (size_t)i * (size_t)columns;
        if (!read_point(r, where, points->item[i], joints, timed, orders, row))
            return false;
        memcpy(to, row, (size_t)columns * sizeof *to);
        csv->since[csv->rows++] = timed ? to[0] - csv->raw[0] : 0;
        if (timed && i > 0 && to[0] <= to[-columns]) {
            where->bad = true;
            return gdyn_log_node(r->log, GDYN_ERROR, points->item[i], NULL,
                                 GDYN_CODE_TABLE
                                 "time_from_start must increase from point to point");
        }
    }
    return true;
}

/* --- where it stands -------------------------------------------------------------------------- */

const gdyn_csv *gdyn_read_csv(gdyn_reader *r, gdyn_node *node, bool file) {
    gdyn_case *c = r->the_case;
    gdyn_document *document = NULL;
    const char *path = NULL;
    if (node->bad || node->kind != GDYN_NODE_SCALAR || (r->checking && !r->space_known))
        return NULL;
    if (file && !(path = gdyn_document_beside(r->arena, node->source->name, node->text)))
        return NULL;
    /* What was read before is not read twice. */
    for (const gdyn_csv *csv = c->csv; csv; csv = csv->next)
        if (file ? csv->name && strcmp(csv->name, path) == 0 : csv->text == node->text)
            return csv;
    if (!r->checking)
        return NULL;
    char message[300];
    if (file && gdyn_document_from_file(c->arena, path, GDYN_TABLE_BYTES, false, &document, message,
                                        sizeof message) != GDYN_OK) {
        gdyn_read_error(r, node, NULL, GDYN_CODE_TABLE "'%.200s': %s", node->text, message);
        return NULL;
    }
    const char *name =
        file ? document->name
             : gdyn_arena_printf(c->arena, "%s (data of line %d)", node->source->name, node->line);
    if (!file && name)
        document = gdyn_document_from_text(c->arena, name, node->text, strlen(node->text));
    gdyn_csv *csv = gdyn_arena_alloc(c->arena, 1, sizeof *csv);
    if (!document || !csv)
        return NULL;
    bool good = is_tree(file ? path : node->text, file)
                    ? read_joint_trajectory(r, node, document, csv)
                    : read_csv(r, node, document, csv, file ? node->text : "data");
    if (!good || !finish(r, node, csv))
        return NULL;
    /* Kept with the case: instances read it again. */
    csv->name = file ? name : NULL;
    csv->text = file ? NULL : node->text;
    csv->next = c->csv;
    return c->csv = csv;
}
