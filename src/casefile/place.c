/* place.c - from a dotted path to the place in the file. */
#include "casefile/reader.h"

bool gdyn_case_locate(const gdyn_case *the_case, const char *path, const char **file, int *line,
                      int *column) {
    /* The node that the path leads to, as far as the tree goes. */
    const gdyn_node *node = gdyn_node_place(the_case->root, path);
    if (!node)
        return false;
    *file = node->source->name;
    *line = node->line;
    *column = node->column;
    return true;
}

typedef struct relay {
    gdyn_case *the_case;
    gdyn_sink inner;
} relay;

static void add_place(void *context, const gdyn_diag *diag) {
    const relay *to = context;
    gdyn_diag copy = *diag;
    /* Only diagnostics without a line get one. */
    const gdyn_node *node =
        diag->line == 0 ? gdyn_node_place(to->the_case->root, diag->path) : NULL;
    gdyn_arena *scratch = node ? gdyn_arena_create() : NULL;
    /* what the case lacks has the file for a place */
    if (!node && diag->line == 0 && !diag->file)
        copy.file = to->the_case->filename;
    if (node) {
        copy.file = node->source->name;
        copy.line = node->line;
        copy.column = node->column;
        copy.width = node->width;
        copy.source = scratch ? gdyn_document_line(node->source, node->line, scratch) : NULL;
    }
    if (to->inner.emit)
        to->inner.emit(to->inner.context, &copy);
    gdyn_arena_destroy(scratch);
}

gdyn_sink gdyn_case_sink(gdyn_case *the_case, const gdyn_sink *inner) {
    /* The sink lives as long as the case. */
    relay *context = gdyn_arena_alloc(the_case->arena, 1, sizeof *context);
    if (!context)
        return inner ? *inner : (gdyn_sink){NULL, NULL};
    context->the_case = the_case;
    if (inner)
        context->inner = *inner;
    return (gdyn_sink){add_place, context};
}
