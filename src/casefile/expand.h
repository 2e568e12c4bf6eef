/* expand.h - the steps of writing a tree out (internal). */
#ifndef GDYN_CASEFILE_EXPAND_H
#define GDYN_CASEFILE_EXPAND_H

#include "casefile/tree.h"
#include "base/text.h"

typedef struct gdyn_expansion {
    gdyn_arena *arena;
    gdyn_log *log;
    int *nodes;   /* counted against GDYN_LIMIT_NODES */
    int files;    /* read so far */
    bool stopped; /* a limit was passed or memory is out: give up */
} gdyn_expansion;

/* Files being read, innermost first. */
typedef struct gdyn_files {
    const char *name;
    struct gdyn_files *outer;
} gdyn_files;

/* Merges what root includes; returns the merged root or NULL without memory. */
gdyn_node *gdyn_expand_include(gdyn_expansion *e, gdyn_node *root, gdyn_files *files);

/* Text with $i, ${i} and $(i + 1) replaced by values; NULL when that failed (the log was told). */
const char *gdyn_expand_text(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *index);

/* The same for a part of its text. */
const char *gdyn_expand_string(gdyn_expansion *e, const gdyn_node *node, const char *text,
                               const gdyn_index *index);

/* "$sum(i, 1..4, x$i)" and "$prod(...)" at `at`: appends the terms written out; returns the length of
 * what was read, 0 when there is no such thing, -1 after a complaint at the node. */
long gdyn_expand_series(gdyn_expansion *e, const gdyn_node *node, const char *at,
                        const gdyn_index *index, gdyn_text *out);

/* The numbers of a range "1..4"; none after a complaint at the node. */
typedef struct gdyn_values {
    long *value;
    int count;
} gdyn_values;
gdyn_values gdyn_expand_range(gdyn_expansion *e, const gdyn_node *node, const char *text,
                              const gdyn_index *outer);
/* True for what may name an index. */
bool gdyn_index_name(const char *text);

/* The combinations of indices that `repeat: {i: 1..4, j: [1, 3]}` asks for: count chains. */
typedef struct gdyn_combinations {
    const gdyn_index **index;
    int count;
} gdyn_combinations;
gdyn_combinations gdyn_expand_repeat(gdyn_expansion *e, const gdyn_node *repeat,
                                     const gdyn_index *outer);

/* Replaces in place every `like: sibling` among the entries of a mapping. */
void gdyn_expand_like(gdyn_expansion *e, gdyn_node *mapping);

/* Appends a formula with the values of indices in place of their names. They are written with a decimal
 * point: as the index itself, and unlike a bare whole number, they then have no say in units. */
void gdyn_index_replace(const gdyn_index *index, const char *text, gdyn_text *out);

/* Answers index names for formulas; context is a const gdyn_index *. */
bool gdyn_index_constant(void *context, const char *name, gdyn_quantity *quantity);

#endif
