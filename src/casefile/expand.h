/* expand.h - the steps of expanding a tree (internal). */
#ifndef GDYN_CASEFILE_EXPAND_H
#define GDYN_CASEFILE_EXPAND_H

#include "casefile/tree.h"
#include "base/text.h"

typedef struct gdyn_expansion {
    gdyn_arena *arena;
    gdyn_log *log;
    int *nodes; /* counted against GDYN_LIMIT_NODES */
    int files;  /* read so far */
    const gdyn_document
        *file[GDYN_LIMIT_FILES]; /* files: each goes before those that come after it */
    bool stopped; /* a limit was passed, a file is missing or memory is out: give up */
} gdyn_expansion;

/* Files being read, innermost first. */
typedef struct gdyn_files {
    const char *name;
    struct gdyn_files *outer;
} gdyn_files;

/* Merges what root includes; returns the merged root or NULL without memory. A file that cannot be included
 * stops the expansion. */
gdyn_node *gdyn_expand_include(gdyn_expansion *e, gdyn_node *root, gdyn_files *files);

/* The entries of `base` with those of `top` laid over them; NULL without memory. */
gdyn_node *gdyn_expand_merge(gdyn_arena *arena, const gdyn_node *top, const gdyn_node *base);

/* Text with $i, ${i} and $(i + 1) replaced by values; NULL when that failed (the log has the reason). */
const char *gdyn_expand_text(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *index);

/* The same for prose, where only indices in force are replaced and any other '$' stands for itself. */
const char *gdyn_expand_prose(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *index);

/* Whole number from a formula over the indices in force; false after a complaint at the node. */
bool gdyn_expand_whole(gdyn_expansion *e, const gdyn_node *node, const char *text,
                       const gdyn_index *index, long *value);

/* The numbers of a range "1..4"; none after a complaint at the node. */
typedef struct gdyn_values {
    long *value;
    int count;
} gdyn_values;
gdyn_values gdyn_expand_range(gdyn_expansion *e, const gdyn_node *node, const char *text,
                              const gdyn_index *outer);
/* The combinations of indices that `repeat: {i: 1..4, j: [1, 3]}` asks for: count chains. */
typedef struct gdyn_repeat_combinations {
    const gdyn_index **index;
    int count;
} gdyn_repeat_combinations;
gdyn_repeat_combinations gdyn_expand_repeat(gdyn_expansion *e, const gdyn_node *repeat,
                                            const gdyn_index *outer);

/* Replaces in place every `like: sibling` among the entries of a mapping. */
void gdyn_expand_like(gdyn_expansion *e, gdyn_node *mapping);

#endif
