/* free_path.c - free coordinates of a path: which, their values, the path that prescribes them; and
 * those of all trajectories of an instance. */
#include "study/free_path.h"

#include "base/memory.h"
#include "base/pi.h"
#include "criteria/criteria.h"
#include "linalg/vec3.h"
#include "mech/row.h"
#include "path/kinds.h"
#include "trajectory/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a path that prescribes them ------------------------------------------------------------ */

/* A copy in the arena, with room for `more` further ones. */
static void *copy(gdyn_arena *arena, const void *from, int count, int more, size_t size) {
    void *to = gdyn_arena_alloc(arena, (size_t)(count + more) + 1, size);
    if (to && count > 0)
        memcpy(to, from, (size_t)count * size);
    return to;
}

gdyn_status gdyn_free_path_make(const gdyn_path_def *def, const gdyn_free_rows *rows, int knots,
                                const double *p, const double *value, const double *bend,
                                gdyn_free_path *out) {
    *out = (gdyn_free_path){.def = *def, .arena = gdyn_arena_create()};
    gdyn_path_joint *joint = copy(out->arena, def->joint, def->joints, rows->count, sizeof *joint);
    gdyn_path_tool *tool = copy(out->arena, def->tool, def->tools, 0, sizeof *tool);
    if (!joint || !tool)
        return GDYN_ERROR_MEMORY;
    out->def.joint = joint, out->def.tool = tool;
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
            tool[0].coordinate[rows->row[j].coordinate] = formula;
            tool[0].chosen[rows->row[j].coordinate] = true;
        } else {
            joint[out->def.joints++] = (gdyn_path_joint){.joint = rows->row[j].joint,
                                                         .freedom = rows->row[j].freedom,
                                                         .value = formula,
                                                         .chosen = true};
        }
    }
    return GDYN_OK;
}

void gdyn_free_path_clear(gdyn_free_path *path) {
    for (int i = 0; i < path->formulas; i++)
        gdyn_expr_destroy(path->formula[i]);
    gdyn_arena_destroy(path->arena);
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

/* Smallest singular value of the conditions along the path with these rows, as a share of the
 * largest; -1 where the path cannot be followed, a point has no regular pose, or they are not
 * independent of the others. */
static gdyn_status judge(const gdyn_model *model, const gdyn_path_def *def, const gdyn_track *track,
                         const gdyn_free_rows *rows, double *value, double *least) {
    gdyn_free_path tried;
    gdyn_trajectory t = {0};
    gdyn_free_track(track, def, rows, value);
    *least = -1;
    gdyn_status status =
        gdyn_free_path_make(def, rows, track->points, track->p, value, NULL, &tried);
    if (status == GDYN_OK)
        status = gdyn_trajectory_open_path(&t, model, &tried.def, NULL);
    if (status == GDYN_OK)
        status = gdyn_trajectory_take(&t, GDYN_PASS_FOLLOW);
    if (status == GDYN_OK && t.track->rates[0].freedom == track->rates[0].freedom - rows->count) {
        double found = INFINITY;
        for (int i = 0; i < t.track->points; i++) {
            const gdyn_rank *rank = &t.track->rates[i].rank;
            bool regular =
                t.track->status[i] == GDYN_POINT_OK || t.track->status[i] == GDYN_POINT_RANGE;
            found = fmin(found, regular ? rank->above / rank->greatest : -1);
        }
        *least = found;
    }
    gdyn_trajectory_close(&t);
    gdyn_free_path_clear(&tried);
    /* What cannot be followed is no choice. */
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
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

gdyn_status gdyn_free_rows_choose(const gdyn_model *model, const gdyn_path_def *def,
                                  const gdyn_track *track, gdyn_free_rows *rows) {
    int wanted = track->rates[0].freedom;
    double *value = gdyn_alloc((size_t)track->points * GDYN_FREE_MOST, sizeof *value);
    gdyn_status status = value ? GDYN_OK : GDYN_ERROR_MEMORY;
    *rows = (gdyn_free_rows){0};
    bool hangs = gdyn_model_space(model) == GDYN_SPATIAL && def->tools == 1 && wanted >= 3 &&
                 gdyn_model_joints(model) == 0 && !def->tool[0].coordinate[GDYN_PATH_A];
    /* A body that hangs in space without any joint: its orientation. */
    for (int k = 0; hangs && k < 3; k++)
        rows->row[rows->count++] = (gdyn_free_row){-1, 0, GDYN_PATH_A + k};
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

/* Puts the definition into the instance's arena; the instance takes its formulas over. */
static gdyn_status keep_path(gdyn_instance *instance, gdyn_free_path *path, gdyn_path_def *out) {
    const gdyn_path_def *def = &path->def;
    int before = instance->owned_expr_count;
    gdyn_path_joint *joint = copy(instance->arena, def->joint, def->joints, 0, sizeof *joint);
    gdyn_path_tool *tool = copy(instance->arena, def->tool, def->tools, 0, sizeof *tool);
    gdyn_expr **all =
        gdyn_realloc(instance->owned_expr, (size_t)(before + path->formulas), sizeof *all);
    instance->owned_expr = all ? all : instance->owned_expr;
    if (!joint || !tool || !all)
        return GDYN_ERROR_MEMORY;
    for (; path->formulas > 0; instance->owned_expr_count++)
        all[instance->owned_expr_count] = path->formula[--path->formulas];
    *out = *def;
    out->joint = joint, out->tool = tool;
    return GDYN_OK;
}

/* The best null motion of one trajectory. */
static gdyn_status settle_best(gdyn_instance *instance, const gdyn_free_watch *watch,
                               const gdyn_sink *sink, int number, gdyn_path_def *def) {
    const gdyn_freedom_def *wish = &instance->trajectory_freedom[number];
    gdyn_null_motion found;
    char place[200];
    gdyn_status status = gdyn_null_motion_find(instance->model, def, wish, watch, sink, &found);
    snprintf(place, sizeof place, "trajectories.%s.null_motion", def->name);
    if (status == GDYN_OK && isnan(found.norm) && isnan(found.best))
        gdyn_diag_emit(sink, GDYN_WARNING, place, NULL,
                       GDYN_CODE_FREE "trajectory '%s': no path that was tried has a value of "
                                      "'%s'; the null motion remains the minimum weighted one",
                       def->name, gdyn_criterion_table[wish->criterion].name);
    if (status == GDYN_OK && found.better)
        status = keep_path(instance, &found.path, def);
    instance->settled[number] = (gdyn_settled){found.tried, found.settled, found.norm, found.best};
    gdyn_free_path_clear(&found.path);
    return status;
}

gdyn_status gdyn_instance_settle(gdyn_instance *instance, const gdyn_free_watch *watch,
                                 const gdyn_sink *sink) {
    gdyn_path_def *def = NULL;
    gdyn_status status = GDYN_OK;
    for (int t = 0; instance->model && t < instance->trajectory_count && status == GDYN_OK; t++) {
        gdyn_freedom_rule rule = instance->trajectory_freedom[t].rule;
        if (rule == GDYN_FREE_NORM)
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
        if (rule != GDYN_FREE_EQUILIBRIUM) {
            status = settle_best(instance, watch, sink, t, &def[t]);
            continue;
        }
        gdyn_rest_path found;
        status = gdyn_rest_path_find(instance->model, &def[t], sink, &found);
        if (status == GDYN_OK && found.found)
            status = keep_path(instance, &found.path, &def[t]);
        gdyn_free_path_clear(&found.path);
    }
    return status;
}
