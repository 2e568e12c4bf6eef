/* schema_trajectory.c - keys of `trajectories`. */
#include "casefile/schema_blocks.h"

#include "path/kinds.h"

/* Those that have a better side and come from the path, its regions or its motion. */
const char *const gdyn_null_motion_criteria[] = {
    "time",      "dexterity", "margin", "area",       "speed",     "accel",     "d1_max",
    "stiffness", "load",      "energy", "peak_share", "rms_share", "frequency", NULL};
static const gdyn_field null_motion_fields[] = {
    {"best", GDYN_T_WORD, .required = true, .words = gdyn_null_motion_criteria,
     .about = "criterion of the trajectory that the null motion is best for"},
    {"knots", GDYN_T_INTEGER, .least = 3, .fallback = "5",
     .about = "of the spline over p of each free coordinate"},
    {"evaluations", GDYN_T_INTEGER, .least = 1, .fallback = "400", .about = "of the path, at most"},
    {"joints", GDYN_T_SPECIAL, .json = JSON_NAMES, .fallback = "chosen by the program",
     .about = "the free coordinates: `[joint, joint.freedom]`, as many as the path leaves free"},
    {NULL}};
static const gdyn_schema_record null_motion_record = {
    "null_motion", "trajectories.NAME.null_motion", false, null_motion_fields};

const char *const gdyn_undriven_rules[] = {"equilibrium", NULL};

#define JSON_PATH_SPEED "{\"type\": [\"object\", \"array\"]}"
static const gdyn_field trajectory_fields[] = {
    {"of", GDYN_T_SPECIAL, .json = JSON_NAME_OR_NAMES,
     .about = "the tool point `body.P`, or a list of them"},
    {"kind", GDYN_T_WORD, .words = gdyn_path_kind_names, .fallback = "formula",
     .about = "ready-made geometry"},
    {"p", GDYN_T_VECTOR, GDYN_D_ANY, .count = 2, .fallback = "0 to the arc length",
     .about = "range of the path parameter `[from, to]`; formulas and joint paths must state it"},
    {"points", GDYN_T_INTEGER, .least = 2,
     .fallback = "49, and more where `tolerance` asks for them",
     .about =
         "number of points, equally spaced in p, both ends included; fixed unless `tolerance` is "
         "stated, too"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "1e-3 unless `points` are stated",
     .about =
         "share to which the criteria are to be known: points are inserted until their estimated "
         "errors are less"},
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
    {"speed", GDYN_T_SPECIAL, GDYN_D_OPEN, .json = JSON_PATH_SPEED, .unit = "of p, and per s",
     .fallback = "unlimited",
     .about = "bounds of the path speed dp/dt: `{max}`, `{min, max}`, or over stretches of p "
              "`[{from, to, min, max}, ...]`"},
    {"weights", GDYN_T_SPECIAL, GDYN_D_ANY, .json = "{\"type\": [\"object\", \"array\"]}",
     .fallback = "1",
     .about = "kinematic redundancy: `{body: w}` or `{body: [w for each coordinate]}`"},
    {"null_motion", GDYN_T_RECORD, .record = &null_motion_record,
     .fallback = "least weighted motion",
     .about = "kinematic redundancy: the free coordinates that are best for a criterion"},
    {"undriven", GDYN_T_WORD, .words = gdyn_undriven_rules, .fallback = "least weighted motion",
     .about = "freedoms without a drive: the free coordinates take the pose in which the applied "
              "forces hold the machine at rest"},
    {NULL}};
const gdyn_schema_record gdyn_schema_trajectory = {"trajectory", "trajectories.NAME", false,
                                                   trajectory_fields};

#define JSON_AXIS "{\"type\": [\"number\", \"string\", \"array\"]}"

const char *const gdyn_words_orientations[] = {"all", "any", NULL};

static const gdyn_field cone_fields[] = {
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, .unit = "rad", .required = true,
     .about = "by which the axis leans"},
    {"axis", GDYN_T_VECTOR, .count = 3, .fallback = "[0, 0, 1]", .about = "in the body's frame"},
    {"directions", GDYN_T_INTEGER, .least = 3, .fallback = "8", .about = "in which it leans"},
    {NULL}};
static const gdyn_schema_record gdyn_schema_workspace_cone = {
    "workspace-cone", "workspaces.NAME.cone", false, cone_fields};

static const gdyn_field box_fields[] = {{"x", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = JSON_AXIS,
                                         .unit = "m", .fallback = "the grid",
                                         .about = "`[from, to]`; the ends become nodes"},
                                        {"y", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = JSON_AXIS,
                                         .unit = "m", .fallback = "the grid", .about = "the same"},
                                        {"z", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = JSON_AXIS,
                                         .unit = "m", .fallback = "the grid", .about = "the same"},
                                        {NULL}};
static const gdyn_schema_record gdyn_schema_workspace_box = {"workspace-box", "workspaces.NAME.box",
                                                             false, box_fields};

static const gdyn_field require_fields[] = {
    {"dexterity", GDYN_T_QUANTITY, GDYN_D_NONE, .about = "at least"},
    {"singularity", GDYN_T_QUANTITY, GDYN_D_NONE, .about = "at least"},
    {"load", GDYN_T_QUANTITY, GDYN_D_NONE, .about = "at most, as a share of the limits"},
    {"margin", GDYN_T_QUANTITY, GDYN_D_NONE, .about = "at least, as a share of half a range"},
    {"clearance", GDYN_T_QUANTITY, GDYN_D_LENGTH, .unit = "m", .about = "at least"},
    {"stiffness", GDYN_T_QUANTITY, GDYN_D_ANY, .unit = "N/m",
     .about = "at least, in the softest direction"},
    {"stiffest", GDYN_T_QUANTITY, GDYN_D_ANY, .unit = "N/m",
     .about = "at least, in the stiffest direction"},
    {"accel", GDYN_T_QUANTITY, GDYN_D_ACCELERATION, .unit = "m/s^2",
     .about = "at least, in every direction"},
    {"force", GDYN_T_QUANTITY, GDYN_D_FORCE, .unit = "N", .about = "at least, in every direction"},
    {NULL}};
static const gdyn_schema_record gdyn_schema_workspace_require = {
    "workspace-require", "workspaces.NAME.require", false, require_fields};

static const gdyn_field workspace_fields[] = {
    {"of", GDYN_T_NAME, .required = true, .about = "the tool point `body.P`"},
    {"x", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = JSON_AXIS, .unit = "m", .fallback = "0",
     .about = "`[from, to]`, or one value"},
    {"y", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = JSON_AXIS, .unit = "m", .fallback = "0",
     .about = "the same"},
    {"z", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = JSON_AXIS, .unit = "m", .fallback = "0",
     .about = "spatial: the same"},
    {"points", GDYN_T_SPECIAL, .json = JSON_AXIS, .fallback = "21",
     .about = "nodes along each axis with a range: one number, or a list"},
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, .fallback = "free", .about = "planar: of the body"},
    {"cardan", GDYN_T_SPECIAL, GDYN_D_NONE, .json = JSON_NUMBERS, .unit = "rad", .fallback = "free",
     .about = "spatial: three angles of the body"},
    {"orientations", GDYN_T_SPECIAL, GDYN_D_NONE, .json = "{\"type\": \"array\"}", .unit = "rad",
     .about = "further orientations at every node: a list of angles, in space of `[a, b, c]`"},
    {"cone", GDYN_T_RECORD, .record = &gdyn_schema_workspace_cone,
     .about = "spatial: further orientations, an axis leans from the stated one in all directions"},
    {"counts", GDYN_T_WORD, .words = gdyn_words_orientations, .fallback = "all",
     .about =
         "a node counts when `all` of its orientations are reached, or `any`; values are the worst "
         "of all, or the best"},
    {"undriven", GDYN_T_WORD, .words = gdyn_undriven_rules, .fallback = "least motion on the way",
     .about = "freedoms without a drive: what a node leaves free takes the pose in which the "
              "applied forces hold the machine at rest"},
    {"box", GDYN_T_RECORD, .record = &gdyn_schema_workspace_box,
     .about = "a part of the grid that must be covered"},
    {"require", GDYN_T_RECORD, .record = &gdyn_schema_workspace_require,
     .about = "what a node must have besides being reached"},
    {NULL}};
const gdyn_schema_record gdyn_schema_workspace = {"workspace", "workspaces.NAME", false,
                                                  workspace_fields};

const gdyn_schema_record *const gdyn_schema_trajectory_records[] = {&gdyn_schema_trajectory,
                                                                    &null_motion_record,
                                                                    &gdyn_schema_workspace,
                                                                    &gdyn_schema_workspace_cone,
                                                                    &gdyn_schema_workspace_box,
                                                                    &gdyn_schema_workspace_require,
                                                                    NULL};
