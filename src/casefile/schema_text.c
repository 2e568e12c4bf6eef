/* schema_text.c - the table of the format as JSON Schema and as tables of the manual. */
#include "casefile/reader.h"
#include "base/memory.h"
#include "casefile/casefile.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text, to be freed by the caller; NULL when memory ran out. */
static char *finished(gdyn_text *out) {
    if (!out->failed)
        return out->data;
    gdyn_text_free(out);
    return NULL;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_string(gdyn_text *out, const char *text) {
    /* Escapes what JSON cannot hold. */
    gdyn_text_append(out, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            gdyn_text_append(out, "\\", 1);
        gdyn_text_append(out, text, 1);
    }
    gdyn_text_append(out, "\"", 1);
}

/* A list of any length, or a vector: two coordinates in the plane, three in space. */
static void json_list(gdyn_text *out, const gdyn_field *field) {
    gdyn_text_printf(out, "\"type\": \"array\", \"items\": {\"type\": [\"number\", \"string\"]}");
    if (field->type == GDYN_T_VECTOR)
        gdyn_text_printf(out, ", \"minItems\": %d, \"maxItems\": %d",
                         field->count > 0 ? field->count : 2, field->count > 0 ? field->count : 3);
}

static void json_words(gdyn_text *out, const char *const *words) {
    gdyn_text_printf(out, "\"enum\": [");
    for (int i = 0; words[i]; i++) {
        gdyn_text_printf(out, i > 0 ? ", " : "");
        json_string(out, words[i]);
    }
    gdyn_text_printf(out, "]");
}

/* The inside of a field's schema, without the braces. */
static void json_type(gdyn_text *out, const gdyn_field *field) {
    switch (field->type) {
    case GDYN_T_QUANTITY:
    case GDYN_T_LIMIT:
    case GDYN_T_FORMULA:
        gdyn_text_printf(out, "\"type\": [\"number\", \"string\"]");
        break;
    case GDYN_T_INTEGER:
        gdyn_text_printf(out, "\"type\": [\"integer\", \"string\"]");
        break;
    case GDYN_T_FLAG:
        gdyn_text_printf(out, "\"type\": \"boolean\"");
        break;
    case GDYN_T_TEXT:
    case GDYN_T_NAME:
        gdyn_text_printf(out, "\"type\": [\"string\", \"number\"]");
        break;
    case GDYN_T_WORD:
        json_words(out, field->words);
        break;
    case GDYN_T_VECTOR:
    case GDYN_T_NAMES:
        json_list(out, field);
        break;
    case GDYN_T_RECORD:
        gdyn_text_printf(out, "\"$ref\": \"#/$defs/%s\"", field->record->title);
        break;
    case GDYN_T_MAP:
        gdyn_text_printf(out,
                         "\"type\": \"object\", %s\"additionalProperties\": {\"$ref\": "
                         "\"#/$defs/%s\"}",
                         field->json ? field->json : "", field->record->title);
        break;
    case GDYN_T_LIST:
        gdyn_text_printf(out, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%s\"}",
                         field->record->title);
        break;
    case GDYN_T_SPECIAL:
        /* The braces of the stated schema are not repeated. */
        gdyn_text_append(out, field->json + 1, strlen(field->json) - 2);
        break;
    }
}

/* Of numbers without a unit, which are in SI units. */
static void json_bounds(gdyn_text *out, const gdyn_field *field) {
    static const struct {
        unsigned bound;
        const char *key;
    } bounds[] = {{GDYN_FROM, "minimum"},
                  {GDYN_ABOVE, "exclusiveMinimum"},
                  {GDYN_UP_TO, "maximum"},
                  {GDYN_BELOW, "exclusiveMaximum"}};
    for (int i = 0; i < 4; i++)
        if (field->bounds & bounds[i].bound)
            gdyn_text_printf(out, ", \"%s\": %g", bounds[i].key, i < 2 ? field->low : field->high);
}

/* Entries of mappings and lists may also say like and repeat. */
static bool is_entry(const gdyn_schema_record *record) {
    const gdyn_schema_record *list[GDYN_RECORDS_MOST];
    int count = gdyn_schema_records(list);
    for (int i = 0; i < count; i++)
        for (const gdyn_field *f = list[i]->field; f->key; f++)
            if (f->record == record && (f->type == GDYN_T_MAP || f->type == GDYN_T_LIST))
                return true;
    return false;
}

static void json_record(gdyn_text *out, const gdyn_schema_record *record, const char *indent) {
    gdyn_text_printf(out, "\"type\": \"object\",\n%s\"properties\": {", indent);
    /* Properties with their descriptions. */
    for (const gdyn_field *f = record->field; f->key; f++) {
        gdyn_text_printf(out, f == record->field ? "\n%s  " : ",\n%s  ", indent);
        json_string(out, f->key);
        gdyn_text_printf(out, ": {");
        json_type(out, f);
        json_bounds(out, f);
        gdyn_text_printf(out, ", \"description\": ");
        json_string(out, f->about);
        gdyn_text_printf(out, "}");
    }
    /* Entries may be copied and repeated. */
    if (is_entry(record))
        gdyn_text_printf(out,
                         ",\n%s  \"like\": {\"type\": \"string\", \"description\": \"copies a "
                         "sibling\"},\n%s  \"repeat\": {\"type\": \"object\", \"description\": "
                         "\"writes the entry for each index: {i: 1..4}\"}",
                         indent, indent);
    /* Unknown keys are refused, as by the reader. */
    gdyn_text_printf(out, "\n%s},\n%s\"additionalProperties\": false", indent, indent);
    /* An entry with `like` need not repeat what it copies. */
    if (is_entry(record))
        return;
    bool first = true;
    for (const gdyn_field *f = record->field; f->key; f++)
        if (f->required) {
            gdyn_text_printf(out, first ? ",\n%s\"required\": [" : ", ", indent);
            json_string(out, f->key);
            first = false;
        }
    gdyn_text_printf(out, first ? "" : "]");
}

char *gdyn_case_schema(void) {
    gdyn_text out = {0};
    /* The root, then every other record as a definition. */
    gdyn_text_printf(&out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                           "  \"title\": \"globdyn case file\",\n  ");
    json_record(&out, &gdyn_schema_case, "  ");
    gdyn_text_printf(&out, ",\n  \"$defs\": {");
    const gdyn_schema_record *list[GDYN_RECORDS_MOST];
    int count = gdyn_schema_records(list);
    for (int i = 1; i < count; i++) {
        gdyn_text_printf(&out, i > 1 ? ",\n    " : "\n    ");
        json_string(&out, list[i]->title);
        gdyn_text_printf(&out, ": {\n      ");
        json_record(&out, list[i], "      ");
        gdyn_text_printf(&out, "\n    }");
    }
    gdyn_text_printf(&out, "\n  }\n}\n");
    return finished(&out);
}

/* --- the manual ------------------------------------------------------------------------------- */

static const char *form_of(const gdyn_field *field) {
    static const char *const forms[] = {[GDYN_T_QUANTITY] = "quantity",
                                        [GDYN_T_LIMIT] = "quantity, `inf`",
                                        [GDYN_T_INTEGER] = "integer",
                                        [GDYN_T_FLAG] = "true/false",
                                        [GDYN_T_TEXT] = "text",
                                        [GDYN_T_WORD] = "word",
                                        [GDYN_T_NAME] = "name",
                                        [GDYN_T_VECTOR] = "list",
                                        [GDYN_T_NAMES] = "list of names",
                                        [GDYN_T_FORMULA] = "formula",
                                        [GDYN_T_RECORD] = "mapping",
                                        [GDYN_T_MAP] = "named entries",
                                        [GDYN_T_LIST] = "list of mappings",
                                        [GDYN_T_SPECIAL] = ""};
    return forms[field->type];
}

/* What holds without the key: that of the definition, or as the row has it. */
static void manual_default(gdyn_text *out, const gdyn_field *field, const gdyn_definition *fills) {
    char *def = field->usual ? gdyn_alloc(1, fills->size) : NULL;
    if (!def) {
        gdyn_text_printf(out, "%s",
                         field->required   ? "**required**"
                         : field->fallback ? field->fallback
                                           : "");
        return;
    }
    fills->initial(def);
    const void *at = def + field->at - 1;
    long whole = field->size == sizeof(bool)  ? *(const bool *)at
                 : field->size == sizeof(int) ? *(const int *)at
                                              : (long)*(const int64_t *)at;
    if (field->type == GDYN_T_WORD)
        gdyn_text_printf(out, "%s", field->words[whole]);
    else if (field->type == GDYN_T_INTEGER)
        gdyn_text_printf(out, "%ld", whole);
    else {
        /* "0.01", "1e-8" */
        double value = *(const double *)at;
        char text[40];
        snprintf(text, sizeof text, "%g", value);
        size_t mantissa = strcspn(text, "e");
        gdyn_text_append(out, text, mantissa);
        if (text[mantissa])
            gdyn_text_printf(out, "e%ld", strtol(text + mantissa + 1, NULL, 10));
    }
    gdyn_free(def);
}

static void manual_row(gdyn_text *out, const gdyn_field *field, const gdyn_definition *fills) {
    gdyn_words bounds = gdyn_field_bounds_text(field);
    const char *unit = field->unit ? field->unit : gdyn_field_dimension_text(field->dimension);
    bool has_unit = unit[0] && strcmp(unit, "-") != 0;
    /* "quantity [m], positive" */
    gdyn_text_printf(out, "| `%s` | %s", field->key, form_of(field));
    if (has_unit)
        gdyn_text_printf(out, *unit == '[' ? "%s%s" : "%s[%s]", *form_of(field) ? " " : "", unit);
    gdyn_text_printf(out, "%s%s | ", bounds.text[0] ? ", " : "", bounds.text);
    manual_default(out, field, fills);
    gdyn_text_printf(out, " | %s", field->about);
    /* Words that may stand there. */
    if (field->type == GDYN_T_WORD) {
        gdyn_text_printf(out, ":");
        for (int i = 0; field->words[i]; i++)
            gdyn_text_printf(out, " `%s`", field->words[i]);
    }
    gdyn_text_printf(out, " |\n");
}

enum { KEYS_MOST = 16 };

/* "`axis`, `friction`", or "none". */
static void word_list(char *out, size_t size, int count, const char *const *words) {
    /* Cut where the row ends: the table is for people. */
    int at = 0;
    snprintf(out, size, "none");
    for (int i = 0; i < count && at >= 0 && (size_t)at < size; i++)
        at += snprintf(out + at, size - (size_t)at, "%s`%s`", i ? ", " : "", words[i]);
}

static void manual_joint(gdyn_text *out, gdyn_joint_type type, gdyn_space space,
                         const char *spaces) {
    const char *word[KEYS_MOST];
    char keys[200], freedoms[200];
    gdyn_freedom freedom[GDYN_FREEDOMS_MOST];
    /* Keys first, then the names of its freedoms. */
    const gdyn_joint_form *form = gdyn_joint_form_of(type, space);
    int count = gdyn_record_part_keys(&gdyn_schema_joint, form->may | form->must, word, KEYS_MOST);
    word_list(keys, sizeof keys, count, word);
    count = gdyn_joint_freedoms(type, space, freedom);
    for (int i = 0; i < count; i++)
        word[i] = gdyn_freedom_name(freedom[i]);
    word_list(freedoms, sizeof freedoms, count, word);
    gdyn_text_printf(out, "| `%s` | %s | %s | %s | %s |\n", gdyn_joint_type_name(type), spaces,
                     gdyn_joint_kind_of(type)->about, keys, freedoms);
}

char *gdyn_case_manual_joints(void) {
    gdyn_text out = {0};
    gdyn_text_printf(&out,
                     "| type | space | what it does | keys | freedoms |\n|---|---|---|---|---|\n");
    /* One row where both spaces agree, else one for each. */
    for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++) {
        const gdyn_joint_form *plane = gdyn_joint_form_of(type, GDYN_PLANAR);
        const gdyn_joint_form *spatial = gdyn_joint_form_of(type, GDYN_SPATIAL);
        bool alike = plane->rows && spatial->rows &&
                     (plane->may | plane->must) == (spatial->may | spatial->must) &&
                     memcmp(plane->freedom, spatial->freedom, sizeof plane->freedom) == 0;
        if (alike)
            manual_joint(&out, type, GDYN_PLANAR, "planar, spatial");
        for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL && !alike; space++)
            if (gdyn_joint_type_in(type, space))
                manual_joint(&out, type, space, gdyn_words_space[space]);
    }
    return finished(&out);
}

char *gdyn_case_manual_paths(void) {
    gdyn_text out = {0};
    gdyn_text_printf(&out, "| kind | what it is | required | optional |\n"
                           "|---|---|---|---|\n");
    for (gdyn_path_kind kind = 0; kind < GDYN_PATH_KINDS; kind++) {
        const gdyn_path_kind_row *row = gdyn_path_kind_of(kind);
        const char *word[KEYS_MOST];
        char must[200], may[200];
        word_list(must, sizeof must,
                  gdyn_record_part_keys(&gdyn_schema_trajectory, row->must, word, KEYS_MOST), word);
        word_list(may, sizeof may,
                  gdyn_record_part_keys(&gdyn_schema_trajectory, row->may, word, KEYS_MOST), word);
        gdyn_text_printf(&out, "| `%s` | %s | %s | %s |\n", gdyn_path_kind_names[kind], row->about,
                         must, may);
    }
    return finished(&out);
}

char *gdyn_case_manual_tables(void) {
    gdyn_text out = {0};
    /* A table per record, in the order of the case. */
    const gdyn_schema_record *list[GDYN_RECORDS_MOST];
    int count = gdyn_schema_records(list);
    for (int i = 0; i < count; i++) {
        const gdyn_schema_record *record = list[i];
        gdyn_text_printf(&out, "%s### %s\n\n", i > 0 ? "\n" : "",
                         i > 0 ? record->title : "Top of the file");
        gdyn_text_printf(&out, "| key | value | default | meaning |\n|---|---|---|---|\n");
        for (const gdyn_field *f = record->field; f->key; f++)
            manual_row(&out, f, record->fills);
    }
    return finished(&out);
}

/* --- starting files for `globdyn new` --------------------------------------------------------- */

/* templates/NAME.yaml, which the build turns into arrays. */

extern const char gdyn_planar_yaml[], gdyn_five_bar_yaml[], gdyn_spatial_yaml[], gdyn_cable_yaml[],
    gdyn_arm_yaml[], gdyn_cart_yaml[];

static const char *const names[] = {"planar", "five-bar", "spatial", "cable", "arm", "cart"};
static const char *const texts[] = {gdyn_planar_yaml, gdyn_five_bar_yaml, gdyn_spatial_yaml,
                                    gdyn_cable_yaml,  gdyn_arm_yaml,      gdyn_cart_yaml};

const char *gdyn_case_template(const char *name) {
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return texts[i];
    return NULL;
}

const char *const *gdyn_case_template_names(int *count) {
    *count = (int)(sizeof names / sizeof *names);
    return names;
}
