/* traverse_csv.c - motions as tables: the fastest with its audit, a given one with its violations;
 * at equal time steps, with position, speed and acceleration of every coordinate of a joint; the
 * poses of the machine at the points of a motion.
 *
 * A body's pose is written as in a case file: the origin of the body's own frame, and its angle or
 * its Cardan angles R = Rx(a) Ry(b) Rz(c). (a, b, c) and (a + pi, pi - b, c + pi) are one rotation,
 * and so are full turns: the triple nearest to the one before is written, so that columns do not
 * jump. */
#include "report/report.h"
#include "report/number.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/vec3.h"
#include "model/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ",m1.force [N],m2.force [N m],..."; kind NULL: what the rows limit. */
static void add_names(gdyn_text *out, const gdyn_trajectory *t, const char *kind) {
    for (int row = 0; row < t->rows; row++)
        gdyn_csv_head(out, t->row[row].name, kind ? kind : gdyn_limited_word(&t->row[row]),
                      t->row[row].unit);
}

/* The drives' columns of the motions' tables, then those of the travel. */
static void add_heads(gdyn_text *out, const gdyn_trajectory *t) {
    add_names(out, t, NULL);
    add_names(out, t, "least");
    add_names(out, t, "greatest");
    for (int row = 0; t->rate && row < t->rows; row++) {
        const char *unit, *word = gdyn_limited_rate_word(&t->row[row], &unit);
        gdyn_csv_head(out, t->row[row].name, word, unit);
    }
    gdyn_text_printf(out, ",s [m],s1 [m/s],s2 [m/s^2],s2_before [m/s^2]");
    gdyn_csv_end(out);
}

/* Forces and the travel at point i; rates where the table has their columns. Without internal
 * forces the least and the greatest ones are the same numbers: their text is copied. */
static void add_forces(gdyn_text *out, const gdyn_trajectory *t, int i, bool rated) {
    const double *tables[] = {t->shared.n, t->shared.low, t->shared.high}, *first = NULL;
    size_t from = out->length, bytes = (size_t)t->rows * sizeof **tables, length = 0;
    for (int table = 0; table < 3; table++) {
        const double *now = tables[table] ? tables[table] + (size_t)i * (size_t)t->rows : NULL;
        if (first && now && memcmp(first, now, bytes) == 0 && gdyn_text_reserve(out, length)) {
            gdyn_text_append(out, out->data + from, length);
            continue;
        }
        for (int row = 0; row < t->rows; row++)
            gdyn_csv_number(out, now ? now[row] : NAN);
        first = table == 0 ? now : first;
        length = table == 0 ? out->length - from : length;
    }
    for (int row = 0; rated && row < t->rows; row++)
        gdyn_csv_number(out, gdyn_trajectory_rate(t, row, i));
    /* the motion in the travel, empty where p is its coordinate */
    const gdyn_motion_point *point = &t->traverse->point[i];
    const double values[] = {point->s, point->s1, point->s2, point->s2_before};
    for (int k = 0; k < 4; k++)
        gdyn_csv_number(out, t->traverse->travels ? values[k] : NAN);
    gdyn_csv_end(out);
}

void gdyn_report_traverse_csv(gdyn_text *out, int count, const gdyn_trajectory *t) {
    const char *p = gdyn_csv_unit_of_p(count, t);
    gdyn_text_printf(out, "trajectory,t [s]");
    gdyn_csv_path_heads(out, p, "p d1 d2 d2_before controllable_min controllable_max d1_max");
    gdyn_text_printf(out, ",switch,limit");
    add_heads(out, t);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t[k].traverse->points; i++) {
            const gdyn_motion_point *point = &t[k].traverse->point[i];
            const double values[] = {point->t,         point->p,     point->d1,     point->d2,
                                     point->d2_before, point->k_low, point->k_high, point->d1_max};
            gdyn_csv_word(out, t[k].name);
            gdyn_csv_numbers(out, 8, values);
            gdyn_csv_number(out, point->switching);
            gdyn_csv_limits(out, t[k].row, t[k].rows, point->limit, point->limit_count, " + ", ' ');
            add_forces(out, &t[k], i, t[0].rate);
        }
}

void gdyn_report_feasible_csv(gdyn_text *out, int count, const gdyn_trajectory *t) {
    gdyn_text_printf(out, "trajectory,t [s]");
    gdyn_csv_path_heads(out, gdyn_csv_unit_of_p(count, t), "p d1 d2 d2_before d1_max");
    gdyn_text_printf(out, ",violation,violated%s", count > 1 ? ",motion" : "");
    add_heads(out, t);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t[k].traverse->points; i++) {
            const gdyn_motion_point *point = &t[k].traverse->point[i];
            const double values[] = {point->t,         point->p,      point->d1,        point->d2,
                                     point->d2_before, point->d1_max, t[k].violation[i]};
            gdyn_csv_word(out, t[k].name);
            gdyn_csv_numbers(out, 7, values);
            gdyn_csv_limits(out, t[k].row, t[k].rows, point->limit, point->limit_count, " + ", ' ');
            if (count > 1)
                gdyn_csv_word(out, t[k].file ? t[k].file : "");
            add_forces(out, &t[k], i, false);
        }
}

void gdyn_report_audit_csv(gdyn_text *out, int count, const gdyn_trajectory *t) {
    gdyn_text_printf(out, "trajectory");
    gdyn_csv_path_heads(out, gdyn_csv_unit_of_p(count, t), "p d1 d2");
    gdyn_text_printf(out, ",violation\n");
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t[k].traverse->audits; i++) {
            const gdyn_audit_point *point = &t[k].traverse->audit[i];
            const double values[] = {point->p, point->d1, point->d2, point->violation};
            gdyn_csv_word(out, t[k].name);
            gdyn_csv_numbers(out, 4, values);
            gdyn_csv_end(out);
        }
}

/* --- poses and drives ------------------------------------------------------------------------- */

static const char *const planar[] = {"x [m]", "y [m]", "angle [rad]"};
static const char *const spatial[] = {"x [m]", "y [m]", "z [m]", "a [rad]", "b [rad]", "c [rad]"};

const char *gdyn_unit_of_way(const char *force) {
    return strcmp(force, "N") == 0 ? "m" : strcmp(force, "N m") == 0 ? "rad" : "";
}

/* ",m1.position [m],m1.speed [m/s]" */
static void add_drive_heads(gdyn_text *out, const char *name, const char *force) {
    const char *unit = gdyn_unit_of_way(force);
    char speed[40] = "";
    if (*unit)
        snprintf(speed, sizeof speed, "%s/s", unit);
    gdyn_csv_head(out, name, "position", unit);
    gdyn_csv_head(out, name, "speed", speed);
}

/* Of all triples of the rotation the one nearest to `before`, which it replaces. */
static void follow(const double R[9], bool flat, bool begun, double before[3]) {
    if (!flat && begun) {
        gdyn_rotation_to_cardan_near(R, before);
        return;
    }
    double one[3] = {0, 0, atan2(R[1], R[0])};
    if (!flat)
        gdyn_rotation_to_cardan(R, one);
    else if (begun)
        one[2] += 2 * GDYN_PI * round((before[2] - one[2]) / (2 * GDYN_PI));
    v3_copy(before, one);
}

/* --- at equal time steps, for controllers ----------------------------------------------------- */

typedef struct step_table {
    gdyn_text *out;
    gdyn_json_writer *points; /* of the ROS message; NULL: none */
    const gdyn_trajectory *t;
    double *angle; /* of every coordinate in the row before */
    double *tool;  /* the same of tools, 3 each */
    double *speed; /* of drives, for d1 = 1 */
    int tools;
    bool begun;
} step_table;

bool gdyn_joint_coordinate_next(const gdyn_model *model, gdyn_joint_coordinate *c) {
    for (; c->next < gdyn_model_joints(model); c->next++, c->own = 0) {
        gdyn_freedom freedom[3];
        const gdyn_joint_def *joint = gdyn_model_joint(model, c->next);
        c->count = gdyn_joint_freedoms(joint->type, gdyn_model_space(model), freedom);
        if (c->own < c->count) {
            c->index = c->seen++, c->joint = c->next, c->freedom = freedom[c->own++];
            return true;
        }
    }
    return false;
}

/* Turns are counted on from the row before. */
static double count_turns(step_table *s, const gdyn_joint_coordinate *c, double value) {
    if (s->begun && !gdyn_freedom_slides(c->freedom))
        value += 2 * GDYN_PI * round((s->angle[c->index] - value) / (2 * GDYN_PI));
    return s->angle[c->index] = value;
}

static bool acts_at_joint(const gdyn_drive_def *drive) {
    return gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_AT_JOINT;
}

/* The drive that acts on a coordinate, from the one after `before` on (-1); -1: none. */
static int next_drive_at(const gdyn_model *model, const gdyn_joint_coordinate *c, int before) {
    for (int i = before + 1; i < gdyn_model_drives(model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(model, i);
        if (acts_at_joint(drive) && drive->joint == c->joint && drive->freedom == c->freedom)
            return i;
    }
    return -1;
}

/* Its name is that of the coordinate on which it acts, so that its columns are the same. */
static bool named_as_joint(const gdyn_model *model, int drive) {
    const gdyn_drive_def *d = gdyn_model_drive(model, drive);
    return acts_at_joint(d) && strcmp(d->name, gdyn_model_joint(model, d->joint)->name) == 0;
}

/* Position, speed, acceleration of every coordinate; those with drives also for the message. */
static void add_joints(step_table *s, const gdyn_step *step, const gdyn_path_rates *rates) {
    static const char *const key[] = {"positions", "velocities", "accelerations", "effort"};
    const gdyn_model *model = s->t->instance->model;
    const gdyn_state *state = gdyn_path_dynamics_state(step->dynamics);
    double d1 = step->at.d1, rate[2], *point = s->speed + gdyn_model_drives(model);
    int count = 0, room = 3 * gdyn_model_joints(model);
    /* the message ends with the motion, not with the step in which that comes to rest */
    const gdyn_motion_point *end = &s->t->traverse->point[s->t->traverse->points - 1];
    double last = step->at.t > end->t ? end->s2_before : step->at.d2;
    for (gdyn_joint_coordinate c = {0}; gdyn_joint_coordinate_next(model, &c);) {
        double q = gdyn_mech_joint_coordinate(state, c.joint, c.freedom);
        gdyn_mech_joint_rates(state, c.joint, c.freedom, rates, rate);
        double effort = 0;
        for (int i = next_drive_at(model, &c, -1); i >= 0; i = next_drive_at(model, &c, i))
            for (int row = s->t->rows - 1, seen = 0; row >= 0; row--)
                if (s->t->row[row].effort == i && !seen++)
                    effort += step->force[row];
        double value[] = {count_turns(s, &c, q), rate[0] * d1,
                          rate[0] * step->at.d2 + rate[1] * d1 * d1, effort};
        gdyn_csv_numbers(s->out, 3, value);
        for (int k = 0; next_drive_at(model, &c, -1) >= 0 && k < 4; k++)
            point[k * room + count] = k == 2 ? value[2] + rate[0] * (last - step->at.d2) : value[k];
        count += next_drive_at(model, &c, -1) >= 0;
    }
    if (!s->points)
        return;
    gdyn_json_open(s->points, NULL, '{');
    for (int k = 0; k < 4; k++)
        gdyn_json_put_numbers(s->points, key[k], count, point + k * room);
    double time = fmin(step->original.t, end->t);
    double whole = floor(time), rest = round(1e9 * (time - whole));
    gdyn_json_put_members(
        s->points, gdyn_json_object("time_from_start:o",
                                    gdyn_json_object("sec:i nanosec:i", (int)whole + (rest >= 1e9),
                                                     (int)fmod(rest, 1e9))));
    gdyn_json_close(s->points, '}');
}

/* Position and speed of every drive, pose of every tool of the path. */
static void add_drives(step_table *s, const gdyn_step *step) {
    const gdyn_state *state = gdyn_path_dynamics_state(step->dynamics);
    const gdyn_model *model = s->t->instance->model;
    gdyn_path_dynamics_speeds(step->dynamics, s->speed);
    for (int i = 0; i < gdyn_model_drives(model); i++)
        if (!named_as_joint(model, i))
            gdyn_csv_numbers(
                s->out, 2,
                (double[]){gdyn_mech_drive_coordinate(state, i), s->speed[i] * step->at.d1});
    const gdyn_path_def *def = gdyn_path_definition(s->t->path);
    bool flat = gdyn_model_space(model) == GDYN_PLANAR;
    for (int i = 0; i < s->tools; i++) {
        double pose[6] = {NAN, NAN, NAN, NAN, NAN, NAN}, r[3], R[9], tool[9];
        if (i < def->tools) {
            gdyn_state_point(state, &def->tool[i].of, pose);
            gdyn_state_body(state, def->tool[i].of.body, r, R);
            if (v3_norm(def->tool[i].cardan) > 0) {
                gdyn_rotation_from_cardan(tool, def->tool[i].cardan);
                gdyn_m3_multiply(R, R, tool);
            }
            follow(R, flat, s->begun, s->tool + 3 * i);
            memcpy(pose + 3, s->tool + 3 * i, 3 * sizeof *pose);
        }
        gdyn_csv_numbers(s->out, flat ? 2 : 6, pose);
        gdyn_csv_numbers(s->out, flat, pose + 5);
    }
}

static void add_equal_step(void *context, const gdyn_step *step) {
    step_table *s = context;
    const gdyn_sample *at = &step->original;
    gdyn_path_rates rates;
    gdyn_csv_word(s->out, s->t->name);
    gdyn_csv_numbers(s->out, 4, (const double[]){at->t, at->p, at->d1, at->d2});
    bool machine = gdyn_path_dynamics_motion(step->dynamics, &rates);
    if (machine)
        add_joints(s, step, &rates);
    gdyn_csv_numbers(s->out, s->t->rows, step->force);
    if (machine)
        add_drives(s, step);
    const double travel[] = {step->at.p, step->at.d1, step->at.d2};
    for (int k = 0; k < 3; k++)
        gdyn_csv_number(s->out, s->t->traverse->travels ? travel[k] : NAN);
    gdyn_csv_end(s->out);
    s->begun = true;
    gdyn_text_pass_on(s->out);
}

/* "elbow", or "wrist.x" of a joint with several freedoms. */
static void name_coordinate(const gdyn_model *model, const gdyn_joint_coordinate *c, size_t size,
                            char *name) {
    snprintf(name, size, "%s%s%s", gdyn_model_joint(model, c->joint)->name,
             c->count == 1 ? "" : ".", c->count == 1 ? "" : gdyn_freedom_name(c->freedom));
}

int gdyn_report_motion_tools(int count, const gdyn_trajectory *t) {
    int most = 0;
    for (int i = 0; i < count && t[i].path; i++)
        most = gdyn_path_definition(t[i].path)->tools > most
                   ? gdyn_path_definition(t[i].path)->tools
                   : most;
    return most;
}

void gdyn_report_motion_heads(gdyn_text *out, int count, const gdyn_trajectory *t) {
    gdyn_text_printf(out, "trajectory,t [s]");
    gdyn_csv_path_heads(out, gdyn_csv_unit_of_p(count, t), "p d1 d2");
    if (t->path) {
        static const char *const units[2][3] = {{"rad", "rad/s", "rad/s^2"}, {"m", "m/s", "m/s^2"}};
        static const char *const kinds[] = {"position", "speed", "acceleration"};
        for (gdyn_joint_coordinate c = {0}; gdyn_joint_coordinate_next(t->instance->model, &c);) {
            char name[160];
            name_coordinate(t->instance->model, &c, sizeof name, name);
            for (int k = 0; k < 3; k++)
                gdyn_csv_head(out, name, kinds[k], units[gdyn_freedom_slides(c.freedom)][k]);
        }
    }
    for (int row = 0; row < t->rows; row++)
        gdyn_csv_head(out, t->row[row].name, gdyn_limited_word(&t->row[row]), t->row[row].unit);
    if (t->path) {
        /* columns of drives and of tools: "tool.x", of several "tool2.x" */
        const gdyn_model *model = t->instance->model;
        bool flat = gdyn_model_space(model) == GDYN_PLANAR;
        for (int i = 0; i < gdyn_model_drives(model); i++)
            if (!named_as_joint(model, i))
                add_drive_heads(out, gdyn_model_drive(model, i)->name,
                                t->instance->drive_source[i].unit);
        for (int i = 0, tools = gdyn_report_motion_tools(count, t); i < tools; i++)
            for (int k = 0; k < (flat ? 3 : 6); k++)
                gdyn_csv_text(out, "tool%.0d.%s",
                              tools > 1 ? i + 1 : 0, /* no number if there is one */
                              (flat ? planar : spatial)[k]);
    }
    gdyn_text_printf(out, ",s [m],s1 [m/s],s2 [m/s^2]");
    gdyn_csv_end(out);
}

/* The names of the message's joints: those that drives act on; their number. */
static int put_joint_names(gdyn_json_writer *w, const gdyn_model *model) {
    int count = 0;
    gdyn_json_open(w, "joint_names", '[');
    for (gdyn_joint_coordinate c = {0}; gdyn_joint_coordinate_next(model, &c);) {
        char name[160];
        name_coordinate(model, &c, sizeof name, name);
        if (next_drive_at(model, &c, -1) >= 0 && ++count)
            gdyn_json_put_text(w, NULL, name);
    }
    gdyn_json_close(w, ']');
    return count;
}

gdyn_status gdyn_report_motion_rows(gdyn_text *out, gdyn_text *message, gdyn_trajectory *t,
                                    int tools, double step, gdyn_equal_steps *result) {
    gdyn_json_writer w = {.out = message, .layout = GDYN_JSON_COMPACT};
    step_table s = {.out = out, .t = t, .tools = tools};
    int joints = t->path ? gdyn_model_joints(t->instance->model) : 0;
    int drives = t->path ? gdyn_model_drives(t->instance->model) : 0;
    s.angle = gdyn_alloc((size_t)(15 * joints + drives + 3 * tools) + 1, sizeof *s.angle);
    if (!s.angle)
        return GDYN_ERROR_MEMORY;
    s.tool = s.angle + 3 * joints;
    s.speed = s.tool + 3 * tools; /* followed by room for a point of the message */
    gdyn_json_open(&w, NULL, '{');
    if (t->path && put_joint_names(&w, t->instance->model) > 0)
        s.points = &w;
    gdyn_json_open(&w, "points", '[');
    gdyn_status status = gdyn_equal_steps_visit(t, step, add_equal_step, &s, result);
    gdyn_json_close(&w, ']'), gdyn_json_close(&w, '}');
    gdyn_free(s.angle);
    if (gdyn_json_end(&w) != GDYN_OK)
        return GDYN_ERROR_MEMORY;
    if (!s.points)
        gdyn_text_free(message);
    return status == GDYN_OK && out->failed ? GDYN_ERROR_MEMORY : status;
}

/* --- where the bodies and drives of a machine are at the points of a motion ------------------- */

struct gdyn_pose_table {
    const gdyn_model *model;
    gdyn_text text;
    double *angles; /* 3 per body: those of the row before */
    double *speed;  /* of each drive for d1 = 1 */
    const gdyn_trajectory *t;
    bool begun; /* there is a row before: its angles go on */
};

static void pose_heads(gdyn_pose_table *table, const char *p_unit,
                       const gdyn_drive_source *source) {
    const gdyn_model *model = table->model;
    bool flat = gdyn_model_space(model) == GDYN_PLANAR;
    gdyn_text *out = &table->text;
    gdyn_text_printf(out, "trajectory,t [s]");
    gdyn_csv_path_heads(out, p_unit, "p");
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        const char *name = gdyn_model_body(model, i)->name;
        for (int k = 0; k < (flat ? 3 : 6); k++)
            gdyn_csv_text(out, "%s.%s", name, (flat ? planar : spatial)[k]);
    }
    for (int i = 0; i < gdyn_model_drives(model); i++)
        add_drive_heads(out, gdyn_model_drive(model, i)->name, source[i].unit);
    gdyn_csv_end(out);
}

gdyn_pose_table *gdyn_pose_table_create(int count, const gdyn_trajectory *t) {
    gdyn_pose_table *table = gdyn_alloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->model = t[0].instance->model;
    table->angles =
        gdyn_alloc(3 * (size_t)gdyn_model_bodies(table->model) + 1, sizeof *table->angles);
    table->speed = gdyn_alloc((size_t)gdyn_model_drives(table->model) + 1, sizeof *table->speed);
    if (!table->angles || !table->speed) {
        gdyn_pose_table_destroy(table);
        return NULL;
    }
    pose_heads(table, gdyn_csv_unit_of_p(count, t), t[0].instance->drive_source);
    return table;
}

void gdyn_pose_table_destroy(gdyn_pose_table *table) {
    if (table) {
        gdyn_text_free(&table->text);
        gdyn_free(table->angles), gdyn_free(table->speed), gdyn_free(table);
    }
}

gdyn_text *gdyn_pose_table_text(gdyn_pose_table *table) {
    return &table->text;
}

/* Origin and angles of every body. */
static void add_bodies(gdyn_pose_table *table, const gdyn_state *state) {
    bool flat = gdyn_model_space(table->model) == GDYN_PLANAR;
    gdyn_text *out = &table->text;
    for (int i = 0; i < gdyn_model_bodies(table->model); i++) {
        double r[3], R[9], x[3], *angles = table->angles + 3 * i;
        gdyn_anchor origin = {.body = i};
        gdyn_state_body(state, i, r, R);
        gdyn_state_point(state, &origin, x);
        follow(R, flat, table->begun, angles);
        for (int k = 0; k < (flat ? 2 : 3); k++)
            gdyn_csv_number(out, x[k]);
        for (int k = flat ? 2 : 0; k < 3; k++)
            gdyn_csv_number(out, angles[k]);
    }
}

void gdyn_pose_table_begin(gdyn_pose_table *table, const gdyn_trajectory *t) {
    table->t = t, table->begun = false;
}

void gdyn_pose_table_add(void *context, int sample, const gdyn_path_dynamics *dynamics) {
    gdyn_pose_table *table = context;
    const gdyn_trajectory *t = table->t;
    const gdyn_sample *at = &t->sample[sample];
    const gdyn_state *state = gdyn_path_dynamics_state(dynamics);
    gdyn_text *out = &table->text;
    if (!gdyn_path_dynamics_speeds(dynamics, table->speed))
        return;
    gdyn_csv_word(out, t->name);
    gdyn_csv_number(out, at->t);
    gdyn_csv_number(out, gdyn_trajectory_original(t, at).p);
    add_bodies(table, state);
    for (int i = 0; i < gdyn_model_drives(table->model); i++) {
        gdyn_csv_number(out, gdyn_mech_drive_coordinate(state, i));
        gdyn_csv_number(out, table->speed[i] * at->d1);
    }
    gdyn_csv_end(out);
    table->begun = true;
}
