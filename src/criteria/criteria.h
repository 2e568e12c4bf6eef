/* criteria.h - the vocabulary of criteria: what a machine, a trajectory or a point of it can be
 * judged by.
 *
 * Every criterion is one row of gdyn_criterion_table (vocabulary.c). Formulas of studies,
 * `expect`, tables, documents, pictures and the manual take names, units and meanings from
 * there. Values are kept in a gdyn_criteria, indexed like the table, which the modules that
 * compute them fill one after the other: access (track, regions, local), traverse (motion),
 * reactions, workspace and study (the others). */
#pragma once

#include "base/api.h"
#include "base/text.h"
#include "expr/expr.h"

#include <stdbool.h>
#include <stddef.h>

GDYN_API_BEGIN

/* The order is that of tables and documents. */
typedef enum gdyn_criterion {
    /* of a machine, at its assembled first guess */
    GDYN_MACHINE_MASS,
    GDYN_MACHINE_MOBILITY,
    GDYN_MACHINE_REDUNDANCY, /* m + h - rank C */
    GDYN_MACHINE_REDUNDANT_CONSTRAINTS,
    GDYN_MACHINE_DRIVE_REDUNDANCY,
    GDYN_MACHINE_INDETERMINATE,
    GDYN_MACHINE_DRIVE_DEPENDENT,
    GDYN_MACHINE_GRUEBLER,
    GDYN_MACHINE_COORDINATES,
    GDYN_MACHINE_CONSTRAINTS,
    GDYN_MACHINE_RANK,
    GDYN_MACHINE_DRIVES,
    GDYN_MACHINE_BODIES,
    GDYN_MACHINE_JOINTS,
    GDYN_MACHINE_GAP,
    GDYN_MACHINE_NEAR_SINGULAR,
    /* of a trajectory, many of them of one of its points, too */
    GDYN_CRITERION_AREA,
    GDYN_CRITERION_AREA_MEAN,
    GDYN_CRITERION_D1_MAX,
    GDYN_CRITERION_SPEED,
    GDYN_CRITERION_ACCEL,
    GDYN_CRITERION_REACH,
    GDYN_CRITERION_MARGIN,
    GDYN_CRITERION_DEXTERITY,
    GDYN_CRITERION_STIFFNESS,
    GDYN_CRITERION_FREQUENCY,
    GDYN_CRITERION_LOAD,
    GDYN_CRITERION_REDUNDANCY, /* r, of the drives */
    GDYN_CRITERION_REDUNDANT_CONSTRAINTS,
    GDYN_CRITERION_EMPTY,
    GDYN_CRITERION_TIME,
    GDYN_CRITERION_PEAK_FORCE,
    GDYN_CRITERION_RMS_FORCE,
    GDYN_CRITERION_ENERGY,
    GDYN_CRITERION_PEAK_SHARE,
    GDYN_CRITERION_RMS_SHARE,
    GDYN_CRITERION_SINGULAR,
    GDYN_CRITERION_SINGULARITY,
    GDYN_CRITERION_CONSTRAINT_SINGULARITY,
    GDYN_CRITERION_CLEARANCE,
    /* of one point only */
    GDYN_CRITERION_D1_MIN,
    GDYN_CRITERION_D2_MIN,
    GDYN_CRITERION_D2_MAX,
    GDYN_CRITERION_REST_MIN,
    GDYN_CRITERION_REST_MAX,
    GDYN_CRITERION_ISLANDS,
    GDYN_CRITERION_CIRCUITS,
    GDYN_CRITERION_MOBILITY,
    GDYN_CRITERION_UNCONTROLLED,
    GDYN_CRITERION_JOINT,
    GDYN_CRITERION_LENGTH,
    /* of a stated range along a trajectory */
    GDYN_RANGE_TRAVEL,
    GDYN_RANGE_MARGIN,
    /* of a workspace */
    GDYN_WORKSPACE_SIZE,
    GDYN_WORKSPACE_SHARE,
    GDYN_WORKSPACE_COVERED,
    GDYN_WORKSPACE_HELD,
    GDYN_WORKSPACE_DEXTERITY, /* from here on worst values of its nodes */
    GDYN_WORKSPACE_SINGULARITY,
    GDYN_WORKSPACE_LOAD,
    GDYN_WORKSPACE_MARGIN,
    GDYN_WORKSPACE_CLEARANCE,
    GDYN_WORKSPACE_STIFFNESS,
    GDYN_WORKSPACE_STIFFEST,
    GDYN_WORKSPACE_ACCEL,
    GDYN_WORKSPACE_FORCE,
    GDYN_CRITERIA
} gdyn_criterion;

/* What a criterion is of. A name has at most one row for each. */
enum {
    GDYN_OF_MACHINE = 1,
    GDYN_OF_TRAJECTORY = 2,
    GDYN_OF_POINT = 4,
    GDYN_OF_RANGE = 8,
    GDYN_OF_WORKSPACE = 16
};

/* The computations that give the values, from cheap to expensive, and those that a trajectory needs
 * besides (trajectory/passes.c). */
typedef enum gdyn_pass {
    GDYN_PASS_TRACK = 1,   /* poses at the points of a path; for a machine, its model alone */
    GDYN_PASS_REGIONS = 2, /* accessible regions */
    GDYN_PASS_LOCAL = 4,   /* poses without their regions */
    GDYN_PASS_MOTION = 8,  /* the fastest motion; takes the regions */
    GDYN_PASS_REACTIONS =
        16, /* ranks and reactions of the assembled machine; singular poses of a path */
    GDYN_PASS_APPROACH = 32,   /* closest approaches to singular poses, between the points too */
    GDYN_PASS_CLEARANCE = 64,  /* least clearance of the stated shapes */
    GDYN_PASS_WORKSPACE = 128, /* visiting the nodes of a workspace */
    GDYN_PASS_FOLLOW =
        256, /* the machine at the points of a path; gives no criterion, as all below */
    GDYN_PASS_FAILURE = 512,   /* where and why a path cannot be followed, in words */
    GDYN_PASS_DYNAMICS = 1024, /* coefficients at any place of a path */
    GDYN_PASS_PLAN = 2048,     /* the fastest motion with bounds of its time */
    GDYN_PASS_FORCES = 4096    /* the drives' forces along it */
} gdyn_pass;

/* The sets that callers take: a new pass with criteria belongs to one of the first two. The seldom
 * ones are taken for `regions`, and in studies where a formula names them or a design is evaluated
 * in full. */
enum {
    GDYN_PASSES_SELDOM = GDYN_PASS_APPROACH | GDYN_PASS_CLEARANCE,
    GDYN_PASSES_OF_POINTS = GDYN_PASS_TRACK | GDYN_PASS_REGIONS | GDYN_PASS_LOCAL,
    GDYN_PASSES_OF_REGIONS = GDYN_PASSES_OF_POINTS | GDYN_PASSES_SELDOM
};

/* What must hold for a criterion to have a value. */
enum {
    GDYN_PRESUMES_PATH = 1,      /* all of the path's points are assembled */
    GDYN_PRESUMES_REGIONS = 2,   /* no region is empty, and the drives keep their freedoms */
    GDYN_PRESUMES_DRIVES = 4,    /* the machine has drives */
    GDYN_PRESUMES_STIFFNESS = 8, /* a drive states its stiffness */
    GDYN_PRESUMES_LIMITS = 16,   /* a drive, a joint or the path has a limit */
    GDYN_PRESUMES_RISING = 32,   /* p rises from the start of the path to its end */
    GDYN_PRESUMES_RANGES = 64,   /* a joint or drive states its range */
    GDYN_PRESUMES_SHAPES = 128,  /* shapes are stated that can come near each other */
    GDYN_PRESUMES_NODES =
        256 /* all nodes of a prescribed box are reached, or some node of the grid */
};

/* What is in parentheses after the name, under `expect`. */
typedef enum gdyn_argument {
    GDYN_ARGUMENT_NONE,
    GDYN_ARGUMENT_D1,    /* TRAJECTORY.d2_max@P(D1) */
    GDYN_ARGUMENT_JOINT, /* TRAJECTORY.joint(NAME)@P */
    GDYN_ARGUMENT_DRIVE, /* TRAJECTORY.length(DRIVE)@P */
    GDYN_ARGUMENT_RANGE  /* TRAJECTORY.travel(NAME); in formulas TRAJECTORY.travel.NAME */
} gdyn_argument;

typedef struct gdyn_criterion_row {
    const char *name;  /* in formulas, `expect`, JSON, CSV */
    unsigned of;       /* sum of GDYN_OF_... */
    bool formula;      /* objectives and constraints may name it, and studies keep it */
    unsigned pass;     /* the gdyn_pass that gives it */
    unsigned presumes; /* sum of GDYN_PRESUMES_... */
    int better;        /* 1: greater is better; -1: less is; 0: neither */
    /* Dimension: that of unit, times that of p and of the drives' forces (N or N m) to these
     * powers. */
    const char *unit; /* "", "N/m", "1/s^3", ...; NULL: depends on the argument */
    int p;
    const char *label;      /* in tables and pictures */
    const char *definition; /* one sentence, for the manual */
    /* what few rows state */
    int effort;             /* power of the drives' forces */
    int instead;            /* then: the row that serves machines whose drives slide and turn */
    const char *share;      /* for people, of what the number is a share: "of limit" */
    const char *worst;      /* for people, what an infinite value on the bad side means */
    gdyn_argument argument; /* under `expect` */
} gdyn_criterion_row;

extern const gdyn_criterion_row gdyn_criterion_table[GDYN_CRITERIA];

/* The row of that name, -1 when there is none. of: one of GDYN_OF_...; formula: only rows that
 * formulas may name. */
int gdyn_criterion_find(const char *name, unsigned of, bool formula);
/* Names of such rows, at most GDYN_CRITERIA; returns their number. */
int gdyn_criterion_names(unsigned of, bool formula, const char **names);

/* p: dimension of p; effort: of the drives' forces. Unknown where one that is needed is unknown. */
gdyn_dimension gdyn_criterion_dimension(gdyn_criterion criterion, gdyn_dimension p,
                                        gdyn_dimension effort);
/* Unit of the values, "" when they have none: p_unit is "" or the unit of p, effort_unit "" (not
 * known), "N" or "N m". */
gdyn_words gdyn_criterion_unit(gdyn_criterion criterion, const char *p_unit,
                               const char *effort_unit);

/* Why there is no value when a presumption fails ("the machine has no drives"), and what helps,
 * or NULL. */
typedef struct gdyn_presumption_row {
    unsigned presumption; /* one of GDYN_PRESUMES_... */
    const char *word;     /* in the manual's table */
    const char *why, *help;
} gdyn_presumption_row;

/* Values of criteria. */
typedef struct gdyn_criteria {
    double value[GDYN_CRITERIA]; /* SI; NAN: there is none, or its pass was left out */
    unsigned passes;             /* that were computed */
} gdyn_criteria;
/* The less good one of two values of a criterion; NAN stands behind every number. */
double gdyn_criterion_worse(gdyn_criterion criterion, double a, double b);
/* True for the value that nothing can be worse than: infinite on the bad side. */
bool gdyn_criterion_worst(gdyn_criterion criterion, double value);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The next such row behind `after` (-1: the first), -1 behind the last. */
int gdyn_criterion_next(int after, unsigned of, bool formula);
/* Row i of the presumptions, in the order in which they are judged; NULL behind the last. */
const gdyn_presumption_row *gdyn_presumption(int i);
/* No value at all. */
gdyn_criteria gdyn_criteria_none(void);
/* The next row of a trajectory behind `after` (-1: the first) whose pass was computed, -1 behind
 * the last. */
int gdyn_criteria_next(const gdyn_criteria *criteria, int after);
/* What an infinite value of a row (-1: of none) is called: its own word for the worst,
 * "unbounded" or "-unbounded". */
const char *gdyn_criterion_unbounded(int row, double value);
/* Tables of docs/criteria.md in Markdown: criteria that formulas may name, or those of
 * `expect` only, and what they presume (each to be freed with gdyn_free; NULL: memory is out). */
char *gdyn_criteria_manual(bool formula);
char *gdyn_presumptions_manual(void);
/* The criteria that formulas may name as lines of plain text, those of the machine first
 * (gdyn_free; NULL: memory is out). */
char *gdyn_criteria_list(void);

/* --- statistics.c: what formulas may ask of a criterion over a sample of machines:
 * "worst.circle.time". */

typedef enum gdyn_statistic_kind {
    GDYN_STATISTIC_WORST, /* the least where greater is better, the greatest where less is */
    GDYN_STATISTIC_LEAST,
    GDYN_STATISTIC_GREATEST,
    GDYN_STATISTIC_MEAN,
    GDYN_STATISTIC_DEVIATION, /* standard deviation, of n - 1 degrees of freedom */
    GDYN_STATISTIC_QUANTILE
} gdyn_statistic_kind;

typedef struct gdyn_statistic {
    gdyn_statistic_kind kind;
    double share; /* QUANTILE: of the values that are not greater, 0 < share < 1 */
} gdyn_statistic;

/* The words of formulas, NULL-terminated; "quantile" is followed by the decimals of its share:
 * quantile95. */
extern const char *const gdyn_statistic_names[];

/* "worst.NAME" or "quantile95.NAME": returns where NAME begins; NULL when the text begins with
 * no such word. */
const char *gdyn_statistic_parse(const char *text, gdyn_statistic *statistic);

/* The statistic of n >= 1 finite values, which are put in order. `better`: of the criterion;
 * WORST of one that has no better side is NAN, DEVIATION of a single value is 0. Quantiles lie
 * between neighbouring values linearly (Hyndman and Fan 1996, definition 7). */
double gdyn_statistic_value(const gdyn_statistic *statistic, int better, int n, double *value);
