/* index.c - the indices of `repeat` in formulas. */
#include "casefile/tree.h"

#include <string.h>

bool gdyn_index_constant(void *context, const char *name, gdyn_quantity *quantity) {
    /* The innermost index of that name. */
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
