/* expr.h - quantities with units, and formulas compiled once and evaluated with exact first and
 * second derivative (second-order Taylor arithmetic).
 *
 * A number is 12, 1e-3, .5; a quantity carries a unit behind it: "120 mm", "30 deg", "12 N m",
 * "4e7 N/m", "0.02 N m s/rad", "300 rpm", "1 kg m^2". A formula uses + - * / ^, parentheses,
 * constants (pi, e), functions (sqrt sin cos tan asin acos atan atan2 exp log abs min max hypot
 * sinh cosh tanh floor ceil round mod) and names; inf and .inf are infinity. Values are SI and
 * radians. -2^2 is -4, 2^3^2 is 2^9; mod takes the sign of its second argument; min, max and hypot
 * take any number of arguments.
 *
 * A word behind a number is a unit, never a name; everywhere else it is a name, never a unit.
 *
 * Dimensions: known where a unit was given; a bare number is of unknown dimension and fits
 * anywhere. Adding metres to kilograms is an error; so is cos(3 m). In a product a whole number, pi
 * and the result of sin, exp, ... leave the dimension alone (2*leg is a length if leg is one); any
 * other bare number might mean anything and makes the product unknown. */
#pragma once

#include "base/api.h"
#include "base/codes.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

GDYN_API_BEGIN

typedef struct gdyn_dimension {
    bool known;           /* false: fits anywhere */
    signed char m, kg, s; /* exponents; radians are dimensionless */
    bool assumed;         /* a bare integer factor was taken as a pure number: "2*leg" is a length,
                             unless the 2 stands for something, as in "3*leg^2/12" with 3 kg */
} gdyn_dimension;

extern const gdyn_dimension GDYN_DIM_UNKNOWN, GDYN_DIM_NONE, GDYN_DIM_LENGTH, GDYN_DIM_MASS,
    GDYN_DIM_TIME, GDYN_DIM_FORCE, GDYN_DIM_TORQUE, GDYN_DIM_INERTIA, GDYN_DIM_SPEED,
    GDYN_DIM_ANGULAR_SPEED, GDYN_DIM_ACCELERATION;

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
    /* any bare number is a factor without a unit, not only a whole one; sums of unlike units
     * whose factors may hide one are of no known unit */
    bool weights;
} gdyn_scope;

typedef struct gdyn_expr_error {
    int offset, width; /* place inside the text, in bytes from 0 */
    char mark[8];      /* of its kind (base/codes.h) */
    char message[200]; /* "unknown name 'lag'" */
    char help[200];    /* "did you mean 'leg'?" or "" */
} gdyn_expr_error;

typedef struct gdyn_expr gdyn_expr;

/* Compiles; NULL on error, with *error filled. The result is immutable and thread-safe. `scope` may
 * be NULL. Constant parts are computed at once; one without a finite value (1/0) is an error. */
gdyn_expr *gdyn_expr_compile(const char *text, const gdyn_scope *scope, gdyn_expr_error *error);
void gdyn_expr_destroy(gdyn_expr *expr);
/* A constant as an expression. */
gdyn_expr *gdyn_expr_constant(double value);

/* A table y(x) of count >= 2 rows with growing x as an expression of variable 0: linear between
 * its rows and constant beyond, or (smooth) the natural cubic spline, straight beyond. NULL:
 * memory is out. */
gdyn_expr *gdyn_expr_table(int count, const double *x, const double *y, bool smooth);

gdyn_dimension gdyn_expr_dimension(const gdyn_expr *expr);
bool gdyn_expr_is_constant(const gdyn_expr *expr);
/* Value at the variables. NaN and infinity can come out (1/x at 0): the caller checks. */
double gdyn_expr_value(const gdyn_expr *expr, const double *variables);
/* The operation that gave the first number that is not finite. */
typedef struct gdyn_expr_fault {
    char text[100];   /* "sqrt(-2) has no value", "1 / 0 is infinite" */
    const char *help; /* what the function takes; NULL: nothing to say */
} gdyn_expr_fault;
/* Why the value at the variables is not finite; false where no operation is to blame (a
 * variable, a table). */
bool gdyn_expr_explain(const gdyn_expr *expr, const double *variables, gdyn_expr_fault *fault);
/* jet = {value, first, second derivative} with respect to variable number `by`. Where a function
 * has a kink or a step (abs, min, max, mod, floor, ...) the derivative is that of the branch taken;
 * at the tip of abs and hypot it is 0. */
void gdyn_expr_jet(const gdyn_expr *expr, const double *variables, int by, double jet[3]);

/* True when variable number `variable` occurs in the formula. */
bool gdyn_expr_uses(const gdyn_expr *expr, int variable);

/* A unit alone: "mm", "N m s/rad", "kg m^2", "1/s". False when it is none. */
bool gdyn_unit_parse(const char *text, double *factor, gdyn_dimension *dimension);

/* The symbols of units; factors are joined by blanks and slashes. */
typedef struct gdyn_unit_row {
    const char *name, *about;
    double si; /* one of it in SI units */
    gdyn_dimension dimension;
    bool prefixed; /* n, u, m, k, M, G may stand before it */
} gdyn_unit_row;

/* Calls visit for every name of a formula in the order of the text (units, functions and .inf are
 * no names; pi and e are). For finding dependences before compiling; wrong text does no harm. */
typedef void (*gdyn_name_visitor)(void *context, const char *name, int length, int offset);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* True when both are the same, or one is unknown or only assumed. */
bool gdyn_dimension_fits(gdyn_dimension a, gdyn_dimension b);
/* True when they fit only because one of them is assumed: worth a warning. */
bool gdyn_dimension_doubtful(gdyn_dimension a, gdyn_dimension b);
/* a b (sign 1) or a / b (sign -1), and a^exponent; unknown when an exponent runs out of range or
 * is no integer. */
gdyn_dimension gdyn_dimension_product(gdyn_dimension a, gdyn_dimension b, int sign);
gdyn_dimension gdyn_dimension_power(gdyn_dimension a, double exponent);
/* A piecewise cubic with given second derivatives at its rows. x repeated: a new piece begins
 * there, and the row itself belongs to it. */
gdyn_expr *gdyn_expr_cubic(int count, const double *x, const double *y, const double *bend);
/* The most waves that the formula in one variable may have on a range of that length, a turn
 * being half of one; INFINITY where that is not known: polynomials, sines and cosines of linear
 * arguments, their sums and products have a number. */
double gdyn_expr_waves(const gdyn_expr *expr, double range);
/* Places between `from` and `to` of the one variable over which an integration must not step,
 * ascending, in *at (the caller's, gdyn_free): where a function of a formula (abs, min, floor, ...)
 * changes its branch, on both sides of a jump; rows of a table, as few as leave only what a cubic
 * describes but for that share of the mean magnitude. bends: the table's second derivative counts.
 * Their number; -1: memory is out. */
int gdyn_expr_breaks(const gdyn_expr *expr, double from, double to, bool bends, double share,
                     double **at);
/* Number i of them, from 0; false: there is none. */
bool gdyn_unit_list(int i, gdyn_unit_row *row);
/* True when a formula can refer to that name: letters, digits, underscores, no digit first. */
bool gdyn_name_valid(const char *name);
/* True for functions and the constants pi and inf, whose names nothing else can have in a formula
 * (an own `e` hides the constant). */
bool gdyn_name_reserved(const char *name);
void gdyn_expr_names(const char *text, gdyn_name_visitor visit, void *context);
/* Cuts "left >= right" at its one relation (>=, >, <=, <, ==, =): relation is +1, -1 or 0; the left
 * formula is the first left_length bytes. False when there is not exactly one. */
bool gdyn_relation_split(const char *text, int *left_length, int *relation, int *right_offset);
