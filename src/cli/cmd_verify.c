/* cmd_verify.c - a case against what it is known to give (`expect:`), and the program against itself:
 * every point by three projections and two reductions, and the balance of forces recomputed. */
#include "cli/interrupt.h"
#include "cli/session.h"
#include "access/probe.h"
#include "access/proof.h"

#include "base/memory.h"
#include "study/machine.h"
#include "study/study.h"
#include "trajectory/guess.h"

#include <math.h>
#include <string.h>

/* Terms that change while their sum changes by less than this share have a unique sum: rounding of null
 * vectors stays far below, and what is listed of a machine in a case far above. */
static const double UNIQUE_SHARE = 1e-6;

typedef struct verification {
    const gdyn_options *options;
    gdyn_opened *opened;
    int count;                   /* trajectories */
    gdyn_trajectory *trajectory; /* count */
    gdyn_probe **probe;          /* count */
    gdyn_guess guess;
    gdyn_reactions *reactions; /* of the guess, held or let go */
    bool held;                 /* they have values */
    gdyn_study *study;         /* for objectives and constraints, made when asked for */
    gdyn_criteria machine;
    int failed, checked;
} verification;

/* --- values ----------------------------------------------------------------------------------- */

/* Verdict of "JOINT" or "JOINT.COMPONENT" as a number. */
static bool reaction_value(const verification *v, const char *name, double *value) {
    const gdyn_reactions *r = v->reactions;
    char label[160];
    for (int i = 0; r && i < r->joints + r->components; i++) {
        int c = i - r->joints;
        const gdyn_reaction_item *item = c < 0 ? &r->item[i] : gdyn_reactions_component(r, c);
        const char *own = c < 0 ? item->name : gdyn_reactions_label(r, c, label, sizeof label);
        if (!strcmp(own, name)) {
            *value = item->verdict;
            return r->disagreements == 0;
        }
    }
    return false;
}

static int find_component(const gdyn_reactions *r, const char *name, size_t length) {
    char label[160];
    for (int c = 0; c < r->components; c++) {
        const char *own = gdyn_reactions_label(r, c, label, sizeof label);
        if (strlen(own) == length && !strncmp(own, name, length))
            return c;
    }
    return -1;
}

/* A sum "JOINT.COMPONENT+..." of reactions; NaN when it is not unique, or nothing is. */
static bool reaction_sum(const verification *v, const char *name, double *value) {
    const gdyn_reactions *r = v->reactions;
    double sum = 0, change = 0, size = 0;
    if (!r)
        return false;
    for (int d = -1; d < r->directions; d++) {
        double total = 0;
        for (const char *term = name; *term;) {
            size_t length = strcspn(term, "+");
            int c = find_component(r, term, length);
            if (c < 0)
                return false;
            double part = d < 0 ? r->value[c] : r->component_direction[c + d * r->components];
            total += part;
            size = d < 0 ? size : fmax(size, fabs(part));
            term += length + (term[length] == '+');
        }
        sum = d < 0 ? total : sum;
        change = d < 0 ? change : fmax(change, fabs(total));
    }
    *value = v->held && change <= UNIQUE_SHARE * size ? sum : NAN;
    return true;
}

/* Criteria of the regions, and once they are asked for those of other passes. */
static bool trajectory_value(const verification *v, const gdyn_expectation *e, double *value) {
    gdyn_trajectory *t = &v->trajectory[e->trajectory];
    unsigned pass = gdyn_criterion_table[e->criterion].pass;
    gdyn_fastest motion;
    if (!(t->criteria.passes & pass) &&
        gdyn_study_criteria(t->path, t->evaluation, pass, &motion, &t->criteria) != GDYN_OK)
        return false;
    *value = t->criteria.value[e->criterion];
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

static bool point_value(const verification *v, const gdyn_expectation *e, double *value) {
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    const gdyn_path_def *path = gdyn_path_definition(v->trajectory[e->trajectory].path);
    double slack = 1e-9 * (path->p_end - path->p_start);
    bool outside = e->p < path->p_start - slack || e->p > path->p_end + slack;
    gdyn_probed found;
    if (outside || gdyn_probe_at(v->probe[e->trajectory], e->p, &settings, &found) != GDYN_OK)
        return false;
    *value = value_at(&found, e);
    return true;
}

/* What the program gives for the expected quantity; false when it is none it knows. */
static bool value_of(verification *v, const gdyn_expectation *e, double *value) {
    switch (e->kind) {
    case GDYN_EXPECT_NOTHING:
        return false;
    case GDYN_EXPECT_MACHINE:
        *value = v->machine.value[e->criterion];
        return true;
    case GDYN_EXPECT_VERDICT:
        return reaction_value(v, e->entity, value);
    case GDYN_EXPECT_REACTION:
        return reaction_sum(v, e->entity, value);
    case GDYN_EXPECT_TRAJECTORY:
        return trajectory_value(v, e, value);
    case GDYN_EXPECT_POINT:
        return point_value(v, e, value);
    case GDYN_EXPECT_OBJECTIVE:
    case GDYN_EXPECT_CONSTRAINT: {
        bool known;
        return gdyn_goal_value(v->opened, &v->study, e, &known, value) == GDYN_OK && known;
    }
    }
    return false;
}

/* --- expectations ----------------------------------------------------------------------------- */

static bool fulfilled(const gdyn_expectation *e, double value) {
    if (e->none)
        return isnan(value);
    if (e->infinite)
        return isinf(value) && (value > 0) == (e->value > 0);
    return fabs(value - e->value) <= e->tolerance;
}

static void value_text(double value, char *out, size_t size) {
    if (isnan(value))
        snprintf(out, size, "none");
    else if (isinf(value))
        snprintf(out, size, value > 0 ? "unbounded" : "-unbounded");
    else
        snprintf(out, size, "%.10g", value);
}

static void check_expectation(verification *v, const gdyn_expectation *e, int width) {
    double value = NAN;
    char expected[32], found[32];
    bool known = value_of(v, e, &value), good = known && fulfilled(e, value);
    v->checked++;
    v->failed += !good;
    if (good && v->options->verbosity < 0)
        return;
    value_text(e->none ? NAN : e->value, expected, sizeof expected);
    value_text(value, found, sizeof found);
    if (known && e->kind == GDYN_EXPECT_VERDICT) {
        snprintf(expected, sizeof expected, "%s", gdyn_verdict_text((gdyn_verdict)e->value));
        snprintf(found, sizeof found, "%s", gdyn_verdict_text((gdyn_verdict)value));
    }
    printf("  %-*s %17s %17s  %s", width, e->quantity, expected, known ? found : "not known",
           good ? "ok" : "WRONG");
    if (!good && known && isfinite(value) && !e->none && !e->infinite)
        printf(" by %.3g, allowed %.3g", fabs(value - e->value), e->tolerance);
    if (!good && e->line > 0)
        printf("  (%s:%d)", e->file ? e->file : v->opened->filename, e->line);
    printf("\n");
}

static void check_expectations(verification *v) {
    const gdyn_instance *instance = v->opened->instance;
    int width = 28;
    for (int i = 0; i < instance->expectation_count; i++) {
        int length = (int)strlen(instance->expectation[i].quantity);
        width = length > width ? length : width;
    }
    if (instance->expectation_count > 0)
        printf("  %-*s %17s %17s\n", width, "quantity", "expected", "found");
    for (int i = 0; i < instance->expectation_count; i++)
        check_expectation(v, &instance->expectation[i], width);
}

/* --- the program against itself --------------------------------------------------------------- */

static void print_proof(verification *v, const char *name, const char *what, double worst,
                        int points, double allowed) {
    if (worst < 0) { /* left out by the method itself */
        printf("  %s: %s skipped: too many combinations\n", name, what);
        return;
    }
    bool good = worst <= allowed && points > 0;
    v->checked++;
    v->failed += !good;
    if (points == 0) {
        printf("  %s: %s: no point has a region, nothing to compare  WRONG\n", name, what);
        return;
    }
    if (good && v->options->verbosity < 0)
        return;
    printf("  %s: %s on %d point%s: %.1e of the largest limit  %s\n", name, what, points,
           gdyn_plural(points), worst, good ? "ok" : "WRONG");
}

static int prove(verification *v) {
    for (int i = 0; i < v->count; i++) {
        gdyn_proof proof;
        gdyn_status status =
            gdyn_prove(v->opened->instance->model, v->trajectory[i].evaluation, &proof);
        if (status != GDYN_OK)
            return gdyn_session_judge(&v->trajectory[i], status);
        const char *name = v->trajectory[i].name;
        print_proof(v, name, "elementary vectors against tuples", proof.tuples, proof.points, 1e-9);
        print_proof(v, name, "elementary vectors against linear programs", proof.programs,
                    proof.points, 1e-9);
        print_proof(v, name, "SVD against null-space reduction", proof.reductions, proof.points,
                    1e-9);
        print_proof(v, name, "balance of all forces, recomputed", proof.balance, proof.points,
                    1e-9);
    }
    return GDYN_EXIT_YES;
}

/* --- one case --------------------------------------------------------------------------------- */

/* Mobility, drives and reactions at the assembled guess, as `globdyn reactions` has them. */
static gdyn_status examine_guess(verification *v) {
    const gdyn_model *model = v->opened->instance->model;
    bool moves;
    gdyn_reaction_frame frame = {0};
    gdyn_status status = gdyn_guess_assemble(model, &v->guess);
    if (status == GDYN_OK && v->guess.info.outcome != GDYN_CLOSED) {
        printf("  the machine cannot be assembled at its first guess  WRONG\n");
        v->checked++;
        v->failed++;
    }
    v->reactions = gdyn_reactions_create(model);
    if (status == GDYN_OK && !v->reactions)
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = gdyn_guess_examine(&v->guess);
    if (status == GDYN_OK)
        status = gdyn_guess_reactions(&v->guess, v->reactions, 0, &moves, &frame);
    v->held = frame.values;
    return status;
}

static int evaluate(verification *v) {
    const gdyn_instance *instance = v->opened->instance;
    size_t room = (size_t)instance->trajectory_count + 1;
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    v->trajectory = gdyn_alloc(room, sizeof *v->trajectory);
    v->probe = gdyn_alloc(room, sizeof *v->probe);
    if (!v->trajectory || !v->probe)
        return GDYN_EXIT_INTERNAL;
    for (int i = 0; i < instance->trajectory_count; i++) {
        v->count = i + 1;
        gdyn_trajectory *t = &v->trajectory[i];
        gdyn_stage("trajectory '%s' of %s", instance->trajectory[i].name, v->opened->filename);
        int code = gdyn_exit_code(gdyn_trajectory_open(t, instance, i, &v->opened->sink));
        if (code == GDYN_EXIT_YES)
            code = gdyn_session_judge(t, gdyn_trajectory_regions(t, &settings));
        if (code != GDYN_EXIT_YES)
            return code;
        v->probe[i] = gdyn_probe_create(t->path, t->evaluation);
        if (!v->probe[i])
            return GDYN_EXIT_INTERNAL;
    }
    gdyn_stage("the first guess of %s", v->opened->filename);
    gdyn_status status = examine_guess(v);
    if (status != GDYN_OK)
        gdyn_cli_error("mobility at the assembled guess: %s", gdyn_status_text(status));
    return gdyn_exit_code(status);
}

static int verify_machine(verification *v) {
    int code = evaluate(v);
    gdyn_stage("the comparisons of %s", v->opened->filename);
    if (code == GDYN_EXIT_YES) {
        gdyn_machine_count(v->opened->instance->model, &v->machine);
        gdyn_machine_analyse(&v->guess.mobility, v->guess.redundancy, v->reactions, &v->machine);
        check_expectations(v);
        code = prove(v);
    }
    for (int i = 0; i < v->count; i++) {
        gdyn_probe_destroy(v->probe[i]);
        gdyn_trajectory_close(&v->trajectory[i]);
    }
    gdyn_guess_free(&v->guess);
    gdyn_reactions_destroy(v->reactions);
    gdyn_free(v->probe);
    gdyn_free(v->trajectory);
    return code;
}

static int verify_case(const gdyn_options *options, const char *filename) {
    gdyn_opened opened;
    verification v = {.options = options, .opened = &opened, .machine = gdyn_criteria_none()};
    int code = gdyn_open_case(options, filename, &opened);
    if (code == GDYN_EXIT_YES && opened.instance->objective_count == 0)
        code = gdyn_need_machine(&opened);
    if (code == GDYN_EXIT_YES) {
        printf("%s (%s)\n", opened.instance->name, filename);
        if (opened.instance->model)
            code = verify_machine(&v);
        else
            check_expectations(&v);
    }
    gdyn_study_destroy(v.study);
    if (code == GDYN_EXIT_YES) {
        printf("  %d of %d check%s passed\n", v.checked - v.failed, v.checked,
               gdyn_plural(v.checked));
        if (v.checked == 0)
            gdyn_cli_note(options, "There is nothing to check: add trajectories or 'expect:'.");
        code = v.failed ? GDYN_EXIT_NO : GDYN_EXIT_YES;
    }
    gdyn_close_case(&opened);
    return code;
}

int gdyn_cmd_verify(const gdyn_options *options) {
    int worst = GDYN_EXIT_YES;
    for (int i = 0; i < options->count; i++) {
        int code = verify_case(options, options->operand[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}
