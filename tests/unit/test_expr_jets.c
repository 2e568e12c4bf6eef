/* test_expr_jets.c - first and second derivatives of formulas against analytic ones and against
 * central differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "expr/expr.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI               3.14159265358979323846
#define LENGTH_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = {"p", "q"};
static const gdyn_scope scope = {.variables = names, .variable_count = 2};

static void jets_match_closed_forms(void **state) {
    (void)state;
    const double x = 2.385, y = 0.731;
    const struct {
        const char *text;
        double at, d, dd;
    } rows[] = {
        {"p^3", x, 3 * x * x, 6 * x},
        {"p^2", 0, 0, 2},
        {"p^1", 0, 1, 0},
        {"p^0", 0, 0, 0},
        {"(p - 5)^3", x, 3 * (x - 5) * (x - 5), 6 * (x - 5)},
        {"1/p", x, -1 / (x * x), 2 / (x * x * x)},
        {"sqrt(p)", x, 0.5 / sqrt(x), -0.25 / (x * sqrt(x))},
        {"sin(2*p)", x, 2 * cos(2 * x), -4 * sin(2 * x)},
        {"cos(p)", x, -sin(x), -cos(x)},
        {"tan(p)", x, 1 / (cos(x) * cos(x)), 2 * sin(x) / pow(cos(x), 3)},
        {"asin(p)", y, 1 / sqrt(1 - y * y), y / pow(1 - y * y, 1.5)},
        {"acos(p)", y, -1 / sqrt(1 - y * y), -y / pow(1 - y * y, 1.5)},
        {"atan(p)", x, 1 / (1 + x * x), -2 * x / pow(1 + x * x, 2)},
        {"exp(-p)", x, -exp(-x), exp(-x)},
        {"log(p)", x, 1 / x, -1 / (x * x)},
        {"sinh(p)", x, cosh(x), sinh(x)},
        {"cosh(p)", x, sinh(x), cosh(x)},
        {"tanh(p)", y, 1 / pow(cosh(y), 2), -2 * tanh(y) / pow(cosh(y), 2)},
        {"2^p", x, log(2) * pow(2, x), log(2) * log(2) * pow(2, x)},
        {"p^p", x, pow(x, x) * (log(x) + 1), pow(x, x) * (pow(log(x) + 1, 2) + 1 / x)},
        {"atan2(p, 3)", x, 3 / (9 + x * x), -6 * x / pow(9 + x * x, 2)},
        {"atan2(3, p)", x, -3 / (9 + x * x), 6 * x / pow(9 + x * x, 2)},
        {"hypot(p, 3)", x, x / sqrt(9 + x * x), 9 / pow(9 + x * x, 1.5)},
        {"abs(p - 3)", x, -1, 0},
        {"abs(p)", 0, 0, 0},
        {"floor(p)", x, 0, 0},
        {"mod(p, 2)", x, 1, 0},
        {"mod(-5, p)", x, 3, 0},
        {"min(p^2, 3)", x, 0, 0},
        {"max(p^2, 3)", x, 2 * x, 2},
        {"sqrt(p - p)", x, 0, 0},
        {"7 + q", x, 0, 0},
    };
    for (size_t i = 0; i < LENGTH_OF(rows); i++) {
        gdyn_expr *expr = gdyn_expr_compile(rows[i].text, &scope, NULL);
        assert_non_null(expr);
        double at[2] = {rows[i].at, 1}, jet[3];
        gdyn_expr_jet(expr, at, 0, jet);
        if (jet[0] != gdyn_expr_value(expr, at) ||
            fabs(jet[1] - rows[i].d) > 32 * DBL_EPSILON * fabs(rows[i].d) ||
            fabs(jet[2] - rows[i].dd) > 32 * DBL_EPSILON * fabs(rows[i].dd))
            fail_msg("%s: %.17g %.17g %.17g", rows[i].text, jet[0], jet[1], jet[2]);
        gdyn_expr_destroy(expr);
    }
}

/* Random formulas of p and q, smooth wherever p and q are in [1, 2]; %1 and %2 are operands. */
static void grow(gdyn_random *r, int depth, char *text, size_t size) {
    static const char *const leaf[] = {"p", "q", "0.7", "2", "pi", "(p - 1.5)"};
    static const char *const node[] = {
        "sin(%1)",
        "cos(%1)",
        "-%1",
        "tanh(%1)",
        "atan(%1)",
        "sqrt(2 + cos(%1))",
        "exp(-(%1)^2)",
        "log(3 + sin(%1))",
        "(%1)^3",
        "asin(sin(%1)/2)",
        "(2 + cos(%1))^0.3",
        "acos(tanh(%1)/2)",
        "tan(sin(%1))",
        "sinh(sin(%1))",
        "cosh(cos(%1))",
        "(%1 + %2)",
        "(%1 - %2)",
        "(%1*%2)",
        "%1/(2 + sin(%2))",
        "hypot(1 + exp(cos(%1)), %2)",
        "atan2(%1, 2 + sin(%2))",
        "(2 + sin(%1))^cos(%2)",
        "(%1*%2)",
        "%1/(2 + sin(%2))",
    };
    char piece[2][1500];
    if (depth == 0) {
        snprintf(text, size, "%s", leaf[gdyn_random_below(r, (int)LENGTH_OF(leaf))]);
        return;
    }
    grow(r, depth - 1, piece[0], sizeof piece[0]);
    grow(r, depth - 1, piece[1], sizeof piece[1]);
    const char *pattern = node[gdyn_random_below(r, (int)LENGTH_OF(node))];
    size_t n = 0;
    for (const char *c = pattern; *c && n + 1 < size; c++)
        if (*c == '%')
            n += (size_t)snprintf(text + n, size - n, "%s", piece[*++c - '1']);
        else
            text[n++] = *c;
    text[n < size ? n : size - 1] = '\0';
}

/* Five-point differences (errors of order h^4) at h and h/2. The two differ by 15/16 of the error
 * of the first, which is 15 times the error of the second: their difference bounds the truncation.
 * Each value carries some hundreds of roundings at most. */
static void compare_with_differences(const gdyn_expr *expr, const char *text, double *at) {
    double jet[3], f[5], d[2], dd[2], h = 4e-3, scale = 1.0, p = at[0];
    gdyn_expr_jet(expr, at, 0, jet);
    for (int level = 0; level < 2; level++) {
        h *= 0.5;
        for (int i = 0; i < 5; i++) {
            at[0] = p + (i - 2) * h;
            f[i] = gdyn_expr_value(expr, at);
            scale = fmax(scale, fabs(f[i]));
        }
        d[level] = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h);
        dd[level] = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h);
    }
    at[0] = p;
    double rounding = 300 * DBL_EPSILON * (scale + fabs(jet[1]));
    if (fabs(jet[1] - d[1]) > fabs(d[1] - d[0]) + rounding / h ||
        fabs(jet[2] - dd[1]) > fabs(dd[1] - dd[0]) + rounding / h / h)
        fail_msg("%s at %.17g: %.10g %.10g against %.10g %.10g", text, p, jet[1], jet[2], d[1],
                 dd[1]);
}

static void jets_match_differences(void **state) {
    (void)state;
    int compared = 0;
    for (unsigned i = 0; i < 3000; i++) {
        gdyn_random r = gdyn_random_stream(7, i, 0);
        char text[4096];
        grow(&r, 1 + gdyn_random_below(&r, 4), text, sizeof text);
        gdyn_expr_error error;
        gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
        if (!expr)
            fail_msg("%s: %s", text, error.message);
        double at[2], jet[3];
        at[0] = gdyn_random_between(&r, 1, 2);
        at[1] = gdyn_random_between(&r, 1, 2);
        gdyn_expr_jet(expr, at, 0, jet);
        assert_true(jet[0] == gdyn_expr_value(expr, at));
        /* Where nested cubes make the function too steep, differences say nothing. */
        if (fabs(jet[0]) < 100 && fabs(jet[1]) < 100 && fabs(jet[2]) < 1e4) {
            compare_with_differences(expr, text, at);
            compared++;
        }
        gdyn_expr_destroy(expr);
    }
    assert_in_range(compared, 2000, 3000);
}

/* A turn of a sine is a wave, a power half of one; products add theirs. */
static void waves_of_formulas(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double waves;
    } known[] = {{"2 + 3*pi", 0},         {"-(p/4) + 1", 0.5},
                 {"0.1*cos(p)", 1},       {"1 - sin(6*(p/2 - 1) + p)", 4},
                 {"3*p^2 - p + 7", 1},    {"p*(2 - p)*sin(3*p)", 4},
                 {"2*sin(2*p)^3 + p", 6}, {"0.5*sin(2)*p", 0.5},
                 {"sin(p^2)", INFINITY},  {"exp(-p)", INFINITY},
                 {"1/p", INFINITY},       {"p^0.5", INFINITY},
                 {"abs(p)", INFINITY}};
    static const char *const p[] = {"p"};
    const gdyn_scope of_p = {.variables = p, .variable_count = 1};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        gdyn_expr_error error;
        gdyn_expr *expr = gdyn_expr_compile(known[i].text, &of_p, &error);
        assert_non_null(expr);
        double waves = gdyn_expr_waves(expr, 2 * acos(-1.0));
        assert_true(waves == known[i].waves || fabs(waves - known[i].waves) < 1e-12);
        gdyn_expr_destroy(expr);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jets_match_closed_forms),
        cmocka_unit_test(jets_match_differences),
        cmocka_unit_test(waves_of_formulas),
    };
    return cmocka_run_group_tests_name("expr_jets", tests, NULL, NULL);
}
