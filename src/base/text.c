/* text.c - growing texts and edit distance. */
#include "base/text.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool gdyn_text_reserve(gdyn_text *text, size_t extra) {
    if (text->failed)
        return false;
    size_t need = text->length + extra + 1;
    if (need <= text->capacity)
        return true;
    /* doubled until it fits */
    size_t capacity = text->capacity ? text->capacity * 2 : 256;
    while (capacity < need)
        capacity *= 2;
    char *data = gdyn_realloc(text->data, capacity, 1);
    if (!data) {
        text->failed = true, text->capacity = 0;
        return false;
    }
    text->data = data, text->capacity = capacity;
    return true;
}

/* With a NUL behind. */
void gdyn_text_append(gdyn_text *text, const char *bytes, size_t length) {
    if (!gdyn_text_reserve(text, length))
        return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void gdyn_text_number(gdyn_text *text, double value) {
    if (gdyn_text_reserve(text, GDYN_DIGITS_ROOM))
        text->length += (size_t)gdyn_digits_put(text->data + text->length, value);
}

/* Measured first, then written. */
void gdyn_text_vprintf(gdyn_text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && gdyn_text_reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void gdyn_text_printf(gdyn_text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    gdyn_text_vprintf(text, format, args);
    va_end(args);
}

void gdyn_text_pass_on(gdyn_text *text) {
    enum { WORTH = 1 << 16 };
    if (!text->take || text->length < WORTH)
        return;
    text->take(text->taker, text->data, text->length);
    text->length = 0;
}

void gdyn_text_free(gdyn_text *text) {
    gdyn_free(text->data);
    *text = (gdyn_text){0};
}

/* --- characters ------------------------------------------------------------------------------- */

int gdyn_text_character(const char *bytes, size_t length, unsigned *code) {
    const unsigned char *c = (const unsigned char *)bytes;
    int n = c[0] < 0x80   ? 1
            : c[0] < 0xC2 ? 0
            : c[0] < 0xE0 ? 2
            : c[0] < 0xF0 ? 3
            : c[0] < 0xF5 ? 4
                          : 0;
    /* Neither longer than needed, nor surrogates, nor beyond the last character. */
    unsigned low = c[0] == 0xE0 ? 0xA0 : c[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = c[0] == 0xED ? 0x9F : c[0] == 0xF4 ? 0x8F : 0xBF;
    *code = n < 2 ? c[0] : c[0] & (0xFFu >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((size_t)i == length)
            return 0;
        if (c[i] < (i == 1 ? low : 0x80) || c[i] > (i == 1 ? high : 0xBF))
            n = 0;
        *code = *code << 6 | (c[i] & 0x3Fu);
    }
    if (n == 0)
        *code = GDYN_NO_CHARACTER;
    return n > 0 ? n : 1;
}

size_t gdyn_text_harmless(gdyn_text *text, const char *bytes, size_t length, const char *kept,
                          bool more) {
    size_t from = 0, at = 0;
    while (at < length) {
        unsigned code;
        /* mostly there is nothing to do */
        if (bytes[at] >= 0x20 && bytes[at] < 0x7F) {
            at++;
            continue;
        }
        int n = gdyn_text_character(bytes + at, length - at, &code);
        if (n == 0 && more)
            break;
        bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
        bool plain =
            n > 0 && code != GDYN_NO_CHARACTER && (!control || (code && strchr(kept, (int)code)));
        if (!plain) {
            gdyn_text_append(text, bytes + from, at - from);
            gdyn_text_printf(text, control && n > 0 ? "\\u%04x" : "\\x%02x",
                             control && n > 0 ? code : (unsigned char)bytes[at]);
            from = at + (size_t)(n > 0 ? n : 1);
        }
        at += (size_t)(n > 0 ? n : 1);
    }
    gdyn_text_append(text, bytes + from, at - from);
    return at;
}

/* --- words ------------------------------------------------------------------------------------ */

enum { LONGEST_WORD = 64 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Edits between two words: insert, delete, replace, exchange of neighbours (Damerau and
 * Levenshtein). */
int gdyn_text_distance(const char *a, const char *b) {
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST_WORD || nb > LONGEST_WORD)
        return LONGEST_WORD;
    /* d[i][j]: of the first i letters of a and the first j of b */
    int d[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (size_t i = 0; i <= na; i++)
        d[i][0] = (int)i;
    for (size_t j = 0; j <= nb; j++)
        d[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++)
        for (size_t j = 1; j <= nb; j++) {
            int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int best = least(change, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, d[i - 2][j - 2] + 1);
            d[i][j] = best;
        }
    return d[na][nb];
}

/* In small letters without marks and blanks, numbers behind it in digits: "NSGA-II" is "nsga2". */
static void fold(const char *word, char out[LONGEST_WORD + 1]) {
    int n = 0;
    for (; *word && n < LONGEST_WORD; word++)
        if (!strchr("-_ ", *word))
            out[n++] = (char)tolower((unsigned char)*word);
    int ones = 0;
    while (ones < n && out[n - 1 - ones] == 'i')
        ones++;
    if (ones == 2 || ones == 3) {
        n -= ones;
        out[n++] = (char)('0' + ones);
    }
    out[n] = '\0';
}

/* NULL: none is near enough. */
const char *gdyn_text_nearest(const char *word, const char *const *candidates, int count) {
    /* a third of the letters and one more may differ */
    int longest = (int)strlen(word), best = longest / 3 + 2;
    const char *nearest = NULL;
    char a[LONGEST_WORD + 1], b[LONGEST_WORD + 1];
    fold(word, a);
    /* none is nearer than one edit */
    for (int i = 0; i < count && best > 1; i++) {
        int distance = gdyn_text_distance(word, candidates[i]);
        /* edits; folding counts as one */
        if (distance > 1) {
            fold(candidates[i], b);
            distance = least(distance, gdyn_text_distance(a, b) + 1);
        }
        if (distance < best && distance < (int)strlen(candidates[i]))
            best = distance, nearest = candidates[i];
    }
    return nearest;
}

/* Six digits and the unit; no minus before zero. */
gdyn_words gdyn_amount(double value, const char *unit) {
    gdyn_words words;
    snprintf(words.text, sizeof words.text, "%.6g%s%.20s", value + 0.0, *unit ? " " : "", unit);
    return words;
}

/* Derivatives in time: unit per s, per s^2. */
gdyn_words gdyn_amount_per_time(double value, const char *unit, int order) {
    char per[32];
    snprintf(per, sizeof per, "%.20s/s%s", *unit ? unit : "1", order == 2 ? "^2" : "");
    return gdyn_amount(value, per);
}

const char *gdyn_plural(long count) {
    return count == 1 ? "" : "s";
}
