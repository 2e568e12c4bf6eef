/* sticking.c - dry friction that sticks: a constraint while the force that it needs is within its
 * limit.
 *
 * A friction slips one way with force -coulomb sign(v), or it sticks: q' = 0, q'' = 0 with a force
 * f, |f| <= limit, the static friction given or coulomb. With a_l the accelerations that a unit
 * force at l adds (by the method of the simulation, so that constraints, redundant or not, are
 * respected), the forces of those that stick follow from
 *
 *   W f + r = 0,   W_kl = J_k a_l,   r_k = J_k u'_0 + gamma_k,
 *
 * by least norm of f / limit: W is singular where frictions share a freedom, and only their sum is
 * known. Whether they hold decides the box |f| <= limit: f minimizes f^T W f / 2 + r^T f in it
 * (Gauss's principle for Coulomb's law), and what then accelerates against its force slips. Modes
 * last for a step; simulation.c looks for the time when one ends. */
#include "simulate/internal.h"

#include "mech/row.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

/* Shares: of the machine's speed (rest), of a limit (reached), of accelerations (none). */
static const double REST = 1e-10, REACHED = 1e-7, NONE = 1e-8;
/* Response of a friction that can hold something, as a share of the bodies' own; the square of an
 * angle from a dead centre. */
static const double HELD = 1e-10;
enum { SWEEPS = 20000 };

/* --- memory ----------------------------------------------------------------------------------- */

bool gdyn_sticking_create(gdyn_arena *arena, const gdyn_model *model, gdyn_sticking **out) {
    gdyn_sticking *s = gdyn_arena_alloc(arena, 1, sizeof *s);
    *out = NULL;
    if (!s)
        return false;
    /* room for every friction of the model, most of which may be viscous alone */
    size_t k = (size_t)model->frictions, n = (size_t)model->n;
    double **const each[] = {&s->limit, &s->dry, &s->speed, &s->box, &s->r, &s->f};
    int **const marks[] = {&s->friction, &s->mode, &s->held};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = gdyn_arena_doubles(arena, k);
    for (int i = 0; i < 3; i++)
        *marks[i] = gdyn_arena_alloc(arena, k, sizeof **marks[i]);
    s->J = gdyn_arena_doubles(arena, n * k), s->a = gdyn_arena_doubles(arena, n * k);
    s->x0 = gdyn_arena_doubles(arena, n), s->f0 = gdyn_arena_doubles(arena, n);
    s->W = gdyn_arena_doubles(arena, k * k);
    s->n = model->n;
    for (int i = 0; i < model->frictions && !gdyn_arena_failed(arena); i++) {
        const gdyn_friction *friction = &model->friction[i];
        if (friction->coulomb == 0 && friction->stiction == 0)
            continue;
        /* without a static friction of its own it holds what it brakes with */
        s->limit[s->count] = fmax(friction->coulomb, friction->stiction);
        s->friction[s->count++] = i;
    }
    if (s->count == 0)
        return true;
    s->svd = gdyn_svd_create(s->count, s->count);
    *out = s;
    return s->svd;
}

/* --- what acts -------------------------------------------------------------------------------- */

/* The model's friction behind number k. */
static const gdyn_friction *friction_of(const gdyn_dynamics *d, const gdyn_sticking *s, int k) {
    return &d->model->friction[s->friction[k]];
}

void gdyn_sticking_begin(gdyn_dynamics *d) {
    if (d->sticking) {
        /* The forces of those that slip; of those that stick zero, until they are found. */
        gdyn_sticking *s = d->sticking;
        s->stuck = 0;
        for (int k = 0; k < s->count; k++) {
            s->dry[s->friction[k]] = -friction_of(d, s, k)->coulomb * s->mode[k];
            if (s->mode[k] == 0)
                s->held[s->stuck++] = k;
        }
    }
}

/* J_i x: the acceleration that friction i sees. */
static double along(const gdyn_sticking *s, int i, const double *x) {
    double sum = 0;
    for (int j = 0; j < s->n; j++)
        sum += s->J[i + (size_t)s->stuck * j] * x[j];
    return sum;
}

/* d->f := loads + sum of J_i^T f_i. */
static void load(gdyn_dynamics *d, const gdyn_sticking *s) {
    memcpy(d->f, s->f0, (size_t)s->n * sizeof *d->f);
    for (int i = 0; i < s->stuck; i++)
        for (int j = 0; j < s->n; j++)
            d->f[j] += s->f[i] * s->J[i + (size_t)s->stuck * j];
}

/* Frictions that no force of theirs moves (a slider at its dead centre: W_ii is rounding beside the
 * freely moving bodies' J M^-1 J^T) leave W: they can hold nothing there. */
static void leave_out(const gdyn_dynamics *d, gdyn_sticking *s) {
    for (int i = 0; i < s->stuck; i++) {
        double whole = 0;
        for (int j = 0; j < s->n; j++) {
            double J = s->J[i + (size_t)s->stuck * j], mass = d->M[j * (size_t)(s->n + 1)];
            whole += mass > 0 ? J * J / mass : 0;
        }
        if (s->W[i + (size_t)s->stuck * i] > HELD * whole)
            continue;
        for (int l = 0; l < s->stuck; l++)
            s->W[i + (size_t)s->stuck * l] = s->W[l + (size_t)s->stuck * i] = 0;
    }
}

/* a, W, r from the solution without them. */
static gdyn_status respond(gdyn_dynamics *d, gdyn_sticking *s, gdyn_solve *solve) {
    /* rows of those that stick, r without the loads' part */
    memset(s->J, 0, (size_t)s->stuck * (size_t)s->n * sizeof *s->J);
    for (int i = 0; i < s->stuck; i++) {
        const gdyn_row *row = &friction_of(d, s, s->held[i])->row;
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(d->state, row, &jacobian);
        /* J_i on velocities, and gamma_i */
        gdyn_row_scatter(d->state, &jacobian, 1, s->J, s->stuck, i);
        s->r[i] = gdyn_row_curvature(d->state, row, d->velocity);
    }
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->stuck; i++)
            s->J[i + (size_t)s->stuck * j] *= d->column[j];
    memcpy(s->x0, d->x, (size_t)s->n * sizeof *s->x0);
    memcpy(s->f0, d->f, (size_t)s->n * sizeof *s->f0);
    gdyn_status status = GDYN_OK;
    for (int l = 0; l < s->stuck && status == GDYN_OK; l++) {
        double *a = s->a + (size_t)s->n * (size_t)l;
        /* a force of the friction's own size, so that rounding is relative to it */
        memset(s->f, 0, (size_t)s->stuck * sizeof *s->f);
        s->f[l] = s->limit[s->held[l]];
        load(d, s);
        status = solve(d);
        /* what it adds to the accelerations, and to every friction's own */
        for (int j = 0; j < s->n; j++)
            a[j] = (d->x[j] - s->x0[j]) / s->f[l];
        for (int i = 0; i < s->stuck; i++)
            s->W[i + (size_t)s->stuck * l] = along(s, i, a);
    }
    for (int i = 0; i < s->stuck; i++)
        s->r[i] += along(s, i, s->x0);
    leave_out(d, s);
    return status;
}

/* f with W f = b, of least norm in shares of the limits. */
static gdyn_status least_forces(gdyn_sticking *s, const double *b, double *f) {
    /* forces as shares of their limits: rows and columns of W times the limits */
    double *scaled = s->speed; /* room */
    int k = s->stuck;
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++)
            s->W[i + (size_t)k * j] *= s->limit[s->held[i]] * s->limit[s->held[j]];
    gdyn_status status = gdyn_svd_factor(s->svd, k, k, s->W, k, 1e-10);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++)
            s->W[i + (size_t)k * j] /= s->limit[s->held[i]] * s->limit[s->held[j]];
    /* then back to forces */
    for (int i = 0; i < k; i++)
        scaled[i] = b[i] * s->limit[s->held[i]];
    gdyn_svd_solve(s->svd, 1, scaled, k, f, k);
    for (int i = 0; i < k; i++)
        f[i] *= s->limit[s->held[i]];
    return status;
}

gdyn_status gdyn_sticking_solve(gdyn_dynamics *d, gdyn_solve *solve) {
    gdyn_sticking *s = d->sticking;
    if (!s || s->stuck == 0)
        return GDYN_OK;
    /* W f = -r */
    gdyn_status status = respond(d, s, solve);
    for (int i = 0; i < s->stuck; i++)
        s->r[i] = -s->r[i];
    if (status == GDYN_OK)
        status = least_forces(s, s->r, s->f);
    for (int i = 0; i < s->stuck; i++) {
        s->r[i] = -s->r[i];
        s->dry[s->friction[s->held[i]]] = s->f[i];
    }
    /* with these forces among the loads once more, for accelerations and multipliers */
    load(d, s);
    return status == GDYN_OK ? solve(d) : status;
}

/* --- whether modes last ----------------------------------------------------------------------- */

/* r_i + (W f)_i: acceleration that is left. */
static double left(const gdyn_sticking *s, int i) {
    double sum = s->r[i];
    for (int l = 0; l < s->stuck; l++)
        sum += s->W[i + (size_t)s->stuck * l] * s->f[l];
    return sum;
}

/* f in the box |f| <= bound (count), by projected Gauss-Seidel sweeps from the present f. */
static void fit_box(gdyn_sticking *s, const double *bound) {
    double change = 1;
    for (int k = 0; k < SWEEPS && change > 1e-14; k++) {
        change = 0;
        for (int i = 0; i < s->stuck; i++) {
            double limit = bound[s->held[i]], own = s->W[i + (size_t)s->stuck * i];
            double f = own > 0 ? s->f[i] - left(s, i) / own : 0;
            f = fmin(fmax(f, -limit), limit);
            change = fmax(change, fabs(f - s->f[i]) / limit);
            s->f[i] = f;
        }
    }
}

/* s->speed: speeds of the frictions [m/s], angular ones times L; returns the machine's own. */
static double find_speeds(const gdyn_dynamics *d, gdyn_sticking *s, const double *u) {
    double pace = d->L / d->def->duration;
    for (int j = 0; j < d->n; j++)
        pace = fmax(pace, fabs(u[j] / d->column[j]));
    for (int k = 0; k < s->count; k++) {
        const gdyn_row *row = &friction_of(d, s, k)->row;
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(d->state, row, &jacobian);
        s->speed[k] = gdyn_row_speed(d->state, &jacobian, u) * (row->length ? 1 : d->L);
    }
    return pace;
}

/* Whether forces within their limits keep all that sticks at rest. */
static bool forces_hold(gdyn_sticking *s) {
    /* the smallest forces may do */
    bool within = true;
    for (int i = 0; i < s->stuck; i++)
        within = within && fabs(s->f[i]) <= s->limit[s->held[i]] * (1 + 1e-9);
    if (within)
        return true;
    /* else another split within the limits, if frictions share a freedom */
    double size = gdyn_dynamics_greatest(s->stuck, s->r);
    fit_box(s, s->limit);
    for (int i = 0; i < s->stuck; i++)
        if (fabs(left(s, i)) > NONE * size)
            return false;
    return true;
}

bool gdyn_sticking_lasts(gdyn_dynamics *d, const gdyn_state *state, const double *u) {
    gdyn_sticking *s = d->sticking;
    if (gdyn_dynamics_solve(d, state, u) != GDYN_OK)
        return true; /* the step itself will fail */
    double pace = find_speeds(d, s, u);
    for (int k = 0; k < s->count; k++)
        /* what slips must not have turned round */
        if (s->mode[k] * s->speed[k] < -REST * pace)
            return false;
    return forces_hold(s);
}

/* --- new modes -------------------------------------------------------------------------------- */

/* Brings the speeds of those that stick to zero, by impulses that the constraints allow. */
static gdyn_status stop(gdyn_dynamics *d, gdyn_sticking *s, const gdyn_state *state, double *u) {
    gdyn_status status = gdyn_dynamics_solve(d, state, u);
    if (status != GDYN_OK || s->stuck == 0)
        return status;
    /* impulses p with J (u + a p) = 0 */
    for (int j = 0; j < d->n; j++)
        s->x0[j] = u[j] / d->column[j];
    for (int i = 0; i < s->stuck; i++)
        s->r[i] = -along(s, i, s->x0);
    status = least_forces(s, s->r, s->f);
    for (int l = 0; l < s->stuck; l++)
        for (int j = 0; j < d->n; j++)
            u[j] += s->a[j + (size_t)s->n * l] * s->f[l] * d->column[j];
    return status == GDYN_OK ? gdyn_dynamics_solve(d, state, u) : status;
}

gdyn_status gdyn_sticking_decide(gdyn_dynamics *d, const gdyn_state *state, double *u, bool first) {
    gdyn_sticking *s = d->sticking;
    d->state = state;
    double pace = find_speeds(d, s, u);
    /* What rests or turns round may stick. */
    for (int k = 0; k < s->count; k++) {
        /* at the start all that rests, later all that stuck or turned */
        bool slow = fabs(s->speed[k]) <= 10 * REST * pace;
        if (first || s->mode[k] == 0)
            s->mode[k] = slow || !first ? 0 : s->speed[k] > 0 ? 1 : -1;
        else if (slow || s->mode[k] * s->speed[k] < 0)
            s->mode[k] = 0;
    }
    gdyn_status status = stop(d, s, state, u);
    if (status != GDYN_OK)
        return status;
    /* What reaches its limit slips against its force. */
    fit_box(s, s->limit);
    double size = gdyn_dynamics_greatest(s->stuck, s->r);
    bool out = !forces_hold(s);
    for (int i = 0; i < s->stuck; i++) {
        int k = s->held[i];
        if (s->W[i + (size_t)s->stuck * i] == 0 && s->r[i] != 0)
            s->mode[k] = s->r[i] > 0 ? 1 : -1; /* carried along */
        bool reached = fabs(s->f[i]) >= s->limit[k] * (1 - REACHED);
        if (reached && (out || left(s, i) * s->f[i] <= NONE * size * s->limit[k]))
            s->mode[k] = s->f[i] > 0 ? -1 : 1;
    }
    return GDYN_OK;
}

/* --- velocity stepping ------------------------------------------------------------------------ */

void gdyn_sticking_free(gdyn_dynamics *d) {
    gdyn_sticking *s = d->sticking;
    for (int k = 0; s && k < s->count; k++)
        s->mode[k] = 0;
}

gdyn_status gdyn_sticking_step(gdyn_dynamics *d, gdyn_solve *solve) {
    gdyn_sticking *s = d->sticking;
    if (!s)
        return GDYN_OK;
    /* what a force adds to the speeds at the end of the step; they depend on no curvature */
    double pace = find_speeds(d, s, d->velocity);
    for (int k = 0; k < s->count; k++)
        s->box[k] = fabs(s->speed[k]) <= REST * pace ? s->limit[k] : friction_of(d, s, k)->coulomb;
    gdyn_status status = respond(d, s, solve);
    for (int i = 0; i < s->stuck; i++) {
        s->r[i] = along(s, i, s->x0);
        s->f[i] = 0;
    }
    /* the force that stops, or the largest one against the motion */
    fit_box(s, s->box);
    for (int i = 0; i < s->stuck; i++) {
        int k = s->held[i];
        s->dry[s->friction[k]] = s->f[i];
        s->mode[k] = fabs(s->f[i]) < s->box[k] ? 0 : s->f[i] > 0 ? -1 : 1;
        d->powers.friction += s->f[i] * along(s, i, d->u);
    }
    load(d, s);
    return status == GDYN_OK ? solve(d) : status;
}
