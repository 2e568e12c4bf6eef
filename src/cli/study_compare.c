/* study_compare.c - globdyn study compare: two designs of a study, or two studies of one problem.
 *
 * Two studies are compared by their fronts: the hypervolume of each against a common reference
 * point (a tenth of the common range beyond the worst of both), and the share of each that the
 * other one's front dominates or equals (coverage, Zitzler and Thiele 1999). */
#include "cli/cli.h"

/* --- two designs -------------------------------------------------------------------------- */

/* A number in a cell of n bytes; "-" where it is not known (NAN), a word where nothing bounds
 * it. */
static void cell(double value, const char *unbounded, char *out, size_t n) {
    if (isfinite(value))
        snprintf(out, n, "%.8g", value);
    else
        snprintf(out, n, "%s", unbounded ? unbounded : "-");
}

/* Cells of one quantity of two designs, and how it changed if both are numbers. */
static void print_cells(const char *name, const char *unit, const char *left, const char *right,
                        double a, double b) {
    char change[32] = "";
    /* A share, or a factor where that is large. */
    bool comparable = isfinite(a) && isfinite(b) && a != 0 && a != b;
    if (comparable && fabs(b - a) < 9.995 * fabs(a))
        snprintf(change, sizeof change, "%+.3g %%", 100 * (b - a) / fabs(a));
    else if (comparable)
        snprintf(change, sizeof change, "%.4g times", b / a);
    printf("  %-28s %16s %16s %-10s %s\n", name, left, right, unit, change);
}

static void print_response(const gdyn_study *study, const gdyn_design *one,
                           const gdyn_design *other, int r) {
    double a = gdyn_design_response(one, r), b = gdyn_design_response(other, r);
    char left[32], right[32];
    if (isnan(a) && isnan(b))
        return;
    cell(a, gdyn_study_unbounded(study, one, r), left, sizeof left);
    cell(b, gdyn_study_unbounded(study, other, r), right, sizeof right);
    print_cells(gdyn_study_response_name(study, r), gdyn_study_response_unit(study, r), left, right,
                a, b);
}

/* A variable, objective or constraint; a choice by its name. */
static void print_trait(const gdyn_study *study, const gdyn_design *one, const gdyn_design *other,
                        gdyn_trait_kind kind, int i) {
    const gdyn_design_variable *v =
        kind == GDYN_TRAIT_VARIABLE ? &gdyn_study_start(study)->design[i] : NULL;
    const gdyn_trait trait = gdyn_trait_of(study, kind, i);
    double a = gdyn_trait_value(kind, i, one), b = gdyn_trait_value(kind, i, other);
    char left[80], right[80];
    if (v && v->choices > 0)
        printf("  %-28s %16s %16s\n", v->name, gdyn_variable_text(v, a, 8, left, sizeof left),
               gdyn_variable_text(v, b, 8, right, sizeof right));
    else {
        cell(a, NULL, left, sizeof left), cell(b, NULL, right, sizeof right);
        print_cells(trait.name, trait.unit, left, right, a, b);
    }
}

/* --- two studies -------------------------------------------------------------------------- */

static int compare_fronts(const gdyn_stored *const study[2], const char *const name[2]) {
    int count[2];
    double *F[2], volume[2];
    for (int i = 0; i < 2; i++) {
        count[i] = study[i]->result.front.count;
        F[i] = gdyn_front_objectives(study[i]->study, &study[i]->result.front);
    }
    const double *const fronts[2] = {F[0], F[1]};
    bool ready = F[0] && F[1] &&
                 gdyn_common_hypervolumes(2, count, fronts,
                                          gdyn_study_start(study[0]->study)->objective_count,
                                          volume) == GDYN_OK;
    if (ready) {
        int m = gdyn_study_start(study[0]->study)->objective_count;
        printf("%-36s %8s %6s %14s %12s\n", "study", "designs", "front", "hypervolume",
               "covered by");
        for (int i = 0; i < 2; i++)
            printf("%-36s %8d %6d %14.8g %10.1f %%\n", name[i], study[i]->result.archive.count,
                   count[i], volume[i],
                   100 * gdyn_coverage(fronts[1 - i], count[1 - i], fronts[i], count[i], m));
        printf("hypervolumes against one reference point, a tenth of the common range beyond the "
               "worst;\n"
               "covered by: share of the front that the other front dominates or equals\n");
    }
    gdyn_free(F[0]), gdyn_free(F[1]);
    return ready ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
}

static int compare_studies(const gdyn_options *options, const gdyn_stored *s) {
    gdyn_stored *other = NULL;
    int code = gdyn_open_stored(options->operand[2], &other);
    const char *const name[2] = {options->operand[1], options->operand[2]};
    /* Only studies with the same objectives have a common reference point. */
    if (code == GDYN_EXIT_YES &&
        !gdyn_same_objectives(gdyn_study_start(s->study), gdyn_study_start(other->study))) {
        code = gdyn_cli_fail(GDYN_EXIT_STUDY, NULL,
                             GDYN_CODE_FOREIGN
                             "the studies have different objectives; they cannot be compared");
    } else if (code == GDYN_EXIT_YES && s->result.front.count + other->result.front.count == 0) {
        code = gdyn_cli_fail(GDYN_EXIT_NO, NULL,
                             GDYN_CODE_ABSENT "neither study has a feasible design");
    } else if (code == GDYN_EXIT_YES) {
        code = compare_fronts((const gdyn_stored *const[]){s, other}, name);
        /* Objectives of one name may be different formulas. */
        const gdyn_instance *a = gdyn_study_start(s->study);
        const gdyn_instance *b = gdyn_study_start(other->study);
        for (int i = 0; i < a->objective_count; i++)
            if (strcmp(a->objective[i].text, b->objective[i].text) != 0)
                printf("note: objective '%s' is %s in the one, %s in the other\n",
                       a->objective[i].name, a->objective[i].text, b->objective[i].text);
    }
    gdyn_stored_close(other);
    return code;
}

static bool is_number(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && text[digits] == '\0';
}

int gdyn_study_compare(const gdyn_options *options, const gdyn_stored *stored) {
    if (options->count == 3)
        return compare_studies(options, stored);
    if (options->count == 4 && is_number(options->operand[2]) && is_number(options->operand[3])) {
        const gdyn_design *a = gdyn_stored_design(stored, options->operand[2]),
                          *b = gdyn_stored_design(stored, options->operand[3]);
        if (!a || !b)
            return GDYN_EXIT_USAGE;
        printf("  %-28s %16ld %16ld\n", "design", a->serial, b->serial);
        printf("  %-28s %16s %16s\n", "status", gdyn_design_status_name(a->status),
               gdyn_design_status_name(b->status));
        for (gdyn_trait_kind k = GDYN_TRAIT_VARIABLE; k < GDYN_TRAIT_CRITERION; k++)
            for (int i = 0; i < gdyn_traits(stored->study, k); i++)
                print_trait(stored->study, a, b, k, i);
        for (int r = 0; r < gdyn_study_responses(stored->study); r++)
            if (gdyn_study_response_kind(stored->study, r) != GDYN_RESPONSE_PARAMETER)
                print_response(stored->study, a, b, r);
        return GDYN_EXIT_YES;
    }
    return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                         GDYN_CODE_USAGE "globdyn study compare needs two numbers of designs, two "
                                         "studies, or groups of studies");
}
