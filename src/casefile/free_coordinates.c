/* free_coordinates.c - what a trajectory does with the freedoms that it leaves: null_motion, undriven. */
#include "casefile/trajectory.h"
#include "casefile/values.h"
#include "criteria/criteria.h"

/* joints: [j3, wrist.first] */
static void read_joints(gdyn_reader *r, gdyn_node *list, gdyn_freedom_def *out) {
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

void gdyn_read_freedoms(gdyn_reader *r, const gdyn_node *node, gdyn_freedom_def *out) {
    gdyn_node *best = gdyn_node_get(node, "null_motion");
    *out = (gdyn_freedom_def){.rule = gdyn_node_get(node, "undriven") ? GDYN_FREE_EQUILIBRIUM
                                                                      : GDYN_FREE_NORM};
    if (best && out->rule == GDYN_FREE_EQUILIBRIUM)
        gdyn_read_error(r, best,
                        "leave null_motion out: what balance leaves takes the least motion in the "
                        "norm of weights; or leave undriven out where every freedom has a drive",
                        GDYN_CODE_CONFLICT
                        "with undriven: equilibrium a null motion would leave the poses in which "
                        "the applied forces hold what no drive moves");
    if (!best || best->kind != GDYN_NODE_MAPPING)
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
        read_joints(r, joints, out);
}
