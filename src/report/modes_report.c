/* modes_report.c - modes of a machine as a block of a case and as a document. */
#include "report/report.h"

#include "report/number.h"

#include <math.h>
#include <stdio.h>

/* --- as part of a case ------------------------------------------------------------------------ */

/* Twelve digits: closing takes the rest. No -0, and no rounding of 0 where the numbers are of that
 * scale. */
static double plain(double value, double scale) {
    return fabs(value) < 1e-13 * scale ? 0 : value;
}

static void add_list(gdyn_text *out, int count, const double *value) {
    gdyn_text_printf(out, "[");
    for (int i = 0; i < count; i++)
        gdyn_text_printf(out, "%s%.12g", i ? ", " : "", value[i]);
    gdyn_text_printf(out, "]");
}

static void add_pose(gdyn_text *out, const gdyn_state *state, int body) {
    double origin[3], cardan[3];
    gdyn_state_pose_of(state, body, origin, cardan);
    for (int i = 0; i < 3; i++) {
        origin[i] = plain(origin[i], gdyn_model_length(gdyn_state_model(state)));
        cardan[i] = plain(cardan[i], 1);
    }
    if (gdyn_model_space(gdyn_state_model(state)) == GDYN_PLANAR) {
        add_list(out, 3, (double[3]){origin[0], origin[1], cardan[2]});
        return;
    }
    gdyn_text_printf(out, "{at: ");
    add_list(out, 3, origin);
    gdyn_text_printf(out, ", cardan: ");
    add_list(out, 3, cardan);
    gdyn_text_printf(out, "}");
}

void gdyn_report_modes_yaml(gdyn_text *out, const gdyn_modes *modes) {
    const gdyn_model *model = modes->instance->model;
    gdyn_text_printf(out, "  poses:\n");
    for (int i = 0; i < modes->count; i++) {
        gdyn_text_printf(out, "    m%d:\n", i + 1);
        for (int body = 0; body < gdyn_model_bodies(model); body++) {
            gdyn_text_printf(out, "      %s: ", gdyn_model_body(model, body)->name);
            add_pose(out, modes->mode[i].state, body);
            gdyn_text_printf(out, "\n");
        }
    }
}

/* --- as a document ---------------------------------------------------------------------------- */

static json_t *mode_object(const gdyn_modes *modes, int i) {
    static const char *const start[] = {"first guess", "mirrored legs", "sampled guess"};
    const gdyn_mode *mode = &modes->mode[i];
    json_t *reach = gdyn_json_map(), *blocked = gdyn_json_map();
    char name[24];
    for (int t = 0; t < modes->instance->trajectory_count; t++) {
        const char *trajectory = modes->instance->trajectory[t].name;
        json_object_set_new(reach, trajectory, gdyn_json_number(mode->reach[t]));
        json_object_set_new(blocked, trajectory, gdyn_json_number(mode->blocked[t]));
    }
    snprintf(name, sizeof name, "m%d", i + 1);
    const gdyn_model *model = gdyn_state_model(mode->state);
    json_t *poses = gdyn_json_map();
    for (int body = 0; body < gdyn_model_bodies(model); body++) {
        double origin[3], cardan[3];
        gdyn_state_pose_of(mode->state, body, origin, cardan);
        json_t *pose =
            gdyn_model_space(model) == GDYN_PLANAR
                ? gdyn_json_object("at:o angle:n", gdyn_json_numbers(2, origin), cardan[2])
                : gdyn_json_object("at:o cardan:o", gdyn_json_numbers(3, origin),
                                   gdyn_json_numbers(3, cardan));
        json_object_set_new(poses, gdyn_model_body(model, body)->name, pose);
    }
    return gdyn_json_object(
        "name:s found_by:s variants:i met:i residual:n freedom:i ranges_exceeded:i beyond:o "
        "reach:o singular_at:o joints:o poses:o",
        name, start[mode->start], mode->variants, mode->met, mode->residual, mode->freedom,
        mode->outside, gdyn_json_beyond(mode->state), reach, blocked, gdyn_json_joints(mode->state),
        poses);
}

gdyn_status gdyn_report_modes_json(gdyn_text *out, const gdyn_modes *modes) {
    json_t *list = gdyn_json_list(), *document = gdyn_json_document(modes->instance->name);
    for (int i = 0; i < modes->count; i++)
        json_array_append_new(list, mode_object(modes, i));
    gdyn_json_add(
        document,
        "held:s legs:i starts_mirrored:i starts_sampled:i met_once:i tool_poses:? modes:o",
        gdyn_mode_held_names[modes->held], modes->legs, modes->mirrored, modes->sampled,
        modes->once, modes->tool_poses > 0 ? json_integer(modes->tool_poses) : NULL, list);
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}
