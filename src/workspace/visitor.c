/* visitor.c - the way to a pose, and what the machine can do there; see internal.h. */
#include "workspace/internal.h"

#include "access/analysis.h"
#include "base/memory.h"
#include "clearance/clearance.h"
#include "closure/target.h"
#include "path/path.h"

#include <math.h>
#include <string.h>

/* Coordinates that a path of one tool may prescribe. */
enum { TARGETS_MOST = 6 };

struct gdyn_visitor {
    gdyn_visit_plan plan;
    gdyn_evaluator *evaluator;
    gdyn_clearance *clearance;
    gdyn_pose *pose;
    gdyn_rest *rest;
    gdyn_self_motion *about;
    gdyn_state *settled;      /* in equilibrium */
    gdyn_closure *closure;    /* of all ways */
    gdyn_singularities found; /* of the last way */
};

typedef struct way {
    gdyn_path *path;
    gdyn_track *track;
    gdyn_expr *turn[GDYN_PATH_COORDINATES]; /* formulas of its own; NULL */
} way;

gdyn_visitor *gdyn_visitor_create(const gdyn_visit_plan *plan) {
    gdyn_visitor *v = gdyn_alloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->plan = *plan;
    v->evaluator = gdyn_evaluator_create(plan->model);
    v->clearance = gdyn_clearance_create(plan->model);
    v->pose = gdyn_pose_create(plan->model);
    v->rest = gdyn_rest_create(plan->model);
    v->closure = gdyn_closure_create(plan->model, TARGETS_MOST);
    v->about = gdyn_self_motion_create(plan->model, TARGETS_MOST);
    v->settled = gdyn_state_create(plan->model);
    if (v->evaluator && v->clearance && v->pose && v->rest && v->closure && v->about && v->settled)
        return v;
    gdyn_visitor_destroy(v);
    return NULL;
}

void gdyn_visitor_destroy(gdyn_visitor *v) {
    if (!v)
        return;
    gdyn_evaluator_destroy(v->evaluator);
    gdyn_clearance_destroy(v->clearance);
    gdyn_pose_destroy(v->pose);
    gdyn_rest_destroy(v->rest);
    gdyn_closure_destroy(v->closure);
    gdyn_self_motion_destroy(v->about);
    gdyn_state_destroy(v->settled);
    gdyn_singularities_free(&v->found);
    gdyn_free(v);
}

/* --- ways ------------------------------------------------------------------------------------- */

static void close_way(way *w) {
    gdyn_track_destroy(w->track);
    gdyn_path_destroy(w->path);
    for (int c = 0; c < GDYN_PATH_COORDINATES; c++)
        gdyn_expr_destroy(w->turn[c]);
}

/* From one node to another, the orientation the same. */
static void straight(const gdyn_visitor *v, int from, int to, double through[2][3],
                     gdyn_path_tool *tool, gdyn_path_def *def) {
    const gdyn_workspace_field *field = v->plan.field;
    bool planar = gdyn_model_space(v->plan.model) == GDYN_PLANAR;
    gdyn_field_at(field, from / field->orientations, through[0]);
    gdyn_field_at(field, to / field->orientations, through[1]);
    *def = gdyn_path_straight((const double(*)[3])through);
    gdyn_expr *const *angle = v->plan.angle + 3 * (to % field->orientations);
    for (int k = planar ? 2 : 0; field->def->orientations > 0 && k < 3; k++)
        tool->coordinate[GDYN_PATH_A + k] = angle[k];
}

/* At one node from an orientation to another: the angles change evenly with p from 0 to 1. False:
 * memory. */
static bool turning(const gdyn_visitor *v, int from, int to, way *w, gdyn_path_tool *tool,
                    gdyn_path_def *def) {
    const gdyn_workspace_field *field = v->plan.field;
    bool planar = gdyn_model_space(v->plan.model) == GDYN_PLANAR, whole = true;
    const double *a = field->def->orientation[from % field->orientations];
    const double *b = field->def->orientation[to % field->orientations];
    double x[3];
    gdyn_field_at(field, from / field->orientations, x);
    *def = gdyn_path_default(); /* formulas */
    def->p_given = true, def->p_end = 1, def->points = 2;
    for (int c = 0; c < GDYN_PATH_COORDINATES; c++) {
        bool angle = c >= GDYN_PATH_A;
        if (planar && (c == GDYN_PATH_Z || c == GDYN_PATH_A || c == GDYN_PATH_B))
            continue;
        /* beyond both ends, so that it is straight there, too */
        int i = angle ? c - GDYN_PATH_A : 0;
        double p[2] = {-1, 2}, y[2] = {2 * a[i] - b[i], 2 * b[i] - a[i]};
        w->turn[c] = angle ? gdyn_expr_table(2, p, y, false) : gdyn_expr_constant(x[c]);
        tool->coordinate[c] = w->turn[c];
        whole = whole && w->turn[c];
    }
    return whole;
}

/* The way as a path of two points, and room to follow it. */
static gdyn_status open_way(const gdyn_visitor *v, int from, int to, way *w) {
    const gdyn_workspace_field *field = v->plan.field;
    double through[2][3];
    gdyn_path_tool tool = {.of = field->def->of};
    memcpy(tool.cardan, field->def->cardan, sizeof tool.cardan);
    gdyn_path_def def;
    if (from / field->orientations != to / field->orientations)
        straight(v, from, to, through, &tool, &def);
    else if (!turning(v, from, to, w, &tool, &def))
        return GDYN_ERROR_MEMORY;
    def.name = field->def->name, def.tools = 1, def.tool = &tool;
    gdyn_status status = gdyn_path_create(v->plan.model, &def, NULL, &w->path);
    if (status == GDYN_OK)
        w->track = gdyn_track_create(v->plan.model, w->path);
    return status == GDYN_OK && !w->track ? GDYN_ERROR_MEMORY : status;
}

/* Whether the drives keep all freedoms on the way. */
static gdyn_status keeps_control(gdyn_visitor *v, const way *w, bool *keeps) {
    gdyn_singularity_finder *finder =
        gdyn_singularity_finder_create(w->path, w->track, v->evaluator, false);
    gdyn_status status = finder ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < w->track->points && status == GDYN_OK; i++)
        status = gdyn_singularity_finder_point(finder, i, NULL);
    if (status == GDYN_OK)
        status = gdyn_singularity_finder_finish(finder, &v->found);
    gdyn_singularity_finder_destroy(finder);
    *keeps = v->found.count == 0;
    return status;
}

/* --- ways through poses in equilibrium -----------------------------------------------------------
 *
 * Poses are those of access/analysis.h, stable ones alone. From one to the next the way is the
 * motion through poses in equilibrium (of least norm where balance leaves more than one), in steps
 * whose prediction Newton's method has to correct by little: where the equilibrium ends or another
 * branch is met, the way ends. */

/* What Newton's method may move a predicted pose by (shares of L, rad), and the shortest step as a
 * share of the way. */
static const double CORRECTION = 0.02, SHORTEST = 1.0 / 64;

static bool is_stable(const gdyn_equilibrium_info *info) {
    return info->found && info->stiffness >= GDYN_EQUILIBRIUM_UNSTABLE;
}

/* The equilibrium at p next to the pose in `state`, which then is it; search: from many poses.
 * False: none is stable. */
static gdyn_status begin_at_rest(const gdyn_path *path, double p, bool search, gdyn_state *state,
                                 bool *found) {
    gdyn_equilibrium_info info = {0};
    gdyn_equilibrium *work = gdyn_equilibrium_create(gdyn_state_model(state), path);
    if (!work)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = search ? gdyn_equilibrium_search(work, p, state, &info)
                                : gdyn_equilibrium_solve(work, p, state, &info);
    *found = status == GDYN_OK && is_stable(&info);
    gdyn_equilibrium_destroy(work);
    return status;
}

/* trial := the equilibrium at p = to from that in `state`; taken: it continues the way. */
static gdyn_status try_step(gdyn_equilibrium *work, gdyn_self_motion *watch, double from, double to,
                            const gdyn_state *state, gdyn_state *trial, bool *taken) {
    gdyn_equilibrium_info info;
    double longest = CORRECTION * gdyn_model_length(gdyn_state_model(state));
    gdyn_state_copy(trial, state);
    gdyn_status status = gdyn_equilibrium_advance(work, from, to, trial, &info);
    *taken = status == GDYN_OK && is_stable(&info) && info.moved <= longest;
    return *taken ? gdyn_self_motion_follow(watch, to, trial, taken) : status;
}

/* From the equilibrium in `state` at p = from to that at p = to, within all ranges and across no
 * singular pose of the path or the drives; steps are watched by `watch`. */
static gdyn_status follow_at_rest(gdyn_self_motion *watch, const gdyn_path *path, double from,
                                  double to, gdyn_state *state, bool *reached) {
    int ways;
    double p = from, share = 1;
    gdyn_equilibrium *work = gdyn_equilibrium_create(gdyn_state_model(state), path);
    gdyn_state *trial = gdyn_state_clone(state);
    gdyn_status status = work && trial ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = gdyn_self_motion_begin(watch, path, from, state, &ways);
    *reached = false;
    while (status == GDYN_OK && !*reached && share >= SHORTEST) {
        bool last = p + share * (to - from) >= to, taken;
        double next = last ? to : p + share * (to - from);
        status = try_step(work, watch, p, next, state, trial, &taken);
        if (status == GDYN_OK && taken) {
            gdyn_state_copy(state, trial);
            p = next;
            *reached = last;
        } else {
            share *= 0.5;
        }
    }
    gdyn_equilibrium_destroy(work);
    gdyn_state_destroy(trial);
    return status;
}

/* --- what a pose is worth --------------------------------------------------------------------- */

/* Radius of a capability where the drives could give it at all. */
static double radius_of(const gdyn_rest *rest, bool possible, const gdyn_capability *c) {
    /* some direction is beyond the drives: nothing is left of the ball, and outside of it they do
     * not give all that is lacking */
    if (!rest->held || (!possible && c->radius < 0))
        return -INFINITY;
    return possible || isnan(c->radius) ? c->radius : 0;
}

/* Accelerations and forces in every direction, and what bounds them. */
static gdyn_status judge_rest(gdyn_visitor *v, const gdyn_state *state, int targets,
                              const gdyn_target *target, gdyn_visit *visit) {
    const gdyn_anchor *tool = &v->plan.field->def->of;
    gdyn_rest *rest = v->rest;
    gdyn_status status = gdyn_evaluator_rest(v->evaluator, state, targets, target, tool, rest);
    if (status != GDYN_OK)
        return status;
    gdyn_capability c[2] = {{.count = rest->axes, .D = rest->accel},
                            {.count = rest->axes, .D = rest->force}};
    gdyn_capability_find(&rest->q, 2, c);
    visit->value[GDYN_FIELD_SINGULARITY] = rest->distance;
    visit->value[GDYN_FIELD_ACCEL] = radius_of(rest, rest->moved, &c[0]);
    visit->value[GDYN_FIELD_FORCE] = radius_of(rest, rest->carried, &c[1]);
    gdyn_node_bound *bound[2] = {&visit->accel, &visit->force};
    for (int i = 0; i < 2; i++) {
        bound[i]->count = c[i].bounds;
        memcpy(bound[i]->limit, c[i].bound, sizeof bound[i]->limit);
    }
    return GDYN_OK;
}

/* All values of a pose of the way. */
static gdyn_status judge(gdyn_visitor *v, const way *w, int point, gdyn_visit *visit) {
    const gdyn_track *track = w->track;
    const gdyn_state *state = track->state[point];
    const gdyn_anchor *tool = &v->plan.field->def->of;
    size_t at = (size_t)track->n * (size_t)point;
    int targets = gdyn_path_targets(w->path);
    gdyn_target target[TARGETS_MOST];
    gdyn_criteria criteria = gdyn_criteria_none();
    for (int i = 0; i < GDYN_FIELD_VALUES; i++)
        visit->value[i] = NAN;
    gdyn_path_evaluate(w->path, track->p[point], target);
    gdyn_path_rates rates = {.u_p = track->u_p + at, .u_pp = track->u_pp + at};
    gdyn_status status =
        gdyn_evaluator_pose(v->evaluator, state, &rates, GDYN_REDUCE_NULL, v->pose);
    if (status == GDYN_OK)
        status =
            gdyn_evaluator_criteria(v->evaluator, state, targets, target, tool, v->pose, &criteria);
    visit->value[GDYN_FIELD_DEXTERITY] = criteria.value[GDYN_CRITERION_DEXTERITY];
    visit->value[GDYN_FIELD_LOAD] = criteria.value[GDYN_CRITERION_LOAD];
    visit->value[GDYN_FIELD_STIFFNESS] = criteria.value[GDYN_CRITERION_STIFFNESS];
    visit->value[GDYN_FIELD_STIFFEST] = gdyn_evaluator_stiffest(v->evaluator);
    visit->value[GDYN_FIELD_MARGIN] = gdyn_track_margin(track, state);
    gdyn_near near = gdyn_clearance_at(v->clearance, state);
    if (near.first >= 0)
        visit->value[GDYN_FIELD_CLEARANCE] = near.distance;
    if (status != GDYN_OK || gdyn_model_drives(v->plan.model) == 0)
        return status;
    return judge_rest(v, state, targets, target, visit);
}

/* The pose of that point of the followed way is reached: its state, and its values where they are
 * asked for. */
static gdyn_status take(gdyn_visitor *v, const way *w, int point, bool evaluate,
                        gdyn_visit *visit) {
    gdyn_status status = evaluate ? judge(v, w, point, visit) : GDYN_OK;
    if (status != GDYN_OK)
        return status;
    visit->state = gdyn_state_create(v->plan.model);
    if (!visit->state)
        return GDYN_ERROR_MEMORY;
    gdyn_state_copy(visit->state, w->track->state[point]);
    return GDYN_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Some neighbour of a pose at another node. */
static int any_neighbour(const gdyn_workspace_field *field, int pose) {
    int next = -1;
    for (int d = 0; d < 6 && next < 0; d++)
        next = gdyn_pose_neighbour(field, pose, d);
    return next;
}

/* The machine, led into a pose already, is followed from there for its rates. */
static gdyn_status arrive(gdyn_visitor *v, way *w, const gdyn_state *state, bool evaluate,
                          gdyn_visit *visit) {
    gdyn_status status = gdyn_track_follow(w->track, w->path, v->closure, state);
    if (status == GDYN_OK && w->track->status[0] == GDYN_POINT_OK)
        status = take(v, w, 0, evaluate, visit);
    return status;
}

/* As gdyn_visitor_go, through poses in equilibrium. */
static gdyn_status go_at_rest(gdyn_visitor *v, int from, int to, const gdyn_state *start,
                              gdyn_visit *visit) {
    way there = {0}, end = {0};
    bool reached = false;
    gdyn_state_copy(v->settled, start);
    gdyn_status status = open_way(v, from, to, &there);
    if (status == GDYN_OK)
        status = follow_at_rest(v->about, there.path, gdyn_path_p(there.path, 0),
                                gdyn_path_p(there.path, 1), v->settled, &reached);
    if (status == GDYN_OK && reached)
        status = open_way(v, to, any_neighbour(v->plan.field, to), &end);
    if (status == GDYN_OK && reached)
        status = arrive(v, &end, v->settled, true, visit);
    close_way(&there), close_way(&end);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_visitor_go(gdyn_visitor *v, int from, int to, const gdyn_state *start,
                            gdyn_visit *visit) {
    way w = {0};
    visit->state = NULL;
    if (v->plan.field->def->at_rest)
        return go_at_rest(v, from, to, start, visit);
    gdyn_status status = open_way(v, from, to, &w);
    if (status == GDYN_OK)
        status = gdyn_track_follow(w.track, w.path, v->closure, start);
    bool reached = status == GDYN_OK && w.track->status[0] == GDYN_POINT_OK &&
                   w.track->status[1] == GDYN_POINT_OK;
    /* a way through a singular pose reaches nothing */
    if (reached && gdyn_model_drives(v->plan.model) > 0)
        status = keeps_control(v, &w, &reached);
    if (status == GDYN_OK && reached)
        status = take(v, &w, 1, true, visit);
    close_way(&w);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* After a way that could not be followed so many poses of the self-motion are passed over:
 * neighbouring ones fail alike. */
enum { PASSED_OVER = 1 };

/* Along one branch of the machine's self-motion: from poses of it that a pose at the end is found
 * from. */
static gdyn_status go_along(gdyn_visitor *v, int branch, double p_end, int from, int to,
                            gdyn_visit *visit) {
    bool stepped = true, reaches = false;
    int passed = PASSED_OVER;
    gdyn_status status = GDYN_OK;
    gdyn_self_motion_choose(v->about, branch);
    while (status == GDYN_OK && !visit->state) {
        status = gdyn_self_motion_step(v->about, &stepped);
        if (status != GDYN_OK || !stepped)
            break;
        if (passed++ < PASSED_OVER)
            continue;
        status = gdyn_self_motion_reaches(v->about, p_end, &reaches);
        if (status == GDYN_OK && reaches)
            passed = 0;
        if (status == GDYN_OK && reaches)
            status = gdyn_visitor_go(v, from, to, gdyn_self_motion_state(v->about), visit);
    }
    return status;
}

gdyn_status gdyn_visitor_go_about(gdyn_visitor *v, int from, int to, const gdyn_state *start,
                                  gdyn_visit *visit) {
    way w = {0};
    int ways = 0;
    visit->state = NULL;
    gdyn_status status = open_way(v, from, to, &w);
    if (status == GDYN_OK)
        status = gdyn_self_motion_begin(v->about, w.path, gdyn_path_p(w.path, 0), start, &ways);
    double p_end = status == GDYN_OK ? gdyn_path_p(w.path, 1) : 0;
    for (int i = 0; i < ways && status == GDYN_OK && !visit->state; i++)
        status = go_along(v, i, p_end, from, to, visit);
    close_way(&w);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_visitor_is_free(gdyn_visitor *v, int pose, const gdyn_state *state, bool *free) {
    way w = {0};
    int ways = 0;
    *free = v->plan.field->def->at_rest;
    if (*free)
        return GDYN_OK;
    gdyn_status status = open_way(v, pose, any_neighbour(v->plan.field, pose), &w);
    if (status == GDYN_OK)
        status = gdyn_self_motion_begin(v->about, w.path, gdyn_path_p(w.path, 0), state, &ways);
    *free = ways > 0;
    close_way(&w);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_visitor_come(gdyn_visitor *v, int to, const gdyn_state *start, bool evaluate,
                              gdyn_visit *visit) {
    way w = {0};
    visit->state = NULL;
    /* the first point of a way from there */
    gdyn_status status = open_way(v, to, any_neighbour(v->plan.field, to), &w);
    if (status == GDYN_OK)
        status = gdyn_track_follow(w.track, w.path, v->closure, start);
    bool closed = status == GDYN_OK && w.track->status[0] == GDYN_POINT_OK;
    if (closed && v->plan.field->def->at_rest) {
        gdyn_state_copy(v->settled, w.track->state[0]);
        status = begin_at_rest(w.path, w.track->p[0], evaluate, v->settled, &closed);
        if (status == GDYN_OK && closed)
            status = arrive(v, &w, v->settled, evaluate, visit);
    } else if (closed) {
        status = take(v, &w, 0, evaluate, visit);
    }
    close_way(&w);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}
