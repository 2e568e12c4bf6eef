/* points_free.c - the motions that the conditions of a pose leave free, from the plan of its machine.
 *
 * A hub moves in one of its coordinates, the legs follow: q = G h, G = -L^-1 P leg by leg. At a pose that was closed in the lanes
 * the factors are at hand, and G can be kept with it. The lanes hold the same pose and several motions. */
#include "tree/points_data.h"

#include <string.h>

/* Poses with smaller pivots are left to gdyn_tree_eliminate. */
static const double CLEAR = 1e-3;

/* --- how the legs follow ------------------------------------------------------------------------- */

/* Leg by leg: -L^-1 P. */
void gdyn_points_leg_map(gdyn_tree_points *p, int lanes, double *const *map) {
    int f = p->tree->hub_columns, at = 1;
    for (int l = 0; l < lanes; l++)
        map[l][0] = p->least_of_legs[l];
    for (int b = 0; b + 1 < p->blocks; b++) {
        const gdyn_point_block *leg = &p->block[b];
        int m = leg->rows;
        for (int i = 0; i < m; i++, at += f) {
            gdyn_lanes G[GDYN_BLOCK_MOST] = {l_all(0)};
            double scale = -p->scale[leg->coordinate[i]];
            for (int k = 0; k < m; k++) {
                gdyn_lanes x = scale * leg->X[i * m + k];
                const gdyn_lanes *P = leg->A + k * leg->width + m;
                for (int j = 0; j < f; j++)
                    G[j] += x * P[j];
            }
            for (int j = 0; j < f; j++)
                for (int l = 0; l < lanes; l++)
                    map[l][at + j] = G[j][l];
        }
    }
}

/* --- free motions ---------------------------------------------------------------------------------- */

/* The lanes at the base itself, as far as motions need it. */
static void stand(gdyn_tree_points *p) {
    for (int i = 0; i < p->tree->bodies; i++) {
        p->r[i] = w3_all(p->base->r + 3 * i);
        p->p[i] = w3_sub(p->r[i], w3_all(p->arm + 3 * i));
    }
    for (int c = 0; c < p->tree->coordinates; c++)
        p->e[c] = w3_all(p->axis + 3 * c);
}

/* The legs eliminated at the base: p->map. */
static void eliminate(gdyn_tree_points *p) {
    const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < p->tree->bodies; i++)
        for (int j = 0; j < 3; j++)
            p->E[3 * i + j] = w3_all(unit[j]);
    for (int l = 0; l + 1 < p->blocks; l++)
        gdyn_points_conditions(p, &p->block[l]);
    gdyn_points_invert(p, p->blocks - 1);
    gdyn_points_leg_map(p, 1, &p->map);
}

/* Entry j of a row, and those behind it, by lane; behind the last one itself. */
static inline gdyn_lanes entries(const double *row, int count, int j) {
    gdyn_lanes x;
    for (int l = 0; l < GDYN_LANES; l++)
        x[l] = row[j + l < count ? j + l : count - 1];
    return x;
}

/* Joint rates for hub coordinates from j on, one in each lane, the last one several times, in p->x. */
static void lead(gdyn_tree_points *p, const double *map, int j) {
    const gdyn_point_block *hubs = &p->block[p->blocks - 1];
    int f = hubs->rows;
    for (int i = 0; i < f; i++) {
        double unit[GDYN_BLOCK_MOST] = {0};
        unit[i] = p->scale[hubs->coordinate[i]];
        p->x[hubs->coordinate[i]] = entries(unit, f, j);
    }
    const double *G = map + 1;
    for (int l = 0; l + 1 < p->blocks; l++)
        for (int i = 0; i < p->block[l].rows; i++, G += f)
            p->x[p->block[l].coordinate[i]] = entries(G, f, j);
}

/* Body velocities of one lane, rotations times L. */
static void put_motion(const gdyn_tree_points *p, int lane, double *u) {
    int per_body = p->tree->model->per_body;
    double L = p->tree->model->length;
    for (int i = 0; i < p->tree->bodies; i++, u += per_body) {
        gdyn_wide3 v = p->v[i], w = p->w[i];
        u[0] = v.x[lane];
        u[1] = v.y[lane];
        if (per_body == 3) {
            u[2] = L * w.z[lane];
            continue;
        }
        u[2] = v.z[lane];
        u[3] = L * w.x[lane];
        u[4] = L * w.y[lane];
        u[5] = L * w.z[lane];
    }
}

bool gdyn_points_free(gdyn_tree_points *p, const gdyn_state *state, const double *map, double *N,
                      gdyn_tree_rank *rank) {
    int f = p->tree->hub_columns;
    bool known = map && map[0] >= CLEAR;
    if (!p->fits)
        return false;
    gdyn_points_take(p, state, NULL, known ? 0 : p->leg_groups);
    stand(p);
    if (!known)
        eliminate(p);
    map = known ? map : p->map;
    *rank = (gdyn_tree_rank){
        .rank = p->tree->coordinates - f, .freedom = f, .least = map[0], .clear = true};
    if (!(rank->least >= CLEAR))
        return false;
    for (int j = 0; j < f; j += GDYN_LANES) {
        lead(p, map, j);
        gdyn_points_velocities(p, p->x);
        for (int l = 0; l < GDYN_LANES && j + l < f; l++)
            put_motion(p, l, N + (size_t)p->tree->n * (size_t)(j + l));
    }
    return true;
}
