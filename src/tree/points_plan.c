/* points_plan.c - workspace of poses in lanes: the machine's plan, a path's rows, and the base. */
#include "tree/points_data.h"

#include <math.h>
#include <string.h>

/* --- memory ---------------------------------------------------------------------------------- */

/* All arrays of the plan. */
static bool make_lists(gdyn_tree_points *p) {
    size_t bodies = (size_t)p->tree->bodies + 1, columns = (size_t)p->tree->coordinates + 1;
    size_t goals = (size_t)p->max_goals + 1;
    size_t map = columns * (size_t)(p->tree->hub_columns + 1);
    struct {
        void *list;
        size_t count, size;
    } lists[] = {{&p->plan.group, (size_t)p->plan.group_room, sizeof *p->plan.group},
                 {&p->group, (size_t)p->plan.group_room, sizeof *p->group},
                 {&p->plan.term, (size_t)p->plan.term_room, sizeof *p->plan.term},
                 {&p->block, (size_t)p->blocks, sizeof *p->block},
                 {&p->axis, 3 * columns, sizeof *p->axis},
                 {&p->arm, 3 * bodies, sizeof *p->arm},
                 {&p->reach, 3 * bodies, sizeof *p->reach},
                 {&p->dq, columns, sizeof *p->dq},
                 {&p->x, columns, sizeof *p->x},
                 {&p->map, map + 1, sizeof *p->map},
                 {&p->rate, columns, sizeof *p->rate},
                 {&p->acceleration, columns, sizeof *p->acceleration},
                 {&p->turn, bodies, sizeof *p->turn},
                 {&p->E, 3 * bodies, sizeof *p->E},
                 {&p->r, bodies, sizeof *p->r},
                 {&p->p, bodies, sizeof *p->p},
                 {&p->e, columns, sizeof *p->e},
                 {&p->v, bodies, sizeof *p->v},
                 {&p->w, bodies, sizeof *p->w},
                 {&p->bv, bodies, sizeof *p->bv},
                 {&p->bw, bodies, sizeof *p->bw},
                 {&p->u_v, bodies, sizeof *p->u_v},
                 {&p->u_w, bodies, sizeof *p->u_w},
                 {&p->frame, 3 * goals, sizeof *p->frame}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        /* through a copy: the lists are pointers to different types */
        void *block = gdyn_arena_alloc(p->arena, lists[i].count, lists[i].size);
        memcpy(lists[i].list, &block, sizeof block);
    }
    return !gdyn_arena_failed(p->arena);
}

/* The machine's blocks and groups, with room for their derivatives. */
static bool copy_plan(gdyn_tree_points *p) {
    const gdyn_leg_plan *plan = p->tree->plan;
    for (int b = 0; b < p->blocks; b++) {
        const gdyn_leg_block *from = &plan->block[b];
        gdyn_point_block *to = &p->block[b];
        *to = (gdyn_point_block){.rows = from->rows,
                                 .width = from->width,
                                 .first_group = from->first_group,
                                 .groups = from->groups,
                                 .coordinate = from->coordinate};
        to->A = gdyn_arena_alloc(p->arena, (size_t)(to->rows * to->width) + 1, sizeof *to->A);
    }
    memcpy(p->plan.group, plan->group, (size_t)plan->groups * sizeof *plan->group);
    memcpy(p->plan.term, plan->term, (size_t)plan->terms * sizeof *plan->term);
    for (int i = 0; i < plan->groups; i++)
        p->group[i].s = plan->group[i];
    p->term = p->plan.term;
    return !gdyn_arena_failed(p->arena);
}

gdyn_tree_points *gdyn_tree_points_create(const gdyn_tree *tree, int max_goals) {
    gdyn_arena *arena = NULL;
    gdyn_tree_points *p = gdyn_arena_begin(&arena, sizeof *p);
    if (!p)
        return NULL;
    const gdyn_leg_plan *plan = tree->plan;
    *p = (gdyn_tree_points){.tree = tree,
                            .fits = plan->fits,
                            .planar = plan->planar,
                            .plan = *plan,
                            .max_goals = max_goals,
                            .blocks = plan->blocks,
                            .scale = plan->scale,
                            .per_joint = plan->per_joint,
                            .arena = arena};
    p->plan.group_room = plan->groups + max_goals + 1;
    p->plan.term_room = plan->terms + max_goals * plan->hub_terms + 1;
    if (p->fits && !(make_lists(p) && copy_plan(p))) {
        gdyn_tree_points_destroy(p);
        return NULL;
    }
    return p;
}

void gdyn_tree_points_destroy(gdyn_tree_points *p) {
    if (p)
        gdyn_arena_destroy(p->arena);
}

/* --- the base --------------------------------------------------------------------------------- */

/* The goals as rows of the hubs' block; false: they do not hold the hubs alone. */
static bool compile_goals(gdyn_tree_points *p, int goals, const gdyn_tree_goal *goal) {
    const gdyn_leg_plan *machine = p->tree->plan;
    gdyn_leg_block hubs = machine->block[p->blocks - 1];
    /* after the legs' groups and terms */
    int first = p->plan.groups = machine->groups;
    p->plan.terms = machine->terms;
    p->goals = goals;
    for (int i = 0; i < goals; i++) {
        /* a goal holds a point or the orientation of one hub against the ground */
        const gdyn_row *row = goal[i].row;
        bool known = row->kind == GDYN_ROW_POINT || row->kind == GDYN_ROW_ORIENT ||
                     (row->kind == GDYN_ROW_TURN && p->planar);
        if (!known || row->a < 0 || row->b >= 0 || !p->tree->body[row->a].hub ||
            !gdyn_leg_plan_add(&p->plan, p->tree, &hubs, GDYN_TREE_HUBS, 0, i, p->tree->closing + i,
                               row))
            return false;
    }
    p->block[p->blocks - 1].first_group = first;
    p->block[p->blocks - 1].groups = hubs.groups;
    for (int i = first; i < p->plan.groups; i++)
        p->group[i].s = p->plan.group[i];
    return true;
}

/* A vector fixed in a body, ground axes. */
static inline void fixed_in(const gdyn_state *state, int body, const double local[3],
                            double out[3]) {
    const double *R = state->R + 9 * body;
    if (body < 0)
        v3_copy(out, local);
    else if (state->model->per_body == 3)
        v3_set(out, R[0] * local[0] - R[1] * local[1], R[1] * local[0] + R[0] * local[1], local[2]);
    else
        m3_apply(out, R, local);
}

/* Axes, arm and reach of the body's joint at the base, ground axes. */
static void base_body(gdyn_tree_points *p, const gdyn_state *state, int i) {
    const gdyn_tree_body *body = &p->tree->body[i];
    /* the joint's point, the arm from it to the centre */
    double point[3], sign = body->reversed ? -1 : 1;
    fixed_in(state, body->point_body, body->point, point);
    if (body->point_body >= 0)
        v3_add(point, point, state->r + 3 * body->point_body);
    v3_sub(p->arm + 3 * i, state->r + 3 * i, point);
    /* reach: from the centre inboard to the joint's point */
    v3_copy(p->reach + 3 * i, point);
    if (body->inboard >= 0)
        v3_sub(p->reach + 3 * i, point, state->r + 3 * body->inboard);
    /* axes of the joint, with its direction in the tree */
    for (int c = body->first; c < body->first + body->count; c++) {
        const gdyn_screw *screw = &p->tree->screw[c];
        fixed_in(state, screw->in_a ? body->a : body->b, screw->axis, p->axis + 3 * c);
        v3_scale(p->axis + 3 * c, sign, p->axis + 3 * c);
    }
}

void gdyn_points_take(gdyn_tree_points *p, const gdyn_state *base, const gdyn_tree_goal *goal,
                      int groups) {
    p->base = base;
    /* where everything stands at the base */
    for (int i = 0; i < p->tree->bodies; i++)
        base_body(p, base, i);
    for (int i = 0; i < groups; i++) {
        gdyn_row_group *group = &p->group[i];
        /* the model's row, or the goal's */
        int source = group->s.source[0], closing = p->tree->closing;
        const gdyn_row *turn = NULL;
        if (group->s.kind == GDYN_ROW_TURN)
            turn = source < closing ? &p->tree->model->row[p->tree->row[source]]
                                    : goal[source - closing].row;
        /* the group's points, directions and angle at the base */
        fixed_in(base, group->s.a, group->s.sa, group->arm_a);
        fixed_in(base, group->s.b, group->s.sb, group->arm_b);
        fixed_in(base, group->s.a, group->s.m, group->m0);
        fixed_in(base, group->s.b, group->s.e, group->e0);
        group->value0 = turn ? gdyn_row_value(base, turn) : 0;
    }
}

bool gdyn_tree_points_fit(const gdyn_tree_points *p, int goals) {
    return p->fits && goals == p->block[p->blocks - 1].rows && goals <= p->max_goals;
}

bool gdyn_tree_points_base(gdyn_tree_points *p, const gdyn_state *base, int goals,
                           const gdyn_tree_goal *goal) {
    if (!gdyn_tree_points_fit(p, goals) || !compile_goals(p, goals, goal))
        return false;
    gdyn_points_take(p, base, goal, p->plan.groups);
    return true;
}

/* --- asking ----------------------------------------------------------------------------------- */

extern const gdyn_points_kernel gdyn_points_kernel_avx;

const gdyn_points_kernel *gdyn_points_kernel_here(void) {
    return GDYN_TRANSLATION(gdyn_points_kernel_plain, gdyn_points_kernel_avx);
}

bool gdyn_tree_points_clear(const double *map) {
    return map && map[0] >= GDYN_POINTS_CLEAR;
}

const double *gdyn_tree_points_legs(gdyn_tree_points *p, const gdyn_state *state,
                                    const double *map) {
    if (!p->fits)
        return NULL;
    return gdyn_tree_points_clear(map) ? map : gdyn_points_kernel_here()->legs(p, state);
}

int gdyn_tree_points_blocks(const gdyn_tree_points *p) {
    return p->blocks;
}

int gdyn_tree_points_leg_map_length(const gdyn_tree_points *p) {
    int rows = 0;
    for (int l = 0; p->fits && l + 1 < p->blocks; l++)
        rows += p->block[l].rows;
    return p->fits ? 1 + rows * p->tree->hub_columns : 0;
}
