/* reader.c - shared by the readers of all sections: complaints, memory, owned formulas,
 * parameters by name. */
#include "casefile/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gdyn_read_error(gdyn_reader *r, gdyn_node *node, const char *help, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    /* One complaint for each entry: later ones mostly follow from it. */
    if (node && node->bad && r->checking)
        return;
    gdyn_log_node(r->log, GDYN_ERROR, node, help, "%s", message);
    /* A bad entry is passed over by all other readers. */
    if (node && r->checking)
        node->bad = true;
}

/* "expected a point, got a list"; false. */
static bool complain_form(gdyn_reader *r, gdyn_node *node, const char *help, const char *what) {
    gdyn_read_error(r, node, help, GDYN_CODE_SHAPE "expected %s, got %s", what,
                    gdyn_node_kind_text(node));
    return false;
}

bool gdyn_expect(gdyn_reader *r, gdyn_node *node, gdyn_node_kind kind, const char *help,
                 const char *what) {
    return node->kind == kind || complain_form(r, node, help, what);
}

bool gdyn_expect_text(gdyn_reader *r, gdyn_node *node, const char *help, const char *what) {
    return (node->kind == GDYN_NODE_SCALAR && node->text[0] != '\0') ||
           complain_form(r, node, help, what);
}

bool gdyn_expect_items(gdyn_reader *r, gdyn_node *node, int count, const char *help,
                       const char *complaint) {
    if (node->kind == GDYN_NODE_SEQUENCE && (count > 0 ? node->count == count : node->count > 0))
        return true;
    gdyn_read_error(r, node, help, GDYN_CODE_SHAPE "%s", complaint);
    return false;
}

bool gdyn_expect_keys(gdyn_reader *r, const gdyn_node *node, const char *const *keys,
                      const char *where, const char *help) {
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        gdyn_node *key = node->key[i];
        if (gdyn_word_number(keys, key->text) >= 0)
            continue;
        gdyn_read_error(
            r, key, help ? help : gdyn_log_suggest(r->log, key->text, keys, gdyn_word_count(keys)),
            GDYN_CODE_KEY "unknown key '%.60s' in %s", key->text, where);
        good = false;
    }
    return good;
}

bool gdyn_expect_machine(gdyn_reader *r, const gdyn_node *root, gdyn_node *node, const char *what) {
    if (!r->machine && r->checking && !gdyn_node_find(root, "machine"))
        gdyn_read_error(r, node, NULL, GDYN_CODE_MISSING "%s a machine", what);
    return r->machine != NULL;
}

void gdyn_out_of_memory(gdyn_reader *r) {
    gdyn_log_node(r->log, GDYN_ERROR, NULL, NULL, GDYN_CODE_MEMORY "out of memory");
    gdyn_log_lack_memory(r->log);
}

void *gdyn_reader_alloc(gdyn_reader *r, size_t count, size_t size) {
    void *block = gdyn_arena_alloc(r->arena, count, size);
    if (!block)
        gdyn_out_of_memory(r);
    return block;
}

/* Adds an expression to a list; frees it without memory. */
static gdyn_expr *own(gdyn_reader *r, gdyn_expr *expr, gdyn_expr ***list, int *count,
                      int *capacity) {
    /* Formulas are freed with their owner. */
    if (!gdyn_reserve(list, capacity, *count + 1, sizeof **list)) {
        gdyn_out_of_memory(r);
        gdyn_expr_destroy(expr);
        return NULL;
    }
    return (*list)[(*count)++] = expr;
}

gdyn_expr *gdyn_case_own(gdyn_reader *r, gdyn_expr *expr) {
    gdyn_case *c = r->the_case;
    return own(r, expr, &c->expr, &c->expr_count, &c->expr_capacity);
}

const gdyn_expr *gdyn_instance_own(gdyn_reader *r, gdyn_expr *expr) {
    gdyn_instance *in = r->instance;
    return own(r, expr, &in->owned_expr, &in->owned_expr_count, &r->expr_capacity);
}

int gdyn_find_parameter(const gdyn_case *the_case, const char *name) {
    const gdyn_parameters *p = &the_case->parameters;
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->name[i], name) == 0)
            return i;
    return -1;
}

const char *gdyn_name_of_file(gdyn_arena *arena, const char *filename) {
    /* Without folder and ending. */
    const char *slash = strrchr(filename, '/'), *start = slash ? slash + 1 : filename;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    return gdyn_arena_strndup(arena, start, length);
}

const char *gdyn_place_text(gdyn_reader *r, const gdyn_node *node) {
    const char *file = node->source->name, *slash = strrchr(file, '/');
    return gdyn_arena_printf(r->arena, "%s:%d", slash ? slash + 1 : file, node->line);
}
