/* include.c - merges the files named under `include`.
 *
 * What a file states itself goes before what it includes, and an earlier include before a later
 * one; mappings are merged entry by entry; an entry of '~' takes out what is included under its
 * name. */
#include "casefile/tree.h"

#include <string.h>

static int find_key(const gdyn_node *node, const char *key) {
    for (int i = 0; i < node->count; i++)
        if (strcmp(node->key[i]->text, key) == 0)
            return i;
    return -1;
}

/* A mapping node like `like` with room for `capacity` entries. */
static gdyn_node *mapping_with_room(gdyn_arena *arena, const gdyn_node *like, int capacity) {
    gdyn_node *node = gdyn_arena_alloc(arena, 1, sizeof *node);
    if (!node)
        return NULL;
    *node = *like;
    node->count = 0;
    node->item = gdyn_arena_alloc(arena, (size_t)capacity, sizeof *node->item);
    node->key = gdyn_arena_alloc(arena, (size_t)capacity, sizeof *node->key);
    return node->item && node->key ? node : NULL;
}

static void put(gdyn_node *node, gdyn_node *key, gdyn_node *item) {
    node->key[node->count] = key;
    node->item[node->count++] = item;
}

static bool takes_out(const gdyn_node *item) {
    return gdyn_node_is(item, "~");
}

gdyn_node *gdyn_expand_merge(gdyn_arena *arena, const gdyn_node *top, const gdyn_node *base) {
    gdyn_node *result = mapping_with_room(arena, top, top->count + base->count);
    if (!result)
        return NULL;
    /* Entries of the base, replaced or merged by those on top. */
    for (int i = 0; i < base->count; i++) {
        int j = find_key(top, base->key[i]->text);
        gdyn_node *item = base->item[i];
        if (j >= 0 && takes_out(top->item[j]))
            continue;
        /* Mappings are merged, everything else is replaced. */
        if (j >= 0 && item->kind == GDYN_NODE_MAPPING && top->item[j]->kind == GDYN_NODE_MAPPING)
            item = gdyn_expand_merge(arena, top->item[j], item);
        else if (j >= 0)
            item = top->item[j];
        if (!item)
            return NULL;
        put(result, j >= 0 ? top->key[j] : base->key[i], item);
    }
    /* Then those that only the top has. */
    for (int j = 0; j < top->count; j++)
        if (find_key(base, top->key[j]->text) < 0)
            put(result, top->key[j], top->item[j]);
    return result;
}

/* The tree of one included file, with its own includes; NULL when it was complained about. */
static gdyn_node *read_included(gdyn_expansion *e, const gdyn_node *where, gdyn_files *outer) {
    /* Files lie beside the file that names them. */
    char message[300];
    const char *name = gdyn_document_beside(e->arena, where->source->name, where->text);
    if (!name || where->text[0] == '\0') {
        gdyn_log_node(e->log, GDYN_ERROR, where, NULL,
                      GDYN_CODE_SHAPE "a file name is missing here");
        return NULL;
    }
    /* A file that is being read may not be included again. */
    for (const gdyn_files *f = outer; f; f = f->outer)
        if (strcmp(f->name, name) == 0) {
            gdyn_log_node(e->log, GDYN_ERROR, where, NULL,
                          GDYN_CODE_CIRCLE "'%.200s' includes itself", where->text);
            return NULL;
        }
    if (++e->files > GDYN_LIMIT_FILES) {
        gdyn_log_node(e->log, GDYN_ERROR, where, NULL, GDYN_CODE_LIMIT "more than %d files",
                      GDYN_LIMIT_FILES);
        return NULL;
    }
    gdyn_document *source = NULL;
    if (gdyn_document_from_file(e->arena, name, GDYN_LIMIT_BYTES, false, &source, message,
                                sizeof message) != GDYN_OK) {
        gdyn_log_node(e->log, GDYN_ERROR, where, NULL, GDYN_CODE_FILE "'%.200s': %s", where->text,
                      message);
        return NULL;
    }
    e->file[e->files - 1] = source;
    /* Only mappings can be merged. */
    gdyn_node *root = gdyn_tree_parse(e->arena, source, e->log, e->nodes);
    if (root && root->kind != GDYN_NODE_MAPPING) {
        gdyn_log_node(e->log, GDYN_ERROR, root, NULL,
                      GDYN_CODE_SHAPE "a case file is a mapping, this is %s",
                      gdyn_node_kind_text(root));
        return NULL;
    }
    gdyn_files files = {name, outer};
    return root ? gdyn_expand_include(e, root, &files) : NULL;
}

gdyn_node *gdyn_expand_include(gdyn_expansion *e, gdyn_node *root, gdyn_files *files) {
    const gdyn_node *list = gdyn_node_find(root, "include");
    if (!list)
        return root;
    /* One name or a list of them. */
    int count = list->kind == GDYN_NODE_SEQUENCE ? list->count : 1;
    gdyn_node *result = root;
    for (int i = 0; i < count && result; i++) {
        const gdyn_node *where = list->kind == GDYN_NODE_SEQUENCE ? list->item[i] : list;
        if (where->kind != GDYN_NODE_SCALAR) {
            gdyn_log_node(e->log, GDYN_ERROR, where, "write include: [file.yaml]",
                          GDYN_CODE_SHAPE "expected a file name, got %s",
                          gdyn_node_kind_text(where));
            e->stopped = true;
            continue;
        }
        /* What was there before goes on top. Without the file whatever refers to it would be
         * judged wrongly. */
        const gdyn_node *base = read_included(e, where, files);
        if (base)
            result = gdyn_expand_merge(e->arena, result, base);
        else
            e->stopped = true;
    }
    return result;
}
