/* fields.c - values into the fields that the rows of a record name. */
#include "casefile/reader.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool gdyn_check_bounds(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, double value,
                       const char *code, const char *entry) {
    char message[200];
    if (gdyn_field_keeps(field, value))
        return true;
    if (field->beyond)
        snprintf(message, sizeof message, field->beyond, entry);
    else
        snprintf(message, sizeof message, "'%s' must %s %s", field->key,
                 field->bounds & (GDYN_UP_TO | GDYN_BELOW) ? "lie" : "be",
                 gdyn_field_bounds_text(field).text);
    const char *unit = gdyn_field_dimension_text(field->dimension);
    bool example = field->required && field->type == GDYN_T_QUANTITY;
    gdyn_read_error(
        r, node, example ? gdyn_log_help(r->log, "for example %s: 1 %s", field->key, unit) : NULL,
        "%s%s", code, message);
    return false;
}

bool gdyn_read_field(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                     const char *key, gdyn_coordinate along, double *value) {
    gdyn_node *stated = gdyn_node_get(node, key);
    const gdyn_field *field = gdyn_record_field(record, key);
    double found;
    if (!stated ||
        !gdyn_read_value(r, stated, gdyn_dimension_along(field->dimension, along), &found) ||
        !gdyn_check_bounds(r, stated, field, found, record->fills->code,
                           node->name ? node->name->text : ""))
        return false;
    *value = found;
    return true;
}

bool gdyn_check_names(gdyn_reader *r, gdyn_node *node) {
    bool good = gdyn_expect(r, node, GDYN_NODE_SEQUENCE, "write [NAME, NAME]", "a list of names");
    for (int i = 0; node->kind == GDYN_NODE_SEQUENCE && i < node->count; i++)
        good &= gdyn_expect(r, node->item[i], GDYN_NODE_SCALAR, NULL, "a name");
    return good;
}

/* Names are kept as they are; what they refer to is found later. */
static bool read_names(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, char *def) {
    const char **list = gdyn_reader_alloc(r, (size_t)node->count + 1, sizeof *list);
    int *count = (void *)(def + field->number - 1);
    if (!list || node->kind != GDYN_NODE_SEQUENCE)
        return false;
    for (int i = 0; i < node->count; i++)
        if (node->item[i]->kind == GDYN_NODE_SCALAR)
            list[(*count)++] = node->item[i]->text;
    *(const char *const **)(void *)(def + field->at - 1) = list;
    return *count == node->count;
}

/* A word: its number, whether it is the last one, or itself. */
static bool read_word(const gdyn_node *node, const gdyn_field *field, void *at) {
    int number = node->kind == GDYN_NODE_SCALAR ? gdyn_word_number(field->words, node->text) : -1;
    if (number < 0)
        return false;
    if (field->size == sizeof(bool))
        *(bool *)at = !field->words[number + 1];
    else if (field->size == sizeof(const char *))
        *(const char **)at = node->text;
    else
        *(int *)at = number;
    return true;
}

static bool read_quantity(gdyn_reader *r, gdyn_node *node, const gdyn_field *field,
                          gdyn_dimension dimension, const char *code, const char *entry,
                          double *at) {
    double value;
    bool good = field->type == GDYN_T_LIMIT ? gdyn_read_limit(r, node, dimension, &value)
                                            : gdyn_read_value(r, node, dimension, &value);
    if (good && (good = gdyn_check_bounds(r, node, field, value, code, entry)))
        *at = value;
    return good;
}

/* The check has complained about what is no whole number. */
static bool read_whole(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, void *at) {
    double value;
    if (!gdyn_read_value(r, node, GDYN_DIM_NONE, &value) || fabs(value) > INT_MAX)
        return false;
    if (field->size == sizeof(int))
        *(int *)at = (int)value;
    else
        *(int64_t *)at = (int)value;
    return true;
}

/* The value of a row that says where it goes; false after a complaint. */
static bool read_one_field(gdyn_reader *r, gdyn_node *node, const gdyn_field *field,
                           const char *code, gdyn_coordinate along, const char *entry, char *def) {
    gdyn_dimension dimension = gdyn_dimension_along(field->dimension, along);
    void *at = def + field->at - 1;
    switch (field->type) {
    case GDYN_T_QUANTITY:
    case GDYN_T_LIMIT:
        return read_quantity(r, node, field, dimension, code, entry, at);
    case GDYN_T_INTEGER:
        return read_whole(r, node, field, at);
    case GDYN_T_FLAG:
        *(bool *)at = gdyn_node_is(node, "true");
        return true;
    case GDYN_T_TEXT:
        *(const char **)at = node->text;
        return node->text != NULL;
    case GDYN_T_WORD:
        return read_word(node, field, at);
    case GDYN_T_VECTOR:
        return field->count > 0 ? gdyn_read_list(r, node, field->count, dimension, at)
                                : gdyn_read_vector(r, node, dimension, at);
    case GDYN_T_NAME:
        return gdyn_read_anchor(r, node, at);
    case GDYN_T_NAMES:
        return read_names(r, node, field, def);
    default:
        assert(!"a row of this type has a reader of its own");
        return false;
    }
}

static bool read_fields_of(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                           gdyn_coordinate along, const char *entry, void *def) {
    bool good = true;
    for (const gdyn_field *f = record->field; f->key; f++) {
        gdyn_node *value = f->at || f->record ? gdyn_node_get(node, f->key) : NULL;
        if (value && f->type == GDYN_T_RECORD && f->record->fills == record->fills)
            good = read_fields_of(r, value, f->record, along, entry, def) && good;
        else if (value && f->at)
            good = read_one_field(r, value, f, record->fills->code, along, entry, def) && good;
    }
    return good;
}

bool gdyn_read_fields(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                      gdyn_coordinate along, void *def) {
    return read_fields_of(r, node, record, along, node && node->name ? node->name->text : "", def);
}
