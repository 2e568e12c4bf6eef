/* gaps.c - which joints are open at a pose that does not close. */
#include "closure/closure.h"

#include <math.h>

static const double WORTH_NAMING = 0.1; /* of the worst */
static const double ACROSS = 0.5;       /* sine of the angle that axes miss: 30 degrees */

/* Greatest residual of a joint's rows as a share of L or in radians; *row is where. */
static double joint_gap(const gdyn_state *state, int joint, int *row) {
    const gdyn_model *model = gdyn_state_model(state);
    int first, count, pfaffian_first, pfaffian_count;
    gdyn_model_joint_rows(model, joint, &first, &count, &pfaffian_first, &pfaffian_count);
    double worst = -1;
    *row = first;
    for (int i = first; i < first + count; i++) {
        double L = gdyn_mech_row_is_length(model, i) ? gdyn_model_length(model) : 1;
        double gap = fabs(gdyn_mech_constraint(state, i)) / L;
        if (gap > worst)
            worst = gap, *row = i;
    }
    return worst;
}

/* Joints that stay open, the worst one first; *count may exceed `most`. */
gdyn_status gdyn_gaps_find(const gdyn_state *state, int most, gdyn_gap *list, int *count) {
    const gdyn_model *model = gdyn_state_model(state);
    int worst = -1, row;
    double greatest = 0;
    *count = 0;
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        double gap = joint_gap(state, j, &row);
        if (gap > greatest)
            greatest = gap, worst = j;
    }
    for (int k = -1; worst >= 0 && k < gdyn_model_joints(model); k++) { /* the worst one first */
        int joint = k < 0 ? worst : k;
        /* no more than rounding beside the worst one */
        if (k == worst || joint_gap(state, joint, &row) < WORTH_NAMING * greatest)
            continue;
        if (*count < most)
            list[*count] = (gdyn_gap){joint, fabs(gdyn_mech_constraint(state, row)),
                                      gdyn_mech_row_is_length(model, row) != 0};
        ++*count;
    }
    return GDYN_OK;
}

/* Joints whose axes the guess turns across: Newton's method cannot know the way round. */
gdyn_status gdyn_gaps_axes_across(const gdyn_model *model, int most, int *joint, int *count) {
    gdyn_state *state = gdyn_state_create(model);
    *count = 0;
    for (int i = 0; state && i < gdyn_model_holonomic(model); i++) {
        int own = gdyn_model_row_joint(model, i);
        int before = i > 0 ? gdyn_model_row_joint(model, i - 1) : -1;
        /* angles of joints with points: gears have none */
        bool angle = !gdyn_mech_row_is_length(model, i) && own >= 0 &&
                     gdyn_joint_type_has_points(gdyn_model_joint(model, own)->type);
        if (!angle || fabs(gdyn_mech_constraint(state, i)) < ACROSS ||
            (*count > 0 && own == before))
            continue;
        if (*count < most)
            joint[*count] = own;
        ++*count;
    }
    gdyn_state_destroy(state);
    return state ? GDYN_OK : GDYN_ERROR_MEMORY;
}
