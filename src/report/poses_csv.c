/* poses_csv.c - where the bodies and drives of a machine are at the points of a motion.
 *
 * A body's pose is written as in a case file: the origin of the body's own frame, and its angle or
 * its Cardan angles R = Rx(a) Ry(b) Rz(c). (a, b, c) and (a + pi, pi - b, c + pi) are one rotation, and
 * so are full turns: the triple nearest to the one before is written, so that columns do not jump. */
#include "report/traverse.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/vec3.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct gdyn_pose_table {
    const gdyn_model *model;
    gdyn_text text;
    double *angles; /* 3 per body: those of the row before */
    double *speed;  /* of each drive for d1 = 1 */
    bool begun;     /* a row before belongs to the same trajectory */
};

static const char *const planar[] = {"x [m]", "y [m]", "angle [rad]"};
static const char *const spatial[] = {"x [m]", "y [m]", "z [m]", "a [rad]", "b [rad]", "c [rad]"};

/* Unit of a drive's coordinate, from that of its effort; a wrench of both has none. */
static const char *unit_of_drive(const gdyn_drive_source *source) {
    return strcmp(source->unit, "N") == 0 ? "m" : strcmp(source->unit, "N m") == 0 ? "rad" : "";
}

static void name_drive(gdyn_text *out, const char *name, const char *unit) {
    char speed[40] = "";
    if (*unit)
        snprintf(speed, sizeof speed, "%s/s", unit);
    gdyn_csv_head(out, name, "position", unit);
    gdyn_csv_head(out, name, "speed", speed);
}

static void header(gdyn_pose_table *table, const char *p_unit, const gdyn_drive_source *source) {
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
        name_drive(out, gdyn_model_drive(model, i)->name, unit_of_drive(&source[i]));
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
    header(table, gdyn_csv_unit_of_p(count, t), t[0].instance->drive_source);
    return table;
}

void gdyn_pose_table_destroy(gdyn_pose_table *table) {
    if (table) {
        gdyn_text_free(&table->text);
        gdyn_free(table->angles);
        gdyn_free(table->speed);
        gdyn_free(table);
    }
}

void gdyn_pose_table_begin(gdyn_pose_table *table) {
    if (table)
        table->begun = false;
}

gdyn_text *gdyn_pose_table_text(gdyn_pose_table *table) {
    return &table->text;
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

void gdyn_pose_table_add(gdyn_pose_table *table, const gdyn_trajectory *t, int sample,
                         const gdyn_path_dynamics *dynamics) {
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
