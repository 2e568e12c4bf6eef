/* schema_trajectory.c - keys of `trajectories`. */
#include "casefile/schema.h"
#include "casefile/casefile.h"
#include "path/kinds.h"

#include <math.h>

#define PATH(field)        GDYN_AT(gdyn_path_def, field)
#define FREEDOM(field)     GDYN_AT(gdyn_freedom_def, field)
#define CONE(field)        GDYN_AT(gdyn_orientation_cone, field)
#define WORKSPACE(field)   GDYN_AT(gdyn_workspace_def, field)
#define REQUIRE(criterion) WORKSPACE(require[criterion - GDYN_WORKSPACE_DEXTERITY])

/* --- what entries fill ---------------------------------------------------------------------- */

static void path_initial(void *def) {
    gdyn_path_def *path = def;
    *path = gdyn_path_default();
    path->points = GDYN_PATH_FIRST_POINTS, path->tolerance = GDYN_PATH_TOLERANCE;
}
static const gdyn_definition path_definition = {path_initial, sizeof(gdyn_path_def),
                                                GDYN_CODE_PATH};
GDYN_DEFINITION(freedom_definition, freedom_initial, gdyn_freedom_def,
                ((gdyn_freedom_def){.knots = 5, .evaluations = 400}), GDYN_CODE_PATH);
GDYN_DEFINITION(cone_definition, cone_initial, gdyn_orientation_cone,
                ((gdyn_orientation_cone){.axis = {0, 0, 1}, .directions = 8}), GDYN_CODE_WORKSPACE);
static void workspace_initial(void *def) {
    gdyn_workspace_def *workspace = def;
    *workspace = (gdyn_workspace_def){.of.body = GDYN_GROUND, .count = {1, 1, 1}};
    for (int v = 0; v < GDYN_NODE_VALUES; v++)
        workspace->require[v] = NAN;
}
static const gdyn_definition workspace_definition = {workspace_initial, sizeof(gdyn_workspace_def),
                                                     GDYN_CODE_WORKSPACE};

/* --- keys ------------------------------------------------------------------------------------ */

/* Those that have a better side and come from the path, its regions or its motion. */
const char *const gdyn_null_motion_criteria[] = {
    "time",      "dexterity", "margin", "area",       "speed",     "accel",     "d1_max",
    "stiffness", "load",      "energy", "peak_share", "rms_share", "frequency", NULL};
static const gdyn_field null_motion_fields[] = {
    {"best", GDYN_T_WORD, .required = true, .words = gdyn_null_motion_criteria,
     .about = "criterion of the trajectory that the null motion optimizes"},
    {"knots", GDYN_T_INTEGER, GDYN_D_OPEN, FREEDOM(knots), GDYN_AT_LEAST(3), .usual = true,
     .about = "of the spline over p of each free coordinate"},
    {"evaluations", GDYN_T_INTEGER, GDYN_D_OPEN, FREEDOM(evaluations), GDYN_AT_LEAST(1),
     .usual = true, .about = "of the path, at most"},
    {"joints", GDYN_T_SPECIAL, .json = GDYN_JSON_NAMES, .fallback = "chosen by the program",
     .about = "the free coordinates: `[joint, joint.freedom]`, as many as the path leaves free"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_null_motion = {"null_motion", "trajectories.NAME.null_motion",
                                                    null_motion_fields, &freedom_definition};

static const char *const words_undriven[] = {"equilibrium", NULL};

static const gdyn_field trajectory_fields[] = {
    {"of", GDYN_T_SPECIAL, .json = GDYN_JSON_NAME_OR_NAMES,
     .about = "the tool point `body.P`, or a list of them"},
    {"kind", GDYN_T_WORD, .words = gdyn_path_kind_names, .fallback = "formula",
     .about = "predefined geometry"},
    {"p", GDYN_T_VECTOR, GDYN_D_ANY, .count = 2, .fallback = "0 to the arc length",
     .about = "range of the path parameter `[from, to]`; required for formulas and joint paths"},
    {"points", GDYN_T_INTEGER, GDYN_D_OPEN, PATH(points), GDYN_AT_LEAST(2),
     .fallback = "49, more if `tolerance` requires them",
     .about = "number of points, equally spaced in p, both ends included; fixed unless `tolerance` "
              "is also given"},
    {"tolerance", GDYN_T_QUANTITY, GDYN_D_NONE, PATH(tolerance),
     .fallback = "1e-3 unless `points` is given",
     .about = "relative accuracy of the criteria: points are inserted until the estimated errors "
              "are smaller"},
    {"path", GDYN_T_SPECIAL, .part = GDYN_PATH_READS_PATH, .json = GDYN_JSON_LIST_OR_MAP,
     .unit = "m, rad",
     .about = "formulas in p. Planar: `{x, y, angle}`; spatial: `{x, y, z, cardan: [a, b, c]}`; "
              "coordinates that are not given are free. Several points: `{body.P: {...}, body.Q: "
              "{...}}` "
              "or a list in the order of `of`"},
    {"joints", GDYN_T_SPECIAL, .json = GDYN_JSON_MAP_OF(GDYN_JSON_NUMBER), .unit = "m or rad",
     .about = "joint path: `{joint: formula in p, joint.freedom: ...}`; instead of `of` or in "
              "addition to it"},
    {"from", GDYN_T_VECTOR, GDYN_D_LENGTH, .part = GDYN_PATH_READS_FROM,
     .about = "where the line begins"},
    {"to", GDYN_T_VECTOR, GDYN_D_LENGTH, .part = GDYN_PATH_READS_TO,
     .about = "where the line ends"},
    {"centre", GDYN_T_VECTOR, GDYN_D_LENGTH, PATH(centre), .part = GDYN_PATH_READS_CENTRE,
     .about = "of the circle"},
    {"radius", GDYN_T_QUANTITY, GDYN_D_LENGTH, PATH(radius), GDYN_POSITIVE,
     .beyond = "the radius must be positive", .part = GDYN_PATH_READS_RADIUS,
     .about = "of the circle"},
    {"start", GDYN_T_QUANTITY, GDYN_D_NONE, PATH(start), .part = GDYN_PATH_READS_START,
     .usual = true, .about = "angle of the first point"},
    {"end", GDYN_T_QUANTITY, GDYN_D_NONE, PATH(end), .part = GDYN_PATH_READS_END,
     .fallback = "start", .about = "angle of the last point"},
    {"normal", GDYN_T_VECTOR, GDYN_D_ANY, PATH(normal), .part = GDYN_PATH_READS_NORMAL,
     .only = GDYN_IN_SPACE, .fallback = "z", .about = "in space: normal of the circle's plane"},
    {"through", GDYN_T_SPECIAL, GDYN_D_LENGTH, .part = GDYN_PATH_READS_THROUGH,
     .json = GDYN_JSON_LIST_OF(GDYN_JSON_NUMBERS), .unit = "m",
     .about = "the points `[[x, y], ...]`"},
    {"knots", GDYN_T_SPECIAL, GDYN_D_ANY, .part = GDYN_PATH_READS_KNOTS, .json = GDYN_JSON_NUMBERS,
     .about = "value of p at each point"},
    {"closed", GDYN_T_FLAG, .part = GDYN_PATH_READS_CLOSED, .fallback = "false",
     .about = "return to the first point"},
    {"file", GDYN_T_TEXT, .part = GDYN_PATH_READS_TABLE,
     .about = "a table, relative to the case file: CSV, or a JointTrajectory (`.json`, `.yaml`)"},
    {"data", GDYN_T_TEXT, .part = GDYN_PATH_READS_TABLE, .excludes = "file",
     .about = "the text of such a table instead of its name"},
    {"blend", GDYN_T_QUANTITY, GDYN_D_ANY, PATH(blend), GDYN_POSITIVE,
     .part = GDYN_PATH_READS_BLEND, .unit = "of p", .fallback = "cubic splines",
     .about = "straight lines between rows, with parabolic blends of this width"},
    {"angle", GDYN_T_FORMULA, GDYN_D_NONE, .part = GDYN_PATH_READS_ROTATION, .only = GDYN_IN_PLANE,
     .about = "planar, with a predefined kind or table: formula in p"},
    {"cardan", GDYN_T_SPECIAL, GDYN_D_NONE, .part = GDYN_PATH_READS_ROTATION, .only = GDYN_IN_SPACE,
     .json = GDYN_JSON_NUMBERS, .unit = "rad",
     .about = "spatial, with a predefined kind or table: three formulas in p"},
    {"speed", GDYN_T_SPECIAL, GDYN_D_OPEN, .json = GDYN_JSON_LIST_OR_MAP, .unit = "of p, and per s",
     .fallback = "unlimited",
     .about = "bounds of the path speed dp/dt: `{max}`, `{min, max}`, or over stretches of p "
              "`[{from, to, min, max}, ...]`"},
    {"weights", GDYN_T_SPECIAL, GDYN_D_ANY, .json = GDYN_JSON_LIST_OR_MAP, .fallback = "1",
     .about = "kinematic redundancy: `{body: w}` or `{body: [w for each coordinate]}`"},
    {"null_motion", GDYN_T_RECORD, .record = &gdyn_schema_null_motion,
     .fallback = "minimum weighted motion",
     .about = "kinematic redundancy: the free coordinates optimize a criterion"},
    {"undriven", GDYN_T_WORD, .words = words_undriven, .fallback = "minimum weighted motion",
     .about = "freedoms without a drive: the free coordinates take the pose in which the applied "
              "forces hold the machine at rest"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_trajectory = {"trajectory", "trajectories.NAME",
                                                   trajectory_fields, &path_definition};

static const char *const words_orientations[] = {"all", "any", NULL};

static const gdyn_field cone_fields[] = {
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, CONE(angle), .required = true, .unit = "rad",
     .about = "tilt of the axis"},
    {"axis", GDYN_T_VECTOR, GDYN_D_ANY, CONE(axis), .count = 3, .fallback = "[0, 0, 1]",
     .about = "in the body's frame"},
    {"directions", GDYN_T_INTEGER, GDYN_D_OPEN, CONE(directions), GDYN_AT_LEAST(3), .usual = true,
     .about = "number of directions of the tilt"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_workspace_cone = {"workspace-cone", "workspaces.NAME.cone",
                                                       cone_fields, &cone_definition};

static const gdyn_field box_fields[] = {
    {"x", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = GDYN_JSON_NUMBER_OR_LIST, .fallback = "the grid",
     .about = "`[from, to]`; the ends become nodes"},
    {"y", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = GDYN_JSON_NUMBER_OR_LIST, .fallback = "the grid",
     .about = "the same"},
    {"z", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = GDYN_JSON_NUMBER_OR_LIST, .fallback = "the grid",
     .about = "the same"},
    {NULL},
};
static const gdyn_schema_record box_record = {"workspace-box", "workspaces.NAME.box", box_fields,
                                              NULL};

static const gdyn_field require_fields[] = {
    {"dexterity", GDYN_T_QUANTITY, GDYN_D_NONE, REQUIRE(GDYN_WORKSPACE_DEXTERITY),
     .about = "at least"},
    {"singularity", GDYN_T_QUANTITY, GDYN_D_NONE, REQUIRE(GDYN_WORKSPACE_SINGULARITY),
     .about = "at least"},
    {"load", GDYN_T_QUANTITY, GDYN_D_NONE, REQUIRE(GDYN_WORKSPACE_LOAD),
     .about = "at most, as a share of the limits"},
    {"margin", GDYN_T_QUANTITY, GDYN_D_NONE, REQUIRE(GDYN_WORKSPACE_MARGIN),
     .about = "at least, as a share of half a range"},
    {"clearance", GDYN_T_QUANTITY, GDYN_D_LENGTH, REQUIRE(GDYN_WORKSPACE_CLEARANCE), .unit = "m",
     .about = "at least"},
    {"stiffness", GDYN_T_QUANTITY, GDYN_D_ANY, REQUIRE(GDYN_WORKSPACE_STIFFNESS), .unit = "N/m",
     .about = "at least, in the softest direction"},
    {"stiffest", GDYN_T_QUANTITY, GDYN_D_ANY, REQUIRE(GDYN_WORKSPACE_STIFFEST), .unit = "N/m",
     .about = "at least, in the stiffest direction"},
    {"accel", GDYN_T_QUANTITY, GDYN_D_ACCELERATION, REQUIRE(GDYN_WORKSPACE_ACCEL), .unit = "m/s^2",
     .about = "at least, in every direction"},
    {"force", GDYN_T_QUANTITY, GDYN_D_FORCE, REQUIRE(GDYN_WORKSPACE_FORCE), .unit = "N",
     .about = "at least, in every direction"},
    {NULL},
};
static const gdyn_schema_record require_record = {"workspace-require", "workspaces.NAME.require",
                                                  require_fields, &workspace_definition};

static const gdyn_field workspace_fields[] = {
    {"of", GDYN_T_NAME, GDYN_D_OPEN, WORKSPACE(of), .required = true,
     .about = "the tool point `body.P`"},
    {"x", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = GDYN_JSON_NUMBER_OR_LIST, .unit = "m",
     .fallback = "0", .about = "`[from, to]`, or one value"},
    {"y", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = GDYN_JSON_NUMBER_OR_LIST, .unit = "m",
     .fallback = "0", .about = "the same"},
    {"z", GDYN_T_SPECIAL, GDYN_D_LENGTH, .json = GDYN_JSON_NUMBER_OR_LIST, .unit = "m",
     .only = GDYN_IN_SPACE, .fallback = "0", .about = "spatial: the same"},
    {"points", GDYN_T_SPECIAL, .json = GDYN_JSON_NUMBER_OR_LIST, .fallback = "21",
     .about = "nodes along each axis with a range: one number, or a list"},
    {"angle", GDYN_T_QUANTITY, GDYN_D_NONE, .only = GDYN_IN_PLANE, .fallback = "free",
     .about = "planar: of the body"},
    {"cardan", GDYN_T_SPECIAL, GDYN_D_NONE, .json = GDYN_JSON_NUMBERS, .only = GDYN_IN_SPACE,
     .unit = "rad", .fallback = "free", .about = "spatial: three angles of the body"},
    {"orientations", GDYN_T_SPECIAL, GDYN_D_NONE, .json = GDYN_JSON_LIST, .unit = "rad",
     .about = "further orientations at every node: a list of angles, in space of `[a, b, c]`"},
    {"cone", GDYN_T_RECORD, .record = &gdyn_schema_workspace_cone, .only = GDYN_IN_SPACE,
     .about =
         "spatial: further orientations, with an axis tilted from the given one in all directions"},
    {"counts", GDYN_T_WORD, GDYN_D_OPEN, WORKSPACE(any), .usual = true, .words = words_orientations,
     .about =
         "a node counts when `all` of its orientations are reached, or `any`; values are the worst "
         "of all, or the best"},
    {"undriven", GDYN_T_WORD, GDYN_D_OPEN, WORKSPACE(at_rest), .words = words_undriven,
     .fallback = "minimum motion along the way",
     .about = "freedoms without a drive: what a node leaves free takes the pose in which the "
              "applied forces hold the machine at rest"},
    {"box", GDYN_T_RECORD, .record = &box_record,
     .about = "a part of the grid that must be covered"},
    {"require", GDYN_T_RECORD, .record = &require_record,
     .about = "conditions on a node besides being reached"},
    {NULL},
};
const gdyn_schema_record gdyn_schema_workspace = {"workspace", "workspaces.NAME", workspace_fields,
                                                  &workspace_definition};
