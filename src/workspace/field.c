/* field.c - the poses of a field in the order in which they are reached; see field.h.
 *
 * Level by level: the poses next to those reached last are visited, each from its reached
 * neighbours in the order of the directions until a way leads there. Visits of a level do not
 * depend on each other, so that any number of threads gives the same field. */
#include "workspace/internal.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "linalg/vec3.h"
#include "trajectory/guess.h"
#include "trajectory/trajectory.h"

#include <math.h>
#include <string.h>

/* Nodes that are tried as the first one. */
enum { FIRST_TRIES = 40 };

/* The spreading over a field. */
typedef struct walk {
    gdyn_arena *arena; /* owns the arrays */
    gdyn_visit_plan plan;
    const gdyn_field_settings *settings;
    gdyn_workspace_field *out;
    gdyn_visitor **visitor; /* threads */
    gdyn_state **state;     /* poses: of those reached that are still needed */
    gdyn_state **source;    /* poses: where the nearest known pose is, for islands; borrowed */
    int *level;             /* poses: when they were reached, -1: not */
    int *queue;             /* poses, in the order in which they were reached */
    int *task;              /* poses to be visited now */
    gdyn_visit *visit;      /* of the tasks */
    gdyn_status *status;    /* of the tasks */
    gdyn_node_bound *bound; /* of poses x 2: accel, force; values of poses */
    double *value;
    int reached, tasks, poses, now;
    int first; /* of the tasks of the part that is shared out */
    bool free,
        /* poses leave motions free, or are in equilibrium, others being possible; these are
         * taken now */
        about;
    bool *turned;      /* poses: they have been taken from there */
    gdyn_expr **angle; /* orientations x 3 */
} walk;

/* Visits are kept in parts of this size, so that their memory does not grow with the level. */
enum { PART = 512 };

gdyn_field_settings gdyn_field_default(void) {
    return (gdyn_field_settings){.threads = 1};
}

/* --- one level -------------------------------------------------------------------------------- */

static bool stopped(const walk *w) {
    return gdyn_flag(w->settings->interrupt);
}

/* In equilibrium the pose of a neighbour depends on the way that led there: other ways to it, from
 * its reached neighbours, may end in another equilibrium, which leads on. */
static gdyn_status go_round(walk *w, int worker, int from, int to, gdyn_visit *visit) {
    int most = gdyn_pose_directions(w->out);
    gdyn_status status = GDYN_OK;
    for (int d = 0; d < most && status == GDYN_OK && !visit->state; d++) {
        int via = gdyn_pose_neighbour(w->out, from, d);
        if (via < 0 || w->level[via] < 0)
            continue;
        status = gdyn_visitor_go(w->visitor[worker], via, from, w->state[via], visit);
        gdyn_state *start = visit->state;
        visit->state = NULL;
        if (status == GDYN_OK && start)
            status = gdyn_visitor_go(w->visitor[worker], from, to, start, visit);
        gdyn_state_destroy(start);
    }
    return status;
}

/* Visits a pose from its neighbours. */
static void visit_one(void *context, int worker, int i) {
    walk *w = context;
    int to = w->task[w->first + i], most = gdyn_pose_directions(w->out);
    gdyn_visit *visit = &w->visit[i];
    gdyn_status *status = &w->status[i];
    visit->state = NULL;
    *status = GDYN_OK;
    for (int d = 0; d < most && *status == GDYN_OK && !visit->state && !stopped(w); d++) {
        int from = gdyn_pose_neighbour(w->out, to, d);
        /* visited from a neighbour of the last level; turned about, from all that have not been
         * tried */
        if (from < 0 || w->level[from] < 0 ||
            (w->about ? !w->state[from] || w->turned[from] : w->level[from] != w->now))
            continue;
        if (w->about && w->out->def->at_rest)
            *status = go_round(w, worker, from, to, visit);
        else if (w->about)
            *status = gdyn_visitor_go_about(w->visitor[worker], from, to, w->state[from], visit);
        else
            *status = gdyn_visitor_go(w->visitor[worker], from, to, w->state[from], visit);
    }
}

/* Takes what a visit has found over. */
static void keep(walk *w, int pose, gdyn_visit *visit) {
    w->state[pose] = visit->state;
    visit->state = NULL;
    w->level[pose] = w->now + 1;
    w->out->pose[pose] = GDYN_NODE_REACHED;
    w->queue[w->reached++] = pose;
    memcpy(w->value + GDYN_FIELD_VALUES * (size_t)pose, visit->value, sizeof visit->value);
    w->bound[2 * (size_t)pose] = visit->accel;
    w->bound[2 * (size_t)pose + 1] = visit->force;
}

/* All tasks, part by part; what they find is kept by `take` in the order of the tasks. */
static gdyn_status work_off(walk *w, void (*work)(void *context, int worker, int i),
                            void (*take)(walk *w, int pose, gdyn_visit *visit)) {
    gdyn_status status = GDYN_OK;
    for (w->first = 0; w->first < w->tasks && status == GDYN_OK && !stopped(w); w->first += PART) {
        int count = w->tasks - w->first < PART ? w->tasks - w->first : PART;
        gdyn_work_together(w->settings->threads, count, work, w);
        for (int i = 0; i < count; i++) {
            status = status == GDYN_OK ? w->status[i] : status;
            if (w->visit[i].state)
                take(w, w->task[w->first + i], &w->visit[i]);
        }
        if (w->settings->progress)
            w->settings->progress(w->settings->context, w->reached, w->poses);
    }
    return status;
}

/* Poses that are not reached and next to one of the last level, each once. */
static void list_tasks(walk *w, int from, int to) {
    int most = gdyn_pose_directions(w->out);
    w->tasks = 0;
    for (int i = from; i < to; i++)
        for (int d = 0; d < most; d++) {
            int next = gdyn_pose_neighbour(w->out, w->queue[i], d);
            /* -1: not reached; marked as listed until the level is done */
            if (next >= 0 && w->level[next] == -1) {
                w->level[next] = -2;
                w->task[w->tasks++] = next;
            }
        }
    for (int i = 0; i < w->tasks; i++)
        w->level[w->task[i]] = -1;
}

/* From level to level until nothing more is reached. */
static gdyn_status spread_on(walk *w, int from) {
    gdyn_status status = GDYN_OK;
    for (; from < w->reached && status == GDYN_OK && !stopped(w); w->now++) {
        int to = w->reached;
        list_tasks(w, from, to);
        status = work_off(w, visit_one, keep);
        /* no way begins in the poses of this level any more; islands are looked for from those
         * at the edge */
        int most = gdyn_pose_directions(w->out);
        for (int i = from; i < to; i++) {
            int pose = w->queue[i];
            bool needed = w->out->def->at_rest, edges = w->settings->islands || w->free;
            for (int d = 0; d < most && edges && !needed; d++) {
                int next = gdyn_pose_neighbour(w->out, pose, d);
                needed = next >= 0 && w->level[next] == -1;
            }
            if (needed)
                continue;
            gdyn_state_destroy(w->state[pose]);
            w->state[pose] = NULL;
        }
        from = to;
    }
    return status;
}

static gdyn_status spread(walk *w) {
    gdyn_status status = spread_on(w, 0);
    /* What is left is tried with the machine turned about where it stands, once from each pose that
     * was reached. */
    for (int from = -1; w->free && from < w->reached && status == GDYN_OK && !stopped(w);) {
        from = w->reached;
        w->about = true;
        list_tasks(w, 0, from);
        status = work_off(w, visit_one, keep);
        for (int i = 0; i < from; i++)
            w->turned[w->queue[i]] = true;
        w->about = false;
        w->now++;
        if (status == GDYN_OK)
            status = spread_on(w, from);
    }
    return status;
}

/* --- the first pose --------------------------------------------------------------------------- */

/* The node in one of its orientations, from the assembled first guess. */
static gdyn_status try_node(walk *w, int node, const gdyn_state *guess) {
    gdyn_status status = GDYN_OK;
    for (int o = 0; o < w->out->orientations && status == GDYN_OK && w->reached == 0; o++) {
        int pose = node * w->out->orientations + o;
        gdyn_visit visit;
        status = gdyn_visitor_come(w->visitor[0], pose, guess, true, &visit);
        if (visit.state)
            keep(w, pose, &visit);
    }
    return status;
}

/* The first pose, from the assembled first guess. */
static gdyn_status begin(walk *w) {
    gdyn_guess guess = {0};
    double x[3];
    bool *tried = gdyn_alloc((size_t)w->out->nodes, sizeof *tried);
    gdyn_status status = tried ? gdyn_guess_assemble(w->plan.model, 0, &guess) : GDYN_ERROR_MEMORY;
    bool closed = status == GDYN_OK && guess.info.outcome == GDYN_CLOSED;
    /* nodes near the tool at the assembled guess are tried first */
    if (closed)
        gdyn_state_point(guess.state, &w->out->def->of, x);
    w->now = -1;
    for (int i = 0; i < FIRST_TRIES && closed && status == GDYN_OK && w->reached == 0; i++) {
        /* the untried node nearest to x */
        int node = -1;
        double least = INFINITY;
        for (int j = 0; j < w->out->nodes; j++) {
            double at[3], d[3];
            gdyn_field_at(w->out, j, at);
            v3_sub(d, at, x);
            if (!tried[j] && v3_dot(d, d) < least)
                node = j, least = v3_dot(d, d);
        }
        if (node < 0)
            break;
        tried[node] = true;
        status = try_node(w, node, guess.state);
        w->out->first = w->reached > 0 ? node : -1;
    }
    w->now = 0;
    if (status == GDYN_OK && w->reached > 0)
        status = gdyn_visitor_is_free(w->visitor[0], w->queue[0], w->state[w->queue[0]], &w->free);
    gdyn_guess_free(&guess);
    gdyn_free(tried);
    return status;
}

/* --- islands ---------------------------------------------------------------------------------- */

/* Tries to assemble the machine in a pose, from the nearest one that was reached. */
static void assemble_one(void *context, int worker, int i) {
    walk *w = context;
    int pose = w->task[w->first + i];
    w->visit[i].state = NULL;
    w->status[i] = stopped(w) ? GDYN_OK
                              : gdyn_visitor_come(w->visitor[worker], pose, w->source[pose], false,
                                                  &w->visit[i]);
}

static void keep_elsewhere(walk *w, int pose, gdyn_visit *visit) {
    w->out->pose[pose] = GDYN_NODE_ELSEWHERE;
    gdyn_state_destroy(visit->state);
    visit->state = NULL;
}

/* Poses that no way leads to, each tried from the nearest reached one in steps along the grid. */
static gdyn_status find_elsewhere(walk *w) {
    int most = gdyn_pose_directions(w->out), known = w->reached;
    for (int i = 0; i < known; i++)
        w->source[w->queue[i]] = w->state[w->queue[i]];
    w->tasks = 0;
    /* the queue goes on over what is not reached */
    for (int i = 0; i < known; i++)
        for (int d = 0; d < most; d++) {
            int from = w->queue[i], next = gdyn_pose_neighbour(w->out, from, d);
            if (next < 0 || w->level[next] >= 0 || w->source[next])
                continue;
            w->source[next] = w->source[from];
            w->task[w->tasks++] = next;
            w->queue[known++] = next;
        }
    return work_off(w, assemble_one, keep_elsewhere);
}

/* Marks the group of nodes ELSEWHERE around one. */
static void mark_island(walk *w, int node) {
    int count = 1;
    w->task[0] = node, w->level[node] = -3;
    while (count > 0) {
        int at = w->task[--count];
        for (int d = 0; d < 6; d++) {
            int next = gdyn_node_neighbour(w->out, at, d);
            if (next >= 0 && w->out->status[next] == GDYN_NODE_ELSEWHERE && w->level[next] != -3) {
                w->level[next] = -3;
                w->task[count++] = next;
            }
        }
    }
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* The status of a node from those of its poses. */
static gdyn_node_status status_of(const gdyn_workspace_field *out, int node) {
    gdyn_node_status least = GDYN_NODE_REACHED, most = GDYN_NODE_LEFT;
    for (int o = 0; o < out->orientations; o++) {
        gdyn_node_status s = out->pose[node * out->orientations + o];
        least = s < least ? s : least;
        most = s > most ? s : most;
    }
    return out->def->any ? most : least;
}

/* Values of a node from those of its reached poses. */
static void fold_values(const walk *w, int node) {
    gdyn_workspace_field *out = w->out;
    double *value = out->value + GDYN_FIELD_VALUES * (size_t)node;
    for (int o = 0; o < out->orientations; o++) {
        size_t pose = (size_t)node * (size_t)out->orientations + (size_t)o;
        const double *of = w->value + GDYN_FIELD_VALUES * pose;
        for (int v = 0; v < GDYN_FIELD_VALUES; v++) {
            /* the worst of all orientations, the best of any */
            bool greater = (gdyn_field_row(v)->better > 0) == out->def->any;
            bool decides = isnan(value[v]) || (greater ? of[v] > value[v] : of[v] < value[v]);
            if (out->pose[pose] != GDYN_NODE_REACHED || isnan(of[v]) || !decides)
                continue;
            value[v] = of[v];
            if (v == GDYN_FIELD_ACCEL)
                out->accel[node] = w->bound[2 * pose];
            if (v == GDYN_FIELD_FORCE)
                out->force[node] = w->bound[2 * pose + 1];
        }
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The grid, and everything the walk needs; false: memory. */
static bool open_walk(walk *w) {
    gdyn_workspace_field *out = w->out;
    const gdyn_workspace_def *def = out->def;
    out->first = -1, out->islands = -1;
    out->arena = gdyn_arena_create(), w->arena = gdyn_arena_create();
    if (!gdyn_field_open(out) || !w->arena)
        return false;
    size_t nodes = (size_t)out->nodes, poses = nodes * (size_t)out->orientations;
    out->status = gdyn_arena_alloc(out->arena, nodes, sizeof *out->status);
    out->pose = gdyn_arena_alloc(out->arena, poses, sizeof *out->pose);
    out->value = gdyn_arena_doubles(out->arena, nodes * GDYN_FIELD_VALUES);
    out->accel = gdyn_arena_alloc(out->arena, nodes, sizeof *out->accel);
    out->force = gdyn_arena_alloc(out->arena, nodes, sizeof *out->force);
    int threads = w->settings->threads, angles = 3 * out->orientations;
    w->state = gdyn_arena_alloc(w->arena, poses, sizeof(gdyn_state *));
    w->source = gdyn_arena_alloc(w->arena, poses, sizeof(gdyn_state *));
    w->level = gdyn_arena_alloc(w->arena, poses, sizeof *w->level);
    w->turned = gdyn_arena_alloc(w->arena, poses, sizeof *w->turned);
    w->queue = gdyn_arena_alloc(w->arena, poses, sizeof *w->queue);
    w->task = gdyn_arena_alloc(w->arena, poses, sizeof *w->task);
    w->visit = gdyn_arena_alloc(w->arena, PART, sizeof *w->visit);
    w->status = gdyn_arena_alloc(w->arena, PART, sizeof *w->status);
    w->bound = gdyn_arena_alloc(w->arena, 2 * poses, sizeof *w->bound);
    w->value = gdyn_arena_doubles(w->arena, poses * GDYN_FIELD_VALUES);
    w->angle = gdyn_arena_alloc(w->arena, (size_t)angles, sizeof(gdyn_expr *));
    w->visitor = gdyn_arena_alloc(w->arena, (size_t)threads, sizeof(gdyn_visitor *));
    bool whole = !gdyn_arena_failed(out->arena) && !gdyn_arena_failed(w->arena);
    w->poses = whole ? (int)poses : 0;
    for (int i = 0; i < w->poses; i++)
        w->level[i] = -1;
    /* the angles of all orientations, and a visitor for each thread */
    for (int i = 0; i < angles && def->orientations > 0; i++)
        whole = whole && (w->angle[i] = gdyn_expr_constant(def->orientation[i / 3][i % 3]));
    w->plan.field = out, w->plan.angle = w->angle;
    for (int i = 0; i < threads; i++)
        whole = whole && (w->visitor[i] = gdyn_visitor_create(&w->plan));
    return whole;
}

gdyn_status gdyn_field_find(const gdyn_instance *instance, int workspace,
                            const gdyn_field_settings *settings, gdyn_workspace_field *field) {
    gdyn_field_settings given = settings ? *settings : gdyn_field_default();
    *field = (gdyn_workspace_field){.def = &instance->workspace[workspace]};
    given.threads = given.threads > 0 ? given.threads : 1;
    walk w = {.plan = {.model = instance->model}, .settings = &given, .out = field};
    gdyn_status status = open_walk(&w) ? begin(&w) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = spread(&w);
    if (status == GDYN_OK && given.islands && w.reached > 0)
        status = find_elsewhere(&w);
    if (status == GDYN_OK) {
        gdyn_workspace_field *out = w.out;
        for (int i = 0; i < out->nodes; i++) {
            out->status[i] = (unsigned char)status_of(out, i);
            for (int v = 0; v < GDYN_FIELD_VALUES; v++)
                out->value[v + GDYN_FIELD_VALUES * (size_t)i] = NAN;
            if (out->status[i] != GDYN_NODE_REACHED)
                continue;
            out->reached_count++;
            fold_values(&w, i);
        }
    }
    if (status == GDYN_OK && given.islands) {
        /* Connected groups of nodes; levels of poses are not needed any more and serve as marks of
         * nodes. */
        w.out->islands = 0;
        for (int i = 0; i < w.out->nodes; i++)
            if (w.out->status[i] == GDYN_NODE_ELSEWHERE && w.level[i] != -3) {
                w.out->islands++;
                mark_island(&w, i);
            }
    }
    field->interrupted = stopped(&w);
    /* free what the walk needed */
    for (int i = 0; w.state && i < w.poses; i++)
        gdyn_state_destroy(w.state[i]);
    for (int i = 0; w.angle && i < 3 * w.out->orientations; i++)
        gdyn_expr_destroy(w.angle[i]);
    for (int i = 0; w.visitor && i < w.settings->threads; i++)
        gdyn_visitor_destroy(w.visitor[i]);
    gdyn_arena_destroy(w.arena);
    return status;
}

void gdyn_field_free(gdyn_workspace_field *field) {
    gdyn_arena_destroy(field->arena);
    *field = (gdyn_workspace_field){0};
}
