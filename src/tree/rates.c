/* rates.c - velocities and accelerations along a path in joint coordinates.
 *
 *   K q_p  = [0; R'],                              u_p  = J q_p
 *   K q_pp = [0; R''] - gamma(u_p) - C bias(q_p),  u_pp = J q_pp + bias(q_p)
 *
 * with K the conditions on q', C their rows on u and gamma = C' u_p. The joints of the tree need no
 * row: their share of gamma is in the bias. */
#include "tree/internal.h"

#include <math.h>
#include <string.h>

/* Largest scaled right-hand side. */
static double size_of(const gdyn_tree_pose *pose, const double *b) {
    double size = 0;
    for (int i = 0; i < pose->tree->closing + pose->targets; i++)
        size = fmax(size, pose->row_scale[i] * fabs(b[i]));
    return size;
}

/* Largest residual of the conditions  row u = b  over the given size; none where all are
 * independent. */
static double misfit_beside(const gdyn_tree_pose *pose, const double *u, const double *b,
                            double size) {
    const gdyn_tree *tree = pose->tree;
    int rows = tree->closing + pose->targets;
    double worst = 0;
    for (int i = 0; pose->table.steps < rows && i < rows; i++)
        worst = fmax(worst, pose->row_scale[i] *
                                fabs(gdyn_row_speed(pose->state, &pose->jacobian[i], u) - b[i]));
    return size > 0 ? worst / size : worst;
}

void gdyn_tree_rates(gdyn_tree_pose *pose, const double *first, const double *second, double *u_p,
                     double *u_pp, double misfit[2]) {
    const gdyn_tree *tree = pose->tree;
    int closing = tree->closing, rows = closing + pose->targets;
    double *bias = pose->u;
    for (int i = 0; i < rows; i++)
        pose->next[i] = i < closing ? 0 : first[i - closing];
    gdyn_tree_solve(pose, pose->next, pose->rate);
    double pace = size_of(pose, pose->next);
    gdyn_tree_velocities(pose, pose->rate, u_p);
    misfit[0] = misfit_beside(pose, u_p, pose->next, pace);

    /* gamma and the bias on the right, both per p^2 */
    gdyn_tree_bias(pose, pose->rate, u_p, bias);
    for (int i = 0; i < rows; i++)
        pose->next[i] =
            (i < closing ? 0 : second[i - closing]) -
            gdyn_row_acceleration(pose->state, pose->row[i], &pose->jacobian[i], u_p, bias);
    gdyn_tree_solve(pose, pose->next, pose->acceleration);
    double size = size_of(pose, pose->next);
    gdyn_tree_velocities(pose, pose->acceleration, u_pp);
    misfit[1] = misfit_beside(pose, u_pp, pose->next, size + pace * pace);
    for (int i = 0; i < tree->n; i++)
        u_pp[i] += bias[i];
}

void gdyn_tree_joint_motion(const gdyn_tree_pose *pose, const double **rate,
                            const double **acceleration) {
    *rate = pose->rate, *acceleration = pose->acceleration;
}

void gdyn_tree_keep_motion(gdyn_tree_pose *pose, const double *rate, const double *acceleration) {
    size_t bytes = (size_t)pose->tree->coordinates * sizeof *rate;
    memcpy(pose->rate, rate, bytes), memcpy(pose->acceleration, acceleration, bytes);
}
