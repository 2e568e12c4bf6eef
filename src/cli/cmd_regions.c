/* cmd_regions.c - accessible regions along the trajectories: tables, documents, pictures, and why
 * there is none where there is none. */
#include "cli/cli.h"

/* --- text ------------------------------------------------------------------------------------- */

/* A value of a criterion (-1: of none) as people read it, "-" where there is none. */
static void value_text(int criterion, double value, char *out, size_t size) {
    if (isnan(value))
        snprintf(out, size, "-");
    else if (isinf(value))
        snprintf(out, size, "%s", gdyn_criterion_unbounded(criterion, value));
    else
        snprintf(out, size, "%.6g", value + 0.0); /* no -0 */
}

static gdyn_words unit_text(int criterion, const gdyn_trajectory *t) {
    const char *share = gdyn_criterion_table[criterion].share;
    gdyn_words words = gdyn_criterion_unit((gdyn_criterion)criterion, t->unit, "");
    if (share)
        snprintf(words.text, sizeof words.text, "%s", share);
    return words;
}

/* Criteria as rows, trajectories as columns; a unit stands at the value where they differ. */
static void print_summary(const gdyn_session *run) {
    const gdyn_instance *instance = run->opened.instance;
    bool ranges = instance && instance->model && gdyn_model_ranges(instance->model) > 0;
    /* Names of the trajectories. */
    printf("%-30s %-9s", "", "");
    for (int i = 0; i < run->count; i++)
        printf(" %18s", run->trajectory[i].name);
    printf("\n");
    for (int v = -1; (v = gdyn_criteria_next(&run->trajectory[0].criteria, v)) >= 0;) {
        /* all trajectories measure it in the same unit */
        bool same = true;
        for (int i = 1; i < run->count && gdyn_criterion_table[v].p != 0; i++)
            same &= strcmp(run->trajectory[i].unit, run->trajectory[0].unit) == 0;
        /* Ranges only where some are given. */
        if (gdyn_criterion_table[v].presumes & GDYN_PRESUMES_RANGES && !ranges)
            continue;
        /* a long name runs on where no unit stands */
        char head[160];
        snprintf(head, sizeof head, "%-30s %s", gdyn_criterion_table[v].label,
                 same ? unit_text(v, &run->trajectory[0]).text : "");
        printf("%-40s", head);
        for (int i = 0; i < run->count; i++) {
            char text[32], cell[80];
            double value = run->trajectory[i].criteria.value[v];
            bool unit = !same && isfinite(value); /* words have none */
            value_text(v, value, text, sizeof text);
            snprintf(cell, sizeof cell, "%s%s%s", text, unit ? " " : "",
                     unit ? unit_text(v, &run->trajectory[i]).text : "");
            printf(" %18s", cell);
        }
        printf("\n");
    }
}

/* How well the criteria are known where points were inserted: the one with the largest error.
 * Values smaller than their errors have none as a share. */
static void print_errors(const gdyn_trajectory *t) {
    int worst = -1, unknown = -1;
    double most = 0;
    for (int i = -1; t->error && (i = gdyn_criteria_next(t->error, i)) >= 0;) {
        double share = t->error->value[i] / fabs(t->criteria.value[i]);
        if (share > 1)
            unknown = unknown < 0 ? i : unknown;
        else if (share > most)
            worst = i, most = share;
    }
    if (worst < 0 && unknown < 0)
        return;
    printf("%s: %d points; ", t->name, t->along.points);
    if (gdyn_path_hides(t->path)) {
        printf(
            "the path has more bends than these points show: errors of the criteria are unknown\n");
        return;
    }
    if (unknown >= 0)
        printf("%s is less than its estimated error, %.2g %s%s", gdyn_criterion_table[unknown].name,
               t->error->value[unknown], unit_text(unknown, t).text,
               worst >= 0 ? "; of all others the error is at most " : "\n");
    else
        printf("estimated error of the criteria: at most ");
    if (worst >= 0)
        printf("%.2g %% (%s)\n", 100 * most, gdyn_criterion_table[worst].name);
}

static void print_active(const gdyn_trajectory *t, const gdyn_limit *active, int count) {
    for (int i = 0; i < count; i++) {
        printf("%s%s %s", i ? ", " : "", gdyn_limit_name(t->row, t->rows, active[i]),
               gdyn_limit_side(active[i]));
    }
    printf("\n");
}

static void print_arcs(const gdyn_trajectory *t, const char *side, const gdyn_arc *arc, int count) {
    /* "upper  0 .. 2.5  d2 = a d1^2 + b d1 + c   limits". */
    for (int i = 0; i < count; i++) {
        char to[32];
        value_text(-1, arc[i].to, to, sizeof to);
        printf("  %s %10.6g .. %-10s d2 = %.6g d1^2 %+.6g d1 %+.6g   ", side, arc[i].from, to,
               arc[i].a + 0.0, arc[i].b + 0.0, arc[i].c + 0.0);
        print_active(t, arc[i].active, arc[i].active_count);
    }
}

/* The regions asked for with --at, arc by arc. */
static void print_at(const gdyn_trajectory *t) {
    for (int i = 0; i < t->at.points; i++) {
        const gdyn_region *region = t->at.region[i];
        char d1_max[32], area[32];
        /* The heading: maximum d1, area, rest. */
        value_text(-1, region->island_count ? region->d1_max : NAN, d1_max, sizeof d1_max);
        value_text(-1, region->area, area, sizeof area);
        gdyn_words of_d1 = unit_text(GDYN_CRITERION_D1_MAX, t);
        gdyn_words of_d2 = unit_text(GDYN_CRITERION_REST_MAX, t);
        gdyn_words of_area = unit_text(GDYN_CRITERION_AREA, t);
        printf("\n%s at p = %s: %s", t->name, gdyn_amount(t->at.p[i], t->unit).text,
               t->at.status[i]);
        if (region->island_count > 0)
            printf(", maximum d1 %s %s, area %s %s", d1_max, of_d1.text, area, of_area.text);
        if (region->rest) {
            printf(", at rest d2 in [%.6g, %.6g] %s", region->rest_min, region->rest_max,
                   of_d2.text);
        }
        if (region->upper_count > 0)
            printf("; d1 in %s, d2 in %s", of_d1.text, of_d2.text);
        printf("\n");
        /* Then the envelopes and the ends of the islands. */
        print_arcs(t, "upper", region->upper, region->upper_count);
        print_arcs(t, "lower", region->lower, region->lower_count);
        for (int k = 0; k < region->island_count; k++) {
            const gdyn_island *island = &region->island[k];
            if (island->right_count > 0) {
                printf("  right end at d1 = %s   ",
                       gdyn_amount_per_time(island->to, t->unit, 1).text);
                print_active(t, island->right, island->right_count);
            }
        }
    }
}

/* --- the places of --at ----------------------------------------------------------------------- */

/* The places on a trajectory; false with a message where one is none of it. */
static bool places_of(const gdyn_session *run, const gdyn_trajectory *t, int count,
                      const gdyn_quantity *place, double *p) {
    double first = t->along.p[0], last = t->along.p[t->along.points - 1];
    for (int k = 0; k < count; k++) {
        char unit[64];
        bool fits = gdyn_dimension_fits(place[k].dimension, t->dimension);
        p[k] = place[k].value;
        /* Within the range of p and of its dimension. */
        if (fits && p[k] >= fmin(first, last) && p[k] <= fmax(first, last))
            continue;
        if (fits) {
            gdyn_cli_error(
                GDYN_CODE_ABSENT "--at %s lies outside trajectory '%s' (p from %.6g to %s)",
                gdyn_amount(p[k], t->unit).text, t->name, first, gdyn_amount(last, t->unit).text);
        } else {
            gdyn_cli_error(GDYN_CODE_OPTION "--at: the unit %s does not fit: p of '%s' is %s%s",
                           gdyn_dimension_text(place[k].dimension, unit, sizeof unit), t->name,
                           *t->unit ? "in " : "a pure number", t->unit);
        }
        if (run->count > 1)
            gdyn_cli_help("--trajectory NAME selects one");
        return false;
    }
    return true;
}

/* Regions at the points of --at for every trajectory. */
static int analyse_at(gdyn_session *run) {
    gdyn_quantity *place;
    int count, code = gdyn_parse_places(run->options->at, run->opened.instance, &place, &count);
    if (code != GDYN_EXIT_YES)
        return code;
    double *p = calloc((size_t)count + 1, sizeof *p);
    code = p ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
    /* The same places on all trajectories. */
    for (int i = 0; i < run->count && code == GDYN_EXIT_YES; i++) {
        gdyn_trajectory *t = &run->trajectory[i];
        gdyn_stage("the points of --at on trajectory '%s'", t->name);
        code = places_of(run, t, count, place, p)
                   ? gdyn_session_judge(t, gdyn_trajectory_regions_at(t, count, p))
                   : GDYN_EXIT_USAGE;
    }
    free(p), free(place);
    return code;
}

/* --- the command ------------------------------------------------------------------------------ */

static gdyn_status analyse_one(void *context, gdyn_trajectory *t, int number) {
    (void)number;
    const gdyn_options *options = ((const gdyn_session *)context)->options;
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASSES_OF_REGIONS);
    if (status == GDYN_OK && options->no_pictures && !options->at)
        gdyn_trajectory_drop_poses(t);
    return status;
}

/* Poses of long paths take memory: one path at a time, unless threads are asked for. */
enum { MANY_POINTS = 20000 };

/* Text and files; no when a point has no region. */
static int answer(const gdyn_session *run) {
    bool accessible = true;
    for (int i = 0; i < run->count; i++) {
        /* Criteria of a path that is followed in part hold for that part only. */
        const gdyn_trajectory *t = &run->trajectory[i];
        if (t->track) {
            gdyn_note_entry(run->options, t->name, t->unit, t->track);
            gdyn_note_gaps(run->options, t->name, t->path, gdyn_trajectory_points(t));
        }
        gdyn_note_cut(run->options, t);
        accessible &= gdyn_trajectory_accessible(t);
    }
    if (!run->options->json) {
        print_summary(run);
        for (int i = 0; i < run->count; i++)
            print_errors(&run->trajectory[i]);
        for (int i = 0; i < run->count; i++)
            print_at(&run->trajectory[i]);
        for (int i = 0; i < run->count; i++)
            gdyn_print_singularities(&run->trajectory[i]);
        for (int i = 0; i < run->count; i++)
            gdyn_print_certificates(&run->trajectory[i]);
    }
    gdyn_results results = {.command = "regions",
                            .file = {{"regions.csv", .table = gdyn_report_regions_csv},
                                     {"regions.json", .document = gdyn_report_regions_json},
                                     {run->options->write_coefficients ? "coefficients.csv" : NULL,
                                      .table = gdyn_report_coefficients_csv}},
                            .partial = run->options->trajectory != NULL,
                            .draw = gdyn_pictures_of_regions};
    int code = gdyn_session_write(run, &results);
    return code != GDYN_EXIT_YES ? code : accessible ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

int gdyn_cmd_regions(gdyn_session *run) {
    const gdyn_options *options = run->options;
    const gdyn_trajectory *first = &run->trajectory[0];
    bool long_path = false;
    for (int i = 0; i < run->count; i++) {
        gdyn_trajectory *t = &run->trajectory[i];
        t->settings.projection = (gdyn_projection)options->method;
        t->settings.reduction = (gdyn_reduction)options->reduction;
        /* coefficients that are written are kept */
        t->settings.lean = !options->write_coefficients;
        long_path |= t->path && gdyn_path_points(t->path) > MANY_POINTS;
    }
    if (first->path) {
        gdyn_stage(run->count == 1 ? "trajectory '%s' of %s" : "trajectories '%s' ... of %s",
                   first->name, run->opened.filename);
        gdyn_wait_begin(options, "trajectory '%s'%s: regions at %d points", first->name,
                        run->count > 1 ? " and others" : "", gdyn_path_points(first->path));
    }
    int threads = long_path && options->threads == 0 ? 1 : gdyn_executor_count(options->threads);
    int code = gdyn_session_together(run, threads, analyse_one, run);
    gdyn_wait_end();
    if (code == GDYN_EXIT_YES && options->at)
        code = analyse_at(run);
    return code == GDYN_EXIT_YES ? answer(run) : code;
}
