/* hold.c - joints of a table that are not prescribed as they stand there. Driven joints for which a
 * table of joints has no column stand still where the machine assembles from its first guess, as
 * long as that is independent of what the path prescribes. Columns of joints that follow from the
 * rest of the table (the tool's path, other joints) are compared with the machine. */
#include "path/internal.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/vec3.h"
#include "mech/row.h"
#include "model/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values that assembling leaves of zero [m or rad]. */
static const double ROUNDING = 1e-12;
/* Share of the path where independence is seen. */
static const double WITHIN = 0.382;
/* Of columns that follow from others: a difference from the machine [rad, share of its length] that
 * rounding does not explain, and one with which they are another motion. */
static const double DIFFERS = 1e-3, CONTRADICTS = 0.1;

/* Rank of the constraints with those rows. */
static gdyn_rank rank_with(gdyn_closure *closure, const gdyn_state *state, int rows,
                           const gdyn_target *row, double *u) {
    gdyn_closure_rates rates;
    gdyn_closure_derivatives(closure, state, rows, row, NULL, u,
                             u + gdyn_model_coordinates(gdyn_state_model(state)), &rates);
    return rates.rank;
}

/* A drive's joint becomes a row with its value in that pose, if that adds rank within the path. */
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

/* --- columns that follow from the others ------------------------------------------------------ */

/* Poses along the path at which columns are compared. */
enum { PLACES = 8 };

/* What the decisions need. */
typedef struct sorting {
    gdyn_path *path;
    gdyn_closure *closure;
    gdyn_state *state;         /* the first guess, then the last of these poses */
    gdyn_state *place[PLACES]; /* near all rows */
    double p[PLACES];
    int places;
    gdyn_target *row;
    bool *kept; /* of each source */
    double *u;
} sorting;

/* The rows that are kept, and those of one more source (-1: none), at p; returns how many. */
static int rows_at(sorting *s, double p, int more) {
    const gdyn_path *path = s->path;
    int rows = 0;
    gdyn_path_evaluate(path, p, path->target);
    for (int i = 0; i < path->sources; i++)
        for (int k = 0; (s->kept[i] || i == more) && k < path->source[i].rows; k++)
            s->row[rows++] = path->target[path->source[i].first + k];
    return rows;
}

/* How far these rows are from dependent at the worst of the places; 0: singular there. *rank: of the
 * constraints and the rows, at the best one. */
static double least_with(sorting *s, int more, int *rank) {
    double least = INFINITY;
    *rank = -1;
    for (int j = 0; j < s->places; j++) {
        int rows = rows_at(s, s->p[j], more);
        gdyn_rank found = rank_with(s->closure, s->place[j], rows, s->row, s->u);
        bool same = *rank < 0 || found.rank == *rank;
        least = same ? fmin(least, gdyn_rank_least(&found)) : 0;
        *rank = found.rank > *rank ? found.rank : *rank;
    }
    return least;
}

/* Keeps columns while the rank grows, each time the one with rows farthest from dependent. */
static void keep_independent(sorting *s) {
    const gdyn_path *path = s->path;
    int reached, rank;
    for (int i = 0; i < path->sources; i++)
        s->kept[i] = !path->source[i].joint;
    least_with(s, -1, &reached);
    for (int best = 0; best >= 0; reached++) {
        double most = -1;
        best = -1;
        for (int i = 0; i < path->sources; i++) {
            double least = s->kept[i] ? -1 : least_with(s, i, &rank);
            if (least > most && rank > reached)
                most = least, best = i;
        }
        if (best >= 0)
            s->kept[best] = true;
    }
}

/* The places, from the first guess on; false: memory. */
static bool find_places(sorting *s) {
    const gdyn_path_def *def = &s->path->def;
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    for (int j = 0; j < PLACES; j++) {
        double p = def->p_start + (j + 0.5) / PLACES * (def->p_end - def->p_start);
        int rows = rows_at(s, p, -1);
        gdyn_status status =
            gdyn_closure_solve(s->closure, s->state, rows, s->row, &settings, &info);
        if (status == GDYN_ERROR_MEMORY)
            return false;
        if (status != GDYN_OK || !(info.residual <= CONTRADICTS))
            continue;
        s->p[s->places] = p;
        s->place[s->places] = gdyn_state_clone(s->state);
        if (!s->place[s->places++])
            return false;
    }
    return true;
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

/* Columns that follow from the path's other rows are taken out of these, to be compared. */
static bool sort_columns(sorting *s) {
    const gdyn_path *path = s->path;
    int rank, all;
    for (int i = 0; i < path->sources; i++)
        s->kept[i] = true;
    bool ok = find_places(s);
    if (ok && s->places == 0) { /* rows that contradict one another: without the columns */
        for (int i = 0; i < path->sources; i++)
            s->kept[i] = !path->source[i].joint;
        ok = find_places(s);
    }
    if (ok && s->places > 0) {
        for (int i = 0; i < path->sources; i++)
            s->kept[i] = true;
        least_with(s, -1, &all);
        rank = rank_with(s->closure, s->place[0], 0, s->row, s->u).rank;
        if (all < rank + rows_at(s, s->p[0], -1))
            keep_independent(s), set_aside(s);
    }
    for (int j = 0; j < s->places; j++)
        gdyn_state_destroy(s->place[j]);
    return ok;
}

gdyn_status gdyn_path_settle(gdyn_path *path, const gdyn_sink *sink) {
    const gdyn_model *model = path->model;
    int drives = gdyn_model_drives(model), missing = 0, columns = 0;
    for (int i = 0; path->def.hold && i < drives; i++)
        missing += without_column(path, gdyn_model_drive(model, i));
    for (int i = 0; i < path->sources; i++)
        columns += path->source[i].joint != NULL;
    if (missing + columns == 0)
        return GDYN_OK;
    size_t room = (size_t)(path->targets + drives);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info = {0};
    sorting s = {.path = path,
                 .closure = gdyn_closure_create(model, (int)room),
                 .state = gdyn_state_create(model),
                 .row = gdyn_arena_alloc(path->arena, room, sizeof *s.row),
                 .kept = gdyn_arena_alloc(path->arena, room, sizeof *s.kept),
                 .u = gdyn_alloc(2 * (size_t)gdyn_model_coordinates(model), sizeof *s.u)};
    path->beside = gdyn_arena_alloc(path->arena, room, sizeof *path->beside);
    bool ok = s.closure && s.state && s.row && s.kept && s.u && path->beside &&
              gdyn_closure_solve(s.closure, s.state, 0, NULL, &settings, &info) == GDYN_OK;
    bool closed = ok && info.outcome == GDYN_CLOSED;
    gdyn_state *within = ok ? gdyn_state_clone(s.state) : NULL;
    ok = ok && within;
    if (ok && columns > 0) {
        gdyn_state *first = s.state;
        s.state = within;
        ok = sort_columns(&s);
        gdyn_state_copy(within, s.state = first);
    }
    if (ok && closed && missing > 0 && path->targets > 0) {
        gdyn_path_evaluate(path, path->def.p_start + WITHIN * (path->def.p_end - path->def.p_start),
                           path->target);
        ok = gdyn_closure_solve(s.closure, within, path->targets, path->target, &settings, &info) !=
             GDYN_ERROR_MEMORY;
        if (ok && info.outcome != GDYN_CLOSED)
            gdyn_state_copy(within, s.state);
    }
    for (int i = 0; ok && missing > 0 && i < drives && closed; i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(model, i);
        ok = !without_column(path, drive) ||
             hold(path, s.closure, s.state, within, s.u, drive, sink);
    }
    gdyn_closure_destroy(s.closure), gdyn_state_destroy(s.state), gdyn_state_destroy(within);
    gdyn_free(s.u);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Two components do not show an axis that points backward. */
static bool points_backward(const gdyn_path *path, const gdyn_track *track) {
    double mean[3];
    for (int i = 0; path->def.points_along && i < path->targets; i++) {
        gdyn_row row = path->target[i].row;
        if (row.kind != GDYN_ROW_DOT || !gdyn_point_regular(track->status[0]))
            continue;
        gdyn_path_mean_axis(&path->def, mean);
        v3_copy(row.e, mean);
        return gdyn_row_value(track->state[0], &row) < 0;
    }
    return false;
}

gdyn_status gdyn_path_compare(const gdyn_path *path, const gdyn_track *track,
                              const gdyn_sink *sink) {
    int first = track->first_failure,
        rows = path->besides > 0 && sink->emit ? gdyn_table_knots(path->table) : 0;
    double last = first < 0 ? INFINITY : first > 0 ? track->p[first - 1] : -INFINITY, p;
    double most = -1, amount = 0, most_p = 0;
    const gdyn_path_beside *worst = NULL;
    char where[200];
    snprintf(where, sizeof where, "trajectories.%s.file", path->def.name);
    if (points_backward(path, track)) {
        gdyn_diag_emit(sink, GDYN_ERROR, where,
                       "turn the tool's first guess, or give machine: home: {joints: {...}}",
                       GDYN_CODE_PATH "the tool's z axis points the other way at the first guess");
        return GDYN_ERROR_INPUT;
    }
    gdyn_path_place *place = rows > 0 ? gdyn_path_place_create(path, track) : NULL;
    gdyn_status status = place || rows == 0 ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < rows && status == GDYN_OK; i++) {
        if ((p = gdyn_table_knot(path->table, i, false)) > last)
            break;
        status = gdyn_path_place_at(place, p);
        for (int j = 0; gdyn_point_regular(place->status) && j < path->besides; j++) {
            const gdyn_path_beside *own = &path->beside[j];
            double jet[3];
            gdyn_table_jet(path->table, own->column, p, jet);
            double d = gdyn_row_value(place->state, &own->row) - jet[0];
            d = fabs(own->row.length ? d : remainder(d, 2 * GDYN_PI));
            double share = own->row.length ? d / gdyn_model_length(path->model) : d;
            if (share > most)
                most = share, amount = d, most_p = p, worst = own;
        }
    }
    gdyn_path_place_destroy(place);
    if (status != GDYN_OK || !worst)
        return status;
    gdyn_diag_emit(sink,
                   most > CONTRADICTS ? GDYN_ERROR
                   : most > DIFFERS   ? GDYN_WARNING
                                      : GDYN_NOTE,
                   where,
                   most > CONTRADICTS ? "leave them out; or give the assembly mode by machine: "
                                        "home: {joints: {...}} with the values of the first row"
                                      : NULL,
                   GDYN_CODE_PATH "columns of joints that follow from the other columns differ "
                                  "from the machine by up to %.2g %s ('%s' at p = %.6g)",
                   amount, worst->row.length ? "m" : "rad",
                   gdyn_model_joint(path->model, worst->joint)->name, most_p);
    return most > CONTRADICTS ? GDYN_ERROR_INPUT : GDYN_OK;
}
