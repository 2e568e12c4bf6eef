/* row.c - value, derivative J and curvature gamma = J' u of a row.
 *
 * J is written once per kind, in arithmetic that carries the time derivative along (a vector and
 * its rate), so J and J' come from the same lines and cannot disagree. With x the points, s the
 * arms from the centres of gravity, d = x_a - x_b and rates of body-fixed vectors w x e:
 *
 *   ALONG     (e . d)' = e . v_a + (s_a x e) . w_a - e . v_b + (e x (x_a - r_b)) . w_b
 *   DISTANCE  |d|'     = n . d',  n = d / |d|
 *   DOT       (m . e)' = (m x e) . w_a + (e x m) . w_b
 *   TURN      angle'   = j . (w_a - w_b),  j = (x (x e - (m . e) k) + y (k x m)) / (x^2 + y^2),
 *                        x = k . m,  y = (k x m) . e
 *   DISC      (e . d)' + rho c / sqrt(1 - c^2) c',  c = m . e
 *   KNIFE     m . (velocity of a's point relative to b)
 *   ROLL      k . (velocity of the disc's lowest point relative to b), its arm from the disc's
 *             centre: q = -rho (e - c m) / sqrt(1 - c^2)
 */
#include "mech/row.h"

#include "base/pi.h"
#include "linalg/vec3.h"
#include "mech/state.h"

/* A scalar or vector with its time derivative. */
typedef struct ds {
    double v, d;
} ds;
typedef struct dv {
    double v[3], d[3];
} dv;

/* (a x b)' = a' x b + a x b' */
static dv cross(const dv *a, const dv *b) {
    dv c;
    double t[3];
    v3_cross(c.v, a->v, b->v), v3_cross(c.d, a->d, b->v), v3_cross(t, a->v, b->d);
    v3_add(c.d, c.d, t);
    return c;
}

static ds dot(const dv *a, const dv *b) {
    return (ds){v3_dot(a->v, b->v), v3_dot(a->d, b->v) + v3_dot(a->v, b->d)};
}

/* a + sign b, with its rate. */
static dv add(const dv *a, double sign, const dv *b) {
    dv c;
    v3_axpy(c.v, a->v, sign, b->v), v3_axpy(c.d, a->d, sign, b->d);
    return c;
}

/* s a, with its rate. */
static dv times(ds s, const dv *a) {
    dv c;
    v3_scale(c.v, s.v, a->v), v3_scale(c.d, s.v, a->d);
    v3_axpy(c.d, c.d, s.d, a->v);
    return c;
}

static dv negative(const dv *a) {
    return times((ds){-1.0, 0.0}, a);
}

static ds product(ds a, ds b) {
    return (ds){a.v * b.v, a.d * b.v + a.v * b.d};
}

static ds quotient(ds a, ds b) {
    double q = a.v / b.v;
    return (ds){q, (a.d - q * b.d) / b.v};
}

static ds square_root(ds a) {
    double r = sqrt(a.v);
    return (ds){r, 0.5 * a.d / r};
}

/* A body with its motion: zero rates when no velocity is asked for. */
typedef struct mover {
    double r[3], R[9], v[3], w[3];
} mover;

static void mover_of(const gdyn_state *state, int body, const double *u, mover *m) {
    gdyn_state_body(state, body, m->r, m->R);
    if (u)
        gdyn_state_twist(state, body, u, m->v, m->w);
    else
        v3_set(m->v, 0, 0, 0), v3_set(m->w, 0, 0, 0);
}

/* A vector fixed in the body turns with it. */
static dv fixed_vector(const mover *m, const double local[3]) {
    dv e;
    m3_apply(e.v, m->R, local);
    v3_cross(e.d, m->w, e.v);
    return e;
}

/* Its centre of gravity. */
static dv place(const mover *m) {
    dv x;
    v3_copy(x.v, m->r), v3_copy(x.d, m->v);
    return x;
}

static dv unit_axis(int axis) {
    dv e = {{0}, {0}};
    e.v[axis] = 1.0;
    return e;
}

/* Derivative with respect to the two bodies' velocities, with rates. */
typedef struct form {
    dv va, wa, vb, wb;
} form;

static const form no_form;

/* e . (velocity of x_a - velocity of x_b), the points moving with their bodies. */
static form relative_velocity(const dv *e, const dv *arm_a, const dv *arm_b) {
    form f;
    f.va = *e;
    f.wa = cross(arm_a, e);
    f.vb = negative(e);
    f.wb = cross(e, arm_b);
    return f;
}

/* n = d / |d|; without a length there is no direction. */
static form distance_form(const dv *d, const dv *arm_a, const dv *arm_b) {
    ds square = dot(d, d);
    if (square.v == 0.0)
        return no_form;
    dv n = times(quotient((ds){1.0, 0.0}, square_root(square)), d);
    return relative_velocity(&n, arm_a, arm_b);
}

/* (m . e)' = (m x e) . (w_a - w_b) */
static form dot_form(const dv *m, const dv *e) {
    form f = no_form;
    f.wa = cross(m, e);
    f.wb = negative(&f.wa);
    return f;
}

/* The angle of e about k, from m on: atan2 of both components, differentiated. */
static form turn_form(const dv *m, const dv *e, const dv *k) {
    dv side = cross(k, m);
    ds x = dot(k, m), y = dot(&side, e), c = dot(m, e);
    ds xx = product(x, x), yy = product(y, y), square = {xx.v + yy.v, xx.d + yy.d};
    if (square.v == 0.0)
        return no_form;
    /* dx, dy over x^2 + y^2 */
    dv xe = times(xx, e), ck = times(product(x, c), k), ys = times(y, &side);
    dv j = add(&xe, -1.0, &ck);
    j = add(&j, 1.0, &ys);
    form f = no_form;
    f.wa = times(quotient((ds){1.0, 0.0}, square), &j);
    f.wb = negative(&f.wa);
    return f;
}

/* sin of the angle between disc axis and plane normal, kept from zero (disc lying flat). */
static ds disc_sine(ds c) {
    ds square = {fmax(1.0 - c.v * c.v, 1e-12), -2.0 * c.v * c.d};
    return square_root(square);
}

/* The lowest point of a disc: its height changes with the tilt of its axis, too. */
static form disc_form(const dv *m, const dv *e, double radius, const form *contact) {
    ds c = dot(m, e), slope = quotient(product((ds){radius, 0.0}, c), disc_sine(c));
    form f = *contact, tilt = dot_form(m, e);
    dv wa = times(slope, &tilt.wa), wb = times(slope, &tilt.wb);
    f.wa = add(&f.wa, 1.0, &wa), f.wb = add(&f.wb, 1.0, &wb);
    return f;
}

/* A force and a torque on body a, in its own axes or in the ground's. */
static form wrench_form(const mover *a, const gdyn_row *row, const dv *arm) {
    dv force = {{0}, {0}}, torque = {{0}, {0}};
    if (row->in_body)
        force = fixed_vector(a, row->m), torque = fixed_vector(a, row->f);
    else
        v3_copy(force.v, row->m), v3_copy(torque.v, row->f);
    form f = no_form;
    f.va = force;
    f.wa = cross(arm, &force);
    f.wa = add(&f.wa, 1.0, &torque);
    return f;
}

/* Rows of angles only: DOT, TURN, ORIENT. */
static form angular_form(const mover *a, const mover *b, const gdyn_row *row) {
    form f = no_form;
    if (row->kind == GDYN_ROW_ORIENT) {
        f.wa = unit_axis(row->axis);
        return f;
    }
    dv m = fixed_vector(a, row->m), e = fixed_vector(b, row->e);
    if (row->kind == GDYN_ROW_DOT)
        return dot_form(&m, &e);
    dv k = fixed_vector(b, row->k);
    return turn_form(&m, &e, &k);
}

/* Rows of a disc on a plane: DISC, ROLL; arm_a: its centre in a, reach: the centre from b. */
static form contact_form(const mover *a, const mover *b, const gdyn_row *row, const dv *arm_a,
                         const dv *reach) {
    dv e = fixed_vector(b, row->e), m = fixed_vector(a, row->m);
    if (row->kind == GDYN_ROW_DISC) {
        /* the height of the centre, and of the contact below it */
        form f = relative_velocity(&e, arm_a, reach);
        return disc_form(&m, &e, row->radius, &f);
    }
    /* the velocity of the contact along k */
    ds c = dot(&m, &e);
    dv k = fixed_vector(b, row->k), along = times(c, &m), down = add(&along, -1.0, &e);
    dv q = times(quotient((ds){row->radius, 0.0}, disc_sine(c)), &down); /* to the lowest point */
    dv low = add(arm_a, 1.0, &q), low_b = add(reach, 1.0, &q);
    return relative_velocity(&k, &low, &low_b);
}

/* Rows of points: the others but SUM. */
static form point_form(const mover *a, const mover *b, const gdyn_row *row) {
    dv arm_a = fixed_vector(a, row->sa), arm_b = fixed_vector(b, row->sb), e;
    if (row->kind == GDYN_ROW_WRENCH)
        return wrench_form(a, row, &arm_a);
    /* arms from both centres to the point of a */
    dv ra = place(a), rb = place(b), xa = add(&ra, 1.0, &arm_a), reach = add(&xa, -1.0, &rb);
    dv d = add(&reach, -1.0, &arm_b);
    switch (row->kind) {
    case GDYN_ROW_POINT:
        e = unit_axis(row->axis);
        return relative_velocity(&e, &arm_a, &arm_b);
    case GDYN_ROW_ALONG:
        e = fixed_vector(b, row->e);
        return relative_velocity(&e, &arm_a, &reach);
    case GDYN_ROW_DISTANCE:
        return distance_form(&d, &arm_a, &arm_b);
    case GDYN_ROW_KNIFE:
        e = fixed_vector(a, row->m);
        return relative_velocity(&e, &arm_a, &reach);
    default:
        return contact_form(a, b, row, &arm_a, &reach);
    }
}

/* Angles alone, or points and angles. */
static form row_form(const gdyn_state *state, const gdyn_row *row, const double *u) {
    mover a, b;
    mover_of(state, row->a, u, &a), mover_of(state, row->b, u, &b);
    bool angular =
        row->kind == GDYN_ROW_DOT || row->kind == GDYN_ROW_TURN || row->kind == GDYN_ROW_ORIENT;
    return angular ? angular_form(&a, &b, row) : point_form(&a, &b, row);
}

/* Adds a body's part; a row may meet the same body twice. */
static void accumulate(gdyn_row_jacobian *jacobian, int body, double weight, const double v[3],
                       const double w[3]) {
    if (body == GDYN_GROUND)
        return;
    int i = 0;
    while (i < jacobian->count && jacobian->body[i] != body)
        i++;
    if (i == jacobian->count) {
        jacobian->count++;
        jacobian->body[i] = body;
        memset(jacobian->J[i], 0, sizeof jacobian->J[i]);
    }
    v3_axpy(jacobian->J[i], jacobian->J[i], weight, v);
    v3_axpy(jacobian->J[i] + 3, jacobian->J[i] + 3, weight, w);
}

/* Sums of rows are sums of their parts. */
static void gather(const gdyn_state *state, const gdyn_row *row, double weight,
                   gdyn_row_jacobian *jacobian) {
    if (row->kind == GDYN_ROW_SUM) {
        gather(state, row->first, weight, jacobian);
        gather(state, row->second, weight * row->weight, jacobian);
        return;
    }
    form f = row_form(state, row, NULL);
    accumulate(jacobian, row->a, weight, f.va.v, f.wa.v);
    accumulate(jacobian, row->b, weight, f.vb.v, f.wb.v);
}

/* J'[u] v: the rates of the row's form, along another velocity. */
double gdyn_row_rate(const gdyn_state *state, const gdyn_row *row, const double *u,
                     const double *along) {
    if (row->kind == GDYN_ROW_SUM)
        return gdyn_row_rate(state, row->first, u, along) +
               row->weight * gdyn_row_rate(state, row->second, u, along);
    form f = row_form(state, row, u);
    double v[3], w[3], sum;
    /* both bodies' parts */
    gdyn_state_twist(state, row->a, along, v, w);
    sum = v3_dot(f.va.d, v) + v3_dot(f.wa.d, w);
    gdyn_state_twist(state, row->b, along, v, w);
    return sum + v3_dot(f.vb.d, v) + v3_dot(f.wb.d, w);
}

double gdyn_row_curvature(const gdyn_state *state, const gdyn_row *row, const double *u) {
    return gdyn_row_rate(state, row, u, u);
}

/* d = x_a - x_b */
static void separation(const gdyn_state *state, const gdyn_row *row, double d[3]) {
    double arm[3];
    gdyn_state_vector(state, row->a, row->sa, d);
    if (row->a != GDYN_GROUND)
        v3_add(d, d, state->r + 3 * row->a);
    gdyn_state_vector(state, row->b, row->sb, arm);
    v3_sub(d, d, arm);
    if (row->b != GDYN_GROUND)
        v3_sub(d, d, state->r + 3 * row->b);
}

/* m . e */
static double cosine(const gdyn_state *state, const gdyn_row *row) {
    double m[3], e[3];
    gdyn_state_vector(state, row->a, row->m, m);
    gdyn_state_vector(state, row->b, row->e, e);
    return v3_dot(m, e);
}

/* e . d */
static double reach_along(const gdyn_state *state, const gdyn_row *row) {
    double d[3], e[3];
    separation(state, row, d);
    gdyn_state_vector(state, row->b, row->e, e);
    return v3_dot(e, d);
}

/* Phi of the row; velocities alone have no value. */
double gdyn_row_value(const gdyn_state *state, const gdyn_row *row) {
    double d[3], e[3], k[3], m[3];
    switch (row->kind) {
    case GDYN_ROW_SUM:
        return gdyn_row_value(state, row->first) + row->weight * gdyn_row_value(state, row->second);
    case GDYN_ROW_POINT:
        separation(state, row, d);
        return d[row->axis];
    case GDYN_ROW_ALONG:
        return reach_along(state, row);
    case GDYN_ROW_DISTANCE:
        separation(state, row, d);
        return v3_norm(d);
    case GDYN_ROW_DOT:
        return cosine(state, row);
    case GDYN_ROW_TURN:
        gdyn_state_vector(state, row->a, row->m, m);
        gdyn_state_vector(state, row->b, row->e, e);
        gdyn_state_vector(state, row->b, row->k, k);
        /* the angle, counted over whole turns where the joint counts them */
        double side[3];
        v3_cross(side, k, m);
        double angle = atan2(v3_dot(side, e), v3_dot(k, m));
        if (row->turn < 0)
            return angle;
        const double full = 2.0 * GDYN_PI;
        return angle + full * round((state->turn[row->turn] - angle) / full);
    case GDYN_ROW_ORIENT: {
        double r[3], R[9];
        gdyn_state_body(state, row->a, r, R);
        /* log(R_a R_t^T): the error of an orientation as a rotation vector. */
        double error[9], transposed[9], w[3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                transposed[3 * i + j] = row->frame[3 * j + i];
        gdyn_m3_multiply(error, R, transposed);
        gdyn_rotation_log(error, w);
        return w[row->axis];
    }
    case GDYN_ROW_DISC:
        return reach_along(state, row) - row->radius * disc_sine((ds){cosine(state, row), 0.0}).v;
    default:
        return 0.0;
    }
}

/* --- J without its rate, of the kinds that are evaluated most -------------------------------- */

/* Both bodies of a row: their parts of J, to be filled. */
static void open_jacobian(const gdyn_row *row, gdyn_row_jacobian *jacobian, double *parts[2]) {
    jacobian->count = 0;
    parts[0] = parts[1] = jacobian->J[GDYN_ROW_BODIES - 1]; /* the ground's part is not kept */
    if (row->a != GDYN_GROUND) {
        parts[0] = jacobian->J[jacobian->count];
        jacobian->body[jacobian->count++] = row->a;
    }
    if (row->b != GDYN_GROUND) {
        parts[1] = jacobian->J[jacobian->count];
        jacobian->body[jacobian->count++] = row->b;
    }
}

/* relative_velocity of a constant e, the arms at both bodies. */
static void put_pair(const gdyn_row *row, const double e[3], const double arm_a[3],
                     const double arm_b[3], gdyn_row_jacobian *jacobian) {
    double *part[2];
    open_jacobian(row, jacobian, part);
    v3_scale(part[1], -1, e);
    v3_cross(part[1] + 3, e, arm_b);
    v3_copy(part[0], e);
    v3_cross(part[0] + 3, arm_a, e);
}

/* J of angles: w on a's rotation, its opposite on b's. */
static void put_turn(const gdyn_row *row, const double w[3], gdyn_row_jacobian *jacobian) {
    double *part[2];
    open_jacobian(row, jacobian, part);
    v3_set(part[1], 0, 0, 0);
    v3_scale(part[1] + 3, -1, w);
    v3_set(part[0], 0, 0, 0);
    v3_copy(part[0] + 3, w);
}

/* J of points with constant direction: the force e at both arms. */
static bool plain_point(const gdyn_state *state, const gdyn_row *row, gdyn_row_jacobian *jacobian) {
    double e[3] = {0, 0, 0}, arm_a[3], arm_b[3], d[3];
    gdyn_state_vector(state, row->a, row->sa, arm_a);
    gdyn_state_vector(state, row->b, row->sb, arm_b);
    if (row->kind == GDYN_ROW_POINT) {
        e[row->axis] = 1;
        put_pair(row, e, arm_a, arm_b, jacobian);
        return true;
    }
    separation(state, row, d);
    if (row->kind == GDYN_ROW_ALONG) {
        gdyn_state_vector(state, row->b, row->e, e);
        v3_add(arm_b, arm_b, d);
    } else {
        double length = v3_norm(d);
        if (length == 0)
            return false;
        /* along the connecting line */
        v3_scale(e, 1 / length, d);
    }
    put_pair(row, e, arm_a, arm_b, jacobian);
    return true;
}

/* J by the formulas above with all rates left out; false: the kind has no such form. */
static bool plain_derivative(const gdyn_state *state, const gdyn_row *row,
                             gdyn_row_jacobian *jacobian) {
    double m[3], e[3];
    if (row->a == row->b)
        return false;
    switch (row->kind) {
    case GDYN_ROW_POINT:
    case GDYN_ROW_ALONG:
    case GDYN_ROW_DISTANCE:
        return plain_point(state, row, jacobian);
    case GDYN_ROW_DOT:
        gdyn_state_vector(state, row->a, row->m, m);
        gdyn_state_vector(state, row->b, row->e, e);
        v3_cross(m, m, e);
        put_turn(row, m, jacobian);
        return true;
    case GDYN_ROW_TURN: /* in the plane all axes agree */
        if (state->model->per_body == 3)
            put_turn(row, row->e, jacobian);
        return state->model->per_body == 3;
    case GDYN_ROW_ORIENT:
        v3_set(e, 0, 0, 0);
        e[row->axis] = 1;
        put_turn(row, e, jacobian);
        return row->b == GDYN_GROUND;
    default:
        return false;
    }
}

/* J, in the plain form where the kind has one. */
void gdyn_row_derivative(const gdyn_state *state, const gdyn_row *row,
                         gdyn_row_jacobian *jacobian) {
    if (plain_derivative(state, row, jacobian))
        return;
    jacobian->count = 0;
    gather(state, row, 1.0, jacobian);
}

/* The components of J that exist in the machine's space. */
static const int planar_component[3] = {0, 1, 5};
static const int spatial_component[6] = {0, 1, 2, 3, 4, 5};

/* Into a row of C, in the coordinates of its bodies. */
void gdyn_row_scatter(const gdyn_state *state, const gdyn_row_jacobian *jacobian, double scale,
                      double *C, int ld, int index) {
    int per_body = state->model->per_body;
    const int *component = per_body == 3 ? planar_component : spatial_component;
    for (int i = 0; i < jacobian->count; i++) {
        int first = gdyn_state_offset(state, jacobian->body[i]);
        for (int j = 0; j < per_body; j++)
            C[index + (size_t)ld * (size_t)(first + j)] += scale * jacobian->J[i][component[j]];
    }
}

void gdyn_row_add_force(const gdyn_state *state, const gdyn_row_jacobian *jacobian, double scale,
                        double *f) {
    bool planar = state->model->per_body == 3;
    for (int i = 0; i < jacobian->count; i++) {
        const double *J = jacobian->J[i];
        double *own = f + gdyn_state_offset(state, jacobian->body[i]);
        if (planar) {
            own[0] += scale * J[0], own[1] += scale * J[1], own[2] += scale * J[5];
            continue;
        }
        v3_axpy(own, own, scale, J);
        v3_axpy(own + 3, own + 3, scale, J + 3);
    }
}

double gdyn_row_speed(const gdyn_state *state, const gdyn_row_jacobian *jacobian, const double *u) {
    bool planar = state->model->per_body == 3;
    double speed = 0.0;
    for (int i = 0; i < jacobian->count; i++) {
        const double *J = jacobian->J[i], *own = u + gdyn_state_offset(state, jacobian->body[i]);
        if (planar)
            speed += J[0] * own[0] + J[1] * own[1] + J[5] * own[2];
        else
            speed += J[0] * own[0] + J[1] * own[1] + J[2] * own[2] + J[3] * own[3] + J[4] * own[4] +
                     J[5] * own[5];
    }
    return speed;
}
