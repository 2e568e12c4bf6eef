/* place.c - the machine closed at given independent coordinates, y_c = y_c(z).
 *
 * Loops in closed form first (loops.c), then Newton steps in joint coordinates that leave z alone;
 * the factors of the pose before serve while they bring a tenth, then those of the present pose. */
#include "tree/internal.h"

#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

enum { STEPS = 30 };
/* Residuals over L (or rad): rounding; closed. */
static const double ROUNDING = 1e-15, CLOSED = 1e-12;

/* Residuals of the closing rows with the opposite sign; returns the largest scaled one. */
static double residual(const gdyn_tree_dynamics *d, const gdyn_state *state) {
    double most = 0;
    for (int i = 0; i < d->closing; i++) {
        int row = d->tree->row[i];
        double r = row < d->tree->model->m ? gdyn_mech_constraint(state, row) : 0;
        if (!isfinite(r))
            return INFINITY;
        d->known[i] = -r;
        most = fmax(most, fabs(r) * d->pose->row_scale[i]);
    }
    return most;
}

/* Newton steps from `to`, whose z are right. */
static void correct(gdyn_tree_dynamics *d, gdyn_state *to, gdyn_tree_placed *placed) {
    const gdyn_tree_leeway *at = &d->here;
    double here = residual(d, to);
    for (int i = 0; i < STEPS && here > ROUNDING; i++) {
        bool fresh = !at;
        if (fresh && !gdyn_tree_leeway_at(d, &d->near, to))
            break;
        at = fresh ? &d->near : at;
        /* with z kept; not finite where the conditions are singular for this choice */
        double sum = 0;
        gdyn_tree_solve_dependent(d, at, d->known, d->dq);
        for (int j = 0; j < d->condition.freedom; j++)
            d->dq[d->z[j]] = 0;
        for (int c = 0; c < d->nq; c++)
            sum += 0 * d->dq[c];
        if (sum != 0)
            break;
        gdyn_tree_move(d->near.pose, to, d->dq, d->trial);
        double next = residual(d, d->trial);
        if (next < here || (fresh && here > CLOSED && next < INFINITY)) {
            gdyn_state_copy(to, d->trial);
            placed->iterations++;
        } else if (fresh || here <= CLOSED) {
            break;
        } else {
            residual(d, to);
        }
        at = next < 0.1 * here ? at : NULL;
        here = next < here || fresh ? next : here;
    }
    placed->residual = residual(d, to);
    placed->closed = placed->residual <= CLOSED;
}

void gdyn_tree_place(gdyn_tree_dynamics *d, const double *dz, gdyn_state *to,
                     gdyn_tree_placed *placed) {
    double time = to->time;
    *placed = (gdyn_tree_placed){0};
    memset(d->dq, 0, (size_t)d->nq * sizeof *d->dq);
    for (int j = 0; j < d->condition.freedom; j++)
        d->dq[d->z[j]] = dz[j];
    if (gdyn_tree_close_loops(d, d->dq, to))
        placed->explicitly = d->loops;
    for (int c = 0; c < d->nq; c++) /* the rest to first order */
        for (int j = 0; !d->settled[c] && j < d->condition.freedom; j++)
            d->dq[c] += d->here.K[(size_t)d->nq * (size_t)j + (size_t)c] * dz[j];
    gdyn_tree_move(d->near.pose, d->state, d->dq, to);
    gdyn_state_set_time(to, time), gdyn_state_set_time(d->trial, time);
    correct(d, to, placed);
    gdyn_state_set_time(to, time);
}

void gdyn_tree_displacement_rates(const gdyn_tree_dynamics *d, const double *dz, const double *zdot,
                                  double *rate) {
    int f = d->condition.freedom;
    memcpy(rate, zdot, (size_t)f * sizeof *rate);
    for (int j = 0; j + 2 < f; j++) {
        int c = d->z[j], body = d->tree->screw_body[c];
        const gdyn_screw *s = d->tree->screw + c;
        /* three turns about the axes of one body, all among z: x', y', z' of its rotation vector */
        bool ball = d->z[j + 2] == c + 2 && d->tree->screw_body[c + 2] == body && s[0].turns &&
                    s[1].turns && s[2].turns && !s[0].in_a && !s[1].in_a && !s[2].in_a;
        if (!ball)
            continue;
        gdyn_rotation_vector_rate(rate + j, dz + j, zdot + j);
        j += 2;
    }
}
