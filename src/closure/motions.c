/* motions.c - the free motions of closed poses in three ways; see motions.h. */
#include "closure/motions.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "mech/state.h"

#include <string.h>

enum { MOST = GDYN_MOTIONS_AT_ONCE };

typedef struct finder {
    gdyn_free_motions open; /* first: what others read */
    const gdyn_model *model;
    const gdyn_tree *tree;
    int n, rows;
    bool by_lanes;       /* they found the poses at hand */
    bool based, weighed; /* by them: N and mass are made */
    gdyn_state *pose[MOST];
    double *N[MOST], *mass[MOST];
    double *row_scale, *column_scale, *velocity_scale; /* rows; n; n: 1 / column_scale */
    double *C;                                         /* rows x n, unscaled */
    gdyn_tree_pose *joints;
    gdyn_tree_points *points;
    gdyn_qr *qr; /* of C_s^T */
    gdyn_arena *arena;
} finder;

static finder *inside(gdyn_free_motions *motions) {
    return (finder *)motions;
}

/* --- making ---------------------------------------------------------------------------------- */

static double *room(finder *m, int rows, int columns) {
    return gdyn_arena_room(m->arena, (size_t)rows * (size_t)columns + 1, sizeof(double));
}

gdyn_free_motions *gdyn_free_motions_create(const gdyn_model *model, int columns) {
    gdyn_arena *arena;
    finder *m = gdyn_arena_begin(&arena, sizeof *m);
    if (!m)
        return NULL;
    int n = gdyn_model_coordinates(model), f = GDYN_MOTIONS_MOST;
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    *m = (finder){
        .model = model, .tree = gdyn_model_tree(model), .n = n, .rows = rows, .arena = arena};
    m->row_scale = room(m, rows, 1), m->column_scale = room(m, n, 1);
    m->velocity_scale = room(m, n, 1), m->C = room(m, rows, n);
    m->open.system = room(m, n, rows + columns);
    m->joints = gdyn_tree_pose_create(m->tree, 0);
    m->points = gdyn_tree_points_create(m->tree, 0);
    m->qr = gdyn_qr_create(n, rows > 0 ? rows : 1);
    bool legs = m->points && gdyn_tree_points_leg_map_length(m->points) > 0;
    m->open.lanes = legs ? gdyn_tree_motions_create(m->tree) : NULL;
    m->open.at_once = legs ? MOST : 1;
    bool ok = m->joints && m->points && m->qr && (m->open.lanes || !legs);
    for (int l = 0; l < m->open.at_once; l++) {
        m->N[l] = room(m, n, l > 0 ? f : n);
        m->mass[l] = room(m, f, f);
        ok = (m->pose[l] = gdyn_state_create(model)) && ok;
    }
    if (!ok || gdyn_arena_failed(arena)) {
        gdyn_free_motions_destroy(&m->open);
        return NULL;
    }
    gdyn_mech_scales(model, m->row_scale, m->column_scale);
    for (int j = 0; j < n; j++)
        m->velocity_scale[j] = 1 / m->column_scale[j];
    return &m->open;
}

/* Safe on a partly made object. */
void gdyn_free_motions_destroy(gdyn_free_motions *motions) {
    finder *m = inside(motions);
    if (!m)
        return;
    for (int l = 0; l < MOST; l++)
        gdyn_state_destroy(m->pose[l]);
    gdyn_tree_pose_destroy(m->joints);
    gdyn_tree_points_destroy(m->points);
    gdyn_tree_motions_destroy(m->open.lanes);
    gdyn_qr_destroy(m->qr);
    gdyn_arena_destroy(m->arena);
}

/* --- in lanes: the legs follow the hubs ------------------------------------------------------- */

bool gdyn_free_motions_clear(const gdyn_free_motions *motions, const double *known, int most) {
    return motions->lanes && gdyn_tree_motions_count(motions->lanes) <= most &&
           gdyn_tree_points_clear(known);
}

/* Nothing is known of any pose. */
static void forget(finder *m) {
    m->open.poses = m->open.pose = 0;
    m->open.found++;
    m->by_lanes = m->based = m->weighed = false;
}

bool gdyn_free_motions_take(gdyn_free_motions *motions, int poses,
                            const gdyn_state *const state[MOST], const double *const map[MOST]) {
    finder *m = inside(motions);
    int q = gdyn_tree_coordinates(m->tree), f = gdyn_tree_motions_count(motions->lanes);
    double least = map[0][0];
    forget(m);
    for (int l = 1; l < poses; l++)
        least = map[l][0] < least ? map[l][0] : least;
    m->by_lanes = gdyn_motions_kernel_here()->take(motions->lanes, state, map);
    if (!m->by_lanes)
        return false;
    gdyn_tree_rank found = {.rank = q - f, .freedom = f, .least = least, .clear = true};
    motions->rank = gdyn_tree_rank_of(m->tree, &found);
    motions->f = f, motions->poses = poses;
    for (int l = 0; l < poses; l++)
        gdyn_state_copy(m->pose[l], state[l]);
    return true;
}

/* One list per lane; those behind the last pose are that of the last pose. */
static void lists(const finder *m, double *const own[MOST], double *all[MOST]) {
    for (int l = 0; l < MOST; l++)
        all[l] = own[l < m->open.poses ? l : m->open.poses - 1];
}

/* --- one pose --------------------------------------------------------------------------------- */

/* Motions that the closing conditions leave, eliminated, orthonormal in scaled velocities. */
static bool find_by_joints(finder *m, const gdyn_state *state) {
    gdyn_tree_rank found;
    double *N = m->N[0];
    gdyn_tree_pose_set(m->joints, state);
    if (gdyn_tree_eliminate(m->joints, 0, NULL, &found) != GDYN_OK || !found.clear)
        return false;
    gdyn_tree_null(m->joints, N);
    for (int j = 0; j < found.freedom; j++)
        for (int i = 0; i < m->n; i++)
            N[i + (size_t)m->n * (size_t)j] *= m->velocity_scale[i];
    m->open.f = found.freedom;
    m->open.rank = gdyn_tree_rank_of(m->tree, &found);
    return gdyn_orthonormalize(m->n, m->open.f, N);
}

void gdyn_free_motions_constraints(gdyn_free_motions *motions, const gdyn_state *state) {
    const finder *m = inside(motions);
    /* unscaled C, then rows and columns scaled */
    gdyn_mech_jacobian(state, m->C);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->n; j++)
            motions->system[j + (size_t)m->n * i] =
                m->C[i + (size_t)m->rows * j] * m->column_scale[j] * m->row_scale[i];
}

/* Of the three ways the first one to which the pose is clear. */
gdyn_status gdyn_free_motions_find(gdyn_free_motions *motions, const gdyn_state *state,
                                   const double *known) {
    finder *m = inside(motions);
    for (int l = 0; l < motions->poses; l++)
        if (gdyn_state_same_pose(m->pose[l], state)) {
            motions->pose = l;
            return GDYN_OK;
        }
    const double *map = motions->lanes ? gdyn_tree_points_legs(m->points, state, known) : NULL;
    const gdyn_state *const states[] = {state, state, state, state};
    const double *const maps[] = {map, map, map, map};
    if (map && gdyn_free_motions_take(motions, 1, states, maps))
        return GDYN_OK;
    forget(m);
    /* the last columns of Q of C_s^T where elimination is not clear */
    if (!find_by_joints(m, state)) {
        gdyn_free_motions_constraints(motions, state);
        gdyn_status status = gdyn_qr_factor(m->qr, m->n, m->rows, motions->system, m->n, 0.0);
        if (status)
            return status;
        motions->f = gdyn_qr_null_transposed(m->qr, m->N[0], m->n);
        motions->rank = m->qr->rank;
    }
    motions->poses = 1;
    gdyn_state_copy(m->pose[0], state);
    return GDYN_OK;
}

/* --- asking ----------------------------------------------------------------------------------- */

const double *gdyn_free_motions_basis(gdyn_free_motions *motions) {
    finder *m = inside(motions);
    double *all[MOST];
    lists(m, m->N, all);
    if (m->by_lanes && !m->based)
        gdyn_motions_kernel_here()->basis(motions->lanes, all);
    m->based = true;
    return m->N[motions->pose];
}

void gdyn_free_motions_mass(gdyn_free_motions *motions, const gdyn_state *state, const double *N,
                            double *work, double *mass) {
    finder *m = inside(motions);
    double *all[MOST];
    int f = motions->f;
    if (!m->by_lanes) {
        gdyn_mech_bodies_reduce(state, f, N, work, mass);
        return;
    }
    lists(m, m->mass, all);
    if (!m->weighed)
        gdyn_motions_kernel_here()->mass(motions->lanes, all);
    m->weighed = true;
    memcpy(mass, m->mass[motions->pose], (size_t)(f * f) * sizeof *mass);
}
