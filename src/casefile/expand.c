/* expand.c - expands a tree: include, then repeat, then like.
 *
 * The result is a new tree in which every node is independent; nodes keep the place of the text
 * they come from. Aliases are copied here, under the node budget. */
#include "casefile/tree.h"

#include <stdlib.h>
#include <string.h>

static void stop(gdyn_expansion *e, const gdyn_node *node, const char *message) {
    if (!e->stopped)
        gdyn_log_node(e->log, GDYN_ERROR, node, NULL, GDYN_CODE_LIMIT "%s", message);
    e->stopped = true;
}

/* --- include ---------------------------------------------------------------------------------- */

/* What a file gives itself goes before what it includes, and an earlier include before a later
 * one; mappings are merged entry by entry; an entry of '~' removes what is included under its
 * name. */

static bool is_mapping(const gdyn_node *node) {
    return node->kind == GDYN_NODE_MAPPING;
}

/* The entries of `base` with those of `top` laid over them; NULL without memory. */
static gdyn_node *merge_mappings(gdyn_arena *arena, const gdyn_node *top, const gdyn_node *base) {
    gdyn_node *result = gdyn_arena_alloc(arena, 1, sizeof *result);
    gdyn_entries list = {0};
    bool good = true;
    if (!result)
        return NULL;
    *result = *top;
    /* Entries of the base, replaced or merged by those on top. */
    for (int i = 0; i < base->count && good; i++) {
        int j = gdyn_node_index(top, base->key[i]->text);
        gdyn_node *over = j >= 0 ? top->item[j] : NULL, *item = over ? over : base->item[i];
        if (over && gdyn_node_is(over, "~"))
            continue;
        if (over && is_mapping(over) && is_mapping(base->item[i]))
            item = merge_mappings(arena, over, base->item[i]);
        good = item && gdyn_entries_push(&list, over ? top->key[j] : base->key[i], item);
    }
    for (int j = 0; j < top->count && good; j++)
        if (gdyn_node_index(base, top->key[j]->text) < 0)
            good = gdyn_entries_push(&list, top->key[j], top->item[j]);
    return gdyn_entries_close(&list, arena, result) && good ? result : NULL;
}

/* Files being read, innermost first. */
typedef struct files {
    const char *name;
    struct files *outer;
} files;

static gdyn_node *expand_include(gdyn_expansion *e, gdyn_node *root, files *outer);

/* The tree of one included file, with its own includes; NULL when it was complained about. */
static gdyn_node *read_included(gdyn_expansion *e, const gdyn_node *where, files *outer) {
    /* Files lie beside the file that names them. */
    char message[300];
    const char *name = gdyn_document_beside(e->arena, where->source->name, where->text);
    gdyn_document *source = NULL;
    bool known = false;
    /* A file that is being read may not be included again. */
    for (const files *f = outer; f && name; f = f->outer)
        known |= strcmp(f->name, name) == 0;
    if (!name || where->text[0] == '\0')
        gdyn_log_node(e->log, GDYN_ERROR, where, NULL,
                      GDYN_CODE_SHAPE "a file name is missing here");
    else if (known)
        gdyn_log_node(e->log, GDYN_ERROR, where, NULL, GDYN_CODE_CIRCLE "'%.200s' includes itself",
                      where->text);
    else if (++e->files > GDYN_LIMIT_FILES)
        gdyn_log_node(e->log, GDYN_ERROR, where, NULL, GDYN_CODE_LIMIT "more than %d files",
                      GDYN_LIMIT_FILES);
    else if (gdyn_document_from_file(e->arena, name, GDYN_LIMIT_BYTES, false, &source, message,
                                     sizeof message) != GDYN_OK)
        gdyn_log_node(e->log, GDYN_ERROR, where, NULL, GDYN_CODE_FILE "'%.200s': %s", where->text,
                      message);
    else {
        e->file[e->files - 1] = source;
        gdyn_node *root = gdyn_tree_parse(e->arena, source, e->log, e->nodes);
        files inner = {name, outer};
        if (!root || is_mapping(root))
            return root ? expand_include(e, root, &inner) : NULL;
        gdyn_log_node(e->log, GDYN_ERROR, root, NULL,
                      GDYN_CODE_SHAPE "a case file is a mapping, this is %s",
                      gdyn_node_kind_text(root));
    }
    return NULL;
}

/* Merges what root includes; returns the merged root or NULL without memory. A file that cannot
 * be included stops the expansion. */
static gdyn_node *expand_include(gdyn_expansion *e, gdyn_node *root, files *outer) {
    const gdyn_node *list = gdyn_node_find(root, "include");
    gdyn_node *result = root;
    /* One name or a list of them. */
    bool several = list && list->kind == GDYN_NODE_SEQUENCE;
    int count = several ? list->count : list != NULL;
    for (int i = 0; i < count && result; i++) {
        const gdyn_node *where = several ? list->item[i] : list, *base = NULL;
        if (where->kind == GDYN_NODE_SCALAR)
            base = read_included(e, where, outer);
        else
            gdyn_log_node(e->log, GDYN_ERROR, where, "write include: [file.yaml]",
                          GDYN_CODE_SHAPE "expected a file name, got %s",
                          gdyn_node_kind_text(where));
        /* What was there before goes on top. Without the file, what refers to it would be judged
         * wrongly. */
        if (base)
            result = merge_mappings(e->arena, result, base);
        else
            e->stopped = true;
    }
    return result;
}

/* --- like: other ------------------------------------------------------------------------------ */

/* Copies the entries of a sibling; keys next to it take precedence. */

enum { LONGEST_CHAIN = 100 };

typedef enum progress { UNTOUCHED, OPEN, DONE } progress;

static const char *suggest_sibling(gdyn_expansion *e, const gdyn_node *mapping, int self,
                                   const char *word) {
    const char **names = gdyn_arena_alloc(e->arena, (size_t)mapping->count, sizeof *names);
    int count = 0;
    for (int i = 0; i < mapping->count && names; i++)
        if (i != self)
            names[count++] = mapping->key[i]->text;
    return names ? gdyn_log_suggest(e->log, word, names, count) : NULL;
}

/* Index of the sibling to copy for entry i, or -1 after a complaint. */
static int sibling_of(gdyn_expansion *e, gdyn_node *mapping, int i, gdyn_node *like,
                      const progress *state, int depth) {
    int j = like->kind == GDYN_NODE_SCALAR ? gdyn_node_index(mapping, like->text) : -1;
    if (like->kind != GDYN_NODE_SCALAR)
        gdyn_log_node(e->log, GDYN_ERROR, like, "write like: other",
                      GDYN_CODE_REPEAT "expected a name, got %s", gdyn_node_kind_text(like));
    else if (j < 0 || j == i || !is_mapping(mapping->item[j]))
        gdyn_log_node(e->log, GDYN_ERROR, like, suggest_sibling(e, mapping, i, like->text),
                      GDYN_CODE_UNKNOWN "like: there is no other entry '%.60s' on this level",
                      like->text);
    else if (state[j] == OPEN)
        gdyn_log_node(e->log, GDYN_ERROR, like, NULL, GDYN_CODE_CIRCLE "like is circular: '%.60s'",
                      like->text);
    else if (depth >= LONGEST_CHAIN)
        gdyn_log_node(e->log, GDYN_ERROR, like, NULL,
                      GDYN_CODE_LIMIT "the chain of like has more than %d entries", LONGEST_CHAIN);
    else
        return j;
    return -1;
}

/* Own entries without `like`, then those of the other that are not given here. */
static void copy_entries(gdyn_expansion *e, gdyn_node *own, const gdyn_node *other) {
    gdyn_entries list = {0};
    /* Copies count in the budget of nodes. */
    *e->nodes += own->count + (other ? other->count : 0);
    bool good = *e->nodes <= 2 * GDYN_LIMIT_NODES;
    for (int i = 0; i < own->count && good; i++)
        if (strcmp(own->key[i]->text, "like") != 0)
            good = gdyn_entries_push(&list, own->key[i], own->item[i]);
    for (int i = 0; other && i < other->count && good; i++)
        if (!gdyn_node_find(own, other->key[i]->text))
            good = gdyn_entries_push(&list, other->key[i], other->item[i]);
    if (gdyn_entries_close(&list, e->arena, own) && good)
        return;
    e->stopped = true;
    gdyn_log_node(e->log, GDYN_ERROR, own, NULL, GDYN_CODE_LIMIT "like copies too many entries");
}

/* Replaces `like` of entry i, after that of its sibling. */
static void resolve(gdyn_expansion *e, gdyn_node *mapping, int i, progress *state, int depth) {
    gdyn_node *own = mapping->item[i], *like = gdyn_node_find(own, "like");
    if (state[i] != UNTOUCHED || !like || e->stopped)
        return;
    state[i] = OPEN;
    int j = sibling_of(e, mapping, i, like, state, depth);
    if (j >= 0)
        resolve(e, mapping, j, state, depth + 1);
    if (!e->stopped)
        copy_entries(e, own, j >= 0 ? mapping->item[j] : NULL);
    /* A copy of something bad is bad: no further complaints. */
    if (j < 0 || mapping->item[j]->bad)
        own->bad = true;
    state[i] = DONE;
}

/* --- names that a repeat makes ---------------------------------------------------------------- */

/* Tells the entries of a collection where they stand; deep: and those below, which a merge has
 * moved. */
static void own(gdyn_node *node, bool deep) {
    for (int i = 0; i < node->count; i++) {
        node->item[i]->parent = node, node->item[i]->name = node->key[i];
        if (node->key[i])
            node->key[i]->parent = node;
        if (deep && is_mapping(node->item[i]))
            own(node->item[i], true);
    }
}

/* An entry among those of its mapping. */
typedef struct entry {
    const char *name;
    int file, place; /* of its text; in the mapping */
} entry;

static int by_name(const void *left, const void *right) {
    const entry *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : a->file != b->file ? a->file - b->file : a->place - b->place;
}

/* Two entries of one name, of which `top` goes before `base`: that of the file that includes the
 * other, or a '~' in the same file. They become one, or none. */
static void lay_over(gdyn_expansion *e, gdyn_entries *list, const entry *top, const entry *base) {
    gdyn_node **over = &list->item[top->place], **under = &list->item[base->place];
    if (gdyn_node_is(*over, "~")) {
        *over = *under = NULL;
    } else if (top->file == base->file) {
        gdyn_log_node(e->log, GDYN_ERROR, list->key[base->place],
                      "an entry with repeat needs its index in the name: leg$i",
                      GDYN_CODE_TWICE "repeat creates the name '%.60s' twice", base->name);
    } else {
        /* It stands where the lower one stood, as in an include. */
        bool both = is_mapping(*over) && is_mapping(*under);
        *under = both ? merge_mappings(e->arena, *over, *under) : *over;
        list->key[base->place] = list->key[top->place];
        *over = NULL;
        if (!*under)
            stop(e, list->key[base->place], "out of memory");
        else if (both)
            own(*under, true);
    }
}

/* Names that a repeat makes and that are there already, in this file or in one of those that are
 * included. */
static void settle_names(gdyn_expansion *e, gdyn_entries *list, const gdyn_index *outer) {
    entry *sorted = gdyn_alloc((size_t)list->count + 1, sizeof *sorted);
    if (!sorted) {
        stop(e, list->item[0], "out of memory");
        return;
    }
    for (int i = 0; i < list->count; i++) {
        /* an entry made by repeat counts from where the repeat is written */
        const gdyn_node *key = list->key[i];
        const gdyn_document *source = key->index != outer ? key->index->source : key->source;
        sorted[i] = (entry){key->text, e->files - 1, i};
        while (sorted[i].file > 0 && e->file[sorted[i].file] != source)
            sorted[i].file--;
    }
    qsort(sorted, (size_t)list->count, sizeof *sorted, by_name);
    /* Equal names are neighbours; the lowest pair first, so that what is left of it meets the
     * next one. */
    for (int i = list->count - 1; i > 0 && !e->stopped; i--) {
        entry *a = &sorted[i - 1], *b = &sorted[i];
        if (strcmp(a->name, b->name) != 0 || list->key[b->place]->bad || !list->item[b->place])
            continue;
        /* Of one file: the '~' is on top. */
        bool swap = a->file == b->file && gdyn_node_is(list->item[b->place], "~");
        lay_over(e, list, swap ? b : a, swap ? a : b);
        a->place = list->item[a->place] ? a->place : b->place;
    }
    gdyn_free(sorted);
    /* What is gone leaves no gap. */
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->item[i]) {
            list->key[kept] = list->key[i];
            list->item[kept++] = list->item[i];
        }
    list->count = kept;
}

/* --- the tree --------------------------------------------------------------------------------- */

static gdyn_node *write_out(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index,
                            int depth, const gdyn_node *without);

/* Copy of a node without its children. */
static gdyn_node *shell(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index) {
    /* Repeat and aliases multiply: a budget ends what grows without bound. */
    bool within = ++*e->nodes <= 2 * GDYN_LIMIT_NODES;
    gdyn_node *node = within ? gdyn_arena_alloc(e->arena, 1, sizeof *node) : NULL;
    if (!node) {
        stop(e, from,
             within ? "out of memory"
                    : "the file becomes too large when repeat, like and aliases are expanded");
        return NULL;
    }
    *node = *from;
    node->index = index, node->count = 0, node->item = node->key = NULL;
    node->parent = node->name = NULL;
    return node;
}

static gdyn_node *write_scalar(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index,
                               bool prose) {
    gdyn_node *node = shell(e, from, index);
    const char *text = node ? gdyn_expand_text(e, from, index, prose) : NULL;
    if (text)
        node->text = text;
    else if (node)
        node->bad = true;
    return node;
}

/* Adds an entry with its key, written out with these indices; `repeat`: where they come from. */
static void write_entry(gdyn_expansion *e, gdyn_entries *list, const gdyn_node *key,
                        const gdyn_node *item, const gdyn_index *index, int depth,
                        const gdyn_node *repeat) {
    /* texts for readers only, in which '$' need not be an index */
    bool prose = key && item->kind == GDYN_NODE_SCALAR &&
                 (strcmp(key->text, "about") == 0 || strcmp(key->text, "source") == 0 ||
                  (depth == 1 && strcmp(key->text, "name") == 0));
    gdyn_node *name = key ? write_scalar(e, key, index, false) : NULL;
    gdyn_node *value =
        prose ? write_scalar(e, item, index, true) : write_out(e, item, index, depth, repeat);
    if (value && (name || !key) && !gdyn_entries_push(list, name, value))
        stop(e, value, "out of memory");
}

/* Copy of a node and all below it; `without` is the entry to leave out (the repeat itself). */
static gdyn_node *write_out(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index,
                            int depth, const gdyn_node *without) {
    if (depth > GDYN_LIMIT_DEPTH)
        stop(e, from, "nested too deeply");
    if (e->stopped)
        return NULL;
    if (from->kind == GDYN_NODE_SCALAR)
        return write_scalar(e, from, index, false);
    gdyn_node *node = shell(e, from, index);
    gdyn_entries list = {0};
    bool repeated = false;
    /* Entries in turn; those with `repeat` become many. */
    for (int i = 0; i < from->count && !e->stopped; i++) {
        const gdyn_node *item = from->item[i], *key = is_mapping(from) ? from->key[i] : NULL;
        const gdyn_node *repeat = gdyn_node_find(item, "repeat");
        if (item == without)
            continue;
        if (!repeat) {
            write_entry(e, &list, key, item, index, depth + 1, NULL);
            continue;
        }
        gdyn_repeat_combinations all = gdyn_expand_repeat(e, repeat, index);
        for (int c = 0; c < all.count && !e->stopped; c++)
            write_entry(e, &list, key, item, all.index[c], depth + 1, repeat);
        repeated = true;
    }
    if (!node)
        return NULL;
    if (is_mapping(node) && (repeated || index) && list.count > 0)
        settle_names(e, &list, index);
    if (!gdyn_entries_close(&list, e->arena, node))
        stop(e, node, "out of memory");
    own(node, false);
    /* Copies of siblings come last: they may be repeated entries. */
    if (is_mapping(node) && !e->stopped) {
        bool any = false;
        for (int i = 0; i < node->count && !any; i++)
            any = gdyn_node_find(node->item[i], "like") != NULL;
        progress *state =
            any ? gdyn_arena_alloc(e->arena, (size_t)node->count, sizeof *state) : NULL;
        for (int i = 0; state && i < node->count && !e->stopped; i++)
            resolve(e, node, i, state, 0);
    }
    return e->stopped ? NULL : node;
}

gdyn_node *gdyn_tree_expand(gdyn_arena *arena, const gdyn_node *root, gdyn_log *log, int *nodes) {
    /* Files first, then indices and copies. */
    gdyn_expansion e = {
        .arena = arena, .log = log, .nodes = nodes, .files = 1, .file = {root->source}};
    files own_file = {root->source->name, NULL};
    gdyn_node *merged = expand_include(&e, (gdyn_node *)root, &own_file);
    return merged ? write_out(&e, merged, NULL, 0, NULL) : NULL;
}
