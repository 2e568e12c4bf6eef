/* freedoms.c - motions without a drive, and paths that demand impossible motions.
 *
 * N spans null(C), scaled (rotations times L). A motion N v moves no drive when T^T N v = 0. The
 * basis of these motions is brought to reduced echelon form with the largest elements as pivots,
 * so that each is described by one coordinate of one body in which the others do not move. E holds
 * the path's rows: w^T E N = 0 is a direction w in which what is prescribed cannot move. When it
 * can without the Pfaffian rows (w^T E N != 0 for N of the holonomic rows alone) these block it. */
#include "access/analysis.h"
#include "access/evaluate.h"
#include "base/memory.h"
#include "closure/target.h"
#include "linalg/linalg.h"
#include "linalg/vec3.h"
#include "mech/row.h"

#include <math.h>
#include <string.h>

/* Singular values and components below this share of 1 are zero: poses are closed to 1e-12 and
 * directions are given with three digits. */
static const double NOTHING = 1e-6;

/* Matrices of one pose; n coordinates, f free motions. */
typedef struct kinematics {
    gdyn_arena *arena;
    const gdyn_model *model;
    int n, rows, f;
    double *C, *row_scale, *unit; /* rows x n; rows; n: velocity per scaled coordinate */
    double *N;                    /* n x f, scaled */
    gdyn_svd *svd;
} kinematics;

static void forget(kinematics *k) {
    gdyn_arena_destroy(k->arena);
    gdyn_svd_destroy(k->svd);
}

/* N of the first `rows` rows of C. */
static gdyn_status free_motions(kinematics *k, int rows) {
    int all = k->rows;
    gdyn_status status =
        gdyn_svd_factor(k->svd, rows, k->n, k->C, all > 0 ? all : 1, GDYN_RANK_TOLERANCE);
    k->f = status == GDYN_OK ? gdyn_svd_null(k->svd, k->N, k->n) : 0;
    return status;
}

/* C at the pose, scaled, and its null space; room for `others` rows beside it. */
static gdyn_status learn(kinematics *k, const gdyn_state *state, int others) {
    const gdyn_model *model = gdyn_state_model(state);
    int n = gdyn_model_coordinates(model);
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    /* the decomposition serves C and the rows of drives or paths */
    int most = rows > others ? rows : others;
    *k = (kinematics){.arena = gdyn_arena_create(), .model = model, .n = n, .rows = rows};
    k->C = gdyn_arena_doubles(k->arena, (size_t)(rows + 1) * (size_t)n);
    k->row_scale = gdyn_arena_doubles(k->arena, (size_t)rows);
    k->unit = gdyn_arena_doubles(k->arena, (size_t)n);
    k->N = gdyn_arena_doubles(k->arena, (size_t)n * (size_t)n);
    k->svd = gdyn_svd_create(most > n ? most : n, n);
    if (gdyn_arena_failed(k->arena) || !k->svd)
        return GDYN_ERROR_MEMORY;
    /* C in scaled velocities and rows */
    gdyn_mech_jacobian(state, k->C);
    gdyn_mech_scales(model, k->row_scale, k->unit);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < rows; i++)
            k->C[i + (size_t)rows * (size_t)j] *= k->row_scale[i] * k->unit[j];
    return free_motions(k, rows);
}

/* --- motions without a drive ------------------------------------------------------------------ */

/* Scaled velocity of the centre of gravity and turning of one body. */
static void body_part(const kinematics *k, const double *u, int body, double v[3], double w[3]) {
    bool planar = gdyn_model_space(k->model) == GDYN_PLANAR;
    const double *own = u + (planar ? 3 : 6) * body;
    for (int i = 0; i < 3; i++) {
        v[i] = planar && i == 2 ? 0 : own[i];
        w[i] = !planar ? own[3 + i] : i == 2 ? own[2] : 0;
    }
}

/* Which body moves most, whether it turns or slides, in which direction, and how many others move
 * with it. */
static gdyn_free_motion describe(const kinematics *k, const double *u) {
    gdyn_free_motion m = {0};
    double most = -1, v[3], w[3];
    for (int b = 0; b < gdyn_model_bodies(k->model); b++) {
        /* the size of its motion: displacement, and turning times the machine's length */
        body_part(k, u, b, v, w);
        double size = hypot(v3_norm(v), v3_norm(w));
        m.others += size > NOTHING;
        if (size > most * (1 + NOTHING)) {
            most = size;
            m.body = b;
        }
    }
    /* all others than the body itself */
    m.others -= most > NOTHING;
    body_part(k, u, m.body, v, w);
    /* rather turning than sliding */
    m.turns = v3_norm(w) >= 0.5 * v3_norm(v);
    const double *direction = m.turns ? w : v;
    double sign = 1, size = v3_norm(direction), top = 0;
    for (int i = 0; i < 3; i++) /* the sign is of no meaning: the largest component is positive */
        if (fabs(direction[i]) > top * (1 + NOTHING)) {
            top = fabs(direction[i]);
            sign = direction[i] < 0 ? -1 : 1;
        }
    v3_scale(m.direction, size > 0 ? sign / size : 0, direction);
    return m;
}

/* Matrices at the pose; U (n x count) := orthonormal scaled motions of null(C) that no drive
 * sees. */
static gdyn_status find_undriven(kinematics *k, const gdyn_state *state, double *U, int *count) {
    const gdyn_model *model = gdyn_state_model(state);
    int drives = gdyn_model_drives(model), ld = drives > 0 ? drives : 1;
    gdyn_status status = learn(k, state, drives);
    size_t n = (size_t)k->n;
    double *T = gdyn_arena_doubles(k->arena, n * (size_t)drives);
    double *H = gdyn_arena_doubles(k->arena, n * (size_t)drives);
    double *Y = gdyn_arena_doubles(k->arena, n * n);
    *count = 0;
    if (status == GDYN_OK && gdyn_arena_failed(k->arena))
        status = GDYN_ERROR_MEMORY;
    if (status != GDYN_OK || k->f == 0)
        return status;
    gdyn_mech_drives(state, T);
    for (int d = 0; d < drives; d++) { /* of size 1: drives may have any ratio */
        double sum = 0, *column = T + n * (size_t)d;
        for (int i = 0; i < k->n; i++) {
            column[i] *= k->unit[i];
            sum = hypot(sum, column[i]);
        }
        for (int i = 0; i < k->n; i++)
            column[i] /= sum > 0 ? sum : 1;
    }
    /* H = T^T N: what each drive sees of each free motion */
    gdyn_gemm(1, 0, drives, k->f, k->n, 1, T, k->n, k->N, k->n, 0, H, ld);
    for (int i = 0; i < drives * k->f; i++) /* of vectors of length 1: rounding is no drive */
        H[i] = fabs(H[i]) > GDYN_RANK_TOLERANCE ? H[i] : 0;
    status = gdyn_svd_factor(k->svd, drives, k->f, H, ld, GDYN_RANK_TOLERANCE);
    if (status != GDYN_OK)
        return status;
    /* its null space, in velocities */
    *count = gdyn_svd_null(k->svd, Y, k->f);
    gdyn_gemm(0, 0, k->n, *count, k->f, 1, k->N, k->n, Y, k->f, 0, U, k->n);
    return GDYN_OK;
}

/* Basis of the undriven motions, each described. */
gdyn_status gdyn_undriven_motions(const gdyn_state *state, int most, gdyn_free_motion *motion,
                                  int *count) {
    kinematics k;
    int n = gdyn_model_coordinates(gdyn_state_model(state));
    gdyn_arena *arena = gdyn_arena_create();
    double *U = gdyn_arena_doubles(arena, (size_t)n * (size_t)n);
    *count = 0;
    if (!U) {
        gdyn_arena_destroy(arena);
        return GDYN_ERROR_MEMORY;
    }
    gdyn_status status = find_undriven(&k, state, U, count);
    /* columns of U are rows of length n */
    if (status == GDYN_OK)
        gdyn_reduced_echelon(U, *count, k.n);
    /* their descriptions, as many as fit */
    for (int i = 0; status == GDYN_OK && i < *count && i < most; i++)
        motion[i] = describe(&k, U + (size_t)k.n * (size_t)i);
    gdyn_arena_destroy(arena);
    forget(&k);
    return status;
}

/* From scaled coordinates to velocities. */
static void unscale(const kinematics *k, int count, double *motions) {
    for (int j = 0; j < count; j++)
        for (int i = 0; i < k->n; i++)
            motions[i + (size_t)k->n * (size_t)j] *= k->unit[i];
}

gdyn_status gdyn_undriven_basis(const gdyn_state *state, double *U, int *count) {
    kinematics k;
    gdyn_status status = find_undriven(&k, state, U, count);
    if (status == GDYN_OK)
        unscale(&k, *count, U);
    forget(&k);
    return status;
}

/* --- what a path asks ------------------------------------------------------------------------- */

/* X (count x f) := E N of the rows. */
static void lead(const kinematics *k, const gdyn_state *state, int count,
                 const gdyn_row *const *row, double *X) {
    double L = gdyn_model_length(k->model);
    double *scaled = k->C; /* one scaled row; C is done with */
    for (int i = 0; i < count; i++) {
        gdyn_row_jacobian jacobian;
        /* the row's derivative in scaled coordinates */
        memset(scaled, 0, (size_t)k->n * sizeof *scaled);
        gdyn_row_derivative(state, row[i], &jacobian);
        gdyn_row_scatter(state, &jacobian, row[i]->length ? 1 : L, scaled, 1, 0);
        /* along each free motion */
        for (int j = 0; j < k->f; j++) {
            double sum = 0;
            for (int l = 0; l < k->n; l++)
                sum += scaled[l] * k->unit[l] * k->N[l + (size_t)k->n * (size_t)j];
            X[i + count * j] = sum;
        }
    }
}

/* The rows of the path that belong to one tool's position; at most three. */
static int position_rows(const gdyn_model *model, const gdyn_anchor *tool, int targets,
                         const gdyn_target *target, const gdyn_row *rows[3]) {
    /* the tool's rows have its body and its point */
    gdyn_row own = gdyn_row_point(model, *tool, 0);
    int count = 0;
    for (int i = 0; i < targets && count < 3; i++) {
        const gdyn_row *row = &target[i].row;
        if (row->kind == GDYN_ROW_POINT && row->a == own.a &&
            memcmp(row->sa, own.sa, sizeof own.sa) == 0)
            rows[count++] = row;
    }
    return count;
}

/* Finds the direction in which that tool cannot move: X = E N of its position rows. */
static gdyn_status find_blocked(kinematics *k, const gdyn_state *state, int count,
                                const gdyn_row *const *row, double *X, gdyn_path_demand *demand) {
    /* how fast the prescribed point moves per free motion */
    lead(k, state, count, row, X);
    gdyn_status status = gdyn_svd_factor(k->svd, count, k->f, X, count, NOTHING);
    if (status != GDYN_OK || k->svd->rank.rank >= count)
        return status;
    /* the direction of prescribed coordinates that no free motion reaches; its largest part
     * positive */
    memset(demand->along, 0, sizeof demand->along);
    const double *left = k->svd->U + (size_t)count * (size_t)(count - 1);
    double sign = 1, most = 0;
    for (int i = 0; i < count; i++)
        if (fabs(left[i]) > most * (1 + NOTHING)) {
            most = fabs(left[i]);
            sign = left[i] < 0 ? -1 : 1;
        }
    for (int i = 0; i < count; i++)
        demand->along[row[i]->axis] = sign * left[i];
    demand->blocked = true;
    return GDYN_OK;
}

/* Whether the holonomic rows alone leave the blocked direction free. */
static gdyn_status judge_velocity(const gdyn_state *state, int count, const gdyn_row *const *row,
                                  double *X, gdyn_path_demand *demand) {
    kinematics k;
    int m = gdyn_model_holonomic(gdyn_state_model(state));
    gdyn_status status = learn(&k, state, 0);
    if (status == GDYN_OK)
        status = free_motions(&k, m);
    if (status == GDYN_OK) {
        lead(&k, state, count, row, X);
        /* blocked by velocity rows where the holonomic rows alone would let it move */
        for (int j = 0; j < k.f; j++) {
            double sum = 0;
            for (int i = 0; i < count; i++)
                sum += demand->along[row[i]->axis] * X[i + count * j];
            demand->by_velocity |= fabs(sum) > NOTHING;
        }
    }
    if (demand->by_velocity)
        demand->joint = gdyn_model_row_joint(k.model, m);
    forget(&k);
    return status;
}

/* Tool by tool; the first that is blocked is named. */
static gdyn_status find_demand(kinematics *k, const gdyn_path *path, const gdyn_state *state,
                               const gdyn_target *target, double *X, gdyn_path_demand *demand) {
    const gdyn_path_def *def = gdyn_path_definition(path);
    int targets = gdyn_path_targets(path);
    demand->prescribed = targets, demand->mobility = k->f;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < def->tools && status == GDYN_OK && !demand->blocked; i++) {
        const gdyn_row *row[3];
        int count = position_rows(k->model, &def->tool[i].of, targets, target, row);
        demand->tool = i;
        if (count > 0)
            status = find_blocked(k, state, count, row, X, demand);
        if (demand->blocked && status == GDYN_OK && gdyn_model_pfaffian(k->model) > 0)
            status = judge_velocity(state, count, row, X, demand);
    }
    return status;
}

/* Matrices at the pose, the targets at p and X = E N with its decomposition in k->svd; X has room
 * for three rows more. */
static gdyn_status ask_path(kinematics *k, const gdyn_path *path, const gdyn_state *state, double p,
                            gdyn_target **target, double **X) {
    int targets = gdyn_path_targets(path);
    gdyn_status status = learn(k, state, targets);
    const gdyn_row **row = gdyn_arena_alloc(k->arena, (size_t)targets, sizeof *row);
    *target = gdyn_arena_alloc(k->arena, (size_t)targets, sizeof **target);
    *X = gdyn_arena_doubles(k->arena, (size_t)(targets + 3) * (size_t)(k->n + 1));
    if (status != GDYN_OK || gdyn_arena_failed(k->arena))
        return status != GDYN_OK ? status : GDYN_ERROR_MEMORY;
    gdyn_path_evaluate(path, p, *target);
    for (int i = 0; i < targets; i++)
        row[i] = &(*target)[i].row;
    lead(k, state, targets, row, *X);
    return gdyn_svd_factor(k->svd, targets, k->f, *X, targets > 0 ? targets : 1, NOTHING);
}

/* null(E N), in velocities: combinations of free motions in which nothing prescribed moves. */
gdyn_status gdyn_path_free_basis(const gdyn_path *path, const gdyn_state *state, double p,
                                 double *F, int *count) {
    kinematics k;
    gdyn_target *target;
    double *X;
    *count = 0;
    gdyn_status status = ask_path(&k, path, state, p, &target, &X);
    double *Y = gdyn_arena_doubles(k.arena, (size_t)k.n * (size_t)k.n);
    if (status == GDYN_OK && !Y)
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        int ld = k.f > 0 ? k.f : 1;
        *count = k.f > 0 ? gdyn_svd_null(k.svd, Y, ld) : 0;
        gdyn_gemm(0, 0, k.n, *count, k.f, 1, k.N, k.n, Y, ld, 0, F, k.n);
        unscale(&k, *count, F);
    }
    forget(&k);
    return status;
}

/* At an assembled pose of the path. */
static gdyn_status path_demand_at(const gdyn_path *path, const gdyn_state *state, double p,
                                  gdyn_path_demand *demand) {
    kinematics k;
    gdyn_target *target;
    double *X;
    *demand = (gdyn_path_demand){.joint = -1};
    gdyn_status status = ask_path(&k, path, state, p, &target, &X);
    /* how many coordinates can be chosen independently, then which direction is blocked */
    if (status == GDYN_OK) {
        demand->independent = k.svd->rank.rank;
        status = find_demand(&k, path, state, target, X, demand);
    }
    forget(&k);
    return status;
}

/* At the first point that fails, or the one before it where the machine could still be
 * assembled. */
gdyn_status gdyn_path_demand_of(const gdyn_path *path, const gdyn_track *track,
                                gdyn_path_demand *demand) {
    int first = track->first_failure < 0 ? 0 : track->first_failure;
    bool there = track->status[first] != GDYN_POINT_UNASSEMBLED;
    if (first > 0 || there) {
        int i = there ? first : first - 1;
        return path_demand_at(path, track->state[i], track->p[i], demand);
    }
    /* no pose of the path is known: the machine as it is assembled without it */
    const gdyn_model *model = gdyn_state_model(track->state[0]);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (closure && state)
        status = gdyn_closure_solve(closure, state, 0, NULL, NULL, NULL);
    if (status == GDYN_OK)
        status = path_demand_at(path, state, track->p[0], demand);
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    return status;
}

/* --- drives against freedoms ------------------------------------------------------------------ */

gdyn_status gdyn_count_drives(const gdyn_state *state, int *controlled, int *redundancy) {
    const gdyn_model *model = gdyn_state_model(state);
    gdyn_evaluator *evaluator = gdyn_evaluator_create(model);
    gdyn_pose *pose = gdyn_pose_create(model);
    double *still = gdyn_alloc((size_t)gdyn_model_coordinates(model) + 1, sizeof *still);
    gdyn_status status = GDYN_ERROR_MEMORY;
    *controlled = *redundancy = 0;
    gdyn_path_rates rates = {.u_p = still, .u_pp = still};
    if (evaluator && pose && still)
        status = gdyn_evaluator_pose(evaluator, state, &rates, GDYN_REDUCE_NULL, pose);
    if (status == GDYN_OK)
        *redundancy = pose->redundancy, *controlled = pose->drives - pose->redundancy;
    gdyn_free(still);
    gdyn_pose_destroy(pose);
    gdyn_evaluator_destroy(evaluator);
    return status;
}
