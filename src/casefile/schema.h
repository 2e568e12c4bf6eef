/* schema.h - the format as one constant table (internal).
 *
 * The table drives reading (which keys there are, what they hold, what must be stated), "did you
 * mean", the JSON Schema and the tables of docs/case-format.md. */
#ifndef GDYN_CASEFILE_SCHEMA_H
#define GDYN_CASEFILE_SCHEMA_H

#include "casefile/tree.h"

typedef enum gdyn_field_type {
    GDYN_T_QUANTITY, /* number, quantity with unit, or formula over the parameters */
    GDYN_T_INTEGER,  /* whole number or formula that gives one */
    GDYN_T_FLAG,     /* true or false */
    GDYN_T_TEXT,
    GDYN_T_WORD,    /* one of the words */
    GDYN_T_NAME,    /* refers to an entity */
    GDYN_T_VECTOR,  /* list of quantities: `count` of them, 0: two in the plane, three in space */
    GDYN_T_FORMULA, /* over further variables (p, t, criteria) */
    GDYN_T_RECORD,  /* mapping with the fields of `record` */
    GDYN_T_MAP,     /* mapping from names to records */
    GDYN_T_LIST,    /* list of records */
    GDYN_T_SPECIAL  /* several forms; checked by its reader; `json` describes it */
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
    GDYN_D_ACCELERATION
} gdyn_field_dimension;

typedef struct gdyn_field {
    const char *key;
    gdyn_field_type type;
    gdyn_field_dimension dimension;
    bool required;
    int count;                               /* VECTOR */
    long least;                              /* INTEGER: smallest value allowed */
    const char *const *unless;               /* not required where one of these keys is stated */
    const char *const *words;                /* WORD: NULL-terminated */
    const struct gdyn_schema_record *record; /* RECORD, MAP, LIST */
    const char *json;                        /* SPECIAL: JSON Schema of the value */
    const char *unit;                        /* for the manual where dimension does not say it */
    const char *fallback;                    /* for the manual; NULL: none */
    const char *about;
} gdyn_field;

typedef struct gdyn_schema_record {
    const char *name;        /* "body": as in "unknown key 'maas' in body 'rod1'" */
    const char *title;       /* heading in the manual */
    bool open;               /* further keys are let through */
    const gdyn_field *field; /* ends with a key of NULL */
} gdyn_schema_record;

extern const gdyn_schema_record gdyn_schema_case; /* the root */

/* Every record once, in the order of the manual; NULL behind the last. */
const gdyn_schema_record *gdyn_schema_record_at(int i);

gdyn_dimension gdyn_field_dimension_of(gdyn_field_dimension dimension);
/* "length (m)" for messages and the manual. */
const char *gdyn_field_dimension_text(gdyn_field_dimension dimension);
const gdyn_field *gdyn_record_field(const gdyn_schema_record *record, const char *key);
/* Keys of the record for suggestions; writes at most max, returns the number. */
int gdyn_record_keys(const gdyn_schema_record *record, const char **keys, int max);

/* Words of WORD fields that readers need to compare by number. */
extern const char *const gdyn_words_material[], *const gdyn_words_orientations[];
extern const char *const gdyn_words_space[], *const gdyn_words_lock[];
/* Position of a word in a NULL-terminated list, or -1. */
int gdyn_word_number(const char *const *words, const char *word);
int gdyn_word_count(const char *const *words);

#endif
