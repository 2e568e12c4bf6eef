/* method.h - the inside of the search: its state, what a method adds to it, and the parts that
 * methods are made of. */
#pragma once

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "search/fronts.h"
#include "search/hypervolume.h"
#include "search/search.h"

#include <math.h>
#include <nlopt.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- variation: how children are made from parents. */

typedef struct gdyn_variation {
    int n;
    const double *lower, *upper; /* n */
    const bool *integer;         /* n: integer or categorical */
    const bool *categorical;     /* n: unordered integers between the bounds */
    double crossover, crossover_variable, crossover_eta, mutation, mutation_eta;
} gdyn_variation;

typedef struct gdyn_range {
    double low, high;
} gdyn_range;
/* The bounds of variable j, of a whole one half a step further on both sides. */
gdyn_range gdyn_variation_range(const gdyn_variation *variation, int j);
/* Rounds variable j where it must be whole and keeps it within its bounds. */
double gdyn_variation_settle(const gdyn_variation *variation, int j, double x);
/* Bounded simulated binary crossover of a and b (n) into c and d. */
void gdyn_variation_cross(const gdyn_variation *variation, gdyn_random *random, const double *a,
                          const double *b, double *c, double *d);
/* Bounded polynomial mutation in place. */
void gdyn_variation_mutate(const gdyn_variation *variation, gdyn_random *random, double *x);
/* Bounded polynomial mutation of variable j of x (n), which is not held. */
void gdyn_variation_change(const gdyn_variation *variation, gdyn_random *random, int j, double *x);
/* The next value of one whole variable, or another name; false: there is no such variable. */
bool gdyn_variation_next_whole(const gdyn_variation *variation, gdyn_random *random, double *x);
/* Mutates one free variable, so that x differs from what it was (unless every variable is held). */
void gdyn_variation_disturb(const gdyn_variation *variation, gdyn_random *random, double *x);

/* --- scalar: one problem of one objective made of many.
 *
 * Pascoletti, Serafini 1984: with objectives scaled to F_i = (f_i - ideal_i) / range_i,
 *
 *   minimize t,   F_i(x) + rho sum_l F_l(x) <= a_i + t d_i  (i = 1 .. m),   d >= 0
 *   (without rho where d_i = 0).
 *
 * Every sweep is this problem with other a and d:
 *   single objective     d = e_k, a_i = INFINITY for the others (no row)
 *   weighted Chebyshev   a = 0 (the ideal point), d_i = 1/w_i
 *   epsilon constraints  d = e_k, a_i = epsilon_i
 *   boundary normals     a = a point of the simplex between the minima of the single objectives,
 *                        d = the quasi-normal (Das, Dennis 1998, as inequalities: only Pareto
 *                        points are found, and all of them when m = 2)
 *   polishing            a = F of a known design, d = 1: better in all objectives at once.
 * rho > 0 (the augmentation) keeps weakly dominated designs out. */

typedef struct gdyn_scalar {
    int m;
    double rho;
    double *ideal, *range; /* m: scale, range > 0 */
    double *a, *d;         /* m */
} gdyn_scalar;

/* The arrays of a problem, zeroed; a lack of memory is remembered by the arena. */
void gdyn_scalar_create(gdyn_arena *arena, int m, gdyn_scalar *p);
/* Row i: (F_i + rho sum F_l - a_i) / d_i, which t must not be less than; where d_i = 0 it is
 * F_i - a_i, which must not be positive. -INFINITY when a_i is infinite. */
double gdyn_scalar_row(const gdyn_scalar *p, const double *f, int i);
/* The least t: the greatest row with d_i > 0. */
double gdyn_scalar_value(const gdyn_scalar *p, const double *f);
/* Sum of the positive rows with d_i = 0. */
double gdyn_scalar_excess(const gdyn_scalar *p, const double *f);

/* Weights of Das and Dennis (1998): all w >= 0 with sum 1 that are multiples of 1/divisions. */
/* Greatest number of divisions with no more than `count` weights (at least 1), and how many. */
int gdyn_weights_divisions(int m, int count, int *weights);
/* Fills w (m x weights): corners first, then always the one farthest from all before it, so that
 * any number of first weights is spread evenly. distance: scratch (weights). */
void gdyn_weights_fill(int m, int divisions, int weights, double *w, double *distance);

/* --- solver: one scalar problem solved by NLopt, which calls its objective and expects the value
 * at once, in a thread of its own.
 *
 * A solver asks for one or several designs at a time (a point, or the neighbours that differences
 * need), sleeps until the search has evaluated them, and finds the answers beside them. Solvers run
 * only within gdyn_workers_breed and share nothing, so what they do does not depend on time. A
 * solver works in the unit box of its free variables; whole variables are rounded when a design is
 * made. */

/* How a problem is passed to an algorithm. */
typedef enum gdyn_solver_form {
    GDYN_FORM_PENALTY,  /* one function: the greatest row, plus a penalty */
    GDYN_FORM_ROWS,     /* the greatest row as objective, constraints as constraints */
    GDYN_FORM_EPIGRAPH, /* t as a variable more, every row a constraint */
} gdyn_solver_form;

typedef struct gdyn_nlopt {
    gdyn_search_nlopt about;
    int algorithm, local; /* nlopt_algorithm; local: helper of a two-stage method, or -1 */
    gdyn_solver_form form;
    bool gradient, equalities; /* uses derivatives; takes equalities as such */
} gdyn_nlopt;

/* methods.c; NULL: no such name. */
const gdyn_nlopt *gdyn_nlopt_of(const char *name);
/* true when the search's method can use it for its free variables. */
bool gdyn_nlopt_fits(const gdyn_search *search, const gdyn_nlopt *nlopt);

/* Results of one design. */
typedef struct gdyn_answers {
    double *x;                   /* n x most: the designs asked for */
    double *f, *g;               /* m x most, constraints x most */
    double *violation, *failure; /* most */
    bool *detailed;              /* most: g is known */
    long *serial;                /* most: numbers of the designs */
} gdyn_answers;

typedef struct gdyn_solver gdyn_solver;

/* Greatest number of designs asked for at a time. */
int gdyn_solver_most(const gdyn_search *s, const gdyn_nlopt *nlopt);
/* NULL: out of memory. */
gdyn_solver *gdyn_solver_create(const gdyn_search *s, const gdyn_nlopt *nlopt);

typedef struct gdyn_solver_task {
    const double *start; /* n: copied */
    bool hold_whole;     /* whole variables stay as in start */
    bool constrained;    /* constraints and violation may be positive somewhere */
    bool polish;         /* finer differences; equalities may use their whole tolerance */
    double step;         /* first step, share of the range */
    double tolerance;    /* on unit variables and scaled objectives */
    long budget;         /* designs */
    int runs;            /* of NLopt, at most; 1: no hops */
    uint64_t seed;       /* of NLopt's random numbers */
    int tag;             /* the caller's own */
} gdyn_solver_task;

/* Begins a task, v->problem being set; the solver must be idle. false: no variable is free, nothing
 * to do. */
bool gdyn_solver_begin(gdyn_solver *solver, const gdyn_solver_task *task);
/* Does the task, in the solver's thread. */
void gdyn_solver_solve(gdyn_solver *solver);
/* There: sleeps until the designs asked for are evaluated. false: the search ends. */
bool gdyn_solver_wait(gdyn_solver *solver);

/* --- solver_state: the state of a solver, between its parts.
 *
 * solver.c runs tasks, solver_nlopt.c is NLopt's side, solver_rows.c asks for designs and makes
 * rows of their results. */

enum { GDYN_SOLVER_REMEMBERED = 16 };

/* What tells of jumps (solver_jumps.c). */
typedef struct gdyn_solver_jumps {
    double *base, *last; /* n: where the line search begins, the last point with slopes or trial */
    double base_value, last_value; /* of the goals there */
    double step, quotient;         /* of the last trial */
    int growing, found;            /* quotients that have grown in a row; jumps of the task */
    bool watched, jammed;          /* points are compared; the run is stopped at a jump */
} gdyn_solver_jumps;

struct gdyn_solver {
    const gdyn_search *search;
    const gdyn_nlopt *nlopt;
    int n;
    pthread_t thread; /* workers.c */
    sem_t go, back;
    bool busy, gone, ending; /* has a task, runs at present, shall end */
    gdyn_answers answers;
    int asked; /* designs that it waits for, */
    int apart; /* the last ones of which are neighbours of */
    long base; /* the design of that number, -1: the first one of those asked for */
    gdyn_solver_task task;
    gdyn_scalar problem; /* that the task solves */
    long used;
    bool over;             /* budget used or search ending */
    int *free;             /* n: free variables */
    int variables;         /* how many; t is u[variables] */
    double *start;         /* n */
    double *u;             /* n + 1: NLopt's point, with t */
    double *best;          /* n: best point of the task */
    double *restored;      /* n: scratch */
    double *lower, *upper; /* n: bounds of u: the unit box, less what lies beyond jumps */
    gdyn_solver_jumps jumps;
    double best_value, best_excess;
    double best_slack; /* of the row that is farthest from being active */
    double ceiling, penalty;
    double gain;     /* factor of the goals as NLopt sees them */
    int rows, goals; /* rows: goals (with t) first, then constraints */
    /* 2 rows: inequalities as NLopt is given them, r or, with the other sign, ~r, then `equalities`
     * equalities; `pairs` equalities are two inequalities */
    int *order;
    int equalities, pairs;
    double part;       /* of an equality's tolerance: what a run is content with */
    double *tolerance; /* rows: of an equality, 0: none */
    double *size;      /* rows: of a constraint, which is divided by it */
    int *goal;         /* m: objective of each goal row */
    int *limit;        /* m: objectives with d = 0 */
    int limits;
    double *settled;           /* n: design of the present point */
    double *seen_x, *seen_row; /* n and rows x GDYN_SOLVER_REMEMBERED */
    long seen_serial[GDYN_SOLVER_REMEMBERED];
    int seen, latest;
    double *slope_u, *slope; /* point (n) and derivatives (n x rows, by rows) at it */
    bool sloped;
    int sloped_points; /* of the task */
    int *again;        /* n: variables whose neighbour was useless */
    double *change;    /* rows: scratch */
    nlopt_opt opt;
};

/* solver_rows.c: rows at u (n, unit box), their derivatives in v->slope when wanted; asks for the
 * designs that are not known, which sleeps. NULL: it is over. The best point is noted. */
const double *gdyn_solver_look(gdyn_solver *v, const double *u, bool slopes);
/* After the first look, with slopes: each constraint becomes a row with a slope of one there, if it
 * has any. */
void gdyn_solver_scale(gdyn_solver *v);
/* Of the rows of one point: the greatest goal; the sum of what is above zero behind the goals. */
double gdyn_solver_greatest(const gdyn_solver *v, const double *row);
double gdyn_solver_excess(const gdyn_solver *v, const double *row);
/* What is added to row r, a constraint g <= 0 (0: another one), that it ends on the right side. */
double gdyn_solver_margin(const gdyn_solver *v, int r);
/* r, above the ceiling L bent to L (2 - L/r). */
double gdyn_solver_bend(const gdyn_solver *v, double r);

/* solver_jumps.c: no jumps are known: a new task. */
void gdyn_solver_forget_jumps(gdyn_solver *v);
/* Compares the rows at u with those at the points before; stops the run at a jump. */
void gdyn_solver_watch(gdyn_solver *v, const double *u, const double *row, bool slopes);
/* After a run: when it was stopped at a jump, that becomes a bound and v->u the start of the next
 * run. false: no other run. */
bool gdyn_solver_pass_jump(gdyn_solver *v);

/* solver_nlopt.c: a run of NLopt from v->u, and another one from each jump. */
void gdyn_solver_run(gdyn_solver *v);

/* --- aim: a region of the front that is preferred, by a reference point.
 *
 * The achievement of a design (Wierzbicki 1980), with the objectives scaled to 0 at the least value
 * of each and 1 at the greatest one of the ends of the front,
 *
 *   t(f) = max_i (F_i - A_i) + rho sum_i F_i,   A: the aim, reachable or not
 *
 * is least on the front where the ray from the aim along the diagonal of the scale meets it. The
 * region is what is worse by no more than `width`: all designs below the point  A_i + t_least +
 * width. It follows the best design. The corner bound_i is cut at the ends of the front, 1 + width:
 * there is nothing beyond, and an aim may be worse than any design.
 *
 * Survivors are distinguished by domination first; of a front that does not fit designs outside of
 * the region go first, the farthest ones before the others. The ends of the front stay, as they
 * give the scale. */

typedef struct gdyn_aim {
    int m;
    double width;
    double *z;     /* m: the aim */
    double *bound; /* m: corner of the region */
    int *end;      /* m: slots of the ends of the front: the greatest of each objective */
    double least;  /* achievement of the best design known */
    int best;      /* its slot */
    bool known;    /* a feasible design is: ideal, range, bound, end, least and best are set */
    gdyn_scalar scalar;
} gdyn_aim;

/* `width` as a share of the scale. NULL: out of memory. */
gdyn_aim *gdyn_aim_create(gdyn_arena *arena, int m, const double *z, double width);

/* Whether the search has an aim and a feasible design. */
bool gdyn_aim_known(const gdyn_search *s);
/* Scale, best design and region from the feasible designs of pool[0 .. count). */
void gdyn_aim_learn(gdyn_search *s, int count);

typedef void gdyn_thinning(gdyn_fronts *fronts, const double *F, int count, int *member, int keep,
                           double *crowding);
/* Thins a front of feasible designs: the best design stands first, the ends behind it, the region
 * thinned by `thin` follows, then what is outside, the nearest first. crowding[]: INFINITY for the
 * first ones, less than zero outside. */
void gdyn_aim_thin(gdyn_search *s, gdyn_thinning *thin, int count, int *member, int keep);
/* Parents at the beginning of the list that are of the first front and either in the region or an
 * end. */
int gdyn_aim_parents(const gdyn_search *s);

/* --- boxes: the space that no point of a front dominates, divided into boxes; expected gain of
 * hypervolume
 *.
 *
 * Objectives are minimized. The space below the reference that no point dominates is the union of
 * disjoint boxes, one for each local upper bound u with its defining points z^1 .. z^m (u_j =
 * z^j_j):
 *   (-inf, u_1) x [max_{k<2} z^k_2, u_2) x .. x [max_{k<m} z^k_m, u_m)
 * (Klamroth, Lacour, Vanderpooten 2015; Lacour, Klamroth, Fonseca 2017). A new point y gains the
 * sum over the boxes of prod_j (u_j - max(l_j, y_j))^+; where its objectives are normal and
 * independent, the expected gain is the sum of products of closed forms (Yang, Emmerich, Deutz,
 * Back 2019). */

typedef struct gdyn_boxes gdyn_boxes;

/* Room for `points` points with m objectives and `most` boxes. NULL: out of memory. */
gdyn_boxes *gdyn_boxes_create(gdyn_arena *arena, int m, int points, int most);
/* No point yet: all below the reference (m). */
void gdyn_boxes_clear(gdyn_boxes *boxes, const double *reference);
/* Adds a point (m). One that is dominated, or not below the reference, changes nothing. False:
 * there is no room, and nothing is changed. */
bool gdyn_boxes_add(gdyn_boxes *boxes, const double *z);
int gdyn_boxes_count(const gdyn_boxes *boxes);
/* Expected gain of a point with these means and deviations (m; a deviation of 0: known). */
double gdyn_boxes_gain(gdyn_boxes *boxes, const double *mean, const double *deviation);

/* --- gauss: Gaussian processes: regression that predicts its own error.
 *
 *   y(x) = mu + sigma (z(x) + sqrt(lambda) noise),  z normal with the Matern 5/2 correlation
 *   R(x, x') = (1 + t + t^2 / 3) exp(-t),  t = sqrt(5) |x - x'|,
 *   |x - x'|^2 = sum_j (x_j - x'_j)^2 / l_j^2
 *
 * (Rasmussen, Williams 2006, sections 2.2, 4.2.1, 5.4.1). Names without an order are equal or
 * differ by one. The logarithms of the lengths l_j and of lambda are found by their likelihood with
 * mu and sigma at their best, times a prior that keeps them bounded while data are few. */

typedef struct gdyn_gauss {
    int most, n, names, count; /* count: points of the last fit */
    double *x, *y;             /* n x most, most: the points */
    double *theta, *best;      /* n + 1: log l_j, then log lambda; the best of a search */
    double *weight;            /* n: 1 / l^2 */
    bool exact;                /* the caller's: no more than little noise is looked for */
    double noise;              /* lambda; times sigma^2: the variance of the noise */
    double *L;                 /* most x most: factor of R + lambda I, of the points (ld count) */
    double *inverse;           /* most x most: its inverse, for the gradient */
    double *slope;             /* most x most: derivative of R by -|x - x'|^2 / 2 */
    double *a, *one;           /* most: (R + lambda I)^-1 (y - mu), and of ones */
    double mu, scale;          /* scale: sigma^2 */
} gdyn_gauss;

/* Room for `most` points with n coordinates, of which the last `names` are names without an order;
 * the others should span about the unit box. NULL: out of memory. */
gdyn_gauss *gdyn_gauss_create(gdyn_arena *arena, int most, int n, int names);
/* Lengths and noise become the centres of their priors, as after create. */
void gdyn_gauss_forget(gdyn_gauss *gauss);

/* Takes over `count` points x (n x count) with values y (count) and, with iterations > 0, improves
 * lengths and noise by so many evaluations of the likelihood from where they are.
 * GDYN_ERROR_NUMERIC: a value is not finite. */
gdyn_status gdyn_gauss_fit(gdyn_gauss *gauss, int count, const double *x, const double *y,
                           int iterations);

/* Replaces the values of the last fit by y (its count); lengths and noise stay. Returns minus the
 * logarithm of their likelihood up to a constant. */
double gdyn_gauss_misfit(gdyn_gauss *gauss, const double *y);
/* Mean and variance (without noise) at `count` points x (n x count); V (fitted points x count)
 * receives what gdyn_gauss_covariance needs of them. */
void gdyn_gauss_predict(const gdyn_gauss *gauss, int count, const double *x, double *mean,
                        double *variance, double *V);
/* Covariance of the predictions at `count` points x with that at point `one` of them. */
void gdyn_gauss_covariance(const gdyn_gauss *gauss, int one, int count, const double *x,
                           const double *V, double *covariance);
/* Minus the logarithm of likelihood times prior at theta (n + 1: log l_j, then log lambda) for the
 * points of the last fit, up to a constant, and its gradient (n + 1, or NULL). The next prediction
 * needs a fit. */
double gdyn_gauss_objective(gdyn_gauss *gauss, const double *theta, double *gradient);
/* --- method: the search's state and what a method adds to it.
 *
 * The search owns slots for designs and their results. Parents (the survivors) and children (the
 * batch that waits for results) are lists of slots, so designs are never copied. One step:
 *
 *   results -> learn -> select (parents and children -> parents) -> breed (-> children)
 *
 * A population method needs select and breed only. A method that is no population method (scalar
 * problems solved side by side) takes its results in `learn`, writes its next designs in `breed`
 * and keeps the usual `select`: then parents are the best designs found so far. */

typedef struct gdyn_method {
    double crossover, crossover_eta; /* used where the options leave them open; 0: 0.9 and 15 */
    /* Greatest number of designs of one batch (>= 1); NULL: the population. Called first; n, m, N,
     * options, variation and constraints of the search are set. */
    int (*room)(const gdyn_search *s);
    /* Makes s->engine; may be NULL. GDYN_ERROR_ARGUMENT: the method cannot treat the problem. */
    gdyn_status (*create)(gdyn_search *s);
    /* Frees s->engine, also one that was made in part; may be NULL. */
    void (*destroy)(gdyn_search *s);
    /* Takes note of the evaluated batch child[0 .. children) before the survivors are selected; may
     * be NULL. */
    gdyn_status (*learn)(gdyn_search *s);
    /* The survivors of the slots pool[0 .. count) into parent[], best fronts first, with their
     * front and crowding; sets s->parents (at most N). */
    void (*select)(gdyn_search *s, int count);
    /* Next batch into the slots child[0 .. room), which are free; *count tells how many, 0: the
     * method has ended. */
    gdyn_status (*breed)(gdyn_search *s, int *count);
    /* false: the stall rule waits; NULL: it need not. */
    bool (*settled)(const gdyn_search *s);
    const struct gdyn_method *single; /* in its place with one objective; NULL: itself */
} gdyn_method;

extern const gdyn_method gdyn_method_nsga2, gdyn_method_de, gdyn_method_nsga3;
extern const gdyn_method gdyn_method_sweep, gdyn_method_hybrid, gdyn_method_surrogate;
extern const gdyn_method gdyn_method_single;
/* NULL for a method that is not there. */
const gdyn_method *gdyn_method_of(gdyn_search_method method);

struct gdyn_search {
    gdyn_arena *arena;           /* owns it and all of its arrays; engines take theirs from it */
    gdyn_search_options options; /* reference, aim: NULL */
    const gdyn_method *method;
    void *engine;               /* the method's own, made by its create */
    struct gdyn_de *de;         /* of de and hybrid */
    struct gdyn_helper *helper; /* of de and hybrid: NULL: none */
    int guests;                 /* children at the beginning of the batch that de did not make */
    gdyn_variation variation;   /* bounds and kinds of variables are owned */
    int n, m, N;
    int free, whole, names; /* variables that are not held; of those integer, categorical */
    int constraints;        /* number of single constraint values */
    double *equality;       /* constraints: tolerance of an equality, 0: inequality */
    double *size;           /* constraints: usual size of g, 0: not known yet */
    int measured;           /* designs that it is known from */
    int room;               /* greatest batch */
    int initial;    /* designs of the first batch, a Latin hypercube; create may change it */
    int capacity;   /* slots: 2 N + room (lag + 1) */
    double *x, *f;  /* n x (capacity + 1), m x capacity: by slot; the last design is a spare */
    double *g;      /* constraints x capacity */
    bool *detailed; /* capacity: g is known */
    double *violation, *failure, *crowding; /* capacity */
    int *front;                             /* capacity */
    long *serial;                           /* capacity */
    long *base;                             /* capacity: see gdyn_search_base */
    bool *apart;    /* capacity: a neighbour that does not compete (gdyn_search_outcome) */
    bool *received; /* capacity */
    int *parent;    /* N: slots in the order of fronts */
    int *child;     /* room: slots of the batch that is learnt from or made */
    int parents, children;
    int *waiting; /* room (lag + 1): slots of the batches that wait for results, oldest first */
    int *batch;   /* lag + 1: their sizes */
    int batches, waiting_count;
    int *pool, *work; /* capacity */
    double *packed;   /* m x capacity: objectives of the feasible designs of the pool */
    int *first;       /* capacity + 1: where each front begins in the sorted pool */
    gdyn_fronts *fronts;
    gdyn_hypervolume *volume;
    gdyn_aim *aim;                  /* NULL: no part of the front is preferred */
    double *reference;              /* m */
    double *level;                  /* options.level_count: limits of objective options.limited */
    gdyn_search_level *level_state; /* options.level_count */
    bool referenced, fixed_reference;
    double *history; /* stall_window + 1 latest hypervolumes, cyclic */
    int history_count;
    long last_volume;                 /* evaluations at the latest of them */
    const gdyn_search_recall *recall; /* NULL: the method makes the batches */
    double start_time;
    gdyn_search_info info;
};

static inline double *gdyn_slot_x(const gdyn_search *s, int slot) {
    return s->x + (size_t)slot * (size_t)s->n;
}
static inline double *gdyn_slot_f(const gdyn_search *s, int slot) {
    return s->f + (size_t)slot * (size_t)s->m;
}
static inline double *gdyn_slot_g(const gdyn_search *s, int slot) {
    return s->g + (size_t)slot * (size_t)s->constraints;
}
/* Where a share 0 <= u < 1 of a range lies; whole numbers get equal shares. */
static inline double gdyn_at_share(double low, double high, bool whole, double u) {
    return fmin(low + (whole ? floor(u * (high - low + 1)) : u * (high - low)), high);
}
/* Neither violation nor failure. */
static inline bool gdyn_slot_feasible(const gdyn_search *s, int slot) {
    return s->failure[slot] == 0 && s->violation[slot] == 0;
}

/* pool.c: gives every slot of pool[0 .. count) its front and orders the pool by fronts; front k is
 * then pool[first[k] .. first[k + 1]). Returns the number of fronts. */
int gdyn_pool_sort(gdyn_search *s, int count);
/* Less than 0: a comes first. */
typedef int gdyn_slots_compare(const gdyn_search *s, int a, int b);
/* Stable merge sort of slots; scratch: count. */
void gdyn_slots_order(const gdyn_search *s, gdyn_slots_compare *compare, int count, int *slot,
                      int *scratch);
/* The best N of the pool become the parents, front by front, the last front thinned by crowding. */
void gdyn_pool_select(gdyn_search *s, int count);
/* The same; a first front of three objectives that alone fills the population is thinned by
 * nearest neighbours (crowding would leave gaps there that grow with time), one of more objectives
 * by gdyn_fronts_spread. */
void gdyn_pool_select_apart(gdyn_search *s, int count);

/* de.c: the hooks of de, which hybrid uses beside its own: they leave the first s->guests children
 * of a batch, which come from local searches, alone. *count > 0: so many children, else the usual
 * number. */
gdyn_status gdyn_de_create(gdyn_search *s);
gdyn_status gdyn_de_learn(gdyn_search *s);
gdyn_status gdyn_de_breed(gdyn_search *s, int *count);
void gdyn_de_select(gdyn_search *s, int count);

/* helper.c: a second population of de that ignores constraints for a time. */
typedef struct gdyn_helper gdyn_helper;
gdyn_status gdyn_helper_create(gdyn_search *s);
/* Its members' slots; returns how many. */
int gdyn_helper_members(const gdyn_search *s, const int **member);
/* After a batch, before the population's survivors are selected: its own survivors; pool[] is used.
 * made, gained: of its children, and of those that improved on a member of the population's best
 * front. */
void gdyn_helper_select(gdyn_search *s, int made, int gained);
/* How many of `count` children are to be its own. */
int gdyn_helper_share(const gdyn_search *s, int count);
/* Between these its members stand in parent[]; _begin returns how many are of the first front. */
int gdyn_helper_begin(gdyn_search *s);
void gdyn_helper_end(gdyn_search *s);

/* cmaes.c: samples of CMA-ES, one objective. */
typedef struct gdyn_cmaes gdyn_cmaes;
/* NULL: out of memory. */
gdyn_cmaes *gdyn_cmaes_create(const gdyn_search *s);
/* Designs that its generation still needs. */
int gdyn_cmaes_left(const gdyn_cmaes *cmaes);
/* False: there are no continuous variables, or too many. */
bool gdyn_cmaes_samples(const gdyn_cmaes *cmaes);
/* At most `count` designs into child[first ..); returns how many, 0: nothing to sample. */
int gdyn_cmaes_breed(gdyn_cmaes *cmaes, gdyn_search *s, int first, int count);
/* Takes their results, which stand in child[first ..). */
void gdyn_cmaes_learn(gdyn_cmaes *cmaes, const gdyn_search *s, int first);

/* nsga2.c: children by tournaments, crossover and mutation. */
gdyn_status gdyn_nsga2_breed(gdyn_search *s, int *count);

/* create.c */
void gdyn_shuffle(int *list, int count, gdyn_random *random);
/* Start `number` of a local search: anywhere between the bounds, the next one its mirror image, so
 * that no half of a range is missed; whole variables stay. */
void gdyn_search_leap(const gdyn_search *s, long number, double *x);
/* search.c: announces the designs child[0 .. count), no more than evaluations are left. */
void gdyn_search_announce(gdyn_search *s, int count);

/* --- workers: solvers whose designs make up batches of a search. */

typedef struct gdyn_workers {
    const gdyn_nlopt *nlopt;
    int count;
    gdyn_solver **solver; /* count */
} gdyn_workers;

/* `workers`, zeroed, may be destroyed after a failure too. */
gdyn_status gdyn_workers_create(const gdyn_search *s, const gdyn_nlopt *nlopt, int count,
                                gdyn_workers *workers);
void gdyn_workers_destroy(gdyn_workers *workers);

/* Hands the evaluated designs child[0 .. children) to the solvers that requested them. */
void gdyn_workers_learn(gdyn_workers *workers, const gdyn_search *s);

/* Next task for a solver: fills its problem and *task; false: there is none now. */
typedef bool gdyn_workers_give(gdyn_search *s, gdyn_solver *solver, gdyn_solver_task *task);
/* Lets all workers go on together; idle ones, and those that have finished, are given the next
 * tasks in order.
 * What they ask for is written to child[0 ..); returns how many designs, 0: all are idle. */
int gdyn_workers_breed(gdyn_workers *workers, gdyn_search *s, gdyn_workers_give *give);

/* --- surrogate: what the files of the surrogate method share.
 *
 * Models see designs in the unit box of the free variables, numbers first and names behind them;
 * objectives scaled so that 0 is the front's minimum, 1 a tenth of its extent beyond its maximum,
 * logarithmic below and above, then warped. */

/* Every design evaluated so far. */
typedef struct gdyn_search_results {
    int count, room;
    double *u;                   /* free x room */
    double *f, *g;               /* m x room, constraints x room */
    double *violation, *failure; /* room */
    bool *detailed;              /* room: g is known */
} gdyn_search_results;

/* A limit that designs may break: one constraint, all violation, or whether a design can be
 * evaluated. The model's value is at most 0 where it is kept. */
typedef struct gdyn_limit_model {
    gdyn_gauss *gauss;
    /* its number; GDYN_VIOLATION, GDYN_EVALUABLE or, before the first one, GDYN_NO_LIMIT */
    int constraint;
    bool used;
    bool learned; /* lengths of this limit */
} gdyn_limit_model;
enum { GDYN_VIOLATION = -1, GDYN_EVALUABLE = -2, GDYN_NO_LIMIT = -3, GDYN_LIMITS_MOST = 10 };

typedef struct gdyn_surrogate {
    int m, free, names, constraints;
    int *variable; /* free: the search's variables, numbers first */
    int batch;
    gdyn_search_results results;

    /* Models. */
    int most; /* greatest number of points of a model */
    int *chosen,
        *member; /* most: results that the models learn from; those that the present one does */
    double *distance;    /* as many as results have room: to the centre */
    double *x, *y;       /* free x most, most: what the present model learns from */
    double *graded;      /* most: scratch */
    gdyn_gauss **target; /* m: objectives; set where `aimed` */
    bool aimed;          /* enough designs could be evaluated */
    gdyn_limit_model limit[GDYN_LIMITS_MOST];
    int limits;
    int learned;           /* results when lengths were last learned; 0: never */
    double *least, *range; /* m: scaling of objectives */
    double *power;         /* m: their lambda */
    double *corner;        /* m: reference of the expected gain */

    /* Trust region. */
    bool local;
    double radius, volume; /* share of the ranges; hypervolume before the batch */
    int failures;          /* batches without gain in a row */
    double *centre;        /* free */

    /* Candidates. */
    int candidates;                       /* written so far */
    double *design, *u;                   /* n x CANDIDATES, free x CANDIDATES */
    double *mean, *variance, *V, *covary; /* per model CANDIDATES; V: most x CANDIDATES per model */
    double *score, *known;                /* CANDIDATES; m: one candidate's means and deviations */
    bool *taken;                          /* CANDIDATES */
    gdyn_boxes *boxes;
    bool gaining; /* there is a feasible front to gain on */
} gdyn_surrogate;

/* surrogate_models.c */
gdyn_status gdyn_surrogate_models_create(gdyn_arena *arena, gdyn_surrogate *e);
/* Scales the objectives and fits all models to the results. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_surrogate_fit(gdyn_search *s);
/* The power transformation of Yeo and Johnson (2000): increasing, the identity for lambda = 1. */
double gdyn_warp(double lambda, double z);
/* Mean and deviation of the value whose warp is normal, 0 <= lambda <= 2. */
void gdyn_warp_moments(double lambda, double mean, double deviation, double *z, double *spread);
/* Minus the logarithm of the likelihood of lambda times its prior, up to a constant, if the warped
 * values z (the count of the last fit) follow the process; y (count) receives them. */
double gdyn_warp_misfit(gdyn_gauss *gauss, double lambda, const double *z, double *y);
/* Objective k in the scale of the models. */
double gdyn_surrogate_scaled(const gdyn_surrogate *e, int k, double f);

/* surrogate_picks.c */
gdyn_status gdyn_surrogate_picks_create(gdyn_arena *arena, gdyn_surrogate *e, int n,
                                        int population);
/* Writes the next designs into the slots child[0 .. batch); returns how many: fewer where no others
 * are new. */
int gdyn_surrogate_pick(gdyn_search *s);

/* A design (n) in the coordinates of the models (free). */
void gdyn_surrogate_unit(const gdyn_search *s, const double *x, double *u);
