/* adapt.c - points inserted between points, by the errors of criteria. See folding.h. */

#include "access/folding.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES = 16,       /* d1 at which bounds of d2 are looked at, */
    ROWS = 2 * NODES, /* two each */
    DIPS = 8,         /* considered of one function at a time */
    /* points from which something can be estimated: fewer show no shape, or hide it by symmetry */
    FEWEST = 9,
    PLACES_EACH = 64, /* room for places per point: more than DIPS of each row and criterion need */
    POINTS_MOST = 551 /* inserted into a path; its errors are stated whatever they are then */
};

/* Values so many times the least one need not be distinguished where others have no bound. */
static const double ENOUGH = 5;
/* Share of the path below which a place where a row's D changes its sign is known; how much smaller
 * than what the row allows there d1_max must be for the place to mean nothing. */
static const double CROSSING = 1e-4, NEARLY = 1.05;
/* Errors beyond this share of a criterion for which no points are inserted are no estimates any
 * more. */
static const double UNREFINED = 0.1;
/* A criterion near zero is known to its tolerance relative to this share of its greatest size on
 * the path. */
static const double SCALE_LEAST = 0.01;
/* Intervals below this share of the path are not divided. */
static const double NARROW = 1e-7;
/* Places nearer to each other than this share of their interval are one. */
static const double APART = 0.2;
/* Stated for a dip, over its estimated depth; and, as a share of the tolerance, for what no point
 * tells of. */
static const double SAFE = 2, UNSEEN = 0.2;

/* An interval of d1 of a point, in which the path's least one lies. */
typedef struct reach {
    double from, to;
} reach;

struct gdyn_adapt {
    gdyn_arena *arena;
    const bool *wanted;
    bool alone;
    double tolerance;
    /* of each point, in their order */
    int count, most;
    double *p;
    double *bound; /* ROWS: least d2 with its sign turned, greatest d2; at each node */
    reach *reach;  /* 2: of d1 and of constant d1 */
    double *value; /* of the function at hand */
    double *error; /* of the intervals */
    gdyn_interval *interval;
    unsigned *mark; /* of the intervals: functions that may fall below their least sample there */
    /* nodes in d1 */
    bool ready;
    double node[NODES], width;
    /* where points are missing */
    int places, places_most;
    double *place;
    gdyn_samples samples;
};

gdyn_adapt *gdyn_adapt_create(const bool *wanted, bool alone, double tolerance, int points) {
    gdyn_arena *arena;
    gdyn_adapt *a = gdyn_arena_begin(&arena, sizeof *a);
    if (!a)
        return NULL;
    *a = (gdyn_adapt){.arena = arena, .wanted = wanted, .alone = alone, .tolerance = tolerance};
    a->most = points + POINTS_MOST;
    a->places_most = PLACES_EACH * a->most;
    size_t most = (size_t)a->most;
    a->p = gdyn_arena_room(arena, most, sizeof *a->p);
    a->bound = gdyn_arena_room(arena, most, ROWS * sizeof *a->bound);
    a->reach = gdyn_arena_room(arena, most, 2 * sizeof *a->reach);
    a->value = gdyn_arena_room(arena, most, sizeof *a->value);
    a->error = gdyn_arena_room(arena, most, sizeof *a->error);
    a->interval = gdyn_arena_room(arena, most, sizeof *a->interval);
    a->mark = gdyn_arena_room(arena, most, sizeof *a->mark);
    a->place = gdyn_arena_room(arena, (size_t)a->places_most, sizeof *a->place);
    if (!gdyn_arena_failed(arena))
        return a;
    gdyn_adapt_destroy(a);
    return NULL;
}

void gdyn_adapt_destroy(gdyn_adapt *a) {
    if (a)
        gdyn_arena_destroy(a->arena);
}

/* Points are inserted for it; its error is estimated. */
static bool wants(const gdyn_adapt *a, gdyn_criterion criterion) {
    return !a->wanted || a->wanted[criterion];
}

static bool estimates(const gdyn_adapt *a, gdyn_criterion criterion) {
    return !a->alone || wants(a, criterion);
}

/* --- what is kept of the points --------------------------------------------------------------- */

/* The nodes lie in the middle of equal parts of what the islands of the common region cover. */
static void place_nodes(gdyn_adapt *a, const gdyn_region *common) {
    double length = 0;
    for (int k = 0; k < common->island_count; k++)
        length += common->island[k].to - common->island[k].from;
    a->ready = isfinite(length) && length > 0;
    a->width = length / NODES;
    for (int m = 0; a->ready && m < NODES; m++) {
        double at = (m + 0.5) * a->width;
        int k = 0;
        while (k + 1 < common->island_count && at > common->island[k].to - common->island[k].from) {
            at -= common->island[k].to - common->island[k].from;
            k++;
        }
        a->node[m] = common->island[k].from + at;
    }
}

static void take_points(gdyn_adapt *a, const gdyn_evaluation *e) {
    const gdyn_track *track = e->track;
    if (!a->ready)
        place_nodes(a, e->common);
    for (int i = 0; i < track->points; i++) {
        if (i < a->count && a->p[i] == track->p[i])
            continue;
        /* Makes room for a point that was inserted as number i. */
        size_t rest = (size_t)(a->count - i);
        memmove(a->p + i + 1, a->p + i, rest * sizeof *a->p);
        memmove(a->bound + ROWS * (i + 1), a->bound + ROWS * i, rest * ROWS * sizeof *a->bound);
        memmove(a->reach + 2 * (i + 1), a->reach + 2 * i, rest * 2 * sizeof *a->reach);
        a->count++;
        a->p[i] = track->p[i];
        a->reach[2 * i] = a->reach[2 * i + 1] = (reach){1, 0};
        if (estimates(a, GDYN_CRITERION_AREA)) {
            /* Bounds of d2 at the nodes; NAN where d1 is not accessible. */
            const gdyn_region *region = e->region[i];
            double *bound = a->bound + ROWS * i;
            for (int m = 0; m < NODES; m++) {
                double low, high;
                bool inside = a->ready && gdyn_region_slice(region, a->node[m], &low, &high);
                bound[2 * m] = inside ? -low : NAN;
                bound[2 * m + 1] = inside ? high : NAN;
            }
        }
    }
    a->samples = (gdyn_samples){a->count, a->p, 1, track->returns};
    gdyn_samples_weigh(&a->samples, a->interval);
}

/* --- where points are missing ----------------------------------------------------------------- */

static void propose(gdyn_adapt *a, int interval, double p) {
    double range = a->p[a->count - 1] - a->p[0];
    if (fabs(a->p[interval + 1] - a->p[interval]) > NARROW * fabs(range) &&
        a->places < a->places_most)
        a->place[a->places++] = p;
}

/* Sorted, without those that hardly differ. */
static void tidy_places(gdyn_adapt *a) {
    int kept = 0, i = 0;
    if (a->places > 0)
        qsort(a->place, (size_t)a->places, sizeof *a->place, gdyn_ascending);
    for (int k = 0; k < a->places && a->count + kept < a->most; k++) {
        while (a->p[i + 1] < a->place[k])
            i++;
        double apart = APART * (a->p[i + 1] - a->p[i]);
        if (kept == 0 || a->place[k] - a->place[kept - 1] > apart)
            a->place[kept++] = a->place[k];
    }
    a->places = kept;
}

double gdyn_adapt_stated(double tolerance, double error, double size) {
    return SAFE * fabs(error) + UNSEEN * tolerance * fabs(size);
}

static double stated(const gdyn_adapt *a, double error, double scale) {
    return gdyn_adapt_stated(a->tolerance, error, scale);
}

/* The estimate up to which what is stated is below the tolerance. */
static double allowed(const gdyn_adapt *a, double scale) {
    return (1 - UNSEEN) / SAFE * a->tolerance * scale;
}

/* --- least values ----------------------------------------------------------------------------- */

/* Error of the least of a->value, and places for it; NAN where it is none. Where nothing limits a
 * point it counts like one that is ENOUGH times the least value. */
static void look_at_least(gdyn_adapt *a, bool wanted, double *error) {
    double least = INFINITY, most = 0;
    bool unlimited = false;
    *error = NAN;
    for (int i = 0; i < a->count; i++) {
        unlimited = unlimited || a->value[i] == INFINITY;
        if (isnan(a->value[i]) || a->value[i] == -INFINITY)
            return;
        least = fmin(least, a->value[i]);
    }
    if (isinf(least))
        return;
    for (int i = 0; i < a->count; i++) {
        if (unlimited)
            a->value[i] = fmin(a->value[i], ENOUGH * fabs(least));
        most = fmax(most, fabs(a->value[i]));
    }
    double scale = fmax(fabs(least), SCALE_LEAST * most);
    gdyn_dip dip[DIPS];
    gdyn_dips_mark(&a->samples, a->interval, 1, a->value, &least, a->mark);
    int dips = gdyn_dips_below(&a->samples, a->value, least, a->mark, 0, DIPS, dip);
    *error = stated(a, dips > 0 ? least - dip[0].bound : 0, scale);
    for (int k = 0; wanted && k < dips && least - dip[k].bound > allowed(a, scale); k++)
        propose(a, dip[k].interval, dip[k].p);
}

/* Criteria with a value at each point of which the worst one counts. */
static void look_at_values(gdyn_adapt *a, gdyn_evaluation *e, gdyn_criterion criterion) {
    double sign = gdyn_criterion_table[criterion].better > 0 ? 1 : -1;
    if (!estimates(a, criterion))
        return;
    for (int i = 0; i < a->count; i++)
        a->value[i] = sign * e->point[i].value[criterion];
    look_at_least(a, wants(a, criterion), &e->error.value[criterion]);
}

/* d1_max and speed: the end of the points' intervals in which they lie. */
static void look_at_speeds(gdyn_adapt *a, gdyn_evaluation *e, gdyn_criterion criterion) {
    bool steady = criterion == GDYN_CRITERION_SPEED;
    double d1 = e->criteria.value[criterion];
    if (!estimates(a, criterion))
        return;
    for (int i = 0; i < a->count && isfinite(d1); i++) {
        reach *at = &a->reach[2 * i + steady];
        if (!(at->from <= d1 && d1 <= at->to)) {
            /* The interval of the point's speeds that holds d1; the next one where a gap does. */
            const gdyn_region *region = e->region[i];
            gdyn_intervals all =
                steady ? gdyn_speeds_steady(region) : gdyn_speeds_reachable(region);
            int k = 0;
            while (k + 1 < all.count && all.high[k] < d1)
                k++;
            *at = all.count > 0 ? (reach){all.low[k], all.high[k]} : (reach){NAN, NAN};
        }
        a->value[i] = at->to;
    }
    if (isfinite(d1))
        look_at_least(a, wants(a, criterion), &e->error.value[criterion]);
}

/* Greatest d1 at which a row keeps its limits where d2 does not act on it: between two points,
 * share t of the way. */
static double row_reach(const gdyn_coefficients *a, const gdyn_coefficients *b, int i, double t) {
    double A = (1 - t) * a->A[i] + t * b->A[i], sign = A < 0 ? -1 : 1;
    const double *limit = A < 0 ? a->min : a->max, *slope = A < 0 ? a->min_slope : a->max_slope;
    double B = (1 - t) * a->B[i] + t * b->B[i] - (slope ? slope[i] : 0);
    double room = sign * (limit[i] - ((1 - t) * a->C[i] + t * b->C[i]));
    /* |A| d1^2 + B d1 = room, in the row's direction */
    A = fabs(A), B *= sign;
    return A > 0 && room > 0 ? 2 * room / (B + sqrt(B * B + 4 * A * room)) : INFINITY;
}

/* Where the influence of d2 on a row changes its sign, d1_max may have a dip that is narrower than
 * any distance of points: such places become points where the row alone could lower it. */
static void look_at_crossings(gdyn_adapt *a, const gdyn_evaluation *e) {
    double d1 = e->criteria.value[GDYN_CRITERION_D1_MAX], range = a->p[a->count - 1] - a->p[0];
    for (int i = 0; wants(a, GDYN_CRITERION_D1_MAX) && isfinite(d1) && i + 1 < a->count; i++) {
        const gdyn_coefficients *left = &e->pose[i]->coefficients,
                                *right = &e->pose[i + 1]->coefficients;
        bool alike = left->r == 0 && right->r == 0 && left->k == right->k;
        for (int k = 0; alike && k < left->k && a->p[i + 1] - a->p[i] > CROSSING * range; k++) {
            double t = left->D[k] / (left->D[k] - right->D[k]);
            if (!(left->D[k] * right->D[k] < 0) || !(row_reach(left, right, k, t) < NEARLY * d1))
                continue;
            propose(a, i, a->p[i] + t * (a->p[i + 1] - a->p[i]));
        }
    }
}

/* --- areas ------------------------------------------------------------------------------------ */

/* Least values of all bounds of d2 at the nodes; NAN where one has no end or is lost. */
static void take_least(const gdyn_adapt *a, double least[ROWS]) {
    double lost[ROWS] = {0}; /* else NAN */
    for (int row = 0; row < ROWS; row++)
        least[row] = INFINITY;
    for (int i = 0; i < a->count; i++)
        for (int row = 0; row < ROWS; row++) {
            double bound = a->bound[ROWS * i + row];
            least[row] = bound < least[row] ? bound : least[row];
            lost[row] += 0 * bound;
        }
    for (int row = 0; row < ROWS; row++)
        least[row] += lost[row];
}

/* Dips of the bounds of d2 at the nodes. */
typedef struct area_dips {
    double least[ROWS]; /* of the samples; -INFINITY: the node is lost or has no end */
    int dips[ROWS];
    gdyn_dip dip[ROWS][DIPS];
    double bound[ROWS]; /* of the least value: not below the other side */
} area_dips;

/* The nodes that are accessible everywhere, and their heights. */
static void take_heights(const gdyn_adapt *a, area_dips *d, double height[NODES]) {
    take_least(a, d->least);
    for (int m = 0; m < NODES; m++) {
        double *least = d->least + 2 * m, high = least[0] + least[1];
        height[m] = isfinite(high) && high > 0 ? high : 0;
        if (!(height[m] > 0))
            least[0] = least[1] = -INFINITY;
    }
}

/* Error of the integral; where no d1 is accessible any more the area has lost it already. */
static double find_area_dips(gdyn_adapt *a, area_dips *d) {
    gdyn_samples samples = a->samples;
    samples.stride = ROWS;
    double height[NODES], sum = 0;
    take_heights(a, d, height);
    gdyn_dips_mark(&samples, a->interval, ROWS, a->bound, d->least, a->mark);
    for (int row = 0; row < ROWS; row++) {
        d->dips[row] = 0;
        if (!(height[row / 2] > 0))
            continue;
        d->dips[row] = gdyn_dips_below(&samples, a->bound + row, d->least[row], a->mark, row, DIPS,
                                       d->dip[row]);
        /* a bound's error is at most the height there */
        double error =
            d->dips[row] > 0 ? fmin(d->least[row] - d->dip[row][0].bound, height[row / 2]) : 0;
        d->bound[row] = d->dips[row] > 0 ? d->dip[row][0].bound + error : 0;
        sum += a->width * error;
    }
    return sum;
}

static void look_at_area(gdyn_adapt *a, gdyn_evaluation *e) {
    double area = e->common->area;
    if (!a->ready || !isfinite(area) || area <= 0 || !estimates(a, GDYN_CRITERION_AREA))
        return;
    area_dips d;
    double sum = find_area_dips(a, &d);
    e->error.value[GDYN_CRITERION_AREA] = stated(a, sum, area);
    if (!wants(a, GDYN_CRITERION_AREA) || sum <= allowed(a, area))
        return;
    /* points where the bound falls by more than half of what all rows together may */
    double enough = 0.5 * allowed(a, area) / (ROWS * a->width);
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < d.dips[row] && d.bound[row] - d.dip[row][k].bound > enough; k++)
            propose(a, d.dip[row][k].interval, d.dip[row][k].p);
}

/* The mean is an integral over p: halves the intervals with the greatest errors, once points are
 * missing for nothing else. */
static void look_at_mean(gdyn_adapt *a, gdyn_evaluation *e) {
    double range = a->p[a->count - 1] - a->p[0], mean = e->criteria.value[GDYN_CRITERION_AREA_MEAN];
    if (!isfinite(mean) || !estimates(a, GDYN_CRITERION_AREA_MEAN))
        return;
    for (int i = 0; i < a->count; i++)
        a->value[i] = e->region[i]->area;
    double sum = gdyn_trapezoid_errors(&a->samples, a->value, a->error) / range;
    e->error.value[GDYN_CRITERION_AREA_MEAN] = stated(a, sum, mean);
    double enough = 0.5 * allowed(a, mean) * range / (a->count - 1);
    if (!wants(a, GDYN_CRITERION_AREA_MEAN) || sum <= allowed(a, mean) || a->places > 0)
        return;
    for (int i = 0; i + 1 < a->count; i++)
        if (fabs(a->error[i]) > enough)
            propose(a, i, 0.5 * (a->p[i] + a->p[i + 1]));
}

/* --- the whole -------------------------------------------------------------------------------- */

int gdyn_adapt_look(gdyn_adapt *a, gdyn_evaluation *e, const double **p) {
    bool regions = e->criteria.passes & GDYN_PASS_REGIONS;
    take_points(a, e);
    a->places = 0;
    *p = a->place;
    e->error = gdyn_criteria_none();
    e->error.passes = e->criteria.passes;
    /* too few points: halves every interval, and states no error */
    for (int i = 0; a->count < FEWEST && i + 1 < a->count; i++)
        propose(a, i, 0.5 * (a->p[i] + a->p[i + 1]));
    if (a->count < FEWEST)
        return a->places;
    if (regions) {
        look_at_values(a, e, GDYN_CRITERION_ACCEL);
        look_at_speeds(a, e, GDYN_CRITERION_D1_MAX);
        look_at_crossings(a, e);
        look_at_speeds(a, e, GDYN_CRITERION_SPEED);
        look_at_area(a, e);
    }
    for (int c = -1; (c = gdyn_criterion_next(c, GDYN_OF_TRAJECTORY, true)) >= 0;)
        if (gdyn_criterion_table[c].pass == GDYN_PASS_LOCAL && e->criteria.passes & GDYN_PASS_LOCAL)
            look_at_values(a, e, (gdyn_criterion)c);
    if (regions)
        look_at_mean(a, e);
    /* what is not refined may be far off */
    for (int c = 0; c < GDYN_CRITERIA; c++)
        if (!wants(a, (gdyn_criterion)c) &&
            e->error.value[c] > UNREFINED * fabs(e->criteria.value[c]))
            e->error.value[c] = INFINITY;
    tidy_places(a);
    return a->places;
}
