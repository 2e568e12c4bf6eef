/* schema.h - the format as one constant table (internal).
 *
 * A row says everything about a key: what it holds, in which unit and bounds, where its value
 * goes and what holds without it. Reading, "did you mean", the JSON Schema and the manual follow
 * from the rows. A new key of an ordinary type is a field of the definition with its default,
 * its use, and one row in schema_*.c:
 *
 *     {"slip", GDYN_T_QUANTITY, GDYN_D_SPEED, SIM(slip), GDYN_POSITIVE, .usual = true,
 *      .about = "..."},
 *
 * Rows without a place for their value (GDYN_AT) have a reader of their own. docs/case-format.md
 * has the tables of gdyn_case_manual_tables(); test_casefile_texts compares them. */
#pragma once

#include "casefile/tree.h"

#include "base/text.h"

/* What stands under a key, and what it fills. */
typedef enum gdyn_field_type {
    /* number, quantity with unit, or formula over the parameters: a double */
    GDYN_T_QUANTITY,
    /* the same, or inf, -inf, unlimited: a double */
    GDYN_T_LIMIT,
    /* whole number or formula that gives one: an int, or an integer of eight bytes */
    GDYN_T_INTEGER,
    GDYN_T_FLAG, /* true or false: a bool */
    GDYN_T_TEXT, /* const char * */
    /* one of the words: its number; as a bool, whether it is the last; as const char *, itself */
    GDYN_T_WORD,
    /* refers to an entity: a gdyn_anchor where it is a point */
    GDYN_T_NAME,
    /* list of `count` quantities, 0: two in the plane, three in space: double[] */
    GDYN_T_VECTOR,
    /* list of names: const char *const *, their number in the field `number` (int) */
    GDYN_T_NAMES,
    GDYN_T_FORMULA, /* over further variables (p, t, criteria) */
    GDYN_T_RECORD,  /* mapping with the fields of `record` */
    GDYN_T_MAP,     /* mapping from names to records */
    GDYN_T_LIST,    /* list of records */
    /* several forms; checked by its reader; `json` describes it */
    GDYN_T_SPECIAL
} gdyn_field_type;

typedef enum gdyn_field_dimension {
    GDYN_D_OPEN, /* follows from the rest of the entry; checked by its reader */
    GDYN_D_ANY,
    GDYN_D_NONE,
    GDYN_D_LENGTH,
    GDYN_D_MASS,
    GDYN_D_TIME,
    GDYN_D_FORCE,
    GDYN_D_TORQUE,
    GDYN_D_INERTIA,
    GDYN_D_SPEED,
    GDYN_D_ACCELERATION,
    GDYN_D_FREQUENCY,
    GDYN_D_DENSITY,
    GDYN_D_COMPLIANCE,       /* length per force */
    GDYN_D_ANGLE_COMPLIANCE, /* angle per torque */
    GDYN_D_COORDINATE,       /* from here on of a coordinate, which slides or turns */
    GDYN_D_RATE,
    GDYN_D_EFFORT,
    GDYN_D_EFFORT_RATE,
    GDYN_D_VISCOUS,
    GDYN_D_STIFFNESS
} gdyn_field_dimension;

/* What the coordinate of an entry does. */
typedef enum gdyn_coordinate {
    GDYN_COORDINATE_UNKNOWN,
    GDYN_COORDINATE_SLIDES,
    GDYN_COORDINATE_TURNS
} gdyn_coordinate;
gdyn_coordinate gdyn_coordinate_of(bool slides);

/* Keys that machines of one space have. */
enum { GDYN_IN_PLANE = 1, GDYN_IN_SPACE };
/* Bounds of a number: `low` and `high` themselves are allowed or not. */
enum { GDYN_FROM = 1, GDYN_ABOVE = 2, GDYN_UP_TO = 4, GDYN_BELOW = 8 };

typedef struct gdyn_field {
    const char *key;
    gdyn_field_type type;
    gdyn_field_dimension dimension;
    /* GDYN_AT: the field of the definition; 0: a reader of its own takes the value */
    size_t at, size;
    size_t number;   /* GDYN_NUMBER: field for the number of values in a list */
    unsigned bounds; /* of a number: sum of GDYN_FROM, ... */
    double low, high;
    /* message about a number out of bounds, %s: the entry; NULL: the usual one */
    const char *beyond;
    bool required;
    bool usual;                              /* without it the definition's default holds: manual */
    int count;                               /* VECTOR */
    unsigned part;                           /* of the definition, for kinds that take only some */
    const char *const *unless;               /* not required when one of these keys is stated */
    const char *excludes;                    /* a key that does not stand beside this one */
    unsigned char only;                      /* GDYN_IN_PLANE, GDYN_IN_SPACE; 0: in both */
    const char *const *words;                /* WORD: NULL-terminated */
    const struct gdyn_schema_record *record; /* RECORD, MAP, LIST */
    const char *json;                        /* SPECIAL: JSON Schema of the value */
    const char *unit;                        /* for the manual where dimension does not say it */
    const char *fallback;                    /* for the manual; NULL: none, or `usual` */
    const char *about;
} gdyn_field;

/* Columns `at` and `size`. */
#define GDYN_AT(type, field)     offsetof(type, field) + 1, sizeof(((type *)0)->field)
#define GDYN_NUMBER(type, field) .number = offsetof(type, field) + 1
/* Columns `bounds`, `low`, `high`. */
#define GDYN_POSITIVE     .bounds = GDYN_ABOVE
#define GDYN_AT_LEAST(a)  .bounds = GDYN_FROM, .low = (a)
#define GDYN_WITHIN(a, b) .bounds = GDYN_FROM | GDYN_UP_TO, .low = (a), .high = (b)
#define GDYN_INSIDE(a, b) .bounds = GDYN_ABOVE | GDYN_BELOW, .low = (a), .high = (b)

/* What the rows of a record fill. */
typedef struct gdyn_definition {
    void (*initial)(void *def); /* its defaults */
    size_t size;
    const char *code; /* kind of message about a quantity out of bounds */
} gdyn_definition;

/* A definition of that name, and the function that puts the value `initially` there. */
#define GDYN_DEFINITION(definition, initial_of, type, initially, code)                             \
    static void initial_of(void *def) {                                                            \
        *(type *)def = initially;                                                                  \
    }                                                                                              \
    static const gdyn_definition definition = {initial_of, sizeof(type), code}

typedef struct gdyn_schema_record {
    const char *name;             /* "body": as in "unknown key 'maas' in body 'rod1'" */
    const char *title;            /* heading in the manual */
    const gdyn_field *field;      /* ends with a key of NULL */
    const gdyn_definition *fills; /* the same one in a record within it: both are read at once */
} gdyn_schema_record;

/* The records that readers name; gdyn_schema_case is the root. */
extern const gdyn_schema_record gdyn_schema_case, gdyn_schema_machine, gdyn_schema_body,
    gdyn_schema_joint, gdyn_schema_range, gdyn_schema_cone, gdyn_schema_drive, gdyn_schema_force,
    gdyn_schema_trajectory, gdyn_schema_null_motion, gdyn_schema_workspace,
    gdyn_schema_workspace_cone, gdyn_schema_design, gdyn_schema_robustness, gdyn_schema_optimize,
    gdyn_schema_algorithm, gdyn_schema_expect, gdyn_schema_simulate;
/* What `cone` of a workspace fills. */
typedef struct gdyn_orientation_cone {
    double angle, axis[3];
    int directions;
} gdyn_orientation_cone;

/* All records, each once, in the order of the manual: one before those that its rows refer to.
 * Their number. */
enum { GDYN_RECORDS_MOST = 64 };
int gdyn_schema_records(const gdyn_schema_record *list[GDYN_RECORDS_MOST]);

/* Dimension of a field; that of a coordinate is unknown unless it is known what the coordinate
 * does. */
gdyn_dimension gdyn_dimension_along(gdyn_field_dimension dimension, gdyn_coordinate along);
/* "m", "m/s or rad/s" for messages and the manual. */
const char *gdyn_field_dimension_text(gdyn_field_dimension dimension);
const gdyn_field *gdyn_record_field(const gdyn_schema_record *record, const char *key);
/* Keys of the record, or only those of some parts, in the order of the rows; writes at most max,
 * returns the number. */
int gdyn_record_keys(const gdyn_schema_record *record, const char **keys, int max);
int gdyn_record_part_keys(const gdyn_schema_record *record, unsigned parts, const char **keys,
                          int max);
/* Whether a number keeps the bounds of its field. */
bool gdyn_field_keeps(const gdyn_field *field, double value);
/* "at least 4", "positive", "" without bounds. */
gdyn_words gdyn_field_bounds_text(const gdyn_field *field);

/* Words of WORD fields that readers need to compare by number. */
extern const char *const gdyn_words_material[], *const gdyn_words_space[], *const gdyn_words_lock[];
/* Criteria that null motions may be best for. */
extern const char *const gdyn_null_motion_criteria[];
/* Position of a word in a NULL-terminated list, or -1. */
int gdyn_word_number(const char *const *words, const char *word);
int gdyn_word_count(const char *const *words);

/* JSON Schema of values that several fields hold. */
#define GDYN_JSON_NUMBER         "{\"type\": [\"number\", \"string\"]}"
#define GDYN_JSON_NUMBER_OR_LIST "{\"type\": [\"number\", \"string\", \"array\"]}"
#define GDYN_JSON_NUMBER_OR_FLAG "{\"type\": [\"number\", \"string\", \"boolean\"]}"
#define GDYN_JSON_LIST           "{\"type\": \"array\"}"
#define GDYN_JSON_MAP            "{\"type\": \"object\"}"
#define GDYN_JSON_LIST_OR_MAP    "{\"type\": [\"array\", \"object\"]}"
#define GDYN_JSON_LIST_OF(item)  "{\"type\": \"array\", \"items\": " item "}"
#define GDYN_JSON_MAP_OF(item)   "{\"type\": \"object\", \"additionalProperties\": " item "}"
#define GDYN_JSON_NUMBERS        GDYN_JSON_LIST_OF(GDYN_JSON_NUMBER)
#define GDYN_JSON_NAMES          GDYN_JSON_LIST_OF("{\"type\": \"string\"}")
#define GDYN_JSON_NAME_OR_NAMES                                                                    \
    "{\"type\": [\"string\", \"array\"], \"items\": {\"type\": \"string\"}}"
#define GDYN_JSON_PAIR "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"maxItems\": 2}"
#define GDYN_JSON_TWO_VECTORS                                                                      \
    "{\"type\": \"array\", \"items\": " GDYN_JSON_NUMBERS ", \"minItems\": 2, \"maxItems\": 2}"
