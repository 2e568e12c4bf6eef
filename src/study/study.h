/* study.h - from a case to its best designs: design variables -> criteria -> search.
 *
 * A study keeps a case, its settings and the compiled objectives and constraints. Evaluating a
 * design makes the machine at its parameters, follows the trajectories that the formulas name,
 * evaluates their criteria and gives a status. A design that cannot be evaluated is data with a
 * slope, so that a search can climb out of it:
 *
 *   failure = stage + amount,  0 < amount <= 1, the mean over the trajectories that are needed
 *   stage 0  closed-region   a needed figure does not exist: share of the points that lack it, with
 *                            the relative shortage of the limits where the region is empty
 *   stage 1  unassembled     share of the points that are not reached, with their mean residual
 *            singular        the same where all of them close but cannot be passed
 *   stage 2  failed          the definition is not a machine: distance from the values in the file
 *
 * Feasible designs have failure = violation = 0; violation is the sum over the constraints of what
 * is missing, as a share of the limit. */
#pragma once

#include "base/api.h"
#include "access/evaluate.h"
#include "casefile/casefile.h"
#include "reactions/solvability.h"
#include "search/search.h"
#include "study/executor.h"
#include "traverse/criteria.h"

#include <signal.h>

GDYN_API_BEGIN

typedef enum gdyn_design_status {
    GDYN_DESIGN_OK,
    GDYN_DESIGN_INFEASIBLE,
    GDYN_DESIGN_CLOSED_REGION,
    GDYN_DESIGN_OUT_OF_RANGE,
    GDYN_DESIGN_SINGULAR,
    GDYN_DESIGN_UNASSEMBLED,
    GDYN_DESIGN_FAILED,
    GDYN_DESIGN_STATUSES
} gdyn_design_status;

/* "ok", "infeasible", "closed-region", ... */
const char *gdyn_design_status_name(gdyn_design_status status);

/* --- one design --------------------------------------------------------------------------- */

/* Points that a trajectory's criteria come from, and of how many also the poses are kept. */
enum { GDYN_ACTIVE_POINTS = 31, GDYN_ACTIVE_POSES = 8 };

/* Everything known about one design. Sizes come from the study. */
struct gdyn_design {
    long serial;        /* number of the evaluation; 0 is the start design */
    double *x;          /* variables: the design, SI */
    double *response;   /* responses; where not known 0, or infinite: unbounded */
    bool *known;        /* responses */
    double *objective;  /* objectives as given (not negated); 0 unless evaluated */
    double *constraint; /* constraints: left sides; 0 unless evaluated */
    bool evaluated;     /* all objectives and constraints have values */
    gdyn_design_status status;
    double violation, failure;
    bool judged;         /* the reactions were judged */
    gdyn_verdict *joint; /* joints of the machine */
    double seconds;      /* that the evaluation took; the only number that is not repeatable */
    /* What is wrong with each trajectory, needed by a formula or not: trajectories texts, "" where
     * nothing is. Filled by GDYN_EXTENT_ALL, NULL else; not kept in studies. */
    char (*not_passed)[160];
    /* Estimated errors of the responses that come from the points of trajectories to which points
     * are added (NAN: none is known). Likewise. */
    double *error;
    /* Not zero: the sample of machines is left after the one at work, or NULL; set by the caller.
     * Left: the design was not judged and counts as not evaluated. */
    const volatile sig_atomic_t *stop;
    bool left;
    /* What gdyn_study_evaluate does with it, -1 (default): nothing; the design's own number: it finds
     * the points of trajectories that the criteria come from; the number of another design, which
     * lies nearby: it takes the criteria at that one's points alone, which are in `active`. */
    long base;
    bool difference; /* the last of these: only what formulas need is known, and the design belongs
                        to no front */
    double *active;  /* for each trajectory the number of these points (0: all are needed), where
                        they are, and, of up to GDYN_ACTIVE_POSES, their poses (gdyn_state_save);
                        NULL where no criteria are so found */
    /* Why it is not ok: "circle: not assembled at p = 0.3 (low1)"; or "". Last: designs without
     * responses have no room behind its end. */
    char reason[160];
};

/* Reads goals and bounds from the case at the given settings (which hold for all designs) and
 * compiles the formulas. Problems go to the sink with paths such as "optimize.objectives.area"; a
 * criterion that this release does not have is rejected here. The case must outlive the study. */
gdyn_status gdyn_study_create(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                              const gdyn_sink *sink, gdyn_study **study);
void gdyn_study_destroy(gdyn_study *study);

/* The case at the start design: names, bounds, goals. */
const gdyn_instance *gdyn_study_start(const gdyn_study *study);

/* Responses: whatever a formula may name. Parameters first, then machine criteria ("mass"), then
 * criteria of trajectories ("circle.area"), then statistics over the sample of machines
 * ("worst.circle.time") that formulas name. */
typedef enum gdyn_response_kind {
    GDYN_RESPONSE_PARAMETER,
    GDYN_RESPONSE_MACHINE,
    GDYN_RESPONSE_TRAJECTORY,
    GDYN_RESPONSE_STATISTIC
} gdyn_response_kind;
int gdyn_study_responses(const gdyn_study *study);
const char *gdyn_study_response_name(const gdyn_study *study, int response);
gdyn_response_kind gdyn_study_response_kind(const gdyn_study *study, int response);
/* Unit of a response ("N/m", "" when it has none or it is not known). */
const char *gdyn_study_response_unit(const gdyn_study *study, int response);
/* A response of the design: infinite where nothing bounds it, NAN where it is not known. */
double gdyn_design_response(const gdyn_design *design, int response);
/* Unit of an objective or a constraint, "" when it has none or it is not known. */
const char *gdyn_study_objective_unit(const gdyn_study *study, int objective);
const char *gdyn_study_constraint_unit(const gdyn_study *study, int constraint);

gdyn_design *gdyn_design_create(const gdyn_study *study);
void gdyn_design_destroy(gdyn_design *design);
/* Evaluates the design x (variables, in the order of the case); serial is left alone. Values that
 * two extents have in common have the same bits. A failed design is GDYN_OK; errors are lack of
 * memory. Distinct designs may be evaluated by distinct threads. */
gdyn_status gdyn_study_evaluate(const gdyn_study *study, const double *x, gdyn_extent extent,
                                gdyn_design *design);

/* --- the search --------------------------------------------------------------------------- */

/* Evaluated designs in memory, in the order of their serial numbers. */
typedef struct gdyn_archive {
    int count, capacity;
    gdyn_design **design; /* owned */
} gdyn_archive;
/* Takes the design over (also on failure). */
gdyn_status gdyn_archive_add(gdyn_archive *archive, gdyn_design *design);
/* The design with that number, or its place in the archive; NULL, -1: it is not there. */
gdyn_design *gdyn_archive_find(const gdyn_archive *archive, long serial);
void gdyn_archive_clear(gdyn_archive *archive);

/* One generation of the history. */
typedef struct gdyn_generation {
    long number;                      /* 1, 2, ...: generations completed with it */
    long evaluations;                 /* designs so far */
    int population, feasible, front;  /* members; feasible ones; those of the feasible front */
    double hypervolume;               /* of that front; 0 while nothing is feasible */
    bool moved;                       /* the reference point moved: compare no volumes across */
    int status[GDYN_DESIGN_STATUSES]; /* of the designs evaluated in this generation */
} gdyn_generation;

typedef struct gdyn_study_progress {
    gdyn_search_info search;
    int status[GDYN_DESIGN_STATUSES]; /* designs so far, by status */
    long allowed;                     /* evaluations allowed, 0: no limit */
    long evaluated;                   /* designs known so far, those of this generation too */
    long continued;                   /* of them: taken from the store */
    double seconds;
} gdyn_study_progress;

typedef struct gdyn_study_options {
    gdyn_search_options search; /* from the case, overridden by the caller */
    int starts;                 /* warm start: further designs of the first generation */
    const double *start;        /* variables x starts; or NULL */
    const double *aim; /* objectives, as given: the part of the front that is wanted; or NULL */
    int threads;       /* default 0: as many as there are processors; the results are the same */
    const gdyn_executor *executor; /* who evaluates; NULL: threads of this process */
    struct gdyn_store *store;      /* keeps every design and answers for those it holds; or NULL */
    bool slim; /* with a store: designs of the result's archive, the start design and the nearest
                  one where none is feasible excepted, are without responses, known and joint
                  (NULL), which the store has; those of the front are whole */
    volatile const sig_atomic_t *interrupt; /* not zero: finish what is begun and stop; or NULL */
    void (*progress)(void *context, const gdyn_study_progress *progress); /* or NULL */
    void *context;
    /* each design as soon as it is evaluated, on the thread that called; or NULL */
    void (*visit)(void *visitor, const gdyn_design *design);
    void *visitor;
} gdyn_study_options;

/* The case's own search settings. */
gdyn_study_options gdyn_study_default(const gdyn_study *study);

typedef struct gdyn_study_result {
    gdyn_archive archive; /* every design evaluated, by serial */
    bool *nondominated;   /* archive.count: feasible and not dominated by any design */
    int history_count;
    gdyn_generation *history;
    gdyn_archive front; /* copies of all nondominated designs, each once, ascending in the
                             objectives as minimized, the first one before the others; with one
                             objective the best one that was evaluated first */
    int ties;           /* one objective: further designs with the value of the front's only one */
    double hypervolume; /* of `front`, against reference (estimated where exact takes too long) */
    double *reference;  /* objectives, as given; NULL while nothing is feasible */
    int level_count;    /* of a search at given levels of an objective (search.h) */
    gdyn_search_level *level;
    gdyn_study_progress final;
    bool interrupted;
} gdyn_study_result;

/* Searches. GDYN_OK also when nothing was feasible or the caller interrupted. */
gdyn_status gdyn_study_run(const gdyn_study *study, const gdyn_study_options *options,
                           gdyn_study_result *result);
void gdyn_study_result_clear(gdyn_study_result *result);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The same for a case that need not have design variables or objectives: to evaluate, not to
 * search. */
gdyn_status gdyn_study_create_any(const gdyn_case *the_case, int count,
                                  const gdyn_setting *settings, const gdyn_sink *sink,
                                  gdyn_study **study);
int gdyn_study_joints(const gdyn_study *study); /* 0 without machine */
/* Value of a design variable in the start design (design 0). */
double gdyn_study_start_value(const gdyn_study *study, int variable);
/* "unbounded", or the word that the criterion has for it ("cannot hold"), where the design's
 * response is infinite; else NULL. */
const char *gdyn_study_unbounded(const gdyn_study *study, const gdyn_design *design, int response);
/* True when the left side does not keep the requirement (an equality within its tolerance). */
bool gdyn_study_violates(const gdyn_requirement *requirement, double left);
gdyn_design *gdyn_design_copy(const gdyn_study *study, const gdyn_design *design);
/* The case at a design: its machine and trajectories, to be destroyed before the study. What is
 * wrong with the definition goes to the sink. Safe from several threads at once. */
gdyn_status gdyn_study_instance(const gdyn_study *study, const double *x, const gdyn_sink *sink,
                                gdyn_instance **instance);
int gdyn_archive_place(const gdyn_archive *archive, long serial);
/* Evaluates the given designs (variables x count), numbered from 0, with executor, store,
 * interruption and progress as in a search. */
gdyn_status gdyn_study_sweep(const gdyn_study *study, const gdyn_study_options *options, long count,
                             const double *x, gdyn_study_result *result);
