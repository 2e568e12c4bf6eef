/* tree.c - YAML events to nodes with places, within limits.
 *
 * An alias is the anchored node itself, not a copy, so that a billion laughs costs nothing here; it
 * is stopped by the node budget when the tree is written out (expand.c). */
#include "casefile/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* --- making ----------------------------------------------------------------------------------- */

bool gdyn_entries_push(gdyn_entries *list, gdyn_node *key, gdyn_node *item) {
    int keys = list->capacity;
    /* Keys and items grow together. */
    if (!gdyn_reserve(&list->key, &keys, list->count + 1, sizeof *list->key) ||
        !gdyn_reserve(&list->item, &list->capacity, list->count + 1, sizeof *list->item))
        return false;
    list->key[list->count] = key;
    list->item[list->count++] = item;
    return true;
}

bool gdyn_entries_close(gdyn_entries *list, gdyn_arena *arena, gdyn_node *node) {
    size_t count = (size_t)list->count;
    node->item = gdyn_arena_alloc(arena, count, sizeof *node->item);
    node->key = gdyn_arena_alloc(arena, count, sizeof *node->key);
    bool good = node->item && node->key;
    /* The arena gets a copy of exactly this size. */
    if (good && count > 0) {
        memcpy(node->item, list->item, count * sizeof *node->item);
        memcpy(node->key, list->key, count * sizeof *node->key);
    }
    node->count = good ? list->count : 0;
    gdyn_free(list->key), gdyn_free(list->item);
    *list = (gdyn_entries){0};
    return good;
}

static int by_text_then_place(const void *left, const void *right) {
    const gdyn_node *a = *(gdyn_node *const *)left, *b = *(gdyn_node *const *)right;
    int order = strcmp(a->text, b->text);
    if (order != 0)
        return order;
    return a->line != b->line ? a->line - b->line : a->column - b->column;
}

typedef struct anchor {
    const char *name;
    gdyn_node *node; /* NULL while the node is still open */
} anchor;

typedef struct parse {
    yaml_parser_t yaml;
    gdyn_arena *arena;
    const gdyn_document *source;
    gdyn_log *log;
    int *nodes;
    anchor *anchors;
    int anchor_count, anchor_capacity;
    bool table; /* the next scalar is the text of a table */
} parse;

static gdyn_node *parse_node(parse *p, yaml_event_t *event, int depth);

static void complain(const parse *p, yaml_mark_t mark, const char *help, const char *message) {
    gdyn_log_place(p->log, p->source, (int)mark.line + 1, (int)mark.column + 1, 1, help, "%s",
                   message);
}

static void complain_memory(const parse *p) {
    gdyn_log_place(p->log, p->source, 0, 0, 0, NULL, GDYN_CODE_MEMORY "out of memory");
    gdyn_log_lack_memory(p->log);
}

/* Line and column of a byte offset, for errors of the YAML reader, which knows no marks. */
static yaml_mark_t mark_of_offset(const gdyn_document *source, size_t offset) {
    yaml_mark_t mark = {0};
    /* Bisection over the beginnings of the lines. */
    int low = 0, high = source->lines - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (source->line_start[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    mark.line = (size_t)low;
    for (size_t i = source->line_start[low]; i < offset && i < source->length; i++)
        mark.column += ((unsigned char)source->text[i] & 0xC0) != 0x80;
    return mark;
}

/* What would help with the commonest slips. */
static const char *yaml_help(const parse *p, const char *problem) {
    const yaml_parser_t *y = &p->yaml;
    size_t line = y->problem_mark.line, column = y->problem_mark.column;
    /* libyaml's own words rarely say what to do. */
    if (strstr(problem, "tab") || ((int)line < p->source->lines && column < p->source->length &&
                                   p->source->text[p->source->line_start[line] + column] == '\t'))
        return "indent with spaces, not with tabs";
    if (strstr(problem, "mapping values are not allowed"))
        return "check the indentation, and quote a text that holds ': '";
    if (strstr(problem, "duplicate"))
        return "one case is one document: remove the second one";
    if (y->context && y->context_mark.line != y->problem_mark.line)
        return gdyn_log_help(p->log, "%s that starts in line %d", y->context,
                             (int)y->context_mark.line + 1);
    return y->context;
}

static void complain_yaml(const parse *p) {
    const yaml_parser_t *y = &p->yaml;
    const char *problem = y->problem ? y->problem : "not readable";
    /* Lack of memory has no place in the file. */
    if (y->error == YAML_MEMORY_ERROR) {
        complain_memory(p);
        return;
    }
    /* Errors of the encoding are given by offset. */
    yaml_mark_t mark = y->error == YAML_READER_ERROR ? mark_of_offset(p->source, y->problem_offset)
                                                     : y->problem_mark;
    const char *help =
        y->error == YAML_READER_ERROR ? "a case file is UTF-8 text" : yaml_help(p, problem);
    char message[300];
    snprintf(message, sizeof message, GDYN_CODE_YAML "not valid YAML: %s", problem);
    complain(p, mark, help, message);
}

static bool next_event(parse *p, yaml_event_t *event) {
    if (yaml_parser_parse(&p->yaml, event))
        return true;
    complain_yaml(p);
    return false;
}

static gdyn_node *new_node(parse *p, gdyn_node_kind kind, const yaml_event_t *event) {
    /* The budget counts all files of the case. */
    if (++*p->nodes > GDYN_LIMIT_NODES) {
        complain(p, event->start_mark, NULL, GDYN_CODE_LIMIT "the file has too many entries");
        return NULL;
    }
    gdyn_node *node = gdyn_arena_alloc(p->arena, 1, sizeof *node);
    if (!node) {
        complain_memory(p);
        return NULL;
    }
    /* Where the entry stands, and how wide it is within its line. */
    node->kind = kind, node->source = p->source;
    node->line = (int)event->start_mark.line + 1;
    node->column = (int)event->start_mark.column + 1;
    node->width = 1;
    if (event->end_mark.line == event->start_mark.line &&
        event->end_mark.column > event->start_mark.column)
        node->width = (int)(event->end_mark.column - event->start_mark.column);
    return node;
}

/* --- anchors ---------------------------------------------------------------------------------- */

/* Returns the anchor's number, or -1 without memory. */
static int open_anchor(parse *p, const yaml_char_t *name) {
    if (!gdyn_reserve(&p->anchors, &p->anchor_capacity, p->anchor_count + 1, sizeof *p->anchors)) {
        complain_memory(p);
        return -1;
    }
    char *copy = gdyn_arena_strdup(p->arena, (const char *)name);
    if (!copy) {
        complain_memory(p);
        return -1;
    }
    p->anchors[p->anchor_count] = (anchor){copy, NULL};
    return p->anchor_count++;
}

static gdyn_node *alias(const parse *p, const yaml_event_t *event) {
    const char *name = (const char *)event->data.alias.anchor;
    /* The last anchor of that name counts. */
    for (int i = p->anchor_count - 1; i >= 0; i--)
        if (strcmp(p->anchors[i].name, name) == 0) {
            if (!p->anchors[i].node)
                complain(p, event->start_mark, NULL,
                         GDYN_CODE_YAML "an alias inside of its own anchor");
            return p->anchors[i].node;
        }
    complain(p, event->start_mark, "an anchor '&name' must precede its alias '*name'",
             GDYN_CODE_YAML "unknown alias");
    return NULL;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static gdyn_node *parse_scalar(parse *p, const yaml_event_t *event) {
    gdyn_node *node = new_node(p, GDYN_NODE_SCALAR, event);
    if (!node)
        return NULL;
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    /* Tables may be long; everything else has a limit. */
    size_t most = p->table ? GDYN_LIMIT_BYTES : GDYN_LIMIT_SCALAR;
    if (length > most || memchr(value, '\0', length)) {
        complain(p, event->start_mark, NULL,
                 length > most ? GDYN_CODE_LIMIT "this text is too long"
                               : GDYN_CODE_YAML "a text must not contain a zero byte");
        return NULL;
    }
    node->text = gdyn_arena_strndup(p->arena, value, length);
    if (!node->text) {
        complain_memory(p);
        return NULL;
    }
    return node;
}

/* Reads entries up to the closing event; keys alternate with values in a mapping. */
static bool parse_entries(parse *p, gdyn_node *node, gdyn_entries *list, int depth) {
    bool mapping = node->kind == GDYN_NODE_MAPPING;
    yaml_event_type_t last = mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    gdyn_node *key = NULL;
    /* Event by event until the collection ends. */
    for (;;) {
        yaml_event_t event;
        if (!next_event(p, &event))
            return false;
        if (event.type == last) {
            yaml_event_delete(&event);
            return true;
        }
        /* The value of `data` is a table. */
        p->table = key && strcmp(key->text, "data") == 0 && event.type == YAML_SCALAR_EVENT;
        gdyn_node *child = parse_node(p, &event, depth + 1);
        p->table = false;
        if (!child)
            return false;
        /* First the key, then its value. */
        if (mapping && !key) {
            if (child->kind != GDYN_NODE_SCALAR)
                return gdyn_log_node(p->log, GDYN_ERROR, child, NULL,
                                     GDYN_CODE_YAML "a key must be a plain word");
            key = child;
            continue;
        }
        if (!gdyn_entries_push(list, key, child)) {
            complain_memory(p);
            return false;
        }
        key = NULL;
    }
}

static gdyn_node *parse_collection(parse *p, gdyn_node_kind kind, const yaml_event_t *event,
                                   int depth) {
    gdyn_node *node = new_node(p, kind, event);
    if (!node)
        return NULL;
    /* Deep nesting would overflow the stack of other readers. */
    if (depth >= GDYN_LIMIT_DEPTH) {
        complain(p, event->start_mark, NULL, GDYN_CODE_LIMIT "nested too deeply");
        return NULL;
    }
    gdyn_entries list = {0};
    bool good = parse_entries(p, node, &list, depth);
    if (!gdyn_entries_close(&list, p->arena, node) && good) {
        complain_memory(p);
        good = false;
    }
    if (good && kind == GDYN_NODE_MAPPING) {
        /* Keys that stand a second time: sorted by text, then by place, they are neighbours. */
        size_t count = (size_t)node->count;
        gdyn_node **sorted = gdyn_alloc(count + 1, sizeof *sorted);
        if (sorted && count > 0) {
            memcpy(sorted, node->key, count * sizeof *sorted);
            qsort(sorted, count, sizeof *sorted, by_text_then_place);
        }
        for (int i = 1; i < node->count && sorted; i++)
            if (strcmp(sorted[i - 1]->text, sorted[i]->text) == 0)
                gdyn_log_node(
                    p->log, GDYN_ERROR, sorted[i],
                    gdyn_log_help(p->log, "the first one is in line %d", sorted[i - 1]->line),
                    GDYN_CODE_TWICE "key '%.60s' occurs twice", sorted[i]->text);
        if (!sorted)
            complain_memory(p);
        gdyn_free(sorted);
        good = sorted != NULL;
    }
    return good ? node : NULL;
}

/* Node that starts with the event (which is deleted here); NULL on error. */
static gdyn_node *parse_node(parse *p, yaml_event_t *event, int depth) {
    gdyn_node *node = NULL;
    int number = -1;
    /* The anchor is open while its node is read, so that it cannot contain itself. */
    bool node_event = event->type == YAML_SCALAR_EVENT ||
                      event->type == YAML_SEQUENCE_START_EVENT ||
                      event->type == YAML_MAPPING_START_EVENT;
    /* all three have their anchor and tag in the same place of the union */
    const yaml_char_t *name = node_event ? event->data.scalar.anchor : NULL;
    if (name && (number = open_anchor(p, name)) < 0) {
        yaml_event_delete(event);
        return NULL;
    }
    /* Tags are not used: types come from the format. */
    if (node_event && event->data.scalar.tag)
        complain(p, event->start_mark, "types come from the format: omit the tag",
                 GDYN_CODE_YAML "YAML tags are not used in case files");
    if (event->type == YAML_SCALAR_EVENT)
        node = parse_scalar(p, event);
    else if (event->type == YAML_SEQUENCE_START_EVENT)
        node = parse_collection(p, GDYN_NODE_SEQUENCE, event, depth);
    else if (event->type == YAML_MAPPING_START_EVENT)
        node = parse_collection(p, GDYN_NODE_MAPPING, event, depth);
    else if (event->type == YAML_ALIAS_EVENT)
        node = alias(p, event);
    yaml_event_delete(event);
    /* From here on aliases may refer to it. */
    if (number >= 0)
        p->anchors[number].node = node;
    return node;
}

/* --- the document ----------------------------------------------------------------------------- */

/* One document, and nothing after it. */
static gdyn_node *parse_stream(parse *p) {
    gdyn_node *root = NULL;
    for (;;) {
        yaml_event_t event;
        if (!next_event(p, &event))
            return NULL;
        /* Exactly one document. */
        switch (event.type) {
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT:
            break;
        case YAML_DOCUMENT_START_EVENT:
            if (root) {
                complain(p, event.start_mark, "one case is one file with one document",
                         GDYN_CODE_YAML "a second document begins here");
                yaml_event_delete(&event);
                return NULL;
            }
            break;
        case YAML_STREAM_END_EVENT:
            if (!root)
                root = new_node(p, GDYN_NODE_MAPPING, &event);
            yaml_event_delete(&event);
            return root;
        default:
            if (!(root = parse_node(p, &event, 0)))
                return NULL;
            continue;
        }
        yaml_event_delete(&event);
    }
}

gdyn_node *gdyn_tree_parse(gdyn_arena *arena, const gdyn_document *source, gdyn_log *log,
                           int *nodes) {
    parse p = {.arena = arena, .source = source, .log = log, .nodes = nodes};
    if (!yaml_parser_initialize(&p.yaml)) {
        complain_memory(&p);
        return NULL;
    }
    /* UTF-8 regardless of the first bytes look like. */
    yaml_parser_set_encoding(&p.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&p.yaml, (const unsigned char *)source->text, source->length);
    gdyn_node *root = parse_stream(&p);
    yaml_parser_delete(&p.yaml);
    gdyn_free(p.anchors);
    return root;
}
