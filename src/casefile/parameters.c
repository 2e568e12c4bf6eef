/* parameters.c - named values that refer to each other in any order.
 *
 * The formulas are ordered by a depth-first walk with its own stack: compiling one asks for the
 * names in it; the first that has no value yet is settled before. Then each is compiled again
 * over all parameters as open variables, so that new values cost one evaluation each. */
#include "casefile/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PARAMETERS = 5000 };

typedef enum progress { UNTOUCHED, OPEN, DONE, FAILED } progress;

typedef struct walk {
    gdyn_reader *reader;
    gdyn_parameters *p;
    progress *state;
    int *stack; /* parameters being resolved */
    int depth, ordered;
    const gdyn_index *index; /* of the parameter whose formula is being compiled */
    int blocked;             /* parameter it waits for, or -1 */
} walk;

/* --- the list --------------------------------------------------------------------------------- */

/* The scalar with the formula: the entry itself, or its `value`. */
static gdyn_node *formula_of(gdyn_reader *r, gdyn_node *entry) {
    /* A plain value, or a mapping with its description. */
    if (entry->kind == GDYN_NODE_SCALAR)
        return entry;
    gdyn_node *value = gdyn_node_find(entry, "value");
    if (entry->kind != GDYN_NODE_MAPPING || !value) {
        gdyn_read_error(r, entry, "write NAME: value, or NAME: {value: ..., about: ...}",
                        GDYN_CODE_SHAPE "expected a value, got %s", gdyn_node_kind_text(entry));
        return NULL;
    }
    static const char *const keys[] = {"value", "about", "tolerance", "between", NULL};
    gdyn_expect_keys(r, entry, keys, "parameter", NULL);
    return value;
}

static bool name_good(gdyn_reader *r, gdyn_node *key) {
    const char *name = key->text;
    if (key->bad)
        return false;
    /* What the grammar of formulas allows. */
    if (!gdyn_name_allowed(name, true))
        return gdyn_read_error(r, key, "a letter, then letters, digits and '_'",
                               GDYN_CODE_NAME "'%.60s' cannot name a parameter", name);
    static const char *const taken[] = {"e", "p", "t", NULL};
    if (gdyn_name_reserved(name) || gdyn_word_number(taken, name) >= 0)
        return gdyn_read_error(r, key, "choose another name",
                               GDYN_CODE_NAME "'%s' already has a meaning in formulas", name);
    return true;
}

static void add(gdyn_parameters *p, const char *name, gdyn_node *node) {
    p->name[p->count] = name;
    p->node[p->count++] = node;
}

static bool make_room(gdyn_reader *r, int capacity) {
    /* One entry per parameter and design variable. */
    gdyn_parameters *p = &r->the_case->parameters;
    gdyn_arena *arena = r->the_case->arena;
    size_t n = (size_t)capacity;
    p->name = gdyn_arena_alloc(arena, n, sizeof *p->name);
    p->node = gdyn_arena_alloc(arena, n, sizeof *p->node);
    p->value = gdyn_arena_alloc(arena, n, sizeof *p->value);
    p->dimension = gdyn_arena_alloc(arena, n, sizeof *p->dimension);
    p->expr = gdyn_arena_alloc(arena, n, sizeof *p->expr);
    p->order = gdyn_arena_alloc(arena, n, sizeof *p->order);
    p->moves = gdyn_arena_alloc(arena, n, sizeof *p->moves);
    if (gdyn_arena_failed(arena))
        gdyn_out_of_memory(r);
    return !gdyn_arena_failed(arena);
}

/* Design variables that are no parameters: with a machine they would move nothing, but the name
 * of a table of choices is its own; without one they become parameters. */
static void collect_designed(gdyn_reader *r, const gdyn_node *design, bool analytic) {
    gdyn_parameters *p = &r->the_case->parameters;
    for (int i = 0; i < design->count; i++) {
        gdyn_node *key = design->key[i];
        bool found = gdyn_find_parameter(r->the_case, key->text) >= 0;
        /* the choices of a table are its rows */
        bool table = gdyn_node_map(design->item[i], "choices") != NULL;
        if (!analytic && !table && !key->bad && !found)
            gdyn_read_error(r, key, gdyn_log_suggest(r->log, key->text, p->name, p->listed),
                            GDYN_CODE_UNKNOWN "design variable '%.60s' is not a parameter",
                            key->text);
        if (table && name_good(r, key) && found)
            gdyn_read_error(r, key, "rename one of them",
                            GDYN_CODE_TWICE "'%.60s' is a parameter and a table of choices",
                            key->text);
        else if (!table && !found && name_good(r, key))
            add(p, key->text, NULL);
    }
}

/* Parameters of the file, then design variables that are no parameters. */
static void collect(gdyn_reader *r, gdyn_node *root) {
    gdyn_parameters *p = &r->the_case->parameters;
    gdyn_node *list = gdyn_node_get(root, "parameters"), *design = gdyn_node_map(root, "design");
    /* `parameters` must be a mapping or empty. */
    if (list && list->kind != GDYN_NODE_MAPPING &&
        (list->kind == GDYN_NODE_SEQUENCE || list->text[0]))
        gdyn_read_error(r, list, "write parameters: {NAME: value}",
                        GDYN_CODE_SHAPE "expected named values under 'parameters', got %s",
                        gdyn_node_kind_text(list));
    /* Lengths of both lists decide how much room is needed. */
    int listed = list && list->kind == GDYN_NODE_MAPPING ? list->count : 0;
    int designed = design ? design->count : 0;
    if (listed + designed > MOST_PARAMETERS) {
        gdyn_read_error(r, listed > designed ? list : design, NULL,
                        GDYN_CODE_LIMIT "more than %d parameters", MOST_PARAMETERS);
        return;
    }
    if (!make_room(r, listed + designed))
        return;
    /* Each name once: repeated keys were reported by the tree. */
    for (int i = 0; i < listed; i++)
        if (name_good(r, list->key[i]) && gdyn_find_parameter(r->the_case, list->key[i]->text) < 0)
            add(p, list->key[i]->text, formula_of(r, list->item[i]));
    p->listed = p->count;
    if (designed > 0)
        collect_designed(r, design, !gdyn_node_find(root, "machine"));
}

/* --- order ------------------------------------------------------------------------------------ */

static void complain_cycle(walk *w, int i) {
    /* Show the circle from where it begins. */
    gdyn_text text = {0};
    int first = 0;
    while (first < w->depth - 1 && w->stack[first] != i)
        first++;
    for (int k = first; k < w->depth && k < first + 10; k++)
        gdyn_text_printf(&text, "%s -> ", w->p->name[w->stack[k]]);
    gdyn_text_printf(&text, "%s", w->p->name[i]);
    gdyn_read_error(w->reader, w->p->node[w->stack[first]], NULL,
                    GDYN_CODE_CIRCLE "parameters refer to each other in a circle: %s",
                    text.data ? text.data : "");
    gdyn_text_free(&text);
}

/* Answers a name in a formula; notes the parameter that has to be settled before. */
static bool ask(void *context, const char *name, gdyn_quantity *quantity) {
    walk *w = context;
    /* An index of repeat, or a parameter. */
    if (gdyn_index_constant((void *)w->index, name, quantity))
        return true;
    int i = gdyn_find_parameter(w->reader->the_case, name);
    if (i < 0)
        return false;
    *quantity = (gdyn_quantity){w->p->value[i], w->p->dimension[i]};
    /* Its value is known: the formula can go on. */
    if (w->state[i] == DONE)
        return true;
    if (w->blocked < 0)
        w->blocked = i;
    return false;
}

/* DONE, FAILED, or OPEN when another one (w->blocked) has to be settled first. */
static progress attempt(walk *w, int i) {
    gdyn_reader *r = w->reader;
    gdyn_parameters *p = w->p;
    gdyn_node *node = p->node[i];
    /* Only a scalar can be compiled. */
    if (!node || node->bad)
        return FAILED;
    if (!gdyn_expect(r, node, GDYN_NODE_SCALAR, NULL, "a number or a formula"))
        return FAILED;
    /* A trial: compiling asks for every name. */
    gdyn_scope scope = {
        .constant = ask, .context = w, .suggestions = p->name, .suggestion_count = p->count};
    gdyn_expr_error error = {0};
    w->index = node->index, w->blocked = -1;
    gdyn_expr *first = gdyn_expr_compile(node->text, &scope, &error);
    gdyn_expr_destroy(first);
    /* Waits for another one, or closes a circle. */
    if (w->blocked >= 0 && w->state[w->blocked] == UNTOUCHED)
        return OPEN;
    if (w->blocked >= 0 && w->state[w->blocked] == OPEN)
        complain_cycle(w, w->blocked);
    else if (w->blocked < 0 && first) {
        /* compiled over all parameters */
        if (!gdyn_read_value(r, node, GDYN_DIM_UNKNOWN, &p->value[i]))
            return FAILED;
        p->expr[i] = node->expr;
        p->dimension[i] = gdyn_read_dimension(node);
        return DONE;
    } else if (w->blocked < 0)
        gdyn_formula_error(r, node, &error, 0, NULL);
    node->bad = true;
    return FAILED;
}

/* Settles parameter i after all it refers to. */
static void resolve(walk *w, int i) {
    /* Depth first, with a stack of its own: chains may be long. */
    w->depth = 0;
    w->stack[w->depth++] = i;
    while (w->depth > 0) {
        int top = w->stack[w->depth - 1];
        w->state[top] = OPEN;
        progress reached = attempt(w, top);
        if (reached == OPEN) {
            w->stack[w->depth++] = w->blocked;
            continue;
        }
        w->state[top] = reached;
        w->p->order[w->ordered++] = top;
        w->depth--;
    }
}

/* Value of a number that refers to no parameter, else the fallback; says nothing. */
static double plain_number(const gdyn_node *node, double fallback) {
    /* Errors are reported where the number is read. */
    if (!node || node->kind != GDYN_NODE_SCALAR)
        return fallback;
    gdyn_expr_error error;
    gdyn_expr *expr = gdyn_index_compile(node->index, node->text, &error);
    double value = expr ? gdyn_expr_value(expr, NULL) : fallback;
    gdyn_expr_destroy(expr);
    return isfinite(value) ? value : fallback;
}

/* First value of a design variable that is no parameter: `start`, else the middle. */
static void start_design(gdyn_reader *r, gdyn_node *root, int i) {
    gdyn_parameters *p = &r->the_case->parameters;
    const gdyn_node *entry = gdyn_node_get(gdyn_node_get(root, "design"), p->name[i]);
    /* The middle of the sizes, unless a start is stated. */
    const gdyn_node *sizes = gdyn_node_get(entry, "choices");
    if (sizes && sizes->kind == GDYN_NODE_SEQUENCE && sizes->count > 0) {
        p->value[i] = plain_number(sizes->item[(sizes->count - 1) / 2], 0.0);
        p->value[i] = plain_number(gdyn_node_get(entry, "start"), p->value[i]);
        return;
    }
    /* Else the middle of the bounds. */
    double min = plain_number(gdyn_node_get(entry, "min"), 0.0);
    double max = plain_number(gdyn_node_get(entry, "max"), min);
    p->value[i] = plain_number(gdyn_node_get(entry, "start"), 0.5 * (min + max));
}

void gdyn_read_parameters(gdyn_reader *r, gdyn_node *root) {
    gdyn_parameters *p = &r->the_case->parameters;
    /* Names first, so that formulas can refer to any of them. */
    collect(r, root);
    if (p->count == 0)
        return;
    walk w = {.reader = r, .p = p};
    w.state = gdyn_reader_alloc(r, (size_t)p->count, sizeof *w.state);
    w.stack = gdyn_reader_alloc(r, (size_t)p->count, sizeof *w.stack);
    if (!w.state || !w.stack)
        return;
    r->parameter = p->value;
    /* Variables that are no parameters have their start; they come first in the order. */
    for (int i = p->count - 1; i >= 0 && i >= p->listed; i--) {
        start_design(r, root, i);
        w.state[i] = DONE;
        p->order[w.ordered++] = i;
    }
    /* The parameters of the file, each after those that it needs. */
    for (int i = 0; i < p->listed; i++)
        if (w.state[i] == UNTOUCHED)
            resolve(&w, i);
}

/* --- values ----------------------------------------------------------------------------------- */

/* Values of an instance while they are found. */
typedef struct values {
    gdyn_reader *reader;
    const gdyn_parameters *p;
    double *value, *deviation; /* p->count */
    bool *set;                 /* p->count: stated by a setting */
} values;

/* A setting of a parameter or of a table of choices; false after a complaint. */
static bool take_setting(values *v, const gdyn_setting *setting) {
    gdyn_reader *r = v->reader;
    int i = gdyn_find_parameter(r->the_case, setting->name);
    const gdyn_choices *table = i < 0 ? gdyn_find_choices(r->the_case, setting->name) : NULL;
    if (table && gdyn_take_choice(table, setting->value, v->value, v->set))
        return true;
    if (table)
        return gdyn_log_node(r->log, GDYN_ERROR, NULL, NULL,
                             GDYN_CODE_DESIGN "'%.60s' has the choices 0 .. %d, not %g",
                             table->name, table->count - 1, setting->value);
    if (i < 0)
        return gdyn_log_node(r->log, GDYN_ERROR, NULL,
                             gdyn_log_suggest(r->log, setting->name, v->p->name, v->p->count),
                             GDYN_CODE_UNKNOWN "there is no parameter '%.60s'", setting->name);
    if (setting->added) {
        v->deviation[i] += setting->value;
        return true;
    }
    v->value[i] = setting->value, v->set[i] = true;
    return true;
}

/* What follows from others is evaluated anew, in the order of dependence; deviations are added
 * where they arise, so that what follows has them, too. */
static bool follow(values *v) {
    for (int k = 0; k < v->p->count; k++) {
        int i = v->p->order[k];
        if (!v->set[i] && v->p->expr[i])
            v->value[i] = gdyn_expr_value(v->p->expr[i], v->value);
        v->value[i] += v->deviation[i];
        if (!isfinite(v->value[i])) {
            /* Parameter i is not finite. */
            gdyn_expr_fault fault;
            const gdyn_expr *expr = v->set[i] ? NULL : v->p->expr[i];
            bool explained = expr && gdyn_expr_explain(expr, v->value, &fault);
            gdyn_read_error(v->reader, v->p->node[i], explained ? fault.help : NULL,
                            GDYN_CODE_VALUE "parameter '%s' has no value here%s%s", v->p->name[i],
                            explained ? ": " : "", explained ? fault.text : "");
            return false;
        }
    }
    return true;
}

bool gdyn_evaluate_parameters(gdyn_reader *r, int count, const gdyn_setting *settings,
                              double *value) {
    const gdyn_parameters *p = &r->the_case->parameters;
    size_t n = (size_t)p->count + 1;
    values v = {.reader = r, .p = p, .value = value};
    v.set = gdyn_reader_alloc(r, n, sizeof *v.set);
    v.deviation = gdyn_reader_alloc(r, n, sizeof *v.deviation);
    if (!v.set || !v.deviation)
        return false;
    /* the file's own values, replaced by the settings */
    for (int i = 0; i < p->count; i++)
        value[i] = p->value[i];
    bool good = true;
    for (int s = 0; s < count; s++)
        good = take_setting(&v, &settings[s]) && good;
    return good && follow(&v);
}
