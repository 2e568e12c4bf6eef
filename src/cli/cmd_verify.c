/* cmd_verify.c - a case against what it is known to give (`expect:`), and the program against
 * itself: every point by three projections and two reductions, and the balance of forces
 * recomputed. */
#include "cli/cli.h"

#include "access/analysis.h"
#include "study/expected.h"

typedef struct verification {
    const gdyn_options *options;
    const gdyn_opened *opened;
    gdyn_expected found;
    int failed, checked;
} verification;

/* --- expectations ----------------------------------------------------------------------------- */

/* A number, or that there is none. */
static void value_text(double value, char *out, size_t size) {
    if (isnan(value))
        snprintf(out, size, "none");
    else if (isinf(value))
        snprintf(out, size, value > 0 ? "unbounded" : "-unbounded");
    else
        snprintf(out, size, "%.10g", value);
}

/* One line: expected, found, verdict; quiet runs show failures only. */
static void check_expectation(verification *v, const gdyn_expectation *e, int width) {
    double value;
    char expected[32], found[32];
    bool known = gdyn_expected_value(&v->found, e, &value);
    bool good = known && gdyn_expectation_met(e, value);
    v->checked++;
    v->failed += !good;
    if (good && v->options->verbosity < 0)
        return;
    /* numbers, or the names of verdicts */
    value_text(e->none ? NAN : e->value, expected, sizeof expected);
    value_text(value, found, sizeof found);
    if (known && e->kind == GDYN_EXPECT_VERDICT) {
        snprintf(expected, sizeof expected, "%s", gdyn_verdict_text((gdyn_verdict)e->value));
        snprintf(found, sizeof found, "%s", gdyn_verdict_text((gdyn_verdict)value));
    }
    printf("  %-*s %17s %17s  %s", width, e->quantity, expected, known ? found : "not known",
           good ? "ok" : "WRONG");
    /* by how much, and where it is given */
    if (!good && known && isfinite(value) && !e->none && !e->infinite)
        printf(" by %.3g, allowed %.3g", fabs(value - e->value), e->tolerance);
    if (!good && e->line > 0)
        printf("  (%s:%d)", e->file ? e->file : v->opened->filename, e->line);
    printf("\n");
}

/* All that the case expects, as a table. */
static void check_expectations(verification *v) {
    const gdyn_instance *instance = v->opened->instance;
    int width = 28;
    for (int i = 0; i < instance->expectation_count; i++) {
        /* as wide as the longest quantity */
        int length = (int)strlen(instance->expectation[i].quantity);
        width = length > width ? length : width;
    }
    if (instance->expectation_count > 0)
        printf("  %-*s %17s %17s\n", width, "quantity", "expected", "found");
    for (int i = 0; i < instance->expectation_count; i++)
        check_expectation(v, &instance->expectation[i], width);
}

/* --- the program against itself --------------------------------------------------------------- */

/* One comparison of the program with itself; no point compared is a failure. */
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

/* Every trajectory by other methods, and its balance of forces. */
static int prove(verification *v) {
    for (int i = 0; i < v->found.count; i++) {
        gdyn_proof proof;
        gdyn_status status =
            gdyn_prove(v->opened->instance->model, v->found.trajectory[i].evaluation, &proof);
        if (status != GDYN_OK)
            return gdyn_session_judge(&v->found.trajectory[i], status);
        const char *name = v->found.trajectory[i].name;
        gdyn_note_cut(v->options, &v->found.trajectory[i]);
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

/* Trajectories one after the other, then the first guess. */
static int evaluate(verification *v) {
    const gdyn_instance *instance = v->opened->instance;
    for (int i = 0; i < instance->trajectory_count; i++) {
        gdyn_stage("trajectory '%s' of %s", instance->trajectory[i].name, v->opened->filename);
        int code = gdyn_exit_code(gdyn_expected_next(&v->found));
        if (code == GDYN_EXIT_YES)
            code = gdyn_session_judge(&v->found.trajectory[i], gdyn_expected_regions(&v->found));
        if (code != GDYN_EXIT_YES)
            return code;
    }
    /* The machine at its first guess, as `globdyn reactions` has it. */
    gdyn_stage("the first guess of %s", v->opened->filename);
    gdyn_status status = gdyn_expected_assemble(&v->found);
    if (status != GDYN_OK)
        gdyn_cli_error(GDYN_CODE_NUMERICS "mobility at the assembled guess: %s",
                       gdyn_status_text(status));
    else if (v->found.guess.info.outcome != GDYN_CLOSED) {
        printf("  the machine cannot be assembled at its first guess  WRONG\n");
        v->checked++;
        v->failed++;
    }
    return gdyn_exit_code(status);
}

/* A case that is open; one without machine has objectives only. */
static int verify_opened(verification *v) {
    const gdyn_opened *opened = v->opened;
    int code = opened->instance->objective_count == 0 ? gdyn_need_machine(opened) : GDYN_EXIT_YES;
    if (code != GDYN_EXIT_YES)
        return code;
    printf("%s (%s)\n", opened->instance->name, opened->filename);
    code =
        gdyn_exit_code(gdyn_expected_open(&v->found, opened->the_case, opened->instance,
                                          opened->setting_count, opened->setting, &opened->sink));
    if (code == GDYN_EXIT_YES && opened->instance->model) {
        code = evaluate(v);
        gdyn_stage("the comparisons of %s", v->opened->filename);
        if (code == GDYN_EXIT_YES) {
            check_expectations(v);
            code = prove(v);
        }
    } else if (code == GDYN_EXIT_YES)
        check_expectations(v);
    gdyn_expected_close(&v->found);
    return code;
}

int gdyn_cmd_verify(gdyn_session *s) {
    const gdyn_options *options = s->options;
    int worst = GDYN_EXIT_YES;
    for (int i = 0; i < options->count; i++) {
        /* the worst exit code of all cases */
        gdyn_opened opened;
        verification v = {.options = options, .opened = &opened};
        int code = gdyn_open_case(options, options->operand[i], &opened);
        code = code == GDYN_EXIT_YES ? verify_opened(&v) : code;
        if (code == GDYN_EXIT_YES) {
            printf("  %d of %d check%s passed\n", v.checked - v.failed, v.checked,
                   gdyn_plural(v.checked));
            if (v.checked == 0)
                gdyn_cli_note(options, "There is nothing to check: add trajectories or 'expect:'.");
            code = v.failed ? GDYN_EXIT_NO : GDYN_EXIT_YES;
        }
        gdyn_close_case(&opened);
        worst = code > worst ? code : worst;
    }
    return worst;
}
