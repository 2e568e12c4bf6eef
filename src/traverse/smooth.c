/* smooth.c - a convex quadratic program with a banded Hessian, by a primal-dual interior point
 * method (Mehrotra's predictor and corrector).
 *
 *   min z' H z / 2 + g' z   subject to   G z <= h
 *
 * z collects all places' choices; H couples neighbours only, a row of G belongs to one place. With
 * s the slacks and l the multipliers of G, every Newton step needs (H + G' diag(l/s) G) dz = ...,
 * whose matrix is as banded as H: the work grows linearly with the number of places. The start is
 * inside all limits and so is every iterate. Rows without room (a limit that the motion needs in
 * full) are equations; they are removed by choosing z in their null space. */
#include "traverse/internal.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* Cut of the rank of the locked rows, which are of unit length. */
static const double LOCKED_RANK = 1e-9;
/* First multipliers: this share of the gradient over the slack. */
static const double SLOPE_LEAST = 1e-6, MULTIPLIER_FIRST = 1e-2;
/* Residual and gap, relative to the gradient, that end the iteration; that are good enough when
 * rounding ends it. */
static const double SOLVED = 1e-9, GAP_SOLVED = 1e-12, USABLE = 1e-6, GAP_USABLE = 1e-8;

enum { ITERATIONS = 80 };
/* Rows with less room than this share of their unit are equations. */
static const double NO_ROOM = 1e-8;

typedef struct inequality {
    int place, row;
    double sign; /* 1: max, -1: min */
    double room; /* h at z = 0, in units */
} inequality;

typedef struct program {
    gdyn_arena *arena;
    int count, rows;
    gdyn_smooth_place *place;
    const double *unit; /* rows */
    double *scale;      /* rows: what limits are measured in */
    int *first, *free;  /* count: first variable of a place, number of variables */
    double **W;         /* count: rows x free, forces per variable, in scales */
    int variables, band, limits;
    inequality *limit;              /* limits */
    double *H, *M;                  /* variables x (band + 1): lower bands, column by column */
    double *g, *z, *dz, *rhs;       /* variables */
    double *s, *l, *ds, *dl, *step; /* limits */
} program;

/* --- the variables ---------------------------------------------------------------------------- */

static double scale_of(const program *q, int row) {
    return q->scale[row];
}

static double room(const program *q, const gdyn_smooth_place *at, int row, double sign) {
    double limit = sign > 0 ? at->high[row] - at->n[row] : at->n[row] - at->low[row];
    return limit / scale_of(q, row);
}

/* An orthonormal basis N (r x free) of the choices that leave the rows without room alone. */
static gdyn_status free_choices(const program *q, const gdyn_smooth_place *at, double *N,
                                int *free) {
    int r = at->r, locked = 0;
    double *A = gdyn_arena_doubles(q->arena, (size_t)r * (size_t)at->k);
    gdyn_qr *qr = gdyn_qr_create(r, at->k);
    gdyn_status status = A && qr ? GDYN_OK : GDYN_ERROR_MEMORY;
    memset(N, 0, (size_t)(r * r) * sizeof *N);
    /* forces without room are locked: their rows of V, in half ranges */
    for (int i = 0; i < at->k && status == GDYN_OK; i++) {
        if (room(q, at, i, 1) < NO_ROOM || room(q, at, i, -1) < NO_ROOM) {
            for (int j = 0; j < r; j++)
                A[locked * r + j] = at->V[j * at->k + i] / scale_of(q, i);
            locked++;
        }
    }
    *free = r;
    for (int j = 0; j < r; j++)
        N[j * r + j] = 1;
    /* what is left free is the null space of these rows */
    if (status == GDYN_OK && locked > 0) {
        status = gdyn_qr_factor(qr, r, locked, A, r, LOCKED_RANK);
        *free = status == GDYN_OK ? gdyn_qr_null_transposed(qr, N, r) : 0;
    }
    gdyn_qr_destroy(qr);
    return status;
}

/* Forces per free variable, columns of length one. */
static gdyn_status make_columns(program *q, int p) {
    const gdyn_smooth_place *at = &q->place[p];
    size_t r = (size_t)at->r, k = (size_t)at->k;
    if (r == 0 || k == 0)
        return GDYN_OK;
    double *N = gdyn_arena_doubles(q->arena, r * r);
    q->W[p] = gdyn_arena_doubles(q->arena, r * k);
    gdyn_status status = N && q->W[p] ? free_choices(q, at, N, &q->free[p]) : GDYN_ERROR_MEMORY;
    /* W = V N in half ranges, columns of unit length */
    for (int c = 0; status == GDYN_OK && c < q->free[p]; c++) {
        double *column = q->W[p] + (size_t)c * k, square = 0;
        for (size_t i = 0; i < k; i++) {
            for (size_t j = 0; j < r; j++)
                column[i] += at->V[j * k + i] * N[(size_t)c * r + j] / scale_of(q, (int)i);
            square += column[i] * column[i];
        }
        for (size_t i = 0; i < k && square > 0; i++)
            column[i] /= sqrt(square);
    }
    return status;
}

/* Rows measured in their units; those that are not counted in the greatest half range they have. */
static void make_scales(program *q) {
    for (int i = 0; i < q->rows; i++) {
        q->scale[i] = q->unit[i];
        for (int p = 0; p < q->count && !(q->unit[i] > 0); p++) {
            double half = i < q->place[p].k ? 0.5 * (q->place[p].high[i] - q->place[p].low[i]) : 0;
            q->scale[i] = isfinite(half) ? fmax(q->scale[i], half) : q->scale[i];
        }
        q->scale[i] = q->scale[i] > 0 ? q->scale[i] : 1;
    }
}

/* Both sides of every row of a place that is not locked. */
static void list_limits(program *q, int p) {
    static const double signs[] = {1, -1};
    for (int i = 0; q->free[p] > 0 && i < q->place[p].k; i++) {
        bool locked =
            room(q, &q->place[p], i, 1) < NO_ROOM || room(q, &q->place[p], i, -1) < NO_ROOM;
        for (int side = 0; side < 2 && !locked; side++) {
            double free = room(q, &q->place[p], i, signs[side]);
            if (isfinite(free))
                q->limit[q->limits++] = (inequality){p, i, signs[side], free};
        }
    }
}

static gdyn_status open_program(program *q) {
    size_t n = (size_t)q->count, most = 0;
    gdyn_arena *arena = q->arena = gdyn_arena_create();
    q->scale = gdyn_arena_doubles(arena, (size_t)q->rows);
    q->first = gdyn_arena_alloc(arena, n, sizeof *q->first);
    q->free = gdyn_arena_alloc(arena, n, sizeof *q->free);
    q->W = gdyn_arena_alloc(arena, n, sizeof *q->W);
    if (gdyn_arena_failed(arena))
        return GDYN_ERROR_MEMORY;
    make_scales(q);
    int before = 0;
    /* variables of neighbouring places are coupled: their number is the width of the band */
    for (int p = 0; p < q->count; p++) {
        gdyn_status status = make_columns(q, p);
        if (status != GDYN_OK)
            return status;
        q->first[p] = q->variables;
        q->variables += q->free[p];
        q->band = before + q->free[p] > q->band ? before + q->free[p] : q->band;
        before = q->free[p];
        most += q->free[p] > 0 ? 2 * (size_t)q->place[p].k : 0;
    }
    /* arrays for variables and limits */
    size_t v = (size_t)q->variables, bands = v * (size_t)(q->band + 1);
    q->limit = gdyn_arena_alloc(arena, most, sizeof *q->limit);
    double **vectors[] = {&q->g, &q->z, &q->dz, &q->rhs};
    double **slacks[] = {&q->s, &q->l, &q->ds, &q->dl, &q->step};
    for (int i = 0; i < 4; i++)
        *vectors[i] = gdyn_arena_doubles(arena, v);
    for (int i = 0; i < 5; i++)
        *slacks[i] = gdyn_arena_doubles(arena, most);
    q->H = gdyn_arena_doubles(arena, bands);
    q->M = gdyn_arena_doubles(arena, bands);
    for (int p = 0; p < q->count && !gdyn_arena_failed(arena); p++)
        list_limits(q, p);
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* --- the objective ---------------------------------------------------------------------------- */

static double *entry(const program *q, double *band, int row, int column) {
    return band + (size_t)column * (size_t)(q->band + 1) + (row - column);
}

/* Adds weight * (W_a' W_b) to H, rows of a below columns of b (or equal). */
static void add_block(program *q, int a, int b, double weight) {
    int k = q->place[a].k;
    for (int i = 0; i < q->free[a]; i++) {
        for (int j = 0; j < q->free[b]; j++) {
            double sum = 0;
            /* over the rows that are counted */
            for (int row = 0; row < k; row++)
                sum += q->unit[row] > 0 ? q->W[a][i * k + row] * q->W[b][j * k + row] : 0;
            if (q->first[a] + i >= q->first[b] + j)
                *entry(q, q->H, q->first[a] + i, q->first[b] + j) += weight * sum;
        }
    }
}

/* Adds weight * W_p' (n_p - other) to g. */
static void add_slope(program *q, int p, const double *other, double weight) {
    int k = q->place[p].k;
    for (int i = 0; i < q->free[p]; i++) {
        double sum = 0;
        for (int row = 0; row < k; row++) {
            sum += q->unit[row] > 0
                       ? q->W[p][i * k + row] * (q->place[p].n[row] - other[row]) / q->scale[row]
                       : 0;
        }
        q->g[q->first[p] + i] += weight * sum;
    }
}

/* Places whose forces can be compared; *dt: time between them, not less than rounding allows. */
static bool coupled(const program *q, int p, double *dt) {
    if (p < 0 || p + 1 >= q->count || q->place[p].k == 0 || q->place[p].k != q->place[p + 1].k)
        return false;
    double span = q->place[q->count - 1].t - q->place[0].t;
    *dt = fmax(q->place[p + 1].t - q->place[p].t, 1e-9 * span);
    return *dt > 0;
}

static void make_objective(program *q, double tau) {
    double dt, most = 0;
    for (int p = 0; p < q->count; p++) {
        /* trapezoidal weights of |n - w|^2 */
        double before = coupled(q, p - 1, &dt) ? dt : 0, behind = coupled(q, p, &dt) ? dt : 0;
        double share = before + behind > 0 ? 0.5 * (before + behind) : 1;
        add_block(q, p, p, share);
        add_slope(q, p, q->place[p].wanted, share);
        /* tau^2 |dn|^2 / dt couples a place with the next */
        if (behind > 0) {
            double weight = tau * tau / behind;
            add_block(q, p, p, weight);
            add_block(q, p + 1, p + 1, weight);
            add_block(q, p + 1, p, -weight);
            add_slope(q, p, q->place[p + 1].n, weight);
            add_slope(q, p + 1, q->place[p].n, weight);
        }
    }
    /* scaled by the greatest diagonal entry */
    for (int i = 0; i < q->variables; i++)
        most = fmax(most, *entry(q, q->H, i, i));
    size_t bands = (size_t)q->variables * (size_t)(q->band + 1);
    for (size_t i = 0; i < bands && most > 0; i++)
        q->H[i] /= most;
    for (int i = 0; i < q->variables && most > 0; i++)
        q->g[i] /= most;
}

/* --- products --------------------------------------------------------------------------------- */

/* out = H x */
static void apply(const program *q, const double *x, double *out) {
    memset(out, 0, (size_t)q->variables * sizeof *out);
    for (int j = 0; j < q->variables; j++) {
        out[j] += *entry(q, q->H, j, j) * x[j];
        for (int i = j + 1; i <= j + q->band && i < q->variables; i++) {
            double h = *entry(q, q->H, i, j);
            out[i] += h * x[j];
            out[j] += h * x[i];
        }
    }
}

/* Row of G times x. */
static double along(const program *q, int i, const double *x) {
    const inequality *limit = &q->limit[i];
    int k = q->place[limit->place].k;
    double sum = 0;
    for (int c = 0; c < q->free[limit->place]; c++)
        sum += q->W[limit->place][c * k + limit->row] * x[q->first[limit->place] + c];
    return limit->sign * sum;
}

/* x += weight * row of G. */
static void add_row(const program *q, int i, double weight, double *x) {
    const inequality *limit = &q->limit[i];
    int k = q->place[limit->place].k;
    for (int c = 0; c < q->free[limit->place]; c++) {
        x[q->first[limit->place] + c] +=
            weight * limit->sign * q->W[limit->place][c * k + limit->row];
    }
}

/* --- the interior point method ---------------------------------------------------------------- */

/* M = H + G' diag(l/s) G, factored. */
static bool newton_matrix(program *q) {
    memcpy(q->M, q->H, (size_t)q->variables * (size_t)(q->band + 1) * sizeof *q->M);
    /* every limit adds d w w' to its place's block */
    for (int i = 0; i < q->limits; i++) {
        const inequality *limit = &q->limit[i];
        int p = limit->place, k = q->place[p].k;
        double d = q->l[i] / q->s[i];
        for (int a = 0; a < q->free[p]; a++) {
            for (int b = 0; b <= a; b++) {
                *entry(q, q->M, q->first[p] + a, q->first[p] + b) +=
                    d * q->W[p][a * k + limit->row] * q->W[p][b * k + limit->row];
            }
        }
    }
    return gdyn_cholesky_band_factor(q->variables, q->band, q->M);
}

/* The step for the complementarity s l = target (step holds target - s l): dz, ds, dl. */
static void newton_step(program *q, const double *stationarity) {
    /* right-hand side with the slacks eliminated */
    for (int i = 0; i < q->variables; i++)
        q->dz[i] = -stationarity[i];
    for (int i = 0; i < q->limits; i++)
        add_row(q, i, -q->step[i] / q->s[i], q->dz);
    gdyn_cholesky_band_solve(q->variables, q->band, q->M, q->dz);
    /* steps of slacks and multipliers follow from dz */
    for (int i = 0; i < q->limits; i++) {
        q->ds[i] = -along(q, i, q->dz);
        q->dl[i] = (q->step[i] - q->l[i] * q->ds[i]) / q->s[i];
    }
}

/* The longest step that keeps s and l positive, 1 at most. */
static double longest(const program *q) {
    double most = 1;
    for (int i = 0; i < q->limits; i++) {
        most = q->ds[i] < 0 ? fmin(most, -q->s[i] / q->ds[i]) : most;
        most = q->dl[i] < 0 ? fmin(most, -q->l[i] / q->dl[i]) : most;
    }
    return most;
}

/* Mean of s l after a share of the step. */
static double gap(const program *q, double step) {
    double sum = 0;
    for (int i = 0; i < q->limits; i++)
        sum += (q->s[i] + step * q->ds[i]) * (q->l[i] + step * q->dl[i]);
    return q->limits ? sum / q->limits : 0;
}

/* rhs = H z + g + G' l; its greatest entry. */
static double stationarity(program *q) {
    double most = 0;
    apply(q, q->z, q->rhs);
    for (int i = 0; i < q->variables; i++)
        q->rhs[i] += q->g[i];
    for (int i = 0; i < q->limits; i++)
        add_row(q, i, q->l[i], q->rhs);
    for (int i = 0; i < q->variables; i++)
        most = fmax(most, fabs(q->rhs[i]));
    return most;
}

/* Predictor (towards s l = 0), corrector (towards a share of the present gap). */
static void iterate(program *q) {
    /* predictor: the affine step towards zero slacks or multipliers */
    double now = gap(q, 0);
    for (int i = 0; i < q->limits; i++)
        q->step[i] = -q->s[i] * q->l[i];
    newton_step(q, q->rhs);
    double step = longest(q), share = now > 0 ? gap(q, step) / now : 0;
    /* corrector: what the affine step leaves, towards the central path */
    for (int i = 0; i < q->limits; i++)
        q->step[i] = share * share * share * now - q->s[i] * q->l[i] - q->ds[i] * q->dl[i];
    newton_step(q, q->rhs);
    /* not quite to the nearest limit */
    step = longest(q);
    step = step < 1 ? fmin(1, 0.995 * step) : 1;
    for (int i = 0; i < q->variables; i++)
        q->z[i] += step * q->dz[i];
    for (int i = 0; i < q->limits; i++) {
        q->s[i] += step * q->ds[i];
        q->l[i] += step * q->dl[i];
    }
}

static bool minimize(program *q, gdyn_smooth_info *info) {
    double size = 0;
    memset(q->ds, 0, (size_t)q->limits * sizeof *q->ds);
    memset(q->dl, 0, (size_t)q->limits * sizeof *q->dl);
    /* the start is inside: slacks are the room, multipliers in proportion to the gradient */
    for (int i = 0; i < q->variables; i++)
        size = fmax(size, fabs(q->g[i]));
    for (int i = 0; i < q->limits; i++) {
        q->s[i] = q->limit[i].room;
        q->l[i] = fmax(size, SLOPE_LEAST) * MULTIPLIER_FIRST / q->s[i];
    }
    /* until residual and gap are small beside the gradient */
    for (info->iterations = 0; info->iterations < ITERATIONS; info->iterations++) {
        info->residual = stationarity(q) / fmax(size, 1e-300);
        memset(q->ds, 0, (size_t)q->limits * sizeof *q->ds);
        memset(q->dl, 0, (size_t)q->limits * sizeof *q->dl);
        if (size == 0 || (info->residual <= SOLVED && gap(q, 0) <= GAP_SOLVED * size))
            return true;
        if (!newton_matrix(q))
            return false;
        iterate(q);
    }
    return info->residual <= USABLE && gap(q, 0) <= GAP_USABLE * size; /* rounding stops it early */
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Sum of |dn|^2 / dt, of the forces wanted or found. */
static double roughness(const program *q, bool found) {
    double sum = 0, dt;
    for (int p = 0; p + 1 < q->count; p++) {
        const gdyn_smooth_place *a = &q->place[p], *b = a + 1;
        for (int i = 0; coupled(q, p, &dt) && i < a->k; i++) {
            double d = (found ? b->n[i] - a->n[i] : b->wanted[i] - a->wanted[i]) / q->scale[i];
            sum += q->unit[i] > 0 ? d * d / dt : 0;
        }
    }
    return sum;
}

/* n = c + V y, or w when nothing was found. */
static void take_forces(program *q, bool found) {
    for (int p = 0; p < q->count; p++) {
        gdyn_smooth_place *at = &q->place[p];
        for (int i = 0; i < at->k; i++) {
            for (int c = 0; found && c < q->free[p]; c++)
                at->n[i] += q->W[p][c * at->k + i] * q->z[q->first[p] + c] * q->scale[i];
            at->n[i] = found ? at->n[i] : at->wanted[i];
        }
    }
}

gdyn_status gdyn_smooth(int count, gdyn_smooth_place *place, int rows, const double *unit,
                        double tau, gdyn_smooth_info *info) {
    program q = {.count = count, .rows = rows, .place = place, .unit = unit};
    *info = (gdyn_smooth_info){0};
    if (count < 1 || !(tau >= 0) || !isfinite(tau))
        return GDYN_ERROR_ARGUMENT;
    gdyn_status status = open_program(&q);
    if (status == GDYN_OK) {
        info->before = roughness(&q, false);
        make_objective(&q, tau);
        info->converged = minimize(&q, info);
        take_forces(&q, info->converged);
        info->after = roughness(&q, true);
    }
    gdyn_arena_destroy(q.arena);
    return status;
}
