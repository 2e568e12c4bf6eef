/* values.h - numbers, formulas, words and names from nodes of the tree (internal). */
#ifndef GDYN_CASEFILE_VALUES_H
#define GDYN_CASEFILE_VALUES_H

#include "casefile/reader.h"

/* --- misfits.c ----------------------------------------------------------------------------------------- */

/* "expected m, got kg" at the node. */
void gdyn_diagnose_misfit(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted,
                          gdyn_dimension found);

/* The same as a warning, where a whole factor may stand for a quantity. */
void gdyn_diagnose_doubt(gdyn_reader *r, const gdyn_node *node, gdyn_dimension wanted,
                         gdyn_dimension found);

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
void gdyn_diagnose_unusual(gdyn_reader *r);

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
/* Compiles text with the parameters as constants; errors are logged at the node, whose
 * text begins at `offset` of the compiled text's place. Caller owns the result. */
gdyn_expr *gdyn_compile_constant(gdyn_reader *r, gdyn_node *node, const char *text, int offset);

/* --- names.c: references ------------------------------------------------------------------------------- */

/* "body.P", "body", "ground.R". */
/* The points of all bodies into the instance. */
void gdyn_list_points(gdyn_reader *r);
bool gdyn_read_anchor(gdyn_reader *r, gdyn_node *node, gdyn_anchor *anchor);
bool gdyn_anchor_from_text(gdyn_reader *r, gdyn_node *node, const char *text, gdyn_anchor *anchor);
/* List of exactly two of them. */
bool gdyn_read_anchors(gdyn_reader *r, gdyn_node *node, gdyn_anchor *a, gdyn_anchor *b);
/* "joint" or "joint.freedom"; *dimension: of its coordinate. The freedom is made explicit. */
bool gdyn_read_joint(gdyn_reader *r, gdyn_node *node, int *joint, gdyn_freedom *freedom,
                     bool *slides);
bool gdyn_joint_from_text(gdyn_reader *r, gdyn_node *node, const char *text, int *joint,
                          gdyn_freedom *freedom, bool *slides);
/* Place of a name among `count` entries that begin with theirs, `stride` bytes apart; -1 with the nearest one in *help
 * (NULL: none is near). */
int gdyn_find_name(gdyn_reader *r, const char *name, const void *list, size_t stride, int count,
                   const char **help);
int gdyn_find_body(const gdyn_reader *r, const char *name);
/* Names an entity may bear: letters, digits, '_' and '-'; for formulas without '-'. */
bool gdyn_name_allowed(const char *name, bool formula);
/* Dimensions that go with a coordinate that slides or turns. */
gdyn_dimension gdyn_dim_coordinate(bool slides);
gdyn_dimension gdyn_dim_effort(bool slides);    /* N, N m */
gdyn_dimension gdyn_dim_rate(bool slides);      /* m/s, rad/s */
gdyn_dimension gdyn_dim_viscous(bool slides);   /* N s/m, N m s */
gdyn_dimension gdyn_dim_stiffness(bool slides); /* N/m, N m */

/* A formula in t, or a table [[t, value], ...]: linear between its rows, or (smooth) the natural cubic spline. NULL after a
 * complaint. */
const gdyn_expr *gdyn_read_signal(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension,
                                  bool smooth);

#endif
