/* casefile.h - reads a case file (YAML) into definitions and settings, with diagnostics.
 *
 * Reading has two steps. gdyn_case_read parses the file (includes, repeat, like, all names and
 * dimensions) and keeps it. gdyn_case_instantiate evaluates the formulas for given parameter values
 * (--set, design variables) and makes the model; it is fast and may be repeated for every design. */
#ifndef GDYN_CASEFILE_CASEFILE_H
#define GDYN_CASEFILE_CASEFILE_H

#include "base/diag.h"
#include "base/memory.h"
#include "base/status.h"
#include "expr/expr.h"
#include "model/model.h"
#include "path/path.h"

typedef struct gdyn_case gdyn_case;

/* Diagnostics (all of them) go to the sink with file, line, column, source line and help. */
gdyn_status gdyn_case_read(const char *filename, const gdyn_sink *sink, gdyn_case **out);
/* The same from memory; `filename` is used in messages and as base of includes. */
gdyn_status gdyn_case_read_text(const char *text, size_t length, const char *filename,
                                const gdyn_sink *sink, gdyn_case **out);
void gdyn_case_destroy(gdyn_case *the_case);

typedef struct gdyn_setting { /* --set name=value, or a design variable */
    const char *name;
    double value;
} gdyn_setting;
/* Parses "name=value" (value may carry a unit and be a formula) against the case's parameters. */
gdyn_status gdyn_case_parse_setting(const gdyn_case *the_case, const char *text,
                                    const gdyn_sink *sink, gdyn_setting *out);

typedef struct gdyn_design_variable {
    const char *name; /* a parameter */
    double min, max;  /* SI */
    double start;     /* the parameter's value in the file */
    bool integer;
    gdyn_dimension dimension;
} gdyn_design_variable;

typedef struct gdyn_goal { /* objective */
    const char *name;
    const char *text;      /* formula over criteria: "circle.area", "mass" */
    bool maximize;
} gdyn_goal;

typedef struct gdyn_requirement { /* constraint: left relation right */
    const char *name;
    const char *text;  /* as written: "circle.reach >= 1" */
    const char *left;  /* formula over criteria */
    int relation;      /* +1: left >= right, -1: left <= right, 0: equal */
    double right;      /* SI */
} gdyn_requirement;

typedef struct gdyn_expectation { /* expect: */
    const char *quantity; /* "mobility", "circle.points[0].d1_max", ... see docs/case-format.md */
    double value, tolerance; /* absolute tolerance; default 1e-6 of max(1, |value|) */
    bool infinite;        /* value: unbounded */
    const char *source;   /* where the number comes from, or NULL */
    int line;
} gdyn_expectation;

typedef struct gdyn_search_settings { /* optimize: algorithm, stop */
    const char *algorithm; /* "nsga2" */
    int population;        /* default 96 */
    unsigned long long seed;
    int evaluations;       /* stop; default 10000 */
    int generations;       /* stop; 0: none */
    double time;           /* stop [s]; 0: none */
    int stall_window;      /* generations; 0: none */
    double stall_tolerance;
} gdyn_search_settings;

/* A case at given parameter values. All pointers live as long as the instance. */
typedef struct gdyn_instance {
    const char *name, *about;
    gdyn_model *model;     /* NULL for a case without machine */
    int trajectory_count;
    const gdyn_path_def *trajectory;
    int design_count;
    const gdyn_design_variable *design;
    int objective_count;
    const gdyn_goal *objective;
    int requirement_count;
    const gdyn_requirement *requirement;
    gdyn_search_settings search;
    int expectation_count;
    const gdyn_expectation *expectation;
    int parameter_count;
    const char *const *parameter_name;
    const double *parameter_value;
    gdyn_arena *arena;     /* owns all of the above but the model and formulas */
    gdyn_expr **owned_expr;
    int owned_expr_count;
} gdyn_instance;

gdyn_status gdyn_case_instantiate(const gdyn_case *the_case, int count,
                                  const gdyn_setting *settings, const gdyn_sink *sink,
                                  gdyn_instance **out);
void gdyn_instance_destroy(gdyn_instance *instance);

/* Place of the entity with that dotted path ("machine.drives.m1.force.max"; the longest known prefix
 * is used); false when the file has none. */
bool gdyn_case_locate(const gdyn_case *the_case, const char *path, const char **file, int *line,
                      int *column);
/* A sink that adds places and source lines to diagnostics that carry only a path, then passes them
 * to `inner`. The returned sink and its context live as long as the case. */
gdyn_sink gdyn_case_sink(gdyn_case *the_case, const gdyn_sink *inner);

/* JSON Schema of the format, made from the same table that drives the reader (malloc'd text). */
char *gdyn_case_schema(void);
/* A commented starting file: template is "planar", "spatial", "cable", "five-bar"...; NULL lists. */
const char *gdyn_case_template(const char *name);
const char *const *gdyn_case_template_names(int *count);

#endif
