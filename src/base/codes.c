/* codes.c - the kinds of diagnostics and their explanations, one row each. */
#include "base/codes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Rows in the order of their codes: mark, title, cause, example, remedy. */
const gdyn_code gdyn_code_table[] = {
    {GDYN_CODE_YAML, "the text is not YAML",
     "Case files are YAML without tags and with one document. The parser stopped at the marked "
     "place; what is wrong often "
     "begins in the line above: a bracket or a quote that does not close, tabs for indentation, an "
     "indentation that differs.",
     "bodies: {rod: {mass: 1 kg",
     "Close what the message names. Indent with blanks, entries of one mapping by the same "
     "number."},
    {GDYN_CODE_LIMIT, "too large",
     "Files, lists, names, paths and grids have limits, so that a slip of the pen does not fill "
     "the memory.",
     "repeat: {i: 1..1000000000}",
     "The message names the limit. Divide the case, or make the list shorter."},
    {GDYN_CODE_FILE, "a file cannot be read or written",
     "The system refused: the file is not there, a folder of its name is not there, rights are "
     "missing, or the disk is full.",
     "globdyn check nothing.yaml",
     "Names in include: and file: are looked up beside the file that names them, others from the "
     "current folder."},
    {GDYN_CODE_FORMAT, "unknown format of the case",
     "The first key of a case names the version of the format; this program reads format 1.",
     "format: 2", "Write format: 1, or take the release that the case was written for."},
    {GDYN_CODE_TABLE, "a table does not fit",
     "Tables (CSV) have one header line with names and units, then rows of numbers. A row has "
     "another number of fields, a "
     "column is unknown or missing, or a field is no number.",
     "p [s], x [mm]\n0, 1, 2",
     "The line and column in the table are given. Decimal commas need semicolons between fields."},
    {GDYN_CODE_IMPORT, "a description of another program cannot be read",
     "The file is not the XML of that format, a number or name in it does not fit, it names a link "
     "or joint that it does not define, or a loop beside it is not "
     "of the form.",
     "<joint name=\"a\" type=\"hinge\"/>",
     "The line in the file is given. As a warning: what the message names is dropped or replaced."},

    {GDYN_CODE_SHAPE, "another kind of entry is expected here",
     "A mapping {a: 1}, a list [1, 2] or a single value stands where the format wants another of "
     "the three, or a list has "
     "another number of entries.",
     "points: [0, 0]",
     "The help line shows the form. In the plane points have two numbers and a pose three, in "
     "space three and six."},
    {GDYN_CODE_KEY, "unknown key",
     "Keys are a closed list, so that a misspelt key cannot be passed over in silence.",
     "bodies: {rod: {masss: 1 kg}}",
     "The nearest key is proposed. docs/case-format.md and man globdyn-case list all; an editor "
     "with the schema "
     "(globdyn schema) completes them."},
    {GDYN_CODE_MISSING, "something needed is missing",
     "There is no default that could be assumed for this key.",
     "bodies: {rod: {inertia: 1 kg m^2}}",
     "State it. Mass and inertia may be 0, a limit may be inf, but each has to be said."},
    {GDYN_CODE_WORD, "a word that is none of those possible here",
     "The value is one of a list of words: kinds of joints, paths and forces, methods, verdicts, "
     "true and false.",
     "joints: {j: {type: hinge}}", "The help line lists the words, or proposes the nearest."},
    {GDYN_CODE_CONFLICT, "two statements exclude each other",
     "Two keys say the same thing, or one has no meaning beside the other: it would not be clear "
     "which holds.",
     "force: {limit: 5 N, min: -5 N}", "Leave one of them out."},
    {GDYN_CODE_NAME, "this cannot be a name",
     "Names have letters, digits, '_' and '-'; parameters and design variables, which stand in "
     "formulas, begin with a letter, "
     "have no '-', and must not be a function, a unit or a constant.",
     "parameters: {sin: 1}", "Choose another name."},
    {GDYN_CODE_TWICE, "a name is used twice",
     "In one section, or among all things that formulas can name, a name means one thing.",
     "bodies: {a: {...}, a: {...}}",
     "Rename one of them. An entry with repeat: needs the index in its name: leg$i."},
    {GDYN_CODE_UNKNOWN, "a name that nothing has",
     "A body, point, joint, drive, pose, parameter or trajectory is referred to, but none has this "
     "name.",
     "of: [rod.P, grund.O]",
     "The nearest name is proposed. Points are written BODY.POINT; those of the frame are "
     "ground.POINT."},
    {GDYN_CODE_CIRCLE, "definitions refer to each other in a circle",
     "Parameters, like:, include: and poses by points are resolved one after the other; here each "
     "waits for the other.",
     "parameters: {a: b + 1, b: a - 1}", "Give one of them a value of its own."},
    {GDYN_CODE_REPEAT, "repeat, like or sum cannot be written out",
     "repeat: {i: 1..4} copies an entry with $i replaced, like: takes over another entry, $sum(i, "
     "1..4, x$i) adds terms. The "
     "range, the index or the copied entry is not of that form.",
     "joints: {\"j$k\": {repeat: {i: 1..4}}}",
     "Ranges are whole numbers 1..4 or a list [1, 3]; an index is a word of its own."},

    {GDYN_CODE_UNIT, "units do not agree",
     "Every value has a dimension: the sum of a length and an angle, a torque limit on a slide, a "
     "mass in metres have no "
     "meaning. Numbers without a unit are SI units and radians.",
     "mass: 3 m",
     "The message names both dimensions. Where a parameter is used in two meanings, use two "
     "parameters. In products whole "
     "factors are pure numbers: 3 kg, not 3. globdyn explain units lists all units."},
    {GDYN_CODE_FORMULA, "a formula cannot be read",
     "Formulas have + - * / ^, functions, parameters, numbers with units. Something else stands at "
     "the marked place.",
     "mass: 2 kg * (1 + leg",
     "docs/case-format.md lists the functions. Powers are ^, decimals have a point."},
    {GDYN_CODE_VALUE, "not a number that could be computed with",
     "The value is infinite, not a number (0/0, sqrt(-1)), not whole where a count is wanted, or a "
     "formula has no derivative "
     "somewhere on the path.",
     "mass: 1 kg / 0",
     "Look at the parameters that the formula uses; for a path the message says at which p."},
    {GDYN_CODE_BOUNDS, "a number beyond what is possible",
     "Radii, durations, rates, steps and the like are positive, shares lie between 0 and 1, ranges "
     "and knots increase.",
     "radius: -3 mm", "The message says what is possible."},
    {GDYN_CODE_UNUSUAL, "a value that looks like a slip",
     "A warning: the value can be computed with, but is far from all others, as a length in "
     "millimetres without its unit, or "
     "an angle in degrees without it.",
     "gravity: [0, -9810]",
     "Write the unit. The warning vanishes when the unit is stated, also when it is the SI unit."},

    {GDYN_CODE_MASS, "mass and inertia that no body has",
     "Masses are positive or 0 (massless), the tensor of inertia is positive semidefinite, and the "
     "sum of two principal moments "
     "is at least the third. A massless body needs joints that move it.",
     "inertia: [1, 1, 5] kg m^2",
     "Inertia is about the centre of mass. Products of inertia are the off-diagonal elements of "
     "the tensor. shapes: with a "
     "density compute both."},
    {GDYN_CODE_JOINT, "the geometry of a joint is not possible",
     "The type needs an axis, two axes that are not parallel, a length, a pitch, a radius or a "
     "normal, does not exist in the "
     "plane or in space, or connects a body with itself.",
     "u: {type: universal, of: [a.P, b.Q], axes: [[1, 0, 0], [1, 0, 0]]}",
     "docs/case-format.md has a row for each type with what it needs."},
    {GDYN_CODE_FREEDOM, "the joint has no such freedom, or several",
     "Drives, forces, springs, ranges and joints: of a path act on an angle or a slide of a joint. "
     "Spherical and fixed joints "
     "have none, a cylindrical one has two.",
     "at: ball", "Name the freedom (joint.rz), or take a wrench or a force between points."},
    {GDYN_CODE_DRIVE, "limits of a drive are not possible",
     "min lies above max, a cable would push, a speed or rate is not positive, or a torque-speed "
     "line rises.",
     "force: {min: 5 N, max: -5 N}",
     "Both ends are stated: limit: F means -F .. F, inf and unlimited mean none, a cable has min "
     ">= 0."},
    {GDYN_CODE_ACTION, "a force or drive does not act on anything",
     "It acts on the ground, between a body and itself, at no place, or has neither force nor "
     "torque.",
     "push: {wrench: {of: ground.O, force: [1, 0]}}",
     "State one place: at: JOINT, between: [a.P, b.Q], cable: [a.P, b.Q] or wrench: {of: body.P, "
     "...}."},
    {GDYN_CODE_POSE, "a first guess cannot be read",
     "pose: is [x, y, angle] or [x, y, z], {at: ..., angle: ...}, {at: ..., cardan: [a, b, c]}, or "
     "places two of the body's "
     "points on other points.",
     "pose: [0, 0, 0, 0]",
     "The guess may be rough: globdyn check closes it and says how far it moved."},
    {GDYN_CODE_RANGE, "a range cannot be used",
     "range: limits a coordinate of a joint or drive by min, max or both; a cone limits the angle "
     "between two directions.",
     "range: {min: 2, max: 1}", "min is below max, and what has the range has a coordinate."},
    {GDYN_CODE_SOLID, "a shape is not possible",
     "Shapes are capsules, boxes, tubes, balls with positive sizes between points of their body; "
     "with a density they state "
     "mass, centre and inertia, which then must not stand there as well.",
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
    {GDYN_CODE_FREE, "what the path leaves free cannot be settled",
     "A path of fewer coordinates than the machine has freedoms leaves some free: null_motion "
     "moves them for the best, undriven "
     "lets those without drives hang in equilibrium. Here none is free, or no equilibrium was "
     "found, or it ends on the way.",
     "null_motion: {...}",
     "Leave the key out, prescribe less or more, or move the path to where the equilibrium "
     "exists."},
    {GDYN_CODE_WORKSPACE, "a grid cannot be laid",
     "A workspace has extents of coordinates that the machine has, at least 2 points along each, "
     "and its box lies inside.",
     "x: [1, 0]", "Widen the grid or narrow the box."},
    {GDYN_CODE_SIMULATE, "a simulation cannot be run with these settings",
     "Durations, steps, tolerances and rates are positive; some methods need the inverse of the "
     "mass matrix, and some settings "
     "belong to one method only. As a warning: another integrator suits the method better.",
     "simulate: {duration: 0 s}", "docs/simulate.md has a row for each method."},

    {GDYN_CODE_DESIGN, "a design variable is not possible",
     "A design variable is a parameter with min < max and a start between them, or with choices "
     "that increase or have names.",
     "design: {leg: {min: 2 m, max: 1 m}}",
     "The start is the value of the parameter unless start: states another."},
    {GDYN_CODE_GOAL, "an objective or constraint is not of the form",
     "Objectives are {minimize: formula} or {maximize: formula}, constraints have exactly one of "
     ">=, <= and =.",
     "constraints: {light: mass}",
     "Write NAME: formula <= value; an equality may have a tolerance."},
    {GDYN_CODE_CRITERION, "a criterion that there is not",
     "Formulas of designs name criteria of trajectories (circle.area), of the machine (mass) and "
     "parameters. The criterion does "
     "not exist, does not fit drives that slide and turn, or has no value for any design.",
     "maximize: circle.aera",
     "globdyn help criteria and docs/criteria.md list all of them with units and formulas."},
    {GDYN_CODE_SEARCH, "settings of the search do not fit",
     "The population, the evaluations or a setting of the method is beyond its range, or the "
     "method cannot treat a variable: "
     "local methods need continuous ones.",
     "algorithm: {name: nsga2, population: 1}",
     "docs/optimize.md lists the methods with their settings."},
    {GDYN_CODE_TOLERANCE, "tolerances or scenarios do not fit",
     "A tolerance encloses the parameter's value; scenarios set parameters that are neither design "
     "variables nor varied.",
     "leg: {value: 1 m, between: [2 m, 3 m]}",
     "Move the value into its ends, or leave one of the statements out."},
    {GDYN_CODE_EXPECT, "an expectation cannot be compared",
     "expect: names a quantity, a value and a tolerance; the quantity is not there or needs a "
     "place.",
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
     "Take another folder with -o, --from STUDY to take over what applies, or "
     "--accept-other-machine."},
    {GDYN_CODE_BUSY, "a study is in use",
     "Another process is writing to the study, or the folder does not allow to lock it.",
     "globdyn optimize CASE -o DIR",
     "Wait until it has ended, stop it, or choose another folder with -o."},
    {GDYN_CODE_ABSENT, "not in the study, case or folder",
     "A design, constraint, picture, template, trajectory, folder or study of this name or number "
     "is not there.",
     "globdyn study show star 999",
     "globdyn study list and globdyn study front show what there is."},

    {GDYN_CODE_USAGE, "the command line cannot be understood",
     "A command, verb or option is unknown, an operand is missing or one too many, or two options "
     "exclude each other.",
     "globdyn chek case.yaml", "globdyn help COMMAND lists the options."},
    {GDYN_CODE_OPTION, "the value of an option is not possible",
     "The option wants a number, a unit, a word of a list or NAME=VALUE.",
     "globdyn optimize case.yaml --threads many",
     "The message says what is wanted; globdyn help COMMAND has the form."},
    {GDYN_CODE_NEEDS, "the case or study lacks what the command works on",
     "regions need trajectories and drives, optimize a design: block and objectives, workspace "
     "workspaces:, simulate simulate:.",
     "globdyn optimize four_bar.yaml",
     "Add the block: globdyn new TEMPLATE writes files that have it."},
    {GDYN_CODE_PICTURE, "pictures are missing or not as wished",
     "gnuplot is missing, was ended because it took too long, or refused; the letters have no "
     "room; "
     "or folders laid over each other differ. All other results are complete.",
     "globdyn plot star --width \"85 mm\" --font-size 14",
     "Install gnuplot, or run FOLDER/NAME.gp by hand; --no-pictures leaves pictures out. "
     "State smaller letters or a greater width. Lay results along the same paths over each other."},
    {GDYN_CODE_RANKS, "many machines (MPI)",
     "The program was built without MPI, MPI cannot be started, or a rank does not answer.",
     "mpirun -n 4 globdyn optimize CASE",
     "Build with MPI (docs/optimize.md). What was evaluated is kept; the same command continues."},

    {GDYN_CODE_ASSEMBLY, "the machine cannot be where it is asked to be",
     "Its loops do not close from the first guess, or not at this place of the path or time.",
     "globdyn reactions CASE --time 3",
     "globdyn check says which joint stays open, by how much, and where on a path; "
     "docs/troubleshooting.md goes through the causes."},
    {GDYN_CODE_NUMERICS, "a numerical routine gave up",
     "The mathematics has no answer in double precision here, or none was found within the steps "
     "allowed. The message says where.",
     "",
     "Move away from singular poses, look at masses and stiffnesses that differ by many powers of "
     "ten, or take another method."},
    {GDYN_CODE_MEMORY, "out of memory", "The system refused memory.", "",
     "Fewer threads, points or designs; nothing that was stored is lost."},
    {GDYN_CODE_STOPPED, "interrupted",
     "The program was asked to end (Ctrl-C, SIGTERM). What was computed until then is kept and "
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
