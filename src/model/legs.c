/* legs.c - the plan of a machine whose legs follow its hubs: rows as groups with lists of terms.
 *
 * Chains of joints from the cut points to the ground, compiled once with the model and shared by
 * all workspaces. A workspace adds the rows of its path to the hubs' block of a copy. */
#include "linalg/vec3.h"
#include "model/data.h"

#include <string.h>

/* --- rows ------------------------------------------------------------------------------------- */

/* The joints from the body to the ground, as terms; false: they belong to another leg. */
static bool add_terms(gdyn_leg_plan *p, const gdyn_tree *tree, gdyn_row_shape *group, int body,
                      bool on_b, int leg, int own) {
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

bool gdyn_leg_plan_add(gdyn_leg_plan *p, const gdyn_tree *tree, gdyn_leg_block *block, int leg,
                       int own, int index, int source, const gdyn_row *row) {
    gdyn_row_shape *group = block->groups > 0 ? &p->group[p->groups - 1] : NULL;
    bool joins = group && group->kind == row->kind && group->a == row->a && group->b == row->b &&
                 group->rows < GDYN_GROUP_MOST &&
                 (row->kind == GDYN_ROW_ORIENT ||
                  (row->kind == GDYN_ROW_POINT && memcmp(group->sa, row->sa, sizeof row->sa) == 0 &&
                   memcmp(group->sb, row->sb, sizeof row->sb) == 0));
    /* a new group: the row's geometry and the coordinates that move it */
    if (!joins) {
        if (p->groups >= p->group_room)
            return false;
        group = &p->group[p->groups++];
        block->groups++;
        *group = (gdyn_row_shape){.kind = row->kind, .a = row->a, .b = row->b};
        group->scale = row->length ? 1 / tree->model->length : 1;
        v3_copy(group->sa, row->sa), v3_copy(group->sb, row->sb);
        v3_copy(group->m, row->m), v3_copy(group->e, row->e);
        group->first_term = p->terms;
        if (!add_terms(p, tree, group, row->a, false, leg, own) ||
            !add_terms(p, tree, group, row->b, true, leg, own))
            return false;
    }
    /* the row itself: its place, where it comes from, what it asks for */
    group->row[group->rows] = index, group->source[group->rows] = source;
    group->axis[group->rows] = row->axis;
    group->target[group->rows++] = row->target;
    return true;
}

/* --- the machine ------------------------------------------------------------------------------ */

/* A leg's rows as a square block; false: the leg is not determined by its rows, or of another
 * kind. */
static bool compile_leg(gdyn_leg_plan *p, const gdyn_tree *tree, int l) {
    const gdyn_tree_leg *leg = &tree->leg[l];
    gdyn_leg_block *block = &p->block[l];
    if (leg->rows != leg->columns || leg->rows > GDYN_BLOCK_MOST)
        return false;
    block->rows = leg->rows, block->width = leg->columns + tree->hub_columns;
    block->first_group = p->groups;
    for (int i = 0; i < leg->rows; i++) {
        /* only rows of joints, in the order of the leg */
        int index = tree->row[leg->row[i]];
        const gdyn_row *row = &tree->model->row[index];
        block->coordinate[i] = leg->column[i];
        bool known = row->kind == GDYN_ROW_POINT || row->kind == GDYN_ROW_ALONG ||
                     row->kind == GDYN_ROW_DOT || (row->kind == GDYN_ROW_TURN && p->planar);
        if (tree->model->row_joint[index] < 0 || !known ||
            !gdyn_leg_plan_add(p, tree, block, l, leg->columns, i, leg->row[i], row))
            return false;
    }
    return true;
}

/* Coordinates on the way from a body to the ground. */
static int way_length(const gdyn_tree *tree, int body) {
    int length = 0;
    for (; body >= 0; body = tree->body[body].inboard)
        length += tree->body[body].count;
    return length;
}

/* Room for the closing rows, which move with both their bodies; false: memory. */
static bool make_room(gdyn_leg_plan *p, const gdyn_tree *tree) {
    gdyn_arena *arena = tree->model->arena;
    size_t coordinates = (size_t)tree->coordinates + 1;
    p->group_room = tree->closing + 1, p->term_room = 1;
    for (int i = 0; i < tree->closing; i++) {
        const gdyn_row *row = &tree->model->row[tree->row[i]];
        p->term_room += way_length(tree, row->a) + way_length(tree, row->b);
    }
    for (int b = 0; b < tree->bodies; b++)
        if (tree->body[b].hub && way_length(tree, b) > p->hub_terms)
            p->hub_terms = way_length(tree, b);
    p->column_of = gdyn_arena_alloc(arena, coordinates, sizeof *p->column_of);
    p->scale = gdyn_arena_doubles(arena, coordinates);
    p->per_joint = gdyn_arena_doubles(arena, coordinates);
    p->block = gdyn_arena_alloc(arena, (size_t)p->blocks, sizeof *p->block);
    p->group = gdyn_arena_alloc(arena, (size_t)p->group_room, sizeof *p->group);
    p->term = gdyn_arena_alloc(arena, (size_t)p->term_room, sizeof *p->term);
    return !gdyn_arena_failed(arena);
}

/* Whether joints and rows are of kinds that the plan can follow. */
static bool known_kinds(const gdyn_tree *tree) {
    bool fits = tree->model->h == 0 && tree->settles && tree->hub_columns > 0 &&
                tree->hub_columns <= GDYN_BLOCK_MOST;
    for (int i = 0; i < tree->bodies && fits; i++) {
        /* about axes of each of its bodies by one coordinate, or by three that make a rotation
         * vector */
        const gdyn_tree_body *body = &tree->body[i];
        int in_a = 0, in_b = 0;
        for (int c = body->first; c < body->first + body->count; c++) {
            in_a += tree->screw[c].turns && tree->screw[c].in_a;
            in_b += tree->screw[c].turns && !tree->screw[c].in_a;
        }
        fits = (in_a == 0 || in_a == 1 || in_a == 3) && (in_b == 0 || in_b == 1 || in_b == 3);
    }
    for (int i = 0; i < tree->closing && fits; i++)
        fits = tree->row_leg[i] >= 0;
    return fits;
}

const gdyn_leg_plan *gdyn_leg_plan_make(const gdyn_tree *tree) {
    gdyn_leg_plan *p = gdyn_arena_alloc(tree->model->arena, 1, sizeof *p);
    if (!p)
        return NULL;
    *p = (gdyn_leg_plan){.planar = tree->model->per_body == 3, .blocks = tree->legs + 1};
    bool fits = known_kinds(tree);
    if (!fits)
        return p;
    if (!make_room(p, tree))
        return NULL;
    /* a coordinate's column in its leg's block or among the hubs, and its unit */
    for (int l = 0; l < tree->legs; l++)
        for (int j = 0; j < tree->leg[l].columns; j++)
            p->column_of[tree->leg[l].column[j]] = j;
    for (int j = 0; j < tree->hub_columns; j++)
        p->column_of[tree->hub_column[j]] = j;
    for (int c = 0; c < tree->coordinates; c++) {
        p->scale[c] = tree->screw[c].turns ? 1 : tree->model->length;
        p->per_joint[c] = 1 / p->scale[c];
    }
    for (int l = 0; l < tree->legs && fits; l++)
        fits = compile_leg(p, tree, l);
    /* the hubs' block is square: as many goals as coordinates */
    gdyn_leg_block *hubs = &p->block[tree->legs];
    hubs->rows = hubs->width = tree->hub_columns;
    for (int j = 0; j < tree->hub_columns; j++)
        hubs->coordinate[j] = tree->hub_column[j];
    p->fits = fits;
    return p;
}
