/* tube.c - the accessible regions over p as a body in space: its envelopes, and what is seen of it from the eye. */
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

/* --- what is seen ----------------------------------------------------------------------------- */

/* Where a place lies between two scans: their numbers, the share of the way. */
typedef struct section {
    int a, b; /* points */
    double f;
} section;

static bool find_section(const gdyn_tube *tube, double p, section *out) {
    const double *at = tube->t->along.p;
    int i = 0;
    while (i + 2 < tube->scans && at[tube->scan[i + 1]] < p)
        i++;
    *out = (section){tube->scan[i], tube->scan[i + 1], 0};
    out->f = (p - at[out->a]) / (at[out->b] - at[out->a]);
    return out->f >= 0 && out->f <= 1;
}

/* An island between two scans as its mesh has it. d1 of both that lie at the share of (d1, p); false: outside. */
static bool find_share(const gdyn_tube *tube, const section *s, int number, double d1,
                       double at[2]) {
    double from[2], to[2];
    const int point[2] = {s->a, s->b};
    for (int i = 0; i < 2; i++) {
        const gdyn_region *region = tube->t->along.region[point[i]];
        if (region->island_count <= number)
            return false;
        from[i] = region->island[number].from;
        to[i] = fmin(region->island[number].to, tube->window.d1_high);
    }
    double low = from[0] + (from[1] - from[0]) * s->f, high = to[0] + (to[1] - to[0]) * s->f;
    if (!(d1 > low && d1 < high))
        return false;
    for (int i = 0; i < 2; i++)
        at[i] = gdyn_tube_between(from[i], to[i], (d1 - low) / (high - low));
    return true;
}

/* Slot of the envelope's limits at d1; -1: none. */
int gdyn_tube_envelope_slot(const gdyn_tube *tube, int point, int number, double d1, bool upper) {
    gdyn_tube_piece pieces[GDYN_TUBE_PIECES];
    int count = gdyn_tube_pieces(tube, point, number, upper, pieces), k = 0;
    while (k + 1 < count && d1 > pieces[k].to)
        k++;
    return pieces[k].slot;
}

enum { OUTSIDE, INSIDE, ABOVE, BELOW };

/* Position of a place relative to the body; *number and at[2]: the island and d1 of both scans, unless it is outside. */
static int stand(const gdyn_tube *tube, const double place[3], section *s, int *number,
                 double at[2]) {
    if (!find_section(tube, place[1], s))
        return OUTSIDE;
    for (*number = 0; *number < tube->t->along.region[s->a]->island_count; ++*number) {
        if (!find_share(tube, s, *number, place[0], at))
            continue;
        double high = gdyn_tube_envelope(tube, s->a, at[0], true),
               low = gdyn_tube_envelope(tube, s->a, at[0], false);
        high += (gdyn_tube_envelope(tube, s->b, at[1], true) - high) * s->f;
        low += (gdyn_tube_envelope(tube, s->b, at[1], false) - low) * s->f;
        return place[2] > high ? ABOVE : place[2] < low ? BELOW : INSIDE;
    }
    return OUTSIDE;
}

/* Between two such places is a surface of the body, which may be thin. */
static bool enters(int before, int now) {
    return now == INSIDE || (before == ABOVE && now == BELOW) || (before == BELOW && now == ABOVE);
}

/* A line of sight through a place, from the eye (x > 0) towards the body, in units of the box. */
typedef struct sight {
    const double *place; /* d1, p, d2 */
    double size[3];      /* extent of the box along d1, p, d2 */
    double beside[3];    /* where the line runs, beside the place */
    double eye[3];       /* direction to the eye */
} sight;

/* The sight so far to the right of the place and above it, as the page shows it. */
static sight sight_of(const gdyn_tube *tube, const double place[3], double right, double up) {
    const gdyn_window *w = &tube->window;
    double tilt = GDYN_TUBE_TILT * GDYN_PI / 180, turn = GDYN_TUBE_TURN * GDYN_PI / 180;
    sight line = {
        .place = place,
        .size = {w->d1_high, gdyn_tube_length(tube), (w->d2_high - w->d2_low) / GDYN_TUBE_HEIGHT},
        .beside = {right * cos(turn) - up * cos(tilt) * sin(turn),
                   right * sin(turn) + up * cos(tilt) * cos(turn), up * sin(tilt)}};
    gdyn_tube_eye(line.eye);
    return line;
}

static void look(const sight *line, double x, double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = line->place[k] + line->size[k] * (line->beside[k] + x * line->eye[k]);
}

/* Follows the sight from the eye to the surface: *from is still outside of it, *to behind it. */
static bool meet(const gdyn_tube *tube, const sight *line, double *from, double *to) {
    static const double FAR = 2, STEP = 0.004, BEHIND = 0.1;
    section s;
    double place[3], at[2];
    int number, before = OUTSIDE, now = OUTSIDE;
    /* The first step that enters or crosses the body. */
    for (*to = FAR; !enters(before, now);) {
        before = now;
        *from = *to;
        *to -= STEP;
        if (*to < -BEHIND)
            return false;
        look(line, *to, place);
        now = stand(tube, place, &s, &number, at);
    }
    /* The surface within that step, by bisection. */
    for (int i = 0; i < 12; i++) {
        double x = 0.5 * (*from + *to);
        look(line, x, place);
        *(enters(before, stand(tube, place, &s, &number, at)) ? to : from) = x;
    }
    return true;
}

/* The slot that is seen at a place, so far beside it; -1: none, or not the same at both scans. */
static int seen_slot(const gdyn_tube *tube, const double place[3], double right, double up) {
    sight line = sight_of(tube, place, right, up);
    double from, to, in[3], out[3], at[2];
    section s;
    int number, slot[2];
    if (!meet(tube, &line, &from, &to))
        return -1;
    look(&line, to, in);
    look(&line, from, out);
    int face = stand(tube, out, &s, &number, at);
    if (face == OUTSIDE)
        stand(tube, in, &s, &number, at);
    for (int i = 0; i < 2; i++) {
        int point = i ? s.b : s.a;
        slot[i] = face != OUTSIDE
                      ? gdyn_tube_envelope_slot(tube, point, number, at[i], face == ABOVE)
                      : gdyn_tube_side_slot(tube, point, number);
    }
    return slot[0] == slot[1] && out[1] >= tube->t->along.p[tube->scan[0]] ? slot[0] : -1;
}

/* A letter may stand here when no larger patch of its set has been met that is seen wherever the letter is. */
void gdyn_tube_offer(gdyn_tube *tube, int slot, double size, double d1, int point, double d2) {
    static const double WIDTH = 0.006, HEIGHT = 0.008; /* half a letter, of the width of the box */
    if (slot < 0 || slot >= GDYN_LEGEND_SHOWN || size <= tube->spot[slot].size)
        return;
    const double place[3] = {d1, tube->t->along.p[point], d2};
    for (int i = -2; i <= 2; i++)
        if (seen_slot(tube, place, 0.5 * i * WIDTH, 0) != slot ||
            seen_slot(tube, place, 0, 0.5 * i * HEIGHT) != slot)
            return;
    tube->spot[slot] = (gdyn_tube_spot){size, d1, place[1], d2};
}
