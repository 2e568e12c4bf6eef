/* overlay.c - results of several folders over each other: which of them fit together. */
#include "report/overlay.h"

#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- trajectories that fit together ----------------------------------------------------------- */

/* A warning about a trajectory that one folder has and another one lacks. */
static void tell_missing(const gdyn_overlay *o, const char *file, const char *name, int has,
                         int lacks) {
    gdyn_diag_emit(o->sink, GDYN_WARNING, "", NULL,
                   GDYN_CODE_PICTURE "the %s of '%s' has no trajectory '%s', as that of '%s' has: "
                                     "it is left out",
                   file, o->source[lacks].folder, name, o->source[has].folder);
}

/* An error: source k goes along another path than the first one. */
static bool same_path(const gdyn_overlay *o, const char *name, int k, const char *unit0,
                      const char *unit, double from0, double to0, double from, double to) {
    double span = fabs(to0 - from0);
    bool same = strcmp(unit0, unit) == 0 && fabs(from0 - from) <= 1e-6 * span &&
                fabs(to0 - to) <= 1e-6 * span;
    if (!same)
        gdyn_diag_emit(o->sink, GDYN_ERROR, "",
                       "only results along the same path can be overlaid; --trajectory NAME "
                       "selects one of several",
                       GDYN_CODE_PICTURE "the trajectory '%s' is another path in '%s' (p from %s "
                                         "to %s) than in '%s' (p from %s to %s)",
                       name, o->source[k].folder, gdyn_amount(from, unit).text,
                       gdyn_amount(to, unit).text, o->source[0].folder,
                       gdyn_amount(from0, unit0).text, gdyn_amount(to0, unit0).text);
    return same;
}

/* An error about the first place of a list that has no number (every step-th is of this key); true:
 * all have. */
static bool all_numbers(const gdyn_overlay *o, int k, const char *command, const char *name,
                        const char *list, const char *key, int count, const double *value,
                        int step) {
    for (int i = 0; i < count; i++)
        if (!isfinite(value[i * step])) {
            gdyn_diag_emit(o->sink, GDYN_ERROR, "",
                           gdyn_arena_printf(o->arena, "globdyn %s writes it again", command),
                           GDYN_CODE_PICTURE
                           "%s/%s.json: trajectories, %s, %s[%d] has no number '%s'",
                           o->source[k].folder, command, name, list, i, key);
            return false;
        }
    return true;
}

/* --- regions and motions ---------------------------------------------------------------------- */

/* Writes a picture; the look counts it. */
static gdyn_status finish(gdyn_overlay *o, gdyn_figure *f) {
    if (!o->look) {
        gdyn_picture_write(f, o->pictures);
        return o->pictures->status;
    }
    bool failed = f->failed;
    o->found++;
    gdyn_figure_end(f);
    return failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

static gdyn_status draw_regions(gdyn_overlay *o, json_t *const *document, const char *name) {
    gdyn_overlay_regions of[GDYN_OVERLAY_MOST];
    gdyn_figure figure;
    for (int k = 0; k < o->count; k++) {
        gdyn_overlay_read_regions(o->arena, document[k], &of[k]);
        if (gdyn_arena_failed(o->arena))
            return GDYN_ERROR_MEMORY;
        const gdyn_region_points *at = &of[k].along, *first = &of[0].along;
        bool any = at->points > 0 && first->points > 0;
        if (!any)
            gdyn_diag_emit(o->sink, GDYN_ERROR, "", "globdyn regions writes it again",
                           GDYN_CODE_PICTURE "regions.json in '%s' has no points of '%s'",
                           o->source[k].folder, name);
        if (any && !all_numbers(o, k, "regions", name, "points", "p", at->points, at->p, 1))
            return GDYN_ERROR_FILE;
        if (!any || !same_path(o, name, k, of[0].unit, of[k].unit, first->p[0],
                               first->p[first->points - 1], at->p[0], at->p[at->points - 1]))
            return GDYN_ERROR_INPUT;
    }
    gdyn_overlay_regions_figure(&figure, o, name, of);
    gdyn_status status = finish(o, &figure);
    if (status != GDYN_OK)
        return status;
    gdyn_overlay_limits_figure(&figure, o, name, of);
    return finish(o, &figure);
}

/* The first source that lacks a column of this name from `from` on, or has it in another unit than
 * the first one; -1: none. *there: the column of that source, -1: it has none. */
static int lacking(const gdyn_overlay *o, const gdyn_overlay_table *of, int from, const char *name,
                   int *there) {
    int first = gdyn_overlay_find(&of[0], from, name);
    for (int k = 0; k < o->count; k++) {
        *there = gdyn_overlay_find(&of[k], from, name);
        if (*there < 0 || first < 0 || strcmp(of[k].unit[*there], of[0].unit[first]) != 0)
            return k;
    }
    return -1;
}

/* The drives that all sources have, in `drive`; their number, -1 after an error about one with
 * another unit. */
static int shared_drives(const gdyn_overlay *o, const char *name, const gdyn_overlay_table *of,
                         const char **drive) {
    int count = 0;
    for (int i = GDYN_OVERLAY_FORCES; i < of[0].columns; i++) {
        int there, k = lacking(o, of, GDYN_OVERLAY_FORCES, of[0].name[i], &there);
        if (k >= 0 && there >= 0) {
            gdyn_diag_emit(o->sink, GDYN_ERROR, "",
                           "only results of drives of the same kind can be overlaid",
                           GDYN_CODE_PICTURE
                           "the drive '%s' along '%s' has a force in %s in '%s', in %s in '%s'",
                           of[0].name[i], name, of[k].unit[there], o->source[k].folder,
                           of[0].unit[i], o->source[0].folder);
            return -1;
        }
        if (k < 0)
            drive[count++] = of[0].name[i];
    }
    return count;
}

/* Warns where sources have drives of their own. */
static void tell_drives(const gdyn_overlay *o, const char *name, const gdyn_overlay_table *of,
                        int shared) {
    for (int k = 0; k < o->count; k++)
        if (of[k].columns - GDYN_OVERLAY_FORCES > shared) {
            gdyn_diag_emit(o->sink, GDYN_WARNING, "", NULL,
                           GDYN_CODE_PICTURE "'%s' has drives along '%s' that others lack: %s",
                           o->source[k].folder, name,
                           shared ? "only the forces of those that all have are drawn"
                                  : "none is common to all, and no forces are drawn");
            return;
        }
}

static gdyn_status draw_forces(gdyn_overlay *o, const char *name, const gdyn_overlay_table *of) {
    const char **drive = gdyn_arena_alloc(o->arena, (size_t)of[0].columns + 1, sizeof *drive);
    int shared = drive ? shared_drives(o, name, of, drive) : 0, moving = 0;
    gdyn_figure figure;
    if (!drive)
        return GDYN_ERROR_MEMORY;
    if (shared < 0)
        return GDYN_ERROR_INPUT;
    tell_drives(o, name, of, shared);
    for (int k = 0; k < o->count; k++)
        moving += of[k].rows > 0 && isfinite(of[k].time);
    if (shared == 0 || moving == 0)
        return GDYN_OK;
    gdyn_overlay_columns_figure(&figure, o, name, of, shared, drive);
    return finish(o, &figure);
}

static gdyn_status draw_motions(gdyn_overlay *o, json_t *const *document, const char *name) {
    gdyn_overlay_table of[GDYN_OVERLAY_MOST];
    const gdyn_overlay_table *first = NULL; /* with a motion */
    gdyn_figure figure;
    for (int k = 0; k < o->count; k++) {
        gdyn_overlay_read_motion(o->arena, document[k], &of[k]);
        if (gdyn_arena_failed(o->arena))
            return GDYN_ERROR_MEMORY;
        for (int c = GDYN_OVERLAY_P; c >= GDYN_OVERLAY_T; c--)
            if (!all_numbers(o, k, "traverse", name, "profile", of[k].name[c], of[k].rows,
                             of[k].value + c, of[k].columns))
                return GDYN_ERROR_FILE;
        if (of[k].rows == 0)
            continue;
        first = first ? first : &of[k];
        if (!same_path(o, name, k, first->unit[GDYN_OVERLAY_P], of[k].unit[GDYN_OVERLAY_P],
                       gdyn_overlay_value(first, 0, GDYN_OVERLAY_P),
                       gdyn_overlay_value(first, first->rows - 1, GDYN_OVERLAY_P),
                       gdyn_overlay_value(&of[k], 0, GDYN_OVERLAY_P),
                       gdyn_overlay_value(&of[k], of[k].rows - 1, GDYN_OVERLAY_P)))
            return GDYN_ERROR_INPUT;
    }
    if (!first) {
        gdyn_diag_emit(o->sink, GDYN_WARNING, "", NULL,
                       GDYN_CODE_PICTURE "no folder has a motion along '%s'", name);
        return GDYN_OK;
    }
    gdyn_overlay_phase_figure(&figure, o, name, of);
    gdyn_status status = finish(o, &figure);
    return status == GDYN_OK ? draw_forces(o, name, of) : status;
}

/* --- fronts ----------------------------------------------------------------------------------- */

/* An error where an objective of that name is another one in source k. */
static bool same_objective(const gdyn_overlay *o, const gdyn_overlay_table *of, int i, int k,
                           int there) {
    static const char *const words[] = {"minimized", "maximized"};
    bool maximized[] = {strcmp(of[0].kind[i], "maximize") == 0,
                        strcmp(of[k].kind[there], "maximize") == 0};
    const char *unit[] = {of[0].unit[i], of[k].unit[there]};
    bool same = maximized[0] == maximized[1] && strcmp(unit[0], unit[1]) == 0;
    if (!same)
        gdyn_diag_emit(o->sink, GDYN_ERROR, "", NULL,
                       GDYN_CODE_PICTURE
                       "the objective '%s' is another one in '%s' (%s%s%s) than in '%s' (%s%s%s)",
                       of[0].name[i], o->source[k].folder, words[maximized[1]],
                       *unit[1] ? ", in " : "", unit[1], o->source[0].folder, words[maximized[0]],
                       *unit[0] ? ", in " : "", unit[0]);
    return same;
}

/* Objectives that all studies have. */
static gdyn_status draw_front(gdyn_overlay *o, json_t *const *document, const char *name) {
    enum { MOST = 6 };
    gdyn_overlay_table of[GDYN_OVERLAY_MOST];
    gdyn_figure figure;
    const char *objective[MOST];
    int count = 0;
    (void)name;
    for (int k = 0; k < o->count; k++)
        gdyn_overlay_read_front(o->arena, document[k], &of[k]);
    if (gdyn_arena_failed(o->arena))
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < of[0].columns && count < MOST; i++) {
        bool shared = true;
        for (int k = 1; k < o->count && shared; k++) {
            int there = gdyn_overlay_find(&of[k], 0, of[0].name[i]);
            shared = there >= 0;
            if (shared && !same_objective(o, of, i, k, there))
                return GDYN_ERROR_INPUT;
        }
        if (shared)
            objective[count++] = of[0].name[i];
    }
    if (count == 0) {
        gdyn_diag_emit(o->sink, GDYN_ERROR, "", "front.json names the objectives of a study",
                       GDYN_CODE_PICTURE "the studies have no objective in common");
        return GDYN_ERROR_INPUT;
    }
    gdyn_overlay_front_figure(&figure, o, of, count, objective);
    return finish(o, &figure);
}

/* --- simulations ------------------------------------------------------------------------------ */

enum { PANELS_MOST = 8 };

/* A column that all sources have in the same unit; where it was asked for, an error about the
 * first one without. */
static bool shared_column(const gdyn_overlay *o, const gdyn_overlay_table *of, const char *name,
                          bool asked) {
    int there, k = lacking(o, of, 0, name, &there);
    if (k >= 0 && asked)
        gdyn_diag_emit(
            o->sink, GDYN_ERROR, "", "columns are named as in simulate.csv, without their units",
            there < 0 ? GDYN_CODE_ABSENT "simulate.json in '%s' has no column '%s'"
                      : GDYN_CODE_PICTURE "in '%s' the column '%s' has another unit than in others",
            o->source[k].folder, name);
    return k < 0;
}

/* What is drawn where nothing is asked for: places of recorded points with the residual of
 * positions, else coordinates of joints. */
static int usual_columns(const gdyn_overlay *o, const gdyn_overlay_table *of,
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
static int wanted_columns(const gdyn_overlay *o, const gdyn_overlay_table *of,
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

static gdyn_status draw_simulation(gdyn_overlay *o, json_t *const *document, const char *name) {
    gdyn_overlay_table of[GDYN_OVERLAY_MOST];
    gdyn_figure figure;
    const char *column[PANELS_MOST];
    for (int k = 0; k < o->count; k++)
        gdyn_overlay_read_simulation(o->arena, document[k], &of[k]);
    if (gdyn_arena_failed(o->arena))
        return GDYN_ERROR_MEMORY;
    int count = o->wanted ? wanted_columns(o, of, column) : usual_columns(o, of, column);
    if (count <= 0)
        return count < 0 ? GDYN_ERROR_INPUT : GDYN_OK;
    gdyn_overlay_columns_figure(&figure, o, name, of, count, column);
    return finish(o, &figure);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* The documents that are compared; what holds for each trajectory is drawn for each. */
static const struct kind {
    const char *file, *command, *part;
    bool by_trajectory;
    gdyn_status (*draw)(gdyn_overlay *o, json_t *const *document, const char *name);
} kinds[] = {{"regions.json", "regions", "trajectories", true, draw_regions},
             {"traverse.json", "traverse", "trajectories", true, draw_motions},
             {"front.json", "optimize", "designs", false, draw_front},
             {"simulate.json", "simulate", "rows", false, draw_simulation}};

/* All trajectories that the folders share, of one kind of document; warns of the others. */
static gdyn_status draw_trajectories(gdyn_overlay *o, const struct kind *kind,
                                     json_t *const *document) {
    json_t *all[GDYN_OVERLAY_MOST], *own[GDYN_OVERLAY_MOST], *value;
    gdyn_status status = GDYN_OK;
    const char *name;
    for (int k = 0; k < o->count; k++)
        all[k] = json_object_get(document[k], kind->part);
    json_object_foreach(all[0], name, value) {
        int lacks = 0; /* the first folder without it */
        for (int k = o->count - 1; k >= 0; k--)
            lacks = (own[k] = json_object_get(all[k], name)) ? lacks : k;
        if (status != GDYN_OK || (o->only && strcmp(name, o->only) != 0))
            continue;
        if (lacks > 0)
            tell_missing(o, kind->file, name, 0, lacks);
        else
            status = kind->draw(o, own, name);
    }
    for (int k = 1; k < o->count && status == GDYN_OK; k++)
        json_object_foreach(all[k], name, value) {
            if (!json_object_get(all[0], name) && (!o->only || strcmp(name, o->only) == 0))
                tell_missing(o, kind->file, name, k, 0);
        }
    return status;
}

/* Everything of one look or of the drawing that follows it. */
static gdyn_status go_through(gdyn_overlay *o, bool look) {
    o->look = look;
    o->arena = gdyn_arena_create();
    gdyn_status status = o->arena ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == GDYN_OK; i++) {
        json_t *document[GDYN_OVERLAY_MOST] = {NULL};
        const struct kind *kind = &kinds[i];
        bool there = false;
        if (kind->by_trajectory || !o->only)
            status = gdyn_overlay_load(o, kind->file, kind->command, kind->part, document, &there);
        if (status == GDYN_OK && there)
            status = kind->by_trajectory ? draw_trajectories(o, kind, document)
                                         : kind->draw(o, document, "");
        for (int k = 0; k < o->count; k++)
            json_decref(document[k]);
    }
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

gdyn_status gdyn_pictures_of_columns(gdyn_pictures *pictures, int count,
                                     const gdyn_overlay_source *source, const char *trajectory,
                                     const char *columns) {
    const gdyn_sink *sink = &pictures->sink;
    gdyn_sink errors = {.emit = emit_error, .context = &pictures->sink};
    gdyn_overlay o = {.count = count,
                      .source = source,
                      .only = trajectory,
                      .wanted = columns,
                      .pictures = pictures,
                      .sink = &errors};
    gdyn_status status = go_through(&o, true);
    if (status == GDYN_OK && o.found == 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, "",
                       "globdyn regions, traverse, simulate and optimize write what can be: "
                       "regions.json, traverse.json, simulate.json, front.json",
                       GDYN_CODE_ABSENT "these folders have %s that could be overlaid",
                       trajectory ? "no such trajectory" : "nothing in common");
        status = GDYN_ERROR_INPUT;
    }
    if (status == GDYN_OK)
        status = gdyn_report_folder(pictures->folder, sink);
    o.sink = sink;
    return status == GDYN_OK ? go_through(&o, false) : status;
}
