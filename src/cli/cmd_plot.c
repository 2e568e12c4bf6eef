/* cmd_plot.c - pictures of a results folder once more: another format, width, size of text,
 * direction of view; results of several folders over each other. */
#include "cli/cli.h"

#include <unistd.h>

/* --- what is asked for ------------------------------------------------------------------------ */

/* A length in mm or a size in points within its limits, or not given. */
static bool within(const char *name, double value, double least, double most, const char *limits,
                   const char *unit) {
    if (value == 0 || (value >= least && value <= most))
        return true;
    gdyn_cli_error(GDYN_CODE_OPTION "--%s is from %s, not %.6g %s", name, limits, value, unit);
    if (value >= 1000 * least && value <= 1000 * most && strcmp(unit, "mm") == 0)
        gdyn_cli_help("a number without a unit is in metres: write --width \"85 mm\"");
    return false;
}

/* "60,30": two angles in degrees. */
static bool read_view(const char *text, gdyn_picture_look *look) {
    char *end = NULL;
    look->turned = text != NULL;
    if (!text)
        return true;
    look->tilt = strtod(text, &end);
    bool read = end != text && *end == ',';
    const char *second = end + 1;
    if (read) {
        look->turn = strtod(second, &end);
        read = end != second && *end == '\0';
    }
    if (read && look->tilt >= 0 && look->tilt <= 180 && look->turn >= 0 && look->turn <= 360)
        return true;
    gdyn_cli_error(GDYN_CODE_OPTION "--view is TILT,TURN in degrees, from 0,0 to 180,360, not '%s'",
                   text);
    return false;
}

static bool read_look(const gdyn_options *options, gdyn_picture_look *look) {
    *look = (gdyn_picture_look){.format = options->format,
                                .width = options->width.value,
                                .height = options->height.value,
                                .letters = options->font_size.value,
                                .into = options->output};
    return within("width", 1000 * look->width, 20, 1000, "20 mm to 1 m", "mm") &&
           within("height", 1000 * look->height, 20, 1000, "20 mm to 1 m", "mm") &&
           within("font-size", look->letters, 2, 100, "2 to 100 points", "points") &&
           read_view(options->view, look);
}

/* --- the pictures ----------------------------------------------------------------------------- */

/* FOLDER, or results/FOLDER; for free. */
static char *find_folder(const char *name) {
    gdyn_text folder = {0};
    gdyn_text_printf(&folder, "%s", name);
    if (!folder.failed && access(name, F_OK) != 0) {
        gdyn_text below = {0};
        gdyn_text_printf(&below, "results/%s", name);
        bool there = !below.failed && access(below.data, F_OK) == 0;
        gdyn_text_free(there ? &folder : &below);
        if (there)
            folder = below;
    }
    return folder.failed ? NULL : folder.data;
}

/* The listed pictures that are to be drawn; an exit code. */
static int choose(const gdyn_options *options, const gdyn_pictures *listed, gdyn_pictures *chosen) {
    const char *folder = listed->folder;
    /* names that are not there first */
    for (int i = 1; i < options->count; i++) {
        bool found = false;
        for (int k = 0; k < listed->count; k++)
            found |= strcmp(listed->stem[k], options->operand[i]) == 0;
        if (found)
            continue;
        gdyn_cli_error(GDYN_CODE_ABSENT "%s has no picture '%s'", folder, options->operand[i]);
        fprintf(stderr, "      = help: it has");
        for (int k = 0; k < listed->count; k++)
            fprintf(stderr, "%s %s", k ? "," : "", listed->stem[k]);
        fprintf(stderr, "\n");
        return GDYN_EXIT_USAGE;
    }
    bool moving = strcmp(gdyn_picture_formats[options->format], "gif") == 0;
    for (int i = 0; i < listed->count; i++) {
        bool named = options->count == 1; /* without names all are meant */
        for (int k = 1; k < options->count; k++)
            named |= strcmp(options->operand[k], listed->stem[i]) == 0;
        if (named && (!moving || gdyn_picture_head_of(folder, listed->stem[i]).moves) &&
            !gdyn_pictures_add(chosen, listed->stem[i]))
            return GDYN_EXIT_MEMORY;
    }
    if (chosen->count > 0)
        return GDYN_EXIT_YES;
    gdyn_cli_error(moving ? GDYN_CODE_ABSENT "no picture in %s is animated"
                          : GDYN_CODE_ABSENT "there are no pictures in %s",
                   folder);
    if (moving)
        fprintf(stderr, "      = help: globdyn simulate writes one that does\n");
    return GDYN_EXIT_USAGE;
}

/* Draws them and says where they are; an exit code. */
static int draw(const gdyn_options *options, const gdyn_pictures *chosen,
                const gdyn_picture_look *look) {
    const char *into = look->into ? look->into : chosen->folder;
    gdyn_stage("the pictures in %s", into);
    gdyn_wait_begin(options, "drawing %d picture%s", chosen->count, gdyn_plural(chosen->count));
    gdyn_status status = gdyn_pictures_plot(chosen, look);
    gdyn_wait_end();
    for (int i = 0; i < chosen->count && status != GDYN_ERROR_FILE; i++) {
        gdyn_text name = {0};
        gdyn_text_printf(&name, "%s/%s.%s", into, chosen->stem[i],
                         gdyn_picture_formats[look->format]);
        if (!name.failed && access(name.data, F_OK) == 0)
            printf("%s\n", name.data);
        gdyn_text_free(&name);
    }
    return gdyn_exit_code(status);
}

/* --- several folders over each other ---------------------------------------------------------- */

/* Labels: those of --labels, else the last parts of the folders' names, or all of these where two
 * are the same. */
static bool name_sources(const gdyn_options *options, char *list, int count,
                         gdyn_overlay_source *source) {
    bool twice = false;
    for (int i = 0; i < count; i++) {
        /* The last part of a folder's name: "a/b/" is b. */
        const char *folder = source[i].folder;
        const char *part = folder;
        for (const char *c = folder; *c; c++)
            if (*c == '/' && c[1] && c[1] != '/')
                part = c + 1;
        source[i].label = part;
        for (int k = 0; k < i; k++)
            twice |= strcmp(source[i].label, source[k].label) == 0;
    }
    for (int i = 0; i < count && twice; i++)
        source[i].label = source[i].folder;
    if (!list)
        return true;
    int labels = 0;
    for (char *at = list; at; labels++) {
        char *end = strchr(at, ',');
        if (labels < count)
            source[labels].label = at;
        if (end)
            *end++ = '\0';
        at = end;
    }
    if (labels != count)
        gdyn_cli_error(GDYN_CODE_OPTION "--labels '%s' names %d of %d folders", options->labels,
                       labels, count);
    return labels == count;
}

/* Folders as they were given, or below results/; each is there. */
static int find_sources(const gdyn_options *options, int count, char **folder,
                        gdyn_overlay_source *source) {
    for (int i = 0; i < count; i++) {
        folder[i] = find_folder(options->operand[i]);
        if (!folder[i])
            return GDYN_EXIT_MEMORY;
        if (access(folder[i], F_OK) != 0)
            return gdyn_cli_fail(GDYN_EXIT_FILE,
                                 "with --overlay all operands are folders with results",
                                 GDYN_CODE_ABSENT "there is no folder '%s'", folder[i]);
        source[i].folder = folder[i];
    }
    return GDYN_EXIT_YES;
}

static int overlay(const gdyn_options *options, int count, const gdyn_overlay_source *source,
                   const gdyn_picture_look *look) {
    gdyn_pictures pictures = gdyn_cli_pictures(look->into);
    gdyn_status status =
        gdyn_pictures_of_columns(&pictures, count, source, options->trajectory, options->columns);
    if (status == GDYN_OK)
        status = gdyn_pictures_settle(&pictures, "plot");
    /* what does not fit together is an error of the command line */
    int code = status == GDYN_ERROR_INPUT ? GDYN_EXIT_USAGE : gdyn_exit_code(status);
    code = code == GDYN_EXIT_YES ? draw(options, &pictures, look) : code;
    gdyn_pictures_free(&pictures);
    return code;
}

static int plot_overlay(const gdyn_options *options, const gdyn_picture_look *look) {
    int count = options->count, code = GDYN_EXIT_USAGE;
    char *folder[GDYN_OVERLAY_MOST] = {NULL};
    gdyn_overlay_source source[GDYN_OVERLAY_MOST];
    gdyn_text labels = {0};
    if (count < 2 || count > GDYN_OVERLAY_MOST)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE "--overlay takes 2 to %d folders, not %d",
                             GDYN_OVERLAY_MOST, count);
    if (!look->into)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_NEEDS "--overlay needs -o DIR, a folder of its own");
    if (options->labels)
        gdyn_text_printf(&labels, "%s", options->labels);
    code = labels.failed ? GDYN_EXIT_MEMORY : find_sources(options, count, folder, source);
    if (code == GDYN_EXIT_YES && !name_sources(options, labels.data, count, source))
        code = GDYN_EXIT_USAGE;
    code = code == GDYN_EXIT_YES ? overlay(options, count, source, look) : code;
    for (int i = 0; i < count; i++)
        gdyn_free(folder[i]);
    gdyn_text_free(&labels);
    return code;
}

/* --- one folder ------------------------------------------------------------------------------- */

int gdyn_cmd_plot(gdyn_session *s) {
    const gdyn_options *options = s->options;
    gdyn_picture_look look;
    if (!read_look(options, &look))
        return GDYN_EXIT_USAGE;
    if (options->overlay)
        return plot_overlay(options, &look);
    if (options->labels || options->trajectory || options->columns)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL, GDYN_CODE_NEEDS "--%s needs --overlay",
                             options->labels       ? "labels"
                             : options->trajectory ? "trajectory"
                                                   : "columns");
    gdyn_sink console = gdyn_console_sink();
    char *folder = find_folder(options->operand[0]);
    gdyn_pictures listed = gdyn_cli_pictures(folder), chosen = listed;
    int code = folder ? gdyn_exit_code(gdyn_pictures_listed(&listed)) : GDYN_EXIT_MEMORY;
    code = code == GDYN_EXIT_YES ? choose(options, &listed, &chosen) : code;
    if (code == GDYN_EXIT_YES && look.into)
        code = gdyn_exit_code(gdyn_report_folder(look.into, &console));
    if (code == GDYN_EXIT_YES) {
        /* A view that no picture can take is reported. */
        bool turns = !options->view;
        for (int i = 0; i < chosen.count; i++)
            turns = turns || gdyn_picture_head_of(folder, chosen.stem[i]).turns;
        if (!turns)
            gdyn_cli_note(options, "warning: --view has no effect: none of these pictures shows a "
                                   "machine in space");
    }
    code = code == GDYN_EXIT_YES ? draw(options, &chosen, &look) : code;
    gdyn_pictures_free(&listed), gdyn_pictures_free(&chosen);
    gdyn_free(folder);
    return code;
}
