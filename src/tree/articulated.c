/* articulated.c - inverse dynamics and M^-1 of the tree, O(n) for each right-hand side.
 *
 * With X the shift of velocities from a body to one outboard of it, v_B = X v_P + S q', and I the
 * body's inertia,
 *
 *   inverse    a_B = X a_P + S q'',       w_B = I a_B - f_B + sum X^T w_outboard, tau = S^T w_B
 *   inertia    I^A = I + sum X^T (I^A - U D^-1 U^T) X outboard,   U = I^A S,   D = S^T U + rotors
 *   M^-1 tau   p_B = sum X^T (p + U D^-1 y) outboard,  y = tau - S^T p_B,
 *              q'' = D^-1 (y - U^T X a_P),  a_B = X a_P + S q''
 *
 * R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, sections 5 and 7. A rotor that
 * couples bodies in another way than the joints of the tree adds i w w^T to M:
 *
 *   (M + W i W^T)^-1 = M^-1 - Y (i^-1 + W^T Y)^-1 Y^T,   Y = M^-1 W. */
#include "tree/internal.h"

#include "linalg/dot.h"
#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* A joint's inertia is zero below this share of what is moved outboard of it: rounding of the
 * recursion. */
static const double MASSLESS = 1e-14;

/* --- one body --------------------------------------------------------------------------------- */

/* out = X in: velocity of the body from that of the body inboard. */
static void shift_out(const gdyn_tree_dynamics *d, int body, const double *in, double *out) {
    const double *r = d->pose->reach + 3 * body;
    double turned[3];
    /* planar: v + w x r, w */
    if (d->dim == 3) {
        double x = in[0] - in[2] * r[1], y = in[1] + in[2] * r[0];
        v3_set(out, x, y, in[2]);
        return;
    }
    v3_cross(turned, in + 3, r);
    v3_add(out, in, turned);
    v3_copy(out + 3, in + 3);
}

/* out += X^T in: wrench on the body inboard. */
static void shift_in(const gdyn_tree_dynamics *d, int body, const double *in, double *out) {
    const double *r = d->pose->reach + 3 * body;
    double moment[3];
    /* planar: f, m + r x f */
    if (d->dim == 3) {
        out[0] += in[0], out[1] += in[1], out[2] += in[2] + r[0] * in[1] - r[1] * in[0];
        return;
    }
    v3_cross(moment, r, in);
    v3_add(out, out, in);
    v3_add(out + 3, out + 3, in + 3);
    v3_add(out + 3, out + 3, moment);
}

/* out += I a of the body itself. */
static void add_inertia(const gdyn_tree_dynamics *d, int body, const double *a, double *out) {
    double mass = d->tree->model->machine->body[body].mass, turned[3];
    const double *I = d->inertia + 9 * body;
    if (d->dim == 3) {
        out[0] += mass * a[0], out[1] += mass * a[1], out[2] += I[8] * a[2];
        return;
    }
    v3_axpy(out, out, mass, a);
    m3_apply(turned, I, a + 3);
    v3_add(out + 3, out + 3, turned);
}

static void add_times(int n, double s, const double *a, double *out) {
    for (int i = 0; i < n; i++)
        out[i] += s * a[i];
}

/* --- Cholesky --------------------------------------------------------------------------------- */

int gdyn_tree_cholesky(int n, double *A, const double *sizes) {
    for (int j = 0; j < n; j++) {
        /* the pivot, judged by the size its inertia has before anything cancels */
        double pivot = A[j + n * j], size = sizes ? sizes[j] : fabs(pivot);
        for (int k = 0; k < j; k++)
            pivot -= A[j + n * k] * A[j + n * k];
        if (!(pivot > MASSLESS * size))
            return j;
        A[j + n * j] = sqrt(pivot);
        for (int i = j + 1; i < n; i++) {
            double sum = A[i + n * j];
            for (int k = 0; k < j; k++)
                sum -= A[i + n * k] * A[j + n * k];
            A[i + n * j] = sum / A[j + n * j];
        }
    }
    return -1;
}

/* --- inertias at a pose ----------------------------------------------------------------------- */

/* Inertia of one body: its tensor in ground axes, I as a matrix, mass and greatest moment. */
static void take_body(gdyn_tree_dynamics *d, int body) {
    const gdyn_model *model = d->tree->model;
    double *I = d->inertia + 9 * body, *IA = d->IA + d->dim * d->dim * body, half[9], turn[9];
    const double *R = d->state->R + 9 * body;
    if (d->dim == 3) {
        I[8] = model->inertia[body][8];
    } else { /* R I R^T, symmetric to the last bit */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                turn[3 * i + j] = R[3 * j + i];
        gdyn_m3_multiply(half, model->inertia[body], turn);
        gdyn_m3_multiply(I, R, half);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < i; j++)
                I[i + 3 * j] = I[j + 3 * i] = 0.5 * (I[i + 3 * j] + I[j + 3 * i]);
    }
    /* column by column */
    memset(IA, 0, (size_t)(d->dim * d->dim) * sizeof *IA);
    for (int j = 0; j < d->dim; j++) {
        double e[GDYN_TREE_DIM] = {0};
        e[j] = 1;
        add_inertia(d, body, e, IA + d->dim * j);
    }
    d->composite[2 * body] = model->machine->body[body].mass;
    d->composite[2 * body + 1] = fmax(I[8], d->dim == 3 ? 0 : fmax(I[0], I[4]));
}

/* Factor of the body's joint. */
static void factor_joint(gdyn_tree_dynamics *d, int body) {
    const gdyn_tree_body *b = &d->tree->body[body];
    int dim = d->dim;
    double *D = d->D + 36 * body, *IA = d->IA + dim * dim * body, size[6];
    for (int j = 0; j < b->count; j++) {
        /* U = I^A S; size: the inertia outboard before anything cancels */
        const double *S = d->S + dim * (b->first + j);
        double *U = d->U + dim * (b->first + j), v = 0, w = 0;
        for (int i = 0; i < dim; i++)
            U[i] = gdyn_dot(dim, IA + dim * i, S);
        for (int i = 0; i < dim; i++)
            *(i < (dim == 3 ? 2 : 3) ? &v : &w) += S[i] * S[i];
        size[j] = d->composite[2 * body] * v + d->composite[2 * body + 1] * w;
    }
    for (int j = 0; j < b->count; j++)
        for (int i = 0; i < b->count; i++)
            D[i + b->count * j] =
                gdyn_dot(dim, d->S + dim * (b->first + i), d->U + dim * (b->first + j));
    for (int r = d->coupling; r < d->rotors; r++)
        if (d->rotor[r].body == body) {
            double w[6];
            for (int j = 0; j < b->count; j++)
                w[j] = d->W[d->nq * r + b->first + j];
            for (int j = 0; j < b->count; j++)
                for (int i = 0; i < b->count; i++)
                    D[i + b->count * j] += d->rotor[r].inertia * w[i] * w[j];
        }
    /* the first joint without inertia is remembered */
    int at = gdyn_tree_cholesky(b->count, D, size);
    if (at >= 0 && d->condition.massless < 0)
        d->condition.massless = b->first + at;
}

/* Adds the body's articulated inertia, free in its joint, to that of the body inboard. */
static void hand_in(gdyn_tree_dynamics *d, int body) {
    const gdyn_tree_body *b = &d->tree->body[body];
    int dim = d->dim, p = b->inboard;
    double kept[36], half[36] = {0}, x[6];
    /* kept = I^A - U D^-1 U^T */
    memcpy(kept, d->IA + dim * dim * body, (size_t)(dim * dim) * sizeof *kept);
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < b->count; j++)
            x[j] = d->U[dim * (b->first + j) + i];
        gdyn_cholesky_solve(b->count, d->D + 36 * body, 1, x);
        for (int j = 0; j < b->count; j++)
            add_times(dim, -x[j], d->U + dim * (b->first + j), kept + dim * i);
    }
    for (int i = 0; i < dim; i++)
        shift_in(d, body, kept + dim * i, half + dim * i);
    for (int i = 0; i < dim; i++) {
        double row[6], sum[6] = {0};
        for (int j = 0; j < dim; j++)
            row[j] = half[dim * j + i];
        shift_in(d, body, row, sum);
        add_times(dim, 1, sum, d->IA + dim * dim * p + dim * i);
    }
    /* mass and moment of all that is moved, for sizes */
    const double *r = d->pose->reach + 3 * body;
    d->composite[2 * p] += d->composite[2 * body];
    d->composite[2 * p + 1] += d->composite[2 * body + 1] + d->composite[2 * body] * v3_dot(r, r);
}

static void apply_tree_inverse(gdyn_tree_dynamics *d, int count, double *X);

/* Factor of the coupling rotors' update. */
static void factor_coupling(gdyn_tree_dynamics *d) {
    size_t nq = (size_t)d->nq, c = (size_t)d->coupling;
    if (c == 0 || d->condition.massless >= 0)
        return;
    /* Y = M^-1 W of the tree without them */
    memcpy(d->Y, d->W, nq * c * sizeof *d->Y);
    apply_tree_inverse(d, d->coupling, d->Y);
    /* i^-1 + W^T Y */
    for (size_t j = 0; j < c; j++)
        for (size_t i = 0; i < c; i++)
            d->small[i + c * j] = gdyn_dot(d->nq, d->W + nq * i, d->Y + nq * j) +
                                  (i == j ? 1 / d->rotor[i].inertia : 0);
    gdyn_tree_cholesky(d->coupling, d->small, NULL);
}

void gdyn_tree_take_inertia(gdyn_tree_dynamics *d) {
    d->condition.massless = -1;
    /* what each body and rotor brings */
    static const int planar[] = {0, 1, 5}; /* the plane keeps vx, vy, wz */
    for (int c = 0; c < d->nq; c++)
        for (int j = 0; j < d->dim; j++)
            d->S[d->dim * c + j] = d->pose->S[6 * c + (d->dim == 3 ? planar[j] : j)];
    /* rows of rotors on q'; those of a joint of the tree hold its coordinates only */
    for (int r = 0; r < d->rotors; r++) {
        gdyn_tree_rotor *rotor = &d->rotor[r];
        gdyn_row_derivative(d->state, &d->tree->model->drive_row[rotor->drive], &rotor->row);
        gdyn_tree_row(d->pose, &rotor->row, d->W + (size_t)d->nq * (size_t)r);
    }
    for (int i = 0; i < d->tree->bodies; i++)
        take_body(d, i);
    /* inward: a body needs all that is outboard of it */
    for (int k = d->tree->bodies - 1; k >= 0; k--) {
        int body = d->tree->order[k];
        factor_joint(d, body);
        if (d->condition.massless >= 0)
            return;
        if (d->tree->body[body].inboard >= 0)
            hand_in(d, body);
    }
    factor_coupling(d);
}

/* --- M^-1 ------------------------------------------------------------------------------------- */

/* One column: tau becomes q''; p, a: working space (n each). */
static void apply_column(gdyn_tree_dynamics *d, double *tau, double *p, double *a) {
    int dim = d->dim;
    /* inward: y and the bias p + U D^-1 y */
    memset(p, 0, (size_t)d->n * sizeof *p);
    for (int k = d->tree->bodies - 1; k >= 0; k--) {
        int body = d->tree->order[k];
        const gdyn_tree_body *b = &d->tree->body[body];
        double x[6], *own = p + dim * body;
        for (int j = 0; j < b->count; j++)
            x[j] = tau[b->first + j] -= gdyn_dot(dim, d->S + dim * (b->first + j), own);
        if (b->inboard < 0)
            continue;
        gdyn_cholesky_solve(b->count, d->D + 36 * body, 1, x);
        for (int j = 0; j < b->count; j++)
            add_times(dim, x[j], d->U + dim * (b->first + j), own);
        shift_in(d, body, own, p + dim * b->inboard);
    }
    for (int k = 0; k < d->tree->bodies; k++) {
        int body = d->tree->order[k];
        const gdyn_tree_body *b = &d->tree->body[body];
        double *own = a + dim * body;
        memset(own, 0, (size_t)dim * sizeof *own);
        if (b->inboard >= 0)
            shift_out(d, body, a + dim * b->inboard, own);
        for (int j = 0; j < b->count; j++)
            tau[b->first + j] -= gdyn_dot(dim, d->U + dim * (b->first + j), own);
        gdyn_cholesky_solve(b->count, d->D + 36 * body, 1, tau + b->first);
        for (int j = 0; j < b->count; j++)
            add_times(dim, tau[b->first + j], d->S + dim * (b->first + j), own);
    }
}

/* M^-1 of the tree without coupling rotors, column by column. */
static void apply_tree_inverse(gdyn_tree_dynamics *d, int count, double *X) {
    for (int i = 0; i < count; i++)
        apply_column(d, X + (size_t)d->nq * (size_t)i, d->block, d->wrench);
}

gdyn_status gdyn_tree_mass_solve(gdyn_tree_dynamics *d, int count, double *X) {
    size_t nq = (size_t)d->nq;
    if (d->condition.massless >= 0)
        return GDYN_ERROR_NUMERIC;
    /* the tree, then x -= Y (i^-1 + W^T Y)^-1 W^T x for coupling rotors */
    apply_tree_inverse(d, count, X);
    for (int i = 0; i < count && d->coupling > 0; i++) {
        double *x = X + nq * (size_t)i, *y = d->extra;
        for (int j = 0; j < d->coupling; j++)
            y[j] = gdyn_dot(d->nq, d->W + nq * (size_t)j, x);
        gdyn_cholesky_solve(d->coupling, d->small, 1, y);
        for (int j = 0; j < d->coupling; j++)
            add_times(d->nq, -y[j], d->Y + nq * (size_t)j, x);
    }
    return GDYN_OK;
}

/* --- inverse dynamics ------------------------------------------------------------------------- */

/* Accelerations of all bodies, a (n per column). */
static void run_out(gdyn_tree_dynamics *d, int count, const gdyn_tree_load *load) {
    int dim = d->dim;
    for (int k = 0; k < d->tree->bodies; k++) {
        int body = d->tree->order[k];
        const gdyn_tree_body *b = &d->tree->body[body];
        for (int i = 0; i < count; i++) {
            double *a = d->block + (size_t)d->n * (size_t)i, *own = a + dim * body;
            /* a_B = X a_P + S q'' */
            memset(own, 0, (size_t)dim * sizeof *own);
            if (b->inboard >= 0)
                shift_out(d, body, a + dim * b->inboard, own);
            for (int c = b->first; load[i].qddot && c < b->first + b->count; c++)
                add_times(dim, load[i].qddot[c], d->S + dim * c, own);
        }
    }
    for (int i = 0; i < count; i++) /* J q'' -> u' */
        if (load[i].moving)
            add_times(d->n, 1, d->bias, d->block + (size_t)d->n * (size_t)i);
}

/* Wrenches of inertia and loads on the bodies, then inward. */
static void run_in(gdyn_tree_dynamics *d, int count, const gdyn_tree_load *load, double *tau) {
    int dim = d->dim;
    size_t n = (size_t)d->n;
    for (int i = 0; i < count; i++) {
        double *a = d->block + n * (size_t)i, *w = d->wrench + n * (size_t)i;
        /* gyroscopic terms, loads, rotors */
        for (int j = 0; j < d->n; j++)
            w[j] = (load[i].moving ? d->h[j] : 0) - (load[i].f ? load[i].f[j] : 0);
        for (int r = 0; r < d->rotors; r++)
            gdyn_row_add_force(d->state, &d->rotor[r].row,
                               d->rotor[r].inertia * gdyn_row_speed(d->state, &d->rotor[r].row, a),
                               w);
    }
    for (int k = d->tree->bodies - 1; k >= 0; k--) {
        int body = d->tree->order[k];
        const gdyn_tree_body *b = &d->tree->body[body];
        for (int i = 0; i < count; i++) {
            double *w = d->wrench + n * (size_t)i;
            /* w_B, its share on the joint's screws, and the rest inward */
            add_inertia(d, body, d->block + n * (size_t)i + dim * body, w + dim * body);
            for (int c = b->first; c < b->first + b->count; c++)
                tau[(size_t)d->nq * (size_t)i + (size_t)c] =
                    gdyn_dot(dim, d->S + dim * c, w + dim * body);
            if (b->inboard >= 0)
                shift_in(d, body, w + dim * body, w + dim * b->inboard);
        }
    }
}

void gdyn_tree_inverse(gdyn_tree_dynamics *d, int count, const gdyn_tree_load *load, double *tau) {
    for (int done = 0; done < count; done += GDYN_TREE_BLOCK) {
        /* a few columns at a time, so that a body is read once for all */
        int some = count - done < GDYN_TREE_BLOCK ? count - done : GDYN_TREE_BLOCK;
        run_out(d, some, load + done);
        run_in(d, some, load + done, tau + (size_t)d->nq * (size_t)done);
    }
}
