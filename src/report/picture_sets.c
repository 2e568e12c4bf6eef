/* picture_sets.c - which pictures belong to a result: a row each. Adding one: docs/adding-a-picture.md. */
#include "report/picture_study.h"
#include "report/traverse.h"

/* Adds the picture that was drawn; what went wrong before stays. */
static gdyn_status note(gdyn_pictures *pictures, gdyn_status status, const char *name,
                        const char *kind) {
    if (status != GDYN_OK)
        return status;
    return gdyn_pictures_add(pictures, name, kind) ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* --- regions ------------------------------------------------------------------------------ */

static gdyn_status paint_panels(const char *folder, const gdyn_region_view *view,
                                const gdyn_sink *sink) {
    return gdyn_picture_regions(folder, view->panels, view->count, view->point, sink);
}

static gdyn_status paint_tube(const char *folder, const gdyn_region_view *view,
                              const gdyn_sink *sink) {
    return gdyn_picture_tube(folder, view->series, sink);
}

static gdyn_status paint_limits(const char *folder, const gdyn_region_view *view,
                                const gdyn_sink *sink) {
    return gdyn_picture_limits(folder, view->series, sink);
}

static gdyn_status paint_machine(const char *folder, const gdyn_region_view *view,
                                 const gdyn_sink *sink) {
    return gdyn_picture_machine(folder, view->series->name, view->model, view->path, view->track,
                                sink);
}

static const struct {
    const char *kind;
    bool machine; /* only of a machine, not of a table of coefficients */
    gdyn_status (*paint)(const char *folder, const gdyn_region_view *view, const gdyn_sink *sink);
} of_regions[] = {
    {"regions", false, paint_panels},
    {"tube", false, paint_tube},
    {"limits", false, paint_limits},
    {"machine", true, paint_machine},
};

gdyn_status gdyn_pictures_of_regions(const char *folder, const gdyn_region_view *view,
                                     gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (size_t i = 0; i < sizeof of_regions / sizeof *of_regions && status == GDYN_OK; i++)
        if (view->model || !of_regions[i].machine)
            status = note(pictures, of_regions[i].paint(folder, view, sink), view->series->name,
                          of_regions[i].kind);
    return status;
}

/* --- motions ------------------------------------------------------------------------------ */

static const struct {
    const char *kind, *kind_of_given; /* of the fastest motion, of a given one */
    bool forces;                      /* only where forces are known */
    gdyn_status (*paint)(const char *folder, const gdyn_driven *driven, const gdyn_sink *sink);
} of_motion[] = {
    {"phase", "motion", false, gdyn_picture_phase},
    {"forces", "motion_forces", true, gdyn_picture_forces},
};

gdyn_status gdyn_pictures_of_motion(const char *folder, const gdyn_driven *driven,
                                    gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    bool known = driven->shared->points > 0 && driven->rows > 0;
    for (size_t i = 0; i < sizeof of_motion / sizeof *of_motion && status == GDYN_OK; i++)
        if (known || !of_motion[i].forces)
            status = note(pictures, of_motion[i].paint(folder, driven, sink), driven->name,
                          driven->verdict ? of_motion[i].kind_of_given : of_motion[i].kind);
    return status;
}

/* --- studies ------------------------------------------------------------------------------ */

static const struct {
    const char *kind;
    bool search, sweep; /* of a search, of a sweep */
    int objectives;     /* least number of them in a sweep */
    gdyn_status (*paint)(const char *folder, const gdyn_outcome *outcome, const gdyn_sink *sink);
} of_study[] = {
    {"front", true, true, 2, gdyn_picture_front},
    {"parallel", true, false, 0, gdyn_picture_parallel},
    {"variables", true, true, 0, gdyn_picture_variables},
    {"history", true, false, 0, gdyn_picture_history},
    {"failures", true, false, 0, gdyn_picture_failures},
};
enum { OF_STUDY = sizeof of_study / sizeof *of_study };

gdyn_status gdyn_picture_study(const char *folder, const gdyn_outcome *outcome,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < OF_STUDY && status == GDYN_OK; i++)
        if (of_study[i].search)
            status = note(pictures, of_study[i].paint(folder, outcome, sink), "", of_study[i].kind);
    return status == GDYN_OK ? gdyn_picture_designs(folder, outcome, pictures, sink) : status;
}

gdyn_status gdyn_picture_sweep(const char *folder, const gdyn_outcome *outcome,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    int objectives = gdyn_study_start(outcome->study)->objective_count;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < OF_STUDY && status == GDYN_OK; i++)
        if (of_study[i].sweep && objectives >= of_study[i].objectives)
            status = note(pictures, of_study[i].paint(folder, outcome, sink), "", of_study[i].kind);
    return status;
}
