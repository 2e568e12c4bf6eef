/* internal.h - the parts of a study (internal to study). */
#pragma once

#include "access/evaluate.h"
#include "base/memory.h"
#include "base/status.h"
#include "closure/closure.h"
#include "path/path.h"
#include "reactions/reactions.h"
#include "study/study.h"
#include "traverse/criteria.h"

#include <pthread.h>
#include <stdbool.h>

struct gdyn_failure;
struct gdyn_workspace_field;

/* A response over the sample of machines: worst.circle.time of circle.time. */
typedef struct gdyn_sampled {
    gdyn_statistic statistic;
    int of; /* response */
} gdyn_sampled;

/* A formula over the responses. */
typedef struct gdyn_formula {
    const char *name, *text, *path; /* as given, and where */
    gdyn_expr *expr;
    bool *uses; /* responses */
    int single; /* the response that the formula is, or -1 */
    const char *unit;
} gdyn_formula;

struct gdyn_study {
    const gdyn_case *the_case;
    int set_count;
    gdyn_setting *set; /* settings of the caller; those of design variables are left out */
    gdyn_arena *arena; /* names */
    gdyn_instance *start;
    int variables;
    double *x_start, *x_valid; /* variables: start design; values in the file, a valid machine */
    int parameters, machine, trajectories, criteria; /* counts that make up the responses, */
    int workspaces, values;                          /* those of each workspace behind them */
    int responses;
    int statistics;                 /* of them: the last ones, over the sample of machines */
    gdyn_sampled *sampled;          /* statistics */
    struct gdyn_sampling *sampling; /* the sample; NULL: there are no statistics */
    const char **name;              /* responses */
    int *row;                       /* responses: row of the vocabulary, -1 for parameters */
    int *range;                     /* responses: the model's range that it is of, or -1 */
    const char **unit;              /* responses: "" when they have none or it is not known */
    gdyn_formula *formula;          /* objectives, then constraints */
    int formulas;
    unsigned *need;   /* trajectories: sum of gdyn_pass */
    bool *need_nodes; /* workspaces */
    bool need_pose;   /* a machine criterion other than mass is named */
    /* numbers of a design's `active`; 0: no trajectory's criteria come from single points */
    int active, active_each; /* ... and for each trajectory */
};

/* front.c */
/* An objective's value, or its substitute, with the sign that makes less better. */
double gdyn_study_minimized(const gdyn_study *study, int objective, double value);
/* compare.c: whether a is nowhere worse than b (m minimized objectives). */
bool gdyn_covers(const double *a, const double *b, int m);
/* Copies of the designs of which none is better than another in all objectives, each once. */
gdyn_status gdyn_study_front(const gdyn_study *study, const gdyn_archive *archive,
                             gdyn_archive *front);
/* Fills nondominated, front, hypervolume and reference of a result whose archive is
 * complete. `reference` (minimized) may be NULL: then it is placed behind the front. */
gdyn_status gdyn_study_find_front(const gdyn_study *study, const double *reference,
                                  gdyn_study_result *result);
/* problem.c: the search that the options describe. GDYN_ERROR_ARGUMENT: see gdyn_search_create. */
gdyn_status gdyn_study_create_search(const gdyn_study *study, const gdyn_study_options *options,
                                     gdyn_search **search);
/* evaluate.c: objectives, constraints, violation and status from the responses of a design, which
 * keeps its failure if it has one. False: a formula that could be evaluated is not finite, or lacks
 * a response of a design that did not fail. */
bool gdyn_study_judge(const gdyn_study *study, gdyn_design *design);
/* Whether the criteria of the trajectory that formulas take may come from single points. */
bool gdyn_study_by_points(const gdyn_study *study, int trajectory);
/* Whether an objective or constraint takes this response. */
bool gdyn_study_formulas_use(const gdyn_study *study, int response);
/* formula.c: what is missing to a requirement, as a share of its limit (where that is zero: amount
 * / (1 + amount)); negative when it is kept with room to spare. */
double gdyn_study_missing(const gdyn_requirement *requirement, double left);
/* For solvers: linear in the left side, with its sign for an equality and without its tolerance; as
 * a share of the limit, in SI units where that is zero. */
double gdyn_study_shortfall(const gdyn_requirement *requirement, double left);
/* An equality's tolerance in the same measure; 0: the requirement is none. */
double gdyn_study_equality(const gdyn_requirement *requirement);
/* run.c: the search as far as the known designs carry it; none is evaluated. */
/* `recall`: where the batches come from; NULL: from the search itself, so that designs that it
 * would not ask for are found (GDYN_ERROR_STUDY). */
gdyn_status gdyn_study_replay(const gdyn_study *study, const gdyn_study_options *options,
                              const gdyn_search_recall *recall, const gdyn_archive *known,
                              gdyn_study_result *result);

/* robust.c: statistics over the sample of machines. */
/* The response that the statistic is of, the response itself for all others. */
int gdyn_study_base(const gdyn_study *study, int response);
/* Names in formulas that may be statistics, and the responses that they make (behind all
 * others). */
int gdyn_study_most_statistics(const gdyn_study *study);
gdyn_status gdyn_study_name_statistics(gdyn_study *study);
/* Prepares the sample when formulas ask for statistics. */
gdyn_status gdyn_sampling_create(gdyn_study *study, const gdyn_sink *sink);
/* False where the design's parameters keep the sample from being taken, with the reason. */
bool gdyn_sampling_possible(const gdyn_study *study, const gdyn_instance *instance, char *why,
                            size_t size);
void gdyn_sampling_destroy(struct gdyn_sampling *sampling);
/* Evaluates the sample around a design whose own responses are known and fills in its statistics.
 * Machines that have no value are told by *failure (GDYN_STAGE_NONE: none). */
gdyn_status gdyn_sampling_run(const gdyn_study *study, const gdyn_instance *instance,
                              gdyn_design *design, struct gdyn_failure *failure);

/* The first response of workspaces. */
int gdyn_study_first_of_workspaces(const gdyn_study *study);

/* study.c: settings of the command line, then the design variables at x; to be freed with
 * gdyn_free; NULL: out of memory. */
gdyn_setting *gdyn_study_settings(const gdyn_study *study, const double *x, int *count);
/* formula.c */
/* The response of that name among the first `count`; -1: none. */
int gdyn_study_find_response(const gdyn_study *study, const char *name, size_t length, int count);
/* Next token of a formula: its length, and whether it is a name. */
size_t gdyn_formula_token(const char *text, bool *is_name);
/* Compiles a formula over the responses. */
gdyn_status gdyn_study_compile_formula(gdyn_study *study, const char *path, const char *text,
                                       gdyn_formula *formula, const gdyn_sink *sink);
/* What the formulas need of each trajectory and of the machine's pose. */
void gdyn_study_collect_needs(gdyn_study *study);
/* Names and texts of the formulas, before they are compiled. */
gdyn_status gdyn_study_list_formulas(gdyn_study *study);
gdyn_status gdyn_study_name_responses(gdyn_study *study);
gdyn_status gdyn_study_compile(gdyn_study *study, const gdyn_sink *sink);
/* Takes over a value: NAN is none, infinite ones are not known (study.h). */
void gdyn_design_set(gdyn_design *design, int response, double value);
/* What keeps a criterion along a path without a value regardless of the design is; NULL when it may
 * have one. */
const gdyn_presumption_row *gdyn_study_never_evaluated(const gdyn_study *study, int response);
/* GDYN_ERROR_INPUT, with the place of each formula, when one names what no design can have. */
gdyn_status gdyn_study_check_values(const gdyn_study *study, const gdyn_sink *sink);
/* All passes that a criterion of a trajectory takes. */
unsigned gdyn_study_passes(int row);

/* --- failure: why a design has no values.
 *
 * A failure has a stage, in the order of the work (a machine that cannot be built is worse than a
 * path that cannot be followed, and that is worse than a region that is empty), and an amount
 * between 0 and 1 that grows with the distance from a design without it. Their sum is what a search
 * minimizes among designs that fail. */

enum { GDYN_STAGE_NONE = -1, GDYN_STAGE_CLOSED, GDYN_STAGE_UNASSEMBLED, GDYN_STAGE_FAILED };

typedef struct gdyn_failure {
    int stage;
    double amount; /* 0 .. 1 */
    gdyn_design_status status;
    char reason[sizeof((gdyn_design *)0)->reason];
} gdyn_failure;

/* x / (1 + x): maps a distance to 0 .. 1. */
double gdyn_saturate(double x);
gdyn_failure gdyn_failure_make(int stage, double amount, gdyn_design_status status,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* `name`: of the trajectory. The machine cannot be closed even without the path. */
gdyn_failure gdyn_failure_never_closed(const char *name, const gdyn_path *path, double residual);
/* The path is not followed from end to end: not assembled, singular, beyond given ranges. places:
 * where it is singular, or NULL. */
gdyn_failure gdyn_failure_of_path(const gdyn_model *model, const char *name,
                                  const gdyn_track *track, const gdyn_singularities *places);
/* The drives lose a freedom on the way, or the constraints rank. */
gdyn_failure gdyn_failure_singular(const char *name, const gdyn_singularity *block,
                                   const gdyn_track *track);
/* Nothing is accessible at some points. */
gdyn_failure gdyn_failure_empty(const char *name, const gdyn_evaluation *e);
/* The criterion (its row in the vocabulary) has this value, which is none. */
gdyn_failure gdyn_failure_of_criterion(const char *name, int row, double value,
                                       const gdyn_evaluation *e, const gdyn_fastest *motion);
/* The criterion of the workspace has no value: nodes that are not reached, else those without a
 * finite value. */
gdyn_failure gdyn_failure_of_nodes(const struct gdyn_workspace_field *field, int row);
/* Points at which nothing is accessible; 0 where regions were not asked for. */
int gdyn_empty_points(const gdyn_evaluation *e);

/* --- pool: threads that evaluate designs while another thread feeds and empties the pool. */

/* One design in work; it belongs to the pool between submit and take. */
typedef struct gdyn_task {
    const gdyn_job *job; /* its study, extent and stop */
    gdyn_design *design; /* x and serial are set */
    long tag;            /* the caller's own */
    bool evaluated;      /* false when it was stopped before or within its sample */
    gdyn_status status;  /* of the evaluation */
} gdyn_task;

typedef struct gdyn_pool {
    int threads;
    int capacity; /* designs that may be in the pool: for each thread one in work and one waiting */
    int load;     /* designs submitted and not taken back; for the thread that submits and takes */
    /* Internal: */
    pthread_mutex_t lock;
    pthread_cond_t submitted, returned;
    pthread_t *thread;
    gdyn_task *waiting, *finished; /* capacity each; waiting is a ring */
    int first, waiting_count, finished_count;
    bool ends;
} gdyn_pool;

/* NULL when there is no memory or no thread can be made. */
gdyn_pool *gdyn_pool_create(int threads);
/* Waits for the designs in work; those that wait are dropped. */
void gdyn_pool_destroy(gdyn_pool *pool);
/* Begun in the order in which they are submitted. */
void gdyn_pool_submit(gdyn_pool *pool, const gdyn_job *job, gdyn_design *design, long tag);
/* Takes a finished design back; false when there is none: yet, or (wait) none is in the pool. */
bool gdyn_pool_take(gdyn_pool *pool, bool wait, gdyn_task *task);

/* --- minimax: a local minimum of the largest of many functions. */

typedef struct gdyn_minimax {
    int variables, functions;
    const double *lower, *upper; /* variables; finite */
    int evaluations;             /* most */
    double fine;                 /* ends when a step is shorter than this share of upper - lower */
    /* f (functions) at x; *known false: there are no values there. */
    gdyn_status (*evaluate)(void *context, const double *x, double *f, bool *known);
    bool (*go_on)(void *context); /* false: end with what is best so far; or NULL */
    void *context;
} gdyn_minimax;

/* x: the start, where the functions have values, then the best point found. Deterministic. */
gdyn_status gdyn_minimax_search(const gdyn_minimax *problem, double *x);

/* --- machine: criteria of a machine. The same numbers come from two computations: the fast one of
 * searches, and the reference that `verify` takes. */

/* Adds what the model alone tells (pass TRACK). */
void gdyn_machine_count(const gdyn_model *model, gdyn_criteria *criteria);
/* Adds the criteria of the pass REACTIONS that formulas may name, from ranks by QR. */
void gdyn_machine_judge(const gdyn_solvability *solvability, gdyn_criteria *criteria);
/* The same at four points of a followed path, without symmetry, since the pose at the start may be
 * a special one; at fewer where nothing is redundant. Poses between the points where the
 * constraints lose rank are not among them (`singular_poses` counts these). */
gdyn_status gdyn_machine_along(gdyn_solvability *solvability, const gdyn_track *track,
                               gdyn_verdict *joint, gdyn_criteria *criteria);
/* The same at five times of the machine's own motions, from its closed pose at time zero on, as far
 * as it can be led. */
gdyn_status gdyn_machine_in_motion(gdyn_solvability *solvability, gdyn_closure *closure,
                                   const gdyn_state *start, double duration, gdyn_verdict *joint,
                                   gdyn_criteria *criteria);
/* Adds all criteria of the pass REACTIONS, from ranks by SVD and the full analysis of reactions. */
void gdyn_machine_analyse(const gdyn_mobility *mobility, int drive_redundancy,
                          const gdyn_reactions *reactions, gdyn_criteria *criteria);

/* A design is one block of memory: its structure, then its arrays. */
size_t gdyn_design_bytes(const gdyn_study *study);
/* A copy without responses, verdicts of joints and room behind the reason; NULL: no memory. */
gdyn_design *gdyn_design_slim(const gdyn_study *study, const gdyn_design *design);
/* Copies the bytes of a design of the same study, also one from another process of this machine
 * type. */
void gdyn_design_assign(const gdyn_study *study, gdyn_design *design, const void *bytes);
