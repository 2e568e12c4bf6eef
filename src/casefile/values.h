/* values.h - numbers, formulas, words and names from nodes of the tree (internal). */
#ifndef GDYN_CASEFILE_VALUES_H
#define GDYN_CASEFILE_VALUES_H

#include "casefile/reader.h"

/* --- misfits.c -------------------------------------------------------------------------------- */

/* "expected m, got kg" at the node. */
void gdyn_diagnose_misfit(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted,
                          gdyn_dimension found);

/* The same as a warning, where a whole factor may stand for a quantity. */
void gdyn_diagnose_doubt(gdyn_reader *r, const gdyn_node *node, gdyn_dimension wanted,
                         gdyn_dimension found);

/* Notes a compiled formula whose unit does not fit (it is bad from then on), one whose unit may
 * not, and one whose unit does. */
void gdyn_misfit_note(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted, gdyn_dimension found);
void gdyn_misfit_doubt(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted,
                       gdyn_dimension found);
void gdyn_misfit_fits(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted);
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
/* Formula over one open variable (and parameters as constants), owned by the instance; NULL after a
 * complaint. */
const gdyn_expr *gdyn_read_formula(gdyn_reader *r, gdyn_node *node, const char *variable,
                                   gdyn_dimension of_variable, gdyn_dimension dimension);
/* Dimension of the value when it is stated. */
gdyn_dimension gdyn_read_dimension(const gdyn_node *node);
/* Compiles text with the parameters as constants; errors are logged at the node, whose
 * text begins at `offset` of the compiled text's place. Caller owns the result. */
gdyn_expr *gdyn_compile_constant(gdyn_reader *r, gdyn_node *node, const char *text, int offset);

/* --- names.c: references ---------------------------------------------------------------------- */

/* "body.P", "body", "ground.R". */
/* The points of all bodies into the instance. */
void gdyn_list_points(gdyn_reader *r);
bool gdyn_read_anchor(gdyn_reader *r, gdyn_node *node, gdyn_anchor *anchor);
bool gdyn_anchor_from_text(gdyn_reader *r, gdyn_node *node, const char *text, gdyn_anchor *anchor);
/* List of exactly two of them. */
bool gdyn_read_anchors(gdyn_reader *r, gdyn_node *node, gdyn_anchor *a, gdyn_anchor *b);
/* "joint" or "joint.freedom"; *along: unknown after a complaint. The freedom is made explicit. */
bool gdyn_read_joint(gdyn_reader *r, gdyn_node *node, int *joint, gdyn_freedom *freedom,
                     gdyn_coordinate *along);
bool gdyn_joint_from_text(gdyn_reader *r, gdyn_node *node, const char *text, int *joint,
                          gdyn_freedom *freedom, gdyn_coordinate *along);
/* Place of a name among `count` entries that begin with theirs, `stride` bytes apart; -1 with
 * the nearest one in *help (NULL: none is near). */
int gdyn_find_name(gdyn_reader *r, const char *name, const void *list, size_t stride, int count,
                   const char **help);
int gdyn_find_body(const gdyn_reader *r, const char *name);
/* Names an entity may bear: letters, digits, '_' and '-'; for formulas without '-'. */
bool gdyn_name_allowed(const char *name, bool formula);
/* A formula in t, or a table [[t, value], ...]: linear between its rows, or (smooth) the natural
 * cubic spline. NULL after a complaint. */
const gdyn_expr *gdyn_read_signal(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension,
                                  bool smooth);

/* --- fields.c --------------------------------------------------------------------------------- */

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
/* Complains about a number beyond the bounds of its field, with a message of that kind; whether
 * it keeps them. */
bool gdyn_check_bounds(gdyn_reader *r, gdyn_node *node, const gdyn_field *field, double value,
                       const char *code, const char *entry);
/* Whether the node is a list of names; complains otherwise. */
bool gdyn_check_names(gdyn_reader *r, gdyn_node *node);

#endif
