/* waves.c - how often a formula can turn: the shortest wave of sums and products of polynomials,
 * sines and cosines.
 *
 * On a range of p a polynomial of degree d turns as often as d/2 waves, sin(a p + b) as |a|
 * range/(2 pi) of them. Sums have the shorter wave, products those of both factors together. Of
 * all else nothing is known. */
#include "code.h"

#include "base/pi.h"

#include <math.h>

/* Part of a formula. */
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

static part power(const part *a, const part *b) {
    double n = b->slope;
    if (!b->constant || !(n >= 1 && n <= EXPONENT_MOST) || n != floor(n))
        return unknown;
    return n == 1 ? *a : (part){.waves = n * a->waves};
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
    return op == GDYN_OP_POW ? power(a, b) : unknown;
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
