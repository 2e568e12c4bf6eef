/* json_writer.c - JSON as text, numbers with the fewest digits that give the same bits. */
#include "report/json_writer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void put(gdyn_json_writer *w, const char *text) {
    gdyn_text_append(w->out, text, strlen(text));
}

/* --- scalars ---------------------------------------------------------------------------------- */

/* Control characters have their number; what is no UTF-8 has that of the replacement character. */
static void put_escaped(gdyn_json_writer *w, unsigned c) {
    static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    const char *at = c > 0 && c < 0x80 ? strchr(plain, (int)c) : NULL;
    if (at)
        gdyn_text_printf(w->out, "\\%c", letter[at - plain]);
    else
        gdyn_text_printf(w->out, "\\u%04X", c);
}

/* A quoted text; stretches without special characters are copied as a whole. */
static void put_string(gdyn_json_writer *w, const char *text, size_t length) {
    size_t from = 0;
    gdyn_text_put(w->out, '"');
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        unsigned code = c;
        int n = 1;
        bool plain = c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
        if (c >= 0x80) {
            n = gdyn_text_character(text + i, length - i, &code);
            plain = n > 0 && code != GDYN_NO_CHARACTER;
            code = 0xFFFD;
            n = n > 0 ? n : 1;
        }
        if (!plain) {
            gdyn_text_append(w->out, text + from, i - from);
            put_escaped(w, code);
            from = i + (size_t)n;
        }
        i += (size_t)n;
    }
    gdyn_text_append(w->out, text + from, length - from);
    gdyn_text_put(w->out, '"');
}

/* A whole number keeps a point, by which readers tell it from an integer. */
static void put_real(gdyn_json_writer *w, double value) {
    size_t from = w->out->length;
    gdyn_text_number(w->out, value);
    if (!w->out->failed && value == trunc(value) && !strpbrk(w->out->data + from, ".e"))
        put(w, ".0");
}

/* --- structure -------------------------------------------------------------------------------- */

/* A new line, indented by the depth. */
static void new_line(gdyn_json_writer *w) {
    gdyn_text_put(w->out, '\n');
    for (int i = 0; i < w->depth; i++)
        gdyn_text_put(w->out, ' ');
}

/* What stands before a value: a comma, its line, its key. */
static void put_begin(gdyn_json_writer *w, const char *key) {
    if (w->filled)
        gdyn_text_put(w->out, ',');
    if (w->filled && w->layout == GDYN_JSON_LINE)
        gdyn_text_put(w->out, ' ');
    if (w->depth > 0 && w->layout == GDYN_JSON_INDENTED)
        new_line(w);
    w->filled = true;
    /* the key of a member */
    if (key) {
        put_string(w, key, strlen(key));
        gdyn_text_put(w->out, ':');
        if (w->layout != GDYN_JSON_COMPACT)
            gdyn_text_put(w->out, ' ');
    }
}

void gdyn_json_open(gdyn_json_writer *w, const char *key, char bracket) {
    put_begin(w, key);
    gdyn_text_put(w->out, bracket);
    w->depth++;
    w->filled = false;
}

void gdyn_json_close(gdyn_json_writer *w, char bracket) {
    assert(w->depth > 0);
    w->depth--;
    /* an empty list stays on its line */
    if (w->filled && w->layout == GDYN_JSON_INDENTED)
        new_line(w);
    gdyn_text_put(w->out, bracket);
    w->filled = true;
}

/* --- values ----------------------------------------------------------------------------------- */

static void put_value(gdyn_json_writer *w, const char *key, json_t *value);

/* Members of an object, without its braces. */
static void put_members(gdyn_json_writer *w, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) put_value(w, key, value);
}

/* An array or an object. */
static void put_part(gdyn_json_writer *w, const char *key, json_t *part) {
    bool list = json_is_array(part);
    gdyn_json_open(w, key, list ? '[' : '{');
    for (size_t i = 0; list && i < json_array_size(part); i++)
        put_value(w, NULL, json_array_get(part, i));
    if (!list)
        put_members(w, part);
    gdyn_json_close(w, list ? ']' : '}');
}

/* Any value, with its key in an object. */
static void put_value(gdyn_json_writer *w, const char *key, json_t *value) {
    if (json_is_array(value) || json_is_object(value)) {
        put_part(w, key, value);
        return;
    }
    /* scalars */
    put_begin(w, key);
    if (json_is_string(value))
        put_string(w, json_string_value(value), json_string_length(value));
    else if (json_is_real(value))
        put_real(w, json_real_value(value));
    else if (json_is_integer(value))
        gdyn_text_printf(w->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        put(w, json_is_null(value) ? "null" : json_is_true(value) ? "true" : "false");
}

static void put_number(gdyn_json_writer *w, double value) {
    if (isfinite(value))
        put_real(w, value + 0.0); /* no -0 */
    else
        put(w, "null");
}

void gdyn_json_put_number(gdyn_json_writer *w, const char *key, double value) {
    put_begin(w, key);
    put_number(w, value);
}

void gdyn_json_put_numbers(gdyn_json_writer *w, const char *key, int count, const double *value) {
    size_t from = 0, length = 0;
    gdyn_json_open(w, key, '[');
    for (int i = 0; i < count; i++) {
        put_begin(w, NULL);
        /* ranges without a width are frequent: the text before is copied */
        if (i > 0 && value[i] == value[i - 1] && gdyn_text_reserve(w->out, length)) {
            gdyn_text_append(w->out, w->out->data + from, length);
            continue;
        }
        from = w->out->length;
        put_number(w, value[i]);
        length = w->out->length - from;
    }
    gdyn_json_close(w, ']');
}

void gdyn_json_put_text(gdyn_json_writer *w, const char *key, const char *text) {
    put_begin(w, key);
    put_string(w, text, strlen(text));
}

void gdyn_json_put(gdyn_json_writer *w, const char *key, json_t *value) {
    w->failed |= !value;
    if (value)
        put_value(w, key, value);
    json_decref(value);
    gdyn_text_pass_on(w->out);
}

void gdyn_json_put_members(gdyn_json_writer *w, json_t *object) {
    w->failed |= !object;
    put_members(w, object);
    json_decref(object);
    gdyn_text_pass_on(w->out);
}

gdyn_status gdyn_json_end(gdyn_json_writer *w) {
    gdyn_text_put(w->out, '\n');
    return w->failed || w->out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_json_print(json_t *document, gdyn_json_layout layout, gdyn_text *out) {
    gdyn_json_writer w = {.out = out, .layout = layout};
    gdyn_json_put(&w, NULL, document);
    return gdyn_json_end(&w);
}
