/* study_pick.c - globdyn study pick: one design of the front, and why (study/pick.h). */
#include "cli/cli.h"

/* --- options that give values of objectives: OBJECTIVE=VALUE ---------------------------------- */

/* "area=2", of so many characters: the objective and the text behind the sign; -1 after a
 * message. */
static int objective_pair(const char *option, const gdyn_study *study, const char *text,
                          size_t length, const char **value) {
    const gdyn_instance *start = gdyn_study_start(study);
    const char *sign = memchr(text, '=', length);
    size_t n = sign ? (size_t)(sign - text) : length;
    *value = sign ? sign + 1 : text + length;
    for (int k = 0; k < start->objective_count && sign; k++)
        if (strlen(start->objective[k].name) == n && !strncmp(start->objective[k].name, text, n))
            return k;
    if (!sign)
        gdyn_cli_error(GDYN_CODE_OPTION "--%s needs OBJECTIVE=VALUE, not '%.*s'", option,
                       (int)length, text);
    else
        gdyn_cli_error(GDYN_CODE_ABSENT "--%s: '%.*s' is not an objective of the study", option,
                       (int)n, text);
    fprintf(stderr, "      = help: its objectives:");
    for (int k = 0; k < start->objective_count; k++)
        fprintf(stderr, "%s %s", k ? "," : "", start->objective[k].name);
    fprintf(stderr, "\n");
    return -1;
}

/* The value as a quantity of the dimension of objective k, or a pure number; false after a
 * message. */
static bool objective_value(const char *option, const gdyn_study *study, int k, bool pure,
                            const char *text, double *value) {
    gdyn_expr_error error;
    gdyn_quantity quantity;
    if (!gdyn_read_quantity(text, &quantity, &error)) {
        gdyn_cli_error(GDYN_CODE_OPTION "--%s needs a number, not '%s'%s%s", option, text,
                       *error.message ? ": " : "", error.message);
        gdyn_cli_help("%s", error.help);
        return false;
    }
    *value = quantity.value;
    const gdyn_goal *goal = &gdyn_study_start(study)->objective[k];
    gdyn_dimension dimension = pure ? GDYN_DIM_NONE : goal->dimension;
    return gdyn_check_unit(option, quantity, dimension, pure ? "a weight" : goal->name) ==
           GDYN_EXIT_YES;
}

bool gdyn_objective_values(const char *option, const gdyn_settings *list, const gdyn_study *study,
                           double *values) {
    for (int i = 0; i < list->count; i++) {
        const char *text = list->text[i], *value;
        int k = objective_pair(option, study, text, strlen(text), &value);
        if (k < 0 || !objective_value(option, study, k, false, value, &values[k]))
            return false;
    }
    return true;
}

/* --- study pick ------------------------------------------------------------------------------- */

bool gdyn_picks(const gdyn_options *o) {
    return o->knee || o->weights || o->target.count > 0 || o->filter.count > 0;
}

/* --- the wish --------------------------------------------------------------------------------- */

typedef struct asked {
    gdyn_pick_wish wish;
    double *weight, *target; /* objectives */
} asked;

/* --weights area=2,mass=1: each at least 0, one above. */
static bool read_weights(const char *list, const gdyn_study *study, double *weight) {
    double sum = 0;
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        const char *value;
        int k = objective_pair("weights", study, at, length, &value);
        if (k < 0)
            return false;
        gdyn_text text = {0};
        gdyn_text_printf(&text, "%.*s", (int)(at + length - value), value);
        bool read =
            !text.failed && objective_value("weights", study, k, true, text.data, &weight[k]);
        gdyn_text_free(&text);
        if (!read)
            return false;
        if (weight[k] < 0) {
            gdyn_cli_error(GDYN_CODE_OPTION "--weights: the weight of '%s' is negative",
                           gdyn_study_start(study)->objective[k].name);
            return false;
        }
        sum += weight[k];
        at += length + (at[length] == ',');
    }
    if (!(sum > 0))
        gdyn_cli_error(GDYN_CODE_OPTION "--weights: one weight must be above zero");
    return sum > 0;
}

/* What the options ask for; an exit code. */
static int read_wish(const gdyn_options *o, const gdyn_study *study, asked *w) {
    size_t m = (size_t)gdyn_study_start(study)->objective_count;
    w->weight = calloc(m + 1, sizeof *w->weight);
    w->target = calloc(m + 1, sizeof *w->target);
    if (!w->weight || !w->target)
        return GDYN_EXIT_MEMORY;
    for (size_t k = 0; k < m; k++)
        w->target[k] = NAN;
    if (o->knee + (o->weights != NULL) + (o->target.count > 0) > 1)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE "--knee, --weights and --target exclude each other");
    w->wish = (gdyn_pick_wish){.rule = o->knee               ? GDYN_PICK_KNEE
                                       : o->weights          ? GDYN_PICK_WEIGHTS
                                       : o->target.count > 0 ? GDYN_PICK_TARGETS
                                                             : GDYN_PICK_BALANCE,
                               .weight = w->weight,
                               .target = w->target};
    bool good = (!o->weights || read_weights(o->weights, study, w->weight)) &&
                gdyn_objective_values("target", &o->target, study, w->target);
    return good ? GDYN_EXIT_YES : GDYN_EXIT_USAGE;
}

/* --- the answer ------------------------------------------------------------------------------- */

/* Why this one. */
static void print_rule(const gdyn_pick *p, const gdyn_pick_wish *wish) {
    if (wish->rule == GDYN_PICK_KNEE && p->rule != GDYN_PICK_KNEE)
        printf("no knee: no design lies below the plane through the best ones of each objective; "
               "instead:\n");
    switch (p->rule) {
    case GDYN_PICK_KNEE:
        printf("knee: farthest below the plane through the best design of each objective, by %.3g "
               "of the ranges\n",
               p->score);
        break;
    case GDYN_PICK_WEIGHTS:
        printf("weights: smallest maximum weighted loss, %.3g\n", p->score);
        break;
    case GDYN_PICK_TARGETS:
        if (p->score > 0)
            printf("target: nearest; the largest shortfall is %.3g %% of the range of the front\n",
                   100 * p->score);
        else
            printf("target: reached; of the designs that reach it the one with the smallest "
                   "maximum loss\n");
        break;
    default:
        printf("balance: smallest maximum loss, %.3g %% of the range of the front\n",
               100 * p->score);
    }
}

/* Value, range and loss of each objective. */
static void print_losses(const gdyn_pick *p, const gdyn_pick_wish *wish) {
    const gdyn_instance *start = gdyn_study_start(p->study);
    const gdyn_design *d = p->front.front.design[p->choice];
    bool weights = wish->rule == GDYN_PICK_WEIGHTS, targets = wish->rule == GDYN_PICK_TARGETS;
    printf("  %-20s %14s %14s %14s %8s%s\n", "objective", "value", "best", "worst", "loss",
           weights   ? "   weight"
           : targets ? "         target"
                     : "");
    for (int k = 0; k < p->objectives; k++) {
        printf("  %-20s %14.6g %14.6g %14.6g %6.1f %%", start->objective[k].name, d->objective[k],
               p->best[k], p->worst[k], 100 * p->loss[p->choice * p->objectives + k]);
        if (weights)
            printf(" %8.4g", wish->weight[k]);
        if (targets && !isnan(wish->target[k]))
            printf(" %14.6g", wish->target[k]);
        printf(" %s\n", gdyn_study_objective_unit(p->study, k));
    }
    printf("  distance from the best of all objectives together: %.3g of the ranges\n",
           p->distance);
}

/* "+0.31 kg": from the choice to its neighbour. */
static void print_change(const gdyn_pick *p, const gdyn_design *from, const gdyn_design *to,
                         int k) {
    const gdyn_instance *start = gdyn_study_start(p->study);
    const char *unit = gdyn_study_objective_unit(p->study, k);
    double range = fabs(p->worst[k] - p->best[k]), change = to->objective[k] - from->objective[k];
    printf("%s %+.4g%s%s", start->objective[k].name, change, *unit ? " " : "", unit);
    if (range > 0)
        printf(" (%+.1f %%)", 100 * change / range);
}

/* What a better value of each objective costs in the others. */
static void print_trades(const gdyn_pick *p) {
    const gdyn_instance *start = gdyn_study_start(p->study);
    const gdyn_design *d = p->front.front.design[p->choice];
    if (p->objectives > 1)
        printf("traded on the front (in brackets: share of the range):\n");
    for (int k = 0; k < p->objectives && p->objectives > 1; k++) {
        const gdyn_goal *goal = &start->objective[k];
        printf("  %s %-15s ", goal->maximize ? "more" : "less", goal->name);
        if (p->neighbour[k] < 0) {
            printf("no design of the front has it\n");
            continue;
        }
        const gdyn_design *next = p->front.front.design[p->neighbour[k]];
        printf("design %ld: ", next->serial);
        print_change(p, d, next, k);
        for (int j = 0; j < p->objectives; j++)
            if (j != k && next->objective[j] != d->objective[j]) {
                printf(", ");
                print_change(p, d, next, j);
            }
        printf("\n");
    }
}

static void print_pick(const gdyn_options *o, const gdyn_stored *s, const gdyn_pick *p,
                       const gdyn_pick_wish *wish) {
    const gdyn_instance *start = gdyn_study_start(p->study);
    printf("%s: ", gdyn_study_start(s->study)->name);
    if (p->choice < 0) {
        printf("none of %d designs satisfies all constraints%s\n", s->result.archive.count,
               o->filter.count ? " and filters" : "");
        gdyn_print_infeasibility(p->study, &p->front.archive);
        return;
    }
    const gdyn_design *d = p->front.front.design[p->choice];
    printf("design %ld, one of %d on the front; %d designs are feasible%s\n", d->serial,
           p->front.front.count, p->feasible, o->filter.count ? " and pass the filters" : "");
    print_rule(p, wish);
    print_losses(p, wish);
    print_trades(p);
    char text[80];
    printf("design variables:\n");
    for (int i = 0; i < start->design_count; i++) {
        const gdyn_design_variable *v = &start->design[i];
        printf("  %-20s %14s %s\n", v->name, gdyn_variable_text(v, d->x[i], 8, text, sizeof text),
               gdyn_trait_of(p->study, GDYN_TRAIT_VARIABLE, i).unit);
    }
    printf("all its values: globdyn study show %s %ld; as a case: globdyn study case %s %ld\n",
           o->operand[1], d->serial, o->operand[1], d->serial);
}

/* --- the verb --------------------------------------------------------------------------------- */

/* Messages about filters name the option, not a place in a file that the user has not written. */
static void tell_filter(void *context, const gdyn_diag *diag) {
    bool *told = context;
    if (diag->severity != GDYN_ERROR || *told)
        return;
    *told = true;
    gdyn_cli_error(GDYN_CODE_OPTION "--filter: %s", diag->message);
    gdyn_cli_help("%s", diag->help ? diag->help : "");
}

static int pick_from(const gdyn_options *o, const gdyn_stored *s, const gdyn_study *study,
                     const gdyn_archive *archive) {
    asked w = {0};
    gdyn_pick p;
    int code = read_wish(o, study, &w);
    if (code == GDYN_EXIT_YES) {
        gdyn_status status = gdyn_pick_make(&p, study, archive, &w.wish);
        gdyn_text text = {0};
        if (status == GDYN_OK && o->json)
            code = gdyn_cli_print(
                gdyn_report_pick_json(&text, gdyn_study_start(study)->name, &p, &w.wish), &text,
                o->output);
        else if (status == GDYN_OK)
            print_pick(o, s, &p, &w.wish);
        else
            code = gdyn_exit_code(status);
        if (code == GDYN_EXIT_YES && p.choice < 0)
            code = GDYN_EXIT_NO;
        gdyn_pick_clear(&p);
    }
    free(w.weight), free(w.target);
    return code;
}

int gdyn_study_pick(const gdyn_options *o, const gdyn_stored *s) {
    gdyn_variant v = {0};
    bool told = false;
    gdyn_sink sink = {tell_filter, &told};
    if (gdyn_study_start(s->study)->objective_count == 0)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_NEEDS "the study has no objectives to choose by");
    if (o->filter.count == 0)
        return pick_from(o, s, s->study, &s->result.archive);
    gdyn_variant_def def = {.count = o->filter.count, .limit = o->filter.text, .released = -1};
    gdyn_status status = gdyn_variant_make(&v, s->study, &s->result.archive, &def, &sink);
    int code = status == GDYN_OK             ? pick_from(o, s, v.study, &v.archive)
               : status == GDYN_ERROR_MEMORY ? gdyn_exit_code(status)
                                             : GDYN_EXIT_USAGE;
    gdyn_variant_clear(&v);
    return code;
}
