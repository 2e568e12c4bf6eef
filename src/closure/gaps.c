/* gaps.c - which joints are open at a pose that does not close. */
#include "closure/gaps.h"

#include "base/memory.h"

#include <math.h>

static const double WORTH_NAMING = 0.1; /* of the worst */
static const double ACROSS = 0.5;       /* sine of the angle that axes miss: 30 degrees */

/* Greatest residual of a joint's rows as a share of L or in radians; *row is where. */
static double joint_gap(const gdyn_model *model, const double *phi, int joint, int *row) {
    int first, count, pfaffian_first, pfaffian_count;
    gdyn_model_joint_rows(model, joint, &first, &count, &pfaffian_first, &pfaffian_count);
    double worst = -1;
    *row = first;
    for (int i = first; i < first + count; i++) {
        double L = gdyn_mech_row_is_length(model, i) ? gdyn_model_length(model) : 1;
        if (fabs(phi[i]) / L > worst) {
            worst = fabs(phi[i]) / L;
            *row = i;
        }
    }
    return worst;
}

static int worst_joint(const gdyn_model *model, const double *phi, double *most) {
    int worst = -1, row;
    *most = 0;
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        double gap = joint_gap(model, phi, j, &row);
        if (gap > *most) {
            *most = gap;
            worst = j;
        }
    }
    return worst;
}

/* Joints that stay open, the worst one first; *count may exceed `most`. */
gdyn_status gdyn_gaps_find(const gdyn_state *state, int most, gdyn_gap *list, int *count) {
    const gdyn_model *model = gdyn_state_model(state);
    double *phi = gdyn_alloc((size_t)gdyn_model_holonomic(model) + 1, sizeof *phi), greatest;
    *count = 0;
    if (!phi)
        return GDYN_ERROR_MEMORY;
    gdyn_mech_constraints(state, phi);
    int worst = worst_joint(model, phi, &greatest), row;
    for (int k = -1; worst >= 0 && k < gdyn_model_joints(model); k++) { /* the worst one first */
        int joint = k < 0 ? worst : k;
        /* no more than rounding beside the worst one */
        if (k == worst || joint_gap(model, phi, joint, &row) < WORTH_NAMING * greatest)
            continue;
        if (*count < most) {
            list[*count] =
                (gdyn_gap){joint, fabs(phi[row]), gdyn_mech_row_is_length(model, row) != 0};
        }
        ++*count;
    }
    gdyn_free(phi);
    return GDYN_OK;
}

/* Joints whose axes the guess turns across: Newton's method cannot know the way round. */
gdyn_status gdyn_gaps_axes_across(const gdyn_model *model, int most, int *joint, int *count) {
    gdyn_state *state = gdyn_state_create(model);
    double *phi = gdyn_alloc((size_t)gdyn_model_holonomic(model) + 1, sizeof *phi);
    gdyn_status status = state && phi ? GDYN_OK : GDYN_ERROR_MEMORY;
    *count = 0;
    if (status == GDYN_OK)
        gdyn_mech_constraints(state, phi);
    for (int i = 0; status == GDYN_OK && i < gdyn_model_holonomic(model); i++) {
        int own = gdyn_model_row_joint(model, i);
        int before = i > 0 ? gdyn_model_row_joint(model, i - 1) : -1;
        /* angles of joints with points: gears have none */
        bool angle = !gdyn_mech_row_is_length(model, i) && own >= 0 &&
                     gdyn_joint_type_has_points(gdyn_model_joint(model, own)->type);
        if (!angle || fabs(phi[i]) < ACROSS || (*count > 0 && own == before))
            continue;
        if (*count < most)
            joint[*count] = own;
        ++*count;
    }
    gdyn_free(phi);
    gdyn_state_destroy(state);
    return status;
}
