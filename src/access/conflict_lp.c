/* conflict_lp.c - pieces of the opening amount without elementary vectors.
 *
 *   min s >= 0  subject to  low - weight s <= d z + V y + load(t) <= high + weight s
 *
 * At an optimum s is a combination of the bounds with fixed multipliers, hence a quadratic in t and
 * a lower bound of the amount at every t: the piece. Where limits that are not relaxed exclude each
 * other, Farkas' multipliers make the same kind of combination, which must not be positive. */
#include "access/projection.h"

#include "base/memory.h"

/* Share of the greatest multiplier that is rounding of the linear program. */
static const double NO_MULTIPLIER = 1e-9;

/* GLPK's idea of zero. */
#define EDGE 1e-10

static int rows(const gdyn_conflict *c) {
    return 2 * c->access->problem.k;
}

static int columns(const gdyn_conflict *c) {
    return c->access->problem.r + 2;
}

/* Room for one program in (s, z, y). */
gdyn_status gdyn_conflict_open_lp(gdyn_conflict *c) {
    size_t m = (size_t)rows(c), n = (size_t)columns(c);
    c->lp = gdyn_lp_create((int)m, (int)n);
    c->numbers = gdyn_alloc(m * n + m + n, sizeof(double));
    return c->lp && c->numbers ? GDYN_OK : GDYN_ERROR_MEMORY;
}

void gdyn_conflict_close_lp(gdyn_conflict *c) {
    gdyn_lp_destroy(c->lp);
    gdyn_free(c->numbers);
}

/* Limit minus load of a program's row: the low sides first, then the high ones. */
static gdyn_quadratic bound(const gdyn_conflict *c, int i) {
    const gdyn_problem *p = &c->access->problem;
    return gdyn_row_gap(&p->row[i % p->k], i >= p->k);
}

/* All limits are also relaxed by `slack`. */
static gdyn_status load(gdyn_conflict *c, double t, double slack) {
    const gdyn_problem *p = &c->access->problem;
    int m = rows(c), n = columns(c);
    /* columns: the amount s, z, then y; lower sides first, then upper ones */
    for (int i = 0; i < m; i++) {
        int row = i % p->k;
        bool high = i >= p->k;
        c->numbers[i] = (high ? -1 : 1) * c->weight[2 * row + high];
        c->numbers[m + i] = p->row[row].d;
        for (int j = 0; j < p->r; j++)
            c->numbers[(j + 2) * m + i] = p->V[row * p->r + j];
    }
    gdyn_status status = gdyn_lp_load(c->lp, m, n, c->numbers, m);
    /* right-hand sides at t, wider by the slack; the least amount is sought */
    for (int i = 0; i < m && status == GDYN_OK; i++) {
        double value = gdyn_quadratic_at(bound(c, i), t);
        bool high = i >= p->k;
        /* low_i - s weight - slack <= load, load <= high_i + s weight + slack */
        gdyn_lp_row(c->lp, i, high ? -INFINITY : value - slack, high ? value + slack : INFINITY);
    }
    /* the amount s is not negative */
    gdyn_lp_column(c->lp, 0, 0, INFINITY);
    gdyn_lp_objective(c->lp, 0, 1);
    return status;
}

/* The combination of bounds with these multipliers, and the limits in it. */
static void combine(const gdyn_conflict *c, const double *multiplier, double sign,
                    gdyn_piece *best) {
    const gdyn_problem *p = &c->access->problem;
    double most = 0;
    best->q = (gdyn_quadratic){0, 0, 0};
    best->count = 0;
    for (int i = 0; i < rows(c); i++)
        most = fmax(most, fabs(multiplier[i]));
    /* the sum of the bounds with their multipliers, and the limits named */
    for (int i = 0; i < rows(c); i++) {
        double w = sign * multiplier[i];
        int source = p->row[i % p->k].source;
        if (fabs(w) <= NO_MULTIPLIER * most)
            continue;
        best->q = gdyn_quadratic_add(best->q, w, bound(c, i));
        gdyn_limit_add(best->limit, &best->count, 2 * GDYN_ACTIVE_MAX,
                       gdyn_limit_of_source(source, i >= p->k));
    }
}

/* Solved by the dual method: the next t changes right-hand sides only. */
static gdyn_lp_status solve(gdyn_conflict *c, double t, double slack) {
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    c->status = load(c, t, slack);
    if (c->status == GDYN_OK)
        c->status = gdyn_lp_solve(c->lp, false, GDYN_LP_DUAL, &outcome);
    return outcome;
}

/* The piece that is greatest at t: from the duals the linear bound of the amount, from a Farkas
 * certificate a hard one. */
double gdyn_conflict_ask_lp(gdyn_conflict *c, double t, gdyn_piece *best) {
    int m = rows(c);
    double *multiplier = c->numbers, gap;
    gdyn_lp_status outcome = solve(c, t, 0);
    /* no amount opens the region at t: multipliers that sum to a contradiction */
    if (outcome == GDYN_LP_INFEASIBLE) {
        c->status = gdyn_lp_farkas(c->lp, multiplier, multiplier + m, &gap);
        if (c->status == GDYN_OK && gap > 10 * EDGE) {
            combine(c, multiplier, -1, best);
            best->hard = true;
            return INFINITY;
        }
        outcome = solve(c, t, 100 * EDGE); /* t is the edge of a hard piece */
    }
    if (outcome != GDYN_LP_OPTIMAL)
        return 0;
    /* optimal multipliers bound the amount at all t, not at this one alone */
    for (int i = 0; i < m; i++)
        multiplier[i] = gdyn_lp_row_dual(c->lp, i);
    combine(c, multiplier, 1, best);
    best->hard = false;
    return gdyn_quadratic_at(best->q, t);
}
