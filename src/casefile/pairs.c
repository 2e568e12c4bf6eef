/* pairs.c - which pairs of shapes are compared: clearance: {only: [[leg*, leg*]], exclude: [[winch, mast]]}. */
#include "casefile/machine.h"
#include "casefile/values.h"

#include <string.h>

static const char help_pair[] = "write [[a, b], [leg*, ground]]: bodies, drives, ground, all";

/* The body or drive whose shape it is. */
static const char *owner_of(const gdyn_reader *r, int shape) {
    const gdyn_shape_def *def = gdyn_machine_shape(r->machine, shape);
    return def->drive >= 0              ? r->drive[def->drive]
           : def->a.body == GDYN_GROUND ? r->ground.name
                                        : r->body[def->a.body].name;
}

/* "leg2" fits leg2 and leg*; every name fits `all`, but where something bears that name itself. */
static bool fits(const char *name, const char *word) {
    size_t length = strlen(word);
    bool open = length > 0 && word[length - 1] == '*';
    return open ? strncmp(name, word, length - 1) == 0 : strcmp(name, word) == 0;
}

static bool anything_fits(const gdyn_reader *r, const char *word) {
    for (int i = 0; i < gdyn_machine_shapes(r->machine); i++)
        if (fits(owner_of(r, i), word))
            return true;
    return false;
}

/* Whether a body or drive without a shape bears this name. */
static bool known(const gdyn_reader *r, const char *word) {
    bool found = strcmp(word, r->ground.name) == 0 || gdyn_find_body(r, word) >= 0;
    for (int i = 0; i < r->drives && !found; i++)
        found = strcmp(r->drive[i], word) == 0;
    return found;
}

/* Nothing with a shape fits this word. */
static void complain(gdyn_reader *r, gdyn_node *node) {
    const char *help = NULL;
    int shapes = gdyn_machine_shapes(r->machine);
    const char **names = gdyn_reader_alloc(r, (size_t)shapes + 1, sizeof *names);
    for (int i = 0; i < shapes && names; i++)
        names[i] = owner_of(r, i);
    if (known(r, node->text))
        gdyn_read_error(r, node, "bodies and the ground state a shape, lines of drives a radius",
                        GDYN_CODE_SOLID "'%.60s' has no shape", node->text);
    else if (names && gdyn_find_name(r, node->text, names, sizeof *names, shapes, &help) < 0)
        gdyn_read_error(r, node, help, GDYN_CODE_SOLID "nothing with a shape is named '%.60s'",
                        node->text);
}

/* The word of one side: a name, the beginning of names, or all; NULL after a complaint. */
static const char *read_side(gdyn_reader *r, gdyn_node *node) {
    if (node->kind != GDYN_NODE_SCALAR) {
        gdyn_read_error(r, node, help_pair, GDYN_CODE_SHAPE "expected a name, got %s",
                        gdyn_node_kind_text(node));
        return NULL;
    }
    if (anything_fits(r, node->text))
        return node->text;
    if (strcmp(node->text, "all") == 0)
        return "*";
    /* Shapes and names that could not be read have had their message. */
    if (r->checking && gdyn_log_errors(r->log) == 0)
        complain(r, node);
    return NULL;
}

/* Shapes of one body are never compared. */
static bool of_one(const gdyn_reader *r, int i, int j) {
    const gdyn_shape_def *a = gdyn_machine_shape(r->machine, i),
                         *b = gdyn_machine_shape(r->machine, j);
    return a->drive < 0 && b->drive < 0 && a->a.body == b->a.body;
}

/* The rule for all pairs of shapes with these names; their number. */
static int add_rule(gdyn_reader *r, gdyn_pair_rule rule, const char *first, const char *second) {
    int shapes = gdyn_machine_shapes(r->machine), added = 0;
    for (int i = 0; i < shapes; i++)
        for (int j = i + 1; j < shapes; j++) {
            const char *a = owner_of(r, i), *b = owner_of(r, j);
            bool pair = (fits(a, first) && fits(b, second)) || (fits(a, second) && fits(b, first));
            gdyn_pair_def def = {rule, i, j};
            if (!pair || of_one(r, i, j))
                continue;
            added++;
            if (gdyn_machine_add_pair(r->machine, &def) < 0)
                gdyn_out_of_memory(r);
        }
    return added;
}

static void read_pair(gdyn_reader *r, gdyn_node *node, gdyn_pair_rule rule) {
    if (node->kind != GDYN_NODE_SEQUENCE || node->count != 2) {
        gdyn_read_error(r, node, help_pair, GDYN_CODE_SHAPE "expected a pair of names");
        return;
    }
    const char *first = read_side(r, node->item[0]), *second = read_side(r, node->item[1]);
    if (first && second && add_rule(r, rule, first, second) == 0)
        gdyn_read_error(r, node, "shapes of one body are not compared with each other",
                        GDYN_CODE_SOLID "no two shapes fit this pair");
}

void gdyn_read_pairs(gdyn_reader *r, const gdyn_node *machine) {
    static const char *const keys[] = {[GDYN_PAIR_ONLY] = "only",
                                       [GDYN_PAIR_INCLUDE] = "include",
                                       [GDYN_PAIR_EXCLUDE] = "exclude"};
    const gdyn_node *block = gdyn_node_get(machine, "clearance");
    for (int rule = 0; block && rule < GDYN_PAIR_RULES; rule++) {
        gdyn_node *list = gdyn_node_get(block, keys[rule]);
        if (list && (list->kind != GDYN_NODE_SEQUENCE || list->count == 0))
            gdyn_read_error(r, list, help_pair, GDYN_CODE_SHAPE "expected a list of pairs");
        else if (list)
            for (int i = 0; i < list->count; i++)
                read_pair(r, list->item[i], (gdyn_pair_rule)rule);
    }
}
