/* methods.c - the methods by number and by name. */
#include "search/method.h"

#include <string.h>

enum { METHOD_COUNT = GDYN_SEARCH_HYBRID + 1 };

static const struct {
    const char *name;
    const gdyn_method *method; /* NULL: not there */
} methods[METHOD_COUNT] = {
    [GDYN_SEARCH_NSGA2] = {"nsga2", &gdyn_method_nsga2},
    [GDYN_SEARCH_DE] = {"de", &gdyn_method_de},
    [GDYN_SEARCH_NSGA3] = {"nsga3", &gdyn_method_nsga3},
    [GDYN_SEARCH_CHEBYSHEV] = {"chebyshev", &gdyn_method_sweep},
    [GDYN_SEARCH_EPSILON_CONSTRAINT] = {"epsilon_constraint", &gdyn_method_sweep},
    [GDYN_SEARCH_NBI] = {"nbi", &gdyn_method_sweep},
    [GDYN_SEARCH_HYBRID] = {"hybrid", &gdyn_method_hybrid},
};

const gdyn_method *gdyn_method_of(gdyn_search_method method) {
    return (unsigned)method < METHOD_COUNT ? methods[method].method : NULL;
}

const char *gdyn_search_method_name(gdyn_search_method method) {
    return (unsigned)method < METHOD_COUNT ? methods[method].name : "unknown";
}

bool gdyn_search_method_from_name(const char *name, gdyn_search_method *method) {
    for (int i = 0; i < METHOD_COUNT; i++)
        if (strcmp(name, methods[i].name) == 0) {
            *method = (gdyn_search_method)i;
            return true;
        }
    return false;
}
