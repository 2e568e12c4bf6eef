/* cmd_feasible.c - checks motions given as tables: at their samples and between them. */
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
    } else if (shares->worst.shape == GDYN_LIMIT_THIRD_ORDER) {
        const gdyn_limited *row = gdyn_limit_owner(t->row, t->rows, shares->worst);
        const char *unit, *rate = gdyn_limited_rate_word(row, &unit);
        printf("%s of %s by %.4g %% of its limit (%.4g %s), from this sample to the next one\n",
               rate, row->name, 100 * shares->violation, v->amount, unit);
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
               r->margin_limit.shape == GDYN_LIMIT_WINDOW        ? "speed limit"
               : r->margin_limit.shape == GDYN_LIMIT_THIRD_ORDER ? "rate limit"
               : r->margin_limit.side > 0                        ? "max"
                                                                 : "min");
        gdyn_sample at = gdyn_trajectory_original(t, &t->place[r->margin_at]);
        print_where(t, &at);
    }
    printf("\n");
}

/* "12.5 N m at 0.31 s" in a column; at p where times are not known. */
static void print_peak(const gdyn_peak *peak, const char *unit, int width) {
    char text[100] = "-";
    bool timed = !isnan(peak->t);
    if (isfinite(peak->value))
        snprintf(text, sizeof text, "%.4g%s%s at %s%.4g%s", peak->value, *unit ? " " : "", unit,
                 timed ? "" : "p = ", timed ? peak->t : peak->p, timed ? " s" : "");
    printf("  %-*s", width, text);
}

/* A line for every drive. */
static void print_drives(const gdyn_trajectory *t) {
    enum { CELL = 24 };
    bool any = false;
    char rms[100], speed[100];
    for (int row = 0; row < t->rows; row++) {
        const gdyn_drive_load *l = &t->load[row];
        const char *unit = t->row[row].unit, *way = gdyn_unit_of_way(unit);
        if (!l->known)
            continue;
        if (!any)
            printf("   %-20s  %-*s  %-*s  %-*s  %-*s  %s\n", "drive", CELL, "peak", CELL / 2, "rms",
                   CELL, "speed", CELL, "power", "reserve, of half a range");
        any = true;
        printf("   %-20s", t->row[row].name);
        print_peak(&l->force, unit, CELL);
        snprintf(rms, sizeof rms, "%.4g %s", l->rms, unit);
        snprintf(speed, sizeof speed, "%s%s", way, *way ? "/s" : "");
        printf("  %-*s", CELL / 2, isnan(l->rms) ? "-" : rms);
        print_peak(&l->speed, speed, CELL);
        print_peak(&l->power, *way ? "W" : "", CELL);
        print_peak(&l->reserve, "", 0);
        printf("%s\n", l->by_speed ? " of speed" : "");
    }
}

static void print_verdict(const gdyn_trajectory *t) {
    const gdyn_feasibility *r = &t->verdict;
    /* Samples, and nine places between two of them. */
    if (r->feasible) {
        int between = (t->traverse->points - 1) * (GDYN_GIVEN_STEPS - 1);
        printf("%s: feasible: no limit is violated", t->name);
        if (t->tolerated > 0)
            printf(" by more than %.4g %% of half its range", 100 * t->tolerated);
        printf(" at %d sample%s and %d point%s between them\n", t->traverse->points,
               gdyn_plural(t->traverse->points), between, gdyn_plural(between));
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
        if (!isnan(t->followed.failure_p)) {
            printf("   first fails at p = %s: %s\n",
                   gdyn_amount(t->followed.failure_p, t->unit).text, t->followed.failure_text);
            gdyn_print_advice(&t->followed, t->followed.failure_text, 3);
        }
        if (isfinite(r->slowdown))
            printf("   feasible when slowed down uniformly: time x %.6g\n", r->slowdown);
        else
            printf("   no uniform slow-down makes it feasible\n");
    }
    if (r->unchecked > 0)
        printf("   not checked: %d limit%s on rates (%s)\n", r->unchecked,
               gdyn_plural(r->unchecked),
               isnan(t->sample[t->traverse->points - 1].t) ? "the motion has no time"
                                                           : "redundant drives share these forces");
    print_drives(t);
    gdyn_print_changes(t);
}

/* --- the command ------------------------------------------------------------------------------ */

/* A motion and the trajectory that it runs along. */
typedef struct given {
    const char *file;
    int number; /* of the session's trajectories */
} given;

/* The file of a motion, and the trajectory that its text names ("NAME=FILE"; -1: none). */
static given split(const gdyn_session *s, const char *text) {
    const char *equals = strchr(text, '=');
    for (int i = 0; equals && i < s->count; i++) {
        const char *name = s->trajectory[i].name;
        if (strlen(name) == (size_t)(equals - text) && strncmp(name, text, strlen(name)) == 0)
            return (given){equals + 1, i};
    }
    return (given){text, -1};
}

/* Without files: paths over time are motions themselves; an exit code. */
static int list_own_motions(const gdyn_session *s, given *list, int *count) {
    for (int i = 0; i < s->count; i++) {
        const gdyn_trajectory *t = &s->trajectory[i];
        if (!t->path || !gdyn_dimension_fits(t->dimension, GDYN_DIM_TIME))
            return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                                 GDYN_CODE_USAGE
                                 "globdyn feasible needs --motion FILE: p of '%s' is no time",
                                 t->name);
        list[(*count)++] = (given){NULL, i};
    }
    return GDYN_EXIT_YES;
}

/* The motions of all files, in their order; an exit code. */
static int list_motions(const gdyn_session *s, given *list, int *count) {
    gdyn_sink console = gdyn_console_sink();
    if (s->options->motions.count == 0)
        return list_own_motions(s, list, count);
    for (int m = 0; m < s->options->motions.count; m++) {
        given one = split(s, s->options->motions.text[m]);
        int before = *count, holds = 1;
        if (one.number >= 0 || s->count == 1) {
            list[(*count)++] = (given){one.file, one.number < 0 ? 0 : one.number};
            continue;
        }
        for (int i = 0; i < s->count && holds >= 0; i++) {
            gdyn_status status =
                gdyn_motion_table_holds(one.file, s->trajectory[i].name, &console, &holds);
            if (status != GDYN_OK)
                return gdyn_exit_code(status);
            if (holds > 0)
                list[(*count)++] = (given){one.file, i};
        }
        if (holds < 0)
            return gdyn_cli_fail(GDYN_EXIT_USAGE, "--motion NAME=FILE does so for one file",
                                 GDYN_CODE_USAGE "the case has several trajectories, and '%s' no "
                                                 "column 'trajectory': --trajectory NAME selects "
                                                 "one",
                                 one.file);
        if (*count == before)
            return gdyn_cli_fail(GDYN_EXIT_CASE, NULL,
                                 GDYN_CODE_TABLE "%s: there are no rows of a trajectory of %s",
                                 one.file, s->case_name);
    }
    return GDYN_EXIT_YES;
}

/* A trajectory for each motion, which the session has from here on; an exit code. */
static int open_motions(gdyn_session *s, const given *list, int count, gdyn_trajectory *own) {
    gdyn_sink errors = gdyn_console_errors();
    const gdyn_instance *instance = s->opened.instance;
    gdyn_status status = GDYN_OK;
    for (int k = 0; k < count && status == GDYN_OK; k++) {
        const char *name = s->trajectory[list[k].number].name;
        bool found = false;
        for (int number = 0; !found && status == GDYN_OK; number++) {
            gdyn_trajectory_close(&own[k]);
            status = instance ? gdyn_trajectory_open(&own[k], instance, number, &errors)
                              : gdyn_trajectory_open_table(&own[k], s->case_name, number, &errors);
            found = status == GDYN_OK && strcmp(own[k].name, name) == 0;
        }
        gdyn_trajectory_report(&own[k], instance ? &s->opened.sink : &errors);
    }
    for (int i = 0; i < s->count; i++)
        gdyn_trajectory_close(&s->trajectory[i]);
    free(s->trajectory);
    s->trajectory = own, s->count = count;
    return gdyn_exit_code(status);
}

static int judge(const gdyn_session *s, gdyn_trajectory *t, const char *file,
                 gdyn_motion_table *motion) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_session_stage(s, t);
    int code = gdyn_drive(s->options, t);
    if (code != GDYN_EXIT_YES)
        return code;
    gdyn_path_dynamics_halt(t->dynamics, &gdyn_interrupted);
    /* The motion is read in the units of this path. */
    double first = gdyn_path_dynamics_first(t->dynamics);
    double last = gdyn_path_dynamics_last(t->dynamics);
    gdyn_motion_range range = {t->name, t->dimension, first, last, t->path};
    code = gdyn_exit_code(file ? gdyn_motion_table_read(motion, file, &range, &console)
                               : gdyn_motion_table_of_time(motion, t->path, t->dynamics));
    if (code == GDYN_EXIT_YES && motion->travels)
        code = gdyn_exit_code(gdyn_path_dynamics_regularize(t->dynamics));
    if (code != GDYN_EXIT_YES)
        return code;
    /* A motion over next to nothing of the path is mostly one in other units. */
    double way = motion->sample[motion->count - 1].p - motion->sample[0].p;
    if (file && motion->count > 1 && fabs(way) < SHORT * fabs(last - first))
        gdyn_cli_note(s->options,
                      "warning: %s: the motion covers %.2g %% of '%s' (%.6g of %s): are the "
                      "units of its columns right?",
                      file, 100 * way / (last - first), t->name, way,
                      gdyn_amount(last - first, t->unit).text);
    t->sharing = gdyn_sharing_of(s->options);
    t->tolerated = s->options->tolerance.value;
    /* The forces of the motion, and whether it keeps the limits. */
    gdyn_status status = gdyn_trajectory_judge(t, motion);
    if (status == GDYN_OK && t->verdict.unfollowed > 0 && t->path)
        status = gdyn_trajectory_take(t, GDYN_PASS_FAILURE);
    if (status != GDYN_OK)
        return gdyn_cli_judge(status);
    if (t->sharing.smooth > 0 && !motion->timed)
        return gdyn_cli_fail(
            GDYN_EXIT_CASE, NULL,
            GDYN_CODE_OPTION
            "--smooth needs a motion of finite time: this one stands still on its way");
    return GDYN_EXIT_YES;
}

/* All motions one after the other, then the results. */
static int judge_all(gdyn_session *s, const given *list, gdyn_motion_table *motion) {
    bool feasible = true;
    for (int k = 0; k < s->count; k++) {
        gdyn_trajectory *t = &s->trajectory[k];
        int code = judge(s, t, list[k].file, &motion[k]);
        if (code != GDYN_EXIT_YES)
            return code;
        feasible &= t->verdict.feasible;
        if (!s->options->json) {
            if (s->count > 1 && list[k].file)
                printf("%s, ", list[k].file);
            print_verdict(t);
        }
    }
    gdyn_results results = {.command = "feasible",
                            .file = {{"feasible.csv", .table = gdyn_report_feasible_csv},
                                     {"feasible.json", .document = gdyn_report_feasible_json}},
                            .partial = true,
                            .draw = gdyn_pictures_of_motion};
    int code = gdyn_session_write(s, &results);
    return code != GDYN_EXIT_YES ? code : feasible ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

int gdyn_cmd_feasible(gdyn_session *s) {
    int files = s->options->motions.count;
    size_t most = (size_t)(files > 0 ? files : 1) * (size_t)s->count;
    given *list = calloc(most + 1, sizeof *list);
    gdyn_motion_table *motion = calloc(most + 1, sizeof *motion);
    gdyn_trajectory *own = calloc(most + 1, sizeof *own);
    int count = 0, code = list && motion && own ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
    code = code == GDYN_EXIT_YES ? list_motions(s, list, &count) : code;
    if (code == GDYN_EXIT_YES) {
        code = open_motions(s, list, count, own); /* the session owns them */
        own = NULL;
    }
    code = code == GDYN_EXIT_YES ? judge_all(s, list, motion) : code;
    for (int k = 0; motion && k < count; k++)
        gdyn_motion_table_close(&motion[k]);
    free(own), free(motion), free(list);
    return code;
}
