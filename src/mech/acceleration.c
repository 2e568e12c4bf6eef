/* acceleration.c - second derivatives of rows along a motion, J u' + J' u.
 *
 * With a the acceleration of a point at the arm s, a = v' + w' x s + w x (w x s), vectors fixed in
 * a body likewise, and d = x_a - x_b:
 *
 *   ALONG     e'' . d + 2 e' . d' + e . d''
 *   DISTANCE  (d' . d' + d . d'' - |d|'^2) / |d|
 *   DOT       m'' . e + 2 m' . e' + m . e''
 *
 * Other kinds take J and its rate from row.c. */
#include "linalg/vec3.h"
#include "mech/row.h"
#include "mech/state.h"

/* A vector with its first and second derivatives. */
typedef struct jet3 {
    double x[3], v[3], a[3];
} jet3;

typedef struct moving {
    const double *r, *R; /* NULL: the ground */
    double v[3], w[3], dv[3], dw[3];
} moving;

/* Pose, velocity and acceleration of a body; the ground has none. */
static void moving_of(const gdyn_state *state, int body, const double *u, const double *udot,
                      moving *m) {
    if (body == GDYN_GROUND) {
        *m = (moving){.r = NULL};
        return;
    }
    m->r = state->r + 3 * body, m->R = state->R + 9 * body;
    gdyn_state_twist(state, body, u, m->v, m->w);
    gdyn_state_twist(state, body, udot, m->dv, m->dw);
}

/* A vector fixed in the body. */
static void fixed(const moving *m, const double local[3], jet3 *e) {
    double part[3];
    if (!m->R) {
        /* the ground: a constant */
        v3_copy(e->x, local);
        v3_set(e->v, 0, 0, 0), v3_set(e->a, 0, 0, 0);
        return;
    }
    /* e' = w x e, e'' = w' x e + w x e' */
    m3_apply(e->x, m->R, local);
    v3_cross(e->v, m->w, e->x);
    v3_cross(e->a, m->w, e->v);
    v3_cross(part, m->dw, e->x);
    v3_add(e->a, e->a, part);
}

/* sum += sign * (point at the arm s) */
static void add_point(const moving *m, double sign, const jet3 *s, jet3 *sum) {
    v3_axpy(sum->x, sum->x, sign, s->x);
    v3_axpy(sum->v, sum->v, sign, s->v);
    v3_axpy(sum->a, sum->a, sign, s->a);
    if (!m->r)
        return;
    /* the motion of the centre of gravity */
    v3_axpy(sum->x, sum->x, sign, m->r);
    v3_axpy(sum->v, sum->v, sign, m->v);
    v3_axpy(sum->a, sum->a, sign, m->dv);
}

static double product_second(const jet3 *a, const jet3 *b) {
    return v3_dot(a->a, b->x) + 2 * v3_dot(a->v, b->v) + v3_dot(a->x, b->a);
}

/* Rows of d = x_a - x_b: a component, a projection, the distance. */
static double point_row(const moving *a, const moving *b, const gdyn_row *row) {
    jet3 s, d = {{0}, {0}, {0}}, e;
    fixed(a, row->sa, &s);
    add_point(a, 1, &s, &d);
    fixed(b, row->sb, &s);
    add_point(b, -1, &s, &d);
    if (row->kind == GDYN_ROW_POINT)
        return d.a[row->axis];
    /* e . d, both moving */
    if (row->kind == GDYN_ROW_ALONG) {
        fixed(b, row->e, &e);
        return product_second(&e, &d);
    }
    /* |d|'' = (|d'|^2 + d d'' - (|d|')^2) / |d| */
    double length = v3_norm(d.x), rate = length > 0 ? v3_dot(d.x, d.v) / length : 0;
    if (length == 0) /* as in row.c */
        return 0;
    return (v3_dot(d.v, d.v) + v3_dot(d.x, d.a) - rate * rate) / length;
}

/* The second derivative of a row in one pass, without the cancellation of J u' + J' u. */
double gdyn_row_acceleration(const gdyn_state *state, const gdyn_row *row,
                             const gdyn_row_jacobian *J, const double *u, const double *udot) {
    moving a, b;
    jet3 m, e;
    bool angle =
        row->kind == GDYN_ROW_ORIENT || (row->kind == GDYN_ROW_TURN && state->model->per_body == 3);
    if (row->kind != GDYN_ROW_POINT && row->kind != GDYN_ROW_ALONG &&
        row->kind != GDYN_ROW_DISTANCE && row->kind != GDYN_ROW_DOT && !angle) {
        /* J u' + J' u, for kinds without a formula of their own */
        gdyn_row_jacobian own;
        if (!J)
            gdyn_row_derivative(state, row, &own);
        return gdyn_row_speed(state, J ? J : &own, udot) + gdyn_row_curvature(state, row, u);
    }
    moving_of(state, row->a, u, udot, &a), moving_of(state, row->b, u, udot, &b);
    switch (row->kind) {
    case GDYN_ROW_ORIENT:
        return a.dw[row->axis];
    case GDYN_ROW_TURN: /* in the plane all axes agree */
        return v3_dot(row->e, a.dw) - v3_dot(row->e, b.dw);
    case GDYN_ROW_DOT:
        fixed(&a, row->m, &m), fixed(&b, row->e, &e);
        return product_second(&m, &e);
    default:
        return point_row(&a, &b, row);
    }
}
