/* log.c - nodes by key and by path; diagnostics collected in one run: placed, without repetition,
 * in the order of the file. */
#include "casefile/tree.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- looking nodes up ------------------------------------------------------------------------- */

int gdyn_node_index(const gdyn_node *mapping, const char *key) {
    for (int i = 0; i < mapping->count; i++) {
        const char *text = mapping->key[i]->text;
        /* Most keys differ in their first letter. */
        if (text[0] == key[0] && strcmp(text, key) == 0)
            return i;
    }
    return -1;
}

gdyn_node *gdyn_node_find(const gdyn_node *node, const char *key) {
    /* Anything but a mapping has no keys. */
    int i = node && node->kind == GDYN_NODE_MAPPING ? gdyn_node_index(node, key) : -1;
    return i < 0 ? NULL : node->item[i];
}

void gdyn_node_remove(gdyn_node *mapping, int i) {
    size_t behind = (size_t)(--mapping->count - i);
    memmove(mapping->key + i, mapping->key + i + 1, behind * sizeof *mapping->key);
    memmove(mapping->item + i, mapping->item + i + 1, behind * sizeof *mapping->item);
}

const gdyn_node *gdyn_node_with(const gdyn_node *node, const char *key, int depth) {
    enum { DEPTH = 5 };
    const gdyn_node *found = gdyn_node_find(node, key) ? node : NULL;
    for (int i = 0; node && i < node->count && depth < DEPTH && !found; i++)
        found = gdyn_node_with(node->item[i], key, depth + 1);
    return found;
}

gdyn_node *gdyn_node_get(const gdyn_node *node, const char *key) {
    /* Bad entries were complained about: they count as missing. */
    gdyn_node *found = gdyn_node_find(node, key);
    return found && !found->bad ? found : NULL;
}

gdyn_node *gdyn_node_map(const gdyn_node *node, const char *key) {
    gdyn_node *found = gdyn_node_get(node, key);
    return found && found->kind == GDYN_NODE_MAPPING ? found : NULL;
}

gdyn_node *const *gdyn_node_items(gdyn_node *const *node, int *count) {
    bool list = *node && (*node)->kind == GDYN_NODE_SEQUENCE;
    *count = list ? (*node)->count : *node != NULL;
    return list ? (*node)->item : node;
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

static int place_in(const gdyn_node *container, const gdyn_node *node) {
    for (int i = 0; i < container->count; i++)
        if (container->item[i] == node || container->key[i] == node)
            return i;
    return -1;
}

/* Dotted path of the node: "machine.bodies.rod1.mass". */
static const char *node_path(gdyn_arena *arena, const gdyn_node *node) {
    /* The root has no path. */
    if (!node || !node->parent)
        return gdyn_arena_strdup(arena, "");
    const char *front = node_path(arena, node->parent);
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

/* Looks a dotted path up from the root; *depth: how many of its *parts were found. */
static const gdyn_node *locate(const gdyn_node *root, const char *path, int *depth, int *parts) {
    const gdyn_node *node = root;
    bool lost = false;
    *depth = *parts = 0;
    /* Part by part, as far as the tree has them. */
    while (*path) {
        /* a name up to the next dot or bracket; an index keeps its bracket */
        char part[128];
        size_t length = path[0] == '[' ? strcspn(path, "]") + 1 : strcspn(path, ".[");
        length = length < strlen(path) ? length : strlen(path);
        snprintf(part, sizeof part, "%.*s", (int)(length < 127 ? length : 127), path);
        path += length + (path[length] == '.');
        (*parts)++;
        if (lost)
            continue;
        const gdyn_node *next = NULL;
        /* [index] of a list. */
        if (part[0] == '[') {
            long index = strtol(part + 1, NULL, 10);
            if (node->kind == GDYN_NODE_SEQUENCE && index >= 0 && index < node->count)
                next = node->item[index];
        } else {
            next = gdyn_node_find(node, part);
            for (size_t i = 0; !next && i < sizeof synonyms / sizeof *synonyms; i++)
                if (strcmp(part, synonyms[i][0]) == 0)
                    next = gdyn_node_find(node, synonyms[i][1]);
        }
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

/* --- diagnostics ------------------------------------------------------------------------------ */

typedef struct entry {
    gdyn_diag diag;
    const gdyn_document *source;
    int order;
} entry;

struct gdyn_log {
    gdyn_arena *arena;
    entry *item;
    int count, capacity;
    int errors, dropped;
    bool out_of_memory;
};

gdyn_log *gdyn_log_create(void) {
    gdyn_log *log = gdyn_alloc(1, sizeof *log);
    if (log && !(log->arena = gdyn_arena_create())) {
        gdyn_free(log);
        return NULL;
    }
    return log;
}

void gdyn_log_destroy(gdyn_log *log) {
    if (!log)
        return;
    gdyn_arena_destroy(log->arena);
    gdyn_free(log->item), gdyn_free(log);
}

int gdyn_log_errors(const gdyn_log *log) {
    return log->errors;
}

bool gdyn_log_errors_below(const gdyn_log *log, const char *top) {
    size_t length = strlen(top);
    /* Paths tell which section an error belongs to. */
    for (int i = 0; i < log->count; i++)
        if (log->item[i].diag.severity == GDYN_ERROR &&
            strncmp(log->item[i].diag.path, top, length) == 0)
            return true;
    return log->dropped > 0;
}

void gdyn_log_lack_memory(gdyn_log *log) {
    gdyn_memory_refuse();
    log->out_of_memory = true;
}

bool gdyn_log_out_of_memory(const gdyn_log *log) {
    return log->out_of_memory;
}

const char *gdyn_log_help(gdyn_log *log, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gdyn_arena_strdup(log->arena, text);
}

const char *gdyn_log_list(gdyn_log *log, const char *front, const char *const *words, int count,
                          const char *last) {
    char text[400] = "";
    size_t length = 0;
    for (int i = 0; i < count; i++)
        if (length + strlen(words[i]) + 5 < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       i == 0          ? ""
                                       : i + 1 < count ? ", "
                                                       : last,
                                       words[i]);
    return gdyn_log_help(log, "%s%s", front, text);
}

const char *gdyn_log_suggest(gdyn_log *log, const char *word, const char *const *words, int count) {
    /* A word of this length is no misspelt name. */
    if (strlen(word) > 64)
        return NULL;
    const char *nearest = gdyn_text_nearest(word, words, count);
    return nearest ? gdyn_log_help(log, "did you mean '%s'?", nearest) : NULL;
}

/* Copy of a text with blanks for control characters: names of the file may hold any of them. */
static const char *one_line(gdyn_arena *arena, const char *text) {
    char *copy = gdyn_arena_strdup(arena, text);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    return copy;
}

/* Keeps a diagnostic; its texts are copied. */
static void keep(gdyn_log *log, gdyn_diag diag, const gdyn_document *source, bool repeated) {
    /* All errors count, even those that are not shown. */
    if (diag.severity == GDYN_ERROR)
        log->errors++;
    /* Has this place been complained about in the same words (inside of repeat: in any)? The
     * latest are compared first: repetitions follow each other. */
    for (int i = log->count - 1; i >= 0; i--) {
        const entry *e = &log->item[i];
        if (e->source == source && e->diag.line == diag.line && e->diag.column == diag.column &&
            e->diag.severity == diag.severity &&
            ((diag.line > 0 && repeated) || strcmp(e->diag.message, diag.message) == 0))
            return;
    }
    /* A file that is no case at all must not fill the screen. */
    if (log->count >= GDYN_LIMIT_ERRORS) {
        log->dropped++;
        return;
    }
    if (!gdyn_reserve(&log->item, &log->capacity, log->count + 1, sizeof *log->item)) {
        log->out_of_memory = true;
        return;
    }
    /* Texts of callers are copied: they may lie on their stack. */
    diag.path = one_line(log->arena, diag.path ? diag.path : "");
    diag.message = one_line(log->arena, diag.message);
    if (diag.help)
        diag.help = one_line(log->arena, diag.help);
    /* The line of the source, to show below the message. */
    if (source) {
        diag.file = source->name;
        diag.source = gdyn_document_line(source, diag.line, log->arena);
    }
    if (!diag.path || !diag.message) {
        log->out_of_memory = true;
        return;
    }
    log->item[log->count] = (entry){diag, source, log->count};
    log->count++;
}

static void place_at(gdyn_diag *diag, const gdyn_node *node) {
    diag->line = node->line, diag->column = node->column, diag->width = node->width;
}

/* A message with the path of its node (NULL: none), at the node unless it has a place. */
static void say(gdyn_log *log, gdyn_diag diag, const gdyn_document *source, const gdyn_node *node,
                const char *format, va_list args) {
    char message[1024];
    vsnprintf(message, sizeof message, format, args);
    gdyn_diag_say(&diag, message);
    if (node && diag.line == 0)
        place_at(&diag, node);
    if (node)
        diag.path = node_path(log->arena, node);
    keep(log, diag, source, node && node->index);
}

bool gdyn_log_node(gdyn_log *log, gdyn_severity severity, const gdyn_node *node, const char *help,
                   const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(log, (gdyn_diag){.severity = severity, .help = help}, node ? node->source : NULL, node,
        format, args);
    va_end(args);
    return false;
}

/* Characters (not bytes) in the first `bytes` of a text. */
static int characters(const char *text, int bytes) {
    int count = 0;
    for (int i = 0; i < bytes && text[i]; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* True when the scalar's text stands in its source line letter by letter, behind *quote quotes. */
static bool verbatim(const gdyn_node *node, int *quote) {
    const gdyn_document *source = node->source;
    if (!source || node->line < 1 || node->line > source->lines)
        return false;
    /* The column counts characters, not bytes. */
    const char *at = source->text + source->line_start[node->line - 1];
    for (int column = 1; column < node->column && *at; column++) {
        at++;
        while (((unsigned char)*at & 0xC0) == 0x80)
            at++;
    }
    *quote = *at == '"' || *at == '\'';
    return strncmp(at + *quote, node->text, strlen(node->text)) == 0;
}

bool gdyn_log_inside(gdyn_log *log, const gdyn_node *node, int offset, int width, const char *help,
                     const char *format, ...) {
    gdyn_diag diag = {.severity = GDYN_ERROR, .help = help};
    place_at(&diag, node);
    int quote = 0, length = (int)strlen(node->text);
    /* Inside of a formula the place is exact if the text stands there as it is. */
    if (offset >= 0 && offset <= length && verbatim(node, &quote)) {
        int end = width > 0 && width <= length - offset ? offset + width : length;
        diag.column += quote + characters(node->text, offset);
        diag.width = characters(node->text + offset, end - offset);
        if (diag.width < 1)
            diag.width = 1;
    }
    va_list args;
    va_start(args, format);
    say(log, diag, node->source, node, format, args);
    va_end(args);
    return false;
}

void gdyn_log_place(gdyn_log *log, const gdyn_document *source, int line, int column, int width,
                    const char *help, const char *format, ...) {
    gdyn_diag diag = {
        .severity = GDYN_ERROR, .help = help, .line = line, .column = column, .width = width};
    va_list args;
    va_start(args, format);
    say(log, diag, source, NULL, format, args);
    va_end(args);
}

void gdyn_log_pass(gdyn_log *log, const gdyn_diag *diag, const gdyn_node *node) {
    /* a place of its own is kept, else it is the node's */
    gdyn_diag copy = *diag;
    if (node && copy.line == 0)
        place_at(&copy, node);
    keep(log, copy, node && diag->line == 0 ? node->source : NULL, node && node->index);
}

/* Order of two messages: files by their first message, then line and column. */
static int in_order(const void *left, const void *right) {
    const entry *a = left, *b = right;
    if (a->source != b->source)
        return a->order - b->order;
    if (a->diag.line != b->diag.line)
        return a->diag.line - b->diag.line;
    return a->diag.column != b->diag.column ? a->diag.column - b->diag.column : a->order - b->order;
}

void gdyn_log_flush(gdyn_log *log, const gdyn_sink *sink) {
    /* Files stay together, in the order of their first message. */
    for (int i = 0; i < log->count; i++)
        for (int j = 0; j < i; j++)
            if (log->item[j].source == log->item[i].source) {
                log->item[i].order = log->item[j].order;
                break;
            }
    if (log->count > 1)
        qsort(log->item, (size_t)log->count, sizeof *log->item, in_order);
    /* shown in order, then forgotten */
    for (int i = 0; i < log->count && sink && sink->emit; i++)
        sink->emit(sink->context, &log->item[i].diag);
    if (log->dropped > 0)
        gdyn_diag_emit(sink, GDYN_NOTE, "", NULL, GDYN_CODE_LIMIT "%d more messages are not shown",
                       log->dropped);
    log->count = log->errors = log->dropped = 0;
}
