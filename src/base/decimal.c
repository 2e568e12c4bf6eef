/* decimal.c - the double nearest to a decimal number.
 *
 * Its digits are a whole number w < 2^64 times 10^k, and 10^k lies in ((g - 1) 2^e, g 2^e] with the
 * 128 bits of g in powers_of_ten.h. So the number lies in (w g - w, w g] 2^e: known to 2^64 of up
 * to 2^192 (the product of D. Lemire, "Number parsing at a gigabyte per second", 2021). Where all
 * of that interval rounds to one double, this is the answer. Next to the middle of two doubles,
 * with more than 19 digits, beyond normal numbers and for anything but plain digits ("inf",
 * "0x1p3"), the C library decides. */
#include "base/powers_of_ten.h"
#include "base/text.h"

#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 19, MOST_EXPONENT = 9999, MANTISSA_BITS = 52, EXPONENT_BIAS = 1023 };

/* digits 10^exponent, and what stands behind it */
typedef struct plain {
    uint64_t digits;
    int count, exponent; /* digits without zeros in front */
    bool any;            /* there was a digit */
    const char *end;
} plain;

/* Digits up to the first other character; *passed: how many. */
static void take_digits(plain *n, int *passed) {
    const char *at = n->end;
    uint64_t digits = n->digits;
    while (n->count == 0 && *at == '0')
        at++;
    const char *first = at;
    for (unsigned digit; (digit = (unsigned)*at - '0') <= 9; at++)
        digits = 10 * digits + digit;
    n->count += (int)(at - first);
    *passed = (int)(at - n->end);
    n->digits = digits, n->end = at, n->any |= *passed > 0;
}

/* "e-5": an e without digits is not part of the number. */
static void take_exponent(plain *n) {
    const char *at = n->end + 1;
    bool negative = *at == '-';
    int exponent = 0;
    at += *at == '-' || *at == '+';
    if (*at < '0' || *at > '9')
        return;
    for (; *at >= '0' && *at <= '9'; at++)
        exponent = exponent < MOST_EXPONENT ? 10 * exponent + (*at - '0') : exponent;
    n->exponent += negative ? -exponent : exponent;
    n->end = at;
}

/* The double next to w 10^k, w > 0; false where this product does not decide it. */
static bool nearest(uint64_t w, int k, double *value) {
    if (k < GDYN_POWER_FIRST || k > GDYN_POWER_LAST)
        return false;
    const uint64_t *g = gdyn_powers_of_ten[k - GDYN_POWER_FIRST];
    int zeros = __builtin_clzll(w);
    w <<= zeros;
    /* the upper 128 bits of the product, uncertain by less than one of the last of them on either
     * side */
    uint64_t low, rest, high = gdyn_multiply(g[0], w, &low),
                        carried = gdyn_multiply(g[1], w, &rest);
    low += carried;
    high += low < carried;
    /* its first bit is set; uncertain by two now */
    bool full = high >> 63;
    high = full ? high : high << 1 | low >> 63;
    low = full ? low : low << 1;
    /* 53 bits count, 11 + 64 behind them are rounded: not beside their middle */
    uint64_t behind = high & 0x7ff, middle = 0x400;
    if ((behind == middle && low <= 2) || (behind == middle - 1 && low >= UINT64_MAX - 2))
        return false;
    int exponent = 63 + full + gdyn_log2_of_power(k) - zeros + EXPONENT_BIAS;
    if (exponent < 1 || exponent >= 2 * EXPONENT_BIAS)
        return false;
    uint64_t bits =
        (high >> 11) + (behind >= middle); /* with the leading bit, which counts as one exponent */
    bits += (uint64_t)(exponent - 1) << MANTISSA_BITS;
    memcpy(value, &bits, sizeof bits);
    return true;
}

/* strtod, with a point regardless of the locale of the process. */
static double by_library(const char *text, const char **end) {
    locale_t plain_point = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain_point ? uselocale(plain_point) : (locale_t)0;
    char *stop;
    double value = strtod(text, &stop);
    *end = stop;
    if (before)
        uselocale(before);
    if (plain_point)
        freelocale(plain_point);
    return value;
}

double gdyn_decimal_read(const char *text, const char **end) {
    bool sign = *text == '-' || *text == '+';
    /* the digits of a plain number, without its sign; count > MOST_DIGITS: they did not fit */
    plain n = {.end = text + sign};
    int whole, fraction;
    take_digits(&n, &whole);
    if (*n.end == '.' && (n.any || (n.end[1] >= '0' && n.end[1] <= '9'))) {
        n.end++;
        take_digits(&n, &fraction);
        n.exponent = -fraction;
    }
    if (n.any && (*n.end == 'e' || *n.end == 'E'))
        take_exponent(&n);
    double value = 0;
    bool hexadecimal = *n.end == 'x' || *n.end == 'X';
    if (n.any && !hexadecimal && n.count <= MOST_DIGITS &&
        (n.digits == 0 || nearest(n.digits, n.exponent, &value))) {
        *end = n.end;
        return *text == '-' ? -value : value;
    }
    return by_library(text, end);
}
