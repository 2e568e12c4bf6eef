/* number.c - values in documents and tables. */
#include "report/number.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* --- documents -------------------------------------------------------------------------------- */

static void *allocate(size_t bytes) {
    return gdyn_room(bytes, 1);
}

/* Jansson leaves out what it has no memory for: refused blocks are noted, as everywhere. */
static void watch_memory(void) {
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&done))
        json_set_alloc_funcs(allocate, gdyn_free);
}

json_t *gdyn_json_list(void) {
    watch_memory();
    return json_array();
}

json_t *gdyn_json_map(void) {
    watch_memory();
    return json_object();
}

/* What is not finite is null. */
json_t *gdyn_json_number(double value) {
    return isfinite(value) ? json_real(value + 0.0) : json_null(); /* no -0 */
}

json_t *gdyn_json_numbers(int count, const double *value) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, gdyn_json_number(value[i]));
    return list;
}

json_t *gdyn_json_pair(double a, double b) {
    return gdyn_json_numbers(2, (const double[]){a, b});
}

void gdyn_json_note_unbounded(json_t **list, const char *name, double value) {
    if (!isinf(value))
        return;
    *list = *list ? *list : gdyn_json_list();
    json_array_append_new(*list, json_string(name));
}

static json_t *take_value(char type, va_list *from) {
    switch (type) {
    case 'n':
        return gdyn_json_number(va_arg(*from, double));
    case 's': {
        const char *text = va_arg(*from, const char *);
        return text ? json_string(text) : json_null();
    }
    case 'i':
        return json_integer(va_arg(*from, int));
    case 'l':
        return json_integer(va_arg(*from, long));
    case 'b':
        return json_boolean(va_arg(*from, int));
    default:
        assert(type == 'o' || type == '?');
        return va_arg(*from, json_t *);
    }
}

static void add_fields(json_t *object, const char *fields, va_list *from) {
    char name[64];
    /* "name:type name:type ...": one argument each. */
    for (fields += strspn(fields, " "); *fields; fields += strspn(fields, " ")) {
        size_t length = strcspn(fields, ":");
        assert(length < sizeof name && fields[length] == ':');
        memcpy(name, fields, length);
        name[length] = 0;
        char type = fields[length + 1];
        fields += length + 2;
        /* optional fields are left out without a value */
        json_t *value = take_value(type, from);
        if (value || type != '?')
            json_object_set_new(object, name, value);
    }
}

/* Memory for jansson, counted like all other. */
void gdyn_json_add(json_t *object, const char *fields, ...) {
    va_list from;
    va_start(from, fields);
    add_fields(object, fields, &from);
    va_end(from);
}

json_t *gdyn_json_object(const char *fields, ...) {
    json_t *object = gdyn_json_map();
    va_list from;
    va_start(from, fields);
    add_fields(object, fields, &from);
    va_end(from);
    return object;
}

void gdyn_json_append(json_t *list, const char *fields, ...) {
    json_t *object = gdyn_json_map();
    va_list from;
    va_start(from, fields);
    add_fields(object, fields, &from);
    va_end(from);
    json_array_append_new(list, object);
}

json_t *gdyn_json_texts(int count, const char *const *text) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(text[i]));
    return list;
}

json_t *gdyn_json_limits(const gdyn_limited *row, int rows, const gdyn_limit *limit, int count) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < count; i++)
        json_array_append_new(
            list, gdyn_json_texts(2, (const char *const[]){gdyn_limit_name(row, rows, limit[i]),
                                                           gdyn_limit_side(limit[i])}));
    return list;
}

json_t *gdyn_json_document(const char *case_name) {
    return gdyn_json_object("format:i tool:s case:s", 1, "globdyn", case_name);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* A comma, unless a line begins here. */
static void separate(gdyn_text *out) {
    if (out->length > 0 && out->data[out->length - 1] != '\n')
        gdyn_text_put(out, ',');
}

void gdyn_csv_number(gdyn_text *out, double value) {
    separate(out);
    gdyn_text_number(out, value);
}

void gdyn_csv_numbers(gdyn_text *out, int count, const double *value) {
    for (int i = 0; i < count; i++)
        gdyn_csv_number(out, value[i]);
}

void gdyn_csv_word(gdyn_text *out, const char *word) {
    /* Quotes where the text would end the field. */
    size_t length = strlen(word);
    bool quotes = strcspn(word, ",\"\r\n") < length;
    separate(out);
    if (!quotes) {
        gdyn_text_append(out, word, length);
        return;
    }
    gdyn_text_append(out, "\"", 1);
    for (const char *c = word; *c; c++)
        gdyn_text_append(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    gdyn_text_append(out, "\"", 1);
}

void gdyn_csv_take(gdyn_text *out, gdyn_text *field) {
    gdyn_csv_word(out, field->data ? field->data : "");
    out->failed |= field->failed;
    gdyn_text_free(field);
}

void gdyn_csv_text(gdyn_text *out, const char *format, ...) {
    gdyn_text field = {0};
    /* the field is written as a whole, then quoted where it has to be */
    va_list args;
    va_start(args, format);
    gdyn_text_vprintf(&field, format, args);
    va_end(args);
    gdyn_csv_take(out, &field);
}

static void append_string(gdyn_text *out, const char *string) {
    gdyn_text_append(out, string, strlen(string));
}

/* Without printf, whose time was half of `regions`. */
void gdyn_csv_limits(gdyn_text *out, const gdyn_limited *row, int rows, const gdyn_limit *limit,
                     int count, const char *join, char side) {
    gdyn_text list = {0};
    for (int i = 0; i < count; i++) {
        append_string(&list, i ? join : "");
        append_string(&list, gdyn_limit_name(row, rows, limit[i]));
        gdyn_text_put(&list, side);
        append_string(&list, gdyn_limit_side(limit[i]));
    }
    gdyn_csv_take(out, &list);
}

void gdyn_csv_end(gdyn_text *out) {
    gdyn_text_put(out, '\n');
    gdyn_text_pass_on(out);
}

void gdyn_csv_head(gdyn_text *out, const char *owner, const char *kind, const char *unit) {
    if (*unit)
        gdyn_csv_text(out, "%s.%s [%s]", owner, kind, unit);
    else
        gdyn_csv_text(out, "%s.%s", owner, kind);
}

void gdyn_csv_path_heads(gdyn_text *out, const char *unit_of_p, const char *columns) {
    for (const char *at = columns; *at; at += strspn(at, " ")) {
        int length = (int)strcspn(at, " ");
        gdyn_words unit = {""};
        /* "p": that of p; "d2...": accelerations; else speeds along the path */
        if (unit_of_p && *at == 'p')
            snprintf(unit.text, sizeof unit.text, "%s", unit_of_p);
        else if (unit_of_p)
            unit = gdyn_criterion_unit(strncmp(at, "d2", 2) == 0 ? GDYN_CRITERION_D2_MAX
                                                                 : GDYN_CRITERION_D1_MAX,
                                       unit_of_p, "");
        gdyn_text_printf(out, *unit.text ? ",%.*s [%s]" : ",%.*s", length, at, unit.text);
        at += length;
    }
}

/* --- documents as text, numbers with the fewest digits that give the same bits ---------------- */

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
        append_string(w->out, ".0");
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

static void put_members(gdyn_json_writer *w, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) put_value(w, key, value);
}

static void put_value(gdyn_json_writer *w, const char *key, json_t *value) {
    if (json_is_array(value) || json_is_object(value)) {
        bool list = json_is_array(value);
        gdyn_json_open(w, key, list ? '[' : '{');
        for (size_t i = 0; list && i < json_array_size(value); i++)
            put_value(w, NULL, json_array_get(value, i));
        if (!list)
            put_members(w, value);
        gdyn_json_close(w, list ? ']' : '}');
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
        append_string(w->out, json_is_null(value)   ? "null"
                              : json_is_true(value) ? "true"
                                                    : "false");
}

static void put_number(gdyn_json_writer *w, double value) {
    if (isfinite(value))
        put_real(w, value + 0.0); /* no -0 */
    else
        append_string(w->out, "null");
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
