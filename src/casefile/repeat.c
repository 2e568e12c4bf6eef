/* repeat.c - the combinations of indices that `repeat: {i: 1..4, j: [1, 3]}` asks for. */
#include "casefile/tree.h"

#include <string.h>

static gdyn_values list_of(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *outer) {
    /* Each item is a whole number or a formula that gives one. */
    gdyn_values v = {gdyn_arena_alloc(e->arena, (size_t)node->count, sizeof(long)), 0};
    for (int i = 0; i < node->count && v.value; i++) {
        const gdyn_node *item = node->item[i];
        if (item->kind != GDYN_NODE_SCALAR)
            gdyn_log_node(e->log, GDYN_ERROR, item, NULL,
                          GDYN_CODE_REPEAT "expected a whole number, got %s",
                          gdyn_node_kind_text(item));
        else if (gdyn_expand_whole(e, item, item->text, outer, &v.value[v.count]))
            v.count++;
    }
    return v;
}

/* Chains each of the values of one index onto each combination so far. */
static gdyn_repeat_combinations multiply(gdyn_expansion *e, gdyn_repeat_combinations so_far,
                                         const gdyn_node *name, const gdyn_node *range) {
    gdyn_repeat_combinations result = {NULL, 0};
    int capacity = 0;
    /* Ranges may depend on outer indices: expand them for each combination. */
    for (int c = 0; c < so_far.count && !e->stopped; c++) {
        gdyn_values v = range->kind == GDYN_NODE_SEQUENCE
                            ? list_of(e, range, so_far.index[c])
                            : gdyn_expand_range(e, range, range->text, so_far.index[c]);
        /* Nested repeats must not exhaust memory. */
        if (result.count + v.count > GDYN_LIMIT_NODES) {
            gdyn_log_node(e->log, GDYN_ERROR, range, NULL,
                          GDYN_CODE_LIMIT "the repeat creates too many entries");
            e->stopped = true;
            break;
        }
        /* The list grows by doubling. */
        if (result.count + v.count > capacity) {
            capacity = 2 * (result.count + v.count);
            const gdyn_index **more = gdyn_arena_alloc(e->arena, (size_t)capacity, sizeof *more);
            if (!more)
                return (gdyn_repeat_combinations){NULL, 0};
            if (result.count > 0)
                memcpy(more, result.index, (size_t)result.count * sizeof *more);
            result.index = more;
        }
        /* A new index on top of each combination so far. */
        for (int i = 0; i < v.count; i++) {
            gdyn_index *index = gdyn_arena_alloc(e->arena, 1, sizeof *index);
            if (!index)
                return result;
            *index = (gdyn_index){name->text, v.value[i], so_far.index[c], name->source};
            result.index[result.count++] = index;
        }
    }
    return result;
}

/* The name is new and usable in formulas, its range may be one; false after a complaint. */
static bool index_good(gdyn_expansion *e, const gdyn_node *name, const gdyn_node *range,
                       const gdyn_index *outer) {
    gdyn_quantity taken;
    if (!gdyn_name_valid(name->text))
        gdyn_log_node(e->log, GDYN_ERROR, name, NULL, GDYN_CODE_NAME "'%.60s' cannot name an index",
                      name->text);
    else if (gdyn_index_constant((void *)outer, name->text, &taken))
        gdyn_log_node(e->log, GDYN_ERROR, name, "choose another letter",
                      GDYN_CODE_TWICE "the index '%.60s' is already in use here", name->text);
    else if (range->kind == GDYN_NODE_MAPPING)
        gdyn_log_node(e->log, GDYN_ERROR, range, "write a range such as 1..4",
                      GDYN_CODE_REPEAT "expected a range, got a mapping");
    else
        return true;
    return false;
}

gdyn_repeat_combinations gdyn_expand_repeat(gdyn_expansion *e, const gdyn_node *repeat,
                                            const gdyn_index *outer) {
    gdyn_repeat_combinations none = {NULL, 0};
    /* {i: 1..4, j: [1, 3]} */
    if (repeat->kind != GDYN_NODE_MAPPING || repeat->count == 0) {
        gdyn_log_node(e->log, GDYN_ERROR, repeat, "write repeat: {i: 1..4}",
                      GDYN_CODE_REPEAT "repeat needs the name of an index and its range");
        return none;
    }
    gdyn_repeat_combinations result = {gdyn_arena_alloc(e->arena, 1, sizeof(gdyn_index *)), 1};
    if (!result.index)
        return none;
    /* One combination to begin with: the outer indices. */
    result.index[0] = outer;
    for (int i = 0; i < repeat->count; i++) {
        const gdyn_node *name = repeat->key[i], *range = repeat->item[i];
        if (!index_good(e, name, range, outer))
            return none;
        /* Every index multiplies what is there. */
        int before = gdyn_log_errors(e->log);
        result = multiply(e, result, name, range);
        /* Inside of another repeat a range may well be empty now and then. */
        if (result.count == 0 && !outer && !e->stopped && gdyn_log_errors(e->log) == before)
            gdyn_log_node(e->log, GDYN_ERROR, range, NULL,
                          GDYN_CODE_REPEAT "the repeat creates nothing");
        if (result.count == 0)
            return none;
    }
    return result;
}
