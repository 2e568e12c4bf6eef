/* constraints.c - residuals, Jacobian C = [Phi; Psi] and curvature of all rows. */
#include "mech/row.h"
#include "mech/state.h"

#include "base/pi.h"

#include <string.h>

/* Residual; turns that are not counted are taken the short way round. */
double gdyn_mech_constraint(const gdyn_state *state, int i) {
    const gdyn_row *row = &state->model->row[i];
    /* less a constant, or a motion's displacement at the state's time */
    int owner = state->model->row_joint[i];
    const gdyn_expr *moved =
        owner < 0 ? state->model->machine->motion[-1 - owner].displacement : NULL;
    double target = owner >= 0 ? row->target : moved ? gdyn_expr_value(moved, &state->time) : 0.0;
    double phi = gdyn_row_value(state, row) - target;
    return row->kind == GDYN_ROW_TURN && row->turn < 0 ? remainder(phi, 2.0 * GDYN_PI) : phi;
}

void gdyn_mech_constraints(const gdyn_state *state, double *phi) {
    for (int i = 0; i < state->model->m; i++)
        phi[i] = gdyn_mech_constraint(state, i);
}

/* Row by row, from the derivative of each. */
void gdyn_mech_jacobian(const gdyn_state *state, double *C) {
    const gdyn_model *model = state->model;
    int rows = model->m + model->h;
    memset(C, 0, (size_t)rows * (size_t)model->n * sizeof *C);
    for (int i = 0; i < rows; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->row[i], &jacobian);
        gdyn_row_scatter(state, &jacobian, 1.0, C, rows, i);
    }
}

/* J'[u] v, without forming J'. */
void gdyn_mech_jacobian_rate(const gdyn_state *state, const double *u, const double *along,
                             double *out) {
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->m + model->h; i++)
        out[i] = gdyn_row_rate(state, &model->row[i], u, along);
}

/* J'[u] u, which constraints add to accelerations. */
void gdyn_mech_curvature(const gdyn_state *state, const double *u, double *gamma) {
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->m + model->h; i++)
        gamma[i] = gdyn_row_curvature(state, &model->row[i], u);
}

/* First and second derivative of the prescribed motions in time. */
void gdyn_mech_motion_rates(const gdyn_state *state, double *rate, double *acceleration) {
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->m + model->h; i++) {
        rate[i] = acceleration[i] = 0.0;
        int owner = model->row_joint[i];
        if (owner >= 0 || !model->machine->motion[-1 - owner].displacement)
            continue;
        double jet[3];
        gdyn_expr_jet(model->machine->motion[-1 - owner].displacement, &state->time, 0, jet);
        rate[i] = jet[1];
        acceleration[i] = jet[2];
    }
}

int gdyn_mech_row_is_length(const gdyn_model *model, int row) {
    return model->row[row].length;
}

void gdyn_mech_scales(const gdyn_model *model, double *row_scale, double *column_scale) {
    /* Unknowns: translations as they are, rotations times L; rows: lengths as they are, angles
     * times L. Then C_s is free of units and J's entries are of order one. */
    double L = model->length;
    if (row_scale)
        for (int i = 0; i < model->m + model->h; i++)
            row_scale[i] = model->row[i].length ? 1.0 : L;
    if (column_scale)
        for (int j = 0; j < model->n; j++)
            column_scale[j] =
                j % model->per_body < model->per_body / 2 + (model->per_body == 3) ? 1.0 : 1.0 / L;
}
