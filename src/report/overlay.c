/* overlay.c - results of several folders over each other: which of them fit together, and the
 * look of their lines. */
#include "report/overlay.h"

#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the look --------------------------------------------------------------------------------- */

const char *gdyn_overlay_name(const gdyn_overlay *o, int source, char out[120]) {
    enum { MOST = 40 };
    return gdyn_shorten(o->source[source].label, MOST, out, 120);
}

gdyn_figure_layer gdyn_overlay_line(const gdyn_overlay *o, gdyn_figure *f, int source, int block,
                                    double weight, const char *more) {
    /* told apart without colour, in print, and where one lies on another: dashes above a wider
     * solid line */
    static const char *const dashes[GDYN_OVERLAY_MOST] = {
        NULL, "(7,3)", "(2,4)", "(9,2.5,1.5,2.5)", "(14,4)", "(4,4)", "(9,2,1.5,2,1.5,2)", "(1,4)"};
    char name[120];
    gdyn_overlay_name(o, source, name);
    return (gdyn_figure_layer){
        block >= 0 ? GDYN_LINE : GDYN_SAMPLE,
        block,
        .width = weight * (source ? 2.6 : 3.6),
        .dash = dashes[source % GDYN_OVERLAY_MOST],
        .colour = gdyn_page_colour(source),
        .title = more ? gdyn_figure_words(f, "%s%s%s", name, *more ? ", " : "", more) : NULL};
}

/* --- trajectories that fit together ----------------------------------------------------------- */

/* A warning about a trajectory that one folder has and another one lacks. */
static void tell_missing(const gdyn_overlay *o, const char *file, const char *name, int has,
                         int lacks) {
    gdyn_diag_emit(o->sink, GDYN_WARNING, "", NULL,
                   GDYN_CODE_PICTURE "the %s of '%s' has no trajectory '%s', as that of '%s' has: "
                                     "it is left out",
                   file, o->source[lacks].folder, name, o->source[has].folder);
}

/* Whether all documents have the trajectory; a warning where one has not. */
static bool is_shared(const gdyn_overlay *o, const char *file, json_t *const *document,
                      const char *name) {
    for (int k = 1; k < o->count; k++)
        if (!json_object_get(json_object_get(document[k], "trajectories"), name)) {
            tell_missing(o, file, name, 0, k);
            return false;
        }
    return true;
}

/* Warns of trajectories that the first document has not. */
static void tell_others(const gdyn_overlay *o, const char *file, json_t *const *document) {
    const json_t *first = json_object_get(document[0], "trajectories");
    for (int k = 1; k < o->count; k++) {
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(document[k], "trajectories"), name, value) {
            if (!json_object_get(first, name) && (!o->only || strcmp(name, o->only) == 0))
                tell_missing(o, file, name, k, 0);
        }
    }
}

/* An error: source k goes along another path than the first one. */
static bool same_path(const gdyn_overlay *o, const char *name, int k, const char *unit0,
                      const char *unit, const double first[2], const double own[2]) {
    double span = fabs(first[1] - first[0]);
    bool same = strcmp(unit0, unit) == 0 && fabs(first[0] - own[0]) <= 1e-6 * span &&
                fabs(first[1] - own[1]) <= 1e-6 * span;
    if (!same)
        gdyn_diag_emit(o->sink, GDYN_ERROR, "",
                       "only results along the same path can be drawn over each other; "
                       "--trajectory NAME takes one of several",
                       GDYN_CODE_PICTURE "the trajectory '%s' is another path in '%s' (p from %s "
                                         "to %s) than in '%s' (p from %s to %s)",
                       name, o->source[k].folder, gdyn_amount(own[0], unit).text,
                       gdyn_amount(own[1], unit).text, o->source[0].folder,
                       gdyn_amount(first[0], unit0).text, gdyn_amount(first[1], unit0).text);
    return same;
}

/* An error about the first place of a list that has no number; true: all have. */
static bool all_numbers(const gdyn_overlay *o, int k, const char *command, const char *name,
                        const char *list, const char *key, int count, const double *value) {
    for (int i = 0; i < count; i++)
        if (!isfinite(value[i])) {
            gdyn_diag_emit(o->sink, GDYN_ERROR, "",
                           gdyn_arena_printf(o->arena, "globdyn %s writes it anew", command),
                           GDYN_CODE_PICTURE
                           "%s/%s.json: trajectories, %s, %s[%d] has no number '%s'",
                           o->source[k].folder, command, name, list, i, key);
            return false;
        }
    return true;
}

/* Lists a picture that will be drawn. */
static gdyn_status list(gdyn_pictures *pictures, const char *name, const char *picture) {
    return gdyn_pictures_add(pictures, name, picture) ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* --- regions and motions ---------------------------------------------------------------------- */

static bool ends(int points, const double *p, double out[2]) {
    out[0] = points > 0 ? p[0] : NAN;
    out[1] = points > 0 ? p[points - 1] : NAN;
    return points > 0;
}

static gdyn_status draw_regions(const gdyn_overlay *o, json_t *const *document, const char *name,
                                gdyn_pictures *pictures) {
    gdyn_overlay_regions of[GDYN_OVERLAY_MOST];
    double first[2], own[2];
    for (int k = 0; k < o->count; k++) {
        const json_t *all = json_object_get(document[k], "trajectories");
        gdyn_overlay_read_regions(o->arena, json_object_get(all, name), &of[k]);
        if (gdyn_arena_failed(o->arena))
            return GDYN_ERROR_MEMORY;
        bool any = ends(of[k].along.points, of[k].along.p, own) &&
                   ends(of[0].along.points, of[0].along.p, first);
        if (!any)
            gdyn_diag_emit(o->sink, GDYN_ERROR, "", "globdyn regions writes it anew",
                           GDYN_CODE_PICTURE "regions.json in '%s' has no points of '%s'",
                           o->source[k].folder, name);
        if (any &&
            !all_numbers(o, k, "regions", name, "points", "p", of[k].along.points, of[k].along.p))
            return GDYN_ERROR_FILE;
        if (!any || !same_path(o, name, k, of[0].unit, of[k].unit, first, own))
            return GDYN_ERROR_INPUT;
    }
    gdyn_status status = o->look ? list(pictures, name, "overlay_regions")
                                 : gdyn_picture_overlay_regions(o, name, of);
    if (status == GDYN_OK)
        status = o->look ? list(pictures, name, "overlay_limits")
                         : gdyn_picture_overlay_limits(o, name, of);
    return status;
}

/* The unit of a drive's force in a motion, NULL: it has no such drive. */
static const char *unit_of_drive(const gdyn_overlay_motion *of, const char *name) {
    for (int k = 0; k < of->drives; k++)
        if (strcmp(of->drive[k], name) == 0)
            return of->newton[k];
    return NULL;
}

/* The drives that all sources have, in `drive`; their number, -1 after an error about one with
 * another unit. */
static int shared_drives(const gdyn_overlay *o, const char *name, const gdyn_overlay_motion *of,
                         const char **drive) {
    int count = 0;
    for (int i = 0; i < of[0].drives; i++) {
        bool shared = true;
        for (int k = 1; k < o->count && shared; k++) {
            const char *unit = unit_of_drive(&of[k], of[0].drive[i]);
            shared = unit != NULL;
            if (shared && strcmp(unit, of[0].newton[i]) != 0) {
                gdyn_diag_emit(o->sink, GDYN_ERROR, "",
                               "only results of like drives can be drawn over each other",
                               GDYN_CODE_PICTURE
                               "the drive '%s' along '%s' has a force in %s in '%s', in %s in '%s'",
                               of[0].drive[i], name, unit, o->source[k].folder, of[0].newton[i],
                               o->source[0].folder);
                return -1;
            }
        }
        if (shared)
            drive[count++] = of[0].drive[i];
    }
    return count;
}

/* Warns where sources have drives of their own. */
static void tell_drives(const gdyn_overlay *o, const char *name, const gdyn_overlay_motion *of,
                        int shared) {
    for (int k = 0; k < o->count; k++)
        if (of[k].drives > shared) {
            gdyn_diag_emit(o->sink, GDYN_WARNING, "", NULL,
                           GDYN_CODE_PICTURE "'%s' has drives along '%s' that others have not: %s",
                           o->source[k].folder, name,
                           shared ? "only the forces of those that all have are drawn"
                                  : "none is common to all, and no forces are drawn");
            return;
        }
}

static gdyn_status draw_forces(const gdyn_overlay *o, const char *name,
                               const gdyn_overlay_motion *of, gdyn_pictures *pictures) {
    const char **drive = gdyn_arena_alloc(o->arena, (size_t)of[0].drives + 1, sizeof *drive);
    int shared = drive ? shared_drives(o, name, of, drive) : 0, moving = 0;
    if (!drive)
        return GDYN_ERROR_MEMORY;
    if (shared < 0)
        return GDYN_ERROR_INPUT;
    tell_drives(o, name, of, shared);
    for (int k = 0; k < o->count; k++)
        moving += of[k].points > 0 && isfinite(of[k].time);
    if (shared == 0 || moving == 0)
        return GDYN_OK;
    return o->look ? list(pictures, name, "overlay_forces")
                   : gdyn_picture_overlay_forces(o, name, of, shared, drive);
}

static gdyn_status draw_motions(const gdyn_overlay *o, json_t *const *document, const char *name,
                                gdyn_pictures *pictures) {
    gdyn_overlay_motion of[GDYN_OVERLAY_MOST];
    double first[2] = {NAN, NAN}, own[2];
    int from = -1; /* the first source with a motion */
    for (int k = 0; k < o->count; k++) {
        const json_t *all = json_object_get(document[k], "trajectories");
        gdyn_overlay_read_motion(o->arena, json_object_get(all, name), &of[k]);
        if (gdyn_arena_failed(o->arena))
            return GDYN_ERROR_MEMORY;
        bool moves = ends(of[k].points, of[k].p, own);
        if (!all_numbers(o, k, "traverse", name, "profile", "p", of[k].points, of[k].p) ||
            !all_numbers(o, k, "traverse", name, "profile", "t", of[k].points, of[k].t))
            return GDYN_ERROR_FILE;
        if (moves && from < 0 && ends(of[k].points, of[k].p, first))
            from = k;
        if (moves && !same_path(o, name, k, of[from].unit, of[k].unit, first, own))
            return GDYN_ERROR_INPUT;
    }
    if (from < 0) {
        gdyn_diag_emit(o->sink, GDYN_WARNING, "", NULL,
                       GDYN_CODE_PICTURE "no folder has a motion along '%s'", name);
        return GDYN_OK;
    }
    gdyn_status status =
        o->look ? list(pictures, name, "overlay_phase") : gdyn_picture_overlay_phase(o, name, of);
    return status == GDYN_OK ? draw_forces(o, name, of, pictures) : status;
}

typedef gdyn_status draw_function(const gdyn_overlay *o, json_t *const *document, const char *name,
                                  gdyn_pictures *pictures);

/* All trajectories that the folders share, of one kind of document. */
static gdyn_status draw_trajectories(const gdyn_overlay *o, const char *file, const char *command,
                                     draw_function *draw, gdyn_pictures *pictures) {
    json_t *document[GDYN_OVERLAY_MOST] = {NULL};
    bool there;
    gdyn_status status = gdyn_overlay_load(o, file, command, document, &there);
    if (status == GDYN_OK && there) {
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(document[0], "trajectories"), name, value) {
            if (status == GDYN_OK && (!o->only || strcmp(name, o->only) == 0) &&
                is_shared(o, file, document, name))
                status = draw(o, document, name, pictures);
        }
        if (status == GDYN_OK)
            tell_others(o, file, document);
    }
    for (int k = 0; k < o->count; k++)
        json_decref(document[k]);
    return status;
}

/* --- fronts ----------------------------------------------------------------------------------- */

/* Place of an objective; -1: none. */
static int find_objective(const gdyn_overlay_front *of, const char *name) {
    for (int k = 0; k < of->objectives; k++)
        if (strcmp(of->name[k], name) == 0)
            return k;
    return -1;
}

/* An error where an objective of that name is another one in source k. */
static bool same_objective(const gdyn_overlay *o, const gdyn_overlay_front *of, int i, int k,
                           int there) {
    bool sense = of[0].maximized[i] == of[k].maximized[there];
    bool unit = strcmp(of[0].unit[i], of[k].unit[there]) == 0;
    if (!sense || !unit)
        gdyn_diag_emit(
            o->sink, GDYN_ERROR, "", NULL,
            GDYN_CODE_PICTURE "the objective '%s' is another one in '%s' (%s%s%s) than in "
                              "'%s' (%s%s%s)",
            of[0].name[i], o->source[k].folder, of[k].maximized[there] ? "maximized" : "minimized",
            *of[k].unit[there] ? ", in " : "", of[k].unit[there], o->source[0].folder,
            of[0].maximized[i] ? "maximized" : "minimized", *of[0].unit[i] ? ", in " : "",
            of[0].unit[i]);
    return sense && unit;
}

/* Objectives that all studies have; their number, -1 after an error. */
static int shared_objectives(const gdyn_overlay *o, const gdyn_overlay_front *of,
                             const char **objective) {
    enum { MOST = 6 };
    int count = 0;
    for (int i = 0; i < of[0].objectives && count < MOST; i++) {
        bool shared = true;
        for (int k = 1; k < o->count && shared; k++) {
            int there = find_objective(&of[k], of[0].name[i]);
            shared = there >= 0;
            if (shared && !same_objective(o, of, i, k, there))
                return -1;
        }
        if (shared)
            objective[count++] = of[0].name[i];
    }
    if (count == 0)
        gdyn_diag_emit(o->sink, GDYN_ERROR, "", "front.json names the objectives of a study",
                       GDYN_CODE_PICTURE "the studies have no objective in common");
    return count ? count : -1;
}

static gdyn_status draw_fronts(const gdyn_overlay *o, gdyn_pictures *pictures) {
    json_t *document[GDYN_OVERLAY_MOST] = {NULL};
    gdyn_overlay_front of[GDYN_OVERLAY_MOST];
    bool there;
    gdyn_status status = gdyn_overlay_load(o, "front.json", "optimize", document, &there);
    for (int k = 0; k < o->count && status == GDYN_OK && there; k++)
        gdyn_overlay_read_front(o->arena, document[k], &of[k]);
    if (status == GDYN_OK && there && gdyn_arena_failed(o->arena))
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && there) {
        const char *objective[8];
        int count = shared_objectives(o, of, objective);
        status = count < 0 ? GDYN_ERROR_INPUT
                 : o->look ? list(pictures, "", "overlay_front")
                           : gdyn_picture_overlay_front(o, of, count, objective);
    }
    for (int k = 0; k < o->count; k++)
        json_decref(document[k]);
    return status;
}

/* --- simulations ------------------------------------------------------------------------------ */

enum { PANELS_MOST = 8 };

int gdyn_overlay_column(const gdyn_overlay_simulation *of, const char *name) {
    for (int c = 0; c < of->columns; c++)
        if (strcmp(of->name[c], name) == 0)
            return c;
    return -1;
}

/* A column that all sources have in the same unit; where it was asked for, an error about the
 * first one without. */
static bool shared_column(const gdyn_overlay *o, const gdyn_overlay_simulation *of,
                          const char *name, bool asked) {
    int first = gdyn_overlay_column(&of[0], name);
    for (int k = 0; k < o->count; k++) {
        int there = gdyn_overlay_column(&of[k], name);
        bool same = there >= 0 && first >= 0 && strcmp(of[k].unit[there], of[0].unit[first]) == 0;
        if (same)
            continue;
        if (asked)
            gdyn_diag_emit(o->sink, GDYN_ERROR, "",
                           "columns are named as in simulate.csv, without their units",
                           there < 0 ? GDYN_CODE_ABSENT "simulate.json in '%s' has no column '%s'"
                                     : GDYN_CODE_PICTURE
                               "in '%s' the column '%s' has another unit than in others",
                           o->source[k].folder, name);
        return false;
    }
    return true;
}

/* What is drawn where nothing is asked for: places of recorded points with the residual of
 * positions, else coordinates of joints. */
static int usual_columns(const gdyn_overlay *o, const gdyn_overlay_simulation *of,
                         const char *column[PANELS_MOST]) {
    int count = 0;
    for (int pass = 0; pass < 2 && count == 0; pass++)
        for (int c = 0; c < of[0].columns && count < PANELS_MOST - 1; c++) {
            bool kind = strcmp(of[0].kind[c], pass ? "joint" : "point") == 0;
            if (kind && strcmp(of[0].unit[c], "m/s") != 0 &&
                shared_column(o, of, of[0].name[c], false))
                column[count++] = of[0].name[c];
        }
    if (count > 0 && shared_column(o, of, "residual.position", false))
        column[count++] = "residual.position";
    return count;
}

/* Those of --columns; their number, -1 after an error. */
static int wanted_columns(const gdyn_overlay *o, const gdyn_overlay_simulation *of,
                          const char *column[PANELS_MOST]) {
    int count = 0;
    char *list = gdyn_arena_strdup(o->arena, o->wanted);
    for (char *at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        bool last = !at[length];
        at[length] = '\0';
        if (count == PANELS_MOST) {
            gdyn_diag_emit(o->sink, GDYN_ERROR, "", "draw the others into another folder",
                           GDYN_CODE_PICTURE "--columns has more than %d", PANELS_MOST);
            return -1;
        }
        if (!shared_column(o, of, at, true))
            return -1;
        column[count++] = at;
        at += length + !last;
    }
    return count;
}

static gdyn_status draw_simulations(const gdyn_overlay *o, gdyn_pictures *pictures) {
    json_t *document[GDYN_OVERLAY_MOST] = {NULL};
    gdyn_overlay_simulation of[GDYN_OVERLAY_MOST];
    bool there;
    gdyn_status status = gdyn_overlay_load(o, "simulate.json", "simulate", document, &there);
    for (int k = 0; k < o->count && status == GDYN_OK && there; k++)
        gdyn_overlay_read_simulation(o->arena, document[k], &of[k]);
    if (status == GDYN_OK && there && gdyn_arena_failed(o->arena))
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && there) {
        const char *column[PANELS_MOST];
        int count = o->wanted ? wanted_columns(o, of, column) : usual_columns(o, of, column);
        status = count < 0    ? GDYN_ERROR_INPUT
                 : count == 0 ? GDYN_OK
                 : o->look    ? list(pictures, "", "overlay_simulation")
                              : gdyn_picture_overlay_simulation(o, of, count, column);
    }
    for (int k = 0; k < o->count; k++)
        json_decref(document[k]);
    return status;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* Everything of one look or of the drawing that follows it. */
static gdyn_status go_through(gdyn_overlay *o, bool look, gdyn_pictures *pictures) {
    o->look = look;
    o->arena = gdyn_arena_create();
    gdyn_status status = o->arena ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = draw_trajectories(o, "regions.json", "regions", draw_regions, pictures);
    if (status == GDYN_OK)
        status = draw_trajectories(o, "traverse.json", "traverse", draw_motions, pictures);
    if (status == GDYN_OK && !o->only)
        status = draw_fronts(o, pictures);
    if (status == GDYN_OK && !o->only)
        status = draw_simulations(o, pictures);
    gdyn_arena_destroy(o->arena);
    return status;
}

/* The look tells of errors alone: warnings are the drawing's, and where nothing is drawn there
 * are none. */
static void emit_error(void *context, const gdyn_diag *diag) {
    const gdyn_sink *sink = context;
    if (diag->severity == GDYN_ERROR && sink->emit)
        sink->emit(sink->context, diag);
}

gdyn_status gdyn_pictures_of_columns(const char *folder, int count,
                                     const gdyn_overlay_source *source, const char *trajectory,
                                     const char *columns, gdyn_pictures *pictures,
                                     const gdyn_sink *sink) {
    gdyn_sink all = *sink, errors = {.emit = emit_error, .context = &all};
    gdyn_overlay o = {.count = count,
                      .source = source,
                      .folder = folder,
                      .only = trajectory,
                      .wanted = columns,
                      .sink = &errors};
    gdyn_status status = go_through(&o, true, pictures);
    if (status == GDYN_OK && pictures->count == 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, "",
                       "globdyn regions, traverse, simulate and optimize write what can be: "
                       "regions.json, traverse.json, simulate.json, front.json",
                       GDYN_CODE_ABSENT "these folders have %s that could be drawn over each other",
                       trajectory ? "no such trajectory" : "nothing in common");
        status = GDYN_ERROR_INPUT;
    }
    if (status == GDYN_OK)
        status = gdyn_report_folder(folder, sink);
    o.sink = sink;
    return status == GDYN_OK ? go_through(&o, false, pictures) : status;
}

gdyn_status gdyn_pictures_of_overlay(const char *folder, int count,
                                     const gdyn_overlay_source *source, const char *trajectory,
                                     gdyn_pictures *pictures, const gdyn_sink *sink) {
    return gdyn_pictures_of_columns(folder, count, source, trajectory, NULL, pictures, sink);
}
