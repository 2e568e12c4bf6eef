/* internal.h - what the files of closure share: the scaled system of equations.
 *
 * Unknowns x (n) are displacements without unit: translations divided by the characteristic length
 * L, rotations in radians, each divided by sqrt(weight). Rows are lengths divided by L, or angles.
 * J x = -r is the linearization; du = diag(column) x the body displacement in user's units.
 *
 * Row order of the position problem: m holonomic rows, the targets, then (for the global methods
 * only) one guard row e_a . e_b - 1 per pair of axes that must agree in sense. Equations such as
 * m . e = 0 are also fulfilled by the mirrored axis; the guard is not, so a least-squares descent
 * does not run into a mirrored joint. */
#pragma once

#include "closure/closure.h"
#include "base/memory.h"
#include "closure/target.h"
#include "linalg/linalg.h"
#include "mech/row.h"
#include "tree/points.h"
#include "tree/tree.h"

typedef struct gdyn_ahead gdyn_ahead;
typedef struct gdyn_sparse_closing gdyn_sparse_closing;

/* An earlier marked pose. */
typedef struct gdyn_past {
    double *rate, *acceleration; /* joint coordinates: q_p, q_pp there */
    double step;                 /* from there to the one after it; 0: not known */
} gdyn_past;

struct gdyn_closure {
    const gdyn_model *model;
    int n, m, h, bodies, per_body; /* per_body: 3 planar, 6 spatial */
    int max_targets, max_rows;
    double L;
    double *row_scale; /* m + h */
    double *unit;      /* n: L or 1, without weights */
    double *column;    /* n: unit / sqrt(weight) of the problem at hand */
    int guards;
    const gdyn_guard *guard; /* the model's */
    double *C;               /* (m + h) x n, unscaled */
    double *J, *Jt;          /* rows x n and transposed, scaled */
    double *phi;             /* m + h */
    double *rate;            /* m + h: rates of the rows */
    double *r, *r_trial, *b; /* max_rows */
    double *coefficient;     /* max_rows */
    double *x, *du, *v;      /* n */
    double *N;               /* n x n */
    double *M;               /* n x max_rows, orientation */
    int *pivot;              /* n */
    bool by_qr;              /* the last derivatives' factors are in qr, else in svd */
    int rows;                /* of the last derivatives' J */
    gdyn_rank rank;          /* of it */
    gdyn_qr *mark;           /* factors at the marked pose */
    bool marked;
    const gdyn_tree *tree;  /* joint coordinates, for regular poses of a path */
    gdyn_tree_pose *joints; /* the conditions eliminated last */
    gdyn_tree_pose *marked_joints;
    gdyn_ahead *ahead;           /* points of a path in one go (lanes.c) */
    const gdyn_row **target_row; /* max_targets */
    double *dq;                  /* joint coordinates */
    gdyn_tree_motion motion;     /* predicted from the marked pose */
    double *per_joint;           /* joint coordinates: 1/L of slides, 1 of turns */
    gdyn_past past[2];           /* the mark before the last one, and the one before that */
    double *known;               /* closing rows and targets */
    double *first, *second;      /* max_targets: rates of the targets */
    bool complete,
        by_tree; /* the last elimination left nothing free; the derivatives come from it */
    long derived_by_tree, derived_densely; /* counts */
    bool at_mark;                          /* no derivatives were taken since the mark */
    bool marked_by_tree, marked_clear;     /* the same of the marked pose */
    gdyn_state *trial, *best, *entry;
    gdyn_svd *svd;
    gdyn_damped *damped;
    gdyn_sparse_closing *sparse; /* levenberg.c; NULL: few bodies */
    gdyn_qr *qr;
    gdyn_arena *arena;
};

/* One call of gdyn_closure_solve. */
typedef struct gdyn_closing_system {
    gdyn_closure *w;
    gdyn_state *state; /* the pose that is improved */
    int count;
    const gdyn_target *targets;
    const gdyn_closure_settings *settings;
    bool guarded; /* guard rows take part */
    int budget;   /* iterations left */
    double moved; /* sum of accepted step lengths */
    gdyn_closure_info *info;
} gdyn_closing_system;

/* Residual r of the rows; its sum of squares; *greatest without the guards (may be NULL). Not
 * finite when the pose is not. */
double gdyn_closing_residual(gdyn_closing_system *q, const gdyn_state *state, double *r,
                             double *greatest);
int gdyn_closing_rows(const gdyn_closing_system *q);
/* Scaled Jacobian J (rows x n) at the state: of the machine's first `own` rows, the targets, the
 * guards. */
void gdyn_closing_assemble(gdyn_closure *w, const gdyn_state *state, int own, int count,
                           const gdyn_target *targets, int guards);
/* That of a solve. */
void gdyn_closing_jacobian(gdyn_closing_system *q);
/* Factors the transpose of J (rows x n) in qr, with the relative cut. */
gdyn_status gdyn_closure_factor(gdyn_closure *w, gdyn_qr *qr, int rows, double cut);
/* trial := state moved by factor * x. */
void gdyn_closing_try(gdyn_closing_system *q, const double *x, double factor);
/* Makes the trial pose the state and adds the length of factor * x to what was moved. */
void gdyn_closing_accept(gdyn_closing_system *q, const double *x, double factor);
/* Tells who follows the solve how far it is. */
void gdyn_closing_follow(const gdyn_closing_system *q, gdyn_closure_method at_work,
                         double residual);
/* Longest step: max_step times sqrt(number of bodies). */
double gdyn_closing_radius(const gdyn_closing_system *q);

/* The methods: improve q->state; the outcome says how they ended. */
gdyn_closure_outcome gdyn_closing_levenberg(gdyn_closing_system *q, double goal);
gdyn_closure_outcome gdyn_closing_simplex(gdyn_closing_system *q);

/* --- the ways to close ---------------------------------------------------------------------------
 *
 * Three ways answer the same questions: several points of a path at once in SIMD lanes (lanes.c),
 * joint coordinates of the spanning tree (joints.c), dense factorizations of all rows (newton.c,
 * rates.c). Each answers where every decision is clear to it and leaves the question to the next
 * one elsewhere (false); the last one always answers. What they find is the same to rounding. */

/* A step along a path (target.h). Of the lanes: whether the pose is closed; of the joints: whether
 * they answer, and *closed. */
bool gdyn_lanes_step(gdyn_closure *w, const gdyn_closure_step *step, const gdyn_closed_pose *from,
                     gdyn_closed_pose *to, gdyn_closure_info *info);
bool gdyn_joints_step(gdyn_closure *w, const gdyn_closure_step *step, const gdyn_closed_pose *from,
                      gdyn_closed_pose *to, gdyn_closure_info *info, bool *closed);
/* Newton's method from a pose near by: whether it closed. */
bool gdyn_joints_newton(gdyn_closing_system *q);
gdyn_closure_outcome gdyn_dense_newton(gdyn_closing_system *q);
/* Path derivatives at a closed pose (closure.h). */
bool gdyn_joints_rates(gdyn_closure *w, const gdyn_state *state, int count,
                       const gdyn_target *targets, const double *weights, double *u_p, double *u_pp,
                       gdyn_closure_rates *info);
/* Rank of all rows at the state. */
bool gdyn_joints_rank(gdyn_closing_system *q, gdyn_rank *rank);

/* A pose that was closed in so many steps; worst: its worst row among the closing rows and the
 * targets behind them. */
gdyn_closure_info gdyn_closing_closed(const gdyn_closure *w, int worst, int steps, double residual,
                                      double moved, const gdyn_rank *rank);
/* Below the tolerance: a few more steps bring the rest to rounding level. qr: factors near by, or
 * NULL. */
void gdyn_closing_polish(gdyn_closing_system *q, gdyn_qr *qr, double sum, double greatest);
/* A list of targets and weights that can be taken; the weights are. Derivatives of a formula may be
 * infinite where its value is not: they are looked at for rates. */
bool gdyn_closing_arguments_fit(gdyn_closure *w, int count, const gdyn_target *targets,
                                const double *weights, bool rates);
/* to := `from` displaced as the step predicts it (joints.c). */
void gdyn_closing_predict(gdyn_closure *w, const gdyn_closure_step *step,
                          const gdyn_closed_pose *from, gdyn_state *to);

/* Descent and last steps by sparse factors (levenberg.c); false: few bodies, or not closed, and the
 * state is as before. */
bool gdyn_closing_sparse(gdyn_closing_system *q);
/* Their workspace, w->sparse; false: memory. */
bool gdyn_sparse_closing_create(gdyn_closure *w);
void gdyn_sparse_closing_destroy(gdyn_sparse_closing *s);
/* Motion of the joints from the marked pose over h at most, predicted. */
const gdyn_tree_motion *gdyn_closure_motion(gdyn_closure *w, double h);

/* Workspace of lanes.c; NULL: memory is out. */
gdyn_ahead *gdyn_ahead_create(const gdyn_closure *w);
void gdyn_ahead_destroy(gdyn_ahead *ahead);
/* The present pose was reached another way. */
void gdyn_ahead_leave(gdyn_closure *w);
/* As just made. */
void gdyn_ahead_renew(gdyn_closure *w);
/* Whether the present pose came from the lanes: it is the mark then. */
bool gdyn_ahead_mark(gdyn_closure *w);
/* q_p and q_pp at the marked pose. */
void gdyn_ahead_motion(const gdyn_closure *w, const double **rate, const double **acceleration);
/* Length of a step h from the marked pose where it is known already (gdyn_closure_stride). */
bool gdyn_ahead_stride(const gdyn_closure *w, double h, double *length, double *most);
/* Makes the factors of a marked pose that came from the lanes. */
void gdyn_ahead_factor_mark(gdyn_closure *w);
/* Whether both poses came from the lanes; then what gdyn_closure_orientation tells. */
bool gdyn_ahead_orientation(const gdyn_closure *w, int *orientation);

/* No pivot that could be a doubtful singular value, and nothing that only least squares could
 * fit. */
bool gdyn_rates_clear(const gdyn_closure_rates *rates);

/* The first guard that is mirrored, -1 when none. */
int gdyn_guards_mirrored(const gdyn_closure *w, const gdyn_state *state);

/* Column scales with weights; false when a weight is not positive and finite. */
bool gdyn_closure_weigh(gdyn_closure *w, const double *weights);
/* Value less target of a row, angles up to whole turns. */
double gdyn_closure_target_residual(const gdyn_state *state, const gdyn_target *target);
double gdyn_closure_target_scale(const gdyn_closure *w, const gdyn_target *target);
