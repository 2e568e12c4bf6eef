/* open_case.c - opening a case for a command, and the folder its results go to. */
#include "cli/cli.h"

#include "study/free_path.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* Settings of the command line, each parsed against the case's parameters; all are tried. */
static int parse_settings(const gdyn_options *options, gdyn_opened *opened) {
    gdyn_sink console = gdyn_console_sink();
    int code = GDYN_EXIT_YES;
    for (int i = 0; i < options->set.count; i++) {
        gdyn_setting *setting = &opened->setting[opened->setting_count];
        gdyn_status status =
            gdyn_case_parse_setting(opened->the_case, options->set.text[i], &console, setting);
        if (status == GDYN_OK)
            opened->setting_count++;
        else
            code = status == GDYN_ERROR_MEMORY ? GDYN_EXIT_MEMORY : GDYN_EXIT_USAGE;
    }
    return code;
}

/* One line on a terminal while null motions are searched for. */
static void show_trial(void *context, const char *trajectory, int tried, double best) {
    (void)context;
    gdyn_console_control("\r");
    fprintf(stderr, "%s: null motion, %d paths tried, best %.6g", trajectory, tried, best);
    gdyn_console_control("\033[K");
}

/* Free coordinates of the trajectories; what an interruption leaves is the best so far. */
static gdyn_status settle(const gdyn_options *options, gdyn_opened *opened) {
    bool shown = isatty(STDERR_FILENO);
    gdyn_free_watch watch = {.interrupt = &gdyn_interrupted, .progress = shown ? show_trial : NULL};
    gdyn_status status = gdyn_instance_settle(opened->instance, &watch, &opened->sink);
    for (int t = 0; shown && t < opened->instance->trajectory_count; t++)
        if (opened->instance->trajectory_freedom[t].rule == GDYN_FREE_BEST) {
            gdyn_console_control("\r\033[K");
            break;
        }
    /* How the search ended: with -v, and where its evaluations ended it (verify compares what it
     * has found with what the case expects). */
    const gdyn_instance *instance = opened->instance;
    for (int t = 0; instance->settled && t < instance->trajectory_count; t++) {
        const gdyn_settled *end = &instance->settled[t];
        bool quiet = end->settled || strcmp(options->word[0], "verify") == 0;
        if (end->tried == 0 || (quiet && options->verbosity < 1))
            continue;
        gdyn_cli_note(options,
                      "trajectory '%s': null motion: %s %.6g (minimum weighted motion: %.6g), %d "
                      "path%s tried%s",
                      instance->trajectory[t].name,
                      gdyn_criterion_table[instance->trajectory_freedom[t].criterion].name,
                      end->best, end->norm, end->tried, gdyn_plural(end->tried),
                      end->settled ? "; no better neighbour was found"
                                   : ", which ended the search: there may be a better one nearby "
                                     "(null_motion: evaluations)");
    }
    return status;
}

int gdyn_open_case(const gdyn_options *options, const char *filename, gdyn_opened *opened) {
    gdyn_sink console = gdyn_console_sink();
    *opened = gdyn_captured ? *gdyn_captured->opened : (gdyn_opened){.filename = filename};
    if (gdyn_captured && options->set.count + options->without.count > 0)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE "the case is open: its parameters are set before");
    if (gdyn_captured && opened->instance->model)
        gdyn_model_set_formalism(opened->instance->model, (gdyn_formalism)options->formalism);
    if (gdyn_captured)
        return GDYN_EXIT_YES;
    /* the case without the entries of --without, a list or several */
    gdyn_text list = {0};
    char **entry = NULL;
    int count;
    for (int i = 0; i < options->without.count; i++)
        gdyn_text_printf(&list, "%s,", options->without.text[i]);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (!list.failed && gdyn_cli_split(list.data, &entry, &count) == GDYN_EXIT_YES)
        status = gdyn_case_read_without(filename, (const char *const *)entry, &console,
                                        &opened->the_case);
    free(entry);
    gdyn_text_free(&list);
    if (status == GDYN_ERROR_INPUT && options->without.count > 0)
        gdyn_cli_help("leave out what refers to it as well, by its path: --without "
                      "optimize.constraints.NAME");
    if (status == GDYN_ERROR_FILE && !gdyn_is_file(filename))
        gdyn_help_missing_case(filename, strcmp(options->word[0], "report") == 0);
    if (status != GDYN_OK)
        return gdyn_exit_code(status);
    /* Messages refer to lines of the file from here on, results to its name. */
    opened->filename = gdyn_case_filename(opened->the_case);
    opened->sink = gdyn_case_sink(opened->the_case, &console);
    int code = parse_settings(options, opened);
    if (code != GDYN_EXIT_YES)
        return code;
    /* With the parameters of --set in place of the case's. */
    status = gdyn_case_instantiate(opened->the_case, opened->setting_count, opened->setting,
                                   &opened->sink, &opened->instance);
    status = status == GDYN_OK ? settle(options, opened) : status;
    if (status == GDYN_OK && opened->instance->model)
        gdyn_model_set_formalism(opened->instance->model, (gdyn_formalism)options->formalism);
    return gdyn_exit_code(status);
}

int gdyn_need_machine(const gdyn_opened *opened) {
    if (opened->instance->model)
        return GDYN_EXIT_YES;
    return gdyn_cli_fail(GDYN_EXIT_CASE, "globdyn new lists files to start from",
                         GDYN_CODE_NEEDS "%s describes no machine", opened->filename);
}

void gdyn_close_case(gdyn_opened *opened) {
    if (gdyn_captured)
        return;
    gdyn_instance_destroy(opened->instance);
    gdyn_case_destroy(opened->the_case);
    *opened = (gdyn_opened){0};
}

char *gdyn_results_folder(const gdyn_options *options, const char *filename) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_text folder = {0};
    /* -o DIR, or results/NAME. */
    if (options->output) {
        gdyn_text_printf(&folder, "%s", options->output);
    } else {
        char name[128];
        /* Name of the case for its folder: the file's stem, or its folder's name for case.yaml. */
        size_t size = sizeof name;
        /* The stem of the file. */
        const char *slash = strrchr(filename, '/'), *base = slash ? slash + 1 : filename;
        const char *dot = strrchr(base, '.');
        size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
        char stem[128];
        /* case.yaml is named by its folder. */
        if (slash && slash > filename && length == 4 && !strncmp(base, "case", 4)) {
            const char *begin = slash;
            while (begin > filename && begin[-1] != '/')
                begin--;
            bool named = slash - begin > 0 && begin[0] != '.';
            base = named ? begin : base;
            length = named ? (size_t)(slash - begin) : length;
        }
        snprintf(stem, sizeof stem, "%.*s", (int)(length < sizeof stem ? length : sizeof stem - 1),
                 base);
        gdyn_report_file_name(stem, name, size);
        gdyn_text_printf(&folder, "results/%s", name);
    }
    if (folder.failed || gdyn_report_folder(folder.data, &console) != GDYN_OK) {
        gdyn_text_free(&folder);
        return NULL;
    }
    return folder.data;
}

int gdyn_choose_trajectories(const gdyn_options *options, const gdyn_instance *instance, int *first,
                             int *count) {
    *first = 0, *count = instance->trajectory_count;
    /* One by its name, or all. */
    if (!options->trajectory)
        return GDYN_EXIT_YES;
    for (int i = 0; i < instance->trajectory_count; i++) {
        if (!strcmp(instance->trajectory[i].name, options->trajectory)) {
            *first = i, *count = 1;
            return GDYN_EXIT_YES;
        }
    }
    const char *names[64];
    int known = 0;
    for (int i = 0; i < instance->trajectory_count && known < 64; i++)
        names[known++] = instance->trajectory[i].name;
    gdyn_cli_error(GDYN_CODE_ABSENT "the case has no trajectory '%s'", options->trajectory);
    gdyn_cli_suggest(options->trajectory, names, known, "");
    return GDYN_EXIT_USAGE;
}

int gdyn_check_paths(const gdyn_opened *opened) {
    const gdyn_instance *instance = opened->instance;
    gdyn_status status = GDYN_OK;
    /* Every path is built once, so that all errors are reported together. */
    for (int i = 0; i < instance->trajectory_count; i++) {
        gdyn_path *path = NULL;
        gdyn_status found =
            gdyn_path_create(instance->model, &instance->trajectory[i], &opened->sink, &path);
        gdyn_path_destroy(path);
        status = status == GDYN_OK ? found : status;
    }
    return gdyn_exit_code(status);
}

/* --- what a name that is no file may mean ----------------------------------------------------- */

bool gdyn_is_file(const char *name) {
    struct stat about;
    return stat(name, &about) == 0 && S_ISREG(about.st_mode);
}

static bool is_case_name(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot > name && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* A file at one of the places where the case of that name would be: with its extension, below
 * cases/. */
static bool find_named(const char *name, char *file, size_t size) {
    static const char *const before[] = {"", "", "cases/"};
    static const char *const after[] = {".yaml", ".yml", "/case.yaml"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        int length = snprintf(file, size, "%s%s%s", before[i], name, after[i]);
        if (length > 0 && (size_t)length < size && gdyn_is_file(file))
            return true;
    }
    return false;
}

/* The case file of the folder whose name is nearest; false: none is near. */
static bool find_near(const char *name, char *file, size_t size) {
    enum { MOST = 400 };
    static char names[MOST][80];
    const char *list[MOST];
    int count = 0;
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    int folder = (int)(base - name);
    snprintf(file, size, "%.*s", folder, name);
    DIR *open = opendir(folder ? file : ".");
    struct dirent *entry;
    while (open && count < MOST && (entry = readdir(open)))
        if (is_case_name(entry->d_name) && strlen(entry->d_name) < sizeof *names) {
            list[count] = strcpy(names[count], entry->d_name);
            count++;
        }
    if (open)
        closedir(open);
    const char *near = gdyn_text_nearest(base, list, count);
    if (near)
        snprintf(file, size, "%.*s%s", folder, name, near);
    return near != NULL;
}

void gdyn_help_missing_case(const char *name, bool or_study) {
    char file[1000];
    if (find_named(name, file, sizeof file) || find_near(name, file, sizeof file))
        gdyn_cli_help("did you mean '%s'?", file);
    else if (!or_study && gdyn_is_study(name))
        gdyn_cli_help("this is a study: globdyn study show %s; its case: globdyn study case %s 0",
                      name, name);
    else
        gdyn_cli_help(
            or_study
                ? "no case file and no study has this name; globdyn study list shows the studies"
                : "give a case file; globdyn new writes one to start from");
}

bool gdyn_refuse_case_as_study(const char *name) {
    char study[400];
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    if (!is_case_name(base) || !gdyn_is_file(name))
        return false;
    /* Its study, where one stands in the folder that optimize gives it. */
    snprintf(study, sizeof study, "%.*s", (int)(strrchr(base, '.') - base), base);
    bool known = gdyn_is_study(study);
    gdyn_cli_error(GDYN_CODE_ABSENT "'%s' is a case file, no study", name);
    gdyn_cli_help(known ? "its study is '%s'" : "globdyn study list shows studies", study);
    return true;
}
