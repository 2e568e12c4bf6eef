/* compare.c - an imported case against MuJoCo, which reads the source itself: at poses and speeds drawn at random
 *
 * - the constraints of the case hold at MuJoCo's poses, and its Jacobians lie in their null space: Phi = 0, C J = 0, of rank
 *   n - n_v;
 * - J^T M_u J is MuJoCo's mass matrix, rotors included;
 * - J^T (M_u u' + h - g), with MuJoCo's accelerations u' for q'' = 0, is its bias less its passive forces (gravity, gyroscopic
 *   terms, springs, dampers);
 * - C u' + gamma = 0.
 *
 * Full tensors: MuJoCo finds their principal axes to 1e-7 only. They are compared to 1e-6 first, then replaced by axes that are
 * exact to rounding, so that the rest is compared to 1e-9.
 *
 * J (n x n_v) are MuJoCo's Jacobians at the centres of gravity of the case's bodies. Dry friction, contacts, stops and
 * closing constraints are switched off there. Usage: compare SOURCE.xml CASE.yaml; exit code 1: something differs. */
#include "casefile/casefile.h"
#include "linalg/vec3.h"
#include "mech/mech.h"
#include "model/model.h"

#include <ctype.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 20 };
static const double LIMIT = 1e-9; /* of all differences, relative to the greatest entry */

typedef struct piece { /* a body of the case in MuJoCo's model */
    int body, joints;  /* MuJoCo's body, and how many of its joints it moves with */
    double zero[9];    /* rotation of the frame at the reference */
} piece;

typedef struct compare {
    mjModel *m;
    mjData *d;
    const gdyn_model *model;
    gdyn_state *state;
    piece *piece;
    double *J, *u, *a; /* n x nv, n, n */
    int n, nv;
    double worst[6];
} compare;

static void keep(double *worst, double difference, double size) {
    double share = difference / (size > 0 ? size : 1);
    if (!(share <= *worst))
        *worst = share;
}

static void *room(size_t count) {
    void *block = calloc(count + 1, sizeof(double));
    if (!block)
        exit(70);
    return block;
}

/* --- bodies by name ---------------------------------------------------------------------------------- */

/* As src/import/names.c has them. */
static void plain_name(const mjModel *m, int body, char out[200]) {
    const char *name = mj_id2name(m, mjOBJ_BODY, body);
    int n = 0;
    if (!name) {
        snprintf(out, 200, "body%d", body);
        return;
    }
    while (*name && !isalnum((unsigned char)*name) && *name != '_')
        name++;
    for (; *name && n < 150; name++)
        out[n++] = isalnum((unsigned char)*name) || *name == '-' ? *name : '_';
    out[n] = '\0';
}

static bool find_pieces(compare *c) {
    int found = 0;
    c->piece = calloc((size_t)gdyn_model_bodies(c->model) + 1, sizeof *c->piece);
    for (int b = 1; b < c->m->nbody; b++)
        for (int k = 1; k <= c->m->body_jntnum[b]; k++) {
            char name[200], step[260];
            plain_name(c->m, b, name);
            snprintf(step, sizeof step, "%.40s_%d", name, k);
            int at = gdyn_model_find_body(c->model, k == c->m->body_jntnum[b] ? name : step);
            if (at < 0) {
                fprintf(stderr, "the case has no body %s\n", name);
                return false;
            }
            c->piece[at].body = b;
            c->piece[at].joints = k;
            found++;
        }
    if (found != gdyn_model_bodies(c->model))
        fprintf(stderr, "%d bodies instead of %d\n", gdyn_model_bodies(c->model), found);
    return found == gdyn_model_bodies(c->model);
}

/* --- MuJoCo's frames, row-major there ---------------------------------------------------------------- */

static void transpose(double R[9], const mjtNum *rows) {
    for (int i = 0; i < 9; i++)
        R[i] = rows[3 * (i % 3) + i / 3];
}

/* The frame of a body behind its first joints, as mj_kinematics goes. */
static void frame_of(const compare *c, const piece *p, double x[3], double R[9]) {
    const mjModel *m = c->m;
    int b = p->body, parent = m->body_parentid[b];
    mjtNum pos[3], quat[4], offset[3], turn[4];
    mju_rotVecQuat(offset, m->body_pos + 3 * b, c->d->xquat + 4 * parent);
    mju_add3(pos, c->d->xpos + 3 * parent, offset);
    mju_mulQuat(quat, c->d->xquat + 4 * parent, m->body_quat + 4 * b);
    for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + p->joints; j++) {
        const mjtNum *q = c->d->qpos + m->jnt_qposadr[j], *q0 = m->qpos0 + m->jnt_qposadr[j];
        mjtNum anchor[3], axis[3];
        mju_rotVecQuat(offset, m->jnt_pos + 3 * j, quat);
        mju_add3(anchor, pos, offset);
        mju_rotVecQuat(axis, m->jnt_axis + 3 * j, quat);
        if (m->jnt_type[j] == mjJNT_FREE) {
            mju_copy3(pos, q);
            mju_copy4(quat, q + 3);
            mju_normalize4(quat);
            continue;
        }
        if (m->jnt_type[j] == mjJNT_SLIDE) {
            mju_addToScl3(pos, axis, q[0] - q0[0]);
            continue;
        }
        if (m->jnt_type[j] == mjJNT_BALL)
            mju_copy4(turn, q);
        else
            mju_axisAngle2Quat(turn, m->jnt_axis + 3 * j, q[0] - q0[0]);
        mju_normalize4(turn);
        mju_mulQuat(quat, quat, turn);
        mju_rotVecQuat(offset, m->jnt_pos + 3 * j, quat);
        mju_sub3(pos, anchor, offset);
    }
    mjtNum rows[9];
    mju_normalize4(quat);
    mju_quat2Mat(rows, quat);
    transpose(R, rows);
    v3_copy(x, pos);
}

/* Centre of gravity and rotation of a body of the case at MuJoCo's pose. */
static void place_of(const compare *c, int body, double r[3], double R[9]) {
    const piece *p = &c->piece[body];
    double x[3], now[9], Rt[9], com[3];
    frame_of(c, p, x, now);
    for (int i = 0; i < 9; i++)
        Rt[i] = p->zero[i / 3 + 3 * (i % 3)];
    gdyn_m3_multiply(R, now, Rt);
    m3_apply(com, R, gdyn_model_body(c->model, body)->com);
    v3_add(r, x, com);
}

static void take_zero(compare *c) {
    double x[3];
    mju_copy(c->d->qpos, c->m->qpos0, c->m->nq);
    mj_kinematics(c->m, c->d);
    for (int b = 0; b < gdyn_model_bodies(c->model); b++)
        frame_of(c, &c->piece[b], x, c->piece[b].zero);
}

/* --- principal axes ---------------------------------------------------------------------------------- */

/* V^T A V diagonal, by Jacobi's rotations; A becomes it, V has the axes as columns. */
static void diagonalize(double A[9], double V[9]) {
    gdyn_m3_identity(V);
    for (int sweep = 0; sweep < 30; sweep++)
        for (int k = 0; k < 3; k++) {
            int p = k, q = (k + 1) % 3;
            double G[9], Gt[9], B[9], apart = A[q + 3 * q] - A[p + 3 * p];
            double angle = 0.5 * atan2(copysign(2, apart) * A[p + 3 * q], fabs(apart));
            gdyn_m3_identity(G);
            G[p + 3 * p] = G[q + 3 * q] = cos(angle);
            G[p + 3 * q] = sin(angle);
            G[q + 3 * p] = -sin(angle);
            for (int i = 0; i < 9; i++)
                Gt[i] = G[i / 3 + 3 * (i % 3)];
            gdyn_m3_multiply(B, Gt, A);
            gdyn_m3_multiply(A, B, G);
            gdyn_m3_multiply(V, V, G);
        }
}

/* R diag(d) R^T */
static void tensor_of(const double R[9], const double *d, double I[9]) {
    for (int i = 0; i < 9; i++) {
        I[i] = 0;
        for (int k = 0; k < 3; k++)
            I[i] += R[i % 3 + 3 * k] * d[k] * R[i / 3 + 3 * k];
    }
}

/* The case's tensor in the frame of MuJoCo's body, where nothing else is fixed to that. */
static void sharpen_axes(compare *c, int b) {
    const double *t = gdyn_model_body(c->model, b)->inertia, *Z = c->piece[b].zero;
    int body = c->piece[b].body;
    double A[9] = {t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2]}, Zt[9], B[9], V[9], R[9],
           I[9];
    mjtNum rows[9], quat[4];
    if (c->piece[b].joints != c->m->body_jntnum[body] ||
        fabs(c->m->body_mass[body] - gdyn_model_body(c->model, b)->mass) >
            1e-12 * c->m->body_mass[body])
        return;
    for (int i = 0; i < 9; i++)
        Zt[i] = Z[i / 3 + 3 * (i % 3)];
    gdyn_m3_multiply(B, Zt, A);
    gdyn_m3_multiply(A, B, Z);
    mju_quat2Mat(rows, c->m->body_iquat + 4 * body);
    transpose(R, rows);
    tensor_of(R, c->m->body_inertia + 3 * body, I);
    double size = A[0] + A[4] + A[8], most = 0;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(A[i] - I[i]));
    keep(&c->worst[5], most, size);
    diagonalize(A, V);
    double det = V[0] * (V[4] * V[8] - V[5] * V[7]) - V[3] * (V[1] * V[8] - V[2] * V[7]) +
                 V[6] * (V[1] * V[5] - V[2] * V[4]);
    for (int i = 0; i < 9; i++)
        rows[3 * (i % 3) + i / 3] = i >= 6 && det < 0 ? -V[i] : V[i];
    mju_mat2Quat(quat, rows);
    mju_normalize4(quat);
    mju_copy4(c->m->body_iquat + 4 * body, quat);
    for (int i = 0; i < 3; i++)
        c->m->body_inertia[3 * body + i] = A[4 * i];
}

/* --- the state of the case --------------------------------------------------------------------------- */

static void take_pose(compare *c) {
    double *du = room((size_t)c->n);
    for (int b = 0; b < gdyn_model_bodies(c->model); b++) {
        double r[3], R[9], r0[3], R0[9], turn[9], R0t[9];
        place_of(c, b, r, R);
        gdyn_state_body(c->state, b, r0, R0);
        v3_sub(du + 6 * b, r, r0);
        for (int i = 0; i < 9; i++)
            R0t[i] = R0[i / 3 + 3 * (i % 3)];
        gdyn_m3_multiply(turn, R, R0t);
        gdyn_rotation_log(turn, du + 6 * b + 3);
    }
    gdyn_state_move(c->state, du);
    gdyn_state_accept(c->state);
    free(du);
}

/* Columns of joints behind the first ones of its body do not move a piece. */
static void take_jacobian(compare *c) {
    mjtNum *jp = room(3 * (size_t)c->nv), *jr = room(3 * (size_t)c->nv);
    for (int b = 0; b < gdyn_model_bodies(c->model); b++) {
        const piece *p = &c->piece[b];
        double r[3], R[9];
        place_of(c, b, r, R);
        mj_jac(c->m, c->d, jp, jr, r, p->body);
        int behind = c->m->body_jntadr[p->body] + p->joints;
        int last = c->m->body_jntadr[p->body] + c->m->body_jntnum[p->body];
        int cut = behind < last ? c->m->jnt_dofadr[behind] : c->nv;
        int end = c->m->body_dofadr[p->body] + c->m->body_dofnum[p->body];
        for (int v = 0; v < c->nv; v++)
            for (int i = 0; i < 3; i++) {
                bool moves = v < cut || v >= end;
                c->J[6 * b + i + c->n * v] = moves ? jp[i * c->nv + v] : 0;
                c->J[6 * b + 3 + i + c->n * v] = moves ? jr[i * c->nv + v] : 0;
            }
    }
    free(jp);
    free(jr);
}

typedef struct motion { /* of a body, seen at a point */
    double x[3], a[3], w[3], alpha[3];
} motion;

static void look_from(motion *b, const double x[3]) {
    double from[3], wr[3], wwr[3], ar[3];
    v3_sub(from, x, b->x);
    v3_cross(wr, b->w, from);
    v3_cross(wwr, b->w, wr);
    v3_cross(ar, b->alpha, from);
    v3_add(b->a, b->a, ar);
    v3_add(b->a, b->a, wwr);
    v3_copy(b->x, x);
}

/* From the body behind a joint to the one before it, at q'' = 0. */
static void step_back(const compare *c, int j, motion *b) {
    const mjtNum *rate = c->d->qvel + c->m->jnt_dofadr[j], *axis = c->d->xaxis + 3 * j;
    double relative[3], turned[3];
    v3_scale(relative, rate[0], axis);
    if (c->m->jnt_type[j] == mjJNT_BALL)
        mju_rotVecQuat(relative, rate, c->d->xquat + 4 * c->m->jnt_bodyid[j]);
    if (c->m->jnt_type[j] == mjJNT_SLIDE) {
        v3_cross(turned, b->w, relative);
        v3_axpy(b->a, b->a, -2, turned);
        return;
    }
    look_from(b, c->d->xanchor + 3 * j);
    v3_sub(b->w, b->w, relative);
    v3_cross(turned, b->w, relative);
    v3_sub(b->alpha, b->alpha, turned);
}

/* Velocities J q', and accelerations of the bodies for q'' = 0; MuJoCo's ones hold gravity as an acceleration upwards. */
static void take_motion(compare *c) {
    memset(c->u, 0, (size_t)c->n * sizeof *c->u);
    for (int v = 0; v < c->nv; v++)
        for (int i = 0; i < c->n; i++)
            c->u[i] += c->J[i + c->n * v] * c->d->qvel[v];
    for (int b = 0; b < gdyn_model_bodies(c->model); b++) {
        const piece *p = &c->piece[b];
        mjtNum acc[6], vel[6];
        motion m;
        double r[3], R[9];
        mj_objectAcceleration(c->m, c->d, mjOBJ_BODY, p->body, acc, 0);
        mj_objectVelocity(c->m, c->d, mjOBJ_BODY, p->body, vel, 0);
        v3_axpy(m.a, acc + 3, !(c->m->opt.disableflags & mjDSBL_GRAVITY), c->m->opt.gravity);
        v3_copy(m.alpha, acc);
        v3_copy(m.w, vel);
        v3_copy(m.x, c->d->xipos + 3 * p->body);
        for (int k = c->m->body_jntnum[p->body]; k > p->joints; k--)
            step_back(c, c->m->body_jntadr[p->body] + k - 1, &m);
        place_of(c, b, r, R);
        look_from(&m, r);
        v3_copy(c->a + 6 * b, m.a);
        v3_copy(c->a + 6 * b + 3, m.alpha);
    }
}

/* --- comparisons ------------------------------------------------------------------------------------- */

static void compare_mass(compare *c) {
    mjtNum *M = room((size_t)c->nv * (size_t)c->nv);
    double *MJ = room((size_t)c->n), size = 0, most = 0;
    mj_fullM(c->m, M, c->d->qM);
    for (int v = 0; v < c->nv; v++) {
        gdyn_mech_mass_apply(c->state, c->J + c->n * v, MJ);
        for (int w = 0; w < c->nv; w++) {
            double sum = 0;
            for (int i = 0; i < c->n; i++)
                sum += c->J[i + c->n * w] * MJ[i];
            most = fmax(most, fabs(sum - M[v * c->nv + w]));
            size = fmax(size, fabs(M[v * c->nv + w]));
        }
    }
    keep(&c->worst[0], most, size);
    free(M);
    free(MJ);
}

static void compare_bias(compare *c) {
    double *f = room((size_t)c->n), *h = room((size_t)c->n), *g = room((size_t)c->n);
    double *dry = room(4 * (size_t)gdyn_model_joints(c->model) + 1000), size = 0, most = 0;
    gdyn_powers powers;
    gdyn_mech_mass_apply(c->state, c->a, f);
    gdyn_mech_bias(c->state, c->u, h);
    gdyn_mech_motion_forces(c->state, c->u, 1e-3, dry, g, &powers);
    for (int v = 0; v < c->nv; v++) {
        double sum = 0, theirs = c->d->qfrc_bias[v] - c->d->qfrc_passive[v];
        for (int i = 0; i < c->n; i++)
            sum += c->J[i + c->n * v] * (f[i] + h[i] - g[i]);
        most = fmax(most, fabs(sum - theirs));
        size = fmax(size, fabs(theirs));
    }
    keep(&c->worst[1], most, size);
    free(f);
    free(h);
    free(g);
    free(dry);
}

/* Rows of the joints that the tree has; those that close loops come behind and are left out. */
static void compare_constraints(compare *c, int rows) {
    int m = gdyn_model_holonomic(c->model) + gdyn_model_pfaffian(c->model);
    double *phi = room((size_t)m), *C = room((size_t)m * (size_t)c->n), *gamma = room((size_t)m);
    double most = 0, off = 0, size = 0, bend = 0, bend_size = 0;
    gdyn_mech_constraints(c->state, phi);
    gdyn_mech_jacobian(c->state, C);
    gdyn_mech_curvature(c->state, c->u, gamma);
    for (int i = 0; i < rows; i++) {
        double sum = gamma[i], add = fabs(gamma[i]);
        off = fmax(off, fabs(phi[i]));
        for (int k = 0; k < c->n; k++) {
            sum += C[i + m * k] * c->a[k];
            add += fabs(C[i + m * k] * c->a[k]);
        }
        bend = fmax(bend, fabs(sum));
        bend_size = fmax(bend_size, add);
        for (int v = 0; v < c->nv; v++) {
            double product = 0;
            for (int k = 0; k < c->n; k++) {
                product += C[i + m * k] * c->J[k + c->n * v];
                size = fmax(size, fabs(C[i + m * k] * c->J[k + c->n * v]));
            }
            most = fmax(most, fabs(product));
        }
    }
    keep(&c->worst[2], off, gdyn_model_length(c->model));
    keep(&c->worst[3], most, size);
    keep(&c->worst[4], bend, bend_size);
    free(phi);
    free(C);
    free(gamma);
}

static double draw(void) {
    static unsigned long long s = 88172645463325252ull;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return (double)(s >> 11) / (double)(1ull << 52) - 1;
}

static void draw_pose(compare *c) {
    for (int i = 0; i < c->m->nq; i++)
        c->d->qpos[i] = c->m->qpos0[i] + draw();
    for (int v = 0; v < c->nv; v++)
        c->d->qvel[v] = draw(), c->d->qacc[v] = 0;
    mj_normalizeQuat(c->m, c->d->qpos);
}

/* The rows before the first joint that closes a loop or couples joints. */
static int tree_rows(const compare *c) {
    int rows = 0, first, count, pfaffian[2];
    for (int j = 0; j < gdyn_model_joints(c->model); j++) {
        const gdyn_joint_def *def = gdyn_model_joint(c->model, j);
        if (def->cut || def->type == GDYN_GEAR)
            break;
        gdyn_model_joint_rows(c->model, j, &first, &count, &pfaffian[0], &pfaffian[1]);
        rows = first + count;
    }
    return rows;
}

static void run(compare *c) {
    int rows = tree_rows(c);
    take_zero(c);
    for (int b = 0; b < gdyn_model_bodies(c->model); b++)
        sharpen_axes(c, b);
    for (int i = 0; i < POSES; i++) {
        draw_pose(c);
        mj_forward(c->m, c->d);
        mju_zero(c->d->qacc, c->nv);
        mj_inverse(c->m, c->d);
        mj_rnePostConstraint(c->m, c->d);
        take_pose(c);
        take_jacobian(c);
        take_motion(c);
        compare_mass(c);
        compare_bias(c);
        compare_constraints(c, rows);
    }
}

static void complain(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s\n", diag->message);
}

int main(int argc, char **argv) {
    static const char *const what[] = {"mass matrix", "bias",          "constraints",
                                       "velocities",  "accelerations", "tensors"};
    char error[1000] = "";
    compare c = {0};
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_sink sink = {complain, NULL};
    if (argc != 3 || !(c.m = mj_loadXML(argv[1], NULL, error, sizeof error))) {
        fprintf(stderr, "MuJoCo: %s\n", error);
        return 77;
    }
    if (gdyn_case_read(argv[2], &sink, &the_case) != GDYN_OK ||
        gdyn_case_instantiate(the_case, 0, NULL, &sink, &instance) != GDYN_OK)
        return 3;
    c.m->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT | mjDSBL_EQUALITY | mjDSBL_ACTUATION;
    c.d = mj_makeData(c.m);
    c.model = instance->model;
    c.state = gdyn_state_create(c.model);
    c.n = gdyn_model_coordinates(c.model);
    c.nv = c.m->nv;
    c.J = room((size_t)c.n * (size_t)c.nv);
    c.u = room((size_t)c.n);
    c.a = room((size_t)c.n);
    if (!c.state || !find_pieces(&c))
        return 1;
    run(&c);
    bool good = true;
    printf("%d bodies, %d freedoms:", gdyn_model_bodies(c.model), c.nv);
    for (int i = 0; i < 6; i++) {
        printf(" %s %.1e", what[i], c.worst[i]);
        good = good && c.worst[i] <= (i < 5 ? LIMIT : 1e-6);
    }
    printf("\n");
    return good ? 0 : 1;
}
