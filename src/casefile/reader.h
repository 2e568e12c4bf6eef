/* reader.h - from the expanded tree to definitions: what the readers share, and one section each
 * (internal).
 *
 * One pass over the tree serves twice: when the case is read it checks everything, compiles the
 * formulas and leaves them in the nodes; for every instance it only evaluates them. */
#pragma once

#include "casefile/casefile.h"
#include "casefile/schema.h"
#include "casefile/tree.h"
#include "model/kinds.h"
#include "path/kinds.h"

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
    /* a statistic or a design variable takes up the tolerances; known when the file was checked */
    bool sampled;
};

typedef struct gdyn_body_entry {
    const char *name; /* "ground" for the ground */
    int points;
    const char **point_name;
    double (*point)[3];
    double (*turn)[3]; /* of points that are frames: Cardan angles */
} gdyn_body_entry;

typedef struct gdyn_joint_entry {
    const char *name;
    const gdyn_node *node;
    gdyn_joint_type type;
    bool known; /* type is valid */
    int freedoms;
    gdyn_freedom freedom[3];
    /* letters of its components (model/kinds.h); NULL: not known, or it has none */
    const char *carried;
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
    int home_joints; /* of machine.home */
    const gdyn_joint_value *home;
    bool weighs; /* some body or rotor has a mass */
    bool noting; /* units that do not fit are noted, not reported */
    struct gdyn_misfit *misfits;
    const gdyn_noted *noted; /* numbers of the checking pass, the last one first */
} gdyn_reader;

/* "star" from "cases/star.yaml". */
const char *gdyn_name_of_file(gdyn_arena *arena, const char *filename);

/* --- complaints ------------------------------------------------------------------------------- */

/* Error at a node; while checking, the node is passed over from then on. False. */
bool gdyn_read_error(gdyn_reader *r, gdyn_node *node, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same in the bytes offset..offset+width of its text, and of a formula that begins at
 * `offset`; help: where the error has none. */
bool gdyn_inside_error(gdyn_reader *r, gdyn_node *node, int offset, int width, const char *help,
                       const char *format, ...) __attribute__((format(printf, 6, 7)));
bool gdyn_formula_error(gdyn_reader *r, gdyn_node *node, const gdyn_expr_error *error, int offset,
                        const char *help);
/* Whether the node is of that kind; else the complaint "expected WHAT, got ...". */
bool gdyn_expect(gdyn_reader *r, gdyn_node *node, gdyn_node_kind kind, const char *help,
                 const char *what);
/* Whether it is a mapping, a text, that is not empty; else that complaint. */
bool gdyn_expect_map(gdyn_reader *r, gdyn_node *node, const char *help, const char *what);
bool gdyn_expect_text(gdyn_reader *r, gdyn_node *node, const char *help, const char *what);
/* Whether it is a list of so many items (0: any number but none); else that complaint. */
bool gdyn_expect_items(gdyn_reader *r, gdyn_node *node, int count, const char *help,
                       const char *complaint);
/* Whether a mapping has no keys but these (NULL-terminated); else "unknown key '...' in WHERE"
 * at each other one. help NULL: the nearest key. */
bool gdyn_expect_keys(gdyn_reader *r, const gdyn_node *node, const char *const *keys,
                      const char *where, const char *help);
/* Whether the case has a machine; else the complaint "WHAT need a machine" where nothing else
 * explains that it has none. */
bool gdyn_expect_machine(gdyn_reader *r, const gdyn_node *root, gdyn_node *node, const char *what);
/* Memory is out: noted in the log once. */
void gdyn_out_of_memory(gdyn_reader *r);
/* Zeroed array in the instance's arena, NULL (noted) without memory. */
void *gdyn_reader_alloc(gdyn_reader *r, size_t count, size_t size);

/* Zeroed array for the entries of a node of that kind, and one more; NULL: it is missing, or none
 * (a complaint "expected WHAT, got ..."). */
void *gdyn_reader_entries(gdyn_reader *r, gdyn_node *node, gdyn_node_kind kind, const char *help,
                          const char *what, size_t size);

/* Reads the mappings among the entries of the mapping under the key. */
void gdyn_read_each(gdyn_reader *r, const gdyn_node *node, const char *key,
                    void (*read)(gdyn_reader *r, const gdyn_node *entry));

/* "case.yaml:38" for messages; NULL without memory. */
const char *gdyn_place_text(gdyn_reader *r, const gdyn_node *node);

int gdyn_find_parameter(const gdyn_case *the_case, const char *name);
/* Hands an expression over to the case; frees it and returns NULL without memory. */
gdyn_expr *gdyn_case_own(gdyn_reader *r, gdyn_expr *expr);
/* The same to the instance. */
const gdyn_expr *gdyn_instance_own(gdyn_reader *r, gdyn_expr *expr);

/* --- misfits.c -------------------------------------------------------------------------------- */

/* "expected m, got kg" at the node. */
void gdyn_diagnose_misfit(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted,
                          gdyn_dimension found);

/* The same as a warning, where a whole factor may stand for a quantity. */
void gdyn_diagnose_doubt(gdyn_reader *r, const gdyn_node *node, gdyn_dimension wanted,
                         gdyn_dimension found);

/* Notes a compiled formula whose unit does not fit (it is bad from then on), may not, or does. */
typedef enum gdyn_misfit_kind {
    GDYN_UNIT_MISFIT,
    GDYN_UNIT_DOUBT,
    GDYN_UNIT_FITS
} gdyn_misfit_kind;
void gdyn_misfit_note(gdyn_reader *r, gdyn_misfit_kind kind, gdyn_node *node, gdyn_dimension wanted,
                      gdyn_dimension found);
/* Tells what was noted: at the line of the parameter whose unit is wrong, else where it is. */
void gdyn_misfit_judge(gdyn_reader *r);

/* --- unusual.c -------------------------------------------------------------------------------- */

/* Notes a number of that dimension (checking pass). */
void gdyn_note_number(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double value);
/* Warns of numbers without a unit that are far from usual. */
void gdyn_diagnose_unusual(gdyn_reader *r);

/* --- values.c --------------------------------------------------------------------------------- */

/* Value of a formula over the parameters; false after a complaint (or when the node is bad). */
bool gdyn_read_value(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *value);
/* The same where inf, -inf and unlimited are welcome. */
bool gdyn_read_limit(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *value);
/* Entry of a mapping, or the fallback when it is not there or bad. */
double gdyn_read_number(gdyn_reader *r, const gdyn_node *map, const char *key,
                        gdyn_dimension dimension, double fallback);
/* Static friction of a mapping: a quantity, or true for as much as coulomb; 0 when it states
 * none. */
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
/* About the axes, as Cardan angles or a torque; planar: one number, out[2]. */
bool gdyn_read_turn(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double out[3]);
/* Formula over one open variable (and parameters as constants), owned by the instance; NULL after a
 * complaint. */
const gdyn_expr *gdyn_read_formula(gdyn_reader *r, gdyn_node *node, const char *variable,
                                   gdyn_dimension of_variable, gdyn_dimension dimension);
/* Dimension of the value when it is stated. */
gdyn_dimension gdyn_read_dimension(const gdyn_node *node);
/* Compiles text with the parameters as constants; errors are logged at the node, whose
 * text begins at `offset` of the compiled text's place. Caller owns the result. */
gdyn_expr *gdyn_compile_constant(gdyn_reader *r, gdyn_node *node, const char *text, int offset);

/* --- references ------------------------------------------------------------------------ */

/* The points of all bodies into the instance. */
void gdyn_list_points(gdyn_reader *r);
/* "body.P", "body", "ground.R". */
bool gdyn_read_anchor(gdyn_reader *r, gdyn_node *node, gdyn_anchor *anchor);
/* Orientation of such a point that was read, in its body; unless it has one nothing is set. */
void gdyn_read_frame(const gdyn_reader *r, const gdyn_node *node, const gdyn_anchor *anchor,
                     double cardan[3]);
bool gdyn_anchor_from_text(gdyn_reader *r, gdyn_node *node, const char *text, gdyn_anchor *anchor);
/* List of exactly two of them. */
bool gdyn_read_anchors(gdyn_reader *r, gdyn_node *node, gdyn_anchor *a, gdyn_anchor *b);
/* "joint" or "joint.freedom"; *along: unknown after a complaint. The freedom is made explicit. */
bool gdyn_read_joint(gdyn_reader *r, gdyn_node *node, int *joint, gdyn_freedom *freedom,
                     gdyn_coordinate *along);
bool gdyn_joint_from_text(gdyn_reader *r, gdyn_node *node, const char *text, int *joint,
                          gdyn_freedom *freedom, gdyn_coordinate *along);
/* {JOINT: value, JOINT.FREEDOM: ...}, of that dimension along the coordinate; their number. */
const gdyn_joint_value *gdyn_read_joint_values(gdyn_reader *r, gdyn_node *node,
                                               gdyn_field_dimension dimension, const char *help,
                                               int *count);
/* Place of a name among `count` entries that begin with theirs, `stride` bytes apart; -1 with
 * the nearest one in *help (NULL: none is near). */
int gdyn_find_name(gdyn_reader *r, const char *name, const void *list, size_t stride, int count,
                   const char **help);
/* The same of the first characters of a text, without a suggestion. */
int gdyn_find_span(const char *name, size_t length, const void *list, size_t stride, int count);
int gdyn_find_body(const gdyn_reader *r, const char *name);
/* Names an entity may bear: letters, digits, '_' and '-'; for formulas without '-'. */
bool gdyn_name_allowed(const char *name, bool formula);
/* A formula in t, or a table [[t, value], ...]: linear between its rows, or (smooth) the natural
 * cubic spline. NULL after a complaint. */
const gdyn_expr *gdyn_read_signal(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension,
                                  bool smooth);

/* --- fields ----------------------------------------------------------------------------------- */

/* Everything that the rows of a record say where it goes, into its definition, which has its
 * defaults: the values under their keys, and those in records within it that fill the same
 * definition. What is missing or bad stays as it is; false after a complaint. `along`: what the
 * coordinate of the entry does. */
bool gdyn_read_fields(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                      gdyn_coordinate along, void *def);
/* A number under the key of a record, within the bounds of its row; false when it is not there,
 * or after a complaint. */
bool gdyn_read_field(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                     const char *key, gdyn_coordinate along, double *value);

/* --- check.c: the tree against the tables of keys --------------------------------------------- */

/* Complains about unknown and missing keys and values of the wrong form; compiles quantities. */
void gdyn_check_case(gdyn_reader *r, gdyn_node *root);

/* An entry whose kind decides which keys it takes. */
typedef struct gdyn_kind_words {
    const char *kind;  /* "spring" */
    const char *entry; /* "a spring force" */
    const char *help;  /* for a key that it does not take */
} gdyn_kind_words;

/* Complains about keys that belong to parts that the kind does not take, and about missing ones
 * that it must have. */
void gdyn_check_parts(gdyn_reader *r, const gdyn_node *node, const gdyn_schema_record *record,
                      unsigned takes, unsigned must, const gdyn_kind_words *words);

/* --- parameters.c ----------------------------------------------------------------------------- */

/* Orders, compiles and evaluates the parameters (checking pass). */
void gdyn_read_parameters(gdyn_reader *r, gdyn_node *root);
/* Values for given settings into value[count]; false after a complaint. */
bool gdyn_evaluate_parameters(gdyn_reader *r, int count, const gdyn_setting *settings,
                              double *value);

/* --- choices.c -------------------------------------------------------------------------------- */

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

/* --- machine, in the order of the sections ---------------------------------------------------- */

/* Each section may refer to those before it: bodies, joints, drives, forces. */
void gdyn_read_machine(gdyn_reader *r, const gdyn_node *machine);
/* machine.home becomes the first guess of the instance's model. */
gdyn_status gdyn_take_home(gdyn_reader *r);
void gdyn_read_joints(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_drives(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_forces(gdyn_reader *r, const gdyn_node *machine);
/* machine.limits; joints are known (limits.c). */
void gdyn_read_limits(gdyn_reader *r, const gdyn_node *machine);
/* `speed` of a trajectory whose range of p is known. */
void gdyn_read_path_speed(gdyn_reader *r, const gdyn_node *trajectory, gdyn_path_def *def);
/* Which pairs of shapes are compared (shapes.c); all shapes are known. */
void gdyn_read_pairs(gdyn_reader *r, const gdyn_node *machine);

/* Ranges and cones, after the joint or drive was added with that index (limits.c). */
bool gdyn_reserve_ranges(gdyn_reader *r, const gdyn_node *machine);
void gdyn_read_joint_ranges(gdyn_reader *r, const gdyn_node *node, int index);
void gdyn_read_drive_range(gdyn_reader *r, const gdyn_node *node, int index, const char *name,
                           gdyn_coordinate along);
/* The range of that name: "elbow", "elbow.slide", "winch", "ball.cone"; -1: there is none. */
int gdyn_find_range(const gdyn_reader *r, const char *name);

/* Unit of a drive's limits, "" where it could not be read. */
const char *gdyn_drive_unit(const gdyn_drive_source *source);

/* shapes.c: shapes of a body or of the ground (one or a list), added to the machine; their
 * number, *shapes: the definitions. */
int gdyn_read_shapes(gdyn_reader *r, gdyn_node *node, int body, gdyn_shape_def **shapes);
/* Shapes of a body and, where it states a density or material, its mass, centre and inertia. */
void gdyn_read_body_solid(gdyn_reader *r, const gdyn_node *node, int body, gdyn_body_def *def);
/* The line of a drive that states a radius. */
void gdyn_read_drive_shape(gdyn_reader *r, const gdyn_node *node, int index,
                           const gdyn_drive_def *drive);

/* --- trajectories and workspaces -------------------------------------------------------------- */

/* A table read for `kind: file`, kept with the case. */
typedef struct gdyn_csv {
    const char *name; /* of the file, NULL for a table that stands in the case */
    const char *text; /* of such a table, the node's own */
    int rows, columns;
    const char **head;          /* columns, in SI units */
    int *slot;                  /* columns: what they hold (csv.c) */
    double *raw;                /* rows x columns, SI */
    double *since;              /* rows: time since the first one [s], to all of its digits */
    double *p;                  /* rows, or NULL without a column p or t */
    gdyn_dimension p_dimension; /* of that column; unknown: no unit stands there */
    /* rows x GDYN_PATH_COORDINATES, NaN where not present, NULL: joints alone */
    double *table;
    double *scalar;    /* rows: scalar parts of quaternions with a, b, c; NULL: Cardan angles */
    bool points_along; /* a, b, c are the direction of the body's z axis */
    int joints;
    gdyn_path_joint *joint; /* with their columns */
    bool *slides;           /* of joints */
    struct gdyn_csv *next;
} gdyn_csv;

/* Table of the file that the node names, or whose text stands in the node itself; kept with the
 * case, NULL after a complaint. */
const gdyn_csv *gdyn_read_csv(gdyn_reader *r, gdyn_node *node, bool file);

void gdyn_read_trajectories(gdyn_reader *r, const gdyn_node *root);
/* workspaces.c */
void gdyn_read_workspaces(gdyn_reader *r, const gdyn_node *root);

/* --- design and known results ----------------------------------------------------------------- */

/* robustness.c: before the design. */
void gdyn_read_robustness(gdyn_reader *r, const gdyn_node *root);
/* robustness.c: after all that may take up tolerances. */
void gdyn_judge_ends(gdyn_reader *r, const gdyn_node *root);
void gdyn_read_design(gdyn_reader *r, const gdyn_node *root);
void gdyn_read_optimize(gdyn_reader *r, const gdyn_node *root);
/* Algorithm and stop of `optimize` (NULL: defaults). */
void gdyn_read_search(gdyn_reader *r, const gdyn_node *optimize);
/* The aims of the objectives, and the levels of one of them, once the objectives are known. */
void gdyn_read_aim(gdyn_reader *r, const gdyn_node *optimize);
void gdyn_read_levels(gdyn_reader *r, const gdyn_node *optimize);
void gdyn_read_expect(gdyn_reader *r, const gdyn_node *root);

/* Dimension of a criterion (row of the vocabulary) along a trajectory, at one of its points, or
 * of the machine (NULL); unknown where it is not fixed. */
gdyn_dimension gdyn_case_criterion_dimension(const gdyn_instance *instance,
                                             const gdyn_path_def *trajectory, int criterion);
/* True for forces that a machine with sliding and turning drives cannot compare. */
bool gdyn_case_criterion_mixed(const gdyn_instance *instance, int criterion);

/* --- simulation ------------------------------------------------------------------------------- */

void gdyn_read_simulation(gdyn_reader *r, const gdyn_node *root);
