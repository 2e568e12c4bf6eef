/* minimal.c - minimal equations in joint coordinates (Schiehlen and Blajer 1992, Eq. 5;
 * tree/dynamics.h).
 *
 * Independent joint coordinates z are integrated, the others follow by closing the loops: there is
 * no drift. During a step z are displacements from the pose at which it began, of the same
 * coordinates; between steps they are chosen again where the choice degrades (dead points).
 *
 * Knife edges and rolling bind velocities alone. A machine with them has more independent
 * coordinates z of poses than independent rates w of velocities, and two trees: one without these
 * rows, in which z are moved and loops are closed, and one with them, in which q' = K w + s and w'
 * follow as above. z' are the rates of z in u = J q'. */
#include "simulate/internal.h"

#include "tree/dynamics.h"
#include "tree/tree.h"

#include <math.h>
#include <string.h>

struct gdyn_minimal {
    const gdyn_tree *tree,
        *poses; /* all rows; holonomic ones (the same tree when there are no others) */
    gdyn_tree_dynamics *home; /* of `poses`, at the pose where the step began */
    gdyn_tree_dynamics *here; /* of `tree`, at the present pose */
    gdyn_tree_pose *moving;   /* of `poses`, at the present pose; NULL: one tree */
    int places, *z;           /* independent coordinates of the step */
    int f, *w;                /* independent rates of the step, coordinates of `tree` */
    double *rates;            /* n_q: q' in `poses` */
    double *wdot, *wddot;     /* f, room n_q */
    double *force, *u, *udot; /* n */
};

struct gdyn_minimal *gdyn_minimal_create(gdyn_arena *arena, const gdyn_model *model) {
    struct gdyn_minimal *m = gdyn_arena_alloc(arena, 1, sizeof *m);
    if (!m)
        return NULL;
    /* Wheels and knife edges bind velocities only: a second tree without their rows. */
    bool wheels = gdyn_model_pfaffian(model) > 0;
    m->tree = gdyn_model_tree(model);
    m->poses = gdyn_model_pose_tree(model);
    m->home = gdyn_tree_dynamics_create(m->poses);
    m->here = gdyn_tree_dynamics_create(m->tree);
    m->moving = wheels ? gdyn_tree_pose_create(m->poses, 0) : NULL;
    /* room for the coordinates of both trees */
    size_t n = (size_t)gdyn_model_coordinates(model);
    size_t nq = (size_t)gdyn_tree_coordinates(m->poses);
    size_t own = (size_t)gdyn_tree_coordinates(m->tree), most = nq > own ? nq : own;
    double **const coordinates[] = {&m->rates, &m->wdot, &m->wddot};
    double **const bodies[] = {&m->force, &m->u, &m->udot};
    for (int i = 0; i < 3; i++) {
        *coordinates[i] = gdyn_arena_doubles(arena, most);
        *bodies[i] = gdyn_arena_doubles(arena, n);
    }
    m->z = gdyn_arena_alloc(arena, most, sizeof *m->z);
    m->w = gdyn_arena_alloc(arena, most, sizeof *m->w);
    if (m->home && m->here && (m->moving || !wheels) && !gdyn_arena_failed(arena))
        return m;
    gdyn_minimal_destroy(m);
    return NULL;
}

void gdyn_minimal_destroy(struct gdyn_minimal *m) {
    if (!m)
        return;
    gdyn_tree_pose_destroy(m->moving);
    gdyn_tree_dynamics_destroy(m->here), gdyn_tree_dynamics_destroy(m->home);
}

/* Accelerations at the pose and speeds last set in `here`; the equations are assembled. */
static gdyn_status accelerate(gdyn_dynamics *d) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_mech_bias(d->state, d->velocity, m->force);
    for (int j = 0; j < d->n; j++)
        m->force[j] += d->f[j] / d->column[j]; /* the tree has the bias in its equations */
    gdyn_status status =
        gdyn_tree_accelerate(m->here, GDYN_TREE_CHEAPER, m->force, m->wddot, NULL, m->udot, NULL);
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
    /* The rates chosen from all velocities, and back: rounding off the constraints goes. */
    gdyn_tree_independent_rates(m->here, d->velocity, m->wdot);
    gdyn_tree_speeds(m->here, m->wdot, NULL, m->u);
    return accelerate(d);
}

static double scale_of(const gdyn_tree *tree, int coordinate, double L) {
    return gdyn_tree_coordinate_turns(tree, coordinate) ? 1 : L;
}

double gdyn_minimal_place_scale(const gdyn_dynamics *d, int k) {
    return scale_of(d->minimal->poses, d->minimal->z[k], d->L);
}

double gdyn_minimal_rate_scale(const gdyn_dynamics *d, int k) {
    return scale_of(d->minimal->tree, d->minimal->w[k], d->L);
}

/* Whether the tree's choice is this one, of `count` coordinates. */
static bool chosen(const gdyn_tree_dynamics *tree, int freedom, int count, const int *list) {
    return freedom == count && (count == 0 || memcmp(list, gdyn_tree_independent(tree),
                                                     (size_t)count * sizeof *list) == 0);
}

static void take_choice(const gdyn_tree_dynamics *tree, int freedom, int *count, int *list) {
    *count = freedom;
    memcpy(list, gdyn_tree_independent(tree), (size_t)freedom * sizeof *list);
}

gdyn_status gdyn_minimal_begin(gdyn_dynamics *d, const gdyn_state *state, const double *u,
                               int *places, int *f, double *wdot) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_tree_dynamics *rates = m->moving ? m->here : m->home;
    gdyn_tree_condition at, of = {0};
    /* The best choices, so that they last for the step. */
    gdyn_tree_prefer(m->home, 0, NULL);
    gdyn_status status = gdyn_tree_dynamics_set(m->home, state, &at);
    if (status == GDYN_OK && m->moving) {
        gdyn_tree_prefer(m->here, 0, NULL);
        status = gdyn_tree_dynamics_set(m->here, state, &of);
    } else {
        of = at;
    }
    if (status != GDYN_OK)
        return status;
    /* A new choice is counted, and how good it is. */
    bool same =
        chosen(m->home, at.freedom, m->places, m->z) && chosen(rates, of.freedom, m->f, m->w);
    d->choices += !same || d->choices == 0;
    d->condition = fmin(at.choice, of.choice);
    take_choice(m->home, at.freedom, &m->places, m->z);
    take_choice(rates, of.freedom, &m->f, m->w);
    *places = m->places, *f = m->f;
    gdyn_tree_independent_rates(rates, u, wdot);
    return GDYN_OK;
}

bool gdyn_minimal_place(gdyn_dynamics *d, const double *dz, const double *wdot, gdyn_state *to,
                        double *u) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_tree_condition found;
    gdyn_tree_placed placed;
    /* The pose: loops closed at the displaced coordinates. */
    gdyn_tree_place(m->home, dz, to, &placed);
    /* Velocities from the rates that the step has chosen. */
    gdyn_tree_prefer(m->here, m->f, m->w);
    if (!placed.closed || gdyn_tree_dynamics_set(m->here, to, &found) != GDYN_OK)
        return false;
    /* Another choice of rates would mean other velocities. */
    if (!chosen(m->here, found.freedom, m->f, m->w))
        return false;
    gdyn_tree_speeds(m->here, wdot, NULL, u);
    return true;
}

/* z' in the motion u at the state: those of w, or what the wheels leave of them. */
static const double *place_rates(struct gdyn_minimal *m, const gdyn_state *state, const double *u,
                                 const double *wdot) {
    if (!m->moving)
        return wdot;
    /* q' of the motion in the tree without wheels */
    gdyn_tree_pose_set(m->moving, state);
    gdyn_tree_joint_rates(m->moving, u, m->rates);
    for (int k = 0; k < m->places; k++) /* z ascend: no entry is lost before it is read */
        m->rates[k] = m->rates[m->z[k]];
    return m->rates;
}

bool gdyn_minimal_rates(gdyn_dynamics *d, const gdyn_state *state, const double *u,
                        const double *dz, const double *wdot, double *rate, double *wddot) {
    struct gdyn_minimal *m = d->minimal;
    gdyn_dynamics_equations(d, state, u);
    if (d->loaded != GDYN_OK || accelerate(d) != GDYN_OK ||
        gdyn_sticking_solve(d, accelerate) != GDYN_OK || !gdyn_all_finite(d->n, 1, d->x, d->n))
        return false;
    gdyn_tree_displacement_rates(m->home, dz, place_rates(m, state, u, wdot), rate);
    /* accelerations of the independent rates */
    memcpy(wddot, m->wddot, (size_t)m->f * sizeof *wddot);
    return true;
}
