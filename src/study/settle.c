/* settle.c - the free coordinates of all trajectories of an instance. */
#include "base/memory.h"
#include "criteria/criteria.h"
#include "study/null_motion.h"
#include "study/rest_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
