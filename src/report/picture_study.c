/* picture_study.c - all pictures of a study, one after the other. */
#include "report/picture_study.h"

typedef gdyn_status painter(const char *folder, const gdyn_outcome *outcome, const gdyn_sink *sink);

static const struct {
    const char *kind;
    painter *paint;
} pictures_of_study[] = {
    {"front", gdyn_picture_front},         {"parallel", gdyn_picture_parallel},
    {"variables", gdyn_picture_variables}, {"history", gdyn_picture_history},
    {"failures", gdyn_picture_failures},
};

gdyn_status gdyn_picture_study(const char *folder, const gdyn_outcome *outcome,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    size_t count = sizeof pictures_of_study / sizeof *pictures_of_study;
    for (size_t i = 0; i < count && status == GDYN_OK; i++) {
        status = pictures_of_study[i].paint(folder, outcome, sink);
        if (status == GDYN_OK && !gdyn_pictures_add(pictures, "", pictures_of_study[i].kind))
            status = GDYN_ERROR_MEMORY;
    }
    return status == GDYN_OK ? gdyn_picture_designs(folder, outcome, pictures, sink) : status;
}

gdyn_status gdyn_picture_sweep(const char *folder, const gdyn_outcome *outcome,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    bool front = gdyn_study_start(outcome->study)->objective_count > 1;
    gdyn_status status = gdyn_picture_variables(folder, outcome, sink);
    bool added = gdyn_pictures_add(pictures, "", "variables");
    if (status == GDYN_OK && front) {
        status = gdyn_picture_front(folder, outcome, sink);
        added &= gdyn_pictures_add(pictures, "", "front");
    }
    return status == GDYN_OK && !added ? GDYN_ERROR_MEMORY : status;
}
