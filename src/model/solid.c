/* solid.c - mass, centre of gravity and inertia of bodies made of shapes of one density.
 *
 * Each shape has its mass, its centre and a tensor that is diagonal along its own axes (e along the
 * axis of a capsule or tube, l its length, r its radius):
 *   capsule   m_c = pi r^2 l rho, m_s = 4/3 pi r^3 rho:  I_e = (m_c / 2 + 2/5 m_s) r^2,
 *             across: m_c (l^2 / 12 + r^2 / 4) + m_s (2/5 r^2 + l^2 / 4 + 3/8 l r)
 *   tube      m = pi (r^2 - i^2) l rho, i = r - wall:    I_e = m (r^2 + i^2) / 2,
 *             across: m (3 (r^2 + i^2) + l^2) / 12
 *   box       m = a b c rho:                              I_a = m (b^2 + c^2) / 12
 * They are turned into the body's axes and moved to the common centre by Steiner's theorem. Where
 * shapes overlap the material counts twice. */
#include "model/model.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>

typedef struct piece {
    double mass, centre[3];
    double R[9], own[3]; /* axes as columns in the body's frame, moments about them */
} piece;

static void piece_of(const gdyn_shape_def *s, double rho, piece *out) {
    double axis[3] = {0, 0, 0};
    v3_copy(out->centre, s->a.at);
    if (s->kind == GDYN_SHAPE_BOX) {
        out->mass = s->size[0] * s->size[1] * s->size[2] * rho;
        for (int i = 0; i < 3; i++) {
            double b = s->size[(i + 1) % 3], c = s->size[(i + 2) % 3];
            out->own[i] = out->mass * (b * b + c * c) / 12;
        }
        memcpy(out->R, s->R, sizeof out->R);
        return;
    }
    double l = 0, r = s->radius;
    if (s->kind != GDYN_SHAPE_SPHERE) {
        v3_sub(axis, s->b.at, s->a.at);
        l = gdyn_v3_normalize(axis);
        v3_axpy(out->centre, s->a.at, 0.5 * l, axis);
    }
    if (l == 0)
        v3_set(axis, 0, 0, 1);
    v3_copy(out->R + 6, axis);
    gdyn_v3_triad(out->R + 6, out->R, out->R + 3);
    if (s->kind == GDYN_SHAPE_TUBE) {
        double inner = s->wall > 0 ? r - s->wall : 0, squares = r * r + inner * inner;
        out->mass = GDYN_PI * (r * r - inner * inner) * l * rho;
        out->own[2] = 0.5 * out->mass * squares;
        out->own[0] = out->own[1] = out->mass * (3 * squares + l * l) / 12;
    } else {
        double rod = GDYN_PI * r * r * l * rho, ends = 4.0 / 3 * GDYN_PI * r * r * r * rho;
        out->mass = rod + ends;
        out->own[2] = (0.5 * rod + 0.4 * ends) * r * r;
        out->own[0] = out->own[1] =
            rod * (l * l / 12 + r * r / 4) + ends * (0.4 * r * r + l * l / 4 + 0.375 * l * r);
    }
}

/* I (Ixx Iyy Izz Ixy Ixz Iyz) += the tensor of the piece about `com`. */
static void add_tensor(const piece *p, const double com[3], double I[6]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double d[3];
    v3_sub(d, p->centre, com);
    for (int k = 0; k < 6; k++) {
        int i = row[k], j = column[k];
        for (int e = 0; e < 3; e++)
            I[k] += p->R[i + 3 * e] * p->own[e] * p->R[j + 3 * e];
        I[k] += p->mass * ((i == j ? v3_dot(d, d) : 0) - d[i] * d[j]);
    }
}

void gdyn_body_of_shapes(int count, const gdyn_shape_def *shape, double density,
                         gdyn_body_def *def) {
    piece p;
    def->mass = 0;
    v3_set(def->com, 0, 0, 0);
    memset(def->inertia, 0, sizeof def->inertia);
    for (int i = 0; i < count; i++) {
        piece_of(&shape[i], density, &p);
        def->mass += p.mass;
        v3_axpy(def->com, def->com, p.mass, p.centre);
    }
    if (!(def->mass > 0))
        return;
    v3_scale(def->com, 1 / def->mass, def->com);
    for (int i = 0; i < count; i++) {
        piece_of(&shape[i], density, &p);
        add_tensor(&p, def->com, def->inertia);
    }
}
