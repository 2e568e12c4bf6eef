/* constraints.c - residuals, Jacobian C = [Phi; Psi] and curvature of all rows; the papers' form in
 * z (Cardan rates): C_z = C S with u = S z'. */
#include "linalg/vec3.h"
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

/* omega = W cardan' in ground axes. */
static void rate_matrix(const gdyn_state *state, int body, double W[9]) {
    double cardan[3];
    gdyn_state_cardan(state, body, cardan);
    gdyn_cardan_rates(cardan, W);
    gdyn_m3_multiply(W, state->chart + 9 * body, W);
}

/* C by Cardan angles in place of angular velocity. */
void gdyn_mech_jacobian_z(const gdyn_state *state, double *Cz) {
    const gdyn_model *model = state->model;
    size_t rows = (size_t)(model->m + model->h);
    gdyn_mech_jacobian(state, Cz);
    if (model->per_body == 3)
        return;
    /* velocities of rotation are W times the Cardan rates */
    for (int body = 0; body < model->machine->bodies; body++) {
        double W[9], *block = Cz + rows * (size_t)(6 * body + 3);
        rate_matrix(state, body, W);
        for (size_t i = 0; i < rows; i++) {
            double j[3] = {block[i], block[i + rows], block[i + 2 * rows]};
            for (size_t k = 0; k < 3; k++)
                block[i + k * rows] = v3_dot(j, W + 3 * k);
        }
    }
}

/* x = W^{-1} w. */
static void solve3(const double W[9], const double w[3], double x[3]) {
    double c[3], d[3], e[3];
    v3_cross(c, W + 3, W + 6);
    v3_cross(d, W + 6, W);
    v3_cross(e, W, W + 3);
    double det = v3_dot(W, c);
    v3_set(x, v3_dot(c, w) / det, v3_dot(d, w) / det, v3_dot(e, w) / det);
}

/* to := from with every body's rotation part taken by W, or by W^-1. */
static void convert(const gdyn_state *state, const double *from, double *to, bool inverse) {
    const gdyn_model *model = state->model;
    memmove(to, from, (size_t)model->n * sizeof *to);
    if (model->per_body == 3)
        return;
    for (int body = 0; body < model->machine->bodies; body++) {
        double W[9], *w = to + 6 * body + 3;
        rate_matrix(state, body, W);
        if (inverse)
            solve3(W, w, w);
        else
            m3_apply(w, W, w);
    }
}

void gdyn_mech_u_from_rates(const gdyn_state *state, const double *zdot, double *u) {
    convert(state, zdot, u, false);
}

void gdyn_mech_rates_from_u(const gdyn_state *state, const double *u, double *zdot) {
    convert(state, u, zdot, true);
}

/* Accelerations of z from those of u. */
void gdyn_mech_accelerations_from_u(const gdyn_state *state, const double *u, const double *udot,
                                    double *zddot) {
    const gdyn_model *model = state->model;
    memmove(zddot, udot, (size_t)model->n * sizeof *zddot);
    if (model->per_body == 3)
        return;
    /* u' = W phi'' + W' phi': the second part is taken away, the rest solved for phi'' */
    for (int body = 0; body < model->machine->bodies; body++) {
        double W[9], Gdot[9], rates[3], cardan[3], extra[3], *a = zddot + 6 * body + 3;
        rate_matrix(state, body, W);
        solve3(W, u + 6 * body + 3, rates);
        gdyn_state_cardan(state, body, cardan);
        gdyn_cardan_rates_dot(cardan, rates, Gdot);
        m3_apply(extra, Gdot, rates);
        m3_apply(extra, state->chart + 9 * body, extra);
        v3_sub(a, a, extra);
        solve3(W, a, a);
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
