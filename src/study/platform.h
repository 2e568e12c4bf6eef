/* platform.h - checksums, and what the last bits of results depend on (internal to study, and for
 * pages). */
#ifndef GDYN_STUDY_PLATFORM_H
#define GDYN_STUDY_PLATFORM_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* --- platform: what the last bits of results depend on besides the case. */

/* Appends one line: releases of globdyn and of the libraries that compute, the kernel that OpenBLAS
 * chose for this processor, and the vector instructions by which the C library chooses its
 * functions. */
void gdyn_platform(gdyn_text *line);

/* --- checksum: checksums of stored values.
 *
 * 64-bit FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv) over a sequence of values. Each value
 * enters as a letter for its kind and its bytes:
 *
 *   n  no value      -
 *   i  integer       8 bytes, least significant first
 *   f  number        8 bytes of the IEEE 754 double, least significant first
 *   t  text          its length as an integer's 8 bytes, then its bytes
 *
 * One changed byte always changes the sum; any other damage leaves it unchanged with probability
 * 2^-64. It guards against damage, not against forgery. */

#define GDYN_CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Add a value to the sum. */
void gdyn_checksum_none(uint64_t *sum);
void gdyn_checksum_integer(uint64_t *sum, int64_t value);
void gdyn_checksum_number(uint64_t *sum, double value);
void gdyn_checksum_text(uint64_t *sum, const char *text, size_t length);

#endif
