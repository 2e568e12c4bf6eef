/* capability.c - distance of the point of rest to the facets of the set that the drives can reach;
 * see internal.h.
 *
 * Elementary vectors have supports of r + 1 drives at most, r the rank of V: every subset of so
 * many rows of V has one (up to a factor), unless its own rank is lower; then smaller subsets
 * within it give the same. */
#include "workspace/internal.h"

#include "access/rows.h"
#include "linalg/linalg.h"

#include <math.h>

enum { DRIVES_MOST = 32, SUBSETS_MOST = 5000 };
/* Facets among which the nearest point is sought at a time; those that meet in it. */
enum { FACETS_MOST = 24, AXES_MOST = 3, STEPS_MOST = 200 };

/* Rows of V are scaled by half their range before; parts of w below this are zero, and pivots of
 * their rank. */
static const double NOTHING = 1e-11;
/* Shares of loads that rounding may leave; of a radius, by which another facet must be nearer to be
 * named instead. */
static const double ROUNDING = 1e-9, NEARER = 1e-12;

/* An elementary vector w as a half-space of a: g^T a <= slack, g = D^T w. */
typedef struct facet {
    double g[AXES_MOST], use; /* |g|; 0: a does not use the slack up but for rounding */
    double slack, size;       /* h(w) - w^T C, and what it is made of */
    int bounds;
    gdyn_limit bound[GDYN_BOUNDS_MOST];
} facet;

static facet facet_of(const gdyn_coefficients *q, const gdyn_capability *c, const double *w) {
    facet f = {0};
    double square = 0, size = 0;
    for (int i = 0; i < q->k; i++) {
        if (w[i] == 0)
            continue;
        f.slack += fmax(w[i] * q->min[i], w[i] * q->max[i]) - w[i] * q->C[i];
        f.size += fabs(w[i] * q->C[i]);
        if (f.bounds < GDYN_BOUNDS_MOST)
            f.bound[f.bounds++] = gdyn_limit_force(i, w[i] > 0 ? 1 : -1);
        for (int a = 0; a < c->count; a++) {
            f.g[a] += w[i] * c->D[i + q->k * a];
            size += fabs(w[i] * c->D[i + q->k * a]);
        }
    }
    for (int a = 0; a < c->count; a++)
        square += f.g[a] * f.g[a];
    f.use = sqrt(square) > NOTHING * size ? sqrt(square) : 0;
    return f;
}

static void keep_bounds(const facet *f, gdyn_capability *c) {
    for (int i = 0; i < f->bounds; i++) {
        bool named = false;
        for (int k = 0; k < c->bounds; k++)
            named = named ||
                    (c->bound[k].row == f->bound[i].row && c->bound[k].side == f->bound[i].side);
        if (!named && c->bounds < GDYN_BOUNDS_MOST)
            c->bound[c->bounds++] = f->bound[i];
    }
}

/* Bounds the radius by one elementary vector, with one of its two signs. */
static void bound_by(const gdyn_coefficients *q, const double *w, gdyn_capability *c) {
    facet f = facet_of(q, c, w);
    double radius = INFINITY;
    /* no limit; or a does not use it: then it holds or not */
    if (isinf(f.slack))
        return;
    if (f.use > 0)
        radius = f.slack / f.use;
    else if (f.slack < -ROUNDING * f.size)
        radius = -INFINITY;
    double gain = isfinite(radius) ? NEARER * fabs(radius) : 0;
    if (radius < c->radius - gain) {
        c->radius = radius, c->bounds = 0;
        if (isfinite(radius))
            keep_bounds(&f, c);
    }
}

/* w on the rows of a subset: the left null vector of V there. False: the subset has a lower
 * rank. */
static bool circuit_of(const gdyn_coefficients *q, const double *range, const int *row, double *w) {
    int r = q->r, rows[GDYN_BOUNDS_MOST], columns[GDYN_BOUNDS_MOST];
    double part[GDYN_BOUNDS_MOST * GDYN_BOUNDS_MOST], null[GDYN_BOUNDS_MOST] = {1};
    for (int i = 0; i <= r; i++)
        for (int j = 0; j < r; j++)
            part[j + r * i] = q->V[row[i] + q->k * j] / range[row[i]];
    for (int i = 0; i < q->k; i++)
        w[i] = 0;
    /* nothing is reduced: every drive by itself */
    if (r > 0) {
        if (gdyn_lu_complete(r, r + 1, part, r, rows, columns, NOTHING).rank < r)
            return false;
        gdyn_lu_null_vector(r + 1, part, r, r, r, columns, null);
    }
    for (int i = 0; i <= r; i++)
        w[row[i]] = fabs(null[i]) > NOTHING ? null[i] / range[row[i]] : 0;
    return true;
}

/* Calls visit for all elementary vectors, each with both signs. */
typedef void visitor(const gdyn_coefficients *q, const double *w, void *context);
static void visit_circuits(const gdyn_coefficients *q, visitor *visit, void *context) {
    int row[DRIVES_MOST], size = q->r + 1;
    double w[DRIVES_MOST], range[DRIVES_MOST];
    for (int i = 0; i < q->k; i++) {
        /* half the range of a drive, or the size of its only limit */
        double low = q->min[i], high = q->max[i];
        range[i] = isfinite(high - low) ? 0.5 * (high - low)
                   : isfinite(high)     ? fabs(high)
                   : isfinite(low)      ? fabs(low)
                                        : 1;
        range[i] = range[i] > 0 ? range[i] : 1;
    }
    bool more = true;
    for (gdyn_subset_first(row, size); more; more = gdyn_subset_next(row, size, q->k)) {
        if (!circuit_of(q, range, row, w))
            continue;
        for (int sign = 0; sign < 2; sign++) {
            visit(q, w, context);
            for (int i = 0; i < q->k; i++)
                w[i] = -w[i];
        }
    }
}

/* --- the nearest point ------------------------------------------------------------------------ */

/* Facets beyond which some point was, and the point of all of them that is nearest to a = 0. */
typedef struct nearest {
    const gdyn_capability *c;
    int count;
    facet facet[FACETS_MOST];
    double a[AXES_MOST], distance;
    int active, at[AXES_MOST]; /* the facets that meet there */
    double beyond;             /* of the facet at hand, the farthest one a is beyond; 0: none */
    facet farthest;
} nearest;

/* How far a is beyond a facet; rounding is nothing. */
static double beyond_of(const facet *f, const double *a) {
    double along = f->g[0] * a[0] + f->g[1] * a[1] + f->g[2] * a[2], beyond = along - f->slack;
    return beyond > ROUNDING * (fabs(along) + fabs(f->slack)) ? beyond / f->use : 0;
}

static void look_beyond(const gdyn_coefficients *q, const double *w, void *context) {
    nearest *s = context;
    facet f = facet_of(q, s->c, w);
    double beyond = isfinite(f.slack) && f.use > 0 ? beyond_of(&f, s->a) : 0;
    if (beyond > s->beyond)
        s->beyond = beyond, s->farthest = f;
}

/* The point of minimum size on the planes of a subset; false: they are parallel. */
static bool meet(const nearest *s, const int *subset, int size, double a[AXES_MOST]) {
    double gram[AXES_MOST * AXES_MOST], weight[AXES_MOST];
    for (int i = 0; i < size; i++) {
        const facet *f = &s->facet[subset[i]];
        weight[i] = f->slack / f->use;
        for (int j = 0; j < size; j++) {
            const facet *other = &s->facet[subset[j]];
            gram[i + size * j] =
                (f->g[0] * other->g[0] + f->g[1] * other->g[1] + f->g[2] * other->g[2]) /
                (f->use * other->use);
        }
    }
    if (gdyn_cholesky_factor(size, gram) != GDYN_OK)
        return false;
    gdyn_cholesky_solve(size, gram, 1, weight);
    for (int k = 0; k < AXES_MOST; k++) {
        a[k] = 0;
        for (int i = 0; i < size; i++)
            a[k] += weight[i] * s->facet[subset[i]].g[k] / s->facet[subset[i]].use;
    }
    return true;
}

/* Takes the point of a subset of facets where it keeps all of them and is nearer. */
static void try_subset(nearest *s, const int *subset, int size) {
    double a[AXES_MOST];
    if (!meet(s, subset, size, a))
        return;
    double distance = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    bool keeps = distance < s->distance;
    for (int i = 0; i < s->count && keeps; i++)
        keeps = beyond_of(&s->facet[i], a) == 0;
    if (!keeps)
        return;
    s->distance = distance, s->active = size;
    for (int k = 0; k < AXES_MOST; k++)
        s->a[k] = a[k];
    for (int i = 0; i < size; i++)
        s->at[i] = subset[i];
}

/* The radius where a = 0 is impossible: the nearest point to it of a growing number of facets, each
 * time with the one that it is farthest beyond. Its distance grows until it is beyond none. */
static void find_shortfall(const gdyn_coefficients *q, gdyn_capability *c) {
    nearest s = {.c = c};
    for (int step = 0; step < STEPS_MOST; step++) {
        s.beyond = 0;
        visit_circuits(q, look_beyond, &s);
        if (s.beyond == 0)
            break;
        if (s.count == FACETS_MOST) {
            /* Only the facets that meet in the nearest point. */
            facet kept[AXES_MOST];
            for (int i = 0; i < s.active; i++)
                kept[i] = s.facet[s.at[i]], s.at[i] = i;
            for (int i = 0; i < s.active; i++)
                s.facet[i] = kept[i];
            s.count = s.active;
        }
        s.facet[s.count++] = s.farthest;
        /* The nearest point of all facets of the list: it lies on as many of them as there are axes
         * at most. */
        int subset[AXES_MOST];
        s.distance = INFINITY;
        for (int size = 1; size <= s.c->count && size <= s.count; size++) {
            gdyn_subset_first(subset, size);
            do
                try_subset(&s, subset, size);
            while (gdyn_subset_next(subset, size, s.count));
        }
        if (isinf(s.distance)) /* nothing keeps all of them */
            break;
    }
    c->radius = -s.distance, c->bounds = 0;
    for (int i = 0; i < s.active && isfinite(s.distance); i++)
        keep_bounds(&s.facet[s.at[i]], c);
}

/* --- the whole -------------------------------------------------------------------------------- */

typedef struct asked {
    int count;
    gdyn_capability *capability;
} asked;

static void bound_all(const gdyn_coefficients *q, const double *w, void *context) {
    const asked *all = context;
    for (int c = 0; c < all->count; c++)
        bound_by(q, w, &all->capability[c]);
}

bool gdyn_capability_find(const gdyn_coefficients *q, int count, gdyn_capability *capability) {
    double subsets = 1; /* of r + 1 drives */
    for (int i = 0; i <= q->r; i++)
        subsets *= (double)(q->k - i) / (i + 1);
    bool can = q->k <= DRIVES_MOST && q->r < q->k && q->r + 1 <= GDYN_BOUNDS_MOST &&
               subsets <= SUBSETS_MOST;
    for (int c = 0; c < count; c++)
        capability[c].radius = can ? INFINITY : NAN, capability[c].bounds = 0;
    if (!can)
        return false;
    visit_circuits(q, bound_all, &(asked){count, capability});
    for (int c = 0; c < count; c++)
        if (capability[c].radius < 0 && isfinite(capability[c].radius))
            find_shortfall(q, &capability[c]);
    return true;
}
