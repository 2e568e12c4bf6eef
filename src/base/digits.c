/* digits.c - the shortest decimal number that is read as the same double; of several the nearest to it.
 *
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020). v = c 2^q is what is read for every decimal
 * number between its neighbours' midpoints, (c - 1/2) 2^q and (c + 1/2) 2^q (at a power of two the lower one is
 * (c - 1/4) 2^q), with the midpoints themselves if c is even. With k = floor(log10 of the width) the interval holds at
 * least one multiple of 10^k, and at most one of 10^(k+1), the shorter number if it is there. Four times the ends and v,
 * divided by 10^k, are compared as integers with a sticky last bit; 128 bits of 10^-k are enough for them to be decided
 * exactly (section 9 of the paper). */
#include "base/powers_of_ten.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1075, MOST_DIGITS = 17 };

/* digits 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* --- logarithms of powers, exact in the range of doubles (section 8) --------------------------- */

/* floor(log10(2^q)); with `closer` floor(log10(3/4 2^q)). */
static int log10_of_power(int q, bool closer) {
    return (q * 1262611 - (closer ? 524031 : 0)) >> 22;
}

/* --- products ---------------------------------------------------------------------------------- */

/* floor(g c / 2^128), its last bit set if something was cut off. */
static uint64_t round_to_odd(const uint64_t g[2], uint64_t c) {
    uint64_t low, rest;
    uint64_t high = gdyn_multiply(g[0], c, &low), carried = gdyn_multiply(g[1], c, &rest);
    low += carried;
    high += low < carried;
    return high | (low > 1);
}

/* --- the shortest number ----------------------------------------------------------------------- */

/* s or s + 1, times `unit` quarters: whichever alone lies between lower and upper; false when both or none do. */
static bool only_one(uint64_t s, uint64_t unit, uint64_t lower, uint64_t upper, uint64_t *digits) {
    bool below = lower <= unit * s, above = unit * s + unit <= upper;
    *digits = s + above;
    return below != above;
}

/* Of c 2^q; `closer`: the neighbour below is half as far as the one above. */
static decimal shortest(uint64_t c, int q, bool closer) {
    int k = log10_of_power(q, closer), shift = q + gdyn_log2_of_power(-k) + 1;
    const uint64_t *g = gdyn_powers_of_ten[-k - GDYN_POWER_FIRST];
    /* four times v and its midpoints in units of 10^k; midpoints count for an even c */
    uint64_t odd = c & 1, four = round_to_odd(g, (4 * c) << shift);
    uint64_t lower = round_to_odd(g, (4 * c - 2 + closer) << shift) + odd;
    uint64_t upper = round_to_odd(g, (4 * c + 2) << shift) - odd;
    uint64_t s = four / 4, digits;
    /* one digit less, where that is one number; else the only number of these digits, else the nearest */
    if (s >= 10 && only_one(s / 10, 40, lower, upper, &digits))
        return (decimal){digits, k + 1};
    if (!only_one(s, 4, lower, upper, &digits)) {
        uint64_t half = 4 * s + 2;
        digits = s + (four > half || (four == half && s % 2 == 1));
    }
    return (decimal){digits, k};
}

/* Of a positive finite number, without zeros at its end. */
static decimal decimal_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    int exponent = (int)(bits >> MANTISSA_BITS), q = (exponent ? exponent : 1) - EXPONENT_BIAS;
    uint64_t c = exponent ? fraction | (uint64_t)1 << MANTISSA_BITS : fraction;
    bool whole = q <= 0 && q > -(MANTISSA_BITS + 1) && (c & (((uint64_t)1 << -q) - 1)) == 0;
    decimal d = whole ? (decimal){c >> -q, 0} : shortest(c, q, fraction == 0 && exponent > 1);
    for (; d.digits % 10 == 0; d.exponent++)
        d.digits /= 10;
    return d;
}

/* --- layout ------------------------------------------------------------------------------------ */

static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
                            "353637383940414243444546474849"
                            "5051525354555657585960616263646566676869707172737475767778798081828384"
                            "858687888990919293949596979899";

/* The digits from the left, two at a time from the right; returns their number. */
static int spell(uint64_t number, char out[MOST_DIGITS + 3]) {
    char reversed[MOST_DIGITS + 3];
    char *end = reversed + sizeof reversed, *at = end;
    for (; number >= 100; number /= 100)
        memcpy(at -= 2, pairs + 2 * (number % 100), 2);
    if (number >= 10)
        memcpy(at -= 2, pairs + 2 * number, 2);
    else if (number > 0)
        *--at = (char)('0' + number);
    memcpy(out, at, (size_t)(end - at));
    return (int)(end - at);
}

static char *put(char *at, const char *bytes, int length) {
    memcpy(at, bytes, (size_t)length);
    return at + length;
}

static char *put_zeros(char *at, int count) {
    memset(at, '0', (size_t)count);
    return at + count;
}

/* "e-05", "e+117" */
static char *put_exponent(char *at, int power) {
    int size = power < 0 ? -power : power;
    at = put(at, power < 0 ? "e-" : "e+", 2);
    if (size >= 100)
        *at++ = (char)('0' + size / 100);
    return put(at, pairs + 2 * (size % 100), 2);
}

/* As "%.17g" lays numbers out, power: of the first digit: 0.00012, 12, 12.5, 1.2e-05, 1.2e+17. */
static char *lay_out(char *at, const char *digit, int count, int power) {
    bool scientific = power < -4 || power >= MOST_DIGITS;
    int whole = scientific ? 1 : power + 1; /* digits before the point */
    if (whole <= 0) {
        at = put_zeros(put(put_zeros(at, 1), ".", 1), -whole);
        return put(at, digit, count);
    }
    int before = whole < count ? whole : count;
    at = put_zeros(put(at, digit, before), whole - before);
    if (before < count)
        at = put(put(at, ".", 1), digit + before, count - before);
    return scientific ? put_exponent(at, power) : at;
}

gdyn_words gdyn_digits(double value) {
    gdyn_words words = {""};
    char digit[MOST_DIGITS + 3], *at = words.text;
    if (isnan(value))
        return words;
    if (value < 0)
        *at++ = '-';
    if (value == 0 || isinf(value)) {
        strcpy(at, value == 0 ? "0" : "inf");
        return words;
    }
    decimal d = decimal_of(fabs(value));
    int count = spell(d.digits, digit);
    *lay_out(at, digit, count, count - 1 + d.exponent) = '\0';
    return words;
}
