/* motions.c - free motions in the lanes, see points.h. This file is compiled twice, for any
 * processor and with registers of four numbers. */
#include "tree/points_data.h"

/* Smallest share of a motion outside those before it, as in gdyn_orthonormalize. */
static const double APART = 0.03;

/* --- the poses -------------------------------------------------------------------------------- */

/* A vector fixed in a body, ground axes. */
static inline gdyn_wide3 fixed_in(const gdyn_tree_motions *m, int body, const double local[3]) {
    const gdyn_wide3 *R = m->R + 3 * body;
    if (body < 0)
        return w3_all(local);
    if (m->comps == 3)
        return (gdyn_wide3){R[0].x * local[0] - R[0].y * local[1],
                            R[0].y * local[0] + R[0].x * local[1], l_all(local[2])};
    return w3_apply(R, w3_all(local));
}

/* Velocities of the body's centre and, times the machine's length, of its turn per rate of a
 * coordinate. */
static inline void load_part(gdyn_tree_motions *m, int body, const gdyn_motion_part *t,
                             gdyn_lanes *J) {
    const gdyn_screw *screw = &m->tree->screw[t->coordinate];
    gdyn_wide3 e = m->e[t->coordinate], arm = w3_sub(m->r[body], m->p[t->body]), v = e;
    double L = m->tree->model->length;
    bool planar = m->comps == 3;
    if (screw->turns) {
        v = planar ? w3_turn(e.z, arm) : w3_cross(e, arm);
        v = screw->pitch != 0 ? w3_axpy(v, l_all(screw->pitch), e) : v;
    }
    gdyn_wide3 w = screw->turns ? w3_scale(l_all(L), e) : w3_zero();
    J[0] = v.x, J[1] = v.y;
    J[2] = planar ? w.z : v.z;
    if (planar)
        return;
    J[3] = w.x, J[4] = w.y, J[5] = w.z;
}

/* How coordinates follow the hubs: the map of the legs, units of the hubs. */
static void load_map(gdyn_tree_motions *m, const double *const map[GDYN_LANES]) {
    size_t f = (size_t)m->f, at = 1;
    for (int b = 0; b < m->blocks; b++) {
        const gdyn_motion_block *of = &m->block[b];
        gdyn_lanes *G = m->G + (size_t)of->first * f;
        size_t own = (size_t)of->own * f;
        for (size_t i = 0; i < own; i++)
            G[i] = l_entry(map, at + i);
        at += own, G += own;
        for (int i = 0; i < of->rows - of->own; i++, G += f)
            for (int j = 0; j < m->f; j++)
                G[j] = l_all(i == j ? m->unit[i] : 0);
    }
}

/* --- sums over bodies ------------------------------------------------------------------------- */

static inline gdyn_lanes dot(int n, const gdyn_lanes *a, const gdyn_lanes *b) {
    gdyn_lanes sum = a[0] * b[0];
    for (int i = 1; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* S (rows of the block, both halves) := sum of J^T Y over its bodies; Y: J, or M J. */
static inline void sum_products(const gdyn_tree_motions *m, const gdyn_motion_block *of, int comps,
                                const gdyn_lanes *Y, gdyn_lanes *S) {
    int rows = of->rows;
    for (int i = 0; i < rows * rows; i++)
        S[i] = l_all(0);
    for (int i = of->body; i < of->body + of->bodies; i++) {
        int first = m->first[m->listed[i]], last = m->first[m->listed[i] + 1];
        for (int s = first; s < last; s++)
            for (int t = first; t <= s; t++)
                S[m->part[s].row * rows + m->part[t].row] +=
                    dot(comps, m->J + s * comps, Y + t * comps);
    }
    /* of each pair of rows only one order was met */
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < i; j++)
            S[i * rows + j] = S[j * rows + i] = S[i * rows + j] + S[j * rows + i];
}

/* Q (f x f, the upper half, row-major) += G^T S G. */
static inline void carry(const gdyn_tree_motions *m, const gdyn_motion_block *of, int f,
                         const gdyn_lanes *S, gdyn_lanes *Q) {
    const gdyn_lanes *G = m->G + of->first * f;
    for (int i = 0; i < of->rows; i++) {
        gdyn_lanes y[GDYN_MOTIONS_MOST];
        for (int j = 0; j < f; j++)
            y[j] = S[i * of->rows] * G[j];
        for (int k = 1; k < of->rows; k++)
            for (int j = 0; j < f; j++)
                y[j] += S[i * of->rows + k] * G[k * f + j];
        for (int j = 0; j < f; j++)
            for (int k = j; k < f; k++)
                Q[j * f + k] += G[i * f + j] * y[k];
    }
}

/* Q = R^T R in place, 1 / R_jj on the diagonal; false: a motion is too near to those before it. */
static inline bool factor(int f, gdyn_lanes *Q) {
    for (int j = 0; j < f; j++)
        for (int k = j; k < f; k++) {
            gdyn_lanes sum = Q[j * f + k], whole = sum;
            for (int l = 0; l < j; l++)
                sum -= Q[l * f + j] * Q[l * f + k];
            if (k == j && !l_holds((gdyn_lane_bits)(sum > APART * APART * whole)))
                return false;
            Q[j * f + k] = k == j ? 1 / l_root(sum) : sum * Q[j * f + j];
        }
    return true;
}

/* Makes the motions orthonormal; f and comps constants where this is inlined. */
static inline bool orthonormalize(gdyn_tree_motions *m, int f, int comps) {
    gdyn_lanes S[GDYN_MOTION_ROWS * GDYN_MOTION_ROWS], Q[GDYN_MOTIONS_MOST * GDYN_MOTIONS_MOST];
    int rows = 0;
    for (int i = 0; i < f * f; i++)
        Q[i] = l_all(0);
    for (int b = 0; b < m->blocks; b++) {
        sum_products(m, &m->block[b], comps, m->J, S);
        if (b + 1 < m->blocks)
            carry(m, &m->block[b], f, S, Q);
        else { /* coordinates of hubs are the motions but for their units */
            for (int j = 0; j < f; j++)
                for (int k = j; k < f; k++)
                    Q[j * f + k] += m->unit[j] * m->unit[k] * S[j * f + k];
        }
        rows += m->block[b].rows;
    }
    if (!factor(f, Q))
        return false;
    /* G := G R^-1 */
    gdyn_lanes *G = m->G;
    for (int i = 0; i < rows; i++, G += f)
        for (int j = 0; j < f; j++) {
            gdyn_lanes x = G[j];
            for (int k = 0; k < j; k++)
                x -= Q[k * f + j] * G[k];
            G[j] = x * Q[j * f + j];
        }
    return true;
}

static bool take(gdyn_tree_motions *m, const gdyn_state *const state[GDYN_LANES],
                 const double *const map[GDYN_LANES]) {
    /* centres and rotations of all bodies */
    const double *r[GDYN_LANES], *R[GDYN_LANES];
    for (int l = 0; l < GDYN_LANES; l++) {
        r[l] = state[l]->r;
        R[l] = state[l]->R;
    }
    for (int i = 0; i < m->tree->bodies; i++) {
        m->r[i] = w3_entries(r, 3 * (size_t)i);
        /* in the plane its first column tells all */
        for (int j = 0; j < (m->comps == 3 ? 1 : 3); j++)
            m->R[3 * i + j] = w3_entries(R, 9 * (size_t)i + 3 * (size_t)j);
    }
    for (int i = 0; i < m->tree->bodies; i++) {
        /* axes and point of the body's joint */
        const gdyn_tree_body *body = &m->tree->body[i];
        gdyn_wide3 point = fixed_in(m, body->point_body, body->point);
        m->p[i] = body->point_body >= 0 ? w3_add(point, m->r[body->point_body]) : point;
        for (int c = body->first; c < body->first + body->count; c++) {
            const gdyn_screw *screw = &m->tree->screw[c];
            gdyn_wide3 axis = fixed_in(m, screw->in_a ? body->a : body->b, screw->axis);
            m->e[c] = body->reversed ? w3_scale(l_all(-1), axis) : axis;
        }
    }
    for (int i = 0; i < m->tree->bodies; i++)
        for (int t = m->first[i]; t < m->first[i + 1]; t++)
            load_part(m, i, &m->part[t], m->J + t * m->comps);
    load_map(m, map);
    /* the freedoms of a body in the plane and in space */
    if (m->comps == 3)
        return m->f == 3 ? orthonormalize(m, 3, 3) : orthonormalize(m, m->f, 3);
    return m->f == 6 ? orthonormalize(m, 6, 6) : orthonormalize(m, m->f, 6);
}

/* --- along the motions ------------------------------------------------------------------------ */

/* f and comps are constants where this is inlined. */
static inline void add_body_force(const gdyn_tree_motions *m, int f, int comps, int body,
                                  const double *const force[GDYN_LANES],
                                  double *const along[GDYN_LANES]) {
    const gdyn_lanes *G = m->G + m->block[m->of[body]].first * f;
    gdyn_lanes own[6], sum[GDYN_MOTIONS_MOST];
    for (int k = 0; k < comps; k++)
        own[k] = l_entry(force, (size_t)k);
    for (int j = 0; j < f; j++)
        sum[j] = l_all(0);
    for (int t = m->first[body]; t < m->first[body + 1]; t++) {
        gdyn_lanes tau = dot(comps, m->J + t * comps, own);
        const gdyn_lanes *row = G + m->part[t].row * f;
        for (int j = 0; j < f; j++)
            sum[j] += tau * row[j];
    }
    for (int l = 0; l < GDYN_LANES; l++)
        for (int j = 0; j < f; j++)
            along[l][j] += sum[j][l];
}

static void add_force(const gdyn_tree_motions *m, int body, const double *const force[GDYN_LANES],
                      double *const along[GDYN_LANES]) {
    if (m->comps == 6 && m->f == 6)
        add_body_force(m, 6, 6, body, force, along);
    else if (m->comps == 3 && m->f == 3)
        add_body_force(m, 3, 3, body, force, along);
    else
        add_body_force(m, m->f, m->comps, body, force, along);
}

/* A lane of `count` numbers to each. */
static inline void hand_out(int count, const gdyn_lanes *from, double *const to[GDYN_LANES]) {
    for (int l = 0; l < GDYN_LANES; l++)
        for (int i = 0; i < count; i++)
            to[l][i] = from[i][l];
}

/* --- loads ------------------------------------------------------------------------------------ */

enum { LOADS = GDYN_MOTION_LOADS };

/* I w of a body, ground axes. */
static inline gdyn_wide3 spin(const gdyn_tree_motions *m, int body, gdyn_wide3 w) {
    const gdyn_wide3 *R = m->R + 3 * body;
    const double *I = m->tree->model->inertia[body];
    gdyn_wide3 x = {w3_dot(R[0], w), w3_dot(R[1], w), w3_dot(R[2], w)};
    gdyn_wide3 y = w3_scale(x.x, w3_all(I));
    y = w3_axpy(w3_axpy(y, x.y, w3_all(I + 3)), x.z, w3_all(I + 6));
    return w3_apply(R, y);
}

/* Inertia of a body: F[0] for its acceleration, F[3] for its velocity. */
static inline void inertia(const gdyn_tree_motions *m, int comps, int body, const gdyn_lanes *u,
                           const gdyn_lanes *du, gdyn_lanes F[LOADS][6]) {
    double mass = m->tree->model->machine->body[body].mass;
    for (int k = 0; k < (comps == 3 ? 2 : 3); k++) {
        F[0][k] = mass * du[k];
        F[3][k] = mass * u[k];
    }
    if (comps == 3) {
        double I = m->tree->model->inertia[body][8];
        F[0][2] = I * du[2];
        F[3][2] = I * u[2];
        return;
    }
    gdyn_wide3 w = {u[3], u[4], u[5]}, dw = {du[3], du[4], du[5]};
    gdyn_wide3 momentum = spin(m, body, w);
    gdyn_wide3 moment = w3_add(spin(m, body, dw), w3_cross(w, momentum));
    F[0][3] = moment.x, F[0][4] = moment.y, F[0][5] = moment.z;
    F[3][3] = momentum.x, F[3][4] = momentum.y, F[3][5] = momentum.z;
}

/* The loads of all lanes, as lists of each kind. */
typedef struct load_lists {
    const double *u_p[GDYN_LANES], *u_pp[GDYN_LANES], *more[LOADS][GDYN_LANES];
    bool acts[LOADS], added[LOADS];
} load_lists;

/* Loads on a body, moments over the machine's length; adds their squares, and that of the velocity,
 * to those sums. */
static inline void body_loads(const gdyn_tree_motions *m, int comps, int body,
                              const load_lists *all, gdyn_lanes F[LOADS][6], gdyn_lanes *square) {
    gdyn_lanes u[6] = {l_all(0)}, du[6] = {l_all(0)};
    double L = m->tree->model->length;
    int turns = comps == 3 ? 2 : 3;
    size_t at = (size_t)(comps * body);
    for (int k = 0; k < comps; k++) {
        u[k] = l_entry(all->u_p, at + (size_t)k);
        du[k] = l_entry(all->u_pp, at + (size_t)k);
    }
    inertia(m, comps, body, u, du, F);
    for (int x = 0; x < LOADS; x++) {
        bool bodies = x == 0 || x == LOADS - 1;
        for (int k = 0; k < comps; k++) {
            gdyn_lanes more = all->added[x] ? l_entry(all->more[x], at + (size_t)k) : l_all(0);
            F[x][k] = bodies ? F[x][k] + more : more;
        }
        for (int k = turns; k < comps && all->acts[x]; k++)
            F[x][k] *= 1 / L;
        if (all->acts[x])
            square[x] += dot(comps, F[x], F[x]);
    }
    for (int k = turns; k < comps; k++)
        u[k] *= L;
    square[LOADS] += dot(comps, u, u);
}

/* Sums over the bodies of a block; f and comps constants where this is inlined. */
static inline void block_loads(const gdyn_tree_motions *m, const gdyn_motion_block *of, int f,
                               int comps, const load_lists *all, gdyn_lanes *along,
                               gdyn_lanes *square) {
    gdyn_lanes tau[LOADS][GDYN_MOTION_ROWS], F[LOADS][6];
    for (int x = 0; x < LOADS; x++)
        for (int i = 0; i < of->rows; i++)
            tau[x][i] = l_all(0);
    for (int i = of->body; i < of->body + of->bodies; i++) {
        int body = m->listed[i];
        body_loads(m, comps, body, all, F, square);
        for (int t = m->first[body]; t < m->first[body + 1]; t++)
            for (int x = 0; x < LOADS; x++)
                if (all->acts[x])
                    tau[x][m->part[t].row] += dot(comps, m->J + t * comps, F[x]);
    }
    for (int x = 0; x < LOADS; x++) {
        const gdyn_lanes *G = m->G + of->first * f;
        for (int i = 0; i < of->rows && all->acts[x]; i++, G += f)
            for (int j = 0; j < f; j++)
                along[f * x + j] += tau[x][i] * G[j];
    }
}

static inline void sum_loads(const gdyn_tree_motions *m, int f, int comps,
                             gdyn_motion_load *const load[GDYN_LANES]) {
    gdyn_lanes along[LOADS * GDYN_MOTIONS_MOST], square[LOADS + 1];
    double *to[GDYN_LANES];
    load_lists all;
    for (int l = 0; l < GDYN_LANES; l++) {
        all.u_p[l] = load[l]->u_p, all.u_pp[l] = load[l]->u_pp;
        for (int x = 0; x < LOADS; x++)
            all.more[x][l] = load[l]->more[x];
    }
    for (int x = 0; x < LOADS; x++) {
        all.added[x] = load[0]->more[x] != NULL;
        all.acts[x] = all.added[x] || x == 0 || x == LOADS - 1;
    }
    for (int i = 0; i < LOADS * f; i++)
        along[i] = l_all(0);
    for (int x = 0; x <= LOADS; x++)
        square[x] = l_all(0);
    for (int b = 0; b < m->blocks; b++)
        block_loads(m, &m->block[b], f, comps, &all, along, square);
    for (int x = 0; x <= LOADS; x++)
        square[x] = l_root(square[x]);
    for (int l = 0; l < GDYN_LANES; l++) {
        to[l] = load[l]->along;
        load[l]->pace = square[LOADS][l];
        for (int x = 0; x < LOADS; x++)
            load[l]->size[x] = square[x][l];
    }
    hand_out(LOADS * f, along, to);
}

static void loads(const gdyn_tree_motions *m, gdyn_motion_load *const load[GDYN_LANES]) {
    if (m->comps == 6 && m->f == 6)
        sum_loads(m, 6, 6, load);
    else if (m->comps == 3 && m->f == 3)
        sum_loads(m, 3, 3, load);
    else
        sum_loads(m, m->f, m->comps, load);
}

/* --- mass ------------------------------------------------------------------------------------- */

/* M J of a body: turns are times the machine's length. */
static inline void weigh(gdyn_tree_motions *m, int body, int comps) {
    const gdyn_model *model = m->tree->model;
    double mass = model->machine->body[body].mass, per_square = 1 / (model->length * model->length);
    const gdyn_wide3 *R = m->R + 3 * body;
    gdyn_wide3 I[3];
    for (int k = 0; k < 3; k++)
        I[k] = w3_scale(l_all(per_square), w3_all(model->inertia[body] + 3 * k));
    for (int t = m->first[body]; t < m->first[body + 1]; t++) {
        const gdyn_lanes *J = m->J + t * comps;
        gdyn_lanes *MJ = m->MJ + t * comps;
        MJ[0] = mass * J[0], MJ[1] = mass * J[1];
        if (comps == 3) {
            MJ[2] = I[2].z * J[2];
            continue;
        }
        /* R I R^T w */
        gdyn_wide3 w = {J[3], J[4], J[5]};
        w = w3_apply(I, (gdyn_wide3){w3_dot(R[0], w), w3_dot(R[1], w), w3_dot(R[2], w)});
        w = w3_apply(R, w);
        MJ[2] = mass * J[2], MJ[3] = w.x, MJ[4] = w.y, MJ[5] = w.z;
    }
}

/* f and comps are constants where this is inlined. */
static inline void reduce_mass(gdyn_tree_motions *m, int f, int comps, gdyn_lanes *M) {
    gdyn_lanes S[GDYN_MOTION_ROWS * GDYN_MOTION_ROWS];
    for (int i = 0; i < f * f; i++)
        M[i] = l_all(0);
    for (int i = 0; i < m->tree->bodies; i++)
        weigh(m, i, comps);
    for (int b = 0; b < m->blocks; b++) {
        sum_products(m, &m->block[b], comps, m->MJ, S);
        carry(m, &m->block[b], f, S, M);
    }
    for (int j = 0; j < f; j++)
        for (int k = 0; k < j; k++)
            M[j * f + k] = M[k * f + j];
}

static void mass(gdyn_tree_motions *m, double *const M[GDYN_LANES]) {
    gdyn_lanes wide[GDYN_MOTIONS_MOST * GDYN_MOTIONS_MOST];
    if (m->comps == 6 && m->f == 6)
        reduce_mass(m, 6, 6, wide);
    else if (m->comps == 3 && m->f == 3)
        reduce_mass(m, 3, 3, wide);
    else
        reduce_mass(m, m->f, m->comps, wide);
    hand_out(m->f * m->f, wide, M);
}

/* --- out of the lanes ------------------------------------------------------------------------- */

/* Velocities of a body in all motions; f and comps constants where this is inlined. */
static inline void put_motions(const gdyn_tree_motions *m, int f, int comps, int body,
                               double *const N[GDYN_LANES]) {
    const gdyn_lanes *G = m->G + m->block[m->of[body]].first * f;
    size_t n = (size_t)m->tree->n, at = (size_t)(comps * body);
    int first = m->first[body], last = m->first[body + 1];
    for (int j = 0; j < f; j++) {
        gdyn_lanes u[6];
        for (int k = 0; k < comps; k++)
            u[k] = l_all(0);
        for (int t = first; t < last; t++) {
            gdyn_lanes rate = G[m->part[t].row * f + j];
            for (int k = 0; k < comps; k++)
                u[k] += rate * m->J[t * comps + k];
        }
        for (int l = 0; l < GDYN_LANES; l++)
            for (int k = 0; k < comps; k++)
                N[l][at + n * (size_t)j + (size_t)k] = u[k][l];
    }
}

static void basis(const gdyn_tree_motions *m, double *const N[GDYN_LANES]) {
    for (int i = 0; i < m->tree->bodies; i++)
        if (m->comps == 6 && m->f == 6)
            put_motions(m, 6, 6, i, N);
        else if (m->comps == 3 && m->f == 3)
            put_motions(m, 3, 3, i, N);
        else
            put_motions(m, m->f, m->comps, i, N);
}

const gdyn_motions_kernel GDYN_TRANSLATED(gdyn_motions_kernel) = {
    .take = take, .add_force = add_force, .loads = loads, .mass = mass, .basis = basis};
