/* hold.c - joints of a table that are not prescribed as they stand there. Driven joints for which a
 * table of joints has no column stand still where the machine assembles from its first guess, as
 * long as that is independent of what the path prescribes. Columns of joints that follow from the
 * rest of the table (the tool's path, other joints) are compared with the machine. */
#include "path/internal.h"

#include "base/memory.h"
#include "base/pi.h"
#include "mech/row.h"
#include "model/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values that assembling leaves of zero [m or rad]. */
static const double ROUNDING = 1e-12;
/* Share of the path where independence is seen. */
static const double WITHIN = 0.382;

/* Rank of the constraints with those rows. */
static gdyn_rank rank_with(gdyn_closure *closure, const gdyn_state *state, int rows,
                           const gdyn_target *row, double *u) {
    gdyn_closure_rates rates;
    gdyn_closure_derivatives(closure, state, rows, row, NULL, u,
                             u + gdyn_model_coordinates(gdyn_state_model(state)), &rates);
    return rates.rank;
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
    int rank = rank_with(closure, within, path->targets, path->target, u).rank;
    path->target[path->targets++].row = row;
    if (rank_with(closure, within, path->targets, path->target, u).rank == rank) {
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

/* --- columns that follow from the others ------------------------------------------------------ */

/* What the decisions need. */
typedef struct sorting {
    gdyn_path *path;
    gdyn_closure *closure;
    gdyn_state *state;
    gdyn_target *row; /* those that are kept: the path's other rows first */
    int rows;
    bool *kept; /* of each source */
    double *u;
} sorting;

/* Keeps columns as long as the rank grows at the state: each time the one with which the rows are
 * farthest from dependent. */
static void keep_independent(sorting *s, int others) {
    const gdyn_path *path = s->path;
    gdyn_rank rank = rank_with(s->closure, s->state, s->rows = others, s->row, s->u);
    for (int i = 0; i < path->sources; i++)
        s->kept[i] = !path->source[i].joint;
    for (int best = 0; best >= 0;) {
        double most = 0;
        int reached = rank.rank;
        best = -1;
        for (int i = 0; i < path->sources; i++) {
            if (s->kept[i])
                continue;
            s->row[s->rows] = path->target[path->source[i].first];
            rank = rank_with(s->closure, s->state, s->rows + 1, s->row, s->u);
            double least = rank.rank > reached ? gdyn_rank_least(&rank) : 0;
            best = least > most ? i : best;
            most = fmax(least, most);
        }
        if (best < 0)
            break;
        s->kept[best] = true;
        s->row[s->rows++] = path->target[path->source[best].first];
        rank.rank = reached + 1;
    }
}

/* Takes the other columns out of the rows. */
static void set_aside(sorting *s) {
    gdyn_path *path = s->path;
    int sources = 0, rows = 0;
    for (int i = 0; i < path->sources; i++) {
        gdyn_path_source source = path->source[i];
        if (!s->kept[i]) {
            path->beside[path->besides++] = (gdyn_path_beside){
                source.joint->joint, source.column[0], path->target[source.first].row};
            continue;
        }
        memmove(path->target + rows, path->target + source.first,
                (size_t)source.rows * sizeof *path->target);
        source.first = rows, rows += source.rows;
        path->source[sources++] = source;
    }
    path->asked -= path->targets - rows;
    path->sources = sources, path->targets = rows;
}

gdyn_status gdyn_path_set_aside(gdyn_path *path) {
    size_t rows = (size_t)path->targets, n = (size_t)gdyn_model_coordinates(path->model);
    double p = path->def.p_start + WITHIN * (path->def.p_end - path->def.p_start);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info = {0};
    sorting s = {.path = path,
                 .closure = gdyn_closure_create(path->model, path->targets),
                 .state = gdyn_state_create(path->model),
                 .row = gdyn_arena_alloc(path->arena, rows, sizeof *s.row),
                 .kept = gdyn_arena_alloc(path->arena, rows, sizeof *s.kept),
                 .u = gdyn_alloc(2 * n, sizeof *s.u)};
    path->beside = gdyn_arena_alloc(path->arena, rows, sizeof *path->beside);
    bool ok = s.closure && s.state && s.row && s.kept && s.u && path->beside &&
              gdyn_closure_solve(s.closure, s.state, 0, NULL, &settings, &info) == GDYN_OK;
    int others = 0;
    if (ok)
        gdyn_path_evaluate(path, p, path->target);
    for (int i = 0; ok && i < path->sources; i++)
        for (int k = 0; !path->source[i].joint && k < path->source[i].rows; k++)
            s.row[others++] = path->target[path->source[i].first + k];
    /* at a pose within the path: the first one may be singular */
    s.rows = others;
    if (ok && others == 0)
        keep_independent(&s, 0);
    ok = ok && gdyn_closure_solve(s.closure, s.state, s.rows, s.row, &settings, &info) !=
                   GDYN_ERROR_MEMORY;
    if (ok) {
        keep_independent(&s, others);
        set_aside(&s);
    }
    gdyn_closure_destroy(s.closure), gdyn_state_destroy(s.state), gdyn_free(s.u);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_path_compare(gdyn_path_place *place, double last, gdyn_path_difference *worst) {
    const gdyn_path *path = place->path;
    double L = gdyn_model_length(path->model);
    *worst = (gdyn_path_difference){.joint = -1, .share = -1};
    for (int i = 0; path->besides > 0 && i < gdyn_table_knots(path->table); i++) {
        double p = gdyn_table_knot(path->table, i, false);
        if (p > last)
            break;
        gdyn_status status = gdyn_path_place_at(place, p);
        if (status != GDYN_OK)
            return status;
        for (int j = 0; gdyn_point_regular(place->status) && j < path->besides; j++) {
            const gdyn_path_beside *own = &path->beside[j];
            double jet[3];
            gdyn_table_jet(path->table, own->column, p, jet);
            double d = gdyn_row_value(place->state, &own->row) - jet[0];
            d = fabs(own->row.length ? d : remainder(d, 2 * GDYN_PI));
            double share = own->row.length ? d / L : d;
            if (share > worst->share)
                *worst = (gdyn_path_difference){own->joint, d, share, p, own->row.length};
        }
    }
    return GDYN_OK;
}
