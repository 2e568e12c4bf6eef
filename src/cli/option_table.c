/* option_table.c - the options of all commands, one row each: name, brief form, kind, place of the value, commands,
 * argument, help (docs/adding-a-command-or-option.md). */
#include "cli/options.h"

#include "access/evaluate.h"
#include "reactions/reactions.h"
#include "search/sample.h"
#include "simulate/simulate.h"
#include "traverse/motion.h"

#include <limits.h>

#define AT(field) offsetof(gdyn_options, field)
#define CASES     "check regions reactions traverse feasible simulate verify evaluate sweep optimize"
#define PATHS     "regions reactions traverse feasible"
#define MOTIONS   "traverse feasible"
#define STUDIES   "sweep optimize"

static const char *const conventions[] = {"none", "min-norm", NULL};
static const char *const sim_conventions[] = {"none", "method", NULL};
static const char *const progress_kinds[] = {"none", "plain", "json", NULL};

/* clang-format off */
const gdyn_option gdyn_option_table[] = {
    {"output", 'o', GDYN_OPTION_TEXT, AT(output), PATHS " simulate " STUDIES, "DIR",
     .help = "where results go (default results/CASE)"},
    {"output", 'o', GDYN_OPTION_TEXT, AT(output), "new", "FILE",
     .help = "the file to write (default TEMPLATE.yaml, - prints it)"},
    {"output", 'o', GDYN_OPTION_TEXT, AT(output), "study", "FILE",
     .help = "the file to write (default -, standard output)"},
    {"set", 0, GDYN_OPTION_SETTING, AT(set), CASES, "NAME=VALUE",
     .help = "override a parameter of the case; repeatable"},
    {"json", 0, GDYN_OPTION_FLAG, AT(json),
     "check regions reactions traverse feasible simulate evaluate sweep optimize study", NULL,
     .help = "the answer as one JSON document on standard output"},
    {"csv", 0, GDYN_OPTION_FLAG, AT(csv), "study", NULL,
     .help = "the answer as CSV on standard output"},
    {"trajectory", 0, GDYN_OPTION_TEXT, AT(trajectory), PATHS, "NAME",
     .help = "only this trajectory"},
    {"trajectory", 0, GDYN_OPTION_TEXT, AT(trajectory), "simulate", "NAME",
     .help = "the trajectory of --motion"},
    {"method", 0, GDYN_OPTION_CHOICE, AT(method), "regions", "METHOD",
     .help = "projection of the limits", .words = gdyn_projection_names},
    {"method", 0, GDYN_OPTION_CHOICE, AT(method), "sweep", "METHOD",
     .help = "which designs (oat: one variable at a time)", .words = gdyn_sample_names,
     .initial = GDYN_SAMPLE_OAT},
    {"method", 0, GDYN_OPTION_CHOICE, AT(sim_method), "simulate", "METHOD",
     .help = "instead of that of the case", .words = gdyn_sim_method_names, .initial = -1},
    {"stabilization", 0, GDYN_OPTION_CHOICE, AT(stabilization), "simulate", "NAME",
     .help = "instead of that of the case", .words = gdyn_sim_hold_names, .initial = -1},
    {"integrator", 0, GDYN_OPTION_CHOICE, AT(integrator), "simulate", "NAME",
     .help = "instead of that of the case", .words = gdyn_sim_integrator_names, .initial = -1},
    {"step", 0, GDYN_OPTION_AMOUNT, AT(step), "simulate", "SECONDS",
     .help = "steps of this length instead of those that the error allows", .unit = "s"},
    {"tolerance", 0, GDYN_OPTION_AMOUNT, AT(tolerance), "simulate", "SHARE",
     .help = "error of a step, instead of that of the case", .unit = "rad"},
    {"convention", 0, GDYN_OPTION_CHOICE, AT(convention), "simulate", "NAME",
     .help = "numbers for reactions that are not unique (method: as the method has them)",
     .words = sim_conventions},
    {"samples", 0, GDYN_OPTION_WHOLE, AT(samples), "sweep", "N",
     .help = "number of designs of lhs and sobol (default 100)", .low = 2, .high = INT_MAX},
    {"levels", 0, GDYN_OPTION_WHOLE, AT(samples), "sweep", "N",
     .help = "levels per variable of oat (default 11) and grid (default 5)", .low = 2, .high = INT_MAX},
    {"variables", 0, GDYN_OPTION_TEXT, AT(variables), "sweep", "A,B,...",
     .help = "vary only these design variables"},
    {"method", 0, GDYN_OPTION_CHOICE, AT(method), "reactions", "TEST",
     .help = "test of uniqueness", .words = gdyn_reaction_method_names, .initial = GDYN_REACTION_METHODS},
    {"pose", 0, GDYN_OPTION_FLAG, AT(pose), "reactions", NULL,
     .help = "at the assembled first guess (default without --trajectory)"},
    {"all", 0, GDYN_OPTION_FLAG, AT(all), "reactions", NULL,
     .help = "all proposals and combinations, not the first few"},
    {"motion", 0, GDYN_OPTION_TEXT, AT(motion), "reactions", "FILE",
     .help = "p,d1,d2 of a motion along the trajectory (default: at rest)"},
    {"motion", 0, GDYN_OPTION_TEXT, AT(motion), "simulate", "FILE",
     .help = "plays a motion along the trajectory with its drive forces: a traverse.csv"},
    {"motion", 0, GDYN_OPTION_TEXT, AT(motion), "feasible", "FILE",
     .help = "the motion: columns t,p or p,d1,d2 (and t) of a CSV file"},
    {"start-speed", 0, GDYN_OPTION_SPEED, AT(start_speed), "traverse", "D1",
     .help = "path speed at the start (default 0; free)"},
    {"end-speed", 0, GDYN_OPTION_SPEED, AT(end_speed), "traverse", "D1",
     .help = "path speed at the end (default 0; free)"},
    {"periodic", 0, GDYN_OPTION_FLAG, AT(periodic), "traverse", NULL,
     .help = "the same speed at both ends, as great as possible"},
    {"no-rates", 0, GDYN_OPTION_FLAG, AT(no_rates), "traverse", NULL,
     .help = "ignore the limits on the rate of drive forces"},
    {"tolerance", 0, GDYN_OPTION_AMOUNT, AT(tolerance), "traverse", "SHARE",
     .help = "relative gap between the bounds of the time (default 1e-3)", .unit = "rad"},
    {"distribution", 0, GDYN_OPTION_CHOICE, AT(distribution), MOTIONS, "NAME",
     .help = "forces of redundant drives", .words = gdyn_sharing_names},
    {"preload", 0, GDYN_OPTION_AMOUNT, AT(preload), MOTIONS, "FORCE",
     .help = "with preload: keep every drive this far above its min"},
    {"smooth", 0, GDYN_OPTION_AMOUNT, AT(smooth), MOTIONS, "SECONDS",
     .help = "smooth the forces of redundant drives over this time", .unit = "s"},
    {"convention", 0, GDYN_OPTION_CHOICE, AT(convention), "reactions", "NAME",
     .help = "values for what is not unique (min-norm: least multipliers)", .words = conventions},
    {"reduction", 0, GDYN_OPTION_CHOICE, AT(reduction), "regions", "METHOD",
     .help = "drive coefficients", .words = gdyn_reduction_names},
    {"formalism", 0, GDYN_OPTION_CHOICE, AT(formalism), "check regions reactions verify", "NAME",
     .help = "joint coordinates on a spanning tree, or dense matrices alone", .words = gdyn_formalism_names},
    {"at", 0, GDYN_OPTION_TEXT, AT(at), "regions", "P,P,...",
     .help = "show the regions at these path parameters"},
    {"coefficients", 0, GDYN_OPTION_TEXT, AT(coefficients), "regions traverse feasible", "FILE",
     .help = "read p,drive,A,B,C,D,min,max,V1... from a CSV file"},
    {"no-pictures", 0, GDYN_OPTION_FLAG, AT(no_pictures), PATHS " simulate " STUDIES, NULL,
     .help = "write no gnuplot scripts and pictures"},
    {"threads", 0, GDYN_OPTION_WHOLE, AT(threads), STUDIES, "N",
     .help = "number of threads (default: all)", .low = 1, .high = 4096},
    {"seed", 0, GDYN_OPTION_SEED, AT(seed), STUDIES, "N",
     .help = "seed of the random numbers"},
    {"evaluations", 0, GDYN_OPTION_WHOLE, AT(evaluations), "optimize", "N",
     .help = "stop after N evaluated designs", .low = 1, .high = INT_MAX},
    {"population", 0, GDYN_OPTION_WHOLE, AT(population), "optimize", "N",
     .help = "designs in a generation", .low = 4, .high = 1 << 20},
    {"progress", 0, GDYN_OPTION_CHOICE, AT(progress), "traverse simulate " STUDIES, "[=json]",
     .help = "report progress on standard error, per generation or second", .words = progress_kinds},
    {"warm-start", 0, GDYN_OPTION_TEXT, AT(warm_start), "optimize", "FILE",
     .help = "initial designs: CSV with a column per design variable"},
    {"restart", 0, GDYN_OPTION_FLAG, AT(restart), STUDIES, NULL,
     .help = "start anew; the old study becomes study.db.old"},
    {"repair", 0, GDYN_OPTION_FLAG, AT(repair), STUDIES, NULL,
     .help = "evaluate again the designs that are damaged in the study's file"},
    {"accept-other-machine", 0, GDYN_OPTION_FLAG, AT(accept_other_machine), STUDIES, NULL,
     .help = "continue a study of other libraries or another processor"},
    {"quiet", 'q', GDYN_OPTION_QUIET, AT(verbosity), NULL, NULL,
     .help = "only errors on standard error"},
    {"verbose", 'v', GDYN_OPTION_VERBOSE, AT(verbosity), NULL, NULL,
     .help = "more on standard error"},
    {"help", 'h', GDYN_OPTION_HELP, 0, NULL, NULL,
     .help = "this help"},
};
/* clang-format on */
const int gdyn_option_count = sizeof gdyn_option_table / sizeof *gdyn_option_table;
