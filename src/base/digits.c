/* digits.c - the shortest decimal number that is read as the same double; of several the nearest to
 * it.
 *
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020). v = c 2^q is what is read
 * for every decimal number between its neighbours' midpoints, (c - 1/2) 2^q and (c + 1/2) 2^q (at a
 * power of two the lower one is (c - 1/4) 2^q), with the midpoints themselves if c is even. With k
 * = floor(log10 of the width) the interval holds at least one multiple of 10^k, and at most one of
 * 10^(k+1), the shorter number if it is there. Four times the ends and v, divided by 10^k, are
 * compared as integers with a sticky last bit; 128 bits of 10^-k are enough for them to be decided
 * exactly (section 9 of the paper). */
#include "base/powers_of_ten.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1075, MOST_DIGITS = 17 };

/* digits 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* --- products --------------------------------------------------------------------------------- */

/* floor(g c / 2^128), its last bit set if something was cut off. */
static uint64_t round_to_odd(const uint64_t g[2], uint64_t c) {
    uint64_t low, rest;
    uint64_t high = gdyn_multiply(g[0], c, &low), carried = gdyn_multiply(g[1], c, &rest);
    low += carried;
    high += low < carried;
    return high | (low > 1);
}

/* --- the shortest number ---------------------------------------------------------------------- */

/* s or s + 1, times `unit` quarters: whichever alone lies between lower and upper; false when both
 * or none do. */
static bool only_one(uint64_t s, uint64_t unit, uint64_t lower, uint64_t upper, uint64_t *digits) {
    bool below = lower <= unit * s, above = unit * s + unit <= upper;
    *digits = s + above;
    return below != above;
}

/* Of c 2^q; `closer`: the neighbour below is half as far as the one above. */
static decimal shortest(uint64_t c, int q, bool closer) {
    /* floor(log10(2^q)), with `closer` floor(log10(3/4 2^q)): exact in the range of doubles
     * (section 8) */
    int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22, shift = q + gdyn_log2_of_power(-k) + 1;
    const uint64_t *g = gdyn_powers_of_ten[-k - GDYN_POWER_FIRST];
    /* four times v and its midpoints in units of 10^k; midpoints count for an even c */
    uint64_t odd = c & 1, four = round_to_odd(g, (4 * c) << shift);
    uint64_t lower = round_to_odd(g, (4 * c - 2 + closer) << shift) + odd;
    uint64_t upper = round_to_odd(g, (4 * c + 2) << shift) - odd;
    uint64_t s = four / 4, digits;
    /* one digit less, where that is one number; else the only number of these digits, else the
     * nearest */
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

/* --- layout ----------------------------------------------------------------------------------- */

static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
                            "353637383940414243444546474849"
                            "5051525354555657585960616263646566676869707172737475767778798081828384"
                            "858687888990919293949596979899";

/* Eight digits, with zeros in front. */
static void put_eight(char *to, uint32_t number) {
    uint32_t high = number / 10000, low = number % 10000;
    memcpy(to, pairs + 2 * (high / 100), 2);
    memcpy(to + 2, pairs + 2 * (high % 100), 2);
    memcpy(to + 4, pairs + 2 * (low / 100), 2);
    memcpy(to + 6, pairs + 2 * (low % 100), 2);
}

/* Copies are of fixed size, which is an instruction or two: more than is needed lands in the room
 * behind. */
enum { PADDED = 20, ROOM = 2 * PADDED };

/* The digits of a positive number of at most PADDED of them; returns where the first one is. */
static const char *spell(uint64_t number, char out[ROOM], int *count) {
    const uint64_t eight = 100000000;
    uint64_t high = number / eight;
    memcpy(out, "0000", 4);
    put_eight(out + 4, (uint32_t)(high % eight));
    put_eight(out + 12, (uint32_t)(number % eight));
    memcpy(out + 2, pairs + 2 * (high / eight), 2);
    const char *at = out;
    while (*at == '0')
        at++;
    *count = (int)(out + PADDED - at);
    return at;
}

static char *put(char *at, const char *bytes, int length) {
    memcpy(at, bytes, PADDED);
    return at + length;
}

/* As "%.17g" lays numbers out, power: of the first digit: 0.00012, 12, 12.5, 1.2e-05, 1.2e+17. */
static char *lay_out(char *at, const char *digit, int count, int power) {
    bool scientific = power < -4 || power >= MOST_DIGITS;
    int whole = scientific ? 1 : power + 1; /* digits before the point */
    if (whole <= 0)
        return put(put(at, "0.000000000000000000", 2 - whole), digit, count);
    if (whole >= count) {
        at = put(put(at, digit, count), "00000000000000000000", whole - count);
    } else {
        at = put(at, digit, whole);
        *at++ = '.';
        at = put(at, digit + whole, count - whole);
    }
    if (!scientific)
        return at;
    /* "e-05", "e+117" */
    int size = power < 0 ? -power : power;
    *at++ = 'e';
    *at++ = power < 0 ? '-' : '+';
    if (size >= 100)
        *at++ = (char)('0' + size / 100);
    memcpy(at, pairs + 2 * (size % 100), 2);
    return at + 2;
}

int gdyn_digits_put(char out[GDYN_DIGITS_ROOM], double value) {
    char digit[ROOM] = {0}, *at = out;
    int count;
    *out = '\0';
    if (isnan(value))
        return 0;
    if (value < 0)
        *at++ = '-';
    if (value == 0 || isinf(value)) {
        memcpy(at, value == 0 ? "0\0\0" : "inf", 4);
        return (int)(at - out) + (value == 0 ? 1 : 3);
    }
    decimal d = decimal_of(fabs(value));
    const char *first = spell(d.digits, digit, &count);
    at = lay_out(at, first, count, count - 1 + d.exponent);
    *at = '\0';
    return (int)(at - out);
}

gdyn_words gdyn_digits(double value) {
    gdyn_words words;
    gdyn_digits_put(words.text, value);
    return words;
}

gdyn_words gdyn_rounded_digits(double value, int digits) {
    char text[GDYN_DIGITS_ROOM];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return gdyn_digits(strtod(text, NULL)); /* both in the locale of the process */
}
