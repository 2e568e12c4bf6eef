/* rate.h - limits on the rate of the drive forces, |dF/dt| <= rate (internal to traverse).
 *
 * Such a motion has a continuous d2. Nodes p_i with x = d1^2, u = d2 and the forces of all drives; in
 * every segment d2 and the forces run linearly in time, so that p(t) is piecewise cubic:
 *   x' - x = h_e (u + u'),   dt = 2 h_e / (d1 + d1'),   h_e = h + (u' - u) dt^2 / 12,
 *   F_i = A x + B d1 + C + D u + V y,   min <= F_i <= max,   |F_{i+1} - F_i| <= rate dt.
 * y chooses the internal forces, which are part of the plan here: redundant drives can take over from
 * each other. A rest is a hold: d1 = d2 = 0 there, any allowed forces. */
#ifndef GDYN_TRAVERSE_RATE_H
#define GDYN_TRAVERSE_RATE_H

#include "base/memory.h"
#include "traverse/grid.h"

typedef struct gdyn_rate_node {
    double p, x, u;
    gdyn_copy copy;
    double tighten; /* of the limits, share of half a range */
    double *y;      /* r */
    double *F;      /* k, of the solution */
    double *unit;   /* k: half ranges */
} gdyn_rate_node;

typedef struct gdyn_rate_problem {
    int count, k, r; /* nodes, rows, columns of V */
    gdyn_rate_node *node;
    const double *rate;          /* k; INFINITY: none */
    double *slow;                /* count - 1: factor <= 1 on the rates of a segment */
    double *h;                   /* count - 1: h_e */
    double X, U;                 /* sizes of x and u */
    bool fixed_x[2], fixed_u[2]; /* at both ends */
} gdyn_rate_problem;

typedef struct gdyn_rate_outcome {
    bool possible;
    double time;
    double excess; /* not possible: all limits giving way by this share (of half a range, of the
                      rate) would just allow a motion near by */
} gdyn_rate_outcome;

/* The fastest motion near the one in the nodes, which need not keep any limit; within `gap` of its
 * time, and strictly inside all limits. */
gdyn_status gdyn_rate_solve(gdyn_rate_problem *problem, double gap, gdyn_rate_outcome *outcome);
/* The share by which all limits have to be relaxed for the motion as it is; NAN: no memory. */
double gdyn_rate_excess(gdyn_rate_problem *problem);
/* F of all nodes. */
void gdyn_rate_forces(gdyn_rate_problem *problem);
/* Time of segment i. */
double gdyn_rate_time(const gdyn_rate_problem *problem, int i);

/* A problem with where it comes from. */
typedef struct gdyn_rate_plan {
    gdyn_arena *arena;
    gdyn_rate_problem q;
    gdyn_path_dynamics *dynamics;
    double *work; /* k (r + 4) */
    gdyn_traverse *out;
    gdyn_audit_point *audit;
    int audits;
    gdyn_copy *part; /* GDYN_AUDIT_PARTS - 1 places in every segment */
    double violation, violation_p;
} gdyn_rate_plan;

/* Looks between the nodes; tightens what is violated there (node.tighten, slow), the more the later the
 * round. */
gdyn_status gdyn_rate_audit(gdyn_rate_plan *plan, int round);

/* Replaces the fastest motion without rate limits, in out, by the fastest one with them. The part of
 * the path is the dynamics's present one. Not possible: status RATE. */
gdyn_status gdyn_rate_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                          const gdyn_traverse_settings *settings);

#endif
