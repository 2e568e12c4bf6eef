/* simulate.h - forward dynamics of machines whose constraints may be redundant.
 *
 *   M u' + h - C^T lambda = g + T n(t),   C u' = b
 *
 * u' is unique although lambda need not be (Wojtyra and Fraczek 2013, section 2.2), so that every
 * method gives the same motion. A simulation is a state that is advanced: make it, advance it to a
 * time, look at it, repeat. docs/simulate.md has the methods and their sources. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "base/status.h"
#include "closure/closure.h"
#include "expr/expr.h"
#include "mech/limits.h"
#include "mech/mech.h"

GDYN_API_BEGIN

/* How accelerations follow from redundant constraints. */
typedef enum gdyn_sim_method {
    GDYN_SIM_NULL_SPACE,   /* [V^T M; C] u' = [V^T f; b] (Wojtyra, Fraczek, Eq. 13) */
    GDYN_SIM_MINIMUM_NORM, /* lambda of least norm */
    GDYN_SIM_ELIMINATION,  /* dependent rows left out: the user's choice, or by pivoted QR */
    /* dependent coordinates by LU with complete pivoting (Paul 2020, 3.2.3, 5.5) */
    GDYN_SIM_PARTITION,
    GDYN_SIM_AUGMENTED, /* augmented Lagrangian: penalties, then multipliers by iteration */
    /* the free acceleration projected in the mass metric (Gonzalez, Eqs. 2, 3) */
    GDYN_SIM_PROJECTION,
    GDYN_SIM_COMPLIANCE, /* constraints give way: springs and dampers instead (Gonzalez, Eq. 1) */
    GDYN_SIM_MINIMAL, /* minimal equations in joint coordinates (Schiehlen, Blajer 1992, Eq. 5) */
    GDYN_SIM_METHODS
} gdyn_sim_method;
extern const char *const gdyn_sim_method_names[]; /* "null_space", ..., NULL */

/* What keeps constraints on the level of position and velocity. */
typedef enum gdyn_sim_hold {
    GDYN_SIM_PROJECT,   /* after every step: positions, then velocities, in the mass metric */
    GDYN_SIM_BAUMGARTE, /* C u' = b - 2 rate (C u - motions' rates) - rate^2 Phi */
    GDYN_SIM_DRIFT,     /* nothing */
    GDYN_SIM_HOLDS
} gdyn_sim_hold;
extern const char *const gdyn_sim_hold_names[]; /* "projection", "baumgarte", "none", NULL */

typedef enum gdyn_sim_integrator {
    GDYN_SIM_RKF45,          /* Runge-Kutta of order 5 with error control (GSL) */
    GDYN_SIM_RK8PD,          /* order 8 */
    GDYN_SIM_RK4,            /* order 4, errors by doubled steps */
    GDYN_SIM_RK2,            /* order 2 */
    GDYN_SIM_IMPLICIT_GAUSS, /* order 4, for stiff compliance */
    GDYN_SIM_BULIRSCH_STOER, /* implicit, of high order (Bader and Deuflhard) */
    GDYN_SIM_EULER,          /* semi-implicit Euler with fixed steps */
    GDYN_SIM_INTEGRATORS
} gdyn_sim_integrator;
extern const char *const gdyn_sim_integrator_names[]; /* "rkf45", ..., NULL */

/* A velocity wished for at the start; u: velocity of the centre of gravity and angular velocity in
 * ground axes [m/s, rad/s], planar (vx, vy, w). */
typedef struct gdyn_start_velocity {
    int body; /* GDYN_NONE: all bodies without one of their own */
    double u[6];
} gdyn_start_velocity;

/* The force of a drive over time. */
typedef struct gdyn_drive_signal {
    int drive;
    const gdyn_expr *formula; /* of the one variable t */
} gdyn_drive_signal;

/* Axes of the reactions that are recorded: the joints' own, or these and the ground's. */
typedef enum gdyn_sim_axes { GDYN_SIM_AXES_JOINT, GDYN_SIM_AXES_GROUND } gdyn_sim_axes;
extern const char *const gdyn_sim_axes_names[]; /* "joint", "ground", NULL */

extern const char *const gdyn_sim_closing_names[]; /* "least_squares", "simplex", "newton", NULL */

typedef struct gdyn_simulation_def {
    double duration; /* [s]; 0: nothing is to be simulated */
    double begin;    /* time at the start, of motions and drives [s]; default 0 */
    /* time between outputs, at most ten million [s]; 0: a hundredth of the duration */
    double every;
    gdyn_closure_method closing; /* how the first pose is assembled */
    /* first guess displaced at random by up to this share of L before; default 0: only a singular
     * one that is not closed else, by 1e-3 */
    double shake;
    /* assembles it by the other methods, too (gdyn_simulation_assemblies); default false */
    bool compare_closings;
    gdyn_sim_method method;
    gdyn_sim_hold hold;
    gdyn_sim_integrator integrator;
    double tolerance;     /* of a step: shares of the machine's length and speed; default 1e-8 */
    double step;          /* fixed length [s]; 0: chosen by error; the Euler method needs one */
    double baumgarte;     /* rate [1/s]; default 10 */
    double penalty;       /* augmented Lagrangian, over the greatest mass; default 1e6 */
    double compliance[2]; /* of rows that are lengths [m/N] and angles [rad/(N m)] */
    double relaxation;    /* compliance: damping over stiffness, and what takes away drift [s] */
    double slip;          /* dry friction is complete beyond a few of it [m/s]; default 1e-3 */
    int drop_count; /* elimination: rows left out, "C.y", or a joint with all its rows; 0: by QR */
    const char *const *drop;
    /* partition: columns that stay independent, "BODY.x", "BODY.angle", "BODY.rx" */
    int independent_count;
    const char *const *independent;
    int velocity_count, rate_count, signal_count;
    const gdyn_start_velocity *velocity;
    const gdyn_joint_value *rate;    /* wished for [m/s or rad/s] */
    const gdyn_drive_signal *signal; /* drives without one have no force */
    int kept_count; /* bodies that keep their pose while the machine is assembled */
    const int *kept;
    int along;                   /* trajectory of the case on which it starts, -1: none; */
    double along_p, along_speed; /* there, NAN: its beginning; dp/dt */
    int record_count;
    const gdyn_named_point *record; /* points that a record of the run is to have (record.h) */
    gdyn_sim_axes axes;             /* of its reactions */
    /* All drive forces at time t instead (force: drives); NULL: signals. */
    gdyn_status (*force)(void *context, double t, double *force);
    void *force_context;
    /* Called after every step; false: gdyn_simulation_advance returns early. NULL: it goes on. */
    bool (*goes_on)(void *context, double t);
    void *goes_on_context;
} gdyn_simulation_def;

gdyn_simulation_def gdyn_simulation_default(void);

typedef struct gdyn_simulation gdyn_simulation;

/* A simulation at the model's first guess; the definition is copied, what it points to must outlive
 * it. Errors go to the sink below "simulate" (GDYN_ERROR_INPUT), as does a warning while it runs:
 * explicit steps that stiffness makes so short that the end is over 20,000 of them away. */
gdyn_status gdyn_simulation_create(const gdyn_model *model, const gdyn_simulation_def *def,
                                   const gdyn_sink *sink, gdyn_simulation **out);
void gdyn_simulation_destroy(gdyn_simulation *simulation);

/* How a simulation stands. Outcomes other than RUNS end it; the state is the last one reached. */
typedef enum gdyn_sim_outcome {
    GDYN_SIM_RUNS,
    GDYN_SIM_OPEN,      /* start: the machine cannot be assembled */
    GDYN_SIM_RIGID,     /* start: constraints leave no motion, and no motion is prescribed */
    GDYN_SIM_UNMOVABLE, /* the prescribed motions contradict the constraints */
    /* a motion that the constraints allow has no mass, or the method needs masses */
    GDYN_SIM_MASSLESS,
    /* start: the user's rows are not the dependent ones, or the user's columns not independent */
    GDYN_SIM_CHOICE,
    GDYN_SIM_STUCK,  /* steps became too short: a singular pose, or a motion that breaks down */
    GDYN_SIM_ADRIFT, /* constraints cannot be met any more */
    /* compliance: constraints open by more than L, as with steps too long for its stiffness */
    GDYN_SIM_DIVERGES
} gdyn_sim_outcome;
const char *gdyn_sim_outcome_text(gdyn_sim_outcome outcome);

/* Assembles the machine and makes the start velocities consistent: of all allowed velocities those
 * nearest to the wishes (least squares), of these the one of minimum energy. */
typedef struct gdyn_sim_start {
    gdyn_closure_info closure; /* how the assembly ended */
    int rank, redundant;
    /* not assembled: redundant > 0 when so many constraints contradict the others by the
     * closure's residual, a mechanism but for an error of its geometry; else 0 */
    int mobility;
    gdyn_rank decision;
    /* not assembled: other closing method that assembles the same guess; -1: none does */
    int serves;
    int held; /* coordinates that the user keeps independent and that stayed as they were */
    /* share of L by which the first guess was displaced before closing; 0: it was not */
    double guess_shaken;
    /* ranks that the first pose, a singular one, lacked; it was moved away from there */
    int gained;
    double shaken;   /* by as much at most [m, angles times L] */
    int shaken_body; /* this body most */
    double moved;    /* greatest displacement that assembling took, scaled */
    /* greatest difference between a wish and the start velocity [m/s, angles times L] */
    double missed;
    double speed;                  /* greatest speed wished for, likewise */
    int missed_body, missed_joint; /* whose wish it is; -1: none */
    /* body that moves most in a motion without mass that the constraints leave; GDYN_NONE */
    int massless;
} gdyn_sim_start;
gdyn_status gdyn_simulation_start(gdyn_simulation *simulation, gdyn_sim_start *start,
                                  gdyn_sim_outcome *outcome);

/* A pose on the way of a closing method: the first guess, then every better one. */
typedef struct gdyn_assembly_step {
    gdyn_closure_method at_work; /* least squares end with steps of Newton's method */
    int evaluations;             /* of the constraints, so far */
    double residual;             /* greatest, fraction of L or rad */
} gdyn_assembly_step;
/* How a method assembled the machine from its first guess. */
typedef struct gdyn_assembly {
    gdyn_closure_method method;
    gdyn_closure_info closure;
    int steps;
    const gdyn_assembly_step *step;
} gdyn_assembly;
/* After the start: the simulation's method, or all with compare_closings; owned by it. */
const gdyn_assembly *gdyn_simulation_assemblies(gdyn_simulation *simulation, int *count);

/* Advances to time t [s], or as far as goes_on wants. GDYN_OK also if the outcome ends it. */
gdyn_status gdyn_simulation_advance(gdyn_simulation *simulation, double t,
                                    gdyn_sim_outcome *outcome);

/* What happened so far: a stated range of a joint or drive was left (which is reported; no stop
 * acts there), a dry friction began to stick or to slip. */
typedef enum gdyn_sim_event_kind {
    GDYN_SIM_LEAVES,
    GDYN_SIM_STICKS,
    GDYN_SIM_SLIPS
} gdyn_sim_event_kind;
typedef struct gdyn_sim_event {
    gdyn_sim_event_kind kind;
    double t;     /* [s] */
    double until; /* LEAVES: when it is in its range again; NAN: not yet */
    int index;    /* LEAVES: range; else friction of the model */
    bool upper;   /* LEAVES: beyond its max; SLIPS: towards greater coordinates */
    double by;    /* LEAVES: greatest excess so far [m or rad] */
} gdyn_sim_event;
/* In the order in which they began; valid until the simulation is advanced. */
const gdyn_sim_event *gdyn_simulation_events(const gdyn_simulation *simulation, int *count);
/* "hinge", "friction of hinge". */
const char *gdyn_simulation_event_name(const gdyn_simulation *simulation,
                                       const gdyn_sim_event *event);

/* Limits of drives and joints that were exceeded so far. Forces are not cut off there. */
typedef struct gdyn_sim_limit {
    gdyn_limit_item item; /* the first line of its kind and owner */
    bool upper;           /* above the upper limit, else below the lower one */
    double t;             /* when it was exceeded first [s] */
    double time;          /* for how long in all [s] */
    double amount;        /* greatest excess, in the unit of the limit */
} gdyn_sim_limit;

/* gdyn_sim_now.held above which drift hinders the motion; above which it is a structure. */
#define GDYN_SIM_HINDERED  0.05
#define GDYN_SIM_STRUCTURE 0.5

/* Where the simulation is. Pointers hold until it is advanced. */
typedef struct gdyn_sim_energy { /* [J], since the start */
    double kinetic, potential;
    double drives;  /* work of the drives */
    double motions; /* of prescribed motions */
    /* of constraints that give way: less what they store and dissipate; of rigid ones: errors */
    double constraints;
    double loads;      /* of constant forces */
    double friction;   /* of friction, dampers, process forces: not above zero */
    double projection; /* what the return to the constraints put in */
    double balance;    /* kinetic + potential - start's - all work: zero but for errors */
} gdyn_sim_energy;

typedef struct gdyn_sim_now {
    double t;
    const gdyn_state *state;
    const double *u, *udot; /* n */
    const double *lambda;   /* m + h: multipliers as the method has them */
    const double *force;    /* drives */
    double residual
        [3]; /* greatest of Phi, C u, C u' less what is prescribed; lengths, angles times L */
    gdyn_sim_energy energy;
    long steps, evaluations;
    long passed;   /* steps beside singular poses, by the augmented Lagrangian */
    int redundant; /* constraints that are redundant at this pose, at the usual tolerance */
    /* redundant constraints looked independent at some output: their rank was above the start's */
    bool drifted;
    /* Acceleration by constraints of freedoms that they should leave, beside the greatest of the
     * loads: 0 but for drift. `structure`: at some output above GDYN_SIM_STRUCTURE. */
    double held;
    bool structure;
    int choices;      /* times that rows or coordinates were chosen anew */
    double condition; /* elimination, partition: of the present choice, relative to the best one */
} gdyn_sim_now;
/* Evaluates the present state; reads it only. */
gdyn_status gdyn_simulation_now(gdyn_simulation *simulation, gdyn_sim_now *now);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Before the start: begin at this pose of the same model instead of the first guess. */
void gdyn_simulation_place(gdyn_simulation *simulation, const gdyn_state *state);
/* In order of first excess, one of each kind and side per owner; valid until the next advance. */
const gdyn_sim_limit *gdyn_simulation_limits(const gdyn_simulation *simulation, int *count);
/* Time for which the drive's force was beyond min, max or the curve [s]. */
double gdyn_simulation_saturated(const gdyn_simulation *simulation, int drive);
