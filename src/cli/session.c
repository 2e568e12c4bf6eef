/* session.c - trajectories opened for a command, its results written, advice about them, places on
 * them. */
#include "cli/cli.h"

void gdyn_session_stage(const gdyn_session *s, const gdyn_trajectory *t) {
    gdyn_stage(t->path ? "trajectory '%s'" : "%s", t->path ? t->name : s->case_name);
}

int gdyn_session_judge(const gdyn_trajectory *t, gdyn_status status) {
    if (status != GDYN_OK)
        gdyn_cli_error(GDYN_CODE_NUMERICS "trajectory '%s': %s", t->name, gdyn_status_text(status));
    return gdyn_exit_code(status);
}

/* A table of coefficients in place of a case. */
static int open_table(gdyn_session *s) {
    const gdyn_options *options = s->options;
    gdyn_sink console = gdyn_console_sink();
    s->case_name = options->coefficients;
    if (options->count > 0 || options->at || options->set.count > 0)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE "--coefficients excludes a case, --set and --at");
    if (options->write_coefficients)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE
                             "--write-coefficients writes those of a case, not a table's");
    gdyn_stage("%s", s->case_name);
    /* the first trajectory knows how many there are; --trajectory chooses one by its name */
    gdyn_status status = GDYN_OK;
    int tables = 1;
    for (int i = 0; i < tables && status == GDYN_OK; i++) {
        gdyn_trajectory *longer =
            realloc(s->trajectory, (size_t)(s->count + 1) * sizeof *s->trajectory);
        if (!longer)
            return GDYN_EXIT_MEMORY;
        s->trajectory = longer;
        gdyn_trajectory *t = &s->trajectory[s->count++];
        status = gdyn_trajectory_open_table(t, s->case_name, i, &console);
        tables = t->tables;
        if (status == GDYN_OK && options->trajectory && strcmp(options->trajectory, t->name) != 0) {
            gdyn_trajectory_close(t);
            s->count--;
        }
    }
    if (status == GDYN_OK && s->count == 0)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_ABSENT "the table has no trajectory '%s'",
                             options->trajectory);
    return gdyn_exit_code(status);
}

/* The trajectories of the case that are meant. */
static int open_trajectories(gdyn_session *s) {
    const gdyn_opened *opened = &s->opened;
    int first, count, code = gdyn_choose_trajectories(s->options, opened->instance, &first, &count);
    if (code != GDYN_EXIT_YES)
        return code;
    if (count == 0 || gdyn_model_drives(opened->instance->model) == 0)
        return gdyn_cli_fail(GDYN_EXIT_CASE, NULL, GDYN_CODE_NEEDS "%s has no %s", opened->filename,
                             count == 0 ? "trajectories" : "drives");
    s->case_name = opened->instance->name;
    s->trajectory = calloc((size_t)count, sizeof *s->trajectory);
    if (!s->trajectory)
        return GDYN_EXIT_MEMORY;
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        s->count = i + 1;
        code = gdyn_exit_code(
            gdyn_trajectory_open(&s->trajectory[i], opened->instance, first + i, &opened->sink));
    }
    return code;
}

int gdyn_session_begin(const gdyn_options *options, gdyn_needs needs, gdyn_session *s) {
    *s = (gdyn_session){.options = options};
    if (needs == GDYN_NEEDS_NOTHING)
        return GDYN_EXIT_YES;
    if (needs >= GDYN_NEEDS_PATHS && options->coefficients)
        return open_table(s);
    int code = gdyn_open_case(options, options->operand[0], &s->opened);
    if (code == GDYN_EXIT_YES && needs != GDYN_NEEDS_CASE)
        code = gdyn_need_machine(&s->opened);
    return code == GDYN_EXIT_YES && needs >= GDYN_NEEDS_PATHS ? open_trajectories(s) : code;
}

typedef struct together {
    const gdyn_session *session;
    gdyn_status (*work)(void *context, gdyn_trajectory *t, int number);
    void *context;
    gdyn_status *status; /* of each */
} together;

static void do_one(void *context, int worker, int i) {
    (void)worker;
    const together *a = context;
    a->status[i] = a->work(a->context, &a->session->trajectory[i], i);
}

int gdyn_session_together(const gdyn_session *s, int threads,
                          gdyn_status (*work)(void *context, gdyn_trajectory *t, int number),
                          void *context) {
    together a = {s, work, context, calloc((size_t)s->count + 1, sizeof *a.status)};
    int code = a.status ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
    if (a.status)
        gdyn_work_together(threads, s->count, do_one, &a);
    for (int i = 0; i < s->count && code == GDYN_EXIT_YES; i++) {
        const gdyn_trajectory *t = &s->trajectory[i];
        if (t->path && a.status[i] == GDYN_ERROR_ARGUMENT &&
            t->settings.projection == GDYN_BY_TUPLES)
            code = gdyn_cli_fail(
                GDYN_EXIT_NUMERIC, NULL,
                GDYN_CODE_NUMERICS
                "trajectory '%s': too many combinations of drives for --method tuples; "
                "elementary and lp have no such limit",
                t->name);
        else
            code = gdyn_session_judge(t, a.status[i]);
    }
    free(a.status);
    return code;
}

void gdyn_session_end(gdyn_session *s) {
    for (int i = 0; i < s->count; i++)
        gdyn_trajectory_close(&s->trajectory[i]);
    free(s->trajectory);
    gdyn_close_case(&s->opened);
}

/* Tables and documents; the document goes to standard output as well with --json. */
static gdyn_status write_files(const gdyn_session *s, const gdyn_results *r, const char *folder) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_status status = GDYN_OK;
    for (size_t i = 0; i < sizeof r->file / sizeof *r->file; i++) {
        if (!r->file[i].name)
            continue;
        gdyn_output output;
        gdyn_status opened = gdyn_output_open(&output, folder, r->file[i].name, &console);
        bool copied = r->file[i].document && s->options->json && !gdyn_captured;
        output.copy = copied ? stdout : NULL;
        gdyn_status written = GDYN_OK;
        if (!output.copy)
            gdyn_wait_begin(s->options, "writing %s/%s", folder, r->file[i].name);
        /* every file is tried, the first failure is reported */
        if (r->file[i].table)
            r->file[i].table(&output.text, s->count, s->trajectory);
        else
            written = r->file[i].document
                          ? r->file[i].document(&output.text, s->case_name, s->count, s->trajectory)
                          : r->file[i].other(r->of, &output.text);
        written = gdyn_output_close(&output, opened == GDYN_OK ? written : opened);
        gdyn_wait_end();
        status = status == GDYN_OK ? written : status;
    }
    return status;
}

/* Pictures of every trajectory. */
static gdyn_status write_pictures(const gdyn_session *s, const gdyn_results *r,
                                  const char *folder) {
    gdyn_pictures pictures = gdyn_cli_pictures(folder);
    pictures.partial = r->partial;
    for (int i = 0; i < s->count; i++) {
        bool drawn = false; /* of several motions along a trajectory the first one */
        for (int j = 0; j < i; j++)
            drawn |= strcmp(s->trajectory[j].name, s->trajectory[i].name) == 0;
        if (!drawn)
            r->draw(&pictures, &s->trajectory[i]);
    }
    gdyn_status status = gdyn_cli_draw(s->options, r->command, &pictures);
    gdyn_pictures_free(&pictures);
    return status;
}

int gdyn_session_write(const gdyn_session *s, const gdyn_results *results) {
    const gdyn_options *options = s->options;
    char *folder = gdyn_results_folder(options, options->coefficients ? options->coefficients
                                                                      : s->opened.filename);
    if (!folder)
        return GDYN_EXIT_FILE;
    /* files first: they hold what pictures show */
    gdyn_status status = write_files(s, results, folder);
    bool exceeded = false;
    if (status == GDYN_OK && (options->step.value > 0 || options->steps > 0))
        status = gdyn_steps_write(s, folder, &exceeded);
    if (status == GDYN_OK && !options->no_pictures)
        status = write_pictures(s, results, folder);
    if (status == GDYN_OK)
        gdyn_cli_note(options, "Results are in %s/", folder);
    gdyn_free(folder);
    return status == GDYN_OK && exceeded ? GDYN_EXIT_NO : gdyn_exit_code(status);
}

/* --- warnings and advice ---------------------------------------------------------------------- */

void gdyn_print_undriven(const gdyn_state *state, const char *indent) {
    gdyn_text text = {0};
    if (gdyn_describe_undriven(state, indent, &text) > 0 && !text.failed)
        fputs(text.data, stdout);
    gdyn_text_free(&text);
}

void gdyn_note_entry(const gdyn_options *options, const char *trajectory, const char *unit,
                     const gdyn_track *track) {
    char text[GDYN_ADVICE];
    /* Empty unless a stretch of the path is interrupted. */
    gdyn_describe_entry(track, unit, text, sizeof text);
    if (text[0])
        gdyn_cli_note(options, "warning: trajectory '%s': %s", trajectory, text);
}

void gdyn_note_gaps(const gdyn_options *options, const char *trajectory, const gdyn_path *path,
                    const gdyn_track *track) {
    const char *unit = gdyn_path_unit_of_p(gdyn_path_definition(path));
    int first = track->first_failure;
    if (first < 0)
        return;
    gdyn_cli_note(options,
                  "warning: trajectory '%s': only %d of %d point%s followed (first failure at p = "
                  "%s: %s); the results hold for these; globdyn check says why",
                  trajectory, track->followed, track->points, track->points == 1 ? " is" : "s are",
                  gdyn_amount(track->p[first], unit).text,
                  gdyn_point_status_name(track->status[first]));
    /* Why, and what to do about it, where that is known. */
    gdyn_path_advice advice;
    if (gdyn_advise_path(path, track, &advice) == GDYN_OK && advice.reason[0]) {
        gdyn_cli_note(options, "      %s%s%s", advice.reason,
                      advice.help[0] ? "\n      = help: " : "", advice.help);
    }
}

/* --- places ----------------------------------------------------------------------------------- */

gdyn_words gdyn_place(double p, double length, const char *unit) {
    static const double ROUNDING = 1e-12; /* of the path; brackets are closed to 1e-13 */
    return gdyn_amount(fabs(p) <= ROUNDING * fabs(length) ? 0 : p, unit);
}

static bool find_parameter(void *context, const char *name, gdyn_quantity *quantity) {
    const gdyn_instance *instance = *(const gdyn_instance *const *)context;
    for (int i = 0; i < instance->parameter_count; i++) {
        if (strcmp(instance->parameter_name[i], name) == 0) {
            *quantity =
                (gdyn_quantity){instance->parameter_value[i], instance->parameter_dimension[i]};
            return true;
        }
    }
    return false;
}

static bool parse_place(const char *text, const gdyn_instance *instance, gdyn_quantity *place) {
    gdyn_expr_error error;
    gdyn_scope scope = {.constant = find_parameter, .context = &instance};
    if (instance) {
        scope.suggestions = instance->parameter_name;
        scope.suggestion_count = instance->parameter_count;
    }
    bool found = gdyn_read_named_quantity(text, instance ? &scope : NULL, place, &error);
    if (!found) {
        gdyn_cli_error(GDYN_CODE_OPTION
                       "'%s' is not a point of a path: expected a list such as 0,pi/2 or \"0,500 "
                       "mm\"%s%s",
                       text, *error.message ? ": " : "", error.message);
        gdyn_cli_help("%s", error.help);
    }
    return found;
}

int gdyn_parse_places(const char *text, const gdyn_instance *instance, gdyn_quantity **places,
                      int *count) {
    /* Room for as many places as there could be. */
    size_t length = strlen(text);
    char *copy = calloc(length + 1, 1);
    *count = 0;
    *places = calloc(length + 1, sizeof **places);
    int code = copy && *places ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
    if (copy)
        memcpy(copy, text, length);
    /* Cut at the commas of a copy, but for those between arguments of a function. */
    for (char *at = copy; code == GDYN_EXIT_YES && at;) {
        char *end = at;
        for (int depth = 0; *end && (*end != ',' || depth > 0); end++)
            depth += (*end == '(') - (*end == ')');
        if (*end)
            *end++ = '\0';
        else
            end = NULL;
        code = parse_place(at, instance, &(*places)[(*count)++]) ? GDYN_EXIT_YES : GDYN_EXIT_USAGE;
        at = end;
    }
    free(copy);
    if (code != GDYN_EXIT_YES) {
        free(*places);
        *places = NULL;
    }
    return code;
}
