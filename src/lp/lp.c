/* lp.c - the GLPK side of lp.h.
 *
 * GLPK reports programmer errors through a hook and then calls abort(). The hook set here leaves by
 * longjmp; GLPK's documentation then requires the environment of the thread to be freed, which
 * invalidates every problem object of that thread. Environments are numbered over all threads: a
 * program whose object lives in another one, or in one that is gone, rebuilds it from its own copy
 * of the data. */
#include "lp/vertex.h"

#include "base/memory.h"

#include <assert.h>
#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

struct gdyn_lp {
    gdyn_arena *arena;
    int max_rows, max_cols, rows, cols;
    double *A;          /* rows x cols, leading dimension max_rows */
    double *low, *high; /* rows + cols: bounds of the rows, then of the columns */
    double *cost;       /* cols */
    double *row_size;   /* rows */
    int *index;         /* 1 + max_rows, 1-based as GLPK wants it */
    double *values;     /* 1 + max_rows */
    glp_prob *problem;
    unsigned environment; /* the environment the object lives in */
    bool stale;           /* matrix changed since the object was built */
    bool warm;            /* the vertex is one of this matrix, found without GLPK */
    double objective;
    gdyn_vertex vertex; /* the answer */
};

/* Programs of so many columns are solved without GLPK: its starts cost more, and it may cycle. */
enum { FEW_COLUMNS = 3 };
/* Iterations per row and column after which GLPK is taken to cycle; vertex.c goes on from there. */
enum { ITERATIONS = 50 };

static atomic_uint environments;
static _Thread_local unsigned own_environment; /* 0: not numbered yet */
static _Thread_local jmp_buf escape;

/* Number of the calling thread's environment. */
static unsigned environment(void) {
    while (own_environment == 0) /* again when the counter comes round to zero */
        own_environment = atomic_fetch_add(&environments, 1) + 1;
    return own_environment;
}

static void leave(void *info) {
    (void)info;
    longjmp(escape, 1);
}

/* GLPK writes nothing. */
static int swallow(void *info, const char *text) {
    (void)info;
    if (strstr(text, "memory")) /* an error like any other to GLPK */
        gdyn_memory_refuse();
    return 1;
}

void gdyn_lp_end_thread(void) {
    glp_free_env();
    own_environment = 0;
}

/* Room for the largest program. */
gdyn_lp *gdyn_lp_create(int max_rows, int max_cols) {
    if (max_rows < 0 || max_cols < 0)
        return NULL;
    size_t m = (size_t)max_rows, n = (size_t)max_cols;
    gdyn_arena *arena;
    gdyn_lp *lp = gdyn_arena_begin(&arena, sizeof *lp);
    if (!lp)
        return NULL;
    lp->arena = arena;
    lp->max_rows = max_rows;
    lp->max_cols = max_cols;
    lp->A = gdyn_arena_doubles(arena, m * n);
    lp->cost = gdyn_arena_doubles(arena, n);
    lp->low = gdyn_arena_doubles(arena, m + n);
    lp->high = gdyn_arena_doubles(arena, m + n);
    lp->row_size = gdyn_arena_doubles(arena, m);
    lp->index = gdyn_arena_alloc(arena, m + 1, sizeof *lp->index);
    lp->values = gdyn_arena_doubles(arena, m + 1);
    gdyn_vertex_create(&lp->vertex, arena, max_rows, max_cols);
    if (!gdyn_arena_failed(arena))
        return lp;
    gdyn_lp_destroy(lp);
    return NULL;
}

/* NULL is allowed. */
void gdyn_lp_destroy(gdyn_lp *lp) {
    if (!lp)
        return;
    gdyn_lp_release(lp);
    gdyn_arena_destroy(lp->arena);
}

/* GLPK's objects die with their environment; one of another thread is left to that. */
void gdyn_lp_release(gdyn_lp *lp) {
    if (lp->problem && lp->environment == environment())
        glp_delete_prob(lp->problem);
    lp->problem = NULL;
}

/* A copy of the matrix; no bounds, no cost. */
gdyn_status gdyn_lp_load(gdyn_lp *lp, int rows, int cols, const double *A, int lda) {
    if (rows < 0 || cols < 0 || rows > lp->max_rows || cols > lp->max_cols)
        return GDYN_ERROR_ARGUMENT;
    lp->rows = rows;
    lp->cols = cols;
    lp->stale = true;
    lp->warm = false;
    for (int j = 0; j < cols; j++) {
        lp->cost[j] = 0;
        for (int i = 0; i < rows; i++) {
            double a = A[(size_t)j * lda + i];
            if (!isfinite(a))
                return GDYN_ERROR_ARGUMENT;
            lp->A[(size_t)j * lp->max_rows + i] = a;
        }
    }
    memset(lp->row_size, 0, (size_t)rows * sizeof *lp->row_size);
    for (int i = 0; i < rows + cols; i++)
        lp->low[i] = -INFINITY, lp->high[i] = INFINITY;
    return GDYN_OK;
}

/* Bounds of a row; infinite: none. */
void gdyn_lp_row(gdyn_lp *lp, int row, double low, double high) {
    assert(row >= 0 && row < lp->rows);
    lp->low[row] = low;
    lp->high[row] = high;
}

void gdyn_lp_row_size(gdyn_lp *lp, int row, double size) {
    assert(row >= 0 && row < lp->rows);
    lp->row_size[row] = size;
}

void gdyn_lp_column(gdyn_lp *lp, int col, double low, double high) {
    assert(col >= 0 && col < lp->cols);
    lp->low[lp->rows + col] = low;
    lp->high[lp->rows + col] = high;
}

void gdyn_lp_objective(gdyn_lp *lp, int col, double coefficient) {
    assert(col >= 0 && col < lp->cols);
    lp->cost[col] = coefficient;
}

/* GLPK's name for a pair of bounds. */
static int bound_type(double low, double high) {
    if (isinf(low))
        return isinf(high) ? GLP_FR : GLP_UP;
    if (isinf(high))
        return GLP_LO;
    return low < high ? GLP_DB : GLP_FX;
}

/* Numbers that no program may have. */
static bool has_nan(const gdyn_lp *lp) {
    bool found = false;
    for (int i = 0; i < lp->rows + lp->cols; i++)
        found |= isnan(lp->low[i]) || isnan(lp->high[i]);
    for (int j = 0; j < lp->cols; j++)
        found |= !isfinite(lp->cost[j]);
    return found;
}

/* Writes the matrix into a new GLPK object. */
static void build(gdyn_lp *lp) {
    if (lp->problem)
        glp_erase_prob(lp->problem);
    else
        lp->problem = glp_create_prob();
    lp->environment = environment();
    if (lp->rows)
        glp_add_rows(lp->problem, lp->rows);
    if (lp->cols)
        glp_add_cols(lp->problem, lp->cols);
    /* columns without their zeros */
    for (int j = 0; j < lp->cols; j++) {
        int count = 0;
        for (int i = 0; i < lp->rows; i++) {
            double a = lp->A[(size_t)j * lp->max_rows + i];
            if (a != 0) {
                lp->index[++count] = i + 1;
                lp->values[count] = a;
            }
        }
        glp_set_mat_col(lp->problem, j + 1, count, lp->index, lp->values);
    }
    glp_std_basis(lp->problem);
    lp->stale = false;
}

/* Bounds and costs, which change from solve to solve. */
static void transfer(gdyn_lp *lp, bool maximize) {
    glp_set_obj_dir(lp->problem, maximize ? GLP_MAX : GLP_MIN);
    const double *low = lp->low, *high = lp->high;
    for (int i = 0; i < lp->rows; i++)
        glp_set_row_bnds(lp->problem, i + 1, bound_type(low[i], high[i]), low[i], high[i]);
    low += lp->rows, high += lp->rows;
    for (int j = 0; j < lp->cols; j++) {
        glp_set_col_bnds(lp->problem, j + 1, bound_type(low[j], high[j]), low[j], high[j]);
        glp_set_obj_coef(lp->problem, j + 1, lp->cost[j]);
    }
}

/* What GLPK claims; it is checked afterwards. */
static gdyn_lp_status outcome_of(glp_prob *problem) {
    if (glp_get_status(problem) == GLP_OPT)
        return GDYN_LP_OPTIMAL;
    if (glp_get_prim_stat(problem) == GLP_NOFEAS)
        return GDYN_LP_INFEASIBLE;
    if (glp_get_status(problem) == GLP_UNBND)
        return GDYN_LP_UNBOUNDED;
    return GDYN_LP_FAILED;
}

/* One run of the simplex method; a basis that GLPK cannot factor is replaced by the standard one.
 */
static gdyn_lp_status simplex(glp_prob *problem, gdyn_lp_method method) {
    glp_smcp settings;
    glp_init_smcp(&settings);
    settings.msg_lev = GLP_MSG_OFF;
    settings.meth = method == GDYN_LP_DUAL ? GLP_DUALP : GLP_PRIMAL;
    settings.tol_bnd = settings.tol_dj = 1e-10;
    settings.it_lim = ITERATIONS * (glp_get_num_rows(problem) + glp_get_num_cols(problem));
    /* the basis may be singular for GLPK's taste: from the standard one again */
    int code = glp_simplex(problem, &settings);
    if (code == GLP_EBADB || code == GLP_ESING || code == GLP_ECOND || code == GLP_EFAIL) {
        glp_std_basis(problem);
        code = glp_simplex(problem, &settings);
    }
    return code == 0 ? outcome_of(problem) : GDYN_LP_FAILED;
}

/* A second opinion from a fresh start before a failure is reported. */
static gdyn_lp_status optimize(glp_prob *problem, gdyn_lp_method method) {
    gdyn_lp_status outcome = simplex(problem, method);
    if (outcome == GDYN_LP_FAILED) {
        glp_std_basis(problem);
        outcome = simplex(problem, GDYN_LP_PRIMAL);
    }
    return outcome;
}

/* --- the answer ------------------------------------------------------------------------------- */

/* A row or column at a bound, free, or in the basis. */
static gdyn_lp_place place_of(int status, double dual) {
    switch (status) {
    case GLP_NL:
        return GDYN_LP_AT_LOW;
    case GLP_NU:
        return GDYN_LP_AT_HIGH;
    case GLP_NS:
        return dual < 0 ? GDYN_LP_AT_HIGH : GDYN_LP_AT_LOW;
    case GLP_NF:
        return GDYN_LP_FREE;
    default:
        return GDYN_LP_BASIC;
    }
}

/* A vertex that is optimal within rounding, from the given place; steps as gdyn_vertex_settle. */
static int settle(gdyn_lp *lp, bool maximize, gdyn_lp_status *outcome) {
    gdyn_program program = {.rows = lp->rows,
                            .cols = lp->cols,
                            .lda = lp->max_rows,
                            .A = lp->A,
                            .low = lp->low,
                            .high = lp->high,
                            .cost = lp->cost,
                            .size = lp->row_size,
                            .maximize = maximize};
    int steps = gdyn_vertex_settle(&lp->vertex, &program, outcome);
    lp->objective = 0;
    for (int j = 0; j < lp->cols; j++)
        lp->objective += lp->cost[j] * gdyn_lp_x(lp, j);
    return steps;
}

/* GLPK's last basis is checked and corrected, also where GLPK calls it optimal. */
static void settle_basis(gdyn_lp *lp, bool maximize, gdyn_lp_status *outcome) {
    for (int i = 0; i < lp->rows; i++)
        lp->vertex.place[i] =
            place_of(glp_get_row_stat(lp->problem, i + 1), glp_get_row_dual(lp->problem, i + 1));
    for (int j = 0; j < lp->cols; j++)
        lp->vertex.place[lp->rows + j] =
            place_of(glp_get_col_stat(lp->problem, j + 1), glp_get_col_dual(lp->problem, j + 1));
    if (settle(lp, maximize, outcome) > 0) {
        /* A corrected basis is where the next solve starts from. */
        static const int status[] = {GLP_BS, GLP_NL, GLP_NU, GLP_NF};
        for (int i = 0; i < lp->rows; i++)
            glp_set_row_stat(lp->problem, i + 1, status[lp->vertex.place[i]]);
        for (int j = 0; j < lp->cols; j++)
            glp_set_col_stat(lp->problem, j + 1, status[lp->vertex.place[lp->rows + j]]);
    }
}

/* Programs with few columns: from vertex to vertex, beginning with that of the last solve. False
 * when the steps ran out. */
static bool solve_directly(gdyn_lp *lp, bool maximize, gdyn_lp_status *outcome) {
    for (int i = 0; i < lp->rows + lp->cols && !lp->warm; i++)
        lp->vertex.place[i] = GDYN_LP_BASIC; /* no vertex: it begins with the columns' bounds */
    lp->warm = settle(lp, maximize, outcome) >= 0;
    return lp->warm;
}

gdyn_status gdyn_lp_solve(gdyn_lp *lp, bool maximize, gdyn_lp_method method,
                          gdyn_lp_status *outcome) {
    *outcome = GDYN_LP_FAILED;
    if (has_nan(lp))
        return GDYN_ERROR_ARGUMENT;
    /* bounds that cross, or an infinity on the wrong side */
    bool found = false;
    for (int i = 0; i < lp->rows + lp->cols; i++)
        found |= lp->low[i] > lp->high[i] || lp->low[i] == INFINITY || lp->high[i] == -INFINITY;
    if (found) {
        *outcome = GDYN_LP_INFEASIBLE;
        return GDYN_OK;
    }
    if (lp->cols <= FEW_COLUMNS && solve_directly(lp, maximize, outcome))
        return GDYN_OK;
    /* Any other function of GLPK would abort when its environment cannot be made; errors leave by
     * longjmp. */
    if (glp_init_env() > 1) {
        gdyn_memory_refuse();
        return GDYN_ERROR_MEMORY;
    }
    if (setjmp(escape)) {
        /* After an error inside GLPK: all objects of this thread are void. */
        gdyn_lp_end_thread();
        lp->problem = NULL;
        return GDYN_ERROR_NUMERIC;
    }
    glp_error_hook(leave, NULL);
    glp_term_hook(swallow, NULL);
    /* a new matrix, or a new environment: built anew */
    if (!lp->problem || lp->environment != environment() || lp->stale) {
        if (lp->environment != environment())
            lp->problem = NULL;
        build(lp);
    }
    /* bounds and costs, GLPK's simplex, the check */
    transfer(lp, maximize);
    *outcome = optimize(lp->problem, method);
    settle_basis(lp, maximize, outcome);
    glp_error_hook(NULL, NULL);
    glp_term_hook(NULL, NULL);
    return *outcome == GDYN_LP_FAILED ? GDYN_ERROR_NUMERIC : GDYN_OK;
}

double gdyn_lp_value(const gdyn_lp *lp) {
    return lp->objective;
}

double gdyn_lp_x(const gdyn_lp *lp, int col) {
    assert(col >= 0 && col < lp->cols);
    return lp->vertex.value[lp->rows + col];
}

double gdyn_lp_row_dual(const gdyn_lp *lp, int row) {
    assert(row >= 0 && row < lp->rows);
    return lp->vertex.dual[row];
}

gdyn_lp_place gdyn_lp_row_place(const gdyn_lp *lp, int row) {
    assert(row >= 0 && row < lp->rows);
    return lp->vertex.place[row];
}

int gdyn_lp_active(const gdyn_lp *lp, int n) {
    assert(n >= 0 && n < lp->cols);
    return lp->vertex.active[n];
}

double gdyn_lp_influence(const gdyn_lp *lp, int row, int n) {
    return gdyn_vertex_influence(&lp->vertex, lp->cols, row, n);
}

/* --- proof of infeasibility ----------------------------------------------------------------------
 *
 *   minimize sum(p + q)  subject to  row_low <= A x + p - q <= row_high,  p, q >= 0
 *
 * has a solution whenever the bounds do not cross. Its optimum is positive exactly when the rows
 * cannot be met; its row duals u with v = -A^T u are then the multipliers of Farkas' lemma. */

/* Largest value of u s over low <= s <= high; a zero multiplier never meets an infinite bound. */
static double largest(double u, double low, double high) {
    return u > 0 ? u * high : u < 0 ? u * low : 0;
}

/* Bounds that cross are their own proof: no multipliers are needed. */
static bool farkas_crossed(const gdyn_lp *lp, double *gap) {
    for (int i = 0; i < lp->rows + lp->cols; i++)
        if (lp->low[i] > lp->high[i]) {
            *gap = lp->low[i] - lp->high[i];
            return true;
        }
    return false;
}

/* The program of least violation: its duals are Farkas' multipliers. */
static gdyn_status elastic_load(const gdyn_lp *lp, gdyn_lp *elastic, double *A) {
    int m = lp->rows, n = lp->cols;
    for (int j = 0; j < n; j++)
        memcpy(A + (size_t)j * m, lp->A + (size_t)j * lp->max_rows, (size_t)m * sizeof(double));
    /* two slacks per row, above and below, each of cost one */
    for (int i = 0; i < m; i++) {
        A[(size_t)(n + i) * m + i] = 1;
        A[(size_t)(n + m + i) * m + i] = -1;
    }
    gdyn_status status = gdyn_lp_load(elastic, m, n + 2 * m, A, m);
    /* bounds of the program itself */
    for (int i = 0; i < m; i++)
        gdyn_lp_row(elastic, i, lp->low[i], lp->high[i]);
    for (int j = 0; j < n; j++)
        gdyn_lp_column(elastic, j, lp->low[m + j], lp->high[m + j]);
    for (int j = n; j < n + 2 * m; j++) {
        gdyn_lp_column(elastic, j, 0, INFINITY);
        gdyn_lp_objective(elastic, j, 1);
    }
    return status;
}

/* Multipliers y, z with y^T A + z^T = 0 and a positive gap: proof that nothing is feasible. */
gdyn_status gdyn_lp_farkas(gdyn_lp *lp, double *row, double *col, double *gap) {
    int m = lp->rows, n = lp->cols;
    *gap = 0;
    if (has_nan(lp))
        return GDYN_ERROR_ARGUMENT;
    memset(row, 0, (size_t)m * sizeof *row);
    memset(col, 0, (size_t)n * sizeof *col);
    if (farkas_crossed(lp, gap))
        return GDYN_OK;
    gdyn_lp *elastic = gdyn_lp_create(m, n + 2 * m);
    double *A = gdyn_alloc((size_t)m * (n + 2 * (size_t)m), sizeof *A);
    gdyn_status status = elastic && A ? elastic_load(lp, elastic, A) : GDYN_ERROR_MEMORY;
    /* least violation, and its duals */
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    if (status == GDYN_OK)
        status = gdyn_lp_solve(elastic, false, GDYN_LP_PRIMAL, &outcome);
    if (status == GDYN_OK && outcome == GDYN_LP_OPTIMAL) {
        /* Multipliers from the duals of the elastic problem, and what the bounds make of them. */
        double most = 0;
        /* multipliers of the rows without rounding, those of the bounds from A^T y + z = 0 */
        for (int i = 0; i < lp->rows; i++) {
            row[i] = -gdyn_lp_row_dual(elastic, i);
            if (fabs(row[i]) < 1e-12)
                row[i] = 0;
            most += largest(row[i], lp->low[i], lp->high[i]);
        }
        for (int j = 0; j < lp->cols; j++) {
            double sum = 0, size = 0;
            for (int i = 0; i < lp->rows; i++) {
                double term = row[i] * lp->A[(size_t)j * lp->max_rows + i];
                sum += term;
                size += fabs(term);
            }
            col[j] = fabs(sum) <= 1e-12 * size ? 0 : -sum;
            most += largest(col[j], lp->low[m + j], lp->high[m + j]);
        }
        *gap = -most;
    }
    gdyn_lp_destroy(elastic);
    gdyn_free(A);
    return status;
}
