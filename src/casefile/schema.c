/* schema.c - the table of the case format: its root, and looking things up. The blocks are in files of their own. */
#include "casefile/schema.h"

#include "casefile/schema_blocks.h"

#include <string.h>

/* --- the case -------------------------------------------------------------------------------------------- */

static const gdyn_field case_fields[] = {
    {"format", GDYN_T_INTEGER, .required = true, .least = 1, .about = "1"},
    {"name", GDYN_T_TEXT, .fallback = "the file's name", .about = "of the case"},
    {"about", GDYN_T_TEXT, .about = "what it is"},
    {"include", GDYN_T_SPECIAL, .json = JSON_NAME_OR_NAMES,
     .about = "files to merge; entries here take precedence over theirs"},
    {"parameters", GDYN_T_SPECIAL,
     .json = "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", "
             "\"string\", \"object\"]}}",
     .about = "`NAME: value`; formulas may refer to each other in any order; also `NAME: {value: "
              "..., about: ...}`, with `tolerance: T`, `tolerance: [-T1, T2]` or `between: [A, B]` "
              "where it varies"},
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
const gdyn_schema_record gdyn_schema_case = {"case", "The case", false, case_fields};

/* In the order of the manual. */
static const gdyn_schema_record *const case_records[] = {&gdyn_schema_case, NULL};
static const gdyn_schema_record *const *const blocks[] = {
    case_records, gdyn_schema_machine_records, gdyn_schema_trajectory_records,
    gdyn_schema_design_records, gdyn_schema_simulate_records};

const gdyn_schema_record *gdyn_schema_record_at(int i) {
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (int k = 0; blocks[b][k]; k++)
            if (i-- == 0)
                return blocks[b][k];
    return NULL;
}

/* --- looking things up ------------------------------------------------------------------------------------ */

gdyn_dimension gdyn_field_dimension_of(gdyn_field_dimension dimension) {
    switch (dimension) {
    case GDYN_D_OPEN:
    case GDYN_D_ANY:
        return GDYN_DIM_UNKNOWN;
    case GDYN_D_NONE:
        return GDYN_DIM_NONE;
    case GDYN_D_LENGTH:
        return GDYN_DIM_LENGTH;
    case GDYN_D_MASS:
        return GDYN_DIM_MASS;
    case GDYN_D_TIME:
        return GDYN_DIM_TIME;
    case GDYN_D_FORCE:
        return GDYN_DIM_FORCE;
    case GDYN_D_TORQUE:
        return GDYN_DIM_TORQUE;
    case GDYN_D_INERTIA:
        return GDYN_DIM_INERTIA;
    case GDYN_D_SPEED:
        return GDYN_DIM_SPEED;
    case GDYN_D_ACCELERATION:
        return GDYN_DIM_ACCELERATION;
    }
    return GDYN_DIM_UNKNOWN;
}

const char *gdyn_field_dimension_text(gdyn_field_dimension dimension) {
    static const char *const text[] = {"",  "",    "-",      "m",   "kg",   "s",
                                       "N", "N m", "kg m^2", "m/s", "m/s^2"};
    return text[dimension];
}

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
