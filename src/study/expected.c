/* expected.c - what a case gives for the quantities of its `expect:` block. */
#include "study/expected.h"

#include "base/memory.h"
#include "study/internal.h"
#include "workspace/field.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Terms that change while their sum changes by less than this share have a unique sum: rounding of
 * null vectors stays far below, and what is listed of a machine in a case far above. */
static const double UNIQUE_SHARE = 1e-6;

/* --- reactions at the first guess ------------------------------------------------------------- */

/* Verdict of "JOINT" or "JOINT.COMPONENT" as a number. */
static bool verdict_value(const gdyn_expected *x, const char *name, double *value) {
    const gdyn_reactions *r = x->reactions;
    char label[160];
    /* Joints first, then components: both have verdicts. */
    for (int i = 0; r && i < r->joints + r->components; i++) {
        int c = i - r->joints;
        const gdyn_reaction_item *item = c < 0 ? &r->item[i] : gdyn_reactions_component(r, c);
        const char *own = c < 0 ? item->name : gdyn_reactions_label(r, c, label, sizeof label);
        if (!strcmp(own, name)) {
            *value = item->verdict;
            /* Where the tests disagree no verdict can be expected. */
            return r->disagreements == 0;
        }
    }
    return false;
}

/* A sum "JOINT.COMPONENT+..." of one value per component; *size grows to its largest term. */
static bool sum_of(const gdyn_reactions *r, const char *name, const double *part, double *sum,
                   double *size) {
    *sum = 0;
    for (const char *term = name; *term;) {
        size_t length = strcspn(term, "+");
        char label[160];
        int c = 0; /* the component "JOINT.COMPONENT" */
        for (; c < r->components; c++) {
            const char *own = gdyn_reactions_label(r, c, label, sizeof label);
            if (strlen(own) == length && !strncmp(own, term, length))
                break;
        }
        if (c == r->components)
            return false;
        *sum += part[c];
        *size = fmax(*size, fabs(part[c]));
        term += length + (term[length] == '+');
    }
    return true;
}

/* A sum of reactions; NaN when it is not unique, or nothing is. */
static bool reaction_value(const gdyn_expected *x, const char *name, double *value) {
    const gdyn_reactions *r = x->reactions;
    double sum, total, change = 0, ignored = 0, size = 0;
    if (!r || !sum_of(r, name, r->value, &sum, &ignored))
        return false;
    /* It is unique when no null vector of the reactions changes it. */
    for (int d = 0; d < r->directions; d++) {
        sum_of(r, name, r->component_direction + d * r->components, &total, &size);
        change = fmax(change, fabs(total));
    }
    *value = x->held && change <= UNIQUE_SHARE * size ? sum : NAN;
    return true;
}

/* --- trajectories ----------------------------------------------------------------------------- */

/* Passes that others did not need are taken when the first expectation asks. */
static bool trajectory_value(const gdyn_expected *x, const gdyn_expectation *e, double *value) {
    assert(e->trajectory < x->count);
    gdyn_trajectory *t = &x->trajectory[e->trajectory];
    if (gdyn_trajectory_take(t, gdyn_criterion_table[e->criterion].pass) != GDYN_OK)
        return false;
    *value = e->range < 0 ? t->criteria.value[e->criterion]
                          : gdyn_travel_value(&t->track->travel[e->range], e->criterion);
    return true;
}

/* A value at the place that was probed; NaN where the path is not followed. */
static double value_at(const gdyn_probed *found, const gdyn_expectation *e) {
    gdyn_argument argument = gdyn_criterion_table[e->criterion].argument;
    double low, high;
    if (found->status != GDYN_POINT_OK || argument == GDYN_ARGUMENT_NONE)
        return found->criteria.value[e->criterion];
    if (argument == GDYN_ARGUMENT_JOINT)
        return gdyn_mech_joint_coordinate(found->state, e->joint, e->freedom);
    if (argument == GDYN_ARGUMENT_DRIVE)
        return gdyn_mech_drive_coordinate(found->state, e->drive);
    bool reached = gdyn_region_slice(found->region, e->d1, &low, &high);
    return !reached ? NAN : e->criterion == GDYN_CRITERION_D2_MIN ? low : high;
}

/* Values between the points of the path are evaluated there. */
static bool point_value(const gdyn_expected *x, const gdyn_expectation *e, double *value) {
    gdyn_trajectory *t = &x->trajectory[e->trajectory];
    const gdyn_path_def *path = gdyn_path_definition(t->path);
    /* Rounding of the given p does not lead outside. */
    double slack = 1e-9 * (path->p_end - path->p_start);
    bool outside = e->p < path->p_start - slack || e->p > path->p_end + slack;
    gdyn_probed found;
    if (outside || gdyn_trajectory_probe(t, e->p, &found) != GDYN_OK)
        return false;
    *value = value_at(&found, e);
    return true;
}

/* --- workspaces ------------------------------------------------------------------------------- */

static bool workspace_value(gdyn_expected *x, const gdyn_expectation *e, double *value) {
    if (!x->field)
        x->field = gdyn_alloc((size_t)x->instance->workspace_count, sizeof *x->field);
    if (!x->field)
        return false;
    gdyn_workspace_field *field = &x->field[e->workspace];
    if (!field->def && gdyn_field_find(x->instance, e->workspace, NULL, field) != GDYN_OK)
        return false;
    *value = gdyn_field_criterion(field, e->criterion, NULL);
    return true;
}

/* --- objectives and constraints --------------------------------------------------------------- */

/* Evaluates the design of the expectation; the objective or constraint that it asks for. */
static bool evaluate_goal(const gdyn_study *study, const gdyn_expectation *e, gdyn_design *design,
                          double *x, double *value) {
    if (!design || !x)
        return false;
    /* at the start design, moved by the settings that the expectation states */
    const gdyn_instance *start = gdyn_study_start(study);
    for (int i = 0; i < start->design_count; i++) {
        x[i] = gdyn_study_start_value(study, i);
        for (int k = 0; k < e->setting_count; k++)
            if (!strcmp(e->setting[k].name, start->design[i].name))
                x[i] = gdyn_case_choice_index(&start->design[i], e->setting[k].value);
    }
    if (gdyn_study_evaluate(study, x, GDYN_EXTENT_NEEDED, design) != GDYN_OK || !design->evaluated)
        return false;
    *value =
        e->kind == GDYN_EXPECT_OBJECTIVE ? design->objective[e->goal] : design->constraint[e->goal];
    return true;
}

/* The study is made when the first objective or constraint asks. */
static bool goal_value(gdyn_expected *x, const gdyn_expectation *e, double *value) {
    if (!x->study &&
        gdyn_study_create(x->the_case, x->setting_count, x->setting, x->sink, &x->study) != GDYN_OK)
        return false;
    int variables = gdyn_study_start(x->study)->design_count;
    gdyn_design *design = gdyn_design_create(x->study);
    double *at = gdyn_alloc((size_t)variables, sizeof *at);
    bool known = evaluate_goal(x->study, e, design, at, value);
    gdyn_free(at);
    gdyn_design_destroy(design);
    return known;
}

/* --- the machine ------------------------------------------------------------------------------ */

/* The worst reactions of the trajectories, as in designs, once they are asked for. */
static bool machine_value(gdyn_expected *x, int criterion, double *value) {
    gdyn_status status = GDYN_OK;
    if (x->reactions && !x->raised) {
        int joints = x->reactions->joints;
        gdyn_verdict *joint = gdyn_alloc((size_t)joints + 1, sizeof *joint);
        gdyn_solvability *s = gdyn_solvability_for_model(x->instance->model);
        status = joint && s ? GDYN_OK : GDYN_ERROR_MEMORY;
        for (int i = 0; i < joints && status == GDYN_OK; i++)
            joint[i] = x->reactions->item[i].verdict;
        for (int t = 0; t < x->count && status == GDYN_OK; t++)
            if (x->trajectory[t].track)
                status = gdyn_machine_along(s, gdyn_trajectory_points(&x->trajectory[t]), joint,
                                            &x->machine);
        double duration = x->instance->simulation.duration;
        gdyn_closure *closure = gdyn_closure_create(x->instance->model, 0);
        if (status == GDYN_OK && x->count == 0 && closure && duration > 0 &&
            gdyn_model_motions(x->instance->model) > 0)
            status =
                gdyn_machine_in_motion(s, closure, x->guess.state, duration, joint, &x->machine);
        gdyn_closure_destroy(closure);
        x->raised = true;
        gdyn_solvability_destroy(s);
        gdyn_free(joint);
    }
    *value = x->machine.value[criterion];
    return status == GDYN_OK;
}

/* --- all of them ------------------------------------------------------------------------------ */

bool gdyn_expected_value(gdyn_expected *x, const gdyn_expectation *e, double *value) {
    *value = NAN;
    switch (e->kind) {
    case GDYN_EXPECT_NOTHING:
        return false;
    case GDYN_EXPECT_MACHINE:
        return machine_value(x, e->criterion, value);
    case GDYN_EXPECT_VERDICT:
        return verdict_value(x, e->entity, value);
    case GDYN_EXPECT_REACTION:
        return reaction_value(x, e->entity, value);
    case GDYN_EXPECT_TRAJECTORY:
        return trajectory_value(x, e, value);
    case GDYN_EXPECT_POINT:
        return point_value(x, e, value);
    case GDYN_EXPECT_WORKSPACE:
        return workspace_value(x, e, value);
    case GDYN_EXPECT_OBJECTIVE:
    case GDYN_EXPECT_CONSTRAINT:
        return goal_value(x, e, value);
    }
    return false;
}

bool gdyn_expectation_met(const gdyn_expectation *e, double value) {
    if (e->none)
        return isnan(value);
    if (e->infinite)
        return isinf(value) && (value > 0) == (e->value > 0);
    return fabs(value - e->value) <= e->tolerance;
}

/* --- life ------------------------------------------------------------------------------------- */

gdyn_status gdyn_expected_open(gdyn_expected *x, const gdyn_case *the_case,
                               const gdyn_instance *instance, int count,
                               const gdyn_setting *settings, const gdyn_sink *sink) {
    size_t room = (size_t)instance->trajectory_count + 1;
    *x = (gdyn_expected){.the_case = the_case,
                         .instance = instance,
                         .setting_count = count,
                         .setting = settings,
                         .sink = sink};
    x->machine = gdyn_criteria_none();
    x->trajectory = gdyn_alloc(room, sizeof *x->trajectory);
    return x->trajectory ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_expected_next(gdyn_expected *x) {
    assert(x->count < x->instance->trajectory_count);
    int i = x->count++;
    return gdyn_trajectory_open(&x->trajectory[i], x->instance, i, x->sink);
}

gdyn_status gdyn_expected_regions(gdyn_expected *x) {
    assert(x->count > 0);
    return gdyn_trajectory_take(&x->trajectory[x->count - 1], GDYN_PASSES_OF_REGIONS);
}

gdyn_status gdyn_expected_assemble(gdyn_expected *x) {
    const gdyn_model *model = x->instance->model;
    bool moves;
    gdyn_reaction_frame frame = {0};
    /* Assemble, examine mobility and drives, analyse reactions. */
    gdyn_status status = gdyn_guess_assemble(model, 0, &x->guess);
    x->reactions = gdyn_reactions_create(model);
    if (status == GDYN_OK && !x->reactions)
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = gdyn_guess_examine(&x->guess);
    if (status == GDYN_OK)
        status = gdyn_guess_reactions(&x->guess, x->reactions, 0, &moves, &frame);
    x->held = frame.values;
    if (status == GDYN_OK) {
        gdyn_machine_count(model, &x->machine);
        gdyn_machine_analyse(&x->guess.mobility, x->guess.redundancy, x->reactions, &x->machine);
    }
    return status;
}

void gdyn_expected_close(gdyn_expected *x) {
    for (int i = 0; i < x->count; i++)
        gdyn_trajectory_close(&x->trajectory[i]);
    for (int i = 0; x->field && i < x->instance->workspace_count; i++)
        gdyn_field_free(&x->field[i]);
    gdyn_free(x->field);
    gdyn_guess_free(&x->guess);
    gdyn_reactions_destroy(x->reactions);
    gdyn_free(x->trajectory);
    gdyn_study_destroy(x->study);
}
