/* powers_of_ten.h - 10^k in 128 bits, for digits.c and decimal.c. */
#pragma once

#include <stdint.h>

enum { GDYN_POWER_FIRST = -292, GDYN_POWER_LAST = 324 };

/* [k - GDYN_POWER_FIRST]: the upper and the lower half of g = ceil(10^k 2^-e), 2^127 <= g <
 * 2^128. */
extern uint64_t gdyn_powers_of_ten[GDYN_POWER_LAST - GDYN_POWER_FIRST + 1][2];

/* floor(log2(10^k)), exact in the range of doubles (Giulietti, section 8) */
static inline int gdyn_log2_of_power(int k) {
    return (k * 1741647) >> 19;
}

__extension__ typedef unsigned __int128 gdyn_wide;

/* Upper half of a b; the lower one in *low. */
static inline uint64_t gdyn_multiply(uint64_t a, uint64_t b, uint64_t *low) {
    gdyn_wide product = (gdyn_wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}
