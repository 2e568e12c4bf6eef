/* search.h - multiobjective search over any callback, independent of mechanics.
 *
 *   minimize f(x) (m objectives),  lower <= x <= upper,  some x integer or categorical,
 *   where a design may be infeasible (violation > 0) or may fail altogether (failure > 0).
 *
 * One of several methods (gdyn_search_method), all with feasibility-first domination. The caller
 * steps it: ask for the designs of a batch (a generation), evaluate them in any order and on any
 * threads, tell the results, advance. Every random number is keyed by (seed, generation,
 * individual), so the designs depend on the seed and the results alone; an interrupted search
 * is continued by telling the stored results again. gdyn_search_run does the steps in one call. */
#pragma once

#include "base/api.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

GDYN_API_BEGIN

typedef struct gdyn_search_problem {
    int variables;       /* n >= 1 */
    int objectives;      /* m >= 1, all minimized */
    const double *lower; /* n, finite */
    const double *upper; /* n, finite, >= lower; equal: the variable is held */
    const bool *integer; /* n, or NULL: all continuous. Integer bounds are rounded inwards */
    const double *start; /* n x starts: the first individuals of the first generation (clipped), or
                            NULL. More than the population: the first generation is these */
    int starts;          /* columns of start; 0: one when start is given */
    const bool *categorical; /* n, or NULL: none. Such a variable takes the integers between its
                                bounds as names, without an order */
    int constraints;         /* number of single constraint values per design; may be 0 */
    const double *equality; /* constraints, or NULL: no equalities. > 0: constraint j is an equality
                                g_j = 0, kept while |g_j| <= equality[j] */
} gdyn_search_problem;

/* What makes the designs. Those of the first group keep a population and tell survivors from the
 * others by domination; those of the second solve single-objective problems with NLopt. */
typedef enum gdyn_search_method {
    GDYN_SEARCH_NSGA2, /* crossover and mutation; crowding keeps the front even */
    /* differences of members; from three objectives on neighbours keep the front even */
    GDYN_SEARCH_DE,
    GDYN_SEARCH_NSGA3, /* four and more objectives: reference directions keep the front even */
    GDYN_SEARCH_CHEBYSHEV,
    GDYN_SEARCH_EPSILON_CONSTRAINT,
    GDYN_SEARCH_NBI,       /* normal-boundary intersection */
    GDYN_SEARCH_HYBRID,    /* a population whose front is polished by local searches */
    GDYN_SEARCH_SURROGATE, /* few, costly designs: models of all results choose the next ones */
    GDYN_SEARCH_AUTO,      /* one of them, by gdyn_search_decide */
    GDYN_SEARCH_METHODS    /* how many there are */
} gdyn_search_method;

/* "nsga2", "de", ... in the order of the enumeration; ends with NULL. */
extern const char *const gdyn_search_method_names[];
const char *gdyn_search_method_name(gdyn_search_method method);
/* false when there is no method of that name. */
bool gdyn_search_method_from_name(const char *name, gdyn_search_method *method);

/* Options that some of the methods use; the others are for all. */
typedef enum gdyn_search_tuning {
    GDYN_SEARCH_CROSSOVER, /* crossover, crossover_eta */
    GDYN_SEARCH_MUTATION,  /* mutation, mutation_eta */
    GDYN_SEARCH_WEIGHT,
    GDYN_SEARCH_RATE,
    GDYN_SEARCH_DIVISIONS,
    GDYN_SEARCH_NLOPT,
    GDYN_SEARCH_POINTS,
    GDYN_SEARCH_TOLERANCE,
    GDYN_SEARCH_BATCH,
    GDYN_SEARCH_LAG,
    GDYN_SEARCH_REGION, /* region, aim */
    GDYN_SEARCH_TUNINGS
} gdyn_search_tuning;

/* Kinds of variables, each harder than the one before. */
typedef enum gdyn_search_kind {
    GDYN_SEARCH_CONTINUOUS,
    GDYN_SEARCH_WHOLE,   /* integers, with an order */
    GDYN_SEARCH_CATEGORY /* names without an order */
} gdyn_search_kind;

/* Names of the algorithms of NLopt that methods may use; ends with NULL. */
extern const char *const gdyn_search_nlopt_names[];
typedef struct gdyn_search_nlopt {
    bool global;            /* looks everywhere; else begins at a design */
    gdyn_search_kind takes; /* hardest kind of variables that it can choose */
} gdyn_search_nlopt;

typedef struct gdyn_search_options {
    gdyn_search_method method; /* default GDYN_SEARCH_AUTO */
    int population;            /* N >= 4; 0 (default): by gdyn_search_decide */
    uint64_t seed;             /* default 1 */
    double crossover; /* probability that a pair is crossed; < 0 (default): the method's own,
                                  0.9, NSGA-III 1 */
    double crossover_variable; /* probability per variable of a crossed pair; default 0.5 */
    double crossover_eta;      /* distribution index; < 0 (default): 15, NSGA-III 30 */
    double mutation;           /* probability per variable; <= 0 (default): 1/n */
    double mutation_eta;       /* distribution index; < 0 (default): 20 */
    double weight;             /* DE: weight F of a difference, at most 2; <= 0 (default): learnt */
    double rate;               /* DE: crossover rate CR, at most 1; <= 0 (default): learnt */
    int divisions;             /* NSGA-III: reference directions per edge; 0: from the population */
    const char *nlopt;         /* name of the NLopt algorithm of the methods that use one, or NULL:
                                  chosen by the method. Must live as long as the search */
    int points;                /* number of scalar problems; 0: chosen by the method */
    /* epsilon_constraint with two objectives: limits of objective `limited`, at each of which the
     * other one is minimized; NULL (default): limits that the method spreads over the front */
    const double *level; /* level_count, finite */
    int level_count, limited;
    double tolerance; /* relative, of the local searches; 0: chosen by the method */
    int batch;        /* surrogate: designs chosen at a time; 0: chosen by the method */
    int lag;          /* batches asked for before the results of the oldest are told; 0 (default):
                                  none, each batch knows all results before it */
    long evaluations; /* stop; default 10000; <= 0: no limit */
    long known;       /* no rule stops before so many designs (gdyn_search_keep); default 0 */
    long generations; /* stop; <= 0: no limit (default) */
    double time;      /* stop [s] since create; <= 0: no limit (default) */
    int stall_window; /* stop when the hypervolume grew by less than stall_tolerance */
    double stall_tolerance;  /*  (relative) over so many times N designs; 0: never (default) */
    const double *reference; /* m: reference point of the hypervolume, or NULL: the worst
                                  feasible values of the first feasible generation, moved out by a
                                  tenth of their range, widened when a later front needs it */
    const double *aim; /* m: reference point of the part of the front that is preferred (Wierzbicki
                          1980), reachable or not; NULL (default): the whole front. m >= 2 */
    /* with an aim: how much worse than the best design, in every objective, the region reaches,
     * as a share of the front's range, at most 1; 0 (default): 0.1 */
    double region;
} gdyn_search_options;

gdyn_search_options gdyn_search_default(void);

typedef enum gdyn_search_stop {
    GDYN_SEARCH_RUNNING,
    GDYN_SEARCH_EVALUATIONS, /* all evaluations used */
    GDYN_SEARCH_GENERATIONS,
    GDYN_SEARCH_TIME,
    GDYN_SEARCH_STALL,
    GDYN_SEARCH_REQUEST, /* the caller asked for the end */
    GDYN_SEARCH_COMPLETE /* the method has solved all its problems and has nothing more to try */
} gdyn_search_stop;

/* One line in English: "all evaluations used". */
const char *gdyn_search_stop_text(gdyn_search_stop stop);

/* What the caller found for one design. Ranking is lexicographic: less failure first, then less
 * violation, then domination by objectives among those with neither. Values that are not finite
 * count as an infinite failure. */
typedef struct gdyn_search_outcome {
    const double *objective; /* m; ignored (may be NULL) when failure > 0 */
    double violation;        /* total constraint violation >= 0 */
    double failure;          /* 0: could be evaluated; > 0: how far from being evaluable */
    /* constraints: g_j <= 0 is kept, in any measure that is smooth in x, g_j with its sign for
     * an equality; or NULL when they are not known one by one */
    const double *constraint;
    bool apart; /* it gives slopes to a local search, but does not compete for survival */
} gdyn_search_outcome;

/* One member of the population. Pointers live until the next advance. */
typedef struct gdyn_search_member {
    const double *x; /* n */
    const double *f; /* m; zeros when failure > 0 */
    double violation, failure;
    int front;       /* 0: not dominated by any other member */
    double crowding; /* INFINITY at the ends of a front; < 0 outside of the region of an aim */
    long serial;     /* number of the evaluation, 0 for the first design */
} gdyn_search_member;

typedef struct gdyn_search_info {
    gdyn_search_stop stop;
    long generation;    /* generations completed */
    long evaluations;   /* results received and processed */
    int population;     /* members now */
    int feasible;       /* members with neither violation nor failure */
    int failed;         /* members with failure */
    int front;          /* feasible members of the first front; with one objective at most 1 */
    double hypervolume; /* of the feasible front against `reference`; 0 while nothing is feasible */
    bool moved;     /* the reference is another one than a generation before: it widens only; with
                           an aim it is the corner of the region */
    bool estimated; /* hypervolume is an estimate: exact it would take too long (5 and more
                           objectives, many designs) */
    const double *reference; /* m; NULL while nothing is feasible */
    double seconds;          /* since create */
} gdyn_search_info;

typedef struct gdyn_search gdyn_search;

/* Copies problem and options. GDYN_ERROR_ARGUMENT when a bound is not finite or crossed, a size is
 * out of range, or the method cannot treat the problem. Population methods allocate nothing below.
 */
gdyn_status gdyn_search_create(const gdyn_search_problem *problem,
                               const gdyn_search_options *options, gdyn_search **search);
void gdyn_search_destroy(gdyn_search *search);

/* Number of designs of the present generation that wait for results (0 after the stop); the last
 * generation may be shorter, so that the evaluations are exactly those allowed. */
int gdyn_search_ask(const gdyn_search *search);
/* Design i of the present generation, those of the batches behind it following (n), and its serial
 * number. */
const double *gdyn_search_design(const gdyn_search *search, int i);
/* Result of design i; any order; a design reported twice keeps the last result. Distinct i may be
 * told from distinct threads. */
void gdyn_search_tell(gdyn_search *search, int i, const gdyn_search_outcome *outcome);
/* Processes the results received (GDYN_ERROR_ARGUMENT when one is missing), selects the survivors
 * and makes the next generation unless a stopping rule holds. */
gdyn_status gdyn_search_advance(gdyn_search *search);
/* Ends the search now; designs asked for and not yet taken over are dropped. */
void gdyn_search_end(gdyn_search *search);

/* What is known of the problem at a level (gdyn_search_options). */
typedef enum gdyn_search_level {
    GDYN_LEVEL_OPEN,  /* no local search of it has converged */
    GDYN_LEVEL_UNMET, /* those that converged do not keep the limit and the constraints */
    GDYN_LEVEL_SOLVED
} gdyn_search_level;

int gdyn_search_objectives(const gdyn_search *search);
gdyn_search_info gdyn_search_state(const gdyn_search *search);
/* Member i of the population, 0 .. info.population - 1, best fronts first. */
gdyn_search_member gdyn_search_population(const gdyn_search *search, int i);

/* For a look back at a search that ran before: its batches come from whoever kept them, in place of
 * the method's own, which may be costly to make again. Nothing says then that the method would ask
 * for these designs. */
typedef struct gdyn_search_recall {
    /* Designs of the batch whose first one has this number, at most `room`; 0: the search had
     * ended. */
    int (*size)(void *context, long first, int room);
    /* Design of that number (n), NULL: it is not known (its result must not be told). */
    const double *(*design)(void *context, long serial);
    void *context;
} gdyn_search_recall;

/* Callbacks of gdyn_search_run: evaluate one design (f has m elements; violation and failure start
 * at 0); after each generation `progress` (may be NULL) looks on and may return false to stop. */
typedef struct gdyn_search_callbacks {
    gdyn_status (*evaluate)(void *context, const double *x, double *f, double *violation,
                            double *failure);
    bool (*progress)(void *context, const gdyn_search_info *info);
    void *context;
} gdyn_search_callbacks;
gdyn_status gdyn_search_run(gdyn_search *search, const gdyn_search_callbacks *callbacks);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* "crossover", "mutation", ... */
const char *gdyn_search_tuning_name(gdyn_search_tuning tuning);
/* GDYN_SEARCH_AUTO uses what any method uses that it may become. */
bool gdyn_search_method_uses(gdyn_search_method method, gdyn_search_tuning tuning);
/* NULL: no such name. */
const gdyn_search_nlopt *gdyn_search_nlopt_of(const char *name);
/* True when the method can use the algorithm for free variables of which `hardest` is the hardest
 * kind. */
bool gdyn_search_nlopt_fits(gdyn_search_method method, const gdyn_search_nlopt *nlopt,
                            gdyn_search_kind hardest);
/* Fills in the method where it is GDYN_SEARCH_AUTO and the population where it is 0; what is given
 * stays. Up to 500 evaluations: surrogate; else hybrid up to three objectives, de with more
 * or with a lag. Population: evaluations / 15, between 24 and 96; 96 for surrogate and without a
 * limit of evaluations. The numbers given decide, never a time, so that runs repeat.
 * gdyn_search_create calls it. */
void gdyn_search_decide(int objectives, gdyn_search_options *options);
/* The results of so many designs are at hand: the search does not end before them, whatever its
 * budget is. */
void gdyn_search_keep(gdyn_search_options *options, long known);
/* Batches that wait for results, the present generation first, and the designs of batch k: with a
 * lag up to lag + 1 batches, of which only the first one is told and advanced. */
int gdyn_search_batches(const gdyn_search *search);
int gdyn_search_batch(const gdyn_search *search, int k);
long gdyn_search_serial(const gdyn_search *search, int i);
/* Design i is asked for the slopes of a local search at the design of that number, from which it
 * differs in one variable by a share of 1e-6 of its range; its own number: slopes may be asked for
 * at it; -1: neither. */
long gdyn_search_base(const gdyn_search *search, int i);
gdyn_search_level gdyn_search_level_of(const gdyn_search *search, int level);
/* To be called before the first advance; lives as long as the search. */
void gdyn_search_recall_from(gdyn_search *search, const gdyn_search_recall *recall);
