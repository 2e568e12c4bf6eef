/* cmd_traverse.c - the fastest motion along the trajectories of a case, or through a table of
 * coefficients; the reason where there is none. */
#include "cli/cli.h"

#include "report/report.h"

typedef struct command {
    const gdyn_options *options;
    gdyn_session *session;
    gdyn_share_settings sharing;
    int threads;
    gdyn_pose_table *poses; /* NULL with --coefficients */
} command;

/* --- text ------------------------------------------------------------------------------------- */

/* Name and side of a drive's limit, and its line in the case. */
static void print_limit(const gdyn_trajectory *t, gdyn_limit limit) {
    char text[200];
    /* "   m1.torque at its max   (five_bar.yaml:38)". */
    gdyn_limit_text(t->row, t->rows, limit, text, sizeof text);
    printf("   %s", text);
    gdyn_print_limit_line(t, limit);
}

static gdyn_words place(const gdyn_trajectory *t, double p) {
    const gdyn_traverse *plan = t->traverse;
    /* Digits of p by the length of the path. */
    double length = plan->points ? plan->point[plan->points - 1].p - plan->point[0].p : 0;
    return gdyn_place(p, length, t->unit);
}

/* "NAME: p = PLACE: REASON" */
static void print_reason(const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    const gdyn_certificate *proof = &plan->certificate;
    if (plan->status == GDYN_TRAVERSE_RATE) {
        printf(
            "%s: no motion keeps the limits on rates of forces and accelerations (without them T = "
            "%.8g s)\n   one was found when all limits and rates are relaxed by %.4g %%\n",
            t->name, plan->free_time, 100 * plan->rate_excess);
        return;
    }
    printf("%s: p = %s", t->name, place(t, plan->place).text);
    /* Blocked between two places; elsewhere at one. */
    if (plan->status == GDYN_TRAVERSE_BLOCKED)
        printf(" .. %s", place(t, plan->place_end).text);
    if (plan->status == GDYN_TRAVERSE_START)
        printf(": the end can be reached only with a path speed from %.6g to %s at the start",
               plan->start_low, gdyn_amount_per_time(plan->start_high, t->unit, 1).text);
    else
        printf(": %s", gdyn_trajectory_refusal(t));
    bool path = proof->count == 1 && proof->limit[0].shape == GDYN_LIMIT_EQUALITY;
    printf(plan->status == GDYN_TRAVERSE_EMPTY && !path ? ": limits exclude each other\n" : "\n");
}

static void print_refusal(gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    print_reason(t);
    if (plan->status == GDYN_TRAVERSE_UNFOLLOWED && t->track &&
        gdyn_trajectory_take(t, GDYN_PASS_FAILURE) == GDYN_OK) {
        printf("   %s\n", t->followed.failure_text);
        gdyn_print_advice(&t->followed, t->followed.failure_text, 3);
    }
    const gdyn_certificate *proof = &t->traverse->certificate;
    /* The limits that exclude each other, and what each would need alone. */
    for (int k = 0; k < proof->count; k++) {
        const gdyn_limit limit = proof->limit[k];
        const gdyn_limited *owner = gdyn_limit_owner(t->row, t->rows, limit);
        if (limit.shape == GDYN_LIMIT_EQUALITY) {
            printf("   the path requires a motion that the drives cannot control\n");
        } else if (gdyn_limit_is_forward(limit)) {
            printf("   d1 >= 0: the path is traversed forward\n");
        } else {
            print_limit(t, limit);
            /* the need of a window is one of d1 */
            if (owner && isfinite(proof->needs[k]) && limit.shape != GDYN_LIMIT_WINDOW)
                printf("   needs %s", gdyn_amount(proof->needs[k], owner->unit).text);
            printf("\n");
        }
    }
    /* Motions that no drive acts on explain an empty region. */
    if (plan->status == GDYN_TRAVERSE_EMPTY || plan->status == GDYN_TRAVERSE_CURVE) {
        const gdyn_coefficients *coefficients;
        gdyn_point_status found;
        double p = gdyn_path_dynamics_present(t->dynamics, plan->place);
        if (t->path && gdyn_path_dynamics_at(t->dynamics, p, &coefficients, &found) == GDYN_OK &&
            found == GDYN_POINT_OK)
            gdyn_print_undriven(gdyn_path_dynamics_state(t->dynamics), "   ");
    }
    if (plan->relaxation < 1e-12) { /* rounding of the search for it */
        printf("   opens when all limits are relaxed by any amount, however small\n");
    } else if (isfinite(plan->relaxation)) {
        printf("   opens when all limits are relaxed by %.4g %% of half their range\n",
               100 * plan->relaxation);
    }
}

/* Why no motion is the fastest. */
static void print_leaps(const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    const char *unit = t->unit;
    if (plan->leaps == 1 && plan->leap[0].limit_count == 0 && !(plan->infimum[1] > 0)) {
        printf("   no motion is the fastest: with free ends nothing bounds the speed (a speed "
               "limit would), and motion times get arbitrarily close to 0\n");
        return;
    }
    if (plan->leaps > 0) {
        printf("   no motion is the fastest: motion times get arbitrarily close to a value between "
               "%.8g and %.8g s,\n   but do not reach it\n",
               plan->infimum[0], plan->infimum[1]);
    }
    /* Each leap of d1: a stretch without bounds, or one place. */
    for (int k = 0; k < plan->leaps; k++) {
        const gdyn_leap *leap = &plan->leap[k];
        if (leap->p_end > leap->p) {
            printf("   p = %.6g .. %s: nothing bounds d1 (a speed limit would); at both ends "
                   "these limits do not depend on d2:\n",
                   leap->p, place(t, leap->p_end).text);
        } else {
            printf("   p = %s: d1 changes from %.6g to %s within an arbitrarily short distance: "
                   "these limits do not depend on d2 there:\n",
                   place(t, leap->p).text, leap->d1_from,
                   gdyn_amount_per_time(leap->d1_to, unit, 1).text);
        }
        for (int j = 0; j < leap->limit_count; j++) {
            print_limit(t, leap->limit[j]);
            printf("\n");
        }
    }
}

static void print_audit(const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    if (plan->drift > 0)
        printf("   the pose depends on the path to it: its estimated error may change a limit by "
               "%.1e of half its range (part of the bounds)\n",
               plan->drift);
    printf("   audit of %d point%s: ", plan->audits, gdyn_plural(plan->audits));
    /* Rounding, or an error of the program. */
    if (plan->violation <= 1e-9)
        printf("no limit is violated by more than 1e-9 of half its range\n");
    else
        printf("LIMITS ARE VIOLATED by %.2g of half a range at p = %s\n", plan->violation,
               place(t, plan->violation_p).text);
}

static void print_motion(const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    gdyn_extremes extremes = gdyn_trajectory_extremes(t);
    /* The time with its bounds, then what is special about it. */
    printf("%s: T = %.8g s, between %.8g and %.8g s%s\n", t->name, plan->time, plan->lower,
           plan->upper, plan->converged ? "" : " (the bounds do not agree to the tolerance)");
    print_leaps(t);
    /* Where the machine stands still: for no time at all, or until dry forces have changed. */
    for (int k = 0; k < plan->dwells; k++)
        printf("   the machine stands still from p = %.6g to %s: nothing bounds d1 there, so this "
               "takes no time\n",
               plan->dwell[k][0], place(t, plan->dwell[k][1]).text);
    for (int k = 0; k < plan->jumps; k++)
        printf("   stops at p = %s: dry forces or the curvature of the path change abruptly there, "
               "and what\n   has a limit of its rate would have to jump\n",
               place(t, plan->jump[k]).text);
    if (plan->force) {
        printf("   limits on rates of forces and accelerations: ");
        if (plan->lower > 0)
            printf("T without them%s %.8g s (the lower bound ignores them, too),\n   ",
                   plan->jumps > 0 ? ", with these stops," : "", plan->free_time);
        else
            printf("nothing else bounds the speed,\n   ");
        printf("the last refinement changed T by %.2g\n", plan->rate_error);
        /* The force that comes nearest to its rate. */
        const gdyn_limited *row = extremes.rate_row < 0 ? NULL : &t->row[extremes.rate_row];
        const char *unit, *word = row ? gdyn_limited_rate_word(row, &unit) : NULL;
        if (row)
            printf("   largest %s: %s by %.6g %s at p = %s, %.4g %% of its limit\n", word,
                   row->name, extremes.rate, *unit ? unit : "1/s",
                   gdyn_amount(extremes.rate_p, t->unit).text, 100 * extremes.share);
    }
    printf("   maximum d1 %s at p = %s, %d grid point%s, %d switching point%s\n",
           gdyn_amount_per_time(extremes.d1, t->unit, 1).text, place(t, extremes.d1_p).text,
           plan->points, gdyn_plural(plan->points), extremes.switches,
           gdyn_plural(extremes.switches));
    print_audit(t);
}

/* --- the command ------------------------------------------------------------------------------ */

/* Limits on the rate of forces, and what does not go with them; an exit code. */
static int set_rates(command *run, gdyn_trajectory *t) {
    const double **rate = &t->planning.rate;
    gdyn_path_dynamics_halt(t->dynamics, &gdyn_interrupted);
    gdyn_status status = t->any_rate ? GDYN_OK : gdyn_path_dynamics_rates(t->dynamics, rate);
    /* Only a closed path can be run again and again. */
    if (t->planning.periodic && t->path && !gdyn_path_dynamics_closed(t->dynamics))
        return gdyn_cli_fail(
            GDYN_EXIT_USAGE, NULL,
            GDYN_CODE_NEEDS "trajectory '%s' is not closed: there is no periodic motion", t->name);
    if (status == GDYN_OK && *rate && t->planning.periodic)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, "--no-rates ignores these limits",
                             GDYN_CODE_OPTION "periodic motions do not support limits on rates");
    if (*rate && run->sharing.smooth > 0) {
        gdyn_cli_note(run->options, "limits on rates make the forces part of the "
                                    "plan: --smooth does not apply");
        run->sharing.smooth = 0;
    }
    return gdyn_session_judge(t, status);
}

/* Progress by the places that are evaluated; of several at a time that of the first one. */
static gdyn_status solve_one(void *context, gdyn_trajectory *t, int number) {
    const command *run = context;
    gdyn_progress progress;
    bool shown = run->threads == 1 || number == 0;
    if (shown) {
        gdyn_session_stage(run->session, t);
        progress = gdyn_progress_begin(run->options);
        progress.name = t->name;
        gdyn_path_dynamics_watch(t->dynamics, gdyn_progress_places, &progress);
    }
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_PLAN);
    gdyn_path_dynamics_watch(t->dynamics, NULL, NULL);
    if (shown)
        gdyn_progress_end(&progress);
    return status;
}

/* Dynamics and settings of every trajectory, the motions together, then their forces one by one. */
static int solve_each(command *run) {
    gdyn_session *session = run->session;
    const gdyn_options *options = run->options;
    int code = GDYN_EXIT_YES;
    for (int i = 0; i < session->count && code == GDYN_EXIT_YES; i++) {
        gdyn_trajectory *t = &session->trajectory[i];
        gdyn_session_stage(session, t);
        /* What the command line says of ends and accuracy. */
        t->any_rate = options->no_rates;
        t->planning.start_speed = options->start_speed.value;
        t->planning.end_speed = options->end_speed.value;
        t->planning.periodic = options->periodic;
        if (options->tolerance.value > 0) {
            t->planning.tolerance = options->tolerance.value;
            t->planning.max_points = 8001; /* asked for by name: it may take longer */
        }
        code = gdyn_drive(options, t);
        code = code == GDYN_EXIT_YES ? set_rates(run, t) : code;
    }
    if (code == GDYN_EXIT_YES)
        code = gdyn_session_together(session, run->threads, solve_one, run);
    for (int i = 0; i < session->count && code == GDYN_EXIT_YES; i++) {
        /* The forces of the motion; poses are tabled in the same pass. */
        gdyn_trajectory *t = &session->trajectory[i];
        t->sharing = run->sharing;
        t->visit = run->poses ? gdyn_pose_table_add : NULL;
        t->visitor = run->poses;
        if (run->poses)
            gdyn_pose_table_begin(run->poses, t);
        code = gdyn_session_judge(t, gdyn_trajectory_take(t, GDYN_PASS_FORCES));
    }
    return code;
}

static gdyn_status write_poses(const void *of, gdyn_text *out) {
    const gdyn_text *poses = gdyn_pose_table_text(((const command *)of)->poses);
    gdyn_text_append(out, poses->data, poses->length);
    return poses->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

static int answer(command *run) {
    bool all = true;
    for (int i = 0; i < run->session->count; i++) {
        gdyn_trajectory *t = &run->session->trajectory[i];
        bool moving = t->traverse->status == GDYN_TRAVERSE_OK;
        all &= moving && isfinite(t->traverse->time) &&
               !(t->traverse->violation > GDYN_STEPS_FORGIVEN);
        /* The motion, or why there is none. */
        if (!run->options->json && moving) {
            print_motion(t);
            gdyn_print_changes(t);
        } else if (!run->options->json) {
            print_refusal(t);
        }
    }
    gdyn_results results = {.command = "traverse",
                            .of = run,
                            .file = {{"traverse.csv", .table = gdyn_report_traverse_csv},
                                     {"audit.csv", .table = gdyn_report_audit_csv},
                                     {"traverse.json", .document = gdyn_report_traverse_json},
                                     {run->poses ? "poses.csv" : NULL, .other = write_poses}},
                            .partial = run->options->trajectory != NULL,
                            .draw = gdyn_pictures_of_motion};
    int code = gdyn_session_write(run->session, &results);
    return code != GDYN_EXIT_YES ? code : all ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

int gdyn_cmd_traverse(gdyn_session *s) {
    command run = {.options = s->options, .session = s, .sharing = gdyn_sharing_of(s->options)};
    int threads = gdyn_executor_count(s->options->threads), code = GDYN_EXIT_YES;
    run.threads = threads < s->count ? threads : s->count;
    if (!s->options->coefficients) {
        run.poses = gdyn_pose_table_create(s->count, s->trajectory);
        code = run.poses ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
    }
    code = code == GDYN_EXIT_YES ? solve_each(&run) : code;
    code = code == GDYN_EXIT_YES ? answer(&run) : code;
    gdyn_pose_table_destroy(run.poses);
    return code;
}
