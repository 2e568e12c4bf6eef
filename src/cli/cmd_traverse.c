/* cmd_traverse.c - the fastest motion along the trajectories of a case, or through a table of
 * coefficients; why there is none where there is none. */
#include "cli/advice.h"
#include "cli/analysis.h"
#include "cli/drive.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/limits.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const gdyn_options *options;
    gdyn_traverse_settings settings;
    gdyn_share_settings sharing;
    gdyn_opened opened;
    const char *case_name;
    int count;
    gdyn_course *course;      /* count */
    gdyn_traverse **traverse; /* count */
    gdyn_driven *driven;      /* count */
    gdyn_shared *shared;      /* count: drive forces */
    gdyn_sample **sample;     /* count: the motions */
    gdyn_pose_table *poses;   /* NULL with --coefficients */
    double *speed;            /* of each drive for d1 = 1 */
} command;

/* --- drive forces ----------------------------------------------------------------------------- */

typedef struct visitor {
    const command *run;
    int i;
} visitor;

static void add_pose(void *context, int k, const gdyn_supply *supply) {
    const visitor *v = context;
    const command *run = v->run;
    const gdyn_sample *at = &run->sample[v->i][k];
    if (run->poses && gdyn_supply_speeds(supply, run->speed)) {
        gdyn_pose_table_add(run->poses, run->course[v->i].name, at->t, at->p,
                            gdyn_supply_state(supply), run->speed, at->d1);
    }
}

/* Forces and poses at all points of a motion. */
static gdyn_status find_forces(command *run, int i) {
    const gdyn_course *course = &run->course[i];
    const gdyn_traverse *t = run->traverse[i];
    visitor v = {run, i};
    if (t->status != GDYN_TRAVERSE_OK || course->rows == 0) {
        return GDYN_OK;
    }
    double *before = gdyn_alloc((size_t)t->points, sizeof *before);
    run->sample[i] = gdyn_alloc((size_t)t->points, sizeof **run->sample);
    gdyn_status status = before && run->sample[i] ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        gdyn_share_samples(t, run->sample[i], before);
        run->sharing.planned = t->rows == course->rows ? t->force : NULL;
        gdyn_pose_table_begin(run->poses);
        status = gdyn_share_motion(&run->shared[i], course->supply, course->rows, t->points,
                                   run->sample[i], before, &run->sharing, add_pose, &v);
    }
    gdyn_free(before);
    return status;
}

/* --- text ------------------------------------------------------------------------------------- */

/* Name and side of a drive's limit, and its line in the case. */
static void print_limit(const gdyn_course *course, gdyn_limit limit) {
    const gdyn_limited_row *owner = gdyn_limit_owner(course->row, course->rows, limit);
    const char *quantity = gdyn_limit_quantity(owner, limit);
    printf("   %s%s%s at its %s", gdyn_limit_name(course->row, course->rows, limit),
           *quantity ? "." : "", quantity,
           owner && owner->curve ? "curve"
           : limit.side > 0      ? "max"
                                 : "min");
    gdyn_print_limit_line(stdout, course->opened, owner, limit);
}

static void print_limits(const command *run, int i) {
    const gdyn_course *course = &run->course[i];
    const gdyn_certificate *proof = &run->traverse[i]->certificate;
    for (int k = 0; k < proof->count; k++) {
        const gdyn_limit limit = proof->limit[k];
        const gdyn_limited_row *owner = gdyn_limit_owner(course->row, course->rows, limit);
        if (limit.kind == GDYN_LIMIT_PATH) {
            printf("   the path wants a motion that no drive can serve\n");
        } else if (limit.kind == GDYN_LIMIT_FORWARD) {
            printf("   d1 >= 0: the path is driven forward\n");
        } else {
            print_limit(course, limit);
            if (isfinite(proof->needs[k])) {
                printf("   needs %s",
                       gdyn_amount(proof->needs[k], gdyn_limit_unit(owner, limit)).text);
            }
            printf("\n");
        }
    }
}

/* Why the path cannot be followed, and what to do. */
static void print_advice(const gdyn_course *course) {
    const gdyn_track *track = gdyn_supply_track(course->supply);
    gdyn_path_advice advice = {"", ""};
    if (!track || gdyn_advise_path(course->path, track, &advice) != GDYN_OK) {
        return;
    }
    if (advice.reason[0]) {
        printf("   %s\n", advice.reason);
    }
    if (advice.help[0]) {
        printf("   = help: %s\n", advice.help);
    }
}

/* The motions that no drive serves at the first place. */
static void print_undriven(const gdyn_course *course, double p) {
    const gdyn_coefficients *coefficients;
    gdyn_point_status found;
    if (course->path && gdyn_supply_at(course->supply, p, &coefficients, &found) == GDYN_OK &&
        found == GDYN_POINT_OK) {
        gdyn_print_undriven(stdout, gdyn_supply_state(course->supply), "   ");
    }
}

/* p of trajectory i, with its unit. */
static gdyn_words place(const command *run, int i, double p) {
    const gdyn_traverse *t = run->traverse[i];
    double length = t->points ? t->point[t->points - 1].p - t->point[0].p : 0;
    return gdyn_place(p, length, run->course[i].unit);
}

static void print_refusal(const command *run, int i) {
    const gdyn_traverse *t = run->traverse[i];
    const gdyn_certificate *proof = &t->certificate;
    const char *name = run->course[i].name;
    const gdyn_words words = place(run, i, t->place);
    const char *at = words.text, *unit = run->course[i].unit;
    switch (t->status) {
    case GDYN_TRAVERSE_UNFOLLOWED:
        printf("%s: p = %s: the machine cannot be assembled or follow the path\n", name, at);
        print_advice(&run->course[i]);
        break;
    case GDYN_TRAVERSE_EMPTY:
        printf("%s: p = %s: no (d1, d2) is accessible%s\n", name, at,
               proof->count == 1 && proof->limit[0].kind == GDYN_LIMIT_PATH
                   ? ""
                   : ": limits exclude each other");
        break;
    case GDYN_TRAVERSE_CURVE:
        printf(
            "%s: p = %s: the drives cannot serve every motion of the path; d2 is given by d1, and "
            "no\n   motion with the wanted speeds at the ends keeps the limits (--start-speed "
            "free --end-speed free: any)\n",
            name, at);
        break;
    case GDYN_TRAVERSE_BLOCKED:
        printf("%s: p = %s .. %s: no motion leads through here to the end: these limits leave no "
               "way\n",
               name, at, place(run, i, t->place_end).text);
        break;
    case GDYN_TRAVERSE_START:
        printf("%s: p = %s: the end can be reached only with a path speed from %.6g to %s at the "
               "start\n",
               name, at, t->start_low, gdyn_amount_per_time(t->start_high, unit, 1).text);
        break;
    case GDYN_TRAVERSE_SINGULAR:
        printf(
            "%s: p = %s: singular, the drives lose a freedom: beside this place the forces grow "
            "without\n   bound, and no motion is planned across it (globdyn regions says more)\n",
            name, at);
        break;
    case GDYN_TRAVERSE_RATE:
        printf("%s: no motion keeps the limits on the rate of the drive forces (without them T = "
               "%.8g s)\n   one was found when all limits and rates give way by %.4g %%\n",
               name, t->free_time, 100 * t->rate_excess);
        break;
    default:
        printf("%s: p = %s: the drives hold the machine there, but cannot move it on from rest so "
               "that "
               "it ends as wanted\n",
               name, at);
    }
    print_limits(run, i);
    if (t->status == GDYN_TRAVERSE_EMPTY || t->status == GDYN_TRAVERSE_CURVE) {
        print_undriven(&run->course[i], t->place);
    }
    if (t->relaxation < 1e-12) { /* rounding of the search for it */
        printf("   opens when all limits give way a little, however little\n");
    } else if (isfinite(t->relaxation)) {
        printf("   opens when all limits give way by %.4g %% of half their range\n",
               100 * t->relaxation);
    }
}

/* The force that comes nearest to its rate. */
static void print_greatest_rate(const gdyn_driven *d) {
    double most = -1;
    int row = -1;
    for (int k = 0; d->rate && k < d->rows; k++) {
        int at = gdyn_driven_fastest(d, k);
        double use = at >= 0 ? fabs(gdyn_driven_rate(d, k, at)) / d->rate[k] : -1;
        if (use > most) {
            most = use;
            row = k;
        }
    }
    if (row >= 0) {
        int at = gdyn_driven_fastest(d, row);
        const char *force = *d->row[row].unit ? d->row[row].unit : "1";
        printf("   greatest rate of a force: %s by %.6g %s/s at p = %s, %.4g %% of its limit\n",
               d->row[row].name, fabs(gdyn_driven_rate(d, row, at)), force,
               gdyn_amount(d->traverse->point[at].p, d->unit).text, 100 * most);
    }
}

/* Why no motion is the fastest. */
static void print_leaps(const command *run, int i) {
    const gdyn_traverse *t = run->traverse[i];
    const char *unit = run->course[i].unit;
    if (t->leaps > 0) {
        printf("   no motion is the fastest: the times of motions come as near as wished to one "
               "between %.8g and %.8g s,\n   but do not reach it\n",
               t->infimum[0], t->infimum[1]);
    }
    for (int k = 0; k < t->leaps; k++) {
        const gdyn_leap *leap = &t->leap[k];
        if (leap->p_end > leap->p) {
            printf(
                "   p = %.6g .. %s: nothing bounds d1 (a limit of the speed would); at both ends "
                "these limits do not feel d2:\n",
                leap->p, place(run, i, leap->p_end).text);
        } else {
            printf(
                "   p = %s: d1 changes from %.6g to %s in as short a way as wished: these limits "
                "do not feel d2 there:\n",
                place(run, i, leap->p).text, leap->d1_from,
                gdyn_amount_per_time(leap->d1_to, unit, 1).text);
        }
        for (int j = 0; j < leap->limit_count; j++) {
            print_limit(&run->course[i], leap->limit[j]);
            printf("\n");
        }
    }
}

static void print_motion(const command *run, int i) {
    const gdyn_traverse *t = run->traverse[i];
    int switches = 0;
    double fastest = 0, at = 0;
    for (int k = 0; k < t->points; k++) {
        switches += t->point[k].switching;
        if (t->point[k].d1 > fastest) {
            fastest = t->point[k].d1;
            at = t->point[k].p;
        }
    }
    printf("%s: T = %.8g s, between %.8g and %.8g s%s\n", run->course[i].name, t->time, t->lower,
           t->upper, t->converged ? "" : " (the bounds do not agree to the tolerance)");
    print_leaps(run, i);
    for (int k = 0; k < t->dwells; k++) {
        printf("   the machine stands still from p = %.6g to %s: nothing bounds d1 there, that "
               "takes no time\n",
               t->dwell[k][0], place(run, i, t->dwell[k][1]).text);
    }
    for (int k = 0; k < t->jumps; k++) {
        printf("   stops at p = %s: dry forces change at once there, and drives with a limit on "
               "the rate of their force cannot\n",
               place(run, i, t->jump[k]).text);
    }
    if (t->force) {
        printf(
            "   limits on the rate of forces: T without them%s %.8g s (and that lower bound), the "
            "last\n   refinement changed T by %.2g\n",
            t->jumps > 0 ? ", with these stops," : "", t->free_time, t->rate_error);
        print_greatest_rate(&run->driven[i]);
    }
    printf("   greatest d1 %s at p = %s, %d grid point%s, %d switching point%s\n",
           gdyn_amount_per_time(fastest, run->course[i].unit, 1).text, place(run, i, at).text,
           t->points, gdyn_plural(t->points), switches, gdyn_plural(switches));
    if (t->drift > 0) {
        printf("   the pose depends on the way there: its estimated error may change a limit by "
               "%.1e of "
               "half its range (part of the bounds)\n",
               t->drift);
    }
    if (t->violation <= 1e-9) {
        printf("   audit of %d place%s: no limit is violated by more than 1e-9 of half its range\n",
               t->audits, gdyn_plural(t->audits));
    } else {
        printf("   audit of %d place%s: LIMITS ARE VIOLATED by %.2g of half a range at p = %s\n",
               t->audits, gdyn_plural(t->audits), t->violation, place(run, i, t->violation_p).text);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static gdyn_status write_tables(const command *run, const char *folder) {
    gdyn_text csv = {0}, audit = {0}, json = {0};
    gdyn_report_traverse_csv(&csv, run->count, run->driven);
    gdyn_report_audit_csv(&audit, run->count, run->driven);
    gdyn_status status = gdyn_report_traverse_json(&json, run->case_name, run->count, run->driven);
    if (status == GDYN_OK && run->options->json) {
        fwrite(json.data, 1, json.length, stdout);
    }
    gdyn_status first = gdyn_cli_write(folder, "traverse.csv", &csv);
    gdyn_status second = gdyn_cli_write(folder, "audit.csv", &audit);
    gdyn_status third = gdyn_cli_write(folder, "traverse.json", &json), fourth = GDYN_OK;
    if (run->poses) {
        fourth = gdyn_cli_write(folder, "poses.csv", gdyn_pose_table_text(run->poses));
    }
    return status ? status : first ? first : second ? second : third ? third : fourth;
}

static gdyn_status write_pictures(const command *run, const char *folder) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_pictures pictures = {.partial = run->options->trajectory != NULL};
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < run->count && status == GDYN_OK; i++) {
        status = gdyn_pictures_of_motion(folder, &run->driven[i], &pictures, &console);
    }
    if (status == GDYN_OK) {
        status = gdyn_cli_draw(run->options, folder, "traverse", &pictures);
    }
    gdyn_pictures_free(&pictures);
    return status;
}

static int write_results(const command *run) {
    const char *source =
        run->options->coefficients ? run->options->coefficients : run->opened.filename;
    char *folder = gdyn_results_folder(run->options, source);
    if (!folder) {
        return GDYN_EXIT_FILE;
    }
    gdyn_status status = write_tables(run, folder);
    if (status == GDYN_OK && !run->options->no_pictures) {
        status = write_pictures(run, folder);
    }
    if (status == GDYN_OK) {
        gdyn_cli_note(run->options, "Results are in %s/", folder);
    }
    gdyn_free(folder);
    return gdyn_exit_code(status);
}

/* --- the command ------------------------------------------------------------------------------ */

static int solve_one(command *run, int i, int trajectory) {
    gdyn_course *course = &run->course[i];
    int code = gdyn_course_open(run->options, run->options->coefficients ? NULL : &run->opened,
                                trajectory, course);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    if (run->settings.periodic && course->path && !gdyn_supply_closed(course->supply)) {
        gdyn_cli_error("trajectory '%s' is not closed: there is no periodic motion", course->name);
        return GDYN_EXIT_USAGE;
    }
    run->traverse[i] = gdyn_traverse_create();
    gdyn_status status = run->traverse[i] ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && !run->options->no_rates) {
        status = gdyn_supply_rates(course->supply, &run->settings.rate);
    }
    if (status == GDYN_OK && run->settings.rate && run->settings.periodic) {
        gdyn_cli_error("periodic motions know no limits on the rate of forces");
        fprintf(stderr, "      = help: --no-rates leaves these limits out\n");
        return GDYN_EXIT_USAGE;
    }
    if (run->settings.rate && run->sharing.smooth > 0) {
        gdyn_cli_note(run->options, "limits on the rate of forces plan them: --smooth has no say");
        run->sharing.smooth = 0;
    }
    if (status == GDYN_OK) {
        gdyn_progress progress = gdyn_progress_begin(run->options);
        progress.name = course->name;
        gdyn_supply_watch(course->supply, gdyn_progress_places, &progress);
        status = gdyn_traverse_run(run->traverse[i], course->supply, &run->settings);
        gdyn_supply_watch(course->supply, NULL, NULL);
        gdyn_progress_end(&progress);
    }
    run->driven[i] = (gdyn_driven){.name = course->name,
                                   .unit = course->unit,
                                   .traverse = run->traverse[i],
                                   .rows = course->rows,
                                   .row = course->row,
                                   .shared = &run->shared[i],
                                   .smooth = run->sharing.smooth,
                                   .rate = run->settings.rate};
    if (status == GDYN_OK) {
        status = find_forces(run, i);
    }
    if (status != GDYN_OK) {
        gdyn_cli_error("trajectory '%s': %s", course->name, gdyn_status_text(status));
    }
    return gdyn_exit_code(status);
}

static int open_all(command *run, int *first, int *count) {
    *first = 0;
    *count = 1;
    if (run->options->coefficients) {
        run->case_name = run->options->coefficients;
        if (run->options->count > 0 || run->options->set.count > 0) {
            gdyn_cli_error("--coefficients stands alone: no case, no --set");
            return GDYN_EXIT_USAGE;
        }
        return GDYN_EXIT_YES;
    }
    int code = gdyn_open_case(run->options, run->options->operand[0], &run->opened);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_need_machine(&run->opened);
    }
    if (code == GDYN_EXIT_YES) {
        code = gdyn_choose_trajectories(run->options, run->opened.instance, first, count);
    }
    if (code == GDYN_EXIT_YES &&
        (*count == 0 || gdyn_model_drives(run->opened.instance->model) == 0)) {
        gdyn_cli_error("%s has no %s", run->opened.filename,
                       *count == 0 ? "trajectories" : "drives");
        return GDYN_EXIT_CASE;
    }
    run->case_name = code == GDYN_EXIT_YES ? run->opened.instance->name : "";
    return code;
}

/* The table of poses; p has a unit there when it is the same for all trajectories. */
static bool open_poses(command *run, int first, int count) {
    const gdyn_instance *instance = run->opened.instance;
    const char **unit = gdyn_alloc((size_t)instance->drive_count + 1, sizeof *unit);
    run->speed = gdyn_alloc((size_t)instance->drive_count + 1, sizeof *run->speed);
    if (!unit || !run->speed) {
        gdyn_free(unit);
        return false;
    }
    const char *of_p = gdyn_path_unit_of_p(&instance->trajectory[first]);
    for (int i = first + 1; i < first + count; i++) {
        of_p = strcmp(of_p, gdyn_path_unit_of_p(&instance->trajectory[i])) ? "" : of_p;
    }
    for (int i = 0; i < instance->drive_count; i++) {
        const char *effort = instance->drive_source[i].unit;
        unit[i] = !strcmp(effort, "N") ? "m" : !strcmp(effort, "N m") ? "rad" : "";
    }
    run->poses = gdyn_pose_table_create(instance->model, of_p, unit);
    gdyn_free(unit);
    return run->poses != NULL;
}

static int solve_all(command *run) {
    int first, count, code = open_all(run, &first, &count);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    size_t n = (size_t)count;
    run->course = gdyn_alloc(n, sizeof *run->course);
    run->traverse = gdyn_alloc(n, sizeof *run->traverse);
    run->driven = gdyn_alloc(n, sizeof *run->driven);
    run->shared = gdyn_alloc(n, sizeof *run->shared);
    run->sample = gdyn_alloc(n, sizeof *run->sample);
    if (!run->course || !run->traverse || !run->driven || !run->shared || !run->sample) {
        return GDYN_EXIT_INTERNAL;
    }
    if (!run->options->coefficients && !open_poses(run, first, count)) {
        return GDYN_EXIT_INTERNAL;
    }
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        run->count = i + 1;
        code = solve_one(run, i, first + i);
    }
    return code;
}

static void finish(command *run) {
    for (int i = 0; i < run->count; i++) {
        gdyn_shared_clear(&run->shared[i]);
        gdyn_free(run->sample[i]);
        gdyn_traverse_destroy(run->traverse[i]);
        gdyn_course_close(&run->course[i]);
    }
    gdyn_free(run->course);
    gdyn_free(run->traverse);
    gdyn_free(run->driven);
    gdyn_free(run->shared);
    gdyn_free(run->sample);
    gdyn_free(run->speed);
    gdyn_pose_table_destroy(run->poses);
    gdyn_close_case(&run->opened);
}

static int answer(const command *run) {
    bool all = true;
    for (int i = 0; i < run->count; i++) {
        bool moving = run->traverse[i]->status == GDYN_TRAVERSE_OK;
        all &= moving;
        if (!run->options->json && moving) {
            print_motion(run, i);
            gdyn_course_print_changes(&run->course[i], &run->shared[i], &run->sharing,
                                      run->sample[i]);
        } else if (!run->options->json) {
            print_refusal(run, i);
        }
    }
    int code = write_results(run);
    return code != GDYN_EXIT_YES ? code : all ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

int gdyn_cmd_traverse(const gdyn_options *options) {
    command run = {.options = options, .settings = gdyn_traverse_default()};
    run.settings.start_speed = options->start_speed.value;
    run.settings.end_speed = options->end_speed.value;
    run.settings.periodic = options->periodic;
    run.settings.tolerance =
        options->tolerance.value > 0 ? options->tolerance.value : run.settings.tolerance;
    if (options->tolerance.value > 0) {
        run.settings.max_points = 8001; /* asked for by name: it may take longer */
    }
    run.sharing = gdyn_course_sharing(options);
    int code = solve_all(&run);
    if (code == GDYN_EXIT_YES) {
        code = answer(&run);
    }
    finish(&run);
    return code;
}
