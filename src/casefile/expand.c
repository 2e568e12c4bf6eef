/* expand.c - expands a tree: include, then repeat, then like.
 *
 * The result is a new tree in which every node is independent; nodes keep the place of the text
 * they come from. Aliases are copied here, under the node budget. */
#include "casefile/tree.h"

#include <stdlib.h>
#include <string.h>

static gdyn_node *write_out(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index,
                            int depth, const gdyn_node *without);

static void stop(gdyn_expansion *e, const gdyn_node *node, const char *message) {
    if (!e->stopped)
        gdyn_log_node(e->log, GDYN_ERROR, node, NULL, GDYN_CODE_LIMIT "%s", message);
    e->stopped = true;
}

static void push(gdyn_expansion *e, gdyn_entries *list, gdyn_node *key, gdyn_node *item) {
    if (!gdyn_entries_push(list, key, item))
        stop(e, item, "out of memory");
}

/* Copy of a node without its children. */
static gdyn_node *shell(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index) {
    /* Repeat and aliases multiply: a budget ends what grows without bound. */
    if (++*e->nodes > 2 * GDYN_LIMIT_NODES) {
        stop(e, from, "the file becomes too large when repeat, like and aliases are expanded");
        return NULL;
    }
    gdyn_node *node = gdyn_arena_alloc(e->arena, 1, sizeof *node);
    if (!node) {
        stop(e, from, "out of memory");
        return NULL;
    }
    /* Everything but the children and the place in the tree. */
    *node = *from;
    node->index = index;
    node->count = 0;
    node->item = node->key = NULL;
    node->parent = node->name = NULL;
    return node;
}

/* Texts for readers only, in which '$' need not be an index. */
static bool is_prose(const gdyn_node *key, bool at_root) {
    return key && (strcmp(key->text, "about") == 0 || strcmp(key->text, "source") == 0 ||
                   (at_root && strcmp(key->text, "name") == 0));
}

static gdyn_node *write_scalar(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index,
                               bool prose) {
    gdyn_node *node = shell(e, from, index);
    if (!node)
        return NULL;
    const char *text = prose ? gdyn_expand_prose(e, from, index) : gdyn_expand_text(e, from, index);
    if (text)
        node->text = text;
    else
        node->bad = true;
    return node;
}

/* Writes one entry for every combination of the indices of a `repeat`. */
static void write_repeated(gdyn_expansion *e, gdyn_entries *list, const gdyn_node *key,
                           const gdyn_node *item, const gdyn_node *repeat, const gdyn_index *index,
                           int depth) {
    /* All combinations of the indices. */
    gdyn_repeat_combinations all = gdyn_expand_repeat(e, repeat, index);
    for (int c = 0; c < all.count && !e->stopped; c++) {
        gdyn_node *name = key ? write_scalar(e, key, all.index[c], false) : NULL;
        gdyn_node *value = write_out(e, item, all.index[c], depth, repeat);
        if (value && (name || !key))
            push(e, list, name, value);
    }
}

/* Tells the entries of a mapping where they stand, and those below, which a merge has moved. */
static void own(gdyn_node *node) {
    for (int i = 0; i < node->count; i++) {
        node->item[i]->parent = node;
        node->item[i]->name = node->key[i];
        node->key[i]->parent = node;
        if (node->item[i]->kind == GDYN_NODE_MAPPING)
            own(node->item[i]);
    }
}

/* An entry among those of its mapping. */
typedef struct entry {
    const char *name;
    int file, place; /* of its text; in the mapping */
    bool repeated;
} entry;

static int by_name(const void *left, const void *right) {
    const entry *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : a->file != b->file ? a->file - b->file : a->place - b->place;
}

/* An entry made by repeat counts from where the repeat is written. */
static entry entry_of(const gdyn_expansion *e, const gdyn_node *key, int place,
                      const gdyn_index *outer) {
    bool repeated = key->index != outer;
    const gdyn_document *source = repeated ? key->index->source : key->source;
    int file = e->files - 1;
    while (file > 0 && e->file[file] != source)
        file--;
    return (entry){key->text, file, place, repeated};
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
        bool both = (*over)->kind == GDYN_NODE_MAPPING && (*under)->kind == GDYN_NODE_MAPPING;
        *under = both ? gdyn_expand_merge(e->arena, *over, *under) : *over;
        list->key[base->place] = list->key[top->place];
        *over = NULL;
        if (!*under)
            stop(e, list->key[base->place], "out of memory");
        else if (both)
            own(*under);
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
    for (int i = 0; i < list->count; i++)
        sorted[i] = entry_of(e, list->key[i], i, outer);
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

/* Moves the entries into the node and tells them where they stand. */
static void adopt(gdyn_expansion *e, gdyn_node *node, gdyn_entries *list) {
    if (!gdyn_entries_close(list, e->arena, node))
        stop(e, node, "out of memory");
    for (int i = 0; i < node->count; i++) {
        node->item[i]->parent = node;
        node->item[i]->name = node->key[i];
        if (node->key[i])
            node->key[i]->parent = node;
    }
}

static gdyn_node *write_collection(gdyn_expansion *e, const gdyn_node *from,
                                   const gdyn_index *index, int depth, const gdyn_node *without) {
    gdyn_node *node = shell(e, from, index);
    if (!node)
        return NULL;
    gdyn_entries list = {0};
    bool repeated = false;
    /* Entries in turn; those with `repeat` become many. */
    for (int i = 0; i < from->count && !e->stopped; i++) {
        const gdyn_node *item = from->item[i];
        const gdyn_node *key = from->kind == GDYN_NODE_MAPPING ? from->key[i] : NULL;
        if (item == without)
            continue;
        const gdyn_node *repeat = gdyn_node_find(item, "repeat");
        if (repeat) {
            write_repeated(e, &list, key, item, repeat, index, depth + 1);
            repeated = true;
            continue;
        }
        /* Key and value each with the present indices. */
        gdyn_node *name = key ? write_scalar(e, key, index, false) : NULL;
        gdyn_node *value = item->kind == GDYN_NODE_SCALAR && is_prose(key, depth == 0)
                               ? write_scalar(e, item, index, true)
                               : write_out(e, item, index, depth + 1, NULL);
        if (value && (name || !key))
            push(e, &list, name, value);
    }
    if (node->kind == GDYN_NODE_MAPPING && (repeated || index) && list.count > 0)
        settle_names(e, &list, index);
    /* The new node owns its entries. */
    adopt(e, node, &list);
    /* Copies of siblings come last: they may be repeated entries. */
    if (node->kind == GDYN_NODE_MAPPING && !e->stopped)
        gdyn_expand_like(e, node);
    return e->stopped ? NULL : node;
}

/* Copy of a node and all below it; `without` is the entry to leave out (the repeat itself). */
static gdyn_node *write_out(gdyn_expansion *e, const gdyn_node *from, const gdyn_index *index,
                            int depth, const gdyn_node *without) {
    if (e->stopped)
        return NULL;
    if (depth > GDYN_LIMIT_DEPTH) {
        stop(e, from, "nested too deeply");
        return NULL;
    }
    if (from->kind == GDYN_NODE_SCALAR)
        return write_scalar(e, from, index, false);
    return write_collection(e, from, index, depth, without);
}

gdyn_node *gdyn_tree_expand(gdyn_arena *arena, const gdyn_node *root, gdyn_log *log, int *nodes) {
    /* Files first, then indices and copies. */
    gdyn_expansion e = {
        .arena = arena, .log = log, .nodes = nodes, .files = 1, .file = {root->source}};
    gdyn_files files = {root->source->name, NULL};
    gdyn_node *merged = gdyn_expand_include(&e, (gdyn_node *)root, &files);
    return merged ? write_out(&e, merged, NULL, 0, NULL) : NULL;
}
