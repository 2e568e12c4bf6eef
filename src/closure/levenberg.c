/* levenberg.c - Levenberg-Marquardt descent with rank-aware minimum-norm steps.
 *
 * Minimize F = |r|^2 / 2. The step for the damping mu, x(mu) = argmin |r + J x|^2 + mu^2 |x|^2, has
 * no part in the null space: with mu = 0 it is the minimum-norm Gauss-Newton step, regardless of
 * the rank (linalg/damped.c). mu follows from the length allowed, |x(mu)| <= radius, and the radius
 * from the agreement of predicted and true descent (More 1978, The Levenberg-Marquardt algorithm).
 * Far from closing, redundant rows contradict each other and have small s_i; the damping keeps them
 * harmless. While mu is not small, normal equations tell the step to 1e-8, and these are sparse: a
 * factorization for every mu costs a tenth of the dense one for all of them.
 *
 * Machines with many bodies. The rows of a joint touch two bodies, so that A = J^T J has blocks at
 * neighbouring bodies only (linalg/blocks.h), and a step costs as much as the machine has bodies.
 * Levenberg's step for the damping mu,
 *   x(mu) = -(A + mu^2 1)^-1 J^T r,
 * needs no rank; repeated on what is left, x := x + x(mu) for r + J x, it tends to the minimum-norm
 * least-squares step, by the factor mu^2 / (s^2 + mu^2) along a singular value s (iterated Tikhonov
 * regularization; Engl, Hanke, Neubauer 1996, section 5.1). The minimum damping leaves alone what
 * has s << mu: rows that depend on each other; rounding moves what is free by eps / mu^2 of the
 * residual, so that it is greater where few unknowns hardly have small s. Steps that are too long
 * or do not descend raise it. What this does not close is left to Levenberg's steps: small singular
 * values, saddles, mirrored axes. */
#include "closure/internal.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "linalg/dot.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

/* Unknowns from which on sparse steps are cheaper; from which on they are even where the pose may
 * not close at all. */
enum { SOME = 24, MANY = 120 };
/* Rounds of one step, descents without progress, further steps below the tolerance. */
enum { ROUNDS = 4, RESTING = 2, POLISHING = 3 };
/* Minimum damping, and the first one above it, as shares of the largest column of J; its factor. */
static const double SPARSE_LEAST = 1e-6, SPARSE_FIRST = 1e-3, SPARSE_MOST = 1e3, RAISE = 8;
/* Damping from which on normal equations tell a step, as a share of the largest column: rounding
 * is that of 1e-8 of it. */
static const double NORMAL_LEAST = 1e-4;
/* What is left of a residual ends the rounds when it is not less than this share. */
static const double ROUND_GAIN = 0.1;
/* What a step has to leave of the sum of squares with few unknowns: rougher guesses, and poses that
 * do not close, are soon left to the dense methods. */
static const double QUICK = 1e-3;
/* Gain over the predicted one that accepts a step; descent that is none; residual without guards
 * from here on. */
static const double GAIN_LEAST = 1e-4, STATIONARY = 1e-7, UNGUARDED = 1e-2;
/* Residuals at which last steps end, and what each of them has to leave of the sum of squares. */
static const double POLISHED = 1e-16, POLISH_GAIN = 0.25;

struct gdyn_sparse_closing {
    gdyn_blocks *normal;    /* A */
    gdyn_row_jacobian *row; /* max_rows, scaled; the first per_body components of each body */
    double *left;           /* max_rows: r + J x */
    double *dx;             /* n */
    double *gradient;       /* n: J^T r of the model for Levenberg's steps */
    double damping, least;  /* shares of the largest column: of the next step, the smallest one */
    double left_most;       /* of the sum of squares that a step may leave */
    gdyn_arena *arena;
};

/* --- workspace -------------------------------------------------------------------------------- */

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
    s->least = many ? SPARSE_LEAST : SPARSE_FIRST;
    s->left_most = many ? INFINITY : QUICK;
    s->row = gdyn_arena_alloc(arena, (size_t)w->max_rows, sizeof *s->row);
    s->left = gdyn_arena_doubles(arena, (size_t)w->max_rows);
    s->dx = gdyn_arena_doubles(arena, (size_t)w->n);
    s->gradient = gdyn_arena_doubles(arena, (size_t)w->n);
    int(*edge)[2] = gdyn_room((size_t)w->m * PAIRS + 1, sizeof *edge);
    int edges = 0;
    for (int i = 0; edge && i < w->m; i++) {
        /* bodies of each row of the joints, pair by pair */
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(w->trial, &w->model->row[i], &jacobian);
        for (int a = 0; a < jacobian.count; a++)
            for (int b = 0; b < a; b++, edges++) {
                edge[edges][0] = jacobian.body[a];
                edge[edges][1] = jacobian.body[b];
            }
    }
    if (edge)
        s->normal = gdyn_blocks_create(w->bodies, w->per_body, edges, (const int(*)[2])edge);
    gdyn_free(edge);
    return s->normal && !gdyn_arena_failed(arena);
}

void gdyn_sparse_closing_destroy(gdyn_sparse_closing *s) {
    if (!s)
        return;
    gdyn_blocks_destroy(s->normal);
    gdyn_arena_destroy(s->arena);
}

/* --- the linear model ------------------------------------------------------------------------- */

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
    static const int planar[3] = {0, 1, 5};
    const gdyn_closure *w = q->w;
    gdyn_sparse_closing *s = w->sparse;
    bool ok = true;
    gdyn_blocks_clear(s->normal);
    for (int i = 0; i < gdyn_closing_rows(q); i++) {
        double scale;
        gdyn_row_derivative(q->state, row_of(q, i, &scale), &s->row[i]);
        for (int k = 0; k < s->row[i].count; k++)
            for (int c = 0; c < w->per_body; c++) {
                /* components that count, in scaled unknowns */
                double *J = s->row[i].J[k];
                int at = w->per_body * s->row[i].body[k] + c;
                J[c] = scale * w->column[at] * J[w->per_body == 3 ? planar[c] : c];
            }
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

/* --- steps ------------------------------------------------------------------------------------ */

/* w->x := the step with the factors at hand, repeated while it leaves much less; returns |r + J
 * x|^2. */
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

/* Damps until a step descends; false when none does. */
static bool descend_sparse(gdyn_closing_system *q, double *sum, double *greatest) {
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
        s->damping = s->damping < RAISE * SPARSE_FIRST ? s->least : s->damping / RAISE;
        *sum = trial, *greatest = most;
        gdyn_closing_follow(q, q->settings->method, most);
        return true;
    } while ((s->damping = s->damping < SPARSE_FIRST ? SPARSE_FIRST : RAISE * s->damping) <=
             SPARSE_MOST);
    return false;
}

/* Down to residuals of size `goal`. */
static bool approach(gdyn_closing_system *q, double goal, double *sum, double *greatest) {
    int resting = 0;
    *sum = gdyn_closing_residual(q, q->state, q->w->r, greatest);
    while (*greatest > goal && resting < RESTING) {
        double before = *sum;
        if (q->budget-- <= 0 || !linearize(q) || !descend_sparse(q, sum, greatest))
            return false;
        q->info->iterations++;
        if (*greatest > goal && *sum > q->w->sparse->left_most * before)
            return false;
        resting = *sum > (1 - STATIONARY) * before ? resting + 1 : 0;
    }
    return *greatest <= goal;
}

/* --- Levenberg's step from the same factors --------------------------------------------------- */

/* --- descent and last steps by sparse factors ------------------------------------------------- */

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
        /* a few more steps bring the rest to rounding level */
        double before = INFINITY;
        for (int i = 0; i < POLISHING && greatest > POLISHED && sum < POLISH_GAIN * before; i++) {
            before = sum;
            if (!linearize(q) || !descend_sparse(q, &sum, &greatest))
                break;
        }
        /* the rank of all rows, by the first way to which it is clear */
        if (gdyn_joints_rank(q, &q->info->rank))
            return true;
        gdyn_closing_jacobian(q);
        if (gdyn_closure_factor(w, w->qr, gdyn_closing_rows(q), GDYN_RANK_TOLERANCE) == GDYN_OK)
            q->info->rank = w->qr->rank;
        return true;
    }
    gdyn_state_copy(q->state, w->entry);
    q->moved = moved, q->budget = budget;
    return false;
}

/* --- Levenberg and Marquardt ------------------------------------------------------------------ */

/* Minimum damping as a share of a bound of the singular values; the first one tried, of scaled
 * rows; radius at which no step descends. */
static const double DAMPING_LEAST = 1e-12, DAMPING_FIRST = 0.1, RADIUS_LEAST = 1e-15;

/* Most dampings that are tried for a radius from sparse factors. */
enum { SEARCHES = 20 };
/* Logarithm of the smallest length of a damped step over the radius. */
static const double SHORTER = -0.1;

/* Singular values below this times the largest never take part. */
static const double CUT = 1e-12;
/* STATIONARY over two steps where the amount is enough, and what these take off over the two before
 * them: the rest of a geometric sequence is less than a third of it. */
static const double STATIONARY_ROUGH = 1e-3, CONTRACTED = 0.25;

/* A mu >= 0 whose step is as long as the radius, or at most 10 % shorter; 0 where no step is
 * longer. False position on log |x| over log mu, which falls by a slope of 0 to 2, from a bracket
 * around the damping of the last step. */
static double damping(const gdyn_closure *w, double radius, double last) {
    /* the undamped step is short enough */
    if (gdyn_damped_length(w->damped, 0) <= radius)
        return 0;
    /* between a mu with a longer and one with a shorter step: outwards, each time farther */
    double bound = gdyn_damped_bound(w->damped), least = DAMPING_LEAST * bound;
    double mu = fmax(last, least), low = 0, high = INFINITY, over = 0, under = 0, factor = 2;
    for (int i = 0; i < 60; i++) {
        double beyond = log(gdyn_damped_length(w->damped, mu) / radius);
        if (beyond <= 0 && (beyond >= SHORTER || mu <= least))
            return mu;
        if (beyond > 0)
            low = mu, over = beyond;
        else
            high = mu, under = beyond;
        if (low > 0 && high < INFINITY) {
            if (high <= 1.05 * low)
                break;
            mu = low * pow(high / low, fmin(fmax(over / (over - under), 0.1), 0.9));
        } else {
            mu = beyond > 0 ? factor * mu : fmax(mu / factor, least);
            factor *= factor;
        }
    }
    return high;
}

/* The region in which the linear model is trusted, and the step that was taken last. */
typedef struct trust {
    double radius;
    double mu, length; /* of that step */
    bool whole;        /* without damping */
    /* 1 / |x| is that over its own at mu^2 times 1 + (mu'^2 - mu^2) / slope; 0: not known */
    double slope;
} trust;

/* The damping that the last one suggests for a step of that length. */
static double suggested(const trust *t, double length) {
    return t->slope > 0 ? sqrt(fmax(t->mu * t->mu + t->slope * (t->length / length - 1), 0))
                        : t->mu;
}

/* The same from sparse normal equations, with w->x the step: Newton's method for 1 / |x| over mu^2
 * (Hebden's; More 1978). False: the damping is too small for them. */
static bool sparse_damping(gdyn_closing_system *q, trust *t) {
    double least = NORMAL_LEAST * sqrt(gdyn_blocks_greatest(q->w->sparse->normal)),
           goal = t->radius * exp(0.5 * SHORTER);
    double low = 0, high = INFINITY, mu = fmax(suggested(t, goal), least);
    const gdyn_closure *w = q->w;
    for (int i = 0; i < SEARCHES; i++) {
        /* w->x := argmin |r + J x|^2 + mu^2 |x|^2 */
        if (!gdyn_blocks_factor(w->sparse->normal, mu * mu))
            return false;
        for (int j = 0; j < w->n; j++)
            w->x[j] = -w->sparse->gradient[j];
        gdyn_blocks_solve(w->sparse->normal, w->x);
        double length = gdyn_norm(w->n, w->x), beyond = log(length / t->radius);
        if (!isfinite(beyond) || (beyond < SHORTER && mu <= least))
            return false;
        *t = (trust){.radius = t->radius, .mu = mu, .length = length};
        /* x^T (J^T J + mu^2)^-1 x, minus the length times its derivative over mu^2 */
        memcpy(w->sparse->dx, w->x, (size_t)w->n * sizeof *w->x);
        gdyn_blocks_solve(w->sparse->normal, w->sparse->dx);
        t->slope = length * length / gdyn_dot(w->n, w->x, w->sparse->dx);
        if (beyond <= 0 && beyond >= SHORTER)
            return true;
        *(beyond > 0 ? &low : &high) = mu;
        /* within what is known, else half of it */
        mu = suggested(t, goal);
        if (!(mu > low && mu < high))
            mu = isinf(high) ? 4 * low : sqrt(fmax(low, least) * high);
        mu = fmax(mu, least);
    }
    return false;
}

/* The linear model at the present pose: sparse where damping allows it, else dense. */
static bool dense_model(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    gdyn_closing_jacobian(q);
    return gdyn_damped_factor(w->damped, gdyn_closing_rows(q), w->n, w->J, w->r, CUT) == GDYN_OK;
}

/* A step into w->x that is not longer than the radius, and what it takes off the cost in the model.
 * *sparse: the one at hand; false: none. */
static bool find_step(gdyn_closing_system *q, bool *sparse, trust *t, double *predicted) {
    gdyn_closure *w = q->w;
    if (*sparse && sparse_damping(q, t)) {
        double *left = w->sparse->left;
        int rows = gdyn_closing_rows(q);
        memcpy(left, w->r, (size_t)rows * sizeof *left);
        multiply(q, false, left, w->x);
        *predicted = 0.5 * (gdyn_dot(rows, w->r, w->r) - gdyn_dot(rows, left, left));
        return true;
    }
    if (*sparse && !dense_model(q))
        return false;
    *sparse = false;
    double mu = damping(w, t->radius, t->mu);
    *predicted = gdyn_damped_step(w->damped, mu, w->x);
    *t = (trust){.radius = t->radius, .mu = mu > 0 ? mu : t->mu, .whole = mu == 0};
    t->length = gdyn_damped_length(w->damped, mu);
    return true;
}

/* Tries radii until one step descends; false when none does. */
static bool descend(gdyn_closing_system *q, trust *t, double *cost, double *greatest) {
    gdyn_closure *w = q->w;
    double longest = gdyn_closing_radius(q);
    bool sparse = w->sparse && linearize(q);
    if (sparse) {
        memset(w->sparse->gradient, 0, (size_t)w->n * sizeof *w->sparse->gradient);
        multiply(q, true, w->r, w->sparse->gradient);
    }
    if (!sparse && !dense_model(q))
        return false;
    while (t->radius > RADIUS_LEAST) {
        double predicted, most;
        if (!find_step(q, &sparse, t, &predicted))
            return false;
        gdyn_closing_try(q, w->x, 1);
        double trial = 0.5 * gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        double gain = predicted > 0 ? (*cost - trial) / predicted : -1;
        if (gain < 0.25)
            t->radius = fmin(t->radius, t->length) * (gain > 0 ? 0.5 : 0.25);
        else if (gain > 0.75 && !t->whole)
            t->radius = fmin(2 * t->radius, longest);
        if (gain > GAIN_LEAST) {
            gdyn_closing_accept(q, w->x, 1);
            memcpy(w->r, w->r_trial, (size_t)gdyn_closing_rows(q) * sizeof *w->r);
            *cost = trial, *greatest = most;
            gdyn_closing_follow(q, GDYN_CLOSURE_LEAST_SQUARES, most);
            return true;
        }
    }
    return false;
}

enum { PAST = 4 };

/* Levenberg and Marquardt in the form of a trust region, down to residuals of size `goal`. */
gdyn_closure_outcome gdyn_closing_levenberg(gdyn_closing_system *q, double goal) {
    gdyn_closure *w = q->w;
    double greatest;
    trust t = {.radius = gdyn_closing_radius(q), .mu = DAMPING_FIRST};
    double cost = 0.5 * gdyn_closing_residual(q, q->state, w->r, &greatest);
    double past[PAST] = {INFINITY, INFINITY, INFINITY, INFINITY};
    int resting = 0;
    gdyn_closing_follow(q, GDYN_CLOSURE_LEAST_SQUARES, greatest);
    while (greatest > goal) {
        if (q->budget-- <= 0)
            return GDYN_CLOSURE_EXHAUSTED;
        q->info->iterations++;
        /* two steps that hardly descend: a stationary point */
        double before = cost;
        if (!descend(q, &t, &cost, &greatest))
            return GDYN_CLOSURE_STALLED;
        resting = cost > (1 - STATIONARY) * before ? resting + 1 : 0;
        memmove(past + 1, past, (PAST - 1) * sizeof *past);
        past[0] = before;
        /* or two steps hardly descend, and much less than the two before them */
        double last = past[1] - cost, earlier = past[3] - past[1];
        bool slow =
            isfinite(past[3]) && last <= STATIONARY_ROUGH * cost && last <= CONTRACTED * earlier;
        if (resting >= 2 || (q->settings->rough && slow))
            return GDYN_CLOSURE_STALLED;
    }
    return GDYN_CLOSED;
}
