/* field.c - a grid of poses, reached node by node; see field.h. */
#include "workspace/field.h"

#include "access/evaluate.h"
#include "access/singularity.h"
#include "base/memory.h"
#include "clearance/clearance.h"
#include "closure/target.h"
#include "linalg/vec3.h"
#include "path/path.h"
#include "trajectory/guess.h"
#include "workspace/capability.h"

#include <math.h>
#include <string.h>

const char *const gdyn_field_names[] = {"dexterity", "singularity", "load", "margin",
                                        "clearance", "accel",       NULL};
const char *const gdyn_field_units[] = {"", "", "", "", "m", "m/s^2", NULL};

/* Nodes that are tried as the first one. */
enum { FIRST_TRIES = 40 };

typedef struct walker {
    const gdyn_instance *instance;
    const gdyn_model *model;
    const gdyn_workspace_def *def;
    const gdyn_sink *sink;
    gdyn_workspace_field *out;
    gdyn_arena *arena;
    gdyn_evaluator *evaluator;
    gdyn_clearance *clearance;
    gdyn_pose *pose;
    gdyn_state **state;   /* nodes: of those reached */
    int *queue;           /* nodes */
    double *u, *D, *zero; /* n; drives x 3; n */
    gdyn_expr *angle[3];
} walker;

/* --- the grid --------------------------------------------------------------------------------- */

void gdyn_field_at(const gdyn_workspace_field *field, int node, double x[3]) {
    for (int a = 0; a < 3; a++) {
        /* coordinate of the node along this axis */
        int i = node % field->count[a];
        double from = field->def->from[a], to = field->def->to[a];
        x[a] = field->count[a] > 1 ? from + (to - from) * i / (field->count[a] - 1) : from;
        node /= field->count[a];
    }
}

/* The part of a node's cell that lies within the grid: half of it along each axis on which the node is an end. */
static double share_of_cell(const gdyn_workspace_field *field, int node) {
    double share = 1;
    for (int a = 0; a < 3; a++) {
        int i = node % field->count[a];
        if (field->count[a] > 1 && (i == 0 || i == field->count[a] - 1))
            share *= 0.5;
        node /= field->count[a];
    }
    return share;
}

/* Whether a node is reached and its value not below `least`. */
static bool counts(const gdyn_workspace_field *field, int node, int value, double least) {
    return field->reached[node] &&
           (value < 0 || field->value[value + GDYN_FIELD_VALUES * node] >= least);
}

int gdyn_field_count(const gdyn_workspace_field *field, int value, double least) {
    int count = 0;
    for (int i = 0; i < field->nodes; i++)
        count += counts(field, i, value, least);
    return count;
}

double gdyn_field_size(const gdyn_workspace_field *field, int value, double least) {
    double cells = 0;
    for (int i = 0; i < field->nodes; i++)
        if (counts(field, i, value, least))
            cells += share_of_cell(field, i);
    return cells * field->cell;
}

/* The neighbour of a node along an axis, -1: beyond the grid. */
static int neighbour(const gdyn_workspace_field *field, int node, int direction) {
    int axis = direction / 2, step = 1, at = node;
    /* nodes along the axis are this far apart in the list */
    for (int a = 0; a < axis; a++) {
        step *= field->count[a];
        at /= field->count[a];
    }
    at = at % field->count[axis] + (direction % 2 ? 1 : -1);
    return at < 0 || at >= field->count[axis] ? -1 : node + (direction % 2 ? step : -step);
}

/* --- ways ------------------------------------------------------------------------------------- */

/* The straight way from one node to another as a path of two points. */
static gdyn_status way_between(const walker *w, int from, int to, gdyn_path **path) {
    /* with the stated orientation, where there is one */
    double through[2][3];
    gdyn_path_tool tool = {.of = w->def->of};
    bool planar = gdyn_model_space(w->model) == GDYN_PLANAR;
    gdyn_field_at(w->out, from, through[0]);
    gdyn_field_at(w->out, to, through[1]);
    for (int k = planar ? 2 : 0; w->def->oriented && k < 3; k++)
        tool.coordinate[GDYN_PATH_A + k] = w->angle[k];
    gdyn_path_def def = gdyn_path_straight((const double(*)[3])through);
    def.name = w->def->name;
    def.tools = 1;
    def.tool = &tool;
    return gdyn_path_create(w->model, &def, w->sink, path);
}

static gdyn_status evaluate(walker *w, const gdyn_path *path, const gdyn_track *track, int point,
                            int node);

/* Whether the drives keep all freedoms on the way. */
static gdyn_status keeps_control(walker *w, const gdyn_path *path, const gdyn_track *track,
                                 bool *keeps) {
    gdyn_singularities found = {0};
    gdyn_status status = gdyn_singularities_find(path, track, w->evaluator, &found);
    *keeps = found.count == 0;
    gdyn_singularities_free(&found);
    return status;
}

/* Follows the way from a reached node (or, start given, from outside) and takes what is reached: the node at `point`. */
static gdyn_status take_way(walker *w, int from, int to, const gdyn_state *start, int point) {
    gdyn_path *path = NULL;
    gdyn_status status = way_between(w, from, to, &path);
    if (status != GDYN_OK)
        return status;
    /* follow the way: the node, and the one it comes from, must be reached */
    gdyn_track *track = gdyn_track_create(w->model, path);
    gdyn_closure *closure = gdyn_closure_create(w->model, gdyn_path_targets(path));
    int node = point ? to : from;
    bool reached = false;
    status = track && closure ? gdyn_track_follow(track, path, closure, start) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        reached = track->status[point] == GDYN_POINT_OK &&
                  (point == 0 || track->status[0] == GDYN_POINT_OK);
    /* a way through a singular pose reaches nothing */
    if (reached && point > 0 && gdyn_model_drives(w->model) > 0)
        status = keeps_control(w, path, track, &reached);
    /* the node's pose, values, and its place among those to start from */
    if (status == GDYN_OK && reached) {
        w->state[node] = gdyn_state_create(w->model);
        status = w->state[node] ? evaluate(w, path, track, point, node) : GDYN_ERROR_MEMORY;
        if (w->state[node])
            gdyn_state_copy(w->state[node], track->state[point]);
        w->out->reached[node] = true;
        w->queue[w->out->reached_count++] = node;
    }
    gdyn_closure_destroy(closure);
    gdyn_track_destroy(track);
    gdyn_path_destroy(path);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* --- what a node is worth --------------------------------------------------------------------- */

/* The column D of a unit acceleration of the tool along each axis of the grid's space, at rest. */
static gdyn_status accelerations(walker *w, const gdyn_path *path, const gdyn_state *state,
                                 double p, double *radius) {
    int targets = gdyn_path_targets(path), k = gdyn_model_drives(w->model), axes = 0;
    int space = gdyn_model_space(w->model) == GDYN_PLANAR ? 2 : 3;
    gdyn_target *target = gdyn_alloc((size_t)targets, sizeof *target);
    gdyn_closure *closure = gdyn_closure_create(w->model, targets);
    gdyn_status status = target && closure ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        gdyn_path_evaluate(path, p, target);
    for (int a = 0; a < space && a < targets && status == GDYN_OK; a++) {
        /* unit acceleration along this axis, from rest */
        gdyn_closure_rates rates;
        for (int i = 0; i < targets; i++)
            target[i].target[1] = i == a, target[i].target[2] = 0;
        status =
            gdyn_closure_derivatives(closure, state, targets, target, NULL, w->u, w->zero, &rates);
        memset(w->zero, 0, (size_t)gdyn_model_coordinates(w->model) * sizeof *w->zero);
        if (status == GDYN_OK)
            status =
                gdyn_evaluator_pose(w->evaluator, state, w->u, w->zero, GDYN_REDUCE_NULL, w->pose);
        if (status == GDYN_OK)
            memcpy(w->D + k * axes++, w->pose->coefficients.D, (size_t)k * sizeof *w->D);
    }
    if (status == GDYN_OK)
        *radius = gdyn_capability(&w->pose->coefficients, k, axes, w->D);
    gdyn_closure_destroy(closure);
    gdyn_free(target);
    return status;
}

static gdyn_status evaluate(walker *w, const gdyn_path *path, const gdyn_track *track, int point,
                            int node) {
    double *value = w->out->value + GDYN_FIELD_VALUES * (size_t)node;
    const gdyn_state *state = track->state[point];
    size_t at = (size_t)track->n * (size_t)point;
    int targets = gdyn_path_targets(path);
    gdyn_criteria criteria = gdyn_criteria_none();
    gdyn_target *target = gdyn_alloc((size_t)targets, sizeof *target);
    gdyn_status status = target ? gdyn_evaluator_pose(w->evaluator, state, track->u_p + at,
                                                      track->u_pp + at, GDYN_REDUCE_NULL, w->pose)
                                : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        gdyn_path_evaluate(path, track->p[point], target);
        status = gdyn_evaluator_criteria(w->evaluator, state, targets, target, &w->def->of, w->pose,
                                         &criteria);
    }
    gdyn_free(target);
    value[GDYN_FIELD_DEXTERITY] = criteria.value[GDYN_CRITERION_DEXTERITY];
    value[GDYN_FIELD_LOAD] = criteria.value[GDYN_CRITERION_LOAD];
    value[GDYN_FIELD_MARGIN] = gdyn_track_margin(track, state);
    gdyn_near near = gdyn_clearance_at(w->clearance, state);
    value[GDYN_FIELD_CLEARANCE] = near.first < 0 ? NAN : near.distance;
    if (gdyn_model_drives(w->model) == 0)
        return status;
    if (status == GDYN_OK)
        status = gdyn_evaluator_distance(w->evaluator, state, &value[GDYN_FIELD_SINGULARITY]);
    if (status == GDYN_OK)
        status = accelerations(w, path, state, track->p[point], &value[GDYN_FIELD_ACCEL]);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The untried node nearest to x. */
static int nearest_node(const gdyn_workspace_field *field, const bool *tried, const double x[3]) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < field->nodes; i++) {
        double at[3], d[3];
        gdyn_field_at(field, i, at);
        v3_sub(d, at, x);
        if (!tried[i] && v3_dot(d, d) < least)
            best = i, least = v3_dot(d, d);
    }
    return best;
}

/* Some neighbour of a node within the grid. */
static int any_neighbour(const gdyn_workspace_field *field, int node) {
    for (int d = 0; d < 6; d++) {
        int next = neighbour(field, node, d);
        if (next >= 0)
            return next;
    }
    return -1;
}

/* The first node, from the assembled first guess. */
static gdyn_status begin(walker *w) {
    gdyn_guess guess = {0};
    double x[3];
    bool *tried = gdyn_alloc((size_t)w->out->nodes, sizeof *tried);
    gdyn_status status = tried ? gdyn_guess_assemble(w->model, &guess) : GDYN_ERROR_MEMORY;
    bool closed = status == GDYN_OK && guess.info.outcome == GDYN_CLOSED;
    /* nodes near the tool at the assembled guess are tried first */
    if (closed)
        gdyn_state_point(guess.state, &w->def->of, x);
    for (int i = 0; i < FIRST_TRIES && closed && status == GDYN_OK && w->out->first < 0; i++) {
        int node = nearest_node(w->out, tried, x);
        if (node < 0)
            break;
        tried[node] = true;
        status = take_way(w, node, any_neighbour(w->out, node), guess.state, 0);
        w->out->first = w->out->reached_count > 0 ? node : -1;
    }
    gdyn_guess_free(&guess);
    gdyn_free(tried);
    return status;
}

/* From every reached node to its neighbours, breadth first. */
static gdyn_status spread(walker *w) {
    gdyn_status status = GDYN_OK;
    for (int head = 0; head < w->out->reached_count && status == GDYN_OK; head++) {
        int node = w->queue[head];
        for (int d = 0; d < 6 && status == GDYN_OK; d++) {
            int next = neighbour(w->out, node, d);
            if (next >= 0 && !w->out->reached[next])
                status = take_way(w, node, next, w->state[node], 1);
        }
    }
    return status;
}

/* The grid, and everything the walk needs; false: memory. */
static bool open_field(walker *w) {
    gdyn_workspace_field *out = w->out;
    out->nodes = 1;
    out->cell = 1;
    /* axes with one node are no dimension */
    for (int a = 0; a < 3; a++) {
        out->count[a] = w->def->count[a];
        out->nodes *= out->count[a];
        out->dimensions += out->count[a] > 1;
        if (out->count[a] > 1)
            out->cell *= fabs(w->def->to[a] - w->def->from[a]) / (out->count[a] - 1);
    }
    /* results and working space by nodes */
    size_t nodes = (size_t)out->nodes, n = (size_t)gdyn_model_coordinates(w->model);
    out->first = -1;
    out->reached = gdyn_alloc(nodes, sizeof *out->reached);
    out->value = gdyn_alloc(nodes * GDYN_FIELD_VALUES, sizeof *out->value);
    w->state = gdyn_alloc(nodes, sizeof(gdyn_state *));
    w->arena = gdyn_arena_create();
    w->queue = gdyn_arena_alloc(w->arena, nodes, sizeof *w->queue);
    w->u = gdyn_arena_doubles(w->arena, n);
    w->zero = gdyn_arena_doubles(w->arena, n);
    w->D = gdyn_arena_doubles(w->arena, 3 * (size_t)gdyn_model_drives(w->model) + 1);
    w->evaluator = gdyn_evaluator_create(w->model);
    w->clearance = gdyn_clearance_create(w->model);
    w->pose = gdyn_pose_create(w->model);
    bool whole = out->reached && out->value && w->state && w->evaluator && w->clearance && w->pose;
    for (int k = 0; k < 3; k++)
        whole &= (w->angle[k] = gdyn_expr_constant(w->def->cardan[k])) != NULL;
    for (size_t i = 0; out->value && i < nodes * GDYN_FIELD_VALUES; i++)
        out->value[i] = NAN;
    return whole && !gdyn_arena_failed(w->arena);
}

/* Frees what the walk needed. */
static void close_walker(walker *w) {
    for (int i = 0; w->state && i < w->out->nodes; i++)
        gdyn_state_destroy(w->state[i]);
    for (int k = 0; k < 3; k++)
        gdyn_expr_destroy(w->angle[k]);
    gdyn_free(w->state);
    gdyn_evaluator_destroy(w->evaluator);
    gdyn_clearance_destroy(w->clearance);
    gdyn_pose_destroy(w->pose);
    gdyn_arena_destroy(w->arena);
}

gdyn_status gdyn_field_find(const gdyn_instance *instance, int workspace, const gdyn_sink *sink,
                            gdyn_workspace_field *field) {
    const gdyn_workspace_def *def = &instance->workspace[workspace];
    *field = (gdyn_workspace_field){.def = def};
    walker w = {
        .instance = instance, .model = instance->model, .def = def, .sink = sink, .out = field};
    gdyn_status status = open_field(&w) ? begin(&w) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = spread(&w);
    close_walker(&w);
    return status;
}

void gdyn_field_free(gdyn_workspace_field *field) {
    gdyn_free(field->reached);
    gdyn_free(field->value);
    *field = (gdyn_workspace_field){0};
}
