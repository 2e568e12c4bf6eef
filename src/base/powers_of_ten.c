/* powers_of_ten.c - 10^k in 128 bits, as digits.c and decimal.c need them; tests/unit/test_digits.c
 * compares them with exact integers.
 *
 * g_k = ceil(10^k 2^-e) with 2^127 <= g_k < 2^128, in two halves. The leading bits of 10^k are
 * those of 5^k, which is computed exactly: products for k >= 0; for k < 0 a power of two divided by
 * 5 over and over, cut off each time, is that power divided by 5^-k and cut off once. */
#include "base/powers_of_ten.h"

#include <stdbool.h>

/* Words of a whole number, least first. What is below GUARD is zero before the first division,
 * which never gets there with the leading bits. */
enum { GUARD = 5, WORDS = 32 };

uint64_t gdyn_powers_of_ten[GDYN_POWER_LAST - GDYN_POWER_FIRST + 1][2];

/* The 128 leading bits, and one more where the number has others behind them or was `cut` off. */
static void put_power(const uint32_t number[WORDS], bool cut, uint64_t g[2]) {
    int top = WORDS - 1;
    while (number[top] == 0)
        top--;
    int zeros = __builtin_clz(number[top]);
    gdyn_wide bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 32 | number[top - i];
    uint64_t behind = (uint64_t)number[top - 4] << zeros;
    bits = bits << zeros | behind >> 32;
    cut |= (uint32_t)behind != 0;
    for (int i = 0; i < top - 4; i++)
        cut |= number[i] != 0;
    bits += cut;
    g[0] = (uint64_t)(bits >> 64), g[1] = (uint64_t)bits;
}

/* When the library is loaded. */
__attribute__((constructor)) static void fill_powers(void) {
    uint32_t power[WORDS] = {[GUARD] = 1}, part[WORDS] = {[WORDS - 1] = 1};
    for (int k = 0; k <= GDYN_POWER_LAST; k++) {
        put_power(power, false, gdyn_powers_of_ten[k - GDYN_POWER_FIRST]);
        uint64_t carried = 0;
        for (int i = 0; i < WORDS; i++) {
            carried += (uint64_t)power[i] * 5;
            power[i] = (uint32_t)carried;
            carried >>= 32;
        }
    }
    for (int k = -1; k >= GDYN_POWER_FIRST; k--) {
        uint64_t rest = 0;
        for (int i = WORDS - 1; i >= 0; i--) {
            rest = rest << 32 | part[i];
            part[i] = (uint32_t)(rest / 5);
            rest %= 5;
        }
        put_power(part, true, gdyn_powers_of_ten[k - GDYN_POWER_FIRST]);
    }
}
