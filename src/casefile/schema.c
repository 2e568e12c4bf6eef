/* schema.c - the table of the case format. */
#include "casefile/casefile.h"
#include "casefile/schema.h"
#include "path/kinds.h"

#include <string.h>

const char *const gdyn_words_space[] = {"planar", "spatial", NULL};
/* In the order of locks[]. */
const char *const gdyn_words_lock[] = {"x", "y", "z", "rx", "ry", "rz", NULL};
static const char *const words_in[] = {"body", "ground", NULL};
#define JSON_NUMBER  "{\"type\": [\"number\", \"string\"]}"
#define JSON_NUMBERS "{\"type\": \"array\", \"items\": " JSON_NUMBER "}"
#define JSON_NAME_OR_NAMES                                                                         \
    "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "            \
    "\"string\"}}]}"
#define JSON_PAIR        "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"maxItems\": 2}"
#define JSON_NAMES       "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}"
#define JSON_SIGNAL      "{\"type\": [\"number\", \"string\", \"array\"]}"
#define JSON_FORMULAS    "{\"type\": \"object\", \"additionalProperties\": " JSON_NUMBER "}"
#define JSON_POINTS_LIST "{\"type\": \"array\", \"items\": " JSON_NUMBERS "}"

/* --- machine ----------------------------------------------------------------------------------------- */

static const gdyn_field ground_fields[] = {
    {"points", GDYN_T_SPECIAL, .json = "{\"type\": \"object\"}", .unit = "m",
     .about = "`NAME: [x, y]` (spatial `[x, y, z]`) or `NAME: {at: [x, y]}`"},
    {NULL}};
static const gdyn_schema_record ground_record = {"ground", "machine.ground", false, ground_fields};

static const gdyn_field body_fields[] = {
    {"mass", GDYN_T_QUANTITY, GDYN_D_MASS, true, .about = "mass"},
    {"inertia", GDYN_T_SPECIAL, GDYN_D_INERTIA, true,
     .json = "{\"type\": [\"number\", \"string\", \"array\", \"object\"]}",
     .about = "about the centre of gravity, in the body's axes. Planar: a number. Spatial: `[Ixx, "
              "Iyy, Izz]` or `{diagonal: [Ixx, Iyy, Izz], products: [Ixy, Ixz, Iyz]}`, where "
              "products are the off-diagonal elements of the tensor (CAD programs often print "
              "them with the opposite sign)"},
    {"com", GDYN_T_VECTOR, GDYN_D_LENGTH, .fallback = "the origin",
     .about = "centre of gravity in the body's own frame"},
    {"points", GDYN_T_SPECIAL, .json = "{\"type\": \"object\"}", .unit = "m",
     .about = "named points in the body's own frame: `NAME: [x, y]` (spatial `[x, y, z]`)"},
    {"pose", GDYN_T_SPECIAL, .json = "{\"type\": [\"array\", \"object\"]}",
     .fallback = "at the origin, not rotated",
     .about =
         "first guess for the assembly. Planar: `[x, y, angle]` or `{at: [x, y], angle: a}`; "
         "spatial: `[x, y, z]` or `{at: [x, y, z], cardan: [a, b, c]}`; either: `{P: "
         "other.Q, R: third.S}` places its own point P on other.Q and turns R towards third.S"},
    {"hub", GDYN_T_WORD, .fallback = "automatic", .words = gdyn_hub_names,
     .about = "whether the body floats on coordinates of its own in the spanning tree, with all "
              "its joints cut; "
              "automatic: where three or more separate branches to the ground meet. Results do not "
              "depend on "
              "it"},
    {NULL}};
static const gdyn_schema_record body_record = {"body", "machine.bodies.NAME", false, body_fields};

static const gdyn_field friction_fields[] = {
    {"viscous", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "N s/m or N m s/rad", .fallback = "0",
     .about = "force per speed, in every freedom of the joint"},
    {"coulomb", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "N or N m", .fallback = "0",
     .about = "dry friction, in every freedom of the joint that moves along the path"},
    {"stiction", GDYN_T_SPECIAL, .unit = "N or N m", .fallback = "none",
     .json = "{\"type\": [\"number\", \"string\", \"boolean\"]}",
     .about = "greatest force of dry friction while the joint stands still along the path, an "
              "additional bounded force; `true`: the value of `coulomb`"},
    {NULL}};
static const gdyn_schema_record friction_record = {"friction", "machine.joints.NAME.friction",
                                                   false, friction_fields};

#define RANGE_ENDS                                                                                 \
    {"min",                                                                                        \
     GDYN_T_SPECIAL,                                                                               \
     GDYN_D_OPEN,                                                                                  \
     .json = JSON_NUMBER,                                                                          \
     .unit = "m or rad",                                                                           \
     .fallback = "-inf",                                                                           \
     .about = "least value"},                                                                      \
    {                                                                                              \
        "max", GDYN_T_SPECIAL, GDYN_D_OPEN, .json = JSON_NUMBER, .unit = "m or rad",               \
                                            .fallback = "inf", .about = "greatest value"           \
    }
static const gdyn_field range_fields[] = {RANGE_ENDS, {NULL}};
static const gdyn_schema_record range_record = {"range", "machine.drives.NAME.range", false,
                                                range_fields};
static const gdyn_field joint_range_fields[] = {
    RANGE_ENDS,
    {"angle", GDYN_T_RECORD, .record = &range_record,
     .about = "joints with several coordinates: the range of this one, {min, max}"},
    {"slide", GDYN_T_RECORD, .record = &range_record, .about = "the same"},
    {"first", GDYN_T_RECORD, .record = &range_record, .about = "universal: the same"},
    {"second", GDYN_T_RECORD, .record = &range_record, .about = "universal: the same"},
    {"x", GDYN_T_RECORD, .record = &range_record, .about = "planar joint: the same"},
    {"y", GDYN_T_RECORD, .record = &range_record, .about = "planar joint: the same"},
    {NULL}};
static const gdyn_schema_record joint_range_record = {"range", "machine.joints.NAME.range", false,
                                                      joint_range_fields};

static const gdyn_field cone_fields[] = {
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, .required = true,
     .about = "greatest angle between the two directions, at most 180 deg"},
    {"axis", GDYN_T_VECTOR, GDYN_D_ANY,
     .about = "the direction, in the frames of both bodies, of any length"},
    {"axes", GDYN_T_SPECIAL, GDYN_D_ANY,
     .json = "{\"type\": \"array\", \"items\": " JSON_NUMBERS ", \"minItems\": 2, \"maxItems\": 2}",
     .about = "instead: the direction in the frame of the first body and in that of the second"},
    {NULL}};
static const gdyn_schema_record cone_record = {"cone", "machine.joints.NAME.cone", false,
                                               cone_fields};

static const gdyn_field joint_fields[] = {
    {"type", GDYN_T_WORD, .required = true, .words = gdyn_joint_type_names,
     .about = "kind of joint"},
    {"of", GDYN_T_SPECIAL, .required = true, .json = JSON_PAIR,
     .about =
         "`[body.P, body.Q]`: the two points that it connects; `ground.R` may be on either side; a "
         "body alone means its origin. Coordinates measure the motion of the first relative "
         "to the second. Gear: two joints, `[joint, joint.freedom]`"},
    {"axis", GDYN_T_VECTOR, GDYN_D_ANY, .fallback = "none in space; planar prismatic and slot: x",
     .about = "direction of the joint in the frames of both bodies, of any length"},
    {"axes", GDYN_T_SPECIAL, GDYN_D_ANY,
     .json = "{\"type\": \"array\", \"items\": " JSON_NUMBERS ", \"minItems\": 2, \"maxItems\": 2}",
     .about = "the direction in the frame of the first body and in that of the second; "
              "universal: the axis of the first and that of the second"},
    {"normal", GDYN_T_VECTOR, GDYN_D_ANY,
     .about = "knife_edge: no velocity along it, fixed in the first body; rolling, "
              "point_on_plane, planar: normal of the plane, fixed in the second"},
    {"length", GDYN_T_QUANTITY, GDYN_D_LENGTH, .about = "rod: distance of the points"},
    {"pitch", GDYN_T_QUANTITY, GDYN_D_LENGTH, .about = "screw: advance per turn"},
    {"radius", GDYN_T_QUANTITY, GDYN_D_LENGTH, .about = "rolling: radius of the disc"},
    {"ratio", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "follows from the freedoms", .fallback = "1",
     .about = "gear: first coordinate = ratio * second + offset"},
    {"offset", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "rad or m", .fallback = "0",
     .about = "gear, angle, planar fixed: the constant"},
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "0",
     .about = "angle, planar fixed: synonym of offset"},
    {"locks", GDYN_T_SPECIAL,
     .json = "{\"type\": \"array\", \"items\": {\"enum\": [\"x\", \"y\", \"z\", \"rx\", \"ry\", "
             "\"rz\"]}}",
     .about = "generic: what is locked, of `[x, y, z, rx, ry, rz]` in the second body's frame"},
    {"friction", GDYN_T_RECORD, .record = &friction_record, .about = "see below"},
    {"range", GDYN_T_RECORD, .record = &joint_range_record, .fallback = "no stops",
     .about = "what the coordinate may be, see below; poses beyond it count as not reached"},
    {"cone", GDYN_T_RECORD, .record = &cone_record, .fallback = "none",
     .about =
         "spatial: how far two directions may be apart, for ball and universal joints, see below"},
    {"cut", GDYN_T_FLAG, .fallback = "as the tree falls",
     .about = "true: the joint is cut, so that its rows close the loops of the spanning tree and "
              "it carries no "
              "coordinates (`check -v` lists the cuts). Results do not depend on it"},
    {NULL}};
static const gdyn_schema_record joint_record = {"joint", "machine.joints.NAME", false,
                                                joint_fields};

static const gdyn_field limit_fields[] = {
    {"min", GDYN_T_SPECIAL, GDYN_D_OPEN, .json = JSON_NUMBER, .unit = "N or N m",
     .about = "least value; `-inf` or `unlimited` for none"},
    {"max", GDYN_T_SPECIAL, GDYN_D_OPEN, .json = JSON_NUMBER, .unit = "N or N m",
     .about = "greatest value; `inf` or `unlimited` for none"},
    {"limit", GDYN_T_SPECIAL, GDYN_D_OPEN, .json = JSON_NUMBER, .unit = "N or N m",
     .about = "instead of both: min = -limit, max = limit"},
    {NULL}};
static const gdyn_schema_record limit_record = {"limits", "machine.drives.NAME.force", false,
                                                limit_fields};

static const gdyn_field speed_fields[] = {{"max", GDYN_T_SPECIAL, GDYN_D_OPEN, .required = true,
                                           .json = JSON_NUMBER, .unit = "m/s or rad/s",
                                           .about = "greatest absolute speed of the coordinate"},
                                          {NULL}};
static const gdyn_schema_record speed_record = {"speed", "machine.drives.NAME.speed", false,
                                                speed_fields};

static const gdyn_field wrench_fields[] = {
    {"of", GDYN_T_NAME, .required = true, .about = "the point it acts at: `body.P`"},
    {"force", GDYN_T_VECTOR, GDYN_D_ANY, .unit = "-", .fallback = "0",
     .about = "force per unit of the drive's value"},
    {"torque", GDYN_T_SPECIAL, GDYN_D_ANY,
     .json = "{\"type\": [\"number\", \"string\", \"array\"]}", .unit = "m", .fallback = "0",
     .about = "torque per unit of the drive's value; planar: a number, spatial: three"},
    {"in", GDYN_T_WORD, .words = words_in, .fallback = "ground",
     .about = "axes of the components: `body` rotates with the body"},
    {NULL}};
static const gdyn_schema_record wrench_record = {"wrench", "machine.drives.NAME.wrench", false,
                                                 wrench_fields};

static const gdyn_field drive_fields[] = {
    {"at", GDYN_T_NAME, .about = "a joint, or `joint.freedom` when it has several"},
    {"between", GDYN_T_SPECIAL, .json = JSON_PAIR,
     .about = "`[a.P, b.Q]`: along the line of two points, positive pushes them apart"},
    {"cable", GDYN_T_SPECIAL, .json = JSON_PAIR,
     .about = "`[a.P, b.Q]`: a cable; tension is positive, min is not negative"},
    {"wrench", GDYN_T_RECORD, .record = &wrench_record, .about = "on one body, see below"},
    {"force", GDYN_T_RECORD, .record = &limit_record, .about = "limits of a drive that slides"},
    {"torque", GDYN_T_RECORD, .record = &limit_record, .about = "limits of a drive that turns"},
    {"tension", GDYN_T_RECORD, .record = &limit_record, .about = "limits of a cable"},
    {"range", GDYN_T_RECORD, .record = &range_record, .fallback = "no stops",
     .about = "what the coordinate may be: a stroke, the length of a cable"},
    {"speed", GDYN_T_RECORD, .record = &speed_record, .fallback = "unlimited",
     .about = "limit of the speed"},
    {"rate", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "N/s or N m/s", .fallback = "unlimited",
     .about = "greatest change of its force or torque in time; for `traverse`"},
    {"stiffness", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "N/m or N m/rad", .fallback = "not stated",
     .about = "of the drive train, at the coordinate"},
    {"rotor_inertia", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "kg m^2 or kg", .fallback = "0",
     .about = "of the rotor, at its own speed"},
    {"ratio", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "- or 1/m", .fallback = "1",
     .about = "rotor speed divided by coordinate speed"},
    {"curve", GDYN_T_SPECIAL, .json = JSON_POINTS_LIST, .unit = "[m/s, N] or [rad/s, N m]",
     .about =
         "torque-speed line through `[[speed, force], ...]`, concave: the greatest force in the "
         "direction of the motion; beyond its last point the last piece is extended. The same "
         "in the other direction; a braking force is limited by min and max alone"},
    {NULL}};
static const gdyn_schema_record drive_record = {"drive", "machine.drives.NAME", false,
                                                drive_fields};

static const gdyn_field force_fields[] = {
    {"type", GDYN_T_WORD, .required = true, .words = gdyn_force_kind_names,
     .about = "kind of force"},
    {"at", GDYN_T_NAME, .about = "spring, damper, friction: a joint or `joint.freedom`"},
    {"between", GDYN_T_SPECIAL, .json = JSON_PAIR, .about = "spring, damper: `[a.P, b.Q]`"},
    {"of", GDYN_T_NAME, .about = "constant, process: the point `body.P` it acts at"},
    {"stiffness", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "N/m or N m/rad",
     .about = "spring: -stiffness (q - rest)"},
    {"rest", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "m or rad", .fallback = "0",
     .about = "spring: coordinate without force"},
    {"viscous", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "N s/m or N m s/rad", .fallback = "0",
     .about = "force per speed"},
    {"coulomb", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "N or N m", .fallback = "0",
     .about = "friction: dry friction"},
    {"stiction", GDYN_T_SPECIAL, .unit = "N or N m", .fallback = "none",
     .json = "{\"type\": [\"number\", \"string\", \"boolean\"]}",
     .about = "friction: greatest force of dry friction while the joint stands still along the "
              "path, an additional bounded force; `true`: the value of `coulomb`"},
    {"force", GDYN_T_SPECIAL, GDYN_D_FORCE,
     .json = "{\"type\": [\"number\", \"string\", \"array\"]}",
     .about = "constant: the vector; process: synonym of magnitude"},
    {"torque", GDYN_T_SPECIAL, GDYN_D_TORQUE,
     .json = "{\"type\": [\"number\", \"string\", \"array\"]}", .fallback = "0",
     .about = "constant: planar a number, spatial a vector"},
    {"in", GDYN_T_WORD, .words = words_in, .fallback = "ground",
     .about = "constant: axes of the components"},
    {"magnitude", GDYN_T_QUANTITY, GDYN_D_FORCE,
     .about = "process: force against the motion of the point"},
    {NULL}};
static const gdyn_schema_record force_record = {"force", "machine.forces.NAME", false,
                                                force_fields};

static const gdyn_field motion_fields[] = {
    {"at", GDYN_T_NAME, .required = true, .about = "a joint or `joint.freedom`"},
    {"displacement", GDYN_T_SPECIAL, GDYN_D_OPEN, .required = true, .json = JSON_SIGNAL,
     .unit = "m or rad",
     .about = "formula in the time t, or a table `[[t, value], ...]`: the natural cubic spline, "
              "straight beyond its ends"},
    {NULL}};
static const gdyn_schema_record motion_record = {"motion", "machine.motions.NAME", false,
                                                 motion_fields};

static const gdyn_field machine_fields[] = {
    {"space", GDYN_T_WORD, .required = true, .words = gdyn_words_space,
     .about = "planar: bodies have x, y, angle; spatial: position and Cardan angles"},
    {"gravity", GDYN_T_VECTOR, GDYN_D_ACCELERATION, true,
     .about = "required; planar `[x, y]`, spatial `[x, y, z]`"},
    {"ground", GDYN_T_RECORD, .record = &ground_record, .about = "the fixed frame"},
    {"bodies", GDYN_T_MAP, .required = true, .record = &body_record, .about = "moving bodies"},
    {"joints", GDYN_T_MAP, .record = &joint_record, .about = "an undirected graph"},
    {"drives", GDYN_T_MAP, .record = &drive_record, .about = "the drives of the machine"},
    {"forces", GDYN_T_MAP, .record = &force_record, .about = "other forces"},
    {"motions", GDYN_T_MAP, .record = &motion_record, .about = "prescribed joint motions"},
    {NULL}};
static const gdyn_schema_record machine_record = {"machine", "machine", false, machine_fields};

/* --- trajectories -------------------------------------------------------------------------------------- */

static const gdyn_field trajectory_fields[] = {
    {"of", GDYN_T_SPECIAL, .json = JSON_NAME_OR_NAMES,
     .about = "the tool point `body.P`, or a list of them"},
    {"kind", GDYN_T_WORD, .words = gdyn_path_kind_names, .fallback = "formula",
     .about = "ready-made geometry"},
    {"p", GDYN_T_VECTOR, GDYN_D_ANY, .count = 2, .fallback = "0 to the arc length",
     .about = "range of the path parameter `[from, to]`; formulas and joint paths must state it"},
    {"points", GDYN_T_INTEGER, .least = 2, .fallback = "101",
     .about = "number of points, equally spaced in p, both ends included"},
    {"path", GDYN_T_SPECIAL, .json = "{\"type\": [\"object\", \"array\"]}", .unit = "m, rad",
     .about = "formulas in p. Planar: `{x, y, angle}`; spatial: `{x, y, z, cardan: [a, b, c]}`; "
              "coordinates that are not stated are free. Several points: `{body.P: {...}, body.Q: "
              "{...}}` "
              "or a list in the order of `of`"},
    {"joints", GDYN_T_SPECIAL, .json = JSON_FORMULAS, .unit = "m or rad",
     .about = "joint path: `{joint: formula in p, joint.freedom: ...}`; instead of `of` or "
              "beside it"},
    {"from", GDYN_T_VECTOR, GDYN_D_LENGTH, .about = "where the line begins"},
    {"to", GDYN_T_VECTOR, GDYN_D_LENGTH, .about = "where the line ends"},
    {"centre", GDYN_T_VECTOR, GDYN_D_LENGTH, .about = "of the circle"},
    {"radius", GDYN_T_QUANTITY, GDYN_D_LENGTH, .about = "of the circle"},
    {"start", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "0", .about = "angle of the first point"},
    {"end", GDYN_T_QUANTITY, GDYN_D_NONE, .about = "angle of the last point"},
    {"normal", GDYN_T_VECTOR, GDYN_D_ANY, .fallback = "z",
     .about = "in space: normal of the circle's plane"},
    {"through", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = JSON_POINTS_LIST, .unit = "m",
     .about = "the points `[[x, y], ...]`"},
    {"knots", GDYN_T_SPECIAL, GDYN_D_ANY, .json = JSON_NUMBERS,
     .about = "value of p at each point"},
    {"closed", GDYN_T_FLAG, .fallback = "false", .about = "return to the first point"},
    {"file", GDYN_T_TEXT,
     .about = "a CSV beside the case file with columns p, x, y, z, angle, a, b, c (those "
              "that are prescribed), a unit in brackets after the name: `x [mm]`"},
    {"data", GDYN_T_TEXT, .about = "the text of such a table instead of its name"},
    {"angle", GDYN_T_FORMULA, GDYN_D_NONE,
     .about = "planar, beside a ready-made kind: formula in p"},
    {"cardan", GDYN_T_SPECIAL, GDYN_D_NONE, .json = JSON_NUMBERS, .unit = "rad",
     .about = "spatial, beside a ready-made kind: three formulas in p"},
    {"weights", GDYN_T_SPECIAL, GDYN_D_ANY, .json = "{\"type\": [\"object\", \"array\"]}",
     .fallback = "1",
     .about = "kinematic redundancy: `{body: w}` or `{body: [w for each coordinate]}`"},
    {NULL}};
static const gdyn_schema_record trajectory_record = {"trajectory", "trajectories.NAME", false,
                                                     trajectory_fields};

/* --- design, optimize, expect --------------------------------------------------------------------------- */

static const gdyn_field design_fields[] = {
    {"min", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of the parameter",
     .about = "least value; must be stated unless there are choices"},
    {"max", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of the parameter",
     .about = "greatest value; must be stated unless there are choices"},
    {"choices", GDYN_T_SPECIAL, .json = "{\"type\": [\"array\", \"object\"]}",
     .about =
         "instead: `[2 mm, 3 mm, 5 mm]`, increasing values of the parameter, or a table `{steel: "
         "{rho: 7850, E: 210e9}, aluminium: {...}}` of parameters that are set together"},
    {"start", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "of the parameter",
     .fallback = "the parameter's value, else the middle",
     .about = "first design; with choices a value "
              "or the name of a row"},
    {"integer", GDYN_T_FLAG, .fallback = "false", .about = "whole numbers only"},
    {NULL}};
static const gdyn_schema_record design_record = {"design variable", "design.NAME", false,
                                                 design_fields};

static const gdyn_field objective_fields[] = {
    {"minimize", GDYN_T_FORMULA, .about = "formula over criteria, smaller is better"},
    {"maximize", GDYN_T_FORMULA, .about = "formula over criteria, greater is better"},
    {NULL}};
static const gdyn_schema_record objective_record = {"objective", "optimize.objectives.NAME", false,
                                                    objective_fields};

static const gdyn_field crossover_fields[] = {
    {"probability", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "0.9",
     .about = "that a pair is crossed, 0 to 1"},
    {"eta", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "15",
     .about = "distribution index: greater keeps children nearer to their parents"},
    {NULL}};
static const gdyn_schema_record crossover_record = {"crossover", "optimize.algorithm.crossover",
                                                    false, crossover_fields};

static const gdyn_field mutation_fields[] = {
    {"probability", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "1 / number of variables",
     .about = "that a variable is mutated, 0 to 1"},
    {"eta", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "20",
     .about = "distribution index: greater makes smaller steps"},
    {NULL}};
static const gdyn_schema_record mutation_record = {"mutation", "optimize.algorithm.mutation", false,
                                                   mutation_fields};

static const gdyn_field algorithm_fields[] = {
    {"name", GDYN_T_WORD, .words = gdyn_search_method_names, .fallback = "nsga2",
     .about = "search method (docs/optimize.md)"},
    {"population", GDYN_T_INTEGER, .least = 4, .fallback = "96",
     .about = "designs in one generation"},
    {"seed", GDYN_T_INTEGER, .least = 0, .fallback = "1", .about = "of the random numbers"},
    {"crossover", GDYN_T_RECORD, .record = &crossover_record,
     .about = "nsga2, nsga3: simulated binary crossover"},
    {"mutation", GDYN_T_RECORD, .record = &mutation_record,
     .about = "nsga2, nsga3: polynomial mutation"},
    {"weight", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "the method's own",
     .about = "de, hybrid: differential weight F, between 0 and 2"},
    {"rate", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "the method's own",
     .about = "de, hybrid: crossover rate CR, 0 to 1"},
    {"divisions", GDYN_T_INTEGER, .least = 1, .fallback = "from the population",
     .about = "nsga3: divisions of each axis by the reference directions"},
    {"nlopt", GDYN_T_WORD, .words = gdyn_search_nlopt_names, .fallback = "the method's own",
     .about = "chebyshev, epsilon_constraint, nbi, hybrid: algorithm for one scalar problem"},
    {"points", GDYN_T_INTEGER, .least = 2, .fallback = "the method's own",
     .about = "chebyshev, epsilon_constraint, nbi, hybrid: scalar problems along the front"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "the method's own",
     .about =
         "chebyshev, epsilon_constraint, nbi, hybrid: of local searches, relative, between 0 and "
         "1"},
    {NULL}};
static const gdyn_schema_record algorithm_record = {"algorithm", "optimize.algorithm", false,
                                                    algorithm_fields};

static const gdyn_field stall_fields[] = {
    {"window", GDYN_T_INTEGER, .required = true, .least = 1, .about = "generations compared"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, true,
     .about = "stop when the relative change over the window is smaller"},
    {NULL}};
static const gdyn_schema_record stall_record = {"stall", "optimize.stop.stall", false,
                                                stall_fields};

static const gdyn_field stop_fields[] = {
    {"evaluations", GDYN_T_INTEGER, .least = 1, .fallback = "10000", .about = "designs evaluated"},
    {"generations", GDYN_T_INTEGER, .least = 1, .fallback = "no limit", .about = "generations"},
    {"time", GDYN_T_QUANTITY, GDYN_D_TIME, .fallback = "no limit", .about = "time spent"},
    {"stall", GDYN_T_RECORD, .record = &stall_record, .fallback = "not watched",
     .about = "no more progress"},
    {NULL}};
static const gdyn_schema_record stop_record = {"stop", "optimize.stop", false, stop_fields};

static const gdyn_field optimize_fields[] = {
    {"objectives", GDYN_T_MAP, .required = true, .record = &objective_record,
     .about = "what is minimized or maximized"},
    {"constraints", GDYN_T_SPECIAL,
     .json = "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}",
     .about = "`NAME: formula >= value`, also `<=` and `=`"},
    {"algorithm", GDYN_T_RECORD, .record = &algorithm_record, .about = "the search method"},
    {"stop", GDYN_T_RECORD, .record = &stop_record, .about = "rules for stopping"},
    {NULL}};
static const gdyn_schema_record optimize_record = {"optimize", "optimize", false, optimize_fields};

static const gdyn_field expect_fields[] = {
    {"quantity", GDYN_T_TEXT, .required = true, .about = "the known quantity, see below"},
    {"at", GDYN_T_SPECIAL, GDYN_D_ANY, .json = JSON_FORMULAS, .fallback = "the start design",
     .about = "objective, constraint: the design, `{VARIABLE: value}`; others stay at the start"},
    {"value", GDYN_T_SPECIAL, GDYN_D_ANY, true, .json = JSON_NUMBER,
     .about = "its value; `inf` where it is unbounded, `none` where there is none"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_ANY, .fallback = "1e-6 of max(1, |value|)",
     .about = "absolute"},
    {"source", GDYN_T_TEXT, .about = "source of the number"},
    {NULL}};
static const gdyn_schema_record expect_record = {"expectation", "expect", false, expect_fields};

/* --- simulate -------------------------------------------------------------------------------------------- */

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
    {"start", GDYN_T_RECORD, .record = &start_record,
     .about = "wishes for the start; made consistent with the constraints"},
    {NULL}};
static const gdyn_schema_record simulate_record = {"simulate", "simulate", false, simulate_fields};

/* --- the case -------------------------------------------------------------------------------------------- */

static const gdyn_field case_fields[] = {
    {"format", GDYN_T_INTEGER, .required = true, .least = 1, .about = "1"},
    {"name", GDYN_T_TEXT, .fallback = "the file's name", .about = "of the case"},
    {"about", GDYN_T_TEXT, .about = "what it is"},
    {"include", GDYN_T_SPECIAL, .json = JSON_NAME_OR_NAMES,
     .about = "files to merge; entries here take precedence over theirs"},
    {"parameters", GDYN_T_SPECIAL,
     .json = "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", "
             "\"string\", \"object\"]}}",
     .about = "`NAME: value`; formulas may refer to each other in any order; also `NAME: {value: "
              "..., about: ...}`"},
    {"machine", GDYN_T_RECORD, .record = &machine_record, .about = "the machine"},
    {"trajectories", GDYN_T_MAP, .record = &trajectory_record, .about = "paths to follow"},
    {"design", GDYN_T_MAP, .record = &design_record,
     .about = "parameters that the optimizer may vary"},
    {"optimize", GDYN_T_RECORD, .record = &optimize_record, .about = "the synthesis problem"},
    {"expect", GDYN_T_LIST, .record = &expect_record,
     .about = "known results; `globdyn verify` and the tests check them"},
    {"simulate", GDYN_T_RECORD, .record = &simulate_record, .about = "forward dynamics"},
    {NULL}};
const gdyn_schema_record gdyn_schema_case = {"case", "The case", false, case_fields};

const gdyn_schema_record *const gdyn_schema_records[] = {
    &gdyn_schema_case,     &machine_record,    &ground_record,      &body_record,
    &joint_record,         &friction_record,   &joint_range_record, &cone_record,
    &drive_record,         &limit_record,      &range_record,       &speed_record,
    &wrench_record,        &force_record,      &motion_record,      &trajectory_record,
    &design_record,        &optimize_record,   &objective_record,   &algorithm_record,
    &crossover_record,     &mutation_record,   &stop_record,        &stall_record,
    &expect_record,        &simulate_record,   &method_record,      &compliance_record,
    &stabilization_record, &integrator_record, &start_record,       NULL};

/* --- looking things up ------------------------------------------------------------------------------------ */

gdyn_dimension gdyn_field_dimension_of(gdyn_field_dimension dimension) {
    switch (dimension) {
    case GDYN_D_OPEN:
    case GDYN_D_ANY:
        return GDYN_DIM_UNKNOWN;
    case GDYN_D_NONE:
        return GDYN_DIM_NONE;
    case GDYN_D_LENGTH:
        return GDYN_DIM_LENGTH;
    case GDYN_D_MASS:
        return GDYN_DIM_MASS;
    case GDYN_D_TIME:
        return GDYN_DIM_TIME;
    case GDYN_D_FORCE:
        return GDYN_DIM_FORCE;
    case GDYN_D_TORQUE:
        return GDYN_DIM_TORQUE;
    case GDYN_D_INERTIA:
        return GDYN_DIM_INERTIA;
    case GDYN_D_SPEED:
        return GDYN_DIM_SPEED;
    case GDYN_D_ACCELERATION:
        return GDYN_DIM_ACCELERATION;
    }
    return GDYN_DIM_UNKNOWN;
}

const char *gdyn_field_dimension_text(gdyn_field_dimension dimension) {
    static const char *const text[] = {"",  "",    "-",      "m",   "kg",   "s",
                                       "N", "N m", "kg m^2", "m/s", "m/s^2"};
    return text[dimension];
}

const gdyn_field *gdyn_record_field(const gdyn_schema_record *record, const char *key) {
    for (const gdyn_field *f = record->field; f->key; f++)
        if (strcmp(f->key, key) == 0)
            return f;
    return NULL;
}

int gdyn_record_keys(const gdyn_schema_record *record, const char **keys, int max) {
    int count = 0;
    for (const gdyn_field *f = record->field; f->key && count < max; f++)
        keys[count++] = f->key;
    return count;
}

int gdyn_word_count(const char *const *words) {
    int count = 0;
    while (words[count])
        count++;
    return count;
}

int gdyn_word_number(const char *const *words, const char *word) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}
