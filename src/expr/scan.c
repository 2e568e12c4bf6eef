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
int gdyn_scan_name(const char *text) {
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

/* Bytes of one character of UTF-8; a broken one counts as a byte. */
int gdyn_scan_character(const char *text) {
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
    while (n < length && n + gdyn_scan_character(text + n) <= most)
        n += gdyn_scan_character(text + n);
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
    error->help[0] = '\0';
    error->offset = offset;
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
        n = gdyn_scan_name(text + i);
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
