/* pictures.c - which pictures a command has written into a folder.
 *
 * FOLDER/pictures.list holds a line "COMMAND STEM" per picture. When a command writes anew (a
 * trajectory has another name, the case fewer objectives), those of its earlier pictures that it
 * did not make again are removed; nothing that is not in the list is ever touched. */
#include "report/report.h"
#include "report/picture.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char list_name[] = "pictures.list";

bool gdyn_pictures_add(gdyn_pictures *pictures, const char *stem) {
    if (!gdyn_reserve(&pictures->stem, &pictures->capacity, pictures->count + 1,
                      sizeof *pictures->stem))
        return false;
    snprintf(pictures->stem[pictures->count++], sizeof *pictures->stem, "%s", stem);
    return true;
}

void gdyn_pictures_free(gdyn_pictures *pictures) {
    gdyn_free(pictures->stem);
    *pictures = (gdyn_pictures){0};
}

static bool contains(const gdyn_pictures *pictures, const char *stem) {
    for (int i = 0; i < pictures->count; i++)
        if (strcmp(pictures->stem[i], stem) == 0)
            return true;
    return false;
}

/* A stem as this module writes them: no way out of the folder. */
static bool harmless(const char *stem) {
    char plain[160];
    gdyn_report_file_name(stem, plain, sizeof plain);
    return *stem && strcmp(plain, stem) == 0;
}

/* Whether another command has that picture, too. */
static bool is_shared(FILE *file, const char *command, const char *wanted) {
    char line[256], who[64], stem[160];
    long here = ftell(file);
    bool found = false;
    rewind(file);
    while (!found && fgets(line, sizeof line, file))
        found = sscanf(line, "%63s %159s", who, stem) == 2 && strcmp(who, command) != 0 &&
                strcmp(stem, wanted) == 0;
    fseek(file, here, SEEK_SET);
    return found;
}

/* Goes through the list: keeps the lines of other commands, removes this command's old pictures. */
static void revise(FILE *file, const gdyn_pictures *pictures, const char *command,
                   gdyn_text *list) {
    char line[256], who[64], stem[160];
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63s %159s", who, stem) != 2 || !harmless(stem))
            continue;
        bool ours = strcmp(who, command) == 0, again = ours && contains(pictures, stem);
        if (!ours || (pictures->partial && !again))
            gdyn_text_printf(list, "%s %s\n", who, stem);
        else if (!again && !is_shared(file, command, stem)) {
            static const char *const extension[] = {"gp", "dat", "png", "svg", "pdf", "gif"};
            for (size_t i = 0; i < sizeof extension / sizeof *extension; i++) {
                gdyn_text name = {0};
                gdyn_text_printf(&name, "%s/%s.%s", pictures->folder, stem, extension[i]);
                if (!name.failed && name.data)
                    unlink(name.data);
                gdyn_text_free(&name);
            }
        }
    }
}

gdyn_status gdyn_pictures_listed(gdyn_pictures *pictures) {
    gdyn_text name = {0};
    char line[256], who[64], stem[160];
    gdyn_text_printf(&name, "%s/%s", pictures->folder, list_name);
    FILE *file = name.failed || !name.data ? NULL : fopen(name.data, "rb");
    gdyn_status status = name.failed ? GDYN_ERROR_MEMORY : file ? GDYN_OK : GDYN_ERROR_FILE;
    if (status == GDYN_ERROR_FILE)
        gdyn_diag_emit(&pictures->sink, GDYN_ERROR, "",
                       "globdyn regions CASE -o DIR writes such a folder",
                       GDYN_CODE_PICTURE "'%s' is not a folder with pictures: it has no %s",
                       pictures->folder, list_name);
    /* a picture of two commands stands there twice */
    while (status == GDYN_OK && fgets(line, sizeof line, file))
        if (sscanf(line, "%63s %159s", who, stem) == 2 && harmless(stem) &&
            !contains(pictures, stem) && !gdyn_pictures_add(pictures, stem))
            status = GDYN_ERROR_MEMORY;
    if (file)
        fclose(file);
    gdyn_text_free(&name);
    return status;
}

gdyn_status gdyn_pictures_settle(const gdyn_pictures *pictures, const char *command) {
    gdyn_text name = {0}, list = {0};
    if (pictures->status != GDYN_OK)
        return pictures->status;
    gdyn_text_printf(&name, "%s/%s", pictures->folder, list_name);
    FILE *file = name.failed || !name.data ? NULL : fopen(name.data, "rb");
    gdyn_text_append(&list, "", 0);
    if (file) {
        revise(file, pictures, command, &list);
        fclose(file);
    }
    for (int i = 0; i < pictures->count; i++)
        gdyn_text_printf(&list, "%s %s\n", command, pictures->stem[i]);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (!name.failed && !list.failed && list.data)
        status =
            gdyn_report_write(pictures->folder, list_name, list.data, list.length, &pictures->sink);
    gdyn_text_free(&name), gdyn_text_free(&list);
    return status;
}

void gdyn_picture_begin(gdyn_figure *f, const char *name, const char *kind, double width,
                        const char *heading, ...) {
    gdyn_text text = {0};
    char stem[120];
    va_list args;
    va_start(args, heading);
    gdyn_text_vprintf(&text, heading, args);
    va_end(args);
    gdyn_report_file_name(name, stem, sizeof stem);
    gdyn_figure_begin(f, stem, kind, width);
    gdyn_figure_text(f, GDYN_HEADING, "%s", text.data ? text.data : "");
    gdyn_text_free(&text);
}

static gdyn_status write_file(const gdyn_pictures *pictures, const char *stem, const char *ending,
                              const gdyn_text *text) {
    char name[200];
    snprintf(name, sizeof name, "%s.%s", stem, ending);
    return gdyn_report_write(pictures->folder, name, text->data, text->length, &pictures->sink);
}

void gdyn_picture_write(gdyn_figure *figure, gdyn_pictures *pictures) {
    gdyn_text script = {0}, data = {0};
    gdyn_status *status = &pictures->status;
    if (!*figure->stem)
        return;
    if (*status == GDYN_OK)
        *status = gdyn_figure_script(figure, &script, &data) ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (*status == GDYN_OK)
        *status = write_file(pictures, figure->stem, "dat", &data);
    if (*status == GDYN_OK)
        *status = write_file(pictures, figure->stem, "gp", &script);
    if (*status == GDYN_OK && !gdyn_pictures_add(pictures, figure->stem))
        *status = GDYN_ERROR_MEMORY;
    gdyn_text_free(&script), gdyn_text_free(&data);
    gdyn_figure_end(figure);
}

gdyn_shortened gdyn_picture_name(const char *name) {
    enum { MOST = 60 };
    return gdyn_shorten(name, MOST);
}

/* --- which pictures belong to a result: a row each. Adding one: CONTRIBUTING.md --------------- */

/* --- regions ------------------------------------------------------------------------------ */

/* The places that were asked for, else some of the path. */
static void draw_regions(gdyn_figure *f, const gdyn_trajectory *t) {
    enum { SPREAD = 6, MOST = 12 };
    const gdyn_region_points *panels = t->at.points > 0 ? &t->at : &t->along;
    int points[MOST], count = 0;
    for (; t->at.points > 0 && count < panels->points && count < MOST; count++)
        points[count] = count;
    if (t->at.points == 0)
        count = gdyn_report_spread(panels, SPREAD, points);
    gdyn_regions_figure(f, t, panels, count, points, NULL);
}

static void draw_limits(gdyn_figure *f, const gdyn_trajectory *t) {
    gdyn_limits_figure(f, t, NULL);
}

static void draw_ranges(gdyn_figure *f, const gdyn_trajectory *t) {
    gdyn_ranges_figure(f, t, t->path ? gdyn_trajectory_points(t) : NULL);
}

typedef void draw_trajectory(gdyn_figure *f, const gdyn_trajectory *t);
static draw_trajectory *const of_regions[] = {draw_regions, gdyn_tube_figure, draw_limits,
                                              draw_ranges, gdyn_machine_figure};
static draw_trajectory *const of_motion[] = {gdyn_phase_figure, gdyn_forces_figure};

static void draw_all(int count, draw_trajectory *const *draw, gdyn_pictures *pictures,
                     const gdyn_trajectory *t) {
    for (int i = 0; i < count && pictures->status == GDYN_OK; i++) {
        gdyn_figure figure = {.stem = ""};
        draw[i](&figure, t);
        gdyn_picture_write(&figure, pictures);
    }
}

void gdyn_pictures_of_regions(gdyn_pictures *pictures, const gdyn_trajectory *t) {
    draw_all((int)(sizeof of_regions / sizeof *of_regions), of_regions, pictures, t);
}

void gdyn_pictures_of_motion(gdyn_pictures *pictures, const gdyn_trajectory *t) {
    draw_all((int)(sizeof of_motion / sizeof *of_motion), of_motion, pictures, t);
}

void gdyn_pictures_of_examination(gdyn_pictures *pictures, const gdyn_examination *e) {
    for (int i = -1; i < e->opened && pictures->status == GDYN_OK; i++) {
        gdyn_figure figure = {.stem = ""};
        if (i < 0)
            gdyn_pose_figure(&figure, e);
        else
            gdyn_ranges_figure(&figure, &e->trajectory[i], e->trajectory[i].track);
        gdyn_picture_write(&figure, pictures);
    }
}

/* --- studies ------------------------------------------------------------------------------ */

static const struct {
    bool sweep;     /* of a sweep, too */
    int objectives; /* least number of them in a sweep */
    void (*draw)(gdyn_figure *figure, const gdyn_outcome *outcome);
} of_study[] = {
    {true, 2, gdyn_front_figure},     {false, 0, gdyn_parallel_figure},
    {true, 0, gdyn_variables_figure}, {false, 0, gdyn_history_figure},
    {false, 0, gdyn_failures_figure},
};

void gdyn_picture_study(gdyn_pictures *pictures, const gdyn_outcome *outcome, bool sweep) {
    int objectives = gdyn_study_start(outcome->study)->objective_count;
    for (size_t i = 0; i < sizeof of_study / sizeof *of_study && pictures->status == GDYN_OK; i++) {
        gdyn_figure figure = {.stem = ""};
        if (!sweep || (of_study[i].sweep && objectives >= of_study[i].objectives))
            of_study[i].draw(&figure, outcome);
        gdyn_picture_write(&figure, pictures);
    }
    if (!sweep)
        gdyn_picture_designs(pictures, outcome);
}
