/* algorithms.c - the algorithms of NLopt: names, what they can choose, how a problem is passed to
 * them. */
#include "search/method.h"

#include <nlopt.h>
#include <string.h>

/* Algorithms that build a model of slopes or curvature cannot see whole numbers, those that begin
 * at a design and go on from neighbour to neighbour no names. */
enum {
    ISRES,
    CRS2,
    DIRECT,
    ESCH,
    MLSL,
    COBYLA,
    BOBYQA,
    NELDER_MEAD,
    SBPLX,
    SLSQP,
    MMA,
    CCSAQ,
    ALGORITHMS
};

/* Names of the algorithms in cases and options; NULL-terminated. */
const char *const gdyn_search_nlopt_names[ALGORITHMS + 1] = {
    [ISRES] = "isres", [CRS2] = "crs2",     [DIRECT] = "direct", [ESCH] = "esch",
    [MLSL] = "mlsl",   [COBYLA] = "cobyla", [BOBYQA] = "bobyqa", [NELDER_MEAD] = "nelder_mead",
    [SBPLX] = "sbplx", [SLSQP] = "slsqp",   [MMA] = "mma",       [CCSAQ] = "ccsaq"};

/* Global, hardest kind of variable; NLopt's names; form of the problem; with gradients; equalities
 * as such. */
static const gdyn_nlopt algorithms[ALGORITHMS] = {
    [ISRES] = {{true, GDYN_SEARCH_CATEGORY}, NLOPT_GN_ISRES, -1, GDYN_FORM_ROWS, false, true},
    [CRS2] = {{true, GDYN_SEARCH_CATEGORY}, NLOPT_GN_CRS2_LM, -1, GDYN_FORM_PENALTY, false, false},
    [DIRECT] =
        {{true, GDYN_SEARCH_CATEGORY}, NLOPT_GN_DIRECT_L, -1, GDYN_FORM_PENALTY, false, false},
    [ESCH] = {{true, GDYN_SEARCH_CATEGORY}, NLOPT_GN_ESCH, -1, GDYN_FORM_PENALTY, false, false},
    [MLSL] = {{true, GDYN_SEARCH_CATEGORY},
              NLOPT_G_MLSL_LDS,
              NLOPT_LN_SBPLX,
              GDYN_FORM_PENALTY,
              false,
              false},
    [COBYLA] = {{false, GDYN_SEARCH_WHOLE}, NLOPT_LN_COBYLA, -1, GDYN_FORM_EPIGRAPH, false, true},
    [BOBYQA] =
        {{false, GDYN_SEARCH_CONTINUOUS}, NLOPT_LN_BOBYQA, -1, GDYN_FORM_PENALTY, false, false},
    [NELDER_MEAD] =
        {{false, GDYN_SEARCH_WHOLE}, NLOPT_LN_NELDERMEAD, -1, GDYN_FORM_PENALTY, false, false},
    [SBPLX] = {{false, GDYN_SEARCH_WHOLE}, NLOPT_LN_SBPLX, -1, GDYN_FORM_PENALTY, false, false},
    [SLSQP] = {{false, GDYN_SEARCH_CONTINUOUS}, NLOPT_LD_SLSQP, -1, GDYN_FORM_EPIGRAPH, true, true},
    [MMA] = {{false, GDYN_SEARCH_CONTINUOUS}, NLOPT_LD_MMA, -1, GDYN_FORM_EPIGRAPH, true, false},
    [CCSAQ] =
        {{false, GDYN_SEARCH_CONTINUOUS}, NLOPT_LD_CCSAQ, -1, GDYN_FORM_EPIGRAPH, true, false},
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
