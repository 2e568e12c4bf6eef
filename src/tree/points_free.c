/* points_free.c - the motions that the conditions of a pose leave free, from the plan of its machine.
 *
 * A hub moves in one of its coordinates, the legs follow: q = -L^-1 P h. The lanes hold the same pose and two motions. */
#include "tree/points_data.h"

#include <string.h>

/* Poses with smaller pivots are left to gdyn_tree_eliminate. */
static const double CLEAR = 1e-3;

/* The lanes at the base itself. */
static void stand(gdyn_tree_points *p) {
    const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < p->tree->bodies; i++) {
        gdyn_wide3 *E = p->E + 3 * i;
        for (int j = 0; j < 3; j++)
            E[j] = w3_all(unit[j]);
        p->r[i] = w3_all(p->base->r + 3 * i);
        p->p[i] = w3_sub(p->r[i], w3_all(p->arm + 3 * i));
    }
    for (int c = 0; c < p->tree->coordinates; c++)
        p->e[c] = w3_all(p->axis + 3 * c);
}

/* Joint rates for hub coordinates j and j + 1 in the two lanes, the last one twice, in p->x. */
static void lead(gdyn_tree_points *p, int j) {
    const gdyn_point_block *hubs = &p->block[p->blocks - 1];
    int f = hubs->rows, other = j + 1 < f ? j + 1 : j;
    for (int i = 0; i < f; i++)
        p->x[hubs->coordinate[i]] =
            p->scale[hubs->coordinate[i]] * (gdyn_lanes){i == j, i == other};
    for (int l = 0; l + 1 < p->blocks; l++) {
        const gdyn_point_block *leg = &p->block[l];
        int m = leg->rows;
        for (int i = 0; i < m; i++) {
            gdyn_lanes sum = l_all(0);
            for (int k = 0; k < m; k++) {
                const gdyn_lanes *P = leg->A + k * leg->width + m;
                sum -= leg->X[i * m + k] * (gdyn_lanes){P[j][0], P[other][0]};
            }
            p->x[leg->coordinate[i]] = p->scale[leg->coordinate[i]] * sum;
        }
    }
}

/* Body velocities of one lane. */
static void put_motion(const gdyn_tree_points *p, int lane, double *u) {
    int per_body = p->tree->model->per_body;
    for (int i = 0; i < p->tree->bodies; i++, u += per_body) {
        gdyn_wide3 v = p->v[i], w = p->w[i];
        u[0] = v.x[lane];
        u[1] = v.y[lane];
        if (per_body == 3) {
            u[2] = w.z[lane];
            continue;
        }
        u[2] = v.z[lane];
        u[3] = w.x[lane];
        u[4] = w.y[lane];
        u[5] = w.z[lane];
    }
}

bool gdyn_tree_points_free(gdyn_tree_points *p, const gdyn_state *state, double *N,
                           gdyn_tree_rank *rank) {
    int f = p->tree->hub_columns;
    if (!p->fits)
        return false;
    gdyn_points_take(p, state, NULL, p->leg_groups);
    stand(p);
    for (int l = 0; l + 1 < p->blocks; l++)
        gdyn_points_conditions(p, &p->block[l]);
    gdyn_points_invert(p, p->blocks - 1);
    *rank = (gdyn_tree_rank){.rank = p->tree->coordinates - f,
                             .freedom = f,
                             .least = p->blocks > 1 ? p->least[0] : 1,
                             .clear = true};
    if (!(rank->least >= CLEAR))
        return false;
    for (int j = 0; j < f; j += GDYN_LANES) {
        lead(p, j);
        gdyn_points_velocities(p, p->x);
        put_motion(p, 0, N + (size_t)p->tree->n * (size_t)j);
        if (j + 1 < f)
            put_motion(p, 1, N + (size_t)p->tree->n * (size_t)(j + 1));
    }
    return true;
}
