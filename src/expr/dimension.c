/* dimension.c - dimensions as exponents of metre, kilogram and second. */
#include "code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const gdyn_dimension GDYN_DIM_UNKNOWN = {false, 0, 0, 0, false};
const gdyn_dimension GDYN_DIM_NONE = {true, 0, 0, 0, false};
const gdyn_dimension GDYN_DIM_LENGTH = {true, 1, 0, 0, false};
const gdyn_dimension GDYN_DIM_MASS = {true, 0, 1, 0, false};
const gdyn_dimension GDYN_DIM_TIME = {true, 0, 0, 1, false};
const gdyn_dimension GDYN_DIM_FORCE = {true, 1, 1, -2, false};
const gdyn_dimension GDYN_DIM_TORQUE = {true, 2, 1, -2, false};
const gdyn_dimension GDYN_DIM_INERTIA = {true, 2, 1, 0, false};
const gdyn_dimension GDYN_DIM_SPEED = {true, 1, 0, -1, false};
const gdyn_dimension GDYN_DIM_ANGULAR_SPEED = {true, 0, 0, -1, false};
const gdyn_dimension GDYN_DIM_ACCELERATION = {true, 1, 0, -2, false};

bool gdyn_dimension_equal(gdyn_dimension a, gdyn_dimension b) {
    return a.m == b.m && a.kg == b.kg && a.s == b.s;
}

bool gdyn_dimension_fits(gdyn_dimension a, gdyn_dimension b) {
    return !a.known || !b.known || a.assumed || b.assumed || gdyn_dimension_equal(a, b);
}

bool gdyn_dimension_doubtful(gdyn_dimension a, gdyn_dimension b) {
    return a.known && b.known && !gdyn_dimension_equal(a, b) && (a.assumed || b.assumed);
}

static bool in_range(double exponent) {
    return fabs(exponent) <= 99.0 && exponent == floor(exponent);
}

/* Exponents outside of their range are unknown, not wrong. */
static gdyn_dimension make(double m, double kg, double s) {
    if (!in_range(m) || !in_range(kg) || !in_range(s))
        return GDYN_DIM_UNKNOWN;
    return (gdyn_dimension){true, (signed char)m, (signed char)kg, (signed char)s, false};
}

/* sign -1: the quotient. */
gdyn_dimension gdyn_dimension_product(gdyn_dimension a, gdyn_dimension b, int sign) {
    if (!a.known || !b.known)
        return GDYN_DIM_UNKNOWN;
    gdyn_dimension result = make(a.m + sign * b.m, a.kg + sign * b.kg, a.s + sign * b.s);
    result.assumed = result.known && (a.assumed || b.assumed);
    return result;
}

/* Powers of numbers are numbers whatever the exponent. */
gdyn_dimension gdyn_dimension_power(gdyn_dimension a, double exponent) {
    if (!a.known)
        return GDYN_DIM_UNKNOWN;
    if (gdyn_dimension_equal(a, GDYN_DIM_NONE))
        return GDYN_DIM_NONE;
    gdyn_dimension result = make(a.m * exponent, a.kg * exponent, a.s * exponent);
    result.assumed = result.known && a.assumed;
    return result;
}

/* Dimensions that designers know under a name of their own. */
static const struct {
    gdyn_dimension dimension;
    const char *text;
} named[] = {
    {{true, 0, 0, 0, false}, "a pure number"},
    {{true, 1, 1, -2, false}, "N"},
    {{true, 2, 1, -2, false}, "N m"},
    {{true, 0, 1, -2, false}, "N/m"},
    {{true, 0, 1, -1, false}, "N s/m"},
    {{true, 2, 1, -1, false}, "N m s"},
    {{true, 2, 1, -3, false}, "W"},
    {{true, 1, 1, -3, false}, "N/s"},
    {{true, -1, 1, -2, false}, "N/m^2"},
};

/* Appends the factors of positive (sign 1) or negative exponents, joined by `join`. */
static size_t factors(char *text, size_t size, const int exponent[3], int sign, const char *join) {
    static const char *const symbol[3] = {"m", "kg", "s"};
    static const int order[3] = {1, 0, 2};
    size_t length = strlen(text);
    /* kg first, as in N = kg m/s^2 */
    for (int k = 0; k < 3; k++) {
        int i = order[k], power = sign * exponent[i];
        if (power <= 0 || length >= size)
            continue;
        const char *before = sign < 0 ? "/" : length ? join : "";
        int n = snprintf(text + length, size - length, power > 1 ? "%s%s^%d" : "%s%s", before,
                         symbol[i], power);
        length += n > 0 ? (size_t)n : 0;
    }
    return length;
}

/* By a usual name, else by its factors. */
const char *gdyn_dimension_text(gdyn_dimension dimension, char *text, size_t size) {
    if (size == 0)
        return "";
    text[0] = '\0';
    if (!dimension.known) {
        snprintf(text, size, "any unit");
        return text;
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (gdyn_dimension_equal(named[i].dimension, dimension)) {
            snprintf(text, size, "%s", named[i].text);
            return text;
        }
    const int exponent[3] = {dimension.m, dimension.kg, dimension.s};
    if (factors(text, size, exponent, 1, " ") == 0)
        snprintf(text, size, "1");
    factors(text, size, exponent, -1, "/");
    return text;
}
