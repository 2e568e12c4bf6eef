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

int gdyn_study_first_of_workspaces(const gdyn_study *s) {
    return s->parameters + s->machine + s->trajectories * s->criteria;
}

/* The SI unit of a dimension that is given, "" of a number; NULL: memory is out. */
static const char *dimension_unit(gdyn_study *s, gdyn_dimension dimension) {
    char text[64];
    if (!dimension.known || gdyn_dimension_fits(dimension, GDYN_DIM_NONE))
        return "";
    return gdyn_arena_strdup(s->arena, gdyn_dimension_text(dimension, text, sizeof text));
}

/* The next response; false: its unit or name lacks memory. */
static bool add_response(gdyn_study *s, int *r, int row, int range, const char *unit,
                         const char *name) {
    s->row[*r] = row;
    s->range[*r] = range;
    s->unit[*r] = unit;
    s->name[(*r)++] = name;
    return unit && name;
}

/* "mass", or "circle.area". */
static bool add_criterion(gdyn_study *s, int *r, int row, const gdyn_path_def *path) {
    const char *name = gdyn_criterion_table[row].name;
    gdyn_dimension effort = gdyn_instance_effort(s->start, NULL); /* forces and torques may mix */
    bool torque = effort.known && gdyn_dimension_fits(effort, GDYN_DIM_TORQUE);
    gdyn_words unit =
        gdyn_criterion_unit((gdyn_criterion)row, path ? gdyn_path_unit_of_p(path) : "",
                            torque         ? "N m"
                            : effort.known ? "N"
                                           : "");
    return add_response(s, r, row, -1, gdyn_arena_strdup(s->arena, unit.text),
                        path ? gdyn_arena_printf(s->arena, "%s.%s", path->name, name) : name);
}

/* Parameters, then criteria of the machine, of each trajectory and its ranges, of each
 * workspace. */
static bool add_responses(gdyn_study *s) {
    const gdyn_instance *start = s->start;
    const gdyn_criterion_row *table = gdyn_criterion_table;
    int r = 0;
    bool whole = true;
    for (int i = 0; i < s->parameters; i++)
        whole &= add_response(s, &r, -1, -1, dimension_unit(s, start->parameter_dimension[i]),
                              start->parameter_name[i]);
    for (int i = -1; r < s->parameters + s->machine;)
        whole &= add_criterion(s, &r, i = gdyn_criterion_next(i, GDYN_OF_MACHINE, true), NULL);
    for (int t = 0; t < s->trajectories; t++) {
        const gdyn_path_def *path = &start->trajectory[t];
        for (int i = -1; (i = gdyn_criterion_next(i, GDYN_OF_TRAJECTORY, true)) >= 0;)
            whole &= add_criterion(s, &r, i, path);
        /* "circle.margin.stroke" */
        for (int k = 0; k < gdyn_model_ranges(start->model); k++)
            for (int i = -1; (i = gdyn_criterion_next(i, GDYN_OF_RANGE, true)) >= 0;)
                whole &= add_response(
                    s, &r, i, k, gdyn_model_range_slides(start->model, k) ? "m" : "rad",
                    gdyn_arena_printf(s->arena, "%s.%s.%s", path->name, table[i].name,
                                      gdyn_model_range(start->model, k)->name));
    }
    for (int w = 0; w < s->workspaces; w++)
        for (int i = -1; (i = gdyn_criterion_next(i, GDYN_OF_WORKSPACE, true)) >= 0;) {
            const gdyn_workspace_def *def = &start->workspace[w];
            char unit[64];
            gdyn_dimension_text(gdyn_case_workspace_dimension(def, i), unit, sizeof unit);
            whole &= add_response(s, &r, i, -1,
                                  table[i].unit ? table[i].unit : gdyn_arena_strdup(s->arena, unit),
                                  gdyn_arena_printf(s->arena, "%s.%s", def->name, table[i].name));
        }
    return whole;
}

gdyn_status gdyn_study_name_responses(gdyn_study *s) {
    const gdyn_instance *start = s->start;
    const char *names[GDYN_CRITERIA];
    /* Count the responses of each kind. */
    s->parameters = start->parameter_count;
    if (start->model) {
        s->machine = gdyn_criterion_names(GDYN_OF_MACHINE, true, names);
        s->trajectories = start->trajectory_count;
        s->criteria =
            gdyn_model_ranges(start->model) * gdyn_criterion_names(GDYN_OF_RANGE, true, names);
        s->workspaces = start->workspace_count;
    }
    s->criteria += gdyn_criterion_names(GDYN_OF_TRAJECTORY, true, names);
    s->values = gdyn_criterion_names(GDYN_OF_WORKSPACE, true, names);
    s->responses = gdyn_study_first_of_workspaces(s) + s->workspaces * s->values;
    /* One entry per response in each array, and for the statistics. */
    size_t most = (size_t)(s->responses + gdyn_study_most_statistics(s));
    s->name = gdyn_arena_alloc(s->arena, most, sizeof *s->name);
    s->row = gdyn_arena_alloc(s->arena, most, sizeof *s->row);
    s->range = gdyn_arena_alloc(s->arena, most, sizeof *s->range);
    s->unit = gdyn_arena_alloc(s->arena, most, sizeof *s->unit);
    if (!s->name || !s->row || !s->range || !s->unit || !add_responses(s))
        return GDYN_ERROR_MEMORY;
    return gdyn_study_name_statistics(s);
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
    /* Unknown criteria are rejected with a better message than the compiler's. */
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

bool gdyn_study_by_points(const gdyn_study *s, int t) {
    unsigned by_points = GDYN_PASSES_OF_POINTS | GDYN_PASS_FOLLOW;
    bool alone = s->need[t] != 0 && !(s->need[t] & ~by_points);
    for (int c = 0; alone && c < s->criteria; c++) {
        int response = s->parameters + s->machine + t * s->criteria + c;
        alone = s->range[response] < 0 || !gdyn_study_formulas_use(s, response);
    }
    return alone;
}

/* --- what no design can have -------------------------------------------------------------- */

/* Something bounds a motion: a limit of a drive's force or speed, a torque-speed line; along a
 * path also a limit of the machine or a bound of the path speed. */
static bool any_limit(const gdyn_instance *start, const gdyn_path_def *path) {
    for (int i = 0; i < start->drive_count; i++) {
        const gdyn_drive_def *d = gdyn_model_drive(start->model, i);
        if (isfinite(d->min) || isfinite(d->max) || isfinite(d->speed_max) || d->curve_points > 0)
            return true;
    }
    for (int i = 0; path && i < gdyn_model_limits(start->model); i++) {
        const gdyn_limit_def *def = gdyn_model_limit(start->model, i);
        if (isfinite(def->bound[0]) || isfinite(def->bound[1]))
            return true;
    }
    return path && path->speeds > 0;
}

/* Whether some design of the case can have what a criterion along the path presumes. */
static bool can_hold(const gdyn_instance *start, const gdyn_path_def *path, unsigned presumption) {
    switch (presumption) {
    case GDYN_PRESUMES_DRIVES:
        return start->drive_count > 0;
    case GDYN_PRESUMES_STIFFNESS:
        for (int i = 0; i < start->drive_count; i++)
            if (start->drive_source[i].stiffness_line > 0)
                return true;
        return false;
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

/* A search whose every design must fail is rejected, for every formula. */
gdyn_status gdyn_study_check_values(const gdyn_study *s, const gdyn_sink *sink) {
    gdyn_status status = GDYN_OK;
    for (int f = 0; f < s->formulas; f++)
        /* One complaint per formula is enough. */
        for (int r = s->parameters + s->machine; r < s->responses - s->statistics; r++) {
            const gdyn_presumption_row *why =
                s->formula[f].uses[r] ? gdyn_study_never_evaluated(s, r) : NULL;
            if (!why)
                continue;
            gdyn_diag_emit(sink, GDYN_ERROR, s->formula[f].path, why->help,
                           GDYN_CODE_CRITERION "'%s' has no value for any design: %s", s->name[r],
                           why->why);
            status = GDYN_ERROR_INPUT;
            break;
        }
    return status;
}

gdyn_status gdyn_study_list_formulas(gdyn_study *s) {
    const gdyn_instance *start = s->start;
    int objectives = start->objective_count;
    s->formulas = objectives + start->requirement_count;
    s->formula = gdyn_arena_alloc(s->arena, (size_t)s->formulas, sizeof *s->formula);
    for (int f = 0; s->formula && f < s->formulas; f++) {
        const gdyn_goal *goal = f < objectives ? &start->objective[f] : NULL;
        const gdyn_requirement *wanted = goal ? NULL : &start->requirement[f - objectives];
        gdyn_formula *formula = &s->formula[f];
        formula->name = goal ? goal->name : wanted->name;
        formula->text = goal ? goal->text : wanted->left;
        formula->path = gdyn_arena_printf(s->arena, "optimize.%s.%s",
                                          goal ? "objectives" : "constraints", formula->name);
        formula->unit = dimension_unit(s, goal ? goal->dimension : wanted->dimension);
        if (!formula->path || !formula->unit)
            return GDYN_ERROR_MEMORY;
    }
    return s->formula ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_study_compile(gdyn_study *s, const gdyn_sink *sink) {
    s->need = gdyn_arena_alloc(s->arena, (size_t)s->trajectories, sizeof *s->need);
    s->need_nodes = gdyn_arena_alloc(s->arena, (size_t)s->workspaces + 1, sizeof *s->need_nodes);
    if (!s->need || !s->need_nodes)
        return GDYN_ERROR_MEMORY;
    gdyn_status result = GDYN_OK;
    /* Errors of all formulas are reported in one run. */
    for (int f = 0; f < s->formulas; f++) {
        gdyn_formula *formula = &s->formula[f];
        gdyn_status status =
            gdyn_study_compile_formula(s, formula->path, formula->text, formula, sink);
        if (status == GDYN_ERROR_MEMORY)
            return status;
        if (status != GDYN_OK)
            result = status;
        /* A formula that is a response has its unit (Hz rather than 1/s). */
        else if (formula->single >= 0 && *s->unit[formula->single])
            formula->unit = s->unit[formula->single];
    }
    if (result != GDYN_OK)
        return result;
    gdyn_study_collect_needs(s);
    for (int t = 0; t < s->trajectories && s->statistics == 0; t++)
        if (gdyn_study_by_points(s, t)) {
            int pose = gdyn_state_numbers(s->start->model);
            s->active_each = 1 + GDYN_ACTIVE_POINTS + GDYN_ACTIVE_POSES * pose;
            s->active = s->trajectories * s->active_each;
        }
    return gdyn_sampling_create(s, sink);
}
