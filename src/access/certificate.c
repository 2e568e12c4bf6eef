/* certificate.c - why a region is empty, and the smallest relaxation that opens it.
 *
 * Relax every named limit by s times a magnitude. An inequality of the projection then moves by s e
 * with e = sum |w_i| magnitude_i, and a fixed t is reachable as soon as
 *
 *   s >= F(t) = max over pairs (l_j - u_i)(t) / (e_i + e_j) and over conditions -q(t) / e.
 *
 * Inequalities with e = 0 are not relaxed and must hold. The amount is the smallest F over the
 * domain. All pieces of F are quadratics in t, so an exchange method is exact: minimize over the
 * few pieces met so far (ends, vertices, crossings), ask for the piece that is largest at that t,
 * add it, repeat. Pieces that the minimum does not need are dropped; the limits behind the rest
 * exclude each other (one row: r + 1 limits, an empty slice: two rows, an empty region without B:
 * three, by Helly's theorem). */
#include "access/projection.h"

#include "base/memory.h"

#include <string.h>

/* Natural units of d1: beyond, loads of 10^8 limits face each other and nothing opens. */
static const double FARTHEST = 1e4;

enum { PIECES = 48 };

/* What a conflict of limits asks for, as a function of t. */
typedef struct piece {
    gdyn_quadratic q; /* soft: amount needed at t; hard: must not be positive */
    bool hard;
    int count; /* limits in conflict */
    gdyn_limit limit[2 * GDYN_ACTIVE_MAX];
} piece;

typedef struct conflict {
    gdyn_access *access;
    /* 2 x rows of the problem: how far a limit is relaxed per unit; 0: not at all */
    double *weight;
    double speed;                 /* the same for d1_high */
    double *up, *low, *condition; /* how far the projected inequalities are relaxed */
    double from, to;              /* domain of t */
    int count;
    piece piece[PIECES];
    double t, amount; /* the minimum over t of the largest piece */
    gdyn_lp *lp;      /* when there are too many elementary vectors: pieces by linear programs */
    double *numbers;  /* its scratch */
    gdyn_status status;
} conflict;

/* --- pieces by linear programs --------------------------------------------------------------- */

/* Pieces of the opening amount without elementary vectors.
 *
 *   min s >= 0  subject to  low - weight s <= d z + V y + load_lp(t) <= high + weight s
 *
 * At an optimum s is a combination of the bounds with fixed multipliers, hence a quadratic in t and
 * a lower bound of the amount at every t: the piece. Where limits that are not relaxed exclude each
 * other, Farkas' multipliers make the same kind of combination, which must not be positive. */

/* Share of the largest multiplier that is rounding of the linear program. */
static const double NO_MULTIPLIER = 1e-9;

/* GLPK's idea of zero. */
#define EDGE 1e-10

static int rows(const conflict *c) {
    return 2 * c->access->problem.k;
}

static int columns(const conflict *c) {
    return c->access->problem.r + 2;
}

/* Limit minus load of a program's row: the low sides first, then the high ones. */
static gdyn_quadratic bound(const conflict *c, int i) {
    const gdyn_problem *p = &c->access->problem;
    return gdyn_row_gap(&p->row[i % p->k], i >= p->k);
}

/* All limits are also relaxed by `slack`. */
static gdyn_status load_lp(conflict *c, double t, double slack) {
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
    /* right-hand sides at t, wider by the slack; the smallest amount is sought */
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
static void combine(const conflict *c, const double *multiplier, double sign, piece *best) {
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
static gdyn_lp_status solve_lp(conflict *c, double t, double slack) {
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    c->status = load_lp(c, t, slack);
    if (c->status == GDYN_OK)
        c->status = gdyn_lp_solve(c->lp, false, GDYN_LP_DUAL, &outcome);
    return outcome;
}

/* The piece that is largest at t: from the duals the linear bound of the amount, from a Farkas
 * certificate a hard one. */
static double ask_lp(conflict *c, double t, piece *best) {
    int m = rows(c);
    double *multiplier = c->numbers, gap;
    gdyn_lp_status outcome = solve_lp(c, t, 0);
    /* no amount opens the region at t: multipliers that sum to a contradiction */
    if (outcome == GDYN_LP_INFEASIBLE) {
        c->status = gdyn_lp_farkas(c->lp, multiplier, multiplier + m, &gap);
        if (c->status == GDYN_OK && gap > 10 * EDGE) {
            combine(c, multiplier, -1, best);
            best->hard = true;
            return INFINITY;
        }
        outcome = solve_lp(c, t, 100 * EDGE); /* t is the edge of a hard piece */
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

/* --- eases ------------------------------------------------------------------------------------ */

/* e of one inequality before division by |w^T D|. */
static double circuit_ease(const conflict *s, const gdyn_source *source) {
    const gdyn_circuit *circuit = &s->access->projected.circuit[source->index];
    double sign = source->origin == GDYN_FROM_CIRCUIT_HIGH ? 1 : -1, sum = 0;
    for (int i = 0; i < circuit->count; i++)
        sum += fabs(circuit->w[i]) * s->weight[2 * circuit->row[i] + (circuit->w[i] * sign > 0)];
    return sum;
}

static void curve_eases(const conflict *s, const gdyn_curves *curves, double *ease) {
    for (int j = 0; j < curves->count; j++) {
        /* delta = w^T D: the circuit's weight of d2 */
        const gdyn_circuit *circuit = &s->access->projected.circuit[curves->source[j].index];
        double delta = 0;
        for (int i = 0; i < circuit->count; i++)
            delta += circuit->w[i] * s->access->problem.row[circuit->row[i]].d;
        ease[j] = circuit_ease(s, &curves->source[j]) / fabs(delta);
    }
}

/* Eases of all curves and conditions for the present weights of the limits. */
static void prepare(conflict *s) {
    const gdyn_projected *p = &s->access->projected;
    s->count = 0;
    if (s->lp)
        return;
    curve_eases(s, &p->upper, s->up);
    curve_eases(s, &p->lower, s->low);
    /* conditions on d1 alone ease with their rows, or with their circuit */
    for (int j = 0; j < p->conditions; j++) {
        const gdyn_source *source = &p->condition[j].source;
        s->condition[j] = source->origin == GDYN_FROM_ROW
                              ? s->weight[2 * source->index] + s->weight[2 * source->index + 1]
                              : circuit_ease(s, source);
    }
}

/* --- the piece that is largest at one t ------------------------------------------------------- */

/* A piece with the limits behind one or two inequalities. */
static void make_piece(const conflict *s, gdyn_quadratic q, bool hard, const gdyn_source *source,
                       int sources, piece *out) {
    out->q = q, out->hard = hard, out->count = 0;
    /* every inequality names the limits that it is a sum of */
    for (int n = 0; n < sources; n++) {
        gdyn_closing closing = {0};
        gdyn_source_limits(s->access, source[n], &closing);
        for (int i = 0; i < closing.count; i++)
            gdyn_limit_add(out->limit, &out->count, 2 * GDYN_ACTIVE_MAX, closing.limit[i]);
    }
}

/* Offers -q(t) <= e s as the largest piece so far. A hard one that is violated wins at once. */
static bool offer(const conflict *s, gdyn_quadratic q, double ease, double size, double t,
                  gdyn_source source, double *amount, piece *best) {
    /* how much the inequality is violated at t */
    double lack = -gdyn_quadratic_at(q, t);
    /* nothing eases it: violated, it decides alone */
    if (ease == 0) {
        if (lack <= GDYN_ACCESS_ZERO * (size + gdyn_quadratic_size(q, t)))
            return false;
        make_piece(s, gdyn_quadratic_times(-1, q), true, &source, 1, best);
        return true;
    }
    /* the smallest amount that satisfies it here: lack / ease */
    if (lack / ease > *amount) {
        *amount = lack / ease;
        make_piece(s, gdyn_quadratic_times(-1 / ease, q), false, &source, 1, best);
    }
    return false;
}

/* The drives' speed limit as the condition t_high - t >= 0. */
static bool offer_speed(const conflict *s, double t, double *amount, piece *best) {
    double t_high = s->access->problem.t_high;
    return isfinite(t_high) && offer(s, (gdyn_quadratic){0, -1, t_high}, s->speed, 1, t,
                                     (gdyn_source){GDYN_FROM_D1_HIGH, 0}, amount, best);
}

/* Tightest bound of a family at t when limits are relaxed by `amount`; both families are "the
 * smallest of". Equalities belong to both (sign -1: lower). */
typedef struct tight {
    double value, ease, size;
    gdyn_quadratic q;
    gdyn_source source;
} tight;

static tight tightest(const conflict *s, bool upper, double t, double amount) {
    const gdyn_projected *p = &s->access->projected;
    const gdyn_curves *curves = upper ? &p->upper : &p->lower;
    const double *ease = upper ? s->up : s->low, sign = upper ? 1 : -1;
    tight best = {.value = INFINITY};
    /* curves, moved outward by amount times ease */
    for (int j = 0; j < curves->count; j++) {
        double value = (curves->a[j] * t + curves->b[j]) * t + curves->c[j] + amount * ease[j];
        if (value < best.value)
            best = (tight){value,
                           ease[j],
                           curves->size[j],
                           {curves->a[j], curves->b[j], curves->c[j]},
                           curves->source[j]};
    }
    /* equalities do not ease */
    for (int j = 0; j < p->equal_curves; j++) {
        gdyn_quadratic q = gdyn_quadratic_times(sign, p->equal[j].q);
        if (gdyn_quadratic_at(q, t) < best.value)
            best = (tight){gdyn_quadratic_at(q, t), 0, p->equal[j].size, q, p->equal[j].source};
    }
    return best;
}

/* Largest piece at t: the amount needed there, INFINITY when something hard is violated. Newton's
 * method on the amount: each step takes the pair that is tightest at the present amount. */
static double greatest_projected(const conflict *s, double t, piece *best) {
    double amount = 0;
    /* conditions on d1 alone: the first hard one that is violated ends the search */
    const gdyn_projected *p = &s->access->projected;
    for (int j = 0; j < p->conditions; j++)
        if (offer(s, p->condition[j].q, s->condition[j], p->condition[j].size, t,
                  p->condition[j].source, &amount, best))
            return INFINITY;
    if (offer_speed(s, t, &amount, best))
        return INFINITY;
    /* a step per tightest pair; amounts rise, and there are finitely many pairs */
    for (int step = 0; step < 60; step++) {
        tight u = tightest(s, true, t, amount), l = tightest(s, false, t, amount);
        double lack = -u.value - l.value, ease = u.ease + l.ease;
        /* the upper bound is not below the lower one, but for rounding: the amount is enough */
        double noise = GDYN_ACCESS_ZERO * (u.size + l.size + gdyn_quadratic_size(u.q, t) +
                                           gdyn_quadratic_size(l.q, t));
        if (!(lack > noise))
            break;
        /* the sum of both, upper below lower, as a condition on t */
        gdyn_quadratic sum = {-u.q.a - l.q.a, -u.q.b - l.q.b, -u.q.c - l.q.c};
        make_piece(s, ease > 0 ? gdyn_quadratic_times(1 / ease, sum) : sum, ease == 0,
                   (gdyn_source[]){u.source, l.source}, 2, best);
        /* hard: no relaxation opens it */
        if (ease == 0)
            return INFINITY;
        /* Newton's step; no progress means rounding */
        double next = gdyn_quadratic_at(best->q, t);
        if (!(next > amount))
            break;
        amount = next;
    }
    return amount;
}

/* The same when linear programs take the place of the projected inequalities. */
static double greatest(conflict *s, double t, piece *best) {
    if (!s->lp)
        return greatest_projected(s, t, best);
    double amount = 0;
    piece speed;
    if (offer_speed(s, t, &amount, &speed)) {
        *best = speed;
        return INFINITY;
    }
    double other = ask_lp(s, t, best);
    if (amount > other)
        *best = speed;
    return fmax(amount, other);
}

/* --- smallest maximum of the pieces met so far ------------------------------------------------ */

/* Largest soft piece at t, INFINITY where a hard one is violated; one piece may be left out. */
static double height(const conflict *s, double t, int without) {
    double most = 0;
    for (int i = 0; i < s->count; i++) {
        if (i == without)
            continue;
        /* soft pieces ask for an amount */
        double value = gdyn_quadratic_at(s->piece[i].q, t);
        if (!s->piece[i].hard)
            most = fmax(most, value);
        /* hard ones exclude t */
        else if (value > 10 * GDYN_ACCESS_ZERO * (1 + gdyn_quadratic_size(s->piece[i].q, t)))
            return INFINITY;
    }
    return most;
}

static void try_place(const conflict *s, double t, int without, double *best, double *place) {
    if (!(t >= s->from && t <= s->to))
        return;
    double value = height(s, t, without);
    if (value < *best || (value == *best && t < *place))
        *best = value, *place = t;
}

/* Ends, vertices, crossings and edges of hard pieces hold the minimum. */
static double minimum(const conflict *s, int without, double *place) {
    double best = INFINITY;
    *place = s->from;
    /* ends of the range */
    try_place(s, s->from, without, &best, place);
    try_place(s, s->to, without, &best, place);
    for (int i = 0; i < s->count; i++) {
        gdyn_quadratic q = s->piece[i].q;
        if (i == without)
            continue;
        /* the vertex of a convex piece */
        if (q.a > 0)
            try_place(s, -q.b / (2 * q.a), without, &best, place);
        /* crossings with pieces before it, and its own zeros */
        for (int j = -1; j < i; j++) {
            double root[2];
            gdyn_quadratic d = j < 0 ? q : gdyn_quadratic_minus(q, s->piece[j].q);
            int roots = j == without && j >= 0 ? 0 : gdyn_quadratic_roots(d, root);
            for (int n = 0; n < roots; n++)
                try_place(s, root[n], without, &best, place);
        }
    }
    return best;
}

/* Pieces without which the minimum stays the same are not part of the proof. */
static void reduce(conflict *s) {
    for (int i = s->count - 1; i >= 0 && s->count > 1; i--) {
        double place, value = minimum(s, i, &place);
        if (value >= s->amount - 1e-9 * fmax(1, s->amount) || value == s->amount) {
            /* The others keep their order. */
            s->count--;
            memmove(&s->piece[i], &s->piece[i + 1], sizeof(piece) * (size_t)(s->count - i));
        }
    }
}

/* Smallest amount that opens the region; INFINITY when none does. */
static double solve(conflict *s) {
    prepare(s);
    for (int step = 0; step < 4 * PIECES; step++) {
        /* the smallest maximum of the pieces met so far, at t */
        s->amount = minimum(s, -1, &s->t);
        if (isinf(s->amount))
            break;
        piece found;
        /* is another piece greater there? */
        double needed = greatest(s, s->t, &found);
        if (!(needed > s->amount + 1e-11 * fmax(1, s->amount)))
            break;
        if (s->count == PIECES)
            reduce(s);
        if (s->count == PIECES)
            break;
        s->piece[s->count++] = found;
    }
    reduce(s);
    return s->amount;
}

/* --- names and amounts ------------------------------------------------------------------------ */

/* The certificate's limits: those behind every piece, without repetition. */
static void name_pieces(const conflict *s, gdyn_certificate *c) {
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < s->piece[i].count; j++)
            gdyn_limit_add(c->limit, &c->count, 3 * GDYN_ACTIVE_MAX, s->piece[i].limit[j]);
    /* at the left end of the range d1 >= d1_low takes part, too */
    if (s->count && s->t == s->from && s->from != 0)
        gdyn_limit_add(c->limit, &c->count, 3 * GDYN_ACTIVE_MAX,
                       gdyn_limit_window(s->access->problem.d1_low_window, -1));
}

/* The row of the problem that a limit row of the coefficients became; -1: none. */
static int problem_row(const gdyn_problem *p, int source) {
    for (int i = 0; i < p->k; i++)
        if (p->row[i].source == source)
            return i;
    return -1;
}

static void soften(conflict *s, gdyn_limit limit, bool by_magnitude) {
    const gdyn_problem *p = &s->access->problem;
    if (limit.shape == GDYN_LIMIT_WINDOW)
        s->speed = by_magnitude && p->t_high != 0 ? fabs(p->t_high) : 1;
    if (limit.shape != GDYN_LIMIT_ROW)
        return;
    int row = problem_row(p, limit.row);
    s->weight[2 * row + (limit.side > 0)] =
        by_magnitude ? (gdyn_problem_magnitude(&p->row[row], limit.side) / p->row[row].unit) : 1;
}

static void harden_all(conflict *s) {
    memset(s->weight, 0, 2 * (size_t)s->access->problem.k * sizeof(double));
    s->speed = 0;
}

/* Value that one limit would need if it alone were relaxed. */
static double needed_value(conflict *s, gdyn_limit limit) {
    const gdyn_problem *p = &s->access->problem;
    /* what the path requires is not changed */
    if (limit.shape == GDYN_LIMIT_EQUALITY || (limit.shape == GDYN_LIMIT_WINDOW && limit.side < 0))
        return NAN;
    /* only this limit is soft */
    harden_all(s);
    soften(s, limit, false);
    double amount = solve(s);
    if (limit.shape == GDYN_LIMIT_WINDOW)
        return (p->t_high + amount) * p->d1_unit;
    /* from the amount in units back to a force */
    const gdyn_limit_row *row = &p->row[problem_row(p, limit.row)];
    return (limit.side > 0 ? row->high + amount : row->low - amount) * row->unit;
}

/* An empty set of pieces, with arrays in the workspace. */
static conflict start(gdyn_access *access) {
    const gdyn_problem *p = &access->problem;
    size_t n = (size_t)access->projected.max_circuits;
    conflict s = {.access = access, .from = p->t_low};
    s.weight = access->ease;
    s.up = s.weight + 2 * (size_t)access->max_k;
    s.low = s.up + n;
    s.condition = s.low + n;
    /* Beyond 10^4 natural units loads of 10^8 limits face each other: nothing opens there. */
    s.to = FARTHEST * fmax(1, fabs(p->t_low));
    return s;
}

static void find(conflict *s, gdyn_certificate *c) {
    /* Everything is relaxed: which limits are in conflict? */
    const gdyn_problem *p = &s->access->problem;
    harden_all(s);
    for (int i = 0; i < p->k; i++)
        for (int side = -1; side <= 1; side += 2)
            soften(s, gdyn_limit_of_source(p->row[i].source, side > 0), true);
    soften(s, gdyn_limit_window(p->d1_high_window, 1), true);
    solve(s);
    name_pieces(s, c);
    /* Only the named limits are relaxed: others that block then are part of the conflict. */
    for (int known = 0; known < c->count;) {
        known = c->count;
        harden_all(s);
        for (int i = 0; i < c->count; i++)
            soften(s, c->limit[i], true);
        c->relative = solve(s);
        name_pieces(s, c);
    }
    /* what each of them would have to be, the others unchanged */
    for (int i = 0; i < c->count; i++)
        c->needs[i] = needed_value(s, c->limit[i]);
}

/* By elementary vectors where they are few, else by linear programs. */
gdyn_status gdyn_certificate_find(gdyn_access *access, gdyn_certificate *c) {
    conflict s = start(access);
    c->count = 0;
    if (!gdyn_circuit_feasible(&access->problem)) {
        /* Room for one program in (s, z, y). */
        size_t m = (size_t)rows(&s), n = (size_t)columns(&s);
        s.lp = gdyn_lp_create((int)m, (int)n);
        s.numbers = gdyn_alloc(m * n + m + n, sizeof(double));
        s.status = s.lp && s.numbers ? GDYN_OK : GDYN_ERROR_MEMORY;
    } else if (access->circuits == 0) /* another method found the region */
        gdyn_project(&access->problem, &access->projected);
    if (s.status == GDYN_OK)
        find(&s, c);
    gdyn_lp_destroy(s.lp);
    gdyn_free(s.numbers);
    return s.status;
}
