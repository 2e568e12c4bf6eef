/* proof.c - regions computed by other methods, and forces inserted into the equations of motion.
 *
 * Regions are compared at rest, at the ends of their islands and at values of d1 spread over these:
 * a difference e in d2 changes the drive forces by |D| e, one of d1 by |2 A d1 + B| e, which is set
 * against the largest finite limit. The balance takes drive forces n for a (d1, d2) inside, and
 * forms the part of
 *
 *     M (u_p d2 + u_pp d1^2) + h(u_p d1) - g0 - g1 d1 - T n
 *
 * that the constraints cannot carry, N^T (...) with C N = 0: it must vanish. u_p^T (...) among it
 * is the power balance. */
#include "access/analysis.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { SLICES = 5, EQUALITIES_MAX = 4 };

typedef struct prover {
    gdyn_arena *arena;
    const gdyn_model *model;
    int n, c, k; /* coordinates, constraint rows, drives and stictions */
    int *held;   /* stictions that act */
    bool before; /* turning joints are seen from before the point */
    gdyn_access *access;
    gdyn_evaluator *evaluator;
    gdyn_pose *pose;
    gdyn_region *region;
    gdyn_qr *qr;
    double *C, *Ct, *N, *T, *vector; /* vector: 6 of n */
    double *y, *force;
} prover;

/* Workspaces for the second methods; false: memory. */
static bool create(prover *p, const gdyn_model *model) {
    int rows = gdyn_pose_capacity(model);
    *p = (prover){.model = model,
                  .n = gdyn_model_coordinates(model),
                  .c = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model),
                  .k = gdyn_pose_efforts(model)};
    size_t n = (size_t)p->n, c = (size_t)p->c;
    /* methods of the library that are compared */
    p->access = gdyn_access_create(rows, p->k, EQUALITIES_MAX);
    p->evaluator = gdyn_evaluator_create(model);
    p->pose = gdyn_pose_create(model);
    p->region = gdyn_region_create();
    p->qr = gdyn_qr_create(p->n, p->c > 0 ? p->c : 1);
    /* matrices of the balance, made here and by nothing else */
    p->arena = gdyn_arena_create();
    p->C = gdyn_arena_doubles(p->arena, n * c);
    p->Ct = gdyn_arena_doubles(p->arena, n * c);
    p->N = gdyn_arena_doubles(p->arena, n * n);
    p->T = gdyn_arena_doubles(p->arena, 2 * n * (size_t)p->k);
    p->held = gdyn_arena_alloc(p->arena, (size_t)p->k, sizeof *p->held);
    p->vector = gdyn_arena_doubles(p->arena, 6 * n);
    p->y = gdyn_arena_doubles(p->arena, (size_t)rows);
    p->force = gdyn_arena_doubles(p->arena, (size_t)rows);
    return p->access && p->evaluator && p->pose && p->region && p->qr &&
           !gdyn_arena_failed(p->arena);
}

/* --- regions ---------------------------------------------------------------------------------- */

/* Forces are measured against this. */
static double largest_limit(const gdyn_coefficients *c) {
    double largest = 0;
    for (int i = 0; i < c->k; i++) {
        largest = isfinite(c->min[i]) ? fmax(largest, fabs(c->min[i])) : largest;
        largest = isfinite(c->max[i]) ? fmax(largest, fabs(c->max[i])) : largest;
    }
    return largest > 0 ? largest : 1;
}

/* Largest absolute value. */
static double largest(const double *x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Difference of two values of d2 as a share of the largest limit; infinities must agree. */
static double difference(double a, double b, double weight) {
    if (isinf(a) || isinf(b))
        return a == b ? 0 : INFINITY;
    return fabs(a - b) * weight;
}

/* Share i of SLICES of an island; an endless one is followed to twice its begin plus one unit. */
static double slice_at(const gdyn_island *island, int i) {
    double to = isfinite(island->to) ? island->to : 2 * island->from + 1;
    return island->from + (to - island->from) * (i + 0.5) / SLICES;
}

/* Two regions of the same pose, and what a difference of 1 in d2 and in d1 makes of the largest
 * limit. */
typedef struct pair {
    const gdyn_region *a, *b;
    const gdyn_coefficients *c;
    double weight, limit;
    bool slim; /* a has no width: rounding decides what belongs to it */
} pair;

/* Difference of the slices at d1; *height: of the lower one of them. */
static double compare_slice(const pair *p, double d1, double *height) {
    double low[2], high[2];
    bool in_a = gdyn_region_slice(p->a, d1, &low[0], &high[0]);
    bool in_b = gdyn_region_slice(p->b, d1, &low[1], &high[1]);
    *height = 0;
    if (!in_a || !in_b)
        return in_a == in_b || p->slim ? 0 : INFINITY;
    *height = fmin(high[0] - low[0], high[1] - low[1]);
    return fmax(difference(low[0], low[1], p->weight), difference(high[0], high[1], p->weight));
}

/* Difference of two ends of d1, of which `inner` is in both regions: by what it makes of the forces
 * that grow with d1; where the envelopes meet, by what the slices differ at the inner one. */
static double compare_end(const pair *p, double x, double y, double inner) {
    double height, rate = 0, slices;
    /* equal, or only one of them infinite */
    if (x == y)
        return 0;
    if (isinf(x) || isinf(y))
        return INFINITY;
    /* largest slope of a force over d1 */
    for (int i = 0; i < p->c->k; i++)
        rate = fmax(rate, fabs(2 * p->c->A[i] * inner + p->c->B[i]));
    slices = compare_slice(p, inner, &height);
    return fmax(slices, fmin(rate * fabs(x - y) / p->limit, height * p->weight));
}

/* d2 at rest, in both regions or in none. */
static double compare_rest(const pair *p) {
    if (!p->a->rest || !p->b->rest)
        return p->a->rest == p->b->rest ? 0 : INFINITY;
    return fmax(difference(p->a->rest_min, p->b->rest_min, p->weight),
                difference(p->a->rest_max, p->b->rest_max, p->weight));
}

/* Largest difference between two regions of the same pose: slices, ends of islands, the range at
 * rest. */
static double compare(const gdyn_region *a, const gdyn_region *b, const gdyn_coefficients *c) {
    double limit = largest_limit(c), worst = 0;
    /* a difference of d2 as a share of the largest limit: |D| |difference| / limit */
    pair p = {a, b, c, largest(c->D, c->k) / limit, limit, a->status != GDYN_REGION_OK};
    /* a region without area may be lost by rounding */
    if (a->island_count != b->island_count)
        return p.slim ? 0 : INFINITY;
    if (!p.slim)
        worst = compare_rest(&p);
    for (int k = 0; k < a->island_count; k++) {
        /* ends of d1, then slices of d2 between them */
        const gdyn_island *one = &a->island[k], *other = &b->island[k];
        double height;
        worst = fmax(worst, compare_end(&p, one->from, other->from, fmax(one->from, other->from)));
        worst = fmax(worst, compare_end(&p, one->to, other->to, fmin(one->to, other->to)));
        for (int i = 0; i < SLICES; i++)
            worst = fmax(worst, compare_slice(&p, slice_at(one, i), &height));
    }
    return worst;
}

/* --- balance ---------------------------------------------------------------------------------- */

/* f := M (u_p d2 + u_pp d1^2) + h(u_p d1) - g0 - g1 d1 - T n */
static void residual(prover *p, const gdyn_state *state, const double *u_p, const double *u_pp,
                     double d1, double d2, double *f) {
    double *u = p->vector + p->n, *a = u + p->n, *h = a + p->n, *g0 = h + p->n, *g1 = g0 + p->n;
    /* velocities and accelerations of the motion */
    for (int i = 0; i < p->n; i++) {
        u[i] = u_p[i] * d1;
        a[i] = u_p[i] * d2 + u_pp[i] * d1 * d1;
    }
    /* M u' + h - g - T n */
    gdyn_mech_mass_apply(state, a, f);
    gdyn_mech_bias(state, u, h);
    gdyn_mech_path_forces(state, &(gdyn_path_rates){.u_p = u_p, .u_pp = u_pp, .before = p->before},
                          g0, g1);
    for (int i = 0; i < p->n; i++) {
        f[i] += h[i] - g0[i] - g1[i] * d1;
        for (int j = 0; j < p->k; j++)
            f[i] -= p->T[i + (size_t)p->n * j] * p->force[j];
    }
}

/* Basis N of the free motions at the state; its number of columns, -1 when LAPACK fails. */
static int free_motions(prover *p, const gdyn_state *state) {
    /* without constraints all motions are free */
    if (p->c == 0) {
        memset(p->N, 0, (size_t)(p->n * p->n) * sizeof *p->N);
        for (int i = 0; i < p->n; i++)
            p->N[i + (size_t)p->n * i] = 1;
        return p->n;
    }
    /* else the orthogonal complement of the columns of C^T */
    gdyn_mech_jacobian(state, p->C);
    for (int i = 0; i < p->c; i++)
        for (int j = 0; j < p->n; j++)
            p->Ct[j + (size_t)p->n * i] = p->C[i + (size_t)p->c * j];
    if (gdyn_qr_factor(p->qr, p->n, p->c, p->Ct, p->n, 0) != GDYN_OK)
        return -1;
    return gdyn_qr_null_transposed(p->qr, p->N, p->n);
}

/* Largest entry of N^T f against the largest generalized force of a drive at its limit. */
static double unbalanced(const prover *p, int freedoms, const double *f, double limit) {
    double worst = 0, scale = 0;
    /* the residual along each free motion */
    for (int j = 0; j < freedoms; j++) {
        double sum = 0;
        for (int i = 0; i < p->n; i++)
            sum += p->N[i + (size_t)p->n * j] * f[i];
        worst = fmax(worst, fabs(sum));
        /* beside what a full limit does along it */
        for (int d = 0; d < p->k; d++) {
            double lever = 0;
            for (int i = 0; i < p->n; i++)
                lever += p->N[i + (size_t)p->n * j] * p->T[i + (size_t)p->n * d];
            scale = fmax(scale, fabs(lever) * limit);
        }
    }
    return scale > 0 ? worst / scale : 0;
}

/* Drive forces for a few points of the region, put back into the equations of motion. */
static gdyn_status check_balance(prover *p, const gdyn_evaluation *e, int point,
                                 gdyn_proof *proof) {
    const gdyn_region *region = e->region[point];
    const gdyn_state *state = e->track->state[point];
    const double *u_p = e->track->u_p + (size_t)p->n * point;
    const double *u_pp = e->track->u_pp + (size_t)p->n * point;
    const gdyn_coefficients *c = &e->pose[point]->coefficients;
    int freedoms = free_motions(p, state);
    if (freedoms < 0)
        return GDYN_ERROR_NUMERIC;
    /* Columns of the drives, and of static friction where it holds a joint. */
    const gdyn_path_rates *rates =
        &(gdyn_path_rates){.u_p = u_p, .u_pp = u_pp, .before = e->pose[point]->before};
    size_t n = (size_t)p->n;
    int drives = gdyn_model_drives(p->model), all = p->k - drives;
    double *own = p->T + n * (size_t)drives, *column = own + n * (size_t)all;
    gdyn_mech_drives(state, p->T);
    memset(own, 0, n * (size_t)all * sizeof *own);
    for (int i = gdyn_mech_static_friction(state, rates, column, p->held) - 1; i >= 0; i--)
        memcpy(own + n * (size_t)p->held[i], column + n * (size_t)i, n * sizeof *own);
    for (int k = 0; k < region->island_count && c->equalities == 0; k++) {
        for (int i = 0; i < SLICES; i += 2) {
            double low, high, d1 = slice_at(&region->island[k], i);
            bool inside = gdyn_region_slice(region, d1, &low, &high);
            if (!inside || !isfinite(low) || !isfinite(high))
                continue;
            /* a point in the middle of the slice: its forces, put back into the equations of
             * motion */
            double d2 = 0.5 * (low + high);
            if (!gdyn_access_forces(p->access, c, d1, d2, p->y, p->force)) {
                proof->balance = INFINITY;
                continue;
            }
            residual(p, state, u_p, u_pp, d1, d2, p->vector);
            proof->balance =
                fmax(proof->balance, unbalanced(p, freedoms, p->vector, largest_limit(c)));
        }
    }
    return GDYN_OK;
}

/* --- all points ------------------------------------------------------------------------------- */

/* Other projections, the other reduction, and the equations of motion themselves. */
static gdyn_status prove_point(prover *p, const gdyn_evaluation *e, int point, gdyn_proof *proof) {
    size_t at = (size_t)p->n * (size_t)point;
    const gdyn_pose *pose = e->pose[point];
    p->before = pose->before;
    /* same coefficients, other projections */
    const gdyn_coefficients *c = &pose->coefficients;
    gdyn_status status = gdyn_access_region(p->access, c, GDYN_BY_TUPLES, p->region);
    if (status == GDYN_ERROR_ARGUMENT) { /* more combinations than the method takes */
        proof->tuples = -1;
        status = GDYN_OK;
    } else if (status == GDYN_OK && proof->tuples >= 0) {
        proof->tuples = fmax(proof->tuples, compare(e->region[point], p->region, c));
    }
    if (status == GDYN_OK)
        status = gdyn_access_region(p->access, c, GDYN_BY_LP, p->region);
    if (status == GDYN_OK)
        proof->programs = fmax(proof->programs, compare(e->region[point], p->region, c));
    if (status == GDYN_OK) {
        /* other coefficients, same projection */
        gdyn_path_rates rates = gdyn_track_rates_at(e->track, e->track->p[point],
                                                    e->track->u_p + at, e->track->u_pp + at);
        rates.before = p->before;
        status = gdyn_evaluator_pose(p->evaluator, e->track->state[point], &rates, GDYN_REDUCE_NULL,
                                     p->pose);
    }
    if (status == GDYN_OK) {
        status =
            gdyn_access_region(p->access, &p->pose->coefficients, GDYN_BY_ELEMENTARY, p->region);
    }
    if (status == GDYN_OK) {
        /* both regions, then forces put back into the equations */
        proof->reductions =
            fmax(proof->reductions, compare(e->region[point], p->region, &pose->coefficients));
        status = check_balance(p, e, point, proof);
    }
    return status;
}

/* Every point where the machine was assembled. */
gdyn_status gdyn_prove(const gdyn_model *model, const gdyn_evaluation *evaluation,
                       gdyn_proof *proof) {
    prover p;
    *proof = (gdyn_proof){0};
    gdyn_status status = create(&p, model) ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < evaluation->track->points && status == GDYN_OK; i++) {
        if (evaluation->track->status[i] == GDYN_POINT_OK) {
            status = prove_point(&p, evaluation, i, proof);
            proof->points++;
        }
    }
    /* Safe on a partly made object. */
    gdyn_access_destroy(p.access);
    gdyn_evaluator_destroy(p.evaluator);
    gdyn_pose_destroy(p.pose);
    gdyn_region_destroy(p.region);
    gdyn_qr_destroy(p.qr);
    gdyn_arena_destroy(p.arena);
    return status;
}
