/* tolerances.c - sweep --tolerances: the start design with its tolerances taken up; --method
 * saltelli, morris: indices.
 *
 * The archive keeps a case whose design variables are the deviations (`within: tolerance`), so that
 * the commands about studies, other ranks and continued runs need to know nothing of tolerances. */
#include "cli/cli.h"

/* --- the case ----------------------------------------------------------------------------- */

/* A parameter whose ends are given does not vary where a scenario sets it: it is left to the
 * scenarios. */
static bool is_left(const gdyn_robustness *r, const gdyn_tolerance *t) {
    for (int i = 0; i < r->scenario_count && t->between; i++)
        for (int k = 0; k < r->scenario[i].setting_count; k++)
            if (strcmp(r->scenario[i].setting[k].name, t->name) == 0)
                return true;
    return false;
}

static gdyn_status write_case(const gdyn_opened *opened, gdyn_text *text) {
    static const char *const left_out[] = {"design", NULL};
    const gdyn_robustness *r = &opened->instance->robustness;
    int count = 0;
    /* settings of the command line, and the start of every design variable */
    const gdyn_instance *in = opened->instance;
    gdyn_setting *setting =
        calloc((size_t)(opened->setting_count + in->design_count) + 1, sizeof *setting);
    for (int i = 0; i < in->design_count && setting; i++)
        if (in->design[i].kind != GDYN_DESIGN_DEVIATION)
            setting[count++] = gdyn_case_choice(&in->design[i], in->design[i].start);
    /* Later settings take precedence. */
    for (int i = 0; i < opened->setting_count && setting; i++)
        setting[count++] = opened->setting[i];
    gdyn_status status = setting ? gdyn_case_write(opened->the_case, count, setting, left_out, text)
                                 : GDYN_ERROR_MEMORY;
    free(setting);
    gdyn_text_printf(text, "design:\n");
    for (int i = 0; i < r->tolerance_count; i++)
        if (!is_left(r, &r->tolerance[i]))
            gdyn_text_printf(text, "  %s:\n    within: tolerance\n", r->tolerance[i].name);
    return status == GDYN_OK && text->failed ? GDYN_ERROR_MEMORY : status;
}

int gdyn_tolerances_make(const gdyn_opened *opened, gdyn_kept *kept) {
    gdyn_text text = {0};
    const gdyn_robustness *r = &opened->instance->robustness;
    int varied = 0;
    for (int i = 0; i < r->tolerance_count; i++)
        varied += !is_left(r, &r->tolerance[i]);
    if (varied == 0)
        return gdyn_cli_fail(
            GDYN_EXIT_CASE, "parameters: {leg: {value: 650 mm, tolerance: 0.1 mm}}",
            r->tolerance_count > 0 ? GDYN_CODE_NEEDS
                "%s: no parameter has a tolerance except those that scenarios set"
                                   : GDYN_CODE_NEEDS "%s: no parameter has a tolerance",
            opened->filename);
    for (int i = 0; i < r->tolerance_count; i++)
        if (r->tolerance[i].beyond && !is_left(r, &r->tolerance[i]))
            return gdyn_cli_fail(GDYN_EXIT_CASE, NULL,
                                 GDYN_CODE_TOLERANCE
                                 "%s: the value of '%s' lies outside of its ends",
                                 opened->filename, r->tolerance[i].name);
    gdyn_status status = write_case(opened, &text);
    if (status != GDYN_OK) {
        gdyn_text_free(&text);
        return gdyn_kept_complain(kept, status);
    }
    return gdyn_kept_make_text(&text, opened->filename, GDYN_STORE_SWEEP, kept);
}

/* --- the answer --------------------------------------------------------------------------- */

enum { SHOWN = 10 };

/* Place of the largest share that has not been shown; -1: none is left. */
static int greatest(int n, const double *share, const bool *shown) {
    int best = -1;
    for (int j = 0; j < n; j++)
        if (!shown[j] && share[j] >= 5e-4 && (best < 0 || share[j] > share[best]))
            best = j;
    return best;
}

/* "deviation 0.0012 m: leg 71 %, rail 28 %, together 99.6 %". */
static void print_spread(const gdyn_sweep *along, const gdyn_spread *s, const double *share,
                         bool one, bool *shown) {
    const gdyn_instance *start = gdyn_study_start(along->study);
    const char *unit, *name = gdyn_watched_name(along->study, s->watched, &unit);
    int n = start->design_count;
    if (s->known == 0)
        return;
    printf("  %-24s %.6g .. %.6g%s%s", name, s->least, s->greatest, *unit ? " " : "", unit);
    if (isfinite(s->deviation))
        printf(", mean %.6g, deviation %.3g", s->mean, s->deviation);
    if (s->missing > 0)
        printf("; no value for %d of %d machines", s->missing, s->known + s->missing);
    printf("\n");
    memset(shown, 0, (size_t)n * sizeof *shown);
    for (int k = 0, j; isfinite(s->explained) && k < SHOWN && (j = greatest(n, share, shown)) >= 0;
         k++) {
        printf("      %5.1f %%  %s\n", 100 * share[j], start->design[j].name);
        shown[j] = true;
    }
    if (isfinite(s->explained) && !one)
        printf(
            "      %5.1f %%  all of these in a linear fit; the rest is curvature and interaction\n",
            100 * s->explained);
}

gdyn_status gdyn_tolerances_report(const char *folder, const gdyn_sweep *along,
                                   const gdyn_sample_space *space, bool quiet) {
    int n = gdyn_study_start(along->study)->design_count,
        results = gdyn_watched_count(along->study);
    bool one = space->method == GDYN_SAMPLE_OAT;
    gdyn_spread *spread = calloc((size_t)results + 1, sizeof *spread);
    double *share = calloc((size_t)(results * n) + 1, sizeof *share);
    bool *shown = calloc((size_t)n + 1, sizeof *shown);
    gdyn_text table = {0};
    gdyn_status status =
        spread && share && shown ? gdyn_variances(along, one, spread, share) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        gdyn_report_shares_csv(&table, along, spread, share);
        status = gdyn_cli_write(folder, "tolerances.csv", &table);
    }
    if (status == GDYN_OK && !quiet)
        printf(one ? "shares of the variance, each tolerance by itself:\n"
                   : "shares of the variance over the sample:\n");
    for (int i = 0; i < results && status == GDYN_OK && !quiet; i++)
        print_spread(along, &spread[i], share + i * n, one, shown);
    free(spread), free(share), free(shown);
    return status;
}

/* --- indices of sensitivity, and variables that may be dropped -------------------------------- */

/* What the variables of a result are ordered by. */
static double strength(const gdyn_indices *s, const gdyn_sensitivity_index *x) {
    double value = s->effects ? x->amount : x->total;
    return isnan(value) ? -1 : value;
}

static void print_result(const gdyn_indices *s, const gdyn_sweep *sweep, int watched, int *order) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    const gdyn_sensitivity_index *index = s->index + watched * s->variables;
    const char *unit, *name = gdyn_watched_name(sweep->study, watched, &unit);
    if (s->rows[watched] == 0)
        return;
    printf("  %s: %d %s%s", name, s->rows[watched], s->effects ? "trajectories" : "rows",
           s->missing[watched] ? "" : "\n");
    if (s->missing[watched])
        printf(" (%d left out, where a design has no value)\n", s->missing[watched]);
    for (int j = 0; j < s->variables; j++) {
        int place = j;
        for (; place > 0 && strength(s, &index[order[place - 1]]) < strength(s, &index[j]); place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
    for (int k = 0, shown = 0; k < s->variables && shown < SHOWN; k++) {
        const gdyn_sensitivity_index *x = &index[order[k]];
        if (isnan(s->effects ? x->amount : x->total))
            continue;
        const char *variable = start->design[order[k]].name;
        if (s->effects && isnan(x->amount_error))
            printf("    %-16s mu* %11.5g of one trajectory: its error is unknown  mu %11.5g %s\n",
                   variable, x->amount, x->mean, unit);
        else if (s->effects)
            printf("    %-16s mu* %11.5g +- %-9.2g mu %11.5g  sigma %11.5g %s\n", variable,
                   x->amount, 1.96 * x->amount_error, x->mean, x->deviation, unit);
        else
            printf("    %-16s first %6.3f (%6.3f to %6.3f)   total %6.3f (%6.3f to %6.3f)\n",
                   variable, x->first, x->first_low, x->first_high, x->total, x->total_low,
                   x->total_high);
        shown++;
    }
}

gdyn_status gdyn_sensitivity_report(const char *folder, const gdyn_sweep *sweep,
                                    const gdyn_sweep_plan *plan, bool quiet) {
    gdyn_indices indices;
    gdyn_text table = {0};
    gdyn_status status = gdyn_indices_find(&indices, sweep, plan);
    if (status == GDYN_OK) {
        gdyn_report_indices_csv(&table, sweep, &indices);
        status = gdyn_cli_write(folder, "indices.csv", &table);
    }
    if (status == GDYN_OK && !quiet) {
        int *order = calloc((size_t)indices.variables + 1, sizeof *order);
        puts(indices.effects ? "elementary effects, per range of the variable:"
                             : "shares of the variance over the bounds, with 95 % intervals:");
        for (int i = 0; i < indices.watched && order; i++)
            print_result(&indices, sweep, i, order);
        /* variables without influence on any result */
        int count = 0;
        for (int j = 0; j < indices.variables; j++)
            if (indices.drop[j])
                printf("%s %s", count++ ? "," : "may be dropped:",
                       gdyn_study_start(sweep->study)->design[j].name);
        if (count == 0)
            printf("no variable may be dropped");
        else if (indices.effects)
            printf(" (mu* within %g %% of the range of every result)", 100 * GDYN_DROP_EFFECT);
        else
            printf(" (at most %g %% of the variance of every result)", 100 * GDYN_DROP_TOTAL);
        printf("\n");
        free(order);
    }
    gdyn_indices_clear(&indices);
    return status;
}
