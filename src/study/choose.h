/* choose.h - what evaluated designs say of other goals: designs taken over, variants of a study,
 * one design chosen, the cost of a limit, fronts against each other, why nothing is feasible. */
#pragma once

#include "base/diag.h"
#include "study/study.h"
#include "trajectory/trajectory.h"

#include <stdbool.h>

/* --- adopt: evaluated designs of one study taken over by another one of the same machine.
 *
 * Bounds, objectives and constraints may differ. A design still applies when the machine that it
 * describes, and all that was computed of it, are what an evaluation in the new study would give,
 * bit by bit:
 *   - the texts of both cases agree but for `name`, `about`, `expect`, `optimize`, the bounds of
 *   design variables, and
 *     the values of parameters that are a variable in either case;
 *   - every parameter has the same value in both, the variables of the design in force;
 *   - its variables lie within the new bounds (on the new choices);
 *   - trajectories without given points were evaluated for the same criteria, which decide where
 *   points are inserted; - every value that a new formula names is known. A design that failed
 *   applies if the new formulas name the same
 *     values as the old ones; one whose definition failed never does: its distance refers to the
 *     bounds. */

/* What became of a design. */
typedef enum gdyn_adoption {
    GDYN_ADOPTED,
    GDYN_ADOPT_OUTSIDE,   /* beyond the new bounds */
    GDYN_ADOPT_PARAMETER, /* a parameter would have another value */
    GDYN_ADOPT_POINTS,    /* points of a trajectory were chosen for other criteria */
    GDYN_ADOPT_VALUE,     /* a formula names a value that was not computed */
    GDYN_ADOPT_FAILED,    /* it failed, and other values are named now */
    GDYN_ADOPTIONS
} gdyn_adoption;

/* "outside the bounds", ... */
const char *gdyn_adoption_text(gdyn_adoption adoption);

typedef struct gdyn_adopted {
    gdyn_archive archive;      /* designs of the new study, serial numbers of the old one */
    int count[GDYN_ADOPTIONS]; /* what became of the designs of the old archive */
} gdyn_adopted;

/* Whether the cases of both studies describe one machine. *difference: "" or what differs in the
 * first lines that do, "'... x: 2 ...' and '... x: 3 ...'"; to be freed. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_adopt_compare(const gdyn_study *from, const gdyn_study *study,
                               gdyn_text *difference);
/* Takes over what applies, after gdyn_adopt_compare found no difference. To be cleared also on
 * failure. */
gdyn_status gdyn_adopt(const gdyn_study *from, const gdyn_archive *archive, const gdyn_study *study,
                       gdyn_adopted *adopted);
void gdyn_adopted_clear(gdyn_adopted *adopted);

/* --- variant: a study of the same machine and variables with other goals: further constraints, or
 * a constraint that has become an objective. Its designs come from the archive of the first one
 * (adopt.h) or a search of its own. */

typedef struct gdyn_variant_def {
    int count;                /* further constraints: */
    const char *const *limit; /* count: "mass <= 36 kg" */
    int released;             /* constraint whose left side becomes the last objective; -1: none */
    /* levels: of the left side of the released constraint, for epsilon_constraint with the seed */
    const double *level;
    int levels;
    uint64_t seed;
    /* 1 + the objective that is kept alone, behind the left side of a released constraint; 0:
     * all are kept */
    int alone;
} gdyn_variant_def;

typedef struct gdyn_variant {
    char *text; /* the case */
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_archive archive; /* designs that were taken over */
    int left_out;         /* those that could not be */
} gdyn_variant;

/* Makes the study and takes over what applies of the archive (may be NULL). What is wrong with a
 * limit goes to the sink: GDYN_ERROR_INPUT. An equality cannot be released: GDYN_ERROR_ARGUMENT. To
 * be cleared also on failure. */
gdyn_status gdyn_variant_make(gdyn_variant *variant, const gdyn_study *study,
                              const gdyn_archive *archive, const gdyn_variant_def *def,
                              const gdyn_sink *sink);
/* Copies of the designs that were taken over, are feasible and not dominated in the variant's
 * objectives, each once. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_variant_front(const gdyn_variant *variant, gdyn_archive *front);
void gdyn_variant_clear(gdyn_variant *variant);

/* --- pick: one design chosen from a front, and why.
 *
 * Losses are shares of the range of the candidates: l_k = 0 for the best of them in objective k, 1
 * for the worst. The candidates are the feasible designs that keep all filters and of which none is
 * better than another in every objective.
 *
 *   KNEE     the candidate farthest from the plane through the best one in each objective, towards
 *   the ideal point
 *            (I. Das, On characterizing the knee of the Pareto curve based on normal-boundary
 *            intersection, Structural Optimization 18 (1999) 107-115). Where the best ones do not
 *            span a plane whose normal is positive, the plane is that of equal losses. Where the
 *            front bulges the other way no candidate lies on that side: there is no knee, and
 *            BALANCE is taken
 *   WEIGHTS  the smallest maximum weighted loss, max w_k l_k: every candidate is the choice of some
 *   weights, those on a
 *            concave part too (V. J. Bowman 1976)
 *   TARGETS  first the smallest maximum shortfall from the targets, as a share of the ranges (A. P.
 *   Wierzbicki 1980); of
 *            those that reach all targets the one with the smallest maximum loss
 *   BALANCE  the smallest maximum loss: WEIGHTS with equal weights
 *
 * Of several equally good ones the sum of losses decides: it is added with the weight 1e-3. */

typedef enum gdyn_pick_rule {
    GDYN_PICK_BALANCE,
    GDYN_PICK_KNEE,
    GDYN_PICK_WEIGHTS,
    GDYN_PICK_TARGETS
} gdyn_pick_rule;
/* "balance", "knee", "weights", "target". */
const char *gdyn_pick_rule_name(gdyn_pick_rule rule);

typedef struct gdyn_pick_wish {
    gdyn_pick_rule rule;
    const double *weight; /* objectives, >= 0, one of them > 0; WEIGHTS */
    const double *target; /* objectives, as given; NAN: none; TARGETS */
} gdyn_pick_wish;

typedef struct gdyn_pick {
    struct gdyn_arena *arena; /* owns the arrays */
    const gdyn_study *study;
    gdyn_pick_rule rule;     /* the one applied: BALANCE where there is no knee */
    int feasible;            /* designs that keep all limits and filters */
    gdyn_study_result front; /* .front: the candidates; its archive is borrowed */
    int objectives;
    double *best, *worst; /* objectives: over the candidates, as given */
    double *loss;         /* objectives x candidates */
    int choice;           /* candidate; -1: there is none */
    /* KNEE: distance from the plane, in losses; else the largest (weighted) loss, shortfall */
    double score;
    double distance; /* of the choice from the ideal point, Euclid's, in losses */
    /* objectives: the nearest candidate that is better by 1 % of the range (if there is none:
     * better at all), -1: none */
    int *neighbour;
} gdyn_pick;

/* Chooses from the archive of a study with objectives. To be cleared also on failure. */
gdyn_status gdyn_pick_make(gdyn_pick *pick, const gdyn_study *study, const gdyn_archive *archive,
                           const gdyn_pick_wish *wish);
void gdyn_pick_clear(gdyn_pick *pick);

/* --- limit_cost: what a constraint costs: the best of each objective, and the whole front, as
 * functions of its limit.
 *
 * Taken from evaluated designs. With the left side of the constraint as a further objective, the
 * designs of which none is better than another in all of them are those that matter for some limit;
 * with the limit at b the front is made of those that keep b. All other constraints are kept. */

typedef struct gdyn_limit_level {
    double limit;             /* as given, SI */
    bool stated;              /* the limit of the case */
    int front;                /* designs on the front with this limit */
    const gdyn_design **best; /* objectives: the best design; NULL: none keeps the limit */
    double hypervolume;       /* of the front, against one reference point for all levels */
} gdyn_limit_level;

/* Designs of a further search, which are in the archive behind those of the study. */
typedef struct gdyn_limit_part {
    char *folder;          /* of its own study */
    const char *objective; /* that it is for */
    long first;            /* design N of that study is number first + N of the archive */
    int evaluated;         /* new designs */
    const char *stop;      /* why it ended */
    /* levels, the strictest first: of its search there; NULL: not begun */
    gdyn_search_level *state;
} gdyn_limit_part;

typedef struct gdyn_limit_cost {
    int objectives; /* without the left side */
    int levels;
    gdyn_limit_level *level;    /* levels, the loosest limit first */
    gdyn_study_result result;   /* .front; its archive is borrowed */
    const gdyn_design **member; /* objectives x levels */
    int parts;
    const gdyn_limit_part *part; /* one for each objective; borrowed; set by the caller */
} gdyn_limit_cost;

/* Limits to look at, the strictest first, of a study whose last objective is the left side of the
 * constraint (variant.h): the given one and at most `count` others, those of the designs that
 * matter, spread evenly over them, or (`even`) in even steps between the strictest and the loosest
 * of them. To be freed with gdyn_free. */
gdyn_status gdyn_limit_levels(const gdyn_study *study, const gdyn_archive *archive, double stated,
                              int count, bool even, int *levels, double **level);
/* The best of the archive at each of these limits. To be cleared also on failure. */
gdyn_status gdyn_limit_cost_find(gdyn_limit_cost *cost, const gdyn_study *study,
                                 const gdyn_archive *archive, double stated, int levels,
                                 const double *level);
/* The further search for objective k has converged at level i (of `level`). */
bool gdyn_limit_converged(const gdyn_limit_cost *cost, int i, int k);
/* The further search that found the design; NULL: the study itself. */
const gdyn_limit_part *gdyn_limit_part_of(const gdyn_limit_cost *cost, const gdyn_design *design);
void gdyn_limit_cost_clear(gdyn_limit_cost *cost);

/* --- compare: studies of one problem against each other, by their fronts. */

/* Whether both have the same objectives: names and senses. */
bool gdyn_same_objectives(const gdyn_instance *a, const gdyn_instance *b);

/* Objectives of a front, all to be minimized (m x designs, column-major); to be freed with
 * gdyn_free. NULL: no memory. */
double *gdyn_front_objectives(const gdyn_study *study, const gdyn_archive *front);
/* Hypervolumes of several fronts, m x count[i] each, against one reference point: a tenth of their
 * common range behind the worst of all. 0 for a front without members. */
gdyn_status gdyn_common_hypervolumes(int fronts, const int *count, const double *const *F, int m,
                                     double *volume);

/* A front among others: which group of the same objectives it belongs to, and its hypervolume
 * within the group. */
typedef struct gdyn_grouped_front {
    const char *goals; /* gdyn_study_goals; NULL: not known, in no group */
    int m, count;
    const double *F; /* m x count, to be minimized */
    int group;       /* 0, 1, ... in the order of first appearance; -1: none */
    double volume;   /* gdyn_common_hypervolumes of the group; 0 without a group */
} gdyn_grouped_front;

/* Groups fronts by their goals and measures each group against one reference point. Number of
 * groups; -1: no memory. */
int gdyn_group_fronts(int fronts, gdyn_grouped_front *front);
/* What a study optimizes, "minimize mass machine.mass; ...": studies with the same text have
 * comparable hypervolumes. To be freed with gdyn_free. NULL: no memory. */
char *gdyn_study_goals(const gdyn_study *study);

/* Share of the b members of B that one of the a members of A dominates or equals (Zitzler, Thiele
 * 1999). */
double gdyn_coverage(const double *A, int a, const double *B, int b, int m);

/* Quantile of values in ascending order, linear between them (share 0.5: the median). */
double gdyn_quantile(const double *value, int count, double share);
/* Mann and Whitney's test, exact, with ties too: the probability that two samples of one
 * distribution differ at least so much in their ranks, two-sided. *larger (or NULL): the share of
 * pairs in which the value of `a` is larger, ties half. Up to GDYN_RANK_TEST_MOST values each, no
 * NaN. NaN: no memory. */
enum { GDYN_RANK_TEST_MOST = 100 };
double gdyn_rank_test(const double *a, int na, const double *b, int nb, double *larger);
/* Adjusts the probabilities of `count` tests for their number (Holm 1979). */
void gdyn_holm(int count, double *p);

/* Studies of one problem that are to be taken together, seeds of one method for example. */
typedef struct gdyn_run {
    double value; /* what counts, the larger the better; -INFINITY: no design is feasible */
    const char *study;
    const struct gdyn_digest *digest;
} gdyn_run;
typedef struct gdyn_run_group {
    const char *name;
    int count; /* 1 .. GDYN_RANK_TEST_MOST */
    gdyn_run *run;
    double median, low, high; /* and quartiles */
} gdyn_run_group;
/* Two groups: the share of pairs of runs in which `a` is ahead, equal ones half; the probability of
 * gdyn_rank_test, and that adjusted for the number of tests. */
typedef struct gdyn_run_test {
    int a, b;
    double ahead, p, holm;
} gdyn_run_test;
typedef struct gdyn_run_comparison {
    char measure[64]; /* "hypervolume", or the only objective */
    double sign;      /* -1: that is minimized, and `value` is its negative; else 1 */
    int groups, tests;
    gdyn_run_group *group;
    gdyn_run_test *test; /* room for one of every pair of groups */
} gdyn_run_comparison;
/* Sorts the runs of each group, the worst first, and fills in what follows from their values.
 * GDYN_ERROR_MEMORY. */
gdyn_status gdyn_compare_groups(gdyn_run_comparison *comparison);

/* --- best designs: what a search gained in accessible motion: the start design and the best ones
 * of the front, with their regions along a trajectory.
 *
 * The balanced design loses smallest in the objective in which it loses most, losses being shares
 * of the front's ranges (Chebyshev's distance to the ideal point). Unlike the knee, the farthest
 * from the plane through the extremes, it is not drawn to one end by two objectives that go
 * together. */

/* The design of a front (not empty) that is best in an objective. */
const gdyn_design *gdyn_front_best(const gdyn_study *study, const gdyn_archive *front,
                                   int objective);

enum { GDYN_BEST_OBJECTIVES = 6, GDYN_BEST_DESIGNS = GDYN_BEST_OBJECTIVES + 2 };

typedef struct gdyn_best_design {
    const gdyn_design *design;
    bool start, balanced;
    bool best[GDYN_BEST_OBJECTIVES]; /* in that objective */
    gdyn_instance *instance;         /* NULL: no machine */
    /* Along a trajectory: */
    gdyn_trajectory t;            /* with regions, unless it cannot be followed */
    double reach, area;           /* criteria */
    const gdyn_region *region[2]; /* common to the whole path; at p. NULL: none */
} gdyn_best_design;

typedef struct gdyn_best_designs {
    const gdyn_study *study;
    int count; /* the start design first */
    gdyn_best_design list[GDYN_BEST_DESIGNS];
    /* Along a trajectory: the point where the region of the start design is smallest; where the
     * start cannot follow the path, that of the first design that does. */
    double p;     /* NAN: nothing is accessible anywhere */
    int smallest; /* that design */
} gdyn_best_designs;

/* Chooses designs of a front that is not empty, and makes their machines. To be freed in any
 * case. */
gdyn_status gdyn_best_designs_choose(gdyn_best_designs *best, const gdyn_study *study,
                                     const gdyn_study_result *result);
/* Regions of all of them along a trajectory of the case, in place of those of another one. */
gdyn_status gdyn_best_designs_follow(gdyn_best_designs *best, int trajectory);
void gdyn_best_designs_free(gdyn_best_designs *best);

/* --- infeasibility: the findings of a search without a feasible design: the nearest design, how
 * far each constraint was kept, and which constraints no design kept together. */

enum { GDYN_EXCLUSION_MOST = 3, GDYN_EXCLUSIONS_MOST = 24 };

/* Constraints of which each was kept by some design, and each proper part by some design, but all
 * of them by none. */
typedef struct gdyn_exclusion {
    int count; /* 2 or 3 */
    int constraint[GDYN_EXCLUSION_MOST];
} gdyn_exclusion;

/* One constraint over all designs with values. */
typedef struct gdyn_constraint_record {
    int kept;                /* designs that keep it */
    const gdyn_design *best; /* farthest inside, or nearest to it; NULL: no design has values */
    /* Of the designs that keep all other constraints the one that comes nearest: relaxed to its
     * value, this constraint alone would make it feasible. NULL: there is none. */
    const gdyn_design *alone;
} gdyn_constraint_record;

typedef struct gdyn_infeasibility {
    const gdyn_design *nearest; /* smallest failure, then minimum violation; NULL without designs */
    int evaluated;              /* designs whose objectives and constraints have values */
    int constraints;
    gdyn_constraint_record *constraint; /* constraints */
    int exclusions;                     /* the first of them; pairs before triples */
    gdyn_exclusion exclusion[GDYN_EXCLUSIONS_MOST];
} gdyn_infeasibility;

/* Of any archive of the study; designs are borrowed from it. To be cleared also on failure. */
gdyn_status gdyn_infeasibility_find(const gdyn_study *study, const gdyn_archive *archive,
                                    gdyn_infeasibility *infeasibility);
void gdyn_infeasibility_clear(gdyn_infeasibility *infeasibility);

/* --- volume_curve: how a search gained hypervolume. */

typedef struct gdyn_volume_point {
    long evaluations;
    double volume; /* hypervolume; see gdyn_volume_curve */
    bool moved;    /* the reference point is another one than that of the point before */
} gdyn_volume_point;

/* A point for each generation (of many: for some, the last one among them) from the first feasible
 * design on, to free with gdyn_free; their number. Volumes are those of all designs so far, against
 * the last reference point. Where exact ones would take long (many designs with four and more
 * objectives), and while nothing is feasible, they are those that the search had of its population,
 * which do not compare where its reference point moved; *of_population says so. -1: no memory. */
int gdyn_volume_curve(const gdyn_study *study, const gdyn_study_result *result,
                      gdyn_volume_point **point, bool *of_population);
/* The same generations with the best value of the first objective among the feasible designs so far
 * in place of the volume: what a study of one objective gains. */
int gdyn_best_curve(const gdyn_study *study, const gdyn_study_result *result,
                    gdyn_volume_point **point);
