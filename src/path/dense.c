/* dense.c - a pose between two points of a way that was integrated, without integrating again.
 *
 * Both points know the displacement between them, u_p and u_pp. With t the share of the stretch h,
 * theta and w as in integrate.c, the displacement from the first point is the quintic polynomial
 * q(t) that has all of them (Hermite), whose error is
 *     e(t) = K t^3 (1 - t)^3,   K = h^6 z^(6) / 720.
 * The constraints are closed there, and u_p, u_pp taken. What the polynomial's own derivatives miss
 * of them yields K: q' - du' = K w1 / h and q'' - du'' = K w2 / h^2, w1 and w2 the derivatives of
 * t^3 (1 - t)^3; they vanish together at the ends only. The displacement's second derivative is
 * that of
 *     theta' = w - theta x w / 2 + c theta x (theta x w),   s = theta.theta,   s' = 2 theta.theta':
 *     theta'' = w' - (theta' x w + theta x w') / 2 + dc/ds s' theta x (theta x w)
 *               + c (theta' x (theta x w) + theta x (theta' x w) + theta x (theta x w')). */
#include "path/internal.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* Longest displacement of a body over a stretch (L or rad). */
static const double LONGEST = 0.3;
/* Error over the length of the stretch, both without unit: as of the steps of the integration. */
static const double TOLERANCE = 1e-10;

enum { DEGREE = 5, DATA = 5 };
/* What d, u_a, u_pp_a, u_b, u_pp_b are multiplied by: coefficients of 1, t, ..., t^5. */
static const double basis[DATA][DEGREE + 1] = {{0, 0, 0, 10, -15, 6},
                                               {0, 1, 0, -6, 8, -3},
                                               {0, 0, 0.5, -1.5, 1.5, -0.5},
                                               {0, 0, 0, -4, 7, -3},
                                               {0, 0, 0, 0.5, -1, 0.5}};

/* out := displacement of the bodies from one pose to the other. */
static void displacement(const gdyn_follower *f, const gdyn_state *from, const gdyn_state *to,
                         double *out) {
    for (int i = 0; i < f->bodies; i++) {
        /* poses of the body at both ends */
        double a[3], b[3], A[9], B[9], turn[3], *own = out + f->per_body * i;
        gdyn_state_body(from, i, a, A), gdyn_state_body(to, i, b, B);
        /* rotation vector of R_b R_a^T in the ground's frame */
        gdyn_m3_multiply_tn(B, A, B);
        gdyn_rotation_log(B, turn);
        m3_apply(turn, A, turn); /* R_b = exp(theta) R_a */
        v3_sub(b, b, a);
        if (f->per_body == 3)
            b[2] = turn[2];
        else
            memcpy(own + 3, turn, sizeof turn);
        memcpy(own, b, sizeof b);
    }
}

/* a := theta'' for the angular accelerations in a; u the velocities, k those pulled back. */
static void pull_back_twice(const gdyn_follower *f, const double *du, const double *u,
                            const double *k, double *a) {
    for (int i = 0; f->per_body == 6 && i < f->bodies; i++) {
        const double *theta = du + 6 * i + 3, *w = u + 6 * i + 3, *rate = k + 6 * i + 3;
        /* theta' and theta x w, once each */
        double *out = a + 6 * i + 3, s = v3_dot(theta, theta), once[3], x[3], y[3], sum[3];
        double c = gdyn_curl_coefficient(s);
        /* dc/ds; the stretches are short */
        double slope = 1.0 / 720 + s * (1.0 / 15120 + s * (1.0 / 403200 + s / 11975040));
        v3_cross(once, theta, w);
        v3_cross(sum, rate, once);
        /* terms of the derivative of theta' = w - theta x w / 2 + c theta x (theta x w) */
        v3_cross(x, rate, w);
        v3_cross(y, theta, x);
        v3_axpy(sum, sum, 1, y);
        v3_cross(y, theta, out);
        v3_axpy(x, x, 1, y); /* theta' x w + theta x w' */
        v3_cross(y, theta, y);
        v3_axpy(sum, sum, 1, y);
        v3_cross(y, theta, once);
        v3_axpy(out, out, -0.5, x);
        v3_axpy(out, out, c, sum);
        v3_axpy(out, out, 2 * slope * v3_dot(theta, rate), y);
    }
}

/* Value, first and second derivative of the polynomial, per p^0, p and p^2. */
static void evaluate(const gdyn_follower *f, const double *const data[DATA], double h, double t,
                     double *const out[3]) {
    const double unit[DATA] = {1, h, h * h, h, h * h};
    /* one polynomial per datum; Horner's scheme with the factors of the derivative */
    for (int order = 0; order < 3; order++) {
        memset(out[order], 0, (size_t)f->n * sizeof(double));
        for (int i = 0; i < DATA; i++) {
            double weight = 0;
            for (int k = DEGREE; k >= order; k--)
                weight = weight * t + basis[i][k] * (order == 0 ? 1 : order == 1 ? k : k * (k - 1));
            weight *= unit[i] / pow(h, order);
            for (int j = 0; j < f->n; j++)
                out[order][j] += weight * data[i][j];
        }
    }
}

/* f->error := error of the polynomial; its size. first, second: errors of its derivatives. */
static double judge(gdyn_follower *f, double h, double t, const double *first,
                    const double *second) {
    double r = t * (1 - t), w = r * r * r, most;
    /* the error is w e with constant e, so that e' and e'' give its size */
    double w1 = 3 * r * r * (1 - 2 * t), w2 = 6 * r * (1 - 5 * r), both = hypot(w1, w2);
    double one = h * gdyn_follower_size(f, first, &most);
    double two = h * h * gdyn_follower_size(f, second, &most);
    double size = hypot(one, two) * w / both;
    for (int j = 0; j < f->n; j++)
        f->error[j] = w * (w1 * h * first[j] + w2 * h * h * second[j]) / (both * both);
    /* in the direction that the derivatives name */
    double found = gdyn_follower_size(f, f->error, &most);
    for (int j = 0; j < f->n && found > 0; j++)
        f->error[j] *= size / found;
    return size;
}

bool gdyn_follower_dense(gdyn_follower *f, const gdyn_leg *leg, const gdyn_path_stretch *s,
                         double p) {
    size_t bytes = (size_t)f->n * sizeof(double);
    double h = s->p[1] - s->p[0], t = (p - s->p[0]) / h, most;
    double *d = f->k[0], *rate = f->k[1], *bend = f->k[2], *q1 = f->k[3], *q2 = f->k[4];

    /* the far end as seen from the near one */
    displacement(f, s->state[0], s->state[1], d);
    double length = gdyn_follower_size(f, d, &most);
    if (!(most <= LONGEST))
        return false;
    memcpy(rate, s->u[1], bytes);
    gdyn_follower_pull_back(f, d, rate);
    memcpy(bend, s->u_pp[1], bytes);
    pull_back_twice(f, d, s->u[1], rate, bend);

    /* the pose of the polynomial, closed, with its derivatives */
    evaluate(f, (const double *const[DATA]){d, s->u[0], s->u_pp[0], rate, bend}, h, t,
             (double *const[3]){f->du, q1, q2});
    if (!gdyn_follower_displaced(f, leg, p, s->state[0], f->du, f->trial.u_p))
        return false;
    if (!gdyn_follower_sound(f, &f->stage_rates) || gdyn_closure_orientation(f->closure) < 0)
        return false;

    /* what the polynomial's derivatives miss of them */
    memcpy(rate, f->trial.u_p, bytes);
    gdyn_follower_pull_back(f, f->du, rate);
    memcpy(bend, f->trial.u_pp, bytes);
    pull_back_twice(f, f->du, f->trial.u_p, rate, bend);
    for (int j = 0; j < f->n; j++) {
        q1[j] -= rate[j];
        q2[j] -= bend[j];
    }
    if (!(judge(f, h, t, q1, q2) <= TOLERANCE * length))
        return false;
    /* the stage pose becomes the present one */
    gdyn_state_copy(f->now.state, f->stage);
    gdyn_state_accept(f->now.state);
    memcpy(f->now.u_p, f->trial.u_p, bytes);
    memcpy(f->now.u_pp, f->trial.u_pp, bytes);
    f->now.rates = f->stage_rates;
    f->reached = p;
    for (int j = 0; j < f->n; j++)
        f->drift[j] = (1 - t) * s->drift[0][j] + t * s->drift[1][j] + f->error[j];
    return true;
}
