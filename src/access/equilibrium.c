/* equilibrium.c - poses of a path in which the applied forces hold the freedoms that no drive
 * moves.
 *
 * With multipliers l and drive forces n the forces on the bodies are f = g + T n + C^T l;
 * equilibrium is f = 0 for some n, l. A displacement F y along the freedoms that the path leaves (F
 * spans null([C; E])) changes f by (Df) F y + T dn + C^T dl. With U^T T = 0 and U^T C^T = 0
 * Newton's step is
 *
 *   U^T (Df F) y = -U^T g,    Df: derivative of f with n and l fixed at their least-squares values,
 *
 * least weighted motion where y is not unique. Where the path leaves more than balance determines,
 * the way along it is the least weighted motion on the poses in equilibrium: u = u_0 + F y with the
 * least weighted motion u_0 of the path alone and
 *
 *   U^T (Df F) y = -U^T Df u_0,
 *
 * since balance does not change to first order along u; y of least norm, F being orthonormal in the
 * norm of the weights, to which u_0 is orthogonal. It is integrated by the classical method of
 * Runge and Kutta on the group of rotations (Munthe-Kaas 1998), and the end of each step is brought
 * to the nearest equilibrium. Df F comes from central differences of f along F. The same with U for
 * F is the second derivative of the potential on the motions that are left when the drives are
 * held, with the opposite sign: the Hessian of the Lagrange function on the tangents of the
 * constraints. */
#include "access/analysis.h"

#include "base/memory.h"
#include "closure/closure.h"
#include "closure/target.h"
#include "linalg/dot.h"
#include "linalg/linalg.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* Longest step (share of L, rad). */
static const double LONGEST = 0.3;

struct gdyn_equilibrium {
    gdyn_arena *arena;
    const gdyn_model *model;
    const gdyn_path *path;
    int n, rows, drives, targets;
    gdyn_closure *closure;
    gdyn_target *target;
    gdyn_svd *svd;
    gdyn_state *trial, *moved;
    double *unit;            /* n: velocity per scaled coordinate */
    double *F, *U;           /* n x n */
    double *columns;         /* n x (rows + drives): [C^T T] */
    double *C;               /* rows x n */
    double *multiplier;      /* rows + drives */
    double *g, *g1, *still;  /* n */
    double *Df, *K, *y, *du; /* n x n; n x n; n; n */
    double *stage[4], *u_pp; /* n */
};

/* Displacements of the differences (shares of L, rad): their error is its square, rounding 1e-16
 * over it. */
static const double DIFFERENCE = 1e-5;
/* Balanced: poses are closed to 1e-12, and balance is lost by that times the stiffness. */
static const double BALANCED = 1e-11, EXACT = 1e-15;
/* Of the applied forces over L: stiffness below this is rounding of differences. */
static const double FLAT = 1e-8;
/* Share of a motion of unit size below which a body stands still. */
static const double STILL = 1e-11;
/* Most of Newton's steps. */
enum { MOST_STEPS = 60, MOST_HALVINGS = 12 };

gdyn_equilibrium *gdyn_equilibrium_create(const gdyn_model *model, const gdyn_path *path) {
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_equilibrium *w = gdyn_arena_alloc(arena, 1, sizeof *w);
    if (!w) {
        gdyn_arena_destroy(arena);
        return NULL;
    }
    int n = gdyn_model_coordinates(model), targets = gdyn_path_targets(path);
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    int all = rows + gdyn_model_drives(model);
    size_t square = (size_t)n * (size_t)n;
    *w = (gdyn_equilibrium){.arena = arena, .model = model, .path = path, .n = n, .rows = rows};
    w->drives = all - rows, w->targets = targets;
    w->target = gdyn_arena_alloc(arena, (size_t)targets + 1, sizeof *w->target);
    w->columns = gdyn_arena_doubles(arena, (size_t)n * (size_t)(all + 1));
    w->C = gdyn_arena_doubles(arena, (size_t)n * (size_t)(rows + 1));
    w->multiplier = gdyn_arena_doubles(arena, (size_t)all + 1);
    double **matrix[] = {&w->F, &w->U, &w->Df, &w->K};
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
        *matrix[i] = gdyn_arena_doubles(arena, square);
    double **vector[] = {&w->unit,     &w->g,        &w->g1,       &w->still,    &w->y,   &w->du,
                         &w->stage[0], &w->stage[1], &w->stage[2], &w->stage[3], &w->u_pp};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = gdyn_arena_doubles(arena, (size_t)n);
    w->closure = gdyn_closure_create(model, targets);
    w->svd = gdyn_svd_create(n, all > n ? all : n);
    w->trial = gdyn_state_create(model), w->moved = gdyn_state_create(model);
    if (gdyn_arena_failed(arena) || !w->closure || !w->svd || !w->trial || !w->moved) {
        gdyn_equilibrium_destroy(w);
        return NULL;
    }
    /* Row scales are not needed: C serves for its null space and range alone. */
    gdyn_mech_scales(model, w->multiplier, w->unit);
    memset(w->still, 0, (size_t)n * sizeof *w->still);
    return w;
}

void gdyn_equilibrium_destroy(gdyn_equilibrium *w) {
    if (!w)
        return;
    gdyn_closure_destroy(w->closure);
    gdyn_svd_destroy(w->svd);
    gdyn_state_destroy(w->trial), gdyn_state_destroy(w->moved);
    gdyn_arena_destroy(w->arena);
}

/* --- forces ----------------------------------------------------------------------------------- */

/* Applied forces at rest into w->g. */
static void apply_forces(gdyn_equilibrium *w, const gdyn_state *state) {
    gdyn_path_rates rest = {.u_p = w->still};
    gdyn_mech_path_forces(state, &rest, w->g, w->g1);
}

/* Scaled size, with nothing cancelled, of the applied forces on the bodies that move along the
 * first q columns of U: a heavy body that stays says nothing of the balance of a light one. What
 * moves by rounding stays. */
static double size_along(gdyn_equilibrium *w, const gdyn_state *state, int q) {
    int per = gdyn_model_space(w->model) == GDYN_PLANAR ? 3 : 6;
    gdyn_path_rates rest = {.u_p = w->still};
    double size = 0;
    gdyn_mech_path_force_sizes(state, &rest, w->g, w->g1);
    for (int first = 0; first < w->n; first += per) {
        bool moves = false;
        for (int j = 0; j < q; j++) {
            double *own = w->U + (size_t)w->n * (size_t)j, part = 0;
            for (int i = first; i < first + per; i++)
                part = hypot(part, own[i] / w->unit[i]);
            for (int i = first; part <= STILL && i < first + per; i++)
                own[i] = 0;
            moves = moves || part > STILL;
        }
        for (int i = first; moves && i < first + per; i++)
            size = hypot(size, w->unit[i] * w->g[i]);
    }
    return size;
}

static gdyn_status balance(gdyn_equilibrium *w, const gdyn_state *state,
                           gdyn_equilibrium_info *info, double *size) {
    gdyn_status status = gdyn_undriven_basis(state, w->U, &info->undriven);
    double sum = 0;
    *size = status == GDYN_OK ? size_along(w, state, info->undriven) : 0;
    apply_forces(w, state);
    for (int j = 0; status == GDYN_OK && j < info->undriven; j++)
        sum = hypot(sum, gdyn_dot(w->n, w->U + (size_t)w->n * (size_t)j, w->g));
    info->unbalanced = *size > 0 ? sum / *size : 0;
    if (info->undriven > GDYN_EQUILIBRIUM_MOST)
        info->unbalanced = INFINITY;
    return status;
}

/* [C^T T] in body coordinates. */
static void load_columns(gdyn_equilibrium *w, const gdyn_state *state) {
    size_t n = (size_t)w->n, rows = (size_t)w->rows;
    gdyn_mech_jacobian(state, w->C);
    for (size_t i = 0; i < rows; i++)
        for (size_t l = 0; l < n; l++)
            w->columns[l + n * i] = w->C[i + rows * l];
    gdyn_mech_drives(state, w->columns + n * rows);
}

/* Multipliers and drive forces that balance the applied forces best, in scaled coordinates. */
static gdyn_status find_multipliers(gdyn_equilibrium *w, const gdyn_state *state) {
    int all = w->rows + w->drives;
    load_columns(w, state);
    for (int j = 0; j < all; j++)
        for (int l = 0; l < w->n; l++)
            w->columns[l + (size_t)w->n * (size_t)j] *= w->unit[l];
    for (int l = 0; l < w->n; l++)
        w->du[l] = -w->unit[l] * w->g[l];
    gdyn_status status = gdyn_svd_factor(w->svd, w->n, all, w->columns, w->n, GDYN_RANK_TOLERANCE);
    if (status == GDYN_OK)
        gdyn_svd_solve(w->svd, 1, w->du, w->n, w->multiplier, all > 0 ? all : 1);
    return status;
}

/* out += factor * f at the pose displaced by `step` along a motion (n). */
static void add_displaced(gdyn_equilibrium *w, const gdyn_state *state, const double *motion,
                          double step, double factor, double *out) {
    /* The pose is left open: the multipliers stand for its constraints. */
    for (int i = 0; i < w->n; i++)
        w->du[i] = step * motion[i];
    gdyn_state_copy(w->moved, state);
    gdyn_state_move(w->moved, w->du);
    apply_forces(w, w->moved);
    load_columns(w, w->moved);
    for (int i = 0; i < w->n; i++) {
        double f = w->g[i];
        for (int j = 0; j < w->rows + w->drives; j++)
            f += w->columns[i + (size_t)w->n * (size_t)j] * w->multiplier[j];
        out[i] += factor * f;
    }
}

/* K (q x count) := U^T Df of the motions; forces and multipliers of this pose are known. */
static void differentiate(gdyn_equilibrium *w, const gdyn_state *state, int undriven, int count,
                          const double *motions) {
    double h = DIFFERENCE * gdyn_model_length(w->model);
    for (int j = 0; j < count; j++) {
        const double *motion = motions + (size_t)w->n * (size_t)j;
        memset(w->Df, 0, (size_t)w->n * sizeof *w->Df);
        add_displaced(w, state, motion, h, 0.5 / h, w->Df);
        add_displaced(w, state, motion, -h, -0.5 / h, w->Df);
        for (int i = 0; i < undriven; i++)
            w->K[i + undriven * j] = gdyn_dot(w->n, w->U + (size_t)w->n * (size_t)i, w->Df);
    }
}

/* --- one equilibrium -------------------------------------------------------------------------- */

/* Closes the pose at p; angles of springs are counted on from it. */
static gdyn_status close_pose(gdyn_equilibrium *w, gdyn_state *state, bool *closed) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    settings.method = GDYN_CLOSURE_NEWTON;
    gdyn_status status =
        gdyn_closure_solve(w->closure, state, w->targets, w->target, &settings, &info);
    *closed = status == GDYN_OK && info.outcome == GDYN_CLOSED;
    if (*closed)
        gdyn_state_accept(state);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* Columns of F orthonormal in the norm of the path's weights, with the same operations on those of
 * K (q x count). */
static void weigh(gdyn_equilibrium *w, int q, int count) {
    const double *weights = gdyn_path_definition(w->path)->weights;
    size_t n = (size_t)w->n;
    /* Gram and Schmidt, twice for rounding */
    for (int pass = 0; weights && pass < 2; pass++)
        for (int j = 0; j < count; j++)
            for (int i = 0; i <= j; i++) {
                double *a = w->F + n * (size_t)i, *b = w->F + n * (size_t)j, sum = 0;
                for (int l = 0; l < w->n; l++)
                    sum += weights[l] * a[l] * b[l] / (w->unit[l] * w->unit[l]);
                /* b := b - sum a; at the end b := b / |b| */
                double keep = i < j ? 1 : 1 / sqrt(sum), add = i < j ? -sum : 0;
                for (int l = 0; l < w->n; l++)
                    b[l] = keep * b[l] + add * a[l];
                for (int l = 0; l < q; l++)
                    w->K[l + q * j] = keep * w->K[l + q * j] + add * w->K[l + q * i];
            }
}

/* y of least norm with K y = right; K := U^T Df F, F the freedoms that the path leaves. U and the
 * forces are those of the pose. */
static gdyn_status solve_stiffness(gdyn_equilibrium *w, double p, const gdyn_state *state,
                                   double size, const double *right, gdyn_equilibrium_info *info) {
    int q = info->undriven;
    gdyn_status status = gdyn_path_free_basis(w->path, state, p, w->F, &info->left);
    if (status != GDYN_OK)
        return status;
    differentiate(w, state, q, info->left, w->F);
    /* Stiffness that is rounding is none: an indifferent pose stays. */
    double all = gdyn_norm(q * info->left, w->K);
    double flat = FLAT * size / gdyn_model_length(w->model);
    double tolerance = all > flat ? fmax(FLAT, flat / all) : 1;
    for (int i = 0; all <= flat && i < q * info->left; i++)
        w->K[i] = 0;
    weigh(w, q, info->left);
    status = gdyn_svd_factor(w->svd, q, info->left, w->K, q, tolerance);
    if (status == GDYN_OK)
        gdyn_svd_solve(w->svd, 1, right, q, w->y, info->left > 0 ? info->left : 1);
    info->determined = w->svd->rank.rank;
    return status;
}

static double displacement(gdyn_equilibrium *w, int left, double factor) {
    double size = 0;
    memset(w->du, 0, (size_t)w->n * sizeof *w->du);
    for (int j = 0; j < left; j++)
        for (int i = 0; i < w->n; i++)
            w->du[i] += factor * w->y[j] * w->F[i + (size_t)w->n * (size_t)j];
    for (int i = 0; i < w->n; i++)
        size = hypot(size, w->du[i] / w->unit[i]);
    return size;
}

/* y := Newton's step, not longer than allowed. */
static gdyn_status newton(gdyn_equilibrium *w, double p, const gdyn_state *state, double size,
                          gdyn_equilibrium_info *info) {
    double right[GDYN_EQUILIBRIUM_MOST], longest = LONGEST * gdyn_model_length(w->model);
    for (int i = 0; i < info->undriven; i++)
        right[i] = -gdyn_dot(w->n, w->U + (size_t)w->n * (size_t)i, w->g);
    gdyn_status status = find_multipliers(w, state);
    if (status == GDYN_OK)
        status = solve_stiffness(w, p, state, size, right, info);
    if (status != GDYN_OK)
        return status;
    double length = displacement(w, info->left, 1);
    for (int j = 0; length > longest && j < info->left; j++)
        w->y[j] *= longest / length;
    return status;
}

static gdyn_status displace(gdyn_equilibrium *w, const gdyn_state *state, int left, double step,
                            bool *closed) {
    displacement(w, left, step);
    gdyn_state_copy(w->trial, state);
    gdyn_state_move(w->trial, w->du);
    return close_pose(w, w->trial, closed);
}

/* The longest of halved steps that makes the pose better; false: none does. Then U and the forces
 * are those of that pose. */
static gdyn_status descend(gdyn_equilibrium *w, gdyn_state *state, gdyn_equilibrium_info *info,
                           double *size, bool *better) {
    gdyn_status status = GDYN_OK;
    double step = 1;
    int most = info->unbalanced < BALANCED ? 1 : MOST_HALVINGS;
    *better = false;
    for (int i = 0; status == GDYN_OK && !*better && i < most; i++, step *= 0.5) {
        gdyn_equilibrium_info tried = *info;
        double other = *size;
        bool closed;
        status = displace(w, state, info->left, step, &closed);
        if (status == GDYN_OK && closed)
            status = balance(w, w->trial, &tried, &other);
        /* The force that is left, not its share: springs that relax make the applied forces
         * smaller. */
        *better = !status && closed && tried.unbalanced * other < info->unbalanced * *size;
        if (*better) {
            tried.moved += displacement(w, info->left, step);
            gdyn_state_copy(state, w->trial);
            *info = tried, *size = other;
        }
    }
    return status;
}

static gdyn_status stiffness_of(gdyn_equilibrium *w, const gdyn_state *state, int q, double *even) {
    gdyn_status status = find_multipliers(w, state);
    if (status != GDYN_OK)
        return status;
    differentiate(w, state, q, q, w->U);
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++)
            even[i + q * j] = -0.5 * (w->K[i + q * j] + w->K[j + q * i]);
    return GDYN_OK;
}

/* Stiffness of the freedoms without a drive. */
static gdyn_status judge_stability(gdyn_equilibrium *w, const gdyn_state *state, double size,
                                   gdyn_equilibrium_info *info) {
    int q = info->undriven;
    double value[GDYN_EQUILIBRIUM_MOST], even[GDYN_EQUILIBRIUM_MOST * GDYN_EQUILIBRIUM_MOST];
    gdyn_status status = stiffness_of(w, state, q, even);
    if (status != GDYN_OK)
        return status;
    bool known = size > 0 && q > 0 && gdyn_symmetric_values(q, even, value);
    info->stiffness = known ? value[0] * gdyn_model_length(w->model) / size : 0;
    return GDYN_OK;
}

gdyn_status gdyn_equilibrium_solve(gdyn_equilibrium *w, double p, gdyn_state *state,
                                   gdyn_equilibrium_info *info) {
    bool closed, better = true;
    double size = 0;
    *info = (gdyn_equilibrium_info){.unbalanced = INFINITY, .stiffness = NAN};
    gdyn_path_evaluate(w->path, p, w->target);
    gdyn_status status = close_pose(w, state, &closed);
    if (status != GDYN_OK || !closed)
        return status;
    /* Newton's steps until rounding is reached or nothing helps. */
    status = balance(w, state, info, &size);
    better = info->undriven <= GDYN_EQUILIBRIUM_MOST;
    for (int i = 0; status == GDYN_OK && better && i < MOST_STEPS; i++) {
        /* The first step is taken at any pose: it counts what the path leaves. */
        if (i > 0 && info->unbalanced < EXACT)
            break;
        status = newton(w, p, state, size, info);
        if (status == GDYN_OK)
            status = descend(w, state, info, &size, &better);
    }
    info->found = status == GDYN_OK && info->unbalanced < BALANCED;
    if (status == GDYN_OK)
        status = balance(w, state, info, &size);
    return status == GDYN_OK && info->found ? judge_stability(w, state, size, info) : status;
}

/* --- the way from one to the next ------------------------------------------------------------- */

/* u := the least weighted motion through poses in equilibrium, at the pose in `state`. */
static gdyn_status find_rate(gdyn_equilibrium *w, double p, const gdyn_state *state, double *u) {
    gdyn_equilibrium_info info;
    gdyn_closure_rates rates;
    double size, right[GDYN_EQUILIBRIUM_MOST], length = 0;
    const double *weights = gdyn_path_definition(w->path)->weights;
    gdyn_path_evaluate(w->path, p, w->target);
    gdyn_status status = gdyn_closure_derivatives(w->closure, state, w->targets, w->target, weights,
                                                  u, w->u_pp, &rates);
    if (status == GDYN_OK)
        status = balance(w, state, &info, &size);
    if (status == GDYN_OK)
        status = find_multipliers(w, state);
    if (status != GDYN_OK || info.undriven > GDYN_EQUILIBRIUM_MOST)
        return status;
    /* right := -U^T Df u_0, by a difference along u_0 */
    for (int i = 0; i < w->n; i++)
        length = hypot(length, u[i] / w->unit[i]);
    for (int i = 0; i < w->n && length > 0; i++)
        w->u_pp[i] = u[i] / length;
    differentiate(w, state, info.undriven, length > 0, w->u_pp);
    for (int i = 0; i < info.undriven; i++)
        right[i] = length > 0 ? -length * w->K[i] : 0;
    status = solve_stiffness(w, p, state, size, right, &info);
    if (status == GDYN_OK)
        displacement(w, info.left, 1);
    for (int i = 0; i < w->n && status == GDYN_OK; i++)
        u[i] += w->du[i];
    return status;
}

/* k := rate at the pose displaced by factor k_before from `state`, as rate of that displacement. */
static gdyn_status find_stage(gdyn_equilibrium *w, double p, const gdyn_state *state, double factor,
                              const double *before, double *k) {
    bool closed, spatial = gdyn_model_space(w->model) == GDYN_SPATIAL;
    double du[6];
    for (int i = 0; i < w->n; i++)
        w->du[i] = factor * before[i];
    gdyn_state_copy(w->trial, state);
    gdyn_state_move(w->trial, w->du);
    gdyn_path_evaluate(w->path, p, w->target);
    gdyn_status status = close_pose(w, w->trial, &closed);
    if (status == GDYN_OK && !closed)
        status = GDYN_ERROR_NUMERIC;
    if (status == GDYN_OK)
        status = find_rate(w, p, w->trial, k);
    for (int b = 0; spatial && status == GDYN_OK && b < gdyn_model_bodies(w->model); b++) {
        for (int i = 3; i < 6; i++)
            du[i] = factor * before[6 * b + i];
        gdyn_rotation_vector_rate(k + 6 * b + 3, du + 3, k + 6 * b + 3);
    }
    return status;
}

/* The pose at `to` by one step of Runge and Kutta. */
static gdyn_status step_on(gdyn_equilibrium *w, double from, double to, gdyn_state *state) {
    double h = to - from, **k = w->stage, end = gdyn_path_before(w->path, from, to);
    gdyn_status status = find_rate(w, from, state, k[0]);
    if (status == GDYN_OK)
        status = find_stage(w, from + 0.5 * h, state, 0.5 * h, k[0], k[1]);
    if (status == GDYN_OK)
        status = find_stage(w, from + 0.5 * h, state, 0.5 * h, k[1], k[2]);
    if (status == GDYN_OK)
        status = find_stage(w, end, state, h, k[2], k[3]);
    for (int i = 0; i < w->n && status == GDYN_OK; i++)
        w->du[i] = h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    if (status == GDYN_OK)
        gdyn_state_move(state, w->du);
    /* What has no rate is led on by Newton's steps alone. */
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_equilibrium_advance(gdyn_equilibrium *w, double from, double to, gdyn_state *state,
                                     gdyn_equilibrium_info *info) {
    gdyn_status status = step_on(w, from, to, state);
    return status == GDYN_OK ? gdyn_equilibrium_solve(w, to, state, info) : status;
}

/* --- the search ------------------------------------------------------------------------------ */

/* The equilibrium that a machine comes to from a first guess.
 *
 * Where the motions U that move no drive leave the path's targets as they are, the machine is let
 * go with its drives held: the applied forces do work along U until the potential has a minimum.
 * Each step is Newton's for the potential, (K + s) y = U^T g with the least shift s that makes it
 * positive, halved until the forces do work on it, by the trapezoidal rule from the forces at both
 * ends. Then, and everywhere else, Newton's method for balance follows (equilibrium.c). */

/* Steps of a search between its starts (shares of L, rad), and how many: half a turn and more. */
static const double AWAY = 0.4;
enum { STARTS_EACH_WAY = 8 };
/* Letting go: most steps, and where Newton's method for balance takes over. */
enum { MOST_FALLS = 200, MOST_SHORTER = 12 };
static const double NEAR = 1e-7;
/* U moves no target of the path: what is left of it outside the path's freedoms. */
static const double OUTSIDE = 1e-6;
/* Least stiffness of a step as a share of the greatest, and the work on a step as a share of what
 * its force promises. */
static const double SOFT = 0.1, WORK = 1e-4;

/* Product of two motions in scaled coordinates. */
static double product(const gdyn_equilibrium *w, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < w->n; i++)
        sum += a[i] * b[i] / (w->unit[i] * w->unit[i]);
    return sum;
}

/* --- letting go ------------------------------------------------------------------------------- */

/* Whether U lies within the freedoms F of the path, both of this pose. */
static gdyn_status drives_may_stay(gdyn_equilibrium *w, double p, const gdyn_state *state, int q,
                                   int *left, bool *may) {
    size_t n = (size_t)w->n;
    gdyn_status status = gdyn_path_free_basis(w->path, state, p, w->F, left);
    *may = status == GDYN_OK && q > 0 && q <= *left;
    for (int j = 0; *may && j < q; j++) {
        double inside = 0;
        for (int k = 0; k < *left; k++) {
            double part = product(w, w->F + n * (size_t)k, w->U + n * (size_t)j);
            inside += part * part;
        }
        *may = inside > 1 - OUTSIDE;
    }
    return status;
}

/* y := a step along U on which the forces right = U^T g do work; false: nothing moves the
 * machine. */
static bool aim_down(gdyn_equilibrium *w, int q, double *even, const double *right, bool *minimum) {
    double value[GDYN_EQUILIBRIUM_MOST], copy[GDYN_EQUILIBRIUM_MOST * GDYN_EQUILIBRIUM_MOST];
    memcpy(copy, even, (size_t)(q * q) * sizeof *copy);
    if (!gdyn_symmetric_values(q, copy, value))
        return false;
    double top = fmax(fabs(value[0]), fabs(value[q - 1]));
    double soft = top > 0 ? SOFT * top : 1, shift = value[0] < soft ? soft - value[0] : 0;
    *minimum = value[0] > 0;
    /* soft but stable: the step of Newton */
    if (*minimum && value[0] > NEAR * top)
        shift = 0;
    for (int j = 0; j < q; j++) {
        even[j + q * j] += shift;
        w->y[j] = right[j];
    }
    if (gdyn_cholesky_factor(q, even) != GDYN_OK)
        return false;
    gdyn_cholesky_solve(q, even, 1, w->y);
    double length = gdyn_norm(q, w->y);
    double longest = LONGEST * gdyn_model_length(w->model);
    for (int j = 0; j < q && length > longest; j++)
        w->y[j] *= longest / length;
    return length > 0;
}

/* Work of the applied forces, U and g of the pose after it, on the motion du before it. */
static double power_after(const gdyn_equilibrium *w, int q) {
    double work = 0;
    for (int j = 0; j < q; j++) {
        const double *u = w->U + (size_t)w->n * (size_t)j;
        work += product(w, u, w->du) * gdyn_dot(w->n, u, w->g);
    }
    return work;
}

/* The longest of halved steps on which the forces do work; U and the forces are then those of that
 * pose. */
static gdyn_status fall(gdyn_equilibrium *w, gdyn_state *state, const double *right,
                        gdyn_equilibrium_info *info, double *size, bool *fell) {
    int q = info->undriven;
    double promised = 0, step = 1;
    gdyn_status status = GDYN_OK;
    memcpy(w->F, w->U, (size_t)w->n * (size_t)q * sizeof *w->F);
    for (int j = 0; j < q; j++)
        promised += right[j] * w->y[j];
    *fell = false;
    for (int i = 0; status == GDYN_OK && !*fell && i < MOST_SHORTER; i++, step *= 0.5) {
        bool closed;
        status = displace(w, state, q, step, &closed);
        if (status != GDYN_OK || !closed)
            continue;
        status = balance(w, w->trial, info, size);
        if (status == GDYN_OK && info->undriven == q)
            *fell = 0.5 * (step * promised + power_after(w, q)) >= WORK * step * promised;
    }
    if (*fell)
        gdyn_state_copy(state, w->trial);
    return status;
}

/* Lets the machine go with its drives held, until it is near an equilibrium. Where the drives
 * cannot be held it stays; *held. */
static gdyn_status let_go(gdyn_equilibrium *w, double p, gdyn_state *state, bool *held) {
    double right[GDYN_EQUILIBRIUM_MOST], even[GDYN_EQUILIBRIUM_MOST * GDYN_EQUILIBRIUM_MOST], size;
    gdyn_equilibrium_info info = {0};
    bool falls;
    *held = false;
    gdyn_path_evaluate(w->path, p, w->target);
    gdyn_status status = balance(w, state, &info, &size);
    if (status != GDYN_OK || info.undriven > GDYN_EQUILIBRIUM_MOST)
        return status;
    status = drives_may_stay(w, p, state, info.undriven, &info.left, held);
    falls = *held;
    for (int i = 0; status == GDYN_OK && falls && i < MOST_FALLS; i++) {
        int q = info.undriven;
        bool minimum;
        for (int j = 0; j < q; j++)
            right[j] = gdyn_dot(w->n, w->U + (size_t)w->n * (size_t)j, w->g);
        status = stiffness_of(w, state, q, even);
        if (status || !aim_down(w, q, even, right, &minimum) || (minimum && info.unbalanced < NEAR))
            break;
        /* the forces of this pose were displaced for the stiffness */
        status = fall(w, state, right, &info, &size, &falls);
    }
    return status;
}

/* --- a search --------------------------------------------------------------------------------- */

/* The best equilibrium so far. */
typedef struct quest {
    gdyn_equilibrium *w;
    double p;
    const gdyn_state *start;
    gdyn_state *best, *other;
    gdyn_equilibrium_info *info; /* of the best */
    double distance;             /* of it from the start */
    /* the machine fell into it with its drives held, or it is one of a continuum, the next one */
    bool settled;
} quest;

static bool is_stable(const gdyn_equilibrium_info *info) {
    return info->found && info->stiffness >= GDYN_EQUILIBRIUM_UNSTABLE;
}

/* Distance of two poses: displacements, and turns times L, of all bodies. */
static double distance_of(const gdyn_equilibrium *w, const gdyn_state *a, const gdyn_state *b) {
    double sum = 0;
    for (int i = 0; i < gdyn_model_bodies(w->model); i++) {
        double ra[3], Ra[9], rb[3], Rb[9], trace = 0;
        gdyn_state_body(a, i, ra, Ra), gdyn_state_body(b, i, rb, Rb);
        v3_sub(ra, ra, rb);
        for (int k = 0; k < 9; k++)
            trace += Ra[k] * Rb[k];
        double turn = acos(fmax(-1, fmin(1, 0.5 * (trace - 1))));
        sum = hypot(sum, hypot(v3_norm(ra), turn * gdyn_model_length(w->model)));
    }
    return sum;
}

/* The equilibrium from one start. Where something is not finite none is found: other starts may
 * lead elsewhere. */
static gdyn_status try_start(quest *q, const gdyn_state *start) {
    gdyn_equilibrium *w = q->w;
    gdyn_equilibrium_info tried = {0};
    bool held = false;
    gdyn_state_copy(q->other, start);
    gdyn_status status = let_go(w, q->p, q->other, &held);
    if (status == GDYN_OK)
        status = gdyn_equilibrium_solve(w, q->p, q->other, &tried);
    if (status == GDYN_ERROR_NUMERIC) {
        tried.found = false;
        status = gdyn_path_free_basis(w->path, start, q->p, w->F, &tried.left);
    }
    if (status != GDYN_OK)
        return status;
    /* a stable one before others, the nearest of stable ones */
    double distance = distance_of(w, q->other, q->start);
    bool first = start == q->start, stable = is_stable(&tried), known = is_stable(q->info);
    bool take = stable ? !known || distance < q->distance : tried.found && !q->info->found;
    if (first || take) {
        gdyn_state_copy(q->best, q->other);
        *q->info = tried;
        q->distance = distance;
        q->settled = stable && (held || tried.determined < tried.left);
    }
    return GDYN_OK;
}

/* y := of length AWAY L along the freedom that is nearest to the motion du before (NULL: the first
 * freedom), or along the k-th of them. */
static gdyn_status aim(gdyn_equilibrium *w, double p, const gdyn_state *state, const double *before,
                       int k, double sign, int *left) {
    double size = 0;
    gdyn_status status = gdyn_path_free_basis(w->path, state, p, w->F, left);
    for (int j = 0; status == GDYN_OK && j < *left; j++) {
        w->y[j] = before ? product(w, w->F + (size_t)w->n * (size_t)j, before) : j == k ? sign : 0;
        size = hypot(size, w->y[j]);
    }
    for (int j = 0; status == GDYN_OK && j < *left && size > 0; j++)
        w->y[j] *= AWAY * gdyn_model_length(w->model) / size;
    return status;
}

/* Poses on the way from the start along one freedom; the equilibrium next to each is taken where it
 * is better. */
static gdyn_status search_along(quest *q, int k, double sign) {
    gdyn_equilibrium *w = q->w;
    gdyn_state *here = gdyn_state_clone(q->start);
    gdyn_status status = here ? GDYN_OK : GDYN_ERROR_MEMORY;
    bool closed = true;
    for (int i = 0; status == GDYN_OK && closed && i < STARTS_EACH_WAY; i++) {
        int left;
        if (is_stable(q->info) &&
            (q->settled || q->distance <= ((i + 1) * AWAY * gdyn_model_length(w->model))))
            break;
        status = aim(w, q->p, here, i > 0 ? w->stage[0] : NULL, k, sign, &left);
        if (status == GDYN_OK)
            status = displace(w, here, left, 1, &closed);
        if (status != GDYN_OK || !closed)
            break;
        memcpy(w->stage[0], w->du, (size_t)w->n * sizeof *w->du);
        gdyn_state_copy(here, w->trial);
        status = try_start(q, here);
    }
    gdyn_state_destroy(here);
    /* a way that cannot be followed ends there */
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_equilibrium_search(gdyn_equilibrium *w, double p, gdyn_state *state,
                                    gdyn_equilibrium_info *info) {
    gdyn_state *start = gdyn_state_clone(state), *other = gdyn_state_clone(state);
    quest q = {.w = w, .p = p, .start = start, .best = state, .other = other, .info = info};
    gdyn_status status = start && other ? GDYN_OK : GDYN_ERROR_MEMORY;
    *info = (gdyn_equilibrium_info){0};
    if (status == GDYN_OK)
        status = try_start(&q, start);
    int ways = 2 * info->left;
    for (int k = 0; status == GDYN_OK && k < ways; k++)
        status = search_along(&q, k / 2, k % 2 ? -1 : 1);
    gdyn_state_destroy(start), gdyn_state_destroy(other);
    return status;
}
