/* cmd_regions.c - accessible regions along the trajectories: tables, documents, pictures, and why
 * there is none where there is none. */
#include "cli/advice.h"
#include "cli/analysis.h"
#include "cli/files.h"
#include "cli/interrupt.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { PANELS = 6, PANELS_MAX = 12 };

typedef struct command {
    const gdyn_options *options;
    gdyn_evaluation_settings settings;
    gdyn_opened opened; /* not with --coefficients */
    const char *case_name;
    int count;
    gdyn_analysis *analysis; /* count */
    gdyn_analysis *at;       /* count, with --at; else NULL */
    gdyn_series *series;     /* count: copies for the reports */
} command;

/* --- text ------------------------------------------------------------------------------------- */

static void number_text(double value, char *out, size_t size) {
    if (isnan(value)) {
        snprintf(out, size, "-");
    } else if (isinf(value)) {
        snprintf(out, size, value > 0 ? "unbounded" : "-unbounded");
    } else {
        snprintf(out, size, "%.6g", value + 0.0); /* no -0 */
    }
}

static void value_text(int criterion, double value, char *out, size_t size) {
    const char *worst = gdyn_criterion_table[criterion].worst;
    if (worst && gdyn_criterion_worst((gdyn_criterion)criterion, value)) {
        snprintf(out, size, "%s", worst);
    } else {
        number_text(value, out, size);
    }
}

static gdyn_words unit_text(int criterion, const gdyn_series *series) {
    const char *share = gdyn_criterion_table[criterion].share;
    gdyn_words words = gdyn_criterion_unit((gdyn_criterion)criterion, series->unit, "");
    if (share) {
        snprintf(words.text, sizeof words.text, "%s", share);
    }
    return words;
}

/* True when all trajectories measure that criterion in the same unit. */
static bool same_unit(const command *run, int criterion) {
    bool same = gdyn_criterion_table[criterion].p == 0;
    for (int i = 1; i < run->count && !same; i++) {
        if (strcmp(run->series[i].unit, run->series[0].unit) != 0) {
            return false;
        }
    }
    return true;
}

/* Criteria as rows, trajectories as columns; a unit stands at the value where they differ. */
static void print_summary(const command *run) {
    printf("%-30s %-9s", "", "");
    for (int i = 0; i < run->count; i++) {
        printf(" %18s", run->series[i].name);
    }
    printf("\n");
    for (int v = -1; (v = gdyn_criteria_next(run->series[0].criteria, v)) >= 0;) {
        bool same = same_unit(run, v);
        printf("%-30s %-9s", gdyn_criterion_table[v].label,
               same ? unit_text(v, &run->series[0]).text : "");
        for (int i = 0; i < run->count; i++) {
            char text[32], cell[80];
            value_text(v, run->series[i].criteria->value[v], text, sizeof text);
            snprintf(cell, sizeof cell, "%s%s%s", text, same ? "" : " ",
                     same ? "" : unit_text(v, &run->series[i]).text);
            printf(" %18s", cell);
        }
        printf("\n");
    }
}

static void print_active(const gdyn_series *series, const gdyn_limit *active, int count) {
    for (int i = 0; i < count; i++) {
        printf("%s%s %s", i ? ", " : "", gdyn_limit_name(series->row, series->rows, active[i]),
               gdyn_limit_side(active[i]));
    }
    printf("\n");
}

static void print_arcs(const gdyn_series *series, const char *side, const gdyn_arc *arc,
                       int count) {
    for (int i = 0; i < count; i++) {
        char to[32];
        number_text(arc[i].to, to, sizeof to);
        printf("  %s %10.6g .. %-10s d2 = %.6g d1^2 %+.6g d1 %+.6g   ", side, arc[i].from, to,
               arc[i].a + 0.0, arc[i].b + 0.0, arc[i].c + 0.0);
        print_active(series, arc[i].active, arc[i].active_count);
    }
}

/* The regions asked for with --at, arc by arc. */
static void print_at(const gdyn_series *series) {
    for (int i = 0; i < series->points; i++) {
        const gdyn_region *region = series->region[i];
        char d1_max[32], area[32];
        number_text(region->island_count ? region->d1_max : NAN, d1_max, sizeof d1_max);
        number_text(region->area, area, sizeof area);
        gdyn_words of_d1 = unit_text(GDYN_CRITERION_D1_MAX, series);
        gdyn_words of_d2 = unit_text(GDYN_CRITERION_REST_MAX, series);
        gdyn_words of_area = unit_text(GDYN_CRITERION_AREA, series);
        printf("\n%s at p = %s: %s", series->name, gdyn_amount(series->p[i], series->unit).text,
               series->status[i]);
        if (region->island_count > 0) {
            printf(", greatest d1 %s %s, area %s %s", d1_max, of_d1.text, area, of_area.text);
        }
        if (region->rest) {
            printf(", at rest d2 in [%.6g, %.6g] %s", region->rest_min, region->rest_max,
                   of_d2.text);
        }
        if (region->upper_count > 0) {
            printf("; d1 in %s, d2 in %s", of_d1.text, of_d2.text);
        }
        printf("\n");
        print_arcs(series, "upper", region->upper, region->upper_count);
        print_arcs(series, "lower", region->lower, region->lower_count);
        for (int k = 0; k < region->island_count; k++) {
            const gdyn_island *island = &region->island[k];
            if (island->right_count > 0) {
                printf("  right end at d1 = %s   ",
                       gdyn_amount_per_time(island->to, series->unit, 1).text);
                print_active(series, island->right, island->right_count);
            }
        }
    }
}

static void print_answer(const command *run) {
    print_summary(run);
    for (int i = 0; i < run->count; i++) {
        if (run->at) {
            print_at(&run->at[i].series);
        }
    }
    for (int i = 0; i < run->count; i++) {
        gdyn_print_singularities(stdout, &run->analysis[i].series);
    }
    for (int i = 0; i < run->count; i++) {
        const gdyn_analysis *analysis = run->at ? &run->at[i] : &run->analysis[i];
        gdyn_print_certificates(stdout, run->options->coefficients ? NULL : &run->opened, analysis);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static int write_tables(const command *run, const char *folder) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_text csv = {0}, json = {0};
    gdyn_report_regions_csv(&csv, run->count, run->series);
    gdyn_status status = gdyn_report_regions_json(&json, run->case_name, run->count, run->series);
    if (status == GDYN_OK) {
        status = csv.failed
                     ? GDYN_ERROR_MEMORY
                     : gdyn_report_write(folder, "regions.csv", csv.data, csv.length, &console);
    }
    if (status == GDYN_OK) {
        status = gdyn_report_write(folder, "regions.json", json.data, json.length, &console);
    }
    if (status == GDYN_OK && run->options->json) {
        fwrite(json.data, 1, json.length, stdout);
    }
    gdyn_text_free(&csv);
    gdyn_text_free(&json);
    return gdyn_exit_code(status);
}

/* Scripts of one trajectory; what was written is added to the pictures. */
static gdyn_status write_scripts(const command *run, int i, const char *folder,
                                 gdyn_pictures *pictures) {
    gdyn_sink console = gdyn_console_sink();
    const gdyn_analysis *analysis = &run->analysis[i];
    const gdyn_evaluation *evaluation = analysis->evaluation;
    int points[PANELS_MAX];
    gdyn_region_view view = {.series = &run->series[i],
                             .panels = run->at ? &run->at[i].series : &run->series[i],
                             .point = points,
                             .model = evaluation ? run->opened.instance->model : NULL,
                             .path = evaluation ? gdyn_path_definition(analysis->path) : NULL,
                             .track = evaluation ? evaluation->track : NULL};
    if (run->at) {
        for (; view.count < view.panels->points && view.count < PANELS_MAX; view.count++) {
            points[view.count] = view.count;
        }
    } else {
        view.count = gdyn_report_spread(view.panels, PANELS, points);
    }
    return gdyn_pictures_of_regions(folder, &view, pictures, &console);
}

static int write_pictures(const command *run, const char *folder) {
    gdyn_pictures pictures = {.partial = run->options->trajectory != NULL};
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < run->count && status == GDYN_OK; i++) {
        status = write_scripts(run, i, folder, &pictures);
    }
    if (status == GDYN_OK) {
        status = gdyn_cli_draw(run->options, folder, "regions", &pictures);
    }
    gdyn_pictures_free(&pictures);
    return status == GDYN_OK ? GDYN_EXIT_YES : gdyn_exit_code(status);
}

static int write_results(const command *run) {
    const char *source =
        run->options->coefficients ? run->options->coefficients : run->opened.filename;
    char *folder = gdyn_results_folder(run->options, source);
    if (!folder) {
        return GDYN_EXIT_FILE;
    }
    int code = write_tables(run, folder);
    if (code == GDYN_EXIT_YES && !run->options->no_pictures) {
        code = write_pictures(run, folder);
    }
    if (code == GDYN_EXIT_YES) {
        gdyn_cli_note(run->options, "Results are in %s/", folder);
    }
    gdyn_free(folder);
    return code;
}

/* --- the command ------------------------------------------------------------------------------ */

static bool reserve(command *run, int count) {
    run->analysis = gdyn_alloc((size_t)count + 1, sizeof *run->analysis);
    run->series = gdyn_alloc((size_t)count + 1, sizeof *run->series);
    return run->analysis && run->series;
}

static int analyse_coefficients(command *run) {
    if (run->options->count > 0 || run->options->at || run->options->set.count > 0) {
        gdyn_cli_error("--coefficients stands alone: no case, no --set, no --at");
        return GDYN_EXIT_USAGE;
    }
    if (!reserve(run, 1)) {
        return GDYN_EXIT_INTERNAL;
    }
    run->count = 1;
    run->case_name = run->options->coefficients;
    gdyn_stage("%s", run->case_name);
    return gdyn_analyse_coefficients(run->options->coefficients, run->settings.projection,
                                     &run->analysis[0]);
}

/* The places of --at on a trajectory; false with a message where one is none of it. */
static bool places_of(const command *run, const gdyn_analysis *analysis, int count,
                      const gdyn_quantity *place, double *p) {
    const gdyn_path_def *def = gdyn_path_definition(analysis->path);
    const gdyn_series *series = &analysis->series;
    double first = series->p[0], last = series->p[series->points - 1];
    for (int k = 0; k < count; k++) {
        char unit[64];
        gdyn_dimension dimension = gdyn_path_dimension_of_p(def);
        bool fits = gdyn_dimension_fits(place[k].dimension, dimension);
        p[k] = place[k].value;
        if (fits && p[k] >= fmin(first, last) && p[k] <= fmax(first, last)) {
            continue;
        }
        if (fits) {
            gdyn_cli_error("--at %s lies outside trajectory '%s' (p from %.6g to %s)",
                           gdyn_amount(p[k], series->unit).text, def->name, first,
                           gdyn_amount(last, series->unit).text);
        } else {
            gdyn_cli_error("--at: the unit %s does not fit: p of '%s' is %s%s",
                           gdyn_dimension_text(place[k].dimension, unit, sizeof unit), def->name,
                           *series->unit ? "in " : "a pure number", series->unit);
        }
        if (run->count > 1) {
            fprintf(stderr, "      = help: --trajectory NAME picks one\n");
        }
        return false;
    }
    return true;
}

/* Regions at the points of --at for every trajectory. */
static int analyse_at(command *run) {
    gdyn_quantity *place;
    int count, code = gdyn_parse_places(run->options->at, &place, &count);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    double *p = gdyn_alloc((size_t)count + 1, sizeof *p);
    run->at = gdyn_alloc((size_t)run->count + 1, sizeof *run->at);
    code = run->at && p ? GDYN_EXIT_YES : GDYN_EXIT_INTERNAL;
    for (int i = 0; i < run->count && code == GDYN_EXIT_YES; i++) {
        gdyn_stage("the places of --at on trajectory '%s'", run->analysis[i].series.name);
        code = places_of(run, &run->analysis[i], count, place, p) ? GDYN_EXIT_YES : GDYN_EXIT_USAGE;
        if (code == GDYN_EXIT_YES) {
            code = gdyn_analyse_at(&run->analysis[i], count, p, &run->settings, &run->at[i]);
        }
    }
    gdyn_free(p);
    gdyn_free(place);
    return code;
}

static int analyse_case(command *run) {
    int first, count;
    int code = gdyn_open_case(run->options, run->options->operand[0], &run->opened);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_need_machine(&run->opened);
    }
    if (code == GDYN_EXIT_YES) {
        code = gdyn_choose_trajectories(run->options, run->opened.instance, &first, &count);
    }
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    if (count == 0 || gdyn_model_drives(run->opened.instance->model) == 0) {
        gdyn_cli_error("%s has no %s", run->opened.filename,
                       count == 0 ? "trajectories" : "drives");
        return GDYN_EXIT_CASE;
    }
    if (!reserve(run, count)) {
        return GDYN_EXIT_INTERNAL;
    }
    run->case_name = run->opened.instance->name;
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        run->count = i + 1;
        code = gdyn_analyse(&run->opened, first + i, &run->settings, &run->analysis[i]);
    }
    if (code == GDYN_EXIT_YES && run->options->at) {
        code = analyse_at(run);
    }
    return code;
}

static void finish(command *run) {
    for (int i = 0; i < run->count; i++) {
        if (run->at) {
            gdyn_analysis_destroy(&run->at[i]);
        }
        gdyn_analysis_destroy(&run->analysis[i]);
    }
    gdyn_free(run->at);
    gdyn_free(run->analysis);
    gdyn_free(run->series);
    gdyn_close_case(&run->opened);
}

/* Criteria of a path that is followed in part hold for that part only. */
static void warn_of_gaps(const command *run) {
    for (int i = 0; i < run->count; i++) {
        const gdyn_analysis *a = &run->analysis[i];
        if (a->evaluation) {
            gdyn_note_entry(run->options, a->series.name, a->series.unit, a->evaluation->track);
            gdyn_note_gaps(run->options, a->series.name, a->path, a->evaluation->track);
        }
    }
}

static int answer(command *run) {
    bool accessible = true;
    warn_of_gaps(run);
    for (int i = 0; i < run->count; i++) {
        run->series[i] = run->analysis[i].series;
        run->series[i].at = run->at ? &run->at[i].series : NULL;
        accessible &= gdyn_analysis_accessible(run->at ? &run->at[i] : &run->analysis[i]);
    }
    if (!run->options->json) {
        print_answer(run);
    }
    int code = write_results(run);
    return code != GDYN_EXIT_YES ? code : accessible ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

int gdyn_cmd_regions(const gdyn_options *options) {
    command run = {.options = options, .settings = gdyn_evaluation_default()};
    run.settings.projection = (gdyn_projection)options->method;
    run.settings.reduction = (gdyn_reduction)options->reduction;
    int code = options->coefficients ? analyse_coefficients(&run) : analyse_case(&run);
    if (code == GDYN_EXIT_YES) {
        code = answer(&run);
    }
    finish(&run);
    return code;
}
