/* search.c - options of the search: method, budget, rules for stopping. */
#include "casefile/reader.h"

#include <stdio.h>

enum { MOST_ALGORITHMS = 32 };

/* The methods that use an option behind `front`: "nsga2, de". */
static const char *users_of(gdyn_reader *r, const char *front, gdyn_search_tuning tuning) {
    const char *users[MOST_ALGORITHMS];
    int count = 0;
    for (int m = 0; gdyn_search_method_names[m] && count < MOST_ALGORITHMS; m++)
        if (gdyn_search_method_uses((gdyn_search_method)m, tuning))
            users[count++] = gdyn_search_method_names[m];
    return gdyn_log_list(r->log, front, users, count, ", ");
}

/* --- algorithms of NLopt that do not fit ------------------------------------------------------ */

static gdyn_search_kind kind_of(const gdyn_design_variable *v) {
    return v->kind == GDYN_DESIGN_TABLE ? GDYN_SEARCH_CATEGORY
           : v->integer                 ? GDYN_SEARCH_WHOLE
                                        : GDYN_SEARCH_CONTINUOUS;
}

static void check_nlopt(gdyn_reader *r, const gdyn_node *node, const gdyn_search_options *s) {
    const gdyn_search_nlopt *nlopt = gdyn_search_nlopt_of(s->nlopt);
    /* the first free design variable of the hardest kind, NULL when none is free */
    const gdyn_design_variable *v = NULL;
    for (int i = 0; i < r->instance->design_count; i++) {
        const gdyn_design_variable *one = &r->instance->design[i];
        if (one->max > one->min && (!v || kind_of(one) > kind_of(v)))
            v = one;
    }
    gdyn_search_kind hardest = v ? kind_of(v) : GDYN_SEARCH_CONTINUOUS;
    /* Everything fits, or the word was unknown. */
    if (!nlopt || gdyn_search_nlopt_fits(s->method, nlopt, hardest))
        return;
    /* "use isres, crs2 or mlsl": those that fit */
    const char *fit[MOST_ALGORITHMS];
    int count = 0;
    for (const char *const *name = gdyn_search_nlopt_names; *name && count < MOST_ALGORITHMS;
         name++)
        if (gdyn_search_nlopt_fits(s->method, gdyn_search_nlopt_of(*name), hardest))
            fit[count++] = *name;
    const char *help = gdyn_log_list(r->log, count ? "use " : "", fit, count, " or ");
    if (nlopt->global)
        gdyn_log_node(r->log, GDYN_ERROR, node, help,
                      GDYN_CODE_SEARCH
                      "the method %s needs a local algorithm, %.20s is a global one",
                      gdyn_search_method_name(s->method), s->nlopt);
    else if (hardest == GDYN_SEARCH_CATEGORY)
        gdyn_log_node(r->log, GDYN_ERROR, node, help,
                      GDYN_CODE_SEARCH
                      "the local algorithm %.20s cannot choose '%.60s', a name without an order",
                      s->nlopt, v->name);
    else
        gdyn_log_node(r->log, GDYN_ERROR, node, help,
                      GDYN_CODE_SEARCH "%.20s needs continuous variables, '%.60s' is whole",
                      s->nlopt, v->name);
}

void gdyn_read_search(gdyn_reader *r, const gdyn_node *optimize) {
    const gdyn_node *algorithm = gdyn_node_get(optimize, "algorithm");
    gdyn_search_options *s = &r->instance->search;
    *s = gdyn_search_default();
    gdyn_read_fields(r, optimize, &gdyn_schema_optimize, GDYN_COORDINATE_UNKNOWN, s);
    /* Options and algorithm must go with the method. */
    if (r->checking && algorithm) {
        /* A key that the method does not look at may be meant for another run, so it is no error;
         * but a lag says how designs are evaluated, which would be otherwise than stated. */
        for (gdyn_search_tuning k = 0; k < GDYN_SEARCH_TUNINGS; k++) {
            const gdyn_node *node = gdyn_node_find(algorithm, gdyn_search_tuning_name(k));
            bool waits = k == GDYN_SEARCH_LAG && s->lag > 0;
            if (node && !gdyn_search_method_uses(s->method, k))
                gdyn_log_node(r->log, waits ? GDYN_ERROR : GDYN_WARNING, node->name,
                              users_of(r, "it belongs to ", k),
                              GDYN_CODE_CONFLICT "the method %.40s does not use '%s'",
                              gdyn_search_method_name(s->method), gdyn_search_tuning_name(k));
        }
    }
    if (r->checking && s->nlopt)
        check_nlopt(r, gdyn_node_find(algorithm, "nlopt"), s);
}

/* --- the aim --------------------------------------------------------------------------------- */

void gdyn_read_aim(gdyn_reader *r, const gdyn_node *optimize) {
    const gdyn_node *list = gdyn_node_get(optimize, "objectives"), *first = NULL;
    int count = r->instance->objective_count;
    for (int i = 0; list && i < count && !first; i++)
        first = gdyn_node_find(list->item[i], "aim");
    double *aim = first ? gdyn_reader_alloc(r, (size_t)count, sizeof *aim) : NULL;
    if (!aim)
        return;
    bool all = true;
    for (int i = 0; i < count; i++) {
        gdyn_node *node = gdyn_node_get(list->item[i], "aim");
        all &= node && gdyn_read_value(r, node, r->instance->objective[i].dimension, &aim[i]);
    }
    if (r->checking) {
        /* every objective has one, there are several, and the method can use it */
        gdyn_search_method method = r->instance->search.method;
        for (int i = 0; i < list->count; i++)
            if (list->item[i]->kind == GDYN_NODE_MAPPING && !gdyn_node_find(list->item[i], "aim"))
                gdyn_log_node(
                    r->log, GDYN_ERROR, list->key[i], "set an aim for every objective, or for none",
                    GDYN_CODE_SEARCH "objective '%.60s' has no aim, but another objective has",
                    list->key[i]->text);
        if (list->count == 1)
            gdyn_log_node(
                r->log, GDYN_ERROR, first->name, NULL,
                GDYN_CODE_SEARCH
                "with one objective there are no compromises to choose from: leave the aim out");
        if (!gdyn_search_method_uses(method, GDYN_SEARCH_REGION))
            gdyn_log_node(r->log, GDYN_ERROR, first->name,
                          gdyn_log_help(r->log, "%s, or leave the aims out",
                                        users_of(r, "use ", GDYN_SEARCH_REGION)),
                          GDYN_CODE_SEARCH "the method %s takes no aim",
                          gdyn_search_method_name(method));
    }
    r->instance->aim = all ? aim : NULL;
}

/* --- levels of an objective ------------------------------------------------------------------ */

void gdyn_read_levels(gdyn_reader *r, const gdyn_node *optimize) {
    const gdyn_node *list = gdyn_node_get(optimize, "objectives");
    gdyn_search_options *s = &r->instance->search;
    gdyn_node *node = NULL;
    bool another = false;
    for (int i = 0; list && i < r->instance->objective_count; i++) {
        gdyn_node *levels = gdyn_node_get(list->item[i], "levels");
        another |= node && levels;
        if (levels && !node)
            node = levels, s->limited = i;
    }
    if (!node)
        return;
    /* A list of at least one value; anything else is a complaint. */
    int count = node->kind == GDYN_NODE_SEQUENCE && node->count > 0 ? node->count : 1;
    double *level = gdyn_reader_alloc(r, (size_t)count, sizeof *level);
    if (!level)
        return;
    if (gdyn_read_list(r, node, count, r->instance->objective[s->limited].dimension, level))
        s->level = level, s->level_count = count;
    if (r->checking) {
        /* one of two objectives has them, and the method uses them */
        gdyn_search_method method = r->instance->search.method;
        if (another)
            gdyn_log_node(
                r->log, GDYN_ERROR, node->name,
                "leave the levels of one objective out: it is minimized at those of the other",
                GDYN_CODE_SEARCH "both objectives have levels");
        if (r->instance->objective_count != 2)
            gdyn_log_node(r->log, GDYN_ERROR, node->name, NULL,
                          GDYN_CODE_SEARCH "levels need two objectives, there %s %d",
                          r->instance->objective_count == 1 ? "is" : "are",
                          r->instance->objective_count);
        if (method != GDYN_SEARCH_EPSILON_CONSTRAINT)
            gdyn_log_node(r->log, GDYN_ERROR, node->name,
                          "algorithm: {name: epsilon_constraint}, or leave the levels out",
                          GDYN_CODE_SEARCH "the method %s uses no levels",
                          gdyn_search_method_name(method));
    }
}
