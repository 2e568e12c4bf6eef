/* modes.c - modes of a machine, from systematic starts; see modes.h. */
#include "trajectory/modes.h"

#include "base/memory.h"
#include "base/pi.h"
#include "base/random.h"
#include "closure/target.h"
#include "linalg/vec3.h"
#include "mech/row.h"
#include "model/data.h"
#include "model/kinds.h"
#include "model/screws.h"
#include "path/path.h"
#include "trajectory/advice.h"
#include "trajectory/guess.h"
#include "trajectory/internal.h"
#include "tree/tree.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Poses nearer than this (L, rad) are the same. */
static const double SAME_POSE = 1e-6;
/* Random slides of a start, in L. */
static const double SLIDE = 0.5;
/* Legs whose combinations are tried. */
enum { LEGS_COMBINED = 10 };
/* Poses of one mode that are kept. */
enum { FORMS_KEPT = 100 };
/* Random starts: the fewest; times those until every mode was met twice; most starts and modes. */
enum { FEWEST_SAMPLES = 200, SAMPLES_AGAIN = 5, MOST_SAMPLES = 20000, MOST_MODES = 256 };

const char *const gdyn_mode_held_names[] = {"tool", "drives", NULL};

gdyn_modes_settings gdyn_modes_default(void) {
    return (gdyn_modes_settings){.held = GDYN_HOLD_TOOL, .seed = 1};
}

typedef struct finder {
    const gdyn_modes_settings *settings;
    const gdyn_model *model;
    gdyn_modes *out;
    gdyn_arena *arena;
    gdyn_path *path; /* whose start holds the tools, or NULL */
    gdyn_closure *closure;
    const gdyn_tree *tree;
    gdyn_tree_pose *joints;
    gdyn_state *base, *from, *trial; /* the assembled guess; the first mode; the start at hand */
    int held;                        /* rows */
    gdyn_target *target;             /* held */
    bool *held_body;
    int *leg; /* bodies */
    double *dq, *u, *u_pp;
    double *low, *high; /* 3 bodies each: boxes of floating bodies */
    int settled;        /* random starts when the last mode was met twice */
    /* what tells modes from each other */
    int marks;
    gdyn_anchor *mark; /* marks: points that lie in the same places in all variants of a mode */
    bool *tool,
        *whole; /* bodies: tools of the trajectories; those whose pose is compared as a whole */
    struct variant *seen;
    int seen_count, seen_room;
} finder;

/* A pose that was found, and its mode. */
typedef struct variant {
    gdyn_state *state;
    int mode;
} variant;

/* --- modes and their variants ----------------------------------------------------------------- */

static void add_mark(finder *f, const gdyn_anchor *at, const double *along) {
    gdyn_anchor mark = *at;
    if (at->body == GDYN_GROUND)
        return;
    if (along) {
        double unit[3];
        v3_copy(unit, along);
        gdyn_v3_normalize(unit);
        v3_axpy(mark.at, mark.at, gdyn_model_length(f->model), unit);
    }
    f->mark[f->marks++] = mark;
}

/* Two marks of the body are apart. */
static bool has_line(const finder *f, int body) {
    const gdyn_anchor *first = NULL;
    for (int i = 0; i < f->marks; i++) {
        double d[3];
        if (f->mark[i].body != body)
            continue;
        first = first ? first : &f->mark[i];
        v3_sub(d, f->mark[i].at, first->at);
        if (v3_norm(d) > SAME_POSE * gdyn_model_length(f->model))
            return true;
    }
    return false;
}

/* Points of joints and drives, a second one along a slide; tools and bodies without two marks. */
static void list_marks(finder *f) {
    const gdyn_machine *machine = f->model->machine;
    const gdyn_instance *instance = f->out->instance;
    for (int i = 0; i < machine->joints; i++) {
        const gdyn_joint_def *def = &machine->joint[i];
        if (!gdyn_joint_type_has_points(def->type))
            continue;
        add_mark(f, &def->a, NULL), add_mark(f, &def->b, NULL);
        /* the joint keeps its axes parallel and slides along them */
        gdyn_screw screw[GDYN_SCREWS_MOST];
        int count = gdyn_joint_screws(f->model, i, screw), slides = 0, turns = 0;
        for (int j = 0; j < count; j++) {
            slides += !screw[j].turns || screw[j].pitch != 0;
            turns += screw[j].turns;
        }
        if (gdyn_model_space(f->model) == GDYN_SPATIAL && slides == 1 && turns <= 1)
            add_mark(f, &def->a, def->axis_a), add_mark(f, &def->b, def->axis_b);
    }
    for (int i = 0; i < machine->drives; i++)
        if (gdyn_drive_traits_of(machine->drive[i].kind)->acts == GDYN_ACTS_BETWEEN) {
            add_mark(f, &machine->drive[i].a, NULL);
            add_mark(f, &machine->drive[i].b, NULL);
        }
    for (int t = 0; t < instance->trajectory_count; t++)
        for (int i = 0; i < instance->trajectory[t].tools; i++)
            if (instance->trajectory[t].tool[i].of.body != GDYN_GROUND)
                f->tool[instance->trajectory[t].tool[i].of.body] = true;
    for (int i = 0; i < machine->bodies; i++)
        f->whole[i] = f->tool[i] || f->held_body[i] || !has_line(f, i);
}

static bool same_body(const gdyn_state *a, const gdyn_state *b, int body) {
    double ra[3], rb[3], Ra[9], Rb[9], w[3];
    gdyn_state_body(a, body, ra, Ra), gdyn_state_body(b, body, rb, Rb);
    v3_sub(ra, ra, rb);
    gdyn_m3_multiply_tn(Ra, Ra, Rb);
    gdyn_rotation_log(Ra, w);
    return v3_norm(ra) <= SAME_POSE * gdyn_model_length(gdyn_state_model(a)) &&
           v3_norm(w) <= SAME_POSE;
}

static bool same_bodies(const finder *f, const bool *body, const gdyn_state *a,
                        const gdyn_state *b) {
    for (int i = 0; i < gdyn_model_bodies(f->model); i++)
        if (body[i] && !same_body(a, b, i))
            return false;
    return true;
}

/* Variants of one mode: legs may have turned about themselves. */
static bool alike(const finder *f, const gdyn_state *a, const gdyn_state *b) {
    for (int i = 0; i < f->marks; i++) {
        double x[3], y[3];
        gdyn_state_point(a, &f->mark[i], x), gdyn_state_point(b, &f->mark[i], y);
        v3_sub(x, x, y);
        if (v3_norm(x) > SAME_POSE * gdyn_model_length(f->model))
            return false;
    }
    return same_bodies(f, f->whole, a, b);
}

static int count_forms(const finder *f, int mode, const int *leg, int which) {
    int count = 0;
    for (int i = 0; i < f->seen_count; i++) {
        bool known = f->seen[i].mode != mode;
        for (int k = 0; k < i && !known; k++) {
            known = f->seen[k].mode == mode;
            for (int body = 0; known && body < gdyn_model_bodies(f->model); body++)
                known = leg[body] != which || same_body(f->seen[k].state, f->seen[i].state, body);
        }
        count += !known;
    }
    return count;
}

/* All variants of a mode, those included that no start led to: between bodies that are the same in
 * all of them each leg turns by itself. */
static int count_variants(finder *f, int mode) {
    int first = 0, *leg = f->leg, product = 1;
    bool *same = f->whole;
    while (first < f->seen_count && f->seen[first].mode != mode)
        first++;
    for (int body = 0; body < gdyn_model_bodies(f->model); body++) {
        same[body] = true;
        for (int i = first + 1; i < f->seen_count && same[body]; i++)
            same[body] =
                f->seen[i].mode != mode || same_body(f->seen[first].state, f->seen[i].state, body);
    }
    for (int which = gdyn_legs_of(f->model, same, leg) - 1; which >= 0; which--) {
        int forms = count_forms(f, mode, leg, which);
        product = product > INT_MAX / forms ? INT_MAX : product * forms;
    }
    return product;
}

/* How many poses of the tools there are among the modes. */
static int count_tool_poses(const finder *f) {
    const gdyn_modes *out = f->out;
    int count = 0, tools = 0;
    for (int i = 0; i < gdyn_model_bodies(f->model); i++)
        tools += f->tool[i];
    for (int i = 0; i < out->count && tools > 0; i++) {
        int k = 0;
        while (k < i && !same_bodies(f, f->tool, out->mode[k].state, out->mode[i].state))
            k++;
        count += k == i;
    }
    return count;
}

/* --- closing ---------------------------------------------------------------------------------- */

/* The mode of the trial pose, -1: a new one; *new_variant: in this form it is not known. */
static int find_mode(const finder *f, bool *new_variant) {
    int mode = 0;
    while (mode < f->out->count && !alike(f, f->out->mode[mode].state, f->trial))
        mode++;
    *new_variant = true;
    for (int i = 0; i < f->seen_count && *new_variant; i++)
        *new_variant =
            f->seen[i].mode != mode || !gdyn_state_near(f->seen[i].state, f->trial, SAME_POSE);
    return mode < f->out->count ? mode : -1;
}

/* Number of ranges that the pose is beyond. */
static int count_outside(const gdyn_state *state) {
    int count = 0;
    for (int r = 0; r < gdyn_model_ranges(gdyn_state_model(state)); r++)
        count += gdyn_mech_range_beyond(state, r) > 0;
    return count;
}

static void set_pose(finder *f, gdyn_mode *mode, double residual) {
    gdyn_state_copy(mode->state, f->trial);
    gdyn_state_accept(mode->state);
    mode->residual = residual;
    mode->outside = count_outside(mode->state);
}

/* The trial pose as a mode of its own. */
static gdyn_status add_mode(finder *f, gdyn_mode_start start, double residual) {
    gdyn_modes *out = f->out;
    if (!gdyn_reserve(&out->mode, &out->capacity, out->count + 1, sizeof *out->mode))
        return GDYN_ERROR_MEMORY;
    gdyn_mode *mode = &out->mode[out->count];
    *mode = (gdyn_mode){.start = start, .variants = 1, .met = 1};
    mode->state = gdyn_state_create(f->model);
    size_t trajectories = (size_t)out->instance->trajectory_count;
    mode->reach = gdyn_alloc(2 * trajectories + 1, sizeof *mode->reach);
    mode->blocked = mode->reach ? mode->reach + trajectories : NULL;
    out->count++;
    if (!mode->state || !mode->reach)
        return GDYN_ERROR_MEMORY;
    set_pose(f, mode, residual);
    /* How many motions are left while the tools or drives are held. */
    gdyn_closure_rates rates;
    gdyn_status status = gdyn_closure_derivatives(f->closure, mode->state, f->held, f->target, NULL,
                                                  f->u, f->u_pp, &rates);
    mode->freedom = rates.freedom;
    status = status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
    /* a pose with motions left, one of a continuum, is not kept beside other modes */
    if (status == GDYN_OK && mode->freedom > 0 && start == GDYN_MODE_SAMPLED && out->count > 1) {
        gdyn_state_destroy(mode->state);
        gdyn_free(mode->reach);
        out->count--;
    }
    return status;
}

/* Remembers the trial pose as a form of that mode. */
static gdyn_status remember(finder *f, int mode) {
    if (!gdyn_reserve(&f->seen, &f->seen_room, f->seen_count + 1, sizeof *f->seen))
        return GDYN_ERROR_MEMORY;
    gdyn_state *state = gdyn_state_create(f->model);
    if (!state)
        return GDYN_ERROR_MEMORY;
    gdyn_state_copy(state, f->trial);
    f->seen[f->seen_count++] = (variant){state, mode};
    return GDYN_OK;
}

/* The trial pose becomes a mode when it can be closed and is new, or one of its variants. */
static gdyn_status try_start(finder *f, gdyn_mode_start start) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    gdyn_modes *out = f->out;
    bool fresh;
    gdyn_status status =
        gdyn_closure_solve(f->closure, f->trial, f->held, f->target, &settings, &info);
    if (status == GDYN_ERROR_NUMERIC)
        return GDYN_OK;
    if (status != GDYN_OK || info.outcome != GDYN_CLOSED)
        return status;
    int known = find_mode(f, &fresh), before = out->count;
    if (known < 0) {
        status = add_mode(f, start, info.residual);
        return status == GDYN_OK && out->count > before ? remember(f, before) : status;
    }
    gdyn_mode *mode = &out->mode[known];
    mode->met++;
    if (mode->met == 2 && mode->start == GDYN_MODE_SAMPLED)
        f->settled = out->sampled;
    if (!fresh || mode->variants >= FORMS_KEPT)
        return GDYN_OK;
    mode->variants++;
    /* the pose that keeps more ranges stands for the mode; that of the first guess stays */
    if (count_outside(f->trial) < mode->outside && mode->start != GDYN_MODE_GUESS)
        set_pose(f, mode, info.residual);
    return remember(f, known);
}

/* --- starts ----------------------------------------------------------------------------------- */

/* All combinations of the first legs; of more, each by itself. */
static gdyn_status try_mirrored(finder *f) {
    gdyn_status status = GDYN_OK;
    int legs = f->out->legs, combined = legs < LEGS_COMBINED ? legs : LEGS_COMBINED;
    int masks = 1 << combined, starts = masks + legs - combined;
    for (int start = 1; start < starts && status == GDYN_OK; start++) {
        /* all legs of the mask, or a further one, where each can be mirrored */
        bool moved = true;
        gdyn_state_copy(f->trial, f->from);
        for (int leg = 0; leg < legs && moved; leg++)
            if (start < masks ? leg < combined && start >> leg & 1
                              : leg == combined + start - masks)
                moved = gdyn_mirror_leg(f->from, f->leg, leg, f->trial);
        f->out->mirrored += moved;
        status = moved ? try_start(f, GDYN_MODE_MIRRORED) : GDYN_OK;
    }
    return status;
}

/* A rotation vector, all orientations alike; in the plane an angle. */
static void draw_turn(const finder *f, gdyn_random *random, double turn[3]) {
    double q[4], length;
    v3_set(turn, gdyn_random_between(random, -GDYN_PI, GDYN_PI), 0, 0);
    if (gdyn_model_space(f->model) == GDYN_PLANAR)
        return;
    for (int i = 0; i < 4; i++)
        q[i] = gdyn_random_normal(random);
    length = v3_norm(q + 1);
    v3_scale(turn, length > 0 ? 2 * atan2(length, q[0]) / length : 0, q + 1);
}

/* Where a floating body goes: anywhere in its box, turned in any way. */
static void draw_floating(finder *f, gdyn_random *random, int body, int first, int count) {
    double turn[3], r[3], R[9];
    int slides = 0, turns = 0;
    draw_turn(f, random, turn);
    gdyn_state_body(f->from, body, r, R);
    for (int q = first; q < first + count; q++)
        if (gdyn_tree_coordinate_turns(f->tree, q)) {
            f->dq[q] = turn[turns++];
        } else {
            int k = slides++;
            f->dq[q] =
                gdyn_random_between(random, f->low[3 * body + k], f->high[3 * body + k]) - r[k];
        }
}

/* Joints of the tree turned and slid at random, floating bodies placed within reach; held: stay. */
static void draw_start(finder *f, int sample) {
    gdyn_random random = gdyn_random_stream(f->settings->seed, (uint64_t)sample, 0);
    double slide = SLIDE * gdyn_model_length(f->model);
    for (int body = 0; body < gdyn_model_bodies(f->model); body++) {
        int count, first = gdyn_tree_first(f->tree, body, &count);
        if (f->held_body[body] && gdyn_tree_is_hub(f->tree, body))
            continue;
        if (gdyn_tree_joint(f->tree, body) < 0) {
            draw_floating(f, &random, body, first, count);
            continue;
        }
        for (int q = first; q < first + count; q++) {
            double most = gdyn_tree_coordinate_turns(f->tree, q) ? GDYN_PI : slide;
            f->dq[q] = gdyn_random_between(&random, -most, most);
        }
    }
}

/* Whether a further random start is worth its time. */
static bool go_on(finder *f) {
    int done = f->out->sampled, asked = f->settings->samples;
    f->out->once = 0;
    for (int i = 0; i < f->out->count; i++)
        f->out->once += f->out->mode[i].start == GDYN_MODE_SAMPLED && f->out->mode[i].met < 2;
    if (asked > 0)
        return done < asked;
    bool enough = done >= FEWEST_SAMPLES && f->out->once == 0 && done >= SAMPLES_AGAIN * f->settled;
    return !enough && done < MOST_SAMPLES && f->out->count < MOST_MODES;
}

/* --- trajectories ----------------------------------------------------------------------------- */

/* How far every mode carries along a trajectory. */
static gdyn_status follow(finder *f, int number, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < f->out->count && status == GDYN_OK; i++) {
        gdyn_mode *mode = &f->out->mode[i];
        gdyn_trajectory t;
        status = gdyn_trajectory_open(&t, f->out->instance, number, sink);
        t.settings.start = mode->state;
        status = status == GDYN_OK ? gdyn_trajectory_take(&t, GDYN_PASS_APPROACH) : status;
        if (status == GDYN_OK) {
            mode->reach[number] = t.track->reach;
            mode->blocked[number] = gdyn_trajectory_blocked(&t);
        }
        gdyn_trajectory_close(&t);
    }
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
    const gdyn_machine *machine = f->model->machine;
    f->tool = gdyn_arena_alloc(f->arena, bodies, sizeof *f->tool);
    f->whole = gdyn_arena_alloc(f->arena, bodies, sizeof *f->whole);
    f->mark = gdyn_arena_alloc(f->arena, (size_t)(4 * machine->joints + 2 * machine->drives) + 1,
                               sizeof *f->mark);
    f->low = gdyn_arena_doubles(f->arena, 3 * bodies);
    f->high = gdyn_arena_doubles(f->arena, 3 * bodies);
    f->u = gdyn_arena_doubles(f->arena, n), f->u_pp = gdyn_arena_doubles(f->arena, n);
    f->closure = gdyn_closure_create(f->model, f->held);
    f->tree = gdyn_model_pose_tree(f->model);
    f->joints = gdyn_tree_pose_create(f->tree, 0);
    f->dq = gdyn_arena_doubles(f->arena, (size_t)gdyn_tree_coordinates(f->tree) + 1);
    f->from = gdyn_state_create(f->model), f->trial = gdyn_state_create(f->model);
    bool whole = f->closure && f->joints && f->from && f->trial && !gdyn_arena_failed(f->arena);
    return whole ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static void close_finder(finder *f) {
    for (int i = 0; i < f->seen_count; i++)
        gdyn_state_destroy(f->seen[i].state);
    gdyn_free(f->seen);
    gdyn_tree_pose_destroy(f->joints);
    gdyn_closure_destroy(f->closure);
    gdyn_path_destroy(f->path);
    gdyn_state_destroy(f->from), gdyn_state_destroy(f->trial);
    gdyn_arena_destroy(f->arena);
}

/* Why the first guess does not become a mode. */
static gdyn_status describe_open(finder *f, const gdyn_guess *guess) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info = guess->info;
    size_t size = sizeof f->out->reason;
    gdyn_status status = GDYN_OK;
    gdyn_state_copy(f->trial, f->base);
    /* the machine itself stays open, or it does while tools or drives are held */
    if (info.outcome == GDYN_CLOSED)
        status = gdyn_closure_solve(f->closure, f->trial, f->held, f->target, &settings, &info);
    if (status != GDYN_OK && status != GDYN_ERROR_NUMERIC)
        return status;
    return info.worst_joint < 0 && f->path ? gdyn_describe_miss(f->path, gdyn_path_p(f->path, 0),
                                                                f->trial, f->out->reason, size)
                                           : gdyn_describe_gap(f->trial, f->out->reason, size);
}

gdyn_status gdyn_modes_find(const gdyn_instance *instance, const gdyn_modes_settings *settings,
                            const gdyn_sink *sink, gdyn_modes *modes) {
    gdyn_guess guess = {0};
    *modes = (gdyn_modes){
        .instance = instance, .held = settings->held, .trajectory = settings->trajectory};
    finder f = {.settings = settings, .model = instance->model, .out = modes};
    gdyn_status status = open_finder(&f, sink);
    status = status == GDYN_OK ? gdyn_guess_assemble(f.model, 0, &guess) : status;
    if (status == GDYN_OK) {
        f.base = guess.state; /* other starts begin at its mode */
        if (f.path) {
            /* Tools stay where the path begins, without moving on. */
            const gdyn_path_def *def = gdyn_path_definition(f.path);
            gdyn_path_evaluate(f.path, gdyn_path_p(f.path, 0), f.target);
            for (int i = 0; i < def->tools; i++)
                if (def->tool[i].of.body != GDYN_GROUND)
                    f.held_body[def->tool[i].of.body] = true;
            for (int i = 0; i < f.held; i++)
                f.target[i].target[1] = f.target[i].target[2] = 0;
        } else {
            /* Drives stay where they are at the guess. */
            for (int i = 0; i < f.held; i++) {
                f.target[i].row = f.model->drive_row[i];
                f.target[i].target[0] = gdyn_row_value(f.base, &f.target[i].row);
            }
        }
        list_marks(&f);
        modes->legs = gdyn_legs_of(f.model, f.held_body, f.leg);
        gdyn_state_copy(f.trial, f.base);
        status = try_start(&f, GDYN_MODE_GUESS);
        gdyn_state_copy(f.from, modes->count > 0 ? modes->mode[0].state : f.base);
    }
    status = status == GDYN_OK ? try_mirrored(&f) : status;
    if (status == GDYN_OK) {
        memset(f.dq, 0, (size_t)gdyn_tree_coordinates(f.tree) * sizeof *f.dq);
        status = gdyn_reach_boxes(f.from, f.held_body, !f.path, f.low, f.high);
        while (status == GDYN_OK && go_on(&f)) {
            draw_start(&f, f.out->sampled);
            gdyn_tree_move(f.joints, f.from, f.dq, f.trial);
            f.out->sampled++;
            status = try_start(&f, GDYN_MODE_SAMPLED);
        }
    }
    if (status == GDYN_OK && modes->count == 0)
        status = describe_open(&f, &guess);
    if (status == GDYN_OK)
        modes->tool_poses = count_tool_poses(&f);
    for (int i = 0; i < modes->count && status == GDYN_OK; i++)
        modes->mode[i].variants = count_variants(&f, i);
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
