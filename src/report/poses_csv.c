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

struct gdyn_pose_table {
    const gdyn_model *model;
    gdyn_text text;
    double *angles; /* 3 per body: those of the row before */
    bool begun;     /* a row before belongs to the same trajectory */
};

static const char *const planar[] = {"x [m]", "y [m]", "angle [rad]"};
static const char *const spatial[] = {"x [m]", "y [m]", "z [m]", "a [rad]", "b [rad]", "c [rad]"};

static void header(gdyn_pose_table *table, const char *unit_of_p, const char *const *unit) {
    const gdyn_model *model = table->model;
    bool flat = gdyn_model_space(model) == GDYN_PLANAR;
    gdyn_text *out = &table->text;
    gdyn_text_printf(out, "trajectory,t [s],p%s%s%s", *unit_of_p ? " [" : "", unit_of_p,
                     *unit_of_p ? "]" : "");
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        const char *name = gdyn_model_body(model, i)->name;
        for (int k = 0; k < (flat ? 3 : 6); k++)
            gdyn_csv_text(out, "%s.%s", name, (flat ? planar : spatial)[k]);
    }
    for (int i = 0; i < gdyn_model_drives(model); i++) {
        const char *name = gdyn_model_drive(model, i)->name;
        if (*unit[i]) {
            gdyn_csv_text(out, "%s.position [%s]", name, unit[i]);
            gdyn_csv_text(out, "%s.speed [%s/s]", name, unit[i]);
        } else {
            gdyn_csv_text(out, "%s.position", name);
            gdyn_csv_text(out, "%s.speed", name);
        }
    }
    gdyn_csv_end(out);
}

gdyn_pose_table *gdyn_pose_table_create(const gdyn_model *model, const char *unit_of_p,
                                        const char *const *unit) {
    gdyn_pose_table *table = gdyn_alloc(1, sizeof *table);
    size_t bodies = (size_t)gdyn_model_bodies(model);
    double *angles = gdyn_alloc(3 * bodies + 1, sizeof *angles);
    if (!table || !angles) {
        gdyn_free(table);
        gdyn_free(angles);
        return NULL;
    }
    table->model = model;
    table->angles = angles;
    header(table, unit_of_p, unit);
    return table;
}

void gdyn_pose_table_destroy(gdyn_pose_table *table) {
    if (table) {
        gdyn_text_free(&table->text);
        gdyn_free(table->angles);
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

void gdyn_pose_table_add(gdyn_pose_table *table, const char *trajectory, double t, double p,
                         const gdyn_state *state, const double *speed, double d1) {
    bool flat = gdyn_model_space(table->model) == GDYN_PLANAR;
    gdyn_text *out = &table->text;
    gdyn_csv_text(out, "%s", trajectory);
    gdyn_csv_number(out, t);
    gdyn_csv_number(out, p);
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
    for (int i = 0; i < gdyn_model_drives(table->model); i++) {
        gdyn_csv_number(out, gdyn_mech_drive_coordinate(state, i));
        gdyn_csv_number(out, speed[i] * d1);
    }
    gdyn_csv_end(out);
    table->begun = true;
}
