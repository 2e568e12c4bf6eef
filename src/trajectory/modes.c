/* modes.c - modes of a machine, from systematic starts; see modes.h. */
#include "trajectory/modes.h"

#include "access/singularity.h"
#include "base/memory.h"
#include "base/pi.h"
#include "base/random.h"
#include "closure/target.h"
#include "linalg/vec3.h"
#include "mech/row.h"
#include "model/data.h"
#include "path/path.h"
#include "trajectory/guess.h"
#include "trajectory/mirror.h"
#include "tree/tree.h"

#include <math.h>
#include <string.h>

/* Poses nearer than this (L, rad) are the same. */
static const double SAME_POSE = 1e-6;
/* Random slides of a start, in L. */
static const double SLIDE = 0.5;
/* Legs whose combinations are tried. */
enum { LEGS_COMBINED = 10 };

const char *const gdyn_mode_held_names[] = {"tool", "drives", NULL};

gdyn_modes_settings gdyn_modes_default(void) {
    return (gdyn_modes_settings){.held = GDYN_HOLD_TOOL, .samples = 64, .seed = 1};
}

typedef struct finder {
    const gdyn_modes_settings *settings;
    const gdyn_model *model;
    gdyn_modes *out;
    gdyn_arena *arena;
    gdyn_path *path; /* whose start holds the tools, or NULL */
    gdyn_closure *closure;
    gdyn_tree *tree;
    gdyn_tree_pose *joints;
    gdyn_state *base, *from, *trial; /* the assembled guess; the first mode; the start at hand */
    int held;                        /* rows */
    gdyn_target *target;             /* held */
    bool *held_body;
    int *leg; /* bodies */
    double *dq, *u, *u_pp;
} finder;

/* --- what is held ----------------------------------------------------------------------------- */

/* Drives stay where they are at the guess. */
static void hold_drives(finder *f) {
    for (int i = 0; i < f->held; i++) {
        f->target[i].row = f->model->drive_row[i];
        f->target[i].target[0] = gdyn_row_value(f->base, &f->target[i].row);
    }
}

/* Tools stay where the path begins, without moving on. */
static void hold_tools(finder *f) {
    const gdyn_path_def *def = gdyn_path_definition(f->path);
    gdyn_path_evaluate(f->path, gdyn_path_p(f->path, 0), f->target);
    for (int i = 0; i < def->tools; i++)
        if (def->tool[i].of.body != GDYN_GROUND)
            f->held_body[def->tool[i].of.body] = true;
    for (int i = 0; i < f->held; i++)
        f->target[i].target[1] = f->target[i].target[2] = 0;
}

/* --- closing ---------------------------------------------------------------------------------- */

/* Whether the pose has been found before. */
static bool known(const finder *f) {
    for (int i = 0; i < f->out->count; i++)
        if (gdyn_state_near(f->out->mode[i].state, f->trial, SAME_POSE))
            return true;
    return false;
}

/* How many motions are left while the tools or drives are held. */
static gdyn_status count_freedom(finder *f, gdyn_mode *mode) {
    gdyn_closure_rates rates;
    gdyn_status status = gdyn_closure_derivatives(f->closure, mode->state, f->held, f->target, NULL,
                                                  f->u, f->u_pp, &rates);
    mode->freedom = rates.freedom;
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* A random start led to a pose with motions left: one of a continuum, kept only as the first mode. */
static bool sample_of_continuum(const finder *f, int freedom, gdyn_mode_start start) {
    return freedom > 0 && start == GDYN_MODE_SAMPLED && f->out->count > 0;
}

/* The trial pose becomes a mode when it can be closed and is new. */
static gdyn_status try_start(finder *f, gdyn_mode_start start) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    gdyn_modes *out = f->out;
    gdyn_status status =
        gdyn_closure_solve(f->closure, f->trial, f->held, f->target, &settings, &info);
    if (status == GDYN_ERROR_NUMERIC)
        return GDYN_OK;
    if (status != GDYN_OK || info.outcome != GDYN_CLOSED || known(f))
        return status;
    if (!gdyn_reserve(&out->mode, &out->capacity, out->count + 1, sizeof *out->mode))
        return GDYN_ERROR_MEMORY;
    /* a new mode with its own state */
    gdyn_mode *mode = &out->mode[out->count];
    *mode = (gdyn_mode){.start = start, .residual = info.residual};
    mode->state = gdyn_state_create(f->model);
    size_t trajectories = (size_t)out->instance->trajectory_count;
    mode->reach = gdyn_alloc(2 * trajectories + 1, sizeof *mode->reach);
    mode->blocked = mode->reach ? mode->reach + trajectories : NULL;
    out->count++;
    if (!mode->state || !mode->reach)
        return GDYN_ERROR_MEMORY;
    gdyn_state_copy(mode->state, f->trial);
    gdyn_state_accept(mode->state);
    for (int r = 0; r < gdyn_model_ranges(f->model); r++)
        mode->outside += gdyn_mech_range_beyond(mode->state, r) > 0;
    status = count_freedom(f, mode);
    /* a random sample of a continuum is not kept beside other modes */
    if (status == GDYN_OK && sample_of_continuum(f, mode->freedom, start) && out->count > 1) {
        gdyn_state_destroy(mode->state);
        gdyn_free(mode->reach);
        out->count--;
    }
    return status;
}

/* --- starts ----------------------------------------------------------------------------------- */

/* The assembled guess; other starts begin at its mode. */
static gdyn_status try_guess(finder *f) {
    gdyn_state_copy(f->trial, f->base);
    gdyn_status status = try_start(f, GDYN_MODE_GUESS);
    gdyn_state_copy(f->from, f->out->count > 0 ? f->out->mode[0].state : f->base);
    return status;
}

/* All combinations of the first legs; of more, each by itself. */
static gdyn_status try_mirrored(finder *f) {
    gdyn_status status = GDYN_OK;
    int legs = f->out->legs, combined = legs < LEGS_COMBINED ? legs : LEGS_COMBINED;
    for (int mask = 1; mask < 1 << combined && status == GDYN_OK; mask++) {
        /* all legs of the mask, where each can be mirrored */
        bool moved = true;
        gdyn_state_copy(f->trial, f->from);
        for (int leg = 0; leg < combined && moved; leg++)
            if (mask >> leg & 1)
                moved = gdyn_mirror_leg(f->from, f->leg, leg, f->trial);
        f->out->mirrored += moved;
        status = moved ? try_start(f, GDYN_MODE_MIRRORED) : GDYN_OK;
    }
    for (int leg = combined; leg < legs && status == GDYN_OK; leg++) {
        gdyn_state_copy(f->trial, f->from);
        bool moved = gdyn_mirror_leg(f->from, f->leg, leg, f->trial);
        f->out->mirrored += moved;
        status = moved ? try_start(f, GDYN_MODE_MIRRORED) : GDYN_OK;
    }
    return status;
}

/* Joints of the tree turned and slid at random; tools that float stay where they are. */
static gdyn_status try_sampled(finder *f) {
    int coordinates = gdyn_tree_coordinates(f->tree);
    double slide = SLIDE * gdyn_model_length(f->model);
    gdyn_status status = GDYN_OK;
    for (int s = 0; s < f->settings->samples && status == GDYN_OK; s++) {
        gdyn_random random = gdyn_random_stream(f->settings->seed, (uint64_t)s, 0);
        for (int q = 0; q < coordinates; q++) {
            /* every coordinate at random but those of held hubs */
            int body = gdyn_tree_coordinate_body(f->tree, q);
            bool turns = gdyn_tree_coordinate_turns(f->tree, q);
            double most = turns ? GDYN_PI : slide;
            bool stays = f->held_body[body] && gdyn_tree_is_hub(f->tree, body);
            f->dq[q] = gdyn_random_between(&random, -most, most);
            f->dq[q] = stays ? 0 : f->dq[q];
        }
        gdyn_tree_move(f->joints, f->from, f->dq, f->trial);
        f->out->sampled++;
        status = try_start(f, GDYN_MODE_SAMPLED);
    }
    return status;
}

/* --- trajectories ----------------------------------------------------------------------------- */

/* Where the followed path is blocked by a singular pose. */
static gdyn_status find_block(const gdyn_path *path, const gdyn_track *track,
                              gdyn_evaluator *evaluator, double *p) {
    gdyn_singularities singular = {0};
    gdyn_status status = gdyn_singularities_find(path, track, evaluator, &singular);
    const gdyn_singularity *block = gdyn_singularities_block(&singular, -INFINITY, INFINITY);
    *p = block ? block->from : NAN;
    gdyn_singularities_free(&singular);
    return status;
}

/* How far every mode carries along a trajectory. */
static gdyn_status follow(finder *f, int t, const gdyn_sink *sink) {
    gdyn_path *path = NULL;
    gdyn_status status = gdyn_path_create(f->model, &f->out->instance->trajectory[t], sink, &path);
    if (status != GDYN_OK)
        return status;
    gdyn_track *track = gdyn_track_create(f->model, path);
    gdyn_closure *closure = gdyn_closure_create(f->model, gdyn_path_targets(path));
    gdyn_evaluator *evaluator = gdyn_evaluator_create(f->model);
    status = track && closure && evaluator ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < f->out->count && status == GDYN_OK; i++) {
        gdyn_mode *mode = &f->out->mode[i];
        status = gdyn_track_follow(track, path, closure, mode->state);
        mode->reach[t] = track->reach;
        if (status == GDYN_OK)
            status = find_block(path, track, evaluator, &mode->blocked[t]);
    }
    gdyn_evaluator_destroy(evaluator);
    gdyn_closure_destroy(closure);
    gdyn_track_destroy(track);
    gdyn_path_destroy(path);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* What is held, and all working space. */
static gdyn_status open_finder(finder *f, const gdyn_sink *sink) {
    const gdyn_instance *instance = f->out->instance;
    bool tool = f->settings->held == GDYN_HOLD_TOOL;
    int t = f->settings->trajectory;
    if (tool ? t >= instance->trajectory_count : gdyn_model_drives(f->model) == 0)
        return GDYN_ERROR_ARGUMENT;
    gdyn_status status =
        tool ? gdyn_path_create(f->model, &instance->trajectory[t], sink, &f->path) : GDYN_OK;
    if (status != GDYN_OK)
        return status;
    f->held = tool ? gdyn_path_targets(f->path) : gdyn_model_drives(f->model);
    size_t n = (size_t)gdyn_model_coordinates(f->model),
           bodies = (size_t)gdyn_model_bodies(f->model);
    /* for poses in coordinates of joints */
    f->arena = gdyn_arena_create();
    f->target = gdyn_arena_alloc(f->arena, (size_t)f->held + 1, sizeof *f->target);
    f->held_body = gdyn_arena_alloc(f->arena, bodies, sizeof *f->held_body);
    f->leg = gdyn_arena_alloc(f->arena, bodies, sizeof *f->leg);
    f->u = gdyn_arena_doubles(f->arena, n);
    f->u_pp = gdyn_arena_doubles(f->arena, n);
    f->closure = gdyn_closure_create(f->model, f->held);
    f->tree = gdyn_tree_create_holonomic(f->model);
    f->joints = f->tree ? gdyn_tree_pose_create(f->tree, 0) : NULL;
    f->dq =
        f->tree ? gdyn_arena_doubles(f->arena, (size_t)gdyn_tree_coordinates(f->tree) + 1) : NULL;
    f->from = gdyn_state_create(f->model);
    f->trial = gdyn_state_create(f->model);
    bool whole = f->closure && f->joints && f->from && f->trial && !gdyn_arena_failed(f->arena);
    return whole ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static void close_finder(finder *f) {
    gdyn_tree_pose_destroy(f->joints);
    gdyn_tree_destroy(f->tree);
    gdyn_closure_destroy(f->closure);
    gdyn_path_destroy(f->path);
    gdyn_state_destroy(f->from);
    gdyn_state_destroy(f->trial);
    gdyn_arena_destroy(f->arena);
}

gdyn_status gdyn_modes_find(const gdyn_instance *instance, const gdyn_modes_settings *settings,
                            const gdyn_sink *sink, gdyn_modes *modes) {
    gdyn_guess guess = {0};
    *modes = (gdyn_modes){
        .instance = instance, .held = settings->held, .trajectory = settings->trajectory};
    finder f = {.settings = settings, .model = instance->model, .out = modes};
    gdyn_status status = open_finder(&f, sink);
    if (status == GDYN_OK)
        status = gdyn_guess_assemble(f.model, &guess);
    if (status == GDYN_OK) {
        f.base = guess.state;
        if (f.path)
            hold_tools(&f);
        else
            hold_drives(&f);
        modes->legs = gdyn_legs_of(f.model, f.held_body, f.leg);
        status = try_guess(&f);
    }
    if (status == GDYN_OK)
        status = try_mirrored(&f);
    if (status == GDYN_OK)
        status = try_sampled(&f);
    /* how far the modes reach along all trajectories */
    for (int t = 0; t < instance->trajectory_count && status == GDYN_OK; t++)
        status = follow(&f, t, sink);
    gdyn_guess_free(&guess);
    close_finder(&f);
    return status;
}

void gdyn_modes_free(gdyn_modes *modes) {
    for (int i = 0; i < modes->count; i++) {
        gdyn_state_destroy(modes->mode[i].state);
        gdyn_free(modes->mode[i].reach);
    }
    gdyn_free(modes->mode);
    *modes = (gdyn_modes){0};
}

void gdyn_state_pose_of(const gdyn_state *state, int body, double origin[3], double cardan[3]) {
    const gdyn_model *model = gdyn_state_model(state);
    double r[3], R[9], com[3];
    /* the origin of the body's frame, from its centre of gravity */
    gdyn_state_body(state, body, r, R);
    m3_apply(com, R, gdyn_model_body(model, body)->com);
    v3_sub(origin, r, com);
    gdyn_rotation_to_cardan(R, cardan);
}
