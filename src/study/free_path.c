/* free_path.c - free coordinates of a path: which, their values, the path that prescribes them; and
 * those of all trajectories of an instance. */
#include "study/free_path.h"

#include "base/memory.h"
#include "base/pi.h"
#include "criteria/criteria.h"
#include "linalg/vec3.h"
#include "mech/row.h"
#include "path/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a path that prescribes them ------------------------------------------------------------ */

gdyn_status gdyn_free_path_make(const gdyn_path_def *def, const gdyn_free_rows *rows, int knots,
                                const double *p, const double *value, const double *bend,
                                gdyn_free_path *out) {
    *out = (gdyn_free_path){.def = *def, .joints = def->joints, .tools = def->tools};
    out->joint = gdyn_alloc((size_t)(def->joints + rows->count), sizeof *out->joint);
    out->tool = gdyn_alloc((size_t)def->tools + 1, sizeof *out->tool);
    if (!out->joint || !out->tool)
        return GDYN_ERROR_MEMORY;
    if (def->joints > 0)
        memcpy(out->joint, def->joint, (size_t)def->joints * sizeof *out->joint);
    if (def->tools > 0)
        memcpy(out->tool, def->tool, (size_t)def->tools * sizeof *out->tool);
    /* Each row as a formula in p. */
    for (int j = 0; j < rows->count; j++) {
        const double *column = value + (size_t)j * (size_t)knots;
        gdyn_expr *formula = knots == 1 ? gdyn_expr_constant(column[0])
                             : bend     ? gdyn_expr_cubic(knots, p, column, bend + (column - value))
                                        : gdyn_expr_table(knots, p, column, true);
        if (!formula)
            return GDYN_ERROR_MEMORY;
        out->formula[out->formulas++] = formula;
        if (rows->row[j].joint < 0) {
            out->tool[0].coordinate[rows->row[j].coordinate] = formula;
            out->tool[0].chosen[rows->row[j].coordinate] = true;
        } else {
            out->joint[out->joints++] =
                (gdyn_path_joint){rows->row[j].joint, rows->row[j].freedom, formula, true};
        }
    }
    out->def.joint = out->joint;
    out->def.joints = out->joints;
    out->def.tool = out->tool;
    return GDYN_OK;
}

void gdyn_free_path_clear(gdyn_free_path *path) {
    for (int i = 0; i < path->formulas; i++)
        gdyn_expr_destroy(path->formula[i]);
    gdyn_free(path->joint);
    gdyn_free(path->tool);
    *path = (gdyn_free_path){0};
}

bool gdyn_free_row_slides(const gdyn_free_row *row) {
    return row->joint < 0 ? row->coordinate < GDYN_PATH_A : gdyn_freedom_slides(row->freedom);
}

/* --- values ----------------------------------------------------------------------------------- */

static double value_of(const gdyn_state *state, const gdyn_path_def *def,
                       const gdyn_free_row *row) {
    double r[3], R[9], cardan[3];
    if (row->joint >= 0)
        return gdyn_mech_joint_coordinate(state, row->joint, row->freedom);
    /* The tool: its place, its body's angle, or its Cardan angles. */
    if (gdyn_free_row_slides(row)) {
        gdyn_row place = gdyn_row_point(gdyn_state_model(state), def->tool[0].of, row->coordinate);
        return gdyn_row_value(state, &place);
    }
    gdyn_state_body(state, def->tool[0].of.body, r, R);
    gdyn_rotation_to_cardan(R, cardan);
    return cardan[row->coordinate - GDYN_PATH_A];
}

void gdyn_free_values(const gdyn_state *state, const gdyn_path_def *def, const gdyn_free_rows *rows,
                      const double *near, double *value) {
    for (int j = 0; j < rows->count; j++) {
        double found = value_of(state, def, &rows->row[j]);
        /* Angles without jumps. */
        if (near && !gdyn_free_row_slides(&rows->row[j]))
            found = near[j] + remainder(found - near[j], 2 * GDYN_PI);
        value[j] = found;
    }
}

void gdyn_free_track(const gdyn_track *track, const gdyn_path_def *def, const gdyn_free_rows *rows,
                     double *value) {
    double now[GDYN_FREE_MOST], before[GDYN_FREE_MOST];
    for (int i = 0; i < track->points; i++) {
        gdyn_free_values(track->state[i], def, rows, i > 0 ? before : NULL, now);
        memcpy(before, now, sizeof before);
        for (int j = 0; j < rows->count; j++)
            value[j * track->points + i] = now[j];
    }
}

/* --- which ------------------------------------------------------------------------------------ */

/* Least singular value of the conditions at the points, as a share of the greatest; -1 where a
 * point has no regular pose, or the first leaves another number of freedoms. */
static double least_singular(const gdyn_track *track, int freedoms) {
    double least = INFINITY;
    if (track->rates[0].freedom != freedoms)
        return -1;
    for (int i = 0; i < track->points; i++) {
        if (track->status[i] != GDYN_POINT_OK && track->status[i] != GDYN_POINT_RANGE)
            return -1;
        least = fmin(least, track->rates[i].rank.above / track->rates[i].rank.greatest);
    }
    return least;
}

/* Least singular value of the conditions along the path with these rows, as a share of the
 * greatest; -1 where the path cannot be followed or they are not independent of the others. */
static gdyn_status judge(const gdyn_model *model, const gdyn_path_def *def, const gdyn_track *track,
                         const gdyn_free_rows *rows, double *value, double *least) {
    gdyn_free_path tried;
    gdyn_path *path = NULL;
    gdyn_free_track(track, def, rows, value);
    *least = -1;
    gdyn_status status =
        gdyn_free_path_make(def, rows, track->points, track->p, value, NULL, &tried);
    if (status == GDYN_OK && gdyn_path_create(model, &tried.def, NULL, &path) == GDYN_OK) {
        gdyn_track *other = gdyn_track_create(model, path);
        gdyn_closure *closure = gdyn_closure_create(model, gdyn_path_targets(path));
        status =
            other && closure ? gdyn_track_follow(other, path, closure, NULL) : GDYN_ERROR_MEMORY;
        *least =
            status == GDYN_OK ? least_singular(other, track->rates[0].freedom - rows->count) : -1;
        gdyn_track_destroy(other);
        gdyn_closure_destroy(closure);
        /* What cannot be followed is no choice. */
        status = status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
    }
    gdyn_path_destroy(path);
    gdyn_free_path_clear(&tried);
    return status;
}

/* The candidates in a fixed order: the tool's angle in the plane, its free coordinates, then the
 * joints' freedoms. */
static bool candidate(const gdyn_model *model, const gdyn_path_def *def, int number,
                      gdyn_free_row *row) {
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    bool tool = def->tools == 1 && def->tool[0].of.body >= 0;
    if (tool && planar && !def->tool[0].coordinate[GDYN_PATH_C] && number-- == 0) {
        *row = (gdyn_free_row){-1, 0, GDYN_PATH_C};
        return true;
    }
    for (int k = 0;
         tool && gdyn_path_reads(def->kind, GDYN_PATH_READS_PATH) && k < (planar ? 2 : 3); k++)
        if (!def->tool[0].coordinate[k] && number-- == 0) {
            *row = (gdyn_free_row){-1, 0, k};
            return true;
        }
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        gdyn_freedom freedom[3];
        int count =
            gdyn_joint_freedoms(gdyn_model_joint(model, j)->type, gdyn_model_space(model), freedom);
        if (number < count) {
            *row = (gdyn_free_row){j, freedom[number], 0};
            return true;
        }
        number -= count;
    }
    return false;
}

/* A body that hangs in space without any joint: its orientation. */
static void take_orientation(gdyn_free_rows *rows) {
    rows->count = 3;
    for (int k = 0; k < 3; k++)
        rows->row[k] = (gdyn_free_row){-1, 0, GDYN_PATH_A + k};
}

gdyn_status gdyn_free_rows_choose(const gdyn_model *model, const gdyn_path_def *def,
                                  const gdyn_track *track, gdyn_free_rows *rows) {
    int wanted = track->rates[0].freedom;
    double *value = gdyn_alloc((size_t)track->points * GDYN_FREE_MOST, sizeof *value);
    gdyn_status status = value ? GDYN_OK : GDYN_ERROR_MEMORY;
    *rows = (gdyn_free_rows){0};
    bool hangs = gdyn_model_space(model) == GDYN_SPATIAL && def->tools == 1 && wanted >= 3 &&
                 gdyn_model_joints(model) == 0 && !def->tool[0].coordinate[GDYN_PATH_A];
    if (hangs)
        take_orientation(rows);
    /* One more each time, the one that leaves the conditions farthest from singular. */
    while (status == GDYN_OK && rows->count < wanted && wanted <= GDYN_FREE_MOST) {
        gdyn_free_rows tried = *rows;
        gdyn_free_row *last = &tried.row[tried.count++];
        double best = 0, least;
        for (int k = 0; status == GDYN_OK && candidate(model, def, k, last); k++) {
            status = judge(model, def, track, &tried, value, &least);
            if (status == GDYN_OK && least > best * (1 + 1e-9)) {
                best = least;
                rows->row[rows->count] = *last;
            }
        }
        if (best <= 1e-6)
            break;
        rows->count++;
    }
    gdyn_free(value);
    return status;
}

/* --- the free coordinates of all trajectories of an instance ------------------------------- */

/* The instance takes the formulas over. */
static gdyn_status own(gdyn_instance *instance, gdyn_free_path *path) {
    size_t before = (size_t)instance->owned_expr_count;
    gdyn_expr **all = gdyn_alloc(before + (size_t)path->formulas, sizeof *all);
    if (!all)
        return GDYN_ERROR_MEMORY;
    if (before > 0)
        memcpy(all, instance->owned_expr, before * sizeof(gdyn_expr *));
    for (int i = 0; i < path->formulas; i++)
        all[before + (size_t)i] = path->formula[i];
    gdyn_free(instance->owned_expr);
    instance->owned_expr = all;
    instance->owned_expr_count += path->formulas;
    path->formulas = 0;
    return GDYN_OK;
}

/* Puts the definition into the instance's arena. */
static gdyn_status keep(gdyn_instance *instance, gdyn_free_path *path, gdyn_path_def *out) {
    size_t joints = (size_t)path->def.joints, tools = (size_t)path->def.tools;
    gdyn_path_joint *joint = gdyn_arena_alloc(instance->arena, joints + 1, sizeof *joint);
    gdyn_path_tool *tool = gdyn_arena_alloc(instance->arena, tools + 1, sizeof *tool);
    if (!joint || !tool)
        return GDYN_ERROR_MEMORY;
    if (joints > 0)
        memcpy(joint, path->def.joint, joints * sizeof *joint);
    if (tools > 0)
        memcpy(tool, path->def.tool, tools * sizeof *tool);
    gdyn_status status = own(instance, path);
    if (status != GDYN_OK)
        return status;
    *out = path->def;
    out->joint = joint;
    out->tool = tool;
    return GDYN_OK;
}

/* No path has the criterion: what is taken instead is told. */
static void warn(const gdyn_freedom_def *wish, const gdyn_path_def *def, const gdyn_sink *sink) {
    char place[200];
    snprintf(place, sizeof place, "trajectories.%s.null_motion", def->name);
    gdyn_diag_emit(sink, GDYN_WARNING, place, NULL,
                   GDYN_CODE_FREE
                   "trajectory '%s': no path that was tried has a value of '%s'; the null motion "
                   "remains the least weighted one",
                   def->name, gdyn_criterion_table[wish->criterion].name);
}

static gdyn_status settle_best(gdyn_instance *instance, const gdyn_freedom_def *wish,
                               const gdyn_free_watch *watch, const gdyn_sink *sink, int number,
                               gdyn_path_def *def) {
    gdyn_null_motion found;
    gdyn_status status = gdyn_null_motion_find(instance->model, def, wish, watch, sink, &found);
    if (status == GDYN_OK && isnan(found.norm) && isnan(found.best))
        warn(wish, def, sink);
    if (status == GDYN_OK && found.better)
        status = keep(instance, &found.path, def);
    instance->settled[number] = (gdyn_settled){found.tried, found.settled, found.norm, found.best};
    gdyn_free_path_clear(&found.path);
    return status;
}

static gdyn_status settle_at_rest(gdyn_instance *instance, const gdyn_sink *sink,
                                  gdyn_path_def *def) {
    gdyn_rest_path found;
    gdyn_status status = gdyn_rest_path_find(instance->model, def, sink, &found);
    if (status == GDYN_OK && found.found)
        status = keep(instance, &found.path, def);
    gdyn_free_path_clear(&found.path);
    return status;
}

/* The free coordinates of one trajectory. */
static gdyn_status settle_one(gdyn_instance *instance, const gdyn_freedom_def *wish,
                              const gdyn_free_watch *watch, const gdyn_sink *sink, int number,
                              gdyn_path_def *def) {
    return wish->rule == GDYN_FREE_EQUILIBRIUM
               ? settle_at_rest(instance, sink, def)
               : settle_best(instance, wish, watch, sink, number, def);
}

gdyn_status gdyn_instance_settle(gdyn_instance *instance, const gdyn_free_watch *watch,
                                 const gdyn_sink *sink) {
    gdyn_path_def *def = NULL;
    gdyn_status status = GDYN_OK;
    for (int t = 0; instance->model && t < instance->trajectory_count && status == GDYN_OK; t++) {
        const gdyn_freedom_def *wish = &instance->trajectory_freedom[t];
        if (wish->rule == GDYN_FREE_NORM)
            continue;
        /* A copy of all definitions once one of them changes. */
        size_t count = (size_t)instance->trajectory_count;
        if (!def) {
            def = gdyn_arena_alloc(instance->arena, count, sizeof *def);
            instance->settled = gdyn_arena_alloc(instance->arena, count, sizeof *instance->settled);
            if (!def || !instance->settled)
                return GDYN_ERROR_MEMORY;
            memcpy(def, instance->trajectory, count * sizeof *def);
            instance->trajectory = def;
        }
        status = settle_one(instance, wish, watch, sink, t, &def[t]);
    }
    return status;
}
