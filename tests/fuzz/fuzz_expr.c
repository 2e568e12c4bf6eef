/* fuzz_expr.c - any text is either a formula that evaluates, or an error with a place inside it. */
#include "driver.h"
#include "judge.h"

#include "expr/expr.h"

#include <math.h>

static const char *const names[] = {"leg", "rail", "p", "m1.torque", "e"};
static const gdyn_dimension dims[] = {{true, 1, 0, 0, false},
                                      {true, 1, 0, 0, false},
                                      {false, 0, 0, 0, false},
                                      {true, 2, 1, -2, false},
                                      {true, 1, 0, 0, false}};
static const gdyn_scope scope = {.variables = names,
                                 .dimensions = dims,
                                 .variable_count = 5,
                                 .suggestions = names,
                                 .suggestion_count = 5};

/* Two evaluators, one answer. */
static void check_formula(const gdyn_expr *expr) {
    static const double points[3][5] = {
        {0.65, 0.5, 2.385, 12, 0.003}, {0, 0, 0, 0, 0}, {-1e200, 1e-200, INFINITY, 3, 1}};
    for (int i = 0; i < 3; i++) {
        double jet[3], value = gdyn_expr_value(expr, points[i]);
        gdyn_expr_jet(expr, points[i], 2, jet);
        require(value == jet[0] || (isnan(value) && isnan(jet[0])));
        if (!gdyn_expr_uses(expr, 2) && isfinite(value))
            require(jet[1] == 0.0 && jet[2] == 0.0);
    }
    char text[64];
    require(strlen(gdyn_dimension_text(gdyn_expr_dimension(expr), text, sizeof text)) > 0);
}

static void check_error(const gdyn_expr_error *error, int length) {
    require(error->offset >= 0 && error->width >= 1 && error->offset + error->width <= length + 1);
    require(error->message[0] && !strchr(error->message, '\n'));
}

static void visit(void *context, const char *name, int length, int offset) {
    const char *text = context;
    require(length > 0 && name == text + offset && (size_t)(offset + length) <= strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    gdyn_expr_error error;
    gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
    if (expr)
        check_formula(expr);
    else
        check_error(&error, (int)strlen(text));
    gdyn_expr_destroy(expr);
    double factor = NAN;
    gdyn_dimension dimension;
    if (gdyn_unit_parse(text, &factor, &dimension))
        require(factor > 0.0);
    int left, relation, right;
    if (gdyn_relation_split(text, &left, &relation, &right))
        require(left < right && (size_t)right <= strlen(text));
    gdyn_expr_names(text, visit, text);
    free(text);
    return 0;
}

#ifndef GDYN_LIBFUZZER
static const char *const words[] = {
    "sqrt(", "sin(",   "cos(",      "tan(",     "asin(",    "acos(", "atan(", "atan2(", "exp(",
    "log(",  "abs(",   "min(",      "max(",     "hypot(",   "sinh(", "cosh(", "tanh(",  "floor(",
    "ceil(", "round(", "mod(",      " mm",      " N m",     "/s",    "^2",    " deg",   " kg m^2",
    " rpm",  "/rad",   "\xc2\xb5m", "\xc2\xb0", "\xc2\xb2", "pi",    "e",     "inf",    ".inf",
    "p",     "leg",    "m1.torque", "((((((((", "1e",       "--",    "**",    "1e308",  "4.9e-324",
    ">=",    "==",     ",",         "^",        "^-1",      ")",     "/0",
};

static const char *const formulas[] = {
    "120 mm",
    "-2^2 + 3*leg",
    "rail*cos(2*pi/3)",
    "sqrt(leg^2 - (rail - 60 mm)^2)",
    "min(1, 2, p)*hypot(p, 3, 4)",
    "0.02 N m s/rad",
    "m1.torque/leg >= 12 kN/mm^2",
    "mod(p, 2)^p - atan2(p, 1)/exp(-p)",
    "2*30 deg + p",
    "300 rpm",
    "1 kg m2",
    "(((1)))",
    "p",
    "abs(floor(p) - ceil(p)) + round(p)*tanh(sinh(p)/cosh(p))",
    "log(p)*asin(p)*acos(p)*atan(p)",
    "",
    "1/p",
    "p^0.5",
    "km/h",
    "1/s",
};

int main(int argc, char **argv) {
    static fuzz_corpus corpus = {.word = words, .words = sizeof words / sizeof words[0]};
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++)
        fuzz_add(&corpus, formulas[i], strlen(formulas[i]));
    return fuzz_main(argc, argv, &corpus);
}
#endif
