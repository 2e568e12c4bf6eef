/* scan.c - numbers, names and relations inside the text of a formula. */
#include "code.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LETTERS = 400 }; /* of a number */

bool gdyn_scan_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool gdyn_scan_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool gdyn_scan_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Letters, then letters and digits. */
static int name_part(const char *text) {
    int n = 0;
    while (gdyn_scan_letter(text[n]) || (n > 0 && gdyn_scan_digit(text[n])))
        n++;
    return n;
}

/* Parts joined by dots: "left.angle". */
static int scan_name(const char *text) {
    int n = name_part(text);
    while (n > 0 && text[n] == '.') {
        int part = name_part(text + n + 1);
        if (part == 0)
            break;
        n += 1 + part;
    }
    return n;
}

static int digits(const char *text) {
    int n = 0;
    while (gdyn_scan_digit(text[n]))
        n++;
    return n;
}

/* Length of "12", "1.", ".5", "1e-3" at the start of text. An e without digits is left alone. */
static int number_length(const char *text) {
    int whole = digits(text), n = whole;
    if (text[n] == '.') {
        int fraction = digits(text + n + 1);
        if (whole + fraction == 0)
            return 0;
        n += 1 + fraction;
    }
    if (n == 0)
        return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        int sign = text[n + 1] == '+' || text[n + 1] == '-';
        int exponent = digits(text + n + 1 + sign);
        if (exponent > 0)
            n += 1 + sign + exponent;
    }
    return n;
}

int gdyn_scan_number(const char *text, double *value) {
    char copy[MOST_LETTERS + 1]; /* without what follows: 0x10 is 0 and a name */
    const char *end;
    int n = number_length(text);
    *value = NAN;
    if (n == 0 || n > MOST_LETTERS)
        return n;
    memcpy(copy, text, (size_t)n);
    copy[n] = '\0';
    *value = gdyn_decimal_read(copy, &end);
    return n;
}

int gdyn_scan_signed(const char *text, double *value) {
    int sign = text[0] == '-' || text[0] == '+', n = gdyn_scan_number(text + sign, value);
    *value = text[0] == '-' ? -*value : *value;
    return n == 0 || !isfinite(*value) ? 0 : sign + n;
}

/* Bytes of one character of UTF-8; a broken one counts as a byte. */
static int character_length(const char *text) {
    unsigned char lead = (unsigned char)text[0];
    int n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    for (int i = 1; i < n; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 1;
    return n;
}

/* Where to cut a text that is too long, between characters. */
int gdyn_scan_cut(const char *text, int length, int most) {
    int n = 0;
    while (n < length && n + character_length(text + n) <= most)
        n += character_length(text + n);
    return n < length ? n : length;
}

void gdyn_expr_fail(gdyn_expr_error *error, int offset, int width, const char *format, ...) {
    va_list args;
    const char *plain = gdyn_code_skip(format);
    snprintf(error->mark, sizeof error->mark, "%s", plain > format ? format : GDYN_CODE_FORMULA);
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, plain, args);
    va_end(args);
    /* A formula may run over several lines, a message does not. */
    for (char *c = error->message; *c; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    error->help[0] = '\0', error->offset = offset;
    error->width = width > 0 ? width : 1;
}

bool gdyn_name_valid(const char *name) {
    return name[0] != '\0' && name_part(name) == (int)strlen(name);
}

bool gdyn_name_reserved(const char *name) {
    return strcmp(name, "pi") == 0 || strcmp(name, "inf") == 0 ||
           gdyn_expr_function(name, (int)strlen(name));
}

/* Names of a formula that are neither units nor functions. */
void gdyn_expr_names(const char *text, gdyn_name_visitor visit, void *context) {
    int i = 0;
    while (text[i]) {
        double value;
        gdyn_unit unit;
        gdyn_expr_error error;
        int n = gdyn_scan_number(text + i, &value);
        if (n > 0) {
            /* A word behind a number is a unit. */
            i += n;
            int blank = i;
            while (gdyn_scan_blank(text[blank]))
                blank++;
            n = gdyn_unit_begins(text + blank) || (blank > i && gdyn_unit_inverse(text + blank))
                    ? gdyn_unit_scan(text + blank, &unit, &error)
                    : 0;
            i = n > 0 ? blank + n : i;
            continue;
        }
        /* names, but not the special values */
        n = scan_name(text + i);
        if (strncmp(text + i, ".inf", 4) == 0 || strncmp(text + i, ".nan", 4) == 0) {
            i += 4;
            continue;
        }
        /* a name before "(" is a function */
        int next = i + n;
        while (n > 0 && gdyn_scan_blank(text[next]))
            next++;
        if (n > 0 && text[next] != '(')
            visit(context, text + i, n, i);
        i += n > 0 ? n : 1;
    }
}

bool gdyn_relation_split(const char *text, int *left_length, int *relation, int *right_offset) {
    const char *at = strpbrk(text, "<>=");
    if (!at)
        return false;
    const char *rest = at + 1 + (at[1] == '=');
    if (strpbrk(rest, "<>="))
        return false;
    *relation = *at == '>' ? 1 : *at == '<' ? -1 : 0;
    *left_length = (int)(at - text);
    *right_offset = (int)(rest - text);
    return true;
}

/* --- tokens: numbers with their units, names, signs; errors at their place -------------------- */

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
    int n = scan_name(p->text + at);
    char word[60];
    snprintf(word, sizeof word, "%.*s", n, p->text + at);
    if (gdyn_parser_is_value(p, word) || gdyn_expr_function(word, n))
        gdyn_parser_help(p, "a product needs a sign: 2*%s", word);
}

/* A number and the unit behind it. */
static void scan_quantity(gdyn_parser *p, int length) {
    bool whole = strspn(p->text + p->start, "0123456789") == (size_t)length;
    p->kind = GDYN_TOKEN_NUMBER, p->end = p->start + length;
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
    p->behind = p->end, p->start = p->end;
    while (gdyn_scan_blank(p->text[p->start]))
        p->start++;
    /* a number with its unit, a name, a sign, or what is none of these */
    const char *at = p->text + p->start;
    int n = gdyn_scan_number(at, &p->number);
    if (n > 0) {
        scan_quantity(p, n);
    } else if ((n = scan_name(at)) > 0 || strncmp(at, ".inf", 4) == 0 ||
               strncmp(at, ".nan", 4) == 0) {
        p->kind = GDYN_TOKEN_NAME;
        p->end = p->start + (n > 0 ? n : 4);
    } else if (*at && strchr("+-*/^(),", *at)) {
        p->kind = GDYN_TOKEN_SIGN, p->end = p->start + 1;
    } else {
        p->kind = *at ? GDYN_TOKEN_BROKEN : GDYN_TOKEN_END;
        p->end = p->start + (*at ? character_length(at) : 0);
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
