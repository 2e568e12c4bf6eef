/* The shortest number of a double, and the double of a number, against the C library's correctly rounded "%.*e" and strtod; the table of powers
 * against integers of any length. */
#include "base/powers_of_ten.h"
#include "base/random.h"
#include "base/text.h"
#include "share.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The same bits, and the same end, as the C library's. */
static void check_reading(const char *text) {
    const char *end;
    char *stop;
    double value = gdyn_decimal_read(text, &end), other = strtod(text, &stop);
    if (memcmp(&value, &other, sizeof value) != 0 || end != stop)
        fail_msg("'%s' was read as %.17g to '%s', not %.17g", text, value, end, other);
}

/* Digits of a number without sign, point, exponent and zeros at either end; their number. */
static int significant(const char *text, char digit[40]) {
    int count = 0, kept = 0;
    for (const char *c = text; *c && *c != 'e'; c++)
        if (*c >= '1' || (*c == '0' && count > 0)) {
            digit[count++] = *c;
            kept = *c == '0' ? kept : count;
        }
    digit[kept] = '\0';
    return kept;
}

static void check_round_trip(double value) {
    gdyn_words words = gdyn_digits(value);
    const char *end;
    double read = strtod(words.text, NULL), own = gdyn_decimal_read(words.text, &end);
    if (memcmp(&read, &value, sizeof read) != 0 || memcmp(&own, &value, sizeof own) != 0)
        fail_msg("%.17g was written as %s and read as %.17g", value, words.text, own);
}

/* The nearest number of that many digits in a direction (FE_TONEAREST, FE_DOWNWARD, FE_UPWARD). */
static void round_to(double value, int digits, int direction, char out[40]) {
    fesetround(direction);
    snprintf(out, 40, "%.*e", digits - 1, value);
    fesetround(FE_TONEAREST);
}

/* With one digit less neither the number below nor the one above is read as the value; of its own length it is the
 * nearest one, if that is read as the value (at a power of two it may lie too far below). */
static void check_shortest(double value) {
    gdyn_words words = gdyn_digits(value);
    char own[40], other[40], others[40];
    int digits = significant(words.text, own);
    static const int direction[] = {FE_DOWNWARD, FE_UPWARD};
    for (int i = 0; i < 2 && digits > 1; i++) {
        round_to(value, digits - 1, direction[i], other);
        if (strtod(other, NULL) == value)
            fail_msg("%.17g was written as %s, and %s is shorter", value, words.text, other);
    }
    round_to(value, digits, FE_TONEAREST, other);
    significant(other, others);
    if (strtod(other, NULL) == value)
        assert_string_equal(own, others);
}

static void check(double value) {
    for (int sign = -1; sign <= 1; sign += 2) {
        check_round_trip(sign * value);
        check_shortest(sign * value);
    }
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void known_forms(void **state) {
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.0001, "0.0001"},
        {1e-5, "1e-05"},
        {100, "100"},
        {1e16, "10000000000000000"},
        {1e17, "1e+17"},
        {123456789, "123456789"},
        {1e22, "1e+22"},
        {1e23, "1e+23"},
        {9007199254740993.0, "9007199254740992"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, ""},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {0x1p-1074, "5e-324"},
        {2e-44, "2e-44"},
        {9.5367431640625e-07, "9.5367431640625e-07"},
        {5e-324, "5e-324"},
        {2.0 / 3, "0.6666666666666666"},
        {3.14159265358979323846, "3.141592653589793"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(gdyn_digits(known[i].value).text, known[i].text);
}

/* Whatever strtod takes and leaves; numbers that are hard to read. */
static void readings(void **state) {
    static const char *const texts[] = {"",
                                        " 1",
                                        "+1",
                                        "-0",
                                        "+-1",
                                        ".",
                                        "-.",
                                        ".5",
                                        "5.",
                                        "5.e1",
                                        "1e",
                                        "1e+",
                                        "1e+x",
                                        "1e5",
                                        "1E-5",
                                        "1.5.5",
                                        "0x10",
                                        "-0x1.8p3",
                                        "5x",
                                        "inf",
                                        "-infinity",
                                        "nan",
                                        "nano",
                                        "1,5",
                                        "1 2",
                                        "00012.50",
                                        "0.000000000000000000000000001",
                                        "1e-400",
                                        "1e400",
                                        "-1e400",
                                        "1e99999999999",
                                        "0e99999999999",
                                        "1e-99999999999",
                                        "9007199254740993",
                                        "9007199254740992.9999999999",
                                        "9007199254740993.0000000001",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "2.4703282292062327e-324",
                                        "4.9406564584124654e-324",
                                        "1.7976931348623157e308",
                                        "1.7976931348623159e308",
                                        "6.631236871469758276785396630275967e-4",
                                        "9999999999999999999",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "1234567890123456789012",
                                        "7.2057594037927933e16",
                                        "3.5844466002796428e298",
                                        "0.1e1x",
                                        "1e23",
                                        "8.5e22",
                                        "9.5e-23"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_reading(texts[i]);
}

/* Digits and exponents at random; numbers in the middle between two doubles, and beside it. */
static void random_readings(void **state) {
    gdyn_random random = gdyn_random_stream(3, 5, 8);
    char text[64];
    (void)state;
    for (int i = 0; i < 60000; i++) {
        uint64_t digits = gdyn_random_bits(&random) >> (i % 61);
        snprintf(text, sizeof text, "%s%llu.%llue%d", i % 2 ? "-" : "",
                 (unsigned long long)(digits % 100000), (unsigned long long)(digits / 100000),
                 (int)(gdyn_random_bits(&random) % 660) - 330);
        check_reading(text);
    }
    /* (2 c + 1) 2^q with q from -2 to 9 has few digits enough to be spelled exactly */
    for (int i = 0; i < 60000; i++) {
        uint64_t c = ((uint64_t)1 << 53) + (gdyn_random_bits(&random) >> 12) * 2 + 1;
        int q = i % 12 - 2;
        snprintf(text, sizeof text, "%.2Lf", ldexpl((long double)c, q));
        size_t length = strlen(text);
        check_reading(text);
        text[length - 1] = (char)(text[length - 1] == '0' ? '1' : text[length - 1] - 1);
        check_reading(text);
    }
}

/* Both sides of every power of two, and the ends of the denormal numbers. */
static void edges(void **state) {
    (void)state;
    for (uint64_t exponent = 0; exponent < 2047; exponent++)
        for (uint64_t around = 0; around < 5; around++) {
            double value = of_bits((exponent << 52) + around - 2);
            if (isfinite(value) && value > 0)
                check(value);
        }
    for (uint64_t i = 1; i < 2000; i++)
        check(of_bits(i));
    for (int bit = 0; bit < 52; bit++)
        check(of_bits((uint64_t)1 << bit));
}

/* Decimal powers and numbers with few digits, as people write them. */
static void decimals(void **state) {
    (void)state;
    for (int k = -323; k <= 308; k++)
        for (int c = 1; c < 100; c += k % 3 == 0 ? 1 : 7) {
            char text[32], digit[40];
            snprintf(text, sizeof text, "%de%d", c, k);
            double value = strtod(text, NULL);
            if (isfinite(value) && value >= DBL_MIN) {
                check(value);
                assert_true(significant(gdyn_digits(value).text, digit) <= 2);
            }
        }
    for (int i = 1; i < 100000; i++)
        check_round_trip(i / 1000.0);
}

/* Bits at random: all exponents alike; then numbers of ordinary size. */
static void random_bits(void **state) {
    (void)state;
    for (uint64_t i = 0; i < (uint64_t)gdyn_share(8000000); i++) {
        gdyn_random random = gdyn_random_stream(1, i, 0);
        double value = of_bits(gdyn_random_bits(&random));
        if (!isfinite(value))
            continue;
        check_round_trip(value);
        if (i % 100 == 0)
            check(fabs(value));
    }
}

/* --- the table -------------------------------------------------------------------------------- */

enum { WORDS = 72 }; /* 2,304 bits, 1,152 of them before the point */

/* A positive number with its lowest word first. */
typedef struct big {
    uint32_t word[WORDS];
} big;

static void times(big *b, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)b->word[i] * factor;
        b->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_true(carry == 0);
}

/* Returns whether something was left. */
static bool divide(big *b, uint32_t divisor) {
    uint64_t rest = 0;
    for (int i = WORDS; i-- > 0;) {
        rest = rest << 32 | b->word[i];
        b->word[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    return rest > 0;
}

/* The 128 highest bits, rounded up if anything follows them. */
static void compare(const big *b, bool more, const uint64_t expected[2]) {
    int top = WORDS * 32 - 1;
    while (!(b->word[top / 32] >> (top % 32) & 1))
        top--;
    uint64_t half[2] = {0, 0};
    for (int i = 0; i < 128; i++)
        half[i / 64] = half[i / 64] << 1 | (b->word[(top - i) / 32] >> ((top - i) % 32) & 1);
    for (int i = 0; i <= top - 128; i++)
        more |= b->word[i / 32] >> (i % 32) & 1;
    half[1] += more;
    half[0] += more && half[1] == 0;
    assert_true(half[0] == expected[0] && half[1] == expected[1]);
}

static void table_of_powers(void **state) {
    (void)state;
    big up = {{0}}, down = {{0}};
    bool cut = false;
    up.word[WORDS / 2] = down.word[WORDS - 1] = 1;
    for (int k = 0; k <= GDYN_POWER_LAST; k++) {
        compare(&up, false, gdyn_powers_of_ten[k - GDYN_POWER_FIRST]);
        if (k <= -GDYN_POWER_FIRST)
            compare(&down, cut, gdyn_powers_of_ten[-k - GDYN_POWER_FIRST]);
        times(&up, 10);
        cut |= divide(&down, 10);
    }
}

/* A decimal comma of the process changes nothing; without such a locale on the machine there is nothing to see. */
static void any_locale(void **state) {
    (void)state;
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "cs_CZ.UTF-8"};
    bool comma = false;
    for (size_t i = 0; i < sizeof name / sizeof *name && !comma; i++)
        comma = setlocale(LC_NUMERIC, name[i]) && *localeconv()->decimal_point == ',';
    /* read by the library's strtod: too many digits, beside a half, none */
    const char *end, *many = "0.1000000000000000055511151231257827;";
    double value = gdyn_decimal_read(many, &end), infinite = gdyn_decimal_read("inf", &end);
    gdyn_decimal_read(many, &end);
    gdyn_words rounded = gdyn_rounded_digits(0.1 + 0.2, 15);
    setlocale(LC_NUMERIC, "C");
    assert_true(value == 0.1 && isinf(infinite));
    assert_string_equal(end, ";");
    assert_string_equal(rounded.text, "0.3");
    if (!comma)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_locale),  cmocka_unit_test(known_forms),
        cmocka_unit_test(edges),       cmocka_unit_test(decimals),
        cmocka_unit_test(random_bits), cmocka_unit_test(table_of_powers),
        cmocka_unit_test(readings),    cmocka_unit_test(random_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
