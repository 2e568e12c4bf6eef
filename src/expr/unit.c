/* unit.c - units: a table of symbols, decimal prefixes, and compounds such as "N m s/rad".
 *
 * Inside a formula a unit follows its number directly, with or without a blank:
 *     compound = factor { blank factor | "/" factor }       factor = symbol [ ["^"] exponent ]
 * A quotient is written without blanks around the slash ("N/m"); with blanks the slash divides the
 * formula. Each slash takes one factor ("m/s/s"); a blank behind a quotient would be ambiguous
 * ("N/m s") and is rejected. Behind a number and a blank, "1/m" is the unit of a reciprocal. */
#include "code.h"
#include "base/pi.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct symbol {
    const char *name, *about;
    double up, down; /* SI value = number * up / down */
    signed char m, kg, s;
    bool prefixed; /* takes prefixes */
} symbols[] = {
    {"m", "metre", 1, 1, 1, 0, 0, true},
    {"cm", "centimetre", 1, 100, 1, 0, 0, false},
    {"dm", "decimetre", 1, 10, 1, 0, 0, false},
    {"in", "inch", 254, 10000, 1, 0, 0, false},
    {"ft", "foot", 3048, 10000, 1, 0, 0, false},
    {"yd", "yard", 9144, 10000, 1, 0, 0, false},
    {"mi", "mile", 1609344, 1000, 1, 0, 0, false},
    {"rad", "radian", 1, 1, 0, 0, 0, true},
    {"deg", "degree", 0, 180, 0, 0, 0, false},
    {"\xc2\xb0", "degree", 0, 180, 0, 0, 0, false},
    {"arcmin", "minute of arc", 0, 10800, 0, 0, 0, false},
    {"arcsec", "second of arc", 0, 648000, 0, 0, 0, false},
    {"rev", "revolution", 0, 0.5, 0, 0, 0, false},
    {"s", "second", 1, 1, 0, 0, 1, true},
    {"min", "minute", 60, 1, 0, 0, 1, false},
    {"h", "hour", 3600, 1, 0, 0, 1, false},
    {"g", "gram", 1, 1000, 0, 1, 0, true},
    {"kg", "kilogram", 1, 1, 0, 1, 0, false},
    {"t", "tonne", 1000, 1, 0, 1, 0, false},
    {"lb", "pound (mass)", 45359237, 1e8, 0, 1, 0, false},
    {"oz", "ounce (mass)", 45359237, 16e8, 0, 1, 0, false},
    {"N", "newton", 1, 1, 1, 1, -2, true},
    {"lbf", "pound-force", 44482216152605, 1e13, 1, 1, -2, false},
    {"ozf", "ounce-force", 44482216152605, 16e13, 1, 1, -2, false},
    {"kgf", "kilogram-force", 980665, 1e5, 1, 1, -2, false},
    {"Nm", "newton metre", 1, 1, 2, 1, -2, true},
    {"J", "joule", 1, 1, 2, 1, -2, true},
    {"W", "watt", 1, 1, 2, 1, -3, true},
    {"hp", "horsepower (550 ft lbf/s)", 745.69987158227022, 1, 2, 1, -3, false},
    {"Hz", "hertz", 1, 1, 0, 0, -1, true},
    {"rpm", "revolutions per minute", 0, 30, 0, 0, -1, false},
    {"Pa", "pascal", 1, 1, -1, 1, -2, true},
    {"bar", "bar", 1e5, 1, -1, 1, -2, false},
    {"psi", "lbf/in^2", 44482216152605, 6451600000, -1, 1, -2, false},
};

static const struct prefix {
    const char *name;
    double up, down;
} prefixes[] = {
    {"u", 1, 1e6}, {"\xc2\xb5", 1, 1e6}, {"\xce\xbc", 1, 1e6}, {"n", 1, 1e9},
    {"m", 1, 1e3}, {"k", 1e3, 1},        {"M", 1e6, 1},        {"G", 1e9, 1},
};

/* What to propose for a misspelt unit. */
static const char *const common[] = {
    "m",   "mm", "cm",  "km",  "um",  "rad", "mrad", "deg", "rev", "s",  "ms",  "min", "h",  "kg",
    "g",   "t",  "N",   "mN",  "kN",  "MN",  "Nm",   "kNm", "J",   "kJ", "W",   "kW",  "Hz", "kHz",
    "rpm", "Pa", "kPa", "MPa", "GPa", "bar", "in",   "ft",  "lb",  "oz", "lbf", "psi", "hp", "kgf",
};

enum { COUNT = sizeof symbols / sizeof symbols[0], GREATEST_EXPONENT = 9 };

/* NULL: no such symbol. */
static const struct symbol *find_symbol(const char *word, int length) {
    for (int i = 0; i < COUNT; i++)
        if ((int)strlen(symbols[i].name) == length &&
            memcmp(symbols[i].name, word, (size_t)length) == 0)
            return &symbols[i];
    return NULL;
}

/* Factor up / down, so that inches and minutes stay exact. */
static void set(gdyn_unit *unit, const struct symbol *symbol, double up, double down) {
    unit->up = up * (symbol->up == 0.0 ? GDYN_PI : symbol->up); /* 0 means pi */
    unit->down = down * symbol->down;
    unit->dimension = (gdyn_dimension){true, symbol->m, symbol->kg, symbol->s, false};
}

/* A symbol with or without prefix; the plain symbols win ("min" is a minute, "kg" is exact). */
static bool find_simple(const char *word, int length, gdyn_unit *unit) {
    const struct symbol *symbol = find_symbol(word, length);
    if (symbol) {
        set(unit, symbol, 1.0, 1.0);
        return true;
    }
    /* prefixes, where the symbol takes one */
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const struct prefix *prefix = &prefixes[i];
        int n = (int)strlen(prefix->name);
        if (length <= n || memcmp(word, prefix->name, (size_t)n) != 0)
            continue;
        symbol = find_symbol(word + n, length - n);
        if (symbol && symbol->prefixed) {
            set(unit, symbol, prefix->up, prefix->down);
            return true;
        }
    }
    return false;
}

/* An exponent written behind the symbol ("m2", "m" with a raised two); 0 when there is none. The
 * symbol's length is left in *length. */
static int trailing_exponent(const char *word, int *length) {
    int n = *length;
    if (n >= 2 && word[n - 1] >= '2' && word[n - 1] <= '9') {
        *length = n - 1;
        return word[n - 1] - '0';
    }
    if (n >= 3 &&
        (memcmp(word + n - 2, "\xc2\xb2", 2) == 0 || memcmp(word + n - 2, "\xc2\xb3", 2) == 0)) {
        *length = n - 2;
        return word[n - 1] == '\xb2' ? 2 : 3;
    }
    return 0;
}

static void raise(gdyn_unit *unit, int exponent) {
    gdyn_unit base = *unit;
    *unit = (gdyn_unit){1.0, 1.0, GDYN_DIM_NONE};
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) {
        unit->up *= exponent < 0 ? base.down : base.up;
        unit->down *= exponent < 0 ? base.up : base.down;
    }
    unit->dimension = gdyn_dimension_power(base.dimension, exponent);
}

/* A word as a unit; *raised tells whether it brought its exponent with it. */
static bool find(const char *word, int length, gdyn_unit *unit, bool *raised) {
    *raised = false;
    if (find_simple(word, length, unit))
        return true;
    int exponent = trailing_exponent(word, &length);
    if (exponent == 0 || !find_simple(word, length, unit))
        return false;
    raise(unit, exponent);
    *raised = true;
    return true;
}

/* Units may hold the micro and degree signs and raised digits. */
static int special(const char *text) {
    static const char *const signs[] = {"\xc2\xb5", "\xce\xbc", "\xc2\xb0", "\xc2\xb2", "\xc2\xb3"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strncmp(text, signs[i], 2) == 0)
            return 2;
    return 0;
}

bool gdyn_unit_begins(const char *text) {
    return gdyn_scan_letter(text[0]) || special(text) > 0;
}

/* Letters, digits behind them, and signs like the degree. */
static int word_length(const char *text) {
    int n = 0;
    for (;;) {
        int more = special(text + n);
        if (more == 0 && !gdyn_scan_letter(text[n]) && !(n > 0 && gdyn_scan_digit(text[n])))
            return n;
        n += more ? more : 1;
    }
}

/* Whether a word is a unit, with or without prefix. */
bool gdyn_unit_is(const char *word, int length) {
    gdyn_unit unit;
    bool raised;
    return find(word, length, &unit, &raised);
}

/* Every way to part a word into two units ("kgm2", "Nmm") as a proposal; an s may be a plural.
 * False: there is none. */
static bool propose_parts(const char *word, char *help, size_t size) {
    int length = (int)strlen(word), found = 0;
    for (int n = 1; n < length && found < 2; n++) {
        char *end = help + strlen(help);
        if (!gdyn_unit_is(word, n) || !gdyn_unit_is(word + n, length - n))
            continue;
        snprintf(end, size - (size_t)(end - help), "%s", found++ == 0 ? "did you mean " : " or ");
        end += strlen(end);
        if (!strcmp(word + n, "s"))
            snprintf(end, size - (size_t)(end - help), "'%.*s' or ", n, word);
        end += strlen(end);
        snprintf(end, size - (size_t)(end - help), "'%.*s %s'", n, word, word + n);
    }
    return found > 0;
}

/* Names the unit that was meant. */
static void unknown(const char *text, int offset, int length, gdyn_expr_error *error) {
    char word[40];
    snprintf(word, sizeof word, "%.*s", gdyn_scan_cut(text + offset, length, 39), text + offset);
    gdyn_expr_fail(error, offset, length, GDYN_CODE_UNIT "unknown unit '%s'", word);
    const char *nearest = gdyn_text_nearest(word, common, sizeof common / sizeof common[0]);
    if (propose_parts(word, error->help, sizeof error->help))
        strncat(error->help, "?", sizeof error->help - strlen(error->help) - 1);
    else if (nearest)
        snprintf(error->help, sizeof error->help, "did you mean '%s'?", nearest);
    else
        snprintf(error->help, sizeof error->help, "globdyn explain units lists all");
}

/* "^2", "^-1" behind a symbol. Length, 0 when there is none, -1 when it is wrong. */
static int explicit_exponent(const char *text, int *exponent) {
    if (text[0] != '^')
        return 0;
    /* one digit, with or without sign */
    int sign = text[1] == '-' || text[1] == '+';
    if (!gdyn_scan_digit(text[1 + sign]) || gdyn_scan_digit(text[2 + sign]) ||
        text[2 + sign] == '.' || text[1 + sign] > '0' + GREATEST_EXPONENT)
        return -1;
    *exponent = (text[1] == '-' ? -1 : 1) * (text[1 + sign] - '0');
    return 2 + sign;
}

/* One factor at text[at]; its length, or -1. */
static int scan_factor(const char *text, int at, gdyn_unit *unit, gdyn_expr_error *error) {
    bool raised;
    int length = word_length(text + at), exponent = 1;
    /* the symbol, then its exponent */
    if (!find(text + at, length, unit, &raised)) {
        unknown(text, at, length, error);
        return -1;
    }
    int more = explicit_exponent(text + at + length, &exponent);
    if (more < 0 || (more > 0 && raised)) {
        gdyn_expr_fail(error, at + length, 1,
                       GDYN_CODE_UNIT "the exponent of a unit is one whole number");
        snprintf(error->help, sizeof error->help,
                 "put the quantity into parentheses to raise it: (3 m)^0.5");
        return -1;
    }
    if (more > 0)
        raise(unit, exponent);
    return length + more;
}

/* Where the next factor begins and its sign; 0 when the unit ends here. */
static int next_factor(const char *text, int at, int *sign) {
    if (text[at] == '/') {
        int length = gdyn_unit_begins(text + at + 1) ? word_length(text + at + 1) : 0;
        *sign = -1;
        return length && gdyn_unit_is(text + at + 1, length) ? at + 1 : 0;
    }
    int next = at;
    while (gdyn_scan_blank(text[next]))
        next++;
    *sign = 1;
    return next > at && gdyn_unit_begins(text + next) ? next : 0;
}

bool gdyn_unit_inverse(const char *text) {
    return text[0] == '1' && text[1] == '/' && gdyn_unit_begins(text + 2) &&
           gdyn_unit_is(text + 2, word_length(text + 2));
}

/* Factors joined by blanks and "/"; products may not follow quotients. "1/" may stand in front. */
int gdyn_unit_scan(const char *text, gdyn_unit *unit, gdyn_expr_error *error) {
    bool divided = gdyn_unit_inverse(text);
    int sign = divided ? -1 : 1, next = divided ? 2 : 0, at;
    *unit = (gdyn_unit){1.0, 1.0, GDYN_DIM_NONE};
    do {
        gdyn_unit factor;
        int length = scan_factor(text, next, &factor, error);
        if (length < 0)
            return -1;
        /* "N/m s" could mean both */
        if (divided && sign > 0) {
            gdyn_expr_fail(error, next, length,
                           GDYN_CODE_UNIT "ambiguous unit: a product after a quotient");
            snprintf(error->help, sizeof error->help,
                     "write the products first (N m s/rad) and one '/' for each divisor (m/s/s)");
            return -1;
        }
        divided = divided || sign < 0;
        unit->up *= sign > 0 ? factor.up : factor.down;
        unit->down *= sign > 0 ? factor.down : factor.up;
        unit->dimension = gdyn_dimension_product(unit->dimension, factor.dimension, sign);
        at = next + length;
    } while ((next = next_factor(text, at, &sign)) > 0);
    return at;
}

/* The whole text is one unit. */
bool gdyn_unit_parse(const char *text, double *factor, gdyn_dimension *dimension) {
    gdyn_unit unit = {1.0, 1.0, GDYN_DIM_NONE};
    gdyn_expr_error error;
    int at = 0;
    while (gdyn_scan_blank(text[at]))
        at++;
    if (!gdyn_unit_begins(text + at) && !gdyn_unit_inverse(text + at))
        return false;
    int n = gdyn_unit_scan(text + at, &unit, &error);
    if (n < 0)
        return false;
    at += n;
    /* nothing may follow */
    while (gdyn_scan_blank(text[at]))
        at++;
    *factor = unit.up / unit.down, *dimension = unit.dimension;
    return text[at] == '\0';
}

bool gdyn_unit_list(int i, gdyn_unit_row *row) {
    if (i < 0 || i >= COUNT)
        return false;
    gdyn_unit unit;
    set(&unit, &symbols[i], 1, 1);
    *row = (gdyn_unit_row){symbols[i].name, symbols[i].about, unit.up / unit.down, unit.dimension,
                           symbols[i].prefixed};
    return true;
}

/* --- dimensions as exponents of metre, kilogram and second ------------------------------------ */

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

/* Powers of numbers are numbers for any exponent. */
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
