/* vertex.c - see vertex.h. While a constraint is violated the one that is most is made active, as
 * in the dual simplex method; else the multiplier of the wrong sign that is largest leaves, as in
 * the primal one. */
#include "lp/vertex.h"

#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* Share of a number that rounding may be, with sums of some ten terms. */
#define ROUNDING 1e-14
/* The same for entries of T and multipliers: what is less is zero. */
#define ZERO 1e-12
/* Pivots of equilibrated rows under this do not make a basis. */
#define SINGULAR 1e-14
/* Scale of unit rows, above all other pivots. */
#define FIRST 0x1p40
/* Bounds this many times greater than the smallest one are far: held there, x drowns the others in
 * its rounding. */
#define FAR 0x1p17

void gdyn_vertex_create(gdyn_vertex *s, gdyn_arena *arena, int max_rows, int max_cols) {
    size_t n = (size_t)max_cols, all = (size_t)max_rows + n;
    double **const square[] = {&s->inverse, &s->product}, **const tall[] = {&s->T, &s->error};
    double **const short_ones[] = {&s->v, &s->w, &s->w_error, &s->column_size, &s->row};
    double **const long_ones[] = {&s->value, &s->size, &s->dual, &s->row_size};
    s->place = gdyn_arena_alloc(arena, all, sizeof *s->place);
    s->active = gdyn_arena_alloc(arena, n, sizeof *s->active);
    s->drawn_in = gdyn_arena_alloc(arena, all, sizeof *s->drawn_in);
    s->pair = gdyn_arena_doubles(arena, 2 * n * n);
    for (int i = 0; i < 2; i++)
        *square[i] = gdyn_arena_doubles(arena, n * n);
    for (int i = 0; i < 2; i++)
        *tall[i] = gdyn_arena_doubles(arena, all * n);
    for (int i = 0; i < 5; i++)
        *short_ones[i] = gdyn_arena_doubles(arena, n);
    for (int i = 0; i < 4; i++)
        *long_ones[i] = gdyn_arena_doubles(arena, all);
}

/* --- the active set --------------------------------------------------------------------------- */

/* Entry of G = [A; 1]. */
static double entry(const gdyn_program *p, int i, int j) {
    return i < p->rows ? p->A[(size_t)j * (size_t)p->lda + (size_t)i] : i - p->rows == j;
}

/* What the rounding of an entry of G is measured against: |G_ij| of a row whose entries are alike
 * in units of the columns. Sums that should be zero leave rounding of the size of their row. */
static double magnitude(const gdyn_vertex *s, const gdyn_program *p, int i, int j) {
    return i < p->rows ? s->row_size[i] * s->column_size[j] : i - p->rows == j;
}

/* Unit of a constraint's bounds where entries of G are near one. */
static double unit_of(const gdyn_vertex *s, const gdyn_program *p, int i) {
    double unit = i < p->rows ? s->row_size[i] : 1 / s->column_size[i - p->rows];
    return unit > 0 && isfinite(unit) ? unit : 1;
}

/* Sizes of rows and columns: |G_ij| is at most their product. */
static void measure(gdyn_vertex *s, const gdyn_program *p) {
    memset(s->column_size, 0, sizeof(double) * (size_t)p->cols);
    for (int i = 0; i < p->rows; i++) {
        s->row_size[i] = 0;
        for (int j = 0; j < p->cols; j++)
            s->row_size[i] = fmax(s->row_size[i], fabs(entry(p, i, j)));
        for (int j = 0; j < p->cols && s->row_size[i] > 0; j++)
            s->column_size[j] = fmax(s->column_size[j], fabs(entry(p, i, j)) / s->row_size[i]);
    }
    /* smallest bound but zero, in units of the rows */
    double least = INFINITY;
    for (int i = 0; i < p->rows + p->cols; i++) {
        double low = fabs(p->low[i]), high = fabs(p->high[i]), unit = unit_of(s, p, i);
        least = low > 0 ? fmin(least, low / unit) : least;
        least = high > 0 ? fmin(least, high / unit) : least;
    }
    /* bounds that are far, and no constraint drawn in yet */
    s->far = FAR * least;
    memset(s->drawn_in, 0, sizeof *s->drawn_in * (size_t)(p->rows + p->cols));
}

/* The place of an active constraint whose side is not known. */
static gdyn_lp_place own_place(const gdyn_program *p, int i) {
    return isfinite(p->low[i])    ? GDYN_LP_AT_LOW
           : isfinite(p->high[i]) ? GDYN_LP_AT_HIGH
                                  : GDYN_LP_FREE;
}

/* Is it a side that the constraint has? */
static bool possible(const gdyn_program *p, int i, gdyn_lp_place place) {
    return place == GDYN_LP_AT_LOW    ? isfinite(p->low[i])
           : place == GDYN_LP_AT_HIGH ? isfinite(p->high[i])
           : place == GDYN_LP_FREE    ? p->low[i] <= 0 && p->high[i] >= 0
                                      : true;
}

static double bound_of(const gdyn_program *p, int i, gdyn_lp_place place) {
    return place == GDYN_LP_AT_LOW ? p->low[i] : place == GDYN_LP_AT_HIGH ? p->high[i] : 0;
}

/* The columns' own bounds: always independent. */
static void standard(gdyn_vertex *s, const gdyn_program *p) {
    for (int i = 0; i < p->rows; i++)
        s->place[i] = GDYN_LP_BASIC;
    for (int j = 0; j < p->cols; j++) {
        s->place[p->rows + j] = own_place(p, p->rows + j);
        s->active[j] = p->rows + j;
    }
}

/* Lists the active constraints of the given place; false when it is none of a vertex. */
static bool collect(gdyn_vertex *s, const gdyn_program *p) {
    int count = 0;
    for (int i = 0; i < p->rows + p->cols; i++) {
        /* a side that it does not have cannot be active */
        if (!possible(p, i, s->place[i]))
            s->place[i] = own_place(p, i);
        if (s->place[i] == GDYN_LP_BASIC)
            continue;
        if (count == p->cols)
            return false;
        s->active[count++] = i;
    }
    return count == p->cols;
}

/* --- the tableau ------------------------------------------------------------------------------ */

/* The active rows beside the unit matrix, both with largest entries of one in the active rows.
 * Unit rows are made greater there: they are the first pivots, and their zeros stay exact zeros of
 * M^-1. */
static void load_active(gdyn_vertex *s, const gdyn_program *p) {
    int n = p->cols, width = 2 * n;
    memset(s->pair, 0, sizeof(double) * (size_t)(n * width));
    for (int i = 0; i < n; i++) {
        double most = 0, *row = s->pair + i * width;
        for (int j = 0; j < n; j++) {
            row[j] = entry(p, s->active[i], j);
            most = fmax(most, fabs(row[j]));
        }
        /* rows of the matrix equilibrated, unit rows first */
        double scale = s->active[i] >= p->rows ? FIRST : most > 0 ? 1 / most : 1;
        for (int j = 0; j < n; j++)
            row[j] *= scale;
        row[n + i] = scale;
    }
}

/* M^-1 by elimination with row pivoting on equilibrated rows. */
static bool invert(gdyn_vertex *s, const gdyn_program *p) {
    int n = p->cols;
    load_active(s, p);
    if (!gdyn_gauss_jordan(s->pair, n, 2 * n, SINGULAR))
        return false;
    for (int i = 0; i < n; i++)
        memcpy(s->inverse + i * n, s->pair + i * 2 * n + n, sizeof(double) * (size_t)n);
    return true;
}

/* out = x M^-1 of a row x known to within u |size|, and |size| |M^-1| + |out| |M| |M^-1|. */
static void solve_row(const gdyn_vertex *s, int n, const double *x, const double *size, double *out,
                      double *error) {
    /* out, and the first part of its error */
    memset(out, 0, sizeof *out * (size_t)n);
    memset(error, 0, sizeof *error * (size_t)n);
    for (int l = 0; l < n; l++)
        for (int j = 0; j < n && size[l] != 0; j++) {
            out[j] += x[l] * s->inverse[l * n + j];
            error[j] += size[l] * fabs(s->inverse[l * n + j]);
        }
    /* errors of the inverse itself */
    for (int l = 0; l < n; l++)
        for (int j = 0; j < n && out[l] != 0; j++)
            error[j] += fabs(out[l]) * s->product[l * n + j];
}

/* M^-1, T, w with their errors; false when the active rows depend on each other. */
static bool factor(gdyn_vertex *s, const gdyn_program *p) {
    int n = p->cols;
    if (!invert(s, p))
        return false;
    /* |M| |M^-1|, which bounds the errors of everything below */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < n; l++)
                sum += magnitude(s, p, s->active[i], l) * fabs(s->inverse[l * n + j]);
            s->product[i * n + j] = sum;
        }
    /* T = G M^-1 and its errors */
    for (int i = 0; i < p->rows + n; i++) {
        for (int j = 0; j < n; j++) {
            s->row[j] = entry(p, i, j);
            s->v[j] = magnitude(s, p, i, j);
        }
        solve_row(s, n, s->row, s->v, s->T + i * n, s->error + i * n);
    }
    /* w = M^-T c and its errors */
    for (int j = 0; j < n; j++)
        s->v[j] = fabs(p->cost[j]);
    solve_row(s, n, p->cost, s->v, s->w, s->w_error);
    return true;
}

static double cleaned(double x, double error) {
    return fabs(x) > ZERO * error ? x : 0;
}

double gdyn_vertex_influence(const gdyn_vertex *s, int cols, int i, int j) {
    return cleaned(s->T[i * cols + j], s->error[i * cols + j]);
}

/* What the rounding of a bound is measured against. */
static double bound_size(const gdyn_program *p, int i, double bound) {
    return i < p->rows ? fmax(fabs(bound), p->size[i]) : fabs(bound);
}

/* G x with its error: the values of the columns come first, they are x. */
static void evaluate(gdyn_vertex *s, const gdyn_program *p) {
    int m = p->rows, n = p->cols;
    /* active constraints are at their bounds */
    for (int j = 0; j < n; j++)
        s->v[j] = bound_of(p, s->active[j], s->place[s->active[j]]);
    /* columns stand last: they are x, and the sizes of all rows need them */
    for (int i = m + n - 1; i >= 0; i--) {
        s->value[i] = 0;
        for (int j = 0; j < n; j++)
            s->value[i] += gdyn_vertex_influence(s, n, i, j) * s->v[j];
    }
    for (int j = 0; j < n; j++)
        s->value[s->active[j]] = s->v[j];
    /* sizes of rows at x */
    for (int i = 0; i < m + n; i++) {
        double size = 0;
        for (int l = 0; l < n; l++)
            size += magnitude(s, p, i, l) * fabs(s->value[m + l]);
        s->size[i] = size;
    }
    /* errors of constraints that are not active come from those that are */
    for (int i = 0; i < m + n; i++) {
        double size = s->size[i];
        for (int j = 0; j < n && s->place[i] == GDYN_LP_BASIC; j++)
            size += fabs(gdyn_vertex_influence(s, n, i, j)) *
                    (bound_size(p, s->active[j], s->v[j]) + s->size[s->active[j]]);
        s->dual[i] = size; /* borrowed: sizes of active rows are still needed */
    }
    memcpy(s->size, s->dual, sizeof *s->size * (size_t)(m + n));
}

/* --- steps ------------------------------------------------------------------------------------ */

/* How far beyond its bound, in units of its error; not positive: it is kept. */
static double excess(const gdyn_vertex *s, const gdyn_program *p, int i, bool *low) {
    double under = p->low[i] - s->value[i], over = s->value[i] - p->high[i];
    *low = under > over;
    double bound = *low ? p->low[i] : p->high[i], most = *low ? under : over;
    return isfinite(bound) && most > 0
               ? most / (ROUNDING * (s->size[i] + bound_size(p, i, bound))) - 1
               : -1;
}

/* The constraint that is violated most; `first`: the first one. -1: none. */
static int violated(const gdyn_vertex *s, const gdyn_program *p, bool first, bool *low) {
    double most = 0;
    int worst = -1;
    /* in units of their own rounding */
    for (int i = 0; i < p->rows + p->cols && !(first && worst >= 0); i++) {
        bool below = false;
        double by = s->place[i] == GDYN_LP_BASIC ? excess(s, p, i, &below) : -1;
        if (by > most) {
            most = by;
            worst = i;
            *low = below;
        }
    }
    return worst;
}

/* May active constraint j leave its bound to this side? */
static bool may_move(const gdyn_vertex *s, const gdyn_program *p, int j, bool rising) {
    int i = s->active[j];
    return s->place[i] == GDYN_LP_FREE ||
           (p->low[i] < p->high[i] && (s->place[i] == GDYN_LP_AT_LOW) == rising);
}

/* The active constraint that the violated one replaces, by the smallest ratio of multiplier and
 * influence; among equals the largest influence. -1: none can. */
static int leaving(const gdyn_vertex *s, const gdyn_program *p, int i, bool rising, bool first) {
    int n = p->cols, best = -1;
    double least = INFINITY, pivot = 0;
    for (int j = 0; j < n; j++) {
        double t = gdyn_vertex_influence(s, n, i, j);
        if (t == 0 || !may_move(s, p, j, (t > 0) == rising))
            continue;
        /* the first one by number, or the smallest ratio */
        double ratio = first ? s->active[j] : fabs(cleaned(s->w[j], s->w_error[j])) / fabs(t);
        if (ratio < least || (ratio == least && fabs(t) > pivot)) {
            least = ratio;
            pivot = fabs(t);
            best = j;
        }
    }
    return best;
}

/* The active constraint whose multiplier has the wrong sign most; -1: none. */
static int profitable(const gdyn_vertex *s, const gdyn_program *p, bool first, bool *rising) {
    double most = 0;
    int best = -1;
    /* multipliers within rounding are zero */
    for (int j = 0; j < p->cols; j++) {
        double w = cleaned(s->w[j], s->w_error[j]);
        bool up = (w > 0) == p->maximize;
        if (w == 0 || !may_move(s, p, j, up))
            continue;
        double by = first ? -s->active[j] : fabs(w);
        if (best < 0 || by > most) {
            most = by;
            best = j;
            *rising = up;
        }
    }
    return best;
}

/* The inactive constraint that is met first when active j moves; its own other bound gives *flip.
 * -1: none. */
static int first_met(const gdyn_vertex *s, const gdyn_program *p, int j, bool rising, bool *low,
                     bool *flip) {
    int n = p->cols, own = s->active[j], best = -1;
    double step = rising ? p->high[own] - s->v[j] : s->v[j] - p->low[own], pivot = 0;
    *flip = isfinite(step);
    for (int i = 0; i < p->rows + n; i++) {
        double t = gdyn_vertex_influence(s, n, i, j);
        bool down = (t > 0) != rising;
        double bound = down ? p->low[i] : p->high[i];
        if (s->place[i] != GDYN_LP_BASIC || t == 0 || !isfinite(bound))
            continue;
        double room = fmax((down ? s->value[i] - bound : bound - s->value[i]) / fabs(t), 0);
        if (room < step || (room == step && fabs(t) > pivot && best >= 0)) {
            step = room;
            pivot = fabs(t);
            best = i;
            *low = down;
            *flip = false;
        }
    }
    return best;
}

/* Constraint i becomes active in the place of j. */
static bool exchange(gdyn_vertex *s, const gdyn_program *p, int i, int j, bool low) {
    s->place[s->active[j]] = GDYN_LP_BASIC;
    s->active[j] = i;
    s->place[i] = low ? GDYN_LP_AT_LOW : GDYN_LP_AT_HIGH;
    return factor(s, p);
}

typedef enum progress { GOES_ON, ENDS, BREAKS } progress;

static progress improve(gdyn_vertex *s, const gdyn_program *p, bool first,
                        gdyn_lp_status *outcome) {
    bool rising = false, low = false, flip = false;
    int j = profitable(s, p, first, &rising);
    *outcome = GDYN_LP_OPTIMAL;
    if (j < 0)
        return ENDS;
    int i = first_met(s, p, j, rising, &low, &flip);
    if (flip) {
        s->place[s->active[j]] = rising ? GDYN_LP_AT_HIGH : GDYN_LP_AT_LOW;
        return GOES_ON;
    }
    *outcome = GDYN_LP_UNBOUNDED;
    if (i < 0)
        return ENDS;
    return exchange(s, p, i, j, low) ? GOES_ON : BREAKS;
}

/* Feasible first, then better. */
static progress step(gdyn_vertex *s, const gdyn_program *p, bool first, gdyn_lp_status *outcome) {
    bool low = false;
    evaluate(s, p);
    int i = violated(s, p, first, &low);
    if (i < 0)
        return improve(s, p, first, outcome);
    int j = leaving(s, p, i, low, first);
    /* nothing can make room: infeasible */
    *outcome = GDYN_LP_INFEASIBLE;
    if (j < 0)
        return ENDS;
    return exchange(s, p, i, j, low) ? GOES_ON : BREAKS;
}

/* Far bounds that the goal does not ask for are replaced by the value next to zero, each of them
 * once: where it has to be at its bound it comes back. True when there was one. */
static bool draw_in(gdyn_vertex *s, const gdyn_program *p) {
    bool moved = false;
    /* active at a far bound, without a multiplier that asks for it */
    for (int j = 0; j < p->cols; j++) {
        int i = s->active[j];
        bool far = fabs(bound_of(p, i, s->place[i])) > s->far * unit_of(s, p, i);
        if (!far || s->drawn_in[i] || cleaned(s->w[j], s->w_error[j]) != 0)
            continue;
        gdyn_lp_place to = p->low[i] < 0 && p->high[i] > 0 ? GDYN_LP_FREE
                           : p->low[i] >= 0                ? GDYN_LP_AT_LOW
                                                           : GDYN_LP_AT_HIGH;
        moved = moved || to != s->place[i];
        s->place[i] = to;
        s->drawn_in[i] = true;
    }
    return moved;
}

int gdyn_vertex_settle(gdyn_vertex *s, const gdyn_program *p, gdyn_lp_status *outcome) {
    int some = 4 * (p->rows + p->cols) + 20;
    /* from the given place, or from the columns' bounds */
    measure(s, p);
    if (!collect(s, p) || !factor(s, p)) {
        standard(s, p);
        factor(s, p);
    }
    draw_in(s, p);
    /* steps until nothing is violated and nothing profitable */
    for (int n = 0; n < 3 * some; n++) {
        /* Bland's rule, which cannot cycle, where the largest steps have not come to an end. */
        progress done = step(s, p, n > some, outcome);
        if (done == ENDS && draw_in(s, p))
            continue;
        if (done == ENDS) {
            /* Multipliers by constraint. */
            memset(s->dual, 0, sizeof *s->dual * (size_t)(p->rows + p->cols));
            for (int j = 0; j < p->cols; j++)
                s->dual[s->active[j]] = cleaned(s->w[j], s->w_error[j]);
            return n;
        }
        if (done == BREAKS) {
            standard(s, p);
            factor(s, p);
        }
    }
    *outcome = GDYN_LP_FAILED;
    return -1;
}
