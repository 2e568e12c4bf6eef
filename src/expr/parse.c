/* parse.c - compiles the text of a formula to postfix code in one pass, by recursive descent:
 *
 *     sum     = term { ("+" | "-") term }
 *     term    = signed { ("*" | "/") signed }
 *     signed  = { "+" | "-" } power
 *     power   = primary [ "^" signed ]            right associative, binds more than the sign
 *     primary = number [unit] | name | function "(" sum { "," sum } ")" | "(" sum ")"
 *
 * Constant operands are folded when their operator is emitted, and dimensions are checked on the
 * way. A dimension while compiling has three states: known; unknown (fits anywhere); and pure (fits
 * anywhere, and as a factor leaves the other operand's dimension alone). */
#include "expr/code.h"

#include "base/memory.h"
#include "base/pi.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static gdyn_operand parse_sum(gdyn_parser *p);

/* --- code ------------------------------------------------------------------------------------ */

/* Appends an instruction; depth of the stack is known before evaluation. */
static void emit(gdyn_parser *p, gdyn_instruction instruction) {
    if (p->failed)
        return;
    if (!gdyn_reserve(&p->code, &p->capacity, p->count + 1, sizeof *p->code)) {
        gdyn_parser_fail(p, 0, 1, "out of memory", NULL);
        return;
    }
    p->code[p->count++] = instruction;
    p->stack += instruction.op <= GDYN_OP_VAR ? 1 : instruction.op >= GDYN_OP_ADD ? -1 : 0;
    if (p->stack > GDYN_EXPR_STACK)
        gdyn_parser_fail(p, p->start, p->end, "the formula is nested too deeply", NULL);
}

static void emit_constant(gdyn_parser *p, double value) {
    emit(p, (gdyn_instruction){.op = GDYN_OP_CONST, .value = value});
}

/* The last instruction when it is a constant. */
static const double *constant_at(const gdyn_parser *p, int back) {
    const gdyn_instruction *in = p->count >= back ? &p->code[p->count - back] : NULL;
    return in && in->op == GDYN_OP_CONST ? &in->value : NULL;
}

/* A constant part must have a finite value unless infinity was put in on purpose. */
static void check_folded(gdyn_parser *p, gdyn_op op, double a, double b, double value,
                         const gdyn_operand *place) {
    gdyn_expr_fault fault;
    if (isfinite(value) || (!isnan(value) && !(isfinite(a) && isfinite(b))))
        return;
    gdyn_expr_blame(op, a, b, value, &fault);
    if (gdyn_parser_fail(p, place->start, place->end, GDYN_CODE_VALUE "%s", fault.text) &&
        fault.help)
        gdyn_parser_help(p, "%s", fault.help);
}

/* Constants are folded at once. */
static void emit_unary(gdyn_parser *p, gdyn_op op, int start, int end) {
    const double *a = constant_at(p, 1);
    if (p->failed || !a) {
        emit(p, (gdyn_instruction){.op = op});
        return;
    }
    double value = gdyn_expr_unary(op, *a);
    check_folded(p, op, *a, 0, value, &(gdyn_operand){.start = start, .end = end});
    p->code[p->count - 1].value = value;
}

/* Constants are folded, and errors in them found. */
static void emit_binary(gdyn_parser *p, gdyn_op op, int start, int end) {
    const double *a = constant_at(p, 2), *b = constant_at(p, 1);
    if (!p->failed && b && *b == 0.0 && (op == GDYN_OP_DIV || op == GDYN_OP_MOD)) {
        gdyn_parser_fail(p, start, end, GDYN_CODE_VALUE "division by zero", NULL);
        return;
    }
    if (p->failed || !a || !b) {
        emit(p, (gdyn_instruction){.op = op});
        return;
    }
    double value = gdyn_expr_binary(op, *a, *b);
    check_folded(p, op, *a, *b, value, &(gdyn_operand){.start = start, .end = end});
    p->code[p->count - 2].value = value;
    p->count--;
    p->stack--;
}

/* --- dimensions ------------------------------------------------------------------------------ */

/* Operands that must be alike: sums, min, hypot. */
static gdyn_operand alike(gdyn_parser *p, const char *verb, gdyn_operand a, gdyn_operand b) {
    if (!gdyn_dimension_fits(a.dimension, b.dimension)) {
        /* Both dimensions in the message. */
        char left[64], right[64], both[160];
        snprintf(both, sizeof both, "%s: %s and %s", verb,
                 gdyn_dimension_text(a.dimension, left, sizeof left),
                 gdyn_dimension_text(b.dimension, right, sizeof right));
        gdyn_parser_fail(p, b.start, b.end, GDYN_CODE_UNIT "units do not agree in %s", both);
    }
    /* a weighted sum */
    bool weighted =
        p->scope && p->scope->weights && gdyn_dimension_doubtful(a.dimension, b.dimension);
    /* a given dimension replaces an assumed one */
    bool first = a.dimension.known && (!a.dimension.assumed || !b.dimension.known);
    return (gdyn_operand){.dimension = weighted ? GDYN_DIM_UNKNOWN
                                       : first  ? a.dimension
                                                : b.dimension,
                          .pure = a.pure && b.pure,
                          .literal = a.literal || b.literal,
                          .start = a.start,
                          .end = b.end};
}

/* Exponents and arguments of functions like exp. */
static void want_number(gdyn_parser *p, gdyn_operand a, const char *message) {
    char text[64];
    if (a.dimension.known && !gdyn_dimension_equal(a.dimension, GDYN_DIM_NONE))
        gdyn_parser_fail(p, a.start, a.end, message,
                         gdyn_dimension_text(a.dimension, text, sizeof text));
}

/* --- grammar --------------------------------------------------------------------------------- */

/* Nesting is bounded: the parser is recursive. */
static bool descend(gdyn_parser *p) {
    if (++p->depth > GDYN_EXPR_DEPTH)
        gdyn_parser_fail(p, p->start, p->end, "the formula is nested too deeply", NULL);
    return !p->failed;
}

/* What an unknown word could have meant: the nearest name known here, pi, a call, a unit. */
static void propose_name(gdyn_parser *p, const char *word) {
    const gdyn_scope *s = p->scope;
    const char *near[2] = {NULL, NULL};
    /* the nearest of both lists */
    if (s && s->suggestions)
        near[0] = gdyn_text_nearest(word, s->suggestions, s->suggestion_count);
    if (s)
        near[1] = gdyn_text_nearest(word, s->variables, s->variable_count);
    bool second = near[1] && (!near[0] || gdyn_text_distance(word, near[1]) <
                                              gdyn_text_distance(word, near[0]));
    const char *nearest = second ? near[1] : near[0];
    if (nearest)
        gdyn_parser_help(p, "did you mean '%s'?", nearest);
    /* habits of other languages */
    else if (strcmp(word, "Pi") == 0 || strcmp(word, "PI") == 0)
        gdyn_parser_help(p, "did you mean '%s'?", "pi");
    else if (gdyn_expr_function(word, (int)strlen(word)))
        gdyn_parser_help(p, "a function takes its arguments in parentheses: %s(...)", word);
    else if (gdyn_unit_is(word, (int)strlen(word)))
        gdyn_parser_help(
            p, "a unit follows its number directly, compound units as in '12 N m', '3 N/m'", NULL);
    else if (s && s->variable_count > 0 && s->variable_count <= 6) {
        /* the names of a short scope say more than any guess */
        size_t size = sizeof p->error->help, length = 0;
        for (int i = 0; i < s->variable_count && length < size; i++)
            length += (size_t)snprintf(p->error->help + length, size - length, "%s%s",
                                       i ? ", " : "names known here: ", s->variables[i]);
    }
}

/* A value before parentheses, or a misspelt function. */
static void propose_function(gdyn_parser *p, const char *word) {
    const char *nearest = NULL, *candidate;
    if (gdyn_parser_is_value(p, word)) {
        gdyn_parser_help(p, "a product needs a sign: %s*(...)", word);
        return;
    }
    /* the nearest of all functions */
    for (int i = 0; (candidate = gdyn_expr_function_name(i)); i++)
        if (!nearest || gdyn_text_distance(word, candidate) < gdyn_text_distance(word, nearest))
            nearest = candidate;
    if ((nearest = gdyn_text_nearest(word, &nearest, 1)))
        gdyn_parser_help(p, "did you mean '%s'?", nearest);
}

/* A value known when compiling, or false. */
static bool named_constant(const gdyn_parser *p, const char *word, gdyn_quantity *q, bool *pure) {
    const gdyn_scope *s = p->scope;
    *pure = false;
    q->dimension = GDYN_DIM_UNKNOWN;
    if (s && s->constant && s->constant(s->context, word, q))
        return true;
    *pure = strcmp(word, "pi") == 0 || strcmp(word, "e") == 0;
    q->value = strcmp(word, "pi") == 0  ? GDYN_PI
               : strcmp(word, "e") == 0 ? 2.71828182845904523536
                                        : INFINITY;
    return *pure || strcmp(word, "inf") == 0 || strcmp(word, ".inf") == 0;
}

/* A variable, a parameter or a constant. */
static gdyn_operand parse_name(gdyn_parser *p) {
    const gdyn_scope *s = p->scope;
    gdyn_operand result = {.start = p->start, .end = p->end};
    char word[256];
    if (p->end - p->start >= (int)sizeof word) {
        gdyn_parser_fail(p, p->start, p->end, "this name is too long", NULL);
        return result;
    }
    snprintf(word, sizeof word, "%.*s", p->end - p->start, p->text + p->start);
    gdyn_parser_advance(p);
    /* variables are read at evaluation */
    for (int i = 0; s && i < s->variable_count; i++)
        if (strcmp(s->variables[i], word) == 0) {
            emit(p, (gdyn_instruction){.op = GDYN_OP_VAR, .index = i});
            result.dimension = s->dimensions ? s->dimensions[i] : GDYN_DIM_UNKNOWN;
            return result;
        }
    /* constants have their value now */
    gdyn_quantity q;
    if (!named_constant(p, word, &q, &result.pure)) {
        bool nan = strcmp(word, ".nan") == 0;
        if (gdyn_parser_fail(p, result.start, result.end,
                             nan ? GDYN_CODE_VALUE "%s is not a value"
                                 : GDYN_CODE_UNKNOWN "unknown name '%s'",
                             word))
            propose_name(p, word);
    } else if (isnan(q.value)) {
        gdyn_parser_fail(p, result.start, result.end, GDYN_CODE_VALUE "'%s' has no value", word);
    }
    emit_constant(p, q.value);
    result.dimension = q.dimension;
    return result;
}

/* The dimension of f(a) for functions of one argument, and the check of a. */
static gdyn_operand apply_rule(gdyn_parser *p, const gdyn_function *f, gdyn_operand a) {
    char message[100];
    /* by the rule of the function's row */
    switch (f->rule) {
    case GDYN_RULE_ANGLE:
    case GDYN_RULE_NUMBER:
        snprintf(message, sizeof message, GDYN_CODE_UNIT "%s takes %s, not %%s", f->name,
                 f->rule == GDYN_RULE_ANGLE ? "an angle" : "a pure number");
        want_number(p, a, message);
        return (gdyn_operand){.pure = true, .start = a.start, .end = a.end};
    case GDYN_RULE_ROOT:
        return (gdyn_operand){.dimension = gdyn_dimension_power(a.dimension, 0.5),
                              .pure = a.pure,
                              .literal = a.literal,
                              .start = a.start,
                              .end = a.end};
    case GDYN_RULE_RATIO:
        return (gdyn_operand){.pure = true, .start = a.start, .end = a.end};
    default:
        return a;
    }
}

/* Behind the "(" of a call: arguments up to the ")", folded from the left. */
static gdyn_operand parse_arguments(gdyn_parser *p, const gdyn_function *f, int start) {
    gdyn_operand all = {.pure = true, .start = start, .end = p->end};
    int count = 0;
    /* sums between commas; functions of many arguments fold from the left */
    while (!p->failed && !(count == 0 && gdyn_parser_is_sign(p, ')'))) {
        gdyn_operand a = parse_sum(p);
        count++;
        all = count == 1 ? a : alike(p, f->name, all, a);
        if (count > 1 && count <= f->most)
            emit_binary(p, f->op, start, p->behind);
        if (!gdyn_parser_is_sign(p, ','))
            break;
        gdyn_parser_advance(p);
    }
    /* the end of the call, and the number of arguments */
    if (!p->failed && !gdyn_parser_is_sign(p, ')'))
        gdyn_parser_unexpected(p, false);
    else if (count < f->least || count > f->most) {
        /* How many arguments it takes, in words. */
        char text[80];
        snprintf(text, sizeof text, "%s takes %s%d argument%s, not %d", f->name,
                 f->most > f->least ? "at least " : "", f->least, gdyn_plural(f->least), count);
        if (count > f->most && f->most > f->least)
            snprintf(text, sizeof text, "%s takes at most %d arguments", f->name, f->most);
        gdyn_parser_fail(p, start, p->end, "%s", text);
    }
    gdyn_parser_advance(p);
    if (f->most == 1)
        emit_unary(p, f->op, start, p->behind);
    gdyn_operand result = apply_rule(p, f, all);
    result.start = start, result.end = p->behind;
    return result;
}

/* A name followed by "(". */
static gdyn_operand parse_call(gdyn_parser *p, int open) {
    int start = p->start, length = p->end - p->start;
    const gdyn_function *f = gdyn_expr_function(p->text + start, length);
    gdyn_operand nothing = {.start = start, .end = p->end};
    if (!f) {
        char word[60];
        snprintf(word, sizeof word, "%.*s", length, p->text + start);
        if (gdyn_parser_fail(p, start, p->end, GDYN_CODE_UNKNOWN "unknown function '%s'", word))
            propose_function(p, word);
        return nothing;
    }
    if (!descend(p))
        return nothing;
    /* behind the "(" */
    p->end = open + 1;
    gdyn_parser_advance(p);
    gdyn_operand result = parse_arguments(p, f, start);
    p->depth--;
    return result;
}

/* A sum in parentheses. */
static gdyn_operand parse_group(gdyn_parser *p) {
    int start = p->start;
    gdyn_parser_advance(p);
    gdyn_operand result = parse_sum(p);
    if (!gdyn_parser_is_sign(p, ')'))
        gdyn_parser_unexpected(p, false);
    else
        gdyn_parser_advance(p);
    result.start = start, result.end = p->behind;
    return result;
}

/* A number, a name, a call or a group. */
static gdyn_operand parse_primary(gdyn_parser *p) {
    gdyn_operand result = {.start = p->start, .end = p->end};
    if (p->kind == GDYN_TOKEN_NUMBER) {
        result.dimension = p->quantity.dimension;
        /* a bare number of any kind where it can be a weight only */
        bool bare = p->scope && p->scope->weights && !p->quantity.dimension.known;
        result.pure = p->quantity.pure || bare;
        result.literal = p->quantity.literal || bare;
        emit_constant(p, p->number);
        gdyn_parser_advance(p);
        return result;
    }
    /* blanks may stand before the "(" */
    if (p->kind == GDYN_TOKEN_NAME) {
        int open = p->end;
        while (gdyn_scan_blank(p->text[open]))
            open++;
        return p->text[open] == '(' ? parse_call(p, open) : parse_name(p);
    }
    if (gdyn_parser_is_sign(p, '('))
        return parse_group(p);
    gdyn_parser_unexpected(p, true);
    return result;
}

/* Signs and powers: every nesting passes here, so that this is where its depth is counted. */
static gdyn_operand parse_signed(gdyn_parser *p) {
    gdyn_operand a = {.start = p->start, .end = p->end};
    if (!descend(p))
        return a;
    /* signs bind less than powers: -x^2 is -(x^2) */
    if (gdyn_parser_is_sign(p, '-') || gdyn_parser_is_sign(p, '+')) {
        bool minus = gdyn_parser_is_sign(p, '-');
        int start = p->start;
        gdyn_parser_advance(p);
        a = parse_signed(p);
        a.start = start;
        if (minus)
            emit_unary(p, GDYN_OP_NEG, start, p->behind);
    } else {
        a = parse_primary(p);
        /* powers bind to the right */
        if (gdyn_parser_is_sign(p, '^')) {
            gdyn_parser_advance(p);
            gdyn_operand b = parse_signed(p);
            /* The exponent is the last constant emitted, or varies: then the result is not
             * known. */
            /* a constant stands last in the code */
            const double *exponent = constant_at(p, 1);
            want_number(p, b, GDYN_CODE_UNIT "an exponent is a pure number, not %s");
            gdyn_operand result = {.dimension = GDYN_DIM_UNKNOWN,
                                   .pure = a.pure,
                                   .literal = a.literal,
                                   .start = a.start,
                                   .end = b.end};
            /* varying exponents only fit numbers */
            if (exponent)
                result.dimension = gdyn_dimension_power(a.dimension, *exponent);
            else if (a.dimension.known && gdyn_dimension_equal(a.dimension, GDYN_DIM_NONE))
                result.dimension = GDYN_DIM_NONE;
            a = result;
            emit_binary(p, GDYN_OP_POW, a.start, a.end);
        }
    }
    p->depth--;
    return a;
}

/* Products and quotients, from the left. */
static gdyn_operand parse_term(gdyn_parser *p) {
    gdyn_operand a = parse_signed(p);
    while (!p->failed && (gdyn_parser_is_sign(p, '*') || gdyn_parser_is_sign(p, '/'))) {
        int sign = gdyn_parser_is_sign(p, '*') ? 1 : -1;
        gdyn_parser_advance(p);
        gdyn_operand b = parse_signed(p);
        emit_binary(p, sign > 0 ? GDYN_OP_MUL : GDYN_OP_DIV, a.start, b.end);
        /* Products and quotients add and subtract exponents. */
        bool literal = a.literal || (b.literal && sign > 0); /* dividing by 12 is no assumption */
        gdyn_operand result = {.dimension = GDYN_DIM_UNKNOWN,
                               .pure = a.pure && b.pure,
                               .literal = literal,
                               .start = a.start,
                               .end = b.end};
        /* pure numbers have no dimension */
        gdyn_dimension left = a.pure ? GDYN_DIM_NONE : a.dimension;
        gdyn_dimension right = b.pure ? GDYN_DIM_NONE : b.dimension;
        if (!result.pure)
            result.dimension = gdyn_dimension_product(left, right, sign);
        /* a plain number in a product may hide a unit */
        result.dimension.assumed =
            result.dimension.known && (result.dimension.assumed || (literal && (a.pure || b.pure)));
        a = result;
    }
    return a;
}

/* Sums and differences, from the left; both sides alike. */
static gdyn_operand parse_sum(gdyn_parser *p) {
    gdyn_operand a = parse_term(p);
    while (!p->failed && (gdyn_parser_is_sign(p, '+') || gdyn_parser_is_sign(p, '-'))) {
        bool plus = gdyn_parser_is_sign(p, '+');
        gdyn_parser_advance(p);
        gdyn_operand b = parse_term(p);
        a = alike(p, plus ? "a sum" : "a difference", a, b);
        emit_binary(p, plus ? GDYN_OP_ADD : GDYN_OP_SUB, a.start, b.end);
    }
    return a;
}

/* Text to postfix code, with its dimension; NULL and *error: where and why it is none. */
gdyn_expr *gdyn_expr_compile(const char *text, const gdyn_scope *scope, gdyn_expr_error *error) {
    gdyn_expr_error unused;
    gdyn_parser p = {.text = text, .scope = scope, .error = error ? error : &unused};
    *p.error = (gdyn_expr_error){0};
    if (strlen(text) > GDYN_EXPR_LENGTH) {
        gdyn_parser_fail(&p, 0, 1, "the formula is too long", NULL);
        return NULL;
    }
    /* one sum, and nothing behind it */
    gdyn_parser_advance(&p);
    if (p.kind == GDYN_TOKEN_END)
        gdyn_parser_fail(&p, 0, 1, "expected a number or a formula", NULL);
    gdyn_operand whole = parse_sum(&p);
    if (!p.failed && p.kind != GDYN_TOKEN_END)
        gdyn_parser_unexpected(&p, false);
    gdyn_expr *expr = p.failed ? NULL : gdyn_alloc(1, sizeof *expr);
    if (!expr) {
        gdyn_parser_fail(&p, 0, 1, "out of memory", NULL);
        gdyn_free(p.code);
        return NULL;
    }
    *expr = (gdyn_expr){.count = p.count, .code = p.code, .dimension = whole.dimension};
    return expr;
}
