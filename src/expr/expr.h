/* expr.h - quantities with units, and formulas compiled once and evaluated with exact first and
 * second derivative (second-order Taylor arithmetic).
 *
 * A number is 12, 1e-3, .5; a quantity carries a unit behind it: "120 mm", "30 deg", "12 N m",
 * "4e7 N/m", "0.02 N m s/rad", "300 rpm", "1 kg m^2". A formula uses + - * / ^, parentheses,
 * constants (pi, e), functions (sqrt sin cos tan asin acos atan atan2 exp log abs min max hypot
 * sinh cosh tanh floor ceil round mod) and names. Values are SI and radians.
 *
 * Dimensions: known where a unit was stated; a bare number is of unknown dimension and fits
 * anywhere. Adding metres to kilograms is an error; so is cos(3 m). */
#ifndef GDYN_EXPR_EXPR_H
#define GDYN_EXPR_EXPR_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct gdyn_dimension {
    bool known;            /* false: fits anywhere */
    signed char m, kg, s; /* exponents; radians are dimensionless */
} gdyn_dimension;

extern const gdyn_dimension GDYN_DIM_UNKNOWN, GDYN_DIM_NONE, GDYN_DIM_LENGTH, GDYN_DIM_MASS,
    GDYN_DIM_TIME, GDYN_DIM_FORCE, GDYN_DIM_TORQUE, GDYN_DIM_INERTIA, GDYN_DIM_SPEED,
    GDYN_DIM_ANGULAR_SPEED, GDYN_DIM_ACCELERATION;

bool gdyn_dimension_fits(gdyn_dimension a, gdyn_dimension b);
/* "kg m^2/s^2" and the like, written to text[size]. */
const char *gdyn_dimension_text(gdyn_dimension dimension, char *text, size_t size);

typedef struct gdyn_quantity {
    double value; /* SI */
    gdyn_dimension dimension;
} gdyn_quantity;

/* Where names get their meaning. `constant` answers names whose value is known when compiling
 * (dotted and $-free names are passed whole); variables stay open and are passed at evaluation, in
 * this order. */
typedef struct gdyn_scope {
    bool (*constant)(void *context, const char *name, gdyn_quantity *quantity);
    void *context;
    const char *const *variables;
    const gdyn_dimension *dimensions; /* of the variables; NULL: all unknown */
    int variable_count;
    const char *const *suggestions; /* names for "did you mean"; may be NULL */
    int suggestion_count;
} gdyn_scope;

typedef struct gdyn_expr_error {
    int offset, width; /* place inside the text, in bytes from 0 */
    char message[200]; /* "unknown name 'lag'" */
    char help[200];    /* "did you mean 'leg'?" or "" */
} gdyn_expr_error;

typedef struct gdyn_expr gdyn_expr;

/* Compiles; NULL on error, with *error filled. The result is immutable and thread-safe. */
gdyn_expr *gdyn_expr_compile(const char *text, const gdyn_scope *scope, gdyn_expr_error *error);
void gdyn_expr_destroy(gdyn_expr *expr);
/* A constant as an expression. */
gdyn_expr *gdyn_expr_constant(double value);

gdyn_dimension gdyn_expr_dimension(const gdyn_expr *expr);
bool gdyn_expr_is_constant(const gdyn_expr *expr);
/* Value at the variables. NaN and infinity can come out (1/0): the caller checks. */
double gdyn_expr_value(const gdyn_expr *expr, const double *variables);
/* jet = {value, first, second derivative} with respect to variable number `by`. */
void gdyn_expr_jet(const gdyn_expr *expr, const double *variables, int by, double jet[3]);

#endif
