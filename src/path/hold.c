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

/* The path prescribes the joint, by name or by a row. */
static bool prescribed(const gdyn_path *path, const gdyn_drive_def *drive) {
    for (int i = 0; i < path->def.joints; i++)
        if (path->def.joint[i].joint == drive->joint &&
            path->def.joint[i].freedom == drive->freedom)
            return true;
    return false;
}

/* Rank of the constraints with so many of the path's rows. */
static int rank_with(gdyn_closure *closure, const gdyn_path *path, const gdyn_state *state,
                     double *u) {
    gdyn_closure_rates rates;
    gdyn_closure_derivatives(closure, state, path->targets, path->target, NULL, u,
                             u + gdyn_model_coordinates(path->model), &rates);
    return rates.rank.rank;
}

/* A drive's joint becomes a row with its value in that pose, unless the rank stays the same. */
static bool hold(gdyn_path *path, gdyn_closure *closure, const gdyn_state *state, double *u,
                 const gdyn_drive_def *drive, const gdyn_sink *sink) {
    bool ok;
    gdyn_row row = gdyn_row_joint(path->model, drive->joint, drive->freedom, &ok);
    double value = ok ? gdyn_row_value(state, &row) : 0;
    value = fabs(value) > ROUNDING ? value : 0;
    int rank = rank_with(closure, path, state, u);
    path->target[path->targets++] = (gdyn_target){.row = row};
    if (!ok || rank_with(closure, path, state, u) == rank) {
        path->targets--;
        return true;
    }
    gdyn_path_source *source = &path->source[path->sources];
    *source = (gdyn_path_source){
        .kind = GDYN_SOURCE_FORMULA, .first = path->targets - 1, .rows = 1, .held = true};
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

gdyn_status gdyn_path_hold(gdyn_path *path, const gdyn_sink *sink) {
    const gdyn_model *model = path->model;
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    gdyn_closure *closure = NULL;
    gdyn_state *state = NULL;
    double *u = NULL;
    bool ok = true;
    for (int i = 0; ok && i < gdyn_model_drives(model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(model, i);
        if (gdyn_drive_traits_of(drive->kind)->acts != GDYN_ACTS_AT_JOINT ||
            prescribed(path, drive))
            continue;
        /* the machine is assembled once it is needed */
        if (!closure) {
            closure = gdyn_closure_create(model, path->targets + gdyn_model_drives(model));
            state = gdyn_state_create(model);
            u = gdyn_alloc(2 * (size_t)gdyn_model_coordinates(model), sizeof *u);
            ok = closure && state && u &&
                 gdyn_closure_solve(closure, state, 0, NULL, &settings, &info) == GDYN_OK;
            if (!ok || info.outcome != GDYN_CLOSED)
                break;
        }
        ok = hold(path, closure, state, u, drive, sink);
    }
    gdyn_closure_destroy(closure);
    gdyn_state_destroy(state);
    gdyn_free(u);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}
