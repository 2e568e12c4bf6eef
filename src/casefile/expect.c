/* expect.c - known results of a case, parsed: TRAJECTORY.CRITERION(NAME)@P(D1). */
#include "casefile/reader.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

typedef struct quantity {
    gdyn_reader *r;
    gdyn_node *node;
    gdyn_expectation *out;
    const char *rest; /* what has not been read yet */
} quantity;

/* Where a place stands in the text of the quantity. */
static int offset_of(const quantity *q, const char *at) {
    return (int)(at - q->node->text);
}

/* An error at a place of the quantity. */
static bool complain_at(const quantity *q, const char *at, size_t width, const char *help,
                        const char *message) {
    return gdyn_inside_error(q->r, q->node, offset_of(q, at), (int)width, help,
                             GDYN_CODE_EXPECT "%s", message);
}

static size_t word_length(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    return n;
}

/* Whether the first characters are this word. */
static bool is_word(const char *text, size_t length, const char *word) {
    return length == strlen(word) && strncmp(text, word, length) == 0;
}

/* --- names ------------------------------------------------------------------------------------ */

/* The nearest name of the vocabulary as help. */
static const char *suggest(const quantity *q, const char *word, unsigned of) {
    const char *names[GDYN_CRITERIA];
    int count = gdyn_criterion_names(of, false, names);
    return word ? gdyn_log_suggest(q->r->log, word, names, count) : NULL;
}

/* Number of the name of that width at the place in a list whose entries begin with theirs; -1
 * after a complaint. */
static int find_named(quantity *q, const char *at, size_t width, const void *list, size_t stride,
                      int count, const char *complaint) {
    const char *help = NULL, *name = gdyn_arena_strndup(q->r->arena, at, width);
    int found = name ? gdyn_find_name(q->r, name, list, stride, count, &help) : -1;
    if (name && found < 0)
        complain_at(q, at, width ? width : 1, help, complaint);
    return found;
}

/* A component of that joint at the place; false after a complaint. */
static bool read_component(quantity *q, const gdyn_joint_entry *joint, const char *at,
                           size_t width) {
    const char *names[GDYN_CARRIED_MOST];
    int count = 0;
    /* A joint whose components are not known may have any. */
    if (!joint->carried)
        return true;
    for (const char *c = joint->carried; *c; c++) {
        names[count] = gdyn_carried_name(*c);
        if (is_word(at, width, names[count++]))
            return true;
    }
    return complain_at(q, at, width ? width : 1,
                       gdyn_log_list(q->r->log, "its components are ", names, count, ", "),
                       "the reaction of this joint has no such component");
}

/* JOINT or JOINT.COMPONENT at the place, `width` characters. */
static bool read_term(quantity *q, const char *at, size_t width, bool component_wanted) {
    const gdyn_reader *r = q->r;
    int joint = find_named(q, at, strcspn(at, ".+"), r->joint, sizeof *r->joint, r->joints,
                           "unknown joint");
    const char *dot = memchr(at, '.', width);
    if (joint < 0)
        return false;
    if (dot)
        return read_component(q, &q->r->joint[joint], dot + 1, width - (size_t)(dot + 1 - at));
    if (component_wanted)
        complain_at(q, at, width ? width : 1, "write reaction.JOINT.COMPONENT, such as A.fx",
                    "the component is missing");
    return !component_wanted;
}

/* reactions.JOINT or reactions.JOINT.COMPONENT: a verdict at the assembled first guess;
 * reaction.TERM+TERM+..., each JOINT.COMPONENT: how much they are together there. */
static void read_reaction(quantity *q, size_t length, bool amount) {
    const char *name = q->rest + length + 1;
    q->out->kind = amount ? GDYN_EXPECT_REACTION : GDYN_EXPECT_VERDICT;
    q->out->entity = gdyn_arena_strdup(q->r->arena, name);
    /* Term by term, joined by '+'. */
    for (const char *next = name;;) {
        size_t width = amount ? strcspn(next, "+") : strlen(next);
        if (!read_term(q, next, width, amount) || next[width] == '\0')
            return;
        next += width + 1;
    }
}

/* objective.NAME or constraint.NAME. */
static void read_goal(quantity *q, size_t length) {
    gdyn_reader *r = q->r;
    const gdyn_instance *in = r->instance;
    bool objective = q->rest[0] == 'o';
    const char *name = q->rest + length + 1;
    q->out->kind = objective ? GDYN_EXPECT_OBJECTIVE : GDYN_EXPECT_CONSTRAINT;
    q->out->entity = gdyn_arena_strdup(r->arena, name);
    q->out->goal = objective
                       ? find_named(q, name, strlen(name), in->objective, sizeof *in->objective,
                                    in->objective_count, "unknown objective")
                       : find_named(q, name, strlen(name), in->requirement, sizeof *in->requirement,
                                    in->requirement_count, "unknown constraint");
}

/* WORKSPACE.CRITERION; false: the first word is no workspace. */
static bool read_workspace_quantity(quantity *q, size_t length) {
    const gdyn_instance *in = q->r->instance;
    int found =
        gdyn_find_span(q->rest, length, in->workspace, sizeof *in->workspace, in->workspace_count);
    if (found < 0)
        return false;
    const char *word = q->rest + length + 1;
    q->out->kind = GDYN_EXPECT_WORKSPACE, q->out->workspace = found;
    q->out->criterion = gdyn_criterion_find(word, GDYN_OF_WORKSPACE, false);
    if (q->out->criterion < 0)
        complain_at(q, word, strlen(word) ? strlen(word) : 1, suggest(q, word, GDYN_OF_WORKSPACE),
                    "this is not a quantity of a workspace");
    return true;
}

/* The criterion behind the trajectory's name; false after a complaint. */
static bool read_criterion_word(quantity *q) {
    const gdyn_reader *r = q->r;
    size_t length = word_length(q->rest);
    char *word = gdyn_arena_strndup(r->arena, q->rest, length);
    /* The form tells what the criterion is of: @ a point, ( a range. */
    bool point = strchr(q->rest, '@') != NULL;
    unsigned of = point                    ? GDYN_OF_POINT
                  : q->rest[length] == '(' ? GDYN_OF_RANGE
                                           : GDYN_OF_TRAJECTORY;
    int row = word ? gdyn_criterion_find(word, of, false) : -1;
    q->out->criterion = row;
    q->out->kind = point ? GDYN_EXPECT_POINT : GDYN_EXPECT_TRAJECTORY;
    /* Mixed efforts cannot be compared with one number. */
    if (row >= 0 && gdyn_case_criterion_mixed(r->instance, row))
        return complain_at(
            q, q->rest, length,
            gdyn_log_help(r->log, "%s compares drives that slide and turn",
                          gdyn_criterion_table[gdyn_criterion_table[row].instead].name),
            "this would compare N with N m");
    if (row >= 0) {
        q->rest += length;
        return true;
    }
    /* Not found: perhaps it is of a range, or of a point. */
    const char *help = suggest(q, word, of);
    if (of == GDYN_OF_TRAJECTORY && word && gdyn_criterion_find(word, GDYN_OF_RANGE, false) >= 0)
        help = gdyn_log_help(r->log, "name the range: %.60s(NAME)", q->node->text);
    if (!point && word && gdyn_criterion_find(word, GDYN_OF_POINT, false) >= 0)
        help = gdyn_log_help(r->log, "say where: %.60s@P", q->node->text);
    return complain_at(q, q->rest, length, help,
                       point ? "this is not a quantity of one point of a path"
                             : "this is not a quantity of a trajectory");
}

/* What the criterion wants in parentheses. */
static gdyn_argument argument_of(const gdyn_expectation *e) {
    return gdyn_criterion_table[e->criterion].argument;
}

/* --- (NAME) ----------------------------------------------------------------------------------- */

/* joint(NAME), length(DRIVE), travel(NAME) name their entity; others have none. */
static bool read_entity(quantity *q) {
    gdyn_argument argument = argument_of(q->out);
    static const char *const form[] = {[GDYN_ARGUMENT_JOINT] = "write TRAJECTORY.joint(NAME)@P",
                                       [GDYN_ARGUMENT_DRIVE] = "write TRAJECTORY.length(DRIVE)@P",
                                       [GDYN_ARGUMENT_RANGE] = "write TRAJECTORY.travel(NAME)"};
    /* Only criteria with an argument name an entity. */
    if (argument == GDYN_ARGUMENT_NONE || argument == GDYN_ARGUMENT_D1)
        return true;
    /* The name in parentheses. */
    const char *close = *q->rest == '(' ? strchr(q->rest, ')') : NULL;
    if (!close)
        return complain_at(q, q->rest, 1, form[argument], "a name in parentheses is missing");
    q->rest++;
    char *name = gdyn_arena_strndup(q->r->arena, q->rest, (size_t)(close - q->rest));
    const char *help = NULL;
    gdyn_coordinate along;
    bool good = false;
    if (!name)
        return false;
    q->out->entity = name;
    if (argument == GDYN_ARGUMENT_JOINT)
        good = gdyn_joint_from_text(q->r, q->node, name, &q->out->joint, &q->out->freedom, &along);
    else if (argument == GDYN_ARGUMENT_RANGE)
        good =
            (q->out->range = gdyn_find_name(q->r, name, q->r->range, sizeof *q->r->range,
                                            q->r->ranges, &help)) >= 0 ||
            complain_at(q, q->rest, strlen(name),
                        q->r->ranges ? help : "set range: {min: ..., max: ...} of a joint or drive",
                        "no range has this name");
    else
        good =
            (q->out->drive = find_named(q, q->rest, (size_t)(close - q->rest), q->r->drive,
                                        sizeof *q->r->drive, q->r->drives, "unknown drive")) >= 0;
    q->rest = close + 1;
    return good;
}

/* --- @P(D1) ----------------------------------------------------------------------------------- */

/* Start of the last parenthesis that closes at the end of the text, or NULL. */
static const char *last_group(const char *text) {
    size_t length = strlen(text);
    int depth = 0;
    if (length == 0 || text[length - 1] != ')')
        return NULL;
    /* From the end back to where it opens. */
    for (size_t i = length; i > 0; i--) {
        depth += text[i - 1] == ')';
        depth -= text[i - 1] == '(';
        if (depth == 0)
            return text + i - 1;
    }
    return NULL;
}

/* A constant formula at the place; false after a complaint. */
static bool number_at(quantity *q, const char *start, size_t length, double *value) {
    char *text = gdyn_arena_strndup(q->r->arena, start, length);
    gdyn_expr *expr = text ? gdyn_compile_constant(q->r, q->node, text, offset_of(q, start)) : NULL;
    if (!expr)
        return false;
    *value = gdyn_expr_value(expr, NULL);
    gdyn_expr_destroy(expr);
    if (isfinite(*value))
        return true;
    return complain_at(q, start, length, NULL, "this has no value");
}

/* The point at which the criterion is taken, and the speed there. */
static bool read_place(quantity *q) {
    bool d1 = argument_of(q->out) == GDYN_ARGUMENT_D1;
    /* @P, and (D1) where the criterion is taken at a speed. */
    if (*q->rest != '@')
        return complain_at(q, q->rest, 1, "write TRAJECTORY.QUANTITY@P", "expected '@' here");
    q->rest++;
    const char *group = d1 ? last_group(q->rest) : NULL;
    size_t length = group ? (size_t)(group - q->rest) : strlen(q->rest);
    if (d1 && (!group || length == 0))
        return complain_at(q, q->rest, strlen(q->rest), "write TRAJECTORY.d2_max@P(D1)",
                           "the value of d1 is missing");
    q->out->has_p = number_at(q, q->rest, length, &q->out->p);
    q->out->has_d1 = group && number_at(q, group + 1, strlen(group) - 2, &q->out->d1);
    return q->out->has_p && q->out->has_d1 == d1;
}

/* What is expected of what. */
static void read_quantity(gdyn_reader *r, gdyn_node *node, gdyn_expectation *out) {
    quantity q = {r, node, out, node->text};
    size_t length = word_length(q.rest);
    out->quantity = gdyn_arena_strdup(r->arena, node->text);
    /* By the first word: machine, reactions, goals, else a workspace or trajectory. */
    if (q.rest[length] != '.') {
        /* a criterion of the machine */
        char *word = gdyn_arena_strndup(q.r->arena, q.rest, length);
        q.out->kind = GDYN_EXPECT_MACHINE;
        /* The whole text must be the word. */
        q.out->criterion = word ? gdyn_criterion_find(word, GDYN_OF_MACHINE, false) : -1;
        if (q.out->criterion < 0 || q.rest[length] != '\0')
            complain_at(&q, q.rest, length, suggest(&q, word, GDYN_OF_MACHINE),
                        "this is not a quantity of a machine");
        return;
    }
    if (is_word(q.rest, length, "reactions") || is_word(q.rest, length, "reaction")) {
        read_reaction(&q, length, is_word(q.rest, length, "reaction"));
        return;
    }
    if (is_word(q.rest, length, "objective") || is_word(q.rest, length, "constraint")) {
        read_goal(&q, length);
        return;
    }
    if (read_workspace_quantity(&q, length))
        return;
    /* TRAJECTORY at the place */
    const gdyn_instance *in = q.r->instance;
    q.out->trajectory = find_named(&q, q.rest, length, in->trajectory, sizeof *in->trajectory,
                                   in->trajectory_count, "unknown trajectory");
    q.rest += length + 1;
    if (q.out->trajectory < 0 || !read_criterion_word(&q))
        return;
    if (!read_entity(&q))
        return;
    if (out->kind == GDYN_EXPECT_POINT)
        read_place(&q);
    else if (*q.rest)
        complain_at(&q, q.rest, strlen(q.rest), NULL, "unexpected text after the quantity");
}

/* Unit of the expected value. */
static gdyn_dimension dimension_of(const gdyn_reader *r, const gdyn_expectation *e) {
    const gdyn_instance *in = r->instance;
    const gdyn_path_def *path = e->trajectory >= 0 ? &in->trajectory[e->trajectory] : NULL;
    if (e->workspace >= 0)
        return e->criterion < 0
                   ? GDYN_DIM_UNKNOWN
                   : gdyn_case_workspace_dimension(&in->workspace[e->workspace], e->criterion);
    if (e->range >= 0)
        return gdyn_dimension_along(GDYN_D_COORDINATE, r->range[e->range].along);
    return e->criterion < 0 ? GDYN_DIM_UNKNOWN
                            : gdyn_case_criterion_dimension(in, path, e->criterion);
}

static void read_value(gdyn_reader *r, gdyn_node *node, gdyn_expectation *out) {
    /* none: expected to have no value. */
    if (gdyn_node_is(node, "none")) {
        out->none = true;
        return;
    }
    static const char *const verdicts[] = {"unique", "drive-dependent", "indeterminate", NULL};
    if (out->kind == GDYN_EXPECT_VERDICT) {
        int verdict = node->kind == GDYN_NODE_SCALAR ? gdyn_word_number(verdicts, node->text) : -1;
        if (verdict < 0)
            gdyn_read_error(r, node, "one of: unique, drive-dependent, indeterminate",
                            GDYN_CODE_EXPECT "this is not a verdict");
        out->value = verdict;
        return;
    }
    gdyn_read_limit(r, node, dimension_of(r, out), &out->value);
    out->infinite = isinf(out->value);
}

/* One design variable of `at`; false after a complaint. */
static bool read_setting(gdyn_reader *r, const gdyn_node *key, gdyn_node *item, gdyn_setting *out) {
    const gdyn_instance *in = r->instance;
    const char *help;
    int found =
        gdyn_find_name(r, key->text, in->design, sizeof *in->design, in->design_count, &help);
    if (found < 0)
        return gdyn_read_error(r, item, help, GDYN_CODE_EXPECT "'%.60s' is not a design variable",
                               key->text);
    const gdyn_design_variable *v = &in->design[found];
    *out = (gdyn_setting){.name = v->name};
    /* {repeat: ..., value: 0} is written out as {value: 0}. */
    gdyn_node *inner = item->count == 1 ? gdyn_node_get(item, "value") : NULL;
    item = inner ? inner : item;
    for (int i = 0; v->kind == GDYN_DESIGN_TABLE && i < v->choices; i++)
        if (gdyn_node_is(item, v->choice[i])) {
            out->value = i;
            return true;
        }
    return gdyn_read_value(r, item, v->dimension, &out->value);
}

/* at: {x1: 0.5}: the design the objective or constraint is of. */
static void read_design(gdyn_reader *r, gdyn_node *at, gdyn_expectation *out) {
    bool goal = out->kind == GDYN_EXPECT_OBJECTIVE || out->kind == GDYN_EXPECT_CONSTRAINT;
    if (at->kind != GDYN_NODE_MAPPING || (out->kind != GDYN_EXPECT_NOTHING && !goal)) {
        gdyn_read_error(r, at, "write {quantity: objective.NAME, at: {VARIABLE: value}, ...}",
                        GDYN_CODE_EXPECT
                        "'at' sets design variables of an objective or constraint");
        return;
    }
    gdyn_setting *list = gdyn_reader_alloc(r, (size_t)at->count + 1, sizeof *list);
    for (int i = 0; list && i < at->count; i++)
        out->setting_count += read_setting(r, at->key[i], at->item[i], &list[out->setting_count]);
    out->setting = list;
}

static void read_entry(gdyn_reader *r, const gdyn_node *node, gdyn_expectation *out) {
    gdyn_node *what = gdyn_node_get(node, "quantity"), *value = gdyn_node_get(node, "value");
    /* Nothing is found yet; the line is kept for messages. */
    gdyn_schema_expect.fills->initial(out);
    gdyn_read_fields(r, node, &gdyn_schema_expect, GDYN_COORDINATE_UNKNOWN, out);
    out->file = node->source->name, out->line = node->line;
    /* the quantity first: it decides the unit of the value */
    if (what && what->kind == GDYN_NODE_SCALAR)
        read_quantity(r, what, out);
    gdyn_node *at = gdyn_node_get(node, "at");
    if (at)
        read_design(r, at, out);
    if (value)
        read_value(r, value, out);
    /* Unless given, the tolerance is a millionth of the value, of 1 at least. */
    double usual = out->infinite ? 0.0 : 1e-6 * fmax(1.0, fabs(out->value));
    out->tolerance = gdyn_read_number(r, node, "tolerance", dimension_of(r, out), usual);
    if (out->tolerance < 0.0)
        gdyn_read_error(r, gdyn_node_get(node, "tolerance"), NULL,
                        GDYN_CODE_EXPECT "the tolerance is negative");
}

void gdyn_read_expect(gdyn_reader *r, const gdyn_node *root) {
    const gdyn_node *list = gdyn_node_get(root, "expect");
    if (!list || list->kind != GDYN_NODE_SEQUENCE)
        return;
    gdyn_expectation *out = gdyn_reader_alloc(r, (size_t)list->count, sizeof *out);
    for (int i = 0; i < list->count && out; i++)
        if (list->item[i]->kind == GDYN_NODE_MAPPING)
            read_entry(r, list->item[i], &out[i]);
    r->instance->expectation = out;
    r->instance->expectation_count = out ? list->count : 0;
}
