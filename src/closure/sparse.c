/* sparse.c - closing of machines with many bodies: descent and last steps by a sparse factorization.
 *
 * The rows of a joint touch two bodies, so that A = J^T J has blocks at neighbouring bodies only (linalg/blocks.h), and a step
 * costs as much as the machine has bodies. Levenberg's step for the damping mu,
 *   x(mu) = -(A + mu^2 1)^-1 J^T r,
 * needs no rank; repeated on what is left, x := x + x(mu) for r + J x, it tends to the minimum-norm least-squares step, by the factor
 * mu^2 / (s^2 + mu^2) along a singular value s (iterated Tikhonov regularization; Engl, Hanke, Neubauer 1996, section 5.1). The least
 * damping leaves alone what has s << mu: rows that depend on each other; rounding moves what is free by eps / mu^2 of the residual, so
 * that it is greater where few unknowns hardly have small s. Steps that are too long or do not descend raise it.
 * What this does not close is left to levenberg.c: small singular values, saddles, mirrored axes. Its steps come from the same factors
 * as long as they are damped. */
#include "closure/internal.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "linalg/dot.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

/* Unknowns from which on sparse steps are cheaper; from which on they are even where the pose may not close at all. */
enum { SOME = 24, MANY = 120 };
/* Rounds of one step, descents without progress, further steps below the tolerance. */
enum { ROUNDS = 4, RESTING = 2, POLISHING = 3 };
/* Least damping, and the first one above it, as shares of the greatest column of J; its factor. */
static const double DAMPING_LEAST = 1e-6, DAMPING_FIRST = 1e-3, DAMPING_MOST = 1e3, RAISE = 8;
/* Damping from which on normal equations tell a step, as a share of the greatest column: rounding is that of 1e-8 of it. */
static const double NORMAL_LEAST = 1e-4;
/* What is left of a residual ends the rounds when it is not less than this share. */
static const double ROUND_GAIN = 0.1;
/* What a step has to leave of the sum of squares with few unknowns: rougher guesses, and poses that do not close, are
 * soon left to the dense methods. */
static const double QUICK = 1e-3;
/* Gain over the predicted one that accepts a step; descent that is none; residual without guards from here on. */
static const double GAIN_LEAST = 1e-4, STATIONARY = 1e-7, UNGUARDED = 1e-2;
/* Residuals at which last steps end, and what each of them has to leave of the sum of squares. */
static const double POLISHED = 1e-16, POLISH_GAIN = 0.25;

struct gdyn_sparse_closing {
    gdyn_blocks *normal;    /* A */
    gdyn_row_jacobian *row; /* max_rows, scaled; the first per_body components of each body */
    double *left;           /* max_rows: r + J x */
    double *dx;             /* n */
    double *gradient;       /* n: J^T r of the model for Levenberg's steps */
    double damping, least;  /* shares of the greatest column: of the next step, the least one */
    double left_most;       /* of the sum of squares that a step may leave */
    gdyn_arena *arena;
};

/* --- workspace --------------------------------------------------------------------------------------- */

/* Bodies of each row of the joints, pair by pair; returns their number. */
static int list_edges(const gdyn_model *model, const gdyn_state *state, int (*edge)[2]) {
    int count = 0;
    for (int i = 0; i < model->m; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->row[i], &jacobian);
        for (int a = 0; a < jacobian.count; a++)
            for (int b = 0; b < a; b++, count++) {
                edge[count][0] = jacobian.body[a];
                edge[count][1] = jacobian.body[b];
            }
    }
    return count;
}

bool gdyn_sparse_closing_create(gdyn_closure *w) {
    enum { PAIRS = GDYN_ROW_BODIES * (GDYN_ROW_BODIES - 1) / 2 };
    w->sparse = NULL;
    if (w->n < SOME)
        return true;
    gdyn_arena *arena;
    gdyn_sparse_closing *s = w->sparse = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return false;
    bool many = w->n >= MANY;
    s->arena = arena;
    s->least = many ? DAMPING_LEAST : DAMPING_FIRST;
    s->left_most = many ? INFINITY : QUICK;
    s->row = gdyn_arena_alloc(arena, (size_t)w->max_rows, sizeof *s->row);
    s->left = gdyn_arena_doubles(arena, (size_t)w->max_rows);
    s->dx = gdyn_arena_doubles(arena, (size_t)w->n);
    s->gradient = gdyn_arena_doubles(arena, (size_t)w->n);
    int(*edge)[2] = gdyn_room((size_t)w->m * PAIRS + 1, sizeof *edge);
    if (edge)
        s->normal = gdyn_blocks_create(w->bodies, w->per_body, list_edges(w->model, w->trial, edge),
                                       (const int(*)[2])edge);
    gdyn_free(edge);
    return s->normal && !gdyn_arena_failed(arena);
}

void gdyn_sparse_closing_destroy(gdyn_sparse_closing *s) {
    if (!s)
        return;
    gdyn_blocks_destroy(s->normal);
    gdyn_arena_destroy(s->arena);
}

/* --- the linear model ---------------------------------------------------------------------------------- */

/* A row of J: of a joint, of the path, of a guard; *scale: its unit. */
static const gdyn_row *row_of(const gdyn_closing_system *q, int i, double *scale) {
    const gdyn_closure *w = q->w;
    *scale = i < w->m              ? w->row_scale[i]
             : i < w->m + q->count ? gdyn_closure_target_scale(w, &q->targets[i - w->m])
                                   : 1;
    return i < w->m              ? &w->model->row[i]
           : i < w->m + q->count ? &q->targets[i - w->m].row
                                 : &w->guard[i - w->m - q->count].row;
}

/* The components of a body that count, in scaled unknowns. */
static void take_components(const gdyn_closure *w, double scale, int body, double J[6]) {
    static const int planar[3] = {0, 1, 5};
    const double *column = w->column + w->per_body * body;
    for (int c = 0; c < w->per_body; c++)
        J[c] = scale * column[c] * J[w->per_body == 3 ? planar[c] : c];
}

/* A := A + j j^T for one row; false: it joins bodies that no joint joins. */
static bool add_square(gdyn_blocks *A, const gdyn_row_jacobian *row) {
    bool ok = true;
    for (int a = 0; a < row->count; a++)
        for (int b = 0; b <= a; b++) {
            ok = gdyn_blocks_add(A, row->body[a], row->body[b], row->J[a], row->J[b]) && ok;
            /* blocks of the diagonal hold both halves */
            if (a != b && row->body[a] == row->body[b])
                ok = gdyn_blocks_add(A, row->body[a], row->body[b], row->J[b], row->J[a]) && ok;
        }
    return ok;
}

static bool linearize(gdyn_closing_system *q) {
    gdyn_sparse_closing *s = q->w->sparse;
    bool ok = true;
    gdyn_blocks_clear(s->normal);
    for (int i = 0; i < gdyn_closing_rows(q); i++) {
        double scale;
        gdyn_row_derivative(q->state, row_of(q, i, &scale), &s->row[i]);
        for (int k = 0; k < s->row[i].count; k++)
            take_components(q->w, scale, s->row[i].body[k], s->row[i].J[k]);
        ok = add_square(s->normal, &s->row[i]) && ok;
    }
    return ok;
}

/* Rows of bodies with `size` components, a constant where this is called. */
static inline void multiply_rows(int count, const gdyn_row_jacobian *row, int size, bool transposed,
                                 double *v, double *y) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < row[i].count; k++) {
            const double *J = row[i].J[k];
            double *part = y + size * row[i].body[k], sum = 0;
            for (int c = 0; c < size && transposed; c++)
                part[c] += J[c] * v[i];
            for (int c = 0; c < size && !transposed; c++)
                sum += J[c] * part[c];
            v[i] += transposed ? 0 : sum;
        }
}

/* y := y + J^T v, or v := v + J y. */
static void multiply(const gdyn_closing_system *q, bool transposed, double *v, double *y) {
    const gdyn_row_jacobian *row = q->w->sparse->row;
    int count = gdyn_closing_rows(q);
    if (q->w->per_body == 3)
        multiply_rows(count, row, 3, transposed, v, y);
    else if (transposed)
        multiply_rows(count, row, 6, true, v, y);
    else
        multiply_rows(count, row, 6, false, v, y);
}

/* --- steps --------------------------------------------------------------------------------------------- */

/* w->x := the step with the factors at hand, repeated while it leaves much less; returns |r + J x|^2. */
static double step(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    gdyn_sparse_closing *s = w->sparse;
    int rows = gdyn_closing_rows(q);
    double before, now = gdyn_dot(rows, w->r, w->r);
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    memcpy(s->left, w->r, (size_t)rows * sizeof *s->left);
    int round = 0;
    do {
        before = now;
        memset(s->dx, 0, (size_t)w->n * sizeof *s->dx);
        multiply(q, true, s->left, s->dx);
        gdyn_blocks_solve(s->normal, s->dx);
        for (int j = 0; j < w->n; j++) {
            s->dx[j] = -s->dx[j];
            w->x[j] += s->dx[j];
        }
        multiply(q, false, s->left, s->dx);
        now = gdyn_dot(rows, s->left, s->left);
    } while (++round < ROUNDS && now < ROUND_GAIN * ROUND_GAIN * before && now > 0);
    return now;
}

/* More damping; false: there is no more. */
static bool raise_damping(gdyn_sparse_closing *s) {
    s->damping = s->damping < DAMPING_FIRST ? DAMPING_FIRST : RAISE * s->damping;
    return s->damping <= DAMPING_MOST;
}

/* Damps until a step descends; false when none does. */
static bool descend(gdyn_closing_system *q, double *sum, double *greatest) {
    gdyn_closure *w = q->w;
    gdyn_sparse_closing *s = w->sparse;
    double column = gdyn_blocks_greatest(s->normal);
    do {
        if (!gdyn_blocks_factor(s->normal, s->damping * s->damping * column))
            continue;
        double predicted = *sum - step(q), most;
        if (!(gdyn_norm(w->n, w->x) <= gdyn_closing_radius(q)))
            continue;
        gdyn_closing_try(q, w->x, 1);
        double trial = gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        if (!(*sum - trial > GAIN_LEAST * predicted) || !isfinite(most))
            continue;
        /* taken; the next one is damped less */
        gdyn_closing_accept(q, w->x, 1);
        memcpy(w->r, w->r_trial, (size_t)gdyn_closing_rows(q) * sizeof *w->r);
        s->damping = s->damping < RAISE * DAMPING_FIRST ? s->least : s->damping / RAISE;
        *sum = trial;
        *greatest = most;
        gdyn_closing_follow(q, q->settings->method, most);
        return true;
    } while (raise_damping(s));
    return false;
}

/* Down to residuals of size `goal`. */
static bool approach(gdyn_closing_system *q, double goal, double *sum, double *greatest) {
    int resting = 0;
    *sum = gdyn_closing_residual(q, q->state, q->w->r, greatest);
    while (*greatest > goal && resting < RESTING) {
        double before = *sum;
        if (q->budget-- <= 0 || !linearize(q) || !descend(q, sum, greatest))
            return false;
        q->info->iterations++;
        if (*greatest > goal && *sum > q->w->sparse->left_most * before)
            return false;
        resting = *sum > (1 - STATIONARY) * before ? resting + 1 : 0;
    }
    return *greatest <= goal;
}

/* A few more steps bring the rest to rounding level. */
static void polish(gdyn_closing_system *q, double *sum, double *greatest) {
    double before = INFINITY;
    for (int i = 0; i<POLISHING && * greatest> POLISHED && *sum < POLISH_GAIN * before; i++) {
        before = *sum;
        if (!linearize(q) || !descend(q, sum, greatest))
            return;
    }
}

/* --- Levenberg's step for levenberg.c ------------------------------------------------------------------- */

bool gdyn_sparse_model(gdyn_closing_system *q) {
    const gdyn_closure *w = q->w;
    if (!w->sparse || !linearize(q))
        return false;
    memset(w->sparse->gradient, 0, (size_t)w->n * sizeof *w->sparse->gradient);
    multiply(q, true, w->r, w->sparse->gradient);
    return true;
}

double gdyn_sparse_least(const gdyn_closing_system *q) {
    return NORMAL_LEAST * sqrt(gdyn_blocks_greatest(q->w->sparse->normal));
}

double gdyn_sparse_length(gdyn_closing_system *q, double mu) {
    gdyn_closure *w = q->w;
    if (!gdyn_blocks_factor(w->sparse->normal, mu * mu))
        return NAN;
    for (int j = 0; j < w->n; j++)
        w->x[j] = -w->sparse->gradient[j];
    gdyn_blocks_solve(w->sparse->normal, w->x);
    return gdyn_norm(w->n, w->x);
}

double gdyn_sparse_softness(const gdyn_closing_system *q) {
    const gdyn_closure *w = q->w;
    double *y = w->sparse->dx;
    memcpy(y, w->x, (size_t)w->n * sizeof *y);
    gdyn_blocks_solve(w->sparse->normal, y);
    return gdyn_dot(w->n, w->x, y);
}

double gdyn_sparse_descent(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    double *left = w->sparse->left;
    int rows = gdyn_closing_rows(q);
    memcpy(left, w->r, (size_t)rows * sizeof *left);
    multiply(q, false, left, w->x);
    return 0.5 * (gdyn_dot(rows, w->r, w->r) - gdyn_dot(rows, left, left));
}

bool gdyn_closing_sparse(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    double sum, greatest, moved = q->moved;
    int budget = q->budget;
    /* a way that is followed is shown whole, with few unknowns that of the dense methods */
    if (!w->sparse || (q->settings->follow && w->n < MANY))
        return false;
    gdyn_state_copy(w->entry, q->state);
    w->sparse->damping = w->sparse->least;
    /* with the guards, then to full accuracy without them */
    q->guarded = true;
    bool closed = approach(q, UNGUARDED, &sum, &greatest);
    q->guarded = false;
    closed = closed && approach(q, q->settings->tolerance, &sum, &greatest);
    if (closed) {
        polish(q, &sum, &greatest);
        /* the rank of all rows, by the first way to which it is clear */
        if (gdyn_joints_rank(q, &q->info->rank))
            return true;
        gdyn_closing_jacobian(q, q->state);
        if (gdyn_closure_factor(w, w->qr, gdyn_closing_rows(q), GDYN_RANK_TOLERANCE) == GDYN_OK)
            q->info->rank = w->qr->rank;
        return true;
    }
    gdyn_state_copy(q->state, w->entry);
    q->moved = moved;
    q->budget = budget;
    return false;
}
