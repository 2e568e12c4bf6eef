/* schema_simulate.c - keys of `simulate`. */
#include "casefile/schema.h"
#include "simulate/simulate.h"

#define SIM(field) GDYN_AT(gdyn_simulation_def, field)

/* --- what entries fill ---------------------------------------------------------------------- */

static void simulation_initial(void *def) {
    *(gdyn_simulation_def *)def = gdyn_simulation_default();
}
static const gdyn_definition simulation_definition = {
    simulation_initial, sizeof(gdyn_simulation_def), GDYN_CODE_SIMULATE};

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
     .about = "augmented_lagrangian: over the greatest mass"},
    {"compliance", GDYN_T_RECORD, .record = &compliance_record,
     .about = "compliance: compliances of the constraints"},
    {NULL},
};
static const gdyn_schema_record method_record = {"method", "simulate.method", method_fields,
                                                 &simulation_definition};

static const gdyn_field stabilization_fields[] = {
    {"name", GDYN_T_WORD, .words = gdyn_sim_hold_names,
     .fallback = "projection; none for compliance",
     .about = "what keeps the constraints on the level of position and velocity"},
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
     .fallback = "at rest, or as the motions ask",
     .about = "`{all: [vx, vy, w], BODY: [...]}`, spatial `[vx, vy, vz, wx, wy, wz]`: velocity of "
              "the centre of gravity and angular velocity in ground axes"},
    {"rates", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP_OF(GDYN_JSON_NUMBER), .unit = "m/s or rad/s",
     .about = "`{JOINT: rate, JOINT.FREEDOM: ...}`"},
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
     .about = "the first guess is displaced at random by up to this share of the machine's length "
              "before; "
              "0: only a singular one that cannot be closed else, by 1e-3"},
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
     .about = "`[BODY.POINT, ...]`: points whose places and velocities become columns"},
    {"axes", GDYN_T_WORD, GDYN_D_OPEN, SIM(axes), .usual = true, .words = gdyn_sim_axes_names,
     .about = "of the reactions: each joint's own; `ground` adds columns along the ground's axes"},
    {"start", GDYN_T_RECORD, .record = &start_record,
     .about = "wishes for the start; made consistent with the constraints"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_simulate = {"simulate", "simulate", simulate_fields,
                                                 &simulation_definition};
