/* html.c - text in HTML and SVG, data in a script; see html.h. */
#include "page/html.h"

#include <stdio.h>
#include <string.h>

static const char unknown[] = "\xEF\xBF\xBD"; /* the replacement character */

/* What stands for a character; NULL: itself. */
static const char *entity(unsigned char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? unknown : NULL;
    }
}

void gdyn_html_text(gdyn_text *out, const char *text) {
    size_t from = 0, i = 0;
    for (; text[i]; i++) {
        unsigned code;
        int n = gdyn_text_character(text + i, 4, &code); /* its NUL ends a character, too */
        const char *instead = n > 1                       ? NULL
                              : code == GDYN_NO_CHARACTER ? unknown
                                                          : entity((unsigned char)text[i]);
        if (!instead) {
            i += (size_t)n - 1;
            continue;
        }
        gdyn_text_append(out, text + from, i - from);
        gdyn_text_append(out, instead, strlen(instead));
        from = i + 1;
    }
    gdyn_text_append(out, text + from, i - from);
}

gdyn_words gdyn_html_unit(const char *unit) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    gdyn_words out = {""};
    size_t length = 0;
    /* A power of one digit, else the character itself: whole ones of UTF-8, as many as there is
     * room for. */
    for (size_t i = 0; unit[i];) {
        bool power = unit[i] == '^' && unit[i + 1] >= '0' && unit[i + 1] <= '9' &&
                     !(unit[i + 2] >= '0' && unit[i + 2] <= '9');
        const char *put = power ? raised[unit[i + 1] - '0'] : &unit[i];
        size_t bytes = power ? strlen(put) : 1;
        while (!power && ((unsigned char)put[bytes] & 0xC0) == 0x80)
            bytes++;
        if (length + bytes >= sizeof out.text)
            break;
        memcpy(out.text + length, put, bytes);
        length += bytes;
        i += power ? 2 : bytes;
    }
    return out;
}

void gdyn_html_element(gdyn_text *out, const char *tag, const char *attributes, const char *text) {
    gdyn_text_printf(out, "<%s%s>", tag, attributes);
    gdyn_html_text(out, text);
    gdyn_text_printf(out, "</%s>", tag);
}

/* Length of the character at `at` that must not stand in a script, 0: none; its code in *code. */
static int unsafe(const char *at, size_t left, unsigned *code) {
    if (*at == '<' || *at == '>' || *at == '&') {
        *code = (unsigned char)*at;
        return 1;
    }
    /* line and paragraph separator, U+2028 and U+2029 */
    unsigned last = left >= 3 ? (unsigned char)at[2] : 0;
    bool separator = (last == 0xA8 || last == 0xA9) && memcmp(at, "\xE2\x80", 2) == 0;
    *code = separator ? 0x2028u + (last - 0xA8u) : 0;
    return separator ? 3 : 0;
}

void gdyn_html_data(gdyn_text *out, const char *json, size_t length) {
    size_t from = 0;
    for (size_t i = 0; i < length;) {
        unsigned code;
        int bytes = unsafe(json + i, length - i, &code);
        if (bytes > 0) {
            gdyn_text_append(out, json + from, i - from);
            gdyn_text_printf(out, "\\u%04X", code);
            from = i + (size_t)bytes;
        }
        i += bytes > 0 ? (size_t)bytes : 1;
    }
    gdyn_text_append(out, json + from, length - from);
}
