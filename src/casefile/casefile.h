/* casefile.h - reads a case file (YAML) into definitions and settings, with diagnostics.
 *
 * Reading has two steps. gdyn_case_read parses the file (includes, repeat, like, all names and
 * dimensions) and keeps it. gdyn_case_instantiate evaluates the formulas for given parameter
 * values (--set, design variables) and makes the model; it is fast and may be repeated for every
 * design. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "criteria/criteria.h"
#include "base/release.h"
#include "base/status.h"
#include "base/text.h"
#include "expr/expr.h"
#include "model/model.h"
#include "path/path.h"
#include "search/sample.h"
#include "search/search.h"
#include "simulate/simulate.h"

GDYN_API_BEGIN

typedef struct gdyn_case gdyn_case;
struct gdyn_arena;

/* Diagnostics (all of them) go to the sink with file, line, column, source line and help. A
 * folder stands for the case.yaml in it. */
gdyn_status gdyn_case_read(const char *filename, const gdyn_sink *sink, gdyn_case **out);
/* The same without some of its entries, as if they were not in the file: drives by their names,
 * others by their dotted paths, from the top or from the machine ("joints.low1",
 * "optimize.constraints.light"). A list that ends with NULL. GDYN_ERROR_ARGUMENT: there is no
 * such entry. */
gdyn_status gdyn_case_read_without(const char *filename, const char *const *without,
                                   const gdyn_sink *sink, gdyn_case **out);
/* The same from memory; `filename` is used in messages and as base of includes. */
gdyn_status gdyn_case_read_text(const char *text, size_t length, const char *filename,
                                const gdyn_sink *sink, gdyn_case **out);
void gdyn_case_destroy(gdyn_case *the_case);
/* The file that was read, or its name in messages. */
const char *gdyn_case_filename(const gdyn_case *the_case);

/* --set name=value, or a design variable. A variable whose choices are the rows of a table is
 * set by the number of the row (0, 1, ...), which sets the parameters of that row. */
typedef struct gdyn_setting {
    const char *name;
    double value;
    bool added; /* the value is a deviation, added to what the parameter has otherwise */
} gdyn_setting;
/* Parses "name=value" (value may carry a unit and be a formula) against the case's parameters;
 * "material=steel" for a table of choices. */
gdyn_status gdyn_case_parse_setting(const gdyn_case *the_case, const char *text,
                                    const gdyn_sink *sink, gdyn_setting *out);

/* Appends the case as one self-contained YAML text: includes merged, repeat and like written out,
 * tables of files inlined, the given settings in place of the parameters' values. Reading the text
 * gives an instance with the same bits as this case has at these settings, regardless of the
 * folder; writing what was read gives the same text again. `leave_out` (NULL, or a list that ends
 * with NULL) names entries to omit by their dotted paths: "about", "expect", "optimize.stop". A set
 * parameter's `design: {NAME: {start: ...}}` is dropped: the value set is the start. An entry that
 * is no parameter (a design variable of a case without machine) gets it as its start.
 * GDYN_ERROR_ARGUMENT: a setting of no parameter, or not finite. */
gdyn_status gdyn_case_write(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                            const char *const *leave_out, gdyn_text *out);

typedef enum gdyn_design_kind {
    GDYN_DESIGN_NUMBER,   /* min <= x <= max, whole when `integer` */
    GDYN_DESIGN_SIZES,    /* choices: [2 mm, 3 mm]: x is the index of a value; they grow */
    GDYN_DESIGN_TABLE,    /* choices: {steel: {rho: ..., E: ...}, ...}: x is the index of a row */
    GDYN_DESIGN_DEVIATION /* within: tolerance: x is added to the parameter's value */
} gdyn_design_kind;

/* A search moves x between min and max; gdyn_case_choice says which setting that is. With choices
 * x is their index: min = 0, max = choices - 1, integer; sizes are ordered, the rows of a table are
 * not (a categorical variable). */
typedef struct gdyn_design_variable {
    const char *name; /* a parameter (TABLE: a name of its own) */
    double min, max;  /* SI */
    double start;     /* the parameter's value in the file, or the index of the choice */
    bool integer;
    gdyn_dimension dimension; /* of the parameter */
    gdyn_design_kind kind;
    int choices;               /* number of them, 0 for a number */
    const char *const *choice; /* choices: "steel", or "2 mm" as written */
    const double *size;        /* SIZES: choices, SI; growing */
} gdyn_design_variable;

/* The one setting that puts the variable at x: {name, x}, for sizes {name, size[x]}. An index is
 * rounded and kept within its range. All functions that take settings understand it. */
gdyn_setting gdyn_case_choice(const gdyn_design_variable *variable, double x);
/* Name of the choice at x; NULL for a number. */
const char *gdyn_case_choice_name(const gdyn_design_variable *variable, double x);

typedef struct gdyn_goal { /* objective */
    const char *name;
    const char *text; /* formula over criteria: "circle.area", "mass" */
    bool maximize;
    gdyn_dimension dimension; /* of the formula, as far as it is known */
} gdyn_goal;

typedef struct gdyn_requirement { /* constraint: left relation right */
    const char *name;
    const char *text;         /* as written: "circle.reach >= 1" */
    const char *left;         /* formula over criteria */
    int relation;             /* +1: left >= right, -1: left <= right, 0: equal */
    double right;             /* SI */
    double tolerance;         /* of an equality: |left - right| at most this, SI; 0: not given */
    gdyn_dimension dimension; /* of both sides, as far as it is known */
} gdyn_requirement;

/* expect: a result the case is known to give. `quantity` as written is taken apart, so that no
 * caller needs to read it again:
 *   MACHINE     criterion of the machine: mobility
 *   VERDICT     reactions.JOINT or reactions.JOINT.COMPONENT: entity is behind the first dot;
 *               value 0 unique, 1 drive-dependent, 2 indeterminate
 *   REACTION    reaction.JOINT.COMPONENT+...: entity likewise, and how much they are together
 *   TRAJECTORY  trajectory and criterion: circle.area; of a range: circle.travel(elbow)
 *   POINT       besides at p: circle.d1_max@0.5; with has_d1 at d1: circle.d2_max@0.5(10);
 *               with entity: circle.joint(elbow)@0, circle.length(m1)@0
 *   WORKSPACE   workspace and criterion: reach.size
 *   OBJECTIVE, CONSTRAINT  entity = name of an objective, or of a constraint (its left side),
 *               goal its index; of the start design with `setting` in force */
typedef enum gdyn_expectation_kind {
    GDYN_EXPECT_NOTHING, /* the quantity could not be read */
    GDYN_EXPECT_MACHINE,
    GDYN_EXPECT_VERDICT,
    GDYN_EXPECT_REACTION,
    GDYN_EXPECT_TRAJECTORY,
    GDYN_EXPECT_POINT,
    GDYN_EXPECT_WORKSPACE,
    GDYN_EXPECT_OBJECTIVE,
    GDYN_EXPECT_CONSTRAINT
} gdyn_expectation_kind;

typedef struct gdyn_expectation {
    const char *quantity; /* as written */
    gdyn_expectation_kind kind;
    int trajectory; /* TRAJECTORY, POINT: index, else -1 */
    int workspace;  /* WORKSPACE: index, else -1 */
    int criterion;  /* MACHINE, TRAJECTORY, POINT, WORKSPACE: row of the vocabulary, else -1 */
    bool has_p, has_d1;
    double p, d1;
    const char *entity;   /* joint[.freedom] or drive for "joint" and "length", else NULL */
    int joint, drive;     /* its index, else -1 */
    int range;            /* TRAJECTORY: of the model, for travel(NAME) and margin(NAME); else -1 */
    gdyn_freedom freedom; /* of a joint's coordinate */
    int goal;             /* index of the objective or constraint, else -1 */
    int setting_count;    /* of it: design variables away from the start */
    const gdyn_setting *setting;
    double value, tolerance; /* absolute tolerance; default 1e-6 of max(1, |value|) */
    bool infinite;           /* value is written inf, -inf or unbounded (and is +-INFINITY) */
    bool none;               /* value is written none: there is no such number (and is 0) */
    const char *source;      /* source of the number, or NULL */
    const char *file;        /* place of the entry */
    int line;
} gdyn_expectation;

/* How a drive's limits are written, for messages such as "m1.torque <= 12 N m (file:38)". */
typedef struct gdyn_drive_source {
    const char *quantity; /* "force", "torque" or "tension" */
    const char *unit;     /* "N", "N m", or "" for a wrench of both */
    const char *file;
    int min_line, max_line, curve_line, speed_line, stiffness_line; /* 0: not given */
} gdyn_drive_source;

/* How a trajectory is written. */
typedef struct gdyn_trajectory_source {
    int tools;               /* as in the path definition */
    const char *const *tool; /* "platform.tool" */
    const char *file;
    int line;
} gdyn_trajectory_source;

/* What a path does with freedoms that it does not prescribe, besides the weighted norm. */
typedef enum gdyn_freedom_rule {
    GDYN_FREE_NORM,       /* minimum weighted motion */
    GDYN_FREE_BEST,       /* null_motion: best for a criterion */
    GDYN_FREE_EQUILIBRIUM /* undriven: what no drive moves is in static equilibrium */
} gdyn_freedom_rule;

enum { GDYN_FREE_MOST = 6 };

typedef struct gdyn_freedom_def {
    gdyn_freedom_rule rule;
    int criterion;   /* BEST: row of the vocabulary */
    int knots;       /* BEST: of the spline of each free coordinate */
    int evaluations; /* BEST: most of them */
    int joints;      /* free coordinates as given; 0: chosen by the program */
    int joint[GDYN_FREE_MOST];
    gdyn_freedom freedom[GDYN_FREE_MOST];
} gdyn_freedom_def;

/* How the search for a null motion ended (study/free_path.h). */
typedef struct gdyn_settled {
    int tried; /* paths that were evaluated; 0: there was no search */
    /* it found no better neighbour; false: its evaluations ended it, or no path has a value */
    bool settled;
    double norm,
        best; /* the criterion with the minimum weighted motion, and with the path found; NAN: none */
} gdyn_settled;

/* A parameter that differs from machine to machine, or in use: uniformly between its ends. */
typedef struct gdyn_tolerance {
    const char *name;    /* of the parameter */
    double lower, upper; /* deviations from its value, lower <= 0 <= upper, SI */
    gdyn_dimension dimension;
    bool between; /* given by its ends: a scenario that sets the parameter leaves no choice */
    bool beyond;  /* the value is not between these ends: there are no statistics */
} gdyn_tolerance;

/* Parameters that have other values together, such as a load. */
typedef struct gdyn_scenario {
    const char *name;
    int setting_count;
    const gdyn_setting *setting;
} gdyn_scenario;

/* The sample of machines behind worst.NAME, quantile95.NAME and the like: every point of the
 * sample of the tolerances in every scenario. */
typedef struct gdyn_robustness {
    int tolerance_count;
    const gdyn_tolerance *tolerance; /* in the order of the parameters */
    int scenario_count;
    const gdyn_scenario *scenario;
    gdyn_sample_method method;
    int size; /* machines, or levels of each tolerance */
    uint64_t seed;
} gdyn_robustness;

/* Values of a workspace's nodes: the rows of the vocabulary from GDYN_WORKSPACE_DEXTERITY on. */
enum { GDYN_NODE_VALUES = GDYN_WORKSPACE_FORCE - GDYN_WORKSPACE_DEXTERITY + 1 };

/* A grid of tool poses (workspace/field.h): positions of a point, at each of them one
 * orientation, several or a free one. */
typedef struct gdyn_workspace_def {
    const char *name;
    gdyn_anchor of;
    double cardan[3];               /* of the frame of the tool in its body */
    double from[3], to[3];          /* [m] */
    int count[3];                   /* nodes along x, y, z; 1: at from */
    int orientations;               /* that are prescribed at every node; 0: free */
    const double (*orientation)[3]; /* Cardan angles; planar: the angle last */
    bool at_rest;                   /* the freedoms without a drive are in static equilibrium */
    bool any;   /* a node counts if any orientation is reached, not only if all are */
    bool boxed; /* a box is prescribed */
    double box_from[3], box_to[3]; /* [m] */
    double require
        /* smallest (largest, where less is better) value of a node that serves; NAN: none */
        [GDYN_NODE_VALUES];
} gdyn_workspace_def;

/* A case at given parameter values. All pointers live as long as the instance, which must not
 * outlive its case. */
typedef struct gdyn_instance {
    const char *name, *about;
    gdyn_model *model; /* NULL for a case without machine */
    int trajectory_count;
    const gdyn_path_def *trajectory;
    const gdyn_trajectory_source *trajectory_source; /* trajectory_count */
    const gdyn_freedom_def *trajectory_freedom;      /* trajectory_count */
    /* trajectory_count; NULL: there are no null motions, or they are not searched for yet */
    gdyn_settled *settled;
    int workspace_count;
    const gdyn_workspace_def *workspace;
    int point_count;
    /* the points of all bodies and of the ground, "rod2.b"; not of designs */
    const gdyn_named_point *point;
    int drive_count;
    const gdyn_drive_source *drive_source; /* drive_count, in the model's order */
    int design_count;
    const gdyn_design_variable *design;
    gdyn_robustness robustness;
    int objective_count;
    const gdyn_goal *objective;
    const double *aim; /* objective_count, as given, SI; NULL: the whole front is wanted */
    int requirement_count;
    const gdyn_requirement *requirement;
    gdyn_search_options search; /* optimize: algorithm, stop; what is not given is the default */
    gdyn_simulation_def simulation; /* simulate:; duration 0 without it */
    int expectation_count;
    const gdyn_expectation *expectation;
    int parameter_count;
    const char *const *parameter_name;
    const double *parameter_value;
    const gdyn_dimension *parameter_dimension;
    struct gdyn_arena *arena; /* owns all of the above but the model and formulas */
    gdyn_expr **owned_expr;
    int owned_expr_count;
} gdyn_instance;

/* Values for some parameters (the others follow from the file) to a model and settings. Safe from
 * several threads at once. */
gdyn_status gdyn_case_instantiate(const gdyn_case *the_case, int count,
                                  const gdyn_setting *settings, const gdyn_sink *sink,
                                  gdyn_instance **out);
/* The same without what the case is known to give (`expect:`): one of many designs. */
gdyn_status gdyn_case_instantiate_design(const gdyn_case *the_case, int count,
                                         const gdyn_setting *settings, const gdyn_sink *sink,
                                         gdyn_instance **instance);
void gdyn_instance_destroy(gdyn_instance *instance);

/* A sink that adds places and source lines to diagnostics that carry only a path, then passes them
 * to `inner`. The returned sink and its context live as long as the case. */
gdyn_sink gdyn_case_sink(gdyn_case *the_case, const gdyn_sink *inner);

/* JSON Schema of the format, made from the same table that drives the reader (to be freed with
 * gdyn_free). */
char *gdyn_case_schema(void);
/* A commented starting file: template is "planar", "five-bar", "spatial", "cable", "arm",
 * "cart"; NULL when there is no such template. */
const char *gdyn_case_template(const char *name);
const char *const *gdyn_case_template_names(int *count);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Appends a text as a YAML key or value, between quotes where its characters want them. */
void gdyn_case_print_scalar(const char *text, gdyn_text *out);
/* The way back: x for a setting's value (the nearest size). */
double gdyn_case_choice_index(const gdyn_design_variable *variable, double value);
/* The tolerance of that parameter, NULL: none. */
const gdyn_tolerance *gdyn_find_tolerance(const gdyn_instance *instance, const char *name);
/* What the drives' forces are: N when all of them slide, N m when all turn; unknown when there
 * are none, when it is not known (wrenches of both), and in a mixed machine: then *mixed (may be
 * NULL). Forces of a mixed machine can be compared as shares of their limits only. */
gdyn_dimension gdyn_instance_effort(const gdyn_instance *instance, bool *mixed);
/* Dimension of a criterion of workspaces (row of the vocabulary): sizes are lengths, areas or
 * volumes. */
gdyn_dimension gdyn_case_workspace_dimension(const gdyn_workspace_def *workspace, int criterion);
/* Place of the entity with that dotted path ("machine.drives.m1.force.max"; the longest known
 * prefix is used); false when the file has none. */
bool gdyn_case_locate(const gdyn_case *the_case, const char *path, const char **file, int *line,
                      int *column);
/* The tables of docs/case-format.md in Markdown, from the same table (to be freed with
 * gdyn_free). */
char *gdyn_case_manual_tables(void);
/* The table of joint types of docs/case-format.md, from the table of joints (gdyn_free). */
char *gdyn_case_manual_joints(void);
/* The table of path kinds of docs/case-format.md, from the table of kinds (gdyn_free). */
char *gdyn_case_manual_paths(void);
