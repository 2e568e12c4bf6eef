/* tree.h - the text of a case file as a tree of nodes that know their place (internal).
 *
 * Scalars stay text: their type comes from the schema, never from YAML's guess. Nodes live in an
 * arena and never change after expansion, except for what the checking pass notes in them. */
#pragma once

#include "base/diag.h"
#include "base/document.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "expr/expr.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    GDYN_LIMIT_BYTES = 16 << 20,  /* of one file */
    GDYN_LIMIT_SCALAR = 64 << 10, /* bytes of one scalar */
    GDYN_LIMIT_DEPTH = 64,        /* nesting, also after expansion */
    GDYN_LIMIT_NODES = 200000,    /* nodes of all files, and again after expansion */
    GDYN_LIMIT_FILES = 64,        /* files in one case */
    GDYN_LIMIT_ERRORS = 200       /* diagnostics shown in one run */
};

/* The value of a repeat index; a chain from the innermost outwards. */
typedef struct gdyn_index {
    const char *name;
    long value;
    const struct gdyn_index *outer;
    const gdyn_document *source; /* where its repeat is written */
} gdyn_index;

typedef enum gdyn_node_kind {
    GDYN_NODE_SCALAR,
    GDYN_NODE_SEQUENCE,
    GDYN_NODE_MAPPING
} gdyn_node_kind;

typedef struct gdyn_node {
    gdyn_node_kind kind;
    const gdyn_document *source;
    int line, column, width; /* 1-based, in characters; width of the part on its first line */
    const char *text;        /* SCALAR */
    int count;               /* SEQUENCE, MAPPING: number of entries */
    struct gdyn_node **item; /* count entries (MAPPING: values) */
    struct gdyn_node **key;  /* MAPPING: count scalar keys */
    const gdyn_index *index; /* indices in force here, NULL outside of repeat */
    const struct gdyn_node *parent, *name; /* container; key under which it stands there, or NULL */
    /* Notes of the checking pass. */
    bool bad;        /* was complained about: readers pass over it */
    gdyn_expr *expr; /* formula over the parameters, owned by the case */
} gdyn_node;

/* Entries of a mapping or sequence under construction. Start with {0}. */
typedef struct gdyn_entries {
    gdyn_node **key, **item;
    int count, capacity;
} gdyn_entries;
/* False without memory. */
bool gdyn_entries_push(gdyn_entries *list, gdyn_node *key, gdyn_node *item);
/* Moves the entries into the node, which has none without memory (false); frees the list in any
 * case. */
bool gdyn_entries_close(gdyn_entries *list, gdyn_arena *arena, gdyn_node *node);

/* Diagnostics collected in one run; emitted in the order of the file. */
typedef struct gdyn_log gdyn_log;
gdyn_log *gdyn_log_create(void);
void gdyn_log_destroy(gdyn_log *log);
int gdyn_log_errors(const gdyn_log *log);
/* True when something below that top key was complained about. */
bool gdyn_log_errors_below(const gdyn_log *log, const char *top);
bool gdyn_log_out_of_memory(const gdyn_log *log);
void gdyn_log_lack_memory(gdyn_log *log); /* from now on the above is true */
/* Sorts by place, emits to the sink, empties. */
void gdyn_log_flush(gdyn_log *log, const gdyn_sink *sink);
/* Formats a help text that lives as long as the log. */
const char *gdyn_log_help(gdyn_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The words as a list behind `front`, as a help text; `last` joins the last one: ", " or " or ". */
const char *gdyn_log_list(gdyn_log *log, const char *front, const char *const *words, int count,
                          const char *last);
/* Problem at a node (NULL: without a place), false. A place inside of `repeat` is reported once. */
bool gdyn_log_node(gdyn_log *log, gdyn_severity severity, const gdyn_node *node, const char *help,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Problem in the bytes offset..offset+width of a scalar's text; false. */
bool gdyn_log_inside(gdyn_log *log, const gdyn_node *node, int offset, int width, const char *help,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Problem at a place of a source (line 0: the file as a whole). */
void gdyn_log_place(gdyn_log *log, const gdyn_document *source, int line, int column, int width,
                    const char *help, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
/* Passes on a diagnostic made elsewhere, with a place when node is not NULL. */
void gdyn_log_pass(gdyn_log *log, const gdyn_diag *diag, const gdyn_node *node);

/* Parses YAML. *nodes counts up to GDYN_LIMIT_NODES over all files of the case. NULL on error (the
 * log has the reason). An empty document gives an empty mapping. */
gdyn_node *gdyn_tree_parse(gdyn_arena *arena, const gdyn_document *source, gdyn_log *log,
                           int *nodes);

/* Merges `include`d files, writes out `repeat` and `like`; returns the tree to read, or NULL. */
gdyn_node *gdyn_tree_expand(gdyn_arena *arena, const gdyn_node *root, gdyn_log *log, int *nodes);

/* Value under a key of a mapping, or NULL; node may be NULL. */
gdyn_node *gdyn_node_find(const gdyn_node *node, const char *key);
/* Index of a key of a mapping, -1: none. */
int gdyn_node_index(const gdyn_node *mapping, const char *key);
/* The same value, but NULL when it was complained about. */
gdyn_node *gdyn_node_get(const gdyn_node *node, const char *key);
/* The same when it is a mapping. */
gdyn_node *gdyn_node_map(const gdyn_node *node, const char *key);
/* What may be one value or a list: the items of the list, or the node itself (NULL: none). */
gdyn_node *const *gdyn_node_items(gdyn_node *const *node, int *count);
bool gdyn_node_is(const gdyn_node *node, const char *text);
/* Node to point at for a dotted path: the value where the whole path was found, else the name of
 * the nearest entry; NULL when not even its first part is there. */
const gdyn_node *gdyn_node_place(const gdyn_node *root, const char *path);
/* "a mapping", "a list", "text '...'" for messages. */
const char *gdyn_node_kind_text(const gdyn_node *node);
/* "did you mean 'x'?" from the keys of a mapping or a list of words, else NULL. */
const char *gdyn_log_suggest(gdyn_log *log, const char *word, const char *const *words, int count);

/* --- substitute.c: the indices of `repeat` in formulas ---------------------------------------- */

/* Appends a formula with the values of indices in place of their names. They are written with a
 * decimal point: as the index itself, and unlike a bare whole number, they then have no say in
 * units. */
void gdyn_index_replace(const gdyn_index *index, const char *text, gdyn_text *out);

/* Answers index names for formulas; context is a const gdyn_index *. */
bool gdyn_index_constant(void *context, const char *name, gdyn_quantity *quantity);
/* A formula over nothing but indices; NULL with the error filled. Caller owns the result. */
gdyn_expr *gdyn_index_compile(const gdyn_index *index, const char *text, gdyn_expr_error *error);

/* --- steps of writing out --------------------------------------------------------------------- */

typedef struct gdyn_expansion {
    gdyn_arena *arena;
    gdyn_log *log;
    int *nodes; /* counted against GDYN_LIMIT_NODES */
    int files;  /* read so far */
    /* files: each goes before those that come after it */
    const gdyn_document *file[GDYN_LIMIT_FILES];
    bool stopped; /* a limit was passed, a file is missing or memory is out: give up */
} gdyn_expansion;

/* Text with $i, ${i} and $(i + 1) replaced by values, $sum and $prod written out; NULL when that
 * failed (the log has the reason). In prose only indices in force are replaced, and any other '$'
 * stands for itself. */
const char *gdyn_expand_text(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *index,
                             bool prose);

/* The combinations of indices that `repeat: {i: 1..4, j: [1, 3]}` asks for: count chains. */
typedef struct gdyn_repeat_combinations {
    const gdyn_index **index;
    int count;
} gdyn_repeat_combinations;
gdyn_repeat_combinations gdyn_expand_repeat(gdyn_expansion *e, const gdyn_node *repeat,
                                            const gdyn_index *outer);
