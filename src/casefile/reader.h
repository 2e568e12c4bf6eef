/* reader.h - from the expanded tree to definitions (internal).
 *
 * One pass over the tree serves twice: when the case is read it checks everything, compiles the
 * formulas and leaves them in the nodes; for every instance it only evaluates them. */
#ifndef GDYN_CASEFILE_READER_H
#define GDYN_CASEFILE_READER_H

#include "casefile/casefile.h"
#include "casefile/schema.h"
#include "casefile/tree.h"

/* A design variable with choices: a table with a column for each parameter that is set. */
typedef struct gdyn_choices {
    const char *name; /* of the variable */
    bool rows;        /* of a table with names of its own; else sizes of one parameter */
    int count, columns;
    int start;          /* as stated */
    const char **label; /* count */
    int *parameter;     /* columns */
    double *value;      /* count x columns, row-major */
    struct gdyn_choices *next;
} gdyn_choices;

typedef struct gdyn_parameters {
    int count, listed; /* listed in `parameters`; the others are design variables */
    const char **name;
    gdyn_node **node; /* scalar with the formula, or NULL */
    double *value;    /* at the case's own values */
    gdyn_dimension *dimension;
    gdyn_expr **expr; /* over all parameters, NULL: fixed value */
    int *order;       /* of evaluation */
    bool *moves;      /* with the design */
} gdyn_parameters;

struct gdyn_case {
    gdyn_arena *arena;
    const char *filename;
    gdyn_node *root; /* written out */
    gdyn_parameters parameters;
    gdyn_expr **expr; /* owns those in the nodes and the parameters */
    int expr_count, expr_capacity;
    struct gdyn_csv *csv; /* tables of paths */
    gdyn_choices *choices;
    bool
        sampled; /* a statistic or a design variable takes up the tolerances; known when the file was checked */
};

typedef struct gdyn_body_entry {
    const char *name; /* "ground" for the ground */
    int points;
    const char **point_name;
    double (*point)[3];
} gdyn_body_entry;

typedef struct gdyn_joint_entry {
    const char *name;
    const gdyn_node *node;
    gdyn_joint_type type;
    bool known; /* type is valid */
    int freedoms;
    gdyn_freedom freedom[3];
    const char
        *carried; /* letters of its components (model/kinds.h); NULL: not known, or it has none */
} gdyn_joint_entry;

typedef struct gdyn_range_entry {
    const char *name;
    gdyn_coordinate along;
} gdyn_range_entry;

/* A number of the file, for unusual.c. */
typedef enum gdyn_noted_kind {
    GDYN_NOTED_OTHER,
    GDYN_NOTED_LENGTH,
    GDYN_NOTED_MASS,
    GDYN_NOTED_INERTIA,
    GDYN_NOTED_ACCELERATION,
    GDYN_NOTED_ANGLE
} gdyn_noted_kind;

typedef struct gdyn_noted {
    const gdyn_node *node;
    gdyn_noted_kind kind;
    double value; /* absolute, SI */
    bool bare;    /* without a unit */
    const struct gdyn_noted *next;
} gdyn_noted;

typedef struct gdyn_reader {
    gdyn_case *the_case; /* changed only while checking */
    bool checking;
    gdyn_log *log;
    gdyn_instance *instance;
    gdyn_arena *arena;       /* of the instance */
    const double *parameter; /* values in force */
    gdyn_space space;
    bool space_known;
    gdyn_machine *machine;
    gdyn_body_entry ground;
    int bodies, joints, drives, ranges;
    gdyn_body_entry *body;
    gdyn_joint_entry *joint;
    const char **drive;
    gdyn_range_entry *range;
    int expr_capacity;
    bool weighs; /* some body or rotor has a mass */
    bool noting; /* units that do not fit are noted, not reported */
    struct gdyn_misfit *misfits, *fits, *doubts;
    const gdyn_noted *noted; /* numbers of the checking pass, the last one first */
} gdyn_reader;

/* "star" from "cases/star.yaml". */
const char *gdyn_name_of_file(gdyn_arena *arena, const char *filename);

/* --- complaints ------------------------------------------------------------------------------- */

/* Error at a node; while checking, the node is passed over from then on. */
void gdyn_read_error(gdyn_reader *r, gdyn_node *node, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Memory is out: noted in the log once. */
void gdyn_out_of_memory(gdyn_reader *r);
/* Zeroed array in the instance's arena, NULL (noted) without memory. */
void *gdyn_reader_alloc(gdyn_reader *r, size_t count, size_t size);

int gdyn_find_parameter(const gdyn_case *the_case, const char *name);
/* Hands an expression over to the case; frees it and returns NULL without memory. */
gdyn_expr *gdyn_case_own(gdyn_reader *r, gdyn_expr *expr);
/* The same to the instance. */
const gdyn_expr *gdyn_instance_own(gdyn_reader *r, gdyn_expr *expr);

#endif
