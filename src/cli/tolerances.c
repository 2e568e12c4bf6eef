/* tolerances.c - sweep --tolerances: the start design with its tolerances taken up.
 *
 * The archive keeps a case whose design variables are the deviations (`within: tolerance`), so that the
 * commands about studies, other ranks and continued runs need to know nothing of tolerances. */
#include "cli/cli.h"

/* --- the case ----------------------------------------------------------------------------- */

/* Settings of the command line, and the start of every design variable. */
static gdyn_setting *start_settings(const gdyn_opened *opened, int *count) {
    const gdyn_instance *in = opened->instance;
    gdyn_setting *setting =
        calloc((size_t)(opened->setting_count + in->design_count) + 1, sizeof *setting);
    *count = 0;
    for (int i = 0; i < in->design_count && setting; i++)
        if (in->design[i].kind != GDYN_DESIGN_DEVIATION)
            setting[(*count)++] = gdyn_case_choice(&in->design[i], in->design[i].start);
    /* Later settings take precedence. */
    for (int i = 0; i < opened->setting_count && setting; i++)
        setting[(*count)++] = opened->setting[i];
    return setting;
}

/* A parameter whose ends are stated does not vary where a scenario sets it: it is left to the scenarios. */
static bool is_left(const gdyn_robustness *r, const gdyn_tolerance *t) {
    for (int i = 0; i < r->scenario_count && t->between; i++)
        for (int k = 0; k < r->scenario[i].setting_count; k++)
            if (strcmp(r->scenario[i].setting[k].name, t->name) == 0)
                return true;
    return false;
}

/* Number of tolerances that vary. */
static int varied(const gdyn_robustness *r) {
    int count = 0;
    for (int i = 0; i < r->tolerance_count; i++)
        count += !is_left(r, &r->tolerance[i]);
    return count;
}

static gdyn_status write_case(const gdyn_opened *opened, gdyn_text *text) {
    static const char *const left_out[] = {"design", NULL};
    const gdyn_robustness *r = &opened->instance->robustness;
    int count;
    gdyn_setting *setting = start_settings(opened, &count);
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
    if (varied(r) == 0)
        return gdyn_cli_fail(
            GDYN_EXIT_CASE, "parameters: {leg: {value: 650 mm, tolerance: 0.1 mm}}",
            r->tolerance_count > 0 ? GDYN_CODE_NEEDS
                "%s: no parameter has a tolerance but those that scenarios set"
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

/* Place of the greatest share that has not been shown; -1: none is left. */
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

static void print_shares(const gdyn_sweep *along, const gdyn_spread *spread, const double *share,
                         bool one, bool *shown) {
    int n = gdyn_study_start(along->study)->design_count;
    printf(one ? "shares of the variance, each tolerance by itself:\n"
               : "shares of the variance over the sample:\n");
    for (int i = 0; i < gdyn_watched_count(along->study); i++)
        print_spread(along, &spread[i], share + i * n, one, shown);
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
        print_shares(along, spread, share, one, shown);
    free(spread);
    free(share);
    free(shown);
    return status;
}
