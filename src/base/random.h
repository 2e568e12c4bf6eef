/* random.h - counter-based random numbers (SplitMix64 finalizer over a keyed counter).
 *
 * A stream is a pure function of (seed, a, b), for example (seed, generation, individual): results
 * depend neither on threads nor on time. */
#pragma once

#include <stdint.h>

typedef struct gdyn_random {
    uint64_t key;
    uint64_t counter;
} gdyn_random;

gdyn_random gdyn_random_stream(uint64_t seed, uint64_t a, uint64_t b);
uint64_t gdyn_random_bits(gdyn_random *random);
double gdyn_random_uniform(gdyn_random *random);                          /* in [0, 1) */
double gdyn_random_between(gdyn_random *random, double low, double high); /* in [low, high) */
double gdyn_random_normal(gdyn_random *random);                           /* mean 0, deviation 1 */
int gdyn_random_below(gdyn_random *random, int count);                    /* 0 .. count-1 */
