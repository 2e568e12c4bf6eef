/* function.c - the functions: names, arities, dimension rules, values and derivatives.
 *
 * Second-order Taylor arithmetic: with u(t) = u + u' t + u'' t^2/2,
 *     f(u)' = f_u u',   f(u)'' = f_uu u'^2 + f_u u'',
 * and for two arguments the same with all three second partial derivatives (Griewank and Walther,
 * Evaluating Derivatives, chapter 13). A factor that multiplies an exact zero is dropped, so that
 * constants stay constants where a derivative is infinite (sqrt at 0). */
#include "code.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const gdyn_function functions[] = {
    {"sqrt", GDYN_OP_SQRT, 1, 1, GDYN_RULE_ROOT},   {"sin", GDYN_OP_SIN, 1, 1, GDYN_RULE_ANGLE},
    {"cos", GDYN_OP_COS, 1, 1, GDYN_RULE_ANGLE},    {"tan", GDYN_OP_TAN, 1, 1, GDYN_RULE_ANGLE},
    {"asin", GDYN_OP_ASIN, 1, 1, GDYN_RULE_NUMBER}, {"acos", GDYN_OP_ACOS, 1, 1, GDYN_RULE_NUMBER},
    {"atan", GDYN_OP_ATAN, 1, 1, GDYN_RULE_NUMBER}, {"atan2", GDYN_OP_ATAN2, 2, 2, GDYN_RULE_RATIO},
    {"exp", GDYN_OP_EXP, 1, 1, GDYN_RULE_NUMBER},   {"log", GDYN_OP_LOG, 1, 1, GDYN_RULE_NUMBER},
    {"abs", GDYN_OP_ABS, 1, 1, GDYN_RULE_SAME},     {"min", GDYN_OP_MIN, 1, 64, GDYN_RULE_SAME},
    {"max", GDYN_OP_MAX, 1, 64, GDYN_RULE_SAME},    {"hypot", GDYN_OP_HYPOT, 2, 64, GDYN_RULE_SAME},
    {"sinh", GDYN_OP_SINH, 1, 1, GDYN_RULE_NUMBER}, {"cosh", GDYN_OP_COSH, 1, 1, GDYN_RULE_NUMBER},
    {"tanh", GDYN_OP_TANH, 1, 1, GDYN_RULE_NUMBER}, {"floor", GDYN_OP_FLOOR, 1, 1, GDYN_RULE_SAME},
    {"ceil", GDYN_OP_CEIL, 1, 1, GDYN_RULE_SAME},   {"round", GDYN_OP_ROUND, 1, 1, GDYN_RULE_SAME},
    {"mod", GDYN_OP_MOD, 2, 2, GDYN_RULE_SAME},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* NULL: no such function. */
const gdyn_function *gdyn_expr_function(const char *name, int length) {
    for (int i = 0; i < FUNCTIONS; i++)
        if ((int)strlen(functions[i].name) == length &&
            memcmp(functions[i].name, name, (size_t)length) == 0)
            return &functions[i];
    return NULL;
}

const char *gdyn_expr_function_name(int i) {
    return i >= 0 && i < FUNCTIONS ? functions[i].name : NULL;
}

/* Functions of one argument are those of C. */
double gdyn_expr_unary(gdyn_op op, double x) {
    assert(op == GDYN_OP_NEG || (op >= GDYN_OP_SQRT && op < GDYN_OP_ADD));
    static double (*const of[])(double) = {
        [GDYN_OP_SQRT] = sqrt,   [GDYN_OP_SIN] = sin,     [GDYN_OP_COS] = cos,
        [GDYN_OP_TAN] = tan,     [GDYN_OP_ASIN] = asin,   [GDYN_OP_ACOS] = acos,
        [GDYN_OP_ATAN] = atan,   [GDYN_OP_EXP] = exp,     [GDYN_OP_LOG] = log,
        [GDYN_OP_ABS] = fabs,    [GDYN_OP_SINH] = sinh,   [GDYN_OP_COSH] = cosh,
        [GDYN_OP_TANH] = tanh,   [GDYN_OP_FLOOR] = floor, [GDYN_OP_CEIL] = ceil,
        [GDYN_OP_ROUND] = round,
    };
    return op == GDYN_OP_NEG ? -x : of[op](x);
}

/* As C has them; NaN wins in min and max. */
double gdyn_expr_binary(gdyn_op op, double a, double b) {
    switch (op) {
    case GDYN_OP_ADD:
        return a + b;
    case GDYN_OP_SUB:
        return a - b;
    case GDYN_OP_MUL:
        return a * b;
    case GDYN_OP_DIV:
        return a / b;
    case GDYN_OP_POW:
        return b == 2.0 ? a * a : pow(a, b);
    case GDYN_OP_ATAN2:
        return atan2(a, b);
    case GDYN_OP_MIN:
        return b < a || isnan(b) ? b : a;
    case GDYN_OP_MAX:
        return b > a || isnan(b) ? b : a;
    case GDYN_OP_HYPOT:
        return hypot(a, b);
    default: /* the remainder in [0, b) */
        a = fmod(a, b);
        return a != 0.0 && (a < 0.0) != (b < 0.0) ? a + b : a;
    }
}

/* a b, where an exact zero b wins over an infinite a. */
static double times(double a, double b) {
    return b == 0.0 ? 0.0 : a * b;
}

/* Of sinh, cosh and tanh. */
static void hyperbolic_slopes(gdyn_op op, double x, double f, double d[2]) {
    double c = cosh(x);
    if (op == GDYN_OP_TANH) {
        d[0] = 1.0 / c / c, d[1] = -2.0 * f * d[0];
        return;
    }
    d[0] = op == GDYN_OP_SINH ? c : sinh(x), d[1] = f;
}

/* First and second derivative at x, with f = f(x) known. */
static void slopes(gdyn_op op, double x, double f, double d[2]) {
    double c;
    d[0] = d[1] = 0.0;
    switch (op) {
    case GDYN_OP_SQRT:
        d[0] = 0.5 / f, d[1] = -0.5 * d[0] / x;
        break;
    case GDYN_OP_SIN:
        d[0] = cos(x), d[1] = -f;
        break;
    case GDYN_OP_COS:
        d[0] = -sin(x), d[1] = -f;
        break;
    case GDYN_OP_TAN:
        d[0] = 1.0 + f * f, d[1] = 2.0 * f * d[0];
        break;
    case GDYN_OP_ASIN:
    case GDYN_OP_ACOS:
        c = (1.0 - x) * (1.0 + x);
        d[0] = (op == GDYN_OP_ASIN ? 1.0 : -1.0) / sqrt(c), d[1] = d[0] * x / c;
        break;
    case GDYN_OP_ATAN:
        d[0] = 1.0 / (1.0 + x * x), d[1] = -2.0 * x * d[0] * d[0];
        break;
    case GDYN_OP_EXP:
        d[0] = d[1] = f;
        break;
    case GDYN_OP_LOG:
        d[0] = 1.0 / x, d[1] = -d[0] * d[0];
        break;
    case GDYN_OP_ABS:
        d[0] = (x > 0.0) - (x < 0.0);
        break;
    case GDYN_OP_SINH:
    case GDYN_OP_COSH:
    case GDYN_OP_TANH:
        hyperbolic_slopes(op, x, f, d);
        break;
    default: /* floor, ceil, round */
        break;
    }
}

/* Chain rule: f'' = f_xx x'^2 + f_x x''. */
void gdyn_expr_unary_jet(gdyn_op op, double x[3]) {
    if (op == GDYN_OP_NEG) {
        for (int i = 0; i < 3; i++)
            x[i] = -x[i];
        return;
    }
    double d[2], f = gdyn_expr_unary(op, x[0]);
    slopes(op, x[0], f, d);
    x[0] = f;
    x[2] = times(times(d[1], x[1]), x[1]) + times(d[0], x[2]);
    x[1] = times(d[0], x[1]);
}

/* c a^n for a constant n, exact zeros included. */
static double monomial(double c, double a, double n) {
    return c == 0.0 ? 0.0 : c * pow(a, n);
}

/* x^n with constant n at x <= 0, too; else by the logarithm. */
static void power_jet(double a[3], const double b[3]) {
    double f = gdyn_expr_binary(GDYN_OP_POW, a[0], b[0]), n = b[0];
    if (b[1] == 0.0 && b[2] == 0.0) {
        double d = monomial(n, a[0], n - 1.0), dd = monomial(n * (n - 1.0), a[0], n - 2.0);
        a[2] = times(times(dd, a[1]), a[1]) + times(d, a[2]);
        a[1] = times(d, a[1]);
    } else {
        /* a^b = exp(w), w = b log a */
        double l[3] = {a[0], a[1], a[2]};
        gdyn_expr_unary_jet(GDYN_OP_LOG, l);
        double w1 = b[1] * l[0] + n * l[1], w2 = b[2] * l[0] + 2.0 * b[1] * l[1] + n * l[2];
        a[1] = f * w1;
        a[2] = f * (w1 * w1 + w2);
    }
    a[0] = f;
}

/* At the origin the slope is taken as zero. */
static void hypot_jet(double a[3], const double b[3]) {
    double h = hypot(a[0], b[0]);
    if (h == 0.0) {
        a[0] = a[1] = a[2] = 0.0;
        return;
    }
    /* direction cosines; `turn` is what turns them */
    double ca = a[0] / h, cb = b[0] / h, turn = ca * b[1] - cb * a[1];
    a[2] = ca * a[2] + cb * b[2] + turn * turn / h, a[1] = ca * a[1] + cb * b[1];
    a[0] = h;
}

/* atan2(y, x) with y in a: the angle and its rates in polar form. */
static void atan2_jet(double a[3], const double b[3]) {
    double h = hypot(a[0], b[0]), f = atan2(a[0], b[0]), c = b[0] / h, s = a[0] / h;
    double rate = (c * a[1] - s * b[1]) / h, stretch = (c * b[1] + s * a[1]) / h;
    a[2] = (c * a[2] - s * b[2]) / h - 2.0 * rate * stretch;
    a[1] = rate, a[0] = f;
}

/* a := op(a, b) with both derivatives. */
void gdyn_expr_binary_jet(gdyn_op op, double a[3], const double b[3]) {
    double f = gdyn_expr_binary(op, a[0], b[0]), q;
    switch (op) {
    case GDYN_OP_MUL:
        a[2] = times(b[0], a[2]) + 2.0 * a[1] * b[1] + times(a[0], b[2]);
        a[1] = times(b[0], a[1]) + times(a[0], b[1]);
        a[0] = f;
        break;
    case GDYN_OP_DIV: /* f' = (a' - f b') / b, f'' = (a'' - 2 f' b' - f b'') / b */
        a[1] = (a[1] - times(f, b[1])) / b[0];
        a[2] = (a[2] - 2.0 * times(a[1], b[1]) - times(f, b[2])) / b[0];
        a[0] = f;
        break;
    case GDYN_OP_POW:
        power_jet(a, b);
        break;
    case GDYN_OP_ATAN2:
        atan2_jet(a, b);
        break;
    case GDYN_OP_HYPOT:
        hypot_jet(a, b);
        break;
    case GDYN_OP_MIN:
    case GDYN_OP_MAX:
        if (f != a[0])
            memcpy(a, b, 3 * sizeof a[0]);
        a[0] = f;
        break;
    default: /* a + q b; of a remainder -q is a / b rounded down */
        q = op == GDYN_OP_ADD ? 1.0 : op == GDYN_OP_SUB ? -1.0 : -round((a[0] - f) / b[0]);
        a[0] = f;
        a[1] += times(q, b[1]);
        a[2] += times(q, b[2]);
        break;
    }
}

/* --- what went wrong -------------------------------------------------------------------------- */

/* Which arguments it takes. */
static const char *domain_of(gdyn_op op) {
    switch (op) {
    case GDYN_OP_SQRT:
        return "sqrt takes numbers from 0 on";
    case GDYN_OP_ASIN:
    case GDYN_OP_ACOS:
        return "asin and acos take numbers from -1 to 1";
    case GDYN_OP_LOG:
        return "log takes numbers above 0";
    case GDYN_OP_POW:
        return "a negative number has whole powers only, and 0 no negative ones";
    default:
        return NULL;
    }
}

void gdyn_expr_blame(gdyn_op op, double a, double b, double result, gdyn_expr_fault *fault) {
    static const char signs[] = "+-*/^"; /* from GDYN_OP_ADD on */
    const char *name = "-", *what = isnan(result) ? "has no value" : "is infinite";
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].op == op)
            name = functions[i].name;
    if (op < GDYN_OP_ADD)
        snprintf(fault->text, sizeof fault->text, "%s(%.6g) %s", name, a, what);
    else if (op <= GDYN_OP_POW)
        snprintf(fault->text, sizeof fault->text, b < 0 ? "%.6g %c (%.6g) %s" : "%.6g %c %.6g %s",
                 a, signs[op - GDYN_OP_ADD], b, what);
    else
        snprintf(fault->text, sizeof fault->text, "%s(%.6g, %.6g) %s", name, a, b, what);
    fault->help = isnan(result) ? domain_of(op) : NULL;
}
