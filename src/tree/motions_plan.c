/* motions_plan.c - the plan of a machine's motions: blocks of coordinates, and those that move each
 * body. */
#include "tree/points_data.h"

/* --- the machine ------------------------------------------------------------------------------ */

/* Row of a coordinate among those of its leg, or of the hubs. */
static int place_of(const gdyn_tree *tree, int coordinate) {
    int leg = tree->body[tree->screw_body[coordinate]].leg, i = 0;
    const int *list = leg == GDYN_TREE_HUBS ? tree->hub_column : tree->leg[leg].column;
    while (list[i] != coordinate)
        i++;
    return i;
}

/* Coordinates between a body and the ground; to: where they are listed, NULL: counted only. */
static int list_parts(gdyn_tree_motions *m, int body, gdyn_motion_part *to) {
    const gdyn_tree *tree = m->tree;
    gdyn_motion_block *own = &m->block[m->of[body]];
    int count = 0;
    for (int at = body; at >= 0; at = tree->body[at].inboard) {
        /* a leg hangs on the ground or on a hub */
        bool on_hub = tree->body[at].leg == GDYN_TREE_HUBS;
        if (on_hub)
            own->rows = own->own + m->f;
        for (int c = tree->body[at].first; c < tree->body[at].first + tree->body[at].count; c++) {
            if (to)
                to[count] = (gdyn_motion_part){c, at, place_of(tree, c) + (on_hub ? own->own : 0)};
            count++;
        }
    }
    return count;
}

/* Blocks with their bodies; the number of all parts. */
static int make_blocks(gdyn_tree_motions *m) {
    const gdyn_tree *tree = m->tree;
    int parts = 0, listed = 0;
    for (int b = 0; b < m->blocks; b++) {
        gdyn_motion_block *of = &m->block[b];
        of->own = of->rows = b < tree->legs ? tree->leg[b].columns : 0;
        of->body = listed;
        for (int i = 0; i < tree->bodies; i++)
            if ((tree->body[i].leg == GDYN_TREE_HUBS ? tree->legs : tree->body[i].leg) == b) {
                m->of[i] = b;
                m->listed[listed++] = i;
            }
        of->bodies = listed - of->body;
        for (int i = of->body; i < listed; i++)
            parts += list_parts(m, m->listed[i], NULL);
    }
    return parts;
}

/* The plan and room for two poses; false: memory. */
static bool make(gdyn_tree_motions *m) {
    const gdyn_tree *tree = m->tree;
    size_t bodies = (size_t)tree->bodies + 1, coordinates = (size_t)tree->coordinates + 1;
    m->block = gdyn_arena_alloc(m->arena, (size_t)m->blocks, sizeof *m->block);
    m->of = gdyn_arena_alloc(m->arena, bodies, sizeof *m->of);
    m->listed = gdyn_arena_alloc(m->arena, bodies, sizeof *m->listed);
    m->first = gdyn_arena_alloc(m->arena, bodies, sizeof *m->first);
    m->unit = gdyn_arena_alloc(m->arena, coordinates, sizeof *m->unit);
    if (gdyn_arena_failed(m->arena))
        return false;
    size_t parts = (size_t)make_blocks(m) + 1, rows = 0;
    for (int b = 0; b < m->blocks; b++) {
        m->block[b].first = (int)rows;
        rows += (size_t)m->block[b].rows;
    }
    m->part = gdyn_arena_alloc(m->arena, parts, sizeof *m->part);
    m->r = gdyn_arena_alloc(m->arena, bodies, sizeof *m->r);
    m->p = gdyn_arena_alloc(m->arena, bodies, sizeof *m->p);
    m->R = gdyn_arena_alloc(m->arena, 3 * bodies, sizeof *m->R);
    m->e = gdyn_arena_alloc(m->arena, coordinates, sizeof *m->e);
    m->J = gdyn_arena_alloc(m->arena, parts * (size_t)m->comps, sizeof *m->J);
    m->MJ = gdyn_arena_alloc(m->arena, parts * (size_t)m->comps, sizeof *m->MJ);
    m->G = gdyn_arena_alloc(m->arena, rows * (size_t)m->f + 1, sizeof *m->G);
    if (gdyn_arena_failed(m->arena))
        return false;
    for (int i = 0; i < tree->bodies; i++)
        m->first[i + 1] = m->first[i] + list_parts(m, i, m->part + m->first[i]);
    /* rows of G that stand still: a hub moves by a unit of its own */
    for (int j = 0; j < m->f; j++)
        m->unit[j] = tree->screw[tree->hub_column[j]].turns ? 1 : tree->model->length;
    return true;
}

extern const gdyn_motions_kernel gdyn_motions_kernel_plain, gdyn_motions_kernel_avx;

const gdyn_motions_kernel *gdyn_motions_kernel_here(void) {
    return GDYN_TRANSLATION(gdyn_motions_kernel_plain, gdyn_motions_kernel_avx);
}

gdyn_tree_motions *gdyn_tree_motions_create(const gdyn_tree *tree) {
    gdyn_arena *arena = NULL;
    gdyn_tree_motions *m = gdyn_arena_begin(&arena, sizeof *m);
    if (!m)
        return NULL;
    *m = (gdyn_tree_motions){.tree = tree,
                             .f = tree->hub_columns,
                             .comps = tree->model->per_body,
                             .blocks = tree->legs + 1,
                             .arena = arena};
    if (!make(m)) {
        gdyn_tree_motions_destroy(m);
        return NULL;
    }
    return m;
}

void gdyn_tree_motions_destroy(gdyn_tree_motions *m) {
    if (m)
        gdyn_arena_destroy(m->arena);
}

int gdyn_tree_motions_count(const gdyn_tree_motions *m) {
    return m->f;
}
