/* along.c - constraint-singular poses of a path, by golden section on sigma_r; see along.h.
 *
 * sigma_r is |p - p*| to first order where one singular value passes through zero. */
#include "reactions/along.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "linalg/minimum.h"
#include "path/place.h"

#include <math.h>
#include <string.h>

/* sigma_r below this share of its greatest value on the path counts as zero. */
static const double VANISHED = 1e-6;

/* Poses nearer to each other than this share of the path are one. */
static const double SAME = 1e-6;

typedef struct finder {
    gdyn_arena *arena;
    const gdyn_path *path;
    const gdyn_track *track;
    const gdyn_model *model;
    int rows, n, least; /* least = min(rows, n) */
    int generic;
    gdyn_path_place *place;
    gdyn_svd *svd;
    double *C, *row_scale, *column_scale;
    double *sigma; /* points x least, relative to the greatest */
    int *rank;     /* points: -1 not assembled */
} finder;

/* --- singular values ------------------------------------------------------------------------- */

static gdyn_status factor(finder *f, const gdyn_state *state) {
    gdyn_mech_jacobian(state, f->C);
    for (int j = 0; j < f->n; j++)
        for (int i = 0; i < f->rows; i++)
            f->C[i + j * f->rows] *= f->row_scale[i] * f->column_scale[j];
    return gdyn_svd_factor(f->svd, f->rows, f->n, f->C, f->rows, 0);
}

static double generic_sigma(const finder *f) {
    return f->generic > 0 && f->svd->s[0] > 0 ? f->svd->s[f->generic - 1] / f->svd->s[0] : 0;
}

/* sigma_r at p; infinite where the machine cannot be closed. */
static double sigma_at(void *context, double p) {
    finder *f = context;
    if (gdyn_path_place_at(f->place, p) != GDYN_OK || f->place->status == GDYN_POINT_UNASSEMBLED)
        return INFINITY;
    return factor(f, f->place->state) == GDYN_OK ? generic_sigma(f) : INFINITY;
}

/* --- points of the path ---------------------------------------------------------------------- */

static gdyn_status sample(finder *f) {
    f->generic = -1;
    for (int i = 0; i < f->track->points; i++) {
        f->rank[i] = -1;
        if (f->track->status[i] != GDYN_POINT_OK)
            continue;
        gdyn_status status = factor(f, f->track->state[i]);
        if (status != GDYN_OK)
            return status;
        f->rank[i] = f->svd->rank.rank;
        f->generic = f->rank[i] > f->generic ? f->rank[i] : f->generic;
        for (int s = 0; s < f->least; s++)
            f->sigma[s + i * f->least] = f->svd->s[0] > 0 ? f->svd->s[s] / f->svd->s[0] : 0;
    }
    return GDYN_OK;
}

static double sampled(const finder *f, int i) {
    bool known = i >= 0 && i < f->track->points && f->rank[i] >= 0;
    return known && f->generic > 0 ? f->sigma[f->generic - 1 + i * f->least] : INFINITY;
}

static void list_runs(const finder *f, gdyn_ranks *out) {
    for (int i = 0; i < f->track->points; i++) {
        if (f->rank[i] < 0)
            continue;
        bool same = i > 0 && f->rank[i - 1] == f->rank[i];
        if (!same)
            out->run[out->runs++] = (gdyn_rank_run){f->track->p[i], f->track->p[i], f->rank[i]};
        out->run[out->runs - 1].to = f->track->p[i];
    }
}

/* Looks on both sides of point i, one point far (beyond a failed point too). */
static void look_around(finder *f, int i, double greatest, gdyn_ranks *out) {
    const double *p = f->track->p;
    int last = f->track->points - 1;
    double a = p[i > 0 ? i - 1 : 0], b = p[i < last ? i + 1 : last];
    gdyn_minimum found = gdyn_golden_section(sigma_at, f, fmin(a, b), fmax(a, b), INFINITY);
    double least = found.value, at = found.x, within = found.within;
    for (int end = 0; end < 2; end++) { /* an end of the path may be the singular pose itself */
        double edge = sigma_at(f, end ? b : a);
        if (edge < least)
            least = edge, at = end ? b : a, within = 0;
    }
    if (least < out->least)
        out->least = least, out->least_p = at;
    bool repeated =
        out->poses > 0 && fabs(out->pose[out->poses - 1].p - at) <= SAME * fabs(p[last] - p[0]);
    if (!(least < VANISHED * greatest) || repeated)
        return;
    sigma_at(f, at);
    int rank = f->generic - 1;
    while (rank > 0 && f->svd->s[rank - 1] < VANISHED * greatest * f->svd->s[0])
        rank--;
    out->pose[out->poses++] = (gdyn_singular_pose){at, within, least, rank};
}

static void find(finder *f, gdyn_ranks *out) {
    double greatest = 0;
    out->generic = f->generic;
    out->least = INFINITY;
    list_runs(f, out);
    for (int i = 0; i < f->track->points && f->generic > 0; i++)
        if (isfinite(sampled(f, i)))
            greatest = fmax(greatest, sampled(f, i));
    for (int i = 0; i < f->track->points && f->generic > 0; i++) {
        double here = sampled(f, i);
        if (here < out->least)
            out->least = here, out->least_p = f->track->p[i];
        if (isfinite(here) && here <= sampled(f, i - 1) && here <= sampled(f, i + 1) &&
            here < 0.9 * greatest)
            look_around(f, i, greatest, out);
    }
}

static bool make(finder *f, gdyn_ranks *out) {
    size_t rows = (size_t)f->rows, n = (size_t)f->n, points = (size_t)f->track->points;
    f->place = gdyn_path_place_create(f->path, f->track);
    f->svd = gdyn_svd_create(f->rows, f->n);
    f->arena = gdyn_arena_create();
    f->C = gdyn_arena_doubles(f->arena, rows * n);
    f->row_scale = gdyn_arena_doubles(f->arena, rows);
    f->column_scale = gdyn_arena_doubles(f->arena, n);
    f->sigma = gdyn_arena_doubles(f->arena, points * (size_t)f->least);
    f->rank = gdyn_arena_alloc(f->arena, points, sizeof *f->rank);
    out->run = gdyn_alloc(points, sizeof *out->run);
    out->pose = gdyn_alloc(points, sizeof *out->pose);
    return f->place && f->svd && out->run && out->pose && !gdyn_arena_failed(f->arena);
}

static void unmake(finder *f) {
    gdyn_path_place_destroy(f->place);
    gdyn_svd_destroy(f->svd);
    gdyn_arena_destroy(f->arena);
}

gdyn_status gdyn_ranks_find(const gdyn_path *path, const gdyn_track *track, gdyn_ranks *out) {
    finder f = {.path = path, .track = track, .model = gdyn_state_model(track->state[0])};
    *out = (gdyn_ranks){.generic = -1};
    f.rows = gdyn_model_holonomic(f.model) + gdyn_model_pfaffian(f.model);
    f.n = gdyn_model_coordinates(f.model);
    f.least = f.rows < f.n ? f.rows : f.n;
    gdyn_status status = make(&f, out) ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        gdyn_mech_scales(f.model, f.row_scale, f.column_scale);
        status = sample(&f);
    }
    if (status == GDYN_OK)
        find(&f, out);
    unmake(&f);
    return status;
}

void gdyn_ranks_free(gdyn_ranks *ranks) {
    gdyn_free(ranks->run);
    gdyn_free(ranks->pose);
    *ranks = (gdyn_ranks){.generic = -1};
}
