/* code.h - internals of the expr module: byte code, dimensions while compiling, text scanning. */
#pragma once

#include "expr/expr.h"

typedef enum gdyn_op {
    GDYN_OP_CONST, /* push value */
    GDYN_OP_VAR,   /* push variable number index */
    /* replace the top of the stack */
    GDYN_OP_NEG,
    GDYN_OP_SQRT,
    GDYN_OP_SIN,
    GDYN_OP_COS,
    GDYN_OP_TAN,
    GDYN_OP_ASIN,
    GDYN_OP_ACOS,
    GDYN_OP_ATAN,
    GDYN_OP_EXP,
    GDYN_OP_LOG,
    GDYN_OP_ABS,
    GDYN_OP_SINH,
    GDYN_OP_COSH,
    GDYN_OP_TANH,
    GDYN_OP_FLOOR,
    GDYN_OP_CEIL,
    GDYN_OP_ROUND,
    /* replace the two top elements */
    GDYN_OP_ADD,
    GDYN_OP_SUB,
    GDYN_OP_MUL,
    GDYN_OP_DIV,
    GDYN_OP_POW,
    GDYN_OP_ATAN2,
    GDYN_OP_MIN,
    GDYN_OP_MAX,
    GDYN_OP_HYPOT,
    GDYN_OP_MOD
} gdyn_op;

typedef struct gdyn_instruction {
    gdyn_op op;
    int index;
    double value;
} gdyn_instruction;

enum {
    GDYN_EXPR_STACK = 256,       /* deepest evaluation stack */
    GDYN_EXPR_DEPTH = 200,       /* deepest nesting of parentheses, calls, powers and signs */
    GDYN_EXPR_LENGTH = 64 * 1024 /* longest formula [bytes] */
};

typedef struct gdyn_knot {
    double x, y, bend; /* bend: second derivative of the spline */
} gdyn_knot;

struct gdyn_expr {
    int count;
    gdyn_instruction *code; /* (count) postfix */
    gdyn_dimension dimension;
    int knots; /* of a table in variable 0, which has no code; else 0 */
    gdyn_knot *knot;
    bool smooth;
};

/* function.c: the arithmetic of one operation. A jet is {value, first, second derivative}. */
double gdyn_expr_unary(gdyn_op op, double x);
double gdyn_expr_binary(gdyn_op op, double a, double b);
void gdyn_expr_unary_jet(gdyn_op op, double x[3]);
/* op with the arguments a and, of two, b, whose result is not finite. */
void gdyn_expr_blame(gdyn_op op, double a, double b, double result, gdyn_expr_fault *fault);
void gdyn_expr_binary_jet(gdyn_op op, double a[3], const double b[3]); /* result in a */

/* How a function treats dimensions. */
typedef enum gdyn_dimension_rule {
    GDYN_RULE_SAME,   /* arguments alike; the result is of their dimension */
    GDYN_RULE_ANGLE,  /* argument an angle or a number; the result is a number */
    GDYN_RULE_NUMBER, /* argument a number; the result is a number */
    GDYN_RULE_ROOT,   /* the result has half the exponents */
    GDYN_RULE_RATIO   /* arguments alike; the result is a number */
} gdyn_dimension_rule;

typedef struct gdyn_function {
    const char *name;
    gdyn_op op;
    int least, most; /* arguments; more than two are folded from the left */
    gdyn_dimension_rule rule;
} gdyn_function;

/* NULL when there is none of that name. */
const gdyn_function *gdyn_expr_function(const char *name, int length);
/* Name number i, or NULL behind the last. */
const char *gdyn_expr_function_name(int i);

/* dimension.c */
bool gdyn_dimension_equal(gdyn_dimension a, gdyn_dimension b);

/* scan.c */
bool gdyn_scan_blank(char c);
bool gdyn_scan_letter(char c); /* A-Z a-z _ */
bool gdyn_scan_digit(char c);
/* Length of the number at the start of text, 0 when there is none; *value infinite on overflow, NaN
 * when it has too many digits to be meant. Independent of the locale. */
int gdyn_scan_number(const char *text, double *value);
/* The same with a sign in front; 0 also when it is not finite. */
int gdyn_scan_signed(const char *text, double *value);
/* Length of text cut to at most `most` bytes between two characters. */
int gdyn_scan_cut(const char *text, int length, int most);
/* Fills error; the format makes the message. */
void gdyn_expr_fail(gdyn_expr_error *error, int offset, int width, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* unit.c: a factor as a quotient of two numbers that are exact for decimal prefixes, so that
 * "35 mm" is the double nearest to 0.035. */
typedef struct gdyn_unit {
    double up, down;
    gdyn_dimension dimension;
} gdyn_unit;

/* True when a unit could begin at text (a letter, a degree or micro sign). */
bool gdyn_unit_begins(const char *text);
/* True when it is "1/" and a unit, as in "1/m". */
bool gdyn_unit_inverse(const char *text);
/* Length of the compound unit at the start of text; -1 when it is wrong, with error filled (offset
 * counted from text). */
int gdyn_unit_scan(const char *text, gdyn_unit *unit, gdyn_expr_error *error);
/* True when the word is one plain unit ("mm", "m2"). */
bool gdyn_unit_is(const char *word, int length);

/* --- the state of a parser, and its tokens ---------------------------------------------------- */

typedef enum gdyn_token {
    GDYN_TOKEN_END,
    GDYN_TOKEN_NUMBER,
    GDYN_TOKEN_NAME,
    GDYN_TOKEN_SIGN,
    GDYN_TOKEN_BROKEN
} gdyn_token;

/* What is known of a value while its code is written. */
typedef struct gdyn_operand {
    gdyn_dimension dimension;
    bool pure;      /* implies an unknown dimension */
    bool literal;   /* a bare integer, or a product with one as a factor */
    int start, end; /* place in the text */
} gdyn_operand;

typedef struct gdyn_parser {
    const char *text;
    const gdyn_scope *scope;
    gdyn_expr_error *error;
    bool failed;
    int depth; /* nesting of the parser */
    /* the current token */
    gdyn_token kind;
    int start, end; /* its place */
    int behind;     /* end of the token before it */
    double number;
    gdyn_operand quantity; /* dimension of a number */
    /* the code so far */
    gdyn_instruction *code;
    int count, capacity, stack;
} gdyn_parser;

/* Notes an error at start..end, once: the first one is reported. Returns whether it was the
 * first; then help may be given. format: with at most one %s, the word. */
bool gdyn_parser_fail(gdyn_parser *parser, int start, int end, const char *format,
                      const char *word);
void gdyn_parser_help(gdyn_parser *parser, const char *format, const char *word);
/* The current token is that sign. */
bool gdyn_parser_is_sign(const gdyn_parser *parser, char sign);
/* The word is the name of a value. */
bool gdyn_parser_is_value(const gdyn_parser *parser, const char *word);
/* Moves on to the next token. */
void gdyn_parser_advance(gdyn_parser *parser);
/* Reports that the current token is not what the grammar allows here. */
void gdyn_parser_unexpected(gdyn_parser *parser, bool operand_wanted);
