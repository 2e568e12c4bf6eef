/* singularity_samples.c - the drives' map H at the points of a path and between them: see
 * singularity_finder.h.
 *
 * Where the closest approach is not asked for, 1 / (|H| |H^-1|) (Frobenius) stands for sigma_g of
 * samples that are far from singular, f = k: it lies between sigma_g / k and sigma_g, falls like it
 * towards a zero, and its elimination tells the sign of det H, too. */
#include "access/singularity_finder.h"

#include "linalg/dot.h"
#include "linalg/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BETWEEN_MOST = 1000 };

/* A body that moves farther than this from one point to the next (L or rad) asks for samples
 * between. */
static const double STEP = 0.2;
/* |H| |H^-1| below this one, and |H| above that one: of full rank without doubt. */
static const double CLEAR = 1e5, PRESENT = 1e-3;

typedef gdyn_singularity_finder finder;
typedef gdyn_finder_sample sample;

/* --- H at a pose ------------------------------------------------------------------------------ */

/* |a - b|^2 of two lists. */
static double square_apart(int count, const double *a, const double *b) {
    gdyn_lanes sum = l_all(0);
    int i = 0;
    for (; i + GDYN_LANES <= count; i += GDYN_LANES) {
        gdyn_lanes d = l_pair(a + i) - l_pair(b + i);
        sum += d * d;
    }
    double rest = i < count ? (a[i] - b[i]) * (a[i] - b[i]) : 0;
    return sum[0] + sum[1] + rest;
}

/* Sign of det(A^T B) of two orthonormal bases n x f. With x^T A^T B x = |x|^2 - |A x - B x|^2 / 2
 * it is 1 where they differ little: a matrix whose symmetric part is positive definite has a
 * positive determinant. */
int gdyn_finder_turn_sign(finder *s, const double *A, const double *B, int f) {
    if (square_apart(s->n * f, A, B) < 1)
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
gdyn_status gdyn_finder_factor(finder *s, const gdyn_state *state, int *f, int *sense) {
    gdyn_status status = gdyn_evaluator_drive_values(s->evaluator, state, s->N, f);
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
double gdyn_finder_relative(const gdyn_svd *svd, int i) {
    return svd->s[i] / fmax(svd->s[0], 1.0);
}

/* Goes to p between the points; the place is made when it is needed first. */
gdyn_status gdyn_finder_stand(finder *s, double p) {
    if (!s->place)
        s->place = gdyn_path_place_create(s->path, s->track);
    return s->place ? gdyn_path_place_at(s->place, p) : GDYN_ERROR_MEMORY;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Samples and their singular values grow together. */
static bool reserve(finder *s) {
    int samples = s->capacity;
    return gdyn_reserve(&s->sample, &samples, s->count + 1, sizeof *s->sample) &&
           gdyn_reserve(&s->values, &s->capacity, s->count + 1, (size_t)s->few * sizeof *s->values);
}

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
    status = gdyn_finder_factor(s, state, &fresh->f, &fresh->sense);
    const gdyn_svd *svd = s->evaluator->small;
    fresh->rank = !status && svd->s[0] > 0 ? svd->rank.rank : 0;
    /* f may be smaller at other samples */
    for (int i = 0; i < s->few && !status; i++)
        values[i] = i < fresh->f && i < s->evaluator->k ? gdyn_finder_relative(svd, i) : 0.0;
    return status;
}

/* Takes a sample at a pose and carries the orientation of N on to it. */
static gdyn_status take(finder *s, const gdyn_state *state, double p, int point) {
    if (!reserve(s))
        return GDYN_ERROR_MEMORY;
    sample *fresh = &s->sample[s->count];
    *fresh = (sample){.p = p, .point = point};
    gdyn_status status = take_values(s, state, fresh);
    if (status)
        return status;
    /* the orientation of the basis of free motions is carried on from the sample before */
    fresh->chained = s->f_before == fresh->f && s->count > 0;
    bool oriented = fresh->chained && fresh->f == s->evaluator->k;
    int turn = oriented ? gdyn_finder_turn_sign(s, s->N_before, s->N, fresh->f) : 1;
    fresh->chained &= turn != 0;
    s->orientation = fresh->chained ? s->orientation * turn : 1;
    fresh->sense *= s->orientation;
    double *swap = s->N_before;
    s->N_before = s->N;
    s->N = swap;
    s->f_before = fresh->f;
    s->count++;
    return GDYN_OK;
}

/* Farthest way of a body between points i and i + 1, by the speeds at both (L or rad). */
static double farthest(const finder *s, int i) {
    const double *u = s->track->u_p + (size_t)s->n * (size_t)i, *next = u + s->n;
    double most = 0, h = fabs(s->track->p[i + 1] - s->track->p[i]);
    for (int j = 0; j < s->n; j++) {
        double here = fabs(u[j]), there = fabs(next[j]);
        double rate = (here > there ? here : there) / s->unit[j];
        most = rate > most ? rate : most;
    }
    return most * h;
}

/* Further samples where the machine moves far from point i to the next. */
static gdyn_status take_between(finder *s, int i) {
    double a = s->track->p[i], b = s->track->p[i + 1];
    /* as many as steps of that length fit */
    int pieces = (int)fmin(ceil(farthest(s, i) / STEP), BETWEEN_MOST);
    gdyn_status status = GDYN_OK;
    for (int m = 1; m < pieces && !status; m++) {
        double p = a + (b - a) * m / pieces;
        status = gdyn_finder_stand(s, p);
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
void gdyn_finder_generic(finder *s) {
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
