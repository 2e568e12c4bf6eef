/* step.c - integration in local coordinates.
 *
 * A step starts at a state and integrates the displacement theta from there, the velocities and the
 * works:
 *   theta' = dexp^-1(theta) omega for rotations R = exp(theta) R_start (ground axes), r' = v,
 *   u' = accelerations.
 * Poses are group elements, so no chart and no norm is in the way; between steps everything is
 * renewed. All is made unit-free by L, by the speed V of the machine and by its energy, so that one
 * tolerance fits all.
 *
 * GSL's evolution chooses steps by error; semi-implicit Euler (Gonzalez and Kovecses 2011, Eq. 1)
 * is our own:
 *   [M -C^T; C Cbar] (v+, h mu) = (M v + h f, wanted - Phi/(h + tau)),  q+ = q + h v+,
 *   Cbar = epsilon/(h (h + tau)): mu = -(Phi+ + tau Phi'+)/epsilon with Phi+ = Phi + h C v+. */
#include "simulate/internal.h"

#include "linalg/dot.h"
#include "linalg/vec3.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

struct gdyn_stepper {
    gdyn_arena *arena;
    gdyn_dynamics *d;
    gdyn_state *base, *trial;
    int size; /* 2 n + works */
    int places,
        f; /* minimal: independent coordinates and rates of the step, first in y and in y + n */
    double V, E; /* [m/s], [J] of the present step */
    /* time that shows what slow is: the duration, of long runs a hundred outputs [s] */
    double span;
    double h; /* step tried next */
    double *y, *error, *du, *u;
    /* n: velocities at the start of the step; y has their changes, so that all of y starts at zero:
     * GSL's Bulirsch-Stoer method fails where an entry is not zero but small */
    double *from;
    double *near, *low; /* size: for the Jacobian */
    long evaluations;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver; /* NULL: Euler */
};

static const gsl_odeiv2_step_type *type_of(gdyn_sim_integrator integrator) {
    switch (integrator) {
    case GDYN_SIM_RKF45:
        return gsl_odeiv2_step_rkf45;
    case GDYN_SIM_RK8PD:
        return gsl_odeiv2_step_rk8pd;
    case GDYN_SIM_RK4:
        return gsl_odeiv2_step_rk4;
    case GDYN_SIM_RK2:
        return gsl_odeiv2_step_rk2;
    case GDYN_SIM_IMPLICIT_GAUSS:
        return gsl_odeiv2_step_rk4imp;
    case GDYN_SIM_BULIRSCH_STOER:
        return gsl_odeiv2_step_bsimp;
    case GDYN_SIM_EULER:
    case GDYN_SIM_INTEGRATORS:
        break;
    }
    return NULL;
}

/* --- local coordinates ------------------------------------------------------------------------ */

/* theta' = omega - theta x omega / 2 + k theta x (theta x omega). */
static void turn_rate(const double theta[3], const double omega[3], double out[3]) {
    /* k = (1 - a/2 cot(a/2)) / a^2, by its series for small angles. */
    double once[3], twice[3], square = v3_dot(theta, theta), angle = sqrt(square);
    double k =
        angle > 1e-3 ? (1 - 0.5 * angle / tan(0.5 * angle)) / square : 1.0 / 12 + square / 720;
    v3_cross(once, theta, omega);
    v3_cross(twice, theta, once);
    for (int j = 0; j < 3; j++)
        out[j] = omega[j] - 0.5 * once[j] + k * twice[j];
}

/* Displacement and velocities that y stands for. */
static void unpack(const gdyn_stepper *s, const double *y, double *du, double *u) {
    const gdyn_dynamics *d = s->d;
    for (int j = 0; j < d->n; j++) {
        du[j] = y[j] * d->column[j] * d->L;
        u[j] = (s->from[j] + y[d->n + j]) * d->column[j] * s->V;
    }
}

static void displacement_rates(const gdyn_stepper *s, const double *du, const double *u,
                               double *dydt) {
    const gdyn_dynamics *d = s->d;
    int per = gdyn_model_space(d->model) == GDYN_PLANAR ? 3 : 6;
    for (int o = 0; o < d->n; o += per) {
        double rate[6];
        memcpy(rate, u + o, (size_t)per * sizeof *rate);
        if (per == 6)
            turn_rate(du + o + 3, u + o + 3, rate + 3);
        for (int j = 0; j < per; j++)
            dydt[o + j] = rate[j] / (d->column[o + j] * d->L);
    }
}

/* Powers of drives, motions, constraints, loads, friction at the solved state [W]. */
static void find_powers(const gdyn_dynamics *d, double power[GDYN_SIM_WORKS]) {
    double constraints = 0, motions = 0;
    bool moves = gdyn_model_motions(d->model) > 0;
    /* The power of all constraints: that of M x - f. */
    for (int j = 0; j < d->n; j++) {
        double sum = -d->f[j];
        for (int k = 0; k < d->n; k++)
            sum += d->M[j + (size_t)d->n * k] * d->x[k];
        constraints += sum * d->u[j];
    }
    /* Rigid constraints have power only through motions. Compliant ones store and dissipate energy:
     * a motion has the power of its multiplier at the prescribed rate, which is C u - rate. */
    if (moves && d->def->method != GDYN_SIM_COMPLIANCE)
        motions = constraints;
    for (int i = 0; moves && d->def->method == GDYN_SIM_COMPLIANCE && i < d->m; i++) {
        double prescribed = -d->rate[i];
        if (gdyn_model_row_motion(d->model, i) < 0)
            continue;
        for (int j = 0; j < d->n; j++)
            prescribed += d->C[i + (size_t)d->rows * j] * d->u[j];
        motions += d->mu[i] * prescribed;
    }
    power[0] = d->drive_power, power[1] = motions, power[2] = constraints - motions;
    power[3] = d->powers.loads, power[4] = d->powers.friction;
}

/* --- minimal equations: y holds displacements and rates of independent coordinates ------------ */

static void unpack_minimal(const gdyn_stepper *s, const double *y, double *dz, double *w) {
    for (int k = 0; k < s->places; k++)
        dz[k] = y[k] * gdyn_minimal_place_scale(s->d, k);
    for (int k = 0; k < s->f; k++)
        w[k] = (s->from[k] + y[s->d->n + k]) * gdyn_minimal_rate_scale(s->d, k) * s->V / s->d->L;
}

static bool minimal_rates(gdyn_stepper *s, double t, const double *y, double *dydt) {
    gdyn_dynamics *d = s->d;
    double *dz = s->du, *w = dz + d->n, *rate = w + d->n, *wdot = rate + d->n;
    /* Pose and velocities that these coordinates stand for. */
    unpack_minimal(s, y, dz, w);
    gdyn_state_copy(s->trial, s->base);
    gdyn_state_set_time(s->trial, t);
    if (!gdyn_minimal_place(d, dz, w, s->trial, s->u) ||
        !gdyn_minimal_rates(d, s->trial, s->u, dz, w, rate, wdot))
        return false;
    /* Only the first entries of each half are used. */
    memset(dydt, 0, 2 * (size_t)d->n * sizeof *dydt);
    for (int k = 0; k < s->places; k++)
        dydt[k] = rate[k] / gdyn_minimal_place_scale(d, k);
    for (int k = 0; k < s->f; k++)
        dydt[d->n + k] = wdot[k] * d->L / (gdyn_minimal_rate_scale(d, k) * s->V);
    return true;
}

static int derivative(double t, const double y[], double dydt[], void *context) {
    gdyn_stepper *s = context;
    gdyn_dynamics *d = s->d;
    double power[GDYN_SIM_WORKS];
    /* The method of joint coordinates: loops are closed in every evaluation. */
    if (GDYN_SIM_IN_TREE(d)) {
        s->evaluations++;
        if (!gdyn_all_finite(2 * d->n, 1, y, 2 * d->n) || !minimal_rates(s, t, y, dydt))
            return GSL_EDOM;
        find_powers(d, power);
        for (int k = 0; k < GDYN_SIM_WORKS; k++)
            dydt[2 * d->n + k] = power[k] / s->E;
        return GSL_SUCCESS;
    }
    /* In displacements of bodies. */
    unpack(s, y, s->du, s->u);
    gdyn_state_copy(s->trial, s->base);
    gdyn_state_move(s->trial, s->du);
    gdyn_state_set_time(s->trial, t);
    s->evaluations++;
    if (!gdyn_all_finite(2 * d->n, 1, y, 2 * d->n) ||
        gdyn_dynamics_solve(d, s->trial, s->u) != GDYN_OK)
        return GSL_EDOM; /* the step is tried again, shorter */
    displacement_rates(s, s->du, s->u, dydt);
    for (int j = 0; j < d->n; j++)
        dydt[d->n + j] = d->x[j] / s->V;
    find_powers(d, power);
    for (int k = 0; k < GDYN_SIM_WORKS; k++)
        dydt[2 * d->n + k] = power[k] / s->E;
    return GSL_SUCCESS;
}

/* By forward differences; works are no arguments. */
static int jacobian(double t, const double y[], double *dfdy, double dfdt[], void *context) {
    gdyn_stepper *s = context;
    const double SHIFT = 1e-7;
    int size = s->size, moving = 2 * s->d->n;
    double *shifted = s->near + size, *there = s->low + size;
    memset(dfdy, 0, (size_t)size * (size_t)size * sizeof *dfdy);
    /* The state itself, then one coordinate after another. */
    if (derivative(t, y, s->low, s) != GSL_SUCCESS)
        return GSL_EDOM;
    memcpy(shifted, y, (size_t)size * sizeof *shifted);
    for (int j = 0; j < moving; j++) {
        shifted[j] = y[j] + SHIFT;
        if (derivative(t, shifted, there, s) != GSL_SUCCESS)
            return GSL_EDOM;
        for (int i = 0; i < size; i++)
            dfdy[i * size + j] = (there[i] - s->low[i]) / SHIFT;
        shifted[j] = y[j];
    }
    /* In time, over a share of the run. */
    double dt = SHIFT * s->span;
    if (derivative(t + dt, y, there, s) != GSL_SUCCESS)
        return GSL_EDOM;
    for (int i = 0; i < size; i++)
        dfdt[i] = (there[i] - s->low[i]) / dt;
    return GSL_SUCCESS;
}

static bool begin(gdyn_stepper *s, const gdyn_state *state, const double *u);

/* --- stiffness -------------------------------------------------------------------------------- */

/* By power iteration with differences of the right-hand side: the root of what two applications of
 * the Jacobian bring, since displacements and velocities take turns in it. */
double gdyn_stepper_fastest(gdyn_stepper *s, double t, const gdyn_state *state, const double *u) {
    const double SHIFT = 1e-7;
    enum { ROUNDS = 24 };
    int moving = 2 * s->d->n;
    double *v = s->near, *there = s->low + s->size, before = 0, now = 0;
    if (!begin(s, state, u) || derivative(t, s->y, s->low, s) != GSL_SUCCESS)
        return INFINITY;
    /* a vector that no eigenvector is at right angles to */
    for (int j = 0; j < s->size; j++)
        v[j] = j < moving ? sin(1 + 1.7 * j) : 0;
    for (int i = 0; i < ROUNDS; i++) {
        double length = gdyn_norm(moving, v);
        if (!(length > 0))
            return INFINITY;
        for (int j = 0; j < moving; j++)
            v[j] *= SHIFT / length;
        if (derivative(t, v, there, s) != GSL_SUCCESS)
            return INFINITY;
        for (int j = 0; j < moving; j++)
            v[j] = (there[j] - s->low[j]) / SHIFT;
        before = now;
        now = gdyn_norm(moving, v);
    }
    return 1 / sqrt(now * before);
}

/* --- semi-implicit Euler ---------------------------------------------------------------------- */

/* x: the new velocities, scaled; mu follows. */
static gdyn_status step_with_compliance(gdyn_dynamics *d) {
    int n = d->n, rows = d->rows, both = n + rows;
    double h = d->stepping, tau = d->def->relaxation, *rhs = d->v;
    if (d->loaded != GDYN_OK)
        return d->loaded;
    /* Right-hand side: momenta after the loads' push. */
    gdyn_gemm(0, 0, n, 1, n, 1, d->M, n, d->u, n, 0, rhs, n);
    for (int j = 0; j < n; j++)
        rhs[j] += h * d->f[j];
    /* Constraints as springs that act at the end of the step. */
    memset(d->K, 0, (size_t)both * (size_t)both * sizeof *d->K);
    for (int i = 0; i < rows; i++) {
        double wanted = -d->rate[i]; /* of the motions: C u - rate */
        for (int j = 0; j < n; j++) {
            double c = d->C[i + (size_t)rows * j];
            wanted += c * d->u[j];
            d->K[n + i + (size_t)both * j] = c;
            d->K[j + (size_t)both * (n + i)] = -c;
        }
        d->K[(n + i) * (size_t)(both + 1)] = gdyn_compliance_of(d, i) / (h * (h + tau));
        rhs[n + i] = wanted - d->phi[i] / (h + tau);
    }
    for (int j = 0; j < n; j++)
        memcpy(d->K + (size_t)both * j, d->M + (size_t)n * j, (size_t)n * sizeof *d->K);
    /* New velocities and the impulses of the constraints; multipliers are impulses over h. */
    if (gdyn_dense_factor(both, d->K, d->pivot) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_dense_solve(both, d->K, d->pivot, 1, rhs);
    memcpy(d->x, rhs, (size_t)n * sizeof *rhs);
    for (int i = 0; i < rows; i++)
        d->mu[i] = rhs[n + i] / h;
    return GDYN_OK;
}

gdyn_status gdyn_dynamics_step(gdyn_dynamics *d, const gdyn_state *state, const double *u,
                               double h) {
    d->stepping = h;
    gdyn_sticking_free(d);
    gdyn_dynamics_equations(d, state, u);
    gdyn_status status = step_with_compliance(d);
    if (status == GDYN_OK)
        status = gdyn_sticking_step(d, step_with_compliance);
    /* From velocities to what changes them. */
    for (int j = 0; j < d->n; j++)
        d->x[j] = (d->x[j] - d->u[j]) / h;
    return status;
}

static bool euler(gdyn_stepper *s, double h, double *t, gdyn_state *state, double *u,
                  double work[GDYN_SIM_WORKS]) {
    gdyn_dynamics *d = s->d;
    bool gives_way = d->def->method == GDYN_SIM_COMPLIANCE;
    s->evaluations++;
    gdyn_status status =
        gives_way ? gdyn_dynamics_step(d, state, u, h) : gdyn_dynamics_solve(d, state, u);
    if (status != GDYN_OK || !gdyn_all_finite(d->n, 1, d->x, d->n))
        return false;
    double power[GDYN_SIM_WORKS];
    /* New velocities first, then the displacement with them. */
    for (int j = 0; j < d->n; j++) {
        u[j] = (d->u[j] + h * d->x[j]) * d->column[j];
        s->du[j] = h * u[j];
    }
    /* Work in this step, by the powers at its start. */
    find_powers(d, power);
    for (int k = 0; k < GDYN_SIM_WORKS; k++)
        work[k] += h * power[k];
    gdyn_state_move(state, s->du);
    *t += h;
    gdyn_state_set_time(state, *t);
    return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

gdyn_stepper *gdyn_stepper_create(gdyn_dynamics *d) {
    gdyn_arena *arena;
    gdyn_stepper *s = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return NULL;
    s->arena = arena;
    gsl_set_error_handler_off();
    s->d = d, s->size = 2 * d->n + GDYN_SIM_WORKS;
    /* Long runs have their own scale of time: a hundred outputs. */
    s->span = d->def->every > 0 ? fmin(d->def->duration, 100 * d->def->every) : d->def->duration;
    s->base = gdyn_state_create(d->model), s->trial = gdyn_state_create(d->model);
    /* vectors of y, and their number; du: four vectors of coordinates, too */
    double **const vectors[] = {&s->y, &s->error, &s->du, &s->u, &s->near, &s->low, &s->from};
    static const int each[] = {1, 1, 4, 1, 2, 2, 1};
    for (int i = 0; i < 7; i++)
        *vectors[i] = gdyn_arena_doubles(arena, (size_t)(each[i] * s->size));
    bool whole = s->base && s->trial && !gdyn_arena_failed(arena);
    s->system = (gsl_odeiv2_system){derivative, jacobian, (size_t)s->size, s};
    s->h = d->def->step > 0 ? d->def->step : 1e-4 * s->span;
    const gsl_odeiv2_step_type *type = type_of(d->def->integrator);
    if (whole && type) {
        s->driver = gsl_odeiv2_driver_alloc_standard_new(&s->system, type, s->h, d->def->tolerance,
                                                         0, 1, 0);
        whole = s->driver;
    }
    if (whole)
        return s;
    gdyn_stepper_destroy(s);
    return NULL;
}

void gdyn_stepper_destroy(gdyn_stepper *s) {
    if (!s)
        return;
    if (s->driver)
        gsl_odeiv2_driver_free(s->driver);
    gdyn_state_destroy(s->base), gdyn_state_destroy(s->trial);
    gdyn_arena_destroy(s->arena);
}

/* y of the step that starts here; speed and energy that errors are shares of. */
static bool begin(gdyn_stepper *s, const gdyn_state *state, const double *u) {
    const gdyn_dynamics *d = s->d;
    s->V = d->L / s->span;
    for (int j = 0; j < d->n; j++)
        s->V = fmax(s->V, fabs(u[j] / d->column[j]));
    s->E = fmax(gdyn_model_mass(d->model), 1e-30) * s->V * s->V;
    gdyn_state_copy(s->base, state);
    memset(s->y, 0, (size_t)s->size * sizeof *s->y);
    if (GDYN_SIM_IN_TREE(d)) {
        double *w = s->du;
        if (gdyn_minimal_begin(s->d, s->base, u, &s->places, &s->f, w) != GDYN_OK)
            return false;
        for (int k = 0; k < s->f; k++)
            s->from[k] = w[k] * d->L / (gdyn_minimal_rate_scale(d, k) * s->V);
        return true;
    }
    for (int j = 0; j < d->n; j++)
        s->from[j] = u[j] / (d->column[j] * s->V);
    return true;
}

static bool finish(gdyn_stepper *s, double t, gdyn_state *state, double *u,
                   double work[GDYN_SIM_WORKS]) {
    gdyn_state_copy(state, s->base);
    gdyn_state_set_time(state, t);
    if (GDYN_SIM_IN_TREE(s->d)) {
        double *dz = s->du, *w = dz + s->d->n;
        unpack_minimal(s, s->y, dz, w);
        if (!gdyn_minimal_place(s->d, dz, w, state, u))
            return false;
    } else {
        unpack(s, s->y, s->du, u);
        gdyn_state_move(state, s->du);
    }
    for (int k = 0; k < GDYN_SIM_WORKS; k++)
        work[k] += s->E * s->y[2 * s->d->n + k];
    return true;
}

/* A step of GSL's integrators from *t, of fixed length h or as the error allows; *t: its end. */
static bool integrate(gdyn_stepper *s, double h, double *t, double to, gdyn_state *state, double *u,
                      double work[GDYN_SIM_WORKS]) {
    const double SHORTEST = 1e-9;
    gsl_odeiv2_driver *g = s->driver;
    double now = *t;
    int result;
    if (!begin(s, state, u))
        return false;
    gsl_odeiv2_step_reset(g->s);
    gsl_odeiv2_evolve_reset(g->e);
    if (s->d->def->step > 0) {
        result = gsl_odeiv2_step_apply(g->s, now, h, s->y, s->error, NULL, NULL, &s->system);
        now += h;
    } else {
        result = gsl_odeiv2_evolve_apply(g->e, g->c, g->s, &s->system, &now, to, &s->h, s->y);
    }
    bool good = result == GSL_SUCCESS && (now >= to || now - *t > SHORTEST * s->span);
    if (!good || !finish(s, now, state, u, work))
        return false;
    *t = now;
    return true;
}

bool gdyn_stepper_step(gdyn_stepper *s, double *t, double to, gdyn_state *state, double *u,
                       double work[GDYN_SIM_WORKS], long *evaluations) {
    const double fixed = s->d->def->step;
    double left = to - *t, h = fixed > 0 && fixed < left * (1 - 1e-9) ? fixed : left;
    double tried = s->h;
    s->evaluations = 0;
    bool good = s->driver ? integrate(s, h, t, to, state, u, work) : euler(s, h, t, state, u, work);
    if (!good && s->driver && !s->d->passing && s->d->def->method != GDYN_SIM_COMPLIANCE) {
        s->d->passing = true; /* a singular pose within the step */
        s->h = tried;
        good = integrate(s, h, t, to, state, u, work);
    }
    *evaluations += s->evaluations;
    return good && gdyn_all_finite(s->d->n, 1, u, s->d->n);
}
