/* codes.c - the kinds of diagnostics and their explanations, one row each. */
#include "base/codes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Rows in the order of their codes: mark, title, cause, example, remedy. */
const gdyn_code gdyn_code_table[] = {
    {GDYN_CODE_YAML, "the text is not YAML",
     "Case files are YAML without tags and with one document. The parser stopped at the marked "
     "place; the mistake often begins in the line above: a bracket or a quote that does not close, "
     "tabs for indentation, an "
     "indentation that differs.",
     "bodies: {rod: {mass: 1 kg",
     "Close what the message names. Indent with blanks, entries of one mapping by the same "
     "number."},
    {GDYN_CODE_LIMIT, "too large",
     "Files, lists, names, paths and grids are limited in size, so that a typing error cannot "
     "exhaust memory.",
     "repeat: {i: 1..1000000000}",
     "The message names the limit. Divide the case, or make the list shorter."},
    {GDYN_CODE_FILE, "a file cannot be read or written",
     "The operating system reported an error: the file or its folder does not exist, a permission "
     "is missing, or the disk is full.",
     "globdyn check nothing.yaml",
     "Names in include: and file: are relative to the folder of the file that contains them, all "
     "others to the current folder."},
    {GDYN_CODE_FORMAT, "unknown format of the case",
     "The first key of a case names the version of the format; this program reads format 1.",
     "format: 2", "Write format: 1, or use the release that the case was written for."},
    {GDYN_CODE_TABLE, "a table does not fit",
     "Tables (CSV) have one header line with names and units, then rows of numbers. A row has the "
     "wrong number of fields, a column is unknown or missing, or a field is not a number.",
     "p [s], x [mm]\n0, 1, 2",
     "The line and column in the table are given. Decimal commas need semicolons between fields."},
    {GDYN_CODE_IMPORT, "a description of another program cannot be read",
     "The file is not XML of that format, a number or name in it is invalid, it refers to a link "
     "or joint that it does not define, or an entry of the file of loops is malformed.",
     "<joint name=\"a\" type=\"hinge\"/>",
     "The line in the file is given. As a warning: the element that the message names is dropped "
     "or replaced."},

    {GDYN_CODE_SHAPE, "a different kind of entry is expected here",
     "A mapping {a: 1}, a list [1, 2] or a single value is given where the format expects one of "
     "the other two, or a list has the wrong number of entries.",
     "points: [0, 0]",
     "The help line shows the form. In the plane points have two numbers and a pose three, in "
     "space three and six."},
    {GDYN_CODE_KEY, "unknown key",
     "Unknown keys are errors, so that a misspelt key is never silently ignored.",
     "bodies: {rod: {masss: 1 kg}}",
     "The closest key is suggested. docs/case-format.md and man globdyn-case list all; an editor "
     "with the schema "
     "(globdyn schema) completes them."},
    {GDYN_CODE_MISSING, "something required is missing", "This key has no default.",
     "bodies: {rod: {inertia: 1 kg m^2}}",
     "Add it. Mass and inertia may be 0 and a limit may be inf, but each must be given."},
    {GDYN_CODE_WORD, "a word that is not allowed here",
     "The value is one of a list of words: kinds of joints, paths and forces, methods, verdicts, "
     "true and false.",
     "joints: {j: {type: hinge}}", "The help line lists the words, or suggests the closest."},
    {GDYN_CODE_CONFLICT, "two entries exclude each other",
     "Two keys set the same quantity, or one has no meaning together with the other: it would be "
     "unclear which applies.",
     "force: {limit: 5 N, min: -5 N}", "Remove one of them."},
    {GDYN_CODE_NAME, "this cannot be a name",
     "Names have letters, digits, '_' and '-'; parameters and design variables, which stand in "
     "formulas, begin with a letter, "
     "have no '-', and must not be a function, a unit or a constant.",
     "parameters: {sin: 1}", "Choose another name."},
    {GDYN_CODE_TWICE, "a name is used twice",
     "Names are unique within a section, and among everything that formulas can refer to.",
     "bodies: {a: {...}, a: {...}}",
     "Rename one of them. An entry with repeat: needs the index in its name: leg$i."},
    {GDYN_CODE_UNKNOWN, "a name that is not defined",
     "A body, point, joint, drive, pose, parameter or trajectory is referred to, but none has this "
     "name.",
     "of: [rod.P, grund.O]",
     "The closest name is suggested. Points are written BODY.POINT; those of the frame are "
     "ground.POINT."},
    {GDYN_CODE_CIRCLE, "definitions refer to each other in a circle",
     "Parameters, like:, include: and poses by points are resolved one after the other; here each "
     "waits for the other.",
     "parameters: {a: b + 1, b: a - 1}", "Give one of them a value of its own."},
    {GDYN_CODE_REPEAT, "repeat, like or sum cannot be expanded",
     "repeat: {i: 1..4} copies an entry with $i replaced, like: copies another entry, $sum(i, "
     "1..4, x$i) adds terms. The range, the index or the copied entry is malformed.",
     "joints: {\"j$k\": {repeat: {i: 1..4}}}",
     "Ranges are whole numbers 1..4 or a list [1, 3]; an index is a word of its own."},

    {GDYN_CODE_UNIT, "units do not agree",
     "Every value has a dimension: the sum of a length and an angle, a torque limit on a slide, a "
     "mass in metres have no "
     "meaning. Numbers without a unit are SI units and radians.",
     "mass: 3 m",
     "The message names both dimensions. If a parameter is used with two meanings, use two "
     "parameters. Whole numbers in a product are pure numbers: write 3 kg, not 3. globdyn explain "
     "units lists all units."},
    {GDYN_CODE_FORMULA, "a formula cannot be read",
     "Formulas have + - * / ^, functions, parameters, numbers with units. Something else stands at "
     "the marked place.",
     "mass: 2 kg * (1 + leg",
     "docs/case-format.md lists the functions. Powers are ^, decimals have a point."},
    {GDYN_CODE_VALUE, "not a usable number",
     "The value is infinite, not a number (0/0, sqrt(-1)), not whole where a count is expected, or "
     "a "
     "formula has no derivative "
     "somewhere on the path.",
     "mass: 1 kg / 0",
     "Look at the parameters that the formula uses; for a path the message says at which p."},
    {GDYN_CODE_BOUNDS, "a number outside its allowed range",
     "Radii, durations, rates, steps and the like are positive, shares lie between 0 and 1, ranges "
     "and knots increase.",
     "radius: -3 mm", "The message gives the allowed range."},
    {GDYN_CODE_UNUSUAL, "a value that looks like a mistake",
     "A warning: the value is valid, but far from all others, like a length in millimetres or an "
     "angle in degrees without its unit.",
     "gravity: [0, -9810]",
     "Write the unit. The warning disappears once the unit is given, even if it is the SI unit."},

    {GDYN_CODE_MASS, "mass and inertia that no body can have",
     "Masses are positive or 0 (massless), the tensor of inertia is positive semidefinite, and the "
     "sum of two principal moments "
     "is at least the third. A massless body needs joints that move it.",
     "inertia: [1, 1, 5] kg m^2",
     "Inertia is about the centre of mass. Products of inertia are the off-diagonal elements of "
     "the tensor. shapes: with a "
     "density compute both."},
    {GDYN_CODE_JOINT, "the geometry of a joint is invalid",
     "The type needs an axis, two axes that are not parallel, a length, a pitch, a radius or a "
     "normal, does not exist in the "
     "plane or in space, or connects a body with itself.",
     "u: {type: universal, of: [a.P, b.Q], axes: [[1, 0, 0], [1, 0, 0]]}",
     "docs/case-format.md has a row for each type with what it needs."},
    {GDYN_CODE_FREEDOM, "the joint has no such freedom, or several",
     "Drives, forces, springs, ranges and joints: of a path act on an angle or a slide of a joint. "
     "Spherical and fixed joints "
     "have none, a cylindrical one has two.",
     "at: ball", "Name the freedom (joint.rz), or use a wrench or a force between points."},
    {GDYN_CODE_DRIVE, "limits of a drive are invalid",
     "min lies above max, a cable would push, a speed or rate is not positive, or a torque-speed "
     "line rises.",
     "force: {min: 5 N, max: -5 N}",
     "Give both ends: limit: F means -F .. F, inf and unlimited mean none, a cable has min "
     ">= 0."},
    {GDYN_CODE_ACTION, "a force or drive does not act on anything",
     "It acts on the ground, between a body and itself or nowhere, or has neither force nor "
     "torque.",
     "push: {wrench: {of: ground.O, force: [1, 0]}}",
     "Give one place of action: at: JOINT, between: [a.P, b.Q], cable: [a.P, b.Q] or wrench: {of: "
     "body.P, "
     "...}."},
    {GDYN_CODE_POSE, "a first guess cannot be read",
     "pose: is [x, y, angle] or [x, y, z], {at: ..., angle: ...}, {at: ..., cardan: [a, b, c]}, or "
     "places two (in space three) of the body's "
     "points on other points.",
     "pose: [0, 0, 0, 0]",
     "The guess may be rough: globdyn check assembles it and reports how far it moved."},
    {GDYN_CODE_RANGE, "a range cannot be used",
     "range: limits a coordinate of a joint or drive by min, max or both; a cone limits the angle "
     "between two directions.",
     "range: {min: 2, max: 1}",
     "min must be below max, and the joint or drive must have a coordinate."},
    {GDYN_CODE_SOLID, "a shape is invalid",
     "Shapes are capsules, boxes, tubes and spheres of positive size at points of their body; with "
     "a density they determine mass, centre of mass and inertia, which then must not be given as "
     "well.",
     "tube: {ends: [P, Q], radius: 5 mm, wall: 9 mm}",
     "The help line shows the form of each shape."},

    {GDYN_CODE_PATH, "a path cannot be followed as it is defined",
     "A path prescribes at least one coordinate of a point or joint, moves with p, has at least "
     "two different points, and p "
     "increases. In the plane it has x, y and angle, in space an orientation has all three angles.",
     "path: {x: 0.3 m, y: 0.2 m}",
     "Write at least one coordinate as a formula in p, or take kind: line, circle, spline, ..."},
    {GDYN_CODE_CORNER, "the path has corners, or a motion is held",
     "A warning: at a corner of a polyline a machine must stop, and motions in time stand still "
     "along a path.",
     "kind: polyline", "A spline or a blend has no corners; or analyse the pieces one by one."},
    {GDYN_CODE_FREE, "coordinates that the path leaves free cannot be determined",
     "A path that prescribes fewer coordinates than the machine has freedoms leaves some free: "
     "null_motion optimizes them, undriven puts those without drives in equilibrium. Here none is "
     "free, no equilibrium was found, or it ends along the path.",
     "null_motion: {...}",
     "Remove the key, prescribe fewer or more coordinates, or move the path to where an "
     "equilibrium exists."},
    {GDYN_CODE_WORKSPACE, "the grid of a workspace is invalid",
     "A workspace has ranges of coordinates that the machine has, at least 2 points along each, "
     "and contains its box.",
     "x: [1, 0]", "Widen the grid or narrow the box."},
    {GDYN_CODE_SIMULATE, "a simulation cannot be run with these settings",
     "Durations, steps, tolerances and rates are positive; some methods need the inverse of the "
     "mass matrix, and some settings "
     "belong to one method only. As a warning: another integrator suits the method better.",
     "simulate: {duration: 0 s}", "docs/simulate.md has a row for each method."},

    {GDYN_CODE_DESIGN, "a design variable is invalid",
     "A design variable is a parameter with min < max and a start between them, or with choices "
     "that increase or have names.",
     "design: {leg: {min: 2 m, max: 1 m}}",
     "The start is the value of the parameter unless start: gives another."},
    {GDYN_CODE_GOAL, "an objective or constraint is malformed",
     "Objectives are {minimize: formula} or {maximize: formula}, constraints have exactly one of "
     ">=, <= and =.",
     "constraints: {light: mass}",
     "Write NAME: formula <= value; an equality may have a tolerance."},
    {GDYN_CODE_CRITERION, "a criterion that does not exist",
     "Formulas of designs name criteria of trajectories (circle.area), of the machine (mass) and "
     "parameters. The criterion does "
     "not exist, does not fit drives that slide and turn, or has no value for any design.",
     "maximize: circle.aera",
     "globdyn help criteria and docs/criteria.md list all of them with units and formulas."},
    {GDYN_CODE_SEARCH, "settings of the search are invalid",
     "The population, the evaluations or a setting of the method is out of range, or the method "
     "cannot handle a variable: "
     "local methods need continuous ones.",
     "algorithm: {name: nsga2, population: 1}",
     "docs/optimize.md lists the methods with their settings."},
    {GDYN_CODE_TOLERANCE, "tolerances or scenarios are invalid",
     "A tolerance contains the parameter's value; scenarios set parameters that are neither design "
     "variables nor varied.",
     "leg: {value: 1 m, between: [2 m, 3 m]}",
     "Move the value between its ends, or remove one of the two keys."},
    {GDYN_CODE_EXPECT, "an expectation cannot be compared",
     "expect: names a quantity, a value and a tolerance; the quantity does not exist or needs a "
     "point of the path.",
     "expect: [{quantity: circle.d1, value: 3}]",
     "Write QUANTITY@P for quantities at a point; verify -v lists values."},

    {GDYN_CODE_DAMAGED, "a study is damaged",
     "Designs or settings do not have the checksum that was stored with them, or parts of the file "
     "are missing: a fault of the "
     "disk, or another program wrote to it.",
     "globdyn study check STUDY",
     "The command that made the study repairs it with --repair: damaged designs are evaluated "
     "again."},
    {GDYN_CODE_FOREIGN, "a study of another case, search, machine or release",
     "A search continues only in the study of its own case and settings, since its designs would "
     "not be comparable; last bits "
     "differ between processors and versions of libraries.",
     "globdyn optimize CASE -o DIR",
     "Use another folder (-o), reuse the designs that still apply (--from STUDY), or continue "
     "anyway (--accept-other-machine)."},
    {GDYN_CODE_BUSY, "a study is in use",
     "Another process is writing to the study, or it cannot be locked in its folder.",
     "globdyn optimize CASE -o DIR",
     "Wait until it has ended, stop it, or choose another folder with -o."},
    {GDYN_CODE_ABSENT, "not in the study, case or folder",
     "A design, constraint, picture, template, trajectory, folder or study of this name or number "
     "does not exist.",
     "globdyn study show star 999",
     "globdyn study list and globdyn study front show what there is."},

    {GDYN_CODE_USAGE, "the command line cannot be understood",
     "A command, verb or option is unknown, an operand is missing or one too many, or two options "
     "exclude each other.",
     "globdyn chek case.yaml", "globdyn help COMMAND lists the options."},
    {GDYN_CODE_OPTION, "the value of an option is invalid",
     "The option expects a number, a unit, a word of a list or NAME=VALUE.",
     "globdyn optimize case.yaml --threads many",
     "The message gives the expected form; see also globdyn help COMMAND."},
    {GDYN_CODE_NEEDS, "the case or study lacks what the command works on",
     "regions need trajectories and drives, optimize a design: block and objectives, workspace "
     "workspaces:, simulate simulate:.",
     "globdyn optimize four_bar.yaml",
     "Add the block: globdyn new TEMPLATE writes files that have it."},
    {GDYN_CODE_PICTURE, "pictures are missing or not as requested",
     "gnuplot is not installed, was stopped because it took too long, or failed; the text does not "
     "fit; or the folders of an overlay differ. All other results are complete.",
     "globdyn plot star --width \"85 mm\" --font-size 14",
     "Install gnuplot, or run FOLDER/NAME.gp by hand; --no-pictures skips pictures. Choose a "
     "smaller font or a larger width. Overlay only results along the same paths."},
    {GDYN_CODE_RANKS, "running on several machines (MPI)",
     "The program was built without MPI, MPI cannot be started, or a rank does not answer.",
     "mpirun -n 4 globdyn optimize CASE",
     "Build with MPI (docs/optimize.md). What was evaluated is kept; the same command continues."},

    {GDYN_CODE_ASSEMBLY, "the machine cannot reach a requested pose",
     "Its loops do not close from the first guess, or not at this point of the path or time.",
     "globdyn reactions CASE --time 3",
     "globdyn check shows which joint stays open, by how much, and where on a path; "
     "docs/troubleshooting.md lists the causes."},
    {GDYN_CODE_NUMERICS, "a numerical routine failed",
     "The problem has no solution in double precision here, or none was found within the "
     "iterations allowed. The message says where.",
     "",
     "Move away from singular poses, check masses and stiffnesses that differ by many powers of "
     "ten, or use another method."},
    {GDYN_CODE_MEMORY, "out of memory", "The operating system could not provide memory.", "",
     "Use fewer threads, points or designs; nothing that was stored is lost."},
    {GDYN_CODE_STOPPED, "interrupted",
     "The program was asked to stop (Ctrl-C, SIGTERM). What was computed until then is kept and "
     "valid.",
     "", "The same command continues a search."},
};
const int gdyn_code_count = sizeof gdyn_code_table / sizeof *gdyn_code_table;

enum { MARK = 1, CODE = 5, MARKED = MARK + CODE + MARK };

/* A mark is \1, five characters, \1. */
static bool marked_by_code(const char *text) {
    return text[0] == '\1' && strnlen(text, MARKED) == MARKED && text[MARK + CODE] == '\1';
}

gdyn_code_text gdyn_code_of(const char *marked) {
    gdyn_code_text code = {""};
    if (marked_by_code(marked))
        memcpy(code.text, marked + MARK, CODE);
    return code;
}

const char *gdyn_code_skip(const char *marked) {
    return marked_by_code(marked) ? marked + MARKED : marked;
}

const gdyn_code *gdyn_code_find(const char *code) {
    if ((code[0] == 'G' || code[0] == 'g') && (code[1] == 'D' || code[1] == 'd'))
        code += 2;
    char *end = NULL;
    long number = strtol(code, &end, 10), row_number;
    for (int i = 0; end != code && !*end && i < gdyn_code_count; i++) {
        row_number = strtol(gdyn_code_table[i].mark + MARK + 2, NULL, 10);
        if (row_number == number)
            return &gdyn_code_table[i];
    }
    return NULL;
}
