/* schema_simulate.c - keys of `simulate`. */
#include "casefile/schema_blocks.h"

#include "simulate/simulate.h"

static const gdyn_field compliance_fields[] = {
    {"length", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "m/N", .fallback = "1e-8",
     .about = "of constraints that are lengths"},
    {"angle", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "1/(N m)", .fallback = "1e-8",
     .about = "of constraints that are angles"},
    {"relaxation", GDYN_T_QUANTITY, GDYN_D_TIME, .fallback = "0.01 s",
     .about = "damping over stiffness: violations die out over this time"},
    {NULL}};
static const gdyn_schema_record compliance_record = {"compliance", "simulate.method.compliance",
                                                     false, compliance_fields};

static const gdyn_field method_fields[] = {
    {"name", GDYN_T_WORD, .words = gdyn_sim_method_names, .fallback = "null_space",
     .about = "how accelerations follow from redundant constraints (docs/simulate.md)"},
    {"drop", GDYN_T_SPECIAL, .json = JSON_NAMES, .fallback = "chosen by pivoted QR",
     .about = "elimination: the constraints left out, `JOINT.ROW` or `JOINT`"},
    {"independent", GDYN_T_SPECIAL, .json = JSON_NAMES, .fallback = "chosen by LU",
     .about = "partition: velocities that stay independent, `BODY.x`, `BODY.angle`, `BODY.rx`"},
    {"penalty", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "1e6",
     .about = "augmented_lagrangian: over the greatest mass"},
    {"compliance", GDYN_T_RECORD, .record = &compliance_record,
     .about = "compliance: compliances of the constraints"},
    {NULL}};
static const gdyn_schema_record method_record = {"method", "simulate.method", false, method_fields};

static const gdyn_field stabilization_fields[] = {
    {"name", GDYN_T_WORD, .words = gdyn_sim_hold_names,
     .fallback = "projection; none for compliance",
     .about = "what keeps the constraints on the level of position and velocity"},
    {"rate", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "1/s", .fallback = "10 1/s",
     .about = "baumgarte: how fast violations die out"},
    {NULL}};
static const gdyn_schema_record stabilization_record = {"stabilization", "simulate.stabilization",
                                                        false, stabilization_fields};

static const gdyn_field integrator_fields[] = {
    {"name", GDYN_T_WORD, .words = gdyn_sim_integrator_names, .fallback = "rkf45",
     .about = "the integrator"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "1e-8",
     .about = "error of a step, as a share of the machine's length and speed"},
    {"step", GDYN_T_QUANTITY, GDYN_D_TIME, .fallback = "chosen by the error",
     .about = "fixed length of steps; semi_implicit_euler needs one"},
    {NULL}};
static const gdyn_schema_record integrator_record = {"integrator", "simulate.integrator", false,
                                                     integrator_fields};

static const gdyn_field start_fields[] = {
    {"velocity", GDYN_T_SPECIAL, .json = "{\"type\": \"object\"}", .unit = "m/s, rad/s",
     .fallback = "at rest, or as the motions ask",
     .about = "`{all: [vx, vy, w], BODY: [...]}`, spatial `[vx, vy, vz, wx, wy, wz]`: velocity of "
              "the centre of gravity and angular velocity in ground axes"},
    {"rates", GDYN_T_SPECIAL, .json = JSON_FORMULAS, .unit = "m/s or rad/s",
     .about = "`{JOINT: rate, JOINT.FREEDOM: ...}`"},
    {NULL}};
static const gdyn_schema_record start_record = {"start", "simulate.start", false, start_fields};

static const gdyn_field simulate_fields[] = {
    {"duration", GDYN_T_QUANTITY, GDYN_D_TIME, true, .about = "from t = 0"},
    {"every", GDYN_T_QUANTITY, GDYN_D_TIME, .fallback = "a hundredth of the duration",
     .about = "time between outputs"},
    {"closing", GDYN_T_WORD, .words = gdyn_sim_closing_names, .fallback = "least_squares",
     .about = "how the first pose is assembled"},
    {"shake", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "0",
     .about = "the first guess is displaced at random by up to this share of the machine's length "
              "before; "
              "0: only a singular one that cannot be closed else, by 1e-3"},
    {"method", GDYN_T_RECORD, .record = &method_record, .about = "how constraints are handled"},
    {"stabilization", GDYN_T_RECORD, .record = &stabilization_record, .about = "against drift"},
    {"integrator", GDYN_T_RECORD, .record = &integrator_record, .about = "in time"},
    {"slip", GDYN_T_QUANTITY, GDYN_D_SPEED, .fallback = "1 mm/s",
     .about = "dry friction rises as tanh(v/slip); for angles over the machine's length"},
    {"drives", GDYN_T_SPECIAL,
     .json = "{\"type\": \"object\", \"additionalProperties\": " JSON_SIGNAL "}",
     .unit = "N or N m", .fallback = "no forces",
     .about = "`{DRIVE: formula in t}`, or a table `{DRIVE: [[t, force], ...]}`, linear between "
              "its rows, constant beyond"},
    {"record", GDYN_T_SPECIAL, .json = JSON_NAMES, .fallback = "none",
     .about = "`[BODY.POINT, ...]`: points whose places and velocities become columns"},
    {"axes", GDYN_T_WORD, .words = gdyn_sim_axes_names, .fallback = "joint",
     .about = "of the reactions: each joint's own; `ground` adds columns along the ground's axes"},
    {"start", GDYN_T_RECORD, .record = &start_record,
     .about = "wishes for the start; made consistent with the constraints"},
    {NULL}};
const gdyn_schema_record gdyn_schema_simulate = {"simulate", "simulate", false, simulate_fields};

const gdyn_schema_record *const gdyn_schema_simulate_records[] = {&gdyn_schema_simulate,
                                                                  &method_record,
                                                                  &compliance_record,
                                                                  &stabilization_record,
                                                                  &integrator_record,
                                                                  &start_record,
                                                                  NULL};
