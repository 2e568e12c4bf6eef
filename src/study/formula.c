/* formula.c - the names that objectives and constraints may use, and what each of them costs. */
#include "study/internal.h"

#include "access/evaluate.h"
#include "base/memory.h"
#include "base/text.h"
#include "traverse/criteria.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const machine_criteria[GDYN_MACHINE_CRITERIA] = {
    "mass",          "mobility",       "redundancy", "redundant_constraints", "drive_redundancy",
    "indeterminate", "drive_dependent"};

enum { MOTION = GDYN_NEED_REGIONS | GDYN_NEED_MOTION };

/* Criteria along a trajectory: what must be worked out for them, and their unit; P stands for the
 * unit of p, F for that of the drives. */
static const struct {
    const char *name;
    int need;
    const char *unit;
} trajectory_criteria[] = {
    {"area", GDYN_NEED_REGIONS, "P^2/s^3"},
    {"area_mean", GDYN_NEED_REGIONS, "P^2/s^3"},
    {"d1_max", GDYN_NEED_REGIONS, "P/s"},
    {"speed", GDYN_NEED_REGIONS, "P/s"},
    {"accel", GDYN_NEED_REGIONS, "P/s^2"},
    {"reach", GDYN_NEED_TRACK, ""},
    {"dexterity", GDYN_NEED_LOCAL, ""},
    {"stiffness", GDYN_NEED_LOCAL, "N/m"},
    {"frequency", GDYN_NEED_LOCAL, "Hz"},
    {"load", GDYN_NEED_LOCAL, ""},
    {"redundancy", GDYN_NEED_TRACK, ""},
    {"redundant_constraints", GDYN_NEED_TRACK, ""},
    {"empty", GDYN_NEED_REGIONS, ""},
    {"singular", GDYN_NEED_REGIONS, ""},
    {"time", MOTION, "s"},
    {"peak_force", MOTION, "F"},
    {"rms_force", MOTION, "F"},
    {"energy", MOTION, "J"},
    {"peak_share", MOTION, ""},
    {"rms_share", MOTION, ""},
};
enum { TRAJECTORY_CRITERIA = sizeof trajectory_criteria / sizeof *trajectory_criteria };

static int find_criterion(const char *name) {
    for (int i = 0; i < TRAJECTORY_CRITERIA; i++)
        if (strcmp(trajectory_criteria[i].name, name) == 0)
            return i;
    return -1;
}

int gdyn_study_criterion_need(const char *criterion) {
    int i = find_criterion(criterion);
    return i < 0 ? GDYN_NEED_REGIONS | GDYN_NEED_LOCAL : trajectory_criteria[i].need;
}

gdyn_status gdyn_study_name_responses(gdyn_study *s) {
    const gdyn_instance *start = s->start;
    s->parameters = start->parameter_count;
    s->machine = start->model ? GDYN_MACHINE_CRITERIA : 0;
    s->trajectories = start->model ? start->trajectory_count : 0;
    int regions, motion;
    const char *const *of_regions = gdyn_evaluation_criteria(&regions);
    const char *const *of_motion = gdyn_traverse_criteria_names(&motion);
    s->criteria = regions + motion + 1;
    s->responses = s->parameters + s->machine + s->trajectories * s->criteria;
    s->name = gdyn_arena_alloc(s->arena, (size_t)s->responses, sizeof *s->name);
    s->criterion = gdyn_arena_alloc(s->arena, (size_t)s->criteria, sizeof *s->criterion);
    if (!s->name || !s->criterion)
        return GDYN_ERROR_MEMORY;
    for (int c = 0; c < s->criteria; c++)
        s->criterion[c] = c < regions           ? of_regions[c]
                          : c < s->criteria - 1 ? of_motion[c - regions]
                                                : "singular";
    int r = 0;
    for (int i = 0; i < s->parameters; i++)
        s->name[r++] = start->parameter_name[i];
    for (int i = 0; i < s->machine; i++)
        s->name[r++] = machine_criteria[i];
    for (int t = 0; t < s->trajectories; t++)
        for (int c = 0; c < s->criteria; c++) {
            s->name[r] =
                gdyn_arena_printf(s->arena, "%s.%s", start->trajectory[t].name, s->criterion[c]);
            if (!s->name[r++])
                return GDYN_ERROR_MEMORY;
        }
    return GDYN_OK;
}

/* --- scanning for names ------------------------------------------------------------------- */

/* Length of the name or number at text; *is_name tells which. Names may hold dots. */
static size_t token_at(const char *text, bool *is_name) {
    size_t n = 0;
    *is_name = isalpha((unsigned char)*text) || *text == '_';
    if (*is_name) {
        while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.')
            n++;
        return n;
    }
    if (!isdigit((unsigned char)*text) && *text != '.')
        return 1;
    while (isdigit((unsigned char)text[n]) || text[n] == '.')
        n++;
    bool exponent =
        (text[n] == 'e' || text[n] == 'E') &&
        (isdigit((unsigned char)text[n + 1]) ||
         ((text[n + 1] == '+' || text[n + 1] == '-') && isdigit((unsigned char)text[n + 2])));
    if (exponent)
        for (n += 2; isdigit((unsigned char)text[n]);)
            n++;
    return n ? n : 1;
}

static int find_response(const gdyn_study *s, const char *name, size_t length) {
    for (int r = 0; r < s->responses; r++)
        if (strlen(s->name[r]) == length && strncmp(s->name[r], name, length) == 0)
            return r;
    return -1;
}

/* A name such as circle.time whose trajectory exists but whose criterion does not: refused with the
 * reason. Other unknown names are left to the compiler of formulas. */
static bool criterion_missing(const gdyn_study *s, const char *path, const char *name,
                              size_t length, const gdyn_sink *sink) {
    const char *dot = memchr(name, '.', length);
    if (!dot)
        return false;
    char suffix[64];
    snprintf(suffix, sizeof suffix, "%.*s", (int)(name + length - dot - 1), dot + 1);
    for (int t = 0; t < s->trajectories; t++) {
        const char *owner = s->start->trajectory[t].name;
        if (strlen(owner) != (size_t)(dot - name) || strncmp(owner, name, strlen(owner)) != 0)
            continue;
        const char *near = gdyn_text_nearest(suffix, s->criterion, s->criteria);
        char help[96];
        snprintf(help, sizeof help, "did you mean '%s'?", near ? near : "");
        gdyn_diag_emit(sink, GDYN_ERROR, path, near ? help : NULL,
                       "trajectory '%s' has no criterion '%s'", owner, suffix);
        return true;
    }
    return false;
}

/* Marks the responses that the text names; true when it names a criterion that does not exist. */
static bool scan(const gdyn_study *s, const char *path, const char *text, gdyn_formula *formula,
                 const gdyn_sink *sink) {
    bool refused = false;
    int tokens = 0;
    formula->single = -1;
    for (const char *at = text; *at;) {
        bool is_name;
        size_t length = token_at(at, &is_name);
        if (!isspace((unsigned char)*at))
            tokens++;
        if (is_name) {
            int r = find_response(s, at, length);
            if (r >= 0)
                formula->uses[r] = true, formula->single = r;
            else
                refused |= criterion_missing(s, path, at, length, sink);
        }
        at += length;
    }
    if (tokens != 1)
        formula->single = -1;
    return refused;
}

/* --- units -------------------------------------------------------------------------------- */

const char *gdyn_study_criterion_unit(const char *criterion, const char *p_unit) {
    static const char *const of_p[][4] = {/* P, then with p a pure number, a length, a time */
                                          {"P/s", "1/s", "m/s", "s/s"},
                                          {"P/s^2", "1/s^2", "m/s^2", "s/s^2"},
                                          {"P^2/s^3", "1/s^3", "m^2/s^3", "s^2/s^3"}};
    int c = find_criterion(criterion);
    const char *unit = c < 0 ? "" : trajectory_criteria[c].unit;
    for (size_t i = 0; i < sizeof of_p / sizeof *of_p; i++)
        if (strcmp(unit, of_p[i][0]) == 0)
            return of_p[i][*p_unit == 'm' ? 2 : *p_unit == 's' ? 3 : 1];
    return unit;
}

const char *gdyn_study_response_unit(const gdyn_study *s, int response) {
    int machine = response - s->parameters, along = machine - s->machine;
    if (machine < 0)
        return "";
    if (along < 0)
        return machine == GDYN_MACHINE_MASS ? "kg" : "";
    const gdyn_path_def *path = &s->start->trajectory[along / s->criteria];
    const char *unit =
        gdyn_study_criterion_unit(s->criterion[along % s->criteria], gdyn_path_unit_of_p(path));
    if (strcmp(unit, "F") != 0)
        return unit;
    gdyn_dimension effort = gdyn_instance_effort(s->start, NULL);
    return !effort.known ? "" : gdyn_dimension_fits(effort, GDYN_DIM_TORQUE) ? "N m" : "N";
}

/* The response's own unit (Hz, N/m), or what the units in the formula come to. */
static const char *formula_unit(gdyn_study *s, int formula, gdyn_dimension dimension) {
    char text[64];
    int single = s->formula[formula].single;
    const char *unit = single < 0 ? "" : gdyn_study_response_unit(s, single);
    if (*unit || !dimension.known || gdyn_dimension_fits(dimension, GDYN_DIM_NONE))
        return unit;
    return gdyn_arena_strdup(s->arena, gdyn_dimension_text(dimension, text, sizeof text));
}

static gdyn_status name_units(gdyn_study *s) {
    const gdyn_instance *start = s->start;
    bool whole = true;
    for (int f = 0; f < s->formulas; f++) {
        gdyn_dimension dimension = f < start->objective_count
                                       ? start->objective[f].dimension
                                       : start->requirement[f - start->objective_count].dimension;
        s->formula[f].unit = formula_unit(s, f, dimension);
        whole &= s->formula[f].unit != NULL;
    }
    return whole ? GDYN_OK : GDYN_ERROR_MEMORY;
}

const char *gdyn_study_objective_unit(const gdyn_study *s, int objective) {
    return s->formula[objective].unit;
}

const char *gdyn_study_constraint_unit(const gdyn_study *s, int constraint) {
    return s->formula[s->start->objective_count + constraint].unit;
}

/* --- compiling ---------------------------------------------------------------------------- */

static gdyn_status compile_one(gdyn_study *s, const char *sort, const char *name, const char *text,
                               gdyn_formula *formula, const gdyn_sink *sink) {
    char path[200];
    snprintf(path, sizeof path, "optimize.%s.%s", sort, name);
    formula->uses = gdyn_arena_alloc(s->arena, (size_t)s->responses, sizeof *formula->uses);
    if (!formula->uses)
        return GDYN_ERROR_MEMORY;
    if (scan(s, path, text, formula, sink))
        return GDYN_ERROR_INPUT;
    gdyn_scope scope = {.variables = s->name,
                        .variable_count = s->responses,
                        .suggestions = s->name,
                        .suggestion_count = s->responses};
    gdyn_expr_error error;
    formula->expr = gdyn_expr_compile(text, &scope, &error);
    if (formula->expr)
        return GDYN_OK;
    gdyn_diag_emit(sink, GDYN_ERROR, path, error.help[0] ? error.help : NULL, "%s in '%s'",
                   error.message, text);
    return GDYN_ERROR_INPUT;
}

/* What the formulas need of each trajectory and of the machine's pose. */
static void collect_needs(gdyn_study *s) {
    for (int f = 0; f < s->formulas; f++)
        for (int r = 0; r < s->responses; r++) {
            int machine = r - s->parameters, along = machine - s->machine;
            if (!s->formula[f].uses[r])
                continue;
            if (along >= 0)
                s->need[along / s->criteria] |=
                    GDYN_NEED_TRACK | gdyn_study_criterion_need(s->criterion[along % s->criteria]);
            else if (machine > GDYN_MACHINE_MASS)
                s->need_pose = true;
        }
}

/* --- what no design can have -------------------------------------------------------------- */

static bool any_drive_stiff(const gdyn_instance *start) {
    for (int i = 0; i < start->drive_count; i++)
        if (start->drive_source[i].stiffness_line > 0)
            return true;
    return false;
}

/* Nothing bounds a motion: no limit of a force or speed, no torque-speed line. */
static bool no_drive_limited(const gdyn_instance *start) {
    for (int i = 0; i < start->drive_count; i++) {
        const gdyn_drive_def *d = gdyn_model_drive(start->model, i);
        if (isfinite(d->min) || isfinite(d->max) || isfinite(d->speed_max) || d->curve_points > 0)
            return false;
    }
    return true;
}

/* Why a criterion has no value whatever the design is, and what would help; NULL when it may have one. */
static const char *hopeless(const gdyn_study *s, int response, const char **help) {
    const gdyn_instance *start = s->start;
    int along = response - s->parameters - s->machine;
    const char *criterion = s->criterion[along % s->criteria];
    const gdyn_path_def *path = &start->trajectory[along / s->criteria];
    int need = gdyn_study_criterion_need(criterion);
    bool stiff = strcmp(criterion, "stiffness") == 0 || strcmp(criterion, "frequency") == 0;
    bool counts = strcmp(criterion, "empty") == 0 || strcmp(criterion, "singular") == 0;
    bool moves = need & GDYN_NEED_REGIONS && !counts;
    *help = NULL;
    if (moves && start->drive_count == 0) {
        *help = "state machine.drives";
        return "the machine has no drives";
    }
    if (stiff && !any_drive_stiff(start)) {
        *help = "state stiffness: 1e6 N/m (or N m/rad) of the drives";
        return "no drive states a stiffness";
    }
    if (moves && no_drive_limited(start)) {
        *help = "state what the drives can do: force: {limit: 100 N}";
        return "no drive has a limit, so nothing bounds the motion";
    }
    if (need & GDYN_NEED_MOTION && path->p_given && path->p_end < path->p_start) {
        *help = "motions run towards greater p: exchange the ends of p";
        return "the range of p falls";
    }
    return NULL;
}

/* A search whose every design must fail is refused; says so for every formula. */
gdyn_status gdyn_study_check_values(const gdyn_study *s, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (int f = 0; f < s->formulas; f++) {
        bool objective = f < s->start->objective_count;
        const char *name = objective ? s->start->objective[f].name
                                     : s->start->requirement[f - s->start->objective_count].name;
        for (int r = s->parameters + s->machine; r < s->responses; r++) {
            const char *help, *why = s->formula[f].uses[r] ? hopeless(s, r, &help) : NULL;
            char path[200];
            if (!why)
                continue;
            snprintf(path, sizeof path, "optimize.%s.%s", objective ? "objectives" : "constraints",
                     name);
            gdyn_diag_emit(sink, GDYN_ERROR, path, help,
                           "'%s' has no value, whatever the design is: %s", s->name[r], why);
            status = GDYN_ERROR_INPUT;
            break;
        }
    }
    return status;
}

gdyn_status gdyn_study_compile(gdyn_study *s, const gdyn_sink *sink) {
    const gdyn_instance *start = s->start;
    int objectives = start->objective_count;
    s->formulas = objectives + start->requirement_count;
    s->formula = gdyn_arena_alloc(s->arena, (size_t)s->formulas, sizeof *s->formula);
    s->need = gdyn_arena_alloc(s->arena, (size_t)s->trajectories, sizeof *s->need);
    if (!s->formula || !s->need)
        return GDYN_ERROR_MEMORY;
    gdyn_status result = GDYN_OK;
    for (int f = 0; f < s->formulas; f++) {
        gdyn_status status;
        if (f < objectives) {
            const gdyn_goal *goal = &start->objective[f];
            status = compile_one(s, "objectives", goal->name, goal->text, &s->formula[f], sink);
        } else {
            const gdyn_requirement *wanted = &start->requirement[f - objectives];
            status =
                compile_one(s, "constraints", wanted->name, wanted->left, &s->formula[f], sink);
        }
        if (status == GDYN_ERROR_MEMORY)
            return status;
        if (status != GDYN_OK)
            result = status;
    }
    if (result != GDYN_OK)
        return result;
    collect_needs(s);
    return name_units(s);
}
