/* simplex.c - the derivative-free descent: Nelder and Mead's simplex on the sum of squares, to
 * rounding.
 *
 * Paul 2020, sections 5.2-5.4, closes loops with it (fminsearch) beside least squares, in joint
 * coordinates of a tree of which only the cut joints are open. Two stages lead there, both without
 * derivatives:
 *   1. from the ground outwards every body moves alone until the joint on which it hangs
 *      holds: three or six unknowns;
 *   2. all joints of the tree move (gdyn_tree_move) until all rows hold.
 * The smallest sum is zero, so that it can be followed down to the square of rounding. In many
 * dimensions a simplex collapses: it starts again at the best pose, of the size of the residual
 * there, and larger where it hardly descended. NLopt's LN_NELDERMEAD searches, on displacements
 * from the entry pose; it allocates. */
#include "closure/internal.h"

#include "base/memory.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

/* First edge of a simplex; the smallest one; spread of the sums over the simplex at which a round
 * ends. */
static const double SIZE = 0.05, SIZE_LEAST = 1e-12, SPREAD = 1e-3;
/* Residuals end at this share of the tolerance; a round that leaves more than this share of the sum
 * has stalled. */
static const double END = 0.03, HARDLY = 0.5;

/* Both stages may be repeated where moves of the tree leave joints open; rounds in succession that
 * stall; evaluations per unknown and iteration of the settings. */
enum { TURNS = 3, STALLS = 6, EVALUATIONS = 10 };

/* What moves: one body, or all joints. */
typedef struct descent {
    gdyn_closing_system *q;
    int body, joint; /* body >= 0: it moves alone, until this joint holds */
    int count;       /* unknowns, fractions of L or angles */
    double *x;       /* count */
    double best;     /* smallest sum of squares so far */
    long used;       /* evaluations */
} descent;

/* The trial pose: the present one displaced by x. */
static void displace(const descent *s, const double *x) {
    gdyn_closure *w = s->q->w;
    if (s->body < 0) {
        for (int j = 0; j < s->count; j++)
            w->dq[j] = x[j] * (gdyn_tree_coordinate_turns(w->tree, j) ? 1 : w->L);
        gdyn_tree_move(w->joints, s->q->state, w->dq, w->trial);
        return;
    }
    memset(w->du, 0, (size_t)w->n * sizeof *w->du);
    for (int j = s->body * w->per_body, k = 0; k < s->count; j++, k++)
        w->du[j] = x[k] * w->unit[j];
    gdyn_state_copy(w->trial, s->q->state);
    gdyn_state_move(w->trial, w->du);
}

/* Sum of squares of the rows that count, at the trial pose. */
static double sum_of(const descent *s, double *greatest) {
    gdyn_closing_system *q = s->q;
    const gdyn_closure *w = q->w;
    double all = gdyn_closing_residual(q, w->trial, w->r_trial, greatest), sum = 0;
    if (s->body < 0 || !isfinite(all))
        return all;
    /* rows and guards of the one joint */
    for (int i = 0; i < w->m; i++)
        if (gdyn_model_row_joint(w->model, i) == s->joint)
            sum += w->r_trial[i] * w->r_trial[i];
    for (int i = 0; i < w->guards; i++)
        if (w->guard[i].joint == s->joint)
            sum += w->r_trial[w->m + q->count + i] * w->r_trial[w->m + q->count + i];
    return sum;
}

/* Sum of squares at a displacement; infinite values must not enter the simplex. */
static double cost(unsigned n, const double *x, double *gradient, void *context) {
    (void)n;
    (void)gradient; /* never asked for by this method */
    descent *s = context;
    double greatest;
    displace(s, x);
    double sum = sum_of(s, &greatest);
    s->used++;
    /* the way down, for who follows it */
    if (sum < s->best) {
        s->best = sum;
        gdyn_closing_follow(s->q, GDYN_CLOSURE_SIMPLEX, greatest);
    }
    return isfinite(sum) ? sum : 1e300;
}

/* One simplex of a size; x: where it ended. */
static void search(descent *s, double size, double enough, long evaluations) {
    nlopt_opt opt = nlopt_create(NLOPT_LN_NELDERMEAD, (unsigned)s->count);
    double least;
    memset(s->x, 0, (size_t)s->count * sizeof *s->x);
    if (!opt) {
        gdyn_memory_refuse();
        return;
    }
    nlopt_set_min_objective(opt, cost, s);
    nlopt_set_initial_step1(opt, size);
    nlopt_set_maxeval(opt, (int)evaluations);
    nlopt_set_stopval(opt, enough);
    nlopt_set_ftol_rel(opt, SPREAD);
    /* x is the best vertex, however the search ended */
    nlopt_optimize(opt, s->x, &least);
    nlopt_destroy(opt);
}

/* Simplices from where the last one ended, until the rows hold, nothing descends or evaluations are
 * used up. */
static void descend(descent *s) {
    gdyn_closing_system *q = s->q;
    long most = (long)EVALUATIONS * q->settings->max_iterations * s->count;
    double enough = pow(END * q->settings->tolerance, 2), size = SIZE;
    gdyn_state_copy(q->w->trial, q->state);
    s->best = sum_of(s, NULL);
    s->used = 0;
    for (int stalls = 0; s->best > enough && stalls < STALLS && s->used < most;) {
        double before = s->best;
        search(s, size, enough, most - s->used);
        q->info->iterations++;
        /* the best vertex becomes the pose */
        if (s->best < before) {
            displace(s, s->x);
            gdyn_state_copy(q->state, q->w->trial);
        }
        bool hardly = !(s->best < HARDLY * before);
        stalls = hardly ? stalls + 1 : 0;
        size = fmax(fmin(size, sqrt(s->best)), SIZE_LEAST) * (hardly ? 3 : 1);
    }
}

/* Stage 1: bodies outwards from the ground; a body hangs on its joint to one that was placed
 * before. */
static void place_bodies(descent *s, bool *placed) {
    const gdyn_closure *w = s->q->w;
    memset(placed, 0, (size_t)w->bodies * sizeof *placed);
    for (int left = w->bodies, before = 0; left > 0 && left != before;) {
        before = left;
        for (int i = 0; i < w->bodies; i++) {
            int inboard = gdyn_tree_inboard(w->tree, i);
            if (placed[i] || (inboard != GDYN_GROUND && !placed[inboard]))
                continue;
            placed[i] = true;
            left--;
            s->body = i;
            s->joint = gdyn_tree_joint(w->tree, i);
            s->count = w->per_body;
            /* a body that floats hangs on nothing */
            if (s->joint >= 0)
                descend(s);
        }
    }
}

/* Both stages in turns. */
gdyn_closure_outcome gdyn_closing_simplex(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    double greatest;
    int joints = gdyn_tree_coordinates(w->tree);
    descent s = {.q = q};
    s.x = gdyn_alloc((size_t)(joints + w->per_body), sizeof *s.x);
    bool *placed = gdyn_alloc((size_t)w->bodies + 1, sizeof *placed);
    gdyn_state_copy(w->best, q->state);
    gdyn_closing_residual(q, q->state, w->r, &greatest);
    gdyn_closing_follow(q, GDYN_CLOSURE_SIMPLEX, greatest);
    for (int i = 0; i < TURNS && s.x && placed && greatest > q->settings->tolerance; i++) {
        place_bodies(&s, placed);
        /* stage 2: joints that are all at once */
        s.body = -1, s.count = joints;
        if (joints > 0)
            descend(&s);
        gdyn_closing_residual(q, q->state, w->r, &greatest);
    }
    /* scaled length of the displacement from `from`; of turns the chord */
    double sum = 0, a[3], b[3], R[9], Q[9];
    for (int i = 0; i < w->bodies; i++) {
        gdyn_state_body(w->best, i, a, R), gdyn_state_body(q->state, i, b, Q);
        for (int j = 0; j < 3; j++)
            sum += pow((a[j] - b[j]) / w->L, 2);
        /* |R - Q|^2 = 8 sin^2 (angle / 2) */
        for (int j = 0; j < 9; j++)
            sum += 0.5 * (R[j] - Q[j]) * (R[j] - Q[j]);
    }
    q->moved += sqrt(sum);
    gdyn_free(s.x), gdyn_free(placed);
    return greatest <= q->settings->tolerance ? GDYN_CLOSED : GDYN_CLOSURE_STALLED;
}
