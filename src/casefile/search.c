/* search.c - how the best designs are sought, and when it is enough. */
#include "casefile/design.h"
#include "casefile/values.h"

#include <math.h>
#include <string.h>

/* A number of the algorithm and where it may lie; -1 where it is not stated. */
static double bounded(gdyn_reader *r, const gdyn_node *map, const char *key, double least,
                      bool open, double most) {
    gdyn_node *node = gdyn_node_get(map, key);
    double value;
    if (!node || !gdyn_read_value(r, node, GDYN_DIM_NONE, &value))
        return -1.0;
    if (value > least && value < most)
        return value;
    if (!open && (value == least || value == most))
        return value;
    if (isinf(most))
        gdyn_read_error(r, node, NULL, "'%s' is at least %g", key, least);
    else
        gdyn_read_error(r, node, NULL, "'%s' lies between %g and %g", key, least, most);
    return -1.0;
}

/* Keys that mean something to some of the methods only. */
static const struct {
    const char *key;
    const char *methods[6];
} of_methods[] = {
    {"crossover", {"nsga2", "nsga3", "hybrid", NULL}},
    {"mutation", {"nsga2", "nsga3", "hybrid", NULL}},
    {"weight", {"de", NULL}},
    {"rate", {"de", NULL}},
    {"divisions", {"nsga3", NULL}},
    {"nlopt", {"chebyshev", "epsilon_constraint", "nbi", "hybrid", NULL}},
    {"points", {"chebyshev", "epsilon_constraint", "nbi", "hybrid", NULL}},
    {"tolerance", {"chebyshev", "epsilon_constraint", "nbi", "hybrid", NULL}},
};

/* A key that the method does not look at may be meant for another run, so it is no error. */
static void check_keys(gdyn_reader *r, const gdyn_node *algorithm, const char *method) {
    for (size_t i = 0; i < sizeof of_methods / sizeof *of_methods; i++) {
        const gdyn_node *node = gdyn_node_find(algorithm, of_methods[i].key);
        if (node && gdyn_word_number(of_methods[i].methods, method) < 0)
            gdyn_log_node(r->log, GDYN_WARNING, node->name,
                          gdyn_log_help(r->log, "it belongs to %s", of_methods[i].methods[0]),
                          "the method %.40s does not use '%s'", method, of_methods[i].key);
    }
}

/* --- algorithms of NLopt that do not fit ------------------------------------------------------- */

static bool among(const char *const *list, const char *word) {
    return gdyn_word_number(list, word) >= 0;
}

/* The first design variable that is free and whole (or a name), NULL when there is none. */
static const gdyn_design_variable *first_whole(const gdyn_instance *instance, bool names_only) {
    for (int i = 0; i < instance->design_count; i++) {
        const gdyn_design_variable *v = &instance->design[i];
        bool name = v->kind == GDYN_DESIGN_TABLE;
        if (v->max > v->min && (name || (v->integer && !names_only)))
            return v;
    }
    return NULL;
}

/* Slopes and curvatures mean nothing to whole variables, an order nothing to names. The hybrid holds
 * both while it polishes. */
static void check_nlopt(gdyn_reader *r, const gdyn_node *node, const gdyn_search_settings *s) {
    static const char *const global[] = {"isres", "crs2", "direct", "esch", "mlsl", NULL};
    static const char *const smooth[] = {"bobyqa", "slsqp", "mma", "ccsaq", NULL};
    static const char *const sweeps[] = {"chebyshev", "epsilon_constraint", "nbi", NULL};
    if (strcmp(s->algorithm, "hybrid") == 0 && among(global, s->nlopt))
        gdyn_log_node(r->log, GDYN_ERROR, node,
                      "take cobyla, bobyqa, nelder_mead, sbplx, slsqp, mma or ccsaq",
                      "the method hybrid needs a local algorithm, %.20s is a global one", s->nlopt);
    if (!among(sweeps, s->algorithm) || among(global, s->nlopt))
        return;
    const gdyn_design_variable *name = first_whole(r->instance, true),
                               *whole = first_whole(r->instance, false);
    if (name)
        gdyn_log_node(r->log, GDYN_ERROR, node, "take isres, crs2, direct, esch or mlsl",
                      "the local algorithm %.20s cannot choose '%.60s', a name without an order",
                      s->nlopt, name->name);
    else if (whole && among(smooth, s->nlopt))
        gdyn_log_node(r->log, GDYN_ERROR, node,
                      "take isres, crs2, direct, esch, mlsl, cobyla, nelder_mead or sbplx",
                      "%.20s needs continuous variables, '%.60s' is whole", s->nlopt, whole->name);
}

static void read_algorithm(gdyn_reader *r, const gdyn_node *algorithm, gdyn_search_settings *s) {
    const gdyn_node *crossover = gdyn_node_get(algorithm, "crossover");
    const gdyn_node *mutation = gdyn_node_get(algorithm, "mutation");
    s->algorithm = gdyn_read_text(algorithm, "name", s->algorithm);
    s->population = gdyn_read_integer(r, algorithm, "population", s->population);
    s->seed = (unsigned long long)gdyn_read_integer(r, algorithm, "seed", 1);
    s->crossover = bounded(r, crossover, "probability", 0.0, false, 1.0);
    s->crossover_eta = bounded(r, crossover, "eta", 0.0, false, INFINITY);
    s->mutation = bounded(r, mutation, "probability", 0.0, false, 1.0);
    s->mutation_eta = bounded(r, mutation, "eta", 0.0, false, INFINITY);
    s->weight = bounded(r, algorithm, "weight", 0.0, true, 2.0);
    s->rate = bounded(r, algorithm, "rate", 0.0, false, 1.0);
    s->divisions = gdyn_read_integer(r, algorithm, "divisions", 0);
    s->nlopt = gdyn_read_text(algorithm, "nlopt", NULL);
    s->points = gdyn_read_integer(r, algorithm, "points", 0);
    s->tolerance = bounded(r, algorithm, "tolerance", 0.0, true, 1.0);
    if (r->checking && algorithm)
        check_keys(r, algorithm, s->algorithm);
    if (r->checking && s->nlopt)
        check_nlopt(r, gdyn_node_find(algorithm, "nlopt"), s);
}

void gdyn_read_search(gdyn_reader *r, const gdyn_node *optimize) {
    const gdyn_node *stop = gdyn_node_get(optimize, "stop"), *stall = gdyn_node_get(stop, "stall");
    gdyn_search_settings *s = &r->instance->search;
    *s = (gdyn_search_settings){
        .algorithm = "nsga2", .population = 96, .seed = 1, .evaluations = 10000};
    read_algorithm(r, gdyn_node_get(optimize, "algorithm"), s);
    s->evaluations = gdyn_read_integer(r, stop, "evaluations", s->evaluations);
    s->generations = gdyn_read_integer(r, stop, "generations", 0);
    s->time = gdyn_read_number(r, stop, "time", GDYN_DIM_TIME, 0.0);
    s->stall_window = gdyn_read_integer(r, stall, "window", 0);
    s->stall_tolerance = gdyn_read_number(r, stall, "tolerance", GDYN_DIM_NONE, 0.0);
}
