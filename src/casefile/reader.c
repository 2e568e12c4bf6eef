/* reader.c - shared by the readers of all sections: complaints, memory, owned formulas, parameters by name. */
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
