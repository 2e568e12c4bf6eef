/* tube.c - the accessible regions over p as a body in space: its envelopes in pieces. */
#include "report/tube.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>

/* --- the body --------------------------------------------------------------------------------- */

/* Direction to the eye in the box of the picture, [0, 1] x [0, 1] x [0, GDYN_TUBE_HEIGHT]. */
void gdyn_tube_eye(double eye[3]) {
    double tilt = GDYN_TUBE_TILT * GDYN_PI / 180, turn = GDYN_TUBE_TURN * GDYN_PI / 180;
    v3_set(eye, sin(turn) * sin(tilt), -cos(turn) * sin(tilt), cos(tilt));
}

/* Extent of the path that is drawn. */
double gdyn_tube_length(const gdyn_tube *tube) {
    return tube->t->along.p[tube->scan[tube->scans - 1]] - tube->t->along.p[tube->scan[0]];
}

double gdyn_tube_envelope(const gdyn_tube *tube, int point, double d1, bool upper) {
    return gdyn_sample_envelope(tube->t->along.region[point], d1, upper, &tube->window);
}

/* Exact at both ends: a rounding error beyond an island has no envelope. */
double gdyn_tube_between(double from, double to, double share) {
    return share < 1 ? fmin(from + (to - from) * share, to) : to;
}

/* The pieces of an envelope of an island within the window, neighbours of one slot joined. */
int gdyn_tube_pieces(const gdyn_tube *tube, int point, int number, bool upper,
                     gdyn_tube_piece *out) {
    const gdyn_region *region = tube->t->along.region[point];
    const gdyn_island *island = &region->island[number];
    const gdyn_arc *arc =
        upper ? region->upper + island->upper_first : region->lower + island->lower_first;
    int arcs = upper ? island->upper_count : island->lower_count, count = 0;
    double end = fmin(island->to, tube->window.d1_high);
    for (int i = 0; i < arcs && count < GDYN_TUBE_PIECES; i++) {
        double to = fmin(arc[i].to, end);
        int slot = gdyn_legend_find(&tube->legend, arc[i].active, arc[i].active_count);
        if (!(to > arc[i].from))
            continue;
        if (count > 0 && out[count - 1].slot == slot)
            out[count - 1].to = to;
        else
            out[count++] = (gdyn_tube_piece){arc[i].from, to, slot};
    }
    if (count == 0)
        out[count++] = (gdyn_tube_piece){island->from, fmax(end, island->from), -1};
    out[count - 1].to = fmax(end, out[count - 1].from);
    return count;
}

/* Slot of the limits at the right end of an island. */
int gdyn_tube_side_slot(const gdyn_tube *tube, int point, int number) {
    const gdyn_island *island = &tube->t->along.region[point]->island[number];
    return gdyn_legend_find(&tube->legend, island->right, island->right_count);
}
