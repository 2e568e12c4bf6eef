/* test_expr.c - formulas against closed forms, units against their definitions, errors with their
 * places, garbage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "expr/expr.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI               3.14159265358979323846
#define LENGTH_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = {"leg", "rail", "p", "q", "m1.torque", "mass_1", "e"};
static const gdyn_dimension dims[] = {
    {true, 1, 0, 0, false},  {true, 1, 0, 0, false},  {false, 0, 0, 0, false},
    {false, 0, 0, 0, false}, {true, 2, 1, -2, false}, {true, 0, 1, 0, false},
    {true, 1, 0, 0, false},
};
static const double values[] = {0.65, 0.5, 2.385, 0.731, 12.0, 2.5, 0.003};
static const gdyn_scope scope = {.variables = names, .dimensions = dims, .variable_count = 7};

/* --- values ---------------------------------------------------------------------------------- */

static double value_of(const char *text, const gdyn_scope *s) {
    gdyn_expr_error error;
    gdyn_expr *expr = gdyn_expr_compile(text, s, &error);
    if (!expr)
        fail_msg("%s: %d: %s", text, error.offset, error.message);
    double value = gdyn_expr_value(expr, values);
    gdyn_expr_destroy(expr);
    return value;
}

/* Formulas whose value is a double known without rounding error, or computed by the same single
 * correctly rounded operations. */
static void values_are_right(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1", 1},
        {".5", 0.5},
        {"1.", 1},
        {"1e-3", 0.001},
        {"1E+3", 1000},
        {"+3", 3},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^-1", 0.5},
        {"2^3^2", 512},
        {"2*-3", -6},
        {"--3", 3},
        {"1 - 2 - 3", -4},
        {"8/4/2", 1},
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {" \t( ( 1 )\n) ", 1},
        {"inf", INFINITY},
        {".inf", INFINITY},
        {"-.inf", -INFINITY},
        {"1/inf", 0},
        {"pi", PI},
        {"cos(pi)", -1},
        {"sqrt(16)", 4},
        {"abs(-3)", 3},
        {"min(3, 1, 2)", 1},
        {"max(3, 1, 7, 2)", 7},
        {"min(4)", 4},
        {"hypot(3, 4)", 5},
        {"hypot(2, 3, 6)", 7},
        {"mod(7, 3)", 1},
        {"mod(-7, 3)", 2},
        {"mod(7, -3)", -2},
        {"mod(-1e-20, 3)", 3},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"round(2.5)", 3},
        {"log(1)", 0},
        {"exp(0)", 1},
        {"atan2(0, -1)", PI},
        {"sinh(0) + tanh(0) + cosh(0)", 1},
        {"leg", 0.65},
        {"m1.torque/rail", 24},
        {"0.1 + 0.2", 0.1 + 0.2},
        {"123456789012345678901234567890", 1.2345678901234568e29},
        {"4.9406564584124654e-324", 4.9406564584124654e-324},
        {"1.7976931348623157e308", DBL_MAX},
        {"e*1", 0.003}, /* an own e hides the constant */
    };
    for (size_t i = 0; i < LENGTH_OF(rows); i++)
        if (value_of(rows[i].text, &scope) != rows[i].value)
            fail_msg("%s: %.17g", rows[i].text, value_of(rows[i].text, &scope));
    assert_true(value_of("e", NULL) == 2.71828182845904523536);
}

/* Identities to a few roundings. */
static void identities_hold(void **state) {
    (void)state;
    static const char *const zero[] = {
        "sin(p)^2 + cos(p)^2 - 1",
        "exp(log(p)) - p",
        "tan(p) - sin(p)/cos(p)",
        "asin(sin(q)) - q",
        "acos(cos(q)) - q",
        "atan(tan(q)) - q",
        "atan2(sin(p), cos(p)) - p",
        "cosh(p)^2 - sinh(p)^2 - 1",
        "tanh(q) - sinh(q)/cosh(q)",
        "p^0.5 - sqrt(p)",
        "p^-2 - 1/p/p",
        "q^p - exp(p*log(q))",
        "hypot(p, q) - sqrt(p^2 + q^2)",
        "mod(p, q) - (p - q*floor(p/q))",
        "sqrt(leg^2 - (rail - 60 mm)^2) - 0.47843494855622744 m",
    };
    for (size_t i = 0; i < LENGTH_OF(zero); i++)
        assert_true(fabs(value_of(zero[i], &scope)) < 200 * DBL_EPSILON);
}

static void the_locale_does_not_matter(void **state) {
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "cs_CZ.UTF-8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < LENGTH_OF(comma); i++)
        if (setlocale(LC_NUMERIC, comma[i]))
            break;
    assert_true(value_of("1.5", NULL) == 1.5);
    setlocale(LC_NUMERIC, "C");
}

/* --- units ----------------------------------------------------------------------------------- */

static void units_are_right(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double factor;
        int m, kg, s;
    } rows[] = {
        {"m", 1, 1, 0, 0},
        {"mm", 1e-3, 1, 0, 0},
        {"cm", 1e-2, 1, 0, 0},
        {"um", 1e-6, 1, 0, 0},
        {"\xc2\xb5m", 1e-6, 1, 0, 0},
        {"km", 1e3, 1, 0, 0},
        {"in", 0.0254, 1, 0, 0},
        {"deg", PI / 180, 0, 0, 0},
        {"\xc2\xb0", PI / 180, 0, 0, 0},
        {"rad", 1, 0, 0, 0},
        {"mrad", 1e-3, 0, 0, 0},
        {"rev", 2 * PI, 0, 0, 0},
        {"s", 1, 0, 0, 1},
        {"ms", 1e-3, 0, 0, 1},
        {"min", 60, 0, 0, 1},
        {"h", 3600, 0, 0, 1},
        {"kg", 1, 0, 1, 0},
        {"g", 1e-3, 0, 1, 0},
        {"t", 1e3, 0, 1, 0},
        {"N", 1, 1, 1, -2},
        {"mN", 1e-3, 1, 1, -2},
        {"kN", 1e3, 1, 1, -2},
        {"MN", 1e6, 1, 1, -2},
        {"N m", 1, 2, 1, -2},
        {"Nm", 1, 2, 1, -2},
        {"N mm", 1e-3, 2, 1, -2},
        {"J", 1, 2, 1, -2},
        {"W", 1, 2, 1, -3},
        {"kW", 1e3, 2, 1, -3},
        {"Hz", 1, 0, 0, -1},
        {"rpm", 2 * PI / 60, 0, 0, -1},
        {"rev/min", 2 * PI / 60, 0, 0, -1},
        {"Pa", 1, -1, 1, -2},
        {"MPa", 1e6, -1, 1, -2},
        {"GPa", 1e9, -1, 1, -2},
        {"bar", 1e5, -1, 1, -2},
        {"N/mm^2", 1e6, -1, 1, -2},
        {"N/mm2", 1e6, -1, 1, -2},
        {"m/s", 1, 1, 0, -1},
        {"mm/s", 1e-3, 1, 0, -1},
        {"km/h", 1 / 3.6, 1, 0, -1},
        {"m/s^2", 1, 1, 0, -2},
        {"m/s/s", 1, 1, 0, -2},
        {"m s^-2", 1, 1, 0, -2},
        {"deg/s", PI / 180, 0, 0, -1},
        {"N/m", 1, 0, 1, -2},
        {"kN/mm", 1e6, 0, 1, -2},
        {"N s/m", 1, 0, 1, -1},
        {"N m s/rad", 1, 2, 1, -1},
        {"N m/rad", 1, 2, 1, -2},
        {"kg m^2", 1, 2, 1, 0},
        {"kg m2", 1, 2, 1, 0},
        {"kg m\xc2\xb2", 1, 2, 1, 0},
        {"kg cm^2", 1e-4, 2, 1, 0},
        {"g mm^2", 1e-9, 2, 1, 0},
        {"kg/m^3", 1, -3, 1, 0},
        {"1/s", 1, 0, 0, -1},
        {"1/mm", 1e3, -1, 0, 0},
        {"1/m/s", 1, -1, 0, -1},
        /* Barry N. Taylor, NIST SP 811 (2008), appendix B.8 */
        {"ft", 0.3048, 1, 0, 0},
        {"yd", 0.9144, 1, 0, 0},
        {"mi", 1609.344, 1, 0, 0},
        {"lb", 0.45359237, 0, 1, 0},
        {"oz", 0.028349523125, 0, 1, 0},
        {"lbf", 4.4482216152605, 1, 1, -2},
        {"ozf", 0.27801385095378125, 1, 1, -2},
        {"kgf", 9.80665, 1, 1, -2},
        {"ft lbf", 1.3558179483314004, 2, 1, -2},
        {"lbf/in^2", 6894.7572931683613, -1, 1, -2},
        {"psi", 6894.7572931683613, -1, 1, -2},
        {"hp", 745.69987158227022, 2, 1, -3},
        {"arcmin", PI / 10800, 0, 0, 0},
        {"arcsec", PI / 648000, 0, 0, 0},
        {" kg  m^2 ", 1, 2, 1, 0},
    };
    for (size_t i = 0; i < LENGTH_OF(rows); i++) {
        double f = 0.0;
        gdyn_dimension d;
        if (!gdyn_unit_parse(rows[i].text, &f, &d))
            fail_msg("%s is not taken for a unit", rows[i].text);
        if (fabs(f - rows[i].factor) > 2 * DBL_EPSILON * rows[i].factor || !d.known ||
            d.m != rows[i].m || d.kg != rows[i].kg || d.s != rows[i].s)
            fail_msg("%s: %.17g, m^%d kg^%d s^%d", rows[i].text, f, d.m, d.kg, d.s);
    }
}

static void what_is_no_unit_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",     "1",     "lbs",      "mm mm mn", "N/",   "/s",
                                        "m^",   "m^x",   "m^0.5",    "m^10",     "m2^2", "N/m s",
                                        "m**2", "2 m",   "N*m",      "kkg",      "cN",   "m^^2",
                                        "m/ s", "kg, m", "\xc2\xb2", "Mmin",     "m1",   "1/"};
    double f;
    gdyn_dimension d;
    for (size_t i = 0; i < LENGTH_OF(wrong); i++)
        if (gdyn_unit_parse(wrong[i], &f, &d))
            fail_msg("'%s' was taken for a unit", wrong[i]);
}

/* Decimal prefixes do not cost a rounding: the quantity is the double nearest to its value. */
static void prefixes_are_exact(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        char text[40], plain[40];
        snprintf(text, sizeof text, "%d mm", i);
        snprintf(plain, sizeof plain, "%de-3", i);
        assert_true(value_of(text, NULL) == strtod(plain, NULL));
        snprintf(text, sizeof text, "%d g mm^2", i);
        snprintf(plain, sizeof plain, "%de-9", i);
        assert_true(value_of(text, NULL) == strtod(plain, NULL));
    }
}

static void units_end_where_names_begin(void **state) {
    (void)state;
    assert_true(value_of("120 mm", &scope) == 0.12);
    assert_true(value_of("120mm", &scope) == 0.12);
    assert_true(fabs(value_of("2*30 deg + p", &scope) - (PI / 3 + 2.385)) < 1e-15);
    assert_true(value_of("10 mm/p", &scope) == 0.01 / 2.385);
    assert_true(value_of("10 mm*p", &scope) == 0.01 * 2.385);
    assert_true(value_of("3 m/leg", &scope) == 3 / 0.65);
    assert_true(value_of("3 m / leg", &scope) == 3 / 0.65);
    assert_true(value_of("-2 m^2", &scope) == -2);
    assert_true(value_of("(2 m)^2", &scope) == 4);
    assert_true(value_of("300 1/m*leg", &scope) == 300 * 0.65);
    assert_true(value_of("5 1/mm", NULL) == 5000);
    /* A parameter may be called like a unit. */
    static const char *const s[] = {"s", "m"};
    const gdyn_scope units = {.variables = s, .variable_count = 2};
    assert_true(value_of("2*s", &units) == 1.3);
    assert_true(value_of("3 m/s*s", &units) == 3 * 0.65);
    assert_true(value_of("m + 1 m", &units) == 1.5);
}

/* --- dimensions ------------------------------------------------------------------------------ */

static void dimensions_follow_the_formula(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"3", "any unit"},
        {"2*3*pi", "any unit"},
        {"3 m", "m"},
        {"3 m + 2", "m"},
        {"2 + 3 m", "m"},
        {"2*leg", "m"},
        {"leg/2", "m"},
        {"2*pi*leg", "m"},
        {"(1 + 2)*leg", "m"},
        {"-leg", "m"},
        {"0.5*leg", "any unit"},
        {"p*leg", "any unit"},
        {"rail*cos(p)", "m"},
        {"cos(p)", "any unit"},
        {"30 deg", "a pure number"},
        {"leg/rail", "a pure number"},
        {"leg*30 deg", "m"},
        {"leg^2", "m^2"},
        {"leg^-1", "1/m"},
        {"leg^p", "any unit"},
        {"leg^(4/2)", "m^2"},
        {"(leg/rail)^p", "a pure number"},
        {"sqrt(leg^2 - rail^2)", "m"},
        {"sqrt(leg)", "any unit"},
        {"mass_1*leg^2/12", "kg m^2"},
        {"m1.torque/leg", "N"},
        {"m1.torque/leg^2", "N/m"},
        {"max(leg, 2, rail)", "m"},
        {"hypot(leg, 3 mm)", "m"},
        {"mod(leg, 3 mm)", "m"},
        {"abs(-leg)", "m"},
        {"atan2(leg, rail)", "any unit"},
        {"sin(30 deg)", "any unit"},
        {"9.81 m/s^2", "m/s^2"},
        {"3 kg/s^3", "kg/s^3"},
        {"inf*leg", "any unit"},
        {"300 rpm", "1/s"},
        {"5 W", "W"},
        {"leg^99*leg", "any unit"},
    };
    for (size_t i = 0; i < LENGTH_OF(rows); i++) {
        gdyn_expr_error error;
        gdyn_expr *expr = gdyn_expr_compile(rows[i][0], &scope, &error);
        if (!expr)
            fail_msg("%s: %s", rows[i][0], error.message);
        char found[64];
        gdyn_dimension_text(gdyn_expr_dimension(expr), found, sizeof found);
        if (strcmp(found, rows[i][1]) != 0)
            fail_msg("%s: %s instead of %s", rows[i][0], found, rows[i][1]);
        gdyn_expr_destroy(expr);
    }
}

static void dimensions_fit_and_print(void **state) {
    (void)state;
    assert_true(gdyn_dimension_fits(GDYN_DIM_LENGTH, GDYN_DIM_UNKNOWN));
    assert_true(gdyn_dimension_fits(GDYN_DIM_LENGTH, GDYN_DIM_LENGTH));
    assert_false(gdyn_dimension_fits(GDYN_DIM_LENGTH, GDYN_DIM_MASS));
    char tiny[3];
    assert_string_equal(gdyn_dimension_text(GDYN_DIM_INERTIA, tiny, sizeof tiny), "kg");
    assert_string_equal(gdyn_dimension_text(GDYN_DIM_INERTIA, NULL, 0), "");
}

/* --- errors ---------------------------------------------------------------------------------- */

static bool answer(void *context, const char *name, gdyn_quantity *quantity) {
    (void)context;
    if (strcmp(name, "lead") != 0)
        return false;
    *quantity = (gdyn_quantity){0.25, GDYN_DIM_LENGTH};
    return true;
}

static const struct {
    const char *text;
    int offset, width;
    const char *message, *help;
} wrong[] = {
    {"", 0, 1, "expected a number or a formula", ""},
    {"  ", 0, 1, "expected a number or a formula", ""},
    {"1 +", 3, 1, "expected a number, a name or '(' instead of the end", ""},
    {"1 2", 2, 1, "expected an operator before '2'", ""},
    {"p p", 2, 1, "expected an operator before 'p'", ""},
    {"(1 + 2", 6, 1, "')' is missing before the end", ""},
    {"1 + 2)", 5, 1, "')' closes nothing", ""},
    {"2**3", 2, 1, "expected a number, a name or '(' instead of '*'", "a power is written x^2"},
    {"p % 2", 2, 1, "unexpected '%'", "the remainder is written mod(a, b)"},
    {"p*$i", 2, 1, "expected a number, a name or '(' instead of '$'",
     "'$i' belongs in names; in a formula write i"},
    {"2*lag", 2, 3, "unknown name 'lag'", "did you mean 'leg'?"},
    {"3*laed", 2, 4, "unknown name 'laed'", "did you mean 'lead'?"},
    {"m1.torqe", 0, 8, "unknown name 'm1.torqe'", "did you mean 'm1.torque'?"},
    {"one", 0, 3, "unknown name 'one'", ""},
    {"2*PI", 2, 2, "unknown name 'PI'", "did you mean 'pi'?"},
    {"2*.nan", 2, 4, ".nan is not a value", ""},
    {"12 lbs", 3, 3, "unknown unit 'lbs'", "did you mean 'lb' or 'lb s'?"},
    {"1 kgm2", 2, 4, "unknown unit 'kgm2'", "did you mean 'kg m2'?"},
    {"1 Nmm", 2, 3, "unknown unit 'Nmm'", "did you mean 'N mm' or 'Nm m'?"},
    {"1 furlong", 2, 7, "unknown unit 'furlong'", "globdyn explain units lists all"},
    {"3 1/m s", 6, 1, "ambiguous unit: a product after a quotient",
     "write the products first (N m s/rad) and one '/' for each divisor (m/s/s)"},
    {"3 1/2", 2, 1, "expected an operator before '1'", ""},
    {"2,5", 1, 1, "unexpected ','", "decimals are written with a point: 2.5"},
    {"1:50", 1, 1, "unexpected ':'", "a ratio is written 1/50"},
    {"2\xc2\xa0m", 1, 2, "unexpected '\xc2\xa0'",
     "this is a no-break space: write an ordinary one"},
    {"\xe2\x88\x92p", 0, 3, "expected a number, a name or '(' instead of '\xe2\x88\x92'",
     "this is the minus sign of typesetters: write the - of the keyboard"},
    {"12 N mn", 5, 2, "unknown unit 'mn'", "did you mean 'mm'?"},
    {"2 leg", 2, 3, "unknown unit 'leg'", "a product needs a sign: 2*leg"},
    {"4 N/m s", 6, 1, "ambiguous unit: a product after a quotient",
     "write the products first (N m s/rad) and one '/' for each divisor (m/s/s)"},
    {"sqr(2)", 0, 3, "unknown function 'sqr'", "did you mean 'sqrt'?"},
    {"leg(2)", 0, 3, "unknown function 'leg'", "a product needs a sign: leg*(...)"},
    {"atan2(1)", 0, 8, "atan2 takes 2 arguments, not 1", ""},
    {"sin()", 0, 5, "sin takes 1 argument, not 0", ""},
    {"hypot(1)", 0, 8, "hypot takes at least 2 arguments, not 1", ""},
    {"1 m + 2 kg", 6, 4, "units do not agree in a sum: m and kg", ""},
    {"1 m - 2 s", 6, 3, "units do not agree in a difference: m and s", ""},
    {"max(leg, 3 s)", 9, 3, "units do not agree in max: m and s", ""},
    {"sin(3 m)", 4, 3, "sin takes an angle, not m", ""},
    {"exp(2*leg)", 4, 5, "exp takes a pure number, not m", ""},
    {"2^(3 m)", 2, 5, "an exponent is a pure number, not m", ""},
    {"1 + 1/0", 4, 3, "division by zero", ""},
    {"p/(1 - 1)", 0, 9, "division by zero", ""},
    {"sqrt(-1)", 0, 8, "sqrt(-1) has no value", "sqrt takes numbers from 0 on"},
    {"inf - inf", 0, 9, "inf - inf has no value", ""},
    {"log(0)", 0, 6, "log(0) is infinite", ""},
    {"exp(1000)", 0, 9, "exp(1000) is infinite", ""},
    {"1e999", 0, 5, "this number is too large", ""},
    {"1e308 km", 0, 8, "this quantity is too large", ""},
    {"\x01", 0, 1, "expected a number, a name or '(' instead of byte 0x01", ""},
    {"p\xff", 1, 1, "unexpected byte 0xff", ""},
    {"p\xc3\xa9", 1, 2, "unexpected '\xc3\xa9'", ""},
};

static void errors_have_place_and_help(void **state) {
    (void)state;
    static const char *const suggestions[] = {"lead"};
    gdyn_scope s = scope;
    s.constant = answer;
    s.suggestions = suggestions;
    s.suggestion_count = 1;
    for (size_t i = 0; i < LENGTH_OF(wrong); i++) {
        gdyn_expr_error error;
        gdyn_expr *expr = gdyn_expr_compile(wrong[i].text, &s, &error);
        if (expr || error.offset != wrong[i].offset || error.width != wrong[i].width ||
            strcmp(error.message, wrong[i].message) != 0 || strcmp(error.help, wrong[i].help) != 0)
            fail_msg("'%s': %d+%d: %s (%s)", wrong[i].text, error.offset, error.width,
                     expr ? "accepted" : error.message, error.help);
        assert_null(gdyn_expr_compile(wrong[i].text, &s, NULL));
    }
    assert_true(value_of("2*lead", &s) == 0.5);
    /* Where few names are known they are listed. */
    static const char *const time[] = {"t"};
    gdyn_scope small = {.variables = time, .variable_count = 1};
    gdyn_expr_error error;
    assert_null(gdyn_expr_compile("2*phi", &small, &error));
    assert_string_equal(error.help, "names known here: t");
}

/* --- robustness ------------------------------------------------------------------------------ */

static void repeat(char *text, const char *piece, int count) {
    for (int i = 0; i < count; i++, text += strlen(piece))
        strcpy(text, piece);
}

static void refused_with(const char *text, const char *message) {
    gdyn_expr_error error;
    assert_null(gdyn_expr_compile(text, &scope, &error));
    assert_string_equal(error.message, message);
}

static void depth_and_length_are_limited(void **state) {
    (void)state;
    enum { MANY = 5000 };
    static const char *const nests[] = {"(", "-", "sin(", "2^", "1-(", "hypot(1,"};
    char *text = malloc(20 * MANY);
    assert_non_null(text);
    for (size_t i = 0; i < LENGTH_OF(nests); i++) {
        repeat(text, nests[i], MANY);
        strcat(text, "1");
        refused_with(text, "the formula is nested too deeply");
    }
    repeat(text, "1-(p*(2^(", 60); /* few levels, many waiting operands */
    strcat(text, "p");
    assert_null(gdyn_expr_compile(text, &scope, NULL));
    repeat(text, "+1", 8 * MANY);
    refused_with(text, "the formula is too long");
    repeat(text, "1", 500);
    refused_with(text, "this number has too many digits");
    repeat(text, "a", 500);
    refused_with(text, "this name is too long");
    /* A long sum is flat. */
    strcpy(text, "p");
    repeat(text + 1, "+p", MANY);
    gdyn_expr *expr = gdyn_expr_compile(text, &scope, NULL);
    assert_non_null(expr);
    assert_true(fabs(gdyn_expr_value(expr, values) - 2.385 * (MANY + 1)) < 1e-6);
    gdyn_expr_destroy(expr);
    free(text);
}

/* What the compiler answers to any text: a usable formula, or an error inside the text. */
static bool check_answer(const char *text) {
    gdyn_expr_error error;
    gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
    if (!expr) {
        int length = (int)strlen(text);
        assert_true(error.offset >= 0 && error.width >= 1 && error.message[0]);
        assert_true(error.offset + error.width <= length + 1);
        return false;
    }
    double jet[3], value = gdyn_expr_value(expr, values);
    gdyn_expr_jet(expr, values, 2, jet);
    assert_true(value == jet[0] || (isnan(value) && isnan(jet[0])));
    gdyn_expr_destroy(expr);
    return true;
}

static void garbage_is_refused(void **state) {
    (void)state;
    static const char *const token[] = {
        "1", "2.5",  "1e-3", "p",      "q", "leg", "sin(", "min(", "(",    ")",        "+",
        "-", "*",    "/",    "^",      ",", " ",   "mm",   "N m",  "/s",   "^2",       "pi",
        "e", ".inf", "mod(", "12 deg", ".", "$i",  "\n",   "\"",   "\xff", "\xc2\xb0",
    };
    int accepted = 0;
    for (unsigned i = 0; i < 100000; i++) {
        gdyn_random r = gdyn_random_stream(11, i, 0);
        char text[256] = "";
        for (int n = 1 + gdyn_random_below(&r, 12); n > 0; n--)
            strcat(text, token[gdyn_random_below(&r, (int)LENGTH_OF(token))]);
        accepted += check_answer(text);
    }
    assert_in_range(accepted, 1000, 60000);
}

static void lack_of_memory_is_an_error(void **state) {
    (void)state;
    const char *text = "p*(q + leg*rail/(3 + sin(p*q)*cos(p - q)*tan(p))) + p*q*p*q*p*q*p*q";
    for (int after = 0;; after++) {
        gdyn_expr_error error;
        gdyn_alloc_fail_after(after);
        gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
        gdyn_alloc_fail_after(-1);
        if (expr) {
            assert_true(after > 1);
            gdyn_expr_destroy(expr);
            return;
        }
        assert_string_equal(error.message, "out of memory");
    }
}

/* --- helpers --------------------------------------------------------------------------------- */

static void collect(void *context, const char *name, int length, int offset) {
    char *list = context;
    snprintf(list + strlen(list), 200 - strlen(list), "%.*s@%d ", length, name, offset);
}

static void names_of(const char *text, const char *expected) {
    char list[200] = "";
    gdyn_expr_names(text, collect, list);
    assert_string_equal(list, expected);
}

static void names_are_found(void **state) {
    (void)state;
    names_of("rail*cos(i*pi/2)", "rail@0 i@9 pi@11 ");
    names_of("2*s + 3 m/s*t", "s@2 t@12 ");
    names_of("a.b.c - 12 N m - .inf", "a.b.c@0 ");
    names_of("sqrt (x)", "x@6 ");
    names_of("))(( $ \xff 1e 3 ..", "e@10 ");
    assert_true(gdyn_name_valid("leg_1"));
    assert_true(gdyn_name_valid("_x"));
    assert_false(gdyn_name_valid(""));
    assert_false(gdyn_name_valid("1x"));
    assert_false(gdyn_name_valid("a-b"));
    assert_false(gdyn_name_valid("a.b"));
    assert_true(gdyn_name_reserved("pi"));
    assert_true(gdyn_name_reserved("hypot"));
    assert_false(gdyn_name_reserved("leg"));
}

static void relations_are_split(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int left, relation, right;
    } rows[] = {
        {"circle.reach >= 1", 13, 1, 15},
        {"a<b", 1, -1, 2},
        {"a = b", 2, 0, 3},
        {"a == b", 2, 0, 4},
        {"a<=2 m", 1, -1, 3},
    };
    int left, relation, right;
    for (size_t i = 0; i < LENGTH_OF(rows); i++) {
        assert_true(gdyn_relation_split(rows[i].text, &left, &relation, &right));
        assert_int_equal(left, rows[i].left);
        assert_int_equal(relation, rows[i].relation);
        assert_int_equal(right, rows[i].right);
    }
    assert_false(gdyn_relation_split("a + b", &left, &relation, &right));
    assert_false(gdyn_relation_split("1 < a < 2", &left, &relation, &right));
    assert_false(gdyn_relation_split("a => 2", &left, &relation, &right));
}

static void queries_answer(void **state) {
    (void)state;
    gdyn_expr *expr = gdyn_expr_compile("leg*sin(p)", &scope, NULL);
    assert_non_null(expr);
    assert_false(gdyn_expr_is_constant(expr));
    assert_true(gdyn_expr_uses(expr, 0) && gdyn_expr_uses(expr, 2));
    assert_false(gdyn_expr_uses(expr, 1));
    gdyn_expr_destroy(expr);
    expr = gdyn_expr_constant(3.5);
    assert_true(gdyn_expr_is_constant(expr));
    assert_true(gdyn_expr_value(expr, NULL) == 3.5);
    gdyn_expr_destroy(expr);
    gdyn_expr_destroy(NULL);
}

/* A bare whole factor may stand for a quantity: "3*leg^2/12" fits a moment of inertia, with doubt;
 * a division by a whole number leaves no doubt. */
static void test_assumed_dimensions(void **unused) {
    (void)unused;
    const struct {
        const char *text;
        bool fits, doubtful;
    } wanted[] = {{"3*leg^2/12", true, true},
                  {"leg^2/12", false, false},
                  {"2*leg", true, true},
                  {"0.3*leg^2", true, false},
                  {"mass_1*leg^2/12", true, false},
                  {"2*leg + mass_1", true, false}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        gdyn_dimension units[] = {GDYN_DIM_LENGTH, GDYN_DIM_MASS};
        static const char *const two[] = {"leg", "mass_1"};
        gdyn_scope open = {.variables = two, .dimensions = units, .variable_count = 2};
        gdyn_expr *expr = gdyn_expr_compile(wanted[i].text, &open, NULL);
        assert_non_null(expr);
        gdyn_dimension wants = i == 5 ? GDYN_DIM_MASS : GDYN_DIM_INERTIA,
                       found = gdyn_expr_dimension(expr);
        assert_int_equal(gdyn_dimension_fits(found, wants), wanted[i].fits);
        assert_int_equal(gdyn_dimension_doubtful(found, wants), wanted[i].doubtful);
        gdyn_expr_destroy(expr);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_right),
        cmocka_unit_test(identities_hold),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(units_are_right),
        cmocka_unit_test(what_is_no_unit_is_refused),
        cmocka_unit_test(prefixes_are_exact),
        cmocka_unit_test(units_end_where_names_begin),
        cmocka_unit_test(dimensions_follow_the_formula),
        cmocka_unit_test(dimensions_fit_and_print),
        cmocka_unit_test(errors_have_place_and_help),
        cmocka_unit_test(depth_and_length_are_limited),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(lack_of_memory_is_an_error),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(relations_are_split),
        cmocka_unit_test(test_assumed_dimensions),
        cmocka_unit_test(queries_answer),
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
