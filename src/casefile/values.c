/* values.c - numbers, quantities, formulas and lists of them. */
#include "casefile/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- names inside of formulas ----------------------------------------------------------------- */

/* Where the constants of a formula come from. */
typedef struct names {
    const gdyn_reader *reader;
    const gdyn_index *index;
    bool parameters; /* parameters are constants, at their present values */
} names;

/* A name in a formula: a constant of the index, or a parameter at its present value. */
static bool constant(void *context, const char *name, gdyn_quantity *quantity) {
    const names *n = context;
    if (gdyn_index_constant((void *)n->index, name, quantity))
        return true;
    int i = n->parameters ? gdyn_find_parameter(n->reader->the_case, name) : -1;
    if (i < 0)
        return false;
    quantity->value = n->reader->parameter[i];
    quantity->dimension = n->reader->the_case->parameters.dimension[i];
    return true;
}

bool gdyn_formula_error(gdyn_reader *r, gdyn_node *node, const gdyn_expr_error *error, int offset,
                        const char *help) {
    return gdyn_inside_error(r, node, error->offset + offset, error->width,
                             error->help[0] ? error->help : help, "%s%s", error->mark,
                             error->message);
}

/* Formula whose parameters have their values, or are open variables. */
static gdyn_expr *compile(gdyn_reader *r, gdyn_node *node, const char *text, int offset,
                          bool constants) {
    const gdyn_parameters *p = &r->the_case->parameters;
    names n = {r, node->index, constants};
    gdyn_scope scope = {
        .constant = constant, .context = &n, .suggestions = p->name, .suggestion_count = p->count};
    /* open variables keep the formula valid for every instance */
    if (!constants) {
        scope.variables = p->name, scope.dimensions = p->dimension;
        scope.variable_count = p->count;
    }
    gdyn_expr_error error = {0};
    gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
    if (!expr)
        gdyn_formula_error(r, node, &error, offset, NULL);
    return expr;
}

gdyn_expr *gdyn_compile_constant(gdyn_reader *r, gdyn_node *node, const char *text, int offset) {
    return compile(r, node, text, offset, true);
}

/* --- one number ------------------------------------------------------------------------------- */

/* Whether the node can hold a number or a formula; complains otherwise. */
static bool scalar_wanted(gdyn_reader *r, gdyn_node *node) {
    return !node->bad && gdyn_expect_text(r, node, NULL, "a number or a formula");
}

/* Whether the unit is right; misfits are noted for later or reported. */
static bool dimension_fits(gdyn_reader *r, gdyn_node *node, const gdyn_expr *expr,
                           gdyn_dimension wanted) {
    gdyn_dimension found = gdyn_expr_dimension(expr);
    bool noted = r->noting && node->expr == expr, doubt = gdyn_dimension_doubtful(found, wanted);
    if (doubt && noted)
        gdyn_misfit_note(r, GDYN_UNIT_DOUBT, node, wanted, found);
    else if (doubt)
        gdyn_diagnose_doubt(r, node, wanted, found);
    /* fits are noted beside misfits, to find the parameter that is wrong */
    bool fits = gdyn_dimension_fits(found, wanted);
    if (fits && noted && !doubt && wanted.known && found.known)
        gdyn_misfit_note(r, GDYN_UNIT_FITS, node, wanted, wanted);
    else if (!fits && noted)
        gdyn_misfit_note(r, GDYN_UNIT_MISFIT, node, wanted, found);
    else if (!fits)
        gdyn_diagnose_misfit(r, node, wanted, found);
    return fits;
}

/* A number, finite or not; its formula is compiled and checked once and kept. */
static bool read_any(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *value) {
    if (!scalar_wanted(r, node))
        return false;
    /* compiled once, with parameters as variables */
    if (r->checking && !node->expr) {
        gdyn_expr *expr = compile(r, node, node->text, 0, false);
        if (!expr)
            return false;
        node->expr = gdyn_case_own(r, expr);
    }
    if (!node->expr) {
        /* A value for one instance only, where the checking pass left no compiled formula. */
        gdyn_expr *expr = gdyn_compile_constant(r, node, node->text, 0);
        if (!expr)
            return false;
        *value = gdyn_expr_value(expr, NULL);
        gdyn_expr_destroy(expr);
        return true;
    }
    if (r->checking && !dimension_fits(r, node, node->expr, dimension))
        return false;
    /* evaluated for each instance */
    *value = gdyn_expr_value(node->expr, r->parameter);
    if (r->checking)
        gdyn_note_number(r, node, dimension, *value);
    return true;
}

bool gdyn_read_value(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *value) {
    double found;
    if (!read_any(r, node, dimension, &found))
        return false;
    /* what has no value, or no end, is refused */
    if (!isfinite(found)) {
        gdyn_expr_fault fault;
        if (node->expr && gdyn_expr_explain(node->expr, r->parameter, &fault))
            gdyn_read_error(r, node, fault.help, GDYN_CODE_VALUE "%s", fault.text);
        else
            gdyn_read_error(r, node, NULL,
                            isnan(found) ? GDYN_CODE_VALUE "this has no value (not a number)"
                                         : GDYN_CODE_VALUE "this is infinite");
        return false;
    }
    *value = found;
    return true;
}

bool gdyn_read_limit(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *value) {
    static const char *const words[] = {"inf", ".inf", "infinity", "unlimited", "unbounded", NULL};
    if (!scalar_wanted(r, node))
        return false;
    /* words for infinite, else a number */
    const char *text = node->text;
    if (gdyn_word_number(words, text + (*text == '-' || *text == '+')) < 0)
        return gdyn_read_value(r, node, dimension, value);
    *value = *text == '-' ? -INFINITY : INFINITY;
    return true;
}

gdyn_dimension gdyn_read_dimension(const gdyn_node *node) {
    return node && node->expr ? gdyn_expr_dimension(node->expr) : GDYN_DIM_UNKNOWN;
}

double gdyn_read_number(gdyn_reader *r, const gdyn_node *map, const char *key,
                        gdyn_dimension dimension, double fallback) {
    gdyn_node *node = gdyn_node_get(map, key);
    double value = fallback;
    if (node)
        gdyn_read_value(r, node, dimension, &value);
    return value;
}

double gdyn_read_stiction(gdyn_reader *r, const gdyn_node *map, gdyn_dimension dimension,
                          double coulomb) {
    gdyn_node *node = gdyn_node_get(map, "stiction");
    double value;
    if (!node || gdyn_node_is(node, "false"))
        return 0.0;
    /* its own value, or that of coulomb */
    if (!gdyn_node_is(node, "true"))
        return gdyn_read_value(r, node, dimension, &value) ? value : 0.0;
    if (coulomb == 0.0)
        gdyn_read_error(r, node, "set coulomb, or stiction: 8 N",
                        GDYN_CODE_BOUNDS
                        "stiction: true means the value of coulomb, which is zero");
    return coulomb;
}

/* --- words and texts -------------------------------------------------------------------------- */

bool gdyn_read_flag(const gdyn_node *map, const char *key, bool fallback) {
    const gdyn_node *node = gdyn_node_get(map, key);
    return node ? gdyn_node_is(node, "true") : fallback;
}

const char *gdyn_read_text(const gdyn_node *map, const char *key, const char *fallback) {
    const gdyn_node *node = gdyn_node_get(map, key);
    return node && node->kind == GDYN_NODE_SCALAR ? node->text : fallback;
}

int gdyn_read_word(const gdyn_node *map, const char *key, const char *const *words, int fallback) {
    const char *text = gdyn_read_text(map, key, NULL);
    int number = text ? gdyn_word_number(words, text) : -1;
    return number >= 0 ? number : fallback;
}

/* --- lists ------------------------------------------------------------------------------------ */

bool gdyn_read_list(gdyn_reader *r, gdyn_node *node, int count, gdyn_dimension dimension,
                    double *out) {
    if (node->bad)
        return false;
    if (node->kind != GDYN_NODE_SEQUENCE) {
        bool brief = node->name && (count == 2 || count == 3);
        const char *help = brief ? gdyn_log_help(r->log, "write %.60s: %s", node->name->text,
                                                 count == 2 ? "[a, b]" : "[a, b, c]")
                                 : NULL;
        return gdyn_read_error(r, node, help,
                               GDYN_CODE_SHAPE "expected a list of %d numbers, got %s", count,
                               gdyn_node_kind_text(node));
    }
    if (node->count != count)
        return gdyn_read_error(r, node, NULL, GDYN_CODE_SHAPE "expected %d numbers, got %d", count,
                               node->count);
    /* every item is read, so that all errors are reported */
    bool good = true;
    for (int i = 0; i < count; i++)
        good = gdyn_read_value(r, node->item[i], dimension, &out[i]) && good;
    return good;
}

bool gdyn_read_vector(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double out[3]) {
    out[2] = 0.0;
    /* without the space the number of components is unknown */
    if (r->checking && !r->space_known)
        return false;
    return gdyn_read_list(r, node, r->space == GDYN_PLANAR ? 2 : 3, dimension, out);
}

bool gdyn_read_turn(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double out[3]) {
    if (r->space != GDYN_PLANAR)
        return gdyn_read_list(r, node, 3, dimension, out);
    if (node->kind == GDYN_NODE_SEQUENCE)
        return gdyn_read_error(r, node, "write one number, about z",
                               GDYN_CODE_SHAPE "in a plane '%.60s' is a number, not a list",
                               node->name ? node->name->text : "turn");
    return gdyn_read_value(r, node, dimension, &out[2]);
}

/* --- formulas with an open variable ----------------------------------------------------------- */

const gdyn_expr *gdyn_read_formula(gdyn_reader *r, gdyn_node *node, const char *variable,
                                   gdyn_dimension of_variable, gdyn_dimension dimension) {
    if (!scalar_wanted(r, node))
        return NULL;
    /* one variable; parameters have their values */
    const gdyn_parameters *p = &r->the_case->parameters;
    names n = {r, node->index, true};
    gdyn_scope scope = {.constant = constant,
                        .context = &n,
                        .variables = &variable,
                        .dimensions = &of_variable,
                        .variable_count = 1,
                        .suggestions = p->name,
                        .suggestion_count = p->count};
    gdyn_expr_error error = {0};
    gdyn_expr *expr = gdyn_expr_compile(node->text, &scope, &error);
    /* paths are formulas in p, not in t */
    if (!expr) {
        if (variable[0] == 'p' && strcmp(error.message, "unknown name 't'") == 0)
            snprintf(error.help, sizeof error.help, "a path is a formula in p");
        gdyn_formula_error(r, node, &error, 0, NULL);
        return NULL;
    }
    if (r->checking && !dimension_fits(r, node, expr, dimension)) {
        gdyn_expr_destroy(expr);
        return NULL;
    }
    /* constants are noted like numbers */
    if (r->checking && gdyn_expr_is_constant(expr))
        gdyn_note_number(r, node, dimension, gdyn_expr_value(expr, NULL));
    return gdyn_instance_own(r, expr);
}

/* --- formulas and tables in t ----------------------------------------------------------------- */

/* Rows [t, value] into x and y; false: one is wrong, or t does not grow. */
static bool read_rows(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double *x,
                      double *y) {
    for (int i = 0; i < node->count; i++) {
        gdyn_node *row = node->item[i];
        if (row->kind != GDYN_NODE_SEQUENCE || row->count != 2)
            return gdyn_read_error(r, row, "write [[0 s, VALUE], [1 s, VALUE]]",
                                   GDYN_CODE_SHAPE "a row of a table in t has two numbers");
        /* both numbers, and t in order */
        if (!gdyn_read_value(r, row->item[0], GDYN_DIM_TIME, &x[i]) ||
            !gdyn_read_value(r, row->item[1], dimension, &y[i]))
            return false;
        if (i > 0 && !(x[i] > x[i - 1]))
            return gdyn_read_error(r, row->item[0], NULL,
                                   GDYN_CODE_BOUNDS "t must increase from row to row");
    }
    return true;
}

const gdyn_expr *gdyn_read_signal(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension,
                                  bool smooth) {
    if (node->kind != GDYN_NODE_SEQUENCE)
        return gdyn_read_formula(r, node, "t", GDYN_DIM_UNKNOWN, dimension);
    if (node->count < 2) {
        gdyn_read_error(r, node, NULL, GDYN_CODE_BOUNDS "a table in t has at least two rows");
        return NULL;
    }
    /* a table: t and value side by side */
    double *x = gdyn_reader_alloc(r, 2 * (size_t)node->count, sizeof *x);
    if (!x || !read_rows(r, node, dimension, x, x + node->count))
        return NULL;
    gdyn_expr *expr = gdyn_expr_table(node->count, x, x + node->count, smooth);
    if (!expr)
        gdyn_out_of_memory(r);
    return expr ? gdyn_instance_own(r, expr) : NULL;
}
