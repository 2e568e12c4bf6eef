/* formula.c - the names that objectives and constraints may use, and the passes that each needs. */
#include "study/internal.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of an equality without a tolerance. */
static const double EQUAL = 1e-3;

unsigned gdyn_study_passes(int row) {
    unsigned pass = gdyn_criterion_table[row].pass;
    /* motions and singular poses are searched for where there are regions */
    bool more =
        pass == GDYN_PASS_MOTION || pass == GDYN_PASS_REACTIONS || pass == GDYN_PASS_APPROACH;
    return GDYN_PASS_TRACK | pass | (more ? GDYN_PASS_REGIONS : 0);
}

/* --- responses ---------------------------------------------------------------------------- */

/* Unit of the drives' efforts; "" where forces and torques mix. */
static const char *effort_unit(const gdyn_instance *instance) {
    gdyn_dimension effort = gdyn_instance_effort(instance, NULL);
    return !effort.known ? "" : gdyn_dimension_fits(effort, GDYN_DIM_TORQUE) ? "N m" : "N";
}

/* Response r is that row of the machine, or of the trajectory. */
static bool name_criterion(gdyn_study *s, int r, int row, const gdyn_path_def *path) {
    /* Criteria of a trajectory are named "circle.area". */
    const char *name = gdyn_criterion_table[row].name;
    gdyn_words unit = gdyn_criterion_unit(
        (gdyn_criterion)row, path ? gdyn_path_unit_of_p(path) : "", effort_unit(s->start));
    s->row[r] = row;
    s->range[r] = -1;
    s->unit[r] = gdyn_arena_strdup(s->arena, unit.text);
    s->name[r] = path ? gdyn_arena_printf(s->arena, "%s.%s", path->name, name) : name;
    return s->unit[r] && s->name[r];
}

/* Response r is that row of the trajectory's range. */
static bool name_range(gdyn_study *s, int r, int row, const gdyn_path_def *path, int range) {
    const gdyn_model *model = s->start->model;
    s->row[r] = row;
    s->range[r] = range;
    /* Criteria of a range are named "circle.range_margin.stroke". */
    s->unit[r] = gdyn_model_range_slides(model, range) ? "m" : "rad";
    s->name[r] = gdyn_arena_printf(s->arena, "%s.%s.%s", path->name, gdyn_criterion_table[row].name,
                                   gdyn_model_range(model, range)->name);
    return s->name[r] != NULL;
}

/* All responses of a trajectory from r on; the number of the next one. */
static int name_trajectory(gdyn_study *s, int r, const gdyn_path_def *path, bool *whole) {
    for (int i = -1; (i = gdyn_criterion_next(i, GDYN_OF_TRAJECTORY, true)) >= 0;)
        *whole &= name_criterion(s, r++, i, path);
    for (int k = 0; k < gdyn_model_ranges(s->start->model); k++)
        for (int i = -1; (i = gdyn_criterion_next(i, GDYN_OF_RANGE, true)) >= 0;)
            *whole &= name_range(s, r++, i, path, k);
    return r;
}

int gdyn_study_first_of_workspaces(const gdyn_study *s) {
    return s->parameters + s->machine + s->trajectories * s->criteria;
}

/* All responses of a workspace from r on; the number of the next one. */
static int name_workspace(gdyn_study *s, int r, const gdyn_workspace_def *workspace, bool *whole) {
    char unit[64];
    for (int i = -1; (i = gdyn_criterion_next(i, GDYN_OF_WORKSPACE, true)) >= 0; r++) {
        const gdyn_criterion_row *row = &gdyn_criterion_table[i];
        gdyn_dimension dimension = gdyn_case_workspace_dimension(workspace, i);
        s->row[r] = i;
        s->range[r] = -1;
        s->unit[r] =
            row->unit
                ? row->unit
                : gdyn_arena_strdup(s->arena, gdyn_dimension_text(dimension, unit, sizeof unit));
        s->name[r] = gdyn_arena_printf(s->arena, "%s.%s", workspace->name, row->name);
        *whole = *whole && s->unit[r] && s->name[r];
    }
    return r;
}

/* The SI unit of a dimension that is stated, "" of a number; NULL: memory is out. */
static const char *dimension_unit(gdyn_study *s, gdyn_dimension dimension) {
    char text[64];
    if (!dimension.known || gdyn_dimension_fits(dimension, GDYN_DIM_NONE))
        return "";
    return gdyn_arena_strdup(s->arena, gdyn_dimension_text(dimension, text, sizeof text));
}

gdyn_status gdyn_study_name_responses(gdyn_study *s) {
    const gdyn_instance *start = s->start;
    const char *names[GDYN_CRITERIA];
    /* Count the responses of each kind. */
    s->parameters = start->parameter_count;
    s->machine = start->model ? gdyn_criterion_names(GDYN_OF_MACHINE, true, names) : 0;
    s->trajectories = start->model ? start->trajectory_count : 0;
    s->criteria = gdyn_criterion_names(GDYN_OF_TRAJECTORY, true, names);
    if (start->model)
        s->criteria +=
            gdyn_model_ranges(start->model) * gdyn_criterion_names(GDYN_OF_RANGE, true, names);
    s->workspaces = start->model ? start->workspace_count : 0;
    s->values = gdyn_criterion_names(GDYN_OF_WORKSPACE, true, names);
    s->responses = gdyn_study_first_of_workspaces(s) + s->workspaces * s->values;
    /* One entry per response in each array, and for the statistics. */
    size_t most = (size_t)(s->responses + gdyn_study_most_statistics(s));
    s->name = gdyn_arena_alloc(s->arena, most, sizeof *s->name);
    s->row = gdyn_arena_alloc(s->arena, most, sizeof *s->row);
    s->range = gdyn_arena_alloc(s->arena, most, sizeof *s->range);
    s->unit = gdyn_arena_alloc(s->arena, most, sizeof *s->unit);
    if (!s->name || !s->row || !s->range || !s->unit)
        return GDYN_ERROR_MEMORY;
    /* Parameters by their own names. */
    int r = 0;
    bool whole = true;
    for (int i = 0; i < s->parameters; i++, r++) {
        s->name[r] = start->parameter_name[i];
        s->row[r] = s->range[r] = -1;
        s->unit[r] = dimension_unit(s, start->parameter_dimension[i]);
        whole &= s->unit[r] != NULL;
    }
    /* Criteria of the machine, then those of each trajectory, then those of each workspace. */
    for (int i = -1; r < s->parameters + s->machine; r++) {
        i = gdyn_criterion_next(i, GDYN_OF_MACHINE, true);
        whole &= name_criterion(s, r, i, NULL);
    }
    for (int t = 0; t < s->trajectories; t++)
        r = name_trajectory(s, r, &start->trajectory[t], &whole);
    for (int w = 0; w < s->workspaces; w++)
        r = name_workspace(s, r, &start->workspace[w], &whole);
    return whole ? gdyn_study_name_statistics(s) : GDYN_ERROR_MEMORY;
}

/* --- scanning for names ------------------------------------------------------------------- */

size_t gdyn_formula_token(const char *text, bool *is_name) {
    /* A name begins with a letter and may hold dots: circle.area. */
    size_t n = 0;
    *is_name = isalpha((unsigned char)*text) || *text == '_';
    if (*is_name) {
        while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.')
            n++;
        return n;
    }
    /* Any other sign is a token of its own. */
    if (!isdigit((unsigned char)*text) && *text != '.')
        return 1;
    /* A number, with its exponent. */
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

int gdyn_study_find_response(const gdyn_study *s, const char *name, size_t length, int count) {
    for (int r = 0; r < count; r++)
        if (strlen(s->name[r]) == length && strncmp(s->name[r], name, length) == 0)
            return r;
    return -1;
}

/* A name such as circle.time whose trajectory exists but whose criterion does not: refused with the
 * reason. Other unknown names are left to the compiler of formulas. */
static bool criterion_missing(const gdyn_study *s, const char *path, const char *name,
                              size_t length, const gdyn_sink *sink) {
    const char *dot = memchr(name, '.', length);
    /* Split "circle.time" at its first dot. */
    if (!dot)
        return false;
    char suffix[64];
    snprintf(suffix, sizeof suffix, "%.*s", (int)(name + length - dot - 1), dot + 1);
    for (int t = 0; t < s->trajectories; t++) {
        const char *owner = s->start->trajectory[t].name;
        if (strlen(owner) != (size_t)(dot - name) || strncmp(owner, name, strlen(owner)) != 0)
            continue;
        const char *names[GDYN_CRITERIA];
        int count = gdyn_criterion_names(GDYN_OF_TRAJECTORY, true, names);
        const char *near = gdyn_text_nearest(suffix, names, count);
        char help[96];
        snprintf(help, sizeof help, "did you mean '%s'?", near ? near : "");
        gdyn_diag_emit(sink, GDYN_ERROR, path, near ? help : NULL,
                       GDYN_CODE_CRITERION "trajectory '%s' has no criterion '%s'", owner, suffix);
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
    /* Token by token; a formula of one name alone keeps that response's unit. */
    for (const char *at = text; *at;) {
        bool is_name;
        size_t length = gdyn_formula_token(at, &is_name);
        if (!isspace((unsigned char)*at))
            tokens++;
        if (is_name) {
            int r = gdyn_study_find_response(s, at, length, s->responses);
            /* a statistic takes the design's own value, too */
            if (r >= 0)
                formula->uses[r] = formula->uses[gdyn_study_base(s, r)] = true, formula->single = r;
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

const char *gdyn_study_response_unit(const gdyn_study *s, int response) {
    return s->unit[response];
}

static gdyn_status name_units(gdyn_study *s) {
    const gdyn_instance *start = s->start;
    bool whole = true;
    /* Objectives, then constraints, each with the dimension that the reader found. */
    for (int f = 0; f < s->formulas; f++) {
        gdyn_dimension dimension = f < start->objective_count
                                       ? start->objective[f].dimension
                                       : start->requirement[f - start->objective_count].dimension;
        /* The response's own unit (Hz, N/m), or what the units in the formula come to. */
        int single = s->formula[f].single;
        const char *unit = single < 0 ? "" : gdyn_study_response_unit(s, single);
        /* A formula that is a response has its unit (Hz rather than 1/s). */
        s->formula[f].unit = *unit ? unit : dimension_unit(s, dimension);
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

/* --- relations ---------------------------------------------------------------------------- */

/* A difference of sides as a share of the limit; the difference itself where that is zero. */
static double share_of(const gdyn_requirement *requirement, double missing) {
    double scale = fabs(requirement->right);
    return scale > 0 ? missing / scale : missing;
}

/* What ranks designs: without a limit to compare with, amounts count less than 1. */
static double bounded(const gdyn_requirement *requirement, double share) {
    return requirement->right != 0 ? share : share / (1 + fabs(share));
}

double gdyn_study_shortfall(const gdyn_requirement *requirement, double left) {
    double missing = requirement->right - left;
    return share_of(requirement,
                    requirement->relation == 0 ? missing : requirement->relation * missing);
}

double gdyn_study_equality(const gdyn_requirement *requirement) {
    if (requirement->relation != 0)
        return 0;
    if (requirement->tolerance > 0)
        return share_of(requirement, requirement->tolerance);
    return requirement->right != 0 ? EQUAL : EQUAL / (1 - EQUAL); /* bounded: EQUAL */
}

double gdyn_study_missing(const gdyn_requirement *requirement, double left) {
    double share = gdyn_study_shortfall(requirement, left);
    if (requirement->relation != 0)
        return bounded(requirement, share);
    return bounded(requirement, fabs(share)) -
           bounded(requirement, gdyn_study_equality(requirement));
}

bool gdyn_study_violates(const gdyn_requirement *requirement, double left) {
    return gdyn_study_missing(requirement, left) > 0;
}

bool gdyn_study_formulas_use(const gdyn_study *s, int response) {
    for (int f = 0; f < s->formulas; f++)
        if (s->formula[f].uses[response])
            return true;
    return false;
}

/* --- compiling ---------------------------------------------------------------------------- */

gdyn_status gdyn_study_compile_formula(gdyn_study *s, const char *path, const char *text,
                                       gdyn_formula *formula, const gdyn_sink *sink) {
    formula->uses = gdyn_arena_alloc(s->arena, (size_t)s->responses, sizeof *formula->uses);
    if (!formula->uses)
        return GDYN_ERROR_MEMORY;
    /* Unknown criteria are refused with a better message than the compiler's. */
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
    gdyn_diag_emit(sink, GDYN_ERROR, path, error.help[0] ? error.help : NULL, "%s%s in '%s'",
                   error.mark, error.message, text);
    return GDYN_ERROR_INPUT;
}

static gdyn_status compile_one(gdyn_study *s, const char *sort, const char *name, const char *text,
                               gdyn_formula *formula, const gdyn_sink *sink) {
    char path[200];
    snprintf(path, sizeof path, "optimize.%s.%s", sort, name);
    return gdyn_study_compile_formula(s, path, text, formula, sink);
}

void gdyn_study_collect_needs(gdyn_study *s) {
    for (int f = 0; f < s->formulas; f++)
        for (int r = 0; r < s->responses - s->statistics; r++) {
            /* Position among the responses of trajectories; negative: a parameter or the
             * machine. */
            int along = r - s->parameters - s->machine;
            if (!s->formula[f].uses[r] || s->row[r] < 0)
                continue;
            int node = r - gdyn_study_first_of_workspaces(s);
            if (node >= 0)
                s->need_nodes[node / s->values] = true;
            else if (along >= 0)
                s->need[along / s->criteria] |= gdyn_study_passes(s->row[r]);
            else if (gdyn_criterion_table[s->row[r]].pass == GDYN_PASS_REACTIONS)
                s->need_pose = true;
        }
}

/* --- what no design can have -------------------------------------------------------------- */

/* Stiffness criteria need a stated stiffness of some drive. */
static bool any_drive_stiff(const gdyn_instance *start) {
    for (int i = 0; i < start->drive_count; i++)
        if (start->drive_source[i].stiffness_line > 0)
            return true;
    return false;
}

/* Something bounds a motion: a limit of a drive's force or speed, a torque-speed line; along a
 * path also a limit of the machine or a bound of the path speed. */
static bool any_limit(const gdyn_instance *start, const gdyn_path_def *path) {
    for (int i = 0; i < start->drive_count; i++) {
        const gdyn_drive_def *d = gdyn_model_drive(start->model, i);
        if (isfinite(d->min) || isfinite(d->max) || isfinite(d->speed_max) || d->curve_points > 0)
            return true;
    }
    return path && (path->speeds > 0 || gdyn_model_limits(start->model) > 0);
}

/* Whether some design of the case can have what a criterion along the path presumes. */
static bool can_hold(const gdyn_instance *start, const gdyn_path_def *path, unsigned presumption) {
    switch (presumption) {
    case GDYN_PRESUMES_DRIVES:
        return start->drive_count > 0;
    case GDYN_PRESUMES_STIFFNESS:
        return any_drive_stiff(start);
    case GDYN_PRESUMES_LIMITS:
        return any_limit(start, path);
    case GDYN_PRESUMES_RANGES:
        return gdyn_model_ranges(start->model) > 0;
    case GDYN_PRESUMES_SHAPES:
        return gdyn_model_shapes(start->model) > 1;
    case GDYN_PRESUMES_RISING:
        return !(path && path->p_given && path->p_end < path->p_start);
    default:
        return true;
    }
}

const gdyn_presumption_row *gdyn_study_never_evaluated(const gdyn_study *s, int response) {
    /* The trajectory of the response; none of a workspace. */
    int trajectory = (response - s->parameters - s->machine) / s->criteria;
    const gdyn_path_def *path =
        trajectory < s->trajectories ? &s->start->trajectory[trajectory] : NULL;
    unsigned presumes = gdyn_criterion_table[s->row[response]].presumes;
    const gdyn_presumption_row *row;
    /* The first presumption that no design of this case can fulfil. */
    for (int i = 0; (row = gdyn_presumption(i)); i++)
        if (presumes & row->presumption && !can_hold(s->start, path, row->presumption))
            return row;
    return NULL;
}

/* A search whose every design must fail is refused; says so for every formula. */
gdyn_status gdyn_study_check_values(const gdyn_study *s, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (int f = 0; f < s->formulas; f++) {
        bool objective = f < s->start->objective_count;
        const char *name = objective ? s->start->objective[f].name
                                     : s->start->requirement[f - s->start->objective_count].name;
        /* One complaint per formula is enough. */
        for (int r = s->parameters + s->machine; r < s->responses - s->statistics; r++) {
            const gdyn_presumption_row *why =
                s->formula[f].uses[r] ? gdyn_study_never_evaluated(s, r) : NULL;
            char path[200];
            if (!why)
                continue;
            snprintf(path, sizeof path, "optimize.%s.%s", objective ? "objectives" : "constraints",
                     name);
            gdyn_diag_emit(sink, GDYN_ERROR, path, why->help,
                           GDYN_CODE_CRITERION "'%s' has no value for any design: %s", s->name[r],
                           why->why);
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
    s->need_nodes = gdyn_arena_alloc(s->arena, (size_t)s->workspaces + 1, sizeof *s->need_nodes);
    if (!s->formula || !s->need || !s->need_nodes)
        return GDYN_ERROR_MEMORY;
    gdyn_status result = GDYN_OK;
    /* Errors of all formulas are reported in one run. */
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
    gdyn_study_collect_needs(s);
    gdyn_status status = name_units(s);
    return status == GDYN_OK ? gdyn_sampling_create(s, sink) : status;
}
