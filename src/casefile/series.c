/* series.c - sums and products over numbered names: $sum(i, 2..30, x$i^2).
 *
 * They are written out before the formula is read: "((x2^2) + (x3^2) + ...)"; inside of the term $i is
 * the number in names, and i the number in formulas. A sum of nothing is 0, a product of nothing 1. */
#include "casefile/expand.h"
#include "base/text.h"

#include <string.h>

enum { MOST_INDICES = 16 };

/* Length up to the comma or parenthesis that ends an argument; 0 at the end of the text. */
static size_t argument(const char *text) {
    int depth = 0;
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

/* One term with its index put in; false after a complaint. */
static bool append_term(gdyn_expansion *e, const gdyn_node *node, const char *term,
                        const gdyn_index *index, gdyn_text *out) {
    gdyn_index inner = {index->name, index->value, NULL};
    const char *text = gdyn_expand_string(e, node, term, index);
    if (!text)
        return false;
    gdyn_text_append(out, "(", 1);
    gdyn_index_replace(&inner, text, out);
    gdyn_text_append(out, ")", 1);
    return true;
}

static bool append_terms(gdyn_expansion *e, const gdyn_node *node, const char *name,
                         const gdyn_values *range, const char *term, const gdyn_index *outer,
                         bool product, gdyn_text *out) {
    if (range->count == 0)
        gdyn_text_append(out, product ? "1" : "0", 1);
    for (int i = 0; i < range->count; i++) {
        gdyn_index index = {name, range->value[i], outer};
        if (i > 0)
            gdyn_text_append(out, product ? "*" : " + ", product ? 1 : 3);
        if (!append_term(e, node, term, &index, out))
            return false;
        if (out->length > GDYN_LIMIT_SCALAR) {
            gdyn_log_node(e->log, GDYN_ERROR, node, NULL, "written out, this text is too long");
            return false;
        }
    }
    return true;
}

long gdyn_expand_series(gdyn_expansion *e, const gdyn_node *node, const char *at,
                        const gdyn_index *index, gdyn_text *out) {
    bool product = strncmp(at, "$prod(", 6) == 0;
    if (!product && strncmp(at, "$sum(", 5) != 0)
        return 0;
    const char *text[3], *rest = strchr(at, '(');
    for (int k = 0; k < 3; k++) {
        size_t length = argument(++rest);
        text[k] = trimmed(e, rest, length);
        rest += length;
        if (!text[k] || length == 0 || *rest != (k < 2 ? ',' : ')') || !text[k][0]) {
            gdyn_log_node(e->log, GDYN_ERROR, node, "write $sum(i, 1..4, x$i)",
                          "a sum has an index, a range and a term");
            return -1;
        }
    }
    int depth = 0;
    for (const gdyn_index *i = index; i; i = i->outer)
        depth++;
    if (depth > MOST_INDICES) {
        gdyn_log_node(e->log, GDYN_ERROR, node, NULL, "nested too deeply");
        return -1;
    }
    gdyn_quantity taken;
    if (!gdyn_index_name(text[0]) || gdyn_index_constant((void *)index, text[0], &taken)) {
        gdyn_log_node(e->log, GDYN_ERROR, node, "take another letter",
                      "'%.60s' cannot be the index of a sum here", text[0]);
        return -1;
    }
    int before = gdyn_log_errors(e->log);
    gdyn_values range = gdyn_expand_range(e, node, text[1], index);
    if (gdyn_log_errors(e->log) > before)
        return -1;
    gdyn_text_append(out, "(", 1);
    if (!append_terms(e, node, text[0], &range, text[2], index, product, out))
        return -1;
    gdyn_text_append(out, ")", 1);
    return (long)(rest + 1 - at);
}
