/* powers_of_ten.h - 10^k in 128 bits, for digits.c. */
#ifndef GDYN_BASE_POWERS_OF_TEN_H
#define GDYN_BASE_POWERS_OF_TEN_H

#include <stdint.h>

enum { GDYN_POWER_FIRST = -292, GDYN_POWER_LAST = 324 };

/* [k - GDYN_POWER_FIRST]: the upper and the lower half of g = ceil(10^k 2^-e), 2^127 <= g < 2^128. */
extern const uint64_t gdyn_powers_of_ten[GDYN_POWER_LAST - GDYN_POWER_FIRST + 1][2];

#endif
