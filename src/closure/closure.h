/* closure.h - poses that satisfy the constraints: assembling from rough guesses, following a path.
 *
 * Unknowns are finite body displacements du scaled to lengths (rotations times the characteristic
 * length), rows scaled likewise. Redundant constraints are normal: every step is the minimum-norm
 * least-squares step of a rank-aware factorization.
 * Sources: Paul 2020, sections 4-5 (least squares against simplex); docs/theory.md. */
#pragma once

#include "base/api.h"
#include "linalg/rank.h"
#include "mech/mech.h"

GDYN_API_BEGIN

/* A row beyond the machine's own constraints whose value a path prescribes (target.h). */
typedef struct gdyn_target gdyn_target;

typedef enum gdyn_closure_method {
    GDYN_CLOSURE_LEAST_SQUARES, /* Levenberg-Marquardt, then Newton to full accuracy */
    /* Nelder-Mead on the sum of squares through NLopt, no derivatives: bodies, then joints */
    GDYN_CLOSURE_SIMPLEX,
    GDYN_CLOSURE_NEWTON /* Newton with step control only: near a solution */
} gdyn_closure_method;

typedef struct gdyn_closure_settings {
    gdyn_closure_method method;
    double tolerance;      /* on the scaled residual (fraction of L, or rad); default 1e-12 */
    int max_iterations;    /* default 200 (simplex: evaluations, ten times as many per unknown) */
    double max_step;       /* longest Newton step, scaled; default 0.5 */
    const double *weights; /* n weights of the unknowns for minimum norm, or NULL */
    int restarts;          /* least squares: further descents from a shaken pose when the first one
                              stalls (it may stand on a saddle); default 1 */
    /* least squares: a descent ends where, by its last steps, less than a thousandth of the sum of
     * squares is left to gain: how far a pose is from closed is known roughly; default false */
    bool rough;
    bool reuse; /* Newton: begin with the factors of the last gdyn_closure_mark, made near
                              this pose for the same targets and weights; default false */
    /* Newton: gives up (GDYN_CLOSURE_STALLED) once it has moved the pose farther; default
     * INFINITY */
    double moved_most;
    /* Called at the start and for every better pose (simplex: vertex) with the method at work, the
     * evaluations of the constraints so far and the greatest scaled residual; default NULL. Steps
     * in joint coordinates are not followed. */
    void (*follow)(void *context, gdyn_closure_method at_work, int evaluations, double residual);
    void *follow_context;
} gdyn_closure_settings;

gdyn_closure_settings gdyn_closure_default(void);

typedef enum gdyn_closure_outcome {
    GDYN_CLOSED,            /* residual below tolerance */
    GDYN_CLOSURE_STALLED,   /* least-squares minimum with a residual left: cannot be closed here */
    GDYN_CLOSURE_EXHAUSTED, /* iterations used up */
    GDYN_CLOSURE_FLIPPED /* closed, but on the mirrored branch of a joint axis (see worst_joint) */
} gdyn_closure_outcome;

typedef struct gdyn_closure_info {
    gdyn_closure_outcome outcome;
    int iterations, evaluations;
    double residual; /* greatest scaled residual */
    int worst_row;   /* index among the m holonomic rows, or m + index of a target row */
    int worst_joint; /* its joint, or -1 for a target row or motion */
    double moved;    /* scaled length of the whole displacement */
    gdyn_rank rank;  /* of the last scaled Jacobian [C; E] */
} gdyn_closure_info;

typedef struct gdyn_closure gdyn_closure;

/* Workspace for up to max_targets target rows; nothing allocates below. */
gdyn_closure *gdyn_closure_create(const gdyn_model *model, int max_targets);
void gdyn_closure_destroy(gdyn_closure *closure);
/* How many derivatives along paths came from joint coordinates, and how many from dense
 * factorizations because something was left free or a pivot was doubtful, since it was made. */
void gdyn_closure_counts(const gdyn_closure *closure, long *by_tree, long *dense);

/* Solves the holonomic constraints and the target rows, starting at and writing to state (on
 * failure state is the best pose found). Returns GDYN_OK also when the outcome is a failure. */
gdyn_status gdyn_closure_solve(gdyn_closure *closure, gdyn_state *state, int count,
                               const gdyn_target *targets, const gdyn_closure_settings *settings,
                               gdyn_closure_info *info);

/* Path derivatives at a closed pose, one SVD for both:
 *   [C; E] u_p  = [0; target[1]],   [C; E] u_pp = [-gamma(u_p); target[2] - gamma_E(u_p)]
 * (C with its Pfaffian rows, minimum norm in the scaled, weighted coordinates; with freedom left
 * u_pp also has the null-space part that makes it d(u_p)/dp along the motion so chosen, see
 * rates.c). misfit is the scaled residual of the first system relative to its right-hand side:
 * above ~1e-9 the path cannot be followed here. d/dp of body velocities: u = u_p d1, u' = u_p d2 +
 * u_pp d1^2. */
typedef struct gdyn_closure_rates {
    double misfit, misfit2;
    gdyn_rank rank; /* of the scaled [C; E] */
    int freedom;    /* n - rank: kinematic redundancy left by the path */
} gdyn_closure_rates;
gdyn_status gdyn_closure_derivatives(gdyn_closure *closure, const gdyn_state *state, int count,
                                     const gdyn_target *targets, const double *weights, double *u_p,
                                     double *u_pp, gdyn_closure_rates *info);

/* Mobility at a pose: rank decision of the scaled C = [Phi; Psi]; mobility = n - rank, redundant
 * constraints = m + h - rank. */
typedef struct gdyn_mobility {
    int coordinates, constraints; /* n, m + h */
    int mobility, redundant;
    int gruebler; /* n - (m + h) */
    gdyn_rank rank;
} gdyn_mobility;
gdyn_status gdyn_closure_mobility(gdyn_closure *closure, const gdyn_state *state,
                                  gdyn_mobility *mobility);

/* Value of a joint's freedom [m or rad], or its rate. */
typedef struct gdyn_joint_value {
    int joint;
    gdyn_freedom freedom;
    double value;
} gdyn_joint_value;

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Takes the state from the first guess to a pose with these values of joints; the others are as at
 * the assembled guess unless loops move them. GDYN_OK also when it does not close (info). */
gdyn_status gdyn_closure_home(int count, const gdyn_joint_value *joint, gdyn_state *state,
                              gdyn_closure_info *info);
/* Forgets the marked pose and all factors: what follows has the same bits as with a workspace that
 * was just made. */
void gdyn_closure_renew(gdyn_closure *closure);
/* Makes the joints hold along which the closure moves, in a pose that was found with other lengths:
 * the ways along a path correct what closes the loops alone. */
void gdyn_closure_settle(gdyn_closure *closure, gdyn_state *state);
/* Targets that it has room for. */
int gdyn_closure_room(const gdyn_closure *closure);
/* The same by a pivoted QR at a seventh of the cost, where the pose is clearly regular; there
 * info->rank holds the pivots, which lie within a small factor of the singular values. Elsewhere (a
 * pivot below 1e-3 of the greatest, a misfit) by the SVD. */
gdyn_status gdyn_closure_derivatives_fast(gdyn_closure *closure, const gdyn_state *state, int count,
                                          const gdyn_target *targets, const double *weights,
                                          double *u_p, double *u_pp, gdyn_closure_rates *info);
/* Was a singular pose crossed? mark, called right after derivatives, remembers the range of their
 * [C; E]; orientation, called right after later derivatives, compares: +1 when no singular pose
 * needs to lie between (for neighbouring poses), -1 when one does, 0 when the ranks differ or
 * nothing is marked. */
void gdyn_closure_mark(gdyn_closure *closure);
int gdyn_closure_orientation(gdyn_closure *closure);

/* Which joints are open at a pose that does not close, and by how much (gaps.c). */
typedef struct gdyn_gap {
    int joint;
    double amount; /* of its worst row [m] or [rad] */
    bool length;   /* a length */
} gdyn_gap;

/* The joints that are open by at least a tenth of the worst one (rows as shares of L, or radians),
 * the worst one first, then in the order of the machine: the first `most` of them into list; *count
 * is how many. */
gdyn_status gdyn_gaps_find(const gdyn_state *state, int most, gdyn_gap *list, int *count);
/* Joints whose axes must be parallel or at right angles and miss that by more than 30 degrees at
 * the first guess: an axis in a wrong frame. The first `most` of them; *count is how many. */
gdyn_status gdyn_gaps_axes_across(const gdyn_model *model, int most, int *joint, int *count);
