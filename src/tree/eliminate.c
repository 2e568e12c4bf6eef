/* eliminate.c - the closing conditions, leg by leg, then what is left of all legs together.
 *
 * With q_i the coordinates of leg i, h those of the hubs, elimination on the leg's columns gives
 *
 *   L_i q_i + P_i h = b_i    ->    q_p + W [q_s; h] = X b_i,    S [q_s; h] = Y b_i
 *
 * where q_s are the coordinates that the leg's conditions do not determine (a crank, a leg at its
 * dead centre: pivots below DELAYED times the leg's first wait for the rest of the machine) and S
 * the conditions that bind the rest only. All S, the targets and the rows of the hubs are
 * eliminated together afterwards. The rank is that of all conditions: an open tree's rows are
 * independent. What counts as zero is relative to the rows on u, before anything cancels: the
 * second hinge of a door leaves rounding only. Both stages are sparse (sparse.c): a leg may hold
 * hundreds of bodies in closed loops, and a machine without hubs is one leg. Whether pivots that
 * were chosen for their sparsity have enlarged rounding is seen from a system with a known
 * solution; where they have, rook pivots follow. */
#include "tree/internal.h"

#include <math.h>
#include <string.h>

/* A leg's pivots below this share of its first one are left to the rest: entries of W stay below
 * its inverse, so that elimination loses at most three digits. */
static const double DELAYED = 1e-3;
/* Clear decisions: pivots kept, entries dropped, relative to the largest pivot. Rounding leaves
 * about 1e-13. */
static const double CLEAR_KEPT = 1e-4, CLEAR_DROPPED = 1e-11;

/* Error of a known solution from which on rounding has grown: it comes back in velocities, which
 * count as clear with misfits below 1e-10, and in steps of Newton's method, which have to reach
 * 1e-12. */
static const double GROWN = 1e-11;

/* --- memory ---------------------------------------------------------------------------------- */

gdyn_tree_pose *gdyn_tree_pose_create(const gdyn_tree *tree, int max_targets) {
    gdyn_arena *arena;
    gdyn_tree_pose *pose = gdyn_arena_begin(&arena, sizeof *pose);
    if (!pose)
        return NULL;
    size_t columns = (size_t)tree->coordinates + 1, bodies = (size_t)tree->bodies + 1;
    size_t rows = (size_t)(tree->closing + max_targets) + 1;
    *pose = (gdyn_tree_pose){.tree = tree, .max_targets = max_targets, .arena = arena};
    pose->S = gdyn_arena_doubles(arena, 6 * columns);
    pose->axis = gdyn_arena_doubles(arena, 3 * columns);
    pose->arm = gdyn_arena_doubles(arena, 3 * columns);
    pose->reach = gdyn_arena_doubles(arena, 3 * bodies);
    pose->wrench = gdyn_arena_doubles(arena, 6 * bodies);
    pose->turned = gdyn_arena_doubles(arena, 9 * bodies);
    pose->scale = gdyn_arena_doubles(arena, columns);
    pose->row_scale = gdyn_arena_doubles(arena, rows);
    pose->x = gdyn_arena_doubles(arena, columns);
    pose->rate = gdyn_arena_doubles(arena, columns);
    pose->acceleration = gdyn_arena_doubles(arena, columns);
    pose->next = gdyn_arena_doubles(arena, rows);
    pose->u = gdyn_arena_doubles(arena, (size_t)tree->n + 1);
    pose->given = gdyn_arena_doubles(arena, rows);
    pose->row = gdyn_arena_alloc(arena, rows, sizeof *pose->row);
    pose->jacobian = gdyn_arena_alloc(arena, rows, sizeof *pose->jacobian);
    pose->all = gdyn_arena_alloc(arena, rows, sizeof *pose->all);
    pose->order_of = gdyn_arena_alloc(arena, rows, sizeof *pose->order_of);
    pose->only = gdyn_arena_alloc(arena, rows, sizeof *pose->only);
    pose->hubs_only = gdyn_arena_alloc(arena, rows, sizeof *pose->hubs_only);
    pose->hub_column = gdyn_arena_alloc(arena, columns, sizeof *pose->hub_column);
    pose->seen = gdyn_arena_alloc(arena, columns, sizeof *pose->seen);
    pose->leg_step = gdyn_arena_alloc(arena, (size_t)tree->legs + 1, sizeof(int));
    if (!gdyn_sparse_create(arena, &pose->table, (int)rows - 1, tree->coordinates)) {
        gdyn_arena_destroy(arena);
        return NULL;
    }
    /* units: lengths are counted in L, angles in rad */
    double L = tree->model->length;
    for (int c = 0; c < tree->coordinates; c++)
        pose->scale[c] = tree->screw[c].turns ? 1 : L;
    for (int i = 0; i < tree->hub_columns; i++)
        pose->hub_column[tree->hub_column[i]] = true;
    for (int i = 0; i < tree->closing + max_targets; i++)
        pose->all[i] = i;
    for (int i = 0; i < tree->closing; i++) {
        pose->row_scale[i] = tree->model->row[tree->row[i]].length ? 1 / L : 1;
        pose->hubs_only[i] = tree->row_leg[i] == GDYN_TREE_HUBS;
    }
    return pose;
}

void gdyn_tree_pose_destroy(gdyn_tree_pose *pose) {
    if (pose)
        gdyn_arena_destroy(pose->arena);
}

/* --- elimination ----------------------------------------------------------------------------- */

/* A row's derivative and its natural size; false: not finite. */
static bool load_row(gdyn_tree_pose *pose, int index, const gdyn_row *row, double *greatest) {
    gdyn_row_jacobian *jacobian = &pose->jacobian[index];
    double sum = 0;
    pose->row[index] = row;
    gdyn_row_derivative(pose->state, row, jacobian);
    /* its largest entry, scaled: the size of a condition before anything cancels */
    double L = pose->tree->model->length;
    double length = 0, angle = 0;
    for (int i = 0; i < jacobian->count; i++)
        for (int j = 0; j < 3; j++) {
            double force = fabs(jacobian->J[i][j]), moment = fabs(jacobian->J[i][j + 3]);
            length = force > length ? force : length;
            angle = moment > angle ? moment : angle;
        }
    double size = pose->row_scale[index] * (L * length > angle ? L * length : angle);
    *greatest = size > *greatest ? size : *greatest;
    for (int i = 0; i < jacobian->count; i++)
        for (int j = 0; j < 6; j++)
            sum += jacobian->J[i][j];
    return isfinite(sum);
}

/* Eliminates the loaded rows, all of them or those marked in pose->only; returns the largest entry
 * left. */
static double run(gdyn_tree_pose *pose, bool all, double floor, gdyn_sparse_sizes *sizes) {
    const gdyn_tree *tree = pose->tree;
    int rows = tree->closing + pose->targets;
    /* the conditions in joint coordinates */
    gdyn_sparse_clear(&pose->table, rows);
    for (int i = 0; i < rows; i++)
        if (all || pose->only[i])
            gdyn_tree_sparse_row(pose, pose->row[i], &pose->jacobian[i], pose->row_scale[i],
                                 pose->scale, &pose->table, i);
    /* each leg by itself */
    for (int l = 0; l < tree->legs; l++) {
        pose->leg_step[l] = pose->table.steps;
        gdyn_sparse_stage(&pose->table, tree->leg[l].rows, tree->leg[l].row, pose->hub_column,
                          DELAYED, DELAYED, sizes);
    }
    /* what is left of all together */
    pose->leg_step[tree->legs] = pose->table.steps;
    return gdyn_sparse_stage(&pose->table, rows, pose->all, NULL, 0, floor, sizes);
}

/* A known y: numbers between -1 and 1 that neighbours do not share. */
static double known(int coordinate) {
    return (coordinate * 29 % 64 - 31.5) / 32;
}

/* Error of the solution x of K x = K y. */
static double trial_error(gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    double worst = 0;
    for (int c = 0; c < tree->coordinates; c++)
        pose->x[c] = pose->scale[c] * known(c);
    gdyn_tree_velocities(pose, pose->x, pose->u);
    for (int i = 0; i < tree->closing + pose->targets; i++)
        pose->given[i] =
            pose->row_scale[i] * gdyn_row_speed(pose->state, &pose->jacobian[i], pose->u);
    /* free coordinates are given */
    for (int c = 0; c < tree->coordinates; c++)
        pose->x[c] = known(c);
    gdyn_sparse_solve(&pose->table, pose->given, pose->x);
    for (int c = 0; c < tree->coordinates; c++)
        worst = fmax(worst, fabs(pose->x[c] - known(c)));
    return worst;
}

gdyn_status gdyn_tree_eliminate(gdyn_tree_pose *pose, int targets, const gdyn_row *const *target,
                                gdyn_tree_rank *rank) {
    const gdyn_tree *tree = pose->tree;
    gdyn_sparse_sizes sizes = {.smallest = INFINITY};
    bool finite = true;
    *rank = (gdyn_tree_rank){0};
    pose->targets = targets;
    /* the conditions and the targets at this pose */
    for (int i = 0; i < tree->closing; i++)
        finite = load_row(pose, i, &tree->model->row[tree->row[i]], &sizes.greatest) && finite;
    for (int i = 0; i < targets; i++) {
        pose->row_scale[tree->closing + i] = target[i]->length ? 1 / tree->model->length : 1;
        pose->hubs_only[tree->closing + i] = gdyn_tree_leg_of(tree, target[i]) == GDYN_TREE_HUBS;
        finite = load_row(pose, tree->closing + i, target[i], &sizes.greatest) && finite;
    }
    if (!finite)
        return GDYN_ERROR_NUMERIC;
    /* with rook pivots where sparse ones let rounding grow */
    gdyn_sparse_sizes before = sizes;
    pose->table.rook = false;
    double left = run(pose, true, GDYN_RANK_TOLERANCE, &sizes);
    if (pose->table.by_fill && trial_error(pose) > GROWN) {
        pose->table.rook = true;
        sizes = before;
        left = run(pose, true, GDYN_RANK_TOLERANCE, &sizes);
    }
    /* freedoms, and how clear the decisions were */
    rank->rank = pose->table.steps;
    rank->freedom = tree->coordinates - rank->rank;
    rank->least = rank->rank ? sizes.smallest / sizes.greatest : 1;
    rank->left = sizes.greatest > 0 ? left / sizes.greatest : 0;
    rank->clear = rank->least >= CLEAR_KEPT && rank->left <= CLEAR_DROPPED;
    return GDYN_OK;
}

void gdyn_tree_eliminate_rows(gdyn_tree_pose *pose, bool all) {
    gdyn_sparse_sizes sizes = {.smallest = INFINITY};
    run(pose, all, all ? GDYN_RANK_TOLERANCE : 0, &sizes);
}

gdyn_rank gdyn_tree_rank_of(const gdyn_tree *tree, const gdyn_tree_rank *found) {
    return (gdyn_rank){.rank = tree->n - found->freedom,
                       .greatest = 1,
                       .above = found->least,
                       .below = found->left,
                       .gap = found->left > 0 ? found->least / found->left : INFINITY,
                       .tolerance = GDYN_RANK_TOLERANCE};
}

/* --- solutions ------------------------------------------------------------------------------- */

void gdyn_tree_solve(gdyn_tree_pose *pose, const double *b, double *qdot) {
    const gdyn_tree *tree = pose->tree;
    /* scaled right-hand sides; free coordinates stay zero */
    for (int i = 0; i < tree->closing + pose->targets; i++)
        pose->given[i] = b[i] * pose->row_scale[i];
    memset(pose->x, 0, (size_t)tree->coordinates * sizeof *pose->x);
    gdyn_sparse_solve(&pose->table, pose->given, pose->x);
    for (int c = 0; c < tree->coordinates; c++)
        qdot[c] = pose->scale[c] * pose->x[c];
}

static void solve_transposed(gdyn_tree_pose *pose, bool sizes, double *tau, double *lambda) {
    const gdyn_tree *tree = pose->tree;
    /* forces on scaled coordinates, multipliers of scaled rows */
    for (int c = 0; c < tree->coordinates; c++)
        tau[c] *= pose->scale[c];
    gdyn_sparse_solve_transposed(&pose->table, sizes, tau, lambda);
    for (int i = 0; i < tree->closing + pose->targets; i++)
        lambda[i] *= pose->row_scale[i];
}

void gdyn_tree_solve_transposed(gdyn_tree_pose *pose, double *tau, double *lambda) {
    solve_transposed(pose, false, tau, lambda);
}

void gdyn_tree_bound_transposed(gdyn_tree_pose *pose, double *tau, double *lambda) {
    solve_transposed(pose, true, tau, lambda);
}

/* The motion of the free coordinate f alone, in pose->x (rates of scaled coordinates). */
static void free_motion(gdyn_tree_pose *pose, int f) {
    memset(pose->x, 0, (size_t)pose->tree->coordinates * sizeof *pose->x);
    pose->x[f] = 1;
    gdyn_sparse_solve(&pose->table, NULL, pose->x);
}

void gdyn_tree_free(gdyn_tree_pose *pose, int *coordinate, double *K) {
    const gdyn_tree *tree = pose->tree;
    int count = 0;
    for (int c = 0; c < tree->coordinates; c++) {
        if (pose->table.row_of[c] >= 0)
            continue;
        /* one column for each coordinate that is nobody's pivot, in unscaled rates */
        double *column = K + (size_t)tree->coordinates * (size_t)count;
        coordinate[count++] = c;
        free_motion(pose, c);
        for (int i = 0; i < tree->coordinates; i++)
            column[i] = pose->x[i] * (pose->scale[i] / pose->scale[c]);
    }
}

void gdyn_tree_null(gdyn_tree_pose *pose, double *N) {
    const gdyn_tree *tree = pose->tree;
    int count = 0;
    for (int f = 0; f < tree->coordinates; f++) {
        if (pose->table.row_of[f] >= 0)
            continue;
        /* velocities of the free motion, unscaled */
        free_motion(pose, f);
        for (int c = 0; c < tree->coordinates; c++)
            pose->x[c] *= pose->scale[c];
        gdyn_tree_velocities(pose, pose->x, N + (size_t)tree->n * (size_t)count++);
    }
}
