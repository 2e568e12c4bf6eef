/* node.c - look-up in the tree. */
#include "casefile/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gdyn_node *gdyn_node_find(const gdyn_node *node, const char *key) {
    /* Anything but a mapping has no keys. */
    if (!node || node->kind != GDYN_NODE_MAPPING)
        return NULL;
    for (int i = 0; i < node->count; i++) {
        const char *text = node->key[i]->text;
        /* Most keys differ in their first letter. */
        if (text[0] == key[0] && strcmp(text, key) == 0)
            return node->item[i];
    }
    return NULL;
}

gdyn_node *gdyn_node_get(const gdyn_node *node, const char *key) {
    /* Bad entries were complained about: they count as missing. */
    gdyn_node *found = gdyn_node_find(node, key);
    return found && !found->bad ? found : NULL;
}

bool gdyn_node_is(const gdyn_node *node, const char *text) {
    return node && node->kind == GDYN_NODE_SCALAR && strcmp(node->text, text) == 0;
}

const char *gdyn_node_kind_text(const gdyn_node *node) {
    switch (node->kind) {
    case GDYN_NODE_SCALAR:
        return node->text[0] ? "a single value" : "nothing";
    case GDYN_NODE_SEQUENCE:
        return node->count > 0 ? "a list" : "an empty list";
    case GDYN_NODE_MAPPING:
        return node->count > 0 ? "a mapping" : "an empty mapping";
    }
    return "";
}

/* Position of a node in its container. */
static int place_in(const gdyn_node *container, const gdyn_node *node) {
    for (int i = 0; i < container->count; i++)
        if (container->item[i] == node || container->key[i] == node)
            return i;
    return -1;
}

const char *gdyn_node_path(gdyn_arena *arena, const gdyn_node *node) {
    /* The root has no path. */
    if (!node || !node->parent)
        return gdyn_arena_strdup(arena, "");
    const char *front = gdyn_node_path(arena, node->parent);
    if (!front)
        return NULL;
    /* "bodies[2]" in a list, "bodies.rod" in a mapping. */
    if (node->parent->kind == GDYN_NODE_SEQUENCE)
        return gdyn_arena_printf(arena, "%s[%d]", front, place_in(node->parent, node));
    int place = node->name ? -1 : place_in(node->parent, node);
    const char *name = node->name   ? node->name->text
                       : place >= 0 ? node->parent->key[place]->text
                                    : "";
    return gdyn_arena_printf(arena, "%s%s%s", front, front[0] ? "." : "", name);
}

/* Other words for the same thing, tried when the first is not there. */
static const char *const synonyms[][2] = {
    {"force", "torque"}, {"force", "tension"}, {"torque", "force"}, {"min", "limit"},
    {"max", "limit"},    {"offset", "angle"},  {"axis", "axes"},    {"magnitude", "force"},
};

static const gdyn_node *find_part(const gdyn_node *node, const char *part) {
    const gdyn_node *found = gdyn_node_find(node, part);
    for (size_t i = 0; !found && i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(part, synonyms[i][0]) == 0)
            found = gdyn_node_find(node, synonyms[i][1]);
    return found;
}

/* Takes the next part of a path, up to '.' or '['; an index keeps its bracket. */
static const char *next_part(const char *path, char part[128]) {
    /* A name up to the next dot or bracket. */
    size_t length = path[0] == '[' ? strcspn(path, "]") + 1 : strcspn(path, ".[");
    if (length > strlen(path))
        length = strlen(path);
    snprintf(part, 128, "%.*s", (int)(length < 127 ? length : 127), path);
    path += length;
    return *path == '.' ? path + 1 : path;
}

/* Looks a dotted path up from the root; *depth: how many of its *parts were found. */
static const gdyn_node *locate(const gdyn_node *root, const char *path, int *depth, int *parts) {
    const gdyn_node *node = root;
    bool lost = false;
    *depth = *parts = 0;
    /* Part by part, as far as the tree has them. */
    while (*path) {
        char part[128];
        path = next_part(path, part);
        (*parts)++;
        if (lost)
            continue;
        const gdyn_node *next = NULL;
        /* [index] of a list. */
        if (part[0] == '[') {
            long index = strtol(part + 1, NULL, 10);
            if (node->kind == GDYN_NODE_SEQUENCE && index >= 0 && index < node->count)
                next = node->item[index];
        } else
            next = find_part(node, part);
        if (next) {
            node = next;
            (*depth)++;
        } else
            lost = true;
    }
    return node;
}

const gdyn_node *gdyn_node_place(const gdyn_node *root, const char *path) {
    int depth, parts;
    const gdyn_node *node = locate(root, path, &depth, &parts);
    if (depth == 0)
        return NULL;
    /* Messages about an entry stand at its name, those about a value at the value. */
    bool value = depth == parts && node->kind != GDYN_NODE_MAPPING;
    return !value && node->name ? node->name : node;
}

/* --- making ----------------------------------------------------------------------------------- */

bool gdyn_entries_push(gdyn_entries *list, gdyn_node *key, gdyn_node *item) {
    int keys = list->capacity;
    /* Keys and items grow together. */
    if (!gdyn_reserve(&list->key, &keys, list->count + 1, sizeof *list->key) ||
        !gdyn_reserve(&list->item, &list->capacity, list->count + 1, sizeof *list->item))
        return false;
    list->key[list->count] = key;
    list->item[list->count++] = item;
    return true;
}

bool gdyn_entries_close(gdyn_entries *list, gdyn_arena *arena, gdyn_node *node) {
    size_t count = (size_t)list->count;
    node->item = gdyn_arena_alloc(arena, count, sizeof *node->item);
    node->key = gdyn_arena_alloc(arena, count, sizeof *node->key);
    bool good = node->item && node->key;
    /* The arena gets a copy of exactly this size. */
    if (good && count > 0) {
        memcpy(node->item, list->item, count * sizeof *node->item);
        memcpy(node->key, list->key, count * sizeof *node->key);
    }
    node->count = good ? list->count : 0;
    gdyn_free(list->key);
    gdyn_free(list->item);
    *list = (gdyn_entries){0};
    return good;
}

static int by_text_then_place(const void *left, const void *right) {
    const gdyn_node *a = *(gdyn_node *const *)left, *b = *(gdyn_node *const *)right;
    int order = strcmp(a->text, b->text);
    if (order != 0)
        return order;
    return a->line != b->line ? a->line - b->line : a->column - b->column;
}

gdyn_node **gdyn_node_sorted_keys(const gdyn_node *mapping) {
    /* Sorted by text, equal ones by their place. */
    size_t count = (size_t)mapping->count;
    gdyn_node **sorted = gdyn_alloc(count + 1, sizeof *sorted);
    if (sorted && count > 0) {
        memcpy(sorted, mapping->key, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_text_then_place);
    }
    return sorted;
}
