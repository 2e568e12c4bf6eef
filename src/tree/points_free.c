/* points_free.c - how the legs follow the hubs, from the plan of the machine.
 *
 * A hub moves in one of its coordinates, the legs follow: q = G h, G = -L^-1 P leg by leg. At a pose that was closed in the lanes
 * the factors are at hand, and G can be kept with it. */
#include "tree/points_data.h"

/* --- at poses that were closed --------------------------------------------------------------------- */

/* Leg by leg: -L^-1 P. */
void gdyn_points_leg_map(gdyn_tree_points *p, double *const map[GDYN_AT_ONCE]) {
    int f = p->tree->hub_columns, at = 1;
    gdyn_points_give(map, 0, p->least_of_legs);
    for (int b = 0; b + 1 < p->blocks; b++) {
        const gdyn_point_block *leg = &p->block[b];
        int m = leg->rows;
        for (int i = 0; i < m; i++) {
            const gdyn_lanes *X = leg->X + i * m, *P = leg->A + m;
            double scale = -p->scale[leg->coordinate[i]];
            for (int j = 0; j < f; j++, at++) {
                gdyn_lanes sum = X[0] * P[j];
                for (int k = 1; k < m; k++)
                    sum += X[k] * P[k * leg->width + j];
                gdyn_points_give(map, at, scale * sum);
            }
        }
    }
}

/* --- at a pose that is known ------------------------------------------------------------------------- */

/* The lanes at the base itself, as far as the legs need it. */
static void stand(gdyn_tree_points *p) {
    const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < p->tree->bodies; i++) {
        p->r[i] = w3_all(p->base->r + 3 * i);
        p->p[i] = w3_sub(p->r[i], w3_all(p->arm + 3 * i));
        for (int j = 0; j < 3; j++)
            p->E[3 * i + j] = w3_all(unit[j]);
    }
    for (int c = 0; c < p->tree->coordinates; c++)
        p->e[c] = w3_all(p->axis + 3 * c);
}

const double *gdyn_points_legs(gdyn_tree_points *p, const gdyn_state *state) {
    gdyn_points_take(p, state, NULL, p->tree->plan->groups);
    stand(p);
    for (int l = 0; l + 1 < p->blocks; l++)
        gdyn_points_conditions(p, &p->block[l]);
    gdyn_points_invert(p, p->blocks - 1);
    double *const maps[GDYN_AT_ONCE] = {p->map, p->map, p->map, p->map}; /* the same in all lanes */
    gdyn_points_leg_map(p, maps);
    return p->map[0] >= GDYN_POINTS_CLEAR ? p->map : NULL;
}
