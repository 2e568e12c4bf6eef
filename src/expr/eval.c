/* eval.c - runs the byte code: a stack of numbers for values, of jets for derivatives. */
#include "code.h"
#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <string.h>

/* --- tables in one variable ------------------------------------------------------------------- */

/* Linear between the rows, or the natural cubic spline through them. With h_i = x_i+1 - x_i the
 * spline's second derivatives s follow from h_i-1 s_i-1 + 2 (h_i-1 + h_i) s_i + h_i s_i+1 = 6
 * ((y_i+1 - y_i)/h_i - (y_i - y_i-1)/h_i-1), s = 0 at both ends. Beyond its ends it goes on as a
 * straight line, with continuous second derivatives; the linear table stays constant. A cubic
 * with given second derivatives may have the same x twice. */

/* The rows as an expression; bend NULL: zeros. */
static gdyn_expr *make(int count, const double *x, const double *y, const double *bend) {
    gdyn_expr *expr = gdyn_alloc(1, sizeof *expr);
    gdyn_knot *knot = gdyn_alloc((size_t)count, sizeof *knot);
    if (!expr || !knot) {
        gdyn_free(expr), gdyn_free(knot);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        knot[i] = (gdyn_knot){.x = x[i], .y = y[i], .bend = bend ? bend[i] : 0};
    *expr = (gdyn_expr){.knots = count, .knot = knot, .smooth = true};
    expr->dimension = GDYN_DIM_UNKNOWN;
    return expr;
}

gdyn_expr *gdyn_expr_table(int count, const double *x, const double *y, bool smooth) {
    double *room = gdyn_alloc((size_t)count, sizeof *room);
    gdyn_expr *expr = room ? make(count, x, y, NULL) : NULL;
    if (expr && smooth) {
        /* The knots' second derivatives; room: count. */
        gdyn_knot *k = expr->knot;
        /* rows of the tridiagonal system, eliminated on the way */
        for (int i = 1; i + 1 < count; i++) {
            double before = k[i].x - k[i - 1].x, behind = k[i + 1].x - k[i].x;
            double rise = 6 * ((k[i + 1].y - k[i].y) / behind - (k[i].y - k[i - 1].y) / before);
            double pivot = 2 * (before + behind) - before * room[i - 1];
            room[i] = behind / pivot;
            k[i].bend = (rise - before * k[i - 1].bend) / pivot;
        }
        /* back substitution */
        for (int i = count - 2; i > 0; i--)
            k[i].bend -= room[i] * k[i + 1].bend;
    }
    if (expr)
        expr->smooth = smooth;
    gdyn_free(room);
    return expr;
}

gdyn_expr *gdyn_expr_cubic(int count, const double *x, const double *y, const double *bend) {
    return make(count, x, y, bend);
}

/* table.c */
static void table_jet(const gdyn_expr *expr, double x, double jet[3]) {
    const gdyn_knot *k = expr->knot;
    int low = 0, high = expr->knots - 1;
    bool outside = x < k[0].x || x > k[high].x;
    /* the piece by bisection */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (k[middle].x <= x)
            low = middle;
        else
            high = middle;
    }
    const gdyn_knot *a = &k[low], *b = &k[high];
    double end = x < a->x ? a->x : x > b->x ? b->x : x; /* the nearest place of the table */
    double h = b->x - a->x, u = (end - a->x) / h, v = 1 - u;
    /* cubic from the ends' values and second derivatives, and its derivatives */
    jet[0] =
        v * a->y + u * b->y + h * h / 6 * ((v * v - 1) * v * a->bend + (u * u - 1) * u * b->bend);
    jet[1] = (b->y - a->y) / h + h / 6 * ((1 - 3 * v * v) * a->bend + (3 * u * u - 1) * b->bend);
    jet[2] = v * a->bend + u * b->bend;
    /* beyond the ends: constant, or along the end's slope */
    if (outside && !expr->smooth)
        jet[1] = 0;
    jet[0] += jet[1] * (x - end);
}

gdyn_expr *gdyn_expr_constant(double value) {
    gdyn_expr *expr = gdyn_alloc(1, sizeof *expr);
    gdyn_instruction *code = gdyn_alloc(1, sizeof *code);
    if (!expr || !code) {
        gdyn_free(expr), gdyn_free(code);
        return NULL;
    }
    *code = (gdyn_instruction){.op = GDYN_OP_CONST, .value = value};
    *expr = (gdyn_expr){.count = 1, .code = code, .dimension = GDYN_DIM_UNKNOWN};
    return expr;
}

/* NULL is allowed. */
void gdyn_expr_destroy(gdyn_expr *expr) {
    if (!expr)
        return;
    gdyn_free(expr->code), gdyn_free(expr->knot), gdyn_free(expr);
}

gdyn_dimension gdyn_expr_dimension(const gdyn_expr *expr) {
    return expr->dimension;
}

/* No variable and no table. */
bool gdyn_expr_is_constant(const gdyn_expr *expr) {
    for (int i = 0; i < expr->count; i++)
        if (expr->code[i].op == GDYN_OP_VAR)
            return false;
    return expr->knots == 0;
}

/* Tables depend on the first variable. */
bool gdyn_expr_uses(const gdyn_expr *expr, int variable) {
    for (int i = 0; i < expr->count; i++)
        if (expr->code[i].op == GDYN_OP_VAR && expr->code[i].index == variable)
            return true;
    return expr->knots > 0 && variable == 0;
}

/* Postfix code on a stack; the value, or the result of the first operation that is not finite
 * although its arguments are, or is not a number although they are (with `fault`, *found). */
static inline double run(const gdyn_expr *expr, const double *variables, gdyn_expr_fault *fault,
                         bool *found) {
    double stack[GDYN_EXPR_STACK];
    int top = -1;
    for (const gdyn_instruction *in = expr->code; in < expr->code + expr->count; in++) {
        if (in->op == GDYN_OP_CONST || in->op == GDYN_OP_VAR) {
            stack[++top] = in->op == GDYN_OP_CONST ? in->value : variables[in->index];
            continue;
        }
        bool two = in->op >= GDYN_OP_ADD;
        top -= two;
        double a = stack[top], b = two ? stack[top + 1] : 0;
        stack[top] = two ? gdyn_expr_binary(in->op, a, b) : gdyn_expr_unary(in->op, a);
        if (fault && !isfinite(stack[top]) && !isnan(a) && !isnan(b) &&
            (isnan(stack[top]) || (isfinite(a) && isfinite(b)))) {
            gdyn_expr_blame(in->op, a, b, stack[top], fault);
            *found = true;
            return stack[top];
        }
    }
    return stack[0];
}

double gdyn_expr_value(const gdyn_expr *expr, const double *variables) {
    double jet[3];
    if (expr->knots == 0)
        return run(expr, variables, NULL, NULL);
    table_jet(expr, variables[0], jet);
    return jet[0];
}

bool gdyn_expr_explain(const gdyn_expr *expr, const double *variables, gdyn_expr_fault *fault) {
    bool found = false;
    if (expr->knots == 0)
        run(expr, variables, fault, &found);
    return found;
}

/* Value, first and second derivative by variable `by`, exact. */
void gdyn_expr_jet(const gdyn_expr *expr, const double *variables, int by, double jet[3]) {
    double stack[GDYN_EXPR_STACK][3];
    int top = -1;
    if (expr->knots > 0) {
        table_jet(expr, variables[0], jet);
        if (by != 0)
            jet[1] = jet[2] = 0;
        return;
    }
    /* every operation on jets (f, f', f'') */
    for (const gdyn_instruction *in = expr->code; in < expr->code + expr->count; in++) {
        if (in->op <= GDYN_OP_VAR) {
            top++;
            stack[top][0] = in->op == GDYN_OP_CONST ? in->value : variables[in->index];
            stack[top][1] = in->op == GDYN_OP_VAR && in->index == by;
            stack[top][2] = 0.0;
        } else if (in->op < GDYN_OP_ADD) {
            gdyn_expr_unary_jet(in->op, stack[top]);
        } else {
            top--;
            gdyn_expr_binary_jet(in->op, stack[top], stack[top + 1]);
        }
    }
    memcpy(jet, stack[0], sizeof stack[0]);
}

/* --- how often a formula can turn ------------------------------------------------------------- */

/* The shortest wave of sums and products of polynomials, sines and cosines. On a range of p a
 * polynomial of degree d turns as often as d/2 waves, sin(a p + b) as |a| range/(2 pi) of them.
 * Sums have the shorter wave, products those of both factors together. Of all else nothing is
 * known. */

typedef struct part {
    bool constant, linear; /* a constant is not linear here */
    double slope;          /* of a linear part; the value of a constant */
    double waves;
} part;

static const part unknown = {.waves = INFINITY};
enum { EXPONENT_MOST = 16 };

static part product(const part *a, const part *b) {
    if (a->constant && b->constant)
        return (part){.constant = true, .slope = a->slope * b->slope};
    if (a->constant || b->constant) {
        part out = a->constant ? *b : *a;
        out.slope *= a->constant ? a->slope : b->slope;
        return out;
    }
    return (part){.waves = a->waves + b->waves};
}

static part combine(gdyn_op op, const part *a, const part *b) {
    if (op == GDYN_OP_ADD || op == GDYN_OP_SUB) {
        /* a constant counts only in another constant */
        bool both = a->constant == b->constant;
        double from = both || b->constant ? a->slope : 0, by = both || a->constant ? b->slope : 0;
        return (part){.constant = a->constant && b->constant,
                      .linear = (a->linear || a->constant) && (b->linear || b->constant),
                      .slope = op == GDYN_OP_ADD ? from + by : from - by,
                      .waves = fmax(a->waves, b->waves)};
    }
    if (op == GDYN_OP_MUL)
        return product(a, b);
    if (op == GDYN_OP_DIV && b->constant && b->slope != 0) {
        part inverse = {.constant = true, .slope = 1 / b->slope};
        return product(a, &inverse);
    }
    double n = b->slope;
    if (op != GDYN_OP_POW || !b->constant || !(n >= 1 && n <= EXPONENT_MOST) || n != floor(n))
        return unknown;
    return n == 1 ? *a : (part){.waves = n * a->waves};
}

static part apply(gdyn_op op, const part *a, double range) {
    part out = *a;
    out.slope = -a->slope;
    if (op == GDYN_OP_NEG)
        return out;
    if ((op != GDYN_OP_SIN && op != GDYN_OP_COS) || !a->linear)
        return a->constant ? (part){.constant = true, .slope = gdyn_expr_unary(op, a->slope)}
                           : unknown;
    return (part){.waves = fabs(a->slope) * range / (2 * GDYN_PI)};
}

double gdyn_expr_waves(const gdyn_expr *expr, double range) {
    part stack[GDYN_EXPR_STACK];
    int top = -1;
    if (expr->knots > 0)
        return INFINITY;
    for (const gdyn_instruction *in = expr->code; in < expr->code + expr->count; in++)
        if (in->op == GDYN_OP_CONST)
            stack[++top] = (part){.constant = true, .slope = in->value};
        else if (in->op == GDYN_OP_VAR)
            stack[++top] = (part){.linear = true, .slope = 1, .waves = 0.5};
        else if (in->op < GDYN_OP_ADD)
            stack[top] = apply(in->op, &stack[top], range);
        else
            top--, stack[top] = combine(in->op, &stack[top], &stack[top + 1]);
    return stack[0].waves;
}
