/* singularity.c - see analysis.h.
 *
 * Each sample keeps sigma_g(H) and, for f = k, the sign of det H in a basis N that is carried
 * along: with N_1, N_2 the bases of neighbouring samples, sign det(N_1^T N_2) det(H_1) det(H_2) is
 * negative exactly when an odd number of singular places lies between them, as long as the free
 * motions turn by less than a right angle from one to the other. Two places between the same
 * samples, and f <> k, show as a tip of sigma_g. A tip with its zero within a sample's distance
 * rises by at least the tip's own height to one of its neighbours (half of that: the slopes may
 * change). */
#include "access/dynamics.h"

#include "access/analysis.h"
#include "base/memory.h"
#include "linalg/dot.h"
#include "linalg/lanes.h"
#include "linalg/minimum.h"
#include "path/place.h"
#include "path/rank_loss.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Rise of a tip to its higher neighbour, in shares of its height, that makes it worth a search. */
static const double RISE = 0.5;
/* Beside a zero, in shares of the way to the bracket's end, where the sign is looked at. */
static const double TWIN = 1e-5;
/* Slopes of sigma_g within a bracket, compared with the mean slope seen from outside. */
static const double STEEPER = 8;
/* sigma_g below this share of the greatest singular value counts as zero at a place that a search
 * has closed in on; half a bracket of 1e-13 of the path leaves 1e-12 or less. */
static const double VANISHED = 1e-8;
/* Shares of inertia and load along a lost direction below this one are rounding and what the place
 * is off by. */
static const double NEGLIGIBLE = 1e-7;

typedef struct sample {
    double p;
    int point; /* of the track; -1: between points */
    int rank, f;
    double sigma; /* sigma_g, relative to the greatest; once g is known */
    int sense;    /* sign of det H in the basis carried along; 0: none */
    bool chained; /* the sense may be compared with the sample before */
} sample;

struct gdyn_singularity_finder {
    gdyn_arena *arena;
    const gdyn_path *path;
    const gdyn_track *track;
    gdyn_evaluator *evaluator;
    gdyn_path_place *place; /* NULL until it is needed */
    gdyn_pose *pose;
    bool exact; /* sigma_g of every sample */
    int n, few; /* few: most singular values of H */
    int count, capacity;
    sample *sample;
    double *values; /* few x capacity: singular values of H, relative to the greatest */
    double *N, *N_before, *turn, *unit;
    double *rest; /* 2 n: u_p, u_pp without rounding where the machine stands still */
    int *pivot;
    int f_before, orientation; /* of N_before; f_before -1: there is none */
    int generic;
    gdyn_status status; /* first failure inside a callback */
    double *reference;  /* N at one end of a bracket */
    int reference_sense;
    gdyn_singularities *out;
};

typedef gdyn_singularity_finder finder;

/* Where the closest approach is not asked for, 1 / (|H| |H^-1|) (Frobenius) stands for sigma_g of
 * samples that are far from singular, f = k: it lies between sigma_g / k and sigma_g, falls like it
 * towards a zero, and its elimination tells the sign of det H, too. */

enum { BETWEEN_MOST = 1000 };

/* A body that moves farther than this from one point to the next (L or rad) asks for samples
 * between. */
static const double STEP = 0.2;
/* |H| |H^-1| below this one, and |H| above that one: of full rank without doubt. */
static const double CLEAR = 1e5, PRESENT = 1e-3;

/* --- H at a pose ------------------------------------------------------------------------------ */

/* Sign of det(A^T B) of two orthonormal bases n x f. With x^T A^T B x = |x|^2 - |A x - B x|^2 / 2
 * it is 1 where they differ little: a matrix whose symmetric part is positive definite has a
 * positive determinant. */
static int turn_sign(finder *s, const double *A, const double *B, int f) {
    /* |a - b|^2 of two lists */
    gdyn_lanes sum = l_all(0);
    int i = 0;
    for (; i + GDYN_LANES <= s->n * f; i += GDYN_LANES) {
        gdyn_lanes d = l_pair(A + i) - l_pair(B + i);
        sum += d * d;
    }
    double rest = i < s->n * f ? (A[i] - B[i]) * (A[i] - B[i]) : 0;
    if (sum[0] + sum[1] + rest < 1)
        return 1;
    gdyn_gemm(1, 0, f, f, s->n, 1.0, A, s->n, B, s->n, 0.0, s->turn, f);
    return gdyn_det_sign(f, s->turn, f, s->pivot);
}

/* Sign of det H for f = k, else 0; its factors are in s->turn then. */
static int sense_of(finder *s, int f) {
    int k = s->evaluator->k;
    if (f != k || k == 0)
        return 0;
    memcpy(s->turn, s->evaluator->reduced, (size_t)k * (size_t)k * sizeof *s->turn);
    return gdyn_det_sign(k, s->turn, k, s->pivot);
}

/* H, its singular values and N at the state; *f and *sense (0 unless f = k). */
static gdyn_status factor(finder *s, const gdyn_state *state, int *f, int *sense) {
    gdyn_status status = gdyn_evaluator_drive_map(s->evaluator, state, s->N, f, true);
    *sense = status ? 0 : sense_of(s, *f);
    return status;
}

/* The same without singular values; *sigma: what stands for the least one, 0 where they are
 * needed. */
static gdyn_status estimate(finder *s, const gdyn_state *state, int *f, int *sense, double *sigma) {
    gdyn_status status = gdyn_evaluator_map(s->evaluator, state, s->N, f);
    int k = s->evaluator->k;
    *sigma = 0;
    *sense = status ? 0 : sense_of(s, *f);
    if (*sense == 0)
        return status;
    double norm = gdyn_norm(k * k, s->evaluator->reduced);
    double condition = norm * gdyn_lu_inverse_norm(k, s->turn, k);
    if (condition < CLEAR && norm > PRESENT)
        *sigma = fmin(norm, 1) / condition;
    return status;
}

/* sigma_i relative to the greatest, which is taken as 1 at least, the length of the columns of T_s:
 * where all drives lose their influence at once (one drive at a dead centre) there is no other to
 * compare with. */
static double relative(const gdyn_svd *svd, int i) {
    return svd->s[i] / fmax(svd->s[0], 1.0);
}

/* Goes to p between the points; the place is made when it is needed first. */
static gdyn_status stand(finder *s, double p) {
    if (!s->place)
        s->place = gdyn_path_place_create(s->path, s->track);
    return s->place ? gdyn_path_place_at(s->place, p) : GDYN_ERROR_MEMORY;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Rank and singular values of a sample, relative to the greatest: comparable along the path. */
static gdyn_status take_values(finder *s, const gdyn_state *state, sample *fresh) {
    double sigma = 0, *values = s->values + (size_t)s->few * (size_t)s->count;
    gdyn_status status = s->exact ? GDYN_OK : estimate(s, state, &fresh->f, &fresh->sense, &sigma);
    if (status)
        return status;
    if (sigma > 0) {
        /* of full rank: the others are not asked for */
        fresh->rank = fresh->f;
        for (int i = 0; i < s->few; i++)
            values[i] = i + 1 < s->few ? 1 : sigma;
        return GDYN_OK;
    }
    status = factor(s, state, &fresh->f, &fresh->sense);
    const gdyn_svd *svd = s->evaluator->small;
    fresh->rank = !status && svd->s[0] > 0 ? svd->rank.rank : 0;
    /* f may be smaller at other samples */
    for (int i = 0; i < s->few && !status; i++)
        values[i] = i < fresh->f && i < s->evaluator->k ? relative(svd, i) : 0.0;
    return status;
}

/* Takes a sample at a pose and carries the orientation of N on to it. */
static gdyn_status take(finder *s, const gdyn_state *state, double p, int point) {
    int samples = s->capacity; /* samples and their singular values grow together */
    if (!gdyn_reserve(&s->sample, &samples, s->count + 1, sizeof *s->sample) ||
        !gdyn_reserve(&s->values, &s->capacity, s->count + 1, (size_t)s->few * sizeof *s->values))
        return GDYN_ERROR_MEMORY;
    sample *fresh = &s->sample[s->count];
    *fresh = (sample){.p = p, .point = point};
    gdyn_status status = take_values(s, state, fresh);
    if (status)
        return status;
    /* the orientation of the basis of free motions is carried on from the sample before */
    fresh->chained = s->f_before == fresh->f && s->count > 0;
    bool oriented = fresh->chained && fresh->f == s->evaluator->k;
    int turn = oriented ? turn_sign(s, s->N_before, s->N, fresh->f) : 1;
    fresh->chained &= turn != 0;
    s->orientation = fresh->chained ? s->orientation * turn : 1;
    fresh->sense *= s->orientation;
    double *swap = s->N_before;
    s->N_before = s->N, s->N = swap, s->f_before = fresh->f;
    s->count++;
    return GDYN_OK;
}

/* Further samples where the machine moves far from point i to the next. */
static gdyn_status take_between(finder *s, int i) {
    double a = s->track->p[i], b = s->track->p[i + 1];
    /* farthest way of a body between points i and i + 1, by the speeds at both (L or rad) */
    const double *u = s->track->u_p + (size_t)s->n * (size_t)i, *next = u + s->n;
    double most = 0, h = fabs(s->track->p[i + 1] - s->track->p[i]);
    for (int j = 0; j < s->n; j++) {
        double here = fabs(u[j]), there = fabs(next[j]);
        double rate = (here > there ? here : there) / s->unit[j];
        most = rate > most ? rate : most;
    }
    /* as many as steps of that length fit */
    int pieces = (int)fmin(ceil(most * h / STEP), BETWEEN_MOST);
    gdyn_status status = GDYN_OK;
    for (int m = 1; m < pieces && !status; m++) {
        double p = a + (b - a) * m / pieces;
        status = stand(s, p);
        if (!status && s->place->status == GDYN_POINT_OK)
            status = take(s, s->place->state, p, -1);
    }
    return status;
}

/* A point of the path, and what lies before it. */
gdyn_status gdyn_singularity_finder_point(finder *s, int i, const double *known) {
    assert(i >= 0 && i < s->track->points);
    if (s->evaluator->k == 0)
        return GDYN_OK;
    /* behind a gap the orientation begins anew */
    const gdyn_point_status *found = s->track->status;
    if (found[i] != GDYN_POINT_OK) {
        s->f_before = -1;
        return GDYN_OK;
    }
    gdyn_status status = i > 0 && found[i - 1] == GDYN_POINT_OK ? take_between(s, i - 1) : GDYN_OK;
    if (!status && known)
        status = gdyn_evaluator_find_motions(s->evaluator, s->track->state[i], known);
    return status ? status : take(s, s->track->state[i], s->track->p[i], i);
}

/* The rank that the drives have at most anywhere: fewer at a pose is a loss. Poses with more
 * freedoms than others, where the constraints lose rank, do not count. */
static void find_generic(finder *s) {
    int freedoms = s->count > 0 ? s->sample[0].f : 0;
    for (int i = 1; i < s->count; i++)
        freedoms = s->sample[i].f < freedoms ? s->sample[i].f : freedoms;
    s->generic = -1;
    for (int i = 0; i < s->count; i++)
        if (s->sample[i].f == freedoms && s->sample[i].rank > s->generic)
            s->generic = s->sample[i].rank;
    for (int i = 0; i < s->count && s->generic > 0; i++)
        s->sample[i].sigma = s->values[s->generic - 1 + s->few * i];
}

/* --- what is found ---------------------------------------------------------------------------- */

/* One more place, in the order found. */
static gdyn_status add(finder *s, const gdyn_singularity *found) {
    gdyn_singularities *out = s->out;
    if (!gdyn_reserve(&out->at, &out->capacity, out->count + 1, sizeof *out->at))
        return GDYN_ERROR_MEMORY;
    out->at[out->count++] = *found;
    return GDYN_OK;
}

/* What is lost at a pose: rank, sigma, and the share of inertia and load along it. */
static gdyn_status weigh(finder *s, const gdyn_state *state, gdyn_path_rates rates,
                         gdyn_singularity *found) {
    int f;
    gdyn_evaluator *e = s->evaluator;
    /* joints that do not move have exact zero rates */
    size_t n = (size_t)s->n;
    memcpy(s->rest, rates.u_p, n * sizeof *s->rest);
    memcpy(s->rest + n, rates.u_pp, n * sizeof *s->rest);
    gdyn_track_rest(s->track, s->rest, s->rest + n);
    rates.u_p = s->rest;
    rates.u_pp = s->rest + n, rates.known = NULL;
    /* the right-hand sides at the pose, then the map of the drives */
    gdyn_status status = gdyn_evaluator_pose(e, state, &rates, GDYN_REDUCE_NULL, s->pose);
    if (!status)
        status = gdyn_evaluator_drive_map(e, state, s->N, &f, false);
    if (status)
        return status;
    const gdyn_svd *svd = e->small;
    /* singular values that vanish, and what of inertia and load lies along their directions */
    found->rank = found->generic = s->generic;
    while (found->rank > 0 && relative(svd, found->rank - 1) < VANISHED)
        found->rank--;
    found->sigma = found->rank < s->generic ? relative(svd, found->rank) : 0;
    found->uncontrolled = 0;
    for (int j = found->rank; j < s->generic; j++)
        found->uncontrolled =
            fmax(found->uncontrolled, gdyn_evaluator_share(e, s->N, f, svd->U + (size_t)f * j));
    found->blocks = found->uncontrolled > NEGLIGIBLE;
    return GDYN_OK;
}

/* The same where the place stands. */
static gdyn_status weigh_place(finder *s, gdyn_singularity *found) {
    const gdyn_path_place *at = s->place;
    return weigh(s, at->state, gdyn_track_rates_at(s->track, at->p, at->u_p, at->u_pp), found);
}

/* Adds the place at p if H has really lost a rank there. */
static gdyn_status add_place(finder *s, double p, double within) {
    gdyn_singularity found = {.from = p, .to = p, .within = within};
    gdyn_status status = stand(s, p);
    if (status || s->place->status == GDYN_POINT_UNASSEMBLED)
        return status;
    status = weigh_place(s, &found);
    return !status && found.rank < s->generic ? add(s, &found) : status;
}

static bool lost(const finder *s, int i) {
    return i >= 0 && i < s->count && s->sample[i].rank < s->generic;
}

/* A sample that is singular itself, or goes on a stretch of such samples. */
static gdyn_status add_sample(finder *s, int i) {
    const sample *at = &s->sample[i];
    gdyn_singularity found = {.from = at->p, .to = at->p};
    /* a point of the path is known, a place between is assembled anew */
    gdyn_status status = at->point >= 0 ? weigh(s, s->track->state[at->point],
                                                gdyn_track_rates(s->track, at->point), &found)
                                        : stand(s, at->p);
    if (!status && at->point < 0)
        status = weigh_place(s, &found);
    if (status)
        return status;
    gdyn_singularity *last = s->out->count ? &s->out->at[s->out->count - 1] : NULL;
    /* neighbouring samples that are singular, too, are one stretch */
    if (!lost(s, i - 1) || !last)
        return add(s, &found);
    last->to = at->p;
    last->rank = found.rank < last->rank ? found.rank : last->rank;
    last->uncontrolled = fmax(last->uncontrolled, found.uncontrolled);
    last->blocks |= found.blocks;
    return GDYN_OK;
}

/* --- the search ------------------------------------------------------------------------------- */

/* sigma_g at p, with the sign of det H relative to the reference; INFINITY where the machine cannot
 * be. */
static double signed_sigma(void *context, double p) {
    finder *s = context;
    int f, sense;
    /* the pose and its decomposition */
    gdyn_status status = stand(s, p);
    if (!status && s->place->status == GDYN_POINT_UNASSEMBLED)
        return INFINITY;
    if (!status)
        status = factor(s, s->place->state, &f, &sense);
    if (status) {
        s->status = s->status ? s->status : status;
        return INFINITY;
    }
    /* the determinant's sign makes it a function with a change of sign */
    double sigma = relative(s->evaluator->small, s->generic - 1);
    bool oriented = s->reference_sense != 0 && f == s->evaluator->k;
    return oriented && sense * turn_sign(s, s->reference, s->N, f) != s->reference_sense ? -sigma
                                                                                         : sigma;
}

/* det H passes through zero between the samples i and i + 1. */
static bool changes_sign(const finder *s, int i) {
    bool inside = i >= 0 && i + 1 < s->count && s->sample[i + 1].chained;
    return inside && !lost(s, i) && !lost(s, i + 1) &&
           s->sample[i].sense * s->sample[i + 1].sense < 0;
}

/* The basis at the sample becomes the reference of signed_sigma. */
static gdyn_status refer(finder *s, int i) {
    int f;
    s->reference_sense = 0;
    gdyn_status status = stand(s, s->sample[i].p);
    if (!status)
        status = factor(s, s->place->state, &f, &s->reference_sense);
    if (!status)
        memcpy(s->reference, s->N, (size_t)s->n * (size_t)f * sizeof *s->N);
    return status;
}

/* The place where the sign changes between `here`, on the reference's side, and `beyond`. */
static gdyn_status bisect(finder *s, double here, double beyond) {
    double within;
    double p = gdyn_bisect(signed_sigma, s, fmin(here, beyond), fmax(here, beyond), beyond < here,
                           &within);
    return s->status ? s->status : add_place(s, p, within);
}

/* A sample whose sigma could come from a zero nearby that shows no change of sign. */
static bool is_tip(const finder *s, int i) {
    bool first = i == 0, last = i + 1 == s->count;
    double here = s->sample[i].sigma, left = first ? here : s->sample[i - 1].sigma,
           right = last ? here : s->sample[i + 1].sigma;
    bool explained =
        lost(s, i - 1) || lost(s, i + 1) || changes_sign(s, i - 1) || changes_sign(s, i);
    return !explained && here <= left && (last || here < right) &&
           fmax(left, right) - here >= RISE * here && fmax(left, right) > 0;
}

/* Zeros that show no change of sign from sample to sample come in pairs: the other one of the zero
 * found at p, between the ends of the bracket. */
static gdyn_status search_twin(finder *s, int i, const double end[2], double p) {
    gdyn_status status = refer(s, i);
    for (int side = 0; side < 2 && !status && s->reference_sense != 0; side++) {
        double beside = p + TWIN * (end[side] - p);
        if (signed_sigma(s, beside) < 0)
            status = bisect(s, end[side], beside);
    }
    s->reference_sense = 0;
    return status;
}

/* A sample with a local minimum of sigma: is there a zero beside it, and a second one? */
static gdyn_status search_tip(finder *s, int i) {
    int a = i > 0 ? i - 1 : 0, b = i + 1 < s->count ? i + 1 : i, known = s->out->count;
    /* the bracket of its neighbours */
    double end[2] = {fmin(s->sample[a].p, s->sample[b].p), fmax(s->sample[a].p, s->sample[b].p)};
    double rise = fmax(s->sample[a].sigma, s->sample[b].sigma) - s->sample[i].sigma;
    /* the search ends where slopes like those of the samples cannot reach zero any more */
    gdyn_minimum found = gdyn_golden_section(signed_sigma, s, end[0], end[1],
                                             2 * STEEPER * rise / (end[1] - end[0]));
    /* only a value at rounding level is a zero */
    if (s->status || !(found.value < VANISHED))
        return s->status;
    gdyn_status status = add_place(s, found.x, found.within);
    return !status && s->out->count > known ? search_twin(s, i, end, found.x) : status;
}

/* By p, in the direction of the path. */
static void sort(finder *s) {
    gdyn_singularity *at = s->out->at;
    double sense = s->sample[s->count - 1].p < s->sample[0].p ? -1 : 1;
    for (int i = 1; i < s->out->count; i++)
        for (int k = i; k > 0 && sense * (at[k].from - at[k - 1].from) < 0; k--) {
            gdyn_singularity swap = at[k];
            at[k] = at[k - 1];
            at[k - 1] = swap;
        }
}

/* Minima and changes of sign of all samples. */
static gdyn_status search(finder *s) {
    s->out->least = INFINITY;
    gdyn_status status = GDYN_OK;
    /* sigma of the samples; the least one of all is reported */
    for (int i = 0; i < s->count && !status && s->generic > 0; i++) {
        if (s->sample[i].sigma < s->out->least)
            s->out->least = s->sample[i].sigma, s->out->least_p = s->sample[i].p;
        /* singular itself, a minimum beside which a zero may lie, or a change of sign */
        if (lost(s, i))
            status = add_sample(s, i);
        else if (is_tip(s, i))
            status = search_tip(s, i);
        if (!status && changes_sign(s, i)) {
            /* The zero between two samples of different sign. */
            status = refer(s, i);
            if (!status && s->reference_sense != 0)
                status = bisect(s, s->sample[i].p, s->sample[i + 1].p);
            s->reference_sense = 0;
        }
    }
    sort(s);
    /* places that were found may be lower than the samples */
    for (int i = 0; i < s->out->count && !status; i++)
        if (s->out->at[i].sigma < s->out->least)
            s->out->least = s->out->at[i].sigma, s->out->least_p = s->out->at[i].from;
    return status;
}

/* --- constraints ------------------------------------------------------------------------------ */

/* Whether the drives control the freedoms that appear where the constraints lose rank. */
static gdyn_status weigh_loss(finder *s, double p, bool *controlled) {
    int f = 0, sense;
    gdyn_status status = stand(s, p);
    *controlled = false;
    if (status || s->place->status == GDYN_POINT_UNASSEMBLED || s->evaluator->k == 0)
        return status;
    status = factor(s, s->place->state, &f, &sense);
    /* more freedoms than elsewhere, and each is driven */
    *controlled =
        !status && f > s->generic && f <= s->evaluator->k && s->evaluator->small->rank.rank == f;
    return status;
}

/* The poses at which the constraints lose rank join the places. */
static gdyn_status add_rank_losses(finder *s, const gdyn_ranks *ranks) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < ranks->poses && !status; i++) {
        const gdyn_singular_pose *pose = &ranks->pose[i];
        gdyn_singularity found = {.from = pose->p,
                                  .to = pose->p,
                                  .within = pose->within,
                                  .sigma = pose->sigma,
                                  .rank = pose->rank,
                                  .generic = ranks->generic,
                                  .constraints = true,
                                  .uncontrolled = 1};
        bool controlled;
        status = weigh_loss(s, pose->p, &controlled);
        found.uncontrolled = !controlled, found.blocks = !controlled;
        status = status ? status : add(s, &found);
    }
    return status;
}

/* Searched for where the path was followed near such a pose, or the closest approach is asked
 * for. */
static gdyn_status find_rank_losses(finder *s, bool closest) {
    gdyn_ranks ranks;
    s->out->looked = s->track->points;
    if (!closest && !gdyn_ranks_suspect(s->track))
        return GDYN_OK;
    gdyn_status status =
        gdyn_ranks_find(s->path, s->track, closest ? GDYN_RANKS_CLOSEST : GDYN_RANKS_LOST, &ranks);
    if (!status)
        status = add_rank_losses(s, &ranks);
    s->out->losses = status ? 0 : gdyn_ranks_losses(&ranks);
    if (!status && closest && ranks.generic > 0)
        s->out->least_rank = ranks.least, s->out->least_rank_p = ranks.least_p;
    if (s->count > 0)
        sort(s);
    gdyn_ranks_free(&ranks);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Bases of this pose, the last one and the reference. */
static bool allocate(finder *s) {
    size_t n = (size_t)s->n;
    const gdyn_model *model = s->evaluator->model;
    gdyn_arena *arena = s->arena = gdyn_arena_create();
    s->pose = gdyn_pose_create(model);
    s->N = gdyn_arena_room(arena, n * n, sizeof *s->N);
    s->N_before = gdyn_arena_room(arena, n * n, sizeof *s->N_before);
    s->reference = gdyn_arena_room(arena, n * n, sizeof *s->reference);
    s->turn = gdyn_arena_room(arena, n * n, sizeof *s->turn);
    s->unit = gdyn_arena_doubles(arena, n), s->rest = gdyn_arena_doubles(arena, 2 * n);
    s->pivot = gdyn_arena_alloc(arena, n, sizeof *s->pivot);
    if (!s->pose || gdyn_arena_failed(arena))
        return false;
    /* motions are measured in machine lengths and in radians */
    gdyn_mech_scales(model, NULL, s->unit);
    for (int j = 0; j < s->n; j++)
        s->unit[j] *= gdyn_model_length(model);
    return true;
}

/* Collects samples; the search itself comes at the end. */
finder *gdyn_singularity_finder_create(const gdyn_path *path, const gdyn_track *track,
                                       gdyn_evaluator *evaluator, bool closest) {
    finder *s = gdyn_alloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->path = path, s->track = track, s->evaluator = evaluator, s->exact = closest;
    s->n = track->n;
    s->few = s->n < evaluator->k ? s->n : evaluator->k;
    s->f_before = -1;
    if (!allocate(s)) {
        gdyn_singularity_finder_destroy(s);
        return NULL;
    }
    return s;
}

/* Safe on a partly made finder. */
void gdyn_singularity_finder_destroy(finder *s) {
    if (!s)
        return;
    gdyn_free(s->values), gdyn_free(s->sample);
    gdyn_arena_destroy(s->arena);
    gdyn_pose_destroy(s->pose);
    gdyn_path_place_destroy(s->place);
    gdyn_free(s);
}

/* The rank first, then the places where it is lower, or how near the path comes to one. */
gdyn_status gdyn_singularity_finder_finish(finder *s, gdyn_singularities *out) {
    bool closest = s->exact;
    out->count = out->losses = out->looked = 0;
    out->least = out->least_p = out->least_rank = out->least_rank_p = NAN;
    find_generic(s);
    out->generic = s->generic;
    s->out = out;
    gdyn_status status = s->generic > 0 ? search(s) : GDYN_OK;
    if (!status && closest && s->generic > 0 && out->count == 0) {
        /* Where no place was found sigma_g has a smooth minimum beside its least sample. */
        int lowest = 0;
        for (int i = 1; i < s->count; i++)
            lowest = s->sample[i].sigma < s->sample[lowest].sigma ? i : lowest;
        double a = s->sample[lowest > 0 ? lowest - 1 : 0].p;
        double b = s->sample[lowest + 1 < s->count ? lowest + 1 : lowest].p;
        s->reference_sense = 0;
        gdyn_minimum found = gdyn_smooth_minimum(signed_sigma, s, fmin(a, b), fmax(a, b));
        if (found.value < s->out->least)
            s->out->least = found.value, s->out->least_p = found.x;
        status = s->status;
    }
    if (!closest)
        out->least = out->least_p = NAN;
    return status ? status : find_rank_losses(s, closest);
}

double gdyn_drive_map_distance(const gdyn_evaluator *e, int f) {
    return f == 0 || e->k < f ? 0 : relative(e->small, f - 1);
}

/* All points, then the search. */
gdyn_status gdyn_singularities_find(const gdyn_path *path, const gdyn_track *track,
                                    gdyn_evaluator *evaluator, gdyn_singularities *out) {
    finder *s = gdyn_singularity_finder_create(path, track, evaluator, true);
    gdyn_status status = s ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < track->points && !status; i++)
        status = gdyn_singularity_finder_point(s, i, NULL);
    if (!status)
        status = gdyn_singularity_finder_finish(s, out);
    gdyn_singularity_finder_destroy(s);
    return status;
}

void gdyn_singularities_free(gdyn_singularities *singularities) {
    gdyn_free(singularities->at);
    *singularities = (gdyn_singularities){0};
}

/* The first place of the range that blocks it. */
const gdyn_singularity *gdyn_singularities_block(const gdyn_singularities *singularities,
                                                 double from, double to) {
    for (int i = 0; i < singularities->count; i++) {
        const gdyn_singularity *at = &singularities->at[i];
        if (at->blocks && fmax(at->from, at->to) >= from && fmin(at->from, at->to) <= to)
            return at;
    }
    return NULL;
}
