/* picture_sets.c - which pictures belong to a result: a row each. Adding one: CONTRIBUTING.md. */
#include "report/modes_report.h"
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

/* The places that were asked for, else some of the path. */
static gdyn_status paint_panels(const char *folder, const gdyn_trajectory *t,
                                const gdyn_sink *sink) {
    enum { SPREAD = 6, MOST = 12 };
    const gdyn_region_points *panels = t->at.points > 0 ? &t->at : &t->along;
    int points[MOST], count = 0;
    for (; t->at.points > 0 && count < panels->points && count < MOST; count++)
        points[count] = count;
    if (t->at.points == 0)
        count = gdyn_report_spread(panels, SPREAD, points);
    return gdyn_picture_regions(folder, t, panels, count, points, sink);
}

static gdyn_status paint_machine(const char *folder, const gdyn_trajectory *t,
                                 const gdyn_sink *sink) {
    return gdyn_picture_machine(folder, t->name, t->instance->model, gdyn_path_definition(t->path),
                                gdyn_trajectory_points(t), sink);
}

static gdyn_status paint_ranges(const char *folder, const gdyn_trajectory *t,
                                const gdyn_sink *sink) {
    return gdyn_picture_ranges(folder, t->name, t->path, gdyn_trajectory_points(t), sink);
}

static bool always(const gdyn_trajectory *t) {
    (void)t;
    return true;
}

/* Not a table of coefficients. */
static bool is_machine(const gdyn_trajectory *t) {
    return t->path != NULL;
}

static bool has_ranges(const gdyn_trajectory *t) {
    return t->path && gdyn_model_ranges(t->instance->model) > 0;
}

static const struct {
    const char *kind;
    bool (*wanted)(const gdyn_trajectory *t);
    gdyn_status (*paint)(const char *folder, const gdyn_trajectory *t, const gdyn_sink *sink);
} of_regions[] = {
    {"regions", always, paint_panels},       {"tube", always, gdyn_picture_tube},
    {"limits", always, gdyn_picture_limits}, {"ranges", has_ranges, paint_ranges},
    {"machine", is_machine, paint_machine},
};

gdyn_status gdyn_pictures_of_regions(const char *folder, const gdyn_trajectory *t,
                                     gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (size_t i = 0; i < sizeof of_regions / sizeof *of_regions && status == GDYN_OK; i++)
        if (of_regions[i].wanted(t))
            status =
                note(pictures, of_regions[i].paint(folder, t, sink), t->name, of_regions[i].kind);
    return status;
}

/* --- the machine -------------------------------------------------------------------------- */

gdyn_status gdyn_pictures_of_examination(const char *folder, const gdyn_examination *e,
                                         gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = note(pictures, gdyn_picture_pose(folder, e, sink), "", "machine");
    for (int i = 0; i < e->opened && status == GDYN_OK && gdyn_model_ranges(e->model) > 0; i++) {
        const gdyn_trajectory *one = &e->trajectory[i];
        status = note(pictures, gdyn_picture_ranges(folder, one->name, one->path, one->track, sink),
                      one->name, "ranges");
    }
    return status;
}

gdyn_status gdyn_pictures_of_modes(const char *folder, const gdyn_modes *modes,
                                   gdyn_pictures *pictures, const gdyn_sink *sink) {
    if (modes->count == 0)
        return GDYN_OK;
    return note(pictures, gdyn_picture_modes(folder, modes, sink), "", "modes");
}

/* --- motions ------------------------------------------------------------------------------ */

static const struct {
    const char *kind, *kind_of_given; /* of the fastest motion, of a given one */
    bool forces;                      /* only where forces are known */
    gdyn_status (*paint)(const char *folder, const gdyn_trajectory *t, const gdyn_sink *sink);
} of_motion[] = {
    {"phase", "motion", false, gdyn_picture_phase},
    {"forces", "motion_forces", true, gdyn_picture_forces},
};

gdyn_status gdyn_pictures_of_motion(const char *folder, const gdyn_trajectory *t,
                                    gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    bool known = t->shared.points > 0 && t->rows > 0;
    for (size_t i = 0; i < sizeof of_motion / sizeof *of_motion && status == GDYN_OK; i++)
        if (known || !of_motion[i].forces)
            status = note(pictures, of_motion[i].paint(folder, t, sink), t->name,
                          t->given ? of_motion[i].kind_of_given : of_motion[i].kind);
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
