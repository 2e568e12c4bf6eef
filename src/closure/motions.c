/* motions.c - the free motions of closed poses in three ways; see motions.h. */
#include "closure/motions.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "mech/state.h"
#include "tree/points.h"

#include <string.h>

enum { MOST = GDYN_MOTIONS_AT_ONCE };

typedef struct finder finder;

/* A way to find motions. */
typedef struct way {
    /* false: not here; an error of LAPACK goes to *status. */
    bool (*find)(finder *m, const gdyn_state *state, const double *known, gdyn_status *status);
    /* Bases and masses of all poses; NULL: finding makes them, mass by the basis. */
    void (*basis)(finder *m);
    void (*weigh)(finder *m);
} way;

struct finder {
    gdyn_free_motions open; /* first: what others read */
    const gdyn_model *model;
    const gdyn_tree *tree;
    int n, rows;
    const way *by; /* the way that found the poses at hand */
    bool based, weighed;
    gdyn_state *pose[MOST];
    double *N[MOST], *mass[MOST];
    double *row_scale, *column_scale, *velocity_scale; /* rows; n; n: 1 / column_scale */
    double *C;                                         /* rows x n, unscaled */
    gdyn_tree_pose *joints;
    gdyn_tree_points *points;
    gdyn_tree_motions *lanes; /* of machines whose legs follow hubs; else NULL */
    gdyn_qr *qr;              /* of C_s^T */
};

static finder *inside(gdyn_free_motions *motions) {
    return (finder *)motions;
}

/* --- making ---------------------------------------------------------------------------------- */

static double *room(int rows, int columns) {
    return gdyn_room((size_t)rows * (size_t)columns + 1, sizeof(double));
}

static bool allocate(finder *m, int columns) {
    int n = m->n, f = GDYN_MOTIONS_MOST;
    m->row_scale = room(m->rows, 1);
    m->column_scale = room(n, 1);
    m->velocity_scale = room(n, 1);
    m->C = room(m->rows, n);
    m->open.system = room(n, m->rows + columns);
    m->joints = gdyn_tree_pose_create(m->tree, 0);
    m->points = gdyn_tree_points_create(m->tree, 0);
    m->qr = gdyn_qr_create(n, m->rows > 0 ? m->rows : 1);
    bool legs = m->points && gdyn_tree_points_leg_map_length(m->points) > 0;
    m->lanes = legs ? gdyn_tree_motions_create(m->tree) : NULL;
    m->open.at_once = legs ? MOST : 1;
    bool ok = m->row_scale && m->column_scale && m->velocity_scale && m->C && m->open.system &&
              m->joints && m->points && m->qr && (m->lanes || !legs);
    for (int l = 0; l < m->open.at_once; l++) {
        m->pose[l] = gdyn_state_create(m->model);
        m->N[l] = room(n, l > 0 ? f : n);
        m->mass[l] = room(f, f);
        ok = ok && m->pose[l] && m->N[l] && m->mass[l];
    }
    return ok;
}

gdyn_free_motions *gdyn_free_motions_create(const gdyn_model *model, int columns) {
    finder *m = gdyn_alloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->model = model;
    m->tree = gdyn_model_tree(model);
    m->n = gdyn_model_coordinates(model);
    m->rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    if (!allocate(m, columns)) {
        gdyn_free_motions_destroy(&m->open);
        return NULL;
    }
    gdyn_mech_scales(model, m->row_scale, m->column_scale);
    for (int j = 0; j < m->n; j++)
        m->velocity_scale[j] = 1 / m->column_scale[j];
    return &m->open;
}

/* Safe on a partly made object. */
void gdyn_free_motions_destroy(gdyn_free_motions *motions) {
    finder *m = inside(motions);
    if (!m)
        return;
    for (int l = 0; l < MOST; l++) {
        gdyn_state_destroy(m->pose[l]);
        gdyn_free(m->N[l]);
        gdyn_free(m->mass[l]);
    }
    gdyn_free(m->row_scale);
    gdyn_free(m->column_scale);
    gdyn_free(m->velocity_scale);
    gdyn_free(m->C);
    gdyn_free(m->open.system);
    gdyn_tree_pose_destroy(m->joints);
    gdyn_tree_points_destroy(m->points);
    gdyn_tree_motions_destroy(m->lanes);
    gdyn_qr_destroy(m->qr);
    gdyn_free(m);
}

/* --- in lanes: the legs follow the hubs -------------------------------------------------------- */

bool gdyn_free_motions_clear(const gdyn_free_motions *motions, const double *known, int most) {
    const finder *m = (const finder *)motions;
    return m->lanes && gdyn_tree_motions_count(m->lanes) <= most && gdyn_tree_points_clear(known);
}

static bool take_lanes(finder *m, int poses, const gdyn_state *const state[MOST],
                       const double *const map[MOST]) {
    int q = gdyn_tree_coordinates(m->tree), f = gdyn_tree_motions_count(m->lanes);
    double least = map[0][0];
    for (int l = 1; l < poses; l++)
        least = map[l][0] < least ? map[l][0] : least;
    if (!gdyn_tree_motions_take(m->lanes, state, map))
        return false;
    gdyn_tree_rank found = {.rank = q - f, .freedom = f, .least = least, .clear = true};
    m->open.rank = gdyn_tree_rank_of(m->tree, &found);
    m->open.f = f;
    m->open.poses = poses;
    for (int l = 0; l < poses; l++)
        gdyn_state_copy(m->pose[l], state[l]);
    return true;
}

static bool find_by_lanes(finder *m, const gdyn_state *state, const double *known,
                          gdyn_status *status) {
    (void)status;
    const double *map = m->lanes ? gdyn_tree_points_legs(m->points, state, known) : NULL;
    const gdyn_state *const states[] = {state, state, state, state};
    const double *const maps[] = {map, map, map, map};
    return map && take_lanes(m, 1, states, maps);
}

/* One list per lane; those behind the last pose are that of the last pose. */
static void lists(const finder *m, double *const own[MOST], double *all[MOST]) {
    for (int l = 0; l < MOST; l++)
        all[l] = own[l < m->open.poses ? l : m->open.poses - 1];
}

static void basis_of_lanes(finder *m) {
    double *all[MOST];
    lists(m, m->N, all);
    gdyn_tree_motions_basis(m->lanes, all);
}

static void mass_of_lanes(finder *m) {
    double *all[MOST];
    lists(m, m->mass, all);
    gdyn_tree_motions_mass(m->lanes, all);
}

/* --- by joint coordinates ---------------------------------------------------------------------- */

/* Motions that the closing conditions leave, eliminated, orthonormal in scaled velocities. */
static bool find_by_joints(finder *m, const gdyn_state *state, const double *known,
                           gdyn_status *status) {
    (void)known;
    (void)status;
    gdyn_tree_rank found;
    double *N = m->N[0];
    gdyn_tree_pose_set(m->joints, state);
    if (gdyn_tree_eliminate(m->joints, 0, NULL, &found) != GDYN_OK || !found.clear)
        return false;
    gdyn_tree_null(m->joints, N);
    for (int j = 0; j < found.freedom; j++) {
        double *motion = N + (size_t)m->n * (size_t)j;
        for (int i = 0; i < m->n; i++)
            motion[i] *= m->velocity_scale[i];
    }
    m->open.f = found.freedom;
    m->open.rank = gdyn_tree_rank_of(m->tree, &found);
    m->open.poses = 1;
    return gdyn_orthonormalize(m->n, m->open.f, N);
}

/* --- dense ------------------------------------------------------------------------------------- */

void gdyn_free_motions_constraints(gdyn_free_motions *motions, const gdyn_state *state) {
    const finder *m = inside(motions);
    /* unscaled C, then rows and columns scaled */
    gdyn_mech_jacobian(state, m->C);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->n; j++)
            motions->system[j + (size_t)m->n * i] =
                m->C[i + (size_t)m->rows * j] * m->column_scale[j] * m->row_scale[i];
}

/* The last columns of Q of C_s^T. */
static bool find_by_qr(finder *m, const gdyn_state *state, const double *known,
                       gdyn_status *status) {
    (void)known;
    gdyn_free_motions_constraints(&m->open, state);
    *status = gdyn_qr_factor(m->qr, m->n, m->rows, m->open.system, m->n, 0.0);
    if (*status)
        return true;
    m->open.f = gdyn_qr_null_transposed(m->qr, m->N[0], m->n);
    m->open.rank = m->qr->rank;
    m->open.poses = 1;
    return true;
}

/* --- the first way that answers ---------------------------------------------------------------- */

static const way ways[] = {{find_by_lanes, basis_of_lanes, mass_of_lanes},
                           {find_by_joints, NULL, NULL},
                           {find_by_qr, NULL, NULL}};

/* Nothing is known of any pose. */
static void forget(finder *m) {
    m->open.poses = m->open.pose = 0;
    m->open.found++;
    m->based = m->weighed = false;
}

gdyn_status gdyn_free_motions_find(gdyn_free_motions *motions, const gdyn_state *state,
                                   const double *known) {
    finder *m = inside(motions);
    gdyn_status status = GDYN_OK;
    for (int l = 0; l < m->open.poses; l++)
        if (gdyn_state_same_pose(m->pose[l], state)) {
            m->open.pose = l;
            return GDYN_OK;
        }
    forget(m);
    for (m->by = ways; !m->by->find(m, state, known, &status);)
        m->by++;
    if (status)
        m->open.poses = 0;
    else
        gdyn_state_copy(m->pose[0], state);
    return status;
}

bool gdyn_free_motions_take(gdyn_free_motions *motions, int poses,
                            const gdyn_state *const state[GDYN_MOTIONS_AT_ONCE],
                            const double *const known[GDYN_MOTIONS_AT_ONCE]) {
    finder *m = inside(motions);
    forget(m);
    m->by = &ways[0];
    return take_lanes(m, poses, state, known);
}

const double *gdyn_free_motions_basis(gdyn_free_motions *motions) {
    finder *m = inside(motions);
    if (!m->based && m->by->basis)
        m->by->basis(m);
    m->based = true;
    return m->N[m->open.pose];
}

void gdyn_free_motions_mass(gdyn_free_motions *motions, const gdyn_state *state, const double *N,
                            double *work, double *mass) {
    finder *m = inside(motions);
    int f = motions->f;
    if (!m->by->weigh) {
        gdyn_mech_bodies_reduce(state, f, N, work, mass);
        return;
    }
    if (!m->weighed)
        m->by->weigh(m);
    m->weighed = true;
    memcpy(mass, m->mass[m->open.pose], (size_t)(f * f) * sizeof *mass);
}

void gdyn_free_motions_add_force(const gdyn_free_motions *motions, int body,
                                 const double *const force[GDYN_MOTIONS_AT_ONCE],
                                 double *const along[GDYN_MOTIONS_AT_ONCE]) {
    gdyn_tree_motions_add_force(((const finder *)motions)->lanes, body, force, along);
}

void gdyn_free_motions_loads(const gdyn_free_motions *motions,
                             gdyn_motion_load *const load[GDYN_MOTIONS_AT_ONCE]) {
    gdyn_tree_motions_loads(((const finder *)motions)->lanes, load);
}
