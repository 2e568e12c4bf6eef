/* repeat.c - `repeat: {i: 1..4}` and `$i` in texts. */
#include "casefile/expand.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_INDEX = 1000000 };

bool gdyn_index_constant(void *context, const char *name, gdyn_quantity *quantity) {
    for (const gdyn_index *i = context; i; i = i->outer)
        if (strcmp(i->name, name) == 0) {
            *quantity = (gdyn_quantity){(double)i->value, GDYN_DIM_UNKNOWN};
            return true;
        }
    return false;
}

typedef struct replacement {
    const char *text, *rest; /* the formula, and what of it is not copied yet */
    const gdyn_index *index;
    gdyn_text *out;
} replacement;

static void replace_name(void *context, const char *name, int length, int offset) {
    replacement *r = context;
    for (const gdyn_index *i = r->index; i; i = i->outer)
        if (strlen(i->name) == (size_t)length && strncmp(i->name, name, (size_t)length) == 0) {
            gdyn_text_append(r->out, r->rest, (size_t)(r->text + offset - r->rest));
            gdyn_text_printf(r->out, "(%ld.0)", i->value);
            r->rest = r->text + offset + length;
            return;
        }
}

void gdyn_index_replace(const gdyn_index *index, const char *text, gdyn_text *out) {
    replacement r = {text, text, index, out};
    gdyn_expr_names(text, replace_name, &r);
    gdyn_text_append(out, r.rest, strlen(r.rest));
}

/* Whole number from a formula over the indices in force; complains at the node and returns false. */
static bool whole_number(gdyn_expansion *e, const gdyn_node *node, const char *text,
                         const gdyn_index *index, long *value) {
    gdyn_scope scope = {.constant = gdyn_index_constant, .context = (void *)index};
    gdyn_expr_error error = {0};
    gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
    if (!expr) {
        gdyn_log_node(e->log, GDYN_ERROR, node, "indices are whole numbers such as 1..4",
                      "index '%.60s': %s", text, error.message);
        return false;
    }
    double number = gdyn_expr_value(expr, NULL);
    gdyn_expr_destroy(expr);
    bool whole = number == floor(number);
    if (!whole || !(fabs(number) <= LARGEST_INDEX)) {
        gdyn_log_node(e->log, GDYN_ERROR, node, "indices are whole numbers such as 1..4",
                      "index '%.60s' is %s", text, whole ? "too large" : "not a whole number");
        return false;
    }
    *value = (long)number;
    return true;
}

/* --- $i -------------------------------------------------------------------------------------------- */

static bool name_character(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Length of the reference after '$': name, {name} or (formula); 0 when it is none. */
static size_t reference(const char *at, const char **inner, size_t *length) {
    if (*at == '{' || *at == '(') {
        char close = *at == '{' ? '}' : ')';
        size_t depth = 0, i = 0;
        do {
            depth += at[i] == *at;
            depth -= at[i] == close;
            i++;
        } while (depth > 0 && at[i]);
        *inner = at + 1;
        *length = i >= 2 ? i - 2 : 0;
        return depth == 0 ? i : 0;
    }
    size_t n = 0;
    if (isalpha((unsigned char)*at) || *at == '_')
        while (name_character(at[n]))
            n++;
    *inner = at;
    *length = n;
    return n;
}

/* Appends what stands for "$..." at `at`; returns its length there, 0 when it is no reference and -1
 * after a complaint. */
static long append_reference(gdyn_expansion *e, const gdyn_node *node, const char *at,
                             const gdyn_index *index, gdyn_text *out) {
    const char *inner = NULL;
    size_t length = 0, skip = reference(at + 1, &inner, &length);
    if (skip == 0)
        return 0;
    char *formula = gdyn_arena_strndup(e->arena, inner, length);
    long value = 0;
    if (formula && !index) {
        gdyn_log_node(e->log, GDYN_ERROR, node, "write repeat: {i: 1..4} into the entry",
                      "'$%.60s' outside of a repeat", formula);
        return -1;
    }
    if (!formula || !whole_number(e, node, formula, index, &value))
        return -1;
    gdyn_text_printf(out, "%ld", value);
    return (long)skip + 1;
}

const char *gdyn_expand_string(gdyn_expansion *e, const gdyn_node *node, const char *text,
                               const gdyn_index *index) {
    gdyn_text out = {0};
    const char *at = text;
    bool good = true;
    gdyn_text_append(&out, "", 0);
    while (*at && good) {
        long skip = *at == '$' ? gdyn_expand_series(e, node, at, index, &out) : 0;
        if (*at == '$' && skip == 0)
            skip = append_reference(e, node, at, index, &out);
        good = skip >= 0 && !out.failed;
        if (skip == 0)
            gdyn_text_append(&out, at, 1);
        at += skip > 0 ? skip : 1;
    }
    const char *copy = good && !out.failed ? gdyn_arena_strdup(e->arena, out.data) : NULL;
    gdyn_text_free(&out);
    return copy;
}

const char *gdyn_expand_text(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *index) {
    return strchr(node->text, '$') ? gdyn_expand_string(e, node, node->text, index) : node->text;
}

/* --- ranges ---------------------------------------------------------------------------------------- */

static gdyn_values list_of(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *outer) {
    gdyn_values v = {gdyn_arena_alloc(e->arena, (size_t)node->count, sizeof(long)), 0};
    for (int i = 0; i < node->count && v.value; i++) {
        const gdyn_node *item = node->item[i];
        if (item->kind != GDYN_NODE_SCALAR)
            gdyn_log_node(e->log, GDYN_ERROR, item, NULL, "expected a whole number, got %s",
                          gdyn_node_kind_text(item));
        else if (whole_number(e, item, item->text, outer, &v.value[v.count]))
            v.count++;
    }
    return v;
}

gdyn_values gdyn_expand_range(gdyn_expansion *e, const gdyn_node *node, const char *text,
                              const gdyn_index *outer) {
    gdyn_values v = {NULL, 0};
    const char *dots = strstr(text, "..");
    long first = 0, last = 0;
    if (!dots) {
        gdyn_log_node(e->log, GDYN_ERROR, node, "write a range such as 1..4 or a list [1, 3]",
                      "'%.60s' is no range", text);
        return v;
    }
    char *front = gdyn_arena_strndup(e->arena, text, (size_t)(dots - text));
    if (!front || !whole_number(e, node, front, outer, &first) ||
        !whole_number(e, node, dots + 2, outer, &last))
        return v;
    if (last - first >= GDYN_LIMIT_NODES) {
        gdyn_log_node(e->log, GDYN_ERROR, node, NULL, "the range %ld..%ld is too long", first,
                      last);
        return v;
    }
    if (last < first)
        return v;
    v.value = gdyn_arena_alloc(e->arena, (size_t)(last - first + 1), sizeof(long));
    for (long i = first; i <= last && v.value; i++)
        v.value[v.count++] = i;
    return v;
}

/* Chains each of the values of one index onto each combination so far. */
static gdyn_combinations multiply(gdyn_expansion *e, gdyn_combinations so_far,
                                  const gdyn_node *name, const gdyn_node *range) {
    gdyn_combinations result = {NULL, 0};
    int capacity = 0;
    for (int c = 0; c < so_far.count && !e->stopped; c++) {
        gdyn_values v = range->kind == GDYN_NODE_SEQUENCE
                            ? list_of(e, range, so_far.index[c])
                            : gdyn_expand_range(e, range, range->text, so_far.index[c]);
        if (result.count + v.count > GDYN_LIMIT_NODES) {
            gdyn_log_node(e->log, GDYN_ERROR, range, NULL, "the repeat writes too many entries");
            e->stopped = true;
            break;
        }
        if (result.count + v.count > capacity) {
            capacity = 2 * (result.count + v.count);
            const gdyn_index **more = gdyn_arena_alloc(e->arena, (size_t)capacity, sizeof *more);
            if (!more)
                return (gdyn_combinations){NULL, 0};
            if (result.count > 0)
                memcpy(more, result.index, (size_t)result.count * sizeof *more);
            result.index = more;
        }
        for (int i = 0; i < v.count; i++) {
            gdyn_index *index = gdyn_arena_alloc(e->arena, 1, sizeof *index);
            if (!index)
                return result;
            *index = (gdyn_index){name->text, v.value[i], so_far.index[c]};
            result.index[result.count++] = index;
        }
    }
    return result;
}

bool gdyn_index_name(const char *text) {
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    for (; *text; text++)
        if (!name_character(*text))
            return false;
    return true;
}

gdyn_combinations gdyn_expand_repeat(gdyn_expansion *e, const gdyn_node *repeat,
                                     const gdyn_index *outer) {
    gdyn_combinations none = {NULL, 0};
    if (repeat->kind != GDYN_NODE_MAPPING || repeat->count == 0) {
        gdyn_log_node(e->log, GDYN_ERROR, repeat, "write repeat: {i: 1..4}",
                      "repeat needs the name of an index and its range");
        return none;
    }
    gdyn_combinations result = {gdyn_arena_alloc(e->arena, 1, sizeof(gdyn_index *)), 1};
    if (!result.index)
        return none;
    result.index[0] = outer;
    for (int i = 0; i < repeat->count; i++) {
        const gdyn_node *name = repeat->key[i], *range = repeat->item[i];
        gdyn_quantity taken;
        if (!gdyn_index_name(name->text)) {
            gdyn_log_node(e->log, GDYN_ERROR, name, NULL, "'%.60s' cannot name an index",
                          name->text);
            return none;
        }
        if (gdyn_index_constant((void *)outer, name->text, &taken)) {
            gdyn_log_node(e->log, GDYN_ERROR, name, "take another letter",
                          "the index '%.60s' is in use here already", name->text);
            return none;
        }
        if (range->kind == GDYN_NODE_MAPPING) {
            gdyn_log_node(e->log, GDYN_ERROR, range, "write a range such as 1..4",
                          "expected a range, got a mapping");
            return none;
        }
        int before = gdyn_log_errors(e->log);
        result = multiply(e, result, name, range);
        /* Inside of another repeat a range may well be empty now and then. */
        if (result.count == 0 && !outer && !e->stopped && gdyn_log_errors(e->log) == before)
            gdyn_log_node(e->log, GDYN_ERROR, range, NULL, "the repeat writes nothing");
        if (result.count == 0)
            return none;
    }
    return result;
}
