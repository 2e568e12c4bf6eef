/* eval.c - runs the byte code: a stack of numbers for values, of jets for derivatives. */
#include "code.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

gdyn_expr *gdyn_expr_constant(double value) {
    gdyn_expr *expr = gdyn_alloc(1, sizeof *expr);
    gdyn_instruction *code = gdyn_alloc(1, sizeof *code);
    if (!expr || !code) {
        gdyn_free(expr);
        gdyn_free(code);
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
    gdyn_free(expr->code);
    gdyn_free(expr->knot);
    gdyn_free(expr);
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
    gdyn_expr_table_jet(expr, variables[0], jet);
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
        gdyn_expr_table_jet(expr, variables[0], jet);
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
