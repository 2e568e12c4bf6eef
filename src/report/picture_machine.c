/* picture_machine.c - the machine along its path: the first pose drawn fully, further poses faded;
 * as `check` finds it: assembled at its first guess, or the best attempt with the joints that stay
 * open; its modes side by side. */
#include "report/drawing.h"
#include "report/report.h"

#include "base/memory.h"
#include "closure/closure.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>

enum { GHOSTS = 7 };

typedef struct picture {
    const gdyn_path_def *path;
    const gdyn_track *track;
    int nearest; /* no point is reached: the one that is shown; else -1 */
    gdyn_drawing drawing;
} picture;

/* Path, guides, faded poses, and the machine at one pose. */
static void draw_machine(picture *pic) {
    gdyn_drawing *d = &pic->drawing;
    const gdyn_track *track = pic->track;
    /* The first pose that is reached, or the nearest to one. */
    int main = -1;
    for (int i = 0; i < track->points && main < 0; i++)
        main = track->status[i] == GDYN_POINT_OK ? i : -1;
    gdyn_drawing_path(d, pic->path, track);
    gdyn_drawing_guides(d, track->points, track->state);
    if (main < 0) /* as near as it comes */
        main = pic->nearest = gdyn_track_nearest(track);
    const gdyn_state *state = track->state[main];
    /* Faded poses, evenly over the rest of the path to its end; that of a closed path lies below
     * the main pose. */
    for (int i = 1; i <= GHOSTS; i++) {
        int at = main + (int)((long)i * (track->points - 1 - main) / GHOSTS);
        if (at > main && track->status[at] == GDYN_POINT_OK)
            gdyn_drawing_bodies(d, track->state[at], true);
    }
    /* The main pose, above all others. */
    gdyn_drawing_pose(d, state);
    gdyn_drawing_tools(d, pic->path, state);
}

void gdyn_machine_figure(gdyn_figure *f, const gdyn_trajectory *t) {
    if (!t->path)
        return;
    const gdyn_path_def *path = gdyn_path_definition(t->path);
    picture pic = {.path = path, .track = gdyn_trajectory_points(t), .nearest = -1};
    gdyn_picture_begin(f, t->name, "machine", 900, "The machine along '%s'",
                       gdyn_picture_name(t->name).text);
    /* layers first: ranges and view depend on all of them */
    gdyn_drawing_begin(&pic.drawing, t->instance->model, path->tools, path->tool);
    draw_machine(&pic);
    gdyn_drawing_missed(&pic.drawing, path, pic.track);
    gdyn_drawing_frame(&pic.drawing);
    if (pic.nearest >= 0)
        gdyn_figure_text(f, GDYN_ALARM,
                         "the path is not reached: the machine as close as possible, at p = %s",
                         gdyn_amount(pic.track->p[pic.nearest], t->unit).text);
    gdyn_drawing_panel(&pic.drawing, f, true);
    gdyn_drawing_end(&pic.drawing);
}

/* --- as `check` finds it ---------------------------------------------------------------------- */

enum { OPEN_MOST = 12 }; /* open joints that are marked */

typedef struct pose_picture {
    const gdyn_examination *e;
    gdyn_drawing drawing;
    int found, open; /* joints that stay open, those that are marked */
    gdyn_gap gap[OPEN_MOST];
} pose_picture;

static void draw_pose(pose_picture *pic) {
    const gdyn_examination *e = pic->e;
    gdyn_drawing *d = &pic->drawing;
    gdyn_state *state = e->guess.state;
    /* Paths below the machine: what is followed, and what is not. */
    for (int i = 0; i < e->opened; i++) {
        const gdyn_path_def *def = gdyn_path_definition(e->trajectory[i].path);
        gdyn_drawing_path(d, def, e->trajectory[i].track);
        gdyn_drawing_missed(d, def, e->trajectory[i].track);
    }
    gdyn_drawing_guides(d, 1, &state);
    gdyn_drawing_pose(d, state);
    for (int i = 0; i < e->instance->trajectory_count; i++)
        gdyn_drawing_tools(d, &e->instance->trajectory[i], state);
    gdyn_drawing_open(d, state, pic->open, pic->gap);
}

/* --- the page --------------------------------------------------------------------------------- */

/* Their names and gaps. */
static void list_open(const pose_picture *pic, gdyn_figure *f) {
    if (pic->open > 0)
        gdyn_figure_text(f, GDYN_PARAGRAPH, "stays open by");
    for (int i = 0; i < pic->open; i++) {
        const char *unit;
        double amount = gdyn_shown(pic->gap[i].amount, pic->gap[i].length, &unit);
        gdyn_figure_text(f, GDYN_PARAGRAPH, "%d  %s: %.3g %s", i + 1,
                         gdyn_model_joint(pic->e->model, pic->gap[i].joint)->name, amount, unit);
    }
    if (pic->found > pic->open)
        gdyn_figure_text(f, GDYN_PARAGRAPH, "and %d more", pic->found - pic->open);
}

/* What is shown, and where the first trajectory ends that is not followed. */
static void write_title(const pose_picture *pic, gdyn_figure *f) {
    const gdyn_examination *e = pic->e;
    const gdyn_trajectory *first = NULL;
    char more[40] = "";
    /* trajectories that are not followed to their end; the first of them */
    int count = 0;
    for (int i = e->opened - 1; i >= 0; i--)
        if (!isnan(e->trajectory[i].followed.failure_p)) {
            first = &e->trajectory[i];
            count++;
        }
    if (count > 1)
        snprintf(more, sizeof more, " (and %d more)", count - 1);
    gdyn_picture_begin(f, "", "machine", 900, "'%s' %s", gdyn_picture_name(e->instance->name).text,
                       e->assembled ? "assembled at its first guess"
                                    : "does not close: the best attempt");
    if (count > 0)
        gdyn_figure_text(f, GDYN_ALARM, "'%s' first fails at p = %s, %d of %d points followed%s",
                         gdyn_picture_name(first->name).text,
                         gdyn_amount(first->followed.failure_p, first->unit).text,
                         first->track->followed, first->track->points, more);
}

void gdyn_pose_figure(gdyn_figure *f, const gdyn_examination *e) {
    pose_picture pic = {.e = e};
    const gdyn_instance *instance = e->instance;
    bool found = true;
    /* Bodies reach to the tools of the first trajectory. */
    const gdyn_path_def *first = instance->trajectory_count > 0 ? &instance->trajectory[0] : NULL;
    if (!e->assembled)
        found = gdyn_gaps_find(e->guess.state, OPEN_MOST, pic.gap, &pic.found) == GDYN_OK;
    pic.open = pic.found < OPEN_MOST ? pic.found : OPEN_MOST;
    gdyn_drawing_begin(&pic.drawing, e->model, first ? first->tools : 0,
                       first ? first->tool : NULL);
    draw_pose(&pic);
    gdyn_drawing_frame(&pic.drawing);
    write_title(&pic, f);
    /* a number at every open joint */
    gdyn_figure_panel *panel = gdyn_drawing_panel(&pic.drawing, f, true);
    for (int i = 0; i < pic.open; i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic.e->model, pic.gap[i].joint);
        double a[3], b[3];
        char number[20];
        if (!gdyn_joint_type_has_points(joint->type))
            continue;
        /* between both ends */
        gdyn_state_point(pic.e->guess.state, &joint->a, a);
        gdyn_state_point(pic.e->guess.state, &joint->b, b);
        v3_axpy(a, a, 1, b);
        v3_scale(a, 0.5, a);
        snprintf(number, sizeof number, "%d", i + 1);
        if (pic.drawing.planar)
            gdyn_figure_put_name(f, number, a[0], a[1], 0, 0.7, 0.7, 1);
        else
            gdyn_figure_put_name(f, number, a[0], a[1], a[2], 0, 1);
    }
    gdyn_draw(f, panel, GDYN_NAMES, .away = 14);
    list_open(&pic, f);
    f->failed |= !found;
    gdyn_drawing_end(&pic.drawing);
}

/* --- modes side by side, in one scale --------------------------------------------------------- */

enum { MODES_MOST = 24 }; /* panels of a page */

typedef struct modes_picture {
    const gdyn_modes *modes;
    int shown;
    gdyn_drawing drawing[MODES_MOST];
    gdyn_figure figure;
} modes_picture;

static void draw_modes(modes_picture *pic) {
    const gdyn_model *model = pic->modes->instance->model;
    /* The path whose start holds the tool; NULL: drives are held. */
    const gdyn_modes *modes = pic->modes;
    bool tool = modes->held == GDYN_HOLD_TOOL;
    const gdyn_path_def *path = tool ? &modes->instance->trajectory[modes->trajectory] : NULL;
    for (int i = 0; i < pic->shown; i++) {
        gdyn_drawing *d = &pic->drawing[i];
        gdyn_state *state = pic->modes->mode[i].state;
        gdyn_drawing_begin(d, model, path ? path->tools : 0, path ? path->tool : NULL);
        gdyn_drawing_guides(d, 1, &state);
        gdyn_drawing_pose(d, state);
        if (path)
            gdyn_drawing_tools(d, path, state);
    }
}

/* "m3: 100 % of 'circle'" and stated ranges that the pose leaves. */
static const char *title_of(modes_picture *pic, int i) {
    const gdyn_modes *modes = pic->modes;
    const gdyn_mode *mode = &modes->mode[i];
    char follows[120] = "", beyond[60] = "";
    if (modes->instance->trajectory_count > 0) {
        int t = modes->held == GDYN_HOLD_TOOL ? modes->trajectory : 0;
        snprintf(follows, sizeof follows, ": %.3g %% of '%.60s'", 100 * mode->reach[t],
                 gdyn_shorten(modes->instance->trajectory[t].name, 14).text);
    }
    if (mode->outside > 0)
        snprintf(beyond, sizeof beyond, ", %d out of range", mode->outside);
    return gdyn_figure_words(&pic->figure, "m%d%s%s", i + 1, follows, beyond);
}

static void write_page(modes_picture *pic) {
    static const double LEAST = 130, LEAST_SPACE = 190; /* widths of a panel */
    const gdyn_modes *modes = pic->modes;
    char more[40] = "";
    int columns = pic->shown < 4 ? pic->shown : 4;
    if (modes->count > pic->shown)
        snprintf(more, sizeof more, ", the first %d", pic->shown);
    gdyn_picture_begin(&pic->figure, "", "modes", columns < 2 ? 600 : 300 * columns,
                       "'%s': %d mode%s with %s held%s",
                       gdyn_picture_name(modes->instance->name).text, modes->count,
                       gdyn_plural(modes->count),
                       modes->held == GDYN_HOLD_TOOL ? "the tool" : "all drives", more);
    gdyn_figure_side_by_side(&pic->figure, columns, pic->drawing[0].planar ? LEAST : LEAST_SPACE,
                             true);
    for (int i = 0; i < pic->shown; i++) {
        gdyn_figure_panel *panel = gdyn_drawing_panel(&pic->drawing[i], &pic->figure, false);
        panel->caption[0] = title_of(pic, i);
        panel->zoom *= 1.25;
    }
}

void gdyn_pictures_of_modes(gdyn_pictures *pictures, const gdyn_modes *modes) {
    modes_picture *pic = gdyn_alloc(1, sizeof *pic);
    if (!pic)
        pictures->status = GDYN_ERROR_MEMORY;
    if (pic && modes->count > 0) {
        pic->modes = modes;
        pic->shown = modes->count < MODES_MOST ? modes->count : MODES_MOST;
        draw_modes(pic);
        /* one window for all */
        gdyn_drawing *first = &pic->drawing[0];
        for (int i = 1; i < pic->shown; i++)
            for (int j = 0; j < 3; j++) {
                first->low[j] = fmin(first->low[j], pic->drawing[i].low[j]);
                first->high[j] = fmax(first->high[j], pic->drawing[i].high[j]);
            }
        gdyn_drawing_frame(first);
        for (int i = 1; i < pic->shown; i++)
            for (int j = 0; j < 3; j++) {
                pic->drawing[i].low[j] = first->low[j];
                pic->drawing[i].high[j] = first->high[j];
            }
        write_page(pic);
        gdyn_picture_write(&pic->figure, pictures);
        for (int i = 0; i < pic->shown; i++)
            gdyn_drawing_end(&pic->drawing[i]);
    }
    gdyn_free(pic);
}
