/* hold.c - driven joints for which a table of joints has no column: they stand still where the
 * machine assembles from its first guess, as long as that is independent of what the path
 * prescribes. */
#include "path/internal.h"

#include "base/memory.h"
#include "mech/row.h"
#include "model/kinds.h"

#include <math.h>
#include <stdio.h>

/* Values that assembling leaves of zero [m or rad]. */
static const double ROUNDING = 1e-12;
/* Share of the path where independence is seen. */
static const double WITHIN = 0.382;

/* Rank of the constraints with the path's rows. */
static int rank_with(gdyn_closure *closure, const gdyn_path *path, const gdyn_state *state,
                     double *u) {
    gdyn_closure_rates rates;
    gdyn_closure_derivatives(closure, state, path->targets, path->target, NULL, u,
                             u + gdyn_model_coordinates(path->model), &rates);
    return rates.rank.rank;
}

/* A drive's joint becomes a row with its value in that pose, unless the rank stays the same within
 * the path: the pose itself may be singular. */
static bool hold(gdyn_path *path, gdyn_closure *closure, const gdyn_state *state,
                 const gdyn_state *within, double *u, const gdyn_drive_def *drive,
                 const gdyn_sink *sink) {
    bool ok;
    gdyn_row row = gdyn_row_joint(path->model, drive->joint, drive->freedom, &ok);
    double value = gdyn_row_value(state, &row);
    value = fabs(value) > ROUNDING ? value : 0;
    int rank = rank_with(closure, path, within, u);
    path->target[path->targets++].row = row;
    if (rank_with(closure, path, within, u) == rank) {
        path->targets--;
        return true;
    }
    gdyn_path_source *source = &path->source[path->sources];
    *source = (gdyn_path_source){.first = path->targets - 1, .rows = 1, .held = true};
    source->formula[0] = gdyn_expr_constant(value);
    path->sources += source->formula[0] != NULL;
    char place[200];
    snprintf(place, sizeof place, "trajectories.%s.file", path->def.name);
    gdyn_diag_emit(sink, GDYN_NOTE, place, NULL,
                   GDYN_CODE_PATH "the table has no column of '%s': the joint is held at its first "
                                  "guess, %.4g %s",
                   gdyn_model_joint(path->model, drive->joint)->name, value,
                   row.length ? "m" : "rad");
    return source->formula[0] != NULL;
}

/* The drive acts at a joint that the path does not prescribe. */
static bool without_column(const gdyn_path *path, const gdyn_drive_def *drive) {
    for (int j = 0; j < path->def.joints; j++)
        if (path->def.joint[j].joint == drive->joint &&
            path->def.joint[j].freedom == drive->freedom)
            return false;
    return gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_AT_JOINT;
}

gdyn_status gdyn_path_hold(gdyn_path *path, const gdyn_sink *sink) {
    const gdyn_model *model = path->model;
    int drives = gdyn_model_drives(model), missing = 0;
    for (int i = 0; i < drives; i++)
        missing += without_column(path, gdyn_model_drive(model, i));
    if (missing == 0)
        return GDYN_OK;
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info = {0};
    gdyn_closure *closure = gdyn_closure_create(model, path->targets + drives);
    gdyn_state *state = gdyn_state_create(model);
    double *u = gdyn_alloc(2 * (size_t)gdyn_model_coordinates(model), sizeof *u);
    bool ok = closure && state && u &&
              gdyn_closure_solve(closure, state, 0, NULL, &settings, &info) == GDYN_OK;
    bool closed = ok && info.outcome == GDYN_CLOSED;
    gdyn_state *within = closed ? gdyn_state_clone(state) : NULL;
    ok = ok && (within || !closed);
    if (ok && closed && path->targets > 0) {
        gdyn_path_evaluate(path, path->def.p_start + WITHIN * (path->def.p_end - path->def.p_start),
                           path->target);
        ok = gdyn_closure_solve(closure, within, path->targets, path->target, &settings, &info) !=
             GDYN_ERROR_MEMORY;
        if (ok && info.outcome != GDYN_CLOSED)
            gdyn_state_copy(within, state);
    }
    for (int i = 0; ok && i < drives && closed; i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(model, i);
        ok = !without_column(path, drive) || hold(path, closure, state, within, u, drive, sink);
    }
    gdyn_closure_destroy(closure);
    gdyn_state_destroy(state);
    gdyn_state_destroy(within);
    gdyn_free(u);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}
