/* state.c - poses of the bodies: rotation matrices as truth, Cardan angles in charts as the user's
 * coordinates. A chart is changed when |phi_y| passes 60 deg, far from the singularity. */
#include "mech/state.h"

#include "base/pi.h"
#include "linalg/vec3.h"
#include "mech/row.h"

static const double chart_limit = 1.0471975511965976; /* 60 deg */

/* --- making and copying ---------------------------------------------------------------------- */

/* One block: positions, rotations, angles, turns. */
static gdyn_state *make(const gdyn_model *model) {
    size_t bodies = (size_t)model->machine->bodies, turns = (size_t)model->turns;
    size_t doubles = bodies * (3 + 9 + 3) + turns;
    gdyn_state *state = gdyn_alloc(1, sizeof *state + doubles * sizeof(double));
    if (!state)
        return NULL;
    state->model = model;
    state->r = (double *)(state + 1);
    state->R = state->r + 3 * bodies;
    state->cardan = state->R + 9 * bodies, state->chart = model->upright;
    state->turn = state->cardan + 3 * bodies;
    return state;
}

gdyn_state *gdyn_state_create(const gdyn_model *model) {
    gdyn_state *state = make(model);
    if (state)
        gdyn_state_guess(state);
    return state;
}

gdyn_state *gdyn_state_clone(const gdyn_state *state) {
    gdyn_state *clone = make(state->model);
    if (clone)
        gdyn_state_copy(clone, state);
    return clone;
}

static void release_charts(gdyn_charts *charts) {
    if (charts && atomic_fetch_sub(&charts->users, 1) == 1)
        gdyn_free(charts);
}

void gdyn_state_destroy(gdyn_state *state) {
    if (state)
        release_charts(state->charts);
    gdyn_free(state);
}

const gdyn_model *gdyn_state_model(const gdyn_state *state) {
    return state->model;
}

void gdyn_state_take_charts(gdyn_state *to, const gdyn_state *from) {
    if (to->charts == from->charts)
        return;
    if (from->charts)
        atomic_fetch_add(&from->charts->users, 1);
    release_charts(to->charts);
    to->charts = from->charts;
    to->chart = to->charts ? to->charts->A : to->model->upright;
}

/* Charts of this state alone; false: memory, and it keeps those it has, which hold up to 90 deg. */
static bool own_charts(gdyn_state *state) {
    size_t doubles = 9 * (size_t)state->model->machine->bodies;
    if (state->charts && atomic_load(&state->charts->users) == 1)
        return true;
    gdyn_charts *own = gdyn_alloc(1, sizeof *own + doubles * sizeof(double));
    if (!own)
        return false;
    atomic_init(&own->users, 1);
    memcpy(own->A, state->chart, doubles * sizeof(double));
    release_charts(state->charts);
    state->charts = own, state->chart = own->A;
    return true;
}

/* A body's chart; false: memory. */
static bool set_chart(gdyn_state *state, int body, const double A[9]) {
    if (memcmp(state->chart + 9 * body, A, 9 * sizeof *A) == 0)
        return true;
    if (!own_charts(state))
        return false;
    memcpy(state->charts->A + 9 * body, A, 9 * sizeof *A);
    return true;
}

/* Same model: the block is copied as a whole. */
void gdyn_state_copy(gdyn_state *to, const gdyn_state *from) {
    size_t bodies = (size_t)from->model->machine->bodies, turns = (size_t)from->model->turns;
    memcpy(to->r, from->r, (bodies * 15 + turns) * sizeof(double));
    gdyn_state_take_charts(to, from);
    to->time = from->time, to->turned = from->turned;
}

bool gdyn_state_near(const gdyn_state *a, const gdyn_state *b, double tolerance) {
    double L = gdyn_model_length(a->model);
    for (int i = 0; i < gdyn_model_bodies(a->model); i++) {
        double ra[3], rb[3], Ra[9], Rb[9], w[3];
        gdyn_state_body(a, i, ra, Ra), gdyn_state_body(b, i, rb, Rb);
        v3_sub(ra, ra, rb);
        gdyn_m3_multiply_tn(Ra, Ra, Rb);
        gdyn_rotation_log(Ra, w);
        if (v3_norm(ra) > tolerance * L || v3_norm(w) > tolerance)
            return false;
    }
    return true;
}

bool gdyn_state_same_pose(const gdyn_state *a, const gdyn_state *b) {
    size_t bodies = (size_t)a->model->machine->bodies; /* r and R lie side by side */
    return a->model == b->model && memcmp(a->r, b->r, bodies * 12 * sizeof *a->r) == 0;
}

/* The multiple of a full turn added to `angle` that brings it nearest to `near`. */
static double unwrap(double angle, double near) {
    const double full = 2.0 * GDYN_PI;
    return fabs(near - angle) < GDYN_PI ? angle : angle + full * round((near - angle) / full);
}

/* The angles of R in the body's chart, with the whole turns of those that were taken last. */
static void angles_near(const gdyn_state *state, int body, double angles[3]) {
    const double *R = state->R + 9 * body, *last = state->cardan + 3 * body;
    double local[9];
    if (state->model->per_body == 3) {
        v3_set(angles, last[0], last[1], unwrap(atan2(R[1], R[0]), last[2]));
        return;
    }
    gdyn_m3_multiply_tn(local, state->chart + 9 * body, R);
    gdyn_rotation_to_cardan(local, angles);
    angles[0] = unwrap(angles[0], last[0]), angles[2] = unwrap(angles[2], last[2]);
}

/* Angles of a body in its chart, near those that were taken last. */
static void state_cardan(const gdyn_state *state, int body, double cardan[3]) {
    if (state->turned == 0.0)
        v3_copy(cardan, state->cardan + 3 * body);
    else
        angles_near(state, body, cardan);
}

/* Angles of a body from its rotation, in its chart, which is renewed when it gets steep. */
static void update_angles(gdyn_state *state, int body) {
    double angles[3];
    angles_near(state, body, angles);
    /* away from the steep place of Cardan angles */
    bool steep = state->model->per_body == 6 && fabs(angles[1]) > chart_limit;
    if (steep && set_chart(state, body, state->R + 9 * body))
        v3_set(angles, 0, 0, 0);
    v3_copy(state->cardan + 3 * body, angles);
}

/* R = chart times the rotation of the angles. */
static void rotation_from_angles(gdyn_state *state, int body) {
    double local[9];
    gdyn_rotation_from_cardan(local, state->cardan + 3 * body);
    gdyn_m3_multiply(state->R + 9 * body, state->chart + 9 * body, local);
}

/* The first guess of every body. */
void gdyn_state_guess(gdyn_state *state) {
    const gdyn_model *model = state->model;
    int bodies = model->machine->bodies;
    memcpy(state->r, model->guess_r, 3 * (size_t)bodies * sizeof(double));
    memcpy(state->R, model->guess_R, 9 * (size_t)bodies * sizeof(double));
    release_charts(state->charts);
    state->charts = NULL, state->chart = model->upright;
    for (int i = 0; i < bodies; i++) {
        v3_set(state->cardan + 3 * i, 0, 0, 0);
        if (model->per_body == 3)
            state->cardan[3 * i + 2] = model->machine->body[i].pose_points == 2
                                           ? atan2(state->R[9 * i + 1], state->R[9 * i])
                                           : model->machine->body[i].cardan[2];
        else
            update_angles(state, i);
    }
    state->time = state->turned = 0.0;
    memcpy(state->turn, model->guess_turn, (size_t)model->turns * sizeof(double));
    gdyn_state_accept(state);
}

void gdyn_state_become_guess(const gdyn_state *state, gdyn_model *model) {
    size_t bodies = (size_t)model->machine->bodies;
    memcpy(model->guess_r, state->r, 3 * bodies * sizeof(double));
    memcpy(model->guess_R, state->R, 9 * bodies * sizeof(double));
    memcpy(model->guess_turn, state->turn, (size_t)model->turns * sizeof(double));
    for (size_t i = 0; i < bodies && model->per_body == 3; i++) {
        model->machine->body[i].pose_points = 0;
        model->machine->body[i].cardan[2] = state->cardan[3 * i + 2];
    }
}

/* Every body displaced by its own translation and rotation. */
void gdyn_state_move(gdyn_state *state, const double *du) {
    const gdyn_model *model = state->model;
    if (state->turned > 0.0)
        gdyn_state_take_angles(state);
    for (int i = 0; i < model->machine->bodies; i++) {
        const double *d = du + model->per_body * i;
        double *r = state->r + 3 * i, *R = state->R + 9 * i, turn[9];
        /* translation, then rotation from the left, in ground axes */
        r[0] += d[0], r[1] += d[1];
        if (model->per_body == 3) {
            state->cardan[3 * i + 2] += d[2];
            rotation_from_angles(state, i);
            continue;
        }
        r[2] += d[2];
        gdyn_rotation_exp(turn, d + 3);
        gdyn_m3_multiply(R, turn, R);
        gdyn_rotation_orthonormalize(R);
        update_angles(state, i);
    }
}

/* Angles from rotations that were set elsewhere. */
void gdyn_state_take_angles(gdyn_state *state) {
    for (int i = 0; i < state->model->machine->bodies; i++)
        update_angles(state, i);
    state->turned = 0.0;
}

/* Bodies that turn farther have their angles taken: Cardan angles stay clear of their singular
 * place, and the nearest full turn is beyond doubt for bodies and for joints, whose angles turn by
 * no more than both their bodies do. */
static const double SLIGHT_TURN = 0.25;

void gdyn_state_move_on(gdyn_state *to, const gdyn_state *from, const gdyn_state *places,
                        double turned) {
    size_t bodies = (size_t)to->model->machine->bodies, turns = (size_t)to->model->turns;
    memcpy(to->r, places->r, bodies * 12 * sizeof *to->r);                  /* r, then R */
    memcpy(to->cardan, from->cardan, (bodies * 3 + turns) * sizeof *to->r); /* and turns */
    gdyn_state_take_charts(to, from);
    to->time = from->time, to->turned = from->turned + turned;
    if (!(to->turned <= SLIGHT_TURN))
        gdyn_state_take_angles(to);
}

/* Turns up to here are counted by the nearest angle; a rotation agrees with its prediction up to
 * there. */
static const double NEAREST = 1, AGREES = 1.5;

/* Angles of a body after the rotation vector w from another pose, in short parts. */
static bool turn_angles(gdyn_state *to, const gdyn_state *from, int body, const double w[3]) {
    double *R = to->R + 9 * body, end[9], part[9], off[3], angle = v3_norm(w);
    int parts = 1 + (int)angle;
    memcpy(end, R, sizeof end);
    memcpy(R, from->R + 9 * body, sizeof end);
    if (set_chart(to, body, from->chart + 9 * body))
        state_cardan(from, body, to->cardan + 3 * body);
    v3_scale(off, 1.0 / parts, w);
    gdyn_rotation_exp(part, off);
    for (int i = 0; i < parts; i++) {
        gdyn_m3_multiply(R, part, R);
        update_angles(to, body);
    }
    /* what the prediction misses */
    gdyn_m3_multiply_tn(part, R, end);
    gdyn_rotation_log(part, off);
    memcpy(R, end, sizeof end);
    update_angles(to, body);
    return v3_norm(off) < AGREES;
}

bool gdyn_state_count_turns(gdyn_state *to, const gdyn_state *from, const double *du) {
    const gdyn_model *model = to->model;
    bool agrees = true, far = false;
    for (int i = 0; i < model->machine->bodies; i++) {
        const double *d = du + model->per_body * i;
        double *angle = to->cardan + 3 * i + 2, before[3];
        if (model->per_body == 6 && v3_dot(d + 3, d + 3) > NEAREST * NEAREST) {
            far = true;
            agrees = turn_angles(to, from, i, d + 3) && agrees;
        } else if (model->per_body == 3 && fabs(d[2]) > NEAREST) {
            far = true;
            state_cardan(from, i, before);
            *angle = unwrap(*angle, before[2] + d[2]);
            agrees = agrees && fabs(*angle - before[2] - d[2]) < AGREES;
        }
    }
    if (far && to->turned > 0.0)
        gdyn_state_take_angles(to);
    for (int i = 0; far && i < model->turn_rows; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(from, &model->turn_row[i], &jacobian);
        double turn = gdyn_row_speed(from, &jacobian, du);
        to->turn[model->turn_row[i].turn] += fabs(turn) > NEAREST ? turn : 0;
    }
    return agrees;
}

/* Whole turns are counted from accepted poses only. Counts of a pose from which the bodies turned
 * little hold still. */
void gdyn_state_accept(gdyn_state *state) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    if (state->turned > 0.0)
        return;
    for (int i = 0; i < model->turn_rows; i++)
        state->turn[model->turn_row[i].turn] = gdyn_row_value(state, &model->turn_row[i]);
    for (int i = 0; i < machine->bodies; i++)
        state->turn[2 * machine->joints + i] = state->cardan[3 * i + 2];
}

/* Positions and Cardan angles, body by body. */
void gdyn_state_z(const gdyn_state *state, double *z) {
    for (int i = 0; i < state->model->machine->bodies; i++) {
        const double *r = state->r + 3 * i;
        double *zi = z + gdyn_state_offset(state, i), c[3];
        state_cardan(state, i, c);
        zi[0] = r[0], zi[1] = r[1];
        if (state->model->per_body == 3) {
            zi[2] = c[2];
        } else {
            zi[2] = r[2];
            v3_copy(zi + 3, c);
        }
    }
}

/* The reverse: rotations follow from the angles. */
void gdyn_state_set_z(gdyn_state *state, const double *z) {
    for (int i = 0; i < state->model->machine->bodies; i++) {
        double *r = state->r + 3 * i, *c = state->cardan + 3 * i;
        const double *zi = z + gdyn_state_offset(state, i);
        r[0] = zi[0], r[1] = zi[1];
        if (state->model->per_body == 3) {
            c[2] = zi[2];
        } else {
            r[2] = zi[2];
            v3_copy(c, zi + 3);
        }
        rotation_from_angles(state, i);
    }
    state->turned = 0.0;
}

int gdyn_state_numbers(const gdyn_model *model) {
    return 12 * model->machine->bodies + model->turns;
}

void gdyn_state_save(const gdyn_state *state, double *numbers) {
    size_t places = 12 * (size_t)state->model->machine->bodies;
    memcpy(numbers, state->r, places * sizeof *numbers); /* r, then R */
    memcpy(numbers + places, state->turn, (size_t)state->model->turns * sizeof *numbers);
}

void gdyn_state_load(gdyn_state *state, const double *numbers) {
    int bodies = state->model->machine->bodies, joints = state->model->machine->joints;
    size_t places = 12 * (size_t)bodies;
    memcpy(state->r, numbers, places * sizeof *numbers);
    memcpy(state->turn, numbers + places, (size_t)state->model->turns * sizeof *numbers);
    for (int i = 0; i < bodies; i++)
        state->cardan[3 * i + 2] = state->turn[2 * joints + i];
    gdyn_state_take_angles(state);
}

/* A chart in which the body's angles are zero. */
void gdyn_state_rechart(gdyn_state *state, int body) {
    if (state->turned > 0.0)
        gdyn_state_take_angles(state);
    if (state->model->per_body == 6 && set_chart(state, body, state->R + 9 * body))
        v3_set(state->cardan + 3 * body, 0, 0, 0);
}

/* The ground stands at the origin. */
void gdyn_state_body(const gdyn_state *state, int body, double r[3], double R[9]) {
    if (body == GDYN_GROUND) {
        v3_set(r, 0, 0, 0);
        gdyn_m3_identity(R);
        return;
    }
    v3_copy(r, state->r + 3 * body);
    memcpy(R, state->R + 9 * body, 9 * sizeof *R);
}

/* Vector from a body's centre of gravity to an anchor, ground axes. */
static void arm(const gdyn_state *state, const gdyn_anchor *anchor, double s[3]) {
    v3_sub(s, anchor->at, state->model->machine->body[anchor->body].com);
    m3_apply(s, state->R + 9 * anchor->body, s);
}

/* A point of a body or the ground, in the ground's frame. */
void gdyn_state_point(const gdyn_state *state, const gdyn_anchor *anchor, double x[3]) {
    if (anchor->body == GDYN_GROUND) {
        v3_copy(x, anchor->at);
        return;
    }
    arm(state, anchor, x);
    v3_add(x, x, state->r + 3 * anchor->body);
}

/* Velocity of the centre of gravity, and angular velocity. */
void gdyn_state_twist(const gdyn_state *state, int body, const double *u, double v[3],
                      double w[3]) {
    v3_set(v, 0, 0, 0), v3_set(w, 0, 0, 0);
    if (body == GDYN_GROUND)
        return;
    const double *ui = u + gdyn_state_offset(state, body);
    if (state->model->per_body == 3) {
        v3_set(v, ui[0], ui[1], 0);
        w[2] = ui[2];
    } else {
        v3_copy(v, ui), v3_copy(w, ui + 3);
    }
}

/* v + w x s. */
void gdyn_state_point_velocity(const gdyn_state *state, const gdyn_anchor *anchor, const double *u,
                               double v[3]) {
    double w[3], s[3];
    gdyn_state_twist(state, anchor->body, u, v, w);
    if (anchor->body == GDYN_GROUND)
        return;
    arm(state, anchor, s);
    v3_cross(s, w, s);
    v3_add(v, v, s);
}

void gdyn_state_set_time(gdyn_state *state, double t) {
    state->time = t;
}

double gdyn_state_time(const gdyn_state *state) {
    return state->time;
}
