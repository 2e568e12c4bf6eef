/* text.h - small text helpers: growable text, edit distance, "did you mean". */
#pragma once

#include "base/api.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

GDYN_API_BEGIN

/* Growable text. Start with {0}; `failed` is set on lack of memory and later appends are ignored. A
 * long one can be taken piece by piece: writers call gdyn_text_pass_on wherever nobody looks back
 * at what was written. */
typedef struct gdyn_text {
    char *data;      /* NUL-terminated once anything was appended */
    size_t length;   /* without the NUL */
    size_t capacity; /* 0 once it failed */
    bool failed;
    void (*take)(void *taker, const char *bytes, size_t length); /* NULL: the text grows */
    void *taker;
} gdyn_text;

/* Makes room for `extra` more bytes and the NUL; false when there is none. */
bool gdyn_text_reserve(gdyn_text *text, size_t extra);
void gdyn_text_append(gdyn_text *text, const char *bytes, size_t length);
/* One character. */
static inline void gdyn_text_put(gdyn_text *text, char c) {
    if (text->length + 2 > text->capacity && !gdyn_text_reserve(text, 1))
        return;
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
}
void gdyn_text_printf(gdyn_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gdyn_text_free(gdyn_text *text);

/* --- words of messages ------------------------------------------------------------------------ */

/* A short text by value, for arguments of printf: gdyn_amount(0.5, "m").text. */
typedef struct gdyn_words {
    char text[48];
} gdyn_words;

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* A number as by gdyn_digits. */
void gdyn_text_number(gdyn_text *text, double value);
void gdyn_text_vprintf(gdyn_text *text, const char *format, va_list args);
/* Hands the text to its taker, if it has one and the text is long enough to be worth a call; then
 * it is empty. */
void gdyn_text_pass_on(gdyn_text *text);
/* Bytes of the UTF-8 character at `bytes`, and its code; 1 and GDYN_NO_CHARACTER for a byte that
 * begins none. 0: the text ends within a character. */
enum { GDYN_NO_CHARACTER = 0x110000 };
int gdyn_text_character(const char *bytes, size_t length, unsigned *code);
/* Appends what others wrote as it may go to a terminal: controls (C0, DEL, C1; but those in `kept`)
 * as \u001b, bytes that are no UTF-8 as \xff. Returns the bytes taken: all, unless the text ends
 * within a character and `more` will follow. */
size_t gdyn_text_harmless(gdyn_text *text, const char *bytes, size_t length, const char *kept,
                          bool more);
/* Optimal string alignment distance (insert, delete, replace, swap of neighbours). */
int gdyn_text_distance(const char *a, const char *b);
/* The candidate nearest to `word` when it is near enough to suggest, else NULL. */
const char *gdyn_text_nearest(const char *word, const char *const *candidates, int count);
/* Six digits and the unit: "0.5 m"; "0.5" where the unit is "". */
gdyn_words gdyn_amount(double value, const char *unit);
/* digits.c: the fewest digits from which the same bits are read, "0.1", "1e-05", "inf"; no -0; ""
 * for NaN. */
gdyn_words gdyn_digits(double value);
/* The same of the value rounded to so many digits, which hides rounding: 0.3 for 0.1 + 0.2 with
 * 15. */
gdyn_words gdyn_rounded_digits(double value, int digits);
/* gdyn_digits into a text with that much room, part of which is scratch; returns its length. */
enum { GDYN_DIGITS_ROOM = 48 };
int gdyn_digits_put(char out[GDYN_DIGITS_ROOM], double value);
/* decimal.c: the nearest double, as strtod reads it in the C locale, regardless of that of the
 * process, but faster. */
double gdyn_decimal_read(const char *text, const char **end);
/* d1 (order 1) and d2 (order 2) of a p in that unit: "0.5 m/s^2", "0.5 1/s^2". */
gdyn_words gdyn_amount_per_time(double value, const char *unit, int order);
/* "s" unless there is exactly one: "%d point%s". */
const char *gdyn_plural(long count);
