/* methods.c - the methods: names, options, use of NLopt. */
#include "search/method.h"

#include <string.h>
#include <nlopt.h>

/* What a method does with an algorithm of NLopt. */
typedef enum use {
    NOTHING,
    POLISH, /* local searches from designs of a population, whole variables held */
    SOLVE   /* problems from end to end */
} use;

#define BIT(tuning) (1u << GDYN_SEARCH_##tuning)
enum {
    GENETIC = BIT(CROSSOVER) | BIT(MUTATION) | BIT(REGION),
    DIFFERENTIAL = BIT(WEIGHT) | BIT(RATE) | BIT(REGION),
    SCALAR = BIT(NLOPT) | BIT(POINTS) | BIT(TOLERANCE)
};

static const struct {
    const gdyn_method *method;
    unsigned tunings;
    use nlopt;
} methods[GDYN_SEARCH_METHODS] = {
    [GDYN_SEARCH_NSGA2] = {&gdyn_method_nsga2, GENETIC | BIT(LAG), NOTHING},
    [GDYN_SEARCH_DE] = {&gdyn_method_de, DIFFERENTIAL | BIT(LAG), NOTHING},
    [GDYN_SEARCH_NSGA3] = {&gdyn_method_nsga3, GENETIC | BIT(DIVISIONS) | BIT(LAG), NOTHING},
    [GDYN_SEARCH_CHEBYSHEV] = {&gdyn_method_sweep, SCALAR, SOLVE},
    [GDYN_SEARCH_EPSILON_CONSTRAINT] = {&gdyn_method_sweep, SCALAR, SOLVE},
    [GDYN_SEARCH_NBI] = {&gdyn_method_sweep, SCALAR, SOLVE},
    [GDYN_SEARCH_HYBRID] = {&gdyn_method_hybrid, DIFFERENTIAL | SCALAR, POLISH},
    [GDYN_SEARCH_SURROGATE] = {&gdyn_method_surrogate, BIT(BATCH) | BIT(LAG) | BIT(REGION),
                               NOTHING},
    [GDYN_SEARCH_AUTO] = {NULL,
                          DIFFERENTIAL | SCALAR | GENETIC | BIT(DIVISIONS) | BIT(BATCH) | BIT(LAG),
                          POLISH},
};

const char *const gdyn_search_method_names[GDYN_SEARCH_METHODS + 1] = {
    [GDYN_SEARCH_NSGA2] = "nsga2",
    [GDYN_SEARCH_DE] = "de",
    [GDYN_SEARCH_NSGA3] = "nsga3",
    [GDYN_SEARCH_CHEBYSHEV] = "chebyshev",
    [GDYN_SEARCH_EPSILON_CONSTRAINT] = "epsilon_constraint",
    [GDYN_SEARCH_NBI] = "nbi",
    [GDYN_SEARCH_HYBRID] = "hybrid",
    [GDYN_SEARCH_SURROGATE] = "surrogate",
    [GDYN_SEARCH_AUTO] = "auto",
};

const gdyn_method *gdyn_method_of(gdyn_search_method method) {
    return (unsigned)method < GDYN_SEARCH_METHODS ? methods[method].method : NULL;
}

const char *gdyn_search_method_name(gdyn_search_method method) {
    return (unsigned)method < GDYN_SEARCH_METHODS ? gdyn_search_method_names[method] : "unknown";
}

bool gdyn_search_method_from_name(const char *name, gdyn_search_method *method) {
    for (int i = 0; i < GDYN_SEARCH_METHODS; i++)
        if (strcmp(name, gdyn_search_method_names[i]) == 0) {
            *method = (gdyn_search_method)i;
            return true;
        }
    return false;
}

const char *gdyn_search_tuning_name(gdyn_search_tuning tuning) {
    static const char *const tunings[GDYN_SEARCH_TUNINGS] = {
        [GDYN_SEARCH_CROSSOVER] = "crossover", [GDYN_SEARCH_MUTATION] = "mutation",
        [GDYN_SEARCH_WEIGHT] = "weight",       [GDYN_SEARCH_RATE] = "rate",
        [GDYN_SEARCH_DIVISIONS] = "divisions", [GDYN_SEARCH_NLOPT] = "nlopt",
        [GDYN_SEARCH_POINTS] = "points",       [GDYN_SEARCH_TOLERANCE] = "tolerance",
        [GDYN_SEARCH_BATCH] = "batch",         [GDYN_SEARCH_LAG] = "lag",
        [GDYN_SEARCH_REGION] = "region"};
    return tunings[tuning];
}

bool gdyn_search_method_uses(gdyn_search_method method, gdyn_search_tuning tuning) {
    return methods[method].tunings >> tuning & 1;
}

bool gdyn_search_nlopt_fits(gdyn_search_method method, const gdyn_search_nlopt *nlopt,
                            gdyn_search_kind hardest) {
    /* Polishing needs a start; solving needs an algorithm for the hardest variable. */
    switch (methods[method].nlopt) {
    case POLISH:
        return !nlopt->global;
    case SOLVE:
        return nlopt->takes >= hardest;
    case NOTHING:
        break;
    }
    return true;
}

void gdyn_search_decide(int objectives, gdyn_search_options *o) {
    /* Measured: docs/evidence.md. */
    enum { FEW_DESIGNS = 500, FEW_OBJECTIVES = 3, GENERATIONS = 15, LEAST = 24, MOST = 96 };
    long budget = o->evaluations;
    if (o->method == GDYN_SEARCH_AUTO)
        o->method = budget > 0 && budget <= FEW_DESIGNS         ? GDYN_SEARCH_SURROGATE
                    : objectives > FEW_OBJECTIVES || o->lag > 0 ? GDYN_SEARCH_DE
                                                                : GDYN_SEARCH_HYBRID;
    if (o->population != 0)
        return;
    /* The population of surrogate costs nothing: it is only what is kept. */
    bool limited = budget > 0 && budget < GENERATIONS * MOST && o->method != GDYN_SEARCH_SURROGATE;
    int share = limited ? (int)(budget / GENERATIONS) : MOST;
    o->population = share < LEAST ? LEAST : share;
}

bool gdyn_nlopt_fits(const gdyn_search *s, const gdyn_nlopt *nlopt) {
    gdyn_search_kind hardest = s->names   ? GDYN_SEARCH_CATEGORY
                               : s->whole ? GDYN_SEARCH_WHOLE
                                          : GDYN_SEARCH_CONTINUOUS;
    return gdyn_search_nlopt_fits(s->options.method, &nlopt->about, hardest);
}

/* --- the algorithms of NLopt: names, what they can choose, how a problem is passed to them. */

/* Algorithms that build a model of slopes or curvature cannot see whole numbers, those that begin
 * at a design and go on from neighbour to neighbour no names. */
enum { ALGORITHMS = 12 };

/* Names of the algorithms in cases and options; NULL-terminated. */
const char *const gdyn_search_nlopt_names[ALGORITHMS + 1] = {
    "isres",  "crs2",        "direct", "esch",  "mlsl", "cobyla",
    "bobyqa", "nelder_mead", "sbplx",  "slsqp", "mma",  "ccsaq"};

#define NAMES   GDYN_SEARCH_CATEGORY
#define WHOLE   GDYN_SEARCH_WHOLE
#define NUMBERS GDYN_SEARCH_CONTINUOUS

/* In the order of their names: global, hardest kind of variable; NLopt's names; form of the
 * problem; with gradients; equalities as such. */
static const gdyn_nlopt algorithms[ALGORITHMS] = {
    {{true, NAMES}, NLOPT_GN_ISRES, -1, GDYN_FORM_ROWS, false, true},
    {{true, NAMES}, NLOPT_GN_CRS2_LM, -1, GDYN_FORM_PENALTY, false, false},
    {{true, NAMES}, NLOPT_GN_DIRECT_L, -1, GDYN_FORM_PENALTY, false, false},
    {{true, NAMES}, NLOPT_GN_ESCH, -1, GDYN_FORM_PENALTY, false, false},
    {{true, NAMES}, NLOPT_G_MLSL_LDS, NLOPT_LN_SBPLX, GDYN_FORM_PENALTY, false, false},
    {{false, WHOLE}, NLOPT_LN_COBYLA, -1, GDYN_FORM_EPIGRAPH, false, true},
    {{false, NUMBERS}, NLOPT_LN_BOBYQA, -1, GDYN_FORM_PENALTY, false, false},
    {{false, WHOLE}, NLOPT_LN_NELDERMEAD, -1, GDYN_FORM_PENALTY, false, false},
    {{false, WHOLE}, NLOPT_LN_SBPLX, -1, GDYN_FORM_PENALTY, false, false},
    {{false, NUMBERS}, NLOPT_LD_SLSQP, -1, GDYN_FORM_EPIGRAPH, true, true},
    {{false, NUMBERS}, NLOPT_LD_MMA, -1, GDYN_FORM_EPIGRAPH, true, false},
    {{false, NUMBERS}, NLOPT_LD_CCSAQ, -1, GDYN_FORM_EPIGRAPH, true, false},
};

const gdyn_nlopt *gdyn_nlopt_of(const char *name) {
    for (int i = 0; i < ALGORITHMS; i++)
        if (strcmp(name, gdyn_search_nlopt_names[i]) == 0)
            return &algorithms[i];
    return NULL;
}

const gdyn_search_nlopt *gdyn_search_nlopt_of(const char *name) {
    const gdyn_nlopt *found = gdyn_nlopt_of(name);
    return found ? &found->about : NULL;
}
