/* schema.c - the table of the case format: its root, and looking things up. The blocks are in
 * files of their own. */
#include "casefile/schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- the case --------------------------------------------------------------------------------- */

static const gdyn_field case_fields[] = {
    {"format", GDYN_T_INTEGER, GDYN_AT_LEAST(1), .required = true, .about = "1"},
    {"name", GDYN_T_TEXT, .fallback = "the file's name", .about = "of the case"},
    {"about", GDYN_T_TEXT, .about = "what it is"},
    {"include", GDYN_T_SPECIAL, .json = GDYN_JSON_NAME_OR_NAMES,
     .about = "files to merge; entries here take precedence over theirs"},
    {"parameters", GDYN_T_SPECIAL,
     .json = "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", "
             "\"string\", \"object\"]}}",
     .about = "`NAME: value`; formulas may refer to each other in any order; also `NAME: {value: "
              "..., about: ...}`, with `tolerance: T`, `tolerance: [-T1, T2]` or `between: [A, B]` "
              "if it varies"},
    {"machine", GDYN_T_RECORD, .record = &gdyn_schema_machine, .about = "the machine"},
    {"trajectories", GDYN_T_MAP, .record = &gdyn_schema_trajectory, .about = "paths to follow"},
    {"workspaces", GDYN_T_MAP, .record = &gdyn_schema_workspace,
     .about = "grids of tool poses, for `globdyn workspace`"},
    {"design", GDYN_T_MAP, .record = &gdyn_schema_design,
     .about = "parameters that the optimizer may vary"},
    {"robustness", GDYN_T_RECORD, .record = &gdyn_schema_robustness,
     .about = "scenarios, and the sample of machines within their tolerances"},
    {"optimize", GDYN_T_RECORD, .record = &gdyn_schema_optimize, .about = "the synthesis problem"},
    {"expect", GDYN_T_LIST, .record = &gdyn_schema_expect,
     .about = "known results; `globdyn verify` and the tests check them"},
    {"simulate", GDYN_T_RECORD, .record = &gdyn_schema_simulate, .about = "forward dynamics"},
    {NULL}};
const gdyn_schema_record gdyn_schema_case = {"case", "The case", case_fields, NULL};

static void collect(const gdyn_schema_record *record, const gdyn_schema_record **list, int *count) {
    for (int i = 0; i < *count; i++)
        if (list[i] == record)
            return;
    assert(*count < GDYN_RECORDS_MOST);
    list[(*count)++] = record;
    for (const gdyn_field *f = record->field; f->key; f++)
        if (f->record)
            collect(f->record, list, count);
}

int gdyn_schema_records(const gdyn_schema_record *list[GDYN_RECORDS_MOST]) {
    int count = 0;
    collect(&gdyn_schema_case, list, &count);
    return count;
}

/* --- dimensions and bounds -------------------------------------------------------------------- */

typedef struct dimension_row {
    const char *text;
    gdyn_dimension slides, turns; /* turns: of a coordinate */
} dimension_row;

static const dimension_row dimensions[] = {
    [GDYN_D_OPEN] = {""},
    [GDYN_D_ANY] = {""},
    [GDYN_D_NONE] = {"-", {true, 0, 0, 0, false}},
    [GDYN_D_LENGTH] = {"m", {true, 1, 0, 0, false}},
    [GDYN_D_MASS] = {"kg", {true, 0, 1, 0, false}},
    [GDYN_D_TIME] = {"s", {true, 0, 0, 1, false}},
    [GDYN_D_FORCE] = {"N", {true, 1, 1, -2, false}},
    [GDYN_D_TORQUE] = {"N m", {true, 2, 1, -2, false}},
    [GDYN_D_INERTIA] = {"kg m^2", {true, 2, 1, 0, false}},
    [GDYN_D_SPEED] = {"m/s", {true, 1, 0, -1, false}},
    [GDYN_D_ACCELERATION] = {"m/s^2", {true, 1, 0, -2, false}},
    [GDYN_D_FREQUENCY] = {"1/s", {true, 0, 0, -1, false}},
    [GDYN_D_DENSITY] = {"kg/m^3", {true, -3, 1, 0, false}},
    [GDYN_D_COMPLIANCE] = {"m/N", {true, 0, -1, 2, false}},
    [GDYN_D_ANGLE_COMPLIANCE] = {"1/(N m)", {true, -2, -1, 2, false}},
    [GDYN_D_COORDINATE] = {"m or rad", {true, 1, 0, 0, false}, {true, 0, 0, 0, false}},
    [GDYN_D_RATE] = {"m/s or rad/s", {true, 1, 0, -1, false}, {true, 0, 0, -1, false}},
    [GDYN_D_EFFORT] = {"N or N m", {true, 1, 1, -2, false}, {true, 2, 1, -2, false}},
    [GDYN_D_EFFORT_RATE] = {"N/s or N m/s", {true, 1, 1, -3, false}, {true, 2, 1, -3, false}},
    [GDYN_D_VISCOUS] = {"N s/m or N m s/rad", {true, 0, 1, -1, false}, {true, 2, 1, -1, false}},
    [GDYN_D_STIFFNESS] = {"N/m or N m/rad", {true, 0, 1, -2, false}, {true, 2, 1, -2, false}},
};

gdyn_coordinate gdyn_coordinate_of(bool slides) {
    return slides ? GDYN_COORDINATE_SLIDES : GDYN_COORDINATE_TURNS;
}

gdyn_dimension gdyn_dimension_along(gdyn_field_dimension dimension, gdyn_coordinate along) {
    const dimension_row *row = &dimensions[dimension];
    if (dimension >= GDYN_D_COORDINATE && along == GDYN_COORDINATE_UNKNOWN)
        return GDYN_DIM_UNKNOWN;
    return dimension >= GDYN_D_COORDINATE && along == GDYN_COORDINATE_TURNS ? row->turns
                                                                            : row->slides;
}

const char *gdyn_field_dimension_text(gdyn_field_dimension dimension) {
    return dimensions[dimension].text;
}

bool gdyn_field_keeps(const gdyn_field *field, double value) {
    return !((field->bounds & GDYN_FROM && value < field->low) ||
             (field->bounds & GDYN_ABOVE && value <= field->low) ||
             (field->bounds & GDYN_UP_TO && value > field->high) ||
             (field->bounds & GDYN_BELOW && value >= field->high));
}

gdyn_words gdyn_field_bounds_text(const gdyn_field *field) {
    bool low = field->bounds & (GDYN_FROM | GDYN_ABOVE);
    bool high = field->bounds & (GDYN_UP_TO | GDYN_BELOW);
    gdyn_words words = {""};
    if (low && high)
        snprintf(words.text, sizeof words.text, "between %g and %g", field->low, field->high);
    else if (field->bounds & GDYN_ABOVE && field->low == 0)
        snprintf(words.text, sizeof words.text, "positive");
    else if (low)
        snprintf(words.text, sizeof words.text, "%s %g",
                 field->bounds & GDYN_FROM ? "at least" : "above", field->low);
    else if (high)
        snprintf(words.text, sizeof words.text, "%s %g",
                 field->bounds & GDYN_UP_TO ? "at most" : "below", field->high);
    return words;
}

/* --- looking things up ------------------------------------------------------------------------ */

const gdyn_field *gdyn_record_field(const gdyn_schema_record *record, const char *key) {
    for (const gdyn_field *f = record->field; f->key; f++)
        if (strcmp(f->key, key) == 0)
            return f;
    return NULL;
}

int gdyn_record_keys(const gdyn_schema_record *record, const char **keys, int max) {
    int count = 0;
    for (const gdyn_field *f = record->field; f->key && count < max; f++)
        keys[count++] = f->key;
    return count;
}

int gdyn_record_part_keys(const gdyn_schema_record *record, unsigned parts, const char **keys,
                          int max) {
    int count = 0;
    for (const gdyn_field *f = record->field; f->key && count < max; f++)
        if (f->part & parts)
            keys[count++] = f->key;
    return count;
}

int gdyn_word_count(const char *const *words) {
    int count = 0;
    while (words[count])
        count++;
    return count;
}

int gdyn_word_number(const char *const *words, const char *word) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}
