/* random.c - random numbers keyed by a seed and indices: the same in any order and number of
 * threads. */
#include "base/random.h"

#include "base/pi.h"

#include <math.h>

/* SplitMix64 finalizer (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

/* A stream for each pair of indices: the same numbers regardless of the order. */
gdyn_random gdyn_random_stream(uint64_t seed, uint64_t a, uint64_t b) {
    uint64_t key = mix(seed + golden);
    key = mix(key ^ (a * golden + 1));
    key = mix(key ^ (b * golden + 2));
    return (gdyn_random){.key = key};
}

uint64_t gdyn_random_bits(gdyn_random *random) {
    random->counter++;
    return mix(random->key + random->counter * golden);
}

double gdyn_random_uniform(gdyn_random *random) {
    return (double)(gdyn_random_bits(random) >> 11) * 0x1p-53;
}

double gdyn_random_between(gdyn_random *random, double low, double high) {
    return low + (high - low) * gdyn_random_uniform(random);
}

/* Box and Muller. */
double gdyn_random_normal(gdyn_random *random) {
    double u = 1.0 - gdyn_random_uniform(random); /* in (0, 1] */
    double angle = 2.0 * GDYN_PI * gdyn_random_uniform(random);
    return sqrt(-2.0 * log(u)) * cos(angle);
}

int gdyn_random_below(gdyn_random *random, int count) {
    return (int)(gdyn_random_uniform(random) * count);
}
