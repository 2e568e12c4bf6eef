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

json_t *gdyn_json_table(int rows, int columns, const double *value) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < rows; i++)
        json_array_append_new(list,
                              gdyn_json_numbers(columns, value + (size_t)i * (size_t)columns));
    return list;
}

/* A text; NULL is null. */
static json_t *text_or_null(const char *text) {
    return text ? json_string(text) : json_null();
}

/* The next argument as a value of that type. */
static json_t *take_value(char type, va_list *from) {
    switch (type) {
    case 'n':
        return gdyn_json_number(va_arg(*from, double));
    case 's':
        return text_or_null(va_arg(*from, const char *));
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

/* Adds the named arguments to an object. */
static void add_fields(json_t *object, const char *fields, va_list *from) {
    char name[64];
    char type;
    /* "name:type name:type ...": one argument each. */
    for (int used; sscanf(fields, " %63[^:]:%c%n", name, &type, &used) == 2; fields += used) {
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

/* "p": that of p; "d2...": accelerations; else speeds along the path. */
static gdyn_words unit_of_column(const char *column, const char *unit_of_p) {
    gdyn_words own = {""};
    if (strncmp(column, "d2", 2) == 0)
        return gdyn_criterion_unit(GDYN_CRITERION_D2_MAX, unit_of_p, "");
    if (strncmp(column, "p", 1) != 0)
        return gdyn_criterion_unit(GDYN_CRITERION_D1_MAX, unit_of_p, "");
    snprintf(own.text, sizeof own.text, "%s", unit_of_p);
    return own;
}

void gdyn_csv_path_heads(gdyn_text *out, const char *unit_of_p, const char *columns) {
    for (const char *at = columns; *at; at += strspn(at, " ")) {
        int length = (int)strcspn(at, " ");
        gdyn_words unit = {""};
        if (unit_of_p)
            unit = unit_of_column(at, unit_of_p);
        gdyn_text_printf(out, *unit.text ? ",%.*s [%s]" : ",%.*s", length, at, unit.text);
        at += length;
    }
}
