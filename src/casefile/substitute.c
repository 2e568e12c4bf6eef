/* substitute.c - values of indices in texts: $i, ${i}, $(i + 1), and sums over numbered names.
 *
 * $sum(i, 2..30, x$i^2) and $prod(...) are written out before the formula is read: "((x2^2) +
 * (x3^2) + ...)"; inside of the term $i is the number in names, and i the number in formulas. A
 * sum of nothing is 0, a product of nothing 1. */
#include "casefile/tree.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* --- indices in formulas ---------------------------------------------------------------------- */

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
    /* Copies what stands before the name, then its value. */
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

gdyn_expr *gdyn_index_compile(const gdyn_index *index, const char *text, gdyn_expr_error *error) {
    gdyn_scope scope = {.constant = gdyn_index_constant, .context = (void *)index};
    *error = (gdyn_expr_error){0};
    return gdyn_expr_compile(text, &scope, error);
}

/* --- ranges ----------------------------------------------------------------------------------- */

enum { LARGEST_INDEX = 1000000, MOST_INDICES = 16 };

static const char *expand_string(gdyn_expansion *e, const gdyn_node *node, const char *text,
                                 const gdyn_index *index, bool prose);

/* Whole number from a formula over the indices in force; complains at the node and returns
 * false. */
static bool whole_of(gdyn_expansion *e, const gdyn_node *node, const char *text,
                     const gdyn_index *index, long *value) {
    gdyn_expr_error error;
    gdyn_expr *expr = gdyn_index_compile(index, text, &error);
    if (!expr)
        return gdyn_log_node(e->log, GDYN_ERROR, node, "indices are whole numbers such as 1..4",
                             GDYN_CODE_REPEAT "index '%.60s': %s", text, error.message);
    double number = gdyn_expr_value(expr, NULL);
    gdyn_expr_destroy(expr);
    bool whole = number == floor(number);
    if (!whole || !(fabs(number) <= LARGEST_INDEX))
        return gdyn_log_node(e->log, GDYN_ERROR, node, "indices are whole numbers such as 1..4",
                             GDYN_CODE_REPEAT "index '%.60s' is %s", text,
                             whole ? "too large" : "not a whole number");
    *value = (long)number;
    return true;
}

/* The numbers of a list or a range. */
typedef struct values {
    long *value;
    int count;
} values;

/* FIRST..LAST, both formulas over outer indices; none after a complaint, and none (which is no
 * error) where the range is empty. */
static values range_of(gdyn_expansion *e, const gdyn_node *node, const char *text,
                       const gdyn_index *outer) {
    values v = {NULL, 0};
    const char *dots = strstr(text, "..");
    long first = 0, last = 0;
    if (!dots) {
        gdyn_log_node(e->log, GDYN_ERROR, node, "write a range such as 1..4 or a list [1, 3]",
                      GDYN_CODE_REPEAT "'%.60s' is not a range", text);
        return v;
    }
    char *front = gdyn_arena_strndup(e->arena, text, (size_t)(dots - text));
    if (!front || !whole_of(e, node, front, outer, &first) ||
        !whole_of(e, node, dots + 2, outer, &last))
        return v;
    if (last - first >= GDYN_LIMIT_NODES)
        gdyn_log_node(e->log, GDYN_ERROR, node, NULL,
                      GDYN_CODE_LIMIT "the range %ld..%ld is too long", first, last);
    else if (last >= first)
        v.value = gdyn_arena_alloc(e->arena, (size_t)(last - first + 1), sizeof(long));
    for (long i = first; i <= last && v.value; i++)
        v.value[v.count++] = i;
    return v;
}

/* --- $i --------------------------------------------------------------------------------------- */

/* Length of the reference after '$': name, {name} or (formula); 0 when it is none. */
static size_t reference(const char *at, const char **inner, size_t *length) {
    /* Brackets may be nested: $(n*(i + 1)). */
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
        while (isalnum((unsigned char)at[n]) || at[n] == '_')
            n++;
    *inner = at, *length = n;
    return n;
}

/* Appends what stands for "$..." at `at`; returns its length there, 0 when it is no reference
 * and -1 after a complaint. */
static long append_reference(gdyn_expansion *e, const gdyn_node *node, const char *at,
                             const gdyn_index *index, gdyn_text *out) {
    const char *inner = NULL;
    size_t length = 0, skip = reference(at + 1, &inner, &length);
    if (skip == 0)
        return 0;
    /* The reference is a formula over the indices in force. */
    char *formula = gdyn_arena_strndup(e->arena, inner, length);
    long value = 0;
    if (formula && !index) {
        gdyn_log_node(e->log, GDYN_ERROR, node, "write repeat: {i: 1..4} into the entry",
                      GDYN_CODE_REPEAT "'$%.60s' outside of a repeat", formula);
        return -1;
    }
    if (!formula || !whole_of(e, node, formula, index, &value))
        return -1;
    gdyn_text_printf(out, "%ld", value);
    return (long)skip + 1;
}

/* --- $sum, $prod ------------------------------------------------------------------------------ */

/* Length up to the comma or parenthesis that ends an argument; 0 at the end of the text. */
static size_t argument(const char *text) {
    int depth = 0;
    /* Commas within parentheses belong to the argument. */
    for (size_t i = 0; text[i]; i++) {
        if (depth == 0 && (text[i] == ',' || text[i] == ')'))
            return i;
        depth += text[i] == '(';
        depth -= text[i] == ')';
    }
    return 0;
}

/* Copy without blanks around it. */
static char *trimmed(gdyn_expansion *e, const char *text, size_t length) {
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return gdyn_arena_strndup(e->arena, text, length);
}

static bool append_terms(gdyn_expansion *e, const gdyn_node *node, const char *name,
                         const values *range, const char *term, const gdyn_index *outer,
                         bool product, gdyn_text *out) {
    if (range->count == 0)
        gdyn_text_append(out, product ? "1" : "0", 1);
    /* (term) + (term) + ..., or with *. */
    for (int i = 0; i < range->count; i++) {
        gdyn_index index = {.name = name, .value = range->value[i], .outer = outer};
        if (i > 0)
            gdyn_text_append(out, product ? "*" : " + ", product ? 1 : 3);
        /* The term without outer indices: they were put in before. */
        gdyn_index inner = {index.name, index.value, NULL, index.source};
        const char *text = expand_string(e, node, term, &index, false);
        if (!text)
            return false;
        gdyn_text_append(out, "(", 1);
        gdyn_index_replace(&inner, text, out);
        gdyn_text_append(out, ")", 1);
        if (out->length > GDYN_LIMIT_SCALAR)
            return gdyn_log_node(e->log, GDYN_ERROR, node, NULL,
                                 GDYN_CODE_LIMIT "expanded, this text is too long");
    }
    return true;
}

/* Whether the index of a sum is new, and the sum not nested too deeply; else a complaint. */
static bool series_index_good(gdyn_expansion *e, const gdyn_node *node, const char *name,
                              const gdyn_index *outer) {
    gdyn_quantity taken;
    int depth = 0;
    for (const gdyn_index *i = outer; i; i = i->outer)
        depth++;
    if (depth > MOST_INDICES)
        gdyn_log_node(e->log, GDYN_ERROR, node, NULL, GDYN_CODE_LIMIT "nested too deeply");
    else if (!gdyn_name_valid(name) || gdyn_index_constant((void *)outer, name, &taken))
        gdyn_log_node(e->log, GDYN_ERROR, node, "choose another letter",
                      GDYN_CODE_TWICE "'%.60s' cannot be the index of a sum here", name);
    else
        return true;
    return false;
}

static long append_series(gdyn_expansion *e, const gdyn_node *node, const char *at,
                          const gdyn_index *index, gdyn_text *out) {
    bool product = strncmp(at, "$prod(", 6) == 0;
    if (!product && strncmp(at, "$sum(", 5) != 0)
        return 0;
    /* Three arguments: index, range, term. */
    const char *text[3], *rest = strchr(at, '(');
    for (int k = 0; k < 3; k++) {
        size_t length = argument(++rest);
        text[k] = trimmed(e, rest, length);
        rest += length;
        if (!text[k] || length == 0 || *rest != (k < 2 ? ',' : ')') || !text[k][0]) {
            gdyn_log_node(e->log, GDYN_ERROR, node, "write $sum(i, 1..4, x$i)",
                          GDYN_CODE_REPEAT "a sum has an index, a range and a term");
            return -1;
        }
    }
    if (!series_index_good(e, node, text[0], index))
        return -1;
    int before = gdyn_log_errors(e->log);
    values range = range_of(e, node, text[1], index);
    if (gdyn_log_errors(e->log) > before)
        return -1;
    /* Parentheses keep the sum together in the formula around it. */
    gdyn_text_append(out, "(", 1);
    if (!append_terms(e, node, text[0], &range, text[2], index, product, out))
        return -1;
    gdyn_text_append(out, ")", 1);
    return (long)(rest + 1 - at);
}

/* --- whole texts ------------------------------------------------------------------------------ */

/* Whether the reference at `at` is known from the indices in force; says nothing. */
static bool is_index(gdyn_expansion *e, const char *at, const gdyn_index *index) {
    gdyn_expr_error error;
    const char *inner = NULL;
    size_t length = 0;
    if (reference(at + 1, &inner, &length) == 0)
        return false;
    char *formula = gdyn_arena_strndup(e->arena, inner, length);
    gdyn_expr *expr = formula && index ? gdyn_index_compile(index, formula, &error) : NULL;
    double number = expr ? gdyn_expr_value(expr, NULL) : 0.5;
    gdyn_expr_destroy(expr);
    return number == floor(number) && fabs(number) <= LARGEST_INDEX;
}

static const char *expand_string(gdyn_expansion *e, const gdyn_node *node, const char *text,
                                 const gdyn_index *index, bool prose) {
    gdyn_text out = {0};
    const char *at = text;
    bool good = true;
    gdyn_text_append(&out, "", 0);
    /* Copy sign by sign; sums before plain references, since both begin with '$'. */
    while (*at && good) {
        long skip = *at == '$' && !prose ? append_series(e, node, at, index, &out) : 0;
        if (*at == '$' && skip == 0 && (!prose || is_index(e, at, index)))
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

const char *gdyn_expand_text(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *index,
                             bool prose) {
    return strchr(node->text, '$') ? expand_string(e, node, node->text, index, prose) : node->text;
}

/* --- repeat: {i: 1..4, j: [1, 3]} ------------------------------------------------------------- */

static values list_of(gdyn_expansion *e, const gdyn_node *node, const gdyn_index *outer) {
    /* Each item is a whole number or a formula that gives one. */
    values v = {gdyn_arena_alloc(e->arena, (size_t)node->count, sizeof(long)), 0};
    for (int i = 0; i < node->count && v.value; i++) {
        const gdyn_node *item = node->item[i];
        if (item->kind != GDYN_NODE_SCALAR)
            gdyn_log_node(e->log, GDYN_ERROR, item, NULL,
                          GDYN_CODE_REPEAT "expected a whole number, got %s",
                          gdyn_node_kind_text(item));
        else if (whole_of(e, item, item->text, outer, &v.value[v.count]))
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
        values v = range->kind == GDYN_NODE_SEQUENCE
                       ? list_of(e, range, so_far.index[c])
                       : range_of(e, range, range->text, so_far.index[c]);
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
