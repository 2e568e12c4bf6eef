/* span.c - which joints carry the tree, which bodies float as hubs, and what belongs to which leg.
 *
 * A hub is a body from which three or more separate branches lead to the ground or to another hub:
 * a platform on its legs. Without hubs and ground the rest of the machine falls apart into legs;
 * every row holds the coordinates of one leg and of hubs only. */
#include "linalg/vec3.h"
#include "model/data.h"

#include <string.h>

/* Bodies that a row touches, without the ground; returns their number. */
static int bodies_of(const gdyn_row *row, int *body) {
    if (row->kind == GDYN_ROW_SUM) {
        int count = bodies_of(row->first, body);
        return count + bodies_of(row->second, body + count);
    }
    /* both ends; the ground is no body */
    int count = 0;
    if (row->a >= 0)
        body[count++] = row->a;
    if (row->b >= 0 && row->b != row->a)
        body[count++] = row->b;
    return count;
}

/* Bodies that some row touches together, and whether it holds them to the ground. */
typedef struct edge {
    int count, body[4];
    bool held;
} edge;

/* The rows of a joint touch the same bodies: one edge for all that do so in turn. Returns their
 * number. */
static int list_edges(const gdyn_tree *tree, edge *edges) {
    int count = 0;
    for (int i = 0; i < tree->rows; i++) {
        const gdyn_row *row = &tree->model->row[i];
        edge *e = &edges[count];
        e->count = bodies_of(row, e->body);
        e->held = row->kind != GDYN_ROW_SUM && (row->a < 0 || row->b < 0);
        bool known = count > 0 && e[-1].count == e->count && e[-1].held == e->held &&
                     memcmp(e[-1].body, e->body, (size_t)e->count * sizeof *e->body) == 0;
        count += !known;
    }
    return count;
}

static bool touches(const edge *e, int body) {
    for (int j = 0; j < e->count; j++)
        if (e->body[j] == body)
            return true;
    return false;
}

/* --- connected parts ------------------------------------------------------------------------- */

/* Root of a set of bodies; ways are halved by the way. */
static int root_of(int *part, int body) {
    while (part[body] != body)
        body = part[body] = part[part[body]];
    return body;
}

/* Joints that close a loop: both bodies are connected already. The ground is the last node. */
gdyn_status gdyn_model_loops(const gdyn_model *model, int *loops) {
    const gdyn_machine *machine = model->machine;
    int bodies = machine->bodies;
    int *part = gdyn_alloc((size_t)bodies + 1, sizeof *part);
    if (!part)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i <= bodies; i++)
        part[i] = i;
    *loops = 0;
    /* joints that hold something, one by one */
    for (int i = 0; i < machine->joints; i++) {
        const gdyn_joint_def *joint = &machine->joint[i];
        if (!gdyn_joint_type_has_points(joint->type) || model->joint_count[i] == 0)
            continue;
        int a = root_of(part, joint->a.body < 0 ? bodies : joint->a.body);
        int b = root_of(part, joint->b.body < 0 ? bodies : joint->b.body);
        *loops += a == b;
        part[a] = b;
    }
    gdyn_free(part);
    return GDYN_OK;
}

/* What a tree is made of: edges, and working space for each body. */
typedef struct span {
    gdyn_tree *tree;
    edge *edge;
    int edges;
    int *part;
    bool *marks;
} span;

/* Parts of the machine that hang together without the ground, the hubs, and `without`; marks: the
 * part touches the ground or a hub. */
static void find_parts(const span *s, int without) {
    const gdyn_tree_body *bodies = s->tree->body;
    /* every body is a part of its own */
    for (int i = 0; i < s->tree->bodies; i++)
        s->part[i] = i, s->marks[i] = false;
    for (int pass = 0; pass < 2; pass++) /* join the parts, then see which of them are held */
        for (int i = 0; i < s->edges; i++) {
            /* bodies that count, and whether they are held by the ground or a hub */
            const edge *e = &s->edge[i];
            int body[4], kept = 0;
            bool held = e->held;
            for (int j = 0; j < e->count; j++) {
                held = held || bodies[e->body[j]].hub;
                if (e->body[j] != without && !bodies[e->body[j]].hub)
                    body[kept++] = e->body[j];
            }
            for (int j = 0; j < kept; j++)
                if (pass == 0)
                    s->part[root_of(s->part, body[j])] = root_of(s->part, body[0]);
                else if (held)
                    s->marks[root_of(s->part, body[j])] = true;
        }
}

/* --- hubs ------------------------------------------------------------------------------------ */

/* Whether a body is joined to fewer than three others: it has no three branches. */
static bool few_neighbours(const span *s, int body) {
    int known[2], count = 0;
    for (int i = 0; i < s->edges; i++) {
        const edge *e = &s->edge[i];
        for (int j = 0; j < e->count && touches(e, body); j++) {
            bool seen = e->body[j] == body;
            for (int k = 0; k < count; k++)
                seen = seen || known[k] == e->body[j];
            if (!seen && count == 2)
                return false;
            if (!seen)
                known[count++] = e->body[j];
        }
    }
    return true;
}

/* Separate branches from a body to the ground or to hubs. */
static int branches(const span *s, int body) {
    int count = 0;
    if (few_neighbours(s, body))
        return 0;
    find_parts(s, body);
    /* every part that an edge of the body leads to counts once, when it is held elsewhere */
    for (int i = 0; i < s->edges; i++) {
        const edge *e = &s->edge[i];
        for (int j = 0; j < e->count && touches(e, body); j++)
            if (e->body[j] != body && !s->tree->body[e->body[j]].hub) {
                int root = root_of(s->part, e->body[j]);
                count += s->marks[root];
                s->marks[root] = false; /* counted */
            }
    }
    return count;
}

/* --- the tree -------------------------------------------------------------------------------- */

/* Where the joint of a body acts: a floating one at its own centre, in ground axes. */
static void place_joint(gdyn_tree *tree, int body) {
    gdyn_tree_body *b = &tree->body[body];
    const gdyn_machine *machine = tree->model->machine;
    const gdyn_joint_def *def = b->joint >= 0 ? &machine->joint[b->joint] : NULL;
    b->a = def ? def->a.body : GDYN_GROUND;
    b->b = def ? def->b.body : GDYN_GROUND;
    b->point_body = def ? def->a.body : body;
    /* a's point, from the centre of gravity of its body */
    v3_set(b->point, 0, 0, 0);
    if (def && b->point_body >= 0)
        v3_sub(b->point, def->a.at, machine->body[b->point_body].com);
    else if (def)
        v3_copy(b->point, def->a.at);
}

/* Adds a body to the tree: inboard body, joint, screws, place in the order. */
static void hang(gdyn_tree *tree, int body, int inboard, int joint, int *placed) {
    /* the joint, its direction, its screws */
    gdyn_tree_body *b = &tree->body[body];
    gdyn_screw screws[GDYN_SCREWS_MOST];
    b->inboard = inboard, b->joint = joint;
    b->reversed = joint >= 0 && tree->model->machine->joint[joint].a.body != body;
    b->count = joint >= 0 ? gdyn_joint_screws(tree->model, joint, screws)
                          : gdyn_floating_screws(tree->model, screws);
    place_joint(tree, body);
    /* its coordinates follow those of the bodies placed before */
    b->first = tree->coordinates;
    for (int i = 0; i < b->count; i++) {
        tree->screw[b->first + i] = screws[i];
        tree->screw_body[b->first + i] = body;
    }
    tree->coordinates += b->count, tree->position[body] = *placed;
    tree->order[(*placed)++] = body;
}

/* The body at the other end of a joint that can be an edge of the tree; GDYN_NONE: no such end, or
 * one that was seen. */
static int other_end(const gdyn_tree *tree, int joint, int body, const bool *seen) {
    const gdyn_joint_def *def = &tree->model->machine->joint[joint];
    gdyn_screw screws[GDYN_SCREWS_MOST];
    bool ends_there = def->a.body == body || def->b.body == body;
    int end = def->a.body == body ? def->b.body : def->a.body;
    if (!ends_there || def->cut || end == body || end < 0 || seen[end] ||
        gdyn_joint_screws(tree->model, joint, screws) < 0)
        return GDYN_NONE;
    return end;
}

/* Breadth first: hangs what can be reached from `body` over tree joints on it. */
static void reach(gdyn_tree *tree, int body, bool *seen, int *placed) {
    const gdyn_machine *machine = tree->model->machine;
    int next = *placed;
    for (;;) {
        for (int j = 0; j < machine->joints; j++) {
            int end = other_end(tree, j, body, seen);
            if (end < 0)
                continue;
            seen[end] = true;
            hang(tree, end, body, j, placed);
        }
        if (next == *placed)
            return;
        body = tree->order[next++];
    }
}

/* --- closing rows and legs ------------------------------------------------------------------- */

bool gdyn_tree_takes(const gdyn_tree *tree, int joint) {
    for (int i = 0; i < tree->bodies; i++)
        if (joint >= 0 && tree->body[i].joint == joint)
            return true;
    return false;
}

/* Numbers the parts as legs; a part is what find_parts left. */
static void number_legs(gdyn_tree *tree, int *part) {
    /* hubs belong to no leg */
    for (int i = 0; i < tree->bodies; i++)
        tree->body[i].leg = GDYN_TREE_HUBS;
    /* a leg for every part's root, then for its other bodies */
    for (int i = 0; i < tree->bodies; i++)
        if (!tree->body[i].hub && root_of(part, i) == i)
            tree->body[i].leg = tree->legs++;
    for (int i = 0; i < tree->bodies; i++)
        if (!tree->body[i].hub)
            tree->body[i].leg = tree->body[root_of(part, i)].leg;
}

int gdyn_tree_leg_of(const gdyn_tree *tree, const gdyn_row *row) {
    int body[4], count = bodies_of(row, body), leg = GDYN_TREE_HUBS;
    for (int i = 0; i < count; i++) {
        int own = tree->body[body[i]].leg;
        if (own != GDYN_TREE_HUBS && leg != GDYN_TREE_HUBS && own != leg)
            return GDYN_TREE_SEVERAL;
        leg = own != GDYN_TREE_HUBS ? own : leg;
    }
    return leg;
}

/* The closing rows: those of joints that are no edges of the tree. */
static bool collect_rows(gdyn_tree *tree) {
    const gdyn_model *model = tree->model;
    size_t rows = (size_t)tree->rows;
    tree->row = gdyn_arena_alloc(tree->model->arena, rows + 1, sizeof *tree->row);
    tree->row_leg = gdyn_arena_alloc(tree->model->arena, rows + 1, sizeof *tree->row_leg);
    if (!tree->row || !tree->row_leg)
        return false;
    /* settles: rows of tree joints are of kinds that placing the bodies fulfils */
    tree->settles = true;
    for (int i = 0; i < tree->rows; i++)
        if (gdyn_tree_takes(tree, model->row_joint[i])) {
            gdyn_row_kind kind = model->row[i].kind;
            tree->settles = tree->settles && (kind == GDYN_ROW_POINT || kind == GDYN_ROW_ALONG ||
                                              kind == GDYN_ROW_DOT || kind == GDYN_ROW_TURN);
        } else {
            tree->row[tree->closing] = i;
            tree->row_leg[tree->closing++] = gdyn_tree_leg_of(tree, &model->row[i]);
        }
    return true;
}

/* Lists of the coordinates and rows of every leg, and of the hubs' coordinates. */
static bool collect_legs(gdyn_tree *tree) {
    tree->leg = gdyn_arena_alloc(tree->model->arena, (size_t)tree->legs + 1, sizeof *tree->leg);
    tree->hub_column =
        gdyn_arena_alloc(tree->model->arena, (size_t)tree->coordinates + 1, sizeof(int));
    tree->every = gdyn_arena_alloc(tree->model->arena, (size_t)tree->coordinates + 1, sizeof(int));
    if (!tree->leg || !tree->hub_column || !tree->every)
        return false;
    for (int l = 0; l < tree->legs; l++) {
        gdyn_tree_leg *leg = &tree->leg[l];
        leg->column = gdyn_arena_alloc(tree->model->arena, (size_t)tree->coordinates + 1,
                                       sizeof *leg->column);
        leg->row =
            gdyn_arena_alloc(tree->model->arena, (size_t)tree->closing + 1, sizeof *leg->row);
        if (!leg->column || !leg->row)
            return false;
        for (int i = 0; i < tree->closing; i++)
            if (tree->row_leg[i] == l)
                leg->row[leg->rows++] = i;
    }
    /* coordinates by leg, or of the hubs */
    for (int c = 0; c < tree->coordinates; c++) {
        int l = tree->body[tree->screw_body[c]].leg;
        tree->every[c] = c;
        if (l == GDYN_TREE_HUBS)
            tree->hub_column[tree->hub_columns++] = c;
        else
            tree->leg[l].column[tree->leg[l].columns++] = c;
    }
    return true;
}

static bool build(const span *s) {
    gdyn_tree *tree = s->tree;
    size_t bodies = (size_t)tree->bodies;
    size_t most = GDYN_SCREWS_MOST * bodies + 1;
    tree->body = gdyn_arena_alloc(tree->model->arena, bodies + 1, sizeof *tree->body);
    tree->order = gdyn_arena_alloc(tree->model->arena, bodies + 1, sizeof *tree->order);
    tree->position = gdyn_arena_alloc(tree->model->arena, bodies + 1, sizeof *tree->position);
    tree->screw = gdyn_arena_alloc(tree->model->arena, most, sizeof *tree->screw);
    tree->screw_body = gdyn_arena_alloc(tree->model->arena, most, sizeof *tree->screw_body);
    if (gdyn_arena_failed(tree->model->arena))
        return false;
    /* hubs: as the machine states, else bodies with three branches or more */
    for (int i = 0; i < tree->bodies; i++) {
        gdyn_hub wanted = tree->model->machine->body[i].hub;
        tree->body[i].hub =
            wanted == GDYN_HUB_AUTOMATIC ? branches(s, i) >= 3 : wanted == GDYN_HUB_ALWAYS;
    }
    /* the tree over them, and the legs between */
    memset(s->marks, 0, bodies * sizeof *s->marks);
    /* the tree: hubs first, what the ground and the hubs reach, then the bodies that float */
    int placed = 0;
    for (int i = 0; i < tree->bodies; i++)
        if (tree->body[i].hub) {
            s->marks[i] = true;
            hang(tree, i, GDYN_GROUND, -1, &placed);
        }
    /* from the ground, then from each hub */
    int hubs = placed;
    reach(tree, GDYN_GROUND, s->marks, &placed);
    for (int i = 0; i < hubs; i++)
        reach(tree, tree->order[i], s->marks, &placed);
    for (int i = 0; i < tree->bodies; i++)
        if (!s->marks[i]) { /* held by rows only, or not at all */
            s->marks[i] = true;
            hang(tree, i, GDYN_GROUND, -1, &placed);
            reach(tree, i, s->marks, &placed);
        }
    find_parts(s, GDYN_NONE);
    number_legs(tree, s->part);
    return collect_rows(tree) && collect_legs(tree);
}

/* The tree over that many rows of the model; NULL: memory. */
static const gdyn_tree *span_rows(const gdyn_model *model, int rows) {
    gdyn_tree *tree = gdyn_arena_alloc(model->arena, 1, sizeof *tree);
    if (!tree)
        return NULL;
    *tree =
        (gdyn_tree){.model = model, .bodies = model->machine->bodies, .n = model->n, .rows = rows};
    size_t bodies = (size_t)tree->bodies + 1;
    span s = {.tree = tree,
              .edge = gdyn_room((size_t)rows + 1, sizeof *s.edge),
              .part = gdyn_room(bodies, sizeof *s.part),
              .marks = gdyn_room(bodies, sizeof *s.marks)};
    s.edges = s.edge ? list_edges(tree, s.edge) : 0;
    bool whole = s.edge && s.part && s.marks && build(&s);
    gdyn_free(s.edge), gdyn_free(s.part), gdyn_free(s.marks);
    tree->plan = whole ? gdyn_leg_plan_make(tree) : NULL;
    return tree->plan ? tree : NULL;
}

bool gdyn_model_span(gdyn_model *model) {
    model->tree = span_rows(model, model->m + model->h);
    model->pose_tree = model->h > 0 ? span_rows(model, model->m) : model->tree;
    return model->tree && model->pose_tree;
}

const gdyn_tree *gdyn_model_tree(const gdyn_model *model) {
    return model->tree;
}

const gdyn_tree *gdyn_model_pose_tree(const gdyn_model *model) {
    return model->pose_tree;
}

int gdyn_tree_coordinates(const gdyn_tree *tree) {
    return tree->coordinates;
}

int gdyn_tree_closing(const gdyn_tree *tree) {
    return tree->closing;
}

int gdyn_tree_closing_row(const gdyn_tree *tree, int i) {
    return tree->row[i];
}

bool gdyn_tree_settles(const gdyn_tree *tree) {
    return tree->settles;
}

int gdyn_tree_legs(const gdyn_tree *tree) {
    return tree->legs;
}

int gdyn_tree_inboard(const gdyn_tree *tree, int body) {
    return tree->body[body].inboard;
}

int gdyn_tree_joint(const gdyn_tree *tree, int body) {
    return tree->body[body].joint;
}

bool gdyn_tree_is_hub(const gdyn_tree *tree, int body) {
    return tree->body[body].hub;
}

int gdyn_tree_first(const gdyn_tree *tree, int body, int *count) {
    *count = tree->body[body].count;
    return tree->body[body].first;
}

int gdyn_tree_coordinate_body(const gdyn_tree *tree, int coordinate) {
    return tree->screw_body[coordinate];
}

bool gdyn_tree_coordinate_turns(const gdyn_tree *tree, int coordinate) {
    return tree->screw[coordinate].turns;
}
