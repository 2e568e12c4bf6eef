/* breaks.c - where a function of one variable has features that an integration may step over.
 *
 * An error estimate compares values of the function at a few places of a step. It trusts them to be
 * those of a smooth function: what happens between them is unseen. Of a table it is unseen unless
 * the rows between two breaks are those of a cubic but for a share of the mean magnitude; then no
 * step between them can miss more than that share. Formulas are smooth between the places where a
 * function (abs, min, mod, ...) changes its branch; these follow by bisection from inside out, each
 * between the breaks of its arguments, so that arguments of linear pieces hide none. */
#include "code.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct breaks {
    double from, to;
    int count, room;
    double *at;
    bool failed; /* memory is out */
} breaks;

static void add(breaks *list, double x) {
    if (!(x > list->from && x < list->to))
        return;
    list->failed =
        list->failed || !gdyn_reserve(&list->at, &list->room, list->count + 1, sizeof *list->at);
    if (!list->failed)
        list->at[list->count++] = x;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* The function, or its second derivative. */
static double value_at(const gdyn_expr *expr, bool bends, double x) {
    double jet[3];
    gdyn_expr_jet(expr, &x, 0, jet);
    return bends ? jet[2] : jet[0];
}

/* Whether rows a to b are within `most` of the cubic through four of their places. */
static bool is_cubic(const gdyn_expr *expr, bool bends, int a, int b, double most) {
    double x = expr->knot[a].x, h = (expr->knot[b].x - x) / 3, y[4];
    for (int i = 0; i < 4; i++)
        y[i] = value_at(expr, bends, i < 3 ? x + i * h : expr->knot[b].x);
    /* differences: Newton's form */
    double d1 = y[1] - y[0], d2 = y[2] - 2 * y[1] + y[0], d3 = y[3] - 3 * y[2] + 3 * y[1] - y[0];
    for (int i = 2 * a; i <= 2 * b; i++) {
        double here = 0.5 * (expr->knot[i / 2].x + expr->knot[(i + 1) / 2].x), s = (here - x) / h;
        double cubic = y[0] + s * (d1 + (s - 1) / 2 * (d2 + (s - 2) / 3 * d3));
        if (!(fabs(value_at(expr, bends, here) - cubic) <= most))
            return false;
    }
    return true;
}

static void find_rows(const gdyn_expr *expr, bool bends, double share, breaks *list) {
    const gdyn_knot *k = expr->knot;
    int last = expr->knots - 1;
    double mean = 0;
    for (int i = 0; i < last; i++)
        mean += 0.5 * (k[i + 1].x - k[i].x) *
                (fabs(value_at(expr, bends, k[i].x)) + fabs(value_at(expr, bends, k[i + 1].x)));
    mean /= k[last].x - k[0].x;
    add(list, k[0].x);
    /* from each break as many rows as are one cubic, doubled while they are */
    for (int i = 0, rows; i < last; i += rows) {
        for (rows = 1; i + 2 * rows <= last; rows *= 2)
            if (!is_cubic(expr, bends, i, i + 2 * rows, share * mean))
                break;
        add(list, k[i + rows].x);
    }
}

/* --- formulas --------------------------------------------------------------------------------- */

/* A function of a formula that has branches, and its arguments. */
typedef struct branching {
    gdyn_op op;
    gdyn_expr a, b;
    double near, gap;
} branching;

static double branch_at(const branching *f, double x) {
    double a = gdyn_expr_value(&f->a, &x), b = f->b.count > 0 ? gdyn_expr_value(&f->b, &x) : 0;
    if (f->op == GDYN_OP_FLOOR || f->op == GDYN_OP_CEIL || f->op == GDYN_OP_ROUND)
        return gdyn_expr_unary(f->op, a);
    return f->op == GDYN_OP_MOD ? floor(a / b) : (double)(a > b);
}

/* Changes of the branch between two places. */
static void find_changes(const branching *f, double low, double high, double from, double to,
                         breaks *list) {
    enum { MOST = 20000 };
    if (!(from != to) || isnan(from) || isnan(to) || list->count > MOST || list->failed)
        return;
    double middle = 0.5 * (low + high);
    if (high - low > f->near) {
        double here = branch_at(f, middle);
        find_changes(f, low, middle, from, here, list);
        find_changes(f, middle, high, here, to, list);
    } else if (f->op == GDYN_OP_ABS || f->op == GDYN_OP_MIN || f->op == GDYN_OP_MAX) {
        add(list, middle);
    } else {
        /* the value jumps: neither side's step sees the other side */
        add(list, middle - f->gap), add(list, middle + f->gap);
    }
}

static void find_branches(const branching *f, breaks *list) {
    const double PER_WAVE = 16, FEW = 64, MANY = 20000, UNKNOWN = 1000;
    double range = list->to - list->from;
    double waves = fmax(gdyn_expr_waves(&f->a, range), gdyn_expr_waves(&f->b, range));
    int even = (int)(isinf(waves) ? UNKNOWN : fmin(fmax(PER_WAVE * waves, FEW), MANY));
    int count = even + 1 + list->count;
    double *x = gdyn_alloc((size_t)count, sizeof *x);
    list->failed = list->failed || !x;
    /* equal steps, and the breaks of the arguments */
    for (int i = 0; x && i < count; i++)
        x[i] = i <= even ? list->from + range * i / even : list->at[i - even - 1];
    if (x)
        qsort(x, (size_t)count, sizeof *x, gdyn_ascending);
    for (int i = 0; x && i + 1 < count; i++)
        find_changes(f, x[i], x[i + 1], branch_at(f, x[i]), branch_at(f, x[i + 1]), list);
    gdyn_free(x);
}

static void find_kinks(const gdyn_expr *expr, breaks *list) {
    const double NEAR = 1e-14, GAP = 1e-12;
    double size = fmax(list->to - list->from, fmax(fabs(list->from), fabs(list->to)));
    int start[GDYN_EXPR_STACK], top = -1; /* where the code of each operand begins */
    for (int i = 0; i < expr->count; i++) {
        gdyn_op op = expr->code[i].op;
        if (op <= GDYN_OP_VAR) {
            start[++top] = i;
            continue;
        }
        bool two = op >= GDYN_OP_ADD;
        top -= two;
        if (op != GDYN_OP_ABS && op != GDYN_OP_MIN && op != GDYN_OP_MAX && op != GDYN_OP_FLOOR &&
            op != GDYN_OP_CEIL && op != GDYN_OP_ROUND && op != GDYN_OP_MOD)
            continue;
        int b = two ? start[top + 1] : i;
        branching f = {.op = op,
                       .a = {.count = b - start[top], .code = expr->code + start[top]},
                       .b = {.count = i - b, .code = expr->code + b},
                       .near = NEAR * size,
                       .gap = GAP * size};
        find_branches(&f, list);
    }
}

int gdyn_expr_breaks(const gdyn_expr *expr, double from, double to, bool bends, double share,
                     double **at) {
    breaks list = {.from = from, .to = to};
    if (expr->knots > 0)
        find_rows(expr, bends, share, &list);
    else
        find_kinks(expr, &list);
    if (list.failed) {
        gdyn_free(list.at);
        list.at = NULL;
    }
    *at = list.at;
    if (list.count > 0)
        qsort(list.at, (size_t)list.count, sizeof *list.at, gdyn_ascending);
    return list.failed ? -1 : list.count;
}
