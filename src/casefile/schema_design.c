/* schema_design.c - keys of `design`, `optimize` and `expect`. */
#include "casefile/schema.h"
#include "casefile/casefile.h"
#include "search/sample.h"
#include "search/search.h"
#include "simulate/simulate.h"

#define SEARCH(field) GDYN_AT(gdyn_search_options, field)
#define SAMPLE(field) GDYN_AT(gdyn_robustness, field)
#define EXPECT(field) GDYN_AT(gdyn_expectation, field)

/* --- what entries fill ---------------------------------------------------------------------- */

GDYN_DEFINITION(search_definition, search_initial, gdyn_search_options, gdyn_search_default(),
                GDYN_CODE_SEARCH);
GDYN_DEFINITION(robustness_definition, robustness_initial, gdyn_robustness,
                ((gdyn_robustness){.method = GDYN_SAMPLE_SOBOL, .size = 64, .seed = 1}),
                GDYN_CODE_TOLERANCE);
GDYN_DEFINITION(expectation_definition, expectation_initial, gdyn_expectation,
                ((gdyn_expectation){.trajectory = -1,
                                    .workspace = -1,
                                    .criterion = -1,
                                    .joint = -1,
                                    .drive = -1,
                                    .range = -1,
                                    .goal = -1}),
                GDYN_CODE_EXPECT);

/* --- keys ------------------------------------------------------------------------------------ */

static const char *const within_words[] = {"tolerance", NULL};
static const char *const instead_of_bounds[] = {"choices", "within", NULL};
static const gdyn_field design_fields[] = {
    {"min", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of the parameter", .required = true,
     .unless = instead_of_bounds, .excludes = "choices",
     .about = "minimum, unless there are choices"},
    {"max", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of the parameter", .required = true,
     .unless = instead_of_bounds, .excludes = "choices",
     .about = "maximum, unless there are choices"},
    {"choices", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OR_MAP,
     .about =
         "instead: `[2 mm, 3 mm, 5 mm]`, increasing values of the parameter, or a table `{steel: "
         "{rho: 7850, E: 210e9}, aluminium: {...}}` of parameters that are set together"},
    {"start", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of the parameter",
     .fallback = "the parameter's value, or the middle",
     .about = "first design; with choices a value "
              "or the name of a row"},
    {"integer", GDYN_T_FLAG, .excludes = "choices", .fallback = "false",
     .about = "whole numbers only"},
    {"within", GDYN_T_WORD, .words = within_words,
     .about = "instead: the variable is the deviation of the parameter within its tolerance"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_design = {"design variable", "design.NAME", design_fields,
                                               NULL};

static const gdyn_field robustness_fields[] = {
    {"method", GDYN_T_WORD, GDYN_D_OPEN, SAMPLE(method), .usual = true,
     .words = gdyn_sample_plain_names,
     .about = "points in the space of the tolerances: Sobol's sequence, a Latin hypercube, a grid "
              "(2 levels: the corners), one tolerance at a time"},
    {"size", GDYN_T_INTEGER, GDYN_D_OPEN, SAMPLE(size), GDYN_AT_LEAST(1),
     .fallback = "64; grid, oat: 2",
     .about = "machines in the sample, or levels of each tolerance"},
    {"seed", GDYN_T_INTEGER, GDYN_D_OPEN, SAMPLE(seed), GDYN_AT_LEAST(0), .usual = true,
     .about = "of the Latin hypercube"},
    {"scenarios", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP_OF(GDYN_JSON_MAP_OF(GDYN_JSON_NUMBER)),
     .about =
         "`NAME: {PARAMETER: value, ...}`, for example loads: the sample is evaluated in each"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_robustness = {"robustness", "robustness", robustness_fields,
                                                   &robustness_definition};

static const gdyn_field objective_fields[] = {
    {"minimize", GDYN_T_FORMULA, .about = "formula over criteria, smaller is better"},
    {"maximize", GDYN_T_FORMULA, .about = "formula over criteria, larger is better"},
    {"aim", GDYN_T_QUANTITY, GDYN_D_ANY, .fallback = "the whole front",
     .about = "desired value, for every objective or for none: the search concentrates on the part "
              "of the front nearest to these values (docs/optimize.md)"},
    {"levels", GDYN_T_SPECIAL, GDYN_D_ANY, .json = GDYN_JSON_NUMBERS,
     .about = "epsilon_constraint: list of limits of this objective; the other of the two "
              "objectives is optimized at each of them"},
    {NULL},
};
static const gdyn_schema_record objective_record = {"objective", "optimize.objectives.NAME",
                                                    objective_fields, NULL};

static const gdyn_field crossover_fields[] = {
    {"probability", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(crossover), GDYN_WITHIN(0, 1),
     .fallback = "0.9", .about = "that a pair is crossed"},
    {"eta", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(crossover_eta), GDYN_AT_LEAST(0), .fallback = "15",
     .about = "distribution index: larger values keep children closer to their parents"},
    {NULL},
};
static const gdyn_schema_record crossover_record = {"crossover", "optimize.algorithm.crossover",
                                                    crossover_fields, &search_definition};

static const gdyn_field mutation_fields[] = {
    {"probability", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(mutation), GDYN_WITHIN(0, 1),
     .fallback = "1 / number of variables", .about = "that a variable is mutated"},
    {"eta", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(mutation_eta), GDYN_AT_LEAST(0), .fallback = "20",
     .about = "distribution index: larger values make smaller steps"},
    {NULL},
};
static const gdyn_schema_record mutation_record = {"mutation", "optimize.algorithm.mutation",
                                                   mutation_fields, &search_definition};

static const gdyn_field algorithm_fields[] = {
    {"name", GDYN_T_WORD, GDYN_D_OPEN, SEARCH(method), .usual = true,
     .words = gdyn_search_method_names, .about = "search method (docs/optimize.md)"},
    {"population", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(population), GDYN_AT_LEAST(4),
     .fallback = "from the budget", .about = "designs in one generation"},
    {"seed", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(seed), GDYN_AT_LEAST(0), .usual = true,
     .about = "of the random numbers"},
    {"crossover", GDYN_T_RECORD, .record = &crossover_record,
     .about = "nsga2, nsga3: simulated binary crossover"},
    {"mutation", GDYN_T_RECORD, .record = &mutation_record,
     .about = "nsga2, nsga3: polynomial mutation"},
    {"weight", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(weight), GDYN_INSIDE(0, 2),
     .fallback = "the method's own", .about = "de, hybrid: differential weight F"},
    {"rate", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(rate), GDYN_WITHIN(0, 1),
     .fallback = "the method's own", .about = "de, hybrid: crossover rate CR"},
    {"divisions", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(divisions), GDYN_AT_LEAST(1),
     .fallback = "from the population",
     .about = "nsga3: divisions of each axis by the reference directions"},
    {"nlopt", GDYN_T_WORD, GDYN_D_OPEN, SEARCH(nlopt), .words = gdyn_search_nlopt_names,
     .fallback = "the method's own",
     .about = "chebyshev, epsilon_constraint, nbi, hybrid: algorithm for one scalar problem"},
    {"points", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(points), GDYN_AT_LEAST(2),
     .fallback = "the method's own",
     .about = "chebyshev, epsilon_constraint, nbi, hybrid: scalar problems along the front"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(tolerance), GDYN_INSIDE(0, 1),
     .fallback = "the method's own",
     .about = "chebyshev, epsilon_constraint, nbi, hybrid: of local searches, relative"},
    {"batch", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(batch), GDYN_AT_LEAST(1), .fallback = "4",
     .about = "surrogate: designs chosen at a time"},
    {"lag", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(lag), GDYN_AT_LEAST(0), .usual = true,
     .about = "nsga2, de, nsga3, surrogate: batches requested before all results of the oldest are "
              "available"},
    {"region", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(region), GDYN_INSIDE(0, 1), .fallback = "0.1",
     .about = "nsga2, de, nsga3, hybrid, surrogate: width of the part of the front around the aim, "
              "as a share of its range"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_algorithm = {"algorithm", "optimize.algorithm",
                                                  algorithm_fields, &search_definition};

static const gdyn_field stall_fields[] = {
    {"window", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(stall_window), GDYN_AT_LEAST(1),
     .required = true, .about = "designs compared, in populations"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, SEARCH(stall_tolerance), .required = true,
     .about = "stop when the relative change over the window is smaller"},
    {NULL},
};
static const gdyn_schema_record stall_record = {"stall", "optimize.stop.stall", stall_fields,
                                                &search_definition};

static const gdyn_field stop_fields[] = {
    {"evaluations", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(evaluations), GDYN_AT_LEAST(1),
     .usual = true, .about = "designs evaluated"},
    {"generations", GDYN_T_INTEGER, GDYN_D_OPEN, SEARCH(generations), GDYN_AT_LEAST(1),
     .fallback = "no limit", .about = "generations"},
    {"time", GDYN_T_QUANTITY, GDYN_D_TIME, SEARCH(time), .fallback = "no limit",
     .about = "time spent"},
    {"stall", GDYN_T_RECORD, .record = &stall_record, .fallback = "not watched",
     .about = "no more progress"},
    {NULL},
};
static const gdyn_schema_record stop_record = {"stop", "optimize.stop", stop_fields,
                                               &search_definition};

static const gdyn_field optimize_fields[] = {
    {"objectives", GDYN_T_MAP, .required = true, .record = &objective_record,
     .about = "what is minimized or maximized"},
    {"constraints", GDYN_T_SPECIAL,
     .json =
         "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"string\", \"object\"]}}",
     .about = "`NAME: formula >= value`, also `<=` and `=`; `NAME: {require: formula = value, "
              "tolerance: T}` "
              "where an equality may be off by T (default: a thousandth of the value)"},
    {"algorithm", GDYN_T_RECORD, .record = &gdyn_schema_algorithm, .about = "the search method"},
    {"stop", GDYN_T_RECORD, .record = &stop_record, .about = "rules for stopping"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_optimize = {"optimize", "optimize", optimize_fields,
                                                 &search_definition};

static const gdyn_field expect_fields[] = {
    {"quantity", GDYN_T_TEXT, .required = true, .about = "the known quantity, see below"},
    {"at", GDYN_T_SPECIAL, GDYN_D_ANY, .json = GDYN_JSON_MAP_OF(GDYN_JSON_NUMBER),
     .fallback = "the start design",
     .about = "objective, constraint: the design, `{VARIABLE: value}`; others stay at the start"},
    {"value", GDYN_T_SPECIAL, GDYN_D_ANY, .required = true, .json = GDYN_JSON_NUMBER,
     .about = "its value; `inf` if it is unbounded, `none` if there is none"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_ANY, .fallback = "1e-6, or 1e-6 of a value above 1",
     .about = "absolute"},
    {"source", GDYN_T_TEXT, GDYN_D_OPEN, EXPECT(source), .about = "source of the number"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_expect = {"expectation", "expect", expect_fields,
                                               &expectation_definition};

/* --- simulate --------------------------------------------------------------------------------- */

#define SIM(field) GDYN_AT(gdyn_simulation_def, field)

/* --- what entries fill ---------------------------------------------------------------------- */

GDYN_DEFINITION(simulation_definition, simulation_initial, gdyn_simulation_def,
                gdyn_simulation_default(), GDYN_CODE_SIMULATE);

/* --- keys ------------------------------------------------------------------------------------ */

static const gdyn_field compliance_fields[] = {
    {"length", GDYN_T_QUANTITY, GDYN_D_COMPLIANCE, SIM(compliance[0]), .usual = true,
     .about = "of constraints that are lengths"},
    {"angle", GDYN_T_QUANTITY, GDYN_D_ANGLE_COMPLIANCE, SIM(compliance[1]), .usual = true,
     .about = "of constraints that are angles"},
    {"relaxation", GDYN_T_QUANTITY, GDYN_D_TIME, SIM(relaxation), .usual = true,
     .about = "damping over stiffness: violations die out over this time"},
    {NULL},
};
static const gdyn_schema_record compliance_record = {"compliance", "simulate.method.compliance",
                                                     compliance_fields, &simulation_definition};

static const gdyn_field method_fields[] = {
    {"name", GDYN_T_WORD, GDYN_D_OPEN, SIM(method), .usual = true, .words = gdyn_sim_method_names,
     .about = "how accelerations follow from redundant constraints (docs/simulate.md)"},
    {"drop", GDYN_T_NAMES, GDYN_D_OPEN, SIM(drop), GDYN_NUMBER(gdyn_simulation_def, drop_count),
     .fallback = "chosen by pivoted QR",
     .about = "elimination: the constraints left out, `JOINT.ROW` or `JOINT`"},
    {"independent", GDYN_T_NAMES, GDYN_D_OPEN, SIM(independent),
     GDYN_NUMBER(gdyn_simulation_def, independent_count), .fallback = "chosen by LU",
     .about = "partition: velocities that stay independent, `BODY.x`, `BODY.angle`, `BODY.rx`"},
    {"penalty", GDYN_T_QUANTITY, GDYN_D_NONE, SIM(penalty), .usual = true,
     .about = "augmented_lagrangian: divided by the largest mass"},
    {"compliance", GDYN_T_RECORD, .record = &compliance_record,
     .about = "compliance: compliances of the constraints"},
    {NULL},
};
static const gdyn_schema_record method_record = {"method", "simulate.method", method_fields,
                                                 &simulation_definition};

static const gdyn_field stabilization_fields[] = {
    {"name", GDYN_T_WORD, .words = gdyn_sim_hold_names,
     .fallback = "projection; none for compliance",
     .about = "how constraints are enforced at position and velocity level"},
    {"rate", GDYN_T_QUANTITY, GDYN_D_FREQUENCY, SIM(baumgarte), .usual = true,
     .about = "baumgarte: how fast violations die out"},
    {NULL},
};
static const gdyn_schema_record stabilization_record = {
    "stabilization", "simulate.stabilization", stabilization_fields, &simulation_definition};

static const gdyn_field integrator_fields[] = {
    {"name", GDYN_T_WORD, GDYN_D_OPEN, SIM(integrator), .usual = true,
     .words = gdyn_sim_integrator_names, .about = "the integrator"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, SIM(tolerance), .usual = true,
     .about = "error of a step, as a share of the machine's length and speed"},
    {"step", GDYN_T_QUANTITY, GDYN_D_TIME, SIM(step), .fallback = "chosen by the error",
     .about = "fixed length of steps; semi_implicit_euler needs one"},
    {NULL},
};
static const gdyn_schema_record integrator_record = {"integrator", "simulate.integrator",
                                                     integrator_fields, &simulation_definition};

static const gdyn_field start_fields[] = {
    {"velocity", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP, .unit = "m/s, rad/s",
     .excludes = "trajectory", .fallback = "at rest, or as the motions ask",
     .about = "`{all: [vx, vy, w], BODY: [...]}`, spatial `[vx, vy, vz, wx, wy, wz]`: velocity of "
              "the centre of gravity and angular velocity in ground axes"},
    {"rates", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP_OF(GDYN_JSON_NUMBER), .unit = "m/s or rad/s",
     .excludes = "trajectory", .about = "`{JOINT: rate, JOINT.FREEDOM: ...}`"},
    {"hold", GDYN_T_SPECIAL, .json = GDYN_JSON_NAMES, .excludes = "trajectory",
     .about = "`[BODY, ...]`: keep their pose while the machine is assembled"},
    {"trajectory", GDYN_T_TEXT, .about = "instead: start on this trajectory"},
    {"p", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of p", .fallback = "where it begins",
     .about = "where on the trajectory"},
    {"speed", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of p, and per s",
     .fallback = "at rest; 1 for a table over time", .about = "dp/dt there"},
    {NULL},
};
static const gdyn_schema_record start_record = {"start", "simulate.start", start_fields, NULL};

static const gdyn_field simulate_fields[] = {
    {"duration", GDYN_T_QUANTITY, GDYN_D_TIME, SIM(duration), GDYN_POSITIVE,
     .beyond = "the duration must be above zero", .required = true, .about = "from t = 0"},
    {"every", GDYN_T_QUANTITY, GDYN_D_TIME, SIM(every), .fallback = "a hundredth of the duration",
     .about = "time between outputs"},
    {"closing", GDYN_T_WORD, GDYN_D_OPEN, SIM(closing), .usual = true,
     .words = gdyn_sim_closing_names, .about = "how the first pose is assembled"},
    {"shake", GDYN_T_QUANTITY, GDYN_D_NONE, SIM(shake), .usual = true,
     .about = "the first guess is first displaced at random by up to this share of the machine's "
              "length; 0: only if it is singular and cannot be closed otherwise, by 1e-3"},
    {"method", GDYN_T_RECORD, .record = &method_record, .about = "how constraints are handled"},
    {"stabilization", GDYN_T_RECORD, .record = &stabilization_record, .about = "against drift"},
    {"integrator", GDYN_T_RECORD, .record = &integrator_record, .about = "in time"},
    {"slip", GDYN_T_QUANTITY, GDYN_D_SPEED, SIM(slip), .usual = true,
     .about = "dry friction rises as tanh(v/slip); for angles over the machine's length"},
    {"drives", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP_OF(GDYN_JSON_NUMBER_OR_LIST),
     .unit = "N or N m", .fallback = "no forces",
     .about = "`{DRIVE: formula in t}`, or a table `{DRIVE: [[t, force], ...]}`, linear between "
              "its rows, constant beyond"},
    {"record", GDYN_T_SPECIAL, .json = GDYN_JSON_NAMES, .fallback = "none",
     .about = "`[BODY.POINT, ...]`: points whose positions and velocities become columns"},
    {"axes", GDYN_T_WORD, GDYN_D_OPEN, SIM(axes), .usual = true, .words = gdyn_sim_axes_names,
     .about = "of the reactions: each joint's own; `ground` adds columns along the ground's axes"},
    {"start", GDYN_T_RECORD, .record = &start_record,
     .about = "desired start velocities; made consistent with the constraints"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_simulate = {"simulate", "simulate", simulate_fields,
                                                 &simulation_definition};
