/* rank_loss.c - constraint-singular poses of a path, by golden section on sigma_r; see rank_loss.h.
 *
 * sigma_r is |p - p*| to first order where one singular value passes through zero. A sparse search
 * asks for singular values only where a place can be near: C loses rank only where C with the rows
 * of the path does, whose least pivot the track keeps. */
#include "path/rank_loss.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "linalg/minimum.h"
#include "path/internal.h"

#include <math.h>
#include <string.h>

/* sigma_r below this share of its greatest value on the path counts as zero. */
static const double VANISHED = 1e-6;
/* Poses nearer to each other than this share of the path are one. */
static const double SAME = 1e-6;
/* A minimum may come from a zero beside it when the rise to a neighbour is this share of it. */
static const double RISE = 0.25;
/* Slopes within a bracket, compared with the mean slope seen from outside or at places within. */
static const double STEEPER = 8;
/* Intervals of a sparse search between which nothing is known but pivots. */
enum { SPARSE = 12 };

typedef struct finder {
    const gdyn_track *track;
    const gdyn_model *model;
    int rows, n, least; /* least = min(rows, n) */
    int generic;
    gdyn_path_place *place;
    gdyn_svd *svd;
    double *C, *row_scale, *column_scale;
    gdyn_ranks_look look;
    bool sparse;
    int samples;   /* points looked at */
    int *point;    /* samples */
    double *sigma; /* samples x least, relative to the greatest */
    int *rank;     /* samples */
} finder;

/* --- singular values ------------------------------------------------------------------------- */

/* Singular values of C in scaled rows and velocities. */
static gdyn_status factor(finder *f, const gdyn_state *state) {
    gdyn_mech_jacobian(state, f->C);
    for (int j = 0; j < f->n; j++)
        for (int i = 0; i < f->rows; i++)
            f->C[i + j * f->rows] *= f->row_scale[i] * f->column_scale[j];
    return gdyn_svd_values(f->svd, f->rows, f->n, f->C, f->rows, 0);
}

/* sigma_r at p; infinite where the machine cannot be closed. */
static double sigma_at(void *context, double p) {
    finder *f = context;
    if (gdyn_path_place_at(f->place, p) != GDYN_OK || f->place->status == GDYN_POINT_UNASSEMBLED)
        return INFINITY;
    if (factor(f, f->place->state) != GDYN_OK)
        return INFINITY;
    return f->generic > 0 && f->svd->s[0] > 0 ? f->svd->s[f->generic - 1] / f->svd->s[0] : 0;
}

/* --- points of the path ---------------------------------------------------------------------- */

static bool followed(const gdyn_track *track, int i) {
    return i >= 0 && i < track->points &&
           gdyn_point_regular(track->status[i]); /* ranges hold nothing */
}

double gdyn_track_pivot(const gdyn_track *track, int i) {
    if (!followed(track, i))
        return INFINITY;
    const gdyn_rank *rank = &track->rates[i].rank;
    return rank->greatest > 0 ? rank->above / rank->greatest : INFINITY;
}

/* Whether the pivots have a minimum at point i and rise to a neighbour as beside a zero. */
static bool dips(const gdyn_track *track, int i) {
    double here = gdyn_track_pivot(track, i), left = gdyn_track_pivot(track, i - 1),
           right = gdyn_track_pivot(track, i + 1);
    double rise = fmax(isfinite(left) ? left : here, isfinite(right) ? right : here) - here;
    return isfinite(here) && here <= left && here <= right && rise >= RISE * here;
}

bool gdyn_ranks_suspect(const gdyn_track *track) {
    bool any = false;
    for (int i = 0; i < track->points && !any; i++) {
        gdyn_point_status status = track->status[i];
        any = dips(track, i) || status == GDYN_POINT_SINGULAR || status == GDYN_POINT_BRANCH;
    }
    return any;
}

/* A dip, or the least pivot beside an end of what is followed. */
static bool low(const finder *f, int i) {
    double here = gdyn_track_pivot(f->track, i), left = gdyn_track_pivot(f->track, i - 1);
    double right = gdyn_track_pivot(f->track, i + 1);
    return dips(f->track, i) || (here <= left && here <= right && (isinf(left) || isinf(right)));
}

/* With many points only some are looked at, with those at and beside minima of the pivots. */
static bool looked_at(const finder *f, int i) {
    int stride = (f->track->points + SPARSE - 1) / SPARSE;
    return followed(f->track, i) && (!f->sparse || i % stride == 0 || i == f->track->points - 1 ||
                                     low(f, i) || low(f, i - 1) || low(f, i + 1));
}

/* Ranks and relative singular values of points looked at; the greatest rank is generic. */
static gdyn_status sample(finder *f) {
    f->generic = -1;
    for (int i = 0; i < f->track->points; i++) {
        if (!looked_at(f, i))
            continue;
        gdyn_status status = factor(f, f->track->state[i]);
        if (status != GDYN_OK)
            return status;
        int at = f->samples++;
        f->point[at] = i, f->rank[at] = f->svd->rank.rank;
        f->generic = f->rank[at] > f->generic ? f->rank[at] : f->generic;
        /* relative to the greatest: comparable along the path */
        for (int s = 0; s < f->least; s++)
            f->sigma[s + at * f->least] = f->svd->s[0] > 0 ? f->svd->s[s] / f->svd->s[0] : 0;
    }
    return GDYN_OK;
}

/* Sample `at` of sigma_r; INFINITY beyond the ends and beside points that are not followed. */
static double sampled(const finder *f, int at) {
    bool there = at >= 0 && at < f->samples && f->generic > 0;
    return there ? f->sigma[f->generic - 1 + at * f->least] : INFINITY;
}

static double neighbour(const finder *f, int at, int side) {
    int i = f->point[at];
    return followed(f->track, i + side) ? sampled(f, at + side) : INFINITY;
}

/* Neighbouring points of equal rank make a run; a gap or another rank ends it. */
static void list_runs(const finder *f, gdyn_ranks *out) {
    for (int at = 0; at < f->samples; at++) {
        double p = f->track->p[f->point[at]];
        bool same =
            at > 0 && f->rank[at - 1] == f->rank[at] && followed(f->track, f->point[at] - 1);
        if (!same)
            out->run[out->runs++] = (gdyn_rank_run){p, p, f->rank[at]};
        out->run[out->runs - 1].to = p;
    }
}

/* --- the search ------------------------------------------------------------------------------ */

/* Ends of the way around a sample: its neighbours, or the next points if not followed. */
static void ends_of(const finder *f, int at, double *a, double *b) {
    const double *p = f->track->p;
    int i = f->point[at], last = f->track->points - 1;
    bool left = followed(f->track, i - 1) && at > 0,
         right = followed(f->track, i + 1) && at + 1 < f->samples;
    *a = p[left ? f->point[at - 1] : i > 0 ? i - 1 : 0];
    *b = p[right ? f->point[at + 1] : i < last ? i + 1 : last];
}

static void note_least(gdyn_ranks *out, double sigma, double p) {
    if (sigma < out->least)
        out->least = sigma, out->least_p = p;
}

/* Slope of sigma between two neighbouring samples; INFINITY where they are none. */
static double slope_between(const finder *f, int at, int next) {
    int first = at < next ? at : next, last = at < next ? next : at;
    if (first < 0 || last >= f->samples)
        return INFINITY;
    for (int i = f->point[first]; i <= f->point[last]; i++)
        if (!followed(f->track, i))
            return INFINITY;
    double way = f->track->p[f->point[last]] - f->track->p[f->point[first]];
    return fabs(sampled(f, last) - sampled(f, first)) / fabs(way);
}

/* Slope with which a zero around a sample has to rise, between a and b; INFINITY: unknown. */
static double steepest(const finder *f, int at, double a, double b) {
    if (!f->sparse || a == b)
        return INFINITY;
    /* where points are sparse, as steeply as the samples do on both sides */
    double rise = fmax(sampled(f, at - 1), sampled(f, at + 1)) - sampled(f, at);
    if (isfinite(rise))
        return 2 * STEEPER * rise / fabs(b - a);
    /* at an end of the path a zero lies before the next sample: the slope there, or behind it */
    bool first = f->point[at] == 0, last = f->point[at] == f->track->points - 1;
    if (f->look != GDYN_RANKS_LOST || (!first && !last))
        return INFINITY;
    int side = first ? 1 : -1;
    double near = slope_between(f, at, at + side);
    return STEEPER * fmax(near, slope_between(f, at + side, at + 2 * side));
}

/* Looks on both sides of a sample (beyond a failed point too). */
static void look_around(finder *f, int at, double greatest, gdyn_ranks *out) {
    const double *p = f->track->p;
    /* between both neighbours, or up to an end of the path */
    double a, b, span = fabs(p[f->track->points - 1] - p[0]);
    ends_of(f, at, &a, &b);
    gdyn_minimum found =
        gdyn_vanishing_minimum(sigma_at, f, fmin(a, b), fmax(a, b), steepest(f, at, a, b), STEEPER);
    double least = found.value, place = found.x, within = found.within;
    for (int end = 0; end < 2; end++) { /* an end of the path may be the singular pose itself */
        double edge = sigma_at(f, end ? b : a);
        if (edge < least)
            least = edge, place = end ? b : a, within = 0;
    }
    /* the nearest approach counts even where it is no singular pose */
    note_least(out, least, place);
    bool repeated = out->poses > 0 && fabs(out->pose[out->poses - 1].p - place) <= SAME * span;
    if (!(least < VANISHED * greatest) || repeated)
        return;
    /* rank there: how many singular values vanish together */
    sigma_at(f, place);
    int rank = f->generic - 1;
    while (rank > 0 && f->svd->s[rank - 1] < VANISHED * greatest * f->svd->s[0])
        rank--;
    out->pose[out->poses++] = (gdyn_singular_pose){place, within, least, rank};
}

/* Whether a zero may lie beside a sample that has the least value of its neighbours. */
static bool may_vanish(const finder *f, int at, double greatest) {
    double here = sampled(f, at), left = neighbour(f, at, -1), right = neighbour(f, at, 1);
    double rise = fmax(isfinite(left) ? left : 0, isfinite(right) ? right : 0) - here;
    bool open = isinf(left) || isinf(right);
    return f->sparse ? rise >= RISE * here || open : here < 0.9 * greatest;
}

static void find(finder *f, gdyn_ranks *out) {
    double greatest = 0, a, b;
    int lowest = 0;
    /* ranks at the points, then the nearest approach of all */
    list_runs(f, out);
    for (int at = 0; at < f->samples; at++) {
        greatest = fmax(greatest, sampled(f, at));
        lowest = sampled(f, at) < sampled(f, lowest) ? at : lowest;
        note_least(out, sampled(f, at), f->track->p[f->point[at]]);
    }
    /* every local minimum of sigma that may be zero */
    for (int at = 0; at < f->samples; at++) {
        double here = sampled(f, at);
        if (here <= neighbour(f, at, -1) && here <= neighbour(f, at, 1) &&
            may_vanish(f, at, greatest))
            look_around(f, at, greatest, out);
    }
    /* the closest approach, where nothing vanishes */
    if (f->look == GDYN_RANKS_CLOSEST && out->poses == 0 && f->samples > 1) {
        ends_of(f, lowest, &a, &b);
        gdyn_minimum found = gdyn_smooth_minimum(sigma_at, f, fmin(a, b), fmax(a, b));
        note_least(out, found.value, found.x);
    }
}

/* Runs of equal rank, and the singular poses between them. */
gdyn_status gdyn_ranks_find(const gdyn_path *path, const gdyn_track *track, gdyn_ranks_look look,
                            gdyn_ranks *out) {
    finder f = {.track = track,
                .look = look,
                .sparse = look != GDYN_RANKS_POINTS,
                .model = gdyn_state_model(track->state[0])};
    *out = (gdyn_ranks){.generic = -1, .least = NAN, .least_p = NAN};
    f.rows = gdyn_model_holonomic(f.model) + gdyn_model_pfaffian(f.model);
    f.n = gdyn_model_coordinates(f.model);
    f.least = f.rows < f.n ? f.rows : f.n;
    size_t rows = (size_t)f.rows, n = (size_t)f.n, samples = 0;
    for (int i = 0; i < track->points; i++)
        samples += looked_at(&f, i);
    gdyn_arena *arena = gdyn_arena_create();
    f.C = gdyn_arena_doubles(arena, rows * n);
    f.row_scale = gdyn_arena_doubles(arena, rows);
    f.column_scale = gdyn_arena_doubles(arena, n);
    f.sigma = gdyn_arena_doubles(arena, samples * (size_t)f.least);
    f.rank = gdyn_arena_alloc(arena, samples, sizeof *f.rank);
    f.point = gdyn_arena_alloc(arena, samples, sizeof *f.point);
    f.place = gdyn_path_place_create(path, track);
    f.svd = gdyn_svd_create(f.rows, f.n);
    out->run = gdyn_alloc(samples + 1, sizeof *out->run);
    out->pose = gdyn_alloc(samples + 1, sizeof *out->pose);
    bool ok = f.place && f.svd && out->run && out->pose && !gdyn_arena_failed(arena);
    gdyn_status status = ok ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        gdyn_mech_scales(f.model, f.row_scale, f.column_scale);
        status = sample(&f);
    }
    out->generic = f.generic, out->least = INFINITY;
    if (status == GDYN_OK && f.generic > 0)
        find(&f, out);
    else if (status == GDYN_OK)
        list_runs(&f, out);
    gdyn_path_place_destroy(f.place);
    gdyn_svd_destroy(f.svd);
    gdyn_arena_destroy(arena);
    return status;
}

int gdyn_ranks_losses(const gdyn_ranks *ranks) {
    int total = ranks->poses;
    /* each run of lower rank counts once, also when a pose within it was found */
    for (int i = 0; i < ranks->runs; i++) {
        const gdyn_rank_run *run = &ranks->run[i];
        bool counted = run->rank == ranks->generic;
        for (int k = 0; k < ranks->poses && !counted; k++) {
            double p = ranks->pose[k].p, slack = SAME * (1 + fabs(p));
            counted = p >= run->from - slack && p <= run->to + slack;
        }
        total += !counted;
    }
    return total;
}

void gdyn_ranks_free(gdyn_ranks *ranks) {
    gdyn_free(ranks->run), gdyn_free(ranks->pose);
    *ranks = (gdyn_ranks){.generic = -1};
}
