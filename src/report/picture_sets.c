/* picture_sets.c - which pictures belong to a result: a row each. Adding one: CONTRIBUTING.md. */
#include "report/picture_study.h"
#include "report/traverse.h"

/* --- regions ------------------------------------------------------------------------------ */

/* The places that were asked for, else some of the path. */
static void draw_regions(gdyn_figure *f, const gdyn_trajectory *t) {
    enum { SPREAD = 6, MOST = 12 };
    const gdyn_region_points *panels = t->at.points > 0 ? &t->at : &t->along;
    int points[MOST], count = 0;
    for (; t->at.points > 0 && count < panels->points && count < MOST; count++)
        points[count] = count;
    if (t->at.points == 0)
        count = gdyn_report_spread(panels, SPREAD, points);
    gdyn_regions_figure(f, t, panels, count, points, NULL);
}

static void draw_limits(gdyn_figure *f, const gdyn_trajectory *t) {
    gdyn_limits_figure(f, t, NULL);
}

static void draw_ranges(gdyn_figure *f, const gdyn_trajectory *t) {
    gdyn_ranges_figure(f, t, t->path ? gdyn_trajectory_points(t) : NULL);
}

typedef void draw_trajectory(gdyn_figure *f, const gdyn_trajectory *t);
static draw_trajectory *const of_regions[] = {draw_regions, gdyn_tube_figure, draw_limits,
                                              draw_ranges, gdyn_machine_figure};
static draw_trajectory *const of_motion[] = {gdyn_phase_figure, gdyn_forces_figure};

static gdyn_status draw_all(int count, draw_trajectory *const *draw, const char *folder,
                            const gdyn_trajectory *t, gdyn_pictures *pictures,
                            const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        gdyn_figure figure = {.stem = ""};
        draw[i](&figure, t);
        status = gdyn_picture_write(&figure, folder, pictures, sink);
    }
    return status;
}

gdyn_status gdyn_pictures_of_regions(const char *folder, const gdyn_trajectory *t,
                                     gdyn_pictures *pictures, const gdyn_sink *sink) {
    return draw_all(5, of_regions, folder, t, pictures, sink);
}

gdyn_status gdyn_pictures_of_motion(const char *folder, const gdyn_trajectory *t,
                                    gdyn_pictures *pictures, const gdyn_sink *sink) {
    return draw_all(2, of_motion, folder, t, pictures, sink);
}

/* --- the machine -------------------------------------------------------------------------- */

gdyn_status gdyn_pictures_of_examination(const char *folder, const gdyn_examination *e,
                                         gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (int i = -1; i < e->opened && status == GDYN_OK; i++) {
        gdyn_figure figure = {.stem = ""};
        if (i < 0)
            gdyn_pose_figure(&figure, e);
        else
            gdyn_ranges_figure(&figure, &e->trajectory[i], e->trajectory[i].track);
        status = gdyn_picture_write(&figure, folder, pictures, sink);
    }
    return status;
}

/* --- studies ------------------------------------------------------------------------------ */

static const struct {
    bool sweep;     /* of a sweep, too */
    int objectives; /* least number of them in a sweep */
    void (*draw)(gdyn_figure *figure, const gdyn_outcome *outcome);
} of_study[] = {
    {true, 2, gdyn_front_figure},     {false, 0, gdyn_parallel_figure},
    {true, 0, gdyn_variables_figure}, {false, 0, gdyn_history_figure},
    {false, 0, gdyn_failures_figure},
};

static gdyn_status draw_study(const char *folder, const gdyn_outcome *outcome, bool sweep,
                              gdyn_pictures *pictures, const gdyn_sink *sink) {
    int objectives = gdyn_study_start(outcome->study)->objective_count;
    gdyn_status status = GDYN_OK;
    for (size_t i = 0; i < sizeof of_study / sizeof *of_study && status == GDYN_OK; i++) {
        gdyn_figure figure = {.stem = ""};
        if (!sweep || (of_study[i].sweep && objectives >= of_study[i].objectives))
            of_study[i].draw(&figure, outcome);
        status = gdyn_picture_write(&figure, folder, pictures, sink);
    }
    return status;
}

gdyn_status gdyn_picture_study(const char *folder, const gdyn_outcome *outcome,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = draw_study(folder, outcome, false, pictures, sink);
    return status == GDYN_OK ? gdyn_picture_designs(folder, outcome, pictures, sink) : status;
}

gdyn_status gdyn_picture_sweep(const char *folder, const gdyn_outcome *outcome,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    return draw_study(folder, outcome, true, pictures, sink);
}
