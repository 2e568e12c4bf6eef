/* home.c - a pose by values of joint coordinates.
 *
 * The machine is assembled from its first guess. Joints of the spanning tree then move to their
 * values, those without one keep theirs; loops that this opens are closed again with the values as
 * targets, so that other joints give way. */
#include "closure/internal.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* The joints of the tree, by Newton's method: each value is a coordinate, or one of several. */
static gdyn_status move_joints(int count, const gdyn_joint_value *joint, const gdyn_target *target,
                               gdyn_state *state) {
    enum { STEPS = 20 };
    const double MET = 1e-14;
    const gdyn_model *model = gdyn_state_model(state);
    int n = gdyn_tree_coordinates(gdyn_model_tree(model));
    gdyn_tree_pose *pose = gdyn_tree_pose_create(gdyn_model_tree(model), 0);
    gdyn_state *moved = gdyn_state_clone(state);
    double *dq = gdyn_alloc(2 * (size_t)n + 1, sizeof *dq), *row = dq + n, most = 1;
    bool room = pose && moved && dq;
    for (int step = 0; room && step < STEPS && most > MET; step++) {
        gdyn_tree_pose_set(pose, state);
        memset(dq, 0, (size_t)n * sizeof *dq);
        most = 0;
        for (int k = 0; k < count; k++) {
            gdyn_row_jacobian jacobian;
            double missing = target[k].target[0] - gdyn_row_value(state, &target[k].row);
            double square = 0;
            if (!gdyn_tree_takes(gdyn_model_tree(model), joint[k].joint))
                continue;
            gdyn_row_derivative(state, &target[k].row, &jacobian);
            gdyn_tree_row(pose, &jacobian, row);
            for (int c = 0; c < n; c++)
                square += row[c] * row[c];
            for (int c = 0; c < n && square > 0; c++)
                dq[c] += row[c] * missing / square;
            most = fmax(most, fabs(missing));
        }
        gdyn_tree_move(pose, state, dq, moved);
        gdyn_state_copy(state, moved);
        /* full turns are those of the values */
        for (int k = 0; k < count; k++)
            if (target[k].row.kind == GDYN_ROW_TURN && target[k].row.turn >= 0)
                state->turn[target[k].row.turn] = joint[k].value;
    }
    gdyn_tree_pose_destroy(pose);
    gdyn_state_destroy(moved);
    gdyn_free(dq);
    return room ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_closure_home(int count, const gdyn_joint_value *joint, gdyn_state *state,
                              gdyn_closure_info *info) {
    const gdyn_model *model = gdyn_state_model(state);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure *closure = gdyn_closure_create(model, count);
    gdyn_target *target = gdyn_alloc((size_t)count + 1, sizeof *target);
    gdyn_status status = GDYN_ERROR_MEMORY;
    bool known;
    if (closure && target) {
        for (int k = 0; k < count; k++)
            target[k] = (gdyn_target){
                .row = gdyn_row_joint(model, joint[k].joint, joint[k].freedom, &known),
                .target = {joint[k].value}};
        /* joints that have no value keep that of the assembled first guess */
        status = gdyn_closure_solve(closure, state, 0, NULL, &settings, info);
        if (status == GDYN_OK)
            status = move_joints(count, joint, target, state);
        if (status == GDYN_OK)
            status = gdyn_closure_solve(closure, state, count, target, &settings, info);
        gdyn_state_accept(state);
    }
    gdyn_closure_destroy(closure);
    gdyn_free(target);
    return status;
}
