/* points_plan.c - the plan of a machine: its legs' and goals' rows as groups with lists of terms. */
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
    } lists[] = {{&p->column_of, columns, sizeof *p->column_of},
                 {&p->group, (size_t)p->group_room, sizeof *p->group},
                 {&p->term, (size_t)p->term_room, sizeof *p->term},
                 {&p->block, (size_t)p->tree->legs + 1, sizeof *p->block},
                 {&p->scale, columns, sizeof *p->scale},
                 {&p->per_joint, columns, sizeof *p->per_joint},
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

/* Room for the block's derivatives. */
static bool make_block(gdyn_tree_points *p, gdyn_point_block *block, int rows, int width) {
    *block = (gdyn_point_block){.rows = rows, .width = width};
    block->A = gdyn_arena_alloc(p->arena, (size_t)(rows * width) + 1, sizeof *block->A);
    return block->A != NULL;
}

/* --- rows -------------------------------------------------------------------------------------- */

/* A row of that kind can be followed by this plan. */
static bool known_row(const gdyn_tree_points *p, const gdyn_row *row) {
    return row->kind == GDYN_ROW_POINT || row->kind == GDYN_ROW_ALONG ||
           row->kind == GDYN_ROW_DOT || (row->kind == GDYN_ROW_TURN && p->planar);
}

/* Whether a row joins the group of the one before it. */
static bool joins(const gdyn_row_group *group, const gdyn_row *row) {
    return group->kind == row->kind && group->a == row->a && group->b == row->b &&
           group->rows < GDYN_GROUP_MOST &&
           (row->kind == GDYN_ROW_ORIENT ||
            (row->kind == GDYN_ROW_POINT && memcmp(group->sa, row->sa, sizeof row->sa) == 0 &&
             memcmp(group->sb, row->sb, sizeof row->sb) == 0));
}

/* The joints from the body to the ground, as terms; false: they belong to another leg. */
static bool add_terms(gdyn_tree_points *p, gdyn_row_group *group, int body, bool on_b, int leg,
                      int own) {
    const gdyn_tree *tree = p->tree;
    for (; body >= 0; body = tree->body[body].inboard) {
        /* a body of another leg would couple the two */
        const gdyn_tree_body *node = &tree->body[body];
        bool hub = node->leg == GDYN_TREE_HUBS;
        if (!hub && node->leg != leg)
            return false;
        for (int c = node->first; c < node->first + node->count; c++) {
            /* each coordinate of the joint, hubs' behind the leg's own */
            if (p->terms >= p->term_room)
                return false;
            p->term[p->terms++] =
                (gdyn_point_term){.coordinate = c,
                                  .body = body,
                                  .column = p->column_of[c] + (hub ? own : 0),
                                  .turns = tree->screw[c].turns,
                                  .on_b = on_b,
                                  .factor = (on_b ? -1 : 1) * group->scale * p->scale[c],
                                  .pitch = tree->screw[c].pitch};
            group->terms++;
        }
    }
    return true;
}

/* Adds a row to the block of a leg (GDYN_TREE_HUBS: the hubs), whose own columns are that many. */
static bool add_row(gdyn_tree_points *p, gdyn_point_block *block, int leg, int own, int index,
                    int source, const gdyn_row *row) {
    gdyn_row_group *group = block->groups > 0 ? &p->group[p->groups - 1] : NULL;
    /* a new group: the row's geometry and the coordinates that move it */
    if (!group || !joins(group, row)) {
        if (p->groups >= p->group_room)
            return false;
        group = &p->group[p->groups++];
        block->groups++;
        *group = (gdyn_row_group){.kind = row->kind, .a = row->a, .b = row->b};
        group->scale = row->length ? 1 / p->tree->model->length : 1;
        v3_copy(group->sa, row->sa);
        v3_copy(group->sb, row->sb);
        v3_copy(group->m, row->m);
        v3_copy(group->e, row->e);
        group->first_term = p->terms;
        if (!add_terms(p, group, row->a, false, leg, own) ||
            !add_terms(p, group, row->b, true, leg, own))
            return false;
    }
    /* the row itself: its place, where it comes from, what it asks for */
    group->row[group->rows] = index;
    group->source[group->rows] = source;
    group->axis[group->rows] = row->axis;
    group->target[group->rows++] = row->target;
    return true;
}

/* --- the machine ------------------------------------------------------------------------------- */

/* A joint turns about axes of each of its bodies by one coordinate, or by three that make a rotation vector. */
static bool known_turns(const gdyn_tree *tree, const gdyn_tree_body *body) {
    int in_a = 0, in_b = 0;
    for (int c = body->first; c < body->first + body->count; c++) {
        in_a += tree->screw[c].turns && tree->screw[c].in_a;
        in_b += tree->screw[c].turns && !tree->screw[c].in_a;
    }
    return (in_a == 0 || in_a == 1 || in_a == 3) && (in_b == 0 || in_b == 1 || in_b == 3);
}

/* A coordinate's column in its leg's block or among the hubs, and its unit. */
static void number_columns(gdyn_tree_points *p) {
    const gdyn_tree *tree = p->tree;
    for (int l = 0; l < tree->legs; l++)
        for (int j = 0; j < tree->leg[l].columns; j++)
            p->column_of[tree->leg[l].column[j]] = j;
    for (int j = 0; j < tree->hub_columns; j++)
        p->column_of[tree->hub_column[j]] = j;
    for (int c = 0; c < tree->coordinates; c++) {
        p->scale[c] = tree->screw[c].turns ? 1 : tree->model->length;
        p->per_joint[c] = 1 / p->scale[c];
    }
}

/* A leg's rows as a square block; false: the leg is not determined by its rows, or of another kind. */
static bool compile_leg(gdyn_tree_points *p, int l) {
    const gdyn_tree *tree = p->tree;
    const gdyn_tree_leg *leg = &tree->leg[l];
    gdyn_point_block *block = &p->block[l];
    if (leg->rows != leg->columns || leg->rows > GDYN_BLOCK_MOST ||
        !make_block(p, block, leg->rows, leg->columns + tree->hub_columns))
        return false;
    block->first_group = p->groups;
    for (int i = 0; i < leg->rows; i++) {
        /* only rows of joints, in the order of the leg */
        int index = tree->row[leg->row[i]];
        const gdyn_row *row = &tree->model->row[index];
        block->coordinate[i] = leg->column[i];
        if (tree->model->row_joint[index] < 0 || !known_row(p, row) ||
            !add_row(p, block, l, leg->columns, i, leg->row[i], row))
            return false;
    }
    return true;
}

/* Whether the machine is of the kind that the plan knows; its legs are compiled. */
static bool compile(gdyn_tree_points *p) {
    const gdyn_tree *tree = p->tree;
    bool fits = tree->model->h == 0 && tree->settles && tree->hub_columns > 0 &&
                tree->hub_columns <= GDYN_BLOCK_MOST;
    /* joints and rows that the plan can follow */
    for (int i = 0; i < tree->bodies && fits; i++)
        fits = known_turns(tree, &tree->body[i]);
    for (int i = 0; i < tree->closing && fits; i++)
        fits = tree->row_leg[i] >= 0;
    /* the legs, whose groups stay for all goals */
    number_columns(p);
    for (int l = 0; l < tree->legs && fits; l++)
        fits = compile_leg(p, l);
    p->blocks = tree->legs + 1;
    p->leg_groups = p->groups;
    p->leg_terms = p->terms;
    /* the hubs' block is square: as many goals as coordinates */
    gdyn_point_block *hubs = &p->block[tree->legs];
    fits = fits && make_block(p, hubs, tree->hub_columns, tree->hub_columns);
    for (int j = 0; j < tree->hub_columns && fits; j++)
        hubs->coordinate[j] = tree->hub_column[j];
    return fits;
}

/* Coordinates on the way from a body to the ground. */
static int way_length(const gdyn_tree *tree, int body) {
    int length = 0;
    for (; body >= 0; body = tree->body[body].inboard)
        length += tree->body[body].count;
    return length;
}

/* Terms at most: closing rows move with both their bodies, goals with a hub. */
static int count_terms(const gdyn_tree *tree, int max_goals) {
    int terms = 1, most = 0;
    for (int i = 0; i < tree->closing; i++) {
        const gdyn_row *row = &tree->model->row[tree->row[i]];
        terms += way_length(tree, row->a) + way_length(tree, row->b);
    }
    for (int b = 0; b < tree->bodies; b++)
        if (tree->body[b].hub && way_length(tree, b) > most)
            most = way_length(tree, b);
    return terms + max_goals * most;
}

gdyn_tree_points *gdyn_tree_points_create(const gdyn_tree *tree, int max_goals) {
    gdyn_arena *arena = NULL;
    gdyn_tree_points *p = gdyn_arena_begin(&arena, sizeof *p);
    if (!p)
        return NULL;
    *p = (gdyn_tree_points){.kernel = gdyn_points_kernel_here(),
                            .tree = tree,
                            .max_goals = max_goals,
                            .planar = tree->model->per_body == 3,
                            .group_room = tree->closing + max_goals + 1,
                            .term_room = count_terms(tree, max_goals),
                            .arena = arena};
    if (!make_lists(p)) {
        gdyn_tree_points_destroy(p);
        return NULL;
    }
    p->fits = compile(p);
    if (gdyn_arena_failed(arena)) {
        gdyn_tree_points_destroy(p);
        return NULL;
    }
    return p;
}

void gdyn_tree_points_destroy(gdyn_tree_points *p) {
    if (p)
        gdyn_arena_destroy(p->arena);
}

/* --- the base ---------------------------------------------------------------------------------- */

/* The goals as rows of the hubs' block; false: they do not hold the hubs alone. */
static bool compile_goals(gdyn_tree_points *p, int goals, const gdyn_tree_goal *goal) {
    gdyn_point_block *hubs = &p->block[p->blocks - 1];
    bool fits = true;
    /* after the legs' groups and terms */
    p->groups = p->leg_groups;
    p->terms = p->leg_terms;
    p->goals = goals;
    hubs->first_group = p->groups;
    hubs->groups = 0;
    for (int i = 0; i < goals && fits; i++) {
        /* a goal holds a point or the orientation of one hub against the ground */
        const gdyn_row *row = goal[i].row;
        bool known = row->kind == GDYN_ROW_POINT || row->kind == GDYN_ROW_ORIENT ||
                     (row->kind == GDYN_ROW_TURN && p->planar);
        fits = known && row->a >= 0 && row->b < 0 && p->tree->body[row->a].hub &&
               add_row(p, hubs, GDYN_TREE_HUBS, 0, i, p->tree->closing + i, row);
    }
    return fits;
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

/* The group's points, directions and angle at the base. */
static void base_group(const gdyn_state *state, const gdyn_row *turn, gdyn_row_group *group) {
    fixed_in(state, group->a, group->sa, group->arm_a);
    fixed_in(state, group->b, group->sb, group->arm_b);
    fixed_in(state, group->a, group->m, group->m0);
    fixed_in(state, group->b, group->e, group->e0);
    group->value0 = turn ? gdyn_row_value(state, turn) : 0;
}

/* The model's row, or the goal's. */
static const gdyn_row *row_of(const gdyn_tree_points *p, const gdyn_tree_goal *goal, int source) {
    int closing = p->tree->closing;
    return source < closing ? &p->tree->model->row[p->tree->row[source]]
                            : goal[source - closing].row;
}

void gdyn_points_take(gdyn_tree_points *p, const gdyn_state *base, const gdyn_tree_goal *goal,
                      int groups) {
    p->base = base;
    /* where everything stands at the base */
    for (int i = 0; i < p->tree->bodies; i++)
        base_body(p, base, i);
    for (int i = 0; i < groups; i++) {
        gdyn_row_group *group = &p->group[i];
        bool turns = group->kind == GDYN_ROW_TURN;
        base_group(base, turns ? row_of(p, goal, group->source[0]) : NULL, group);
    }
}

bool gdyn_tree_points_fit(const gdyn_tree_points *p, int goals) {
    return p->fits && goals == p->block[p->blocks - 1].rows && goals <= p->max_goals;
}

bool gdyn_tree_points_base(gdyn_tree_points *p, const gdyn_state *base, int goals,
                           const gdyn_tree_goal *goal) {
    if (!gdyn_tree_points_fit(p, goals) || !compile_goals(p, goals, goal))
        return false;
    gdyn_points_take(p, base, goal, p->groups);
    return true;
}
