/* cmd_feasible.c - the verdict on a motion given as a table: at its samples and between them. */
#include "cli/drive.h"
#include "cli/files.h"

#include "base/memory.h"
#include "cli/motion_file.h"
#include "cli/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limits that a file's rounded numbers may seem to violate, in half ranges. */
static const double TOLERANCE = 1e-6;
enum { BETWEEN = 10 }; /* steps from sample to sample */
/* Share of the path below which a motion is doubted: mm for m and ms for s are a thousandth. */
static const double SHORT = 0.01;

typedef struct judgement {
    const gdyn_options *options;
    gdyn_opened *opened; /* NULL with --coefficients */
    const char *case_name;
    gdyn_course course;
    gdyn_motion_file motion;
    gdyn_share_settings sharing;
    int places;
    gdyn_sample *place; /* places: the ways between the samples */
    double *at_place;   /* places: violation */
    double *violation;  /* samples: at the sample and behind it */
    double *reach;      /* 2 x samples: greatest accessible d1, speed limit */
    gdyn_feasibility result;
    gdyn_shared shared;
    gdyn_traverse *drawn; /* the samples as a motion */
    gdyn_driven driven;
    char verdict[300];
} judgement;

/* --- the verdict ------------------------------------------------------------------------------ */

static gdyn_status reserve(judgement *j) {
    size_t count = (size_t)j->motion.count, places = (count - 1) * (BETWEEN + 1) + 1;
    j->place = gdyn_alloc(places, sizeof *j->place);
    j->at_place = gdyn_alloc(places, sizeof *j->at_place);
    j->violation = gdyn_alloc(count, sizeof *j->violation);
    j->reach = gdyn_alloc(2 * count, sizeof *j->reach);
    j->drawn = gdyn_traverse_create();
    if (!j->place || !j->at_place || !j->violation || !j->reach || !j->drawn) {
        return GDYN_ERROR_MEMORY;
    }
    j->drawn->point = gdyn_alloc(count, sizeof *j->drawn->point);
    return j->drawn->point ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* The ways between the samples, with times where the file has none. */
static void make_places(judgement *j) {
    gdyn_motion_file *m = &j->motion;
    double first = gdyn_supply_first(j->course.supply), last = gdyn_supply_last(j->course.supply);
    j->places = gdyn_motion_places(m->count, m->sample, m->before, m->between, BETWEEN, j->place);
    for (int i = 0; i < j->places; i++) {
        j->place[i].p = fmin(fmax(j->place[i].p, first), last);
        if (i % (BETWEEN + 1) == BETWEEN) {
            j->place[i].p =
                gdyn_motion_end(j->course.supply, j->place[i - BETWEEN].p, j->place[i].p);
        }
    }
    if (!m->timed) {
        m->timed = gdyn_motion_times(j->places, j->place);
        for (int i = 0; i < m->count; i++) {
            m->sample[i].t = j->place[i * (BETWEEN + 1)].t;
        }
    }
}

static void gather_violations(judgement *j) {
    for (int i = 0; i < j->motion.count; i++) {
        int from = i * (BETWEEN + 1), to = i + 1 < j->motion.count ? from + BETWEEN : from;
        j->violation[i] = -INFINITY;
        for (int k = from; k <= to; k++) {
            j->violation[i] = fmax(j->violation[i], j->at_place[k]);
        }
    }
}

static gdyn_status find_verdict(judgement *j) {
    gdyn_status status = reserve(j);
    if (status != GDYN_OK) {
        return status;
    }
    make_places(j);
    status = gdyn_motion_check(j->course.supply, j->places, j->place, TOLERANCE, j->at_place,
                               &j->result);
    if (status == GDYN_OK) {
        gather_violations(j);
        status = gdyn_motion_reach(j->course.supply, j->motion.count, j->motion.sample, j->reach,
                                   j->reach + j->motion.count);
    }
    if (status == GDYN_OK) {
        status = gdyn_share_motion(&j->shared, j->course.supply, j->course.rows, j->motion.count,
                                   j->motion.sample, j->motion.before, &j->sharing, NULL, NULL);
    }
    return status;
}

/* --- the motion as points ------------------------------------------------------------------------ */

/* Limits that are violated at a sample. */
static void mark_limits(const judgement *j, int i, gdyn_motion_point *point) {
    const gdyn_shared *s = &j->shared;
    if (point->d1 > j->reach[j->motion.count + i] * (1 + TOLERANCE)) {
        point->limit[point->limit_count++] = gdyn_limit_speed(j->course.speed_row);
    }
    for (int row = 0; row < s->rows && point->limit_count < GDYN_ACTIVE_MAX; row++) {
        int at = i * s->rows + row;
        double unit = s->unit[row] > 0 ? s->unit[row] : 1, slack = TOLERANCE * unit;
        if (s->n[at] > s->max[at] + slack || s->n[at] < s->min[at] - slack) {
            int side = s->n[at] > s->max[at] ? 1 : -1;
            point->limit[point->limit_count++] = gdyn_limit_force(row, side);
        }
    }
}

static void make_points(judgement *j) {
    const gdyn_motion_file *m = &j->motion;
    gdyn_traverse *t = j->drawn;
    t->status = GDYN_TRAVERSE_OK;
    t->points = t->capacity = m->count;
    t->time = m->timed ? m->sample[m->count - 1].t : NAN;
    t->lower = t->upper = NAN;
    for (int i = 0; i < m->count; i++) {
        const gdyn_sample *s = &m->sample[i];
        t->point[i] = (gdyn_motion_point){.p = s->p,
                                          .t = s->t,
                                          .d1 = s->d1,
                                          .d2 = s->d2,
                                          .d2_before = m->before[i],
                                          .k_low = NAN,
                                          .k_high = NAN,
                                          .d1_max = j->reach[i]};
        mark_limits(j, i, &t->point[i]);
    }
}

static void describe(judgement *j) {
    const gdyn_feasibility *r = &j->result;
    size_t size = sizeof j->verdict;
    if (r->feasible && isfinite(r->margin)) {
        snprintf(j->verdict, size, "feasible, could be run %.4g times as fast", r->margin);
    } else if (r->feasible) {
        snprintf(j->verdict, size, "feasible at any speed");
    } else if (!isnan(r->singular)) {
        snprintf(j->verdict, size, "not feasible: singular at p = %s",
                 gdyn_amount(r->singular, j->course.unit).text);
    } else if (isfinite(r->slowdown)) {
        snprintf(j->verdict, size, "not feasible; feasible when slowed down %.4g times",
                 r->slowdown);
    } else {
        snprintf(j->verdict, size, "not feasible, however slowly");
    }
    j->driven = (gdyn_driven){.name = j->course.name,
                              .unit = j->course.unit,
                              .traverse = j->drawn,
                              .rows = j->course.rows,
                              .row = j->course.row,
                              .shared = &j->shared,
                              .smooth = j->sharing.smooth,
                              .verdict = j->verdict,
                              .between = j->motion.between,
                              .violation = j->violation};
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_where(const judgement *j, const gdyn_sample *s) {
    printf("p = %s", gdyn_amount(s->p, j->course.unit).text);
    if (!isnan(s->t)) {
        printf(", t = %.6g s", s->t);
    }
}

static void print_amount(const judgement *j, const gdyn_violation *v) {
    const char *unit = j->course.row[v->shares.worst.row].unit;
    bool range = isfinite(v->half_range);
    if (range) {
        printf("%.4g %% of half its range (", 100 * v->amount / v->half_range);
    }
    printf("%.4g%s%s%s", v->amount, *unit ? " " : "", unit, range ? ")" : "");
}

static void print_place(const judgement *j, const char *word, const gdyn_violation *v) {
    const gdyn_shares *shares = &v->shares;
    const gdyn_sample *s = &j->place[v->at];
    int k = v->at % (BETWEEN + 1);
    printf("   %s violation at ", word);
    print_where(j, s);
    printf(" (%sd1 = %s, d2 = %s): ", k > 0 && k < BETWEEN ? "between samples, " : "",
           gdyn_amount_per_time(s->d1, j->course.unit, 1).text,
           gdyn_amount_per_time(s->d2, j->course.unit, 2).text);
    if (shares->found != GDYN_POINT_OK) {
        printf("the machine cannot be there\n");
    } else if (shares->worst.kind == GDYN_LIMIT_PATH) {
        printf("a motion that no drive can serve\n");
    } else if (shares->worst.kind == GDYN_LIMIT_SPEED) {
        printf("speed of %s by %.4g %%\n",
               gdyn_limit_name(j->course.row, j->course.rows, shares->worst),
               100 * shares->violation);
    } else {
        printf("%s %s by ", gdyn_limit_name(j->course.row, j->course.rows, shares->worst),
               shares->worst.side > 0 ? "max" : "min");
        print_amount(j, v);
        gdyn_print_limit_line(stdout, j->course.opened,
                              gdyn_limit_owner(j->course.row, j->course.rows, shares->worst),
                              shares->worst);
        printf("\n");
    }
}

static void print_margin(const judgement *j) {
    const gdyn_feasibility *r = &j->result;
    if (!isfinite(r->margin)) {
        printf("   could be run as fast as wished\n");
        return;
    }
    printf("   could be run %.6g times as fast", r->margin);
    if (r->margin_at >= 0 && r->margin_limit.kind != GDYN_LIMIT_PATH) {
        printf("; then %s is at its %s at ",
               gdyn_limit_name(j->course.row, j->course.rows, r->margin_limit),
               r->margin_limit.kind == GDYN_LIMIT_SPEED ? "speed limit"
               : r->margin_limit.side > 0               ? "max"
                                                        : "min");
        print_where(j, &j->place[r->margin_at]);
    }
    printf("\n");
}

static void print_verdict(const judgement *j) {
    const gdyn_feasibility *r = &j->result;
    if (r->feasible) {
        int between = (j->motion.count - 1) * (BETWEEN - 1);
        printf("%s: feasible: no limit is violated at %d sample%s and %d place%s between them\n",
               j->course.name, j->motion.count, gdyn_plural(j->motion.count), between,
               gdyn_plural(between));
        print_margin(j);
    } else {
        printf("%s: not feasible\n", j->course.name);
        if (!isnan(r->singular)) {
            printf("   singular at p = %s: the drives lose a freedom; beside this place the "
                   "forces grow without bound\n",
                   gdyn_amount(r->singular, j->course.unit).text);
        }
        if (r->first.at >= 0) {
            print_place(j, "first", &r->first);
            print_place(j, "worst", &r->worst);
        }
        if (isfinite(r->slowdown)) {
            printf("   feasible when slowed down uniformly: time x %.6g\n", r->slowdown);
        } else {
            printf("   no uniform slow-down makes it feasible\n");
        }
    }
    gdyn_course_print_changes(&j->course, &j->shared, &j->sharing, j->motion.sample);
}

/* --- files ------------------------------------------------------------------------------------ */

static gdyn_status write_pictures(const judgement *j, const char *folder) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_pictures pictures = {.partial = true}; /* of other trajectories */
    gdyn_status status = gdyn_pictures_of_motion(folder, &j->driven, &pictures, &console);
    if (status == GDYN_OK) {
        status = gdyn_cli_draw(j->options, folder, "feasible", &pictures);
    }
    gdyn_pictures_free(&pictures);
    return status;
}

static gdyn_status write_tables(const judgement *j, const char *folder) {
    gdyn_judged judged = {&j->driven, &j->result, j->places, j->place, j->at_place};
    gdyn_text csv = {0}, json = {0};
    gdyn_report_feasible_csv(&csv, &judged);
    gdyn_status status = gdyn_report_feasible_json(&json, j->case_name, &judged);
    if (status == GDYN_OK && j->options->json) {
        fwrite(json.data, 1, json.length, stdout);
    }
    gdyn_status first = gdyn_cli_write(folder, "feasible.csv", &csv);
    gdyn_status second = gdyn_cli_write(folder, "feasible.json", &json);
    return status ? status : first ? first : second;
}

static int write_results(const judgement *j) {
    const char *source = j->opened ? j->opened->filename : j->options->coefficients;
    char *folder = gdyn_results_folder(j->options, source);
    if (!folder) {
        return GDYN_EXIT_FILE;
    }
    gdyn_status status = write_tables(j, folder);
    if (status == GDYN_OK && !j->options->no_pictures) {
        status = write_pictures(j, folder);
    }
    if (status == GDYN_OK) {
        gdyn_cli_note(j->options, "Results are in %s/", folder);
    }
    gdyn_free(folder);
    return gdyn_exit_code(status);
}

/* --- the command ------------------------------------------------------------------------------ */

static int conclude(judgement *j) {
    gdyn_status status = find_verdict(j);
    if (status != GDYN_OK) {
        gdyn_cli_error("%s", gdyn_status_text(status));
        return gdyn_exit_code(status);
    }
    if (j->sharing.smooth > 0 && !j->motion.timed) {
        gdyn_cli_error("--smooth wants a motion with a clock: this one stands still on its way");
        return GDYN_EXIT_CASE;
    }
    make_points(j);
    describe(j);
    if (!j->options->json) {
        print_verdict(j);
    }
    int code = write_results(j);
    return code != GDYN_EXIT_YES ? code : j->result.feasible ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

/* A motion over next to nothing of the path is mostly one in other units. */
static void warn_of_short_way(const judgement *j) {
    const gdyn_motion_file *m = &j->motion;
    double whole = gdyn_supply_last(j->course.supply) - gdyn_supply_first(j->course.supply);
    double way = m->sample[m->count - 1].p - m->sample[0].p;
    if (m->count > 1 && fabs(way) < SHORT * fabs(whole)) {
        gdyn_cli_note(j->options,
                      "warning: %s: the motion covers %.2g %% of '%s' (%.6g of %s): are the "
                      "units of its columns right?",
                      m->filename, 100 * way / whole, j->course.name, way,
                      gdyn_amount(whole, j->course.unit).text);
    }
}

static int judge(const gdyn_options *options, gdyn_opened *opened, int trajectory) {
    judgement j = {.options = options, .opened = opened};
    j.case_name = opened ? opened->instance->name : options->coefficients;
    int code = gdyn_course_open(options, opened, trajectory, &j.course);
    j.sharing = gdyn_course_sharing(options);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_motion_file_read(&j.motion, options->motion, j.course.name, j.course.dimension,
                                     gdyn_supply_first(j.course.supply),
                                     gdyn_supply_last(j.course.supply));
    }
    if (code == GDYN_EXIT_YES) {
        warn_of_short_way(&j);
        j.sharing.between = j.motion.between;
        code = conclude(&j);
    }
    gdyn_free(j.place);
    gdyn_free(j.at_place);
    gdyn_free(j.violation);
    gdyn_free(j.reach);
    gdyn_traverse_destroy(j.drawn);
    gdyn_shared_clear(&j.shared);
    gdyn_motion_file_close(&j.motion);
    gdyn_course_close(&j.course);
    return code;
}

int gdyn_cmd_feasible(const gdyn_options *options) {
    if (!options->motion) {
        gdyn_cli_error("globdyn feasible wants --motion FILE");
        return GDYN_EXIT_USAGE;
    }
    if (options->coefficients) {
        return judge(options, NULL, 0);
    }
    gdyn_opened opened = {0};
    int first, count, code = gdyn_open_case(options, options->operand[0], &opened);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_need_machine(&opened);
    }
    if (code == GDYN_EXIT_YES) {
        code = gdyn_choose_trajectories(options, opened.instance, &first, &count);
    }
    if (code == GDYN_EXIT_YES && count != 1) {
        gdyn_cli_error("the case has %s: --trajectory NAME picks the one",
                       count ? "several trajectories" : "no trajectories");
        code = count ? GDYN_EXIT_USAGE : GDYN_EXIT_CASE;
    } else if (code == GDYN_EXIT_YES && gdyn_model_drives(opened.instance->model) == 0) {
        gdyn_cli_error("%s has no drives", opened.filename);
        code = GDYN_EXIT_CASE;
    }
    if (code == GDYN_EXIT_YES) {
        code = judge(options, &opened, first);
    }
    gdyn_close_case(&opened);
    return code;
}
