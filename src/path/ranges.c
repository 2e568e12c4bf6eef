/* ranges.c - given ranges along a path: how far each coordinate travels, and where a range is
 * left.
 *
 * Value and derivative are exact at the points, and at places between fewer than 49 of them.
 * Between two of them the cubic that fits both shows whether the coordinate may turn, and where the
 * tangents at both points meet how far it may go there; where that could widen what is known so far
 * or leave the range, the turn is found on the machine itself, by the sign of the derivative. The
 * angle of a cone has a tip near its axis, its cosine does not: the cubic is one of the cosine. A
 * second turn within one interval stays unseen as long as the cubic has none. */
#include "path/internal.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>

/* Shares of L, or rad: a coordinate farther beyond a range leaves it. Poses close to some 1e-12. */
static const double SLACK = 1e-9;
/* Turning places are found to this share of the interval; values are exact to its square. */
static const double TURN_NEAR = 1e-7;
enum { TURN_STEPS = 60 };
/* Minimum of intervals of a path, between few points divided; ways in workspaces are short. */
enum { FEWEST = GDYN_PATH_FIRST_POINTS - 1 };

/* The search for the turns of one coordinate. */
typedef struct turning {
    gdyn_track *track;
    gdyn_path_place *place;
    gdyn_travel *travel;
    int range;
    bool cone;
    double min, max, slack;
    int parts, places;    /* of an interval between points; parts of all of them, and the end */
    double *value, *rate; /* places x ranges: of the coordinate, without whole turns */
    bool *beyond;         /* points */
    gdyn_status status;
} turning;

static double unit_of(const gdyn_model *model, int range) {
    return gdyn_model_range_slides(model, range) ? gdyn_model_length(model) : 1;
}

/* --- extremes --------------------------------------------------------------------------------- */

/* Minimum and maximum value, and where. */
static void widen(gdyn_travel *travel, double p, double value) {
    if (!(value >= travel->least))
        travel->least = value, travel->least_p = p;
    if (!(value <= travel->greatest))
        travel->greatest = value, travel->greatest_p = p;
}

static bool leaves(const turning *t, double value) {
    return value < t->min - t->slack || value > t->max + t->slack;
}

/* Value and derivative at p; false where the path is not followed. */
static bool look(turning *t, double p, double *value, double *rate) {
    if (t->status == GDYN_OK)
        t->status = gdyn_path_place_at(t->place, p);
    if (t->status != GDYN_OK || t->place->status != GDYN_POINT_OK)
        return false;
    *value = gdyn_mech_range_coordinate(t->place->state, t->range) + t->travel->turns;
    *rate = gdyn_mech_range_speed(t->place->state, t->range, t->place->u_p);
    return true;
}

/* The turn between a and b, where the derivative has the signs of rate_a and rate_b: by false
 * position, the weight of an end that stays halved (Illinois); by halving where that is slow. */
static void find_turn(turning *t, int i, double a, double rate_a, double b, double rate_b) {
    double near = TURN_NEAR * (b - a), value = NAN, rate, p = a;
    for (int step = 0; step < TURN_STEPS && b - a > near; step++) {
        /* false position, every fourth step halving */
        double share = rate_a / (rate_a - rate_b);
        p = step % 4 == 3 ? 0.5 * (a + b) : a + fmin(fmax(share, 1e-3), 1 - 1e-3) * (b - a);
        if (!look(t, p, &value, &rate))
            return;
        widen(t->travel, p, value);
        if (rate == 0)
            break;
        /* the weight of the end that stays is halved */
        if ((rate < 0) == (rate_a < 0))
            a = p, rate_a = rate, rate_b *= 0.5;
        else
            b = p, rate_b = rate, rate_a *= 0.5;
    }
    /* the nearer point is beyond, too */
    if (leaves(t, value))
        t->beyond[p - t->track->p[i] < t->track->p[i + 1] - p ? i : i + 1] = true;
}

/* A value in which the coordinate is smooth, growing with it. */
static double smooth(const turning *t, double value) {
    return t->cone ? -cos(fmin(fmax(value, 0), GDYN_PI)) : value;
}

/* Whether a turn to that smooth value matters: beyond the ends of the interval, and beyond what is
 * known or the range, with half of the bulge for the cubic's error. */
static bool matters(const turning *t, double value, double from, double to) {
    double over = value - fmax(from, to), under = fmin(from, to) - value;
    return (over > 0 && value + 0.5 * over > smooth(t, fmin(t->travel->greatest, t->max))) ||
           (under > 0 && value - 0.5 * under < smooth(t, fmax(t->travel->least, t->min)));
}

/* From a to a + h, between points i and i + 1: coordinate and derivatives times h. */
static void look_between(turning *t, int i, double a, double h, const double value_at[2],
                         const double slope[2]) {
    double v[2], m[2];
    for (int k = 0; k < 2; k++) {
        v[k] = smooth(t, value_at[k]);
        m[k] = t->cone ? sin(value_at[k]) * slope[k] : slope[k];
    }
    /* Hermite's cubic: its derivative's zeros */
    double rise = v[1] - v[0];
    double square = 3 * rise - 2 * m[0] - m[1], cube = m[0] + m[1] - 2 * rise;
    double disc = square * square - 3 * cube * m[0];
    if (disc < 0)
        return;
    /* both turns of the cubic, without cancellation */
    double q = -(square + copysign(sqrt(disc), square));
    double x[2] = {cube != 0 ? q / (3 * cube) : -1, q != 0 ? m[0] / q : -1};
    bool two = x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1;
    double middle = two ? 0.5 * (x[0] + x[1]) : NAN;
    /* each turn inside that could widen the travel */
    for (int k = 0; k < 2; k++) {
        double value = v[0] + x[k] * (m[0] + x[k] * (square + x[k] * cube));
        double from = 0, to = 1, rate[2] = {m[0], m[1]}, unused;
        bool ends = (m[0] < 0) != (m[1] < 0);
        if (ends) { /* where the tangents at both ends meet */
            double meet = v[0] + m[0] * fmin(fmax((rise - m[1]) / (m[0] - m[1]), 0), 1);
            value = (m[0] < 0 ? fmin : fmax)(value, meet);
        }
        if (!(x[k] > 0 && x[k] < 1) || !matters(t, value, v[0], v[1]))
            continue;
        if (two) { /* one on each side of the inflection */
            from = x[k] < middle ? 0 : middle;
            to = x[k] < middle ? middle : 1;
            if (!look(t, a + middle * h, &unused, &rate[x[k] < middle]))
                return;
        }
        if ((rate[0] < 0) != (rate[1] < 0))
            find_turn(t, i, a + from * h, rate[0], a + to * h, rate[1]);
    }
}

/* --- one range -------------------------------------------------------------------------------- */

/* Distance of a value to the nearer end; a cone ends at its edge alone. */
static double margin_of(const gdyn_range_def *def, double least, double greatest, bool *at_max) {
    double below = def->kind == GDYN_RANGE_CONE ? INFINITY : least - def->min;
    double above = def->max - greatest;
    *at_max = above < below;
    return fmin(below, above);
}

/* The unit-free share of a margin. */
static double share_of(const gdyn_model *model, int range, double margin) {
    const gdyn_range_def *def = gdyn_model_range(model, range);
    double half = 0.5 * (def->max - def->min);
    bool closed = isfinite(half) && def->kind != GDYN_RANGE_CONE;
    return margin / (closed                         ? half
                     : def->kind == GDYN_RANGE_CONE ? def->max
                                                    : unit_of(model, range));
}

double gdyn_range_share(const gdyn_model *model, int range, double value) {
    bool at_max;
    return share_of(model, range, margin_of(gdyn_model_range(model, range), value, value, &at_max));
}

/* Place k, counted over all intervals. */
static double place_of(const turning *t, int k) {
    const double *p = t->track->p + k / t->parts;
    int part = k % t->parts;
    return part ? *p + (p[1] - *p) * part / t->parts : *p;
}

/* The places first: fewer turns between them matter then. */
static void measure(turning *t, const gdyn_model *model) {
    gdyn_travel *travel = t->travel;
    const double *value = t->value + (size_t)t->places * (size_t)t->range;
    const double *rate = t->rate + (size_t)t->places * (size_t)t->range;
    *travel = (gdyn_travel){NAN, NAN, NAN, NAN, .margin = NAN, .margin_p = NAN, .share = NAN};
    for (int k = 0; k < t->places; k++)
        if (!isnan(value[k]))
            widen(travel, place_of(t, k), value[k]);
    /* the full turns that bring the middle of the travel nearest to the middle of the range */
    const gdyn_range_def *def = gdyn_model_range(model, t->range);
    double away = 0.5 * (def->min + def->max) - 0.5 * (travel->least + travel->greatest);
    bool angle = !gdyn_model_range_slides(model, t->range) && def->kind != GDYN_RANGE_CONE;
    travel->turns = angle && isfinite(away) ? 2 * GDYN_PI * round(away / (2 * GDYN_PI)) : 0;
    travel->least += travel->turns, travel->greatest += travel->turns;
    /* then between neighbouring places */
    for (int k = 0; k < t->places && t->status == GDYN_OK; k++) {
        if (isnan(value[k]))
            continue;
        if (leaves(t, value[k] + travel->turns)) {
            /* beyond the range: so is the point; between two points that are not, the nearer one */
            int part = k % t->parts, i = k / t->parts;
            double turns = travel->turns;
            if (part == 0)
                t->beyond[i] = true;
            else if (!leaves(t, value[k - part] + turns) &&
                     !leaves(t, value[k - part + t->parts] + turns))
                t->beyond[i + (2 * part > t->parts)] = true;
        }
        if (k == 0 || isnan(value[k - 1]))
            continue;
        double a = place_of(t, k - 1), h = place_of(t, k) - a;
        look_between(t, (k - 1) / t->parts, a, h,
                     (double[2]){value[k - 1] + travel->turns, value[k] + travel->turns},
                     (double[2]){h * rate[k - 1], h * rate[k]});
    }
    /* margin of the travel to the nearer end of its range */
    travel->margin = margin_of(def, travel->least, travel->greatest, &travel->at_max);
    travel->margin_p = travel->at_max ? travel->greatest_p : travel->least_p;
    travel->share = share_of(model, t->range, travel->margin);
}

/* Values and derivatives of all ranges at place k. */
static void take(turning *t, int k, const gdyn_state *state, const double *u_p) {
    for (int r = 0; r < gdyn_model_ranges(gdyn_state_model(state)); r++) {
        size_t at = (size_t)t->places * (size_t)r + (size_t)k;
        t->value[at] = gdyn_mech_range_coordinate(state, r);
        t->rate[at] = gdyn_mech_range_speed(state, r, u_p);
    }
}

/* At the points, and between few of them. NAN where the path is not followed. */
static void take_all(turning *t) {
    const gdyn_track *track = t->track;
    size_t all = (size_t)t->places * (size_t)gdyn_model_ranges(gdyn_state_model(track->state[0]));
    for (size_t k = 0; k < all; k++)
        t->value[k] = NAN;
    for (int k = 0; k < t->places && t->status == GDYN_OK; k++) {
        int i = k / t->parts;
        bool point = k % t->parts == 0, stands = track->status[i] == GDYN_POINT_OK;
        if (point && stands)
            take(t, k, track->state[i], track->u_p + (size_t)track->n * (size_t)i);
        if (point || !stands || track->status[i + 1] != GDYN_POINT_OK)
            continue;
        t->status = gdyn_path_place_at(t->place, place_of(t, k));
        if (t->status == GDYN_OK && t->place->status == GDYN_POINT_OK)
            take(t, k, t->place->state, t->place->u_p);
    }
}

/* --- all ranges ------------------------------------------------------------------------------- */

/* Travel of every given range, and points that leave one. */
gdyn_status gdyn_track_judge(gdyn_track *track, const gdyn_path *path, gdyn_closure *closure) {
    const gdyn_model *model = path->model;
    int ranges = gdyn_model_ranges(model);
    if (ranges == 0)
        return GDYN_OK;
    bool *beyond = gdyn_alloc(2 * (size_t)track->points, sizeof *beyond);
    bool *any = beyond ? beyond + track->points : NULL;
    gdyn_path_place *place = gdyn_path_place_borrow(path, track, closure);
    turning t = {.track = track, .place = place, .beyond = beyond};
    int intervals = track->points - 1;
    t.parts = intervals > 1 && intervals < FEWEST ? (FEWEST + intervals - 1) / intervals : 1;
    t.places = intervals * t.parts + 1;
    t.value = gdyn_room(2 * (size_t)t.places * (size_t)ranges, sizeof *t.value);
    t.rate = t.value ? t.value + (size_t)t.places * (size_t)ranges : NULL;
    t.status = beyond && place && t.value ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (t.status == GDYN_OK)
        take_all(&t);
    for (t.range = 0; t.range < ranges && t.status == GDYN_OK; t.range++) {
        const gdyn_range_def *def = gdyn_model_range(model, t.range);
        t.travel = &track->travel[t.range], t.cone = def->kind == GDYN_RANGE_CONE;
        t.min = def->min, t.max = def->max, t.slack = SLACK * unit_of(model, t.range);
        measure(&t, model);
        for (int i = 0; i < track->points; i++) {
            t.travel->outside += beyond[i];
            any[i] |= beyond[i];
            beyond[i] = false;
        }
    }
    /* points outside get their own status */
    for (int i = 0; i < track->points && t.status == GDYN_OK; i++)
        if (any[i])
            track->status[i] = GDYN_POINT_RANGE;
    track->judged = t.status == GDYN_OK;
    gdyn_track_count(track);
    gdyn_path_place_destroy(place);
    gdyn_free(beyond), gdyn_free(t.value);
    return t.status;
}

/* Smallest share of all ranges: of the whole track, or of one pose. */
double gdyn_track_margin(const gdyn_track *track, const gdyn_state *state) {
    const gdyn_model *model = gdyn_state_model(track->state[0]);
    double least = NAN;
    for (int r = 0; track->judged && r < gdyn_model_ranges(model); r++) {
        double share = track->travel[r].share;
        if (state)
            share = gdyn_range_share(model, r,
                                     gdyn_mech_range_coordinate(state, r) + track->travel[r].turns);
        least = fmin(least, share);
    }
    return least;
}

/* The range that is left most; -1: none. */
int gdyn_track_range_left(const gdyn_track *track, const gdyn_state *state, double *beyond) {
    const gdyn_model *model = gdyn_state_model(state);
    int left = -1;
    double worst = 0;
    for (int r = 0; track->judged && r < gdyn_model_ranges(model); r++) {
        const gdyn_range_def *def = gdyn_model_range(model, r);
        double value = gdyn_mech_range_coordinate(state, r) + track->travel[r].turns;
        double by = fmax(def->min - value, value - def->max), share = share_of(model, r, by);
        if (by > SLACK * unit_of(model, r) && share > worst) {
            left = r, worst = share;
            if (beyond)
                *beyond = by;
        }
    }
    return left;
}
