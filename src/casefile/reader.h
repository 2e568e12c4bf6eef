/* reader.h - from the written-out tree to definitions (internal).
 *
 * One pass over the tree serves twice: when the case is read it checks everything, compiles the
 * formulas and leaves them in the nodes; for every instance it only evaluates them. */
#ifndef GDYN_CASEFILE_READER_H
#define GDYN_CASEFILE_READER_H

#include "casefile/casefile.h"
#include "casefile/schema.h"
#include "casefile/tree.h"

/* A table read for `kind: file`, kept with the case. */
typedef struct gdyn_csv {
    const char *name; /* of the file, NULL for a table that stands in the case */
    const char *text; /* of such a table, the node's own */
    int rows;
    bool column[GDYN_PATH_COORDINATES]; /* present */
    double *p;                          /* rows, or NULL without a column p */
    gdyn_dimension p_dimension;         /* of the column p; unknown: no unit stands there */
    double *table;                      /* rows x GDYN_PATH_COORDINATES, NaN where not present */
    struct gdyn_csv *next;
} gdyn_csv;

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
    gdyn_csv *csv;
    gdyn_choices *choices;
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
} gdyn_joint_entry;

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
    int bodies, joints, drives;
    gdyn_body_entry *body;
    gdyn_joint_entry *joint;
    const char **drive;
    int expr_capacity;
    bool noting; /* units that do not fit are noted, not told */
    struct gdyn_misfit *misfits, *fits, *doubts;
    const gdyn_noted *noted; /* numbers of the checking pass, the last one first */
} gdyn_reader;

/* "star" from "cases/star.yaml". */
const char *gdyn_name_of_file(gdyn_arena *arena, const char *filename);

/* --- complaints ---------------------------------------------------------------------------------- */

/* Error at a node; while checking, the node is passed over from then on. */
void gdyn_read_error(gdyn_reader *r, gdyn_node *node, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Memory is out: noted in the log once. */
void gdyn_out_of_memory(gdyn_reader *r);
/* Zeroed array in the instance's arena, NULL (noted) without memory. */
void *gdyn_reader_alloc(gdyn_reader *r, size_t count, size_t size);

/* --- check.c: the tree against the schema ----------------------------------------------------------- */

/* Complains about unknown and missing keys and values of the wrong form; compiles quantities. */
void gdyn_check_case(gdyn_reader *r, gdyn_node *root);

/* --- values.c ---------------------------------------------------------------------------------------- */

/* Value of a formula over the parameters; false after a complaint (or when the node is bad). */
bool gdyn_read_value(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *value);
/* The same where inf, -inf and unlimited are welcome. */
bool gdyn_read_limit(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *value);
/* Entry of a mapping, or the fallback when it is not there or bad. */
double gdyn_read_number(gdyn_reader *r, const gdyn_node *map, const char *key,
                        gdyn_dimension dimension, double fallback);
int gdyn_read_integer(gdyn_reader *r, const gdyn_node *map, const char *key, int fallback);
/* Static friction of a mapping: a quantity, or true for as much as coulomb; 0 when it states none. */
double gdyn_read_stiction(gdyn_reader *r, const gdyn_node *map, gdyn_dimension dimension,
                          double coulomb);
bool gdyn_read_flag(const gdyn_node *map, const char *key, bool fallback);
const char *gdyn_read_text(const gdyn_node *map, const char *key, const char *fallback);
/* Number of a word in the list, or the fallback. */
int gdyn_read_word(const gdyn_node *map, const char *key, const char *const *words, int fallback);
/* List of exactly count values into out; false after a complaint. */
bool gdyn_read_list(gdyn_reader *r, gdyn_node *node, int count, gdyn_dimension dimension,
                    double *out);
/* Vector of the machine's space (planar: out[2] = 0). */
bool gdyn_read_vector(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double out[3]);
/* Formula over one open variable (and parameters as constants), owned by the instance; NULL after a
 * complaint. */
const gdyn_expr *gdyn_read_formula(gdyn_reader *r, gdyn_node *node, const char *variable,
                                   gdyn_dimension of_variable, gdyn_dimension dimension);
/* Dimension of the value when it is stated. */
gdyn_dimension gdyn_read_dimension(const gdyn_node *node);
/* Compiles text with the parameters as constants; the log is told about errors at the node, whose
 * text begins at `offset` of the compiled text's place. Caller owns the result. */
gdyn_expr *gdyn_compile_constant(gdyn_reader *r, gdyn_node *node, const char *text, int offset);

/* "expected m, got kg" at the node. */
void gdyn_tell_misfit(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted, gdyn_dimension found);

/* The same as a warning, where a whole factor may stand for a quantity. */
void gdyn_tell_doubt(gdyn_reader *r, const gdyn_node *node, gdyn_dimension wanted,
                     gdyn_dimension found);

/* --- misfits.c ----------------------------------------------------------------------------------------- */

/* Notes a compiled formula whose unit does not fit (it is bad from then on), one whose unit may not, and one
 * whose unit does. */
void gdyn_misfit_note(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted, gdyn_dimension found);
void gdyn_misfit_doubt(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted,
                       gdyn_dimension found);
void gdyn_misfit_fits(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted);
/* Tells what was noted: at the line of the parameter whose unit is wrong, else where it is. */
void gdyn_misfit_judge(gdyn_reader *r);

/* --- unusual.c --------------------------------------------------------------------------------------- */

/* Notes a number of that dimension (checking pass). */
void gdyn_note_number(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double value);
/* Warns of numbers without a unit that are far from usual. */
void gdyn_tell_unusual(gdyn_reader *r);

/* --- parameters.c ------------------------------------------------------------------------------------ */

/* Orders, compiles and evaluates the parameters (checking pass). */
void gdyn_read_parameters(gdyn_reader *r, gdyn_node *root);
/* Values for given settings into value[count]; false after a complaint. */
bool gdyn_evaluate_parameters(gdyn_reader *r, int count, const gdyn_setting *settings,
                              double *value);
int gdyn_find_parameter(const gdyn_case *the_case, const char *name);
/* Hands an expression over to the case; frees it and returns NULL without memory. */
gdyn_expr *gdyn_case_own(gdyn_reader *r, gdyn_expr *expr);
/* The same to the instance. */
const gdyn_expr *gdyn_instance_own(gdyn_reader *r, gdyn_expr *expr);

/* --- choices.c ------------------------------------------------------------------------------------------- */

/* Reads the choices of all design variables (checking pass). */
void gdyn_read_choices(gdyn_reader *r, const gdyn_node *root);
gdyn_choices *gdyn_find_choices(const gdyn_case *the_case, const char *name);
/* Fills in a design variable with choices. */
void gdyn_choices_variable(gdyn_reader *r, gdyn_choices *c, const gdyn_node *node,
                           gdyn_design_variable *out);
/* Puts row x into the parameters' values (set may be NULL); false when there is no such row. */
bool gdyn_take_choice(const gdyn_choices *c, double x, double *value, bool *set);
gdyn_status gdyn_parse_choice(const gdyn_choices *c, const char *text, const gdyn_sink *sink,
                              gdyn_setting *out);

/* --- names.c: references ------------------------------------------------------------------------------- */

/* "body.P", "body", "ground.R". */
bool gdyn_read_anchor(gdyn_reader *r, gdyn_node *node, gdyn_anchor *anchor);
bool gdyn_anchor_from_text(gdyn_reader *r, gdyn_node *node, const char *text, gdyn_anchor *anchor);
/* List of exactly two of them. */
bool gdyn_read_anchors(gdyn_reader *r, gdyn_node *node, gdyn_anchor *a, gdyn_anchor *b);
/* "joint" or "joint.freedom"; *dimension: of its coordinate. The freedom is made explicit. */
bool gdyn_read_joint(gdyn_reader *r, gdyn_node *node, int *joint, gdyn_freedom *freedom,
                     bool *slides);
bool gdyn_joint_from_text(gdyn_reader *r, gdyn_node *node, const char *text, int *joint,
                          gdyn_freedom *freedom, bool *slides);
int gdyn_find_body(const gdyn_reader *r, const char *name);
/* Names an entity may bear: letters, digits, '_' and '-'; for formulas without '-'. */
bool gdyn_name_allowed(const char *name, bool formula);
/* Dimensions that go with a coordinate that slides or turns. */
gdyn_dimension gdyn_dim_coordinate(bool slides);
gdyn_dimension gdyn_dim_effort(bool slides);    /* N, N m */
gdyn_dimension gdyn_dim_rate(bool slides);      /* m/s, rad/s */
gdyn_dimension gdyn_dim_viscous(bool slides);   /* N s/m, N m s */
gdyn_dimension gdyn_dim_stiffness(bool slides); /* N/m, N m */

/* --- one file per section ------------------------------------------------------------------------------ */

void gdyn_read_machine(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_bodies(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_joints(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_drives(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_forces(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_trajectories(gdyn_reader *r, const gdyn_node *root);
void gdyn_read_design(gdyn_reader *r, const gdyn_node *root);
void gdyn_read_optimize(gdyn_reader *r, const gdyn_node *root);
/* Dimension of a criterion along a trajectory (also those of one point), or of the machine (NULL); unknown
 * where it is not fixed. */
gdyn_dimension gdyn_criterion_dimension(const gdyn_instance *instance,
                                        const gdyn_path_def *trajectory, const char *name);
/* True for forces that a machine with sliding and turning drives cannot compare. */
bool gdyn_criterion_mixed(const gdyn_instance *instance, const char *name);
/* Algorithm and stop of `optimize` (NULL: defaults). */
void gdyn_read_search(gdyn_reader *r, const gdyn_node *optimize);
void gdyn_read_expect(gdyn_reader *r, const gdyn_node *root);
/* Table of a CSV file (kept with the case), NULL after a complaint. */
const gdyn_csv *gdyn_read_csv(gdyn_reader *r, gdyn_node *name);
/* Table whose text stands in the node itself. */
const gdyn_csv *gdyn_read_csv_text(gdyn_reader *r, gdyn_node *node);

#endif
