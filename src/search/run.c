/* run.c - the whole search in one call, one design after the other. */
#include "search/search.h"

#include "base/memory.h"

static gdyn_status evaluate_generation(gdyn_search *search, const gdyn_search_callbacks *callbacks,
                                       double *f) {
    int count = gdyn_search_ask(search);
    /* Each design in turn; the callback's failure ends the search. */
    for (int i = 0; i < count; i++) {
        gdyn_search_outcome outcome = {.objective = f};
        gdyn_status status = callbacks->evaluate(callbacks->context, gdyn_search_design(search, i),
                                                 f, &outcome.violation, &outcome.failure);
        if (status != GDYN_OK)
            return status;
        gdyn_search_tell(search, i, &outcome);
    }
    return GDYN_OK;
}

gdyn_status gdyn_search_run(gdyn_search *search, const gdyn_search_callbacks *callbacks) {
    double *f = gdyn_alloc((size_t)gdyn_search_objectives(search), sizeof *f);
    if (!f)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = GDYN_OK;
    /* Until a rule stops it, or the watcher asks for the end. */
    while (status == GDYN_OK && gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        status = evaluate_generation(search, callbacks, f);
        if (status == GDYN_OK)
            status = gdyn_search_advance(search);
        gdyn_search_info info = gdyn_search_state(search);
        if (status == GDYN_OK && callbacks->progress &&
            !callbacks->progress(callbacks->context, &info))
            gdyn_search_end(search);
    }
    gdyn_free(f);
    return status;
}
