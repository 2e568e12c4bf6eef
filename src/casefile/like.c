/* like.c - `like: other` copies the entries of a sibling; keys beside it take precedence. */
#include "casefile/tree.h"

#include <string.h>

enum { LONGEST_CHAIN = 100 };

typedef enum progress { UNTOUCHED, OPEN, DONE } progress;

static void resolve(gdyn_expansion *e, gdyn_node *mapping, int i, progress *state, int depth);

static int find_sibling(const gdyn_node *mapping, const char *name) {
    for (int i = 0; i < mapping->count; i++)
        if (strcmp(mapping->key[i]->text, name) == 0)
            return i;
    return -1;
}

static const char *suggest_sibling(gdyn_expansion *e, const gdyn_node *mapping, int self,
                                   const char *word) {
    const char **names = gdyn_arena_alloc(e->arena, (size_t)mapping->count, sizeof *names);
    /* Any sibling but itself. */
    int count = 0;
    for (int i = 0; i < mapping->count && names; i++)
        if (i != self)
            names[count++] = mapping->key[i]->text;
    return names ? gdyn_log_suggest(e->log, word, names, count) : NULL;
}

/* Index of the sibling to copy for entry i, or -1 after a complaint. */
static int sibling_of(gdyn_expansion *e, gdyn_node *mapping, int i, gdyn_node *like,
                      progress *state, int depth) {
    if (like->kind != GDYN_NODE_SCALAR) {
        gdyn_log_node(e->log, GDYN_ERROR, like, "write like: other",
                      GDYN_CODE_REPEAT "expected a name, got %s", gdyn_node_kind_text(like));
        return -1;
    }
    /* The sibling must exist and have entries. */
    int j = find_sibling(mapping, like->text);
    if (j < 0 || j == i || mapping->item[j]->kind != GDYN_NODE_MAPPING) {
        gdyn_log_node(e->log, GDYN_ERROR, like, suggest_sibling(e, mapping, i, like->text),
                      GDYN_CODE_UNKNOWN "like: there is no other entry '%.60s' beside this one",
                      like->text);
        return -1;
    }
    /* A circle, or a chain that is too long for the stack. */
    if (state[j] == OPEN) {
        gdyn_log_node(e->log, GDYN_ERROR, like, NULL, GDYN_CODE_CIRCLE "like is circular: '%.60s'",
                      like->text);
        return -1;
    }
    if (depth >= LONGEST_CHAIN) {
        gdyn_log_node(e->log, GDYN_ERROR, like, NULL,
                      GDYN_CODE_LIMIT "the chain of like has more than %d entries", LONGEST_CHAIN);
        return -1;
    }
    /* The sibling's own `like` first. */
    resolve(e, mapping, j, state, depth + 1);
    return j;
}

/* Own entries without `like`, then those of the other that are not stated here. */
static void copy_entries(gdyn_expansion *e, gdyn_node *own, const gdyn_node *other) {
    int room = own->count + (other ? other->count : 0);
    gdyn_node **key = gdyn_arena_alloc(e->arena, (size_t)room, sizeof *key);
    gdyn_node **item = gdyn_arena_alloc(e->arena, (size_t)room, sizeof *item);
    int count = 0;
    /* Copies count in the budget of nodes. */
    if (!key || !item || (*e->nodes += room) > 2 * GDYN_LIMIT_NODES) {
        e->stopped = true;
        gdyn_log_node(e->log, GDYN_ERROR, own, NULL,
                      GDYN_CODE_LIMIT "like copies too many entries");
        return;
    }
    /* Own entries come first and win. */
    for (int i = 0; i < own->count; i++)
        if (strcmp(own->key[i]->text, "like") != 0) {
            key[count] = own->key[i];
            item[count++] = own->item[i];
        }
    for (int i = 0; other && i < other->count; i++)
        if (!gdyn_node_find(own, other->key[i]->text)) {
            key[count] = other->key[i];
            item[count++] = other->item[i];
        }
    own->key = key;
    own->item = item;
    own->count = count;
}

static void resolve(gdyn_expansion *e, gdyn_node *mapping, int i, progress *state, int depth) {
    gdyn_node *own = mapping->item[i], *like = gdyn_node_find(own, "like");
    /* Nothing to do, or done already. */
    if (state[i] != UNTOUCHED || !like || e->stopped)
        return;
    state[i] = OPEN;
    int j = sibling_of(e, mapping, i, like, state, depth);
    if (!e->stopped)
        copy_entries(e, own, j >= 0 ? mapping->item[j] : NULL);
    /* A copy of something bad is bad: no further complaints. */
    if (j < 0 || mapping->item[j]->bad)
        own->bad = true;
    state[i] = DONE;
}

void gdyn_expand_like(gdyn_expansion *e, gdyn_node *mapping) {
    /* Most mappings have no `like` at all. */
    bool any = false;
    for (int i = 0; i < mapping->count && !any; i++)
        any = gdyn_node_find(mapping->item[i], "like") != NULL;
    if (!any)
        return;
    progress *state = gdyn_arena_alloc(e->arena, (size_t)mapping->count, sizeof *state);
    for (int i = 0; i < mapping->count && state && !e->stopped; i++)
        resolve(e, mapping, i, state, 0);
}
