/* schema_machine.c - keys of `machine`. */
#include "casefile/schema.h"
#include "model/kinds.h"

#define BODY(field)  GDYN_AT(gdyn_body_def, field)
#define RANGE(field) GDYN_AT(gdyn_range_def, field)
#define JOINT(field) GDYN_AT(gdyn_joint_def, field)
#define DRIVE(field) GDYN_AT(gdyn_drive_def, field)
#define FORCE(field) GDYN_AT(gdyn_force_def, field)

/* --- what entries fill ---------------------------------------------------------------------- */

GDYN_DEFINITION(body_definition, body_initial, gdyn_body_def, gdyn_body_default(), GDYN_CODE_SOLID);
GDYN_DEFINITION(joint_definition, joint_initial, gdyn_joint_def, gdyn_joint_default(),
                GDYN_CODE_JOINT);
GDYN_DEFINITION(drive_definition, drive_initial, gdyn_drive_def, gdyn_drive_default(),
                GDYN_CODE_DRIVE);
GDYN_DEFINITION(force_definition, force_initial, gdyn_force_def, gdyn_force_default(),
                GDYN_CODE_ACTION);
GDYN_DEFINITION(range_definition, range_initial, gdyn_range_def, gdyn_range_default(),
                GDYN_CODE_RANGE);

/* --- keys ------------------------------------------------------------------------------------ */

const char *const gdyn_words_material[] = {"steel",     "aluminium", "titanium", "brass",
                                           "cast_iron", "carbon",    "plastic",  NULL};
const char *const gdyn_words_space[] = {"planar", "spatial", NULL};
/* In the order of locks[]. */
const char *const gdyn_words_lock[] = {"x", "y", "z", "rx", "ry", "rz", NULL};
/* Along whose axes a vector is given. */
static const char *const words_in[] = {"ground", "body", NULL};

static const gdyn_field ground_fields[] = {
    {"points", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP, .unit = "m",
     .about = "`NAME: [x, y]` (spatial `[x, y, z]`) or `NAME: {at: [x, y]}`"},
    {"shape", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OR_MAP,
     .about = "obstacles, written like the shapes of bodies"},
    {NULL},
};
static const gdyn_schema_record ground_record = {"ground", "machine.ground", ground_fields, NULL};

/* From these mass and inertia follow. */
static const char *const solid_keys[] = {"density", "material", NULL};

static const gdyn_field body_fields[] = {
    {"mass", GDYN_T_QUANTITY, GDYN_D_MASS, BODY(mass), .required = true, .unless = solid_keys,
     .about = "mass"},
    {"inertia", GDYN_T_SPECIAL, GDYN_D_INERTIA, .required = true, .unless = solid_keys,
     .json = "{\"type\": [\"number\", \"string\", \"array\", \"object\"]}",
     .about = "about the centre of gravity, in the body's axes. Planar: a number. Spatial: `[Ixx, "
              "Iyy, Izz]` or `{diagonal: [Ixx, Iyy, Izz], products: [Ixy, Ixz, Iyz]}`, where "
              "products are the off-diagonal elements of the tensor (CAD programs often print "
              "them with the opposite sign)"},
    {"com", GDYN_T_VECTOR, GDYN_D_LENGTH, BODY(com), .fallback = "the origin",
     .about = "centre of gravity in the body's own frame"},
    {"points", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP, .unit = "m",
     .about = "named points in the body's own frame: `NAME: [x, y]` (spatial `[x, y, z]`), or "
              "frames: `NAME: {at: [x, y, z], cardan: [a, b, c]}`, whose orientation tool paths "
              "prescribe"},
    {"shape", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OR_MAP,
     .about = "what it occupies, one or a list: `{capsule: [P, Q], radius: r}`, `{tube: [P, Q], "
              "radius: r, wall: t}`, `{sphere: P, radius: r}`, `{box: [a, b, c], at: P, cardan: "
              "[...]}` (planar: `angle`); for `clearance` and for masses"},
    {"density", GDYN_T_QUANTITY, GDYN_D_DENSITY, GDYN_POSITIVE,
     .beyond = "the density must be positive",
     .about = "instead of mass, inertia and com: of its shapes"},
    {"material", GDYN_T_WORD, .words = gdyn_words_material, .excludes = "density",
     .about = "instead: the density of"},
    {"pose", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OR_MAP,
     .fallback = "at the origin, not rotated",
     .about = "first guess for the assembly. Planar: `[x, y, angle]` or `{at: [x, y], angle: a}`; "
              "spatial: `[x, y, z]` or `{at: [x, y, z], cardan: [a, b, c]}`; either: `{P: "
              "other.Q, R: third.S}` places its own point P on other.Q and turns R towards "
              "third.S; spatial: a third `T: "
              "fourth.U` then turns the body about that line until T is on the side of U"},
    {"hub", GDYN_T_WORD, GDYN_D_OPEN, BODY(hub), .usual = true, .words = gdyn_hub_names,
     .about = "whether the body floats on coordinates of its own in the spanning tree, with all "
              "its joints cut; "
              "automatic: where three or more separate branches to the ground meet. Results do not "
              "depend on "
              "it"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_body = {"body", "machine.bodies.NAME", body_fields,
                                             &body_definition};

static const gdyn_field friction_fields[] = {
    {"viscous", GDYN_T_QUANTITY, GDYN_D_VISCOUS, JOINT(viscous), .usual = true,
     .about = "force per speed, in every freedom of the joint"},
    {"coulomb", GDYN_T_QUANTITY, GDYN_D_EFFORT, JOINT(coulomb), .usual = true,
     .about = "dry friction, in every freedom of the joint that moves along the path"},
    {"stiction", GDYN_T_SPECIAL, GDYN_D_EFFORT, .fallback = "none",
     .json = GDYN_JSON_NUMBER_OR_FLAG,
     .about = "maximum force of dry friction while the joint stands still along the path, an "
              "additional bounded force; `true`: the value of `coulomb`"},
    {NULL},
};
static const gdyn_schema_record friction_record = {"friction", "machine.joints.NAME.friction",
                                                   friction_fields, &joint_definition};

/* clang-format off */
#define RANGE_ENDS                                                                               \
    {"min", GDYN_T_LIMIT, GDYN_D_COORDINATE, RANGE(min), .usual = true, .about = "minimum"}, \
    {"max", GDYN_T_LIMIT, GDYN_D_COORDINATE, RANGE(max), .usual = true, .about = "maximum"}
/* clang-format on */
static const gdyn_field range_fields[] = {RANGE_ENDS, {NULL}};
const gdyn_schema_record gdyn_schema_range = {"range", "machine.drives.NAME.range", range_fields,
                                              &range_definition};
static const gdyn_field joint_range_fields[] = {
    RANGE_ENDS,
    {"angle", GDYN_T_RECORD, .record = &gdyn_schema_range,
     .about = "joints with several coordinates: the range of this one, {min, max}"},
    {"slide", GDYN_T_RECORD, .record = &gdyn_schema_range, .about = "the same"},
    {"first", GDYN_T_RECORD, .record = &gdyn_schema_range, .about = "universal: the same"},
    {"second", GDYN_T_RECORD, .record = &gdyn_schema_range, .about = "universal: the same"},
    {"x", GDYN_T_RECORD, .record = &gdyn_schema_range, .about = "planar joint: the same"},
    {"y", GDYN_T_RECORD, .record = &gdyn_schema_range, .about = "planar joint: the same"},
    {NULL},
};
static const gdyn_schema_record joint_range_record = {"range", "machine.joints.NAME.range",
                                                      joint_range_fields, &range_definition};

static const gdyn_field cone_fields[] = {
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, .required = true,
     .about = "maximum angle between the two directions, at most 180 deg"},
    {"axis", GDYN_T_VECTOR, GDYN_D_ANY,
     .about = "the direction, in the frames of both bodies, of any length"},
    {"axes", GDYN_T_SPECIAL, GDYN_D_ANY, .json = GDYN_JSON_TWO_VECTORS,
     .about = "instead: the direction in the frame of the first body and in that of the second"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_cone = {"cone", "machine.joints.NAME.cone", cone_fields, NULL};

static const gdyn_field joint_fields[] = {
    {"type", GDYN_T_WORD, .required = true, .words = gdyn_joint_type_names,
     .about = "kind of joint"},
    {"of", GDYN_T_SPECIAL, .required = true, .json = GDYN_JSON_PAIR,
     .about =
         "`[body.P, body.Q]`: the two points that it connects; `ground.R` may be on either side; a "
         "body alone means its origin. Coordinates measure the motion of the first relative "
         "to the second. Gear: two joints, `[joint, joint.freedom]`"},
    {"axis", GDYN_T_VECTOR, GDYN_D_ANY, .part = GDYN_READS_AXIS,
     .fallback = "none in space; planar prismatic and slot: x",
     .about = "direction of the joint in the frames of both bodies, of any length"},
    {"axes", GDYN_T_SPECIAL, GDYN_D_ANY, .part = GDYN_READS_AXES, .json = GDYN_JSON_TWO_VECTORS,
     .excludes = "axis",
     .about = "the direction in the frame of the first body and in that of the second; "
              "universal: the axis of the first and that of the second"},
    {"normal", GDYN_T_VECTOR, GDYN_D_ANY, JOINT(normal), .part = GDYN_READS_NORMAL,
     .about = "knife_edge: no velocity along it, fixed in the first body; rolling, "
              "point_on_plane, planar: normal of the plane, fixed in the second"},
    {"length", GDYN_T_QUANTITY, GDYN_D_LENGTH, JOINT(length), .part = GDYN_READS_LENGTH,
     .about = "rod: distance of the points"},
    {"pitch", GDYN_T_QUANTITY, GDYN_D_LENGTH, JOINT(pitch), .part = GDYN_READS_PITCH,
     .about = "screw: advance per turn"},
    {"radius", GDYN_T_QUANTITY, GDYN_D_LENGTH, JOINT(radius), .part = GDYN_READS_RADIUS,
     .about = "rolling: radius of the disc"},
    {"ratio", GDYN_T_QUANTITY, GDYN_D_OPEN, .part = GDYN_READS_RATIO,
     .unit = "follows from the freedoms", .fallback = "1",
     .about = "gear: first coordinate = ratio * second + offset"},
    {"offset", GDYN_T_QUANTITY, GDYN_D_COORDINATE, .part = GDYN_READS_OFFSET | GDYN_READS_ANGLE,
     .fallback = "0", .about = "gear, angle, planar fixed: the constant"},
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, JOINT(offset), .part = GDYN_READS_ANGLE,
     .excludes = "offset", .fallback = "0", .about = "angle, planar fixed: synonym of offset"},
    {"locks", GDYN_T_SPECIAL, .part = GDYN_READS_LOCKS,
     .json = "{\"type\": \"array\", \"items\": {\"enum\": [\"x\", \"y\", \"z\", \"rx\", \"ry\", "
             "\"rz\"]}}",
     .about = "generic: what is locked, of `[x, y, z, rx, ry, rz]` in the second body's frame"},
    {"friction", GDYN_T_RECORD, .part = GDYN_READS_FRICTION, .record = &friction_record,
     .about = "see below"},
    {"range", GDYN_T_RECORD, .record = &joint_range_record, .fallback = "no stops",
     .about = "allowed range of the coordinate, see below; poses outside it count as not reached"},
    {"cone", GDYN_T_RECORD, .record = &gdyn_schema_cone, .only = GDYN_IN_SPACE, .fallback = "none",
     .about =
         "spatial: how far two directions may be apart, for ball and universal joints, see below"},
    {"cut", GDYN_T_FLAG, GDYN_D_OPEN, JOINT(cut), .fallback = "chosen with the tree",
     .about = "true: the joint is cut, so that its rows close the loops of the spanning tree and "
              "it carries no "
              "coordinates (`check -v` lists the cuts). Results do not depend on it"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_joint = {"joint", "machine.joints.NAME", joint_fields,
                                              &joint_definition};

static const gdyn_field limit_fields[] = {
    {"min", GDYN_T_LIMIT, GDYN_D_EFFORT, .excludes = "limit",
     .about = "minimum; `-inf` or `unlimited` for none"},
    {"max", GDYN_T_LIMIT, GDYN_D_EFFORT, .excludes = "limit",
     .about = "maximum; `inf` or `unlimited` for none"},
    {"limit", GDYN_T_LIMIT, GDYN_D_EFFORT, .about = "instead of both: min = -limit, max = limit"},
    {NULL},
};
static const gdyn_schema_record limit_record = {"limits", "machine.drives.NAME.force", limit_fields,
                                                NULL};

static const gdyn_field speed_fields[] = {
    {"max", GDYN_T_LIMIT, GDYN_D_RATE, DRIVE(speed_max), GDYN_POSITIVE,
     .beyond = "the maximum speed of '%s' must be positive", .required = true,
     .about = "maximum absolute speed of the coordinate"},
    {NULL},
};
static const gdyn_schema_record speed_record = {"speed", "machine.drives.NAME.speed", speed_fields,
                                                &drive_definition};

static const gdyn_field wrench_fields[] = {
    {"of", GDYN_T_NAME, GDYN_D_OPEN, DRIVE(a), .required = true,
     .about = "the point it acts at: `body.P`"},
    {"force", GDYN_T_VECTOR, GDYN_D_ANY, DRIVE(force), .unit = "-", .fallback = "0",
     .about = "force per unit of the drive's value"},
    {"torque", GDYN_T_SPECIAL, GDYN_D_ANY, .json = GDYN_JSON_NUMBER_OR_LIST, .unit = "m",
     .fallback = "0",
     .about = "torque per unit of the drive's value; planar: a number, spatial: three"},
    {"in", GDYN_T_WORD, GDYN_D_OPEN, DRIVE(in_body), .usual = true, .words = words_in,
     .about = "axes of the components: `body` rotates with the body"},
    {NULL},
};
static const gdyn_schema_record wrench_record = {"wrench", "machine.drives.NAME.wrench",
                                                 wrench_fields, &drive_definition};

static const gdyn_field drive_fields[] = {
    {"at", GDYN_T_NAME, .about = "a joint, or `joint.freedom` when it has several"},
    {"between", GDYN_T_SPECIAL, .json = GDYN_JSON_PAIR,
     .about = "`[a.P, b.Q]`: along the line of two points, positive pushes them apart"},
    {"cable", GDYN_T_SPECIAL, .json = GDYN_JSON_PAIR,
     .about = "`[a.P, b.Q]`: a cable; tension is positive, min is not negative"},
    {"wrench", GDYN_T_RECORD, .record = &wrench_record, .about = "on one body, see below"},
    {"force", GDYN_T_RECORD, .record = &limit_record, .about = "limits of a drive that slides"},
    {"torque", GDYN_T_RECORD, .record = &limit_record, .about = "limits of a drive that turns"},
    {"tension", GDYN_T_RECORD, .record = &limit_record, .about = "limits of a cable"},
    {"range", GDYN_T_RECORD, .record = &gdyn_schema_range, .fallback = "no stops",
     .about = "allowed range of the coordinate: a stroke, the length of a cable"},
    {"speed", GDYN_T_RECORD, .record = &speed_record, .fallback = "unlimited",
     .about = "limit of the speed"},
    {"radius", GDYN_T_QUANTITY, GDYN_D_LENGTH, GDYN_AT_LEAST(0),
     .beyond = "the radius must not be negative", .fallback = "no shape",
     .about = "between, cable: of the line as a shape, for `clearance`; 0 is a thin one"},
    {"rate", GDYN_T_LIMIT, GDYN_D_EFFORT_RATE, DRIVE(rate), GDYN_POSITIVE,
     .beyond = "the rate of '%s' must be positive", .fallback = "unlimited",
     .about = "maximum rate of change of its force or torque; for `traverse`"},
    {"stiffness", GDYN_T_QUANTITY, GDYN_D_STIFFNESS, DRIVE(stiffness), .fallback = "none",
     .about = "of the drive train, at the coordinate"},
    {"rotor_inertia", GDYN_T_QUANTITY, GDYN_D_OPEN, .fallback = "0", .unit = "kg m^2 or kg",
     .about = "of the rotor, at its own speed"},
    {"ratio", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "- or 1/m", .fallback = "1",
     .about = "rotor speed divided by coordinate speed"},
    {"curve", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OF(GDYN_JSON_NUMBERS),
     .unit = "[m/s, N] or [rad/s, N m]",
     .about =
         "torque-speed line through `[[speed, force], ...]`, concave: the maximum force in the "
         "direction of the motion; beyond its last point the last piece is extended. The same "
         "in the other direction; a braking force is limited by min and max alone"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_drive = {"drive", "machine.drives.NAME", drive_fields,
                                              &drive_definition};

static const gdyn_field force_fields[] = {
    {"type", GDYN_T_WORD, .required = true, .words = gdyn_force_kind_names,
     .about = "kind of force"},
    {"at", GDYN_T_NAME, .part = GDYN_TAKES_AT,
     .about = "spring, damper, friction: a joint or `joint.freedom`"},
    {"between", GDYN_T_SPECIAL, .part = GDYN_TAKES_BETWEEN, .json = GDYN_JSON_PAIR,
     .about = "spring, damper: `[a.P, b.Q]`"},
    {"of", GDYN_T_NAME, GDYN_D_OPEN, FORCE(a), .part = GDYN_TAKES_OF,
     .about = "constant, process: the point `body.P` it acts at"},
    {"stiffness", GDYN_T_QUANTITY, GDYN_D_STIFFNESS, FORCE(stiffness), .part = GDYN_TAKES_STIFFNESS,
     .about = "spring: -stiffness (q - rest)"},
    {"rest", GDYN_T_QUANTITY, GDYN_D_COORDINATE, FORCE(rest), .part = GDYN_TAKES_REST,
     .usual = true, .about = "spring: coordinate without force"},
    {"viscous", GDYN_T_QUANTITY, GDYN_D_VISCOUS, FORCE(viscous), .part = GDYN_TAKES_VISCOUS,
     .usual = true, .about = "force per speed"},
    {"coulomb", GDYN_T_QUANTITY, GDYN_D_EFFORT, FORCE(coulomb), .part = GDYN_TAKES_COULOMB,
     .usual = true, .about = "friction: dry friction"},
    {"stiction", GDYN_T_SPECIAL, GDYN_D_EFFORT, .part = GDYN_TAKES_STICTION, .fallback = "none",
     .json = GDYN_JSON_NUMBER_OR_FLAG,
     .about = "friction: maximum force of dry friction while the joint stands still along the "
              "path, an additional bounded force; `true`: the value of `coulomb`"},
    {"force", GDYN_T_SPECIAL, GDYN_D_FORCE, .part = GDYN_TAKES_FORCE,
     .json = GDYN_JSON_NUMBER_OR_LIST,
     .about = "constant: the vector; process: synonym of magnitude"},
    {"torque", GDYN_T_SPECIAL, GDYN_D_TORQUE, .part = GDYN_TAKES_TORQUE,
     .json = GDYN_JSON_NUMBER_OR_LIST, .fallback = "0",
     .about = "constant: planar a number, spatial a vector"},
    {"in", GDYN_T_WORD, GDYN_D_OPEN, FORCE(in_body), .part = GDYN_TAKES_AXES, .usual = true,
     .words = words_in, .about = "constant: axes of the components"},
    {"magnitude", GDYN_T_QUANTITY, GDYN_D_FORCE, FORCE(magnitude), .part = GDYN_TAKES_MAGNITUDE,
     .about = "process: force against the motion of the point"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_force = {"force", "machine.forces.NAME", force_fields,
                                              &force_definition};

static const gdyn_field motion_fields[] = {
    {"at", GDYN_T_NAME, .required = true, .about = "a joint or `joint.freedom`"},
    {"displacement", GDYN_T_SPECIAL, GDYN_D_COORDINATE, .required = true,
     .json = GDYN_JSON_NUMBER_OR_LIST,
     .about = "formula in the time t, or a table `[[t, value], ...]`: the natural cubic spline, "
              "straight beyond its ends"},
    {NULL},
};
static const gdyn_schema_record motion_record = {"motion", "machine.motions.NAME", motion_fields,
                                                 NULL};

static const gdyn_field motion_limit_fields[] = {
    {"joint", GDYN_T_NAME, .required = true, .about = "a joint or `joint.freedom`"},
    {"speed", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "m/s or rad/s",
     .about = "maximum absolute speed of its coordinate"},
    {"acceleration", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "m/s^2 or rad/s^2",
     .about = "maximum absolute acceleration of its coordinate"},
    {"jerk", GDYN_T_QUANTITY, GDYN_D_OPEN, .unit = "m/s^3 or rad/s^3",
     .about = "maximum absolute rate of that acceleration; for `traverse` and `feasible`"},
    {NULL},
};
static const gdyn_schema_record motion_limit_record = {"motion limit", "machine.limits.NAME",
                                                       motion_limit_fields, NULL};

static const gdyn_field clearance_fields[] = {
    {"only", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OF(GDYN_JSON_PAIR), .fallback = "all",
     .about = "of the usual pairs these alone, `[[a, b], ...]`"},
    {"include", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OF(GDYN_JSON_PAIR),
     .about = "these too, where a joint connects them as well"},
    {"exclude", GDYN_T_SPECIAL, .json = GDYN_JSON_LIST_OF(GDYN_JSON_PAIR),
     .about = "all but these"},
    {NULL},
};
static const gdyn_schema_record clearance_record = {"clearance", "machine.clearance",
                                                    clearance_fields, NULL};

static const gdyn_field home_fields[] = {
    {"joints", GDYN_T_SPECIAL, .required = true, .json = GDYN_JSON_MAP, .unit = "m or rad",
     .about = "`{JOINT: value, JOINT.FREEDOM: value}`; joints without a value keep that of the "
              "assembled first guess, or close the loops"},
    {NULL},
};
static const gdyn_schema_record home_record = {"home", "machine.home", home_fields, NULL};

static const gdyn_field machine_fields[] = {
    {"space", GDYN_T_WORD, .required = true, .words = gdyn_words_space,
     .about = "planar: bodies have x, y, angle; spatial: position and Cardan angles"},
    {"gravity", GDYN_T_VECTOR, GDYN_D_ACCELERATION, .required = true,
     .about = "required; planar `[x, y]`, spatial `[x, y, z]`"},
    {"length", GDYN_T_QUANTITY, GDYN_D_LENGTH, .fallback = "the largest extent of a moving body",
     .about = "characteristic length L (theory.md, Characteristic length); a study "
              "that compares designs by dexterity or distances to singular poses needs it"},
    {"ground", GDYN_T_RECORD, .record = &ground_record, .about = "the fixed frame"},
    {"bodies", GDYN_T_MAP, .required = true, .record = &gdyn_schema_body, .about = "moving bodies"},
    {"joints", GDYN_T_MAP, .record = &gdyn_schema_joint, .about = "an undirected graph"},
    {"poses", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP_OF(GDYN_JSON_MAP),
     .about = "named first guesses, `NAME: {BODY: pose, ...}` with poses as of bodies; `globdyn "
              "modes` writes them"},
    {"start", GDYN_T_TEXT, .fallback = "the bodies' own poses",
     .about = "the entry of `poses` that replaces the bodies' `pose`; bodies that are not in it "
              "keep theirs"},
    {"home", GDYN_T_RECORD, .record = &home_record, .fallback = "as the poses of the bodies give",
     .about = "first guess by values of joints"},
    {"drives", GDYN_T_MAP, .record = &gdyn_schema_drive, .about = "the drives of the machine"},
    {"forces", GDYN_T_MAP, .record = &gdyn_schema_force, .about = "other forces"},
    {"motions", GDYN_T_MAP, .record = &motion_record, .about = "prescribed joint motions"},
    {"limits", GDYN_T_MAP, .record = &motion_limit_record, .fallback = "none",
     .json = "\"properties\": {\"file\": {\"type\": \"string\"}}, ",
     .about = "limits of motions along paths in addition to those of the drives; their names "
              "differ from those of drives. `file: joint_limits.yaml` adds those of a file of "
              "MoveIt, named `JOINT_limits`"},
    {"clearance", GDYN_T_RECORD, .record = &clearance_record, .fallback = "all that are not joined",
     .about = "which pairs of shapes are compared, see below"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_machine = {"machine", "machine", machine_fields, NULL};
