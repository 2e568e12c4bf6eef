/* checksum.c - checksums of stored values: 64-bit FNV-1a. */
#include "study/platform.h"

#include <string.h>

/* One step of FNV-1a: sum = (sum xor byte) 0x100000001b3 mod 2^64. */
static void add_byte(uint64_t *sum, unsigned char byte) {
    *sum = (*sum ^ byte) * UINT64_C(0x100000001b3);
}

/* Least significant byte first, whatever the byte order of the machine. */
static void add_word(uint64_t *sum, char kind, uint64_t word) {
    add_byte(sum, (unsigned char)kind);
    for (int i = 0; i < 8; i++)
        add_byte(sum, (unsigned char)(word >> (8 * i)));
}

/* A letter for the kind comes before each value, so that NULL, 0 and "" differ. */
void gdyn_checksum_none(uint64_t *sum) {
    add_byte(sum, 'n');
}

void gdyn_checksum_integer(uint64_t *sum, int64_t value) {
    add_word(sum, 'i', (uint64_t)value);
}

/* All bits count, the sign of zero included. */
void gdyn_checksum_number(uint64_t *sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_word(sum, 'f', bits);
}

/* The length comes first: "a", "bc" and "ab", "c" differ. */
void gdyn_checksum_text(uint64_t *sum, const char *text, size_t length) {
    add_word(sum, 't', length);
    for (size_t i = 0; i < length; i++)
        add_byte(sum, (unsigned char)text[i]);
}
