/* internal.h - the equations of motion at a state, and what solves them (internal to simulate).
 *
 * Everything is scaled as in closure: velocities of rotations times L, rows of angles times L, so
 * that M x - C^T mu = f, C x = b with x = u' / column, lambda = row_scale mu has one unit. */
#pragma once

#include "base/memory.h"
#include "linalg/linalg.h"
#include "simulate/simulate.h"

/* --- ways of the closing methods to an assembled machine (assemble.c) ------------------------- */

enum { GDYN_SIM_CLOSINGS = 3 }; /* methods */

/* A way that grows. */
typedef struct gdyn_assembly_list {
    gdyn_closure_method method;
    gdyn_closure_info closure;
    int steps, capacity;
    gdyn_assembly_step *step;
    bool lost; /* no memory */
} gdyn_assembly_list;

/* One way per method. */
typedef struct gdyn_assemblies {
    gdyn_assembly_list list[GDYN_SIM_CLOSINGS];
    bool taken[GDYN_SIM_CLOSINGS];
    gdyn_assembly shown[GDYN_SIM_CLOSINGS];
} gdyn_assemblies;

/* A new way of a method, in place of the one before. */
gdyn_assembly_list *gdyn_assembly_begin(gdyn_assemblies *assemblies, gdyn_closure_method method);
/* gdyn_closure_settings.follow with a gdyn_assembly_list. */
void gdyn_assembly_follow(void *list, gdyn_closure_method at_work, int evaluations,
                          double residual);

/* --- the equations ---------------------------------------------------------------------------- */

/* The equations at a state, and room to solve them. */
typedef struct gdyn_dynamics {
    gdyn_arena *arena;
    const gdyn_model *model;
    const gdyn_simulation_def *def;
    int n, m, rows, drives;  /* m: holonomic rows */
    int rank, position_rank; /* of C, of its holonomic rows, at the closed start */
    double L;
    double *row_scale, *column;     /* rows, n */
    double *M, *C;                  /* n x n, rows x n */
    double *f, *b;                  /* n, rows */
    double *phi, *rate;             /* rows: residuals of positions (Pfaffian: 0), of velocities */
    double *x, *mu;                 /* n, rows: the solution */
    double *u;                      /* n: velocities, scaled */
    const gdyn_state *state;        /* of the equations, borrowed */
    const double *velocity;         /* n: as they are, borrowed */
    struct gdyn_sticking *sticking; /* dry friction; NULL: none */
    /* length of a step that finds velocities (compliance by Euler) [s]; 0: accelerations */
    double stepping;
    struct gdyn_minimal *minimal; /* joint coordinates; NULL: another method */
    double *n_drive, *T;          /* drives; n x drives */
    gdyn_powers powers;           /* of applied forces */
    double drive_power;
    gdyn_status loaded; /* whether drive forces are known */
    double clear;       /* least over greatest pivot of C at the closed start */
    bool passing;       /* near a singular pose: see gdyn_dynamics_near */
    /* room */
    double *Ct;      /* n x rows */
    double *N, *MN;  /* n x n each */
    double *A, *K;   /* rows x n; (n + rows)^2 */
    double *v, *w;   /* 2 (n + rows) each */
    int *pivot;      /* n + rows */
    gdyn_qr *qr;     /* n x rows */
    bool uneven;     /* masses differ by orders of magnitude, */
    gdyn_qr *graded; /* and then n x n */
    gdyn_svd *svd;   /* rows x n, and rows x rows */
    /* choices of elimination and partition */
    int chosen;     /* 0: not yet; rows or columns chosen */
    int *row, *col; /* rows, n: in the order of the choice */
    double best;    /* measure of the choice when it was made */
    int choices;
    double condition;
} gdyn_dynamics;

/* A way from redundant constraints to accelerations: fills x and mu from M, C, f, b. */
typedef struct gdyn_sim_solver {
    bool massive; /* needs a positive definite M */
    gdyn_status (*solve)(gdyn_dynamics *d);
    gdyn_status (*choose)(
        gdyn_dynamics *d); /* rows or columns at a closed pose; NULL: none to choose */
} gdyn_sim_solver;
const gdyn_sim_solver *gdyn_sim_solver_of(gdyn_sim_method method);
/* --- the methods (solvers.c, elimination.c, partition.c, minimal.c) --------------------------- */

gdyn_status gdyn_solve_null_space(gdyn_dynamics *d);
gdyn_status gdyn_solve_minimum_norm(gdyn_dynamics *d);
gdyn_status gdyn_solve_projection(gdyn_dynamics *d);
gdyn_status gdyn_solve_elimination(gdyn_dynamics *d);
gdyn_status gdyn_choose_rows(gdyn_dynamics *d);
gdyn_status gdyn_solve_partition(gdyn_dynamics *d);
gdyn_status gdyn_choose_columns(gdyn_dynamics *d);
gdyn_status gdyn_solve_augmented(gdyn_dynamics *d);
gdyn_status gdyn_solve_minimal(gdyn_dynamics *d);
gdyn_status gdyn_solve_compliance(gdyn_dynamics *d);
/* Compliance of a row, scaled: mu epsilon is the scaled violation. */
double gdyn_compliance_of(const gdyn_dynamics *d, int row);

/* Independent coordinates are integrated at present. */
#define GDYN_SIM_IN_TREE(d) ((d)->minimal && !(d)->passing)

/* --- minimal.c: the workspace, and a step in independent coordinates -------------------------- */

struct gdyn_minimal *gdyn_minimal_create(gdyn_arena *arena, const gdyn_model *model);
void gdyn_minimal_destroy(struct gdyn_minimal *minimal);
/* A step begins at a state with velocities u: its numbers of independent coordinates of poses and
 * of velocities (with knife edges or rolling fewer), and the rates w of the latter. */
gdyn_status gdyn_minimal_begin(gdyn_dynamics *d, const gdyn_state *state, const double *u,
                               int *places, int *f, double *w);
/* L of a coordinate that slides, 1 of one that turns: of poses, of velocities. */
double gdyn_minimal_place_scale(const gdyn_dynamics *d, int k);
double gdyn_minimal_rate_scale(const gdyn_dynamics *d, int k);
/* Pose `to` (its time is set) and velocities u at displacements dz (places) from the begin with
 * rates w (f); false: the loops do not close, or the coordinates are no choice there. */
bool gdyn_minimal_place(gdyn_dynamics *d, const double *dz, const double *w, gdyn_state *to,
                        double *u);
/* At the pose last placed: rates of dz (places), and w' (f). */
bool gdyn_minimal_rates(gdyn_dynamics *d, const gdyn_state *state, const double *u,
                        const double *dz, const double *w, double *rate, double *wdot);

/* --- dynamics.c ------------------------------------------------------------------------------- */

gdyn_dynamics *gdyn_dynamics_create(const gdyn_model *model, const gdyn_simulation_def *def);
void gdyn_dynamics_destroy(gdyn_dynamics *d);
/* C, residuals of positions and velocities at a state for velocities u. */
void gdyn_dynamics_constraints(gdyn_dynamics *d, const gdyn_state *state, const double *u);
/* M at a state, scaled. */
void gdyn_dynamics_mass(gdyn_dynamics *d, const gdyn_state *state);
/* Largest magnitude. */
double gdyn_dynamics_greatest(int count, const double *values);
/* n_drive at a time; `loaded` becomes whether it is known. */
void gdyn_dynamics_drive_forces(gdyn_dynamics *d, double t);
/* All of the equations at a state whose time is set. */
void gdyn_dynamics_equations(gdyn_dynamics *d, const gdyn_state *state, const double *u);
/* Sets `passing`: whether C at this state is near a lower rank. There its rows tell less and less
 * of some direction, an error e of the pose becomes one of e / sigma of the accelerations, and
 * poses are corrected away from the motion. All methods then share the augmented Lagrangian: with
 * sigma^2 alpha small beside the masses the direction keeps its inertia, and the motion goes on. */
gdyn_status gdyn_dynamics_near(gdyn_dynamics *d, const gdyn_state *state);
/* The same, solved; while passing by the augmented Lagrangian. */
gdyn_status gdyn_dynamics_solve(gdyn_dynamics *d, const gdyn_state *state, const double *u);
/* step.c: a step of length h with compliance that begins here (Gonzalez and Kovecses 2011, Eq. 1):
 * x: change of velocities over h, mu: impulses of the constraints. The state stays. */
gdyn_status gdyn_dynamics_step(gdyn_dynamics *d, const gdyn_state *state, const double *u,
                               double h);
/* QR of C^T (of its first `count` rows), ranks as at the start. */
gdyn_status gdyn_dynamics_factor(gdyn_dynamics *d, int count, int rank);
/* After it: x of least energy with C x = b on the factored rows for weight M: x0 + N a minimizing
 * x^T M x / 2 - f^T x. f NULL: zero. GDYN_ERROR_NUMERIC: a free motion has no mass. */
gdyn_status gdyn_dynamics_least(gdyn_dynamics *d, int count, const double *b, const double *f,
                                double *x);
/* Whether every motion that the constraints of these equations leave has mass: N^T M N, N a basis
 * of null(C), is regular. `body`: the one that moves most in the motion with the least mass;
 * GDYN_NONE: all is well. */
gdyn_status gdyn_dynamics_massless(gdyn_dynamics *d, int *body);
/* Accelerations of the freedoms that C leaves at the rank of the start, by the constraints' forces
 * M x - f and by the loads f of the solved equations (scaled, zero without freedoms). Constraints
 * give them none unless drift raises the rank of C and a method counts it. */
gdyn_status gdyn_dynamics_along_freedoms(gdyn_dynamics *d, double *constraints, double *loads);
/* mu of least norm with C^T mu = M x - f. */
gdyn_status gdyn_dynamics_multipliers(gdyn_dynamics *d);

/* --- assemble.c ------------------------------------------------------------------------------- */

/* Closes the machine from this state and decides the ranks of `d`; placed: pose not shaken. */
gdyn_status gdyn_sim_assemble(gdyn_dynamics *d, gdyn_closure *closure, gdyn_state *state,
                              bool placed, gdyn_sim_start *start, gdyn_assemblies *kept);

/* --- sticking.c ------------------------------------------------------------------------------- */

typedef struct gdyn_sticking {
    int count, n;      /* frictions with a dry part */
    int *friction;     /* count: their places in the model */
    int *mode;         /* count: -1, +1: slips that way; 0: sticks */
    int stuck, *held;  /* those that stick */
    double *limit;     /* count */
    double *box;       /* count: limits in a step of the stepping scheme */
    double *dry;       /* of the model's frictions: force on their coordinate */
    double *J;         /* count x n: rows, scaled, of those that stick */
    double *speed;     /* count */
    double *r, *f, *W; /* stuck, stuck, stuck x stuck */
    double *a;         /* n x stuck: responses */
    double *x0, *f0;   /* n: accelerations and loads without them */
    gdyn_svd *svd;
} gdyn_sticking;
/* Solves the assembled equations for x and mu. */
typedef gdyn_status gdyn_solve(gdyn_dynamics *d);

/* NULL into `out` where no friction has a dry part; false: memory is out. */
bool gdyn_sticking_create(gdyn_arena *arena, const gdyn_model *model, gdyn_sticking **out);
/* Before equations are assembled: forces of what slips. */
void gdyn_sticking_begin(gdyn_dynamics *d);
/* After they are solved: adds the forces of what sticks. */
gdyn_status gdyn_sticking_solve(gdyn_dynamics *d, gdyn_solve *solve);
/* In steps that find velocities: before equations are assembled all may stick; then x, the new
 * velocities, and mu with friction forces within limits that bring speeds near zero (Moreau). */
void gdyn_sticking_free(gdyn_dynamics *d);
gdyn_status gdyn_sticking_step(gdyn_dynamics *d, gdyn_solve *solve);
/* Whether at this state every friction is still in the mode that it has. */
bool gdyn_sticking_lasts(gdyn_dynamics *d, const gdyn_state *state, const double *u);
/* New modes where one ended (at the start: first); what sticks gets the speed zero. */
gdyn_status gdyn_sticking_decide(gdyn_dynamics *d, const gdyn_state *state, double *u, bool first);

/* --- events.c --------------------------------------------------------------------------------- */

typedef struct gdyn_sim_events {
    gdyn_sim_event *event; /* count, in the order in which they began */
    int count, room, ranges;
    int *open;             /* ranges: the event that lasts; -1 */
    double *value, *speed; /* ranges: at the end of the last step */
} gdyn_sim_events;

/* False: memory is out. */
bool gdyn_sim_events_create(gdyn_arena *arena, const gdyn_model *model, gdyn_sim_events *events);
gdyn_status gdyn_sim_events_add(gdyn_sim_events *events, gdyn_sim_event event);
/* Ranges over a step that ended at this state; first: there was none yet. */
gdyn_status gdyn_sim_events_step(gdyn_sim_events *events, double from, double to,
                                 const gdyn_state *state, const double *u, bool first);

/* --- stops.c ---------------------------------------------------------------------------------- */

/* Times at which steps end, since no error estimate sees the breaks of forces and motions there. */
typedef struct gdyn_stops {
    int count, next;
    double *t; /* count, ascending [s] */
    double near;
} gdyn_stops;

/* False: memory is out. */
bool gdyn_stops_create(gdyn_arena *arena, const gdyn_model *model, const gdyn_simulation_def *def,
                       gdyn_stops *stops);
/* End of a step from t that may last until `to`. t must not decrease from call to call. */
double gdyn_stops_next(gdyn_stops *stops, double t, double to);

/* --- limits.c --------------------------------------------------------------------------------- */

typedef struct gdyn_sim_limits {
    int drives, items;
    gdyn_limit_item *item; /* items: rows and windows with a bound */
    bool of_motion;        /* some are not of a drive: accelerations are needed */
    gdyn_sim_limit *all;   /* 2 per item: min, max; of several lines at the first one */
    gdyn_sim_limit *shown; /* those that were exceeded, in the order of time */
    double *size;          /* items: greatest bound */
    double (*begin)[2];    /* items of the machine: D and the row at the end of the last step */
    double *saturated;     /* drives: time beyond min, max or the curve [s] */
    double *value, *speed, *now; /* drives: at the end of the last step, and at this one */
    double *most;                /* drives: greatest |force| so far */
    double *force, *rate, *over; /* places of a step x drives; over: excess of the force */
} gdyn_sim_limits;

/* False: memory is out. */
bool gdyn_sim_limits_create(gdyn_arena *arena, const gdyn_model *model, gdyn_sim_limits *limits);
/* Over a step ended at this state; first: none yet. udot: NULL unless of_motion. Changes d. */
void gdyn_sim_limits_step(gdyn_sim_limits *limits, gdyn_dynamics *d, double from, double to,
                          const gdyn_state *state, const double *u, const double *udot, bool first);
/* Fills `shown`; the number of those that were exceeded. */
int gdyn_sim_limits_list(const gdyn_sim_limits *limits);

/* --- project.c -------------------------------------------------------------------------------- */

/* Brings the state onto the holonomic constraints by the least displacement in the mass metric,
 * then u onto the velocity constraints; false: it cannot be done. */
bool gdyn_sim_project_pose(gdyn_dynamics *d, gdyn_state *state);
bool gdyn_sim_project_velocity(gdyn_dynamics *d, const gdyn_state *state, double *u);

/* --- start.c ---------------------------------------------------------------------------------- */

gdyn_status gdyn_sim_start_velocity(gdyn_dynamics *d, const gdyn_state *state, double *u,
                                    gdyn_sim_start *start);

/* --- names.c ---------------------------------------------------------------------------------- */

/* Marks rows named in `drop`, columns named in `independent`; their number, -1 after an error. */
int gdyn_sim_named_rows(const gdyn_model *model, const gdyn_simulation_def *def,
                        const gdyn_sink *sink, bool *marked);
int gdyn_sim_named_columns(const gdyn_model *model, const gdyn_simulation_def *def,
                           const gdyn_sink *sink, bool *marked);

/* --- step.c ----------------------------------------------------------------------------------- */

typedef struct gdyn_stepper gdyn_stepper;
gdyn_stepper *gdyn_stepper_create(gdyn_dynamics *d);
void gdyn_stepper_destroy(gdyn_stepper *stepper);

/* Time of the fastest motion between steps: 1 / |greatest eigenvalue| [s]; INFINITY: unknown. */
double gdyn_stepper_fastest(gdyn_stepper *stepper, double t, const gdyn_state *state,
                            const double *u);

enum { GDYN_SIM_WORKS = 5 }; /* drives, motions, constraints, loads, friction */

/* One step of at most to - *t; state, u, work and *t change. False: steps became too short. */
bool gdyn_stepper_step(gdyn_stepper *stepper, double *t, double to, gdyn_state *state, double *u,
                       double work[GDYN_SIM_WORKS], long *evaluations);
