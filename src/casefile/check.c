/* check.c - the tree against the schema: unknown and missing keys, wrong forms, wrong units; values
 * into the fields that the rows of a record name. */
#include "casefile/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 64 };

/* Where values go. */
typedef struct target {
    const gdyn_schema_record *record;
    gdyn_coordinate along; /* what the coordinate of the entry does */
    const char *entry;     /* its name, for messages */
    char *def;             /* definition that the record fills; NULL: values are only checked */
} target;

static bool take_value(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, const target *to);

/* "body 'rod1'", or "machine" for a record that stands under its own name. */
static const char *owner(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record) {
    if (!node->parent)
        return "the case file";
    if (!node->name || strcmp(node->name->text, record->name) == 0)
        return record->name;
    const char *text = gdyn_log_help(r->log, "%s '%.60s'", record->name, node->name->text);
    return text ? text : record->name;
}

/* Keys people bring from elsewhere, and what is meant here. */
static const struct {
    const char *record, *key, *instead;
} known_slips[] = {
    {"body", "position", "pose"},
    {"body", "origin", "pose"},
    {"body", "cog", "com"},
    {"body", "centre", "com"},
    {"body", "J", "inertia"},
    {"joint", "bodies", "of"},
    {"joint", "between", "of"},
    {"joint", "kind", "type"},
    {"drive", "joint", "at"},
    {"drive", "limits", "force: {min: ..., max: ...}"},
    {"drive", "max", "force: {min: ..., max: ...}"},
    {"drive", "min", "force: {min: ..., max: ...}"},
    {"motion limit", "at", "joint"},
    {"force", "kind", "type"},
    {"trajectory", "type", "kind"},
    {"trajectory", "center", "centre"},
    {"trajectory", "steps", "points"},
    {"trajectory", "x", "path: {x: ...}"},
    {"trajectory", "y", "path: {y: ...}"},
    {"machine", "links", "bodies"},
    {"machine", "actuators", "drives"},
    {"machine", "constraints", "joints"},
    {"case", "version", "format"},
    {"case", "title", "name"},
    {"case", "description", "about"},
    {"case", "bodies", "machine: {bodies: ...}"},
    {"case", "joints", "machine: {joints: ...}"},
    {"case", "drives", "machine: {drives: ...}"},
    {"case", "trajectory", "trajectories"},
};

/* The key that a wrong one was probably meant for, or NULL. */
static const char *meant_key(const gdyn_schema_record *record, const char *key) {
    const char *keys[MOST_KEYS];
    /* Known slips first, then the nearest spelling. */
    for (size_t i = 0; i < sizeof known_slips / sizeof *known_slips; i++)
        if (strcmp(known_slips[i].record, record->name) == 0 &&
            strcmp(known_slips[i].key, key) == 0)
            return known_slips[i].instead;
    if (strlen(key) > 64)
        return NULL;
    return gdyn_text_nearest(key, keys, gdyn_record_keys(record, keys, MOST_KEYS));
}

/* All keys of a record for a message, when nothing is near enough to suggest. */
static const char *list_keys(gdyn_reader *r, const gdyn_schema_record *record) {
    const char *keys[MOST_KEYS];
    return gdyn_log_list(r->log, "known keys: ", keys, gdyn_record_keys(record, keys, MOST_KEYS),
                         ", ");
}

/* Whether the key goes with the others of the entry and with the machine's space. */
static bool key_goes(gdyn_reader *r, const gdyn_node *node, gdyn_node *value,
                     const gdyn_schema_record *record, const gdyn_field *field) {
    bool planar = r->space == GDYN_PLANAR;
    const char *other = NULL;
    if (field->excludes && gdyn_node_find(node, field->excludes))
        return gdyn_read_error(r, value, "leave one of them out",
                               GDYN_CODE_CONFLICT "'%s' and '%s' exclude each other",
                               field->excludes, field->key);
    if (!field->only || !r->space_known || planar == (field->only == GDYN_IN_PLANE))
        return true;
    /* the key for the same thing in the machine's own space */
    for (const gdyn_field *f = record->field; f->key; f++)
        if (f->only && f->only != field->only && f->dimension == field->dimension)
            other = f->key;
    return gdyn_read_error(
        r, value, other ? gdyn_log_help(r->log, "write %s instead", other) : "leave it out",
        GDYN_CODE_CONFLICT "'%s' applies in %s only", field->key, planar ? "space" : "the plane");
}

/* All words of a field, when nothing is near enough to suggest. */
static const char *list_words(gdyn_reader *r, const gdyn_field *field) {
    return gdyn_log_list(r->log, "one of: ", field->words, gdyn_word_count(field->words), ", ");
}

/* How a missing key is written. */
static const char *help_for_missing(gdyn_reader *r, const gdyn_field *field) {
    /* An example for each type. */
    const char *unit = gdyn_field_dimension_text(field->dimension);
    if (field->type == GDYN_T_WORD)
        return list_words(r, field);
    if (field->type == GDYN_T_MAP)
        return gdyn_log_help(r->log, "write %s: {NAME: {...}}", field->key);
    if (field->type == GDYN_T_VECTOR)
        return gdyn_log_help(r->log, "write %s: [x, y], in space [x, y, z] (%s)", field->key, unit);
    if (field->type == GDYN_T_QUANTITY && unit[0] && unit[0] != '-')
        return gdyn_log_help(r->log, "for example %s: 1 %s", field->key, unit);
    /* The first clause of the manual's sentence. */
    size_t length = strcspn(field->about, ";");
    const char *stop = strstr(field->about, ". ");
    if (stop && (size_t)(stop - field->about) < length)
        length = (size_t)(stop - field->about);
    if ((stop = strstr(field->about, ", see ")) && (size_t)(stop - field->about) < length)
        length = (size_t)(stop - field->about);
    return gdyn_log_help(r->log, "add %s: %.*s", field->key, (int)length, field->about);
}

/* True when the entry holds a wrong key that was meant for this one. */
static bool misspelt(const gdyn_node *node, const gdyn_schema_record *record, const char *key) {
    for (int i = 0; i < node->count; i++) {
        const char *word = node->key[i]->text;
        const char *meant = gdyn_record_field(record, word) ? NULL : meant_key(record, word);
        if (meant && strcmp(meant, key) == 0)
            return true;
    }
    return false;
}

/* How a record is written, where a single value stands instead. */
static const char *help_for_record(gdyn_reader *r, const gdyn_node *node,
                                   const gdyn_schema_record *record) {
    /* A single number where limits stand: show how it is written. */
    if (node->kind == GDYN_NODE_SCALAR && node->name && node->text[0]) {
        const char *key = node->name->text;
        if (strcmp(record->name, "limits") == 0)
            return gdyn_log_help(r->log, "write %s: {limit: %.60s} or {min: ..., max: ...}", key,
                                 node->text);
        if (strcmp(record->name, "speed") == 0)
            return gdyn_log_help(r->log, "write speed: {max: %.60s}", node->text);
        if (strcmp(record->name, "objective") == 0)
            return gdyn_log_help(r->log, "write %s: {minimize: %.60s} or {maximize: %.60s}", key,
                                 node->text, node->text);
    }
    return list_keys(r, record);
}

/* An entry with keys of its own. */
static bool check_record(gdyn_reader *r, gdyn_node *node, const gdyn_schema_record *record) {
    if (node->kind != GDYN_NODE_MAPPING)
        return gdyn_read_error(r, node, help_for_record(r, node, record),
                               GDYN_CODE_SHAPE "expected a mapping for %s, got %s",
                               owner(r, node, record), gdyn_node_kind_text(node));
    /* Known keys are checked by their type, unknown ones reported with what was meant. */
    const target check = {.record = record};
    for (int i = 0; i < node->count; i++) {
        gdyn_node *key = node->key[i];
        const gdyn_field *field = gdyn_record_field(record, key->text);
        if (field && !node->item[i]->bad && key_goes(r, node, node->item[i], record, field))
            take_value(r, node->item[i], field, &check);
        if (field || key->bad)
            continue;
        const char *meant = meant_key(record, key->text);
        gdyn_read_error(r, key,
                        strcmp(key->text, "<<") == 0 ? "write like: other to copy an entry"
                        : meant ? gdyn_log_help(r->log, "did you mean '%s'?", meant)
                                : list_keys(r, record),
                        GDYN_CODE_KEY "unknown key '%.60s' in %s", key->text,
                        owner(r, node, record));
    }
    /* what is missing is reported at the name of the entry */
    for (const gdyn_field *f = record->field; f->key; f++) {
        /* another key may be stated, from which this one follows */
        bool follows = false;
        for (int i = 0; f->unless && f->unless[i]; i++)
            follows |= gdyn_node_find(node, f->unless[i]) != NULL;
        if (f->required && !gdyn_node_find(node, f->key) && !node->bad && !follows &&
            !misspelt(node, record, f->key))
            gdyn_log_node(r->log, GDYN_ERROR, node->name ? node->name : node,
                          help_for_missing(r, f), GDYN_CODE_MISSING "%s lacks '%s'",
                          owner(r, node, record), f->key);
    }
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Named entries of one kind. */
static bool check_map(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    /* An empty entry may stand for an empty map. */
    if (node->kind == GDYN_NODE_SCALAR && node->text[0] == '\0')
        return true;
    if (node->kind != GDYN_NODE_MAPPING)
        return gdyn_read_error(r, node,
                               gdyn_log_help(r->log, "write %s: {NAME: {...}}", field->key),
                               GDYN_CODE_SHAPE "expected named entries under '%s', got %s",
                               field->key, gdyn_node_kind_text(node));
    /* Names that stand in formulas may hold no '-'. */
    bool formula = strcmp(field->key, "trajectories") == 0 || strcmp(field->key, "design") == 0;
    for (int i = 0; i < node->count; i++) {
        if (!node->key[i]->bad && !gdyn_name_allowed(node->key[i]->text, formula))
            gdyn_read_error(
                r, node->key[i],
                formula ? "a letter, then letters, digits and '_'" : "letters, digits, '_' and '-'",
                GDYN_CODE_NAME "'%.60s' cannot name a %s", node->key[i]->text, field->record->name);
        if (!node->item[i]->bad && !node->key[i]->bad)
            check_record(r, node->item[i], field->record);
    }
    return true;
}

/* A list of entries without names. */
static bool check_list(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    if (!gdyn_expect(r, node, GDYN_NODE_SEQUENCE,
                     gdyn_log_help(r->log, "write %s: [{...}, {...}]", field->key),
                     gdyn_log_help(r->log, "a list under '%s'", field->key)))
        return false;
    for (int i = 0; i < node->count; i++)
        check_record(r, node->item[i], field->record);
    return true;
}

/* Complains about a number beyond the bounds of its field, with a message of that kind; whether
 * it keeps them. */
static bool check_bounds(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, double value,
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
    return gdyn_read_error(
        r, node, example ? gdyn_log_help(r->log, "for example %s: 1 %s", field->key, unit) : NULL,
        "%s%s", code, message);
}

/* A quantity; what depends on the rest of the entry is not checked before it is read. */
static bool take_quantity(gdyn_reader *r, gdyn_node *node, const gdyn_field *field,
                          const target *to, double *at) {
    gdyn_dimension dimension = gdyn_dimension_along(field->dimension, to->along);
    double value;
    if (!at && (field->dimension == GDYN_D_OPEN || field->dimension >= GDYN_D_COORDINATE))
        return true;
    bool good = field->type == GDYN_T_LIMIT ? gdyn_read_limit(r, node, dimension, &value)
                                            : gdyn_read_value(r, node, dimension, &value);
    if (!at || !good)
        return good;
    if (!check_bounds(r, node, field, value, to->record->fills->code, to->entry))
        return false;
    *at = value;
    return true;
}

/* A whole number; it was checked before it is read. */
static bool take_whole(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, void *at) {
    double value;
    if (!gdyn_read_value(r, node, GDYN_DIM_NONE, &value))
        return false;
    if (at && fabs(value) > INT_MAX)
        return false;
    if (at && field->size == sizeof(int))
        *(int *)at = (int)value;
    else if (at)
        *(int64_t *)at = (int)value;
    else if (value != floor(value))
        gdyn_read_error(r, node, NULL, GDYN_CODE_VALUE "'%s' must be a whole number", field->key);
    else if (fabs(value) > INT_MAX)
        gdyn_read_error(r, node, NULL, GDYN_CODE_BOUNDS "'%s' must be at most %d", field->key,
                        INT_MAX);
    else
        check_bounds(r, node, field, value, GDYN_CODE_BOUNDS, "");
    return true;
}

/* Whether the node is a text; complains otherwise. */
static bool is_text(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    bool good = node->kind == GDYN_NODE_SCALAR && node->text[0];
    return good ||
           gdyn_expect_text(r, node, NULL, gdyn_log_help(r->log, "a text for '%s'", field->key));
}

/* A word: its number, whether it is the last one, or itself. */
static bool take_word(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, void *at) {
    if (!is_text(r, node, field))
        return false;
    int number = gdyn_word_number(field->words, node->text);
    if (number < 0) {
        const char *help =
            gdyn_log_suggest(r->log, node->text, field->words, gdyn_word_count(field->words));
        return gdyn_read_error(r, node, help ? help : list_words(r, field),
                               GDYN_CODE_WORD "unknown %s '%.60s'", field->key, node->text);
    }
    if (at && field->size == sizeof(bool))
        *(bool *)at = !field->words[number + 1];
    else if (at && field->size == sizeof(const char *))
        *(const char **)at = node->text;
    else if (at)
        *(int *)at = number;
    return true;
}

/* Names are kept as they are; what they refer to is found later. */
static bool take_names(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, char *def) {
    bool good = gdyn_expect(r, node, GDYN_NODE_SEQUENCE, "write [NAME, NAME]", "a list of names");
    const char **list = good ? gdyn_reader_alloc(r, (size_t)node->count + 1, sizeof *list) : NULL;
    int count = 0;
    for (int i = 0; list && i < node->count; i++)
        if (gdyn_expect(r, node->item[i], GDYN_NODE_SCALAR, NULL, "a name"))
            list[count++] = node->item[i]->text;
    if (list && def) {
        *(int *)(void *)(def + field->number - 1) = count;
        *(const char *const **)(void *)(def + field->at - 1) = list;
    }
    return list && count == node->count;
}

/* Any value, by the type of its field; false after a complaint. */
static bool take_value(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, const target *to) {
    gdyn_dimension dimension = gdyn_dimension_along(field->dimension, to->along);
    double vector[3];
    void *at = to->def ? to->def + field->at - 1 : NULL;
    switch (field->type) {
    case GDYN_T_QUANTITY:
    case GDYN_T_LIMIT:
        return take_quantity(r, node, field, to, at);
    case GDYN_T_INTEGER:
        return take_whole(r, node, field, at);
    case GDYN_T_FLAG:
        if (!is_text(r, node, field))
            return false;
        if (at)
            *(bool *)at = gdyn_node_is(node, "true");
        return gdyn_node_is(node, "true") || gdyn_node_is(node, "false") ||
               gdyn_read_error(r, node, "write true or false",
                               GDYN_CODE_WORD "'%.60s' is neither true nor false", node->text);
    case GDYN_T_WORD:
        return take_word(r, node, field, at);
    case GDYN_T_NAMES:
        return take_names(r, node, field, to->def);
    case GDYN_T_VECTOR:
        at = at ? at : vector;
        return field->count > 0 ? gdyn_read_list(r, node, field->count, dimension, at)
                                : gdyn_read_vector(r, node, dimension, at);
    case GDYN_T_NAME:
        return at ? gdyn_read_anchor(r, node, at) : is_text(r, node, field);
    case GDYN_T_TEXT:
    case GDYN_T_FORMULA:
        if (at)
            *(const char **)at = node->text;
        return is_text(r, node, field);
    case GDYN_T_RECORD:
        return check_record(r, node, field->record);
    case GDYN_T_MAP:
        return check_map(r, node, field);
    case GDYN_T_LIST:
        return check_list(r, node, field);
    case GDYN_T_SPECIAL:
        break;
    }
    return true;
}

void gdyn_check_case(gdyn_reader *r, gdyn_node *root) {
    gdyn_node *format = gdyn_node_get(root, "format");
    double value;
    check_record(r, root, &gdyn_schema_case);
    if (format && gdyn_read_value(r, format, GDYN_DIM_NONE, &value) && value != 1.0)
        gdyn_read_error(r, format, "this program reads format 1",
                        GDYN_CODE_FORMAT "unknown format %.40s", format->text);
}

void gdyn_check_parts(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                      unsigned takes, unsigned must, const gdyn_kind_words *words) {
    for (const gdyn_field *f = record->field; f->key; f++) {
        gdyn_node *value = gdyn_node_find(node, f->key);
        /* stated but not taken, or wanted but not stated */
        if (f->part && value && !(takes & f->part))
            gdyn_read_error(r, value, words->help, GDYN_CODE_CONFLICT "%s takes no '%s'",
                            words->entry ? words->entry : words->kind, f->key);
        if (!value && (must & f->part))
            gdyn_log_node(r->log, GDYN_ERROR, node->name, NULL,
                          GDYN_CODE_MISSING "%s '%s' (%s) lacks '%s'", record->name,
                          node->name->text, words->kind, f->key);
    }
}

bool gdyn_read_field(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                     const char *key, gdyn_coordinate along, double *value) {
    gdyn_node *stated = gdyn_node_get(node, key);
    const target to = {record, along, node->name ? node->name->text : "", NULL};
    return stated && take_quantity(r, stated, gdyn_record_field(record, key), &to, value);
}

static bool read_fields_of(gdyn_reader *r, const gdyn_node *node, const target *to) {
    bool good = true;
    for (const gdyn_field *f = to->record->field; f->key; f++) {
        gdyn_node *value = f->at || f->record ? gdyn_node_get(node, f->key) : NULL;
        target inner = *to;
        if (value && f->type == GDYN_T_RECORD && f->record->fills == to->record->fills) {
            inner.record = f->record;
            good = read_fields_of(r, value, &inner) && good;
        } else if (value && f->at)
            good = take_value(r, value, f, to) && good;
    }
    return good;
}

bool gdyn_read_fields(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                      gdyn_coordinate along, void *def) {
    const target to = {record, along, node && node->name ? node->name->text : "", def};
    return read_fields_of(r, node, &to);
}
