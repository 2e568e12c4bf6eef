/* cmd_feasible.c - checks a motion given as a table: at its samples and between them. */
#include "cli/cli.h"

/* Share of the path below which a motion is doubted: mm for m and ms for s are a thousandth. */
static const double SHORT = 0.01;

/* --- text ------------------------------------------------------------------------------------- */

static void print_where(const gdyn_trajectory *t, const gdyn_sample *s) {
    printf("p = %s", gdyn_amount(s->p, t->unit).text);
    if (!isnan(s->t))
        printf(", t = %.6g s", s->t);
}

static void print_place(const gdyn_trajectory *t, const char *word, const gdyn_violation *v) {
    const gdyn_shares *shares = &v->shares;
    const gdyn_sample at = gdyn_trajectory_original(t, &t->place[v->at]), *s = &at;
    /* Places between samples have no row in the file. */
    int k = v->at % (GDYN_GIVEN_STEPS + 1);
    printf("   %s violation at ", word);
    print_where(t, s);
    printf(" (%sd1 = %s, d2 = %s): ", k > 0 && k < GDYN_GIVEN_STEPS ? "between samples, " : "",
           gdyn_amount_per_time(s->d1, t->unit, 1).text,
           gdyn_amount_per_time(s->d2, t->unit, 2).text);
    /* The reason: no pose, no control, a speed, or a force. */
    if (shares->found != GDYN_POINT_OK) {
        printf("the machine cannot reach this point\n");
    } else if (shares->worst.shape == GDYN_LIMIT_EQUALITY) {
        printf("a motion that the drives cannot control\n");
    } else if (shares->worst.shape == GDYN_LIMIT_WINDOW) {
        printf("speed of %s by %.4g %%\n", gdyn_limit_name(t->row, t->rows, shares->worst),
               100 * shares->violation);
    } else {
        printf("%s %s by ", gdyn_limit_name(t->row, t->rows, shares->worst),
               shares->worst.side > 0 ? "max" : "min");
        const char *unit = t->row[v->shares.worst.row].unit;
        bool range = isfinite(v->half_range);
        /* As a share of half the range, and as a force. */
        if (range)
            printf("%.4g %% of half its range (", 100 * v->amount / v->half_range);
        printf("%.4g%s%s%s", v->amount, *unit ? " " : "", unit, range ? ")" : "");
        gdyn_print_limit_line(t, shares->worst);
        printf("\n");
    }
}

static void print_margin(const gdyn_trajectory *t) {
    const gdyn_feasibility *r = &t->verdict;
    if (!isfinite(r->margin)) {
        printf("   could be run arbitrarily fast\n");
        return;
    }
    printf("   could be run %.6g times as fast", r->margin);
    /* What limits it when it is run that much faster. */
    if (r->margin_at >= 0 && r->margin_limit.shape != GDYN_LIMIT_EQUALITY) {
        printf("; then %s is at its %s at ", gdyn_limit_name(t->row, t->rows, r->margin_limit),
               r->margin_limit.shape == GDYN_LIMIT_WINDOW ? "speed limit"
               : r->margin_limit.side > 0                 ? "max"
                                                          : "min");
        gdyn_sample at = gdyn_trajectory_original(t, &t->place[r->margin_at]);
        print_where(t, &at);
    }
    printf("\n");
}

static void print_verdict(const gdyn_trajectory *t) {
    const gdyn_feasibility *r = &t->verdict;
    /* Samples, and nine places between two of them. */
    if (r->feasible) {
        int between = (t->traverse->points - 1) * (GDYN_GIVEN_STEPS - 1);
        printf("%s: feasible: no limit is violated at %d sample%s and %d point%s between them\n",
               t->name, t->traverse->points, gdyn_plural(t->traverse->points), between,
               gdyn_plural(between));
        print_margin(t);
    } else {
        printf("%s: not feasible\n", t->name);
        /* A singular pose on the way rejects every motion. */
        if (!isnan(r->singular)) {
            printf("   singular at p = %s: the drives lose control of a freedom or the constraints "
                   "lose rank: no motion is valid across it\n",
                   gdyn_amount(r->singular, t->unit).text);
        }
        /* First and worst violation, then how slow it would have to be. */
        if (r->first.at >= 0) {
            print_place(t, "first", &r->first);
            print_place(t, "worst", &r->worst);
        }
        if (isfinite(r->slowdown))
            printf("   feasible when slowed down uniformly: time x %.6g\n", r->slowdown);
        else
            printf("   no uniform slow-down makes it feasible\n");
    }
    gdyn_print_changes(t);
}

/* --- the command ------------------------------------------------------------------------------ */

static void write_table(gdyn_text *out, int count, const gdyn_trajectory *t) {
    (void)count; /* one */
    gdyn_report_feasible_csv(out, t);
}

static gdyn_status write_document(gdyn_text *out, const char *case_name, int count,
                                  const gdyn_trajectory *t) {
    (void)count;
    return gdyn_report_feasible_json(out, case_name, t);
}

static int conclude(const gdyn_session *s, gdyn_motion_table *motion) {
    gdyn_trajectory *t = s->trajectory;
    t->sharing = gdyn_sharing_of(s->options);
    /* The forces of the motion, and whether it keeps the limits. */
    gdyn_status status = gdyn_trajectory_judge(t, motion);
    if (status != GDYN_OK)
        return gdyn_cli_judge(status);
    if (t->sharing.smooth > 0 && !motion->timed)
        return gdyn_cli_fail(
            GDYN_EXIT_CASE, NULL,
            GDYN_CODE_OPTION
            "--smooth needs a motion of finite time: this one stands still on its way");
    if (!s->options->json)
        print_verdict(t);
    gdyn_results results = {.command = "feasible",
                            .file = {{"feasible.csv", .table = write_table},
                                     {"feasible.json", .document = write_document}},
                            .partial = true,
                            .draw = gdyn_pictures_of_motion};
    int code = gdyn_session_write(s, &results);
    return code != GDYN_EXIT_YES ? code : t->verdict.feasible ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

int gdyn_cmd_feasible(gdyn_session *s) {
    gdyn_trajectory *t = s->trajectory;
    gdyn_sink console = gdyn_console_sink();
    gdyn_motion_table motion = {0};
    if (s->count != 1)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE
                             "the case has several trajectories: --trajectory NAME selects one");
    /* A path over time is a motion itself. */
    if (!s->options->motion && !(t->path && gdyn_dimension_fits(t->dimension, GDYN_DIM_TIME)))
        return gdyn_cli_fail(
            GDYN_EXIT_USAGE, NULL,
            GDYN_CODE_USAGE "globdyn feasible needs --motion FILE: p of '%s' is no time", t->name);
    gdyn_session_stage(s, t);
    int code = gdyn_drive(s->options, t);
    /* The motion is read in the units of this path. */
    if (code == GDYN_EXIT_YES) {
        gdyn_motion_range range = {t->name, t->dimension, gdyn_path_dynamics_first(t->dynamics),
                                   gdyn_path_dynamics_last(t->dynamics), t->path};
        code =
            gdyn_exit_code(s->options->motion ? gdyn_motion_table_read(&motion, s->options->motion,
                                                                       &range, &console)
                                              : gdyn_motion_table_of_time(&motion, t->path));
    }
    if (code == GDYN_EXIT_YES) {
        if (motion.travels)
            code = gdyn_exit_code(gdyn_path_dynamics_regularize(t->dynamics));
        /* A motion over next to nothing of the path is mostly one in other units. */
        double whole = gdyn_path_dynamics_last(t->dynamics) - gdyn_path_dynamics_first(t->dynamics);
        double way = motion.sample[motion.count - 1].p - motion.sample[0].p;
        if (motion.count > 1 && fabs(way) < SHORT * fabs(whole))
            gdyn_cli_note(s->options,
                          "warning: %s: the motion covers %.2g %% of '%s' (%.6g of %s): are the "
                          "units of its columns right?",
                          s->options->motion, 100 * way / whole, t->name, way,
                          gdyn_amount(whole, t->unit).text);
        code = code == GDYN_EXIT_YES ? conclude(s, &motion) : code;
    }
    gdyn_motion_table_close(&motion);
    return code;
}
