/* examination_json.c - what a machine is, as one document; or what a case without machine is
 * about. */
#include "report/report.h"

#include "report/number.h"

#include "closure/closure.h"

#include <math.h>
#include <string.h>

/* Range by range: its ends, the travel along the path, the margin. */
static json_t *travel_objects(const gdyn_model *model, const gdyn_travel *travel) {
    json_t *ranges = gdyn_json_map();
    for (int i = 0; i < gdyn_model_ranges(model); i++) {
        const gdyn_range_def *def = gdyn_model_range(model, i);
        const gdyn_travel *t = &travel[i];
        json_object_set_new(
            ranges, def->name,
            gdyn_json_object(
                "unit:s min:n max:n least:n least_p:n greatest:n greatest_p:n margin:n "
                "margin_p:n share:n points_outside:i",
                gdyn_model_range_slides(model, i) ? "m" : "rad", def->min, def->max, t->least,
                t->least_p, t->greatest, t->greatest_p, t->margin, t->margin_p, t->share,
                t->outside));
    }
    return ranges;
}

static json_t *near_object(const gdyn_model *model, const gdyn_near *near) {
    if (near->first < 0)
        return json_null();
    return gdyn_json_object("distance:n between:s and:s p:n interferes:b", near->distance,
                            gdyn_shape_owner(model, near->first),
                            gdyn_shape_owner(model, near->second), near->p,
                            gdyn_near_interferes(near));
}

json_t *gdyn_json_failure(const gdyn_trajectory *t) {
    const gdyn_followed *f = &t->followed;
    return isnan(f->failure_p)
               ? json_null()
               : gdyn_json_object("p:n text:s reason:s help:s", f->failure_p, f->failure_text,
                                  f->advice.reason, f->advice.help);
}

static json_t *follow_object(const gdyn_trajectory *t) {
    const gdyn_followed *f = &t->followed;
    const gdyn_track *track = t->track;
    /* Singular poses on the way, and the closest approach to one. */
    const gdyn_singularities *s = t->singular;
    json_t *singular = gdyn_json_object(
        "places:o least_drives:n least_drives_p:n least_constraints:n least_constraints_p:n",
        gdyn_json_singularities(s), s->least, s->least_p, s->least_rank, s->least_rank_p);
    /* Numbers of the whole path, then the first failure. */
    return gdyn_json_object("reach:n ranges:o worst_residual:n points:i pose_error:n entered_p:n "
                            "returns:b singular:o clearance:o null_motion:? first_failure:o",
                            track->reach, travel_objects(t->model, track->travel),
                            f->worst_residual, track->points, f->pose_error, track->entered_p,
                            track->returns, singular, near_object(t->model, &t->near),
                            gdyn_json_null_motion(t->instance, t->name), gdyn_json_failure(t));
}

/* A number that is known once the machine is assembled. */
static json_t *once_known(const gdyn_examination *e, int value) {
    return e->assembled ? json_integer(value) : json_null();
}

/* Coordinates of the joints at the first guess, assembled or as near to it as it came. */
json_t *gdyn_json_joints(const gdyn_state *state) {
    const gdyn_model *model = gdyn_state_model(state);
    json_t *joints = gdyn_json_map();
    for (int j = 0; j < gdyn_model_joints(model); j++)
        json_object_set_new(joints, gdyn_model_joint(model, j)->name, gdyn_json_map());
    for (gdyn_joint_coordinate c = {0}; gdyn_joint_coordinate_next(model, &c);)
        json_object_set_new(
            json_object_get(joints, gdyn_model_joint(model, c.joint)->name),
            gdyn_freedom_name(c.freedom),
            gdyn_json_number(gdyn_mech_joint_within_turn(state, c.joint, c.freedom)));
    return joints;
}

/* Joints that stay open, by how much in m or rad. */
static json_t *open_joints(const gdyn_examination *e) {
    enum { MOST = 64 };
    gdyn_gap gap[MOST];
    int count = 0;
    json_t *joints = gdyn_json_map();
    if (e->assembled || gdyn_gaps_find(e->guess.state, MOST, gap, &count) != GDYN_OK)
        return joints;
    for (int i = 0; i < count && i < MOST; i++)
        json_object_set_new(
            joints, gdyn_model_joint(e->model, gap[i].joint)->name,
            gdyn_json_object("gap:n unit:s", gap[i].amount, gap[i].length ? "m" : "rad"));
    return joints;
}

json_t *gdyn_json_null_motion(const gdyn_instance *instance, const char *trajectory) {
    for (int t = 0; instance && instance->settled && t < instance->trajectory_count; t++) {
        const gdyn_settled *end = &instance->settled[t];
        const gdyn_freedom_def *wish = &instance->trajectory_freedom[t];
        if (end->tried > 0 && strcmp(instance->trajectory[t].name, trajectory) == 0)
            return gdyn_json_object(
                "best:s value:n least_weighted:n evaluations:i limit:i ended_by:s",
                gdyn_criterion_table[wish->criterion].name, end->best, end->norm, end->tried,
                wish->evaluations, end->settled ? "local optimum" : "evaluations");
    }
    return NULL;
}

json_t *gdyn_json_beyond(const gdyn_state *state) {
    const gdyn_model *model = gdyn_state_model(state);
    json_t *ranges = gdyn_json_map();
    for (int r = 0; r < gdyn_model_ranges(model); r++) {
        double beyond = gdyn_mech_range_beyond(state, r);
        if (beyond > 0)
            json_object_set_new(ranges, gdyn_model_range(model, r)->name,
                                gdyn_json_object("by:n unit:s", beyond,
                                                 gdyn_model_range_slides(model, r) ? "m" : "rad"));
    }
    return ranges;
}

static json_t *machine_document(const gdyn_examination *e) {
    const gdyn_model *model = e->model;
    const gdyn_mobility *m = &e->guess.mobility;
    bool known = e->assembled;
    json_t *document = gdyn_json_document(e->instance->name);
    /* What depends on the assembled pose is null until the machine closes. */
    gdyn_json_add(
        document,
        "bodies:i joints:i loops:i mass:n length:n mobility:o gruebler:o coordinates:i "
        "constraints:i rank:o "
        "redundant_constraints:o gap:n singular_values_at_cut:o drives:i drive_redundancy:o "
        "controlled_freedoms:o assembly:o joint_values:o",
        gdyn_model_bodies(model), gdyn_model_joints(model), e->loops, gdyn_model_mass(model),
        gdyn_model_length(model), once_known(e, m->mobility), once_known(e, m->gruebler),
        gdyn_model_coordinates(model), gdyn_model_holonomic(model) + gdyn_model_pfaffian(model),
        once_known(e, m->rank.rank), once_known(e, m->redundant), known ? m->rank.gap : NAN,
        known ? gdyn_json_pair(m->rank.above, m->rank.below) : json_null(),
        gdyn_model_drives(model), once_known(e, e->guess.redundancy),
        once_known(e, e->guess.controlled),
        gdyn_json_object("closes:b residual:n text:s open_joints:o beyond:o clearance:o", known,
                         e->guess.info.residual, e->assembly_text, open_joints(e),
                         gdyn_json_beyond(e->guess.state), near_object(model, &e->near)),
        gdyn_json_joints(e->guess.state));
    return document;
}

gdyn_status gdyn_report_examination_json(gdyn_text *out, const gdyn_examination *e) {
    json_t *document = machine_document(e), *trajectories = gdyn_json_map();
    for (int i = 0; i < e->opened; i++)
        json_object_set_new(trajectories, e->trajectory[i].name, follow_object(&e->trajectory[i]));
    json_object_set_new(document, "trajectories", trajectories);
    json_object_set_new(document, "passes", json_boolean(gdyn_examination_good(e)));
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}

gdyn_status gdyn_report_goals_json(gdyn_text *out, const gdyn_instance *in) {
    json_t *variables = gdyn_json_list(), *objectives = gdyn_json_list(),
           *constraints = gdyn_json_list();
    for (int i = 0; i < in->design_count; i++)
        json_array_append_new(variables, json_string(in->design[i].name));
    for (int i = 0; i < in->objective_count; i++)
        json_array_append_new(objectives, json_string(in->objective[i].name));
    for (int i = 0; i < in->requirement_count; i++)
        json_array_append_new(constraints, json_string(in->requirement[i].name));
    json_t *document = gdyn_json_document(in->name);
    gdyn_json_add(document, "design:o objectives:o constraints:o", variables, objectives,
                  constraints);
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}
