/* design.c - design variables, objectives and constraints, and the criteria in their formulas. */
#include "casefile/reader.h"
#include "criteria/criteria.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- design variables ------------------------------------------------------------------------- */

/* Minimum below maximum; a start that is stated lies between them, that of the file should. */
static void check_start(gdyn_reader *r, const gdyn_node *node, const gdyn_design_variable *v,
                        int parameter) {
    gdyn_node *min = gdyn_node_get(node, "min"), *max = gdyn_node_get(node, "max");
    gdyn_node *start = gdyn_node_get(node, "start");
    const gdyn_parameters *p = &r->the_case->parameters;
    if (!min || !max)
        return;
    if (!min->bad && !max->bad && !(v->min < v->max))
        gdyn_read_error(r, max, NULL,
                        GDYN_CODE_DESIGN "design variable '%s': max must be greater than min",
                        v->name);
    bool outside = v->min < v->max && !(v->min <= v->start && v->start <= v->max);
    if (start && outside)
        gdyn_read_error(r, start, NULL,
                        GDYN_CODE_DESIGN "the start of '%s' lies outside of min and max", v->name);
    else if (outside && r->checking &&
             !(parameter >= 0 && p->node[parameter] && p->node[parameter]->bad))
        gdyn_log_node(r->log, GDYN_WARNING, node->name, NULL,
                      GDYN_CODE_DESIGN "the value %g of '%s' lies outside of its own min and max",
                      v->start, v->name);
}

/* `within: tolerance`: the deviation of a parameter from its value. */
static void read_deviation(gdyn_reader *r, const gdyn_node *node, gdyn_design_variable *out) {
    const gdyn_tolerance *tolerance = gdyn_find_tolerance(r->instance, out->name);
    out->kind = GDYN_DESIGN_DEVIATION;
    r->the_case->sampled |= r->checking;
    /* Its bounds are those of the parameter; nothing else may be stated. */
    if (r->checking && (!tolerance || node->count > 1)) {
        gdyn_read_error(r, gdyn_node_get(node, "within"),
                        tolerance ? "leave the other keys out"
                                  : "write parameters: {NAME: {value: ..., tolerance: ...}}",
                        tolerance ? GDYN_CODE_CONFLICT "'%.60s' has the bounds of its tolerance"
                                  : GDYN_CODE_GOAL "'%.60s' has no tolerance",
                        out->name);
        return;
    }
    if (!tolerance)
        return;
    out->min = tolerance->lower, out->max = tolerance->upper;
    out->dimension = tolerance->dimension;
}

static void read_variable(gdyn_reader *r, const gdyn_node *node, gdyn_design_variable *out) {
    /* A variable is a parameter, unless it stands for a table of choices. */
    const gdyn_parameters *p = &r->the_case->parameters;
    int i = gdyn_find_parameter(r->the_case, node->name->text);
    gdyn_node *min = gdyn_node_get(node, "min"), *max = gdyn_node_get(node, "max");
    gdyn_dimension dimension = i >= 0 ? p->dimension[i] : GDYN_DIM_UNKNOWN;
    if (i >= p->listed)
        dimension = GDYN_DIM_UNKNOWN;
    *out = (gdyn_design_variable){.name = node->name->text};
    /* Choices were read before. */
    if (gdyn_node_find(node, "within")) {
        read_deviation(r, node, out);
        return;
    }
    if (gdyn_node_find(node, "choices")) {
        gdyn_choices *choices = gdyn_find_choices(r->the_case, out->name);
        if (choices)
            gdyn_choices_variable(r, choices, node, out);
        return;
    }
    /* The bounds have the parameter's dimension, or give it one. */
    if (min)
        gdyn_read_value(r, min, dimension, &out->min);
    if (!dimension.known)
        dimension = gdyn_read_dimension(min);
    if (max)
        gdyn_read_value(r, max, dimension, &out->max);
    out->integer = gdyn_read_flag(node, "integer", false);
    out->dimension = dimension;
    /* Without a stated start the value in the file is the start. */
    out->start = gdyn_read_number(r, node, "start", dimension, i >= 0 ? p->value[i] : 0.0);
    check_start(r, node, out, i);
    /* From now on the parameter has the dimension of its bounds. */
    if (r->checking && i >= 0 && r->the_case->parameters.dimension)
        r->the_case->parameters.dimension[i] = dimension;
}

void gdyn_read_design(gdyn_reader *r, const gdyn_node *root) {
    const gdyn_node *list = gdyn_node_map(root, "design");
    if (!list)
        return;
    gdyn_design_variable *out = gdyn_reader_alloc(r, (size_t)list->count, sizeof *out);
    /* Names are known even of entries that cannot be read. */
    for (int i = 0; i < list->count && out; i++) {
        out[i].name = list->key[i]->text;
        if (list->item[i]->kind == GDYN_NODE_MAPPING)
            read_variable(r, list->item[i], &out[i]);
    }
    r->instance->design = out;
    r->instance->design_count = out ? list->count : 0;
    if (r->checking && r->the_case->parameters.count > 0) {
        /* Notes which parameters are design variables, are set by one, or follow from one. */
        gdyn_parameters *p = &r->the_case->parameters;
        /* Variables themselves, then what tables set. */
        for (int d = 0; d < r->instance->design_count; d++) {
            int i = gdyn_find_parameter(r->the_case, r->instance->design[d].name);
            if (i >= 0)
                p->moves[i] = true;
        }
        for (const gdyn_choices *c = r->the_case->choices; c; c = c->next)
            for (int k = 0; k < c->columns; k++)
                p->moves[c->parameter[k]] = true;
        /* In the order of evaluation, so that one pass is enough. */
        for (int k = 0; k < p->count; k++)
            for (int i = p->order[k], j = 0; p->expr[i] && j < p->count && !p->moves[i]; j++)
                p->moves[i] = p->moves[j] && gdyn_expr_uses(p->expr[i], j);
    }
}

/* --- formulas over criteria ------------------------------------------------------------------- */

gdyn_dimension gdyn_case_criterion_dimension(const gdyn_instance *instance,
                                             const gdyn_path_def *trajectory, int criterion) {
    gdyn_dimension p = trajectory ? gdyn_path_dimension_of_p(trajectory) : GDYN_DIM_UNKNOWN;
    return gdyn_criterion_dimension((gdyn_criterion)criterion, p,
                                    gdyn_instance_effort(instance, NULL));
}

bool gdyn_case_criterion_mixed(const gdyn_instance *instance, int criterion) {
    bool mixed;
    gdyn_instance_effort(instance, &mixed);
    return mixed && gdyn_criterion_table[criterion].effort != 0;
}

gdyn_dimension gdyn_case_workspace_dimension(const gdyn_workspace_def *workspace, int criterion) {
    int wide = 0;
    for (int a = 0; a < 3; a++)
        wide += workspace->count[a] > 1;
    /* sizes are lengths, areas or volumes */
    if (!gdyn_criterion_table[criterion].unit)
        return gdyn_dimension_power(GDYN_DIM_LENGTH, wide);
    return gdyn_criterion_dimension((gdyn_criterion)criterion, GDYN_DIM_UNKNOWN, GDYN_DIM_UNKNOWN);
}

typedef struct criteria {
    const gdyn_reader *reader;
    const gdyn_index *index;
    bool used;           /* a criterion or design variable was named: the formula is no constant */
    int mixed;           /* a criterion that adds forces and torques, or -1 */
    const char *sampled; /* what is wrong with a statistic, or NULL */
    char rangeless[60];  /* "elbow" of travel.elbow, which states no range, or "" */
} criteria;

/* The trajectory whose name has that length; NULL when there is none. */
static const gdyn_path_def *find_trajectory(const gdyn_instance *in, const char *name,
                                            size_t length) {
    int found =
        gdyn_find_span(name, length, in->trajectory, sizeof *in->trajectory, in->trajectory_count);
    return found < 0 ? NULL : &in->trajectory[found];
}

/* "margin.elbow" or "travel.elbow": the criterion of a range; *along: what its coordinate does. */
static int find_range_criterion(const gdyn_reader *r, const char *text, gdyn_coordinate *along) {
    char word[32];
    /* The word before the dot, the range behind it. */
    size_t length = strcspn(text, ".");
    int range = text[length] ? gdyn_find_range(r, text + length + 1) : -1;
    if (range < 0 || length >= sizeof word)
        return -1;
    memcpy(word, text, length);
    word[length] = '\0';
    *along = r->range[range].along;
    return gdyn_criterion_find(word, GDYN_OF_RANGE, true);
}

/* WORKSPACE.CRITERION; its row, -1 when there is none. */
static int workspace_criterion(criteria *c, const char *name, const char *dot,
                               gdyn_quantity *quantity) {
    const gdyn_instance *in = c->reader->instance;
    int found = dot ? gdyn_find_span(name, (size_t)(dot - name), in->workspace,
                                     sizeof *in->workspace, in->workspace_count)
                    : -1;
    const gdyn_workspace_def *workspace = found < 0 ? NULL : &in->workspace[found];
    int row = workspace ? gdyn_criterion_find(dot + 1, GDYN_OF_WORKSPACE, true) : -1;
    if (row < 0)
        return -1;
    c->used = true;
    *quantity = (gdyn_quantity){0.737, gdyn_case_workspace_dimension(workspace, row)};
    return row;
}

/* TRAJECTORY.CRITERION, WORKSPACE.CRITERION, or a criterion of the machine; its row, -1 when
 * there is none. */
static int named_criterion(criteria *c, const char *name, gdyn_quantity *quantity) {
    const gdyn_reader *r = c->reader;
    const char *dot = strchr(name, '.');
    int of_workspace = workspace_criterion(c, name, dot, quantity);
    if (of_workspace >= 0)
        return of_workspace;
    int row =
        gdyn_criterion_find(dot ? dot + 1 : name, dot ? GDYN_OF_TRAJECTORY : GDYN_OF_MACHINE, true);
    gdyn_coordinate along;
    bool range = false;
    if (row < 0 && dot) {
        row = find_range_criterion(r, dot + 1, &along);
        range = row >= 0;
        const char *asked = strchr(dot + 1, '.');
        /* travel or margin of what has no range */
        if (!range && asked && find_trajectory(r->instance, name, (size_t)(dot - name)) &&
            (!strncmp(dot + 1, "travel.", 7) || !strncmp(dot + 1, "margin.", 7)))
            snprintf(c->rangeless, sizeof c->rangeless, "%s", asked + 1);
    }
    if (row < 0 || (!dot && !r->machine))
        return -1;
    /* The trajectory must exist. */
    const gdyn_path_def *path =
        dot ? find_trajectory(r->instance, name, (size_t)(dot - name)) : NULL;
    if (dot && !path)
        return -1;
    if (gdyn_case_criterion_mixed(r->instance, row))
        c->mixed = row;
    c->used = true;
    /* Any value serves the check; this one is unlikely to meet a pole. */
    *quantity =
        (gdyn_quantity){0.737, range ? gdyn_dimension_along(GDYN_D_COORDINATE, along)
                                     : gdyn_case_criterion_dimension(r->instance, path, row)};
    return row;
}

/* "worst.circle.time": a criterion over the sample of machines. A trajectory may have the
 * statistic's name. */
static bool known_statistic(criteria *c, const char *name, gdyn_quantity *quantity) {
    gdyn_statistic statistic;
    const gdyn_robustness *sample = &c->reader->instance->robustness;
    const char *rest = find_trajectory(c->reader->instance, name, strcspn(name, "."))
                           ? NULL
                           : gdyn_statistic_parse(name, &statistic);
    int row = rest ? named_criterion(c, rest, quantity) : -1;
    if (row < 0)
        return false;
    c->reader->the_case->sampled |= c->reader->checking;
    /* There must be a sample, and a worse side. */
    if (sample->tolerance_count + sample->scenario_count == 0)
        c->sampled = "no parameter has a tolerance and there are no scenarios";
    else if (statistic.kind == GDYN_STATISTIC_WORST && gdyn_criterion_table[row].better == 0)
        c->sampled = "neither side of this criterion is worse: write least or greatest";
    return true;
}

static bool known_criterion(void *context, const char *name, gdyn_quantity *quantity) {
    criteria *c = context;
    const gdyn_reader *r = c->reader;
    /* Index, parameter or criterion, in this order. */
    if (gdyn_index_constant((void *)c->index, name, quantity))
        return true;
    int i = gdyn_find_parameter(r->the_case, name);
    if (i >= 0) {
        *quantity = (gdyn_quantity){r->parameter[i], r->the_case->parameters.dimension[i]};
        c->used |= r->the_case->parameters.moves[i];
        return true;
    }
    return known_statistic(c, name, quantity) || named_criterion(c, name, quantity) >= 0;
}

/* OWNER.NAME for each of some names; their number so far. */
static int add_names(gdyn_reader *r, const char **names, int count, const char *owner,
                     const char *const *name, int most) {
    for (int i = 0; i < most && names; i++) {
        names[count] = gdyn_arena_printf(r->arena, "%s.%s", owner, name[i]);
        count += names[count] != NULL;
    }
    return count;
}

/* All names a formula may use, for "did you mean". */
static int list_names(gdyn_reader *r, const char ***out) {
    const gdyn_instance *in = r->instance;
    const gdyn_parameters *p = &r->the_case->parameters;
    const char *word[GDYN_CRITERIA];
    size_t most = (size_t)((in->trajectory_count + in->workspace_count + 1) * GDYN_CRITERIA +
                           p->count + 2 * (in->trajectory_count + 1) * r->ranges);
    const char **names = gdyn_reader_alloc(r, most + 1, sizeof *names);
    const char **range = gdyn_reader_alloc(r, 2 * (size_t)r->ranges + 1, sizeof *range);
    int words = gdyn_criterion_names(GDYN_OF_TRAJECTORY, true, word), count = 0, ranges = 0;
    /* Every criterion of every trajectory, its ranges, and workspace, of the machine, and all
     * parameters. */
    for (int i = 0; i < 2 * r->ranges && range; i++) {
        range[ranges] =
            gdyn_arena_printf(r->arena, "%s.%s", i % 2 ? "margin" : "travel", r->range[i / 2].name);
        ranges += range[ranges] != NULL;
    }
    for (int t = 0; t < in->trajectory_count; t++)
        count = add_names(r, names, count, in->trajectory[t].name, word, words);
    for (int t = 0; t < in->trajectory_count; t++)
        count = add_names(r, names, count, in->trajectory[t].name, range, ranges);
    words = gdyn_criterion_names(GDYN_OF_WORKSPACE, true, word);
    for (int w = 0; w < in->workspace_count; w++)
        count = add_names(r, names, count, in->workspace[w].name, word, words);
    if (names && r->machine)
        count += gdyn_criterion_names(GDYN_OF_MACHINE, true, names + count);
    for (int i = 0; i < p->count && names; i++)
        names[count++] = p->name[i];
    *out = names;
    return names ? count : 0;
}

/* Replaces index names by their values, so that the text stands for itself. */
static const char *without_indices(gdyn_reader *r, const gdyn_index *index, const char *text) {
    gdyn_text out = {0};
    gdyn_index_replace(index, text, &out);
    const char *copy = out.failed ? NULL : gdyn_arena_strdup(r->arena, out.data);
    if (!copy)
        gdyn_out_of_memory(r);
    gdyn_text_free(&out);
    return copy;
}

/* Checks a formula; *fixed gets its value when it names no criterion. */
static const char *read_criteria(gdyn_reader *r, gdyn_node *node, const char *text, int offset,
                                 gdyn_dimension *dimension, bool *fixed, double *value) {
    criteria c = {.reader = r, .index = node->index, .mixed = -1};
    gdyn_scope scope = {.constant = known_criterion, .context = &c, .weights = true};
    gdyn_expr_error error = {0};
    /* Names for suggestions are needed only where there may be errors. */
    if (r->checking)
        scope.suggestion_count = list_names(r, (const char ***)&scope.suggestions);
    gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
    /* Only names, units and grammar are judged: values of criteria are not known yet. */
    bool value_only = strstr(error.message, "zero") || strstr(error.message, "infinite") ||
                      strstr(error.message, "no value");
    *fixed = expr && !c.used;
    *value = expr ? gdyn_expr_value(expr, NULL) : NAN;
    /* What a formula is compared with has its unit, whatever its factors are: 2*line.time is a
     * time. */
    *dimension = expr ? gdyn_expr_dimension(expr) : GDYN_DIM_UNKNOWN;
    dimension->assumed = false;
    gdyn_expr_destroy(expr);
    /* Unknown names, wrong units and wrong grammar are errors. */
    if (!expr && !(value_only && c.used)) {
        gdyn_formula_error(r, node, &error, offset,
                           c.rangeless[0]
                               ? gdyn_log_help(r->log,
                                               "travel and margin need a joint or drive with a "
                                               "range: set the range of '%s'",
                                               c.rangeless)
                               : NULL);
        return NULL;
    }
    if (c.sampled && r->checking) {
        gdyn_inside_error(r, node, offset, (int)strlen(text), NULL, GDYN_CODE_CRITERION "%s",
                          c.sampled);
        return NULL;
    }
    /* Forces and torques in one number are an error, with what to use instead. */
    if (c.mixed >= 0 && r->checking) {
        const gdyn_criterion_row *row = &gdyn_criterion_table[c.mixed];
        gdyn_inside_error(r, node, offset, (int)strlen(text),
                          gdyn_log_help(r->log, "compare shares of the drives' limits: %s",
                                        gdyn_criterion_table[row->instead].name),
                          GDYN_CODE_CRITERION
                          "%s of a machine whose drives slide and turn would compare N with N m",
                          row->name);
        return NULL;
    }
    return without_indices(r, node->index, text);
}

/* --- objectives ------------------------------------------------------------------------------- */

static void read_objective(gdyn_reader *r, const gdyn_node *node, gdyn_goal *out) {
    gdyn_node *min = gdyn_node_find(node, "minimize"), *max = gdyn_node_find(node, "maximize");
    double value;
    bool fixed;
    out->maximize = max != NULL;
    /* Exactly one sense. */
    if ((min != NULL) == (max != NULL)) {
        gdyn_log_node(r->log, GDYN_ERROR, node->name,
                      "write {minimize: formula} or {maximize: formula}",
                      GDYN_CODE_GOAL "objective '%s' has %s", node->name->text,
                      min ? "two senses" : "no sense");
        return;
    }
    gdyn_node *formula = max ? max : min;
    if (!formula->bad && formula->kind == GDYN_NODE_SCALAR)
        out->text = read_criteria(r, formula, formula->text, 0, &out->dimension, &fixed, &value);
}

static void read_objectives(gdyn_reader *r, const gdyn_node *optimize) {
    gdyn_node *list = gdyn_node_map(optimize, "objectives");
    if (!list)
        return;
    /* An empty list is an error, a missing one is not. */
    if (list->count == 0)
        gdyn_read_error(r, list, NULL, GDYN_CODE_GOAL "there are no objectives");
    gdyn_goal *out = gdyn_reader_alloc(r, (size_t)list->count, sizeof *out);
    for (int i = 0; i < list->count && out; i++) {
        out[i].name = list->key[i]->text;
        if (list->item[i]->kind == GDYN_NODE_MAPPING)
            read_objective(r, list->item[i], &out[i]);
    }
    r->instance->objective = out;
    r->instance->objective_count = out ? list->count : 0;
}

/* --- constraints ------------------------------------------------------------------------------ */

/* Right-hand side: a value, or a formula that is moved to the left. */
static void read_right(gdyn_reader *r, gdyn_node *node, const char *right, gdyn_requirement *out) {
    gdyn_dimension dimension;
    bool fixed;
    double value;
    const char *text =
        read_criteria(r, node, right, (int)(right - node->text), &dimension, &fixed, &value);
    if (!text)
        return;
    /* Both sides have one dimension. */
    if (r->checking && !gdyn_dimension_fits(out->dimension, dimension)) {
        char a[64], b[64];
        gdyn_log_inside(r->log, node, (int)(right - node->text), (int)strlen(right), NULL,
                        GDYN_CODE_UNIT "units do not agree: %s and %s",
                        gdyn_dimension_text(out->dimension, a, sizeof a),
                        gdyn_dimension_text(dimension, b, sizeof b));
        return;
    }
    if (!out->dimension.known)
        out->dimension = dimension;
    out->right = fixed ? value : 0.0;
    if (fixed && !isfinite(value))
        gdyn_read_error(r, node, NULL, GDYN_CODE_VALUE "the right side has no finite value");
    /* A formula on the right moves to the left. */
    if (!fixed)
        out->left = gdyn_arena_printf(r->arena, "(%s) - (%s)", out->left, text);
}

/* The formula of {require: formula = value, tolerance: T}; NULL: another key stands there, or
 * none. */
static gdyn_node *required_of(gdyn_reader *r, gdyn_node *entry) {
    static const char *const keys[] = {"require", "tolerance", NULL};
    gdyn_node *require = gdyn_node_get(entry, "require");
    if (!gdyn_expect_keys(r, entry, keys, "a constraint", NULL))
        return NULL;
    if (!require && !gdyn_node_find(entry, "require"))
        gdyn_read_error(r, entry, "write {require: formula = value, tolerance: T}",
                        GDYN_CODE_MISSING "a constraint has no require");
    return require;
}

/* How far the sides of an equality may be apart. */
static void read_equality(gdyn_reader *r, const gdyn_node *entry, gdyn_requirement *out) {
    gdyn_node *tolerance = gdyn_node_get(entry, "tolerance");
    double value;
    if (!tolerance || !out->left)
        return;
    if (out->relation != 0)
        gdyn_read_error(r, tolerance, "move the limit instead",
                        GDYN_CODE_GOAL "only an equality has a tolerance");
    else if (gdyn_read_value(r, tolerance, out->dimension, &value)) {
        if (value > 0 && isfinite(value))
            out->tolerance = value;
        else
            gdyn_read_error(r, tolerance, NULL, GDYN_CODE_GOAL "the tolerance must be positive");
    }
}

static void read_constraint(gdyn_reader *r, gdyn_node *node, gdyn_requirement *out) {
    int length, behind;
    if (node->bad)
        return;
    if (node->kind != GDYN_NODE_SCALAR ||
        !gdyn_relation_split(node->text, &length, &out->relation, &behind)) {
        gdyn_read_error(r, node, "write formula >= value",
                        GDYN_CODE_GOAL "a constraint has exactly one of >=, <=, =");
        return;
    }
    /* Blanks around the relation do not belong to the formulas. */
    while (length > 0 && node->text[length - 1] == ' ')
        length--;
    const char *left = gdyn_arena_strndup(r->arena, node->text, (size_t)length);
    const char *right = node->text + behind + strspn(node->text + behind, " ");
    bool fixed;
    double value;
    if (!left)
        return;
    out->text = without_indices(r, node->index, node->text);
    out->left = read_criteria(r, node, left, 0, &out->dimension, &fixed, &value);
    if (out->left)
        read_right(r, node, right, out);
}

/* --- optimize --------------------------------------------------------------------------------- */

void gdyn_read_optimize(gdyn_reader *r, const gdyn_node *root) {
    gdyn_node *optimize = gdyn_node_map(root, "optimize");
    gdyn_read_search(r, optimize);
    if (!optimize)
        return;
    /* Nothing can vary. */
    if (r->checking && r->instance->design_count == 0 && !gdyn_node_find(root, "design"))
        gdyn_log_node(r->log, GDYN_ERROR, optimize->name,
                      "add design: {NAME: {min: ..., max: ...}}",
                      GDYN_CODE_NEEDS "there is nothing to optimize: no design variables");
    read_objectives(r, optimize);
    gdyn_read_aim(r, optimize);
    gdyn_read_levels(r, optimize);
    gdyn_node *list = gdyn_node_get(optimize, "constraints");
    gdyn_requirement *out = gdyn_reader_entries(r, list, GDYN_NODE_MAPPING,
                                                "write constraints: {NAME: formula >= value}",
                                                "named constraints", sizeof *out);
    for (int i = 0; out && i < list->count; i++) {
        gdyn_node *entry = list->item[i];
        bool mapping = entry->kind == GDYN_NODE_MAPPING && !entry->bad;
        gdyn_node *formula = mapping ? required_of(r, entry) : entry;
        out[i].name = list->key[i]->text;
        if (formula)
            read_constraint(r, formula, &out[i]);
        if (mapping)
            read_equality(r, entry, &out[i]);
    }
    r->instance->requirement = out;
    r->instance->requirement_count = out ? list->count : 0;
}
