/* choices.c - design variables that take one of several values.
 *
 *   thickness: {choices: [2 mm, 3 mm, 5 mm]}          sizes of a catalogue: a parameter's values
 *   material: {choices: {steel: {rho: 7850, E: 210e9}, aluminium: {...}}}    rows of a table
 *
 * Sizes grow and have an order that a search may use; the rows of a table set several parameters
 * together and have none. Both are kept as a table with a column for each parameter that is set. */
#include "casefile/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

gdyn_choices *gdyn_find_choices(const gdyn_case *the_case, const char *name) {
    for (gdyn_choices *c = the_case->choices; c; c = c->next)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static int find_label(const gdyn_choices *c, const char *label) {
    return gdyn_find_span(label, strlen(label), c->label, sizeof *c->label, c->count);
}

/* --- reading the table ------------------------------------------------------------------------ */

/* A number without parameters, whose dimension is that of the parameter; false after a
 * complaint. */
static bool read_number(gdyn_reader *r, gdyn_node *node, int parameter, double *value) {
    gdyn_dimension wanted = r->the_case->parameters.dimension[parameter];
    /* A label without number. */
    if (!gdyn_expect_text(r, node, NULL, "a number"))
        return false;
    /* Choices know no parameters, but indices of repeat. */
    gdyn_expr_error error;
    gdyn_expr *expr = gdyn_index_compile(node->index, node->text, &error);
    if (!expr)
        return gdyn_inside_error(r, node, error.offset, error.width, "choices are plain numbers",
                                 "%s%s", error.mark, error.message);
    char a[64], b[64];
    /* The dimension of the parameter, or what gives it one. */
    gdyn_dimension found = gdyn_expr_dimension(expr);
    *value = gdyn_expr_value(expr, NULL);
    gdyn_expr_destroy(expr);
    if (!gdyn_dimension_fits(found, wanted))
        gdyn_read_error(r, node, NULL, GDYN_CODE_UNIT "expected %s, got %s",
                        gdyn_dimension_text(wanted, a, sizeof a),
                        gdyn_dimension_text(found, b, sizeof b));
    else if (!isfinite(*value))
        gdyn_read_error(r, node, NULL, GDYN_CODE_VALUE "this has no finite value");
    if (!wanted.known)
        r->the_case->parameters.dimension[parameter] = found;
    return !node->bad;
}

static gdyn_choices *new_choices(gdyn_reader *r, const char *name, int count, int columns) {
    gdyn_arena *arena = r->the_case->arena;
    gdyn_choices *c = gdyn_arena_alloc(arena, 1, sizeof *c);
    size_t n = (size_t)count, m = (size_t)columns;
    const char **label = gdyn_arena_alloc(arena, n, sizeof *label);
    int *parameter = gdyn_arena_alloc(arena, m, sizeof *parameter);
    double *value = gdyn_arena_alloc(arena, n * m, sizeof *value);
    if (!c || !label || !parameter || !value) {
        gdyn_out_of_memory(r);
        return NULL;
    }
    *c = (gdyn_choices){.name = name,
                        .count = count,
                        .columns = columns,
                        .label = label,
                        .parameter = parameter,
                        .value = value};
    return c;
}

static void keep(gdyn_reader *r, gdyn_choices *c) {
    c->next = r->the_case->choices;
    r->the_case->choices = c;
}

static void read_sizes(gdyn_reader *r, const char *name, gdyn_node *list) {
    /* One column: the parameter itself. */
    int parameter = gdyn_find_parameter(r->the_case, name);
    gdyn_choices *c = parameter < 0 ? NULL : new_choices(r, name, list->count, 1);
    if (!c)
        return;
    c->parameter[0] = parameter;
    /* Sizes must grow: the search relies on their order. */
    for (int i = 0; i < c->count; i++) {
        gdyn_node *item = list->item[i];
        if (!read_number(r, item, parameter, &c->value[i]))
            return;
        c->label[i] = item->text;
        if (i > 0 && !(c->value[i - 1] < c->value[i]))
            gdyn_read_error(r, item, NULL, GDYN_CODE_DESIGN "choices must increase");
    }
    keep(r, c);
}

/* Parameter that a column names; -1 after a complaint. */
static int column(gdyn_reader *r, gdyn_node *key, const gdyn_node *design) {
    const gdyn_parameters *p = &r->the_case->parameters;
    int i = gdyn_find_parameter(r->the_case, key->text);
    /* Only parameters of the file can be set. */
    if (i < 0 || i >= p->listed) {
        gdyn_read_error(r, key, gdyn_log_suggest(r->log, key->text, p->name, p->listed),
                        GDYN_CODE_UNKNOWN "'%.60s' is not a parameter", key->text);
        return -1;
    }
    /* Two design variables must not set one parameter. */
    bool taken = gdyn_node_find(design, key->text) != NULL;
    for (const gdyn_choices *c = r->the_case->choices; c; c = c->next)
        for (int k = 0; k < c->columns; k++)
            taken |= c->parameter[k] == i;
    if (taken) {
        gdyn_read_error(r, key, NULL,
                        GDYN_CODE_TWICE "'%.60s' is also set by another design variable",
                        key->text);
        return -1;
    }
    return i;
}

/* One row: the columns of the first row, in any order. */
static bool read_row(gdyn_reader *r, gdyn_choices *c, int i, gdyn_node *row,
                     const gdyn_node *first) {
    /* Every row sets the parameters of the first. */
    if (row->kind != GDYN_NODE_MAPPING || row->count != first->count)
        return gdyn_read_error(r, row, "each choice sets the same parameters: {NAME: value, ...}",
                               GDYN_CODE_SHAPE "expected %d parameters with values here",
                               first->count);
    for (int k = 0; k < c->columns; k++) {
        gdyn_node *item = gdyn_node_find(row, first->key[k]->text);
        if (!item)
            return gdyn_read_error(r, row, "each choice sets the same parameters",
                                   GDYN_CODE_MISSING "this choice lacks '%.60s'",
                                   first->key[k]->text);
        if (!read_number(r, item, c->parameter[k], &c->value[i * c->columns + k]))
            return false;
    }
    return true;
}

static void read_rows(gdyn_reader *r, const char *name, gdyn_node *table, const gdyn_node *design) {
    gdyn_node *first = table->item[0];
    if (!gdyn_expect_map(r, first, "write NAME: {parameter: value, ...}", "parameters with values"))
        return;
    gdyn_choices *c = new_choices(r, name, table->count, first->count);
    bool good = c != NULL;
    /* Columns from the first row, then all rows. */
    for (int k = 0; good && k < c->columns; k++)
        good = (c->parameter[k] = column(r, first->key[k], design)) >= 0;
    for (int i = 0; good && i < c->count; i++) {
        c->label[i] = table->key[i]->text;
        good = read_row(r, c, i, table->item[i], first);
    }
    if (good) {
        c->rows = true;
        keep(r, c);
    }
}

void gdyn_read_choices(gdyn_reader *r, const gdyn_node *root) {
    /* Entries of `design` that have choices. */
    const gdyn_node *design = gdyn_node_get(root, "design");
    for (int i = 0; design && i < design->count; i++) {
        gdyn_node *choices = gdyn_node_get(design->item[i], "choices");
        if (choices && !design->key[i]->bad) {
            const char *name = design->item[i]->name->text;
            if (choices->kind == GDYN_NODE_SCALAR || choices->count < 2)
                gdyn_read_error(r, choices,
                                "write choices: [2 mm, 3 mm], or {NAME: {parameter: value}, ...}",
                                GDYN_CODE_SHAPE "expected at least two choices");
            else if (choices->kind == GDYN_NODE_SEQUENCE)
                read_sizes(r, name, choices);
            else
                read_rows(r, name, choices, design);
        }
    }
}

/* --- the start -------------------------------------------------------------------------------- */

/* The choice that `start` names: a label, or a size. -1 after a complaint. */
static int stated_start(gdyn_reader *r, const gdyn_choices *c, gdyn_node *start) {
    double value;
    /* By label; sizes also by value. */
    int found = start->kind == GDYN_NODE_SCALAR ? find_label(c, start->text) : -1;
    if (found < 0 && !c->rows && r->checking && read_number(r, start, c->parameter[0], &value))
        for (int i = 0; i < c->count; i++)
            found = c->value[i] == value ? i : found;
    if (found < 0)
        gdyn_read_error(r, start,
                        start->kind == GDYN_NODE_SCALAR
                            ? gdyn_log_suggest(r->log, start->text, c->label, c->count)
                            : NULL,
                        GDYN_CODE_DESIGN "the start of '%.60s' is not one of its choices", c->name);
    return found;
}

static int start_of(gdyn_reader *r, gdyn_choices *c, const gdyn_node *node) {
    gdyn_node *start = gdyn_node_get(node, "start");
    double distance;
    /* The file's own start, else the nearest choice, with a warning if it is not exact. */
    if (start && r->checking)
        return c->start = (int)fmax(stated_start(r, c, start), 0);
    if (start)
        return c->start;
    /* the choice nearest to the parameters' values in the file, and how far it is (0: it is
     * these) */
    int found = 0;
    distance = INFINITY;
    for (int i = 0; i < c->count; i++) {
        /* Relative difference in the worst column. */
        double d = 0.0;
        for (int k = 0; k < c->columns; k++) {
            double value = c->value[i * c->columns + k];
            double now = r->the_case->parameters.value[c->parameter[k]];
            d = fmax(d, fabs(value - now) / fmax(fabs(value), fabs(now) + (value == now)));
        }
        if (d < distance)
            found = i, distance = d;
    }
    if (distance > 1e-12 && r->checking)
        gdyn_log_node(r->log, GDYN_WARNING, node->name,
                      gdyn_log_help(r->log, "set start: %.40s", c->label[found]),
                      GDYN_CODE_DESIGN "the values of the parameters match no choice of '%.60s'",
                      c->name);
    return found;
}

void gdyn_choices_variable(gdyn_reader *r, gdyn_choices *c, const gdyn_node *node,
                           gdyn_design_variable *out) {
    out->kind = c->rows ? GDYN_DESIGN_TABLE : GDYN_DESIGN_SIZES;
    out->integer = true, out->min = 0.0, out->max = c->count - 1;
    out->choices = c->count, out->choice = c->label;
    out->size = c->rows ? NULL : c->value;
    out->start = start_of(r, c, node);
    out->dimension = c->rows ? GDYN_DIM_NONE : r->the_case->parameters.dimension[c->parameter[0]];
}

/* --- from a choice to settings ---------------------------------------------------------------- */

static int index_of(const gdyn_design_variable *v, double x) {
    return (int)fmin(fmax(round(x), 0.0), v->choices - 1);
}

gdyn_setting gdyn_case_choice(const gdyn_design_variable *variable, double x) {
    if (variable->kind == GDYN_DESIGN_SIZES)
        x = variable->size[index_of(variable, x)];
    return (gdyn_setting){variable->name, x, variable->kind == GDYN_DESIGN_DEVIATION};
}

double gdyn_case_choice_index(const gdyn_design_variable *variable, double value) {
    /* The nearest size: settings may be rounded. */
    int best = 0;
    if (variable->kind != GDYN_DESIGN_SIZES)
        return value;
    for (int i = 1; i < variable->choices; i++)
        if (fabs(variable->size[i] - value) < fabs(variable->size[best] - value))
            best = i;
    return best;
}

const char *gdyn_case_choice_name(const gdyn_design_variable *variable, double x) {
    return variable->choices > 0 ? variable->choice[index_of(variable, x)] : NULL;
}

bool gdyn_take_choice(const gdyn_choices *c, double x, double *value, bool *set) {
    /* Sets all parameters of the row. */
    if (!(x >= 0.0 && x <= c->count - 1) || x != floor(x))
        return false;
    for (int k = 0; k < c->columns; k++) {
        value[c->parameter[k]] = c->value[(int)x * c->columns + k];
        if (set)
            set[c->parameter[k]] = true;
    }
    return true;
}

gdyn_status gdyn_parse_choice(const gdyn_choices *c, const char *text, const gdyn_sink *sink,
                              gdyn_setting *out) {
    int found = find_label(c, text);
    /* Suggest the nearest label, or show the first and the last. */
    if (found < 0) {
        const char *near = gdyn_text_nearest(text, c->label, c->count);
        char help[160];
        snprintf(help, sizeof help, near ? "did you mean '%.60s'?" : "one of %.60s ... %.60s",
                 near ? near : c->label[0], c->label[c->count - 1]);
        gdyn_diag_emit(sink, GDYN_ERROR, "", help,
                       GDYN_CODE_DESIGN "'%.60s' is not a choice of '%.60s'", text, c->name);
        return GDYN_ERROR_INPUT;
    }
    *out = (gdyn_setting){.name = c->name, .value = found};
    return GDYN_OK;
}
