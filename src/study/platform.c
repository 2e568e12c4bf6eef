/* platform.c - what the last bits of results depend on besides the case. */
#include "study/store.h"

#include "base/version.h"

#include <glpk.h>
#include <gsl/gsl_version.h>
#include <nlopt.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#include <string.h>
#endif

/* The kernel chosen at run time; openblas_config.h, which declares it, is not where cblas.h is on
 * all systems. */
char *openblas_get_corename(void);
char *openblas_get_config(void);

/* The C library has a variant of sin, exp, ... for each of these. */
static const char *vector_instructions(void) {
#if defined __x86_64__
    return __builtin_cpu_supports("avx512f") ? "avx512"
           : __builtin_cpu_supports("fma")   ? "fma"
           : __builtin_cpu_supports("avx")   ? "avx"
                                             : "sse2";
#elif defined __aarch64__
    return "neon";
#else
    return "generic";
#endif
}

void gdyn_platform(gdyn_text *line) {
    /* Every library that computes numbers of a design, with its release. */
    int major, minor, bugfix;
    nlopt_version(&major, &minor, &bugfix);
    gdyn_text_printf(line, "globdyn %s", gdyn_version());
    /* "OpenBLAS 0.3.21 NO_LAPACKE ...": name and release */
    const char *config = openblas_get_config();
    int words = 0, length = 0;
    while (config[length] && (config[length] != ' ' || ++words < 2))
        length++;
    gdyn_text_printf(line, ", %.*s %s", length, config, openblas_get_corename());
    gdyn_text_printf(line, ", NLopt %d.%d.%d, GLPK %s, GSL %s", major, minor, bugfix, glp_version(),
                     gsl_version);
#ifdef __GLIBC__
    gdyn_text_printf(line, ", glibc %s", gnu_get_libc_version());
#endif
    gdyn_text_printf(line, ", %s", vector_instructions());
}

/* --- checksums of stored values: 64-bit FNV-1a. */

/* One step of FNV-1a: sum = (sum xor byte) 0x100000001b3 mod 2^64. */
static void add_byte(uint64_t *sum, unsigned char byte) {
    *sum = (*sum ^ byte) * UINT64_C(0x100000001b3);
}

/* Least significant byte first, regardless of the byte order of the machine. */
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
