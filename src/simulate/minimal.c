/* minimal.c - minimal equations in joint coordinates (Schiehlen and Blajer 1992, Eq. 5; tree/dynamics.h).
 *
 * Independent joint coordinates z are integrated, the others follow by closing the loops: there is no drift. During a
 * step z are displacements from the pose at which it began, of the same coordinates; between steps they are chosen anew
 * where the choice degrades (dead points). */
#include "simulate/solvers.h"

#include "base/memory.h"
#include "tree/dynamics.h"

#include <math.h>
#include <string.h>

struct gdyn_minimal {
    gdyn_tree *tree;
    gdyn_tree_dynamics *home, *here; /* at the pose where the step began, at the present one */
    int f, *z;                       /* freedom, independent coordinates of the step */
    double *dz, *zdot, *zddot;       /* f, room n_q */
    double *force, *u, *udot;        /* n */
};

struct gdyn_minimal *gdyn_minimal_create(const gdyn_model *model) {
    struct gdyn_minimal *m = gdyn_alloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->tree = gdyn_tree_create(model);
    m->home = m->tree ? gdyn_tree_dynamics_create(m->tree) : NULL;
    m->here = m->tree ? gdyn_tree_dynamics_create(m->tree) : NULL;
    size_t n = (size_t)gdyn_model_coordinates(model);
    size_t nq = m->tree ? (size_t)gdyn_tree_coordinates(m->tree) : 0;
    m->dz = gdyn_alloc(3 * nq + 3 * n + 1, sizeof *m->dz);
    m->z = gdyn_alloc(nq + 1, sizeof *m->z);
    if (!m->home || !m->here || !m->dz || !m->z) {
        gdyn_minimal_destroy(m);
        return NULL;
    }
    m->zdot = m->dz + nq;
    m->zddot = m->zdot + nq;
    m->force = m->zddot + nq;
    m->u = m->force + n;
    m->udot = m->u + n;
    return m;
}

void gdyn_minimal_destroy(struct gdyn_minimal *m) {
    if (!m)
        return;
    gdyn_tree_dynamics_destroy(m->here);
    gdyn_tree_dynamics_destroy(m->home);
    gdyn_tree_destroy(m->tree);
    gdyn_free(m->dz);
    gdyn_free(m->z);
    gdyn_free(m);
}

/* Accelerations at the pose and speeds last set in `here`; the equations are assembled. */
static gdyn_status accelerate(gdyn_dynamics *d) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_mech_bias(d->state, d->velocity, m->force);
    for (int j = 0; j < d->n; j++)
        m->force[j] += d->f[j] / d->column[j]; /* the tree has the bias in its equations */
    gdyn_status status =
        gdyn_tree_accelerate(m->here, GDYN_TREE_CHEAPER, m->force, m->zddot, NULL, m->udot, NULL);
    for (int j = 0; j < d->n; j++)
        d->x[j] = m->udot[j] / d->column[j];
    return status;
}

gdyn_status gdyn_solve_minimal(gdyn_dynamics *d) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_tree_condition found;
    gdyn_status status = gdyn_tree_dynamics_set(m->here, d->state, &found);
    if (status != GDYN_OK)
        return status;
    gdyn_tree_independent_rates(m->here, d->velocity, m->zdot);
    gdyn_tree_speeds(m->here, m->zdot, NULL, m->u);
    return accelerate(d);
}

double gdyn_minimal_scale(const gdyn_dynamics *d, int k) {
    const struct gdyn_minimal *m = d->minimal;
    return gdyn_tree_coordinate_turns(m->tree, m->z[k]) ? 1 : d->L;
}

gdyn_status gdyn_minimal_begin(gdyn_dynamics *d, const gdyn_state *state, const double *u, int *f,
                               double *zdot) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_tree_condition found;
    gdyn_tree_prefer(m->home, 0, NULL); /* the best choice, so that it lasts for the step */
    gdyn_status status = gdyn_tree_dynamics_set(m->home, state, &found);
    if (status != GDYN_OK)
        return status;
    bool same = found.freedom == m->f &&
                memcmp(m->z, gdyn_tree_independent(m->home), (size_t)m->f * sizeof *m->z) == 0;
    d->choices += !same || d->choices == 0;
    d->condition = found.choice;
    *f = m->f = found.freedom;
    memcpy(m->z, gdyn_tree_independent(m->home), (size_t)m->f * sizeof *m->z);
    gdyn_tree_independent_rates(m->home, u, zdot);
    return GDYN_OK;
}

bool gdyn_minimal_place(gdyn_dynamics *d, const double *dz, const double *zdot, gdyn_state *to,
                        double *u) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_tree_condition found;
    gdyn_tree_placed placed;
    gdyn_tree_place(m->home, dz, to, &placed);
    gdyn_tree_prefer(m->here, m->f, m->z);
    if (!placed.closed || gdyn_tree_dynamics_set(m->here, to, &found) != GDYN_OK)
        return false;
    if (found.freedom != m->f ||
        memcmp(m->z, gdyn_tree_independent(m->here), (size_t)m->f * sizeof *m->z) != 0)
        return false;
    gdyn_tree_speeds(m->here, zdot, NULL, u);
    return true;
}

bool gdyn_minimal_rates(gdyn_dynamics *d, const gdyn_state *state, const double *u,
                        const double *dz, const double *zdot, double *rate, double *zddot) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_dynamics_equations(d, state, u);
    if (d->loaded != GDYN_OK || accelerate(d) != GDYN_OK || !gdyn_all_finite(d->n, 1, d->x, d->n))
        return false;
    gdyn_tree_displacement_rates(m->home, dz, zdot, rate);
    memcpy(zddot, m->zddot, (size_t)m->f * sizeof *zddot);
    return true;
}
