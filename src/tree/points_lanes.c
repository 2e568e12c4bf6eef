/* points_lanes.c - which translation of the lanes this processor runs. */
#include "tree/points_data.h"

/* That with registers of four numbers, where it was made and the processor has them. */
const gdyn_points_kernel *gdyn_points_kernel_here(void) {
    return GDYN_TRANSLATION(gdyn_points_kernel_plain, gdyn_points_kernel_avx);
}

int gdyn_tree_points_close(gdyn_tree_points *p, const gdyn_tree_motion *motion,
                           const double h[GDYN_AT_ONCE],
                           const gdyn_tree_goal *const goal[GDYN_AT_ONCE], double tolerance,
                           double radius) {
    return p->kernel->close(p, motion, h, goal, tolerance, radius);
}

void gdyn_tree_points_derive(gdyn_tree_points *p, const gdyn_tree_goal *const goal[GDYN_AT_ONCE]) {
    p->kernel->derive(p, goal);
}

void gdyn_tree_points_hand_out(gdyn_tree_points *p, gdyn_tree_arrival *const to[GDYN_AT_ONCE],
                               bool legs) {
    p->kernel->hand_out(p, to, legs);
}

void gdyn_tree_points_base_signs(gdyn_tree_points *p,
                                 const gdyn_tree_goal *const goal[GDYN_AT_ONCE],
                                 signed char *sign) {
    p->kernel->base_signs(p, goal, sign);
}

bool gdyn_tree_points_clear(const double *map) {
    return map && map[0] >= GDYN_POINTS_CLEAR;
}

const double *gdyn_tree_points_legs(gdyn_tree_points *p, const gdyn_state *state,
                                    const double *map) {
    if (!p->fits)
        return NULL;
    return gdyn_tree_points_clear(map) ? map : p->kernel->legs(p, state);
}

int gdyn_tree_points_blocks(const gdyn_tree_points *p) {
    return p->blocks;
}

int gdyn_tree_points_leg_map_length(const gdyn_tree_points *p) {
    int rows = 0;
    for (int l = 0; p->fits && l + 1 < p->blocks; l++)
        rows += p->block[l].rows;
    return p->fits ? 1 + rows * p->tree->hub_columns : 0;
}
