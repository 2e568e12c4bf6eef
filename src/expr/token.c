/* token.c - tokens of a formula: numbers with their units, names, signs; errors at their place. */
#include "expr/parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first error is the one reported; help may be given by the caller afterwards. */
bool gdyn_parser_fail(gdyn_parser *p, int start, int end, const char *format, const char *word) {
    if (p->failed)
        return false;
    p->failed = true;
    gdyn_expr_fail(p->error, start, end - start, format, word);
    return true;
}

void gdyn_parser_help(gdyn_parser *p, const char *format, const char *word) {
    snprintf(p->error->help, sizeof p->error->help, format, word);
}

bool gdyn_parser_is_sign(const gdyn_parser *p, char c) {
    return p->kind == GDYN_TOKEN_SIGN && p->text[p->start] == c;
}

bool gdyn_parser_is_value(const gdyn_parser *p, const char *word) {
    const gdyn_scope *s = p->scope;
    gdyn_quantity q;
    for (int i = 0; s && i < s->variable_count; i++)
        if (strcmp(s->variables[i], word) == 0)
            return true;
    return strcmp(word, "pi") == 0 || (s && s->constant && s->constant(s->context, word, &q));
}

/* A word behind a number that is no unit may be a forgotten product. */
static void propose_product(gdyn_parser *p, int at) {
    int n = gdyn_scan_name(p->text + at);
    char word[60];
    snprintf(word, sizeof word, "%.*s", n, p->text + at);
    if (gdyn_parser_is_value(p, word) || gdyn_expr_function(word, n))
        gdyn_parser_help(p, "a product needs a sign: 2*%s", word);
}

/* A number and the unit behind it. */
static void scan_quantity(gdyn_parser *p, int length) {
    bool whole = strspn(p->text + p->start, "0123456789") == (size_t)length;
    p->kind = GDYN_TOKEN_NUMBER;
    p->end = p->start + length;
    p->quantity = (gdyn_operand){.dimension = GDYN_DIM_UNKNOWN, .pure = whole, .literal = whole};
    if (!isfinite(p->number)) {
        gdyn_parser_fail(p, p->start, p->end,
                         isnan(p->number) ? GDYN_CODE_VALUE "this number has too many digits"
                                          : GDYN_CODE_VALUE "this number is too large",
                         NULL);
        return;
    }
    /* a unit may follow after blanks */
    int at = p->end;
    while (gdyn_scan_blank(p->text[at]))
        at++;
    if (!gdyn_unit_begins(p->text + at) && !(at > p->end && gdyn_unit_inverse(p->text + at)))
        return;
    gdyn_unit unit;
    gdyn_expr_error error;
    int n = gdyn_unit_scan(p->text + at, &unit, &error);
    if (n < 0) {
        /* errors of the unit, at its place */
        if (!p->failed) {
            p->failed = true;
            *p->error = error;
            p->error->offset += at;
            if (error.offset == 0)
                propose_product(p, at);
        }
        return;
    }
    /* in SI units */
    p->number = p->number * unit.up / unit.down;
    if (!isfinite(p->number))
        gdyn_parser_fail(p, p->start, at + n, GDYN_CODE_VALUE "this quantity is too large", NULL);
    p->quantity = (gdyn_operand){.dimension = unit.dimension};
    p->end = at + n;
}

void gdyn_parser_advance(gdyn_parser *p) {
    p->behind = p->end;
    p->start = p->end;
    while (gdyn_scan_blank(p->text[p->start]))
        p->start++;
    /* a number with its unit, a name, a sign, or what is none of these */
    const char *at = p->text + p->start;
    int n = gdyn_scan_number(at, &p->number);
    if (n > 0) {
        scan_quantity(p, n);
    } else if ((n = gdyn_scan_name(at)) > 0 || strncmp(at, ".inf", 4) == 0 ||
               strncmp(at, ".nan", 4) == 0) {
        p->kind = GDYN_TOKEN_NAME;
        p->end = p->start + (n > 0 ? n : 4);
    } else if (*at && strchr("+-*/^(),", *at)) {
        p->kind = GDYN_TOKEN_SIGN;
        p->end = p->start + 1;
    } else {
        p->kind = *at ? GDYN_TOKEN_BROKEN : GDYN_TOKEN_END;
        p->end = p->start + (*at ? gdyn_scan_character(at) : 0);
    }
}

/* The text of the current token for a message; bytes that are no text are shown as numbers. */
static const char *token_text(const gdyn_parser *p, char *word, size_t size) {
    unsigned char first = (unsigned char)p->text[p->start];
    if (p->kind == GDYN_TOKEN_END)
        return "the end";
    if (first < 0x20 || first == 0x7f || (first >= 0x80 && p->end - p->start == 1))
        snprintf(word, size, "byte 0x%02x", first);
    else
        snprintf(word, size, "'%.*s'", gdyn_scan_cut(p->text + p->start, p->end - p->start, 40),
                 p->text + p->start);
    return word;
}

void gdyn_parser_unexpected(gdyn_parser *p, bool operand_wanted) {
    static const struct {
        const char *sign, *help;
    } habits[] = {
        {"*", "a power is written x^2"},
        {"%", "the remainder is written mod(a, b)"},
        {"$", "'$i' belongs in names; in a formula write i"},
        {"=", "a formula has no '='"},
        {"[", "use parentheses"},
        {",", "decimals are written with a point: 2.5"},
        {":", "a ratio is written 1/50"},
        {"\xc2\xa0", "this is a no-break space: write an ordinary one"},
        {"\xe2\x80\xaf", "this is a narrow no-break space: write an ordinary one"},
        {"\xe2\x80\x89", "this is a thin space: write an ordinary one"},
        {"\xe2\x88\x92", "this is the minus sign of typesetters: write the - of the keyboard"},
        {"\xe2\x80\x93", "this is a dash: write the - of the keyboard"},
        {"\xc2\xb7", "a product is written 2*x"},
        {"\xc3\x97", "a product is written 2*x"},
    };
    char word[80];
    bool number =
        p->kind == GDYN_TOKEN_NUMBER || p->kind == GDYN_TOKEN_NAME || gdyn_parser_is_sign(p, '(');
    if (!gdyn_parser_fail(p, p->start, p->end,
                          operand_wanted ? "expected a number, a name or '(' instead of %s"
                          : number       ? "expected an operator before %s"
                          : gdyn_parser_is_sign(p, ')') ? "%s closes nothing"
                          : p->kind == GDYN_TOKEN_END   ? "')' is missing before %s"
                                                        : "unexpected %s",
                          token_text(p, word, sizeof word)))
        return;
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++)
        if (!strncmp(p->text + p->start, habits[i].sign, strlen(habits[i].sign)))
            gdyn_parser_help(p, "%s", habits[i].help);
}
