/* check.c - the tree against the schema: unknown and missing keys, wrong forms, wrong units. */
#include "casefile/reader.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_KEYS = 64 };

static void check_record(gdyn_reader *r, gdyn_node *node, const gdyn_schema_record *record);
static void check_value(gdyn_reader *r, gdyn_node *node, const gdyn_field *field);

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

/* What to do about an unknown key; NULL: nothing is near. */
static const char *help_for_key(gdyn_reader *r, const gdyn_schema_record *record, const char *key) {
    if (strcmp(key, "<<") == 0)
        return "write like: other to copy an entry";
    const char *meant = meant_key(record, key);
    return meant ? gdyn_log_help(r->log, "did you mean '%s'?", meant) : NULL;
}

/* All keys of a record for a message, when nothing is near enough to suggest. */
static const char *list_keys(gdyn_reader *r, const gdyn_schema_record *record) {
    /* Keys until the text is full. */
    char text[400] = "";
    size_t length = 0;
    for (const gdyn_field *f = record->field; f->key; f++) {
        size_t n = strlen(f->key);
        if (length + n + 3 > sizeof text)
            return NULL;
        if (length > 0) {
            memcpy(text + length, ", ", 2);
            length += 2;
        }
        memcpy(text + length, f->key, n + 1);
        length += n;
    }
    return gdyn_log_help(r->log, "known keys: %s", text);
}

/* All keys of an entry, and the values under those that are known. */
static void check_keys(gdyn_reader *r, gdyn_node *node, const gdyn_schema_record *record) {
    /* Known keys are checked by their type, unknown ones reported with what was meant. */
    for (int i = 0; i < node->count; i++) {
        gdyn_node *key = node->key[i];
        const gdyn_field *field = gdyn_record_field(record, key->text);
        if (field) {
            check_value(r, node->item[i], field);
            continue;
        }
        if (key->bad)
            continue;
        const char *help = help_for_key(r, record, key->text);
        gdyn_read_error(r, key, help ? help : list_keys(r, record),
                        GDYN_CODE_KEY "unknown key '%.60s' in %s", key->text,
                        owner(r, node, record));
    }
}

/* All words of a field, when nothing is near enough to suggest. */
static const char *list_words(gdyn_reader *r, const gdyn_field *field) {
    char text[400] = "";
    for (int i = 0; field->words[i]; i++)
        if (strlen(text) + strlen(field->words[i]) + 3 < sizeof text) {
            strcat(text, i > 0 ? ", " : "");
            strcat(text, field->words[i]);
        }
    return gdyn_log_help(r->log, "one of: %s", text);
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
    return gdyn_log_help(r->log, "state %s: %.*s", field->key, (int)length, field->about);
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

/* What is missing is reported at the name of the entry. */
static void check_required(gdyn_reader *r, gdyn_node *node, const gdyn_schema_record *record) {
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
static void check_record(gdyn_reader *r, gdyn_node *node, const gdyn_schema_record *record) {
    if (node->kind != GDYN_NODE_MAPPING) {
        gdyn_read_error(r, node, help_for_record(r, node, record),
                        GDYN_CODE_SHAPE "expected a mapping for %s, got %s", owner(r, node, record),
                        gdyn_node_kind_text(node));
        return;
    }
    check_keys(r, node, record);
    check_required(r, node, record);
}

/* --- values ----------------------------------------------------------------------------------- */

/* Named entries of one kind. */
static void check_map(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    /* An empty entry may stand for an empty map. */
    if (node->kind != GDYN_NODE_MAPPING) {
        if (node->kind == GDYN_NODE_SCALAR && node->text[0] == '\0')
            return;
        gdyn_read_error(r, node, gdyn_log_help(r->log, "write %s: {NAME: {...}}", field->key),
                        GDYN_CODE_SHAPE "expected named entries under '%s', got %s", field->key,
                        gdyn_node_kind_text(node));
        return;
    }
    assert(field->record); /* the table says what its entries are */
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
}

/* A list of entries without names. */
static void check_list(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    if (!gdyn_expect(r, node, GDYN_NODE_SEQUENCE,
                     gdyn_log_help(r->log, "write %s: [{...}, {...}]", field->key),
                     gdyn_log_help(r->log, "a list under '%s'", field->key)))
        return;
    /* each by its own keys */
    for (int i = 0; i < node->count; i++)
        check_record(r, node->item[i], field->record);
}

/* Whether the node is a text; complains otherwise. */
static bool is_text(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    const char *what = gdyn_log_help(r->log, "a text for '%s'", field->key);
    return what && gdyn_expect_text(r, node, NULL, what);
}

/* A word of the field's list. */
static void check_word(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    if (!is_text(r, node, field) || gdyn_word_number(field->words, node->text) >= 0)
        return;
    const char *help =
        gdyn_log_suggest(r->log, node->text, field->words, gdyn_word_count(field->words));
    gdyn_read_error(r, node, help ? help : list_words(r, field),
                    GDYN_CODE_WORD "unknown %s '%.60s'", field->key, node->text);
}

/* A flag is true or false. */
static void check_flag(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    if (is_text(r, node, field) && !gdyn_node_is(node, "true") && !gdyn_node_is(node, "false"))
        gdyn_read_error(r, node, "write true or false",
                        GDYN_CODE_WORD "'%.60s' is neither true nor false", node->text);
}

/* A whole number in the field's range. */
static void check_integer(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    /* Numbers and formulas, to a whole number. */
    double value;
    if (!gdyn_read_value(r, node, GDYN_DIM_NONE, &value))
        return;
    if (value != floor(value))
        gdyn_read_error(r, node, NULL, GDYN_CODE_VALUE "'%s' must be a whole number", field->key);
    else if (fabs(value) > INT_MAX)
        gdyn_read_error(r, node, NULL, GDYN_CODE_BOUNDS "'%s' must be at most %d", field->key,
                        INT_MAX);
    else
        gdyn_check_bounds(r, node, field, value, GDYN_CODE_BOUNDS, "");
}

/* A quantity; what depends on the rest of the entry is left to its reader. */
static void check_quantity(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    gdyn_dimension dimension = gdyn_dimension_along(field->dimension, GDYN_COORDINATE_UNKNOWN);
    double value;
    if (field->dimension == GDYN_D_OPEN || field->dimension >= GDYN_D_COORDINATE)
        return;
    if (field->type == GDYN_T_LIMIT)
        gdyn_read_limit(r, node, dimension, &value);
    else
        gdyn_read_value(r, node, dimension, &value);
}

/* Any value, by the type of its field. */
static void check_value(gdyn_reader *r, gdyn_node *node, const gdyn_field *field) {
    gdyn_dimension dimension = gdyn_dimension_along(field->dimension, GDYN_COORDINATE_UNKNOWN);
    double out[3];
    if (node->bad)
        return;
    switch (field->type) {
    case GDYN_T_QUANTITY:
    case GDYN_T_LIMIT:
        check_quantity(r, node, field);
        break;
    case GDYN_T_INTEGER:
        check_integer(r, node, field);
        break;
    case GDYN_T_FLAG:
        check_flag(r, node, field);
        break;
    case GDYN_T_TEXT:
    case GDYN_T_NAME:
    case GDYN_T_FORMULA:
        is_text(r, node, field);
        break;
    case GDYN_T_WORD:
        check_word(r, node, field);
        break;
    case GDYN_T_VECTOR:
        if (field->count > 0)
            gdyn_read_list(r, node, field->count, dimension, out);
        else
            gdyn_read_vector(r, node, dimension, out);
        break;
    case GDYN_T_RECORD:
        check_record(r, node, field->record);
        break;
    case GDYN_T_MAP:
        check_map(r, node, field);
        break;
    case GDYN_T_LIST:
        check_list(r, node, field);
        break;
    case GDYN_T_NAMES:
        gdyn_check_names(r, node);
        break;
    case GDYN_T_SPECIAL:
        break;
    }
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
            gdyn_read_error(r, value, words->help, GDYN_CODE_CONFLICT "%s '%s'", words->takes_no,
                            f->key);
        if (!value && (must & f->part))
            gdyn_log_node(r->log, GDYN_ERROR, node->name, NULL,
                          GDYN_CODE_MISSING "%s '%s' (%s) lacks '%s'", record->name,
                          node->name->text, words->kind, f->key);
    }
}
